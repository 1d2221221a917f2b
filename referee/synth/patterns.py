"""Printed and woven patterns for cloths, rugs and oilcloth: stripes, checks, dots, flowers, framed fields.

Some look like rows of cards or of pips on purpose: a detector must not take them for cards.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from ..vision.frames import Image
from .noise_fields import colored

Rng = np.random.Generator
Size = tuple[int, int]


def _inks(rng: Rng, count: int) -> list[np.ndarray]:
    saturation = (0, 60) if rng.random() < 0.35 else (10, rng.uniform(60, 220))
    return [colored(rng, (30, 255), saturation) for _ in range(count)]


def _stripes(size: Size, scale: float, rng: Rng) -> Image:
    width, height = size
    inks = _inks(rng, int(rng.integers(2, 6)))
    widths = [max(2, int(rng.uniform(3, 60) * scale)) for _ in inks]
    line = np.concatenate([np.tile(ink, (w, 1)) for ink, w in zip(inks, widths, strict=True)])
    line = np.tile(line, (width // len(line) + 2, 1))[:width]
    return np.tile(line[None], (height, 1, 1)).astype(np.uint8)


def _checks(size: Size, scale: float, rng: Rng) -> Image:
    across = _stripes(size, scale, rng).astype(np.float32)
    down = np.tile(across[0][: size[1]][:, None], (1, size[0], 1)) if size[1] <= size[0] else across
    if down.shape != across.shape:
        down = cv2.resize(down, size)
    return ((across + down) / 2).astype(np.uint8)


def _gingham(size: Size, scale: float, rng: Rng) -> Image:
    square = max(2, int(rng.uniform(6, 50) * scale))
    rows, columns = np.indices(size[::-1]) // square
    level = ((rows % 2) + (columns % 2)) / 2
    ink, ground = colored(rng, (40, 220), (80, 240)), colored(rng, (200, 255), (0, 30))
    return (ground + level[..., None] * (ink - ground)).astype(np.uint8)


def _motif(rng: Rng, side: int, inks: list[np.ndarray]) -> np.ndarray:
    """One repeated print, BGRA: dot, diamond, heart, flower, leaf, ring, letter or star."""
    tile = np.zeros((side, side, 4), np.uint8)
    middle = side // 2
    ink = (*(float(v) for v in inks[0]), 255.0)
    other = (*(float(v) for v in inks[-1]), 255.0)
    kind = int(rng.integers(8))
    r = max(1, int(side * rng.uniform(0.2, 0.42)))
    if kind == 0:
        cv2.circle(tile, (middle, middle), r, ink, -1, cv2.LINE_AA)
    elif kind == 1:
        points = np.array(
            [
                [middle, middle - r],
                [middle + int(r * 0.7), middle],
                [middle, middle + r],
                [middle - int(r * 0.7), middle],
            ]
        )
        cv2.fillConvexPoly(tile, points, ink, cv2.LINE_AA)
    elif kind == 2:
        h = max(1, r // 2)
        cv2.circle(tile, (middle - h, middle - h // 2), h, ink, -1, cv2.LINE_AA)
        cv2.circle(tile, (middle + h, middle - h // 2), h, ink, -1, cv2.LINE_AA)
        cv2.fillConvexPoly(
            tile,
            np.array([[middle - 2 * h, middle - h // 4], [middle + 2 * h, middle - h // 4], [middle, middle + r]]),
            ink,
            cv2.LINE_AA,
        )
    elif kind == 3:
        petals = int(rng.integers(4, 9))
        for angle in np.arange(petals) * 2 * np.pi / petals:
            at = (int(middle + np.cos(angle) * r * 0.6), int(middle + np.sin(angle) * r * 0.6))
            cv2.circle(tile, at, max(1, int(r * 0.4)), ink, -1, cv2.LINE_AA)
        cv2.circle(tile, (middle, middle), max(1, int(r * 0.3)), other, -1, cv2.LINE_AA)
    elif kind == 4:
        cv2.ellipse(
            tile, (middle, middle), (r, max(1, r // 3)), float(rng.uniform(0, 180)), 0, 360, ink, -1, cv2.LINE_AA
        )
    elif kind == 5:
        cv2.circle(tile, (middle, middle), r, ink, max(1, r // 3), cv2.LINE_AA)
    elif kind == 6:
        text = str(rng.choice(list("AKQJ1234567890RSW&")))
        cv2.putText(
            tile,
            text,
            (middle - r // 2, middle + r // 2),
            cv2.FONT_HERSHEY_SIMPLEX,
            r / 22,
            ink,
            max(1, r // 8),
            cv2.LINE_AA,
        )
    else:
        angles = np.arange(10) * np.pi / 5
        radii = np.where(np.arange(10) % 2, r * 0.45, r)
        points = np.stack([middle + np.sin(angles) * radii, middle - np.cos(angles) * radii], 1)
        cv2.fillPoly(tile, [points.astype(np.int32)], ink, cv2.LINE_AA)
    return tile


def _dots(size: Size, scale: float, rng: Rng) -> Image:
    """Motifs in a grid or half drop; printed as rows of pips now and then."""
    pitch = max(5, int(rng.uniform(8, 70) * scale))
    inks = _inks(rng, 3)
    motif = _motif(rng, pitch, inks)
    ground = inks[1]
    cell = np.empty((pitch, pitch, 3), np.float32)
    cell[:] = ground
    alpha = motif[..., 3:] / 255.0
    cell += alpha * (motif[..., :3] - cell)
    if rng.random() < 0.5:
        pair = np.concatenate([cell, np.roll(cell, pitch // 2, 0)], 1)
    else:
        pair = np.concatenate([cell, cell], 1)
    image = np.tile(pair, (size[1] // pitch + 2, size[0] // (2 * pitch) + 2, 1))
    return image[: size[1], : size[0]].astype(np.uint8)


def _framed(size: Size, scale: float, rng: Rng) -> Image:
    """Draw a field of framed oblongs, each with motifs: quilts, stamps, card-like prints."""
    inks = _inks(rng, 4)
    cell_w = max(8, int(rng.uniform(30, 120) * scale))
    cell_h = max(8, int(cell_w * rng.uniform(0.8, 1.7)))
    margin = max(1, int(cell_w * rng.uniform(0.03, 0.2)))
    cells = []
    for _ in range(4):
        cell = np.empty((cell_h, cell_w, 3), np.float32)
        cell[:] = inks[1]
        cv2.rectangle(
            cell,
            (margin, margin),
            (cell_w - margin, cell_h - margin),
            inks[2].tolist(),
            -1 if rng.random() < 0.6 else max(1, margin // 2),
        )
        side = max(4, int(cell_w * rng.uniform(0.3, 0.7)))
        motif = _motif(rng, side, _inks(rng, 2))
        x, y = (cell_w - side) // 2, (cell_h - side) // 2
        if y >= 0:
            alpha = motif[..., 3:] / 255.0
            spot = cell[y : y + side, x : x + side]
            spot += alpha * (motif[..., :3] - spot)
        cells.append(cell)
    block = np.concatenate([np.concatenate(cells[:2], 1), np.concatenate(cells[2:], 1)], 0)
    image = np.tile(block, (size[1] // block.shape[0] + 1, size[0] // block.shape[1] + 1, 1))
    return image[: size[1], : size[0]].astype(np.uint8)


def _scattered(size: Size, scale: float, rng: Rng) -> Image:
    """Motifs strewn over a plain ground: flowers, leaves, Christmas cloth."""
    inks = _inks(rng, 2)
    image = np.empty((size[1], size[0], 3), np.uint8)
    image[:] = inks[0].astype(np.uint8)
    motifs = [_motif(rng, max(5, int(rng.uniform(10, 90) * scale)), _inks(rng, 2)) for _ in range(4)]
    for _ in range(int(rng.integers(30, 160))):
        motif = motifs[rng.integers(len(motifs))]
        side = len(motif)
        x, y = int(rng.integers(-side, size[0])), int(rng.integers(-side, size[1]))
        x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + side, size[0]), min(y + side, size[1])
        if x1 > x0 and y1 > y0:
            part = motif[y0 - y : y1 - y, x0 - x : x1 - x]
            spot = image[y0:y1, x0:x1]
            np.copyto(spot, part[..., :3], where=part[..., 3:] > 127)
    return image


_PATTERNS: tuple[Callable[[Size, float, Rng], Image], ...] = (_stripes, _checks, _gingham, _dots, _framed, _scattered)


def cloth_pattern(size_px: Size, px_per_mm: float, rng: Rng) -> Image:
    """Draw one random pattern as printed, without thread or light: (H, W, 3) uint8."""
    return _PATTERNS[rng.integers(len(_PATTERNS))](size_px, px_per_mm, rng)
