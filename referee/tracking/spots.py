"""A player's own piles: what lies on top of each Post, Blitz and Wood Pile, and how that changed.

Each place is looked at frame by frame; what a change means (played, turned over, filled) is for `infer`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import cos, hypot, radians, sin

from ..game.moves import PileId, PileKind
from ..layout import Pose, TableLayout
from .piles import LyingCard

FRESH_S = 0.12
"""A card that was found this recently counts as seen now."""
MISSING_S = 0.25
BARE_S = 0.4
SIDE_SHARE, NEAR_SHARE, FAN_SHARE = 0.56, 0.45, 0.95
"""How far from a pile's place a card still belongs to it: sideways (of the width), forward and back (of the length)."""
SURE_SHARE = 0.6
SIGHTED_READS, SIGHTED_SHARE = 5, 0.85


@dataclass(frozen=True, slots=True)
class Change:
    """The top of a player's pile is another one now.

    Parameters
    ----------
    before, after
        Labels of the old and the new top; None when nothing (known) was or is there.
    on_top
        The old top is still there, below the new one.
    revealed
        The new top is known to have lain below the old one.
    gone_s
        When the old top was last seen; without one, when the new one was first seen.
    seen_s
        Now.
    corrected
        The card is the same as before and was misread.
    first
        Nothing was known of the place before: what lies there may have lain there for long.
    """

    pile: PileId
    before: str | None
    after: str | None
    card: LyingCard | None
    on_top: bool
    revealed: bool
    gone_s: float
    seen_s: float
    corrected: bool = False
    first: bool = False
    beneath: tuple[str, ...] = ()
    """What lay under `before`, bottom to top, and is gone with it or after it."""


