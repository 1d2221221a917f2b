"""Reads cards: crops from the full-resolution picture in, labels with calibrated confidence out.

The network gives kind, colour, number, back symbol and back colour apart; a label needs all that belong to it.
Below the threshold there is no label: "can't tell" is an answer, a guess is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from ..game.cards import BACKS, Color, Face
from .frames import Image, Quad, Reading
from .geometry import quad_size
from .inference import DEFAULT_THREADS, ModelError, Network, find_models, number_from, stack

Floats = npt.NDArray[np.float32]

CROP_PX = (96, 144)
"""Width and height of a crop."""

MARGIN_PX = (6, 9)
"""What a crop shows beyond the quad on each side, so that a card is seen whole where its quad isn't quite right."""

CARD_PX = (CROP_PX[0] - 2 * MARGIN_PX[0], CROP_PX[1] - 2 * MARGIN_PX[1])
"""Size of the quad in a crop: about 1.45 px/mm, a little more than a numeral needs."""

OFFSET_PX = 10.0
"""The network gives the card's own corners as distances from the quad's, in this many px of the crop."""

HEADS: dict[str, list[str]] = {
    "kind": ["face", "back", "none"],
    "color": [color.value for color in Color],
    "number": [*(str(number) for number in range(1, 11)), "unreadable"],
    "symbol": ["pump", "pail", "plow", "carriage", "other"],
    "back_color": [*(color.value for color in Color), "other"],
}

_EXTRA = {"embedding": 64, "corners": 8}
"""Further outputs of the network and their sizes."""

_BATCHES = (2, 4, 8, 16, 24, 40)
CORNERS_PX: Floats = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]]) * np.float32(CARD_PX) + np.float32(MARGIN_PX)
"""Where the quad's corners lie in a crop, (4, 2) px, (0, 0) at the outer corner of the first pixel."""

_FACE_LABELS = [str(Face(color, number)) for color in Color for number in range(1, 11)]
_BACK_LABELS = {(back.symbol, back.color.value): str(back) for back in BACKS}


def cut_crop(image: Image, quad: Quad) -> Image:
    """Cut a card and a little around it out of a picture, upright and flat: BGR uint8 (144, 96, 3).

    What lies outside the picture is grey.

    Parameters
    ----------
    quad
        (4, 2) px of `image`, clockwise from the card's own top left.
    """
    corners = np.asarray(quad, dtype=np.float32)
    shrink = quad_size(corners)[0] / CARD_PX[0]
    if shrink > 1.8:
        # A bilinear warp would skip pixels of a card that is much larger than the crop: average them first.
        beyond = int(np.ptp(corners, axis=0).max() * MARGIN_PX[0] / CARD_PX[0]) + 2
        low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - beyond, 0)
        high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + beyond + 1, image.shape[1::-1])
        if (high > low).all():
            part = image[low[1] : high[1], low[0] : high[0]]
            size = max(1, round(part.shape[1] / shrink)), max(1, round(part.shape[0] / shrink))
            ratio = np.array([size[0] / part.shape[1], size[1] / part.shape[0]], dtype=np.float32)
            image = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
            corners = (corners - low.astype(np.float32)) * ratio
    # Corner (0, 0) is the outer corner of the first pixel, whose middle OpenCV calls (0, 0).
    matrix = cv2.getPerspectiveTransform(CORNERS_PX - 0.5, corners - 0.5)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    grey = (114, 114, 114)
    return cv2.warpPerspective(image, matrix, CROP_PX, flags=flags, borderMode=cv2.BORDER_CONSTANT, borderValue=grey)


def move_quad(quad: Quad, corners_px: Floats) -> Quad:
    """Give the quad (px of the picture) whose corners lie at `corners_px` (4, 2) of the crop that was cut by `quad`."""
    matrix = cv2.getPerspectiveTransform(CORNERS_PX, np.asarray(quad, dtype=np.float32))
    moved: Quad = cv2.perspectiveTransform(np.asarray(corners_px, dtype=np.float32)[None], matrix)[0]
    return moved


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Probabilities of what each of N crops shows; each row sums to 1.

    Parameters
    ----------
    kind, color, number, symbol, back_color
        (N, classes) float32 in the order of `HEADS`.
    embedding
        (N, 64) float32 of unit length: near for cards of one design.
    corners_px
        (N, 4, 2) float32: where the card's own corners lie in the crop.
    """

    kind: Floats
    color: Floats
    number: Floats
    symbol: Floats
    back_color: Floats
    embedding: Floats
    corners_px: Floats

    def row(self, index: int) -> Scores:
        """Give the scores of one crop, N = 1."""
        return self._part(slice(index, index + 1))

    def halves(self) -> tuple[Scores, Scores]:
        """Split into the first and the second half of the rows."""
        middle = len(self.kind) // 2
        return self._part(slice(middle)), self._part(slice(middle, None))

    def mean(self, other: Scores, weight: float) -> Scores:
        """Mix with another reading of the same cards; `weight` 0..1 is the other one's share."""
        mixed = {name: (1 - weight) * getattr(self, name) + weight * getattr(other, name) for name in _ARRAYS}
        length = np.maximum(np.linalg.norm(mixed["embedding"], axis=1, keepdims=True), 1e-9)
        return Scores(**{**mixed, "embedding": mixed["embedding"] / length})

    def turned(self) -> Scores:
        """Give what was read of crops turned by 180 degrees, as of the crops themselves."""
        corners = np.roll(np.float32(CROP_PX) - self.corners_px, 2, axis=1)
        return replace(self, corners_px=corners)

    def _part(self, rows: slice) -> Scores:
        return Scores(*(getattr(self, name)[rows] for name in _ARRAYS))


