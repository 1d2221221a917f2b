from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.cards import FACES, Face
from referee.game.moves import Move, PileId, PileKind
from referee.game.table import Pile, Table, find_taken
from referee.game.variant import VariantError, get_variant

OFFICIAL = get_variant("official")


def faces(text: str):
    return tuple(None if label == "-" else Face.parse(label) for label in text.split())


def lay(**piles: str) -> Table:
    table = Table.start(OFFICIAL, 2)
    return Table(
        {**table.piles, **{PileId.parse(n.replace("_", ".")): Pile(faces(c)) for n, c in piles.items()}}, (1, 2)
    )


def cards(table: Table, name: str) -> str:
    return " ".join("-" if face is None else str(face) for face in table.pile(PileId.parse(name)).faces)


def move(text: str) -> Move:
    return Move.parse(f"1 {text}")


def test_the_start_has_five_posts_for_two_and_three_for_more():
    two, eight = Table.start(OFFICIAL, 2), Table.start(OFFICIAL, 8)
    assert [len(two.post_piles(1)), len(eight.post_piles(8))] == [5, 3]
    assert two.count() == 80
    assert eight.count() == 320
    assert len(two.pile(PileId.parse("s1.hand"))) == 25
    assert len(eight.pile(PileId.parse("s8.hand"))) == 27
    assert len(eight.pile(PileId.parse("s8.blitz"))) == 10
    assert cards(eight, "s8.post1") == "-"
    assert len(eight.pile(PileId.parse("s8.wood"))) == 0
    assert eight.dutch_piles() == ()
    assert Table.start(OFFICIAL, (1, 3, 4)).post_piles(2) == ()


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_only_two_to_eight_can_play(seats):
    with pytest.raises(VariantError, match="2 to 8"):
        Table.start(OFFICIAL, seats)


def test_a_deal_lays_posts_then_blitz_then_the_hand():
    table = Table.deal(OFFICIAL, 2, [FACES, FACES[::-1]])
    assert cards(table, "s1.post1") == "R1"
    assert cards(table, "s1.post5") == "R5"
    assert cards(table, "s1.blitz") == "R6 R7 R8 R9 R10 B1 B2 B3 B4 B5"
    assert table.pile(PileId.parse("s1.hand")).top == Face.parse("B6")
    assert cards(table, "s2.post1") == "G10"


def test_cards_go_from_top_to_top():
    table = lay(s1_post1="R7 Y6").apply(move("s1 Y6 s1.post1>d1"))
    assert cards(table, "s1.post1") == "R7"
    assert cards(table, "d1") == "Y6"
    assert [str(name) for name, _ in table.dutch_piles()] == ["d1"]
    assert table.next_dutch() == PileId.parse("d2")


def test_names_of_dutch_piles_are_never_reused():
    table = lay(d7="R1").apply(move("s1 R1 d7>s1.post1"))
    assert table.next_dutch() == PileId.parse("d8")
    assert Table.start(OFFICIAL, 2).next_dutch() == PileId.parse("d1")


def test_a_buried_card_is_taken_from_where_it_lies():
    table = lay(s1_post1="R7 Y6 B5")
    assert cards(table.apply(move("s1 R7 s1.post1>d1")), "s1.post1") == "Y6 B5"
    assert cards(table.apply(move("s1 Y6 s1.post1>d1")), "s1.post1") == "R7 B5"


def test_an_unseen_card_below_may_be_the_one_that_left():
    assert cards(lay(s1_blitz="- - R7").apply(move("s1 Y6 s1.blitz>d1")), "s1.blitz") == "- R7"
    assert cards(lay(s1_blitz="B1 R7").apply(move("s1 Y6 s1.blitz>d1")), "s1.blitz") == "B1"
    assert cards(lay(s1_blitz="Y6 -").apply(move("s1 Y6 s1.blitz>d1")), "s1.blitz") == "Y6"


