import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_has_help_and_stands_in_the_readme(name):
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert f"`referee {name}" in README


@pytest.mark.parametrize("module", ["referee", "referee.cli"])
def test_nothing_heavy_is_imported_before_a_command_needs_it(module):
    code = f"import sys, {module}; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"av", "cv2", "flask", "numpy", "openvino", "rich", "torch", "ultralytics", "waitress"} & set(loaded)


def test_the_run_time_needs_neither_torch_nor_ultralytics():
    code = (
        "import sys; sys.modules['torch'] = sys.modules['ultralytics'] = None;"
        "import referee.running, referee.run_command, referee.vision.eye, referee.synth.demo, referee.evaluation.plays"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_unknown_command_is_one_line_and_a_status():
    result = CliRunner().invoke(main, ["referree"])
    assert result.exit_code == 2
    assert "No such command" in result.output
