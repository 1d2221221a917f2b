"""Crops for training the reader, cut from drawn scenes: small, half-covered and crowded cards in a whole table's light.

`CropMaker` shows one card well and in many prints; a scene shows it as it lies among others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from ..game.cards import SYMBOLS, Back, Color, Face
from ..layout import Pose
from ..vision.frames import Image, Quad
from ..vision.geometry import card_quad, overlap_area, project, quad_size
from ..vision.identifier import CORNERS_PX, cut_crop
from .crops import Crop, misjudge

_SIZE_MM = (57.0, 89.0)
_LEAST_VISIBLE = 0.5
_LEGIBLE_VISIBLE, _LEGIBLE_PX = 0.85, 28.0
"""Of a card of which this share shows, this wide, a numeral can mostly be read; of others it isn't known.

What can't be read all the same (in the dark, out of focus) teaches how sure to be.
"""
_FROM_ONE = 12
_NONE = 0.12
_FREE = 0.3
_TURNED = 0.05
"""Crops cut as if a card's long edge were its short one, as the box of a slanting card may be."""
_FIRST_DESIGN = 1_000_000
"""Numbers of the designs seen in scenes; those of `CropMaker`'s prints are lower."""


def scene_crops(folder: Path, seed: int, hard: Mapping[int, list[Quad]] = MappingProxyType({})) -> Iterator[Crop]:
    """Give an endless row of crops from the scenes for training of a data set; the same seed gives the same row.

    Parameters
    ----------
    hard
        Places (px) by the scene's number that look like cards and are none; half the scenes are such ones.
    """
    scenes = json.loads((folder / "truth_train.json").read_text(encoding="utf-8"))["scenes"]
    rng = np.random.default_rng([seed, 5])
    harder = list(hard)
    while True:
        number = int(rng.choice(harder)) if harder and rng.random() < 0.5 else int(rng.integers(len(scenes)))
        image = cv2.imread(str(folder / scenes[number]["image"]))
        if image is not None:
            yield from _crops_of(image, scenes[number]["cards"], number, rng)
            yield from (_hard(image, place, rng) for place in hard.get(number, ()))


def _crops_of(image: Image, cards: list[dict[str, Any]], number: int, rng: np.random.Generator) -> Iterator[Crop]:
    """Cut some cards of one scene, and places that show none."""
    quads = [np.array(card["quad"], np.float32) for card in cards]
    shown = [n for n, card in enumerate(cards) if card["visible"] >= _LEAST_VISIBLE]
    for n in rng.permutation(shown)[:_FROM_ONE]:
        true = quads[n]
        if rng.random() < 0.5:
            true = np.roll(true, 2, axis=0)
        yield _card(image, true, cards[n], number, rng)
        if rng.random() < _TURNED:
            yield _hard(image, np.roll(true, 1, axis=0), rng)
        if rng.random() < _NONE:
            place = _place(image, quad_size(true), rng)
            area = quad_size(place)[0] * quad_size(place)[1]
            if all(overlap_area(place, quad) < _FREE * area for quad in quads):
                yield Crop(cut_crop(image, place), "none")


def _card(image: Image, true: Quad, card: dict[str, Any], number: int, rng: np.random.Generator) -> Crop:
    quad = _misjudged(true, rng)
    crop = cut_crop(image, quad)
    at: npt.NDArray[np.float32] = cv2.perspectiveTransform(true[None], cv2.getPerspectiveTransform(quad, CORNERS_PX))[0]
    label = card["label"]
    if card["kind"] == "back":
        if label is None:
            return Crop(crop, "back", symbol="other", back_color="other", corners_px=at)
        back = Back.parse(label)
        design = _FIRST_DESIGN + 100 * number + 10 * SYMBOLS.index(back.symbol) + list(Color).index(back.color)
        return Crop(crop, "back", symbol=back.symbol, back_color=str(back.color), corners_px=at, design=design)
    face = None if label is None else Face.parse(label)
    if face is None or not isinstance(face.color, Color):
        return Crop(crop, "face", number="unreadable", corners_px=at)
    legible = card["visible"] >= _LEGIBLE_VISIBLE and quad_size(true)[0] >= _LEGIBLE_PX
    return Crop(crop, "face", face.color, face.number if legible else None, corners_px=at)


def _misjudged(quad: Quad, rng: np.random.Generator) -> Quad:
    corners_mm = card_quad(Pose(0.0, 0.0, 0.0), _SIZE_MM)
    px_from_mm = cv2.getPerspectiveTransform(corners_mm.astype(np.float32), quad)
    return project(px_from_mm, misjudge(corners_mm.astype(np.float64), rng)).astype(np.float32)


def _hard(image: Image, place: Quad, rng: np.random.Generator) -> Crop:
    """Cut a place that looks like a card; its quad is as far off as a card's."""
    return Crop(cut_crop(image, _misjudged(place, rng)), "none")


def _place(image: Image, size_px: tuple[float, float], rng: np.random.Generator) -> Quad:
    """Give a card-sized quad anywhere in a picture."""
    x, y = rng.uniform(0, image.shape[1::-1])
    return card_quad(Pose(float(x), float(y), float(rng.uniform(0, 360))), size_px)
