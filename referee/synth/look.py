"""What a filmed table looks like: its surface, its light, the printing of the cards, the people's arms, the sensor.

`Look.sample` draws one; with `heldout` only from what training never sees.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..game.cards import Color
from .art import ArtStyle
from .light import Light
from .surfaces import HELDOUT_KINDS, KINDS

FILM_KINDS = ("wood", "planks", "parquet", "laminate", "plain", "felt", "cloth", "leather", "tablecloth", "granite")
"""Surfaces of tables on which people play cards."""
EVALUATION_ROUNDS = ((901, 2), (902, 3), (903, 4), (904, 4), (905, 6))
"""Seed and seats of the films by which following is judged, always with `heldout`. No training recipe uses seeds
from 900 to 999, so neither their light nor their people were ever seen; nor were their tables and fonts."""


_LEAST_CONTRAST = 42.0
"""Luma, 0..255, between a colour and the dark ink on it: below, people can't read the numerals from above either."""


class LookError(ValueError):
    """A look that can't be had; the message says what to choose."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One table's appearance.

    Parameters
    ----------
    surface
        One of `surfaces.KINDS`.
    style
        The printing of all decks.
    light
        Where shadows fall and how deep they are.
    exposure, contrast, saturation
        About 1.
    vignette
        Loss of light in the corners, 0..1.
    noise
        Standard deviation of the sensor's noise, 0..255.
    flicker
        Share by which lamps make the frames' brightness swing.
    soft_px
        Blur of the lens.
    clutter
        How many things lie about.
    seed
        Source of all else: textures, arms, things.
    gloss
        How strongly cards mirror the lamp where it stands over them, 0..1.
    """

    surface: str
    style: ArtStyle
    light: Light
    exposure: float
    contrast: float
    saturation: float
    vignette: float
    noise: float
    flicker: float
    soft_px: float
    clutter: int
    seed: int
    gloss: float = 0.0

    def polished(self, gloss: float) -> Look:
        """Give the same table with glossy cards and a lamp whose mirror image lies on it."""
        rng = np.random.default_rng([self.seed, 83])
        at = float(rng.uniform(-350, 350)), float(rng.uniform(-200, 200))
        light = replace(self.light, glint_mm=at, glint_size_mm=float(rng.uniform(45, 130)), glint_gain=1.0)
        return replace(self, light=light, gloss=gloss)

    @staticmethod
    def sample(
        rng: np.random.Generator, *, heldout: bool = False, surface: str | None = None, family: str | None = None
    ) -> Look:
        """Draw a table, its light and its camera.

        Parameters
        ----------
        rng
            Same state, same look.
        heldout
            Only surfaces and fonts that training never sees.
        surface
            Fixes the surface; None draws one.
        family
            Fixes the design of the faces; None draws, most often the classic one.

        Raises
        ------
        LookError
            If there is no such surface or family.
        """
        drawn = str(rng.choice(HELDOUT_KINDS if heldout else FILM_KINDS))
        if surface is not None and surface not in KINDS:
            raise LookError(f"no table of '{surface}': choose from {', '.join(KINDS)}")
        if family is None and rng.random() < 0.7:
            family = "classic"
        try:
            style = _legible_style(rng, family, heldout)
        except ValueError as error:
            raise LookError(str(error)) from error
        return Look(
            surface=surface or drawn,
            style=style,
            light=Light.sample(rng, 1280.0),
            exposure=float(rng.uniform(0.85, 1.12)),
            contrast=float(rng.uniform(0.92, 1.12)),
            saturation=float(rng.uniform(0.85, 1.1)),
            vignette=float(rng.uniform(0.05, 0.3)),
            noise=float(rng.uniform(1.5, 4.0)),
            flicker=float(rng.uniform(0, 0.012)),
            soft_px=float(rng.uniform(0.45, 0.75)),
            clutter=int(rng.integers(0, 5)),
            seed=int(rng.integers(2**31)),
        )


def _legible_style(rng: np.random.Generator, family: str | None, heldout: bool) -> ArtStyle:
    """Draw printings until dark numerals can be told from every colour; the best of twelve if none will do."""
    best, best_contrast = ArtStyle.sample(rng, family, heldout=heldout), -1.0
    for _ in range(12):
        style = ArtStyle.sample(rng, family, heldout=heldout)
        contrast = min(_luma(style.ink(color)) for color in Color) - _luma(style.dark)
        if contrast > best_contrast:
            best, best_contrast = style, contrast
        if contrast >= _LEAST_CONTRAST:
            break
    return best


def _luma(bgr: tuple[float, float, float]) -> float:
    return 0.114 * bgr[0] + 0.587 * bgr[1] + 0.299 * bgr[2]
