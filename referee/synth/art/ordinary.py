"""Faces of ordinary 52-card decks: white cards with indices, pips and courts, all drawn here."""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from referee.game.cards import Face, Suit
from referee.synth.art.canvas import Bgr, Canvas, Points, blend, chain, ellipse, place, rectangle, smooth
from referee.synth.art.numerals import NumeralStyle, draw_text, extent, fonts
from referee.synth.art.rosettes import HEART
from referee.synth.art.style import ArtStyle
from referee.synth.art.surface import finish

_RANKS = {1: "A", 11: "J", 12: "Q", 13: "K"}
_FOOT = smooth([(0, 0.05), (0.08, 0.5), (0.4, 0.98), (0, 0.94), (-0.4, 0.98), (-0.08, 0.5)])
_PIPS: dict[Suit, tuple[Points, ...]] = {
    # HEART has its point upward.
    Suit.HEARTS: (HEART * (1, -1),),
    Suit.SPADES: (np.asarray(HEART) * (0.95, 0.85) - (0, 0.15), _FOOT),
    Suit.DIAMONDS: (
        smooth([(0, -1.05), (0.3, -0.5), (0.74, 0), (0.3, 0.5), (0, 1.05), (-0.3, 0.5), (-0.74, 0), (-0.3, -0.5)]),
    ),
    Suit.CLUBS: (
        ellipse(0, -0.52, 0.45),
        ellipse(-0.5, 0.14, 0.45),
        ellipse(0.5, 0.14, 0.45),
        ellipse(0, -0.05, 0.25),
        _FOOT,
    ),
}


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
    canvas = Canvas(style.size_mm, px_per_mm, style.paper)
    ink = style.suit_ink(face.color)
    rng = style.rng("ordinary")
    jumbo = rng.random() < 0.25
    if face.number > 10:
        _court(canvas, face, style, ink, rng)
    else:
        _pip_card(canvas, face, style, ink, rng, jumbo)
    _indices(canvas, face, style, ink, jumbo)
    dice = np.random.default_rng([style.seed, zlib.crc32(str(face).encode())])
    return finish(canvas.finished(), style, dice, px_per_mm)


def draw_pip(canvas: Canvas, suit: Suit, ink: Bgr, matrix: Points) -> None:
    """Draw one suit mark two units tall."""
    for part in _PIPS[suit]:
        canvas.fill(part, ink, matrix)


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
    from referee.synth.art.faces import pip_places

    if face.number == 1:
        size = rng.uniform(6, 11) if face.color is not Suit.SPADES else rng.uniform(11, 17)
        draw_pip(canvas, face.color, ink, place(scale=size))
        if face.color is Suit.SPADES:
            draw_pip(canvas, face.color, style.paper, place(0, -0.16 * size, size * 0.52))
            draw_pip(canvas, face.color, ink, place(0, -0.16 * size, size * 0.4))
        return
    reach = style.size_mm[0] * rng.uniform(0.19, 0.23)
    rise = style.size_mm[1] * (rng.uniform(0.24, 0.28) if jumbo else rng.uniform(0.3, 0.34))
    size = rng.uniform(4.2, 5.4) * (0.85 if jumbo else 1.0)
    for x, y in pip_places(face.number):
        draw_pip(canvas, face.color, ink, place(x * reach, y * rise, size, 180.0 if y > 0.01 else 0.0))


def _court(canvas: Canvas, face: Face, style: ArtStyle, ink: Bgr, rng: np.random.Generator) -> None:
    """Draw a framed half figure twice: crown, face, hair, collar, a robe in bands, something held."""
    width, length = style.size_mm[0] * 0.62, style.size_mm[1] * rng.uniform(0.74, 0.8)
    own = np.random.default_rng([style.seed, face.number, zlib.crc32(face.color.value.encode())])
    blue = (rng.uniform(110, 190), rng.uniform(50, 90), rng.uniform(20, 60))
    red = (rng.uniform(20, 60), rng.uniform(15, 50), rng.uniform(185, 225))
    gold = (rng.uniform(30, 80), rng.uniform(175, 215), rng.uniform(225, 250))
    cloths = [red, gold, style.dark, blue]
    skin = blend(style.paper, (150, 190, 235), rng.uniform(0.0, 0.6))
    line = 0.3
    frame = rectangle(width, length)
    slope = own.uniform(-6, 6)
    for half in (0.0, 180.0):
        turned = place(angle_deg=half)

        def fill(points: Points, colour: Bgr, at: Points = turned) -> None:
            canvas.fill(points, colour, at)
            canvas.stroke(points, line, style.dark, at, closed=True)

        w = width / 2
        robe = np.array([(-w, -slope), (-w, -10), (-8, -19), (8, -19), (w, -10), (w, slope)])
        fill(robe, cloths[int(own.integers(4))])
        for i in range(int(own.integers(3, 6))):
            x0, x1 = sorted(own.uniform(-w, w, 2))
            stripe = np.array([(x0 * 0.5, -18), (x1 * 0.5, -18), (x1, slope * x1 / w), (x0, slope * x0 / w)])
            fill(stripe, cloths[int((i + own.integers(3)) % 4)])
        for x, y in own.uniform((-w * 0.8, -14), (w * 0.8, -3), (int(own.integers(6, 16)), 2)):
            canvas.fill(ellipse(x, y, own.uniform(0.5, 1.1)), cloths[int(own.integers(4))], turned)
        hair = gold if own.random() < 0.6 else blend(gold, style.dark, 0.6)
        fill(smooth([(-6.5, -21), (-6, -30), (0, -33), (6, -30), (6.5, -21), (0, -19)]), hair)
        fill(smooth([(-3.8, -29.5), (3.8, -29.5), (3.6, -24), (0, -20.5), (-3.6, -24)]), skin)
        for eye in (-1.5, 1.5):
            canvas.fill(ellipse(eye, -26.8, 0.55, 0.35), style.dark, turned)
        canvas.stroke(np.array([(0.2, -26.5), (0.5, -24.6), (-0.2, -24.5)]), 0.25, style.dark, turned)
        canvas.stroke(np.array([(-1.0, -23.0), (1.0, -23.0)]), 0.4, red, turned)
        if face.number == 13 and own.random() < 0.8:
            fill(smooth([(-3.6, -24), (3.6, -24), (2, -18), (0, -16.5), (-2, -18)]), hair)
        points = {11: 1, 12: 5, 13: 3}[face.number]
        if points == 1:
            fill(smooth([(-6, -29), (-5, -33), (4, -33.5), (6.5, -29), (0, -30)]), cloths[int(own.integers(4))])
        else:
            xs = np.linspace(-5.5, 5.5, 2 * points + 1)
            ys = np.where(np.arange(2 * points + 1) % 2 == 0, -30.0, -34.0)
            fill(np.vstack([np.stack([xs, ys - 0.2], axis=1), [(5, -28.8), (-5, -28.8)]]), gold)
        held = own.uniform(7, w - 2) * own.choice([-1, 1])
        fill(rectangle(1.3, 22, 0.3, held, -20), cloths[int(own.integers(4))])
        fill(ellipse(held, -13, 2.2, 1.8), skin)
        pip_x = -np.sign(held) * (w - 4.2)
        draw_pip(canvas, face.color, ink, chain(turned, place(-abs(pip_x), -length / 2 + 5.5, 3.2)))
    canvas.stroke(np.array([(-width / 2, -slope), (width / 2, slope)]), line, style.dark)
    frame_ink = blue if rng.random() < 0.5 else style.dark
    canvas.stroke(frame, 0.35, frame_ink, None, closed=True)
