"""What bots do wrong on purpose: which kinds, when, whether it is taken back, and where there is a chance for each.

It knows the stage and what a player sees, not how hands move.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..game.events import Violation
from ..game.moves import PileId, PileKind
from .hands import Choice

if TYPE_CHECKING:
    from .bots import Bot

MEANT_KINDS = (
    Violation.WRONG_NUMBER,
    Violation.WRONG_COLOR,
    Violation.START_NOT_ONE,
    Violation.SEVERAL_CARDS,
    Violation.PILE_COMPLETE,
)
"""The kinds of illegal play that bots bring unless others are asked for: all on Dutch Piles."""
_LATE_S = 0.3
"""How fresh a card must be for somebody with the same face to set out for its pile all the same, and lose the race."""


class Mischief:
    """The illegal plays that a round has still to bring.

    Parameters
    ----------
    rng
        Decides their order and times.
    count, seats
        How many there are to be, among how many players.
    kinds
        Of which kinds; each comes as often as the others.
    """

    def __init__(
        self, rng: np.random.Generator, count: int, seats: int, kinds: tuple[Violation, ...] = MEANT_KINDS
    ) -> None:
        ordered: list[Violation] = []
        while len(ordered) < count:
            ordered += [kinds[i] for i in rng.permutation(len(kinds))]
        self.left = ordered[:count]
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

    def give_back(self, kind: Violation) -> None:
        """Say that one that was claimed came to nothing."""
        self.done.remove(kind)
        self.left.append(kind)


def find_wrong(bot: Bot, now: float) -> Choice | None:
    """Find a chance for one of the kinds that are left, the first of them first; None if there is none now."""
    stage = bot.stage
    free = [pile for pile in stage.dutch() if pile not in stage.blocked and pile not in stage.dead]
    for kind in dict.fromkeys(bot.mischief.left):
        if kind in _ON_DUTCH:
            found = list(_on_dutch(bot, kind, free))
        else:
            found = list(_FINDERS[kind](bot, free, now)) if kind in _FINDERS else []
        if found:
            best = max(choice.score for choice in found)
            good = [choice for choice in found if choice.score == best]
            return good[int(stage.rng.integers(len(good)))]
    return None


_ON_DUTCH = frozenset(MEANT_KINDS)


def _on_dutch(bot: Bot, kind: Violation, free: list[PileId]) -> Iterator[Choice]:
    """Find cards that could be played wrongly on a Dutch Pile, or start one wrongly."""
    stage = bot.stage
    for source, card in _spare_sources(bot):
        face = bot.face(card)
        if kind is Violation.START_NOT_ONE and 2 <= face.number <= 9:
            yield Choice(9, source, None, (card,), kind)
        for pile in free:
            top = bot.face(stage.faces(pile)[-1])
            same, next_up = face.color is top.color, face.number == top.number + 1
            two = tuple(stage.faces(source)[-2:])
            right = {
                Violation.WRONG_NUMBER: same and not next_up and top.number < 10,
                Violation.WRONG_COLOR: not same and next_up,
                Violation.PILE_COMPLETE: top.number == 10,
                Violation.SEVERAL_CARDS: same and next_up and len(two) == 2 and source == bot.wood,
            }.get(kind, False)
            if right:
                near = 2.0 if abs(face.number - top.number) <= 2 else 0.0
                several = kind is Violation.SEVERAL_CARDS
                yield Choice(9 + near, source, pile, two if several else (card,), kind)


def _spare_sources(bot: Bot) -> list[tuple[PileId, int]]:
    """Give the tops that may go astray; not the last of the Blitz Pile, for they end the round."""
    return [
        (pile, card)
        for _, pile, card in bot.sources()
        if pile.kind is not PileKind.BLITZ or len(bot.stage.faces(pile)) > 2
    ]


def _post_order(bot: Bot, free: list[PileId], now: float) -> Iterator[Choice]:
    yield from _on_post(bot, Violation.POST_ORDER)


def _post_figure(bot: Bot, free: list[PileId], now: float) -> Iterator[Choice]:
    yield from _on_post(bot, Violation.POST_FIGURE)


def _on_post(bot: Bot, kind: Violation) -> Iterator[Choice]:
    """Find a card for a Post Pile that has the wrong number there, or the wrong figure, but not both."""
    for source, card in _spare_sources(bot):
        face = bot.face(card)
        for post in bot.posts:
            top = bot.stage.top(post)
            if top is None or post == source or (source.kind is PileKind.POST and len(bot.stage.faces(source)) < 2):
                continue
            other = bot.face(top)
            order, figure = face.number == other.number - 1, face.figure is not other.figure
            if (order, figure) == (kind is Violation.POST_FIGURE, kind is Violation.POST_ORDER):
                yield Choice(9, source, post, (card,), kind)


def _not_on_top(bot: Bot, free: list[PileId], now: float) -> Iterator[Choice]:
    """Find a card in the hand, or one that lies buried in a Post Pile, that fits a Dutch Pile."""
    hand = bot.stage.faces(bot.hand)
    hidden = [(bot.hand, hand[-1])] if hand else []
    hidden += [(post, card) for post in bot.posts for card in bot.stage.faces(post)[:-1]]
    for source, card in hidden:
        face = bot.face(card)
        tops = [bot.face(top) for top in (bot.stage.top(source),) if top is not None]
        if source.kind is PileKind.POST and any(top == face for top in tops):
            continue
        for pile in free:
            if bot.fits_dutch((card,), pile):
                yield Choice(9, source, pile, (card,), Violation.NOT_ON_TOP)


def _taken_from_dutch(bot: Bot, free: list[PileId], now: float) -> Iterator[Choice]:
    """Find a card of one's own deck on top of an unfinished Dutch Pile, to take it home to a Post Pile."""
    stage = bot.stage
    own = stage.seating.decks[bot.seat - 1]
    for pile in free:
        cards = stage.faces(pile)
        if len(cards) > 1 and stage.cards[cards[-1]].deck == own and bot.face(cards[-1]).number < 10:
            for post in bot.posts:
                if stage.faces(post):
                    yield Choice(9, pile, post, (cards[-1],), Violation.TAKEN_FROM_DUTCH)


