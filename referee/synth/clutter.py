"""Things that lie about and are not cards: chips, coins, phones, books, papers, mugs, dice, cables and so on.

Each maker gives a `Thing`: a picture from above in its own frame, with its height. Several look like cards on
purpose (credit cards, photographs, notes, dominoes, card boxes): a detector must learn the difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from ..vision.frames import Image
from .noise_fields import colored, fractal, white
from .surfaces import surface

Rng = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """An object seen from straight above.

    Parameters
    ----------
    picture
        BGRA uint8.
    px_per_mm
        Its scale.
    height_mm
        How far it stands up from the table.
    copies
        How many of its kind usually lie together.
    """

    picture: Image
    px_per_mm: float
    height_mm: float
    copies: int = 1


def _blank(width_mm: float, height_mm: float, s: float) -> Image:
    return np.zeros((max(3, round(height_mm * s)), max(3, round(width_mm * s)), 4), np.uint8)


def _ink(color: np.ndarray | tuple[float, ...]) -> tuple[float, float, float, float]:
    return float(color[0]), float(color[1]), float(color[2]), 255.0


def _rounded(picture: Image, radius_px: float, color: np.ndarray) -> None:
    height, width = picture.shape[:2]
    mask = np.zeros((height * 2, width * 2), np.uint8)
    r = int(min(radius_px * 2, min(mask.shape) / 2 - 1))
    cv2.rectangle(mask, (r, 0), (mask.shape[1] - r - 1, mask.shape[0]), 255, -1)
    cv2.rectangle(mask, (0, r), (mask.shape[1], mask.shape[0] - r - 1), 255, -1)
    for x in (r, mask.shape[1] - r - 1):
        for y in (r, mask.shape[0] - r - 1):
            cv2.circle(mask, (x, y), r, 255, -1)
    picture[..., :3] = np.clip(color, 0, 255).astype(np.uint8)
    picture[..., 3] = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)


def _disc(picture: Image, inset: float, color: np.ndarray | tuple[float, ...]) -> None:
    height, width = picture.shape[:2]
    center = ((width - 1) / 2, (height - 1) / 2)
    shift = 4
    at = (round(center[0] * 16), round(center[1] * 16))
    cv2.circle(picture, at, max(8, round((width / 2 - 0.6 - inset) * 16)), _ink(color), -1, cv2.LINE_AA, shift)


def _tone(picture: Image, gain: np.ndarray) -> None:
    picture[..., :3] = np.clip(picture[..., :3] * gain[..., None], 0, 255).astype(np.uint8)


def _text(picture: Image, rng: Rng, ink: np.ndarray, s: float, box: tuple[float, float, float, float]) -> None:
    """Fill a box (fractions of the picture) with lines of print."""
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = int(box[0] * width), int(box[1] * height), int(box[2] * width), int(box[3] * height)
    pitch = max(2.0, rng.uniform(3.5, 9) * s)
    letter = pitch / 40
    y = float(y0)
    words = [
        "the",
        "of",
        "and",
        "a",
        "to",
        "in",
        "it",
        "is",
        "was",
        "he",
        "for",
        "on",
        "are",
        "as",
        "with",
        "his",
        "they",
        "at",
        "be",
        "this",
        "have",
        "from",
        "or",
        "one",
        "had",
        "by",
        "word",
        "but",
    ]
    while y < y1:
        end = x1 if rng.random() > 0.15 else int(x0 + (x1 - x0) * rng.uniform(0.2, 0.9))
        if pitch > 7:
            line = " ".join(rng.choice(words, 30))
            fits = max(1, int((end - x0) / (letter * 19)))
            cv2.putText(
                picture,
                line[:fits],
                (x0, int(y)),
                cv2.FONT_HERSHEY_COMPLEX_SMALL,
                letter * 1.1,
                _ink(ink),
                1,
                cv2.LINE_AA,
            )
        else:
            x = float(x0)
            while x < end:
                w = rng.uniform(2, 11) * pitch * 0.3
                cv2.line(
                    picture, (int(x), int(y)), (int(min(x + w, end)), int(y)), _ink(ink), max(1, int(pitch * 0.35))
                )
                x += w + pitch * 0.4
        y += pitch
    picture[..., 3] = np.maximum(picture[..., 3], 0)


def _chip(rng: Rng, s: float) -> Thing:
    side = 39.0 * rng.uniform(0.9, 1.1)
    picture = _blank(side, side, s)
    base = colored(rng, (25, 230), (60, 230)) if rng.random() < 0.75 else colored(rng, (20, 240), (0, 30))
    spot = colored(rng, (190, 255), (0, 40)) if rng.random() < 0.8 else colored(rng, (20, 255), (0, 220))
    _disc(picture, 0, base)
    center, r = (picture.shape[1] // 2, picture.shape[0] // 2), picture.shape[1] / 2 - 1
    count = int(rng.choice([4, 6, 8, 12]))
    turn = rng.uniform(0, 90)
    for i in range(count):
        a = turn + i * 360 / count
        cv2.ellipse(
            picture,
            center,
            (int(r * 0.86), int(r * 0.86)),
            a,
            0,
            360 / count * rng.uniform(0.25, 0.5),
            _ink(spot),
            max(1, int(r * 0.24)),
            cv2.LINE_AA,
        )
    inner = spot if rng.random() < 0.4 else base * rng.uniform(0.7, 1.2)
    cv2.circle(picture, center, int(r * 0.66), _ink(spot), max(1, int(r * 0.05)), cv2.LINE_AA)
    cv2.circle(picture, center, int(r * 0.6), _ink(np.clip(inner, 0, 255)), -1, cv2.LINE_AA)
    if rng.random() < 0.6 and r > 6:
        text = str(rng.choice(["1", "5", "10", "25", "50", "100", "A", "W"]))
        cv2.putText(
            picture,
            text,
            (int(center[0] - r * 0.22 * len(text)), int(center[1] + r * 0.22)),
            cv2.FONT_HERSHEY_DUPLEX,
            r / 34,
            _ink(255 - np.clip(inner, 0, 255)),
            max(1, int(r / 20)),
            cv2.LINE_AA,
        )
    height = 3.3 * float(rng.choice([1, 1, 1, 2, 4, 9]))
    return Thing(picture, s, height, int(rng.integers(1, 9)))


def _coin(rng: Rng, s: float) -> Thing:
    side = rng.uniform(16, 30)
    picture = _blank(side, side, s)
    metals = ((70, 130, 190), (190, 190, 190), (80, 170, 200), (60, 90, 140))
    base = np.asarray(metals[rng.integers(4)], np.float32) * rng.uniform(0.6, 1.2)
    _disc(picture, 0, np.clip(base * 0.75, 0, 255))
    _disc(picture, 1.2 * s, np.clip(base, 0, 255))
    if rng.random() < 0.4:
        _disc(picture, side * s * 0.16, np.clip(base[::-1] * 1.1, 0, 255))
    relief = fractal(picture.shape[1::-1], 5 * s, rng, 3)
    _tone(picture, 1 + 0.25 * relief)
    return Thing(picture, s, 2.0, int(rng.integers(1, 8)))


def _sheet(rng: Rng, s: float) -> Thing:
    """Paper of any format: notes, letters, receipts, envelopes, squared or lined."""
    formats = ((210, 297), (148, 210), (105, 148), (76, 76), (110, 220), (80, 180), (125, 176), (50, 38), (120, 120))
    w, h = formats[rng.integers(len(formats))]
    picture = _blank(w * rng.uniform(0.9, 1.1), h * rng.uniform(0.9, 1.1), s)
    paper = colored(rng, (215, 255), (0, 25)) if rng.random() < 0.7 else colored(rng, (140, 255), (20, 150))
    picture[..., :3], picture[..., 3] = paper.astype(np.uint8), 255
    ink = colored(rng, (10, 110), (0, 200))
    kind = rng.integers(5)
    if kind == 0:
        _text(picture, rng, ink, s, (0.1, 0.08, 0.9, 0.92))
    elif kind == 1:
        step = max(3, round(rng.uniform(5, 9) * s))
        picture[::step, :, :3] = np.clip(paper * 0.8, 0, 255).astype(np.uint8)
        if rng.random() < 0.5:
            picture[:, ::step, :3] = np.clip(paper * 0.8, 0, 255).astype(np.uint8)
        for _ in range(int(rng.integers(0, 25))):
            points = np.cumsum(rng.normal(0, 3 * s, (12, 2)), 0) + rng.uniform(0.1, 0.8, 2) * picture.shape[1::-1]
            cv2.polylines(picture, [points.astype(np.int32)], False, _ink(ink), max(1, int(0.5 * s)), cv2.LINE_AA)
    elif kind == 2:
        hh, ww = picture.shape[:2]
        flap = [[0, 0], [ww // 2, int(hh * 0.45)], [ww, 0]]
        cv2.polylines(picture, [np.array(flap)], False, _ink(paper * 0.85), max(1, int(0.8 * s)), cv2.LINE_AA)
    elif kind == 3:
        _text(picture, rng, ink, s, (0.55, 0.55, 0.9, 0.8))
    if rng.random() < 0.5:
        _tone(picture, 1 + 0.08 * fractal(picture.shape[1::-1], 40 * s, rng, 2))
    return Thing(picture, s, 0.3, 1)


def _photo(rng: Rng, s: float) -> Thing:
    """A printed picture, leaflet or magazine: blobs of colour, pips, figures, rows of letters."""
    w = rng.uniform(50, 160)
    picture = _blank(w, w * rng.choice([0.66, 0.75, 1.0, 1.3, 1.45]), s)
    hh, ww = picture.shape[:2]
    picture[..., 3] = 255
    tone = fractal((ww, hh), ww / 2, rng, 5)[..., None]
    other = fractal((ww, hh), ww / 2, rng, 4)[..., None]
    mix = colored(rng, (60, 240), (0, 220)) * (0.6 + 0.5 * tone) + colored(rng, (0, 200), (0, 220)) * np.clip(
        other, 0, 1
    )
    picture[..., :3] = np.clip(mix, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(0, 14))):
        at = (int(rng.integers(ww)), int(rng.integers(hh)))
        size = max(1, int(rng.uniform(0.03, 0.2) * ww))
        ink = _ink(colored(rng, (0, 255), (0, 230)))
        shape = rng.integers(4)
        if shape == 0:
            cv2.circle(picture, at, size, ink, -1, cv2.LINE_AA)
        elif shape == 1:
            cv2.ellipse(picture, at, (size, size * 2), float(rng.uniform(0, 180)), 0, 360, ink, -1, cv2.LINE_AA)
        elif shape == 2:
            points = np.array(at) + rng.normal(0, size, (5, 2))
            cv2.fillPoly(picture, [points.astype(np.int32)], ink, cv2.LINE_AA)
        else:
            text = str(rng.choice(list("AKQJ23456789XOSALE")))
            cv2.putText(
                picture, text, at, cv2.FONT_HERSHEY_TRIPLEX, max(0.2, size / 18), ink, max(1, size // 12), cv2.LINE_AA
            )
    if rng.random() < 0.5:
        edge = max(1, int(ww * rng.uniform(0.02, 0.1)))
        cv2.rectangle(picture, (0, 0), (ww - 1, hh - 1), _ink(colored(rng, (220, 255), (0, 15))), edge)
    return Thing(picture, s, 0.5, int(rng.integers(1, 3)))


def _pips(rng: Rng, s: float) -> Thing:
    """A print with rows of hearts, spades and numbers that is no card: adverts, cloth scraps, rule books."""
    w = rng.uniform(70, 200)
    picture = _blank(w, w * rng.uniform(0.5, 2.0), s)
    hh, ww = picture.shape[:2]
    picture[..., :3], picture[..., 3] = colored(rng, (120, 255), (0, 160)).astype(np.uint8), 255
    ink = _ink((40, 30, 200) if rng.random() < 0.5 else colored(rng, (0, 90), (0, 255)))
    step = max(4, int(rng.uniform(9, 26) * s))
    for row, y in enumerate(range(step // 2, hh, step)):
        for x in range(step // 2 + (row % 2) * (step // 2), ww, step):
            r = max(1, int(step * 0.22))
            if rng.random() < 0.15:
                continue
            cv2.circle(picture, (x - r // 2, y), max(1, r // 2), ink, -1, cv2.LINE_AA)
            cv2.circle(picture, (x + r // 2, y), max(1, r // 2), ink, -1, cv2.LINE_AA)
            tip = y + (r + 1) * (1 if rng.random() < 0.7 else -1)
            cv2.fillConvexPoly(picture, np.array([[x - r, y], [x + r, y], [x, tip]]), ink, cv2.LINE_AA)
    return Thing(picture, s, 0.4, 1)


def _book(rng: Rng, s: float) -> Thing:
    w = rng.uniform(105, 200)
    thing = _photo(rng, s) if rng.random() < 0.4 else None
    picture = _blank(w, w * rng.uniform(1.2, 1.55), s)
    hh, ww = picture.shape[:2]
    picture[..., :3], picture[..., 3] = colored(rng, (20, 250), (0, 220)).astype(np.uint8), 255
    if thing is not None:
        art = cv2.resize(thing.picture, (max(2, int(ww * 0.8)), max(2, int(hh * 0.5))))
        y, x = int(hh * 0.25), int(ww * 0.1)
        picture[y : y + art.shape[0], x : x + art.shape[1]] = art
    ink = colored(rng, (180, 255), (0, 90)) if picture[0, 0, :3].mean() < 120 else colored(rng, (0, 80), (0, 200))
    if rng.random() < 0.25:
        _text(picture, rng, ink, s, (0.1, 0.1, 0.9, 0.9))
    else:
        word = "".join(rng.choice(list("ABDEGHILMNOPRSTU"), 6))
        size = ww / 170
        cv2.putText(
            picture,
            word,
            (int(ww * 0.1), int(hh * 0.18)),
            cv2.FONT_HERSHEY_TRIPLEX,
            size,
            _ink(ink),
            max(1, int(size * 2)),
            cv2.LINE_AA,
        )
    picture[:, : max(1, ww // 30), :3] = (picture[:, : max(1, ww // 30), :3] * 0.7).astype(np.uint8)
    return Thing(picture, s, float(rng.uniform(5, 35)), 1)


def _box(rng: Rng, s: float) -> Thing:
    """A card box, carton, tin or cushion of any colour, with print on it."""
    small = rng.random() < 0.5
    w = rng.uniform(58, 70) if small else rng.uniform(80, 260)
    picture = _blank(w, w * (rng.uniform(1.3, 1.6) if small else rng.uniform(0.5, 1.5)), s)
    color = colored(rng, (20, 250), (0, 230))
    _rounded(picture, rng.uniform(0, 3) * s, color)
    hh, ww = picture.shape[:2]
    inset = int(ww * rng.uniform(0.06, 0.15))
    ink = _ink(colored(rng, (0, 255), (0, 200)))
    if rng.random() < 0.5:
        cv2.rectangle(picture, (inset, inset), (ww - inset, hh - inset), ink, max(1, int(s)))
    if rng.random() < 0.5:
        cv2.ellipse(picture, (ww // 2, hh // 2), (int(ww * 0.3), int(hh * 0.2)), 0, 0, 360, ink, -1, cv2.LINE_AA)
    word = str(rng.choice(["CARDS", "POKER", "TEA", "GAME", "UNO!", "No. 9", "BRIDGE", "MINT"]))
    size = ww / 120
    cv2.putText(
        picture,
        word,
        (int(ww * 0.2), int(hh * 0.55)),
        cv2.FONT_HERSHEY_DUPLEX,
        size,
        _ink(colored(rng, (0, 255), (0, 120))),
        max(1, int(size * 2)),
        cv2.LINE_AA,
    )
    return Thing(picture, s, float(rng.uniform(14, 30) if small else rng.uniform(20, 90)), 1)


def _phone(rng: Rng, s: float) -> Thing:
    w = rng.uniform(66, 80)
    picture = _blank(w, w * rng.uniform(1.95, 2.2), s)
    _rounded(
        picture,
        rng.uniform(5, 11) * s,
        colored(rng, (8, 60), (0, 40)) if rng.random() < 0.7 else colored(rng, (60, 240), (0, 160)),
    )
    hh, ww = picture.shape[:2]
    edge = max(1, int(3 * s))
    kind = rng.integers(3)
    if kind == 0:
        picture[edge * 2 : -edge * 2, edge:-edge, :3] = colored(rng, (5, 40), (0, 40)).astype(np.uint8)
        slope = np.linspace(0, rng.uniform(0, 70), ww - 2 * edge)[None, :, None]
        part = picture[edge * 2 : -edge * 2, edge:-edge, :3]
        part[:] = np.clip(part + slope, 0, 255).astype(np.uint8)
    elif kind == 1:
        picture[edge * 2 : -edge * 2, edge:-edge, :3] = colored(rng, (100, 255), (0, 160)).astype(np.uint8)
        pitch = ww / 5
        for row in range(1, 9):
            for column in range(4):
                x, y = int((column + 0.6) * pitch), int((row + 0.2) * pitch)
                if y + pitch < hh:
                    cv2.rectangle(
                        picture,
                        (x, y),
                        (int(x + pitch * 0.7), int(y + pitch * 0.7)),
                        _ink(colored(rng, (50, 255), (0, 240))),
                        -1,
                    )
    else:
        for i in range(int(rng.integers(1, 4))):
            cv2.circle(
                picture,
                (int(ww * 0.22), int(ww * (0.22 + 0.22 * i))),
                max(1, int(5 * s)),
                (20, 20, 20, 255),
                -1,
                cv2.LINE_AA,
            )
    return Thing(picture, s, 8.0, 1)


def _round_vessel(rng: Rng, s: float) -> Thing:
    """A mug, glass, bowl, plate, saucer, candle or lid from above."""
    side = float(rng.choice([rng.uniform(60, 95), rng.uniform(100, 180), rng.uniform(180, 280), rng.uniform(28, 55)]))
    picture = _blank(side * 1.35, side, s)
    hh, ww = picture.shape[:2]
    center, r = (hh // 2, hh // 2), hh / 2 - 1
    body = colored(rng, (60, 255), (0, 150))
    if side < 100 and rng.random() < 0.5:
        cv2.ellipse(
            picture,
            (int(center[0] + r * 1.05), center[1]),
            (int(r * 0.45), int(r * 0.35)),
            0,
            0,
            360,
            _ink(body * 0.85),
            max(2, int(r * 0.16)),
            cv2.LINE_AA,
        )
    cv2.circle(picture, center, int(r), _ink(body), -1, cv2.LINE_AA)
    inner = body * rng.uniform(0.75, 1.05) if side > 100 else colored(rng, (10, 200), (0, 220))
    ring = float(rng.uniform(0.6, 0.92))
    cv2.circle(picture, center, int(r * ring), _ink(np.clip(inner, 0, 255)), -1, cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.circle(
            picture,
            center,
            int(r * ring * rng.uniform(0.5, 0.9)),
            _ink(np.clip(inner * rng.uniform(0.7, 1.2), 0, 255)),
            max(1, int(r * 0.03)),
            cv2.LINE_AA,
        )
    y, x = np.indices((hh, ww), dtype=np.float32)
    angle = rng.uniform(0, 6.28)
    d = ((x - center[0]) * np.cos(angle) + (y - center[1]) * np.sin(angle)) / r
    distance = np.hypot(x - center[0], y - center[1]) / r
    shade = 1 + np.where(distance > ring, 0.25, -0.3) * d
    _tone(picture, np.clip(shade, 0.4, 1.4))
    cv2.ellipse(
        picture,
        (int(center[0] - r * 0.4), int(center[1] - r * 0.4)),
        (max(1, int(r * 0.16)), max(1, int(r * 0.06))),
        135,
        0,
        360,
        (250, 250, 250, 255),
        -1,
        cv2.LINE_AA,
    )
    return Thing(picture, s, float(rng.uniform(60, 110) if side < 100 else rng.uniform(8, 40)), 1)


def _keyboard(rng: Rng, s: float) -> Thing:
    """Rows of keys or buttons: keyboards, calculators, remote controls."""
    columns, rows = ((14, 5), (4, 6), (3, 11), (10, 4))[rng.integers(4)]
    pitch = rng.uniform(11, 19)
    picture = _blank((columns + 0.8) * pitch, (rows + 0.8) * pitch, s)
    case = colored(rng, (15, 70), (0, 40)) if rng.random() < 0.6 else colored(rng, (150, 245), (0, 40))
    _rounded(picture, 4 * s, case)
    key = case * rng.uniform(0.6, 0.9) if case.mean() > 110 else case * rng.uniform(1.2, 2.2)
    for row in range(rows):
        for column in range(columns):
            x, y = (column + 0.45) * pitch * s, (row + 0.45) * pitch * s
            color = key if rng.random() < 0.93 else colored(rng, (60, 230), (50, 230))
            cv2.rectangle(
                picture,
                (int(x), int(y)),
                (int(x + pitch * 0.85 * s), int(y + pitch * 0.85 * s)),
                _ink(np.clip(color, 0, 255)),
                -1,
            )
            if s > 0.8:
                cv2.putText(
                    picture,
                    chr(65 + int(rng.integers(26))),
                    (int(x + 3 * s), int(y + 9 * s)),
                    cv2.FONT_HERSHEY_SIMPLEX,
                    0.22 * s,
                    _ink(255 - np.clip(color, 0, 255)),
                    1,
                    cv2.LINE_AA,
                )
    return Thing(picture, s, float(rng.uniform(8, 25)), 1)


def _plastic_card(rng: Rng, s: float) -> Thing:
    """A bank, travel or shop card: a card's size and nothing of its print."""
    picture = _blank(85.6, 54, s)
    _rounded(picture, 3.2 * s, colored(rng, (20, 250), (0, 230)))
    hh, ww = picture.shape[:2]
    slope = fractal((ww, hh), ww / 1.5, rng, 2)
    _tone(picture, 1 + slope * 0.3)
    if rng.random() < 0.6:
        cv2.rectangle(
            picture, (int(ww * 0.1), int(hh * 0.38)), (int(ww * 0.24), int(hh * 0.56)), (90, 190, 215, 255), -1
        )
    else:
        cv2.rectangle(picture, (0, int(hh * 0.1)), (ww, int(hh * 0.3)), (20, 20, 20, 255), -1)
    cv2.putText(
        picture,
        "4021 7788 1904",
        (int(ww * 0.1), int(hh * 0.75)),
        cv2.FONT_HERSHEY_SIMPLEX,
        ww / 330,
        (230, 230, 230, 255),
        max(1, int(s * 0.4)),
        cv2.LINE_AA,
    )
    return Thing(picture, s, 0.8, 1)


