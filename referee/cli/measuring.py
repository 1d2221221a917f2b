"""Measure: accuracy and speed."""

from __future__ import annotations

from pathlib import Path

import click


@click.group()
def evaluate() -> None:
    """Compare with the truth: every figure in the documentation comes from here."""


@evaluate.command("count")
@click.option("--recipe", type=click.Path(path_type=Path), default=Path("datasets/spreads.yaml"), show_default=True)
@click.option("--series", multiple=True, help="Only these of the recipe.  [default: all]")
@click.option("--limit", type=click.IntRange(1), help="Only so many spreads of each series.")
@click.option("--backs", type=click.Path(path_type=Path, file_okay=False), help="PNG pictures of other decks' backs.")
@click.option("--rounds", type=click.IntRange(0), default=20, show_default=True, help="Spoiled logs to reconcile.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Pictures of what was wrong or doubtful.")
@click.option("--json", "as_json", is_flag=True, help="Write the figures as JSON lines.")
def evaluate_count_command(
    recipe: Path, series: tuple[str, ...], limit: int | None, backs: Path | None, rounds: int, out: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Count drawn spreads by their backs, and reconcile rounds whose log has errors."""
    from ..evaluation.counting import CountRecipeError, report_count
    from ..vision.commands import VisionProblem, problems

    try:
        with problems():
            for line in report_count(recipe, series, limit, backs, rounds, out, as_json):
                click.echo(line)
    except (CountRecipeError, VisionProblem) as error:
        raise click.ClickException(str(error)) from error


@evaluate.command("plays")
@click.argument("paths", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Write the figures as JSON.")
@click.option("--from-detections", is_flag=True, help="Follow detections.jsonl instead of the film.")
def evaluate_plays_command(paths: tuple[Path, ...], as_json: bool, from_detections: bool) -> None:
    """Follow simulated rounds (folders that `simulate` wrote) and compare with their truth."""
    from ..evaluation.plays_report import RoundError, report_plays
    from ..running import RunError

    try:
        report_plays(paths, as_json, from_detections)
    except (RoundError, RunError) as error:
        raise click.ClickException(str(error)) from error


@evaluate.command("cards")
@click.argument("paths", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Write the figures as JSON.")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many pictures of each path.")
@click.option("--draw", type=click.Path(path_type=Path, file_okay=False), help="Put annotated pictures here.")
@click.option("--confusion", type=click.Path(path_type=Path, dir_okay=False), help="Draw which labels are mistaken.")
@click.option("--reliability", type=click.Path(path_type=Path, dir_okay=False), help="Draw how sure against how right.")
def evaluate_cards_command(
    paths: tuple[Path, ...], as_json: bool, limit: int | None, draw: Path | None, confusion: Path | None,
    reliability: Path | None,
) -> None:  # fmt: skip
    """Find and read the cards of pictures (cards.json, truth.json) or of films (frames.jsonl), and compare."""
    from ..evaluation.commands import cards_report
    from ..vision.commands import VisionProblem

    try:
        cards_report(paths, as_json, limit, draw, confusion, reliability)
    except VisionProblem as error:
        raise click.ClickException(str(error)) from error


@evaluate.command("distance")
@click.option("--photos", type=click.Path(path_type=Path), multiple=True, required=True, help="Labelled photographs.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("runs/distance"))
@click.option("--scenes", type=click.IntRange(16), default=1200, show_default=True, help="Scenes of each training.")
@click.option("--epochs", type=click.IntRange(1), default=2, show_default=True)
@click.option("--size", type=click.IntRange(128, 1280), default=416, show_default=True, help="Pixels of a scene.")
@click.option("--effects", default="", metavar="A,B", help="Leave only these out in turn; default: every effect.")
@click.option("--data", type=click.Path(path_type=Path), help="Train on this data.yaml too, another generator's say.")
@click.option("--start", type=click.Path(path_type=Path), help="YOLO26n's weights; default: beside the recipes.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--threads", type=click.IntRange(1), default=2, show_default=True)
def evaluate_distance_command(
    photos: tuple[Path, ...], out: Path, scenes: int, epochs: int, size: int, effects: str, data: Path | None,
    start: Path | None, seed: int, threads: int,
) -> None:  # fmt: skip
    """Train small detectors on scenes, with and without each effect, and test them on photographs; goes on."""
    try:
        from ..training.distance_report import report_distance
    except ImportError as error:
        raise click.ClickException(f"{error}: install what training needs: pip install 'referee[train]'") from error
    from ..evaluation.truth import TruthError
    from ..training.recipe import RecipeError

    try:
        report_distance(photos, out, scenes, epochs, size, effects, data, start, seed, threads)
    except (RecipeError, TruthError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename or out}: {error.strerror or error}") from error


@click.command()
@click.argument("film", type=click.Path(path_type=Path), default=Path("datasets/samples/round-4p/film.mp4"))
@click.option("--layout", type=click.Path(path_type=Path), help="By default layout.toml beside the film.")
@click.option("--seconds", type=click.FloatRange(min=0.5), help="Only the film's first seconds.")
@click.option("--engine", is_flag=True, help="Time the rules engine instead.")
@click.option("--networks", is_flag=True, help="Time the networks alone, on drawn tables.")
@click.option("--viewers", type=click.IntRange(1, 64), help="Measure what so many viewers cost, by turns without them.")
@click.option("--json", "as_json", is_flag=True, help="Write the figures as JSON.")
def bench(
    film: Path, layout: Path | None, seconds: float | None, engine: bool, networks: bool, viewers: int | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Time every stage of the pipeline on a film, beside the detector network alone."""
    from ..evaluation.commands import bench_report, engine_report, networks_report
    from ..vision.commands import VisionProblem

    try:
        if engine:
            engine_report(as_json)
        elif networks:
            networks_report(as_json)
        elif viewers is not None:
            from ..evaluation.viewers import report_viewers

            report_viewers(film, layout, seconds, viewers, as_json)
        else:
            bench_report(film, layout, seconds, as_json)
    except VisionProblem as error:
        raise click.ClickException(str(error)) from error
