"""The slowly changing stock that crops are made from: printed cards, tables, hands and other things."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from ..game.cards import BACKS, FACES, ORDINARY_FACES, Back, Face
from . import crop_world as world
from .art import ArtStyle, draw_back, draw_ordinary, draw_other_back
from .art.faces import draw_face_and_boxes
from .crop_camera import Sprite

CARD_PX_PER_MM = 4.0
_FACE_SHARE = 0.68
_TABLES, _HANDS, _THINGS = 40, 60, 40

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Print:
    """A drawn card.

    Parameters
    ----------
    face, back
        What it shows; neither for a back of no known deck.
    boxes_mm
        (N, 4) middle, width and height of the numerals of a Dutch Blitz face, from the card's middle.
    number
        Of a back: another one for each design and colour.
    twin
        A back of the same drawing in another colour, as many decks are sold in two.
    """

    sprite: Sprite
    size_mm: tuple[float, float]
    face: Face | None = None
    back: Back | None = None
    boxes_mm: NDArray[np.float64] | None = None
    number: int | None = None
    twin: Print | None = None

    @property
    def corners_mm(self) -> NDArray[np.float64]:
        """Give the corners, (4, 2), clockwise from the top left, around the middle."""
        w, h = self.size_mm
        return np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2


def _recolor(bgra: NDArray[np.uint8], hue: int) -> NDArray[np.uint8]:
    """Turn the hue of a picture by so many of 180 steps."""
    hsv = cv2.cvtColor(bgra[..., :3], cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(np.int32) + hue) % 180
    return np.dstack([cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), bgra[..., 3]])


class CropPool:
    """Holds up to `size` cards; once it is full, one in `every` calls of `refresh` replaces a card.

    Parameters
    ----------
    rng
        Source of chance, shared with whoever uses the pool.
    heldout
        Draw what training never sees.
    """

    def __init__(self, rng: np.random.Generator, heldout: bool, size: int, every: int) -> None:
        self.rng, self.heldout, self.size, self.every = rng, heldout, size, every
        self.faces: list[Print] = []
        self.backs: list[Print] = []
        self.tables: list[NDArray[np.uint8]] = []
        self.hands: list[Sprite] = []
        self.things: list[Sprite] = []
        self._calls = self._backs_printed = 0
        self._next_faces: list[Face] = []
        self._next_backs: list[Back] = []
        for _ in range(12):
            self._print_face()
            self._print_back()
        for _ in range(4):
            self._furnish()

    def refresh(self) -> None:
        """Print a card now and then: often while the pool fills, seldom later."""
        full = len(self.faces) + len(self.backs) >= self.size
        if self._calls % (self.every if full else 3) == 0:
            if self.rng.random() < _FACE_SHARE:
                self._print_face()
            else:
                self._print_back()
        if self._calls % (self.every * 10) == 0:
            self._furnish()
        self._calls += 1

    def pick(self, stock: list[T]) -> T:
        """Take any item of a stock."""
        return stock[int(self.rng.integers(len(stock)))]

    def any_card(self) -> Print:
        """Take any card, three times out of four a face."""
        return self.pick(self.faces if self.rng.random() < 0.75 else self.backs)

    def _keep(self, stock: list[T], item: T, limit: int) -> None:
        if len(stock) < limit:
            stock.append(item)
        else:
            stock[int(self.rng.integers(limit))] = item

    def _deal(self, waiting: list[T], deck: tuple[T, ...]) -> T:
        """Take the next card of a shuffled deck, so that every label is printed equally often."""
        if not waiting:
            waiting.extend(deck[i] for i in self.rng.permutation(len(deck)))
        return waiting.pop()

    def _print_face(self) -> None:
        style = ArtStyle.sample(self.rng, heldout=self.heldout)
        limit = int(self.size * _FACE_SHARE)
        if self.rng.random() < 0.05:
            ordinary = self.pick(list(ORDINARY_FACES))
            sprite = Sprite.of(draw_ordinary(ordinary, style, CARD_PX_PER_MM), CARD_PX_PER_MM)
            self._keep(self.faces, Print(sprite, style.size_mm, ordinary), limit)
            return
        face = self._deal(self._next_faces, FACES)
        picture, boxes = draw_face_and_boxes(face, style, CARD_PX_PER_MM)
        card = Print(Sprite.of(picture, CARD_PX_PER_MM), style.size_mm, face, boxes_mm=boxes)
        self._keep(self.faces, card, limit)

    def _print_back(self) -> None:
        style = ArtStyle.sample(self.rng, heldout=self.heldout)
        number = 2 * self._backs_printed
        back = self._deal(self._next_backs, BACKS) if self.rng.random() < 0.72 else None
        if back is None:
            picture = draw_other_back(self.rng, CARD_PX_PER_MM, style)
            other = Sprite.of(_recolor(picture, int(self.rng.integers(35, 146))), CARD_PX_PER_MM)
            twin = Print(other, style.size_mm, number=number + 1) if self.rng.random() < 0.5 else None
        else:
            picture, twin = draw_back(back, style, CARD_PX_PER_MM), None
        self._backs_printed += 1
        card = Print(Sprite.of(picture, CARD_PX_PER_MM), style.size_mm, back=back, number=number, twin=twin)
        self._keep(self.backs, card, self.size - int(self.size * _FACE_SHARE))

    def _furnish(self) -> None:
        self._keep(self.tables, world.make_table(self.rng), _TABLES)
        limb = world.make_fingers(self.rng) if self.rng.random() < 0.7 else world.make_sleeve(self.rng)
        self._keep(self.hands, Sprite.of(limb, world.SPRITE_PX_PER_MM), _HANDS)
        self._keep(self.things, Sprite.of(world.make_thing(self.rng), world.SPRITE_PX_PER_MM), _THINGS)
