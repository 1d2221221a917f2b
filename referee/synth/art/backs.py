"""Backs of the eight decks: the object in its colour, inked and set in many ways."""

from __future__ import annotations

import zlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...game.cards import Back, Color
from . import rosettes
from .canvas import Bgr, Canvas, Points, blend, chain, ellipse, place, rectangle
from .objects import DRAWINGS, Part
from .style import ArtStyle
from .surface import finish

INKINGS = ("silhouette", "engraved", "twotone", "colours")


class _Palette(NamedTuple):
    """Colours of a drawing's parts, and of the ground that shows through an engraving."""

    body: Bgr
    dark: Bgr
    light: Bgr
    metal: Bgr
    ground: Bgr


def draw_back(back: Back, style: ArtStyle, px_per_mm: float = 4.0) -> NDArray[np.uint8]:
    """Draw the back of one deck: (H, W, 4) uint8 BGRA.

    Raises
    ------
    ValueError
        If nobody has drawn the symbol.
    """
    if back.symbol not in DRAWINGS:
        raise ValueError(f"no drawing of '{back.symbol}': choose from {', '.join(DRAWINGS)}")
    colour = style.ink(back.color)
    # All backs of one printing share their layout; `kind` must not depend on the symbol.
    rng = style.rng("back")
    bleed = rng.random() < 0.35
    tinted = not bleed and rng.random() < 0.35
    ground = colour if bleed else blend(style.paper, colour, rng.uniform(0.08, 0.3)) if tinted else style.paper
    canvas = Canvas(style.size_mm, px_per_mm, ground)
    _trim(canvas, style, rng, colour, ground, bleed)
    if not style.heldout:
        _ground_print(canvas, style, colour, ground)
    inking = INKINGS[int(rng.choice(4, p=[0.25, 0.3, 0.2, 0.25]))]
    palette = _palette(style, back.color, colour, ground, bleed, inking, rng)
    drawing = _drawing(back.symbol, style)
    spots, medallion = _spots(back.symbol, style, rng)
    for spot in spots:
        _medallion(canvas, style, spot, colour, ground, bleed, medallion)
        _ink_drawing(canvas, drawing, inking, palette, spot, style)
    dice = np.random.default_rng([style.seed, zlib.crc32(str(back).encode())])
    return finish(canvas.finished(), style, dice, px_per_mm)


def _spots(symbol: str, style: ArtStyle, rng: np.random.Generator) -> tuple[list[Points], float]:
    """Say where the object stands: (2, 3) matrices, and how often it has a medallion."""
    width, length = style.size_mm
    many = style.rng("many")
    if rng.random() < 0.5:
        size = width * rng.uniform(0.25, 0.33)
        y = length * rng.uniform(0.2, 0.235)
        spots, medallion = [chain(place(angle_deg=half), place(0, -y, size)) for half in (0.0, 180.0)], 0.5
    else:
        sideways = 90.0 if symbol in ("plow", "carriage") and rng.random() < 0.3 else 0.0
        size = width * rng.uniform(0.3, 0.41)
        spots, medallion = [place(0, rng.normal(0, 0.5), size, sideways)], 0.35
    if style.heldout or many.random() > 0.14:
        return spots, medallion
    if many.random() < 0.5:  # one in the middle, small ones in the corners
        small, x, y = width * many.uniform(0.09, 0.13), width * 0.32, length * 0.36
        corners = [chain(place(angle_deg=half), place(side * x, -y, small)) for half in (0, 180) for side in (-1, 1)]
        return [place(0, 0, width * many.uniform(0.22, 0.3)), *corners], 0.2
    columns, rows = (int(n) for n in many.integers(2, 4, 2) + (0, 1))
    small = 0.42 * min(width * 0.86 / columns, length * 0.86 / rows)
    grid = [(i - (columns - 1) / 2, k - (rows - 1) / 2) for i in range(columns) for k in range(rows)]
    upside = many.random() < 0.5
    return [
        place(x * width * 0.86 / columns, y * length * 0.86 / rows, small, 180.0 * (upside and y > 0)) for x, y in grid
    ], 0.0


