"""Everything that happens is an event: appended once, never edited; the match is a fold over them.

`to_json` and `from_json` are the file format of `events.jsonl`, of `--events` and of the store.
Each event has `time_s` (when it happened) and `seen_s` (when it was said), both on the film's clock.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, ClassVar

from .cards import Face
from .moves import PileId


class Violation(StrEnum):
    """What can be wrong with a move; each value is explained by the rule of the same name in `rules`."""

    WRONG_COLOR = "wrong_color"
    WRONG_NUMBER = "wrong_number"
    START_NOT_ONE = "start_not_one"
    PILE_COMPLETE = "pile_complete"
    SEVERAL_CARDS = "several_cards"
    TWO_HANDS = "two_hands"
    BEFORE_START = "before_start"
    AFTER_BLITZ = "after_blitz"
    LATE_TO_PILE = "late_to_pile"
    POST_ORDER = "post_order"
    POST_FIGURE = "post_figure"
    TAKEN_FROM_DUTCH = "taken_from_dutch"
    NOT_ON_TOP = "not_on_top"
    WOOD_COUNT = "wood_count"
    SHUFFLED = "shuffled"


class Certainty(StrEnum):
    """How sure a ruling is."""

    CERTAIN = "certain"
    DOUBTFUL = "doubtful"
    TOO_CLOSE = "too_close"


class EventError(ValueError):
    """A line of an event log that can't be understood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What every event has; `id` is unique in a log and never reused (0: not yet in a log)."""

    type: ClassVar[str]
    time_s: float
    seen_s: float
    id: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStarted(Event):
    """A round begins: the signal was given, or (in a film) the first play was seen."""

    type: ClassVar[str] = "round_started"
    seats: int
    variant: str = "dutch-blitz"


@dataclass(frozen=True, slots=True, kw_only=True)
class PileSeen(Event):
    """The top of a player's pile as it is now known; `top` None: a card that can't be read."""

    type: ClassVar[str] = "pile_seen"
    pile: PileId
    top: Face | None
    empty: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CardMoved(Event):
    """Cards went from one pile to another; `cards` is bottom to top, None for one not seen."""

    type: ClassVar[str] = "card_moved"
    seat: int | None
    cards: tuple[Face | None, ...]
    source: PileId | None
    target: PileId
    at_mm: tuple[float, float] | None = None
    confidence: float = 1.0
    undoes: int | None = None
    rest_s: float | None = None
    visible_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled(Event):
    """What the referee says of a move; no violations: an earlier ruling is resolved."""

    type: ClassVar[str] = "ruled"
    move: int
    violations: tuple[Violation, ...]
    certainty: Certainty = Certainty.CERTAIN
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revised(Event):
    """An earlier move is now understood otherwise; only fields named in `changes` change."""

    type: ClassVar[str] = "revised"
    move: int
    reason: str
    retracted: bool = False
    changes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlitzSeen(Event):
    """A seat's Blitz Pile is empty."""

    type: ClassVar[str] = "blitz_seen"
    seat: int


@dataclass(frozen=True, slots=True)
class SeatScore:
    """One seat's result of a round; `sure` is False while anything about it is doubtful."""

    seat: int
    dutch: int
    blitz: int
    score: int
    sure: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundScored(Event):
    """The score of a round; `by` is `followed`, `counted` or `corrected`."""

    type: ClassVar[str] = "round_scored"
    by: str
    seats: tuple[SeatScore, ...]


EVENT_TYPES: dict[str, type[Event]] = {
    cls.type: cls for cls in (RoundStarted, PileSeen, CardMoved, Ruled, Revised, BlitzSeen, RoundScored)
}

_OPTIONAL = {"id": 0, "empty": False, "at_mm": None, "undoes": None, "rest_s": None, "visible_s": None,
             "retracted": False, "remedy": ""}  # fmt: skip


def _plain(value: Any) -> Any:
    if isinstance(value, Face | PileId):
        return str(value)
    if isinstance(value, SeatScore):
        return {item.name: getattr(value, item.name) for item in fields(value)}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return round(value, 4)
    return value


def to_json(event: Event) -> str:
    """Write an event as one JSON object on one line, without what holds its default."""
    record: dict[str, Any] = {"type": event.type}
    for item in fields(event):
        value = getattr(event, item.name)
        if item.name == "changes":
            record.update({key: _plain(part) for key, part in value.items()})
        elif item.name not in _OPTIONAL or value != _OPTIONAL[item.name]:
            record[item.name] = _plain(value)
    return json.dumps(record, ensure_ascii=False)


def _face(label: str | None) -> Face | None:
    return None if label is None else Face.parse(label)


def _pile(name: str | None) -> PileId | None:
    return None if name is None else PileId.parse(name)


_READERS: dict[str, Any] = {
    "cards": lambda value: tuple(_face(label) for label in value),
    "top": _face,
    "pile": _pile,
    "source": _pile,
    "target": _pile,
    "at_mm": lambda value: None if value is None else (float(value[0]), float(value[1])),
    "violations": lambda value: tuple(Violation(name) for name in value),
    "certainty": Certainty,
}


def from_json(line: str) -> Event:
    """Read one event; the inverse of `to_json`.

    Raises
    ------
    EventError
        If the line is no event, its type is unknown, a field is missing, unknown or has an impossible value.
    """
    try:
        record = json.loads(line)
        kind = record.pop("type")
        cls = EVENT_TYPES[kind]
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise EventError(f"no event of a known type: {line[:120]!r}") from error
    known = {item.name for item in fields(cls)}
    try:
        values = {key: _READERS.get(key, lambda value: value)(value) for key, value in record.items()}
        if cls is RoundScored:
            values["seats"] = tuple(SeatScore(**seat) for seat in values["seats"])
        if cls is Revised:
            values["changes"] = {key: values.pop(key) for key in [*values] if key not in known}
        return cls(**values)
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise EventError(f"event '{kind}': {error}") from error
