"""Forearms and hands seen from above: shape from capsules, shaded as solids, with skin, nails, sleeves, rings, watches.

`Arm(rng)` is one person's arm. `Arm.sprite(...)` gives its picture in a frame of its own (fingertips at the origin,
forearm toward +y); `Arm.draw(canvas, ...)` puts it into a picture. It knows nothing of cards or of games.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from ..vision.frames import Image
from .noise_fields import colored, fractal, stretched
from .solids import Solid

Rng = np.random.Generator
Floats = npt.NDArray[np.float32]
Point = tuple[float, float]

POSES = ("flat", "relaxed", "point", "pinch", "fist", "spread")
"""How a hand may be held; `pinch` has the thumb apart, so that a card can lie between thumb and fingers."""

SKINS = (
    (186, 206, 238),  # BGR, from pale to deep
    (160, 188, 228),
    (140, 172, 218),
    (112, 150, 202),
    (90, 126, 180),
    (70, 100, 152),
    (52, 76, 120),
    (40, 56, 90),
    (30, 40, 66),
)
SPRITE_MM = (280.0, 760.0)
"""Width and height of the sprite's frame."""
TIP_MM = (140.0, 90.0)
"""Where the tip (the point between thumb and index finger, or the middle fingertip) stands in that frame."""


@dataclass(frozen=True, slots=True, eq=False)
class ArmSprite:
    """A rendered arm.

    Parameters
    ----------
    under
        BGRA uint8, what lies below a held card (the whole arm but the thumb).
    over
        BGRA uint8, what lies above a held card (the thumb of `pinch`; empty otherwise).
    px_per_mm
        Scale of both.
    tip_px
        The tip in the sprite.
    """

    under: Image
    over: Image
    px_per_mm: float
    tip_px: Point


_PALM, _WRIST, _SLEEVE, _WATCH, _RING = 60, 61, 62, 63, 64


