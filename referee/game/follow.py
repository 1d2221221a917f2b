"""How a round changes: one function for each thing that can happen in it, round in, round out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from .event_types import CardMoved, Certainty, PileSeen, Ruled, StuckAgreed
from .moves import Move, PileId, PileKind
from .plays import is_stuck
from .round import MoveRecord, Owners, Round, Stop
from .rules import judge
from .ruling import Context, Ruling
from .table import Table, find_taken
from .variant import IllegalPlay, Variant


def start_round(number: int, variant: Variant, seats: tuple[int, ...], started_s: float) -> Round:
    """Begin a round of which no card was seen yet; raises VariantError if so many can't play."""
    return Round(number, variant, seats, started_s, Table.start(variant, seats))


def see_pile(round_: Round, event: PileSeen) -> Round:
    """Take a look at a pile's top into account."""
    return _follow_look(replace(round_, tape=(*round_.tape, event)), event)


def add_move(round_: Round, event: CardMoved) -> Round:
    """Take a move into account; one that was missed earlier (`after`) goes to its place in the tape."""
    tape = round_.tape
    records = {**round_.records, event.id: MoveRecord(event)}
    if event.after is None:
        return _follow_move(replace(round_, tape=(*tape, event.id), records=records), event)
    place = 0 if event.after == 0 else tape.index(event.after) + 1
    return follow_again(replace(round_, tape=(*tape[:place], event.id, *tape[place:]), records=records))


def revise_move(round_: Round, id_: int, changes: dict[str, Any], retracted: bool) -> Round:
    """Understand a move otherwise, and follow everything after it again.

    If another seat is said to have played it, it can't have come from the first one's pile: its source is not
    known then, unless that is said too.
    """
    record = round_.records[id_]
    seat, source = changes.get("seat"), record.event.source
    if seat is not None and "source" not in changes and source is not None and source.seat not in (0, seat):
        changes = {**changes, "source": None}
    record = replace(record, event=replace(record.event, **changes), retracted=retracted, revised=True)
    return follow_again(replace(round_, records={**round_.records, id_: record}))


def note_ruling(round_: Round, event: Ruled) -> Round:
    """Remember what was said of a move; a person's word is not overruled by the referee's."""
    record = round_.records[event.move]
    if record.said is not None and record.said.by == "person" and event.by != "person":
        return round_
    # An empty ruling after the play was taken back only closes the matter; before that it overrules.
    blame = event if event.violations else (record.blame if record.undone_by is not None else None)
    return replace(round_, records={**round_.records, event.move: replace(record, said=event, blame=blame)})


def follow_again(round_: Round) -> Round:
    """Follow the whole tape from the deal, after a change in it."""
    records = {id_: replace(record, undone_by=None) for id_, record in round_.records.items()}
    now = replace(
        round_,
        table=Table.start(round_.variant, round_.seats),
        owners={},
        records=records,
        stuck_left=frozenset(),
    )
    for entry in round_.tape:
        if isinstance(entry, PileSeen):
            now = _follow_look(now, entry)
        elif isinstance(entry, StuckAgreed):
            now = replace(now, stuck_left=frozenset(now.seats))
        else:
            now = _follow_move(now, now.records[entry].event)
    return now


def _follow_look(round_: Round, event: PileSeen) -> Round:
    return replace(round_, table=round_.table.see(event.pile, event.top, event.empty))


def _follow_move(round_: Round, event: CardMoved) -> Round:
    records = round_.records
    if records[event.id].retracted:
        return round_
    if event.undoes is not None and event.undoes in records:
        undone = replace(records[event.undoes], undone_by=event.id)
        records = {**records, event.undoes: undone}
    return replace(
        round_,
        table=round_.table.apply(event.move),
        owners=_follow_owners(round_, event),
        records=records,
        stuck_left=_follow_stuck(round_, event),
    )


def _follow_owners(round_: Round, event: CardMoved) -> dict[PileId, Owners]:
    """Give who owns which Dutch card after a move: whoever plays a card owns it, and it keeps its owner."""
    source, target = event.source, event.target
    owners = round_.owners
    moved: Owners = (event.seat,) * len(event.cards)
    if source is not None and source.kind is PileKind.DUTCH:
        start, stop = find_taken(round_.table.pile(source), event.cards)
        old = _align(owners.get(source, ()), len(round_.table.pile(source)))
        moved = old[start:stop]
        owners = {**owners, source: old[:start] + old[stop:]}
    if target.kind is PileKind.DUTCH:
        owners = {**owners, target: _align(owners.get(target, ()), len(round_.table.pile(target))) + moved}
    return owners


def _align(owners: Owners, cards: int) -> Owners:
    """Match owners to the cards of a pile: nobody knows whose those are that a look brought to light."""
    return owners[:cards] + (None,) * (cards - len(owners))


def _follow_stuck(round_: Round, event: CardMoved) -> frozenset[int]:
    """Give the seats that may still make the stuck move: once the table was stuck, each may make it once."""
    if event.source != event.target or event.seat is None:
        return round_.stuck_left
    if event.seat in round_.stuck_left:
        return round_.stuck_left - {event.seat}
    stuck = is_stuck(round_.variant, round_.table)
    return frozenset(round_.seats) - {event.seat} if stuck else round_.stuck_left


def agree_stuck(round_: Round, event: StuckAgreed) -> Round:
    """Let every seat make the move of those who are stuck, once."""
    return replace(round_, tape=(*round_.tape, event), stuck_left=frozenset(round_.seats))


