import json

import pytest

from referee.evaluation.plays import RoundFigures, collect_plays, score_round, wilson
from referee.evaluation.plays_report import RoundError, evaluate_folder, report_plays
from referee.game.cards import Face
from referee.game.event_types import BlitzSeen, CardMoved, Revised, RoundScored, Ruled, SeatScore, Violation
from referee.game.moves import PileId
from referee.synth.rounds import play_round
from referee.synth.simulate import write_detections

CARD_MM = (57.0, 89.0)


def play(number, label, time_s, seat=1, at=(0.0, 0.0), seen_s=None, pile="d1", **more):
    return CardMoved(
        id=number, time_s=time_s, seen_s=time_s if seen_s is None else seen_s, seat=seat, cards=(Face.parse(label),),
        source=None, target=PileId.parse(pile), at_mm=at, **more,
    )  # fmt: skip


def ruled(number, move, time_s, *violations):
    return Ruled(id=number, time_s=time_s, seen_s=time_s, move=move, violations=violations)


def score(truth, seen):
    return score_round(truth, seen, CARD_MM)


def test_log_compared_with_itself_is_perfect():
    truth = [
        play(1, "R1", 1.0, visible_s=1.1), play(2, "R5", 2.0, seat=2, visible_s=2.1),
        ruled(3, 2, 2.0, Violation.WRONG_NUMBER), BlitzSeen(id=4, time_s=3.0, seen_s=3.0, seat=2),
    ]  # fmt: skip
    record = score(truth, truth).as_json()
    assert (record["f1"], record["owner"], record["ruling_recall"], record["false_alarms"]) == (1.0, 1.0, 1.0, 0.0)
    assert record["blitz_right"] == 1
    assert record["latency_p50_s"] == pytest.approx(-0.1)


@pytest.mark.parametrize(
    ("seen", "right"),
    [
        (play(9, "R1", 1.9), 1),
        (play(9, "R1", 2.1), 0),
        (play(9, "R2", 1.0), 0),
        (play(9, "R1", 1.0, at=(40.0, 0.0)), 1),
        (play(9, "R1", 1.0, at=(45.0, 0.0)), 0),
        (play(9, "R1", 1.0, pile="d4"), 1),
        (play(9, "R1", 1.0, pile="s1.post1"), 0),
    ],
)
def test_play_is_right_by_card_time_and_place(seen, right):
    assert score([play(1, "R1", 1.0)], [seen]).right_plays == right


def test_each_play_is_found_once():
    figures = score([play(1, "R1", 1.0)], [play(8, "R1", 1.1), play(9, "R1", 0.9)])
    assert (figures.right_plays, figures.precision, figures.recall) == (1, 0.5, 1.0)
    assert figures.f1 == pytest.approx(2 / 3)


def test_owner_is_the_one_of_the_last_revision():
    seen = [play(9, "R1", 1.0, seat=2), Revised(id=10, time_s=1.0, seen_s=4.0, move=9, reason="", changes={"seat": 1})]
    figures = score([play(1, "R1", 1.0, seat=1)], seen)
    assert (figures.owner_right, figures.owner_right_at_once) == (1, 0)


def test_retracted_play_was_none():
    seen = [play(9, "R1", 1.0), Revised(id=10, time_s=1.0, seen_s=2.0, move=9, reason="", retracted=True)]
    assert collect_plays(seen) == []


def test_ruling_that_is_resolved_by_taking_back_stands_and_an_overruled_one_does_not():
    truth = [play(1, "R5", 1.0), ruled(2, 1, 1.0, Violation.START_NOT_ONE)]
    back = play(8, "R5", 3.0, undoes=5)
    said = [play(5, "R5", 1.0), ruled(6, 5, 1.5, Violation.START_NOT_ONE)]
    settled = score(truth, [*said, back, ruled(9, 5, 3.0)])
    assert (settled.ruled_at_once, settled.ruled_at_end) == (1, 1)
    overruled = score(truth, [*said, ruled(9, 5, 3.0)])
    assert (overruled.ruled_at_once, overruled.ruled_at_end) == (1, 0)


def test_late_ruling_is_found_at_the_end_but_not_at_once():
    truth = [play(1, "R5", 1.0), ruled(2, 1, 1.0, Violation.START_NOT_ONE)]
    figures = score(truth, [play(5, "R5", 1.0), ruled(6, 5, 9.0, Violation.START_NOT_ONE)])
    assert (figures.ruled_at_once, figures.ruled_at_end) == (0, 1)


def test_ruling_of_a_legal_play_is_a_false_alarm_until_it_is_withdrawn():
    seen = [play(5, "R1", 1.0), ruled(6, 5, 1.2, Violation.WRONG_COLOR), ruled(7, 5, 2.0)]
    figures = score([play(1, "R1", 1.0)], seen)
    assert (figures.false_at_once, figures.false_at_end) == (1, 0)


def test_counts_are_compared_before_and_after_the_backs():
    def scored(number, by, *dutch):
        rows = tuple(SeatScore(seat, cards, 0, cards, seat == 1) for seat, cards in enumerate(dutch, 1))
        return RoundScored(id=number, time_s=9.0, seen_s=9.0, by=by, seats=rows)

    record = score([scored(1, "counted", 10, 8)], [scored(1, "followed", 10, 6), scored(2, "counted", 10, 9)]).as_json()
    assert (record["dutch_mae"], record["dutch_exact"], record["dutch_exact_when_sure"]) == (1.0, 0.5, 1.0)
    assert record["counted_mae"] == 0.5


def test_figures_add_up_and_unknown_ones_are_null():
    figures = score([play(1, "R1", 1.0)], [play(5, "R1", 1.0)])
    both = figures + figures
    assert (both.rounds, both.true_plays, both.f1) == (2, 2, 1.0)
    assert json.loads(json.dumps(RoundFigures().as_json()))["f1"] is None


def test_interval_of_a_share():
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-3)
    assert wilson(0, 0) == (0.0, 1.0)


def test_round_from_detections_is_followed_well(tmp_path, capsys):
    script = play_round(21, 2, 2)
    write_detections(script, tmp_path / "round", 21, 15.0)
    report_plays([tmp_path / "round"], as_json=True, from_detections=True)
    total = json.loads(capsys.readouterr().out)["total"]
    assert total["f1"] >= 0.95
    assert total["owner"] >= 0.95
    assert total["blitz_right"] == 1
    assert total["latency_p50_s"] <= 0.35
    assert total["latency_p95_s"] <= 1.0


def test_folder_without_a_round_is_one_clear_line(tmp_path):
    with pytest.raises(RoundError, match="events.jsonl.*referee simulate"):
        evaluate_folder(tmp_path, from_detections=True)
