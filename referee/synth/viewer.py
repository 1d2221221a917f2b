"""Looks at scenes: draws their truth, makes contact sheets, shows each effect alone.

python -m referee.synth.viewer truth DATASET [SPLIT] --out DIR   # truth over a data set's pictures
python -m referee.synth.viewer sheet docs/scenes.jpg             # a contact sheet
python -m referee.synth.viewer effects docs/effects.jpg          # one effect a picture
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click
import cv2
import numpy as np

from ..vision.frames import Image
from .dataset import LABEL_VISIBLE, DatasetError
from .degrade import Degradation, degrade
from .light import HELDOUT_PATTERNS, Light, tint
from .scene import CardTruth, SceneSpec, make_scene

FACE_COLOR, BACK_COLOR, HIDDEN_COLOR = (60, 220, 60), (230, 60, 230), (120, 120, 120)


def draw_truth(image: Image, cards: Sequence[CardTruth], labels: bool = True) -> Image:
    """Give a copy with every card's quad, its top edge thick, its label and visible share.

    Cards that are not labelled for training (see `LABEL_VISIBLE`) are grey, those without a visible pixel left out.
    """
    drawn = image.copy()
    for card in cards:
        if card.visible <= 0:
            continue
        color = FACE_COLOR if card.kind == "face" else BACK_COLOR
        if card.visible < LABEL_VISIBLE:
            color = HIDDEN_COLOR
        points = np.round(card.quad_px * 16).astype(np.int32)
        cv2.polylines(drawn, [points], True, color, 1, cv2.LINE_AA, 4)
        cv2.line(drawn, tuple(map(int, points[0])), tuple(map(int, points[1])), color, 2, cv2.LINE_AA, 4)
        if labels and card.visible >= LABEL_VISIBLE:
            x, y = card.quad_px.mean(0)
            text = f"{card.label or '?'} {card.visible:.0%}"
            for ink, width in (((0, 0, 0), 3), (color, 1)):
                cv2.putText(drawn, text, (int(x) - 24, int(y)), cv2.FONT_HERSHEY_SIMPLEX, 0.36, ink, width, cv2.LINE_AA)
    return drawn


def tile(
    pictures: Sequence[Image], columns: int, side_px: int, captions: Sequence[str] = (), high_px: int | None = None
) -> Image:
    """Put pictures in a grid, each shrunk to fit a cell of `side_px` by `high_px` (None: a square)."""
    high_px = high_px or side_px
    cells = []
    for index, picture in enumerate(pictures):
        height, width = picture.shape[:2]
        k = min(side_px / width, high_px / height)
        small = cv2.resize(picture, (round(width * k), round(height * k)), interpolation=cv2.INTER_AREA)
        cell = np.full((high_px, side_px, 3), 28, np.uint8)
        y, x = (high_px - small.shape[0]) // 2, (side_px - small.shape[1]) // 2
        cell[y : y + small.shape[0], x : x + small.shape[1]] = small
        if index < len(captions):
            for ink, wide in (((0, 0, 0), 3), ((255, 255, 255), 1)):
                at = (6, high_px - 8)
                cv2.putText(cell, captions[index], at, cv2.FONT_HERSHEY_SIMPLEX, 0.42, ink, wide, cv2.LINE_AA)
        cells.append(cell)
    while len(cells) % columns:
        cells.append(np.full((high_px, side_px, 3), 28, np.uint8))
    return np.vstack([np.hstack(cells[i : i + columns]) for i in range(0, len(cells), columns)])


def contact_sheet(seed: int = 12_000, columns: int = 6, rows: int = 5, side_px: int = 256) -> Image:
    """Draw scenes of all sorts whose seeds lie far apart, so that no two share art or tables."""
    spec = SceneSpec(table=0.4, photo=0.4, count=0.12, empty=0.08)
    pictures = [make_scene(spec, seed + 131 * i).image for i in range(columns * rows)]
    return tile(pictures, columns, side_px)


def effects_page(seed: int = 45_259, side_px: int = 210, columns: int = 3) -> Image:
    """Draw one plain scene beside the same scene with one effect, for every effect."""
    spec = SceneSpec(
        table=0.0, photo=1.0, empty=0.0, lens=0.0, width_px=(448, 448), height_px=(448, 448), clutter=(6, 6),
        photo_card_px=(80.0, 80.0), photo_cards=(4, 4), photo_tilt_deg=(0.0, 0.0), without=_SCENE_EFFECTS,
    )  # fmt: skip

    def without(*names: str) -> Image:
        return make_scene(replace(spec, without=names), seed).image

    plain = without(*_SCENE_EFFECTS)
    shown = {
        name: without(*(other for other in _SCENE_EFFECTS if other != name))
        for name in _SCENE_EFFECTS
        if name not in ("faults", "shadows")
    }
    shown["camera at 45 degrees"] = make_scene(replace(spec, photo_tilt_deg=(45.0, 45.0)), seed).image
    shown["lens"] = make_scene(replace(spec, lens=0.3), seed).image
    for name, gain in _lights(plain).items():
        shown[name] = degrade(plain, Degradation(), np.random.default_rng(1), gain)
    for name, fault in _FAULTS.items():
        shown[name] = degrade(plain, fault, np.random.default_rng(1))
    pairs = [(plain, picture) for picture in shown.values()]
    # Shadows need something that stands up.
    pairs.append((without("shadows", "light", "faults"), without("light", "faults")))
    cells = [np.hstack([_fit(picture, side_px) for picture in pair]) for pair in pairs]
    return tile(cells, columns, 2 * side_px, (*shown, "shadows"), side_px)


def _lights(plain: Image) -> dict[str, np.ndarray]:
    """Give light fields (H, W, 3) by name: of training, and those that are held out."""
    size = (plain.shape[1], plain.shape[0])
    even = Light(0.0, 0.0, 0.0, 0.0, np.ones(3, np.float32), None, 1.0, 0.0)
    lamp, sky = (np.broadcast_to(tint(kelvin), (size[1], size[0], 3)) for kelvin in (2700.0, 6500.0))
    share = np.linspace(0, 1, size[0], dtype=np.float32)[None, :, None]
    fields = {"lamp of 2700 K": lamp, "sky of 6500 K": sky, "lamp and window": lamp * (1 - share) + sky * share}
    # Seeds under which the field has the window, the leaves, the pool of a lamp.
    for name, number in {"pool of light": 18, "sun and shade": 23}.items():
        fields[name] = even.field(size, np.random.default_rng(number))
    for pattern in HELDOUT_PATTERNS:
        held = replace(even, pattern=pattern).field(size, np.random.default_rng(3))
        fields[f"held out: {pattern}"] = held
    return fields


_SCENE_EFFECTS = ("shadows", "hands", "clutter", "light", "faults")
_FAULTS = {
    "under-exposed": Degradation(exposure=0.35),
    "over-exposed": Degradation(exposure=2.6),
    "defocus": Degradation(defocus_px=3.0),
    "shake": Degradation(motion_px=14.0, motion_deg=30.0),
    "noise": Degradation(noise=22.0),
    "rolling shutter": Degradation(rolling=0.4),
    "JPEG 12": Degradation(jpeg=12),
    "H.264": Degradation(h264=43),
    "sharpened": Degradation(sharpen=2.0),
    "vignette": Degradation(vignette=0.8),
    "bloom": Degradation(bloom=0.5, exposure=1.5),
    "pale": Degradation(saturation=0.4, contrast=0.7),
}


def _fit(picture: Image, side_px: int) -> Image:
    return cv2.resize(picture, (side_px, side_px), interpolation=cv2.INTER_AREA)


def save_jpeg(image: Image, path: Path, most_bytes: int = 400_000) -> None:
    """Write a JPEG of the best quality that stays below `most_bytes`.

    Raises
    ------
    OSError
        If it can't be written.
    ValueError
        If not even quality 20 is small enough.
    """
    for quality in range(92, 19, -6):
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if len(data) < most_bytes:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data.tobytes())
            return
    raise ValueError(f"{path}: {most_bytes} bytes are too few for {image.shape[1]} x {image.shape[0]} px")


def load_truth(folder: Path, split: str) -> list[tuple[Path, tuple[CardTruth, ...]]]:
    """Read a data set's own truth: the picture's path and its cards, scene by scene.

    Raises
    ------
    DatasetError
        If there is no such truth, or it is damaged.
    """
    path = folder / f"truth_{split}.json"
    try:
        scenes = json.loads(path.read_text(encoding="utf-8"))["scenes"]
        return [(folder / scene["image"], tuple(_card(card) for card in scene["cards"])) for scene in scenes]
    except OSError as error:
        raise DatasetError(f"{path}: {error.strerror or error}: give the folder of a data set and its split") from error
    except (ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"{path}: damaged: {error}: draw the data set again") from error


def _card(record: dict[str, object]) -> CardTruth:
    return CardTruth(
        quad_px=np.array(record["quad"], np.float32).reshape(4, 2),
        label=None if record["label"] is None else str(record["label"]),
        kind=str(record["kind"]),
        visible=float(record["visible"]),  # type: ignore[arg-type]
        pile=None if record["pile"] is None else str(record["pile"]),
        on_top=bool(record["on_top"]),
    )


@click.group()
def main() -> None:
    """Look at drawn scenes."""


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("split", default="train")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for the drawn pictures.")
@click.option("--count", default=50, show_default=True, help="At most so many.")
def truth(folder: Path, split: str, out: Path, count: int) -> None:
    """Draw the truth over a data set's pictures."""
    try:
        for path, cards in load_truth(folder, split)[:count]:
            image = cv2.imread(str(path))
            if image is None:
                raise DatasetError(f"{path}: can't be read: draw the data set again")
            save_jpeg(draw_truth(image, cards), out / path.name, 5_000_000)
    except (DatasetError, OSError) as error:
        raise click.ClickException(str(error)) from error


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--seed", default=12_000, show_default=True)
def sheet(path: Path, seed: int) -> None:
    """Draw a contact sheet."""
    save_jpeg(contact_sheet(seed), path)


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--seed", default=45_259, show_default=True)
def effects(path: Path, seed: int) -> None:
    """Draw a page that shows each effect alone."""
    save_jpeg(effects_page(seed), path)


if __name__ == "__main__":
    main()
