"""A small drawing surface in card millimetres: anti-aliased fills, strokes and engraver's hatching.

The origin is the middle of the card, x to the right and y down. Drawing happens at twice the wanted scale or more and
is reduced once at the end, so thin strokes keep their weight. It knows nothing of cards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Bgr = tuple[float, float, float]

_SHIFT = 4
_LEAST_PX_PER_MM = 6.0


def place(x: float = 0.0, y: float = 0.0, scale: float = 1.0, angle_deg: float = 0.0, mirror: bool = False) -> Points:
    """Build a (2, 3) matrix that scales, mirrors in x, turns (clockwise in the picture) and then shifts."""
    radians = math.radians(angle_deg)
    c, s = math.cos(radians) * scale, math.sin(radians) * scale
    m = -1.0 if mirror else 1.0
    return np.array([[c * m, -s, x], [s * m, c, y]])


def chain(outer: Points, inner: Points) -> Points:
    """Compose two (2, 3) matrices: `inner` is applied first."""
    return np.hstack([outer[:, :2] @ inner[:, :2], (outer[:, :2] @ inner[:, 2:]) + outer[:, 2:]])


def blend(first: Bgr, second: Bgr, share: float) -> Bgr:
    """Mix two colours; `share` 0 gives the first, 1 the second."""
    b, g, r = (a + (z - a) * share for a, z in zip(first, second, strict=True))
    return (b, g, r)


def vivid(rng: np.random.Generator) -> Bgr:
    """Choose any strong colour."""
    hue, strong, light = rng.uniform(0, 180), rng.uniform(110, 255), rng.uniform(60, 250)
    b, g, r = cv2.cvtColor(np.uint8([[[hue, strong, light]]]), cv2.COLOR_HSV2BGR)[0, 0]
    return (float(b), float(g), float(r))


def smooth(points: Sequence[Sequence[float]] | Points, closed: bool = True, steps: int = 8) -> Points:
    """Lay a Catmull-Rom curve through the points."""
    knots = np.asarray(points, float)
    if closed:
        knots = np.vstack([knots[-1:], knots, knots[:2]])
    else:
        knots = np.vstack([2 * knots[:1] - knots[1:2], knots, 2 * knots[-1:] - knots[-2:-1]])
    t = np.linspace(0, 1, steps, endpoint=False)[None, :, None]
    p0, p1, p2, p3 = (knots[i : len(knots) - 3 + i, None] for i in range(4))
    curve = p1 + 0.5 * t * (p2 - p0 + t * (2 * p0 - 5 * p1 + 4 * p2 - p3 + t * (3 * (p1 - p2) + p3 - p0)))
    flat = curve.reshape(-1, 2)
    return flat if closed else np.vstack([flat, knots[-2]])


def ellipse(
    x: float = 0.0, y: float = 0.0, rx: float = 1.0, ry: float | None = None, start: float = 0.0, stop: float = 360.0
) -> Points:
    """Trace an ellipse or an arc of it; angles in degrees, clockwise in the picture from the right."""
    t = np.radians(np.linspace(start, stop, max(8, int(abs(stop - start) / 9)) + 1))
    return np.stack([x + rx * np.cos(t), y + (rx if ry is None else ry) * np.sin(t)], axis=1)


def rectangle(width: float, height: float, radius: float = 0.0, x: float = 0.0, y: float = 0.0) -> Points:
    """Trace a rectangle with rounded corners around (x, y)."""
    w, h = width / 2, height / 2
    if radius <= 0:
        return np.array([[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]])
    radius = min(radius, w, h)
    corners = ((w - radius, -h + radius, -90), (w - radius, h - radius, 0), (radius - w, h - radius, 90))
    corners += ((radius - w, radius - h, 180),)
    return np.vstack([ellipse(x + cx, y + cy, radius, None, a, a + 90) for cx, cy, a in corners])


class Canvas:
    """A picture of one card in the making.

    Parameters
    ----------
    size_mm
        Width and length.
    px_per_mm
        Scale of the finished picture.
    ground
        Colour of the whole card at first.
    """

    def __init__(self, size_mm: tuple[float, float], px_per_mm: float, ground: Bgr) -> None:
        self.size_mm = size_mm
        self.shape = (max(2, round(size_mm[1] * px_per_mm)), max(2, round(size_mm[0] * px_per_mm)))
        factor = max(2, math.ceil(_LEAST_PX_PER_MM / px_per_mm))
        self.px_per_mm = px_per_mm * factor
        self.factor = factor
        rows, columns = self.shape[0] * factor, self.shape[1] * factor
        self.image = np.empty((rows, columns, 3), np.uint8)
        cv2.rectangle(self.image, (0, 0), (columns, rows), ground, cv2.FILLED)
        self._middle = np.array([columns / 2 - 0.5, rows / 2 - 0.5])

    def to_px(self, points: Points, matrix: Points | None = None) -> Points:
        """Map (N, 2) local points through `matrix` (mm) to (N, 2) px of the large picture."""
        if matrix is not None:
            points = points @ matrix[:, :2].T + matrix[:, 2]
        return points * self.px_per_mm + self._middle

    def _fixed(self, points: Points, matrix: Points | None) -> NDArray[np.int32]:
        return np.round(self.to_px(np.asarray(points, float), matrix) * (1 << _SHIFT)).astype(np.int32)

    def fill(self, contours: Sequence[Points] | Points, colour: Bgr, matrix: Points | None = None) -> None:
        """Fill one contour or several by the even-odd rule."""
        if isinstance(contours, np.ndarray):
            contours = [contours]
        cv2.fillPoly(self.image, [self._fixed(c, matrix) for c in contours], colour, cv2.LINE_AA, _SHIFT)

    def stroke(
        self, points: Points, width_mm: float, colour: Bgr, matrix: Points | None = None, closed: bool = False
    ) -> None:
        """Draw a line of constant width with round ends; the width isn't scaled by the matrix."""
        thickness = max(1, round(width_mm * self.px_per_mm))
        cv2.polylines(self.image, [self._fixed(points, matrix)], closed, colour, thickness, cv2.LINE_AA, _SHIFT)

    def mask(self, contours: Sequence[Points] | Points, matrix: Points | None = None) -> NDArray[np.uint8]:
        """Render contours as an (H, W) uint8 mask of the large picture."""
        if isinstance(contours, np.ndarray):
            contours = [contours]
        mask = np.zeros(self.image.shape[:2], np.uint8)
        cv2.fillPoly(mask, [self._fixed(c, matrix) for c in contours], 255, cv2.LINE_AA, _SHIFT)
        return mask

    def hatch(
        self,
        contours: Sequence[Points] | Points,
        colour: Bgr,
        matrix: Points | None = None,
        pitch_mm: float = 0.6,
        angle_deg: float = 45.0,
        weight: float = 0.4,
    ) -> None:
        """Fill contours with parallel lines as an engraver does; `weight` is the inked share."""
        mask = self.mask(contours, matrix)
        x, y, w, h = cv2.boundingRect(mask)
        if w == 0 or h == 0:
            return
        radians, pitch = math.radians(angle_deg), pitch_mm * self.px_per_mm
        across = (np.arange(w)[None, :] * math.cos(radians) + np.arange(h)[:, None] * math.sin(radians)) / pitch
        ink = np.clip((weight / 2 - np.abs(across - np.round(across))) * pitch + 0.5, 0, 1).astype(np.float32)
        self.paint(colour, ink * (mask[y : y + h, x : x + w] / np.float32(255)), (x, y))

    def paint(self, colour: Bgr, cover: NDArray[np.float32], corner_px: tuple[int, int] = (0, 0)) -> None:
        """Lay a colour over the large picture by an (h, w) cover of 0..1 whose top left is at `corner_px`."""
        x, y = corner_px
        h, w = cover.shape
        part = self.image[y : y + h, x : x + w]
        mixed = part + cover[..., None] * (np.array(colour, np.float32) - part)
        part[:] = np.clip(mixed + 0.5, 0, 255).astype(np.uint8)

    def finished(self) -> NDArray[np.uint8]:
        """Reduce to the wanted scale: (H, W, 3) uint8 BGR."""
        return cv2.resize(self.image, self.shape[::-1], interpolation=cv2.INTER_AREA)
