"""Values of the Dutch area: one pile with what is known of it, and what can happen on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from math import hypot

from ..game.cards import Face
from ..game.moves import PileId
from .piles import LyingCard

FRESH_S = 0.12
"""A card that was found this recently counts as seen now."""


class LandingKind(StrEnum):
    """What happened on a Dutch Pile."""

    PLAYED = "played"
    REMOVED = "removed"
    REREAD = "reread"
    TURNED = "turned"
    """The last card of a complete pile was turned over: its back names its deck."""


@dataclass(frozen=True, slots=True)
class Landing:
    """A change of a Dutch Pile.

    Parameters
    ----------
    label
        The card that came, left, or is now read otherwise.
    fits
        Whether it continues the pile (or starts one) as the rules have it.
    under
        The label of the card below it; None when there is none.
    unseen
        Labels that must have come before it, unseen, though there is evidence of each.
    deck
        The card's deck, where its back was seen.
    beneath
        It came before the card that has just been removed.
    touch_s
        When it touched down, where that is known otherwise than from when it came in view.
    """

    kind: LandingKind
    pile: PileId
    label: str
    card: LyingCard | None
    fits: bool
    under: str | None
    unseen: tuple[str, ...] = ()
    deck: str | None = None
    beneath: bool = False
    touch_s: float | None = None


@dataclass(slots=True, eq=False)
class DutchPile:
    """One Dutch Pile: identity, place, and the labels of its cards, bottom to top."""

    id: PileId
    x_mm: float
    y_mm: float
    angle_deg: float
    labels: list[str] = field(default_factory=list)
    fits: list[bool] = field(default_factory=list)
    poses: list[tuple[float, float, float]] = field(default_factory=list)
    card: LyingCard | None = None
    below: set[int] = field(default_factory=set)
    seen_s: float = 0.0
    bare_s: float = 0.0
    hidden: bool = False
    hidden_s: float = -1.0
    unread_s: float = 0.0
    """For how long a face has lain there in view that couldn't be read as the top."""
    gathered: bool = False
    bound_s: float = -1e9
    """When its top was understood to have come."""
    suspect: int = -1
    """Number of a card with the top's label that may be another card than the top, and since when."""
    suspect_s: float = -1e9

    @property
    def top(self) -> str | None:
        """Give the label on top; None once everything was taken back."""
        return self.labels[-1] if self.labels else None

    @property
    def under(self) -> str | None:
        """Give the label below the top; None when there is none."""
        return self.labels[-2] if len(self.labels) > 1 else None

    def distance_mm(self, card: LyingCard) -> float:
        """Give how far a card lies from the pile's top."""
        return hypot(card.x_mm - self.x_mm, card.y_mm - self.y_mm)

    def visible(self, now: float) -> bool:
        """Tell whether the top is seen now."""
        return self.card is not None and now - self.card.agreed_s <= FRESH_S


def successor(label: str | None, last_number: int) -> str | None:
    """Give the label that continues a pile; None when the pile is complete (or there is none)."""
    if label is None:
        return None
    face = Face.parse(label)
    return str(Face(face.color, face.number + 1)) if face.number < last_number else None
