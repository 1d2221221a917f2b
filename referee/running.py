"""Puts the parts of a run together: source, eye, tracker, log, board; what `run`, `demo` and `evaluate plays` share.

Errors that a person can mend come out as `RunError`, one line that says what to do.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .config import Config
from .game.event_types import Event, MatchStarted, Player
from .game.events import to_json
from .game.house_rules import make_variant
from .game.match import Match, replay
from .game.match_state import MatchError
from .game.variant import Variant, VariantError, get_variant
from .journal import Journal
from .layout import LayoutError, TableLayout, load_layout
from .pipeline import FrameListener, Health, Referee
from .ports import EventSink, Eye, FrameSource
from .store import Store, StoreError
from .tracking.tracker import Tracker
from .web.live import LiveGame, Request
from .web.ports import CameraState, CountTaker, Outcome, Status, TableKeeper

if TYPE_CHECKING:
    from .vision.eye import TableEye
    from .web.server import BoardServer

_IN_FILE = {"round_started", "pile_seen", "card_moved", "ruled", "revised", "blitz_seen", "round_scored"}


class RunError(RuntimeError):
    """A run that can't begin or go on; the message says what to do."""


class WebWish:
    """A command from the web, as the referee takes it."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self.events: Sequence[Event] = request.command.events

    def answer(self, done: bool, reason: str = "") -> None:
        """Tell the sender what became of it."""
        self._request.answer(Outcome(done, reason))


class WebBoard:
    """The board of the pipeline, shown by the web's `LiveGame`."""

    def __init__(self, game: LiveGame) -> None:
        self.game = game

    def match(self) -> Match:
        """Give the match as of the last event."""
        return self.game.match()

    def append(self, event: Event) -> None:
        """Fold one event and show it."""
        self.game.append(event)

    def report(self, health: Health) -> None:
        """Show how the referee is doing."""
        camera = CameraState(health.state)
        self.game.report(Status(camera, health.time_s, health.frame_age_s, health.fps, health.warnings))

    def next_wish(self, timeout_s: float) -> WebWish | None:
        """Take the oldest command, or None."""
        request = self.game.next_request(timeout_s)
        return None if request is None else WebWish(request)


class EventFile:
    """Writes events as JSON lines; each is in the file when `append` returns.

    Raises
    ------
    RunError
        If the file can't be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("w", encoding="utf-8", buffering=1)
        except OSError as error:
            raise RunError(f"{path}: {error.strerror or error}: choose another file with --events") from error

    def append(self, event: Event) -> None:
        """Write one event, if its kind belongs to the format."""
        if event.type not in _IN_FILE:
            return
        try:
            self._file.write(to_json(event) + "\n")
        except OSError as error:
            raise RunError(f"{self._path}: {error.strerror or error}: free some space") from error

    def close(self) -> None:
        """Finish the file."""
        with contextlib.suppress(OSError):
            self._file.close()


@dataclass(slots=True)
class Kept:
    """Keeps events in memory, for whoever compares them."""

    events: list[Event] = field(default_factory=list)

    def append(self, event: Event) -> None:
        """Take one event."""
        self.events.append(event)


def choose_variant(config: Config) -> Variant:
    """Give the rules in force.

    Raises
    ------
    RunError
        If there are none of that name, or a house rule is impossible.
    """
    try:
        return make_variant(get_variant(config.variant), config.rules)
    except VariantError as error:
        raise RunError(str(error)) from error


def find_layout_file(path: Path | None, text: str) -> Path | None:
    """Find the layout's file: the one that was named, else `layout.toml` beside a film or in a folder of pictures."""
    if path is not None:
        return path
    source = Path(text)
    beside = (source if source.is_dir() else source.parent) / "layout.toml"
    return beside if source.exists() and beside.is_file() else None


def find_layout(path: Path | None, text: str, seats: int | None) -> TableLayout:
    """Give the layout of a file, by default the `layout.toml` beside a film; without one, of the cards in view.

    Raises
    ------
    RunError
        If the file can't be used, has another number of seats than wanted, or too few cards are in view.
    """
    path = find_layout_file(path, text)
    if path is None:
        return _lay_out(text, seats)
    try:
        layout = load_layout(path)
    except LayoutError as error:
        raise RunError(str(error)) from error
    if seats is not None and seats != len(layout.seats):
        count = len(layout.seats)
        raise RunError(f"{path}: it has {count} seats, not {seats}: give --seats {count} or none")
    return layout


def _lay_out(text: str, seats: int | None) -> TableLayout:
    from .vision.calibrate import collect_quads, propose_layout
    from .vision.inference import ModelError
    from .vision.photo import PhotoReader
    from .vision.plane import CalibrationError
    from .vision.setup_commands import sample_frames

    reason = "no cards are in view"
    try:
        reader = PhotoReader()
    except ModelError as error:
        raise RunError(str(error)) from error
    for at_s in (1.0, 4.0, 7.0, 10.0):
        images = sample_frames(open_source(text), at_s)
        if not images:
            break
        quads = collect_quads(images, reader)
        size = (images[0].shape[1], images[0].shape[0])
        for count in [seats] if seats is not None else range(8, 1, -1):
            try:
                return propose_layout(quads, size, count)[0]
            except CalibrationError as error:
                reason = str(error)
    raise RunError(f"{text}: the table can't be laid out by itself ({reason}): give --layout FILE, or --seats N")


