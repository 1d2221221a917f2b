from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.game.cards import BACKS, FACES, ORDINARY_FACES, Back, Color, Face, Suit
from referee.synth.art import FAMILIES, HELD_OUT, ArtStyle, draw_back, draw_face, draw_ordinary, draw_other_back
from referee.synth.art.backs import _spots
from referee.synth.art.faces import draw_face_and_boxes
from referee.synth.art.numerals import DRAWN, HELD_OUT_FONTS, NumeralStyle, fonts, shape
from referee.synth.art.objects import DRAWINGS
from referee.synth.art.outlines import flatten
from referee.synth.art.patterns import KINDS

SCALE = 1.5


def style_of(seed: int, family: str | None = None, heldout: bool = False) -> ArtStyle:
    return ArtStyle.sample(np.random.default_rng(seed), family, heldout)


def distance(first: np.ndarray, second: np.ndarray) -> float:
    return float(np.abs(first[..., :3].astype(int) - second[..., :3].astype(int)).mean())


def test_same_seed_same_bytes():
    for draw in (
        lambda s: draw_face(FACES[6], s),
        lambda s: draw_back(BACKS[2], s),
        lambda s: draw_ordinary(ORDINARY_FACES[30], s),
    ):
        assert np.array_equal(draw(style_of(5)), draw(style_of(5)))
    assert style_of(5) == style_of(5)
    assert np.array_equal(draw_other_back(np.random.default_rng(1)), draw_other_back(np.random.default_rng(1)))
    assert not np.array_equal(draw_face(FACES[6], style_of(5)), draw_face(FACES[6], style_of(6)))


@pytest.mark.parametrize("px_per_mm", [0.9, 1.3, 4.0, 8.0])
def test_size_follows_the_scale(px_per_mm):
    style = style_of(1)
    for picture in (draw_face(FACES[0], style, px_per_mm), draw_back(BACKS[0], style, px_per_mm)):
        assert picture.dtype == np.uint8
        assert picture.shape == (round(89 * px_per_mm), round(57 * px_per_mm), 4)


def test_corners_are_round_and_the_rest_is_opaque():
    alpha = draw_face(FACES[0], style_of(1))[..., 3]
    assert alpha[0, 0] == alpha[0, -1] == alpha[-1, 0] == alpha[-1, -1] == 0
    assert (alpha[20:-20, 20:-20] == 255).all()
    assert alpha[0, alpha.shape[1] // 2] == 255
    missing_mm2 = (1 - alpha.astype(float) / 255).sum() / 16
    radius = style_of(1).surface.corner_mm
    assert missing_mm2 == pytest.approx((4 - np.pi) * radius**2, rel=0.15)


@pytest.mark.parametrize("label", ["R7", "B10", "Y1", "G6"])
def test_classic_faces_are_the_same_turned_by_180_degrees(label):
    for seed in range(4):
        clean = draw_face(Face.parse(label), style_of(seed, "classic").clean())
        assert distance(clean, np.rot90(clean, 2)) < 2.5


def test_upper_numeral_of_a_classic_face_stands_upright():
    style = replace(style_of(3, "classic").clean(), numerals=NumeralStyle("cormorant-700"))
    six, nine = (draw_face(Face.parse(label), style) for label in ("B6", "B9"))
    top = slice(30, 80)
    middle = slice(90, 138)
    # A 6 has more ink below than above, a 9 the other way round.
    weights = []
    for card in (six, nine):
        dark = (card[top, middle, :3].max(axis=2) < 90).sum(axis=1)
        rows = np.flatnonzero(dark)
        assert rows.size > 10
        half = (rows[0] + rows[-1]) // 2
        weights.append(dark[half:].sum() / dark[:half].sum())
    assert weights[0] > 1.15 > 1 / 1.15 > weights[1]


@pytest.mark.parametrize("family", FAMILIES + HELD_OUT)
def test_all_forty_faces_of_a_family_differ(family):
    style = style_of(11, family).clean()
    pictures = [draw_face(face, style, SCALE) for face in FACES]
    for i, first in enumerate(pictures):
        for second in pictures[:i]:
            assert distance(first, second) > 0.3


def test_families_differ_and_unknown_ones_are_refused():
    pictures = [draw_face(FACES[12], style_of(2, family).clean(), SCALE) for family in FAMILIES + HELD_OUT]
    for i, first in enumerate(pictures):
        assert all(distance(first, second) > 4 for second in pictures[:i])
    with pytest.raises(ValueError, match="choose from classic"):
        style_of(1, "baroque")


def test_inks_stay_within_the_colours_that_people_call_so():
    hues = {Color.RED: (-20, 24), Color.YELLOW: (36, 68), Color.GREEN: (85, 172), Color.BLUE: (190, 236)}
    for seed in range(300):
        style = style_of(seed)
        for color, (low, high) in hues.items():
            pixel = np.array([[style.ink(color)]], np.float32) / 255
            hue, saturation, value = cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV)[0, 0]
            hue = hue - 360 if hue > 300 else hue
            assert low < hue < high, (seed, color, hue)
            assert saturation > 0.35
            assert value > 0.25


