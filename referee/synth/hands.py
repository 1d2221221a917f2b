"""A player's hands: how each thing is done, at human speed, and what the stage then records."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from ..game.cards import Face
from ..game.events import Violation
from ..game.moves import Move, PileId, PileKind
from ..layout import Pose
from .play import Played, distance_mm
from .stage import Stage

Doing = Generator[float, None, float]
"""Something that takes time: it gives the times at which it wants to go on, and ends with when it is done."""

NOTICE_S = 0.13


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


@dataclass(frozen=True, slots=True)
class Choice:
    """What a bot has in mind; `target` None starts a new Dutch Pile."""

    score: float
    source: PileId
    target: PileId | None
    cards: tuple[int, ...]
    wrong: Violation | None = None
    taken_back: bool = False


class Hands:
    """One player's hands.

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
        self._blitz = PileId(PileKind.BLITZ, seat)
        self._wood = PileId(PileKind.WOOD, seat)
        self._hand = PileId(PileKind.HAND, seat)
        self._posts = [PileId(PileKind.POST, seat, slot) for slot in range(1, len(self._place.post_mm) + 1)]
        self._leans_until_s = 0.0
        self._others: list[Hands] = []

    def meet(self, others: list[Hands]) -> None:
        """Get to know everybody, to hear the call of Blitz."""
        self._others = others

    def face(self, card: int) -> Face:
        """Give what a card shows."""
        return self.stage.cards[card].face

    def _fits_dutch(self, cards: tuple[int, ...], pile: PileId | None) -> bool:
        if pile is None or pile in self.stage.blocked or pile in self.stage.dead or len(cards) != 1:
            return False
        top, face = self.face(self.stage.faces(pile)[-1]), self.face(cards[0])
        return face.color is top.color and face.number == top.number + 1

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

    def _play(self, choice: Choice, now: float) -> Doing:
        stage, rng = self.stage, self.stage.rng
        cards, source = choice.cards, choice.source
        where = [stage.pose_of(card) for card in cards]
        grip = stage.grip(where[-1], self.seat)
        reach = self._way_s(stage.hand_at(self.seat), grip)
        stage.move_hand(self.seat, now, now + reach, grip, 4)
        leave = now + reach + self.temper.pace * float(rng.uniform(0.04, 0.12))
        yield leave
        new = choice.target is None
        goal = stage.find_spot(self.seat) if choice.target is None else None
        if goal is not None:
            stage.reserved[self.seat] = goal
            goal = stage.scatter(goal, 0.5, 0.5)
        else:
            assert choice.target is not None
            goal = stage.landing(choice.target, self.seat)
        hesitates = choice.wrong is None and source.kind is not PileKind.BLITZ and rng.random() < 0.05
        carry = self._way_s(grip, stage.grip(goal, self.seat)) + (0.5 if hesitates else 0.03)
        touch = leave + carry
        yield touch - NOTICE_S
        if not self._may_land(choice):
            stage.reserved.pop(self.seat, None)
            return (yield from self._turn_back(choice, leave, touch, goal))
        yield touch
        stage.reserved.pop(self.seat, None)
        if not self._may_land(choice):
            return (yield from self._turn_back(choice, leave, touch, goal))
        number = 1 + max((pile.slot for pile in stage.piles if pile.kind is PileKind.DUTCH), default=0)
        target = PileId.dutch(number) if choice.target is None else choice.target
        if new:
            stage.base[target] = goal
        was = [stage.lift(card, leave) for card in cards]
        stage.take(source, cards)
        stage.move_hand(self.seat, leave, touch, stage.grip(goal, self.seat), 4, 45, len(cards))
        for card, lying in zip(cards, was, strict=True):
            pose = stage.scatter(goal, 2.0, 2.0) if card != cards[-1] else goal
            height = stage.height_on(target)
            stage.carry(card, self.seat, leave, touch, (lying.pose, lying.height_mm, True), (pose, height, True), 45)
            stage.lay(card, target, pose, touch, True, height)
        shown = stage.top(source)
        index = len(stage.played)
        stage.played.append(
            Played(
                Move(touch, self.seat, tuple(self.face(card) for card in cards), source, target),
                (goal.x_mm, goal.y_mm), leave, touch, cards, choice.wrong is not None, reveals=(source, shown),
            )
        )  # fmt: skip
        if target.kind is PileKind.DUTCH:
            stage.dutch_plays += 1
            if choice.wrong is Violation.PILE_COMPLETE:
                stage.dead.add(target)
        if choice.taken_back:
            stage.blocked.add(target)
        if source == self._blitz and shown is None:
            self._call(touch)
        free = touch + self.temper.pace * float(rng.uniform(0.05, 0.12))
        if rng.random() > 0.6 + 0.4 * self.temper.care:
            rest = yield from self._straighten(cards[-1], target, free)
            stage.played[index] = replace(stage.played[index], rest_s=rest)
            free = rest + 0.06
        elif target.kind is PileKind.DUTCH and len(stage.faces(target)) > 2 and rng.random() < 0.03:
            free = self._knock(target, free)
        if choice.taken_back:
            return (yield from self._take_back(index, where, free))
        if target.kind is PileKind.DUTCH and self.face(cards[-1]).number == 10 and choice.wrong is None:
            return (yield from self._finish(target, free))
        return free

    def _may_land(self, choice: Choice) -> bool:
        """Look again just before the card lands: somebody may have been first, or the round may be over."""
        if self.over_s is not None:
            return False
        to_dutch = choice.target is not None and choice.target.kind is PileKind.DUTCH
        return not to_dutch or choice.wrong is not None or self._fits_dutch(choice.cards, choice.target)

    def _call(self, time_s: float) -> None:
        self.stage.winner = self.seat
        for bot in self._others:
            bot.over_s = time_s

    def _turn_back(self, choice: Choice, leave: float, touch: float, goal: Pose) -> Doing:
        """Bring the card back: somebody else was first, or the round is over."""
        stage = self.stage
        lying = [stage.lift(card, leave) for card in choice.cards]
        share = 0.8
        turn = touch - NOTICE_S * 0.3
        hover = Pose(
            lying[-1].pose.x_mm + (goal.x_mm - lying[-1].pose.x_mm) * share,
            lying[-1].pose.y_mm + (goal.y_mm - lying[-1].pose.y_mm) * share,
            goal.angle_deg,
        )
        again = turn + 0.12 * self.temper.pace
        home = stage.scatter(lying[-1].pose, 1.0, 1.5)
        back = again + self._way_s(stage.grip(hover, self.seat), stage.grip(home, self.seat))
        stage.take(choice.source, choice.cards)
        stage.move_hand(self.seat, leave, turn, stage.grip(hover, self.seat), 40, 20, len(choice.cards))
        stage.move_hand(self.seat, again, back, stage.grip(home, self.seat), 4, 20, len(choice.cards))
        yield back
        for card, was in zip(choice.cards, lying, strict=True):
            low = was.height_mm
            stage.carry(card, self.seat, leave, turn, (was.pose, low, True), (hover, 40, True), 20)
            stage.carry(card, self.seat, turn, again, (hover, 40, True), (hover, 40, True), 0)
            stage.carry(card, self.seat, again, back, (hover, 40, True), (home, low, True), 20)
            stage.lay(card, choice.source, home, back, True, low)
        return back + 0.08

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

    def _take_back(self, index: int, where: list[Pose], now: float) -> Doing:
        """Somebody says "Dutch!": the cards go back to where they came from."""
        stage, rng = self.stage, self.stage.rng
        played = stage.played[index]
        source, target = played.move.source, played.move.target
        assert source is not None
        pause = now + float(rng.uniform(0.7, 1.9))
        stage.move_hand(self.seat, now, now + 0.35, self._place.at(30, 120), 40)
        yield pause
        grip = stage.grip(stage.pose_of(played.cards[-1]), self.seat)
        reach = self._way_s(stage.hand_at(self.seat), grip)
        stage.move_hand(self.seat, pause, pause + reach, grip, 4)
        leave = pause + reach + 0.1
        carry = self._way_s(grip, stage.grip(where[-1], self.seat))
        touch = leave + carry
        yield touch
        was = [stage.lift(card, leave) for card in played.cards]
        stage.take(target, played.cards)
        stage.move_hand(self.seat, leave, touch, stage.grip(where[-1], self.seat), 4, 40, len(was))
        for card, lying, home in zip(played.cards, was, where, strict=True):
            height = stage.height_on(source)
            end = (stage.scatter(home, 1, 1), height, True)
            stage.carry(card, self.seat, leave, touch, (lying.pose, lying.height_mm, True), end, 40)
            stage.lay(card, source, end[0], touch, True, height)
        stage.changed_s[target] = touch
        stage.blocked.discard(target)
        stage.played.append(
            Played(
                Move(touch, self.seat, played.move.faces, target, source), (where[-1].x_mm, where[-1].y_mm),
                leave, touch, played.cards, undoes=index,
            )
        )  # fmt: skip
        return touch + 0.1

    def _finish(self, pile: PileId, now: float) -> Doing:
        """Turn over the top card of a finished pile, now and then."""
        stage, rng = self.stage, self.stage.rng
        stage.dead.update({pile} if rng.random() < 0.35 else set())
        if pile not in stage.dead:
            return now
        done = now + self.temper.pace * 0.4
        stage.move_hand(self.seat, now, done, stage.hand_at(self.seat), 6, 35, 1)
        yield done
        stage.turn_over(stage.faces(pile)[-1], self.seat, now, done)
        return done + 0.05

    def _turn_three(self, now: float) -> Doing:
        """Turn three cards of the hand onto the Wood Pile; turn the Wood Pile over first if the hand is used up."""
        stage, rng, pace = self.stage, self.stage.rng, self.temper.pace
        if not stage.faces(self._hand):
            if not stage.faces(self._wood):
                yield now + 0.4
                return now + 0.4
            now = yield from self._move_packet(self._wood, self._hand, tuple(stage.faces(self._wood)), now, 0.35)
            now += pace * float(rng.uniform(0.1, 0.3))
            yield now
            if self.over_s is not None:
                return now
        cards = tuple(stage.faces(self._hand)[-3:])
        now = yield from self._move_packet(self._hand, self._wood, cards, now, 0.16)
        now += pace * float(rng.uniform(0.12, 0.3))
        yield now
        return now

    def _move_packet(self, source: PileId, target: PileId, cards: tuple[int, ...], now: float, grasp_s: float) -> Doing:
        """Turn a packet over from one pile onto the other: what lay on top comes to lie below."""
        stage, pace = self.stage, self.temper.pace
        grip = stage.grip(stage.pose_of(cards[-1]), self.seat)
        low = stage.height_on(source)
        reach = self._way_s(stage.hand_at(self.seat), grip)
        stage.move_hand(self.seat, now, now + reach, grip, low + 4)
        leave = now + reach + pace * grasp_s * float(stage.rng.uniform(0.5, 1.1))
        yield leave
        goal = stage.landing(target, self.seat)
        touch = leave + self._way_s(grip, stage.grip(goal, self.seat)) + 0.1
        yield touch
        up = target == self._wood
        if self.over_s is not None:
            stage.move_hand(self.seat, leave, touch, self._place.at(60, -60), 40)
            return touch
        was = {card: stage.lift(card, leave) for card in cards}
        stage.take(source, cards)
        high = stage.height_on(target)
        stage.move_hand(self.seat, leave, touch, stage.grip(goal, self.seat), high + 4, 35, len(cards))
        for card in reversed(cards):
            pose = goal if card == cards[0] else stage.scatter(goal, 2.0, 2.0)
            height = stage.height_on(target)
            begin = (was[card].pose, was[card].height_mm, not up)
            stage.carry(card, self.seat, leave, touch, begin, (pose, height, up), 40)
            stage.lay(card, target, pose, touch, up, height)
        top = self.face(cards[0])
        faces = (*(None for _ in cards[1:]), top) if up else tuple(None for _ in cards)
        stage.played.append(
            Played(
                Move(touch, self.seat, faces, source, target), (goal.x_mm, goal.y_mm), leave, touch,
                tuple(reversed(cards)), reveals=(source, stage.top(source)) if up else (source, None),
            )
        )  # fmt: skip
        free = touch + pace * 0.07
        yield free
        return free
