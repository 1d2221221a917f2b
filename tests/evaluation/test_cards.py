import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.evaluation.cards import (
    CardReport,
    match_cards,
    reliability,
    score_picture,
)
from referee.evaluation.confusion import draw_confusion
from referee.evaluation.reliability import draw_reliability
from referee.evaluation.truth import TrueCard, TruthError, load_truth
from referee.layout import Pose
from referee.vision.frames import Quad, Reading
from referee.vision.geometry import bounds, card_quad
from referee.vision.photo import PhotoCard


def quad_at(x: float, y: float, angle: float = 20.0) -> Quad:
    return card_quad(Pose(x, y, angle), (57, 89))


def true(x: float, label: str | None = "R7", visible: float = 1.0) -> TrueCard:
    return TrueCard(quad_at(x, 100), True, label, "face", visible)


def seen(x: float, label: str | None = "R7") -> PhotoCard:
    return PhotoCard(quad_at(x, 101), "face", 0.9, Reading(label, 0.9))


def test_counts_of_one_picture() -> None:
    report = CardReport()
    truth = [true(0), true(100), true(200, "B4"), true(300, "G1", visible=0.3), true(400, "10H")]
    found = [seen(0), seen(200, "B6"), seen(300), seen(600), seen(401, None)]
    false, missed = score_picture(report, "a.jpg", found, truth)
    total = report.total
    assert (total.true, total.found, total.read, total.right, total.wrong) == (4, 3, 2, 1, 1)
    assert (total.right_color, total.right_number) == (2, 1)
    assert (report.false, false, missed) == (1, [3], [1])
    assert report.said == [(0.9, True), (0.9, False)]
    assert report.misses == [("a.jpg", "R7 at 58,48")]
    assert report.confusion == {("R7", "R7"): 1, ("B4", "B6"): 1}
    assert report.as_json()["wrong_labels"] == [["B4", "B6", 1]]
    assert report.groups["number 7"].true == 2
    assert report.groups["red"].right == 1
    assert np.median(report.corner_errors_px) == pytest.approx(1, abs=0.1)


def test_tilt_and_light_have_their_groups(tmp_path: Path) -> None:
    # A plane tilted by 60 degrees about the x axis, seen from far away: y is half as long.
    scene = {"image": "a.jpg", "px_from_mm": [[1, 0, 0], [0, 0.5, 0], [0, 0, 1]]}
    scene["cards"] = [{"quad": quad_at(50, 50).tolist(), "label": "R7", "kind": "face", "visible": 1}]
    (tmp_path / "truth_test.json").write_text(json.dumps({"scenes": [scene]}))
    [(place, cards)] = list(load_truth(tmp_path))
    assert place.name == "a.jpg"
    assert cards[0].tilt_deg == pytest.approx(60, abs=0.1)
    assert cards[0].quad_px == pytest.approx(quad_at(50, 50) + 0.5)
    report = CardReport()
    score_picture(report, "a.jpg", [], cards, light=40.0)
    assert report.groups["tilt over 30 deg"].true == report.groups["dark picture"].true == 1


def test_reliability_compares_sureness_with_truth() -> None:
    said = [(0.65, True), (0.65, False), (0.99, True), (1.0, True), (1.0, True), (0.99, False)]
    assert reliability(said) == [(0.6, 0.7, 2, 0.65, 0.5), (0.98, 1.0, 4, 0.995, 0.75)]
    assert reliability([]) == []


def test_reliability_diagram_draws_a_boaster_below_the_diagonal() -> None:
    picture = draw_reliability([(0.9, 0.95, 10, 0.92, 0.6)])
    rows, columns = np.nonzero((picture == (160, 100, 30)).all(axis=2))
    # 0.92 of 0.5..1 along 420 px from 60 on; 0.6 up from the lower edge.
    assert columns.mean() == pytest.approx(60 + 0.84 * 420, abs=1)
    assert rows.mean() == pytest.approx(60 + 0.8 * 420, abs=1)


