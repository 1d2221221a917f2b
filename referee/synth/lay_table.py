"""A game in progress, laid out for 2 to 8 seats: Post, Blitz and Wood Piles, hands, Dutch Piles in the middle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .arrange import Arranger

Floats = npt.NDArray[np.float64]


def lay_table(arranger: Arranger) -> None:
    """Lay a game in progress for 2 to 8 seats round the middle."""
    rng = arranger.rng
    seats = int(rng.integers(arranger.spec.seats[0], arranger.spec.seats[1] + 1))
    width, height = arranger.camera.size_px
    scale = arranger.scale()
    half = np.array([width, height]) / scale / 2
    # Players sit round an oval that the picture shows, or part of it does when cards are large.
    oval = np.maximum(half * rng.uniform(0.62, 0.85), rng.uniform(230, 330) + 22 * seats)
    first = float(rng.choice([0.0, rng.uniform(0, 360)]))
    _dutch(arranger, oval)
    for seat in range(1, seats + 1):
        angle = np.radians(90 - first - (seat - 1) * 360 / seats + rng.normal(0, 3))
        base = np.array([np.cos(angle), np.sin(angle)]) * oval
        outward = np.degrees(angle) - 90
        _seat(arranger, seat, base, outward, 5 if seats == 2 else 3)
    if rng.random() < 0.15:
        for _ in range(int(rng.integers(3, 25))):
            x, y = arranger.point(0.9)
            picture = arranger.random_face() if rng.random() < 0.6 else arranger.random_back(int(rng.integers(8)))
            arranger.lay(picture, x, y, float(rng.uniform(0, 360)), 1)


def _dutch(arranger: Arranger, oval: Floats) -> None:
    rng = arranger.rng
    count = int(rng.integers(arranger.spec.dutch_piles[0], arranger.spec.dutch_piles[1] + 1))
    inner = oval - 150
    mess = float(rng.uniform(0.5, 7))
    columns = int(rng.integers(2, 6))
    grid = rng.random() < 0.5
    for pile in range(1, count + 1):
        if grid:
            row, column = divmod(pile - 1, columns)
            x = (column - (columns - 1) / 2) * rng.uniform(66, 90) + rng.normal(0, 8)
            y = (row - 1) * rng.uniform(95, 120) + rng.normal(0, 8)
        else:
            x, y = rng.uniform(-1, 1, 2) * np.maximum(inner, 70)
        cards = int(rng.integers(arranger.spec.pile_cards[0], arranger.spec.pile_cards[1] + 1))
        if rng.random() < 0.4:
            cards = min(cards, int(rng.integers(1, 4)))
        faces = [arranger.random_face() for _ in range(cards)]
        if rng.random() < 0.1:
            faces[-1] = arranger.random_back(int(rng.integers(8)))
        angle = float(rng.choice([0, 90, 180, rng.uniform(0, 360)]) + rng.normal(0, 6))
        arranger.pile(faces[-1], faces[:-1], float(x), float(y), angle, mess, f"d{pile}")


def _seat(arranger: Arranger, seat: int, base: Floats, outward: float, posts: int) -> None:
    """Lay one player's piles; `outward` is the angle of a card whose foot points at the player."""
    rng = arranger.rng
    along = np.array([np.cos(np.radians(outward)), np.sin(np.radians(outward))])
    out = np.array([-along[1], along[0]])
    pitch = rng.uniform(62, 85)
    jitter = float(rng.uniform(0.5, 6))
    turn = 0.0 if rng.random() < 0.7 else 180.0
    fanned = rng.random() < 0.6
    fan = float(rng.uniform(12, 28))

    def place(slot: float, row: float) -> tuple[float, float, float]:
        at = base + along * pitch * slot + out * row + rng.normal(0, jitter, 2)
        return float(at[0]), float(at[1]), outward + turn + float(rng.normal(0, jitter))

    start = -(posts + 1) / 2 + 0.5
    for slot in range(posts):
        if rng.random() < 0.06:
            continue
        x, y, angle = place(start + slot, 0)
        cards = int(rng.choice([1, 1, 1, 2, 3, 4, 5]))
        for i in range(cards):
            step = out * fan * i if fanned else rng.normal(0, 1.5, 2)
            wobble = rng.normal(0, 1.2, 3)
            arranger.lay(arranger.random_face(), x + float(step[0] + wobble[0]), y + float(step[1] + wobble[1]),
                      angle + float(wobble[2]), i, f"s{seat}.post{slot + 1}")  # fmt: skip
    x, y, angle = place(start + posts, 0)
    left = int(rng.integers(0, 11))
    if left:
        arranger.stack_up(arranger.random_face(), left, x, y, angle, f"s{seat}.blitz")
    if rng.random() < 0.8:
        x, y, angle = place(start + rng.uniform(-0.5, posts), rng.uniform(95, 130))
        wood = [arranger.random_face() for _ in range(int(rng.integers(1, 6)))]
        arranger.pile(wood[-1], wood[:-1], x, y, angle, float(rng.uniform(0.5, 8)), f"s{seat}.wood")
    if rng.random() < 0.6:
        x, y, angle = place(start + posts - rng.uniform(0, 1.5), rng.uniform(95, 140))
        arranger.stack_up(arranger.random_back(seat), int(rng.integers(2, 28)), x, y, angle, f"s{seat}.hand")
