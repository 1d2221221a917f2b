"""One test for each violation, named after it; whole games for each stand in tests/games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.game.cards import Face
from referee.game.events import Certainty, Violation
from referee.game.moves import Move, PileId
from referee.game.rules import NOT_SEEN_BY_CAMERA, RULES, Context, judge
from referee.game.table import Pile, Table
from referee.game.variant import (
    EmptyPost,
    IllegalPlay,
    PostToPost,
    ShortHand,
    StuckRule,
    TwoHands,
    get_variant,
)

OFFICIAL = get_variant("official")
CERTAIN, DOUBTFUL, TOO_CLOSE = Certainty.CERTAIN, Certainty.DOUBTFUL, Certainty.TOO_CLOSE


def lay(variant=OFFICIAL, seats=4, **piles: str) -> Table:
    """Lay out a table; `d1="R1 R2"`, `s1_post1="R7 -"`, `s1_hand=""` name piles bottom to top."""
    table = Table.start(variant, seats)
    for name, cards in piles.items():
        faces = tuple(None if label == "-" else Face.parse(label) for label in cards.split())
        table = Table({**table.piles, PileId.parse(name.replace("_", ".")): Pile(faces)}, table.seats)
    return table


def rule(table: Table, line: str, variant=OFFICIAL, confidence=1.0, **context) -> tuple[list[str], Certainty]:
    move = replace(Move.parse(line), confidence=confidence)
    ruling = judge(variant, table, move, Context(**context))
    assert ruling.move is move
    assert bool(ruling.remedy) == bool(ruling.violations)
    return [violation.value for violation in ruling.violations], ruling.certainty


def test_every_violation_has_a_rule_of_its_name_with_words():
    assert list(RULES) == list(Violation)
    for violation, function in RULES.items():
        assert function.__name__ == violation.value
        assert function.__doc__
        assert f"test_{violation.value}" in globals()


def test_wrong_color():
    table = lay(d1="R1")
    assert rule(table, "1 s1 B2 s1.blitz>d1") == (["wrong_color"], CERTAIN)
    assert rule(table, "1 s1 R2 s1.blitz>d1") == ([], CERTAIN)
    assert rule(table, "1 s1 B2 s1.blitz>d1", confidence=0.79) == (["wrong_color"], DOUBTFUL)
    assert rule(table, "1 s1 B2 s1.blitz>d1", confidence=0.8) == (["wrong_color"], CERTAIN)
    assert rule(lay(d1="R1 -"), "1 s1 B3 s1.blitz>d1") == (["wrong_color"], DOUBTFUL)
    assert rule(table, "1 s1 R2,B3 s1.blitz>d1") == (["wrong_color", "several_cards"], CERTAIN)


def test_wrong_number():
    table = lay(d1="R5")
    assert rule(table, "1 s1 R7 s1.blitz>d1") == (["wrong_number"], CERTAIN)
    assert rule(table, "1 s1 R5 s1.blitz>d1") == (["wrong_number"], CERTAIN)
    assert rule(table, "1 s1 R6 s1.blitz>d1") == ([], CERTAIN)
    assert rule(lay(d1="R4 -"), "1 s1 R6 s1.blitz>d1") == ([], CERTAIN)
    assert rule(lay(d1="R4 -"), "1 s1 R7 s1.blitz>d1") == (["wrong_number"], DOUBTFUL)
    assert rule(lay(d1="R4 - -"), "1 s1 R7 s1.blitz>d1") == ([], CERTAIN)
    assert rule(table, "1 s1 - s1.blitz>d1") == ([], DOUBTFUL)
    assert rule(lay(d1="-"), "1 s1 R7 s1.blitz>d1") == ([], DOUBTFUL)
    assert rule(table, "1 s1 R6,R8 s1.blitz>d1")[0] == ["wrong_number", "several_cards"]


def test_wrong_number_is_doubtful_where_a_card_may_have_come_unseen():
    table = lay(d1="R7")
    assert rule(table, "1 s1 R9 s1.blitz>d1", gap=True) == (["wrong_number"], DOUBTFUL)
    assert rule(table, "1 s1 R9 s1.blitz>d1", gap=False) == (["wrong_number"], CERTAIN)
    # A lower card, or the same, can't be explained by one that came in between.
    assert rule(table, "1 s1 R6 s1.blitz>d1", gap=True) == (["wrong_number"], CERTAIN)
    assert rule(table, "1 s1 R7 s1.blitz>d1", gap=True) == (["wrong_number"], CERTAIN)


def test_start_not_one():
    assert rule(lay(), "1 s1 R2 s1.blitz>d1") == (["start_not_one"], CERTAIN)
    assert rule(lay(), "1 s1 R1 s1.blitz>d1") == ([], CERTAIN)
    assert rule(lay(), "1 s1 - s1.blitz>d1") == ([], CERTAIN)
    assert rule(lay(), "1 s1 R2 s1.blitz>d1", gap=True) == (["start_not_one"], DOUBTFUL)
    assert rule(lay(s1_post1="R7"), "1 s1 R2 s1.blitz>s1.post1")[0] == ["post_order", "post_figure"]


def test_start_not_one_for_a_whole_post_pile_too():
    assert rule(lay(s1_post1="R10"), "1 s1 R10 s1.post1>d1") == (["start_not_one"], CERTAIN)


def test_pile_complete():
    assert rule(lay(d1="R10"), "1 s1 B1 s1.blitz>d1") == (["pile_complete"], CERTAIN)
    assert rule(lay(d1="R10"), "1 s1 R1 s1.blitz>d1") == (["pile_complete"], CERTAIN)
    assert rule(lay(d1="R10"), "1 s1 - s1.blitz>d1") == (["pile_complete"], CERTAIN)
    assert rule(lay(d1="R9 -"), "1 s1 R10 s1.blitz>d1") == (["pile_complete"], DOUBTFUL)
    assert rule(lay(d1="- " * 10), "1 s1 R10 s1.blitz>d1") == (["pile_complete"], DOUBTFUL)
    assert rule(lay(d1="- " * 9), "1 s1 R10 s1.blitz>d1") == ([], DOUBTFUL)
    assert rule(lay(d1="R9"), "1 s1 R10 s1.blitz>d1") == ([], CERTAIN)
    assert rule(lay(d1="R9"), "1 s1 B10 s1.blitz>d1") == (["wrong_color"], CERTAIN)


def test_several_cards():
    column = replace(OFFICIAL, post_to_post=PostToPost.COLUMN)
    posts = lay(s1_post1="R7", s1_post2="Y6 B5")
    assert rule(lay(d1="R1"), "1 s1 R2,R3 s1.wood>d1") == (["several_cards"], CERTAIN)
    assert rule(posts, "1 s1 Y6,B5 s1.post2>s1.post1") == (["several_cards"], CERTAIN)
    assert rule(posts, "1 s1 Y6,B5 s1.post2>s1.post1", column) == ([], CERTAIN)
    assert rule(posts, "1 s1 Y6,B5 s1.wood>s1.post1", column) == (["several_cards"], CERTAIN)
    assert rule(lay(s1_post1="R1 R2"), "1 s1 R1,R2 s1.post1>d1", column) == (["several_cards"], CERTAIN)
    assert rule(lay(), "1 s1 -,-,G4 s1.hand>s1.wood") == ([], CERTAIN)


def test_two_hands():
    before = Move.parse("1.0 s1 B1 s1.post1>d2")
    line = "1.05 s1 R1 s1.blitz>d1"
    notice = replace(OFFICIAL, two_hands=TwoHands.NOTICE)
    allowed = replace(OFFICIAL, two_hands=TwoHands.ALLOWED)
    assert rule(lay(), line, last_of_seat=before) == (["two_hands"], CERTAIN)
    assert rule(lay(), line, notice, last_of_seat=before) == (["two_hands"], CERTAIN)
    assert rule(lay(), line, allowed, last_of_seat=before) == ([], CERTAIN)
    assert rule(lay(), line, allowed, two_hands=True) == ([], CERTAIN)
    assert rule(lay(), line, two_hands=True) == (["two_hands"], CERTAIN)
    assert rule(lay(), "1.06 s1 R1 s1.blitz>d1", last_of_seat=before) == ([], CERTAIN)
    assert rule(lay(), "0.96 s1 R1 s1.blitz>d1", last_of_seat=before) == (["two_hands"], CERTAIN)
    assert rule(lay(), "1.05 s2 R1 s2.blitz>d1", last_of_seat=before) == ([], CERTAIN)
    assert rule(lay(), "1.05 ? R1 s1.blitz>d1", last_of_seat=replace(before, seat=None)) == ([], CERTAIN)
    assert rule(lay(d2="B1"), "1.05 s1 B2 s1.post2>d2", last_of_seat=before) == (["two_hands"], CERTAIN)
    # The same way again is one hand that moved a few cards.
    assert rule(lay(d2="B1"), "1.05 s1 B2 s1.post1>d2", last_of_seat=before) == ([], CERTAIN)
    assert rule(lay(), "1.05 s1 G1 s1.post1>d3", last_of_seat=before) == (["two_hands"], CERTAIN)


def test_before_start():
    assert rule(lay(), "1.0 s1 R1 s1.blitz>d1", started_s=2.0) == (["before_start"], CERTAIN)
    assert rule(lay(), "1.9 s1 R1 s1.blitz>d1", started_s=2.0) == (["before_start"], CERTAIN)
    assert rule(lay(), "1.91 s1 R1 s1.blitz>d1", started_s=2.0) == (["before_start"], TOO_CLOSE)
    assert rule(lay(), "2.0 s1 R1 s1.blitz>d1", started_s=2.0) == ([], CERTAIN)
    assert rule(lay(), "3.0 s1 R1 s1.blitz>d1", started_s=2.0, stopped=True) == (["before_start"], CERTAIN)
    posts = lay(s1_post1="R7", s1_post2="Y6", s1_wood="Y6")
    for source in ("blitz", "wood", "post2"):
        assert rule(posts, f"1.0 s1 Y6 s1.{source}>s1.post1", started_s=2.0) == (["before_start"], CERTAIN)
    assert rule(lay(), "1.0 s1 -,-,G4 s1.hand>s1.wood", started_s=2.0) == (["before_start"], CERTAIN)
    assert rule(lay(), "1.0 ? R1 ?>d1", started_s=2.0) == (["before_start"], CERTAIN)
    for dealt in (
        "1.0 s1 - s1.blitz>s1.wood",
        "1.0 s1 R4 s1.hand>s1.post1",
        "1.0 s1 - s1.hand>s1.blitz",
        "1.0 s1 R4 ?>s1.post1",
    ):
        assert rule(lay(), dealt, started_s=2.0) == ([], CERTAIN)
    assert rule(lay(), "2.0 s1 R4 s1.hand>s1.post1", started_s=2.0) == (["not_on_top"], CERTAIN)
    assert rule(lay(d1="R1"), "3.0 s1 R1 d1>s1.post1", stopped=True)[0] == ["taken_from_dutch"]


def test_after_blitz():
    assert rule(lay(), "5.2 s1 R1 s1.blitz>d1", ended_s=5.0) == (["after_blitz"], CERTAIN)
    assert rule(lay(), "5.1 s1 R1 s1.blitz>d1", ended_s=5.0) == (["after_blitz"], CERTAIN)
    assert rule(lay(), "5.09 s1 R1 s1.blitz>d1", ended_s=5.0) == (["after_blitz"], TOO_CLOSE)
    assert rule(lay(), "5.0 s1 R1 s1.blitz>d1", ended_s=5.0) == ([], CERTAIN)
    assert rule(lay(d1="R1"), "6.0 s1 R1 d1>s1.wood", ended_s=5.0) == ([], CERTAIN)
    assert rule(lay(), "6.0 s1 - s1.post1>s1.hand", ended_s=5.0) == ([], CERTAIN)
    assert rule(lay(), "5.0 s1 - s1.post1>s1.hand", ended_s=5.0) == (["shuffled"], CERTAIN)


def race(line: str, first: str = "1.0 s1 R7 s1.post1>d1", table=None, variant=OFFICIAL, **context):
    table = lay(d1="R5 R6 R7") if table is None else table
    return rule(table, line, variant, last_on_pile=Move.parse(first), **context)


def test_late_to_pile():
    assert race("1.5 s2 R7 s2.post1>d1") == (["late_to_pile"], CERTAIN)
    assert race("2.0 s2 R7 s2.post1>d1") == (["late_to_pile"], CERTAIN)
    assert race("2.01 s2 R7 s2.post1>d1") == (["wrong_number"], CERTAIN)
    assert race("1.09 s2 R7 s2.post1>d1") == (["late_to_pile"], TOO_CLOSE)
    assert race("1.1 s2 R7 s2.post1>d1") == (["late_to_pile"], CERTAIN)
    assert race("1.09 s2 R7 s2.post1>d1", order_seen=True) == (["late_to_pile"], CERTAIN)
    # The stack wins over the clock: the lower card was first, though it is said to have landed later.
    assert race("0.5 s2 R7 s2.post1>d1", order_seen=True) == (["late_to_pile"], CERTAIN)
    assert race("1.5 s2 R7 s2.post1>d1", confidence=0.5) == (["late_to_pile"], DOUBTFUL)
    assert race("1.5 ? R7 ?>d1", first="1.0 ? R7 ?>d1") == (["late_to_pile"], CERTAIN)
    assert race("1.5 s1 R7 s1.post1>d1") == (["wrong_number"], CERTAIN)
    assert race("1.5 s2 R6 s2.post1>d1") == (["wrong_number"], CERTAIN)
    assert race("1.5 s2 B7 s2.post1>d1") == (["wrong_color", "wrong_number"], CERTAIN)
    assert race("1.5 s2 R8 s2.post1>d1") == ([], CERTAIN)
    assert race("1.5 s2 - s2.post1>d1", first="1.0 s1 - s1.post1>d1", table=lay(d1="R6 -")) == ([], DOUBTFUL)


def test_late_to_pile_only_where_the_first_card_was_right():
    assert race("1.5 s2 R7 s2.post1>d1", table=lay(d1="R5 R7")) == (["wrong_number"], CERTAIN)
    assert race("1.5 s2 R7 s2.post1>d1", table=lay(d1="R6 R7 R8")) == (["wrong_number"], CERTAIN)
    # Something else came to lie there since.
    other = race("1.5 s2 R7 s2.post1>d1", table=lay(d1="R5 R6 B9"))
    assert other == (["wrong_color", "wrong_number"], CERTAIN)
    ten = lay(d1="R9 R10")
    assert race("1.5 s2 R10 s2.post1>d1", "1.0 s1 R10 s1.post1>d1", ten) == (["late_to_pile"], CERTAIN)
    assert race("3.0 s2 R10 s2.post1>d1", "1.0 s1 R10 s1.post1>d1", ten) == (["pile_complete"], CERTAIN)
    several = "1.0 s1 R6,R7 s1.post1>d1"
    assert race("1.5 s2 R7 s2.post1>d1", several) == (["wrong_number"], CERTAIN)
    assert race("1.5 s2 R7,R8 s2.post1>d1") == (["wrong_number", "several_cards"], CERTAIN)
    ones = race("1.5 s2 R1 s2.post1>s2.post2", "1.0 s1 R1 s1.post1>d1", lay(s2_post2="R1"))
    assert ones == (["post_order", "post_figure"], CERTAIN)
    assert race("1.5 s2 R7 s2.post1>s2.post2", table=lay(s2_post2="R7"))[0] == ["post_order", "post_figure"]


def test_post_order():
    table = lay(s1_post1="R7", s1_post2="Y6", s1_wood="Y6")
    for source in ("blitz", "wood", "post2"):
        assert rule(table, f"1 s1 Y6 s1.{source}>s1.post1") == ([], CERTAIN)
    assert rule(table, "1 s1 Y8 s1.blitz>s1.post1") == (["post_order"], CERTAIN)
    assert rule(table, "1 s1 Y5 s1.blitz>s1.post1") == (["post_order"], CERTAIN)
    assert rule(table, "1 s1 Y6 ?>s1.post1") == ([], CERTAIN)
    assert rule(table, "1 s1 - s1.blitz>s1.post1") == ([], CERTAIN)
    assert rule(table, "1 s2 Y6 s2.blitz>s1.post1") == (["post_order"], CERTAIN)
    assert rule(table, "1 s1 Y8 s1.blitz>s1.post1", confidence=0.5) == (["post_order"], DOUBTFUL)
    nothing = replace(OFFICIAL, post_building=False)
    assert rule(table, "1 s1 Y6 s1.blitz>s1.post1", nothing) == (["post_order"], CERTAIN)
    none_between = replace(OFFICIAL, post_to_post=PostToPost.NOT_ALLOWED)
    assert rule(table, "1 s1 Y6 s1.post2>s1.post1", none_between) == (["post_order"], CERTAIN)
    assert rule(table, "1 s1 Y6 s1.blitz>s1.post1", none_between) == ([], CERTAIN)


@pytest.mark.parametrize(
    ("option", "allowed"),
    [
        (EmptyPost.AT_ONCE, ("blitz",)),
        (EmptyPost.BLITZ, ("blitz",)),
        (EmptyPost.BLITZ_OR_WOOD, ("blitz", "wood")),
        (EmptyPost.ANY, ("blitz", "wood", "post2")),
    ],
)
def test_post_order_of_an_empty_slot(option, allowed):
    variant = replace(OFFICIAL, empty_post=option)
    table = lay(s1_post1="", s1_post2="Y6", s1_wood="R4")
    for source, card in (("blitz", "B9"), ("wood", "R4"), ("post2", "Y6")):
        expected = [] if source in allowed else ["post_order"]
        assert rule(table, f"1 s1 {card} s1.{source}>s1.post1", variant)[0] == expected
    assert rule(table, "1 s1 B9 ?>s1.post1", variant) == ([], CERTAIN)


def test_post_order_at_once_means_before_building_and_turning():
    may_wait = replace(OFFICIAL, empty_post=EmptyPost.BLITZ)
    table = lay(s1_post1="", s1_post2="R7", s1_wood="Y6", s2_wood="Y6", s2_post2="R7")
    for line in ("1 s1 -,-,G4 s1.hand>s1.wood", "1 s1 Y6 s1.wood>s1.post2"):
        assert rule(table, line) == (["post_order"], CERTAIN)
        assert rule(table, line, may_wait) == ([], CERTAIN)
        assert rule(table, line.replace("s1", "s2")) == ([], CERTAIN)
    # Filling, playing on Dutch Piles and what nobody saw the source of are let through.
    for line in ("1 s1 B9 s1.blitz>s1.post1", "1 s1 G6 s1.blitz>s1.post2", "1 s1 R1 s1.post3>d1", "1 s1 G6 ?>s1.post2"):
        assert rule(table, line) == ([], CERTAIN)
    assert rule(lay(s1_post1="", s1_blitz=""), "1 s1 -,-,G4 s1.hand>s1.wood") == ([], CERTAIN)


def test_post_figure():
    table = lay(s1_post1="R7", s1_post2="G7")
    assert rule(table, "1 s1 B6 s1.blitz>s1.post1") == (["post_figure"], CERTAIN)
    assert rule(table, "1 s1 R6 s1.blitz>s1.post1") == (["post_figure"], CERTAIN)
    assert rule(table, "1 s1 Y6 s1.blitz>s1.post2") == (["post_figure"], CERTAIN)
    assert rule(table, "1 s1 Y6 s1.blitz>s1.post1") == ([], CERTAIN)
    assert rule(table, "1 s1 B6 s1.blitz>s1.post2") == ([], CERTAIN)
    assert rule(lay(d1="Y7", s1_post2="G8"), "1 s1 Y7 d1>s1.post2")[0] == ["taken_from_dutch"]


def test_taken_from_dutch():
    table = lay(d1="R1 R2")
    assert rule(table, "1 s1 R2 d1>s1.post1") == (["taken_from_dutch"], CERTAIN)
    assert rule(table, "1 s1 R2 d1>s1.wood", confidence=0.5) == (["taken_from_dutch"], DOUBTFUL)
    assert rule(table, "1 s1 R2 d1>s1.post1", puts_back=True) == ([], CERTAIN)
    assert rule(table, "1 s1 R1,R2 d1>d2")[0] == ["several_cards", "taken_from_dutch"]
    whole = "R1,R2,R3,R4,R5,R6,R7,R8,R9,R10"
    done = lay(d1=whole.replace(",", " "))
    assert rule(done, f"1 s1 {whole} d1>d2") == ([], CERTAIN)
    assert rule(done, "1 s1 R10 d1>d2")[0] == ["start_not_one", "taken_from_dutch"]
    assert rule(done, "1 s1 R10 d1>s1.wood")[0] == ["taken_from_dutch"]
    busy = lay(d1=whole.replace(",", " "), d2="B1")
    assert "taken_from_dutch" in rule(busy, f"1 s1 {whole} d1>d2")[0]
    cut = lay(d1="R8 R9 R10")
    assert rule(cut, "1 s1 R8,R9,R10 d1>d2") == ([], CERTAIN)


def test_not_on_top():
    table = lay(s1_post1="R7 Y6", s1_wood="B1 G4", s1_blitz="- - R3", d1="R6")
    assert rule(table, "1 s1 R7 s1.post1>d1") == (["not_on_top"], CERTAIN)
    assert rule(table, "1 s1 B1 s1.wood>d2") == (["not_on_top"], CERTAIN)
    assert rule(table, "1 s1 R7 s1.blitz>d1") == (["not_on_top"], DOUBTFUL)
    assert rule(table, "1 s1 R7 s1.wood>d1") == ([], CERTAIN)  # it never lay there: what was seen is in doubt
    assert rule(table, "1 s1 R1 s1.hand>d2") == (["not_on_top"], CERTAIN)
    assert rule(table, "1 s1 R1 s2.post1>d2") == (["not_on_top"], CERTAIN)
    assert rule(table, "1 ? R1 s2.post1>d2") == ([], CERTAIN)
    assert rule(table, "1 s1 - s1.post1>d2") == ([], CERTAIN)
    assert rule(table, "1 s1 - s1.blitz>d2") == ([], CERTAIN)
    assert rule(table, "1 s1 R1 ?>d2") == ([], CERTAIN)
    assert rule(lay(s1_wood="B1 -"), "1 s1 B1 s1.wood>d2") == ([], CERTAIN)
    assert rule(lay(s1_post1="G8", s1_wood="R7 Y3"), "1 s1 R7 s1.wood>s1.post1") == (["not_on_top"], CERTAIN)


def test_wood_count():
    assert rule(lay(), "1 s1 -,-,G4 s1.hand>s1.wood") == ([], CERTAIN)
    for cards in ("G4", "-,G4", "-,-,-,G4"):
        assert rule(lay(), f"1 s1 {cards} s1.hand>s1.wood") == (["wood_count"], CERTAIN)
    assert rule(lay(s1_hand="- -"), "1 s1 -,G4 s1.hand>s1.wood") == ([], CERTAIN)
    assert rule(lay(s1_hand="- -"), "1 s1 G4 s1.hand>s1.wood") == (["wood_count"], CERTAIN)
    one = replace(OFFICIAL, turn=1)
    assert rule(lay(), "1 s1 G4 s1.hand>s1.wood", one) == ([], CERTAIN)
    assert rule(lay(), "1 s1 -,-,G4 s1.hand>s1.wood", one) == (["wood_count"], CERTAIN)


def test_wood_count_where_a_short_hand_is_filled():
    fill = replace(OFFICIAL, short_hand=ShortHand.FILL_FROM_WOOD)
    short = lay(s1_hand="-", s1_wood="R1 R2 R3")
    assert rule(short, "1 s1 G4 s1.hand>s1.wood", fill) == (["wood_count"], CERTAIN)
    assert rule(short, "1 s1 G4 s1.hand>s1.wood") == ([], CERTAIN)
    assert rule(short, "1 s1 R1,R2 s1.wood>s1.hand", fill) == ([], CERTAIN)
    assert rule(short, "1 s1 R1 s1.wood>s1.hand", fill) == (["wood_count"], CERTAIN)
    assert rule(short, "1 s1 R1,R2 s1.wood>s1.hand") == (["shuffled"], CERTAIN)
    assert rule(lay(s1_hand="- -", s1_wood=""), "1 s1 -,G4 s1.hand>s1.wood", fill) == ([], CERTAIN)
    assert rule(lay(s1_hand="-", s1_wood="R1"), "1 s1 R1 s1.wood>s1.hand", fill) == ([], CERTAIN)
    assert rule(lay(s1_wood="R1"), "1 s1 R1 s1.wood>s1.hand", fill) == (["shuffled"], CERTAIN)
    assert rule(lay(s1_hand="-"), "1 s1 - s1.blitz>s1.hand", fill) == (["shuffled"], CERTAIN)
    assert rule(lay(s1_wood="R4 Y6", s1_post1="R7"), "1 s1 Y6 s1.wood>s1.post1", fill) == ([], CERTAIN)


def test_shuffled():
    assert rule(lay(), "1 s1 -,-,- s1.hand>s1.hand") == (["shuffled"], CERTAIN)
    assert rule(lay(s1_wood="R1"), "1 s1 R1 s1.wood>s1.hand") == (["shuffled"], CERTAIN)
    assert rule(lay(s1_wood="R1", s1_hand=""), "1 s1 R1 s1.wood>s1.hand") == ([], CERTAIN)
    assert rule(lay(), "1 s1 - s1.post1>s1.blitz") == (["shuffled"], CERTAIN)
    assert rule(lay(), "1 s1 - s1.blitz>s1.wood") == (["shuffled"], CERTAIN)
    assert rule(lay(), "1 s1 - s1.post1>s1.hand") == (["shuffled"], CERTAIN)
    assert rule(lay(s1_hand=""), "1 s1 - s1.post1>s1.hand") == (["shuffled"], CERTAIN)
    assert rule(lay(s1_wood="R1", s1_blitz=""), "1 s1 R1 s1.wood>s1.blitz") == (["shuffled"], CERTAIN)
    assert rule(lay(), "1 s1 - ?>s1.wood") == ([], CERTAIN)
    assert rule(lay(), "1 s1 -,-,- s1.hand>s2.wood") == (["shuffled"], CERTAIN)
    assert rule(lay(d1="R1"), "1 s1 R1 d1>s1.wood")[0] == ["taken_from_dutch"]


def test_shuffled_but_for_the_penalty_card():
    penalty = replace(OFFICIAL, illegal_play=IllegalPlay.CARD)
    assert rule(lay(), "1 s1 - s1.hand>s1.blitz", penalty) == (["shuffled"], CERTAIN)
    assert rule(lay(), "1 s1 - s1.hand>s1.blitz", penalty, owes_card=True) == ([], CERTAIN)
    assert rule(lay(), "1 s1 - s1.hand>s1.hand", penalty, owes_card=True) == (["shuffled"], DOUBTFUL)
    assert rule(lay(), "1 s1 -,- s1.hand>s1.blitz", penalty, owes_card=True) == (["shuffled"], CERTAIN)
    assert rule(lay(), "1 s1 - s1.post1>s1.blitz", penalty, owes_card=True) == (["shuffled"], CERTAIN)


def test_shuffled_but_for_those_who_are_stuck():
    wood_under = replace(OFFICIAL, stuck=StuckRule.WOOD_UNDER)
    stop = replace(OFFICIAL, stuck=StuckRule.STOP)
    hand, wood = "1 s1 - s1.hand>s1.hand", "1 s1 - s1.wood>s1.wood"
    assert rule(lay(), hand, stuck=True) == ([], CERTAIN)
    assert rule(lay(), wood, stuck=True) == (["shuffled"], CERTAIN)
    assert rule(lay(), hand, wood_under, stuck=True) == (["shuffled"], CERTAIN)
    assert rule(lay(), wood, wood_under, stuck=True) == ([], CERTAIN)
    assert rule(lay(), hand, stop, stuck=True) == (["shuffled"], CERTAIN)
    assert rule(lay(), "1 s1 -,- s1.hand>s1.hand", stuck=True) == (["shuffled"], CERTAIN)
    nobody = lay(
        seats=2,
        s1_hand="R3 R9", s1_wood="", s1_blitz="B8", s2_hand="", s2_wood="", s2_blitz="B8",
        **{f"s{seat}_post{slot}": "R10" for seat in (1, 2) for slot in range(1, 6)},
    )  # fmt: skip
    assert rule(nobody, "1 s1 R9 s1.hand>s1.hand") == ([], CERTAIN)
    # Nobody's next card was seen: it may be so.
    assert rule(lay(), hand) == (["shuffled"], DOUBTFUL)
    assert rule(lay(s2_post1="R1"), hand) == (["shuffled"], CERTAIN)
    assert rule(nobody.see(PileId.parse("s2.blitz"), Face.parse("B1")), "1 s1 R9 s1.hand>s1.hand")[0] == ["shuffled"]


def test_a_camera_is_not_asked_what_it_cannot_see():
    assert {violation.value for violation in NOT_SEEN_BY_CAMERA} == {"not_on_top", "wood_count", "shuffled"}
    assert rule(lay(), "1 s1 R1 s1.hand>d1", camera=True) == ([], CERTAIN)
    assert rule(lay(), "1 s1 R2 s1.hand>d1", camera=True) == (["start_not_one"], CERTAIN)
    assert rule(lay(), "1 s1 G4 s1.hand>s1.wood", camera=True) == ([], CERTAIN)


def test_the_surest_broken_rule_decides_how_sure_the_ruling_is():
    table = lay(d1="R1 -")
    assert rule(table, "1 s1 B7,B8 s1.wood>d1") == (["wrong_color", "wrong_number", "several_cards"], CERTAIN)
    assert rule(table, "5.05 s1 B7 s1.wood>d1", ended_s=5.0)[1] == TOO_CLOSE
    assert rule(table, "5.5 s1 B7 s1.wood>d1", ended_s=5.0)[1] == CERTAIN


def test_remedies_say_what_to_do():
    def words(line, variant=OFFICIAL, table=None, **context):
        return judge(variant, table or lay(), Move.parse(line), Context(**context)).remedy

    assert words("1 s1 R7 s1.post1>d1") == "take back R7"
    assert words("1 s1 R7,- s1.post1>d1") == "take back R7, an unseen card"
    assert words("1 s1 R1 s1.post1>d1", ended_s=0.95) == "too close to call: the scorekeeper decides about R1"
    assert words("1 s1 B4 s1.post1>d1", table=lay(d1="R1 -")) == "look again: is B4 right?"
    assert words("1 s1 G4 s1.hand>s1.wood") == "turn G4 back"
    assert words("1 s1 -,- s1.hand>s1.hand") == "put the cards back in their order"
    assert words("1 s1 R1 d1>s1.post1", table=lay(d1="R1")) == "lay R1 back on the Dutch Pile"
    assert words("1 s1 - s1.blitz>d1", two_hands=True) == "take back the card"
    assert words("1 s1 R1 s1.post1>d1", get_variant("family"), two_hands=True) == "noticed: one hand, please"
    assert words("1 s1 R7 s1.post1>d1", get_variant("family"), two_hands=True) == "noticed: take back R7"
    points = replace(OFFICIAL, illegal_play=IllegalPlay.POINTS, penalty_points=4)
    assert words("1 s1 R7 s1.post1>d1", points) == "take back R7, 4 points off"
    card = replace(OFFICIAL, illegal_play=IllegalPlay.CARD)
    assert words("1 s1 R7 s1.post1>d1", card) == "take back R7 and put a card from the hand under the Blitz Pile"
