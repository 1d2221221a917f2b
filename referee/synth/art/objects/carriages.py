"""Drawings of a carriage."""

from __future__ import annotations

import numpy as np

from ..canvas import Points, ellipse, rectangle, smooth
from .parts import Drawing, Part, area, curve, fit, ground, line, rays, wheel


def _buggy(rng: np.random.Generator) -> list[Part]:
    roof, spokes = rng.uniform(-0.86, -0.74), int(rng.choice([8, 10, 12]))
    rear, front = rng.uniform(0.36, 0.44), rng.uniform(0.3, 0.36)
    box = [(-0.62, roof), (0.42, roof), (0.5, roof + 0.1), (0.46, 0.2), (-0.6, 0.2), (-0.68, roof + 0.1)]
    return [
        area("body", smooth(box, True, 5)),
        area("light", rectangle(0.34, 0.36, 0.04, -0.3, roof + 0.38)),
        area("light", rectangle(0.3, 0.36, 0.04, 0.16, roof + 0.38)),
        area("dark", rectangle(1.2, 0.07, 0.03, -0.08, roof + 0.03)),
        area("dark", rectangle(1.25, 0.08, 0.02, -0.06, 0.22)),
        curve("dark", 0.05, [(0.5, 0.3), (0.75, 0.16), (1.0, 0.14)]),
        line("dark", 0.05, [(-0.4, 0.2), (-0.42, 0.5)]),
        line("dark", 0.05, [(0.42, 0.2), (0.44, 0.55)]),
        *wheel(-0.46, 0.9 - rear, rear, spokes, 0.07, "metal"),
        *wheel(0.46, 0.9 - front, front, spokes, 0.07, "metal"),
    ]


def _wagon(rng: np.random.Generator) -> list[Part]:
    high = rng.uniform(-0.85, -0.7)
    left, right = [(-0.8, 0.0), (-0.86, high + 0.2), (-0.4, high)], [(0.6, high), (0.84, high + 0.2), (0.76, 0.0)]
    cover = smooth([*left, (0.1, high + 0.06), *right])
    bows = [[(x, high + 0.04), (x - 0.05, high / 2), (x, -0.04)] for x in (-0.45, 0.0, 0.42)]
    return [
        area("light", cover),
        line("dark", 0.045, cover, True),
        area("body", [(-0.88, -0.04), (0.86, -0.04), (0.76, 0.34), (-0.78, 0.34)]),
        line("dark", 0.035, [(-0.83, 0.14), (0.81, 0.14)]),
        *(curve("dark", 0.03, bow) for bow in bows),
        *wheel(-0.5, 0.52, 0.38, 10, 0.08, "metal"),
        *wheel(0.52, 0.58, 0.32, 8, 0.08, "metal"),
    ]


def _coach(rng: np.random.Generator) -> list[Part]:
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
        line("dark", 0.06, smooth([(-0.95, 0.1), (-0.7, 0.36), (0, 0.4), (0.7, 0.36), (1.0, 0.0)], False)),
        area("body", cabin),
        area("dark", rectangle(0.06, 0.9, 0, 0, -0.24)),
        area("light", rectangle(0.3, 0.34, 0.08, -0.25, -0.42)),
        area("light", rectangle(0.3, 0.34, 0.08, 0.25, -0.42)),
        area("dark", smooth([(0.6, -0.34), (0.95, -0.34), (0.92, -0.1), (0.56, 0.0)])),
        *wheel(-0.58, 0.5, 0.42, 10, 0.07, "metal"),
        *wheel(0.62, 0.58, 0.34, 8, 0.07, "metal"),
    ]


def _spoked(rng: np.random.Generator, x: float, y: float, radius: float, spokes: int, rim: float) -> list[Part]:
    """Draw a wheel at a turn and with a hub of its own."""
    tone, hub = str(rng.choice(["metal", "body", "dark"])), radius * rng.uniform(0.12, 0.26)
    thick, turn = rim * rng.uniform(0.4, 0.8), rng.uniform(0, 1)
    parts = [area(tone, ellipse(x, y, radius), ellipse(x, y, radius - rim))]
    parts += rays(tone, thick, (x, y), 0.0, radius - rim / 2, spokes, turn)
    parts.append(area("dark", ellipse(x, y, hub)))
    return [*parts, area("light", ellipse(x, y, hub * 0.45))] if rng.random() < 0.5 else parts


