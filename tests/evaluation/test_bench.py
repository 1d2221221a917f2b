import json
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.layout import Pose, SeatLayout, TableLayout, format_layout


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A table on which a dark thing moves, one second long, with its layout beside it."""
    seats = tuple(
        SeatLayout(
            name=f"Seat {n}",
            deck="",
            area_mm=((-200, y - 50), (200, y - 50), (200, y + 50), (-200, y + 50)),
            post_mm=tuple(Pose(x, y, 0) for x in (-70, 0, 70)),
            blitz_mm=Pose(140, y, 0),
            wood_mm=Pose(-140, y, 0),
        )
        for n, y in ((1, 200.0), (2, -200.0))
    )
    matrix = ((1.0, 0.0, 320.0), (0.0, 1.0, 240.0), (0.0, 0.0, 1.0))
    dutch = ((-200.0, -100.0), (200.0, -100.0), (200.0, 100.0), (-200.0, 100.0))
    layout = TableLayout((57.0, 89.0), (640, 480), matrix, dutch, seats)
    (tmp_path / "layout.toml").write_text(format_layout(layout))
    table = np.random.default_rng(0).integers(90, 130, (480, 640, 3)).astype(np.uint8)
    path = tmp_path / "film.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = 640, 480, "yuv420p"
        stream.time_base = Fraction(1, 30)
        for i in range(30):
            image = cv2.circle(table.copy(), (100 + 12 * i, 240), 50, (40, 40, 60), -1)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="bgr24")))
        container.mux(stream.encode())
    return path


def test_bench_times_every_stage_beside_the_baseline(film: Path) -> None:
    done = CliRunner().invoke(main, ["bench", str(film), "--json"])
    assert done.exit_code == 0, done.output
    figures = json.loads(done.output)
    assert figures["frames"] == 30
    assert {"decode", "warp", "change", "detect", "read", "reach", "track", "store"} <= figures["stages_ms"].keys()
    assert all(value >= 0 for value in figures["stages_ms"].values())
    assert figures["fps"] > 0
    assert 0 < figures["passes_share"] <= 1
    assert figures["baseline"]["ms"] > 0
    assert "detector network alone" in figures["baseline"]["name"]


def test_bench_prints_a_table_of_the_first_seconds(film: Path) -> None:
    done = CliRunner().invoke(main, ["bench", str(film), "--seconds", "0.5"])
    assert done.exit_code == 0, done.output
    assert "16 frames" in done.output
    assert "baseline" in done.output


def test_bench_needs_a_film_and_its_layout(film: Path) -> None:
    (film.parent / "layout.toml").unlink()
    for arguments in ([str(film)], [str(film.parent / "none.mp4")]):
        done = CliRunner().invoke(main, ["bench", *arguments])
        assert done.exit_code == 1
        assert done.output.startswith("Error: ")
        assert done.output.count("\n") == 1
