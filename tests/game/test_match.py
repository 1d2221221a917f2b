from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.evaluation.engine import play_random_round
from referee.game.events import (
    BlitzCalled,
    BlitzSeen,
    CardMoved,
    Certainty,
    DutchCalled,
    MatchStarted,
    PileSeen,
    Player,
    Revised,
    RoundEnded,
    RoundPaused,
    RoundResumed,
    RoundScored,
    RoundStarted,
    Ruled,
    SeatJoined,
    SeatLeft,
    SeatScore,
    StuckAgreed,
    Violation,
    from_json,
    to_json,
)
from referee.game.follow import find_due_rulings, judge_again
from referee.game.judging import judge_log
from referee.game.match import Match, MatchError, Phase, evolve, replay
from referee.game.moves import Move, PileId
from referee.game.variant import get_variant


def players(*names: str, variant="official", **rules):
    named = tuple(Player(seat, name, f"deck-{seat}") for seat, name in enumerate(names, 1))
    return MatchStarted(time_s=0, seen_s=0, players=named, variant=variant, rules=rules)


def go(seats=4, at=0.0, **more):
    return RoundStarted(time_s=at, seen_s=at, seats=seats, **more)


def moved(id_: int, line: str, **more) -> CardMoved:
    move = Move.parse(line)
    return CardMoved(
        time_s=move.time_s, seen_s=move.time_s, id=id_, seat=move.seat, cards=move.faces, source=move.source,
        target=move.target, **more,
    )  # fmt: skip


def ruled(move: int, *violations: Violation, by="referee", certainty=Certainty.CERTAIN) -> Ruled:
    return Ruled(time_s=1, seen_s=2, move=move, violations=violations, by=by, certainty=certainty)


def scored(by: str, *rows: tuple[int, int, int, int], number=None) -> RoundScored:
    seats = tuple(SeatScore(seat, dutch, blitz, points, True) for seat, dutch, blitz, points in rows)
    return RoundScored(time_s=90, seen_s=90, by=by, seats=seats, round=number)


def revised(move: int, retracted=False, **changes) -> Revised:
    return Revised(time_s=1, seen_s=50, move=move, reason="a person says so", retracted=retracted, changes=changes)


def blitz(seat: int, at=60.0) -> BlitzSeen:
    return BlitzSeen(time_s=at, seen_s=at, seat=seat)


def dutch(match: Match) -> dict[int, int]:
    return {row.seat: row.dutch for row in match.round.tally()}


def refused(match: Match, event) -> str:
    with pytest.raises(MatchError) as caught:
        evolve(match, event)
    return str(caught.value)


def test_a_match_knows_who_plays_and_by_which_rules():
    match = replay([players("Ann", "Bob", "Cem", variant="family", target=100), go(3)])
    assert [(seat.number, seat.name, seat.deck, seat.total) for seat in match.seats] == [
        (1, "Ann", "deck-1", 0), (2, "Bob", "deck-2", 0), (3, "Cem", "deck-3", 0),
    ]  # fmt: skip
    assert (match.variant.name, match.variant.target) == ("family", 100)
    assert match.round.variant is match.variant
    assert (match.round.number, match.round.phase, match.round.seats) == (1, Phase.PLAYING, (1, 2, 3))
    assert match.seat(2).name == "Bob"
    assert Match.new().round is None
    assert Match.new().winners == ()


def test_a_log_without_a_match_started_names_seats_by_number():
    match = replay([go(2, variant="nertz")])
    assert [seat.name for seat in match.seats] == ["Seat 1", "Seat 2"]
    assert match.variant.name == "nertz"
    assert [row.blitz for row in match.round.tally()] == [13, 13]


