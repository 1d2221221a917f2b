from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.cards import BACKS, FACES, ORDINARY_FACES, Back, Color, Face, Figure, Suit
from referee.game.moves import Move, PileId, PileKind


def test_a_deck_has_every_colour_from_1_to_10():
    assert len(set(FACES)) == 40
    assert len(set(ORDINARY_FACES)) == 52
    assert len(set(BACKS)) == 8


def test_the_figure_follows_from_the_colour():
    assert Face(Color.RED, 4).figure == Face(Color.BLUE, 4).figure == Figure.BOY
    assert Face(Color.YELLOW, 4).figure == Face(Color.GREEN, 4).figure == Figure.GIRL
    assert Face(Suit.HEARTS, 4).figure is None
    assert [Face(suit, 4).tone for suit in Suit] == ["black", "red", "red", "black"]
    assert [Face(color, 4).tone for color in Color] == ["boy", "boy", "girl", "girl"]


@given(st.sampled_from(FACES + ORDINARY_FACES))
def test_labels_of_faces_are_read_as_they_are_written(face):
    assert Face.parse(str(face)) == face


@given(st.sampled_from(BACKS))
def test_labels_of_backs_are_read_as_they_are_written(back):
    assert Back.parse(str(back)) == back
    assert str(back) == f"back:{back.deck}"


@pytest.mark.parametrize(
    "label", ["", "R", "R0", "R01", "R11", "r7", "7R", "Z7", "R7 ", "1S", "14S", "A", "back:", "R٣"]
)
def test_what_is_no_face_is_refused(label):
    with pytest.raises(ValueError, match=r"no card|has number"):
        Face.parse(label)


@pytest.mark.parametrize("label", ["R7", "back:pump", "back:pink-pump", "back:green-", "green-pump", "back"])
def test_what_is_no_back_is_refused(label):
    with pytest.raises(ValueError, match="is no back"):
        Back.parse(label)


PILES = st.one_of(
    st.builds(PileId, st.sampled_from([PileKind.HAND, PileKind.WOOD, PileKind.BLITZ]), st.integers(1, 99)),
    st.builds(PileId, st.just(PileKind.POST), st.integers(1, 99), st.integers(1, 99)),
    st.builds(PileId.dutch, st.integers(1, 999)),
)


@given(PILES)
def test_names_of_piles_are_read_as_they_are_written(pile):
    assert PileId.parse(str(pile)) == pile
    assert hash(PileId.parse(str(pile))) == hash(pile)
    assert PileId.of(pile.kind, pile.seat, pile.slot) == pile


@pytest.mark.parametrize(
    "name",
    ["", "d", "d0", "d01", "d-1", "s1", "s1.", ".", "d1.wood", "s0.wood", "s1.wood1", "x1.wood", "s1.d1"]
    + ["s1.post", "s1.post0", "s1.post01"],
)
def test_what_is_no_pile_is_refused(name):
    with pytest.raises(ValueError, match="is no pile"):
        PileId.parse(name)


@pytest.mark.parametrize(
    ("kind", "seat", "slot"),
    [
        (PileKind.DUTCH, 1, 1),
        (PileKind.DUTCH, 0, 0),
        (PileKind.WOOD, 0, 0),
        (PileKind.WOOD, 1, 1),
        (PileKind.POST, 1, 0),
        (PileKind.WOOD, -1, 0),
        (PileKind.POST, 1, -1),
    ],
)
def test_impossible_piles_are_refused(kind, seat, slot):
    with pytest.raises(ValueError, match="Pile"):
        PileId(kind, seat, slot)


def test_a_move_has_a_card():
    with pytest.raises(ValueError, match="at least one card"):
        Move(1.0, 1, (), None, PileId.dutch(1))