def _domino(rng: Rng, s: float) -> Thing:
    picture = _blank(24, 48, s)
    pale = rng.random() < 0.6
    _rounded(picture, 2 * s, colored(rng, (215, 255), (0, 40)) if pale else colored(rng, (10, 60), (0, 120)))
    dot = (20, 20, 20, 255) if pale else (240, 240, 240, 255)
    cv2.line(picture, (int(3 * s), int(24 * s)), (int(21 * s), int(24 * s)), dot, max(1, int(0.7 * s)))
    for half in range(2):
        for gx in range(3):
            for gy in range(3):
                if rng.random() < 0.4:
                    cv2.circle(
                        picture,
                        (int((6 + 6 * gx) * s), int((6 + 6 * gy + 24 * half) * s)),
                        max(1, int(1.7 * s)),
                        dot,
                        -1,
                        cv2.LINE_AA,
                    )
    return Thing(picture, s, 8.0, int(rng.integers(1, 7)))


def _die(rng: Rng, s: float) -> Thing:
    side = rng.uniform(10, 19)
    picture = _blank(side, side, s)
    color = colored(rng, (200, 255), (0, 30)) if rng.random() < 0.6 else colored(rng, (40, 230), (80, 240))
    _rounded(picture, 2 * s, color)
    for x, y in rng.permutation([(0.25, 0.25), (0.75, 0.75), (0.5, 0.5), (0.25, 0.75), (0.75, 0.25)])[
        : rng.integers(1, 6)
    ]:
        cv2.circle(
            picture,
            (int(x * side * s), int(y * side * s)),
            max(1, int(side * 0.09 * s)),
            _ink(255 - color),
            -1,
            cv2.LINE_AA,
        )
    return Thing(picture, s, side, int(rng.integers(1, 4)))


