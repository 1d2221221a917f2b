"""Objects with some height: chips, coins, phones, mugs, keyboards, dice, dominoes, cables, pens.

Each maker takes a generator and a scale in px/mm.
"""

from __future__ import annotations

import cv2
import numpy as np

from .noise_fields import colored, fractal
from .things import Rng, Thing, blank, disc, rounded, tone
from .things import ink as scalar


def chip(rng: Rng, s: float) -> Thing:
    """Draw a poker chip, or several stacked."""
    side = 39.0 * rng.uniform(0.9, 1.1)
    picture = blank(side, side, s)
    base = colored(rng, (25, 230), (60, 230)) if rng.random() < 0.75 else colored(rng, (20, 240), (0, 30))
    spot = colored(rng, (190, 255), (0, 40)) if rng.random() < 0.8 else colored(rng, (20, 255), (0, 220))
    disc(picture, 0, base)
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
            scalar(spot),
            max(1, int(r * 0.24)),
            cv2.LINE_AA,
        )
    inner = spot if rng.random() < 0.4 else base * rng.uniform(0.7, 1.2)
    cv2.circle(picture, center, int(r * 0.66), scalar(spot), max(1, int(r * 0.05)), cv2.LINE_AA)
    cv2.circle(picture, center, int(r * 0.6), scalar(np.clip(inner, 0, 255)), -1, cv2.LINE_AA)
    if rng.random() < 0.6 and r > 6:
        text = str(rng.choice(["1", "5", "10", "25", "50", "100", "A", "W"]))
        cv2.putText(
            picture,
            text,
            (int(center[0] - r * 0.22 * len(text)), int(center[1] + r * 0.22)),
            cv2.FONT_HERSHEY_DUPLEX,
            r / 34,
            scalar(255 - np.clip(inner, 0, 255)),
            max(1, int(r / 20)),
            cv2.LINE_AA,
        )
    height = 3.3 * float(rng.choice([1, 1, 1, 2, 4, 9]))
    return Thing(picture, s, height, int(rng.integers(1, 9)))


def coin(rng: Rng, s: float) -> Thing:
    """Draw a coin."""
    side = rng.uniform(16, 30)
    picture = blank(side, side, s)
    metals = ((70, 130, 190), (190, 190, 190), (80, 170, 200), (60, 90, 140))
    base = np.asarray(metals[rng.integers(4)], np.float32) * rng.uniform(0.6, 1.2)
    disc(picture, 0, np.clip(base * 0.75, 0, 255))
    disc(picture, 1.2 * s, np.clip(base, 0, 255))
    if rng.random() < 0.4:
        disc(picture, side * s * 0.16, np.clip(base[::-1] * 1.1, 0, 255))
    relief = fractal(picture.shape[1::-1], 5 * s, rng, 3)
    tone(picture, 1 + 0.25 * relief)
    return Thing(picture, s, 2.0, int(rng.integers(1, 8)))


