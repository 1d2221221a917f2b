import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.layout import Pose
from referee.training.mining import mine, mistaken
from referee.vision.detector import YoloDetector
from referee.vision.geometry import card_quad
from referee.vision.inference import find_models


def _quad(x: float, y: float, angle: float = 0.0) -> np.ndarray:
    return card_quad(Pose(x, y, angle), (57, 89))


def test_what_a_card_explains_is_no_mistake():
    card, turned, away = _quad(100, 100), _quad(103, 98, 4), _quad(300, 100)
    half = _quad(100, 100) * [0.5, 1] + [50 - 57 / 4, 0]
    quarter = (_quad(100, 100) - [71.5, 55.5]) * 0.5 + [71.5, 55.5]
    found = [card, turned, half, quarter, away]
    wrong = mistaken([quad.astype(np.float32) for quad in found], [(card, 1.0)])
    assert [quad.mean(axis=0).tolist() for quad in wrong] == [quarter.mean(axis=0).tolist(), away.mean(axis=0).tolist()]
    # A box around the quarter of a card that isn't hidden is none either.
    assert [quad.mean(axis=0).tolist() for quad in mistaken([quarter.astype(np.float32)], [(card, 0.3)])] == []


def test_without_cards_everything_is_a_mistake():
    assert len(mistaken([_quad(1, 2)], [])) == 1
    assert mistaken([], [(_quad(1, 2), 1.0)]) == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two scenes whose truth knows of no card: what the detector finds there can only be a mistake."""
    (tmp_path / "images").mkdir()
    cv2.imwrite(str(tmp_path / "images" / "0.png"), cv2.imread(str(find_models() / "selftest_scene.jpg")))
    cv2.imwrite(str(tmp_path / "images" / "1.png"), np.full((300, 400, 3), 90, np.uint8))
    scenes = [{"image": f"images/{n}.png", "cards": []} for n in range(2)]
    (tmp_path / "truth_train.json").write_text(json.dumps({"scenes": scenes}))
    return tmp_path


def test_mistakes_are_kept_for_the_same_detector_and_as_many_scenes(folder):
    detector = YoloDetector()
    places = mine(folder, detector, 2)
    assert list(places) == [0]
    assert len(places[0]) >= 3
    (folder / "images" / "0.png").unlink()
    again = mine(folder, detector, 2)
    assert np.array(again[0]) == pytest.approx(np.array(places[0]), abs=0.06)
    assert mine(folder, detector, 1) == {}
