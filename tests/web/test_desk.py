from __future__ import annotations

import re
import threading
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.game.event_types import Player
from referee.game.events import from_json, to_json
from referee.game.match import Match, MatchError
from referee.game.variant import get_variant
from referee.store import Store
from referee.web import Outcome, WebSettings, create_app
from referee.web.desk_commands import ACTIONS, FormError, read_command
from referee.web.language import get_language
from referee.web.live import LiveGame
from referee.web.ports import Command
from referee.web.scorekeeper import Scorekeeper

PIN = "424242"
EN = get_language("en")
ORIGIN = {"Origin": "http://localhost"}


@pytest.fixture
def store(tmp_path) -> Iterator[Store]:
    kept = Store(tmp_path)
    yield kept
    kept.close()


@pytest.fixture
def keeper(store) -> Iterator[Scorekeeper]:
    running = Scorekeeper(store, [Player(1, "Ann", "green-pump"), Player(2, "Ben", "yellow-pail")])
    running.start()
    yield running
    running.close()


def token(client: FlaskClient) -> str:
    found = re.search(r'name="token" value="([^"]+)"', client.get("/desk").text)
    assert found is not None
    return found[1]


@pytest.fixture
def client(keeper) -> FlaskClient:
    browser = create_app(keeper.game, WebSettings(pin=PIN)).test_client()
    answer = browser.post("/desk/open", data={"token": token(browser), "pin": PIN}, headers=ORIGIN)
    assert answer.status_code == 303
    return browser


def press(client: FlaskClient, action: str, **fields: object) -> str:
    """Press a button and give what the desk says then."""
    data = {"token": token(client), **{name.replace("_", "-"): str(value) for name, value in fields.items()}}
    assert client.post(f"/desk/do/{action}", data=data, headers=ORIGIN).status_code == 303
    return client.get("/desk").text


def test_session_cookie_is_out_of_reach_of_scripts_and_other_sites(client) -> None:
    answer = client.post("/desk/open", data={"token": token(client), "pin": PIN}, headers=ORIGIN)
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


@pytest.mark.parametrize("action", sorted(ACTIONS))
def test_nothing_changes_without_pin_token_and_origin(keeper, client, action) -> None:
    before = keeper.game.match()
    good = token(client)
    fresh = create_app(keeper.game, WebSettings(pin=PIN)).test_client()
    path = f"/desk/do/{action}"
    seats = {"name-1": "Eve", "dutch-1": "40", "dutch-2": "1", "blitz-1": "0", "blitz-2": "1"}
    assert fresh.post(path, data={"token": token(fresh), **seats}, headers=ORIGIN).status_code == 403
    assert client.post(path, data=seats, headers=ORIGIN).status_code == 403
    assert client.post(path, data={"token": "x", **seats}, headers=ORIGIN).status_code == 403
    assert client.post(path, data={"token": good, **seats}).status_code == 403
    for foreign in ("http://evil.example", "http://localhost:81", "https://localhost", "null"):
        assert client.post(path, data={"token": good, **seats}, headers={"Origin": foreign}).status_code == 403
    assert client.get(path).status_code == 405
    assert keeper.game.match() is before


def test_login_needs_our_own_page(keeper) -> None:
    browser = create_app(keeper.game, WebSettings(pin=PIN)).test_client()
    assert browser.post("/desk/open", data={"pin": PIN}, headers=ORIGIN).status_code == 403
    good = token(browser)
    foreign = {"Origin": "http://evil.example"}
    assert browser.post("/desk/open", data={"pin": PIN, "token": good}, headers=foreign).status_code == 403
    assert browser.post("/desk/open", data={"pin": "1", "token": good}, headers=ORIGIN).status_code == 403
    assert "Open the desk" in browser.get("/desk").text


def test_closed_desk_stays_closed(client) -> None:
    old = token(client)
    assert client.post("/desk/close", data={"token": old}, headers=ORIGIN).status_code == 303
    assert "Open the desk" in client.get("/desk").text
    assert client.post("/desk/do/go", data={"token": old}, headers=ORIGIN).status_code == 403


def test_rounds_are_written_down_and_corrected(keeper, client) -> None:
    assert "Done." in press(client, "by-hand", dutch_1=19, blitz_1=3, dutch_2=25, blitz_2=0)
    match = keeper.game.match()
    assert match.totals() == {1: 13, 2: 25}
    assert match.round is not None
    assert match.round.blitz_seat == 2
    press(client, "count", round=1, by="counted", dutch_1=20, blitz_1=3, dutch_2=25, blitz_2=0)
    assert keeper.game.match().totals() == {1: 14, 2: 25}
    press(client, "count", round=1, by="corrected", dutch_1=10, blitz_1=10, dutch_2=0, blitz_2=0)
    assert keeper.game.match().totals() == {1: -10, 2: 0}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("dutch_1", "-1"),
        ("dutch_1", "41"),
        ("dutch_1", "x"),
        ("dutch_1", ""),
        ("blitz_2", "１"),
        ("blitz_2", "9" * 5000),
    ],
)
def test_impossible_counts_are_refused_in_words(keeper, client, field, value) -> None:
    counts = {"dutch_1": 19, "blitz_1": 3, "dutch_2": 25, "blitz_2": 0, field: value}
    assert "Write a number from 0 to 40." in press(client, "by-hand", **counts)
    assert keeper.game.match().rounds == ()


