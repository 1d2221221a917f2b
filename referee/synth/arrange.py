"""Who and what lies where: lays a table with its seats, a photograph's few cards, clutter and arms.

It decides places, `compose` draws. It knows the set-up of the game (Post, Blitz, Wood, Dutch Piles), not its rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..game.cards import FACES, ORDINARY_FACES
from . import clutter
from .compose import Composer, Placed
from .people import POSES
from .stock import CardPicture, Stock

if TYPE_CHECKING:
    from .scene import SceneSpec

Rng = np.random.Generator
Floats = npt.NDArray[np.float64]

CARD_MM = 0.3
"""Thickness of a card."""


class Arranger:
    """Fills one composer.

    Parameters
    ----------
    composer
        What is drawn on.
    stock
        Art, surfaces and arms of this block of seeds.
    spec
        What may be drawn.
    rng
        Decides everything.
    """

    def __init__(self, composer: Composer, stock: Stock, spec: SceneSpec, rng: Rng) -> None:
        self.composer, self.stock, self.spec, self.rng = composer, stock, spec, rng
        self.camera = composer.camera
        self.piles: dict[int, str] = {}
        self.style = int(rng.integers(len(stock.styles)))
        self.ordinary = bool(rng.random() < spec.ordinary)
        self._backs: list[CardPicture] = []
        width, height = self.camera.size_px
        edge = np.array([[0, 0], [width / 2, 0], [width, 0], [width, height], [width / 2, height], [0, height]], float)
        seen = self.camera.table_from_px(edge)
        # What is far away in a steep view is small: the near half decides how large the scene is.
        reach = np.sort(np.linalg.norm(seen, axis=1))
        self.extent_mm = float(reach[: len(reach) // 2 + 1].mean())

    def arrange(self, sort: str) -> dict[int, str]:
        """Draw a scene of this sort (`table`, `photo`, `empty`); give the pile of each card that belongs to one."""
        self._grounds(sort)
        if sort == "table":
            self._clutter(0.6, outside=True)
            self._table()
            self._arms(int(self.rng.integers(self.spec.arms[0], self.spec.arms[1] + 1)))
        elif sort == "photo":
            self._clutter(1.0, outside=False)
            self._photo()
            if self.rng.random() < 0.35:
                self._clutter(0.35, outside=False)
            if self.rng.random() < 0.25 and self.spec.arms[1]:
                self._arms(int(self.rng.integers(1, 3)))
        else:
            self._clutter(2.2, outside=False)
            if self.rng.random() < 0.4 and self.spec.arms[1]:
                self._arms(int(self.rng.integers(1, 4)))
        return self.piles

    def _scale(self) -> float:
        return self.camera.px_per_mm((0.0, 0.0))

    def _point(self, spread: float = 0.92) -> tuple[float, float]:
        """Give a random place that the picture shows, in mm."""
        width, height = self.camera.size_px
        at = (0.5 + self.rng.uniform(-0.5, 0.5, 2) * spread) * (width, height)
        x, y = self.camera.table_from_px(at[None])[0]
        return float(x), float(y)

    def _grounds(self, sort: str) -> None:
        """Lay floor, table top and perhaps a cloth or mat."""
        rng, composer = self.rng, self.composer
        scale = self._scale()

        def texture() -> tuple[tuple[npt.NDArray[np.uint8], ...], float]:
            return self.stock.surface(int(rng.integers(1000)), scale * float(rng.uniform(0.8, 1.3)))

        bounded = rng.random() < (0.65 if sort == "table" else 0.35)
        if not bounded:
            composer.ground(texture(), float(rng.uniform(0, 360)))
        else:
            composer.ground(texture(), float(rng.uniform(0, 360)), -700.0)
            outline = self._table_outline(sort)
            rim = float(rng.uniform(10, 60))
            shade = self._composer_points(outline, -700.0)
            composer.darken(shade, 40 * scale, float(rng.uniform(0.2, 0.6)))
            side = composer.outline_mask(outline, -rim)
            texture_top = texture()
            composer.ground(texture_top, 0.0, -rim, side)
            keep = composer.outline_mask(outline, 0.0)
            edge = (side > 0) & (keep == 0)
            composer.image[edge] = (composer.image[edge] * rng.uniform(0.3, 0.8)).astype(np.uint8)
            composer.ground(texture_top, float(rng.choice([0, 90]) + rng.normal(0, 1)), 0.0, keep)
        for _ in range(int(rng.choice([0, 1, 2], p=[0.72, 0.22, 0.06]))):
            x, y = self._point(1.1)
            w, h = rng.uniform(0.25, 1.3, 2) * self.extent_mm
            cloth = _oblong(w, h, x, y, float(rng.uniform(0, 360)))
            composer.darken(self._composer_points(cloth, 0.0), 2.5 * scale + 0.8, 0.35)
            mask = composer.outline_mask(cloth, 0.5)
            composer.ground(texture(), float(rng.uniform(0, 360)), 0.5, mask)

    def _composer_points(self, points: Floats, height_mm: float) -> Floats:
        return self.camera.straight(points, height_mm) + self.composer.margin

    def _table_outline(self, sort: str) -> Floats:
        rng = self.rng
        reach = self.extent_mm
        if sort == "table":
            size = rng.uniform(1.1, 2.1, 2) * reach
            x, y = rng.normal(0, 0.04 * reach, 2)
        else:
            size = rng.uniform(0.9, 3.2, 2) * reach
            x, y = rng.uniform(-0.6, 0.6, 2) * size / 2
        if rng.random() < 0.2:
            t = np.linspace(0, 2 * np.pi, 72, endpoint=False)
            return np.stack([np.cos(t) * size[0] / 2 + x, np.sin(t) * size[1] / 2 + y], 1)
        turn = rng.normal(0, 4) if sort == "table" else rng.uniform(0, 360)
        return _oblong(size[0], size[1], x, y, float(turn))

    def _clutter(self, amount: float, outside: bool) -> None:
        """Strew things: everywhere, or mostly away from the middle."""
        rng = self.rng
        low, high = self.spec.clutter
        count = int(round(rng.integers(low, high + 1) * amount))
        scale = self._scale()
        for _ in range(count):
            kind = str(rng.choice(clutter.KINDS))
            x, y = self._point(1.1)
            if outside and np.hypot(x, y) < 0.35 * self.extent_mm and rng.random() < 0.7:
                continue
            there = self.camera.px_per_mm((x, y))
            item = clutter.thing(kind, float(np.clip(there * 1.3, 0.3, 5.0)), rng)
            wide = max(item.picture.shape[:2]) / item.px_per_mm * scale
            if wide > 0.8 * max(self.camera.size_px) and rng.random() < 0.85:
                continue
            spread = max(item.picture.shape[:2]) / item.px_per_mm * rng.uniform(0.6, 2.5)
            for copy in range(item.copies):
                dx, dy = rng.normal(0, spread, 2) if copy else (0.0, 0.0)
                self.composer.thing(item, x + float(dx), y + float(dy), float(rng.uniform(0, 360)))

    def _random_face(self) -> CardPicture:
        if self.ordinary:
            return self.stock.face(self.style, ORDINARY_FACES[self.rng.integers(len(ORDINARY_FACES))])
        return self.stock.face(self.style, FACES[self.rng.integers(len(FACES))])

    def _random_back(self, seat: int = 0) -> CardPicture:
        if not self._backs:
            if self.ordinary or self.rng.random() < 0.2:
                first = int(self.rng.integers(6))
                self._backs = [self.stock.other_back(first + i) for i in range(8)]
            else:
                self._backs = self.stock.backs(self.style, 8, self.rng)
        return self._backs[seat % len(self._backs)]

    def _lay(self, picture: CardPicture, x: float, y: float, angle: float, level: int, pile: str | None = None) -> None:
        """Lay one card, bent or leaning now and then."""
        rng = self.rng
        bend = 0.0
        if rng.random() < 0.12:
            bend = float(rng.normal(0, 3.0))
        lift = (0.0, 0.0, 0.0, 0.0)
        if rng.random() < 0.04:
            rise = float(rng.uniform(1, 7))
            lift = ((rise, rise, 0.0, 0.0), (rise, 0.0, 0.0, rise))[rng.integers(2)]
        at = Placed(x, y, angle, level * CARD_MM, lift, bend)
        ident = self.composer.card(picture, at)
        if pile is not None:
            self.piles[ident] = pile

    def _pile(
        self, top: CardPicture, under: list[CardPicture], x: float, y: float, angle: float, mess: float, pile: str
    ) -> None:
        """Lay a pile from the bottom up; `mess` is the scatter in mm."""
        rng = self.rng
        for level, picture in enumerate([*under, top]):
            dx, dy = rng.normal(0, mess, 2)
            turn = rng.normal(0, mess * 1.2)
            self._lay(picture, x + float(dx), y + float(dy), angle + float(turn), level, pile)

    def _stack(self, picture: CardPicture, count: int, x: float, y: float, angle: float, pile: str) -> None:
        """Lay a neat stack: only a few of its cards are drawn, spread over its height."""
        rng = self.rng
        drawn = min(count, int(rng.integers(2, 5)))
        for i in range(drawn):
            level = round((i + 1) / drawn * count)
            dx, dy, turn = rng.normal(0, 0.7, 3)
            self._lay(picture, x + float(dx), y + float(dy), angle + float(turn), level, pile)

    def _table(self) -> None:
        """Lay a game in progress for 2 to 8 seats round the middle."""
        rng = self.rng
        seats = int(rng.integers(self.spec.seats[0], self.spec.seats[1] + 1))
        width, height = self.camera.size_px
        scale = self._scale()
        half = np.array([width, height]) / scale / 2
        # Players sit round an oval that the picture shows, or part of it does when cards are large.
        oval = np.maximum(half * rng.uniform(0.62, 0.85), rng.uniform(230, 330) + 22 * seats)
        first = float(rng.choice([0.0, rng.uniform(0, 360)]))
        self._dutch(oval)
        for seat in range(1, seats + 1):
            angle = np.radians(90 - first - (seat - 1) * 360 / seats + rng.normal(0, 3))
            base = np.array([np.cos(angle), np.sin(angle)]) * oval
            outward = np.degrees(angle) - 90
            self._seat(seat, base, outward, 5 if seats == 2 else 3)
        if rng.random() < 0.15:
            for _ in range(int(rng.integers(3, 25))):
                x, y = self._point(0.9)
                picture = self._random_face() if rng.random() < 0.6 else self._random_back(int(rng.integers(8)))
                self._lay(picture, x, y, float(rng.uniform(0, 360)), 1)

    def _dutch(self, oval: Floats) -> None:
        rng = self.rng
        count = int(rng.integers(self.spec.dutch_piles[0], self.spec.dutch_piles[1] + 1))
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
            cards = int(rng.integers(self.spec.pile_cards[0], self.spec.pile_cards[1] + 1))
            if rng.random() < 0.4:
                cards = min(cards, int(rng.integers(1, 4)))
            faces = [self._random_face() for _ in range(cards)]
            if rng.random() < 0.1:
                faces[-1] = self._random_back(int(rng.integers(8)))
            angle = float(rng.choice([0, 90, 180, rng.uniform(0, 360)]) + rng.normal(0, 6))
            self._pile(faces[-1], faces[:-1], float(x), float(y), angle, mess, f"d{pile}")

    def _seat(self, seat: int, base: Floats, outward: float, posts: int) -> None:
        """Lay one player's piles; `outward` is the angle of a card whose foot points at the player."""
        rng = self.rng
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
                self._lay(self._random_face(), x + float(step[0] + wobble[0]), y + float(step[1] + wobble[1]),
                          angle + float(wobble[2]), i, f"s{seat}.post{slot + 1}")  # fmt: skip
        x, y, angle = place(start + posts, 0)
        left = int(rng.integers(0, 11))
        if left:
            self._stack(self._random_face(), left, x, y, angle, f"s{seat}.blitz")
        if rng.random() < 0.8:
            x, y, angle = place(start + rng.uniform(-0.5, posts), rng.uniform(95, 130))
            wood = [self._random_face() for _ in range(int(rng.integers(1, 6)))]
            self._pile(wood[-1], wood[:-1], x, y, angle, float(rng.uniform(0.5, 8)), f"s{seat}.wood")
        if rng.random() < 0.6:
            x, y, angle = place(start + posts - rng.uniform(0, 1.5), rng.uniform(95, 140))
            self._stack(self._random_back(seat), int(rng.integers(2, 28)), x, y, angle, f"s{seat}.hand")

    def _photo(self) -> None:
        """Lay a few cards as people photograph them."""
        rng = self.rng
        low, high = self.spec.photo_cards
        room = int(np.clip((max(self.camera.size_px) / self._scale() / 75) ** 2 * 0.5, 1, high))
        count = int(np.clip(round(np.exp(rng.uniform(np.log(max(low, 1)), np.log(max(high, 1))))), low, max(low, room)))
        how = str(
            rng.choice(
                ["strewn", "row", "grid", "fan", "pairs", "pile", "held"], p=[0.36, 0.14, 0.1, 0.12, 0.12, 0.08, 0.08]
            )
        )
        turned = float(rng.choice([0.0, 0.15, 0.5, 1.0], p=[0.45, 0.3, 0.15, 0.1]))

        def picture() -> CardPicture:
            return self._random_back(int(rng.integers(3))) if rng.random() < turned else self._random_face()

        x0, y0 = self._point(0.45)
        turn = float(rng.uniform(0, 360))
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        if how == "strewn":
            for i in range(count):
                x, y = self._point(0.85)
                self._lay(picture(), x, y, float(rng.uniform(0, 360)), i)
        elif how in ("row", "grid"):
            columns = count if how == "row" else int(np.ceil(np.sqrt(count)))
            pitch = float(rng.uniform(18, 85)) if how == "row" else float(rng.uniform(58, 85))
            for i in range(count):
                u = (i % columns - (columns - 1) / 2) * pitch + rng.normal(0, 2.5)
                v = (i // columns - (count // columns - 1) / 2) * rng.uniform(92, 100) + rng.normal(0, 2.5)
                self._lay(picture(), x0 + u * c - v * s, y0 + u * s + v * c, turn + float(rng.normal(0, 3)), i)
        elif how == "pairs":
            for i in range(0, count, 2):
                x, y = self._point(0.8)
                angle = float(rng.uniform(0, 360))
                self._lay(picture(), x, y, angle, i)
                if i + 1 < count:
                    dx, dy = rng.normal(0, 22, 2)
                    self._lay(picture(), x + float(dx), y + float(dy), angle + float(rng.normal(0, 18)), i + 1)
        elif how == "pile":
            cards = [picture() for _ in range(int(rng.integers(2, 12)))]
            self._pile(cards[-1], cards[:-1], x0, y0, turn, float(rng.uniform(2, 16)), "d1")
            for i in range(count // 3):
                x, y = self._point(0.9)
                self._lay(picture(), x, y, float(rng.uniform(0, 360)), i)
        else:
            self._fan(x0, y0, turn, min(count, 9), picture, how == "held")

    def _fan(self, x: float, y: float, turn: float, count: int, picture: object, held: bool) -> None:
        """Fan cards about a point below them, in a hand or on the table."""
        rng = self.rng
        step = float(rng.uniform(7, 20))
        radius = float(rng.uniform(75, 130))
        height = float(rng.uniform(20, 120)) if held else 0.0
        angle = turn + 180.0 if held else 0.0
        sprite = None
        pivot = np.array([x, y])
        if held and self.spec.arms[1]:
            arm = self.stock.arms[rng.integers(len(self.stock.arms))]
            sprite = arm.sprite("pinch", self._sprite_scale(), 225.0)
            grip = pivot + 18 * _direction(turn)
            self.composer.arm(sprite, float(grip[0]), float(grip[1]), angle - 180.0, height, "under")
        for i in range(count):
            lean = turn + (i - (count - 1) / 2) * step
            center = pivot + (_direction(lean) * radius - _direction(turn) * (radius - 48))
            at = Placed(
                float(center[0]),
                float(center[1]),
                lean,
                height + (i + 1) * CARD_MM,
                (0, 0, 0, 0),
                float(rng.normal(0, 1)),
            )
            floor = 0.0 if held and i == 0 else None
            self.composer.card(picture(), at, floor)  # type: ignore[operator]
        if sprite is not None:
            grip = pivot + 18 * _direction(turn)
            self.composer.arm(sprite, float(grip[0]), float(grip[1]), angle - 180.0, height + 8, "over")

    def _sprite_scale(self) -> float:
        return 1.0 if self._scale() < 1.1 else 2.0

    def _arms(self, count: int) -> None:
        """Reach arms in from the picture's edge: empty, resting, or with a card between thumb and fingers."""
        rng = self.rng
        for _ in range(count):
            index = int(rng.integers(len(self.stock.arms)))
            arm = self.stock.arms[index]
            # Few poses and one light for each arm, so that sprites are shared by the block's scenes.
            pose = POSES[(index + int(rng.integers(2)) * 3) % len(POSES)]
            light = (225.0, 45.0, 315.0)[index % 3]
            sprite = arm.sprite(pose, self._sprite_scale(), light)
            x, y = self._point(0.9)
            near = np.degrees(np.arctan2(y, x)) - 90
            toward = float(near + rng.normal(0, 30))
            height = float(rng.choice([0.0, rng.uniform(5, 90)]))
            if pose == "pinch" and rng.random() < 0.8:
                picture = self._random_face() if rng.random() < 0.7 else self._random_back(index)
                self.composer.arm(sprite, x, y, toward, height, "under")
                ahead = np.array([x, y]) + _direction(toward) * rng.uniform(5, 38)
                turn = toward + float(rng.choice([0, 90, rng.uniform(0, 360)]) + rng.normal(0, 15))
                lift = tuple(float(v) for v in rng.uniform(0, 12) * rng.random(4)) if height else (0.0, 0.0, 0.0, 0.0)
                at = Placed(
                    float(ahead[0]),
                    float(ahead[1]),
                    turn,
                    height + 1,
                    (lift[0], lift[1], lift[2], lift[3]),
                    float(rng.normal(0, 2)),
                )
                self.composer.card(picture, at, 0.0)
                self.composer.arm(sprite, x, y, toward, height + 6, "over")
            else:
                self.composer.arm(sprite, x, y, toward, height)


def _direction(angle_deg: float) -> Floats:
    """Give the unit vector from a card's middle to its top edge."""
    return np.array([np.sin(np.radians(angle_deg)), -np.cos(np.radians(angle_deg))])


def _oblong(width: float, height: float, x: float, y: float, angle_deg: float) -> Floats:
    """Give an oblong with slightly rounded corners as a polygon in mm."""
    r = min(width, height) * 0.03
    t = np.radians([0, 30, 60, 90])
    parts = []
    for sx, sy, turn in ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270)):
        center = np.array([sx * (width / 2 - r), sy * (height / 2 - r)])
        a = t + np.radians(turn)
        parts.append(center + r * np.stack([np.cos(a), np.sin(a)], 1))
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    return np.concatenate(parts) @ np.array([[c, s], [-s, c]]) + (x, y)
