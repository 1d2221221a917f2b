"""Faces of Dutch Blitz cards in several families of design.

The upper numeral's head points to the upper short edge, the lower half is the upper one turned by 180 degrees.
"""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...game.cards import Face
from . import bold_faces, figures, number_faces, parted_faces, rosettes
from .canvas import Bgr, Canvas, Points, blend, chain, ellipse, place, rectangle, smooth, vivid
from .numerals import draw_text, extent
from .pips import pip_places
from .style import ArtStyle
from .surface import finish

_HALVES = (0.0, 180.0)


def draw_face(face: Face, style: ArtStyle, px_per_mm: float = 4.0) -> NDArray[np.uint8]:
    """Draw one face: (H, W, 4) uint8 BGRA, the alpha cut with round corners.

    Raises
    ------
    ValueError
        If the face belongs to an ordinary deck: see `draw_ordinary`.
    """
    return draw_face_and_boxes(face, style, px_per_mm)[0]


def draw_face_and_boxes(face: Face, style: ArtStyle, px_per_mm: float = 4.0) -> tuple[NDArray[np.uint8], Points]:
    """Draw one face and say where its numerals are.

    Returns
    -------
    picture
        (H, W, 4) uint8 BGRA.
    boxes_mm
        (N, 4) float64: middle x, y, width and height of every numeral, from the card's middle.
    """
    if face.figure is None:
        raise ValueError(f"{face} is an ordinary card: use draw_ordinary")
    canvas = Canvas(style.size_mm, px_per_mm, style.ink(face.color))
    card = _Face(canvas, face, style)
    _FAMILY_DRAWERS[style.family](card)
    rng = np.random.default_rng([style.seed, zlib.crc32(str(face).encode())])
    return finish(canvas.finished(), style, rng, px_per_mm), np.array(card.boxes_mm)


def _clothes(style: ArtStyle) -> tuple[Bgr, Bgr] | None:
    """Choose colours of figures that have nothing to do with the card's: what a number belongs to is its own ink."""
    rng = style.rng("clothes")
    if style.heldout or rng.random() > 0.3:
        return None
    return vivid(rng), blend(vivid(rng), style.paper, rng.uniform(0.3, 0.9))


