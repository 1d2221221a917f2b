"""The count by the backs at the desk: asked for, shown, settled, put off; the real store and scorekeeper behind it."""

from __future__ import annotations

import html
import re
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from referee.game.event_types import BlitzSeen, Player, RoundStarted
from referee.game.round import Phase
from referee.store import Store
from referee.web import BlitzCount, Command, CountResult, SeatCount, WebSettings, create_app
from referee.web.counting import CountDesk
from referee.web.scorekeeper import Scorekeeper

PIN = "424242"
ORIGIN = {"Origin": "http://localhost"}
CAUSE = "nobody knew who played R7 and B2"


class Backs:
    """A camera that gives one count after the other; the fake end of the protocol."""

    def __init__(self, *results: CountResult) -> None:
        self.results = list(results)
        self.asked: list[bool] = []
        self.asked_blitz: list[int] = []
        self.taken_up: list[CountResult] = []

    def take_up(self, found: CountResult) -> None:
        self.taken_up.append(found)

    def take_count(self, more: bool = False) -> CountResult:
        self.asked.append(more)
        return self.results.pop(0)

    def take_blitz(self, seat: int) -> CountResult:
        self.asked_blitz.append(seat)
        return self.results.pop(0)


@pytest.fixture
def keeper(tmp_path) -> Iterator[Scorekeeper]:
    store = Store(tmp_path)
    running = Scorekeeper(store, [Player(1, "Ann", "green-pump"), Player(2, "Ben", "yellow-pail")])
    running.start()
    now = {"time_s": 0.0, "seen_s": 0.0}
    running.game.submit(Command((RoundStarted(seats=2, **now), BlitzSeen(seat=1, **now))))
    yield running
    running.close()
    store.close()


def token(client: FlaskClient) -> str:
    found = re.search(r'name="token" value="([^"]+)"', client.get("/desk").text)
    assert found is not None
    return found[1]


def open_desk(keeper: Scorekeeper, counter: Backs | None) -> FlaskClient:
    client = create_app(keeper.game, WebSettings(pin=PIN), counter).test_client()
    assert client.post("/desk/open", data={"token": token(client), "pin": PIN}, headers=ORIGIN).status_code == 303
    return client


def press(client: FlaskClient, path: str, **fields: object) -> str:
    data = {"token": token(client), **{name.replace("_", "-"): str(value) for name, value in fields.items()}}
    assert client.post(path, data=data, headers=ORIGIN).status_code == 303
    return client.get("/desk").text


COUNTED = CountResult(1, (SeatCount(1, 0, 19), SeatCount(2, 0, 12, False, CAUSE)), unread=1, faces=2)


def test_count_is_shown_with_differences_and_likely_causes(keeper) -> None:
    client = open_desk(keeper, Backs(COUNTED))
    assert "Count the backs" in client.get("/desk").text
    page = press(client, "/desk/count/take")
    for words in (
        "followed 0, counted 19",
        "+19",
        CAUSE,
        "not sure",
        "1 back could not be read",
        "2 cards lie face up: turn them over",
    ):
        assert words in page
    assert "counted otherwise than followed" not in page, "there are still cards to turn over"
    assert re.search(r'id="d-1-1"[^>]*value="19"', page)
    assert re.search(r'id="d-1-2"[^>]*value="0"', page), "a count that is not sure is not proposed"
    assert keeper.game.match().round.phase is Phase.ENDED, "nothing is in the log before it is settled"


def test_one_tap_settles_what_was_counted(keeper) -> None:
    agreed = CountResult(1, (SeatCount(1, 0, 19), SeatCount(2, 0, 12)), sure=True)
    client = open_desk(keeper, Backs(agreed))
    press(client, "/desk/count/take")
    page = press(client, "/desk/count/settle", round=1, by="counted", dutch_1=19, blitz_1=0, dutch_2=12, blitz_2=10)
    scores = keeper.game.match().round.scores
    assert set(scores) == {"counted"}
    assert [(row.dutch, row.score, row.sure) for row in scores["counted"]] == [(19, 19, True), (12, -8, True)]
    assert keeper.game.match().round.find_differences() == {1: 19, 2: 12}
    assert "counted by the backs" in page
    assert "followed 0, counted 19" not in page


def test_person_who_knows_better_is_written_above_the_count(keeper) -> None:
    client = open_desk(keeper, Backs(COUNTED))
    press(client, "/desk/count/take")
    press(client, "/desk/count/settle", round=1, by="counted", dutch_1=19, blitz_1=0, dutch_2=14, blitz_2=10)
    scores = keeper.game.match().round.scores
    assert [row.dutch for row in scores["counted"]] == [19, 12]
    assert [row.sure for row in scores["counted"]] == [True, False]
    assert [row.dutch for row in scores["corrected"]] == [19, 14]
    assert keeper.game.match().totals() == {1: 19, 2: -6}