def _hoop(rng: np.random.Generator, x: float, y: float, radius: float, spokes: int, width: float) -> list[Part]:
    """Draw a wheel of strokes only."""
    tire, hub = radius - width / 2, radius * rng.uniform(0.14, 0.24)
    rim = min(tire, radius * rng.uniform(0.72, 1.1))
    parts = [line("dark", width, ellipse(x, y, size), True) for size in (tire, hub)]
    if rim < radius - width:
        parts.append(line("dark", width * 0.7, ellipse(x, y, rim), True))
    return parts + rays("dark", width * 0.7, (x, y), hub, rim, spokes, rng.uniform(0, 1))


def _fan(x: float, y: float, rx: float, ry: float, start: float, stop: float, ribs: int, sag: float) -> list[Points]:
    """Trace the leather of a hood about its pivot, then its ribs, an (N, 2) each."""
    turns = np.radians(np.linspace(start, stop, 2 * ribs - 1))
    rim = np.stack([rx * np.cos(turns), ry * np.sin(turns)], axis=1)
    rim[1::2] *= 1 - sag
    rim += (x, y)
    edge = [smooth(rim[i : i + 3], False) for i in range(0, len(rim) - 2, 2)]
    return [np.vstack([[(x, y)], *edge]), *(np.array([(x, y), tip]) for tip in rim[2:-2:2])]


def _hooded(rng: np.random.Generator) -> list[Part]:
    """Strokes only: an open buggy, its hood up or folded back."""
    w, up = rng.uniform(0.03, 0.07), rng.random() < 0.65
    rear, front, spokes = rng.uniform(0.34, 0.44), rng.uniform(0.26, 0.36), int(rng.choice([6, 8, 10, 12]))
    low, dash, back = 0.9 - 2 * rear - w, rng.uniform(0.25, 0.5), rng.uniform(-0.7, -0.56)
    deep, seat = rng.uniform(0.26, 0.4), rng.uniform(-0.1, 0.12)
    hull = [(back, low - deep), (back - 0.02, low - 0.1), (back + 0.12, low), (0.1, low), (0.5, low - 0.02)]
    hull += [(0.62, low - dash), (0.4, low - 0.12), (seat + 0.06, low - 0.12), (seat, low - deep + 0.04)]
    turn = (rng.uniform(178, 192), rng.uniform(305, 335)) if up else (rng.uniform(172, 182), rng.uniform(218, 236))
    high = low - deep + rng.uniform(0.76, 0.9) if up else rng.uniform(0.45, 0.6)
    hood = _fan(back + 0.34, low - deep - 0.04, rng.uniform(0.48, 0.6), high, *turn, int(rng.integers(4, 7)), 0.06)
    parts = [
        *(line("dark", w if i == 0 else w * 0.7, p, i == 0) for i, p in enumerate(hood)),
        line("dark", w, smooth(hull, True, int(rng.choice([1, 8]))), True),
        curve("dark", w, [(-0.5, 0.9 - rear), (0, 0.9 - rear - rng.uniform(0.02, 0.14)), (0.52, 0.9 - front)]),
        curve("dark", w, [(0.52, 0.9 - front), (0.6, low + 0.16), (0.4, low)]),
        curve("dark", w, [(0.56, low + 0.14), (0.8, low + 0.02), (0.96, low + rng.uniform(-0.1, 0.15))]),
        *_hoop(rng, -0.5, 0.9 - rear, rear, spokes, w),
        *_hoop(rng, 0.52, 0.9 - front, front, spokes, w),
    ]
    if rng.random() < 0.5:
        parts.append(curve("dark", w, [(-0.1, low), (-0.08, low + 0.18), (0.08, low + 0.18)]))
    return parts