def _two_hands(bot: Bot, free: list[PileId], now: float) -> Iterator[Choice]:
    """Find two legal plays at once, for a player whose left hand is free."""
    if not bot.left_is_free(now):
        return
    plays = [
        choice
        for choice in bot.options(now)
        if choice.target is not None
        and choice.target.kind is PileKind.DUTCH
        and (choice.source != bot.blitz or len(bot.stage.faces(bot.blitz)) > 2)
    ]
    for first in plays:
        for second in plays:
            if first.source != second.source and first.target != second.target:
                yield Choice(9, first.source, first.target, first.cards, Violation.TWO_HANDS, other=second)


def _late_to_pile(bot: Bot, free: list[PileId], now: float) -> Iterator[Choice]:
    """Find a pile to which somebody has just brought the very card that one holds; it may land late then."""
    stage = bot.stage
    for source, card in _spare_sources(bot):
        for pile in free:
            cards = stage.faces(pile)
            fresh = stage.changed_s[pile] > now - _LATE_S and len(cards) > 1
            other = stage.cards[cards[-1]].deck != stage.seating.decks[bot.seat - 1]
            if fresh and other and bot.face(cards[-1]) == bot.face(card):
                yield Choice(9, source, pile, (card,))


def _wood_count(bot: Bot, free: list[PileId], now: float) -> Iterator[Choice]:
    """Turn two cards, or four."""
    cards = bot.stage.faces(bot.hand)
    for count in (2, 4):
        if len(cards) > 4:
            yield Choice(9, bot.hand, bot.wood, tuple(cards[-count:]), Violation.WOOD_COUNT)


def _shuffled(bot: Bot, free: list[PileId], now: float) -> Iterator[Choice]:
    """Turn the Wood Pile over onto a hand that isn't used up."""
    wood, hand = bot.stage.faces(bot.wood), bot.stage.faces(bot.hand)
    if len(wood) > 2 and hand:
        yield Choice(9, bot.wood, bot.hand, tuple(wood), Violation.SHUFFLED)


_FINDERS = {
    Violation.POST_ORDER: _post_order,
    Violation.POST_FIGURE: _post_figure,
    Violation.NOT_ON_TOP: _not_on_top,
    Violation.TAKEN_FROM_DUTCH: _taken_from_dutch,
    Violation.TWO_HANDS: _two_hands,
    Violation.LATE_TO_PILE: _late_to_pile,
    Violation.WOOD_COUNT: _wood_count,
    Violation.SHUFFLED: _shuffled,
}
ALL_KINDS = (*MEANT_KINDS, *_FINDERS, Violation.BEFORE_START, Violation.AFTER_BLITZ)
"""Every kind that bots can bring: all that the rules know. What is turned wrongly is never turned back."""


def parse_kinds(text: str) -> tuple[Violation, ...]:
    """Read names with commas between; `all` is every kind.

    Raises
    ------
    ValueError
        If there is no such kind.
    """
    if text.strip() == "all":
        return ALL_KINDS
    kinds = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in kinds:
        if name not in {kind.value for kind in ALL_KINDS}:
            raise ValueError(f"no kind '{name}' of illegal play: choose from all, {', '.join(ALL_KINDS)}")
    if not kinds:
        raise ValueError(f"no kind of illegal play: choose from all, {', '.join(ALL_KINDS)}")
    return tuple(Violation(name) for name in kinds)
