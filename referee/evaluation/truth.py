"""Where cards really lie: the truth of photographs and of generated scenes.

A folder's `cards.json` is a list of `{"image": name, "cards": [...]}`; each card has a `quad` (px, clockwise) or a
`box` (left, top, right, bottom px), and may have `label`, `visible` (0..1) and `kind`. A generated data set has a
`truth_test.json` of the same form under `scenes`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..vision.frames import Quad
from ..vision.geometry import project

TRUTH_FILES = ("cards.json", "truth.json", "truth_test.json", "truth_val.json")


class TruthError(ValueError):
    """A truth file that can't be used; the message says what to change."""


@dataclass(frozen=True, slots=True, eq=False)
class TrueCard:
    """A card that is really there; `quad_px` is exact when `exact`, else an upright box around it.

    `tilt_deg` is the angle between the camera's axis and the table's normal, as the card's place shows it; None where
    the truth doesn't tell.
    """

    quad_px: Quad
    exact: bool
    label: str | None
    kind: str | None
    visible: float
    tilt_deg: float | None = None


def load_truth(path: Path) -> Iterator[tuple[Path, list[TrueCard]]]:
    """Give (picture, its cards) for each picture of a folder, or of a truth file.

    Raises
    ------
    TruthError
        If there is no truth file, or it doesn't have the form that this module's docstring describes.
    """
    places = [path / name for name in TRUTH_FILES] if path.is_dir() else [path]
    place = next((place for place in places if place.is_file()), None)
    if place is None:
        raise TruthError(f"{path}: none of {', '.join(TRUTH_FILES)} here: give a folder that has one")
    try:
        records = json.loads(place.read_text(encoding="utf-8"))
        # Drawn scenes count from the middle of the first pixel, detectors from its outer corner.
        shift = 0.5 if isinstance(records, dict) else 0.0
        scenes = records["scenes"] if isinstance(records, dict) else records
        parsed = [
            (place.parent / record["image"], [_true_card(card, shift, record) for card in record["cards"]])
            for record in scenes
        ]
    except OSError as error:
        raise TruthError(f"{place}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise TruthError(f"{place}: not a truth file ({type(error).__name__}: {error})") from error
    yield from parsed


def _tilt_deg(quad: Quad, scene: dict[str, Any]) -> float | None:
    """Give the tilt at a card from the scene's homography: a circle there looks like an ellipse of ratio cos(tilt)."""
    if "px_from_mm" not in scene:
        return None
    px_from_mm = np.array(scene["px_from_mm"], dtype=np.float64)
    at = project(np.linalg.inv(px_from_mm), quad.mean(axis=0))
    around = project(px_from_mm, at + np.array([[0.0, 0], [1, 0], [0, 1]]))
    spread = np.linalg.svd(np.stack([around[1] - around[0], around[2] - around[0]]), compute_uv=False)
    return float(np.degrees(np.arccos(np.clip(spread[1] / spread[0], 0.0, 1.0))))


def _true_card(record: dict[str, Any], shift_px: float, scene: dict[str, Any]) -> TrueCard:
    label = record.get("label")
    if "quad" in record:
        quad = np.array(record["quad"], dtype=np.float32).reshape(4, 2) + np.float32(shift_px)
    else:
        left, top, right, bottom = record["box"]
        quad = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], dtype=np.float32)
    kind = record.get("kind")
    if kind is None and label is not None:
        kind = "back" if str(label).startswith("back") else "face"
    return TrueCard(quad, "quad" in record, label, kind, float(record.get("visible", 1.0)), _tilt_deg(quad, scene))
