"""Light over a table: where shadows fall, how bright and how warm each part of the picture is, where gloss shows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from .noise_fields import fractal

Rng = np.random.Generator
Floats = npt.NDArray[np.float32]

HELDOUT_PATTERNS = ("blinds", "spotlight", "coloured lamps")
"""Light that only held-out scenes have: sun through blinds, one spotlight in a dark room, lamps of two colours."""


def tint(kelvin: float) -> Floats:
    """Give the BGR gain of a black body of this temperature relative to 5500 K, green 1: (3,) float32.

    A fit of Planck's law at 450, 550 and 610 nm, good to 3% from 2500 to 9000 K.
    """
    c2 = 1.4388e-2
    waves = np.array([450e-9, 550e-9, 610e-9])

    def planck(t: float) -> npt.NDArray[np.float64]:
        return waves**-5 / (np.exp(c2 / (waves * t)) - 1)

    gain = planck(kelvin) / planck(5500.0)
    return (gain / gain[1]).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """One light situation.

    Parameters
    ----------
    toward_deg
        Direction in which shadows fall on the table (0 = +x, 90 = +y).
    reach
        Length of a shadow for each mm of height.
    softness
        Blur of a shadow's edge for each mm of height.
    depth
        How much a shadow darkens, 0..1.
    color
        (3,) float32 BGR gain left over after the camera's white balance.
    glint_mm
        Where on the table a glossy card mirrors the lamp; None for none.
    glint_size_mm, glint_gain
        Spread and strength of that mirror image.
    pattern
        One of `HELDOUT_PATTERNS`, which training never sees; None for the usual light.
    """

    toward_deg: float
    reach: float
    softness: float
    depth: float
    color: Floats
    glint_mm: tuple[float, float] | None
    glint_size_mm: float
    glint_gain: float
    pattern: str | None = None

    @staticmethod
    def sample(rng: Rng, extent_mm: float) -> Light:
        """Draw a lamp, a window, a ceiling light or the sun for a table of this size."""
        kind = rng.choice(["window", "lamp", "ceiling", "sun", "flat"], p=[0.3, 0.25, 0.25, 0.08, 0.12])
        reach, softness, depth = {
            "window": (rng.uniform(0.5, 1.6), rng.uniform(0.25, 0.7), rng.uniform(0.25, 0.6)),
            "lamp": (rng.uniform(0.3, 1.3), rng.uniform(0.05, 0.3), rng.uniform(0.3, 0.7)),
            "ceiling": (rng.uniform(0.1, 0.6), rng.uniform(0.2, 0.6), rng.uniform(0.2, 0.5)),
            "sun": (rng.uniform(0.6, 2.0), rng.uniform(0.01, 0.04), rng.uniform(0.5, 0.8)),
            "flat": (rng.uniform(0.0, 0.2), rng.uniform(0.5, 0.9), rng.uniform(0.1, 0.3)),
        }[str(kind)]
        kelvin = (
            rng.uniform(2600, 4200) if kind in ("lamp", "ceiling") and rng.random() < 0.75 else rng.uniform(4500, 7500)
        )
        # A camera takes out most of the cast, rarely all of it.
        left = rng.uniform(0.0, 0.65)
        color = tint(float(kelvin)) ** left * rng.uniform(0.96, 1.04, 3).astype(np.float32)
        glint = None
        if rng.random() < 0.45:
            at = rng.uniform(-0.6, 0.6, 2) * extent_mm
            glint = (float(at[0]), float(at[1]))
        return Light(
            toward_deg=float(rng.uniform(0, 360)),
            reach=float(reach),
            softness=float(softness),
            depth=float(depth),
            color=color.astype(np.float32),
            glint_mm=glint,
            glint_size_mm=float(rng.uniform(0.06, 0.3) * extent_mm),
            glint_gain=float(rng.uniform(0.15, 0.9)),
        )

    def held_out(self, rng: Rng) -> Light:
        """Give, half of the time, a light of a kind that training never sees."""
        if rng.random() < 0.5:
            return self
        return replace(self, pattern=str(rng.choice(HELDOUT_PATTERNS)))

    def shadow_mm(self, height_mm: float) -> tuple[float, float]:
        """Give how far the shadow of something this high lies from it, in mm along x and y."""
        angle = np.radians(self.toward_deg)
        return float(np.cos(angle) * self.reach * height_mm), float(np.sin(angle) * self.reach * height_mm)

    def field(self, size_px: tuple[int, int], rng: Rng) -> Floats:
        """Give the gain (linear light) of every px: fall-off, lamp pools, window patches, mixed colours, shade.

        Returns
        -------
        (H, W, 3) float32 about 1.
        """
        # Light varies slowly: drawn small and enlarged.
        small = (max(16, size_px[0] // 8), max(16, size_px[1] // 8))
        y, x = np.indices(small[::-1], dtype=np.float32)
        x, y = x / small[0] - 0.5, y / small[1] - 0.5
        angle = rng.uniform(0, 2 * np.pi)
        slope = rng.uniform(0, 0.7)
        gain = 1 + slope * (np.cos(angle) * x + np.sin(angle) * y)
        if rng.random() < 0.3:
            cx, cy = rng.uniform(-0.5, 0.5, 2)
            gain *= 1 + rng.uniform(0.3, 1.5) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / rng.uniform(0.03, 0.3)) - 0.2
        gain *= 1 + fractal(small, small[0] / 2, rng, 3) * rng.uniform(0, 0.12)
        field = np.repeat(gain[..., None], 3, 2) * self.color
        if rng.random() < 0.3:
            other = tint(float(rng.uniform(2700, 8000))) ** rng.uniform(0.1, 0.6)
            mix = np.clip(0.5 + (np.cos(angle + 1) * x + np.sin(angle + 1) * y) * rng.uniform(0.5, 2), 0, 1)[..., None]
            field *= (1 - mix) + mix * other
        field = cv2.resize(field.astype(np.float32), size_px, interpolation=cv2.INTER_CUBIC)
        if self.pattern is not None:
            field *= _held_out_pattern(self.pattern, size_px, rng)
        elif rng.random() < 0.22:
            field *= self._patches(size_px, rng)[..., None]
        return np.maximum(field, 0.02)

    def _patches(self, size_px: tuple[int, int], rng: Rng) -> Floats:
        """Give sun through a window or leaves, or the hard shade of something outside the picture."""
        half = (size_px[0] // 2, size_px[1] // 2)
        mask = np.zeros(half[::-1], np.float32)
        span = max(half)
        kind = rng.integers(3)
        if kind == 0:
            origin = rng.uniform(-0.3, 0.8, 2) * half
            along = np.array([np.cos(a := rng.uniform(0, 6.28)), np.sin(a)])
            skew = a + rng.uniform(1.0, 2.1)
            aside = np.array([np.cos(skew), np.sin(skew)])
            pane = span * rng.uniform(0.15, 0.5)
            for i in range(int(rng.integers(1, 4))):
                for j in range(int(rng.integers(1, 3))):
                    corner = origin + along * i * pane * 1.12 + aside * j * pane * 1.12
                    quad = np.array(
                        [corner, corner + along * pane, corner + (along + aside) * pane, corner + aside * pane]
                    )
                    cv2.fillConvexPoly(mask, quad.astype(np.int32), 1.0)
        elif kind == 1:
            mask = (fractal(half, span / rng.uniform(3, 8), rng, 3) > rng.uniform(-0.2, 0.3)).astype(np.float32)
        else:
            points = rng.uniform(-0.2, 1.2, (int(rng.integers(3, 7)), 2)) * half
            cv2.fillConvexPoly(mask, cv2.convexHull(points.astype(np.int32)), 1.0)
        mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.8, 0.04 * span))
        bright, dark = rng.uniform(1.0, 1.8), rng.uniform(0.3, 0.85)
        return cv2.resize(dark + (bright - dark) * mask, size_px, interpolation=cv2.INTER_LINEAR)


def _held_out_pattern(pattern: str, size_px: tuple[int, int], rng: Rng) -> Floats:
    """Give the gain of a held-out light: (H, W, 3) float32."""
    width, height = size_px
    span = max(size_px)
    y, x = np.indices((height, width), dtype=np.float32) / np.float32(span)
    angle = rng.uniform(0, 2 * np.pi)
    across = np.cos(angle) * x + np.sin(angle) * y
    if pattern == "blinds":
        pitch, share = rng.uniform(0.03, 0.12), rng.uniform(0.35, 0.65)
        lit = np.clip((share / 2 - np.abs(across / pitch - np.round(across / pitch))) * rng.uniform(8, 25) + 0.5, 0, 1)
        along = np.cos(angle) * y - np.sin(angle) * x
        lit *= (np.abs(along - rng.uniform(0.0, 0.6)) < rng.uniform(0.25, 0.7)).astype(np.float32)
        gain = rng.uniform(0.35, 0.7) + cv2.GaussianBlur(lit, (0, 0), 1.2) * rng.uniform(0.8, 1.6)
        return np.repeat(gain[..., None].astype(np.float32), 3, 2)
    if pattern == "spotlight":
        cx, cy = rng.uniform(0.2, 0.8, 2) * (width / span, height / span)
        edge = (rng.uniform(0.22, 0.5) - np.hypot(x - cx, y - cy)) / rng.uniform(0.03, 0.12)
        gain = rng.uniform(0.08, 0.25) + 1.8 / (1 + np.exp(-np.clip(edge * 4, -30, 30)))
        return np.repeat(gain[..., None].astype(np.float32), 3, 2)
    # Each lamp keeps a third of every colour: what is red stays redder than what is blue.
    lamps = rng.uniform(0.35, 1.25, (2, 3)).astype(np.float32)
    mix = np.clip(0.5 + (across - across.mean()) * rng.uniform(1.0, 3.0), 0, 1)[..., None]
    return np.asarray((1 - mix) * lamps[0] + mix * lamps[1], np.float32)
