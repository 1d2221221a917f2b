"""The rules, one small function each: `judge` asks them all about one move.

To find a rule, take a violation's name: the function has the same name, `RULES` holds them all, and
`tests/game/test_rules.py` has a `test_<name>`. A rule looks at the table BEFORE the move and never changes
it. It gives None while it is kept, otherwise how sure it is that it was broken.
"""

from __future__ import annotations

from collections.abc import Callable

from .event_types import Certainty, Violation
from .moves import Move, PileKind
from .plays import (
    fits_dutch,
    is_complete,
    is_stuck,
    legal_plays,
    may_be_stuck,
    may_fill_hand,
    may_fill_post,
    must_fill_first,
    right_turn,
)
from .remedies import remedy_for
from .ruling import IN_PLAY, SURE_CONFIDENCE, Context, Ruling, Situation, look
from .table import Pile, Table
from .variant import PostToPost, StuckRule, TwoHands, Variant

__all__ = [
    "NOT_SEEN_BY_CAMERA",
    "RULES",
    "SURE_CONFIDENCE",
    "Context",
    "Ruling",
    "is_stuck",
    "judge",
    "legal_plays",
]

_HAND, _WOOD, _BLITZ = PileKind.HAND, PileKind.WOOD, PileKind.BLITZ
_POST, _DUTCH = PileKind.POST, PileKind.DUTCH


def _apart_s(one_s: float, other_s: float) -> float:
    """Give the time between two moments, to the microsecond: 1.1 - 1.0 is a tenth of a second."""
    return round(abs(one_s - other_s), 6)


def _is_complete(s: Situation) -> bool:
    return is_complete(s.variant, s.target)


def _moves_aside(s: Situation) -> bool:
    """Whether a finished Dutch Pile is moved as a whole."""
    whole = s.source_kind is _DUTCH and len(s.move.faces) == len(s.source.faces) and not s.target.faces
    return whole and is_complete(s.variant, s.source)


def _is_play(s: Situation) -> bool:
    """Whether the move is one of play, not of laying out, putting back or sweeping up."""
    if s.source_kind is _DUTCH:
        return False
    if s.target_kind is _DUTCH:
        return True
    if s.target_kind is _POST:
        return s.source_kind in (_BLITZ, _WOOD, _POST)
    return s.target_kind is _WOOD and s.source_kind is _HAND


def wrong_color(s: Situation) -> Certainty | None:
    """Dutch Piles: a pile has one colour from its 1 to its 10."""
    if s.target_kind is _DUTCH and not _is_complete(s):
        for lower, upper in s.steps:
            if lower.color is not upper.color:
                return s.certainty(s.below_seen)
    return None


def wrong_number(s: Situation) -> Certainty | None:
    """Dutch Piles: the next card is exactly one higher; a card that lost a race is `late_to_pile` instead."""
    if s.target_kind is _DUTCH and not _is_complete(s):
        for lower, upper in s.steps:
            if upper.number != lower.number + 1 and late_to_pile(s) is None:
                return s.certainty(s.below_seen and not (s.context.gap and upper.number > lower.number + 1))
    return None


def start_not_one(s: Situation) -> Certainty | None:
    """Dutch Piles: only a 1 starts a new one, and anybody's 1 may."""
    if s.target_kind is _DUTCH and not s.target.faces:
        face = s.move.faces[0]
        if face is not None and face.number != 1 and not _moves_aside(s):
            return s.certainty(not s.context.gap)
    return None


def pile_complete(s: Situation) -> Certainty | None:
    """Dutch Piles: a pile is finished with its 10 (with the king, in ordinary cards); nothing goes on it."""
    if s.target_kind is _DUTCH and _is_complete(s) and late_to_pile(s) is None:
        return s.certainty(s.target.top is not None)
    return None


def several_cards(s: Situation) -> Certainty | None:
    """Playing: one card at a time goes to a Dutch Pile or a Post Pile; some variants move a column whole."""
    if len(s.move.faces) == 1 or s.target_kind not in (_DUTCH, _POST):
        return None
    if s.target_kind is _DUTCH:
        return None if _moves_aside(s) else s.certainty()
    column = s.source_kind is _POST and s.variant.post_to_post is PostToPost.COLUMN
    return None if column else s.certainty()


