"""Make the pictures with which the run-time checks the shipped models at start: `python -m referee.training.selftest`.

Drawn with art that training never sees; only pictures that the models get right are taken, so that a failure means
a damaged model or a runtime that computes something else.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from ..game.cards import BACKS, Face
from ..synth.crops import Crop, CropMaker
from ..synth.scene import Scene, SceneSpec, make_scene
from ..vision.detector import YoloDetector
from ..vision.geometry import iou_matrix
from ..vision.identifier import CardReader
from ..vision.inference import ModelError

CROPS = 24
_SURE = 0.9
_MOST_DRAWN = 1200
_SEED = 30_000_000
_SPEC = SceneSpec(
    width_px=(640, 640),
    height_px=(480, 480),
    table=1.0,
    photo=0.0,
    empty=0.0,
    seats=(4, 4),
    table_card_px=(29.0, 32.0),
    table_tilt_deg=(0.0, 5.0),
    ordinary=0.0,
    degrade=0.5,
    heldout=True,
)


def label_of(crop: Crop) -> str | None:
    """Give the label of a crop that has one; None for the others."""
    if crop.kind == "face" and crop.color is not None and isinstance(crop.number, int):
        return str(Face(crop.color, crop.number))
    names = {(back.color.value, back.symbol): str(back) for back in BACKS}
    return names.get((crop.back_color or "", crop.symbol or "")) if crop.kind == "back" else None


def _pick_crops(reader: CardReader) -> tuple[list[np.ndarray[Any, Any]], list[str]]:
    maker = CropMaker(_SEED, heldout=True, pool=160)
    images: list[np.ndarray[Any, Any]] = []
    labels: list[str] = []
    for _ in range(_MOST_DRAWN):
        crop = maker.make()
        label = label_of(crop)
        if label is None or labels.count(label) >= 2:
            continue
        reading = reader.read([crop.image])[0]
        if reading.label == label and reading.confidence >= _SURE:
            images.append(crop.image)
            labels.append(label)
        if len(images) == CROPS:
            return images, labels
    raise ModelError(f"{reader.network.path}: only {len(images)} crops are read surely: train it longer")


def _pick_scene(detector: YoloDetector) -> tuple[Scene, list[dict[str, Any]]]:
    for seed in range(_SEED, _SEED + 60):
        scene = make_scene(_SPEC, seed)
        cards = [card for card in scene.cards if card.visible >= 0.8]
        hidden = [card.quad_px + 0.5 for card in scene.cards if card.visible < 0.8]
        found = detector.detect(scene.image)
        if len(cards) < 12 or not found:
            continue
        true = np.array([card.quad_px + 0.5 for card in cards])
        quads = np.array([quad for quad, _, _ in found])
        overlap = iou_matrix(true, quads)
        right = all(
            overlap[i].max() > 0.7 and found[int(overlap[i].argmax())][1] == card.kind for i, card in enumerate(cards)
        )
        known = np.concatenate([true, np.array(hidden).reshape(-1, 4, 2)])
        if right and iou_matrix(quads, known).max(axis=1).min() > 0.3 and len(found) <= len(cards) + 1:
            records = [
                {"quad": [[round(float(v), 2) for v in point] for point in quad], "kind": card.kind}
                for quad, card in zip(true, cards, strict=True)
            ]
            return scene, records
    raise ModelError(f"{detector.network.path}: no drawn table is found without a fault: train it longer")


def write_selftest(models: Path) -> Path:
    """Draw the pictures for the models in a folder and write them there; give the path of `selftest.json`.

    Raises
    ------
    ModelError
        If the models can't be used or are not good enough for any set of easy pictures.
    """
    images, labels = _pick_crops(CardReader(models / "identifier.onnx"))
    scene, cards = _pick_scene(YoloDetector(models / "detector.onnx"))
    cv2.imwrite(str(models / "selftest_crops.jpg"), np.concatenate(images, axis=1), [cv2.IMWRITE_JPEG_QUALITY, 95])
    cv2.imwrite(str(models / "selftest_scene.jpg"), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    record = {
        "scene": {"image": "selftest_scene.jpg", "cards": cards},
        "crops": {"image": "selftest_crops.jpg", "labels": labels},
    }
    place = models / "selftest.json"
    place.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return place


if __name__ == "__main__":
    print(write_selftest(Path(sys.argv[1] if len(sys.argv) > 1 else "models")))
