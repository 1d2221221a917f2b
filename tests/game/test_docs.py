"""What docs/rules.md shows is read by the program."""

from __future__ import annotations

import re
from pathlib import Path

from referee.game.house_rules import OPTIONS, parse_rules
from referee.game.report import report_log

TEXT = (Path(__file__).parent.parent.parent / "docs" / "rules.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"```(\w*)\n(.*?)```", TEXT, re.DOTALL))


def test_the_house_rules_of_the_documentation_are_read():
    variant = parse_rules(BLOCKS["toml"])
    assert (variant.name, variant.turn, variant.target) == ("Millers", 1, 100)


def test_every_option_is_documented_with_its_choices():
    table = [line for line in TEXT.splitlines() if line.startswith("| `")]
    for name, kind in OPTIONS.items():
        row = next(line for line in table if f"`{name}`" in line.split("|")[1])
        for choice in getattr(kind, "__members__", {}).values():
            assert f"`{choice}`" in row, (name, choice)


def test_the_game_of_the_documentation_is_judged():
    report = list(report_log(BLOCKS[""]))
    assert [line for line in report if "ILLEGAL" in line] == [
        "line 8: 3.400 s3 R3 s3.post2>d1  ILLEGAL: wrong_number (certain): noticed: take back R3"
    ]
    assert report[-1].startswith("round 1, scored: Ann 13 (19 Dutch, 3 Blitz left)")
