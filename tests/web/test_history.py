from __future__ import annotations

import csv
import io
import json
import re
import sqlite3

import pytest

from referee.store import FILE_NAME, Store
from referee.web import LiveGame, WebSettings, create_app
from referee.web.statistics import count_figures


@pytest.fixture
def data(tmp_path, log, new_log):
    """A folder with two games: one in the middle of its third round, one that Ben won."""
    store = Store(tmp_path)
    store.append(store.begin_game("camera 0"), log.events)
    other = new_log(("Ann", "Ben")).start()
    other.go()
    other.time_s += 71.0
    other.end_round()
    other.score("counted", (20, 0), (1, 3))
    other.go().score("counted", (0, 10), (40, 0))
    other.go().score("counted", (0, 10), (40, 0))
    store.append(store.begin_game("camera 1"), other.events)
    yield tmp_path
    store.close()


@pytest.fixture
def client(game, data):
    return create_app(game, WebSettings(data=data)).test_client()


def test_games_are_listed_newest_first_beside_the_running_referee(client) -> None:
    page = client.get("/history").text
    assert page.index("/history/2") < page.index("/history/1")
    assert "won" in page
    assert "Head to head" in page


def test_score_sheet_has_points_and_running_totals(client) -> None:
    page = client.get("/history/2").text
    for cell in ("+20 <b>20</b>", "−20 <b>0</b>", "−20 <b>−20</b>", "+40 <b>75</b>", "1:1"):
        assert cell in page


def test_games_can_be_downloaded(client) -> None:
    rows = list(csv.DictReader(io.StringIO(client.get("/history/games.csv").text)))
    assert {row["name"] for row in rows} == {"Ann", "Ben", "Clara", "David"}
    assert len(json.loads(client.get("/history/games.json").text)) == 2


def test_names_are_text_in_the_history_too(tmp_path, hostile_log) -> None:
    store = Store(tmp_path)
    store.append(store.begin_game("x"), hostile_log.events)
    store.close()
    client = create_app(hostile_log.game(), WebSettings(data=tmp_path)).test_client()
    for path in ("/history", "/history/1"):
        page = client.get(path).text
        assert "<script>document" not in page
        assert "&lt;script&gt;document" in page


@pytest.mark.parametrize("path", ["/history/99", "/history/0", "/history/games.xml"])
def test_what_is_not_there_is_said(client, path) -> None:
    assert client.get(path).status_code == 404


def test_without_a_log_there_is_no_history(game, tmp_path) -> None:
    for settings in (WebSettings(), WebSettings(data=tmp_path / "nothing")):
        client = create_app(game, settings).test_client()
        for path in ("/history", "/history/1", "/history/games.csv"):
            assert client.get(path).status_code == 404


def test_one_game_that_cannot_be_read_does_not_hide_the_others(client, data) -> None:
    with sqlite3.connect(data / FILE_NAME) as db:
        db.execute("INSERT INTO games (source, started_at) VALUES ('z', 'yesterday')")
        db.execute('INSERT INTO events VALUES (3, 1, \'{"type": "from_the_future"}\')')
    db.close()
    page = client.get("/history")
    assert page.status_code == 200
    assert "/history/2" in page.text
    assert "/history/3" not in page.text


def test_figures_of_players(log, new_log) -> None:
    other = new_log(("Ann", "Ben")).start()
    other.go()
    other.time_s += 71.0
    other.end_round()
    other.score("counted", (20, 0), (1, 3))
    other.go().score("counted", (0, 10), (40, 0))
    other.go().score("counted", (0, 10), (40, 0))
    figures = {player.name: player for player in count_figures([log.match(), other.match()])}
    ann, ben = figures["Ann"], figures["Ben"]
    assert (ann.games, ann.rounds, ann.wins, ann.blitzes) == (2, 5, 0, 1)
    assert ann.fastest_blitz_s == pytest.approx(72.0)
    assert ann.average == (13 + 13 + 20 - 20 - 20) / 5
    assert (ben.wins, ben.best_round) == (1, 40)
    assert ben.beaten["Ann"] == 1
    assert ann.beaten["Ben"] == 1