def test_cards_on_dutch_piles_count_for_who_played_them_until_they_are_taken_back():
    log = [go(), moved(1, "1 s1 R1 s1.post1>d1"), moved(2, "2 s2 R3 s2.post1>d1"), moved(3, "3 s3 B1 ?>d2")]
    match = replay(log)
    assert dutch(match) == {1: 1, 2: 1, 3: 1, 4: 0}
    match = evolve(match, moved(4, "4 s2 R3 d1>s2.post1", undoes=2))
    assert dutch(match) == {1: 1, 2: 0, 3: 1, 4: 0}
    assert match.round.records[2].undone_by == 4
    assert not match.round.records[2].stands
    assert match.round.owners == {PileId.dutch(1): (1,), PileId.dutch(2): (3,)}
    match = evolve(match, moved(5, "5 s4 B1 d2>d3"))
    assert dutch(match) == {1: 1, 2: 0, 3: 1, 4: 0}
    assert match.round.owners[PileId.dutch(3)] == (3,)


def test_blitz_cards_left_are_counted_down():
    match = replay([go(), moved(1, "1 s1 R1 s1.blitz>d1"), moved(2, "2 s1 R8 s1.blitz>s1.post1")])
    assert [match.round.count_blitz(seat) for seat in (1, 2)] == [8, 10]
    assert evolve(match, blitz(1)).round.count_blitz(1) == 0


def test_a_ruling_stands_beside_the_move_until_it_is_resolved():
    log = [go(), moved(1, "1 s1 R2 s1.post1>d1"), ruled(1, Violation.START_NOT_ONE)]
    match = replay(log)
    record = match.round.records[1]
    assert record.open == (Violation.START_NOT_ONE,)
    assert record.move == Move.parse("1 s1 R2 s1.post1>d1")
    assert not match.round.tally()[0].sure
    assert evolve(match, ruled(1)).round.records[1].open == ()
    assert evolve(match, moved(2, "2 s1 R2 d1>s1.post1", undoes=1)).round.records[1].open == ()
    assert evolve(match, revised(1, retracted=True)).round.records[1].open == ()


def test_a_persons_word_is_not_overruled_by_the_referee():
    log = [go(), moved(1, "1 s1 R2 s1.post1>d1"), ruled(1, Violation.START_NOT_ONE)]
    match = replay([*log, ruled(1, by="person"), ruled(1, Violation.START_NOT_ONE)])
    assert match.round.records[1].open == ()
    again = evolve(match, ruled(1, Violation.WRONG_COLOR, by="person"))
    assert again.round.records[1].open == (Violation.WRONG_COLOR,)


def test_a_correction_is_followed_by_all_that_came_after_it():
    log = [
        go(),
        moved(1, "1 s1 R1 s1.post1>d1"),
        moved(2, "2 s2 R3 s2.post1>d1"),
        ruled(2, Violation.WRONG_NUMBER),
        moved(3, "3 s3 R4 s3.post1>d1"),
    ]
    match = replay(log)
    corrected = evolve(match, revised(2, cards=Move.parse("2 s2 R2 s2.post1>d1").faces))
    assert [str(face) for face in corrected.round.table.pile(PileId.dutch(1)).faces] == ["R1", "R2", "R4"]
    due = find_due_rulings(corrected.round, seen_s=51.0)
    assert [(ruling.move, ruling.violations) for ruling in due] == [(2, ()), (3, (Violation.WRONG_NUMBER,))]
    match = replay(due, corrected)
    assert find_due_rulings(match.round, seen_s=52.0) == ()
    owner = evolve(match, revised(1, seat=4))
    assert dutch(owner) == {1: 0, 2: 1, 3: 1, 4: 1}
    # It didn't come from a pile of seat 1 then.
    assert owner.round.records[1].event.source is None
    assert owner.round.table.pile(PileId.parse("s1.post1")).faces == (None,)
    assert evolve(match, revised(1, seat=1)).round.records[1].event.source == PileId.parse("s1.post1")
    told = evolve(match, revised(1, seat=4, source=PileId.parse("s4.wood")))
    assert told.round.records[1].event.source == PileId.parse("s4.wood")
    gone = evolve(owner, revised(3, retracted=True))
    assert dutch(gone) == {1: 0, 2: 1, 3: 0, 4: 1}
    assert [(r.move, r.violations) for r in find_due_rulings(gone.round, 53.0)] == [(3, ())]
    back = evolve(gone, revised(3))
    assert dutch(back)[3] == 1


