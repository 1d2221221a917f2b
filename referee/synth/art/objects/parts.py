"""What a drawing on a back is made of: parts in a square from -1 to 1, y down.

How a part is inked (silhouette, engraving, colours) is up to `backs`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..canvas import Points, ellipse, smooth

Knots = Sequence[Sequence[float] | Points] | Points
"""Points as they are written in a drawing."""


class Part(NamedTuple):
    """One piece of a drawing.

    `tone` is body, dark, light or metal; a part with `width` is a stroke of that width (in units of the drawing), else
    a filled contour; several contours are filled by the even-odd rule.
    """

    tone: str
    contours: tuple[Points, ...]
    width: float = 0.0
    closed: bool = False


def area(tone: str, *contours: Knots) -> Part:
    """Fill contours, each (N, 2)."""
    return Part(tone, tuple(np.asarray(c, float) for c in contours))


def line(tone: str, width: float, points: Knots, closed: bool = False) -> Part:
    """Draw a stroke along points (N, 2)."""
    return Part(tone, (np.asarray(points, float),), width, closed)


def curve(tone: str, width: float, knots: Knots) -> Part:
    """Draw a smooth stroke from the first of the knots (N, 2) to the last."""
    return line(tone, width, smooth(np.asarray(knots, float), False))


def tube(knots: Knots, first: float, last: float) -> Points:
    """Trace a smooth bar or pipe through the knots whose width goes from `first` to `last`."""
    path = smooth(np.asarray(knots, float), False)
    across = np.gradient(path, axis=0)[:, ::-1] * (-1.0, 1.0)
    across *= np.linspace(first, last, len(path))[:, None] / 2 / np.hypot(across[:, :1], across[:, 1:])
    return np.vstack([path + across, (path - across)[::-1]])


def rays(
    tone: str, width: float, middle: tuple[float, float], inner: float, outer: float, count: int, turn: float
) -> list[Part]:
    """Draw `count` strokes around the middle, from radius `inner` to `outer`."""
    turns = np.arange(count) * np.pi / count * 2 + turn
    return [line(tone, width, np.outer((inner, outer), (np.cos(a), np.sin(a))) + middle) for a in turns]


def wheel(x: float, y: float, radius: float, spokes: int, rim: float, tone: str = "body") -> list[Part]:
    """Draw a wheel with spokes and a hub."""
    parts = [area(tone, ellipse(x, y, radius), ellipse(x, y, radius - rim))]
    parts += rays(tone, rim * 0.45, (x, y), 0.0, radius - rim / 2, spokes, 0.2)
    return [*parts, area("dark", ellipse(x, y, radius * 0.18))]


def emblem(rng: np.random.Generator, x: float, y: float, size: float) -> list[Part]:
    """Draw a light heart, drop, tulip or star of height 2 `size` around (x, y), or nothing."""
    heart = [(0, -0.5), (0.5, -0.9), (0.95, -0.35), (0.5, 0.4), (0, 1)]
    drop = [(0, -1), (0.25, -0.4), (0.6, 0.2), (0.45, 0.75), (0, 0.95)]
    tulip = [(0, -1), (0.35, -0.4), (0.8, -0.9), (0.7, 0), (0.12, 0.4), (0.12, 1), (0, 1)]
    star = [(0, -1), (0.25, -0.34), (0.95, -0.31), (0.4, 0.13), (0.59, 0.81), (0, 0.42)]
    kind = int(rng.integers(5))
    if kind == 4:
        return []
    half = np.array((heart, drop, tulip, star)[kind])
    shape = np.vstack([half, half[-2:0:-1] * (-1, 1)])
    return [area("light", (smooth(shape) if kind < 2 else shape) * size + (x, y))]


def tufts(
    rng: np.random.Generator, spots: Sequence[float] | Points, y: float, width: float = 0.035, tone: str = "dark"
) -> list[Part]:
    """Draw a tuft of grass on each x of `spots`, rooted at y."""
    parts = []
    for x in spots:
        for lean in np.linspace(-1, 1, int(rng.integers(3, 6))) * rng.uniform(0.08, 0.17):
            high = rng.uniform(0.14, 0.28)
            blade = [(x + lean * 0.3, y), (x + lean * 0.5, y - high * 0.5), (x + lean, y - high)]
            parts.append(curve(tone, width, blade))
    return parts


def ground(rng: np.random.Generator, left: float, right: float, y: float) -> list[Part]:
    """Draw what an object stands on: grass, clods, a puddle, a line of soil with or without grass, or nothing."""
    kind, width, span = int(rng.integers(6)), rng.uniform(0.03, 0.06), right - left
    parts: list[Part] = []
    if kind == 0:
        spots, radii = np.linspace(left + 0.1, right - 0.1, int(rng.integers(4, 8))), rng.uniform(0.05, 0.1, 8)
        parts += [area("dark", ellipse(x, y, r, r * 0.6)) for x, r in zip(spots, radii, strict=False)]
    elif kind == 1:
        puddle = ellipse(rng.uniform(left + 0.4, right - 0.4), y, rng.uniform(0.25, 0.45), rng.uniform(0.04, 0.07))
        parts += [area(str(rng.choice(["metal", "light"])), puddle), line("dark", width * 0.5, puddle, True)]
    if kind in (2, 3):
        wave = rng.uniform(-0.03, 0.03, 5)
        parts.append(curve("dark", width, [(left + span * i / 4, y + w) for i, w in enumerate(wave)]))
    if kind in (3, 4):
        parts += tufts(rng, rng.uniform(left + 0.1, right - 0.1, int(rng.integers(2, 5))), y, width * 0.8)
    return parts


def fit(parts: Sequence[Part], rng: np.random.Generator, tremble: float = 0.0) -> list[Part]:
    """Let the hand tremble by so much, then move and scale a drawing so that it fills the square."""
    phase, pace = rng.uniform(0, 6.3, 2), rng.uniform(1.5, 4, 2)
    bent = [
        p._replace(contours=tuple(c + tremble * np.sin(c[:, ::-1] * pace + phase) for c in p.contours)) for p in parts
    ]
    low = np.min([c.min(0) - p.width / 2 for p in bent for c in p.contours], axis=0)
    high = np.max([c.max(0) + p.width / 2 for p in bent for c in p.contours], axis=0)
    middle, scale = (low + high) / 2, 1.9 / float(np.max(high - low))
    return [p._replace(contours=tuple((c - middle) * scale for c in p.contours), width=p.width * scale) for p in bent]


Drawing = Callable[[np.random.Generator], list[Part]]
