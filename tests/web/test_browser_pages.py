"""Every page in a real browser: names that break pages, from 320 px to 4K, and axe-core without a single violation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from referee.game.event_types import RoundEnded
from referee.layout import format_layout
from referee.store import Store
from referee.synth.seating import seat_people
from referee.table_keeper import TableKeeper
from referee.vision.frames import Frame, Observation
from referee.web import BlitzCount, BoardServer, CameraState, CountResult, LiveGame, SeatCount, Status

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'referee[dev]'")
pytestmark = pytest.mark.slow
SIZE = (640, 360)
WIDTHS = {"narrow": 320, "phone": 390, "phone on its side": 844, "tablet": 820, "television": 1920, "4k": 3840}


class Backs:
    def take_count(self, more: bool = False) -> CountResult:
        cause = "nobody knew who played R7, B2 and a card that was hidden under an arm for a long time"
        seats = tuple(
            SeatCount(seat, seat, seat + seat % 2, seat != 2, cause if seat % 2 else "") for seat in range(1, 9)
        )
        squared = "seat {}: the Blitz Pile lies squared: spread it, or show its cards one by one"
        blitz = tuple(BlitzCount(seat, 3, 4 if seat % 3 else None, False, squared.format(seat)) for seat in range(1, 9))
        return CountResult(3, seats, unread=2, faces=1, blitz=blitz)


@dataclass
class House:
    game: LiveGame
    server: BoardServer
    keeper: TableKeeper


@pytest.fixture
def house(hostile_log, new_log, served, tmp_path) -> Iterator[House]:
    """Eight players with names that nobody should have, in the middle of the count; and a game that somebody won."""
    hostile_log.add(RoundEnded, reason="stuck")
    won = new_log(hostile_log.names).start().go()
    rows = ((76, 0), (76, 0), (60, 0), (20, 0), (5, 9), (3, 3), (2, 2), (1, 1))
    won.score("counted", *rows)
    store = Store(tmp_path)
    for log in (won, hostile_log):
        store.append(store.begin_game("camera"), log.events)
    layout = seat_people(np.random.default_rng(1), 8, 3, SIZE).layout()
    path = tmp_path / "layout.toml"
    path.write_text(format_layout(layout), encoding="utf-8")
    game = LiveGame(hostile_log.match(), hostile_log.events, number=lambda: 2)
    warning = "seat 3's Blitz Pile is outside the picture: aim the camera again, or move its zone"
    game.report(Status(CameraState.LIVE, 100.0, 0.1, 28.0, (warning,)))
    keeper = TableKeeper(layout, path, SIZE, game)
    keeper.above()
    image = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
    keeper(Frame(image, 0.0, 1), Observation(0.0, ()), ())
    yield House(game, served(game, counter=Backs(), keeper=keeper, data=tmp_path, clips=tmp_path), keeper)
    store.close()


PAGES = {
    "board": "",
    "joining": "join",
    "source": "source",
    "login": "desk",
    "history": "history",
    "sheet": "history/1",
    "sheet of the running game": "history/2",
}


def open_everything(page: Any) -> None:
    page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")


def at_the_desk(page: Any, house: House, open_desk: Any) -> Iterator[str]:
    """Go through the desk's pages and states."""
    open_desk(page, house.server)
    open_everything(page)
    yield "desk"
    page.get_by_role("button", name="Count the backs").click()
    playwright.expect(page.locator(".compare").first).to_be_visible()
    open_everything(page)
    yield "desk with a count"
    page.goto(f"{house.server.url}desk/table")
    playwright.expect(page.locator("#zones")).to_be_visible()
    open_everything(page)
    yield "table"


@pytest.mark.parametrize("size", WIDTHS)
def test_no_page_is_broken_by_hostile_names_at_any_size(house, open_page, open_desk, size) -> None:
    page = open_page(house.server.url, size)

    def check(what: str) -> None:
        assert page.title() != "pwned"
        assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS[size], what
        outside = page.evaluate(
            """() => [...document.querySelectorAll('h1,h2,h3,button,input,bdi,.n,p,li,summary')].filter((e) => {
                const box = e.getBoundingClientRect();
                const scrolls = e.closest('.wide, .unseen, [hidden]');
                return box.width && !scrolls && (box.right > innerWidth + 1 || box.left < -1);
            }).map((e) => e.outerHTML.slice(0, 120))"""
        )
        assert outside == [], what
        # A number that can't be read, or a button that pushes a seat's second number away from the first.
        cut = page.evaluate(
            """() => [...document.querySelectorAll('.stepper input, .counting li > .chip')].filter((e) => {
                const beside = [...e.parentElement.querySelectorAll(':scope > .stepper')];
                const [top, bottom] = [e.getBoundingClientRect().top, e.getBoundingClientRect().bottom];
                const pushes = beside.some((s) => s.getBoundingClientRect().top < bottom
                    && s.getBoundingClientRect().bottom > top);
                return e.clientWidth && (e.scrollWidth > e.clientWidth || pushes);
            }).map((e) => e.outerHTML.slice(0, 120))"""
        )
        assert cut == [], what

    for what, path in PAGES.items():
        page.goto(house.server.url + path)
        open_everything(page)
        check(what)
    for what in at_the_desk(page, house, open_desk):
        check(what)


@pytest.mark.parametrize("size", ["narrow", "phone", "phone on its side", "tablet", "television", "4k"])
def test_podium_holds_hostile_names(hostile_log, new_log, served, open_page, size) -> None:
    log = new_log(hostile_log.names).start("family").go()
    log.score("counted", (76, 0), (76, 0), (60, 0), (20, 0), (5, 9), (3, 3), (2, 2), (1, 1))
    page = open_page(served(log.game()).url, size, reduced_motion="reduce")
    assert page.locator(".step").count() == 3
    assert page.locator(".after li").count() == 5
    cut = page.evaluate(
        """() => [...document.querySelectorAll('.step .n, .step h3, .step .block, .after li')].filter((e) => {
            const box = e.getBoundingClientRect();
            const podium = document.querySelector('#podium').getBoundingClientRect();
            return box.right > podium.right + 1 || box.left < podium.left - 1 || box.bottom > podium.bottom + 1
                || box.top < podium.top - 1;
        }).map((e) => e.className + ' ' + e.textContent.slice(0, 40))"""
    )
    assert cut == []
    heights = [step.bounding_box()["height"] for step in page.locator(".step .block").all()]
    assert heights[0] == heights[1] > heights[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility_of_every_page(house, new_log, served, open_page, open_desk, find_violations, scheme) -> None:
    page = open_page(house.server.url, "phone", strict=False, color_scheme=scheme, reduced_motion="reduce")

    def check(what: str) -> None:
        assert find_violations(page) == [], what

    for what, path in PAGES.items():
        page.goto(house.server.url + path)
        open_everything(page)
        check(what)
    page.goto(f"{house.server.url}desk")
    page.get_by_label("PIN").fill("000000")
    page.get_by_role("button", name="Open the desk").click()
    playwright.expect(page.get_by_role("alert")).to_be_visible()
    check("login with a wrong PIN")
    for what in at_the_desk(page, house, open_desk):
        check(what)
    log = new_log().start("family").go().score("followed", (76, 0), (76, 0), (60, 0), (20, 0))
    page.goto(served(log.game()).url)
    check("podium")
