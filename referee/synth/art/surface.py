"""Turns a clean print into a card that was printed, cut, played with and sleeved, and cuts its round corners."""

from __future__ import annotations

from functools import cache, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.synth.art.canvas import rectangle
from referee.synth.art.style import ArtStyle

_TILE = 1024
_GREY = np.full((1, 3), 1 / 3, np.float32)


@cache
def _noise_tiles() -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Give (fine, middling, coarse) noise, each (1024, 1024), about -1..1, and seamless."""
    rng = np.random.default_rng(20)
    tiles = []
    for sigma in (0.7, 6.0, 40.0):
        white = rng.standard_normal((_TILE, _TILE)).astype(np.float32)
        pad = int(3 * sigma) + 1
        wrapped = cv2.copyMakeBorder(white, pad, pad, pad, pad, cv2.BORDER_WRAP)
        soft = cv2.GaussianBlur(wrapped, (0, 0), sigma)[pad:-pad, pad:-pad]
        tiles.append(soft / (2.0 * soft.std()))
    return tiles[0], tiles[1], tiles[2]


def noise(rng: np.random.Generator, shape: tuple[int, int], scale: int) -> NDArray[np.float32]:
    """Cut an (H, W) float32 piece out of a noise tile; scale 0 is fine, 1 middling, 2 coarse; about -1..1."""
    tile = _noise_tiles()[scale]
    if shape[0] >= _TILE or shape[1] >= _TILE:
        return cv2.resize(tile, shape[::-1], interpolation=cv2.INTER_LINEAR)
    y, x = rng.integers(_TILE - shape[0]), rng.integers(_TILE - shape[1])
    return tile[y : y + shape[0], x : x + shape[1]]


@lru_cache(maxsize=64)
def card_alpha(shape: tuple[int, int], radius_px: float) -> NDArray[np.uint8]:
    """Render the card's outline with round corners, (H, W) uint8, read-only."""
    h, w = shape
    mask = np.zeros((h * 4, w * 4), np.uint8)
    # Half a large pixel on each side, because fillPoly paints the border too.
    outline = rectangle(w * 4 - 1, h * 4 - 1, radius_px * 4, w * 2 - 0.5, h * 2 - 0.5)
    cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    alpha = cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA)
    alpha.setflags(write=False)
    return alpha


