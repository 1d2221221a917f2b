"""Faces that are parted from edge to edge: stripes like a flag's, and fields between random straight cuts.

What a stripe parts looks like two cards with something between them, or like a small card. The detector must learn that
only the outline counts, however strong the edges inside are. A single leaning band is held out and isn't drawn here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import rosettes
from .bold_faces import readable_on
from .canvas import Bgr, Points, blend, ellipse, place, rectangle

if TYPE_CHECKING:
    from .faces import _Face

_HALVES = (0.0, 180.0)


def _tones(card: _Face, rng: np.random.Generator) -> list[Bgr]:
    """Choose two or three colours of a card: its own, and of paper, dark ink and mixtures of its own one or two."""
    others: list[Bgr] = [
        card.paper,
        card.style.dark,
        blend(card.colour, card.paper, rng.uniform(0.4, 0.75)),
        blend(card.colour, card.style.dark, rng.uniform(0.35, 0.65)),
    ]
    chosen = rng.choice(4, int(rng.integers(1, 3)), replace=False, p=[0.5, 0.15, 0.2, 0.15])
    return [card.colour, *(others[i] for i in chosen)]


def _patch(card: _Face, rng: np.random.Generator, x: float, y: float, height: float, ground: Bgr | None) -> None:
    """Print the numeral on a ground that is known, or on a patch of its own where it isn't."""
    if ground is None:
        ground = _tones(card, rng)[-1]
        patch: Points = rectangle(height * 1.5, height * 1.35, rng.choice([0.0, 2.0, height * 0.6]))
        if rng.random() < 0.4:
            patch = ellipse(0, 0, height * 0.85)
        for half in _HALVES:
            card.canvas.fill(patch + (x, y), ground, place(angle_deg=half))
    card.numeral(x, y, height, readable_on(card, ground))


def _ornament(card: _Face, rng: np.random.Generator, size: float) -> None:
    """Set an ornament, a pair of figures, a few small signs or nothing in the middle."""
    ink = card.style.dark if rng.random() < 0.5 else card.colour
    what = int(rng.integers(5))
    if what == 0:
        kind = str(rng.choice(rosettes.KINDS))
        card.canvas_rosette(kind, size, (card.style.dark, card.paper, card.colour), rng.uniform(0.25, 0.6))
    elif what == 1:
        card.figure(0, -size * 0.6, size * 1.2, None, blend(card.paper, card.colour, rng.uniform(0.2, 0.8)))
    elif what == 2:
        sign = (rosettes.HEART, rosettes.TULIP, ellipse(0, 0, 0.8))[int(rng.integers(3))]
        apart, turn, large = rng.uniform(4, 16), rng.choice([0.0, 90.0]), rng.uniform(2.5, 5)
        for half in _HALVES:
            card.canvas.fill(sign * large + (apart, 0.0), ink, place(angle_deg=half + turn))


def flags(card: _Face) -> None:
    """Part the card into stripes across or along it, the same from both ends."""
    rng = card.style.rng("parted")
    along = rng.random() < 0.25
    span, across = (card.width, card.length) if along else (card.length, card.width)
    tones = _tones(card, rng)
    if rng.random() < 0.5:
        tones.reverse()
    # Widths from the middle outward; what is left to the ends has the last tone.
    reach = [rng.uniform(0.12, 0.5)]
    while reach[-1] < 0.75 and len(reach) < 3 and rng.random() < 0.45:
        reach.append(reach[-1] + rng.uniform(0.06, 0.3))
    ends = tones[len(reach) % len(tones)]
    card.panel(0, 0, ends)
    line, thick = card.style.dark if rng.random() < 0.5 else card.paper, rng.uniform(0.3, 1.5)
    outlined = rng.random() < 0.4
    for n in range(len(reach) - 1, -1, -1):
        size = (span * reach[n], across + 2) if along else (across + 2, span * reach[n])
        card.canvas.fill(rectangle(*size), tones[n % len(tones)])
        if outlined:
            card.canvas.stroke(rectangle(*size), thick, line, None, closed=True)
    _ornament(card, rng, min(0.45 * span * reach[0], rng.uniform(8, 17)))
    deep = span * (1 - min(reach[-1], 1.0)) / 2
    height = rng.uniform(9, 14)
    x = 0.0 if rng.random() < 0.5 and not along else -card.width / 2 + rng.uniform(7, 9)
    y = -card.length / 2 + rng.uniform(9, 13)
    fits = deep > (height if along else height / 2 + card.length / 2 + y + 1)
    _patch(card, rng, x, y, height, ends if fits else None)


def cuts(card: _Face) -> None:
    """Part the card by two to four straight cuts in any direction into fields of two or three tones."""
    rng = card.style.rng("parted")
    tones = _tones(card, rng)
    middles: list[float] = []
    for n in range(int(rng.integers(2, 5))):
        # Never nearly parallel to another cut: two such would be a leaning band.
        angle = rng.uniform(0, 180)
        while any(abs((angle - other + 90) % 180 - 90) < 25 for other in middles):
            angle = rng.uniform(0, 180)
        middles.append(angle)
        at = place(rng.uniform(-20, 20), rng.uniform(-32, 32), 1, angle)
        card.canvas.fill(rectangle(200, 100, 0, 0, 50), tones[(n + 1) % len(tones)], at)
        if rng.random() < 0.3:
            card.canvas.stroke(np.array([(-100.0, 0.0), (100.0, 0.0)]), rng.uniform(0.4, 2.5), card.style.dark, at)
    _ornament(card, rng, rng.uniform(8, 17))
    x = 0.0 if rng.random() < 0.4 else -card.width / 2 + rng.uniform(7, 9)
    _patch(card, rng, x, -card.length / 2 + rng.uniform(9, 14), rng.uniform(9, 14), None)


DRAWERS = {"flags": flags, "cuts": cuts}
