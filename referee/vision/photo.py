"""Reads single photographs: every card, at any scale, without a layout.

For `identify`, `calibrate` and `evaluate cards`; films have `TableEye`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from .detector import Found, YoloDetector, refine_quad
from .frames import Image, Quad, Reading
from .geometry import overlap_area, quad_size, signed_area, suppress
from .identifier import HEADS, CardReader, cut_crop
from .selftest import load_networks

_CORRECTIONS = 2
"""Times that the reader moves a box's corners; a third gains nothing (measured on drawn scenes)."""
_OVERLAP = 0.5
_REACH = 1 / 30
"""How far from a corrected quad an edge is looked for, as a share of the card's width."""
_SMALL, _WITHIN = 0.25, 0.9
_PART, _MOSTLY = 0.75, 0.75
_SLIMMEST, _WIDEST = 0.54, 0.74
"""Width of a card as a share of its length, 0.64 seen from above; of two side by side it is 0.78."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoCard:
    """One card in a photograph.

    Parameters
    ----------
    quad_px
        (4, 2) float32 px, clockwise from the card's own top left; either short edge may be the top.
    kind
        `face` or `back`.
    confidence
        0..1, that there is a card.
    reading
        What it shows.
    """

    quad_px: Quad
    kind: str
    confidence: float
    reading: Reading


def holds_cards(quad: Quad, others: Sequence[Quad]) -> bool:
    """Tell whether several much smaller cards lie within a quad: then it is a table, a mat or a tray."""
    area = abs(signed_area(quad))
    small = [other for other in others if abs(signed_area(other)) < _SMALL * area]
    return sum(overlap_area(other, quad) > _WITHIN * abs(signed_area(other)) for other in small) > 1


def is_part(quad: Quad, others: Sequence[Quad]) -> bool:
    """Tell whether a quad lies mostly within a larger one of a card's proportions: it is a part of that card then."""
    area = abs(signed_area(quad))
    for other in others:
        width, length = quad_size(other)
        card_like = _SLIMMEST < min(width, length) / max(width, length, 1e-6) < _WIDEST
        if card_like and area < _PART * abs(signed_area(other)) and overlap_area(quad, other) > _MOSTLY * area:
            return True
    return False


class PhotoReader:
    """Finds and reads the cards of photographs.

    Parameters
    ----------
    detector, reader
        The networks; None takes the shipped ones.
    """

    def __init__(self, detector: YoloDetector | None = None, reader: CardReader | None = None) -> None:
        if detector is None or reader is None:
            shipped = load_networks()
            detector, reader = detector or shipped[0], reader or shipped[1]
        self.detector, self.reader = detector, reader

    def find(self, image: Image) -> list[Found]:
        """Find the cards without reading them: (quad px, kind, confidence), best first.

        What the detector takes for a card the reader looks at too: it says where the corners are, and whether that is
        a card at all. Boxes of one card (a frame in its print, a half of it) then coincide, and one is kept.
        """
        found = self.detector.detect_photo(image)
        if not found:
            return []
        quads = [quad for quad, _, _ in found]
        for _ in range(_CORRECTIONS):
            quads, scores = self.reader.correct(image, quads)
        # The reader's doubt counts half: it has seen fewer kinds of pictures than the detector.
        sure = np.array([score for _, _, score in found]) * np.sqrt(1 - scores.kind[:, 2])
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        kept = [i for i in suppress(np.array(quads), sure, _OVERLAP) if sure[i] >= self.detector.photo_confidence]
        kept = [i for i in kept if not holds_cards(quads[i], [quads[j] for j in kept if j != i])]
        reach = [_REACH * quad_size(quad)[0] for quad in quads]
        sides = np.array(HEADS["kind"])[scores.kind[:, :2].argmax(axis=1)]
        return [(refine_quad(gray, quads[i], reach[i]), str(sides[i]), float(sure[i])) for i in kept]

    def read(self, image: Image) -> list[PhotoCard]:
        """Find and read the cards, best first; parts of the print of a card that was read are left out."""
        found = self.find(image)
        readings = self.reader.read([cut_crop(image, quad) for quad, _, _ in found])
        cards = [PhotoCard(*place, reading) for place, reading in zip(found, readings, strict=True)]
        known = [card.quad_px for card in cards if card.reading.label is not None]
        return [card for card in cards if not is_part(card.quad_px, known)]