def test_only_what_a_correction_changes_is_said_again():
    # The camera held the first ruling for doubtful, for reasons that don't stand in the log.
    log = [
        go(),
        moved(1, "1 s1 R2 s1.post1>d1"),
        ruled(1, Violation.START_NOT_ONE, certainty=Certainty.DOUBTFUL),
        moved(2, "2 s2 B1 s2.post1>d2"),
        moved(3, "3 s3 B3 s3.post1>d2"),
        ruled(3, Violation.WRONG_NUMBER),
    ]
    before = replay(log)
    after = evolve(before, revised(3, cards=Move.parse("3 s3 B2 s3.post1>d2").faces))
    assert [r.move for r in find_due_rulings(after.round, 9.0, before=before.round)] == [3]
    assert [r.move for r in find_due_rulings(after.round, 9.0)] == [1, 3]
    assert find_due_rulings(before.round, 9.0, before=before.round) == ()


def test_a_missed_move_is_put_in_its_place():
    log = [go(), moved(1, "1 s1 R1 s1.post1>d1"), moved(2, "2 s2 R3 s2.post1>d1"), ruled(2, Violation.WRONG_NUMBER)]
    match = evolve(replay(log), moved(3, "1.5 s3 R2 s3.post1>d1", after=1))
    assert match.round.tape == (1, 3, 2)
    assert match.round.owners[PileId.dutch(1)] == (1, 3, 2)
    assert [(r.move, r.violations) for r in find_due_rulings(match.round, 9.0)] == [(2, ())]
    first = evolve(match, moved(4, "0.5 s4 B1 s4.post1>d2", after=0))
    assert first.round.tape == (4, 1, 3, 2)
    assert "there is no move 77" in refused(first, moved(5, "1 s1 R1 s1.post2>d3", after=77))


def test_a_false_start_and_stops_are_known_to_the_judge():
    log = [go(at=2.0), moved(1, "1 s1 R1 s1.post1>d1"), DutchCalled(time_s=3, seen_s=3, seat=2, move=1)]
    match = replay(log)
    assert match.round.phase is Phase.STOPPED
    match = replay(
        [moved(2, "4 s2 B1 s2.post1>d2"), RoundResumed(time_s=5, seen_s=5), moved(3, "6 s2 B2 s2.post2>d2")], match
    )
    rulings = judge_again(match.round)
    assert [rulings[id_].violations for id_ in (1, 2, 3)] == [(Violation.BEFORE_START,)] * 2 + [()]
    paused = evolve(match, RoundPaused(time_s=7, seen_s=7, reason="door bell"))
    assert paused.round.phase is Phase.PAUSED
    assert evolve(paused, RoundPaused(time_s=8, seen_s=8)).round.stops == paused.round.stops
    assert evolve(paused, DutchCalled(time_s=8, seen_s=8)).round.phase is Phase.PAUSED
    family = replay([players("Ann", "Bob", variant="family"), go(2), DutchCalled(time_s=3, seen_s=3)])
    assert family.round.phase is Phase.PLAYING


def test_a_card_in_the_air_when_play_stops_is_no_offence():
    log = [go(), DutchCalled(time_s=3, seen_s=3), moved(1, "3.1 s1 R1 s1.post1>d1"), moved(2, "3.2 s2 B1 s2.post1>d2")]
    rulings = judge_again(replay(log).round)
    assert [rulings[id_].violations for id_ in (1, 2)] == [(), (Violation.BEFORE_START,)]


