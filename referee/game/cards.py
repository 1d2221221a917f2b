"""Cards as the rule book and the camera know them.

A camera sees a `Face` or a `Back`, never both at once: which deck a face belongs to is inferred.
Labels (`R7`, `10H`, `back:green-pump`) are the only spelling used in files, logs and networks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache


class Color(StrEnum):
    """Colour of a Dutch Blitz card; the value is the word, the label letter its first letter."""

    RED = "red"
    BLUE = "blue"
    YELLOW = "yellow"
    GREEN = "green"


class Figure(StrEnum):
    """Figure printed on a Dutch Blitz card: it follows from the colour."""

    BOY = "boy"
    GIRL = "girl"


class Suit(StrEnum):
    """Suit of an ordinary card."""

    CLUBS = "clubs"
    DIAMONDS = "diamonds"
    HEARTS = "hearts"
    SPADES = "spades"


_FIGURES = {Color.RED: Figure.BOY, Color.BLUE: Figure.BOY, Color.YELLOW: Figure.GIRL, Color.GREEN: Figure.GIRL}
_TONES: dict[Color | Suit, str] = {
    **{color: figure.value for color, figure in _FIGURES.items()},
    **dict.fromkeys((Suit.CLUBS, Suit.SPADES), "black"),
    **dict.fromkeys((Suit.DIAMONDS, Suit.HEARTS), "red"),
}
_COLOR_LETTERS = {color.value[0].upper(): color for color in Color}
_SUIT_LETTERS = {suit.value[0].upper(): suit for suit in Suit}
_RANKS = {1: "A", 11: "J", 12: "Q", 13: "K"}
_RANK_NUMBERS = {rank: number for number, rank in _RANKS.items()}


@dataclass(frozen=True, order=True, slots=True)
class Face:
    """The printed side of a card.

    Parameters
    ----------
    color
        A `Color` for Dutch Blitz, a `Suit` for an ordinary deck.
    number
        1..10 for Dutch Blitz, 1 (ace) .. 13 (king) for an ordinary deck.

    Raises
    ------
    ValueError
        If no deck has such a card.
    """

    color: Color | Suit
    number: int

    def __post_init__(self) -> None:
        highest = 10 if isinstance(self.color, Color) else 13
        if not 1 <= self.number <= highest:
            raise ValueError(f"no {self.color} card has number {self.number}: use 1 to {highest}")

    @property
    def figure(self) -> Figure | None:
        """Give the figure that the colour implies; None on ordinary cards."""
        return _FIGURES[self.color] if isinstance(self.color, Color) else None

    @property
    def tone(self) -> str:
        """Give what alternates where cards are built downward: boy and girl, or red and black."""
        return _TONES[self.color]

    def __str__(self) -> str:
        if isinstance(self.color, Color):
            return f"{self.color.value[0].upper()}{self.number}"
        return f"{_RANKS.get(self.number, str(self.number))}{self.color.value[0].upper()}"

    @staticmethod
    @cache
    def parse(label: str) -> Face:
        """Read a label such as `R7` or `10H`.

        Raises
        ------
        ValueError
            If the label names no card.
        """
        first, rest = label[:1], label[1:]
        if first in _COLOR_LETTERS and rest.isascii() and rest.isdigit() and not rest.startswith("0"):
            return Face(_COLOR_LETTERS[first], int(rest))
        rank, suit = label[:-1], label[-1:]
        if suit in _SUIT_LETTERS:
            if rank in _RANK_NUMBERS:
                return Face(_SUIT_LETTERS[suit], _RANK_NUMBERS[rank])
            if rank in {str(number) for number in range(2, 11)}:
                return Face(_SUIT_LETTERS[suit], int(rank))
        raise ValueError(f"'{label}' is no card: write R7, B10, Y1, G3 or AS, 10H")


@dataclass(frozen=True, order=True, slots=True)
class Back:
    """The design on the other side of a card: symbol and colour together name the deck."""

    color: Color
    symbol: str

    def __str__(self) -> str:
        return f"back:{self.color.value}-{self.symbol}"

    @property
    def deck(self) -> str:
        """Give the deck's name, for example `green-pump`."""
        return f"{self.color.value}-{self.symbol}"

    @staticmethod
    def parse(label: str) -> Back:
        """Read a label such as `back:green-pump`.

        Raises
        ------
        ValueError
            If the label is no back.
        """
        kind, _, name = label.partition(":")
        color, _, symbol = name.partition("-")
        if kind != "back" or not symbol or color not in set(Color):
            raise ValueError(f"'{label}' is no back: write back:green-pump")
        return Back(Color(color), symbol)


SYMBOLS = ("pump", "pail", "plow", "carriage")

CLASSIC_BACKS = (
    Back(Color.GREEN, "pump"),
    Back(Color.YELLOW, "pail"),
    Back(Color.BLUE, "plow"),
    Back(Color.RED, "carriage"),
)
EXPANSION_BACKS = (
    Back(Color.BLUE, "pump"),
    Back(Color.GREEN, "pail"),
    Back(Color.RED, "plow"),
    Back(Color.YELLOW, "carriage"),
)
BACKS = CLASSIC_BACKS + EXPANSION_BACKS

FACES = tuple(Face(color, number) for color in Color for number in range(1, 11))
ORDINARY_FACES = tuple(Face(suit, number) for suit in Suit for number in range(1, 14))


@dataclass(frozen=True, slots=True)
class Card:
    """A face together with the deck that it is believed to belong to."""

    face: Face
    deck: str


@dataclass(frozen=True, slots=True)
class Deck:
    """A set of cards with one back; decks are data, so that more can come.

    Parameters
    ----------
    name
        For example `green-pump`.
    faces
        Every face of the deck, once each.
    size_mm
        Width and length of a card in millimetres.
    """

    name: str
    faces: tuple[Face, ...] = FACES
    size_mm: tuple[float, float] = (57.0, 89.0)
