"""Past games: what was played, by whom, and how each player fares; read from the log.

Nothing in it is ever changed; a whole game can be deleted, by whoever enters the PIN.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, send_file
from werkzeug.wrappers import Response as AnyResponse

from ..export import export_games
from ..game.match import Match, MatchError, replay
from ..game.round import Phase
from ..store import Store, StoredGame, StoreError
from . import guard
from .board import build_badge
from .language import Language
from .pin import PinGate
from .ports import Game
from .rulings import build_rulings
from .settings import WebSettings
from .statistics import PlayerFigures, count_figures
from .view import Badge, RulingView
from .viewer import choose_language
from .words import clock

GAMES_SHOWN = 100


@dataclass(frozen=True, slots=True)
class PastSeat:
    """One player of a past game."""

    badge: Badge
    total: int
    won: bool


@dataclass(frozen=True, slots=True)
class PastGame:
    """One game of the list."""

    number: int
    began: str
    rounds: int
    seats: tuple[PastSeat, ...]


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One round of a score sheet: points and running total of each seat, in the seats' order."""

    number: int
    points: tuple[tuple[int, int] | None, ...]
    blitz: str
    took: str


@dataclass(frozen=True, slots=True)
class PastRulings:
    """The rulings of one round, oldest first, and which of them have a clip."""

    number: int
    rulings: tuple[RulingView, ...]
    clips: frozenset[int]


def _local(moment: str) -> str:
    try:
        return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return moment


def _past_game(game: StoredGame, match: Match, language: Language) -> PastGame:
    seats = [
        PastSeat(build_badge(seat, language), seat.total, seat.number in match.winners)
        for seat in sorted(match.seats, key=lambda seat: (-seat.total, seat.number))
    ]
    return PastGame(game.id, _local(game.started_at), match.rounds_played, tuple(seats))


def build_sheet(match: Match) -> tuple[SheetRow, ...]:
    """Give the score sheet of a match, one row a scored round."""
    totals = dict.fromkeys((seat.number for seat in match.seats), 0)
    names = {seat.number: seat.name for seat in match.seats}
    rows = []
    for round_ in match.rounds:
        if round_.phase is not Phase.SCORED:
            continue
        points = {row.seat: row.score for row in round_.score()}
        for seat, gained in points.items():
            totals[seat] += gained
        cells = tuple((points[seat], totals[seat]) if seat in points else None for seat in totals)
        took_s = (round_.ended_s or round_.started_s) - round_.started_s
        blitz = names[round_.blitz_seat] if round_.blitz_seat is not None else ""
        rows.append(SheetRow(round_.number, cells, blitz, clock(took_s) if took_s > 1 else ""))
    return tuple(rows)


def list_rulings(match: Match, clips: Path | None, language: Language) -> tuple[PastRulings, ...]:
    """Give all rulings of a match by round; `clips` is the folder of its clips."""
    badges = {seat.number: build_badge(seat, language) for seat in match.seats}
    found = []
    for round_ in match.rounds:
        rulings = tuple(sorted(build_rulings(round_, badges, language), key=lambda ruling: ruling.move))
        if rulings:
            kept = (ruling.move for ruling in rulings if clips and (clips / f"move-{ruling.move}.mp4").is_file())
            found.append(PastRulings(round_.number, rulings, frozenset(kept)))
    return tuple(found)


def blueprint(game: Game, settings: WebSettings, gate: PinGate) -> Blueprint:
    """Build the routes."""
    pages = Blueprint("history", __name__)

    def clips_of(number: int) -> Path | None:
        return None if settings.clips is None else settings.clips / f"game-{number}"

    @contextmanager
    def log() -> Iterator[Store]:
        if settings.data is None:
            abort(404, "No games are kept here.")
        try:
            store = Store(settings.data, read_only=True)
        except StoreError as error:
            abort(404, str(error))
        try:
            yield store
        finally:
            store.close()

    def folder() -> Path:
        return settings.data or abort(404, "No games are kept here.")

    def read(store: Store, game: StoredGame) -> Match | None:
        try:
            return replay(store.events(game.id))
        except (StoreError, MatchError):
            # A log that this version can't follow is left out, not an error for all the others.
            return None

    @pages.get("/history")
    def history() -> str:
        language = choose_language()
        with log() as store:
            games = store.games()[::-1][:GAMES_SHOWN]
            read_games = [(game, match) for game in games if (match := read(store, game)) is not None and match.rounds]
        players: list[PlayerFigures] = count_figures(match for _, match in read_games)
        past = [_past_game(game, match, language) for game, match in read_games]
        return render_template("history.html", games=past, players=players, clock=clock)

    @pages.get("/history/<int:number>")
    def sheet(number: int) -> str:
        language = choose_language()
        with log() as store:
            found = next((game for game in store.games() if game.id == number), None)
            match = None if found is None else read(store, found)
        if found is None or match is None:
            abort(404, "There is no such game.")
        return render_template(
            "sheet.html",
            game=_past_game(found, match, language),
            badges=tuple(build_badge(seat, language) for seat in match.seats),
            rows=build_sheet(match),
            rulings=list_rulings(match, clips_of(number), language),
            match=match,
            playing=number == game.number(),
            token=guard.form_token(),
        )

    @pages.get("/history/<int:number>/move-<int:move>.mp4")
    def past_clip(number: int, move: int) -> Response:
        folder = clips_of(number)
        path = None if folder is None else folder / f"move-{move}.mp4"
        if path is None or not path.is_file():
            abort(404, "There is no clip of that play.")
        return send_file(path.resolve(), mimetype="video/mp4", conditional=True, max_age=3600)

    @pages.post("/history/<int:number>/delete")
    def delete(number: int) -> AnyResponse:
        guard.check_form()
        language = choose_language()
        address = request.remote_addr or ""
        if not gate.try_pin(address, request.form.get("pin", "").strip()):
            wait_s = round(gate.wait_s(address))
            one, many = "Too many wrong tries: wait {count} second.", "Too many wrong tries: wait {count} seconds."
            flash(language.tn(one, many, wait_s) if wait_s else language.t("That is not the PIN."), "error")
            return redirect(f"/history/{number}", 303)
        if number == game.number():
            flash(language.t("This game is being played: begin a new one first."), "error")
            return redirect(f"/history/{number}", 303)
        with log() as store:
            try:
                store.delete_game(number)
            except StoreError as error:
                abort(404, str(error))
        folder = clips_of(number)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        flash(language.t("The game was deleted."), "done")
        return redirect("/history", 303)

    @pages.get("/history/games.<any(csv, json):form>")
    def export(form: str) -> Response:
        try:
            text = export_games(folder(), form)
        except StoreError as error:
            abort(404, str(error))
        kind = "text/csv" if form == "csv" else "application/json"
        response = Response(text, mimetype=kind)
        response.headers["Content-Disposition"] = f"attachment; filename=referee-games.{form}"
        return response

    return pages
