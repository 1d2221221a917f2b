"""Cheap smooth noise for textures: sums of enlarged random grids. numpy and OpenCV only."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from ..vision.frames import Image

Rng = np.random.Generator
Floats = npt.NDArray[np.float32]


def stretched(size_px: tuple[int, int], cell_px: tuple[float, float], rng: Rng) -> Floats:
    """Give smooth noise, about -1..1, whose cells are `cell_px` wide and high: (H, W) float32."""
    width, height = size_px
    columns = int(np.clip(width / max(cell_px[0], 1e-3), 2, width)) + 3
    rows = int(np.clip(height / max(cell_px[1], 1e-3), 2, height)) + 3
    grid = rng.standard_normal((rows, columns), dtype=np.float32) * 0.5
    cells = columns - 3, rows - 3
    # First to eight samples a cell, then up: OpenCV's cubic is slow and steps visibly when it enlarges more than that.
    mid = min(width, 8 * cells[0]), min(height, 8 * cells[1])
    whole = [round(m * (c + 3) / c) for m, c in zip(mid, cells, strict=True)]
    # A random offset in the grid, so that no cell border ever falls on the picture's edge.
    x, y = (round((rng.uniform(0.5, 1.5) + 0.5) * m / c) for m, c in zip(mid, cells, strict=True))
    small = cv2.resize(grid, whole, interpolation=cv2.INTER_CUBIC)[y : y + mid[1], x : x + mid[0]]
    return cv2.resize(small, size_px, interpolation=cv2.INTER_CUBIC) if mid != size_px else np.ascontiguousarray(small)


def fractal(size_px: tuple[int, int], cell_px: float, rng: Rng, octaves: int = 4) -> Floats:
    """Give fractal noise, about -1..1, whose largest cells are `cell_px` wide: (H, W) float32."""
    total = stretched(size_px, (cell_px, cell_px), rng)
    gain = 0.5
    for _ in range(octaves - 1):
        cell_px *= 0.5
        if cell_px < 1:
            break
        total += gain * stretched(size_px, (cell_px, cell_px), rng)
        gain *= 0.5
    return total


def white(size_px: tuple[int, int], rng: Rng) -> Floats:
    """Give one independent value a pixel, about -1..1: (H, W) float32."""
    block = rng.integers(0, 256, (size_px[1], size_px[0]), dtype=np.uint8)
    return (block.astype(np.float32) - 127.5) / 127.5


def colored(rng: Rng, value: tuple[float, float], chroma: tuple[float, float]) -> Floats:
    """Give a random BGR colour with the given ranges of value and of saturation, 0..255: (3,) float32."""
    hsv = np.array([[[rng.integers(180), rng.uniform(*chroma), rng.uniform(*value)]]], np.uint8)
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def palette(value: Floats, first: npt.ArrayLike, second: npt.ArrayLike) -> Image:
    """Map 0..1 to the colours between two BGR ends: (H, W, 3) uint8."""
    steps = np.linspace(0, 1, 256, dtype=np.float32)[:, None]
    ends = np.asarray(first, np.float32), np.asarray(second, np.float32)
    table = np.clip(ends[0] * (1 - steps) + ends[1] * steps, 0, 255).astype(np.uint8)
    return table[np.clip(value * 255, 0, 255).astype(np.uint8)]
