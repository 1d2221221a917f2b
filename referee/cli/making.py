"""Make: rounds with their truth, networks."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option("--seats", type=click.IntRange(2, 8), default=4, show_default=True, help="How many play.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Same seed, same round.")
@click.option("--illegal", type=click.IntRange(0, 40), default=3, show_default=True, help="Illegal plays.")
@click.option("--kinds", metavar="A,B|all", help="Kinds of illegal play; default: five on Dutch Piles.")
@click.option("--aside", type=click.FloatRange(0, 1), default=0.0, help="Share of finished piles moved aside.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for the round.")
@click.option("--no-film", is_flag=True, help="Write detections.jsonl from a noise model instead of a film.")
@click.option("--force", is_flag=True, help="Write into a folder that holds other files.")
@click.option("--size", default="1920x1080", show_default=True, metavar="WxH", help="Pixels of the film.")
@click.option("--fps", type=click.FloatRange(5, 60), help="Frames a second; 30, or 15 without film.")
@click.option("--pace", type=click.FloatRange(0.4, 3), default=1.0, show_default=True, help="0.7 experts, 1.5 slow.")
@click.option("--shortest", type=click.FloatRange(0), default=0.0, help="Deal again until it takes so many seconds.")
@click.option("--longest", type=click.FloatRange(20), default=600.0, help="Deal again until it takes no more seconds.")
@click.option("--table", metavar="KIND", help="Surface of the table, such as wood or felt; default: by seed.")
@click.option("--cards", metavar="FAMILY", help="Design of the faces, such as classic; default: by seed.")
@click.option("--gloss", type=click.FloatRange(0, 1), default=0.0, help="How strongly cards mirror the lamp.")
@click.option("--heldout", is_flag=True, help="Only tables and card designs that training never sees.")
@click.option("--small", is_flag=True, help="Take more time for a smaller film.")
@click.option("--crf", type=click.FloatRange(10, 45), default=29, show_default=True, help="Less is better and larger.")
@click.option("--frames", is_flag=True, help="Also write frames.jsonl: where every card of every frame lies.")
def simulate(
    seats: int, seed: int, illegal: int, kinds: str | None, aside: float, out: Path, no_film: bool, force: bool,
    size: str, fps: float | None,
    pace: float, shortest: float, longest: float, table: str | None, cards: str | None, gloss: float,
    heldout: bool, small: bool, crf: float, frames: bool,
) -> None:  # fmt: skip
    """Let bots play a round: film (or detections), truth, layout and notation."""
    from rich.progress import Progress

    from ..synth.film import QUICK, SMALL, sample_look, write_film
    from ..synth.mischief import MEANT_KINDS, parse_kinds
    from ..synth.renderer import Renderer
    from ..synth.rounds import play_round
    from ..synth.simulate import parse_size, write_detections

    try:
        look = sample_look(seed, heldout=heldout, surface=table, family=cards)
        look = look.polished(gloss) if gloss else look
        script = play_round(
            seed, seats, illegal, size_px=parse_size(size), pace=pace, length_s=(shortest, longest),
            kinds=MEANT_KINDS if kinds is None else parse_kinds(kinds), aside=aside,
        )  # fmt: skip
        with Progress(transient=True) as bar:
            task = bar.add_task(f"round of {script.end_s:.0f} s", total=1.0)

            def tell(share: float) -> None:
                bar.update(task, completed=share)

            if no_film:
                write_detections(script, out, seed, fps or 15.0, force=force, progress=tell)
            else:
                preset = SMALL if small else QUICK
                write_film(
                    script,
                    out,
                    Renderer(script, look),
                    fps or 30.0,
                    crf=crf,
                    preset=preset,
                    force=force,
                    frames=frames,
                    progress=tell,
                )
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{out}: {script.end_s:.0f} s, {len(script.played)} moves, Blitz by seat {script.winner}")


@click.command()
@click.argument("network", type=click.Choice(["detector", "identifier"]))
@click.option("--recipe", "path", type=click.Path(path_type=Path), required=True, help="What to train on and how.")
@click.option("--runs", type=click.Path(path_type=Path), default=Path("runs"), help="Scenes and checkpoints.")
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"), help="Where the network is put.")
def train(network: str, path: Path, runs: Path, models: Path) -> None:
    """Make the data, train a network, validate and export it; goes on where it was interrupted."""
    try:
        from ..training.recipe import DetectorRecipe, IdentifierRecipe, RecipeError, load_recipe
    except ImportError as error:
        raise click.ClickException(f"training needs more packages: pip install 'referee[train]' ({error})") from error
    command = f"referee train {network} --recipe {path}"
    try:
        if network == "identifier":
            reader, digest = load_recipe(path, IdentifierRecipe)
            from ..training.identifier import train_identifier

            scores = train_identifier(reader, digest, path, runs, models, command)
        else:
            finder, digest = load_recipe(path, DetectorRecipe)
            from ..training.detector import train_detector

            scores = train_detector(finder, digest, path, runs, models, command)
    except RecipeError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename or runs}: {error.strerror or error}") from error
    click.echo(f"{network}: {scores}")


@click.command()
@click.argument("weights", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--models", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder of your models."
)
@click.option(
    "--confidence", type=click.FloatRange(0.01, 0.99), default=0.4, show_default=True, help="Least, of a card."
)
def adopt(weights: Path, models: Path, confidence: float) -> None:
    """Make a card detector of your own (ultralytics' .pt, oriented boxes, classes face and back) ready for use."""
    import shutil

    from ..vision.inference import ModelError, find_models

    try:
        from ..training.export import WeightsError, adopt_detector
    except ImportError as error:
        raise click.ClickException(f"exporting needs more packages: pip install 'referee[train]' ({error})") from error
    try:
        adopt_detector(weights, models, confidence)
        for shipped in find_models().glob("identifier*"):
            if not (models / shipped.name).exists():
                shutil.copy(shipped, models / shipped.name)
    except (WeightsError, ModelError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename or models}: {error.strerror or error}") from error
    click.echo(f"{models}: ready; use it with REFEREE_MODELS={models} referee run ...")
