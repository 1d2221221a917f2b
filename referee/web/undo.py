"""Undo at the desk: the log is never edited, so what was done is taken back by events that say the opposite."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from ..game.event_types import (
    BlitzSeen,
    DutchCalled,
    Event,
    Revised,
    RoundEnded,
    RoundPaused,
    RoundResumed,
    RoundScored,
    RoundStarted,
    Ruled,
    SeatJoined,
    SeatLeft,
)
from ..game.match import Match
from ..game.round import MoveRecord, Phase, Round

REMEMBERED = 20
When = dict[str, Any]


def invert(before: Match, events: Sequence[Event]) -> tuple[Event, ...]:
    """Give the events that take others back; none where that can't be done.

    Parameters
    ----------
    before
        The match that they followed on.
    events
        Of one command of the desk.
    """
    kinds = {type(event) for event in events}
    when: When = {"time_s": before.time_s, "seen_s": before.time_s}
    if RoundStarted in kinds:
        return (RoundEnded(reason="abandoned", **when),)
    back: list[Event] = []
    for event in events:
        make = _INVERSES.get(type(event))
        back += make(before, event, when) if make is not None else []
    return tuple(back)


def _find(before: Match, move: int) -> MoveRecord | None:
    return next((round_.records[move] for round_ in before.rounds if move in round_.records), None)


def _unrule(before: Match, event: Ruled, when: When) -> list[Event]:
    record = _find(before, event.move)
    said = record.said if record is not None else None
    if said is None:
        return []
    return [
        Ruled(
            move=event.move,
            violations=said.violations,
            certainty=said.certainty,
            remedy=said.remedy,
            by="person",
            **when,
        )
    ]


def _unrevise(before: Match, event: Revised, when: When) -> list[Event]:
    record = _find(before, event.move)
    if record is None:
        return []
    old = record.event
    # Saying who played it also makes its source unknown.
    changes = {"seat": old.seat, "source": old.source, "cards": old.cards} if event.changes else {}
    return [Revised(move=event.move, reason="undone at the desk", retracted=record.retracted, changes=changes, **when)]


def _unscore(before: Match, event: RoundScored, when: When) -> list[Event]:
    round_ = next((other for other in before.rounds if other.number == event.round), None)
    if round_ is None or round_.phase is not Phase.SCORED:
        return []
    return [RoundScored(by="corrected", round=round_.number, seats=round_.score(), **when)]


def _resume(before: Match, event: Event, when: When) -> list[Event]:
    return [RoundResumed(**when)] if before.round is not None and before.round.phase is Phase.PLAYING else []


def _unresume(before: Match, event: Event, when: When) -> list[Event]:
    round_: Round | None = before.round
    if round_ is None:
        return []
    if round_.phase is Phase.PAUSED:
        return [RoundPaused(**when)]
    if round_.phase is Phase.STOPPED:
        return [DutchCalled(**when)]
    if round_.blitz_seat is not None:
        return [BlitzSeen(seat=round_.blitz_seat, **when)]
    return [RoundEnded(reason="stuck", **when)] if round_.phase is Phase.ENDED else []


def _unend(before: Match, event: RoundEnded, when: When) -> list[Event]:
    return _resume(before, event, when) if event.reason == "stuck" else []


def _unname(before: Match, event: SeatJoined, when: When) -> list[Event]:
    old = next((seat for seat in before.seats if seat.number == event.seat and seat.playing), None)
    if old is None:
        return [SeatLeft(seat=event.seat, **when)]
    return [SeatJoined(seat=old.number, name=old.name, deck=old.deck, **when)]


_INVERSES: dict[type[Event], Callable[[Match, Any, When], list[Event]]] = {
    Ruled: _unrule,
    Revised: _unrevise,
    RoundScored: _unscore,
    RoundPaused: _resume,
    DutchCalled: _resume,
    BlitzSeen: _resume,
    RoundEnded: _unend,
    RoundResumed: _unresume,
    SeatJoined: _unname,
}


class Done:
    """What was done at the desk and can be taken back, the last first."""

    def __init__(self) -> None:
        self._past: deque[tuple[str, tuple[Event, ...]]] = deque(maxlen=REMEMBERED)

    def note(self, action: str, before: Match, events: Sequence[Event]) -> None:
        """Remember a command that was carried out; one that can't be taken back ends what can be."""
        back = invert(before, events)
        if back:
            self._past.append((action, back))
        else:
            self._past.clear()

    def last(self) -> tuple[str, tuple[Event, ...]] | None:
        """Give the last action and the events that take it back."""
        return self._past[-1] if self._past else None

    def forget(self) -> None:
        """Forget the last action: it was taken back, or can't be any more."""
        if self._past:
            self._past.pop()