def test_confusion_matrix_shows_what_is_wrong() -> None:
    right = draw_confusion({("R7", "R7"): 9, ("B4", "B4"): 5})
    wrong = draw_confusion({("R7", "R7"): 9, ("B4", "B4"): 4, ("B4", "None"): 1})
    assert right.shape == wrong.shape
    reddish = [((p[:, :, 2] > 180) & (p[:, :, 1] < 170)).sum() for p in (right, wrong)]
    assert reddish[1] > reddish[0] + 50


def test_boxes_are_compared_with_boxes() -> None:
    quad = quad_at(100, 100, 45)
    left, top, right, bottom = bounds(quad)[0]
    box = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    assert match_cards([quad], [TrueCard(box, False, None, None, 1.0)]) == {0: 0}
    assert match_cards([quad], [TrueCard(box, True, None, None, 1.0)]) == {}


def test_a_hidden_card_takes_no_box_from_the_one_on_it() -> None:
    top = np.array([[10, 10], [50, 10], [50, 70], [10, 70]], dtype=np.float32)
    under = top + np.float32(2)
    found = top + np.float32(1.5)
    pile = [TrueCard(under, True, "R1", "face", 0.03), TrueCard(top, True, "R2", "face", 1.0)]
    assert match_cards([found], pile) == {1: 0}
    assert match_cards([found, under], pile) == {1: 0, 0: 1}


@pytest.mark.parametrize(("visible", "false"), [(0.4, 0), (0.05, 1), (0.9, 1)])
def test_what_shows_of_a_hidden_card_is_no_false_card(visible: float, false: int) -> None:
    part = np.array([[0, 0], [40, 0], [40, 24], [0, 24]], dtype=np.float32)
    whole = np.array([[0, 0], [40, 0], [40, 60], [0, 60]], dtype=np.float32)
    report = CardReport()
    for n, box in enumerate((part, part + np.float32(30))):
        found = [PhotoCard(box, "face", 0.9, Reading(None, 0.0))]
        score_picture(report, "a.jpg", found, [TrueCard(whole, True, "R1", "face", visible)])
        assert report.false == false + n


def test_a_turned_start_is_no_error() -> None:
    report = CardReport()
    turned = PhotoCard(np.roll(quad_at(0, 100), 2, axis=0), "face", 0.9, Reading("R7", 0.9))
    score_picture(report, "a.jpg", [turned], [true(0)])
    assert max(report.corner_errors_px) < 0.01


@pytest.mark.parametrize("text", ["{", "[1]", '[{"image": "a.jpg"}]', '[{"image": "a.jpg", "cards": [{"quad": [1]}]}]'])
def test_bad_truth_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "cards.json").write_text(text)
    with pytest.raises(TruthError, match="not a truth file"):
        list(load_truth(tmp_path))


def test_command_prints_figures_and_draws(tmp_path: Path) -> None:
    picture = np.full((300, 400, 3), (60, 90, 110), np.uint8)
    cv2.fillConvexPoly(picture, np.round(quad_at(200, 150) - 0.5).astype(int), (235, 235, 240))
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    record = [{"image": "a.png", "cards": [{"quad": quad_at(200, 150).tolist(), "label": "R7", "visible": 1.0}]}]
    (tmp_path / "cards.json").write_text(json.dumps(record))
    done = CliRunner().invoke(main, ["evaluate", "cards", str(tmp_path), "--json", "--draw", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    figures = json.loads(done.output)
    assert figures["pictures"] == figures["total"]["cards"] == 1
    assert (tmp_path / "out" / "a.png").is_file()
    table = CliRunner().invoke(main, ["evaluate", "cards", str(tmp_path)])
    assert "false cards" in table.output


def test_bad_input_is_one_line(tmp_path: Path) -> None:
    for arguments in (["evaluate", "cards", str(tmp_path)], ["identify", str(tmp_path / "none.jpg")]):
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 1
        assert done.output.startswith("Error: ")
        assert done.output.count("\n") == 1