def _token(rng: Rng, s: float) -> Thing:
    """A board game's piece: hexagon, square tile, disc, meeple-like blob, bean, sweet or crumb."""
    side = rng.uniform(8, 45)
    picture = _blank(side, side, s)
    hh, ww = picture.shape[:2]
    sides = int(rng.choice([3, 4, 5, 6, 8, 40]))
    angles = np.arange(sides) * 2 * np.pi / sides + rng.uniform(0, 6)
    wobble = rng.uniform(0.75, 1.0, sides) if rng.random() < 0.4 else np.ones(sides)
    points = np.stack([np.cos(angles), np.sin(angles)], 1) * wobble[:, None] * (ww / 2 - 1) + ww / 2
    cv2.fillPoly(picture, [points.astype(np.int32)], _ink(colored(rng, (30, 250), (0, 240))), cv2.LINE_AA)
    if rng.random() < 0.4:
        cv2.circle(
            picture, (ww // 2, hh // 2), max(1, ww // 5), _ink(colored(rng, (0, 255), (0, 200))), -1, cv2.LINE_AA
        )
    _tone(picture, 1 + 0.15 * fractal((ww, hh), 8 * s, rng, 2))
    return Thing(picture, s, float(rng.uniform(1, 15)), int(rng.integers(1, 9)))


def _cable(rng: Rng, s: float) -> Thing:
    """A cable, cord, string, spectacles' bow or headphones' wire."""
    picture = _blank(320, 320, s)
    hh, ww = picture.shape[:2]
    t = np.linspace(0, 1, 60)
    turns = np.cumsum(rng.normal(0, 0.35, 60))
    turns = np.convolve(turns, np.ones(9) / 9, "same")
    points = np.cumsum(np.stack([np.cos(turns), np.sin(turns)], 1), 0)
    points = (points - points.min(0)) / max(np.ptp(points, 0).max(), 1e-6) * (ww * 0.94) + ww * 0.03
    thick = max(1, int(rng.uniform(1.5, 7) * s))
    color = colored(rng, (8, 70), (0, 60)) if rng.random() < 0.7 else colored(rng, (120, 255), (0, 150))
    cv2.polylines(picture, [points.astype(np.int32)], False, _ink(color), thick, cv2.LINE_AA)
    if thick > 2:
        cv2.polylines(
            picture,
            [(points - thick * 0.2).astype(np.int32)],
            False,
            _ink(np.clip(color * 1.5 + 25, 0, 255)),
            max(1, thick // 4),
            cv2.LINE_AA,
        )
    return Thing(picture, s, float(t[-1] * 4), 1)


def _pen(rng: Rng, s: float) -> Thing:
    """A pen, pencil, knife, spoon, brush or ruler."""
    long, wide = rng.uniform(110, 210), rng.uniform(6, 32)
    picture = _blank(long, wide, s)
    hh, ww = picture.shape[:2]
    _rounded(picture, min(hh / 2 - 1, rng.uniform(0, 8) * s), colored(rng, (20, 255), (0, 230)))
    cut = int(ww * rng.uniform(0.6, 0.95))
    picture[:, cut:, :3] = colored(rng, (20, 255), (0, 160)).astype(np.uint8)
    if wide > 20:
        for x in range(0, ww, max(2, int(5 * s))):
            cv2.line(picture, (x, 0), (x, int(hh * rng.choice([0.2, 0.35]))), (20, 20, 20, 255), 1)
    else:
        profile = 0.6 + 0.6 * np.sin(np.linspace(0.3, 2.9, hh))
        _tone(picture, np.repeat(profile[:, None], ww, 1).astype(np.float32))
    return Thing(picture, s, float(rng.uniform(2, 9)), 1)


def _cloth(rng: Rng, s: float) -> Thing:
    """A napkin, mat, coaster, cushion, glove, scarf or piece of clothing."""
    w = rng.uniform(70, 380)
    picture = _blank(w, w * rng.uniform(0.5, 1.2), s)
    hh, ww = picture.shape[:2]
    kind = str(rng.choice(["cloth", "tablecloth", "denim", "leather", "carpet", "felt", "printed", "wood"]))
    tile = surface(kind, (ww, hh), s, rng)
    _rounded(picture, rng.uniform(0, 12) * s, np.zeros(3))
    picture[..., :3] = tile
    if rng.random() < 0.5 and min(hh, ww) > 24:
        edge = fractal((ww, hh), 40 * s, rng, 3) * 12 * s
        y, x = np.indices((hh, ww), dtype=np.float32)
        inner = np.minimum(np.minimum(x, ww - x), np.minimum(y, hh - y)) + edge - 8 * s
        picture[..., 3] = np.clip(inner * 128 + 128, 0, 255).astype(np.uint8)
    return Thing(picture, s, float(rng.uniform(1, 12)), 1)


def _scrap(rng: Rng, s: float) -> Thing:
    """Torn tape, a leaf, a stain, a shred of cardboard, a spill."""
    side = rng.uniform(12, 70)
    picture = _blank(side, side * rng.uniform(0.5, 1), s)
    hh, ww = picture.shape[:2]
    angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 14))))
    radius = rng.uniform(0.5, 1.0, len(angles))
    points = np.stack([np.cos(angles) * ww / 2, np.sin(angles) * hh / 2], 1) * radius[:, None] + (ww / 2, hh / 2)
    cv2.fillPoly(picture, [points.astype(np.int32)], _ink(colored(rng, (50, 220), (0, 130))), cv2.LINE_AA)
    _tone(picture, 1 + 0.1 * white((ww, hh), rng))
    if rng.random() < 0.35:
        picture[..., 3] = (cv2.GaussianBlur(picture[..., 3], (0, 0), max(0.8, 1.5 * s)) * rng.uniform(0.2, 0.7)).astype(
            np.uint8
        )
    return Thing(picture, s, 0.3, int(rng.integers(1, 7)))