def test_of_two_equal_cards_the_upper_one_is_taken():
    assert find_taken(Pile(faces("R7 - R7 B5")), faces("R7")) == (2, 3)
    assert find_taken(Pile(faces("- - B5")), faces("R7")) == (1, 2)
    assert find_taken(Pile(faces("R7 B5")), faces("- -")) == (0, 2)
    assert find_taken(Pile(faces("R7")), faces("- -")) == (0, 1)
    assert find_taken(Pile(), faces("R7")) == (0, 0)


def test_an_unseen_card_keeps_the_face_that_it_had():
    table = lay(s1_post1="R7 Y6").apply(move("s1 - s1.post1>d1"))
    assert cards(table, "d1") == "Y6"
    table = lay(s1_post1="R7 Y6 B5").apply(move("s1 -,B5 s1.post1>s1.post2"))
    assert cards(table, "s1.post2") == "- Y6 B5"
    table = lay(s1_post1="R7 Y6 B5").apply(move("s1 -,R4 s1.post1>s1.post2"))
    assert cards(table, "s1.post2") == "- - R4"


def test_a_card_without_known_source_comes_on_top():
    table = lay(d1="R1").apply(move("? R2 ?>d1"))
    assert cards(table, "d1") == "R1 R2"
    assert table.count() == Table.start(OFFICIAL, 2).count() + 2


def test_a_flip_lays_the_hands_top_card_lowest():
    table = lay(s1_hand="R1 R2 R3 R4", s1_wood="B1").apply(move("s1 -,-,- s1.hand>s1.wood"))
    assert cards(table, "s1.wood") == "B1 R4 R3 R2"
    assert cards(table, "s1.hand") == "R1"


def test_a_flip_of_more_than_is_there_takes_what_is_said():
    table = lay(s1_hand="R1", s1_wood="").apply(move("s1 -,R2 s1.hand>s1.wood"))
    assert cards(table, "s1.wood") == "- R2"
    assert cards(table, "s1.hand") == ""


def test_a_flip_that_contradicts_the_hands_memory_ends_that_memory():
    table = lay(s1_hand="R1 R2 R3 R4", s1_wood="").apply(move("s1 -,-,B9 s1.hand>s1.wood"))
    assert cards(table, "s1.wood") == "- - B9"
    assert cards(table, "s1.hand") == "-"
    agreed = lay(s1_hand="R1 R2 R3 R4", s1_wood="").apply(move("s1 -,-,R2 s1.hand>s1.wood"))
    assert cards(agreed, "s1.wood") == "R4 R3 R2"
    assert cards(agreed, "s1.hand") == "R1"


def test_the_wood_pile_turned_over_is_the_hand_lowest_card_on_top():
    wood = "R1 R2 R3 R4"
    for said in ("-", "-,-,-,-", "R1,R2,R3,R4"):
        table = lay(s1_hand="", s1_wood=wood).apply(move(f"s1 {said} s1.wood>s1.hand"))
        assert cards(table, "s1.hand") == "R4 R3 R2 R1"
        assert cards(table, "s1.wood") == ""
    again = table.apply(move("s1 -,-,- s1.hand>s1.wood"))
    assert cards(again, "s1.wood") == "R1 R2 R3"


def test_a_short_hand_is_filled_from_the_wood_piles_bottom():
    table = lay(s1_hand="B1", s1_wood="R1 R2 R3").apply(move("s1 -,- s1.wood>s1.hand"))
    assert cards(table, "s1.hand") == "R2 R1 B1"
    assert cards(table, "s1.wood") == "R3"
    one = lay(s1_hand="B1", s1_wood="R1 R2 R3").apply(move("s1 R1 s1.wood>s1.hand"))
    assert cards(one, "s1.hand") == "R1 B1"
    more = lay(s1_hand="", s1_wood="R1").apply(move("s1 R1,R2 s1.wood>s1.hand"))
    assert cards(more, "s1.hand") == "R2 R1"
    seen = lay(s1_hand="", s1_wood="R1 R2 R3").apply(move("s1 R1 s1.wood>s1.hand"))
    assert cards(seen, "s1.wood") == "R2 R3"


