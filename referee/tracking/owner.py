"""Who played a card: a small Bayesian update, one factor a function.

The back of a played card is hidden, so its owner is inferred: whose pile lost that very card, whose arm reached in,
and that every deck has each face once. All weights are likelihoods relative to a seat of which nothing is known (1).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import exp

import numpy as np

from ..vision.frames import Reach
from .cover import Polygon

HISTORY_S = 4.0
BEFORE_S, AFTER_S = 0.9, 0.15
"""An arm that brought the card was at the place from this long before the card was first seen to this long after."""
NEAR_MM = 60.0
DRAWN_NEAR_MM = 100.0
"""An arm that lays down a card has drawn near from here on (measured on two films: 0.13 s before the touch-down)."""
HAND_STILL_MM = 15.0
SURE = 0.5
"""Below this probability nobody is named."""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """What is known of one seat's copy of a card at the time it was played.

    Parameters
    ----------
    lost_s_ago
        How long before the touch-down a pile of the seat lost that card; None when none did.
    maybe_lost
        A pile's top was that card and is out of view now.
    lies_elsewhere
        The seat's copy is seen somewhere else after the play.
    buried
        The seat's copy was last seen below other cards, or in a place that it can't be played from.
    """

    lost_s_ago: float | None = None
    maybe_lost: bool = False
    lies_elsewhere: bool = False
    buried: bool = False


def provenance_factor(where: Whereabouts) -> float:
    """Weigh where the seat's copy of the card was: a pile that just lost it is the strongest evidence there is."""
    if where.lies_elsewhere:
        return 0.01
    if where.lost_s_ago is not None:
        return 4.0 + 56.0 * exp(-max(0.0, where.lost_s_ago - 1.5) / 3.0)
    if where.maybe_lost:
        return 12.0
    return 0.1 if where.buried else 1.0


def reach_factor(score: float) -> float:
    """Weigh how well an arm of the seat fits the touch-down, 0 (none near) .. 1 (its tip was there)."""
    return 1.0 + 24.0 * score


def back_factor(deck_seat: int | None, seat: int) -> float:
    """Weigh the back of the card itself, where it was turned over: it names the deck, if it was read right."""
    return 1.0 if deck_seat is None or deck_seat == seat else 0.002


class Reaches:
    """The arms of the last seconds."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, tuple[Reach, ...]]] = deque()

    def update(self, time_s: float, reaches: tuple[Reach, ...]) -> None:
        """Take in the arms of one frame."""
        self._seen.append((time_s, reaches))
        while self._seen and time_s - self._seen[0][0] > HISTORY_S:
            self._seen.popleft()

    def scores(self, at_mm: tuple[float, float], first_s: float) -> dict[int, float]:
        """Score, 0..1, how well each seat's arm fits a card that was first seen at a place at a time."""
        best: dict[int, float] = {}
        point = np.array([at_mm], dtype=np.float64)
        for time_s, reaches in self._seen:
            age_s = first_s - time_s
            if not -AFTER_S <= age_s <= BEFORE_S:
                continue
            fresh = exp(-max(0.0, age_s) / 0.6)
            for reach in reaches:
                if reach.seat is None:
                    continue
                near = exp(-((np.hypot(reach.tip_mm[0] - at_mm[0], reach.tip_mm[1] - at_mm[1]) / NEAR_MM) ** 2))
                if near < 0.4 and Polygon(reach.outline_mm).contains(point)[0]:
                    near = 0.4
                best[reach.seat] = max(best.get(reach.seat, 0.0), float(near) * fresh)
        return best

    def visit_s(self, seat: int, at_mm: tuple[float, float], since_s: float, within_mm: float) -> float | None:
        """Tell when a seat's arm first came to a place since a time, as touch-downs are timed: as it drew near.

        None if its tip never was within a distance.
        """
        gaps = []
        for time_s, reaches in self._seen:
            tips = [reach.tip_mm for reach in reaches if reach.seat == seat]
            if time_s >= since_s and tips:
                gaps.append((time_s, float(min(np.hypot(x - at_mm[0], y - at_mm[1]) for x, y in tips))))
        visits = _visits(gaps, DRAWN_NEAR_MM)
        return next((visit[0][0] for visit in visits if _nearest_mm(visit) <= within_mm), None)

    def touch_s(self, at_mm: tuple[float, float], since_s: float, first_s: float) -> float | None:
        """Tell when the last arm that came near reached a place while it was out of view; None if none was near.

        Parameters
        ----------
        since_s, first_s
            When the place was last in view without the card, and when the card was first seen there.
        """
        nearest: list[tuple[float, float]] = []
        for time_s, reaches in self._seen:
            if since_s <= time_s <= first_s and reaches:
                gaps = (np.hypot(reach.tip_mm[0] - at_mm[0], reach.tip_mm[1] - at_mm[1]) for reach in reaches)
                nearest.append((time_s, float(min(gaps))))
        visits = _visits(nearest, NEAR_MM * 1.5)
        if not visits:
            return None
        # Of several arms the last one brought the card: it touched down when that arm came, and rested after.
        return _visits(visits[-1], _nearest_mm(visits[-1]) + HAND_STILL_MM)[-1][0][0]


