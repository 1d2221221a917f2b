"""The ornament in the middle of a face: a scalloped disc with hearts and tulips, and other rosettes.

All are drawn within a circle of radius one and look the same when turned by 180 degrees.
"""

from __future__ import annotations

import numpy as np

from .canvas import Bgr, Canvas, Points, blend, chain, ellipse, place, smooth

KINDS = ("hearts", "star", "birds", "hex", "flower", "wheel", "plain", "quilt")
HEART = smooth(
    [
        (0, -1.0),
        (0.35, -0.45),
        (0.78, 0.05),
        (0.95, 0.5),
        (0.72, 0.9),
        (0.3, 0.9),
        (0, 0.58),
        (-0.3, 0.9),
        (-0.72, 0.9),
        (-0.95, 0.5),
        (-0.78, 0.05),
        (-0.35, -0.45),
    ]
)
TULIP = smooth(
    [
        (0, -0.9),
        (0.5, -0.6),
        (0.62, 0.1),
        (0.75, 0.9),
        (0.32, 0.35),
        (0, 0.95),
        (-0.32, 0.35),
        (-0.75, 0.9),
        (-0.62, 0.1),
        (-0.5, -0.6),
    ]
)

WIDE_HEART = smooth(
    [
        (0, -0.85),
        (0.6, -0.2),
        (1.05, 0.45),
        (0.85, 0.8),
        (0.35, 0.82),
        (0, 0.62),
        (-0.35, 0.82),
        (-0.85, 0.8),
        (-1.05, 0.45),
        (-0.6, -0.2),
    ]
)
ROUND_TULIP = smooth(
    [
        (0, -0.85),
        (0.6, -0.65),
        (0.9, 0),
        (0.7, 0.7),
        (0.3, 0.62),
        (0, 0.9),
        (-0.3, 0.62),
        (-0.7, 0.7),
        (-0.9, 0),
        (-0.6, -0.65),
    ]
)


def scalloped(lobes: int, depth: float, phase_deg: float = 0.0) -> Points:
    """Trace a disc of radius one whose edge is a row of arcs meeting in cusps."""
    t = np.linspace(0, 2 * np.pi, 181)[:-1]
    wave = np.abs(np.cos((t - np.radians(phase_deg)) * lobes / 2)) ** 0.6
    radius = 1 - depth * (1 - wave)
    return np.stack([radius * np.cos(t), radius * np.sin(t)], axis=1)


def star(points: int, inner: float, phase_deg: float = -90.0) -> Points:
    """Trace a star of radius one."""
    t = np.radians(phase_deg) + np.pi * np.arange(2 * points) / points
    radius = np.where(np.arange(2 * points) % 2 == 0, 1.0, inner)
    return np.stack([radius * np.cos(t), radius * np.sin(t)], axis=1)


def draw_rosette(
    canvas: Canvas, kind: str, shape_seed: int, inks: tuple[Bgr, Bgr, Bgr], matrix: Points, line_mm: float
) -> None:
    """Draw a rosette; `inks` are dark, white and the card's colour, `matrix` leads from the unit circle to mm."""
    _DRAWERS[kind](canvas, np.random.default_rng([shape_seed, 13]), inks, matrix, line_mm)


def _disc(canvas: Canvas, rng: np.random.Generator, inks: tuple[Bgr, Bgr, Bgr], m: Points, line_mm: float) -> None:
    dark, white, _ = inks
    lobes = int(rng.choice([4, 4, 4, 8, 8, 12, 16]))
    depth = rng.uniform(0.05, 0.12) if lobes <= 8 else rng.uniform(0.03, 0.08)
    # Cusps of four lobes lie on the diagonals, behind the hearts.
    edge = scalloped(lobes, depth, 0.0)
    outer = chain(m, place(scale=1.0 + 0.02))
    if rng.random() < 0.6:
        canvas.fill(ellipse(0, 0, 1 - depth * 0.35), dark, m)
    canvas.fill(edge, white, m)
    canvas.stroke(edge, line_mm, dark, outer, closed=True)
    if rng.random() < 0.25:
        canvas.stroke(scalloped(lobes, depth, 0.0) * 0.93, line_mm * 0.6, dark, m, closed=True)


