"""Take a round up where the log left it: the program was stopped, the cards still lie on the table."""

from __future__ import annotations

from ..game.moves import PileId, PileKind
from ..game.round import MoveRecord, Round
from .dutch import DutchPiles
from .infer import Loss, Whence
from .plays import Play, Plays

KNOWN = 0.97
"""How sure an owner from the log is taken to be."""


def restore_round(round_: Round, dutch: DutchPiles, plays: Plays, whence: Whence) -> None:
    """Fill empty tracking with what a round's log says: piles and their places, plays and owners, Blitz cards gone."""
    places = {
        record.event.target: record.event.at_mm
        for record in round_.records.values()
        if record.stands and record.event.at_mm is not None and record.event.target.kind is PileKind.DUTCH
    }
    for pile, cards in round_.table.dutch_piles():
        labels = [str(face) for face in cards.faces if face is not None]
        if labels and pile in places:
            dutch.restore(pile, labels, places[pile])
    for number, record in round_.records.items():
        if record.event.target.kind is PileKind.DUTCH and record.event.undoes is None and not record.retracted:
            play = _play(number, record, round_.seats)
            if play is not None:
                plays.all.append(play)
    for seat in round_.seats:
        pile = PileId(PileKind.BLITZ, seat)
        gone = round_.variant.blitz_cards - len(round_.table.pile(pile))
        whence.losses += [Loss(pile, "", 0.0, 0.0, move=0) for _ in range(gone)]


def _play(number: int, record: MoveRecord, seats: tuple[int, ...]) -> Play | None:
    event = record.event
    face = event.cards[-1]
    if face is None:
        return None
    rest = (1.0 - KNOWN) / max(len(seats) - 1, 1)
    likely = {seat: KNOWN if seat == event.seat else rest for seat in seats}
    if event.seat is None:
        likely = dict.fromkeys(seats, 1.0 / len(seats))
    return Play(
        number, event.target, str(face), event.at_mm or (0.0, 0.0), event.time_s, {}, not record.open,
        event.confidence, seat=event.seat, likely=likely, violations=record.open,
        undone=record.undone_by is not None, told=event.seat is not None,
    )  # fmt: skip
