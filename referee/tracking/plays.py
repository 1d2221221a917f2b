"""The plays on Dutch Piles so far, and who is believed to have made each; beliefs are revised, never hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..game.events import Revised, Violation
from ..game.moves import PileId
from .infer import Loss, Whence
from .owner import back_factor, name_seat, provenance_factor, reach_factor, share_out

SURE_OWNER = 0.9
"""Counts are called sure when the owner of every play that could matter is at least this likely."""
REVISE_FROM = 0.6
"""A name that was said is only changed for one that is at least this likely."""


@dataclass(slots=True, eq=False)
class Play:
    """One card on a Dutch Pile.

    Parameters
    ----------
    touch_s
        When it is believed to have touched down.
    reach
        How well each seat's arm fits, 0..1.
    deck_seat
        The seat whose deck the card's back shows, where that was seen.
    likely
        Probability of each seat.
    seat
        The seat that was named; None when nobody is likely enough.
    loss
        The card's departure from the pile that it came from, if known.
    """

    id: int
    pile: PileId
    label: str
    at_mm: tuple[float, float]
    touch_s: float
    reach: Mapping[int, float]
    fits: bool
    confidence: float
    deck_seat: int | None = None
    seat: int | None = None
    likely: dict[int, float] = field(default_factory=dict)
    loss: Loss | None = None
    violations: tuple[Violation, ...] = ()
    undone: bool = False
    told: bool = False
    """A person has said whose it is."""

    @property
    def source(self) -> PileId | None:
        """Give the pile that it came from; None when nobody saw it."""
        return None if self.loss is None else self.loss.pile


class Plays:
    """All plays of a round.

    Parameters
    ----------
    seats
        Numbers of the seats.
    whence
        What is known of where cards came from.
    lies_until
        Tells until when at least a play's card has lain on its pile: taken back, it may well be seen elsewhere.
    """

    def __init__(self, seats: Iterable[int], whence: Whence, lies_until: Callable[[Play], float]) -> None:
        self._lies_until = lies_until
        self._seats = tuple(seats)
        self._whence = whence
        self.all: list[Play] = []

    def standing(self) -> Iterator[Play]:
        """Give the plays that were not taken back."""
        return (play for play in self.all if not play.undone)

    def last_on(self, pile: PileId) -> Play | None:
        """Find the uppermost play of a pile."""
        return next((play for play in reversed(self.all) if play.pile == pile and not play.undone), None)

    def add(self, play: Play, now: float) -> list[Play]:
        """Add a play, name its seat, and give earlier plays of the same face whose seat is another one now."""
        self.all.append(play)
        return [other for other in self.reconsider(play.label, now) if other is not play]

    def reconsider(self, label: str, now: float) -> list[Play]:
        """Weigh anew who played the cards of one face and give those plays whose seat or source is another one now."""
        plays = [play for play in self.standing() if play.label == label]
        weights = [self._weigh(play, now) for play in plays]
        changed: list[Play] = []
        for play, likely in zip(plays, share_out(weights, self._seats), strict=True):
            play.likely = likely
            seat, probability = name_seat(likely)
            if play.told or (play.seat is not None and (seat is None or probability < REVISE_FROM)):
                seat = play.seat
            loss = self._find_loss(play, seat, now)
            if (seat, loss) != (play.seat, play.loss):
                if play.loss is not None and play.loss is not loss:
                    play.loss.move = None
                    if play.loss.early:
                        self._whence.losses.remove(play.loss)
                if loss is not None:
                    loss.move, loss.landed_s = play.id, play.touch_s
                play.seat, play.loss = seat, loss
                changed.append(play)
        return changed

    def _weigh(self, play: Play, now: float) -> dict[int, float]:
        weights = {}
        for seat in self._seats:
            until_s = self._lies_until(play)
            where = self._whence.whereabouts(seat, play.label, play.touch_s, now, play.id, until_s)
            weights[seat] = provenance_factor(where) * reach_factor(play.reach.get(seat, 0.0))
            weights[seat] *= back_factor(play.deck_seat, seat)
        return weights

    def _find_loss(self, play: Play, seat: int | None, now: float) -> Loss | None:
        if play.loss is not None and play.loss.pile.seat == seat and play.loss in self._whence.losses:
            return play.loss
        if seat is None:
            return None
        return self._whence.find_source(play.label, play.touch_s, now, seat, play.pile)

    def correct(self, event: Revised) -> None:
        """Take over what a person says of a play."""
        for play in self.all:
            if play.id == event.move:
                play.undone = play.undone or event.retracted
                cards = event.changes.get("cards")
                play.label = str(cards[-1]) if cards else play.label
                if "seat" in event.changes:
                    play.seat, play.told = event.changes["seat"], True

    def take_back(self, move: int) -> None:
        """Note that a person saw a play taken back."""
        for play in self.all:
            play.undone = play.undone or play.id == move

    def counts(self) -> dict[int, tuple[int, bool]]:
        """Give each seat's cards on Dutch Piles, and whether that number is sure."""
        plays = list(self.standing())
        result = {}
        for seat in self._seats:
            count = sum((play.seat or max(play.likely, key=play.likely.__getitem__)) == seat for play in plays)
            doubt = any(1.0 - SURE_OWNER < play.likely.get(seat, 0.0) < SURE_OWNER for play in plays)
            doubt = doubt or self._whence.has_stray(seat)
            result[seat] = (count, not doubt)
        return result
