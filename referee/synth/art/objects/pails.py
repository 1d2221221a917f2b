"""Drawings of a pail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..canvas import Points, ellipse, place, rectangle, smooth
from .parts import Drawing, Part, area, line


def _bucket(top: float, bottom: float, up: float, down: float, rng: np.random.Generator, staves: bool) -> list[Part]:
    swing = rng.uniform(0.5, 0.75)
    arch = ellipse(0, up + 0.05, top * 0.97, swing, 180, 360)
    parts = [
        line("metal", 0.06, arch),
        area("body", np.array([[-top, up], [top, up], [bottom, down], [-bottom, down]])),
        area("body", ellipse(0, down, bottom, 0.12)),
        area("dark", ellipse(0, up, top, 0.17)),
        area("metal", ellipse(0, up, top, 0.17), ellipse(0, up - 0.015, top * 0.9, 0.125)),
        area("dark", ellipse(-top, up + 0.12, 0.07)),
        area("dark", ellipse(top, up + 0.12, 0.07)),
    ]
    for share in (0.3, 0.75):
        half = top + (bottom - top) * share
        y = up + (down - up) * share
        parts.append(line("dark", 0.06, ellipse(0, y, half, 0.15, 0, 180)))
    if staves:
        for at in np.linspace(-0.75, 0.75, 6):
            parts.append(line("dark", 0.02, np.array([[at * top, up + 0.16], [at * bottom, down + 0.08]])))
    else:
        parts.append(line("light", 0.07, np.array([[-top * 0.62, up + 0.3], [-bottom * 0.66, down - 0.05]])))
    return parts


def _tin(rng: np.random.Generator) -> list[Part]:
    return _bucket(rng.uniform(0.66, 0.78), rng.uniform(0.44, 0.56), -0.26, 0.8, rng, False)


def _wooden(rng: np.random.Generator) -> list[Part]:
    return _bucket(rng.uniform(0.6, 0.7), rng.uniform(0.6, 0.74), -0.2, 0.76, rng, True)


def _milk(rng: np.random.Generator) -> list[Part]:
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
        line("metal", 0.06, ellipse(0, -0.3, 0.55, 0.65, 180, 360)),
        area("body", can),
        area("metal", rectangle(0.74, 0.12, 0.05, 0, -0.56)),
        area("dark", rectangle(0.5, 0.1, 0.05, 0, -0.66)),
        line("dark", 0.05, ellipse(0, -0.02, wide, 0.1, 0, 180)),
        line("dark", 0.05, ellipse(0, 0.64, wide, 0.1, 0, 180)),
        line("light", 0.07, np.array([[-wide * 0.6, 0.1], [-wide * 0.6, 0.6]])),
    ]


class _Tub(NamedTuple):
    """A round vessel seen a little from above; shares run from the rim (0) to the bottom (1)."""

    top: float
    bottom: float
    up: float
    down: float
    squash: float
    bulge: float = 0.0

    def side(self, share: Points) -> Points:
        """Trace the right side."""
        half = self.top + (self.bottom - self.top) * share + self.bulge * 4 * share * (1 - share)
        return np.stack([half, self.up + (self.down - self.up) * share], axis=1)

    def hoop(self, share: float, start: float = 0.0, stop: float = 180.0, grown: float = 1.0) -> Points:
        """Trace the front of a horizontal section, or another arc of it."""
        half, y = self.side(np.array([share]))[0]
        return ellipse(0, y, half * grown, half * self.squash * grown, start, stop)

    def band(self, first: float, last: float, grown: float = 1.0) -> Points:
        """Trace the front of a hoop with some height."""
        return np.vstack([self.hoop(first, grown=grown), self.hoop(last, grown=grown)[::-1]])

    def wall(self) -> Points:
        """Trace the whole vessel, opening included."""
        right = self.side(np.linspace(0, 1, 13))
        return np.vstack([right * (-1, 1), self.hoop(1, 180, 0), right[::-1], self.hoop(0, 0, -180)])

    def seam(self, angle: float, first: float = 0.0, last: float = 1.0) -> Points:
        """Trace the joint of two staves; 90 degrees faces the viewer."""
        side = self.side(np.linspace(first, last, 9))
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        return np.stack([side[:, 0] * c, side[:, 1] + side[:, 0] * s * self.squash], axis=1)

    def bail(self, rise: float, lean: float = 0.0, grown: float = 1.0, drop: float = 0.0) -> Points:
        """Trace a handle from ear to ear; a negative rise hangs down in front."""
        arc = ellipse(0, 0, self.top * grown, 1, 180, 360)
        return np.stack([arc[:, 0] - lean * arc[:, 1], self.up + drop + rise * arc[:, 1]], axis=1)


def _fit(parts: list[Part], rng: np.random.Generator, warp: float = 0.015) -> list[Part]:
    """Let the hand tremble a little, then fill the square."""
    phase, pace = rng.uniform(0, 6.3, 2), rng.uniform(1.5, 4, 2)
    bent = [p._replace(contours=tuple(c + warp * np.sin(c[:, ::-1] * pace + phase) for c in p.contours)) for p in parts]
    low = np.min([c.min(axis=0) - p.width / 2 for p in bent for c in p.contours], axis=0)
    high = np.max([c.max(axis=0) + p.width / 2 for p in bent for c in p.contours], axis=0)
    middle, scale = (low + high) / 2, 1.9 / (high - low).max()
    return [p._replace(contours=tuple((c - middle) * scale for c in p.contours), width=p.width * scale) for p in bent]


def _rounded(corners: Sequence[Sequence[float]] | Points, radius: float) -> Points:
    knots, t, bends = np.asarray(corners, float), np.linspace(0, 1, 7)[:, None], []
    for before, knot, after in zip(np.roll(knots, 1, 0), knots, np.roll(knots, -1, 0), strict=True):
        a, z = (knot + (to - knot) * min(0.5, radius / np.hypot(*(to - knot))) for to in (before, after))
        bends.append((1 - t) ** 2 * a + 2 * t * (1 - t) * knot + t**2 * z)
    return np.vstack(bends)


def _tufts(y: float, reach: float, width: float, rng: np.random.Generator) -> list[Part]:
    parts = []
    for x in rng.uniform(0.95, 1.1, 2) * (-reach, reach):
        for bend in np.linspace(-0.13, 0.13, int(rng.integers(3, 6))):
            tip = (x + bend * 1.3, y - rng.uniform(0.14, 0.3))
            parts.append(line("body", width, smooth([(x + bend * 0.4, y), (x + bend * 0.6, y - 0.1), tip], False)))
    return parts


def _foam(tub: _Tub, height: float, rng: np.random.Generator) -> list[Part]:
    u, count = np.linspace(-1, 1, 61), rng.uniform(2, 4.5)
    heap = height * np.sqrt(1 - u**2) * (0.7 + 0.3 * np.abs(np.cos(u * count * np.pi / 2 + rng.uniform(0, 3))))
    inner = np.maximum(heap - 0.05, 0)
    return [
        area("body", np.vstack([np.stack([u * tub.top, tub.up - heap], axis=1), [[0, tub.up + 0.05]]])),
        area("light", np.vstack([np.stack([u * tub.top * 0.9, tub.up - inner], axis=1), [[0, tub.up + 0.05]]])),
    ]


def _emblem(x: float, y: float, size: float, rng: np.random.Generator) -> list[Part]:
    heart = [(0, -0.5), (0.5, -0.9), (0.95, -0.35), (0.5, 0.4), (0, 1)]
    drop = [(0, -1), (0.25, -0.4), (0.6, 0.2), (0.45, 0.75), (0, 0.95)]
    tulip = [(0, -1), (0.35, -0.4), (0.8, -0.9), (0.7, 0), (0.12, 0.4), (0.12, 1), (0, 1)]
    star = [(0, -1), (0.25, -0.34), (0.95, -0.31), (0.4, 0.13), (0.59, 0.81), (0, 0.42)]
    kind = int(rng.integers(5))
    if kind == 4:
        return []
    half = np.array([heart, drop, tulip, star][kind])
    shape = np.vstack([half, half[-2:0:-1] * (-1, 1)])
    return [area("light", (smooth(shape) if kind < 2 else shape) * size + (x, y))]


def _piggin(rng: np.random.Generator) -> list[Part]:
    top = rng.uniform(0.72, 0.9)
    tub = _Tub(top, top * rng.uniform(0.72, 1.1), 0.1, rng.uniform(0.55, 0.85), rng.uniform(0.1, 0.3))
    wide, tall, lean = rng.uniform(0.2, 0.32), rng.uniform(0.6, 0.95), rng.uniform(-0.05, 0.18)
    middle, height = top + lean - wide / 2, 0.1 - tall
    cap = ellipse(middle, height, wide / 2, wide * rng.uniform(0.1, 0.6), 0, -180)
    if rng.random() < 0.4:
        cap = ellipse(middle, height, wide * 0.75, None, 40, -220)
    inner = tub.seam(np.degrees(np.arccos(1 - wide / top)))
    stave = np.vstack([tub.side(np.linspace(1, 0, 5)), cap, inner])
    inside = rng.choice(["light", "dark"])
    parts = [area("body", tub.wall()), area(inside, tub.hoop(0, 0, 360, 0.9))]
    if inside == "dark":
        parts.append(line("light", 0.03, tub.hoop(0, 8, 172)))
    elif rng.random() < 0.5:
        parts.append(line("dark", 0.03, tub.hoop(0, 200, 340, 0.7)))
    parts.append(area("body", stave))
    if rng.random() < 0.7:
        parts.append(area("light", ellipse(middle - lean * 0.2, height + 0.15, wide * 0.25, wide * 0.36)))
    if rng.random() < 0.35:
        ear = [(-top, 0.2), (-top * 1.04, -0.14), (-top * 0.8, -0.14), (-top * 0.72, 0.24)]
        parts.insert(1, area("body", _rounded(ear, 0.06)))
    weight = rng.uniform(0.02, 0.045)
    for angle in np.linspace(0, 180, int(rng.integers(6, 12)))[2:-1]:
        parts.append(line("dark", weight, tub.seam(angle, 0.08)))
    filled, tone = rng.random() < 0.5, rng.choice(["dark", "light"])
    for share in (0.2, 0.72) if rng.random() < 0.7 else (0.45,):
        if filled:
            parts.append(area("metal", tub.band(share, share + 0.17, 1.03)))
        else:
            parts.append(line(tone, rng.uniform(0.04, 0.08), tub.hoop(share)))
    return _fit(parts + (_tufts(tub.down + 0.1, tub.bottom, 0.04, rng) if rng.random() < 0.3 else []), rng)


def _pouring(rng: np.random.Generator) -> list[Part]:
    top, angle = rng.uniform(0.42, 0.52), rng.uniform(62, 108)
    tub = _Tub(top, top * rng.uniform(0.6, 0.9), -0.45, rng.uniform(0.4, 0.65), rng.uniform(0.22, 0.42))
    parts = [area("body", tub.wall()), area(rng.choice(["light", "dark"]), tub.hoop(0, 0, 360, 0.88))]
    parts.append(line("light", 0.03, tub.hoop(0, 5, 175, 1.02)))
    for share in ((0.25, 0.75), (0.5,), (0.2, 0.85), ())[rng.integers(4)]:
        parts.append(line("dark", rng.uniform(0.04, 0.09), tub.hoop(share)))
    if rng.random() < 0.5:
        parts += [line("dark", 0.025, tub.seam(a, 0.1)) for a in np.linspace(0, 180, int(rng.integers(5, 9)))[1:-1]]
    turn, near = place(angle_deg=angle)[:, :2].T, tub.squash * top
    parts = [p._replace(contours=tuple(c @ turn for c in p.contours)) for p in parts]
    front, back, lip = np.array([(0, -0.45 + near), (0, -0.45 - near), (top, -0.45)]) @ turn
    grip = (front + back) / 2 + (rng.uniform(-0.35, 0.2), -rng.uniform(0.75, 1.0))
    arms = [front, front * 0.35 + grip * 0.65 + (-0.06, 0), grip, back * 0.35 + grip * 0.65 + (0.08, 0), back]
    bail = line("metal", rng.uniform(0.05, 0.08), smooth(arms, False))
    parts = [bail, *parts, bail._replace(contours=(smooth(arms[:3], False),)), area("dark", ellipse(*front, 0.06))]
    if rng.random() < 0.4:
        parts.append(area("dark", ellipse(*grip, 0.16, 0.07)))
    # The stream leaves the lowest point of the rim and widens or thins on its way to the ground.
    ground, far, thick = lip[1] + rng.uniform(0.45, 0.75), rng.uniform(0.1, 0.3), rng.uniform(0.1, 0.2)
    tone = rng.choice(["body", "metal", "dark"])
    fall, foot = ground - lip[1], far + thick * rng.uniform(0.4, 1.2)
    path = [(-0.03, -0.06), (far * 0.8, 0.12), (far - thick * 0.4, fall), (foot, fall), (far + thick, 0.02)]
    path.append((0.06, -0.06 - thick))
    parts.append(area(tone, smooth(np.array(path) + lip, True, 6)))
    middle = lip[0] + far + thick / 3
    if rng.random() < 0.7:
        parts.append(area(tone, ellipse(middle, ground, rng.uniform(0.3, 0.55), rng.uniform(0.07, 0.12))))
    else:
        for x, y in rng.uniform((0.12, -0.3), (0.3, -0.06), (3, 2)) * [[1, 1], [-1, 1], [1.6, 1]]:
            parts.append(area(tone, ellipse(middle + x, ground + y, 0.045, 0.06)))
    return _fit(parts, rng)


def _above(rng: np.random.Generator) -> list[Part]:
    top, squash = rng.uniform(0.75, 0.85), rng.uniform(0.55, 0.85)
    tub = _Tub(top, top * rng.uniform(0.55, 0.75), 0.0, rng.uniform(0.58, 0.85), squash)
    inner, rim = rng.uniform(0.8, 0.9), rng.choice(["metal", "body"])
    pool, wet = tub.hoop(1, 0, 360, 0.9) * (1, 0.85), rng.random() < 0.5
    if wet:
        pool = tub.hoop(0, 0, 360, inner * 0.84) * (1, 0.88) + (0, top * 0.1)
    pool[:, 1] = np.minimum(pool[:, 1], squash * np.sqrt(np.maximum(0, (top * inner) ** 2 - pool[:, 0] ** 2)))
    parts = [area("body", tub.wall())]
    count = int(rng.integers(7, 15))
    if rng.random() < 0.6:
        parts += [line("dark", 0.025, tub.seam(angle)) for angle in np.linspace(8, 172, count)[1:-1]]
    for share in (0.45, 0.8)[: int(rng.integers(0, 3))]:
        parts.append(line("dark", rng.uniform(0.04, 0.07), tub.hoop(share)))
    parts.append(line("light", 0.05, tub.hoop(0, 2, 178, 1.02)))
    parts.append(area(rim, tub.hoop(0, 0, 360)))
    parts.append(area("light", tub.hoop(0, 0, 360, inner)))
    if rng.random() < 0.6:
        for angle in np.linspace(190, 350, count):
            parts.append(line("dark", 0.025, tub.seam(angle, 0.15, rng.uniform(0.3, 0.5))))
    parts.append(area("dark", pool))
    for x, y in rng.uniform(-0.25, 0.25, (2 if wet else 0, 2)):
        parts.append(line("light", 0.04, ellipse(x, y, rng.uniform(0.1, 0.25), 0.06, 200, 340)))
    low, high = ((-1.5, -0.85), (1.15, 1.5), (0.2, 0.6))[rng.integers(3)]
    rise = top * squash * rng.uniform(low, high)
    bail, weight = tub.bail(rise, rng.uniform(-0.12, 0.12), 1.04), rng.uniform(0.06, 0.1)
    parts += [line("light", weight + 0.07, bail[2:-2]), line("metal", weight, bail)]
    if rng.random() < 0.5:
        parts.append(line("dark", weight + 0.06, bail[8:13]))
    return _fit([*parts, *(area("dark", ellipse(x * top * 1.02, 0, 0.09)) for x in (-1, 1))], rng)


def _fire(rng: np.random.Generator) -> list[Part]:
    top = rng.uniform(0.5, 0.66)
    tub = _Tub(top, top * rng.uniform(0.3, 0.68), -0.3, rng.uniform(0.7, 0.95), rng.uniform(0.12, 0.28))
    strap, high = rng.uniform(0.06, 0.13), rng.uniform(0.05, 0.14)
    parts = []
    if rng.random() < 0.75:
        corner, peak, arch = rng.uniform(0.15, 0.3), -0.3 - rng.uniform(0.45, 0.65), top * rng.uniform(0.5, 0.9)
        half = np.array([(top, -0.25), (top * 0.95, -0.3 - corner), (arch * 0.5, peak)])
        parts.append(line("metal", strap, smooth(np.vstack([half * (-1, 1), half[::-1]]), False)))
        if rng.random() < 0.4:
            parts.append(area("dark", rectangle(arch, strap + 0.08, 0.05, 0, peak - 0.02)))
    parts.append(area("body", tub.wall()))
    parts.append(area("light" if tub.squash > 0.2 else "dark", tub.hoop(0, 0, 360, 0.82)))
    parts.append(area("metal", tub.band(0, high, 1.04)))
    parts.append(line("light", 0.03, tub.hoop(high + 0.03, 4, 176)))
    if rng.random() < 0.6:
        parts.append(area("dark", tub.band(0.88, 1, 1.04)))
        parts.append(line("light", 0.03, tub.hoop(0.86, 4, 176)))
    if parts[0].width > 0:
        parts += _emblem(0, 0.3, top * rng.uniform(0.3, 0.48), rng)
    else:
        # The handle has fallen to the front.
        bail = tub.bail(-rng.uniform(0.3, 0.6), rng.uniform(-0.1, 0.1), 0.96, 0.06)
        parts += [line("light", strap * 0.7 + 0.07, bail[5:-5]), line("metal", strap * 0.7, bail)]
    size = rng.uniform(0.07, 0.11)
    return _fit(parts + [area("dark", ellipse(x * top * 1.04, -0.23, size)) for x in (-1, 1)], rng, 0.02)


def _roped(rng: np.random.Generator) -> list[Part]:
    top, bulge = rng.uniform(0.5, 0.66), rng.uniform(0.08, 0.2)
    tub = _Tub(top, top * rng.uniform(0.8, 1.1), -0.15, rng.uniform(0.7, 0.95), rng.uniform(0, 0.12), bulge)
    ear, wide = rng.uniform(0.16, 0.34), rng.uniform(0.16, 0.26)
    peak, thick = -0.15 - rng.uniform(0.6, 0.95), rng.uniform(0.08, 0.13)
    hole = np.array([top - wide / 2, -0.15 - ear * 0.5])
    arch = top * rng.choice([0.42, 0.75])
    rope = smooth([hole * (-1, 1), (-arch, peak * 0.65), (0, peak), (arch, peak * 0.65), hole], False)
    parts = [line("body", thick, rope)]
    twist = np.array([thick * 0.3, thick * 0.35])
    parts += [line("dark", 0.025, np.stack([p - twist, p + twist])) for p in rope[2:-2:2]]
    if rng.random() < 0.45:
        parts += _foam(tub, rng.uniform(0.2, 0.4), rng)
    parts.append(area("body", tub.wall()))
    if tub.squash > 0.05:
        parts.append(area("dark", tub.hoop(0, 0, 360, 0.92)))
        parts.append(line("light", 0.03, tub.hoop(0)))
    for x in (-1, 1):
        plank = [(top, -0.02), (top, -0.15 - ear), (top - wide, -0.15 - ear), (top - wide, -0.02)]
        parts.append(area("body", _rounded(np.array(plank) * (x, 1), 0.06)))
        parts.append(area("light", ellipse(hole[0] * x, hole[1], wide * 0.3)))
        parts.append(area("dark", ellipse(hole[0] * x, hole[1], wide * 0.18)))
    weight, count = rng.uniform(0.02, 0.05), int(rng.integers(5, 11))
    parts += [line("dark", weight, tub.seam(angle, 0.03)) for angle in np.linspace(0, 180, count)[1:-1]]
    tone, height = rng.choice(["metal", "light"]), rng.uniform(0.06, 0.11)
    for share in ((0.15, 0.75), (0.12, 0.45, 0.8), (0.1, 0.24, 0.68, 0.82))[rng.integers(3)]:
        parts.append(area(tone, tub.band(share, share + height, 1.02)))
    if rng.random() < 0.5:
        # Shade one side as a woodcutter does.
        for share in np.linspace(0.05, 0.95, int(rng.integers(9, 16))):
            parts.append(line("dark", 0.025, tub.hoop(float(share), 14, 42 + 20 * np.sin(share * 9))))
    if rng.random() < 0.5:
        parts += _tufts(tub.down + 0.03, tub.bottom * 1.1, rng.uniform(0.03, 0.06), rng)
    return _fit(parts, rng)


def _icon(rng: np.random.Generator) -> list[Part]:
    top, fat = rng.uniform(0.6, 0.8), rng.uniform(0.11, 0.19)
    bottom, down, up = top * rng.uniform(0.6, 0.85), rng.uniform(0.7, 0.95), -0.1
    lean, rise = rng.choice([0.0, 0.0, 0.3, -0.3]), rng.uniform(0.55, 0.8)
    if rng.random() < 0.6:
        bail = _Tub(top - fat / 2, 0, up, 0, 0).bail(rise, lean)
    else:
        flat = top * rng.uniform(0.4, 0.6)
        corners = [(-top + fat / 2, up), (lean - flat, up - rise), (lean + flat, up - rise), (top - fat / 2, up)]
        bail = _rounded(corners, 0.25)[3:-4]
    parts = [line("body", fat, bail)]
    if rng.random() < 0.35:
        parts.append(line("dark", fat * 1.7, bail[len(bail) // 2 - 3 : len(bail) // 2 + 4]))
    rim, gap, style = rng.uniform(0.16, 0.26), rng.uniform(0.04, 0.08), rng.integers(3)
    start = up + rim / 2 + gap if style == 0 else up
    shape = np.array([(-top, start), (top, start), (bottom, down), (-bottom, down)])
    parts.append(area("body", _rounded(shape * (0.94, 1), rng.uniform(0.08, 0.25))))
    if style == 0:
        parts.append(area("body", rectangle(top * 2.24, rim, rim * rng.uniform(0.1, 0.5), 0, up)))
    elif style == 1:
        parts += [area("body", ellipse(x * top, up + 0.1, fat * 0.95)) for x in (-1, 1)]
        parts += [area("light", ellipse(x * top, up + 0.1, fat * 0.4)) for x in (-1, 1)]
    if rng.random() < 0.4:
        strip = shape[[1, 1, 2, 2]] * np.array([[0.4], [0.86], [0.92], [0.4]])
        strip[:, 1] = np.repeat([up + rim + gap, down - 0.07], 2)
        parts.append(area("dark", _rounded(strip, 0.08)))
    kind = rng.integers(3)
    if kind == 0:
        parts += _emblem(0, up + (down - up) * 0.58, bottom * rng.uniform(0.4, 0.6), rng)
    elif kind == 1:
        for share in (0.4, 0.75)[: int(rng.integers(1, 3))]:
            half, y = (top + (bottom - top) * share) * 0.94, up + (down - up) * share
            parts.append(line("light", gap, np.array([[-half, y], [half, y]])))
    else:
        shine = np.array([[-top * 0.6, up + 0.3], [-bottom * 0.66, down - rng.uniform(0.2, 0.4)]])
        parts.append(line("light", gap * 1.2, shine))
    return _fit(parts, rng, 0.0)


def _outlined(rng: np.random.Generator) -> list[Part]:
    top, pen, bulge = rng.uniform(0.55, 0.78), rng.uniform(0.025, 0.06), rng.uniform(0, 0.06)
    tub = _Tub(top, top * rng.uniform(0.6, 0.95), -0.15, rng.uniform(0.65, 0.9), rng.uniform(0.16, 0.4), bulge)
    side, edge = tub.side(np.linspace(0, 1, 9)), pen * rng.uniform(1, 1.6)
    parts = [line("body", edge, np.vstack([side * (-1, 1), tub.hoop(1, 180, 0), side[::-1]]))]
    parts.append(line("body", edge, tub.hoop(0, 0, 360), True))
    if rng.random() < 0.6:
        parts.append(line("body", pen, tub.hoop(0, 0, 360, 0.9), True))
    rise = rng.uniform(0.5, 0.8) if rng.random() < 0.65 else -rng.uniform(0.45, 0.7)
    bail = tub.bail(rise, rng.uniform(-0.2, 0.2), 1.0 if rise > 0 else 1.06, 0.05)
    parts.append(line("body", pen, bail))
    if rise > 0 and rng.random() < 0.5:
        parts.append(line("body", pen, rectangle(0.34, 0.13, 0.06, *bail[10]), True))
    parts += [line("body", pen, ellipse(x * top, -0.08, 0.06), True) for x in (-1, 1)]
    for share in ((0.25, 0.7), (0.2, 0.8), (0.5,), (0.3, 0.55, 0.8))[rng.integers(4)]:
        parts.append(line("body", pen, tub.hoop(share)))
        if rng.random() < 0.6:
            parts.append(line("body", pen, tub.hoop(share + 0.08)))
    if rise > 0 and rng.random() < 0.7:
        for angle in np.linspace(0, 180, int(rng.integers(5, 11)))[1:-1]:
            parts.append(line("body", pen * 0.8, tub.seam(angle, rng.uniform(0.02, 0.3), rng.uniform(0.6, 1))))
    if rng.random() < 0.5:
        parts.append(line("body", pen, tub.hoop(0, 195, 345, 0.6) * (1, 0.9)))
    if rng.random() < 0.4:
        parts += _tufts(tub.down + tub.bottom * tub.squash * 0.5, tub.bottom * 1.15, pen, rng)
    if rng.random() < 0.3:
        y = tub.down + tub.bottom * tub.squash + pen
        parts.append(line("body", pen, np.array([[-0.85, y], [0.85, y]])))
    return _fit(parts, rng, 0.02)


PAILS: tuple[Drawing, ...] = (_tin, _wooden, _piggin, _pouring, _above, _fire, _roped, _icon, _outlined, _milk)
