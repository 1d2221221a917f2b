"""Past games: what was played, by whom, and how each player fares; read from the log, never changed here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from flask import Blueprint, Response, abort, render_template

from ..export import export_games
from ..game.match import Match, MatchError, replay
from ..game.round import Phase
from ..store import Store, StoredGame, StoreError
from .board import build_badge
from .language import Language
from .settings import WebSettings
from .statistics import PlayerFigures, count_figures
from .view import Badge
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


def blueprint(settings: WebSettings) -> Blueprint:
    """Build the routes."""
    pages = Blueprint("history", __name__)

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
        badges = tuple(build_badge(seat, language) for seat in match.seats)
        game = _past_game(found, match, language)
        return render_template("sheet.html", game=game, badges=badges, rows=build_sheet(match), match=match)

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
