"""Counts the table when the desk asks: the newest clear frame, the cards in the middle, decks to seats.

A listener of the pipeline that keeps one frame, and the web's `CountTaker`. What lies in a seat's own area (hand, Wood
and Post Piles) doesn't count. Before the first round it learns each seat's back from the hand that lies there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from .audit import Count, add_counts, find_impossible, reconcile
from .counting.counter import CardCounter, Tally
from .counting.enrolling import cut_back, seat_at
from .counting.naming import check_distinct
from .decks import DeckError, LearntBack, load_decks
from .game.event_types import Event
from .game.round import Round
from .layout import TableLayout
from .vision.frames import Detection, Frame, Image, Observation, Quad
from .vision.geometry import inside, picture_from_mm
from .vision.inference import ModelError
from .web.live import LiveGame
from .web.ports import CountResult, SeatCount

CountPicture = Callable[[Image, Callable[[Quad], bool], Sequence[LearntBack]], Tally]

_KEEP_EVERY_S = 0.4
_LEARN_EVERY_S = 2.0


def count_picture(image: Image, belongs: Callable[[Quad], bool], learnt: Sequence[LearntBack]) -> Tally:
    """Count with the shipped networks, which are loaded for it."""
    return CardCounter(learnt).count(image, belongs)


class TableCounter:
    """Counts what lies in the middle of the table.

    Parameters
    ----------
    layout
        What lies where.
    game
        Whose rounds are counted.
    decks
        A deck file with the backs of this table; None where there is none.
    count
        Counts one picture.

    Raises
    ------
    DeckError
        If the deck file can't be used.
    """

    def __init__(
        self, layout: TableLayout, game: LiveGame, decks: Path | None = None, count: CountPicture = count_picture
    ) -> None:
        self._layout, self._game, self._count = layout, game, count
        self._learnt = load_decks([decks]) if decks is not None else ()
        self._hands: dict[int, tuple[float, LearntBack]] = {}
        self._lock = threading.Lock()
        self._frame: Image | None = None
        self._kept_s = self._learnt_s = float("-inf")
        self._counted: tuple[int, Count] = (0, Count({}))

    def lay_out(self, layout: TableLayout) -> None:
        """Take the zones of the table as they were moved at the desk."""
        self._layout = layout

    def __call__(self, frame: Frame, observation: Observation, events: Sequence[Event]) -> None:
        """Take one frame and what was seen in it."""
        match = self._game.match()
        if match.round is None or not match.round.is_over:
            # What lay there after an older round must not be counted for the next one.
            self._frame, self._counted = None, (0, Count({}))
        if match.round is None:
            if frame.time_s - self._learnt_s >= _LEARN_EVERY_S and observation.sharp:
                self._learnt_s = frame.time_s
                self._look_at_hands(frame.image, observation.cards)
        elif match.round.is_over and frame.time_s - self._kept_s >= _KEEP_EVERY_S and self._is_clear(observation):
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
        return [back for _, back in self._hands.values() if back.name.startswith("deck of seat")]

    def take_count(self, more: bool = False) -> CountResult:
        """Count the backs that lie on the table now, for the round that was played last."""
        match, image = self._game.match(), self._frame
        round_ = match.round
        if round_ is None or not round_.is_over:
            return CountResult(0, problem="The cards are counted once the round is over.")
        if image is None:
            return CountResult(round_.number, problem="There is no clear picture yet: take all hands off the table.")
        decks = self.decks()
        owners: dict[str, int] = {}
        for seat in round_.seats:
            deck = decks.get(seat, "")
            if not deck:
                return CountResult(round_.number, problem=f"Seat {seat} has no deck yet: choose it at the desk.")
            if deck in owners:
                said = f"Seats {owners[deck]} and {seat} have the same back: choose their decks at the desk."
                return CountResult(round_.number, problem=said)
            owners[deck] = seat
        with self._lock:
            try:
                backs = self._backs()
                check_distinct(backs)
                tally = self._count(image, self._belongs, backs)
            except (DeckError, ModelError) as error:
                return CountResult(round_.number, problem=str(error))
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

    def _belongs(self, quad: Quad) -> bool:
        return seat_at(self._layout, quad) is None


def _tell(round_: Round, count: Count, owners: dict[str, int]) -> CountResult:
    """Set a count against what was followed."""
    foreign = sum(number for deck, number in count.cards.items() if deck not in owners)
    strange = find_impossible(count, len(round_.variant.faces), owners) if foreign else ()
    if strange and count.sure:
        return CountResult(round_.number, problem=strange[0])
    sure = count.sure and not foreign
    counted = {seat: count.cards.get(deck, 0) for deck, seat in owners.items()}
    found = reconcile(round_, counted, sure=round_.seats if sure else ())
    causes = {item.seat: item.cause for item in found.differences}
    followed = {row.seat: row.dutch for row in round_.tally()}
    rows = tuple(
        SeatCount(seat, followed[seat], counted[seat], sure or followed[seat] == counted[seat], causes.get(seat, ""))
        for seat in round_.seats
    )
    return CountResult(round_.number, rows, count.unread + count.doubts + foreign, count.faces, sure)
