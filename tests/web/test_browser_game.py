"""A whole game in a real browser, from the joining QR code to the podium, and every action of the desk."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.game.cards import Face
from referee.game.event_types import CardMoved, Event, MatchStarted, Player, RoundStarted, Ruled, Violation
from referee.game.events import from_json
from referee.game.match import Match
from referee.game.moves import PileId
from referee.layout import load_layout
from referee.store import Store
from referee.web import CameraState, Command, CountResult, LiveGame, SeatCount, Status
from referee.web.scorekeeper import Scorekeeper

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'referee[dev]'")
pytestmark = pytest.mark.slow
SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "round-4p"


def sample_game() -> Iterator[Event]:
    """Give the log of a match whose rounds are all the sample's, until somebody has won."""
    seats = load_layout(SAMPLE / "layout.toml").seats
    players = tuple(Player(number, seat.name, seat.deck) for number, seat in enumerate(seats, 1))
    yield MatchStarted(id=1, time_s=0.0, seen_s=0.0, players=players, rules={"target": 40})
    lines = (SAMPLE / "events.jsonl").read_text(encoding="utf-8").splitlines()
    shift, later_s = 1, 0.0
    while True:
        for line in lines:
            event = from_json(line)
            event = replace(event, id=event.id + shift, time_s=event.time_s + later_s, seen_s=event.seen_s + later_s)
            if isinstance(event, Ruled):
                event = replace(event, move=event.move + shift)
            if isinstance(event, CardMoved) and event.undoes is not None:
                event = replace(event, undoes=event.undoes + shift)
            yield event
        shift, later_s = event.id, event.seen_s


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="the sample round is not here")
def test_whole_game_from_the_code_to_the_podium(served, open_page) -> None:
    game = LiveGame(Match.new())
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://board.test:{port}/"
    served(game, port, board_url=address, allowed_hosts=frozenset({"board.test"}))
    television = open_page(f"http://127.0.0.1:{port}/", "television")
    television.wait_for_function("document.querySelector('.join img')?.naturalWidth > 0")
    picture = cv2.imdecode(np.frombuffer(television.locator(".join img").screenshot(), np.uint8), cv2.IMREAD_COLOR)
    code = cv2.QRCodeDetector().detectAndDecode(cv2.resize(picture, None, fx=3, fy=3))[0]
    assert code == address
    phone = open_page(code, "phone")
    playwright.expect(phone.locator("#headline")).to_have_text("Waiting for the first round")

    log = sample_game()
    illegal = 0
    while not game.match().winners:
        event = next(log)
        game.append(event)
        game.report(Status(CameraState.LIVE, event.seen_s, 0.0, 30.0))
        if isinstance(event, Ruled) and event.violations and not illegal:
            illegal = event.move
            playwright.expect(phone.locator(f"#ruling-{illegal}")).to_be_visible()
            playwright.expect(phone.locator(f"#ruling-{illegal}")).to_contain_text(f"Seat {_seat(game, illegal)}:")
        if event.type == "round_scored" and not game.match().winners:
            playwright.expect(phone.locator("#headline")).to_contain_text("Blitz!")
            playwright.expect(phone.locator("#result tbody tr")).to_have_count(4)
    assert illegal
    match = game.match()
    winner = match.seat(match.winners[0])
    for page in (phone, television):
        playwright.expect(page.locator(f"#place-{winner.number}")).to_have_attribute("data-place", "1")
        playwright.expect(page.locator(f"#place-{winner.number} .points .n")).to_have_text(str(winner.total))
        assert page.locator(".step").count() + page.locator(".after li").count() == 4
    totals = match.totals()
    shown = {int(row.get_attribute("data-seat")): row for row in phone.locator("#result tbody tr").all()}
    assert {seat: int(row.locator(".sum").inner_text().replace("−", "-")) for seat, row in shown.items()} == totals


def _seat(game: LiveGame, move: int) -> int | None:
    assert game.match().round is not None
    return game.match().round.records[move].event.seat


