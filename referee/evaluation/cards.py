"""Compares found and read cards with the truth: photographs with boxes or quads, generated scenes, films' frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..game.cards import Back, Color, Face
from ..vision.frames import Image, Quad
from ..vision.geometry import bounds, box_iou, iou_matrix, overlap_area, quad_size, signed_area
from ..vision.photo import PhotoCard, PhotoReader
from ..vision.sources import read_image
from .filmed import Shot, film_shots, is_filmed
from .truth import TrueCard, load_truth

LEAST_IOU = 0.5
LEAST_VISIBLE = 0.6
"""Cards less visible than this may be found or missed: neither counts."""

_PARTLY_VISIBLE, _WITHIN = 0.15, 0.7
"""Of a card that doesn't count so much shows; of a box so much lies within it, when it is what shows of that card."""

_VISIBLE_BINS = ((0.6, 0.75, "60-75% visible"), (0.75, 0.999, "75-99% visible"), (0.999, 9.0, "whole"))
_TILT_BINS = ((0, 10, "tilt under 10 deg"), (10, 30, "tilt 10-30 deg"), (30, 91, "tilt over 30 deg"))
_LIGHT_BINS = ((0, 60, "dark picture"), (60, 150, "middling picture"), (150, 256, "bright picture"))
_SIZE_BINS = (
    (0, 0.5, "under 0.5 px/mm"),
    (0.5, 1.0, "0.5-1 px/mm"),
    (1.0, 1.3, "1-1.3 px/mm"),
    (1.3, 2.0, "1.3-2 px/mm"),
    (2.0, 1e9, "2 px/mm or more"),
)
_CARD_MM = 57.0
"""Width of a card, from which a picture's scale is told."""


Row = tuple[float, float, int, float, float]
"""Of labels said with a confidence from, to: how many, their mean confidence, the share that was right."""

_CONFIDENCES = (0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)


def reliability(said: Sequence[tuple[float, bool]]) -> list[Row]:
    """Compare how sure labels were with how often they were right, by confidence; empty bins are left out."""
    rows: list[Row] = []
    for low, high in pairwise((0.0, *_CONFIDENCES)):
        part = [(sure, right) for sure, right in said if low <= sure < high or (high == 1.0 and sure == 1.0)]
        if part:
            mean, share = np.mean(np.array(part, dtype=float), axis=0)
            rows.append((low, high, len(part), round(float(mean), 4), round(float(share), 4)))
    return rows


@dataclass(slots=True)
class Tally:
    """Counts of one group of true cards."""

    true: int = 0
    found: int = 0
    read: int = 0
    right: int = 0
    wrong: int = 0
    right_color: int = 0
    right_number: int = 0

    def as_json(self) -> dict[str, float | int | None]:
        """Give the counts and the shares that follow from them; None where nothing was counted."""
        share = lambda part, whole: round(part / whole, 4) if whole else None  # noqa: E731
        return {
            "cards": self.true,
            "found": self.found,
            "found_share": share(self.found, self.true),
            "with_label": self.read,
            "label_right": self.right,
            "label_right_share": share(self.right, self.read),
            "label_wrong_share": share(self.wrong, self.read),
            "color_right_share": share(self.right_color, self.read),
            "number_right_share": share(self.right_number, self.read),
        }


@dataclass(slots=True)
class CardReport:
    """What an evaluation found, over all pictures of all folders."""

    pictures: int = 0
    false: int = 0
    total: Tally = field(default_factory=Tally)
    groups: dict[str, Tally] = field(default_factory=dict)
    corner_errors_px: list[float] = field(default_factory=list)
    misses: list[tuple[str, str]] = field(default_factory=list)
    confusion: dict[tuple[str, str], int] = field(default_factory=dict)
    said: list[tuple[float, bool]] = field(default_factory=list)
    """Of each label that was said: how sure, 0..1, and whether it was right."""

    def as_json(self) -> dict[str, Any]:
        """Give every figure in a form that JSON takes."""
        errors = np.array(self.corner_errors_px)
        return {
            "pictures": self.pictures,
            "false": self.false,
            "false_share": round(self.false / self.total.true, 4) if self.total.true else None,
            "total": self.total.as_json(),
            "groups": {name: tally.as_json() for name, tally in self.groups.items()},
            "corner_error_px": None
            if not len(errors)
            else {"median": round(float(np.median(errors)), 2), "p95": round(float(np.percentile(errors, 95)), 2)},
            "wrong_labels": [
                [*pair, count]
                for pair, count in sorted(self.confusion.items(), key=lambda item: -item[1])
                if pair[0] != pair[1]
            ],
            "reliability": [list(row) for row in reliability(self.said)],
            "misses": [list(miss) for miss in self.misses],
        }


def _known(label: str | None) -> Face | Back | None:
    """Give what a label names if this program's reader can know it."""
    if label is None:
        return None
    try:
        if label.startswith("back:"):
            return Back.parse(label)
        face = Face.parse(label)
    except ValueError:
        return None
    return face if isinstance(face.color, Color) else None


def match_cards(found: Sequence[Quad], true: Sequence[TrueCard]) -> dict[int, int]:
    """Pair found cards with true ones, the best overlap first: {index of true: index of found}.

    Exact quads are compared as quads, boxes with the upright box around the found quad. Cards that can't be seen take
    only what those that can have left: a card under a pile's top has nearly the same quad.
    """
    if not len(found) or not len(true):
        return {}
    quads = np.array(found)
    truth = np.array([card.quad_px for card in true])
    overlap = iou_matrix(truth, quads)
    boxed = np.array([not card.exact for card in true])
    if boxed.any():
        overlap[boxed] = box_iou(bounds(truth[boxed]), bounds(quads))
    hidden = np.array([card.visible < LEAST_VISIBLE for card in true])
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for flat in np.lexsort((-overlap.ravel(), np.repeat(hidden, len(quads)))):
        i, j = divmod(int(flat), len(quads))
        if overlap[i, j] >= LEAST_IOU and i not in pairs and j not in taken:
            pairs[i] = j
            taken.add(j)
    return pairs