def _visits(gaps: Sequence[tuple[float, float]], limit_mm: float) -> list[list[tuple[float, float]]]:
    """Give the stretches of (time, gap in mm) whose gaps are within a limit."""
    return [list(stretch) for near, stretch in groupby(gaps, lambda item: item[1] <= limit_mm) if near]


def _nearest_mm(visit: Iterable[tuple[float, float]]) -> float:
    return min(gap for _, gap in visit)


def share_out(plays: Sequence[Mapping[int, float]], seats: Iterable[int]) -> list[dict[int, float]]:
    """Give for each play of one and the same face the probability of each seat.

    Each deck has every face once, so no seat can have played two of them: the sum runs over all ways to give the
    plays to different seats.

    Parameters
    ----------
    plays
        For each play the likelihood of each seat; a seat that is missing has 1.
    seats
        Numbers of all seats.
    """
    numbers = list(seats)
    count = len(numbers)
    weights = [[max(play.get(seat, 1.0), 1e-6) for seat in numbers] for play in plays]
    # A play beyond the number of decks can't be; it is shared out as if alone rather than refused.
    if len(plays) > count:
        return share_out(plays[:count], numbers) + [_alone(row, numbers) for row in weights[count:]]
    forward = [{0: 1.0}]
    for row in weights:
        step: dict[int, float] = {}
        for taken, weight in forward[-1].items():
            for index in range(count):
                if not taken >> index & 1:
                    step[taken | 1 << index] = step.get(taken | 1 << index, 0.0) + weight * row[index]
        forward.append(step)
    backward: dict[int, float] = dict.fromkeys(forward[-1], 1.0)
    result: list[dict[int, float]] = []
    for number in range(len(weights) - 1, -1, -1):
        row, sums, step = weights[number], [0.0] * count, {}
        for taken, weight in forward[number].items():
            rest = 0.0
            for index in range(count):
                if not taken >> index & 1:
                    part = row[index] * backward[taken | 1 << index]
                    sums[index] += weight * part
                    rest += part
            step[taken] = rest
        backward = step
        total = sum(sums)
        result.append({seat: value / total for seat, value in zip(numbers, sums, strict=True)})
    return result[::-1]


def _alone(row: Sequence[float], numbers: Sequence[int]) -> dict[int, float]:
    return {seat: weight / sum(row) for seat, weight in zip(numbers, row, strict=True)}


def name_seat(probabilities: Mapping[int, float]) -> tuple[int | None, float]:
    """Give the most likely seat and its probability; None for the seat when that is below `SURE`."""
    seat = max(probabilities, key=probabilities.__getitem__)
    return (seat if probabilities[seat] >= SURE else None), probabilities[seat]
