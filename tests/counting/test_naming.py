from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from referee.counting.likeness import Look
from referee.counting.naming import (
    UNKNOWN,
    Known,
    Name,
    choose_name,
    know_backs,
    look_of,
    name_by_likeness,
    name_each,
    pool,
    rate_eight,
    rate_learnt,
)
from referee.decks import LearntBack
from referee.game.cards import BACKS
from referee.synth import art
from referee.vision.identifier import HEADS, Scores

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


def scores_of(rows, embeddings):
    """Scores of crops: for each the kind of side, and how sure symbol and colour are."""
    kinds = [[0.0, back, 1 - back] for back, _, _ in rows]
    symbols = [[sure if name == symbol else 0.0 for name in HEADS["symbol"]] for _, (symbol, sure), _ in rows]
    colors = [[sure if name == color else 0.0 for name in HEADS["back_color"]] for _, _, (color, sure) in rows]
    count = len(rows)
    tables = [np.array(table, np.float32) for table in (kinds, symbols, colors)]
    empty = np.zeros((count, 0), np.float32)
    return Scores(
        kind=tables[0], color=empty, number=empty, symbol=tables[1], back_color=tables[2],
        embedding=np.array(embeddings, np.float32), corners_px=np.zeros((count, 4, 2), np.float32),
    )  # fmt: skip


def test_each_of_the_eight_is_as_likely_as_side_symbol_and_colour_together():
    scores = scores_of([(0.9, ("plow", 0.8), ("red", 0.5))], [toward(1)])
    likely = rate_eight(scores)[0]
    assert likely["red-plow"] == pytest.approx(0.36)
    assert sum(likely.values()) == pytest.approx(0.36)


def test_learnt_backs_are_as_likely_as_their_cosines_say():
    known = [Known(back(0, "a"), toward(1)), Known(back(3, "b"), toward(0, 1))]
    scores = scores_of([(1.0, ("other", 1), ("other", 1))] * 3, [toward(1, 0.1), toward(1, 1), toward(0, 0, 1)])
    rows = rate_learnt(scores, known)
    assert rows[0]["a"] > 0.95
    assert rows[0]["b"] < 0.05
    assert rows[1]["a"] == pytest.approx(rows[1]["b"])
    assert max(rows[2].values()) < 0.05
    assert rate_learnt(scores, []) == [{}, {}, {}]
