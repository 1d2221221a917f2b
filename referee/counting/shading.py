"""Takes shadows and pools of light out of a flat view (flat-field correction), by the cards themselves.

All cards of one printing have the same ground: where it is darker than on most of them, less light falls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from ..layout import Pose
from ..vision.geometry import card_quad
from .flat import FlatView

Floats = npt.NDArray[np.float32]

_GAMMA = 2.2
_LINEAR = (np.linspace(0, 1, 256) ** _GAMMA).astype(np.float32)
_SAME_GROUND = 0.05
"""Distance of two grounds' shares of blue, green and red up to which they are one: light may be warmer at one end."""
_INK_MM = 7
"""Ink up to this wide doesn't darken the ground."""
_REACH_MM = (6.0, 24.0, 96.0)
"""How far light is alike: where no ground is near, farther ones are asked."""
_FAR = np.float32(0.02)
_EDGE_MM = 4.0
_MOST = 6.0
_EVEN = 0.5
"""Logarithm of how much brighter the light is at most where nothing need be done: up to here designs are alike."""
_LEAST_BOXES = 3


def correct_shading(view: FlatView, places: Sequence[tuple[Pose, tuple[float, float]]]) -> FlatView:
    """Give a flat view as if all of it were lit like the middle one of its cards.

    Parameters
    ----------
    places
        Pose and size (mm) of the cards that were found; with fewer than three nothing is changed.
    """
    if len(places) < _LEAST_BOXES:
        return view
    size = tuple(max(1, round(side / view.px_per_mm)) for side in view.image.shape[1::-1])
    small = cv2.resize(view.image, (size[0], size[1]), interpolation=cv2.INTER_AREA)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_INK_MM, _INK_MM))
    light = cv2.LUT(cv2.morphologyEx(small, cv2.MORPH_CLOSE, kernel), _LINEAR) + np.float32(1e-3)
    grounds = [found for found in (_ground(view, light, pose, box) for pose, box in places) if found is not None]
    bright = light.sum(axis=2)
    gain, weight = np.zeros_like(bright), np.zeros_like(bright)
    for members in _group([color for _, _, color in grounds]):
        usual = float(np.median([grounds[n][2].sum() for n in members]))
        for n in members:
            part, mask, _ = grounds[n]
            gain[part][mask] = np.log(bright[part][mask] / usual)
            weight[part][mask] = 1
    low, high = np.percentile(gain[weight > 0], (5, 95)) if weight.any() else (0.0, 0.0)
    if high - low < _EVEN:
        return view
    most = np.log(_MOST)
    field = np.exp(np.clip(_spread(gain, weight), -most, most))
    field = cv2.resize(field, view.image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    even = np.clip(cv2.LUT(view.image, _LINEAR) / field[..., None], 0, 1) ** np.float32(1 / _GAMMA)
    return replace(view, image=np.round(even * 255).astype(np.uint8))


def _ground(
    view: FlatView, light: Floats, pose: Pose, box: tuple[float, float]
) -> tuple[tuple[slice, slice], npt.NDArray[np.bool_], Floats] | None:
    """Give the part of the view that a card lies in, where in it its ground is seen, and the ground's colour (3,)."""
    corners = card_quad(pose, (box[0] - 2 * _EDGE_MM, box[1] - 2 * _EDGE_MM)) - (view.left_mm, view.top_mm)
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    high = np.maximum(np.ceil(corners.max(axis=0)).astype(int) + 1, 0)
    part = (slice(low[1], high[1]), slice(low[0], high[0]))
    inside = np.zeros(light[part].shape[:2], np.uint8)
    if not inside.size:
        return None
    cv2.fillConvexPoly(inside, np.round(corners - low).astype(np.int32), 1)
    if not inside.any():
        return None
    seen = light[part]
    color = np.median(seen[inside > 0], axis=0)
    share = seen / seen.sum(axis=2, keepdims=True)
    near = np.linalg.norm(share - color / color.sum(), axis=2) < _SAME_GROUND
    return part, near & (inside > 0), color


def _group(colors: Sequence[Floats]) -> list[list[int]]:
    """Sort grounds by their hue, however bright they are; a hue that only one card has says nothing."""
    groups: list[list[int]] = []
    shares = [color / color.sum() for color in colors]
    for n, share in enumerate(shares):
        near = [(float(np.linalg.norm(share - np.mean([shares[m] for m in g], axis=0))), g) for g in groups]
        apart, best = min(near, key=lambda item: item[0], default=(1.0, []))
        if apart < _SAME_GROUND:
            best.append(n)
        else:
            groups.append([n])
    return [group for group in groups if len(group) > 1]


def _spread(values: Floats, weight: Floats) -> Floats:
    """Spread values (H, W) from where they are known over the whole view; 0 where none is near."""
    height, width = weight.shape
    result = np.zeros_like(values)
    for reach in reversed(_REACH_MM):
        # Blurred at a quarter of the reach for each pixel: light changes slowly.
        step = max(1.0, reach / 4)
        size = (max(1, round(width / step)), max(1, round(height / step)))
        table = np.dstack([values * weight, weight])
        table = cv2.GaussianBlur(cv2.resize(table, size, interpolation=cv2.INTER_AREA), (0, 0), reach / step)
        table = cv2.resize(table, (width, height), interpolation=cv2.INTER_LINEAR)
        # What is known from farther away counts a little, so that there is no edge where near grounds end.
        result = (table[..., 0] + _FAR * result) / (table[..., 1] + _FAR)
    return result
