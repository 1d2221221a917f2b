"""Cards spread out to be counted after a round: one heap, or one for each deck, face down for the most part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .heap import choose_poses, lay_heap
from .stock import CardPicture

if TYPE_CHECKING:
    from .arrange import Arranger


def lay_count(arranger: Arranger) -> None:
    """Spread one heap over the picture, or 10 to 40 cards of each deck, as many as there is room for."""
    rng = arranger.rng
    if rng.random() < 0.5:
        lay_heap(arranger)
        return
    seats = int(rng.integers(arranger.spec.seats[0], arranger.spec.seats[1] + 1))
    mixed = rng.random() < 0.2
    face_up = float(rng.choice([0.0, 0.06, 0.5, 1.0], p=[0.6, 0.2, 0.1, 0.1]))
    backs = [arranger.random_back(seat) for seat in range(seats)]

    def picture(seat: int) -> CardPicture:
        if rng.random() < face_up:
            return arranger.random_face()
        return backs[int(rng.integers(seats)) if mixed else seat]

    room = np.array(arranger.camera.size_px) / arranger.scale()
    columns = int(np.ceil(np.sqrt(seats * room[0] / room[1])))
    rows = int(np.ceil(seats / columns))
    cell = room / (columns, rows)
    most = int(np.clip(cell.prod() / (57 * 89 * 0.7), 3, 40))
    for seat in range(seats):
        at = (np.array([seat % columns, seat // columns]) + 0.5) * cell - room / 2 + rng.normal(0, 0.06, 2) * cell
        count = min(most, int(rng.integers(10, 41)))
        visible, spread = float(rng.uniform(0.42, 0.7)), float(rng.uniform(0.8, 1.6))
        poses = choose_poses(rng, count, (57.0, 89.0), visible, spread, float(np.clip(cell[0] / cell[1], 0.4, 2.5)))
        for level, (x, y, angle) in enumerate(poses):
            arranger.lay(picture(seat), float(at[0] + x), float(at[1] + y), angle, level % 4)
