from __future__ import annotations

from dataclasses import replace

from referee.game.cards import Face
from referee.game.moves import PileId
from referee.game.plays import fits_dutch, fits_post, is_complete, is_stuck, legal_plays, may_be_stuck, right_turn
from referee.game.table import Pile, Table
from referee.game.variant import EmptyPost, PostToPost, ShortHand, StuckRule, get_variant

OFFICIAL = get_variant("official")
FULL = {f"s{seat}_post{slot}": "R10" for seat in (1, 2) for slot in range(1, 6)}


def pile(text: str) -> Pile:
    return Pile(tuple(None if label == "-" else Face.parse(label) for label in text.split()))


def lay(variant=OFFICIAL, **piles: str) -> Table:
    table = Table.start(variant, 2)
    named = {PileId.parse(name.replace("_", ".")): pile(cards) for name, cards in piles.items()}
    return Table({**table.piles, **named}, (1, 2))


def plays(table: Table, variant=OFFICIAL, seat=1) -> list[str]:
    return [str(move).split(" ", 2)[2] for move in legal_plays(variant, table, seat)]


def test_what_fits_where():
    assert fits_dutch(OFFICIAL, pile(""), Face.parse("R1"))
    assert not fits_dutch(OFFICIAL, pile(""), Face.parse("R2"))
    assert fits_dutch(OFFICIAL, pile("R6"), Face.parse("R7"))
    assert not fits_dutch(OFFICIAL, pile("R6 -"), Face.parse("R7"))
    assert not fits_dutch(OFFICIAL, pile("-"), Face.parse("R1"))
    to_six = replace(OFFICIAL, faces=tuple(face for face in OFFICIAL.faces if face.number <= 6))
    assert not fits_dutch(to_six, pile("R6"), Face.parse("R7"))
    assert fits_post(OFFICIAL, pile("R7"), Face.parse("G6"))
    assert not fits_post(OFFICIAL, pile("R7"), Face.parse("B6"))
    assert not fits_post(OFFICIAL, pile("R7"), Face.parse("G8"))
    assert not fits_post(OFFICIAL, pile("-"), Face.parse("G6"))
    assert not fits_post(OFFICIAL, pile(""), Face.parse("G6"))
    assert not fits_post(replace(OFFICIAL, post_building=False), pile("R7"), Face.parse("G6"))
    assert is_complete(OFFICIAL, pile("R8 - -"))
    assert not is_complete(OFFICIAL, pile("R8 -"))
    assert not is_complete(OFFICIAL, pile(""))


def test_every_source_and_every_target_is_offered():
    table = lay(
        s1_blitz="- R1", s1_wood="G4 B4", s1_post1="R5", s1_post2="Y5", s1_post3="B3", s1_post4="", s1_post5="-",
        s1_hand="- - - -", d1="R4", d2="B3", d3="B2", d4="Y10",
    )  # fmt: skip
    assert plays(table, replace(OFFICIAL, empty_post=EmptyPost.BLITZ)) == [
        "R1 s1.blitz>d5",
        "B4 s1.wood>d2",
        "R5 s1.post1>d1",
        "B3 s1.post3>d3",
        "R1 s1.blitz>s1.post4",
        "B4 s1.wood>s1.post2",
        "-,-,- s1.hand>s1.wood",
    ]
    at_once = plays(table)
    assert at_once == [
        "R1 s1.blitz>d5",
        "B4 s1.wood>d2",
        "R5 s1.post1>d1",
        "B3 s1.post3>d3",
        "R1 s1.blitz>s1.post4",
    ]


def test_the_times_of_the_plays_are_given():
    assert {move.time_s for move in legal_plays(OFFICIAL, lay(s1_blitz="R1"), 1, 7.5)} == {7.5}