def _graytop(rng: np.random.Generator) -> list[Part]:
    """Draw an Amish buggy from the side: a box with one large window and an open front."""
    roof, floor, nose = rng.uniform(-0.86, -0.7), rng.uniform(0.14, 0.3), rng.uniform(0.5, 0.74)
    rear, front, spokes = rng.uniform(0.34, 0.44), rng.uniform(0.3, 0.42), int(rng.choice([8, 10, 12, 14]))
    tail, brow, sill = rng.uniform(-0.76, -0.64), rng.uniform(0.26, 0.46), rng.uniform(-0.34, -0.1)
    rise, slope, cap = rng.uniform(0, 0.08), rng.uniform(-0.02, 0.1), rng.uniform(0.05, 0.11)
    box = [(tail + 0.06, roof), (-0.16, roof - rise), (brow, roof), (brow + 0.08, roof + 0.1)]
    box += [(brow + rng.uniform(-0.1, 0.06), sill), (nose, sill - 0.06)]
    box += [(nose - 0.06, floor), (tail + rng.uniform(0, 0.12), floor), (tail, roof + 0.1)]
    wide, high, left = rng.uniform(0.36, 0.6), sill - roof - rng.uniform(0.22, 0.3), tail + rng.uniform(0.14, 0.3)
    parts = [
        *ground(rng, -0.95, 0.95, 0.93),
        area("body", box),
        area("light", rectangle(wide, high, rng.uniform(0, 0.14), left + wide / 2, (roof + sill) / 2 - 0.02)),
        curve("dark", cap, [(tail, roof), (-0.16, roof - rise), (brow + rng.uniform(0.06, 0.16), roof + slope)]),
        curve("dark", rng.uniform(0.04, 0.07), [(0.5, 0.32), (0.72, 0.2), (0.97, rng.uniform(0.0, 0.3))]),
        line("dark", 0.06, [(-0.44, 0.92 - rear), (0.44, 0.92 - front)]),
    ]
    trim = [
        line("light", 0.03, [(tail + 0.02, sill + 0.06), (nose - 0.03, sill + 0.06)]),
        line("light", 0.03, [(brow - 0.12, roof + 0.1), (brow - 0.12, floor)]),
        line("dark", 0.03, [(left + wide / 2, roof + 0.12), (left + wide / 2, sill - 0.1)]),
        line("dark", 0.09, [(brow + 0.02, sill - 0.24), (brow + 0.02, sill - 0.16)]),
    ]
    parts += [part for part in trim if rng.random() < 0.55]
    for x, radius in ((-0.46, rear), (0.46, front)):
        parts += _spoked(rng, x, 0.92 - radius, radius, spokes, rng.uniform(0.045, 0.08))
    return parts


def _gig(rng: np.random.Generator) -> list[Part]:
    """Draw a cart on two wheels, its shafts long; a shell with a seat or a tub with slats."""
    radius, x, dip = rng.uniform(0.42, 0.54), rng.uniform(-0.34, -0.2), rng.uniform(-0.06, 0.3)
    y, rim, spokes = 0.93 - radius, rng.uniform(0.07, 0.13), int(rng.choice([6, 8, 10, 12]))
    beam, thick = y - rng.uniform(0.16, 0.26), rng.uniform(0.06, 0.1)
    parts = ground(rng, -0.95, 0.95, 0.93)
    parts.append(curve("dark", thick, [(x - 0.5, beam), (0.3, beam), (0.62, beam - 0.02), (0.97, beam + dip)]))
    if rng.random() < 0.5:
        parts.append(line("dark", 0.05, [(0.4, beam), (0.42, rng.uniform(0.5, 0.8))]))
    if rng.random() < 0.45:
        top, half = beam - rng.uniform(0.4, 0.65), rng.uniform(0.48, 0.62)
        parts.append(area("body", [(x - half, top), (x + half, top), (x + 0.48, beam + 0.04), (x - 0.48, beam + 0.04)]))
        parts.append(line("dark", 0.08, [(x - half - 0.04, top), (x + half + 0.04, top)]))
        for share in np.linspace(-1, 1, int(rng.integers(4, 9)))[1:-1]:
            parts.append(line("light", 0.03, [(x + half * share, top + 0.08), (x + 0.48 * share, beam)]))
    else:
        seat, high, lean = beam - 0.26, rng.uniform(-0.95, -0.75), rng.uniform(0.0, 0.14)
        shell = [(-0.44 - lean, -0.56), (-0.36, -0.56), (-0.26, -0.3), (0.24, -0.3), (0.42, -0.1)]
        shell += [(0.66, -0.32), (0.7, -0.26), (0.5, 0.06), (-0.3, 0.04), (-0.44, -0.2)]
        parts.append(area("body", smooth(np.array(shell) + (x, beam), True, 5)))
        if rng.random() < 0.6:
            arc = (rng.uniform(188, 205), rng.uniform(300, 325), int(rng.integers(4, 6)), 0.05)
            hood, *ribs = _fan(x - 0.08, seat - 0.02, rng.uniform(0.44, 0.56), seat - high, *arc)
            parts += [area("metal", hood), *(line("light", 0.03, rib) for rib in ribs)]
        else:
            rail = [(x - 0.46 - lean, seat - 0.34), (x - 0.14, seat - 0.38), (x, seat - 0.16)]
            parts += [curve("dark", 0.07, rail), area("dark", rectangle(0.5, 0.12, 0.06, x - 0.04, seat - 0.1))]
    return parts + _spoked(rng, x, y, radius, spokes, rim)


