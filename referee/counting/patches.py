"""Finds places that look like a part of a card that nobody found: they have the colours of those that were."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from .likeness import Ground

_LEAST_PATCH = 0.2
"""Share of a card's area: a patch of card-like colours of this size may be a card that nobody found."""


def find_patches(
    ground: Ground, free: npt.NDArray[np.uint8], untold: npt.NDArray[np.uint8]
) -> list[npt.NDArray[np.float64]]:
    """Find places that have the cards' colours and that no card explains: the outline (N, 2) in mm of each.

    Parameters
    ----------
    free, untold
        Where no card was taken, and where besides nothing was said of: uint8 (H, W), 255 there.
    """
    covered = (free == 0) & (ground.free > 0)
    if not covered.any():
        return []
    bins = np.clip(np.floor(ground.lab / np.array([10.0, 8.0, 8.0]) + np.array([0, 16, 16])), 0, 31).astype(np.int32)
    codes = (bins[..., 0] * 32 + bins[..., 1]) * 32 + bins[..., 2]
    near = np.where(covered, 255, 0).astype(np.uint8)
    far = cv2.dilate(near, np.ones((41, 41), np.uint8)) == 0
    table = far & (ground.free > 0) if (far & (ground.free > 0)).sum() > 4000 else ~covered & (ground.free > 0)
    card = np.bincount(codes[covered], minlength=32**3) / int(covered.sum())
    rest = np.bincount(codes[table], minlength=32**3) / max(int(table.sum()), 1)
    like = (card > 4 * rest) & (card > 1e-4)
    mask = (like[codes] & (untold > 0)).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (13, 13)))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    least = _LEAST_PATCH * ground.card_px[0] * ground.card_px[1]
    outlines = []
    for n in range(1, len(stats)):
        if stats[n, cv2.CC_STAT_AREA] < least:
            continue
        contours, _ = cv2.findContours((labels == n).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        hull = cv2.convexHull(max(contours, key=cv2.contourArea)).reshape(-1, 2)
        outlines.append(hull + np.array([ground.left_mm, ground.top_mm]))
    return outlines
