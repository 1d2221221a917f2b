"""The camera above one card: perspective, layers laid on a small patch, light, lens, sensor and compression.

Works on a patch of the picture just larger than the card, so that a crop costs about two milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from .art.surface import noise

Floats = NDArray[np.float32]
Matrix = NDArray[np.float64]

_LEAST_BLUR_PX = 0.25


@dataclass(frozen=True, eq=False)
class Sprite:
    """A flat thing in several resolutions: each level is BGR (h, w, 3), alpha (h, w) and its scale in px/mm."""

    levels: tuple[tuple[NDArray[np.uint8], NDArray[np.uint8], float], ...]

    @staticmethod
    def of(bgra: NDArray[np.uint8], px_per_mm: float) -> Sprite:
        """Build the levels by halving."""
        levels = []
        while True:
            levels.append((np.ascontiguousarray(bgra[..., :3]), np.ascontiguousarray(bgra[..., 3]), px_per_mm))
            if px_per_mm <= 1.0:
                return Sprite(tuple(levels))
            size = (max(1, bgra.shape[1] // 2), max(1, bgra.shape[0] // 2))
            bgra, px_per_mm = cv2.resize(bgra, size, interpolation=cv2.INTER_AREA), px_per_mm / 2

    def level(self, px_per_mm: float) -> tuple[NDArray[np.uint8], NDArray[np.uint8], float]:
        """Choose the coarsest level that is still at least about as fine as the picture."""
        for level in reversed(self.levels):
            if level[2] >= 0.8 * px_per_mm:
                return level
        return self.levels[0]


def shift(x: float, y: float) -> Matrix:
    """Build a (3, 3) translation."""
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])


def motion(x: float, y: float, angle_deg: float) -> Matrix:
    """Build a (3, 3) matrix that turns and then shifts on the table (mm)."""
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    return np.array([[c, -s, x], [s, c, y], [0.0, 0.0, 1.0]])


def look_down(rng: np.random.Generator, px_per_mm: float, tilt_deg: float, turn_deg: float) -> Matrix:
    """Build the homography from table mm (origin below the axis) to px, for a camera tilted to a random side."""
    away_mm = rng.uniform(600, 1400)
    side, tilt, turn = rng.uniform(0, 2 * np.pi), np.radians(tilt_deg), np.radians(turn_deg)
    cs, ss, ct, st = np.cos(side), np.sin(side), np.cos(tilt), np.sin(tilt)
    z = np.array([[cs, -ss, 0], [ss, cs, 0], [0, 0, 1.0]])
    x = np.array([[1, 0, 0], [0, ct, -st], [0, st, ct]])
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1.0]])
    rotation = z @ x @ z.T @ spin
    matrix = np.column_stack([rotation[:, 0], rotation[:, 1], (0.0, 0.0, away_mm)])
    focal = px_per_mm * away_mm
    matrix[:2] *= focal
    return matrix / away_mm


def project(matrix: Matrix, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Map (N, 2) points through a (3, 3) homography."""
    mapped = points @ matrix[:, :2].T + matrix[:, 2]
    return mapped[:, :2] / mapped[:, 2:]


