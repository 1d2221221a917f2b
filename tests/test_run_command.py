import json
import shutil
import socket

import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.game.event_types import MatchStarted, Player, RoundScored, RoundStarted, SeatScore
from referee.layout import format_layout
from referee.store import Store
from referee.synth.seating import seat_people
from referee.vision.inference import find_models

MODELS = find_models()


@pytest.fixture
def layout(tmp_path):
    path = tmp_path / "layout.toml"
    path.write_text(format_layout(seat_people(np.random.default_rng(1), 2, 5, (640, 360)).layout()), encoding="utf-8")
    return path


@pytest.fixture
def film(tmp_path):
    import av

    path = tmp_path / "film.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = 640, 360, "yuv420p"
        for index in range(12):
            image = np.full((360, 640, 3), 90 + index, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="bgr24")))
        container.mux(stream.encode(None))
    return path


def refer(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def assert_one_line(result, *words):
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert len(result.output.strip().splitlines()) == 1
    for word in words:
        assert word in result.output


def test_film_is_refereed_without_a_scoreboard(film, layout, tmp_path):
    result = refer(
        "run", film, "--headless", "--layout", layout, "--events", tmp_path / "out.jsonl", "--annotate",
        tmp_path / "out.mp4",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "No play was seen" in result.output
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == ""
    assert (tmp_path / "out.mp4").stat().st_size > 500


def test_film_that_is_missing(layout, tmp_path):
    assert_one_line(refer("run", tmp_path / "no.mp4", "--headless", "--layout", layout), "no.mp4", "check the name")


def test_film_that_is_none(layout, tmp_path):
    (tmp_path / "bad.mp4").write_bytes(b"no film" * 1000)
    assert_one_line(refer("run", tmp_path / "bad.mp4", "--headless", "--layout", layout), "bad.mp4", "not a film")


def test_camera_that_is_not_there(layout):
    assert_one_line(refer("run", "77", "--headless", "--layout", layout), "no camera 77", "Plug one in")


def test_layout_with_an_unknown_key(film, layout):
    layout.write_text("colour = 1\n" + layout.read_text(encoding="utf-8"), encoding="utf-8")
    assert_one_line(refer("run", film, "--headless", "--layout", layout), "layout.toml", "unknown key 'colour'")


def test_layout_with_another_number_of_seats(film, layout):
    assert_one_line(refer("run", film, "--headless", "--layout", layout, "--seats", 4), "it has 2 seats, not 4")


def test_rules_that_are_none(film, layout):
    assert_one_line(refer("run", film, "--headless", "--layout", layout, "--variant", "chess"), "chess", "official")


def test_port_in_use(film, layout, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = refer(
            "run", film, "--layout", layout, "--data", tmp_path / "data", "--host", "127.0.0.1", "--port", port
        )
    assert_one_line(result, f"port {port} is in use")


def test_data_folder_that_is_a_file(film, layout, tmp_path):
    (tmp_path / "data").write_text("", encoding="utf-8")
    result = refer("run", film, "--headless", "--layout", layout, "--data", tmp_path / "data" / "games")
    assert_one_line(result, "--data")


def test_second_referee_in_the_same_folder(film, layout, tmp_path):
    store = Store(tmp_path / "data")
    result = refer("run", film, "--headless", "--layout", layout, "--data", tmp_path / "data")
    assert_one_line(result, "another referee uses this folder")
    store.close()


def test_model_that_is_cut_short(film, layout, tmp_path, monkeypatch):
    from referee.vision.inference import find_models

    models = tmp_path / "models"
    models.mkdir()
    for path in find_models().iterdir():
        data = path.read_bytes()
        (models / path.name).write_bytes(data[: len(data) // 2] if path.suffix == ".onnx" else data)
    monkeypatch.setenv("REFEREE_MODELS", str(models))
    assert_one_line(refer("run", film, "--headless", "--layout", layout), "onnx")


def test_settings_file_with_an_unknown_key(film, tmp_path):
    (tmp_path / "settings.toml").write_text("prot = 1\n", encoding="utf-8")
    assert_one_line(refer("run", film, "--config", tmp_path / "settings.toml"), "unknown key 'prot'")


def games(folder):
    store = Store(folder)
    number = store.begin_game("film.mp4")
    players = (Player(1, "=Ann", "green-pump"), Player(2, "Ben", "yellow-pail"))
    rows = (SeatScore(1, 19, 3, 13, True), SeatScore(2, 7, 0, 7, False))
    store.append(
        number,
        [
            MatchStarted(id=1, time_s=0.0, seen_s=0.0, players=players),
            RoundStarted(id=2, time_s=0.0, seen_s=0.0, seats=2),
            RoundScored(id=3, time_s=9.0, seen_s=9.0, by="counted", seats=rows),
        ],
    )
    store.close()


def test_games_are_exported_as_csv_and_json(tmp_path):
    games(tmp_path)
    lines = refer("export", "--data", tmp_path).output.splitlines()
    assert lines[0].startswith("game,started_at,source,round,seat,name")
    assert lines[1].endswith("film.mp4,1,1,'=Ann,green-pump,19,3,13,True,13")
    (game,) = json.loads(refer("export", "--data", tmp_path, "--format", "json").output)
    assert [event["type"] for event in game["events"]] == ["match_started", "round_started", "round_scored"]
    assert [row["total"] for row in game["rows"]] == [13, 7]


def test_export_without_games_is_one_clear_line(tmp_path):
    assert_one_line(refer("export", "--data", tmp_path), "no games here")
    games(tmp_path)
    assert_one_line(refer("export", "--data", tmp_path, "--game", 7), "there is no game 7: use 1")


def test_export_of_a_damaged_file_is_one_clear_line(tmp_path):
    (tmp_path / "referee.db").write_bytes(b"damaged" * 1000)
    assert_one_line(refer("export", "--data", tmp_path), "referee.db")


@pytest.mark.parametrize("with_layout", [True, False])
def test_model_that_was_cut_short(film, layout, tmp_path, monkeypatch, with_layout):
    models = tmp_path / "models"
    shutil.copytree(MODELS, models)
    whole = (models / "detector.onnx").read_bytes()
    (models / "detector.onnx").write_bytes(whole[: len(whole) // 2])
    monkeypatch.setenv("REFEREE_MODELS", str(models))
    if not with_layout:
        layout.unlink()
    assert_one_line(refer("run", film, "--headless"), "detector.onnx", "damaged", "install referee again")


def test_the_layout_beside_a_film_is_taken(film, layout):
    layout.write_text("colour = 1\n", encoding="utf-8")
    assert_one_line(refer("run", film, "--headless"), "layout.toml", "unknown key 'colour'")


def test_damaged_deck_file_beside_the_layout_is_one_clear_line(film, layout, tmp_path):
    (tmp_path / "decks.toml").write_text('version = 1\n[[deck]]\nname = "mine"\ncard_mm = [57, 89]\npicture = "AAAA"\n')
    result = refer("run", film, "--layout", layout, "--data", tmp_path / "data", "--port", "0")
    assert_one_line(result, "decks.toml: deck 1 (mine): picture: damaged", "referee enroll")
