"""Cards, decks, violations and numbers in words: the rule book's, in the viewer's language."""

from __future__ import annotations

from ..game.cards import SYMBOLS, Back, Color, Face, Suit
from ..game.events import Certainty, Violation
from .language import Language
from .view import CardView

_SUITS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}


def _(message: str) -> str:
    """Mark a message for the catalogues; it is translated where it is used."""
    return message


_FACES = {
    Color.RED: _("red {number}"),
    Color.BLUE: _("blue {number}"),
    Color.YELLOW: _("yellow {number}"),
    Color.GREEN: _("green {number}"),
}
_DECKS = {
    "green-pump": _("green pump"),
    "yellow-pail": _("yellow pail"),
    "blue-plow": _("blue plow"),
    "red-carriage": _("red carriage"),
    "blue-pump": _("blue pump"),
    "green-pail": _("green pail"),
    "red-plow": _("red plow"),
    "yellow-carriage": _("yellow carriage"),
}
_VIOLATIONS = {
    Violation.WRONG_COLOR: _("wrong colour"),
    Violation.WRONG_NUMBER: _("wrong number"),
    Violation.START_NOT_ONE: _("a Dutch Pile starts with a 1"),
    Violation.PILE_COMPLETE: _("that pile is complete"),
    Violation.SEVERAL_CARDS: _("more than one card at once"),
    Violation.TWO_HANDS: _("both hands at once"),
    Violation.BEFORE_START: _("before the start"),
    Violation.AFTER_BLITZ: _("after Blitz"),
    Violation.LATE_TO_PILE: _("second to the pile"),
    Violation.POST_ORDER: _("Post Piles go down by one"),
    Violation.POST_FIGURE: _("boy and girl must alternate"),
    Violation.TAKEN_FROM_DUTCH: _("taken from a Dutch Pile"),
    Violation.NOT_ON_TOP: _("that card was not on top"),
    Violation.WOOD_COUNT: _("three cards go on the Wood Pile"),
    Violation.SHUFFLED: _("the hand was shuffled"),
}
_ACTIONS = {
    "go": _("Go!"),
    "pause": _("Pause"),
    "resume": _("Play goes on"),
    "dutch": _("“Dutch!” Stop"),
    "blitz": _("the end of the round"),
    "stuck": _("the end of the round"),
    "confirm": _("the confirmed ruling"),
    "overrule": _("the overruled play"),
    "owner": _("who played"),
    "card": _("which card it was"),
    "retract": _("the play that never happened"),
    "count": _("the settled score"),
    "by-hand": _("the written round"),
    "seats": _("names and decks"),
}
_CERTAINTIES = {Certainty.DOUBTFUL: _("not certain"), Certainty.TOO_CLOSE: _("too close to call")}


def action_words(action: str, language: Language) -> str:
    """Say what was done at the desk, after "Undo:"."""
    return language.t(_ACTIONS[action])


def signed(number: int) -> str:
    """Write a number with its sign, a true minus."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def number(value: int) -> str:
    """Write a number, with a true minus when it has one."""
    return f"−{-value}" if value < 0 else str(value)


def clock(seconds: float) -> str:
    """Write a time as minutes and seconds."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"


def isolated(name: str) -> str:
    """Wrap a name so that its direction of writing stays inside it."""
    return f"\u2068{name}\u2069"


def face_words(face: Face | None, language: Language) -> str:
    """Say a card: `red 7`; a card that nobody saw is `a card`."""
    if face is None:
        return language.t("a card")
    if isinstance(face.color, Color):
        return language.t(_FACES[face.color], number=face.number)
    return f"{str(face)[:-1]}{_SUITS[face.color]}"


def card_view(face: Face | None, language: Language) -> CardView:
    """Give a card as the board draws it."""
    words = face_words(face, language)
    if face is None:
        return CardView("", "?", words)
    if isinstance(face.color, Color):
        return CardView(face.color.value, str(face.number), words)
    return CardView("red" if face.color in (Suit.DIAMONDS, Suit.HEARTS) else "", words, words)


def deck_parts(deck: str) -> tuple[str, str]:
    """Split a deck's name in colour and symbol; both empty for a deck that the board can't draw."""
    try:
        back = Back.parse(f"back:{deck}")
    except ValueError:
        return "", ""
    return (back.color.value, back.symbol) if back.symbol in SYMBOLS else (back.color.value, "")


def deck_words(deck: str, language: Language) -> str:
    """Say a deck: `green pump`."""
    return language.t(_DECKS[deck]) if deck in _DECKS else deck.replace("-", " ")


def violation_words(violation: Violation, language: Language) -> str:
    """Say in a few words what is wrong."""
    return language.t(_VIOLATIONS[violation])


def certainty_words(certainty: Certainty, language: Language) -> str:
    """Say how sure a ruling is; nothing when it is certain."""
    return language.t(_CERTAINTIES[certainty]) if certainty in _CERTAINTIES else ""
