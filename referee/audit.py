"""The count by backs at the end of a round, and its reconciliation with what was followed.

What was followed is provisional; the backs settle the score. Every difference is told, none is smoothed away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .game.cards import Back
from .game.event_types import SeatScore
from .game.scoring import score
from .game.variant import Variant
from .layout import TableLayout
from .vision.frames import Detection

SURE_READ = 0.8


@dataclass(frozen=True, slots=True)
class Count:
    """Cards counted by their backs.

    Parameters
    ----------
    cards
        Number of cards of each deck, by its name.
    unread
        Backs whose deck couldn't be read.
    faces
        Cards that lie face up: they must be turned over before they can be counted.
    """

    cards: Mapping[str, int]
    unread: int = 0
    faces: int = 0

    @property
    def sure(self) -> bool:
        """Tell whether every card was counted."""
        return self.unread == 0 and self.faces == 0


@dataclass(frozen=True, slots=True)
class Difference:
    """A seat whose count by backs isn't what was followed."""

    seat: int
    followed: int
    counted: int

    def __str__(self) -> str:
        return f"seat {self.seat}: {self.followed} Dutch cards were followed, {self.counted} counted by their backs"


def count_backs(cards: Iterable[Detection]) -> Count:
    """Count the cards of one picture by their backs."""
    decks: Counter[str] = Counter()
    unread = faces = 0
    for card in cards:
        label = card.reading.label
        if card.kind == "face":
            faces += 1
        elif label is None or card.reading.confidence < SURE_READ:
            unread += 1
        else:
            decks[Back.parse(label).deck] += 1
    return Count(dict(decks), unread, faces)


def add_counts(counts: Iterable[Count]) -> Count:
    """Add up counts of several pictures that show different cards."""
    decks: Counter[str] = Counter()
    unread = faces = 0
    for count in counts:
        decks.update(count.cards)
        unread += count.unread
        faces += count.faces
    return Count(dict(decks), unread, faces)


def reconcile(
    followed: Iterable[SeatScore], count: Count, layout: TableLayout, variant: Variant
) -> tuple[tuple[SeatScore, ...], tuple[Difference, ...]]:
    """Score a round by its backs and tell every difference to what was followed.

    A seat is sure when everything was counted, or when the count agrees with what was followed.
    """
    scores, differences = [], []
    for row in followed:
        counted = count.cards.get(layout.seats[row.seat - 1].deck, 0)
        if counted != row.dutch:
            differences.append(Difference(row.seat, row.dutch, counted))
        points = score(variant, counted, row.blitz)
        scores.append(SeatScore(row.seat, counted, row.blitz, points, count.sure or counted == row.dutch))
    return tuple(scores), tuple(differences)
