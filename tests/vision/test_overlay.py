import numpy as np
import pytest

from referee.layout import Pose, TableLayout
from referee.vision.frames import Detection, Observation, Reach, Reading
from referee.vision.geometry import card_quad, picture_from_mm
from referee.vision.overlay import TONES, Mark, Overlay, card_color, draw_cards


def test_what_is_drawn_shows_and_the_frame_stays(layout: TableLayout) -> None:
    frame = np.full((540, 960, 3), 90, np.uint8)
    quad = card_quad(Pose(-200, 100, 30), layout.card_mm)
    card = Detection(quad, "face", 0.9, Reading("R7", 0.97))
    arm = Reach(np.array([[0, -340], [60, -340], [50, -50], [20, -50]], np.float32), (30.0, -340.0), (35.0, -50.0), 3)
    drawn = Overlay(layout, (640, 360)).draw(
        frame,
        Observation(3.5, (card,), (arm,)),
        marks=[Mark("d3", (300.0, 100.0))],
        lines=[("Seat 2: red 7 on red 5: take it back", "bad")],
        banner="Blitz! Seat 1",
    )
    assert drawn.shape == (360, 640, 3)
    assert (frame == 90).all()
    around = drawn[180 + 20 : 180 + 90, 320 - 150 : 320 - 60]
    assert (np.abs(around.astype(int) - card_color("R7")).sum(axis=2) < 60).sum() > 30
    assert (np.abs(drawn.astype(int) - TONES["bad"]).sum(axis=2) < 30).sum() > 20
    assert not (drawn[60:120, 330:350] == 90).all()


def test_a_pile_name_leaves_its_card_readable(layout: TableLayout) -> None:
    frame = np.full((540, 960, 3), 90, np.uint8)
    overlay = Overlay(layout)
    quad = card_quad(Pose(-200, 100, 0), layout.card_mm)
    seen = Observation(3.5, (Detection(quad, "face", 0.9, Reading("R7", 0.97)),), ())
    (x, y), *_ = np.round(picture_from_mm(layout, np.array([[-200.0, 100.0]]))).astype(int)
    beside = overlay.draw(frame, seen, marks=[Mark("d3", (-200.0, 100.0))])
    bare = overlay.draw(frame, seen)
    assert (beside[y - 8 : y + 8, x - 20 : x + 20] == bare[y - 8 : y + 8, x - 20 : x + 20]).all()
    assert (beside != bare).any()


@pytest.mark.parametrize("label", ["R7", "10H", "back:blue-pump", None, "nonsense"])
def test_every_label_has_a_color(label: str | None) -> None:
    color = card_color(label)
    assert len(color) == 3
    assert (color == card_color(None)) == (label in (None, "nonsense"))


def test_cards_at_the_edge_can_be_drawn() -> None:
    image = np.zeros((60, 80, 3), np.uint8)
    drawn = draw_cards(image, [(card_quad(Pose(0, 0, 10), (57, 89)), "back", Reading(None, 0.2))])
    assert drawn.any()
    assert not image.any()
