"""What is hidden in a frame: the places below arms and below cards that are held over the table.

Hidden is not gone: whoever wants to conclude anything from a card that isn't seen asks here first.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin

import numpy as np
import numpy.typing as npt

from ..vision.frames import Observation

Array = npt.NDArray[np.float64]

HELD_SCALE = 1.08
"""A card that looks larger than this is held above the table (design.md, idea 3)."""


def points_in_polygon(points: Array, polygon: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Tell which points lie inside a polygon (even-odd rule).

    Parameters
    ----------
    points
        (N, 2) mm.
    polygon
        (M, 2) mm, either way round.
    """
    corners = np.asarray(polygon, dtype=np.float64)
    x, y = points[:, 0][:, None], points[:, 1][:, None]
    x0, y0 = corners[:, 0][None, :], corners[:, 1][None, :]
    x1, y1 = np.roll(x0, -1, axis=1), np.roll(y0, -1, axis=1)
    spans = (y0 > y) != (y1 > y)
    slope = np.divide(x1 - x0, y1 - y0, out=np.zeros_like(x0), where=y1 != y0)
    inside: npt.NDArray[np.bool_] = (spans & (x < x0 + (y - y0) * slope)).sum(axis=1) % 2 == 1
    return inside


def card_points(x_mm: float, y_mm: float, angle_deg: float, card_mm: tuple[float, float]) -> Array:
    """Give five points of a card, its middle and four points toward its corners, as (5, 2) mm."""
    half_w, half_l = 0.36 * card_mm[0], 0.4 * card_mm[1]
    c, s = cos(radians(angle_deg)), sin(radians(angle_deg))
    local = ((0.0, 0.0), (-half_w, -half_l), (half_w, -half_l), (half_w, half_l), (-half_w, half_l))
    return np.array([(x_mm + u * c - v * s, y_mm + u * s + v * c) for u, v in local])


def rim_points(x_mm: float, y_mm: float, angle_deg: float, card_mm: tuple[float, float]) -> Array:
    """Give eight points just outside a card as (8, 2) mm: a hand that lays a card down or lifts it covers one."""
    half_w, half_l = 0.65 * card_mm[0], 0.65 * card_mm[1]
    c, s = cos(radians(angle_deg)), sin(radians(angle_deg))
    local = [(u * half_w, v * half_l) for u in (-1, 0, 1) for v in (-1, 0, 1) if (u, v) != (0, 0)]
    return np.array([(x_mm + u * c - v * s, y_mm + u * s + v * c) for u, v in local])


class Cover:
    """Everything that hides the table in one frame.

    Parameters
    ----------
    observation
        The frame's observation.
    """

    def __init__(self, observation: Observation) -> None:
        polygons: list[npt.NDArray[np.float32]] = [reach.outline_mm for reach in observation.reaches]
        polygons += [card.quad_mm for card in observation.cards if card.scale > HELD_SCALE]
        self._polygons = [polygon for polygon in polygons if len(polygon) >= 3]
        self._boxes = [(*polygon.min(axis=0), *polygon.max(axis=0)) for polygon in self._polygons]

    def hidden(self, points: Array) -> npt.NDArray[np.bool_]:
        """Tell which points, (N, 2) mm, are hidden."""
        result = np.zeros(len(points), dtype=bool)
        for polygon, (left, top, right, bottom) in zip(self._polygons, self._boxes, strict=True):
            near = (points[:, 0] >= left) & (points[:, 0] <= right) & (points[:, 1] >= top) & (points[:, 1] <= bottom)
            near &= ~result
            if near.any():
                result[near] = points_in_polygon(points[near], polygon)
        return result

    def shares(self, cards: Sequence[Array]) -> list[float]:
        """Give the hidden share, 0..1, of each of several sets of points of the same size."""
        if not cards:
            return []
        flags = self.hidden(np.concatenate(cards)).reshape(len(cards), -1)
        return [float(share) for share in flags.mean(axis=1)]
