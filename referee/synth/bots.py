"""Bots that play Dutch Blitz as people do: each with a temper, eyes that miss things, and one hurried hand.

They know the game, not the rules engine: that their plays are legal for it is a test of both.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from ..game.cards import Face
from ..game.events import Violation
from ..game.moves import PileId, PileKind
from .hands import Choice, Hands, Temper
from .stage import Stage

Life = Generator[float, None, None]
"""A bot's life: it gives the time at which it wants to act next."""

MEANT_KINDS = (
    Violation.WRONG_NUMBER,
    Violation.WRONG_COLOR,
    Violation.START_NOT_ONE,
    Violation.SEVERAL_CARDS,
    Violation.PILE_COMPLETE,
)


class Mischief:
    """The illegal plays that a round has still to bring."""

    def __init__(self, rng: np.random.Generator, count: int, seats: int):
        kinds: list[Violation] = []
        while len(kinds) < count:
            kinds += [MEANT_KINDS[i] for i in rng.permutation(len(MEANT_KINDS))]
        self.left = kinds[:count]
        step = 7.5 * seats / max(count, 1)
        self._due = [3 + int(step * (index + rng.uniform(0.1, 0.6))) for index in range(count)]
        self._taken_back = [bool((index + int(rng.integers(2))) % 2) for index in range(count)]
        if count > 1 and len(set(self._taken_back)) == 1:
            self._taken_back[-1] = not self._taken_back[-1]
        self.done: list[Violation] = []

    def is_due(self, dutch_plays: int) -> bool:
        """Say whether the next one should happen now."""
        return bool(self.left) and dutch_plays >= self._due[len(self.done)]

    def claim(self, kind: Violation) -> bool:
        """Say that somebody is about to do one of this kind; gives whether it is to be taken back."""
        taken_back = self._taken_back[len(self.done)]
        self.left.remove(kind)
        self.done.append(kind)
        return taken_back


class Bot(Hands):
    """One player: hands with a mind of their own."""

    def __init__(self, stage: Stage, seat: int, temper: Temper, mischief: Mischief, go_s: float):
        super().__init__(stage, seat, temper)
        self.mischief = mischief
        self.go_s = go_s

    def live(self) -> Life:
        """Play until somebody calls Blitz."""
        rng = self.stage.rng
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
                now = yield from self._play(choice, now)
            now += self.temper.pace * float(rng.uniform(0.02, 0.22))
            yield now
        self.stage.move_hand(self.seat, now + 0.2, now + 0.8, self._place.at(120, -110), 25)

    def _choose(self, now: float) -> Choice | None:
        stage, rng = self.stage, self.stage.rng
        if stage.top(self._blitz) is not None:
            for post in self._posts:
                if not stage.faces(post):
                    return Choice(100, self._blitz, post, (stage.faces(self._blitz)[-1],))
        if self.mischief.is_due(stage.dutch_plays):
            wrong = self._find_wrong()
            if wrong is not None and wrong.wrong is not None:
                return replace(wrong, taken_back=self.mischief.claim(wrong.wrong))
        best: Choice | None = None
        for choice in self._options(now):
            if rng.random() < self.temper.attention and (best is None or choice.score > best.score):
                best = choice
        return best

    def _sources(self) -> list[tuple[float, PileId, int]]:
        stage = self.stage
        listed = [(10.0, self._blitz)] + [(7.0, post) for post in self._posts] + [(6.0, self._wood)]
        return [(score, pile, stage.faces(pile)[-1]) for score, pile in listed if stage.faces(pile)]

    def _options(self, now: float) -> list[Choice]:
        stage, rng = self.stage, self.stage.rng
        known_s = now - self.temper.reaction_s
        found = []
        for score, source, card in self._sources():
            face = self.face(card)
            if stage.changed_s.get(source, 0.0) > now - 0.2 and source.kind is not PileKind.WOOD:
                continue
            noise = float(rng.uniform(0, 1.5))
            if face.number == 1:
                found.append(Choice(score + noise + 1, source, None, (card,)))
            for pile in stage.dutch():
                if stage.changed_s[pile] <= known_s and self._fits_dutch((card,), pile):
                    found.append(Choice(score + noise, source, pile, (card,)))
            for post in self._posts:
                if post == source or not self._fits_post(face, post):
                    continue
                if source == self._blitz:
                    found.append(Choice(8 + noise, source, post, (card,)))
                elif source.kind is PileKind.POST and len(stage.faces(source)) == 1 and stage.faces(self._blitz):
                    found.append(Choice(5 + noise, source, post, (card,)))
                elif source == self._wood and rng.random() < 0.12:
                    found.append(Choice(2 + noise, source, post, (card,)))
        return found

    def _fits_post(self, face: Face, post: PileId) -> bool:
        top = self.stage.top(post)
        if top is None:
            return False
        other = self.face(top)
        return face.number == other.number - 1 and face.figure is not other.figure

    def _find_wrong(self) -> Choice | None:
        stage, rng = self.stage, self.stage.rng
        free = [pile for pile in stage.dutch() if pile not in stage.blocked and pile not in stage.dead]
        sources = [item for item in self._sources() if item[1] != self._blitz or len(stage.faces(self._blitz)) > 2]
        for kind in dict.fromkeys(self.mischief.left):
            found: list[Choice] = []
            for _, source, card in sources:
                face = self.face(card)
                if kind is Violation.START_NOT_ONE and 2 <= face.number <= 9:
                    found.append(Choice(9, source, None, (card,), kind))
                for pile in free:
                    top = self.face(stage.faces(pile)[-1])
                    same, next_up = face.color is top.color, face.number == top.number + 1
                    two = tuple(stage.faces(source)[-2:])
                    right = {
                        Violation.WRONG_NUMBER: same and not next_up and top.number < 10,
                        Violation.WRONG_COLOR: not same and next_up,
                        Violation.PILE_COMPLETE: top.number == 10,
                        Violation.SEVERAL_CARDS: same and next_up and len(two) == 2 and source == self._wood,
                    }.get(kind, False)
                    if right:
                        near = 2.0 if abs(face.number - top.number) <= 2 else 0.0
                        several = kind is Violation.SEVERAL_CARDS
                        found.append(Choice(9 + near, source, pile, two if several else (card,), kind))
            if found:
                best = max(choice.score for choice in found)
                good = [choice for choice in found if choice.score == best]
                return good[int(rng.integers(len(good)))]
        return None
