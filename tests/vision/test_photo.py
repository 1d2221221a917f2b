"""Photographs without a layout."""

import numpy as np

from referee.vision.photo import holds_cards


def test_what_holds_several_cards_is_a_table():
    def box(x, y, width, height):
        return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)

    table, cards = box(0, 0, 600, 600), [box(100, 100, 57, 89), box(300, 300, 57, 89)]
    assert holds_cards(table, cards)
    assert not holds_cards(table, cards[:1])
    assert not holds_cards(cards[0], [table, cards[1]])
    assert not holds_cards(table, [cards[0], box(580, 300, 57, 89)])
    assert not holds_cards(box(90, 90, 110, 100), [cards[0], box(130, 100, 57, 89)]), "not much smaller"