class Arm:
    """One person's right or left arm: proportions, skin, sleeve and jewellery, fixed at its making.

    Parameters
    ----------
    rng
        Decides everything about it; same state, same arm.
    """

    def __init__(self, rng: Rng) -> None:
        self._seed = int(rng.integers(2**63))
        pick = np.random.default_rng(self._seed)
        self.left = bool(pick.random() < 0.4)
        self.size = float(pick.uniform(0.8, 1.1))
        self.skin = np.asarray(SKINS[pick.integers(len(SKINS))], np.float32) * pick.uniform(0.92, 1.08)
        self.sleeve_from_mm = float(
            pick.choice([0, 0, 40, 120, 400], p=[0.3, 0.2, 0.2, 0.15, 0.15]) + pick.uniform(0, 30)
        )
        self.sleeve = colored(pick, (12, 245), (0, 190))
        self.watch = bool(pick.random() < 0.22)
        self.ring = int(pick.integers(1, 4)) if pick.random() < 0.25 else -1
        self.nails = colored(pick, (60, 240), (80, 220)) if pick.random() < 0.2 else None

    @lru_cache(maxsize=8)  # noqa: B019 - an arm lives as long as its scene or its player
    def sprite(self, pose: str = "relaxed", px_per_mm: float = 2.0, light_deg: float = 225.0) -> ArmSprite:
        """Render the arm.

        Parameters
        ----------
        pose
            One of `POSES`.
        px_per_mm
            Scale of the sprite: 1 to 4.
        light_deg
            Where the light comes from in the sprite's frame (0 = +x, 90 = +y).

        Raises
        ------
        ValueError
            If there is no such pose.
        """
        if pose not in POSES:
            raise ValueError(f"no pose '{pose}': use {', '.join(POSES)}")
        rng = np.random.default_rng([self._seed, POSES.index(pose)])
        width, height = round(SPRITE_MM[0] * px_per_mm), round(SPRITE_MM[1] * px_per_mm)
        solids = [Solid(width, height, px_per_mm), Solid(width, height, px_per_mm)]
        self._shape(pose, rng, solids[0], solids[1] if pose == "pinch" else solids[0])
        layers = [self._paint(solid, np.random.default_rng([self._seed, 9]), light_deg) for solid in solids]
        if pose != "pinch":
            layers[1] = np.zeros((1, 1, 4), np.uint8)
        if self.left:
            layers = [np.ascontiguousarray(layer[:, ::-1]) for layer in layers]
        tip = (TIP_MM[0] * px_per_mm, TIP_MM[1] * px_per_mm)
        return ArmSprite(layers[0], layers[1], px_per_mm, tip)

    def _shape(self, pose: str, rng: Rng, hand: Solid, thumb_solid: Solid) -> None:
        k = self.size
        # Bones of an adult hand in mm, knuckles to tips: proximal, middle, distal (Buryanov & Kotiuk 2010, rounded).
        bones = ((40, 23, 19), (44, 27, 20), (41, 26, 20), (33, 18, 18))
        radii = (8.6, 9.0, 8.4, 7.2)
        knuckles = ((-27, 4), (-9, 0), (9, 2), (26, 10))
        spread = {"spread": 13.0, "flat": 5.0, "relaxed": 6.0, "pinch": 3.0, "point": 4.0, "fist": 1.0}[pose]
        joints = []
        for finger in range(4):
            curl = {
                "flat": 0.97, "spread": 0.98, "relaxed": rng.uniform(0.72, 0.92),
                "pinch": rng.uniform(0.62, 0.85) + 0.05 * finger * rng.uniform(-1, 1),
                "point": 0.97 if finger == 0 else rng.uniform(0.3, 0.5), "fist": rng.uniform(0.3, 0.42),
            }[pose]  # fmt: skip
            angle = np.radians(spread * (finger - 1.4) + rng.normal(0, 2.0) + (finger - 1.5) * 1.5)
            point = np.array(knuckles[finger], np.float64) * k
            chain = [point]
            lift = 10.0 + 12 * (1 - curl)
            heights = [lift]
            for bone in range(3):
                bend = curl ** (1 + 0.7 * bone)
                step = bones[finger][bone] * k * bend
                turn = angle * (1 if bone == 0 else 0.8)
                point = point + step * np.array([np.sin(turn), -np.cos(turn)])
                chain.append(point)
                lift = lift * (0.9 if curl > 0.9 else 0.62)
                heights.append(lift)
            joints.append((chain, heights))
        base = np.array([-22.0, 62.0]) * k
        opening = {"pinch": -33.0, "spread": -58.0, "flat": -42.0, "relaxed": -36.0, "point": -14.0, "fist": 8.0}[pose]
        turn = np.radians(opening + rng.normal(0, 4))
        thumb = [base]
        for length, extra in ((40, 0.0), (32, 10.0), (26, 20.0)):
            last = thumb[-1]
            direction = turn + np.radians(extra if pose in ("pinch", "point", "relaxed") else extra * 0.3)
            thumb.append(last + length * k * np.array([np.sin(direction), -np.cos(direction)]))
        # The tip: between thumb and index for a pinch, else the index or the middle finger's tip.
        tip = (thumb[-1] + joints[0][0][-1]) / 2 if pose == "pinch" else joints[0 if pose == "point" else 1][0][-1]
        shift = np.array(TIP_MM) - tip
        wrist = np.array([0.0, 92.0]) * k + shift

        def put(
            solid: Solid, a: npt.ArrayLike, b: npt.ArrayLike, ra: float, rb: float, za: float, zb: float, part: int
        ) -> None:
            pa, pb = np.asarray(a, float), np.asarray(b, float)
            solid.capsule((pa[0], pa[1]), (pb[0], pb[1]), ra, rb, za, zb, part)

        knuckle = [chain[0] + shift for chain, _ in joints]
        for row, radius in ((0.0, 10.5), (0.25, 11.5), (0.5, 13.0), (0.75, 15.0)):
            left, right = (point + (wrist - point) * row for point in (knuckle[0], knuckle[3]))
            put(hand, left, right, radius * k, radius * k, 12.5, 12.0, _PALM)
        for finger, (chain, heights) in enumerate(joints):
            r = radii[finger] * k
            put(
                hand,
                wrist + np.array([(finger - 1.5) * 9 * k, -14 * k]),
                chain[0] + shift,
                15 * k,
                10.5 * k,
                14,
                12,
                _PALM,
            )
            for bone in range(3):
                ra, rb = r * (1 - 0.07 * bone), r * (0.93 - 0.08 * bone)
                a, b = chain[bone] + shift, chain[bone + 1] + shift
                if bone == 2:
                    b = b - (b - a) / max(np.hypot(*(b - a)), 1e-3) * rb
                put(hand, a, b, ra, rb, heights[bone], heights[bone + 1], finger * 4 + bone)
            if finger == self.ring:
                a, b = chain[0] + shift, chain[1] + shift
                for place in (-2.0, 0.0, 2.0):
                    middle = (a + b) / 2 + (b - a) / np.hypot(*(b - a)) * place
                    normal = np.array([b[1] - a[1], a[0] - b[0]]) / np.hypot(*(b - a)) * r * 0.95
                    lift = heights[0] + r * 0.9
                    put(hand, middle - normal, middle + normal, 1.6, 1.6, lift, lift, _RING)
        put(
            hand,
            wrist + np.array([-8 * k, -24 * k]),
            base * 0.4 + shift + np.array([-8, 24]) * k,
            20 * k,
            17 * k,
            13,
            12,
            _PALM,
        )
        put(hand, wrist + np.array([14 * k, -34 * k]), shift + np.array([18, 40]) * k, 18 * k, 15 * k, 13, 12, _PALM)
        for bone in range(3):
            solid = hand if bone == 0 else thumb_solid
            ra, rb = ((15.0, 11.5), (11.0, 10.0), (10.0, 8.5))[bone]
            b = thumb[bone + 1] + shift
            put(solid, thumb[bone] + shift, b, ra * k, rb * k, 13 + 5 * (bone > 0), 13 + 5 * (bone > 0), 16 + bone)
        elbow = wrist + np.array([rng.normal(0, 30), 560.0])
        along = (elbow - wrist) / np.hypot(*(elbow - wrist))
        put(hand, wrist + along * -16 * k, wrist + along * 60 * k, 25 * k, 28 * k, 14, 16, _WRIST)
        put(hand, wrist + along * 60 * k, wrist + along * 250, 28 * k, 40 * k, 16, 22, _WRIST)
        put(hand, wrist + along * 250, elbow, 40 * k, 46 * k, 22, 30, _WRIST)
        if self.watch:
            at = wrist + along * 28
            put(hand, at, at + along * 16, 29 * k, 29.5 * k, 15.5, 15.5, _WATCH)
        if self.sleeve_from_mm < 390:
            at = wrist + along * (22 + self.sleeve_from_mm)
            loose = float(rng.uniform(4, 14))
            put(hand, at, at + along * 220, 27 * k + loose, 42 * k + loose, 17, 24, _SLEEVE)
            put(hand, at + along * 200, elbow, 42 * k + loose, 52 * k + loose, 24, 30, _SLEEVE)
        self._cut(hand, wrist, along, k)

    def _cut(self, solid: Solid, wrist: npt.NDArray[np.float64], along: npt.NDArray[np.float64], k: float) -> None:
        """Take off the round caps that capsules give to sleeve and watch strap."""
        rows, columns = np.indices(solid.top.shape, dtype=np.float32)
        distance = (columns / solid.scale - wrist[0]) * along[0] + (rows / solid.scale - wrist[1]) * along[1]
        wrong = (solid.part == _SLEEVE) & (distance < 24 + self.sleeve_from_mm)
        wrong |= (solid.part == _WATCH) & ((distance < 26) | (distance > 46))
        if not wrong.any():
            return
        bare = Solid(solid.top.shape[1], solid.top.shape[0], solid.scale)
        end = wrist + along * 560
        knee = wrist + along * 60 * k
        bare.capsule((wrist[0], wrist[1]), (knee[0], knee[1]), 25 * k, 28 * k, 14, 16, _WRIST)
        bare.capsule((knee[0], knee[1]), (end[0], end[1]), 28 * k, 44 * k, 16, 28, _WRIST)
        for name in ("top", "part", "along", "across"):
            np.copyto(getattr(solid, name), getattr(bare, name), where=wrong)

    def _paint(self, solid: Solid, rng: Rng, light_deg: float) -> Image:
        height, width = solid.top.shape
        scale = solid.scale
        inside = solid.top > -1e2
        out = np.zeros((height, width, 4), np.uint8)
        if not inside.any():
            return out
        rows = np.flatnonzero(inside.any(1))
        columns = np.flatnonzero(inside.any(0))
        box = np.s_[max(0, rows[0] - 3) : rows[-1] + 4, max(0, columns[0] - 3) : columns[-1] + 4]
        inside, part = inside[box], solid.part[box]
        along, across = solid.along[box], solid.across[box]
        top = np.where(inside, solid.top[box], 0)
        size = (top.shape[1], top.shape[0])
        skin = (part != _SLEEVE) & (part != _WATCH) & (part != _RING)
        # Skin bridges the gaps between capsules: melt the height field a little before taking its slope.
        weight = cv2.GaussianBlur(inside.astype(np.float32), (0, 0), 2.2 * scale)
        melted = cv2.GaussianBlur(top, (0, 0), 2.2 * scale) / np.maximum(weight, 1e-3)
        relief = melted * 0.75 + top * 0.25
        cloth = part == _SLEEVE
        if cloth.any():
            wrinkles = stretched(size, (26 * scale, 9 * scale), rng) + 0.5 * fractal(size, 12 * scale, rng, 3)
            relief = relief + np.where(cloth, wrinkles * 4.0, 0).astype(np.float32)
        relief = relief + np.where(skin, fractal(size, 3 * scale, rng, 2) * 0.12, 0).astype(np.float32)
        gx = cv2.Sobel(relief, cv2.CV_32F, 1, 0, ksize=3, scale=scale / 8)
        gy = cv2.Sobel(relief, cv2.CV_32F, 0, 1, ksize=3, scale=scale / 8)
        gx, gy = np.clip(gx, -3, 3), np.clip(gy, -3, 3)
        norm = 1 / np.sqrt(1 + gx * gx + gy * gy)
        lx, ly = np.cos(np.radians(light_deg)) * 0.55, np.sin(np.radians(light_deg)) * 0.55
        lambert = np.clip((-gx * lx - gy * ly + 0.83) * norm, 0, 1)
        shade = 0.42 + 0.62 * lambert
        # Valleys between the fingers get less light from around.
        shade *= 1 - np.clip((melted - top) / 14, 0, 0.5) * inside
        tone = np.empty((*top.shape, 3), np.float32)
        tone[:] = self.skin
        blotch = fractal(size, 18 * scale, rng, 4)[..., None]
        tone *= 1 + blotch * np.array([0.05, 0.045, 0.02], np.float32)
        # Blood shows at knuckles and tips.
        redness = np.zeros(top.shape, np.float32)
        finger = (part >= 0) & (part < 20)
        bone = part % 4
        redness += np.where(finger, np.exp(-((along / 0.22) ** 2)) + np.exp(-(((along - 1) / 0.3) ** 2)), 0)
        tone *= 1 - redness[..., None] * np.array([0.10, 0.09, 0.0], np.float32) * 0.8
        crease = finger & (bone > 0) & (np.abs(along - 0.02) < 0.05) & (np.abs(across) < 0.75)
        shade = np.where(crease, shade * 0.86, shade)
        nail = finger & (bone == 2) & (along > 0.58) & (np.abs(across) < 0.62) & (along < 1.12)
        if self.nails is not None:
            tone[nail] = self.nails
        else:
            tone[nail] = tone[nail] * 0.75 + np.array([205, 205, 235], np.float32) * 0.25 * self.skin[2] / 210
            tone[nail & (along > 1.02)] *= 1.12
        gloss = np.clip((-gx * lx - gy * ly + 0.83) * norm, 0, 1) ** 24 * np.where(nail, 60, 16)
        if cloth.any():
            weave = 1 + fractal(size, max(1.5, 2 * scale), rng, 2) * 0.06
            tone[cloth] = (self.sleeve * weave[..., None])[cloth]
            if rng.random() < 0.3:
                stripe = cloth & (np.sin(across * rng.uniform(6, 25)) > 0.5)
                tone[stripe] = colored(rng, (20, 240), (0, 150))
            gloss = np.where(cloth, 0, gloss)
        tone[part == _RING] = (90, 190, 225) if rng.random() < 0.6 else (200, 200, 205)
        tone[part == _WATCH] = colored(rng, (15, 90), (0, 80))
        face = (part == _WATCH) & (np.abs(across) < 0.62)
        tone[face] = colored(rng, (10, 230), (0, 40))
        gloss = np.where((part == _RING) | (part == _WATCH), lambert**16 * 120, gloss)
        pixels = np.clip(tone * shade[..., None] + gloss[..., None], 0, 255)
        alpha = cv2.GaussianBlur(inside.astype(np.float32), (0, 0), max(0.6, 0.35 * scale))
        filled = cv2.dilate(pixels, np.ones((3, 3), np.uint8))
        pixels = np.where(inside[..., None], pixels, filled)
        out[box][..., :3] = pixels
        out[box][..., 3] = np.clip((alpha - 0.25) / 0.5, 0, 1) * 255
        return out

    def draw(
        self, canvas: Image, from_xy: Point, to_xy: Point, px_per_mm: float, pose: str = "relaxed", layer: str = "both"
    ) -> npt.NDArray[np.uint8]:
        """Draw the arm into a picture in place.

        Parameters
        ----------
        canvas
            BGR uint8 (H, W, 3), changed in place.
        from_xy
            px, where the arm comes from (only its direction counts).
        to_xy
            px, where the tip is.
        px_per_mm
            Scale of the picture there.
        pose
            One of `POSES`.
        layer
            `under` (before a held card is drawn), `over` (after it), or `both`.

        Returns
        -------
        (H, W) uint8 coverage, 255 where the arm hides everything.
        """
        level = float(np.clip(2.0 ** np.ceil(np.log2(max(px_per_mm, 1e-3))), 1, 4))
        angle = np.arctan2(to_xy[1] - from_xy[1], to_xy[0] - from_xy[0]) + np.pi / 2
        # The light comes from the picture's upper left, in the sprite's own frame, in steps of 45 degrees.
        light = (round((225.0 - np.degrees(angle)) / 45) * 45) % 360
        if self.left:
            light = (180 - light) % 360
        sprite = self.sprite(pose, level, float(light))
        matrix = placement(sprite, to_xy, float(angle), px_per_mm)
        covered = np.zeros(canvas.shape[:2], np.uint8)
        for name in ("under", "over"):
            if layer in (name, "both"):
                alpha = paste(canvas, getattr(sprite, name), matrix)
                np.maximum(covered, alpha, out=covered)
        return covered


