"""Suit marks, and where the marks of a card with a number stand."""

from __future__ import annotations

import numpy as np

from ...game.cards import Suit
from .canvas import Bgr, Canvas, Points, ellipse, smooth
from .rosettes import HEART

_FOOT = smooth([(0, 0.05), (0.08, 0.5), (0.4, 0.98), (0, 0.94), (-0.4, 0.98), (-0.08, 0.5)])
_PIPS: dict[Suit, tuple[Points, ...]] = {
    # HEART has its point upward.
    Suit.HEARTS: (HEART * (1, -1),),
    Suit.SPADES: (np.asarray(HEART) * (0.95, 0.85) - (0, 0.15), _FOOT),
    Suit.DIAMONDS: (
        smooth([(0, -1.05), (0.3, -0.5), (0.74, 0), (0.3, 0.5), (0, 1.05), (-0.3, 0.5), (-0.74, 0), (-0.3, -0.5)]),
    ),
    Suit.CLUBS: (
        ellipse(0, -0.52, 0.45),
        ellipse(-0.5, 0.14, 0.45),
        ellipse(0.5, 0.14, 0.45),
        ellipse(0, -0.05, 0.25),
        _FOOT,
    ),
}


def draw_pip(canvas: Canvas, suit: Suit, ink: Bgr, matrix: Points) -> None:
    """Draw one suit mark two units tall."""
    for part in _PIPS[suit]:
        canvas.fill(part, ink, matrix)


def pip_places(count: int) -> list[tuple[float, float]]:
    """Arrange 1..10 pips as on ordinary cards: x in -1..1, y in -1..1."""
    columns = {1: [], 2: [], 3: [], 4: [-1, 1], 5: [-1, 1], 6: [-1, 0, 1], 7: [-1, 0, 1], 8: [-1, 0, 1]}
    columns |= {9: [-1, -1 / 3, 1 / 3, 1], 10: [-1, -1 / 3, 1 / 3, 1]}
    middle = {1: [0], 2: [-1, 1], 3: [-1, 0, 1], 5: [0], 7: [-0.5], 8: [-0.5, 0.5], 9: [0], 10: [-2 / 3, 2 / 3]}
    return [(x, y) for x in (-1.0, 1.0) for y in columns[count]] + [(0.0, y) for y in middle.get(count, [])]
