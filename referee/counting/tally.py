"""What was made of one picture of a heap: its cards, whose they are, and where that can't be told."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..audit import Count
from ..vision.frames import Quad


@dataclass(frozen=True, slots=True, eq=False)
class CountedCard:
    """One card that was counted.

    Parameters
    ----------
    quad_px
        (4, 2) float32 px of the picture.
    deck
        Whose it is; None for a card that lies face up, or a back that no deck here has.
    face
        Whether it lies face up.
    sure
        Whether there is no doubt about it.
    """

    quad_px: Quad
    deck: str | None
    face: bool
    sure: bool


@dataclass(frozen=True, slots=True, eq=False)
class Doubt:
    """A place where it can't be told what lies there: a polygon (N, 2) px, and why."""

    outline_px: npt.NDArray[np.float32]
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """All that was made of one picture."""

    cards: tuple[CountedCard, ...]
    doubts: tuple[Doubt, ...]

    @property
    def count(self) -> Count:
        """Give the numbers."""
        decks = Counter(card.deck for card in self.cards if card.deck is not None)
        faces = sum(card.face for card in self.cards)
        unread = sum(card.deck is None and not card.face for card in self.cards)
        unsure = sum(not card.sure and card.deck is not None for card in self.cards)
        return Count(dict(decks), unread, faces, len(self.doubts) + unsure)

    @property
    def sure(self) -> bool:
        """Tell whether nothing about the count is doubtful."""
        return self.count.sure
