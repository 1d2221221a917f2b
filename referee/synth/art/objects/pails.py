"""Drawings of a pail."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..canvas import Points, ellipse, place, rectangle, smooth
from .parts import Drawing, Knots, Part, area, curve, emblem, fit, line, tufts


def _bucket(top: float, bottom: float, up: float, down: float, rng: np.random.Generator, staves: bool) -> list[Part]:
    parts = [
        line("metal", 0.06, ellipse(0, up + 0.05, top * 0.97, rng.uniform(0.5, 0.75), 180, 360)),
        area("body", [[-top, up], [top, up], [bottom, down], [-bottom, down]]),
        area("body", ellipse(0, down, bottom, 0.12)),
        area("dark", ellipse(0, up, top, 0.17)),
        area("metal", ellipse(0, up, top, 0.17), ellipse(0, up - 0.015, top * 0.9, 0.125)),
        *_ears("dark", top, up + 0.12, 0.07),
    ]
    for share in (0.3, 0.75):
        half, y = top + (bottom - top) * share, up + (down - up) * share
        parts.append(line("dark", 0.06, ellipse(0, y, half, 0.15, 0, 180)))
    if not staves:
        return [*parts, line("light", 0.07, [[-top * 0.62, up + 0.3], [-bottom * 0.66, down - 0.05]])]
    joints = np.linspace(-0.75, 0.75, 6)
    return parts + [line("dark", 0.02, [[x * top, up + 0.16], [x * bottom, down + 0.08]]) for x in joints]


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

    def staves(self, count: int, width: float, first: float = 0.0) -> list[Part]:
        """Draw the joints of so many staves, from a share down to the bottom."""
        return [line("dark", width, self.seam(angle, first)) for angle in np.linspace(0, 180, count + 1)[1:-1]]

    def bail(self, rise: float, lean: float = 0.0, grown: float = 1.0, drop: float = 0.0) -> Points:
        """Trace a handle from ear to ear; a negative rise hangs down in front."""
        arc = ellipse(0, 0, self.top * grown, 1, 180, 360)
        return np.stack([arc[:, 0] - lean * arc[:, 1], self.up + drop + rise * arc[:, 1]], axis=1)


def _ears(tone: str, x: float, y: float, radius: float) -> list[Part]:
    """Draw what holds the handle on either side."""
    return [area(tone, ellipse(side * x, y, radius)) for side in (-1, 1)]


def _rounded(corners: Knots, radius: float) -> Points:
    knots, t, bends = np.asarray(corners, float), np.linspace(0, 1, 7)[:, None], []
    for before, knot, after in zip(np.roll(knots, 1, 0), knots, np.roll(knots, -1, 0), strict=True):
        a, z = (knot + (to - knot) * min(0.5, radius / np.hypot(*(to - knot))) for to in (before, after))
        bends.append((1 - t) ** 2 * a + 2 * t * (1 - t) * knot + t**2 * z)
    return np.vstack(bends)


def _grass(rng: np.random.Generator, tub: _Tub, y: float, width: float) -> list[Part]:
    """Let grass grow on both sides of a tub."""
    return tufts(rng, rng.uniform(1.0, 1.15, 2) * (-tub.bottom, tub.bottom), y, width, "body")


def _foam(rng: np.random.Generator, tub: _Tub, height: float) -> list[Part]:
    """Heap foam on a tub, a light heap inside its outline."""
    u, count = np.linspace(-1, 1, 61), rng.uniform(2, 4.5)
    heap = height * np.sqrt(1 - u**2) * (0.7 + 0.3 * np.abs(np.cos(u * count * np.pi / 2 + rng.uniform(0, 3))))
    outer = np.stack([u * tub.top, tub.up - heap], axis=1)
    inner = np.stack([u * tub.top * 0.9, tub.up - np.maximum(heap - 0.05, 0)], axis=1)
    return [area(tone, [*heap, (0, tub.up + 0.05)]) for tone, heap in (("body", outer), ("light", inner))]


def _piggin(rng: np.random.Generator) -> list[Part]:
    top, inside = rng.uniform(0.72, 0.9), str(rng.choice(["light", "dark"]))
    tub = _Tub(top, top * rng.uniform(0.72, 1.1), 0.1, rng.uniform(0.55, 0.85), rng.uniform(0.1, 0.3))
    wide, tall, lean = rng.uniform(0.2, 0.32), rng.uniform(0.6, 0.95), rng.uniform(-0.05, 0.18)
    middle, height = top + lean - wide / 2, 0.1 - tall
    cap = ellipse(middle, height, wide / 2, wide * rng.uniform(0.1, 0.6), 0, -180)
    if rng.random() < 0.4:
        cap = ellipse(middle, height, wide * 0.75, None, 40, -220)
    inner = tub.seam(np.degrees(np.arccos(1 - wide / top)))
    parts = [area("body", tub.wall()), area(inside, tub.hoop(0, 0, 360, 0.9))]
    if inside == "dark":
        parts.append(line("light", 0.03, tub.hoop(0, 8, 172)))
    elif rng.random() < 0.5:
        parts.append(line("dark", 0.03, tub.hoop(0, 200, 340, 0.7)))
    parts.append(area("body", [*tub.side(np.linspace(1, 0, 5)), *cap, *inner]))
    if rng.random() < 0.7:
        parts.append(area("light", ellipse(middle - lean * 0.2, height + 0.15, wide * 0.25, wide * 0.36)))
    if rng.random() < 0.35:
        ear = [(-top, 0.2), (-top * 1.04, -0.14), (-top * 0.8, -0.14), (-top * 0.72, 0.24)]
        parts.insert(1, area("body", _rounded(ear, 0.06)))
    parts += tub.staves(int(rng.integers(5, 11)), rng.uniform(0.02, 0.045), 0.08)[1:]
    filled, tone = rng.random() < 0.5, str(rng.choice(["dark", "light"]))
    for share in (0.2, 0.72) if rng.random() < 0.7 else (0.45,):
        hoop = line(tone, rng.uniform(0.04, 0.08), tub.hoop(share))
        parts.append(area("metal", tub.band(share, share + 0.17, 1.03)) if filled else hoop)
    if rng.random() < 0.3:
        parts += _grass(rng, tub, tub.down + 0.1, 0.04)
    return fit(parts, rng, 0.015)


def _pouring(rng: np.random.Generator) -> list[Part]:
    top, angle, tone = rng.uniform(0.42, 0.52), rng.uniform(62, 108), str(rng.choice(["body", "metal", "dark"]))
    tub = _Tub(top, top * rng.uniform(0.6, 0.9), -0.45, rng.uniform(0.4, 0.65), rng.uniform(0.22, 0.42))
    parts = [area("body", tub.wall()), area(rng.choice(["light", "dark"]), tub.hoop(0, 0, 360, 0.88))]
    parts.append(line("light", 0.03, tub.hoop(0, 5, 175, 1.02)))
    for share in ((0.25, 0.75), (0.5,), (0.2, 0.85), ())[rng.integers(4)]:
        parts.append(line("dark", rng.uniform(0.04, 0.09), tub.hoop(share)))
    if rng.random() < 0.5:
        parts += tub.staves(int(rng.integers(4, 8)), 0.025, 0.1)
    turn, near = place(angle_deg=angle)[:, :2].T, tub.squash * top
    parts = [p._replace(contours=tuple(c @ turn for c in p.contours)) for p in parts]
    front, back, lip = np.array([(0, -0.45 + near), (0, -0.45 - near), (top, -0.45)]) @ turn
    grip = (front + back) / 2 + (rng.uniform(-0.35, 0.2), -rng.uniform(0.75, 1.0))
    arms = [front, front * 0.35 + grip * 0.65 + (-0.06, 0), grip, back * 0.35 + grip * 0.65 + (0.08, 0), back]
    wire = rng.uniform(0.05, 0.08)
    parts = [curve("metal", wire, arms), *parts, curve("metal", wire, arms[:3]), area("dark", ellipse(*front, 0.06))]
    if rng.random() < 0.4:
        parts.append(area("dark", ellipse(*grip, 0.16, 0.07)))
    # The stream leaves the lowest point of the rim and widens or thins on its way to the ground.
    fall, far, thick = rng.uniform(0.45, 0.75), rng.uniform(0.1, 0.3), rng.uniform(0.1, 0.2)
    path = [(-0.03, -0.06), (far * 0.8, 0.12), (far - thick * 0.4, fall), (far + thick * rng.uniform(0.4, 1.2), fall)]
    path += [(far + thick, 0.02), (0.06, -0.06 - thick)]
    parts.append(area(tone, smooth(np.array(path) + lip, True, 6)))
    splash = lip + (far + thick / 3, fall)
    if rng.random() < 0.7:
        parts.append(area(tone, ellipse(*splash, rng.uniform(0.3, 0.55), rng.uniform(0.07, 0.12))))
    else:
        drops = splash + rng.uniform((0.12, -0.3), (0.3, -0.06), (3, 2)) * [[1, 1], [-1, 1], [1.6, 1]]
        parts += [area(tone, ellipse(*drop, 0.045, 0.06)) for drop in drops]
    return fit(parts, rng, 0.015)


def _above(rng: np.random.Generator) -> list[Part]:
    top, squash, count = rng.uniform(0.75, 0.85), rng.uniform(0.55, 0.85), int(rng.integers(7, 15))
    tub = _Tub(top, top * rng.uniform(0.55, 0.75), 0.0, rng.uniform(0.58, 0.85), squash)
    inner, rim, wet = rng.uniform(0.8, 0.9), str(rng.choice(["metal", "body"])), rng.random() < 0.5
    pool = tub.hoop(1, 0, 360, 0.9) * (1, 0.85)
    if wet:
        pool = tub.hoop(0, 0, 360, inner * 0.84) * (1, 0.88) + (0, top * 0.1)
    pool[:, 1] = np.minimum(pool[:, 1], squash * np.sqrt(np.maximum(0, (top * inner) ** 2 - pool[:, 0] ** 2)))
    parts = [area("body", tub.wall())]
    if rng.random() < 0.6:
        parts += tub.staves(count, 0.025)
    for share in (0.45, 0.8)[: int(rng.integers(0, 3))]:
        parts.append(line("dark", rng.uniform(0.04, 0.07), tub.hoop(share)))
    parts.append(line("light", 0.05, tub.hoop(0, 2, 178, 1.02)))
    parts += [area(rim, tub.hoop(0, 0, 360)), area("light", tub.hoop(0, 0, 360, inner))]
    for angle in np.linspace(190, 350, count) if rng.random() < 0.6 else ():
        parts.append(line("dark", 0.025, tub.seam(angle, 0.15, rng.uniform(0.3, 0.5))))
    parts.append(area("dark", pool))
    for x, y in rng.uniform(-0.25, 0.25, (2 if wet else 0, 2)):
        parts.append(line("light", 0.04, ellipse(x, y, rng.uniform(0.1, 0.25), 0.06, 200, 340)))
    low, high = ((-1.5, -0.85), (1.15, 1.5), (0.2, 0.6))[rng.integers(3)]
    bail, weight = (
        tub.bail(top * squash * rng.uniform(low, high), rng.uniform(-0.12, 0.12), 1.04),
        rng.uniform(0.06, 0.1),
    )
    parts += [line("light", weight + 0.07, bail[2:-2]), line("metal", weight, bail)]
    if rng.random() < 0.5:
        parts.append(line("dark", weight + 0.06, bail[8:13]))
    return fit(parts + _ears("dark", top * 1.02, 0, 0.09), rng, 0.015)


def _fire(rng: np.random.Generator) -> list[Part]:
    top, raised = rng.uniform(0.5, 0.66), rng.random() < 0.75
    tub = _Tub(top, top * rng.uniform(0.3, 0.68), -0.3, rng.uniform(0.7, 0.95), rng.uniform(0.12, 0.28))
    strap, high = rng.uniform(0.06, 0.13), rng.uniform(0.05, 0.14)
    parts = []
    if raised:
        corner, peak, arch = rng.uniform(0.15, 0.3), -0.3 - rng.uniform(0.45, 0.65), top * rng.uniform(0.5, 0.9)
        half = np.array([(top, -0.25), (top * 0.95, -0.3 - corner), (arch * 0.5, peak)])
        parts.append(curve("metal", strap, [*half * (-1, 1), *half[::-1]]))
        if rng.random() < 0.4:
            parts.append(area("dark", rectangle(arch, strap + 0.08, 0.05, 0, peak - 0.02)))
    parts += [
        area("body", tub.wall()),
        area("light" if tub.squash > 0.2 else "dark", tub.hoop(0, 0, 360, 0.82)),
        area("metal", tub.band(0, high, 1.04)),
        line("light", 0.03, tub.hoop(high + 0.03, 4, 176)),
    ]
    if rng.random() < 0.6:
        parts += [area("dark", tub.band(0.88, 1, 1.04)), line("light", 0.03, tub.hoop(0.86, 4, 176))]
    if raised:
        parts += emblem(rng, 0, 0.3, top * rng.uniform(0.3, 0.48))
    else:
        # The handle has fallen to the front.
        bail = tub.bail(-rng.uniform(0.3, 0.6), rng.uniform(-0.1, 0.1), 0.96, 0.06)
        parts += [line("light", strap * 0.7 + 0.07, bail[5:-5]), line("metal", strap * 0.7, bail)]
    return fit(parts + _ears("dark", top * 1.04, -0.23, rng.uniform(0.07, 0.11)), rng, 0.02)


def _roped(rng: np.random.Generator) -> list[Part]:
    top, bulge, thick = rng.uniform(0.5, 0.66), rng.uniform(0.08, 0.2), rng.uniform(0.08, 0.13)
    tub = _Tub(top, top * rng.uniform(0.8, 1.1), -0.15, rng.uniform(0.7, 0.95), rng.uniform(0, 0.12), bulge)
    ear, wide, peak = rng.uniform(0.16, 0.34), rng.uniform(0.16, 0.26), -0.15 - rng.uniform(0.6, 0.95)
    hole, arch = np.array([top - wide / 2, -0.15 - ear * 0.5]), top * rng.choice([0.42, 0.75])
    rope = smooth([hole * (-1, 1), (-arch, peak * 0.65), (0, peak), (arch, peak * 0.65), hole], False)
    twist = np.array([thick * 0.3, thick * 0.35])
    parts = [line("body", thick, rope), *(line("dark", 0.025, [p - twist, p + twist]) for p in rope[2:-2:2])]
    if rng.random() < 0.45:
        parts += _foam(rng, tub, rng.uniform(0.2, 0.4))
    parts.append(area("body", tub.wall()))
    if tub.squash > 0.05:
        parts += [area("dark", tub.hoop(0, 0, 360, 0.92)), line("light", 0.03, tub.hoop(0))]
    for x in (-1, 1):
        plank = rectangle(wide, ear + 0.13, 0.06, (top - wide / 2) * x, -0.085 - ear / 2)
        parts.append(area("body", plank))
    parts += _ears("light", *hole, wide * 0.3) + _ears("dark", *hole, wide * 0.18)
    parts += tub.staves(int(rng.integers(4, 10)), rng.uniform(0.02, 0.05), 0.03)
    tone, height = str(rng.choice(["metal", "light"])), rng.uniform(0.06, 0.11)
    for share in ((0.15, 0.75), (0.12, 0.45, 0.8), (0.1, 0.24, 0.68, 0.82))[rng.integers(3)]:
        parts.append(area(tone, tub.band(share, share + height, 1.02)))
    if rng.random() < 0.5:
        # Shade one side as a woodcutter does.
        for share in np.linspace(0.05, 0.95, int(rng.integers(9, 16))):
            parts.append(line("dark", 0.025, tub.hoop(float(share), 14, 42 + 20 * np.sin(share * 9))))
    if rng.random() < 0.5:
        parts += _grass(rng, tub, tub.down + 0.03, rng.uniform(0.03, 0.06))
    return fit(parts, rng, 0.015)


def _icon(rng: np.random.Generator) -> list[Part]:
    top, fat = rng.uniform(0.6, 0.8), rng.uniform(0.11, 0.19)
    bottom, down, up = top * rng.uniform(0.6, 0.85), rng.uniform(0.7, 0.95), -0.1
    lean, rise = rng.choice([0.0, 0.0, 0.3, -0.3]), rng.uniform(0.55, 0.8)
    rim, gap, style = rng.uniform(0.16, 0.26), rng.uniform(0.04, 0.08), rng.integers(3)
    if rng.random() < 0.6:
        bail = _Tub(top - fat / 2, 0, up, 0, 0).bail(rise, lean)
    else:
        flat = top * rng.uniform(0.4, 0.6)
        corners = [(-top + fat / 2, up), (lean - flat, up - rise), (lean + flat, up - rise), (top - fat / 2, up)]
        bail = _rounded(corners, 0.25)[3:-4]
    parts = [line("body", fat, bail)]
    if rng.random() < 0.35:
        parts.append(line("dark", fat * 1.7, bail[len(bail) // 2 - 3 : len(bail) // 2 + 4]))
    start = up + rim / 2 + gap if style == 0 else up
    shape = np.array([(-top, start), (top, start), (bottom, down), (-bottom, down)])
    parts.append(area("body", _rounded(shape * (0.94, 1), rng.uniform(0.08, 0.25))))
    if style == 0:
        parts.append(area("body", rectangle(top * 2.24, rim, rim * rng.uniform(0.1, 0.5), 0, up)))
    elif style == 1:
        parts += _ears("body", top, up + 0.1, fat * 0.95) + _ears("light", top, up + 0.1, fat * 0.4)
    if rng.random() < 0.4:
        low, high = down - 0.07, up + rim + gap
        strip = [(top * 0.4, high), (top * 0.86, high), (bottom * 0.92, low), (bottom * 0.4, low)]
        parts.append(area("dark", _rounded(strip, 0.08)))
    kind = rng.integers(3)
    if kind == 0:
        parts += emblem(rng, 0, up + (down - up) * 0.58, bottom * rng.uniform(0.4, 0.6))
    elif kind == 1:
        for share in (0.4, 0.75)[: int(rng.integers(1, 3))]:
            half, y = (top + (bottom - top) * share) * 0.94, up + (down - up) * share
            parts.append(line("light", gap, [[-half, y], [half, y]]))
    else:
        shine = [[-top * 0.6, up + 0.3], [-bottom * 0.66, down - rng.uniform(0.2, 0.4)]]
        parts.append(line("light", gap * 1.2, shine))
    return fit(parts, rng)


def _outlined(rng: np.random.Generator) -> list[Part]:
    top, pen, raised = rng.uniform(0.55, 0.78), rng.uniform(0.025, 0.06), rng.random() < 0.65
    down, squash = rng.uniform(0.65, 0.9), rng.uniform(0.16, 0.4)
    tub = _Tub(top, top * rng.uniform(0.6, 0.95), -0.15, down, squash, rng.uniform(0, 0.06))
    side, foot = tub.side(np.linspace(0, 1, 9)), down + tub.bottom * squash
    rise = rng.uniform(0.5, 0.8) if raised else -rng.uniform(0.45, 0.7)
    bail = tub.bail(rise, rng.uniform(-0.2, 0.2), 1.0 if raised else 1.06, 0.05)
    parts = [
        line("body", pen * rng.uniform(1, 1.6), [*side * (-1, 1), *tub.hoop(1, 180, 0), *side[::-1]]),
        line("body", pen * rng.uniform(1, 1.6), tub.hoop(0, 0, 360), True),
        line("body", pen, bail),
        *(line("body", pen, ellipse(x * top, -0.08, 0.06), True) for x in (-1, 1)),
    ]
    if rng.random() < 0.6:
        parts.append(line("body", pen, tub.hoop(0, 0, 360, 0.9), True))
    if raised and rng.random() < 0.5:
        parts.append(line("body", pen, rectangle(0.34, 0.13, 0.06, *bail[10]), True))
    for share in ((0.25, 0.7), (0.2, 0.8), (0.5,), (0.3, 0.55, 0.8))[rng.integers(4)]:
        parts += [line("body", pen, tub.hoop(s)) for s in (share, share + 0.08)[: int(rng.integers(1, 3))]]
    if raised and rng.random() < 0.7:
        for angle in np.linspace(0, 180, int(rng.integers(5, 11)))[1:-1]:
            parts.append(line("body", pen * 0.8, tub.seam(angle, rng.uniform(0.02, 0.3), rng.uniform(0.6, 1))))
    if rng.random() < 0.5:
        parts.append(line("body", pen, tub.hoop(0, 195, 345, 0.6) * (1, 0.9)))
    if rng.random() < 0.4:
        parts += _grass(rng, tub, (down + foot) / 2, pen)
    if rng.random() < 0.3:
        parts.append(line("body", pen, [[-0.85, foot + pen], [0.85, foot + pen]]))
    return fit(parts, rng, 0.02)


PAILS: tuple[Drawing, ...] = (_tin, _wooden, _piggin, _pouring, _above, _fire, _roped, _icon, _outlined, _milk)
