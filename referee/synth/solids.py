"""Solids made of tapered capsules, seen from above: the shape of hands and arms before skin and light."""

from __future__ import annotations

import numpy as np

Point = tuple[float, float]


class Solid:
    """A height field into which capsules are melted; keeps which part is on top and where along it."""

    def __init__(self, width: int, height: int, scale: float) -> None:
        self.scale = scale
        self.top = np.full((height, width), -1e3, np.float32)
        self.part = np.full((height, width), -1, np.int8)
        self.along = np.zeros((height, width), np.float32)
        self.across = np.zeros((height, width), np.float32)

    def capsule(self, a: Point, b: Point, ra: float, rb: float, za: float, zb: float, part: int) -> None:
        """Add a tapered capsule from a to b (mm), radii and axis heights in mm."""
        s = self.scale
        pad = max(ra, rb) + 1
        x0 = max(0, int((min(a[0], b[0]) - pad) * s))
        x1 = min(self.top.shape[1], int((max(a[0], b[0]) + pad) * s) + 2)
        y0 = max(0, int((min(a[1], b[1]) - pad) * s))
        y1 = min(self.top.shape[0], int((max(a[1], b[1]) + pad) * s) + 2)
        if x1 <= x0 or y1 <= y0:
            return
        x = np.arange(x0, x1, dtype=np.float32)[None, :] / s
        y = np.arange(y0, y1, dtype=np.float32)[:, None] / s
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = max(float(np.hypot(dx, dy)), 1e-3)
        raw = ((x - a[0]) * dx + (y - a[1]) * dy) / (length * length)
        t = np.clip(raw, 0, 1)
        px, py = x - a[0] - t * dx, y - a[1] - t * dy
        radius = ra + (rb - ra) * t
        rest = radius * radius - px * px - py * py
        height = np.where(rest > 0, za + (zb - za) * t + np.sqrt(np.maximum(rest, 0)), -1e3)
        box = np.s_[y0:y1, x0:x1]
        wins = height > self.top[box]
        np.copyto(self.top[box], height, where=wins)
        np.copyto(self.part[box], part, where=wins)
        np.copyto(self.along[box], raw, where=wins)
        side = (px * dy - py * dx) / (length * radius)
        np.copyto(self.across[box], side, where=wins)
