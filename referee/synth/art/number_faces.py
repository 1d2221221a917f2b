"""Faces on which the number is the picture: large in a shape of any form, once in each half, or amid scattered motifs.

Nobody prints Dutch Blitz so either. A reader that has only seen numerals at the edge doesn't look for them elsewhere.
No shape here is one of the families that are held out, a leaning band and a leaning oval.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from . import rosettes
from .bold_faces import readable_on
from .canvas import Bgr, Points, blend, ellipse, place, rectangle, smooth

if TYPE_CHECKING:
    from .faces import _Face

_HALVES = (0.0, 180.0)


def _stands_out(card: _Face, ground: Bgr, rng: np.random.Generator) -> Bgr:
    """Choose an ink that can be read on `ground`: dark, paper, or the card's own colour on paper."""
    if ground == card.paper and rng.random() < 0.5:
        return card.colour
    return readable_on(card, ground)


def _ground(card: _Face, rng: np.random.Generator) -> Bgr:
    """Lay the ground, coloured or paper, plain or with a pattern in a near tone; give its colour.

    Paper has a frame in the card's colour: else nothing might show it.
    """
    ground = card.colour if rng.random() < 0.75 else card.paper
    if ground == card.paper or rng.random() < 0.25:
        card.panel(0, 0, card.paper if ground == card.colour else card.colour)
        card.panel(rng.uniform(2.5, 6), rng.choice([0.0, 2.0, 4.0]), ground)
    tone = blend(ground, card.paper if rng.random() < 0.5 else card.style.dark, rng.uniform(0.06, 0.3))
    pattern = int(rng.integers(6))
    if pattern == 0:
        rays = int(rng.integers(5, 14))
        for i in range(rays):
            start = 360.0 * i / rays
            wedge = np.vstack([[[0.0, 0.0]], ellipse(0, 0, 80, None, start, start + 180.0 / rays)])
            card.canvas.fill(wedge, tone)
    elif pattern == 1:
        pitch = rng.uniform(4, 12)
        turn = place(angle_deg=rng.choice([0.0, 90.0, 45.0]))
        for i in range(-9, 10):
            card.canvas.fill(rectangle(pitch * 0.45, 140, 0, i * pitch), tone, turn)
    elif pattern == 2:
        pitch = rng.uniform(6, 14)
        for i in range(-5, 6):
            for j in range(-7, 8):
                card.canvas.fill(ellipse((i + j % 2 / 2) * pitch, j * pitch, pitch * 0.22), tone)
    return ground


def _shape(rng: np.random.Generator, radius: float) -> Points:
    """Trace a form of about this radius that looks the same upside down: disc, square, lozenge, star, cloud."""
    kind = int(rng.integers(6))
    if kind == 0:
        return ellipse(0, 0, radius, radius * rng.uniform(0.9, 1.25))
    if kind == 1:
        return rectangle(radius * 1.7, radius * rng.uniform(1.7, 2.4), rng.choice([0.0, 3.0, 7.0]))
    if kind == 2:
        tall = radius * rng.uniform(1.2, 1.5)
        return np.array([(0.0, -tall), (radius * 1.15, 0.0), (0.0, tall), (-radius * 1.15, 0.0)])
    points = 2 * int(rng.integers(3, 9))
    depth = rng.uniform(0.72, 0.93)
    angles = np.radians(np.arange(2 * points) * 180.0 / points)
    reach = radius * np.where(np.arange(2 * points) % 2, depth, 1.15)
    outline = np.stack([reach * np.cos(angles), reach * np.sin(angles)], axis=1)
    return smooth(outline) if kind > 3 else outline


def _motif(card: _Face, rng: np.random.Generator, x: float, y: float, size: float, ink: Bgr) -> None:
    """Set a small sign at (x, y) and, turned, at the opposite place."""
    sign = (rosettes.HEART, rosettes.TULIP, ellipse(0, 0, 0.8))[int(rng.integers(3))]
    for half in _HALVES:
        card.canvas.fill(sign * size + (x, y), ink, place(angle_deg=half))