def test_blitz_emptied_and_blitz_called_are_two_things():
    call = BlitzCalled(time_s=61, seen_s=61, seat=2)
    official = replay([go(), call])
    assert (official.round.phase, official.round.blitz_called, official.round.blitz_seat) == (Phase.PLAYING, 2, None)
    official = evolve(official, blitz(1, 62))
    assert (official.round.phase, official.round.ended_s, official.round.blitz_seat) == (Phase.ENDED, 62, 1)
    by_call = replay([players("Ann", "Bob", round_end="called"), go(2), blitz(1)])
    assert (by_call.round.phase, by_call.round.blitz_seat) == (Phase.PLAYING, 1)
    by_call = evolve(by_call, call)
    assert (by_call.round.phase, by_call.round.ended_s) == (Phase.ENDED, 61)
    twice = replay([blitz(2, 70), BlitzCalled(time_s=71, seen_s=71, seat=1)], by_call)
    assert (twice.round.blitz_seat, twice.round.blitz_called, twice.round.ended_s) == (1, 2, 61)


def test_a_blitz_that_was_none_can_be_taken_back():
    match = replay([go(), blitz(1), RoundResumed(time_s=61, seen_s=61), moved(1, "62 s1 R1 s1.post1>d1")])
    assert (match.round.phase, match.round.ended_s, match.round.blitz_seat) == (Phase.PLAYING, None, None)
    assert judge_again(match.round)[1].violations == ()
    over = evolve(match, scored("followed", (1, 1, 10, -19)))
    assert "closed" in refused(over, RoundResumed(time_s=99, seen_s=99))


def test_everybody_is_stuck():
    match = replay([go(3), StuckAgreed(time_s=5, seen_s=5)])
    assert match.round.stuck_left == {1, 2, 3}
    match = evolve(match, moved(1, "6 s1 - s1.hand>s1.hand"))
    assert match.round.stuck_left == {2, 3}
    stop = replay([players("A", "B", "C", stuck="stop-and-score"), go(3), StuckAgreed(time_s=5, seen_s=5)])
    assert (stop.round.phase, stop.round.ended_s) == (Phase.ENDED, 5)
    ended = replay([go(3), RoundEnded(time_s=7, seen_s=7, reason="stuck")])
    assert (ended.round.phase, ended.round.ended_s) == (Phase.ENDED, 7)
    assert "is over" in refused(ended, RoundEnded(time_s=8, seen_s=8, reason="stuck"))


def test_a_round_that_is_broken_off_does_not_count():
    match = replay([go(2), moved(1, "1 s1 R1 s1.post1>d1"), RoundEnded(time_s=9, seen_s=9, reason="abandoned")])
    assert match.round.phase is Phase.ABANDONED
    assert (match.totals(), match.rounds_played) == ({1: 0, 2: 0}, 0)
    assert evolve(match, go(2, at=10)).round.number == 2
    assert "'bored' is no reason" in refused(match, RoundEnded(time_s=9, seen_s=9, reason="bored"))


def test_totals_add_up_and_may_be_negative():
    log = [
        go(2), blitz(1), scored("counted", (1, 19, 3, 13), (2, 0, 10, -20)),
        go(2, at=100), blitz(2, 160), scored("counted", (1, 4, 1, 2), (2, 5, 0, 5)),
    ]  # fmt: skip
    match = replay(log)
    assert (match.totals(), match.rounds_played, match.winners) == ({1: 15, 2: -15}, 2, ())
    assert [seat.total for seat in match.seats] == [15, -15]


def test_corrected_counts_before_counted_before_followed():
    match = replay([go(2), moved(1, "1 s1 R1 s1.post1>d1"), blitz(2)])
    assert [row.score for row in match.round.score()] == [-19, 0]
    assert match.totals() == {1: 0, 2: 0}
    match = evolve(match, scored("followed", (1, 1, 10, -19), (2, 0, 0, 0)))
    assert match.totals() == {1: -19, 2: 0}
    match = evolve(match, scored("counted", (1, 2, 10, -18), (2, 0, 0, 0)))
    assert match.totals() == {1: -18, 2: 0}
    assert match.round.find_differences() == {1: 1}
    match = evolve(match, scored("corrected", (2, 3, 0, 3)))
    assert match.totals() == {1: -18, 2: 3}
    match = evolve(match, scored("counted", (1, 9, 10, -11)))
    assert match.totals() == {1: -18, 2: 3}
    assert {by: rows[0].dutch for by, rows in match.round.scores.items()} == {
        "followed": 1,
        "counted": 9,
        "corrected": 2,
    }