def stop_play(round_: Round, since_s: float) -> Round:
    """Let play stand still from now on."""
    return replace(round_, stops=(*round_.stops, Stop(since_s)))


def resume_play(round_: Round, time_s: float) -> Round:
    """Let play go on."""
    stops = tuple(Stop(stop.since_s, min(stop.until_s, time_s)) for stop in round_.stops)
    return replace(round_, stops=stops)


def find_context(round_: Round, event: CardMoved, camera: bool = False) -> Context:
    """Find what a judge must know about a move beside the table; the round is as it was BEFORE the move.

    Parameters
    ----------
    round_
        The round up to the move.
    event
        The move.
    camera
        Whether only a camera saw it.
    """
    return Context(
        started_s=round_.started_s,
        ended_s=float("inf") if round_.ended_s is None else round_.ended_s,
        stopped=any(stop.since_s + round_.variant.too_close_s < event.time_s < stop.until_s for stop in round_.stops),
        puts_back=_puts_back(round_, event),
        last_on_pile=_find_last(round_, lambda record: record.event.target == event.target),
        last_of_seat=None
        if event.seat is None
        else _find_last(round_, lambda record: record.event.seat == event.seat and record.event.undoes is None),
        owes_card=_owes_card(round_, event.seat),
        stuck=event.seat in round_.stuck_left,
        camera=camera,
    )


def _find_last(round_: Round, wanted: Callable[[MoveRecord], bool]) -> Move | None:
    for entry in reversed(round_.tape):
        if isinstance(entry, int):
            record = round_.records[entry]
            if record.stands and wanted(record):
                return record.move
    return None


def _puts_back(round_: Round, event: CardMoved) -> bool:
    """Say whether a move takes back a play that was ruled against, or one of two that were too close to call."""
    if event.undoes is None or event.undoes not in round_.records:
        return False
    undone = round_.records[event.undoes]
    if undone.retracted or (undone.said is not None and undone.said.violations):
        return True
    return any(
        record.said is not None
        and record.said.certainty is Certainty.TOO_CLOSE
        and record.event.target == undone.event.target
        for record in round_.records.values()
    )


def _owes_card(round_: Round, seat: int | None) -> bool:
    if seat is None or round_.variant.illegal_play is not IllegalPlay.CARD:
        return False
    paid = sum(
        record.stands
        and record.event.source == PileId.of(PileKind.HAND, seat)
        and record.event.target == PileId.of(PileKind.BLITZ, seat)
        for record in round_.records.values()
    )
    return paid < round_.count_illegal(seat)


def judge_move(round_: Round, event: CardMoved, camera: bool = False) -> Ruling:
    """Judge a move that is about to be added to the round."""
    return judge(round_.variant, round_.table, event.move, find_context(round_, event, camera))


def judge_again(round_: Round, camera: bool = False) -> dict[int, Ruling]:
    """Judge every move of a round as it is understood now, by id; a person's word is kept where one was given."""
    now = start_round(round_.number, round_.variant, round_.seats, round_.started_s)
    now = replace(now, ended_s=round_.ended_s, stops=round_.stops)
    rulings: dict[int, Ruling] = {}
    for entry in round_.tape:
        if isinstance(entry, PileSeen):
            now = see_pile(now, entry)
            continue
        if isinstance(entry, StuckAgreed):
            now = agree_stuck(now, entry)
            continue
        record = round_.records[entry]
        if record.retracted:
            continue
        event = replace(record.event, after=None)
        said = record.said if record.said is not None and record.said.by == "person" else None
        if said is None:
            ruling = judge_move(now, event, camera)
        else:
            ruling = Ruling(event.move, said.violations, said.certainty, said.remedy)
        rulings[entry] = ruling
        now = add_move(now, event)
        if ruling.violations:
            now = note_ruling(now, say_ruling(event, ruling, event.seen_s))
    return rulings


def say_ruling(event: CardMoved, ruling: Ruling, seen_s: float) -> Ruled:
    """Make the event that tells a ruling on a move."""
    return Ruled(
        time_s=event.time_s,
        seen_s=seen_s,
        move=event.id,
        violations=ruling.violations,
        certainty=ruling.certainty,
        remedy=ruling.remedy,
    )


def find_due_rulings(
    round_: Round, seen_s: float, camera: bool = False, before: Round | None = None
) -> tuple[Ruled, ...]:
    """Find what must be said after a correction: rulings that differ from what was said last.

    Parameters
    ----------
    round_
        The round after the correction.
    seen_s
        When they are said.
    camera
        Whether only a camera saw the moves.
    before
        The round before the correction: then only rulings that the correction changes are due. Whoever said
        the others may have known more than stands in the log. None: all that differ.
    """
    due = []
    unchanged = {} if before is None else judge_again(before, camera)
    for id_, ruling in judge_again(round_, camera).items():
        record = round_.records[id_]
        old = unchanged.get(id_)
        if old is not None and (old.violations, old.certainty) == (ruling.violations, ruling.certainty):
            continue
        if ruling.violations:
            said = record.said
            if said is None or (said.violations, said.certainty) != (ruling.violations, ruling.certainty):
                closed = said is not None and not said.violations and record.undone_by is not None
                if not closed:
                    due.append(say_ruling(record.event, ruling, seen_s))
        elif record.said is not None and record.said.violations:
            due.append(say_ruling(record.event, Ruling(record.move, ()), seen_s))
    due += [
        Ruled(time_s=record.event.time_s, seen_s=seen_s, move=id_, violations=())
        for id_, record in round_.records.items()
        if record.retracted and record.said is not None and record.said.violations
    ]
    return tuple(due)
