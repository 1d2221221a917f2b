"""Drawings of a plow."""

from __future__ import annotations

import numpy as np

from ..canvas import Points, ellipse, rectangle, smooth
from .parts import Drawing, Part, area, line, wheel


def _walking(rng: np.random.Generator) -> list[Part]:
    lift = rng.uniform(-0.1, 0.1)
    share = smooth([(-0.25, 0.3), (0.15, 0.26), (0.35, 0.4), (0.0, 0.74), (-0.5, 0.8), (-0.78, 0.72), (-0.5, 0.55)])
    return [
        line("body", 0.1, smooth([(0.1, 0.55), (0.45, 0.05), (0.7, -0.4 + lift), (0.95, -0.62 + lift)], False)),
        line("body", 0.08, smooth([(-0.05, 0.5), (0.25, 0.0), (0.5, -0.5 + lift), (0.74, -0.78 + lift)], False)),
        line("body", 0.13, smooth([(0.35, 0.12), (-0.1, -0.08), (-0.6, -0.06), (-0.95, 0.05)], False)),
        line("dark", 0.05, np.array([[0.42, -0.28], [0.6, -0.16]])),
        area("metal", share),
        line("dark", 0.09, np.array([[0.0, 0.45], [-0.12, -0.06]])),
        line("metal", 0.07, np.array([[-0.5, -0.06], [-0.56, 0.42]])),
        line("dark", 0.05, ellipse(-0.96, 0.12, 0.08), True),
        line("light", 0.04, smooth([(-0.6, 0.68), (-0.2, 0.5), (0.15, 0.36)], False)),
        line("dark", 0.04, smooth([(-0.98, 0.88), (-0.5, 0.84), (0, 0.88), (0.6, 0.85)], False)),
    ]


