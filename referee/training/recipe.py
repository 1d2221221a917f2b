"""Training recipes: YAML files whose every key is known; an unknown key is an error."""

from __future__ import annotations

import hashlib
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import yaml

T = TypeVar("T")


class RecipeError(ValueError):
    """A recipe that can't be used; the message says where and what to change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifierRecipe:
    """How the reader is trained: crops are made on the fly, none is ever seen twice.

    Parameters
    ----------
    steps, batch
        Length of the training and crops a step.
    learning_rate
        Peak of the one-cycle schedule.
    validation_crops
        Crops of held-out art on which the network is judged and its temperatures are fitted.
    seed
        Of the crops and of the weights.
    start
        An exported reader (.onnx, beside this recipe) to train on; by default the weights are random.
    keep
        Share of `start`'s weights in the mean that is exported: what it knew is kept (see `mix_weights`).
    scenes, scene_share
        The recipe of drawn scenes, a file beside this one, and the share of crops that are cut from them.
    mined_scenes
        In so many of the scenes the shipped detector's mistakes are looked for; they are shown as what is no card.
    """

    steps: int
    batch: int = 96
    start: str = ""
    keep: float = 0.0
    scenes: str = ""
    scene_share: float = 0.0
    mined_scenes: int = 0
    learning_rate: float = 0.003
    validation_crops: int = 4000
    checkpoint_every: int = 250
    seed: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectorRecipe:
    """How the card detector is trained.

    Parameters
    ----------
    data
        The recipe of the scenes, a file beside this one.
    epochs, batch, image_px
        As ultralytics understands them.
    start
        Weights to start from: a path, a name that ultralytics can fetch, or an exported detector (.onnx) to train on.
    keep
        Share of the exported detector's weights in the mean that is exported: what it knew is kept (see `mix_weights`).
    learning_rate
        First learning rate of AdamW.
    mosaic, close_mosaic, scale
        Augmentation, as ultralytics understands it.
    workers
        Processes that load pictures.
    confidence, photo_confidence, nms_iou
        Thresholds that the model card recommends to the run-time: for the bird's-eye view and for any photograph.
    seed
        Of the training.
    """

    data: str
    epochs: int
    batch: int = 16
    image_px: int = 640
    start: str = "yolo26n.pt"
    keep: float = 0.0
    learning_rate: float = 0.001
    close_mosaic: int = 1
    mosaic: float = 0.2
    scale: float = 0.4
    workers: int = 2
    confidence: float = 0.4
    photo_confidence: float = 0.4
    nms_iou: float = 0.5
    seed: int = 1


def load_recipe(path: Path, kind: type[T]) -> tuple[T, str]:
    """Read a recipe; give it and the SHA-256 of its file.

    Raises
    ------
    RecipeError
        If the file can't be read, is no YAML table, or a key is unknown, missing or of the wrong type.
    """
    try:
        raw = path.read_bytes()
        record: Any = yaml.safe_load(raw)
    except OSError as error:
        raise RecipeError(f"{path}: {error.strerror or error}") from error
    except yaml.YAMLError as error:
        raise RecipeError(f"{path}: no valid YAML: {error}") from error
    if not isinstance(record, dict):
        raise RecipeError(f"{path}: a table of keys is expected")
    known = {item.name: item for item in fields(kind)}  # type: ignore[arg-type]
    for key, value in record.items():
        if key not in known:
            raise RecipeError(f"{path}: unknown key '{key}': use {', '.join(known)}")
        wanted = {"int": int, "float": (int, float), "str": str, "bool": bool}[str(known[key].type)]
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            raise RecipeError(f"{path}: {key}: a value of type {known[key].type} is expected, not {value!r}")
        if isinstance(value, int | float) and value < 0:
            raise RecipeError(f"{path}: {key}: {value} is below zero")
    for name, item in known.items():
        if item.default is MISSING and name not in record:
            raise RecipeError(f"{path}: the key '{name}' is missing")
    return kind(**record), hashlib.sha256(raw).hexdigest()
