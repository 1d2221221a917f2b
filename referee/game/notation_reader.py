"""How a game in notation becomes a log: line by line, each problem with its line and column.

The notation itself is described in `notation`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from .cards import Face
from .event_types import (
    BlitzCalled,
    BlitzSeen,
    CardMoved,
    DutchCalled,
    Event,
    MatchStarted,
    PileSeen,
    Player,
    RoundEnded,
    RoundPaused,
    RoundResumed,
    RoundScored,
    RoundStarted,
    SeatScore,
    StuckAgreed,
)
from .house_rules import OPTIONS, find_differences, make_variant
from .moves import Move, NotationError, PileId, PileKind, parse_seat, parse_time
from .scoring import score
from .variant import Variant, VariantError, get_variant


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number, its key (empty for a move), and the text from `column` on."""

    number: int
    key: str
    text: str
    column: int

    def fail(self, message: str, column: int | None = None) -> NotationError:
        """Make the error that blames this line; without a column, the beginning of its text."""
        return NotationError(message, self.column if column is None else column, self.number)

    def words(self) -> list[tuple[int, str]]:
        """Give the words with their columns."""
        return [(self.column + match.start(), match.group()) for match in re.finditer(r"\S+", self.text)]


_KEY = re.compile(r"\s*([A-Za-z_][A-Za-z_0-9]*)\s*:")


def split_lines(text: str) -> list[Line]:
    """Split a text into lines that say something, without comments."""
    lines = []
    for number, raw in enumerate(text.split("\n"), 1):
        body = raw.rstrip("\r").partition("#")[0]
        if not body.strip():
            continue
        match = _KEY.match(body)
        if match is None:
            lines.append(Line(number, "", body, 1))
            continue
        rest = body[match.end() :]
        column = match.end() + 1 + len(rest) - len(rest.lstrip())
        lines.append(Line(number, match.group(1), rest.strip(), column))
    return lines


def _read_variant(lines: list[Line]) -> Variant:
    variant = get_variant("official")
    for line in lines:
        if line.key == "variant":
            try:
                variant = get_variant(line.text)
            except VariantError as error:
                raise line.fail(str(error)) from error
    options = {line.key: line for line in lines if line.key in OPTIONS}
    try:
        return make_variant(variant, {key: _plain(line.text) for key, line in options.items()})
    except VariantError as error:
        # The message begins with the option that it speaks of.
        blamed = [line for key, line in options.items() if re.search(rf"\b{key}\b", str(error).partition(":")[0])]
        raise (blamed or [*options.values()])[-1].fail(str(error)) from error


