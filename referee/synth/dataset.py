"""Data sets of scenes on disk: ultralytics' OBB format beside our own truth, from a YAML recipe.

A data set appears whole or not at all: it is written under a temporary name and renamed when the last file is there.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import multiprocessing
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

import cv2
import numpy as np

from .effects import EFFECTS, strip_spec
from .scene import Scene, SceneSpec, make_scene
from .stock import SEEDS_PER_BLOCK

CLASSES = ("face", "back")
LABEL_VISIBLE = 0.4
"""Cards of which less shows are not labelled.

Cards that are 60% visible must be found, a fanned Post Pile shows about 0.3 of each lower card. At 0.4 every card that
must be found is labelled with room for doubt, and what is not labelled is a strip that nobody needs.
"""
_BYTES_PER_SCENE = 250_000
"""Measured: 90 to 240 kB for a 640 px JPEG of quality 93 with its label and truth."""


class DatasetError(ValueError):
    """A recipe or a place that no data set can be made from; the message says what to change."""


@dataclass(frozen=True, slots=True)
class Split:
    """One part of a data set.

    Parameters
    ----------
    name
        `train`, `val` or `test`.
    count
        Number of scenes.
    seed
        Of the first scene.
    spec
        What may be drawn.
    step
        From one scene's seed to the next: 1 is fastest, a larger one shares less art between the scenes.
    """

    name: str
    count: int
    seed: int
    spec: SceneSpec
    step: int = 1

    @property
    def seeds(self) -> range:
        """Give the scenes' seeds."""
        return range(self.seed, self.seed + self.count * self.step, self.step)


def _pair(value: Any, where: str, whole: bool) -> tuple[float, float]:
    ok = isinstance(value, list | tuple) and len(value) == 2
    numbers = ok and all(isinstance(v, int | float) and not isinstance(v, bool) and np.isfinite(v) for v in value)
    if not numbers or (whole and any(v != int(v) for v in value)):
        raise DatasetError(f"{where}: write [lowest, highest], two {'whole ' if whole else ''}numbers")
    low, high = value
    if low > high:
        raise DatasetError(f"{where}: the lowest value {low} is above the highest {high}: swap them")
    return (int(low), int(high)) if whole else (float(low), float(high))


_LIMITS: dict[str, tuple[float, float]] = {
    "width_px": (64, 4096),
    "height_px": (64, 4096),
    "seats": (1, 8),
    "table_card_px": (6, 1000),
    "photo_card_px": (6, 2000),
    "count_card_px": (6, 1000),
    "table_tilt_deg": (0, 70),
    "photo_tilt_deg": (0, 70),
    "photo_cards": (1, 60),
    "dutch_piles": (0, 40),
    "pile_cards": (1, 40),
    "arms": (0, 12),
    "clutter": (0, 60),
    "table": (0, 1e6),
    "photo": (0, 1e6),
    "count": (0, 1e6),
    "empty": (0, 1e6),
    "ordinary": (0, 1),
    "degrade": (0, 2),
    "lens": (0, 0.3),
}


def parse_spec(record: dict[str, Any], where: str = "spec") -> SceneSpec:
    """Make a `SceneSpec` from a recipe's keys.

    Raises
    ------
    DatasetError
        On an unknown key or an impossible value.
    """
    hints = get_type_hints(SceneSpec)
    values: dict[str, Any] = {}
    for key, value in record.items():
        if key not in hints:
            raise DatasetError(f"{where}: unknown key '{key}': use {', '.join(sorted(hints))}")
        place = f"{where}: {key}"
        if key == "without":
            values[key] = _effects(value, place)
            continue
        if hints[key] is bool:
            if not isinstance(value, bool):
                raise DatasetError(f"{place}: write true or false")
            values[key] = value
            continue
        if hints[key] is float:
            if not isinstance(value, int | float) or isinstance(value, bool):
                raise DatasetError(f"{place}: write a number")
            pair = (float(value), float(value))
            values[key] = float(value)
        else:
            pair = _pair(value, place, hints[key] == tuple[int, int])
            values[key] = pair
        low, high = _LIMITS[key]
        if not (low <= pair[0] and pair[1] <= high):
            raise DatasetError(f"{place}: only {low:g} to {high:g} is possible")
    spec = SceneSpec(**values)
    left = strip_spec(spec)
    if left.table + left.photo + left.count + left.empty <= 0:
        raise DatasetError(f"{where}: table, photo, count and empty are all 0: nothing would be drawn")
    return spec


