import numpy as np
import pytest

from referee.layout import Pose
from referee.vision.geometry import card_quad
from referee.vision.identifier import CORNERS_PX, HEADS, Scores
from referee.vision.seen import SeenCard, leave_out_doubles


def scores(none: float) -> Scores:
    tables = {name: np.full((1, len(classes)), 1 / len(classes), np.float32) for name, classes in HEADS.items()}
    tables["kind"] = np.float32([[1 - none, 0, none]])
    return Scores(**tables, embedding=np.ones((1, 64), np.float32), corners_px=CORNERS_PX[None])


def card(x: float, angle: float = 0.0, confidence: float = 0.9, none: float = 0.0) -> SeenCard:
    quad = card_quad(Pose(x, 50, angle), (30, 47))
    return SeenCard(quad, "face", confidence, scores=scores(none))


@pytest.mark.parametrize(
    ("cards", "kept"),
    [
        ([], []),
        ([card(50)], [0]),
        ([card(50, none=0.9)], []),
        ([card(50, confidence=0.5), card(51)], [1]),
        ([card(50), card(51, confidence=0.5), card(50, confidence=0.7)], [0]),
        ([card(50), card(51, angle=20, confidence=0.5)], [0, 1]),
        ([card(50), card(60, confidence=0.5)], [0, 1]),
        ([card(50, none=0.9), card(51, confidence=0.5)], [1]),
    ],
)
def test_only_the_surest_of_one_place_is_kept(cards: list[SeenCard], kept: list[int]) -> None:
    assert leave_out_doubles(cards, 30) == [cards[n] for n in kept]


def test_the_corrected_place_counts() -> None:
    first, second = card(50), card(60, confidence=0.5)
    second.fine = first.quad
    assert leave_out_doubles([first, second], 30) == [first]


def test_the_reader_knows_which_side_lies_up() -> None:
    seen = SeenCard(card(50).quad, "back", 0.9)
    assert seen.side == "back"
    seen.scores = scores(0.1)
    assert seen.side == "face"
    seen.scores = scores(0.9)
    assert seen.side == "back"
