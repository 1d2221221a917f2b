"""Flat and printed objects: papers, photographs, books, boxes, plastic cards, cloths, scraps.

Several look like cards on purpose: a detector must learn the difference. Each maker takes a generator and a scale in
px/mm.
"""

from __future__ import annotations

import cv2
import numpy as np

from ..vision.frames import Image
from .noise_fields import colored, fractal, white
from .surfaces import surface
from .things import Rng, Thing, blank, rounded, tone
from .things import ink as scalar


def print_lines(
    picture: Image,
    rng: Rng,
    ink: np.ndarray,
    s: float,
    box: tuple[float, float, float, float],
) -> None:
    """Fill a box (fractions of the picture) with lines of print."""
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = (
        int(box[0] * width),
        int(box[1] * height),
        int(box[2] * width),
        int(box[3] * height),
    )
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
                scalar(ink),
                1,
                cv2.LINE_AA,
            )
        else:
            x = float(x0)
            while x < end:
                w = rng.uniform(2, 11) * pitch * 0.3
                cv2.line(
                    picture,
                    (int(x), int(y)),
                    (int(min(x + w, end)), int(y)),
                    scalar(ink),
                    max(1, int(pitch * 0.35)),
                )
                x += w + pitch * 0.4
        y += pitch


def sheet(rng: Rng, s: float) -> Thing:
    """Draw paper of any format: notes, letters, receipts, envelopes, squared or lined."""
    formats = (
        (210, 297),
        (148, 210),
        (105, 148),
        (76, 76),
        (110, 220),
        (80, 180),
        (125, 176),
        (50, 38),
        (120, 120),
    )
    w, h = formats[rng.integers(len(formats))]
    picture = blank(w * rng.uniform(0.9, 1.1), h * rng.uniform(0.9, 1.1), s)
    paper = colored(rng, (215, 255), (0, 25)) if rng.random() < 0.7 else colored(rng, (140, 255), (20, 150))
    picture[..., :3], picture[..., 3] = paper.astype(np.uint8), 255
    ink = colored(rng, (10, 110), (0, 200))
    kind = rng.integers(5)
    if kind == 0:
        print_lines(picture, rng, ink, s, (0.1, 0.08, 0.9, 0.92))
    elif kind == 1:
        step = max(3, round(rng.uniform(5, 9) * s))
        picture[::step, :, :3] = np.clip(paper * 0.8, 0, 255).astype(np.uint8)
        if rng.random() < 0.5:
            picture[:, ::step, :3] = np.clip(paper * 0.8, 0, 255).astype(np.uint8)
        for _ in range(int(rng.integers(0, 25))):
            points = np.cumsum(rng.normal(0, 3 * s, (12, 2)), 0) + rng.uniform(0.1, 0.8, 2) * picture.shape[1::-1]
            cv2.polylines(
                picture,
                [points.astype(np.int32)],
                False,
                scalar(ink),
                max(1, int(0.5 * s)),
                cv2.LINE_AA,
            )
    elif kind == 2:
        hh, ww = picture.shape[:2]
        flap = [[0, 0], [ww // 2, int(hh * 0.45)], [ww, 0]]
        cv2.polylines(
            picture,
            [np.array(flap)],
            False,
            scalar(paper * 0.85),
            max(1, int(0.8 * s)),
            cv2.LINE_AA,
        )
    elif kind == 3:
        print_lines(picture, rng, ink, s, (0.55, 0.55, 0.9, 0.8))
    if rng.random() < 0.5:
        tone(picture, 1 + 0.08 * fractal(picture.shape[1::-1], 40 * s, rng, 2))
    return Thing(picture, s, 0.3, 1)


def photo_print(rng: Rng, s: float) -> Thing:
    """Draw a printed picture, leaflet or magazine: blobs of colour, pips, figures, letters."""
    w = rng.uniform(50, 160)
    picture = blank(w, w * rng.choice([0.66, 0.75, 1.0, 1.3, 1.45]), s)
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
        ink = scalar(colored(rng, (0, 255), (0, 230)))
        shape = rng.integers(4)
        if shape == 0:
            cv2.circle(picture, at, size, ink, -1, cv2.LINE_AA)
        elif shape == 1:
            cv2.ellipse(
                picture,
                at,
                (size, size * 2),
                float(rng.uniform(0, 180)),
                0,
                360,
                ink,
                -1,
                cv2.LINE_AA,
            )
        elif shape == 2:
            points = np.array(at) + rng.normal(0, size, (5, 2))
            cv2.fillPoly(picture, [points.astype(np.int32)], ink, cv2.LINE_AA)
        else:
            text = str(rng.choice(list("AKQJ23456789XOSALE")))
            cv2.putText(
                picture,
                text,
                at,
                cv2.FONT_HERSHEY_TRIPLEX,
                max(0.2, size / 18),
                ink,
                max(1, size // 12),
                cv2.LINE_AA,
            )
    if rng.random() < 0.5:
        edge = max(1, int(ww * rng.uniform(0.02, 0.1)))
        cv2.rectangle(
            picture,
            (0, 0),
            (ww - 1, hh - 1),
            scalar(colored(rng, (220, 255), (0, 15))),
            edge,
        )
    return Thing(picture, s, 0.5, int(rng.integers(1, 3)))


def pips(rng: Rng, s: float) -> Thing:
    """Draw a print with rows of hearts, spades and dots that is no card: adverts, scraps, rule books."""
    w = rng.uniform(70, 200)
    picture = blank(w, w * rng.uniform(0.5, 2.0), s)
    hh, ww = picture.shape[:2]
    picture[..., :3], picture[..., 3] = (
        colored(rng, (120, 255), (0, 160)).astype(np.uint8),
        255,
    )
    ink = scalar((40, 30, 200) if rng.random() < 0.5 else colored(rng, (0, 90), (0, 255)))
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


def book(rng: Rng, s: float) -> Thing:
    """Draw a book or booklet."""
    w = rng.uniform(105, 200)
    thing = photo_print(rng, s) if rng.random() < 0.4 else None
    picture = blank(w, w * rng.uniform(1.2, 1.55), s)
    hh, ww = picture.shape[:2]
    picture[..., :3], picture[..., 3] = (
        colored(rng, (20, 250), (0, 220)).astype(np.uint8),
        255,
    )
    if thing is not None:
        art = cv2.resize(thing.picture, (max(2, int(ww * 0.8)), max(2, int(hh * 0.5))))
        y, x = int(hh * 0.25), int(ww * 0.1)
        picture[y : y + art.shape[0], x : x + art.shape[1]] = art
    ink = colored(rng, (180, 255), (0, 90)) if picture[0, 0, :3].mean() < 120 else colored(rng, (0, 80), (0, 200))
    if rng.random() < 0.25:
        print_lines(picture, rng, ink, s, (0.1, 0.1, 0.9, 0.9))
    else:
        word = "".join(rng.choice(list("ABDEGHILMNOPRSTU"), 6))
        size = ww / 170
        cv2.putText(
            picture,
            word,
            (int(ww * 0.1), int(hh * 0.18)),
            cv2.FONT_HERSHEY_TRIPLEX,
            size,
            scalar(ink),
            max(1, int(size * 2)),
            cv2.LINE_AA,
        )
    picture[:, : max(1, ww // 30), :3] = (picture[:, : max(1, ww // 30), :3] * 0.7).astype(np.uint8)
    return Thing(picture, s, float(rng.uniform(5, 35)), 1)


def box(rng: Rng, s: float) -> Thing:
    """Draw a card box, carton or tin with print on it."""
    small = rng.random() < 0.5
    w = rng.uniform(58, 70) if small else rng.uniform(80, 260)
    picture = blank(w, w * (rng.uniform(1.3, 1.6) if small else rng.uniform(0.5, 1.5)), s)
    color = colored(rng, (20, 250), (0, 230))
    rounded(picture, rng.uniform(0, 3) * s, color)
    hh, ww = picture.shape[:2]
    inset = int(ww * rng.uniform(0.06, 0.15))
    ink = scalar(colored(rng, (0, 255), (0, 200)))
    if rng.random() < 0.5:
        cv2.rectangle(picture, (inset, inset), (ww - inset, hh - inset), ink, max(1, int(s)))
    if rng.random() < 0.5:
        cv2.ellipse(
            picture,
            (ww // 2, hh // 2),
            (int(ww * 0.3), int(hh * 0.2)),
            0,
            0,
            360,
            ink,
            -1,
            cv2.LINE_AA,
        )
    word = str(rng.choice(["CARDS", "POKER", "TEA", "GAME", "UNO!", "No. 9", "BRIDGE", "MINT"]))
    size = ww / 120
    cv2.putText(
        picture,
        word,
        (int(ww * 0.2), int(hh * 0.55)),
        cv2.FONT_HERSHEY_DUPLEX,
        size,
        scalar(colored(rng, (0, 255), (0, 120))),
        max(1, int(size * 2)),
        cv2.LINE_AA,
    )
    return Thing(picture, s, float(rng.uniform(14, 30) if small else rng.uniform(20, 90)), 1)


def plastic_card(rng: Rng, s: float) -> Thing:
    """Draw a bank, travel or shop card: a card's size and nothing of its print."""
    picture = blank(85.6, 54, s)
    rounded(picture, 3.2 * s, colored(rng, (20, 250), (0, 230)))
    hh, ww = picture.shape[:2]
    slope = fractal((ww, hh), ww / 1.5, rng, 2)
    tone(picture, 1 + slope * 0.3)
    if rng.random() < 0.6:
        cv2.rectangle(
            picture,
            (int(ww * 0.1), int(hh * 0.38)),
            (int(ww * 0.24), int(hh * 0.56)),
            (90, 190, 215, 255),
            -1,
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


def cloth(rng: Rng, s: float) -> Thing:
    """Draw a napkin, mat, coaster, cushion or piece of clothing."""
    w = rng.uniform(70, 380)
    picture = blank(w, w * rng.uniform(0.5, 1.2), s)
    hh, ww = picture.shape[:2]
    kind = str(
        rng.choice(
            [
                "cloth",
                "tablecloth",
                "denim",
                "leather",
                "carpet",
                "felt",
                "printed",
                "wood",
            ]
        )
    )
    tile = surface(kind, (ww, hh), s, rng)
    rounded(picture, rng.uniform(0, 12) * s, np.zeros(3))
    picture[..., :3] = tile
    if rng.random() < 0.5 and min(hh, ww) > 24:
        edge = fractal((ww, hh), 40 * s, rng, 3) * 12 * s
        y, x = np.indices((hh, ww), dtype=np.float32)
        inner = np.minimum(np.minimum(x, ww - x), np.minimum(y, hh - y)) + edge - 8 * s
        picture[..., 3] = np.clip(inner * 128 + 128, 0, 255).astype(np.uint8)
    return Thing(picture, s, float(rng.uniform(1, 12)), 1)


def scrap(rng: Rng, s: float) -> Thing:
    """Draw torn tape, a leaf, a stain or a shred of cardboard."""
    side = rng.uniform(12, 70)
    picture = blank(side, side * rng.uniform(0.5, 1), s)
    hh, ww = picture.shape[:2]
    angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 14))))
    radius = rng.uniform(0.5, 1.0, len(angles))
    points = np.stack([np.cos(angles) * ww / 2, np.sin(angles) * hh / 2], 1) * radius[:, None] + (ww / 2, hh / 2)
    cv2.fillPoly(
        picture,
        [points.astype(np.int32)],
        scalar(colored(rng, (50, 220), (0, 130))),
        cv2.LINE_AA,
    )
    tone(picture, 1 + 0.1 * white((ww, hh), rng))
    if rng.random() < 0.35:
        picture[..., 3] = (cv2.GaussianBlur(picture[..., 3], (0, 0), max(0.8, 1.5 * s)) * rng.uniform(0.2, 0.7)).astype(
            np.uint8
        )
    return Thing(picture, s, 0.3, int(rng.integers(1, 7)))
