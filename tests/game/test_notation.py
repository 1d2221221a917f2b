from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.cards import FACES
from referee.game.events import BlitzCalled, BlitzSeen, CardMoved, MatchStarted, PileSeen, RoundScored, RoundStarted
from referee.game.moves import Move, NotationError, PileId, PileKind
from referee.game.notation import format_game, parse_game
from referee.game.variant import get_variant

DESIGN = """\
variant: dutch-blitz
seats: 4
12.480 s2 R7 s2.post2>d3          # seat 2 plays red 7 from post 2 on Dutch pile 3
13.020 s3 -,-,G4 s3.hand>s3.wood  # a flip: bottom to top, unseen cards as -
14.900 ?  B2 ?>d5                 # nobody knows who
"""

TIMES = st.integers(0, 9_999_999).map(lambda ms: ms / 1000)
SEATS = st.integers(1, 4)
PILES = st.one_of(
    st.builds(PileId.of, st.sampled_from([PileKind.HAND, PileKind.WOOD, PileKind.BLITZ]), SEATS),
    st.builds(PileId.of, st.just(PileKind.POST), SEATS, st.integers(1, 3)),
    st.builds(PileId.dutch, st.integers(1, 200)),
)
MOVES = st.builds(
    Move,
    TIMES,
    st.none() | SEATS,
    st.lists(st.none() | st.sampled_from(FACES), min_size=1, max_size=5).map(tuple),
    st.none() | PILES,
    PILES,
)


def test_the_example_of_the_design_is_read():
    game = parse_game(DESIGN)
    assert game.variant == get_variant("official")
    assert game.seats == 4
    assert [str(move) for move in game.moves] == [
        "12.480 s2 R7 s2.post2>d3",
        "13.020 s3 -,-,G4 s3.hand>s3.wood",
        "14.900 ? B2 ?>d5",
    ]
    assert game.lines == {1: 3, 2: 4, 3: 5}


@given(MOVES)
def test_a_move_is_read_as_it_is_written(move):
    assert Move.parse(str(move)) == move


@given(st.lists(MOVES, max_size=12), st.sampled_from(["official", "family"]), TIMES)
def test_a_game_is_read_as_it_is_written(moves, name, go_s):
    variant = get_variant(name)
    game = parse_game(format_game(variant, 4, moves, go_s))
    assert game.moves == tuple(moves)
    assert (game.variant, game.seats) == (variant, 4)
    assert [event.time_s for event in game.events if isinstance(event, RoundStarted)] == [go_s]


@given(st.text(alphabet="s12dR7B>.-,?: #\n\tpost1woodblitzhandgoturn", max_size=80))
def test_whatever_is_written_is_read_or_refused_with_a_place(text):
    error = refusal(text)
    if error is not None:
        lines = text.split("\n")
        assert 1 <= error.line <= len(lines)
        assert 1 <= error.column <= len(lines[error.line - 1]) + 2
        assert str(error).startswith(f"line {error.line}, column {error.column}: ")


def refusal(text: str) -> NotationError | None:
    try:
        parse_game(text)
    except NotationError as error:
        return error
    return None


def test_a_person_can_write_a_whole_game():
    game = parse_game(
        "﻿seats: 2\r\n"
        "s1: Ann, green-pump\r\n"
        "s2: Bob\n"
        "turn: 1\n"
        "0.5 s1 R1 s1.blitz>d1 # a false start\n"
        "go: 1.5\n"
        "top: s1.post1 R7\n"
        "top: s1.post2 -\n"
        "empty: s2.post1\n"
        "blitz: 71.3 s1\n"
        "called: 71.5 s2\n"
        "counted: 75.0 s1 19/3 s2 0/10\n"
        "round: 2\n"
        "go: 100\n"
        "101 s1 R1 s1.post1>d1\n"
    )
    start = game.events[0]
    assert isinstance(start, MatchStarted)
    assert [(player.name, player.deck) for player in start.players] == [("Ann", "green-pump"), ("Bob", "")]
    assert start.rules == {"turn": 1}
    assert [event.time_s for event in game.events if isinstance(event, RoundStarted)] == [1.5, 100.0]
    looks = [event for event in game.events if isinstance(event, PileSeen)]
    assert [(str(look.pile), str(look.top), look.empty) for look in looks] == [
        ("s1.post1", "R7", False), ("s1.post2", "None", False), ("s2.post1", "None", True),
    ]  # fmt: skip
    assert [event.seat for event in game.events if isinstance(event, BlitzSeen | BlitzCalled)] == [1, 2]
    scored = [event for event in game.events if isinstance(event, RoundScored)][0]
    assert [(row.seat, row.score) for row in scored.seats] == [(1, 13), (2, -20)]
    assert game.lines == {1: 5, 2: 15}
    assert [event.seen_s for event in game.events] == sorted(event.seen_s for event in game.events)


