"""Drawings of a pump."""

from __future__ import annotations

import numpy as np

from ..canvas import Points, ellipse, rectangle, smooth
from .parts import Drawing, Part, area, curve, emblem, ground, line, tube, wheel


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
        line("light", 0.05, [[-0.09, -0.45], [-0.09, 0.05]]),
        line("dark", 0.06, [[0.0, -0.84], [0.0, -0.98]]),
    ]


def _wooden(rng: np.random.Generator) -> list[Part]:
    tilt = rng.uniform(-0.1, 0.1)
    lever = np.array([[-0.1, -0.66], [0.72, -0.3 + tilt], [0.8, -0.2 + tilt]])
    parts = [
        area("body", [[-0.22, -0.8], [0.22, -0.8], [0.28, 0.8], [-0.28, 0.8]]),
        area("dark", [[-0.3, -0.8], [0, -0.98], [0.3, -0.8]]),
        line("metal", 0.1, lever),
        area("dark", ellipse(-0.02, -0.63, 0.07)),
        area("body", [[-0.2, -0.3], [-0.62, -0.16], [-0.6, -0.02], [-0.22, -0.12]]),
        area("metal", [[-0.98, 0.5], [0.4, 0.5], [0.32, 0.88], [-0.9, 0.88]]),
        line("dark", 0.04, [[-0.95, 0.62], [0.38, 0.62]]),
        line("dark", 0.06, [[-0.26, 0.2], [0.26, 0.2]]),
    ]
    if rng.random() < 0.6:
        parts.append(curve("light", 0.04, [(-0.6, 0), (-0.66, 0.2), (-0.64, 0.46)]))
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


def _turned(tone: str, x: float, *profile: tuple[float, float]) -> Part:
    """Fill a shape that is symmetric around `x`, given by its half widths and heights."""
    half = np.array(profile)
    return area(tone, np.vstack([half, half[::-1] * (-1, 1)]) + (x, 0))


def _drop(x: float, y: float, size: float) -> Part:
    shape = [(0, -1.9), (0.7, -0.5), (0.95, 0.2), (0, 1), (-0.95, 0.2), (-0.7, -0.5)]
    return area("metal", smooth(np.array(shape) * size + (x, y)))


def _water(rng: np.random.Generator, x: float, y: float, bottom: float) -> list[Part]:
    """Let water run from a spout at (x, y), or drip, or neither."""
    kind, width = rng.integers(3), rng.uniform(0.03, 0.08)
    if kind == 0:
        bend = [(x, y), (x - 0.03, y * 0.6 + bottom * 0.4), (x - rng.uniform(0, 0.1), bottom)]
        return [curve("metal", width, bend)]
    drops = np.arange(y + 0.14, bottom - 0.08, rng.uniform(0.2, 0.3))
    return [_drop(x, d, width * 0.5 + 0.03) for d in drops[: int(rng.integers(1, 4)) if kind == 1 else 0]]


def _head(rng: np.random.Generator, x: float, y: float, half: float) -> Part:
    """Cap a column that is 2 `half` wide with a dome, a cone, a lid with a stub or a slab."""
    dome = [(0, y - 0.2), (half * 0.7, y - 0.15), (half * 1.3, y), (half * 1.3, y + 0.08)]
    cone = [(0.03, y - 0.24), (half * 0.7, y - 0.16), (half * 1.3, y + 0.02)]
    stub = [(0.05, y - 0.2), (0.05, y - 0.06), (half * 1.4, y - 0.06), (half * 1.4, y + 0.08)]
    slab = [(half * 1.2, y - 0.12), (half * 1.3, y - 0.09), (half * 1.3, y + 0.04)]
    return _turned("dark", x, *(dome, cone, stub, slab)[rng.integers(4)])


def _bands(x: float, width: float, height: float, heights: Points) -> list[Part]:
    """Lay a dark band across a column at each height."""
    return [area("dark", rectangle(width, height, 0.02, x, y)) for y in heights]


