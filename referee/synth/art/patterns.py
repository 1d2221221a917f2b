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

KINDS = (
    "lattice", "stripes", "rosette", "plain", "paisley", "picture", "dots", "engine", "emblem",
    "frames", "casino", "argyle", "panels", "arms",
)  # fmt: skip


_SHARES = (0.16, 0.05, 0.08, 0.04, 0.08, 0.07, 0.05, 0.08, 0.06, 0.08, 0.1, 0.05, 0.05, 0.05)


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
    kind = str(rng.choice(KINDS, p=_SHARES)) if kind is None else kind
    ink = _strong_ink(rng)
    bordered = kind not in ("picture", "frames", "panels") and rng.random() < 0.6
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


def _deep(ink: Bgr, rng: np.random.Generator) -> Bgr:
    return blend(ink, (20.0, 16.0, 16.0), rng.uniform(0.5, 0.9))


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


def _frames(canvas: Canvas, rng: np.random.Generator, ground: Bgr, figure: Bgr) -> None:
    """Nest frames with hard edges far from the card's own edge, a field or a lattice in the innermost."""
    width, length = canvas.size_mm
    tones = (figure, ground, _deep(ground, rng))
    inset, radius = 0.0, rng.choice([0.0, 2.0, 6.0])
    for step in range(int(rng.integers(2, 6))):
        inset += rng.uniform(1.0, 5.5)
        if inset > 17:
            break
        canvas.fill(rectangle(width - 2 * inset, length - 2 * inset, radius), tones[step % int(rng.integers(2, 4))])
    inside = rectangle(width - 2 * inset - 2, length - 2 * inset - 2, radius)
    if rng.random() < 0.6:
        angle = rng.choice([0.0, 30.0, 45.0])
        for turn in (angle, -angle if angle else 90.0):
            canvas.hatch(inside, figure, None, rng.uniform(1.5, 5.0), turn, rng.uniform(0.15, 0.4))
    if rng.random() < 0.5:
        _centrepiece(canvas, rng, ground, figure)


def _casino(canvas: Canvas, rng: np.random.Generator, ground: Bgr, figure: Bgr) -> None:
    """Cover the card to its edge with one small repeated print, dark or bright, as casinos' decks have it."""
    pitch = rng.uniform(1.6, 4.5)
    canvas.fill(rectangle(140, 140), ground if rng.random() < 0.6 else _deep(ground, rng))
    angle = rng.choice([30.0, 45.0, 60.0])
    for turn in (angle, -angle):
        canvas.hatch(rectangle(140, 140), figure, None, pitch, turn, rng.uniform(0.15, 0.45))
    if rng.random() < 0.5:
        small = blend(ground, figure, 0.5)
        for turn in (angle, -angle):
            canvas.hatch(rectangle(140, 140), small, None, pitch / 2, turn, 0.2)
    if rng.random() < 0.45:
        width, tall = rng.uniform(16, 34), rng.uniform(10, 44)
        plate = (
            rectangle(width, tall, rng.choice([0.0, 5.0])) if rng.random() < 0.5 else ellipse(0, 0, width / 2, tall / 2)
        )
        canvas.fill(plate, ground)
        canvas.stroke(plate, rng.uniform(0.4, 1.4), figure, None, closed=True)
        rosettes.draw_rosette(
            canvas, str(rng.choice(rosettes.KINDS)), int(rng.integers(2**31)), (figure, ground, figure),
            place(scale=min(width, tall) * 0.38), 0.3,
        )  # fmt: skip


def _argyle(canvas: Canvas, rng: np.random.Generator, ground: Bgr, figure: Bgr) -> None:
    """Lay large diamonds in two or three tones."""
    wide, tall = rng.uniform(7, 30), rng.uniform(9, 45)
    tones = (figure, blend(ground, figure, 0.5), _deep(ground, rng))
    diamond = np.array([(0, -tall / 2), (wide / 2, 0), (0, tall / 2), (-wide / 2, 0)])
    for i in range(-12, 13):
        for j in range(-12, 13):
            at = (i * wide / 2, j * tall / 2)
            if (i + j) % 2 == 0 and abs(at[0]) < 45 and abs(at[1]) < 70:
                canvas.fill(diamond + at, tones[abs(j) % 2])
    if rng.random() < 0.6:
        angle = np.degrees(np.arctan2(wide, tall))
        for turn in (angle, -angle):
            canvas.hatch(rectangle(140, 140), tones[2], None, wide * np.cos(np.radians(angle)) / 2, turn, 0.04)


def _panels(canvas: Canvas, rng: np.random.Generator, ground: Bgr, figure: Bgr) -> None:
    """Split the card into two or more fields of hard contrast, the same turned by 180 degrees."""
    width, length = canvas.size_mm
    second = _strong_ink(rng) if rng.random() < 0.5 else _deep(ground, rng)
    kind = int(rng.integers(4))
    if kind == 0:
        canvas.fill(rectangle(width + 2, length * rng.uniform(0.2, 0.6)), second)
    elif kind == 1:
        canvas.fill(rectangle(width * rng.uniform(0.3, 0.6), length + 2), second)
    elif kind == 2:
        for side in (-1, 1):
            canvas.fill(
                rectangle(width / 2 + 1, length / 2 + 1, 0, side * (width / 4 + 0.5), side * length / 4), second
            )
    else:
        reach = width * rng.uniform(0.35, 0.6)
        canvas.fill(ellipse(0, 0, reach), second)
        canvas.stroke(ellipse(0, 0, reach), rng.uniform(0.4, 3), figure, None, closed=True)
    if rng.random() < 0.7:
        _centrepiece(canvas, rng, ground, figure)


def _arms(canvas: Canvas, rng: np.random.Generator, ground: Bgr, figure: Bgr) -> None:
    """Turn dense scrolls round two medallions inside a heavy frame, as the commonest decks do."""
    width, length = canvas.size_mm
    t = np.linspace(0, 5 * np.pi, 90)
    for _ in range(int(rng.integers(14, 30))):
        x, y, size, turn = rng.uniform(2, 24), rng.uniform(2, 40), rng.uniform(2, 6), rng.uniform(0, 360)
        curl = np.stack([np.cos(t), np.sin(t)], 1) * (t / t[-1])[:, None]
        for mirror in (False, True):
            for half in (0.0, 180.0):
                at = chain(place(angle_deg=half, mirror=mirror), place(x, y, size, turn))
                canvas.stroke(curl, rng.uniform(0.35, 0.7), figure, at)
    for y in (-length * 0.22, length * 0.22):
        radius = width * rng.uniform(0.16, 0.24)
        canvas.fill(ellipse(0, y, radius), ground)
        canvas.stroke(ellipse(0, y, radius), 0.7, figure, None, closed=True)
        rosettes.draw_rosette(
            canvas, str(rng.choice(rosettes.KINDS)), int(rng.integers(2**31)), (figure, ground, figure),
            place(0, y, radius * 0.8, 180 if y > 0 else 0), 0.3,
        )  # fmt: skip
    band = rng.uniform(2, 6)
    canvas.fill([rectangle(width, length), rectangle(width - 2 * band, length - 2 * band, 2)], figure)


_DRAWERS = {
    "lattice": _lattice, "stripes": _stripes, "rosette": _rosette, "plain": _plain, "paisley": _paisley,
    "picture": _picture, "dots": _dots, "engine": _engine, "emblem": _emblem,
    "frames": _frames, "casino": _casino, "argyle": _argyle, "panels": _panels, "arms": _arms,
}  # fmt: skip