_ARRAYS = tuple(item.name for item in fields(Scores))


def _softmax(logits: Floats, temperature: float) -> Floats:
    scaled = logits / np.float32(temperature)
    grown = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return grown / grown.sum(axis=1, keepdims=True)


class CardReader:
    """Reads crops with the shipped identifier network, or with any other that has its form.

    Parameters
    ----------
    path
        The .onnx file; None takes the shipped one.

    Raises
    ------
    ModelError
        If the model can't be used.
    """

    def __init__(self, path: Path | None = None, threads: int = DEFAULT_THREADS) -> None:
        place = path or find_models() / "identifier.onnx"
        self.network = Network(place, outputs=(*HEADS, *_EXTRA), threads=threads)
        card = self.network.card
        if card["classes"] != HEADS:
            raise ModelError(
                f"{place}: a wrong model: its classes are not the ones of this version: use the shipped one"
            )
        temperatures = card.get("temperature")
        self._temperature = {
            name: max(1e-3, number_from(temperatures, name, 1.0) if isinstance(temperatures, dict) else 1.0)
            for name in HEADS
        }
        self.threshold = number_from(card, "threshold", 0.6)

    def scores(self, crops: Sequence[Image], both_ways: bool = True) -> Scores:
        """Give the probabilities for each crop, BGR uint8 (144, 96, 3).

        Parameters
        ----------
        both_ways
            Read each crop also turned by 180 degrees and take the mean: a card has no upper end.
        """
        views = list(crops) + ([crop[::-1, ::-1] for crop in crops] if both_ways else [])
        rows: dict[str, list[Floats]] = {name: [] for name in (*HEADS, *_EXTRA)}
        for start in range(0, len(views), _BATCHES[-1]):
            part = views[start : start + _BATCHES[-1]]
            size = next(size for size in _BATCHES if size >= len(part))
            for name, values in self.network(stack(part, size)).items():
                if name in rows:
                    rows[name].append(values[: len(part)])
        widths = {name: len(classes) for name, classes in HEADS.items()} | _EXTRA
        tables = {
            name: np.concatenate(rows[name]) if views else np.zeros((0, width), dtype=np.float32)
            for name, width in widths.items()
        }
        heads = {name: _softmax(tables[name], self._temperature[name]) for name in HEADS}
        corners = CORNERS_PX + tables["corners"].reshape(-1, 4, 2) * np.float32(OFFSET_PX)
        scores = Scores(**heads, embedding=tables["embedding"], corners_px=corners)
        if not both_ways:
            return scores
        upright, turned = scores.halves()
        return upright.mean(turned.turned(), 0.5)

    def correct(self, image: Image, quads: Sequence[Quad]) -> tuple[list[Quad], Scores]:
        """Move quads (px) of a picture to the corners of the cards that the network sees there.

        Gives the moved quads and what was seen in the crops of the old ones, one way up.
        """
        scores = self.scores([cut_crop(image, quad) for quad in quads], both_ways=False)
        return [move_quad(quad, corners) for quad, corners in zip(quads, scores.corners_px, strict=True)], scores

    def decide(self, scores: Scores) -> list[Reading]:
        """Turn probabilities into one reading a crop: the best label, or None when it isn't sure enough."""
        face, back = scores.kind[:, 0], scores.kind[:, 1]
        color, number = scores.color, scores.number[:, :10]
        symbol, back_color = scores.symbol, scores.back_color
        readings = []
        for i in range(len(face)):
            best_face = int(color[i].argmax()) * 10 + int(number[i].argmax())
            face_score = float(face[i] * color[i].max() * number[i].max())
            s, c = int(symbol[i].argmax()), int(back_color[i].argmax())
            known = _BACK_LABELS.get((HEADS["symbol"][s], HEADS["back_color"][c]))
            back_score = float(back[i] * symbol[i, s] * back_color[i, c]) if known else 0.0
            label, score = (_FACE_LABELS[best_face], face_score) if face_score >= back_score else (known, back_score)
            readings.append(Reading(label if score >= self.threshold else None, score))
        return readings

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        """Read each upright card crop, BGR uint8 (144, 96, 3)."""
        return self.decide(self.scores(crops)) if crops else []
