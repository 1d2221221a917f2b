"""How well a detector finds where cards lie, whatever they show: average precision at IoU 0.5, found, false."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..vision.frames import Quad
from ..vision.geometry import bounds, box_iou, iou_matrix
from .cards import LEAST_IOU, LEAST_VISIBLE
from .truth import TrueCard

Seen = tuple[Sequence[Quad], Sequence[float], Sequence[TrueCard]]
"""One picture: the found quads, their scores, and the cards that are really there."""


@dataclass(frozen=True, slots=True)
class LocationScore:
    """What a detector finds in a set of pictures.

    Parameters
    ----------
    pictures, cards
        How many there were; cards less visible than `cards.LEAST_VISIBLE` don't count.
    average_precision
        Area under precision over recall, 0..1.
    confidence
        The score at which the harmonic mean of precision and recall is best.
    found, false
        Cards found and boxes that are no cards at that score.
    """

    pictures: int
    cards: int
    average_precision: float
    confidence: float
    found: int
    false: int

    def as_json(self) -> dict[str, Any]:
        """Give the figures in a form that JSON takes."""
        return {
            "pictures": self.pictures,
            "cards": self.cards,
            "average_precision": round(self.average_precision, 4),
            "confidence": round(self.confidence, 3),
            "found": self.found,
            "false": self.false,
        }


def score_location(pictures: Iterable[Seen]) -> LocationScore:
    """Match found quads with true cards, the surest first, and count.

    A quad that lies on a card too hidden to count is neither found nor false.
    """
    hits: list[tuple[float, bool]] = []
    count = cards = 0
    for quads, scores, true in pictures:
        count += 1
        cards += sum(card.visible >= LEAST_VISIBLE for card in true)
        hits += _match(quads, scores, true)
    hits.sort(key=lambda hit: -hit[0])
    right = np.cumsum([hit for _, hit in hits]) if hits else np.zeros(0, int)
    wrong = np.arange(1, len(hits) + 1) - right
    if not cards or not len(hits) or right[-1] == 0:
        return LocationScore(count, cards, 0.0, 1.0, 0, 0)
    recall, precision = right / cards, right / (right + wrong)
    # The usual envelope: precision never rises with recall.
    envelope = np.maximum.accumulate(precision[::-1])[::-1]
    area = float(np.sum(np.diff(np.concatenate([[0.0], recall])) * envelope))
    best = int(np.argmax(2 * precision * recall / np.maximum(precision + recall, 1e-9)))
    return LocationScore(count, cards, area, hits[best][0], int(right[best]), int(wrong[best]))


def _match(quads: Sequence[Quad], scores: Sequence[float], true: Sequence[TrueCard]) -> list[tuple[float, bool]]:
    if not len(quads):
        return []
    if not true:
        return [(float(score), False) for score in scores]
    truth, found = np.array([card.quad_px for card in true]), np.array(quads)
    overlap = iou_matrix(truth, found)
    boxed = np.array([not card.exact for card in true])
    if boxed.any():
        overlap[boxed] = box_iou(bounds(truth[boxed]), bounds(found))
    clear = np.array([card.visible >= LEAST_VISIBLE for card in true])
    free = np.ones(len(true), bool)
    hits = []
    for j in np.argsort(-np.asarray(scores), kind="stable"):
        fits = free & (overlap[:, j] >= LEAST_IOU)
        # A card under a pile's top has nearly the top's quad: what can be seen comes first.
        best = int(np.argmax(np.where(fits, overlap[:, j] + clear, -1.0)))
        if fits[best]:
            free[best] = False
        if clear[best] or not fits[best]:
            hits.append((float(scores[j]), bool(fits[best])))
    return hits
