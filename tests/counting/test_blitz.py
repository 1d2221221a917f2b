from dataclasses import replace

import numpy as np
import pytest

from referee.counting.blitz import LaidCard, ShownFaces, Zone, blitz_zone_at, judge_left, read_laid
from referee.game.cards import FACES, Face
from referee.layout import Pose, SeatLayout, TableLayout
from referee.synth.camera import look
from referee.synth.compose import Composer
from referee.synth.light import Light
from referee.synth.shapes import Placed
from referee.synth.stock import stock_for
from referee.vision.frames import Detection, Reading
from referee.vision.geometry import card_quad, mm_from_picture
from referee.vision.selftest import load_networks

CARD = (57.0, 89.0)


def seat(name, y):
    side = 1 if y > 0 else -1
    area = ((-400.0, y - 90), (400.0, y - 90), (400.0, y + 90), (-400.0, y + 90))
    posts = tuple(Pose(side * x, y, 0) for x in (-70, 0, 70))
    return SeatLayout(name, "", area, posts, Pose(side * 140, y, 0), Pose(side * -140, y, 0))


LAYOUT = TableLayout(
    CARD, (1000, 800), ((1.0, 0, 500), (0, 1.0, 400), (0, 0, 1.0)),
    ((-400.0, -190), (400.0, -190), (400.0, 190), (-400.0, 190)), (seat("Ann", 280.0), seat("Ben", -280.0)),
)  # fmt: skip
QUAD = card_quad(Pose(0, 0, 0), CARD)


def laid(*labels):
    return [
        LaidCard(QUAD, None if label in ("?", "back") else Face.parse(label), label == "back")
        for label in labels
    ]  # fmt: skip


def judge(*labels, followed=3, shown=(), confirmed=False, most=10):
    faces = frozenset(Face.parse(label) for label in shown)
    return judge_left(2, followed, most, Zone.of(laid(*labels)), faces, confirmed)


@pytest.mark.parametrize(
    ("point", "seat"),
    [
        ((140, 280), 1),
        ((330, 300), 1),
        ((-140, -280), 2),
        ((-390, -280), 2),
        # Post Piles, the Wood Pile, the middle, beside the table.
        ((70, 280), None),
        ((-200, 280), None),
        ((140, 100), None),
        ((140, 500), None),
    ],
)
def test_the_zone_is_what_lies_nearest_to_the_blitz_pile(point, seat):
    assert blitz_zone_at(LAYOUT, point) == seat


def test_cards_that_lie_spread_are_counted_each_once():
    assert judge("R7", "B2", "G4") == (3, True, "")
    assert judge("R7", "B2", "G4", "Y1", followed=3) == (4, True, "")
    # Fewer than were followed: one may lie under another.
    assert judge("R7", "B2", followed=3) == (2, False, "")
    assert judge("R7", "B2", "B2", "G4", followed=3).counted == 4
    assert not judge("R7", "B2", "B2", "G4", followed=4).sure


def test_a_squared_pile_is_said_and_not_guessed():
    left = judge("R7", followed=4)
    assert left.counted is None
    assert not left.sure
    assert "squared" in left.problem
    assert judge("R7", followed=0).counted is None
    assert judge("R7", followed=1) == (1, True, "")


def test_what_the_players_confirm_counts_also_when_it_is_one_card():
    assert judge("R7", followed=4, confirmed=True) == (1, False, "")
    assert judge("R7", shown=("B2", "R7"), followed=2, confirmed=True) == (2, True, "")


def test_cards_shown_one_by_one_add_up_each_once():
    assert judge("R7", shown=("R7", "B2", "G4"), followed=3) == (3, True, "")
    assert judge(shown=("R7", "B2"), followed=3) == (2, False, "")
    # The card that can't be read is one of those that were shown.
    assert judge("R7", "?", shown=("R7", "B2", "G4"), followed=3).counted == 3


