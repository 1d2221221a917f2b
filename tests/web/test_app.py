from __future__ import annotations

import json
import re

import pytest
from flask.testing import FlaskClient

from referee.game.event_types import Violation
from referee.web import CameraState, Status, WebSettings, create_app
from referee.web.guard import host_name, is_host_allowed

SETTINGS = WebSettings(board_url="http://192.168.1.20:8000/", pin="424242", allowed_hosts=frozenset({"board.test"}))


@pytest.fixture
def client(game) -> FlaskClient:
    return create_app(game, SETTINGS).test_client()


def test_board_is_whole_without_script(client) -> None:
    page = client.get("/").text
    for words in ("Ann", "green pump", "Round 3", "take it back", "red 7 on red 5, wrong number", "192.168.1.20:8000"):
        assert words in page
    assert '<noscript><meta http-equiv="refresh"' in page


def test_names_are_text_never_markup(hostile_log) -> None:
    client = create_app(hostile_log.game(), SETTINGS).test_client()
    html = client.get("/state").json["html"]
    for page in (client.get("/").text, html):
        assert "<script>document" not in page
        assert "<b onmouseover" not in page
    assert "&lt;script&gt;document" in html
    assert "{t} %s {{7*7}} &lt;b onmouseover=x&gt;" in html


def test_pages_hold_no_inline_script_or_style_and_nothing_from_elsewhere(client) -> None:
    for path in ("/", "/join", "/source", "/desk"):
        response = client.get(path)
        assert response.status_code == 200
        assert "script-src 'self'" in response.headers["Content-Security-Policy"]
        assert "unsafe" not in response.headers["Content-Security-Policy"]
        page = response.text
        assert not re.search(r"<script(?![^>]*\bsrc=)", page)
        assert not re.search(r"<style|\sstyle=|\son\w+=", page)
        assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", page)


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8000", "127.0.0.1:8000", "192.168.1.20", "[fd00::1]:8000", "board.test"]
)
def test_own_names_and_addresses_may_ask(client, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "192.168.1.20.evil.example", "localhost.evil.example"]
)
def test_rebound_names_are_refused(client, host: str) -> None:
    for path in ("/", "/state", "/events", "/desk"):
        assert client.get(path, headers={"Host": host}).status_code == 421


def test_host_names() -> None:
    assert host_name("[FE80::1]:80") == "fe80::1"
    assert host_name("Localhost.:8000") == "localhost"
    assert not is_host_allowed("", frozenset({"localhost"}))


def test_state_answers_only_what_is_new(client, game, log) -> None:
    first = client.get("/state").json
    assert first["board"]["seats"][1]["badge"]["name"] == "Ben"
    again = client.get("/state", query_string={"after": first["id"]}).json
    assert again["id"] == first["id"]
    assert "board" not in again
    assert again["beat"]["words"] == "Scored by hand"
    log.play(1, "B2", "s1.wood", "d2")
    game.append(log.events[-1])
    changed = client.get("/state", query_string={"after": first["id"]}).json
    assert changed["id"] != first["id"]
    assert changed["board"]["seats"][0]["dutch"] == 4


def test_ids_of_another_run_are_never_taken_for_this_one(game) -> None:
    old = create_app(game, SETTINGS).test_client().get("/state").json["id"]
    fresh = create_app(game, SETTINGS).test_client().get("/state", query_string={"after": old}).json
    assert "html" in fresh


def read_stream(client: FlaskClient, count: int, **headers: str) -> list[dict[str, str]]:
    """Read the first messages of the stream, as a browser would."""
    response = client.get("/events", headers=headers, buffered=False)
    assert response.mimetype == "text/event-stream"
    messages: list[dict[str, str]] = []
    for part in response.iter_encoded():
        fields = dict(line.split(": ", 1) for line in part.decode().strip().splitlines())
        if "event" in fields:
            messages.append(fields)
        if len(messages) == count:
            break
    response.close()
    return messages


def test_stream_begins_with_the_snapshot_and_beats(client) -> None:
    board, beat = read_stream(client, 2)
    assert (board["event"], beat["event"]) == ("board", "beat")
    assert board["id"] == json.loads(board["data"])["id"]
    assert "take it back" in json.loads(board["data"])["html"]
    assert json.loads(beat["data"])["clock"]


def test_stream_tells_a_late_viewer_everything_at_once(client, game, log) -> None:
    old = read_stream(client, 1)[0]["id"]
    log.end_round()
    for event in log.events[-2:]:
        game.append(event)
    board = read_stream(client, 1, **{"Last-Event-ID": old})[0]
    assert board["id"] != old
    assert "Blitz!" in json.loads(board["data"])["html"]


