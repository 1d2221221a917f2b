"""Things that could be taken for cards: envelopes, coasters, tiles, magazines, screens, card boxes, small rugs, boards.

They are oblong, about as large as a card and printed like one: a detector that is to be quiet on ordinary photographs
must have seen them. Each maker takes a generator and a scale in px/mm.
"""

from __future__ import annotations

import cv2
import numpy as np

from ..vision.frames import Image
from .noise_fields import colored, fractal
from .printed_things import photo_print, print_lines
from .surfaces import surface
from .things import Rng, Thing, blank, rounded, tone
from .things import ink as scalar


def _fill(picture: Image, color: np.ndarray) -> None:
    picture[..., :3], picture[..., 3] = np.clip(color, 0, 255).astype(np.uint8), 255


def _text(picture: Image, text: str, share: tuple[float, float], height_px: float, color: np.ndarray) -> None:
    """Write at a share of width and height."""
    at = (int(share[0] * picture.shape[1]), int(share[1] * picture.shape[0]))
    size = max(0.15, height_px / 22)
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_TRIPLEX, size, scalar(color), max(1, round(size)), cv2.LINE_AA)


def _contrast(color: np.ndarray) -> np.ndarray:
    return np.full(3, 25.0) if color.mean() > 125 else np.full(3, 235.0)


