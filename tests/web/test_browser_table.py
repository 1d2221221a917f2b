"""The desk's table in a real browser: zones moved with the mouse, a finger, keys and buttons, saved and taken back."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from referee.game.match import Match
from referee.layout import format_layout, load_layout
from referee.synth.seating import seat_people
from referee.table_keeper import TableKeeper
from referee.vision.frames import Frame, Observation
from referee.web import CameraState, LiveGame, Status

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'referee[dev]'")
pytestmark = pytest.mark.slow
SIZE = (640, 360)


class Camera:
    """Gives the keeper frames, as the referee's thread would."""

    def __init__(self, folder: Path) -> None:
        layout = seat_people(np.random.default_rng(1), 2, 5, SIZE).layout()
        self.path = folder / "layout.toml"
        self.path.write_text(format_layout(layout), encoding="utf-8")
        self.game = LiveGame(Match.new())
        self.keeper = TableKeeper(layout, self.path, SIZE, self.game)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        image = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
        index = 0
        while not self._over.wait(0.1):
            index += 1
            self.keeper(Frame(image, index / 10, index), Observation(0.0, ()), ())
            self.game.report(Status(CameraState.LIVE, 0.0, 0.0, 10.0))

    def close(self) -> None:
        self._over.set()
        self._thread.join()


@pytest.fixture
def camera(tmp_path) -> Iterator[Camera]:
    running = Camera(tmp_path)
    yield running
    running.close()


@pytest.fixture
def table(camera, served, open_page, open_desk):
    server = served(camera.game, keeper=camera.keeper)

    def _open(**options: object):
        page = open_page(server.url, "tablet", **options)
        open_desk(page, server)
        page.goto(f"{server.url}desk/table")
        playwright.expect(page.locator("#above")).to_have_attribute("href", re.compile("^blob:"))
        page.locator("#zones").scroll_into_view_if_needed()
        return page

    return _open


def middle(page, zone: str) -> tuple[float, float]:
    box = page.locator(f'[data-zone="{zone}"] :is(rect, polygon)').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def numbers(page, zone: str) -> list[float]:
    return [float(part) for part in page.locator(f'[data-value="{zone}"]').input_value().replace(",", " ").split()]


def scale(page) -> float:
    """Give mm of a CSS pixel."""
    return page.evaluate(
        "(() => { const s = document.getElementById('zones'); return s.viewBox.baseVal.width / s.clientWidth; })()"
    )


def test_pile_is_dragged_with_the_mouse_saved_and_taken_back(table, camera) -> None:
    page = table()
    before = camera.keeper.layout().seats[0].blitz_mm
    x, y = middle(page, "blitz-1-0")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y - 20, steps=4)
    page.mouse.up()
    at = numbers(page, "blitz-1-0")
    assert at[0] == pytest.approx(before.x_mm + 40 * scale(page), abs=1.0)
    assert at[1] == pytest.approx(before.y_mm - 20 * scale(page), abs=1.0)
    assert middle(page, "blitz-1-0") == pytest.approx((x + 40, y - 20), abs=2)
    page.get_by_role("button", name="Save the zones").click()
    playwright.expect(page.get_by_role("status").first).to_have_text("Done.")
    assert load_layout(camera.path).seats[0].blitz_mm.x_mm == pytest.approx(at[0])
    page.get_by_role("button", name="Back to the zones").click()
    playwright.expect(page.get_by_role("status").first).to_have_text("Done.")
    assert camera.keeper.layout().seats[0].blitz_mm == before


def test_pile_is_dragged_with_a_finger_and_turned_by_its_handle(table, camera) -> None:
    page = table(has_touch=True)
    before = numbers(page, "wood-2-0")
    x, y = middle(page, "wood-2-0")
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *point: float) -> None:
        points = [{"x": point[0], "y": point[1]}] if point else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", x, y)
    for step in (5, 15, 30):
        send("touchMove", x - step, y + step)
    send("touchEnd")
    after = numbers(page, "wood-2-0")
    assert after[0] == pytest.approx(before[0] - 30 * scale(page), abs=2.0)
    assert after[1] == pytest.approx(before[1] + 30 * scale(page), abs=2.0)
    box = page.locator('[data-zone="wood-2-0"] .turn').bounding_box()
    assert box["width"] >= 23, "a fingertip finds the handle"
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    x, y = middle(page, "wood-2-0")
    send("touchStart", *at)
    send("touchMove", x + 60, y)
    send("touchEnd")
    assert numbers(page, "wood-2-0")[2] == pytest.approx(90, abs=3)


def test_zones_are_moved_with_keys_and_buttons_alone(table, camera) -> None:
    page = table()
    before = numbers(page, "post-1-2")
    zone = page.get_by_role("button", name="Seat 1, Post Pile 2")
    zone.focus()
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowUp", "]", "]", "["):
        page.keyboard.press(key)
    assert numbers(page, "post-1-2") == pytest.approx([before[0] + 10, before[1] - 25, before[2] + 5], abs=0.2)
    playwright.expect(zone).to_have_attribute("aria-pressed", "true")
    playwright.expect(page.locator("#chosen")).to_have_text("Seat 1, Post Pile 2")
    page.get_by_role("button", name="left", exact=True).click()
    assert numbers(page, "post-1-2")[0] == pytest.approx(before[0] + 5, abs=0.2)
    page.get_by_role("button", name="Dutch area").focus()
    playwright.expect(page.get_by_role("button", name="turn clockwise", exact=True)).to_be_disabled()


def test_corner_of_an_area_is_dragged_alone(table, camera) -> None:
    page = table()
    before = numbers(page, "dutch")
    page.get_by_role("button", name="Dutch area").focus()
    box = page.locator('[data-zone="dutch"] [data-corner="0"]').bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 25, box["y"] + 30, steps=3)
    page.mouse.up()
    after = numbers(page, "dutch")
    assert after[:2] != before[:2]
    assert after[2:] == before[2:]


def test_zones_can_be_typed_without_script(table, camera, served, open_page, open_desk) -> None:
    server = served(camera.game, keeper=camera.keeper)
    page = open_page(server.url, "tablet", java_script_enabled=False)
    open_desk(page, server)
    page.goto(f"{server.url}desk/table")
    page.get_by_text("In numbers").click()
    page.get_by_label("Seat 1, Blitz Pile", exact=True).last.fill("11 22 33")
    page.get_by_role("button", name="Save the zones").click()
    playwright.expect(page.get_by_role("status").first).to_have_text("Done.")
    assert tuple(camera.keeper.layout().seats[0].blitz_mm) == (11.0, 22.0, 33.0)
