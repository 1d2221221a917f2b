"""Drawings of a carriage."""

from __future__ import annotations

import numpy as np

from ..canvas import Points, ellipse, rectangle, smooth
from .parts import Drawing, Part, area, line, wheel


def _buggy(rng: np.random.Generator) -> list[Part]:
    roof = rng.uniform(-0.86, -0.74)
    rear, front = rng.uniform(0.36, 0.44), rng.uniform(0.3, 0.36)
    spokes = int(rng.choice([8, 10, 12]))
    return [
        area(
            "body",
            smooth(
                [(-0.62, roof), (0.42, roof), (0.5, roof + 0.1), (0.46, 0.2), (-0.6, 0.2), (-0.68, roof + 0.1)], True, 5
            ),
        ),
        area("light", rectangle(0.34, 0.36, 0.04, -0.3, roof + 0.38)),
        area("light", rectangle(0.3, 0.36, 0.04, 0.16, roof + 0.38)),
        area("dark", rectangle(1.2, 0.07, 0.03, -0.08, roof + 0.03)),
        area("dark", rectangle(1.25, 0.08, 0.02, -0.06, 0.22)),
        line("dark", 0.05, smooth([(0.5, 0.3), (0.75, 0.16), (1.0, 0.14)], False)),
        line("dark", 0.05, np.array([[-0.4, 0.2], [-0.42, 0.5]])),
        line("dark", 0.05, np.array([[0.42, 0.2], [0.44, 0.55]])),
        *wheel(-0.46, 0.9 - rear, rear, spokes, 0.07, "metal"),
        *wheel(0.46, 0.9 - front, front, spokes, 0.07, "metal"),
    ]


def _wagon(rng: np.random.Generator) -> list[Part]:
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
        area("light", cover),
        line("dark", 0.045, cover, True),
        area("body", np.array([[-0.88, -0.04], [0.86, -0.04], [0.76, 0.34], [-0.78, 0.34]])),
        line("dark", 0.035, np.array([[-0.83, 0.14], [0.81, 0.14]])),
    ]
    for x in (-0.45, 0.0, 0.42):
        parts.append(line("dark", 0.03, smooth([(x, high + 0.04), (x - 0.05, high / 2), (x, -0.04)], False)))
    return [*parts, *wheel(-0.5, 0.52, 0.38, 10, 0.08, "metal"), *wheel(0.52, 0.58, 0.32, 8, 0.08, "metal")]


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


def _bar(tone: str, width: float, *points: tuple[float, float]) -> Part:
    return line(tone, width, np.array(points))


def _bow(tone: str, width: float, *points: tuple[float, float]) -> Part:
    return line(tone, width, smooth(points, False))


def _spoked(rng: np.random.Generator, x: float, y: float, radius: float, spokes: int, rim: float) -> list[Part]:
    """Draw a wheel at a turn and with a hub of its own."""
    tone, hub = str(rng.choice(["metal", "body", "dark"])), radius * rng.uniform(0.12, 0.26)
    parts = [area(tone, ellipse(x, y, radius), ellipse(x, y, radius - rim))]
    thick = rim * rng.uniform(0.4, 0.8)
    for angle in rng.uniform(0, 1) + np.arange(spokes) * 2 * np.pi / spokes:
        reach = radius - rim / 2
        parts.append(_bar(tone, thick, (x, y), (x + reach * np.cos(angle), y + reach * np.sin(angle))))
    parts.append(area("dark", ellipse(x, y, hub)))
    return [*parts, area("light", ellipse(x, y, hub * 0.45))] if rng.random() < 0.5 else parts


def _hoop(rng: np.random.Generator, x: float, y: float, radius: float, spokes: int, width: float) -> list[Part]:
    """Draw a wheel of strokes only."""
    hub = radius * rng.uniform(0.14, 0.24)
    parts = [line("dark", width, ellipse(x, y, size), True) for size in (radius - width / 2, hub)]
    rim = radius * rng.uniform(0.72, 0.84) if rng.random() < 0.6 else radius - width / 2
    if rim < radius - width:
        parts.append(line("dark", width * 0.7, ellipse(x, y, rim), True))
    for angle in rng.uniform(0, 1) + np.arange(spokes) * 2 * np.pi / spokes:
        ray = np.array([np.cos(angle), np.sin(angle)])
        parts.append(line("dark", width * 0.7, np.array([ray * hub, ray * rim]) + (x, y)))
    return parts