def open_source(text: str) -> FrameSource:
    """Open a camera, film or folder; raises RunError if that can't be done."""
    from .vision.sources import SourceError
    from .vision.sources import open_source as open_frames

    try:
        return open_frames(text)
    except SourceError as error:
        raise RunError(str(error)) from error


def open_eye(layout: TableLayout) -> TableEye:
    """Load the networks; raises RunError if they can't be used."""
    from .vision.eye import TableEye
    from .vision.inference import ModelError

    try:
        return TableEye(layout)
    except ModelError as error:
        raise RunError(str(error)) from error


@dataclass(slots=True)
class Table:
    """A run that is ready to begin: `referee` works, `game` shows."""

    referee: Referee
    game: LiveGame
    journal: Journal
    tracker: Tracker


def set_table(
    source: FrameSource,
    eye: Eye,
    layout: TableLayout,
    variant: Variant,
    *,
    config: Config | None = None,
    store: Store | None = None,
    sinks: Sequence[EventSink] = (),
    listeners: Sequence[FrameListener] = (),
    start_at_s: float | None = None,
) -> Table:
    """Put a run together; a game that the log left open for this source goes on.

    Raises
    ------
    RunError
        If the rules aren't for so many players, or the log can't be read.
    """
    config = config or Config()
    try:
        past: list[Event] = []
        number = 0 if store is None else store.find_open_game(source.name)
        if store is not None and number:
            past = store.events(number)
        elif store is not None:
            number = store.begin_game(source.name)
        match = replay(past)
        if len(match.seats) not in (0, len(layout.seats)):
            # Other people sit at this table now: their game is another one.
            past, match = [], Match.new()
            number = 0 if store is None else store.begin_game(source.name)
        variant.posts_for(len(layout.seats))
    except (StoreError, VariantError, MatchError) as error:
        raise RunError(str(error)) from error
    journal = Journal(store, number or 0)
    game = LiveGame(match, past, number=lambda: journal.game)
    ids = itertools.count(match.last_id + 1)
    tracker = Tracker(layout, variant, ids, None if match.round is not None else start_at_s)
    if past:
        tracker.resume(match)
    else:
        players = tuple(Player(seat, item.name, item.deck) for seat, item in enumerate(layout.seats, 1))
        begin = MatchStarted(
            id=next(ids), time_s=0.0, seen_s=0.0, players=players, variant=config.variant, rules=config.rules
        )
        game.append(begin)
        journal.append([begin])
    referee = Referee(
        source,
        eye,
        tracker,
        WebBoard(game),
        ids,
        journal=journal,
        sinks=sinks,
        listeners=listeners,
        resume_s=match.time_s if past else None,
    )
    return Table(referee, game, journal, tracker)


def open_store(folder: Path) -> Store:
    """Open the log; raises RunError if that can't be done."""
    try:
        return Store(folder)
    except StoreError as error:
        raise RunError(str(error)) from error


def serve_board(
    game: LiveGame,
    config: Config,
    clips: Path | None = None,
    data: Path | None = None,
    counter: CountTaker | None = None,
    keeper: TableKeeper | None = None,
) -> tuple[BoardServer, str]:
    """Serve the scoreboard and give the server and the desk's PIN.

    Parameters
    ----------
    clips, data
        Folders of the clips of all games and of the log; None where there are none.
    counter, keeper
        The desk's count by the backs and its view of the table; None where no camera watches.

    Raises
    ------
    RunError
        If the port is in use or can't be had.
    """
    from .web import ServeError, WebSettings, board_url, create_app, new_pin, serve

    pin = config.pin or new_pin()
    settings = WebSettings(board_url=board_url(config.host, config.port), pin=pin, clips=clips, data=data)
    try:
        return serve(create_app(game, settings, counter, keeper), config.host, config.port), pin
    except ServeError as error:
        raise RunError(error.strerror or str(error)) from error


def follow(source: FrameSource, layout: TableLayout, variant: Variant) -> tuple[list[Event], Referee]:
    """Run the whole chain on a source to its end and give the events; nothing is kept or shown."""
    kept = Kept()
    table = set_table(source, open_eye(layout), layout, variant, sinks=[kept])
    run_to_end(table, threading.Event(), stay=False)
    return kept.events, table.referee


def run_to_end(table: Table, stop: threading.Event, stay: bool) -> None:
    """Run until the source ends or `stop` is set.

    Raises
    ------
    RunError
        If the source or the eye gives up; all events up to then are kept.
    """
    from .vision.eye import EyeError
    from .vision.inference import ModelError
    from .vision.sources import SourceError

    try:
        table.referee.run(stop, stay)
    except (SourceError, EyeError, ModelError) as error:
        raise RunError(str(error)) from error


@contextlib.contextmanager
def stopping() -> Iterator[threading.Event]:
    """Give an event that is set on Ctrl-C or when the system asks the program to end."""
    import signal

    stop = threading.Event()
    handler: Callable[[int, Any], None] = lambda *_: stop.set()  # noqa: E731
    old = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, before in old.items():
            signal.signal(number, before)
