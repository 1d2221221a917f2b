"""What many scenes share: card pictures, surfaces, arms. Drawn once, kept for a block of seeds, then replaced.

Everything in a stock follows from the number of its block, so a scene is the same whichever process draws it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from ..game.cards import BACKS, Back, Face
from ..vision.frames import Image
from . import art
from .people import Arm
from .surfaces import HELDOUT_KINDS, KINDS, surface

Rng = np.random.Generator

SEEDS_PER_BLOCK = 128
STYLES = 6
ARMS = 6
DETAIL = 4.0
"""Scale of the card pictures in px/mm, enough for pictures of 640 px; closer ones are drawn finer."""
_TILE_PX = 768
_SURFACES = 16
# Wood and carpet are what people play on; the rest is there so that nothing is taken for granted.
_WEIGHTS = {
    "wood": 7.0,
    "planks": 2.5,
    "parquet": 1.5,
    "carpet": 3.0,
    "cloth": 2.0,
    "laminate": 2.5,
    "felt": 1.5,
    "baize": 1.8,
    "plain": 1.5,
}


@dataclass(frozen=True, slots=True, eq=False)
class CardPicture:
    """One side of a card, ready to be warped.

    Parameters
    ----------
    levels
        Premultiplied BGRA uint8, each half as large as the one before.
    size_mm
        Width and length.
    label
        As in truth files; None for a design without a name.
    kind
        `face` or `back`.
    fill
        Share of the card's rectangle that its rounded corners leave.
    """

    levels: tuple[Image, ...]
    size_mm: tuple[float, float]
    label: str | None
    kind: str
    fill: float


def card_picture(picture: Image, size_mm: tuple[float, float], label: str | None, kind: str) -> CardPicture:
    """Make the pyramid of a BGRA picture."""
    fill = float((picture[..., 3] > 127).mean())
    level = picture.copy()
    alpha = picture[..., 3:].astype(np.uint16)
    level[..., :3] = (picture[..., :3] * alpha + 127) // 255
    levels = [level]
    while min(levels[-1].shape[:2]) >= 24:
        height, width = levels[-1].shape[:2]
        levels.append(cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA))
    return CardPicture(tuple(levels), size_mm, label, kind, fill)


class Stock:
    """The pictures that the scenes of one block of seeds draw from.

    Parameters
    ----------
    block
        Number of the block; decides everything.
    heldout
        Use what training never sees: other art, other tables.
    without
        Which of `effects.EFFECTS` are left out; only `printings` and `tables` matter here.
    """

    def __init__(self, block: int, heldout: bool = False, without: tuple[str, ...] = ()) -> None:
        self._key = (block, int(heldout))
        rng = self._rng(0)
        self.styles = tuple(art.ArtStyle.sample(rng, heldout=heldout) for _ in range(STYLES))
        if "printings" in without:
            self.styles = tuple(art.ArtStyle.sample(self._rng(4, i), "classic", heldout) for i in range(STYLES))
        self.arms = tuple(Arm(self._rng(1, index)) for index in range(ARMS))
        kinds = HELDOUT_KINDS if heldout else tuple(kind for kind in KINDS if kind not in HELDOUT_KINDS)
        weights = np.array([_WEIGHTS.get(kind, 1.0) for kind in kinds])
        self._kinds = tuple(str(k) for k in rng.choice(kinds, _SURFACES, p=weights / weights.sum()))
        if "tables" in without:
            self._kinds = ("wood",) * _SURFACES
        self._cards: dict[tuple[object, ...], CardPicture] = {}
        self._surfaces: dict[tuple[int, int], tuple[Image, ...]] = {}

    def _rng(self, *purpose: int) -> Rng:
        return np.random.default_rng([*self._key, *purpose])

    def face(self, style: int, face: Face, detail: float = DETAIL) -> CardPicture:
        """Give a face of one of the stock's printings, Dutch Blitz or ordinary, at so many px/mm."""
        key = (style, face, detail)
        if key not in self._cards:
            how = self.styles[style]
            draw = art.draw_ordinary if face.figure is None else art.draw_face
            self._cards[key] = card_picture(draw(face, how, detail), self._size(how, face), str(face), "face")
        return self._cards[key]

    @staticmethod
    def _size(style: art.ArtStyle, face: Face) -> tuple[float, float]:
        return (63.5, 88.9) if face.figure is None else style.size_mm

    def back(self, style: int, back: Back, detail: float = DETAIL) -> CardPicture:
        """Give the back of a Dutch Blitz deck."""
        key = (style, back, detail)
        if key not in self._cards:
            how = self.styles[style]
            self._cards[key] = card_picture(art.draw_back(back, how, detail), how.size_mm, str(back), "back")
        return self._cards[key]

    def other_back(self, index: int, detail: float = DETAIL) -> CardPicture:
        """Give one of six backs of unknown decks."""
        key = ("other", index % 6, detail)
        if key not in self._cards:
            picture = art.draw_other_back(self._rng(3, index % 6), detail)
            size = (picture.shape[1] / detail, picture.shape[0] / detail)
            self._cards[key] = card_picture(picture, size, None, "back")
        return self._cards[key]

    def backs(self, style: int, count: int, rng: Rng, detail: float = DETAIL) -> list[CardPicture]:
        """Give the backs of `count` decks on one table, all different where that can be."""
        chosen = rng.permutation(len(BACKS))
        return [self.back(style, BACKS[chosen[i % len(BACKS)]], detail) for i in range(count)]

    def surface(self, index: int, px_per_mm: float) -> tuple[tuple[Image, ...], float]:
        """Give a surface's pyramid at the next scale up, and that scale in px/mm."""
        # Only large pictures show a surface nearer than at 8 px/mm, and then a large tile of it.
        most = 2 if px_per_mm <= 8 else 4
        level = int(np.clip(np.ceil(np.log2(max(px_per_mm, 1e-3))), -3, most))
        index %= _SURFACES
        if (index, level) not in self._surfaces:
            side = _TILE_PX * 2 ** max(0, level - 2)
            tile = surface(self._kinds[index], (side, side), 2.0**level, self._rng(2, index))
            levels = [tile]
            while len(levels) < 4:
                levels.append(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
            self._surfaces[index, level] = tuple(levels)
        return self._surfaces[index, level], 2.0**level


@lru_cache(maxsize=2)
def stock_for(seed: int, heldout: bool = False, without: tuple[str, ...] = ()) -> Stock:
    """Give the stock of a block; call with `seed // SEEDS_PER_BLOCK`."""
    return Stock(seed, heldout, without)
