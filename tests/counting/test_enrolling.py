"""Backs learnt from hands: the finder and the reader are fakes, what is made of them is real."""

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.counting import commands
from referee.counting.enrolling import learn_hands
from referee.counting.naming import UNKNOWN, Name
from referee.layout import Pose, SeatLayout, TableLayout, format_layout
from referee.vision.geometry import card_quad

CARD = (57.0, 89.0)


def seat(name, x):
    area = tuple((x + dx, dy) for dx, dy in ((-100.0, -150.0), (100.0, -150.0), (100.0, 150.0), (-100.0, 150.0)))
    return SeatLayout(name, "", area, (Pose(x, 0, 0),), Pose(x + 60, 0, 0), Pose(x - 60, 0, 0))


LAYOUT = TableLayout(
    CARD, (800, 300), ((1.0, 0, 400), (0, 1.0, 150), (0, 0, 1.0)),
    ((-150.0, -150), (150.0, -150), (150.0, 150), (-150.0, 150)), (seat("Ann", -270), seat("Ben", 270)),
)  # fmt: skip


def hand(x, size=CARD, y=150):
    return card_quad(Pose(x, y, 0), size)


class Counter:
    """Finds what it is told; the detector may take a back for a face."""

    def __init__(self, *cards):
        self.cards = cards

    def find(self, image):
        return [(quad, "face", 0.9) for quad, _, _ in self.cards]

    def rate_backs(self, image, quads):
        sure = {id(quad): sure for quad, sure, _ in self.cards}
        return [sure[id(quad)] for quad in quads]

    def read(self, image, quads):
        near = min(self.cards, key=lambda card: np.abs(card[0].mean(axis=0) - quads[0].mean(axis=0)).sum())
        return Name(near[2], 0.9)


def picture(*places):
    image = np.full((300, 800, 3), 90, np.uint8)
    for n, quad in enumerate(places):
        cv2.fillConvexPoly(image, quad.astype(np.int32), (40 + 150 * n, 200, 60))
        cv2.circle(image, quad.mean(axis=0).astype(int).tolist(), 12 + 8 * n, (0, 30, 250 - 200 * n), -1)
    return image


def test_the_reader_says_which_side_lies_up():
    ann, ben, post = hand(130), hand(670), hand(200)
    counter = Counter((ann, 0.99, "green-pump"), (ben, 0.99, UNKNOWN), (post, 0.02, "face"))
    hands = learn_hands(counter, [picture(ann, ben)], LAYOUT)
    assert [(deck.name, deck.seat) for deck in hands.decks] == [("green-pump", 1), ("deck of seat 2", 2)]
    assert hands.cut_off == frozenset()


def test_a_hand_that_is_not_wholly_in_sight_is_not_learnt():
    outside, covered = hand(130, y=290), hand(670, (57.0, 60.0))
    counter = Counter((outside, 0.99, "green-pump"), (covered, 0.99, "blue-plow"))
    hands = learn_hands(counter, [picture(outside)], LAYOUT)
    assert hands.decks == []
    assert hands.cut_off == {1, 2}


@pytest.fixture
def enroll(tmp_path, monkeypatch):
    """Run the command with what a counter sees."""
    (tmp_path / "layout.toml").write_text(format_layout(LAYOUT))

    def run(counter, *more):
        cv2.imwrite(str(tmp_path / "table.png"), picture(*(quad for quad, _, _ in counter.cards)))
        monkeypatch.setattr(commands, "CardCounter", lambda: counter)
        arguments = ["--layout", tmp_path / "layout.toml", "--out", tmp_path / "decks.toml", *more]
        return CliRunner().invoke(main, ["enroll", str(tmp_path / "table.png"), *map(str, arguments)])

    return run


def test_names_go_by_seat_and_what_is_missing_is_said(enroll, tmp_path):
    result = enroll(Counter((hand(670), 0.99, UNKNOWN)), "--name", "Ann's", "--name", "Ben's")
    assert result.exit_code == 0, result.output
    assert "Ben's: seat 2" in result.output
    assert "seat 1 (Ann): no back lies there" in result.output
    assert "decks.toml: 1 deck\n" in result.output
    again = enroll(Counter((hand(670), 0.99, "red-plow")))
    assert "decks.toml: 1 deck\n" in again.output, "the seat's old deck is replaced"


def test_two_hands_with_one_back_are_said_with_their_seats(enroll, tmp_path):
    result = enroll(Counter((hand(130), 0.99, "red-plow"), (hand(670), 0.99, "red-plow")))
    assert result.exit_code == 1
    assert "red-plow (seat 1) and red-plow (seat 2) have the same back" in result.output
    assert not (tmp_path / "decks.toml").exists()


@pytest.mark.parametrize(
    ("counter", "says"),
    [
        (Counter(), "seat 2 (Ben): no back lies there"),
        (Counter((hand(130, y=290), 0.99, "red-plow")), "seat 1 (Ann): the hand isn't wholly in sight"),
        (Counter((hand(130), 0.02, "face")), "no hand can be learnt"),
    ],
)
def test_nothing_to_learn_is_said_for_each_seat(enroll, counter, says):
    result = enroll(counter)
    assert result.exit_code == 1
    assert says in result.output
    assert "Traceback" not in result.output


def test_more_names_than_seats_are_refused(enroll):
    result = enroll(Counter((hand(130), 0.99, "red-plow")), *("--name", "x") * 3)
    assert result.exit_code == 1
    assert "3 names for 2 seats" in result.output