def placement(sprite: ArmSprite, to_xy: Point, angle_rad: float, px_per_mm: float) -> npt.NDArray[np.float64]:
    """Give the (2, 3) affine that puts a sprite's tip on `to_xy`, turned clockwise by `angle_rad`."""
    k = px_per_mm / sprite.px_per_mm
    c, s = np.cos(angle_rad) * k, np.sin(angle_rad) * k
    x, y = sprite.tip_px
    return np.array([[c, -s, to_xy[0] - c * x + s * y], [s, c, to_xy[1] - s * x - c * y]])


def paste(canvas: Image, sprite: Image, matrix: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Blend a BGRA sprite into a BGR picture in place through a (2, 3) affine; give its (H, W) uint8 coverage."""
    height, width = canvas.shape[:2]
    k = float(np.hypot(matrix[0, 0], matrix[1, 0]))
    if k < 0.75:
        # Shrink first: warping alone would skip pixels.
        small = cv2.resize(sprite, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        step = np.array([sprite.shape[1] / small.shape[1], sprite.shape[0] / small.shape[0]])
        sprite, matrix = small, matrix * np.array([[step[0], step[1], 1]])
    corners = np.array([[0, 0], [sprite.shape[1], 0], [sprite.shape[1], sprite.shape[0]], [0, sprite.shape[0]]])
    placed = corners @ matrix[:, :2].T + matrix[:, 2]
    x0, y0 = np.maximum(np.floor(placed.min(0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(placed.max(0)).astype(int) + 1, (width, height))
    covered = np.zeros((height, width), np.uint8)
    if x1 <= x0 or y1 <= y0:
        return covered
    local = matrix.copy()
    local[:, 2] -= (x0, y0)
    warped = cv2.warpAffine(sprite, local, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    alpha = warped[..., 3:].astype(np.float32) / 255.0
    spot = canvas[y0:y1, x0:x1]
    spot[:] = spot + alpha * (warped[..., :3].astype(np.float32) - spot)
    covered[y0:y1, x0:x1] = warped[..., 3]
    return covered
