from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.layout import Pose, SeatLayout, TableLayout
from referee.sight import (
    LEAST_FOCUS,
    find_layout_problems,
    find_picture_problems,
    measure_focus,
    measure_light,
    measure_scale,
)
from referee.synth.seating import seat_people
from referee.web.language import get_language
from referee.web.sentences import translate


@pytest.fixture(scope="module")
def layout() -> TableLayout:
    return seat_people(np.random.default_rng(1), 4, 3, (1920, 1080)).layout()


def with_seat(layout: TableLayout, number: int, **changes: object) -> TableLayout:
    seats: list[SeatLayout] = list(layout.seats)
    seats[number - 1] = replace(seats[number - 1], **changes)
    return replace(layout, seats=tuple(seats))


def test_piles_outside_the_picture_are_named(layout) -> None:
    assert list(find_layout_problems(layout, 1920)) == []
    away = Pose(0.0, 2000.0, 0.0)
    moved = with_seat(layout, 3, blitz_mm=away)
    assert next(find_layout_problems(moved, 1920)) == (
        "seat 3's Blitz Pile is outside the picture: aim the camera again, or move its zone"
    )
    posts = (layout.seats[1].post_mm[0], away, *layout.seats[1].post_mm[2:])
    moved = with_seat(layout, 2, post_mm=posts)
    assert next(find_layout_problems(moved, 1920)).startswith("seat 2's Post Pile 2 is outside the picture")


def test_pile_in_the_middle_of_the_table_is_named(layout) -> None:
    moved = with_seat(layout, 1, wood_mm=Pose(0.0, 0.0, 0.0))
    (problem,) = find_layout_problems(moved, 1920)
    assert problem == "seat 1's Wood Pile lies among the Dutch Piles: draw the two zones apart"


def test_too_few_pixels_are_told_with_the_worst_place(layout) -> None:
    scales = measure_scale(layout, 960)
    assert min(scales.values()) < 1.3
    (problem,) = find_layout_problems(layout, 960)
    assert f"{min(scales.values()):.1f} px/mm" in problem
    assert "bring the camera closer" in problem


def test_light_of_a_picture() -> None:
    def said(value: int, burnt: float = 0.0) -> list[str]:
        image = np.full((480, 640, 3), value, np.uint8)
        image[: round(480 * burnt)] = 255
        light, glare = measure_light(image)
        return list(find_picture_problems(light, glare, 1.0))

    assert said(120) == []
    assert "switch on a lamp" in said(20)[0]
    assert "too bright" in said(240)[0]
    assert "mirrors" in said(120, 0.1)[0]


def test_every_sentence_is_known_in_french(layout) -> None:
    away = Pose(0.0, 2000.0, 0.0)
    everywhere = replace(
        layout,
        dutch_mm=((-3000.0, -3000.0), (3000.0, -3000.0), (0.0, 3000.0)),
        seats=tuple(replace(seat, post_mm=(away,), blitz_mm=Pose(0.0, 0.0, 0.0)) for seat in layout.seats),
    )
    said = list(find_layout_problems(everywhere, 960))
    for light, burnt, focus in ((0.1, 0.0, 1.0), (0.9, 0.0, 1.0), (0.5, 0.5, 0.1)):
        said += find_picture_problems(light, burnt, focus)
    assert len({sentence.partition(" ")[2] for sentence in said}) > 6
    french = get_language("fr")
    for sentence in said:
        translated = translate(sentence, french)
        assert translated != sentence
        assert "seat" not in translated
        assert "{" not in translated


def test_focus_tells_a_sharp_picture_from_a_blurred_one() -> None:
    rng = np.random.default_rng(3)
    picture = np.full((540, 960, 3), 120, np.uint8)
    for _ in range(250):
        x, y = rng.integers(0, 900), rng.integers(0, 500)
        color = tuple(int(value) for value in rng.integers(0, 255, 3))
        cv2.rectangle(picture, (int(x), int(y)), (int(x) + 30, int(y) + 40), color, -1)
    sharp = cv2.GaussianBlur(picture, (0, 0), 0.4)
    assert measure_focus(sharp) > LEAST_FOCUS
    for sigma in (1.0, 2.0, 4.0):
        assert measure_focus(cv2.GaussianBlur(picture, (0, 0), sigma)) < LEAST_FOCUS
    assert measure_focus(np.full((540, 960, 3), 120, np.uint8)) == 1.0, "a bare table is no fault of the lens"
    assert "focus the camera" in next(find_picture_problems(0.5, 0.0, 0.3))