def _drawing(symbol: str, style: ArtStyle) -> list[Part]:
    rng = style.rng(symbol)
    choices = DRAWINGS[symbol]
    pick = len(choices) - 1 if style.heldout else int(rng.integers(len(choices) - 1))
    parts = choices[pick](rng)
    hand = np.diag((-1.0, 1.0)) if rng.random() < 0.5 else np.eye(2)
    if not style.heldout:
        hand = hand @ _hand(rng)
    return [part._replace(contours=tuple(contour @ hand for contour in part.contours)) for part in parts]


def _hand(rng: np.random.Generator) -> Points:
    """Give a (2, 2) matrix that makes a drawing slimmer or broader, leans it and turns it a little."""
    broad = np.exp(rng.normal(0, 0.1))
    turn = np.radians(rng.normal(0, 4))
    c, s = np.cos(turn), np.sin(turn)
    return np.array([[c, s], [-s, c]]) @ np.array([[min(1.0, broad), 0], [rng.normal(0, 0.06), min(1.0, 1 / broad)]])


def _palette(
    style: ArtStyle, color: Color, colour: Bgr, ground: Bgr, bleed: bool, inking: str, rng: np.random.Generator
) -> _Palette:
    if inking == "colours":
        body = blend(colour, (255, 255, 255), 0.25) if bleed else colour
        wood = (rng.uniform(30, 80), rng.uniform(70, 120), rng.uniform(110, 170))
        iron = (rng.uniform(70, 130),) * 3
        return _Palette(body, style.dark, blend(style.paper, wood, 0.15), wood if rng.random() < 0.5 else iron, ground)
    if bleed:
        ink = style.paper if rng.random() < 0.7 else style.dark
        return _Palette(ink, blend(ink, ground, 0.6), ground, blend(ink, ground, 0.25), ground)
    # On paper the object carries the deck's colour; yellow needs a dark companion to be seen at all.
    shade = blend(colour, style.dark, 0.55)
    light = ground if inking != "twotone" else blend(colour, style.paper, 0.6)
    return _Palette(colour, shade, light, blend(colour, style.dark, 0.2), ground)


def _ink_drawing(
    canvas: Canvas, parts: list[Part], inking: str, palette: _Palette, matrix: Points, style: ArtStyle
) -> None:
    scale = float(np.hypot(*matrix[:, 0]))
    rng = style.rng("inking")
    pitch, weight, angle = rng.uniform(0.5, 0.9), rng.uniform(0.35, 0.6), rng.uniform(20, 70)
    outline = rng.uniform(0.25, 0.5)
    for part in parts:
        tone: Bgr = getattr(palette, part.tone)
        if inking == "silhouette":
            tone = palette.ground if part.tone == "light" else palette.body
            if part.tone == "dark" and not part.width:
                tone = palette.body
            elif part.tone == "dark":
                tone = palette.dark
        if part.width:
            for line in part.contours:
                if inking == "engraved" and part.width * scale > 1.2:
                    canvas.stroke(line, part.width * scale, palette.dark, matrix, part.closed)
                    canvas.stroke(
                        line,
                        part.width * scale - 2 * outline,
                        palette.ground if part.tone == "light" else palette.body,
                        matrix,
                        part.closed,
                    )
                else:
                    canvas.stroke(line, max(0.25, part.width * scale), tone, matrix, part.closed)
        elif inking == "engraved":
            canvas.fill(part.contours, palette.ground, matrix)
            if part.tone != "light":
                dense = weight + (0.25 if part.tone == "dark" else 0.0)
                canvas.hatch(part.contours, palette.body, matrix, pitch, angle, dense)
                if part.tone in ("dark", "metal"):
                    canvas.hatch(part.contours, palette.body, matrix, pitch, angle + 80, weight * 0.7)
            for contour in part.contours:
                canvas.stroke(contour, outline, palette.dark, matrix, closed=True)
        else:
            canvas.fill(part.contours, tone, matrix)
            if inking == "colours":
                for contour in part.contours:
                    canvas.stroke(contour, outline, palette.dark, matrix, closed=True)


