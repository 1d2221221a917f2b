"""How fast the rules are: whole random games applied and judged, as `referee bench --engine` reports it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random

from ..game.moves import Move, PileId, PileKind
from ..game.rules import judge, legal_plays
from ..game.table import Table
from ..game.variant import Variant, get_variant

LONGEST_ROUND = 3000
"""Moves after which a random round is broken off: bots that turn cards for ever never get stuck by themselves."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that random players have played: the deal, and every move (all legal) up to Blitz or the limit."""

    variant: Variant
    deal: Table
    moves: tuple[Move, ...]
    end: Table
    blitz_seat: int | None


def play_random_round(variant: Variant, seats: int, rng: Random, longest: int = LONGEST_ROUND) -> PlayedRound:
    """Play a round in which each player in turn makes a random legal move, and rather plays than turns.

    Parameters
    ----------
    variant, seats
        The rules, and how many play.
    rng
        Same state, same round.
    longest
        Moves after which it is broken off.
    """
    decks = [rng.sample(variant.faces, len(variant.faces)) for _ in range(seats)]
    deal = table = Table.deal(variant, seats, decks)
    moves: list[Move] = []
    for number in range(longest):
        seat = rng.randint(1, seats)
        time_s = round(0.5 + 0.3 * number, 3)
        plays = legal_plays(variant, table, seat, time_s)
        if not plays:
            continue
        playing = [move for move in plays if move.target.kind in (PileKind.DUTCH, PileKind.POST)]
        move = rng.choice(playing if playing and rng.random() < 0.9 else plays)
        table = table.apply(move)
        moves.append(move)
        if not table.pile(PileId(PileKind.BLITZ, seat)).faces:
            return PlayedRound(variant, deal, tuple(moves), table, seat)
    return PlayedRound(variant, deal, tuple(moves), table, None)


def bench_engine(moves: int = 100_000, seed: int = 1) -> dict[str, float]:
    """Measure how long it takes to judge and apply moves of random games of 2 to 8 seats, on one core.

    Parameters
    ----------
    moves
        How many; the same few games are gone through until there are so many.
    seed
        Of the games.

    Returns
    -------
    dict
        `moves`, `seconds` (of this process's CPU time, so that a busy machine doesn't count), `us_per_move`, and
        `violations` (0: all of them are legal).
    """
    rng = Random(seed)
    rounds = [play_random_round(get_variant("official"), seats, rng, 800) for seats in range(2, 9)]
    done = violations = 0
    started_s = time.process_time()
    while done < moves:
        for played in rounds:
            table, variant = played.deal, played.variant
            for move in played.moves[: moves - done]:
                violations += len(judge(variant, table, move).violations)
                table = table.apply(move)
            done += len(played.moves[: moves - done])
    seconds = time.process_time() - started_s
    return {"moves": done, "seconds": seconds, "us_per_move": seconds / done * 1e6, "violations": violations}
