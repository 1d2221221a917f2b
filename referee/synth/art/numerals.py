"""Numerals and index letters as polygons: outlines of free typefaces, and designs of our own drawn with a broad nib.

Shapes come in units of the numeral's height, centred at the origin, y down. The outlines lie beside this module in
`numerals.json` (OFL, see `numerals.OFL.txt`), so no font need be installed.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np

from .canvas import Bgr, Canvas, Points, chain, place, smooth

DRAWN = "drawn"
HELD_OUT_FONTS = (
    "almendra", "rosarivo", "libre-caslon-text-italic", "quicksand", "im-fell-french-canon", "ebgaramond12-regular",
    "oswald-200",
)  # fmt: skip
THIN_OLD_STYLE_FONTS = (
    "im-fell-english", "im-fell-english-italic", "im-fell-dw-pica", "im-fell-dw-pica-italic", "im-fell-double-pica",
    "goudy-bookletter-1911", "sorts-mill-goudy", "sorts-mill-goudy-italic", "cardo", "cardo-italic", "cormorant",
    "cormorant-italic", "raleway-100", "raleway-200", "vollkorn-regular", "old-standard-tt", "josefin-sans-100",
    "poiret-one", "bitter-100", "della-respira", "life-savers", "eb-garamond", "caudex",
)  # fmt: skip

# A one of these looks like a capital I with serifs: legible beside its fellows only, and kept because cards have it.
_SPACING = 0.06

Shape = tuple[tuple[Points, ...], ...]


@dataclass(frozen=True, slots=True)
class NumeralStyle:
    """How numerals look on one deck.

    Parameters
    ----------
    font
        A key of `fonts()`, or `DRAWN`.
    height_mm
        Of the tallest numeral.
    weight_mm
        Ink added around the outline.
    slant
        Shift to the right for each unit of height.
    width
        1 keeps the proportions.
    on_baseline
        Old-style numerals hang and rise as they do in text, else each is centred by itself.
    design
        Seed of a drawn design.
    """

    font: str
    height_mm: float = 11.0
    weight_mm: float = 0.0
    slant: float = 0.0
    width: float = 1.0
    on_baseline: bool = False
    design: int = 0


@cache
def _outlines() -> dict[str, dict[str, list]]:
    return json.loads(Path(__file__).with_name("numerals.json").read_text(encoding="ascii"))


def fonts() -> tuple[str, ...]:
    """Name every typeface that has outlines here."""
    return tuple(_outlines())


@lru_cache(maxsize=256)
def _tallest(font: str) -> float:
    ys = [value for digit in "0123456789" for contour in _outlines()[font][digit][1:] for value in contour[1::2]]
    tops = [min(v for c in _outlines()[font][d][1:] for v in c[1::2]) for d in "68"]
    return max(0.6 * (max(ys) - min(ys)), -min(tops))


def _font_text(font: str, text: str) -> list[list[Points]]:
    pieces: list[list[Points]] = []
    x = 0.0
    for char in text:
        advance, *contours = _outlines()[font][char]
        arrays = [np.array(contour, float).reshape(-1, 2) for contour in contours]
        # Tabular ones stand in too much room beside a zero: set by ink, not by the metal.
        left = min(a[:, 0].min() for a in arrays)
        right = max(a[:, 0].max() for a in arrays)
        pieces.append([a + (x - left, 0.0) for a in arrays])
        x += min(right - left + 1000 * _SPACING * 1.4, max(advance, right - left + 1000 * _SPACING))
    scale = 1.0 / _tallest(font)
    return [[a * scale for a in piece] for piece in pieces]


def _skeleton(char: str, rng: np.random.Generator) -> list[Points]:
    """Give the pen's path of one digit in a box of 0..0.6 by -1..0."""
    j = rng.normal(0.0, 0.015, (24, 2))
    pick = int(rng.integers(4))

    def curve(*points: tuple[float, float], closed: bool = False) -> Points:
        return smooth(np.array(points) * (0.62, 1.0) + j[: len(points)], closed, 10)

    def line(*points: tuple[float, float]) -> Points:
        return np.array(points) * (0.62, 1.0)

    if char == "0":
        return [curve((0.5, -1), (0.92, -0.75), (0.95, -0.25), (0.5, 0), (0.05, -0.25), (0.08, -0.75), closed=True)]
    if char == "1":
        strokes = [line((0.5, -1), (0.5, 0))]
        if pick in (0, 1):
            strokes.append(curve((0.5, -1), (0.42, -0.88), (0.25, -0.78)))
        if pick in (1, 2):
            strokes.append(line((0.25, 0), (0.75, 0)))
        if pick == 2:
            strokes.append(line((0.3, -0.96), (0.5, -1)))
        return strokes
    if char == "2":
        top = curve((0.1, -0.72), (0.2, -0.93), (0.5, -1), (0.82, -0.82), (0.72, -0.5), (0.35, -0.2), (0.05, 0))
        if pick == 0:
            return [top, curve((0.05, 0), (0.25, -0.1), (0.6, 0.02), (0.92, -0.08))]
        tail = [line((0.92, 0), (0.95, -0.14))] if pick == 1 else []
        return [top, line((0.05, 0), (0.92, 0)), *tail]
    if char == "3":
        bowl = curve((0.35, -0.56), (0.72, -0.5), (0.88, -0.27), (0.68, -0.05), (0.35, 0), (0.05, -0.12))
        if pick == 0:
            return [line((0.1, -1), (0.82, -1), (0.35, -0.56)), bowl]
        return [curve((0.1, -0.84), (0.28, -0.98), (0.55, -0.97), (0.78, -0.78), (0.62, -0.6), (0.35, -0.56)), bowl]
    if char == "4":
        stem = 0.66
        if pick == 0:
            return [line((0.38, -1), (0.04, -0.3), (1.0, -0.3)), line((stem, -0.72), (stem, 0.02))]
        if pick == 1:
            return [
                curve((0.62, -1), (0.3, -0.6), (0.0, -0.34), (0.4, -0.3), (1.02, -0.34)),
                line((stem, -1), (stem, 0)),
            ]
        if pick == 3:
            return [line((0.58, -1), (0.06, -0.46), (0.98, -0.46)), line((0.58, -0.98), (0.56, 0.04))]
        feet = [line((stem - 0.2, 0), (stem + 0.2, 0))] if pick == 2 else []
        return [line((stem, -1), (0.0, -0.28), (1.0, -0.28)), line((stem, -1), (stem, 0)), *feet]
    if char == "5":
        bowl = curve((0.2, -0.55), (0.5, -0.64), (0.85, -0.5), (0.86, -0.2), (0.5, 0), (0.05, -0.1))
        flag = line((0.24, -1), (0.85, -1)) if pick else curve((0.24, -1), (0.5, -0.95), (0.75, -1), (0.9, -1.06))
        return [flag, line((0.24, -1), (0.2, -0.55)), bowl]
    if char in "69":
        tip = ((0.85, -0.9), (0.68, -1)) if pick == 0 else ((0.8, -1), (0.6, -0.95))
        if pick == 1:
            tip = ((0.62, -1.02), (0.5, -0.93))
        path = curve(
            *tip, (0.25, -0.72), (0.06, -0.34), (0.2, -0.06), (0.5, 0), (0.85, -0.14), (0.88, -0.4), (0.6, -0.58),
            (0.3, -0.52), (0.08, -0.3),
        )  # fmt: skip
        return [path if char == "6" else np.array([0.62, -1.0]) - path]
    if char == "7":
        strokes = [line((0.04, -1), (0.94, -1))]
        if pick == 3:
            strokes = [curve((0.04, -0.86), (0.15, -0.99), (0.45, -0.95), (0.94, -1))]
        down = [curve((0.94, -1), (0.6, -0.6), (0.42, -0.3), (0.35, 0.02)), line((0.94, -1), (0.35, 0))][pick % 2]
        strokes.append(down)
        if pick == 1:
            strokes.append(line((0.3, -0.48), (0.85, -0.48)))
        if pick == 2:
            strokes.append(line((0.04, -1), (0.03, -0.84)))
        return strokes
    if char == "8":
        loops = (
            (0.5, -0.54), (0.8, -0.7), (0.78, -0.92), (0.5, -1), (0.22, -0.92), (0.2, -0.7), (0.5, -0.54),
            (0.86, -0.36), (0.86, -0.1), (0.5, 0), (0.14, -0.1), (0.14, -0.36),
        )  # fmt: skip
        return [curve(*loops, closed=True)]
    raise ValueError(f"no drawn design for '{char}': use a typeface for letters")


