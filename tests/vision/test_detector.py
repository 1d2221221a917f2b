import cv2
import numpy as np
import pytest

from referee.layout import Pose
from referee.vision.detector import YoloDetector, decode, letterbox, refine_quad
from referee.vision.geometry import card_quad, iou_matrix, quad_iou, quads_from_boxes
from referee.vision.inference import find_models


@pytest.mark.parametrize(
    ("shape", "size", "inner"),
    [((480, 640), (640, 480), (640, 480)), ((300, 500), (640, 480), (640, 384)), ((1080, 607), (640, 640), (360, 640))],
)
def test_letterbox_centres_on_grey(shape: tuple[int, int], size: tuple[int, int], inner: tuple[int, int]) -> None:
    picture, scale, left, top = letterbox(np.full((*shape, 3), 7, np.uint8), size)
    assert picture.shape == (size[1], size[0], 3)
    assert scale == pytest.approx(inner[0] / shape[1], rel=0.01)
    assert (left, top) == (round((size[0] - inner[0]) / 2 - 0.1), round((size[1] - inner[1]) / 2 - 0.1))
    filled = (picture == 7).all(axis=2)
    assert filled.sum() == inner[0] * inner[1]
    assert (picture[~filled] == 114).all()


def test_both_forms_of_output_are_read_alike() -> None:
    boxes = np.array([[100, 80, 30, 47, 0.3], [200, 90, 30, 47, -1.0], [50, 50, 30, 47, 0]], np.float32)
    raw = np.zeros((1, 7, 100), np.float32)
    raw[0, :4, :3], raw[0, 6, :3] = boxes[:, :4].T, boxes[:, 4]
    raw[0, 4:6, :3] = [[0.9, 0.1, 0.2], [0.05, 0.7, 0.1]]
    ended = np.zeros((1, 300, 7), np.float32)
    ended[0, :2, :4], ended[0, :2, 6], ended[0, :2, 4] = boxes[:2, :4], boxes[:2, 4], [0.9, 0.7]
    ended[0, 1, 5] = 1
    for first, second in zip(decode(raw, 0.4), decode(ended, 0.4), strict=True):
        assert first == pytest.approx(second)
    assert decode(raw, 0.4)[2].tolist() == [0, 1]


def test_an_empty_table_has_no_card_twice() -> None:
    found = YoloDetector().detect(np.full((480, 640, 3), 100, np.uint8))
    assert all(first[0] is second[0] or quad_iou(first[0], second[0]) <= 0.5 for first in found for second in found)


def test_small_cards_are_looked_for_in_an_enlarged_photograph() -> None:
    detector = YoloDetector()
    scene = cv2.imread(str(find_models() / "selftest_scene.jpg"))
    true = np.array([quad for quad, _, _ in detector.detect(scene)]) * np.float32(0.4)
    photo = np.full((480, 560, 3), 90, np.uint8)
    small = cv2.resize(scene, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
    photo[: small.shape[0], : small.shape[1]] = small

    def share_found(sides_px: tuple[int, ...] | None) -> float:
        found = np.array([quad for quad, _, _ in detector.detect_photo(photo, sides_px)])
        return float((iou_matrix(true, found).max(axis=1) > 0.5).mean())

    assert share_found((384, 640)) < 0.9
    assert share_found(None) > 0.95


def test_a_photograph_of_large_cards_is_not_enlarged(monkeypatch: pytest.MonkeyPatch) -> None:
    detector = YoloDetector()
    scene = cv2.imread(str(find_models() / "selftest_scene.jpg"))
    close = cv2.resize(scene[150:300, 150:350], (1280, 960))
    sides: list[int] = []
    run_at = detector._run_at
    monkeypatch.setattr(
        detector, "_run_at", lambda image, side, least: sides.append(side) or run_at(image, side, least)
    )
    assert detector.detect_photo(close)
    assert sides == [384, 640]


@pytest.mark.parametrize("angle", [0, 17, 60, 135])
def test_edges_are_refined_to_a_fraction_of_a_pixel(angle: float) -> None:
    true = card_quad(Pose(160, 120, angle), (60, 94))
    large = cv2.fillConvexPoly(np.full((960, 1280), 60, np.uint8), np.round((true - 0.5) * 4 + 1.5).astype(int), 190)
    gray = cv2.resize(large, (320, 240), interpolation=cv2.INTER_AREA)
    rough = quads_from_boxes(np.array([[161.5, 119, 62, 92, np.deg2rad(angle + 1.5)]]))[0]
    assert np.linalg.norm(rough - true, axis=1).max() > 1.5
    assert np.linalg.norm(refine_quad(gray, rough, 5.0) - true, axis=1).max() < 0.45


def test_without_an_edge_the_quad_stays() -> None:
    quad = card_quad(Pose(100, 100, 20), (40, 62))
    assert np.array_equal(refine_quad(np.full((200, 200), 90, np.uint8), quad, 5.0), quad)
