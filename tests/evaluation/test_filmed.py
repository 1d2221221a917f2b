"""Single frames of a film with its truth: one card rests, one is on its way, one lies where nothing is."""

import json
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.game.cards import Face
from referee.layout import Pose, load_layout
from referee.synth.art.faces import draw_face
from referee.synth.art.style import ArtStyle
from referee.vision.geometry import card_quad, picture_from_mm

LAYOUT = Path(__file__).parents[2] / "datasets" / "samples" / "round-4p" / "layout.toml"
SECONDS = 2


@pytest.fixture
def folder(tmp_path):
    layout = load_layout(LAYOUT)
    (tmp_path / "layout.toml").write_text(LAYOUT.read_text(encoding="utf-8"), encoding="utf-8")
    style = ArtStyle.sample(np.random.default_rng(5), "classic")
    width, height = layout.image_size_px
    picture = np.full((height, width, 3), (70, 100, 130), np.uint8)
    quads = [picture_from_mm(layout, card_quad(Pose(x, 0.0, 10.0), layout.card_mm)) for x in (-90.0, 60.0, 210.0)]
    for label, quad in zip(("R7", "B3"), quads, strict=False):
        art = draw_face(Face.parse(label), style, 4.0)
        tall, wide = art.shape[:2]
        corners = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], dtype=np.float32) - 0.5
        onto = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
        laid = cv2.warpPerspective(art, onto, (width, height), flags=cv2.INTER_AREA)
        share = laid[..., 3:] / 255
        picture = (picture * (1 - share) + laid[..., :3] * share).astype(np.uint8)
    with av.open(str(tmp_path / "film.mp4"), "w") as film:
        stream = film.add_stream("libx264", rate=10, options={"crf": "12"})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for number in range(SECONDS * 10):
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = number, Fraction(1, 10)
            film.mux(stream.encode(frame))
        film.mux(stream.encode())
    piles = ("d1", None, "s1.blitz")
    cards = [
        {"quad_px": quad.tolist(), "label": label, "visible": 1.0, "pile": pile, "on_top": True}
        for quad, label, pile in zip(quads, ("R7", "B3", "G1"), piles, strict=True)
    ]
    lines = [json.dumps({"time_s": number / 10, "cards": cards}) for number in range(SECONDS * 10)]
    (tmp_path / "frames.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def evaluate(folder):
    return CliRunner().invoke(main, ["evaluate", "cards", str(folder), "--json"])


def test_a_frame_a_second_is_compared_with_where_its_cards_lie(folder):
    result = evaluate(folder)
    assert result.exit_code == 0, result.output
    figures = json.loads(result.output)
    assert figures["pictures"] == SECONDS
    assert figures["false"] == 0, "a card on its way is neither missed nor false"
    assert figures["total"]["cards"] == 2 * SECONDS
    assert figures["total"]["found"] == figures["total"]["label_right"] == SECONDS
    assert figures["corner_error_px"]["median"] < 2.0


def test_a_damaged_truth_is_told_in_one_line(folder):
    (folder / "frames.jsonl").write_text('{"time_s": 0.0}\n', encoding="utf-8")
    result = evaluate(folder)
    assert result.exit_code == 1
    assert "frames.jsonl: not a film's truth" in result.output
