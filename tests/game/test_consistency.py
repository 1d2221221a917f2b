from __future__ import annotations

from referee.game.consistency import find_contradictions
from referee.game.events import CardMoved, Certainty, PileSeen, Revised, RoundStarted, Ruled, Violation
from referee.game.match import replay
from referee.game.moves import Move, PileId


def moved(id_: int, line: str, confidence=1.0, **more) -> CardMoved:
    move = Move.parse(line)
    return CardMoved(
        time_s=move.time_s, seen_s=move.time_s, id=id_, seat=move.seat, cards=move.faces, source=move.source,
        target=move.target, confidence=confidence, **more,
    )  # fmt: skip


def seen(pile: str, top: str) -> PileSeen:
    return PileSeen(time_s=1, seen_s=1, pile=PileId.parse(pile), top=Move.parse(f"1 ? {top} ?>d1").faces[0])


def follow(*events, seats=3):
    return replay([RoundStarted(time_s=0, seen_s=0, seats=seats), *events]).round


def doubts(*events, seats=3):
    return [(found.seat, str(found.face), found.moves) for found in find_contradictions(follow(*events, seats=seats))]


def unsure(*events, seats=3) -> set[int]:
    return set(follow(*events, seats=seats).doubtful_seats())


def test_a_second_red_7_of_one_seat_is_doubt_with_both_moves():
    twice = [moved(1, "1 s1 R7 s1.post1>d1"), moved(2, "2 s2 R7 s2.post1>d2"), moved(3, "3 s1 R7 s1.blitz>d3")]
    assert doubts(*twice) == [(1, "R7", (1, 3))]
    assert "seat 1 has one R7, but it was seen played 2 times" in find_contradictions(follow(*twice))[0].words
    assert unsure(*twice) == {1}
    assert doubts(*twice[:2]) == []
    back = moved(4, "4 s1 R7 d1>s1.post1", undoes=1)
    assert doubts(*twice[:2], back, twice[2]) == [(1, "R7", (3,))]  # it lies on s1.post1, and was played
    assert doubts(*twice, Revised(time_s=1, seen_s=9, move=3, reason="", changes={"seat": 3})) == []
    assert doubts(*twice, Revised(time_s=1, seen_s=9, move=3, reason="", retracted=True)) == []
    aside = [moved(1, "1 s1 R7 s1.post1>d1"), moved(2, "2 s1 R7 d1>d2")]
    assert doubts(*aside) == []


def test_a_card_that_was_played_and_lies_elsewhere():
    assert doubts(moved(1, "1 s1 R7 s1.wood>d1"), seen("s1.post2", "R7")) == [(1, "R7", (1,))]
    assert doubts(moved(1, "1 s1 R7 s1.wood>d1"), seen("s2.post2", "R7")) == []
    assert doubts(moved(1, "1 s1 R7 s1.wood>d1"), seen("s1.blitz", "R7")) == []  # it may be covered again


def test_more_cards_of_a_face_than_decks():
    plays = [moved(id_, f"{id_} ? R7 ?>d{id_}") for id_ in (1, 2, 3)]
    assert doubts(*plays) == []
    assert doubts(*plays, seats=2) == [(None, "R7", (1, 2, 3))]
    assert doubts(*plays, seen("s1.post1", "R7")) == [(None, "R7", (1, 2, 3))]
    assert "only 3 decks play" in find_contradictions(follow(*plays, seen("s1.post1", "R7")))[0].words


def test_a_blitz_pile_only_shrinks():
    grown = moved(1, "1 s2 B3 ?>s2.blitz")
    assert doubts(grown) == [(2, "None", (1,))]
    assert doubts(moved(1, "1 s2 R1 s2.blitz>d1"), moved(2, "2 s2 R1 d1>s2.blitz", undoes=1)) == []
    assert doubts(moved(1, "1 s2 - s2.hand>s2.blitz")) == []  # the penalty card


def test_who_could_own_an_unowned_card_is_not_sure():
    assert unsure(moved(1, "1 ? R7 ?>d1")) == {1, 2, 3}
    assert unsure(moved(1, "1 s2 R7 s2.post1>d1"), moved(2, "2 ? R7 ?>d2")) == {1, 3}
    assert unsure(moved(1, "1 s2 R7 s2.post1>d1"), moved(2, "2 ? R8 ?>d1")) == {1, 2, 3}
    assert unsure(moved(1, "1 ? R7 ?>s1.post1")) == set()


def test_little_confidence_and_open_rulings_are_not_sure():
    assert unsure(moved(1, "1 s1 R1 s1.post1>d1", confidence=0.79)) == {1}
    assert unsure(moved(1, "1 s1 R1 s1.post1>d1", confidence=0.8)) == set()
    for certainty in Certainty:
        ruling = Ruled(time_s=1, seen_s=2, move=1, violations=(Violation.START_NOT_ONE,), certainty=certainty)
        play = moved(1, "1 s1 R2 s1.post1>d1")
        assert unsure(play, ruling) == {1}
        assert unsure(play, ruling, Ruled(time_s=1, seen_s=3, move=1, violations=())) == set()
        assert unsure(play, ruling, moved(2, "2 s1 R2 d1>s1.post1", undoes=1)) == set()
