"""A played round as exact facts: where every card and every hand is at any time, and the moves.

Bots write a `Script`; the film, the noise model and the truth read it. It knows no pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..game.cards import Card
from ..game.events import Violation
from ..game.moves import Move, PileId
from ..layout import Point, Pose
from .seating import Seating

CARD_THICKNESS_MM = 0.3


@dataclass(frozen=True, slots=True)
class Span:
    """One card between two times: at rest (both poses equal) or on its way.

    Parameters
    ----------
    card
        Index into `Script.cards`.
    start_s, end_s
        When it begins to be so and when that ends.
    begin, end
        Where it is then; between them it moves as a hand does, slowly at both ends.
    begin_mm, end_mm
        Heights above the table at both ends; `lift_mm` is added in the middle of the way.
    order
        Which card lies above which: the higher.
    was_up, is_up
        Whether its face shows at the start and at the end.
    seat, left
        Who carries or slides it, and whether with the left hand; None at rest.
    pile
        The pile that it lies on; None on its way.
    """

    card: int
    start_s: float
    end_s: float
    begin: Pose
    end: Pose
    order: int
    was_up: bool
    is_up: bool
    begin_mm: float = 0.0
    end_mm: float = 0.0
    lift_mm: float = 0.0
    seat: int | None = None
    pile: PileId | None = None
    left: bool = False

    @property
    def moves(self) -> bool:
        """Say whether the card is on its way."""
        return self.seat is not None

    def at(self, time_s: float) -> tuple[Pose, float, float]:
        """Give the pose, the height in mm and the turn-over (-1 back up to 1 face up) at a time."""
        if not self.moves:
            return self.end, self.end_mm, 1.0 if self.is_up else -1.0
        share = ease((time_s - self.start_s) / max(self.end_s - self.start_s, 1e-6))
        pose = blend(self.begin, self.end, share)
        height = self.begin_mm + (self.end_mm - self.begin_mm) * share + self.lift_mm * 4 * share * (1 - share)
        if self.was_up == self.is_up:
            return pose, height, 1.0 if self.is_up else -1.0
        turned = float(np.cos(np.pi * np.clip((share - 0.2) / 0.6, 0, 1)))
        return pose, height, turned if self.was_up else -turned


@dataclass(frozen=True, slots=True)
class Stroke:
    """A hand's way between two times; standing still if both points are equal.

    `tip_mm` is where the fingers touch; `holds` how many cards they hold.
    """

    seat: int
    left: bool
    start_s: float
    end_s: float
    begin_mm: Point
    end_mm: Point
    low_mm: tuple[float, float]
    lift_mm: float = 0.0
    holds: int = 0

    def at(self, time_s: float) -> tuple[Point, float]:
        """Give the finger tips' place and height in mm at a time."""
        share = ease((time_s - self.start_s) / max(self.end_s - self.start_s, 1e-6))
        x = self.begin_mm[0] + (self.end_mm[0] - self.begin_mm[0]) * share
        y = self.begin_mm[1] + (self.end_mm[1] - self.begin_mm[1]) * share
        height = self.low_mm[0] + (self.low_mm[1] - self.low_mm[0]) * share
        return (x, y), height + self.lift_mm * 4 * share * (1 - share)


@dataclass(frozen=True, slots=True)
class Played:
    """A move of the script with what only its author knows."""

    move: Move
    at_mm: Point
    leave_s: float
    rest_s: float
    cards: tuple[int, ...]
    meant: Violation | None = None
    """The kind of illegal play that its author had in mind."""
    undoes: int | None = None
    """Index into `Script.played` of the play that this one takes back."""
    reveals: tuple[PileId, int | None] | None = None
    """The pile that lost the cards and the card that now shows on it; card None: it is empty."""


