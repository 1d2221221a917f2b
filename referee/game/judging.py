"""A whole log judged from its beginning, as `referee judge` does it: the match, and a ruling for each move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from .event_types import BlitzSeen, CardMoved, Event, Ruled
from .follow import judge_move, say_ruling
from .match import Match, evolve
from .moves import PileKind
from .ruling import Ruling
from .variant import RoundEnd


class Judged(NamedTuple):
    """One event of a log; `ruling` is None unless it is a move; `match` is the match after both."""

    event: Event
    ruling: Ruling | None
    match: Match


def judge_log(events: Iterable[Event], match: Match | None = None) -> Iterator[Judged]:
    """Go through a log and judge every move in it.

    Rulings of the referee in the log are left out, for they are what is found here; a person's are kept. An
    emptied Blitz Pile ends the round by itself, unless the log tells when it was seen.

    Parameters
    ----------
    events
        In the order of the log.
    match
        What to begin with; an empty match if None.

    Raises
    ------
    MatchError
        At an event that cannot be.
    """
    log = list(events)
    tells_blitz = any(isinstance(event, BlitzSeen) for event in log)
    now = match or Match.new()
    for event in log:
        if isinstance(event, Ruled) and event.by != "person":
            yield Judged(event, None, now)
            continue
        if not isinstance(event, CardMoved) or now.round is None:
            now = evolve(now, event)
            yield Judged(event, None, now)
            continue
        ruling = judge_move(now.round, event)
        now = evolve(now, event)
        id_ = event.id or _last_move(now)
        if ruling.violations:
            now = evolve(now, say_ruling(replace(event, id=id_), ruling, event.seen_s))
        if not tells_blitz:
            now = _end_if_emptied(now, event)
        yield Judged(event, ruling, now)


def _last_move(match: Match) -> int:
    assert match.round is not None
    return next(entry for entry in reversed(match.round.tape) if isinstance(entry, int))


def _end_if_emptied(match: Match, event: CardMoved) -> Match:
    """End the round when a move took the last card of a Blitz Pile."""
    source, round_ = event.source, match.round
    if source is None or source.kind is not PileKind.BLITZ or round_ is None or round_.blitz_seat is not None:
        return match
    if round_.variant.round_end is not RoundEnd.EMPTIED or round_.table.pile(source).faces:
        return match
    return evolve(match, BlitzSeen(time_s=event.time_s, seen_s=event.seen_s, seat=source.seat))
