"""How somebody moves besides playing: thinks, leans on the table, straightens, knocks, turns over, moves aside."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from ..game.moves import PileId, PileKind
from ..layout import Pose
from .play import distance_mm
from .stage import Stage

Doing = Generator[float, None, float]
"""Something that takes time: it gives the times at which it wants to go on, and ends with when it is done."""


@dataclass(frozen=True, slots=True)
class Temper:
    """How somebody plays.

    Parameters
    ----------
    pace
        Multiplies every duration: 0.7 is very quick, 1.4 slow.
    attention
        Chance to see a play that is there, each time they look.
    reaction_s
        How long a change on the table takes to reach them.
    care
        1 squares every card, 0 throws them down.
    """

    pace: float
    attention: float
    reaction_s: float
    care: float

    @staticmethod
    def sample(rng: np.random.Generator, pace: float = 1.0) -> Temper:
        """Draw a person."""
        return Temper(
            pace=pace * float(rng.uniform(0.8, 1.2)),
            attention=float(rng.uniform(0.75, 0.95)),
            reaction_s=float(rng.uniform(0.22, 0.5)),
            care=float(rng.uniform(0.2, 0.9)),
        )


class Manners:
    """One player's hands between plays.

    Parameters
    ----------
    stage
        Where they act.
    seat
        Whose they are.
    temper
        How they move.
    """

    def __init__(self, stage: Stage, seat: int, temper: Temper):
        self.stage = stage
        self.seat = seat
        self.temper = temper
        self.over_s: float | None = None
        self._place = stage.seating.places[seat - 1]
        self.blitz = PileId(PileKind.BLITZ, seat)
        self.wood = PileId(PileKind.WOOD, seat)
        self.hand = PileId(PileKind.HAND, seat)
        self.posts = [PileId(PileKind.POST, seat, slot) for slot in range(1, len(self._place.post_mm) + 1)]
        self._leans_until_s = 0.0

    def _ponder(self, now: float) -> Doing:
        """Think with the hand in the air, now and then with a sleeve across somebody's pile."""
        stage, rng = self.stage, self.stage.rng
        piles = stage.dutch()
        if self._place.hand_lies and now > self._leans_until_s and rng.random() < 0.6:
            self._lean(now)
        if piles and rng.random() < 0.4:
            over = stage.base[piles[int(rng.integers(len(piles)))]]
            goal, stay = (over.x_mm, over.y_mm), float(rng.uniform(0.8, 2.2))
        else:
            goal, stay = self._place.at(float(rng.uniform(-40, 140)), float(rng.uniform(-60, 60))), 0.9
        goal = (goal[0] + float(rng.normal(0, 15)), goal[1] + float(rng.normal(0, 15)))
        reach = self._way_s(stage.hand_at(self.seat), goal)
        stage.move_hand(self.seat, now, now + reach, goal, 45)
        now += reach + stay * float(rng.uniform(0.5, 1.2))
        yield now
        return now

    def _lean(self, now: float) -> None:
        """Rest the free arm on the table for seconds, over one's own piles or a Dutch Pile; the other hand plays on."""
        stage, rng = self.stage, self.stage.rng
        posts = [stage.seating.places[self.seat - 1].post_mm[0], self._place.wood_mm]
        near = [stage.base[pile] for pile in stage.dutch() if distance_mm(stage.base[pile], self._place.edge_mm) < 330]
        spots = posts + near
        over = spots[int(rng.integers(len(spots)))]
        goal = self._place.at(0, 20)
        share = float(rng.uniform(0.75, 1.1))
        point = (goal[0] + (over.x_mm - goal[0]) * share, goal[1] + (over.y_mm - goal[1]) * share)
        off = self._place.at(-130, -150)
        leave = now + 0.7 + float(rng.uniform(1.5, 4.0))
        stage.move_hand(self.seat, now, now + 0.7, point, 14, left=True)
        stage.move_hand(self.seat, leave, leave + 0.6, off, 25, left=True)
        self._leans_until_s = leave + 3.0

    def _way_s(self, begin: tuple[float, float], end: tuple[float, float]) -> float:
        """Give how long a hand takes: a constant and a part in proportion, as measured on card players' reaches."""
        base = 0.13 + 0.00048 * distance_mm(begin, end)
        return self.temper.pace * base * float(self.stage.rng.uniform(0.88, 1.15))

    def _straighten(self, card: int, target: PileId, now: float) -> Doing:
        """Push a card that landed askew to where it belongs, without letting go."""
        stage, rng = self.stage, self.stage.rng
        pose = stage.pose_of(card)
        better = stage.scatter(pose, 5.0 * (1.5 - self.temper.care), 7.0 * (1.5 - self.temper.care))
        done = now + self.temper.pace * float(rng.uniform(0.15, 0.4))
        stage.move_hand(self.seat, now, done, stage.grip(better, self.seat), 4, 0)
        yield done
        if stage.top(target) == card:
            stage.slide(card, self.seat, now, done, better)
        return done

    def _knock(self, pile: PileId, now: float) -> float:
        """Shift a whole pile with a careless hand."""
        stage, rng = self.stage, self.stage.rng
        dx, dy = rng.normal(0, 9, 2)
        turn = rng.normal(0, 7)
        done = now + 0.2
        for card in stage.faces(pile):
            pose = stage.pose_of(card)
            stage.slide(card, self.seat, now, done, Pose(pose.x_mm + dx, pose.y_mm + dy, pose.angle_deg + turn))
        base = stage.base[pile]
        stage.base[pile] = Pose(base.x_mm + dx, base.y_mm + dy, base.angle_deg)
        hand = stage.hand_at(self.seat)
        stage.move_hand(self.seat, now, done, (hand[0] + float(dx), hand[1] + float(dy)), 6, 0)
        return done

    def _finish(self, pile: PileId, now: float) -> Doing:
        """Turn over the top card of a finished pile, now and then; move it aside where people do that."""
        stage, rng = self.stage, self.stage.rng
        if stage.aside and rng.random() < stage.aside:
            stage.dead.add(pile)
            return (yield from self._move_aside(pile, now))
        stage.dead.update({pile} if rng.random() < 0.35 else set())
        if pile not in stage.dead:
            return now
        done = now + self.temper.pace * 0.4
        stage.move_hand(self.seat, now, done, stage.hand_at(self.seat), 6, 35, 1)
        yield done
        stage.turn_over(stage.faces(pile)[-1], self.seat, now, done)
        return done + 0.05

    def _move_aside(self, pile: PileId, now: float) -> Doing:
        """Push a finished pile as a whole to the rim of the middle, out of the way."""
        stage = self.stage
        base, goal = stage.base[pile], stage.find_rim(pile)
        done = now + self.temper.pace * (0.3 + 0.0011 * distance_mm(base, goal))
        stage.move_hand(self.seat, now, done, stage.grip(goal, self.seat), 6, 0)
        yield done
        for card in stage.faces(pile):
            pose = stage.pose_of(card)
            moved = Pose(pose.x_mm + goal.x_mm - base.x_mm, pose.y_mm + goal.y_mm - base.y_mm, pose.angle_deg)
            stage.slide(card, self.seat, now, done, stage.scatter(moved, 1.0, 1.5))
        stage.base[pile] = goal
        return done + 0.05
