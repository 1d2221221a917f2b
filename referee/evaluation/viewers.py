"""What many viewers cost: a film is refereed again and again, with and without them, on the same machine in one run.

The viewers live in a process of their own and take their share of the machine; in a house they have their own devices.
"""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from ..game.event_types import Event, MatchStarted, Player
from ..game.match import Match
from ..game.variant import get_variant
from ..journal import Journal
from ..layout import LayoutError, TableLayout, load_layout
from ..pipeline import Referee
from ..running import WebBoard
from ..store import Store
from ..tracking.tracker import Tracker
from ..vision.commands import VisionProblem, problems
from ..vision.detector import YoloDetector
from ..vision.eye import TableEye
from ..vision.identifier import CardReader
from ..vision.sources import Film
from ..web import BoardServer, LiveGame, WebSettings, create_app, serve
from .bench import FirstPart
from .commands import find_layout
from .viewer_clients import Note

REPEATS = 2
_READY_S = 90.0


class _StampingBoard(WebBoard):
    """Notes when each event was published."""

    def __init__(self, game: LiveGame) -> None:
        super().__init__(game)
        self.stamps: list[Note] = []

    def append(self, event: Event) -> None:
        said_at = time.monotonic()
        super().append(event)
        self.stamps.append((event.id, said_at))


@dataclass(frozen=True, slots=True)
class ViewersResult:
    """What was measured.

    Parameters
    ----------
    fps_without, fps_with
        Frames a second of each pass over the film, without and with the viewers.
    cpu_without_ms, cpu_with_ms
        Processor time that this process took for a frame, all threads together: also on a busy machine it says what
        viewers cost.
    delays_ms
        For every event and viewer: from when it was said until the viewer had the picture that shows it.
    events
        How many events were said in the passes with viewers.
    page_kb
        The board with all that it loads.
    viewers_share
        Share of one processor that the viewers themselves took from the referee; in a house they are elsewhere.
    """

    film: str
    viewers: int
    fps_without: tuple[float, ...]
    fps_with: tuple[float, ...]
    cpu_without_ms: float
    cpu_with_ms: float
    delays_ms: tuple[float, ...]
    events: int
    page_kb: float
    viewers_share: float

    def as_json(self) -> dict[str, Any]:
        """Give every figure, rounded, in a form that JSON takes."""
        p50, p95, worst = np.percentile(self.delays_ms, (50, 95, 100)).tolist() if self.delays_ms else (0.0, 0.0, 0.0)
        return {
            "film": self.film,
            "viewers": self.viewers,
            "fps_without": [round(value, 1) for value in self.fps_without],
            "fps_with": [round(value, 1) for value in self.fps_with],
            "fps_ratio": round(float(np.mean(self.fps_with) / np.mean(self.fps_without)), 3),
            "cpu_ms_per_frame": {"without": round(self.cpu_without_ms, 1), "with": round(self.cpu_with_ms, 1)},
            "events": self.events,
            "event_to_picture_ms": {"p50": round(p50), "p95": round(p95), "worst": round(worst)},
            "page_kb": round(self.page_kb, 1),
            "viewers_own_share": round(self.viewers_share, 3),
        }


def find_delays(stamps: list[Note], notes: list[list[Note]]) -> list[float]:
    """Give, for each event and viewer, the milliseconds until a picture came that shows it.

    Raises
    ------
    ValueError
        If a viewer was never told of an event.
    """
    delays = []
    for seen in notes:
        for event, said_at in stamps:
            came_at = next((at for version, at in seen if version >= event and at >= said_at), None)
            if came_at is None:
                raise ValueError(f"a viewer was never told of event {event}")
            delays.append((came_at - said_at) * 1e3)
    return delays


def weigh_page(base: str) -> float:
    """Give the kilobytes of the board's page with its styles, scripts and font, as they go over the network."""
    page = urllib.request.urlopen(base, timeout=10).read()  # noqa: S310 - our own server
    todo = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page.decode()))
    todo |= {"/static/live.js", "/static/morph.js", "/static/voice.js"}
    return (len(page) + sum(len(urllib.request.urlopen(base.rstrip("/") + path).read()) for path in todo)) / 1e3  # noqa: S310


