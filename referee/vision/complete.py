"""Whole cards from boxes of parts: a print with strong edges inside makes the detector see a half or a field of a card.

On a table of known scale a card's size is known. Every card-sized quad that shares a corner or an edge with such a box
is tried, the reader leads each to the card that it sees there, and says how sure it is that there is one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .frames import Quad
from .geometry import overlap_area, quad_size, signed_area

CORRECTIONS = 3
SURE = 0.05
"""A tried quad counts when the reader's doubt that it is a card is less."""
STEADY = 0.06
"""And when the last correction moved its corners by less than this share of a card's width."""
_WHOLE = 0.15
_COVERED = 0.7


def is_whole(quad: Quad, size_px: tuple[float, float]) -> bool:
    """Tell whether a box has a card's size (width, length), or its shape and more than its size: it is held up."""
    sides = np.array(quad_size(quad)) / np.array(size_px)
    if np.abs(sides - 1).max() <= _WHOLE:
        return True
    return bool(sides.min() >= 1 and abs(sides[0] / sides[1] - 1) <= _WHOLE)


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


def _alike(side: float, want: float) -> bool:
    return abs(side / want - 1) < _WHOLE


def _shifts(side: float, want: float) -> tuple[float, ...]:
    """Give how far the middle of a card may lie from the box's along one axis, so that an edge is shared."""
    return (0.0,) if _alike(side, want) else ((side - want) / 2, (want - side) / 2)


def _quad(middle: npt.NDArray[np.float32], right: npt.NDArray[np.float32], down: npt.NDArray[np.float32]) -> Quad:
    corners = [middle - right - down, middle + right - down, middle + right + down, middle - right + down]
    return np.array(corners, dtype=np.float32)
