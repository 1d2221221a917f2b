"""The 8-bit copy of the card detector: calibrated on its training scenes, compared on the scenes that measure it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from ..evaluation.location import Seen, score_location
from ..evaluation.truth import TrueCard, load_truth
from ..vision.detector import decode
from ..vision.frames import Image
from ..vision.geometry import quads_from_boxes, suppress
from ..vision.inference import Network, number_from
from ..vision.sources import read_image
from .quantize import add_int8
from .thaw import pad_picture, read_pictures

_CALIBRATION = 128
_BATCH = 4
_PICTURES = 300
_LEAST_SCORE = 0.05


def add_int8_detector(path: Path, data: Path, image_px: int) -> dict[str, Any]:
    """Put an 8-bit copy beside an exported detector, if it finds cards as well; give both average precisions.

    Parameters
    ----------
    path
        The ONNX file, with its card beside it.
    data
        `data.yaml` of the scenes that it was trained on.
    image_px
        Size of the pictures.
    """
    pictures = read_pictures(data.parent / "images" / "train", _CALIBRATION, image_px)
    batches = [np.stack(pictures[at : at + _BATCH]) for at in range(0, len(pictures), _BATCH)]
    measured = list(islice(_measured(data.parent / "truth_val.json", image_px), _PICTURES))

    def score(network: Network) -> float:
        overlap = number_from(network.card, "nms_iou", 0.5)
        return score_location(_seen(network, picture, true, overlap) for picture, true in measured).average_precision

    return add_int8(path, "images", batches, score, keep=_head(path))


def _measured(truth: Path, image_px: int) -> Iterator[tuple[Image, list[TrueCard]]]:
    for place, true in load_truth(truth):
        yield pad_picture(read_image(place), image_px), true


def _seen(network: Network, picture: Image, true: list[TrueCard], overlap: float) -> Seen:
    boxes, scores, _ = decode(next(iter(network(picture[None]).values())), _LEAST_SCORE)
    quads = quads_from_boxes(boxes)
    kept = suppress(quads, scores, overlap)
    return [quads[i] for i in kept], [float(scores[i]) for i in kept], true


def _head(path: Path) -> list[str]:
    """Name the nodes of the last layer: 8 bits would round boxes and angles."""
    names = [node.name for node in onnx.load(path).graph.node]
    layers = [int(name.split("/")[1].split(".")[1]) for name in names if name.startswith("/model.")]
    return [name for name in names if name.startswith(f"/model.{max(layers)}/")]
