"""What the camera could see at a time: the share of each card that nothing covers, and the arms' outlines.

Works on a small picture of numbers, a pixel for each card's number; the film paints its real arms into it.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from ..layout import Point
from .play import Clock, Now, Script, Span, Stroke, corners_mm
from .seating import Place, Seating

Ids = npt.NDArray[np.int32]
ARM = 32_000
_PROFILE_MM = ((-12, 9), (12, 24), (55, 42), (110, 43), (150, 36), (185, 28), (260, 34), (430, 44), (760, 52))
"""Distance behind the finger tips and half width of a hand with forearm, as `people` draws them."""
_SHOULDER_MM = (165.0, -330.0)


def shoulder_mm(place: Place, left: bool) -> Point:
    """Give where an arm comes from, beyond the table's edge."""
    return place.at(-_SHOULDER_MM[0] if left else _SHOULDER_MM[0], _SHOULDER_MM[1])


def arm_outline_mm(place: Place, left: bool, tip_mm: Point) -> npt.NDArray[np.float32]:
    """Give an arm's (N, 2) float32 outline, mm, as it would lie on the table."""
    root = shoulder_mm(place, left)
    along = np.array([root[0] - tip_mm[0], root[1] - tip_mm[1]])
    along /= max(float(np.hypot(*along)), 1e-6)
    across = np.array([-along[1], along[0]])
    one = [np.asarray(tip_mm) + along * back + across * half for back, half in _PROFILE_MM]
    other = [np.asarray(tip_mm) + along * back - across * half for back, half in reversed(_PROFILE_MM)]
    return np.array(one + other, np.float32)


def card_px(seating: Seating, span: Span, time_s: float) -> tuple[npt.NDArray[np.float32], float]:
    """Give a card's (4, 2) float32 px corners and its turn-over (-1 back up to 1 face up) at a time."""
    pose, height, turned = span.at(time_s)
    width, length = seating.card_mm
    flat = corners_mm(pose, (max(width * abs(turned), 1.0), length))
    return seating.camera.project(flat, height), turned


ArmPainter = Callable[[Ids, Now], None]


class Sight:
    """Measures visible shares along a script.

    Parameters
    ----------
    script
        The round.
    shrink
        How many picture px are one px here.
    paint_arms
        Writes `ARM` where arms are, into the small picture; None uses `arm_outline_mm`.
    """

    def __init__(self, script: Script, shrink: int = 4, paint_arms: ArmPainter | None = None):
        self.script = script
        self.shrink = shrink
        self._clock = Clock(script)
        self._paint_arms = paint_arms or self._paint_outlines
        width, height = script.seating.camera.size_px
        self._shape = (-(-height // shrink), -(-width // shrink))
        self._rest = np.zeros(self._shape, np.int32)
        self._rest_key: tuple[int, ...] = ()
        self._sizes: dict[int, tuple[Span, int]] = {}

    def _fill(self, ids: Ids, px: npt.NDArray[np.float32], value: int) -> None:
        cv2.fillConvexPoly(ids, np.round(px / self.shrink * 16 - 8).astype(np.int32), value, cv2.LINE_8, 4)

    def _paint_outlines(self, ids: Ids, now: Now) -> None:
        seating = self.script.seating
        for stroke in now.strokes:
            outline, height = arm_at(seating, stroke, now.time_s)
            px = seating.camera.project(outline, height)
            cv2.fillPoly(ids, [np.round(px / self.shrink).astype(np.int32)], ARM)

    def _size(self, span: Span, time_s: float) -> int:
        known = self._sizes.get(span.card)
        if known is not None and known[0] is span and not span.moves:
            return known[1]
        px, _ = card_px(self.script.seating, span, time_s)
        low = np.floor(px.min(axis=0) / self.shrink) - 1
        extent = np.ceil(px.max(axis=0) / self.shrink) + 2 - low
        scratch = np.zeros((int(extent[1]), int(extent[0])), np.int32)
        self._fill(scratch, px - (low * self.shrink).astype(np.float32), 1)
        count = max(1, int(scratch.sum()))
        self._sizes[span.card] = (span, count)
        return count

    def at(self, time_s: float) -> tuple[Now, dict[int, float]]:
        """Give the state at a time, not before the last one asked for, and each card's visible share, 0..1."""
        now = self._clock.at(time_s)
        seating = self.script.seating
        key = tuple(id(span) for span in now.resting)
        if key != self._rest_key:
            self._rest_key = key
            self._rest[:] = 0
            for span in now.resting:
                self._fill(self._rest, card_px(seating, span, time_s)[0], span.card + 1)
        ids = self._rest.copy()
        for span in now.moving:
            self._fill(ids, card_px(seating, span, time_s)[0], span.card + 1)
        self._paint_arms(ids, now)
        counts = np.bincount(ids.ravel(), minlength=ARM + 1)
        shares = {
            span.card: min(1.0, float(counts[span.card + 1]) / self._size(span, time_s))
            for span in (*now.resting, *now.moving)
        }
        return now, shares


def arm_at(seating: Seating, stroke: Stroke, time_s: float) -> tuple[npt.NDArray[np.float32], float]:
    """Give an arm's outline in mm and its height above the table at a time."""
    tip, height = stroke.at(time_s)
    return arm_outline_mm(seating.places[stroke.seat - 1], stroke.left, tip), height


def first_visible(script: Script, fps: float, sight: Sight | None = None) -> dict[int, float]:
    """Give for each played move the time of the first frame that shows its top card at rest at least to 60%.

    A card that is covered for good before anybody could see it has no entry.
    """
    sight = sight or Sight(script)
    watch = Watch(script)
    for index in range(int(script.end_s * fps) + 1):
        now, shares = sight.at(index / fps)
        watch.see(now, shares)
    return watch.visible_s


class Watch:
    """Notes, frame by frame, when each played card is first visible at rest."""

    def __init__(self, script: Script):
        self.visible_s: dict[int, float] = {}
        self._script = script
        self._waiting: dict[int, int] = {}
        self._next = 0

    def see(self, now: Now, shares: dict[int, float]) -> None:
        """Take one frame's visible shares."""
        played = self._script.played
        while self._next < len(played) and played[self._next].rest_s <= now.time_s:
            for card in played[self._next].cards:
                self._waiting.pop(card, None)
            self._waiting[played[self._next].cards[-1]] = self._next
            self._next += 1
        for card, index in list(self._waiting.items()):
            if shares.get(card, 0.0) >= 0.6:
                self.visible_s[index] = now.time_s
                del self._waiting[card]
