"""Photographs without a layout."""

import numpy as np

from referee.vision.photo import holds_cards, is_part


def box(x, y, width, height):
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


def test_what_holds_several_cards_is_a_table():
    table, cards = box(0, 0, 600, 600), [box(100, 100, 57, 89), box(300, 300, 57, 89)]
    assert holds_cards(table, cards)
    assert not holds_cards(table, cards[:1])
    assert not holds_cards(cards[0], [table, cards[1]])
    assert not holds_cards(table, [cards[0], box(580, 300, 57, 89)])
    assert not holds_cards(box(90, 90, 110, 100), [cards[0], box(130, 100, 57, 89)]), "not much smaller"


def test_half_of_a_card_on_that_card_is_a_part_of_its_print():
    card, half = box(100, 100, 57, 89), box(100, 100, 57, 40)
    assert is_part(half, [card])
    assert is_part(half - (0, 9), [card]), "it sticks out a little"
    assert not is_part(half - (0, 15), [card])
    assert not is_part(card, [half])
    assert not is_part(box(120, 110, 57, 89), [card]), "a card on another one is as large"
    assert not is_part(card, [box(100, 100, 114, 89)]), "two cards side by side as one are no card"