def _steps(rng: np.random.Generator, x: float, top: float, width: float) -> list[Part]:
    """Pile one to three blocks for a pump to stand on, the uppermost `width` wide."""
    count, grow = int(rng.integers(1, 4)), rng.uniform(0.16, 0.26)
    tall = (0.92 - top) / count
    return [area("body", rectangle(width + i * grow, tall, 0.02, x, top + tall * (i + 0.5))) for i in range(count)]


def _flywheel(rng: np.random.Generator) -> list[Part]:
    radius, half, x = rng.uniform(0.4, 0.6), rng.uniform(0.12, 0.21), rng.uniform(-0.38, -0.2)
    hub, y, top = 0.92 - radius, rng.uniform(-0.3, 0.2), rng.uniform(-0.78, -0.66)
    mouth, drop, rim = x - half - rng.uniform(0.22, 0.3), rng.uniform(0.1, 0.25), rng.uniform(0.07, 0.13)
    throat, spokes, turn = rng.uniform(0.14, 0.2), int(rng.integers(4, 9)), rng.uniform(0, 2 * np.pi)
    spout = [(x, -0.36), (mouth + 0.12, -0.36), (mouth, -0.28), (mouth, -0.24 + drop)]
    parts = [
        *ground(rng, -0.95, 0.6, 0.93),
        area("body", tube(spout, throat, throat)),
        *_water(rng, mouth, -0.24 + drop, 0.8),
        _turned("body", x, (half, top), (half * rng.uniform(0.9, 1.4), 0.85)),
        _head(rng, x, top, half),
        *_bands(x, half * 2.7, 0.09, np.array([0.12, 0.45])[: rng.integers(3)]),
        area("body", rectangle(rng.uniform(0.75, 1.0), rng.uniform(0.12, 0.2), 0.02, x, 0.85)),
        area("metal", rectangle(hub - x, 0.13, 0.03, (hub + x) / 2, y)),
    ]
    if rng.random() < 0.6:
        parts += wheel(hub, y, radius, spokes, rim, "metal")
    else:
        parts += wheel(hub, y, radius, 0, rim, "metal")
        for start in np.arange(min(spokes, 6)) * 2 * np.pi / min(spokes, 6):
            ray = [(np.cos(start + a) * r, np.sin(start + a) * r) for a, r in ((0, 0.1), (0.4, 0.5), (0.1, 0.95))]
            parts.append(curve("metal", rim * 0.6, np.array(ray) * radius + (hub, y)))
    knob = (hub + np.cos(turn) * radius * 0.86, y + np.sin(turn) * radius * 0.86)
    return [*parts, area("dark", ellipse(*knob, rng.uniform(0.07, 0.11)))]


