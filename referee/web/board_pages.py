"""The board: its page, its state as JSON, and the stream that keeps it live.

The live part of the page is drawn in one place, by the server: the first paint, the stream and the poll
send the same fragment, and the page merges it. So a page that missed anything is right after one message.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict

from flask import Blueprint, Response, abort, render_template, request, send_file
from jinja2 import Environment

from .about import short_url
from .address import is_reachable
from .beat import Beat, build_beat
from .board import build_board
from .language import LANGUAGES, Language, get_language
from .ports import Game
from .settings import WebSettings
from .view import BoardView
from .viewer import choose_language

BEAT_S = 1.0
# Events come in bursts; ten pictures a second are enough and leave the processor to the referee.
PAUSE_S = 0.1
FRESH_S = 0.2
"""So old may a pulse be that another viewer was told already."""


class Renderer:
    """Draws the live part once for each version and language, however many viewers there are."""

    def __init__(self, game: Game, environment: Environment, clips: bool) -> None:
        self._game = game
        self._clips = clips
        # Drawn without a request: a stream outlives the request that opened it.
        self._template = environment.get_template("_board.html")
        self._lock = threading.Lock()
        self._drawn: dict[str, tuple[int, BoardView, str]] = {}

    def draw(self, language: Language) -> tuple[int, BoardView, str]:
        """Give the newest version, its view and its markup."""
        with self._lock:
            match = self._game.match()
            version = match.last_id
            drawn = self._drawn.get(language.code)
            if drawn is None or drawn[0] != version:
                view = build_board(match, language)
                html = self._template.render(view=view, t=language.t, tn=language.tn, clips=self._clips)
                drawn = self._drawn[language.code] = (version, view, html)
            return drawn


class Streams:
    """Counts open streams, so that they never use up the server's threads."""

    def __init__(self, limit: int) -> None:
        self._free = threading.BoundedSemaphore(limit)

    def enter(self) -> bool:
        """Take a place; False when all are taken."""
        return self._free.acquire(blocking=False)

    def leave(self) -> None:
        """Give the place back."""
        self._free.release()


def _message(kind: str, data: object, event_id: str | None = None) -> str:
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}event: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def blueprint(
    game: Game, settings: WebSettings, build: str, stopping: threading.Event, environment: Environment
) -> Blueprint:
    """Build the routes of the board."""
    pages = Blueprint("board_pages", __name__)
    renderer = Renderer(game, environment, settings.clips is not None)
    streams = Streams(settings.max_streams)
    # Tells this run of the program from an earlier one whose events had the same numbers.
    run = secrets.token_hex(4)

    def event_id(version: int) -> str:
        return f"{run}-{version}"

    def beat(language: Language) -> Beat:
        return build_beat(game.match(), game.status(), language)

    # Written once for all viewers: with fifty of them, writing costs more than drawing.
    told: dict[str, tuple[int, str]] = {}
    pulses: dict[str, tuple[float, str]] = {}

    def board_message(language: Language) -> tuple[int, str]:
        version, _, html = renderer.draw(language)
        found = told.get(language.code)
        if found is None or found[0] != version:
            name = event_id(version)
            text = _message("board", {"id": name, "build": build, "html": html}, name)
            found = told[language.code] = (version, text)
        return found

    def beat_message(language: Language) -> str:
        now = time.monotonic()
        found = pulses.get(language.code)
        if found is None or now - found[0] > FRESH_S:
            found = pulses[language.code] = (now, _message("beat", asdict(beat(language))))
        return found[1]

    def asked_language() -> Language:
        code = request.args.get("lang", "en")
        if code not in LANGUAGES:
            abort(400, f"No such language: choose one of {', '.join(LANGUAGES)}.")
        return get_language(code)

    @pages.get("/")
    def board() -> str:
        language = choose_language()
        version, view, _ = renderer.draw(language)
        url = settings.board_url if is_reachable(settings.board_url) else ""
        return render_template(
            "board.html",
            view=view,
            beat=beat(language),
            event_id=event_id(version),
            board_url=url,
            short_url=short_url(url),
            clips=settings.clips is not None,
            history=settings.data is not None,
        )

    @pages.get("/state")
    def state() -> dict[str, object]:
        language = asked_language()
        version, view, html = renderer.draw(language)
        answer: dict[str, object] = {"id": event_id(version), "build": build, "beat": asdict(beat(language))}
        if request.args.get("after") != answer["id"]:
            answer |= {"board": asdict(view), "html": html}
        return answer

    @pages.get("/events")
    def events() -> Response:
        language = asked_language()
        if not streams.enter():
            response = Response("All streams are taken: poll /state?after=ID instead.\n", 503, mimetype="text/plain")
            response.headers["Retry-After"] = "30"
            return response

        def messages() -> Iterator[str]:
            yield "retry: 1000\n\n"
            seen, next_beat, drawn_at = -1, 0.0, 0.0
            while not stopping.is_set():
                version, text = board_message(language)
                if version != seen:
                    seen, drawn_at = version, time.monotonic()
                    yield text
                now = time.monotonic()
                if now >= next_beat:
                    next_beat = now + BEAT_S
                    yield beat_message(language)
                if game.wait(seen, max(0.0, next_beat - time.monotonic())) != seen:
                    stopping.wait(max(0.0, drawn_at + PAUSE_S - time.monotonic()))

        response = Response(messages(), mimetype="text/event-stream")
        response.headers["X-Accel-Buffering"] = "no"
        response.call_on_close(streams.leave)
        return response

    @pages.get("/clip/<int:move>.mp4")
    def clip(move: int) -> Response:
        path = None if settings.clips is None else settings.clips / f"game-{game.number()}" / f"move-{move}.mp4"
        if path is None or not path.is_file():
            abort(404, "There is no clip of that play, or not yet.")
        return send_file(path.resolve(), mimetype="video/mp4", conditional=True, max_age=3600)

    @pages.get("/health")
    def health() -> dict[str, object]:
        status = game.status()
        return {
            "version": game.version(),
            "camera": status.camera,
            "fps": status.fps,
            "frame_age_s": status.frame_age_s,
        }

    return pages