def _buckboard(rng: np.random.Generator) -> list[Part]:
    """Draw a farm wagon facing left: slatted sides, a bench on springs, a tongue, at times a load."""
    deck, rail, bench = rng.uniform(0.12, 0.28), rng.uniform(-0.3, -0.08), rng.uniform(-0.62, -0.4)
    rear, front, spokes = rng.uniform(0.32, 0.42), rng.uniform(0.26, 0.36), int(rng.choice([6, 8, 10, 12]))
    slats, end, rim = int(rng.integers(2, 4)), rng.uniform(0.8, 0.94), rng.uniform(0.06, 0.11)
    parts, load, step = ground(rng, -0.95, 0.95, 0.93), rng.random(), (deck - rail) / slats
    if load < 0.3:
        top = rng.uniform(-0.8, -0.6)
        heap = [(-0.2, rail + 0.1), (-0.1, top + 0.2), (0.2, top), (0.6, top + 0.06), (0.86, rail - 0.1)]
        parts.append(area("metal", smooth([*heap, (0.86, rail + 0.1)])))
        for x in np.arange(-0.02, 0.7, 0.16):
            parts.append(curve("light", 0.03, [(x, rail - 0.02), (x + 0.06, top + 0.3), (x + 0.14, top + 0.24)]))
    elif load < 0.5:
        for x in np.linspace(0.02, 0.66, int(rng.integers(2, 4))):
            parts.append(area("metal", rectangle(0.26, 0.6, 0.08, x, rail - 0.06)))
            parts.append(line("light", 0.03, [(x - 0.13, rail - 0.2), (x + 0.13, rail - 0.2)]))
    for y in rail + step * (np.arange(slats) + 0.4):
        parts.append(area("body", rectangle(end + 0.66, step * 0.74, 0.02, (end - 0.66) / 2, y)))
    for x in np.linspace(-0.56, end - 0.1, int(rng.integers(3, 6))):
        parts.append(line("dark", rng.uniform(0.05, 0.08), [(x, rail - 0.08), (x + rng.normal(0, 0.01), deck + 0.04)]))
    parts += [
        area("dark", rectangle(end + 0.7, 0.09, 0.02, (end - 0.7) / 2, deck + 0.04)),
        curve("dark", 0.05, [(-0.5, rail), (-0.62, (rail + bench) / 2), (-0.5, bench)]),
        curve("dark", 0.05, [(-0.26, rail), (-0.14, (rail + bench) / 2), (-0.26, bench)]),
        area("body", rectangle(0.5, 0.1, 0.03, -0.38, bench)),
        line("body", 0.09, [(-0.17, bench), (-0.1, bench - rng.uniform(0.2, 0.32))]),
        curve("dark", 0.07, [(-0.5, deck + 0.18), (-0.7, deck + 0.16), (-0.97, deck + rng.uniform(-0.1, 0.3))]),
        line("dark", 0.06, [(-0.5, 0.9 - front), (0.5, 0.9 - rear)]),
        *_spoked(rng, -0.48, 0.92 - front, front, spokes, rim),
        *_spoked(rng, 0.5, 0.92 - rear, rear, spokes, rim),
    ]
    return [*parts, line("body", 0.07, [(-0.66, rail + 0.1), (-0.8, rail - 0.16)])] if rng.random() < 0.6 else parts


