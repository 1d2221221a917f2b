"""Who and what lies where: lays a table with its seats, a photograph's few cards, clutter and arms.

It decides places, `compose` draws. It knows the set-up of the game (Post, Blitz, Wood, Dutch Piles), not its rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..game.cards import FACES, ORDINARY_FACES
from . import clutter
from .compose import Composer
from .lay_count import lay_count
from .lay_photo import lay_photo
from .lay_table import lay_table
from .people import POSES
from .shapes import CARD_MM, Placed, direction
from .stock import DETAIL, CardPicture, Stock

if TYPE_CHECKING:
    from .scene import SceneSpec

Rng = np.random.Generator
Floats = npt.NDArray[np.float64]

_CARDS, _GROUND, _CLUTTER, _ARMS = range(4)


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
    seed
        Decides everything; ground, cards, clutter and arms each follow from it alone, so that a scene without
        clutter is the same scene otherwise.
    """

    def __init__(self, composer: Composer, stock: Stock, spec: SceneSpec, seed: int) -> None:
        self.composer, self.stock, self.spec = composer, stock, spec
        self._streams = [np.random.default_rng([seed, purpose]) for purpose in range(1, 5)]
        self.rng = rng = self._streams[_CARDS]
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
        # At 640 px no card is nearer than 5.4 px/mm; at 4K they come much nearer.
        self.detail = next(step for step in (DETAIL, 2 * DETAIL, 4 * DETAIL) if self.scale() <= 1.4 * step or step > 15)

    def arrange(self, sort: str) -> dict[int, str]:
        """Draw a `table`, `photo`, `count` or `empty` scene; give the pile of each card that belongs to one."""
        with self._drawing(_GROUND):
            self._grounds(sort)
        rng = self._streams[_CLUTTER]
        if sort == "table":
            self._clutter(0.6, outside=True)
            lay_table(self)
            self._reach(int(self._streams[_ARMS].integers(self.spec.arms[0], self.spec.arms[1] + 1)))
        elif sort == "photo":
            self._clutter(1.0, outside=False)
            lay_photo(self)
            if rng.random() < 0.35:
                self._clutter(0.35, outside=False)
            self._reach(int(self._streams[_ARMS].choice([0, 1, 2], p=[0.76, 0.12, 0.12])))
        elif sort == "count":
            self._clutter(0.4, outside=True)
            lay_count(self)
            self._reach(int(self._streams[_ARMS].choice([0, 1, 2], p=[0.6, 0.2, 0.2])))
        else:
            # Half of them are like photographs of a few cards, only that what lies there is no card.
            posed = rng.random() < 0.5
            self._clutter(0.8 if posed else 2.2, outside=False)
            if posed:
                self._pose_lookalikes()
            self._reach(int(self._streams[_ARMS].choice([0, 1, 2, 3], p=[0.6, 0.14, 0.13, 0.13])))
        return self.piles

    @contextmanager
    def _drawing(self, purpose: int) -> Iterator[Rng]:
        """Decide by another stream for a while."""
        before = self.rng
        self.rng = self._streams[purpose]
        try:
            yield self.rng
        finally:
            self.rng = before

    def _reach(self, count: int) -> None:
        with self._drawing(_ARMS):
            self._arms(min(count, self.spec.arms[1]))

    def scale(self) -> float:
        """Give the px/mm in the middle of the scene."""
        return self.camera.px_per_mm((0.0, 0.0))

    def point(self, spread: float = 0.92) -> tuple[float, float]:
        """Give a random place that the picture shows, in mm."""
        width, height = self.camera.size_px
        at = (0.5 + self.rng.uniform(-0.5, 0.5, 2) * spread) * (width, height)
        x, y = self.camera.table_from_px(at[None])[0]
        return float(x), float(y)

    def _grounds(self, sort: str) -> None:
        """Lay floor, table top and perhaps a cloth or mat."""
        rng, composer = self.rng, self.composer
        scale = self.scale()

        def texture() -> tuple[tuple[npt.NDArray[np.uint8], ...], float]:
            return self.stock.surface(int(rng.integers(1000)), scale * float(rng.uniform(0.8, 1.3)))

        bounded = rng.random() < (0.65 if sort in ("table", "count") else 0.35)
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
            x, y = self.point(1.1)
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
        if sort in ("table", "count"):
            size = rng.uniform(1.1, 2.1, 2) * reach
            x, y = rng.normal(0, 0.04 * reach, 2)
        else:
            size = rng.uniform(0.9, 3.2, 2) * reach
            x, y = rng.uniform(-0.6, 0.6, 2) * size / 2
        if rng.random() < 0.2:
            t = np.linspace(0, 2 * np.pi, 72, endpoint=False)
            return np.stack([np.cos(t) * size[0] / 2 + x, np.sin(t) * size[1] / 2 + y], 1)
        turn = rng.normal(0, 4) if sort in ("table", "count") else rng.uniform(0, 360)
        return _oblong(size[0], size[1], x, y, float(turn))

    def _clutter(self, amount: float, outside: bool) -> None:
        """Strew things: everywhere, or mostly away from the middle."""
        with self._drawing(_CLUTTER) as rng:
            self._strew(rng, amount, outside)

    def _strew(self, rng: Rng, amount: float, outside: bool) -> None:
        low, high = self.spec.clutter
        count = int(round(rng.integers(low, high + 1) * amount))
        scale = self.scale()
        for _ in range(count):
            kind = str(rng.choice(clutter.KINDS))
            x, y = self.point(1.1)
            if outside and np.hypot(x, y) < 0.35 * self.extent_mm and rng.random() < 0.7:
                continue
            there = self.camera.px_per_mm((x, y))
            item = clutter.thing(kind, self._thing_scale(there * 1.3), rng)
            wide = max(item.picture.shape[:2]) / item.px_per_mm * scale
            if wide > 0.8 * max(self.camera.size_px) and rng.random() < 0.85:
                continue
            spread = max(item.picture.shape[:2]) / item.px_per_mm * rng.uniform(0.6, 2.5)
            for copy in range(item.copies):
                dx, dy = rng.normal(0, spread, 2) if copy else (0.0, 0.0)
                self.composer.thing(item, x + float(dx), y + float(dy), float(rng.uniform(0, 360)))

    def _pose_lookalikes(self) -> None:
        """Lay things that could be taken for cards where cards would lie, as large as cards or larger."""
        with self._drawing(_CLUTTER) as rng:
            kind = str(rng.choice(clutter.LIKE_CARDS))
            alike = rng.random() < 0.4
            for _ in range(int(rng.integers(1, max(2, min(9, self.spec.clutter[1] + 1))))):
                if not alike:
                    kind = str(rng.choice(clutter.LIKE_CARDS))
                x, y = self.point(0.85)
                there = self.camera.px_per_mm((x, y))
                size = float(rng.uniform(0.6, 1.5))
                item = clutter.thing(kind, self._thing_scale(there * size * 1.3), rng)
                item = replace(item, px_per_mm=item.px_per_mm / size)
                wide = max(item.picture.shape[:2]) / item.px_per_mm * there
                if wide < 1.2 * max(self.camera.size_px):
                    self.composer.thing(item, x, y, float(rng.uniform(0, 360)))

    def random_face(self) -> CardPicture:
        """Give a face of this scene's deck."""
        if self.ordinary:
            return self.stock.face(self.style, ORDINARY_FACES[self.rng.integers(len(ORDINARY_FACES))], self.detail)
        return self.stock.face(self.style, FACES[self.rng.integers(len(FACES))], self.detail)

    def random_back(self, seat: int = 0) -> CardPicture:
        """Give the back of a seat's deck."""
        if not self._backs:
            if (self.ordinary or self.rng.random() < 0.2) and "backs" not in self.spec.without:
                first = int(self.rng.integers(6))
                self._backs = [self.stock.other_back(first + i, self.detail) for i in range(8)]
            else:
                self._backs = self.stock.backs(self.style, 8, self.rng, self.detail)
        return self._backs[seat % len(self._backs)]

    def lay(self, picture: CardPicture, x: float, y: float, angle: float, level: int, pile: str | None = None) -> None:
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

    def pile(
        self, top: CardPicture, under: list[CardPicture], x: float, y: float, angle: float, mess: float, pile: str
    ) -> None:
        """Lay a pile from the bottom up; `mess` is the scatter in mm."""
        rng = self.rng
        for level, picture in enumerate([*under, top]):
            dx, dy = rng.normal(0, mess, 2)
            turn = rng.normal(0, mess * 1.2)
            self.lay(picture, x + float(dx), y + float(dy), angle + float(turn), level, pile)

    def stack_up(self, picture: CardPicture, count: int, x: float, y: float, angle: float, pile: str) -> None:
        """Lay a neat stack: only a few of its cards are drawn, spread over its height."""
        rng = self.rng
        drawn = min(count, int(rng.integers(2, 5)))
        for i in range(drawn):
            level = round((i + 1) / drawn * count)
            dx, dy, turn = rng.normal(0, 0.7, 3)
            self.lay(picture, x + float(dx), y + float(dy), angle + float(turn), level, pile)

    def sprite_scale(self) -> float:
        """Give the px/mm at which arms are rendered for this scene: few values, so that sprites are shared."""
        return 1.0 if self.scale() < 1.1 else 2.0 if self.detail == DETAIL else 4.0

    def _thing_scale(self, px_per_mm: float) -> float:
        """Give the px/mm at which a thing is drawn that is seen at this scale."""
        return float(np.clip(px_per_mm, 0.3, 5.0 if self.detail == DETAIL else 16.0))

    def _arms(self, count: int) -> None:
        """Reach arms in from the picture's edge: empty, resting, or with a card between thumb and fingers."""
        rng = self.rng
        for _ in range(count):
            index = int(rng.integers(len(self.stock.arms)))
            arm = self.stock.arms[index]
            # Few poses and one light for each arm, so that sprites are shared by the block's scenes.
            pose = POSES[(index + int(rng.integers(2)) * 3) % len(POSES)]
            light = (225.0, 45.0, 315.0)[index % 3]
            sprite = arm.sprite(pose, self.sprite_scale(), light)
            x, y = self.point(0.9)
            near = np.degrees(np.arctan2(y, x)) - 90
            toward = float(near + rng.normal(0, 30))
            height = float(rng.choice([0.0, rng.uniform(5, 90)]))
            if pose == "pinch" and rng.random() < 0.8:
                picture = self.random_face() if rng.random() < 0.7 else self.random_back(index)
                self.composer.arm(sprite, x, y, toward, height, "under")
                ahead = np.array([x, y]) + direction(toward) * rng.uniform(5, 38)
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
