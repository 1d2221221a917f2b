import numpy as np
import pytest

from referee.layout import Pose
from referee.tracking.cover import Cover, Polygon, card_points
from referee.tracking.piles import LyingCards, angle_between, quad_angle_deg
from referee.vision.frames import Detection, Observation, Reach, Reading
from referee.vision.geometry import card_quad

CARD_MM = (57.0, 89.0)
STEP_S = 1 / 15


class Watch:
    def __init__(self):
        self.lying = LyingCards(CARD_MM)
        self.now_s = 0.0

    def see(self, *cards, arm=None, times=1):
        for _ in range(times):
            self.now_s += STEP_S
            found = tuple(
                Detection(card_quad(Pose(x, y, angle), CARD_MM), "face", 0.9, Reading(label, 0.95 if label else 0.0))
                for label, x, y, angle in cards
            )
            reaches = ()
            if arm is not None:
                outline = np.array(
                    [[arm[0] - 60, arm[1] - 60], [arm[0] + 60, arm[1] - 60], [arm[0] + 60, 400], [arm[0] - 60, 400]],
                    np.float32,
                )
                reaches = (Reach(outline, None, arm, 1),)
            observation = Observation(self.now_s, found, reaches)
            self.lying.update(observation, Cover(observation))
        return [card for card in self.lying.cards if not card.below]


def test_card_settles_after_two_frames_and_long_enough():
    watch = Watch()
    (card,) = watch.see(("R7", 0, 0, 0))
    assert not card.settled
    (card,) = watch.see(("R7", 0, 0, 0), times=2)
    assert card.settled
    assert card.label == "R7"


def test_hidden_card_is_kept_and_uncovered_one_that_is_missing_goes():
    watch = Watch()
    watch.see(("R7", 0, 0, 0), times=5)
    (card,) = watch.see(arm=(0, 0), times=60)
    assert card.hidden
    assert watch.see(times=3)
    assert watch.see(times=10) == []


def test_single_misreading_is_outvoted():
    watch = Watch()
    watch.see(("R6", 0, 0, 0), times=5)
    watch.see(("R9", 0, 0, 0))
    (card,) = watch.see(("R6", 0, 0, 0), times=3)
    assert card.label == "R6"
    assert card.number == 1


def test_other_label_in_the_same_pose_after_a_cover_is_another_card():
    watch = Watch()
    watch.see(("R6", 0, 0, 0), times=5)
    watch.see(arm=(0, 0), times=5)
    cards = watch.see(("R7", 1, 1, 2), times=4)
    assert [card.label for card in cards] == ["R7"]
    assert cards[0].number == 2
    assert not cards[0].overlooked


def test_other_label_without_a_cover_is_believed_late_and_marked():
    watch = Watch()
    watch.see(("R6", 0, 0, 0), times=10)
    (card,) = watch.see(("R7", 1, 1, 2), times=4)
    assert card.number == 1
    cards = watch.see(("R7", 1, 1, 2), times=6)
    assert [(card.label, card.overlooked) for card in cards] == [("R7", True)]


def test_card_below_comes_back_as_itself_only_in_its_own_pose():
    watch = Watch()
    watch.see(("R6", 0, 0, 0), times=5)
    watch.see(("R7", 9, 9, 20), arm=None, times=6)
    watch.see(arm=(0, 0), times=3)
    cards = watch.see(("R6", 0, 0, 0), times=3)
    assert [card.number for card in cards if card.label == "R6"] == [1]
    watch = Watch()
    watch.see(("R6", 0, 0, 0), times=5)
    watch.see(("R7", 9, 9, 20), times=6)
    watch.see(arm=(0, 0), times=3)
    cards = watch.see(("R6", 9, -6, 3), times=3)
    assert [card.number for card in cards if card.label == "R6"] == [3]


def test_sliding_card_stays_the_same_card():
    watch = Watch()
    watch.see(("R6", 0, 0, 0), times=5)
    for step in range(1, 8):
        cards = watch.see(("R6", 12 * step, 0, 0))
    assert [card.number for card in cards] == [1]
    assert not cards[0].settled
    assert watch.see(("R6", 84, 0, 0), times=3)[0].settled


def test_carried_card_is_shown_from_where_it_came_to_rest():
    watch = Watch()
    watch.see(("R6", 0, 0, 0), times=15)
    for step in range(1, 8):
        watch.see(("R6", 40 * step, 0, 0))
    arrived_s = watch.now_s
    (card,) = watch.see(("R6", 285, 4, 0), times=5)
    assert card.number == 1
    assert card.shown_s == pytest.approx(arrived_s, abs=1.5 * STEP_S)
    (card,) = watch.see(("R6", 275, 14, 0), times=5)
    assert card.shown_s == pytest.approx(arrived_s, abs=1.5 * STEP_S), "a nudge is no arrival"


def test_first_reading_of_a_long_unread_place_after_a_hand_is_another_card():
    watch = Watch()
    watch.see((None, 0, 0, 0), times=20)
    watch.see((None, 0, 0, 0), arm=(60, 60), times=2)
    arrived_s = watch.now_s + STEP_S
    cards = watch.see(("B5", 3, 2, 0), times=3)
    assert [(card.label, card.shown_s) for card in cards if card.label] == [("B5", pytest.approx(arrived_s))]
    assert all(card.number == 2 for card in cards if card.label)


def test_card_that_is_read_late_is_no_other_card():
    for arm in (None, (60, 60)):
        watch = Watch()
        watch.see((None, 0, 0, 0), arm=arm, times=8)
        (card,) = watch.see(("B5", 0, 0, 0), times=3)
        assert card.number == 1
    for beside in (None, (92, 0)):
        watch = Watch()
        watch.see((None, 0, 0, 0), times=30)
        watch.see((None, 0, 0, 0), arm=beside, times=3)
        (card,) = watch.see(("B5", 0, 0, 0), times=3)
        assert card.number == 1


def test_angles_of_cards_turn_by_half_turns():
    assert angle_between(5, 178) == pytest.approx(7)
    for angle in (0, 30, 89, -45):
        assert angle_between(quad_angle_deg(card_quad(Pose(0, 0, angle), CARD_MM)), angle) == pytest.approx(0, abs=1e-3)


def test_points_in_a_polygon_that_is_not_convex():
    horseshoe = Polygon([(0, 0), (30, 0), (30, 30), (20, 30), (20, 10), (10, 10), (10, 30), (0, 30)])
    points = np.array([(5.0, 20.0), (15.0, 20.0), (25.0, 20.0), (15.0, 5.0), (40.0, 5.0)])
    assert horseshoe.contains(points).tolist() == [True, False, True, True, False]


def test_held_card_covers_what_is_below_it():
    held = Detection(card_quad(Pose(0, 0, 0), (72.0, 112.0)), "face", 0.9, Reading("R1", 0.9), scale=1.26)
    cover = Cover(Observation(0.0, (held,)))
    assert cover.shares(card_points([(0, 0, 0), (200, 0, 0)], CARD_MM)).tolist() == [1.0, 0.0]
