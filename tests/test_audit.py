import numpy as np

from referee.audit import Count, add_counts, count_backs, reconcile
from referee.game.event_types import SeatScore
from referee.game.variant import get_variant
from referee.layout import Pose, SeatLayout, TableLayout
from referee.vision.frames import Detection, Reading

AREA = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))
SEATS = tuple(
    SeatLayout(name, deck, AREA, (Pose(0, 0, 0),), Pose(1, 0, 0), Pose(2, 0, 0))
    for name, deck in (("Ann", "green-pump"), ("Ben", "yellow-pail"))
)
LAYOUT = TableLayout((57.0, 89.0), (100, 100), ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)), AREA, SEATS)


def card(label, kind="back", confidence=0.95):
    return Detection(np.zeros((4, 2), np.float32), kind, 0.9, Reading(label, confidence))


def test_backs_are_counted_by_deck_and_what_is_not_sure_is_told():
    cards = [card("back:green-pump")] * 3 + [
        card("back:yellow-pail"),
        card(None),
        card("back:blue-plow", confidence=0.4),
    ]
    count = count_backs([*cards, card("R7", "face")])
    assert count == Count({"green-pump": 3, "yellow-pail": 1}, unread=2, faces=1)
    assert not count.sure


def test_counts_of_several_pictures_add_up():
    both = add_counts([Count({"green-pump": 3}), Count({"green-pump": 2, "red-plow": 1}, unread=1)])
    assert both == Count({"green-pump": 5, "red-plow": 1}, unread=1)


def test_backs_settle_the_score_and_every_difference_is_told():
    followed = (SeatScore(1, 12, 0, 12, True), SeatScore(2, 9, 3, 3, False))
    scores, differences = reconcile(
        followed, Count({"green-pump": 12, "yellow-pail": 10}), LAYOUT, get_variant("official")
    )
    assert [(row.dutch, row.score, row.sure) for row in scores] == [(12, 12, True), (10, 4, True)]
    assert [str(item) for item in differences] == ["seat 2: 9 Dutch cards were followed, 10 counted by their backs"]


def test_count_that_is_not_whole_is_sure_only_where_it_agrees():
    followed = (SeatScore(1, 2, 0, 2, True), SeatScore(2, 2, 0, 2, True))
    scores, _ = reconcile(followed, Count({"green-pump": 2, "yellow-pail": 1}, 1), LAYOUT, get_variant("official"))
    assert [row.sure for row in scores] == [True, False]
