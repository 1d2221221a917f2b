"""One round as it is followed: the table, what was said of each move, and whose cards lie on the Dutch Piles.

A round keeps its tape (moves and looks, as they are understood now), so that a correction is a change of the
tape and everything after it follows again. What is inferred (owners) is kept apart from what was seen (table).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from .event_types import CardMoved, Certainty, PileSeen, Ruled, SeatScore, StuckAgreed, Violation
from .moves import Move, PileId, PileKind
from .scoring import score
from .table import Table
from .variant import Variant


class Phase(StrEnum):
    """What a round is in the middle of."""

    PLAYING = "playing"
    STOPPED = "stopped"
    """By "Dutch!"."""
    PAUSED = "paused"
    ENDED = "ended"
    SCORED = "scored"
    ABANDONED = "abandoned"
    """Broken off: it doesn't count."""


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One move with all that became of it.

    Parameters
    ----------
    event
        The move as it is understood now.
    said
        The last ruling; None if nothing was said.
    blame
        The last ruling with violations that was not overruled; it stays when the play is taken back.
    undone_by
        The move that took this one back.
    retracted
        It never happened.
    revised
        Something about it was corrected.
    """

    event: CardMoved
    said: Ruled | None = None
    blame: Ruled | None = None
    undone_by: int | None = None
    retracted: bool = False
    revised: bool = False

    @property
    def move(self) -> Move:
        """Give the move itself."""
        return self.event.move

    @property
    def stands(self) -> bool:
        """Say whether its cards still lie where it put them, as far as taking back goes."""
        return not self.retracted and self.undone_by is None

    @property
    def open(self) -> tuple[Violation, ...]:
        """Give the violations that wait to be put right; none once it is taken back, retracted or overruled."""
        return self.said.violations if self.said is not None and self.stands else ()


class Stop(NamedTuple):
    """A time during which play stood still; `until_s` is infinite while it lasts."""

    since_s: float
    until_s: float = float("inf")


Owners = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """A round at one moment; immutable.

    Parameters
    ----------
    number
        Counting from 1 in its match.
    variant, seats
        The rules and the seats that play.
    started_s, ended_s
        The signal, and the end of play; None while it is played.
    phase
        What it is in the middle of.
    tape
        Ids of moves, looks at piles and agreements, in order.
    records
        Moves by id. Never change it.
    table
        What lies where.
    owners
        For each Dutch Pile who is believed to own its cards, bottom to top; None for nobody knows.
    stops
        When play stood still.
    blitz_seat, blitz_called
        Whose Blitz Pile was seen empty first, and who called "Blitz!" first.
    stuck_left
        Seats that may still make the move of those who are stuck.
    scores
        What was said: by `followed`, `counted`, `corrected`.
    """

    number: int
    variant: Variant
    seats: tuple[int, ...]
    started_s: float
    table: Table
    phase: Phase = Phase.PLAYING
    ended_s: float | None = None
    tape: tuple[int | PileSeen | StuckAgreed, ...] = ()
    records: dict[int, MoveRecord] = field(default_factory=dict)
    owners: dict[PileId, Owners] = field(default_factory=dict)
    stops: tuple[Stop, ...] = ()
    blitz_seat: int | None = None
    blitz_called: int | None = None
    stuck_left: frozenset[int] = frozenset()
    scores: dict[str, tuple[SeatScore, ...]] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        """Say whether play has ended."""
        return self.phase in (Phase.ENDED, Phase.SCORED, Phase.ABANDONED)

    def count_dutch(self, seat: int) -> int:
        """Count the cards on Dutch Piles that are believed to be a seat's."""
        return sum(owners.count(seat) for owners in self.owners.values())

    def count_blitz(self, seat: int) -> int:
        """Count the cards left in a seat's Blitz Pile; none once it was seen empty."""
        return 0 if seat == self.blitz_seat else len(self.table.pile(PileId.of(PileKind.BLITZ, seat)))

    def count_illegal(self, seat: int) -> int:
        """Count a seat's illegal plays that were certain and not overruled, taken back or not."""
        return sum(
            record.event.seat == seat and record.blame is not None and record.blame.certainty is Certainty.CERTAIN
            for record in self.records.values()
            if not record.retracted
        )

    def doubtful_seats(self) -> frozenset[int]:
        """Give the seats whose counts rest on something that is not sure.

        That is a Dutch card that nobody knows the owner of and that could be theirs, a play seen with little
        confidence, an open ruling, or a contradiction in what was seen.
        """
        # `consistency` looks at rounds, so it can only be imported once they exist.
        from .consistency import find_doubtful_seats

        return find_doubtful_seats(self)

    def tally(self) -> tuple[SeatScore, ...]:
        """Give the score as it was followed up to now, whatever was said about it."""
        doubtful = self.doubtful_seats()
        rows = []
        for seat in self.seats:
            dutch, blitz = self.count_dutch(seat), self.count_blitz(seat)
            points = score(self.variant, dutch, blitz, self.count_illegal(seat))
            rows.append(SeatScore(seat, dutch, blitz, points, seat not in doubtful))
        return tuple(rows)

    def score(self) -> tuple[SeatScore, ...]:
        """Give the score that holds: corrected before counted before followed; live while nothing was said."""
        for by in ("corrected", "counted", "followed"):
            if by in self.scores:
                return self.scores[by]
        return self.tally()

    def find_differences(self) -> dict[int, int]:
        """Give, for each seat where they differ, Dutch cards counted by back less those that were followed."""
        followed = {row.seat: row.dutch for row in self.scores.get("followed", self.tally())}
        counted = self.scores.get("counted", ())
        return {row.seat: row.dutch - followed[row.seat] for row in counted if row.dutch != followed.get(row.seat)}