def test_ground_of_a_classic_face_has_its_ink():
    style = style_of(4, "classic").clean()
    for color in Color:
        picture = draw_face(Face(color, 5), style)
        patch = picture[100:130, 12:30, :3].reshape(-1, 3).mean(axis=0)
        assert np.abs(patch - style.ink(color)).max() < 8


def test_training_never_draws_what_is_held_out():
    for seed in range(200):
        style = style_of(seed)
        assert style.family in FAMILIES
        assert style.numerals.font not in HELD_OUT_FONTS
    held = [style_of(seed, heldout=True) for seed in range(60)]
    assert {style.numerals.font for style in held} <= set(HELD_OUT_FONTS)
    assert {style.family for style in held} >= set(HELD_OUT)
    assert not set(HELD_OUT) & set(FAMILIES)
    assert set(HELD_OUT_FONTS) <= set(fonts())


@pytest.mark.parametrize("font", [DRAWN, *fonts()])
def test_every_font_has_ten_distinct_numerals_of_sane_size(font):
    masks = []
    for number in range(1, 11):
        pieces = shape(NumeralStyle(font, design=3), str(number))
        canvas = np.zeros((80, 120), np.uint8)
        for piece in pieces:
            layer = np.zeros_like(canvas)
            cv2.fillPoly(layer, [np.round(c * 40 + (60, 40)).astype(np.int32) for c in piece], 255)
            canvas = np.maximum(canvas, layer)
        points = np.vstack([c for piece in pieces for c in piece])
        width, height = np.ptp(points, axis=0)
        assert 0.4 < height < 1.75
        assert 0.02 < width < 2.2
        masks.append(canvas > 0)
    for i, first in enumerate(masks):
        for second in masks[:i]:
            assert (first & second).sum() / (first | second).sum() < 0.93


def test_numeral_boxes_hold_the_numerals():
    for family in FAMILIES + HELD_OUT:
        style = style_of(8, family).clean()
        one, boxes = draw_face_and_boxes(Face.parse("R3"), style)
        assert len(boxes) >= 2 or family == "oval"
        other = draw_face(Face.parse("R8"), style)
        changed = (np.abs(one[..., :3].astype(int) - other[..., :3]).max(axis=2) > 60).astype(np.uint8)
        if family == "pips":
            continue
        for x, y, w, h in boxes:
            left, right = (int((57 / 2 + x + side * w / 2) * 4) for side in (-1, 1))
            top, bottom = (int((89 / 2 + y + side * h / 2) * 4) for side in (-1, 1))
            assert changed[max(0, top) : bottom, max(0, left) : right].sum() > 15, family
            assert min(left, top) >= 0
            assert right <= 228
            assert bottom <= 356