def _ground(rng: np.random.Generator, y: float) -> list[Part]:
    """Draw tufts of grass, a line of soil, a puddle, or nothing."""
    kind, parts = rng.random(), list[Part]()
    if kind < 0.3:
        for x in (rng.uniform(-0.9, -0.75), rng.uniform(-0.1, 0.1), rng.uniform(0.75, 0.9)):
            for lean in (-0.08, 0.0, 0.07):
                high = rng.uniform(0.1, 0.2)
                parts.append(_bow("dark", 0.03, (x, y), (x + lean * 0.3, y - high * 0.6), (x + lean, y - high)))
    elif kind < 0.45:
        parts.append(_bow("dark", 0.035, (-0.95, y), (-0.3, y - 0.02), (0.3, y + 0.02), (0.95, y)))
    elif kind < 0.55:
        parts.append(area("metal", ellipse(rng.uniform(-0.3, 0.3), y, rng.uniform(0.4, 0.6), 0.05)))
    return parts


def _fan(x: float, y: float, rx: float, ry: float, start: float, stop: float, ribs: int, sag: float) -> list[Points]:
    """Trace the leather of a hood about its pivot, then its ribs, an (N, 2) each."""
    turns = np.radians(np.linspace(start, stop, ribs))
    tips = np.stack([x + rx * np.cos(turns), y + ry * np.sin(turns)], axis=1)
    middle = np.radians(np.linspace(start, stop, 2 * ribs - 1)[1::2])
    between = np.stack([x + rx * (1 - sag) * np.cos(middle), y + ry * (1 - sag) * np.sin(middle)], axis=1)
    edge = [smooth([tips[i], between[i], tips[i + 1]], False) for i in range(ribs - 1)]
    return [np.vstack([[[x, y]], *edge]), *(np.array([[x, y], tip]) for tip in tips[1:-1])]


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
        _bow("dark", w, (-0.5, 0.9 - rear), (0, 0.9 - rear - rng.uniform(0.02, 0.14)), (0.52, 0.9 - front)),
        _bow("dark", w, (0.52, 0.9 - front), (0.6, low + 0.16), (0.4, low)),
        _bow("dark", w, (0.56, low + 0.14), (0.8, low + rng.uniform(-0.1, 0.14)), (0.96, low + rng.uniform(-0.1, 0.1))),
        *_hoop(rng, -0.5, 0.9 - rear, rear, spokes, w),
        *_hoop(rng, 0.52, 0.9 - front, front, spokes, w),
    ]
    if rng.random() < 0.5:
        parts.append(_bow("dark", w, (-0.1, low), (-0.08, low + 0.18), (0.08, low + 0.18)))
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
        area("body", np.array(box)),
        area("light", rectangle(wide, high, rng.uniform(0, 0.14), left + wide / 2, (roof + sill) / 2 - 0.02)),
        _bow("dark", cap, (tail, roof), (-0.16, roof - rise), (brow + rng.uniform(0.06, 0.16), roof + slope)),
        _bow("dark", rng.uniform(0.04, 0.07), (0.5, 0.32), (0.72, 0.2), (0.97, rng.uniform(0.0, 0.3))),
        _bar("dark", 0.06, (-0.44, 0.92 - rear), (0.44, 0.92 - front)),
    ]
    if rng.random() < 0.6:
        parts.append(_bar("light", 0.03, (tail + 0.02, sill + 0.06), (nose - 0.03, sill + 0.06)))
    if rng.random() < 0.6:
        parts.append(_bar("light", 0.03, (brow - 0.12, roof + 0.1), (brow - 0.12, floor)))
    if rng.random() < 0.5:
        parts.append(_bar("dark", 0.03, (left + wide / 2, roof + 0.12), (left + wide / 2, sill - 0.1)))
    if rng.random() < 0.5:
        parts.append(_bar("dark", 0.09, (brow + 0.02, sill - 0.24), (brow + 0.02, sill - 0.16)))
    for x, radius in ((-0.46, rear), (0.46, front)):
        parts += _spoked(rng, x, 0.92 - radius, radius, spokes, rng.uniform(0.045, 0.08))
    return parts + _ground(rng, 0.93)