def _medallion(
    canvas: Canvas, style: ArtStyle, matrix: Points, colour: Bgr, ground: Bgr, bleed: bool, share: float
) -> None:
    """Set the object on a disc, a rosette's edge, or on nothing."""
    rng = style.rng("medallion")
    if rng.random() > share:
        return
    edge = (
        rosettes.scalloped(int(rng.choice([8, 12, 16, 24])), rng.uniform(0.02, 0.1))
        if rng.random() < 0.6
        else ellipse()
    )
    grown = chain(matrix, place(scale=rng.uniform(1.22, 1.36)))
    inner = blend(ground, style.paper, 0.2) if bleed else blend(style.paper, colour, rng.uniform(0.0, 0.2))
    canvas.fill(edge, inner, grown)
    canvas.stroke(edge, rng.uniform(0.3, 0.9), style.paper if bleed else colour, grown, closed=True)


def _ground_print(canvas: Canvas, style: ArtStyle, colour: Bgr, ground: Bgr) -> None:
    """Print a lattice, rays or an inner panel behind the object; most decks have none."""
    rng = style.rng("ground")
    if rng.random() < 0.65:
        return
    width, length = style.size_mm
    tone = blend(ground, colour if ground != colour else style.dark, rng.uniform(0.25, 0.6))
    kind = int(rng.integers(3))
    if kind == 0:
        angle = rng.choice([30.0, 45.0, 60.0])
        for turn in (angle, -angle):
            canvas.hatch(rectangle(140, 140), tone, None, rng.uniform(2.5, 7), turn, rng.uniform(0.08, 0.25))
    elif kind == 1:
        rays = int(rng.integers(8, 20)) * 2
        for i in range(0, rays, 2):
            a, b = (2 * np.pi * k / rays for k in (i, i + 1))
            ray = np.array([(0.0, 0.0), (np.cos(a) * 90, np.sin(a) * 90), (np.cos(b) * 90, np.sin(b) * 90)])
            canvas.fill(ray, tone)
    else:
        inset = rng.uniform(5, 9)
        canvas.fill(rectangle(width - 2 * inset, length - 2 * inset, rng.uniform(0, 6)), tone)


def _trim(canvas: Canvas, style: ArtStyle, rng: np.random.Generator, colour: Bgr, ground: Bgr, bleed: bool) -> None:
    """Draw the border and the ornament behind the object."""
    width, length = style.size_mm
    kind = int(rng.choice(5, p=[0.4, 0.2, 0.15, 0.15, 0.1]))
    ink = style.paper if bleed else colour
    if kind in (1, 2):
        inset = rng.uniform(2.0, 4.0)
        for extra in (0.0, 1.3)[:kind]:
            outline = rectangle(width - 2 * (inset + extra), length - 2 * (inset + extra), 2.5)
            canvas.stroke(outline, rng.uniform(0.3, 0.8), ink, None, closed=True)
    elif kind == 3:
        band = rng.uniform(3, 6)
        canvas.fill([rectangle(width, length), rectangle(width - 2 * band, length - 2 * band, 3)], ink)
        if rng.random() < 0.6:
            for x in np.linspace(-width / 2 + band / 2, width / 2 - band / 2, 9):
                for y in (-length / 2 + band / 2, length / 2 - band / 2):
                    canvas.fill(rosettes.HEART, ground, place(x, y, band * 0.22, 180 if y < 0 else 0))
    elif kind == 4:
        for sx in (-1, 1):
            for sy in (-1, 1):
                at = place(sx * (width / 2 - 7), sy * (length / 2 - 7), 3.5, 180 if sy < 0 else 0)
                canvas.fill(rosettes.TULIP if rng.random() < 0.5 else rosettes.HEART, ink, at)
