"""Draws a count: every card in its deck's colour, doubts hatched, the numbers in a corner."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from ..vision.frames import Image
from ..vision.geometry import quad_size
from ..vision.overlay import Bgr, card_color, write
from .tally import Tally

_DOUBT: Bgr = (40, 60, 235)
_FACE: Bgr = (235, 120, 200)
_OTHERS: tuple[Bgr, ...] = ((235, 160, 60), (80, 200, 250), (120, 220, 120), (220, 120, 235), (200, 200, 90))


def _color(deck: str | None, learnt: Sequence[str]) -> Bgr:
    if deck is None:
        return _DOUBT
    color = card_color(f"back:{deck}") if "-" in deck else (150, 150, 150)
    return _OTHERS[learnt.index(deck) % len(_OTHERS)] if color == (150, 150, 150) and deck in learnt else color


def _outline(picture: Image, points: npt.NDArray[np.float32], color: Bgr, thick: int) -> None:
    corners = np.round(points).astype(np.int32)
    cv2.polylines(picture, [corners], True, (255, 255, 255), thick + 2, cv2.LINE_AA)
    cv2.polylines(picture, [corners], True, color, thick, cv2.LINE_AA)


def draw_tally(image: Image, tally: Tally) -> Image:
    """Give a copy of the picture with what was counted on it: a number on each card, by deck."""
    picture = image.copy()
    numbers: dict[str, int] = {}
    names = sorted({card.deck for card in tally.cards if card.deck is not None})
    width = float(np.median([quad_size(card.quad_px)[0] for card in tally.cards])) if tally.cards else 40.0
    thick = max(1, round(width / 40))
    for card in tally.cards:
        color = _FACE if card.face else _color(card.deck, names)
        shrunk = card.quad_px.mean(axis=0) + (card.quad_px - card.quad_px.mean(axis=0)) * 0.93
        _outline(picture, shrunk, color, thick if card.sure else 2 * thick)
    for card in tally.cards:
        if card.deck is None:
            text = "face up" if card.face else "?"
        else:
            numbers[card.deck] = numbers.get(card.deck, 0) + 1
            text = f"{numbers[card.deck]}" if card.sure else f"{numbers[card.deck]}?"
        x, y = card.quad_px.mean(axis=0)
        size = max(10.0, width / 4)
        write(picture, text, (round(x - size * 0.3 * len(text)), round(y + size / 2)), size, (255, 255, 255))
    for doubt in tally.doubts:
        veil = picture.copy()
        cv2.fillPoly(veil, [np.round(doubt.outline_px).astype(np.int32)], _DOUBT)
        cv2.addWeighted(veil, 0.35, picture, 0.65, 0, picture)
        _outline(picture, doubt.outline_px, _DOUBT, 2 * thick)
    return picture
