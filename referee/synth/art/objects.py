"""The four objects on the backs, pump, pail, plow and carriage, each in several drawings, as lists of parts.

Drawings live in a square from -1 to 1, y down. How a part is inked (silhouette, engraving, colours) is up to `backs`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .canvas import Points, ellipse, rectangle, smooth


class Part(NamedTuple):
    """One piece of a drawing.

    `tone` is body, dark, light or metal; a part with `width` is a stroke of that width (in units of the drawing), else
    a filled contour; several contours are filled by the even-odd rule.
    """

    tone: str
    contours: tuple[Points, ...]
    width: float = 0.0
    closed: bool = False


def _area(tone: str, *contours: Points) -> Part:
    return Part(tone, tuple(np.asarray(c, float) for c in contours))


def _line(tone: str, width: float, points: Points, closed: bool = False) -> Part:
    return Part(tone, (np.asarray(points, float),), width, closed)


def _wheel(x: float, y: float, radius: float, spokes: int, rim: float, tone: str = "body") -> list[Part]:
    parts = [_area(tone, ellipse(x, y, radius), ellipse(x, y, radius - rim))]
    for angle in np.arange(spokes) * np.pi / spokes * 2 + 0.2:
        tip = np.array([np.cos(angle), np.sin(angle)]) * (radius - rim / 2)
        parts.append(_line(tone, rim * 0.45, np.array([[x, y], [x + tip[0], y + tip[1]]])))
    parts.append(_area("dark", ellipse(x, y, radius * 0.18)))
    return parts


def _pump_iron(rng: np.random.Generator) -> list[Part]:
    swing = rng.uniform(-0.1, 0.15)
    handle = smooth([(0.02, -0.72), (0.3, -0.82), (0.62, -0.5 + swing), (0.8, 0.1 + swing), (0.86, 0.3 + swing)], False)
    spout = smooth(
        [(-0.1, -0.38), (-0.5, -0.38), (-0.62, -0.2), (-0.62, -0.08), (-0.5, -0.08), (-0.44, -0.22), (-0.1, -0.2)]
    )
    return [
        _line("metal", 0.09, handle),
        _area("body", rectangle(0.36, 0.75, 0.06, 0, -0.2)),
        _area("body", smooth([(-0.26, -0.58), (-0.12, -0.72), (0, -0.86), (0.12, -0.72), (0.26, -0.58)])),
        _area("body", spout),
        _area("dark", rectangle(0.46, 0.09, 0.03, 0, 0.16)),
        _area("body", rectangle(0.2, 0.5, 0, 0, 0.42)),
        _area("dark", rectangle(0.62, 0.1, 0.03, 0, 0.68)),
        _area("body", rectangle(0.95, 0.2, 0.03, 0, 0.82)),
        _line("light", 0.05, np.array([[-0.09, -0.45], [-0.09, 0.05]])),
        _line("dark", 0.06, np.array([[0.0, -0.84], [0.0, -0.98]])),
    ]


def _pump_wooden(rng: np.random.Generator) -> list[Part]:
    tilt = rng.uniform(-0.1, 0.1)
    lever = np.array([[-0.1, -0.66], [0.72, -0.3 + tilt], [0.8, -0.2 + tilt]])
    parts = [
        _area("body", np.array([[-0.22, -0.8], [0.22, -0.8], [0.28, 0.8], [-0.28, 0.8]])),
        _area("dark", np.array([[-0.3, -0.8], [0, -0.98], [0.3, -0.8]])),
        _line("metal", 0.1, lever),
        _area("dark", ellipse(-0.02, -0.63, 0.07)),
        _area("body", np.array([[-0.2, -0.3], [-0.62, -0.16], [-0.6, -0.02], [-0.22, -0.12]])),
        _area("metal", np.array([[-0.98, 0.5], [0.4, 0.5], [0.32, 0.88], [-0.9, 0.88]])),
        _line("dark", 0.04, np.array([[-0.95, 0.62], [0.38, 0.62]])),
        _line("dark", 0.06, np.array([[-0.26, 0.2], [0.26, 0.2]])),
    ]
    if rng.random() < 0.6:
        parts.append(_line("light", 0.04, smooth([(-0.6, 0), (-0.66, 0.2), (-0.64, 0.46)], False)))
    return parts


def _pump_pitcher(rng: np.random.Generator) -> list[Part]:
    bulge = rng.uniform(0.26, 0.36)
    body = smooth(
        [
            (-0.2, -0.5),
            (0.2, -0.5),
            (bulge, -0.1),
            (0.2, 0.25),
            (0.14, 0.62),
            (-0.14, 0.62),
            (-0.2, 0.25),
            (-bulge, -0.1),
        ]
    )
    spout = smooth([(-0.2, -0.5), (-0.7, -0.42), (-0.8, -0.18), (-0.66, -0.16), (-0.5, -0.28), (-0.24, -0.2)])
    handle = smooth([(-0.3, -0.92), (0.1, -0.9), (0.5, -0.74), (0.74, -0.3), (0.9, 0.02)], False)
    return [
        _area("body", body),
        _area("body", spout),
        _line("metal", 0.11, handle),
        _line("metal", 0.06, np.array([[-0.1, -0.9], [-0.1, -0.5]])),
        _line("metal", 0.06, np.array([[0.24, -0.45], [0.3, -0.84]])),
        _area("dark", rectangle(0.56, 0.1, 0.04, 0, 0.66)),
        _area("body", np.array([[-0.5, 0.74], [0.5, 0.74], [0.62, 0.94], [-0.62, 0.94]])),
        _line("light", 0.045, smooth([(-0.12, -0.38), (-0.2, -0.08), (-0.12, 0.2)], False)),
        _line("dark", 0.05, np.array([[-0.2, -0.5], [0.22, -0.5]])),
    ]


def _pail(top: float, bottom: float, up: float, down: float, rng: np.random.Generator, staves: bool) -> list[Part]:
    swing = rng.uniform(0.5, 0.75)
    arch = ellipse(0, up + 0.05, top * 0.97, swing, 180, 360)
    parts = [
        _line("metal", 0.06, arch),
        _area("body", np.array([[-top, up], [top, up], [bottom, down], [-bottom, down]])),
        _area("body", ellipse(0, down, bottom, 0.12)),
        _area("dark", ellipse(0, up, top, 0.17)),
        _area("metal", ellipse(0, up, top, 0.17), ellipse(0, up - 0.015, top * 0.9, 0.125)),
        _area("dark", ellipse(-top, up + 0.12, 0.07)),
        _area("dark", ellipse(top, up + 0.12, 0.07)),
    ]
    for share in (0.3, 0.75):
        half = top + (bottom - top) * share
        y = up + (down - up) * share
        parts.append(_line("dark", 0.06, ellipse(0, y, half, 0.15, 0, 180)))
    if staves:
        for at in np.linspace(-0.75, 0.75, 6):
            parts.append(_line("dark", 0.02, np.array([[at * top, up + 0.16], [at * bottom, down + 0.08]])))
    else:
        parts.append(_line("light", 0.07, np.array([[-top * 0.62, up + 0.3], [-bottom * 0.66, down - 0.05]])))
    return parts


def _pail_tin(rng: np.random.Generator) -> list[Part]:
    return _pail(rng.uniform(0.66, 0.78), rng.uniform(0.44, 0.56), -0.26, 0.8, rng, False)


def _pail_wooden(rng: np.random.Generator) -> list[Part]:
    return _pail(rng.uniform(0.6, 0.7), rng.uniform(0.6, 0.74), -0.2, 0.76, rng, True)


def _pail_milk(rng: np.random.Generator) -> list[Part]:
    wide = rng.uniform(0.5, 0.62)
    can = smooth(
        [
            (-0.3, -0.55),
            (0.3, -0.55),
            (0.32, -0.35),
            (wide, -0.1),
            (wide, 0.85),
            (-wide, 0.85),
            (-wide, -0.1),
            (-0.32, -0.35),
        ],
        True,
        6,
    )
    return [
        _line("metal", 0.06, ellipse(0, -0.3, 0.55, 0.65, 180, 360)),
        _area("body", can),
        _area("metal", rectangle(0.74, 0.12, 0.05, 0, -0.56)),
        _area("dark", rectangle(0.5, 0.1, 0.05, 0, -0.66)),
        _line("dark", 0.05, ellipse(0, -0.02, wide, 0.1, 0, 180)),
        _line("dark", 0.05, ellipse(0, 0.64, wide, 0.1, 0, 180)),
        _line("light", 0.07, np.array([[-wide * 0.6, 0.1], [-wide * 0.6, 0.6]])),
    ]


def _plow_walking(rng: np.random.Generator) -> list[Part]:
    lift = rng.uniform(-0.1, 0.1)
    share = smooth([(-0.25, 0.3), (0.15, 0.26), (0.35, 0.4), (0.0, 0.74), (-0.5, 0.8), (-0.78, 0.72), (-0.5, 0.55)])
    return [
        _line("body", 0.1, smooth([(0.1, 0.55), (0.45, 0.05), (0.7, -0.4 + lift), (0.95, -0.62 + lift)], False)),
        _line("body", 0.08, smooth([(-0.05, 0.5), (0.25, 0.0), (0.5, -0.5 + lift), (0.74, -0.78 + lift)], False)),
        _line("body", 0.13, smooth([(0.35, 0.12), (-0.1, -0.08), (-0.6, -0.06), (-0.95, 0.05)], False)),
        _line("dark", 0.05, np.array([[0.42, -0.28], [0.6, -0.16]])),
        _area("metal", share),
        _line("dark", 0.09, np.array([[0.0, 0.45], [-0.12, -0.06]])),
        _line("metal", 0.07, np.array([[-0.5, -0.06], [-0.56, 0.42]])),
        _line("dark", 0.05, ellipse(-0.96, 0.12, 0.08), True),
        _line("light", 0.04, smooth([(-0.6, 0.68), (-0.2, 0.5), (0.15, 0.36)], False)),
        _line("dark", 0.04, smooth([(-0.98, 0.88), (-0.5, 0.84), (0, 0.88), (0.6, 0.85)], False)),
    ]


def _plow_wheeled(rng: np.random.Generator) -> list[Part]:
    spokes = int(rng.choice([6, 8]))
    moldboard = smooth([(-0.05, 0.15), (0.4, 0.1), (0.55, 0.35), (0.2, 0.75), (-0.25, 0.78), (0.0, 0.5)])
    return [
        *_wheel(-0.62, 0.42, 0.36, spokes, 0.09),
        _line("body", 0.12, np.array([[-0.7, 0.02], [0.35, 0.02]])),
        _line("body", 0.09, np.array([[-0.62, 0.42], [-0.5, 0.02]])),
        _line("body", 0.1, smooth([(0.25, 0.3), (0.5, -0.2), (0.75, -0.6), (0.98, -0.66)], False)),
        _line("body", 0.08, smooth([(0.1, 0.1), (0.3, -0.3), (0.5, -0.72), (0.72, -0.8)], False)),
        _area("metal", moldboard),
        _line("dark", 0.07, np.array([[0.2, 0.6], [0.15, 0.02]])),
        _line("dark", 0.04, np.array([[0.4, -0.35], [0.62, -0.3]])),
        _line("light", 0.04, smooth([(-0.1, 0.7), (0.2, 0.5), (0.4, 0.25)], False)),
    ]


def _plow_old(rng: np.random.Generator) -> list[Part]:
    tail = rng.uniform(-0.9, -0.75)
    return [
        _area(
            "body",
            smooth(
                [
                    (-0.98, -0.12),
                    (-0.3, -0.26),
                    (0.2, -0.1),
                    (0.42, 0.3),
                    (0.3, 0.42),
                    (0.06, 0.06),
                    (-0.34, -0.1),
                    (-0.96, 0.02),
                ]
            ),
        ),
        _area(
            "body",
            smooth(
                [
                    (0.1, 0.4),
                    (0.4, 0.0),
                    (0.56, -0.5),
                    (0.88, tail),
                    (0.96, tail + 0.1),
                    (0.7, -0.4),
                    (0.56, 0.1),
                    (0.34, 0.5),
                ]
            ),
        ),
        _area("metal", np.array([[0.42, 0.36], [0.5, 0.62], [-0.7, 0.74], [-0.86, 0.66], [-0.2, 0.5], [0.0, 0.34]])),
        _area("dark", np.array([[-0.46, -0.2], [-0.36, -0.22], [-0.5, 0.42], [-0.6, 0.42]])),
        _line("dark", 0.05, np.array([[0.02, 0.45], [0.1, -0.1]])),
        _line("light", 0.04, np.array([[-0.6, 0.66], [0.3, 0.5]])),
    ]


def _carriage_buggy(rng: np.random.Generator) -> list[Part]:
    roof = rng.uniform(-0.86, -0.74)
    rear, front = rng.uniform(0.36, 0.44), rng.uniform(0.3, 0.36)
    spokes = int(rng.choice([8, 10, 12]))
    return [
        _area(
            "body",
            smooth(
                [(-0.62, roof), (0.42, roof), (0.5, roof + 0.1), (0.46, 0.2), (-0.6, 0.2), (-0.68, roof + 0.1)], True, 5
            ),
        ),
        _area("light", rectangle(0.34, 0.36, 0.04, -0.3, roof + 0.38)),
        _area("light", rectangle(0.3, 0.36, 0.04, 0.16, roof + 0.38)),
        _area("dark", rectangle(1.2, 0.07, 0.03, -0.08, roof + 0.03)),
        _area("dark", rectangle(1.25, 0.08, 0.02, -0.06, 0.22)),
        _line("dark", 0.05, smooth([(0.5, 0.3), (0.75, 0.16), (1.0, 0.14)], False)),
        _line("dark", 0.05, np.array([[-0.4, 0.2], [-0.42, 0.5]])),
        _line("dark", 0.05, np.array([[0.42, 0.2], [0.44, 0.55]])),
        *_wheel(-0.46, 0.9 - rear, rear, spokes, 0.07, "metal"),
        *_wheel(0.46, 0.9 - front, front, spokes, 0.07, "metal"),
    ]


def _carriage_wagon(rng: np.random.Generator) -> list[Part]:
    high = rng.uniform(-0.85, -0.7)
    cover = smooth(
        [
            (-0.8, 0.0),
            (-0.86, high + 0.2),
            (-0.4, high),
            (0.1, high + 0.06),
            (0.6, high),
            (0.84, high + 0.2),
            (0.76, 0.0),
        ]
    )
    parts = [
        _area("light", cover),
        _line("dark", 0.045, cover, True),
        _area("body", np.array([[-0.88, -0.04], [0.86, -0.04], [0.76, 0.34], [-0.78, 0.34]])),
        _line("dark", 0.035, np.array([[-0.83, 0.14], [0.81, 0.14]])),
    ]
    for x in (-0.45, 0.0, 0.42):
        parts.append(_line("dark", 0.03, smooth([(x, high + 0.04), (x - 0.05, high / 2), (x, -0.04)], False)))
    return [*parts, *_wheel(-0.5, 0.52, 0.38, 10, 0.08, "metal"), *_wheel(0.52, 0.58, 0.32, 8, 0.08, "metal")]


def _carriage_coach(rng: np.random.Generator) -> list[Part]:
    round_ = rng.uniform(0.0, 0.12)
    cabin = smooth(
        [
            (-0.5, -0.7),
            (0.0, -0.76 - round_),
            (0.5, -0.7),
            (0.6, -0.3),
            (0.42, 0.18),
            (0.0, 0.3),
            (-0.42, 0.18),
            (-0.6, -0.3),
        ]
    )
    return [
        _line("dark", 0.06, smooth([(-0.95, 0.1), (-0.7, 0.36), (0, 0.4), (0.7, 0.36), (1.0, 0.0)], False)),
        _area("body", cabin),
        _area("dark", rectangle(0.06, 0.9, 0, 0, -0.24)),
        _area("light", rectangle(0.3, 0.34, 0.08, -0.25, -0.42)),
        _area("light", rectangle(0.3, 0.34, 0.08, 0.25, -0.42)),
        _area("dark", smooth([(0.6, -0.34), (0.95, -0.34), (0.92, -0.1), (0.56, 0.0)])),
        *_wheel(-0.58, 0.5, 0.42, 10, 0.07, "metal"),
        *_wheel(0.62, 0.58, 0.34, 8, 0.07, "metal"),
    ]


Drawing = Callable[[np.random.Generator], list[Part]]
DRAWINGS: dict[str, tuple[Drawing, ...]] = {
    "pump": (_pump_iron, _pump_wooden, _pump_pitcher),
    "pail": (_pail_tin, _pail_wooden, _pail_milk),
    "plow": (_plow_walking, _plow_wheeled, _plow_old),
    "carriage": (_carriage_buggy, _carriage_wagon, _carriage_coach),
}
"""Drawings of each symbol; training never sees the last one of each."""
