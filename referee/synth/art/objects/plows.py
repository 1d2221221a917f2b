"""Drawings of a plow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..canvas import Points, ellipse, rectangle, smooth
from .parts import Drawing, Part, area, curve, fit, ground, line, tube, wheel


def _walking(rng: np.random.Generator) -> list[Part]:
    lift = rng.uniform(-0.1, 0.1)
    share = smooth([(-0.25, 0.3), (0.15, 0.26), (0.35, 0.4), (0.0, 0.74), (-0.5, 0.8), (-0.78, 0.72), (-0.5, 0.55)])
    return [
        curve("body", 0.1, [(0.1, 0.55), (0.45, 0.05), (0.7, -0.4 + lift), (0.95, -0.62 + lift)]),
        curve("body", 0.08, [(-0.05, 0.5), (0.25, 0.0), (0.5, -0.5 + lift), (0.74, -0.78 + lift)]),
        curve("body", 0.13, [(0.35, 0.12), (-0.1, -0.08), (-0.6, -0.06), (-0.95, 0.05)]),
        line("dark", 0.05, [[0.42, -0.28], [0.6, -0.16]]),
        area("metal", share),
        line("dark", 0.09, [[0.0, 0.45], [-0.12, -0.06]]),
        line("metal", 0.07, [[-0.5, -0.06], [-0.56, 0.42]]),
        line("dark", 0.05, ellipse(-0.96, 0.12, 0.08), True),
        curve("light", 0.04, [(-0.6, 0.68), (-0.2, 0.5), (0.15, 0.36)]),
        curve("dark", 0.04, [(-0.98, 0.88), (-0.5, 0.84), (0, 0.88), (0.6, 0.85)]),
    ]


def _wheeled(rng: np.random.Generator) -> list[Part]:
    spokes = int(rng.choice([6, 8]))
    moldboard = smooth([(-0.05, 0.15), (0.4, 0.1), (0.55, 0.35), (0.2, 0.75), (-0.25, 0.78), (0.0, 0.5)])
    return [
        *wheel(-0.62, 0.42, 0.36, spokes, 0.09),
        line("body", 0.12, [[-0.7, 0.02], [0.35, 0.02]]),
        line("body", 0.09, [[-0.62, 0.42], [-0.5, 0.02]]),
        curve("body", 0.1, [(0.25, 0.3), (0.5, -0.2), (0.75, -0.6), (0.98, -0.66)]),
        curve("body", 0.08, [(0.1, 0.1), (0.3, -0.3), (0.5, -0.72), (0.72, -0.8)]),
        area("metal", moldboard),
        line("dark", 0.07, [[0.2, 0.6], [0.15, 0.02]]),
        line("dark", 0.04, [[0.4, -0.35], [0.62, -0.3]]),
        curve("light", 0.04, [(-0.1, 0.7), (0.2, 0.5), (0.4, 0.25)]),
    ]


def _old(rng: np.random.Generator) -> list[Part]:
    tail = rng.uniform(-0.9, -0.75)
    return [
        area(
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
        area(
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
        area("metal", np.array([[0.42, 0.36], [0.5, 0.62], [-0.7, 0.74], [-0.86, 0.66], [-0.2, 0.5], [0.0, 0.34]])),
        area("dark", np.array([[-0.46, -0.2], [-0.36, -0.22], [-0.5, 0.42], [-0.6, 0.42]])),
        line("dark", 0.05, np.array([[0.02, 0.45], [0.1, -0.1]])),
        line("light", 0.04, np.array([[-0.6, 0.66], [0.3, 0.5]])),
    ]


_Knot = tuple[float, float]


def _edges(*curves: Sequence[_Knot]) -> Points:
    """Trace a shape with sharp corners where its curves meet."""
    return np.vstack([smooth(curve, False) for curve in curves])


def _between(first: _Knot, last: _Knot, share: float) -> _Knot:
    return (first[0] + (last[0] - first[0]) * share, first[1] + (last[1] - first[1]) * share)


def _rungs(rng: np.random.Generator, width: float, first: Sequence[_Knot], last: Sequence[_Knot]) -> list[Part]:
    """Tie two straight handles with one to four strokes."""
    shares = np.linspace(0.35, 0.85, int(rng.integers(1, 5)))
    return [line("dark", width, [_between(*first, k), _between(*last, k)]) for k in shares]


def _furrows(
    rng: np.random.Generator, tone: str, width: float, shin: Sequence[_Knot], tail: Sequence[_Knot]
) -> list[Part]:
    """Draw one to three lines along a moldboard, whose edges run from the ground up and from the top down."""
    pairs = list(zip(shin, tail[::-1], strict=True))
    shares = np.linspace(0.25, 0.75, int(rng.integers(1, 4)))
    return [curve(tone, width, [_between(*pair, k) for pair in pairs]) for k in shares]


def _long(rng: np.random.Generator) -> list[Part]:
    reach, rise, size = rng.uniform(1.2, 1.6), rng.uniform(0.85, 1.3), rng.uniform(0.2, 0.3)
    deep, wide, gap = rng.uniform(0.62, 0.85), rng.uniform(0.5, 0.68), rng.uniform(0.14, 0.24)
    nose, arch = rng.uniform(-1.0, -0.8), rng.uniform(-0.1, 0.06)
    foot, grip = (0.06, deep - 0.2), (0.06 + reach, deep - 0.2 - rise - 0.35)
    upper = [(foot[0] - gap, foot[1] - gap), (grip[0] - gap, grip[1] - gap * 0.7)]
    shin = [(-wide, deep), (-wide * 0.55, deep * 0.6), (-wide * 0.5, 0.12)]
    tail = [(wide * 0.75, 0.1), (wide * 0.7, deep * 0.6), (wide * 0.1, deep)]
    parts = [
        *ground(rng, nose, 0.9, deep + 0.02),
        area("body", tube(upper, 0.08, 0.07)),
        *_rungs(rng, 0.045, upper, [foot, grip]),
        *wheel(nose + 0.06, deep - size, size, int(rng.choice([4, 5, 6, 8])), rng.uniform(0.05, 0.08)),
        line("body", 0.07, [(nose + 0.06, deep - size), (nose + 0.14, 0.0)]),
        area("body", tube([(nose, 0.02), (nose * 0.5, arch), (0.3, 0.08)], 0.11, 0.17)),
        area("body", tube([foot, grip], 0.11, 0.09)),
        area("metal", _edges(shin, [shin[2], (0.0, 0.0), tail[0]], tail)),
        *_furrows(rng, "light", 0.035, shin, tail),
    ]
    if rng.random() < 0.5:
        parts.append(line("dark", 0.07, [(nose * 0.66, arch - 0.1), (nose * 0.6, deep * 0.72)]))
    return fit(parts, rng, 0.015)


def _lineart(rng: np.random.Generator) -> list[Part]:
    pen, arch, reach = rng.uniform(0.025, 0.05), rng.uniform(0.3, 0.5), rng.uniform(0.85, 1.1)
    rise, deep, curl = rng.uniform(0.75, 1.0), rng.uniform(0.5, 0.66), rng.uniform(0.3, 0.5)
    fat, drop = rng.uniform(0.09, 0.14), rng.uniform(0.0, 0.12)
    grip = [(reach * 0.72, 0.0 - rise * 0.72), (reach * 0.9, -rise * 0.8), (reach, -rise * 0.74)]
    near = tube([(0.02, deep * 0.75), (reach * 0.4, -rise * 0.2), *grip], fat, fat * 0.8)
    behind = [(x - 0.12, y - 0.14) for x, y in grip]
    far = tube([(-0.14, deep * 0.5), (reach * 0.32, -rise * 0.38), *behind], fat * 0.8, fat * 0.7)
    bow = [(-0.6, -arch), (-0.15, -arch + 0.02), (0.08, -0.05), (0.0, deep * 0.6)]
    beam = tube([(-1.0, -arch + 0.2 + drop), *bow], fat, fat * 1.5)
    shin = [(-0.62, deep), (-0.3, deep * 0.62), (-0.2, 0.04)]
    tail = [(curl, 0.0), (curl * 0.85, deep * 0.4), (0.1, deep)]
    board = _edges(shin, [shin[2], (0.0, -0.08), tail[0]], tail)
    parts = [
        *(
            part
            for shape in (far, beam, near, board)
            for part in (area("light", shape), line("body", pen, shape, True))
        ),
        *_furrows(rng, "body", pen * 0.8, shin, tail),
        line("body", pen, [_between(shin[0], shin[1], 0.8), _between(tail[2], tail[1], 0.2)]),
        line("body", pen, ellipse(-1.07, -arch + 0.22 + drop, 0.07), True),
    ]
    if rng.random() < 0.5:
        size = rng.uniform(0.16, 0.24)
        parts += [line("body", pen, ellipse(-0.75, deep - size, r), True) for r in (size, size * 0.75, size * 0.2)]
        parts.append(line("body", pen * 1.6, [(-0.75, deep - size * 1.2), (-0.72, -arch + 0.02)]))
    for k in range(int(rng.integers(1, 3))):
        a, b = reach * (0.42 + 0.16 * k), -rise * (0.3 + 0.22 * k)
        parts.append(line("body", pen * 1.3, [(a - 0.1, b - 0.12), (a + 0.02, b + 0.02)]))
    for k in range(int(rng.integers(2, 6))):
        wave = deep + 0.06 + 0.1 * k + rng.uniform(-0.03, 0.03, 4)
        parts.append(curve("body", pen, np.stack([np.linspace(-1.0 + 0.1 * k, 1.0 - 0.08 * k, 4), wave], axis=1)))
    return fit(parts, rng, 0.015)


def _gang(rng: np.random.Generator) -> list[Part]:
    thick, step, slope = rng.uniform(0.13, 0.2), rng.uniform(0.75, 1.0), rng.uniform(-0.2, 0.12)
    tall, wing = rng.uniform(1.05, 1.4), rng.uniform(0.32, 0.42)
    mounted, discs = rng.random() < 0.55, rng.random() < 0.4
    front, back = -0.72, step + rng.uniform(0.15, 0.3)
    end = slope * (back - front)
    parts: list[Part] = []
    for x in (0.0, step):
        top = slope * (x - front)
        low, neck = top + tall, top + tall * 0.38
        if discs:
            parts.append(line("body", 0.07, [(x - 0.42, neck + 0.1), (x - 0.3, top)]))
            parts.append(area("metal", ellipse(x - 0.42, neck + 0.1, 0.22), ellipse(x - 0.42, neck + 0.1, 0.07)))
        shin = [(x - 0.46, low), (x - 0.2, low - tall * 0.24), (x - 0.14, low - tall * 0.52)]
        tail = [(x + wing, low - tall * 0.46), (x + wing * 0.75, low - tall * 0.2), (x + 0.08, low)]
        parts += [
            area("body", tube([(x, top), (x + 0.1, neck), (x, top + tall * 0.75)], thick, 0.2)),
            area("metal", _edges(shin, [shin[2], (x + 0.08, low - tall * 0.55), tail[0]], tail)),
            curve("light", 0.04, [(x - 0.2, low - 0.08), (x + 0.02, low - tall * 0.24), (x + 0.1, low - tall * 0.44)]),
        ]
    if mounted:
        mast = [(front - 0.02, 0.1), (front - 0.1, -0.62), (front + 0.06, -0.62), (front + 0.62, 0.0)]
        parts.append(area("body", mast, [(front + 0.1, -0.06), (front + 0.09, -0.38), (front + 0.36, -0.06)]))
        parts.append(line("dark", 0.09, [(front - 0.2, tall * 0.4), (front, 0.05)]))
        if rng.random() < 0.5:
            at = (step + wing + 0.3, end + tall * 0.8)
            parts.append(line("body", 0.08, [at, (back - 0.04, end)]))
            parts += [area("dark", ellipse(*at, 0.2)), area("light", ellipse(*at, 0.08))]
    else:
        size = rng.uniform(0.2, 0.3)
        parts += [
            *wheel(front - 0.1, tall - size, size, int(rng.choice([5, 6, 8])), 0.07),
            line("body", 0.08, [(front - 0.1, tall - size), (front + 0.1, 0.0)]),
            line("body", 0.08, [(front + 0.3, 0.0), (front + 0.6, -0.6), (front + 0.75, -0.66)]),
            line("body", 0.09, [(front, 0.0), (front - 0.35, 0.14)]),
        ]
    return fit([*parts, line("body", thick, [(front, 0.0), (back, end)])], rng, 0.015)


def _ard(rng: np.random.Generator) -> list[Part]:
    pole, steep, lean = rng.uniform(1.1, 1.4), rng.uniform(0.12, 0.42), rng.uniform(0.3, 0.75)
    thin, height, blade = rng.uniform(0.09, 0.15), rng.uniform(0.75, 1.0), rng.uniform(0.11, 0.2)
    foot, tip, top = (0.32, 0.26), (-pole, 0.15 - pole * steep), (0.15 + lean, 0.2 - height)
    hand = [(top[0] - 0.14, top[1] - 0.06), (top[0] + 0.16, top[1] + 0.06)]
    if rng.random() < 0.5:
        hand = [(top[0] - 0.03, top[1] + 0.03), (top[0] + 0.08, top[1] - 0.05), (top[0] + 0.28, top[1] - 0.02)]
    upper = [(-0.55, 0.86), (-0.26, 0.62 - blade), (0.08, 0.32)]
    parts = [
        *ground(rng, -0.9, 0.6, 0.84),
        area("body", tube([foot, tip], thin * 1.3, thin * 0.8)),
        area("body", tube([(-0.04, 0.6), (0.17, 0.26), top], thin * 1.7, thin)),
        curve("body", thin, hand),
        area("metal", _edges(upper, [(0.22, 0.46), (0.06, 0.68 + blade * 0.4), (-0.55, 0.86)])),
    ]
    pegs = [0.9, 0.97][: int(rng.integers(0, 3))]
    for k in (*np.arange(0.19, 0.35, 0.05)[: int(rng.integers(2, 5))], *pegs):
        x, y = _between(foot, tip, k)
        parts.append(line("dark", 0.05, [(x + 0.04, y - 0.13), (x - 0.02, y + 0.13)]))
    if rng.random() < 0.6:
        parts.append(line("dark", 0.06, [(-0.1, 0.56), _between(foot, tip, 0.45)]))
    return fit(parts, rng, 0.015)


def _icon(rng: np.random.Generator) -> list[Part]:
    fat, tall, wide = rng.uniform(0.16, 0.24), rng.uniform(0.62, 0.85), rng.uniform(0.62, 0.9)
    rise, nose, grip = rng.uniform(0.6, 0.9), rng.uniform(-1.1, -0.85), rng.uniform(0.15, 0.3)
    pair = rng.random() < 0.65
    parts = [line("body", fat, [(nose, 0.0), (0.3, 0.0)])]
    for x, y in [(0.0, -0.2), (0.42, 0.1)] if pair else [(0.3, 0.0)]:
        parts.append(line("body", fat * 0.85, [(x - 0.1, 0.1), (x + 0.5, y - rise), (x + 0.5 + grip, y - rise)]))
    back = [(0.5, -0.04), (0.5, tall * 0.55), (0.16, tall)] if rng.random() < 0.5 else [(0.62, 0.12), (0.1, tall)]
    parts.append(area("metal", _edges([(-wide, tall), (-wide * 0.4, tall * 0.62), (-0.24, -0.04)], back)))
    if rng.random() < 0.5:
        parts.append(area("light", ellipse(0.08, tall * 0.36, rng.uniform(0.07, 0.11))))
    else:
        parts.append(curve("light", 0.07, [(-wide * 0.4, tall * 0.84), (0.0, tall * 0.55), (0.16, 0.14)]))
    if not pair or rng.random() < 0.4:
        size, x = rng.uniform(0.2, 0.28), nose + 0.06
        parts.append(line("body", fat * 0.6, [(x, 0.0), (x, tall - size)]))
        parts += [area("dark", ellipse(x, tall - size, size)), area("light", ellipse(x, tall - size, size * 0.4))]
    elif rng.random() < 0.6:
        parts.append(line("body", fat * 0.75, [(nose, 0.0), (nose, 0.2)]))
    if rng.random() < 0.5:
        parts.append(area("dark", rectangle(1.9, 0.1, 0.05, -0.1, tall + 0.16)))
    return fit(parts, rng)


def _swing(rng: np.random.Generator) -> list[Part]:
    links, size, thick = int(rng.choice([3, 5])), rng.uniform(0.22, 0.3), rng.uniform(0.1, 0.15)
    length, rise, deep = rng.uniform(0.75, 0.95), rng.uniform(0.7, 1.0), rng.uniform(0.58, 0.75)
    sweep, sag = rng.uniform(0.8, 1.05), rng.uniform(0.15, 0.5)
    far = [(0.0, 0.3), (0.3, -rise * 0.4), (sweep - 0.25, -rise), (sweep - 0.05, -rise * 1.04)]
    near = [(0.14, 0.42), (0.5, -rise * 0.15), (sweep, -rise * 0.72), (sweep + 0.2, -rise * 0.74)]
    shin, crest = [(-0.34, deep), (-0.1, 0.24), (0.02, -0.02)], [(0.36, 0.02), (0.62, 0.16), (0.74, 0.36)]
    axle = (-0.56, deep - size)
    parts = [
        *ground(rng, -0.8, 0.8, deep + 0.05),
        curve("body", thick * 0.75, far),
        *_rungs(rng, 0.05, far[1:3], near[1:3]),
        area("metal", ellipse(*axle, size), ellipse(*axle, size * rng.uniform(0.2, 0.35))),
        line("dark", 0.07, [axle, (-0.46, -0.16)]),
        area("body", tube([(-length, -0.25), (-0.4, -0.18), (0.2, 0.0), (0.42, 0.1)], thick, thick * 1.5)),
        curve("body", thick, near),
        area("metal", _edges(shin, crest, [(0.44, deep), (-0.34, deep)])),
        curve("light", 0.04, [(-0.14, deep - 0.08), (0.1, 0.24), (0.3, 0.1)]),
        line("dark", 0.08, [(-length, -0.42), (-length, -0.08)]),
    ]
    # A chain hangs from the beam, every second link seen from its edge.
    at, course = np.array([-length, -0.25]), np.radians(rng.uniform(100, 170))
    for k in range(links):
        ahead = np.array([np.cos(course), np.sin(course)])
        course -= sag * (course - np.pi / 2)
        edge = line("dark", 0.06, [at - ahead * 0.04, at + ahead * 0.12])
        parts.append(edge if k % 2 else line("dark", 0.05, ellipse(*(at + ahead * 0.08), 0.08), True))
        at = at + ahead * (0.08 if k % 2 else 0.16)
    hook = np.array([(0.0, -0.02), (0.02, 0.16), (-0.06, 0.27), (-0.17, 0.25), (-0.2, 0.14)]) + at
    return fit([*parts, curve("dark", 0.08, hook)], rng, 0.015)


def _behind(rng: np.random.Generator) -> list[Part]:
    yaw, tilt = np.radians(rng.uniform([25, 8], [42, 18]))
    spread, rise = rng.uniform(0.42, 0.62), rng.uniform(1.15, 1.5)
    fat, wing = rng.uniform(0.075, 0.125), rng.uniform(0.5, 0.75)
    grip, reach = rng.uniform(0.15, 0.3), rng.uniform(1.1, 1.5)

    # x to the right, y ahead, z up; seen from behind and from the left.
    def seen(*knots: tuple[float, float, float]) -> list[_Knot]:
        x, y, z = np.array(knots).T
        ahead = x * np.sin(yaw) + y * np.cos(yaw)
        flat = np.stack([x * np.cos(yaw) - y * np.sin(yaw), -z * np.cos(tilt) - ahead * np.sin(tilt)])
        flat /= 1 + 0.15 * ahead
        return [(float(a), float(b)) for a, b in flat.T]

    def handle(side: float) -> list[_Knot]:
        bow = (side * spread * 0.5, -0.35, rise * 0.5)
        knots = seen((side * 0.05, 0.1, 0.1), bow, (side * spread, -0.75, rise))
        return [*knots, (knots[-1][0] + side * grip, knots[-1][1] - 0.05)]

    left, right = handle(-1.0), handle(1.0)
    parts: list[Part] = []
    for x in np.linspace(-0.15, 0.55, int(rng.integers(2, 4))) if rng.random() < 0.6 else ():
        parts.append(line("dark", 0.04, seen((x, -0.6, -0.05), (x, 1.2, -0.05))))
    if rng.random() < 0.5:
        nose, hub = seen((0.0, reach - 0.1, 0.6), (0.0, reach - 0.1, 0.16))
        parts += [*wheel(*hub, 0.18, int(rng.choice([4, 6, 8])), 0.05), line("body", 0.07, [nose, hub])]
    shin = seen((0.02, 1.0, 0.0), (0.0, 0.6, 0.2), (0.0, 0.4, 0.65))
    crest = seen((0.0, 0.4, 0.65), (0.2, 0.1, 0.74), (wing, -0.25, 0.62))
    tail = seen((wing, -0.25, 0.62), (wing * 0.8, -0.1, 0.25), (wing * 0.6, 0.3, 0.0))
    parts += [
        area("body", tube(right, fat * 1.1, fat * 1.2)),
        area("body", tube(seen((0.0, -0.1, 0.4), (0.0, 0.5, 0.65), (0.0, reach, 0.6)), fat * 1.8, fat * 1.1)),
        area("metal", _edges(shin, crest, tail)),
        curve("light", 0.04, seen((0.1, 0.6, 0.1), (0.14, 0.3, 0.4), (wing * 0.75, -0.1, 0.54))),
        *_rungs(rng, 0.06, left[1:3], right[1:3]),
        area("body", tube(left, fat * 1.2, fat * 1.4)),
    ]
    return fit(parts, rng, 0.015)


PLOWS: tuple[Drawing, ...] = (_walking, _wheeled, _gang, _long, _ard, _lineart, _icon, _swing, _behind, _old)
