"""See: single pictures, counts, decks."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("images", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object a picture to stdout.")
@click.option("--draw", type=click.Path(path_type=Path, file_okay=False), help="Put annotated pictures here.")
def identify(images: tuple[Path, ...], as_json: bool, draw: Path | None) -> None:
    """Find and read every card in pictures (files or folders), uncalibrated, at any scale."""
    from ..vision.commands import VisionProblem, identify_pictures

    try:
        for line in identify_pictures(images, as_json, draw):
            click.echo(line)
    except VisionProblem as error:
        raise click.ClickException(str(error)) from error


@click.command()
@click.argument("images", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--deck", "decks", type=click.Path(path_type=Path, dir_okay=False), multiple=True, help="Learnt backs.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object a picture to stdout.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Put pictures of what was counted here.")
def count(images: tuple[Path, ...], decks: tuple[Path, ...], as_json: bool, out: Path | None) -> None:
    """Count the cards of each deck by their backs; several pictures are different heaps and add up."""
    from ..counting.commands import count_pictures
    from ..vision.commands import VisionProblem

    try:
        for line in count_pictures(images, decks, as_json, out):
            click.echo(line)
    except VisionProblem as error:
        raise click.ClickException(str(error)) from error


@click.command()
@click.argument("source")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("decks.toml"), show_default=True)
@click.option("--layout", type=click.Path(path_type=Path, dir_okay=False), help="Learn each seat's hand on this table.")
@click.option("--name", "names", multiple=True, help="Of the deck; with a layout once for each seat, in their order.")
@click.option("--at", type=click.FloatRange(0), default=0.0, help="Second of a film to look at.")
def enroll(source: str, out: Path, layout: Path | None, names: tuple[str, ...], at: float) -> None:
    """Learn backs from one look at SOURCE: a picture of one card, or a table before the deal (with --layout)."""
    from ..counting.commands import enroll_decks
    from ..vision.commands import VisionProblem

    try:
        for line in enroll_decks(source, out, layout, names, at):
            click.echo(line)
    except VisionProblem as error:
        raise click.ClickException(str(error)) from error
