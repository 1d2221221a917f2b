"""What one printing looks like: family of design, inks, numerals, wear. A style draws a whole deck consistently.

Everything that isn't a field follows from `seed` through `ArtStyle.rng`, so a style is a small value that can be
compared, hashed and stored.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field, replace

import numpy as np

from ...game.cards import Color, Suit
from .canvas import Bgr
from .numerals import DRAWN, HELD_OUT_FONTS, THIN_OLD_STYLE_FONTS, NumeralStyle, fonts

_CALM = ("classic", "corner", "centre", "whiteborder", "frame", "rosette", "flat", "pips")
_BOLD = ("ends", "quarters", "discs", "nested", "scenery")
_NUMBER = ("medal", "poster", "scatter")
_PARTED = ("flags", "cuts")
_SPARSE = ("outlined",)
FAMILIES = _CALM + _BOLD + _NUMBER + _PARTED + _SPARSE
HELD_OUT = ("band", "oval")
"""Families of faces that training never sees; `HELD_OUT_FONTS` and each object's last drawing are held out too."""

_CALM_SHARES = (0.5, 0.07, 0.07, 0.09, 0.07, 0.1, 0.05, 0.05)
_UNLIKE_SHARE = 0.45
"""Of the printings that training sees: those unlike any that is sold; measured need, see docs/synth.md."""
_UNLIKE = _BOLD + _NUMBER + 2 * _PARTED + 2 * _SPARSE
"""Each is as likely as the others, those twice as often that were drawn last."""
_HEAVY_FAMILIES = ("flat", "centre", "oval", "band", *_BOLD, *_NUMBER, *_PARTED, *_SPARSE)

# sRGB anchors of printings: the first of each is measured on photographs, the others reach beyond it.
_ANCHORS = {
    Color.RED: ((212, 66, 28), (212, 66, 28), (200, 30, 45), (232, 92, 34), (170, 28, 38), (224, 56, 62)),
    Color.BLUE: ((48, 150, 212), (48, 150, 212), (28, 84, 170), (24, 58, 130), (90, 170, 225), (20, 120, 170)),
    Color.YELLOW: ((239, 209, 16), (239, 209, 16), (250, 228, 90), (246, 190, 30), (228, 200, 60), (255, 236, 40)),
    Color.GREEN: ((42, 120, 70), (42, 120, 70), (20, 140, 66), (96, 165, 64), (18, 84, 52), (60, 150, 110)),
}


@dataclass(frozen=True, slots=True)
class Surface:
    """What printing and use did to a card.

    Parameters
    ----------
    edge_mm
        Width of the bare paper edge.
    corner_mm
        Radius of the corners.
    shift_mm
        Displacement of the dark ink against the colour, (x, y).
    fade, wear, dirt, grain
        0 .. 1.
    sleeve
        In a clear plastic sleeve.
    tint
        Colour laid over all inks by ageing, and its share.
    """

    edge_mm: float = 0.25
    corner_mm: float = 3.2
    shift_mm: tuple[float, float] = (0.0, 0.0)
    fade: float = 0.0
    wear: float = 0.1
    dirt: float = 0.1
    grain: float = 0.3
    sleeve: bool = False
    tint: tuple[Bgr, float] = ((200.0, 220.0, 230.0), 0.0)


