"""Checks the shipped models at start on shipped pictures: a new runtime or a bad export must not give nonsense.

`selftest.json` beside the models names a picture of a table with its cards, and crops with their labels.
"""

from __future__ import annotations

import json

import numpy as np

from .detector import YoloDetector
from .geometry import iou_matrix
from .identifier import CROP_PX, CardReader
from .inference import ModelError
from .sources import SourceError, read_image

LEAST_SHARE = 0.9
"""Of cards found and of labels right. The pictures are easy: a sound model gets all of them."""


def load_networks() -> tuple[YoloDetector, CardReader]:
    """Load the shipped networks and check that they do what they did when they were made.

    Raises
    ------
    ModelError
        If one can't be used or fails the self-test.
    """
    detector, reader = YoloDetector(), CardReader()
    run_selftest(detector, reader)
    return detector, reader


def run_selftest(detector: YoloDetector, reader: CardReader) -> str:
    """Run both models on the shipped pictures; give a line that says how it went.

    Models in a folder without `selftest.json` are a user's own: nothing is known that they must give.

    Raises
    ------
    ModelError
        If the pictures are damaged or a model doesn't give what it gave when it was made.
    """
    folder = detector.network.path.parent
    place = folder / "selftest.json"
    if not place.is_file():
        return "no selftest.json beside the models: not tested"
    try:
        record = json.loads(place.read_text(encoding="utf-8"))
        scene = read_image(folder / record["scene"]["image"])
        true = np.array([card["quad"] for card in record["scene"]["cards"]], dtype=np.float32).reshape(-1, 4, 2)
        kinds = [card["kind"] for card in record["scene"]["cards"]]
        sheet = read_image(folder / record["crops"]["image"])
        labels: list[str | None] = record["crops"]["labels"]
    except (OSError, ValueError, KeyError, TypeError, SourceError) as error:
        raise ModelError(f"{place}: the self-test is damaged ({error}): install referee again") from error
    found = detector.detect(scene)
    quads = np.array([quad for quad, _, _ in found], dtype=np.float32).reshape(-1, 4, 2)
    overlap = iou_matrix(true, quads) if len(quads) else np.zeros((len(true), 1))
    right = [
        overlap[i].max() > 0.6 and found[int(overlap[i].argmax())][1] == kind if len(quads) else False
        for i, kind in enumerate(kinds)
    ]
    if sum(right) < LEAST_SHARE * len(true) or len(found) > 1.2 * len(true) + 1:
        raise ModelError(
            f"{detector.network.path}: fails its self-test ({sum(right)} of {len(true)} cards, {len(found)} boxes) "
            f"with {detector.network.runtime}: install referee again or another version of openvino"
        )
    width, height = CROP_PX
    crops = [np.ascontiguousarray(sheet[:height, n * width : (n + 1) * width]) for n in range(len(labels))]
    readings = reader.decide(reader.scores(crops, both_ways=False))
    agree = sum(reading.label == label for reading, label in zip(readings, labels, strict=True))
    if agree < LEAST_SHARE * len(labels):
        raise ModelError(
            f"{reader.network.path}: fails its self-test ({agree} of {len(labels)} crops right) "
            f"with {reader.network.runtime}: install referee again or another version of openvino"
        )
    return f"self-test: {sum(right)} of {len(true)} cards found, {agree} of {len(labels)} read"
