"""A player's hands: how each thing is done, at human speed, and what the stage then records."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..game.cards import Face
from ..game.events import Violation
from ..game.moves import Move, PileId, PileKind
from ..layout import Pose
from .manners import Doing, Manners, Temper
from .play import Played
from .stage import Stage

NOTICE_S = 0.13


@dataclass(frozen=True, slots=True)
class Choice:
    """What a bot has in mind; `target` None starts a new Dutch Pile."""

    score: float
    source: PileId
    target: PileId | None
    cards: tuple[int, ...]
    wrong: Violation | None = None
    taken_back: bool = False
    lies_on: int | None = None
    """For a wrong play: the card that it is meant to land on; on another one it would be something else."""
    other: Choice | None = None
    """What the left hand does at the same time."""


class Hands(Manners):
    """One player's hands, playing."""

    def __init__(self, stage: Stage, seat: int, temper: Temper) -> None:
        super().__init__(stage, seat, temper)
        self._others: list[Hands] = []

    def meet(self, others: list[Hands]) -> None:
        """Get to know everybody, to hear the call of Blitz."""
        self._others = others

    def face(self, card: int) -> Face:
        """Give what a card shows."""
        return self.stage.cards[card].face

    def fits_dutch(self, cards: tuple[int, ...], pile: PileId | None) -> bool:
        """Say whether one card may go on a Dutch Pile as far as one sees."""
        if pile is None or pile in self.stage.blocked or pile in self.stage.dead or len(cards) != 1:
            return False
        top, face = self.face(self.stage.faces(pile)[-1]), self.face(cards[0])
        return face.color is top.color and face.number == top.number + 1

    def _play(self, choice: Choice, now: float) -> Doing:
        stage, rng = self.stage, self.stage.rng
        cards, source = choice.cards, choice.source
        where = [stage.pose_of(card) for card in cards]
        grip = stage.grip(where[-1], self.seat)
        reach = self._way_s(stage.hand_at(self.seat), grip)
        stage.move_hand(self.seat, now, now + reach, grip, 4)
        leave = now + reach + self.temper.pace * float(rng.uniform(0.04, 0.12))
        yield leave
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
        if not self._may_land(choice) and self._late(choice, touch) is None:
            stage.reserved.pop(self.seat, None)
            return (yield from self._turn_back(choice, leave, touch, goal))
        yield touch
        stage.reserved.pop(self.seat, None)
        if not self._may_land(choice):
            late = self._late(choice, touch, lands=True)
            if late is None:
                return (yield from self._turn_back(choice, leave, touch, goal))
            choice = late
        index = self._put_down(choice, leave, touch, goal)
        target = stage.played[index].move.target
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

    def _put_down(self, choice: Choice, leave: float, touch: float, goal: Pose, left: bool = False) -> int:
        """Carry the cards over and lay them down; gives the number of the play."""
        stage, cards, source = self.stage, choice.cards, choice.source
        number = 1 + max((pile.slot for pile in stage.piles if pile.kind is PileKind.DUTCH), default=0)
        target = PileId.dutch(number) if choice.target is None else choice.target
        if choice.target is None:
            stage.base[target] = goal
        was = [stage.lift(card, leave) for card in cards]
        stage.take(source, cards)
        stage.move_hand(self.seat, leave, touch, stage.grip(goal, self.seat), 4, 45, len(cards), left)
        for card, lying in zip(cards, was, strict=True):
            pose = stage.scatter(goal, 2.0, 2.0) if card != cards[-1] else goal
            height = stage.height_on(target)
            begin = (lying.pose, lying.height_mm, lying.up)
            stage.carry(card, self.seat, leave, touch, begin, (pose, height, True), 45, left=left)
            stage.lay(card, target, pose, touch, True, height)
        shown = stage.top(source)
        index = len(stage.played)
        stage.played.append(
            Played(
                Move(touch, self.seat, tuple(self.face(card) for card in cards), source, target),
                (goal.x_mm, goal.y_mm), leave, touch, cards, choice.wrong, reveals=(source, shown),
            )
        )  # fmt: skip
        if target.kind is PileKind.DUTCH:
            stage.dutch_plays += 1
            if choice.wrong is Violation.PILE_COMPLETE:
                stage.dead.add(target)
        if choice.taken_back:
            stage.blocked.add(target)
        elif source.kind is PileKind.DUTCH:
            stage.blocked.discard(source)
        if source.kind is PileKind.DUTCH:
            stage.changed_s[source] = touch
        if source == self.blitz and shown is None and self.over_s is None:
            self._call(touch)
        return index

    def _late(self, choice: Choice, touch: float, lands: bool = False) -> Choice | None:
        """Say how a card may land that has lost a race; None if it has to go back, as it does here."""
        return None

    def _give_up(self, choice: Choice) -> None:
        """Learn that a play came to nothing."""

    def _may_land(self, choice: Choice) -> bool:
        """Look again just before the card lands: somebody may have been first, or the round may be over."""
        if self.over_s is not None and choice.wrong is not Violation.AFTER_BLITZ:
            return False
        if choice.source.kind is PileKind.DUTCH:
            return self.stage.top(choice.source) == choice.cards[-1]
        if choice.target is None or choice.target.kind is not PileKind.DUTCH:
            return True
        if choice.wrong is not None:
            return self.stage.top(choice.target) == choice.lies_on
        return self.fits_dutch(choice.cards, choice.target)

    def _call(self, time_s: float) -> None:
        self.stage.winner = self.seat
        for bot in self._others:
            bot.over_s = time_s

    def _turn_back(self, choice: Choice, leave: float, touch: float, goal: Pose) -> Doing:
        """Bring the card back: somebody else was first, or the round is over."""
        stage = self.stage
        self._give_up(choice)
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
            up = was.up
            stage.carry(card, self.seat, leave, turn, (was.pose, low, up), (hover, 40, up), 20)
            stage.carry(card, self.seat, turn, again, (hover, 40, up), (hover, 40, up), 0)
            stage.carry(card, self.seat, again, back, (hover, 40, up), (home, low, up), 20)
            stage.lay(card, choice.source, home, back, up, low)
        return back + 0.08

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
            end = (stage.scatter(home, 1, 1), height, source.kind is not PileKind.HAND)
            stage.carry(card, self.seat, leave, touch, (lying.pose, lying.height_mm, True), end, 40)
            stage.lay(card, source, end[0], touch, end[2], height)
        stage.changed_s[target] = touch
        stage.blocked -= {source, target}
        stage.played.append(
            Played(
                Move(touch, self.seat, played.move.faces, target, source), (where[-1].x_mm, where[-1].y_mm),
                leave, touch, played.cards, undoes=index,
            )
        )  # fmt: skip
        return touch + 0.1

    def _turn_three(self, now: float) -> Doing:
        """Turn three cards of the hand onto the Wood Pile; turn the Wood Pile over first if the hand is used up."""
        stage, rng, pace = self.stage, self.stage.rng, self.temper.pace
        if not stage.faces(self.hand):
            if not stage.faces(self.wood):
                yield now + 0.4
                return now + 0.4
            now = yield from self._move_packet(self.wood, self.hand, tuple(stage.faces(self.wood)), now, 0.35)
            now += pace * float(rng.uniform(0.1, 0.3))
            yield now
            if self.over_s is not None:
                return now
        cards = tuple(stage.faces(self.hand)[-3:])
        now = yield from self._move_packet(self.hand, self.wood, cards, now, 0.16)
        now += pace * float(rng.uniform(0.12, 0.3))
        yield now
        return now

    def _move_packet(
        self, source: PileId, target: PileId, cards: tuple[int, ...], now: float, grasp_s: float,
        wrong: Violation | None = None,
    ) -> Doing:  # fmt: skip
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
        up = target == self.wood
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
                tuple(reversed(cards)), wrong, reveals=(source, stage.top(source)),
            )
        )  # fmt: skip
        free = touch + pace * 0.07
        yield free
        return free
