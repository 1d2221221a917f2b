"""Learns what backs look like, from one look: one card in a picture, or the hands that lie before their owners."""

from __future__ import annotations

from collections.abc import Sequence

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


def learn_hands(counter: CardCounter, images: Sequence[Image], layout: TableLayout) -> list[LearntBack]:
    """Learn the deck of each seat from the hand that lies face down before its owner.

    A back that is one of the eight gets that name; any other gets the layout's name of the seat's deck.

    Raises
    ------
    EnrollError
        If no seat has a back before it.
    """
    best: dict[int, tuple[float, Image, Quad]] = {}
    for image in images:
        for quad, kind, confidence in counter.find(image):
            seat = seat_at(layout, quad)
            if seat is None or kind != "back" or confidence < 0.4:
                continue
            if seat not in best or confidence > best[seat][0]:
                best[seat] = (confidence, image, quad)
    decks = []
    for seat, (_, image, quad) in sorted(best.items()):
        edged = refine_quad(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), quad)
        name = counter.read(image, [edged]).deck
        if name == FACE:
            continue
        if name == UNKNOWN:
            name = layout.seats[seat - 1].deck or f"deck of seat {seat}"
        decks.append(LearntBack(name, cut_back(image, edged, layout.card_mm), layout.card_mm, seat))
    if not decks:
        raise EnrollError("no back lies before a seat: lay each hand face down before its owner, before the deal")
    return decks


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
