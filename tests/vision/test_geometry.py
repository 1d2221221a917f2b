import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.layout import Pose, TableLayout
from referee.vision import geometry as g

BOXES = st.tuples(st.floats(-50, 50), st.floats(-50, 50), st.floats(4, 40), st.floats(4, 40), st.floats(-4, 4))


@given(BOXES)
def test_quads_are_clockwise_and_begin_with_a_short_edge(box: tuple[float, ...]) -> None:
    quad = g.quads_from_boxes(np.array([box]))[0]
    assert g.signed_area(quad) == pytest.approx(box[2] * box[3], rel=1e-3)
    short, long = sorted(box[2:4])
    assert np.linalg.norm(quad[1] - quad[0]) == pytest.approx(short, rel=1e-3)
    assert np.linalg.norm(quad[2] - quad[1]) == pytest.approx(long, rel=1e-3)
    assert quad.mean(axis=0) == pytest.approx(box[:2], abs=1e-3)


@given(BOXES, BOXES)
def test_iou_is_symmetric_and_bounded(first: tuple[float, ...], second: tuple[float, ...]) -> None:
    a, b = g.quads_from_boxes(np.array([first, second])).astype(np.float64)
    assert 0 <= g.quad_iou(a, b) <= 1 + 1e-6
    assert g.quad_iou(a, b) == pytest.approx(g.quad_iou(b, a), abs=1e-5)
    assert g.quad_iou(a, a) == pytest.approx(1, abs=1e-4)
    assert g.iou_matrix([a], [b])[0, 0] == pytest.approx(g.quad_iou(a, b), abs=1e-9)


def test_iou_of_a_square_and_its_half_turned_self() -> None:
    upright, turned = g.quads_from_boxes(np.array([[0, 0, 2, 2, 0], [0, 0, 2, 2, np.pi / 4]]))
    shared = 8 * (np.sqrt(2) - 1)  # a regular octagon
    assert g.quad_iou(upright, turned) == pytest.approx(shared / (8 - shared), rel=1e-5)


def test_homography_is_recovered_from_noisy_points() -> None:
    rng = np.random.default_rng(1)
    true = np.array([[1.2, 0.1, 30], [-0.05, 1.1, 20], [1e-4, -2e-4, 1]])
    points = rng.uniform(0, 500, (60, 2))
    fitted = g.fit_homography(points, g.project(true, points) + rng.normal(0, 0.2, (60, 2)))
    assert np.abs(g.project(fitted, points) - g.project(true, points)).max() < 0.4


@pytest.mark.parametrize("points", [[[0, 0], [1, 0], [2, 0], [3, 0]], [[0, 0], [1, 1], [0, 1]]])
def test_degenerate_points_give_no_homography(points: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="homography"):
        g.fit_homography(np.array(points), np.array(points))


def test_order_quad_puts_any_start_and_sense_right() -> None:
    quad = g.card_quad(Pose(10, 20, 30), (57, 89))
    for turn in range(4):
        for points in (np.roll(quad, turn, axis=0), np.roll(quad, turn, axis=0)[::-1]):
            assert g.order_quad(points) == pytest.approx(quad, abs=1e-4)


def test_angle_grows_clockwise_as_seen() -> None:
    # Clockwise by 30 degrees: the upper end goes to the right, where y grows downward.
    quad = g.card_quad(Pose(0, 0, 30), (57, 89))
    assert quad[:2].mean(axis=0)[0] > 0 > quad[:2].mean(axis=0)[1]
    assert g.quad_angle_deg(quad) == pytest.approx(30, abs=1e-3)


def test_suppress_keeps_the_best_of_each_heap() -> None:
    quads = g.quads_from_boxes(np.array([[0, 0, 10, 20, 0], [1, 0, 10, 20, 0.1], [50, 0, 10, 20, 1]]))
    assert g.suppress(quads, np.array([0.5, 0.9, 0.7]), 0.5) == [1, 2]


def test_inside_and_distance() -> None:
    square = np.array([[0, 0], [10, 0], [10, 10], [0, 10]])
    assert g.inside(square, np.array([[5, 5], [15, 5]])).tolist() == [True, False]
    assert g.distance_to_polygon(square, np.array([13, 14])) == pytest.approx(5)
    assert g.distance_to_polygon(square, np.array([3, 4])) == 0


def test_lens_and_back_again(layout: TableLayout) -> None:
    matrix = ((750.0, 0.0, 480.0), (0.0, 750.0, 270.0), (0.0, 0.0, 1.0))
    bent = dataclasses.replace(layout, lens=(-0.18, 0.05, 0.001, -0.002), camera_matrix=matrix)
    points = np.array([[0, 0], [-550, -300], [500, 320], [10, 300]], dtype=float)
    picture = g.picture_from_mm(bent, points)
    assert np.abs(picture - g.picture_from_mm(layout, points)).max() > 3
    assert g.mm_from_picture(bent, picture) == pytest.approx(points, abs=0.02)


def test_view_shows_the_whole_layout_at_the_fixed_scale(layout: TableLayout) -> None:
    view = g.BirdView.of(layout)
    assert view.px_per_mm == g.VIEW_PX_PER_MM
    assert all(side % 32 == 0 for side in view.size_px)
    corners = np.concatenate([np.array(seat.area_mm) for seat in layout.seats])
    px = view.to_view(corners)
    assert (px > 0).all()
    assert (px < np.array(view.size_px)).all()
    assert view.to_mm(px) == pytest.approx(corners, abs=1e-2)
    assert g.quad_size(view.to_view(g.card_quad(Pose(0, 0, 20), (57, 89))))[0] == pytest.approx(57 * 0.53, rel=1e-3)


def test_likeness_is_one_for_the_same_and_falls_with_the_distance() -> None:
    square = np.array([[0, 0], [10, 0], [10, 20], [0, 20]], dtype=float)
    found = g.likeness(np.array([square, square + [2, 0], square + [10, 0], square + [100, 0]]))
    assert found[0, 0] == pytest.approx(1.0, abs=1e-3)
    assert found[0, 1] == pytest.approx(1 - np.sqrt(1 - np.exp(-(2**2) / (100 / 12) / 8)), abs=1e-3)
    assert found[0, 1] > found[0, 2] > found[0, 3]


@pytest.mark.parametrize("seed", range(5))
def test_suppress_keeps_the_best_of_a_dense_network_s_dozens(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cards = [
        np.array([[0, 0], [30, 0], [30, 47], [0, 47]]) + [20 * column, 60 * row]
        for row in range(3)
        for column in range(4)
    ]
    quads = np.array([card + rng.normal(0, 1.0, (4, 2)) for card in cards for _ in range(8)])
    scores = rng.random(len(quads))
    best = [8 * n + int(scores[8 * n : 8 * n + 8].argmax()) for n in range(12)]
    assert sorted(g.suppress(quads, scores, 0.5)) == sorted(best)
