"""Faces with strong edges inside: blocks of colour, frames, large discs, full-bleed pictures with plaques on them.

Nobody prints Dutch Blitz so. A detector that has only seen calm cards takes such a card for two: these teach it that
only the outer edge counts. They are no copies of the families that are held out, a leaning band and a leaning oval.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from . import rosettes
from .canvas import Bgr, Points, blend, ellipse, place, rectangle, smooth
from .surface import noise

if TYPE_CHECKING:
    from .faces import _Face

_HALVES = (0.0, 180.0)


def readable_on(card: _Face, ground: Bgr) -> Bgr:
    """Choose the ink that stands out on a ground: dark or paper."""
    b, g, r = ground
    return card.dark if 0.11 * b + 0.59 * g + 0.3 * r > 140 else card.paper


def _second(card: _Face, rng: np.random.Generator) -> Bgr:
    """Choose a colour beside the card's own: paper, the dark ink, or a lighter or darker tone; never another colour."""
    choices = (
        card.paper,
        card.style.dark,
        blend(card.colour, card.paper, rng.uniform(0.45, 0.75)),
        blend(card.colour, card.style.dark, rng.uniform(0.4, 0.65)),
    )
    return choices[int(rng.choice(4, p=[0.45, 0.2, 0.2, 0.15]))]


def _plaque(card: _Face, rng: np.random.Generator, y: float) -> tuple[Bgr, float]:
    """Lay a small panel under each numeral; give its colour and the numeral's height."""
    height = rng.uniform(11, 15)
    ground = _second(card, rng)
    wide = rng.uniform(18, 34)
    shape: Points = rectangle(wide, height + 5, rng.choice([0.0, 2.0, 6.0]))
    if rng.random() < 0.35:
        shape = ellipse(0, 0, wide / 2, height / 2 + 4)
    for half in _HALVES:
        at = place(angle_deg=half)
        card.canvas.fill(shape + (0.0, y), ground, at)
        if half == 0.0:
            line = rng.uniform(0.3, 0.9)
        card.canvas.stroke(shape + (0.0, y), line, readable_on(card, ground), at, closed=True)
    return ground, height


def _middle(card: _Face, rng: np.random.Generator, radius: float) -> None:
    """Set something in the middle: an ornament, two figures, a disc, or nothing."""
    what = int(rng.integers(4))
    if what == 0:
        kind = str(rng.choice(rosettes.KINDS))
        card.canvas_rosette(kind, radius, (card.style.dark, card.paper, card.colour), rng.uniform(0.25, 0.6))
    elif what == 1:
        card.figure(0, -radius * 0.62, radius * 1.2, None, blend(card.paper, card.colour, rng.uniform(0.2, 0.8)))
    elif what == 2:
        card.canvas.fill(ellipse(0, 0, radius), _second(card, rng))
        card.canvas.stroke(ellipse(0, 0, radius), rng.uniform(0.3, 1.4), card.style.dark, None, closed=True)


def ends(card: _Face) -> None:
    """Print straight bars across both ends, or along both sides, and leave the middle to another colour."""
    rng = card.style.rng("bold")
    ground = _second(card, rng)
    sideways = rng.random() < 0.3
    depth = rng.uniform(8, 14) if sideways else rng.uniform(17, 27)
    if rng.random() < 0.5:
        card.panel(0, 0, ground)
        bar = card.colour
    else:
        bar = ground
    size = (depth, card.length + 2) if sideways else (card.width + 2, depth)
    offset = (card.width / 2 - depth / 2, 0.0) if sideways else (0.0, card.length / 2 - depth / 2)
    stripe = blend(bar, card.style.dark, rng.uniform(0.3, 0.9)) if rng.random() < 0.5 else bar
    inner = np.array(offset) * (1 - (depth / 2 + 1.5) / sum(offset))
    for side in (-1, 1):
        card.canvas.fill(rectangle(*size, 0, offset[0] * side, offset[1] * side), bar)
        line = rectangle(1.2 if sideways else 140, 140 if sideways else 1.2)
        card.canvas.fill(line + inner * side, stripe)
    _middle(card, rng, rng.uniform(9, 14))
    at = -card.length / 2 + (rng.uniform(10, 13) if sideways else depth / 2)
    under = bar if not sideways else (ground if bar is card.colour else card.colour)
    card.numeral(0, at, rng.uniform(10, min(14.0, depth - 3) if not sideways else 14), readable_on(card, under))