def test_empty_slots_take_what_the_house_rules_say():
    table = lay(s1_blitz="R9", s1_wood="B9", s1_post1="G7 R6", s1_post2="", s1_post3="Y3", s1_post4="Y3", s1_post5="Y3")
    filled = {}
    for option in EmptyPost:
        found = plays(table, replace(OFFICIAL, empty_post=option))
        filled[option] = [play.split(">")[0].split(".")[1] for play in found if play.endswith(">s1.post2")]
    assert filled[EmptyPost.AT_ONCE] == filled[EmptyPost.BLITZ] == ["blitz"]
    assert filled[EmptyPost.BLITZ_OR_WOOD] == ["blitz", "wood"]
    # A card alone in its slot would only swap the names of two slots.
    assert filled[EmptyPost.ANY] == ["blitz", "wood", "post1"]


def test_columns():
    table = lay(s1_post1="R8", s1_post2="Y7 B6 Y5", s1_post3="", s1_post4="R5", s1_post5="-", s1_blitz="", s1_wood="")
    column = replace(OFFICIAL, post_to_post=PostToPost.COLUMN, empty_post=EmptyPost.ANY)
    found = [play for play in plays(table, column) if "post2>" in play]
    assert found == [
        "Y7,B6,Y5 s1.post2>s1.post1",
        "B6,Y5 s1.post2>s1.post3",
        "Y5 s1.post2>s1.post3",
    ]
    one = [play for play in plays(table) if "post2>" in play]
    assert one == []
    none = replace(OFFICIAL, post_to_post=PostToPost.NOT_ALLOWED)
    both = lay(s1_post1="R8", s1_post2="Y7")
    assert any("post2>s1.post1" in play for play in plays(both))
    assert not any("post2>s1.post1" in play for play in plays(both, none))
    broken = lay(s1_post1="R8", s1_post2="Y7 Y5", s1_post3="")
    assert not any("Y7,Y5" in play for play in plays(broken, column))


def test_turning():
    fill = replace(OFFICIAL, short_hand=ShortHand.FILL_FROM_WOOD)
    for cards, wood, variant, expected in [
        ("R1 R2 R3 R4", "", OFFICIAL, ["R4,R3,R2 s1.hand>s1.wood"]),
        ("R1 R2", "B9", OFFICIAL, ["R2,R1 s1.hand>s1.wood"]),
        ("R1 R2", "B9", fill, ["B9 s1.wood>s1.hand"]),
        ("R1", "B9 B8 B7", fill, ["B9,B8 s1.wood>s1.hand"]),
        ("R1", "", fill, ["R1 s1.hand>s1.wood"]),
        ("", "B9 B8", OFFICIAL, ["B9,B8 s1.wood>s1.hand"]),
        ("", "B9 B8", fill, ["B9,B8 s1.wood>s1.hand"]),
        ("", "", OFFICIAL, []),
        ("R1 R2", "", replace(OFFICIAL, turn=1), ["R2 s1.hand>s1.wood"]),
    ]:
        table = lay(s1_hand=cards, s1_wood=wood, **FULL)
        assert [play for play in plays(table, variant) if "hand" in play] == expected
    assert right_turn(OFFICIAL, pile("R1 R2"), pile("B9")) == 2
    assert right_turn(fill, pile("R1 R2"), pile("B9")) == 0
    assert right_turn(fill, pile("R1 R2"), pile("")) == 2


def stuck_table(**piles: str) -> Table:
    quiet = {"s1_hand": "R3 R9", "s1_wood": "", "s1_blitz": "B8", "s2_hand": "", "s2_wood": "", "s2_blitz": "B8"}
    return lay(**{**FULL, **quiet, **piles})


def test_stuck_means_that_nobody_can_play_however_often_the_hand_is_turned():
    assert is_stuck(OFFICIAL, stuck_table())
    assert plays(stuck_table()) == ["R9,R3 s1.hand>s1.wood", "R9 s1.hand>s1.hand"]
    assert plays(stuck_table(), replace(OFFICIAL, stuck=StuckRule.STOP)) == ["R9,R3 s1.hand>s1.wood"]
    under = replace(OFFICIAL, stuck=StuckRule.WOOD_UNDER)
    assert plays(stuck_table(s1_wood="Y2 Y4"), under)[-1] == "Y4 s1.wood>s1.wood"
    assert plays(stuck_table(s1_wood="Y2"), under) == ["R9,R3 s1.hand>s1.wood"]


