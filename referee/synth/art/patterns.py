"""Backs of no known deck: lattices, stripes, rosettes, plain, paisley, pictures. The reader must call them other."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
from numpy.typing import NDArray

from . import rosettes
from .canvas import Bgr, Canvas, blend, chain, ellipse, place, rectangle, smooth
from .style import ArtStyle
from .surface import finish, noise

KINDS = ("lattice", "stripes", "rosette", "plain", "paisley", "picture", "dots", "engine", "emblem")


def draw_other_back(
    rng: np.random.Generator, px_per_mm: float = 4.0, style: ArtStyle | None = None, kind: str | None = None
) -> NDArray[np.uint8]:
    """Draw a random back: (H, W, 4) uint8 BGRA.

    Parameters
    ----------
    rng
        Source of chance.
    style
        Gives size, paper and wear; None draws one.
    kind
        One of `KINDS`; None draws one.
    """
    style = ArtStyle.sample(rng) if style is None else style
    kind = str(rng.choice(KINDS, p=[0.24, 0.08, 0.12, 0.06, 0.12, 0.1, 0.08, 0.12, 0.08])) if kind is None else kind
    ink = _strong_ink(rng)
    bordered = kind != "picture" and rng.random() < 0.7
    paper = style.paper
    ground, figure = (ink, paper) if rng.random() < 0.6 else (blend(paper, ink, rng.uniform(0, 0.15)), ink)
    canvas = Canvas(style.size_mm, px_per_mm, ground)
    _DRAWERS[kind](canvas, rng, ground, figure)
    if bordered:
        width, length = style.size_mm
        border = rng.uniform(2.5, 5.0)
        canvas.fill(
            [rectangle(width + 1, length + 1), rectangle(width - 2 * border, length - 2 * border, rng.uniform(0, 3))],
            paper,
        )
        if rng.random() < 0.6:
            inner = border + rng.uniform(0.2, 1.0)
            canvas.stroke(
                rectangle(width - 2 * inner, length - 2 * inner, 1.5), rng.uniform(0.2, 0.6), ink, None, closed=True
            )
    return finish(canvas.finished(), style, rng, px_per_mm)


def _strong_ink(rng: np.random.Generator) -> Bgr:
    # Half of the decks in the world are red or blue.
    common = rng.random() < 0.55
    hue = rng.choice([0.0, 0.61]) + rng.normal(0, 0.02) if common else rng.random()
    r, g, b = colorsys.hsv_to_rgb(hue % 1.0, rng.uniform(0.35, 0.95), rng.uniform(0.2, 0.9))
    return (b * 255, g * 255, r * 255)


def _lattice(canvas: Canvas, rng: np.random.Generator, ground: Bgr, figure: Bgr) -> None:
    pitch = rng.uniform(2.2, 7.0)
    angle = rng.choice([30.0, 45.0, 60.0])
    everything = rectangle(140, 140)
    for turn in (angle, -angle):
        canvas.hatch(everything, figure, None, pitch, turn, rng.uniform(0.12, 0.35))
    width, length = canvas.size_mm
    if rng.random() < 0.7:
        a = np.radians(angle)
        step = np.array([pitch / np.cos(a), pitch / np.sin(a)])
        dot = rosettes.HEART if rng.random() < 0.3 else ellipse()
        size = pitch * rng.uniform(0.12, 0.25)
        for i in range(-int(width / step[0]) - 2, int(width / step[0]) + 3):
            for j in range(-int(length / step[1]) - 2, int(length / step[1]) + 3):
                if (i + j) % 2 == 0:
                    canvas.fill(dot, figure, place(i * step[0] / 2, j * step[1] / 2, size))
    if rng.random() < 0.55:
        _centrepiece(canvas, rng, ground, figure)


def _centrepiece(canvas: Canvas, rng: np.random.Generator, ground: Bgr, figure: Bgr) -> None:
    radius = rng.uniform(7, 15)
    offsets = (0.0,) if rng.random() < 0.6 else (-22.0, 22.0)
    kind = str(rng.choice(rosettes.KINDS))
    for y in offsets:
        rosettes.draw_rosette(
            canvas,
            kind,
            int(rng.integers(2**31)),
            (figure, ground, figure),
            place(0, y, radius, 180 if y > 0 else 0),
            0.4,
        )


def _stripes(canvas: Canvas, rng: np.random.Generator, ground: Bgr, figure: Bgr) -> None:
    angle = rng.choice([0.0, 45.0, 90.0, rng.uniform(0, 180)])
    canvas.hatch(rectangle(140, 140), figure, None, rng.uniform(1.2, 10), angle, rng.uniform(0.15, 0.6))
    if rng.random() < 0.4:
        canvas.hatch(
            rectangle(140, 140), blend(ground, figure, 0.5), None, rng.uniform(2, 10), angle + 90, rng.uniform(0.1, 0.5)
        )
    if rng.random() < 0.3:
        _centrepiece(canvas, rng, ground, figure)


def _rosette(canvas: Canvas, rng: np.random.Generator, ground: Bgr, figure: Bgr) -> None:
    kind = str(rng.choice(rosettes.KINDS))
    seed = int(rng.integers(2**31))
    rosettes.draw_rosette(canvas, kind, seed, (figure, ground, figure), place(scale=rng.uniform(14, 22)), 0.5)
    for sx in (-1, 1):
        for sy in (-1, 1):
            at = place(
                sx * (canvas.size_mm[0] / 2 - 10),
                sy * (canvas.size_mm[1] / 2 - 11),
                rng.uniform(3, 6),
                180 if sy < 0 else 0,
            )
            rosettes.draw_rosette(canvas, kind, seed, (figure, ground, figure), at, 0.3)


def _plain(canvas: Canvas, rng: np.random.Generator, ground: Bgr, figure: Bgr) -> None:
    if rng.random() < 0.5:
        inset = rng.uniform(4, 9)
        outline = rectangle(canvas.size_mm[0] - 2 * inset, canvas.size_mm[1] - 2 * inset, 3)
        canvas.stroke(outline, rng.uniform(0.4, 1.5), figure, None, closed=True)


def _paisley(canvas: Canvas, rng: np.random.Generator, ground: Bgr, figure: Bgr) -> None:
    drop = smooth(
        [
            (0, -1),
            (0.25, -0.5),
            (0.6, 0.0),
            (0.5, 0.6),
            (0, 0.85),
            (-0.5, 0.6),
            (-0.55, 0.05),
            (-0.2, -0.3),
            (-0.25, -0.7),
        ]
    )
    middle = blend(ground, figure, 0.5)
    spots = rng.uniform((-30, 0), (30, 44), (int(rng.integers(14, 30)), 2))
    for x, y in spots:
        size, turn = rng.uniform(3, 8), rng.uniform(0, 360)
        for half in (0.0, 180.0):
            at = chain(place(angle_deg=half), place(x, -y, size, turn))
            canvas.fill(drop, figure, at)
            canvas.fill(drop * 0.68, ground, at)
            canvas.fill(drop * 0.42, middle, at)
            canvas.stroke(ellipse(0, 0.1, 0.18), 0.3, figure, at, closed=True)


def _picture(canvas: Canvas, rng: np.random.Generator, ground: Bgr, figure: Bgr) -> None:
    """Paint something like a photograph: soft fields of colour, a horizon, blobs and grain."""
    shape = canvas.image.shape[:2]
    field = np.stack([noise(rng, shape, 2) * rng.uniform(30, 90) for _ in range(3)], axis=2)
    ramp = np.linspace(-1, 1, shape[0], dtype=np.float32)[:, None, None]
    tone = np.array(ground, np.float32) + ramp * (np.array(figure, np.float32) - np.array(ground, np.float32)) / 2
    canvas.image[:] = np.clip(tone + field + noise(rng, shape, 1)[..., None] * 18, 0, 255)
    for _ in range(int(rng.integers(2, 14))):
        ring = ellipse()[:-1]
        blob = smooth(ring[::5] * rng.uniform(0.5, 1.3, (len(ring[::5]), 1)))
        tint = _strong_ink(rng)
        canvas.fill(
            blob, tint, place(rng.uniform(-28, 28), rng.uniform(-44, 44), rng.uniform(3, 16), rng.uniform(0, 360))
        )
    soft = rng.uniform(0.1, 1.2) * canvas.px_per_mm
    small = cv2.resize(canvas.image, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), max(0.3, soft / 4))
    canvas.image[:] = cv2.resize(small, shape[::-1], interpolation=cv2.INTER_LINEAR)


def _dots(canvas: Canvas, rng: np.random.Generator, ground: Bgr, figure: Bgr) -> None:
    pitch = rng.uniform(3, 9)
    shapes = (ellipse(), rosettes.HEART, rosettes.TULIP, rosettes.star(int(rng.integers(4, 9)), 0.45))
    dot = shapes[int(rng.integers(len(shapes)))]
    size = pitch * rng.uniform(0.2, 0.42)
    for row, y in enumerate(np.arange(-48, 48.1, pitch)):
        for x in np.arange(-36, 36.1, pitch) + (row % 2) * pitch / 2:
            canvas.fill(dot, figure, place(x, y, size))


def _engine(canvas: Canvas, rng: np.random.Generator, ground: Bgr, figure: Bgr) -> None:
    """Turn guilloche curves as banknotes and casino cards have them."""
    t = np.linspace(0, 2 * np.pi, 721)
    for _ in range(int(rng.integers(2, 5))):
        lobes, ripple = int(rng.integers(3, 24)), rng.uniform(0.1, 0.5)
        wide, tall = rng.uniform(8, 25), rng.uniform(10, 40)
        for phase in np.linspace(0, 2 * np.pi / lobes, int(rng.integers(3, 8)), endpoint=False):
            radius = 1 + ripple * np.sin(lobes * (t + phase))
            curve = np.stack([wide * radius * np.cos(t), tall * radius * np.sin(t)], axis=1)
            canvas.stroke(curve, rng.uniform(0.12, 0.3), figure, None, closed=True)


def _emblem(canvas: Canvas, rng: np.random.Generator, ground: Bgr, figure: Bgr) -> None:
    """Stamp one strange object in the middle or one in each half, as game publishers do."""
    knots = int(rng.integers(5, 12))
    angles = np.sort(rng.uniform(0, 2 * np.pi, knots))
    radii = rng.uniform(0.35, 1.0, knots)
    blob = smooth(np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1))
    second = _strong_ink(rng)
    halves = rng.random() < 0.5
    for half in (0.0, 180.0) if halves else (0.0,):
        at = chain(place(angle_deg=half), place(0, -20 if halves else 0, 13 if halves else 20))
        canvas.fill(blob, figure, at)
        canvas.stroke(blob, rng.uniform(0.3, 1), second, at, closed=True)
        canvas.fill(blob * 0.5, second, at)
        canvas.fill(ellipse(rng.uniform(-0.2, 0.2), 0, 0.12), ground, at)


_DRAWERS = {
    "lattice": _lattice, "stripes": _stripes, "rosette": _rosette, "plain": _plain, "paisley": _paisley,
    "picture": _picture, "dots": _dots, "engine": _engine, "emblem": _emblem,
}  # fmt: skip
