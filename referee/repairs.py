"""Finds the owners of a round's plays that fit a count by backs best: a flow of least cost.

Plays that were doubtful change first; what was seen of a seat's own copy of a card speaks for or against it. It knows
counts of seats, nothing of pictures or of how they were counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from math import log

from .game.cards import Face
from .game.event_types import PileSeen
from .game.moves import PileId, PileKind
from .game.round import MoveRecord, Round

_KNOWN_SOURCE = 2.0
"""Extra cost (in nats) of taking a play from the seat whose pile was seen to lose that card."""
_JUST_S = 1.5
_LOST_JUST_THEN = 5.0
"""A seat whose pile lost the very card at that time is likelier by this."""
_HELD = 1.0
"""A seat whose pile had lost the card long before is a little likelier."""
_COVERED = 1.0
"""A card that others covered can't be played until it is uncovered."""
_ELSEWHERE = 6.0
"""A seat whose own copy of the card lies open after the play can hardly have played it."""
_NOT_PLAYED = 4.0
"""Cost of saying that a play never happened, on top of its confidence."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A play whose owner doesn't fit the count.

    Parameters
    ----------
    move
        Its id.
    face, pile
        What was played where; `face` None if it wasn't read.
    was, now
        The owner in the log and the likeliest one that fits; `now` None: the play can't have happened at all.
    """

    move: int
    face: Face | None
    pile: PileId
    was: int | None
    now: int | None

    def __str__(self) -> str:
        what = f"{self.face or 'a card'} on {self.pile}"
        before = "nobody was named" if self.was is None else f"seat {self.was} was named"
        return f"{what} was no play" if self.now is None else f"{what} was seat {self.now}'s ({before})"


def find_repairs(round_: Round, wanted: Mapping[int, int]) -> tuple[tuple[Repair, ...], dict[int, int]]:
    """Find the likeliest owners that fit the count, and how many cards of each seat no play accounts for.

    A flow of least cost: each play goes to a seat, each seat takes as many as were counted, and each deck has every
    face once, so no seat can take two plays of one face.
    """
    plays = _plays(round_)
    # Cards that came several at a time stay with whoever played them.
    fixed = {seat: round_.count_dutch(seat) - sum(r.event.seat == seat for _, r in plays) for seat in round_.seats}
    room = {seat: max(0, wanted[seat] - fixed[seat]) for seat in round_.seats}
    stays = _find_stays(round_)
    costs = [_costs(round_, record, stays) for _, record in plays]
    drop = [_NOT_PLAYED - log(max(1e-3, 1 - record.event.confidence)) for _, record in plays]
    faces = [record.event.cards[0] for _, record in plays]
    owners = _assign(costs, drop, faces, room)
    repairs = []
    for (id_, record), owner in zip(plays, owners, strict=True):
        if owner != record.event.seat:
            face = record.event.cards[0]
            repairs.append(Repair(id_, face, record.event.target, record.event.seat, owner))
    taken = Counter(owner for owner in owners if owner is not None)
    missed = {seat: room[seat] - taken[seat] for seat in round_.seats if room[seat] > taken[seat]}
    return tuple(repairs), missed


def _plays(round_: Round) -> list[tuple[int, MoveRecord]]:
    """Give the single cards played on Dutch Piles that lie there now, with the ids of their moves."""
    found = []
    for id_, record in round_.records.items():
        source = record.event.source
        aside = source is not None and source.kind is PileKind.DUTCH
        if record.stands and record.event.target.kind is PileKind.DUTCH and not aside and len(record.event.cards) == 1:
            found.append((id_, record))
    return found


@dataclass(slots=True)
class _Stay:
    """A face on top of a seat's pile: since when, until when, and whether it left or another card covered it."""

    since_s: float
    until_s: float = float("inf")
    left: bool = False


def _find_stays(round_: Round) -> dict[tuple[int, Face], list[_Stay]]:
    """Give when each seat's cards lay open on its own piles."""
    stays: dict[tuple[int, Face], list[_Stay]] = defaultdict(list)
    tops: dict[PileId, tuple[Face, _Stay]] = {}

    def end(pile: PileId, time_s: float, left: bool) -> None:
        if pile in tops:
            _, stay = tops.pop(pile)
            stay.until_s, stay.left = time_s, left

    def begin(pile: PileId, face: Face | None, time_s: float) -> None:
        if face is not None and pile.kind is not PileKind.DUTCH:
            stay = _Stay(time_s)
            tops[pile] = (face, stay)
            stays[pile.seat, face].append(stay)

    for entry in round_.tape:
        if isinstance(entry, PileSeen):
            if entry.pile not in tops or tops[entry.pile][0] != entry.top:
                end(entry.pile, entry.time_s, left=True)
                begin(entry.pile, entry.top, entry.time_s)
        elif isinstance(entry, int) and not round_.records[entry].retracted:
            event = round_.records[entry].event
            if event.source is not None and event.source.kind is not PileKind.DUTCH:
                end(event.source, event.time_s, left=True)
            if event.target.kind is not PileKind.DUTCH and event.cards:
                end(event.target, event.time_s, left=False)
                begin(event.target, event.cards[-1], event.time_s)
    return stays


