"""Every house rule has a name, and every choice has words, in each language of the pages."""

from __future__ import annotations

import pytest

from referee.game.house_rules import OPTIONS, make_variant, parse_rule, rule_choices
from referee.game.variant import VariantError, get_variant
from referee.web.desk import rule_fields
from referee.web.language import LANGUAGES, get_language
from referee.web.rule_words import CHOICES, RULES, rule_words, value_words
from referee.web.sentences import translate

EN = get_language("en")
OTHERS = sorted(set(LANGUAGES) - {"en"})


def test_every_rule_and_every_choice_has_words() -> None:
    assert set(RULES) == set(OPTIONS)
    assert {(name, choice) for name in OPTIONS for choice in rule_choices(name)} == set(CHOICES) - {("rounds", "none")}
    assert len(set(RULES.values())) == len(RULES)
    for name in OPTIONS:
        words = [value_words(name, choice, EN) for choice in rule_choices(name)]
        assert len(set(words)) == len(words), name


@pytest.mark.parametrize("code", OTHERS)
def test_every_rule_and_every_choice_is_translated(code: str) -> None:
    language = get_language(code)
    for name in OPTIONS:
        assert rule_words(name, language) not in ("", RULES[name])
        for choice in rule_choices(name):
            assert value_words(name, choice, language) not in ("", CHOICES[name, choice]), (name, choice)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("preset", ["official", "family", "nertz", "nertz-simple"])
def test_form_of_a_new_game_names_no_rule_as_a_file_does(code: str, preset: str) -> None:
    fields = rule_fields(get_variant(preset), get_language(code))
    assert {field.name for field in fields} == set(OPTIONS) - {"target"}
    for field in fields:
        shown = [field.words, field.preset, *(words for _, words in field.choices)]
        named = {"true", "false", "none", *OPTIONS, *(choice for choice, _ in field.choices if "-" in choice)}
        assert not named & set(shown), field.name


@pytest.mark.parametrize(
    ("rules", "english", "french"),
    [
        (
            {"turn": "0"},
            "Cards turned at a time onto the Wood Pile: 0 is impossible: use 1 to 10",
            "Cartes retournées à la fois sur la pile de bois : 0 est impossible : de 1 à 10",
        ),
        ({"race_s": "soon"}, "'soon' is no number", "« soon » n’est pas un nombre"),
        ({"posts": "10", "blitz_cards": "40"}, "50 of 40 cards are laid out", "50 des 40 cartes"),
        ({"min_seats": "6", "max_seats": "3"}, "6 is more than", "6 joueurs au moins"),
    ],
)
def test_refusals_of_rules_are_told_in_the_viewers_words(rules, english: str, french: str) -> None:
    with pytest.raises(VariantError) as refused:
        make_variant(get_variant("official"), {name: parse_rule(name, text) for name, text in rules.items()})
    assert english in translate(str(refused.value), EN)
    assert french in translate(str(refused.value), get_language("fr"))