def _village(rng: np.random.Generator) -> list[Part]:
    x, half, ball = rng.uniform(-0.1, 0.08), rng.uniform(0.085, 0.15), rng.uniform(0.06, 0.1)
    cap, foot, reach = -0.93 + 2 * ball, rng.uniform(0.5, 0.72), rng.uniform(0.36, 0.55)
    y, rise, flare = rng.uniform(-0.25, 0.05), rng.uniform(0.05, 0.22), rng.uniform(1.3, 1.9)
    neck = [(x, y), (x - reach * 0.4, y - rise * 0.5), (x - reach * 0.8, y - rise), (x - reach, y + 0.02)]
    neck.append((x - reach - 0.01, y + 0.14))
    high, out, low = cap + rng.uniform(0.2, 0.35), rng.uniform(0.32, 0.62), rng.uniform(0.05, 0.5)
    bow, thick = rng.uniform(-0.04, 0.14), rng.uniform(0.055, 0.1)
    lever = [(x, high), (x + out * 0.6, high - bow), (x + out, (high + low) / 2 - 0.1), (x + out * 0.85, low)]
    lever.append((x + out * 1.15, low + 0.14))
    if rng.random() < 0.3:
        lever = [(x, high), (x + 0.25, high + 0.03), (x + out + 0.05, high - 0.12)]
        lever.append((x + out + 0.2, max(high - low, -0.88)))
    parts = [*ground(rng, -0.7, 0.7, 0.93), *_water(rng, *neck[-1], 0.8)]
    parts.append(area("metal", tube(lever, thick * 1.3, thick * 0.9)))
    parts.append(area("body", tube(neck, half * 1.1, half * 0.8)))
    if rng.random() < 0.5:
        parts.append(line("metal", 0.04, [[x, y + 0.25], [neck[2][0], y - rise * 0.6]]))
    point = _turned("dark", x, (0, cap - 2 * ball), (ball, cap - ball), (ball * 0.4, cap))
    parts += [
        area("dark", ellipse(x, cap - ball, ball)) if rng.random() < 0.5 else point,
        _turned("body", x, (half * 0.3, cap - 0.02), (half * flare, cap + 0.12), (half, cap + 0.17)),
        _turned("body", x, (half, cap + 0.12), (half * rng.uniform(1, 1.35), foot)),
    ]
    for i in np.linspace(-0.35, 0.35, int(rng.integers(0, 3))) * half:
        parts.append(line("light", 0.025, [[x + i, cap + 0.28], [x + i, foot - 0.12]]))
    parts += _bands(x, half * 2.6, 0.06, rng.uniform(cap + 0.4, foot - 0.1, int(rng.integers(0, 4))))
    return parts + _steps(rng, x, foot, half * 2 + 0.2)


def _square(rng: np.random.Generator) -> list[Part]:
    a, wide, depth = rng.uniform(-0.3, -0.08), rng.uniform(0.3, 0.46), rng.uniform(0.1, 0.18)
    b, top, foot, rise = a + wide, rng.uniform(-0.75, -0.6), rng.uniform(0.6, 0.72), depth * rng.uniform(0.35, 0.7)
    back, before, thick = np.array([depth, -rise]), rng.random() < 0.5, rng.uniform(0.06, 0.12)
    pivot = np.array([(a + b) / 2 if before else b + depth * 0.3, top + 0.2])
    tip = np.array([0.91, top + 0.2 + rng.uniform(-0.3, 0.65)])
    lever = curve("metal", thick, [pivot, (pivot + tip) / 2 - (0, rng.uniform(-0.04, 0.16)), tip])
    parts = [] if before else [lever]
    parts.append(area("body", [(a, top), (b, top), (b, foot), (a, foot)]))
    parts.append(area("dark", [(b, top), back + (b, top), back + (b, foot), (b, foot)]))
    edge = rng.uniform(0.04, 0.08)
    roof = np.array([(a - edge, top), (b + edge, top), back * 1.3 + (b + edge, top)])
    if rng.random() < 0.5:
        peak = ((a + b) / 2 + depth / 2, -0.95)
        parts += [area("body", [*roof[:2], peak]), area("dark", [*roof[1:], peak])]
    else:
        lid = roof - (0, 0.1)
        parts += [area("dark", [*roof[1:], *lid[:0:-1]]), area("body", [*roof[:2], *lid[1::-1]])]
        parts.append(area("metal", [*lid, lid[0] + back * 1.3]))
    for x in np.linspace(a, b, int(rng.integers(2, 5)) + 1)[1:-1] if rng.random() < 0.6 else ():
        parts.append(line("dark", 0.03, [[x, top + 0.06], [x, foot - 0.05]]))
    for y in rng.uniform(top + 0.15, foot - 0.35, int(rng.integers(0, 3))):
        parts.append(line("dark", 0.05, [(a, y), (b, y), back + (b, y)]))
    parts += [lever, area("dark", ellipse(*pivot, thick * 0.9))] if before else []
    y, end = rng.uniform(-0.3, -0.1), a - rng.uniform(0.3, 0.42)
    parts.append(area("body", [(a + 0.08, y), (end, y + 0.12), (end, y + 0.26), (a + 0.08, y + 0.16)]))
    parts += _water(rng, end + 0.05, y + 0.24, 0.5)
    # The trough stands before the pump and shows its inside.
    left, right, brim, deep = -0.95, rng.uniform(-0.05, 0.5), rng.uniform(0.46, 0.56), rng.uniform(0.28, 0.38)
    lean, base = rng.uniform(0.1, 0.22), brim + deep
    inside = np.array([[left, brim], [left + lean, brim - 0.14], [right + lean, brim - 0.14], [right, brim]])
    parts += [
        area("dark", [*inside[3:1:-1], (right + lean, base - 0.2), (right, base)]),
        area("body", inside),
        area("light", (inside - inside.mean(0)) * (0.88, 0.55) + inside.mean(0)),
        area("body", [(left, brim), (right, brim), (right, base), (left + rng.uniform(0, 0.08), base)]),
    ]
    for y in np.linspace(brim, base, int(rng.integers(1, 4)) + 1)[1:-1]:
        parts.append(line("dark", 0.035, [(left + 0.08, y), (right - 0.02, y)]))
    return parts


