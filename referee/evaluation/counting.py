"""Counts spreads whose numbers are known: how many are exact, and whether any was called sure and wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from ..audit import Count, add_counts
from ..counting.counter import CardCounter
from ..counting.drawing import draw_tally
from ..counting.enrolling import EnrollError, learn_one
from ..counting.naming import check_distinct
from ..decks import DeckError
from ..synth.spread import Spread, SpreadSpec, make_spread, other_backs
from ..synth.stock import SEEDS_PER_BLOCK, CardPicture
from ..vision.commands import save_picture
from .reconciling import evaluate_reconciling

POKER_MM = (63.5, 88.9)


class CountRecipeError(ValueError):
    """A recipe of spreads, or pictures of backs, that can't be used; the message says what to change."""


@dataclass(frozen=True, slots=True)
class Task:
    """One series of spreads."""

    name: str
    count: int
    seed: int
    spec: SpreadSpec


@dataclass(frozen=True, slots=True)
class Outcome:
    """One spread: what was there, what was counted, and whether that was called sure."""

    task: str
    seed: int
    true: dict[str, int]
    counted: dict[str, int]
    faces: int
    sure: bool
    doubts: int

    @property
    def exact(self) -> bool:
        """Tell whether every deck's number is right."""
        return {k: n for k, n in self.true.items() if n} == {k: n for k, n in self.counted.items() if n}


def load_tasks(path: Path) -> tuple[Task, ...]:
    """Read a recipe of spreads.

    Raises
    ------
    CountRecipeError
        If it can't be read or has an unknown key.
    """
    import yaml

    try:
        record = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CountRecipeError(f"{path}: {error.strerror or error}") from error
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise CountRecipeError(f"{path}: no valid YAML: {error}") from error
    if not isinstance(record, dict):
        raise CountRecipeError(f"{path}: write a name and its keys for each series")
    known = {field.name for field in fields(SpreadSpec)}
    tasks = []
    for name, keys in record.items():
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in dict(keys or {}).items()}
        count, seed = values.pop("count", 0), values.pop("seed", 0)
        for key in values:
            if key not in known:
                raise CountRecipeError(f"{path}: {name}: unknown key '{key}': use {', '.join(sorted(known))}")
        tasks.append(Task(str(name), int(count), int(seed), SpreadSpec(**values)))
    return tuple(tasks)


def load_backs(folder: Path) -> tuple[CardPicture, ...]:
    """Read pictures of backs (PNG, transparent outside the card or filling the picture) in the order of their names.

    Raises
    ------
    CountRecipeError
        If there are fewer than two.
    """
    pictures = []
    for path in sorted(folder.glob("*.png")):
        image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        if image is None or image.ndim != 3:
            raise CountRecipeError(f"{path}: no colour PNG: give pictures of backs")
        if image.shape[2] == 3:
            image = np.dstack([image, np.full(image.shape[:2], 255, np.uint8)])
        size = (round(POKER_MM[0] * 4), round(POKER_MM[1] * 4))
        pictures.append(cv2.resize(image, size, interpolation=cv2.INTER_AREA))
    if len(pictures) < 2:
        raise CountRecipeError(f"{folder}: {len(pictures)} PNG pictures of backs: give at least two")
    return other_backs(pictures, POKER_MM)


def count_spread(task: Task, seed: int, spread: Spread, counter: CardCounter, out: Path | None = None) -> Outcome:
    """Count all heaps of a spread; pictures of what was wrong or doubtful go to `out`."""
    tallies = counter.count_heaps([scene.image for scene in spread.scenes])
    total: Count = add_counts(tally.count for tally in tallies)
    outcome = Outcome(
        task.name, seed, dict(spread.counts), dict(total.cards), spread.faces, total.sure, total.doubts + total.unread
    )
    if out is not None and not (outcome.exact and outcome.sure):
        for n, (scene, tally) in enumerate(zip(spread.scenes, tallies, strict=True)):
            save_picture(draw_tally(scene.image, tally), out / f"{task.name}-{seed}-{n}.jpg")
    return outcome


def run_task(task: Task, backs: Sequence[CardPicture] = (), out: Path | None = None) -> Iterator[Outcome]:
    """Draw and count each spread of a series, one after the other.

    Parameters
    ----------
    backs
        Other people's designs: each is learnt from one picture of one card before.
    out
        Folder for pictures of what was not exact and sure.
    """
    counter = CardCounter()
    for number in range(task.count):
        # Each spread has art of its own: a block of seeds shares it.
        seed = task.seed + number * SEEDS_PER_BLOCK
        if not backs:
            yield count_spread(task, seed, make_spread(task.spec, seed), counter, out)
            continue
        chosen = tuple(backs[(number * 2 + n) % len(backs)] for n in range(min(len(backs), task.spec.decks[1])))
        spread = make_spread(task.spec, seed, chosen)
        try:
            learnt = [learn_one(counter, [scene.image], name) for name, scene in spread.samples.items()]
            check_distinct(learnt)
        except (EnrollError, DeckError):
            yield Outcome(task.name, seed, dict(spread.counts), {}, spread.faces, False, 0)
            continue
        yield count_spread(task, seed, spread, CardCounter(learnt), out)


def summarise(outcomes: Sequence[Outcome]) -> Mapping[str, int]:
    """Give the figures of a series."""
    return {
        "spreads": len(outcomes),
        "exact": sum(item.exact for item in outcomes),
        "sure": sum(item.sure for item in outcomes),
        "sure and wrong": sum(item.sure and not item.exact for item in outcomes),
        "cards": sum(sum(item.true.values()) for item in outcomes),
        "cards off": sum(
            sum(abs(item.true.get(k, 0) - item.counted.get(k, 0)) for k in {*item.true, *item.counted})
            for item in outcomes
        ),
    }


def report_count(
    recipe: Path, series: Sequence[str], limit: int | None, backs: Path | None, rounds: int, out: Path | None,
    as_json: bool,
) -> Iterator[str]:  # fmt: skip
    """Count the series of a recipe, reconcile spoiled rounds, and give the lines to print.

    Parameters
    ----------
    series
        Names of those wanted; none for all.
    limit
        Only so many spreads of each.
    backs
        Folder with pictures of other people's backs, for the series `others`.
    rounds
        How many rounds with errors in their log are reconciled.
    """
    tasks = load_tasks(recipe)
    if unknown := set(series) - {task.name for task in tasks}:
        names = ", ".join(task.name for task in tasks)
        raise CountRecipeError(f"{recipe}: no series '{min(unknown)}': use {names}")
    figures: dict[str, Any] = {}
    for task in tasks:
        if (series and task.name not in series) or (task.name == "others" and backs is None):
            continue
        short = Task(task.name, min(task.count, limit or task.count), task.seed, task.spec)
        outcomes = []
        for outcome in run_task(short, load_backs(backs) if task.name == "others" and backs is not None else (), out):
            outcomes.append(outcome)
            if as_json:
                yield json.dumps({**asdict(outcome), "exact": outcome.exact})
            else:
                said = "exact" if outcome.exact else f"true {outcome.true}, counted {outcome.counted}"
                yield f"{task.name} {outcome.seed}: {said}" + (", sure" if outcome.sure else "")
        figures[task.name] = summarise(outcomes)
    if rounds:
        figures["reconciliation"] = asdict(evaluate_reconciling(rounds))
    if as_json:
        yield json.dumps(figures)
        return
    for name, values in figures.items():
        yield f"{name}: " + ", ".join(f"{key} {value}" for key, value in values.items())
