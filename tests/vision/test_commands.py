import json
import socket
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.layout import TableLayout
from referee.vision.commands import to_record
from referee.vision.frames import Image, Reading
from referee.vision.geometry import card_quad, picture_from_mm
from referee.vision.photo import PhotoCard
from referee.vision.setup_commands import examine, sample_frames
from referee.vision.sources import Film


def run(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    return done.exit_code, done.output


@pytest.fixture
def picture(tmp_path: Path, table_picture: Image) -> Path:
    path = tmp_path / "table.jpg"
    cv2.imwrite(str(path), table_picture)
    return path


def test_identify_writes_one_object_a_picture(picture: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((200, 300), 120, np.uint8))
    code, output = run("identify", picture, tmp_path / "grey.png", "--json", "--draw", tmp_path / "drawn")
    assert code == 0, output
    records = [json.loads(line) for line in output.splitlines()]
    assert [Path(record["image"]).name for record in records] == ["table.jpg", "grey.png"]
    for record in records:
        for card in record["cards"]:
            assert np.array(card["quad"]).shape == (4, 2)
            assert 0 <= card["confidence"] <= 1
    assert {path.name for path in (tmp_path / "drawn").iterdir()} == {"table.jpg", "grey.png"}


def test_record_has_the_promised_form() -> None:
    quad = np.array([[1, 2], [58, 2], [58, 91], [1, 91]], np.float32)
    cards = [PhotoCard(quad, "face", 0.95, Reading("R7", 0.98)), PhotoCard(quad, "back", 0.9, Reading(None, 0.2))]
    assert json.loads(json.dumps(to_record("a.jpg", cards))) == {
        "image": "a.jpg",
        "cards": [
            {"quad": [[1, 2], [58, 2], [58, 91], [1, 91]], "label": "R7", "confidence": 0.98},
            {"quad": [[1, 2], [58, 2], [58, 91], [1, 91]], "label": None, "confidence": 0.45},
        ],
    }


def test_one_bad_picture_does_not_hide_the_others(picture: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.jpg").write_bytes(b"no picture")
    code, output = run("identify", tmp_path / "bad.jpg", picture)
    assert code == 1
    lines = output.splitlines()
    assert lines[0].startswith(f"{picture}: ")
    assert lines[-1].startswith("Error: ")
    assert "bad.jpg: not a picture" in lines[-1]


def test_identify_of_a_folder_without_pictures(tmp_path: Path) -> None:
    assert run("identify", tmp_path) == (1, f"Error: {tmp_path}: no pictures in this folder: give JPEG or PNG files\n")


def test_calibrate_says_what_is_missing(picture: Path, tmp_path: Path) -> None:
    code, output = run("calibrate", picture, "--out", tmp_path / "layout.toml")
    assert code == 1
    assert output.startswith("Error: ")
    assert output.count("\n") == 1
    assert not (tmp_path / "layout.toml").exists()


def test_a_film_is_sampled_from_the_moment_that_is_named(write_film: Callable[..., Path]) -> None:
    images = [np.full((96, 160, 3), 20 + i, np.uint8) for i in range(150)]
    film = write_film(images, [i / 25 for i in range(150)])
    sampled = [float(image.mean()) for image in sample_frames(Film(film), 1.0)]
    assert sampled == pytest.approx([20 + 25 + 13 * n for n in range(6)], abs=4)


def test_doctor_looks_at_everything_and_changes_nothing() -> None:
    with socket.socket() as taken:
        taken.bind(("", 0))
        checks = {check.name: check for check in examine(taken.getsockname()[1])}
    assert {"packages", "models", "speed", "cameras", "port", "data"} == checks.keys()
    assert checks["models"].level == "ok"
    assert checks["port"].level == "warn"
    assert "another program" in checks["port"].says


def test_doctor_fails_on_damaged_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "detector.json").write_text("{}")
    monkeypatch.setenv("REFEREE_MODELS", str(tmp_path))
    code, output = run("doctor", "--port", "18765")
    assert code == 1
    assert "bad  models" in output
    assert output.splitlines()[-1].startswith("Error: ")


def test_cards_on_a_drawn_table_project_as_the_layout_says(layout: TableLayout) -> None:
    for pose in layout.poses().values():
        quad = picture_from_mm(layout, card_quad(pose, layout.card_mm))
        assert np.linalg.norm(quad[1] - quad[0]) == pytest.approx(57 * 0.8)
