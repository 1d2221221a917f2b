"""Average precision of location on cases small enough to count by hand."""

import numpy as np
import pytest

from referee.evaluation.location import score_location
from referee.evaluation.truth import TrueCard


def quad(x, y=0.0, side=10.0):
    return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]], np.float32)


def card(x, visible=1.0, exact=True):
    return TrueCard(quad(x), exact, None, None, visible)


def test_all_found_and_nothing_else():
    score = score_location([([quad(0), quad(50)], [0.9, 0.8], [card(0), card(50)])])
    assert (score.average_precision, score.found, score.false) == (1.0, 2, 0)
    assert (score.pictures, score.cards, score.confidence) == (1, 2, pytest.approx(0.8))


def test_a_false_box_that_is_surer_costs_precision():
    # In order of score: false, right, right; precision 0, 1/2, 2/3, envelope 2/3, so the area is 2/3.
    score = score_location([([quad(200), quad(0), quad(50)], [0.9, 0.8, 0.7], [card(0), card(50)])])
    assert score.average_precision == pytest.approx(2 / 3)
    assert (score.found, score.false) == (2, 1)


def test_a_second_box_on_a_card_is_false_and_a_missed_card_costs_recall():
    score = score_location([([quad(0), quad(1)], [0.9, 0.8], [card(0), card(50)])])
    assert score.average_precision == pytest.approx(0.5)
    assert (score.found, score.false, score.confidence) == (1, 0, pytest.approx(0.9))


def test_a_hidden_card_is_neither_found_nor_missed():
    score = score_location([([quad(0), quad(50)], [0.9, 0.8], [card(0), card(50, visible=0.3)])])
    assert (score.cards, score.average_precision, score.found, score.false) == (1, 1.0, 1, 0)


def test_a_hidden_card_takes_no_box_from_the_one_on_it():
    pile = [card(1, visible=0.05), card(0)]
    score = score_location([([quad(1)], [0.9], pile), ([quad(0), quad(1)], [0.9, 0.8], pile)])
    assert (score.cards, score.found, score.false) == (2, 2, 0)


def test_boxes_are_compared_as_boxes():
    turned = np.array([[5, -1], [11, 5], [5, 11], [-1, 5]], np.float32)
    assert score_location([([turned], [0.9], [card(0, exact=False)])]).found == 1
    assert score_location([([turned], [0.9], [card(0)])]).found in (0, 1)


def test_nothing_found_and_nothing_there():
    assert score_location([([], [], [card(0)])]).average_precision == 0.0
    empty = score_location([([quad(0)], [0.5], [])])
    assert (empty.cards, empty.found, empty.average_precision) == (0, 0, 0.0)
