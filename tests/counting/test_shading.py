import numpy as np
import pytest

from referee.counting.flat import FlatView
from referee.counting.shading import correct_shading
from referee.layout import Pose

CARDS = [(Pose(60.0 + 80 * column, 80.0 + 120 * row, 0.0), (57.0, 89.0)) for row in (0, 1) for column in range(4)]
PAPERS = [(230, 240, 240), (110, 60, 40)] * 4


def flat_view(light, papers=PAPERS):
    """Cards of two papers on a grey table at 2 px/mm, a black line on each, in `light(x_mm)`."""
    image = np.full((520, 760, 3), 120.0)
    for (pose, _), paper in zip(CARDS, papers, strict=True):
        x, y = int(2 * pose.x_mm), int(2 * pose.y_mm)
        image[y - 89 : y + 89, x - 57 : x + 57] = paper
        image[y - 30 : y + 30, x - 4 : x + 4] = 10
    gain = np.array([light(x / 2) for x in range(760)])
    image = ((image / 255) ** 2.2 * gain[None, :, None]) ** (1 / 2.2) * 255
    seen = np.full(image.shape[:2], 255, np.uint8)
    return FlatView(image.clip(0, 255).astype(np.uint8), seen, 2.0, 0.0, 0.0, (57.0, 89.0), 0.0, None, 2.0)


def papers_of(view):
    return np.array([view.image[int(2 * p.y_mm) + 70, int(2 * p.x_mm)] for p, _ in CARDS]).astype(float)


def test_cards_in_shade_look_like_those_in_the_light():
    view = flat_view(lambda x: 0.25 if x < 180 else 0.9)
    dark = papers_of(view)
    assert dark[0].mean() < 0.6 * dark[2].mean()
    even = papers_of(correct_shading(view, CARDS))
    assert even[0] == pytest.approx(even[2], rel=0.08)
    assert even[1] == pytest.approx(even[3], rel=0.12)
    # Ink stays ink: it is no shadow.
    picture = correct_shading(view, CARDS).image
    assert picture[160, 120].mean() < 40


def test_an_edge_of_shade_across_a_card_is_taken_out():
    view = flat_view(lambda x: 0.3 if x < 220 else 0.9)
    row = correct_shading(view, CARDS).image[2 * 110, 2 * 195 : 2 * 245].mean(axis=1)
    before = view.image[2 * 110, 2 * 195 : 2 * 245].mean(axis=1)
    assert np.ptp(before) > 80
    assert abs(row[:20].mean() - row[-20:].mean()) < 30


def test_even_light_and_too_few_cards_change_nothing():
    view = flat_view(lambda x: 0.8 + x / 5000)
    assert correct_shading(view, CARDS) is view
    shaded = flat_view(lambda x: 0.25 if x < 180 else 0.9)
    assert correct_shading(shaded, CARDS[:2]) is shaded


def test_a_card_at_the_edge_of_the_view_or_outside_it_is_no_harm():
    shaded = flat_view(lambda x: 0.25 if x < 180 else 0.9)
    beyond = [(Pose(-200.0, -200.0, 30.0), (57.0, 89.0)), (Pose(0.0, 0.0, 30.0), (57.0, 89.0))]
    assert correct_shading(shaded, [*CARDS, *beyond]).image.shape == shaded.image.shape
