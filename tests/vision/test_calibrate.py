import dataclasses
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from referee.layout import Pose, TableLayout, format_layout, parse_layout
from referee.vision.calibrate import propose_layout, px_per_mm
from referee.vision.frames import Quad
from referee.vision.geometry import card_quad, fit_homography, mm_from_picture, order_quad, picture_from_mm
from referee.vision.plane import CalibrationError, fit_plane
from referee.vision.setup_commands import draw_layout

MakeLayout = Callable[..., TableLayout]


def tilted(layout: TableLayout, lens: tuple[float, float, float, float] | None = None) -> TableLayout:
    corners = np.array([[-600, -340], [600, -340], [600, 340], [-600, 340]])
    px = fit_homography(corners, np.array([[250, 60], [1700, 90], [1890, 1040], [40, 1010]]))
    rows = tuple(tuple(float(v) for v in row) for row in px)
    matrix = ((960.0, 0.0, 960.0), (0.0, 960.0, 540.0), (0.0, 0.0, 1.0))
    return dataclasses.replace(layout, px_from_mm=rows, lens=lens, camera_matrix=matrix if lens else None)


def dealt(layout: TableLayout, noise_px: float = 0.6) -> list[tuple[Quad, str]]:
    rng = np.random.default_rng(4)
    quads = []
    for pile, pose in layout.poses().items():
        if pile.kind != "wood":
            quad = picture_from_mm(layout, card_quad(pose, layout.card_mm)) + rng.normal(0, noise_px, (4, 2))
            quads.append((order_quad(quad), "face"))
    return quads


def deviation_mm(layout: TableLayout, true: TableLayout) -> float:
    """Give how far apart two layouts put the same px, place and turn of the whole table taken out."""
    grid = np.stack(np.meshgrid([-500.0, 0, 500], [-300.0, 0, 300]), axis=-1).reshape(-1, 2)
    got = mm_from_picture(layout, picture_from_mm(true, grid))
    a, b = grid - grid.mean(axis=0), got - got.mean(axis=0)
    u, _, v = np.linalg.svd(a.T @ b)
    return float(np.abs(a @ (u @ v) - b).max())


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_layout_of_a_tilted_table_is_found(seats: int, make_layout: MakeLayout) -> None:
    true = tilted(make_layout(size_px=(1920, 1080), seats=seats))
    if seats == 2:
        five = tuple(
            dataclasses.replace(
                seat, post_mm=tuple(Pose(seat.blitz_mm.x_mm - 70 * n, seat.blitz_mm.y_mm, 0) for n in range(5, 0, -1))
            )
            for seat in true.seats
        )
        true = dataclasses.replace(true, seats=five)
    found, plane = propose_layout(dealt(true), true.image_size_px, seats)
    assert plane.error_mm < 1
    assert deviation_mm(found, true) < 12
    assert len(found.seats) == seats
    lowest = max(range(seats), key=lambda n: found.seats[n].blitz_mm.y_mm)
    assert lowest == 0
    if seats == 4:
        assert found.seats[1].blitz_mm.x_mm > 300
        assert found.seats[3].blitz_mm.x_mm < -300
    assert all(len(seat.post_mm) == (5 if seats == 2 else 3) for seat in found.seats)
    assert parse_layout(format_layout(found)).seats == found.seats


def test_blitz_pile_is_to_the_players_right(make_layout: MakeLayout) -> None:
    true = tilted(make_layout(size_px=(1920, 1080), seats=4))
    found, _ = propose_layout(dealt(true), true.image_size_px, 4)
    near, far = found.seats[0], found.seats[2]
    assert near.blitz_mm.x_mm > max(pose.x_mm for pose in near.post_mm)
    assert far.blitz_mm.x_mm < min(pose.x_mm for pose in far.post_mm)
    assert near.post_mm[0].angle_deg == pytest.approx(0, abs=6)
    assert abs(far.post_mm[0].angle_deg) == pytest.approx(180, abs=6)


def test_a_lens_is_found_from_many_cards(make_layout: MakeLayout) -> None:
    true = tilted(make_layout(size_px=(1920, 1080), seats=6), lens=(-0.06, 0.0, 0.0, 0.0))
    found, plane = propose_layout(dealt(true, 0.3), true.image_size_px, 6)
    assert plane.k1 == pytest.approx(-0.06, abs=0.025)
    assert deviation_mm(found, true) < 15


def test_cards_that_are_held_or_false_do_not_bend_the_plane(make_layout: MakeLayout) -> None:
    true = tilted(make_layout(size_px=(1920, 1080), seats=4))
    quads = dealt(true)
    for pose in (Pose(0, 0, 40), Pose(150, 60, 10)):
        held = picture_from_mm(true, card_quad(pose, (80, 125)))
        quads.append((order_quad(held), "face"))
    found, plane = propose_layout(quads, true.image_size_px, 4)
    assert plane.cards == 16
    assert deviation_mm(found, true) < 12


def test_too_few_cards_or_rows_are_refused(make_layout: MakeLayout) -> None:
    true = tilted(make_layout(size_px=(1920, 1080), seats=4))
    with pytest.raises(CalibrationError, match="at least three"):
        fit_plane([quad for quad, _ in dealt(true)[:2]], true.image_size_px, (57, 89))
    with pytest.raises(CalibrationError, match="4 rows of 3 Post Piles"):
        propose_layout(dealt(true), true.image_size_px, 5)
    noise = np.random.default_rng(0)
    quads = [order_quad(noise.uniform(0, 1000, (4, 2))) for _ in range(9)]
    with pytest.raises(CalibrationError, match="agree on one plane"):
        fit_plane(quads, true.image_size_px, (57, 89))


def test_scale_of_the_picture_is_told(make_layout: MakeLayout) -> None:
    assert px_per_mm(make_layout(4, (1920, 1080)))["middle"] == pytest.approx(1.6)


def test_layout_can_be_drawn(make_layout: MakeLayout) -> None:
    picture = np.full((1080, 1920, 3), 90, np.uint8)
    drawn = draw_layout(picture, make_layout(4, (1920, 1080)))
    assert drawn.shape == picture.shape
    assert cv2.norm(drawn, picture, cv2.NORM_L1) > 1e5
    assert (picture == 90).all()
