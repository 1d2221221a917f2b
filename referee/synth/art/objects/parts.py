"""What a drawing on a back is made of: parts in a square from -1 to 1, y down.

How a part is inked (silhouette, engraving, colours) is up to `backs`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..canvas import Points, ellipse


class Part(NamedTuple):
    """One piece of a drawing.

    `tone` is body, dark, light or metal; a part with `width` is a stroke of that width (in units of the drawing), else
    a filled contour; several contours are filled by the even-odd rule.
    """

    tone: str
    contours: tuple[Points, ...]
    width: float = 0.0
    closed: bool = False


def area(tone: str, *contours: Points) -> Part:
    """Fill contours, each (N, 2)."""
    return Part(tone, tuple(np.asarray(c, float) for c in contours))


def line(tone: str, width: float, points: Points, closed: bool = False) -> Part:
    """Draw a stroke along points (N, 2)."""
    return Part(tone, (np.asarray(points, float),), width, closed)


def wheel(x: float, y: float, radius: float, spokes: int, rim: float, tone: str = "body") -> list[Part]:
    """Draw a wheel with spokes and a hub."""
    parts = [area(tone, ellipse(x, y, radius), ellipse(x, y, radius - rim))]
    for angle in np.arange(spokes) * np.pi / spokes * 2 + 0.2:
        tip = np.array([np.cos(angle), np.sin(angle)]) * (radius - rim / 2)
        parts.append(line(tone, rim * 0.45, np.array([[x, y], [x + tip[0], y + tip[1]]])))
    parts.append(area("dark", ellipse(x, y, radius * 0.18)))
    return parts


Drawing = Callable[[np.random.Generator], list[Part]]
