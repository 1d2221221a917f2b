"""Mines hard examples for the reader: places of drawn scenes that the detector takes for cards though none lies there.

Random places are easy to tell from cards: a box of dominoes, a patch of sun, a half of a card aren't.
"""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from rich.progress import track

from ..vision.detector import YoloDetector
from ..vision.frames import Quad
from ..vision.geometry import iou_matrix, overlap_area, signed_area

_LEAST_CONFIDENCE = 0.2
_SIDES_PX = (448, 704)
"""Other scales than the detector learned the scenes at: there it has fewer mistakes left."""
_MOST_ALIKE = 0.3
"""IoU with a card: the reader can lead a box that fits better to the card."""
_VISIBLE, _INSIDE = 0.6, 0.7
"""A box around what shows of a card less visible than this is no mistake."""


def mine_apart(folder: Path, most: int) -> dict[int, list[Quad]]:
    """Mine with the shipped detector in a process of its own: OpenVINO's threads don't go well with torch's forks."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart:
        return apart.submit(_mine_shipped, folder, most).result()


def _mine_shipped(folder: Path, most: int) -> dict[int, list[Quad]]:
    return mine(folder, YoloDetector(), most)


def mine(folder: Path, detector: YoloDetector, most: int) -> dict[int, list[Quad]]:
    """Look at the first scenes for training of a data set, at most so many; what was found is kept beside them.

    Gives the quads (px) by the scene's number.
    """
    kept = folder / "hard_train.json"
    made_by = {"detector": detector.network.card["sha256"], "scenes": most}
    if kept.exists():
        record = json.loads(kept.read_text(encoding="utf-8"))
        if record["made_by"] == made_by:
            return {int(n): [np.array(quad, np.float32) for quad in quads] for n, quads in record["places"].items()}
    scenes = json.loads((folder / "truth_train.json").read_text(encoding="utf-8"))["scenes"][:most]
    places: dict[int, list[Quad]] = {}
    for number, scene in enumerate(track(scenes, "hard examples")):
        image = cv2.imread(str(folder / scene["image"]))
        if image is not None:
            found = [quad for quad, _, _ in detector.detect_photo(image, _SIDES_PX, _LEAST_CONFIDENCE)]
            cards = [(np.array(card["quad"], np.float32), float(card["visible"])) for card in scene["cards"]]
            if wrong := mistaken(found, cards):
                places[number] = wrong
    record = {"made_by": made_by, "places": {n: np.round(quads, 1).tolist() for n, quads in places.items()}}
    kept.write_text(json.dumps(record), encoding="utf-8")
    return places


def mistaken(found: list[Quad], cards: list[tuple[Quad, float]]) -> list[Quad]:
    """Give the found quads where no card lies; `cards` are the true ones and the share that shows of each."""
    if not found or not cards:
        return found
    alike = iou_matrix(np.array(found), np.array([quad for quad, _ in cards])).max(axis=1)
    hidden = [quad for quad, visible in cards if visible < _VISIBLE]
    return [
        quad
        for quad, most in zip(found, alike, strict=True)
        if most < _MOST_ALIKE and all(overlap_area(quad, other) < _INSIDE * abs(signed_area(quad)) for other in hidden)
    ]
