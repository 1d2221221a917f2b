"""What vision passes on: frames, quads, detections, reaches. Plain values, numpy only.

Images are BGR uint8 (H, W, 3) everywhere in this project.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Image: TypeAlias = npt.NDArray[np.uint8]
Quad: TypeAlias = npt.NDArray[np.float32]
"""(4, 2) float32, clockwise as seen, from the card's own top left; either short edge may be the top."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a film or camera.

    Parameters
    ----------
    image
        BGR uint8 (H, W, 3).
    time_s
        Seconds on the source's own clock; the only time that the referee knows.
    index
        Number of the frame since the source was opened.
    """

    image: Image
    time_s: float
    index: int = 0


class Reading(NamedTuple):
    """What a card shows: `label` (`R7`, `back:green-pump`) or None when it can't be read; confidence 0..1."""

    label: str | None
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """One card seen in one frame.

    Parameters
    ----------
    quad_mm
        (4, 2) float32 on the table plane, mm, clockwise from the card's own top left.
    kind
        `face` or `back`.
    confidence
        0..1, that there is a card.
    reading
        What it shows.
    scale
        Its size divided by the size of a card that lies on the table: over 1.08 it is held above it.
    """

    quad_mm: Quad
    kind: str
    confidence: float
    reading: Reading
    scale: float = 1.0

    @property
    def center_mm(self) -> tuple[float, float]:
        """Give the middle of the quad in mm."""
        x, y = self.quad_mm.mean(axis=0)
        return float(x), float(y)


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """An arm (or anything else that moves) over the table in one frame.

    Parameters
    ----------
    outline_mm
        (N, 2) float32 polygon on the table plane, mm: what it covers.
    entry_mm
        Where it crosses the edge of the playing area; None when it touches no edge.
    tip_mm
        The point of it farthest from the entry.
    seat
        The seat that it comes from, by the nearest seat area; None when unclear.
    """

    outline_mm: npt.NDArray[np.float32]
    entry_mm: tuple[float, float] | None
    tip_mm: tuple[float, float]
    seat: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """All that was seen in one frame: what tracking lives on.

    Parameters
    ----------
    time_s
        The frame's time.
    cards
        Every card found, read or not.
    reaches
        Every arm or other moving thing.
    sharp
        False when the whole frame is blurred, black or frozen: nothing may be concluded from what is missing.
    """

    time_s: float
    cards: tuple[Detection, ...]
    reaches: tuple[Reach, ...] = ()
    sharp: bool = True
