"""A few cards as people photograph them: strewn, in rows, grids, pairs, piles, fans, in the hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .shapes import CARD_MM, Placed, direction
from .stock import CardPicture

if TYPE_CHECKING:
    from .arrange import Arranger


def lay_photo(arranger: Arranger) -> None:
    """Lay a few cards as people photograph them."""
    rng = arranger.rng
    low, high = arranger.spec.photo_cards
    room = int(np.clip((max(arranger.camera.size_px) / arranger.scale() / 75) ** 2 * 0.5, 1, high))
    count = int(np.clip(round(np.exp(rng.uniform(np.log(max(low, 1)), np.log(max(high, 1))))), low, max(low, room)))
    how = str(
        rng.choice(
            ["strewn", "row", "grid", "fan", "pairs", "dealt", "pile", "held"],
            p=[0.28, 0.12, 0.08, 0.12, 0.1, 0.14, 0.08, 0.08],
        )
    )
    turned = float(rng.choice([0.0, 0.15, 0.5, 1.0], p=[0.38, 0.26, 0.18, 0.18]))

    def picture() -> CardPicture:
        return arranger.random_back(int(rng.integers(3))) if rng.random() < turned else arranger.random_face()

    x0, y0 = arranger.point(0.45)
    turn = float(rng.uniform(0, 360))
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    if how == "strewn":
        for i in range(count):
            x, y = arranger.point(0.85)
            arranger.lay(picture(), x, y, float(rng.uniform(0, 360)), i)
    elif how in ("row", "grid"):
        columns = count if how == "row" else int(np.ceil(np.sqrt(count)))
        pitch = float(rng.uniform(18, 85)) if how == "row" else float(rng.uniform(58, 85))
        for i in range(count):
            u = (i % columns - (columns - 1) / 2) * pitch + rng.normal(0, 2.5)
            v = (i // columns - (count // columns - 1) / 2) * rng.uniform(92, 100) + rng.normal(0, 2.5)
            arranger.lay(picture(), x0 + u * c - v * s, y0 + u * s + v * c, turn + float(rng.normal(0, 3)), i)
    elif how == "pairs":
        for i in range(0, count, 2):
            x, y = arranger.point(0.8)
            angle = float(rng.uniform(0, 360))
            arranger.lay(picture(), x, y, angle, i)
            if i + 1 < count:
                dx, dy = rng.normal(0, 22, 2)
                arranger.lay(picture(), x + float(dx), y + float(dy), angle + float(rng.normal(0, 18)), i + 1)
    elif how == "dealt":
        _deal(arranger, count, picture)
    elif how == "pile":
        cards = [picture() for _ in range(int(rng.integers(2, 12)))]
        arranger.pile(cards[-1], cards[:-1], x0, y0, turn, float(rng.uniform(2, 16)), "d1")
        for i in range(count // 3):
            x, y = arranger.point(0.9)
            arranger.lay(picture(), x, y, float(rng.uniform(0, 360)), i)
    else:
        _fan(arranger, x0, y0, turn, min(count, 9), picture, how == "held")


def _deal(arranger: Arranger, count: int, picture: Callable[[], CardPicture]) -> None:
    """Lay hands of two or three cards one over the other, most of them face down, perhaps a row face up between."""
    rng = arranger.rng
    level = 0
    while level < count:
        x, y = arranger.point(0.85)
        angle = float(rng.uniform(0, 360))
        down = rng.random() < 0.65
        along = np.radians(angle + float(rng.choice([0.0, 90.0, rng.uniform(0, 360)])))
        step = rng.uniform(10, 45)
        for i in range(int(rng.choice([1, 2, 2, 2, 3]))):
            card = arranger.random_back(int(rng.integers(2))) if down else picture()
            dx, dy = step * i * np.array([np.cos(along), np.sin(along)]) + rng.normal(0, 1.5, 2)
            arranger.lay(card, x + float(dx), y + float(dy), angle + float(rng.normal(0, 8)), level)
            level += 1
    if rng.random() < 0.35:
        x, y = arranger.point(0.5)
        for i in range(int(rng.integers(3, 6))):
            arranger.lay(arranger.random_face(), x + i * 70.0, y, float(rng.normal(0, 3)), level + i)


def _fan(
    arranger: Arranger, x: float, y: float, turn: float, count: int, picture: Callable[[], CardPicture], held: bool
) -> None:
    """Fan cards about a point below them, in a hand or on the table."""
    rng = arranger.rng
    step = float(rng.uniform(7, 20))
    radius = float(rng.uniform(75, 130))
    height = float(rng.uniform(20, 120)) if held else 0.0
    angle = turn + 180.0 if held else 0.0
    sprite = None
    pivot = np.array([x, y])
    if held and arranger.spec.arms[1]:
        arm = arranger.stock.arms[rng.integers(len(arranger.stock.arms))]
        sprite = arm.sprite("pinch", arranger.sprite_scale(), 225.0)
        grip = pivot + 18 * direction(turn)
        arranger.composer.arm(sprite, float(grip[0]), float(grip[1]), angle - 180.0, height, "under")
    for i in range(count):
        lean = turn + (i - (count - 1) / 2) * step
        center = pivot + (direction(lean) * radius - direction(turn) * (radius - 48))
        at = Placed(
            float(center[0]),
            float(center[1]),
            lean,
            height + (i + 1) * CARD_MM,
            (0, 0, 0, 0),
            float(rng.normal(0, 1)),
        )
        floor = 0.0 if held and i == 0 else None
        arranger.composer.card(picture(), at, floor)
    if sprite is not None:
        grip = pivot + 18 * direction(turn)
        arranger.composer.arm(sprite, float(grip[0]), float(grip[1]), angle - 180.0, height + 8, "over")
