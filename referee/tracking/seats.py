"""What changes of players' own piles mean: filled posts, builds, flips of the Wood Pile, tops that left.

It says those moves, and notes in `Whence` what left, for the Dutch Piles to find.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..game.cards import Face
from ..game.events import CardMoved, Certainty, PileSeen, Ruled
from ..game.moves import Move, PileId, PileKind
from ..game.plays import fits_post
from ..game.rules import Context, judge
from ..game.table import Pile, Table
from ..game.variant import Variant
from .infer import Whence
from .spots import Change, Spot
from .voice import Voice

FLIP_WAIT_S = 1.5
"""A Wood Pile's top that is gone was either played or turned under: wait this long for it to land somewhere."""
POST_PROOF_S = 0.8
POST_READS, POST_SHARE = 8, 0.85


@dataclass(slots=True)
class _Waiting:
    due_s: float
    spot: Spot
    change: Change


@dataclass(slots=True)
class _Unproved:
    due_s: float
    id: int
    spot: Spot
    move: Move
    table: Table


class SeatPiles:
    """Understands the changes of all players' own piles during one round.

    Parameters
    ----------
    spots
        The places of the piles.
    """

    def __init__(self, spots: Sequence[Spot], whence: Whence, variant: Variant, seats: tuple[int, ...], voice: Voice):
        self._spots = spots
        self._whence = whence
        self._variant = variant
        self._seats = seats
        self._voice = voice
        self._waiting: list[_Waiting] = []
        self._unproved: list[_Unproved] = []

    def show(self, spot: Spot) -> None:
        """Say what lies on top of a pile."""
        if spot.top is None and spot.pile.kind is PileKind.BLITZ:
            # That a Blitz Pile is empty is said by `blitz_seen`, once it is sure.
            return
        top = None if spot.top is None else Face.parse(spot.top)
        self._voice.say(PileSeen, pile=spot.pile, top=top, empty=spot.top is None)

    def changed(self, spot: Spot, change: Change, started: bool) -> set[str]:
        """Understand a change; gives the labels whose owners on Dutch Piles must be weighed anew."""
        touched = {label for label in (change.before, change.after) if label is not None}
        if change.corrected or change.first:
            if started:
                self.show(spot)
            return touched
        kind = spot.pile.kind
        if change.before is not None and not change.on_top:
            if kind is PileKind.POST and self._is_build(change):
                spot.faces[-1:] = [change.before, spot.faces[-1]]
            else:
                self._whence.lose(spot.pile, change.before, change.gone_s, change.seen_s)
        if kind is PileKind.POST:
            for label in change.beneath:
                touched.add(label)
                self._whence.lose(spot.pile, label, change.gone_s, change.seen_s, beneath=True)
        if not started:
            return touched
        if kind is PileKind.WOOD:
            self._wood_changed(spot, change)
        elif kind is PileKind.POST and change.after is not None and not change.revealed:
            self._arrived(spot, change)
        else:
            self.show(spot)
        return touched

    def _is_build(self, change: Change) -> bool:
        """Tell whether a new post top lies on the old one rather than in its place."""
        if change.revealed or change.before is None or change.after is None:
            return False
        taken = any(loss.early and loss.pile == change.pile for loss in self._whence.losses)
        return not taken and fits_post(self._variant, Pile((Face.parse(change.before),)), Face.parse(change.after))

    def _wood_changed(self, spot: Spot, change: Change) -> None:
        if change.before is None and change.after is not None:
            self._flip(spot, change)
        else:
            self._waiting.append(_Waiting(self._voice.now + FLIP_WAIT_S, spot, change))

    def _arrived(self, spot: Spot, change: Change) -> None:
        """Say that a card came to a Post Pile."""
        card, label = change.card, change.after
        if card is None or label is None:
            return
        seat, face = spot.pile.seat, Face.parse(label)
        loss = self._whence.find_source(label, card.shown_s, self._voice.now, seat, spot.pile)
        source = None if loss is None else loss.pile
        move = Move(card.shown_s, seat, (face,), source, spot.pile, 0.6 if source is None else 0.9)
        event = self._voice.say(
            CardMoved, time_s=move.time_s, seat=seat, cards=move.faces, source=source, target=spot.pile,
            at_mm=(round(card.x_mm, 1), round(card.y_mm, 1)), confidence=move.confidence,
        )  # fmt: skip
        if loss is not None:
            loss.move, loss.landed_s = event.id, event.time_s
            below = tuple(Face.parse(other) for other in spot.faces[:-1])
            table = Table({spot.pile: Pile(below), loss.pile: Pile((face,))}, self._seats)
            self._unproved.append(_Unproved(self._voice.now + POST_PROOF_S, event.id, spot, move, table))

    def settle(self) -> None:
        """Decide on what had to wait: flips, and builds that have lain long enough to be read for certain."""
        now = self._voice.now
        for item in [item for item in self._waiting if item.due_s <= now]:
            self._waiting.remove(item)
            self._settle_wood(item.spot, item.change)
        for unproved in [item for item in self._unproved if item.due_s <= now]:
            self._unproved.remove(unproved)
            self._prove(unproved)

    def _prove(self, item: _Unproved) -> None:
        card, label = item.spot.card, str(item.move.faces[0])
        if card is None or item.spot.top != label or not card.is_read(label, POST_READS, POST_SHARE):
            return
        ruling = judge(self._variant, item.table, item.move, Context(camera=True))
        if ruling.violations:
            self._voice.say(
                Ruled, time_s=item.move.time_s, move=item.id, violations=ruling.violations,
                certainty=Certainty.DOUBTFUL, remedy=ruling.remedy,
            )  # fmt: skip

    def _settle_wood(self, spot: Spot, change: Change) -> None:
        """Decide on a Wood Pile whose top has gone: what hasn't landed anywhere by now was turned under."""
        loss = self._whence.find_loss(spot.pile, change)
        if loss is None or loss.move is not None:
            if spot.top == change.after:
                self.show(spot)
            return
        self._whence.losses.remove(loss)
        if change.after is not None:
            self._flip(spot, change)
            return
        hand = PileId(PileKind.HAND, spot.pile.seat)
        self._voice.say(
            CardMoved, time_s=change.gone_s, seat=spot.pile.seat, cards=(None,), source=spot.pile, target=hand,
            confidence=0.7,
        )  # fmt: skip

    def _flip(self, spot: Spot, change: Change) -> None:
        """Say that cards were turned from the hand onto the Wood Pile."""
        assert change.after is not None
        seat = spot.pile.seat
        faces = (*(None,) * (self._variant.turn - 1), Face.parse(change.after))
        self._voice.say(
            CardMoved, time_s=change.seen_s if change.card is None else change.card.shown_s, seat=seat, cards=faces,
            source=PileId(PileKind.HAND, seat), target=spot.pile, confidence=0.8,
        )  # fmt: skip