def test_more_cards_than_a_deck_has_are_refused(keeper, client) -> None:
    press(client, "by-hand", dutch_1=19, blitz_1=3, dutch_2=25, blitz_2=0)
    said = press(client, "count", round=1, dutch_1=35, blitz_1=6, dutch_2=25, blitz_2=0)
    assert "Seat 1: a deck has only 40 cards." in said


def test_names_and_decks_are_changed_and_people_join(keeper, client) -> None:
    press(client, "seats", name_1="  Anna\u202e ", deck_1="blue-plow", name_2="Ben", name_3="Clara", name_4="")
    seats = keeper.game.match().seats
    assert [(seat.number, seat.name, seat.deck) for seat in seats] == [
        (1, "Anna", "blue-plow"),
        (2, "Ben", "yellow-pail"),
        (3, "Clara", ""),
    ]
    assert "Nothing was changed." in press(client, "seats", name_1="Anna", deck_1="blue-plow")
    assert "A name has 200 letters at most." in press(client, "seats", name_1="A" * 201)
    assert "There is no such deck." in press(client, "seats", name_1="A", deck_1="pink-pig")


def test_new_game_begins_at_nought_and_the_log_goes_on(keeper, client, store) -> None:
    press(client, "by-hand", dutch_1=19, blitz_1=3, dutch_2=25, blitz_2=0)
    last = keeper.game.version()
    press(client, "new-game", variant="family")
    match = keeper.game.match()
    assert match.totals() == {1: 0, 2: 0}
    assert match.variant.name == "family"
    assert keeper.game.version() > last
    assert [len(store.events(game.id)) for game in store.games()] == [4, 1]


def test_what_cannot_be_is_said_and_changes_nothing(keeper, client) -> None:
    assert "There is no round yet." in press(client, "pause")
    assert "The desk has no such button." in press(client, "explode")
    press(client, "go")
    assert "A round is being played." in press(client, "go")
    before = keeper.game.match()
    assert "seat_joined" in press(client, "seats", name_3="Clara")
    assert keeper.game.match() is before


def test_round_is_stopped_resumed_ended_and_broken_off(keeper, client) -> None:
    def phase() -> str:
        round_ = keeper.game.match().round
        assert round_ is not None
        return round_.phase.value

    press(client, "go")
    for action, expected in [
        ("dutch", "stopped"),
        ("resume", "playing"),
        ("pause", "paused"),
        ("resume", "playing"),
    ]:
        press(client, action)
        assert phase() == expected
    press(client, "blitz", seat=2)
    assert phase() == "ended"
    press(client, "resume")
    assert phase() == "playing"
    press(client, "abandon")
    assert phase() == "abandoned"


def test_game_goes_on_after_the_program_was_stopped(tmp_path) -> None:
    for expected in ({1: 0, 2: 0}, {1: 13, 2: 25}, {1: 26, 2: 50}):
        store = Store(tmp_path)
        keeper = Scorekeeper(store, [Player(1, "Ann"), Player(2, "Ben")])
        assert keeper.game.match().totals() == expected
        keeper.start()
        form = {"dutch-1": "19", "blitz-1": "3", "dutch-2": "25", "blitz-2": "0"}
        assert keeper.game.submit(read_command("by-hand", form, keeper.game.match(), EN)).done
        keeper.close()
        store.close()


def test_too_few_players_are_refused(store) -> None:
    with pytest.raises(MatchError, match="2 to 8"):
        Scorekeeper(store, [Player(1, "Ann")])


def test_command_without_a_referee_is_withdrawn_and_never_carried_out_later(log) -> None:
    game = LiveGame(log.match(), log.events, answer_within_s=0.05)
    outcome = game.submit(Command(()))
    assert not outcome.done
    assert "does not answer" in outcome.reason
    assert game.next_request() is None


def test_command_that_was_taken_in_time_is_waited_for(log) -> None:
    game = LiveGame(log.match(), log.events, answer_within_s=0.3)

    def slow_referee() -> None:
        request = game.next_request(1.0)
        assert request is not None
        threading.Event().wait(0.4)
        request.answer(Outcome(True))

    referee = threading.Thread(target=slow_referee)
    referee.start()
    assert game.submit(Command(())).done
    referee.join()