def _drawn_text(design: int, text: str) -> list[list[Points]]:
    rng = np.random.default_rng([design, 7])
    old_style = rng.random() < 0.45
    thin = rng.uniform(0.028, 0.078)
    thick = thin * rng.choice([1.0, 1.2, 2.0, 3.0], p=[0.35, 0.25, 0.25, 0.15])
    nib = cv2.ellipse2Poly((0, 0), (int(thick * 5000), int(thin * 5000)), int(rng.uniform(-50, 10)), 0, 360, 30)
    nib = nib[:-1].astype(np.float32) / 10000
    descends = rng.uniform(0.2, 0.35)
    pieces: list[list[Points]] = []
    x = 0.0
    for char in text:
        strokes = _skeleton(char, np.random.default_rng([design, ord(char)]))
        if old_style and char in "012":
            strokes = [s * (1.0, 0.68) for s in strokes]
        elif old_style and char in "34579":
            strokes = [s + (0, descends) for s in strokes]
        strokes = [np.vstack([s, s[:1]]) if char in "08" else s for s in strokes]
        left = min(s[:, 0].min() for s in strokes)
        right = max(s[:, 0].max() for s in strokes)
        for stroke in strokes:
            swept = [(p + nib).astype(np.float32) for p in stroke + (x - left, 0.0)]
            for first, second in zip(swept, swept[1:], strict=False):
                pieces.append([cv2.convexHull(np.vstack([first, second])).reshape(-1, 2).astype(float)])
        x += right - left + thick + rng.uniform(0.08, 0.18)
    return pieces


