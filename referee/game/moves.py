"""A move: cards that left one pile and arrived on another, and who is believed to have moved them.

`str` and `Move.parse` are its one-line notation; whole games are read by `notation`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from .cards import Face


class PileKind(StrEnum):
    """What a pile is for, in the rule book's words."""

    HAND = "hand"
    WOOD = "wood"
    BLITZ = "blitz"
    POST = "post"
    DUTCH = "dutch"


@dataclass(frozen=True, order=True, slots=True)
class PileId:
    """Name of a pile: `s2.post1`, `s2.blitz`, `s2.wood`, `s2.hand`, `d7`.

    Parameters
    ----------
    kind
        What the pile is for.
    seat
        1.. for a player's pile; 0 for Dutch Piles, which belong to nobody.
    slot
        1.. for Post and Dutch Piles; 0 for the others.
    """

    kind: PileKind
    seat: int = 0
    slot: int = 0
    # Piles are looked up by name several times a move, and hashing an enum is slow.
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        if (self.kind is PileKind.DUTCH) == (self.seat > 0) or self.seat < 0:
            raise ValueError("a Dutch Pile has no seat, every other pile has one")
        if (self.kind in (PileKind.DUTCH, PileKind.POST)) != (self.slot > 0) or self.slot < 0:
            raise ValueError("Post and Dutch Piles are numbered from 1, other piles are not numbered")
        object.__setattr__(self, "_hash", hash((self.kind.value, self.seat, self.slot)))

    def __hash__(self) -> int:
        return self._hash

    @staticmethod
    @cache
    def of(kind: PileKind, seat: int, slot: int = 0) -> PileId:
        """Name a pile; the same object each time, which makes looking it up faster."""
        return PileId(kind, seat, slot)

    @staticmethod
    def dutch(slot: int) -> PileId:
        """Name the Dutch Pile that was created as number `slot`."""
        return PileId.of(PileKind.DUTCH, 0, slot)

    def __str__(self) -> str:
        if self.kind is PileKind.DUTCH:
            return f"d{self.slot}"
        return f"s{self.seat}.{self.kind.value}{self.slot or ''}"

    @staticmethod
    def parse(text: str) -> PileId:
        """Read a pile's name.

        Raises
        ------
        ValueError
            If the text names no pile.
        """
        owner, dot, name = text.partition(".")
        digits = owner[1:]
        if digits.isascii() and digits.isdigit() and not digits.startswith("0"):
            if not dot and owner[0] == "d":
                return PileId.dutch(int(digits))
            if dot and owner[0] == "s":
                if name in ("hand", "wood", "blitz"):
                    return PileId.of(PileKind(name), int(digits))
                slot = name.removeprefix("post")
                if name.startswith("post") and slot.isascii() and slot.isdigit() and not slot.startswith("0"):
                    return PileId.of(PileKind.POST, int(digits), int(slot))
        raise ValueError(f"'{text}' is no pile: write s2.post1, s2.blitz, s2.wood, s2.hand or d7")


@dataclass(frozen=True, slots=True)
class Move:
    """Cards that went from one pile to another.

    Parameters
    ----------
    time_s
        Touch-down, in seconds on the film's own clock.
    seat
        Who is believed to have moved them; None when nobody knows.
    faces
        Bottom to top; None for a card that was not seen.
    source
        Where they came from; None when nobody saw it.
    target
        Where they lie now.
    confidence
        0..1, how sure the observer is of the cards and the piles.
    """

    time_s: float
    seat: int | None
    faces: tuple[Face | None, ...]
    source: PileId | None
    target: PileId
    confidence: float = 1.0

    def __post_init__(self) -> None:
        if not self.faces:
            raise ValueError("a move has at least one card")

    def __str__(self) -> str:
        seat = "?" if self.seat is None else f"s{self.seat}"
        cards = ",".join("-" if face is None else str(face) for face in self.faces)
        return f"{self.time_s:.3f} {seat} {cards} {self.source or '?'}>{self.target}"

    @staticmethod
    def parse(line: str) -> Move:
        """Read a line such as `12.480 s2 R7 s2.post2>d3  # a comment`; `?` where nobody knows.

        Raises
        ------
        NotationError
            If it is no move; the error knows the column.
        """
        words = [(match.start() + 1, match.group()) for match in re.finditer(r"\S+", line.partition("#")[0])]
        if len(words) != 4:
            column = words[4][0] if len(words) > 4 else len(line.rstrip()) + 1
            raise NotationError("a move is: time seat cards source>target, as in '12.480 s2 R7 s2.post2>d3'", column)
        (time_column, time), (seat_column, seat), (cards_column, cards), (piles_column, piles) = words
        source, arrow, target = piles.partition(">")
        if not arrow:
            raise NotationError(f"'{piles}' has no '>': write source>target, as in s2.post2>d3", piles_column)
        return Move(
            parse_time(time, time_column),
            None if seat == "?" else parse_seat(seat, seat_column),
            _parse_cards(cards, cards_column),
            None if source == "?" else _parse_pile(source, piles_column),
            _parse_pile(target, piles_column + len(source) + 1),
        )


class NotationError(ValueError):
    """A line that can't be read; `line` and `column` count from 1, line 0 is not known yet."""

    def __init__(self, message: str, column: int = 1, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        self.line = line

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


def parse_time(text: str, column: int) -> float:
    """Read a time in seconds; raises NotationError if it is none."""
    if re.fullmatch(r"\d{1,7}(\.\d{1,9})?", text, re.ASCII):
        return float(text)
    raise NotationError(f"'{text}' is no time: write seconds such as 12.480", column)


def parse_seat(text: str, column: int) -> int:
    """Read a seat such as `s2`; raises NotationError if it is none."""
    if re.fullmatch(r"s[1-9]\d?", text, re.ASCII):
        return int(text[1:])
    raise NotationError(f"'{text}' is no seat: write s1, s2, ... or ? when nobody knows", column)


def _parse_cards(text: str, column: int) -> tuple[Face | None, ...]:
    faces: list[Face | None] = []
    for label in text.split(","):
        try:
            faces.append(None if label == "-" else Face.parse(label))
        except ValueError as error:
            raise NotationError(str(error), column) from error
        column += len(label) + 1
    return tuple(faces)


def _parse_pile(text: str, column: int) -> PileId:
    try:
        return PileId.parse(text)
    except ValueError as error:
        raise NotationError(str(error), column) from error
