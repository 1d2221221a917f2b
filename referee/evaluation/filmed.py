"""Cards of single frames of a film, seen through the layout as the referee sees them, beside where they really lie.

A round's folder has `film.mp4`, `layout.toml` and `frames.jsonl` (`referee simulate --frames`). Each frame is looked at
by an eye that has seen nothing before, as if the table had lain still for a moment.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..layout import LayoutError, TableLayout, load_layout
from ..vision.detector import YoloDetector
from ..vision.eye import TableEye
from ..vision.frames import Detection, Frame, Image, Observation
from ..vision.geometry import picture_from_mm
from ..vision.identifier import CardReader
from ..vision.photo import PhotoCard
from ..vision.sources import Film
from .truth import TrueCard, TruthError

FRAMES_FILE = "frames.jsonl"
_STEP_S = 1.0
_LOOKS = 12
_LOOK_S = 0.1

Shot = tuple[Path, Image, list[PhotoCard], list[TrueCard]]


def is_filmed(path: Path) -> bool:
    """Tell whether a folder holds a film with the truth of its frames."""
    return (path / FRAMES_FILE).is_file()


def film_shots(path: Path, detector: YoloDetector, reader: CardReader) -> Iterator[Shot]:
    """Give a frame a second of a round's film: its name, the picture, what was seen, what lies there.

    Cards on their way count neither as seen nor as missed.

    Raises
    ------
    TruthError
        If the layout or the frames' truth can't be used.
    SourceError
        If the film can't be read.
    """
    try:
        layout = load_layout(path / "layout.toml")
    except LayoutError as error:
        raise TruthError(str(error)) from error
    film = Film(path / "film.mp4")
    due_s = 0.0
    try:
        for number, (frame, line) in enumerate(zip(film.frames(), _lines(path / FRAMES_FILE), strict=False)):
            if frame.time_s < due_s:
                continue
            due_s += _STEP_S
            seen = _look(TableEye(layout, detector, reader), frame)
            found = [_in_picture(card, layout) for card in seen.cards]
            yield path / f"{path.name}-{number:05}.jpg", frame.image, found, _true_cards(line, path)
    finally:
        film.close()


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        yield from lines


def _look(eye: TableEye, frame: Frame) -> Observation:
    for number in range(_LOOKS):
        seen = eye.observe(replace(frame, time_s=number * _LOOK_S))
    return seen


def _in_picture(card: Detection, layout: TableLayout) -> PhotoCard:
    """Give a card's place in px from the first pixel's outer corner, which a layout doesn't count from."""
    quad = (picture_from_mm(layout, card.quad_mm) + 0.5).astype(np.float32)
    return PhotoCard(quad, card.kind, card.confidence, card.reading)


def _true_cards(line: str, path: Path) -> list[TrueCard]:
    try:
        return [_true_card(record) for record in json.loads(line)["cards"]]
    except (ValueError, KeyError, TypeError) as error:
        raise TruthError(f"{path / FRAMES_FILE}: not a film's truth ({type(error).__name__}: {error})") from error


def _true_card(record: dict[str, Any]) -> TrueCard:
    quad = np.array(record["quad_px"], dtype=np.float32).reshape(4, 2) + np.float32(0.5)
    label = str(record["label"])
    kind = "back" if label.startswith("back") else "face"
    resting = record["pile"] is not None
    return TrueCard(quad, True, label, kind, float(record["visible"]) if resting else 0.0)
