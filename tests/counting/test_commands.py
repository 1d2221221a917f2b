import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.counting import commands
from referee.counting.drawing import draw_tally
from referee.counting.likeness import Look, compare, to_lab
from referee.counting.naming import likeness, look_of
from referee.counting.propose import drop_doubles, find_details, vote
from referee.counting.tally import CountedCard, Doubt, Tally
from referee.decks import LearntBack, format_decks
from referee.game.cards import BACKS
from referee.layout import Pose
from referee.synth import art
from referee.synth.spread import SpreadSpec, make_spread

STYLE = art.ArtStyle.sample(np.random.default_rng(11))


def picture_of(index, scale=2.0):
    return np.ascontiguousarray(art.draw_back(BACKS[index], STYLE, scale)[..., :3])


def run(*arguments):
    return CliRunner().invoke(main, [str(item) for item in arguments])


def test_picture_without_cards_is_one_clear_line(tmp_path):
    cv2.imwrite(str(tmp_path / "table.png"), np.full((300, 400, 3), 120, np.uint8))
    result = run("count", tmp_path / "table.png")
    assert result.exit_code == 1
    assert "no cards found" in result.output
    assert "Traceback" not in result.output


def test_damaged_deck_and_missing_picture_are_one_clear_line(tmp_path):
    (tmp_path / "decks.toml").write_text("version = 1\n[[deck]]\nname = 'x'\n")
    result = run("count", tmp_path / "a.png", "--deck", tmp_path / "decks.toml")
    assert result.exit_code == 1
    assert "decks.toml: deck 1" in result.output
    result = run("count", tmp_path / "a.png")
    assert result.exit_code == 1
    assert result.output.count("\n") == 1


class Counter:
    """Counts what it is told."""

    def __init__(self, *tallies):
        self.tallies = list(tallies)

    def count_heaps(self, images):
        return [self.tallies.pop(0) for _ in images]


def heap(number, deck="green-pump"):
    quad = np.array([[20, 20], [80, 20], [80, 110], [20, 110]], np.float32)
    return Tally((CountedCard(quad, deck, False, True),) * number, ())


@pytest.fixture
def counted(tmp_path, monkeypatch):
    """Count pictures in which so many cards lie."""

    def run_it(*numbers, more=()):
        counter = Counter(*map(heap, numbers))
        monkeypatch.setattr(commands, "CardCounter", lambda learnt: counter)
        places = [tmp_path / f"{n}.png" for n in range(len(numbers))]
        for place in places:
            cv2.imwrite(str(place), np.full((120, 120, 3), 120, np.uint8))
        return run("count", *places, *more)

    return run_it


def test_more_cards_than_a_deck_has_are_said_and_never_sure(counted):
    result = counted(41)
    assert "(not sure)" in result.output
    assert "41 cards of green-pump, but a deck has 40: was a heap counted twice?" in result.output
    both = counted(30, 30)
    assert both.output.count("(not sure)") == 1
    assert "60 cards of green-pump" in both.output
    record = json.loads(counted(41, more=["--json"]).output)
    assert record["sure"] is False
    assert "41 cards of green-pump" in record["problems"][0]


def test_an_ordinary_deck_has_more_cards(counted, tmp_path):
    back = LearntBack("poker", np.full((178, 127, 3), 90, np.uint8), (63.5, 88.9))
    (tmp_path / "decks.toml").write_text(format_decks([back]))
    assert "(not sure)" not in counted(52, more=["--deck", tmp_path / "decks.toml"]).output
    assert "53 cards" in counted(53, more=["--deck", tmp_path / "decks.toml"]).output


def test_two_learnt_decks_with_one_back_are_one_clear_line(tmp_path):
    back = picture_of(0)
    decks = [LearntBack(name, cv2.resize(back, (114, 178)), (57.0, 89.0)) for name in ("one", "other")]
    (tmp_path / "decks.toml").write_text(format_decks(decks))
    result = run("count", tmp_path / "a.png", "--deck", tmp_path / "decks.toml")
    assert result.exit_code == 1
    assert "one and other have the same back" in result.output
    assert result.output.count("\n") == 1


