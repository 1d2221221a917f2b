"""The stage that bots act on: what lies where now, and a record of everything that cards and hands do.

Each method changes the piles and writes spans and strokes; when and why is the bots' affair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..game.cards import FACES, Card
from ..game.moves import PileId, PileKind
from ..layout import Point, Pose
from .play import CARD_THICKNESS_MM, Played, Span, Stroke, distance_mm
from .seating import Seating

HELD_MM = 75.0
_SPACING_MM = 104.0


@dataclass(slots=True)
class _Lying:
    since_s: float
    pose: Pose
    height_mm: float
    order: int
    up: bool
    pile: PileId | None


class Stage:
    """All cards and hands of a round in progress; `aside` is how often a finished Dutch Pile is moved aside."""

    def __init__(self, seating: Seating, rng: np.random.Generator, aside: float = 0.0):
        self.seating = seating
        self.rng = rng
        self.aside = aside
        self.cards = tuple(Card(face, deck) for deck in seating.decks for face in FACES)
        self.piles: dict[PileId, list[int]] = {}
        self.changed_s: dict[PileId, float] = {}
        self.blocked: set[PileId] = set()
        self.dead: set[PileId] = set()
        self.reserved: dict[int, Pose] = {}
        self.base: dict[PileId, Pose] = {}
        self.spans: list[Span] = []
        self.strokes: list[Stroke] = []
        self.played: list[Played] = []
        self.dutch_plays = 0
        self.winner: int | None = None
        self.late_s = 0.0
        self._lying: dict[int, _Lying] = {}
        self._order = 0
        self._hands: dict[tuple[int, bool], tuple[Point, float, float]] = {}

    def next_order(self) -> int:
        """Give the order of the card that is put down next."""
        self._order += 1
        return self._order

    def faces(self, pile: PileId) -> list[int]:
        """Give a pile's cards, bottom to top."""
        return self.piles.setdefault(pile, [])

    def top(self, pile: PileId) -> int | None:
        """Find a pile's top card; None if it is empty."""
        cards = self.piles.get(pile)
        return cards[-1] if cards else None

    def dutch(self) -> list[PileId]:
        """Give the Dutch Piles that have cards."""
        return [pile for pile, cards in self.piles.items() if pile.kind is PileKind.DUTCH and cards]

    def pose_of(self, card: int) -> Pose:
        """Give where a lying card lies."""
        return self._lying[card].pose

    def grip(self, pose: Pose, seat: int) -> Point:
        """Give where a seat's finger tips hold a card in this pose: at the end nearest to them."""
        place = self.seating.places[seat - 1]
        angle = np.radians(place.turn_deg)
        return float(pose.x_mm - place.grip_mm * np.sin(angle)), float(pose.y_mm + place.grip_mm * np.cos(angle))

    def scatter(self, pose: Pose, place_mm: float, turn_deg: float) -> Pose:
        """Give a pose as a hurried hand hits it."""
        dx, dy = self.rng.normal(0, place_mm, 2)
        return Pose(pose.x_mm + dx, pose.y_mm + dy, pose.angle_deg + self.rng.normal(0, turn_deg))

    def landing(self, pile: PileId, seat: int, deep: int = 0) -> Pose:
        """Choose where the next card (or the one `deep` above it) lands on a pile, as carefully as people do."""
        count = len(self.faces(pile)) + deep
        if pile.kind is PileKind.DUTCH:
            base = self.base[pile]
            turn = self.seating.places[seat - 1].turn_deg
            swing = (turn - base.angle_deg + 90) % 180 - 90
            near = turn if abs(swing) < 50 else turn + 90 * np.sign(-swing)
            return self.scatter(Pose(base.x_mm, base.y_mm, float(near)), 4.0, 6.0)
        place = self.seating.places[pile.seat - 1]
        if pile.kind is PileKind.POST:
            pose = place.post_mm[pile.slot - 1]
            back = min(place.fan_mm * count, 46.0)
            angle = np.radians(place.turn_deg)
            fanned = Pose(pose.x_mm - back * np.sin(angle), pose.y_mm + back * np.cos(angle), pose.angle_deg)
            return self.scatter(fanned, 1.5, 1.8)
        if pile.kind is PileKind.BLITZ:
            return self.scatter(place.blitz_mm, 0.8, 0.9)
        if pile.kind is PileKind.WOOD:
            return self.scatter(place.wood_mm, 3.0, 3.0)
        return self.scatter(place.hand_mm, 0.8, 0.8)

    def height_on(self, pile: PileId, deep: int = 0) -> float:
        """Give the height of the next card on a pile, in mm."""
        lies = pile.kind is not PileKind.HAND or self.seating.places[pile.seat - 1].hand_lies
        return (0.0 if lies else HELD_MM) + CARD_THICKNESS_MM * (len(self.faces(pile)) + deep)

    def find_spot(self, seat: int) -> Pose:
        """Choose a place for a new Dutch Pile: free, and comfortable for the seat that starts it."""
        (left, top), _, (right, bottom), _ = self.seating.dutch_mm
        place = self.seating.places[seat - 1]
        taken = [self.base[pile] for pile in self.dutch()] + list(self.reserved.values())
        wish = place.at(float(self.rng.normal(0, 90)), float(self.rng.uniform(225, 330)))
        best, best_cost = None, np.inf
        for _ in range(160):
            x, y = self.rng.uniform(left + 52, right - 52), self.rng.uniform(top + 52, bottom - 52)
            gap = min((distance_mm((x, y), other) for other in taken), default=999.0)
            cost = distance_mm((x, y), wish) + 40 * max(0.0, _SPACING_MM - gap)
            if cost < best_cost:
                best, best_cost = (x, y), cost
        assert best is not None
        return Pose(*best, place.turn_deg + float(self.rng.normal(0, 9)))

    def find_rim(self, pile: PileId) -> Pose:
        """Choose a place at the rim of the middle for a finished pile: free, and not far."""
        (left, top), _, (right, bottom), _ = self.seating.dutch_mm
        base = self.base[pile]
        taken = [self.base[other] for other in self.dutch() if other != pile] + list(self.reserved.values())
        best, best_cost = base, np.inf
        for share in np.linspace(0, 1, 9):
            x, y = left + 50 + share * (right - left - 100), top + 50 + share * (bottom - top - 100)
            for at in ((x, top + 45), (x, bottom - 45), (left + 45, y), (right - 45, y)):
                gap = min((distance_mm(at, other) for other in taken), default=999.0)
                cost = distance_mm(at, base) + 40 * max(0.0, _SPACING_MM - gap)
                if cost < best_cost:
                    best, best_cost = Pose(float(at[0]), float(at[1]), base.angle_deg), cost
        return best

    def lay(self, card: int, pile: PileId, pose: Pose, time_s: float, up: bool, height_mm: float) -> None:
        """Put a card on top of a pile; it lies there until `lift`."""
        self._lying[card] = _Lying(time_s, pose, height_mm, self.next_order(), up, pile)
        self.faces(pile).append(card)
        self.changed_s[pile] = time_s

    def lift(self, card: int, time_s: float) -> _Lying:
        """End a card's rest and give how it lay; its pile still counts it until `take`."""
        lying = self._lying.pop(card)
        if time_s > lying.since_s:
            self.spans.append(
                Span(
                    card, lying.since_s, time_s, lying.pose, lying.pose, lying.order, lying.up, lying.up,
                    lying.height_mm, lying.height_mm, pile=lying.pile,
                )
            )  # fmt: skip
        return lying

    def take(self, pile: PileId, cards: Sequence[int]) -> None:
        """Take cards out of a pile's list."""
        held = self.faces(pile)
        for card in cards:
            held.remove(card)

    def carry(
        self, card: int, seat: int, start_s: float, end_s: float, begin: tuple[Pose, float, bool],
        end: tuple[Pose, float, bool], lift_mm: float, order: int | None = None, left: bool = False,
    ) -> None:  # fmt: skip
        """Record a card's way; `begin` and `end` are pose, height and whether the face is up."""
        self.spans.append(
            Span(
                card, start_s, end_s, begin[0], end[0], self.next_order() if order is None else order,
                begin[2], end[2], begin[1], end[1], lift_mm, seat, left=left,
            )
        )  # fmt: skip

    def slide(self, card: int, seat: int, start_s: float, end_s: float, to: Pose) -> None:
        """Push a lying card along the table to another pose on its pile, without changing what lies on what."""
        was = self.lift(card, start_s)
        self.carry(
            card, seat, start_s, end_s, (was.pose, was.height_mm, was.up), (to, was.height_mm, was.up), 0.0, was.order
        )
        self._lying[card] = _Lying(end_s, to, was.height_mm, was.order, was.up, was.pile)

    def turn_over(self, card: int, seat: int, start_s: float, end_s: float) -> None:
        """Turn a lying card over where it lies."""
        was = self.lift(card, start_s)
        self.carry(
            card, seat, start_s, end_s, (was.pose, was.height_mm, was.up), (was.pose, was.height_mm, not was.up), 35.0
        )
        self._lying[card] = _Lying(end_s, was.pose, was.height_mm, self.next_order(), not was.up, was.pile)

    def remove(self, card: int, seat: int, start_s: float, end_s: float, to: Pose, lift_mm: float) -> None:
        """Take a lying card away for good: it is carried to a place and not put down."""
        was = self.lift(card, start_s)
        self.carry(
            card,
            seat,
            start_s,
            end_s,
            (was.pose, was.height_mm, was.up),
            (to, was.height_mm, was.up),
            lift_mm,
            was.order,
        )

    def place_hand(self, seat: int, left: bool, at_mm: Point, time_s: float, height_mm: float = 20.0) -> None:
        """Say where a hand is first seen."""
        self._hands[seat, left] = (at_mm, time_s, height_mm)

    def hand_at(self, seat: int, left: bool = False) -> Point:
        """Give where a hand was last sent."""
        return self._hands[seat, left][0]

    def move_hand(
        self, seat: int, start_s: float, end_s: float, to_mm: Point, low_mm: float = 12.0, lift_mm: float = 30.0,
        holds: int = 0, left: bool = False,
    ) -> None:  # fmt: skip
        """Send a hand somewhere; it stays where it was until `start_s`."""
        at, since_s, height = self._hands[seat, left]
        if start_s > since_s:
            self.strokes.append(Stroke(seat, left, since_s, start_s, at, at, (height, height)))
        self.strokes.append(Stroke(seat, left, start_s, end_s, at, to_mm, (height, low_mm), lift_mm, holds))
        self._hands[seat, left] = (to_mm, end_s, low_mm)

    def close(self, end_s: float) -> None:
        """End every rest at the end of the film."""
        for card in list(self._lying):
            self.lift(card, end_s)
        for (seat, left), (at, since_s, height) in self._hands.items():
            if end_s > since_s:
                self.strokes.append(Stroke(seat, left, since_s, end_s, at, at, (height, height)))
