from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.game.event_types import BlitzSeen, RoundStarted
from referee.game.match import Match
from referee.layout import TableLayout, format_layout, load_layout
from referee.synth.seating import seat_people
from referee.table_keeper import TableKeeper
from referee.vision.frames import Frame, Observation
from referee.vision.geometry import picture_from_mm
from referee.web import LiveGame, WebSettings, create_app

PIN = "424242"
ORIGIN = {"Origin": "http://localhost"}
SIZE = (640, 360)


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def layout() -> TableLayout:
    return seat_people(np.random.default_rng(1), 2, 5, SIZE).layout()


@pytest.fixture
def path(tmp_path, layout) -> Path:
    file = tmp_path / "layout.toml"
    file.write_text(format_layout(layout), encoding="utf-8")
    return file


class Bench:
    """A keeper with everything around it: frames come when the test says so."""

    def __init__(self, path: Path | None, layout: TableLayout) -> None:
        self.game = LiveGame(Match.new())
        self.clock = Clock()
        self.watched: list[TableLayout] = []
        self.keeper = TableKeeper(layout, path, SIZE, self.game, [self.watched.append], self.clock)
        self.image = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
        self._frames = 0

    def look(self, times: int = 1) -> None:
        for _ in range(times):
            self._frames += 1
            self.clock.now_s += 2.5
            self.keeper(Frame(self.image, self._frames / 30, self._frames), Observation(0.0, ()), ())


@pytest.fixture
def bench(path, layout) -> Bench:
    return Bench(path, layout)


def moved(layout: TableLayout, by_mm: float = 30.0) -> TableLayout:
    first = layout.seats[0]
    pose = first.blitz_mm._replace(x_mm=first.blitz_mm.x_mm + by_mm)
    return replace(layout, seats=(replace(first, blitz_mm=pose), *layout.seats[1:]))


def test_change_is_kept_in_the_file_and_watched_from_the_next_frame(bench, path, layout) -> None:
    fresh = moved(layout)
    assert bench.keeper.change_layout(fresh).done
    assert bench.watched == [], "only the referee's own thread changes what it watches by"
    bench.look()
    assert bench.watched == [fresh]
    assert load_layout(path).seats[0].blitz_mm.x_mm == pytest.approx(fresh.seats[0].blitz_mm.x_mm)
    bench.look()
    assert bench.watched == [fresh]


def test_there_is_a_way_back_also_after_a_restart(bench, path, layout) -> None:
    assert not bench.keeper.restore_layout().done
    bench.keeper.change_layout(moved(layout))
    bench.look()
    assert bench.keeper.restore_layout().done
    bench.look()
    assert bench.watched[-1] == layout
    assert bench.keeper.restore_layout().done
    assert bench.keeper.layout() == moved(layout)
    again = Bench(path, load_layout(path))
    assert again.keeper.restore_layout().done
    assert load_layout(path).seats[0].blitz_mm.x_mm == pytest.approx(layout.seats[0].blitz_mm.x_mm)


def test_round_is_never_disturbed(bench, path, layout) -> None:
    now = {"time_s": 0.0, "seen_s": 0.0}
    before = path.read_text(encoding="utf-8")
    bench.game.append(RoundStarted(id=1, seats=2, **now))
    outcome = bench.keeper.change_layout(moved(layout))
    assert not outcome.done
    assert "once it is over" in outcome.reason
    assert path.read_text(encoding="utf-8") == before
    bench.game.append(BlitzSeen(id=2, seat=1, **now))
    assert bench.keeper.change_layout(moved(layout)).done
    bench.look()
    assert bench.watched == [moved(layout)]


def test_file_that_cannot_be_written_changes_nothing(tmp_path, layout) -> None:
    bench = Bench(tmp_path / "gone" / "layout.toml", layout)
    outcome = bench.keeper.change_layout(moved(layout))
    assert not outcome.done
    assert "not changed" in outcome.reason
    bench.look()
    assert bench.watched == []


def test_picture_from_above_is_drawn_only_for_those_who_look(bench, layout) -> None:
    spot = layout.seats[0].blitz_mm
    x, y = picture_from_mm(layout, np.array([[spot.x_mm, spot.y_mm]]))[0].round().astype(int)
    cv2.circle(bench.image, (int(x), int(y)), 6, (0, 0, 255), -1)
    bench.look()
    assert bench.keeper.above() is None
    bench.look()
    above = bench.keeper.above()
    assert above is not None
    picture = cv2.imdecode(np.frombuffer(above.jpeg, np.uint8), cv2.IMREAD_COLOR)
    height, width = picture.shape[:2]
    u = (spot.x_mm - above.left_mm) / above.width_mm * width
    v = (spot.y_mm - above.top_mm) / above.height_mm * height
    blue, _, red = picture[round(v), round(u)].tolist()
    assert red > 180 > 80 > blue, "the pile lies where the zone is drawn"
    assert abs(above.width_mm / above.height_mm - width / height) < 0.01