@lru_cache(maxsize=4096)
def shape(style: NumeralStyle, text: str) -> Shape:
    """Give the text's polygons in units of the numeral's height: pieces to fill one by one, centred at the origin."""
    pieces = _drawn_text(style.design, text) if style.font == DRAWN else _font_text(style.font, text)
    everything = np.vstack([c for piece in pieces for c in piece])
    low, high = everything.min(axis=0), everything.max(axis=0)
    middle = (low + high) / 2
    if style.on_baseline:
        middle[1] = -0.5
    lean = np.array([[style.width, -style.slant], [0.0, 1.0]])
    return tuple(tuple((c - middle) @ lean.T for c in piece) for piece in pieces)


def extent(style: NumeralStyle, text: str) -> tuple[float, float]:
    """Measure the text's ink: width and height in mm."""
    points = np.vstack([c for piece in shape(style, text) for c in piece])
    width, height = np.ptp(points, axis=0) * style.height_mm + style.weight_mm
    return float(width), float(height)


def draw_text(canvas: Canvas, style: NumeralStyle, text: str, ink: Bgr, matrix: Points) -> None:
    """Draw the text centred at the matrix's origin, upright in its frame; the matrix is in mm."""
    grown = chain(matrix, place(scale=style.height_mm))
    scale = math.hypot(*matrix[:, 0])
    for piece in shape(style, text):
        canvas.fill(piece, ink, grown)
        if style.weight_mm > 0:
            for contour in piece:
                canvas.stroke(contour, style.weight_mm * scale, ink, grown, closed=True)
