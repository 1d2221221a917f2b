"""Rulings in words: who, which card on which, what is wrong, what to do, how sure."""

from __future__ import annotations

from ..game.cards import Face
from ..game.event_types import Certainty, PileSeen, Ruled, Violation
from ..game.moves import PileKind
from ..game.round import MoveRecord, Round
from ..game.table import Table
from .language import Language
from .view import Badge, RulingView
from .words import card_view, certainty_words, clock, face_words, violation_words


def build_rulings(round_: Round, badges: dict[int, Badge], language: Language) -> tuple[RulingView, ...]:
    """Give a round's rulings: those that wait to be put right before those that are settled, the newest first.

    Those that were overruled or never happened are gone.
    """
    told: list[tuple[bool, float, int, MoveRecord, Ruled]] = []
    for id_, record in round_.records.items():
        ruled = record.blame
        if ruled is not None and ruled.violations and not record.retracted:
            told.append((bool(record.open), ruled.seen_s, id_, record, ruled))
    told.sort(key=lambda item: item[:3], reverse=True)
    below = find_below(round_, {id_ for _, _, id_, _, _ in told})
    return tuple(
        _ruling(round_, id_, record, ruled, below.get(id_), badges, language) for _, _, id_, record, ruled in told
    )


def find_below(round_: Round, ids: set[int]) -> dict[int, Face | None]:
    """Find on which card each of these moves laid its own; None where that card was not seen.

    Moves onto an empty pile are left out.
    """
    found: dict[int, Face | None] = {}
    table = Table.start(round_.variant, round_.seats)
    for entry in round_.tape if ids else ():
        if isinstance(entry, PileSeen):
            table = table.see(entry.pile, entry.top, entry.empty)
            continue
        if not isinstance(entry, int):
            continue
        record = round_.records[entry]
        if record.retracted:
            continue
        pile = table.pile(record.event.target)
        if entry in ids and len(pile):
            found[entry] = pile.top
        table = table.apply(record.move)
    return found


def _state(record: MoveRecord, ruled: Ruled) -> str:
    if not record.open:
        return "resolved"
    return "open" if ruled.certainty is Certainty.CERTAIN else "doubtful"


def _ruling(
    round_: Round,
    id_: int,
    record: MoveRecord,
    ruled: Ruled,
    below: Face | None,
    badges: dict[int, Badge],
    language: Language,
) -> RulingView:
    event = record.event
    on_pile = event.target.kind in (PileKind.DUTCH, PileKind.POST)
    under = below if on_pile else None
    cards = ", ".join(face_words(face, language) for face in event.cards)
    if under is not None:
        cards = language.t("{card} on {under}", card=cards, under=face_words(under, language))
    state = _state(record, ruled)
    wrong = ", ".join(violation_words(violation, language) for violation in ruled.violations)
    seat = event.seat
    who = language.t("Somebody") if seat is None else language.t("Seat {number}", number=seat)
    remedy = remedy_words(ruled, state, language)
    short = language.t("{who}, {card}: {remedy}", who=who, card=face_words(event.cards[-1], language), remedy=remedy)
    return RulingView(
        move=id_,
        who=badges.get(seat) if seat is not None else None,
        seat_words=who,
        card=card_view(event.cards[-1], language),
        under=card_view(under, language) if under is not None else None,
        what=f"{cards}, {wrong}",
        remedy=remedy,
        certainty=certainty_words(ruled.certainty, language),
        state=state,
        clock=clock(event.time_s - round_.started_s),
        say="" if state == "resolved" else short,
    )


def remedy_words(ruled: Ruled, state: str, language: Language) -> str:
    """Say what is to be done about it now."""
    t = language.t
    if state == "resolved":
        return t("settled")
    if ruled.certainty is Certainty.TOO_CLOSE:
        return t("the scorekeeper decides")
    if ruled.certainty is Certainty.DOUBTFUL:
        return t("please look")
    if ruled.violations == (Violation.TWO_HANDS,):
        return t("one hand, please")
    if Violation.TAKEN_FROM_DUTCH in ruled.violations:
        return t("lay it back")
    if ruled.violations == (Violation.WOOD_COUNT,):
        return t("turn them back")
    if ruled.violations == (Violation.SHUFFLED,):
        return t("put them back in order")
    return t("take it back")
