"""The games in tests/games: each move is legal but where `# -> violations [certainty]` says otherwise.

`#!` lines tell what must hold at the end: `total s1 13`, `winners s1 s2`, `phase ended`, `dutch s1 3`,
`blitz s1 9`, `score s1 -5`, `caller s1`, `doubt s1 R7`, `sure s1`, `unsure s1`, `remedy WORDS` (of the last ruling).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.game.consistency import find_contradictions
from referee.game.events import Certainty, Violation
from referee.game.follow import judge_again
from referee.game.house_rules import OPTIONS
from referee.game.judging import judge_log
from referee.game.match import Match
from referee.game.notation import parse_game

GAMES = sorted((Path(__file__).parent.parent / "games").glob("*.blitz"))
EXPECTED = re.compile(r"# -> ([a-z_, ]+?)( doubtful| too_close)?$")


def expected_rulings(text: str) -> dict[int, tuple[tuple[Violation, ...], Certainty]]:
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        match = EXPECTED.search(line)
        if "->" in line:
            assert match is not None, f"line {number} says something else than violations"
            names = tuple(Violation(name.strip()) for name in match.group(1).split(","))
            found[number] = (names, Certainty((match.group(2) or "certain").strip()))
    return found


def fold(text: str) -> tuple[Match, dict[int, tuple[tuple[Violation, ...], Certainty]], str]:
    game = parse_game(text)
    match = Match.new()
    rulings = {}
    remedy = ""
    moves = 0
    for event, ruling, match in judge_log(game.events):  # noqa: B007 (the last match is the result)
        if ruling is not None:
            moves += 1
            if ruling.violations:
                rulings[game.lines[event.id]] = (ruling.violations, ruling.certainty)
                remedy = ruling.remedy
    assert moves == len(game.lines)
    return match, rulings, remedy


def check(match: Match, remedy: str, claim: str) -> None:
    what, *words = claim.split()
    round_ = match.round
    assert round_ is not None
    seat = int(words[0][1:]) if re.fullmatch(r"s\d", words[0]) else 0
    tally = {row.seat: row for row in round_.tally()}
    if what == "total":
        assert match.totals()[seat] == int(words[1])
    elif what == "winners":
        assert match.winners == tuple(int(word[1:]) for word in words if word != "none")
    elif what == "phase":
        assert round_.phase.value == words[0]
    elif what in ("dutch", "blitz", "score"):
        assert getattr(tally[seat], what) == int(words[1])
    elif what == "caller":
        assert round_.blitz_called == seat
    elif what in ("sure", "unsure"):
        assert tally[seat].sure == (what == "sure")
    elif what == "remedy":
        assert remedy == " ".join(words)
    else:
        raise AssertionError(f"unknown claim: {claim}")


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_golden_game(path: Path):
    text = path.read_text(encoding="utf-8")
    match, rulings, remedy = fold(text)
    assert rulings == expected_rulings(text)
    for line in text.splitlines():
        if line.startswith("#! ") and not line.startswith("#! doubt"):
            check(match, remedy, line[3:])
    assert match.round is not None
    doubts = {f"#! doubt s{found.seat} {found.face}" for found in find_contradictions(match.round)}
    assert doubts == {line for line in text.splitlines() if line.startswith("#! doubt")}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_judging_again_gives_the_same_rulings(path: Path):
    text = path.read_text(encoding="utf-8")
    match, rulings, _ = fold(text)
    lines = parse_game(text).lines
    again = {
        lines[id_]: (ruling.violations, ruling.certainty)
        for round_ in match.rounds
        for id_, ruling in judge_again(round_).items()
        if ruling.violations
    }
    assert again == rulings


def test_there_are_games_for_every_rule_and_every_option():
    names = [path.stem for path in GAMES]
    assert len(names) >= 60
    for violation in Violation:
        illegal = [path for path in GAMES if re.search(rf"->.*\b{violation.value}\b", path.read_text())]
        assert illegal, f"no game breaks {violation.value}"
        assert any(re.match(rf"{violation.value}-legal", name) for name in names), f"no game keeps {violation.value}"
    used = {line.partition(":")[0] for path in GAMES for line in path.read_text().splitlines()}
    assert set(OPTIONS) - used <= {"min_seats", "max_seats", "posts_two"}
