"""Whole cards from boxes of parts: a print with strong edges inside makes the detector see a half or a field of a card.

On a table of known scale a card's size is known. Every card-sized quad that shares a corner or an edge with such a box
is tried, the reader leads each to the card that it sees there, and says how sure it is that there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from .frames import Image, Quad
from .geometry import overlap_area, quad_size, signed_area
from .identifier import CardReader

PART_CONFIDENCE = 0.15
"""Least score of a box of a part of a card: whether there is a card the reader decides."""
CORRECTIONS = 3
_SURE = 0.05
"""A tried quad counts when the reader's doubt that it is a card is less."""
_STEADY = 0.06
"""And when the last correction moved its corners by less than this share of a card's width."""
_LEAST_PART, _MOST_PART = 0.25, 2.5
"""Of a card's area: less is a pip, more a thing."""
_WHOLE = 0.15
_COVERED = 0.7


def is_whole(quad: Quad, size_px: tuple[float, float]) -> bool:
    """Tell whether a box has a card's size (width, length), or its shape and more than its size: it is held up."""
    sides = np.array(quad_size(quad)) / np.array(size_px)
    if np.abs(sides - 1).max() <= _WHOLE:
        return True
    return bool(sides.min() >= 1 and abs(sides[0] / sides[1] - 1) <= _WHOLE)


def is_part(quad: Quad, size_px: tuple[float, float]) -> bool:
    """Tell whether a box may be of a part of a card of this size, or of two of them."""
    share = abs(signed_area(quad)) / (size_px[0] * size_px[1])
    return _LEAST_PART < share < _MOST_PART and not is_whole(quad, size_px)


def is_covered(part: Quad, card: Quad) -> bool:
    """Tell whether a box lies on a card for the most part."""
    return overlap_area(part, card) >= _COVERED * abs(signed_area(part))


def card_sized(part: Quad, size_px: tuple[float, float]) -> list[Quad]:
    """Give the quads of a card's size (width, length) that lie along a box and share an edge or a corner with it.

    Where a side of the box is as long as one of the card's, it is taken for that side.
    """
    middle = part.mean(axis=0)
    across, down = part[1] - part[0], part[3] - part[0]
    sides = float(np.linalg.norm(across)), float(np.linalg.norm(down))
    axes = across / sides[0], down / sides[1]
    upright, lying = size_px, size_px[::-1]
    matches = [sum(_alike(side, want) for side, want in zip(sides, size, strict=True)) for size in (upright, lying)]
    quads = []
    for size, count in zip((upright, lying), matches, strict=True):
        if count < max(matches):
            continue
        for x in _shifts(sides[0], size[0]):
            for y in _shifts(sides[1], size[1]):
                at = middle + axes[0] * x + axes[1] * y
                width, length = axes if size is upright else (axes[1], -axes[0])
                quads.append(_quad(at, width * size_px[0] / 2, length * size_px[1] / 2))
    return quads


def lead_to_cards(
    reader: CardReader, image: Image, quads: Sequence[Quad], settle: Callable[[Quad], Quad] = lambda quad: quad
) -> list[tuple[Quad, float] | None]:
    """Let the reader lead quads (px of a picture) to the cards that it sees near them.

    Parameters
    ----------
    settle
        Applied to each quad after each step: gives it the size that a card has there, say.

    Returns
    -------
    cards
        For each quad where the card lies and how much the reader doubts it, 0..1; None where there clearly is none.
    """
    now = list(quads)
    for _ in range(CORRECTIONS if now else 0):
        before = now
        moved, scores = reader.correct(image, before)
        steps = [
            np.linalg.norm(new - old, axis=1).max() / quad_size(old)[0] for new, old in zip(moved, before, strict=True)
        ]
        now = [settle(quad) for quad in moved]
    doubts = [float(doubt) for doubt in scores.kind[:, 2]] if now else []
    return [
        (quad, doubt) if step < _STEADY and doubt < _SURE else None
        for quad, step, doubt in zip(now, steps if now else [], doubts, strict=True)
    ]


def _alike(side: float, want: float) -> bool:
    return abs(side / want - 1) < _WHOLE


def _shifts(side: float, want: float) -> tuple[float, ...]:
    """Give how far the middle of a card may lie from the box's along one axis, so that an edge is shared."""
    return (0.0,) if _alike(side, want) else ((side - want) / 2, (want - side) / 2)


def _quad(middle: npt.NDArray[np.float32], right: npt.NDArray[np.float32], down: npt.NDArray[np.float32]) -> Quad:
    corners = [middle - right - down, middle + right - down, middle + right + down, middle - right + down]
    return np.array(corners, dtype=np.float32)
