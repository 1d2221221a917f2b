"""A card as the eye remembers it from pass to pass, in px of the bird's-eye view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .frames import Quad, Reading
from .identifier import Scores

NONE = 0.8
"""A probability of "no card" over this is believed."""
SAME_SHARE, SAME_ANGLE = 0.1, 0.14
"""Two cards nearer than this (share of a card's width; radians) are one that was found twice."""


@dataclass(slots=True)
class SeenCard:
    """A card as it was last seen, in px of the view: as the detector found it, and as the reader corrected it.

    `part` tells that the detector found only a part of it. Such a card counts once the reader has `tried` where it lies
    and has found it: then `fine` is known.
    """

    quad: Quad
    kind: str
    confidence: float
    part: bool = False
    tried: bool = False
    fine: Quad | None = None
    scores: Scores | None = None
    reads: int = 0
    read_s: float = -1.0
    misses: int = 0
    reading: Reading = field(default_factory=lambda: Reading(None, 0.0))

    @property
    def place(self) -> Quad:
        """Give where it lies, as exactly as that is known."""
        return self.quad if self.fine is None else self.fine

    @property
    def side(self) -> str:
        """Give which side lies up, `face` or `back`: the reader, which sees more pixels, knows it better."""
        if self.scores is None or self.is_none:
            return self.kind
        return "face" if self.scores.kind[0, 0] >= self.scores.kind[0, 1] else "back"

    @property
    def is_none(self) -> bool:
        """Tell whether the reader sees no card there: a hand, a mug, or one that is all but hidden."""
        if self.part and self.fine is None:
            return True
        return self.scores is not None and float(self.scores.kind[0, 2]) > NONE


def turned(first: Quad, second: Quad) -> float:
    """Give the angle between the long sides of two quads, 0..pi/2."""
    a, b = (quad[2] + quad[3] - quad[0] - quad[1] for quad in (first, second))
    cosine = abs(float(a @ b)) / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-9)
    return float(np.arccos(min(1.0, cosine)))


def align(quad: Quad, like: Quad) -> Quad:
    """Start a quad at the short edge that is nearer to where another one starts."""
    turned = np.roll(quad, 2, axis=0)
    straight = np.linalg.norm(quad - like) <= np.linalg.norm(turned - like)
    return quad if straight else np.ascontiguousarray(turned)


def leave_out_doubles(cards: Sequence[SeenCard], short_px: float) -> list[SeenCard]:
    """Leave out what the reader takes for no card, and all but the surest of those that it led to the same card.

    Parameters
    ----------
    short_px
        Width of a card.
    """
    real = [card for card in cards if not card.is_none]
    if len(real) < 2:
        return real
    quads = np.array([card.place for card in real])
    middles, down = quads.mean(axis=1), quads[:, 3] - quads[:, 0]
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2) / short_px
    down = down / np.linalg.norm(down, axis=1, keepdims=True)
    same = (apart < SAME_SHARE) & (np.abs(down @ down.T) > np.cos(SAME_ANGLE))
    sure = np.array([card.confidence for card in real])
    double = (same & (sure[:, None] < sure[None])).any(axis=1)
    return [card for card, left_out in zip(real, double, strict=True) if not left_out]
