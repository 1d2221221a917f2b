from __future__ import annotations

from pathlib import Path

import pytest

from referee.game.event_types import Certainty, RoundEnded, RoundPaused, StuckAgreed, Violation
from referee.game.events import from_json
from referee.game.match import Match, evolve
from referee.web.board import build_board, clean_name
from referee.web.language import get_language
from referee.web.view import Phase

EN = get_language("en")


def test_empty_match_waits(new_log) -> None:
    board = build_board(new_log(()).match(), EN)
    assert board.phase is Phase.WAITING
    assert board.seats == ()
    assert board.headline == "Waiting for the first round"


def test_seats_show_name_deck_counts_and_what_the_round_would_bring(log) -> None:
    board = build_board(log.match(), EN)
    assert board.phase is Phase.PLAYING
    assert (board.round_words, board.target_words) == ("Round 3", "to 75")
    ann = board.seats[0]
    assert (ann.badge.name, ann.badge.color, ann.badge.symbol, ann.deck) == ("Ann", "green", "pump", "green pump")
    assert ann.total == (19 - 6) + (17 - 4)
    assert (ann.dutch, ann.blitz, ann.round_points) == (3, 8, 3 - 16)
    assert ann.projected == ann.total + ann.round_points
    assert board.seats[2].total > ann.total
    assert [seat.leads for seat in board.seats] == [True, False, False, False], "this round included"


def test_ruling_says_in_words_what_is_wrong_and_what_to_do(log) -> None:
    newest, older = build_board(log.match(), EN).rulings
    said = f"{newest.seat_words}: {newest.what}: {newest.remedy}"
    assert said == "Seat 2: red 7 on red 5, wrong number: take it back"
    assert newest.state == "open"
    assert older.what == "green 4 on blue 1, wrong colour, wrong number"
    assert (older.state, older.remedy) == ("resolved", "settled")


def test_open_ruling_makes_the_seat_doubtful_in_words(log) -> None:
    seats = build_board(log.match(), EN).seats
    assert [seat.doubt for seat in seats] == ["", "a ruling is open", "", ""]


def test_card_that_nobody_is_known_to_have_played_is_doubt_for_those_who_could(new_log) -> None:
    log = new_log().start().go()
    log.play(1, "R1", "s1.blitz", "d1")
    log.play(None, "R2", None, "d1")
    seats = build_board(log.match(), EN).seats
    assert all(seat.doubt == "nobody knows who played 1 card" for seat in seats)


def test_doubtful_and_too_close_are_not_called_certain(new_log) -> None:
    log = new_log().start().go()
    log.play(1, "R1", "s1.blitz", "d1")
    move = log.play(2, "R3", "s2.wood", "d1")
    log.rule(move, Violation.WRONG_NUMBER, certainty=Certainty.DOUBTFUL)
    close = log.play(3, "R3", "s3.wood", "d1")
    log.rule(close, Violation.LATE_TO_PILE, certainty=Certainty.TOO_CLOSE)
    newest, older = build_board(log.match(), EN).rulings
    assert (newest.state, newest.certainty, newest.remedy) == (
        "doubtful",
        "too close to call",
        "the scorekeeper decides",
    )
    assert (older.state, older.certainty, older.remedy) == ("doubtful", "not certain", "please look")


def test_play_of_nobody_is_somebodys(new_log) -> None:
    log = new_log().start().go()
    log.rule(log.play(None, "Y5", None, "d1"), Violation.START_NOT_ONE)
    (ruling,) = build_board(log.match(), EN).rulings
    assert ruling.who is None
    assert f"{ruling.seat_words}: {ruling.what}" == "Somebody: yellow 5, a Dutch Pile starts with a 1"


def test_ruling_that_a_person_overruled_is_gone(log) -> None:
    move = build_board(log.match(), EN).rulings[0].move
    log.rule(move, by="person")
    assert [ruling.move for ruling in build_board(log.match(), EN).rulings] == [11]


def test_card_below_is_found_whatever_else_is_on_the_tape(new_log) -> None:
    log = new_log().start().go()
    log.play(1, "R1", "s1.blitz", "d1")
    log.add(StuckAgreed)
    log.rule(log.play(2, "R3", "s2.wood", "d1"), Violation.WRONG_NUMBER)
    (ruling,) = build_board(log.match(), EN).rulings
    assert ruling.what == "red 3 on red 1, wrong number"


