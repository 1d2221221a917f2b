"""Photographs without a layout."""

import numpy as np

from referee.vision.photo import holds_cards, odd_sized


def box(x, y, width, height):
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


def test_what_holds_several_cards_is_a_table():
    table, cards = box(0, 0, 600, 600), [box(100, 100, 57, 89), box(300, 300, 57, 89)]
    assert holds_cards(table, cards)
    assert not holds_cards(table, cards[:1])
    assert not holds_cards(cards[0], [table, cards[1]])
    assert not holds_cards(table, [cards[0], box(580, 300, 57, 89)])
    assert not holds_cards(box(90, 90, 110, 100), [cards[0], box(130, 100, 57, 89)]), "not much smaller"


CARDS = [box(100 * column, 130 * row, 57, 89) for row in range(2) for column in range(4)]


def test_half_of_a_card_is_too_small_among_whole_ones_and_two_as_one_too_large():
    half, double = box(450, 0, 57, 42), box(450, 130, 114, 89)
    assert odd_sized([*CARDS, half, double], range(10)) == [False] * 8 + [True, True]
    # What is not believed says nothing of the size, but is told all the same.
    assert odd_sized([*CARDS, *[half] * 20], range(8)) == [False] * 8 + [True] * 20


def test_cards_may_grow_toward_the_camera():
    far_and_near = [quad * (1 + y / 500) for quad in CARDS for y in (quad[0, 1], quad[0, 1] + 400)]
    assert not any(odd_sized(far_and_near, range(len(far_and_near))))


def test_few_cards_and_cards_of_two_sizes_say_nothing():
    half = box(450, 0, 57, 42)
    assert not any(odd_sized([*CARDS[:5], half], range(5)))
    large = [quad + np.multiply(quad - quad[0], 0.5) + 20 for quad in CARDS[1:6]]
    assert not any(odd_sized([*CARDS, *large, half], range(13)))
    assert odd_sized([half], []) == [False]
