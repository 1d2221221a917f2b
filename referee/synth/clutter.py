"""Things that lie about and are not cards, by name: chips, coins, phones, books, papers, mugs, dice and so on."""

from __future__ import annotations

from collections.abc import Callable

from . import lookalikes, printed_things, solid_things
from .things import Rng, Thing

_MAKERS: dict[str, Callable[[Rng, float], Thing]] = {
    "chip": solid_things.chip,
    "coin": solid_things.coin,
    "sheet": printed_things.sheet,
    "photo": printed_things.photo_print,
    "pips": printed_things.pips,
    "book": printed_things.book,
    "box": printed_things.box,
    "phone": solid_things.phone,
    "vessel": solid_things.round_vessel,
    "keyboard": solid_things.keyboard,
    "plastic card": printed_things.plastic_card,
    "domino": solid_things.domino,
    "die": solid_things.die,
    "token": solid_things.token,
    "cable": solid_things.cable,
    "pen": solid_things.pen,
    "cloth": printed_things.cloth,
    "scrap": printed_things.scrap,
    "device": solid_things.device,
    "envelope": lookalikes.envelope,
    "coaster": lookalikes.coaster,
    "tile": lookalikes.tile,
    "magazine": lookalikes.magazine,
    "screen": lookalikes.screen,
    "card box": lookalikes.card_box,
    "mat": lookalikes.mat,
    "board": lookalikes.board,
}
KINDS = tuple(_MAKERS)
LIKE_CARDS = (
    "sheet", "photo", "pips", "book", "box", "phone", "plastic card", "domino", "device",
    "envelope", "coaster", "tile", "magazine", "screen", "card box", "mat", "board",
)  # fmt: skip
"""Oblong and printed: what a detector takes for a card most easily."""


def thing(kind: str, px_per_mm: float, rng: Rng) -> Thing:
    """Draw one object.

    Parameters
    ----------
    kind
        One of `KINDS`.
    px_per_mm
        Scale of its picture.
    rng
        Same state, same bytes.

    Raises
    ------
    ValueError
        If there is no such kind.
    """
    if kind not in _MAKERS:
        raise ValueError(f"no thing '{kind}': use {', '.join(KINDS)}")
    return _MAKERS[kind](rng, px_per_mm)