def quarters(card: _Face) -> None:
    """Divide the card into two, four or more fields of two tones."""
    rng = card.style.rng("bold")
    other = _second(card, rng)
    w, h = card.width, card.length
    kind = int(rng.integers(5))
    if kind == 0:
        card.canvas.fill(rectangle(w + 2, h / 2 + 1, 0, 0, h / 4 + 0.5), other)
    elif kind == 1:
        card.canvas.fill(rectangle(w / 2 + 1, h + 2, 0, w / 4 + 0.5), other)
    elif kind == 2:
        for side in (-1, 1):
            card.canvas.fill(rectangle(w / 2 + 1, h / 2 + 1, 0, side * (w / 4 + 0.5), side * (h / 4 + 0.5)), other)
    elif kind == 3:
        corner = np.array([(-w / 2 - 1, -h / 2 - 1), (w / 2 + 1, -h / 2 - 1), (-w / 2 - 1, h / 2 + 1)])
        card.canvas.fill(corner, other)
    else:
        columns, rows = int(rng.integers(3, 6)), int(rng.integers(4, 8))
        for i in range(columns):
            for j in range(rows):
                if (i + j) % 2:
                    at = ((i + 0.5) / columns * w - w / 2, (j + 0.5) / rows * h - h / 2)
                    card.canvas.fill(rectangle(w / columns + 0.2, h / rows + 0.2, 0, *at), other)
    if rng.random() < 0.4:
        thick = rng.uniform(0.5, 2.5)
        for line in (np.array([(-w, 0.0), (w, 0.0)]), np.array([(0.0, -h), (0.0, h)]))[: 1 + int(kind == 2)]:
            if kind in (0, 2):
                card.canvas.stroke(line, thick, card.style.dark)
    _middle(card, rng, rng.uniform(10, 17))
    y = -card.length / 2 + rng.uniform(13, 17)
    ground, height = _plaque(card, rng, y)
    card.numeral(0, y, height, readable_on(card, ground))


def discs(card: _Face) -> None:
    """Print one very large disc with rings, or one in each half, as if another thing lay on the card."""
    rng = card.style.rng("bold")
    ground = _second(card, rng)
    pair = rng.random() < 0.4
    radius = card.width * (rng.uniform(0.3, 0.4) if pair else rng.uniform(0.38, 0.56))
    if rng.random() < 0.4:
        card.panel(0, 0, ground)
        ground = card.colour
    places = (-card.length * 0.235, card.length * 0.235) if pair else (0.0,)
    rings = int(rng.integers(0, 4))
    for y in places:
        card.canvas.fill(ellipse(0, y, radius), ground)
        for ring in range(rings):
            share = 1 - (ring + 0.5) * rng.uniform(0.12, 0.22)
            card.canvas.stroke(
                ellipse(0, y, radius * max(share, 0.2)), rng.uniform(0.3, 2.2), card.style.dark, None, True
            )
        card.canvas.stroke(ellipse(0, y, radius), rng.uniform(0.2, 1.2), card.style.dark, None, closed=True)
    if pair:
        card.canvas.fill(ellipse(0, places[0], 9.5), ground)
        card.canvas.fill(ellipse(0, places[1], 9.5), ground)
        card.numeral(0, places[0], rng.uniform(10, 14), readable_on(card, ground))
        return
    if rng.random() < 0.5:
        card.canvas.fill(ellipse(0, 0, radius * 0.62), ground)
        card.big_numeral(rng.uniform(16, 24), readable_on(card, ground))
    corner = (-card.width / 2 + rng.uniform(7, 9), -card.length / 2 + rng.uniform(8.5, 10.5))
    under = card.colour if ground is not card.colour else card.paper
    card.canvas.fill(ellipse(0, 0, 6.5, 7.5) + corner, under)
    card.canvas.fill(ellipse(0, 0, 6.5, 7.5) - corner, under)
    card.numeral(*corner, rng.uniform(8.5, 11), readable_on(card, under))


