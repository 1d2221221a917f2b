"""Train the card detector with ultralytics: scenes, training, export, card."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import torch
from google.protobuf.message import DecodeError
from ultralytics import YOLO

from ..synth.dataset import DatasetError, ensure_dataset
from .average import mix_weights
from .export import add_stages, export_detector, write_card
from .machine import bfloat16_helps, thread_count
from .quantize_detector import add_int8_detector
from .recipe import DetectorRecipe, RecipeError
from .thaw import ARCHITECTURE, picture_tensor, read_pictures, thaw_detector

PICTURES_TO_THAW = 64
PICTURES_TO_MIX = 256

AUGMENT = {
    "fliplr": 0.5,  # harmless here: a box has no meaning that a mirror changes
    "hsv_h": 0.02,
    "hsv_s": 0.5,
    "hsv_v": 0.3,
    "translate": 0.1,
    "erasing": 0.0,
}


def _single(outputs: Any) -> Any:
    if isinstance(outputs, torch.Tensor):
        return outputs.float() if outputs.is_floating_point() else outputs
    if isinstance(outputs, dict):
        return {name: _single(part) for name, part in outputs.items()}
    return type(outputs)(_single(part) for part in outputs) if isinstance(outputs, list | tuple) else outputs


def _head_in_single(_module: Any, _inputs: Any, outputs: Any) -> Any:
    return _single(outputs)


def quicken_on_cpu(trainer: Any) -> None:
    """Train on all cores and with channels last, and in bfloat16 on a CPU that can (1.7 and 2.4 times faster).

    The head's outputs go to the loss in single precision: bfloat16 would round a box to whole pixels.
    """
    if trainer.device.type != "cpu":
        return
    torch.set_num_threads(thread_count())
    trainer.model.to(memory_format=torch.channels_last)
    if bfloat16_helps():
        trainer.amp = True
        trainer.model.model[-1].register_forward_hook(_head_in_single)


def decay_each_batch(trainer: Any) -> None:
    """Lower the learning rate a little with each batch, to `lrf` of it at the end.

    Ultralytics does so once an epoch, and few epochs of many scenes would end at a high rate.
    """
    batches = len(trainer.train_loader)
    trainer.batches_done = getattr(trainer, "batches_done", trainer.epoch * batches) + 1
    share = min(trainer.batches_done / (trainer.epochs * batches), 1.0)
    for group in trainer.optimizer.param_groups:
        group["lr"] = group["initial_lr"] * (1 - share * (1 - trainer.args.lrf))


def _start(recipe: DetectorRecipe, beside: Path, data: Path, folder: Path) -> YOLO:
    """Begin with somebody's weights, or go on from an exported detector."""
    path = beside / recipe.start
    if path.suffix == ".onnx":
        return _thaw(path, data, recipe.image_px, folder)
    try:
        return _dense(YOLO(ARCHITECTURE, task="obb").load(str(path if path.exists() else recipe.start)))
    except (OSError, RuntimeError) as error:
        raise RecipeError(f"start: '{recipe.start}' can't be read or fetched: give the path of a yolo26n.pt") from error


def _dense(model: YOLO) -> YOLO:
    """Leave out the branch for use without suppression: it isn't exported, and costs a fifth of the time."""
    model.model.yaml["end2end"] = False
    return model


def _thaw(path: Path, data: Path, image_px: int, folder: Path) -> YOLO:
    pictures = read_pictures(data.parent / "images" / "train", PICTURES_TO_THAW, image_px)
    try:
        net = thaw_detector(path, pictures)
    except (OSError, DecodeError, ValueError) as error:
        raise RecipeError(f"start: '{path}' can't be trained on: {error}") from error
    folder.mkdir(parents=True, exist_ok=True)
    torch.save({"model": net}, folder / "start.pt")
    return _dense(YOLO(str(folder / "start.pt"), task="obb"))


def _mix(trained: Path, keep: float, data: Path, image_px: int, folder: Path) -> Path:
    """Average what was trained with its start; give the path of the mean."""
    first, second = (
        torch.load(path, weights_only=False, map_location="cpu")["model"].float().eval()
        for path in (folder / "start.pt", trained)
    )
    pictures = picture_tensor(read_pictures(data.parent / "images" / "train", PICTURES_TO_MIX, image_px))
    torch.save({"model": mix_weights(first, second, keep, pictures.split(16))}, folder / "mean.pt")
    return folder / "mean.pt"


