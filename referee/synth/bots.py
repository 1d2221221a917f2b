"""Bots that play Dutch Blitz as people do: each with a temper, eyes that miss things, and one hurried hand.

They know the game, not the rules engine: that their plays are legal for it is a test of both.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from ..game.cards import Face
from ..game.events import Violation
from ..game.moves import PileId, PileKind
from .hands import Choice, Hands
from .manners import Doing, Temper
from .mischief import Mischief, find_wrong
from .stage import Stage

Life = Generator[float, None, None]
"""A bot's life: it gives the time at which it wants to act next."""

EARLY_S = 1.7
"""How long before the signal somebody sets out who plays too soon."""
_RACE_S = (0.15, 0.9)
"""How long after the other card one lands that lost a race: no photo finish, and within what the rules call a race."""


class Bot(Hands):
    """One player: hands with a mind of their own."""

    def __init__(
        self, stage: Stage, seat: int, temper: Temper, mischief: Mischief, go_s: float, early: bool = False
    ) -> None:
        super().__init__(stage, seat, temper)
        self.mischief = mischief
        self.go_s = go_s
        self.early = early

    def live(self) -> Life:
        """Play until somebody calls Blitz."""
        rng = self.stage.rng
        if self.early:
            yield from self._jump_the_gun(self.go_s - EARLY_S)
        now = self.go_s + float(rng.uniform(0.15, 0.6))
        yield now
        while self.over_s is None:
            choice = self._choose(now)
            if rng.random() < 0.035:
                now = yield from self._ponder(now)
                continue
            if choice is None:
                now = yield from self._turn_three(now)
            else:
                now = yield from self._do(choice, now)
            now += self.temper.pace * float(rng.uniform(0.02, 0.22))
            yield now
        if Violation.AFTER_BLITZ in self.mischief.left:
            now = yield from self._play_on(max(now, self.over_s + 0.25))
        self.stage.move_hand(self.seat, now + 0.2, now + 0.8, self._place.at(120, -110), 25)

    def _choose(self, now: float) -> Choice | None:
        stage, rng = self.stage, self.stage.rng
        if stage.top(self.blitz) is not None:
            for post in self.posts:
                if not stage.faces(post):
                    return Choice(100, self.blitz, post, (stage.faces(self.blitz)[-1],))
        if self.mischief.is_due(stage.dutch_plays):
            wrong = find_wrong(self, now)
            if wrong is not None:
                return self._resolve(wrong)
        best: Choice | None = None
        for choice in self.options(now):
            if rng.random() < self.temper.attention and (best is None or choice.score > best.score):
                best = choice
        return best

    def _resolve(self, choice: Choice) -> Choice:
        """Make up one's mind to do wrong; nobody else may come in between where that would change what it is."""
        if choice.wrong is None:
            return choice  # whether a race is lost shows when the card lands
        if choice.source.kind is PileKind.DUTCH:
            self.stage.blocked.add(choice.source)
        if choice.other is not None:
            self.stage.blocked.update(pile for pile in (choice.target, choice.other.target) if pile is not None)
        return self._on_top(replace(choice, taken_back=self.mischief.claim(choice.wrong)))

    def _on_top(self, choice: Choice) -> Choice:
        """Note on which card a wrong play is meant to land."""
        return replace(choice, lies_on=None if choice.target is None else self.stage.top(choice.target))

    def _do(self, choice: Choice, now: float) -> Doing:
        if choice.other is not None:
            return (yield from self._play_both(choice, choice.other, now))
        if choice.wrong in (Violation.WOOD_COUNT, Violation.SHUFFLED):
            assert choice.target is not None
            return (yield from self._move_packet(choice.source, choice.target, choice.cards, now, 0.2, choice.wrong))
        return (yield from self._play(choice, now))

    def _give_up(self, choice: Choice) -> None:
        if choice.wrong is not None:
            self.mischief.give_back(choice.wrong)
            self.stage.blocked -= {choice.source}

    def _jump_the_gun(self, now: float) -> Doing:
        """Play or turn cards before the signal."""
        yield now
        plays = self.options(now)
        taken_back = self.mischief.claim(Violation.BEFORE_START)
        if plays:
            choice = self._on_top(replace(plays[0], wrong=Violation.BEFORE_START, taken_back=taken_back))
            return (yield from self._play(choice, now))
        cards = tuple(self.stage.faces(self.hand)[-3:])
        return (yield from self._move_packet(self.hand, self.wood, cards, now, 0.16, Violation.BEFORE_START))

    def _play_on(self, now: float) -> Doing:
        """Play a card on a Dutch Pile though somebody has called Blitz."""
        yield now
        fitting = [item for item in self.options(now) if item.target is None or item.target.kind is PileKind.DUTCH]
        if fitting and Violation.AFTER_BLITZ in self.mischief.left:
            taken_back = self.mischief.claim(Violation.AFTER_BLITZ)
            late = self._on_top(replace(fitting[0], wrong=Violation.AFTER_BLITZ, taken_back=taken_back))
            now = yield from self._play(late, now)
            self.stage.late_s = max(self.stage.late_s, now)
        return now

    def _play_both(self, right: Choice, left: Choice, now: float) -> Doing:
        """Play two cards at once, one with each hand."""
        stage, seat = self.stage, self.seat
        plays = ((right, False), (left, True))
        grips = [stage.grip(stage.pose_of(play.cards[-1]), seat) for play, _ in plays]
        where = stage.pose_of(left.cards[-1])
        reach = max(self._way_s(stage.hand_at(seat, side), grip) for (_, side), grip in zip(plays, grips, strict=True))
        for (_, side), grip in zip(plays, grips, strict=True):
            stage.move_hand(seat, now, now + reach, grip, 4, left=side)
        leave = now + reach + 0.1 * self.temper.pace
        yield leave
        goals = [stage.landing(play.target, seat) for play, _ in plays if play.target is not None]
        touch = (
            leave
            + 0.05
            + max(self._way_s(grip, stage.grip(goal, seat)) for grip, goal in zip(grips, goals, strict=True))
        )
        yield touch
        stage.blocked.difference_update(play.target for play, _ in plays if play.target is not None)
        if self.over_s is not None:
            return touch
        self._put_down(replace(right, wrong=None, taken_back=False), leave, touch, goals[0])
        second = replace(left, wrong=Violation.TWO_HANDS, taken_back=right.taken_back)
        index = self._put_down(second, leave, touch + 0.02, goals[1], left=True)
        free = touch + 0.12
        stage.move_hand(seat, free, free + 0.5, self._place.at(-130, -150), 25, left=True)
        if right.taken_back:
            return (yield from self._take_back(index, [where], free))
        return free

    def left_is_free(self, now: float) -> bool:
        """Say whether the left hand neither holds the packet nor leans on the table."""
        return self._place.hand_lies and now > self._leans_until_s

    def _late(self, choice: Choice, touch: float, lands: bool = False) -> Choice | None:
        """Let a card land on the same one of somebody else's that was quicker, if such a play is wanted."""
        stage, pile = self.stage, choice.target
        if Violation.LATE_TO_PILE not in self.mischief.left or choice.wrong is not None or self.over_s is not None:
            return None
        if pile is None or pile.kind is not PileKind.DUTCH or pile in stage.blocked or pile in stage.dead:
            return None
        first = next(item for item in reversed(stage.played) if item.move.target == pile)
        below = [self.face(card) for card in stage.faces(pile)[-2:]]
        fair = len(below) == 2 and below[0].color is below[1].color and below[1].number == below[0].number + 1
        lost = first.cards[-1] == stage.top(pile) and first.move.seat != self.seat and first.meant is None
        in_time = _RACE_S[0] <= touch - first.move.time_s <= _RACE_S[1]
        if not (fair and lost and in_time) or below[1] != self.face(choice.cards[-1]):
            return None
        taken_back = self.mischief.claim(Violation.LATE_TO_PILE) if lands else False
        return replace(choice, wrong=Violation.LATE_TO_PILE, taken_back=taken_back)

    def sources(self) -> list[tuple[float, PileId, int]]:
        """Give the cards that may be played: how gladly, from where, and which."""
        stage = self.stage
        listed = [(10.0, self.blitz)] + [(7.0, post) for post in self.posts] + [(6.0, self.wood)]
        return [(score, pile, stage.faces(pile)[-1]) for score, pile in listed if stage.faces(pile)]

    def options(self, now: float) -> list[Choice]:
        """Give every legal play that one could see by now."""
        stage, rng = self.stage, self.stage.rng
        known_s = now - self.temper.reaction_s
        found = []
        for score, source, card in self.sources():
            face = self.face(card)
            if stage.changed_s.get(source, 0.0) > now - 0.2 and source.kind is not PileKind.WOOD:
                continue
            noise = float(rng.uniform(0, 1.5))
            if face.number == 1:
                found.append(Choice(score + noise + 1, source, None, (card,)))
            for pile in stage.dutch():
                if stage.changed_s[pile] <= known_s and self.fits_dutch((card,), pile):
                    found.append(Choice(score + noise, source, pile, (card,)))
            for post in self.posts:
                if post == source or not self._fits_post(face, post):
                    continue
                if source == self.blitz:
                    found.append(Choice(8 + noise, source, post, (card,)))
                elif source.kind is PileKind.POST and len(stage.faces(source)) == 1 and stage.faces(self.blitz):
                    found.append(Choice(5 + noise, source, post, (card,)))
                elif source == self.wood and rng.random() < 0.12:
                    found.append(Choice(2 + noise, source, post, (card,)))
        return found

    def _fits_post(self, face: Face, post: PileId) -> bool:
        top = self.stage.top(post)
        if top is None:
            return False
        other = self.face(top)
        return face.number == other.number - 1 and face.figure is not other.figure