class _Face:
    """One face being drawn: what every family needs at hand."""

    def __init__(self, canvas: Canvas, face: Face, style: ArtStyle) -> None:
        self.canvas, self.face, self.style = canvas, face, style
        self.colour, self.paper = style.ink(face.color), style.paper
        # Dark ink is translucent on many printings: brown on yellow, navy on blue.
        glaze = style.rng("glaze")
        self.dark = blend(style.dark, self.colour, glaze.uniform(0.0, 0.38) if glaze.random() < 0.5 else 0.0)
        self.width, self.length = style.size_mm
        self.text = str(face.number)
        self.numerals = style.numerals
        self.rng = style.rng("face")
        self.boxes_mm: list[tuple[float, float, float, float]] = []
        self.overprint = place(*style.surface.shift_mm)
        self.clothes = _clothes(style)

    def light_or_dark(self) -> Bgr:
        """Choose the ink that stands out on the card's colour."""
        b, g, r = self.colour
        return self.dark if 0.11 * b + 0.59 * g + 0.3 * r > 150 else self.paper

    def numeral(self, x: float, y: float, height: float | None = None, ink: Bgr | None = None) -> None:
        """Print the number at (x, y) and, turned, at the opposite place."""
        scale = 1.0 if height is None else height / self.numerals.height_mm
        wide, tall = (length * scale for length in extent(self.numerals, self.text))
        if abs(x) > 4:
            # A numeral in a corner grows inward: ten is twice as wide as the others.
            x = np.sign(x) * min(abs(x), self.width / 2 - 2.2 - wide / 2)
        for half in _HALVES:
            at = chain(chain(self.overprint, place(angle_deg=half)), place(x, y, scale))
            draw_text(self.canvas, self.numerals, self.text, ink or self.dark, at)
            side = 1.0 if half == 0.0 else -1.0
            self.boxes_mm.append((side * x, side * y, wide, tall))

    def big_numeral(self, height: float, ink: Bgr) -> None:
        """Print one large number in the middle; 6 and 9 get a bar under the foot: nothing else tells them apart."""
        numerals = replace(self.numerals, on_baseline=False)
        wide, tall = extent(numerals, self.text)
        scale = min(height / numerals.height_mm, 32.0 / wide)
        at = chain(self.overprint, place(scale=scale))
        draw_text(self.canvas, numerals, self.text, ink, at)
        if self.text in "69":
            self.canvas.fill(rectangle(wide * 0.9, 0.9, 0, 0, tall / 2 + 1.2), ink, at)
        self.boxes_mm.append((0.0, 0.0, wide * scale, tall * scale))

    def figure(
        self, x: float, y: float, height: float, ink: Bgr | None = None, light: Bgr | None = None, mirror: bool = False
    ) -> None:
        """Print the figure centred at (x, y) and, turned, at the opposite place, in its own colours if it has any."""
        drawing = int(self.style.rng("figure").integers(figures.DRAWINGS))
        inks = self.clothes or (ink or self.dark, light or self.paper)
        for half in _HALVES:
            at = chain(place(angle_deg=half), place(x, y + height / 2, height, 0, mirror))
            figures.draw_figure(
                self.canvas, self.face.figure, drawing, self.style.seed, inks, chain(self.overprint, at)
            )

    def figures_in_corners(self, height: float | None = None, ink: Bgr | None = None, margin: float = 0.0) -> None:
        """Print four figures, heads toward the nearest short edge."""
        height = self.length * self.rng.uniform(0.145, 0.18) if height is None else height
        x = self.width / 2 - margin - self.rng.uniform(6.8, 8.8)
        y = -self.length / 2 + margin + self.rng.uniform(2.6, 4.2) + height / 2
        for side in (-1, 1):
            self.figure(side * x, y, height, ink, mirror=side > 0)

    def rosette(self, kind: str, radius: float, inks: tuple[Bgr, Bgr, Bgr] | None = None) -> None:
        """Print the ornament in the middle."""
        line = self.style.rng("line").uniform(0.25, 0.55)
        self.canvas_rosette(kind, radius, inks or (self.style.dark, self.paper, self.colour), line)

    def canvas_rosette(self, kind: str, radius: float, inks: tuple[Bgr, Bgr, Bgr], line: float) -> None:
        """Print an ornament with a given line width."""
        rosettes.draw_rosette(self.canvas, kind, self.style.seed, inks, place(scale=radius), line)

    def script(self, ink: Bgr) -> None:
        """Print a line of tiny handwriting along each long edge."""
        rng = self.style.rng("script")
        length, size = rng.uniform(24, 36), rng.uniform(1.2, 2.2)
        n = int(length / 0.9)
        wave = np.stack([np.linspace(-length / 2, length / 2, n), rng.normal(0, 0.4, n) * size], axis=1)
        wave[:, 1] -= (rng.random(n) < 0.15) * size
        line = smooth(wave, False, 4)
        for half in _HALVES:
            at = chain(place(angle_deg=half), place(self.width / 2 - 4.0, 0, 1, 90))
            self.canvas.stroke(line, rng.uniform(0.2, 0.35), ink, at)

    def panel(self, inset: float, radius: float, colour: Bgr) -> None:
        """Fill the card up to `inset` from its edge."""
        self.canvas.fill(rectangle(self.width - 2 * inset, self.length - 2 * inset, radius), colour)


def _classic_parts(card: _Face, rosette: str, margin: float = 0.0) -> None:
    rng = card.rng
    card.figures_in_corners(margin=margin)
    card.rosette(rosette, rng.uniform(15.8, 20.5) - margin * 0.6)
    card.numeral(rng.normal(0, 0.2), -card.length / 2 + margin * 0.8 + rng.uniform(10.8, 13.8))


def _classic(card: _Face) -> None:
    _classic_parts(card, "hearts")
    if card.style.rng("trim").random() < 0.3:
        card.script(card.dark)


def _whiteborder(card: _Face) -> None:
    border = card.style.rng("border").uniform(2.2, 4.5)
    card.panel(0, 0, card.paper)
    card.panel(border, card.style.rng("border").uniform(0.3, 3.5), card.colour)
    _classic_parts(card, "hearts", border * 0.8)