def test_details_find_a_card_wherever_it_lies():
    back = picture_of(0)
    height, width = back.shape[:2]
    design = find_details(back, 2.0, (-width / 4, -height / 4))
    c, s = np.cos(np.radians(40)), np.sin(np.radians(40))
    turn = np.array([[c, -s], [s, c]])
    shift = np.array([260.0, 300.0]) - turn @ (np.array([width, height]) / 2 - 0.5)
    table = np.full((600, 520, 3), 70, np.uint8)
    cv2.warpAffine(back, np.column_stack([turn, shift]), (520, 600), table, borderMode=cv2.BORDER_TRANSPARENT)
    best = max(vote(find_details(table, 2.0, (0.0, 0.0)), design), key=lambda item: item.details)
    assert np.hypot(best.pose.x_mm - 130, best.pose.y_mm - 150) < 1.0
    assert abs((best.pose.angle_deg - 40 + 90) % 180 - 90) < 1.0


def test_poses_of_one_rectangle_are_one():
    assert len(drop_doubles([Pose(0, 0, 10), Pose(2, 1, 192), Pose(30, 0, 10), Pose(0, 0, 80)])) == 3


def test_designs_are_told_apart_in_any_light():
    size = (57, 89)
    looks = [look_of(LearntBack("x", picture_of(n), (57.0, 89.0)), size) for n in range(8)]
    for n in range(8):
        warm = np.clip(picture_of(n) * np.array([0.75, 0.9, 1.0]), 0, 255).astype(np.uint8)
        seen = look_of(LearntBack("x", warm, (57.0, 89.0)), size)
        scores = [likeness(seen, other) for other in looks]
        assert int(np.argmax(scores)) == n


def test_a_covered_half_does_not_count_against_a_design():
    lab = to_lab(cv2.resize(picture_of(2), (57, 89), interpolation=cv2.INTER_AREA))
    look = Look.of(lab, np.ones(lab.shape[:2], bool))
    covered = lab.copy()
    covered[:, 28:] = (60, 40, -30)
    mask = np.ones(lab.shape[:2], bool)
    assert compare(covered, mask, look)[0] < 0.3
    mask[:, 28:] = False
    assert compare(covered, mask, look)[0] > 0.95


def test_spread_is_known_to_the_card_and_the_same_each_time():
    spec = SpreadSpec(decks=(2, 3), cards=(4, 6), most_cards=8, width_px=640, height_px=480)
    first, again = make_spread(spec, 5), make_spread(spec, 5)
    assert np.array_equal(first.scenes[0].image, again.scenes[0].image)
    labels = [card.label for scene in first.scenes for card in scene.cards]
    assert {name: labels.count(f"back:{name}") for name in first.counts} == first.counts
    assert min(card.visible for scene in first.scenes for card in scene.cards) >= 0.48
    assert len(first.scenes) == -(-len(labels) // 8)


def test_drawing_leaves_the_picture_alone_and_marks_doubt():
    image = np.full((200, 300, 3), 100, np.uint8)
    quad = np.array([[20, 20], [80, 20], [80, 110], [20, 110]], np.float32)
    tally = Tally((CountedCard(quad, "green-pump", False, True),), (Doubt(quad + 120, "move these apart"),))
    drawn = draw_tally(image, tally)
    assert (image == 100).all()
    assert (drawn[170, 170] != 100).any()
    assert not tally.sure


@pytest.mark.slow
def test_a_loose_spread_is_counted_and_a_learnt_back_is_known(tmp_path):
    spec = SpreadSpec(
        decks=(2, 2), cards=(4, 5), width_px=960, height_px=736, heldout=True, degrade=0.4, tilt_deg=(0, 8), rows=0,
        aligned=0,
    )  # fmt: skip
    spread = make_spread(spec, 33000000)
    cv2.imwrite(str(tmp_path / "heap.png"), spread.scenes[0].image)
    name, sample = next(iter(spread.samples.items()))
    cv2.imwrite(str(tmp_path / "one.png"), sample.image)
    result = run("count", tmp_path / "heap.png", "--out", tmp_path / "drawn")
    assert result.exit_code == 0, result.output
    assert all(f"{deck} {number}" in result.output for deck, number in spread.counts.items())
    assert (tmp_path / "drawn" / "heap.png").exists()
    result = run("enroll", tmp_path / "one.png", "--out", tmp_path / "decks.toml", "--name", "mine")
    assert result.exit_code == 0, result.output
    result = run("count", tmp_path / "heap.png", "--deck", tmp_path / "decks.toml")
    assert f"mine {spread.counts[name]}" in result.output
