"""Play: watch a table, or keep the score by hand."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
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

    from ..config import ConfigError, load_config, override
    from ..run_command import RunOptions, run_source
    from ..running import RunError

    options = RunOptions(source, headless, events, annotate, seats, start_at)
    try:
        settings = override(load_config(config), layout=layout, variant=variant, host=host, port=port, data=data)
        run_source(options, settings, Console())
    except (RunError, ConfigError) as error:
        raise click.ClickException(str(error)) from error


@click.command()
@click.option("--seats", type=click.IntRange(2, 8), default=4, show_default=True, help="How many play.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Same seed, same rounds.")
@click.option("--host", help="Interface of the scoreboard.  [default: 0.0.0.0]")
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the scoreboard.  [default: 8000]")
@click.option("--no-browser", is_flag=True, help="Don't open the scoreboard in a browser.")
@click.option("--duration", type=click.FloatRange(min=0, min_open=True), help="End after so many seconds.")
def demo(seats: int, seed: int, host: str | None, port: int | None, no_browser: bool, duration: float | None) -> None:
    """Watch bots play on a rendered table, refereed live, with the scoreboard; no camera needed."""
    from rich.console import Console

    from ..config import Config, override
    from ..run_command import run_demo
    from ..running import RunError

    try:
        run_demo(seats, seed, duration, not no_browser, override(Config(), host=host, port=port), Console())
    except RunError as error:
        raise click.ClickException(str(error)) from error


@click.command()
@click.argument("source")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("layout.toml"), show_default=True)
@click.option("--seats", type=click.IntRange(2, 8), default=4, show_default=True, help="How many play.")
@click.option("--card", type=(float, float), default=(57.0, 89.0), show_default=True, help="Width and length in mm.")
@click.option("--at", "at_s", type=click.FloatRange(0), default=0.0, help="Second of a film when the table is laid.")
def calibrate(source: str, out: Path, seats: int, card: tuple[float, float], at_s: float) -> None:
    """Lay out the table from a camera, film or picture that shows it before the first play."""
    from ..vision.commands import VisionProblem
    from ..vision.setup_commands import calibrate_source

    try:
        for line in calibrate_source(source, out, seats, card, at_s):
            click.echo(line)
    except VisionProblem as error:
        raise click.ClickException(str(error)) from error


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Of the scoreboard.")
def doctor(port: int) -> None:
    """Say whether this installation is sound: models, speed, cameras, port, disk."""
    from ..vision.setup_commands import examine

    bad = 0
    for check in examine(port):
        color = {"ok": "green", "warn": "yellow", "bad": "red"}[check.level]
        click.echo(f"{click.style(check.level.ljust(4), fg=color)} {check.name}: {check.says}")
        bad += check.level == "bad"
    if bad:
        raise click.ClickException("this installation can't referee: see the lines marked bad")


@click.command()
@click.argument("players", nargs=-1, metavar="[NAME]...")
@click.option("--variant", default="official", show_default=True, metavar="NAME", help="Rules to play by.")
@click.option("--new", "fresh", is_flag=True, help="Begin a new game, even if one is open.")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Folder of the games.")
@click.option("--host", default="0.0.0.0", show_default=True, help="127.0.0.1: this machine only.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Of the scoreboard.")
@click.option("--pin", default="", metavar="DIGITS", help="Opens the desk; drawn anew unless given.")
def score(
    players: tuple[str, ...], variant: str, fresh: bool, data: Path | None, host: str, port: int, pin: str
) -> None:
    """Keep the score by hand, without a camera: the board for all, the desk for whoever has the PIN."""
    import platformdirs

    from ..game.match import MatchError
    from ..game.variant import VariantError, get_variant
    from ..store import StoreError
    from ..web import ServeError
    from ..web.commands import keep_score

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


@click.command()
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Folder of the games.")
@click.option("--game", type=click.IntRange(1), help="Only this game.  [default: all]")
@click.option("--format", "form", type=click.Choice(["csv", "json"]), default="csv", show_default=True)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write.  [default: the terminal]")
def export(data: Path | None, game: int | None, form: str, out: Path | None) -> None:
    """Write games as CSV (a line for each seat of each round) or JSON (every event)."""
    from ..export import export_games
    from ..run_command import default_data
    from ..store import StoreError

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
