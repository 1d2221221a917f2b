"""Draws what was seen, for people: quads and labels of cards, arms by seat, names of piles, rulings.

It knows no game: texts come ready. It never changes the picture that it is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from ..game.cards import Back, Color, Face, Suit
from ..layout import TableLayout
from .frames import Image, Observation, Quad, Reading
from .geometry import picture_from_mm, quad_size

Bgr = tuple[int, int, int]

_INK: Bgr = (30, 26, 24)
_PAPER: Bgr = (245, 245, 245)
_CARD_COLORS: dict[Color | Suit, Bgr] = {
    Color.RED: (52, 52, 214),
    Color.BLUE: (206, 132, 36),
    Color.YELLOW: (24, 196, 240),
    Color.GREEN: (84, 150, 44),
    Suit.HEARTS: (52, 52, 214),
    Suit.DIAMONDS: (52, 52, 214),
    Suit.CLUBS: (60, 60, 60),
    Suit.SPADES: (60, 60, 60),
}
_UNREAD: Bgr = (150, 150, 150)
_SEAT_COLORS: tuple[Bgr, ...] = (
    (246, 160, 92),
    (116, 128, 250),
    (120, 214, 140),
    (90, 214, 250),
    (236, 134, 216),
    (214, 214, 100),
    (150, 176, 246),
    (190, 190, 190),
)
TONES: dict[str, Bgr] = {"plain": (80, 72, 66), "good": (74, 140, 40), "doubt": (30, 150, 226), "bad": (48, 48, 210)}
"""Background of a mark or line: nothing special, resolved, doubtful, illegal."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A short text at a place of the table, for example a pile's name; `tone` is a key of `TONES`."""

    text: str
    at_mm: tuple[float, float]
    tone: str = "plain"


def card_color(label: str | None) -> Bgr:
    """Give the colour in which a label is drawn, BGR; grey for None."""
    if label is None:
        return _UNREAD
    try:
        return _CARD_COLORS[Back.parse(label).color if label.startswith("back:") else Face.parse(label).color]
    except ValueError:
        return _UNREAD


def short_label(reading: Reading, kind: str) -> str:
    """Give the few letters that fit on a small card."""
    if reading.label is None:
        return "back ?" if kind == "back" else "?"
    return reading.label.removeprefix("back:")


def _text_size(text: str, size_px: float) -> tuple[int, int]:
    if hasattr(cv2, "FontFace"):
        left, top, width, height = cv2.getTextSize((0, 0), text, (0, 0), cv2.FontFace("sans"), round(size_px), 600)
        return int(width + max(0, left)), round(size_px)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, size_px / 30, 1)
    return int(width), int(height)


def write(image: Image, text: str, at_px: tuple[int, int], size_px: float, color: Bgr = _PAPER) -> None:
    """Write one line of text into a picture; `at_px` is the left end of its baseline."""
    if hasattr(cv2, "FontFace"):
        cv2.putText(image, text, at_px, color, cv2.FontFace("sans"), round(size_px), 600)
    else:
        cv2.putText(image, text, at_px, cv2.FONT_HERSHEY_DUPLEX, size_px / 30, color, 1, cv2.LINE_AA)


def _shade(image: Image, low: tuple[int, int], high: tuple[int, int], color: Bgr, share: float) -> None:
    """Mix a colour into a rectangle."""
    left, top = max(0, low[0]), max(0, low[1])
    part = image[top : max(top, high[1]), left : max(left, high[0])]
    if part.size:
        part[:] = cv2.addWeighted(part, 1 - share, np.full_like(part, color), share, 0)


