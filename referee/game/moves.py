"""A move: cards that left one pile and arrived on another, and who is believed to have moved them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .cards import Face


class PileKind(StrEnum):
    """What a pile is for, in the rule book's words."""

    HAND = "hand"
    WOOD = "wood"
    BLITZ = "blitz"
    POST = "post"
    DUTCH = "dutch"


@dataclass(frozen=True, order=True, slots=True)
class PileId:
    """Name of a pile: `s2.post1`, `s2.blitz`, `s2.wood`, `s2.hand`, `d7`.

    Parameters
    ----------
    kind
        What the pile is for.
    seat
        1.. for a player's pile; 0 for Dutch Piles, which belong to nobody.
    slot
        1.. for Post and Dutch Piles; 0 for the others.
    """

    kind: PileKind
    seat: int = 0
    slot: int = 0

    def __post_init__(self) -> None:
        if (self.kind is PileKind.DUTCH) == (self.seat > 0) or self.seat < 0:
            raise ValueError("a Dutch Pile has no seat, every other pile has one")
        if (self.kind in (PileKind.DUTCH, PileKind.POST)) != (self.slot > 0) or self.slot < 0:
            raise ValueError("Post and Dutch Piles are numbered from 1, other piles are not numbered")

    @staticmethod
    def dutch(slot: int) -> PileId:
        """Name the Dutch Pile that was created as number `slot`."""
        return PileId(PileKind.DUTCH, 0, slot)

    def __str__(self) -> str:
        if self.kind is PileKind.DUTCH:
            return f"d{self.slot}"
        return f"s{self.seat}.{self.kind.value}{self.slot or ''}"

    @staticmethod
    def parse(text: str) -> PileId:
        """Read a pile's name.

        Raises
        ------
        ValueError
            If the text names no pile.
        """
        owner, dot, name = text.partition(".")
        digits = owner[1:]
        if digits.isascii() and digits.isdigit() and not digits.startswith("0"):
            if not dot and owner[0] == "d":
                return PileId.dutch(int(digits))
            if dot and owner[0] == "s":
                if name in ("hand", "wood", "blitz"):
                    return PileId(PileKind(name), int(digits))
                slot = name.removeprefix("post")
                if name.startswith("post") and slot.isascii() and slot.isdigit() and not slot.startswith("0"):
                    return PileId(PileKind.POST, int(digits), int(slot))
        raise ValueError(f"'{text}' is no pile: write s2.post1, s2.blitz, s2.wood, s2.hand or d7")


@dataclass(frozen=True, slots=True)
class Move:
    """Cards that went from one pile to another.

    Parameters
    ----------
    time_s
        Touch-down, in seconds on the film's own clock.
    seat
        Who is believed to have moved them; None when nobody knows.
    faces
        Bottom to top; None for a card that was not seen.
    source
        Where they came from; None when nobody saw it.
    target
        Where they lie now.
    confidence
        0..1, how sure the observer is of the cards and the piles.
    """

    time_s: float
    seat: int | None
    faces: tuple[Face | None, ...]
    source: PileId | None
    target: PileId
    confidence: float = 1.0

    def __post_init__(self) -> None:
        if not self.faces:
            raise ValueError("a move has at least one card")