def _gig(rng: np.random.Generator) -> list[Part]:
    """Draw a cart on two wheels, its shafts long; a shell with a seat or a tub with slats."""
    radius, x, dip = rng.uniform(0.42, 0.54), rng.uniform(-0.34, -0.2), rng.uniform(-0.06, 0.3)
    y, rim, spokes = 0.93 - radius, rng.uniform(0.07, 0.13), int(rng.choice([6, 8, 10, 12]))
    beam, thick = y - rng.uniform(0.16, 0.26), rng.uniform(0.06, 0.1)
    parts = [_bow("dark", thick, (x - 0.5, beam), (0.3, beam), (0.62, beam - 0.02), (0.97, beam + dip))]
    if rng.random() < 0.5:
        parts.append(_bar("dark", 0.05, (0.4, beam), (0.42, rng.uniform(0.5, 0.8))))
    if rng.random() < 0.45:
        top, flare = beam - rng.uniform(0.4, 0.65), rng.uniform(0.0, 0.14)
        left, right = x - 0.46, x + 0.5
        tub = np.array([(left - flare, top), (right + flare, top), (right, beam + 0.04), (left, beam + 0.04)])
        parts += [area("body", tub), _bar("dark", 0.08, (left - flare - 0.04, top), (right + flare + 0.04, top))]
        for share in np.linspace(0, 1, int(rng.integers(4, 9)))[1:-1]:
            foot, head = left + (right - left) * share, left - flare + (right - left + 2 * flare) * share
            parts.append(_bar("light", 0.03, (head, top + 0.08), (foot, beam)))
    else:
        seat, high, lean = beam - 0.26, rng.uniform(-0.95, -0.75), rng.uniform(0.0, 0.14)
        shell = np.array([(-0.44 - lean, -0.56), (-0.36, -0.56), (-0.26, -0.3), (0.24, -0.3), (0.42, -0.1)])
        dash = np.array([(0.66, -0.32), (0.7, -0.26), (0.5, 0.06), (-0.3, 0.04), (-0.44, -0.2)])
        parts.append(area("body", smooth(np.vstack([shell, dash]) + (x, beam), True, 5)))
        if rng.random() < 0.6:
            arc = (rng.uniform(188, 205), rng.uniform(300, 325), int(rng.integers(4, 6)), 0.05)
            hood, *ribs = _fan(x - 0.08, seat - 0.02, rng.uniform(0.44, 0.56), seat - high, *arc)
            parts += [area("metal", hood), *(line("light", 0.03, rib) for rib in ribs)]
        else:
            parts.append(_bow("dark", 0.07, (x - 0.46 - lean, seat - 0.34), (x - 0.14, seat - 0.38), (x, seat - 0.16)))
            parts.append(area("dark", rectangle(0.5, 0.12, 0.06, x - 0.04, seat - 0.1)))
    return [*parts, *_spoked(rng, x, y, radius, spokes, rim), *_ground(rng, 0.93)]


