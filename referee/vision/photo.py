"""Reads single photographs: every card, at any scale, without a layout.

For `identify`, `calibrate` and `evaluate cards`; films have `TableEye`.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2

from .detector import YoloDetector, refine_quad
from .frames import Image, Quad, Reading
from .identifier import CardReader, cut_crop
from .selftest import load_networks


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
        self._detector, self._reader = detector, reader

    def find(self, image: Image) -> list[tuple[Quad, str, float]]:
        """Find the cards without reading them: (quad px, kind, confidence), best first, edges refined."""
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        return [(refine_quad(gray, quad), kind, score) for quad, kind, score in self._detector.detect_photo(image)]

    def read(self, image: Image) -> list[PhotoCard]:
        """Find and read the cards, best first."""
        found = self.find(image)
        readings = self._reader.read([cut_crop(image, quad) for quad, _, _ in found])
        return [
            PhotoCard(quad, kind, score, reading) for (quad, kind, score), reading in zip(found, readings, strict=True)
        ]
