"""Crops for training the reader, as the run-time cuts them from a camera's picture: cards, and what looks like none.

`CropMaker` keeps a slowly changing pool of printed cards, tables and hands; each crop lays a few of them on a small
patch of the picture, lights and photographs it, and cuts the card out with the run-time's own code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from ..game.cards import Color
from ..vision.identifier import CORNERS_PX, cut_crop
from . import crop_camera as camera
from .crop_pool import CropPool, Print
from .crop_world import TABLE_PX

_MILD = 0.42
_SHARES = {"face": 0.58, "back": 0.29, "none": 0.13}
_SCALES = ((0.9, 2.4), (0.5, 0.9), (2.4, 4.0))
"""From, to, in px/mm: a whole table in the picture of a good or a poor camera, cards held close to it.

With a third to a half of the smallest, numerals below 0.75 px/mm were read better, those from 0.9 on a little worse.
"""
_MILD_SCALES = (1.2, 2.6)
_SCALE_SHARES = (0.73, 0.15, 0.12)
_MOST_HIDDEN = {"face": 0.55, "back": 0.5}
"""Share of a card; the object of a back lies in the middle, so that half a card may hide all of it."""
_AGAIN = 0.5
"""Backs are shown twice this often, so that the network learns to know a design again."""


@dataclass(frozen=True, eq=False)
class Crop:
    """One training example.

    Parameters
    ----------
    image
        (144, 96, 3) uint8 BGR.
    kind
        face, back or none.
    color, number
        Of a Dutch Blitz face; the number is `unreadable` when no numeral of the card can be seen, and None when that
        isn't known. An ordinary face has no colour and an unreadable number.
    symbol, back_color
        Of a back: `other` for a design of no known deck.
    corners_px
        (4, 2) float32: where the card's own corners lie in the crop; None where there is no card.
    design
        Of a back: the number of its print, another one for every design and colour.
    """

    image: NDArray[np.uint8]
    kind: Literal["face", "back", "none"]
    color: Color | None = None
    number: int | Literal["unreadable"] | None = None
    symbol: str | None = None
    back_color: str | None = None
    corners_px: NDArray[np.float32] | None = None
    design: int | None = None


def misjudge(corners_mm: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Move a card's corners (4, 2) about its middle as the detector does.

    Its boxes are off by 2 mm and 3.5 degrees (standard deviations on films), and far more in a messy pile; a corrected
    one is nearly right.
    """
    level = rng.choice([0.4, 1.2, 2.5, 4.0], p=[0.3, 0.35, 0.25, 0.1])
    turn = np.radians(rng.normal(0, 1.5 * level))
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    moved = corners_mm * (1 + rng.normal(0.003 * level, 0.014 * level, 2)) @ spin.T
    return np.asarray(moved + rng.normal(0, level, 2) + rng.normal(0, 0.3 * level, (4, 2)))