def test_a_past_round_can_be_corrected_by_move_and_by_score():
    log = [
        go(2), moved(1, "1 s1 R1 s1.post1>d1"), blitz(2), scored("followed", (1, 1, 10, -19), (2, 0, 0, 0)),
        go(2, at=100), moved(2, "101 s2 B1 s2.post1>d1"),
    ]  # fmt: skip
    match = replay(log)
    moved_by_2 = evolve(match, revised(1, seat=2))
    assert moved_by_2.totals() == {1: -20, 2: 1}
    assert dutch(moved_by_2) == {1: 0, 2: 1}
    assert [row.dutch for row in moved_by_2.rounds[0].tally()] == [0, 1]
    by_hand = evolve(match, scored("corrected", (1, 5, 2, 1), number=1))
    assert by_hand.totals() == {1: 1, 2: 0}
    assert by_hand.round.phase is Phase.PLAYING
    assert "there is no round 7" in refused(match, scored("counted", (1, 0, 0, 0), number=7))
    missed = evolve(match, moved(9, "1.5 s2 R2 s2.post1>d1", after=1))
    assert missed.totals() == {1: -19, 2: 1}


def test_points_off_stay_when_the_card_goes_back_but_not_when_a_person_overrules():
    log = [players("Ann", "Bob", illegal_play="points-penalty", penalty_points=5), go(2)]
    log += [moved(1, "1 s1 R2 s1.post1>d1"), ruled(1, Violation.START_NOT_ONE)]
    match = replay(log)
    assert match.round.tally()[0].score == 1 - 20 - 5
    back = replay([moved(2, "2 s1 R2 d1>s1.post1", undoes=1), ruled(1)], match)
    assert back.round.tally()[0].score == -20 - 5
    assert evolve(match, ruled(1, by="person")).round.tally()[0].score == 1 - 20
    assert evolve(match, revised(1, retracted=True)).round.tally()[0].score == -20
    doubtful = evolve(match, ruled(1, Violation.START_NOT_ONE, certainty=Certainty.DOUBTFUL))
    assert doubtful.round.tally()[0].score == 1 - 20


def test_seats_join_and_leave_between_rounds_only():
    log = [players("Ann", "Bob", "Cem"), go(3), blitz(1), scored("counted", (1, 5, 0, 5), (2, 3, 1, 1), (3, 2, 2, -2))]
    match = replay(log)
    match = evolve(match, SeatLeft(time_s=95, seen_s=95, seat=2))
    assert [(seat.name, seat.total, seat.playing) for seat in match.seats] == [
        ("Ann", 5, True), ("Bob", 1, False), ("Cem", -2, True),
    ]  # fmt: skip
    two = evolve(match, go(2, at=100))
    assert two.round.seats == (1, 3)
    assert len(two.round.table.post_piles(3)) == 5
    assert evolve(match, go(3, at=100)).round.seats == (1, 3)
    assert evolve(match, go(4, at=100, playing=(1, 3, 4))).round.seats == (1, 3, 4)
    assert "wait for its end" in refused(two, SeatLeft(time_s=101, seen_s=101, seat=1))
    assert "wait for its end" in refused(two, SeatJoined(time_s=101, seen_s=101, seat=4, name="Dan"))
    renamed = evolve(two, SeatJoined(time_s=101, seen_s=101, seat=1, name="Anna"))
    assert (renamed.seat(1).name, renamed.seat(1).deck, renamed.seat(1).total) == ("Anna", "deck-1", 5)
    joined = evolve(match, SeatJoined(time_s=96, seen_s=96, seat=4, name="Dan", deck="red-plow"))
    assert [seat.number for seat in joined.seats] == [1, 2, 3, 4]
    assert evolve(joined, go(3, at=100)).round.seats == (1, 3, 4)
    back = evolve(joined, SeatJoined(time_s=97, seen_s=97, seat=2, name="Bob"))
    assert back.seat(2).playing
    assert back.seat(2).total == 1


