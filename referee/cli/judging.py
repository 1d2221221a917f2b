"""Rules: judge written moves, tell the rules in force."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object a ruling.")
def judge(file: Path, as_json: bool) -> None:
    """Judge a move log (notation, or events as JSON lines): one ruling a line."""
    from ..game.events import EventError
    from ..game.match import MatchError
    from ..game.notation import NotationError
    from ..game.report import report_log

    try:
        for line in report_log(_read_text(file), as_json):
            click.echo(line)
    except (NotationError, EventError, MatchError) as error:
        raise click.ClickException(f"{file}: {error}") from error


@click.command()
@click.option("--variant", "name", help="A preset: official (the default), family, nertz or nertz-simple.")
@click.option("--file", type=click.Path(path_type=Path), help="House rules in TOML: a base and what differs.")
def rules(name: str | None, file: Path | None) -> None:
    """Tell the rules in force, in words."""
    from ..game.house_rules import parse_rules
    from ..game.variant import VariantError, get_variant
    from ..game.words import describe

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
