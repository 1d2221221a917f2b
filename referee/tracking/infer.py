"""From changes of piles to moves: which top left where, which card arrived, and which of both belong together.

It keeps what left and what was sighted on players' own piles; `owner` weighs it, `tracker` says it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..game.moves import PileId, PileKind
from .owner import Whereabouts
from .spots import FRESH_S, Change, Spot

LOST_S = 8.0
"""A card that left a pile longer ago than this isn't on its way any more."""
SIGHTED_AFTER_S = 0.15
"""A card that is seen on a player's pile this long after it landed elsewhere can't have been that one."""
SIGHTED_AGAIN_S = 1.0
MAYBE_S = 3.0


@dataclass(slots=True, eq=False)
class Loss:
    """A card that was on top of a player's pile and has left it.

    Parameters
    ----------
    gone_s
        When it was last seen there.
    move
        The move that it went with; None while nobody knows where it went.
    landed_s
        When it touched down where it went; None while that isn't known.
    early
        Concluded from where the card arrived, before the pile itself was in view again.
    beneath
        It lay under the top and was gone when the pile was seen again: it left alone, or was carried under that.
    """

    pile: PileId
    label: str
    gone_s: float
    seen_s: float
    move: int | None = None
    early: bool = False
    landed_s: float | None = None
    beneath: bool = False


class Whence:
    """What is known of where players' cards were and went."""

    def __init__(self, spots: Sequence[Spot]) -> None:
        self._spots = spots
        self.losses: list[Loss] = []
        self._sighted: dict[tuple[int, str], float] = {}

    def update(self, now: float) -> set[str]:
        """Note which tops are in view in this frame; gives the labels of those that weren't before."""
        fresh = set()
        for spot in self._spots:
            if spot.sighted_s == now and spot.top is not None:
                key = spot.pile.seat, spot.top
                if now - self._sighted.get(key, -1e9) > SIGHTED_AGAIN_S:
                    fresh.add(spot.top)
                self._sighted[key] = now
        return fresh

    def lose(self, pile: PileId, label: str, gone_s: float, seen_s: float, beneath: bool = False) -> Loss:
        """Note that a pile has lost its top, or what lay beneath it, unless that was concluded before."""
        for loss in reversed(self.losses):
            if loss.early and loss.pile == pile and loss.label == label:
                loss.early, loss.gone_s = False, gone_s
                return loss
        loss = Loss(pile, label, gone_s, seen_s, beneath=beneath)
        self.losses.append(loss)
        return loss

    def forget_before(self, time_s: float) -> None:
        """Forget what left before a time."""
        self.losses = [loss for loss in self.losses if loss.gone_s >= time_s]

    def find_loss(self, pile: PileId, change: Change) -> Loss | None:
        """Find what a change of a pile brought away."""
        for loss in reversed(self.losses):
            if loss.pile == pile and loss.label == change.before and loss.gone_s == change.gone_s:
                return loss
        return None

    def give_back(self, pile: PileId, label: str) -> None:
        """Forget that a pile lost a card: it is there again."""
        for loss in reversed(self.losses):
            if loss.pile == pile and loss.label == label:
                self.losses.remove(loss)
                return

    def is_lost(self, label: str, now: float) -> bool:
        """Tell whether a card with this label left a pile lately and hasn't been seen to arrive anywhere."""
        return any(self._lost(label, now))

    def was_played(self, label: str, by_s: float, now: float) -> bool:
        """Tell whether one that is lost left by a time, and not a Wood Pile, where it was most likely turned under."""
        return any(loss.gone_s <= by_s and loss.pile.kind is not PileKind.WOOD for loss in self._lost(label, now))

    def strays(self, now: float) -> Iterator[Loss]:
        """Give the cards that left a Blitz or Post Pile and neither landed nor were seen with their seat again."""
        return (
            loss
            for loss in self.losses
            if loss.move is None and not loss.early and not loss.beneath and loss.pile.kind is not PileKind.WOOD
            if now - loss.gone_s < LOST_S and not self.was_sighted(loss.pile.seat, loss.label, loss.gone_s)
        )

    def was_sighted(self, seat: int, label: str, since_s: float) -> bool:
        """Tell whether a card was seen on a pile of a seat after a time."""
        return self._sighted.get((seat, label), -1.0) > since_s

    def _lost(self, label: str, now: float) -> Iterator[Loss]:
        return (
            loss for loss in self.losses if loss.label == label and loss.move is None and now - loss.gone_s < LOST_S
        )

    def has_returned(self, label: str, since_s: float) -> bool:
        """Tell whether a card with this label has become the top of a player's pile since a time."""
        return any(spot.top == label and spot.first_s >= since_s for spot in self._spots)

    def find_source(self, label: str, touch_s: float, now: float, seat: int | None, not_on: PileId) -> Loss | None:
        """Find the pile of a seat (or of any) that a card came from; one out of view may have lost its top just now."""
        found = [
            loss
            for loss in self.losses
            if loss.label == label
            and loss.move is None
            and loss.pile != not_on
            and seat in (None, loss.pile.seat)
            and -0.5 < touch_s - loss.gone_s < LOST_S
        ]
        if found:
            return max(found, key=lambda loss: loss.gone_s)
        for spot in self._spots:
            if spot.pile == not_on or seat not in (None, spot.pile.seat):
                continue
            if self._may_have_lost(spot, label, touch_s, now):
                loss = Loss(spot.pile, label, spot.confirmed_s, now, early=True)
                self.losses.append(loss)
                return loss
        return None

    @staticmethod
    def _may_have_lost(spot: Spot, label: str, touch_s: float, now: float) -> bool:
        return (
            spot.top == label
            and now - spot.confirmed_s > FRESH_S
            and spot.confirmed_s < touch_s + SIGHTED_AFTER_S
            and touch_s - spot.confirmed_s < MAYBE_S
        )

    def whereabouts(
        self, seat: int, label: str, touch_s: float, now: float, move: int | None, until_s: float
    ) -> Whereabouts:
        """Tell what is known of a seat's copy of a card when one like it landed, to lie there until a time at least."""
        if touch_s + SIGHTED_AFTER_S < self._sighted.get((seat, label), -1.0) <= until_s:
            return Whereabouts(lies_elsewhere=True)
        ago = [
            max(0.0, touch_s - loss.gone_s)
            for loss in self.losses
            if loss.label == label
            and loss.pile.seat == seat
            and loss.move in (None, move)
            and -0.5 < touch_s - loss.gone_s < LOST_S
        ]
        if ago:
            return Whereabouts(lost_s_ago=min(ago))
        mine = [spot for spot in self._spots if spot.pile.seat == seat]
        if any(self._may_have_lost(spot, label, touch_s, now) for spot in mine):
            return Whereabouts(maybe_lost=True)
        buried = any(label in spot.faces[:-1] for spot in mine if spot.pile.kind is PileKind.POST)
        gone_before = any(
            loss.label == label and loss.pile.seat == seat and loss.move not in (None, move) for loss in self.losses
        )
        return Whereabouts(buried=buried or gone_before)

    def has_stray(self, seat: int) -> bool:
        """Tell whether a card left a Blitz or Post Pile of a seat and nobody knows where to."""
        return any(
            loss.pile.seat == seat and loss.move is None and not loss.beneath and loss.pile.kind is not PileKind.WOOD
            for loss in self.losses
        )

    def blitz_left(self, seat: int, start: int) -> int:
        """Give the cards left in a seat's Blitz Pile, which began with `start`: it only shrinks."""
        lost = sum(loss.pile == PileId(PileKind.BLITZ, seat) for loss in self.losses)
        return max(0, start - lost)
