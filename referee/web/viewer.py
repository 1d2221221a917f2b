"""Who looks at a page: the language that the browser or the person chose."""

from __future__ import annotations

from flask import request

from .language import LANGUAGES, Language, get_language


def choose_language() -> Language:
    """Choose the viewer's language: by choice (`?lang=`, remembered), else by the browser, else English."""
    for code in (request.args.get("lang"), request.cookies.get("lang")):
        if code in LANGUAGES:
            return get_language(code)
    return get_language(request.accept_languages.best_match(list(LANGUAGES)) or "en")
