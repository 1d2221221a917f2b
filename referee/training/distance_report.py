"""The table that `referee evaluate distance` prints."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from ..synth.effects import EFFECTS
from .distance import DistanceRun, measure_distance
from .recipe import RecipeError


def report_distance(
    photos: tuple[Path, ...], out: Path, scenes: int, epochs: int, size_px: int, effects: str, data: Path | None,
    start: Path | None, seed: int, threads: int,
) -> None:  # fmt: skip
    """Measure and print; `effects` is a list with commas, empty for all.

    Raises
    ------
    RecipeError
        If there is no such effect, or as `measure_distance`.
    """
    chosen = tuple(name.strip() for name in effects.split(",") if name.strip()) or tuple(EFFECTS)
    for name in chosen:
        if name not in EFFECTS:
            raise RecipeError(f"no effect '{name}': choose from {', '.join(EFFECTS)}")
    if size_px % 32:
        raise RecipeError(f"--size {size_px}: a multiple of 32 is needed, such as {size_px // 32 * 32}")
    if data is not None and not data.is_file():
        raise RecipeError(f"{data}: give the data.yaml of a data set")
    out.mkdir(parents=True, exist_ok=True)
    beside = Path("datasets/yolo26n.pt")
    weights = start or (beside if beside.exists() else Path("yolo26n.pt"))
    run = DistanceRun(scenes=scenes, epochs=epochs, image_px=size_px, seed=seed, sides_px=(size_px, 2 * size_px))
    results = measure_distance(photos, out, run, chosen, weights, threads, data, tell=click.echo)
    table = Table(title=f"{scenes} scenes of {size_px} px, {epochs} epochs; IoU 0.5")
    for title in ("trained on", "average precision", "against everything", "found", "false"):
        table.add_column(title, justify="left" if title == "trained on" else "right")
    whole = results["everything"].average_precision
    for name, score in results.items():
        table.add_row(
            name,
            f"{score.average_precision:.3f}",
            "" if name == "everything" else f"{score.average_precision - whole:+.3f}",
            f"{score.found} of {score.cards}",
            str(score.false),
        )
    Console(width=None if Console().is_terminal else 110).print(table)