SQUARED = "seat 2: the Blitz Pile lies squared: spread it, or show its cards one by one"
BOTH = CountResult(
    1, (SeatCount(1, 0, 19), SeatCount(2, 0, 12)), sure=True, blitz=(BlitzCount(1, 0, 0), BlitzCount(2, 10, 3))
)
UNCOUNTED = CountResult(1, BOTH.seats, sure=True, blitz=(BlitzCount(1, 0, 0), BlitzCount(2, 10, None, False, SQUARED)))


def test_one_tap_settles_dutch_and_blitz_cards_as_counted(keeper) -> None:
    client = open_desk(keeper, Backs(BOTH))
    page = press(client, "/desk/count/take")
    assert "2 seats were counted otherwise than followed" in page
    assert "Blitz left: 0, as followed" in page
    assert "Blitz left: followed 10, counted 3" in page
    fields = dict(re.findall(r'name="((?:dutch|blitz)-\d)"[^>]*value="(\d+)"', page))
    assert fields == {"dutch-1": "19", "blitz-1": "0", "dutch-2": "12", "blitz-2": "3"}
    press(client, "/desk/count/settle", round=1, by="counted", **{k.replace("-", "_"): v for k, v in fields.items()})
    scores = keeper.game.match().round.scores
    assert set(scores) == {"counted"}
    assert [(row.dutch, row.blitz, row.score, row.sure) for row in scores["counted"]] == [
        (19, 0, 19, True),
        (12, 3, 6, True),
    ]


def test_person_who_knows_the_blitz_cards_better_is_written_above_the_count(keeper) -> None:
    client = open_desk(keeper, Backs(BOTH))
    press(client, "/desk/count/take")
    press(client, "/desk/count/settle", round=1, by="counted", dutch_1=19, blitz_1=0, dutch_2=12, blitz_2=4)
    scores = keeper.game.match().round.scores
    assert [row.blitz for row in scores["counted"]] == [0, 3]
    assert [row.blitz for row in scores["corrected"]] == [0, 4]


def test_blitz_pile_that_cannot_be_counted_is_said_and_players_may_confirm(keeper) -> None:
    backs = Backs(UNCOUNTED, BOTH)
    client = open_desk(keeper, backs)
    page = press(client, "/desk/count/take")
    assert "followed 10, not counted" in page
    assert "1 Blitz Pile is not counted yet" in page
    assert SQUARED in html.unescape(page)
    assert re.search(r'id="b-1-2"[^>]*value="10"', page), "what can't be counted is proposed as followed"
    assert 'form="blitz-2"' in page
    assert 'form="blitz-1"' not in page
    page = press(client, "/desk/count/blitz", seat=2)
    assert backs.asked_blitz == [2]
    assert "Blitz left: followed 10, counted 3" in page
    press(client, "/desk/count/blitz", seat=7)
    assert backs.asked_blitz == [2], "nobody sits there"


def test_score_of_a_blitz_pile_that_was_not_counted_is_as_the_person_says(keeper) -> None:
    client = open_desk(keeper, Backs(UNCOUNTED))
    press(client, "/desk/count/take")
    press(client, "/desk/count/settle", round=1, by="counted", dutch_1=19, blitz_1=0, dutch_2=12, blitz_2=5)
    scores = keeper.game.match().round.scores
    assert set(scores) == {"counted"}
    assert [row.blitz for row in scores["counted"]] == [0, 5]


def test_count_that_is_put_off_leaves_the_score_as_followed(keeper) -> None:
    client = open_desk(keeper, Backs(COUNTED, COUNTED))
    press(client, "/desk/count/take")
    page = press(client, "/desk/count/later")
    assert set(keeper.game.match().round.scores) == {"followed"}
    assert "as followed by the camera" in page
    assert "stays as it was followed" in page
    assert "followed 0, counted 19" not in page
    board = create_app(keeper.game, WebSettings()).test_client().get("/").text
    assert "As followed by the camera, not counted yet" in board
    press(client, "/desk/count/take")
    press(client, "/desk/count/settle", round=1, by="counted", dutch_1=19, blitz_1=0, dutch_2=12, blitz_2=10)
    assert set(keeper.game.match().round.scores) == {"followed", "counted"}


def test_cards_that_did_not_fit_are_added(keeper) -> None:
    backs = Backs(COUNTED, COUNTED, CountResult(0, problem="no picture yet: wait for the camera"))
    client = open_desk(keeper, backs)
    assert "Add more cards" in press(client, "/desk/count/take")
    press(client, "/desk/count/take", more=1)
    assert backs.asked == [False, True]
    page = press(client, "/desk/count/take")
    assert "no picture yet: wait for the camera" in page
    assert "Add more cards" not in page