def _hearts(canvas: Canvas, rng: np.random.Generator, inks: tuple[Bgr, Bgr, Bgr], m: Points, line_mm: float) -> None:
    dark, white, colour = inks
    _disc(canvas, rng, inks, m, line_mm)
    size, out = rng.uniform(0.21, 0.29), rng.uniform(0.5, 0.58)
    stem_out, bud = rng.uniform(0.62, 0.78), rng.uniform(0.12, 0.17)
    heart = WIDE_HEART if rng.random() < 0.4 else HEART
    flower = ROUND_TULIP if rng.random() < 0.4 else TULIP
    outlined, filled = rng.random() < 0.3, rng.random() < 0.5
    wiggle = rng.uniform(0.02, 0.07)
    leaves = rng.random() < 0.6
    for quarter in range(4):
        diagonal = chain(chain(m, place(angle_deg=45 + 90 * quarter)), place(0, out, size))
        canvas.fill(heart, colour, diagonal)
        if outlined:
            canvas.stroke(heart, line_mm * 0.6, dark, diagonal, closed=True)
        axis = chain(m, place(angle_deg=90 * quarter))
        bend = wiggle if quarter % 2 else -wiggle  # neighbours mirror each other: four alike would make a pinwheel
        stem = smooth([(0, 0), (bend, stem_out * 0.3), (-bend, stem_out * 0.6), (0, stem_out - bud)], False)
        canvas.stroke(stem, line_mm * 0.7, dark, axis)
        if leaves:
            for side in (-1, 1):
                leaf = smooth([(0, 0.3), (side * 0.1, 0.36), (side * 0.05, 0.46)], False)
                canvas.stroke(leaf, line_mm * 0.7, dark, axis)
        tulip = chain(axis, place(0, stem_out, bud))
        canvas.fill(flower, colour if filled else white, tulip)
        canvas.stroke(flower, line_mm * 0.9, dark, tulip, closed=True)


def _star(canvas: Canvas, rng: np.random.Generator, inks: tuple[Bgr, Bgr, Bgr], m: Points, line_mm: float) -> None:
    dark, white, colour = inks
    points = int(rng.choice([6, 8, 10, 12]))
    canvas.fill(ellipse(), white, m)
    canvas.stroke(ellipse(), line_mm, dark, m, closed=True)
    canvas.fill(star(points, rng.uniform(0.4, 0.7)) * 0.86, colour, m)
    canvas.stroke(star(points, 0.5) * 0.86, line_mm * 0.7, dark, m, closed=True)
    canvas.fill(ellipse(0, 0, 0.22), white, m)
    canvas.stroke(ellipse(0, 0, 0.22), line_mm * 0.7, dark, m, closed=True)


def _birds(canvas: Canvas, rng: np.random.Generator, inks: tuple[Bgr, Bgr, Bgr], m: Points, line_mm: float) -> None:
    dark, _, colour = inks
    _disc(canvas, rng, inks, m, line_mm)
    bird = smooth(
        [
            (-0.6, 0.0),
            (-0.38, -0.1),
            (-0.25, -0.32),
            (-0.1, -0.3),
            (0.0, -0.05),
            (0.3, 0.02),
            (0.6, -0.12),
            (0.42, 0.14),
            (0.05, 0.24),
            (-0.25, 0.1),
        ]
    )
    for half in (0, 180):
        at = chain(chain(m, place(angle_deg=half)), place(0.02, -0.5, 0.8))
        canvas.fill(bird, colour, at)
        canvas.stroke(bird, line_mm * 0.7, dark, at, closed=True)
        canvas.fill(ellipse(-0.22, -0.2, 0.04), dark, at)
    canvas.fill(HEART, colour, chain(m, place(-0.2, 0, 0.15, 90)))
    canvas.fill(HEART, colour, chain(m, place(0.2, 0, 0.15, -90)))


