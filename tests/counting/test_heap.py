from types import SimpleNamespace

import numpy as np

from referee.counting.heap import NamedDesign, lend_designs
from referee.counting.likeness import Look
from referee.counting.naming import FACE, UNKNOWN, Name
from referee.counting.propose import find_details

LOOK = Look.of(np.zeros((89, 57, 3), np.float32), np.ones((89, 57), bool))
DETAILS = find_details(np.zeros((8, 8, 3), np.uint8), 1.0, (0.0, 0.0))


def heap(*designs):
    return SimpleNamespace(designs=[NamedDesign(LOOK, DETAILS, Name(*name), cards) for *name, cards in designs])


def test_a_deck_that_shows_no_clear_card_in_a_picture_is_looked_for_by_the_best_design_of_the_others():
    heaps = [
        heap(("green-pump", 0.9, 4), ("blue-plow", 0.9, 2)),
        heap(("green-pump", 0.9, 9), ("red-pail", 0.8, 3)),
        heap(("red-pail", 0.8, 7)),
    ]
    first, second, third = lend_designs(heaps)
    assert [(item.name.deck, item.cards) for item in first[2:]] == [("red-pail", 7)]
    assert [(item.name.deck, item.cards) for item in second[2:]] == [("blue-plow", 2)]
    assert {(item.name.deck, item.cards) for item in third[1:]} == {("green-pump", 9), ("blue-plow", 2)}


def test_neither_faces_nor_doubtful_designs_are_looked_for_elsewhere():
    own = heap(("green-pump", 0.9, 4))
    other = heap((FACE, 0.9, 4), (UNKNOWN, 0.9, 4), ("red-pail", 0.7, 4))
    assert lend_designs([own, other])[0] == list(own.designs)
    assert lend_designs([own])[0] == list(own.designs)
