"""Counts the table when the desk asks: the newest clear frame, the backs in the middle, what is left in Blitz Piles.

A listener of the pipeline that keeps one frame, and the web's `CountTaker`. What else lies in a seat's own area (hand,
Wood and Post Piles) doesn't count. Before the first round it learns each seat's back from the hand that lies there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from .audit import Count, add_counts, find_impossible, reconcile
from .counting.blitz import LaidCard, ShownFaces, Zone, blitz_zone_at, judge_left, read_laid
from .counting.counter import CardCounter
from .counting.enrolling import cut_back, seat_at
from .counting.naming import check_distinct
from .counting.tally import Tally
from .decks import DeckError, LearntBack, load_decks
from .game.cards import BACKS, Face
from .game.event_types import Event, SeatScore
from .game.round import Round
from .layout import TableLayout
from .vision.detector import YoloDetector
from .vision.frames import Detection, Frame, Image, Observation, Quad
from .vision.geometry import inside, mm_from_picture, picture_from_mm
from .vision.identifier import CardReader
from .vision.inference import ModelError
from .vision.selftest import load_networks
from .web.live import LiveGame
from .web.ports import BlitzCount, CountResult, SeatCount

Belongs = Callable[[Quad], bool]
CountPicture = Callable[[Image, Belongs, Sequence[LearntBack]], Tally]
ReadPicture = Callable[[Image, Belongs], Sequence[LaidCard]]

_EIGHT = {back.deck for back in BACKS}
_KEEP_EVERY_S = 0.4
_LEARN_EVERY_S = 2.0


@cache
def _networks() -> tuple[YoloDetector, CardReader]:
    """Load the shipped networks once: those of the eye work in another thread."""
    return load_networks()


def count_picture(image: Image, belongs: Belongs, learnt: Sequence[LearntBack]) -> Tally:
    """Count with the shipped networks, which are loaded for it."""
    return CardCounter(learnt, *_networks()).count(image, belongs)


def read_picture(image: Image, belongs: Belongs) -> Sequence[LaidCard]:
    """Read cards with the shipped networks, which are loaded for it."""
    return read_laid(*_networks(), image, belongs)


class TableCounter:
    """Counts what lies in the middle of the table, and what is left in the Blitz Piles.

    Parameters
    ----------
    layout
        What lies where.
    game
        Whose rounds are counted.
    decks
        A deck file with the backs of this table; None where there is none.
    count, read
        Count the backs and read the cards of one picture.

    Raises
    ------
    DeckError
        If the deck file can't be used, or two of its decks have the same back.
    """

    def __init__(
        self,
        layout: TableLayout,
        game: LiveGame,
        decks: Path | None = None,
        count: CountPicture = count_picture,
        read: ReadPicture = read_picture,
    ) -> None:
        self._layout, self._game, self._count, self._read = layout, game, count, read
        self._learnt = load_decks([decks]) if decks is not None else ()
        check_distinct(self._learnt)
        self._hands: dict[int, tuple[float, LearntBack]] = {}
        self._lock = threading.Lock()
        self._frame: Image | None = None
        self._kept_s = self._learnt_s = float("-inf")
        self._counted: tuple[int, Count] = (0, Count({}))
        self._shown = ShownFaces()
        self._confirmed: dict[int, set[Face]] = {}
        self._last: CountResult | None = None

    def lay_out(self, layout: TableLayout) -> None:
        """Take the zones of the table as they were moved at the desk."""
        self._layout = layout

    def __call__(self, frame: Frame, observation: Observation, events: Sequence[Event]) -> None:
        """Take one frame and what was seen in it."""
        match = self._game.match()
        if match.round is None or not match.round.is_over:
            # What lay there after an older round must not be counted for the next one.
            self._frame, self._counted, self._last = None, (0, Count({})), None
            self._shown.forget()
            self._confirmed.clear()
        if match.round is None:
            if frame.time_s - self._learnt_s >= _LEARN_EVERY_S and observation.sharp:
                self._learnt_s = frame.time_s
                self._look_at_hands(frame.image, observation.cards)
            return
        if not match.round.is_over:
            return
        if observation.sharp:
            self._shown.see(self._layout, frame.time_s, observation.cards)
        if frame.time_s - self._kept_s >= _KEEP_EVERY_S and self._is_clear(observation):
            self._kept_s = frame.time_s
            # The source may use the picture's memory again.
            self._frame = frame.image.copy()

    def _is_clear(self, observation: Observation) -> bool:
        """Say whether no arm is over the Dutch Piles' area."""
        area = np.array(self._layout.dutch_mm)
        return observation.sharp and not any(inside(area, reach.outline_mm).any() for reach in observation.reaches)

    def _look_at_hands(self, image: Image, cards: Sequence[Detection]) -> None:
        """Learn each seat's back from the hand that lies face down before its owner."""
        for card in cards:
            quad = picture_from_mm(self._layout, card.quad_mm).astype(np.float32)
            seat = seat_at(self._layout, quad)
            if card.kind != "back" or seat is None or card.confidence < 0.5:
                continue
            if seat not in self._hands or card.confidence > self._hands[seat][0]:
                label = card.reading.label or ""
                name = label.partition(":")[2] or self._layout.seats[seat - 1].deck or f"deck of seat {seat}"
                back = LearntBack(name, cut_back(image, quad, self._layout.card_mm), self._layout.card_mm, seat)
                self._hands[seat] = (card.confidence, back)

    def decks(self) -> dict[int, str]:
        """Propose which deck each seat has: as people said, as the deck file says, as its hand looked."""
        found = {seat: back.name for seat, (_, back) in self._hands.items()}
        found.update({back.seat: back.name for back in self._learnt if back.seat is not None})
        found.update({number: seat.deck for number, seat in enumerate(self._layout.seats, 1) if seat.deck})
        found.update({seat.number: seat.deck for seat in self._game.match().seats if seat.deck})
        return found

    def _backs(self) -> list[LearntBack]:
        """Give the backs to go by: those of the deck file, else the hands that are none of the eight designs."""
        if self._learnt:
            return list(self._learnt)
        return [back for _, back in self._hands.values() if back.name not in _EIGHT]

    def take_count(self, more: bool = False) -> CountResult:
        """Count the backs that lie on the table now, and what is left in the Blitz Piles, for the last round."""
        ready = self._prepare()
        if isinstance(ready, CountResult):
            return ready
        round_, image = ready
        with self._lock:
            try:
                found = self._count_backs(round_, image, more)
                blitz = self._count_blitz(round_, image)
            except ModelError as error:
                return CountResult(round_.number, problem=str(error))
            if found.faces:
                # A card that lies face up in the middle may belong to a Blitz Pile.
                blitz = tuple(replace(row, sure=row.sure and not row.counted) for row in blitz)
            self._last = replace(found, blitz=blitz)
            return self._last

    def take_blitz(self, seat: int) -> CountResult:
        """Count what lies face up in the middle or at a seat's Blitz Pile as what is left of it."""
        ready = self._prepare()
        if isinstance(ready, CountResult):
            return ready
        round_, image = ready
        with self._lock:
            last = self._last if self._last is not None and self._last.round == round_.number else None
            last = last or CountResult(round_.number)
            try:
                laid = self._read(image, lambda quad: self._blitz_at(quad) == seat or self._belongs(quad))
            except ModelError as error:
                return replace(last, problem=str(error))
            zone = Zone.of(card for card in laid if not card.back)
            self._confirmed.setdefault(seat, set()).update(zone.faces)
            rows = {row.seat: row for row in last.blitz} | {seat: self._tell_blitz(round_, seat, zone)}
            self._last = replace(last, problem="", blitz=tuple(rows[number] for number in sorted(rows)))
            return self._last

    def take_up(self, found: CountResult) -> None:
        """Go on from a count that was taken before the program was started again."""
        round_ = self._game.match().round
        owners = "" if round_ is None else self._owners(round_)
        if isinstance(owners, str):
            return
        self._last = found
        decks = {seat: deck for deck, seat in owners.items()}
        cards = {decks[row.seat]: row.counted for row in found.seats}
        self._counted = (found.round, Count(cards, found.unread, found.faces))

    def _prepare(self) -> tuple[Round, Image] | CountResult:
        """Give the round that is to be counted and its picture; else why there is none."""
        match, image = self._game.match(), self._frame
        round_ = match.round
        if round_ is None or not round_.is_over:
            return CountResult(0, problem="The cards are counted once the round is over.")
        if image is None:
            return CountResult(round_.number, problem="There is no clear picture yet: take all hands off the table.")
        return round_, image

    def _owners(self, round_: Round) -> dict[str, int] | str:
        """Give the seat of each deck; else why that isn't known."""
        decks = self.decks()
        owners: dict[str, int] = {}
        for seat in round_.seats:
            deck = decks.get(seat, "")
            if not deck:
                return f"Seat {seat} has no deck yet: choose it at the desk."
            if deck in owners:
                return f"Seats {owners[deck]} and {seat} have the same back: choose their decks at the desk."
            owners[deck] = seat
        for back in self._learnt:
            # The layout may know the deck that was learnt for a seat by another name.
            if back.seat in round_.seats:
                owners.setdefault(back.name, back.seat)
        return owners

    def _count_backs(self, round_: Round, image: Image, more: bool) -> CountResult:
        owners = self._owners(round_)
        if isinstance(owners, str):
            return CountResult(round_.number, problem=owners)
        try:
            backs = self._backs()
            check_distinct(backs)
        except DeckError as error:
            return CountResult(round_.number, problem=str(error))
        tally = self._count(image, self._belongs, backs)
        if not tally.cards:
            said = "No backs lie in the middle: turn the Dutch Piles over, spread them out and count again."
            return CountResult(round_.number, problem=said)
        count = tally.count
        if more and self._counted[0] == round_.number:
            count = add_counts([self._counted[1], count])
        impossible = find_impossible(count, len(round_.variant.faces))
        if impossible:
            return CountResult(round_.number, problem=impossible[0])
        self._counted = (round_.number, count)
        return _tell(round_, count, owners)

    def _count_blitz(self, round_: Round, image: Image) -> tuple[BlitzCount, ...]:
        laid = self._read(image, lambda quad: self._blitz_at(quad) is not None)
        by_seat: dict[int | None, list[LaidCard]] = {}
        for card in laid:
            by_seat.setdefault(self._blitz_at(card.quad_px), []).append(card)
        return tuple(self._tell_blitz(round_, seat, Zone.of(by_seat.get(seat, ()))) for seat in round_.seats)

    def _tell_blitz(self, round_: Round, seat: int, zone: Zone) -> BlitzCount:
        """Set what a seat has left against what was followed."""
        followed = next(row.blitz for row in _followed(round_) if row.seat == seat)
        confirmed = self._confirmed.get(seat)
        shown = self._shown.of(seat) | frozenset(confirmed or ())
        left = judge_left(seat, followed, round_.variant.blitz_cards, zone, shown, confirmed is not None)
        return BlitzCount(seat, followed, left.counted, left.sure, left.problem)

    def _belongs(self, quad: Quad) -> bool:
        return seat_at(self._layout, quad) is None

    def _blitz_at(self, quad: Quad) -> int | None:
        x, y = mm_from_picture(self._layout, quad.mean(axis=0)[None].astype(np.float64))[0]
        return blitz_zone_at(self._layout, (float(x), float(y)))


