"""An arm with its hand as round bodies: capsules between two points, for the other renderer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .laid import Points, Rng

AROUND, ALONG = 17, 10
"""Points of a capsule's grid."""
PARTS = 13
"""Capsules of an arm."""


@dataclass(frozen=True, slots=True, eq=False)
class Capsule:
    """A round body from one point to another, mm; `flat` is its height as a share of its width."""

    start: Points
    end: Points
    radius_mm: float
    sleeve: bool = False
    flat: float = 1.0

    def points(self) -> Points:
        """Give the grid of its surface, (AROUND * ALONG, 3) mm."""
        axis = self.end - self.start
        ahead = axis / max(float(np.linalg.norm(axis)), 1e-9)
        aside = np.cross(ahead, (0, 0, 1) if abs(ahead[2]) < 0.9 else (1, 0, 0))
        aside /= np.linalg.norm(aside)
        above = np.cross(aside, ahead)
        u, v = np.meshgrid(np.linspace(0, 2 * np.pi, AROUND), np.linspace(0, np.pi, ALONG))
        out = (np.sin(v) * np.cos(u))[..., None] * aside + (np.sin(v) * np.sin(u))[..., None] * above * self.flat
        ends = np.where((v < np.pi / 2)[..., None], self.end, self.start)
        return (ends + self.radius_mm * (out + np.cos(v)[..., None] * ahead)).reshape(-1, 3)


@dataclass(frozen=True, slots=True, eq=False)
class Person:
    """Somebody's arms: skin and sleeve as linear RGB 0..1, where the sleeve ends, and how thick and long all is, mm."""

    skin: npt.NDArray[np.float64]
    sleeve: npt.NDArray[np.float64]
    cuff_mm: float
    arm_mm: float
    fingers_mm: npt.NDArray[np.float64]

    @staticmethod
    def sample(rng: Rng) -> Person:
        """Draw somebody."""
        return Person(
            skin=np.clip(np.array([0.75, 0.5, 0.38]) * rng.uniform(0.25, 1.1), 0, 1),
            sleeve=rng.uniform(0.03, 0.8, 3),
            cuff_mm=300.0 if rng.random() < 0.4 else 120.0,
            arm_mm=float(rng.uniform(38, 55)),
            fingers_mm=np.stack([rng.uniform(30, 42, 4), rng.uniform(24, 34, 4)], 1),
        )

    def arm(self, tip: npt.ArrayLike, low_mm: float, shoulder: npt.ArrayLike, left: bool) -> list[Capsule]:
        """Reach from a shoulder beyond the rim, (2,) mm, to a place on the table, (2,) mm, which the finger tips touch.

        Parameters
        ----------
        tip, shoulder
            x right, y away from the camera's lower edge.
        low_mm
            Height of the finger tips.
        left
            The thumb points to the right then.
        """
        touched, root = np.asarray(tip, float), np.asarray(shoulder, float)
        ahead = (touched - root) / np.linalg.norm(touched - root)
        aside = np.array([-ahead[1], ahead[0]]) * (-1 if left else 1)
        knuckles = touched - ahead * 62
        high = low_mm + 30

        def at(place: Points, height: float) -> Points:
            return np.array([*place, height])

        wrist, cuff = knuckles - ahead * 60, knuckles - ahead * self.cuff_mm
        palm = knuckles - ahead * 38
        parts = [
            Capsule(at(root, high + 150), at(cuff, high + self.cuff_mm / 5), self.arm_mm, sleeve=True),
            Capsule(at(knuckles - ahead * 290, high + 58), at(wrist, high + 4), 27),
            Capsule(at(palm - ahead * 12, high), at(palm + ahead * 12, high), 41, flat=0.42),
        ]
        for finger, (first, second) in enumerate(self.fingers_mm):
            spread = (finger - 1.5) * 0.1
            way = ahead * np.cos(spread) + aside * np.sin(spread)
            start = knuckles + aside * (finger - 1.5) * 19
            bent, end = start + way * first, start + way * (first + second)
            parts.append(Capsule(at(start, high), at(bent, high - 4), 9.5))
            parts.append(Capsule(at(bent, high - 4), at(end, low_mm + 8), 8.5))
        thumb = knuckles - ahead * 50 + aside * 36
        middle, end = thumb + (ahead * 0.8 + aside * 0.5) * 36, touched - ahead * 22 + aside * 26
        parts.append(Capsule(at(thumb, high - 4), at(middle, high - 12), 11))
        parts.append(Capsule(at(middle, high - 12), at(end, low_mm + 10), 10))
        return parts
