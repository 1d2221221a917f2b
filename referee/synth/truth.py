"""The truth about a played round in the project's own formats: events, notation, who is where.

The rules engine judges what the bots did, as it judges what the camera sees.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..game.events import BlitzSeen, CardMoved, Event, PileSeen, RoundScored, RoundStarted, Ruled, SeatScore
from ..game.moves import Move, PileId, PileKind
from ..game.rules import Context, judge
from ..game.table import Table
from ..game.variant import get_variant
from .play import Played, Script


def true_events(script: Script, visible_s: Mapping[int, float] | None = None) -> list[Event]:
    """Give the whole truth of a round, in order of `seen_s`.

    Parameters
    ----------
    script
        The round.
    visible_s
        For an index into `script.played` the time of the first frame that shows the card at rest; moves
        without one have no `visible_s`.
    """
    variant = get_variant(script.variant)
    table = Table.start(variant, len(script.seating.places))
    events: list[Event] = []
    ids = iter(range(1, 1_000_000))
    go = script.go_s
    events.append(
        RoundStarted(time_s=go, seen_s=go, id=next(ids), seats=len(script.seating.places), variant=script.variant)
    )
    for pile, card in script.dealt:
        face = script.cards[card].face
        events.append(PileSeen(time_s=go, seen_s=go, id=next(ids), pile=pile, top=face))
        table = table.see(pile, face)
    last_on: dict[PileId, Move] = {}
    last_of: dict[int | None, Move] = {}
    move_ids: dict[int, int] = {}
    for index, played in enumerate(script.played):
        move = played.move
        at = move.time_s
        context = Context(
            started_s=go, ended_s=script.over_s, puts_back=played.undoes is not None,
            last_on_pile=last_on.get(move.target), order_seen=True, last_of_seat=last_of.get(move.seat),
        )  # fmt: skip
        ruling = judge(variant, table, move, context)
        move_ids[index] = next(ids)
        events.append(
            CardMoved(
                time_s=at, seen_s=at, id=move_ids[index], seat=move.seat, cards=move.faces, source=move.source,
                target=move.target, at_mm=(round(played.at_mm[0], 1), round(played.at_mm[1], 1)),
                undoes=None if played.undoes is None else move_ids[played.undoes], rest_s=played.rest_s,
                visible_s=None if visible_s is None else visible_s.get(index),
            )
        )  # fmt: skip
        if ruling.violations:
            events.append(
                Ruled(
                    time_s=at, seen_s=at, id=next(ids), move=move_ids[index], violations=ruling.violations,
                    certainty=ruling.certainty, remedy=ruling.remedy,
                )
            )  # fmt: skip
        table = table.apply(move)
        last_of[move.seat] = move
        if move.target.kind is PileKind.DUTCH:
            last_on[move.target] = move
        shown = _shown(script, played, at, next(ids))
        if shown is not None:
            events.append(shown)
            table = table.see(shown.pile, shown.top, shown.empty)
        if at == script.over_s:
            events.append(BlitzSeen(time_s=at, seen_s=at, id=next(ids), seat=script.winner))
    counted_s = script.end_s - 0.4
    seats = tuple(
        SeatScore(
            seat, dutch, blitz, variant.dutch_points * dutch + variant.blitz_points * blitz, sure=True
        )
        for seat, (dutch, blitz) in enumerate(zip(script.dutch, script.blitz, strict=True), 1)
    )  # fmt: skip
    events.append(RoundScored(time_s=counted_s, seen_s=counted_s, id=next(ids), by="counted", seats=seats))
    return events


def _shown(script: Script, played: Played, time_s: float, number: int) -> PileSeen | None:
    """Give what came to light where the card had lain; None on hands, which show nothing."""
    if played.reveals is None or played.reveals[0].kind is PileKind.HAND:
        return None
    pile, card = played.reveals
    face = None if card is None else script.cards[card].face
    return PileSeen(time_s=time_s, seen_s=time_s, id=number, pile=pile, top=face, empty=card is None)


def true_moves(script: Script) -> str:
    """Give the round in the notation of `moves.blitz`, illegal plays and their taking back included."""
    lines = [f"variant: {script.variant}", f"seats: {len(script.seating.places)}"]
    for played in script.played:
        move = played.move
        cards = ",".join("-" if face is None else str(face) for face in move.faces)
        note = "  # taken back" if played.undoes is not None else "  # illegal" if played.meant_illegal else ""
        lines.append(f"{move.time_s:.3f} s{move.seat} {cards} {move.source}>{move.target}{note}")
    return "\n".join(lines) + "\n"
