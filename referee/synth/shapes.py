"""Where a card or thing lies, and the points of its outline: millimetres only, nothing is drawn here."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ..vision.frames import Image

Floats = npt.NDArray[np.float64]

CARD_MM = 0.3
"""Thickness of a card."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a card lies.

    Parameters
    ----------
    x_mm, y_mm, angle_deg
        Its pose on the table: 0 = long side along y, growing clockwise.
    height_mm
        Of its lowest point.
    lift_mm
        (4,) further height of the corners, clockwise from the top left: a card held or leaning.
    bend_mm
        How far the middle is arched up (positive) or the short ends are (negative).
    """

    x_mm: float
    y_mm: float
    angle_deg: float
    height_mm: float = 0.0
    lift_mm: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    bend_mm: float = 0.0


def corners_mm(size_mm: tuple[float, float], x_mm: float, y_mm: float, angle_deg: float) -> Floats:
    """Give the corners of an oblong, clockwise from its own top left: (4, 2) mm."""
    half = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * size_mm
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    return half @ np.array([[c, s], [-s, c]]) + (x_mm, y_mm)


def direction(angle_deg: float) -> Floats:
    """Give the unit vector from a card's middle to its top edge."""
    return np.array([np.sin(np.radians(angle_deg)), -np.cos(np.radians(angle_deg))])


def card_points(flat: Floats, heights: Floats, bend_mm: float, u: float | Floats, v: Floats) -> Floats:
    """Give points (u across, v along, 0..1) of a card that may lean and be bent along its length: (N, 3) mm."""
    u = np.broadcast_to(u, v.shape)
    weights = np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], 1)
    arch = 4 * v * (1 - v)
    rise = bend_mm * arch if bend_mm >= 0 else -bend_mm * (1 - arch)
    return np.column_stack([weights @ flat, weights @ heights + rise])


def outline_mm(picture: Image, flat: Floats) -> Floats:
    """Give the hull of what a sprite covers, in mm."""
    alpha = picture[..., 3]
    if alpha[0, 0] > 127 and alpha[-1, -1] > 127:
        return flat
    small = cv2.resize(alpha, (24, 24), interpolation=cv2.INTER_AREA)
    rows, columns = np.nonzero(small > 90)
    if len(rows) < 3:
        return flat
    hull = cv2.convexHull(np.stack([columns, rows], 1).astype(np.float32)).reshape(-1, 2)
    u, v = (hull[:, :1] + 0.5) / 24, (hull[:, 1:] + 0.5) / 24
    return flat[0] + u * (flat[1] - flat[0]) + v * (flat[3] - flat[0])
