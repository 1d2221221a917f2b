from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.scoring import find_winners, is_over, score
from referee.game.variant import IllegalPlay, Tie, get_variant

OFFICIAL = get_variant("official")
POINTS = replace(OFFICIAL, illegal_play=IllegalPlay.POINTS, penalty_points=3)


@pytest.mark.parametrize(
    ("dutch", "blitz", "points"), [(19, 3, 13), (0, 0, 0), (0, 10, -20), (40, 0, 40), (2, 1, 0), (1, 1, -1)]
)
def test_a_round_is_scored_as_the_rule_book_says(dutch, blitz, points):
    assert score(OFFICIAL, dutch, blitz) == points


def test_points_of_cards_are_house_rules():
    assert score(replace(OFFICIAL, blitz_points=-1), 19, 3) == 16
    assert score(replace(OFFICIAL, blitz_points=-3), 19, 3) == 10
    assert score(replace(OFFICIAL, dutch_points=2), 19, 3) == 32


def test_illegal_plays_cost_points_only_where_points_are_the_penalty():
    assert score(POINTS, 19, 3, 2) == 7
    assert score(POINTS, 19, 3, 0) == 13
    assert score(OFFICIAL, 19, 3, 2) == 13
    assert score(replace(POINTS, illegal_play=IllegalPlay.CARD), 19, 3, 2) == 13


@pytest.mark.parametrize("counts", [(-1, 0, 0), (0, -1, 0), (0, 0, -1)])
def test_negative_counts_are_refused(counts):
    with pytest.raises(ValueError, match="-1 cards"):
        score(OFFICIAL, *counts)


def test_a_match_ends_at_the_target_or_after_the_fixed_rounds():
    assert is_over(OFFICIAL, {1: 74, 2: -3}, 5) is False
    assert is_over(OFFICIAL, {1: 75, 2: -3}, 5)
    assert is_over(OFFICIAL, {}, 0) is False
    assert not is_over(OFFICIAL, {}, 3)
    assert not is_over(OFFICIAL, {1: 75}, 0)
    fixed = replace(OFFICIAL, target=None, rounds=3)
    assert not is_over(fixed, {1: 500}, 2)
    assert is_over(fixed, {1: -5}, 3)
    assert is_over(fixed, {1: -5}, 4)
    both = replace(OFFICIAL, rounds=3)
    assert is_over(both, {1: 75}, 1)
    assert is_over(both, {1: 5}, 3)


def test_the_highest_total_wins_also_when_several_pass_the_target():
    assert find_winners(OFFICIAL, {1: 80, 2: 95, 3: 10}, 4, 1) == (2,)
    assert find_winners(OFFICIAL, {1: 74, 2: 10}, 4, 1) == ()
    assert find_winners(replace(OFFICIAL, target=None, rounds=1), {1: -9, 2: -5}, 1, None) == (2,)


@pytest.mark.parametrize(
    ("tie", "blitz_seat", "winners"),
    [
        (Tie.FURTHER_ROUND, 2, ()),
        (Tie.SHARED, 2, (1, 2)),
        (Tie.SHARED, None, (1, 2)),
        (Tie.BLITZED_WINS, 2, (2,)),
        (Tie.BLITZED_WINS, 1, (1,)),
        (Tie.BLITZED_WINS, 3, ()),
        (Tie.BLITZED_WINS, None, ()),
    ],
)
def test_ties(tie, blitz_seat, winners):
    assert find_winners(replace(OFFICIAL, tie=tie), {2: 80, 1: 80, 3: 20}, 4, blitz_seat) == winners


def test_blitzing_wins_no_match_that_somebody_else_leads():
    assert find_winners(replace(OFFICIAL, tie=Tie.BLITZED_WINS), {1: 80, 2: 81}, 4, 1) == (2,)


@given(
    st.permutations(range(1, 9)), st.lists(st.integers(-40, 120), min_size=8, max_size=8), st.sampled_from(list(Tie))
)
def test_permuting_seats_permutes_the_winners(order, points, tie):
    variant = replace(OFFICIAL, tie=tie)
    totals = dict(enumerate(points, 1))
    moved = {order[seat - 1]: total for seat, total in totals.items()}
    winners = find_winners(variant, totals, 1, 1)
    assert set(find_winners(variant, moved, 1, order[0])) == {order[seat - 1] for seat in winners}
