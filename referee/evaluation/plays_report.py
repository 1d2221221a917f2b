"""Follows simulated rounds with the whole chain, and prints how well that went."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from ..game.event_types import Event, EventError
from ..game.events import read_log
from ..game.variant import Variant, get_variant
from ..layout import TableLayout
from ..running import find_layout, follow, open_source
from ..synth.noise import load_observations
from ..tracking.tracker import Tracker
from .plays import RoundFigures, score_round

_ROWS = {
    "plays": ("plays", "{}"),
    "precision": ("precision", "{:.1%}"),
    "recall": ("recall", "{:.1%}"),
    "f1": ("F1", "{:.1%}"),
    "owner": ("owner", "{:.1%}"),
    "owner_at_once": ("owner, at once", "{:.1%}"),
    "rulings": ("true rulings", "{}"),
    "ruling_recall_at_once": ("rulings found at once", "{:.1%}"),
    "ruling_recall": ("rulings found", "{:.1%}"),
    "false_alarms_at_once": ("false alarms a round, at once", "{:.2f}"),
    "false_alarms": ("false alarms a round", "{:.2f}"),
    "blitz_right": ("Blitz right", "{}"),
    "blitz_delay_s": ("Blitz delay, s", "{:.2f}"),
    "dutch_mae": ("Dutch count, mean error", "{:.2f}"),
    "dutch_exact": ("seats exact", "{:.1%}"),
    "dutch_sure": ("seats called sure", "{:.1%}"),
    "dutch_exact_when_sure": ("exact among the sure", "{:.1%}"),
    "counted_mae": ("count by backs, mean error", "{:.2f}"),
    "latency_p50_s": ("latency p50, s", "{:.2f}"),
    "latency_p95_s": ("latency p95, s", "{:.2f}"),
    "time_error_p50_s": ("touch-down error p50, s", "{:.2f}"),
}


class RoundError(ValueError):
    """A round's folder that can't be used; the message says what is missing."""


def evaluate_folder(folder: Path, from_detections: bool) -> RoundFigures:
    """Follow one simulated round and compare it with its truth.

    Raises
    ------
    RoundError, RunError
        If a file is missing or can't be used.
    """
    truth = _read_truth(folder / "events.jsonl")
    layout = find_layout(folder / "layout.toml", "", None)
    variant = get_variant("official")
    if from_detections:
        seen = _follow_detections(folder / "detections.jsonl", layout, variant)
    else:
        seen, _ = follow(open_source(str(folder / "film.mp4")), layout, variant)
    return score_round(truth, seen, layout.card_mm)


def _read_truth(path: Path) -> list[Event]:
    try:
        return list(read_log(path.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a UTF-8 text file"
        raise RoundError(f"{path}: {reason}: give folders that `referee simulate` wrote") from error
    except EventError as error:
        raise RoundError(f"{path}: {error}: give folders that `referee simulate` wrote") from error


def _follow_detections(path: Path, layout: TableLayout, variant: Variant) -> list[Event]:
    tracker = Tracker(layout, variant)
    events: list[Event] = []
    try:
        for observation in load_observations(path):
            events += tracker.update(observation)
    except OSError as error:
        raise RoundError(f"{path}: {error.strerror or error}: write it with `referee simulate --no-film`") from error
    except ValueError as error:
        raise RoundError(str(error)) from error
    return events + tracker.finish()


def report_plays(paths: Sequence[Path], as_json: bool, from_detections: bool) -> None:
    """Evaluate rounds and print the figures of each and of all together.

    Raises
    ------
    RoundError, RunError
        If a round can't be used.
    """
    figures: dict[str, RoundFigures] = {}
    for path in paths:
        figures[str(path)] = evaluate_folder(path, from_detections)
    total = sum(figures.values(), RoundFigures(rounds=0))
    if as_json:
        rounds = {name: item.as_json() for name, item in figures.items()}
        click.echo(json.dumps({"rounds": rounds, "total": total.as_json()}))
        return
    _print(figures, total)


def _print(figures: dict[str, RoundFigures], total: RoundFigures) -> None:
    console = Console(width=None if Console().is_terminal else 60 + 14 * len(figures))
    table = Table(title="Plays followed, compared with the truth")
    table.add_column("")
    for name in figures:
        table.add_column(Path(name).name, justify="right")
    table.add_column("all", justify="right")
    columns = [item.as_json() for item in figures.values()] + [total.as_json()]
    for key, (title, form) in _ROWS.items():
        table.add_row(title, *(_show(column[key], form) for column in columns))
    console.print(table)
    low, high = total.as_json()["ruling_recall_95"]
    console.print(f"rulings found, 95% interval: {low:.0%} to {high:.0%}")
    console.print(f"Blitz right in {total.blitz_right} of {total.rounds} rounds")


def _show(value: Any, form: str) -> str:
    return "-" if value is None or value != value else form.format(value)
