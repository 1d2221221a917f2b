"""A camera that needs no pictures: what a detector and a reader would make of a played round, errors included.

`detections.jsonl` has one JSON object for each frame; `load_observations` gives them as `Observation` values:

    {"time_s": 3.2, "sharp": true,
     "cards": [{"quad_mm": [[x, y], ...], "kind": "face", "confidence": 0.93, "label": "R7", "read": 0.97,
                "scale": 1.0}],
     "reaches": [{"outline_mm": [[x, y], ...], "entry_mm": [x, y], "tip_mm": [x, y], "seat": 2}]}

`label` null: there is a card that can't be read; `read` is the confidence of the label. Cards are in no particular
order and what is hidden isn't there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..game.cards import BACKS, FACES, Face
from ..vision.frames import Detection, Observation, Reach, Reading
from .play import Now, Script, Span, corners_mm
from .seating import Seating
from .sight import Sight, arm_at


@dataclass(frozen=True, slots=True)
class Noise:
    """How well the pretended camera sees.

    Parameters
    ----------
    miss
        Chance that a fully visible card isn't found in a frame.
    misread
        Chance that a fully visible card is read as another.
    unread
        Chance that a fully visible card isn't read.
    jitter_mm, jitter_deg
        Standard deviation of a quad's place and angle.
    ghosts
        Cards seen in a frame where there are none, on average.
    blur
        Chance that a whole frame is useless.
    """

    miss: float = 0.02
    misread: float = 0.006
    unread: float = 0.03
    jitter_mm: float = 1.2
    jitter_deg: float = 1.2
    ghosts: float = 0.02
    blur: float = 0.004


EXACT = Noise(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
_LIKE = {"6": "9", "9": "6", "1": "7", "7": "1", "4": "1", "3": "8", "8": "3", "5": "6", "2": "7", "10": "1"}


def observe(script: Script, seed: int, fps: float = 15.0, noise: Noise | None = None) -> Iterator[Observation]:
    """Watch a played round: one observation for each frame, from the deal to the end.

    Parameters
    ----------
    script
        The round.
    seed
        Of the errors.
    fps
        Frames a second.
    noise
        How well the camera sees; None for the usual.
    """
    noise = noise or Noise()
    rng = np.random.default_rng([seed, 77])
    sight = Sight(script)
    height_mm = abs(script.seating.camera.height_mm())
    for index in range(int(script.end_s * fps) + 1):
        now, shares = sight.at(index / fps)
        sharp = bool(rng.random() >= noise.blur)
        cards = []
        if sharp:
            for span in (*now.resting, *now.moving):
                found = _detect(script, span, now.time_s, shares[span.card], height_mm, rng, noise)
                if found is not None:
                    cards.append(found)
            for _ in range(int(rng.poisson(noise.ghosts))):
                cards.append(_ghost(script.seating, rng))
        yield Observation(now.time_s, tuple(cards), _reaches(script.seating, now, rng, noise), sharp)


def _detect(
    script: Script, span: Span, time_s: float, share: float, camera_mm: float, rng: np.random.Generator, noise: Noise
) -> Detection | None:
    chance = (1 - noise.miss) * np.clip((share - 0.3) / 0.4, 0, 1)
    pose, height, turned = span.at(time_s)
    speed = 0.0
    if span.moves:
        before = span.at(time_s - 0.01)[0]
        speed = float(np.hypot(pose.x_mm - before.x_mm, pose.y_mm - before.y_mm)) / 0.01
        chance *= 0.75 * np.clip(1.3 - speed / 900, 0.1, 1) * (abs(turned) > 0.6)
    if rng.random() >= chance:
        return None
    scale = camera_mm / (camera_mm - height)
    quad = corners_mm(pose, script.seating.card_mm)
    middle = quad.mean(axis=0)
    hidden = 1 + 3 * (1 - share)
    turn = np.radians(rng.normal(0, 1) * noise.jitter_deg * hidden)
    cos, sin = np.cos(turn), np.sin(turn)
    shift = rng.normal(0, 1, 2) * noise.jitter_mm * hidden
    grown = scale * (1 + rng.normal(0, 1) * noise.jitter_mm / 120)
    quad = (quad - middle) @ np.array([[cos, sin], [-sin, cos]]) * grown + middle * scale + shift
    kind = "face" if turned > 0 else "back"
    true = str(script.cards[span.card].face) if turned > 0 else f"back:{script.cards[span.card].deck}"
    clear = float(np.clip((share - 0.4) / 0.5, 0, 1)) * float(np.clip(1.2 - speed / 500, 0, 1))
    label: str | None = true
    if rng.random() < 1 - (1 - noise.unread) * clear and noise != EXACT:
        label = None
    elif rng.random() < noise.misread * (1 + 6 * (1 - clear)):
        label = _misread(true, rng)
    sure = 0.0 if label is None else float(np.clip(rng.normal(0.97, 0.02) - 0.3 * (1 - clear), 0.3, 0.999))
    if label is not None and label != true:
        sure = float(rng.uniform(0.35, 0.95))
    confidence = float(np.clip(rng.normal(0.93, 0.03) - 0.4 * (1 - share), 0.25, 0.99))
    return Detection(
        quad.astype(np.float32), kind, round(confidence, 3), Reading(label, round(sure, 3)), round(grown, 3)
    )


def _misread(label: str, rng: np.random.Generator) -> str:
    if label.startswith("back:"):
        return str(BACKS[int(rng.integers(len(BACKS)))])
    if rng.random() < 0.75:
        return label[0] + _LIKE[label[1:]]
    other = {"R": "Y", "Y": "R", "G": "B", "B": "G"}[label[0]]
    return str(Face.parse(other + label[1:]))


def _ghost(seating: Seating, rng: np.random.Generator) -> Detection:
    width, height = seating.area_mm
    at = rng.uniform((-width / 2, -height / 2), (width / 2, height / 2))
    quad = corners_mm(seating.places[0].pose(0, 0, float(rng.uniform(0, 360))), seating.card_mm)
    quad = quad - quad.mean(axis=0) + at
    label = str(FACES[int(rng.integers(len(FACES)))]) if rng.random() < 0.3 else None
    reading = Reading(label, 0.0 if label is None else round(float(rng.uniform(0.2, 0.7)), 3))
    return Detection(quad.astype(np.float32), "face", round(float(rng.uniform(0.25, 0.6)), 3), reading)


def _reaches(seating: Seating, now: Now, rng: np.random.Generator, noise: Noise) -> tuple[Reach, ...]:
    found = []
    half_w, half_h = seating.area_mm[0] / 2, seating.area_mm[1] / 2
    for stroke in now.strokes:
        tip, _ = stroke.at(now.time_s)
        if abs(tip[0]) > half_w + 30 or abs(tip[1]) > half_h + 30:
            continue
        outline, _ = arm_at(seating, stroke, now.time_s)
        outline = outline + rng.normal(0, 1, outline.shape).astype(np.float32) * np.float32(2 * noise.jitter_mm)
        inside = (np.abs(outline[:, 0]) <= half_w) & (np.abs(outline[:, 1]) <= half_h)
        if inside.sum() < 3:
            continue
        clipped = np.clip(outline, (-half_w, -half_h), (half_w, half_h)).astype(np.float32)
        root = seating.places[stroke.seat - 1].edge_mm
        edge = clipped[~inside] if (~inside).any() else clipped[-1:]
        entry = edge[np.argmin(np.hypot(edge[:, 0] - root[0], edge[:, 1] - root[1]))]
        found.append(Reach(clipped, (float(entry[0]), float(entry[1])), (float(tip[0]), float(tip[1])), stroke.seat))
    return tuple(found)


def format_observation(seen: Observation) -> str:
    """Write an observation as one line of `detections.jsonl`."""
    record = {
        "time_s": round(seen.time_s, 4),
        "sharp": seen.sharp,
        "cards": [
            {
                "quad_mm": _rounded(card.quad_mm), "kind": card.kind, "confidence": card.confidence,
                "label": card.reading.label, "read": card.reading.confidence, "scale": card.scale,
            }
            for card in seen.cards
        ],
        "reaches": [
            {
                "outline_mm": _rounded(reach.outline_mm),
                "entry_mm": None if reach.entry_mm is None else [round(value, 1) for value in reach.entry_mm],
                "tip_mm": [round(value, 1) for value in reach.tip_mm], "seat": reach.seat,
            }
            for reach in seen.reaches
        ],
    }  # fmt: skip
    return json.dumps(record)


def _rounded(points: Any) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points]


def load_observations(path: Path) -> Iterator[Observation]:
    """Read `detections.jsonl`, a frame at a time.

    Raises
    ------
    ValueError
        If a line is no observation; the message says which.
    """
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield _parse(json.loads(line))
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise ValueError(
                    f"{path}, line {number}: no observation ({error}): write it with `referee simulate`"
                ) from error


def _parse(record: dict[str, Any]) -> Observation:
    cards = tuple(
        Detection(
            np.asarray(card["quad_mm"], np.float32).reshape(4, 2), str(card["kind"]), float(card["confidence"]),
            Reading(card["label"], float(card["read"])), float(card["scale"]),
        )
        for card in record["cards"]
    )  # fmt: skip
    reaches = tuple(
        Reach(
            np.asarray(reach["outline_mm"], np.float32).reshape(-1, 2),
            None if reach["entry_mm"] is None else (float(reach["entry_mm"][0]), float(reach["entry_mm"][1])),
            (float(reach["tip_mm"][0]), float(reach["tip_mm"][1])),
            None if reach["seat"] is None else int(reach["seat"]),
        )
        for reach in record["reaches"]
    )
    return Observation(float(record["time_s"]), cards, reaches, bool(record["sharp"]))
