"""Who has played how: figures over many matches, by the players' names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..game.match import Match
from ..game.round import Phase
from .board import clean_name


@dataclass(slots=True)
class PlayerFigures:
    """One player's figures; `beaten` counts, for each other player, the matches with a higher total."""

    name: str
    games: int = 0
    wins: int = 0
    rounds: int = 0
    points: int = 0
    best_round: int | None = None
    blitzes: int = 0
    fastest_blitz_s: float | None = None
    beaten: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def average(self) -> float:
        """Give the points of an average round."""
        return self.points / self.rounds if self.rounds else 0.0


def count_figures(matches: Iterable[Match]) -> list[PlayerFigures]:
    """Add up matches; whoever has won most comes first.

    Seats of one match that share a name can't be told apart over several matches, so they count as one player.
    """
    players: dict[str, PlayerFigures] = {}
    for match in matches:
        names = {seat.number: clean_name(seat.name) for seat in match.seats}
        scored = [round_ for round_ in match.rounds if round_.phase is Phase.SCORED]
        if not scored:
            continue
        for name in set(names.values()):
            player = players.setdefault(name, PlayerFigures(name))
            player.games += 1
            player.wins += any(names[seat] == name for seat in match.winners)
        for round_ in scored:
            for row in round_.score():
                player = players[names[row.seat]]
                player.rounds += 1
                player.points += row.score
                player.best_round = row.score if player.best_round is None else max(player.best_round, row.score)
            if round_.blitz_seat is not None and round_.ended_s is not None:
                player = players[names[round_.blitz_seat]]
                player.blitzes += 1
                took_s = round_.ended_s - round_.started_s
                # A round that was written down whole took no time at all.
                if took_s > 1:
                    player.fastest_blitz_s = min(took_s, player.fastest_blitz_s or took_s)
        totals = match.totals()
        for seat, other in ((a, b) for a in totals for b in totals if totals[a] > totals[b]):
            if names[seat] != names[other]:
                players[names[seat]].beaten[names[other]] += 1
    return sorted(players.values(), key=lambda player: (-player.wins, -player.average, player.name))