def _effects(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or any(name not in EFFECTS for name in value):
        raise DatasetError(f"{where}: write a list of {', '.join(EFFECTS)}")
    return tuple(sorted(set(value)))


def load_recipe(path: Path) -> tuple[Split, ...]:
    """Read a recipe: `scene` (keys of `SceneSpec` for all splits) and `splits` (each with count, seed, its own keys).

    Raises
    ------
    DatasetError
        If it can't be read, has an unknown key or an impossible value, or its splits share scenes.
    """
    import yaml

    try:
        record = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DatasetError(f"{path}: {error.strerror or error}") from error
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise DatasetError(f"{path}: no valid YAML: {error}") from error
    if not isinstance(record, dict) or not isinstance(record.get("splits"), dict) or not record["splits"]:
        raise DatasetError(f"{path}: write 'splits:' with train, val or test under it")
    for key in record:
        if key not in ("scene", "splits"):
            raise DatasetError(f"{path}: unknown key '{key}': use scene, splits")
    common = record.get("scene") or {}
    if not isinstance(common, dict):
        raise DatasetError(f"{path}: scene: keys and values are expected")
    splits = []
    for name, own in record["splits"].items():
        where = f"{path}: splits: {name}"
        if name not in ("train", "val", "test"):
            raise DatasetError(f"{where}: call it train, val or test")
        if not isinstance(own, dict):
            raise DatasetError(f"{where}: write count and seed")
        keys = dict(own)
        count, seed = keys.pop("count", None), keys.pop("seed", None)
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= 10_000_000:
            raise DatasetError(f"{where}: count: write a whole number of scenes, at least 1")
        if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 2**62:
            raise DatasetError(f"{where}: seed: write a whole number, 0 or more")
        step = keys.pop("step", 1)
        if not isinstance(step, int) or isinstance(step, bool) or not 1 <= step <= SEEDS_PER_BLOCK:
            raise DatasetError(f"{where}: step: write a whole number from 1 to {SEEDS_PER_BLOCK}")
        splits.append(Split(str(name), count, seed, parse_spec({**common, **keys}, where), step))
    spans = sorted(
        (split.seed // SEEDS_PER_BLOCK, (split.seed + split.count) // SEEDS_PER_BLOCK, split.name) for split in splits
    )
    for (_, end, first), (start, _, second) in zip(spans, spans[1:], strict=False):
        if start <= end:
            raise DatasetError(f"{path}: {first} and {second} would share scenes or art: set their seeds farther apart")
    return tuple(splits)


def obb_lines(scene: Scene) -> list[str]:
    """Give the label file's lines: class x1 y1 .. x4 y4, normalised, of every card with `LABEL_VISIBLE` of it in sight.

    A card that the picture's edge cuts is given as the polygon that is left of it (3 to 8 corners): ultralytics
    refuses the whole picture when a corner lies outside, and takes the smallest oriented box round any polygon.
    """
    height, width = scene.image.shape[:2]
    frame = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    lines = []
    for card in scene.cards:
        if card.visible < LABEL_VISIBLE:
            continue
        points = ((card.quad_px + 0.5) / (width, height)).astype(np.float32)
        if points.min() < 0 or points.max() > 1:
            area, cut = cv2.intersectConvexConvex(points, frame)
            if area <= 0 or cut is None:
                continue
            points = np.clip(cut.reshape(-1, 2), 0, 1)
        lines.append(f"{CLASSES.index(card.kind)} " + " ".join(f"{v:.6f}" for v in points.ravel()))
    return lines


def truth_record(name: str, scene: Scene) -> dict[str, Any]:
    """Give everything known of a scene as JSON values."""
    return {
        "image": name,
        "size_px": [scene.image.shape[1], scene.image.shape[0]],
        "sort": scene.sort,
        "px_from_mm": [[round(float(v), 9) for v in row] for row in scene.px_from_mm],
        "lens": list(scene.lens),
        "focal_px": round(scene.focal_px, 4),
        "cards": [
            {
                "quad": [[round(float(x), 3), round(float(y), 3)] for x, y in card.quad_px],
                "label": card.label,
                "kind": card.kind,
                "visible": round(card.visible, 4),
                "pile": card.pile,
                "on_top": card.on_top,
            }
            for card in scene.cards
        ],
    }


def _work(job: tuple[SceneSpec, str, str, range]) -> list[dict[str, Any]]:
    """Draw and write one block of scenes."""
    spec, folder, split, seeds = job
    records = []
    for seed in seeds:
        scene = make_scene(spec, seed)
        name = f"{seed:08d}"
        ok, data = cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, 93])
        if not ok:
            raise DatasetError(f"scene {seed} can't be encoded")
        (Path(folder) / "images" / split / f"{name}.jpg").write_bytes(data.tobytes())
        text = "".join(line + "\n" for line in obb_lines(scene))
        (Path(folder) / "labels" / split / f"{name}.txt").write_text(text, encoding="ascii")
        records.append(truth_record(f"images/{split}/{name}.jpg", scene))
    return records


def _one_thread() -> None:
    cv2.setNumThreads(1)


