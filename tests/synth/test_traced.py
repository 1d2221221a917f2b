"""Tables by another renderer: what lies where it says, in prints that training never sees."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from referee.game.cards import Back, Face
from referee.synth.traced import _visible, develop, lay, main
from referee.vision.sources import read_image

SIZE = (57.0, 89.0)


@pytest.mark.parametrize("sort", ["game", "heap", "few"])
def test_cards_are_laid_on_the_table_and_on_one_another(sort):
    cards = lay(sort, np.random.default_rng(4))
    assert len(cards) >= 4
    assert all(isinstance(card.side, Face | Back) for card in cards)
    for card in cards:
        points = card.points(SIZE)
        assert points[:, 2].min() >= card.z_mm - 1e-9 > 0
        assert np.hypot(*(points[0] - points[6])[:2]) == pytest.approx(57.0)
        assert np.hypot(*(points[0] - points[56])[:2]) == pytest.approx(89.0)


def test_what_shows_is_counted_whatever_the_first_number_is():
    numbers = np.full((100, 100), 3)
    numbers[10:60, 10:60] = 7  # the lower card
    numbers[40:90, 40:90] = 8  # the upper one covers 20 x 20 of it
    quads = [np.array([(a, a), (b, a), (b, b), (a, b)], float) for a, b in ((9.5, 59.5), (39.5, 89.5))]
    lower, upper = _visible(numbers, quads)
    assert lower == pytest.approx(0.84, abs=0.03)
    assert upper == pytest.approx(1.0, abs=0.02)


def test_a_developed_picture_is_neither_black_nor_white():
    light = np.random.default_rng(0).uniform(0.0, 5.0, (40, 60, 3)).astype(np.float32)
    picture = develop(light, np.random.default_rng(1))
    assert picture.shape == (40, 60, 3)
    assert picture.dtype == np.uint8
    assert 40 < picture.mean() < 220


def test_a_rendered_table_has_its_truth(tmp_path, monkeypatch):
    from referee.synth import traced

    real = traced.photograph

    def small(seed, **options):
        return real(seed, (96, 54), **options)

    monkeypatch.setattr(traced, "photograph", small)
    options = ["--count", "1", "--seed", "5", "--samples", "2", "--variant", "scalar_rgb"]
    done = CliRunner().invoke(main, [str(tmp_path), *options], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    (record,) = json.loads((tmp_path / "cards.json").read_text())
    picture = read_image(tmp_path / record["image"])
    assert picture.shape == (54, 96, 3)
    assert picture.std() > 5
    visible = [card["visible"] for card in record["cards"]]
    assert max(visible) > 0.6
    assert min(visible) >= 0.0