def test_what_is_wrong_reaches_board_and_desk_in_words(bench, layout) -> None:
    away = replace(layout.seats[1], wood_mm=layout.seats[1].wood_mm._replace(y_mm=5000.0))
    bench.keeper.change_layout(replace(layout, seats=(layout.seats[0], away)))
    bench.look()
    said = "seat 2's Wood Pile is outside the picture"
    assert any(said in warning for warning in bench.game.status().warnings)
    bench.image[:] = 10
    bench.look(2)
    assert not any("dark" in warning for warning in bench.game.status().warnings), "an arm before the lens is no fault"
    bench.look()
    assert any("switch on a lamp" in warning for warning in bench.game.status().warnings)
    bench.image[:] = 120
    bench.look()
    assert not any("dark" in warning for warning in bench.game.status().warnings)
    assert bench.keeper.sight().light == pytest.approx(120 / 255, abs=0.01)


@pytest.fixture
def client(bench):
    browser = create_app(bench.game, WebSettings(pin=PIN), keeper=bench.keeper).test_client()
    found = token(browser, "/desk")
    assert browser.post("/desk/open", data={"token": found, "pin": PIN}, headers=ORIGIN).status_code == 303
    return browser


def token(browser, path: str) -> str:
    found = re.search(r'name="token" value="([^"]+)"', browser.get(path).text)
    assert found is not None
    return found[1]


def post(browser, path: str, **fields: str) -> str:
    data = {"token": token(browser, "/desk/table"), **{key.replace("_", "-"): text for key, text in fields.items()}}
    assert browser.post(path, data=data, headers=ORIGIN).status_code == 303
    return browser.get("/desk/table").text


def test_zones_are_moved_on_the_page_and_back_again(client, bench, layout) -> None:
    page = client.get("/desk/table").text
    for words in ("Seat 1, Blitz Pile", "Seat 2, Post Pile 5", "Dutch area", "Area of seat 2", "px/mm"):
        assert words in page
    assert "Done." in post(client, "/desk/table/zones", blitz_1_0="12 -80 90", dutch="-100 -90, 100 -90, 0 120")
    assert tuple(bench.keeper.layout().seats[0].blitz_mm) == (12.0, -80.0, 90.0)
    assert bench.keeper.layout().dutch_mm == ((-100.0, -90.0), (100.0, -90.0), (0.0, 120.0))
    assert bench.keeper.layout().seats[1] == layout.seats[1], "what was left alone stays exactly as it was"
    assert "Done." in post(client, "/desk/table/before")
    assert bench.keeper.layout() == layout


@pytest.mark.parametrize(
    "fields",
    [
        {"blitz_1_0": "1 2"},
        {"blitz_1_0": "1 2 x"},
        {"blitz_1_0": "1 2 nan"},
        {"blitz_1_0": "1 99999 0"},
        {"dutch": "1 2, 3 4"},
        {"dutch": ", ".join(["1 2"] * 13)},
        {"nothing": "1"},
    ],
)
def test_impossible_zones_are_refused_in_words(client, bench, layout, fields) -> None:
    page = post(client, "/desk/table/zones", **fields)
    assert 'class="error"' in page
    assert bench.keeper.layout() == layout


def test_zones_need_pin_token_and_origin(client, bench, layout) -> None:
    good = token(client, "/desk/table")
    fields = {"blitz-1-0": "12 -80 90"}
    for path in ("/desk/table/zones", "/desk/table/before"):
        assert client.post(path, data={"token": good, **fields}).status_code == 403
        assert client.post(path, data=fields, headers=ORIGIN).status_code == 403
    stranger = create_app(bench.game, WebSettings(pin=PIN), keeper=bench.keeper).test_client()
    assert stranger.get("/desk/table/above.jpg").status_code == 403
    assert stranger.get("/desk/table").status_code == 303
    assert bench.keeper.layout() == layout


def test_without_a_camera_there_are_no_zones(bench) -> None:
    browser = create_app(bench.game, WebSettings(pin=PIN)).test_client()
    browser.post("/desk/open", data={"token": token(browser, "/desk"), "pin": PIN}, headers=ORIGIN)
    assert "Save the zones" not in browser.get("/desk/table").text
    assert browser.get("/desk/table/above.jpg").status_code == 204