def test_who_is_stuck_moves_the_top_card_to_the_bottom():
    assert cards(lay(s1_hand="R1 R2 R3").apply(move("s1 - s1.hand>s1.hand")), "s1.hand") == "R3 R1 R2"
    assert cards(lay(s1_wood="R1 R2 R3").apply(move("s1 R3 s1.wood>s1.wood")), "s1.wood") == "R3 R1 R2"


def test_the_penalty_card_goes_under_the_blitz_pile():
    table = lay(s1_hand="R1 R2", s1_blitz="B1 B2").apply(move("s1 - s1.hand>s1.blitz"))
    assert cards(table, "s1.blitz") == "R2 B1 B2"


def test_a_card_put_back_lies_on_top_again():
    table = lay(d1="R6 B9", s1_wood="G1").apply(move("s1 B9 d1>s1.wood"))
    assert cards(table, "s1.wood") == "G1 B9"
    held = lay(d1="R6 B9", s1_hand="G1").apply(move("s1 B9 d1>s1.hand"))
    assert cards(held, "s1.hand") == "G1 B9"


def test_a_look_replaces_what_was_believed():
    table = lay(s1_post1="R7", s1_wood="B1 G4 -", s1_blitz="- -")
    post, wood, blitz = (PileId.parse(f"s1.{name}") for name in ("post1", "wood", "blitz"))
    assert cards(table.see(post, Face.parse("R8")), "s1.post1") == "R8"
    assert cards(table.see(blitz, Face.parse("R8")), "s1.blitz") == "- R8"
    assert cards(table.see(blitz, None), "s1.blitz") == "- -"
    assert cards(table.see(wood, Face.parse("B1")), "s1.wood") == "B1"
    assert cards(table.see(post, None, empty=True), "s1.post1") == ""
    gone = table.see(post, None, empty=True)
    assert cards(gone.see(post, None), "s1.post1") == "-"
    assert cards(gone.see(post, Face.parse("Y2")), "s1.post1") == "Y2"
    # A card that can't be read now is still the one that was read before.
    assert cards(table.see(post, None), "s1.post1") == "R7"


SOURCES = st.sampled_from(
    [f"s{seat}.{pile}" for seat in (1, 2) for pile in ("hand", "wood", "blitz", "post1", "post2")]
)
PILES = st.one_of(SOURCES, st.sampled_from(["d1", "d2", "d3"]))


@given(st.integers(0, 10), st.lists(st.tuples(PILES, PILES, st.integers(1, 4)), max_size=60))
def test_no_card_is_lost_or_made_whatever_is_done(seed, steps):
    rng = Random(seed)
    table = Table.deal(OFFICIAL, 2, [rng.sample(FACES, 40) for _ in range(2)])
    dealt = Counter(face for pile in table.piles.values() for face in pile.faces)
    for source, target, count in steps:
        pile = table.pile(PileId.parse(source))
        if pile:
            count = min(count, len(pile))
            table = table.apply(Move(1.0, None, (None,) * count, PileId.parse(source), PileId.parse(target)))
    assert Counter(face for pile in table.piles.values() for face in pile.faces) == dealt


@given(st.lists(st.tuples(SOURCES, PILES, st.sampled_from(FACES)), max_size=40))
def test_the_count_holds_whatever_card_is_named(steps):
    table = Table.start(OFFICIAL, 2)
    for source, target, face in steps:
        if table.pile(PileId.parse(source)):
            before = table
            table = table.apply(Move(1.0, 1, (face,), PileId.parse(source), PileId.parse(target)))
            assert table.count() == 80
            assert before.count() == 80  # the table before is untouched
            assert any(face in pile.faces for pile in table.piles.values())


def test_a_pile_that_was_never_there_is_empty():
    pile = Table.start(OFFICIAL, 2).pile(PileId.parse("d9"))
    assert not pile
    assert pile.top is None
    assert PileKind.DUTCH.value == "dutch"
