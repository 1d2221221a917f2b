"""The record of the Dutch Piles: which there are, where they lie, what they hold; `dutch` decides what happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..game.cards import Face
from ..game.moves import PileId
from .cover import Array, card_points
from .landing import FRESH_S, DutchPile, Landing, LandingKind, successor
from .piles import LyingCard

GAP_UNREAD_S = 0.3
BARE_S = 0.7
SHORT_THROW_MM = 105.0


class DutchRecord:
    """What lies on the Dutch Piles, and how that changes once a decision has been made.

    Parameters
    ----------
    card_mm
        Width and length of a card.
    last_number
        The number that completes a pile: 10, or 13 with ordinary cards.
    lost
        Tells whether a card with this label has left a player's pile lately and hasn't been seen to arrive.
    played
        The same of a card that can't have been turned under, and that had left by a time.
    returned
        Tells whether a card with this label has come to light on a player's pile since a time.
    """

    def __init__(
        self, card_mm: tuple[float, float], last_number: int, lost: Callable[[str], bool],
        played: Callable[[str, float], bool], returned: Callable[[str, float], bool],
    ) -> None:  # fmt: skip
        self._card_mm = card_mm
        self._last = last_number
        self._lost = lost
        self._played = played
        self._returned = returned
        self._count = 0
        self._landings: list[Landing] = []
        self.piles: list[DutchPile] = []

    def restore(self, pile: PileId, labels: Sequence[str], at_mm: tuple[float, float]) -> None:
        """Take over a pile from an earlier run."""
        self._count = max(self._count, pile.slot)
        fits = [
            label == successor(below, self._last) if below else Face.parse(label).number == 1
            for below, label in zip([None, *labels], labels, strict=False)
        ]
        self.piles.append(DutchPile(pile, *at_mm, 0.0, list(labels), fits, [(*at_mm, 0.0)] * len(labels)))

    def get(self, pile: PileId) -> DutchPile:
        """Give a pile by its name; raises KeyError if there is none."""
        for other in self.piles:
            if other.id == pile:
                return other
        raise KeyError(str(pile))

    def points(self) -> Array:
        """Give the points of each pile's top, in order of `piles`."""
        return card_points([(pile.x_mm, pile.y_mm, pile.angle_deg) for pile in self.piles], self._card_mm)

    def _follow(self, pile: DutchPile, share: float, fresh: Sequence[LyingCard], now: float, step: float) -> None:
        pile.hidden = share >= 0.25
        if pile.hidden:
            pile.hidden_s = now
        if pile.card is not None and pile.visible(now):
            pile.x_mm, pile.y_mm, pile.angle_deg = pile.card.x_mm, pile.card.y_mm, pile.card.angle_deg
            pile.seen_s, pile.bare_s = now, 0.0
            if pile.card.read_s.get(pile.top or "", pile.card.last_s) == pile.card.last_s:
                # One that was read and isn't now may already be the next card.
                pile.poses[-1] = (pile.x_mm, pile.y_mm, pile.angle_deg)
            pile.unread_s = 0.0
        elif any(pile.distance_mm(card) < 0.6 * self._card_mm[1] for card in fresh):
            pile.bare_s = 0.0
            if not pile.hidden and not any(
                now - max(card.read_s.values(), default=-1.0) <= FRESH_S and pile.distance_mm(card) < SHORT_THROW_MM
                for card in fresh
            ):
                pile.unread_s += step
        elif share == 0.0:
            pile.bare_s += step
            if pile.bare_s > BARE_S and pile.top is not None and successor(pile.top, self._last) is None:
                pile.gathered = True

    def _near(self, card: LyingCard, within_mm: float) -> list[DutchPile]:
        piles = [pile for pile in self.piles if pile.labels and not pile.gathered]
        near = [pile for pile in piles if pile.distance_mm(card) <= within_mm]
        return sorted(near, key=lambda pile: pile.distance_mm(card))

    def _missing(self, pile: DutchPile, label: str) -> tuple[str, ...]:
        """Give the labels between a pile's top and a higher one of its colour, at most three; else nothing."""
        missing: list[str] = []
        step = successor(pile.top, self._last)
        while step is not None and step != label and len(missing) < 3:
            missing.append(step)
            step = successor(step, self._last)
        return tuple(missing) if step == label else ()

    def _between(self, pile: DutchPile, label: str) -> tuple[str, ...]:
        """Give the labels missing between a pile's top and a label, if there is evidence of each; else nothing."""
        missing = self._missing(pile, label)
        # A card that lay on top in full view and couldn't be read is evidence too, of one card.
        unread = pile.unread_s >= GAP_UNREAD_S
        return missing if sum(not self._lost(one) for one in missing) <= int(unread) else ()

    def _rebind(self, pile: DutchPile, card: LyingCard, now: float) -> None:
        pile.card = card
        pile.x_mm, pile.y_mm, pile.angle_deg = card.x_mm, card.y_mm, card.angle_deg
        pile.seen_s, pile.bare_s, pile.gathered = now, 0.0, False

    def _play(self, pile: DutchPile, label: str, card: LyingCard, fits: bool, unseen: tuple[str, ...] = ()) -> Landing:
        under = unseen[-1] if unseen else pile.top
        pile.bound_s = card.last_s
        if pile.card is not None:
            pile.below.add(pile.card.number)
        pile.labels += [*unseen, label]
        pile.fits += [*(True for _ in unseen), fits]
        pile.poses += [(card.x_mm, card.y_mm, card.angle_deg)] * (1 + len(unseen))
        self._rebind(pile, card, card.last_s)
        return Landing(LandingKind.PLAYED, pile.id, label, card, fits, under, unseen)

    def _remove(self, pile: DutchPile, below: LyingCard) -> Landing:
        label, old = self._pop(pile), pile.card
        pile.below.discard(below.number)
        self._rebind(pile, below, below.last_s)
        return Landing(LandingKind.REMOVED, pile.id, label, old, True, pile.top)

    @staticmethod
    def _pop(pile: DutchPile) -> str:
        pile.fits.pop()
        pile.poses.pop()
        return pile.labels.pop()
