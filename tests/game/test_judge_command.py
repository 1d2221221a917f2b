"""The commands `judge` and `rules`, as a person or a script calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main

GAME = """\
variant: dutch-blitz
seats: 4
1.000 s1 R1 s1.post1>d1
2.000 s2 R3 s2.post2>d1          # oh no
3.000 s2 R3 d1>s2.post2
4.000 s1 R7 s1.blitz>s1.post1
9.000 s1 R7 s1.blitz>d2
"""


def call(*words: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "moves.blitz"
    path.write_text(GAME, encoding="utf-8")
    return path


def test_judge_prints_a_ruling_for_each_line(game):
    code, output = call("judge", game)
    assert code == 0
    assert output.splitlines() == [
        "line 3: 1.000 s1 R1 s1.post1>d1  legal",
        "line 4: 2.000 s2 R3 s2.post2>d1  ILLEGAL: wrong_number (certain): take back R3",
        "line 5: 3.000 s2 R3 d1>s2.post2  legal",
        "line 6: 4.000 s1 R7 s1.blitz>s1.post1  legal",
        "line 7: 9.000 s1 R7 s1.blitz>d2  ILLEGAL: start_not_one (certain): take back R7",
        "doubt: seat 1 has one R7: it was seen played, and lies on s1.post1 (lines 7)",
        "round 1, playing: Seat 1 -14 (2 Dutch, 8 Blitz left), Seat 2 -20 (0 Dutch, 10 Blitz left), "
        "Seat 3 -20 (0 Dutch, 10 Blitz left), Seat 4 -20 (0 Dutch, 10 Blitz left)",
    ]


def test_judge_writes_json_lines(game):
    code, output = call("judge", "--json", game)
    assert code == 0
    records = [json.loads(line) for line in output.splitlines()]
    assert records[1] == {
        "line": 4, "id": 2, "move": "2.000 s2 R3 s2.post2>d1", "violations": ["wrong_number"],
        "certainty": "certain", "remedy": "take back R3",
    }  # fmt: skip
    assert [record["violations"] for record in records if "id" in record] == [
        [], ["wrong_number"], [], [], ["start_not_one"],
    ]  # fmt: skip
    assert records[-1]["doubt"] == "duplicate_card"
    assert records[-1]["lines"] == [7]


def test_judge_reads_events_too(tmp_path):
    path = tmp_path / "events.jsonl"
    path.write_text(
        '{"type": "round_started", "time_s": 2.0, "seen_s": 2.0, "seats": 4, "variant": "dutch-blitz"}\n\n'
        '{"type": "card_moved", "time_s": 3.0, "seen_s": 3.1, "id": 17, "seat": 2, "cards": ["R7"],'
        ' "source": "s2.post2", "target": "d1", "confidence": 0.5}\n',
        encoding="utf-8",
    )
    code, output = call("judge", path)
    assert code == 0
    assert output.splitlines()[0] == (
        "line 3: 3.000 s2 R7 s2.post2>d1  ILLEGAL: start_not_one (doubtful): look again: is R7 right?"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seats: 4\n1.0 s2 R77 s2.post1>d1\n", "line 2, column 8: no red card has number 77"),
        ("seats: 99\n", "line 1, column 8: 99 seats"),
        ("{}", "line 1: no event of a known type"),
        ('{"type": "blitz_seen", "time_s": 1, "seen_s": 1, "seat": 1}', "round_started comes first"),
        ("round: 2\n", "round 1 is played: wait for its end"),
    ],
)
def test_judge_refuses_with_one_clear_line(tmp_path, text, message):
    path = tmp_path / "bad.blitz"
    path.write_text(text, encoding="utf-8")
    code, output = call("judge", path)
    assert code == 1
    assert output.startswith(f"Error: {path}: ")
    assert message in output
    assert len(output.splitlines()) == 1


def test_judge_refuses_what_is_no_text(tmp_path):
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\xff\xfe")
    assert call("judge", picture) == (1, f"Error: {picture}: not a UTF-8 text file\n")
    assert call("judge", tmp_path) == (1, f"Error: {tmp_path}: Is a directory\n")
    missing = tmp_path / "nothing"
    assert call("judge", missing) == (1, f"Error: {missing}: No such file or directory\n")


def test_rules_are_told():
    code, output = call("rules")
    assert code == 0
    assert output.startswith("Rules: official\n- 2 to 8 play")
    assert call("rules", "--variant", "official") == (0, output)
    assert "Nertz pile of 13" in call("rules", "--variant", "nertz")[1]


def test_rules_of_a_file(tmp_path):
    path = tmp_path / "millers.toml"
    path.write_text('base = "family"\nturn = 1\n', encoding="utf-8")
    code, output = call("rules", "--file", path)
    assert code == 0
    assert output.startswith("Rules: millers\n")
    assert "Turn the hand 1 card at a time" in output


def test_rules_refuse_with_one_clear_line(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text("posts = 0\n", encoding="utf-8")
    assert call("rules", "--file", path) == (1, f"Error: {path}: posts: 0 is impossible: use 1 to 10\n")
    assert call("rules", "--variant", "whist")[1].startswith("Error: no rules are called 'whist'")
    assert call("rules", "--variant", "nertz", "--file", path)[1].startswith("Error: --variant and --file: give one")
