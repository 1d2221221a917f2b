"""What is hidden in a frame: the places below arms and below cards that are held over the table.

Hidden is not gone: whoever wants to conclude anything from a card that isn't seen asks here first.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..vision.frames import Observation

Array = npt.NDArray[np.float64]

HELD_SCALE = 1.2
"""A card that looks larger than this is held high. In films of rounds the detector's boxes of cards that lie on a pile
reach 1.12 (median 1.03), and hands carry cards at 1.04 to 1.07: below this only coming to rest tells them apart."""


class Polygon:
    """A polygon that is asked about many points (even-odd rule).

    Parameters
    ----------
    corners_mm
        (M, 2) mm, either way round.
    """

    def __init__(self, corners_mm: npt.ArrayLike) -> None:
        corners = np.asarray(corners_mm, dtype=np.float64)
        self.box = (*corners.min(axis=0), *corners.max(axis=0))
        order = [*range(1, len(corners)), 0]
        self._x0, self._y0 = corners[:, 0], corners[:, 1]
        self._y1 = self._y0[order]
        rise = self._y1 - self._y0
        self._slope = (self._x0[order] - self._x0) / np.where(rise == 0.0, 1.0, rise)

    def contains(self, points: Array) -> npt.NDArray[np.bool_]:
        """Tell which points, (N, 2) mm, lie inside."""
        x, y = points[:, :1], points[:, 1:]
        spans = (self._y0 > y) != (self._y1 > y)
        crossed = np.count_nonzero(spans & (x < self._x0 + (y - self._y0) * self._slope), axis=1)
        inside: npt.NDArray[np.bool_] = crossed % 2 == 1
        return inside


_HALF = ((-1, -1), (1, -1), (1, 1), (-1, 1))
_RIM = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
_TEMPLATE = np.array([(0.0, 0.0), *((0.36 * u, 0.4 * v) for u, v in _HALF), *((0.65 * u, 0.65 * v) for u, v in _RIM)])
ON_CARD = 5
"""Of `card_points` so many lie on the card; the rest lie just outside, where a hand is that lays or lifts it."""


def card_points(poses: npt.ArrayLike, card_mm: tuple[float, float]) -> Array:
    """Give thirteen points of each card as (N, 13, 2) mm: middle, four toward the corners, eight just outside.

    Parameters
    ----------
    poses
        (N, 3): x and y in mm, angle in degrees.
    """
    pose = np.asarray(poses, dtype=np.float64).reshape(-1, 3)
    turn = np.radians(pose[:, 2])
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    u, v = _TEMPLATE[:, 0] * card_mm[0], _TEMPLATE[:, 1] * card_mm[1]
    return np.stack([pose[:, :1] + u * cos - v * sin, pose[:, 1:2] + u * sin + v * cos], axis=-1)


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
        self._polygons = [Polygon(polygon) for polygon in polygons if len(polygon) >= 3]

    def hidden(self, points: Array) -> npt.NDArray[np.bool_]:
        """Tell which points, (..., 2) mm, are hidden."""
        flat = points.reshape(-1, 2)
        result = np.zeros(len(flat), dtype=bool)
        x, y = flat[:, 0], flat[:, 1]
        for polygon in self._polygons:
            left, top, right, bottom = polygon.box
            near = np.flatnonzero((x >= left) & (x <= right) & (y >= top) & (y <= bottom) & ~result)
            if len(near):
                result[near] = polygon.contains(flat[near])
        return result.reshape(points.shape[:-1])

    def shares(self, points: Array) -> Array:
        """Give the hidden share, 0..1, of each card; (N, 13, 2) as `card_points` gives them."""
        share: Array = self.hidden(points[:, :ON_CARD]).mean(axis=1)
        return share
