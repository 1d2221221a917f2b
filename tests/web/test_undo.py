"""Whatever the desk did is taken back by events that say the opposite; nothing in the log is edited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from referee.game.cards import Face
from referee.game.event_types import CardMoved, Player
from referee.game.match import evolve
from referee.game.moves import PileId
from referee.store import Store
from referee.web import CameraState, Command, Status, WebSettings, create_app
from referee.web.desk_commands import read_command
from referee.web.language import get_language
from referee.web.scorekeeper import Scorekeeper
from referee.web.undo import invert

EN = get_language("en")
PIN = "424242"
ORIGIN = {"Origin": "http://localhost"}


def carry_out(match, events):
    for event in events:
        match = evolve(match, replace(event, id=match.last_id + 1))
    return match


def told(match):
    """Give what people see of a match: everything but ids, times and who said it."""
    round_ = match.round
    moves = {
        id_: (record.event.seat, record.event.cards, record.event.source, record.retracted, record.open)
        for id_, record in round_.records.items()
    }
    return match.seats, round_.phase, moves, round_.score(), match.totals()


COUNTS = {"dutch-1": "1", "blitz-1": "2", "dutch-2": "3", "blitz-2": "4", "dutch-3": "5", "blitz-3": "6"}
COUNTS |= {"dutch-4": "7", "blitz-4": "8"}


@pytest.mark.parametrize(
    ("action", "form"),
    [
        ("pause", {}),
        ("dutch", {}),
        ("blitz", {"seat": "2"}),
        ("stuck", {}),
        ("confirm", {"move": "17"}),
        ("overrule", {"move": "17"}),
        ("owner", {"move": "17", "seat": "4"}),
        ("card", {"move": "17", "card": "R6"}),
        ("retract", {"move": "17"}),
        ("seats", {"name-1": "Eve", "deck-1": "blue-pump"}),
        ("count", {"round": "1", "by": "corrected", **COUNTS}),
        ("count", {"round": "2", "by": "counted", **COUNTS}),
    ],
)
def test_action_and_its_undoing_leave_what_people_see_as_it_was(log, action, form) -> None:
    before = log.match()
    command = read_command(action, form, before, EN)
    after = carry_out(before, command.events)
    if action != "confirm":
        assert told(after) != told(before)
    assert told(carry_out(after, invert(before, command.events))) == told(before)


@pytest.mark.parametrize("first", ["pause", "dutch", "blitz", "stuck"])
def test_going_on_is_undone_too(log, first) -> None:
    before = carry_out(log.match(), read_command(first, {"seat": "2"}, log.match(), EN).events)
    command = read_command("resume", {}, before, EN)
    after = carry_out(before, command.events)
    assert told(carry_out(after, invert(before, command.events)))[1] == told(before)[1]


def test_what_cannot_be_undone_is_not_offered(log) -> None:
    before = log.match()
    assert invert(before, read_command("abandon", {}, before, EN).events) == ()
    log.end_round()
    before = log.match()
    assert invert(before, read_command("new-game", {}, before, EN).events) == ()


@pytest.fixture
def keeper(tmp_path) -> Iterator[Scorekeeper]:
    store = Store(tmp_path)
    running = Scorekeeper(store, [Player(1, "Ann", "green-pump"), Player(2, "Ben", "yellow-pail")])
    running.start()
    running.game.report(Status(CameraState.LIVE, 0.0, 0.0, 30.0))
    yield running
    running.close()
    store.close()


def press(client: FlaskClient, path: str, **fields: str) -> str:
    found = re.search(r'name="token" value="([^"]+)"', client.get("/desk").text)
    assert found is not None
    data = {"token": found[1], **{name.replace("_", "-"): text for name, text in fields.items()}}
    assert client.post(path, data=data, headers=ORIGIN).status_code == 303
    return client.get("/desk").text


def test_desk_offers_to_undo_step_by_step(keeper) -> None:
    client = create_app(keeper.game, WebSettings(pin=PIN)).test_client()
    press(client, "/desk/open", pin=PIN)
    assert "Undo:" not in client.get("/desk").text
    assert "Undo: Go!" in press(client, "/desk/do/go")
    now = {"time_s": 1.0, "seen_s": 1.0}
    play = CardMoved(seat=1, cards=(Face.parse("R5"),), source=None, target=PileId.dutch(1), **now)
    assert keeper.game.submit(Command((play,))).done
    move = next(iter(keeper.game.match().round.records))
    assert "Undo: who played" in press(client, "/desk/do/owner", move=str(move), seat="2")
    assert "Undo: Pause" in press(client, "/desk/do/pause")
    assert "Undo: who played" in press(client, "/desk/undo")
    assert keeper.game.match().round.phase == "playing"
    press(client, "/desk/undo")
    assert keeper.game.match().round.records[move].event.seat == 1
    page = press(client, "/desk/undo")
    assert keeper.game.match().round.phase == "abandoned"
    assert "Undo:" not in page
    assert "There is nothing to undo." in press(client, "/desk/undo")


def test_undo_that_is_no_longer_possible_is_said_and_forgotten(keeper) -> None:
    client = create_app(keeper.game, WebSettings(pin=PIN)).test_client()
    press(client, "/desk/open", pin=PIN)
    press(client, "/desk/do/go")
    press(client, "/desk/do/pause")
    counts = {"dutch_1": "1", "blitz_1": "2", "dutch_2": "3", "blitz_2": "4"}
    other = create_app(keeper.game, WebSettings(pin=PIN)).test_client()
    press(other, "/desk/open", pin=PIN)
    press(other, "/desk/do/count", round="1", by="counted", **counts)
    page = press(client, "/desk/undo")
    assert 'class="error"' in page
    assert "Undo: Go!" in page


def test_undo_needs_pin_token_and_origin(keeper) -> None:
    client = create_app(keeper.game, WebSettings(pin=PIN)).test_client()
    press(client, "/desk/open", pin=PIN)
    press(client, "/desk/do/go")
    before = keeper.game.match()
    assert client.post("/desk/undo", headers=ORIGIN).status_code == 403
    assert (
        create_app(keeper.game, WebSettings(pin=PIN)).test_client().post("/desk/undo", headers=ORIGIN).status_code
        == 403
    )
    assert keeper.game.match() is before