def _surrey(rng: np.random.Generator) -> list[Part]:
    """Draw a surrey: a fringed canopy on thin posts over two seats."""
    roof, floor, thin = rng.uniform(-0.8, -0.66), rng.uniform(0.14, 0.28), rng.uniform(0.035, 0.06)
    left, right, drop = -rng.uniform(0.76, 0.9), rng.uniform(0.6, 0.74), rng.uniform(0.1, 0.18)
    rear, front, spokes = rng.uniform(0.34, 0.42), rng.uniform(0.28, 0.36), int(rng.choice([8, 10, 12, 14]))
    posts = np.linspace(-0.66, right - 0.16, int(rng.integers(2, 5)))
    parts = [line("dark", thin, [(x, roof), (x + rng.normal(0, 0.03), floor)]) for x in posts]
    for x in (rng.uniform(-0.56, -0.44), rng.uniform(0.04, 0.16)):
        high, lean = rng.uniform(0.3, 0.42), rng.uniform(0.04, 0.14)
        seat = [(x - 0.12 - lean, floor - 0.16 - high), (x, floor - 0.22), (x + 0.36, floor - 0.22), (x + 0.34, floor)]
        parts.append(area("body", [*seat, (x - 0.06, floor), (x - 0.2 - lean, floor - 0.14 - high)]))
    crown = area(
        "metal", ellipse((left + right) / 2, roof + 0.05, (right - left) / 2, rng.uniform(0.1, 0.24), 180, 360)
    )
    slab = line("metal", 0.13, [(left + 0.06, roof), (right - 0.06, roof)])
    parts += [
        area("body", rectangle(1.2, 0.18, rng.uniform(0, 0.09), -0.12, floor + 0.03)),
        curve("body", 0.08, [(0.42, floor + 0.06), (0.62, floor + 0.02), (0.68, floor - rng.uniform(0.3, 0.42))]),
        crown if rng.random() < 0.6 else slab,
    ]
    fringe, teeth = int(rng.integers(3)), int(rng.integers(9, 17))
    xs = np.linspace(left, right, 2 * teeth + 1)
    if fringe == 0:
        parts.append(area("dark", np.stack([xs, roof + 0.04 + drop * (np.arange(len(xs)) % 2)], axis=1)))
    elif fringe == 1:
        parts += [line("dark", 0.04, [(x, roof), (x, roof + drop)]) for x in xs[::2]]
    else:
        scallops = [ellipse(x, roof + 0.05, (right - left) / teeth / 2, drop * 0.7, 180, 0) for x in xs[1::2]]
        parts.append(area("body", np.vstack(scallops)))
    for x, y, radius in ((-0.52, 0.93 - rear, rear), (0.5, 0.93 - front, front)):
        parts += _spoked(rng, x, y, radius, spokes, rng.uniform(0.045, 0.075))
        if rng.random() < 0.7:
            parts.append(line("dark", 0.06, ellipse(x, y, radius + 0.07, None, 195, 335)))
    shaft = [(0.6, floor + 0.2), (0.8, floor + 0.14), (0.97, floor + rng.uniform(-0.2, 0.2))]
    return [*parts, curve("dark", 0.05, shaft)]


def _icon(rng: np.random.Generator) -> list[Part]:
    """Draw a fat flat sign: few shapes, wide gaps; a box, a hood or a coach with luggage."""
    kind, gap, fat = int(rng.integers(3)), rng.uniform(0.05, 0.075), rng.uniform(0.1, 0.16)
    rear, front, low = rng.uniform(0.32, 0.42), rng.uniform(0.28, 0.4), rng.uniform(0.26, 0.4)
    parts = [curve("body", fat, [(0.4, low - fat / 2), (0.7, low - fat / 2), (0.93, low - rng.uniform(0.08, 0.4))])]
    if kind == 0:
        top, slant = rng.uniform(-0.88, -0.7), rng.uniform(0.0, 0.16)
        parts.append(area("body", [(-0.66, top), (0.5, top), (0.5 - slant, low), (-0.66 + slant / 2, low)]))
        parts.append(area("body", rectangle(rng.uniform(1.3, 1.5), fat, fat / 2, -0.08, top)))
        wide = rng.uniform(0.4, 0.7)
        parts.append(area("light", rectangle(wide, rng.uniform(0.3, 0.42), rng.uniform(0, 0.2), -0.1, top + 0.38)))
    elif kind == 1:
        pivot, turn = rng.uniform(-0.2, -0.08), (rng.uniform(178, 186), rng.uniform(300, 330))
        hood, *ribs = _fan(-0.12, pivot, rng.uniform(0.66, 0.8), pivot + 0.91, *turn, int(rng.integers(3, 5)), 0.0)
        parts += [area("body", hood), *(line("light", gap, rib) for rib in ribs)]
        hull = [(-0.8, pivot + gap), (0.2, pivot + gap), (0.3, low - 0.2), (0.56, low - 0.2), (0.66, pivot - 0.1)]
        parts.append(area("body", [*hull, (0.78, pivot - 0.1), (0.64, low), (-0.6, low)]))
    else:
        top, bulge = rng.uniform(-0.54, -0.44), rng.uniform(0.04, 0.14)
        parts.append(area("body", [(-0.7, top), (0.56, top), (0.56 - bulge, low), (-0.7 + bulge, low)]))
        parts.append(area("body", rectangle(1.5, fat * 0.8, 0.02, -0.06, top)))
        for x in np.linspace(-0.45, 0.3, int(rng.integers(2, 4))):
            size = (rng.uniform(0.26, 0.34), rng.uniform(0.2, 0.32))
            parts.append(area("body", rectangle(*size, 0.05, x, top - fat * 0.4 - gap - size[1] / 2)))
        panes = np.linspace(-0.42, 0.28, int(rng.choice([3, 4])))
        parts += [area("light", rectangle(0.17, 0.3, 0.02, x, top + 0.3)) for x in panes]
    style = int(rng.integers(3))
    for x, radius in ((-0.46, rear), (0.42, front)):
        y = 0.92 - radius
        parts.append(area("light", ellipse(x, y, radius + gap)))
        parts.append(area("body", ellipse(x, y, radius), *([ellipse(x, y, radius - fat)] if style else [])))
        if style == 1:
            parts += rays("body", fat * 0.6, (x, y), 0.0, radius - fat / 2, 4, np.pi / 4)
        parts.append(area("body" if style else "light", ellipse(x, y, radius * 0.3)))
    return parts


