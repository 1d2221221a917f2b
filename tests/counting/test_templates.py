import cv2
import numpy as np
import pytest

from referee.counting.templates import Unnamed, borrow_clear, correlate, name_by_templates

SHAPE = (89, 57)
Y, X = np.indices(SHAPE, np.float32)
WHOLE = np.ones(SHAPE, bool)
RNG = np.random.default_rng(5)


def drawn(deck):
    """A card in Lab: paper, and a drawing that no other deck has; neither end is like the other."""
    card = np.tile(np.float32([130, 0, 5]), (*SHAPE, 1))
    color = np.float32({"red-plow": [70, 45, 25], "red-carriage": [70, 45, 25], "blue-pump": [60, 5, -40]}[deck])
    if deck.endswith("plow"):
        card[(np.abs(X - 28) < 4) & (np.abs(Y - 40) < 25)] = color
        card[(np.abs(Y - 20) < 4) & (np.abs(X - 28) < 18)] = color
    elif deck.endswith("carriage"):
        card[np.hypot(X - 28, Y - 30) < 15] = color
        card[np.hypot(X - 28, Y - 60) < 6] = color
    else:
        card[(np.abs(X - 20) < 6) & (np.abs(Y - 44) < 30)] = color
        card[(np.abs(X - 40) < 3) & (np.abs(Y - 30) < 12)] = color
    return card


def seen(deck, gain=1.0, turned=False):
    card = drawn(deck) * np.float32(gain) + RNG.normal(0, 3, (*SHAPE, 3)).astype(np.float32)
    return np.ascontiguousarray(card[::-1, ::-1]) if turned else card


def half(side):
    mask = WHOLE.copy()
    mask[:, X[0] < 26 if side == "left" else X[0] > 30] = False
    return mask


def table(*decks):
    """Three clear cards of each deck, read as what they are."""
    return [Unnamed(seen(deck, gain, turned), WHOLE, {deck: 0.95}, deck) for deck in decks for gain, turned in LIGHT]


LIGHT = ((1.0, False), (0.9, True), (1.1, False))


def name_last(crop, mask, belief, design, decks, elsewhere=None):
    return name_by_templates([*table(*decks), Unnamed(crop, mask, belief, design, elsewhere)])[-1]


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("turned", [False, True])
def test_half_a_card_that_is_misread_is_named_by_its_likeness(side, turned):
    crop = seen("red-carriage", 0.9, turned)
    crop[~half(side)] = 100
    decks = ("red-plow", "red-carriage", "blue-pump")
    deck, alike = name_last(crop, half(side), {"red-plow": 0.9, "red-carriage": 0.05}, "red-plow", decks)
    assert deck == "red-carriage"
    assert alike > 0.8


def test_a_card_whose_deck_has_no_clear_one_is_named_as_it_is_read_or_not_at_all():
    decks = ("red-plow", "blue-pump")
    assert name_last(seen("red-carriage"), half("left"), {"red-carriage": 0.9}, None, decks)[0] == "red-carriage"
    assert name_last(RNG.normal(100, 30, (*SHAPE, 3)), WHOLE, {}, None, decks)[0] is None
    assert name_by_templates([Unnamed(seen("red-plow"), WHOLE, {})]) == [(None, pytest.approx(np.nan, nan_ok=True))]
    assert name_by_templates([]) == []


def test_a_card_that_is_like_none_keeps_the_name_of_its_design():
    noise = RNG.normal(100, 30, (*SHAPE, 3)).astype(np.float32)
    assert name_last(noise, WHOLE, {"red-plow": 0.1}, "blue-pump", ("red-plow", "blue-pump"))[0] == "blue-pump"


def test_a_foreign_card_that_is_a_little_like_a_deck_is_not_its():
    foreign = 0.35 * drawn("blue-pump") + RNG.normal(80, 20, (*SHAPE, 3)).astype(np.float32)
    deck, alike = name_last(foreign.astype(np.float32), WHOLE, {}, None, ("red-plow", "blue-pump"))
    assert 0.15 < alike < 0.4
    assert deck is None


