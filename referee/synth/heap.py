"""Where the cards of a heap lie that was pushed apart to be counted: loose, all one way, or in rows.

Every card stays in sight as far as it must. Used by spreads (`spread`) and, with `lay_heap`, by training scenes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import cv2
import numpy as np

from .shapes import corners_mm

if TYPE_CHECKING:
    from .arrange import Arranger

Rng = np.random.Generator
PoseMm = tuple[float, float, float]

_CELL_MM = 3.0
_SHARES = {"loose": 0.5, "aligned": 0.2, "rows": 0.3}


class _Full(Exception):
    """No place is left for another card."""


class _Heap:
    """Finds places for cards so that each stays in sight as far as it must."""

    def __init__(self, size_mm: tuple[float, float], extent_mm: tuple[float, float], visible: float) -> None:
        self._size, self._visible = size_mm, visible
        self._origin = np.array(extent_mm) / 2 + 260
        width, height = (int(side / _CELL_MM) + 1 for side in 2 * self._origin)
        self._ids = np.zeros((height, width), np.int32)
        self._seen: list[int] = [0]
        self._whole: list[int] = [0]

    def lay(self, propose: Callable[[], PoseMm], tries: int) -> PoseMm:
        """Give the first proposed pose that leaves all cards in sight."""
        for _ in range(tries):
            x, y, angle = propose()
            mask = np.zeros(self._ids.shape, np.uint8)
            points = (corners_mm(self._size, x, y, angle) + self._origin) / _CELL_MM
            cv2.fillConvexPoly(mask, np.round(points * 16).astype(np.int32), 1, cv2.LINE_8, 4)
            covered = np.bincount(self._ids[mask > 0], minlength=len(self._seen))
            hit = np.flatnonzero(covered[1:]) + 1
            # The raster is coarse: three hundredths are its error.
            if all(self._seen[i] - covered[i] >= (self._visible + 0.03) * self._whole[i] for i in hit):
                for i in hit:
                    self._seen[i] -= int(covered[i])
                self._ids[mask > 0] = len(self._seen)
                self._seen.append(int(mask.sum()))
                self._whole.append(int(mask.sum()))
                return x, y, angle
        raise _Full


def choose_poses(
    rng: Rng, count: int, size_mm: tuple[float, float], visible: float, room: float, ratio: float,
    shares: dict[str, float] | None = None,
) -> list[PoseMm]:  # fmt: skip
    """Choose the poses (x mm, y mm, degrees) of `count` cards, bottom to top, around the origin.

    Parameters
    ----------
    size_mm
        Of a card.
    visible
        Least share of each card that stays in sight.
    room
        Area of the heap's place for each area of a card; it grows where the cards find no place.
    ratio
        Width of the heap's place to its height.
    shares
        How often the heap is `loose`, `aligned` or in `rows`.
    """
    shares = shares or _SHARES
    how = str(rng.choice(list(shares), p=np.array(list(shares.values())) / sum(shares.values())))
    turn = float(rng.uniform(0, 360))
    while True:
        area = count * size_mm[0] * size_mm[1] * room
        extent = (float(np.sqrt(area * ratio)), float(np.sqrt(area / ratio)))
        heap = _Heap(size_mm, extent, visible)

        def anywhere(extent: tuple[float, float] = extent) -> PoseMm:
            x, y = (rng.uniform(-0.5, 0.5, 2) * extent).tolist()
            return x, y, float(rng.uniform(0, 360)) if how == "loose" else turn + float(rng.normal(0, 12))

        try:
            if how != "rows":
                return [heap.lay(anywhere, 400) for _ in range(count)]
            return _lay_rows(rng, heap, count, size_mm, visible, extent[0])
        except _Full:
            room *= 1.12


def _lay_rows(
    rng: Rng, heap: _Heap, count: int, size_mm: tuple[float, float], visible: float, width_mm: float
) -> list[PoseMm]:
    pitch = size_mm[0] * float(rng.uniform(visible + 0.06, visible + 0.4))
    columns = max(1, min(count, round(width_mm / pitch)))
    rows = -(-count // columns)
    poses = []
    for i in range(count):
        u = (i % columns - (columns - 1) / 2) * pitch
        v = (i // columns - (rows - 1) / 2) * size_mm[1] * 1.06

        def near(u: float = u, v: float = v) -> PoseMm:
            du, dv = rng.normal(0, 2.0, 2)
            half = 180.0 if rng.random() < 0.5 else 0.0
            return u + float(du), v + float(dv), float(rng.normal(0, 3)) + half

        poses.append(heap.lay(near, 60))
    return poses


def lay_heap(arranger: Arranger) -> None:
    """Lay a heap of cards pushed apart, mostly backs of several decks, as a training scene."""
    rng = arranger.rng
    width, height = arranger.camera.size_px
    per_card = 75.0 * arranger.scale()
    most = int(np.clip(width * height / (per_card * per_card * 1.2), 2, 60))
    count = int(np.exp(rng.uniform(np.log(2), np.log(most + 0.5))))
    decks = int(rng.integers(1, 9))
    faces = float(rng.choice([0.0, 0.1, 1.0], p=[0.75, 0.15, 0.1]))
    visible, room = float(rng.uniform(0.42, 0.7)), float(rng.uniform(0.8, 1.8))
    x0, y0 = arranger.point(0.2)
    for level, (x, y, angle) in enumerate(choose_poses(rng, count, (57.0, 89.0), visible, room, width / height)):
        back = arranger.random_back(int(rng.integers(decks)))
        picture = arranger.random_face() if rng.random() < faces else back
        arranger.lay(picture, x0 + x, y0 + y, angle, level % 4)
