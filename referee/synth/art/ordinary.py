"""Faces of ordinary 52-card decks: white cards with indices, pips and courts, all drawn here."""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...game.cards import Face, Suit
from .canvas import Bgr, Canvas, blend, chain, place, rectangle
from .courts import draw_court
from .numerals import NumeralStyle, draw_text, extent, fonts
from .pips import draw_pip, pip_places
from .style import ArtStyle
from .surface import finish

_RANKS = {1: "A", 11: "J", 12: "Q", 13: "K"}


def draw_ordinary(face: Face, style: ArtStyle | np.random.Generator, px_per_mm: float = 4.0) -> NDArray[np.uint8]:
    """Draw an ordinary face: (H, W, 4) uint8 BGRA.

    Parameters
    ----------
    face
        Its colour is a `Suit`.
    style
        A printing, or a generator to draw one from.

    Raises
    ------
    ValueError
        If the face belongs to a Dutch Blitz deck: see `draw_face`.
    """
    if not isinstance(face.color, Suit):
        raise ValueError(f"{face} is a Dutch Blitz card: use draw_face")
    if isinstance(style, np.random.Generator):
        style = replace(ArtStyle.sample(style), size_mm=(63.5, 89.0))
    style, inner = _deck(style)
    canvas = Canvas(style.size_mm, px_per_mm, style.paper)
    ink = _suit_ink(face.color, style)
    rng = style.rng("ordinary")
    jumbo = rng.random() < 0.35
    if inner:
        _inner_frame(canvas, style, ink)
    if face.number > 10:
        draw_court(canvas, face, style, ink, rng)
    else:
        _pip_card(canvas, face, style, ink, rng, jumbo)
    _indices(canvas, face, style, ink, jumbo)
    dice = np.random.default_rng([style.seed, zlib.crc32(str(face).encode())])
    return finish(canvas.finished(), style, dice, px_per_mm)


def _deck(style: ArtStyle) -> tuple[ArtStyle, bool]:
    """Give the deck's paper and inks (some are tinted, a few print light on black), and whether it has a frame."""
    rng = style.rng("deck")
    inner = bool(rng.random() < 0.15)
    chance = rng.random()
    if chance < 0.05:
        level = rng.uniform(18, 45)
        return replace(style, paper=(level, level, level), dark=(205.0, 215.0, 218.0)), inner
    if chance < 0.12:
        b, g, r = style.paper
        return replace(style, paper=(b * rng.uniform(0.62, 0.9), g * rng.uniform(0.85, 0.97), r)), inner
    return style, inner


def _suit_ink(suit: Suit, style: ArtStyle) -> Bgr:
    """Give the suit's ink; one deck in seven has four colours."""
    rng = style.rng("four colours")
    if rng.random() < 0.14:
        if suit is Suit.DIAMONDS:
            return (rng.uniform(150, 215), rng.uniform(70, 120), rng.uniform(10, 50))
        if suit is Suit.CLUBS:
            return (rng.uniform(30, 70), rng.uniform(100, 140), rng.uniform(10, 50))
    return style.suit_ink(suit)


def _inner_frame(canvas: Canvas, style: ArtStyle, ink: Bgr) -> None:
    """Draw a line or a tinted field round the pips."""
    rng = style.rng("frame")
    width, length = style.size_mm[0] * rng.uniform(0.55, 0.72), style.size_mm[1] * rng.uniform(0.74, 0.88)
    outline = rectangle(width, length, rng.choice([0.0, 3.0]))
    if rng.random() < 0.5:
        canvas.fill(outline, blend(style.paper, ink, rng.uniform(0.06, 0.3)))
    canvas.stroke(outline, rng.uniform(0.25, 0.8), blend(style.dark, ink, 0.5), None, closed=True)


def _indices(canvas: Canvas, face: Face, style: ArtStyle, ink: Bgr, jumbo: bool) -> None:
    rng = style.rng("index")
    names = fonts()
    numerals = NumeralStyle(
        font=names[int(rng.integers(len(names)))],
        height_mm=float(rng.uniform(9, 13) if jumbo else rng.uniform(5.5, 7.5)),
        weight_mm=float(rng.uniform(0, 0.45)),
        width=float(rng.uniform(0.75, 1.0)),
    )
    text = _RANKS.get(face.number, str(face.number))
    wide, tall = extent(numerals, text)
    column = rng.uniform(4.2, 5.2) + (2.0 if jumbo else 0.0)
    scale = min(1.0, 2 * (column - 1.0) / wide)
    size = rng.uniform(1.7, 2.2) * (1.5 if jumbo else 1.0)
    top = -style.size_mm[1] / 2 + rng.uniform(2.5, 4.0)
    corners = (-1, 1) if rng.random() < 0.3 else (-1,)
    for half in (0.0, 180.0):
        for side in corners:
            turned = place(angle_deg=half)
            x = side * (style.size_mm[0] / 2 - column)
            draw_text(canvas, numerals, text, ink, chain(turned, place(x, top + tall / 2, scale)))
            draw_pip(canvas, face.color, ink, chain(turned, place(x, top + tall + size + 1.0, size)))


def _pip_card(canvas: Canvas, face: Face, style: ArtStyle, ink: Bgr, rng: np.random.Generator, jumbo: bool) -> None:
    if face.number == 1:
        size = rng.uniform(6, 11) if face.color is not Suit.SPADES else rng.uniform(11, 17)
        draw_pip(canvas, face.color, ink, place(scale=size))
        if face.color is Suit.SPADES and rng.random() < 0.7:
            draw_pip(canvas, face.color, style.paper, place(0, -0.16 * size, size * 0.52))
            draw_pip(canvas, face.color, ink, place(0, -0.16 * size, size * 0.4))
        return
    reach = style.size_mm[0] * rng.uniform(0.2, 0.25)
    rise = style.size_mm[1] * (rng.uniform(0.24, 0.28) if jumbo else rng.uniform(0.3, 0.355))
    size = rng.uniform(4.4, 7.4) * (0.8 if jumbo else 1.0)
    for x, y in pip_places(face.number):
        draw_pip(canvas, face.color, ink, place(x * reach, y * rise, size, 180.0 if y > 0.01 else 0.0))