def test_a_deck_of_which_there_are_only_misread_cards_does_not_lie_here():
    misread = [Unnamed(seen("red-carriage", gain), half("left"), {"red-plow": 0.98}, "red-plow") for gain in (0.9, 1.1)]
    named = name_by_templates([*table("red-carriage", "blue-pump"), *misread])
    assert [deck for deck, _ in named[-2:]] == ["red-carriage"] * 2


def test_a_card_that_lies_elsewhere_is_known_by_the_pose_that_fits():
    off = np.roll(seen("blue-pump"), (9, 7), axis=(0, 1))
    decks = ("red-plow", "blue-pump")
    assert name_last(off, WHOLE, {}, None, decks)[1] < 0.7
    near = (np.array([off, seen("blue-pump")]), [WHOLE, WHOLE])
    deck, alike = name_last(off, WHOLE, {}, None, decks, elsewhere=near)
    assert deck == "blue-pump"
    assert alike > 0.9
    # A pose in which little of it shows says nothing.
    hidden = (np.array([seen("blue-pump")]), [half("left")])
    assert name_last(off, WHOLE, {}, None, decks, elsewhere=hidden)[1] < 0.7


def test_backs_that_differ_in_their_ground_alone_are_told_apart_by_it():
    ground = {"green-pail": (-40, 20), "yellow-pail": (0, 60)}

    def card(deck):
        hue = np.float32(ground[deck])
        inked = drawn("red-carriage")[..., 1:2] > 0
        return np.where(inked, np.float32([60, *(hue / 2)]), np.float32([130, *hue]))

    clear = [Unnamed(card(deck), WHOLE, {deck: 0.95}, deck) for deck in ground for _ in range(3)]
    misread = Unnamed(card("green-pail"), WHOLE, {"yellow-pail": 0.7, "green-pail": 0.02}, "yellow-pail")
    named = name_by_templates([*clear, misread])
    assert named[-1][0] == "green-pail"


def test_a_deck_that_shows_no_clear_card_here_is_known_by_those_of_another_picture():
    misread = Unnamed(seen("red-carriage"), half("left"), {"red-plow": 0.7, "red-carriage": 0.1}, "red-plow")
    here = [*table("red-plow", "blue-pump", "blue-pump"), misread]
    there = table("red-carriage", "blue-pump")
    borrowed = borrow_clear(here, [here, there])
    assert [card.design for card in borrowed] == ["red-carriage"] * 3
    assert name_by_templates(here)[-1][0] == "red-plow"
    named = name_by_templates(here, borrowed)
    assert len(named) == len(here)
    assert named[-1][0] == "red-carriage"


def test_cards_of_another_picture_that_were_measured_a_little_smaller_are_named_too():
    small = cv2.resize(seen("red-carriage", 0.9), (55, 86))
    shown = cv2.resize(half("left").astype(np.uint8), (55, 86)) > 0
    around = (np.array([np.full_like(small, 100), small]), [shown, shown])
    card = Unnamed(np.roll(small, (9, 7), axis=(0, 1)), shown, {"red-plow": 0.9}, "red-plow", around)
    deck, alike = name_by_templates([*table("red-plow", "red-carriage"), card])[-1]
    assert deck == "red-carriage"
    assert alike > 0.8


def test_correlation_is_blind_to_light_and_needs_enough_in_common():
    card = drawn("red-plow")
    crops = np.array([card, card * 0.5 + 20, drawn("blue-pump")])
    ones = np.ones((3, *SHAPE), np.float32)
    row = correlate(crops, ones, card[None], ones[:1])[0][:, 0]
    assert row[:2] == pytest.approx([1, 1], abs=1e-3)
    assert row[2] < 0.3
    few = np.zeros((1, *SHAPE), np.float32)
    few[0, :10, :10] = 1
    assert correlate(crops[:1], few, card[None], ones[:1])[0][0, 0] == -1