def test_putting_back_names_the_play_that_it_undoes():
    def undoes(text: str) -> list[int | None]:
        return [event.undoes for event in parse_game(text).events if isinstance(event, CardMoved)]

    assert undoes("1 s1 R7 s1.post1>d1\n2 s1 R7 d1>s1.post1") == [None, 1]
    assert undoes("1 ? R7 ?>d1\n2 s1 R7 d1>s1.wood") == [None, 1]
    assert undoes("1 s1 R7 s1.post1>d1\n2 s2 R7 s2.post1>d1\n3 s1 R7 d1>s1.post1") == [None, None, 1]
    assert undoes("1 s1 R7 s1.post1>d1\n2 s1 R7 d1>s1.post1\n3 s1 R7 d1>s1.post1") == [None, 1, None]
    assert undoes("1 s1 R7 s1.post1>d1\n2 s2 R7 d1>s2.post1") == [None, None]
    assert undoes("1 s1 R7 s1.post1>d1\n2 s1 R8 d1>s1.post1") == [None, None]
    assert undoes("1 s1 R7 s1.post1>d1\n2 s1 R7 d2>s1.post1") == [None, None]
    assert undoes("1 s1 R7 s1.post1>d1\n2 s1 R7 d1>d2") == [None, None]
    assert undoes("1 s1 R7 s1.wood>s1.post1\n2 s1 R7 s1.post1>s1.wood") == [None, None]


def test_the_seats_are_counted_where_no_header_says_so():
    assert parse_game("1 s5 R1 s5.post1>d1").seats == 5
    assert parse_game("").seats == 2
    assert parse_game("1 ? R1 s3.post1>d1").seats == 3


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("x", 1, 2, "a move is"),
        ("1 s1 R1", 1, 8, "a move is"),
        ("1 s1 R1 s1.post1>d1 5", 1, 21, "a move is"),
        ("x s1 R1 s1.post1>d1", 1, 1, "'x' is no time"),
        ("-1 s1 R1 s1.post1>d1", 1, 1, "'-1' is no time"),
        ("1e3 s1 R1 s1.post1>d1", 1, 1, "'1e3' is no time"),
        ("nan s1 R1 s1.post1>d1", 1, 1, "'nan' is no time"),
        ("1 2 R1 s1.post1>d1", 1, 3, "'2' is no seat"),
        ("1 s0 R1 s1.post1>d1", 1, 3, "'s0' is no seat"),
        ("\n\n1 s1 R1,X2 s1.post1>d1", 3, 9, "'X2' is no card"),
        ("1 s1 R11 s1.post1>d1", 1, 6, "no red card has number 11"),
        ("1 s1 R1 s1.post1", 1, 9, "has no '>'"),
        ("1 s1 R1 s1.post0>d1", 1, 9, "'s1.post0' is no pile"),
        ("1 s1 R1 s1.post1>q", 1, 18, "'q' is no pile"),
        ("1 s1 R1 s1.post1>?", 1, 18, "'?' is no pile"),
        ("seats: 4\n1 s5 R1 s5.post1>d1", 2, 3, "there is no seat s5: 4 play"),
        ("seats: 4\n1 s1 R1 s5.post1>d1", 2, 9, "there is no seat s5"),
        ("seats: 4\n1 s1 R1 s1.post4>d1", 2, 9, "each seat has 3 Post Piles"),
        ("seats: 4\n1 s1 AS s1.post1>d1", 2, 6, "AS is in no deck of official"),
        ("variant: nertz\n1 s1 R1 s1.post1>d1", 2, 6, "R1 is in no deck of nertz"),
        ("variant: whist", 1, 10, "no rules are called 'whist'"),
        ("seats: 9", 1, 8, "2 to 8"),
        ("seats: four", 1, 8, "no number of seats"),
        ("posts: 0", 1, 8, "posts: 0 is impossible"),
        ("turn: many", 1, 7, "turn: 'many' is no whole number"),
        ("tie: none", 1, 6, "tie: 'none' is no choice"),
        ("turn: 1\nblitz_cards: 38", 2, 14, "none is left"),
        ("colour: red", 1, 1, "unknown key 'colour'"),
        ("go: soon", 1, 5, "'soon' is no time"),
        ("go:", 1, 4, "'' is no time"),
        ("blitz: 3", 1, 8, "write a time and a seat"),
        ("seats: 2\ncalled: 3 s7", 2, 11, "there is no seat s7"),
        ("dutch: x s1", 1, 8, "'x' is no time"),
        ("top: s1.post1", 1, 6, "write a pile and its top card"),
        ("top: x R7", 1, 6, "'x' is no pile"),
        ("top: s1.post1 Q", 1, 15, "'Q' is no card"),
        ("empty: x", 1, 8, "'x' is no pile"),
        ("counted: 5", 1, 10, "Dutch/Blitz cards"),
        ("counted: 5 s1 3-4", 1, 15, "'3-4' are no counts"),
        ("round: 3", 1, 8, "the next is 'round: 2'"),
        ("round: x", 1, 8, "the next is 'round: 2'"),
        ("seats: 2\ns3: Cem", 2, 1, "there is no seat s3"),
    ],
)
def test_what_cannot_be_read_is_refused_with_line_and_column(text, line, column, words):
    with pytest.raises(NotationError) as caught:
        parse_game(text)
    assert words in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)


def test_house_rules_survive_the_notation():
    text = "target: none\nrounds: 3\npost_building: false\ntoo_close_s: 0.25\ntie: shared\nseats: 3\n"
    game = parse_game(text)
    assert (game.variant.target, game.variant.rounds) == (None, 3)
    assert parse_game(format_game(game.variant, 3, game.moves)).variant == game.variant
