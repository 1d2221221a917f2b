"""Reads single photographs: every card, at any scale, without a layout.

For `identify`, `calibrate` and `evaluate cards`; films have `TableEye`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

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
_FEW, _MOST = 6, 0.7
"""Cards that agree on how large a card is, at least, and as a share of all that are believed."""
_ROUNDS = 12
_ALIKE, _ODD = 0.12, 0.22
"""Logarithm of the sides' ratio to what is expected: of cards that agree, and of what is none."""


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


def odd_sized(quads: Sequence[Quad], cards: Sequence[int]) -> list[bool]:
    """Tell which quads are much smaller or larger than a card is at their place: halves of cards, two as one.

    Cards of one deck on one table have sizes that change evenly over the picture. Where no such rule fits most of the
    `cards` (indices of the quads that are believed), or they are few, nothing is odd.
    """
    size = np.array([np.log(max(abs(signed_area(quad)), 1e-6)) / 2 for quad in quads])
    place = np.array([quad.mean(axis=0) for quad in quads])
    terms = np.column_stack([np.ones(len(quads)), (place - place.mean(axis=0)) / max(float(np.ptp(place)), 1.0)])
    chosen, weights = list(cards), np.ones(len(cards))
    if len(chosen) < _FEW:
        return [False] * len(quads)
    for _ in range(_ROUNDS):  # least absolute deviations: a few halves don't move the rule
        rule, *_ = np.linalg.lstsq(terms[chosen] * weights[:, None], size[chosen] * weights, rcond=None)
        off = np.abs(size - terms @ rule)
        weights = 1 / np.sqrt(np.maximum(off[chosen], 0.01))
    agree = int((off[chosen] < _ALIKE).sum())
    return [bool(odd) for odd in off > _ODD] if agree >= max(_FEW, _MOST * len(chosen)) else [False] * len(quads)


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
        kept = self._believed(quads, sure)
        sure = np.where(odd_sized(quads, kept), 0.0, sure)
        kept = self._believed(quads, sure)
        kept = [i for i in kept if not holds_cards(quads[i], [quads[j] for j in kept if j != i])]
        reach = [_REACH * quad_size(quad)[0] for quad in quads]
        sides = np.array(HEADS["kind"])[scores.kind[:, :2].argmax(axis=1)]
        return [(refine_quad(gray, quads[i], reach[i]), str(sides[i]), float(sure[i])) for i in kept]

    def _believed(self, quads: list[Quad], sure: npt.NDArray[np.float64]) -> list[int]:
        return [i for i in suppress(np.array(quads), sure, _OVERLAP) if sure[i] >= self.detector.photo_confidence]

    def read(self, image: Image) -> list[PhotoCard]:
        """Find and read the cards, best first."""
        found = self.find(image)
        readings = self.reader.read([cut_crop(image, quad) for quad, _, _ in found])
        return [
            PhotoCard(quad, kind, score, reading) for (quad, kind, score), reading in zip(found, readings, strict=True)
        ]
