import cv2
import numpy as np
import pytest

from referee.game.cards import Face
from referee.layout import Pose
from referee.synth.art import ArtStyle, draw_face
from referee.vision.frames import Image
from referee.vision.geometry import card_quad
from referee.vision.identifier import (
    CARD_PX,
    CORNERS_PX,
    CROP_PX,
    HEADS,
    MARGIN_PX,
    CardReader,
    Scores,
    cut_crop,
    move_quad,
)


def scores_of(**best: str) -> Scores:
    tables = {name: np.full((1, len(classes)), 0.02, np.float32) for name, classes in HEADS.items()}
    for name, value in best.items():
        tables[name][0, HEADS[name].index(value)] = 0.9
    return Scores(**tables, embedding=np.ones((1, 64), np.float32) / 8, corners_px=CORNERS_PX[None])


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


@pytest.mark.parametrize(
    ("best", "label"),
    [
        ({"kind": "face", "color": "red", "number": "7"}, "R7"),
        ({"kind": "face", "color": "green", "number": "10"}, "G10"),
        ({"kind": "back", "symbol": "pump", "back_color": "blue"}, "back:blue-pump"),
        ({"kind": "back", "symbol": "pump", "back_color": "red"}, None),
        ({"kind": "back", "symbol": "other", "back_color": "red"}, None),
        ({"kind": "face", "color": "red", "number": "unreadable"}, None),
        ({"kind": "none"}, None),
        ({"kind": "face", "color": "red"}, None),
    ],
)
def test_a_label_needs_all_its_parts(reader: CardReader, best: dict[str, str], label: str | None) -> None:
    assert reader.decide(scores_of(**best))[0].label == label


def test_mean_of_readings() -> None:
    first = scores_of(kind="face", color="red", number="7")
    second = scores_of(kind="face", color="red", number="1")
    mixed = first.mean(second, 0.25)
    assert mixed.number[0, 6] == pytest.approx(0.75 * 0.9 + 0.25 * 0.02)
    assert np.linalg.norm(mixed.embedding) == pytest.approx(1)


@pytest.mark.parametrize("count", [0, 1, 3, 9, 25, 41])
def test_batches_of_any_size_give_each_crop_its_own_scores(reader: CardReader, count: int) -> None:
    crops = list(np.random.default_rng(1).integers(0, 255, (count, 144, 96, 3)).astype(np.uint8))
    scores = reader.scores(crops)
    assert scores.kind.shape == (count, 3)
    assert scores.kind.sum(axis=1) == pytest.approx(np.ones(count), abs=1e-5)
    assert len(reader.read(crops)) == count
    if count:
        alone = reader.scores([crops[-1]])
        assert scores.row(count - 1).number == pytest.approx(alone.number, abs=1e-3)


def test_upside_down_reads_the_same(reader: CardReader) -> None:
    crop: Image = np.random.default_rng(2).integers(0, 255, (144, 96, 3)).astype(np.uint8)
    first, second = reader.scores([crop]), reader.scores([np.ascontiguousarray(crop[::-1, ::-1])])
    assert first.number == pytest.approx(second.number, abs=1e-4)
    assert first.corners_px == pytest.approx(second.turned().corners_px, abs=0.05)


def test_corners_of_the_quad_lead_to_the_quad_itself() -> None:
    quad = card_quad(Pose(120, 90, 33), (57, 89))
    assert move_quad(quad, CORNERS_PX) == pytest.approx(quad, abs=1e-3)


def test_a_quad_moves_with_the_corners_seen_in_its_crop() -> None:
    quad = card_quad(Pose(120, 90, 33), (57, 89))
    right = (quad[1] - quad[0]) / np.linalg.norm(quad[1] - quad[0])
    moved = move_quad(quad, CORNERS_PX + np.float32([CARD_PX[0] / 57 * 4, 0]))
    assert moved - quad == pytest.approx(np.tile(4 * right, (4, 1)), abs=1e-3)


@pytest.mark.parametrize(("dx", "dy", "turn"), [(3, 0, 0), (0, -4, 0), (-2, 2, 5), (1, 1, -6)])
def test_a_quad_that_is_a_little_off_is_moved_to_the_card(
    reader: CardReader, dx: float, dy: float, turn: float
) -> None:
    style = ArtStyle.sample(np.random.default_rng(3), family="classic", heldout=True)
    card = cv2.resize(draw_face(Face.parse("B7"), style, 4.0), (114, 178), interpolation=cv2.INTER_AREA)
    image = np.full((300, 300, 3), (60, 90, 120), np.uint8)
    image[60:238, 90:204] = np.where(card[..., 3:] > 127, card[..., :3], image[60:238, 90:204])
    true = card_quad(Pose(147, 149, 0), (114, 178))
    rough = card_quad(Pose(147 + 2 * dx, 149 + 2 * dy, turn), (114, 178))
    found = reader.correct(image, [rough])[0][0]
    before, after = (np.linalg.norm(quad - true, axis=1).mean() for quad in (rough, found))
    assert after < 0.5 * before


@pytest.mark.parametrize("grow", [0.5, 1, 2, 6])
@pytest.mark.parametrize("angle", [0.0, 35.0, 120.0])
def test_crops_are_upright_and_whole(grow: float, angle: float) -> None:
    # A card whose four quarters have four colours, painted point by point.
    width, height = CARD_PX
    quad = card_quad(Pose(100 * grow + 20, 100 * grow + 20, angle), (width * grow / 2, height * grow / 2))
    side = int(200 * grow + 40)
    ys, xs = np.mgrid[:side, :side] + 0.5
    across, down = (quad[1] - quad[0]).astype(float), (quad[3] - quad[0]).astype(float)
    u = ((xs - quad[0, 0]) * across[0] + (ys - quad[0, 1]) * across[1]) / (across @ across)
    v = ((xs - quad[0, 0]) * down[0] + (ys - quad[0, 1]) * down[1]) / (down @ down)
    image = np.full((side, side, 3), 114, np.uint8)
    on_card = (u >= 0) & (u <= 1) & (v >= 0) & (v <= 1)
    image[on_card] = np.stack([np.where(u < 0.5, 0, 200), np.where(v < 0.5, 0, 200), np.full_like(u, 50)], -1)[on_card]
    crop = cut_crop(image, quad)
    assert crop.shape == (144, 96, 3)
    blur = 6 if grow < 1 else 3
    assert (crop[: MARGIN_PX[1] - blur] == 114).all()
    assert (crop[:, CROP_PX[0] - MARGIN_PX[0] + min(blur, 5) :] == 114).all()
    assert crop[20:50, 15:35].reshape(-1, 3).mean(axis=0) == pytest.approx((0, 0, 50), abs=4)
    assert crop[20:50, 60:80].reshape(-1, 3).mean(axis=0) == pytest.approx((200, 0, 50), abs=4)
    assert crop[100:130, 15:35].reshape(-1, 3).mean(axis=0) == pytest.approx((0, 200, 50), abs=4)


def test_a_card_beyond_the_picture_is_grey_there() -> None:
    crop = cut_crop(np.zeros((50, 50, 3), np.uint8), card_quad(Pose(0, 25, 0), (40, 60)))
    assert (crop[:, :40] == 114).all()
    assert (crop[50:90, 60:90] == 0).all()
