"""How far drawn scenes are from photographs: small detectors trained on scenes alone, tested on photographs.

One is trained on everything that the generator draws, one on its bare scenes, and one without each effect. All have the
same seeds, so that only the effect differs. Results are kept as they come: an interrupted run goes on.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from ultralytics import YOLO
from ultralytics.utils import LOGGER

from ..evaluation.location import LocationScore, Seen, score_location
from ..evaluation.truth import TrueCard, load_truth
from ..synth.dataset import DatasetError, Split, write_splits
from ..synth.effects import EFFECTS
from ..synth.scene import SceneSpec
from ..vision.geometry import suppress
from ..vision.sources import read_image
from .detector import AUGMENT, quicken_on_cpu
from .recipe import RecipeError

BARE = tuple(name for name in EFFECTS if name not in ("photos", "ordinary"))
"""What bare scenes leave out: all that a first generator lacks. Ordinary cards stay, for the photographs show them."""
_LEAST_SCORE = 0.02
_VAL_SEED = 10_000_000


@dataclass(frozen=True, slots=True)
class DistanceRun:
    """The settings of all trainings of one comparison.

    Parameters
    ----------
    scenes, epochs, image_px, batch
        Size of each training.
    seed
        Of the first scene and of the training.
    sides_px
        To which the longer side of a photograph is brought for the test; what is found at all of them counts.
    """

    scenes: int = 1200
    epochs: int = 2
    image_px: int = 416
    batch: int = 8
    seed: int = 0
    sides_px: tuple[int, ...] = (416, 832)

    def spec(self, without: tuple[str, ...]) -> SceneSpec:
        """Give the scenes of a training: those of `datasets/scenes.yaml`, made as small as its pictures."""
        k = self.image_px / 640
        low = max(64, round(self.image_px * 0.75 / 32) * 32)
        return SceneSpec(
            width_px=(self.image_px, self.image_px), height_px=(low, self.image_px),
            table_card_px=(18.0 * k, 60.0 * k), photo_card_px=(25.0 * k, 320.0 * k),
            count_card_px=(22.0 * k, 110.0 * k), table=0.38, photo=0.4, count=0.1, empty=0.12, without=without,
        )  # fmt: skip


def variants(effects: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Name the trainings: everything, bare, and without each effect; what each leaves out."""
    return {"everything": (), "bare": BARE, **{f"without {name}": (name,) for name in effects}}


def measure_distance(
    photos: tuple[Path, ...], out: Path, run: DistanceRun, effects: tuple[str, ...], start: Path, threads: int,
    scenes: Path | None = None, tell: Callable[[str], None] = lambda line: None,
) -> dict[str, LocationScore]:  # fmt: skip
    """Train and test what isn't yet in `out/results.json`; give the score of every training by name.

    Parameters
    ----------
    photos
        Folders with labelled photographs (see `evaluation.cards`).
    start
        Weights to start from, YOLO26n's.
    threads
        Of the training.
    scenes
        Train on this data set (a `data.yaml`) too, under its folder's name: another generator's, say.
    tell
        Is told what happens.

    Raises
    ------
    RecipeError
        If `out` holds results of other settings, or something can't be read or written.
    TruthError
        If the photographs' truth can't be used.
    """
    LOGGER.setLevel("WARNING")
    pictures = [item for place in photos for item in load_truth(place)]
    settings = {**asdict(run), "sides_px": list(run.sides_px), "photos": [str(place) for place in photos]}
    results = _read_results(out, settings)
    jobs: dict[str, tuple[str, ...] | Path] = dict(variants(effects))
    if scenes is not None:
        jobs[scenes.resolve().parent.name] = scenes
    for name, what in jobs.items():
        if name in results:
            continue
        tell(f"{name}: drawing {run.scenes} scenes" if isinstance(what, tuple) else f"{name}: training on {what}")
        work = out / name.replace(" ", "-")
        shutil.rmtree(work, ignore_errors=True)
        try:
            data = what if isinstance(what, Path) else _draw(run, what, work / "scenes", threads)
            weights = _train(run, data, work, start, threads)
        except DatasetError as error:
            raise RecipeError(str(error)) from error
        score = score_location(_find(YOLO(str(weights), task="obb"), pictures, run.sides_px))
        results[name] = score
        _write_results(out, settings, results)
        shutil.rmtree(work, ignore_errors=True)
        tell(
            f"{name}: average precision {score.average_precision:.3f}, {score.found}/{score.cards}, false {score.false}"
        )
    return results


def _read_results(out: Path, settings: dict[str, Any]) -> dict[str, LocationScore]:
    place = out / "results.json"
    if not place.exists():
        return {}
    try:
        record = json.loads(place.read_text(encoding="utf-8"))
        old, scores = record["settings"], record["scores"]
        results = {name: LocationScore(**score) for name, score in scores.items()}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RecipeError(f"{place}: can't be read ({error}): remove it or choose another folder") from error
    if old != settings:
        raise RecipeError(f"{out} holds results of other settings: choose another folder")
    return results


def _write_results(out: Path, settings: dict[str, Any], results: dict[str, LocationScore]) -> None:
    record = {"settings": settings, "scores": {name: score.as_json() for name, score in results.items()}}
    part = out / "results.json.part"
    part.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    os.replace(part, out / "results.json")


def _draw(run: DistanceRun, without: tuple[str, ...], folder: Path, workers: int) -> Path:
    spec = run.spec(without)
    splits = (Split("train", run.scenes, run.seed, spec), Split("val", 16, _VAL_SEED, spec))
    return write_splits(splits, folder, workers, progress=False)


def _train(run: DistanceRun, data: Path, work: Path, start: Path, threads: int) -> Path:
    try:
        model = YOLO("yolo26n-obb.yaml", task="obb").load(str(start))
    except (OSError, RuntimeError) as error:
        raise RecipeError(f"{start}: can't be read or fetched: give the path of a yolo26n.pt") from error
    model.add_callback("on_train_start", quicken_on_cpu)
    # Ultralytics and `quicken_on_cpu` take all cores.
    model.add_callback("on_train_start", lambda trainer: torch.set_num_threads(threads))
    model.train(
        data=str(data), epochs=run.epochs, batch=run.batch, imgsz=run.image_px, optimizer="AdamW", lr0=0.001, lrf=0.05,
        warmup_epochs=0.3, mosaic=0.2, close_mosaic=1, scale=0.4, seed=run.seed, workers=0, plots=False, val=False,
        verbose=False, project=str(work.resolve()), name="train", exist_ok=True,
        device=0 if torch.cuda.is_available() else "cpu", **AUGMENT,
    )  # fmt: skip
    return work / "train" / "weights" / "last.pt"


def _find(model: YOLO, pictures: list[tuple[Path, list[TrueCard]]], sides_px: tuple[int, ...]) -> Iterator[Seen]:
    for place, true in pictures:
        image = read_image(place)
        quads, scores = [np.zeros((0, 4, 2), np.float32)], [np.zeros(0, np.float32)]
        for side in sides_px:
            boxes = model.predict(image, imgsz=side, conf=_LEAST_SCORE, verbose=False)[0].obb
            quads.append(boxes.xyxyxyxy.cpu().numpy().astype(np.float32))
            scores.append(boxes.conf.cpu().numpy().astype(np.float32))
        all_quads, all_scores = np.concatenate(quads), np.concatenate(scores)
        kept = suppress(all_quads, all_scores, 0.5)
        yield [all_quads[i] for i in kept], [float(all_scores[i]) for i in kept], true