def _rosette(card: _Face) -> None:
    trim = card.style.rng("trim")
    kind = str(trim.choice([k for k in rosettes.KINDS if k != "hearts"]))
    if trim.random() < 0.5:
        _classic_parts(card, kind)
        return
    card.rosette(kind, trim.uniform(14, 20))
    if trim.random() < 0.5:
        inset = trim.uniform(1.5, 3.5)
        card.canvas.stroke(
            rectangle(card.width - 2 * inset, card.length - 2 * inset, 3), trim.uniform(0.3, 0.8), card.dark, None, True
        )
    card.numeral(0, -card.length / 2 + trim.uniform(11, 14))


def _corner(card: _Face) -> None:
    trim = card.style.rng("trim")
    ink = card.light_or_dark() if trim.random() < 0.5 else card.dark
    height = trim.uniform(9, 13)
    x, y = card.width / 2 - trim.uniform(7.5, 9.5), -card.length / 2 + trim.uniform(9.5, 12.0)
    card.numeral(-x, y, height, ink)
    if trim.random() < 0.6:
        card.numeral(x, y, height, ink)
    if trim.random() < 0.5:
        card.rosette(str(trim.choice(["hearts", "hearts", "hex", "birds"])), trim.uniform(15, 20))
    else:
        card.canvas.fill(ellipse(0, 0, card.width * 0.34, card.length * 0.3), card.paper)
        card.canvas.stroke(ellipse(0, 0, card.width * 0.34, card.length * 0.3), 0.4, card.dark, None, True)
        card.figure(0, -11.5, 21, None, blend(card.paper, card.colour, trim.uniform(0.4, 1.0)))


def _centre(card: _Face) -> None:
    trim = card.style.rng("trim")
    small = trim.uniform(7.5, 10.5)
    y = -card.length / 2 + trim.uniform(8.5, 10.5)
    ink = card.light_or_dark()
    if trim.random() < 0.6:
        card.canvas.fill(ellipse(0, 0, card.width * 0.36), card.paper)
        big_ink = card.dark if trim.random() < 0.5 else card.colour
    else:
        big_ink = ink
    card.big_numeral(trim.uniform(22, 30), big_ink)
    card.numeral(-card.width / 2 + trim.uniform(7.5, 9.0), y, small, ink)
    if trim.random() < 0.5:
        card.figure(card.width / 2 - 8.5, y + 2, 14, card.dark)


def _frame(card: _Face) -> None:
    trim = card.style.rng("trim")
    band = trim.uniform(3.5, 8.0)
    card.panel(band, trim.uniform(0.5, 4), card.paper)
    if trim.random() < 0.4:
        inset = band + 1.2
        card.canvas.stroke(rectangle(card.width - 2 * inset, card.length - 2 * inset, 2), 0.35, card.colour, None, True)
    ink = card.dark if trim.random() < 0.6 else blend(card.colour, card.dark, 0.25)
    card.numeral(0, -card.length / 2 + band + trim.uniform(8.5, 11), None, ink)
    card.rosette(
        str(trim.choice(["hearts", "hex", "birds", "plain"])),
        trim.uniform(11, 15),
        (card.dark, card.paper, card.colour),
    )
    if trim.random() < 0.7:
        for side in (-1, 1):
            card.figure(
                side * (card.width / 2 - band - 6.2),
                -card.length / 2 + band + 8.8,
                12.5,
                None,
                blend(card.paper, card.colour, 0.5),
                side > 0,
            )


def _flat(card: _Face) -> None:
    trim = card.style.rng("trim")
    tone = blend(card.colour, card.paper if trim.random() < 0.6 else card.dark, trim.uniform(0.15, 0.4))
    ink = card.paper if trim.random() < 0.6 and card.light_or_dark() is card.paper else card.dark
    pattern = int(trim.integers(4))
    if pattern == 0:
        card.canvas.fill(ellipse(0, 0, card.width * 0.42), tone)
    elif pattern == 1:
        for half in _HALVES:
            card.canvas.fill(np.array([[-40.0, 10], [40, -10], [40, 60], [-40, 60]]), tone, place(angle_deg=half))
            tone = blend(card.colour, tone, 0.5)
    elif pattern == 2:
        card.panel(trim.uniform(3, 6), 4, tone)
    else:
        for i in range(-5, 6):
            card.canvas.fill(rectangle(3.2, 140), tone, place(i * 9.0, 0, 1, 30))
    card.numeral(
        -card.width / 2 + trim.uniform(8, 10), -card.length / 2 + trim.uniform(9.5, 12), trim.uniform(9, 13), ink
    )
    if trim.random() < 0.5:
        card.canvas.fill(rosettes.HEART, ink, place(0, -8, 7, 180))
        card.canvas.fill(rosettes.HEART, ink, place(0, 8, 7))
    else:
        card.figure(0, -12, 20, ink, tone)


