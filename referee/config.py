"""Settings from a TOML file, as frozen values; an unknown key is an error, never ignored."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any


class ConfigError(ValueError):
    """A settings file that can't be used; the message says where and what to change."""


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that can be set in a file instead of on the command line; the command line wins.

    Parameters
    ----------
    layout
        The table's layout file.
    variant
        Name of the rules.
    rules
        House rules that differ from the variant, by their names.
    host, port
        Where the scoreboard is served.
    data
        Folder of the event log.
    pin
        Digits that open the desk; empty: drawn anew at each start.
    evidence
        Whether a short clip is kept for every ruling.
    """

    layout: Path | None = None
    variant: str = "official"
    rules: dict[str, Any] = field(default_factory=dict)
    host: str = "0.0.0.0"  # noqa: S104
    port: int = 8000
    data: Path | None = None
    pin: str = ""
    evidence: bool = True


_TYPES: dict[str, type] = {
    "layout": str,
    "variant": str,
    "rules": dict,
    "host": str,
    "port": int,
    "data": str,
    "pin": str,
    "evidence": bool,
}
_WORDS = {str: "text in quotes", dict: "a table", int: "a whole number", bool: "true or false"}


def parse_config(text: str, folder: Path) -> Config:
    """Read settings; file names in them are relative to `folder`.

    Raises
    ------
    ConfigError
        If it is no TOML, a key is unknown, or a value is of the wrong kind or impossible.
    """
    try:
        record = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"no valid TOML: {error}") from error
    known = [item.name for item in fields(Config)]
    for key, value in record.items():
        if key not in known:
            raise ConfigError(f"unknown key '{key}': use {', '.join(known)}")
        kind = _TYPES[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise ConfigError(f"{key}: write {_WORDS[kind]}")
    if not 0 <= record.get("port", 8000) <= 65535:
        raise ConfigError("port: choose a number from 1 to 65535")
    if record.get("pin", "") and not (record["pin"].isascii() and record["pin"].isdigit()):
        raise ConfigError("pin: digits only")
    for key in ("layout", "data"):
        if key in record:
            record[key] = folder / Path(record[key]).expanduser()
    return Config(**record)


def override(config: Config, **given: Any) -> Config:
    """Put what was given on the command line (not None) in the place of settings."""
    return replace(config, **{key: value for key, value in given.items() if value is not None})


def load_config(path: Path | None) -> Config:
    """Read a settings file; without one, everything has its default.

    Raises
    ------
    ConfigError
        If it can't be read or `parse_config` refuses it; the message begins with the path.
    """
    if path is None:
        return Config()
    try:
        return parse_config(path.read_text(encoding="utf-8"), path.parent)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not a UTF-8 text file") from error
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
