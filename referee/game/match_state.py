"""A match at one moment: seats, totals, rounds. How it changes stands in `match`."""

from __future__ import annotations

from dataclasses import dataclass

from .round import Phase, Round
from .scoring import find_winners
from .variant import Variant, get_variant


class MatchError(ValueError):
    """An event that cannot follow on those before it; the match is unchanged."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody at the table.

    Parameters
    ----------
    number
        Counts from 1, counter-clockwise; it stays when others leave.
    name, deck
        What people call the seat, and the deck's name (empty: not known).
    total
        Points of all rounds that were scored.
    playing
        False once the seat has left.
    """

    number: int
    name: str
    deck: str = ""
    total: int = 0
    playing: bool = True


@dataclass(frozen=True, slots=True)
class Match:
    """Everything that follows from the log so far; immutable.

    Parameters
    ----------
    variant
        The rules of the next round; each round keeps its own.
    seats
        In order of their numbers, those that left included.
    rounds
        All rounds; the last one may be in the middle of play.
    last_id
        The highest id that any event had.
    time_s
        When the last event was said.
    """

    variant: Variant
    seats: tuple[Seat, ...] = ()
    rounds: tuple[Round, ...] = ()
    last_id: int = 0
    time_s: float = 0.0
    named: bool = False
    """Whether a `match_started` gave the rules; else each round brings its own."""

    @staticmethod
    def new(variant: Variant | None = None) -> Match:
        """Give a match of which nothing is known; official rules unless others are given."""
        return Match(variant or get_variant("official"))

    @property
    def round(self) -> Round | None:
        """Give the round that is played or was played last; None before the first."""
        return self.rounds[-1] if self.rounds else None

    def seat(self, number: int) -> Seat:
        """Give a seat by its number; raises MatchError if there is none."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        raise MatchError(f"there is no seat {number}: use {', '.join(str(seat.number) for seat in self.seats)}")

    def totals(self) -> dict[int, int]:
        """Give the points of every seat over all rounds that were scored."""
        return {seat.number: seat.total for seat in self.seats}

    @property
    def rounds_played(self) -> int:
        """Give how many rounds were scored."""
        return sum(round_.phase is Phase.SCORED for round_ in self.rounds)

    @property
    def winners(self) -> tuple[int, ...]:
        """Give the seats that have won; empty while the match goes on."""
        scored = [round_ for round_ in self.rounds if round_.phase is Phase.SCORED]
        return find_winners(self.variant, self.totals(), len(scored), scored[-1].blitz_seat if scored else None)