def _pips(card: _Face) -> None:
    trim = card.style.rng("trim")
    on_paper = trim.random() < 0.4
    if on_paper:
        card.panel(trim.uniform(0, 3.5), 3, card.paper)
    ink = card.colour if on_paper else card.light_or_dark()
    shape = rosettes.HEART if trim.random() < 0.5 else rosettes.TULIP
    size = trim.uniform(4.0, 5.2)
    for x, y in pip_places(card.face.number):
        card.canvas.fill(
            shape, ink, place(x * 12.5, y * 25.0, size, 180.0 if (y < 0) == (shape is rosettes.HEART) else 0.0)
        )
    corner = (-card.width / 2 + trim.uniform(6, 7), -card.length / 2 + trim.uniform(8, 9.5))
    card.numeral(*corner, trim.uniform(7.5, 9.5), card.dark if on_paper else ink)


def _outlined(card: _Face) -> None:
    """Print only lines and numerals in the card's colour; a picture in the middle has any colours."""
    trim = card.style.rng("outlined")
    card.panel(0, 0, blend(card.paper, card.colour, trim.choice([0.0, 0.0, trim.uniform(0.03, 0.12)])))
    inset = trim.uniform(2, 5)
    for _ in range(int(trim.integers(0, 3))):
        outline = rectangle(card.width - 2 * inset, card.length - 2 * inset, trim.choice([0.0, 2.5, 5.0]))
        card.canvas.stroke(outline, trim.uniform(0.3, 1.6), card.colour, None, closed=True)
        inset += trim.uniform(1.5, 3)
    if trim.random() < 0.7:
        size = trim.uniform(14, 40)
        inks = (vivid(trim), vivid(trim))
        if trim.random() < 0.5:
            card.figure(0, -size / 2, size, *inks)
        else:
            card.canvas_rosette(
                str(trim.choice(rosettes.KINDS)), size / 3, (*inks, card.paper), trim.uniform(0.25, 0.6)
            )
    ink = card.colour if trim.random() < 0.8 else blend(card.colour, card.style.dark, 0.35)
    height = trim.uniform(8, 13)
    card.numeral(-card.width / 2 + inset + height / 2, -card.length / 2 + inset + height / 2 + 1, height, ink)


def _band(card: _Face) -> None:
    trim = card.style.rng("trim")
    angle = trim.uniform(-35, 35)
    card.canvas.fill(rectangle(140, trim.uniform(24, 32)), card.paper, place(angle_deg=angle))
    card.canvas.stroke(rectangle(140, 22), 0.5, card.colour, place(angle_deg=angle), True)
    for side in (-1, 1):
        card.canvas.fill(rosettes.HEART, card.colour, place(side * 7, 0, 5, 90 * side))
    card.numeral(0, -card.length / 2 + trim.uniform(11, 13), trim.uniform(11, 15), card.light_or_dark())


def _oval(card: _Face) -> None:
    trim = card.style.rng("trim")
    tilt = trim.uniform(15, 40)
    card.panel(0, 0, card.paper)
    card.panel(trim.uniform(2, 4), 3, card.colour)
    card.canvas.fill(ellipse(0, 0, 20, 33), card.paper, place(angle_deg=tilt))
    card.big_numeral(28, card.colour if trim.random() < 0.6 else card.dark)
    card.numeral(-card.width / 2 + 9.5, -card.length / 2 + 12, trim.uniform(9, 11), card.light_or_dark())


_FAMILY_DRAWERS = {
    "classic": _classic, "corner": _corner, "centre": _centre, "whiteborder": _whiteborder, "frame": _frame,
    "rosette": _rosette, "flat": _flat, "pips": _pips, "outlined": _outlined, "band": _band, "oval": _oval,
    **bold_faces.DRAWERS, **number_faces.DRAWERS, **parted_faces.DRAWERS,
}  # fmt: skip
