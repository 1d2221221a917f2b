import cv2
import numpy as np

from referee.counting.likeness import Look, compare, inner, to_lab

SIZE = (57, 89)


def card(shift: int = 0, ink=(60, 40, 190)) -> np.ndarray:
    """Draw a back of thin lines at 1 px/mm."""
    image = np.full((SIZE[1], SIZE[0], 3), (205, 215, 220), np.uint8)
    for y in range(10, 80, 12):
        cv2.line(image, (10 + shift, y), (46 + shift, y + 4), ink, 1, cv2.LINE_AA)
    return image


def score(image: np.ndarray) -> float:
    known = inner(SIZE)
    return compare(to_lab(image), known, Look.of(to_lab(card()), known))[0]


def test_thin_lines_are_known_again_though_they_lie_a_little_off_and_in_less_light():
    assert score(card()) == 1.0
    assert score(card(shift=1)) > 0.9
    assert score((card() * 0.9).astype(np.uint8)) > 0.9


def test_a_table_in_the_papers_colour_is_no_card_of_thin_lines():
    assert score(np.full_like(card(), card()[0, 0])) < 0
    marble = np.full_like(card(), card()[0, 0])
    cv2.line(marble, (0, 20), (56, 70), (150, 160, 165), 2)
    assert score(marble) < 0


def test_another_ink_is_another_card():
    assert score(card(ink=(190, 120, 30))) < 0.3
