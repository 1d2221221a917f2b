"""The eye with a real view, real films and arms, and a detector and reader for plain coloured cards."""

import dataclasses
from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.game.cards import Color
from referee.layout import Pose, TableLayout
from referee.vision.eye import EyeError, TableEye
from referee.vision.frames import Frame, Image, Observation
from referee.vision.geometry import BirdView, card_quad, order_quad, picture_from_mm, quad_iou
from referee.vision.identifier import CORNERS_PX, HEADS, CardReader, Scores
from referee.vision.reach import ArmFinder

PAINT = {Color.RED: (40, 40, 220), Color.BLUE: (220, 120, 30), Color.YELLOW: (20, 210, 250), Color.GREEN: (60, 160, 40)}


class PaintDetector:
    """Finds rectangles of strong colour, as a network would find cards."""

    confidence = 0.4
    passes = 0

    def detect(self, image: Image, confidence: float | None = None) -> list[tuple[np.ndarray, str, float]]:
        self.passes += 1
        strong = cv2.inRange(cv2.cvtColor(image, cv2.COLOR_BGR2HSV), (0, 160, 120), (180, 255, 255))
        outlines, _ = cv2.findContours(strong, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        quads = [order_quad(cv2.boxPoints(cv2.minAreaRect(line)) + 0.5) for line in outlines if len(line) > 40]
        return [(quad, "face", 0.9) for quad in quads]


class PaintReader(CardReader):
    """Reads the colour of a plain card; its number is always 7."""

    threshold = 0.6

    def __init__(self) -> None:
        self.crops = 0

    def scores(self, crops: list[Image], both_ways: bool = True) -> Scores:
        self.crops += len(crops)
        tables = {name: np.full((len(crops), len(classes)), 1e-3, np.float32) for name, classes in HEADS.items()}
        for n, crop in enumerate(crops):
            away = [np.abs(crop[40:100, 30:60].mean(axis=(0, 1)) - paint).sum() for paint in PAINT.values()]
            tables["kind"][n, 0] = tables["number"][n, 6] = 0.99
            tables["color"][n, int(np.argmin(away))] = 0.99
        corners = np.repeat(CORNERS_PX[None], len(crops), axis=0)
        return Scores(**tables, embedding=np.ones((len(crops), 64), np.float32), corners_px=corners)


def with_card(picture: Image, layout: TableLayout, pose: Pose, color: Color, grow: float = 1.0) -> Image:
    quad = picture_from_mm(layout, card_quad(pose, (57 * grow, 89 * grow)))
    return cv2.fillConvexPoly(picture.copy(), np.round(quad).astype(np.int32), PAINT[color])


def with_arm(picture: Image, layout: TableLayout, tip: tuple[float, float], shoulder: tuple[float, float]) -> Image:
    a, b = np.round(picture_from_mm(layout, np.array([tip, shoulder]))).astype(int)
    return cv2.line(picture.copy(), tuple(map(int, a)), tuple(map(int, b)), (110, 150, 205), 55)


@pytest.fixture
def eye(layout: TableLayout) -> TableEye:
    return TableEye(layout, PaintDetector(), PaintReader())


def watch(eye: TableEye, images: list[Image], start_s: float = 0.0) -> list[Observation]:
    return [eye.observe(Frame(image, start_s + i / 30, i)) for i, image in enumerate(images)]


def test_cards_are_placed_in_mm_and_read(eye: TableEye, layout: TableLayout, table_picture: Image) -> None:
    poses = {Color.RED: Pose(30, -40, 20), Color.BLUE: Pose(-90, 60, 100), Color.GREEN: Pose(420, 0, 0)}
    picture = table_picture
    for color, pose in poses.items():
        picture = with_card(picture, layout, pose, color)
    seen = watch(eye, [picture] * 4)[-1]
    assert len(seen.cards) == 3
    for color, pose in poses.items():
        card = min(seen.cards, key=lambda c: np.hypot(c.center_mm[0] - pose.x_mm, c.center_mm[1] - pose.y_mm))
        assert card.reading.label == f"{color[0].upper()}7"
        assert quad_iou(order_quad(card.quad_mm), order_quad(card_quad(pose, layout.card_mm))) > 0.9
        assert card.scale == pytest.approx(1, abs=0.05)


def test_another_layout_is_looked_at_from_the_next_frame(
    eye: TableEye, layout: TableLayout, table_picture: Image
) -> None:
    picture = with_card(table_picture, layout, Pose(30, -40, 20), Color.RED)
    watch(eye, [picture])
    first = layout.seats[0]
    wider = tuple((x * 1.2, y * 1.1) for x, y in first.area_mm)
    eye.lay_out(replace(layout, seats=(replace(first, area_mm=wider), *layout.seats[1:])))
    (card,) = watch(eye, [picture], 0.1)[-1].cards
    assert eye.view != BirdView.of(layout)
    assert card.center_mm == pytest.approx((30, -40), abs=2.0)


def test_a_held_card_looks_too_large(eye: TableEye, layout: TableLayout, table_picture: Image) -> None:
    held = with_card(table_picture, layout, Pose(0, 0, 10), Color.RED, grow=1.15)
    assert watch(eye, [held] * 2)[-1].cards[0].scale > 1.08


def test_nothing_is_done_twice_while_nothing_changes(layout: TableLayout, table_picture: Image) -> None:
    detector, reader = PaintDetector(), PaintReader()
    picture = with_card(table_picture, layout, Pose(0, 0, 0), Color.RED)
    noise = np.random.default_rng(0)
    images = [cv2.add(picture, noise.normal(0, 4, picture.shape).astype(np.int8), dtype=cv2.CV_8U) for _ in range(30)]
    seen = watch(TableEye(layout, detector, reader), images)
    assert all(len(observation.cards) == 1 for observation in seen)
    assert detector.passes <= 4
    assert reader.crops <= 4


def test_a_new_card_on_the_same_place_is_read_again(eye: TableEye, layout: TableLayout, table_picture: Image) -> None:
    red = with_card(table_picture, layout, Pose(0, 0, 0), Color.RED)
    blue = with_card(table_picture, layout, Pose(0, 0, 0), Color.BLUE)
    seen = watch(eye, [red] * 5 + [blue] * 5 + [table_picture] * 5)
    assert [card.reading.label for card in seen[4].cards] == ["R7"]
    assert [card.reading.label for card in seen[5].cards] == ["B7"]
    assert seen[14].cards == ()


def test_black_and_blurred_frames_prove_nothing(eye: TableEye, layout: TableLayout, table_picture: Image) -> None:
    picture = with_card(table_picture, layout, Pose(0, 0, 0), Color.RED)
    blurred = cv2.GaussianBlur(picture, (0, 0), 12)
    seen = watch(eye, [picture] * 8 + [blurred, np.zeros_like(picture), picture])
    assert [observation.sharp for observation in seen[7:]] == [True, False, False, True]
    assert [len(observation.cards) for observation in seen[7:]] == [1, 1, 1, 1]


def test_frames_of_twice_the_size_fit_and_portrait_ones_do_not(layout: TableLayout, table_picture: Image) -> None:
    picture = with_card(table_picture, layout, Pose(60, -30, 15), Color.YELLOW)
    large = cv2.resize(picture, (1920, 1080), interpolation=cv2.INTER_LINEAR)
    eye = TableEye(layout, PaintDetector(), PaintReader())
    card = watch(eye, [large])[0].cards[0]
    assert card.center_mm == pytest.approx((60, -30), abs=2)
    with pytest.raises(EyeError, match="referee calibrate"):
        eye.observe(Frame(np.ascontiguousarray(picture.transpose(1, 0, 2)), 1.0))


def test_a_bent_lens_is_straightened(layout: TableLayout, table_picture: Image) -> None:
    matrix = ((750.0, 0.0, 480.0), (0.0, 750.0, 270.0), (0.0, 0.0, 1.0))
    bent = dataclasses.replace(layout, lens=(-0.2, 0.03, 0.0, 0.0), camera_matrix=matrix)
    picture = with_card(table_picture, bent, Pose(450, 240, 30), Color.RED)
    card = watch(TableEye(bent, PaintDetector(), PaintReader()), [picture])[0].cards[0]
    assert card.center_mm == pytest.approx((450, 240), abs=2.5)


def arms_over(layout: TableLayout, images: list[Image]) -> list[list]:
    view = BirdView.of(layout)
    eye = TableEye(layout, PaintDetector(), PaintReader())
    finder = ArmFinder(layout, view)
    result = []
    for i, image in enumerate(images):
        eye.observe(Frame(image, i / 30, i))
        result.append(finder.find(eye.picture, i / 30))
    return result


def test_arms_come_from_the_nearest_seat(layout: TableLayout, table_picture: Image) -> None:
    images = [table_picture] * 10
    for i in range(15):
        one = with_arm(table_picture, layout, (-20.0, 280.0 - 15 * i), (0.0, 420.0))
        images.append(with_arm(one, layout, (560.0 - 20 * i, 0.0), (760.0, 20.0)))
    found = arms_over(layout, images)
    assert found[9] == []
    assert {reach.seat for reach in found[-1]} == {1, 2}
    first = next(reach for reach in found[-1] if reach.seat == 1)
    assert first.tip_mm == pytest.approx((-20, 70), abs=50)
    assert first.entry_mm is not None
    assert abs(first.entry_mm[1]) > 250


def test_light_and_shadow_are_no_arms(layout: TableLayout, table_picture: Image) -> None:
    images = [table_picture] * 10
    for i in range(30):
        bright = np.clip(table_picture.astype(np.float32) * (1 + 0.012 * i), 0, 255)
        shadow = np.ones((540, 960, 1), np.float32)
        cv2.circle(shadow, (200 + 15 * i, 250), 130, 0.7, -1)
        images.append((bright * cv2.GaussianBlur(shadow, (0, 0), 20)[:, :, None]).astype(np.uint8))
    assert all(reaches == [] for reaches in arms_over(layout, images))


def test_an_arm_that_left_leaves_no_ghost(layout: TableLayout, table_picture: Image) -> None:
    arm = with_arm(table_picture, layout, (0.0, 100.0), (0.0, 420.0))
    found = arms_over(layout, [arm] * 40 + [table_picture] * 170)
    assert found[-1] == []


def test_a_card_laid_down_becomes_part_of_the_table(eye: TableEye, layout: TableLayout, table_picture: Image) -> None:
    card = with_card(table_picture, layout, Pose(0, 0, 0), Color.RED)
    under_arm = with_arm(card, layout, (0.0, 0.0), (0.0, 420.0))
    seen = watch(eye, [table_picture] * 5 + [under_arm] * 3 + [card] * 30)
    assert seen[7].reaches
    assert seen[-1].reaches == ()