def _add_callbacks(model: YOLO) -> None:
    model.add_callback("on_train_start", quicken_on_cpu)
    # Warming up has its own rates, which ultralytics sets after this.
    model.add_callback("on_train_batch_start", decay_each_batch)


def _scores(model: YOLO, data: Path, image_px: int, folder: Path) -> dict[str, float]:
    found = model.val(
        data=str(data), imgsz=image_px, plots=False, verbose=False, project=str(folder), name="val", exist_ok=True
    )
    return {"mAP50": round(float(found.box.map50), 4), "mAP50-95": round(float(found.box.map), 4)}


def train_detector(
    recipe: DetectorRecipe, recipe_hash: str, recipe_path: Path, runs: Path, models: Path, command: str
) -> dict[str, Any]:
    """Make the scenes (if they are not there yet), train, export to `models/detector.onnx`; give the scores.

    Goes on from the last checkpoint under `runs/detector` when the training was interrupted.

    Raises
    ------
    RecipeError
        If the scenes' recipe or the start weights can't be used.
    """
    if recipe.keep and not recipe.start.endswith(".onnx"):
        raise RecipeError("keep: only an exported detector's weights can be kept: give an .onnx file as 'start'")
    try:
        data = ensure_dataset(recipe_path.parent / recipe.data, runs / "scenes")
    except DatasetError as error:
        raise RecipeError(str(error)) from error
    folder = (runs / "detector").resolve()
    run = folder / recipe_hash[:12]
    last = run / "weights" / "last.pt"
    began = time.monotonic()
    if last.exists():
        model = YOLO(str(last), task="obb")
        _add_callbacks(model)
        unfinished = torch.load(last, weights_only=False, map_location="cpu").get("epoch", -1) >= 0
        if unfinished:
            model.train(resume=True)
    else:
        model = _start(recipe, recipe_path.parent, data, run)
        _add_callbacks(model)
        model.train(
            data=str(data),
            epochs=recipe.epochs,
            batch=recipe.batch,
            imgsz=recipe.image_px,
            optimizer="AdamW",
            lr0=recipe.learning_rate,
            lrf=0.05,
            warmup_epochs=0.1,
            warmup_bias_lr=0.0,  # the default of 0.1 is for SGD: Adam would move each bias by that much a step
            mosaic=recipe.mosaic,
            close_mosaic=recipe.close_mosaic,
            scale=recipe.scale,
            seed=recipe.seed,
            workers=recipe.workers,
            project=str(folder),
            name=run.name,
            exist_ok=True,
            plots=False,
            device=0 if torch.cuda.is_available() else "cpu",
            **AUGMENT,
        )
    weights = last.with_name("best.pt")
    if recipe.keep:
        weights = _mix(weights, recipe.keep, data, recipe.image_px, run)
    scores = _scores(YOLO(str(weights), task="obb"), data, recipe.image_px, folder)
    onnx = models / "detector.onnx"
    export_detector(weights, onnx)
    card = {
        "task": "detector",
        "classes": ["face", "back"],
        "input": "images (1, 3, H, W) float32 RGB 0..1, letterboxed with grey 114, H and W multiples of 32",
        "output": "(1, 7, anchors): cx, cy, w, h in px of the input, score of face, score of back (0..1), "
        "angle in radians; apply rotated NMS",
        "confidence": recipe.confidence,
        "photo_confidence": recipe.photo_confidence,
        "nms_iou": recipe.nms_iou,
        "scores": {"validation on held-out art, tables and light": scores},
        "command": command,
        "recipe_sha256": recipe_hash,
        "seed": recipe.seed,
        "start": recipe.start,
        "epochs": recipe.epochs,
        "seconds": round(time.monotonic() - began),
        "origin": "fine-tuned on scenes drawn by referee.synth from Ultralytics' YOLO26n, COCO (AGPL-3.0)",
        "licence": "AGPL-3.0-or-later",
    }
    write_card(onnx, add_stages(card, recipe_path.parent / recipe.start))
    # An 8-bit copy beside it, if it finds as many.
    add_int8_detector(onnx, data, recipe.image_px)
    return scores
