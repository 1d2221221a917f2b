from referee.game.event_types import CardMoved, Event, Revised, RoundScored, RoundStarted
from referee.game.moves import PileId
from referee.pile_names import PileNames


def play(number: int, pile: int) -> CardMoved:
    place = (float(number), 0.0)
    return CardMoved(
        id=number, time_s=0.0, seen_s=0.0, seat=1, cards=(None,), source=None, target=PileId.dutch(pile), at_mm=place
    )


def taken_back(number: int, of: int) -> CardMoved:
    post = PileId.parse("s1.post1")
    return CardMoved(id=number, time_s=1.0, seen_s=1.0, seat=1, cards=(None,), source=None, target=post, undoes=of)


def named(*events: Event) -> dict[str, float]:
    names = PileNames()
    names.note(events)
    return {mark.text: mark.at_mm[0] for mark in names.marks}


PLAYS = (play(1, 1), play(2, 2), play(3, 2), play(4, 3))


def test_a_pile_is_named_at_its_newest_card() -> None:
    assert named(*PLAYS) == {"d1": 1, "d2": 3, "d3": 4}


def test_a_pile_whose_only_card_was_taken_back_has_no_name() -> None:
    assert named(*PLAYS, taken_back(5, 1), taken_back(6, 3)) == {"d2": 2, "d3": 4}


def test_a_play_that_never_was_has_none_either() -> None:
    assert named(*PLAYS, Revised(time_s=2.0, seen_s=2.0, move=4, reason="", retracted=True)) == {"d1": 1, "d2": 3}


def test_a_new_round_begins_without_piles() -> None:
    assert named(*PLAYS, RoundStarted(time_s=3.0, seen_s=3.0, seats=4)) == {}


def test_after_the_score_the_cards_are_gathered() -> None:
    assert named(*PLAYS, RoundScored(time_s=3.0, seen_s=3.0, by="followed", seats=())) == {}
