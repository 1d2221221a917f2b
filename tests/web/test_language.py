from __future__ import annotations

import io
import string

import pytest

from referee.web.language import LANGUAGES, get_language

extraction = pytest.importorskip("referee.web.translations.__main__", reason="needs Babel", exc_type=ImportError)
CATALOGUES = sorted(extraction.FOLDER.glob("*/LC_MESSAGES/messages.po"))


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_language_on_offer_has_a_catalogue() -> None:
    assert {path.parent.parent.name for path in CATALOGUES} | {"en"} == set(LANGUAGES)


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_every_sentence_is_translated_with_its_values(path) -> None:
    catalog = extraction.read_catalog(path)
    template = extraction.extract()
    assert len(template) > 100
    for message in template:
        known = catalog.get(message.id if isinstance(message.id, str) else message.id[0])
        if not message.id:
            continue
        assert known is not None, message.id
        ids = (known.id,) if isinstance(known.id, str) else known.id
        strings = (known.string,) if isinstance(known.string, str) else known.string
        for text in strings:
            assert text, message.id
            assert fields(text) <= fields(ids[-1])
        assert fields(strings[-1]) == fields(ids[-1]), message.id


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_what_is_shipped_was_made_from_the_catalogue(path) -> None:
    from babel.messages.mofile import write_mo

    fresh = io.BytesIO()
    write_mo(fresh, extraction.read_catalog(path))
    assert fresh.getvalue() == path.with_suffix(".mo").read_bytes(), "run python -m referee.web.translations"


def test_french_counts_nought_as_singular() -> None:
    french = get_language("fr")
    assert french.tn("{count} round", "{count} rounds", 0) == "0 manche"
    assert french.tn("{count} round", "{count} rounds", 1) == "1 manche"
    assert french.tn("{count} round", "{count} rounds", 2) == "2 manches"
    assert get_language("en").tn("{count} round", "{count} rounds", 0) == "0 rounds"


def test_names_with_braces_are_inserted_as_they_are() -> None:
    assert get_language("fr").t("Blitz! {name}", name="{total}") == "Blitz ! {total}"
    with pytest.raises(KeyError):
        get_language("xx")