def test_anybodys_play_frees_everybody():
    for freed in (
        {"s2_blitz": "B1"},
        {"s1_blitz": "Y9"},
        {"s2_post3": "Y1"},
        {"s2_post3": ""},
        {"d1": "R9"},
        {"d1": "B7"},
        {"s1_wood": "G9"},
        {"s1_wood": "G3 G4 R1 Y5"},
        {"s2_hand": "R1 Y5 Y7"},
        {"s2_hand": "R1 Y5 Y7 Y6"},
    ):
        assert not is_stuck(OFFICIAL, stuck_table(**freed)), freed
    for buried in ({"s2_hand": "Y7 R1 Y5"}, {"s2_wood": "G3 R1 G4 Y5"}, {"d1": "R10"}, {"d1": "G4"}):
        assert is_stuck(OFFICIAL, stuck_table(**buried)), buried


def test_a_play_that_is_only_reached_by_turning_on_or_over():
    # Of seven cards the third and the sixth come up, and the last one: the hand's top is turned first.
    seven = "Y7 Y6 Y5 Y4 Y3 Y2 {}"
    assert is_stuck(OFFICIAL, stuck_table(s1_hand=seven.format("R1")))
    assert not is_stuck(replace(OFFICIAL, turn=1), stuck_table(s1_hand=seven.format("R1")))
    assert not is_stuck(OFFICIAL, stuck_table(s1_hand="R1 " + seven.format("Y8")[3:]))
    # In this pass the Wood Pile's cards lie still; in the next one they are counted from its bottom.
    assert not is_stuck(OFFICIAL, stuck_table(s1_hand="", s1_wood="Y2 Y3 R1 Y4"))
    assert is_stuck(OFFICIAL, stuck_table(s1_hand="", s1_wood="Y2 R1 Y3 Y4"))
    fill = replace(OFFICIAL, short_hand=ShortHand.FILL_FROM_WOOD)
    assert not is_stuck(fill, stuck_table(s1_hand="", s1_wood="Y2 R1 Y3 Y4"))
    assert is_stuck(fill, stuck_table(s1_hand="", s1_wood="Y2 R1 Y3"))


def test_moving_between_posts_counts_only_if_it_brings_something_up():
    wander = {"s1_post1": "B2 G7", "s1_post2": "R8", "s1_post3": "B8"}
    assert is_stuck(OFFICIAL, stuck_table(**wander))
    assert not is_stuck(OFFICIAL, stuck_table(**wander, d1="B1"))
    none = replace(OFFICIAL, post_to_post=PostToPost.NOT_ALLOWED)
    assert is_stuck(none, stuck_table(**wander, d1="B1"))
    emptied = {"s1_post1": "G7", "s1_post2": "R8"}
    assert not is_stuck(OFFICIAL, stuck_table(**emptied))
    assert is_stuck(OFFICIAL, stuck_table(**emptied, s1_blitz=""))


def test_what_was_not_seen_proves_nothing():
    for unseen in ({"s1_hand": "R3 -"}, {"s2_blitz": "R8 -"}, {"s2_post1": "-"}, {"s1_wood": "-"}):
        table = stuck_table(**unseen)
        if unseen == {"s1_hand": "R3 -"}:
            # Both are turned at once, and the lower one comes to lie on top.
            assert is_stuck(OFFICIAL, table)
            continue
        assert not is_stuck(OFFICIAL, table), unseen
        assert may_be_stuck(OFFICIAL, table), unseen
    assert not may_be_stuck(OFFICIAL, stuck_table(s2_blitz="B1"))
    # A Blitz Pile with unseen cards below its top is no reason to wait.
    assert is_stuck(OFFICIAL, stuck_table(s2_blitz="- - B8"))


def test_an_empty_slot_takes_a_wood_card_where_that_is_allowed():
    table = stuck_table(s1_post1="", s1_blitz="", s1_wood="Y4")
    assert is_stuck(OFFICIAL, table)
    assert not is_stuck(replace(OFFICIAL, empty_post=EmptyPost.BLITZ_OR_WOOD), table)
