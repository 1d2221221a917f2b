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
@click.argument("source")
@click.option("--headless", is_flag=True, help="No scoreboard; end with the source.")
@click.option("--events", type=click.Path(path_type=Path, dir_okay=False), help="Write events as JSON lines.")
@click.option(
    "--layout",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where things lie; else layout.toml beside a film, or the cards in view.",
)
@click.option("--annotate", type=click.Path(path_type=Path, dir_okay=False), help="Write the film with what was seen.")
@click.option("--seats", type=click.IntRange(2, 8), help="How many play.")
@click.option("--variant", help="Rules: official, family, nertz, nertz-simple.  [default: official]")
@click.option("--start-at", type=click.FloatRange(0), help="Second of the signal.  [default: the first play]")
@click.option("--host", help="Interface of the scoreboard.  [default: 0.0.0.0]")
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the scoreboard.  [default: 8000]")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Folder of the games.")
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings file (TOML).")
def run(
    source: str, headless: bool, events: Path | None, layout: Path | None, annotate: Path | None, seats: int | None,
    variant: str | None, start_at: float | None, host: str | None, port: int | None, data: Path | None,
    config: Path | None,
) -> None:  # fmt: skip
    """Referee SOURCE: a camera (index or name), a film, or a folder of pictures."""
    from rich.console import Console

    from .config import ConfigError, load_config, override
    from .run_command import RunOptions, run_source
    from .running import RunError

    options = RunOptions(source, headless, events, annotate, seats, start_at)
    try:
        settings = override(load_config(config), layout=layout, variant=variant, host=host, port=port, data=data)
        run_source(options, settings, Console())
    except (RunError, ConfigError) as error:
        raise click.ClickException(str(error)) from error


@main.command()
@click.option("--seats", type=click.IntRange(2, 8), default=4, show_default=True, help="How many play.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Same seed, same rounds.")
@click.option("--host", help="Interface of the scoreboard.  [default: 0.0.0.0]")
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the scoreboard.  [default: 8000]")
@click.option("--no-browser", is_flag=True, help="Don't open the scoreboard in a browser.")
@click.option("--duration", type=click.FloatRange(min=0, min_open=True), help="End after so many seconds.")
def demo(seats: int, seed: int, host: str | None, port: int | None, no_browser: bool, duration: float | None) -> None:
    """Watch bots play on a rendered table, refereed live, with the scoreboard; no camera needed."""
    from rich.console import Console

    from .config import Config, override
    from .run_command import run_demo
    from .running import RunError

    try:
        run_demo(seats, seed, duration, not no_browser, override(Config(), host=host, port=port), Console())
    except RunError as error:
        raise click.ClickException(str(error)) from error


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


@main.command()
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

    from .vision.inference import ModelError, find_models

    try:
        from .training.export import WeightsError, adopt_detector
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


@main.command()
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

    from .synth.film import QUICK, SMALL, sample_look, write_film
    from .synth.mischief import MEANT_KINDS, parse_kinds
    from .synth.rounds import play_round
    from .synth.simulate import parse_size, write_detections

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
                    script, out, look, fps or 30.0, crf=crf, preset=preset, force=force, frames=frames, progress=tell
                )
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{out}: {script.end_s:.0f} s, {len(script.played)} moves, Blitz by seat {script.winner}")


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object a ruling.")
def judge(file: Path, as_json: bool) -> None:
    """Judge a move log (notation, or events as JSON lines): one ruling a line."""
    from .game.events import EventError
    from .game.match import MatchError
    from .game.notation import NotationError
    from .game.report import report_log

    try:
        for line in report_log(_read_text(file), as_json):
            click.echo(line)
    except (NotationError, EventError, MatchError) as error:
        raise click.ClickException(f"{file}: {error}") from error