def _blocks(split: Split, folder: Path) -> Iterator[tuple[SceneSpec, str, str, range]]:
    """Give jobs that never cut a block of seeds, whose art is drawn once."""
    seeds = split.seeds
    while seeds:
        end = (seeds[0] // SEEDS_PER_BLOCK + 1) * SEEDS_PER_BLOCK
        inside = len(range(seeds[0], min(end, seeds[-1] + 1), split.step))
        yield split.spec, str(folder), split.name, seeds[:inside]
        seeds = seeds[inside:]


def _write_split(split: Split, folder: Path, workers: int, progress: bool) -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    for part in ("images", "labels"):
        (folder / part / split.name).mkdir(parents=True)
    jobs = list(_blocks(split, folder))
    records: list[dict[str, Any]] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, disable=not progress) as bar:
        task = bar.add_task(f"{split.name} scenes", total=split.count)

        def take(done: list[dict[str, Any]]) -> None:
            records.extend(done)
            bar.update(task, advance=len(done))

        if workers <= 1:
            for job in jobs:
                take(_work(job))
        else:
            # Spawned, so that a caller's threads (torch, OpenCV) can't deadlock a forked child.
            context = multiprocessing.get_context("spawn")
            with context.Pool(min(workers, len(jobs)), initializer=_one_thread) as pool:
                for done in pool.imap(_work, jobs):
                    take(done)
    text = json.dumps({"scenes": records}, separators=(",", ":"))
    (folder / f"truth_{split.name}.json").write_text(text, encoding="utf-8")


def write_splits(splits: tuple[Split, ...], out_dir: Path, workers: int = 0, progress: bool = True) -> Path:
    """Draw a data set with several splits; give the path of its `data.yaml`.

    Parameters
    ----------
    splits
        As `load_recipe` gives them.
    out_dir
        Must not exist yet, or be empty.
    workers
        Processes; 0 takes one for each core.

    Raises
    ------
    DatasetError
        If the place is taken, can't be written or has no room. Nothing is left behind then.
    """
    if not splits:
        raise DatasetError("a data set needs at least one split")
    workers = workers or os.cpu_count() or 1
    if out_dir.exists() and (not out_dir.is_dir() or any(out_dir.iterdir())):
        raise DatasetError(f"{out_dir} exists already: choose another folder or remove it")
    folder = out_dir.with_name(f".{out_dir.name}.{os.getpid()}.part")
    try:
        out_dir.parent.mkdir(parents=True, exist_ok=True)
        need = sum(s.count * _BYTES_PER_SCENE * _size_factor(s.spec) for s in splits)
        free = shutil.disk_usage(out_dir.parent).free
        if need > free:
            sizes = f"{need / 1e9:.1f} GB are needed and {free / 1e9:.1f} GB are free"
            raise DatasetError(f"{out_dir.parent}: {sizes}: lower count or choose another disk")
        folder.mkdir()
        for split in splits:
            _write_split(split, folder, workers, progress)
        names = "".join(f"  {i}: {name}\n" for i, name in enumerate(CLASSES))
        present = {split.name for split in splits}
        train = "train" if "train" in present else splits[0].name
        val = "val" if "val" in present else train
        # ultralytics wants train and val even of a set that only tests.
        lines = [f"train: images/{train}\n", f"val: images/{val}\n"]
        if "test" in present:
            lines.append("test: images/test\n")
        text = f"path: {json.dumps(str(out_dir.resolve()))}\n" + "".join(lines) + f"names:\n{names}"
        (folder / "data.yaml").write_text(text, encoding="utf-8")
        if out_dir.exists():
            out_dir.rmdir()
        folder.rename(out_dir)
    except OSError as error:
        raise DatasetError(f"{out_dir}: can't be written: {error.strerror or error}") from error
    finally:
        if folder.exists():
            shutil.rmtree(folder, ignore_errors=True)
    return out_dir / "data.yaml"


def _size_factor(spec: SceneSpec) -> float:
    return spec.width_px[1] * spec.height_px[1] / (640 * 640)


def write_dataset(spec: SceneSpec, out_dir: Path, count: int, seed: int, workers: int = 0) -> Path:
    """Draw `count` scenes as a data set with one split, `train`; see `write_splits`."""
    if count < 1:
        raise DatasetError(f"count is {count}: at least 1 scene is needed")
    return write_splits((Split("train", count, seed, spec),), out_dir, workers)


def ensure_dataset(recipe: Path, out_root: Path, workers: int = 0) -> Path:
    """Give the `data.yaml` of a recipe's data set, drawn now unless an earlier call has drawn it.

    It lies in a folder of `out_root` named by the recipe's contents, so a changed recipe is another data set.

    Raises
    ------
    DatasetError
        See `load_recipe` and `write_splits`.
    """
    splits = load_recipe(recipe)
    plain = json.dumps([dataclasses.asdict(split) for split in splits], sort_keys=True)
    out_dir = out_root / f"{recipe.stem}-{hashlib.sha256(plain.encode()).hexdigest()[:12]}"
    data = out_dir / "data.yaml"
    return data if data.exists() else write_splits(splits, out_dir, workers)