def _shows_hidden(quad: Quad, hidden: Sequence[TrueCard]) -> bool:
    """Tell whether a box is of a card that doesn't count, or of what shows of it (as COCO ignores regions)."""
    if match_cards([quad], hidden):
        return True
    area = abs(signed_area(quad))
    return any(card.visible >= _PARTLY_VISIBLE and overlap_area(quad, card.quad_px) > _WITHIN * area for card in hidden)


def corner_error_px(found: Quad, true: Quad) -> npt.NDArray[np.float32]:
    """Give the distance of each corner, the start turned by 180 degrees where that fits better."""
    straight = np.linalg.norm(found - true, axis=1)
    turned = np.linalg.norm(np.roll(found, 2, axis=0) - true, axis=1)
    return straight if straight.sum() <= turned.sum() else turned


def _groups(card: TrueCard, light: float | None) -> list[str]:
    """Name the groups in whose tallies a card counts."""
    measures: list[tuple[float | None, tuple[tuple[float, float, str], ...]]] = [
        (card.visible, _VISIBLE_BINS),
        (quad_size(card.quad_px)[0] / _CARD_MM, _SIZE_BINS),
        (card.tilt_deg, _TILT_BINS),
        (light, _LIGHT_BINS),
    ]
    names = [title for value, bins in measures if value is not None for low, high, title in bins if low <= value < high]
    names += [f"{card.kind}s"] if card.kind else []
    if isinstance(known := _known(card.label), Face):
        names += [known.color.value, f"number {known.number}"]
    return names


def score_picture(
    report: CardReport,
    name: str,
    found: Sequence[PhotoCard],
    true: Sequence[TrueCard],
    light: float | None = None,
) -> tuple[list[int], list[int]]:
    """Add one picture to a report; give the indices of the found cards that are none, and of the true ones missed.

    Parameters
    ----------
    light
        Mean of the picture's pixels, 0..255; None when it isn't known.
    """
    pairs = match_cards([card.quad_px for card in found], true)
    missed = []
    report.pictures += 1
    for i, card in enumerate(true):
        if card.visible < LEAST_VISIBLE:
            continue
        hit = found[pairs[i]] if i in pairs else None
        names = _groups(card, light)
        for tally in (report.total, *(report.groups.setdefault(title, Tally()) for title in names)):
            _count(tally, hit, card)
        if hit is None:
            missed.append(i)
            left, top = (round(float(v)) for v in card.quad_px.min(axis=0))
            report.misses.append((name, f"{card.label or card.kind or 'card'} at {left},{top}"))
        else:
            if card.exact:
                report.corner_errors_px += [float(v) for v in corner_error_px(hit.quad_px, card.quad_px)]
            if _known(card.label) is not None:
                pair = (str(card.label), str(hit.reading.label))
                report.confusion[pair] = report.confusion.get(pair, 0) + 1
                if hit.reading.label is not None:
                    report.said.append((hit.reading.confidence, hit.reading.label == card.label))
    false = [j for j in range(len(found)) if j not in set(pairs.values())]
    hidden = [card for card in true if card.visible < LEAST_VISIBLE]
    false = [j for j in false if not _shows_hidden(found[j].quad_px, hidden)]
    report.false += len(false)
    return false, missed


def _count(tally: Tally, hit: PhotoCard | None, card: TrueCard) -> None:
    tally.true += 1
    if hit is None:
        return
    tally.found += 1
    truth = _known(card.label)
    if truth is None:
        return
    tally.read += 1
    guess = _known(hit.reading.label)
    tally.right += guess == truth
    tally.wrong += guess is not None and guess != truth
    tally.right_color += guess is not None and guess.color == truth.color
    if isinstance(truth, Face):
        tally.right_number += isinstance(guess, Face) and guess.number == truth.number
    else:
        tally.right_number += isinstance(guess, Back) and guess.symbol == truth.symbol


def _photographs(path: Path, reader: PhotoReader) -> Iterator[Shot]:
    for place, true in load_truth(path):
        image = read_image(place)
        yield place, image, reader.read(image), true


def evaluate_cards(
    paths: Sequence[Path],
    reader: PhotoReader,
    limit: int | None = None,
    show: Callable[[Path, Image, list[PhotoCard], list[PhotoCard], list[TrueCard]], None] | None = None,
) -> CardReport:
    """Find and read the cards of every picture, or of a frame a second of a film, and compare them with the truth.

    Parameters
    ----------
    limit
        At most so many pictures of each path.
    show
        Called with each picture, its found cards, the false ones of them, and the true ones that were missed.

    Raises
    ------
    TruthError
        If a truth file can't be used.
    SourceError
        If a picture can't be read.
    """
    report = CardReport()
    for path in paths:
        shots = film_shots(path, reader.detector, reader.reader) if is_filmed(path) else _photographs(path, reader)
        for place, image, found, true in islice(shots, limit):
            false, missed = score_picture(report, place.name, found, true, float(image[::8, ::8].mean()))
            if show is not None:
                show(place, image, found, [found[j] for j in false], [true[i] for i in missed])
    return report