class Backs:
    def take_count(self, more: bool = False) -> CountResult:
        return CountResult(2, (SeatCount(1, 1, 3, True, "nobody knew who played B2"), SeatCount(2, 1, 1)), sure=True)

    def take_blitz(self, seat: int) -> CountResult:
        return self.take_count()


@pytest.fixture
def keeper(tmp_path) -> Iterator[Scorekeeper]:
    store = Store(tmp_path)
    running = Scorekeeper(store, [Player(1, "Ann", "green-pump"), Player(2, "Ben", "yellow-pail")])
    running.start()
    running.game.report(Status(CameraState.LIVE, 0.0, 0.0, 30.0))
    yield running
    running.close()
    store.close()


def play(keeper: Scorekeeper, seat: int, card: str, *violations: Violation) -> int:
    """Let a seat play a card on the first Dutch Pile; give the move's id."""
    now = {"time_s": 1.0, "seen_s": 1.0}
    move = CardMoved(seat=seat, cards=(Face.parse(card),), source=None, target=PileId.dutch(1), **now)
    assert keeper.game.submit(Command((move,))).done
    id_ = keeper.game.version()
    if violations:
        assert keeper.game.submit(Command((Ruled(move=id_, violations=violations, **now),))).done
    return id_


def test_every_action_of_the_desk(keeper, served, open_page, open_desk, tmp_path) -> None:
    server = served(keeper.game, counter=Backs(), data=tmp_path)
    desk = open_page(server.url)
    open_desk(desk, server)
    viewer = open_page(server.url, "tablet")
    headline = viewer.locator("#headline")

    def press(name: str, within: str = "#desk") -> None:
        desk.locator(within).get_by_role("button", name=name).first.click()
        playwright.expect(desk.locator(".done, .error").first).to_have_class("done")

    # 3, 2, 1, Go, and broken off by undoing it.
    desk.get_by_role("button", name="Go!").click()
    playwright.expect(desk.get_by_role("button", name="“Dutch!” Stop")).to_be_visible()
    press("Undo: Go!")
    playwright.expect(headline).to_contain_text("broken off")
    desk.get_by_role("button", name="Go!", exact=True).click()
    playwright.expect(viewer.locator("h1")).to_have_text("Round 2")
    press("Pause")
    playwright.expect(headline).to_contain_text("paused")
    press("Play goes on")
    playwright.expect(headline).to_have_count(0)
    press("“Dutch!” Stop")
    playwright.expect(headline).to_contain_text("stopped")
    press("Play goes on")

    # A ruling: confirmed, another owner, another card, overruled, never happened, each undone but the last.
    play(keeper, 1, "R1")
    wrong = play(keeper, 2, "R5", Violation.WRONG_NUMBER)
    case, ruling = f"#case-{wrong}", viewer.locator(f"#ruling-{wrong}")
    playwright.expect(desk.locator(case)).to_be_visible()
    desk.locator(case).get_by_text("It was otherwise").click()
    press("Ann", case)
    playwright.expect(ruling.locator(".seat-words")).to_have_text("Seat 1:")
    press("Undo: who played")
    playwright.expect(ruling.locator(".seat-words")).to_have_text("Seat 2:")
    desk.locator(case).get_by_text("It was otherwise").click()
    desk.locator(case).get_by_label("Which card?").fill("b5")
    press("That one", case)
    playwright.expect(ruling).to_contain_text("blue 5")
    press("Undo: which card it was")
    playwright.expect(ruling).to_contain_text("red 5")
    press("Overrule", case)
    playwright.expect(ruling).to_have_count(0)
    press("Undo: the overruled play")
    playwright.expect(ruling).to_be_visible()
    desk.locator(case).get_by_text("It was otherwise").click()
    press("It never happened", case)
    playwright.expect(ruling).to_have_count(0)
    doubtful = play(keeper, 2, "R2")
    now = {"time_s": 1.0, "seen_s": 1.0}
    said = Ruled(move=doubtful, violations=(Violation.TWO_HANDS,), certainty="doubtful", **now)
    keeper.game.submit(Command((said,)))
    playwright.expect(viewer.locator(f"#ruling-{doubtful}")).to_have_attribute("data-state", "doubtful")
    press("It is right", f"#case-{doubtful}")
    playwright.expect(viewer.locator(f"#ruling-{doubtful}")).to_have_attribute("data-state", "open")

    # Blitz by mistake, then really; the count is put off, taken and settled with one tap.
    press("Ben", "#now")
    playwright.expect(headline).to_contain_text("Blitz!")
    press("Play goes on")
    press("Ann", "#now")
    press("Not now", "#counts")
    playwright.expect(viewer.locator("#result")).to_contain_text("not counted yet")
    desk.get_by_role("button", name="Count the backs").click()
    playwright.expect(desk.locator("#counts")).to_contain_text("followed 1, counted 3")
    playwright.expect(desk.locator("#counts")).to_contain_text("nobody knew who played B2")
    desk.get_by_role("button", name="1 as followed").click()
    assert desk.locator("#d-2-1").input_value() == "1"
    desk.get_by_role("button", name="3 as counted").click()
    assert desk.locator("#d-2-1").input_value() == "3"
    press("Settle the score", "#counts")
    playwright.expect(viewer.locator("#result")).to_contain_text("Counted by the backs")
    playwright.expect(viewer.locator("#seat-1 .total .n")).to_have_text("3")
    press("Undo: the settled score")
    playwright.expect(viewer.locator("#seat-1 .total .n")).to_have_text("1")

    # A past round corrected by hand, with one thumb.
    desk.locator("#d-2-2").fill("7")
    desk.locator("#counts").get_by_role("button", name="Blitz left: one more").first.click()
    press("Settle the score", "#counts")
    playwright.expect(viewer.locator("#result")).to_contain_text("Corrected by hand")

    # Names and decks; all stuck; a new game.
    desk.get_by_text("Names and decks").click()
    desk.get_by_label("Seat 3", exact=True).fill("Zoë")
    desk.get_by_label("Deck of seat 3").select_option("blue-plow")
    press("Save names")
    playwright.expect(viewer.locator("#seat-3 h2")).to_have_text("Zoë")
    press("Undo: names and decks")
    playwright.expect(viewer.locator("#seat-3")).to_have_count(0)
    desk.get_by_role("button", name="Go!", exact=True).click()
    playwright.expect(viewer.locator("h1")).to_have_text("Round 3")
    desk.get_by_text("End the round otherwise").click()
    press("All are stuck: end it")
    playwright.expect(headline).to_contain_text("without Blitz")
    desk.get_by_text("End the round otherwise").click()
    press("Break it off")
    playwright.expect(headline).to_contain_text("does not count")
    desk.get_by_text("New game", exact=True).last.click()
    press("Begin a new game")
    playwright.expect(viewer.locator("h1")).to_have_text("New game")
    playwright.expect(viewer.locator("#seat-1 .total .n")).to_have_text("0")

    # The old game is in the history and can be deleted with the PIN; the desk closes.
    desk.goto(f"{server.url}history")
    desk.locator(".games a").last.click()
    desk.get_by_text("Delete this game").click()
    desk.get_by_label("PIN, to confirm").fill("424242")
    desk.get_by_role("button", name="Delete it for good").click()
    playwright.expect(desk.get_by_role("status")).to_have_text("The game was deleted.")
    desk.goto(f"{server.url}desk")
    desk.get_by_role("button", name="Close the desk").click()
    desk.goto(f"{server.url}desk")
    playwright.expect(desk.get_by_label("PIN")).to_be_visible()