def test_every_violation_and_certainty_has_words(new_log) -> None:
    log = new_log().start().go()
    for violation in Violation:
        for certainty in Certainty:
            log.rule(log.play(1, "R1", "s1.wood", "d1"), violation, certainty=certainty)
    board = build_board(log.match(), EN)
    assert len(board.rulings) + board.more_rulings == len(Violation) * len(Certainty)


def test_blitz_and_the_round_table(log) -> None:
    log.end_round()
    board = build_board(log.match(), EN)
    assert board.phase is Phase.SCORED
    assert board.headline == "Blitz! \u2068Ann\u2069"
    assert board.headline_seat is not None
    assert board.headline_seat.number == 1
    assert board.table is not None
    assert board.table.source == "As followed by the camera, not counted yet"
    totals = [row.total for row in board.table.rows]
    assert totals == sorted(totals, reverse=True)
    by_seat = {seat.badge.number: seat for seat in board.seats}
    for row in board.table.rows:
        assert row.total == by_seat[row.badge.number].projected
        assert row.points == row.dutch + row.blitz_points
    assert board.chart is not None
    assert board.chart.rounds == 3
    assert all(len(line.points) == 4 for line in board.chart.series)


def test_count_by_backs_shows_every_difference(log) -> None:
    log.end_round()
    log.score("counted", (4, 0), (2, 10), (1, 10), (1, 9))
    table = build_board(log.match(), EN).table
    assert table is not None
    assert table.source == "Counted by the backs"
    assert {row.badge.number: row.difference for row in table.rows} == {1: 1, 2: 0, 3: 0, 4: 0}


def test_winner_is_named(new_log) -> None:
    log = new_log().start()
    log.go().score("counted", (40, 0), (30, 0), (20, 0), (10, 0))
    log.go().score("counted", (40, 0), (30, 0), (20, 0), (10, 0))
    board = build_board(log.match(), EN)
    assert board.phase is Phase.FINISHED
    assert board.headline == "\u2068Ann\u2069 wins with 80"
    assert board.seats[0].projected_percent == 100


def test_pause_and_a_broken_off_round_are_said(log) -> None:
    log.add(RoundPaused, reason="door")
    assert build_board(log.match(), EN).headline == "Play is paused"
    log.add(RoundEnded, reason="abandoned")
    board = build_board(log.match(), EN)
    assert board.phase is Phase.WAITING
    assert [seat.round_points for seat in board.seats] == [0, 0, 0, 0]
    assert board.seats[0].projected == 26


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ann", "Ann"),
        ("  two\n\tlines ", "two lines"),
        ("\u202egnorw", "gnorw"),
        ("\x00\x1b[31m", "[31m"),
        ("<b>", "<b>"),
    ],
)
def test_names_keep_what_is_to_be_seen(name: str, shown: str) -> None:
    assert clean_name(name) == shown


def test_hostile_names_are_kept_and_empty_ones_replaced(hostile_log) -> None:
    seats = build_board(hostile_log.match(), EN).seats
    assert seats[0].badge.name == "<script>document.title='pwned'</script>"
    assert len(seats[1].badge.name) == 200
    assert seats[3].badge.name.endswith("Zoë gnorw")
    assert seats[6].badge.name == "{t} %s {{7*7}} <b onmouseover=x>"
    assert seats[7].badge.name == "Seat 8"


def test_both_languages_have_the_same_board(log) -> None:
    english, french = build_board(log.match(), EN), build_board(log.match(), get_language("fr"))
    assert [seat.projected for seat in english.seats] == [seat.projected for seat in french.seats]
    assert french.rulings[0].what != english.rulings[0].what


SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "round-4p" / "events.jsonl"


@pytest.mark.skipif(not SAMPLE.is_file(), reason="the sample round is not here")
def test_sample_round_can_be_watched_from_its_first_event_to_its_score() -> None:
    match = Match.new()
    phases, said = [], set()
    for line in SAMPLE.read_text(encoding="utf-8").splitlines():
        match = evolve(match, from_json(line))
        board = build_board(match, EN)
        phases.append(board.phase)
        said |= {ruling.what for ruling in board.rulings}
        for seat in board.seats:
            assert 0 <= seat.blitz <= board.blitz_size
            assert seat.projected == seat.total + seat.round_points
    assert list(dict.fromkeys(phases)) == [Phase.PLAYING, Phase.BLITZ, Phase.SCORED]
    assert len(said) >= 3
    assert board.table is not None
    assert board.table.source == "Counted by the backs"
