import cv2
import numpy as np
import pytest

from referee.counting.likeness import Ground, Look, find_strange
from referee.counting.peel import peel
from referee.layout import Pose

SHAPE = (89, 57)
WHOLE = np.ones(SHAPE, bool)
PAPER, RED, BLUE = ([150, 0, 5], [150, 45, 30], [150, 5, -45])


def below():
    """A card with its drawing along two edges."""
    card = np.tile(np.float32(PAPER), (*SHAPE, 1))
    card[2:86, 2:15] = RED
    card[2:12, 2:55] = RED
    return card


def above(whole=True):
    """A card on the same paper with a block in the middle, and another that a mirrored light may hide."""
    card = np.tile(np.float32(PAPER), (*SHAPE, 1))
    card[18:46, 8:34] = BLUE
    if whole:
        card[49:77, 2:40] = BLUE
    return card


def heap():
    """The second card lies over most of the first one."""
    lab = np.tile(np.float32([90, 30, 30]), (160, 160, 1))
    lab[20:109, 20:77] = below()
    lab[32:121, 35:92] = above(whole=False)
    return Ground(lab, np.full((160, 160), 255, np.uint8), 0.0, 0.0, (57, 89))


def pose(x, y):
    return Pose(x + 28.5, y + 44.5, 0.0)


def test_a_card_that_was_explained_before_the_one_on_it_leaves_that_its_own():
    looks = [Look.of(below(), WHOLE), Look.of(above(), WHOLE)]
    taken, free = peel(heap(), [pose(20, 20), pose(35, 32)], looks)
    assert [item.design for item in taken] == [0, 1], "the lower one agrees better at first"
    assert taken[1].pose.x_mm == pytest.approx(63.5, abs=1)
    assert free[55:100, 40:85].max() == 0, "both are taken off"


def test_what_lies_on_a_card_is_strange_to_it_and_noise_is_not():
    look = Look.of(below(), WHOLE)
    crop = below() + np.random.default_rng(3).normal(0, 8, (*SHAPE, 3)).astype(np.float32)
    crop[30, 20:24] = 0
    assert not find_strange(crop, WHOLE, look, 1.0).any()
    crop[40:70, 20:50] = BLUE
    strange = find_strange(crop, WHOLE, look, 1.0)
    assert strange[42:68, 22:48].all()
    assert strange.sum() < 1.3 * 900
    shown = WHOLE.copy()
    shown[55:] = False
    assert not find_strange(crop, shown, look, 1.0)[55:].any(), "what another card covers isn't looked at"


def test_uncovering_sets_free_just_that_part_of_a_turned_card():
    ground = heap()
    free = np.zeros((160, 160), np.uint8)
    strange = np.zeros(SHAPE, bool)
    strange[10:40, 10:30] = True
    at = Pose(80.0, 80.0, 30.0)
    ground.uncover(at, strange, free)
    assert cv2.countNonZero(free) == pytest.approx(600, rel=0.08)
    assert (ground.is_free(at, free) == strange).mean() > 0.98