@lru_cache(maxsize=32)
def _edge_distance(shape: tuple[int, int], radius_px: float) -> NDArray[np.float32]:
    inside = cv2.copyMakeBorder((card_alpha(shape, radius_px) > 127).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    distance = cv2.distanceTransform(inside, cv2.DIST_L2, 3)[1:-1, 1:-1]
    distance.setflags(write=False)
    return distance


def finish(bgr: NDArray[np.uint8], style: ArtStyle, rng: np.random.Generator, px_per_mm: float) -> NDArray[np.uint8]:
    """Age a clean (H, W, 3) print and cut it: (H, W, 4) uint8 BGRA."""
    surface = style.surface
    shape = bgr.shape[:2]
    radius = round(surface.corner_mm * px_per_mm, 2)
    image = bgr.astype(np.float32)
    if surface.fade > 0.02:
        grey = cv2.transform(image, _GREY)[..., None]
        image += (grey - image) * (0.5 * surface.fade)
        image += (np.array(style.paper, np.float32) - image) * (0.25 * surface.fade)
    if surface.tint[1] > 0:
        image += (image * (np.array(surface.tint[0], np.float32) / 245) - image) * min(1.0, surface.tint[1] * 4)
    grain = noise(rng, shape, 0) * (4.0 * surface.grain) + noise(rng, shape, 2) * (4.0 * surface.grain)
    image += grain[..., None]
    _soil(image, surface.dirt, rng)
    _scuff(image, style, rng, px_per_mm, _edge_distance(shape, radius))
    if surface.sleeve:
        _sleeve(image, rng, px_per_mm, _edge_distance(shape, radius))
    out = np.empty((*shape, 4), np.uint8)
    out[..., :3] = np.clip(image + 0.5, 0, 255)
    out[..., 3] = card_alpha(shape, radius)
    return out


def _soil(image: NDArray[np.float32], dirt: float, rng: np.random.Generator) -> None:
    if dirt < 0.02:
        return
    shape = image.shape[:2]
    blot = np.clip(noise(rng, shape, 2) + 0.35 * noise(rng, shape, 1) - 0.55 + 0.5 * dirt, 0, 1) * (0.35 * dirt)
    image *= 1 - blot[..., None] * np.array([0.9, 0.7, 0.55], np.float32)


def _scuff(
    image: NDArray[np.float32],
    style: ArtStyle,
    rng: np.random.Generator,
    px_per_mm: float,
    edge_px: NDArray[np.float32],
) -> None:
    """Show the paper at the edges, where ink has rubbed off, and in scratches and creases."""
    shape, surface = image.shape[:2], style.surface
    paper = np.array(style.paper, np.float32)
    edge_mm = edge_px / px_per_mm
    rough = noise(rng, shape, 1)
    bare = (
        np.clip((surface.edge_mm - edge_mm) * px_per_mm + 0.5, 0, 1) if surface.edge_mm else np.zeros(shape, np.float32)
    )
    if surface.wear > 0.02:
        reach = 0.2 + 1.6 * surface.wear
        rub = np.clip(reach * (0.9 + rough + 0.4 * noise(rng, shape, 0)) - edge_mm, 0, 1) * min(1.0, 1.6 * surface.wear)
        bare = np.maximum(bare, rub)
        spots = (
            np.clip(noise(rng, shape, 1) + 0.5 * noise(rng, shape, 0) - 1.75 + 0.5 * surface.wear, 0, 1) * surface.wear
        )
        bare = np.maximum(bare, spots)
    image += bare[..., None] * (paper - image)
    for _ in range(rng.poisson(3 * surface.wear)):
        _scratch(image, rng, px_per_mm)
    if surface.wear > 0.35 and rng.random() < 0.4:
        _crease(image, rng, px_per_mm)


def _scratch(image: NDArray[np.float32], rng: np.random.Generator, px_per_mm: float) -> None:
    h, w = image.shape[:2]
    start = rng.uniform(0, 1, 2) * (w, h)
    end = start + rng.normal(0, 12, 2) * px_per_mm
    layer = np.zeros((h, w), np.uint8)
    points = np.round(np.stack([start, end]) * 16).astype(np.int32)
    cv2.polylines(layer, [points], False, 255, 1, cv2.LINE_AA, 4)
    image += layer[..., None].astype(np.float32) * (rng.uniform(0.06, 0.25) * rng.choice([1, 1, -0.6]))


def _crease(image: NDArray[np.float32], rng: np.random.Generator, px_per_mm: float) -> None:
    """Fold a corner over and back: a light line with a dark neighbour."""
    h, w = image.shape[:2]
    cut = rng.uniform(4, 16, 2) * px_per_mm
    corner = rng.integers(2, size=2)
    xs = (cut[0], 0.0) if corner[0] == 0 else (w - cut[0], float(w))
    ys = (0.0, cut[1]) if corner[1] == 0 else (float(h), h - cut[1])
    layer = np.zeros((h, w), np.uint8)
    points = np.round(np.stack([xs, ys], axis=1) * 16).astype(np.int32)
    cv2.polylines(layer, [points], False, 255, max(1, round(0.3 * px_per_mm)), cv2.LINE_AA, 4)
    image += layer[..., None].astype(np.float32) * rng.uniform(0.1, 0.35)
    image -= np.roll(layer, 1, axis=0)[..., None].astype(np.float32) * rng.uniform(0.0, 0.2)


def _sleeve(
    image: NDArray[np.float32], rng: np.random.Generator, px_per_mm: float, edge_px: NDArray[np.float32]
) -> None:
    """Lay clear plastic over the card: a veil, a streak of light, a bright welded seam near the edge."""
    h, w = image.shape[:2]
    angle, at = rng.uniform(0, np.pi), rng.uniform(-0.6, 0.6)
    x, y = np.linspace(-1, 1, w, dtype=np.float32)[None, :], np.linspace(-1, 1, h, dtype=np.float32)[:, None]
    across = x * np.cos(angle) + y * np.sin(angle) - at
    streak = np.exp(-((across / rng.uniform(0.08, 0.5)) ** 2)) * rng.uniform(10, 60)
    seam = np.exp(-((edge_px / px_per_mm - rng.uniform(0.5, 1.3)) ** 2) / 0.05) * rng.uniform(10, 45)
    image += (255 - image) * rng.uniform(0.02, 0.12)
    image += (streak + seam)[..., None].astype(np.float32)