def _wheeled(rng: np.random.Generator) -> list[Part]:
    spokes = int(rng.choice([6, 8]))
    moldboard = smooth([(-0.05, 0.15), (0.4, 0.1), (0.55, 0.35), (0.2, 0.75), (-0.25, 0.78), (0.0, 0.5)])
    return [
        *wheel(-0.62, 0.42, 0.36, spokes, 0.09),
        line("body", 0.12, np.array([[-0.7, 0.02], [0.35, 0.02]])),
        line("body", 0.09, np.array([[-0.62, 0.42], [-0.5, 0.02]])),
        line("body", 0.1, smooth([(0.25, 0.3), (0.5, -0.2), (0.75, -0.6), (0.98, -0.66)], False)),
        line("body", 0.08, smooth([(0.1, 0.1), (0.3, -0.3), (0.5, -0.72), (0.72, -0.8)], False)),
        area("metal", moldboard),
        line("dark", 0.07, np.array([[0.2, 0.6], [0.15, 0.02]])),
        line("dark", 0.04, np.array([[0.4, -0.35], [0.62, -0.3]])),
        line("light", 0.04, smooth([(-0.1, 0.7), (0.2, 0.5), (0.4, 0.25)], False)),
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


def _bar(knots: list[tuple[float, float]], start: float, end: float) -> Points:
    """Trace a bar along a curve, `start` wide at first and `end` at last."""
    path = smooth(knots, False)
    along = np.gradient(path, axis=0)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.linalg.norm(along, axis=1, keepdims=True)
    across *= np.linspace(start, end, len(path))[:, None] / 2
    return np.vstack([path + across, (path - across)[::-1]])


def _edges(*curves: list[tuple[float, float]]) -> Points:
    """Trace a shape with sharp corners where its curves meet."""
    return np.vstack([smooth(curve, False) for curve in curves])


def _between(first: tuple[float, float], last: tuple[float, float], share: float) -> tuple[float, float]:
    return (first[0] + (last[0] - first[0]) * share, first[1] + (last[1] - first[1]) * share)


def _fit(parts: list[Part]) -> list[Part]:
    """Move and scale a drawing so that it fills the square."""
    low = np.min([c.min(0) - p.width / 2 for p in parts for c in p.contours], axis=0)
    high = np.max([c.max(0) + p.width / 2 for p in parts for c in p.contours], axis=0)
    scale = 1.92 / float(np.max(high - low))
    middle = (low + high) / 2
    return [p._replace(contours=tuple((c - middle) * scale for c in p.contours), width=p.width * scale) for p in parts]


def _soil(rng: np.random.Generator, left: float, right: float, y: float) -> list[Part]:
    """Draw what is under a plow: a line, tufts of grass, clods, a puddle or nothing."""
    kind, stroke, span = int(rng.integers(5)), rng.uniform(0.03, 0.06), right - left
    if kind == 0:
        return []
    if kind == 1:
        spots, radii = np.linspace(left + 0.1, right - 0.1, int(rng.integers(4, 8))), rng.uniform(0.05, 0.11, 8)
        return [area("dark", ellipse(x, y, r, r * 0.6)) for x, r in zip(spots, radii, strict=False)]
    wave = rng.uniform(-0.04, 0.04, 5)
    parts = [line("dark", stroke, smooth([(left + span * i / 4, y + w) for i, w in enumerate(wave)], False))]
    if kind == 2:
        for x in rng.uniform(left + 0.1, right - 0.1, int(rng.integers(2, 5))):
            lean = rng.uniform(0.03, 0.09)
            blades = np.array([[x - lean, y - 0.15], [x, y], [x, y - 0.2], [x, y], [x + lean, y - 0.14]])
            parts.append(line("dark", stroke * 0.8, blades))
    elif kind == 3:
        at = rng.uniform(left + 0.3, right - 0.3)
        parts = [area("light", ellipse(at, y, 0.3, 0.07)), line("dark", stroke * 0.7, ellipse(at, y, 0.3, 0.07), True)]
        parts.append(line("dark", stroke * 0.7, np.array([[at - 0.12, y], [at + 0.1, y]])))
    return parts


def _long(rng: np.random.Generator) -> list[Part]:
    reach, rise, size = rng.uniform(1.2, 1.6), rng.uniform(0.85, 1.3), rng.uniform(0.2, 0.3)
    deep, wide, gap = rng.uniform(0.62, 0.85), rng.uniform(0.5, 0.68), rng.uniform(0.14, 0.24)
    nose, arch = rng.uniform(-1.0, -0.8), rng.uniform(-0.1, 0.06)
    foot, grip = (0.06, deep - 0.2), (0.06 + reach, deep - 0.2 - rise - 0.35)
    upper, upper_grip = (foot[0] - gap, foot[1] - gap), (grip[0] - gap, grip[1] - gap * 0.7)
    parts = _soil(rng, nose, 0.9, deep + 0.02)
    parts.append(area("body", _bar([upper, upper_grip], 0.08, 0.07)))
    for share in np.linspace(0.4, 0.85, int(rng.integers(1, 5))):
        parts.append(line("dark", 0.045, np.array([_between(upper, upper_grip, share), _between(foot, grip, share)])))
    parts += wheel(nose + 0.06, deep - size, size, int(rng.choice([4, 5, 6, 8])), rng.uniform(0.05, 0.08))
    parts.append(line("body", 0.07, np.array([[nose + 0.06, deep - size], [nose + 0.14, 0.0]])))
    parts.append(area("body", _bar([(nose, 0.02), (nose * 0.5, arch), (0.3, 0.08)], 0.11, 0.17)))
    parts.append(area("body", _bar([foot, grip], 0.11, 0.09)))
    shin = [(-wide, deep), (-wide * 0.55, deep * 0.6), (-wide * 0.5, 0.12)]
    crest = [(-wide * 0.5, 0.12), (0.0, 0.0), (wide * 0.75, 0.1)]
    tail = [(wide * 0.75, 0.1), (wide * 0.95, deep * 0.4), (wide * 0.4, deep * 0.65), (wide * 0.1, deep)]
    parts.append(area("metal", _edges(shin, crest, tail)))
    for k in np.linspace(0.25, 0.75, int(rng.integers(1, 4))):
        curve = [_between(shin[0], tail[3], k), _between(shin[1], tail[2], k), _between(shin[2], tail[0], k)]
        parts.append(line("light", 0.035, smooth(curve, False)))
    if rng.random() < 0.5:
        parts.append(line("dark", 0.07, np.array([[nose * 0.66, arch - 0.1], [nose * 0.6, deep * 0.72]])))
    return _fit(parts)


def _lineart(rng: np.random.Generator) -> list[Part]:
    pen, arch, reach = rng.uniform(0.025, 0.05), rng.uniform(0.3, 0.5), rng.uniform(0.85, 1.1)
    rise, deep, curl = rng.uniform(0.75, 1.0), rng.uniform(0.5, 0.66), rng.uniform(0.3, 0.5)
    fat, drop = rng.uniform(0.09, 0.14), rng.uniform(0.0, 0.12)
    grip = [(reach * 0.72, 0.0 - rise * 0.72), (reach * 0.9, -rise * 0.8), (reach, -rise * 0.74)]
    near = _bar([(0.02, deep * 0.75), (reach * 0.4, -rise * 0.2), *grip], fat, fat * 0.8)
    behind = [(x - 0.12, y - 0.14) for x, y in grip]
    far = _bar([(-0.14, deep * 0.5), (reach * 0.32, -rise * 0.38), *behind], fat * 0.8, fat * 0.7)
    bow = [(-0.6, -arch), (-0.15, -arch + 0.02), (0.08, -0.05), (0.0, deep * 0.6)]
    beam = _bar([(-1.0, -arch + 0.2 + drop), *bow], fat, fat * 1.5)
    shin = [(-0.62, deep), (-0.3, deep * 0.62), (-0.2, 0.04)]
    tail = [(curl, 0.0), (curl * 0.85, deep * 0.4), (0.1, deep)]
    board = _edges(shin, [shin[2], (0.0, -0.08), tail[0]], tail)
    parts: list[Part] = []
    for shape in (far, beam, near, board):
        parts += [area("light", shape), line("body", pen, shape, True)]
    for k in np.linspace(0.3, 0.7, int(rng.integers(1, 4))):
        curve = [_between(first, last, k) for first, last in zip(shin, tail[::-1], strict=True)]
        parts.append(line("body", pen * 0.8, smooth(curve, False)))
    parts.append(line("body", pen, np.array([_between(shin[0], shin[1], 0.8), _between(tail[2], tail[1], 0.2)])))
    parts.append(line("body", pen, ellipse(-1.0 - 0.07, -arch + 0.22 + drop, 0.07), True))
    if rng.random() < 0.5:
        size = rng.uniform(0.16, 0.24)
        parts += [line("body", pen, ellipse(-0.75, deep - size, r), True) for r in (size, size * 0.75, size * 0.2)]
        parts.append(line("body", pen * 1.6, np.array([[-0.75, deep - size * 1.2], [-0.72, -arch + 0.02]])))
    for k in range(int(rng.integers(1, 3))):
        a, b = reach * (0.42 + 0.16 * k), -rise * (0.3 + 0.22 * k)
        parts.append(line("body", pen * 1.3, np.array([[a - 0.1, b - 0.12], [a + 0.02, b + 0.02]])))
    for k in range(int(rng.integers(2, 6))):
        y, wave = deep + 0.06 + 0.1 * k, rng.uniform(-0.03, 0.03, 4)
        row = [(-1.0 + 0.1 * k, y + wave[0]), (-0.4, y + wave[1]), (0.3, y + wave[2]), (1.0 - 0.08 * k, y + wave[3])]
        parts.append(line("body", pen, smooth(row, False)))
    return _fit(parts)


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
            parts.append(line("body", 0.07, np.array([[x - 0.42, neck + 0.1], [x - 0.3, top]])))
            parts.append(area("metal", ellipse(x - 0.42, neck + 0.1, 0.22), ellipse(x - 0.42, neck + 0.1, 0.07)))
        parts.append(area("body", _bar([(x, top), (x + 0.1, neck), (x, top + tall * 0.75)], thick, 0.2)))
        shin = [(x - 0.46, low), (x - 0.2, low - tall * 0.24), (x - 0.14, low - tall * 0.52)]
        tail = [(x + wing, low - tall * 0.46), (x + wing * 0.75, low - tall * 0.2), (x + 0.08, low)]
        shine = [(x - 0.2, low - 0.08), (x + 0.02, low - tall * 0.24), (x + 0.1, low - tall * 0.44)]
        parts.append(area("metal", _edges(shin, [shin[2], (x + 0.08, low - tall * 0.55), tail[0]], tail)))
        parts.append(line("light", 0.04, smooth(shine, False)))
    if mounted:
        mast = np.array([[-0.02, 0.1], [-0.1, -0.62], [0.06, -0.62], [0.62, 0.0]]) + (front, 0.0)
        parts.append(area("body", mast, np.array([[0.1, -0.06], [0.09, -0.38], [0.36, -0.06]]) + (front, 0.0)))
        parts.append(line("dark", 0.09, np.array([[front - 0.2, tall * 0.4], [front, 0.05]])))
        if rng.random() < 0.5:
            at = (step + wing + 0.3, end + tall * 0.8)
            parts.append(line("body", 0.08, np.array([at, (back - 0.04, end)])))
            parts += [area("dark", ellipse(*at, 0.2)), area("light", ellipse(*at, 0.08))]
    else:
        size = rng.uniform(0.2, 0.3)
        parts += wheel(front - 0.1, tall - size, size, int(rng.choice([5, 6, 8])), 0.07)
        parts.append(line("body", 0.08, np.array([[front - 0.1, tall - size], [front + 0.1, 0.0]])))
        parts.append(line("body", 0.08, np.array([[front + 0.3, 0.0], [front + 0.6, -0.6], [front + 0.75, -0.66]])))
        parts.append(line("body", 0.09, np.array([[front, 0.0], [front - 0.35, 0.14]])))
    parts.append(line("body", thick, np.array([[front, 0.0], [back, end]])))
    return _fit(parts)


def _ard(rng: np.random.Generator) -> list[Part]:
    pole, steep, lean = rng.uniform(1.1, 1.4), rng.uniform(0.12, 0.42), rng.uniform(0.3, 0.75)
    thin, height, blade = rng.uniform(0.09, 0.15), rng.uniform(0.75, 1.0), rng.uniform(0.11, 0.2)
    foot, tip, top = (0.32, 0.26), (-pole, 0.15 - pole * steep), (0.15 + lean, 0.2 - height)
    parts = _soil(rng, -0.9, 0.6, 0.84)
    parts.append(area("body", _bar([foot, tip], thin * 1.3, thin * 0.8)))
    parts.append(area("body", _bar([(-0.04, 0.6), (0.17, 0.26), top], thin * 1.7, thin)))
    if rng.random() < 0.5:
        parts.append(line("body", thin, np.array([[top[0] - 0.14, top[1] - 0.06], [top[0] + 0.16, top[1] + 0.06]])))
    else:
        hand = [(top[0] - 0.03, top[1] + 0.03), (top[0] + 0.08, top[1] - 0.05), (top[0] + 0.28, top[1] - 0.02)]
        parts.append(line("body", thin, smooth(hand, False)))
    upper = [(-0.55, 0.86), (-0.26, 0.62 - blade), (0.08, 0.32)]
    parts.append(area("metal", _edges(upper, [(0.22, 0.46), (0.06, 0.68 + blade * 0.4), (-0.55, 0.86)])))
    for k in range(int(rng.integers(2, 5))):
        x, y = _between(foot, tip, 0.19 + 0.05 * k)
        parts.append(line("dark", 0.04, np.array([[x + 0.04, y - thin * 0.8], [x - 0.02, y + thin * 0.8]])))
    if rng.random() < 0.6:
        parts.append(line("dark", 0.06, np.array([[-0.1, 0.56], _between(foot, tip, 0.45)])))
    for k in np.linspace(0.9, 0.97, int(rng.integers(0, 3))):
        x, y = _between(foot, tip, k)
        parts.append(line("dark", 0.06, np.array([[x + 0.03, y - 0.15], [x - 0.03, y + 0.15]])))
    return _fit(parts)


def _icon(rng: np.random.Generator) -> list[Part]:
    fat, tall, wide = rng.uniform(0.16, 0.24), rng.uniform(0.62, 0.85), rng.uniform(0.62, 0.9)
    rise, nose, grip = rng.uniform(0.6, 0.9), rng.uniform(-1.1, -0.85), rng.uniform(0.15, 0.3)
    pair = rng.random() < 0.65
    parts = [line("body", fat, np.array([[nose, 0.0], [0.3, 0.0]]))]
    for x, y in [(0.0, -0.2), (0.42, 0.1)] if pair else [(0.3, 0.0)]:
        bend = np.array([[x - 0.1, 0.1], [x + 0.5, y - rise], [x + 0.5 + grip, y - rise]])
        parts.append(line("body", fat * 0.85, bend))
    back = [(0.5, -0.04), (0.5, tall * 0.55), (0.16, tall)] if rng.random() < 0.5 else [(0.62, 0.12), (0.1, tall)]
    parts.append(area("metal", _edges([(-wide, tall), (-wide * 0.4, tall * 0.62), (-0.24, -0.04)], back)))
    if rng.random() < 0.5:
        parts.append(area("light", ellipse(0.08, tall * 0.36, rng.uniform(0.07, 0.11))))
    else:
        parts.append(line("light", 0.07, smooth([(-wide * 0.4, tall * 0.84), (0.0, tall * 0.55), (0.16, 0.14)], False)))
    if not pair or rng.random() < 0.4:
        size, x = rng.uniform(0.2, 0.28), nose + 0.06
        parts.append(line("body", fat * 0.6, np.array([[x, 0.0], [x, tall - size]])))
        parts += [area("dark", ellipse(x, tall - size, size)), area("light", ellipse(x, tall - size, size * 0.4))]
    elif rng.random() < 0.6:
        parts.append(line("body", fat * 0.75, np.array([[nose, 0.0], [nose, 0.2]])))
    if rng.random() < 0.5:
        parts.append(area("dark", rectangle(1.9, 0.1, 0.05, -0.1, tall + 0.16)))
    return _fit(parts)


def _swing(rng: np.random.Generator) -> list[Part]:
    links, size, thick = int(rng.choice([3, 5])), rng.uniform(0.22, 0.3), rng.uniform(0.1, 0.15)
    length, rise, deep = rng.uniform(0.75, 0.95), rng.uniform(0.7, 1.0), rng.uniform(0.58, 0.75)
    sweep, sag = rng.uniform(0.8, 1.05), rng.uniform(0.15, 0.5)
    far = [(0.0, 0.3), (0.3, -rise * 0.4), (sweep - 0.25, -rise), (sweep - 0.05, -rise * 1.04)]
    near = [(0.14, 0.42), (0.5, -rise * 0.15), (sweep, -rise * 0.72), (sweep + 0.2, -rise * 0.74)]
    parts = _soil(rng, -0.8, 0.8, deep + 0.05)
    parts.append(line("body", thick * 0.75, smooth(far, False)))
    for k in np.linspace(0.35, 0.8, int(rng.integers(1, 4))):
        parts.append(line("dark", 0.05, np.array([_between(far[1], far[2], k), _between(near[1], near[2], k)])))
    axle = np.array([-0.56, deep - size])
    parts.append(area("metal", ellipse(*axle, size), ellipse(*axle, size * rng.uniform(0.2, 0.35))))
    parts.append(line("dark", 0.07, np.array([axle, (-0.46, -0.16)])))
    parts.append(area("body", _bar([(-length, -0.25), (-0.4, -0.18), (0.2, 0.0), (0.42, 0.1)], thick, thick * 1.5)))
    parts.append(line("body", thick, smooth(near, False)))
    shin, crest = [(-0.34, deep), (-0.1, 0.24), (0.02, -0.02)], [(0.36, 0.02), (0.62, 0.16), (0.74, 0.36)]
    parts.append(area("metal", _edges(shin, crest, [(0.44, deep), (-0.34, deep)])))
    parts.append(line("light", 0.04, smooth([(-0.14, deep - 0.08), (0.1, 0.24), (0.3, 0.1)], False)))
    parts.append(line("dark", 0.08, np.array([[-length, -0.42], [-length, -0.08]])))
    at, course = np.array([-length, -0.25]), np.radians(rng.uniform(100, 170))
    for k in range(links):
        ahead = np.array([np.cos(course), np.sin(course)])
        course -= sag * (course - np.pi / 2)
        if k % 2:
            parts.append(line("dark", 0.06, np.array([at - ahead * 0.04, at + ahead * 0.12])))
            at = at + ahead * 0.08
        else:
            at = at + ahead * 0.08
            parts.append(line("dark", 0.05, ellipse(*at, 0.08), True))
            at = at + ahead * 0.08
    hook = np.array([[0.0, -0.02], [0.02, 0.16], [-0.06, 0.27], [-0.17, 0.25], [-0.2, 0.14]]) + at
    parts.append(line("dark", 0.08, smooth(hook, False)))
    return _fit(parts)


def _behind(rng: np.random.Generator) -> list[Part]:
    yaw, tilt = np.radians(rng.uniform([25, 8], [42, 18]))
    spread, rise = rng.uniform(0.42, 0.62), rng.uniform(1.15, 1.5)
    fat, wing = rng.uniform(0.075, 0.125), rng.uniform(0.5, 0.75)
    grip, reach = rng.uniform(0.15, 0.3), rng.uniform(1.1, 1.5)

    # x to the right, y ahead, z up; seen from behind and from the left.
    def seen(*knots: tuple[float, float, float]) -> list[tuple[float, float]]:
        x, y, z = np.array(knots).T
        ahead = x * np.sin(yaw) + y * np.cos(yaw)
        flat = np.stack([x * np.cos(yaw) - y * np.sin(yaw), -z * np.cos(tilt) - ahead * np.sin(tilt)])
        flat /= 1 + 0.15 * ahead
        return [(float(a), float(b)) for a, b in flat.T]

    def handle(side: float) -> list[tuple[float, float]]:
        bow = (side * spread * 0.5, -0.35, rise * 0.5)
        knots = seen((side * 0.05, 0.1, 0.1), bow, (side * spread, -0.75, rise))
        return [*knots, (knots[-1][0] + side * grip, knots[-1][1] - 0.05)]

    left, right = handle(-1.0), handle(1.0)
    parts: list[Part] = []
    for x in np.linspace(-0.15, 0.55, int(rng.integers(2, 4))) if rng.random() < 0.6 else ():
        parts.append(line("dark", 0.04, np.array(seen((x, -0.6, -0.05), (x, 1.2, -0.05)))))
    if rng.random() < 0.5:
        nose, hub = seen((0.0, reach - 0.1, 0.6), (0.0, reach - 0.1, 0.16))
        parts += [*wheel(*hub, 0.18, int(rng.choice([4, 6, 8])), 0.05), line("body", 0.07, np.array([nose, hub]))]
    parts.append(area("body", _bar(right, fat * 1.1, fat * 1.2)))
    parts.append(area("body", _bar(seen((0.0, -0.1, 0.4), (0.0, 0.5, 0.65), (0.0, reach, 0.6)), fat * 1.8, fat * 1.1)))
    shin = seen((0.02, 1.0, 0.0), (0.0, 0.6, 0.2), (0.0, 0.4, 0.65))
    crest = seen((0.0, 0.4, 0.65), (0.2, 0.1, 0.74), (wing, -0.25, 0.62))
    tail = seen((wing, -0.25, 0.62), (wing * 0.8, -0.1, 0.25), (wing * 0.6, 0.3, 0.0))
    parts.append(area("metal", _edges(shin, crest, tail)))
    shine = seen((0.1, 0.6, 0.1), (0.14, 0.3, 0.4), (wing * 0.75, -0.1, 0.54))
    parts.append(line("light", 0.04, smooth(shine, False)))
    for k in np.linspace(0.3, 0.8, int(rng.integers(1, 4))):
        parts.append(line("dark", 0.06, np.array([_between(left[1], left[2], k), _between(right[1], right[2], k)])))
    parts.append(area("body", _bar(left, fat * 1.2, fat * 1.4)))
    return _fit(parts)


PLOWS: tuple[Drawing, ...] = (_walking, _wheeled, _gang, _long, _ard, _lineart, _icon, _swing, _behind, _old)
