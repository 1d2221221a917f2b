"""Games of the log as CSV or JSON, for spreadsheets and scripts."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .game.events import to_json
from .game.match import Match, MatchError, replay
from .store import Store, StoredGame, StoreError

COLUMNS = ("game", "started_at", "source", "round", "seat", "name", "deck", "dutch", "blitz", "score", "sure", "total")


def export_games(folder: Path, form: str, game: int | None = None) -> str:
    """Give the games of a folder: `csv` with a line for each seat of each round, `json` with every event.

    Raises
    ------
    StoreError
        If there are no games, or there is none of that number.
    """
    store = Store(folder, read_only=True)
    try:
        games = [item for item in store.games() if game in (None, item.id)]
        if not games:
            numbers = ", ".join(str(item.id) for item in store.games())
            raise StoreError(f"{store.path}: there is no game {game}: use {numbers or 'another folder with --data'}")
        return _as_csv(store, games) if form == "csv" else _as_json(store, games)
    finally:
        store.close()


def _as_json(store: Store, games: list[StoredGame]) -> str:
    records: list[dict[str, Any]] = []
    for item in games:
        record = {"game": item.id, "started_at": item.started_at, "source": item.source, "closed": item.closed}
        rows = [dict(zip(COLUMNS, row, strict=True)) for row in _rows(item, _match(store, item))]
        events = [json.loads(to_json(event)) for event in store.events(item.id)]
        records.append({**record, "rows": rows, "events": events})
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


def _as_csv(store: Store, games: list[StoredGame]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for item in games:
        writer.writerows(_rows(item, _match(store, item)))
    return out.getvalue()


def _match(store: Store, game: StoredGame) -> Match:
    try:
        return replay(store.events(game.id))
    except MatchError as error:
        raise StoreError(f"{store.path}, game {game.id}: {error}") from error


def _rows(game: StoredGame, match: Match) -> Iterator[tuple[Any, ...]]:
    totals: dict[int, int] = {}
    seats = {seat.number: seat for seat in match.seats}
    for round_ in match.rounds:
        for row in round_.score():
            totals[row.seat] = totals.get(row.seat, 0) + row.score
            seat = seats[row.seat]
            yield (
                game.id, game.started_at, game.source, round_.number, row.seat, _plain(seat.name), seat.deck, row.dutch,
                row.blitz, row.score, row.sure, totals[row.seat],
            )  # fmt: skip


def _plain(name: str) -> str:
    """Keep a spreadsheet from taking a player's name for a formula."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@", "\t", "\r") else name