@dataclass(eq=False)
class Patch:
    """A piece of the picture being built.

    Parameters
    ----------
    image
        (H, W, 3) uint8 BGR.
    px_from_mm
        (3, 3), table mm to px with (0, 0) at the outer corner of the first pixel.
    px_per_mm
        About its scale.
    covered
        (H, W) uint8: how much of the target lies under something; None while nothing does.
    """

    image: NDArray[np.uint8]
    px_from_mm: Matrix
    px_per_mm: float
    covered: NDArray[np.uint8] | None = None
    blur_px: float = field(default=_LEAST_BLUR_PX)

    def lay(
        self, sprite: Sprite, at: Matrix, shadow: tuple[float, float, float, float] | None = None, over: bool = False
    ) -> None:
        """Lay a sprite whose middle goes to `at` (table mm).

        `shadow` is (dx, dy, softness, strength) in mm. With `over`, remember that it hides the target.
        """
        bgr, alpha, scale = sprite.level(self.px_per_mm)
        h, w = alpha.shape
        mm_from_px = np.array(
            [[1 / scale, 0, (0.5 - w / 2) / scale], [0, 1 / scale, (0.5 - h / 2) / scale], [0, 0, 1.0]]
        )
        matrix = shift(-0.5, -0.5) @ self.px_from_mm @ at @ mm_from_px
        corners = project(matrix, np.array([(-0.5, -0.5), (w - 0.5, -0.5), (w - 0.5, h - 0.5), (-0.5, h - 0.5)]))
        limit = self.image.shape[1::-1]
        left, top = np.maximum(np.floor(corners.min(axis=0)), 0).astype(int)
        right, bottom = np.minimum(np.ceil(corners.max(axis=0)) + 1, limit).astype(int)
        if shadow is not None:
            self._darken(matrix, alpha, shadow)
        if right <= left or bottom <= top:
            return
        matrix, size = shift(-left, -top) @ matrix, (right - left, bottom - top)
        cover = cv2.warpPerspective(alpha, matrix, size, flags=cv2.INTER_LINEAR)
        print_ = cv2.warpPerspective(bgr, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        weight = cover.astype(np.float32) * np.float32(1 / 255)
        part = self.image[top:bottom, left:right]
        part[:] = cv2.blendLinear(print_, part, weight, 1 - weight)
        if over:
            if self.covered is None:
                self.covered = np.zeros(self.image.shape[:2], np.uint8)
            hidden = self.covered[top:bottom, left:right]
            np.maximum(hidden, cover, out=hidden)

    def _darken(self, matrix: Matrix, alpha: NDArray[np.uint8], shadow: tuple[float, float, float, float]) -> None:
        """Lay the soft shadow of a sprite, at a quarter of the scale: it has no detail."""
        dx, dy, soft, strength = shadow
        h, w = self.image.shape[:2]
        small = (w // 4 + 2, h // 4 + 2)
        moved = np.diag([0.25, 0.25, 1.0]) @ shift(dx * self.px_per_mm, dy * self.px_per_mm) @ matrix
        dark = cv2.warpPerspective(alpha, moved, small, flags=cv2.INTER_LINEAR)
        if cv2.countNonZero(dark) == 0:
            return
        dark = cv2.GaussianBlur(dark, (0, 0), max(0.3, soft * self.px_per_mm / 4))
        grown = cv2.resize(dark, (small[0] * 4, small[1] * 4), interpolation=cv2.INTER_LINEAR)[:h, :w]
        shade = cv2.convertScaleAbs(grown, alpha=-strength, beta=255)
        cv2.multiply(self.image, cv2.merge([shade] * 3), self.image, scale=1 / 255)


# Relative red and blue of a black body against green, normalised at 6500 K, at 2700, 3500, 4500, 6500 and 9000 K.
_KELVINS = np.array([2700.0, 3500.0, 4500.0, 6500.0, 9000.0])
_REDS = np.array([1.72, 1.42, 1.20, 1.0, 0.89])
_BLUES = np.array([0.40, 0.58, 0.77, 1.0, 1.17])


def white_gain(kelvin: float, adapted: float) -> Floats:
    """Give the BGR gain of a light after the camera has corrected the share `adapted` of its colour."""
    red, blue = np.interp(kelvin, _KELVINS, _REDS), np.interp(kelvin, _KELVINS, _BLUES)
    gain = np.array([blue, 1.0, red], np.float32) ** np.float32(1.0 - adapted)
    return gain / np.float32(gain @ np.array([0.114, 0.587, 0.299], np.float32))


def light_up(patch: Patch, rng: np.random.Generator, mild: bool = False) -> Floats:
    """Light the patch: colour, level, fall-off, shadows that are cast on it, glare; gives (H, W, 3) float32, 0..255.

    `mild` means a good day: as most pictures of a table are, not as the worst are.
    """
    h, w = patch.image.shape[:2]
    adapted = rng.uniform(0.75 if mild else 0.35, 1.05)
    first = white_gain(rng.uniform(2700, 6500), adapted)
    level = np.exp(rng.normal(-0.08, 0.12 if mild else 0.22))
    chance = 1.0 if mild else rng.random()
    if chance < 0.08:
        level *= rng.uniform(0.3, 0.6)
    elif chance < 0.13:
        level *= rng.uniform(1.25, 1.8)
    y, x = np.linspace(-1, 1, 12, dtype=np.float32)[:, None], np.linspace(-1, 1, 8, dtype=np.float32)[None, :]
    angle = rng.uniform(0, 2 * np.pi)
    ramp = x * np.cos(angle) + y * np.sin(angle)
    gain = np.broadcast_to(first, (12, 8, 3))
    if rng.random() < 0.25:
        second = white_gain(rng.uniform(2700, 7500), adapted)
        gain = first + (second - first) * np.clip(0.5 + ramp * rng.uniform(0.2, 1.5), 0, 1)[..., None]
    gain = gain * (level * (1 + ramp * abs(rng.normal(0, 0.12))))[..., None]
    image = cv2.multiply(patch.image, cv2.resize(gain.astype(np.float32), (w, h)), dtype=cv2.CV_32F)
    if rng.random() < (0.15 if mild else 0.3):
        _cast_shadow(image, rng)
    if not mild and rng.random() < 0.4:
        _glare(image, rng)
    if not mild and rng.random() < 0.15:
        _pale(image, rng)
    return image


def _cast_shadow(image: Floats, rng: np.random.Generator) -> None:
    """Let the shadow of an arm, a head or a lamp's rim fall across."""
    h, w = image.shape[:2]
    small = np.zeros((48, 32), np.float32)
    if rng.random() < 0.6:
        centre = rng.uniform((-8, -8), (40, 56))
        axes = rng.uniform(6, 34, 2)
        cv2.ellipse(small, ((centre[0], centre[1]), (2 * axes[0], 2 * axes[1]), rng.uniform(0, 180)), 1.0, -1)
    else:
        angle, at = rng.uniform(0, 2 * np.pi), rng.uniform(-14, 14)
        ys, xs = np.mgrid[-23.5:24, -15.5:16]
        small[(xs * np.cos(angle) + ys * np.sin(angle)) > at] = 1.0
    soft = cv2.GaussianBlur(small, (0, 0), float(np.exp(rng.uniform(-0.7, 2.0))))
    tint = np.array([rng.uniform(0.85, 1), 1, rng.uniform(0.95, 1.08)], np.float32)
    shade = 1 - soft[..., None] * (rng.uniform(0.15, 0.65) * tint)
    cv2.multiply(image, cv2.resize(shade.astype(np.float32), (w, h)), image)


def _glare(image: Floats, rng: np.random.Generator) -> None:
    """Mirror a lamp or a window in the varnish."""
    h, w = image.shape[:2]
    small = np.zeros((72, 48), np.float32)
    centre = (float(rng.uniform(-4, 52)), float(rng.uniform(-6, 78)))
    size = (float(rng.uniform(4, 40)), float(rng.uniform(4, 60)))
    if rng.random() < 0.6:
        cv2.ellipse(small, (centre, size, float(rng.uniform(0, 180))), 1.0, -1)
    else:
        cv2.fillPoly(small, [cv2.boxPoints((centre, size, float(rng.uniform(0, 180)))).astype(np.int32)], 1.0)
    soft = cv2.GaussianBlur(small, (0, 0), float(np.exp(rng.uniform(0.0, 2.4))))
    strength = rng.uniform(20, 110) if rng.random() < 0.75 else rng.uniform(110, 330)
    warm = np.array([rng.uniform(0.75, 1.05), 0.97, 1.0], np.float32)
    cv2.add(image, cv2.resize((soft * strength)[..., None] * warm, (w, h)), image)


def _pale(image: Floats, rng: np.random.Generator) -> None:
    """Spread the broad reflection of a lamp over the whole card, as satin varnish does: all contrast shrinks."""
    h, w = image.shape[:2]
    share = cv2.resize((rng.uniform(0.5, 1, (2, 2)) * rng.uniform(0.15, 0.75)).astype(np.float32), (w, h))[..., None]
    lamp = rng.uniform(180, 290) * np.array([rng.uniform(0.8, 1.05), 0.98, 1.0], np.float32)
    image += share * (lamp.astype(np.float32) - image)


def focus(image: Floats, patch: Patch, rng: np.random.Generator, mild: bool = False) -> Floats:
    """Blur by the lens and by movement, and sharpen as webcams do."""
    sigma = abs(rng.normal(0, 0.45)) if mild or rng.random() < 0.75 else rng.uniform(0.8, 2.6)
    # A lens that is out of focus blurs by angle: a card seen larger is blurred over more pixels.
    sigma *= max(1.0, patch.px_per_mm / 1.6) ** 0.7
    if sigma > 0.3:
        image = cv2.GaussianBlur(image, (0, 0), sigma)
        patch.blur_px = float(np.hypot(patch.blur_px, sigma))
    if not mild and rng.random() < 0.28:
        length = rng.uniform(1.5, 4.5) * patch.px_per_mm * (1 if rng.random() < 0.8 else 2)
        image = _move(image, length, rng.uniform(0, np.pi))
        patch.blur_px = float(np.hypot(patch.blur_px, length / 3.46))
    if rng.random() < 0.4:
        amount = rng.uniform(0.2, 1.2)
        soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.7, 1.6))
        image = cv2.addWeighted(image, 1 + amount, soft, -amount, 0)
    return image


