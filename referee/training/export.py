"""Write a network as ONNX with its JSON card beside it, so that the run-time knows what it has."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import warnings
from pathlib import Path
from typing import Any

import torch
from torch import nn
from ultralytics import YOLO

from .net import CLASSES, CROP_SIZE_PX, ReaderNet

_STAGE = ("command", "recipe_sha256", "seed", "start", "epochs", "steps", "crops", "seconds", "origin")


def sha256(path: Path) -> str:
    """Give the file's SHA-256 in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_card(onnx: Path, card: dict[str, Any]) -> Path:
    """Write the model card beside the ONNX file: `card` plus the file's name and hash."""
    path = onnx.with_suffix(".json")
    whole = {"file": onnx.name, "sha256": sha256(onnx), **card}
    partial = path.with_suffix(".json.part")
    partial.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(partial, path)
    return path


def add_stages(card: dict[str, Any], start: Path) -> dict[str, Any]:
    """Give a card with all stages of a training: those of the exported network that it started from, then its own."""
    earlier: list[dict[str, Any]] = []
    if start.suffix == ".onnx" and start.with_suffix(".json").exists():
        with contextlib.suppress(ValueError):  # a damaged card must not cost a finished training
            before = json.loads(start.with_suffix(".json").read_text(encoding="utf-8"))
            earlier = before.get("stages", [_stage(before)])
    # Run once more after its end, a training that overwrites its start finds its own card there.
    earlier = [stage for stage in earlier if stage.get("recipe_sha256", "") != card.get("recipe_sha256")]
    return {**card, "stages": [*earlier, _stage(card)]}


def _stage(card: dict[str, Any]) -> dict[str, Any]:
    return {name: card[name] for name in _STAGE if name in card}


def export_detector(weights: Path, onnx: Path) -> None:
    """Export a YOLO OBB checkpoint: (1, 3, H, W) in, (1, 7, anchors) out: cx, cy, w, h, face, back, angle."""
    model = YOLO(str(weights), task="obb")
    # The branch without suppression bakes a top-k in whose shapes OpenVINO can't reshape; the dense one found more.
    model.model.model[-1].end2end = False
    written = Path(model.export(format="onnx", dynamic=True, imgsz=640, simplify=True))
    onnx.parent.mkdir(parents=True, exist_ok=True)
    os.replace(written, onnx)


class WeightsError(ValueError):
    """Weights that can't be used; the message says why and what is wanted."""


def adopt_detector(weights: Path, models: Path, confidence: float = 0.4) -> Path:
    """Export somebody's own detector into a folder of models, with a card; give the path of the ONNX file.

    Raises
    ------
    WeightsError
        If the file can't be read, isn't of oriented boxes, or has other classes than `face` and `back`.
    """
    try:
        model = YOLO(str(weights))
        task, names = model.task, list(model.names.values())
    except Exception as error:  # ultralytics and pickle raise whatever they like
        raise WeightsError(f"{weights}: no weights that ultralytics can read ({error}): give a .pt file") from error
    if task != "obb":
        raise WeightsError(f"{weights}: a network for '{task}': oriented boxes (task obb) are wanted")
    if names != ["face", "back"]:
        raise WeightsError(f"{weights}: its classes are {', '.join(names)}: face and back, in this order, are wanted")
    onnx = models / "detector.onnx"
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "detector.pt"
        shutil.copy(weights, copy)
        export_detector(copy, onnx)
    write_card(
        onnx,
        {
            "task": "detector",
            "classes": names,
            "confidence": confidence,
            "photo_confidence": confidence,
            "nms_iou": 0.5,
            "origin": f"{weights.name}, sha256 {sha256(weights)}, by whoever adopted it",
        },
    )
    return onnx


class _Flat(nn.Module):
    """The reader with its outputs as a tuple, as ONNX wants them."""

    def __init__(self, net: ReaderNet, names: list[str]) -> None:
        super().__init__()
        self.net = net
        self.names = names

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, ...]:
        outputs = self.net(crops)
        return tuple(outputs[name] for name in self.names)


def export_identifier(net: ReaderNet, onnx: Path) -> None:
    """Export the reader: `crops` (N, 3, 144, 96) in; one output for each head, `embedding` and `corners`."""
    names = [*CLASSES, "embedding", "corners"]
    width, length = CROP_SIZE_PX
    onnx.parent.mkdir(parents=True, exist_ok=True)
    partial = onnx.with_suffix(".onnx.part")
    with warnings.catch_warnings():  # torch's newer exporter wants onnxscript and gains nothing for this network
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            _Flat(net.eval(), names).eval(),
            (torch.zeros(2, 3, length, width),),
            str(partial),
            input_names=["crops"],
            output_names=names,
            dynamic_axes={name: {0: "batch"} for name in ["crops", *names]},
            opset_version=17,
            dynamo=False,
        )
    os.replace(partial, onnx)
