"""Deck files: what the backs of a table's decks look like, learnt from one look each.

A file is TOML that a person can read and edit: a version, and for each deck its name, its card size, perhaps its
seat, and a small picture of its back (JPEG in base64) with its checksum: half a JPEG is a picture too.
"""

from __future__ import annotations

import base64
import binascii
import tomllib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from .layout import format_number
from .vision.frames import Image

VERSION = 1
PX_PER_MM = 2.0
"""Scale of a learnt picture: a back of 57 x 89 mm is 114 x 178 px and some 10 kB."""

_KEYS = {"name", "seat", "card_mm", "picture", "check"}
_LINE = 100


class DeckError(ValueError):
    """A deck file that can't be used, or backs that can't be told apart; the message says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class LearntBack:
    """One deck's back.

    Parameters
    ----------
    name
        Of the deck.
    picture
        BGR uint8, upright, `PX_PER_MM` px for each mm.
    card_mm
        Width and length of a card.
    seat
        Who plays with it; None where nobody said.
    """

    name: str
    picture: Image
    card_mm: tuple[float, float]
    seat: int | None = None


def format_decks(decks: Sequence[LearntBack]) -> str:
    """Write decks as TOML; the inverse of `parse_decks` but for what JPEG takes away."""
    lines = ["# Backs of the decks of a table, learnt by `referee enroll`.", f"version = {VERSION}"]
    for deck in decks:
        name = deck.name.replace("\\", "\\\\").replace('"', '\\"')
        done, data = cv2.imencode(".jpg", deck.picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
        if not done:
            raise DeckError(f"{deck.name}: its picture can't be encoded")
        text = base64.b64encode(data.tobytes()).decode("ascii")
        rows = [text[i : i + _LINE] for i in range(0, len(text), _LINE)]
        lines += ["", "[[deck]]", f'name = "{name}"']
        if deck.seat is not None:
            lines.append(f"seat = {deck.seat}")
        lines.append(f"card_mm = [{format_number(deck.card_mm[0])}, {format_number(deck.card_mm[1])}]")
        lines += [f'check = "{_checksum(data.tobytes())}"', 'picture = """', *rows, '"""']
    return "\n".join(lines) + "\n"


def _checksum(data: bytes) -> str:
    return f"{zlib.crc32(data):08x}"


def _deck(record: Any, where: str) -> LearntBack:
    if not isinstance(record, dict):
        raise DeckError(f"{where}: a table of keys is expected")
    for key in record:
        if key not in _KEYS:
            raise DeckError(f"{where}: unknown key '{key}': use {', '.join(sorted(_KEYS))}")
    name, seat, size, text = (record.get(key) for key in ("name", "seat", "card_mm", "picture"))
    if not isinstance(name, str) or not name.strip():
        raise DeckError(f"{where}: name: write the deck's name")
    where = f"{where} ({name})"
    if seat is not None and (not isinstance(seat, int) or isinstance(seat, bool) or not 1 <= seat <= 8):
        raise DeckError(f"{where}: seat: write a number from 1 to 8, or leave it out")
    numbers = isinstance(size, list) and len(size) == 2 and all(isinstance(v, int | float) for v in size)
    if not numbers or not 20 <= size[0] <= size[1] <= 200:
        raise DeckError(f"{where}: card_mm: width and length in mm, the shorter first, between 20 and 200")
    try:
        data = base64.b64decode("".join(str(text).split()), validate=True)
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except (binascii.Error, cv2.error):
        data, picture = b"", None
    if record.get("check", _checksum(data)) != _checksum(data):
        picture = None
    wanted = (round(size[0] * PX_PER_MM), round(size[1] * PX_PER_MM))
    if picture is None or (picture.shape[1], picture.shape[0]) != wanted:
        raise DeckError(f"{where}: picture: damaged: learn this deck again with referee enroll")
    return LearntBack(name, picture, (float(size[0]), float(size[1])), seat)


def parse_decks(text: str) -> tuple[LearntBack, ...]:
    """Read decks from TOML.

    Raises
    ------
    DeckError
        If it is no TOML, of another version, or a deck in it is damaged.
    """
    try:
        record = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DeckError(
            f"no deck file, or a damaged one ({error}): learn the decks again with referee enroll"
        ) from error
    version = record.pop("version", None)
    if version != VERSION:
        raise DeckError(f"version {version}: this program reads version {VERSION}: learn the decks again")
    decks = record.pop("deck", None)
    if record or not isinstance(decks, list) or not decks:
        raise DeckError("write at least one [[deck]] and nothing else: learn the decks again with referee enroll")
    return tuple(_deck(item, f"deck {number}") for number, item in enumerate(decks, 1))


def load_decks(paths: Sequence[Path]) -> tuple[LearntBack, ...]:
    """Read deck files.

    Raises
    ------
    DeckError
        If one can't be used, or a name occurs twice; the message begins with the path.
    """
    decks: list[LearntBack] = []
    for path in paths:
        try:
            found = parse_decks(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise DeckError(f"{path}: {error.strerror or error}") from error
        except UnicodeDecodeError as error:
            raise DeckError(f"{path}: no text file, so no deck file: learn the decks with referee enroll") from error
        except DeckError as error:
            raise DeckError(f"{path}: {error}") from error
        for deck in found:
            if any(deck.name == other.name for other in decks):
                raise DeckError(f"{path}: the deck '{deck.name}' is there twice: give one of them another name")
            decks.append(deck)
    return tuple(decks)