def test_desk_shows_what_happened_while_its_own_answer_was_on_the_way(keeper, served, open_page, open_desk) -> None:
    server = served(keeper.game)
    desk = open_page(server.url)
    open_desk(desk, server)
    viewer = open_page(server.url, "tablet")
    now = {"time_s": 1.0, "seen_s": 1.0}
    assert keeper.game.submit(Command((RoundStarted(seats=2, **now),))).done
    wrong: list[int] = []

    def answer_late(route) -> None:
        answer = route.fetch()
        wrong.append(play(keeper, 2, "R5", Violation.WRONG_NUMBER))
        playwright.expect(viewer.locator(f"#ruling-{wrong[0]}")).to_be_visible()
        route.fulfill(response=answer)

    desk.route("**/desk/do/pause", answer_late)
    desk.get_by_role("button", name="Pause").click()
    playwright.expect(desk.locator(".case")).to_be_visible()
    playwright.expect(desk.locator(".done")).to_be_visible()


def test_phone_that_slept_knows_everything_when_it_wakes(log, served, open_page) -> None:
    game = log.game()
    phone = open_page(served(game).url, strict=False)
    playwright.expect(phone.locator("#link")).to_have_text("Scored by hand")
    phone.evaluate("document.querySelector('#seat-1').marked = true")
    sleep = phone.context.new_cdp_session(phone)
    sleep.send("Page.setWebLifecycleState", {"state": "frozen"})
    phone.context.set_offline(True)
    log.end_round()
    for event in log.events[-2:]:
        game.append(event)
    time.sleep(6)
    phone.context.set_offline(False)
    sleep.send("Page.setWebLifecycleState", {"state": "active"})
    playwright.expect(phone.locator("#headline")).to_contain_text("Blitz!")
    playwright.expect(phone.locator("#link")).to_have_text("Scored by hand")
    assert phone.evaluate("document.querySelector('#seat-1').marked") is True, "without loading the page again"