def _hex(canvas: Canvas, rng: np.random.Generator, inks: tuple[Bgr, Bgr, Bgr], m: Points, line_mm: float) -> None:
    dark, white, colour = inks
    petals = int(rng.choice([6, 6, 8]))
    canvas.fill(ellipse(), white, m)
    canvas.stroke(ellipse(), line_mm * 1.4, dark, m, closed=True)
    canvas.stroke(ellipse(0, 0, 0.88), line_mm * 0.6, dark, m, closed=True)
    petal = smooth([(0, 0), (0.2, 0.4), (0, 0.84), (-0.2, 0.4)])
    for i in range(petals):
        at = chain(m, place(angle_deg=360 * i / petals))
        canvas.fill(petal, colour if i % 2 == 0 or petals == 6 else dark, at)
        canvas.stroke(petal, line_mm * 0.5, dark, at, closed=True)


def _flower(canvas: Canvas, rng: np.random.Generator, inks: tuple[Bgr, Bgr, Bgr], m: Points, line_mm: float) -> None:
    dark, white, colour = inks
    petals = int(rng.choice([8, 12, 16]))
    for i in range(petals):
        at = chain(m, place(angle_deg=360 * i / petals))
        canvas.fill(ellipse(0, 0.62, 0.3, 0.36), white, at)
        canvas.stroke(ellipse(0, 0.62, 0.3, 0.36), line_mm * 0.6, dark, at, closed=True)
    canvas.fill(ellipse(0, 0, 0.62), white, m)
    canvas.fill(ellipse(0, 0, 0.5), colour, m)
    canvas.stroke(ellipse(0, 0, 0.5), line_mm, dark, m, closed=True)
    canvas.fill(star(8, 0.4) * 0.4, white, m)


def _wheel(canvas: Canvas, rng: np.random.Generator, inks: tuple[Bgr, Bgr, Bgr], m: Points, line_mm: float) -> None:
    dark, white, colour = inks
    canvas.fill(ellipse(), dark, m)
    canvas.fill(ellipse(0, 0, 0.92), white, m)
    spokes = int(rng.choice([8, 10, 12]))
    for i in range(spokes):
        at = chain(m, place(angle_deg=360 * i / spokes))
        canvas.fill(np.array([[-0.04, 0.1], [0.04, 0.1], [0.07, 0.76], [-0.07, 0.76]]), dark, at)
    canvas.stroke(ellipse(0, 0, 0.78), line_mm * 1.5, dark, m, closed=True)
    canvas.fill(ellipse(0, 0, 0.36), white, m)
    canvas.fill(ellipse(0, 0, 0.3), colour, m)


def _plain(canvas: Canvas, rng: np.random.Generator, inks: tuple[Bgr, Bgr, Bgr], m: Points, line_mm: float) -> None:
    dark, white, colour = inks
    canvas.fill(ellipse(), white, m)
    if rng.random() < 0.5:
        canvas.stroke(ellipse(), line_mm, dark, m, closed=True)
    for half in (0, 180):
        canvas.fill(HEART, colour, chain(chain(m, place(angle_deg=half)), place(0, 0.42, 0.34)))


def _quilt(canvas: Canvas, rng: np.random.Generator, inks: tuple[Bgr, Bgr, Bgr], m: Points, line_mm: float) -> None:
    dark, white, colour = inks
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 0.75
    canvas.fill(square, white, m)
    canvas.stroke(square, line_mm, dark, m, closed=True)
    tone = rng.uniform(0.2, 0.8)
    for quarter in range(4):
        at = chain(m, place(angle_deg=90 * quarter))
        canvas.fill(np.array([[0, 0.05], [0.26, 0.4], [0, 0.75], [-0.26, 0.4]]), colour, at)
        canvas.fill(np.array([[0.42, 0.42], [0.75, 0.42], [0.75, 0.75], [0.42, 0.75]]), blend(colour, dark, tone), at)


_DRAWERS = {
    "hearts": _hearts,
    "star": _star,
    "birds": _birds,
    "hex": _hex,
    "flower": _flower,
    "wheel": _wheel,
    "plain": _plain,
    "quilt": _quilt,
}
