"""What a judge looks at and what it says: the situation around one move, and the ruling on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .cards import Face
from .event_types import Certainty, Violation
from .moves import Move, PileKind
from .plays import find_last_seen
from .table import NO_CARDS, Pile, Table
from .variant import Variant

SURE_CONFIDENCE = 0.8
"""A ruling on a move that the observer is less sure of than this is doubtful, never certain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a judge must know beside the table; the defaults are play in full swing.

    Parameters
    ----------
    started_s, ended_s
        When the round's signal was given, and when the round ended.
    stopped
        Play is stopped ("Dutch!" or a pause).
    puts_back
        The move takes back a play that was ruled against or is in dispute.
    last_on_pile
        The play that put the card on which this one lands, if that is known.
    order_seen
        The observer saw in the stack which of the two cards lies lower; else time decides.
    last_of_seat
        The move that the same seat made before.
    two_hands
        Both hands were seen to move cards at once.
    gap
        A card may have come unseen in between, so that a missing number proves little.
    owes_card
        The seat must put a card under its Blitz Pile as a penalty.
    stuck
        Everybody was found to be stuck, and this seat has not used that yet.
    camera
        The witness is a camera: rules that it can't see (`NOT_SEEN_BY_CAMERA`) are not asked.
    """

    started_s: float = float("-inf")
    ended_s: float = float("inf")
    stopped: bool = False
    puts_back: bool = False
    last_on_pile: Move | None = None
    order_seen: bool = False
    last_of_seat: Move | None = None
    two_hands: bool = False
    gap: bool = False
    owes_card: bool = False
    stuck: bool = False
    camera: bool = False


IN_PLAY = Context()


class Ruling(NamedTuple):
    """What the rules say of a move: data beside it, for the move has happened.

    No violations and `certain`: legal. No violations and `doubtful`: the card below was never seen.
    """

    move: Move
    violations: tuple[Violation, ...]
    certainty: Certainty = Certainty.CERTAIN
    remedy: str = ""


class Situation(NamedTuple):
    """A move with all that the rules look at; `steps` are the pairs of cards that it lays on one another."""

    variant: Variant
    table: Table
    move: Move
    context: Context
    source_kind: PileKind | None
    source: Pile
    target_kind: PileKind
    target: Pile
    steps: tuple[tuple[Face, Face], ...]
    below_seen: bool

    def certainty(self, seen: bool = True) -> Certainty:
        """Say how sure a broken rule is, given whether all that it rests on was seen."""
        return Certainty.CERTAIN if seen and self.move.confidence >= SURE_CONFIDENCE else Certainty.DOUBTFUL


def _find_below(variant: Variant, pile: Pile) -> tuple[Face | None, bool]:
    """Find the card on top of a Dutch Pile, and whether it was seen or only follows from those below it."""
    face, unseen = find_last_seen(pile)
    if face is None or not unseen:
        return face, not unseen
    number = face.number + unseen
    return (Face(face.color, number) if number <= variant.highest else None), False


def look(variant: Variant, table: Table, move: Move, context: Context) -> Situation:
    """Gather all that the rules look at."""
    source, target = move.source, move.target
    pile = table.piles.get(target, NO_CARDS)
    below, seen = _find_below(variant, pile) if target.kind is PileKind.DUTCH else (pile.top, True)
    faces = move.faces
    steps: tuple[tuple[Face, Face], ...] = ()
    if below is not None and faces[0] is not None:
        steps = ((below, faces[0]),)
    if len(faces) > 1:
        steps += tuple((a, b) for a, b in zip(faces, faces[1:], strict=False) if a is not None and b is not None)
    if source is None:
        return Situation(variant, table, move, context, None, NO_CARDS, target.kind, pile, steps, seen)
    cards = table.piles.get(source, NO_CARDS)
    return Situation(variant, table, move, context, source.kind, cards, target.kind, pile, steps, seen)