def _device(rng: Rng, s: float) -> Thing:
    """A laptop, speaker, chip rack, tray, shoe sole or bag: a large dark shape with parts."""
    w = rng.uniform(120, 380)
    picture = _blank(w, w * rng.uniform(0.3, 0.9), s)
    hh, ww = picture.shape[:2]
    _rounded(
        picture,
        rng.uniform(3, 30) * s,
        colored(rng, (10, 90), (0, 90)) if rng.random() < 0.7 else colored(rng, (90, 240), (0, 120)),
    )
    for _ in range(int(rng.integers(1, 8))):
        x, y = int(rng.uniform(0.05, 0.7) * ww), int(rng.uniform(0.05, 0.7) * hh)
        size = (int(rng.uniform(0.05, 0.3) * ww), int(rng.uniform(0.05, 0.4) * hh))
        ink = _ink(colored(rng, (5, 160), (0, 160)))
        if rng.random() < 0.5:
            cv2.rectangle(
                picture, (x, y), (x + size[0], y + size[1]), ink, -1 if rng.random() < 0.6 else max(1, int(2 * s))
            )
        else:
            cv2.circle(picture, (x, y), max(1, size[1] // 2), ink, -1, cv2.LINE_AA)
    _tone(picture, 1 + 0.12 * fractal((ww, hh), 60 * s, rng, 4))
    alpha = picture[..., 3]
    alpha[alpha > 0] = np.maximum(alpha[alpha > 0], 1)
    return Thing(picture, s, float(rng.uniform(10, 80)), 1)


_MAKERS: dict[str, Callable[[Rng, float], Thing]] = {
    "chip": _chip,
    "coin": _coin,
    "sheet": _sheet,
    "photo": _photo,
    "pips": _pips,
    "book": _book,
    "box": _box,
    "phone": _phone,
    "vessel": _round_vessel,
    "keyboard": _keyboard,
    "plastic card": _plastic_card,
    "domino": _domino,
    "die": _die,
    "token": _token,
    "cable": _cable,
    "pen": _pen,
    "cloth": _cloth,
    "scrap": _scrap,
    "device": _device,
}
KINDS = tuple(_MAKERS)


def thing(kind: str, px_per_mm: float, rng: Rng) -> Thing:
    """Draw one object.

    Parameters
    ----------
    kind
        One of `KINDS`.
    px_per_mm
        Scale of its picture.
    rng
        Same state, same bytes.

    Raises
    ------
    ValueError
        If there is no such kind.
    """
    if kind not in _MAKERS:
        raise ValueError(f"no thing '{kind}': use {', '.join(KINDS)}")
    return _MAKERS[kind](rng, px_per_mm)
