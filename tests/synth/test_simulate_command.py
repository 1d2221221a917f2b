"""`referee simulate` from the command line: it says what it did, and what to do when it can't."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from referee.cli import main

QUICK = ["simulate", "--seats", "2", "--seed", "2", "--illegal", "1", "--pace", "0.5"]


def run(*arguments):
    return CliRunner().invoke(main, [*QUICK, *map(str, arguments)])


def test_a_round_without_a_film(tmp_path):
    out = tmp_path / "deep" / "round"
    done = run("--no-film", "--fps", "5", "--out", out)
    assert done.exit_code == 0, done.output
    assert "Blitz by seat" in done.output
    names = {item.name for item in out.iterdir()}
    assert names == {"detections.jsonl", "events.jsonl", "layout.toml", "moves.blitz"}
    assert [item.name for item in out.parent.iterdir()] == ["round"], "nothing unfinished is left"
    first = (out / "events.jsonl").read_bytes()
    assert run("--no-film", "--fps", "5", "--out", out).exit_code == 0, "its own folder may be written again"
    assert (out / "events.jsonl").read_bytes() == first, "same seed, same bytes"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--size", "1921x1080"], "must be even"),
        (["--size", "big"], "such as 1920x1080"),
        (["--table", "lava"], "choose from"),
        (["--cards", "tarot"], "choose from"),
        (["--kinds", "cheating"], "choose from all"),
    ],
)
def test_wishes_that_cannot_be_met(tmp_path, arguments, words):
    done = run("--out", tmp_path / "round", *arguments)
    assert done.exit_code == 1
    assert words in done.output
    assert "Traceback" not in done.output
    assert not (tmp_path / "round").exists()


@pytest.mark.parametrize("arguments", [["--seats", "9"], ["--illegal", "-1"], ["--fps", "0"], ["--pace", "0"]])
def test_values_out_of_range(tmp_path, arguments):
    done = run("--out", tmp_path / "round", *arguments)
    assert done.exit_code == 2
    assert "range" in done.output


def test_a_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("x")
    done = run("--no-film", "--out", tmp_path / "file" / "round")
    assert done.exit_code == 1
    assert "choose a folder" in done.output
    strangers = tmp_path / "photos"
    strangers.mkdir()
    (strangers / "cat.jpg").write_text("x")
    done = run("--no-film", "--out", strangers)
    assert done.exit_code == 1
    assert "--force" in done.output
