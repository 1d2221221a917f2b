"""Draws the reliability diagram: how often labels were right, beside how sure they were said to be."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from ..vision.frames import Image
from ..vision.overlay import write
from .cards import Row

_SIDE_PX, _EDGE_PX = 420, 60
_LOW = 0.5
"""The axes begin here: less sure labels are not said."""


def draw_reliability(rows: Sequence[Row]) -> Image:
    """Draw a point for each bin of `reliability`, its area by the number of labels; honest ones lie on the diagonal."""
    size = _SIDE_PX + 2 * _EDGE_PX
    picture = np.full((size, size, 3), 255, np.uint8)

    def spot(sure: float, right: float) -> tuple[int, int]:
        x, y = ((max(v, _LOW) - _LOW) / (1 - _LOW) * _SIDE_PX for v in (sure, right))
        return _EDGE_PX + round(x), size - _EDGE_PX - round(y)

    ink, soft, dot = (60, 50, 40), (215, 215, 215), (160, 100, 30)
    for tick in np.linspace(_LOW, 1.0, 6):
        cv2.line(picture, spot(tick, _LOW), spot(tick, 1.0), soft, 1, cv2.LINE_AA)
        cv2.line(picture, spot(_LOW, tick), spot(1.0, tick), soft, 1, cv2.LINE_AA)
        x, y = spot(tick, _LOW)
        write(picture, f"{tick:.0%}", (x - 14, y + 20), 13, ink)
        x, y = spot(_LOW, tick)
        write(picture, f"{tick:.0%}", (x - 42, y + 5), 13, ink)
    cv2.line(picture, spot(_LOW, _LOW), spot(1.0, 1.0), (150, 150, 150), 2, cv2.LINE_AA)
    total = sum(count for _, _, count, _, _ in rows)
    for _, _, count, mean, share in rows:
        cv2.circle(picture, spot(mean, share), round(4 + 18 * float(np.sqrt(count / total))), dot, -1, cv2.LINE_AA)
    write(picture, "how sure", (size // 2 - 30, size - 14), 15, ink)
    write(picture, "how often right", (8, 24), 15, ink)
    return picture
