"""What the referee says in English (warnings, causes, refusals), in the viewer's language where it is known.

The referee knows no languages: its sentences are matched with these patterns and translated like all others; values in
them too. One that isn't here is shown as it is. A test compares them with what the referee really says.
"""

from __future__ import annotations

import re
from functools import cache

from ..game.cards import Face
from .language import Language
from .rule_words import RULES, rule_words
from .words import deck_parts, deck_words, face_words

_ = str
SENTENCES = (
    _("seat {number}'s Blitz Pile"),
    _("seat {number}'s Wood Pile"),
    _("seat {number}'s Post Pile {slot}"),
    _("{pile} is outside the picture: aim the camera again, or move its zone"),
    _("{pile} lies among the Dutch Piles: draw the two zones apart"),
    _("a part of the Dutch area is outside the picture: aim the camera again, or make the area smaller"),
    _("the middle"),
    _("seat {number}"),
    _(
        "numerals are too small at {place}: {scale} px/mm, {least} are needed: bring the camera closer or choose a "
        "higher resolution"
    ),
    _("the picture is dark: switch on a lamp"),
    _("the picture is too bright: dim the light, or lower the camera's exposure"),
    _("a lamp or window mirrors in the table: move it, or draw a curtain"),
    _("the picture is not sharp: focus the camera, or wipe its lens"),
    _("camera '{name}' gives {rate} fps at {size} ({code}): choose MJPG or 1280x720"),
    _("camera '{name}' is lost: {reason}. Check its cable; it is started again by itself"),
    _("the same picture again and again"),
    _("the game goes on in memory only: {reason}"),
    _("a round is being played: move the zones once it is over"),
    _("there is no earlier layout to go back to"),
    _("the referee does not answer: look at the board before you try again"),
    _("The cards are counted once the round is over."),
    _("There is no clear picture yet: take all hands off the table."),
    _("Seat {number} has no deck yet: choose it at the desk."),
    _("Seats {number} and {other} have the same back: choose their decks at the desk."),
    _("{one} and {other} have the same back: two decks of one table must differ, else nobody can say whose card it is"),
    _("No backs lie in the middle: turn the Dutch Piles over, spread them out and count again."),
    _("{count} cards of {deck}, but a deck has {size}: was a heap counted twice?"),
    _("1 card of {deck}, which no seat plays with: a foreign or spare deck's: take it away"),
    _("{count} cards of {deck}, which no seat plays with: a foreign or spare deck's: take it away"),
    _("seat {number}: {count} cards lie there, but a Blitz Pile has {size}: look whose"),
    _("seat {number}: not every Blitz card can be read: move them apart"),
    _("seat {number}: cards lie face down at the Blitz Pile: turn up what is left of it"),
    _("seat {number}: nothing lies at the Blitz Pile: lay out what is left of it"),
    _("seat {number}: the Blitz Pile lies squared: spread it, or show its cards one by one"),
    _("{play} was no play"),
    _("{play} was seat {number}'s ({before})"),
    _("nobody was named"),
    _("seat {number} was named"),
    _("a play of theirs was missed"),
    _("{count} plays of theirs were missed"),
    _("{count} more like these"),
    _("{card} on {pile}"),
    _("Dutch Pile {number}"),
    _("a card"),
    _("{rule}: {value} is impossible: use {low} to {high}"),
    _("{rule}: '{value}' is no number"),
    _("posts and blitz_cards: {laid} of {cards} cards are laid out, none is left"),
    _("min_seats {least} is more than max_seats {most}"),
    _("{one}; {other}"),
    _("{deck} (seat {number})"),
)
_CARD = re.compile(r"[RBYG](10|[1-9])")
_DUTCH_PILE = re.compile(r"d\d+")


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    found = []
    for sentence in SENTENCES:
        parts = re.split(r"\{(\w+)\}", sentence)
        # A seat's number is one, so that "seat 3: what to do" isn't taken for a seat.
        pattern = "".join(
            f"(?P<{part}>{r'[0-9]+' if part == 'number' else '.+'})" if k % 2 else re.escape(part)
            for k, part in enumerate(parts)
        )
        found.append((re.compile(pattern), sentence))
    return tuple(found)


def translate(text: str, language: Language) -> str:
    """Say a sentence of the referee's in a language, cards, decks and rules in words; else it stays as it is."""
    if _CARD.fullmatch(text):
        return face_words(Face.parse(text), language)
    if _DUTCH_PILE.fullmatch(text):
        return language.t("Dutch Pile {number}", number=text[1:])
    if text in RULES:
        return rule_words(text, language)
    if all(deck_parts(text)):
        return deck_words(text, language)
    for pattern, sentence in _patterns():
        match = pattern.fullmatch(text)
        if match is not None:
            values = {name: translate(value, language) for name, value in match.groupdict().items()}
            return language.t(sentence, **values)
    return text