@dataclass(frozen=True)
class ArtStyle:
    """One printing of a deck, faces and backs.

    Parameters
    ----------
    family
        One of `FAMILIES` or `HELD_OUT`.
    seed
        Source of every choice that has no field.
    heldout
        Uses only what training never sees where there is such a thing.
    size_mm
        Width and length of a card.
    inks
        Colour of each `Color`.
    dark, paper
        The dark ink and the bare card.
    numerals
        The numerals' look.
    surface
        Printing faults and wear.
    """

    family: str
    seed: int
    heldout: bool = False
    size_mm: tuple[float, float] = (57.0, 89.0)
    inks: tuple[tuple[Color, Bgr], ...] = ()
    dark: Bgr = (28.0, 24.0, 24.0)
    paper: Bgr = (244.0, 248.0, 249.0)
    numerals: NumeralStyle = field(default_factory=lambda: NumeralStyle(DRAWN))
    surface: Surface = field(default_factory=Surface)

    @staticmethod
    def sample(rng: np.random.Generator, family: str | None = None, heldout: bool = False) -> ArtStyle:
        """Draw a random style.

        Parameters
        ----------
        rng
            Source of chance: the same state gives the same style.
        family
            Fixes the family of faces; None draws one.
        heldout
            Draw from what training never sees: its families half of the time, its fonts always.

        Raises
        ------
        ValueError
            If there is no such family.
        """
        if family is None:
            if heldout and rng.random() < 0.5:
                family = str(rng.choice(HELD_OUT))
            elif not heldout and rng.random() < _UNLIKE_SHARE:
                family = str(rng.choice(_UNLIKE))
            else:
                family = str(rng.choice(_CALM, p=_CALM_SHARES))
        elif family not in FAMILIES + HELD_OUT:
            raise ValueError(f"no family '{family}' of faces: choose from {', '.join(FAMILIES + HELD_OUT)}")
        inks = tuple((color, _ink(rng, _ANCHORS[color])) for color in Color)
        warmth = rng.uniform(-6, 8)
        paper_level = rng.uniform(232, 253)
        return ArtStyle(
            family=family,
            seed=int(rng.integers(2**31)),
            heldout=heldout,
            inks=inks,
            dark=_dark(rng),
            paper=(paper_level - max(0.0, warmth) * 2, paper_level, min(255.0, paper_level + 1)),
            numerals=_numerals(rng, family, heldout),
            surface=_surface(rng),
        )

    def ink(self, color: Color) -> Bgr:
        """Give the printed colour, BGR."""
        return dict(self.inks)[color]

    def suit_ink(self, suit: Suit) -> Bgr:
        """Give the colour of an ordinary suit, BGR."""
        if suit in (Suit.HEARTS, Suit.DIAMONDS):
            rng = self.rng("suits")
            return (rng.uniform(20, 60), rng.uniform(15, 50), rng.uniform(185, 230))
        return self.dark

    def rng(self, purpose: str) -> np.random.Generator:
        """Give the generator of one purpose, the same at every call."""
        return np.random.default_rng([self.seed, zlib.crc32(purpose.encode())])

    def clean(self) -> ArtStyle:
        """Give the same printing fresh from the press."""
        return replace(
            self, surface=Surface(edge_mm=self.surface.edge_mm, corner_mm=self.surface.corner_mm, wear=0.0, dirt=0.0)
        )


def _ink(rng: np.random.Generator, anchors: tuple[tuple[int, int, int], ...]) -> Bgr:
    first, second = (np.array(anchors[i], float) for i in rng.integers(len(anchors), size=2))
    rgb = first + (second - first) * rng.uniform(0, 0.5) + rng.normal(0, 5, 3)
    rgb = np.clip(rgb * rng.uniform(0.93, 1.06), 4, 252)
    return (float(rgb[2]), float(rgb[1]), float(rgb[0]))


def _dark(rng: np.random.Generator) -> Bgr:
    level = rng.uniform(8, 48)
    b, g, r = np.clip(level + rng.normal(0, 5, 3), 2, 70)
    return (float(b), float(g), float(r))


def _numerals(rng: np.random.Generator, family: str, heldout: bool) -> NumeralStyle:
    thin = [name for name in THIN_OLD_STYLE_FONTS if name not in HELD_OUT_FONTS]
    every = [name for name in fonts() if name not in HELD_OUT_FONTS]
    chance = rng.random()
    if heldout:
        font = str(rng.choice(HELD_OUT_FONTS))
    elif family in _HEAVY_FAMILIES:
        font = str(rng.choice(every)) if chance < 0.85 else DRAWN
    else:
        font = DRAWN if chance < 0.3 else str(rng.choice(thin if chance < 0.6 else every))
    weight = float(rng.choice([0.0, rng.uniform(0.1, 0.3), rng.uniform(0.3, 0.65)], p=[0.6, 0.25, 0.15]))
    return NumeralStyle(
        font=font,
        height_mm=float(rng.uniform(9.5, 13.0)),
        weight_mm=max(weight, 0.3) if family in _HEAVY_FAMILIES else weight,
        slant=float(rng.choice([0.0, 0.0, rng.uniform(-0.08, 0.22)])),
        width=float(rng.uniform(0.82, 1.12)),
        on_baseline=bool(rng.random() < 0.35),
        design=int(rng.integers(2**31)),
    )


def _surface(rng: np.random.Generator) -> Surface:
    used = rng.beta(1.2, 3.0)
    shift = rng.normal(0, 0.18 if rng.random() < 0.3 else 0.05, 2)
    yellowed = rng.random() < 0.25
    return Surface(
        edge_mm=float(rng.choice([0.0, rng.uniform(0.15, 0.45), rng.uniform(0.4, 0.9)], p=[0.2, 0.6, 0.2])),
        corner_mm=float(rng.uniform(2.4, 4.6)),
        shift_mm=(float(shift[0]), float(shift[1])),
        fade=float(rng.beta(1, 6)),
        wear=float(used),
        dirt=float(used * rng.uniform(0, 1)),
        grain=float(rng.uniform(0.1, 0.8)),
        sleeve=bool(rng.random() < 0.12),
        tint=((165.0, 205.0, 225.0), float(rng.uniform(0.03, 0.16)) if yellowed else 0.0),
    )
