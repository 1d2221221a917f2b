"""Draws the confusion matrix of labels: a row for what a card is, a column for what was read."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from ..game.cards import BACKS, FACES
from ..vision.frames import Image
from ..vision.overlay import card_color, write

_CELL_PX = 17
_LEFT_PX = 150
_UNREAD = "not read"


def draw_confusion(counts: Mapping[tuple[str, str], int]) -> Image:
    """Draw how often each label was read as each other one; the diagonal is what was right.

    Parameters
    ----------
    counts
        {(true label, label that was read; `None` as a word when none was)}: how many.
    """
    labels = [*(str(face) for face in FACES), *(str(back) for back in BACKS)]
    columns = [*labels, _UNREAD]
    place = {label: n for n, label in enumerate(columns)} | {"None": len(labels)}
    table = np.zeros((len(labels), len(columns)), dtype=int)
    for (true, read), count in counts.items():
        if true in place and read in place and place[true] < len(labels):
            table[place[true], place[read]] += count
    shares = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    picture = np.full(
        (_LEFT_PX + _CELL_PX * len(labels) + 10, _LEFT_PX + _CELL_PX * len(columns) + 10, 3), 255, np.uint8
    )
    for i in range(len(labels)):
        for j in range(len(columns)):
            x, y = _LEFT_PX + j * _CELL_PX, _LEFT_PX + i * _CELL_PX
            # The root makes a few errors among many right ones visible.
            share = float(np.sqrt(shares[i, j]))
            full = np.array((90, 150, 40) if i == j else (40, 40, 210))
            color = tuple(int(v) for v in 250 - share * (250 - full))
            cv2.rectangle(picture, (x, y), (x + _CELL_PX - 2, y + _CELL_PX - 2), color, -1)
            if table[i, j] and i != j:
                write(picture, str(table[i, j]), (x + 2, y + _CELL_PX - 5), 10, (255, 255, 255))
    for n, label in enumerate(columns):
        name = label.removeprefix("back:")
        at = _LEFT_PX + n * _CELL_PX
        if n < len(labels):
            write(picture, name, (_LEFT_PX - 8 * len(name) - 12, at + _CELL_PX - 5), 12, card_color(label))
        sideways = np.full((_CELL_PX, _LEFT_PX - 10, 3), 255, np.uint8)
        write(sideways, name, (2, _CELL_PX - 5), 12, card_color(label))
        picture[10:_LEFT_PX, at : at + _CELL_PX] = cv2.rotate(sideways, cv2.ROTATE_90_COUNTERCLOCKWISE)
    return picture