def envelope(rng: Rng, s: float) -> Thing:
    """Draw an envelope: its flap, or its front with a stamp and an address."""
    width = rng.uniform(90, 230)
    picture = blank(width, width * rng.uniform(0.45, 0.72), s)
    paper = colored(rng, (150, 255), (0, 60))
    _fill(picture, paper)
    hh, ww = picture.shape[:2]
    line = max(1, round(0.6 * s))
    if rng.random() < 0.5:
        tip = (ww // 2, int(hh * rng.uniform(0.35, 0.7)))
        cv2.fillConvexPoly(picture, np.array([(0, 0), tip, (ww, 0)]), scalar(paper * 0.96), cv2.LINE_AA)
        for corner in ((0, 0), (ww, 0)):
            cv2.line(picture, corner, tip, scalar(paper * 0.78), line, cv2.LINE_AA)
        for corner in ((0, hh), (ww, hh)):
            cv2.line(picture, corner, (ww // 2, hh // 2), scalar(paper * 0.9), line, cv2.LINE_AA)
    else:
        side = int(hh * 0.22)
        stamp = colored(rng, (40, 220), (40, 200))
        cv2.rectangle(picture, (ww - side - 4, 4), (ww - 5, int(side * 1.25) + 4), scalar(stamp), -1)
        print_lines(picture, rng, colored(rng, (10, 90), (0, 120)), s, (0.45, 0.55, 0.85, 0.85))
    tone(picture, 1 + 0.05 * fractal((ww, hh), 30 * s, rng, 2))
    return Thing(picture, s, 0.6, int(rng.integers(1, 3)))


def coaster(rng: Rng, s: float) -> Thing:
    """Draw a coaster: round or square, of cork, cloth or printed board."""
    side = rng.uniform(85, 110)
    picture = blank(side, side, s)
    hh, ww = picture.shape[:2]
    color = colored(rng, (40, 240), (0, 170))
    rounded(picture, rng.choice([3.0, 8.0, side / 2 - 0.5]) * s, color)
    if rng.random() < 0.5:
        kind = str(rng.choice(["leather", "felt", "wood", "stone", "cloth", "printed"]))
        picture[..., :3] = surface(kind, (ww, hh), s, rng)
    for _ in range(int(rng.integers(0, 3))):
        ring = max(2, int(ww * rng.uniform(0.15, 0.46)))
        cv2.circle(picture, (ww // 2, hh // 2), ring, scalar(_contrast(color)), max(1, round(rng.uniform(0.5, 3) * s)))
    if rng.random() < 0.5:
        _text(
            picture, str(rng.choice(["BREW", "PUB", "No. 1", "ALE", "CAFE"])), (0.26, 0.56), ww * 0.14, _contrast(color)
        )
    return Thing(picture, s, float(rng.uniform(1.5, 9)), int(rng.integers(1, 5)))


def tile(rng: Rng, s: float) -> Thing:
    """Draw a loose tile of clay, glass or wood, plain or painted."""
    width = rng.uniform(30, 110)
    picture = blank(width, width * rng.choice([1.0, 1.0, 1.4, 1.6, 2.0]), s)
    hh, ww = picture.shape[:2]
    base = colored(rng, (40, 250), (0, 150))
    rounded(picture, rng.uniform(0, 3) * s, base)
    tone(picture, 1 + fractal((ww, hh), 25 * s, rng, 3) * rng.uniform(0.02, 0.15))
    if rng.random() < 0.5:
        other = scalar(colored(rng, (30, 250), (0, 200)))
        kind = int(rng.integers(3))
        if kind == 0:
            cv2.ellipse(
                picture, (ww // 2, hh // 2), (int(ww * 0.34), int(hh * 0.34)), 0, 0, 360, other, -1, cv2.LINE_AA
            )
        elif kind == 1:
            diamond = np.array([(ww // 2, hh // 8), (ww * 7 // 8, hh // 2), (ww // 2, hh * 7 // 8), (ww // 8, hh // 2)])
            cv2.fillConvexPoly(picture, diamond, other, cv2.LINE_AA)
        else:
            inset = max(1, ww // 8)
            cv2.rectangle(picture, (inset, inset), (ww - inset, hh - inset), other, max(1, round(1.2 * s)))
    edge = max(1, round(1.2 * s))
    lit = np.clip(picture[:edge, :, :3] * 1.25 + 12, 0, 255)
    picture[:edge, :, :3] = lit.astype(np.uint8)
    picture[-edge:, :, :3] = (picture[-edge:, :, :3] * 0.7).astype(np.uint8)
    return Thing(picture, s, float(rng.uniform(3, 10)), int(rng.integers(1, 7)))


def magazine(rng: Rng, s: float) -> Thing:
    """Draw a magazine, leaflet or comic: a photograph to its edges, a masthead, boxes and captions."""
    width = rng.choice([rng.uniform(90, 115), rng.uniform(140, 215)])
    size = (width, width * rng.uniform(1.25, 1.5))
    picture = blank(*size, s)
    hh, ww = picture.shape[:2]
    cover = photo_print(rng, s).picture[..., :3]
    picture[..., :3], picture[..., 3] = cv2.resize(cover, (ww, hh), interpolation=cv2.INTER_AREA), 255
    title = colored(rng, (0, 255), (0, 255))
    _text(
        picture,
        str(rng.choice(["GARDEN", "WEEKLY", "TRAINS", "HOME", "STYLE", "COOK"])),
        (0.06, 0.17),
        hh * 0.11,
        title,
    )
    for _ in range(int(rng.integers(0, 5))):
        x, y = rng.uniform(0.02, 0.6), rng.uniform(0.22, 0.75)
        w, h = rng.uniform(0.15, 0.38), rng.uniform(0.08, 0.24)
        box = (int(x * ww), int(y * hh)), (int((x + w) * ww), int((y + h) * hh))
        color = colored(rng, (0, 255), (0, 220))
        cv2.rectangle(picture, *box, scalar(color), -1)
        print_lines(picture, rng, _contrast(color), s, (x + 0.02, y + 0.02, x + w - 0.02, y + h - 0.01))
    if rng.random() < 0.3:
        spine = max(1, ww // 40)
        picture[:, ww // 2 - spine : ww // 2 + spine, :3] = (
            picture[:, ww // 2 - spine : ww // 2 + spine, :3] * 0.6
        ).astype(np.uint8)
    return Thing(picture, s, float(rng.uniform(0.6, 6)), int(rng.integers(1, 3)))


def screen(rng: Rng, s: float) -> Thing:
    """Draw a tablet, a laptop's lid or screen, a reader: a dark frame round windows, pictures, or a dark glass."""
    width = rng.uniform(120, 320)
    picture = blank(width, width * rng.uniform(0.6, 0.78), s)
    hh, ww = picture.shape[:2]
    frame = colored(rng, (10, 60), (0, 10)) if rng.random() < 0.7 else colored(rng, (180, 240), (0, 15))
    rounded(picture, rng.uniform(4, 12) * s, frame)
    inset = max(2, int(rng.uniform(5, 16) * s))
    if min(hh, ww) < 3 * inset:
        return Thing(picture, s, 7.0, 1)
    inside = picture[inset:-inset, inset:-inset]
    h, w = inside.shape[:2]
    ground = colored(rng, (5, 255), (0, 90))
    inside[..., :3] = np.clip(ground * (1 + 0.15 * fractal((w, h), w / 2, rng, 2))[..., None], 0, 255).astype(np.uint8)
    for _ in range(int(rng.choice([0, 1, 3, 6, 12]))):
        x, y = rng.uniform(0, 0.8, 2)
        wide, tall = rng.uniform(0.06, 0.4, 2)
        color = colored(rng, (20, 255), (0, 220))
        at = (int(x * w), int(y * h)), (int((x + wide) * w), int((y + tall) * h))
        cv2.rectangle(inside, *at, scalar(color), -1)
        if rng.random() < 0.5:
            print_lines(
                inside, rng, _contrast(color), s, (x + 0.01, y + 0.02, min(x + wide, 0.98), min(y + tall, 0.98))
            )
    return Thing(picture, s, float(rng.uniform(5, 18)), 1)


def card_box(rng: Rng, s: float) -> Thing:
    """Draw the box of a pack of cards: a flap with a thumb notch, a name, a device; too deep to be a card."""
    width = rng.uniform(59, 69)
    picture = blank(width, width * rng.uniform(1.38, 1.48), s)
    hh, ww = picture.shape[:2]
    color = colored(rng, (20, 245), (0, 220))
    _fill(picture, color)
    mark = _contrast(color) if rng.random() < 0.6 else colored(rng, (0, 255), (0, 220))
    if rng.random() < 0.6:
        inset = max(1, round(rng.uniform(2, 7) * s))
        cv2.rectangle(picture, (inset, inset), (ww - inset - 1, hh - inset - 1), scalar(mark), max(1, round(0.7 * s)))
    kind = int(rng.integers(3))
    if kind == 0:
        r = int(ww * rng.uniform(0.2, 0.34))
        cv2.circle(picture, (ww // 2, hh // 2), r, scalar(mark), -1, cv2.LINE_AA)
        cv2.circle(picture, (ww // 2, hh // 2), max(1, int(r * 0.6)), scalar(color), -1, cv2.LINE_AA)
    elif kind == 1:
        r = int(ww * rng.uniform(0.15, 0.28))
        cv2.circle(picture, (ww // 2 - r // 2, hh // 2), r // 2 + 1, scalar(mark), -1, cv2.LINE_AA)
        cv2.circle(picture, (ww // 2 + r // 2, hh // 2), r // 2 + 1, scalar(mark), -1, cv2.LINE_AA)
        tip = np.array([(ww // 2 - r, hh // 2), (ww // 2 + r, hh // 2), (ww // 2, hh // 2 - 2 * r)])
        cv2.fillConvexPoly(picture, tip, scalar(mark), cv2.LINE_AA)
    _text(picture, str(rng.choice(["CARDS", "POKER", "RUMMY", "PLAYING", "52"])), (0.14, 0.24), ww * 0.15, mark)
    _text(picture, str(rng.choice(["STANDARD", "PLASTIC", "LINEN"])), (0.14, 0.86), ww * 0.1, mark)
    if rng.random() < 0.7:
        cv2.ellipse(picture, (ww // 2, 0), (int(ww * 0.16), int(ww * 0.12)), 0, 0, 180, scalar(color * 0.45), -1)
        flap = int(hh * 0.04)
        cv2.line(picture, (0, flap), (ww, flap), scalar(color * 0.6), max(1, round(0.5 * s)))
    return Thing(picture, s, float(rng.uniform(14, 22)), 1)


def mat(rng: Rng, s: float) -> Thing:
    """Draw a small rug, place mat or game board: borders within borders round a field with a pattern."""
    width = rng.uniform(110, 480)
    picture = blank(width, width * rng.uniform(0.55, 0.8), s)
    hh, ww = picture.shape[:2]
    kind = str(rng.choice(["rug", "tablecloth", "printed", "carpet", "cloth"]))
    picture[..., :3], picture[..., 3] = surface(kind, (ww, hh), s, rng), 255
    inset = 0.0
    for _ in range(int(rng.integers(1, 6))):
        thick = rng.uniform(1, 12) * s
        inset += thick / 2 + rng.uniform(0, 10) * s
        if inset > min(hh, ww) * 0.4:
            break
        corner, far = (int(inset), int(inset)), (int(ww - inset - 1), int(hh - inset - 1))
        cv2.rectangle(picture, corner, far, scalar(colored(rng, (20, 240), (0, 180))), max(1, round(thick)))
    if rng.random() < 0.35:
        columns, rows = int(rng.integers(3, 9)), int(rng.integers(2, 7))
        for i in range(1, columns):
            cv2.line(
                picture, (ww * i // columns, 0), (ww * i // columns, hh), (30, 30, 30, 255), max(1, round(0.8 * s))
            )
        for j in range(1, rows):
            cv2.line(picture, (0, hh * j // rows), (ww, hh * j // rows), (30, 30, 30, 255), max(1, round(0.8 * s)))
    return Thing(picture, s, float(rng.uniform(0.8, 8)), 1)


def board(rng: Rng, s: float) -> Thing:
    """Draw a cutting board, tray, ruler or strip of wood."""
    width = rng.uniform(28, 200)
    picture = blank(width, width * rng.uniform(1.2, 3.5) if width < 90 else width * rng.uniform(0.6, 1.5), s)
    hh, ww = picture.shape[:2]
    rounded(picture, rng.uniform(0, 8) * s, np.zeros(3))
    picture[..., :3] = surface(str(rng.choice(["wood", "planks", "laminate", "plain"])), (ww, hh), s, rng)
    if rng.random() < 0.3:
        step = max(2, round(rng.uniform(1, 10) * s))
        for y in range(step, hh - 1, step):
            cv2.line(picture, (0, y), (int(ww * rng.choice([0.15, 0.3])), y), (25, 25, 25, 255), 1)
    return Thing(picture, s, float(rng.uniform(3, 22)), int(rng.choice([1, 1, 1, 4])))