def _buckboard(rng: np.random.Generator) -> list[Part]:
    """Draw a farm wagon facing left: slatted sides, a bench on springs, a tongue, at times a load."""
    deck, rail, bench = rng.uniform(0.12, 0.28), rng.uniform(-0.3, -0.08), rng.uniform(-0.62, -0.4)
    rear, front, spokes = rng.uniform(0.32, 0.42), rng.uniform(0.26, 0.36), int(rng.choice([6, 8, 10, 12]))
    slats, stakes, end = int(rng.integers(2, 4)), int(rng.integers(3, 6)), rng.uniform(0.8, 0.94)
    parts, load = list[Part](), rng.random()
    if load < 0.3:
        top = rng.uniform(-0.8, -0.6)
        heap = [(-0.2, rail + 0.1), (-0.1, top + 0.2), (0.2, top), (0.6, top + 0.06), (0.86, rail - 0.1)]
        parts.append(area("metal", smooth([*heap, (0.86, rail + 0.1)])))
        for x in np.arange(-0.02, 0.7, 0.16):
            parts.append(_bow("light", 0.03, (x, rail - 0.02), (x + 0.06, top + 0.3), (x + 0.14, top + 0.24)))
    elif load < 0.5:
        for x in np.linspace(0.02, 0.66, int(rng.integers(2, 4))):
            parts.append(area("metal", rectangle(0.26, 0.6, 0.08, x, rail - 0.06)))
            parts.append(_bar("light", 0.03, (x - 0.13, rail - 0.2), (x + 0.13, rail - 0.2)))
    step = (deck - rail) / slats
    for i in range(slats):
        parts.append(area("body", rectangle(end + 0.66, step * 0.74, 0.02, (end - 0.66) / 2, rail + step * (i + 0.4))))
    for x in np.linspace(-0.56, end - 0.1, stakes):
        parts.append(_bar("dark", rng.uniform(0.05, 0.08), (x, rail - 0.08), (x + rng.normal(0, 0.01), deck + 0.04)))
    parts += [
        area("dark", rectangle(end + 0.7, 0.09, 0.02, (end - 0.7) / 2, deck + 0.04)),
        _bow("dark", 0.05, (-0.5, rail), (-0.62, (rail + bench) / 2), (-0.5, bench)),
        _bow("dark", 0.05, (-0.26, rail), (-0.14, (rail + bench) / 2), (-0.26, bench)),
        area("body", rectangle(0.5, 0.1, 0.03, -0.38, bench)),
        _bar("body", 0.09, (-0.17, bench), (-0.1, bench - rng.uniform(0.2, 0.32))),
        _bow("dark", 0.07, (-0.5, deck + 0.18), (-0.7, deck + 0.16), (-0.97, deck + rng.uniform(-0.1, 0.3))),
        _bar("dark", 0.06, (-0.5, 0.9 - front), (0.5, 0.9 - rear)),
    ]
    if rng.random() < 0.6:
        parts.append(_bar("body", 0.07, (-0.66, rail + 0.1), (-0.8, rail - 0.16)))
    rim = rng.uniform(0.06, 0.11)
    wheels = _spoked(rng, -0.48, 0.92 - front, front, spokes, rim) + _spoked(rng, 0.5, 0.92 - rear, rear, spokes, rim)
    return [*parts, *wheels, *_ground(rng, 0.93)]


def _surrey(rng: np.random.Generator) -> list[Part]:
    """Draw a surrey: a fringed canopy on thin posts over two seats."""
    roof, floor, thin = rng.uniform(-0.8, -0.66), rng.uniform(0.14, 0.28), rng.uniform(0.035, 0.06)
    left, right, drop = -rng.uniform(0.76, 0.9), rng.uniform(0.6, 0.74), rng.uniform(0.1, 0.18)
    rear, front, spokes = rng.uniform(0.34, 0.42), rng.uniform(0.28, 0.36), int(rng.choice([8, 10, 12, 14]))
    posts = np.linspace(-0.66, right - 0.16, int(rng.integers(2, 5)))
    parts = [_bar("dark", thin, (x, roof), (x + rng.normal(0, 0.03), floor)) for x in posts]
    for x in (rng.uniform(-0.56, -0.44), rng.uniform(0.04, 0.16)):
        high, lean = rng.uniform(0.3, 0.42), rng.uniform(0.04, 0.14)
        seat = [(x - 0.12 - lean, floor - 0.16 - high), (x, floor - 0.22), (x + 0.36, floor - 0.22), (x + 0.34, floor)]
        parts.append(area("body", np.array([*seat, (x - 0.06, floor), (x - 0.2 - lean, floor - 0.14 - high)])))
    crown = ellipse((left + right) / 2, roof + 0.05, (right - left) / 2, rng.uniform(0.1, 0.24), 180, 360)
    parts += [
        area("body", rectangle(1.2, 0.18, rng.uniform(0, 0.09), -0.12, floor + 0.03)),
        _bow("body", 0.08, (0.42, floor + 0.06), (0.62, floor + 0.02), (0.68, floor - rng.uniform(0.3, 0.42))),
        area("metal", crown) if rng.random() < 0.6 else _bar("metal", 0.13, (left + 0.06, roof), (right - 0.06, roof)),
    ]
    fringe, teeth = int(rng.integers(3)), int(rng.integers(9, 17))
    xs = np.linspace(left, right, 2 * teeth + 1)
    comb = np.stack([xs, roof + 0.04 + drop * (np.arange(2 * teeth + 1) % 2)], axis=1)
    if fringe == 0:
        parts.append(area("dark", comb))
    elif fringe == 1:
        parts += [_bar("dark", 0.04, (x, roof), (x, roof + drop)) for x in xs[::2]]
    else:
        scallops = [ellipse(x, roof + 0.05, (right - left) / teeth / 2, drop * 0.7, 180, 0) for x in xs[1::2]]
        parts.append(area("body", np.vstack(scallops)))
    for x, y, radius in ((-0.52, 0.93 - rear, rear), (0.5, 0.93 - front, front)):
        parts += _spoked(rng, x, y, radius, spokes, rng.uniform(0.045, 0.075))
        if rng.random() < 0.7:
            parts.append(line("dark", 0.06, ellipse(x, y, radius + 0.07, None, 195, 335)))
    parts.append(_bow("dark", 0.05, (0.6, floor + 0.2), (0.8, floor + 0.14), (0.97, floor + rng.uniform(-0.2, 0.2))))
    return parts


