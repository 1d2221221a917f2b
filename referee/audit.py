"""The count by backs at the end of a round, reconciled with what was followed.

What was followed is provisional; the backs settle the score. Every difference is told with its likeliest cause, and
the owners of plays are revised so that they fit the count (`repairs`). No pixels, no clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .game.event_types import Event, Revised, RoundScored, SeatScore
from .game.round import Round
from .game.scoring import score
from .repairs import Repair, find_repairs

_MOST_CAUSES = 3
"""Causes that are told of a difference: nobody reads more."""


@dataclass(frozen=True, slots=True)
class Count:
    """Cards counted by their backs.

    Parameters
    ----------
    cards
        Number of cards of each deck, by its name.
    unread
        Backs whose deck couldn't be told.
    faces
        Cards that lie face up: they must be turned over before they can be counted.
    doubts
        Other places that could hide a card.
    """

    cards: Mapping[str, int]
    unread: int = 0
    faces: int = 0
    doubts: int = 0

    @property
    def sure(self) -> bool:
        """Tell whether every card was counted."""
        return not (self.unread or self.faces or self.doubts)


def add_counts(counts: Iterable[Count]) -> Count:
    """Add up counts of several heaps: pictures that show different cards."""
    decks: Counter[str] = Counter()
    unread = faces = doubts = 0
    for count in counts:
        decks.update(count.cards)
        unread += count.unread
        faces += count.faces
        doubts += count.doubts
    return Count(dict(decks), unread, faces, doubts)


def find_impossible(count: Count, deck_size: int, decks: Iterable[str] = ()) -> tuple[str, ...]:
    """Say what can't be about a count: more cards than a deck has, or a deck that nobody plays with.

    Parameters
    ----------
    deck_size
        Cards of a deck.
    decks
        Those of the seats; none where they aren't known.
    """
    known = set(decks)
    said = []
    for deck, number in sorted(count.cards.items()):
        if number > deck_size:
            said.append(f"{number} cards of {deck}, but a deck has {deck_size}: was a heap counted twice?")
        if known and deck not in known and number:
            cards = "1 card" if number == 1 else f"{number} cards"
            said.append(f"{cards} of {deck}, which no seat plays with: a foreign or spare deck's: take it away")
    return tuple(said)


@dataclass(frozen=True, slots=True)
class Difference:
    """A seat whose count by backs isn't what was followed; `cause` is the likeliest, in words, or empty."""

    seat: int
    followed: int
    counted: int
    cause: str = ""

    def __str__(self) -> str:
        said = f"seat {self.seat}: {self.followed} followed, {self.counted} counted"
        return f"{said}: {self.cause}" if self.cause else said


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """A count and what it changes.

    Parameters
    ----------
    scores
        The round's score by the count.
    differences
        Every seat that was counted otherwise than followed; none is the proof that both are right.
    repairs
        Plays whose owner is revised.
    missed
        Cards on the Dutch Piles that no play in the log brought there.
    """

    scores: tuple[SeatScore, ...]
    differences: tuple[Difference, ...]
    repairs: tuple[Repair, ...]
    missed: int = 0

    def revisions(self, round_: Round, seen_s: float) -> list[Event]:
        """Give the events that give each play to the owner that fits the count."""
        return [
            Revised(
                time_s=round_.records[repair.move].event.time_s,
                seen_s=seen_s,
                move=repair.move,
                reason="counted by the backs",
                retracted=repair.now is None,
                changes={} if repair.now is None else {"seat": repair.now},
            )
            for repair in self.repairs
        ]

    def events(self, round_: Round, seen_s: float) -> list[Event]:
        """Give all that settles the round: owners revised, then the score as counted."""
        scored = RoundScored(time_s=seen_s, seen_s=seen_s, by="counted", round=round_.number, seats=self.scores)
        return [*self.revisions(round_, seen_s), scored]


def reconcile(
    round_: Round, counted: Mapping[int, int], blitz: Mapping[int, int] | None = None, sure: Iterable[int] | None = None
) -> Reconciliation:
    """Score a round by its backs, and find the owners of its plays that fit them best.

    Parameters
    ----------
    round_
        As it was followed.
    counted
        Dutch cards of each seat by their backs; a seat that is missing keeps what was followed.
    blitz
        Blitz cards left of each seat, where they were counted too.
    sure
        Seats whose count leaves no doubt; None for all.
    """
    # What was said at the end of play is what people saw; the table may have been understood anew since.
    followed = {row.seat: row for row in round_.scores.get("followed", round_.tally())}
    wanted = {seat: counted.get(seat, followed[seat].dutch) for seat in round_.seats}
    certain = set(round_.seats if sure is None else sure)
    scores = []
    for seat in round_.seats:
        left = followed[seat].blitz if blitz is None else blitz.get(seat, followed[seat].blitz)
        points = score(round_.variant, wanted[seat], left, round_.count_illegal(seat))
        agrees = wanted[seat] == followed[seat].dutch and seat in counted
        scores.append(SeatScore(seat, wanted[seat], left, points, seat in certain or agrees))
    repairs, missed = find_repairs(round_, wanted)
    differences = tuple(
        Difference(seat, followed[seat].dutch, wanted[seat], _tell_cause(seat, repairs, missed))
        for seat in round_.seats
        if wanted[seat] != followed[seat].dutch
    )
    return Reconciliation(tuple(scores), differences, repairs, sum(missed.values()))


def _tell_cause(seat: int, repairs: tuple[Repair, ...], missed: Mapping[int, int]) -> str:
    told = [str(repair) for repair in repairs if seat in (repair.was, repair.now)]
    if missed.get(seat):
        count = missed[seat]
        told.append("a play of theirs was missed" if count == 1 else f"{count} plays of theirs were missed")
    if len(told) > _MOST_CAUSES + 1:
        told = [*told[:_MOST_CAUSES], f"{len(told) - _MOST_CAUSES} more like these"]
    return "; ".join(told)