@dataclass(slots=True, eq=False)
class Spot:
    """The place of one pile and what is known to lie there, bottom to top."""

    pile: PileId
    pose: Pose
    toward: tuple[float, float]
    faces: list[str] = field(default_factory=list)
    known: bool = False
    card: LyingCard | None = None
    confirmed_s: float = -1.0
    sighted_s: float = -1.0
    """Last frame in which the top was in view and read beyond doubt."""
    first_s: float = -1.0
    hidden_s: float = -1.0
    bare_since_s: float | None = None

    @property
    def top(self) -> str | None:
        """Give the label on top; None when the place is bare or nothing was read there yet."""
        return self.faces[-1] if self.faces else None

    @property
    def bare(self) -> bool:
        """Tell whether the place is known to be bare."""
        return self.known and not self.faces

    def offset(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Give how far a point lies beside the place and toward the player."""
        dx, dy = x_mm - self.pose.x_mm, y_mm - self.pose.y_mm
        return dx * self.toward[1] - dy * self.toward[0], dx * self.toward[0] + dy * self.toward[1]

    def look(self, cards: Sequence[LyingCard], share_hidden: float, now: float) -> Change | None:
        """Take in the cards that lie here in this frame and tell what changed, if anything."""
        if share_hidden >= 0.2:
            self.hidden_s = now
        seen = [card for card in cards if now - card.last_s <= FRESH_S]
        if seen:
            self.bare_since_s = None
        readable = [
            card
            for card in seen
            if card.settled and not card.is_back and card.label and card.is_read(card.label, 2, SURE_SHARE)
        ]
        if not self.known:
            return self._first(readable, seen, share_hidden, now)
        top = self.top
        for card in readable:
            if card.label == top and now - card.agreed_s <= FRESH_S:
                self.confirmed_s, self.card = card.agreed_s, card
                if top is not None and card.agreed_s == now and card.is_read(top, SIGHTED_READS, SIGHTED_SHARE):
                    self.sighted_s = now
        change = self._newer(readable, now)
        if change is None and not seen:
            change = self._cleared(share_hidden, now)
        return change

    def _first(
        self, readable: Sequence[LyingCard], seen: Sequence[LyingCard], share_hidden: float, now: float
    ) -> Change | None:
        if not readable:
            return self._cleared(share_hidden, now) if not seen else None
        cards = sorted(readable, key=lambda card: self.offset(*card.at_mm)[1])
        self.known = True
        top = cards[-1]
        assert top.label is not None
        return replace(self._become(None, top, now, on_top=False, revealed=False), first=True)

    def _newer(self, readable: Sequence[LyingCard], now: float) -> Change | None:
        top = self.top
        missing = self._top_is_missing(now)
        for card in sorted(readable, key=lambda card: -card.number):
            label = card.label
            if label == top or label is None:
                continue
            if label in self.faces[:-1]:
                if missing and now - self.confirmed_s >= MISSING_S:
                    return self._become(top, card, now, on_top=False, revealed=True)
                continue
            if top is not None and card is self.card:
                return self._reread(card, now)
            both = now - self.confirmed_s <= FRESH_S
            if top is None or not both:
                return self._become(top, card, now, on_top=False, revealed=False)
            if self.pile.kind is PileKind.POST and self.card is not None and card.number > self.card.number:
                forward = self.offset(*card.at_mm)[1] - self.offset(*self.card.at_mm)[1]
                if forward > 2.0 and now - card.born_s > 0.2:
                    return self._become(top, card, now, on_top=True, revealed=False)
        return None

    def _top_is_missing(self, now: float) -> bool:
        card = self.card
        return card is None or card.gone or card.missed_s >= MISSING_S or (card.under_s >= now - FRESH_S)

    def _reread(self, card: LyingCard, now: float) -> Change | None:
        """Decide on a card whose label turned although nothing covered it."""
        label, old = card.label, self.top
        assert label is not None
        if card.share < 0.75 or card.reads.get(label, 0) < 6:
            return None
        misread = card.reads.get(old or "", 0) < 12
        return self._become(old, card, now, on_top=False, revealed=False, corrected=misread)

    def _cleared(self, share_hidden: float, now: float) -> Change | None:
        if share_hidden > 0.0 or self.bare:
            self.bare_since_s = None
            return None
        if self.bare_since_s is None:
            self.bare_since_s = now
        if now - self.bare_since_s < BARE_S:
            return None
        before, gone_s = self.top, self.confirmed_s if self.faces else self.bare_since_s
        beneath = tuple(self.faces[:-1])
        first = not self.known
        self.known, self.faces, self.card = True, [], None
        return None if first else Change(self.pile, before, None, None, False, False, gone_s, now, beneath=beneath)

    def _become(
        self, before: str | None, card: LyingCard, now: float, on_top: bool, revealed: bool, corrected: bool = False
    ) -> Change:
        assert card.label is not None
        gone_s = self.confirmed_s if before is not None else card.since_s
        beneath: tuple[str, ...] = ()
        if corrected:
            self.faces[-1] = card.label
        elif on_top:
            self.faces.append(card.label)
        elif revealed:
            upper = self.faces.index(card.label) + 1
            beneath = tuple(self.faces[upper:-1])
            del self.faces[upper:]
        else:
            self.faces = [*self.faces[:-1], card.label]
        self.card, self.confirmed_s, self.first_s = card, now, card.since_s
        return Change(self.pile, before, card.label, card, on_top, revealed, gone_s, now, corrected, beneath=beneath)


def make_spots(layout: TableLayout) -> list[Spot]:
    """Give a place for every pile of every seat that has one."""
    middle_x = sum(x for x, _ in layout.dutch_mm) / len(layout.dutch_mm)
    middle_y = sum(y for _, y in layout.dutch_mm) / len(layout.dutch_mm)
    spots = []
    for pile, pose in layout.poses().items():
        ux, uy = -sin(radians(pose.angle_deg)), cos(radians(pose.angle_deg))
        away = (pose.x_mm - middle_x) * ux + (pose.y_mm - middle_y) * uy
        # A card looks the same turned by 180 degrees, so a layout may name either angle: the player sits outside.
        toward = (ux, uy) if away >= 0 else (-ux, -uy)
        spots.append(Spot(pile, pose, toward))
    return spots


def find_spot(spots: Sequence[Spot], at_mm: tuple[float, float], card_mm: tuple[float, float]) -> Spot | None:
    """Find the pile that a card at a place belongs to; None when it lies on none."""
    best, best_mm = None, 1e9
    for spot in spots:
        dx, dy = at_mm[0] - spot.pose.x_mm, at_mm[1] - spot.pose.y_mm
        if abs(dx) > 120.0 or abs(dy) > 120.0:
            continue
        side, back = spot.offset(*at_mm)
        fan = FAN_SHARE if spot.pile.kind is PileKind.POST else NEAR_SHARE
        if abs(side) > SIDE_SHARE * card_mm[0] or not -NEAR_SHARE * card_mm[1] <= back <= fan * card_mm[1]:
            continue
        distance = hypot(side, min(back, 0.0))
        if distance < best_mm:
            best, best_mm = spot, distance
    return best
