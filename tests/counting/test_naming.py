from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from referee.counting.likeness import Look
from referee.counting.naming import (
    UNKNOWN,
    Known,
    Name,
    call_card,
    choose_name,
    know_backs,
    likeliest,
    look_of,
    name_by_likeness,
    name_each,
    pool,
    typical_of,
)
from referee.decks import LearntBack
from referee.game.cards import BACKS
from referee.synth import art

STYLE = art.ArtStyle.sample(np.random.default_rng(11))
SIZE = (57, 89)


def back(index, name="mine"):
    picture = np.ascontiguousarray(art.draw_back(BACKS[index], STYLE, 2.0)[..., :3])
    return LearntBack(name, cv2.resize(picture, (114, 178), interpolation=cv2.INTER_AREA), (57.0, 89.0))


def toward(*parts):
    values = np.zeros(64, np.float32)
    values[: len(parts)] = parts
    return values / np.linalg.norm(values)


ONE, OTHER = Known(back(0, "one"), toward(1)), Known(back(3, "other"), toward(0, 1))


def test_a_design_is_named_by_embedding_and_drawing_together():
    name = name_by_likeness(look_of(back(0), SIZE), toward(1, 0.2), [ONE, OTHER])
    assert name.deck == "one"
    assert name.confidence > 0.9


def test_what_is_like_no_learnt_back_or_like_two_is_unknown():
    look = look_of(back(0), SIZE)
    assert name_by_likeness(look, toward(0, 0, 1), [ONE, OTHER]).deck == UNKNOWN
    twin = Known(ONE.back, ONE.embedding)
    assert name_by_likeness(look, toward(1), [ONE, twin]).deck == UNKNOWN
    assert name_by_likeness(look, toward(1), []).deck == UNKNOWN


def test_a_design_that_is_only_a_little_more_like_one_is_never_sure():
    plain = Look.of(np.full((89, 57, 3), 90, np.float32), np.ones((89, 57), bool))
    near = Known(OTHER.back, toward(1, 0.55))
    name = name_by_likeness(plain, toward(1, 0.05), [ONE, near])
    assert name.deck == "one"
    assert name.confidence < 0.75


def test_single_cards_are_named_where_that_is_clear():
    seen = np.array([toward(1, 0.1), toward(1, 0.85), toward(0, 0, 1), toward(0.1, 1)])
    assert name_each(seen, [ONE, OTHER]) == ["one", None, None, "other"]
    assert name_each(seen, [ONE, OTHER], likely=True) == ["one", "one", None, "other"]
    assert name_each(seen[:2], []) == [None, None]
    assert name_each(np.zeros((0, 64), np.float32), [ONE]) == []


def test_several_cards_are_pooled_to_unit_length():
    both = pool(np.array([toward(1), toward(0, 1)]))
    assert np.linalg.norm(both) == pytest.approx(1)
    assert both[0] == pytest.approx(both[1])


def test_learnt_pictures_are_read_as_whole_cards():
    seen = []

    def scores(crops):
        seen.extend(crops)
        return SimpleNamespace(embedding=np.eye(64, dtype=np.float32)[: len(crops)])

    known = know_backs(SimpleNamespace(scores=scores), [back(0, "one"), back(3, "other")])
    assert [(item.name, int(item.embedding.argmax())) for item in known] == [("one", 0), ("other", 1)]
    assert [crop.shape for crop in seen] == [(144, 96, 3)] * 2
    # The rim around the card repeats its edge: no crop has another ground in it.
    rim, edge = seen[0][:4, 40:56].astype(int), seen[0][9, 40:56]
    assert np.abs(rim - edge).mean() < 12
    assert know_backs(SimpleNamespace(scores=scores), []) == ()


@pytest.mark.parametrize(
    ("read", "alike", "chosen"),
    [
        # A deck that wasn't learnt is a little like the only one that was.
        (Name("yellow-pail", 0.9), Name("mine", 0.7), Name("yellow-pail", 0.9)),
        (Name("yellow-pail", 0.9), Name("mine", 0.95), Name("mine", 0.7)),
        (Name("yellow-pail", 0.65), Name("mine", 0.95), Name("mine", 0.95)),
        (Name(UNKNOWN, 0.5), Name("mine", 0.95), Name("mine", 0.95)),
        (Name("mine", 0.9), Name(UNKNOWN, 0.5), Name("mine", 0.7)),
        (Name("yellow-pail", 0.9), Name(UNKNOWN, 0.5), Name("yellow-pail", 0.9)),
        (Name(UNKNOWN, 0.5), Name(UNKNOWN, 0.5), Name(UNKNOWN, 0.5)),
    ],
)
def test_reader_and_likeness_agree_on_a_name(read, alike, chosen):
    assert choose_name(read, alike, {"mine"}) == chosen


@pytest.mark.parametrize(("angle_deg", "deck"), [(10, "pump"), (52, "pail"), (80, "pail"), (170, None)])
def test_a_half_covered_card_is_most_likely_of_a_deck_that_lies_here(angle_deg, deck):
    typical = {"pump": np.array([1, 0], np.float32), "pail": np.array([0, 1], np.float32)}
    turn = np.radians(angle_deg)
    assert likeliest(np.array([np.cos(turn), np.sin(turn)], np.float32), typical) == deck


def test_where_no_deck_lies_a_card_is_like_none():
    assert likeliest(np.array([1, 0], np.float32), {}) is None


def test_what_is_typical_comes_from_cards_that_are_read_as_they_are_named():
    decks = ["blue-pump", "blue-pump", "blue-pump", None, "red-plow"]
    labels = ["back:blue-pump", "back:blue-pump", "back:green-pump", "back:red-plow", None]
    embeddings = np.stack([toward(1, 0.2), toward(1, -0.2), toward(0, 1), toward(0, 0, 1), toward(0, 0, 1)])
    typical = typical_of(decks, labels, embeddings)
    assert list(typical) == ["blue-pump"]
    assert typical["blue-pump"] == pytest.approx(toward(1), abs=1e-6)


TYPICAL = {"pump": toward(1, 0), "pail": toward(0, 1)}


@pytest.mark.parametrize(
    ("deck", "label", "embedding", "learnt", "called"),
    [
        ("pump", "back:pail", toward(1, 0), (), "pail"),
        ("pump", None, toward(0.1, 1), (), "pail"),
        ("pump", None, toward(0.9, 1), (), "pump"),
        ("pump", None, toward(0, 0, 1), (), "pump"),
        (None, None, toward(1, 0.1), (), "pump"),
        (None, None, toward(0, 0.2, 1), (), None),
        (None, "back:red-plow", toward(1, 0), ("pump",), "red-plow"),
        ("pump", "back:red-plow", toward(1, 0), ("pump",), "pump"),
        ("pump", "back:pail", toward(0, 1), ("pump", "pail"), "pump"),
        (None, "back:pail", toward(0, 1), ("pump", "pail"), "pail"),
        ("pump", "R7", toward(0, 1), (), "pump"),
    ],
)
def test_a_card_is_called_what_it_is_read_as_or_else_is_most_like(deck, label, embedding, learnt, called):
    assert call_card(deck, label, embedding, TYPICAL, frozenset(learnt)) == called