def _whereabouts(stays: Iterable[_Stay], time_s: float) -> float:
    """Give what a seat's own copy of a card says about a play of that card, in nats: less than 0 is likelier."""
    cost = 0.0
    for stay in stays:
        if stay.left and abs(stay.until_s - time_s) <= _JUST_S and stay.since_s < time_s:
            return -_LOST_JUST_THEN
        if stay.until_s > time_s + _JUST_S:
            cost = _ELSEWHERE
        elif cost < _ELSEWHERE:
            cost = -_HELD if stay.left else _COVERED
    return cost


def _costs(round_: Round, record: MoveRecord, stays: Mapping[tuple[int, Face], list[_Stay]]) -> dict[int, float]:
    """Give for each seat what it costs (nats) to say that it played this card; the likeliest costs nothing."""
    event = record.event
    face = event.cards[0]
    sure = min(max(event.confidence, 0.5), 0.995)
    others = max(len(round_.seats) - 1, 1)
    costs = {}
    for seat in round_.seats:
        if event.seat is None:
            cost = 0.0
        else:
            cost = -log(sure) if seat == event.seat else -log((1 - sure) / others)
            known = event.source is not None and event.source.seat == event.seat
            cost += _KNOWN_SOURCE if known and seat != event.seat else 0.0
        if face is not None and not (seat == event.seat and event.source is not None):
            cost += _whereabouts(stays.get((seat, face), ()), event.time_s)
        costs[seat] = cost
    least = min(costs.values())
    return {seat: cost - least for seat, cost in costs.items()}


def _assign(
    costs: list[dict[int, float]], drop: list[float], faces: list[Face | None], room: Mapping[int, int]
) -> list[int | None]:
    """Assign each play to a seat, or to nobody, at the least cost (successive shortest paths).

    Plays stand in a row; one that finds no free place pushes others on to their next best places.
    """
    owners: list[int | None] = [None] * len(costs)
    done = [False] * len(costs)
    left = dict(room)
    holder: dict[tuple[int, Face], int] = {}

    def place(play: int, seat: int | None) -> None:
        owners[play], done[play] = seat, True
        face = faces[play]
        if seat is not None and face is not None:
            holder[seat, face] = play

    # Whoever costs nothing and has room is right at once: all steps of the search then cost nothing or more.
    for play in sorted(range(len(costs)), key=lambda n: -sum(costs[n].values())):
        seat = min(costs[play], key=lambda number: costs[play][number])
        face = faces[play]
        if left[seat] > 0 and (face is None or (seat, face) not in holder):
            place(play, seat)
            left[seat] -= 1
    for play in range(len(costs)):
        if not done[play]:
            _push(play, costs, drop, faces, left, owners, holder, done)
    return owners


def _push(
    start: int, costs: list[dict[int, float]], drop: list[float], faces: list[Face | None], left: dict[int, int],
    owners: list[int | None], holder: dict[tuple[int, Face], int], done: list[bool],
) -> None:  # fmt: skip
    """Find the cheapest chain of moves that gives one more play a place, and carry it out (Bellman and Ford)."""
    best = {start: 0.0}
    came: dict[int, tuple[int, int]] = {}
    end: tuple[float, int, int | None] = (float("inf"), start, None)
    queue = [(0.0, start)]
    while queue:
        cost, play = heappop(queue)
        if cost > best[play] + 1e-9:
            continue
        held = 0.0 if play == start else _price(play, owners[play], costs, drop)
        if cost - held + drop[play] < end[0] - 1e-9:
            end = (cost - held + drop[play], play, None)
        for seat, price in costs[play].items():
            if seat == owners[play] and play != start:
                continue
            total = cost - held + price
            face = faces[play]
            blocker = None if face is None else holder.get((seat, face))
            if blocker is not None and blocker != play:
                pushed = [blocker]
            elif left[seat] > 0:
                if total < end[0] - 1e-9:
                    end = (total, play, seat)
                continue
            else:
                pushed = [n for n, owner in enumerate(owners) if done[n] and owner == seat and n != play]
            for other in pushed:
                if total < best.get(other, float("inf")) - 1e-9 and not _comes_before(other, play, came):
                    best[other], came[other] = total, (play, seat)
                    heappush(queue, (total, other))
    _, play, seat = end
    used = seat
    while True:
        face = faces[play]
        old = owners[play]
        if old is not None and face is not None and holder.get((old, face)) == play:
            del holder[old, face]
        owners[play], done[play] = seat, True
        if seat is not None and face is not None:
            holder[seat, face] = play
        if play == start:
            break
        play, seat = came[play]
    if used is not None:
        left[used] -= 1


def _comes_before(play: int, of: int, came: Mapping[int, tuple[int, int]]) -> bool:
    """Say whether a play already stands in the chain that leads to another."""
    while of in came:
        if of == play:
            return True
        of = came[of][0]
    return of == play


def _price(play: int, owner: int | None, costs: list[dict[int, float]], drop: list[float]) -> float:
    return drop[play] if owner is None else costs[play][owner]
