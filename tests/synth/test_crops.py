from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from referee.game.cards import SYMBOLS, Color
from referee.synth import crop_camera as camera
from referee.synth.crops import CropMaker, _legible, make_crop
from referee.vision.identifier import CORNERS_PX


@pytest.fixture(scope="module")
def crops():
    maker = CropMaker(3, pool=200)
    return [maker.make() for _ in range(1000)]


def test_same_seed_same_crops():
    for first, second in zip(range(2), range(2), strict=True):
        assert np.array_equal(make_crop(first).image, make_crop(second).image)
    first, second, other = CropMaker(7, pool=40), CropMaker(7, pool=40), CropMaker(8, pool=40)
    for _ in range(25):
        one, two = first.make(), second.make()
        assert np.array_equal(one.image, two.image)
        assert (one.kind, one.color, one.number, one.symbol) == (two.kind, two.color, two.number, two.symbol)
        assert not np.array_equal(one.image, other.make().image)


def test_shape_and_labels(crops):
    for crop in crops:
        assert crop.image.shape == (144, 96, 3)
        assert crop.image.dtype == np.uint8
        assert crop.image.flags.c_contiguous
        if crop.kind == "face":
            assert crop.number == "unreadable" or (crop.color is not None and 1 <= crop.number <= 10)
            assert crop.symbol is crop.back_color is None
        elif crop.kind == "back":
            assert crop.color is crop.number is None
            known = crop.symbol in SYMBOLS and crop.back_color in set(Color)
            assert known or crop.symbol == crop.back_color == "other"
        else:
            assert crop.kind == "none"
            assert crop.color is crop.number is crop.symbol is crop.back_color is None


def test_corners_lie_about_where_the_quad_was(crops):
    away = np.concatenate([crop.corners_px - CORNERS_PX for crop in crops if crop.corners_px is not None])
    assert all((crop.corners_px is None) == (crop.kind == "none") for crop in crops)
    assert 1.5 < np.abs(away).mean() < 6
    assert np.abs(away.mean(axis=0)).max() < 1


def test_backs_come_again(crops):
    pairs = [(a, b) for a, b in pairwise(crops) if a.design is not None and a.design == b.design]
    assert len(pairs) > 0.05 * len(crops)
    assert all((a.symbol, a.back_color) == (b.symbol, b.back_color) for a, b in pairs)


def test_every_class_is_there_in_fair_shares(crops):
    kinds = Counter(crop.kind for crop in crops)
    assert kinds["face"] / len(crops) == pytest.approx(0.5, abs=0.08)
    assert kinds["back"] / len(crops) == pytest.approx(0.38, abs=0.08)
    faces = [crop for crop in crops if crop.kind == "face"]
    assert {crop.number for crop in faces} == {*range(1, 11), "unreadable"}
    assert 0.02 < sum(crop.number == "unreadable" for crop in faces) / len(faces) < 0.25
    assert {crop.color for crop in faces} >= set(Color)
    assert {crop.symbol for crop in crops if crop.kind == "back"} == {*SYMBOLS, "other"}


def test_light_varies_from_dim_to_glaring(crops):
    levels = [crop.image.mean() for crop in crops]
    assert min(levels) < 60
    assert max(levels) > 200


def test_colour_can_be_seen_in_most_faces(crops):
    """Blue cards look bluer than yellow ones in spite of all lights."""
    blueness = {
        color: np.median(
            [c.image[50:94, 8:88, 0].mean() - c.image[50:94, 8:88, 2].mean() for c in crops if c.color is color]
        )
        for color in Color
    }
    assert blueness[Color.BLUE] > blueness[Color.GREEN] > blueness[Color.YELLOW]
    assert blueness[Color.BLUE] - blueness[Color.RED] > 40


def test_held_out_maker_differs():
    maker = CropMaker(3, heldout=True, pool=30)
    assert any(print_.face is not None for print_ in maker.pool.faces)
    assert not np.array_equal(maker.make().image, CropMaker(3, pool=30).make().image)


def test_a_covered_or_tiny_numeral_is_not_legible():
    picture = np.random.default_rng(1).integers(0, 255, (90, 60, 3), np.uint8)
    matrix = camera.shift(30, 45)
    box = np.array([0.0, -30.0, 6.0, 11.0])
    patch = camera.Patch(picture, matrix, 1.0)
    assert _legible(patch, picture, box)
    patch.blur_px = 4.0
    assert not _legible(patch, picture, box)
    patch.blur_px = 0.3
    patch.covered = np.zeros((90, 60), np.uint8)
    assert _legible(patch, picture, box)
    patch.covered[:30] = 255
    assert not _legible(patch, picture, box)
    assert not _legible(camera.Patch(picture, matrix, 1.0), np.full_like(picture, 255), box)
    assert not _legible(camera.Patch(picture, camera.shift(30, 45) @ np.diag([0.3, 0.3, 1]), 0.3), picture, box)


def test_camera_looks_down_with_the_wanted_scale():
    rng = np.random.default_rng(2)
    for tilt in (0, 20, 40):
        matrix = camera.look_down(rng, 2.0, tilt, 30)
        points = camera.project(matrix, np.array([[0.0, 0], [1, 0], [0, 1]]))
        assert points[0] == pytest.approx((0, 0), abs=1e-9)
        (a, b), (c, d) = points[1], points[2]
        area = abs(a * d - b * c)
        assert area == pytest.approx(4 * np.cos(np.radians(tilt)), rel=0.02)


def test_warm_light_is_warm_and_full_adaptation_is_neutral():
    warm = camera.white_gain(2700, 0.0)
    assert warm[2] > warm[1] > warm[0]
    assert camera.white_gain(2700, 1.0) == pytest.approx((1, 1, 1), abs=1e-5)