def two_hands(s: Situation) -> Certainty | None:
    """Additional rules: a player moves cards with one hand only, never with both at once ("two-handing")."""
    if s.variant.two_hands is TwoHands.ALLOWED:
        return None
    if s.context.two_hands:
        return s.certainty()
    last = s.context.last_of_seat
    if last is None or last.seat is None or last.seat != s.move.seat:
        return None
    same = last.source == s.move.source and last.target == s.move.target
    apart_s = _apart_s(s.move.time_s, last.time_s)
    return s.certainty() if apart_s <= s.variant.two_hands_s and not same else None


def before_start(s: Situation) -> Certainty | None:
    """Start: nobody plays before the signal, nor while play is stopped by "Dutch!" or a pause."""
    if not _is_play(s):
        return None
    early_s = _apart_s(s.context.started_s, s.move.time_s)
    if s.move.time_s < s.context.started_s:
        return Certainty.TOO_CLOSE if early_s < s.variant.too_close_s else s.certainty()
    return s.certainty() if s.context.stopped else None


def after_blitz(s: Situation) -> Certainty | None:
    """End: once the round is over, no card that lands on a Dutch Pile counts; sweeping up is no play."""
    if s.target_kind is not _DUTCH or s.move.time_s <= s.context.ended_s:
        return None
    late_s = _apart_s(s.move.time_s, s.context.ended_s)
    return Certainty.TOO_CLOSE if late_s < s.variant.too_close_s else s.certainty()


def late_to_pile(s: Situation) -> Certainty | None:
    """Races: of two cards for one place the first to land stays, the other goes back.

    The stack tells which was first (the lower one); where nobody saw the stack, time does, and within the
    margin the scorekeeper decides.
    """
    last = s.context.last_on_pile
    if last is None or s.target_kind is not _DUTCH or len(s.move.faces) != 1:
        return None
    if last.seat is not None and last.seat == s.move.seat:
        return None
    apart_s = _apart_s(s.move.time_s, last.time_s)
    if apart_s > s.variant.race_s or last.faces[0] is None or s.move.faces[0] != last.faces[0]:
        return None
    if s.target.top != last.faces[0] or not fits_dutch(s.variant, Pile(s.target.faces[:-1]), last.faces[0]):
        return None
    if apart_s < s.variant.too_close_s and not s.context.order_seen:
        return Certainty.TOO_CLOSE
    return s.certainty()


def post_order(s: Situation) -> Certainty | None:
    """Post Piles: built downward by one, on one's own piles, and an empty slot is filled from the Blitz Pile.

    Also here: homes that build nothing or move nothing between Post Piles, and the official "at once": while
    a slot lies empty, its owner fills it before building or turning on.
    """
    source, target = s.move.source, s.move.target
    if must_fill_first(s.variant, s.table, s.move):
        return s.certainty()
    if s.target_kind is not _POST or s.source_kind is _DUTCH:
        return None
    if source is not None and source.seat != target.seat:
        return s.certainty()
    if s.source_kind is _POST and s.variant.post_to_post is PostToPost.NOT_ALLOWED:
        return s.certainty()
    if any(upper.number != lower.number - 1 for lower, upper in s.steps):
        return s.certainty()
    if s.target.faces:
        return None if s.variant.post_building else s.certainty()
    if s.source_kind is None or may_fill_post(s.variant, s.source_kind):
        return None
    return s.certainty()


def post_figure(s: Situation) -> Certainty | None:
    """Post Piles: boy on girl and girl on boy (red on black and black on red), never twice the same."""
    if s.target_kind is not _POST or s.source_kind is _DUTCH:
        return None
    return s.certainty() if any(upper.tone == lower.tone for lower, upper in s.steps) else None


def taken_from_dutch(s: Situation) -> Certainty | None:
    """Dutch Piles: a card that was rightly played stays; only a finished pile may be moved aside, whole."""
    if s.source_kind is not _DUTCH or _moves_aside(s):
        return None
    return s.certainty()


def not_on_top(s: Situation) -> Certainty | None:
    """Playing: from the top of one's own Blitz, Post or Wood Pile; never a buried card, never from the hand."""
    if s.target_kind not in (_DUTCH, _POST) or s.source_kind is _DUTCH:
        return None
    if s.source_kind is _HAND:
        return s.certainty()
    if s.move.source is not None and s.move.seat is not None and s.move.source.seat != s.move.seat:
        return s.certainty()
    face, top = s.move.faces[-1], s.source.top
    if face is None or top is None or face == top:
        return None
    if face in s.source.faces:
        return s.certainty()
    # The top was another card and this one may have lain unseen below it; if not, what was seen is in doubt.
    return Certainty.DOUBTFUL if None in s.source.faces else None


