"""Surfaces that cards lie on: wood, carpet, cloth, stone, felt, plain and patterned, all made from noise.

`surface(kind, size_px, px_per_mm, rng)` is the only entry; it knows nothing of cameras, light or cards.
Every kind is drawn at its physical scale, so that a plank is some 90 mm wide whatever the resolution.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from ..vision.frames import Image
from .noise_fields import colored, fractal, palette, stretched, white

Rng = np.random.Generator
Floats = npt.NDArray[np.float32]
Size = tuple[int, int]

WOODS = (
    ((150, 196, 226), (120, 170, 208)),  # birch, beech: (B, G, R) light and dark
    ((96, 146, 190), (62, 106, 152)),
    ((62, 98, 142), (36, 62, 98)),
    ((44, 62, 96), (24, 34, 56)),
    ((36, 52, 120), (20, 28, 72)),  # cherry, mahogany
    ((74, 88, 100), (42, 52, 62)),  # weathered
    ((176, 198, 208), (150, 176, 190)),  # bleached
    ((28, 34, 42), (14, 18, 24)),  # wenge, black stain
    ((84, 132, 196), (44, 84, 146)),  # honey pine
)


def _grain(size: Size, scale: float, rng: Rng) -> Floats:
    """Wood figure in 0..1: warped rings along x, fibres and pores."""
    width, height = size
    y = np.arange(height, dtype=np.float32)[:, None] / scale
    x = np.arange(width, dtype=np.float32)[None, :] / scale
    warp = stretched(size, (260 * scale, 40 * scale), rng)
    slow = stretched(size, (700 * scale, 160 * scale), rng)
    period_mm = rng.uniform(5, 26)
    cathedral = rng.uniform(0, 0.5) * ((x - rng.uniform(0, width) / scale) / 300) ** 2
    phase = (y + 24 * warp + 60 * slow) / period_mm + cathedral * rng.uniform(0, 12)
    rings = 0.5 + 0.5 * np.sin(2 * np.pi * phase)
    rings = rings ** rng.uniform(0.6, 3.0)
    fibre = stretched(size, (70 * scale, max(1.2, 0.8 * scale)), rng)
    pores = stretched(size, (9 * scale, max(1.0, 0.5 * scale)), rng)
    pores = np.clip((pores - rng.uniform(0.25, 0.6)) * 3, 0, 1)
    mix = rng.uniform(0.15, 0.75) * rings + rng.uniform(0.1, 0.35) * fibre + rng.uniform(0.2, 0.5) * (0.5 + 0.5 * slow)
    return np.clip(mix + rng.uniform(0, 0.5) * pores, 0, 1).astype(np.float32)


def _wood_pixels(grain: Floats, rng: Rng) -> Image:
    light, dark = WOODS[rng.integers(len(WOODS))]
    jitter = rng.uniform(0.85, 1.15) * rng.uniform(0.93, 1.07, 3)
    return palette(grain, np.asarray(light) * jitter, np.asarray(dark) * jitter * rng.uniform(0.55, 1.1))


def _wood(size: Size, scale: float, rng: Rng) -> Image:
    image = _wood_pixels(_grain(size, scale, rng), rng)
    if rng.random() < 0.3:
        for _ in range(int(rng.integers(1, 5))):
            center = (int(rng.integers(size[0])), int(rng.integers(size[1])))
            axes = (max(2, int(rng.uniform(6, 22) * scale)), max(2, int(rng.uniform(4, 10) * scale)))
            knot = np.zeros(size[::-1], np.uint8)
            cv2.ellipse(knot, center, axes, 0, 0, 360, 255, -1)
            soft = cv2.GaussianBlur(knot, (0, 0), max(1.0, 3 * scale))[..., None] / 255.0
            image = (image * (1 - soft * rng.uniform(0.3, 0.75))).astype(np.uint8)
    return image


def _boards(size: Size, scale: float, rng: Rng, board_mm: tuple[float, float], gap_mm: float) -> Image:
    """Boards along x with joints: a cut-up grain, each with its own tone."""
    width, height = size
    image = _wood_pixels(_grain(size, scale, rng), rng)
    source = image.copy()
    gap = max(1, round(gap_mm * scale))
    step = max(4, round(board_mm[1] * scale))
    dark = float(rng.uniform(0.25, 0.75))
    spread = float(rng.uniform(0.03, 0.16))
    for top in range(-int(rng.integers(step)), height, step):
        left = -int(rng.integers(max(2, round(board_mm[0] * scale))))
        while left < width:
            length = max(8, round(board_mm[0] * scale * rng.uniform(0.75, 1.25)))
            y0, y1, x0, x1 = max(top, 0), min(top + step, height), max(left, 0), min(left + length, width)
            if y1 > y0 and x1 > x0:
                h, w = y1 - y0, x1 - x0
                sy, sx = int(rng.integers(height - h + 1)), int(rng.integers(width - w + 1))
                patch = source[sy : sy + h, sx : sx + w]
                image[y0:y1, x0:x1] = np.clip(patch * rng.normal(1, spread), 0, 255)
                image[y1 - gap : y1, x0:x1] = (image[y1 - gap : y1, x0:x1] * dark).astype(np.uint8)
                image[y0:y1, x1 - gap : x1] = (image[y0:y1, x1 - gap : x1] * dark).astype(np.uint8)
            left += length
    return image


def _planks(size: Size, scale: float, rng: Rng) -> Image:
    return _boards(size, scale, rng, (rng.uniform(500, 1600), rng.uniform(60, 190)), rng.uniform(0.5, 2.5))


def _parquet(size: Size, scale: float, rng: Rng) -> Image:
    return _boards(size, scale, rng, (rng.uniform(90, 400), rng.uniform(18, 75)), rng.uniform(0.4, 1.5))


def _basket(size: Size, scale: float, rng: Rng) -> Image:
    """Mosaic parquet: squares of parallel fingers, turned by 90 degrees in a checkerboard."""
    fingers = int(rng.integers(3, 7))
    square = max(8, round(rng.uniform(90, 160) * scale))
    across = _boards(size, scale, rng, (square / scale, square / scale / fingers), rng.uniform(0.4, 1.2))
    down = np.ascontiguousarray(cv2.resize(across.transpose(1, 0, 2), size))
    rows, columns = np.indices(size[::-1]) // square
    return np.where(((rows + columns) % 2 == 0)[..., None], across, down).astype(np.uint8)


def _laminate(size: Size, scale: float, rng: Rng) -> Image:
    base = colored(rng, (110, 255) if rng.random() < 0.7 else (20, 120), (0, 70))
    speckle = fractal(size, max(1.5, rng.uniform(1, 6) * scale), rng, 3)
    return np.clip(base + speckle[..., None] * rng.uniform(1, 14) + white(size, rng)[..., None] * 2, 0, 255).astype(
        np.uint8
    )


def _plain(size: Size, scale: float, rng: Rng) -> Image:
    base = colored(rng, (15, 255), (0, rng.uniform(20, 190)))
    blotch = fractal(size, 60 * scale, rng, 4)
    return np.clip(base * (1 + blotch[..., None] * rng.uniform(0, 0.08)), 0, 255).astype(np.uint8)


def _marble(size: Size, scale: float, rng: Rng) -> Image:
    warp = fractal(size, rng.uniform(60, 200) * scale, rng, 6)
    cell = rng.uniform(150, 600) * scale
    veins = np.abs(np.sin(stretched(size, (cell, cell * rng.uniform(0.3, 1)), rng) * 3 + warp * rng.uniform(0.5, 2.5)))
    fade = np.clip(0.6 + fractal(size, 200 * scale, rng, 3), 0, 1)
    veins = 1 - (1 - veins ** rng.uniform(0.15, 0.5)) * fade
    light = colored(rng, (150, 250), (0, 40))
    dark = colored(rng, (20, 170), (0, 70))
    if rng.random() < 0.3:
        light, dark = dark * 0.5, light
    return palette(np.clip(veins + warp * 0.15, 0, 1), dark, light)


def _granite(size: Size, scale: float, rng: Rng) -> Image:
    grain = max(1.3, rng.uniform(1, 4) * scale)
    image = np.empty((size[1], size[0], 3), np.float32)
    image[:] = colored(rng, (40, 210), (0, 60))
    for _ in range(3):
        spots = fractal(size, grain * rng.uniform(0.6, 2.5), rng, 2)
        mask = np.clip((spots - rng.uniform(0.0, 0.4)) * 6, 0, 1)[..., None]
        image += mask * (colored(rng, (10, 240), (0, 60)) - image) * rng.uniform(0.4, 1)
    return np.clip(image, 0, 255).astype(np.uint8)


def _stone(size: Size, scale: float, rng: Rng) -> Image:
    """Slate, concrete, plaster, stained or worn."""
    relief = fractal(size, rng.uniform(30, 160) * scale, rng, 7)
    slope = cv2.Sobel(relief, cv2.CV_32F, 1, 1, ksize=3)
    value = 0.5 + relief * rng.uniform(0.1, 0.35) + slope * rng.uniform(0.5, 3)
    return palette(np.clip(value, 0, 1), colored(rng, (25, 140), (0, 60)), colored(rng, (110, 235), (0, 60)))


def _carpet(size: Size, scale: float, rng: Rng) -> Image:
    """Tufts of 2 to 7 mm lit from one side, in mixed yarns."""
    tuft = max(1.6, rng.uniform(2, 7) * scale)
    bumps = fractal(size, tuft, rng, 2)
    relief = bumps - np.roll(bumps, (max(1, round(tuft / 3)), max(1, round(tuft / 4))), (0, 1))
    tone = 0.5 + rng.uniform(0.15, 0.45) * bumps + rng.uniform(0.2, 0.55) * relief
    tone += white(size, rng) * rng.uniform(0.02, 0.1) + fractal(size, 120 * scale, rng, 3) * rng.uniform(0, 0.12)
    image = palette(np.clip(tone, 0, 1), colored(rng, (10, 110), (0, 80)), colored(rng, (80, 225), (0, 80)))
    if rng.random() < 0.4:
        yarn = np.clip((fractal(size, tuft * 1.2, rng, 1) - 0.2) * 5, 0, 1)[..., None]
        image = np.clip(image + yarn * (colored(rng, (20, 220), (0, 90)) - image) * rng.uniform(0.2, 0.7), 0, 255)
    return image.astype(np.uint8)


def _felt(size: Size, scale: float, rng: Rng) -> Image:
    hues = ((40, 96, 24), (96, 60, 20), (40, 26, 110), (60, 60, 60), (28, 70, 36), (90, 30, 70))
    base = np.asarray(hues[rng.integers(len(hues))], np.float32) * rng.uniform(0.7, 1.5)
    base += (base.mean() - base) * rng.uniform(0, 0.5)
    fibre = fractal(size, max(1.2, 1.5 * scale), rng, 2) * rng.uniform(0.03, 0.14)
    blotch = fractal(size, 150 * scale, rng, 3) * rng.uniform(0, 0.12)
    return np.clip(base * (1 + fibre + blotch)[..., None] + 3 * white(size, rng)[..., None], 0, 255).astype(np.uint8)


def _baize(size: Size, scale: float, rng: Rng) -> Image:
    """Card-room felt with printed lines: betting arcs, places for cards, a word; lines are no edges of cards."""
    image = _felt(size, scale, rng)
    width, height = size
    ink = colored(rng, (150, 250), (0, 120))
    layer = np.zeros((height, width), np.uint8)
    line = max(1, round(rng.uniform(1.5, 7) * scale))
    middle = (int(rng.uniform(0.2, 0.8) * width), int(rng.uniform(0.2, 0.8) * height))
    for _ in range(int(rng.integers(1, 4))):
        axes = (int(rng.uniform(120, 700) * scale), int(rng.uniform(90, 420) * scale))
        cv2.ellipse(layer, middle, axes, float(rng.uniform(0, 180)), 0, 360, 255, line, cv2.LINE_AA)
    place = rng.uniform(0.9, 1.3) * scale * np.array([63.0, 89.0])
    for _ in range(int(rng.integers(0, 6))):
        x, y = (rng.uniform(0, 0.9, 2) * (width, height)).astype(int)
        for i in range(int(rng.integers(1, 6))):
            at = (int(x + i * place[0] * 1.15), int(y))
            cv2.rectangle(layer, at, (at[0] + int(place[0]), at[1] + int(place[1])), 255, max(1, line // 2))
    if rng.random() < 0.5:
        size_px = max(0.3, rng.uniform(20, 70) * scale / 22)
        word = str(rng.choice(["POKER", "PAYS 3 TO 2", "ANTE", "DEALER", "INSURANCE"]))
        cv2.putText(
            layer, word, middle, cv2.FONT_HERSHEY_TRIPLEX, size_px, 255, max(1, round(size_px * 2)), cv2.LINE_AA
        )
    share = layer[..., None] / 255.0 * rng.uniform(0.4, 0.95)
    return (image + share * (ink - image)).astype(np.uint8)


def folds(size: Size, scale: float, rng: Rng, depth: float) -> Floats:
    """Give the brightness factor of creases and folds in a cloth, about 1: (H, W) float32."""
    warp = fractal(size, 90 * scale, rng, 3)
    ridges = np.maximum(0, 1 - np.abs(fractal(size, rng.uniform(80, 260) * scale, rng, 2)) * rng.uniform(3, 9))
    height = fractal(size, rng.uniform(120, 320) * scale, rng, 3) + 0.2 * warp + rng.uniform(0, 0.7) * ridges
    slope = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3) + cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3)
    slope = cv2.GaussianBlur(slope, (0, 0), max(0.8, 1.5 * scale))
    return (1 + np.tanh(slope / (2.5 * float(slope.std()) + 1e-6)) * 0.45 * depth).astype(np.float32)


def _weave(size: Size, scale: float, rng: Rng) -> Image:
    """Cloth: threads over and under, plain or checked, with or without creases."""
    width, height = size
    thread = max(1.5, rng.uniform(0.6, 3.5) * scale)
    x = np.arange(width, dtype=np.float32)[None, :] / thread
    y = np.arange(height, dtype=np.float32)[:, None] / thread
    warp, weft = np.sin(np.pi * x) ** 2, np.sin(np.pi * y) ** 2
    over = (np.floor(x) + np.floor(y)) % 2
    tone = np.where(over > 0, warp * (0.6 + 0.4 * weft), weft * (0.6 + 0.4 * warp))
    tone = 0.75 + rng.uniform(0.05, 0.3) * (tone - 0.5) + white(size, rng) * 0.03
    tone = tone + rng.uniform(0, 0.08) * stretched(size, (thread * 30, thread), rng)
    if rng.random() < 0.6:
        tone = tone * folds(size, scale, rng, rng.uniform(0.1, 1))
    base = colored(rng, (15, 250), (0, rng.uniform(20, 180)))
    return np.clip(base * tone[..., None] * rng.uniform(1.0, 1.3), 0, 255).astype(np.uint8)


def _denim(size: Size, scale: float, rng: Rng) -> Image:
    pitch = max(2.0, rng.uniform(0.8, 2) * scale)
    rows, columns = np.indices(size[::-1], dtype=np.float32)
    tone = 0.5 + 0.18 * np.sin((rows + columns) * 2 * np.pi / pitch / 1.4) + 0.16 * fractal(size, 4 * scale, rng, 3)
    tone = (tone + 0.08 * white(size, rng)) * folds(size, scale, rng, rng.uniform(0.2, 1.2))
    wash = rng.uniform(0.3, 1.2)
    return palette(np.clip(tone, 0, 1), np.array([60, 38, 24]) * wash, np.array([190, 150, 120]) * min(1.2, wash + 0.3))


def _leather(size: Size, scale: float, rng: Rng) -> Image:
    cells = np.abs(fractal(size, max(2.0, rng.uniform(2, 5) * scale), rng, 2))
    tone = np.clip(cells * 2.2, 0, 1) ** 0.5
    base = colored(rng, (15, 130), (0, 80))
    return np.clip(base * (0.65 + 0.45 * tone)[..., None] * folds(size, scale, rng, 0.2)[..., None], 0, 255).astype(
        np.uint8
    )


def _glass(size: Size, scale: float, rng: Rng) -> Image:
    """Draw a dark or tinted pane with soft reflections of the room."""
    base = colored(rng, (8, 90) if rng.random() < 0.6 else (90, 190), (0, 40))
    image = np.zeros((size[1], size[0], 3), np.float32) + base
    glow = np.zeros(size[::-1], np.float32)
    for _ in range(int(rng.integers(1, 4))):
        corner = rng.uniform(-0.2, 1.0, 2) * size
        extent = rng.uniform(0.1, 0.6, 2) * size
        slant = rng.uniform(-0.2, 0.2) * extent[0]
        quad = corner + np.array([[0, 0], [extent[0], slant], [extent[0] + slant, extent[1]], [slant, extent[1]]])
        cv2.fillConvexPoly(glow, quad.astype(np.int32), float(rng.uniform(0.1, 0.7)))
    glow = cv2.GaussianBlur(glow, (0, 0), rng.uniform(3, 30) * max(0.3, scale))
    return np.clip(image + glow[..., None] * rng.uniform(20, 120) + white(size, rng)[..., None], 0, 255).astype(
        np.uint8
    )


def _tiles(size: Size, scale: float, rng: Rng) -> Image:
    """Tiles with grout: square, oblong (also of about a card's shape) or brick bond."""
    width, height = size
    tile_w = max(6, round(rng.uniform(45, 300) * scale))
    tile_h = max(6, round(tile_w * rng.choice([1, 1, 1.56, 0.64, 0.5, 2])))
    grout = max(1, round(rng.uniform(1, 5) * scale))
    bases = (_stone, _marble, _plain, _laminate)
    image = bases[rng.integers(len(bases))](size, scale, rng)
    rows, columns = np.indices((height, width))
    shift = tile_w // 2 if rng.random() < 0.4 else 0
    row = rows // tile_h
    column = (columns + row * shift) // tile_w
    tones = rng.normal(1, rng.uniform(0.0, 0.12), (row.max() + 2, column.max() + 2)).astype(np.float32)
    if rng.random() < 0.25:
        tones[::2, ::2] *= rng.uniform(0.3, 0.8)
        tones[1::2, 1::2] = tones[0, 0]
    joint = (rows % tile_h < grout) | ((columns + row * shift) % tile_w < grout)
    toned = np.clip(image * tones[row, column][..., None], 0, 255)
    toned[joint] = colored(rng, (50, 210), (0, 30))
    return toned.astype(np.uint8)


def _woven_pattern(size: Size, scale: float, rng: Rng) -> Image:
    from .patterns import cloth_pattern

    cloth = _weave(size, scale, rng).astype(np.float32)
    tone = cloth.mean(2, keepdims=True) / max(1.0, float(cloth.mean()))
    return np.clip(cloth_pattern(size, scale, rng) * tone, 0, 255).astype(np.uint8)


def _rug(size: Size, scale: float, rng: Rng) -> Image:
    from .patterns import cloth_pattern

    pile = _carpet(size, scale, rng).astype(np.float32)
    tone = pile.mean(2, keepdims=True) / max(1.0, float(pile.mean()))
    return np.clip(cloth_pattern(size, scale, rng) * np.clip(tone, 0.3, 1.7), 0, 255).astype(np.uint8)


def _printed(size: Size, scale: float, rng: Rng) -> Image:
    from .patterns import cloth_pattern

    return cloth_pattern(size, scale, rng)


_MAKERS: dict[str, Callable[[Size, float, Rng], Image]] = {
    "wood": _wood,
    "planks": _planks,
    "parquet": _parquet,
    "basket": _basket,
    "laminate": _laminate,
    "plain": _plain,
    "marble": _marble,
    "granite": _granite,
    "stone": _stone,
    "carpet": _carpet,
    "felt": _felt,
    "baize": _baize,
    "cloth": _weave,
    "denim": _denim,
    "leather": _leather,
    "glass": _glass,
    "tiles": _tiles,
    "tablecloth": _woven_pattern,
    "rug": _rug,
    "printed": _printed,
}

KINDS = tuple(_MAKERS)
HELDOUT_KINDS = ("basket", "marble", "denim")
"""Never drawn under a training scene's cards: the tables of the test split."""


def surface(kind: str, size_px: Size, px_per_mm: float, rng: Rng) -> Image:
    """Draw a flat, evenly lit surface as seen from straight above.

    Parameters
    ----------
    kind
        One of `KINDS`.
    size_px
        Width and height.
    px_per_mm
        Its scale: 0.5 for a table seen whole, 4 for a close-up.
    rng
        Same state, same bytes.

    Raises
    ------
    ValueError
        If there is no such kind.
    """
    if kind not in _MAKERS:
        raise ValueError(f"no surface '{kind}': use {', '.join(KINDS)}")
    image = _MAKERS[kind](size_px, px_per_mm, rng)
    if kind in ("wood", "planks", "parquet", "denim", "tablecloth") and rng.random() < 0.5:
        image = cv2.resize(np.ascontiguousarray(image.transpose(1, 0, 2)), size_px)
    return np.ascontiguousarray(image)