def _move(image: Floats, length_px: float, angle: float) -> Floats:
    n = int(np.ceil(length_px)) | 1
    if n < 3:
        return image
    kernel = np.zeros((n, n), np.float32)
    reach = np.array([np.cos(angle), np.sin(angle)]) * length_px / 2
    ends = np.round((np.array([-reach, reach]) + n // 2) * 16).astype(np.int32)
    cv2.polylines(kernel, [ends], False, 1.0, 1, cv2.LINE_8, 4)
    return cv2.filter2D(image, -1, kernel / max(1.0, float(kernel.sum())))


def develop(image: Floats, rng: np.random.Generator, mild: bool = False) -> NDArray[np.uint8]:
    """Add sensor noise, bend the tones, round to 8 bits and compress: (H, W, 3) uint8."""
    h, w = image.shape[:2]
    read = abs(rng.normal(0, 2.5)) if mild or rng.random() < 0.8 else rng.uniform(5, 14)
    if read > 0.4:
        coloured = np.dstack([noise(rng, (h, w), 0) for _ in range(3)])
        cv2.scaleAdd(coloured, 2 * read, image, image)
    if rng.random() < 0.6:
        contrast, lift = rng.uniform(0.75, 1.2), rng.uniform(-12, 18)
        image = image * np.float32(contrast) + np.float32(lift)
    if rng.random() < 0.5:
        grey = cv2.transform(image, np.full((1, 3), 1 / 3, np.float32))
        amount = rng.uniform(0.75, 1.35)
        image = cv2.addWeighted(image, amount, cv2.merge([grey] * 3), 1 - amount, 0)
    out = cv2.convertScaleAbs(cv2.max(image, 0))
    if rng.random() < 0.3:
        gamma = rng.uniform(0.75, 1.35)
        out = cv2.LUT(out, (255 * (np.arange(256) / 255) ** gamma + 0.5).astype(np.uint8))
    if rng.random() < 0.75:
        out = _compress(out, int(rng.uniform(40, 96)) if mild or rng.random() < 0.7 else int(rng.uniform(12, 40)))
    return out


def _compress(image: NDArray[np.uint8], quality: int) -> NDArray[np.uint8]:
    _, data = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, quality))
    return cv2.imdecode(data, cv2.IMREAD_COLOR)
