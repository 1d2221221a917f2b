"""Learns what backs look like, from one look: one card in a picture, or the hands that lie before their owners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from ..decks import PX_PER_MM, LearntBack
from ..layout import TableLayout
from ..vision.detector import refine_quad
from ..vision.frames import Image, Quad
from ..vision.geometry import inside, mm_from_picture, quad_size
from .counter import CardCounter
from .flat import CARD_SIZES_MM
from .naming import FACE, UNKNOWN

_SURE_BACK = 0.8
_OFF_SIZE = 0.15
"""A box that is off by more shows a part of a card, or more than one."""


class EnrollError(RuntimeError):
    """Backs that can't be learnt from this picture; the message says what to do."""


def cut_back(image: Image, quad: Quad, card_mm: tuple[float, float]) -> Image:
    """Cut a card out of a picture, upright and flat, at the scale of a deck file."""
    width, length = round(card_mm[0] * PX_PER_MM), round(card_mm[1] * PX_PER_MM)
    shrink = quad_size(quad)[0] / width
    if shrink > 1.5:
        image = cv2.GaussianBlur(image, (0, 0), 0.45 * shrink)
    goal = np.array([[0, 0], [width, 0], [width, length], [0, length]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(np.asarray(quad, np.float32) - 0.5, goal)
    return cv2.warpPerspective(image, matrix, (width, length), borderMode=cv2.BORDER_REPLICATE)


def learn_one(counter: CardCounter, images: Sequence[Image], name: str) -> LearntBack:
    """Learn a deck from a picture of one of its cards, face down.

    Raises
    ------
    EnrollError
        If no card, or more than one, or a face is seen.
    """
    image = images[-1]
    found = [item for item in counter.find(image) if item[2] >= 0.4]
    if not found:
        raise EnrollError("no card found: show one card of the deck, face down, from above")
    largest = max(quad_size(quad)[0] for quad, _, _ in found)
    whole = [item for item in found if quad_size(item[0])[0] > 0.6 * largest]
    if len(whole) > 1:
        raise EnrollError(f"{len(whole)} cards found: show one alone")
    quad = refine_quad(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), whole[0][0])
    if counter.read(image, [quad]).deck == FACE:
        raise EnrollError("this is the front of a card: turn it over")
    width, length = quad_size(quad)
    size = min(CARD_SIZES_MM, key=lambda mm: abs(mm[1] / mm[0] - length / max(width, 1e-6)))
    return LearntBack(name, cut_back(image, quad, size), size)


class Hands(NamedTuple):
    """Backs learnt from hands, and the seats whose hand isn't wholly in sight."""

    decks: list[LearntBack]
    cut_off: frozenset[int]


def learn_hands(counter: CardCounter, images: Sequence[Image], layout: TableLayout) -> Hands:
    """Learn the deck of each seat from the hand that lies face down before its owner.

    A back that is one of the eight gets that name; any other gets the layout's name of the seat's deck.
    """
    best: dict[int, tuple[float, Image, Quad]] = {}
    cut_off: set[int] = set()
    for image in images:
        at_seats = [
            (seat, quad)
            for quad, _, confidence in counter.find(image)
            if confidence >= 0.4 and (seat := seat_at(layout, quad)) is not None
        ]
        for (seat, quad), sure in zip(at_seats, counter.rate_backs(image, [quad for _, quad in at_seats]), strict=True):
            if sure < _SURE_BACK:
                continue
            if not _is_whole(image, quad, layout):
                cut_off.add(seat)
            elif seat not in best or sure > best[seat][0]:
                best[seat] = (sure, image, quad)
    decks = []
    for seat, (_, image, quad) in sorted(best.items()):
        edged = refine_quad(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), quad)
        name = counter.read(image, [edged]).deck
        if name == FACE:
            continue
        if name == UNKNOWN:
            name = layout.seats[seat - 1].deck or f"deck of seat {seat}"
        decks.append(LearntBack(name, cut_back(image, edged, layout.card_mm), layout.card_mm, seat))
    return Hands(decks, frozenset(cut_off - best.keys()))


def _is_whole(image: Image, quad: Quad, layout: TableLayout) -> bool:
    """Tell whether all of a card is in the picture and in sight."""
    height, width = image.shape[:2]
    if quad.min() < 0 or (quad > (width, height)).any():
        return False
    corners = mm_from_picture(layout, quad.astype(np.float64)).astype(np.float32)
    short, long = quad_size(corners)
    return abs(short / layout.card_mm[0] - 1) < _OFF_SIZE and abs(long / layout.card_mm[1] - 1) < _OFF_SIZE


def seat_at(layout: TableLayout, quad: Quad) -> int | None:
    """Give the seat in whose area a card lies; None on the Dutch Piles' area or beside the table."""
    x, y = mm_from_picture(layout, quad.mean(axis=0)[None].astype(np.float64))[0]
    return seat_at_mm(layout, (float(x), float(y)))


def seat_at_mm(layout: TableLayout, point_mm: tuple[float, float]) -> int | None:
    """Give the seat in whose area a point of the table lies; None on the Dutch Piles' area or beside the table."""
    point = np.array([point_mm])
    if inside(np.array(layout.dutch_mm), point)[0]:
        return None
    for number, seat in enumerate(layout.seats, 1):
        if inside(np.array(seat.area_mm), point)[0]:
            return number
    return None