def wood_count(s: Situation) -> Certainty | None:
    """Wood Pile: the hand is turned three cards at a time (one, in some homes), the rest at the end."""
    if s.source_kind is _HAND and s.target_kind is _WOOD:
        return None if len(s.move.faces) == right_turn(s.variant, s.source, s.target) else s.certainty()
    if s.source_kind is _WOOD and s.target_kind is _HAND and may_fill_hand(s.variant, s.target):
        missing = s.variant.turn - len(s.target.faces)
        return None if len(s.move.faces) == min(missing, len(s.source.faces)) else s.certainty()
    return None


def shuffled(s: Situation) -> Certainty | None:
    """Hand, Wood and Blitz Pile keep their order: no card goes into them but as the rules say.

    The Wood Pile is turned over when the hand is used up; who is stuck moves one card as agreed; a card may
    be owed to the Blitz Pile as a penalty.
    """
    source, target = s.source_kind, s.target_kind
    if target not in (_HAND, _WOOD, _BLITZ) or source is None or source is _DUTCH:
        return None
    if s.move.source is not None and s.move.source.seat != s.move.target.seat:
        return s.certainty()
    if source is _HAND and target is _WOOD:
        return None
    if source is _HAND and target is _BLITZ and s.context.owes_card and len(s.move.faces) == 1:
        return None
    if source is target:
        agreed = {StuckRule.HAND_UNDER: _HAND, StuckRule.WOOD_UNDER: _WOOD}.get(s.variant.stuck)
        if source is not agreed or len(s.move.faces) != 1:
            return s.certainty()
        if s.context.stuck or is_stuck(s.variant, s.table):
            return None
        return s.certainty(not may_be_stuck(s.variant, s.table))
    if source is _WOOD and target is _HAND and (not s.target.faces or may_fill_hand(s.variant, s.target)):
        return None
    return s.certainty()


Rule = Callable[[Situation], Certainty | None]

RULES: dict[Violation, Rule] = {
    Violation.WRONG_COLOR: wrong_color,
    Violation.WRONG_NUMBER: wrong_number,
    Violation.START_NOT_ONE: start_not_one,
    Violation.PILE_COMPLETE: pile_complete,
    Violation.SEVERAL_CARDS: several_cards,
    Violation.TWO_HANDS: two_hands,
    Violation.BEFORE_START: before_start,
    Violation.AFTER_BLITZ: after_blitz,
    Violation.LATE_TO_PILE: late_to_pile,
    Violation.POST_ORDER: post_order,
    Violation.POST_FIGURE: post_figure,
    Violation.TAKEN_FROM_DUTCH: taken_from_dutch,
    Violation.NOT_ON_TOP: not_on_top,
    Violation.WOOD_COUNT: wood_count,
    Violation.SHUFFLED: shuffled,
}

NOT_SEEN_BY_CAMERA = frozenset({Violation.NOT_ON_TOP, Violation.WOOD_COUNT, Violation.SHUFFLED})

_ALL = tuple(RULES.items())
_CAMERA = tuple(item for item in _ALL if item[0] not in NOT_SEEN_BY_CAMERA)
_SUREST = (Certainty.CERTAIN, Certainty.TOO_CLOSE, Certainty.DOUBTFUL)


def judge(variant: Variant, table: Table, move: Move, context: Context = IN_PLAY) -> Ruling:
    """Judge one move.

    Parameters
    ----------
    variant
        The rules in force.
    table
        As it lay BEFORE the move. What stands on an illegal card is judged against the pile as it lies.
    move
        What happened.
    context
        What else the rules must know.

    Returns
    -------
    Ruling
        All violations at once. Its certainty is that of the surest of them.
    """
    if context.puts_back or (move.time_s > context.ended_s and move.target.kind is not _DUTCH):
        return Ruling(move, ())  # putting right is what the rules want, and sweeping up is no play
    situation = look(variant, table, move, context)
    if move.time_s < context.started_s and not _is_play(situation):
        return Ruling(move, ())  # cards are still being laid out
    broken = []
    certainties = []
    for violation, rule in _CAMERA if context.camera else _ALL:
        certainty = rule(situation)
        if certainty is not None:
            broken.append(violation)
            certainties.append(certainty)
    if not broken:
        unknown = move.target.kind is _DUTCH and situation.target.faces and not situation.steps
        return Ruling(move, (), Certainty.DOUBTFUL if unknown else Certainty.CERTAIN)
    surest = next(certainty for certainty in _SUREST if certainty in certainties)
    violations = tuple(broken)
    return Ruling(move, violations, surest, remedy_for(variant, move, violations, surest))