def _stone(rng: np.random.Generator) -> list[Part]:
    courses, wide, top = int(rng.integers(2, 4)), rng.uniform(1.25, 1.75), rng.uniform(0.25, 0.45)
    half, x, cap = rng.uniform(0.14, 0.22), rng.uniform(-0.05, 0.15), rng.uniform(-0.62, -0.45)
    y, throat, thick = rng.uniform(-0.3, -0.18), rng.uniform(0.13, 0.19), rng.uniform(0.07, 0.12)
    mouth, height, raised = x - rng.uniform(0.42, 0.56), (0.94 - top) / courses, rng.random() < 0.5
    spout = [(x, y), (mouth + 0.12, y), (mouth, y + 0.07), (mouth, y + 0.17)]
    far = (0.92, rng.uniform(-0.9, -0.72)) if raised else (0.9, rng.uniform(-0.25, 0.15))
    lever = [(x - 0.08, cap - 0.06), (x + 0.45, (cap + far[1]) / 2 + rng.uniform(-0.12, 0.04)), far]
    shape = [(half * 0.8, cap), (half, cap + 0.1), (half, -0.02), (half * rng.uniform(0.6, 1.1), 0.1), (half, top)]
    hook = np.array([(0, 0), (0, -0.09), (-0.08, -0.11)]) + (mouth + 0.13, y - throat / 2)
    parts = [
        area("metal", tube(lever, thick, thick * 0.8)),
        area("dark", ellipse(far[0] - 0.03, far[1], thick * rng.uniform(0.4, 0.75))),
        area("metal", rectangle(0.09, 0.26, 0.02, x, cap - 0.08)),
        area("body", tube(spout, throat, throat)),
        _turned("body", x, *shape),
        *_bands(x, half * 2.65, 0.09, np.array([cap + 0.02, top - 0.08])),
        curve("metal", 0.045, hook),
    ]
    if rng.random() < 0.4:
        parts.append(line("metal", 0.03, [(mouth - 0.13, 0.1), (mouth, y + 0.1), (mouth + 0.13, 0.1)]))
        parts.append(_turned("dark", mouth, (0.14, 0.08), (0.11, top - 0.03)))
    else:
        parts += _water(rng, mouth, y + 0.17, top)
    if rng.random() < 0.6:
        parts.append(area("body", rectangle(wide + 0.12, 0.09, 0.02, 0, top)))
    for middle in top + 0.01 + (np.arange(courses) + 0.5) * height:
        cuts = np.linspace(-wide / 2, wide / 2, int(rng.integers(3, 6)) + 1)
        cuts[1:-1] += rng.uniform(-0.25, 0.25, len(cuts) - 2) * cuts[1:-1].std()
        for u, v in zip(cuts[:-1], cuts[1:], strict=True):
            stone = rectangle(v - u - 0.035, height - 0.045, rng.uniform(0.02, 0.08), (u + v) / 2, middle)
            parts.append(area("dark" if rng.random() < 0.25 else "body", stone))
    return parts