def test_clips_are_served_in_parts_and_only_clips(game, tmp_path) -> None:
    (tmp_path / "game-0").mkdir()
    (tmp_path / "game-0" / "move-17.mp4").write_bytes(bytes(range(100)))
    (tmp_path / "secret.txt").write_text("no")
    client = create_app(game, WebSettings(clips=tmp_path)).test_client()
    assert 'href="/clip/17.mp4"' in client.get("/").text
    with client.get("/clip/17.mp4", headers={"Range": "bytes=10-19"}) as part:
        assert part.status_code == 206
        assert part.data == bytes(range(10, 20))
    for path in ("/clip/18.mp4", "/clip/-1.mp4", "/clip/../secret.txt", "/clip/..%2fsecret.txt"):
        assert client.get(path).status_code == 404
    assert "/clip/" not in create_app(game).test_client().get("/").text
    assert create_app(game).test_client().get("/clip/17.mp4").status_code == 404


PIN = "424242"
ORIGIN = {"Origin": "http://localhost"}


def form_token(client, path: str = "/history/2") -> str:
    found = re.search(r'name="token" value="([^"]+)"', client.get(path).text)
    assert found is not None
    return found[1]


def clips_in(data):
    for number in (1, 2):
        (data / "clips" / f"game-{number}").mkdir(parents=True)
        (data / "clips" / f"game-{number}" / "move-17.mp4").write_bytes(b"film")
    return data / "clips"


def test_game_is_deleted_for_good_with_the_pin(game, data) -> None:
    clips = clips_in(data)
    client = create_app(game, WebSettings(data=data, clips=clips, pin=PIN)).test_client()
    answer = client.post("/history/2/delete", data={"token": form_token(client), "pin": PIN}, headers=ORIGIN)
    assert answer.status_code == 303
    page = client.get("/history").text
    assert "The game was deleted." in page
    assert "/history/2" not in page
    assert "/history/1" in page
    assert client.get("/history/2").status_code == 404
    assert [path.name for path in clips.iterdir()] == ["game-1"]
    assert "Clara" in client.get("/history/games.csv").text
    assert b"camera 1" not in (data / FILE_NAME).read_bytes()


@pytest.mark.parametrize(
    ("fields", "headers", "status"),
    [
        ({"pin": "000000"}, ORIGIN, 303),
        ({"pin": ""}, ORIGIN, 303),
        ({"pin": PIN}, {}, 403),
        ({"pin": PIN}, {"Origin": "http://evil.example"}, 403),
        ({"pin": PIN, "token": "x"}, ORIGIN, 403),
    ],
)
def test_nothing_is_deleted_without_pin_token_and_origin(game, data, fields, headers, status) -> None:
    client = create_app(game, WebSettings(data=data, pin=PIN)).test_client()
    sent = {"token": form_token(client), **fields}
    assert client.post("/history/2/delete", data=sent, headers=headers).status_code == status
    assert client.get("/history/2/delete").status_code == 405
    assert client.get("/history/2").status_code == 200


def test_pins_are_not_guessed_by_deleting(game, data) -> None:
    client = create_app(game, WebSettings(data=data, pin=PIN)).test_client()
    for _ in range(5):
        client.post("/history/2/delete", data={"token": form_token(client), "pin": "0"}, headers=ORIGIN)
    client.post("/history/2/delete", data={"token": form_token(client), "pin": PIN}, headers=ORIGIN)
    assert "Too many wrong tries" in client.get("/history/2").text
    sent = {"token": form_token(client), "pin": PIN}
    assert client.post("/desk/open", data=sent, headers=ORIGIN).status_code == 429, "the desk counts the same tries"


def test_game_that_is_played_cannot_be_deleted(log, data) -> None:
    playing = LiveGame(log.match(), log.events, number=lambda: 1)
    client = create_app(playing, WebSettings(data=data, pin=PIN)).test_client()
    assert "Delete this game" not in client.get("/history/1").text
    client.post("/history/1/delete", data={"token": form_token(client), "pin": PIN}, headers=ORIGIN)
    assert "is being played" in client.get("/history/1").text


def test_rulings_of_past_rounds_have_their_clips(game, data) -> None:
    client = create_app(game, WebSettings(data=data, clips=clips_in(data))).test_client()
    page = client.get("/history/1").text
    assert "red 7 on red 5, wrong number" in page
    assert "green 4 on blue 1" in page
    assert page.count("Replay") == 1
    with client.get("/history/1/move-17.mp4") as clip:
        assert clip.data == b"film"
    assert client.get("/history/1/move-18.mp4").status_code == 404
    assert client.get("/history/9/move-17.mp4").status_code == 404
