"""The event log in SQLite: appended once, never edited; the game goes on from it after any crash.

One writer at a time, write-ahead log, every commit on the disk before it returns. Knows no rules: a game is a
source's name and a list of events.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from .game.events import Event, EventError, from_json, to_json

FILE_NAME = "referee.db"
SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    started_at TEXT NOT NULL,
    closed INTEGER NOT NULL DEFAULT 0  -- 1: its source has ended; 2: deleted, the number is never used again
);
CREATE TABLE IF NOT EXISTS events (
    game INTEGER NOT NULL REFERENCES games (id),
    id INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (game, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counts (
    game INTEGER PRIMARY KEY REFERENCES games (id),
    body TEXT NOT NULL  -- what was counted and waits for a person to settle it: no event yet
);
CREATE TRIGGER IF NOT EXISTS events_stay BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never edited'); END;
DROP TRIGGER IF EXISTS events_remain;
CREATE TRIGGER events_remain BEFORE DELETE ON events
    WHEN NOT EXISTS (SELECT 1 FROM games WHERE id = OLD.game AND closed = 2)
    BEGIN SELECT RAISE(ABORT, 'events are never deleted but with their whole game'); END;
"""


class StoreError(OSError):
    """The log can't be read or written; the message says what to do."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """One game of the log; `closed` once its source ended or somebody began another."""

    id: int
    source: str
    started_at: str
    closed: bool


def _explain(path: Path, error: sqlite3.Error | OSError) -> StoreError:
    text = str(error)
    if "locked" in text or "busy" in text:
        advice = "another referee uses this folder: stop it, or choose another folder with --data"
    elif "full" in text or getattr(error, "errno", None) in (28, 122):
        advice = "the disk is full: free some space or choose another folder with --data"
    else:
        advice = "choose a folder that can be written with --data"
        text = getattr(error, "strerror", None) or text
    return StoreError(f"{path}: {advice} ({text})")


class Store:
    """The log of all games in one folder.

    Parameters
    ----------
    folder
        Where the file lies; made if it isn't there.
    read_only
        Read beside a running referee; only whole games can be deleted, and counts kept.

    Attributes
    ----------
    warning
        What happened to a damaged file; empty when all is well.

    Raises
    ------
    StoreError
        If another referee writes there, the folder can't be written, the disk is full, or the file was written by a
        newer version.
    """

    def __init__(self, folder: Path, read_only: bool = False) -> None:
        self.path = folder / FILE_NAME
        self.warning = ""
        self._lock: sqlite3.Connection | None = None
        if read_only:
            if not self.path.is_file():
                raise StoreError(f"{self.path}: no games here: choose the folder of the games with --data")
            self._db = self._connect()
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _explain(folder, error) from error
        self._take_lock(folder)
        try:
            self._db = self._open()
        except StoreError:
            self.close()
            raise

    def _take_lock(self, folder: Path) -> None:
        """Keep others out for as long as this process lives: the lock goes with the process, however it ends."""
        try:
            self._lock = sqlite3.connect(
                folder / "referee.lock", timeout=0.2, isolation_level=None, check_same_thread=False
            )
            self._lock.execute("BEGIN EXCLUSIVE")
            self._lock.execute("CREATE TABLE IF NOT EXISTS held (by TEXT)")
        except sqlite3.Error as error:
            if self._lock is not None:
                self._lock.close()
                self._lock = None
            raise _explain(folder, error) from error

    def _connect(self) -> sqlite3.Connection:
        try:
            db = sqlite3.connect(self.path, timeout=5.0, isolation_level=None, check_same_thread=False)
            version = db.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.DatabaseError as error:
            raise _explain(self.path, error) from error
        if version > SCHEMA_VERSION:
            db.close()
            raise StoreError(
                f"{self.path}: written by a newer version of referee: update this one, or choose another --data"
            )
        return db

    def _open(self) -> sqlite3.Connection:
        try:
            return self._prepare()
        except sqlite3.OperationalError as error:
            raise _explain(self.path, error) from error
        except sqlite3.DatabaseError:
            return self._quarantine()

    def _prepare(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=5.0, isolation_level=None, check_same_thread=False)
        try:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version > SCHEMA_VERSION:
                raise StoreError(
                    f"{self.path}: written by a newer version of referee: update this one, or choose another --data"
                )
            if db.execute("PRAGMA quick_check").fetchone()[0] != "ok":
                raise sqlite3.DatabaseError("damaged")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.executescript(_SCHEMA)
            db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        except BaseException:
            db.close()
            raise
        return db

    def _quarantine(self) -> sqlite3.Connection:
        """Put a damaged file aside, begin a new one, and save what can still be read."""
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        aside = self.path.with_name(f"referee.damaged-{stamp}.db")
        try:
            self.path.rename(aside)
            for tail in ("-wal", "-shm"):
                beside = Path(f"{self.path}{tail}")
                if beside.exists():
                    beside.rename(f"{aside}{tail}")
            db = self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise _explain(self.path, error) from error
        saved = _salvage(aside, db)
        self.warning = f"{self.path} was damaged: it is kept as {aside.name}, {saved} events could be saved"
        return db

    def begin_game(self, source: str) -> int:
        """Begin a game and give its number; games that were open for the same source are closed.

        Raises
        ------
        StoreError
            If it can't be written.
        """
        now = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("UPDATE games SET closed = 1 WHERE source = ? AND closed = 0", (source,))
            number = self._db.execute("INSERT INTO games (source, started_at) VALUES (?, ?)", (source, now)).lastrowid
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            raise _explain(self.path, error) from error
        assert number is not None
        return number

    def append(self, game: int, events: Sequence[Event]) -> None:
        """Append events, all or none; they are on the disk when this returns.

        Raises
        ------
        StoreError
            If they can't be written; nothing of them is then in the log.
        """
        rows = [(game, event.id, to_json(event)) for event in events]
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT INTO events (game, id, body) VALUES (?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            raise _explain(self.path, error) from error

    def _roll_back(self) -> None:
        with suppress(sqlite3.Error):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def delete_game(self, game: int) -> None:
        """Delete a whole game for good, beside a running referee too; whoever calls sees to it that it isn't played.

        Raises
        ------
        StoreError
            If there is no such game, or it can't be written.
        """
        try:
            # What is deleted is overwritten: a name is gone from the file too.
            self._db.execute("PRAGMA secure_delete = ON")
            self._db.execute("BEGIN IMMEDIATE")
            gone = self._db.execute(
                "UPDATE games SET closed = 2, source = '', started_at = '' WHERE id = ? AND closed < 2", (game,)
            )
            self._db.execute("DELETE FROM events WHERE game = ? AND ? > 0", (game, gone.rowcount))
            self._db.execute("DELETE FROM counts WHERE game = ?", (game,))
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            raise _explain(self.path, error) from error
        if not gone.rowcount:
            raise StoreError(f"{self.path}: there is no game {game}: look at the history")

    def keep_count(self, game: int, body: str) -> None:
        """Keep what was counted of a game until it is settled, instead of what was kept before; empty: forget it.

        Raises
        ------
        StoreError
            If it can't be written.
        """
        try:
            if body:
                self._db.execute("INSERT OR REPLACE INTO counts (game, body) VALUES (?, ?)", (game, body))
            else:
                self._db.execute("DELETE FROM counts WHERE game = ?", (game,))
        except sqlite3.Error as error:
            raise _explain(self.path, error) from error

    def find_count(self, game: int) -> str:
        """Give the count that is kept for a game; empty where there is none.

        Raises
        ------
        StoreError
            If it can't be read.
        """
        try:
            row = self._db.execute("SELECT body FROM counts WHERE game = ?", (game,)).fetchone()
        except sqlite3.Error as error:
            raise _explain(self.path, error) from error
        return "" if row is None else str(row[0])

    def close_game(self, game: int) -> None:
        """Say that a game is over: the next start of its source begins another.

        Raises
        ------
        StoreError
            If it can't be written.
        """
        try:
            self._db.execute("UPDATE games SET closed = 1 WHERE id = ? AND closed = 0", (game,))
        except sqlite3.Error as error:
            raise _explain(self.path, error) from error

    def games(self) -> list[StoredGame]:
        """Give all games, oldest first."""
        try:
            rows = self._db.execute(
                "SELECT id, source, started_at, closed FROM games WHERE closed < 2 ORDER BY id"
            ).fetchall()
        except sqlite3.Error as error:
            raise _explain(self.path, error) from error
        return [StoredGame(number, source, started_at, bool(closed)) for number, source, started_at, closed in rows]

    def find_open_game(self, source: str) -> int | None:
        """Find the game of a source that wasn't ended: the program was stopped or killed in the middle of it."""
        return next((game.id for game in reversed(self.games()) if game.source == source and not game.closed), None)

    def events(self, game: int) -> list[Event]:
        """Give the log of a game.

        Raises
        ------
        StoreError
            If it can't be read, or holds an event that this version doesn't know.
        """
        try:
            rows = self._db.execute("SELECT body FROM events WHERE game = ? ORDER BY id", (game,)).fetchall()
            return [from_json(body) for (body,) in rows]
        except sqlite3.Error as error:
            raise _explain(self.path, error) from error
        except EventError as error:
            raise StoreError(f"{self.path}, game {game}: {error}: update referee, or choose another --data") from error

    def close(self) -> None:
        """Close the file and let others in; safe to call twice."""
        for name in ("_db", "_lock"):
            connection = getattr(self, name, None)
            if connection is not None:
                connection.close()


def _salvage(damaged: Path, into: sqlite3.Connection) -> int:
    """Copy what can still be read of a damaged file and give the number of events."""
    saved = 0
    with suppress(sqlite3.Error):
        old = sqlite3.connect(f"{damaged.as_uri()}?mode=ro", uri=True)
        try:
            for table, width in (("games", 4), ("events", 3)):
                with suppress(sqlite3.Error):
                    for row in _rows(old, f"SELECT * FROM {table}"):
                        into.execute(f"INSERT OR IGNORE INTO {table} VALUES ({','.join('?' * width)})", row)
                        saved += table == "events"
        finally:
            old.close()
    return saved


def _rows(db: sqlite3.Connection, query: str) -> Iterable[tuple[object, ...]]:
    cursor = db.execute(query)
    while True:
        try:
            row = cursor.fetchone()
        except sqlite3.Error:
            return
        if row is None:
            return
        yield row
