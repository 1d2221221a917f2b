"""Names the cards of a table by those that are read surely (template matching).

Half a symbol may be read wrongly; but its whole likeness lies on the same table, in the same print and nearly the
same light. So each deck's clear cards are laid over one another, and what shows of every card is compared with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from ..layout import Pose
from .likeness import Floats, Ground, Mask

_CLEAR = 0.75
"""What is read this surely may show what its deck looks like."""
_LEAST_SHOWN = 0.38
_MOST_MEMBERS = 10
_FEW = 5
"""With fewer clear cards of a deck in a picture those of others are taken too."""
_REACH_MM, _STEP_MM = 3, 1
_LEAST_MM2 = 110.0
"""Fewer square millimetres in common say nothing."""
_EDGE_MM = 2
_ALIKE, _NEARLY, _STRONGER = 0.8, 0.1, 2.0
"""A deck is only misread cards of another if they correlate so much with that one, hardly less than with each other,
and the other is so many times better seen."""
_UNTOLD = 0.5
"""Correlation that is assumed with a deck of which no other card is clear."""
_CORRELATION, _READING, _DESIGN = 4.0, 0.3, 0.3
"""Weights of the correlation (Fisher's z), of the logarithm of what was read, and of the design it was taken for."""
_MOST_ALIKE = 0.95
_HUE, _SAME_HUE, _OTHER_HUE = 0.04, 10.0, 30.0
"""What a farther ground costs for each step of Lab, from where it may be the light, and where it can't be the same."""
_LEAST_BELIEF = 0.01
_LEAST_ALIKE = 0.4
"""With foreign backs cards have less; at 0.15 two of 14 cards of a deck that nobody had learnt were given to others."""
_AROUND_MM, _AROUND_DEG = (-5.0, 0.0, 5.0), (-8.0, -4.0, 0.0, 4.0, 8.0)
"""How far off a card that no design explains may lie: templates are moved by some mm in between."""
_LEAST_LEFT = 0.8
"""Share of a card's area that must show in another pose too."""


class _Template:
    """What a deck's card looks like: all its members laid the same way.

    Parameters
    ----------
    crops, masks
        (N, H, W, 3) Lab at 1 px/mm, and (N, H, W): 1 where the card shows, else 0.
    """

    def __init__(self, crop: Floats, mask: Floats) -> None:
        self.crops, self.masks = [crop], [mask]

    def mean(self, without: int | None = None) -> tuple[Floats, Floats]:
        """Give the mean of all members or all but one, and where it is known."""
        keep = [n for n in range(len(self.crops)) if n != without]
        weight = np.sum([self.masks[n] for n in keep], axis=0)
        total = np.sum([self.crops[n] * self.masks[n][..., None] for n in keep], axis=0)
        return total / np.maximum(weight, 1)[..., None], (weight > 0).astype(np.float32)

    def add(self, crop: Floats, mask: Floats) -> None:
        """Take one more member, moved and turned to where it agrees best."""
        ways, shown, moves = _moved(*self.mean())
        turned, dx, dy = moves[int(correlate(crop[None], mask[None], ways, shown)[0].argmax())]
        crop, mask = _shift(crop, -dx, -dy), _shift(mask, -dx, -dy)
        self.crops.append(crop[::-1, ::-1] if turned else crop)
        self.masks.append(mask[::-1, ::-1] if turned else mask)


def _shift(table: Floats, dx: int, dy: int) -> Floats:
    """Move a crop or a mask by whole px; zeros come in."""
    size = (table.shape[1], table.shape[0])
    return np.asarray(cv2.warpAffine(table, np.float32([[1, 0, dx], [0, 1, dy]]), size), np.float32)


def _moved(crop: Floats, mask: Floats) -> tuple[Floats, Floats, list[tuple[bool, int, int]]]:
    """Give a template in every way it may lie: both ways up, a few mm off; and what was done (turned, dx, dy)."""
    ways, shown, moves = [], [], []
    for turned in (False, True):
        upright = np.ascontiguousarray(crop[::-1, ::-1] if turned else crop)
        seen = np.ascontiguousarray(mask[::-1, ::-1] if turned else mask)
        for dy in range(-_REACH_MM, _REACH_MM + 1, _STEP_MM):
            for dx in range(-_REACH_MM, _REACH_MM + 1, _STEP_MM):
                ways.append(_shift(upright, dx, dy))
                shown.append(_shift(seen, dx, dy))
                moves.append((turned, dx, dy))
    return np.array(ways), np.array(shown), moves


def correlate(crops: Floats, masks: Floats, ways: Floats, shown: Floats) -> tuple[Floats, Floats]:
    """Correlate each crop (N, H, W, 3) with each template (M, H, W, 3) where both show.

    All three axes count at once, means taken out, so neither brightness nor a cast matters.

    Returns
    -------
    (N, M) correlation -1..1, and (N, M) how far apart their mean colours are, brightness left out.
    """
    size = shown[0].size
    m, k = masks.reshape(-1, size), shown.reshape(-1, size)
    a, b = crops.reshape(*m.shape, 3), ways.reshape(*k.shape, 3)
    count = m @ k.T
    per = np.maximum(count, 1)
    both, left, right, apart = np.zeros((4, *count.shape), np.float32)
    for axis in range(3):
        x, y = a[..., axis] * m, b[..., axis] * k
        sum_x, sum_y = x @ k.T, m @ y.T
        both += x @ y.T - sum_x * sum_y / per
        left += (x * x) @ k.T - sum_x**2 / per
        right += m @ (y * y).T - sum_y**2 / per
        apart += ((sum_x - sum_y) / per) ** 2 if axis else 0
    flat = 1e-3 * per
    result = both / np.sqrt(np.maximum(left, flat) * np.maximum(right, flat))
    return np.where(count < _LEAST_MM2, np.float32(-1), result), np.sqrt(apart)


def _best(crops: Floats, masks: Floats, ways: Floats, shown: Floats) -> Floats:
    """Give correlation and distance of the colours of each crop with the template that it agrees with best: (N, 2)."""
    alike, apart = correlate(crops, masks, ways, shown)
    best = alike.argmax(axis=1)[:, None]
    return np.concatenate([np.take_along_axis(table, best, axis=1) for table in (alike, apart)], axis=1)


def _compare(
    crops: Floats, masks: Floats, members: Sequence[Sequence[int]], elsewhere: Mapping[int, tuple[Floats, Floats]]
) -> tuple[Floats, Floats]:
    """Compare every card with every deck, a member without itself.

    Returns
    -------
    (N, decks) correlation, NaN where there is nothing to compare with; and the distance of the colours.
    """
    alike = np.full((len(crops), len(members)), np.nan, np.float32)
    apart = np.zeros_like(alike)
    for column, own in enumerate(members):
        if not own:
            continue
        template = _Template(crops[own[0]], masks[own[0]])
        for n in own[1:]:
            template.add(crops[n], masks[n])
        ways, shown, _ = _moved(*template.mean())
        rows = _best(crops, masks, ways, shown)
        for n, (others, seen) in elsewhere.items():
            if len(others):
                rows[n] = max([rows[n], *_best(others, seen, ways, shown)], key=lambda row: float(row[0]))
        for place, n in enumerate(own):
            rows[n] = np.nan, 0
            if len(own) > 1:
                crop, mask = template.mean(place)
                rows[n] = _best(template.crops[place][None], template.masks[place][None], crop[None], mask[None])[0]
        alike[:, column], apart[:, column] = rows.T
    return alike, apart


def _find_misread(table: Floats, members: Sequence[Sequence[int]], support: Floats) -> list[int]:
    """Give the decks that don't lie here: each of their cards is as like a much better seen deck, and was misread."""
    kept = [column for column in range(len(members)) if members[column]]
    misread: list[int] = []
    for column in sorted(kept, key=lambda column: float(support[column])):
        better = [other for other in kept if support[other] > _STRONGER * support[column]]
        if not better:
            continue
        own = table[members[column], column]
        others = table[np.ix_(members[column], better)]
        near = np.where(np.isnan(others), -1, others).max(axis=1)
        if ((near > _ALIKE) & (np.isnan(own) | (near > own - _NEARLY))).all():
            kept.remove(column)
            misread.append(column)
    return misread


@dataclass(frozen=True, slots=True, eq=False)
class Unnamed:
    """A card to be named.

    Parameters
    ----------
    crop
        (H, W, 3) Lab at 1 px/mm, upright or upside down.
    mask
        (H, W): where the card shows.
    belief
        What it was read as by itself: the probability of each deck.
    design
        The deck of the design that it was taken for; None where that isn't known.
    elsewhere
        Where it isn't sure where it lies: crops and masks of other poses that it may have.
    """

    crop: Floats
    mask: Mask
    belief: Mapping[str, float]
    design: str | None = None
    elsewhere: tuple[Floats, Sequence[Mask]] | None = None

    def sized(self, shape: tuple[int, int]) -> Unnamed:
        """Give it with crops of this height and width: in another picture cards may have been measured otherwise."""
        if self.mask.shape == shape:
            return self
        height, width = shape

        def resize(table: Floats) -> Floats:
            return np.asarray(cv2.resize(table, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)

        def cover(mask: Mask) -> Mask:
            return resize(mask.astype(np.float32)) > 0.5

        elsewhere = self.elsewhere
        if elsewhere is not None:
            elsewhere = np.array([resize(crop) for crop in elsewhere[0]]), [cover(mask) for mask in elsewhere[1]]
        return replace(self, crop=resize(self.crop), mask=cover(self.mask), elsewhere=elsewhere)


def _is_clear(card: Unnamed, deck: str) -> bool:
    """Tell whether a card may show what a deck looks like."""
    return card.belief.get(deck, 0.0) > _CLEAR and float(_inside(card.mask).mean()) > _LEAST_SHOWN


def borrow_clear(own: Sequence[Unnamed], pictures: Sequence[Sequence[Unnamed]]) -> list[Unnamed]:
    """Give the clear cards of other pictures for those decks that show too few in this one.

    Own ones are better, since they lie in the same light.
    """
    others = [card for picture in pictures if picture is not own for card in picture]
    decks = sorted({deck for card in others for deck in card.belief})
    few = [deck for deck in decks if sum(_is_clear(card, deck) for card in own) < _FEW]
    return [card for deck in few for card in others if _is_clear(card, deck)]


def name_by_templates(unnamed: Sequence[Unnamed], known: Sequence[Unnamed] = ()) -> list[tuple[str | None, float]]:
    """Name the cards of a picture.

    Parameters
    ----------
    known
        Clear cards of other pictures of the same table, to compare with.

    Returns
    -------
    For each card its deck, None where none is like it, and the correlation with that deck's other cards (NaN if none).
    """
    cards = [card.sized(unnamed[0].mask.shape) for card in (*unnamed, *known)]
    named_so = {deck for card in cards for deck in card.belief} | {card.design for card in cards}
    decks = sorted(deck for deck in named_so if deck is not None)
    if not decks:
        return [(None, float("nan")) for _ in unnamed]
    read = np.array([[card.belief.get(deck, 0.0) for deck in decks] for card in cards], np.float32)
    seen = np.array([_inside(card.mask) for card in cards])
    area = seen.mean(axis=(1, 2))
    worth = np.where((read > _CLEAR) & (area > _LEAST_SHOWN)[:, None], read * area[:, None], 0)
    order = np.argsort(-worth, axis=0, kind="stable")[:_MOST_MEMBERS]
    members = [[int(n) for n in order[:, column] if worth[n, column] > 0] for column in range(len(decks))]
    others = {}
    for n, card in enumerate(cards):
        if card.elsewhere is not None:
            inside = np.array([_inside(mask) for mask in card.elsewhere[1]])
            enough = inside.mean(axis=(1, 2)) > _LEAST_LEFT * area[n]
            others[n] = (card.elsewhere[0][enough], inside[enough])
    table, apart = _compare(np.array([card.crop for card in cards]), seen, members, others)
    support = np.array([worth[own, column].sum() for column, own in enumerate(members)], np.float32)
    own_design = np.array([[deck == card.design for deck in decks] for card in cards])
    alike = np.arctanh(np.clip(np.where(np.isnan(table), _UNTOLD, table), 0, _MOST_ALIKE))
    score = _CORRELATION * alike
    score += _READING * np.log(np.maximum(read, _LEAST_BELIEF)) + _DESIGN * own_design
    score -= _HUE * np.clip(apart - _SAME_HUE, 0, _OTHER_HUE)
    # A deck of which no card is clear lies here only if this one is read as its.
    score[np.isnan(table) & (read < _CLEAR) & ~own_design] = -np.inf
    score[:, _find_misread(table, members, support)] = -np.inf
    named: list[tuple[str | None, float]] = []
    for n, column in enumerate(score.argmax(axis=1)):
        likely = table[n, column] >= _LEAST_ALIKE or read[n, column] > _CLEAR or own_design[n, column]
        named.append((decks[column] if likely else cards[n].design, float(table[n, column])))
    return named[: len(unnamed)]


def cut_around(ground: Ground, pose: Pose, free: npt.NDArray[np.uint8]) -> tuple[Floats, list[Mask]]:
    """Cut out the poses around a rough one, and what of each no card explains: `elsewhere` of an `Unnamed` card."""
    poses = [
        Pose(pose.x_mm + dx, pose.y_mm + dy, pose.angle_deg + turn)
        for dx in _AROUND_MM
        for dy in _AROUND_MM
        for turn in _AROUND_DEG
    ]
    return np.array([ground.crop(other) for other in poses]), [ground.is_free(other, free) for other in poses]


def _inside(mask: Mask) -> Floats:
    """Give a mask without its edges, where a neighbour may show."""
    inner = np.zeros(mask.shape, np.uint8)
    inner[_EDGE_MM:-_EDGE_MM, _EDGE_MM:-_EDGE_MM] = mask[_EDGE_MM:-_EDGE_MM, _EDGE_MM:-_EDGE_MM]
    return np.asarray(cv2.erode(inner, np.ones((3, 3), np.uint8)), np.float32)