def test_podium_stands_still_for_those_who_want_no_motion(new_log, served, open_page) -> None:
    log = new_log().start().go().score("counted", (76, 0), (20, 0), (30, 0), (20, 0))
    url = served(log.game()).url
    moving = "document.getAnimations().length"
    assert open_page(url, reduced_motion="reduce").evaluate(moving) == 0
    assert open_page(url, reduced_motion="no-preference").evaluate(moving) > 3


def test_rulings_are_spoken_where_go_was_tapped(keeper, served, open_page, open_desk) -> None:
    desk = open_page(served(keeper.game).url)
    desk.context.add_init_script(
        "window.said = []; SpeechSynthesis.prototype.speak = (words) => window.said.push([words.text, words.lang]);"
    )
    server_url = desk.url
    desk.goto(f"{server_url}desk")
    desk.get_by_label("PIN").fill("424242")
    desk.get_by_role("button", name="Open the desk").click()
    desk.get_by_role("button", name="Go!").click()
    playwright.expect(desk.get_by_role("button", name="“Dutch!” Stop")).to_be_visible()
    play(keeper, 1, "R1")
    play(keeper, 2, "R7", Violation.WRONG_NUMBER)
    playwright.expect(desk.locator(".case")).to_have_count(1)
    deadline = time.monotonic() + 10
    while not desk.evaluate("window.said.length") and time.monotonic() < deadline:
        time.sleep(0.1)
    assert desk.evaluate("window.said") == [["Seat 2, red 7: take it back", "en"]]


def test_event_is_seen_in_the_browser_soon(log, served, open_page) -> None:
    """From the event to the changed page, the browser's own work included; the figure for many viewers is `bench`'s."""
    game = log.game()
    page = open_page(served(game).url)
    playwright.expect(page.locator("#link")).to_have_text("Scored by hand")
    page.evaluate(
        """() => { window.seen = []; new MutationObserver(() => window.seen.push(Date.now()))
            .observe(document.querySelector('#seat-1'), { childList: true, characterData: true, subtree: true }); }"""
    )
    said = []
    for card in ("B2", "B3", "B4", "B5", "B6", "B7", "B8"):
        log.play(1, card, "s1.wood", "d2")
        said.append(time.time() * 1e3)
        game.append(log.events[-1])
        playwright.expect(page.locator("#seat-1 .dutch .n")).to_have_text(re.compile(rf"≈?{2 + int(card[1:])}$"))
        time.sleep(0.3)
    seen = page.evaluate("window.seen")
    delays = sorted(min(at - moment for at in seen if at >= moment) for moment in said)
    assert delays[len(delays) // 2] < 500
