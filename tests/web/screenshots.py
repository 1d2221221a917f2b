"""Take the pictures of the pages for the documentation: `python tests/web/screenshots.py FOLDER`.

The pages show the sample round (`datasets/samples/round-4p`) after two rounds that were scored by hand, its table as
the shipped networks see it, and the end of that game.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.game.event_types import CardMoved, Event, MatchStarted, Player, RoundScored, RoundStarted, Ruled, SeatScore
from referee.game.events import from_json
from referee.game.match import replay
from referee.layout import load_layout
from referee.store import Store
from referee.table_keeper import TableKeeper
from referee.table_view import TableView
from referee.vision.eye import TableEye
from referee.vision.frames import Frame, Observation
from referee.vision.sources import Film
from referee.web import (
    BlitzCount,
    BoardServer,
    CameraState,
    CountResult,
    LiveGame,
    SeatCount,
    Status,
    WebSettings,
    create_app,
    serve,
)

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "round-4p"
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "television": (1920, 1080)}
ROUNDS = (((19, 3), (12, 5), (21, 0), (14, 4)), ((17, 2), (22, 0), (14, 4), (16, 3)))
LAST_ROUNDS = (((30, 0), (20, 2), (18, 3), (12, 4)), ((24, 1), (28, 0), (24, 2), (14, 5)))
# Of the sample's 62 seconds: in the middle of play, after some rulings.
SHOWN_S = 36.0
LOOKED_FRAMES = 12
SHOWN_PX = {"phone": 340, "tablet": 520, "television": 1000}
"""Width of the pictures: the documentation shows them side by side."""
QUALITY = 45
PIN = "424242"
SQUARED = "seat 4: the Blitz Pile lies squared: spread it, or show its cards one by one"


class Log:
    """Writes the log of a match event by event."""

    def __init__(self) -> None:
        seats = load_layout(SAMPLE / "layout.toml").seats
        players = tuple(Player(number, seat.name, seat.deck) for number, seat in enumerate(seats, 1))
        self.events: list[Event] = [MatchStarted(id=1, time_s=0.0, seen_s=0.0, players=players)]

    def score(self, rounds: Sequence[Sequence[tuple[int, int]]]) -> Log:
        """Add rounds that were written down."""
        for rows in rounds:
            seats = [
                SeatScore(seat, dutch, blitz, dutch - 2 * blitz, True) for seat, (dutch, blitz) in enumerate(rows, 1)
            ]
            now = {"time_s": self.events[-1].seen_s, "seen_s": self.events[-1].seen_s}
            self.events.append(RoundStarted(id=self.events[-1].id + 1, seats=len(rows), **now))
            self.events.append(RoundScored(id=self.events[-1].id + 1, by="counted", seats=tuple(seats), **now))
        return self

    def play(self) -> Log:
        """Add the sample round."""
        shift = self.events[-1].id
        for line in (SAMPLE / "events.jsonl").read_text(encoding="utf-8").splitlines():
            event = from_json(line)
            event = replace(event, id=event.id + shift)
            if isinstance(event, Ruled):
                event = replace(event, move=event.move + shift)
            if isinstance(event, CardMoved) and event.undoes is not None:
                event = replace(event, undoes=event.undoes + shift)
            self.events.append(event)
        return self


class SampleBacks:
    """The sample's cards as a camera would count them: one more than followed for seat 2, a squared pile of seat 4."""

    def __init__(self, game: LiveGame) -> None:
        self._game = game

    def take_count(self, more: bool = False) -> CountResult:
        """Give the count."""
        round_ = self._game.match().round
        assert round_ is not None
        rows, blitz = [], []
        for row in round_.score():
            extra, squared = row.seat == 2, row.seat == 4
            cause = "a play of theirs was missed" if extra else ""
            rows.append(SeatCount(row.seat, row.dutch, row.dutch + extra, True, cause))
            left = BlitzCount(row.seat, row.blitz, None, False, SQUARED) if squared else None
            blitz.append(left or BlitzCount(row.seat, row.blitz, row.blitz))
        return CountResult(round_.number, tuple(rows), sure=True, blitz=tuple(blitz))