def _chip(image: Image, text: str, center_px: npt.NDArray[Any], size_px: float, color: Bgr) -> None:
    """Write a text on a filled patch around a point, inside the picture."""
    width, height = _text_size(text, size_px)
    pad = max(3, round(size_px * 0.32))
    x = int(np.clip(round(float(center_px[0])) - width // 2, pad, max(pad, image.shape[1] - width - pad)))
    y = int(np.clip(round(float(center_px[1])) + height // 2, height + pad, max(height + pad, image.shape[0] - pad)))
    _shade(image, (x - pad, y - height - pad + 2), (x + width + pad, y + pad), color, 0.86)
    bright = 0.114 * color[0] + 0.587 * color[1] + 0.299 * color[2] > 165
    write(image, text, (x, y - max(1, round(size_px * 0.1))), size_px, _INK if bright else _PAPER)


def _beside_label(at_px: npt.NDArray[np.float32], quads: Sequence[Quad]) -> npt.NDArray[np.float32]:
    """Give the place for a mark: the middle of the lowest edge of the card that lies there, whose label stays free."""
    point = float(at_px[0]), float(at_px[1])
    quad = next((quad for quad in quads if cv2.pointPolygonTest(quad, point, False) >= 0), None)
    if quad is None:
        return at_px
    edges = (quad + np.roll(quad, -1, axis=0)) / 2
    return np.asarray(edges[edges[:, 1].argmax()], np.float32)


def draw_card(image: Image, quad_px: Quad, kind: str, reading: Reading, faint: bool = False) -> None:
    """Draw one card's outline and label into a picture.

    Parameters
    ----------
    faint
        Draw a thinner line and no label: for cards that nobody asks about.
    """
    color = card_color(reading.label)
    points = np.round(quad_px * 8).astype(np.int32)
    short = quad_size(quad_px)[0]
    thickness = max(1, round(short / 26))
    cv2.polylines(image, [points], True, _INK, thickness + 2, cv2.LINE_AA, shift=3)
    cv2.polylines(image, [points], True, color, thickness, cv2.LINE_AA, shift=3)
    if not faint:
        text = short_label(reading, kind)
        size = float(np.clip(short * (0.34 if len(text) <= 4 else 0.2), 9, 44))
        _chip(image, text, quad_px.mean(axis=0), size, color)


def draw_cards(image: Image, cards: Sequence[tuple[Quad, str, Reading]]) -> Image:
    """Give a copy of a photograph with every card drawn on it: (quad px, kind, reading)."""
    picture = image.copy()
    for quad, kind, reading in cards:
        draw_card(picture, quad, kind, reading)
    return picture


class Overlay:
    """Draws observations on frames, at a size of its own.

    Parameters
    ----------
    layout
        Where the table lies in the picture.
    size_px
        Width and height of the pictures that it gives; None keeps the frame's.
    """

    def __init__(self, layout: TableLayout, size_px: tuple[int, int] | None = None) -> None:
        self._layout = layout
        self._size_px = size_px

    def draw(
        self,
        image: Image,
        observation: Observation | None,
        marks: Sequence[Mark] = (),
        lines: Sequence[tuple[str, str]] = (),
        banner: str = "",
    ) -> Image:
        """Give a picture with everything drawn on it.

        Parameters
        ----------
        image
            The frame.
        marks
            Texts on the table, such as names of piles.
        lines
            (text, tone) shown in the lower left corner, the newest last.
        banner
            A large line at the top, such as a seat's Blitz; empty for none.
        """
        size = self._size_px or (image.shape[1], image.shape[0])
        method = cv2.INTER_AREA if size[0] < image.shape[1] else cv2.INTER_LINEAR
        picture = cv2.resize(image, size, interpolation=method) if size != image.shape[1::-1] else image.copy()
        lying: list[Quad] = []
        if observation is not None:
            self._arms(picture, observation)
            for card in observation.cards:
                held = card.scale > 1.08
                quad = self._px(picture, card.quad_mm)
                draw_card(picture, quad, card.kind, card.reading, faint=held)
                if not held:
                    lying.append(quad)
        text_px = max(11.0, picture.shape[0] / 46)
        for mark in marks:
            at_px = _beside_label(self._px(picture, np.array([mark.at_mm]))[0], lying)
            _chip(picture, mark.text, at_px, text_px * 0.72, TONES[mark.tone])
        self._panel(picture, lines, text_px)
        if observation is not None:
            stamp = f"{observation.time_s:6.2f} s" + ("" if observation.sharp else "  not sharp")
            corner = np.array([picture.shape[1] - 4.5 * text_px, 1.2 * text_px])
            _chip(picture, stamp.strip(), corner, text_px * 0.8, TONES["plain"])
        if banner:
            _chip(picture, banner, np.array([picture.shape[1] / 2, 2.4 * text_px]), text_px * 1.9, TONES["good"])
        return picture

    def _px(self, picture: Image, points_mm: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
        """Map table mm to px of the picture that is drawn."""
        width, height = self._layout.image_size_px
        ratio = np.array([picture.shape[1] / width, picture.shape[0] / height])
        return (picture_from_mm(self._layout, points_mm) * ratio).astype(np.float32)

    def _arms(self, picture: Image, observation: Observation) -> None:
        if not observation.reaches:
            return
        veil = picture.copy()
        for reach in observation.reaches:
            color = _UNREAD if reach.seat is None else _SEAT_COLORS[(reach.seat - 1) % len(_SEAT_COLORS)]
            outline = np.round(self._px(picture, reach.outline_mm)).astype(np.int32)
            cv2.fillPoly(veil, [outline], color)
            cv2.polylines(picture, [outline], True, color, 2, cv2.LINE_AA)
            tip = np.round(self._px(picture, np.array([reach.tip_mm]))[0]).astype(int)
            cv2.circle(picture, (int(tip[0]), int(tip[1])), 6, color, -1, cv2.LINE_AA)
        picture[:] = cv2.addWeighted(veil, 0.28, picture, 0.72, 0)

    def _panel(self, picture: Image, lines: Sequence[tuple[str, str]], text_px: float) -> None:
        step = round(text_px * 1.7)
        y = picture.shape[0] - step * len(lines) - round(text_px * 0.6)
        for text, tone in lines:
            width, _ = _text_size(text, text_px)
            left = round(text_px * 0.8)
            bar = left + max(4, round(text_px * 0.25))
            right = bar + width + round(text_px * 1.2)
            _shade(picture, (left, y), (right, y + step - 3), (24, 22, 20), 0.78)
            _shade(picture, (left, y), (bar, y + step - 3), TONES[tone], 1.0)
            write(picture, text, (bar + round(text_px * 0.5), y + round(step * 0.68)), text_px)
            y += step