def test_streams_are_limited_and_their_places_come_back(game) -> None:
    client = create_app(game, WebSettings(max_streams=2)).test_client()
    for _ in range(3):
        open_streams = [client.get("/events", buffered=False) for _ in range(2)]
        refused = client.get("/events")
        assert refused.status_code == 503
        assert refused.headers["Retry-After"]
        for response in open_streams:
            response.close()


@pytest.mark.parametrize(
    ("status", "state", "words"),
    [
        (Status(), "live", "Scored by hand"),
        (Status(CameraState.LIVE, 3.0, 0.1), "live", "Live"),
        (Status(CameraState.LIVE, 3.0, 7.2), "stale", "No picture for 7 s: the referee sees nothing"),
        (Status(CameraState.LOST, 3.0, 1.0), "stale", "The camera is gone: the referee sees nothing"),
        (Status(CameraState.FILM, 3.0, 0.1), "live", "Watching a film"),
        (Status(CameraState.ENDED), "quiet", "The film is over"),
        (Status(CameraState.PAUSED), "quiet", "Paused"),
        (Status(CameraState.LIVE), "quiet", "Waiting for the first picture"),
    ],
)
def test_state_of_the_camera_is_said_in_words(client, game, status: Status, state: str, words: str) -> None:
    game.report(status)
    beat = client.get("/state").json["beat"]
    assert (beat["state"], beat["words"]) == (state, words)


def test_clock_runs_with_the_camera_and_stops_with_the_round(client, game, log) -> None:
    started = log.match().round.started_s
    game.report(Status(CameraState.FILM, started + 75.4, 0.0))
    assert client.get("/state").json["beat"]["clock"] == "1:15"
    log.end_round()
    for event in log.events[-2:]:
        game.append(event)
    game.report(Status(CameraState.FILM, started + 500, 0.0))
    assert client.get("/state").json["beat"]["clock"] == "0:10"


def test_warnings_reach_the_page(client, game) -> None:
    game.report(Status(CameraState.LIVE, 1.0, 0.0, 30.0, ("seat 3's <Blitz Pile> is outside the picture",)))
    assert "seat 3&#39;s &lt;Blitz Pile&gt; is outside the picture" in client.get("/").text


def test_qr_and_join_page_name_the_address(client) -> None:
    assert client.get("/qr.svg").mimetype == "image/svg+xml"
    assert "192.168.1.20:8000" in client.get("/join").text


def test_board_without_a_reachable_address_shows_no_code(game) -> None:
    client = create_app(game, WebSettings(board_url="http://localhost:8000/")).test_client()
    assert "qr.svg" not in client.get("/").text
    assert create_app(game, WebSettings()).test_client().get("/qr.svg").status_code == 404


def test_source_of_what_runs_can_be_downloaded(client) -> None:
    import io
    import zipfile

    names = zipfile.ZipFile(io.BytesIO(client.get("/source.zip").data)).namelist()
    assert "referee/web/app.py" in names
    assert not [name for name in names if name.endswith(".pyc") or "__pycache__" in name]


def test_unknown_pages_and_methods_are_said_in_plain_words(client) -> None:
    assert client.get("/nothing").status_code == 404
    assert client.post("/").status_code == 405
    assert client.get("/events?lang=xx").status_code == 400
    assert client.get("/?lang=xx").status_code == 200


def test_page_weighs_little(client) -> None:
    page = client.get("/")
    weight = len(page.data)
    for path in set(re.findall(r'(?:src|href)="(/static/[^"]+|/qr.svg)"', page.text)) | {
        "/static/live.js",
        "/static/morph.js",
    }:
        with client.get(path) as response:
            assert response.status_code == 200
            weight += len(response.data)
    assert weight < 150_000


def test_static_files_are_kept_by_the_browser_until_they_change(client) -> None:
    path = re.search(r'href="(/static/board.css\?v=\w+)"', client.get("/").text)
    assert path is not None
    with client.get(path[1]) as versioned, client.get("/static/board.css") as plain:
        assert versioned.cache_control.immutable
        assert not plain.cache_control.immutable


def test_every_phase_draws(new_log) -> None:
    log = new_log()
    client = create_app(log.game(), SETTINGS).test_client()
    assert "Waiting for the first round" in client.get("/").text
    log.start().go().score("counted", (40, 0), (30, 0), (20, 0), (10, 0))
    log.go()
    move = log.play(None, "R5", None, "d1")
    log.rule(move, Violation.START_NOT_ONE)
    log.score("counted", (40, 0), (30, 0), (20, 0), (10, 0))
    page = create_app(log.game(), SETTINGS).test_client().get("/").text
    for words in ("wins with 80", "Counted by the backs", "The race"):
        assert words in page
