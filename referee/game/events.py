"""Events and their JSON, one object a line: the format of `events.jsonl`, of `--events` and of the store.

The kinds of events stand in `event_types`; import them from here or from there. What holds its default is left
out, so that a plain log shows only what people expect in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, Field, fields
from math import isfinite
from typing import Any

from .cards import Face
from .event_types import (
    LOG_VERSION,
    BlitzCalled,
    BlitzSeen,
    CardMoved,
    Certainty,
    DutchCalled,
    Event,
    EventError,
    MatchStarted,
    PileSeen,
    Player,
    Revised,
    RoundEnded,
    RoundPaused,
    RoundResumed,
    RoundScored,
    RoundStarted,
    Ruled,
    SeatJoined,
    SeatLeft,
    SeatScore,
    StuckAgreed,
    Violation,
)
from .moves import PileId

__all__ = [
    "EVENT_TYPES",
    "LOG_VERSION",
    "BlitzCalled",
    "BlitzSeen",
    "CardMoved",
    "Certainty",
    "DutchCalled",
    "Event",
    "EventError",
    "MatchStarted",
    "PileSeen",
    "Player",
    "Revised",
    "RoundEnded",
    "RoundPaused",
    "RoundResumed",
    "RoundScored",
    "RoundStarted",
    "Ruled",
    "SeatJoined",
    "SeatLeft",
    "SeatScore",
    "StuckAgreed",
    "Violation",
    "from_json",
    "read_log",
    "to_json",
]

EVENT_TYPES: dict[str, type[Event]] = {
    cls.type: cls
    for cls in (
        MatchStarted,
        SeatJoined,
        SeatLeft,
        RoundStarted,
        RoundPaused,
        RoundResumed,
        PileSeen,
        CardMoved,
        Ruled,
        Revised,
        DutchCalled,
        BlitzSeen,
        BlitzCalled,
        StuckAgreed,
        RoundEnded,
        RoundScored,
    )
}

_ALWAYS = {"variant", "confidence", "certainty", "source", "top", "version"}
"""Written even when they hold their default: other people's scripts look for them."""


def _plain(value: Any) -> Any:
    if isinstance(value, Face | PileId):
        return str(value)
    if isinstance(value, SeatScore | Player):
        return {item.name: getattr(value, item.name) for item in fields(value)}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return round(value, 4)
    return value


def _default(item: Field[Any]) -> Any:
    return item.default if item.default_factory is MISSING else item.default_factory()


def to_json(event: Event) -> str:
    """Write an event as one JSON object on one line, without what holds its default."""
    record: dict[str, Any] = {"type": event.type}
    for item in fields(event):
        value = getattr(event, item.name)
        if item.name == "changes":
            record.update({key: _plain(part) for key, part in value.items()})
        elif item.name in _ALWAYS or value != _default(item):
            record[item.name] = _plain(value)
    return json.dumps(record, ensure_ascii=False)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"{value!r} is no number")
    return float(value)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{value!r} is no whole number")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def _bool(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} is neither true nor false")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{value!r} is no list")
    return value


def _face(label: Any) -> Face | None:
    return None if label is None else Face.parse(_text(label))


def _pile(name: Any) -> PileId | None:
    return None if name is None else PileId.parse(_text(name))


def _known_pile(name: Any) -> PileId:
    return PileId.parse(_text(name))


def _cards(value: Any) -> tuple[Face | None, ...]:
    if not _list(value):
        raise ValueError("cards: at least one is needed")
    return tuple(_face(label) for label in value)


def _point(value: Any) -> tuple[float, float] | None:
    if value is None:
        return None
    x, y = _list(value)
    return _number(x), _number(y)


def _optional(reader: Any) -> Any:
    return lambda value: None if value is None else reader(value)


def _reads(cls: type[Any], readers: dict[str, Any]) -> Any:
    return lambda value: cls(**{key: readers[key](part) for key, part in dict(value).items()})


_SCORE = {"seat": _whole, "dutch": _whole, "blitz": _whole, "score": _whole, "sure": _bool}
_PLAYER = {"seat": _whole, "name": _text, "deck": _text}

_MOVE_READERS: dict[str, Any] = {
    "time_s": _number,
    "seat": _optional(_whole),
    "cards": _cards,
    "source": _pile,
    "target": _known_pile,
    "at_mm": _point,
    "confidence": _number,
    "undoes": _optional(_whole),
    "rest_s": _optional(_number),
    "visible_s": _optional(_number),
}
_READERS: dict[str, Any] = {
    **_MOVE_READERS,
    "id": _whole,
    "seen_s": _number,
    "move": _whole,
    "after": _optional(_whole),
    "round": _optional(_whole),
    "version": _whole,
    "empty": _bool,
    "retracted": _bool,
    "top": _face,
    "pile": _known_pile,
    "playing": lambda value: tuple(_whole(seat) for seat in _list(value)),
    "players": lambda value: tuple(_reads(Player, _PLAYER)(part) for part in _list(value)),
    "rules": dict,
    "violations": lambda value: tuple(Violation(name) for name in _list(value)),
    "certainty": Certainty,
}


def _readers_of(cls: type[Event]) -> dict[str, Any]:
    readers = {item.name: _READERS.get(item.name, _text) for item in fields(cls)}
    if cls is RoundScored:
        readers["seats"] = lambda value: tuple(_reads(SeatScore, _SCORE)(part) for part in _list(value))
    if cls is RoundStarted:
        readers["seats"] = _whole
    if cls in (BlitzSeen, BlitzCalled, SeatJoined, SeatLeft):
        readers["seat"] = _whole
    if cls is DutchCalled:
        readers["move"] = _optional(_whole)
    if cls is Revised:
        del readers["changes"]
    return readers


_READERS_OF = {cls: _readers_of(cls) for cls in EVENT_TYPES.values()}


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
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise EventError(f"no event of a known type: {line[:120]!r}") from error
    readers = _READERS_OF[cls]
    values: dict[str, Any] = {}
    changes: dict[str, Any] = {}
    for key, value in record.items():
        try:
            if key in readers:
                values[key] = readers[key](value)
            elif cls is Revised and key in _MOVE_READERS:
                changes[key] = _MOVE_READERS[key](value)
            else:
                raise ValueError("it is unknown")
        except (ValueError, TypeError, KeyError) as error:
            raise EventError(f"event '{kind}', field '{key}': {error}") from error
    if cls is Revised:
        values["changes"] = changes
    missing = [
        item.name
        for item in fields(cls)
        if item.name not in values and item.default is MISSING and item.default_factory is MISSING
    ]
    if missing:
        raise EventError(f"event '{kind}': the field '{missing[0]}' is missing")
    if values.get("version", LOG_VERSION) != LOG_VERSION:
        raise EventError(f"log version {values['version']}: this program reads version {LOG_VERSION}: update it")
    return cls(**values)


def read_log(lines: Iterable[str]) -> Iterator[Event]:
    """Read a log line by line; empty lines are skipped.

    Raises
    ------
    EventError
        At the first line that is no event, is out of order of `seen_s` or uses an id again; it names the line.
    """
    seen_s = float("-inf")
    ids: set[int] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            event = from_json(line)
        except EventError as error:
            raise EventError(f"line {number}: {error}") from error
        if event.seen_s < seen_s:
            raise EventError(f"line {number}: out of order: seen at {event.seen_s} s after one seen at {seen_s} s")
        if event.id and event.id in ids:
            raise EventError(f"line {number}: the id {event.id} is used again")
        seen_s = event.seen_s
        ids.add(event.id)
        yield event
