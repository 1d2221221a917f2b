"""What `referee run` and `referee demo` do, once the command line has been read."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from .config import Config
from .decks import DeckError
from .evidence import Evidence, clips_of
from .layout import TableLayout
from .pipeline import FrameListener
from .ports import EventSink, FrameSource
from .running import (
    EventFile,
    RunError,
    Table,
    choose_variant,
    find_layout,
    find_layout_file,
    open_eye,
    open_source,
    open_store,
    run_to_end,
    serve_board,
    set_table,
    stopping,
)
from .table_counter import TableCounter
from .table_keeper import TableKeeper
from .table_view import TableView
from .telling import Annotator, Telling, print_scores


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What the command line asks for beside the settings."""

    source: str
    headless: bool = False
    events: Path | None = None
    annotate: Path | None = None
    seats: int | None = None
    start_at_s: float | None = None


def run_source(options: RunOptions, config: Config, console: Console) -> None:
    """Referee a camera, a film or a folder of pictures.

    Raises
    ------
    RunError
        If the run can't begin or go on; the message says what to do.
    """
    variant = choose_variant(config)
    with contextlib.ExitStack() as stack:
        # Without a file the table is laid out from the source, which a camera gives to one reader at a time.
        layout = find_layout(config.layout, options.source, options.seats)
        source = open_source(options.source)
        stack.callback(source.close)
        store = None
        if not options.headless or config.data is not None:
            store = open_store(config.data or default_data())
            stack.callback(store.close)
        sinks: list[EventSink] = []
        if options.events is not None:
            file = EventFile(options.events)
            stack.callback(file.close)
            sinks.append(file)
        listeners: list[FrameListener] = []
        eye = open_eye(layout)
        table = set_table(
            source, eye, layout, variant, config=config, store=store, sinks=sinks, listeners=listeners,
            start_at_s=options.start_at_s,
        )  # fmt: skip
        telling = Telling(table.game, console)
        listeners.append(telling)
        if options.annotate is not None:
            annotator = _annotate(options.annotate, layout, source, telling)
            stack.callback(annotator.close)
            listeners.append(annotator)
        clips = None
        if store is not None and config.evidence:
            clips = store.path.parent / "clips"
            evidence = Evidence(lambda: clips_of(store.path.parent, table.game.number()))
            stack.callback(evidence.close)
            listeners.append(evidence)
        if not options.headless:
            path = find_layout_file(config.layout, options.source)
            counter = _open_counter(layout, table, path)
            followers = [eye.lay_out, table.tracker.lay_out, counter.lay_out]
            keeper = TableKeeper(layout, path, source.size_px, table.game, followers)
            listeners += [TableView(layout, source.size_px, table.game), keeper, counter]
            data = None if store is None else store.path.parent
            _serve(table, config, console, stack, keeper, counter, clips, data)
        stop = stack.enter_context(stopping())
        run_to_end(table, stop, stay=not options.headless)
        print_scores(table.game.match(), console)


def run_demo(seats: int, seed: int, duration_s: float | None, browser: bool, config: Config, console: Console) -> None:
    """Let bots play on a rendered table and referee them live, with the scoreboard.

    Raises
    ------
    RunError
        If the port is in use or the networks can't be used.
    """
    from .synth.demo import RenderedTable

    variant = choose_variant(config)
    source = RenderedTable(seats, seed)
    with contextlib.ExitStack() as stack:
        stack.callback(source.close)
        layout = source.layout
        listeners: list[FrameListener] = []
        eye = open_eye(layout)
        table = set_table(source, eye, layout, variant, config=config, listeners=listeners)
        counter = _open_counter(layout, table, None)
        followers = [eye.lay_out, table.tracker.lay_out, counter.lay_out]
        keeper = TableKeeper(layout, None, source.size_px, table.game, followers)
        listeners += [Telling(table.game, console), TableView(layout, source.size_px, table.game), keeper, counter]
        url = _serve(table, config, console, stack, keeper, counter)
        if browser:
            _open_browser(url)
        stop = stack.enter_context(stopping())
        if duration_s is not None:
            timer = threading.Timer(duration_s, stop.set)
            timer.daemon = True
            timer.start()
            stack.callback(timer.cancel)
        run_to_end(table, stop, stay=duration_s is None)
        print_scores(table.game.match(), console)
        fps = table.game.status().fps
        if fps is not None:
            console.print(f"{table.referee.frames} frames, {fps:.0f} frames a second at the end")


def _open_counter(layout: TableLayout, table: Table, layout_file: Path | None) -> TableCounter:
    """Count by the backs in `decks.toml` beside the layout's file, where there is one."""
    decks = None if layout_file is None else layout_file.with_name("decks.toml")
    try:
        return TableCounter(layout, table.game, decks if decks is not None and decks.is_file() else None)
    except DeckError as error:
        raise RunError(str(error)) from error


def _annotate(path: Path, layout: TableLayout, source: FrameSource, telling: Telling) -> Annotator:
    import av

    try:
        return Annotator(path, layout, source.size_px, telling)
    except (OSError, av.FFmpegError) as error:
        raise RunError(f"{path}: {error.strerror or error}: choose an .mp4 file that can be written") from error


def _serve(
    table: Table, config: Config, console: Console, stack: contextlib.ExitStack, keeper: TableKeeper,
    counter: TableCounter, clips: Path | None = None, data: Path | None = None,
) -> str:  # fmt: skip
    """Serve the board until the stack is left; print where it is."""
    from .web import qr_terminal

    server, pin = serve_board(table.game, config, clips, data, counter, keeper)
    stack.callback(server.close)
    local = f"http://localhost:{server.port}/"
    console.print(f"Scoreboard: {local}  other devices: {server.url}  PIN of the desk: {pin}", highlight=False)
    if console.is_terminal:
        console.print(qr_terminal(server.url), highlight=False, markup=False)
    return local


def _open_browser(url: str) -> None:
    import webbrowser

    with contextlib.suppress(Exception):
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()


def default_data() -> Path:
    """Give the folder where games are kept unless another is named."""
    from platformdirs import user_data_path

    return user_data_path("referee", appauthor=False)
