"""The match is a fold over the event log: `evolve` takes one event, `replay` a whole log.

Nothing is half-applied: an event that cannot be is refused with a `MatchError`, and the match stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import reduce
from typing import Any

from . import follow
from .event_types import (
    BlitzCalled,
    BlitzSeen,
    CardMoved,
    DutchCalled,
    Event,
    MatchStarted,
    PileSeen,
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
)
from .house_rules import make_variant
from .match_state import Match, MatchError, Seat
from .moves import PileId, PileKind
from .round import Phase, Round
from .variant import IllegalPlay, RoundEnd, StuckRule, VariantError, get_variant

__all__ = ["Match", "MatchError", "Phase", "Round", "Seat", "evolve", "replay"]


def replay(events: Iterable[Event], match: Match | None = None) -> Match:
    """Fold a whole log.

    Parameters
    ----------
    events
        In the order of the log.
    match
        What to begin with; an empty match if None.

    Raises
    ------
    MatchError
        At the first event that cannot be.
    """
    return reduce(evolve, events, match or Match.new())


def evolve(match: Match, event: Event) -> Match:
    """Give the match after one more event.

    Raises
    ------
    MatchError
        If the event cannot follow on what happened so far; the message says why.
    """
    handler = _HANDLERS.get(type(event))
    if handler is None:
        raise MatchError(f"an event of type '{event.type}' is not known here")
    try:
        changed: Match = handler(match, event)
    except VariantError as error:
        raise MatchError(f"{event.type}: {error}") from error
    return replace(changed, last_id=max(match.last_id, event.id), time_s=event.seen_s)


def _start_match(match: Match, event: MatchStarted) -> Match:
    if match.rounds:
        raise MatchError("match_started: this log has rounds already: begin a new log")
    numbers = [player.seat for player in event.players]
    if len(set(numbers)) != len(numbers) or any(number < 1 for number in numbers):
        raise MatchError(f"match_started: seats are numbered from 1, each once: not {numbers}")
    variant = make_variant(get_variant(event.variant), event.rules)
    if numbers:
        variant.posts_for(len(numbers))
    seats = tuple(Seat(player.seat, player.name, player.deck) for player in event.players)
    return replace(match, variant=variant, seats=tuple(sorted(seats, key=lambda seat: seat.number)), named=True)


def _join(match: Match, event: SeatJoined) -> Match:
    if event.seat < 1:
        raise MatchError(f"seat_joined: seats are numbered from 1, not {event.seat}")
    known = {seat.number: seat for seat in match.seats}
    old = known.get(event.seat, Seat(event.seat, event.name))
    if not old.playing or event.seat not in known:
        _need_no_play(match, "seat_joined")
        if sum(seat.playing for seat in match.seats) >= match.variant.max_seats:
            raise MatchError(f"seat_joined: {match.variant.name} is for {match.variant.max_seats} seats at most")
    known[event.seat] = replace(old, name=event.name, deck=event.deck or old.deck, playing=True)
    return replace(match, seats=tuple(known[number] for number in sorted(known)))


def _leave(match: Match, event: SeatLeft) -> Match:
    _need_no_play(match, "seat_left")
    match.seat(event.seat)
    seats = (replace(seat, playing=False) if seat.number == event.seat else seat for seat in match.seats)
    return replace(match, seats=tuple(seats))


def _need_no_play(match: Match, what: str) -> None:
    if match.round is not None and not match.round.is_over:
        raise MatchError(f"{what}: round {match.round.number} is played: wait for its end")


def _start_round(match: Match, event: RoundStarted) -> Match:
    _need_no_play(match, "round_started")
    variant = match.variant if match.named else get_variant(event.variant)
    numbers = event.playing or _who_plays(match, event.seats)
    if len(set(numbers)) != len(numbers) or any(number < 1 for number in numbers):
        raise MatchError(f"round_started: seats are numbered from 1, each once: not {list(numbers)}")
    known = {seat.number for seat in match.seats}
    seats = [*match.seats, *(Seat(number, f"Seat {number}") for number in numbers if number not in known)]
    round_ = follow.start_round(len(match.rounds) + 1, variant, tuple(sorted(numbers)), event.time_s)
    return replace(
        match,
        variant=variant,
        seats=tuple(sorted(seats, key=lambda seat: seat.number)),
        rounds=(*match.rounds, round_),
    )


def _who_plays(match: Match, count: int) -> tuple[int, ...]:
    playing = tuple(seat.number for seat in match.seats if seat.playing)
    if playing and count in (len(playing), playing[-1]):
        return playing
    return tuple(range(1, count + 1))


def _current(match: Match, event: Event) -> Round:
    if match.round is None:
        raise MatchError(f"{event.type}: no round was started: round_started comes first")
    return match.round


def _live(match: Match, event: Event) -> Round:
    round_ = _current(match, event)
    if round_.is_over:
        raise MatchError(f"{event.type}: round {round_.number} is over")
    return round_


def _put(match: Match, round_: Round) -> Match:
    """Put a changed round in its place and add up again."""
    rounds = tuple(round_ if other.number == round_.number else other for other in match.rounds)
    totals: dict[int, int] = {}
    for other in rounds:
        if other.phase is Phase.SCORED:
            for row in other.score():
                totals[row.seat] = totals.get(row.seat, 0) + row.score
    seats = tuple(replace(seat, total=totals.get(seat.number, 0)) for seat in match.seats)
    return replace(match, rounds=rounds, seats=seats)


def _find_round(match: Match, event: Event, id_: int) -> Round:
    """Find the round that a move belongs to, past rounds too."""
    for round_ in reversed(match.rounds):
        if id_ in round_.records:
            return round_
    raise MatchError(f"{event.type}: there is no move {id_}")


def _check_seat(round_: Round, event: Event, seat: int | None) -> None:
    if seat is not None and seat not in round_.seats:
        raise MatchError(f"{event.type}: seat {seat} does not play in round {round_.number}")


def _check_pile(round_: Round, event: Event, pile: PileId | None) -> None:
    if pile is None or pile.kind is PileKind.DUTCH:
        return
    _check_seat(round_, event, pile.seat)
    if pile.kind is PileKind.POST and pile not in round_.table.piles:
        raise MatchError(f"{event.type}: there is no pile {pile} in round {round_.number}")


def _see_pile(match: Match, event: PileSeen) -> Match:
    round_ = _current(match, event)
    _check_pile(round_, event, event.pile)
    return _put(match, follow.see_pile(round_, event))


def _move(match: Match, event: CardMoved) -> Match:
    round_ = _current(match, event) if event.after in (None, 0) else _find_round(match, event, event.after or 0)
    if not event.id:
        event = replace(event, id=-1 - sum(len(other.records) for other in match.rounds))
    if any(event.id in other.records for other in match.rounds):
        raise MatchError(f"card_moved: the id {event.id} is used again")
    _check_seat(round_, event, event.seat)
    _check_pile(round_, event, event.source)
    _check_pile(round_, event, event.target)
    if event.undoes is not None and event.undoes not in round_.records:
        raise MatchError(f"card_moved: there is no move {event.undoes} to take back")
    return _put(match, _score_again(follow.add_move(round_, event)))


def _rule(match: Match, event: Ruled) -> Match:
    return _put(match, _score_again(follow.note_ruling(_find_round(match, event, event.move), event)))


_CHANGEABLE = ("seat", "cards", "source", "target", "at_mm", "confidence", "undoes", "rest_s", "visible_s", "time_s")


def _revise(match: Match, event: Revised) -> Match:
    round_ = _find_round(match, event, event.move)
    for key in event.changes:
        if key not in _CHANGEABLE:
            raise MatchError(f"revised: a move has no '{key}': use {', '.join(_CHANGEABLE)}")
    _check_seat(round_, event, event.changes.get("seat"))
    _check_pile(round_, event, event.changes.get("source"))
    _check_pile(round_, event, event.changes.get("target"))
    undoes = event.changes.get("undoes")
    if undoes is not None and (undoes not in round_.records or undoes == event.move):
        raise MatchError(f"revised: there is no move {undoes} to take back")
    return _put(match, _score_again(follow.revise_move(round_, event.move, event.changes, event.retracted)))


def _score_again(round_: Round) -> Round:
    """Replace what was followed, once it was said, after a correction of the round."""
    if "followed" not in round_.scores:
        return round_
    return replace(round_, scores={**round_.scores, "followed": round_.tally()})


def _call_dutch(match: Match, event: DutchCalled) -> Match:
    round_ = _live(match, event)
    _check_seat(round_, event, event.seat)
    if event.move is not None and event.move not in round_.records:
        raise MatchError(f"dutch_called: there is no move {event.move}")
    if round_.variant.illegal_play is IllegalPlay.NOTICE or round_.phase is not Phase.PLAYING:
        return match
    return _put(match, replace(follow.stop_play(round_, event.time_s), phase=Phase.STOPPED))


def _pause(match: Match, event: RoundPaused) -> Match:
    round_ = _live(match, event)
    if round_.phase is Phase.PAUSED:
        return match
    return _put(match, replace(follow.stop_play(round_, event.time_s), phase=Phase.PAUSED))


def _resume(match: Match, event: RoundResumed) -> Match:
    """Go on after a pause, after "Dutch!", or after a Blitz that was none."""
    round_ = _current(match, event)
    if round_.phase in (Phase.SCORED, Phase.ABANDONED):
        raise MatchError(f"round_resumed: round {round_.number} is closed")
    resumed = follow.resume_play(round_, event.time_s)
    if round_.phase is Phase.ENDED:
        resumed = replace(resumed, ended_s=None, blitz_seat=None, blitz_called=None)
    return _put(match, replace(resumed, phase=Phase.PLAYING))


def _see_blitz(match: Match, event: BlitzSeen) -> Match:
    round_ = _current(match, event)
    _check_seat(round_, event, event.seat)
    if round_.blitz_seat is None:
        round_ = replace(round_, blitz_seat=event.seat)
    if round_.variant.round_end is RoundEnd.EMPTIED:
        round_ = _end(round_, event.time_s)
    return _put(match, _score_again(round_))


def _call_blitz(match: Match, event: BlitzCalled) -> Match:
    round_ = _current(match, event)
    _check_seat(round_, event, event.seat)
    if round_.blitz_called is None:
        round_ = replace(round_, blitz_called=event.seat)
    if round_.variant.round_end is RoundEnd.CALLED:
        round_ = _end(round_, event.time_s)
    return _put(match, round_)


def _end(round_: Round, time_s: float) -> Round:
    return round_ if round_.is_over else replace(round_, phase=Phase.ENDED, ended_s=time_s)


def _agree_stuck(match: Match, event: StuckAgreed) -> Match:
    round_ = _live(match, event)
    if round_.variant.stuck is StuckRule.STOP:
        return _put(match, _end(round_, event.time_s))
    return _put(match, follow.agree_stuck(round_, event))


def _end_round(match: Match, event: RoundEnded) -> Match:
    round_ = _live(match, event) if event.reason == "stuck" else _current(match, event)
    if event.reason == "stuck":
        return _put(match, _end(round_, event.time_s))
    if event.reason != "abandoned":
        raise MatchError(f"round_ended: '{event.reason}' is no reason: use stuck or abandoned")
    return _put(match, replace(_end(round_, event.time_s), phase=Phase.ABANDONED))


def _score(match: Match, event: RoundScored) -> Match:
    if event.by not in ("followed", "counted", "corrected"):
        raise MatchError(f"round_scored: '{event.by}' is no way to score: use followed, counted or corrected")
    round_ = _current(match, event)
    if event.round is not None:
        found = [other for other in match.rounds if other.number == event.round]
        if not found:
            raise MatchError(f"round_scored: there is no round {event.round}")
        round_ = found[0]
    seats = [row.seat for row in event.seats]
    for row in event.seats:
        _check_seat(round_, event, row.seat)
        if row.dutch < 0 or row.blitz < 0:
            raise MatchError(f"round_scored: seat {row.seat} can't have {row.dutch} Dutch and {row.blitz} Blitz cards")
    if len(set(seats)) != len(seats):
        raise MatchError(f"round_scored: each seat once: not {seats}")
    rows: dict[int, SeatScore] = {row.seat: row for row in round_.score()}
    rows.update({row.seat: row for row in event.seats})
    scores = {**round_.scores, event.by: tuple(rows[seat] for seat in round_.seats)}
    ended_s = event.time_s if round_.ended_s is None else round_.ended_s
    return _put(match, replace(round_, scores=scores, phase=Phase.SCORED, ended_s=ended_s))


_HANDLERS: dict[type[Event], Callable[[Match, Any], Match]] = {
    MatchStarted: _start_match,
    SeatJoined: _join,
    SeatLeft: _leave,
    RoundStarted: _start_round,
    RoundPaused: _pause,
    RoundResumed: _resume,
    PileSeen: _see_pile,
    CardMoved: _move,
    Ruled: _rule,
    Revised: _revise,
    DutchCalled: _call_dutch,
    BlitzSeen: _see_blitz,
    BlitzCalled: _call_blitz,
    StuckAgreed: _agree_stuck,
    RoundEnded: _end_round,
    RoundScored: _score,
}
