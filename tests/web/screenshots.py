"""Take the pictures of the pages for the documentation: `python tests/web/screenshots.py FOLDER`.

The pages show the sample round (`datasets/samples/round-4p`) after two rounds that were scored by hand.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.game.event_types import CardMoved, Event, MatchStarted, Player, RoundScored, RoundStarted, Ruled, SeatScore
from referee.game.events import from_json
from referee.game.match import replay
from referee.layout import load_layout
from referee.store import Store
from referee.web import CameraState, LiveGame, Status, WebSettings, create_app, serve

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "round-4p"
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "television": (1920, 1080)}
ROUNDS = (((19, 3), (12, 5), (21, 0), (14, 4)), ((17, 2), (22, 0), (14, 4), (16, 3)))
# Of the sample's 62 seconds: in the middle of play, after some rulings.
SHOWN_S = 36.0
PIN = "424242"


def sample_log() -> list[Event]:
    """Give the log of a match whose third round is the sample."""
    seats = load_layout(SAMPLE / "layout.toml").seats
    players = tuple(Player(number, seat.name, seat.deck) for number, seat in enumerate(seats, 1))
    log: list[Event] = [MatchStarted(id=1, time_s=0.0, seen_s=0.0, players=players)]
    for rows in ROUNDS:
        scores = tuple(
            SeatScore(seat, dutch, blitz, dutch - 2 * blitz, True) for seat, (dutch, blitz) in enumerate(rows, 1)
        )
        log.append(RoundStarted(id=len(log) + 1, time_s=0.0, seen_s=0.0, seats=len(seats)))
        log.append(RoundScored(id=len(log) + 1, time_s=0.0, seen_s=0.0, by="counted", seats=scores))
    shift = len(log)
    for line in (SAMPLE / "events.jsonl").read_text(encoding="utf-8").splitlines():
        event = from_json(line)
        event = replace(event, id=event.id + shift)
        if isinstance(event, Ruled):
            event = replace(event, move=event.move + shift)
        if isinstance(event, CardMoved) and event.undoes is not None:
            event = replace(event, undoes=event.undoes + shift)
        log.append(event)
    return log


def take(folder: Path) -> list[Path]:
    """Take all pictures and give their files."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    log = sample_log()
    middle = [event for event in log if event.seen_s <= SHOWN_S]
    taken: list[Path] = []
    with tempfile.TemporaryDirectory() as data, sync_playwright() as driver:
        store = Store(Path(data))
        store.append(store.begin_game("sample"), log)
        store.close()
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, events in (("play", middle), ("result", log)):
            game = LiveGame(replay(events), events)
            settings = WebSettings(board_url="http://192.168.1.20:8000/", pin=PIN, data=Path(data))
            server = serve(create_app(game, settings), "127.0.0.1", 0)
            over = threading.Event()
            camera = threading.Thread(target=_watch, args=(game, over))
            camera.start()
            for size in SIZES:
                for scheme in ("light", "dark"):
                    shots = _pages(name, scheme)
                    taken += _shoot(browser, f"http://127.0.0.1:{server.port}", size, scheme, shots, folder)
            over.set()
            camera.join()
            server.close()
        browser.close()
    return taken


def _watch(game: LiveGame, over: threading.Event) -> None:
    """Stand in for a camera that works."""
    while not over.wait(0.2):
        game.report(Status(CameraState.LIVE, game.match().time_s, 0.0, 30.0))


def _pages(name: str, scheme: str) -> dict[str, str]:
    if name == "result":
        return {"board-result": "/"}
    pages = {"board": "/"}
    if scheme == "light":
        pages |= {"desk": "/desk", "history": "/history", "sheet": "/history/1", "join": "/join"}
    return pages


def _shoot(browser: Any, base: str, size: str, scheme: str, pages: dict[str, str], folder: Path) -> list[Path]:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, locale="en")
    page = context.new_page()
    taken = []
    if "desk" in pages:
        page.goto(f"{base}/desk")
        page.get_by_label("PIN").fill(PIN)
        page.get_by_role("button", name="Open the desk").click()
    for name, path in pages.items():
        page.goto(base + path)
        page.wait_for_load_state("load")
        page.wait_for_timeout(300)
        file = folder / f"{name}-{size}-{scheme}.png"
        page.screenshot(path=file, full_page=height > width)
        taken.append(file)
    context.close()
    return taken


if __name__ == "__main__":
    for picture in take(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pages")):
        print(picture)
