import json
from collections import Counter
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.synth.crops import Crop
from referee.synth.scene_crops import scene_crops

WIDE, SMALL = 72.0, 24.0


def _card(x: float, y: float, width: float, label: str | None, kind: str, visible: float = 1.0) -> dict[str, object]:
    length = width * 89 / 57
    quad = [[x, y], [x + width, y], [x + width, y + length], [x, y + length]]
    return {"quad": quad, "label": label, "kind": kind, "visible": visible, "pile": None, "on_top": True}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One picture of a table with cards of plain colours."""
    cards = [
        _card(40, 40, WIDE, "R7", "face"),
        _card(160, 40, SMALL, "B3", "face"),
        _card(240, 40, WIDE, "G9", "face", 0.8),
        _card(360, 40, WIDE, "10H", "face"),
        _card(40, 220, WIDE, "back:green-pump", "back"),
        _card(160, 220, WIDE, None, "back"),
        _card(280, 220, WIDE, "Y1", "face", 0.4),
    ]
    image = np.full((480, 640, 3), 60, np.uint8)
    for n, card in enumerate(cards):
        quad = np.array(card["quad"], np.int32)
        cv2.fillConvexPoly(image, quad, (100 + 20 * n, 200, 90))
    (tmp_path / "images").mkdir()
    cv2.imwrite(str(tmp_path / "images" / "0.png"), image)
    (tmp_path / "truth_train.json").write_text(json.dumps({"scenes": [{"image": "images/0.png", "cards": cards}]}))
    return tmp_path


def _of(crops: list[Crop], shade: int) -> list[Crop]:
    return [crop for crop in crops if abs(int(crop.image[72, 48, 0]) - shade) < 4]


def test_crops_say_what_the_scene_says(folder):
    crops = list(islice(scene_crops(folder, 1), 400))
    known = {
        100: {("face", "red", 7, None, None)},
        120: {("face", "blue", None, None, None)},  # too small to say whether its numeral can be read
        140: {("face", "green", None, None, None)},  # half hidden
        160: {("face", None, "unreadable", None, None)},
        180: {("back", None, None, "pump", "green")},
        200: {("back", None, None, "other", "other")},
    }
    for shade, wanted in known.items():
        found = {(c.kind, c.color, c.number, c.symbol, c.back_color) for c in _of(crops, shade) if c.kind != "none"}
        assert found == wanted
    assert all(crop.kind == "none" for crop in _of(crops, 220)), "less than half of it shows"


def test_the_corners_lie_where_the_card_ends(folder):
    for crop in _of(list(islice(scene_crops(folder, 2), 200)), 100):
        if crop.kind == "none":
            continue
        middle = crop.corners_px.mean(axis=0)
        for corner in crop.corners_px:
            for share, inside in ((0.9, True), (1.12, False)):
                x, y = np.floor(middle + (corner - middle) * share).astype(int)
                if 0 <= x < 96 and 0 <= y < 144:
                    assert (abs(int(crop.image[y, x, 1]) - 200) < 30) == inside


def test_some_crops_show_the_table_only(folder):
    empty = [crop for crop in islice(scene_crops(folder, 3), 600) if crop.image[72, 48, 1] != 200]
    assert 10 < len(empty) < 100
    assert {crop.kind for crop in empty} == {"none"}


def test_the_same_seed_gives_the_same_crops(folder):
    first, second = (list(islice(scene_crops(folder, 4), 20)) for _ in range(2))
    assert all((a.image == b.image).all() for a, b in zip(first, second, strict=True))


def test_hard_places_are_shown_as_none(folder):
    hard = np.array([[500, 300], [560, 300], [560, 400], [500, 400]], np.float32)
    image = cv2.imread(str(folder / "images" / "0.png"))
    cv2.fillConvexPoly(image, hard.astype(np.int32), (250, 30, 30))
    cv2.imwrite(str(folder / "images" / "0.png"), image)
    shown = _of(list(islice(scene_crops(folder, 1, {0: [hard]}), 100)), 250)
    assert len(shown) > 5
    assert {crop.kind for crop in shown} == {"none"}


def test_a_card_cut_across_is_none(folder):
    kinds = Counter(crop.kind for crop in _of(list(islice(scene_crops(folder, 4), 600)), 100))
    assert 0 < kinds["none"] < 0.2 * kinds["face"]