def test_numbers_can_always_be_written_by_hand(keeper) -> None:
    client = open_desk(keeper, None)
    page = client.get("/desk").text
    assert "Count the backs" not in page
    assert "No camera counts here" in press(client, "/desk/count/take")
    press(client, "/desk/count/settle", round=1, by="counted", dutch_1=19, blitz_1=0, dutch_2=12, blitz_2=10)
    assert keeper.game.match().totals() == {1: 19, 2: -8}


def test_old_count_does_not_settle_the_next_round(keeper) -> None:
    client = open_desk(keeper, Backs(COUNTED))
    press(client, "/desk/count/take")
    press(client, "/desk/do/abandon")
    now = {"time_s": 0.0, "seen_s": 0.0}
    keeper.game.submit(Command((RoundStarted(seats=2, **now),)))
    page = press(client, "/desk/count/take")
    assert "The cards are counted once the round is over." in page
    keeper.game.submit(Command((BlitzSeen(seat=2, **now),)))
    assert "followed 0, counted 19" not in client.get("/desk").text
    press(client, "/desk/count/settle", round=2, by="counted", dutch_1=5, blitz_1=1, dutch_2=6, blitz_2=0)
    assert [row.dutch for row in keeper.game.match().round.scores["counted"]] == [5, 6]


def test_what_a_camera_says_is_told_in_the_viewers_words(keeper) -> None:
    cause = "R7 on d3 was seat 2's (nobody was named); a card on d12 was no play; 2 plays of theirs were missed"
    said = CountResult(1, (SeatCount(1, 0, 19, True, cause), SeatCount(2, 0, 0)))
    problem = CountResult(
        1, problem="3 cards of red-plow, which no seat plays with: a foreign or spare deck's: take it away"
    )
    client = open_desk(keeper, Backs(said, problem))
    page = html.unescape(press(client, "/desk/count/take"))
    assert "red 7 on Dutch Pile 3 was seat 2's (nobody was named); a card on Dutch Pile 12 was no play" in page
    client.get("/desk?lang=fr")
    page = html.unescape(client.get("/desk").text)
    assert "7 rouge sur la pile néerlandaise 3 était à la place 2 (personne n’était nommé)" in page
    assert "2 de ses coups ont été manqués" in page
    page = html.unescape(press(client, "/desk/count/take"))
    assert "3 cartes de charrue rouge" in page


def test_blitz_pile_that_is_not_counted_is_told_in_the_viewers_words(keeper) -> None:
    client = open_desk(keeper, Backs(UNCOUNTED))
    client.get("/desk?lang=fr")
    page = html.unescape(press(client, "/desk/count/take"))
    assert "1 pile de blitz n’est pas encore comptée" in page
    assert "place 2 : la pile de blitz" in page.replace("\u202f", " ").replace("\xa0", " ")
    assert "squared" not in page
    assert 'data-state="open"' in page, "nobody knows: neither the same nor another number"


def test_count_of_an_older_game_is_not_shown_for_the_next(keeper) -> None:
    client = open_desk(keeper, Backs(COUNTED))
    press(client, "/desk/count/take")
    press(client, "/desk/do/new-game", variant="official")
    now = {"time_s": 0.0, "seen_s": 0.0}
    keeper.game.submit(Command((RoundStarted(seats=2, **now), BlitzSeen(seat=1, **now))))
    assert keeper.game.match().round.number == 1
    assert "followed 0, counted 19" not in client.get("/desk").text


def test_count_of_a_round_that_was_played_on_is_not_shown_for_its_end(keeper) -> None:
    client = open_desk(keeper, Backs(COUNTED))
    assert "followed 0, counted 19" in press(client, "/desk/count/take")
    press(client, "/desk/do/resume")
    press(client, "/desk/do/blitz", seat=2)
    assert keeper.game.match().round.phase is Phase.ENDED
    assert "followed 0, counted 19" not in client.get("/desk").text


def test_what_cannot_be_added_to_a_count_does_not_undo_it(keeper) -> None:
    hand = CountResult(1, problem="There is no clear picture yet: take all hands off the table.")
    client = open_desk(keeper, Backs(UNCOUNTED, hand, hand))
    press(client, "/desk/count/take")
    for path, fields in (("/desk/count/take", {"more": 1}), ("/desk/count/blitz", {"seat": 2})):
        page = press(client, path, **fields)
        assert "take all hands off the table" in page
        assert "followed 0, counted 19" in page
        assert "Add more cards" in page


