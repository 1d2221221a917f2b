"""Says which deck a design is: one of the eight by the reader, or a learnt one by its likeness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ..decks import DeckError, LearntBack
from ..game.cards import Back, Color
from ..vision.frames import Image
from ..vision.identifier import HEADS, CardReader, Scores
from .likeness import Floats, Look, to_lab

FACE, UNKNOWN = "face", "unknown"

_SURE_HEAD = 0.6
_SAME_BACK = 0.9
"""Likeness of two pictures of one back in different light; of different drawings it stays below 0.7."""
_LEARNT, _LEARNT_MARGIN = 0.6, 0.08
_PLAIN = 4.0
"""Mean contrast (Lab) below which a back has no pattern to go by."""


@dataclass(frozen=True, slots=True)
class Name:
    """What a design is called: a deck's name, `FACE`, or `UNKNOWN` for a back that no deck here has; how sure, 0..1."""

    deck: str
    confidence: float


def name_by_reader(reader: CardReader, crops: Sequence[Image]) -> Name:
    """Read several crops of one design as one: the mean of their logarithms decides."""
    scores = reader.scores(crops)

    def pooled(table: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        mean = np.exp(np.log(np.maximum(table, 1e-3)).mean(axis=0))
        return np.asarray(mean / mean.sum(), np.float32)

    kind, symbol, color = pooled(scores.kind), pooled(scores.symbol), pooled(scores.back_color)
    if HEADS["kind"][int(kind.argmax())] == "face":
        return Name(FACE, float(kind.max()))
    s, c = int(symbol.argmax()), int(color.argmax())
    sure = float(min(symbol[s], color[c]))
    if HEADS["symbol"][s] == "other" or HEADS["back_color"][c] == "other" or sure < _SURE_HEAD:
        return Name(UNKNOWN, 1 - sure)
    return Name(Back(Color(HEADS["back_color"][c]), HEADS["symbol"][s]).deck, sure)


def is_face(scores: Scores, index: int) -> bool:
    """Say whether the reader takes a crop for the front of a card."""
    return bool(scores.kind[index, 0] > 0.7)


def look_of(back: LearntBack, card_px: tuple[int, int]) -> Look:
    """Give the look of a learnt back at 1 px/mm."""
    lab = to_lab(cv2.resize(back.picture, card_px, interpolation=cv2.INTER_AREA))
    return Look.of(lab, np.ones(lab.shape[:2], bool))


def likeness(first: Look, second: Look) -> float:
    """Say how alike two looks are whatever the light, -1..1, the better of both ways up.

    Correlation over all three axes of Lab at once, means taken out: light shifts and stretches them, an ink of
    another colour turns them.
    """
    return max(_correlate(first, second), _correlate(first.turned(), second))


def _correlate(first: Look, second: Look) -> float:
    mask = first.known & second.known
    if mask.sum() < 0.3 * mask.size:
        return -1.0
    parts = []
    for look in (first, second):
        blurred: Floats = cv2.GaussianBlur(look.lab, (0, 0), 1.5)
        values = blurred[mask]
        parts.append(values - values.mean(axis=0))
    a, b = parts
    spread = float(np.sqrt((a * a).sum() * (b * b).sum()))
    count = float(mask.sum())
    if np.sqrt((a * a).sum() / count) < _PLAIN or np.sqrt((b * b).sum() / count) < _PLAIN:
        # Without a pattern only the colour itself is left.
        apart = np.linalg.norm(np.median(first.lab[mask], axis=0) - np.median(second.lab[mask], axis=0))
        return float(np.clip(1 - apart / 60, -1, 1))
    return float((a * b).sum()) / max(spread, 1e-6)


def name_by_likeness(look: Look, learnt: Sequence[tuple[str, Look]]) -> Name:
    """Say which learnt deck a design is; `UNKNOWN` where none is like it, or two are alike."""
    rated = sorted(((likeness(look, other), name) for name, other in learnt), reverse=True)
    if not rated or rated[0][0] < _LEARNT:
        return Name(UNKNOWN, 1 - max(rated[0][0] if rated else 0.0, 0.0))
    margin = rated[0][0] - rated[1][0] if len(rated) > 1 else 1.0
    return Name(rated[0][1], rated[0][0]) if margin >= _LEARNT_MARGIN else Name(UNKNOWN, 0.5)


def check_distinct(decks: Sequence[LearntBack]) -> None:
    """Refuse decks whose backs can't be told apart.

    Raises
    ------
    DeckError
        If two have the same back.
    """
    size = (57, 89)
    looks = [look_of(deck, size) for deck in decks]
    for i, first in enumerate(looks):
        for j in range(i):
            if decks[i].name == decks[j].name or likeness(first, looks[j]) > _SAME_BACK:
                both = f"{_whose(decks[j])} and {_whose(decks[i])}"
                why = "two decks of one table must differ, else nobody can say whose card it is"
                raise DeckError(f"{both} have the same back: {why}")


def _whose(deck: LearntBack) -> str:
    return deck.name if deck.seat is None else f"{deck.name} (seat {deck.seat})"