class CropMaker:
    """Makes an endless row of crops; the same seed gives the same row.

    Parameters
    ----------
    seed
        Of everything.
    heldout
        Use the families, typefaces and drawings that training never sees.
    pool
        Cards kept; one is replaced every `every` crops once the pool is full.
    """

    def __init__(self, seed: int, heldout: bool = False, pool: int = 480, every: int = 12) -> None:
        self.rng = np.random.default_rng([seed, int(heldout), 4])
        self.pool = CropPool(self.rng, heldout, pool, every)
        self._mild = False
        self._again: Print | None = None

    def make(self) -> Crop:
        """Make the next crop."""
        self.pool.refresh()
        # Hard pictures alone teach slowly, and most pictures of a table are good ones.
        self._mild = bool(self.rng.random() < _MILD)
        again, self._again = self._again, None
        if again is not None:
            return self._crop_of(lambda: again)
        kind = str(self.rng.choice(list(_SHARES), p=list(_SHARES.values())))
        if kind == "none":
            return Crop(self._none(), "none")
        if kind == "face":
            return self._crop_of(lambda: self.pool.pick(self.pool.faces))
        card = self.pool.pick(self.pool.backs)
        if self.rng.random() < _AGAIN:
            self._again = card.twin if card.twin is not None and self.rng.random() < 0.5 else card
        return self._crop_of(lambda: card)

    def _crop_of(self, pick: Callable[[], Print]) -> Crop:
        while True:
            crop = self._card(pick())
            if crop is not None:
                return crop

    def _shadow(self, high: float = 1.0) -> tuple[float, float, float, float] | None:
        if self.rng.random() < 0.3:
            return None
        dx, dy = self.rng.normal(0, 0.8 * high, 2)
        return (dx, dy, self.rng.uniform(0.3, 1.4) * high, self.rng.uniform(0.1, 0.6))

    def _patch(self, size_mm: tuple[float, float], margin: float) -> camera.Patch:
        """Look at an empty piece of the table large enough for a card of this size and `margin` of it around."""
        rng = self.rng
        scales = _MILD_SCALES if self._mild else _SCALES[int(rng.choice(3, p=_SCALE_SHARES))]
        scale = float(np.exp(rng.uniform(*np.log(scales))))
        tilt = min(40.0, abs(rng.normal(0, 12 if self._mild else 20)))
        # Mostly along the rows of pixels, because a turned card needs a patch of three times the size.
        turn = rng.choice([0.0, 90.0]) + rng.normal(0, 3) if rng.random() < 0.8 else rng.uniform(0, 360)
        matrix = camera.look_down(rng, scale, tilt, turn)
        half = np.array(size_mm) / 2 * (1 + margin)
        corners = camera.project(matrix, np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half)
        low, high = corners.min(axis=0) - 2, corners.max(axis=0) + 2
        offset = -low + rng.uniform(0, 1, 2)
        width, height = (int(v) + 1 for v in high - low + 1)
        table = self.pool.pick(self.pool.tables)
        zoom = scale / 2 * rng.uniform(0.6, 1.7)
        spin = camera.motion(width / 2, height / 2, rng.uniform(0, 360))
        spin[:2, :2] *= zoom
        spin = spin @ camera.shift(*-rng.uniform(0, TABLE_PX, 2))
        ground = cv2.warpAffine(table, spin[:2], (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        return camera.Patch(ground, camera.shift(*offset) @ matrix, scale)

    def _lay_neighbours(self, patch: camera.Patch, card: Print) -> None:
        """Lay cards below and beside the target: pile mates, a fan, a row of posts, things."""
        rng = self.rng
        w, h = card.size_mm
        chance = rng.random()
        if chance < 0.36:
            spread = rng.uniform(2, 7)
            for _ in range(int(rng.integers(1, 6))):
                at = camera.motion(*rng.normal(0, spread, 2), rng.normal(0, 1.5 * spread))
                patch.lay(self.pool.any_card().sprite, at, self._shadow())
        elif chance < 0.47:
            step = rng.normal(0, 0.35, 2)
            for i in range(int(rng.integers(3, 9)), 0, -1):
                patch.lay(card.sprite, camera.motion(*(step * i), rng.normal(0, 0.5)))
        elif chance < 0.6:
            step = rng.choice([-1, 1]) * rng.uniform(15, 35)
            for i in (2, 1):
                patch.lay(
                    self.pool.any_card().sprite,
                    camera.motion(rng.normal(0, 2), step * i, rng.normal(0, 2)),
                    self._shadow(),
                )
        if rng.random() < 0.35:
            for _ in range(int(rng.integers(1, 4))):
                beside = np.array([rng.choice([-1, 1]) * w * rng.uniform(1.0, 1.25), rng.normal(0, 20)])
                if rng.random() < 0.4:
                    beside = np.array([rng.normal(0, 15), rng.choice([-1, 1]) * h * rng.uniform(1.0, 1.2)])
                patch.lay(
                    self.pool.any_card().sprite,
                    camera.motion(*beside, rng.normal(0, 8) + rng.choice([0, 180])),
                    self._shadow(),
                )
        elif rng.random() < 0.1:
            away = rng.choice([-1, 1]) * np.array([w, 0]) * rng.uniform(1.2, 1.6)
            patch.lay(self.pool.pick(self.pool.things), camera.motion(*away, rng.uniform(0, 360)), self._shadow(2))

    def _lay_over(self, patch: camera.Patch, card: Print) -> None:
        """Hide a part of the target: a card of the fan, a crossing card, fingers that hold it, an arm."""
        rng = self.rng
        w, h = card.size_mm
        chance = rng.random()
        if chance < 0.12:
            away = rng.choice([-1, 1]) * rng.uniform(0.42, 0.95) * h
            at = camera.motion(rng.normal(0, 2), away, rng.normal(0, 3) + rng.choice([0, 180]))
            patch.lay(self.pool.any_card().sprite, at, self._shadow(), over=True)
        elif chance < 0.2:
            direction = rng.uniform(0, 2 * np.pi)
            away = np.array([np.cos(direction) * w, np.sin(direction) * h]) * rng.uniform(0.6, 0.95)
            patch.lay(self.pool.any_card().sprite, camera.motion(*away, rng.uniform(0, 360)), self._shadow(), over=True)
        elif chance < 0.38:
            for _ in range(1 if rng.random() < 0.7 else 2):
                # Tips lie near the sprite's middle and point up in it: turn them toward the card.
                direction = rng.uniform(0, 2 * np.pi)
                edge = np.array([np.cos(direction) * w, np.sin(direction) * h]) * rng.uniform(0.32, 0.62)
                turn = np.degrees(direction) - 90 + rng.normal(0, 25)
                patch.lay(self.pool.pick(self.pool.hands), camera.motion(*edge, turn), self._shadow(2.5), over=True)

    def _quad(self, patch: camera.Patch, corners_mm: NDArray[np.float64]) -> tuple[NDArray[np.float32], ...]:
        """Measure the corners as the run-time does: not quite right, and either short edge first.

        Gives the measured and the true corners, px of the picture.
        """
        moved = misjudge(corners_mm, self.rng)
        true = corners_mm
        if self.rng.random() < 0.5:
            moved, true = np.roll(moved, 2, axis=0), np.roll(true, 2, axis=0)
        matrix = patch.px_from_mm
        return camera.project(matrix, moved).astype(np.float32), camera.project(matrix, true).astype(np.float32)

    def _photograph(
        self, patch: camera.Patch, corners_mm: NDArray[np.float64]
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.float32]]:
        """Give the crop, the patch as the camera wrote it, and the card's own corners in the crop."""
        image = camera.light_up(patch, self.rng, self._mild)
        image = camera.focus(image, patch, self.rng, self._mild)
        picture = self._cut_off(camera.develop(image, self.rng, self._mild), patch)
        quad, true = self._quad(patch, corners_mm)
        corners = cv2.perspectiveTransform(true[None], cv2.getPerspectiveTransform(quad, CORNERS_PX))[0]
        return np.ascontiguousarray(cut_crop(picture, quad)), picture, corners

    def _cut_off(self, picture: NDArray[np.uint8], patch: camera.Patch) -> NDArray[np.uint8]:
        """Let the picture end within the card now and then: right or below, which is any side of a turned card."""
        if self.rng.random() > 0.04:
            return picture
        axis, share = int(self.rng.integers(2)), self.rng.uniform(0.7, 0.97)
        if patch.covered is None:
            patch.covered = np.zeros(picture.shape[:2], np.uint8)
        end = int(picture.shape[axis] * share)
        beyond = (slice(end, None), slice(None)) if axis == 0 else (slice(None), slice(end, None))
        patch.covered[beyond] = 255
        return np.ascontiguousarray(picture[:end] if axis == 0 else picture[:, :end])

    def _card(self, card: Print) -> Crop | None:
        patch = self._patch(card.size_mm, 0.22)
        self._lay_neighbours(patch, card)
        patch.lay(card.sprite, np.eye(3), self._shadow())
        self._lay_over(patch, card)
        most = _MOST_HIDDEN["back" if card.face is None else "face"]
        if patch.covered is not None and _hidden(patch, card.corners_mm) > most:
            return None
        image, picture, at = self._photograph(patch, card.corners_mm)
        if card.face is None:
            symbol, color = ("other", "other") if card.back is None else (card.back.symbol, str(card.back.color))
            return Crop(image, "back", symbol=symbol, back_color=color, corners_px=at, design=card.number)
        if card.boxes_mm is None:
            return Crop(image, "face", number="unreadable", corners_px=at)
        assert isinstance(card.face.color, Color)
        seen = any(_legible(patch, picture, box) for box in card.boxes_mm)
        return Crop(image, "face", card.face.color, card.face.number if seen else "unreadable", corners_px=at)

    def _none(self) -> NDArray[np.uint8]:
        """Photograph something that is no card, or a card with a quad that isn't its own."""
        rng = self.rng
        card = self.pool.any_card()
        w, h = card.size_mm
        corners = card.corners_mm
        patch = self._patch(card.size_mm, 0.22)
        kind = str(
            rng.choice(
                ["table", "hand", "thing", "half", "pair", "across", "near", "far", "buried", "turned"],
                p=[0.14, 0.18, 0.18, 0.13, 0.06, 0.06, 0.06, 0.06, 0.05, 0.08],
            )
        )
        if kind == "table" and rng.random() < 0.5:
            beside = rng.choice([-1, 1]) * rng.uniform(0.85, 1.1) * w
            patch.lay(card.sprite, camera.motion(beside, rng.normal(0, 20), rng.normal(0, 20)), self._shadow())
        elif kind == "hand":
            for _ in range(int(rng.integers(1, 4))):
                patch.lay(
                    self.pool.pick(self.pool.hands),
                    camera.motion(*rng.normal(0, 18, 2), rng.uniform(0, 360)),
                    self._shadow(2.5),
                )
        elif kind == "thing":
            for _ in range(int(rng.integers(1, 3))):
                at = camera.motion(*rng.normal(0, 25, 2), rng.choice([0, 90, rng.uniform(0, 360)]))
                patch.lay(self.pool.pick(self.pool.things), at, self._shadow(2))
        elif kind == "half":
            away = rng.choice([-1, 1]) * np.array([w, 0] if rng.random() < 0.5 else [0, h]) * rng.uniform(0.5, 0.8)
            self._lay_neighbours(patch, card)
            patch.lay(card.sprite, camera.motion(*away, rng.normal(0, 10) + rng.choice([0, 180])), self._shadow())
        elif kind == "pair":
            # Side by side only: one above the other looks like a card half hidden by the next.
            away = np.array([w / 2 + 1, 0]) * rng.uniform(0.95, 1.1)
            patch.lay(card.sprite, camera.motion(*away, rng.normal(0, 3)), self._shadow())
            patch.lay(self.pool.any_card().sprite, camera.motion(*-away, rng.normal(0, 3)), self._shadow())
        elif kind == "across":
            patch.lay(card.sprite, camera.motion(*rng.normal(0, 8, 2), 90 + rng.normal(0, 18)), self._shadow())
        elif kind == "turned":
            # The box of a slanting card may be longer across the card than along it.
            patch.lay(card.sprite, np.eye(3), self._shadow())
            corners = np.roll(corners, 1, axis=0)
        elif kind == "near":
            patch.lay(card.sprite, camera.motion(0, 0, rng.choice([0, 180])), self._shadow())
            share = rng.uniform(0.3, 0.5)
            corners = corners * share + rng.uniform(-0.5, 0.5, 2) * (1 - share) * np.array([w, h])
        elif kind == "far":
            small = np.diag([0.42, 0.42, 1.0]) * [rng.uniform(0.8, 1.2), 1, 1]
            for _ in range(int(rng.integers(1, 4))):
                at = camera.motion(*rng.normal(0, 14, 2), rng.uniform(0, 360)) @ small
                patch.lay(self.pool.any_card().sprite, at, self._shadow())
        elif kind == "buried":
            patch.lay(card.sprite, np.eye(3), self._shadow())
            for _ in range(3):
                patch.lay(
                    self.pool.pick(self.pool.hands),
                    camera.motion(*rng.normal(0, 14, 2), rng.uniform(0, 360)),
                    self._shadow(2.5),
                    over=True,
                )
            if patch.covered is None or _hidden(patch, corners) < 0.8:
                patch.lay(
                    self.pool.pick(self.pool.things),
                    camera.motion(*rng.normal(0, 4, 2), rng.uniform(0, 360)),
                    self._shadow(2),
                )
                patch.lay(
                    self.pool.pick(self.pool.hands),
                    camera.motion(*rng.normal(0, 6, 2), rng.uniform(0, 360)),
                    self._shadow(2.5),
                )
        return self._photograph(patch, corners)[0]


def make_crop(seed: int, heldout: bool = False) -> Crop:
    """Make one crop from its own seed; for many, a `CropMaker` is some hundred times faster."""
    maker = CropMaker(seed, heldout=heldout)
    return maker.make()


def _window(patch: camera.Patch, points_mm: NDArray[np.float64]) -> tuple[slice, slice]:
    corners = camera.project(patch.px_from_mm, points_mm)
    low = np.maximum(np.floor(corners.min(axis=0)), 0).astype(int)
    high = np.ceil(corners.max(axis=0)).astype(int) + 1
    return slice(low[1], high[1]), slice(low[0], high[0])


def _hidden(patch: camera.Patch, corners_mm: NDArray[np.float64]) -> float:
    """Measure the share of the card that lies under something."""
    assert patch.covered is not None
    mask = np.zeros(patch.covered.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(camera.project(patch.px_from_mm, corners_mm)).astype(np.int32), 1)
    return float(cv2.mean(patch.covered, mask)[0]) / 255


def _legible(patch: camera.Patch, picture: NDArray[np.uint8], box_mm: NDArray[np.float64]) -> bool:
    """Judge whether anybody could read the numeral: seen at least in part, large, sharp and lit enough.

    The bounds lie on the generous side, where people fail: between them and comfort the network learns how sure to be.
    """
    x, y, w, h = box_mm
    corners = np.array([(x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2)])
    rows, columns = _window(patch, corners)
    if (
        patch.covered is not None
        and patch.covered[rows, columns].size
        and patch.covered[rows, columns].mean() > 0.6 * 255
    ):
        return False
    across = camera.project(patch.px_from_mm, np.array([[x, y - h / 2], [x, y + h / 2]]))
    tall_px = float(np.hypot(*(across[1] - across[0])))
    if tall_px < 4.5 or patch.blur_px > 0.2 * tall_px:
        return False
    part = picture[rows, columns]
    return part.size > 0 and part.mean() > 6 and np.ptp(part.mean(axis=2)) > 14