def test_the_match_is_won_at_the_target():
    log = [go(2), blitz(1), scored("counted", (1, 60, 0, 60), (2, 80, 0, 80))]
    match = replay(log)
    assert match.winners == (2,)
    tie = evolve(match, scored("corrected", (1, 80, 0, 80)))
    assert tie.winners == ()
    further = replay([go(2, at=100), blitz(1, 160), scored("counted", (1, 1, 0, 1), (2, 0, 1, -2))], tie)
    assert further.winners == (1,)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (blitz(1), "round_started comes first"),
        (moved(1, "1 s1 R1 s1.post1>d1"), "round_started comes first"),
        (PileSeen(time_s=1, seen_s=1, pile=PileId.parse("s1.blitz"), top=None), "round_started comes first"),
        (ruled(3), "there is no move 3"),
        (revised(3), "there is no move 3"),
        (scored("counted"), "round_started comes first"),
        (go(9), "9 seats: official is for 2 to 8"),
        (go(1), "1 seats"),
        (go(3, playing=(1, 1, 2)), "each once"),
        (go(3, playing=(0, 1, 2)), "numbered from 1"),
        (go(3, variant="whist"), "no rules are called 'whist'"),
        (players("Ann"), "1 seats"),
        (players("Ann", "Bob", posts=0), "posts: 0 is impossible"),
        (players("Ann", "Bob", whist=1), "unknown rule 'whist'"),
        (replace(players("Ann", "Bob"), players=(Player(1, "A"), Player(1, "B"))), "each once"),
        (SeatLeft(time_s=1, seen_s=1, seat=3), "there is no seat 3"),
        (SeatJoined(time_s=1, seen_s=1, seat=0, name="X"), "numbered from 1"),
    ],
)
def test_events_that_cannot_come_first_are_refused(event, message):
    assert message in refused(Match.new(), event)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (go(4), "wait for its end"),
        (players("Ann", "Bob"), "begin a new log"),
        (moved(1, "1 s1 R1 s1.post1>d1"), "the id 1 is used again"),
        (moved(2, "1 s5 R1 s1.post1>d1"), "seat 5 does not play"),
        (moved(2, "1 s1 R1 s5.post1>d1"), "seat 5 does not play"),
        (moved(2, "1 s1 R1 s1.post4>d1"), "there is no pile s1.post4"),
        (moved(2, "1 s1 R1 d1>s1.post9"), "there is no pile s1.post9"),
        (moved(2, "1 s1 R1 d1>s1.post1", undoes=9), "no move 9 to take back"),
        (ruled(2), "there is no move 2"),
        (revised(1, seat=7), "seat 7 does not play"),
        (revised(1, mood=7), "a move has no 'mood'"),
        (revised(1, undoes=1), "no move 1 to take back"),
        (revised(1, source=PileId.parse("s6.wood")), "seat 6 does not play"),
        (revised(1, target=PileId.parse("s1.post7")), "there is no pile s1.post7"),
        (PileSeen(time_s=1, seen_s=1, pile=PileId.parse("s9.blitz"), top=None), "seat 9 does not play"),
        (blitz(5), "seat 5 does not play"),
        (BlitzCalled(time_s=1, seen_s=1, seat=5), "seat 5 does not play"),
        (DutchCalled(time_s=1, seen_s=1, move=4), "there is no move 4"),
        (DutchCalled(time_s=1, seen_s=1, seat=8), "seat 8 does not play"),
        (scored("guessed", (1, 0, 0, 0)), "'guessed' is no way to score"),
        (scored("counted", (7, 0, 0, 0)), "seat 7 does not play"),
        (scored("counted", (1, -1, 0, -1)), "can't have -1 Dutch"),
        (scored("counted", (1, 1, 0, 1), (1, 1, 0, 1)), "each seat once"),
    ],
)
def test_events_that_cannot_be_are_refused_and_nothing_is_half_applied(event, message):
    match = replay([go(), moved(1, "1 s1 R1 s1.post1>d1")])
    before = repr(match)
    assert message in refused(match, event)
    assert repr(match) == before


