import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.audit import Count, add_counts, find_impossible, reconcile
from referee.evaluation.reconciling import evaluate_reconciling, spoil
from referee.game.cards import Face
from referee.game.event_types import BlitzSeen, CardMoved, PileSeen, RoundStarted
from referee.game.match import replay
from referee.game.moves import PileId, PileKind
from referee.synth.rounds import play_round
from referee.synth.truth import true_events


def play(number, seat, label, pile, confidence=0.97, source=None, time_s=None):
    at = float(number) if time_s is None else time_s
    return CardMoved(
        time_s=at,
        seen_s=at,
        id=number,
        seat=seat,
        cards=(Face.parse(label),),
        source=source,
        target=PileId(PileKind.DUTCH, slot=pile),
        confidence=confidence,
    )


def round_of(*events, seats=3):
    start = RoundStarted(time_s=0.0, seen_s=0.0, id=900, seats=seats)
    end = BlitzSeen(time_s=90.0, seen_s=90.0, id=901, seat=1)
    return replay([start, *events, end])


def test_counts_of_several_heaps_add_up():
    both = add_counts([Count({"green-pump": 3}), Count({"green-pump": 2, "red-plow": 1}, unread=1)])
    assert both == Count({"green-pump": 5, "red-plow": 1}, unread=1)
    assert not both.sure


@pytest.mark.parametrize("doubt", [{"unread": 1}, {"faces": 1}, {"doubts": 1}])
def test_count_with_any_doubt_is_not_sure(doubt):
    assert Count({"green-pump": 3}).sure
    assert not Count({"green-pump": 3}, **doubt).sure


def test_more_cards_than_a_deck_has_and_foreign_cards_are_told():
    said = find_impossible(Count({"green-pump": 41, "red-plow": 1}), 40, ["green-pump", "blue-plow"])
    assert "41 cards of green-pump" in said[0]
    assert "1 card of red-plow" in said[1]
    assert find_impossible(Count({"green-pump": 40}), 40) == ()


def test_agreement_changes_nothing():
    round_ = round_of(play(1, 1, "R1", 1), play(2, 2, "R2", 1)).round
    found = reconcile(round_, {1: 1, 2: 1, 3: 0})
    assert found.differences == () == found.repairs
    assert [row.dutch for row in found.scores] == [1, 1, 0]
    assert all(row.sure for row in found.scores)


def test_the_doubtful_play_changes_its_owner():
    match = round_of(play(1, 1, "R1", 1), play(2, 2, "R2", 1, 0.55), play(3, 2, "R3", 1))
    found = reconcile(match.round, {1: 1, 2: 1, 3: 1})
    assert [(repair.move, repair.was, repair.now) for repair in found.repairs] == [(2, 2, 3)]
    assert [str(item) for item in found.differences] == [
        "seat 2: 2 followed, 1 counted: R2 on d1 was seat 3's (seat 2 was named)",
        "seat 3: 0 followed, 1 counted: R2 on d1 was seat 3's (seat 2 was named)",
    ]
    after = replay(found.events(match.round, 95.0), match).round
    assert [row.dutch for row in after.score()] == [1, 1, 1]
    assert [after.count_dutch(seat) for seat in after.seats] == [1, 1, 1]


def test_no_seat_gets_two_cards_of_one_face():
    # Seat 1 already played its red 1, so the second one can only be seat 3's.
    match = round_of(play(1, 1, "R1", 1), play(2, 2, "R1", 2, 0.6), play(3, 2, "B1", 3, 0.6))
    found = reconcile(match.round, {1: 2, 2: 0, 3: 1})
    assert {repair.move: repair.now for repair in found.repairs} == {2: 3, 3: 1}


def test_pile_that_lost_the_card_just_then_names_the_owner():
    post = PileId(PileKind.POST, 3, 1)
    looks = [
        PileSeen(time_s=0.5, seen_s=0.5, id=10, pile=post, top=Face.parse("R2")),
        PileSeen(time_s=2.1, seen_s=2.1, id=11, pile=post, top=Face.parse("G5")),
    ]
    match = round_of(looks[0], play(1, 2, "R1", 1, 0.6), play(2, 2, "R2", 1, 0.9), looks[1])
    found = reconcile(match.round, {1: 0, 2: 1, 3: 1})
    assert [(repair.move, repair.now) for repair in found.repairs] == [(2, 3)]


def test_missed_plays_are_told_and_invented_ones_taken_back():
    round_ = round_of(play(1, 1, "R1", 1)).round
    more = reconcile(round_, {1: 2, 2: 0, 3: 0})
    assert more.missed == 1
    assert more.repairs == ()
    assert str(more.differences[0]) == "seat 1: 1 followed, 2 counted: a play of theirs was missed"
    less = reconcile(round_, {1: 0, 2: 0, 3: 0})
    assert [repair.now for repair in less.repairs] == [None]


@given(st.integers(0, 10_000))
def test_owners_always_fit_the_count(seed):
    rng = np.random.default_rng(seed)
    seats = int(rng.integers(2, 6))
    plays = [
        play(
            n,
            int(rng.integers(1, seats + 1)),
            f"{'RBYG'[rng.integers(4)]}{rng.integers(1, 11)}",
            n,
            rng.uniform(0.5, 1),
        )
        for n in range(1, int(rng.integers(2, 14)))
    ]
    match = round_of(*plays, seats=seats)
    counted = {seat: int(rng.integers(0, 6)) for seat in match.round.seats}
    found = reconcile(match.round, counted)
    after = replay(found.events(match.round, 95.0), match).round
    assert {row.seat: row.dutch for row in after.score()} == counted
    # Plays can only be given away or taken back; what is missing was missed.
    owned = {seat: after.count_dutch(seat) for seat in after.seats}
    assert all(owned[seat] <= counted[seat] for seat in owned)
    assert sum(counted.values()) - sum(owned.values()) == found.missed


def test_spoiled_rounds_are_scored_right_and_mended():
    scores = evaluate_reconciling(6)
    assert scores.right == 6
    assert scores.repaired >= 0.8 * scores.wrong > 0
    assert scores.told == scores.missed


def test_spoiled_log_is_a_log_with_wrong_owners():
    case = spoil(true_events(play_round(501, 3, 1)), np.random.default_rng(1))
    round_ = replay(case.events).round
    assert len(case.wrong) >= 3
    assert all(round_.records[move].event.seat != case.owners[move] for move in case.wrong)


def test_a_long_list_of_causes_is_cut_short():
    plays = [play(n, 1, f"R{n}", 1) for n in range(1, 8)]
    found = reconcile(round_of(*plays).round, {1: 0, 2: 7})
    cause = next(item.cause for item in found.differences if item.seat == 2)
    assert cause.count(";") == 3
    assert cause.endswith("4 more like these")
