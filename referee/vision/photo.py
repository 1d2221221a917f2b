"""Reads single photographs: every card, at any scale, without a layout.

For `identify`, `calibrate` and `evaluate cards`; films have `TableEye`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from .complete import PART_CONFIDENCE, card_sized, is_covered, is_part, is_whole, lead_to_cards
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
_TRIED = 120
_COMPLETED = 0.6
"""Confidence in a card of which the detector found a part only; the reader's doubt is taken off it."""
_CARD_SHAPES = (0.55, 0.8)
"""Width by length of cards of all kinds, seen at a slant too."""
_ALIKE, _MOST = 0.2, 0.6
_SMALL, _WITHIN = 0.25, 0.9


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


def usual_size(found: Sequence[Found]) -> tuple[float, float] | None:
    """Give the size (width, length in px) that most boxes of a card's shape have; None where there is none."""
    sizes = np.array([quad_size(quad) for quad, _, _ in found]).reshape(-1, 2)
    shapes = sizes[:, 0] / np.maximum(sizes[:, 1], 1e-6)
    sizes = sizes[(shapes > _CARD_SHAPES[0]) & (shapes < _CARD_SHAPES[1])]
    if len(sizes) < 3:
        return None
    middle = np.median(sizes, axis=0)
    alike = (np.abs(sizes / middle - 1) < _ALIKE).all(axis=1)
    return (float(middle[0]), float(middle[1])) if alike.sum() >= 3 and alike.mean() > _MOST else None


def holds_cards(quad: Quad, others: Sequence[Quad]) -> bool:
    """Tell whether several much smaller cards lie within a quad: then it is a table, a mat or a tray."""
    area = abs(signed_area(quad))
    small = [other for other in others if abs(signed_area(other)) < _SMALL * area]
    return sum(overlap_area(other, quad) > _WITHIN * abs(signed_area(other)) for other in small) > 1


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
        found = self.detector.detect_photo(image, confidence=min(PART_CONFIDENCE, self.detector.photo_confidence))
        clear = [item for item in found if item[2] >= self.detector.photo_confidence]
        found = self._complete(image, clear, found)
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

    def _complete(self, image: Image, clear: list[Found], found: list[Found]) -> list[Found]:
        """Put whole cards in the place of boxes of their parts, and of two cards, where the cards' size is known.

        Parameters
        ----------
        clear
            The boxes that are sure enough to be cards.
        found
            All boxes, those that aren't too.
        """
        size = usual_size(clear)
        if size is None:
            return clear
        whole = [quad for quad, _, _ in clear if is_whole(quad, size)]
        parts = [
            item for item in found if is_part(item[0], size) and not any(is_covered(item[0], quad) for quad in whole)
        ]
        tried = [(part, quad) for part in parts for quad in card_sized(part[0], size)][:_TRIED]
        cards = lead_to_cards(self.reader, image, [quad for _, quad in tried])
        completed: list[Found] = []
        replaced: list[Quad] = []
        for (part, _), card in zip(tried, cards, strict=True):
            if card is not None and is_whole(card[0], size):
                completed.append((card[0], part[1], _COMPLETED))
                replaced.append(part[0])
        kept = [item for item in clear if not any(item[0] is quad for quad in replaced)]
        return [*kept, *completed]

    def read(self, image: Image) -> list[PhotoCard]:
        """Find and read the cards, best first."""
        found = self.find(image)
        readings = self.reader.read([cut_crop(image, quad) for quad, _, _ in found])
        return [
            PhotoCard(quad, kind, score, reading) for (quad, kind, score), reading in zip(found, readings, strict=True)
        ]