@main.command()
@click.option("--variant", "name", help="A preset: official (the default), family, nertz or nertz-simple.")
@click.option("--file", type=click.Path(path_type=Path), help="House rules in TOML: a base and what differs.")
def rules(name: str | None, file: Path | None) -> None:
    """Tell the rules in force, in words."""
    from .game.house_rules import parse_rules
    from .game.variant import VariantError, get_variant
    from .game.words import describe

    if name is not None and file is not None:
        raise click.ClickException("--variant and --file: give one; the file names its base itself")
    try:
        variant = get_variant(name or "official") if file is None else parse_rules(_read_text(file), file.stem)
    except VariantError as error:
        raise click.ClickException(str(error) if file is None else f"{file}: {error}") from error
    click.echo(f"Rules: {variant.name}")
    for line in describe(variant):
        click.echo(f"- {line}")


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{path}: not a UTF-8 text file") from error


@main.command()
@click.argument("images", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object a picture to stdout.")
@click.option("--draw", type=click.Path(path_type=Path, file_okay=False), help="Put annotated pictures here.")
def identify(images: tuple[Path, ...], as_json: bool, draw: Path | None) -> None:
    """Find and read every card in pictures (files or folders), uncalibrated, at any scale."""
    from .vision.commands import VisionProblem, identify_pictures

    try:
        for line in identify_pictures(images, as_json, draw):
            click.echo(line)
    except VisionProblem as error:
        raise click.ClickException(str(error)) from error


@main.command()
@click.argument("images", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--deck", "decks", type=click.Path(path_type=Path, dir_okay=False), multiple=True, help="Learnt backs.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object a picture to stdout.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Put pictures of what was counted here.")
def count(images: tuple[Path, ...], decks: tuple[Path, ...], as_json: bool, out: Path | None) -> None:
    """Count the cards of each deck by their backs; several pictures are different heaps and add up."""
    from .counting.commands import count_pictures
    from .vision.commands import VisionProblem

    try:
        for line in count_pictures(images, decks, as_json, out):
            click.echo(line)
    except VisionProblem as error:
        raise click.ClickException(str(error)) from error


@main.command()
@click.argument("source")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("decks.toml"), show_default=True)
@click.option("--layout", type=click.Path(path_type=Path, dir_okay=False), help="Learn each seat's hand on this table.")
@click.option("--name", "names", multiple=True, help="Of the deck; with a layout once for each seat, in their order.")
@click.option("--at", type=click.FloatRange(0), default=0.0, help="Second of a film to look at.")
def enroll(source: str, out: Path, layout: Path | None, names: tuple[str, ...], at: float) -> None:
    """Learn backs from one look at SOURCE: a picture of one card, or a table before the deal (with --layout)."""
    from .counting.commands import enroll_decks
    from .vision.commands import VisionProblem

    try:
        for line in enroll_decks(source, out, layout, names, at):
            click.echo(line)
    except VisionProblem as error:
        raise click.ClickException(str(error)) from error


@main.command()
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Folder of the games.")
@click.option("--game", type=click.IntRange(1), help="Only this game.  [default: all]")
@click.option("--format", "form", type=click.Choice(["csv", "json"]), default="csv", show_default=True)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write.  [default: the terminal]")
def export(data: Path | None, game: int | None, form: str, out: Path | None) -> None:
    """Write games as CSV (a line for each seat of each round) or JSON (every event)."""
    from .export import export_games
    from .run_command import default_data
    from .store import StoreError

    try:
        text = export_games(data or default_data(), form, game)
        if out is None:
            click.echo(text, nl=False)
        else:
            out.write_text(text, encoding="utf-8", newline="")
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{out}: {error.strerror or error}: choose a file that can be written") from error


@main.group()
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
    from .evaluation.counting import CountRecipeError, report_count
    from .vision.commands import VisionProblem, problems

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
    from .evaluation.plays_report import RoundError, report_plays
    from .running import RunError

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
    """Find and read cards of folders with a cards.json or truth.json, and compare."""
    from .evaluation.commands import cards_report
    from .vision.commands import VisionProblem

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
        from .training.distance_report import report_distance
    except ImportError as error:
        raise click.ClickException(f"{error}: install what training needs: pip install 'referee[train]'") from error
    from .evaluation.cards import TruthError
    from .training.recipe import RecipeError

    try:
        report_distance(photos, out, scenes, epochs, size, effects, data, start, seed, threads)
    except (RecipeError, TruthError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename or out}: {error.strerror or error}") from error


@main.command()
@click.argument("source")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("layout.toml"), show_default=True)
@click.option("--seats", type=click.IntRange(2, 8), default=4, show_default=True, help="How many play.")
@click.option("--card", type=(float, float), default=(57.0, 89.0), show_default=True, help="Width and length in mm.")
@click.option("--at", "at_s", type=click.FloatRange(0), default=0.0, help="Second of a film when the table is laid.")
def calibrate(source: str, out: Path, seats: int, card: tuple[float, float], at_s: float) -> None:
    """Lay out the table from a camera, film or picture that shows it before the first play."""
    from .vision.commands import VisionProblem
    from .vision.setup_commands import calibrate_source

    try:
        for line in calibrate_source(source, out, seats, card, at_s):
            click.echo(line)
    except VisionProblem as error:
        raise click.ClickException(str(error)) from error