def _followed(round_: Round) -> tuple[SeatScore, ...]:
    """Give the score as it was followed: as it was said at the end of play, where it was."""
    return round_.scores.get("followed", round_.tally())


def _tell(round_: Round, count: Count, owners: dict[str, int]) -> CountResult:
    """Set a count against what was followed."""
    foreign = sum(number for deck, number in count.cards.items() if deck not in owners)
    strange = find_impossible(count, len(round_.variant.faces), owners) if foreign else ()
    if strange and count.sure:
        return CountResult(round_.number, problem=strange[0])
    sure = count.sure and not foreign
    counted = dict.fromkeys(round_.seats, 0)
    for deck, seat in owners.items():
        counted[seat] += count.cards.get(deck, 0)
    found = reconcile(round_, counted, sure=round_.seats if sure else ())
    # While cards are left uncounted nobody knows what a difference comes from.
    causes = {item.seat: item.cause for item in found.differences if sure}
    followed = {row.seat: row.dutch for row in _followed(round_)}
    rows = tuple(
        SeatCount(seat, followed[seat], counted[seat], sure or followed[seat] == counted[seat], causes.get(seat, ""))
        for seat in round_.seats
    )
    return CountResult(round_.number, rows, count.unread + count.doubts + foreign, count.faces, sure)
