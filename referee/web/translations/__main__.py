"""Bring all catalogues up to date: `python -m referee.web.translations` (needs Babel).

New sentences of the pages come into each `messages.po` untranslated; what is translated goes into `messages.mo`.
"""

from __future__ import annotations

from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

FOLDER = Path(__file__).parent
_METHODS = [("templates/**.html", "jinja2"), ("**.py", "python")]
_KEYWORDS = {"t": None, "tn": (1, 2), "_": None}


def extract() -> Catalog:
    """Give all sentences of the pages, in English."""
    catalog = Catalog(project="referee", charset="utf-8")
    found = extract_from_dir(FOLDER.parent, _METHODS, keywords=_KEYWORDS)
    for _, _, message, comments, context in found:
        catalog.add(message, None, auto_comments=comments, context=context)
    return catalog


def read_catalog(path: Path) -> Catalog:
    """Read a `messages.po`; its folder names the language."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name)


def main() -> None:
    """Update and compile every catalogue."""
    template = extract()
    for path in sorted(FOLDER.glob("*/LC_MESSAGES/messages.po")):
        catalog = read_catalog(path)
        catalog.update(template, no_fuzzy_matching=True)
        with path.open("wb") as file:
            write_po(file, catalog, omit_header=False, ignore_obsolete=True, sort_output=True, width=100)
        with path.with_suffix(".mo").open("wb") as file:
            write_mo(file, catalog)
        missing = sum(1 for message in catalog if message.id and not message.string)
        print(f"{catalog.locale}: {len(catalog)} sentences, {missing} not translated")


if __name__ == "__main__":
    main()