@main.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Of the scoreboard.")
def doctor(port: int) -> None:
    """Say whether this installation is sound: models, speed, cameras, port, disk."""
    from .vision.setup_commands import examine

    bad = 0
    for check in examine(port):
        color = {"ok": "green", "warn": "yellow", "bad": "red"}[check.level]
        click.echo(f"{click.style(check.level.ljust(4), fg=color)} {check.name}: {check.says}")
        bad += check.level == "bad"
    if bad:
        raise click.ClickException("this installation can't referee: see the lines marked bad")


@main.command()
@click.argument("players", nargs=-1, metavar="[NAME]...")
@click.option("--variant", default="official", show_default=True, metavar="NAME", help="Rules to play by.")
@click.option("--new", "fresh", is_flag=True, help="Begin a new game, even if one is open.")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Folder of the games.")
@click.option("--host", default="0.0.0.0", show_default=True, help="127.0.0.1: this machine only.")  # noqa: S104
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Of the scoreboard.")
@click.option("--pin", default="", metavar="DIGITS", help="Opens the desk; drawn anew unless given.")
def score(
    players: tuple[str, ...], variant: str, fresh: bool, data: Path | None, host: str, port: int, pin: str
) -> None:
    """Keep the score by hand, without a camera: the board for all, the desk for whoever has the PIN."""
    import platformdirs

    from .game.match import MatchError
    from .game.variant import VariantError, get_variant
    from .store import StoreError
    from .web import ServeError
    from .web.commands import keep_score

    if pin and not (pin.isascii() and pin.isdigit() and 4 <= len(pin) <= 12):
        raise click.ClickException("--pin: write 4 to 12 digits")
    folder = data or platformdirs.user_data_path("referee")
    try:
        get_variant(variant)
        keep_score(players, variant, folder, host, port, pin, fresh, click.echo)
    except (MatchError, VariantError) as error:
        raise click.ClickException(str(error)) from error
    except (StoreError, ServeError) as error:
        raise click.ClickException(str(error.strerror or error)) from error


@main.command()
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
    from .evaluation.commands import bench_report, engine_report, networks_report
    from .vision.commands import VisionProblem

    try:
        if engine:
            engine_report(as_json)
        elif networks:
            networks_report(as_json)
        elif viewers is not None:
            from .evaluation.viewers import report_viewers

            report_viewers(film, layout, seconds, viewers, as_json)
        else:
            bench_report(film, layout, seconds, as_json)
    except VisionProblem as error:
        raise click.ClickException(str(error)) from error
