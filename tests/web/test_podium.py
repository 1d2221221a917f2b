from __future__ import annotations

from dataclasses import replace

import pytest

from referee.game.events import BlitzSeen
from referee.web import create_app
from referee.web.board import build_board
from referee.web.language import get_language
from referee.web.view import Phase

EN = get_language("en")


def podium_of(log):
    return build_board(log.match(), EN).podium


def places(podium):
    return [(item.place, item.badge.name) for item in (*podium.steps, *podium.rest)]


def test_there_is_no_podium_while_the_match_goes_on(log, new_log) -> None:
    assert podium_of(log) is None
    assert podium_of(new_log(()).start()) is None
    assert podium_of(new_log().start().go().score("counted", (10, 0), (1, 1), (2, 2), (3, 3))) is None


def test_places_follow_the_totals(new_log) -> None:
    podium = podium_of(new_log().start().go().score("counted", (10, 0), (76, 0), (30, 0), (20, 0)))
    assert places(podium) == [(1, "Ben"), (2, "Clara"), (3, "David"), (4, "Ann")]
    assert [item.badge.name for item in podium.rest] == ["Ann"]
    assert podium.note == ""


def test_ties_share_a_place_and_the_next_is_left_out(new_log) -> None:
    podium = podium_of(new_log().start("family").go().score("counted", (76, 0), (20, 0), (76, 0), (20, 0)))
    assert places(podium) == [(1, "Ann"), (1, "Clara"), (3, "Ben"), (3, "David")]
    assert {item.words for item in podium.steps} == {"Place 1, shared", "Place 3, shared"}


def test_whoever_wins_a_tie_by_a_house_rule_stands_alone_in_front(new_log) -> None:
    log = new_log(("Ann", "Ben", "Cleo")).start()
    log.events[-1] = replace(log.events[-1], rules={"tie": "blitzed-wins"})
    log.go().play(1, "R1", "s1.blitz", "d1")
    log.add(BlitzSeen, seat=2)
    podium = podium_of(log.score("counted", (76, 0), (76, 0), (5, 0)))
    assert places(podium) == [(1, "Ben"), (2, "Ann"), (3, "Cleo")]


def test_more_than_four_are_never_on_the_steps_but_those_who_share_the_first_place(new_log) -> None:
    names = tuple(f"Player {number}" for number in range(1, 9))
    podium = podium_of(new_log(names).start().go().score("counted", (76, 0), *[(20, 0)] * 7))
    assert [item.place for item in podium.steps] == [1]
    assert [item.place for item in podium.rest] == [2] * 7
    podium = podium_of(new_log(names).start("family").go().score("counted", *[(76, 0)] * 8))
    assert [item.place for item in podium.steps] == [1] * 8


def test_podium_that_was_only_followed_says_that_it_is_not_final(new_log) -> None:
    log = new_log().start().go().score("followed", (76, 0), (20, 0), (30, 0), (20, 0))
    assert "not been counted" in podium_of(log).note
    assert podium_of(log.score("counted", (76, 0), (20, 0), (30, 0), (20, 0))).note == ""


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_podium_takes_the_place_of_the_seats(new_log, lang) -> None:
    log = new_log().start().go().score("counted", (76, 0), (20, 0), (30, 0), (20, 0))
    assert build_board(log.match(), EN).phase is Phase.FINISHED
    page = create_app(log.game()).test_client().get("/", query_string={"lang": lang}).text
    assert 'id="podium"' in page
    assert 'id="seats"' not in page
    assert 'data-place="3"' in page


def test_rounds_written_down_by_hand_have_no_differences(new_log) -> None:
    log = new_log().start().go().score("counted", (20, 0), (21, 0), (30, 0), (20, 0))
    assert [row.difference for row in build_board(log.match(), EN).table.rows] == [0] * 4
    log.go().play(1, "R1", "s1.blitz", "d1")
    log.score("followed", (1, 9), (0, 10), (0, 10), (0, 10)).score("counted", (3, 9), (0, 10), (0, 10), (0, 10))
    assert sorted(row.difference for row in build_board(log.match(), EN).table.rows) == [0, 0, 0, 2]
