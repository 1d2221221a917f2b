"""Puts things on a table one above the other and keeps, for every pixel, which card is seen there.

Everything is drawn undistorted, with a margin; `finish` bends the picture and the map of cards alike.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from ..vision.frames import Image
from .camera import Camera
from .clutter import Thing
from .light import Light
from .people import ArmSprite
from .shapes import Placed, card_points, corners_mm, outline_mm
from .stock import CardPicture

Rng = np.random.Generator
Floats = npt.NDArray[np.float64]

COVER = -1
"""In the map of cards: something that is no card lies here."""


class Composer:
    """One picture in the making.

    Parameters
    ----------
    camera, light
        How it is seen and lit.
    rng
        For small differences between things.
    """

    def __init__(self, camera: Camera, light: Light, rng: Rng) -> None:
        self.camera, self.light, self.rng = camera, light, rng
        width, height = camera.size_px
        self.margin = 0 if camera.lens == (0.0, 0.0) else round(0.07 * max(width, height))
        size = (height + 2 * self.margin, width + 2 * self.margin)
        self.image: Image = np.zeros((*size, 3), np.uint8)
        self.ids: npt.NDArray[np.int16] = np.zeros(size, np.int16)
        self.covered: set[int] = set()
        self.cards: list[tuple[CardPicture, Placed]] = []

    def _points(self, points_mm: npt.ArrayLike, height_mm: float | Floats) -> Floats:
        return self.camera.straight(points_mm, height_mm) + self.margin

    def _plane(self, height_mm: float) -> Floats:
        shift = np.array([[1, 0, self.margin], [0, 1, self.margin], [0, 0, 1.0]])
        return shift @ self.camera.plane(height_mm)

    def _box(self, points_px: Floats, pad: float = 1.0) -> tuple[int, int, int, int] | None:
        height, width = self.ids.shape
        if not np.isfinite(points_px).all():
            return None
        low, high = np.floor(points_px.min(0) - pad), np.ceil(points_px.max(0) + pad) + 1
        x0, y0 = int(max(low[0], 0)), int(max(low[1], 0))
        x1, y1 = int(min(high[0], width)), int(min(high[1], height))
        return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None

    def ground(
        self,
        texture: tuple[tuple[Image, ...], float],
        angle_deg: float,
        height_mm: float = 0.0,
        mask: Image | None = None,
    ) -> None:
        """Cover the picture (or the part of it in `mask`, (H, W) uint8) with an endless surface."""
        levels, scale = texture
        height, width = self.ids.shape
        plane = self._plane(height_mm)
        middle = plane[2] @ np.array([0, 0, 1.0])
        shown = np.sqrt(abs(np.linalg.det(plane[:2, :2] / middle))) if abs(middle) > 1e-9 else scale
        level = int(np.clip(np.floor(np.log2(max(scale / max(shown, 1e-6), 1.0)) + 0.3), 0, len(levels) - 1))
        tile = levels[level]
        k = scale / 2**level
        c, s = np.cos(np.radians(angle_deg)) * k, np.sin(np.radians(angle_deg)) * k
        texture_from_mm = np.array([[c, -s, tile.shape[1] / 2], [s, c, tile.shape[0] / 2], [0, 0, 1.0]])
        matrix = texture_from_mm @ np.linalg.inv(plane)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        laid = cv2.warpPerspective(tile, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REFLECT)
        if mask is None:
            self.image[:] = laid
        else:
            cv2.copyTo(laid, (mask == 255).astype(np.uint8), self.image)
            edge = (mask > 0) & (mask < 255)
            share = mask[edge][:, None] / 255.0
            self.image[edge] = (self.image[edge] * (1 - share) + laid[edge] * share + 0.5).astype(np.uint8)

    def outline_mask(self, points_mm: Floats, height_mm: float) -> Image:
        """Give the mask of a polygon on a plane: (H, W) uint8."""
        mask = np.zeros(self.ids.shape, np.uint8)
        points = np.clip(self._points(points_mm, height_mm), -1e5, 1e5)
        cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        return mask

    def darken(self, points_px: Floats, blur_px: float, depth: float) -> None:
        """Lay a soft shadow of this polygon (undistorted px, with the margin) on what is drawn so far."""
        box = self._box(points_px, 2.5 * blur_px + 2)
        if box is None or depth <= 0.01:
            return
        x0, y0, x1, y1 = box
        # A soft edge needs no fine grid.
        step = max(1, int(blur_px / 3))
        mask = np.zeros(((y1 - y0) // step + 1, (x1 - x0) // step + 1), np.float32)
        points = np.clip((points_px - (x0, y0)) / step * 16, -1e6, 1e6)
        cv2.fillPoly(mask, [np.round(points).astype(np.int32)], depth, cv2.LINE_8, 4)
        sigma = blur_px / step
        if sigma > 0.3:
            mask = cv2.GaussianBlur(mask, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)
        if step > 1:
            mask = cv2.resize(mask, (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)
        spot = self.image[y0:y1, x0:x1]
        keep = 1 - mask[: y1 - y0, : x1 - x0, None]
        np.copyto(spot, (spot * keep).astype(np.uint8))

    def _shadow(self, points_mm: Floats, height_mm: float, floor_mm: float, depth: float | None = None) -> None:
        if self.light.depth <= 0:
            return
        rise = max(height_mm - floor_mm, 0.25)
        shift = np.array(self.light.shadow_mm(rise))
        scale = self.camera.px_per_mm(points_mm.mean(0), floor_mm)
        blur = (self.light.softness * rise + 0.25) * scale
        self.darken(self._points(points_mm + shift, floor_mm), blur, self.light.depth if depth is None else depth)

    def _blend(self, patch: Image, x0: int, y0: int, ident: int) -> None:
        """Put a premultiplied BGRA patch on top."""
        height, width = patch.shape[:2]
        spot = self.image[y0 : y0 + height, x0 : x0 + width]
        blue, green, red, alpha = cv2.split(patch)
        rest = cv2.bitwise_not(alpha)
        kept = cv2.multiply(np.ascontiguousarray(spot), cv2.merge((rest, rest, rest)), scale=1 / 255.0)
        np.copyto(spot, cv2.add(kept, cv2.merge((blue, green, red))))
        solid = alpha > 127
        region = self.ids[y0 : y0 + height, x0 : x0 + width]
        if ident > 0:
            below = np.bincount(np.maximum(region[solid], 0), minlength=1)
            self.covered.update(int(i) for i in np.flatnonzero(below) if i)
        region[solid] = ident

    def card(self, picture: CardPicture, at: Placed, floor_mm: float | None = None) -> int:
        """Lay a card on top of everything so far.

        Parameters
        ----------
        picture
            The side that shows.
        at
            Where.
        floor_mm
            Height of what its shadow falls on; None is just below it.

        Returns
        -------
        Its number in `ids`.
        """
        self.cards.append((picture, at))
        ident = len(self.cards)
        flat = corners_mm(picture.size_mm, at.x_mm, at.y_mm, at.angle_deg)
        heights = at.height_mm + np.asarray(at.lift_mm)
        floor = at.height_mm - 0.3 if floor_mm is None else floor_mm
        self._shadow(flat, float(heights.mean()) + abs(at.bend_mm) * 0.4, floor)
        long_px = max(picture.size_mm) * self.camera.px_per_mm((at.x_mm, at.y_mm))
        # Strips of more than some 40 px show as steps of light.
        strips = 1 if abs(at.bend_mm) < 0.5 else 7 if long_px < 560 else int(min(long_px / 40, 48))
        edges = np.linspace(0, 1, strips + 1)
        sides = np.concatenate([card_points(flat, heights, at.bend_mm, side, edges) for side in (0.0, 1.0)])
        points = self._points(sides[:, :2], sides[:, 2])
        outer = points.reshape(2, strips + 1, 2)
        box = self._box(points)
        if box is None:
            return ident
        x0, y0, x1, y1 = box
        origin = np.array([x0, y0])
        pixels = np.linalg.norm(outer[0, 0] - outer[1, 0]) + np.linalg.norm(outer[0, -1] - outer[1, -1])
        ratio = picture.levels[0].shape[1] / max(float(pixels) / 2, 1.0)
        level = picture.levels[int(np.clip(np.floor(np.log2(max(ratio, 1.0)) + 0.35), 0, len(picture.levels) - 1))]
        h, w = level.shape[:2]
        patch = np.zeros((y1 - y0, x1 - x0, 4), np.uint8)
        tone = float(self.rng.uniform(0.95, 1.03))
        for i in range(strips):
            v0, v1 = edges[i] * h - 0.5, edges[i + 1] * h - 0.5
            source = np.array([[-0.5, v0], [w - 0.5, v0], [w - 0.5, v1], [-0.5, v1]], np.float32)
            goal = np.array([outer[0, i], outer[1, i], outer[1, i + 1], outer[0, i + 1]]) - origin
            matrix = cv2.getPerspectiveTransform(source, goal.astype(np.float32))
            warped = cv2.warpPerspective(level, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
            slope = at.bend_mm * (1 - edges[i] - edges[i + 1]) / 12.0
            facing = np.cos(np.radians(self.light.toward_deg - at.angle_deg - 90))
            shade = tone * (1 + np.clip(slope * facing * 0.5, -0.25, 0.25))
            if shade < 1 or strips > 1:
                warped[..., :3] = np.minimum(warped[..., :3] * shade, warped[..., 3:]).astype(np.uint8)
            if strips == 1:
                patch = warped
                break
            # The whole card is warped by each strip's own homography; only the strip of it is kept.
            low = -4.0 if i == 0 else 0.0
            high = 5.0 if i == strips - 1 else 1.0
            local = np.array([[[-0.5 - w, v0 + low * (v1 - v0)]], [[2 * w, v0 + low * (v1 - v0)]],
                              [[2 * w, v0 + high * (v1 - v0)]], [[-0.5 - w, v0 + high * (v1 - v0)]]])  # fmt: skip
            band = cv2.perspectiveTransform(local, matrix)[:, 0]
            mask = np.zeros(patch.shape[:2], np.uint8)
            cv2.fillConvexPoly(mask, np.round(np.clip(band, -9e4, 9e4) * 16).astype(np.int32), 255, cv2.LINE_8, 4)
            cv2.copyTo(warped, mask, patch)
        self._gloss(patch, x0, y0, at)
        self._blend(patch, x0, y0, ident)
        return ident

    def _gloss(self, patch: Image, x0: int, y0: int, at: Placed) -> None:
        """Mirror the lamp in a semi-gloss card: where lamp and camera agree, a little elsewhere for each card."""
        light = self.light
        if light.glint_mm is None:
            return
        lean = self.rng.normal(0, 0.35 * light.glint_size_mm, 2)
        center = np.asarray(light.glint_mm) + lean
        spread = light.glint_size_mm * self.camera.px_per_mm((at.x_mm, at.y_mm))
        place = self._points(center[None], 0.0)[0] - (x0, y0)
        nearest = np.clip(place, 0, (patch.shape[1], patch.shape[0]))
        if np.hypot(*(nearest - place)) > 2.5 * spread:
            return
        y, x = np.ogrid[: patch.shape[0], : patch.shape[1]]
        falloff = np.exp(-((x - place[0]) ** 2 + (y - place[1]) ** 2) / (2 * spread**2)) * light.glint_gain * 190
        added = patch[..., :3] + falloff[..., None] * (patch[..., 3:] / 255.0)
        patch[..., :3] = np.minimum(added, patch[..., 3:]).astype(np.uint8)

    def thing(self, item: Thing, x_mm: float, y_mm: float, angle_deg: float, floor_mm: float = 0.0) -> None:
        """Stand an object on the table: its shadow, its side, its top."""
        height, width = item.picture.shape[:2]
        size = (width / item.px_per_mm, height / item.px_per_mm)
        flat = corners_mm(size, x_mm, y_mm, angle_deg)
        top = floor_mm + item.height_mm
        outline = outline_mm(item.picture, flat)
        self._shadow(outline, top, floor_mm)
        self._shadow(outline, floor_mm + 1.5, floor_mm, 0.35)
        lean = self._points(flat, top) - self._points(flat, floor_mm)
        # Fine enough that a tall box close by has no stairs, and no finer than it costs.
        steps = int(np.clip(np.ceil(np.abs(lean).max() / 2.5), 0, min(60, max(10, max(self.camera.size_px) // 32))))
        picture = self._shrunk(item.picture, flat, top)
        # The side is the outline again and again, from the foot to the top, darker than the top.
        side = picture.copy()
        side[..., :3] = side[..., :3] * 0.6
        for step in range(steps):
            self._sprite(side, flat, floor_mm + item.height_mm * step / steps)
        self._sprite(picture, flat, top)

    def _shrunk(self, picture: Image, flat: Floats, height_mm: float) -> Image:
        """Give the picture premultiplied and no finer than it will be seen."""
        points = self._points(flat, height_mm)
        height, width = picture.shape[:2]
        sides = np.linalg.norm(points - np.roll(points, -1, 0), axis=1)
        shrink = float(max(sides[0] / width, sides[2] / width, sides[1] / height, sides[3] / height))
        if shrink < 0.75:
            size = (max(2, int(width * shrink)), max(2, int(height * shrink)))
            picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        alpha = picture[..., 3]
        ready = np.empty_like(picture)
        ready[..., :3] = cv2.multiply(
            np.ascontiguousarray(picture[..., :3]), cv2.merge((alpha, alpha, alpha)), scale=1 / 255.0
        )
        ready[..., 3] = alpha
        return ready

    def _sprite(self, picture: Image, flat: Floats, height_mm: float) -> None:
        """Put a premultiplied picture on a plane."""
        points = self._points(flat, height_mm)
        box = self._box(points)
        if box is None:
            return
        x0, y0, x1, y1 = box
        height, width = picture.shape[:2]
        source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
        matrix = cv2.getPerspectiveTransform(source, (points - (x0, y0)).astype(np.float32))
        warped = cv2.warpPerspective(picture, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        self._blend(warped, x0, y0, COVER)

    def arm(
        self, sprite: ArmSprite, x_mm: float, y_mm: float, angle_deg: float, height_mm: float, layer: str = "both"
    ) -> None:
        """Reach an arm in: its tip over (x, y) at this height, pointing along `angle_deg` (0 = toward -y)."""
        if layer in ("under", "both"):
            self._arm_shadow(sprite, x_mm, y_mm, angle_deg, height_mm)
        for name in ("under", "over"):
            picture = getattr(sprite, name)
            if layer not in (name, "both") or min(picture.shape[:2]) < 2:
                continue
            corners = self._arm_corners(sprite, picture, x_mm, y_mm, angle_deg)
            self._sprite(self._shrunk(picture, corners, height_mm), corners, height_mm)

    @staticmethod
    def _arm_corners(sprite: ArmSprite, picture: Image, x_mm: float, y_mm: float, angle_deg: float) -> Floats:
        height, width = picture.shape[:2]
        box = np.array([[0, 0], [width, 0], [width, height], [0, height]]) - sprite.tip_px
        c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
        return box / sprite.px_per_mm @ np.array([[c, s], [-s, c]]) + (x_mm, y_mm)

    def _arm_shadow(self, sprite: ArmSprite, x_mm: float, y_mm: float, angle_deg: float, height_mm: float) -> None:
        if self.light.depth <= 0:
            return
        corners = self._arm_corners(sprite, sprite.under, x_mm, y_mm, angle_deg)
        for rise, depth in ((max(height_mm, 12.0), self.light.depth * 0.8), (9.0, 0.25)):
            shift = np.array(self.light.shadow_mm(rise))
            points = self._points(corners + shift, 0.0)
            scale = self.camera.px_per_mm((x_mm, y_mm))
            blur = (self.light.softness * rise + 1.5) * scale
            box = self._box(points)
            if box is None:
                continue
            x0, y0, x1, y1 = box
            small = cv2.resize(sprite.under[..., 3], None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
            h, w = small.shape
            source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
            step = max(1.0, min(4.0, blur / 2))
            size = (int((x1 - x0) / step) + 1, int((y1 - y0) / step) + 1)
            matrix = cv2.getPerspectiveTransform(source, ((points - (x0, y0)) / step).astype(np.float32))
            mask = cv2.warpPerspective(small, matrix, size)
            mask = cv2.GaussianBlur(mask, (0, 0), max(0.5, blur / step))
            mask = cv2.resize(mask, (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)
            spot = self.image[y0:y1, x0:x1]
            keep = 1 - mask[..., None].astype(np.float32) * (depth / 255.0)
            np.copyto(spot, (spot * keep).astype(np.uint8))

    def quad_px(self, ident: int) -> npt.NDArray[np.float32]:
        """Give a card's corners in the finished picture: (4, 2) px, clockwise from its own top left."""
        return self._edge(ident, 1).astype(np.float32)

    def area_px(self, ident: int) -> float:
        """Give how many px a card would cover, in the picture and beyond its edge, if nothing lay on it."""
        x, y = self._edge(ident, 16).T
        area = 0.5 * abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))))
        return area * self.cards[ident - 1][0].fill

    def _edge(self, ident: int, pieces: int) -> Floats:
        picture, at = self.cards[ident - 1]
        flat = corners_mm(picture.size_mm, at.x_mm, at.y_mm, at.angle_deg)
        heights = at.height_mm + np.asarray(at.lift_mm)
        t = np.arange(pieces) / pieces
        low, high = np.zeros(pieces), np.ones(pieces)
        u, v = np.concatenate([t, high, 1 - t, low]), np.concatenate([low, t, high, 1 - t])
        points = card_points(flat, heights, at.bend_mm, u, v)
        return self.camera.project(points[:, :2], points[:, 2])

    def finish(self) -> tuple[Image, npt.NDArray[np.int16]]:
        """Bend the picture and the map of cards as the lens does; cut off the margin."""
        return self.camera.bend(self.image, self.margin), self.camera.bend(self.ids, self.margin, nearest=True)