def test_backs_of_the_eight_decks_differ_in_object_and_colour():
    for seed in range(3):
        pictures = [draw_back(back, style_of(seed).clean(), SCALE) for back in BACKS]
        for i, first in enumerate(pictures):
            assert all(distance(first, second) > 0.8 for second in pictures[:i])


def test_every_symbol_has_several_drawings_and_a_stranger_is_refused():
    assert all(len(drawings) >= 10 for drawings in DRAWINGS.values())
    with pytest.raises(ValueError, match="choose from pump"):
        draw_back(Back(Color.RED, "barn"), style_of(1))


@pytest.mark.parametrize("symbol", DRAWINGS)
def test_drawings_fill_their_square_and_differ_from_seed_to_seed(symbol):
    for draw in DRAWINGS[symbol]:
        spans = []
        for seed in range(30):
            points = np.vstack([contour for part in draw(np.random.default_rng(seed)) for contour in part.contours])
            assert np.abs(points).max() <= 1.06
            spans.append(np.ptp(points, axis=0).max())
        assert min(spans) > 1.4
        first, second = (draw(np.random.default_rng(seed)) for seed in (1, 2))
        assert str(first) != str(second)


def test_backs_show_one_object_two_or_many_but_only_the_first_two_when_held_out():
    def counts(heldout: bool) -> set[int]:
        styles = [style_of(seed, heldout=heldout) for seed in range(60)]
        return {len(_spots("pail", style, style.rng("back"))[0]) for style in styles}

    assert counts(heldout=True) == {1, 2}
    assert {1, 2, 5} < counts(heldout=False)


def test_other_backs_come_in_every_kind():
    pictures = [draw_other_back(np.random.default_rng(3), SCALE, style_of(1), kind) for kind in KINDS]
    for i, first in enumerate(pictures):
        assert all(distance(first, second) > 3 for second in pictures[:i])


def test_ordinary_faces_all_differ_and_are_mostly_white():
    style = style_of(9).clean()
    pictures = [draw_ordinary(face, style, SCALE) for face in ORDINARY_FACES]
    for i, first in enumerate(pictures):
        assert all(distance(first, second) > 0.25 for second in pictures[:i])
    for face, picture in zip(ORDINARY_FACES, pictures, strict=True):
        assert (picture[..., :3].min(axis=2) > 190).mean() > (0.3 if face.number > 10 else 0.6)
    assert draw_ordinary(Face(Suit.HEARTS, 12), np.random.default_rng(4)).shape == (356, 254, 4)


def test_faces_of_the_wrong_game_are_refused():
    with pytest.raises(ValueError, match="use draw_ordinary"):
        draw_face(Face(Suit.HEARTS, 12), style_of(1))
    with pytest.raises(ValueError, match="use draw_face"):
        draw_ordinary(FACES[0], style_of(1))


def test_wear_only_changes_a_card_a_little():
    for seed in range(8):
        style = style_of(seed, "classic")
        assert 0.2 < distance(draw_face(FACES[7], style), draw_face(FACES[7], style.clean())) < 60


def test_outlines_flatten_curves_of_both_kinds():
    """A circle of four TrueType curves and one of four cubic ones have a circle's area."""
    quadratic = [("qCurveTo", ((1, 1), (-1, 1), (-1, -1), (1, -1), None)), ("closePath", ())]
    k = 0.5523
    cubic = [
        ("moveTo", ((1, 0),)),
        ("curveTo", ((1, k), (k, 1), (0, 1))),
        ("curveTo", ((-k, 1), (-1, k), (-1, 0))),
        ("curveTo", ((-1, -k), (-k, -1), (0, -1))),
        ("curveTo", ((k, -1), (1, -k), (1, 0))),
        ("closePath", ()),
    ]
    for operations, area in ((quadratic, 10 / 3), (cubic, np.pi)):
        (contour,) = flatten(operations)
        assert cv2.contourArea(contour.astype(np.float32)) == pytest.approx(area, rel=0.03)