class Camera:
    """Shows the sample's table as the shipped networks see it at one moment."""

    def __init__(self, game: LiveGame, folder: Path) -> None:
        layout = load_layout(SAMPLE / "layout.toml")
        path = Path(shutil.copy(SAMPLE / "layout.toml", folder / "layout.toml"))
        film = Film(SAMPLE / "film.mp4")
        eye = TableEye(layout)
        frames = islice((frame for frame in film.frames() if frame.time_s >= SHOWN_S), LOOKED_FRAMES)
        self._seen: list[tuple[Frame, Observation]] = [(frame, eye.observe(frame)) for frame in frames]
        film.close()
        self.keeper = TableKeeper(layout, path, film.size_px, game)
        self._view = TableView(layout, film.size_px, game)

    def look(self) -> None:
        """Give the newest frame to whoever looks."""
        frame, observation = self._seen[-1]
        self._view(frame, observation, ())
        self.keeper(frame, observation, ())


@contextmanager
def running(events: Sequence[Event], data: Path, camera: bool = False) -> Iterator[BoardServer]:
    """Serve a game with a camera that works."""
    game = LiveGame(replay(events), events, number=lambda: 2)
    table = Camera(game, data) if camera else None
    settings = WebSettings(board_url="http://192.168.1.20:8000/", pin=PIN, data=data)
    server = serve(
        create_app(game, settings, SampleBacks(game), None if table is None else table.keeper), "127.0.0.1", 0
    )
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.2):
            game.report(Status(CameraState.LIVE, game.match().time_s, 0.0, 30.0))
            if table is not None:
                table.look()

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield server
    finally:
        over.set()
        thread.join()
        server.close()


def take(folder: Path) -> list[Path]:
    """Take all pictures and give their files."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    whole = Log().score(ROUNDS).play().events
    middle = [event for event in whole if event.seen_s <= SHOWN_S]
    won = Log().score(ROUNDS).score(LAST_ROUNDS).events
    taken: list[Path] = []
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        data = Path(name)
        store = Store(data)
        for events in (whole, middle, won):
            store.append(store.begin_game("sample"), events)
        store.close()
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        both = ("light", "dark")
        with running(middle, data, camera=True) as server:
            taken += shoot(browser, server, both, {"board": ""}, folder)
            pages = {"login": "desk", "join": "join", "source": "source", "history": "history", "sheet": "history/1"}
            taken += shoot(browser, server, ("light",), pages, folder)
            taken += shoot(browser, server, ("light",), {"desk": "desk", "table": "desk/table"}, folder, desk=True)
        with running(whole, data) as server:
            taken += shoot(browser, server, both, {"board-result": ""}, folder)
            taken += shoot(browser, server, ("light",), {"desk-count": "desk"}, folder, desk=True)
        with running(won, data) as server:
            taken += shoot(browser, server, both, {"board-podium": ""}, folder)
        browser.close()
    return taken


def shoot(
    browser: Any, server: BoardServer, schemes: Sequence[str], pages: dict[str, str], folder: Path, desk: bool = False
) -> list[Path]:
    """Take pages at all sizes, at the desk if asked."""
    taken = []
    for size, (width, height) in SIZES.items():
        for scheme in schemes if size == "television" else ("light",):
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, locale="en", reduced_motion="reduce"
            )
            page = context.new_page()
            if desk:
                page.goto(f"{server.url}desk")
                page.get_by_label("PIN").fill(PIN)
                page.get_by_role("button", name="Open the desk").click()
            for name, path in pages.items():
                page.goto(server.url + path)
                page.wait_for_load_state("load")
                if name == "desk-count":
                    page.get_by_role("button", name="Count again").first.click()
                    page.locator(".compare").first.wait_for()
                page.wait_for_timeout(4000 if name == "table" else 400)
                file = folder / f"{name}-{size}{'-dark' if scheme == 'dark' else ''}.webp"
                save(page.screenshot(full_page=height > width or name == "table"), SHOWN_PX[size], file)
                taken.append(file)
            context.close()
    return taken


def save(png: bytes, width_px: int, file: Path) -> None:
    """Write a picture, scaled to a width."""
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    ratio = width_px / image.shape[1]
    image = cv2.resize(image, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(file), image, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])


if __name__ == "__main__":
    for picture in take(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pages")):
        print(picture)
