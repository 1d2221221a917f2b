"""What is done about a broken rule, in words that can be read out at the table."""

from __future__ import annotations

from .cards import Face
from .event_types import Certainty, Violation
from .moves import Move, PileKind
from .variant import IllegalPlay, TwoHands, Variant


def name_cards(faces: tuple[Face | None, ...]) -> str:
    """Name cards by their labels, bottom to top."""
    if faces == (None,):
        return "the card"
    return ", ".join("an unseen card" if face is None else str(face) for face in faces)


def remedy_for(variant: Variant, move: Move, violations: tuple[Violation, ...], certainty: Certainty) -> str:
    """Say what is to be done about a move that broke these rules.

    Parameters
    ----------
    variant
        Whether play stops, what the penalty is.
    move
        What happened.
    violations
        At least one.
    certainty
        Too close to call: the scorekeeper decides; doubtful: look first.
    """
    cards = name_cards(move.faces)
    if certainty is Certainty.TOO_CLOSE:
        return f"too close to call: the scorekeeper decides about {cards}"
    if certainty is Certainty.DOUBTFUL:
        return f"look again: is {cards} right?"
    if violations == (Violation.TWO_HANDS,) and variant.two_hands is TwoHands.NOTICE:
        return "noticed: one hand, please"
    back = _undo_words(move, violations, cards)
    if variant.illegal_play is IllegalPlay.NOTICE:
        return f"noticed: {back}"
    if variant.illegal_play is IllegalPlay.CARD:
        return f"{back} and put a card from the hand under the Blitz Pile"
    if variant.illegal_play is IllegalPlay.POINTS:
        return f"{back}, {variant.penalty_points} points off"
    return back


def _undo_words(move: Move, violations: tuple[Violation, ...], cards: str) -> str:
    if violations == (Violation.WOOD_COUNT,):
        return f"turn {cards} back"
    if violations == (Violation.SHUFFLED,):
        return "put the cards back in their order"
    if move.source is not None and move.source.kind is PileKind.DUTCH:
        return f"lay {cards} back on the Dutch Pile"
    return f"take back {cards}"