def _corner_numerals(card: _Face, rng: np.random.Generator, ink: Bgr) -> None:
    """Print small numerals in two opposite corners or in all four."""
    x, y = card.width / 2 - rng.uniform(6, 8.5), -card.length / 2 + rng.uniform(7.5, 10)
    height = rng.uniform(6.5, 10)
    card.numeral(-x, y, height, ink)
    if rng.random() < 0.4:
        card.numeral(x, y, height, ink)


def medal(card: _Face) -> None:
    """Print one large number in a shape in the middle, and perhaps small ones in the corners."""
    rng = card.style.rng("number")
    ground = _ground(card, rng)
    shape = _shape(rng, rng.uniform(17, 22))
    choices = [card.paper, card.style.dark, blend(card.colour, card.paper, 0.6), card.colour]
    fill = next(choices[i] for i in rng.permutation(4) if choices[i] != ground)
    shadow = rng.uniform(0, 1.5)
    card.canvas.fill(shape + (shadow, shadow), blend(ground, card.style.dark, 0.5))
    card.canvas.fill(shape, fill)
    if rng.random() < 0.5:
        card.canvas.stroke(shape, rng.uniform(0.3, 1.6), _stands_out(card, fill, rng), None, closed=True)
    # Slanted more often than other numerals are: the shape holds them together.
    if rng.random() < 0.4:
        card.numerals = replace(card.numerals, slant=float(rng.uniform(-0.15, 0.35)))
    card.big_numeral(rng.uniform(15, 25), _stands_out(card, fill, rng))
    if rng.random() < 0.75:
        _corner_numerals(card, rng, _stands_out(card, ground, rng))
    if rng.random() < 0.4:
        _motif(card, rng, card.width / 2 - 9, -card.length / 2 + 9, rng.uniform(3, 6), _stands_out(card, ground, rng))


def poster(card: _Face) -> None:
    """Print the number very large in each half, with an outline or a shadow, and a line between the halves."""
    rng = card.style.rng("number")
    ground = _ground(card, rng)
    height = rng.uniform(17, 27)
    y = -card.length * rng.uniform(0.2, 0.24)
    ink = _stands_out(card, ground, rng)
    effect = int(rng.integers(3))
    if effect == 1:
        plain = card.numerals
        card.numerals = replace(plain, weight_mm=plain.weight_mm + rng.uniform(0.5, 1.0))
        card.numeral(0, y, height, card.style.dark if ink is card.paper else card.paper)
        card.numerals = plain
    elif effect == 2:
        card.numeral(rng.uniform(0.5, 1.4), y + rng.uniform(0.5, 1.4), height, blend(ground, card.style.dark, 0.45))
    card.numeral(0, y, height, ink)
    between = int(rng.integers(4))
    if between == 0:
        card.canvas.stroke(np.array([(-22.0, 0.0), (22.0, 0.0)]), rng.uniform(0.4, 2), ink)
    elif between == 1:
        for i in (-2, -1, 0, 1, 2):
            card.canvas.fill(ellipse(i * 6.0, 0, 1.5), ink)
    elif between == 2:
        _motif(card, rng, rng.uniform(5, 20), 0, rng.uniform(2.5, 4.5), ink)


def scatter(card: _Face) -> None:
    """Strew motifs or figures over the middle, with numerals in the corners."""
    rng = card.style.rng("number")
    ground = _ground(card, rng)
    ink = _stands_out(card, ground, rng)
    if rng.random() < 0.4:
        card.figure(rng.uniform(-6, 6), -12, rng.uniform(14, 22), None, blend(card.paper, card.colour, rng.random()))
    else:
        for _ in range(int(rng.integers(4, 14))):
            x, y = rng.uniform(-20, 20), rng.uniform(-24, 24)
            _motif(card, rng, x, y, rng.uniform(1.5, 4.5), ink if rng.random() < 0.6 else card.style.dark)
    _corner_numerals(card, rng, ink)


DRAWERS = {"medal": medal, "poster": poster, "scatter": scatter}
