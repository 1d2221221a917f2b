"""What an object on the table is to a scene, and the few strokes that all objects are drawn with."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from ..vision.frames import Image

Rng = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """An object seen from straight above.

    Parameters
    ----------
    picture
        BGRA uint8.
    px_per_mm
        Its scale.
    height_mm
        How far it stands up from the table.
    copies
        How many of its kind usually lie together.
    """

    picture: Image
    px_per_mm: float
    height_mm: float
    copies: int = 1


def blank(width_mm: float, height_mm: float, s: float) -> Image:
    """Give a fully transparent picture of this size in mm at `s` px/mm: (H, W, 4) uint8."""
    return np.zeros((max(3, round(height_mm * s)), max(3, round(width_mm * s)), 4), np.uint8)


def ink(color: np.ndarray | tuple[float, ...]) -> tuple[float, float, float, float]:
    """Give a BGR colour as the opaque scalar that OpenCV draws with."""
    return float(color[0]), float(color[1]), float(color[2]), 255.0


def rounded(picture: Image, radius_px: float, color: np.ndarray) -> None:
    """Fill the picture with a colour, cut to an oblong with round corners."""
    height, width = picture.shape[:2]
    mask = np.zeros((height * 2, width * 2), np.uint8)
    r = int(min(radius_px * 2, min(mask.shape) / 2 - 1))
    cv2.rectangle(mask, (r, 0), (mask.shape[1] - r - 1, mask.shape[0]), 255, -1)
    cv2.rectangle(mask, (0, r), (mask.shape[1], mask.shape[0] - r - 1), 255, -1)
    for x in (r, mask.shape[1] - r - 1):
        for y in (r, mask.shape[0] - r - 1):
            cv2.circle(mask, (x, y), r, 255, -1)
    picture[..., :3] = np.clip(color, 0, 255).astype(np.uint8)
    picture[..., 3] = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)


def disc(picture: Image, inset: float, color: np.ndarray | tuple[float, ...]) -> None:
    """Draw the largest disc that fits, less an inset in px."""
    height, width = picture.shape[:2]
    center = ((width - 1) / 2, (height - 1) / 2)
    shift = 4
    at = (round(center[0] * 16), round(center[1] * 16))
    cv2.circle(
        picture,
        at,
        max(8, round((width / 2 - 0.6 - inset) * 16)),
        ink(color),
        -1,
        cv2.LINE_AA,
        shift,
    )


def tone(picture: Image, gain: np.ndarray) -> None:
    """Multiply the colours by a gain: (H, W) about 1."""
    picture[..., :3] = np.clip(picture[..., :3] * gain[..., None], 0, 255).astype(np.uint8)
