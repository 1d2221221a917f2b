"""Twenty thousand requests that nobody would send in earnest: no error of ours, no change without the right to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from referee.game.event_types import BlitzSeen, Player, RoundStarted
from referee.game.match import replay
from referee.layout import format_layout
from referee.store import Store
from referee.synth.seating import seat_people
from referee.table_keeper import TableKeeper
from referee.web import Command, CountResult, SeatCount, WebSettings, create_app
from referee.web.desk_commands import ACTIONS
from referee.web.scorekeeper import Scorekeeper

pytestmark = pytest.mark.slow
PIN = "424242"
OWN = "http://localhost"
BATCH = 10
STRANGERS, INSIDERS = 1200, 800
"""Batches; with ten requests each they make the twenty thousand."""


class Backs:
    asked = 0

    def take_count(self, more: bool = False) -> CountResult:
        self.asked += 1
        return CountResult(1, (SeatCount(1, 0, 19), SeatCount(2, 0, 12, False, "nobody knew")), 1, 2)

    def take_blitz(self, seat: int) -> CountResult:
        return self.take_count()


@dataclass
class House:
    """The whole web side over a real log, with a desk that is open and somebody who has no PIN."""

    folder: Path
    requests: int = 0
    clients: dict[str, FlaskClient] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.store = Store(self.folder)
        self.store.begin_game("an old one")
        self.game_keeper = Scorekeeper(self.store, [Player(1, "Ann", "green-pump"), Player(2, "Ben", "yellow-pail")])
        self.game_keeper.start()
        self.game = self.game_keeper.game
        now = {"time_s": 0.0, "seen_s": 0.0}
        assert self.game.submit(Command((RoundStarted(seats=2, **now), BlitzSeen(seat=1, **now)))).done
        layout = seat_people(np.random.default_rng(1), 2, 5, (640, 360)).layout()
        path = self.folder / "layout.toml"
        path.write_text(format_layout(layout), encoding="utf-8")
        self.backs = Backs()
        self.table = TableKeeper(layout, path, (640, 360), self.game)
        site = WebSettings(
            pin=PIN, data=self.folder, clips=self.folder / "clips", board_url="http://192.168.1.20:8000/"
        )
        self.app = create_app(self.game, site, self.backs, self.table)
        self.clients = {who: self.app.test_client() for who in ("stranger", "desk")}
        self.tokens = {who: self._token(who) for who in self.clients}
        sent = {"token": self.tokens["desk"], "pin": PIN}
        assert self.clients["desk"].post("/desk/open", data=sent, headers={"Origin": OWN}).status_code == 303
        self.tokens["desk"] = self._token("desk")

    def _token(self, who: str) -> str:
        found = re.search(r'name="token" value="([^"]+)"', self.clients[who].get("/desk").text)
        assert found is not None
        return found[1]

    def state(self) -> tuple[object, ...]:
        """Give everything that a request could change."""
        games = tuple(game.id for game in self.store.games())
        return self.game.match(), games, self.table.layout(), self.backs.asked

    def send(self, who: str, method: str, path: str, **options: object) -> int:
        self.requests += 1
        response = self.clients[who].open(path, method=method, buffered=False, **options)
        try:
            return response.status_code
        finally:
            response.close()

    def close(self) -> None:
        self.game_keeper.close()
        self.store.close()


@pytest.fixture
def house(tmp_path) -> Iterator[House]:
    whole = House(tmp_path)
    yield whole
    whole.close()


_text = st.text(max_size=16)
_number = st.integers(-3, 10**10).map(str)
# Quoted by hand: the test client takes a path with ?, # or // apart itself, which no browser would.
_part = st.one_of(_number, _text.map(lambda text: quote(text, safe=".;,:@~ ")))
_values = st.one_of(
    _text,
    _number,
    st.sampled_from(
        ["R7", "green-pump", "counted", "corrected", "official", "nertz", "1 2 3", "0 0, 1 1, 9 0", "nan 1e999 0"]
    ),
)
_fields = st.sampled_from(
    ["pin", "move", "seat", "card", "round", "by", "variant", "more", "dutch", "area-1", "post-1-1", "blitz-1-0"]
    + [f"{what}-{seat}" for what in ("dutch", "blitz", "name", "deck") for seat in (1, 2, 3)]
)
_forms = st.dictionaries(_fields, _values, max_size=5)
_counts = st.fixed_dictionaries(
    {f"{what}-{seat}": st.integers(-1, 41).map(str) for what in ("dutch", "blitz") for seat in (1, 2)},
    optional={"round": st.sampled_from(["1", "2", "9"]), "by": st.sampled_from(["counted", "corrected", "followed"])},
)
_changing = st.one_of(
    st.sampled_from(sorted(ACTIONS)).map(lambda action: f"/desk/do/{action}"),
    st.sampled_from(["/desk/count/take", "/desk/count/blitz", "/desk/count/settle", "/desk/count/later", "/desk/undo"]),
    st.sampled_from(["/desk/table/zones", "/desk/table/before", "/history/1/delete", "/history/2/delete"]),
)
_reading = st.sampled_from(
    ["/", "/state", "/events", "/health", "/qr.svg", "/join", "/source", "/history", "/history/1", "/history/games.csv"]
    + ["/history/games.json", "/desk", "/desk/table", "/desk/table.jpg", "/desk/table/above.jpg", "/static/board.css"]
)
_odd = st.one_of(
    _part.map(lambda part: f"/{part}"),
    _part.map(lambda part: f"/desk/do/{part}"),
    _part.map(lambda part: f"/history/{part}"),
    _part.map(lambda part: f"/history/{part}/delete"),
    _part.map(lambda part: f"/clip/{part}.mp4"),
    _part.map(lambda part: f"/static/{part}"),
    st.tuples(_part, _part).map(lambda parts: f"/history/{parts[0]}/move-{parts[1]}.mp4"),
)
_headers = st.fixed_dictionaries(
    {},
    optional={
        "Origin": st.sampled_from([OWN, "null", "http://evil.example", "https://localhost", ""]),
        "Host": st.sampled_from(["localhost", "evil.example", "[::1]:80", "[", "127.0.0.1", "a" * 300]),
        "Cookie": st.sampled_from(["referee=x", "lang=fr", "lang=xx", "referee=.eJw"]),
        "Range": st.sampled_from(["bytes=0-1", "bytes=9-1", "items=x"]),
        "Last-Event-ID": st.text("abc-0123456789", max_size=12),
        "Accept-Language": st.sampled_from(["fr", "xx;q=nan", "en;q=9,fr", ",,;"]),
        "Content-Type": st.sampled_from(["application/json", "multipart/form-data; boundary=x", "text/plain", "x/"]),
        "If-None-Match": st.just('W/"x'),
        "X-Forwarded-For": st.just("127.0.0.1"),
    },
)
_queries = st.dictionaries(st.sampled_from(["lang", "after", "v"]), st.one_of(_text, st.just("fr")), max_size=2)
_bodies = st.one_of(_forms, _counts, st.binary(max_size=60), st.just(b"--x\r\nContent-Disposition: form-data; name="))
_strange = st.tuples(
    st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]),
    st.one_of(_reading, _changing, _odd),
    _queries,
    _bodies,
    _headers,
    st.sampled_from(["own", "other", "none"]),
)
_bold = st.tuples(
    _changing, st.one_of(_forms, _counts), st.sampled_from(["all", "pin", "origin", "token", "stolen token", "get"])
)
_settings = {"deadline": None, "suppress_health_check": list(HealthCheck), "phases": [Phase.generate], "database": None}


def test_strangers_change_nothing_and_break_nothing(house) -> None:
    @settings(max_examples=STRANGERS, **_settings)
    @given(st.lists(_strange, min_size=BATCH, max_size=BATCH))
    def fuzz(batch) -> None:
        before = house.state()
        for method, path, query, body, headers, token in batch:
            if isinstance(body, dict) and token != "none":
                body = {**body, "token": house.tokens["stranger" if token == "own" else "desk"]}
            status = house.send("stranger", method, path, query_string=query, data=body, headers=headers)
            assert status < 500, (method, path)
        assert house.state() == before

    fuzz()
    assert house.requests >= STRANGERS * BATCH


def test_desk_changes_nothing_without_pin_origin_and_token(house) -> None:
    @settings(max_examples=INSIDERS, **_settings)
    @given(st.lists(_bold, min_size=BATCH, max_size=BATCH))
    def fuzz(batch) -> None:
        for path, form, lacks in batch:
            before = house.state()
            who = "stranger" if lacks == "pin" else "desk"
            token = {"token": "x", "stolen token": house.tokens["stranger"]}.get(lacks, house.tokens[who])
            headers = {} if lacks == "origin" else {"Origin": OWN}
            method = "GET" if lacks == "get" else "POST"
            status = house.send(who, method, path, data={**form, "token": token}, headers=headers)
            if lacks == "all":
                assert status in (303, 404), path
                continue
            # Deleting asks for the PIN in the form itself: without it the page says so.
            assert status in ((403, 303) if path.endswith("/delete") and lacks == "pin" else (403, 405)), (path, lacks)
            assert house.state() == before
        # Whatever was changed, the pages can be drawn and the log read again.
        assert house.send("desk", "GET", "/desk") == 200
        assert house.send("stranger", "GET", "/") == 200

    fuzz()
    assert house.requests >= INSIDERS * BATCH
    number = house.game.number()
    assert replay(house.store.events(number)) == house.game.match()
