"""What surrounds and covers a card in a crop: table tops, fingers, sleeves, and things that are no cards.

Small pictures made once and reused by `crops`. Sprites are BGRA uint8 at `SPRITE_PX_PER_MM`.
"""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
from numpy.typing import NDArray

from .art.surface import noise

SPRITE_PX_PER_MM = 2.0
TABLE_PX = 480

Bgr = tuple[float, float, float]

_SKINS = ((196, 214, 241), (158, 186, 226), (120, 156, 204), (84, 120, 172), (54, 82, 128), (36, 52, 84))


def _colour(
    rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]
) -> NDArray[np.float32]:
    r, g, b = colorsys.hsv_to_rgb(rng.random(), rng.uniform(*saturation), rng.uniform(*value))
    return np.array([b, g, r], np.float32) * 255


def make_table(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Make a table top at about 2 px/mm: (480, 480, 3) uint8."""
    kind = rng.choice(["wood", "wood", "wood", "cloth", "felt", "plain", "stone", "pattern", "planks"])
    n = TABLE_PX
    y, x = np.mgrid[0:n, 0:n].astype(np.float32)
    shape = (n, n)
    if kind in ("wood", "planks"):
        hue = rng.uniform(0.03, 0.11)
        r, g, b = colorsys.hsv_to_rgb(hue, rng.uniform(0.15, 0.7), rng.uniform(0.2, 0.95))
        base = np.array([b, g, r], np.float32) * 255
        grain = cv2.resize(noise(rng, (n, 60), 0), (n, n), interpolation=cv2.INTER_CUBIC)
        long = cv2.resize(noise(rng, (12, 500), 1)[:, :n], (n, n), interpolation=cv2.INTER_CUBIC)
        rings = np.sin((x * 0.06 + long * rng.uniform(1, 6) + noise(rng, shape, 2) * 3) * rng.uniform(0.5, 3))
        image = base * (1 + 0.09 * rings + 0.07 * grain.T[..., None].squeeze() * rng.uniform(0.3, 1))[..., None]
        if kind == "planks":
            width = rng.uniform(60, 180)
            seam = np.exp(-((((x + 30) % width) - width / 2) ** 2) / rng.uniform(1, 6))
            tone = 1 + 0.12 * np.sin(np.floor((x + 30 + width / 2) / width) * 12.9)
            image *= (tone * (1 - 0.6 * seam))[..., None]
    elif kind == "cloth":
        base = _colour(rng, (0.0, 0.8), (0.15, 0.97))
        pitch = rng.uniform(2.0, 5.0)
        weave = np.sin(x * 2 * np.pi / pitch) * np.sin(y * 2 * np.pi / pitch)
        image = base * (1 + 0.08 * weave + 0.1 * noise(rng, shape, 2))[..., None]
        if rng.random() < 0.5:
            step, other = rng.uniform(18, 90), _colour(rng, (0.0, 0.8), (0.2, 0.95))
            cover = 0.5 * ((x % step < step / 2).astype(np.float32) + (y % step < step / 2)) * rng.uniform(0.3, 1)
            image += (other - image) * cover[..., None]
    elif kind == "felt":
        base = _colour(rng, (0.4, 0.9), (0.15, 0.6))
        image = base * (1 + 0.1 * noise(rng, shape, 0) + 0.08 * noise(rng, shape, 1))[..., None]
    elif kind == "stone":
        base = _colour(rng, (0.0, 0.2), (0.15, 0.95))
        vein = np.exp(-np.abs(noise(rng, shape, 2) + 0.4 * noise(rng, shape, 1)) * rng.uniform(4, 20))
        image = base * (1 + 0.06 * noise(rng, shape, 1))[..., None] + (vein * rng.uniform(-60, 60))[..., None]
    elif kind == "pattern":
        image = np.full((n, n, 3), _colour(rng, (0.0, 0.6), (0.3, 0.95)), np.float32)
        for _ in range(int(rng.integers(10, 60))):
            tint = _colour(rng, (0.1, 0.95), (0.2, 0.95)).tolist()
            at = tuple(int(v) for v in rng.integers(0, n, 2))
            if rng.random() < 0.5:
                cv2.circle(image, at, int(rng.integers(4, 60)), tint, int(rng.choice([-1, 2, 6])), cv2.LINE_AA)
            else:
                box = cv2.boxPoints((at, tuple(rng.uniform(10, 160, 2)), float(rng.uniform(0, 180))))
                cv2.fillPoly(image, [box.astype(np.int32)], tint, cv2.LINE_AA)
    else:
        image = np.full((n, n, 3), _colour(rng, (0.0, 0.6), (0.05, 1.0)), np.float32)
        image *= (1 + rng.uniform(0.01, 0.06) * noise(rng, shape, 0) + 0.05 * noise(rng, shape, 2))[..., None]
    return np.clip(image, 0, 255).astype(np.uint8)


def skin_colour(rng: np.random.Generator) -> NDArray[np.float32]:
    """Draw a skin colour, BGR."""
    i = rng.uniform(0, len(_SKINS) - 1.001)
    low, high = np.array(_SKINS[int(i)], np.float32), np.array(_SKINS[int(i) + 1], np.float32)
    return (low + (high - low) * (i % 1)) * rng.uniform(0.9, 1.05) + rng.normal(0, 4, 3).astype(np.float32)


def _limb(
    shape: tuple[int, int], axis: NDArray[np.float32], radii: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Measure every pixel against a bent tapering tube: (relative distance from its axis, side, place along it)."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    best = np.full(shape, 9.0, np.float32)
    side, along = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    for i in range(len(axis) - 1):
        a, d = axis[i], axis[i + 1] - axis[i]
        squared = float(d @ d)
        t = np.clip(((x - a[0]) * d[0] + (y - a[1]) * d[1]) / squared, 0, 1)
        px, py = x - a[0] - t * d[0], y - a[1] - t * d[1]
        distance = np.hypot(px, py) / (radii[i] + t * (radii[i + 1] - radii[i]))
        nearer = distance < best
        best = np.where(nearer, distance, best)
        side = np.where(nearer, (px * -d[1] + py * d[0]) / np.sqrt(squared) / radii[i], side)
        along = np.where(nearer, i + t, along)
    return best, side, along


def _shade(
    sprite: NDArray[np.float32],
    tone: NDArray[np.float32],
    limb: tuple[NDArray[np.float32], ...],
    light: float,
    edge_px: float,
) -> None:
    distance, side, _ = limb
    cover = np.clip((1 - distance) * edge_px + 0.5, 0, 1)
    round_ = np.sqrt(np.clip(1 - distance**2, 0, 1))
    shade = 0.55 + 0.45 * round_ + light * 0.25 * side
    colour = tone * shade[..., None]
    # Blood shows where the light grazes: edges of fingers are redder.
    colour += (1 - round_[..., None]) * np.array([-14, -8, 10], np.float32)
    sprite[..., :3] += (colour - sprite[..., :3]) * cover[..., None]
    sprite[..., 3] = np.maximum(sprite[..., 3], cover * 255)


def make_fingers(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Make one to four fingers that come from below, tips up: BGRA, the tips near the middle of the picture."""
    scale = SPRITE_PX_PER_MM
    shape = (int(110 * scale), int(100 * scale))
    sprite = np.zeros((*shape, 4), np.float32)
    tone, light = skin_colour(rng), rng.uniform(-1, 1)
    count = int(rng.choice([1, 1, 2, 3, 4]))
    width = rng.uniform(7.0, 9.5)
    gloves = rng.random() < 0.02
    tone = _colour(rng, (0, 0.6), (0.1, 0.9)) if gloves else tone
    if count > 2:
        palm = np.array([[shape[1] / 2, shape[0] * 1.1], [shape[1] / 2, shape[0] * 0.92]], np.float32)
        _shade(sprite, tone, _limb(shape, palm, np.array([34, 30], np.float32) * scale), light, 30)
    for i in range(count):
        at = (i - (count - 1) / 2) * width * 2.05 * scale + shape[1] / 2
        reach = rng.uniform(0.42, 0.56) * shape[0] + abs(i - (count - 1) / 2) * rng.uniform(0, 9) * scale
        lean = rng.normal(0, 0.12) + (i - (count - 1) / 2) * 0.05
        length = shape[0] - reach
        bend = rng.normal(0, 4) * scale
        axis = np.array(
            [[at + lean * length, reach], [at + lean * length / 2 + bend, reach + length / 2], [at, shape[0] + 20]],
            np.float32,
        )
        radii = np.array([width * 0.8, width, width * 1.12], np.float32) * scale
        limb = _limb(shape, axis, radii)
        grown = tone * (1 + 0.05 * noise(rng, shape, 0) + 0.05 * noise(rng, shape, 1))[..., None]
        creases = np.exp(-(((limb[2] - rng.uniform(0.75, 1.0)) / 0.02) ** 2)) + 0.7 * np.exp(
            -(((limb[2] - 0.35) / 0.015) ** 2)
        )
        grown = grown * (1 - 0.22 * creases)[..., None]
        _shade(sprite, grown, limb, light, radii[0])
        if rng.random() < 0.75:
            _nail(sprite, axis, width * scale, rng, tone)
    return np.clip(sprite, 0, 255).astype(np.uint8)


def _nail(
    sprite: NDArray[np.float32],
    axis: NDArray[np.float32],
    radius: float,
    rng: np.random.Generator,
    tone: NDArray[np.float32],
) -> None:
    direction = (axis[0] - axis[1]) / np.linalg.norm(axis[0] - axis[1])
    centre = axis[0] + direction * radius * 0.1
    angle = float(np.degrees(np.arctan2(direction[1], direction[0])))
    mask = np.zeros(sprite.shape[:2], np.float32)
    box = (
        (float(centre[0]), float(centre[1])),
        (radius * rng.uniform(1.1, 1.5), radius * rng.uniform(0.85, 1.05)),
        angle,
    )
    cv2.ellipse(mask, box, 1.0, -1, cv2.LINE_AA)
    mask = cv2.GaussianBlur(mask, (0, 0), 0.8)
    painted = (
        _colour(rng, (0.3, 1), (0.2, 0.95)) if rng.random() < 0.15 else tone * 0.8 + np.array([45, 45, 60], np.float32)
    )
    sprite[..., :3] += (painted - sprite[..., :3]) * (mask * 0.75)[..., None]
    spot = cv2.GaussianBlur((mask > 0.9).astype(np.float32), (0, 0), radius * 0.3) * mask
    sprite[..., :3] += (spot * rng.uniform(0, 60))[..., None]


def make_sleeve(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Make a forearm in a sleeve, or a bare one, across the picture from top to bottom: BGRA."""
    scale = SPRITE_PX_PER_MM
    shape = (int(150 * scale), int(110 * scale))
    sprite = np.zeros((*shape, 4), np.float32)
    wide = rng.uniform(28, 46) * scale
    axis = np.array(
        [
            [shape[1] / 2 + rng.normal(0, 10), -30],
            [shape[1] / 2, shape[0] / 2],
            [shape[1] / 2 + rng.normal(0, 10), shape[0] + 30],
        ],
        np.float32,
    )
    limb = _limb(shape, axis, np.array([wide * 0.85, wide, wide * 1.1], np.float32))
    if rng.random() < 0.35:
        tone = skin_colour(rng) * (1 + 0.06 * noise(rng, shape, 0) + 0.05 * noise(rng, shape, 1))[..., None]
    else:
        base = _colour(rng, (0.0, 0.9), (0.05, 0.95))
        y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
        folds = np.sin(y * rng.uniform(0.03, 0.12) + noise(rng, shape, 2) * 5 + limb[1] * 2) * rng.uniform(0.03, 0.16)
        tone = base * (1 + folds + 0.08 * noise(rng, shape, 0))[..., None]
        if rng.random() < 0.35:
            pitch, other = rng.uniform(6, 40), _colour(rng, (0.0, 0.9), (0.1, 0.95))
            lines = (x + noise(rng, shape, 2) * 8) % pitch < pitch / 2
            if rng.random() < 0.5:
                lines = lines ^ ((y + noise(rng, shape, 2) * 8) % pitch < pitch / 2)
            tone = np.where(lines[..., None], tone, other * (1 + folds)[..., None])
    _shade(sprite, tone, limb, rng.uniform(-1, 1), 25)
    return np.clip(sprite, 0, 255).astype(np.uint8)


def make_thing(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Make an object that is no card: phone, paper, box, coaster, chip, book: BGRA."""
    scale = SPRITE_PX_PER_MM
    kind = str(rng.choice(["phone", "paper", "box", "coaster", "chip", "note"]))
    sizes = {
        "phone": (72, 150),
        "paper": (130, 170),
        "box": (95, 125),
        "coaster": (95, 95),
        "chip": (40, 40),
        "note": (76, 76),
    }
    w, h = (int(v * scale * rng.uniform(0.85, 1.1)) for v in sizes[kind])
    colour = _colour(rng, (0.0, 0.9), (0.1, 1.0))
    if kind == "paper":
        colour = np.array([240, 244, 246], np.float32) * rng.uniform(0.8, 1)
    if kind == "phone":
        colour = np.array([22, 20, 20], np.float32) * rng.uniform(0.5, 3)
    image = np.empty((h, w, 3), np.uint8)
    image[:] = np.clip(colour, 0, 255)
    dark = (colour * 0.2).tolist() if colour.mean() > 110 else np.minimum(colour + 150, 255).tolist()
    if kind in ("paper", "note", "box"):
        pitch = int(rng.integers(8, 26))
        for y in range(pitch, h - pitch, pitch):
            x = int(rng.integers(6, 22))
            while x < w - 24 and rng.random() < 0.95:
                step = int(rng.integers(4, 26))
                cv2.line(image, (x, y + int(rng.integers(-1, 2))), (x + step, y), dark, max(1, pitch // 7), cv2.LINE_AA)
                x += step + int(rng.integers(3, 10))
        if rng.random() < 0.6:
            text = "".join(rng.choice(list("ABCDEHKMNRSTXZ0123456789"), int(rng.integers(1, 7))))
            at = (int(w * 0.08), int(h * rng.uniform(0.3, 0.8)))
            tint = _colour(rng, (0.3, 1.0), (0.2, 1.0)).tolist()
            cv2.putText(
                image, text, at, cv2.FONT_HERSHEY_DUPLEX, rng.uniform(1, 3), tint, int(rng.integers(2, 7)), cv2.LINE_AA
            )
    if kind == "phone":
        inset = int(rng.integers(3, 9))
        if rng.random() < 0.6:
            screen = _colour(rng, (0.0, 0.9), (0.2, 1.0)).tolist()
            cv2.rectangle(image, (inset, inset * 3), (w - inset, h - inset * 3), screen, -1)
            for _ in range(int(rng.integers(3, 20))):
                at = rng.integers((inset, inset * 3), (w - 30, h - 40))
                size = rng.integers(10, 50, 2)
                tint = _colour(rng, (0.0, 1.0), (0.1, 1.0)).tolist()
                cv2.rectangle(image, at.tolist(), (at + size).tolist(), tint, -1)
    if kind in ("box", "coaster", "chip"):
        for _ in range(int(rng.integers(1, 7))):
            tint = _colour(rng, (0.0, 1.0), (0.1, 1.0)).tolist()
            reach = int(rng.uniform(0.05, 0.5) * min(w, h))
            cv2.circle(
                image,
                (int(w * rng.uniform(0.3, 0.7)), int(h * rng.uniform(0.3, 0.7))),
                reach,
                tint,
                int(rng.choice([-1, 3, 8])),
                cv2.LINE_AA,
            )
    mottled = image * (1 + 0.03 * noise(rng, (h, w), 0) + 0.05 * noise(rng, (h, w), 2))[..., None]
    alpha = np.zeros((h, w), np.uint8)
    if kind == "chip" or (kind == "coaster" and rng.random() < 0.5):
        cv2.ellipse(alpha, ((w / 2, h / 2), (w - 2.0, h - 2.0), 0.0), 255, -1, cv2.LINE_AA)
    else:
        radius = int(rng.uniform(0, 8) * scale) if kind in ("phone", "coaster") else 1
        cv2.rectangle(alpha, (radius, 0), (w - radius, h), 255, -1)
        cv2.rectangle(alpha, (0, radius), (w, h - radius), 255, -1)
        for cx in (radius, w - radius):
            for cy in (radius, h - radius):
                cv2.circle(alpha, (cx, cy), radius, 255, -1, cv2.LINE_AA)
    return np.dstack([np.clip(mottled, 0, 255).astype(np.uint8), alpha])
