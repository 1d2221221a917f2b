"""The application factory: pages for people, JSON and a stream for pages, one game behind them."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path

from flask import Flask, Response, request

from . import about, board_pages, desk, guard, history
from .language import LANGUAGES
from .pin import PinGate
from .ports import CountTaker, Game, TableKeeper
from .settings import SOURCE_URL, WebSettings
from .viewer import choose_language
from .words import number, signed

_ROOT = Path(__file__).parent


def _build_id() -> str:
    """Hash what pages are made of: a page that was built from something else reloads itself."""
    digest = hashlib.sha256()
    for folder in ("static", "templates"):
        for path in sorted((_ROOT / folder).rglob("*")):
            if path.is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def create_app(
    game: Game,
    settings: WebSettings | None = None,
    counter: CountTaker | None = None,
    keeper: TableKeeper | None = None,
) -> Flask:
    """Build the web application around one game.

    Parameters
    ----------
    game
        What is shown, and where commands go.
    settings
        PIN, addresses and limits; by default a new PIN and no address for other devices.
    counter
        Counts by the backs; None where no camera does.
    keeper
        Shows the table and keeps its zones; None where no camera watches.
    """
    settings = settings or WebSettings()
    app = Flask("referee.web")
    app.config.update(
        SECRET_KEY=settings.secret_key,
        SESSION_COOKIE_NAME="referee",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        MAX_CONTENT_LENGTH=64 * 1024,
        MAX_FORM_PARTS=200,
        WEB_SETTINGS=settings,
        WEB_STOPPING=threading.Event(),
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(signed=signed, number=number)
    build = _build_id()

    def asset(name: str) -> str:
        return f"{app.static_url_path}/{name}?v={build}"

    @app.context_processor
    def page_words() -> dict[str, object]:
        language = choose_language()
        return {
            "language": language,
            "languages": LANGUAGES,
            "t": language.t,
            "tn": language.tn,
            "asset": asset,
            "build": build,
            "source_url": SOURCE_URL,
            "page": (request.endpoint or "").rpartition(".")[2],
        }

    @app.after_request
    def remember_language(response: Response) -> Response:
        code = request.args.get("lang")
        if code in LANGUAGES and response.mimetype == "text/html" and request.cookies.get("lang") != code:
            response.set_cookie("lang", code, max_age=365 * 86400, httponly=True, samesite="Lax")
        if request.endpoint == "static" and request.args.get("v") == build:
            response.cache_control.public = True
            response.cache_control.max_age = 365 * 86400
            response.cache_control.immutable = True
        return response

    guard.install(app, settings)
    stopping: threading.Event = app.config["WEB_STOPPING"]
    app.register_blueprint(board_pages.blueprint(game, settings, build, stopping, app.jinja_env))
    app.register_blueprint(about.blueprint(settings))
    gate = PinGate(settings.pin)
    app.register_blueprint(desk.blueprint(game, gate, counter, keeper, settings.data))
    app.register_blueprint(history.blueprint(game, settings, gate))
    return app