class _Viewers:
    """The process with the viewers."""

    def __init__(self, port: int, count: int) -> None:
        command = [sys.executable, "-m", "referee.evaluation.viewer_clients", str(port), str(count)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        if self._process.stdout.readline().strip() != "ready":
            self._process.kill()
            raise VisionProblem("the viewers could not connect: close other programs and try again")

    def end(self) -> tuple[float, list[list[Note]]]:
        """Let them tell what share of one processor they took, and what they saw."""
        said, _ = self._process.communicate("", timeout=_READY_S)
        share, notes = json.loads(said)
        return share, [[(version, at) for version, at in seen] for seen in notes]


@dataclass(frozen=True, slots=True)
class _Pass:
    fps: float
    cpu_ms: float
    delays_ms: list[float]
    events: int
    page_kb: float
    share: float


def _referee_once(path: Path, layout: TableLayout, eye: TableEye, seconds: float | None, viewers: int) -> _Pass:
    """Referee a film with the board served, and with so many viewers; 0 for nobody."""
    ids = itertools.count(2)
    game = LiveGame(Match.new())
    players = tuple(Player(number, seat.name, seat.deck) for number, seat in enumerate(layout.seats, 1))
    game.append(MatchStarted(id=1, time_s=0.0, seen_s=0.0, players=players))
    board = _StampingBoard(game)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        journal = Journal(store, store.begin_game(path.name))
        tracker = Tracker(layout, get_variant("official"), ids)
        source = FirstPart(Film(path), seconds)
        referee = Referee(source, eye, tracker, board, ids, journal=journal)
        server: BoardServer = serve(create_app(game, WebSettings()), "127.0.0.1", 0)
        try:
            page_kb = weigh_page(server.url)
            people = _Viewers(server.port, viewers) if viewers else None
            begin, cpu_begin = time.perf_counter(), time.process_time()
            referee.run(threading.Event())
            elapsed_s, cpu_s = time.perf_counter() - begin, time.process_time() - cpu_begin
            # The last picture may still be on its way.
            time.sleep(2.0 if people else 0.0)
            share, notes = people.end() if people else (0.0, [])
        finally:
            server.close()
            store.close()
    frames = referee.frames
    return _Pass(
        frames / elapsed_s, cpu_s * 1e3 / frames, find_delays(board.stamps, notes), len(board.stamps), page_kb, share
    )


def bench_viewers(path: Path, layout: TableLayout, viewers: int, seconds: float | None = None) -> ViewersResult:
    """Referee the same part of a film by turns without and with viewers.

    Raises
    ------
    SourceError, ModelError, EyeError
        If the film or the models can't be used, or the film doesn't fit the layout.
    VisionProblem
        If the viewers can't connect.
    """
    eye = TableEye(layout, YoloDetector(), CardReader())
    # Compiling the networks for their shapes is start-up, not part of a frame.
    eye.observe(next(iter(Film(path).frames())))
    empty, full = [], []
    for _ in range(REPEATS):
        empty.append(_referee_once(path, layout, eye, seconds, 0))
        full.append(_referee_once(path, layout, eye, seconds, viewers))
    return ViewersResult(
        film=path.name,
        viewers=viewers,
        fps_without=tuple(item.fps for item in empty),
        fps_with=tuple(item.fps for item in full),
        cpu_without_ms=float(np.mean([item.cpu_ms for item in empty])),
        cpu_with_ms=float(np.mean([item.cpu_ms for item in full])),
        delays_ms=tuple(itertools.chain.from_iterable(item.delays_ms for item in full)),
        events=sum(item.events for item in full),
        page_kb=full[0].page_kb,
        viewers_share=float(np.mean([item.share for item in full])),
    )


def report_viewers(film: Path, layout: Path | None, seconds: float | None, viewers: int, as_json: bool) -> None:
    """Measure and print.

    Raises
    ------
    VisionProblem
        If the film, its layout or the models can't be used.
    """
    with problems():
        if not film.is_file():
            raise VisionProblem(f"{film}: no such film: give another one, or make one with `referee simulate`")
        try:
            found = load_layout(find_layout(film, layout))
        except LayoutError as error:
            raise VisionProblem(str(error)) from error
        result = bench_viewers(film, found, viewers, seconds).as_json()
    if as_json:
        click.echo(json.dumps(result))
        return
    delay = result["event_to_picture_ms"]
    click.echo(f"{result['film']}, {viewers} viewers, {result['events']} events, passes by turns without and with them")
    click.echo(f"event to picture: p50 {delay['p50']} ms, p95 {delay['p95']} ms, worst {delay['worst']} ms")
    alone, watched = (", ".join(f"{value:.1f}" for value in result[key]) for key in ("fps_without", "fps_with"))
    click.echo(f"frames a second: {alone} without, {watched} with viewers: {result['fps_ratio']:.1%}")
    click.echo(f"the viewers themselves, on this machine: {result['viewers_own_share']:.1%} of one core")
    cpu = result["cpu_ms_per_frame"]
    click.echo(f"processor time a frame: {cpu['without']} ms without, {cpu['with']} ms with viewers")
    click.echo(f"the board's page with all it loads: {result['page_kb']} kB")
