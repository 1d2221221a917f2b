"""Says which deck a design is: one of the eight by the reader, or a learnt one by its likeness.

Two likenesses are taken together: the reader's embedding, which knows a back again in other light and from another
camera, and the correlation of the drawings, which tells apart what the embedding finds alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ..decks import DeckError, LearntBack
from ..game.cards import BACKS, Back, Color
from ..vision.identifier import HEADS, CardReader, Scores, cut_crop
from .likeness import Floats, Look, to_lab

FACE, UNKNOWN = "face", "unknown"

_SURE_HEAD = 0.6
_SAME_BACK = 0.9
"""Likeness of two pictures of one back in different light; of different drawings it stays below 0.7."""
_DRAWING = 0.2
"""Weight of the drawings' correlation beside the embeddings' cosine. Of 31 pictures of single cards of 23 ordinary
backs in different light, 98.6% were named right among four by both, 97.4% by embeddings, 60.6% by drawings alone."""
_LEARNT, _LEARNT_MARGIN = 0.6, 0.06
"""The cosine of one back in two pictures is 0.83 or more in 95%, of half-covered cards 0.55; of two backs 0.71 or less
in 95%. So a name from here on is likely, and sure only from `_SURE_LEARNT` on."""
_SURE_LEARNT, _SURE_MARGIN = 0.85, 0.15
_SOFTNESS = 0.07
"""Difference of two cosines that makes one of the backs e times as likely."""
_CLEAR = 0.75
_SURE_EIGHT = 0.75
_UNSURE = 0.7
_AROUND = 0.2
"""Share of a learnt picture's size that is added around it, since crops show a little more than the card."""
_PLAIN = 4.0
"""Mean contrast (Lab) below which a back has no pattern to go by."""


@dataclass(frozen=True, slots=True)
class Name:
    """What a design is called: a deck's name, `FACE`, or `UNKNOWN` for a back that no deck here has; how sure, 0..1."""

    deck: str
    confidence: float


def name_by_scores(scores: Scores) -> Name:
    """Name a design by what was read of several crops: the mean of their logarithms decides."""

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


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A learnt back to compare with, and its embedding (64,) of unit length."""

    back: LearntBack
    embedding: Floats

    @property
    def name(self) -> str:
        """Give the deck's name."""
        return self.back.name


def know_backs(reader: CardReader, backs: Sequence[LearntBack]) -> tuple[Known, ...]:
    """Take in learnt backs."""
    crops = []
    for back in backs:
        height, width = back.picture.shape[:2]
        x, y = round(_AROUND * width), round(_AROUND * height)
        around = cv2.copyMakeBorder(back.picture, y, y, x, x, cv2.BORDER_REPLICATE)
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        crops.append(cut_crop(around, corners + np.array([x, y], np.float32)))
    return tuple(Known(*pair) for pair in zip(backs, reader.scores(crops).embedding, strict=True)) if crops else ()


def pool(embeddings: Floats) -> Floats:
    """Give the embedding (64,) of several cards of one design."""
    mean = embeddings.mean(axis=0)
    return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-9), np.float32)


def name_by_likeness(look: Look, embedding: Floats, learnt: Sequence[Known]) -> Name:
    """Say which learnt deck a design is; `UNKNOWN` where none is like it, or two are alike."""
    card_px = (look.lab.shape[1], look.lab.shape[0])
    rated = []
    for known in learnt:
        near = float(embedding @ known.embedding)
        drawn = likeness(look, look_of(known.back, card_px))
        rated.append((near + _DRAWING * drawn, near, known.name))
    rated.sort(reverse=True)
    if not rated or rated[0][1] < _LEARNT:
        return Name(UNKNOWN, 1 - max(rated[0][1] if rated else 0.0, 0.0))
    margin = rated[0][0] - rated[1][0] if len(rated) > 1 else 1.0
    if margin < _LEARNT_MARGIN:
        return Name(UNKNOWN, 0.5)
    sure = rated[0][1] >= _SURE_LEARNT and margin >= _SURE_MARGIN
    return Name(rated[0][2], rated[0][1] if sure else _UNSURE)


def choose_name(read: Name, alike: Name, learnt: AbstractSet[str]) -> Name:
    """Choose between what the reader says of a design and the learnt deck that it is like.

    Not every deck of a table need be learnt: a spare's or a neighbour's may be one of the eight, and is like a learnt
    one a little. Where both are sure and differ, nobody is.
    """
    if alike.deck == UNKNOWN:
        # By its cards one by one it may still be a learnt one, though not surely.
        return Name(read.deck, min(read.confidence, _UNSURE)) if read.deck in learnt else read
    if read.deck in (UNKNOWN, FACE) or read.deck in learnt or read.confidence < _SURE_EIGHT:
        return alike
    return read if alike.confidence < _SURE_EIGHT else Name(alike.deck, _UNSURE)


def name_each(embeddings: Floats, learnt: Sequence[Known]) -> list[str | None]:
    """Say for each single card (N, 64) which learnt deck it is; None where that isn't clear."""
    if not learnt or not len(embeddings):
        return [None] * len(embeddings)
    near = embeddings @ np.array([known.embedding for known in learnt]).T
    order = np.sort(near, axis=1)
    margin = order[:, -1] - order[:, -2] if len(learnt) > 1 else np.ones(len(near))
    clear = (order[:, -1] >= _CLEAR) & (margin >= _SURE_MARGIN)
    return [learnt[int(row.argmax())].name if ok else None for row, ok in zip(near, clear, strict=True)]


def rate_eight(scores: Scores) -> list[dict[str, float]]:
    """Give for each crop the probability that it shows the back of each of the eight decks."""
    rows = [
        scores.kind[:, 1]
        * scores.symbol[:, HEADS["symbol"].index(back.symbol)]
        * scores.back_color[:, HEADS["back_color"].index(back.color.value)]
        for back in BACKS
    ]
    return [dict(zip([back.deck for back in BACKS], row, strict=True)) for row in np.stack(rows, axis=1).tolist()]


def rate_learnt(scores: Scores, learnt: Sequence[Known]) -> list[dict[str, float]]:
    """Give for each crop the probability that it shows each learnt back, by the cosines of the embeddings."""
    if not learnt:
        return [{} for _ in scores.embedding]
    near = scores.embedding @ np.array([known.embedding for known in learnt]).T
    grown = np.exp((near - _LEARNT) / _SOFTNESS)
    likely = scores.kind[:, 1:2] * grown / (1 + grown.sum(axis=1, keepdims=True))
    return [dict(zip([known.name for known in learnt], row, strict=True)) for row in likely.tolist()]


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