def test_new_game_may_have_another_target(keeper, client) -> None:
    press(client, "new-game", variant="official", target="100")
    assert keeper.game.match().variant.target == 100
    press(client, "new-game", variant="official")
    assert keeper.game.match().variant.target == 100, "house rules stay"
    assert "Write a number from 1 to 1000." in press(client, "new-game", variant="official", target="0")


def test_corrections_of_a_ruling(log) -> None:
    match = log.match()

    def read(action: str, **form: str) -> object:
        return read_command(action, {"move": "17", **form}, match, EN).events[0]

    assert read("confirm").by == "person"
    assert read("confirm").violations == match.round.records[17].blame.violations
    assert read("overrule").violations == ()
    assert read("owner", seat="4").changes == {"seat": 4}
    assert str(read("card", card="r6").changes["cards"][0]) == "R6"
    assert read("retract").retracted
    for action, form in [
        ("owner", {"seat": "9"}),
        ("owner", {"seat": "2"}),
        ("card", {"card": "AS"}),
        ("card", {"card": "R11"}),
        ("card", {"card": "R7"}),
        ("overrule", {"move": "999"}),
        ("confirm", {"move": "6"}),
    ]:
        with pytest.raises(FormError):
            read(action, **form)


_texts = st.one_of(
    st.text(max_size=12),
    st.integers(-2, 50).map(str),
    st.sampled_from(["R7", "green-pump", "counted", "official", "17"]),
)
_names = st.sampled_from(
    ["move", "seat", "card", "round", "by", "variant"]
    + [f"{what}-{seat}" for what in ("dutch", "blitz", "name", "deck") for seat in (1, 2, 3, 4)]
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(action=st.one_of(st.sampled_from(sorted(ACTIONS)), st.text(max_size=5)), form=st.dictionaries(_names, _texts))
def test_any_form_gives_events_that_can_be_written_or_a_sentence(game, action, form) -> None:
    for match in (game.match(), Match.new()):
        try:
            command = read_command(action, form, match, EN)
        except FormError:
            continue
        assert command.events
        for event in command.events:
            assert to_json(from_json(to_json(event))) == to_json(event)


@pytest.fixture
def stranger(game) -> FlaskClient:
    """Somebody without the PIN."""
    return create_app(game, WebSettings(pin=PIN)).test_client()


_words = st.text(max_size=20).map(lambda text: text.replace("?", "%3F"))
_paths = st.one_of(
    st.sampled_from(["/", "/state", "/desk", "/desk/open", "/desk/close", "/qr.svg", "/join", "/source", "/health"]),
    _words.map(lambda text: "/" + text),
    _words.map(lambda text: "/desk/do/" + text),
    _words.map(lambda text: "/static/" + text),
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"]),
    path=_paths,
    query=st.dictionaries(st.sampled_from(["lang", "after", "v"]), st.text(max_size=20)),
    form=st.dictionaries(st.sampled_from(["token", "pin", "seat"]), st.text(max_size=20)),
    headers=st.fixed_dictionaries({}, optional={"Origin": st.sampled_from(["http://localhost", "null"])}),
)
def test_no_request_breaks_the_server_or_changes_the_game(game, stranger, method, path, query, form, headers) -> None:
    before = game.match()
    data = form if method in ("POST", "PUT") else None
    with stranger.open(path, method=method, query_string=query, data=data, headers=headers) as response:
        assert response.status_code < 500
    assert game.match() is before


def test_new_game_may_have_any_house_rule(keeper, client) -> None:
    answer = press(
        client, "new-game", **{"variant": "family", "rule-stuck": "stop-and-score", "rule-turn": "1", "rule-race_s": ""}
    )
    assert "These rules" not in answer
    variant = keeper.game.match().variant
    assert (variant.name, variant.stuck.value, variant.turn) == ("family", "stop-and-score", 1)
    page = client.get("/desk").get_data(as_text=True)
    assert '<option value="stop-and-score" selected>the round stops and is scored</option>' in page
    assert re.search(r'name="rule-turn"[^>]* value="1"', page)
    press(client, "new-game", **{"variant": "family", "rule-stuck": "", "rule-turn": ""})
    assert keeper.game.match().variant == get_variant("family")


@pytest.mark.parametrize(
    ("name", "value"), [("turn", "three"), ("turn", "0"), ("stuck", "never"), ("post_building", "maybe"), ("luck", "1")]
)
def test_rules_that_cannot_be_played_begin_no_game(keeper, client, name: str, value: str) -> None:
    before = keeper.game.match()
    answer = press(client, "new-game", **{"variant": "official", f"rule-{name}": value})
    assert "These rules can&#39;t be played" in answer or "These rules can't be played" in answer
    assert keeper.game.match().variant == before.variant
