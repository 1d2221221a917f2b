"""What the referee says is told whole in the viewer's language: no pattern takes another's sentence for its own."""

from __future__ import annotations

import re

import pytest

from referee.counting.blitz import Zone, judge_left
from referee.game.cards import Face
from referee.web.language import get_language
from referee.web.sentences import SENTENCES, translate

FR = get_language("fr")
VALUES = {"number": "3", "other": "4", "rule": "turn", "deck": "red-plow", "card": "R7", "pile": "d3"}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_every_sentence_is_known_by_its_own_pattern(sentence: str) -> None:
    names = set(re.findall(r"\{(\w+)\}", sentence))
    filled = sentence.format(**{name: VALUES.get(name, "5") for name in names})
    wanted = FR.t(sentence, **{name: translate(VALUES.get(name, "5"), FR) for name in names})
    assert translate(filled, FR) == wanted


@pytest.mark.parametrize(
    ("zone", "shown", "french"),
    [
        (Zone(), (), "rien n’est posé"),
        (Zone(frozenset({Face.parse("R7")})), (), "place 2"),
        (Zone(unread=2), (), "place 2"),
        (Zone(backs=1), (), "place 2"),
        (Zone(unread=11), (), "place 2"),
    ],
)
def test_what_is_said_of_a_blitz_pile_has_no_english_left(zone: Zone, shown: tuple[Face, ...], french: str) -> None:
    problem = judge_left(2, 4, 10, zone, frozenset(shown), confirmed=False).problem
    told = translate(problem, FR)
    assert problem
    assert french in told or "place 2" in told
    assert "Blitz Pile" not in told
    assert "card" not in told.replace("carte", "")