def nested(card: _Face) -> None:
    """Draw one to four frames inside one another, far from the edge, with hard contrast."""
    rng = card.style.rng("bold")
    fills = [card.colour, _second(card, rng)]
    if rng.random() < 0.5:
        fills.reverse()
    card.panel(0, 0, fills[0])
    inset, ground = 0.0, fills[0]
    radius = rng.choice([0.0, 1.5, 5.0])
    for step in range(int(rng.integers(1, 5))):
        inset += rng.uniform(1.2, 6.5)
        if inset > 15:
            break
        ground = fills[(step + 1) % 2]
        card.panel(inset, radius, ground)
        if rng.random() < 0.4:
            outline = rectangle(card.width - 2 * inset, card.length - 2 * inset, radius)
            card.canvas.stroke(outline, rng.uniform(0.25, 1.0), card.style.dark, None, closed=True)
    height = rng.uniform(10, 13)
    _middle(card, rng, min(rng.uniform(9, 15), card.width / 2 - inset - 1.5))
    if rng.random() < 0.5:
        across = rectangle(card.width - 2 * inset, 0.8)
        for side in (-1, 1):
            card.canvas.fill(across + (0.0, side * (card.length / 2 - inset - height - 5)), card.style.dark)
    card.numeral(0, -card.length / 2 + inset + height / 2 + 2.5, height, readable_on(card, ground))


def scenery(card: _Face) -> None:
    """Paint a full-bleed picture in the card's colour with rectangles and plaques on it."""
    rng = card.style.rng("bold")
    canvas = card.canvas
    shape = canvas.image.shape[:2]
    small = (shape[0] // 3, shape[1] // 3)
    light = noise(rng, small, 2) * rng.uniform(0.15, 0.45) + noise(rng, small, 1) * rng.uniform(0.0, 0.2)
    field = cv2.resize(1 + light, shape[::-1], interpolation=cv2.INTER_LINEAR)
    canvas.image[:] = np.clip(canvas.image * field[..., None], 0, 255)
    tones = [blend(card.colour, end, share) for end, share in ((card.paper, 0.5), (card.style.dark, 0.5))]
    horizon = rng.uniform(-12, 12)
    canvas.fill(rectangle(card.width + 2, card.length, 0, 0, horizon + card.length / 2), tones[1])
    for _ in range(int(rng.integers(3, 12))):
        tone = tones[int(rng.integers(2))]
        x, y = rng.uniform(-26, 26), rng.uniform(-38, 38)
        kind = int(rng.integers(3))
        if kind == 0:
            canvas.fill(rectangle(*rng.uniform(5, 30, 2), 0, x, y), tone)
        elif kind == 1:
            ring = ellipse(x, y, rng.uniform(3, 13))
            canvas.fill(ring, tone)
            canvas.stroke(ring, 0.4, card.style.dark, None, closed=True)
        else:
            base = ellipse()[:-1:5]
            canvas.fill(smooth(base * rng.uniform(0.5, 1.4, (len(base), 1))), tone, place(x, y, rng.uniform(4, 14)))
    if rng.random() < 0.7:
        wide, tall = rng.uniform(20, 44), rng.uniform(16, 40)
        canvas.fill(rectangle(wide, tall, rng.choice([0.0, 3.0])), _second(card, rng))
        canvas.stroke(rectangle(wide, tall), rng.uniform(0.3, 1.5), card.style.dark, None, closed=True)
        _middle(card, rng, min(wide, tall) * 0.4)
    y = -card.length / 2 + rng.uniform(11, 15)
    ground, height = _plaque(card, rng, y)
    card.numeral(0, y, height, readable_on(card, ground))


DRAWERS = {"ends": ends, "quarters": quarters, "discs": discs, "nested": nested, "scenery": scenery}
