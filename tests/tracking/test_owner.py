import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.tracking.owner import Reaches, Whereabouts, name_seat, provenance_factor, share_out
from referee.vision.frames import Reach

WEIGHTS = st.lists(
    st.dictionaries(st.integers(1, 4), st.floats(0.01, 100.0), min_size=4, max_size=4), min_size=1, max_size=4
)


@given(WEIGHTS)
def test_shares_are_those_of_all_ways_to_give_the_plays_to_different_seats(plays):
    seats = (1, 2, 3, 4)
    totals = [dict.fromkeys(seats, 0.0) for _ in plays]
    for way in itertools.permutations(seats, len(plays)):
        weight = float(np.prod([play[seat] for play, seat in zip(plays, way, strict=True)]))
        for total, seat in zip(totals, way, strict=True):
            total[seat] += weight
    for shares, total in zip(share_out(plays, seats), totals, strict=True):
        assert sum(shares.values()) == pytest.approx(1.0)
        for seat in seats:
            assert shares[seat] == pytest.approx(total[seat] / sum(total.values()))


def test_seat_that_surely_played_the_card_once_did_not_play_it_twice():
    first, second = share_out([{1: 500.0}, {1: 5.0, 2: 2.0}], (1, 2, 3))
    assert name_seat(first)[0] == 1
    assert name_seat(second)[0] == 2


def test_more_plays_than_decks_are_shared_out_rather_than_refused():
    assert len(share_out([{}, {}, {}], (1, 2))) == 3


def test_nobody_is_named_when_nobody_is_likely():
    assert name_seat({1: 0.4, 2: 0.35, 3: 0.25})[0] is None


def test_card_that_left_a_pile_lately_weighs_most_and_one_that_lies_elsewhere_least():
    lately, long_ago = (provenance_factor(Whereabouts(lost_s_ago=s)) for s in (0.5, 7.0))
    hidden = provenance_factor(Whereabouts(maybe_lost=True))
    unknown, buried = provenance_factor(Whereabouts()), provenance_factor(Whereabouts(buried=True))
    assert lately > long_ago > unknown > buried > provenance_factor(Whereabouts(lies_elsewhere=True))
    assert lately > hidden > unknown


def arm(seat, tip):
    outline = np.array([[tip[0] - 30, tip[1]], [tip[0] + 30, tip[1]], [tip[0], tip[1] + 400]], np.float32)
    return Reach(outline, None, tip, seat)


def test_arm_whose_tip_was_at_the_place_scores_most():
    reaches = Reaches()
    reaches.update(1.0, (arm(1, (0.0, 0.0)), arm(2, (80.0, 0.0)), arm(3, (500.0, 0.0)), arm(None, (0.0, 0.0))))
    scores = reaches.scores((0.0, 0.0), 1.1)
    assert scores[1] > 0.8 > scores[2] > scores[3]


def test_touch_down_is_when_the_last_arm_came():
    reaches = Reaches()
    path = [(0.0, 5.0), (0.1, 0.0), (0.2, 200.0), (0.3, 120.0), (0.4, 8.0), (0.5, 3.0), (0.6, 90.0)]
    for time_s, distance in path:
        reaches.update(time_s, (arm(1, (distance, 0.0)),))
    assert reaches.touch_s((0.0, 0.0), 0.0, 0.7) == pytest.approx(0.4)
    assert reaches.touch_s((900.0, 0.0), 0.0, 0.7) is None


def test_the_last_arm_brought_the_card_though_an_earlier_one_came_nearer():
    reaches = Reaches()
    path = [(0.0, 1.0), (0.1, 1.0), (0.2, 200.0), (0.3, 60.0), (0.4, 42.0), (0.5, 40.0), (0.6, 130.0)]
    for time_s, distance in path:
        reaches.update(time_s, (arm(1, (distance, 0.0)),))
    assert reaches.touch_s((0.0, 0.0), 0.0, 0.7) == pytest.approx(0.4)
