"""What the referee says in English (warnings, causes, refusals), in the viewer's language where it is known.

The referee knows no languages: its sentences are matched with these patterns and translated like all others; values in
them too. One that isn't here is shown as it is. A test compares them with what the referee really says.
"""

from __future__ import annotations

import re
from functools import cache

from .language import Language

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
)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    found = []
    for sentence in SENTENCES:
        parts = re.split(r"\{(\w+)\}", sentence)
        pattern = "".join(f"(?P<{part}>.+)" if k % 2 else re.escape(part) for k, part in enumerate(parts))
        found.append((re.compile(pattern), sentence))
    return tuple(found)


def translate(text: str, language: Language) -> str:
    """Say a sentence of the referee's in a language; one that isn't known stays as it is."""
    for pattern, sentence in _patterns():
        match = pattern.fullmatch(text)
        if match is not None:
            values = {name: translate(value, language) for name, value in match.groupdict().items()}
            return language.t(sentence, **values)
    return text