@dataclass(frozen=True, slots=True)
class Script:
    """A whole round, from the first card laid out to the sweep.

    Parameters
    ----------
    seating
        The stage.
    variant
        Name of the rules played.
    cards
        Every card in the game: its face and deck.
    spans
        What every card does, in order of `start_s`.
    strokes
        What every hand does, in order of `start_s`.
    played
        Every move, in order of touch-down.
    dealt
        The tops at the start: pile and card.
    go_s, over_s, end_s
        The signal, Blitz, and the end of the film.
    winner
        The seat that emptied its Blitz Pile.
    dutch, blitz
        For each seat the cards of its deck on Dutch Piles and those left in its Blitz Pile, as counted at the end.
    """

    seating: Seating
    variant: str
    cards: tuple[Card, ...]
    spans: tuple[Span, ...]
    strokes: tuple[Stroke, ...]
    played: tuple[Played, ...]
    dealt: tuple[tuple[PileId, int], ...]
    go_s: float
    over_s: float
    end_s: float
    winner: int
    dutch: tuple[int, ...]
    blitz: tuple[int, ...]
    wanted: tuple[Violation, ...] = ()
    """The kinds of illegal play that were asked for, in order."""


@dataclass(slots=True)
class Now:
    """What is where at one time: the answer of `Clock.at`."""

    time_s: float
    resting: list[Span] = field(default_factory=list)
    moving: list[Span] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)


class Clock:
    """Walks through a script in order of time; each step costs only what changed."""

    def __init__(self, script: Script):
        self._spans = sorted(script.spans, key=lambda span: span.start_s)
        self._strokes = sorted(script.strokes, key=lambda stroke: stroke.start_s)
        self._next_span = 0
        self._next_stroke = 0
        self._by_card: dict[int, Span] = {}
        self._by_hand: dict[tuple[int, bool], Stroke] = {}

    def at(self, time_s: float) -> Now:
        """Give the state at a time that isn't before the last one asked for."""
        while self._next_span < len(self._spans) and self._spans[self._next_span].start_s <= time_s:
            span = self._spans[self._next_span]
            self._by_card[span.card] = span
            self._next_span += 1
        while self._next_stroke < len(self._strokes) and self._strokes[self._next_stroke].start_s <= time_s:
            stroke = self._strokes[self._next_stroke]
            self._by_hand[stroke.seat, stroke.left] = stroke
            self._next_stroke += 1
        now = Now(time_s)
        for card, span in list(self._by_card.items()):
            if span.end_s <= time_s:
                del self._by_card[card]
            elif span.moves:
                now.moving.append(span)
            else:
                now.resting.append(span)
        now.resting.sort(key=lambda span: span.order)
        now.moving.sort(key=lambda span: span.order)
        for key, stroke in list(self._by_hand.items()):
            if stroke.end_s <= time_s:
                del self._by_hand[key]
            else:
                now.strokes.append(stroke)
        return now


def ease(share: float) -> float:
    """Give the share of the way that a hand has gone after a share of the time (minimum jerk)."""
    t = min(max(share, 0.0), 1.0)
    return t * t * t * (10 + t * (6 * t - 15))


def blend(begin: Pose, end: Pose, share: float) -> Pose:
    """Give the pose between two, turning the short way."""
    turn = (end.angle_deg - begin.angle_deg + 180) % 360 - 180
    return Pose(
        begin.x_mm + (end.x_mm - begin.x_mm) * share,
        begin.y_mm + (end.y_mm - begin.y_mm) * share,
        begin.angle_deg + turn * share,
    )


def corners_mm(pose: Pose, card_mm: tuple[float, float]) -> np.ndarray:
    """Give a card's (4, 2) float64 corners in mm, clockwise from its own top left."""
    half_w, half_h = card_mm[0] / 2, card_mm[1] / 2
    angle = np.radians(pose.angle_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    flat = np.array([[-half_w, -half_h], [half_w, -half_h], [half_w, half_h], [-half_w, half_h]])
    return flat @ np.array([[cos, sin], [-sin, cos]]) + (pose.x_mm, pose.y_mm)


def distance_mm(a: Sequence[float], b: Sequence[float]) -> float:
    """Give the distance of two points."""
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))
