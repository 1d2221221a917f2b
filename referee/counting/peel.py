"""Explains a heap card by card from the top: what agrees wholly with a design lies on top and is taken off.

A proposal that was wrong finds nothing left to explain when its turn comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..layout import Pose
from .likeness import Fit, Floats, Ground, Look, Mask, find_strange, fit, inner, settle

LEAST_FREE = 0.38
"""Of a card that counts: half should show, and a card above it may claim a little too much."""
LEAST_SCORE = 0.5
_LIKELY = 4
"""Designs that are tried again for a card as others are taken off it."""
_CLEAR = 0.85
"""Score of a card that lies free; at a lower one the places are adjusted again, for what is left of them."""
_HOPELESS = -1.5
"""A proposal that agrees less isn't worth adjusting: nothing of it is right."""


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A card that explains a part of the picture.

    Parameters
    ----------
    pose
        Where it lies, adjusted.
    design
        Index of its design.
    fit
        How well it agrees.
    margin
        How much better than with the best design of another deck.
    mask
        What of it was free when it was taken: (length, width) bool, as it lies.
    """

    pose: Pose
    design: int
    fit: Fit
    margin: float
    mask: Mask


@dataclass(slots=True, eq=False)
class _Place:
    pose: Pose
    crop: Floats
    likely: Sequence[int]
    best: Taken | None = None
    stale: bool = False


def _rate(
    ground: Ground, place: _Place, looks: Sequence[tuple[Look, Look]], decks: Sequence[str], free: npt.NDArray[np.uint8]
) -> Taken:
    open_ = ground.is_free(place.pose, free)
    fits = {n: fit(place.crop, open_, *looks[n]) for n in place.likely}
    first = max(fits, key=lambda n: fits[n].score)
    others = [item.score for n, item in fits.items() if decks[n] != decks[first]]
    if len(place.likely) == len(looks):
        place.likely = sorted(fits, key=lambda n: -fits[n].score)[:_LIKELY]
    return Taken(place.pose, first, fits[first], fits[first].score - max([0.0, *others]), open_)


def peel(
    ground: Ground, poses: Sequence[Pose], looks: Sequence[Look], decks: Sequence[str] = ()
) -> tuple[list[Taken], npt.NDArray[np.uint8]]:
    """Take cards off the heap as long as one explains what is left.

    Parameters
    ----------
    poses
        Proposals.
    looks
        Of the designs.
    decks
        Name of each look's deck, where several looks may be one deck's; by default each is its own.

    Returns
    -------
    The cards, from the top down, and what stays unexplained: uint8 (H, W), 255 where nothing was taken.
    """
    free = ground.free.copy()
    both = [(look, look.turned()) for look in looks]
    names = list(decks) or [str(n) for n in range(len(looks))]
    if not both:
        return [], free
    places = []
    for pose in poses:
        place = _Place(pose, ground.crop(pose), range(len(looks)))
        _adjust(ground, place, both, names, free)
        places.append(place)
    taken: list[Taken] = []
    while True:
        top, best = None, 0.0
        for place in places:
            found = place.best
            if found is None or found.fit.free < LEAST_FREE or found.fit.score < LEAST_SCORE:
                continue
            # Of two that agree alike the one that shows more lies on top.
            worth = found.fit.score + 0.3 * found.fit.free
            if worth > best:
                top, best = place, worth
        if top is None or top.best is None or top.best.fit.score < _CLEAR:
            stale = [place for place in places if place.stale]
            for place in stale:
                _adjust(ground, place, both, names, free)
            if stale:
                continue
        if top is None or top.best is None:
            return taken, free
        places.remove(top)
        taken.append(top.best)
        ground.paint(top.pose, free, 0)
        look = both[top.best.design][int(top.best.fit.turned)]
        # A card taken before one that lies on it leaves that its own.
        ground.uncover(top.pose, find_strange(top.crop, top.best.mask, look, top.best.fit.gain), free)
        places = [place for place in places if _goes_on(ground, place, top.pose, both, names, free)]


def _adjust(
    ground: Ground, place: _Place, looks: Sequence[tuple[Look, Look]], decks: Sequence[str], free: npt.NDArray[np.uint8]
) -> None:
    """Move a place to where the design that fits it best fits best, by what is free of it."""
    place.stale = False
    place.best = _rate(ground, place, looks, decks, free)
    if place.best.fit.score > _HOPELESS:
        design = looks[place.best.design][int(place.best.fit.turned)]
        place.pose = settle(ground, place.pose, design, place.best.mask)
        place.crop = ground.crop(place.pose)
        place.best = _rate(ground, place, looks, decks, free)


def _goes_on(
    ground: Ground, place: _Place, taken: Pose, looks: Sequence[tuple[Look, Look]], decks: Sequence[str],
    free: npt.NDArray[np.uint8],
) -> bool:  # fmt: skip
    """Rate a place again after a card was taken; False when too little of it is left to be a card."""
    reach = float(np.hypot(*ground.card_px))
    if place.best is None or np.hypot(place.pose.x_mm - taken.x_mm, place.pose.y_mm - taken.y_mm) >= reach:
        return True
    left = int(ground.is_free(place.pose, free).sum())
    if left < LEAST_FREE * float(inner(ground.card_px).sum()):
        return False
    if left != int(place.best.mask.sum()):
        place.best = _rate(ground, place, looks, decks, free)
        place.stale = True
    return True
