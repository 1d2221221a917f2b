from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.cards import FACES, ORDINARY_FACES, Face
from referee.game.house_rules import OPTIONS, find_differences, make_variant, parse_rules
from referee.game.variant import EmptyPost, PostToPost, Tie, TwoHands, Variant, VariantError, get_presets, get_variant
from referee.game.words import describe

OFFICIAL = get_variant("official")


def test_the_presets_are_those_of_the_rule_books():
    assert list(get_presets()) == ["official", "dutch-blitz", "family", "nertz", "nertz-simple"]
    assert get_variant("dutch-blitz") is OFFICIAL
    assert (OFFICIAL.faces, OFFICIAL.highest, OFFICIAL.blitz_cards, OFFICIAL.turn) == (FACES, 10, 10, 3)
    assert [OFFICIAL.posts_for(seats) for seats in range(2, 9)] == [5, 3, 3, 3, 3, 3, 3]
    assert (OFFICIAL.target, OFFICIAL.dutch_points, OFFICIAL.blitz_points) == (75, 1, -2)
    family = get_variant("family")
    assert find_differences(family, OFFICIAL) == {
        "empty_post": "blitz-may-wait", "illegal_play": "notice", "two_hands": "notice", "tie": "shared",
    }  # fmt: skip
    nertz, simple = get_variant("nertz"), get_variant("nertz-simple")
    assert (nertz.faces, nertz.highest, nertz.blitz_cards, nertz.posts_for(4), nertz.target) == (
        ORDINARY_FACES, 13, 13, 4, 100,
    )  # fmt: skip
    assert [nertz.posts_for(2), simple.posts_for(2), simple.posts_for(4), simple.blitz_cards] == [4, 3, 3, 10]
    assert (nertz.empty_post, nertz.post_to_post) == (EmptyPost.ANY, PostToPost.COLUMN)


def test_an_unknown_preset_is_refused_with_those_that_are():
    with pytest.raises(VariantError, match="'whist': use official, dutch-blitz, family, nertz, nertz-simple"):
        get_variant("whist")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"posts": 0}, "posts: 0 is impossible: use 1 to 10"),
        ({"posts": 11}, "posts: 11"),
        ({"posts_two": 0}, "posts_two: 0"),
        ({"max_seats": 9}, "max_seats: 9 is impossible: use 2 to 8"),
        ({"min_seats": 1}, "min_seats: 1"),
        ({"min_seats": 5, "max_seats": 4}, "min_seats 5 is more than max_seats 4"),
        ({"blitz_cards": 0}, "blitz_cards: 0"),
        ({"blitz_cards": 35}, "40 of 40 cards are laid out, none is left"),
        ({"turn": 0}, "turn: 0"),
        ({"target": 0}, "target: 0"),
        ({"target": None}, "target and rounds"),
        ({"rounds": 0}, "rounds: 0"),
        ({"blitz_points": 1}, "blitz_points: 1"),
        ({"dutch_points": 0}, "dutch_points: 0"),
        ({"penalty_points": -1}, "penalty_points: -1"),
        ({"too_close_s": 0.05}, "too_close_s: 0.05 is impossible: use 0.1 to 1.0"),
        ({"race_s": 99.0}, "race_s: 99.0"),
        ({"two_hands_s": -0.1}, "two_hands_s: -0.1"),
        ({"faces": ()}, "at least one face"),
        ({"faces": (Face.parse("R1"), Face.parse("R1"))}, "each once"),
    ],
)
def test_impossible_rules_are_refused(changes, message):
    with pytest.raises(VariantError) as caught:
        replace(OFFICIAL, **changes)
    assert message in str(caught.value)


def test_the_smallest_hand_is_one_card():
    assert replace(OFFICIAL, blitz_cards=34).blitz_cards == 34


@pytest.mark.parametrize("seats", [-1, 0, 1, 9])
def test_so_many_cannot_play(seats):
    with pytest.raises(VariantError, match=f"{seats} seats: official is for 2 to 8"):
        OFFICIAL.posts_for(seats)


