"""Contradictions in what was seen: each deck has one of every face, so some things cannot both be true.

They are doubt about the seeing, never a ruling about a player.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import NamedTuple

from .cards import Face
from .moves import PileKind
from .round import MoveRecord, Round
from .ruling import SURE_CONFIDENCE

_HIDDEN = (PileKind.HAND, PileKind.BLITZ)


class Contradiction(NamedTuple):
    """Something that cannot be: `moves` are the ids of the moves that conflict, oldest first; `seat` may be None."""

    seat: int | None
    face: Face | None
    moves: tuple[int, ...]
    words: str


def _played(round_: Round) -> list[tuple[int, MoveRecord]]:
    """Give the plays on Dutch Piles that stand, with their ids."""
    return [
        (id_, record)
        for id_, record in round_.records.items()
        if record.stands and record.event.target.kind is PileKind.DUTCH and not _aside(record)
    ]


def _aside(record: MoveRecord) -> bool:
    source = record.event.source
    return source is not None and source.kind is PileKind.DUTCH


def find_contradictions(round_: Round) -> tuple[Contradiction, ...]:
    """Find everything in a round that cannot all have been so."""
    found = [*_played_twice(round_), *_still_lying(round_), *_too_many(round_), *_grown(round_)]
    return tuple(found)


def _played_twice(round_: Round) -> list[Contradiction]:
    plays: dict[tuple[int, Face], list[int]] = defaultdict(list)
    for id_, record in _played(round_):
        for face in record.event.cards:
            if record.event.seat is not None and face is not None:
                plays[record.event.seat, face].append(id_)
    return [
        Contradiction(seat, face, tuple(ids), f"seat {seat} has one {face}, but it was seen played {len(ids)} times")
        for (seat, face), ids in plays.items()
        if len(ids) > 1
    ]


def _still_lying(round_: Round) -> list[Contradiction]:
    """Find cards that were played and yet lie in their owner's piles."""
    lying: dict[tuple[int, Face], str] = {}
    for name, pile in round_.table.piles.items():
        if name.kind is not PileKind.DUTCH and name.kind not in _HIDDEN:
            lying.update({(name.seat, face): str(name) for face in pile.faces if face is not None})
    found = []
    for id_, record in _played(round_):
        for face in record.event.cards:
            if record.event.seat is not None and face is not None and (record.event.seat, face) in lying:
                where = lying[record.event.seat, face]
                words = f"seat {record.event.seat} has one {face}: it was seen played, and lies on {where}"
                found.append(Contradiction(record.event.seat, face, (id_,), words))
    return found


def _too_many(round_: Round) -> list[Contradiction]:
    """Find faces of which more are in sight than there are decks."""
    counts: Counter[Face] = Counter()
    for name, pile in round_.table.piles.items():
        if name.kind not in _HIDDEN:
            counts.update(face for face in pile.faces if face is not None)
    plays: dict[Face, list[int]] = defaultdict(list)
    for id_, record in _played(round_):
        for face in record.event.cards:
            if face is not None:
                plays[face].append(id_)
    decks = len(round_.seats)
    return [
        Contradiction(None, face, tuple(plays[face]), f"{count} cards {face} are in sight, but only {decks} decks play")
        for face, count in counts.items()
        if count > decks
    ]


def _grown(round_: Round) -> list[Contradiction]:
    """Find Blitz Piles that are larger than they were dealt; they only shrink, penalties apart."""
    found = []
    for name, pile in round_.table.piles.items():
        if name.kind is not PileKind.BLITZ or len(pile) <= round_.variant.blitz_cards:
            continue
        ids = tuple(
            id_ for id_, record in round_.records.items() if not record.retracted and record.event.target == name
        )
        owed = sum(_pays(round_.records[id_]) for id_ in ids)
        if len(pile) > round_.variant.blitz_cards + owed:
            words = f"the Blitz Pile of seat {name.seat} has grown to {len(pile)} cards"
            found.append(Contradiction(name.seat, None, ids, words))
    return found


def _pays(record: MoveRecord) -> bool:
    source = record.event.source
    return source is not None and source.kind is PileKind.HAND


def find_doubtful_seats(round_: Round) -> frozenset[int]:
    """Find the seats whose counts are not sure."""
    doubtful: set[int] = set()
    for found in find_contradictions(round_):
        doubtful |= {found.seat} if found.seat is not None else _owners_of(round_, found.moves)
    for _, record in _played(round_):
        if record.event.seat is None:
            doubtful |= _possible_owners(round_, record)
        elif record.event.confidence < SURE_CONFIDENCE or record.open:
            doubtful.add(record.event.seat)
    return frozenset(doubtful & set(round_.seats))


def _owners_of(round_: Round, ids: tuple[int, ...]) -> set[int]:
    seats = {round_.records[id_].event.seat for id_ in ids}
    return {seat for seat in seats if seat is not None}


def _possible_owners(round_: Round, record: MoveRecord) -> set[int]:
    """Give the seats that could own cards which nobody is known to have played: not those that played theirs."""
    taken: set[int] = set()
    for _, other in _played(round_):
        if other.event.seat is not None and other.event.cards == record.event.cards:
            taken.add(other.event.seat)
    return set(round_.seats) - taken
