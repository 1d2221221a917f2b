"""Turns a clean print into a card that was printed, cut, played with and sleeved, and cuts its round corners."""

from __future__ import annotations

from functools import cache, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from .canvas import rectangle
from .style import ArtStyle

_TILE = 1024
_GREY_BGR = np.full((3, 3), 1 / 3, np.float32)


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
    radius = round(surface.corner_mm * px_per_mm, 1)
    image = bgr.astype(np.float32)
    if surface.fade > 0.02:
        grey = cv2.transform(image, _GREY_BGR)
        image = cv2.addWeighted(image, 1 - 0.5 * surface.fade, grey, 0.5 * surface.fade, 0)
        image = cv2.addWeighted(image, 1 - 0.25 * surface.fade, _sheet(shape, style), 0.25 * surface.fade, 0)
    if surface.tint[1] > 0:
        share = min(1.0, surface.tint[1] * 4)
        image = cv2.multiply(image, (*(1 + (channel / 245 - 1) * share for channel in surface.tint[0]), 1.0))
    grain = (noise(rng, shape, 0) + noise(rng, shape, 2)) * np.float32(4.0 * surface.grain)
    image = cv2.add(image, cv2.merge([grain] * 3))
    image = _soil(image, surface.dirt, rng)
    image = _scuff(image, style, rng, px_per_mm, _edge_distance(shape, radius))
    if surface.sleeve:
        image = _sleeve(image, rng, px_per_mm, _edge_distance(shape, radius))
    return cv2.merge([*cv2.split(cv2.convertScaleAbs(cv2.max(image, 0.0))), card_alpha(shape, radius)])


def _sheet(shape: tuple[int, int], style: ArtStyle) -> NDArray[np.float32]:
    sheet = np.empty((*shape, 3), np.float32)
    cv2.rectangle(sheet, (0, 0), shape[::-1], style.paper, cv2.FILLED)
    return sheet


def _soil(image: NDArray[np.float32], dirt: float, rng: np.random.Generator) -> NDArray[np.float32]:
    if dirt < 0.02:
        return image
    h, w = image.shape[:2]
    # Blots are soft: a quarter of the scale is enough for them.
    small = (h // 4 + 1, w // 4 + 1)
    spread = (
        noise(rng, (h, w), 2)[::4, ::4]
        + 0.35 * cv2.resize(noise(rng, (h, w), 1), small[::-1])[: -(-h // 4), : -(-w // 4)]
    )
    blot = cv2.resize(np.clip(spread - 0.55 + 0.5 * dirt, 0, 1) * np.float32(0.35 * dirt), (w, h))
    return cv2.multiply(image, cv2.merge([1 - blot * np.float32(share) for share in (0.9, 0.7, 0.55)]))


def _scuff(
    image: NDArray[np.float32],
    style: ArtStyle,
    rng: np.random.Generator,
    px_per_mm: float,
    edge_px: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Show the paper at the edges, where ink has rubbed off, and in scratches and creases."""
    shape, surface = image.shape[:2], style.surface
    bare = cv2.min(cv2.max(surface.edge_mm * px_per_mm + 0.5 - edge_px, 0.0), 1.0)
    if surface.edge_mm == 0:
        bare = np.zeros(shape, np.float32)
    if surface.wear > 0.02:
        wear = np.float32(surface.wear)
        rough, fine = noise(rng, shape, 1), noise(rng, shape, 0)
        reach = 0.2 + 1.6 * wear
        rub = np.clip(reach * (0.9 + rough + 0.4 * fine) - edge_px * np.float32(1 / px_per_mm), 0, 1)
        spots = np.clip(noise(rng, shape, 1) + 0.5 * fine - (1.75 - 0.5 * wear), 0, 1)
        bare = cv2.max(bare, cv2.max(rub * min(np.float32(1.0), np.float32(1.6) * wear), spots * wear))
    image = cv2.blendLinear(_sheet(shape, style), image, bare, 1 - bare)
    for _ in range(rng.poisson(3 * surface.wear)):
        _scratch(image, rng, px_per_mm)
    if surface.wear > 0.35 and rng.random() < 0.4:
        _crease(image, rng, px_per_mm)
    return image


def _scratch(image: NDArray[np.float32], rng: np.random.Generator, px_per_mm: float) -> None:
    h, w = image.shape[:2]
    start = rng.uniform(0, 1, 2) * (w, h)
    end = start + rng.normal(0, 12, 2) * px_per_mm
    _mark(image, np.stack([start, end]), 1, rng.uniform(15, 62) * rng.choice([1, 1, -0.6]))


def _crease(image: NDArray[np.float32], rng: np.random.Generator, px_per_mm: float) -> None:
    """Fold a corner over and back: a light line with a dark neighbour."""
    h, w = image.shape[:2]
    cut = rng.uniform(4, 16, 2) * px_per_mm
    corner = rng.integers(2, size=2)
    xs = (cut[0], 0.0) if corner[0] == 0 else (w - cut[0], float(w))
    ys = (0.0, cut[1]) if corner[1] == 0 else (float(h), h - cut[1])
    fold = np.stack([xs, ys], axis=1)
    thick = max(1, round(0.3 * px_per_mm))
    _mark(image, fold, thick, rng.uniform(25, 90))
    _mark(image, fold + (0.0, thick), thick, -rng.uniform(0, 50))


def _mark(image: NDArray[np.float32], points: NDArray[np.float64], thick: int, amount: float) -> None:
    """Lighten or darken along a line."""
    low = np.maximum(np.floor(points.min(axis=0)).astype(int) - thick - 2, 0)
    high = np.minimum(np.ceil(points.max(axis=0)).astype(int) + thick + 3, image.shape[1::-1])
    if (high <= low).any():
        return
    layer = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.polylines(layer, [np.round((points - low) * 16).astype(np.int32)], False, 255, thick, cv2.LINE_AA, 4)
    part = image[low[1] : high[1], low[0] : high[0]]
    part += (layer * np.float32(amount / 255))[..., None]


def _sleeve(
    image: NDArray[np.float32], rng: np.random.Generator, px_per_mm: float, edge_px: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Lay clear plastic over the card: a veil, a streak of light, a bright welded seam near the edge."""
    h, w = image.shape[:2]
    angle, at = rng.uniform(0, np.pi), rng.uniform(-0.6, 0.6)
    x, y = np.linspace(-1, 1, w, dtype=np.float32)[None, :], np.linspace(-1, 1, h, dtype=np.float32)[:, None]
    across = x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle)) - np.float32(at)
    streak = np.exp(-((across / np.float32(rng.uniform(0.08, 0.5))) ** 2)) * np.float32(rng.uniform(10, 60))
    seam = np.exp(-((edge_px * np.float32(1 / px_per_mm) - np.float32(rng.uniform(0.5, 1.3))) ** 2) * 20)
    light = streak + seam * np.float32(rng.uniform(10, 45))
    veil = rng.uniform(0.02, 0.12)
    return cv2.addWeighted(image, 1 - veil, cv2.merge([light] * 3), 1.0, 255 * veil)