def _quarter(rng: np.random.Generator) -> list[Part]:
    """Draw a boxy buggy in perspective, from before or from behind."""
    yaw, pitch, near = rng.uniform(0.4, 0.95), rng.uniform(0.12, 0.36), rng.uniform(0.1, 0.2)
    behind, wide, top, floor = rng.random() < 0.4, rng.uniform(0.46, 0.6), rng.uniform(1.5, 2.0), rng.uniform(0.5, 0.64)

    def seen(x: Points, y: Points | float, z: Points) -> Points:
        depth = np.cos(yaw) * y - np.sin(yaw) * x
        away = 1 + near * (np.cos(pitch) * depth - np.sin(pitch) * z)
        across, down = np.cos(yaw) * x + np.sin(yaw) * y, -np.cos(pitch) * z - np.sin(pitch) * depth
        return np.stack([across / away, down / away], axis=1)

    def side(points: Points, y: float) -> Points:
        return seen(points[:, 0], y, points[:, 1])

    def face(x: float, low: float, high: float, span: float) -> Points:
        return seen(np.full(4, x), np.array([-span, span, span, -span]), np.array([low, low, high, high]))

    def wheels(y: float) -> list[Part]:
        both = [p for x, r in ((-0.55, rear), (0.55, front)) for p in _spoked(rng, x, r, r, spokes, rim)]
        return [p._replace(contours=tuple(side(c, y) for c in p.contours)) for p in both]

    rear, front, spokes = rng.uniform(0.4, 0.5), rng.uniform(0.34, 0.46), int(rng.choice([8, 10, 12]))
    rim, profile = rng.uniform(0.06, 0.1), np.array([(-0.74, floor), (0.74, floor), (0.74, top), (-0.74, top)])
    low, high, sill = floor + 0.08, top - 0.16, rng.uniform(0.42, 0.55) * top + 0.4 * floor
    start, stop = rng.uniform(-0.6, -0.3), rng.uniform(0.1, 0.5)
    pane = np.array([(start, sill), (stop, sill), (stop, high), (start, high)])
    lid = seen(np.array([-0.82, 0.86, 0.86, -0.82]), np.array([-1, -1, 1, 1]) * (wide + 0.06), np.full(4, top))
    parts = [
        *wheels(wide + 0.1),
        area("body", side(profile, -wide)),
        area("metal", face(0.74, floor, top, wide)),
        area("light", side(pane, -wide)),
    ]
    if behind:
        sign = seen(np.full(3, 0.74), np.array([-0.3, 0.3, 0.0]) * wide, np.array([low, low, low + 0.36]))
        parts += [area("light", sign), area("light", face(0.74, sill + 0.1, high, wide * 0.45))]
    else:
        parts.append(area("light", face(0.74, sill, high, wide * 0.78)))
        for y in (-0.3, 0.3):
            shaft = [(0.6, floor), (1.0, floor - 0.08), (rng.uniform(1.5, 1.7), floor + 0.1)]
            parts.append(line("dark", 0.05, side(smooth(shaft, False), y)))
    parts += [
        line("dark", 0.04, side(profile[1:3], -wide)),
        area("dark", lid),
        line("dark", 0.06, lid, True),
        *wheels(-wide - 0.1),
    ]
    return fit(parts, rng)


CARRIAGES: tuple[Drawing, ...] = (_buggy, _wagon, _hooded, _graytop, _gig, _buckboard, _surrey, _icon, _quarter, _coach)