def test_nothing_and_doubtful_things_are_told_apart():
    assert judge(followed=0) == (0, True, "")
    assert judge("back", "back", followed=0) == (0, True, ""), "that is a hand"
    assert "nothing lies" in judge(followed=2).problem
    assert judge("R7", "?", followed=2).counted == 2
    assert not judge("R7", "?", followed=2).sure
    assert "read" in judge("R7", "?", followed=2).problem
    assert "face down" in judge("back", "back", followed=2).problem
    assert judge("back", followed=2).counted is None


def test_more_cards_than_a_blitz_pile_has_are_said():
    left = judge(*(f"R{n}" for n in range(1, 6)), most=4)
    assert left.counted is None
    assert "5 cards lie there, but a Blitz Pile has 4" in left.problem


def card(label, x, y=280.0, confidence=0.95, scale=1.0):
    return Detection(card_quad(Pose(x, y, 0), CARD), "face", 0.9, Reading(label, confidence), scale)


def see(shown, label, seconds, x=150.0, **more):
    for time_s in seconds:
        shown.see(LAYOUT, time_s, (card(label, x, **more),))


REST = (0.0, 0.3, 0.6)


def test_a_face_that_rests_at_the_pile_was_shown():
    shown = ShownFaces()
    see(shown, "R7", REST)
    see(shown, "B2", (1.0, 1.3, 1.6, 1.9))
    assert shown.of(1) == {Face.parse("R7"), Face.parse("B2")}
    assert shown.of(2) == set()
    shown.forget()
    assert shown.of(1) == set()


@pytest.mark.parametrize(
    ("seconds", "more"),
    [
        ((0.0, 0.2), {}),
        ((0.0, 0.6), {}),
        ((0.0, 2.0, 4.0), {}),
        (REST, {"x": 70.0}),
        (REST, {"confidence": 0.7}),
        (REST, {"scale": 1.1}),
    ],
)
def test_what_passes_lies_elsewhere_or_is_held_was_not_shown(seconds, more):
    shown = ShownFaces()
    see(shown, "R7", seconds, **more)
    assert shown.of(1) == set()


def test_a_card_that_moves_along_was_not_shown():
    shown = ShownFaces()
    for n, x in enumerate(np.linspace(110, 300, 8)):
        shown.see(LAYOUT, 0.2 * n, (card("R7", float(x)),))
    assert shown.of(1) == set()


def draw_table(left):
    """Draw a table with Post and Wood Piles and so many Blitz cards left of each seat, side by side."""
    rng = np.random.default_rng(4)
    camera = look((1600, 1200), 1.5, tilt_deg=8)
    rows = tuple(tuple(float(value) for value in row) for row in camera.plane())
    layout = replace(LAYOUT, image_size_px=(1600, 1200), px_from_mm=rows)
    stock = stock_for(31)
    composer = Composer(camera, Light.sample(np.random.default_rng(3), 1000.0), rng)
    composer.ground(stock.surface(2, 1.5), 0.0)
    for number, seat in enumerate(layout.seats, 1):
        faces = [FACES[i] for i in rng.permutation(len(FACES))]
        side = 1 if seat.blitz_mm.x_mm > 0 else -1
        row = [(pose.x_mm, pose.y_mm) for pose in (*seat.post_mm, seat.wood_mm)]
        row += [(seat.blitz_mm.x_mm + side * 62 * n, seat.blitz_mm.y_mm) for n in range(left[number])]
        for n, (x, y) in enumerate(row):
            composer.card(stock.face(0, faces.pop()), Placed(x, y, float(rng.normal(0, 3)), 0.3 + 0.3 * (n % 4)))
    return layout, composer.finish()[0]


@pytest.mark.slow
def test_spread_blitz_piles_of_a_drawn_table_are_counted():
    layout, image = draw_table({1: 4, 2: 2})

    def seat_of(quad):
        x, y = mm_from_picture(layout, quad.mean(axis=0)[None].astype(np.float64))[0]
        return blitz_zone_at(layout, (float(x), float(y)))

    laid = read_laid(*load_networks(), image, lambda quad: seat_of(quad) is not None)
    for number, left in ((1, 4), (2, 2)):
        zone = Zone.of(card for card in laid if seat_of(card.quad_px) == number)
        assert judge_left(number, left, 10, zone, frozenset(), False) == (left, True, "")
