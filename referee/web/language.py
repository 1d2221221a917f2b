"""The languages of the pages: English is in the source, the others are gettext catalogues.

`Language` is handed to pages and views as a value; nothing here depends on a request. For another language: a
folder under `translations` with a `messages.po`, and `python -m referee.web.translations` makes its `messages.mo`.
"""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path
from typing import Any

CATALOGUES = Path(__file__).parent / "translations"
LANGUAGES = {"en": "English", "fr": "Français"}


class Language:
    """One language: `t` translates a sentence, `tn` one that depends on a number.

    Names and other text of players are inserted after translation, so braces in them mean nothing.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self._catalogue = gettext.translation("messages", CATALOGUES, [code], fallback=code == "en")

    def t(self, message: str, /, **values: Any) -> str:
        """Translate a sentence and fill in its `{values}`."""
        return self._catalogue.gettext(message).format(**values)

    def tn(self, one: str, many: str, count: int, /, **values: Any) -> str:
        """Translate a sentence in the plural that `count` needs; `{count}` is filled in too."""
        return self._catalogue.ngettext(one, many, count).format(count=count, **values)


@cache
def get_language(code: str) -> Language:
    """Give a language by its code.

    Raises
    ------
    KeyError
        If there is no such language.
    """
    if code not in LANGUAGES:
        raise KeyError(code)
    return Language(code)