def _icon(rng: np.random.Generator) -> list[Part]:
    """Draw a fat flat sign: few shapes, wide gaps; a box, a hood or a coach with luggage."""
    kind, gap, fat = int(rng.integers(3)), rng.uniform(0.05, 0.075), rng.uniform(0.1, 0.16)
    rear, front, low = rng.uniform(0.32, 0.42), rng.uniform(0.28, 0.4), rng.uniform(0.26, 0.4)
    parts = [_bow("body", fat, (0.4, low - fat / 2), (0.7, low - fat / 2), (0.93, low - rng.uniform(0.08, 0.4)))]
    if kind == 0:
        top, slant = rng.uniform(-0.88, -0.7), rng.uniform(0.0, 0.16)
        parts.append(area("body", np.array([(-0.66, top), (0.5, top), (0.5 - slant, low), (-0.66 + slant / 2, low)])))
        parts.append(area("body", rectangle(rng.uniform(1.3, 1.5), fat, fat / 2, -0.08, top)))
        wide = rng.uniform(0.4, 0.7)
        parts.append(area("light", rectangle(wide, rng.uniform(0.3, 0.42), rng.uniform(0, 0.2), -0.1, top + 0.38)))
    elif kind == 1:
        pivot, turn = rng.uniform(-0.2, -0.08), (rng.uniform(178, 186), rng.uniform(300, 330))
        hood, *ribs = _fan(-0.12, pivot, rng.uniform(0.66, 0.8), pivot + 0.91, *turn, int(rng.integers(3, 5)), 0.0)
        parts += [area("body", hood), *(line("light", gap, rib) for rib in ribs)]
        hull = [(-0.8, pivot + gap), (0.2, pivot + gap), (0.3, low - 0.2), (0.56, low - 0.2), (0.66, pivot - 0.1)]
        parts.append(area("body", np.array([*hull, (0.78, pivot - 0.1), (0.64, low), (-0.6, low)])))
    else:
        top, bulge = rng.uniform(-0.54, -0.44), rng.uniform(0.04, 0.14)
        parts.append(area("body", np.array([(-0.7, top), (0.56, top), (0.56 - bulge, low), (-0.7 + bulge, low)])))
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
            for c, s in np.array([(0.7, 0.7), (0.7, -0.7)]) * (radius - fat / 2):
                parts.append(_bar("body", fat * 0.6, (x - c, y - s), (x + c, y + s)))
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
        parts += [area("light", face(0.74, sill, high, wide * 0.78))]
        for y in (-0.3, 0.3):
            shaft = [(0.6, floor), (1.0, floor - 0.08), (rng.uniform(1.5, 1.7), floor + 0.1)]
            parts.append(line("dark", 0.05, side(smooth(shaft, False), y)))
    parts += [
        line("dark", 0.04, side(profile[1:3], -wide)),
        area("dark", lid),
        line("dark", 0.06, lid, True),
        *wheels(-wide - 0.1),
    ]
    points = np.vstack([c for part in parts for c in part.contours])
    middle, reach = (points.max(0) + points.min(0)) / 2, np.ptp(points, axis=0).max() / 2
    return [p._replace(contours=tuple((c - middle) / reach * 0.95 for c in p.contours)) for p in parts]


CARRIAGES: tuple[Drawing, ...] = (_buggy, _wagon, _hooded, _graytop, _gig, _buckboard, _surrey, _icon, _quarter, _coach)
