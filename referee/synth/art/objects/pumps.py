"""Drawings of a pump."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..canvas import Points, ellipse, rectangle, smooth
from .parts import Drawing, Part, area, line, wheel


def _iron(rng: np.random.Generator) -> list[Part]:
    swing = rng.uniform(-0.1, 0.15)
    handle = smooth([(0.02, -0.72), (0.3, -0.82), (0.62, -0.5 + swing), (0.8, 0.1 + swing), (0.86, 0.3 + swing)], False)
    spout = smooth(
        [(-0.1, -0.38), (-0.5, -0.38), (-0.62, -0.2), (-0.62, -0.08), (-0.5, -0.08), (-0.44, -0.22), (-0.1, -0.2)]
    )
    return [
        line("metal", 0.09, handle),
        area("body", rectangle(0.36, 0.75, 0.06, 0, -0.2)),
        area("body", smooth([(-0.26, -0.58), (-0.12, -0.72), (0, -0.86), (0.12, -0.72), (0.26, -0.58)])),
        area("body", spout),
        area("dark", rectangle(0.46, 0.09, 0.03, 0, 0.16)),
        area("body", rectangle(0.2, 0.5, 0, 0, 0.42)),
        area("dark", rectangle(0.62, 0.1, 0.03, 0, 0.68)),
        area("body", rectangle(0.95, 0.2, 0.03, 0, 0.82)),
        line("light", 0.05, np.array([[-0.09, -0.45], [-0.09, 0.05]])),
        line("dark", 0.06, np.array([[0.0, -0.84], [0.0, -0.98]])),
    ]


def _wooden(rng: np.random.Generator) -> list[Part]:
    tilt = rng.uniform(-0.1, 0.1)
    lever = np.array([[-0.1, -0.66], [0.72, -0.3 + tilt], [0.8, -0.2 + tilt]])
    parts = [
        area("body", np.array([[-0.22, -0.8], [0.22, -0.8], [0.28, 0.8], [-0.28, 0.8]])),
        area("dark", np.array([[-0.3, -0.8], [0, -0.98], [0.3, -0.8]])),
        line("metal", 0.1, lever),
        area("dark", ellipse(-0.02, -0.63, 0.07)),
        area("body", np.array([[-0.2, -0.3], [-0.62, -0.16], [-0.6, -0.02], [-0.22, -0.12]])),
        area("metal", np.array([[-0.98, 0.5], [0.4, 0.5], [0.32, 0.88], [-0.9, 0.88]])),
        line("dark", 0.04, np.array([[-0.95, 0.62], [0.38, 0.62]])),
        line("dark", 0.06, np.array([[-0.26, 0.2], [0.26, 0.2]])),
    ]
    if rng.random() < 0.6:
        parts.append(line("light", 0.04, smooth([(-0.6, 0), (-0.66, 0.2), (-0.64, 0.46)], False)))
    return parts


def _pitcher(rng: np.random.Generator) -> list[Part]:
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
        area("body", body),
        area("body", spout),
        line("metal", 0.11, handle),
        line("metal", 0.06, np.array([[-0.1, -0.9], [-0.1, -0.5]])),
        line("metal", 0.06, np.array([[0.24, -0.45], [0.3, -0.84]])),
        area("dark", rectangle(0.56, 0.1, 0.04, 0, 0.66)),
        area("body", np.array([[-0.5, 0.74], [0.5, 0.74], [0.62, 0.94], [-0.62, 0.94]])),
        line("light", 0.045, smooth([(-0.12, -0.38), (-0.2, -0.08), (-0.12, 0.2)], False)),
        line("dark", 0.05, np.array([[-0.2, -0.5], [0.22, -0.5]])),
    ]


def _tube(knots: Sequence[Sequence[float]], first: float, last: float) -> Points:
    """Trace a bent pipe whose width goes from `first` to `last`."""
    path = smooth(knots, False)
    across = np.gradient(path, axis=0)[:, ::-1] * (-1.0, 1.0)
    across *= np.linspace(first, last, len(path))[:, None] / 2 / np.hypot(across[:, :1], across[:, 1:])
    return np.vstack([path + across, (path - across)[::-1]])


def _turned(x: float, *profile: tuple[float, float]) -> Points:
    """Trace a shape that is symmetric around `x` from its half widths and heights."""
    half = np.array(profile)
    return np.vstack([half + (x, 0), (half * (-1, 1) + (x, 0))[::-1]])


def _drop(x: float, y: float, size: float) -> Part:
    shape = [(0, -1.9), (0.7, -0.5), (0.95, 0.2), (0, 1), (-0.95, 0.2), (-0.7, -0.5)]
    return area("metal", smooth(np.array(shape) * size + (x, y)))


def _water(rng: np.random.Generator, x: float, y: float, bottom: float) -> list[Part]:
    """Let water run from a spout at (x, y), or drip, or neither."""
    kind, width = rng.integers(3), rng.uniform(0.03, 0.08)
    if kind == 0:
        bend = [(x, y), (x - 0.03, y * 0.6 + bottom * 0.4), (x - rng.uniform(0, 0.1), bottom)]
        return [line("metal", width, smooth(bend, False))]
    drops = np.arange(y + 0.14, bottom - 0.08, rng.uniform(0.2, 0.3))
    return [_drop(x, d, width * 0.5 + 0.03) for d in drops[: int(rng.integers(1, 4)) if kind == 1 else 0]]


def _scenery(rng: np.random.Generator, left: float, right: float) -> list[Part]:
    """Lay a puddle, grass or a line of ground at the foot, or nothing."""
    kind = rng.integers(4)
    if kind == 0:
        return [area("metal", ellipse(left + 0.3, 0.89, 0.3, rng.uniform(0.04, 0.07)))]
    if kind == 1:
        return [line("dark", rng.uniform(0.03, 0.06), np.array([[left, 0.93], [right, 0.93]]))]
    parts = []
    for x in rng.uniform(left + 0.1, right - 0.1, int(rng.integers(2, 5))) if kind == 2 else ():
        blades = [(x - 0.09, 0.8), (x - 0.05, 0.9), (x, 0.74), (x + 0.03, 0.9), (x + 0.1, 0.79)]
        parts.append(line("dark", 0.035, np.array(blades)))
    return parts


def _flywheel(rng: np.random.Generator) -> list[Part]:
    radius, half, x = rng.uniform(0.4, 0.6), rng.uniform(0.12, 0.21), rng.uniform(-0.38, -0.2)
    hub, y, top = 0.92 - radius, rng.uniform(-0.3, 0.2), rng.uniform(-0.78, -0.66)
    mouth, drop, rim = x - half - rng.uniform(0.22, 0.3), rng.uniform(0.1, 0.25), rng.uniform(0.07, 0.13)
    throat = rng.uniform(0.14, 0.2)
    parts = _scenery(rng, -0.95, 0.6)
    spout = [(x, -0.36), (mouth + 0.12, -0.36), (mouth, -0.28), (mouth, -0.24 + drop)]
    parts.append(area("body", _tube(spout, throat, throat)))
    parts += _water(rng, mouth, -0.24 + drop, 0.8)
    if rng.random() < 0.5:
        dome = _turned(x, (0, top - 0.2), (half * 0.7, top - 0.15), (half * 1.3, top), (half * 1.3, top + 0.08))
    else:
        dome = _turned(x, (0.05, top - 0.2), (0.05, top - 0.06), (half * 1.4, top - 0.06), (half * 1.4, top + 0.08))
    parts.append(area("body", _turned(x, (half, top), (half * rng.uniform(0.9, 1.4), 0.85))))
    parts.append(area("dark", dome))
    parts += [area("dark", rectangle(half * 2.7, 0.09, 0.02, x, b)) for b in (0.12, 0.45)[: int(rng.integers(3))]]
    parts.append(area("body", rectangle(rng.uniform(0.75, 1.0), rng.uniform(0.12, 0.2), 0.02, x, 0.85)))
    parts.append(area("metal", rectangle(hub - x, 0.13, 0.03, (hub + x) / 2, y)))
    spokes = int(rng.integers(4, 9))
    if rng.random() < 0.6:
        parts += wheel(hub, y, radius, spokes, rim, "metal")
    else:
        parts.append(area("metal", ellipse(hub, y, radius), ellipse(hub, y, radius - rim)))
        for turn in np.arange(min(spokes, 6)) * 2 * np.pi / min(spokes, 6):
            ray = [(np.cos(turn + a) * r, np.sin(turn + a) * r) for a, r in ((0, 0), (0.4, 0.5), (0.1, 0.95))]
            parts.append(line("metal", rim * 0.6, smooth(np.array(ray) * radius + (hub, y), False)))
        parts.append(area("dark", ellipse(hub, y, radius * 0.2)))
    turn = rng.uniform(0, 2 * np.pi)
    knob = np.array([hub + np.cos(turn) * radius * 0.86, y + np.sin(turn) * radius * 0.86])
    return [*parts, area("dark", ellipse(knob[0], knob[1], rng.uniform(0.07, 0.11)))]


def _village(rng: np.random.Generator) -> list[Part]:
    x, half, ball = rng.uniform(-0.1, 0.08), rng.uniform(0.085, 0.15), rng.uniform(0.06, 0.1)
    cap, foot, reach = -0.93 + 2 * ball, rng.uniform(0.5, 0.72), rng.uniform(0.36, 0.55)
    y, rise = rng.uniform(-0.25, 0.05), rng.uniform(0.05, 0.22)
    neck = [(x, y), (x - reach * 0.4, y - rise * 0.5), (x - reach * 0.8, y - rise), (x - reach, y + 0.02)]
    neck.append((x - reach - 0.01, y + 0.14))
    high, out, low = cap + rng.uniform(0.2, 0.35), rng.uniform(0.32, 0.62), rng.uniform(0.05, 0.5)
    bow = rng.uniform(-0.04, 0.14)
    lever = [(x, high), (x + out * 0.6, high - bow), (x + out, (high + low) / 2 - 0.1), (x + out * 0.85, low)]
    lever.append((x + out * 1.15, low + 0.14))
    if rng.random() < 0.3:
        lever = [(x, high), (x + 0.25, high + 0.03), (x + out + 0.05, high - 0.12)]
        lever.append((x + out + 0.2, max(high - low, -0.88)))
    thick = rng.uniform(0.055, 0.1)
    parts = [*_scenery(rng, -0.7, 0.7), *_water(rng, neck[-1][0], neck[-1][1], 0.8)]
    parts.append(area("metal", _tube(lever, thick * 1.3, thick * 0.9)))
    parts.append(area("body", _tube(neck, half * 1.1, half * 0.8)))
    if rng.random() < 0.5:
        parts.append(line("metal", 0.04, np.array([[x, y + 0.25], [neck[2][0], y - rise * 0.6]])))
    if rng.random() < 0.5:
        parts.append(area("dark", ellipse(x, cap - ball, ball)))
    else:
        parts.append(area("dark", _turned(x, (0, cap - 2 * ball), (ball, cap - ball), (ball * 0.4, cap))))
    flare = rng.uniform(1.3, 1.9)
    parts.append(area("body", _turned(x, (half * 0.3, cap - 0.02), (half * flare, cap + 0.12), (half, cap + 0.17))))
    parts.append(area("body", _turned(x, (half, cap + 0.12), (half * rng.uniform(1, 1.35), foot))))
    for i in np.linspace(-0.35, 0.35, int(rng.integers(1, 3))) if rng.random() < 0.6 else ():
        flute = np.array([[x + i * half, cap + 0.28], [x + i * half, foot - 0.12]])
        parts.append(line("light", 0.025, flute))
    for ring in rng.uniform(cap + 0.4, foot - 0.1, int(rng.integers(0, 4))):
        parts.append(area("dark", rectangle(half * 2.6, 0.06, 0.02, x, ring)))
    steps = int(rng.integers(1, 4))
    for i, edge in enumerate(np.linspace(foot, 0.92, steps + 1)[:-1]):
        height = (0.92 - foot) / steps
        wide = half * 2 + (i + 1) * rng.uniform(0.16, 0.26)
        parts.append(area("body", rectangle(wide, height, 0, x, edge + height / 2)))
    return parts


def _square(rng: np.random.Generator) -> list[Part]:
    a, wide, depth = rng.uniform(-0.3, -0.08), rng.uniform(0.3, 0.46), rng.uniform(0.1, 0.18)
    b, top, foot, rise = a + wide, rng.uniform(-0.75, -0.6), rng.uniform(0.6, 0.72), depth * rng.uniform(0.35, 0.7)
    back = np.array([depth, -rise])
    pivot = np.array([b + depth * 0.3, top + 0.2])
    tip = np.array([0.91, pivot[1] + rng.uniform(-0.3, 0.65)])
    thick, bow, before = rng.uniform(0.06, 0.12), rng.uniform(-0.04, 0.16), rng.random() < 0.5
    if before:
        pivot[0] = (a + b) / 2
    lever = line("metal", thick, smooth(np.array([pivot, (pivot + tip) / 2 - (0, bow), tip]), False))
    parts = [] if before else [lever]
    parts.append(area("body", np.array([[a, top], [b, top], [b, foot], [a, foot]])))
    parts.append(area("dark", np.array([(b, top), back + (b, top), back + (b, foot), (b, foot)])))
    edge = rng.uniform(0.04, 0.08)
    roof = np.array([(a - edge, top), (b + edge, top), back * 1.3 + (b + edge, top)])
    if rng.random() < 0.5:
        tip = np.array([(a + b) / 2 + depth / 2, -0.95])
        parts += [area("body", np.vstack([roof[:2], [tip]])), area("dark", np.vstack([roof[1:], [tip]]))]
    else:
        lid = roof - (0, 0.1)
        parts.append(area("dark", np.vstack([roof[1:], lid[:0:-1]])))
        parts.append(area("body", np.vstack([roof[:2], lid[1::-1]])))
        parts.append(area("metal", np.vstack([lid, lid[:1] + back * 1.3])))
    for x in np.linspace(a, b, int(rng.integers(2, 5)) + 1)[1:-1] if rng.random() < 0.6 else ():
        parts.append(line("dark", 0.03, np.array([[x, top + 0.06], [x, foot - 0.05]])))
    for y in rng.uniform(top + 0.15, foot - 0.35, int(rng.integers(0, 3))):
        parts.append(line("dark", 0.05, np.array([(a, y), (b, y), back + (b, y)])))
    parts += [lever, area("dark", ellipse(pivot[0], pivot[1], thick * 0.9))] if before else []
    y, long = rng.uniform(-0.3, -0.1), rng.uniform(0.3, 0.42)
    spout = np.array([[a + 0.08, y], [a - long, y + 0.12], [a - long, y + 0.26], [a + 0.08, y + 0.16]])
    parts.append(area("body", spout))
    parts += _water(rng, a - long + 0.05, y + 0.24, 0.5)
    # The trough stands before the pump and shows its inside.
    left, right, brim, deep = -0.95, rng.uniform(-0.05, 0.5), rng.uniform(0.46, 0.56), rng.uniform(0.28, 0.38)
    lean = rng.uniform(0.1, 0.22)
    inside = np.array([[left, brim], [left + lean, brim - 0.14], [right + lean, brim - 0.14], [right, brim]])
    side = np.vstack([inside[3:1:-1], [(right + lean, brim + deep - 0.2), (right, brim + deep)]])
    shrink = (inside - inside.mean(0)) * (0.88, 0.55) + inside.mean(0)
    front = np.array([[left, brim], [right, brim], [right, brim + deep], [left + rng.uniform(0, 0.08), brim + deep]])
    parts += [area("dark", side), area("body", inside), area("light", shrink), area("body", front)]
    for share in np.linspace(0, 1, int(rng.integers(1, 4)) + 1)[1:-1]:
        board = np.array([[left + 0.08, brim + deep * share], [right - 0.02, brim + deep * share]])
        parts.append(line("dark", 0.035, board))
    return parts


def _stone(rng: np.random.Generator) -> list[Part]:
    courses, wide, top = int(rng.integers(2, 4)), rng.uniform(1.25, 1.75), rng.uniform(0.25, 0.45)
    half, x, cap = rng.uniform(0.14, 0.22), rng.uniform(-0.05, 0.15), rng.uniform(-0.62, -0.45)
    y, reach = rng.uniform(-0.3, -0.18), rng.uniform(0.42, 0.56)
    throat = rng.uniform(0.13, 0.19)
    spout = [(x, y), (x - reach + 0.12, y), (x - reach, y + 0.07), (x - reach, y + 0.17)]
    height, raised = (0.94 - top) / courses, rng.random() < 0.5
    far = (0.92, rng.uniform(-0.9, -0.72)) if raised else (0.9, rng.uniform(-0.25, 0.15))
    bend = (x + 0.45, (cap + far[1]) / 2 + rng.uniform(-0.12, 0.04))
    thick = rng.uniform(0.07, 0.12)
    parts = [area("metal", _tube([(x - 0.08, cap - 0.06), bend, far], thick, thick * 0.8))]
    if rng.random() < 0.5:
        parts.append(area("dark", ellipse(far[0] - 0.03, far[1], thick * 0.75)))
    parts.append(area("metal", rectangle(0.09, 0.26, 0.02, x, cap - 0.08)))
    parts.append(area("body", _tube(spout, throat, throat)))
    shape = [(half * 0.8, cap), (half, cap + 0.1), (half, -0.02), (half * rng.uniform(0.6, 1.1), 0.1), (half, top)]
    parts.append(area("body", _turned(x, *shape)))
    parts.append(area("dark", rectangle(half * 2.5, 0.09, 0.03, x, cap + 0.02)))
    parts.append(area("dark", rectangle(half * 2.8, 0.08, 0.02, x, top - 0.08)))
    hook = np.array([(0, 0), (0, -0.09), (-0.08, -0.11)]) + (x - reach + 0.13, y - throat / 2)
    parts.append(line("metal", 0.045, smooth(hook, False)))
    if rng.random() < 0.4:
        bail = np.array([(-0.13, 0.1), (0, y + 0.1), (0.13, 0.1)]) + (x - reach, 0)
        parts.append(line("metal", 0.03, bail))
        parts.append(area("dark", _turned(x - reach, (0.14, 0.08), (0.11, top - 0.03))))
    else:
        parts += _water(rng, x - reach, y + 0.17, top)
    if rng.random() < 0.6:
        parts.append(area("body", rectangle(wide + 0.12, 0.09, 0.02, 0, top)))
    for row in range(courses):
        count, low = int(rng.integers(3, 6)), top + 0.06 + row * height
        cuts = np.linspace(-wide / 2, wide / 2, count + 1)
        cuts[1:-1] += rng.uniform(-0.25, 0.25, count - 1) * wide / count
        for u, v in zip(cuts[:-1], cuts[1:], strict=True):
            radius, middle = rng.uniform(0.02, 0.08), low + height / 2 - 0.05
            stone = rectangle(v - u - 0.035, height - 0.045, radius, (u + v) / 2, middle)
            parts.append(area("dark" if rng.random() < 0.25 else "body", stone))
    return parts


def _icon(rng: np.random.Generator) -> list[Part]:
    wide, fat, x = rng.uniform(0.32, 0.46), rng.uniform(0.13, 0.21), rng.uniform(-0.1, 0.1)
    top, y, reach = rng.uniform(-0.62, -0.45), rng.uniform(-0.25, -0.05), rng.uniform(0.5, 0.62)
    round_ = rng.uniform(0.0, 0.14)
    lift = rng.choice([rng.uniform(-0.4, -0.28), rng.uniform(0.0, 0.15), rng.uniform(0.4, 0.7)])
    joint = max(top - 0.12, -0.85 + fat / 2)
    end = (0.92 - fat / 2, max(joint + lift, -0.95 + fat / 2))
    parts = [line("body", fat, np.array([[x, top + 0.1], [x, joint], end]))]
    if lift > 0.3:
        parts[0] = line("body", fat, np.array([[x, top + 0.1], [x, joint], [end[0] - 0.25, joint], end]))
    elbow = [(x, y), (x - reach, y), (x - reach, y + rng.uniform(0.2, 0.3))]
    parts.append(line("body", fat * 1.15, np.array(elbow)))
    if rng.random() < 0.5:
        parts.append(area("light", rectangle(wide + 0.1, 0.85 - top, round_ + 0.05, x, (0.85 + top) / 2 - 0.01)))
    parts.append(area("body", rectangle(wide, 0.85 - top, round_, x, (0.85 + top) / 2 + 0.05)))
    parts.append(area("body", rectangle(rng.uniform(0.75, 1.15), rng.uniform(0.16, 0.26), round_, x, 0.83)))
    if rng.random() < 0.5:
        parts.append(area("light", rectangle(wide, 0.07, 0, x, rng.uniform(0.25, 0.62))))
    if rng.random() < 0.6:
        parts.append(_drop(elbow[-1][0], elbow[-1][1] + 0.4, rng.uniform(0.09, 0.13)))
    return parts


def _wire(rng: np.random.Generator) -> list[Part]:
    w, tone = rng.uniform(0.03, 0.07), "body" if rng.random() < 0.6 else "dark"
    bowl, half, x = rng.uniform(0.22, 0.32), rng.uniform(0.11, 0.2), rng.uniform(-0.22, -0.08)
    rim, waist, lip = rng.uniform(-0.42, -0.28), rng.uniform(-0.05, 0.15), rng.uniform(0.26, 0.36)
    flat, foot = bowl * rng.uniform(0.2, 0.32), rng.uniform(0.56, 0.66)
    cup = smooth([(x + bowl, rim), (x + bowl * 0.95, rim + 0.18), (x + half, waist)], False)
    nose = [(x - half, waist), (x - bowl * 0.9, rim + 0.24), (x - bowl - lip * 0.6, rim + 0.13)]
    nose += [(x - bowl - lip, rim + 0.2), (x - bowl - lip - 0.04, rim + 0.03), (x - bowl, rim)]
    lines = [cup, np.array([[x + half, waist], [x + half, foot]]), smooth(nose, False)]
    lines += [np.array([[x - half, waist], [x - half, foot]]), ellipse(x, rim, bowl, flat)]
    lines.append(np.array([[x - half, waist], [x + half, waist]]))
    lines.append(np.vstack([rectangle(half * 2 + 0.2, 0.09, 0, x, foot + 0.045), [(x - half - 0.1, foot)]]))
    slant, low, far = rng.uniform(0.1, 0.3), foot + 0.09, rng.uniform(0.42, 0.56)
    deck = [(x - far, low + 0.16), (x - far + slant, low), (x + far + slant, low), (x + far, low + 0.16)]
    lines.append(np.array([*deck, deck[0]]))
    lines.append(np.array([deck[0], (x - far, 0.94), (x + far, 0.94), deck[3]]))
    if rng.random() < 0.5:
        lines.append(np.array([(x + far, 0.94), (x + far + slant, low + 0.1), deck[2]]))
    # The S of the handle swings about the ear behind the bowl, often high up.
    head, lift, ear = rim - rng.uniform(0.24, 0.32), rng.uniform(-0.05, 0.22), (x + bowl + 0.08, rim - 0.24)
    lines += [np.array([[x, head], [x, rim]]), np.array([(x + bowl, rim), ear, (x + bowl * 0.9, rim + 0.2)])]
    swing = [(x, head), (x + bowl * 0.6, head - 0.03), ear, (ear[0] + 0.2, ear[1] + 0.1 - lift * 0.3)]
    swing += [(0.66, ear[1] - lift), (0.91, ear[1] + 0.02 - lift * 0.9)]
    grip = _tube(swing[3:], 0.08, 0.14)
    lines += [smooth(swing[:4], False), np.vstack([grip, grip[:1]])] if rng.random() < 0.5 else [smooth(swing, False)]
    if w < 0.045:
        lines.append(np.array([[x - far * rng.uniform(0, 0.6), low + 0.08], [x + far * 0.9, low + 0.08]]))
    return [line(tone, w, points) for points in lines]


def _front(rng: np.random.Generator) -> list[Part]:
    half, top, foot = rng.uniform(0.19, 0.28), rng.uniform(-0.62, -0.5), rng.uniform(0.55, 0.7)
    waist, y, throat = rng.uniform(0.65, 1.0), rng.uniform(-0.3, -0.15), rng.uniform(0.13, 0.18)
    twin = rng.random() < 0.65
    parts = _scenery(rng, -0.8, 0.8)
    side, out, end = float(rng.choice([-1, 1])), rng.uniform(0.55, 0.85), rng.uniform(-0.3, 0.2)
    thick = rng.uniform(0.06, 0.1)
    lever = [(0, top - 0.06), (side * out * 0.55, top - rng.uniform(0.12, 0.24)), (side * out, top + 0.1)]
    if twin:
        # Both spouts hang low, so the lever stands up behind the head.
        lever = [(0, top), (side * 0.15, top - 0.2), (side * rng.uniform(0.3, 0.85), rng.uniform(-0.9, -0.8))]
    else:
        lever.append((side * (out + 0.06), end))
    parts.append(area("metal", _tube(lever, thick * 1.3, thick)))
    parts.append(area("dark", ellipse(lever[-1][0], lever[-1][1], thick * 0.8)))
    reach, drop = rng.uniform(0.55, 0.75), rng.uniform(0.2, 0.4)
    for s in (-1.0, 1.0) if twin else ():
        arm = [(0, y), (s * reach * 0.6, y - 0.07), (s * reach, y + 0.06), (s * reach, y + drop)]
        parts += [area("body", _tube(arm, throat * 1.3, throat)), *_water(rng, s * reach, y + drop, 0.75)]
        parts.append(area("dark", rectangle(throat * 1.5, 0.07, 0.02, s * reach, y + drop)))
    column = _turned(0, (half, top), (half, -0.1), (half * waist, 0.1), (half * waist, foot - 0.1), (half * 1.2, foot))
    parts.append(area("body", column))
    if rng.random() < 0.5:
        parts.append(area("dark", _turned(0, (0.03, top - 0.24), (half * 0.7, top - 0.16), (half * 1.25, top))))
    else:
        parts.append(area("dark", rectangle(half * 2.6, 0.14, 0.05, 0, top - 0.04)))
    for b in rng.uniform(0.15, foot - 0.1, int(rng.integers(0, 3))):
        parts.append(area("dark", rectangle(half * 2.3, 0.07, 0.02, 0, b)))
    if twin and rng.random() < 0.7:
        heart = [(0, 0.9), (-0.9, -0.1), (-0.5, -0.8), (0, -0.35), (0.5, -0.8), (0.9, -0.1)]
        badge = smooth(np.array(heart) * half * 0.6 + (0, y - 0.02))
        parts.append(area("light", badge if rng.random() < 0.5 else ellipse(0, y, half * 0.5)))
    elif not twin:
        # The spout points at who looks.
        mouth, low = half * rng.uniform(0.55, 0.8), y + rng.uniform(0.2, 0.35)
        snout = smooth([(-mouth * 0.7, y - 0.1), (mouth * 0.7, y - 0.1), (mouth, low), (-mouth, low)])
        parts += [area("body", snout), line("dark", 0.045, snout, True)]
        parts.append(area("light", ellipse(0, low - 0.03, mouth * 0.7, mouth * rng.uniform(0.35, 0.6))))
        parts += [line("light", 0.04, np.array([[0, low], [0, foot - 0.1]]))] if rng.random() < 0.5 else []
    steps, base = int(rng.integers(1, 3)), rng.uniform(0.75, 1.2)
    for i in range(steps):
        height = (0.92 - foot) / steps
        parts.append(area("body", rectangle(base - (steps - 1 - i) * 0.25, height, 0.02, 0, foot + height * (i + 0.5))))
    if rng.random() < 0.4:
        parts.append(area("metal", _turned(0, (0.92, foot + 0.02), (rng.uniform(0.7, 0.92), 0.93))))
    return parts


PUMPS: tuple[Drawing, ...] = (
    _iron,
    _wooden,
    _flywheel,
    _village,
    _square,
    _stone,
    _icon,
    _wire,
    _front,
    _pitcher,
)