def _plain(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _read_seats(lines: list[Line], variant: Variant) -> int:
    for line in lines:
        if line.key == "seats":
            if not re.fullmatch(r"\d{1,3}", line.text, re.ASCII):
                raise line.fail(f"'{line.text}' is no number of seats: write 2 to {variant.max_seats}")
            try:
                variant.posts_for(int(line.text))
            except VariantError as error:
                raise line.fail(str(error)) from error
            return int(line.text)
    named = [int(found) for line in lines for found in re.findall(r"\bs(\d{1,2})\b", f"{line.key} {line.text}")]
    return min(max([variant.min_seats, *named]), variant.max_seats)


@dataclass(slots=True)
class Reader:
    """Turns lines into events; the round's start is told first, wherever its `go` stands."""

    lines: list[Line]
    variant: Variant = field(init=False)
    seats: int = field(init=False)
    events: list[Event] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    posts: int = field(init=False)
    open: list[CardMoved] = field(default_factory=list)
    now_s: float = 0.0

    def __post_init__(self) -> None:
        self.variant = _read_variant(self.lines)
        self.seats = _read_seats(self.lines, self.variant)
        self.posts = self.variant.posts_for(self.seats)
        preset = get_variant(self.variant.name)
        players = tuple(self._player(number) for number in range(1, self.seats + 1))
        rules = find_differences(self.variant, preset)
        start = MatchStarted(time_s=0.0, seen_s=0.0, players=players, variant=preset.name, rules=rules)
        self.events.append(start)
        self._start_round(0)

    def _player(self, number: int) -> Player:
        for line in self.lines:
            if line.key == f"s{number}":
                name, _, deck = line.text.partition(",")
                return Player(number, name.strip() or f"Seat {number}", deck.strip())
        return Player(number, f"Seat {number}")

    def _start_round(self, after: int) -> None:
        """Start the round whose lines follow line number `after`."""
        go_s = 0.0
        for line in self.lines:
            if line.number > after and line.key == "round" and line.text != "1":
                break
            if line.number > after and line.key == "go":
                go_s = _time(line)
        start = RoundStarted(time_s=go_s, seen_s=self.now_s, seats=self.seats, variant=self.variant.name)
        self.events.append(start)
        self.open = []

    def _next_round(self, line: Line) -> None:
        rounds = sum(isinstance(event, RoundStarted) for event in self.events)
        if line.text == "1" and rounds == 1 and not self.numbers:
            return  # the first round begins by itself
        if line.text != str(rounds + 1):
            raise line.fail(f"this is round {rounds}: the next is 'round: {rounds + 1}'")
        self._start_round(line.number)

    def read(self, line: Line) -> None:
        """Take one line; raises NotationError, perhaps without the line's number, if it can't be read."""
        if not line.key:
            self._move(line)
            return
        if line.key in OPTIONS or line.key in ("variant", "seats", "go"):
            return
        if re.fullmatch(r"s[1-9]\d?", line.key):
            self._check_seat(int(line.key[1:]), 1)
            return
        if line.key == "round":
            self._next_round(line)
            return
        makers = {
            "top": self._top,
            "empty": self._empty,
            "counted": self._scored,
            "corrected": self._scored,
            "dutch": self._at_seat,
            "blitz": self._at_seat,
            "called": self._at_seat,
            "pause": self._at,
            "resume": self._at,
            "all_stuck": self._at,
            "end": self._at,
        }
        if line.key not in makers:
            known = ", ".join(["variant", "seats", "s1", "go", "round", *makers, *OPTIONS])
            raise line.fail(f"unknown key '{line.key}': use {known}", 1)
        self.events.append(makers[line.key](line))

    def _tell(self, time_s: float) -> float:
        self.now_s = max(self.now_s, time_s)
        return self.now_s

    def _check_seat(self, seat: int | None, column: int) -> None:
        if seat is not None and seat > self.seats:
            raise NotationError(f"there is no seat s{seat}: {self.seats} play", column)

    def _check_pile(self, pile: PileId | None, column: int) -> None:
        if pile is not None:
            self._check_seat(pile.seat, column)
            if pile.kind is PileKind.POST and pile.slot > self.posts:
                raise NotationError(f"there is no pile {pile}: each seat has {self.posts} Post Piles", column)

    def _check_face(self, face: Face | None, column: int) -> None:
        if face is not None and face not in self.variant.faces:
            raise NotationError(f"{face} is in no deck of {self.variant.name}", column)

    def _move(self, line: Line) -> None:
        move = Move.parse(line.text)
        columns = [column for column, _ in line.words()]
        self._check_seat(move.seat, columns[1])
        for face in move.faces:
            self._check_face(face, columns[2])
        self._check_pile(move.source, columns[3])
        self._check_pile(move.target, columns[3])
        undone = self._find_undone(move)
        event = CardMoved(
            time_s=move.time_s,
            seen_s=self._tell(move.time_s),
            id=len(self.numbers) + 1,
            seat=move.seat,
            cards=move.faces,
            source=move.source,
            target=move.target,
            undoes=None if undone is None else undone.id,
        )
        self.numbers[event.id] = line.number
        self.events.append(event)
        if undone is None:
            self.open.append(event)
        else:
            self.open.remove(undone)

    def _find_undone(self, move: Move) -> CardMoved | None:
        """Find the play that a move from a Dutch Pile takes back: the last of these cards, from those piles."""
        if move.source is None or move.source.kind is not PileKind.DUTCH or move.target.kind is PileKind.DUTCH:
            return None
        for event in reversed(self.open):
            ours = event.source is None or event.source.seat == move.target.seat
            if event.target == move.source and event.cards == move.faces and ours:
                return event
        return None

    def _at(self, line: Line) -> Event:
        time_s = _time(line)
        seen_s = self._tell(time_s)
        if line.key == "pause":
            return RoundPaused(time_s=time_s, seen_s=seen_s)
        if line.key == "resume":
            return RoundResumed(time_s=time_s, seen_s=seen_s)
        if line.key == "all_stuck":
            return StuckAgreed(time_s=time_s, seen_s=seen_s)
        return RoundEnded(time_s=time_s, seen_s=seen_s, reason="abandoned")

    def _at_seat(self, line: Line) -> Event:
        words = line.words()
        if len(words) != 2:
            raise line.fail(f"write a time and a seat, as in '{line.key}: 71.3 s1'")
        time_s = parse_time(words[0][1], words[0][0])
        seat = parse_seat(words[1][1], words[1][0])
        self._check_seat(seat, words[1][0])
        seen_s = self._tell(time_s)
        if line.key == "dutch":
            return DutchCalled(time_s=time_s, seen_s=seen_s, seat=seat)
        if line.key == "blitz":
            return BlitzSeen(time_s=time_s, seen_s=seen_s, seat=seat)
        return BlitzCalled(time_s=time_s, seen_s=seen_s, seat=seat)

    def _top(self, line: Line) -> Event:
        words = line.words()
        if len(words) != 2:
            raise line.fail("write a pile and its top card, as in 'top: s1.post1 R7'")
        face = None
        try:
            pile = PileId.parse(words[0][1])
            face = None if words[1][1] == "-" else Face.parse(words[1][1])
        except ValueError as error:
            raise line.fail(str(error), words[0][0] if "pile" in str(error) else words[1][0]) from error
        self._check_pile(pile, words[0][0])
        self._check_face(face, words[1][0])
        return PileSeen(time_s=self.now_s, seen_s=self.now_s, pile=pile, top=face)

    def _empty(self, line: Line) -> Event:
        try:
            pile = PileId.parse(line.text)
        except ValueError as error:
            raise line.fail(str(error)) from error
        self._check_pile(pile, line.column)
        return PileSeen(time_s=self.now_s, seen_s=self.now_s, pile=pile, top=None, empty=True)

    def _scored(self, line: Line) -> Event:
        words = line.words()
        if len(words) < 3 or len(words) % 2 == 0:
            raise line.fail(f"write a time, then each seat with Dutch/Blitz cards: '{line.key}: 75.0 s1 19/3'")
        time_s = parse_time(words[0][1], words[0][0])
        rows = []
        for (seat_column, name), (column, counts) in zip(words[1::2], words[2::2], strict=True):
            seat = parse_seat(name, seat_column)
            self._check_seat(seat, seat_column)
            match = re.fullmatch(r"(\d{1,4})/(\d{1,4})", counts, re.ASCII)
            if match is None:
                raise line.fail(f"'{counts}' are no counts: write Dutch/Blitz cards, as in 19/3", column)
            dutch, blitz = int(match.group(1)), int(match.group(2))
            rows.append(SeatScore(seat, dutch, blitz, score(self.variant, dutch, blitz), True))
        return RoundScored(time_s=time_s, seen_s=self._tell(time_s), by=line.key, seats=tuple(rows))


def _time(line: Line) -> float:
    try:
        return parse_time(line.text, line.column)
    except NotationError as error:
        raise line.fail(error.message, error.column) from error
