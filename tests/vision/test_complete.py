"""Whole cards from boxes of parts, with the shipped reader on drawn cards."""

import cv2
import numpy as np
import pytest

from referee.game.cards import Face
from referee.layout import Pose, TableLayout
from referee.synth.art.faces import draw_face
from referee.synth.art.style import ArtStyle
from referee.vision.complete import card_sized, is_covered, is_whole
from referee.vision.eye import TableEye
from referee.vision.frames import Frame, Image, Quad
from referee.vision.geometry import card_quad, picture_from_mm, quad_iou, quad_size

SIZE = (57.0, 89.0)
POSE = Pose(30.0, -40.0, 20.0)


def part_of(quad: Quad, left: float, top: float, right: float, bottom: float) -> Quad:
    """Cut a part out of a quad; the shares count from its own top left."""
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    shares = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return np.array([quad[0] + x * across + y * down for x, y in shares], dtype=np.float32)


@pytest.mark.parametrize("part", [(0, 0, 1, 0.5), (0, 0.55, 1, 1), (0, 0, 0.5, 1), (0, 0, 0.75, 0.75), (0, 0, 1.7, 1)])
def test_one_of_the_quads_along_a_part_is_the_card(part):
    card = card_quad(POSE, SIZE).astype(np.float32)
    quads = card_sized(part_of(card, *part), SIZE)
    assert len(quads) <= 8
    for quad in quads:
        assert quad_size(quad) == pytest.approx(SIZE, rel=1e-3)
    assert max(quad_iou(quad, card) for quad in quads) > 0.99


@pytest.mark.parametrize(
    ("part", "whole"),
    [((0, 0, 1, 1), True), ((0, 0, 1, 0.5), False), ((-0.1, -0.1, 1.2, 1.2), True), ((0.2, 0.2, 0.8, 0.8), False),
     ((0, -0.3, 1, 1.3), False)],
)  # fmt: skip
def test_a_whole_card_has_its_size_or_is_held_up(part, whole):
    assert is_whole(part_of(card_quad(POSE, SIZE).astype(np.float32), *part), SIZE) is whole


def test_a_box_lies_on_a_card_when_most_of_it_does():
    card = card_quad(POSE, SIZE).astype(np.float32)
    assert is_covered(part_of(card, 0.1, 0.1, 0.9, 0.5), card)
    assert not is_covered(part_of(card, 0.5, 0, 1.5, 1), card)


class BoxDetector:
    """Finds one box in each pass, the last one again and again, and nothing else."""

    confidence = 0.3

    def __init__(self, boxes_mm: list[Quad]) -> None:
        self.boxes = boxes_mm
        self.eye: TableEye | None = None

    def detect(self, _image: Image, _confidence: float | None = None) -> list[tuple[Quad, str, float]]:
        assert self.eye is not None
        box = self.boxes.pop(0) if len(self.boxes) > 1 else self.boxes[0]
        return [(self.eye.view.to_view(box).astype(np.float32), "back", 0.35)]


def look(layout: TableLayout, picture: Image, *boxes_mm: Quad) -> list[str | None]:
    detector = BoxDetector(list(boxes_mm))
    eye = detector.eye = TableEye(layout, detector)
    for number in range(6):
        seen = eye.observe(Frame(picture, number * 0.6, number))
    return [card.reading.label for card in seen.cards]


def with_face(picture: Image, layout: TableLayout, face: str, pose: Pose = POSE) -> Image:
    art = draw_face(Face.parse(face), ArtStyle.sample(np.random.default_rng(5), "classic"), 4.0)
    height, width = art.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - 0.5
    place = picture_from_mm(layout, card_quad(pose, SIZE)).astype(np.float32)
    onto = cv2.getPerspectiveTransform(corners, place)
    laid = cv2.warpPerspective(art, onto, picture.shape[1::-1], flags=cv2.INTER_AREA)
    share = laid[..., 3:] / 255
    return (picture * (1 - share) + laid[..., :3] * share).astype(np.uint8)


@pytest.mark.parametrize("part", [(0, 0, 1, 0.5), (0.25, 0.25, 1, 1)])
def test_the_reader_finds_the_card_of_which_a_part_was_found(layout, table_picture, part):
    picture = with_face(table_picture, layout, "R7")
    card = card_quad(POSE, layout.card_mm).astype(np.float32)
    assert look(layout, picture, part_of(card, *part)) == ["R7"]


def test_a_part_of_nothing_is_no_card(layout, table_picture):
    card = card_quad(POSE, layout.card_mm).astype(np.float32)
    assert look(layout, table_picture, part_of(card, 0, 0, 1, 0.5)) == []


def test_a_part_in_which_the_reader_saw_nothing_may_be_a_card_later(layout, table_picture):
    picture = with_face(table_picture, layout, "R7")
    card = card_quad(POSE, layout.card_mm).astype(np.float32)
    sliver = part_of(card, 0.35, -0.45, 0.65, 1.45)
    assert look(layout, picture, sliver) == []
    assert look(layout, picture, sliver, card) == ["R7"]