def _icon(rng: np.random.Generator) -> list[Part]:
    wide, fat, x = rng.uniform(0.32, 0.46), rng.uniform(0.13, 0.21), rng.uniform(-0.1, 0.1)
    top, y, mouth = rng.uniform(-0.62, -0.45), rng.uniform(-0.25, -0.05), x - rng.uniform(0.5, 0.62)
    lift, bend = (
        rng.choice([rng.uniform(-0.4, -0.28), rng.uniform(0.0, 0.15), rng.uniform(0.4, 0.7)]),
        0.14 * rng.random(),
    )
    joint, lip = max(top - 0.12, -0.85 + fat / 2), y + rng.uniform(0.2, 0.3)
    end = (0.92 - fat / 2, max(joint + lift, -0.95 + fat / 2))
    elbow = [(end[0] - 0.25, joint)] if lift > 0.3 else []
    parts = [line("body", fat, [(x, top + 0.1), (x, joint), *elbow, end])]
    parts.append(line("body", fat * 1.15, [(x, y), (mouth, y), (mouth, lip)]))
    if rng.random() < 0.5:
        parts.append(area("light", rectangle(wide + 0.1, 0.85 - top, bend + 0.05, x, (0.85 + top) / 2 - 0.01)))
    parts.append(area("body", rectangle(wide, 0.85 - top, bend, x, (0.85 + top) / 2 + 0.05)))
    parts.append(area("body", rectangle(rng.uniform(0.75, 1.15), rng.uniform(0.16, 0.26), bend, x, 0.83)))
    if rng.random() < 0.5:
        parts.append(area("light", rectangle(wide, 0.07, 0, x, rng.uniform(0.25, 0.62))))
    return [*parts, _drop(mouth, lip + 0.4, rng.uniform(0.09, 0.13))] if rng.random() < 0.6 else parts


def _wire(rng: np.random.Generator) -> list[Part]:
    w, tone = rng.uniform(0.03, 0.07), "body" if rng.random() < 0.6 else "dark"
    bowl, half, x = rng.uniform(0.22, 0.32), rng.uniform(0.11, 0.2), rng.uniform(-0.22, -0.08)
    rim, waist, lip = rng.uniform(-0.42, -0.28), rng.uniform(-0.05, 0.15), rng.uniform(0.26, 0.36)
    foot, slant, far = rng.uniform(0.56, 0.66), rng.uniform(0.1, 0.3), rng.uniform(0.42, 0.56)
    left, right, low = x - far, x + far, foot + 0.09
    cup = [(x + bowl, rim), (x + bowl * 0.95, rim + 0.18), (x + half, waist)]
    nose = [(x - half, waist), (x - bowl * 0.9, rim + 0.24), (x - bowl - lip * 0.6, rim + 0.13)]
    nose += [(x - bowl - lip, rim + 0.2), (x - bowl - lip - 0.04, rim + 0.03), (x - bowl, rim)]
    deck = [(left, low + 0.16), (left + slant, low), (right + slant, low), (right, low + 0.16)]
    # The S of the handle swings about the ear behind the bowl, often high up.
    head, lift, ear = rim - rng.uniform(0.24, 0.32), rng.uniform(-0.05, 0.22), (x + bowl + 0.08, rim - 0.24)
    swing = [(x, head), (x + bowl * 0.6, head - 0.03), ear, (ear[0] + 0.2, ear[1] + 0.1 - lift * 0.3)]
    swing += [(0.66, ear[1] - lift), (0.91, ear[1] + 0.02 - lift * 0.9)]
    parts = [
        curve(tone, w, cup),
        curve(tone, w, nose),
        line(tone, w, ellipse(x, rim, bowl, bowl * rng.uniform(0.2, 0.32)), True),
        line(tone, w, rectangle(half * 2, foot - waist, 0, x, (foot + waist) / 2), True),
        line(tone, w, rectangle(half * 2 + 0.2, 0.09, 0, x, foot + 0.045), True),
        line(tone, w, deck, True),
        line(tone, w, [deck[0], (left, 0.94), (right, 0.94), deck[3]]),
        line(tone, w, [(x, head), (x, rim)]),
        line(tone, w, [(x + bowl, rim), ear, (x + bowl * 0.9, rim + 0.2)]),
    ]
    if rng.random() < 0.5:
        parts.append(line(tone, w, [(right, 0.94), (right + slant, low + 0.1), deck[2]]))
    if rng.random() < 0.5:
        parts += [curve(tone, w, swing[:4]), line(tone, w, tube(swing[3:], 0.08, 0.14), True)]
    else:
        parts.append(curve(tone, w, swing))
    if w < 0.045:
        parts.append(line(tone, w, [(x - far * rng.uniform(0, 0.6), low + 0.08), (x + far * 0.9, low + 0.08)]))
    return parts


