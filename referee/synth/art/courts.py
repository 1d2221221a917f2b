"""Jacks, queens and kings of ordinary decks: a framed half figure twice, in flat bright cloths."""

from __future__ import annotations

import zlib

import numpy as np

from ...game.cards import Face
from .canvas import Bgr, Canvas, Points, blend, chain, ellipse, place, rectangle, smooth
from .pips import draw_pip
from .style import ArtStyle

_HALF = 34.5
"""Half of the picture's length in the units that the figure is drawn in."""


def draw_court(canvas: Canvas, face: Face, style: ArtStyle, ink: Bgr, rng: np.random.Generator) -> None:
    """Draw the picture of a court card; `rng` gives what the whole deck shares."""
    width, length = style.size_mm[0] * rng.uniform(0.6, 0.7), style.size_mm[1] * rng.uniform(0.75, 0.87)
    unit = length / 2 / _HALF
    w = width / 2 / unit
    own = np.random.default_rng([style.seed, face.number, zlib.crc32(face.color.value.encode())])
    blue = (rng.uniform(110, 190), rng.uniform(50, 90), rng.uniform(20, 60))
    red = (rng.uniform(20, 60), rng.uniform(15, 50), rng.uniform(185, 225))
    gold = (rng.uniform(30, 80), rng.uniform(175, 215), rng.uniform(225, 250))
    skin = blend(style.paper, (150, 190, 235), rng.uniform(0.0, 0.6))
    slope = own.uniform(-8, 8)
    seed = int(own.integers(2**31))
    for half in (0.0, 180.0):
        # Both halves draw from the same dice, so the card looks the same turned round.
        figure = _Figure(
            canvas,
            place(scale=unit, angle_deg=half),
            np.random.default_rng(seed),
            style.dark,
            (red, gold, style.dark, blue),
        )
        figure.robe(w, slope)
        figure.head(face.number, skin)
        held = figure.held(w, skin)
        side = -1.0 if held > 0 or w > 16 else 1.0
        draw_pip(canvas, face.color, ink, chain(figure.at, place(side * (w - 4.0), 5.2 - _HALF, 3.2)))
    edge = np.array([(-w, -slope), (w, slope)]) * unit
    canvas.stroke(edge, 0.3, style.dark)
    frame_ink = blue if rng.random() < 0.5 else style.dark
    canvas.stroke(rectangle(width, length), rng.uniform(0.25, 0.5), frame_ink, None, closed=True)


class _Figure:
    """One half of the picture being drawn."""

    def __init__(
        self, canvas: Canvas, at: Points, rng: np.random.Generator, line: Bgr, cloths: tuple[Bgr, Bgr, Bgr, Bgr]
    ) -> None:
        self.canvas, self.at, self.rng, self.line, self.cloths = canvas, at, rng, line, cloths
        self.hair = cloths[1] if rng.random() < 0.6 else blend(cloths[1], line, 0.6)

    def cloth(self) -> Bgr:
        """Choose one of the bright colours."""
        return self.cloths[int(self.rng.integers(4))]

    def fill(self, points: Points, colour: Bgr) -> None:
        """Fill and outline."""
        self.canvas.fill(points, colour, self.at)
        self.canvas.stroke(points, 0.28, self.line, self.at, closed=True)

    def robe(self, w: float, slope: float) -> None:
        """Dress the figure: a cloak, panels, a collar, rows of spots, a chequered belt."""
        rng, canvas = self.rng, self.canvas
        shoulder = rng.uniform(-14, -8)
        self.fill(
            np.array([(-w, -slope), (-w, shoulder), (-8, -19), (8, -19), (w, shoulder), (w, slope)]), self.cloth()
        )
        for _ in range(int(rng.integers(4, 8))):
            x0, x1 = sorted(rng.uniform(-w, w, 2))
            panel = np.array([(x0 * 0.5, -18), (x1 * 0.5, -18), (x1, slope * x1 / w), (x0, slope * x0 / w)])
            self.fill(panel, self.cloth())
        for _ in range(int(rng.integers(1, 4))):
            y, colour, size = rng.uniform(-15, -3), self.cloth(), rng.uniform(0.45, 1.0)
            for x in np.arange(-w * 0.8, w * 0.8, size * rng.uniform(2.6, 4.0)):
                canvas.fill(ellipse(x, y + x * slope / w * 0.8, size), colour, self.at)
        first, second = self.cloth(), self.cloth()
        lean = slope / w
        for i, x in enumerate(np.arange(-w, w - 1.9, 2.0)):
            check = np.array(
                [(x, x * lean - 2.4), (x + 2, (x + 2) * lean - 2.4), (x + 2, (x + 2) * lean), (x, x * lean)]
            )
            canvas.fill(check, first if i % 2 else second, self.at)
        self.fill(np.array([(-7, -19), (7, -19), (3.5, -13.5), (0, -11.5), (-3.5, -13.5)]), self.cloth())

    def head(self, number: int, skin: Bgr) -> None:
        """Draw hair, face, beard of the king, and crown or cap."""
        rng, canvas, at = self.rng, self.canvas, self.at
        self.fill(smooth([(-6.5, -20), (-6, -30), (0, -33), (6, -30), (6.5, -20), (0, -18.5)]), self.hair)
        self.fill(smooth([(-3.8, -29.5), (3.8, -29.5), (3.6, -24), (0, -20.5), (-3.6, -24)]), skin)
        for eye in (-1.5, 1.5):
            canvas.fill(ellipse(eye, -26.8, 0.55, 0.35), self.line, at)
            canvas.stroke(np.array([(eye - 0.9, -27.8), (eye + 0.9, -27.9)]), 0.2, self.line, at)
        canvas.stroke(np.array([(0.2, -26.5), (0.5, -24.6), (-0.2, -24.5)]), 0.22, self.line, at)
        canvas.stroke(np.array([(-1.0, -23.0), (1.0, -23.0)]), 0.4, self.cloths[0], at)
        if number == 13 and rng.random() < 0.8:
            self.fill(smooth([(-3.6, -24), (3.6, -24), (2, -18), (0, -16.5), (-2, -18)]), self.hair)
        if number == 11:
            self.fill(smooth([(-6, -29), (-5, -33), (4, -33.5), (6.5, -29), (0, -30)]), self.cloth())
            return
        points = 5 if number == 12 else 3
        xs = np.linspace(-5.5, 5.5, 2 * points + 1)
        ys = np.where(np.arange(2 * points + 1) % 2 == 0, -30.2, -34.0)
        self.fill(np.vstack([np.stack([xs, ys], axis=1), [(5, -28.8), (-5, -28.8)]]), self.cloths[1])

    def held(self, w: float, skin: Bgr) -> float:
        """Draw a sword, a sceptre or a flower in a hand; gives where."""
        rng = self.rng
        x = float(rng.uniform(8, w - 3) * rng.choice([-1, 1]))
        self.fill(rectangle(1.3, 20, 0.3, x, -18), self.cloth())
        if rng.random() < 0.5:
            self.fill(ellipse(x, -28.5, 1.9), self.cloth())
        else:
            self.fill(rectangle(5, 1.2, 0.3, x, -15.5), self.cloths[1])
        self.fill(ellipse(x, -12.5, 2.2, 1.8), skin)
        return x
