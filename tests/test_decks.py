from pathlib import Path

import numpy as np
import pytest

from referee.counting.naming import check_distinct
from referee.decks import DeckError, LearntBack, format_decks, load_decks, parse_decks
from referee.game.cards import BACKS
from referee.synth import art

STYLE = art.ArtStyle.sample(np.random.default_rng(4))


def back(index, name="mine", seat=None):
    return LearntBack(name, np.ascontiguousarray(art.draw_back(BACKS[index], STYLE, 2.0)[..., :3]), (57.0, 89.0), seat)


def test_decks_survive_their_file(tmp_path):
    path = tmp_path / "decks.toml"
    path.write_text(format_decks([back(0, 'the "old" one', 2), back(1, "Omas Karten")]), encoding="utf-8")
    first, second = load_decks([path])
    assert (first.name, first.seat, first.card_mm, second.name, second.seat) == (
        'the "old" one', 2, (57.0, 89.0), "Omas Karten", None,
    )  # fmt: skip
    assert np.abs(first.picture.astype(int) - back(0).picture).mean() < 4
    assert max(len(line) for line in path.read_text().splitlines()) <= 100


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text[: len(text) // 2], "damaged"),
        (lambda text: text.replace("version = 1", "version = 9"), "version 9"),
        (lambda text: text.replace("picture = ", "photo = "), "unknown key 'photo'"),
        (lambda text: text.replace("card_mm = [57, 89]", "card_mm = [5, 89]"), "card_mm"),
        (lambda text: text.replace('"""\n', '"""\nAAAA', 1), "damaged"),
        # What is left is still a picture, of a card that nobody has.
        (lambda text: "\n".join(row for n, row in enumerate(text.split("\n")) if n != 40), "damaged"),
        (lambda text: "version = 1\n", "at least one"),
        (lambda text: text.replace('name = "mine"', 'name = ""'), "name"),
    ],
)
def test_damaged_file_is_one_clear_line(change, says, tmp_path):
    path = tmp_path / "decks.toml"
    path.write_text(change(format_decks([back(0)])), encoding="utf-8")
    with pytest.raises(DeckError) as error:
        load_decks([path])
    assert says in str(error.value)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_file_from_before_checksums_is_still_read():
    old = "\n".join(row for row in format_decks([back(0)]).split("\n") if not row.startswith("check"))
    assert parse_decks(old)[0].name == "mine"


def test_missing_or_binary_file_is_told(tmp_path):
    with pytest.raises(DeckError, match="No such file"):
        load_decks([tmp_path / "none.toml"])
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(DeckError, match="no text file"):
        load_decks([tmp_path / "photo.jpg"])


def test_a_name_that_is_there_twice_is_refused(tmp_path):
    path = Path(tmp_path / "a.toml")
    path.write_text(format_decks([back(0)]))
    with pytest.raises(DeckError, match="twice"):
        load_decks([path, path])


def test_two_decks_with_one_back_are_refused_and_eight_designs_are_not():
    check_distinct([back(n, f"deck {n}") for n in range(8)])
    darker = LearntBack("other", np.clip(back(3).picture * 0.8, 0, 255).astype(np.uint8), (57.0, 89.0))
    with pytest.raises(DeckError, match="same back"):
        check_distinct([back(3), darker])


def test_parse_refuses_what_is_no_toml():
    with pytest.raises(DeckError, match="no deck file"):
        parse_decks("= =")
