"""A real match from a real log: two scored rounds and a third in the middle of play; and a real browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

from referee.game.cards import Face
from referee.game.events import (
    BlitzSeen,
    CardMoved,
    Event,
    MatchStarted,
    Player,
    RoundScored,
    RoundStarted,
    Ruled,
    SeatScore,
    Violation,
)
from referee.game.match import Match, replay
from referee.game.moves import PileId
from referee.web import BoardServer, WebSettings, create_app, serve
from referee.web.live import LiveGame

NAMES = ("Ann", "Ben", "Clara", "David")
DECKS = (
    "green-pump",
    "yellow-pail",
    "blue-plow",
    "red-carriage",
    "blue-pump",
    "green-pail",
    "red-plow",
    "yellow-carriage",
)
HOSTILE = (
    "<script>document.title='pwned'</script>",
    "A" * 200,
    "محمد بن عبد الله آل سعود",
    "👩‍👩‍👧‍👦 Zoë \u202egnorw",
    "Ann",
    "Ann",
    "{t} %s {{7*7}} <b onmouseover=x>",
    " \u200b\u202e ",
)


class Log:
    """Writes a log event by event, with growing ids and times."""

    def __init__(self, names: tuple[str, ...] = NAMES) -> None:
        self.events: list[Event] = []
        self.names = names
        self.time_s = 0.0
        self._ids = count(1)

    def add(self, kind: type[Event], after_s: float = 1.0, **values: object) -> int:
        self.time_s += after_s
        event = kind(time_s=self.time_s, seen_s=self.time_s + 0.1, id=next(self._ids), **values)  # type: ignore[arg-type]
        self.events.append(event)
        return event.id

    def start(self, variant: str = "official") -> Log:
        players = tuple(Player(seat, name, DECKS[seat - 1]) for seat, name in enumerate(self.names, 1))
        self.add(MatchStarted, players=players, variant=variant)
        return self

    def go(self) -> Log:
        self.add(RoundStarted, seats=len(self.names))
        return self

    def play(self, seat: int | None, card: str, source: str | None, target: str, **values: object) -> int:
        return self.add(
            CardMoved,
            seat=seat,
            cards=(Face.parse(card),),
            source=None if source is None else PileId.parse(source),
            target=PileId.parse(target),
            **values,
        )

    def rule(self, move: int, *violations: Violation, **values: object) -> int:
        return self.add(Ruled, 0.1, move=move, violations=violations, **values)

    def score(self, by: str, *rows: tuple[int, int]) -> Log:
        seats = tuple(
            SeatScore(seat, dutch, blitz, dutch - 2 * blitz, True) for seat, (dutch, blitz) in enumerate(rows, 1)
        )
        self.add(RoundScored, by=by, seats=seats)
        return self

    def play_round(self) -> int:
        """Play a little: an illegal play that is put back, and one that stays; give the id of that one."""
        self.go()
        self.play(1, "R1", "s1.blitz", "d1")
        self.play(2, "B1", "s2.post1", "d2")
        self.play(1, "R2", "s1.blitz", "d1")
        self.play(3, "R3", "s3.wood", "d1")
        wrong = self.play(3, "G4", "s3.post2", "d2")
        self.rule(wrong, Violation.WRONG_COLOR, Violation.WRONG_NUMBER)
        self.play(3, "G4", "d2", "s3.post2", undoes=wrong)
        self.rule(wrong)
        self.play(4, "R4", "s4.blitz", "d1")
        self.play(1, "R5", "s1.post1", "d1")
        illegal = self.play(2, "R7", "s2.post2", "d1")
        self.rule(illegal, Violation.WRONG_NUMBER, remedy="take back R7")
        return illegal

    def end_round(self) -> Log:
        """Let seat 1 blitz, and score as followed."""
        self.add(BlitzSeen, seat=1)
        return self.score_followed()

    def score_followed(self) -> Log:
        round_ = replay(self.events).round
        assert round_ is not None
        self.add(RoundScored, by="followed", seats=round_.tally())
        return self

    def match(self) -> Match:
        return replay(self.events)

    def game(self) -> LiveGame:
        return LiveGame(self.match(), self.events)


def full_log(names: tuple[str, ...] = NAMES) -> Log:
    """Two scored rounds and a third in the middle of play."""
    log = Log(names).start()
    rest = [(7, 6)] * (len(names) - 4)
    log.go().score("followed", (19, 3), (12, 5), (21, 0), (8, 7), *rest)
    log.go().score("counted", (17, 2), (22, 0), (14, 4), (9, 8), *rest)
    log.play_round()
    return log


@pytest.fixture
def log() -> Log:
    return full_log()


@pytest.fixture
def hostile_log() -> Log:
    return full_log(HOSTILE)


@pytest.fixture
def new_log() -> type[Log]:
    return Log


@pytest.fixture
def game(log: Log) -> LiveGame:
    return log.game()


PIN = "424242"
SLOW_MS = 30_000
BOARD_NAME = "board.test"
SIZES = {
    "narrow": (320, 640),
    "phone": (390, 844),
    "phone on its side": (844, 390),
    "tablet": (820, 1180),
    "laptop": (1366, 768),
    "television": (1920, 1080),
    "4k": (3840, 2160),
}
CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium; in CI a missing one is a failure, not a reason to skip."""
    if CHROMIUM is None and "CI" not in os.environ:
        pytest.skip("needs Chromium: apt-get install chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'referee[dev]'")
    playwright.expect.set_options(timeout=SLOW_MS)
    with playwright.sync_playwright() as driver:
        # A house's own name for the board, as a router would give it.
        names = f"--host-resolver-rules=MAP {BOARD_NAME} 127.0.0.1"
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", names])
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser) -> Iterator[Callable[..., Any]]:
    """Open a page that fails the test on any script error or refused resource."""
    contexts = []
    wrong: list[str] = []

    def _open(url: str, size: str = "phone", strict: bool = True, **options: object) -> Any:
        width, height = SIZES[size]
        options = {"locale": "en", **options}
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(SLOW_MS)
        contexts.append(context)
        page = context.new_page()
        if strict:
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.goto(url)
        return page

    yield _open
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture
def served() -> Iterator[Callable[..., BoardServer]]:
    """Serve a game, by default on a free port; `counter` and `keeper` are the desk's tools."""
    servers: list[BoardServer] = []

    def _serve(
        game: object, port: int = 0, counter: object = None, keeper: object = None, **settings: object
    ) -> BoardServer:
        settings = {"pin": PIN, "board_url": "http://192.168.1.20:8000/", **settings}
        server = serve(create_app(game, WebSettings(**settings), counter, keeper), "127.0.0.1", port)
        servers.append(server)
        return server

    yield _serve
    for server in servers:
        server.close()


@pytest.fixture
def open_desk() -> Callable[[Any, BoardServer], None]:
    """Go to the desk and enter the PIN."""

    def _open(page: Any, server: BoardServer) -> None:
        page.goto(f"{server.url}desk")
        page.get_by_label("PIN").fill(PIN)
        page.get_by_role("button", name="Open the desk").click()
        page.locator("#now").wait_for()

    return _open


@pytest.fixture
def find_violations() -> Callable[[Any], list[tuple[str, list[str]]]]:
    """Run axe-core on a page: WCAG 2.2 AA and all that axe holds to be good practice."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs pip install 'referee[dev]'")

    def _find(page: Any) -> list[tuple[str, list[str]]]:
        # Scripts of a test are not under the page's policy.
        options = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
        found = axe.Axe().run(page, options=options).response["violations"]
        return [(item["id"], [node["html"][:200] for node in item["nodes"]]) for item in found]

    return _find
