"""Tables and rounds by another renderer: what lies where it says, in prints that training never sees."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.game.cards import Back, Face
from referee.synth.film import sample_look
from referee.synth.play import Clock
from referee.synth.rounds import play_round
from referee.synth.sight import ARM, card_px
from referee.synth.traced import __main__ as commands
from referee.synth.traced import tables
from referee.synth.traced.arm import AROUND, PARTS, Capsule, Person
from referee.synth.traced.develop import Development
from referee.synth.traced.film import TracedRenderer, straight_lens
from referee.synth.traced.laid import bent_card, lay
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
    lower, upper = tables._visible(numbers, quads)
    assert lower == pytest.approx(0.84, abs=0.03)
    assert upper == pytest.approx(1.0, abs=0.02)


def test_a_developed_picture_is_neither_black_nor_white():
    light = np.random.default_rng(0).uniform(0.0, 5.0, (40, 60, 3)).astype(np.float32)
    picture = Development.sample(light, np.random.default_rng(1)).picture(light)
    assert picture.shape == (40, 60, 3)
    assert picture.dtype == np.uint8
    assert 40 < picture.mean() < 220


def test_a_card_that_is_turned_over_stands_on_its_edge_half_way():
    flat, upright = (bent_card(SIZE, (0, 0, 0), (10, 20, 3), 0.0, turned) for turned in (1.0, 0.0))
    assert np.ptp(flat, axis=0) == pytest.approx((57, 89, 0))
    assert np.ptp(upright, axis=0) == pytest.approx((0, 89, 57))
    assert upright[:, 2].min() == pytest.approx(3)


def test_a_capsule_reaches_from_end_to_end():
    points = Capsule(np.zeros(3), np.array([0.0, 100.0, 0.0]), 10).points()
    assert points.min(axis=0) == pytest.approx((-10, -10, -10), abs=0.5)
    assert points.max(axis=0) == pytest.approx((10, 110, 10), abs=0.5)
    assert len(points) % AROUND == 0


def test_the_finger_tips_touch_what_is_pointed_at():
    person = Person.sample(np.random.default_rng(2))
    left, right = (person.arm((30, 40), 4, (0, -600), left) for left in (True, False))
    assert len(left) == len(right) == PARTS
    tips = np.array([part.end for part in right if not part.sleeve])
    assert np.hypot(*(tips[:, :2] - (30, 40)).T).min() < 25
    assert tips[:, 2].min() == pytest.approx(12)
    # The thumbs point at each other.
    assert left[-1].end[0] > 30 > right[-1].end[0]


@pytest.fixture(scope="module")
def script():
    return straight_lens(play_round(951, 2, 3, size_px=(320, 180)))


def test_a_round_is_filmed_with_its_cards_and_arms_where_they_are(script):
    renderer = TracedRenderer(script, sample_look(951, heldout=True), samples=4, variant="scalar_rgb")
    clock = Clock(script)
    before = renderer.frame(clock.at(script.go_s + 10)).astype(int)
    now = clock.at(script.go_s + 12)
    after = renderer.frame(now).astype(int)
    arms = np.zeros((180, 320), np.int32)
    renderer.paint_arms(arms, now)
    assert 0.005 < (arms == ARM).mean() < 0.3
    changed = np.abs(after - before).max(axis=2)
    assert np.median(changed[arms == ARM]) > 2 * np.median(changed[arms != ARM])
    # A blue table: what is red, yellow, green or white lies where cards lie, or arms.
    cards = np.zeros((180, 320), np.uint8)
    for span in (*now.resting, *now.moving):
        cv2.fillConvexPoly(cards, np.rint(card_px(script.seating, span, now.time_s)[0]).astype(np.int32), 1)
    warm = after[..., 2] > after[..., 0] + 25
    assert (warm & (cards > 0)).sum() > 100
    assert (warm & (cv2.dilate(cards, None, iterations=3) == 0) & (arms != ARM)).mean() < 0.01


def test_a_film_has_the_truth_of_its_round(script, tmp_path, monkeypatch):
    second = replace(script, end_s=1.0)
    monkeypatch.setattr(commands, "play_round", lambda *args, **options: second)
    options = ["--fps", "5", "--samples", "1", "--variant", "scalar_rgb", "--size", "320x180"]
    done = CliRunner().invoke(commands.main, ["film", str(tmp_path / "film"), *options], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    written = {path.name for path in (tmp_path / "film").iterdir()}
    assert written == {"film.mp4", "events.jsonl", "layout.toml", "moves.blitz"}
    wrong = CliRunner().invoke(commands.main, ["film", str(tmp_path / "other"), "--size", "wide"])
    assert wrong.exit_code == 1
    assert "write width x height in pixels" in wrong.output


def test_a_rendered_table_has_its_truth(tmp_path, monkeypatch):
    real = tables.photograph

    def small(seed, **options):
        return real(seed, (96, 54), **options)

    monkeypatch.setattr(commands, "photograph", small)
    options = ["--count", "1", "--seed", "5", "--samples", "2", "--variant", "scalar_rgb"]
    done = CliRunner().invoke(commands.main, ["tables", str(tmp_path), *options], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    (record,) = json.loads((tmp_path / "cards.json").read_text())
    picture = read_image(tmp_path / record["image"])
    assert picture.shape == (54, 96, 3)
    assert picture.std() > 5
    visible = [card["visible"] for card in record["cards"]]
    assert max(visible) > 0.6
    assert min(visible) >= 0.0