def test_every_option_is_a_field_and_can_be_set_from_toml():
    assert set(OPTIONS) == {item.name for item in fields(Variant)} - {"name", "terms", "faces", "highest"}
    variant = parse_rules(
        """
        base = "nertz"
        name = "Millers"
        turn = 1
        post_building = false
        two_hands = "allowed"
        tie = "blitzed-wins"
        target = "none"
        rounds = 3
        too_close_s = 0.5
        race_s = 2
        """
    )
    assert variant.name == "Millers"
    assert (variant.faces, variant.turn, variant.post_building) == (ORDINARY_FACES, 1, False)
    assert (variant.two_hands, variant.tie) == (TwoHands.ALLOWED, Tie.BLITZED_WINS)
    assert (variant.target, variant.rounds, variant.too_close_s, variant.race_s) == (None, 3, 0.5, 2.0)
    assert parse_rules("").name == "house rules"
    assert make_variant(parse_rules(""), {}) == replace(OFFICIAL, name="house rules")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("turn = ", "no valid TOML"),
        ("turns = 3", "unknown rule 'turns': use min_seats"),
        ("faces = []", "unknown rule 'faces'"),
        ('base = "whist"', "no rules are called 'whist'"),
        ("base = 3", "base and name: write a text"),
        ("name = 3", "base and name: write a text"),
        ("turn = 1.5", "turn: '1.5' is no whole number"),
        ("turn = true", "turn: 'True' is no whole number"),
        ('turn = "none"', "turn: 'none' is no whole number"),
        ("post_building = 1", "post_building: '1' is neither true nor false"),
        ("race_s = true", "race_s: 'True' is no number"),
        ('race_s = "long"', "race_s: 'long' is no number"),
        ('tie = "fight"', "tie: 'fight' is no choice: use further-round, shared, blitzed-wins"),
        ("tie = 3", "tie: '3' is no choice"),
        ("posts = 0", "posts: 0 is impossible"),
        ("race_s = nan", "race_s: nan is impossible"),
    ],
)
def test_house_rules_that_cannot_be_are_refused(text, message):
    with pytest.raises(VariantError) as caught:
        parse_rules(text)
    assert message in str(caught.value)


CHOICES = {
    "turn": st.integers(1, 5),
    "posts": st.integers(1, 5),
    "target": st.integers(1, 500),
    "rounds": st.integers(1, 20) | st.just("none"),
    "post_building": st.booleans(),
    "tie": st.sampled_from([tie.value for tie in Tie]),
    "two_hands": st.sampled_from([choice.value for choice in TwoHands]),
    "too_close_s": st.sampled_from([0.1, 0.2, 0.5]),
}


@given(st.fixed_dictionaries({}, optional=CHOICES), st.sampled_from(["official", "family", "nertz"]))
def test_differences_are_the_inverse_of_making(rules, name):
    base = get_variant(name)
    variant = make_variant(base, rules)
    assert make_variant(base, find_differences(variant, base)) == variant
    assert set(find_differences(variant, base)) <= set(rules)


def test_every_value_of_every_option_changes_the_words():
    other = {
        "min_seats": 3, "max_seats": 4, "posts": 4, "posts_two": 4, "blitz_cards": 13, "turn": 1,
        "post_building": False,
        "target": 100, "rounds": 5, "dutch_points": 2, "blitz_points": -1, "too_close_s": 0.3, "race_s": 2.0,
    }  # fmt: skip
    told = describe(OFFICIAL)
    for name, kind in OPTIONS.items():
        if name in ("penalty_points", "two_hands_s"):
            continue
        values = [other[name]] if name in other else list(kind)
        words = [describe(replace(OFFICIAL, **{name: value})) for value in values]
        assert all(len(line) < 250 for lines in words for line in lines)
        if name in other:
            assert words[0] != told, name
        else:
            assert len({tuple(lines) for lines in words}) == len(values), name
    points = {
        points: describe(replace(OFFICIAL, illegal_play="points-penalty", penalty_points=points)) for points in (1, 2)
    }
    assert points[1] != points[2]


def test_the_rules_are_told_in_the_words_of_the_game():
    official, nertz = " ".join(describe(OFFICIAL)), " ".join(describe(get_variant("nertz")))
    for words in ("5 when two play", "Blitz Pile of 10 cards", "boy on girl", "up to 10", "75 points", "-2 for each"):
        assert words in official
    for words in (
        "4 columns",
        "Nertz pile of 13 cards",
        "red on black",
        "up to the king",
        "an ace starts",
        "100 points",
    ):
        assert words in nertz
    for words in ("Blitz", "Dutch Pile", "Wood", "Post", "boy"):
        assert words not in nertz.replace('"Dutch!"', "")
    assert "ends after 1 round;" in " ".join(describe(replace(OFFICIAL, target=None, rounds=1)))
