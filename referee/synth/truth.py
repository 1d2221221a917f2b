"""The truth about a played round in the project's own formats: events, notation, who is where.

The rules engine judges what the bots did, as it judges what the camera sees.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from ..game.events import BlitzSeen, CardMoved, Event, PileSeen, RoundScored, RoundStarted, Ruled, SeatScore
from ..game.follow import judge_move
from ..game.match import evolve
from ..game.match_state import Match
from ..game.moves import PileKind
from ..game.notation import format_game
from ..game.scoring import score
from ..game.variant import get_variant
from .play import Now, Played, Script
from .sight import card_px


class _Log:
    """Events with their ids, and the match that they make."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.match = Match.new()

    def next_id(self) -> int:
        return len(self.events) + 1

    def add(self, event: Event) -> None:
        self.events.append(event)
        self.match = evolve(self.match, event)


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
    log, go, seats = _Log(), script.go_s, len(script.seating.places)
    log.add(RoundStarted(time_s=go, seen_s=go, id=log.next_id(), seats=seats, variant=script.variant))
    for pile, card in script.dealt:
        log.add(PileSeen(time_s=go, seen_s=go, id=log.next_id(), pile=pile, top=script.cards[card].face))
    ids: dict[int, int] = {}
    for index, played in enumerate(script.played):
        move, at = played.move, played.move.time_s
        # A play before the signal can only be told once there is a round.
        seen = max(at, go)
        ids[index] = log.next_id()
        event = CardMoved(
            time_s=at, seen_s=seen, id=ids[index], seat=move.seat, cards=move.faces, source=move.source,
            target=move.target, at_mm=(round(played.at_mm[0], 1), round(played.at_mm[1], 1)),
            undoes=None if played.undoes is None else ids[played.undoes], rest_s=played.rest_s,
            visible_s=None if visible_s is None else visible_s.get(index),
        )  # fmt: skip
        assert log.match.round is not None
        ruling = judge_move(log.match.round, event)
        log.add(event)
        if ruling.violations:
            log.add(
                Ruled(
                    time_s=at, seen_s=seen, id=log.next_id(), move=ids[index], violations=ruling.violations,
                    certainty=ruling.certainty, remedy=ruling.remedy,
                )
            )  # fmt: skip
        shown = _shown(script, played, log.next_id(), seen)
        if shown is not None:
            log.add(shown)
        if at == script.over_s:
            log.add(BlitzSeen(time_s=at, seen_s=at, id=log.next_id(), seat=script.winner))
    end = script.end_s - 0.4
    counted = tuple(
        SeatScore(seat, dutch, blitz, score(variant, dutch, blitz), sure=True)
        for seat, (dutch, blitz) in enumerate(zip(script.dutch, script.blitz, strict=True), 1)
    )
    log.add(RoundScored(time_s=end, seen_s=end, id=log.next_id(), by="counted", seats=counted))
    return log.events


def _shown(script: Script, played: Played, number: int, seen_s: float) -> PileSeen | None:
    """Give what came to light where the card had lain; None on hands, which show nothing."""
    if played.reveals is None or played.reveals[0].kind is PileKind.HAND:
        return None
    at = played.move.time_s
    pile, card = played.reveals
    face = None if card is None else script.cards[card].face
    return PileSeen(time_s=at, seen_s=seen_s, id=number, pile=pile, top=face, empty=card is None)


def true_frame(script: Script, now: Now, shares: Mapping[int, float]) -> str:
    """Give one line of `frames.jsonl`: every card of a frame that isn't wholly hidden, as JSON.

    Each has `quad_px` (clockwise from the card's own top left), `label`, `visible` (share, 0..1), `pile` (null
    on its way) and `on_top`.
    """
    tops = {span.pile: span.card for span in now.resting}
    cards = []
    for span in (*now.resting, *now.moving):
        if shares[span.card] <= 0:
            continue
        px, turned = card_px(script.seating, span, now.time_s)
        card = script.cards[span.card]
        cards.append(
            {
                "quad_px": [[round(float(x), 1), round(float(y), 1)] for x, y in px],
                "label": str(card.face) if turned > 0 else f"back:{card.deck}",
                "visible": round(shares[span.card], 3),
                "pile": None if span.pile is None else str(span.pile),
                "on_top": span.pile is not None and tops[span.pile] == span.card,
            }
        )
    return json.dumps({"time_s": round(now.time_s, 4), "cards": cards})


def true_moves(script: Script) -> str:
    """Give the round in the notation of `moves.blitz`, illegal plays and their taking back included."""
    text = format_game(get_variant(script.variant), len(script.seating.places), (), script.go_s)
    seats = zip(script.seating.names, script.seating.decks, strict=True)
    lines = [f"s{seat}: {name}, {deck}" for seat, (name, deck) in enumerate(seats, 1)]
    lines += [f"top: {pile} {script.cards[card].face}" for pile, card in script.dealt]
    for played in script.played:
        note = "  # taken back" if played.undoes is not None else f"  # {played.meant}" if played.meant else ""
        lines.append(f"{played.move}{note}")
        if played.move.time_s == script.over_s:
            lines.append(f"blitz: {script.over_s:.3f} s{script.winner}")
    counts = (f"s{seat} {d}/{b}" for seat, (d, b) in enumerate(zip(script.dutch, script.blitz, strict=True), 1))
    lines.append(f"counted: {script.end_s - 0.4:.3f} {' '.join(counts)}")
    return text + "\n".join(lines) + "\n"
