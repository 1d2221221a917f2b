"""What the commands about seeing do; the command line only parses and prints.

Every problem of sources, models and pictures becomes a `VisionProblem`, one line that says what to do.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import cv2

from .eye import EyeError
from .frames import Image
from .inference import ModelError
from .overlay import draw_cards, short_label
from .photo import PhotoCard, PhotoReader
from .sources import SourceError, find_pictures, read_image


class VisionProblem(RuntimeError):
    """Anything that a person can put right; the message says how."""


@contextmanager
def problems() -> Iterator[None]:
    """Turn every error that a person can put right into a `VisionProblem`."""
    try:
        yield
    except (SourceError, ModelError, EyeError) as error:
        raise VisionProblem(str(error)) from error
    except OSError as error:
        raise VisionProblem(f"{error.filename or 'file'}: {error.strerror or error}") from error


def to_record(name: str, cards: Sequence[PhotoCard]) -> dict[str, object]:
    """Give the JSON object of one picture, as `identify --json` writes it."""
    return {
        "image": name,
        "cards": [
            {
                "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in card.quad_px],
                "label": card.reading.label,
                "confidence": round(float(card.confidence * max(card.reading.confidence, 0.5)), 4)
                if card.reading.label is None
                else round(float(card.reading.confidence), 4),
            }
            for card in cards
        ],
    }


def save_picture(image: Image, place: Path) -> None:
    """Write a picture file.

    Raises
    ------
    OSError
        If the folder can't be made or the file can't be written.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    kind = place.suffix if place.suffix.lower() in (".png", ".jpg", ".jpeg") else ".jpg"
    done, data = cv2.imencode(kind, image)
    if not done:
        raise OSError(None, "the picture can't be encoded", str(place))
    place.with_suffix(kind).write_bytes(data.tobytes())


def expand(paths: Sequence[Path]) -> list[Path]:
    """Give the picture files that paths name, folders replaced by their pictures.

    Raises
    ------
    SourceError
        If a folder can't be read or has no picture.
    """
    result: list[Path] = []
    for path in paths:
        if path.is_dir():
            pictures = find_pictures(path)
            if not pictures:
                raise SourceError(f"{path}: no pictures in this folder: give JPEG or PNG files")
            result += pictures
        else:
            result.append(path)
    return result


def identify_pictures(paths: Sequence[Path], as_json: bool, draw: Path | None) -> Iterator[str]:
    """Find and read the cards of pictures; give the lines to print.

    A picture that can't be read doesn't hide the others: it is reported after them.

    Raises
    ------
    VisionProblem
        If a model can't be used, or when at least one picture couldn't be read.
    """
    with problems():
        places = expand(paths)
        reader = PhotoReader()
    bad: list[str] = []
    for place in places:
        try:
            image = read_image(place)
        except SourceError as error:
            bad.append(str(error))
            continue
        with problems():
            cards = reader.read(image)
            if as_json:
                yield json.dumps(to_record(str(place), cards))
            else:
                yield f"{place}: {_in_words(cards)}"
            if draw is not None:
                seen = [(card.quad_px, card.kind, card.reading) for card in cards]
                save_picture(draw_cards(image, seen), draw / place.name)
    if bad:
        raise VisionProblem("; ".join(bad))


def _in_words(cards: Sequence[PhotoCard]) -> str:
    if not cards:
        return "no cards"
    ordered = sorted(cards, key=lambda card: (round(card.quad_px[:, 1].mean() / 100), card.quad_px[:, 0].mean()))
    names = [f"{short_label(card.reading, card.kind)} {card.reading.confidence:.0%}" for card in ordered]
    return f"{len(cards)} card{'s' if len(cards) > 1 else ''}: {', '.join(names)}"
