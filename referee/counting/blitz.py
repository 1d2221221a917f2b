"""What is left in the Blitz Piles once a round is over: cards that lie spread or are shown one by one.

A Blitz Pile lies face up, and a deck has each face once: so a card that was seen before isn't counted again, and what
lies face down in a Blitz Pile's zone is no part of it. A squared pile shows one card only: that is said, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..game.cards import Face
from ..layout import Pose, TableLayout
from ..vision.detector import YoloDetector
from ..vision.frames import Detection, Image, Quad
from ..vision.identifier import CardReader, cut_crop
from ..vision.seen import NONE
from .enrolling import seat_at_mm
from .propose import find_cards

_LEAST_CONFIDENCE = 0.3
_SURE_BACK = 0.9
"""Two cards in one box look a little like the back of one."""
_SURE_FACE = 0.8
_SHOWN_S = 0.5
"""A card that is shown rests for this long; one that is carried past doesn't."""
_SHOWN_FRAMES = 3
_STILL_MM = 15.0
_GAP_S = 1.0
_HELD = 1.08
"""A card that looks larger than this is held above the table."""


class LaidCard(NamedTuple):
    """A card in a picture: where it lies (px), its face (None where it can't be read), whether its back is up."""

    quad_px: Quad
    face: Face | None
    back: bool


@dataclass(frozen=True, slots=True)
class Zone:
    """What lies in one seat's Blitz zone in one picture.

    Parameters
    ----------
    faces
        Those that were read, each once.
    unread
        Cards face up that can't be read, and cards that show a face which another one shows too.
    backs
        Cards that lie face down.
    """

    faces: frozenset[Face] = frozenset()
    unread: int = 0
    backs: int = 0

    @staticmethod
    def of(cards: Iterable[LaidCard]) -> Zone:
        """Sum up cards."""
        laid = list(cards)
        faces = [card.face for card in laid if not card.back and card.face is not None]
        distinct = frozenset(faces)
        unread = sum(not card.back and card.face is None for card in laid) + len(faces) - len(distinct)
        return Zone(distinct, unread, sum(card.back for card in laid))

    @property
    def seen(self) -> int:
        """Give how many cards lie face up."""
        return len(self.faces) + self.unread


class Left(NamedTuple):
    """Cards left in a Blitz Pile: `counted` None where they can't be counted; `problem` says in words what to do."""

    counted: int | None
    sure: bool
    problem: str = ""


def blitz_zone_at(layout: TableLayout, point_mm: tuple[float, float]) -> int | None:
    """Give the seat in whose Blitz zone a point lies: the part of its area whose nearest pile is the Blitz Pile."""
    number = seat_at_mm(layout, point_mm)
    if number is None:
        return None
    seat = layout.seats[number - 1]

    def apart(pose: Pose) -> float:
        return float(np.hypot(pose.x_mm - point_mm[0], pose.y_mm - point_mm[1]))

    return number if apart(seat.blitz_mm) <= min(map(apart, (*seat.post_mm, seat.wood_mm))) else None


def judge_left(seat: int, followed: int, most: int, zone: Zone, shown: AbstractSet[Face], confirmed: bool) -> Left:
    """Say how many cards are left in a seat's Blitz Pile.

    The number is called sure when it is also the one that was followed, or when more cards lie open at once: fewer may
    mean that one lies under another.

    Parameters
    ----------
    followed
        As many as should be left by the log.
    most
        Cards of a Blitz Pile at the start.
    zone
        What is seen now.
    shown
        Faces that were seen there one after the other.
    confirmed
        Whether the players say that these cards are what is left, so that a single one counts.
    """
    # A card that can't be read now may have been shown before.
    counted = max(len(zone.faces | shown), zone.seen)
    if counted > most:
        return Left(None, False, f"seat {seat}: {counted} cards lie there, but a Blitz Pile has {most}: look whose")
    if zone.unread:
        return Left(counted, False, f"seat {seat}: not every Blitz card can be read: move them apart")
    if counted == followed or zone.seen == counted > max(followed, 1):
        return Left(counted, True)
    if zone.backs:
        return Left(
            counted or None, False, f"seat {seat}: cards lie face down at the Blitz Pile: turn up what is left of it"
        )
    if not counted:
        return Left(None, False, f"seat {seat}: nothing lies at the Blitz Pile: lay out what is left of it")
    if counted == 1 and not confirmed:
        return Left(None, False, f"seat {seat}: the Blitz Pile lies squared: spread it, or show its cards one by one")
    return Left(counted, False)


def read_laid(
    detector: YoloDetector, reader: CardReader, image: Image, belongs: Callable[[Quad], bool]
) -> list[LaidCard]:
    """Read the cards of a picture that lie where `belongs` says so of their quads (px).

    A card that others cover in part gives a box that is too small, so each is read as it was found and as its own
    corners are seen; the reading that is surer holds.
    """
    found = [item for item in find_cards(detector, image) if item[2] >= _LEAST_CONFIDENCE and belongs(item[0])]
    if not found:
        return []
    quads = [quad for quad, _, _ in found]
    moved, _ = reader.correct(image, quads)
    scores = reader.scores([cut_crop(image, quad) for quad in (*quads, *moved)])
    readings = reader.decide(scores)
    cards = []
    for n, quad in enumerate(quads):
        best = max(n, n + len(quads), key=lambda i: (readings[i].label is not None, readings[i].confidence))
        _, back, none = scores.kind[best]
        if none > NONE:
            continue
        label = readings[best].label or ""
        face = Face.parse(label) if label and not label.startswith("back:") else None
        cards.append(LaidCard(quad, face, bool(back > _SURE_BACK)))
    return cards


@dataclass(slots=True)
class _Showing:
    since_s: float
    until_s: float
    at_mm: tuple[float, float]
    frames: int = 1

    @property
    def rested(self) -> bool:
        return self.frames >= _SHOWN_FRAMES and self.until_s - self.since_s >= _SHOWN_S


@dataclass(slots=True)
class ShownFaces:
    """Remembers the faces that rested in each seat's Blitz zone, frame by frame."""

    _now: dict[tuple[int, Face], _Showing] = field(default_factory=dict)
    _shown: dict[int, set[Face]] = field(default_factory=dict)

    def see(self, layout: TableLayout, time_s: float, cards: Sequence[Detection]) -> None:
        """Take what one sharp frame shows."""
        for card in cards:
            label = card.reading.label
            if card.kind != "face" or not label or card.reading.confidence < _SURE_FACE or card.scale > _HELD:
                continue
            seat = blitz_zone_at(layout, card.center_mm)
            if seat is None or label.startswith("back:"):
                continue
            self._rest(seat, Face.parse(label), time_s, card.center_mm)

    def _rest(self, seat: int, face: Face, time_s: float, at_mm: tuple[float, float]) -> None:
        known = self._now.get((seat, face))
        moved = known is None or float(np.hypot(known.at_mm[0] - at_mm[0], known.at_mm[1] - at_mm[1])) > _STILL_MM
        if known is None or moved or time_s - known.until_s > _GAP_S:
            self._now[seat, face] = _Showing(time_s, time_s, at_mm)
            return
        known.until_s, known.frames = time_s, known.frames + 1
        if known.rested:
            self._shown.setdefault(seat, set()).add(face)

    def of(self, seat: int) -> frozenset[Face]:
        """Give the faces that a seat's zone has shown."""
        return frozenset(self._shown.get(seat, ()))

    def forget(self) -> None:
        """Begin anew."""
        self._now.clear()
        self._shown.clear()