@contextmanager
def restarted(folder: Path, counter: Backs | None) -> Iterator[tuple[Scorekeeper, FlaskClient]]:
    """Start the program again with its log."""
    store = Store(folder)
    running = Scorekeeper(store, [Player(1, "Ann", "green-pump"), Player(2, "Ben", "yellow-pail")])
    running.start()
    app = create_app(running.game, WebSettings(pin=PIN, data=folder), counter)
    client = app.test_client()
    client.post("/desk/open", data={"token": token(client), "pin": PIN}, headers=ORIGIN)
    try:
        yield running, client
    finally:
        running.close()
        store.close()


def begin_and_end(running: Scorekeeper) -> None:
    now = {"time_s": 0.0, "seen_s": 0.0}
    running.game.submit(Command((RoundStarted(seats=2, **now), BlitzSeen(seat=1, **now))))


def test_count_that_waits_survives_a_restart_until_it_is_settled(tmp_path) -> None:
    with restarted(tmp_path, Backs(UNCOUNTED)) as (running, client):
        begin_and_end(running)
        press(client, "/desk/count/take")
    again = Backs()
    with restarted(tmp_path, again) as (running, client):
        page = client.get("/desk").text
        assert "followed 0, counted 19" in page
        assert SQUARED in html.unescape(page)
        assert again.taken_up == [UNCOUNTED]
        press(client, "/desk/count/settle", round=1, by="counted", dutch_1=19, blitz_1=0, dutch_2=12, blitz_2=5)
        assert set(running.game.match().round.scores) == {"counted"}
    third = Backs()
    with restarted(tmp_path, third) as (_, client):
        assert "followed 0, counted 19" not in client.get("/desk").text
        assert third.taken_up == []


def test_count_is_not_kept_for_another_round_or_game(tmp_path) -> None:
    with restarted(tmp_path, Backs(COUNTED, CountResult(0, problem="No backs lie in the middle"))) as (running, client):
        begin_and_end(running)
        press(client, "/desk/count/take")
        press(client, "/desk/do/new-game", variant="official")
        begin_and_end(running)
    again = Backs(COUNTED)
    with restarted(tmp_path, again) as (running, client):
        assert "followed 0, counted 19" not in client.get("/desk").text
        press(client, "/desk/count/take")
        begin_and_end(running)
    with restarted(tmp_path, again) as (_, client):
        assert "followed 0, counted 19" not in client.get("/desk").text
    assert again.taken_up == []


@pytest.mark.parametrize(
    "body", ["{", "[]", '{"at_s": 1}', '{"at_s": 1e9, "found": {"round": 1, "seats": [{"by": 1}]}}']
)
def test_kept_count_that_cannot_be_read_is_none(tmp_path, body: str) -> None:
    with restarted(tmp_path, None) as (running, _):
        begin_and_end(running)
        with closing(Store(tmp_path, read_only=True)) as store:
            store.keep_count(running.game.number(), body)
    with restarted(tmp_path, Backs()) as (_, client):
        assert client.get("/desk").status_code == 200


def test_two_desks_that_ask_at_once_get_one_count(keeper) -> None:
    began, arrived, go_on = threading.Event(), threading.Event(), threading.Event()

    class Slow(Backs):
        def take_count(self, more: bool = False) -> CountResult:
            began.set()
            go_on.wait(5)
            return super().take_count(more)

    backs = Slow(COUNTED, COUNTED)
    desk = CountDesk(keeper.game, backs)

    def ask_too() -> None:
        began.wait(5)
        arrived.set()
        desk.take(False)

    threads = [threading.Thread(target=desk.take, args=(False,)), threading.Thread(target=ask_too)]
    for thread in threads:
        thread.start()
    arrived.wait(5)
    threads[1].join(0.3)
    assert threads[1].is_alive(), "it waits for the count of the first"
    go_on.set()
    for thread in threads:
        thread.join()
    assert backs.asked == [False]
    assert desk.found() is COUNTED


@pytest.mark.parametrize("path", ["/desk/count/take", "/desk/count/blitz", "/desk/count/settle", "/desk/count/later"])
def test_count_needs_pin_token_and_origin(keeper, path) -> None:
    backs = Backs(COUNTED)
    client = open_desk(keeper, backs)
    before = keeper.game.match()
    good = token(client)
    assert client.post(path, data={"token": good}).status_code == 403
    assert client.post(path, headers=ORIGIN).status_code == 403
    stranger = create_app(keeper.game, WebSettings(pin=PIN), backs).test_client()
    assert stranger.post(path, data={"token": token(stranger)}, headers=ORIGIN).status_code == 403
    assert keeper.game.match() is before
    assert backs.asked == []
