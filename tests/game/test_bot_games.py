"""Whole rounds of random players: nothing contradicts, nothing is called illegal, no card gets lost."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from referee.evaluation.engine import PlayedRound, bench_engine, play_random_round
from referee.game.consistency import find_contradictions
from referee.game.events import CardMoved, MatchStarted, PileSeen, Player, RoundStarted, StuckAgreed
from referee.game.judging import judge_log
from referee.game.match import Match
from referee.game.moves import PileKind
from referee.game.notation import format_game, parse_game
from referee.game.rules import is_stuck, judge
from referee.game.variant import get_variant

PRESETS = ("official", "family", "nertz", "nertz-simple")


def faces_in(table):
    return Counter(face for pile in table.piles.values() for face in pile.faces)


def judged_with_all_known(played: PlayedRound) -> None:
    table = played.deal
    for move in played.moves:
        assert judge(played.variant, table, move).violations == ()
        table = table.apply(move)
    assert table == played.end
    assert faces_in(table) == faces_in(played.deal)


def followed_from_unseen(played: PlayedRound, seats: int) -> Match:
    """Follow the round as one who sees the tops only."""
    log = [
        MatchStarted(
            time_s=0,
            seen_s=0,
            players=tuple(Player(seat, f"P{seat}") for seat in range(1, seats + 1)),
            variant=played.variant.name,
        ),
        RoundStarted(time_s=0, seen_s=0, seats=seats),
    ]
    table = played.deal
    shown = [name for name in table.piles if name.kind is not PileKind.HAND]
    log += [PileSeen(time_s=0, seen_s=0, pile=name, top=table.pile(name).top) for name in shown if table.pile(name)]
    for id_, move in enumerate(played.moves, 1):
        if move.source == move.target:  # players who are stuck agree that they are
            log.append(StuckAgreed(time_s=move.time_s, seen_s=move.time_s))
        table = table.apply(move)
        log.append(
            CardMoved(
                time_s=move.time_s,
                seen_s=move.time_s,
                id=id_,
                seat=move.seat,
                cards=move.faces,
                source=move.source,
                target=move.target,
            )
        )
        if move.source.kind in (PileKind.BLITZ, PileKind.POST, PileKind.WOOD) and table.pile(move.source):
            top = table.pile(move.source).top
            log.append(PileSeen(time_s=move.time_s, seen_s=move.time_s, pile=move.source, top=top))
    match = Match.new()
    for judged in judge_log(log):
        assert judged.ruling is None or judged.ruling.violations == (), f"{judged.ruling}"
        match = judged.match
    return match


def check_round(preset: str, seats: int, seed: int, longest: int = 1500) -> PlayedRound:
    played = play_random_round(get_variant(preset), seats, Random(seed), longest)
    judged_with_all_known(played)
    match = followed_from_unseen(played, seats)
    round_ = match.round
    assert find_contradictions(round_) == ()
    assert round_.blitz_seat == played.blitz_seat
    assert round_.table.count() == played.deal.count()
    for seat in range(1, seats + 1):
        dutch = sum(move.seat == seat and move.target.kind is PileKind.DUTCH for move in played.moves)
        assert round_.count_dutch(seat) == dutch
    assert all(row.sure for row in round_.tally())
    return played


@pytest.mark.parametrize("preset", PRESETS)
def test_rounds_of_all_seat_counts_end_without_contradiction(preset):
    for seats in range(2, 9):
        check_round(preset, seats, seed=seats, longest=400)


@pytest.mark.slow
def test_a_thousand_rounds_end_without_contradiction():
    ends = Counter()
    for number in range(1000):
        preset = PRESETS[number % 4]
        seats = 2 + number // 4 % 7
        played = check_round(preset, seats, seed=number)
        ends[preset, played.blitz_seat is not None] += 1
    blitzed = sum(count for (_, blitz), count in ends.items() if blitz)
    assert blitzed >= 850, ends


def test_a_round_survives_its_notation():
    played = play_random_round(get_variant("family"), 4, Random(5))
    text = format_game(played.variant, 4, played.moves)
    assert parse_game(text).moves == played.moves
    assert parse_game(text).variant == played.variant


def test_two_random_players_get_stuck_sometimes_and_only_then_move_the_hands_top():
    variant = get_variant("official")
    stuck_moves = 0
    for seed in range(60):
        played = play_random_round(variant, 2, Random(seed), 600)
        table = played.deal
        for move in played.moves:
            if move.source == move.target:
                stuck_moves += 1
                assert is_stuck(variant, table)
            table = table.apply(move)
    assert stuck_moves > 0


def test_the_engine_bench_plays_legal_moves():
    found = bench_engine(moves=2000)
    assert found["moves"] == 2000
    assert found["violations"] == 0
    assert found["us_per_move"] == pytest.approx(found["seconds"] / 2000 * 1e6)
