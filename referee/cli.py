"""The command line: the composition root that builds the parts and hands them to the pipeline.

Everything heavy is imported inside the command that needs it, so that `referee --help` stays quick.
"""

from __future__ import annotations

from pathlib import Path

import click

from . import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__)
def main() -> None:
    """Referee Dutch Blitz with a camera: see every card, follow every move, score the round."""


@main.command()
@click.argument("network", type=click.Choice(["detector", "identifier"]))
@click.option("--recipe", "path", type=click.Path(path_type=Path), required=True, help="What to train on and how.")
@click.option("--runs", type=click.Path(path_type=Path), default=Path("runs"), help="Scenes and checkpoints.")
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"), help="Where the network is put.")
def train(network: str, path: Path, runs: Path, models: Path) -> None:
    """Make the data, train a network, validate and export it; goes on where it was interrupted."""
    try:
        from .training.recipe import DetectorRecipe, IdentifierRecipe, RecipeError, load_recipe
    except ImportError as error:
        raise click.ClickException(f"training needs more packages: pip install 'referee[train]' ({error})") from error
    command = f"referee train {network} --recipe {path}"
    try:
        if network == "identifier":
            reader, digest = load_recipe(path, IdentifierRecipe)
            from .training.identifier import train_identifier

            scores = train_identifier(reader, digest, runs, models, command)
        else:
            finder, digest = load_recipe(path, DetectorRecipe)
            from .training.detector import train_detector

            scores = train_detector(finder, digest, path, runs, models, command)
    except RecipeError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename or runs}: {error.strerror or error}") from error
    click.echo(f"{network}: {scores}")
