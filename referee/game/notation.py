"""A whole game as a text file that a person can write by hand (`moves.blitz`).

A line is a move, a `key: value`, or a comment after `#`. Beside the headers, keys tell what else happened:

    variant: official        go: 2.0            dutch: 12.9 s3      top: s1.post1 R7
    seats: 4                 blitz: 71.3 s1     pause: 20.0         empty: s2.blitz
    s1: Ann, green-pump      called: 71.5 s1    resume: 14.0        all_stuck: 40.0
    turn: 1 (any house rule) round: 2           counted: 75.0 s1 19/3 s2 12/10
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .event_types import CardMoved, Event
from .house_rules import find_differences
from .moves import Move, NotationError
from .notation_reader import Reader, split_lines
from .variant import Variant, get_variant

__all__ = ["Game", "NotationError", "format_game", "parse_game"]


@dataclass(frozen=True, slots=True)
class Game:
    """A game as it was written down.

    Parameters
    ----------
    variant
        The rules, the house rules of the headers included.
    seats
        How many play.
    events
        The game as a log, in order; without rulings.
    lines
        The line (from 1) of each move, by the move's id.
    """

    variant: Variant
    seats: int
    events: tuple[Event, ...]
    lines: dict[int, int]

    @property
    def moves(self) -> tuple[Move, ...]:
        """Give the moves alone."""
        return tuple(event.move for event in self.events if isinstance(event, CardMoved))


def parse_game(text: str) -> Game:
    """Read a game.

    Raises
    ------
    NotationError
        If a line can't be read or says something impossible; the error knows line and column.
    """
    lines = split_lines(text.removeprefix("\ufeff"))
    reader = Reader(lines)
    for line in lines:
        try:
            reader.read(line)
        except NotationError as error:
            if error.line:
                raise
            raise line.fail(error.message, error.column) from error
    return Game(reader.variant, reader.seats, tuple(reader.events), reader.numbers)


def format_game(variant: Variant, seats: int, moves: Iterable[Move], go_s: float = 0.0) -> str:
    """Write the moves of one round; `parse_game` reads them back.

    Parameters
    ----------
    variant
        A preset, or one with house rules: those become headers.
    seats
        How many play.
    moves
        In order.
    go_s
        The signal.
    """
    preset = get_variant(variant.name)
    name = "dutch-blitz" if variant.name == "official" else variant.name
    lines = [f"variant: {name}", f"seats: {seats}"]
    for key, value in find_differences(variant, preset).items():
        lines.append(f"{key}: {str(value).lower() if isinstance(value, bool) else value}")
    if go_s:
        lines.append(f"go: {go_s:.3f}")
    return "\n".join([*lines, *(str(move) for move in moves)]) + "\n"
