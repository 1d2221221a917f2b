"""Ready-made pictures of one film: the empty table, every card, every arm; drawn once, at the film's scale.

All are as bright as under even light; the renderer lays the light over them.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from ..game.cards import BACKS, Face
from ..vision.frames import Image
from . import clutter
from .art import draw_back, draw_face
from .look import Look
from .people import Arm, ArmSprite
from .seating import Camera, Seating
from .surfaces import surface

_BACKS = {back.deck: back for back in BACKS}
_THINGS = ("vessel", "phone", "chip", "pen", "sheet", "scrap", "box", "coin", "die")


class Sprites:
    """The pictures from which a film is put together.

    Parameters
    ----------
    seating
        The stage.
    look
        Its appearance.
    """

    def __init__(self, seating: Seating, look: Look):
        self.seating = seating
        self.look = look
        camera = seating.camera
        self.px_per_mm = camera.size_px[0] / seating.area_mm[0]
        self._rng = np.random.default_rng(look.seed)
        self.table = self.tone(self._draw_table(camera))
        self.gain = self._draw_gain(camera)
        seeds = self._rng.integers(2**63, size=len(seating.places))
        self._arms = {}
        for seat, seed in enumerate(seeds, 1):
            for left in (False, True):
                arm = Arm(np.random.default_rng(seed))
                arm.left = left
                self._arms[seat, left] = arm

    def tone(self, image: Image) -> Image:
        """Apply the camera's contrast and saturation; alpha stays."""
        value = image[..., :3].astype(np.float32)
        grey = value @ np.array([0.114, 0.587, 0.299], np.float32)
        value = grey[..., None] + (value - grey[..., None]) * np.float32(self.look.saturation)
        value = (value - 118) * np.float32(self.look.contrast) + 118
        result = image.copy()
        result[..., :3] = np.clip(value, 4, 250)
        return result

    def _draw_table(self, camera: Camera) -> Image:
        width_mm, height_mm = self.seating.area_mm
        scale = min(self.px_per_mm, 3.2)
        margin = 160.0
        flat_size = (round((width_mm + 2 * margin) * scale), round((height_mm + 2 * margin) * scale))
        flat = surface(self.look.surface, flat_size, scale, self._rng)
        for _ in range(self.look.clutter):
            self._strew(flat, scale, margin)
        # Where on the flat table does each picture px look? Through the lens backwards, then down the homography.
        width, height = camera.size_px
        step = 9
        xs, ys = np.meshgrid(np.arange(0, width + step, step), np.arange(0, height + step, step))
        seen = np.column_stack([xs.ravel(), ys.ravel()]).astype(np.float32)
        straight = cv2.undistortPoints(
            seen.reshape(-1, 1, 2), camera.matrix, np.array(camera.lens), P=camera.matrix
        ).reshape(-1, 2)
        back = np.linalg.inv(camera.px_from_mm())
        at = np.column_stack([straight, np.ones(len(straight))]) @ back.T
        at = at[:, :2] / at[:, 2:]
        flat_px = (at + (width_mm / 2 + margin, height_mm / 2 + margin)) * scale - 0.5
        grid = flat_px.reshape(*xs.shape, 2).astype(np.float32)
        full = cv2.resize(grid, (xs.shape[1] * step, xs.shape[0] * step), interpolation=cv2.INTER_LINEAR)
        # Resizing puts sample centres at (i + 0.5) * step: an odd step needs a whole shift only.
        half = step // 2
        full = full[half : half + height, half : half + width]
        return cv2.remap(flat, full, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)

    def _strew(self, flat: Image, scale: float, margin: float) -> None:
        """Lay a thing into a corner of the table, if no pile is there."""
        rng = self._rng
        width_mm, height_mm = self.seating.area_mm
        thing = clutter.thing(str(rng.choice(_THINGS)), scale, rng)
        corner = rng.choice([-1, 1], 2)
        at = (
            corner * (np.array([width_mm, height_mm]) / 2 - rng.uniform(15, 75, 2))
            + np.array([width_mm, height_mm]) / 2
        )
        angle = float(rng.uniform(0, 360))
        k = scale / thing.px_per_mm
        height, width = thing.picture.shape[:2]
        reach_mm = np.hypot(height, width) / 2 / thing.px_per_mm
        middle = at - np.array([width_mm, height_mm]) / 2
        piles = self.seating.layout().poses().values()
        if any(np.hypot(*(middle - pose[:2])) < min(reach_mm, 90) + 60 for pose in piles):
            return
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, k)
        matrix[:, 2] += (at + margin) * scale - (width / 2, height / 2)
        warped = cv2.warpAffine(thing.picture, matrix, flat.shape[1::-1], flags=cv2.INTER_AREA)
        shift = np.array(self.look.light.shadow_mm(min(thing.height_mm, 40) * 0.5 + 1.5)) * scale
        soft = max(1.0, self.look.light.softness * min(thing.height_mm, 40) * 0.5 * scale)
        moved = cv2.warpAffine(warped[..., 3], np.array([[1, 0, shift[0]], [0, 1, shift[1]]]), flat.shape[1::-1])
        shade = cv2.GaussianBlur(moved, (0, 0), soft).astype(np.float32) / 255
        alpha = warped[..., 3:].astype(np.float32) / 255
        lit = flat * (1 - self.look.light.depth * shade)[..., None]
        flat[:] = lit * (1 - alpha) + warped[..., :3] * alpha

    def _draw_gain(self, camera: Camera) -> Image:
        """Give the light of each px as bytes: 128 leaves a picture as it is."""
        width, height = camera.size_px
        small = (max(32, width // 4), max(32, height // 4))
        field = self.look.light.field(small, self._rng)
        y, x = np.ogrid[: small[1], : small[0]]
        r2 = ((x / small[0] - 0.5) ** 2 + (y / small[1] - 0.5) ** 2) * 2
        field = field * (1 - self.look.vignette * r2).astype(np.float32)[..., None]
        field *= self.look.exposure / float(np.median(field))
        shown = np.clip(np.clip(field, 0.12, 2.2) ** (1 / 2.2), 0.3, 1.5) * 128
        return cv2.resize(shown.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR).astype(np.uint8)

    @lru_cache(maxsize=400)  # noqa: B019 - lives as long as the film
    def card(self, shown: Face | str) -> Image:
        """Give a card's BGRA picture: a face, or the back of the deck of that name."""
        style = self.look.style
        drawn = draw_face(shown, style, 4.0) if isinstance(shown, Face) else draw_back(_BACKS[shown], style, 4.0)
        scale = min(1.0, self.px_per_mm * 1.25 / 4.0)
        if scale < 1:
            drawn = cv2.resize(drawn, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return self.tone(drawn)

    @lru_cache(maxsize=400)  # noqa: B019 - lives as long as the film
    def card_premultiplied(self, shown: Face | str) -> Image:
        """Give `card` with its colours multiplied by its alpha."""
        return premultiply(self.card(shown))

    @lru_cache(maxsize=64)  # noqa: B019 - lives as long as the film
    def arm(self, seat: int, left: bool, pose: str, light_deg: int) -> tuple[ArmSprite, ArmSprite]:
        """Give what of an arm lies under and over a held card: each a sprite whose `under` is premultiplied."""
        scale = float(np.clip(self.px_per_mm * 1.15, 0.7, 3.0))
        sprite = self._arms[seat, left].sprite(pose, scale, float(light_deg))
        under = _lengthen(self.tone(sprite.under), round(420 * scale), round(60 * scale))
        return _trimmed(sprite, under), _trimmed(sprite, self.tone(sprite.over))


def _lengthen(arm: Image, more_px: int, sample_px: int) -> Image:
    """Give an arm's picture with so many rows more: its own last rows mirrored, on along the forearm's line."""
    height, width = arm.shape[:2]
    columns = np.arange(width)
    middles = [float((arm[row, :, 3] * columns).sum() / max(1, int(arm[row, :, 3].sum()))) for row in (-1, -sample_px)]
    slope = (middles[0] - middles[1]) / (sample_px - 1)
    # Row r of the new part shows row height - 1 - r, moved on by twice the slope.
    mirror = np.array([[1, -2 * slope, -slope], [0, -1, height - 1]], np.float64)
    more = cv2.warpAffine(arm, mirror, (width, more_px), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return np.vstack([arm, more])


def _trimmed(sprite: ArmSprite, picture: Image) -> ArmSprite:
    """Cut off what is empty, so that no time is spent on it, and multiply colours by alpha."""
    columns, rows = np.flatnonzero(picture[..., 3].any(axis=0)), np.flatnonzero(picture[..., 3].any(axis=1))
    if not len(columns):
        return ArmSprite(picture[:1, :1], picture[:1, :1], sprite.px_per_mm, sprite.tip_px)
    left, top = int(columns[0]), int(rows[0])
    part = premultiply(picture[top : rows[-1] + 1, left : columns[-1] + 1])
    return ArmSprite(part, part[:1, :1], sprite.px_per_mm, (sprite.tip_px[0] - left, sprite.tip_px[1] - top))


def premultiply(image: Image) -> Image:
    """Multiply a BGRA picture's colours by its alpha."""
    alpha = image[..., 3:].astype(np.uint16)
    result = image.copy()
    result[..., :3] = (image[..., :3] * alpha + 127) // 255
    return result


def noise_tiles(sd: float, size_px: tuple[int, int], rng: np.random.Generator) -> tuple[Image, Image]:
    """Give what a sensor's noise adds and takes: two pictures somewhat larger than a frame, to be cut at random."""
    height, width = size_px[1] + 64, size_px[0] + 64
    luma = rng.normal(0, sd * 0.8, (height, width, 1)).astype(np.float32)
    coarse = rng.normal(0, sd * 0.7, (height // 2, width // 2, 3)).astype(np.float32)
    value: npt.NDArray[np.float32] = luma + cv2.resize(coarse, (width, height))
    plus, minus = np.clip(value, 0, 255), np.clip(-value, 0, 255)
    return np.rint(plus).astype(np.uint8), np.rint(minus).astype(np.uint8)