def _front(rng: np.random.Generator) -> list[Part]:
    half, top, foot = rng.uniform(0.19, 0.28), rng.uniform(-0.62, -0.5), rng.uniform(0.55, 0.7)
    waist, y, throat = rng.uniform(0.65, 1.0), rng.uniform(-0.3, -0.15), rng.uniform(0.13, 0.18)
    twin, side, thick = rng.random() < 0.65, float(rng.choice([-1, 1])), rng.uniform(0.06, 0.1)
    reach, drop, out = rng.uniform(0.55, 0.75), rng.uniform(0.2, 0.4), side * rng.uniform(0.55, 0.85)
    if twin:
        # Both spouts hang low, so the lever stands up behind the head.
        lever = [(0, top), (side * 0.15, top - 0.2), (side * rng.uniform(0.3, 0.85), rng.uniform(-0.9, -0.8))]
    else:
        lever = [(0, top - 0.06), (out * 0.55, top - rng.uniform(0.12, 0.24)), (out, top + 0.1)]
        lever.append((out + side * 0.06, rng.uniform(-0.3, 0.2)))
    parts = [*ground(rng, -0.8, 0.8, 0.93), area("metal", tube(lever, thick * 1.3, thick))]
    parts.append(area("dark", ellipse(*lever[-1], thick * 0.8)))
    for x in (-reach, reach) if twin else ():
        arm = [(0, y), (x * 0.6, y - 0.07), (x, y + 0.06), (x, y + drop)]
        parts += [area("body", tube(arm, throat * 1.3, throat)), *_water(rng, x, y + drop, 0.75)]
        parts += _bands(x, throat * 1.5, 0.07, np.array([y + drop]))
    column = [(half, top), (half, -0.1), (half * waist, 0.1), (half * waist, foot - 0.1), (half * 1.2, foot)]
    parts += [_turned("body", 0, *column), _head(rng, 0, top, half)]
    parts += _bands(0, half * 2.3, 0.07, rng.uniform(0.15, foot - 0.1, int(rng.integers(0, 3))))
    if twin:
        parts += emblem(rng, 0, y, half * 0.55)
    else:
        # The spout points at who looks.
        mouth, low = half * rng.uniform(0.55, 0.8), y + rng.uniform(0.2, 0.35)
        snout = smooth([(-mouth * 0.7, y - 0.1), (mouth * 0.7, y - 0.1), (mouth, low), (-mouth, low)])
        parts += [area("body", snout), line("dark", 0.045, snout, True)]
        parts.append(area("light", ellipse(0, low - 0.03, mouth * 0.7, mouth * rng.uniform(0.35, 0.6))))
        parts += [line("light", 0.04, [[0, low], [0, foot - 0.1]])] if rng.random() < 0.5 else []
    parts += _steps(rng, 0, foot, rng.uniform(0.65, 1.0))
    if rng.random() < 0.4:
        parts.append(_turned("metal", 0, (0.92, foot + 0.02), (rng.uniform(0.7, 0.92), 0.93)))
    return parts


PUMPS: tuple[Drawing, ...] = (_iron, _wooden, _flywheel, _village, _square, _stone, _icon, _wire, _front, _pitcher)
