"""The pages in a real browser: layout, live changes, reconnecting, the desk, accessibility."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from referee.game.event_types import Player
from referee.store import Store
from referee.web import BoardServer, CameraState, LiveGame, Outcome, Status
from referee.web.scorekeeper import Scorekeeper

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'referee[dev]'")
pytestmark = pytest.mark.slow

PIN = "424242"
SIZES = {
    "narrow": (320, 640),
    "phone": (390, 844),
    "phone on its side": (844, 390),
    "tablet": (820, 1180),
    "laptop": (1366, 768),
    "television": (1920, 1080),
    "4k": (3840, 2160),
}


def url(server: BoardServer, path: str = "/") -> str:
    return f"http://127.0.0.1:{server.port}{path}"


@pytest.mark.parametrize("size", SIZES)
def test_hostile_names_break_nothing_at_any_size(hostile_log, served, open_page, size) -> None:
    server = served(hostile_log.game())
    page = open_page(url(server), size)
    assert page.title() == "Dutch Blitz scoreboard"
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    assert page.locator(".seat").count() == 8
    assert page.locator("#seat-1 h2").inner_text() == "<script>document.title='pwned'</script>"
    outside = page.evaluate(
        """() => [...document.querySelectorAll('.seat, .seat .n, .seat h2, .ruling')].filter((e) => {
            const box = e.getBoundingClientRect();
            return box.right > innerWidth + 1 || box.left < -1;
        }).length"""
    )
    assert outside == 0


@pytest.mark.parametrize("count", range(2, 9))
def test_television_shows_every_seat_whole_without_scrolling(new_log, served, open_page, count) -> None:
    log = new_log(tuple(f"Player {number}" for number in range(1, count + 1))).start().go()
    log.play(1, "R1", "s1.blitz", "d1")
    page = open_page(url(served(log.game())), "television")
    cut = page.evaluate(
        """() => [...document.querySelectorAll('.seat .n, .seat h2, .seat .race, .seat .label')].filter((e) => {
            const box = e.getBoundingClientRect();
            const seat = e.closest('.seat').getBoundingClientRect();
            return box.bottom > seat.bottom || box.right > seat.right || seat.bottom > innerHeight;
        }).map((e) => e.className + ' ' + e.textContent)"""
    )
    assert cut == []


def test_numbers_never_overlap(log, served, open_page) -> None:
    server = served(log.game())
    for size in SIZES:
        page = open_page(url(server), size)
        clashes = page.evaluate(
            """() => [...document.querySelectorAll('.plate')].flatMap((plate) => {
                const boxes = [...plate.querySelectorAll('.n, h2, .label')]
                    .map((e) => [e.textContent, e.getBoundingClientRect()]).filter(([, b]) => b.width);
                return boxes.flatMap(([a, x], i) => boxes.slice(i + 1)
                    .filter(([, y]) => Math.min(x.right, y.right) - Math.max(x.left, y.left) > 2
                        && Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top) > 6)
                    .map(([b]) => a + ' / ' + b));
            })"""
        )
        assert clashes == [], size


def test_changes_appear_by_themselves_and_keep_the_elements(log, served, open_page) -> None:
    game = log.game()
    page = open_page(url(served(game)))
    playwright.expect(page.locator("#link")).to_have_text("Scored by hand")
    page.evaluate("document.querySelector('#seat-1').marked = true")
    log.play(1, "B2", "s1.wood", "d2")
    game.append(log.events[-1])
    playwright.expect(page.locator("#seat-1 .dutch .n")).to_have_text("4")
    assert page.evaluate("document.querySelector('#seat-1').marked") is True
    log.end_round()
    for event in log.events[-2:]:
        game.append(event)
    playwright.expect(page.locator("#headline")).to_contain_text("Blitz! ")
    playwright.expect(page.locator("#result")).to_contain_text("As followed by the camera")
    game.report(Status(CameraState.LOST))
    playwright.expect(page.locator("#link")).to_have_text("The camera is gone: the referee sees nothing")


def test_page_recovers_after_the_server_was_killed(log, served, open_page) -> None:
    server = served(log.game())
    page = open_page(url(server), strict=False)
    playwright.expect(page.locator("#link")).to_have_text("Scored by hand")
    server.close()
    playwright.expect(page.locator("#link")).to_contain_text("Connection lost")
    playwright.expect(page.locator("#link")).to_have_attribute("data-state", "lost")
    log.end_round()
    served(log.game(), server.port)
    playwright.expect(page.locator("#headline")).to_contain_text("Blitz! ")
    playwright.expect(page.locator("#link")).to_have_text("Scored by hand")


def test_viewer_without_a_stream_polls(log, served, open_page) -> None:
    game = log.game()
    server = served(game, max_streams=1)
    open_page(url(server))
    page = open_page(url(server), strict=False)
    log.play(1, "B2", "s1.wood", "d2")
    game.append(log.events[-1])
    playwright.expect(page.locator("#seat-1 .dutch .n")).to_have_text("4")
    playwright.expect(page.locator("#link")).to_have_text("Scored by hand")


def test_board_is_whole_without_script(log, served, open_page) -> None:
    page = open_page(url(served(log.game())), java_script_enabled=False)
    assert page.locator("#seat-2 .dutch .n").inner_text() == "≈2"
    said = "Seat 2: red 7 on red 5, wrong number: take it back"
    assert said in page.locator(".ruling").first.inner_text()


def test_language_is_chosen_and_remembered(log, served, open_page) -> None:
    page = open_page(url(served(log.game())))
    page.get_by_role("link", name="Français").click()
    playwright.expect(page.locator("h1")).to_have_text("Manche 3")
    playwright.expect(page.locator(".ruling").first).to_contain_text(
        "7 rouge sur 5 rouge, mauvais numéro : reprenez-la"
    )
    page.goto(page.url.partition("?")[0])
    playwright.expect(page.locator("h1")).to_have_text("Manche 3")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility_of_the_board_in_play_and_after(
    log, served, open_page, find_violations, tmp_path, scheme
) -> None:
    game = log.game()
    page = open_page(url(served(game, clips=tmp_path)), "tablet", color_scheme=scheme, reduced_motion="reduce")
    assert find_violations(page) == []
    log.end_round()
    for event in log.events[-2:]:
        game.append(event)
    playwright.expect(page.locator("#result")).to_be_visible()
    assert find_violations(page) == []
    page.evaluate("document.querySelector('h1').after(new Image())")
    assert [rule for rule, _ in find_violations(page)] == ["image-alt"], "a fault would be found"


@pytest.fixture
def keeper(tmp_path) -> Iterator[Scorekeeper]:
    store = Store(tmp_path)
    players = [Player(1, "Ann", "green-pump"), Player(2, "Ben", "yellow-pail")]
    with_thread = Scorekeeper(store, players)
    with_thread.start()
    yield with_thread
    with_thread.close()
    store.close()


def test_whole_game_by_hand_from_the_code_to_the_winner(keeper, served, open_page, open_desk) -> None:
    server = served(keeper.game)
    viewer = open_page(url(server))
    playwright.expect(viewer.locator("#headline")).to_have_text("Waiting for the first round")
    viewer.locator(".join").click()
    playwright.expect(viewer.locator(".address")).to_have_text("192.168.1.20:8000")
    viewer.go_back()
    desk = open_page(url(server))
    open_desk(desk, server)
    desk.get_by_text("Names and decks").click()
    desk.get_by_label("Seat 2", exact=True).fill("<b>Bé</b> 🌷")
    desk.get_by_role("button", name="Save names").click()
    playwright.expect(viewer.locator("#seat-2 h2")).to_have_text("<b>Bé</b> 🌷")
    for number, dutch in ((1, 40), (2, 38)):
        playwright.expect(desk.locator("#now h3").first).to_have_text(f"Write down round {number}")
        desk.locator("#nd-1").fill(str(dutch))
        desk.locator("#nb-2").fill("9")
        desk.get_by_role("button", name="Dutch: one more").nth(1).click()
        desk.get_by_role("button", name="Score the round").click()
    playwright.expect(viewer.locator("#headline")).to_contain_text("wins with 78")
    playwright.expect(viewer.locator("#place-2 .points .n")).to_have_text("−34")
    playwright.expect(viewer.locator("#place-1 .block")).to_contain_text("1")
    desk.locator("#counts summary").last.click()
    desk.locator("#d-1-1").fill("30")
    desk.locator("#counts form").last.get_by_role("button", name="Settle").click()
    playwright.expect(viewer.locator("#seat-1 .total .n")).to_have_text("68")
    playwright.expect(viewer.locator("#headline")).not_to_contain_text("wins")
    desk.get_by_text("New game", exact=True).click()
    desk.get_by_role("button", name="Begin a new game").click()
    playwright.expect(viewer.locator("#seat-1 .total .n")).to_have_text("0")


def test_two_taps_from_a_ruling_to_its_correction(log, served, open_page, open_desk) -> None:
    """The referee of this test only appends what the desk says."""
    game: LiveGame = log.game()
    server = served(game)
    desk = open_page(url(server))
    open_desk(desk, server)
    viewer = open_page(url(server))
    case = desk.locator("#case-17")

    def answer() -> None:
        request = game.next_request(10)
        assert request is not None
        for event in request.command.events:
            log.events.append(replace(event, id=game.version() + 1))
            game.append(log.events[-1])
        request.answer(Outcome(True))

    def press(act: Callable[[], None]) -> None:
        referee = threading.Thread(target=answer)
        referee.start()
        act()
        referee.join()

    case.get_by_text("It was otherwise").click()
    press(lambda: case.get_by_role("button", name="David").click())
    playwright.expect(viewer.locator("#ruling-17 .seat-words")).to_have_text("Seat 4:")
    press(lambda: case.get_by_role("button", name="Overrule").click())
    playwright.expect(viewer.locator("#ruling-17")).to_have_count(0)
    press(lambda: desk.get_by_role("button", name="Stop").click())
    playwright.expect(viewer.locator("#headline")).to_contain_text("Play is stopped")


def test_wrong_pins_are_refused_and_then_made_to_wait(log, served, open_page) -> None:
    server = served(log.game())
    page = open_page(url(server, "/desk"), strict=False)
    for _ in range(5):
        page.get_by_label("PIN").fill("000000")
        page.get_by_role("button", name="Open the desk").click()
        playwright.expect(page.get_by_role("alert")).to_be_visible()
    playwright.expect(page.get_by_role("alert")).to_contain_text("Too many wrong tries: wait")
    page.get_by_label("PIN").fill(PIN)
    page.get_by_role("button", name="Open the desk").click()
    playwright.expect(page.get_by_role("alert")).to_contain_text("Too many wrong tries: wait")


def test_countdown_comes_before_go(new_log, served, open_page, open_desk) -> None:
    log = new_log().start()
    game = log.game()
    game.report(Status(CameraState.LIVE, 0.0, 0.0, 30.0))
    server = served(game)
    desk = open_page(url(server))
    open_desk(desk, server)
    began = time.monotonic()
    desk.get_by_role("button", name="Go!").click()
    playwright.expect(desk.get_by_role("button", name="2")).to_be_visible()
    request = game.next_request(10)
    assert request is not None
    assert time.monotonic() - began > 2.5
    assert request.command.events[0].type == "round_started"
    request.answer(Outcome(True))