def phone(rng: Rng, s: float) -> Thing:
    """Draw a phone, its screen dark, lit or underneath."""
    w = rng.uniform(66, 80)
    picture = blank(w, w * rng.uniform(1.95, 2.2), s)
    rounded(
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
                        scalar(colored(rng, (50, 255), (0, 240))),
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


def round_vessel(rng: Rng, s: float) -> Thing:
    """Draw a mug, glass, bowl, plate, saucer, candle or lid from above."""
    side = float(
        rng.choice(
            [
                rng.uniform(60, 95),
                rng.uniform(100, 180),
                rng.uniform(180, 280),
                rng.uniform(28, 55),
            ]
        )
    )
    picture = blank(side * 1.35, side, s)
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
            scalar(body * 0.85),
            max(2, int(r * 0.16)),
            cv2.LINE_AA,
        )
    cv2.circle(picture, center, int(r), scalar(body), -1, cv2.LINE_AA)
    inner = body * rng.uniform(0.75, 1.05) if side > 100 else colored(rng, (10, 200), (0, 220))
    ring = float(rng.uniform(0.6, 0.92))
    cv2.circle(picture, center, int(r * ring), scalar(np.clip(inner, 0, 255)), -1, cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.circle(
            picture,
            center,
            int(r * ring * rng.uniform(0.5, 0.9)),
            scalar(np.clip(inner * rng.uniform(0.7, 1.2), 0, 255)),
            max(1, int(r * 0.03)),
            cv2.LINE_AA,
        )
    y, x = np.indices((hh, ww), dtype=np.float32)
    angle = rng.uniform(0, 6.28)
    d = ((x - center[0]) * np.cos(angle) + (y - center[1]) * np.sin(angle)) / r
    distance = np.hypot(x - center[0], y - center[1]) / r
    shade = 1 + np.where(distance > ring, 0.25, -0.3) * d
    tone(picture, np.clip(shade, 0.4, 1.4))
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


def keyboard(rng: Rng, s: float) -> Thing:
    """Draw rows of keys or buttons: keyboards, calculators, remote controls."""
    columns, rows = ((14, 5), (4, 6), (3, 11), (10, 4))[rng.integers(4)]
    pitch = rng.uniform(11, 19)
    picture = blank((columns + 0.8) * pitch, (rows + 0.8) * pitch, s)
    case = colored(rng, (15, 70), (0, 40)) if rng.random() < 0.6 else colored(rng, (150, 245), (0, 40))
    rounded(picture, 4 * s, case)
    key = case * rng.uniform(0.6, 0.9) if case.mean() > 110 else case * rng.uniform(1.2, 2.2)
    for row in range(rows):
        for column in range(columns):
            x, y = (column + 0.45) * pitch * s, (row + 0.45) * pitch * s
            color = key if rng.random() < 0.93 else colored(rng, (60, 230), (50, 230))
            cv2.rectangle(
                picture,
                (int(x), int(y)),
                (int(x + pitch * 0.85 * s), int(y + pitch * 0.85 * s)),
                scalar(np.clip(color, 0, 255)),
                -1,
            )
            if s > 0.8:
                cv2.putText(
                    picture,
                    chr(65 + int(rng.integers(26))),
                    (int(x + 3 * s), int(y + 9 * s)),
                    cv2.FONT_HERSHEY_SIMPLEX,
                    0.22 * s,
                    scalar(255 - np.clip(color, 0, 255)),
                    1,
                    cv2.LINE_AA,
                )
    return Thing(picture, s, float(rng.uniform(8, 25)), 1)


def domino(rng: Rng, s: float) -> Thing:
    """Draw a domino."""
    picture = blank(24, 48, s)
    pale = rng.random() < 0.6
    rounded(
        picture,
        2 * s,
        colored(rng, (215, 255), (0, 40)) if pale else colored(rng, (10, 60), (0, 120)),
    )
    dot = (20, 20, 20, 255) if pale else (240, 240, 240, 255)
    cv2.line(
        picture,
        (int(3 * s), int(24 * s)),
        (int(21 * s), int(24 * s)),
        dot,
        max(1, int(0.7 * s)),
    )
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


def die(rng: Rng, s: float) -> Thing:
    """Draw a die."""
    side = rng.uniform(10, 19)
    picture = blank(side, side, s)
    color = colored(rng, (200, 255), (0, 30)) if rng.random() < 0.6 else colored(rng, (40, 230), (80, 240))
    rounded(picture, 2 * s, color)
    for x, y in rng.permutation([(0.25, 0.25), (0.75, 0.75), (0.5, 0.5), (0.25, 0.75), (0.75, 0.25)])[
        : rng.integers(1, 6)
    ]:
        cv2.circle(
            picture,
            (int(x * side * s), int(y * side * s)),
            max(1, int(side * 0.09 * s)),
            scalar(255 - color),
            -1,
            cv2.LINE_AA,
        )
    return Thing(picture, s, side, int(rng.integers(1, 4)))


def token(rng: Rng, s: float) -> Thing:
    """Draw a board game's piece: hexagon, tile, disc, bean, sweet or crumb."""
    side = rng.uniform(8, 45)
    picture = blank(side, side, s)
    hh, ww = picture.shape[:2]
    sides = int(rng.choice([3, 4, 5, 6, 8, 40]))
    angles = np.arange(sides) * 2 * np.pi / sides + rng.uniform(0, 6)
    wobble = rng.uniform(0.75, 1.0, sides) if rng.random() < 0.4 else np.ones(sides)
    points = np.stack([np.cos(angles), np.sin(angles)], 1) * wobble[:, None] * (ww / 2 - 1) + ww / 2
    cv2.fillPoly(
        picture,
        [points.astype(np.int32)],
        scalar(colored(rng, (30, 250), (0, 240))),
        cv2.LINE_AA,
    )
    if rng.random() < 0.4:
        cv2.circle(
            picture,
            (ww // 2, hh // 2),
            max(1, ww // 5),
            scalar(colored(rng, (0, 255), (0, 200))),
            -1,
            cv2.LINE_AA,
        )
    tone(picture, 1 + 0.15 * fractal((ww, hh), 8 * s, rng, 2))
    return Thing(picture, s, float(rng.uniform(1, 15)), int(rng.integers(1, 9)))


def cable(rng: Rng, s: float) -> Thing:
    """Draw a cable, cord, string or headphones' wire."""
    picture = blank(320, 320, s)
    hh, ww = picture.shape[:2]
    t = np.linspace(0, 1, 60)
    turns = np.cumsum(rng.normal(0, 0.35, 60))
    turns = np.convolve(turns, np.ones(9) / 9, "same")
    points = np.cumsum(np.stack([np.cos(turns), np.sin(turns)], 1), 0)
    points = (points - points.min(0)) / max(np.ptp(points, 0).max(), 1e-6) * (ww * 0.94) + ww * 0.03
    thick = max(1, int(rng.uniform(1.5, 7) * s))
    color = colored(rng, (8, 70), (0, 60)) if rng.random() < 0.7 else colored(rng, (120, 255), (0, 150))
    cv2.polylines(picture, [points.astype(np.int32)], False, scalar(color), thick, cv2.LINE_AA)
    if thick > 2:
        cv2.polylines(
            picture,
            [(points - thick * 0.2).astype(np.int32)],
            False,
            scalar(np.clip(color * 1.5 + 25, 0, 255)),
            max(1, thick // 4),
            cv2.LINE_AA,
        )
    return Thing(picture, s, float(t[-1] * 4), 1)


def pen(rng: Rng, s: float) -> Thing:
    """Draw a pen, pencil, knife, brush or ruler."""
    long, wide = rng.uniform(110, 210), rng.uniform(6, 32)
    picture = blank(long, wide, s)
    hh, ww = picture.shape[:2]
    rounded(
        picture,
        min(hh / 2 - 1, rng.uniform(0, 8) * s),
        colored(rng, (20, 255), (0, 230)),
    )
    cut = int(ww * rng.uniform(0.6, 0.95))
    picture[:, cut:, :3] = colored(rng, (20, 255), (0, 160)).astype(np.uint8)
    if wide > 20:
        for x in range(0, ww, max(2, int(5 * s))):
            cv2.line(
                picture,
                (x, 0),
                (x, int(hh * rng.choice([0.2, 0.35]))),
                (20, 20, 20, 255),
                1,
            )
    else:
        profile = 0.6 + 0.6 * np.sin(np.linspace(0.3, 2.9, hh))
        tone(picture, np.repeat(profile[:, None], ww, 1).astype(np.float32))
    return Thing(picture, s, float(rng.uniform(2, 9)), 1)


def device(rng: Rng, s: float) -> Thing:
    """Draw a laptop, speaker, chip rack, tray or bag: a large shape with parts."""
    w = rng.uniform(120, 380)
    picture = blank(w, w * rng.uniform(0.3, 0.9), s)
    hh, ww = picture.shape[:2]
    rounded(
        picture,
        rng.uniform(3, 30) * s,
        colored(rng, (10, 90), (0, 90)) if rng.random() < 0.7 else colored(rng, (90, 240), (0, 120)),
    )
    for _ in range(int(rng.integers(1, 8))):
        x, y = int(rng.uniform(0.05, 0.7) * ww), int(rng.uniform(0.05, 0.7) * hh)
        size = (int(rng.uniform(0.05, 0.3) * ww), int(rng.uniform(0.05, 0.4) * hh))
        ink = scalar(colored(rng, (5, 160), (0, 160)))
        if rng.random() < 0.5:
            cv2.rectangle(
                picture,
                (x, y),
                (x + size[0], y + size[1]),
                ink,
                -1 if rng.random() < 0.6 else max(1, int(2 * s)),
            )
        else:
            cv2.circle(picture, (x, y), max(1, size[1] // 2), ink, -1, cv2.LINE_AA)
    tone(picture, 1 + 0.12 * fractal((ww, hh), 60 * s, rng, 4))
    return Thing(picture, s, float(rng.uniform(10, 80)), 1)
