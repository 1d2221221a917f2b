"""Bots play by the rules, at human speed; their truth is the rules engine's."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from referee.game.events import BlitzSeen, CardMoved, PileSeen, RoundScored, RoundStarted, Ruled, Violation
from referee.game.match import replay
from referee.game.moves import PileKind
from referee.game.notation import parse_game
from referee.game.rules import RULES
from referee.layout import format_layout, parse_layout
from referee.synth.mischief import ALL_KINDS, parse_kinds
from referee.synth.play import Clock
from referee.synth.rounds import NoRoundError, play_round
from referee.synth.seating import seat_people
from referee.synth.truth import true_events, true_moves


@pytest.mark.parametrize("seats", range(2, 9))
def test_the_truth_replays_to_its_own_score(seats):
    for seed in (1, 2):
        script = play_round(seed, seats, illegal=3)
        events = true_events(script)
        match = replay(events)
        played = match.round
        assert [played.count_dutch(seat) for seat in range(1, seats + 1)] == list(script.dutch)
        assert [played.count_blitz(seat) for seat in range(1, seats + 1)] == list(script.blitz)
        assert played.blitz_seat == script.winner


@pytest.mark.parametrize("illegal", [0, 1, 5])
def test_only_the_wanted_plays_are_illegal(illegal):
    script = play_round(11, 4, illegal)
    events = true_events(script)
    moves = {event.id: event for event in events if isinstance(event, CardMoved)}
    ruled = [event for event in events if isinstance(event, Ruled)]
    assert len(ruled) == illegal
    for ruling, wanted in zip(ruled, script.wanted, strict=True):
        assert wanted in ruling.violations
        assert moves[ruling.move].target.kind is PileKind.DUTCH
    undone = {event.undoes for event in moves.values() if event.undoes is not None}
    assert undone <= {ruling.move for ruling in ruled}
    if illegal == 5:
        assert 0 < len(undone) < 5
        assert len({wanted.value for wanted in script.wanted}) == 5


def test_bots_can_do_wrong_in_every_way_that_the_rules_know():
    assert set(ALL_KINDS) == set(RULES)
    assert parse_kinds("all") == ALL_KINDS
    assert parse_kinds("two_hands, post_order") == (Violation.TWO_HANDS, Violation.POST_ORDER)
    with pytest.raises(ValueError, match="no kind 'cheating' of illegal play: choose from all, wrong_number"):
        parse_kinds("cheating")


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_each_kind_is_ruled_as_meant_and_taken_back_or_not(kind):
    taken_back = []
    for seed in range(3):
        script = play_round(seed, 4, 2, kinds=(kind,))
        events = true_events(script)
        moves = {event.id: event for event in events if isinstance(event, CardMoved)}
        ruled = [event for event in events if isinstance(event, Ruled)]
        assert len(ruled) == len(script.wanted), "nothing else is illegal"
        assert all(kind in ruling.violations for ruling in ruled)
        undone = {event.undoes for event in moves.values()}
        taken_back += [ruling.move in undone for ruling in ruled]
        match = replay(events)
        assert [match.round.count_dutch(seat) for seat in range(1, 5)] == list(script.dutch)
        assert [match.round.count_blitz(seat) for seat in range(1, 5)] == list(script.blitz)
        assert [event.seen_s for event in events] == sorted(event.seen_s for event in events)
        assert len(parse_game(true_moves(script)).moves) == len(script.played)
    turned = kind in (Violation.WOOD_COUNT, Violation.SHUFFLED)
    assert set(taken_back) == ({False} if turned else {True, False}), "some stay, some go back; what is turned stays"


def test_all_kinds_together_in_a_large_round():
    script = play_round(1, 6, 13, kinds=ALL_KINDS)
    events = true_events(script)
    ruled = Counter(violation for event in events if isinstance(event, Ruled) for violation in event.violations)
    assert set(ruled) >= set(script.wanted)
    match = replay(events)
    assert [match.round.count_dutch(seat) for seat in range(1, 7)] == list(script.dutch)


def test_finished_piles_are_moved_aside_as_a_whole():
    script = play_round(4, 4, 0, aside=1.0)
    (left, top), _, (right, bottom), _ = script.seating.dutch_mm
    moved = 0
    clock = Clock(script)
    now = clock.at(script.over_s)
    for name in {span.pile for span in now.resting if span.pile is not None and span.pile.kind is PileKind.DUTCH}:
        pile = [span for span in now.resting if span.pile == name]
        spread = np.array([(span.end.x_mm, span.end.y_mm) for span in pile])
        if len(pile) == 10 and any(
            span.card == pile[0].card and span.moves and span.lift_mm == 0 for span in script.spans
        ):
            moved += 1
            x, y = spread.mean(axis=0)
            assert min(x - left, right - x, y - top, bottom - y) < 70, "it lies at the rim"
            assert np.ptp(spread, axis=0).max() < 45, "and together"
    assert moved >= 1
    events = true_events(script)
    assert not [event for event in events if isinstance(event, Ruled)]
    assert [replay(events).round.count_dutch(seat) for seat in range(1, 5)] == list(script.dutch)


def test_wishes_change_nothing_where_there_are_none():
    plain, same = play_round(12, 4, 3), play_round(12, 4, 3, aside=0.0)
    assert plain.spans == same.spans


def test_a_round_has_the_events_of_the_contract_in_order():
    events = true_events(play_round(3, 4, 2))
    assert isinstance(events[0], RoundStarted)
    assert isinstance(events[-1], RoundScored)
    assert events[-1].by == "counted"
    assert sum(isinstance(event, BlitzSeen) for event in events) == 1
    assert [event.seen_s for event in events] == sorted(event.seen_s for event in events)
    assert len({event.id for event in events}) == len(events)
    first = [event.pile for event in events[1:17] if isinstance(event, PileSeen)]
    assert len(first) == 16, "every Post and Blitz Pile is seen at the start"


def test_the_notation_says_the_same_as_the_events():
    script = play_round(5, 3, 3)
    game = parse_game(true_moves(script))
    assert len(game.moves) == len(script.played)
    for written, played in zip(game.moves, script.played, strict=True):
        assert (written.seat, written.faces, written.source, written.target) == (
            played.move.seat, played.move.faces, played.move.source, played.move.target,
        )  # fmt: skip
        assert written.time_s == pytest.approx(played.move.time_s, abs=0.001)
    scores = [event for event in replay(game.events).round.scores["counted"]]
    assert [row.dutch for row in scores] == list(script.dutch)


def test_people_are_neither_machines_nor_asleep():
    script = play_round(6, 4, 0)
    gaps, carries = [], []
    for seat in range(1, 5):
        mine = [played for played in script.played if played.move.seat == seat]
        gaps += list(np.diff([played.move.time_s for played in mine]))
        carries += [played.move.time_s - played.leave_s for played in mine]
    assert np.percentile(gaps, 5) > 0.3
    assert np.percentile(gaps, 95) < 3.5
    assert min(carries) > 0.1
    assert all(played.leave_s < played.move.time_s <= played.rest_s for played in script.played)


def test_every_card_is_somewhere_and_only_there():
    script = play_round(8, 4, 4)
    for card in range(160):
        spans = sorted((span for span in script.spans if span.card == card), key=lambda span: span.start_s)
        assert spans[0].start_s <= script.go_s
        for one, other in zip(spans, spans[1:], strict=False):
            assert other.start_s == pytest.approx(one.end_s, abs=1e-6)
            assert (other.begin.x_mm, other.begin.y_mm) == pytest.approx((one.end.x_mm, one.end.y_mm), abs=1e-6)
    clock, table = Clock(script), Counter()
    now = clock.at(script.over_s + 1.0)
    for span in now.resting:
        if span.pile is not None and span.pile.kind is PileKind.DUTCH:
            table[script.cards[span.card].deck] += 1
    assert [table[deck] for deck in script.seating.decks] == list(script.dutch)


def test_races_send_somebody_home():
    hovering = 0
    for seed in range(4):
        script = play_round(seed, 6, 0)
        hovering += sum(span.moves and span.end_mm == 40 for span in script.spans)
    assert hovering > 0


@pytest.mark.parametrize("seats", range(2, 9))
def test_the_layout_is_one_that_can_be_read_back(seats):
    seating = seat_people(np.random.default_rng(seats), seats, 5 if seats == 2 else 3, (1920, 1080))
    layout = seating.layout()
    again = parse_layout(format_layout(layout))
    assert np.allclose(again.px_from_mm, layout.px_from_mm, rtol=1e-6)
    half_w, half_h = seating.area_mm[0] / 2, seating.area_mm[1] / 2
    poses = list(layout.poses().values())
    for pose in poses:
        assert abs(pose.x_mm) < half_w - 28
        assert abs(pose.y_mm) < half_h - 28
    for index, pose in enumerate(poses):
        for other in poses[index + 1 :]:
            assert np.hypot(pose.x_mm - other.x_mm, pose.y_mm - other.y_mm) > 55, "piles don't overlap"
    px = seating.camera.project([(pose.x_mm, pose.y_mm) for pose in poses])
    assert (px > 0).all()
    assert (px < (1920, 1080)).all()


def test_the_homography_and_the_lens_are_those_of_the_camera():
    cv2 = pytest.importorskip("cv2")
    seating = seat_people(np.random.default_rng(4), 4, 3, (1920, 1080))
    layout = seating.layout()
    mm = np.random.default_rng(0).uniform((-600, -330), (600, 330), (50, 2))
    seen = seating.camera.project(mm)
    straight = cv2.undistortPoints(
        seen.reshape(-1, 1, 2), np.array(layout.camera_matrix), np.array(layout.lens), P=np.array(layout.camera_matrix)
    ).reshape(-1, 2)
    expected = cv2.perspectiveTransform(mm.reshape(-1, 1, 2), np.array(layout.px_from_mm)).reshape(-1, 2)
    assert np.abs(straight - expected).max() < 0.2


def test_numerals_are_large_enough_to_be_read():
    for seats in (2, 4, 8):
        camera = seat_people(np.random.default_rng(seats), seats, 5 if seats == 2 else 3, (1920, 1080)).camera
        a, b = camera.project([(0, 0), (10, 0)])
        assert np.hypot(*(b - a)) / 10 > 1.3


def test_the_same_seed_gives_the_same_round():
    assert play_round(9, 3, 2).played == play_round(9, 3, 2).played
    assert play_round(9, 3, 2).played != play_round(10, 3, 2).played


def test_a_length_can_be_asked_for():
    assert 60 <= play_round(1, 4, 2, length_s=(60, 90)).end_s <= 90


@pytest.mark.parametrize(("seats", "illegal"), [(1, 0), (9, 0), (4, -1), (4, 41)])
def test_impossible_wishes_are_refused(seats, illegal):
    with pytest.raises(ValueError, match="choose|is for 2 to 8"):
        play_round(1, seats, illegal)


def test_a_round_that_never_comes_about_says_so():
    with pytest.raises(NoRoundError, match="200 deals"):
        play_round(1, 2, 0, length_s=(0, 20))