def test_moves_without_an_id_are_kept_apart():
    match = replay([go(), moved(0, "1 s1 R1 s1.post1>d1"), moved(0, "2 s2 R2 s2.post1>d1")])
    assert dutch(match) == {1: 1, 2: 1, 3: 0, 4: 0}
    assert len(match.round.records) == 2


def test_ids_and_time_are_remembered():
    match = replay([go(), moved(17, "1 s1 R1 s1.post1>d1"), moved(4, "2 s2 R2 s2.post1>d1")])
    assert (match.last_id, match.time_s) == (17, 2.0)


def random_log(seed: int, seats: int = 4) -> list:
    """Give a round of random players with looks, mistakes and corrections in it."""
    rng = Random(seed)
    played = play_random_round(get_variant("official"), seats, rng, 120)
    log: list = [go(seats)]
    for id_, move in enumerate(played.moves, 1):
        if rng.random() < 0.1:
            move = replace(move, faces=(rng.choice(played.variant.faces),) * len(move.faces))
        log.append(moved(id_, str(move)))
        if rng.random() < 0.1:
            log.append(PileSeen(time_s=1, seen_s=1, pile=PileId.parse(f"s{rng.randint(1, seats)}.blitz"), top=None))
        if rng.random() < 0.15:
            log.append(revised(rng.randint(1, id_), retracted=rng.random() < 0.4, seat=rng.randint(1, seats)))
    return log


@given(st.integers(0, 10_000), st.integers(0, 200))
@settings(max_examples=25)
def test_folding_is_reproducible_wherever_it_is_interrupted(seed, cut):
    log = random_log(seed)
    assert replay(log[cut:], replay(log[:cut])) == replay(log)
    written = [from_json(to_json(event)) for event in log]
    assert replay(written) == replay(log)


@given(st.integers(0, 10_000))
@settings(max_examples=25)
def test_corrections_give_what_the_corrected_log_gives(seed):
    log = random_log(seed)
    final = replay(log)
    plain = [
        final.round.records[event.id].event if isinstance(event, CardMoved) else event
        for event in log
        if not isinstance(event, Revised)
        and not (isinstance(event, CardMoved) and final.round.records[event.id].retracted)
    ]
    again = replay(plain)
    assert again.round.table == final.round.table
    assert again.round.owners == final.round.owners
    assert [(r.dutch, r.blitz, r.score) for r in again.round.tally()] == [
        (r.dutch, r.blitz, r.score) for r in final.round.tally()
    ]


@given(st.integers(0, 10_000), st.permutations((1, 2, 3, 4)))
@settings(max_examples=25)
def test_permuting_the_seats_permutes_the_result(seed, order):
    def renamed(name: PileId | None) -> PileId | None:
        return PileId.of(name.kind, order[name.seat - 1], name.slot) if name is not None and name.seat else name

    log = [event for event in random_log(seed) if isinstance(event, RoundStarted | CardMoved)]
    swapped = [
        replace(event, seat=order[event.seat - 1], source=renamed(event.source), target=renamed(event.target))
        if isinstance(event, CardMoved)
        else event
        for event in log
    ]
    ours, theirs = list(judge_log(log)), list(judge_log(swapped))
    verdicts = [[judged.ruling and judged.ruling.violations for judged in found] for found in (ours, theirs)]
    assert verdicts[0] == verdicts[1]
    rows = {row.seat: row for row in theirs[-1].match.round.tally()}
    for row in ours[-1].match.round.tally():
        assert replace(rows[order[row.seat - 1]], seat=row.seat) == row
