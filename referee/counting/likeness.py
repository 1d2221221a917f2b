"""How well what is seen at a place agrees with a design of a card, millimetre by millimetre.

Compared at 1 px/mm in Lab: each millimetre must lie within the range of colours that the design has around it, so a
card may lie half a millimetre off. Brightness may differ from card to card, hue may not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from ..layout import Pose
from ..vision.frames import Image
from ..vision.geometry import card_quad
from .flat import FlatView

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

_TOLERANCE = 11.0
"""Distance in Lab (0..255) beyond the range: noise and JPEG stay below, another ink is at 25 and more."""

_INK = 14.0
"""Lab distance from a design's ground at which a millimetre says something about the design."""

_LEAST_INK = 0.12
_LEAST_DRAWING = 0.2
_WORTH = 0.3
"""A lower score is none, whatever the ink says."""
_LEAST_SEEN = 0.35
"""Share of a design's ink that must be seen (in two drawn spreads cards had 0.6 or more, bare table 0.02 or less)."""
_BRIGHTNESS = 0.6
"""Weight of lightness against the two colour axes: shadows and gloss change it most."""


_PIECE_MM = 7
"""What disagrees over less than this is noise, gloss or wear."""

_STEPS = ((2.0, 2.5), (1.0, 1.2), (0.5, 0.6))


class Fit(NamedTuple):
    """How well a place agrees with a design.

    Parameters
    ----------
    score
        1 when all that is free agrees; 0 when as much disagrees as the design has ink.
    free
        Share of the card that no card above it covers, 0..1.
    turned
        Whether it fits upside down.
    gain
        Its brightness against the design's.
    """

    score: float
    free: float
    turned: bool
    gain: float


def to_lab(image: Image) -> Floats:
    """Give Lab with its axes around zero and lightness weighted down: (H, W, 3) float32."""
    lab = cv2.cvtColor(image.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    return np.asarray(lab * np.array([2.55 * _BRIGHTNESS, 1.0, 1.0], np.float32), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """A flat view at 1 px/mm.

    Parameters
    ----------
    lab
        As `to_lab` gives it.
    free
        uint8 (H, W): 255 where something is seen that no card explains yet.
    left_mm, top_mm
        Of the first pixel.
    card_px
        Width and length of a crop.
    """

    lab: Floats
    free: npt.NDArray[np.uint8]
    left_mm: float
    top_mm: float
    card_px: tuple[int, int]

    @staticmethod
    def of(view: FlatView) -> Ground:
        """Shrink a flat view."""
        size = tuple(max(1, round(side / view.px_per_mm)) for side in view.image.shape[1::-1])
        small = cv2.resize(view.image, (size[0], size[1]), interpolation=cv2.INTER_AREA)
        seen = cv2.resize(view.seen, (size[0], size[1]), interpolation=cv2.INTER_AREA)
        free = np.where(seen == 255, 255, 0).astype(np.uint8)
        card = (round(view.card_mm[0]), round(view.card_mm[1]))
        return Ground(to_lab(small), free, view.left_mm, view.top_mm, card)

    def _matrix(self, pose: Pose) -> npt.NDArray[np.float64]:
        """Give the affine map from a crop's px to the ground's."""
        c, s = np.cos(np.radians(pose.angle_deg)), np.sin(np.radians(pose.angle_deg))
        turn = np.array([[c, -s], [s, c]])
        middle = np.array([pose.x_mm - self.left_mm, pose.y_mm - self.top_mm]) - 0.5
        corner = (0.5 - np.array(self.card_px) / 2) @ turn.T + middle
        return np.column_stack([turn, corner])

    def crop(self, pose: Pose) -> Floats:
        """Cut out what lies at a pose: (length, width, 3) as `lab`."""
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return cv2.warpAffine(self.lab, self._matrix(pose), self.card_px, flags=flags, borderMode=cv2.BORDER_REPLICATE)

    def is_free(self, pose: Pose, free: npt.NDArray[np.uint8] | None = None) -> Mask:
        """Say for each millimetre of a card there whether it is unexplained: (length, width) bool."""
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        source = self.free if free is None else free
        mask = cv2.warpAffine(source, self._matrix(pose), self.card_px, flags=flags, borderValue=0)
        return (mask > 127) & inner(self.card_px)

    def paint(self, pose: Pose, mask: npt.NDArray[np.uint8], value: int, shrink_mm: float = 0.0) -> None:
        """Fill a card's rectangle in a mask (H, W)."""
        width, length = self.card_px
        corners = np.array([[0, 0], [width, 0], [width, length], [0, length]], float) - 0.5
        middle = np.array([width, length]) / 2 - 0.5
        corners = middle + (corners - middle) * (1 - 2 * shrink_mm / np.array([width, length]))
        points = corners @ self._matrix(pose)[:, :2].T + self._matrix(pose)[:, 2]
        cv2.fillConvexPoly(mask, np.round(points * 16).astype(np.int32), value, cv2.LINE_8, 4)

    def uncover(self, pose: Pose, strange: Mask, free: npt.NDArray[np.uint8]) -> None:
        """Set free (uint8 255) again what of a card at a pose is strange, (length, width) bool."""
        size = (free.shape[1], free.shape[0])
        laid = cv2.warpAffine(strange.astype(np.uint8), self._matrix(pose), size, flags=cv2.INTER_NEAREST)
        free[laid > 0] = 255

    def add(self, pose: Pose, size_mm: tuple[float, float], count: npt.NDArray[np.uint8]) -> None:
        """Count one more rectangle over each pixel of (H, W)."""
        points = card_quad(pose, size_mm) - (self.left_mm, self.top_mm) - 0.5
        low = np.maximum(np.floor(points.min(axis=0)).astype(int) - 1, 0)
        high = np.maximum(np.ceil(points.max(axis=0)).astype(int) + 2, 0)
        part = count[low[1] : high[1], low[0] : high[0]]
        if part.size:
            own = np.zeros_like(part)
            cv2.fillConvexPoly(own, np.round((points - low) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
            part += own


_INNER: dict[tuple[int, int], Mask] = {}


def inner(card_px: tuple[int, int]) -> Mask:
    """Give what surely belongs to a card: without its rim of 1.5 mm and its round corners."""
    if card_px not in _INNER:
        width, length = card_px
        mask = np.zeros((length, width), np.uint8)
        cv2.rectangle(mask, (6, 2), (width - 7, length - 3), 1, -1)
        cv2.rectangle(mask, (2, 6), (width - 3, length - 7), 1, -1)
        _INNER[card_px] = mask > 0
    return _INNER[card_px]


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What the cards of one design look like from above.

    Parameters
    ----------
    lab
        (length, width, 3) at 1 px/mm.
    known
        (length, width) bool: where it has been seen.
    low, high
        As `lab`: the range of colours around each millimetre.
    ink
        (length, width) bool: where it is drawn on.
    paper
        (3,) Lab of what it is drawn on.
    """

    lab: Floats
    known: Mask
    low: Floats
    high: Floats
    ink: Mask
    paper: Floats

    @staticmethod
    def of(lab: Floats, known: Mask, slack: int = 3) -> Look:
        """Make a look of a crop; `slack` is the mm (odd) over which colours may range."""
        kernel = np.ones((slack, slack), np.uint8)
        ground = np.median(lab[known], axis=0) if known.any() else np.zeros(3)
        ink = (np.linalg.norm(lab - ground, axis=2) > _INK) & known
        return Look(lab, known, cv2.erode(lab, kernel), cv2.dilate(lab, kernel), ink, ground)

    def turned(self) -> Look:
        """Give it upside down."""
        parts = (self.lab, self.known, self.low, self.high, self.ink)
        return Look(*(np.ascontiguousarray(part[::-1, ::-1]) for part in parts), self.paper)


def compare(crop: Floats, free: Mask, look: Look) -> tuple[float, float]:
    """Compare a crop with a look that lies the same way: (score, gain), from every other millimetre."""
    mask = (free & look.known)[::2, ::2]
    area = int(mask.sum())
    inked = look.ink[::2, ::2]
    ink = max(float(inked[mask].sum()), _LEAST_INK * area)
    # Bare paper looks like much else: without enough of the drawing in sight nothing is said.
    if area < 0.08 * mask.size or inked[mask].sum() < _LEAST_DRAWING * inked.sum():
        return -9.0, 1.0
    error, gain = _errors(crop, mask, look)
    score = 1 - float((error > _TOLERANCE).sum()) / ink
    # A table in the paper's colour agrees with all but thick ink.
    return (score if score < _WORTH or _ink_seen(crop, free, look, gain) >= _LEAST_SEEN else -9.0), gain


def _errors(crop: Floats, mask: Mask, look: Look) -> tuple[Floats, float]:
    """Give how far each millimetre in the mask lies beyond the look's range, and the crop's brightness."""
    seen, low, high = crop[::2, ::2][mask], look.low[::2, ::2][mask], look.high[::2, ::2][mask]
    light = float(seen[:, 0].mean()) / max(float(look.lab[::2, ::2, 0][mask].mean()), 1.0)
    gain = min(max(light, 0.8), 1.25)
    seen *= np.float32(1 / gain)
    error = np.maximum(np.maximum(low - seen, seen - high), 0)
    return np.sqrt(np.einsum("ij,ij->i", error, error)), gain


def find_strange(crop: Floats, free: Mask, look: Look, gain: float) -> Mask:
    """Say where something else lies on a card: (length, width) bool, what disagrees with its look in one piece.

    Parameters
    ----------
    look
        As the card lies.
    gain
        Its brightness against the look's.
    """
    seen = crop * np.float32(1 / gain)
    error = np.linalg.norm(np.maximum(np.maximum(look.low - seen, seen - look.high), 0), axis=2)
    odd = ((error > _TOLERANCE) & free & look.known).astype(np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_PIECE_MM, _PIECE_MM))
    return (cv2.dilate(cv2.morphologyEx(odd, cv2.MORPH_OPEN, kernel), np.ones((3, 3), np.uint8)) > 0) & free


def _ink_seen(crop: Floats, free: Mask, look: Look, gain: float) -> float:
    """Give the share of a look's free ink in whose place, within a millimetre, there is more of it than of paper."""
    ink = free & look.ink
    if not ink.any():
        return 1.0
    kernel = np.ones((3, 3), np.uint8)
    low, high = cv2.erode(crop, kernel)[ink] / gain, cv2.dilate(crop, kernel)[ink] / gain
    wanted = look.lab[ink]
    apart = np.linalg.norm(np.maximum(np.maximum(low - wanted, wanted - high), 0), axis=1)
    return float((apart < 0.5 * np.linalg.norm(wanted - look.paper, axis=1)).mean())


def fit(crop: Floats, free: Mask, look: Look, turned: Look) -> Fit:
    """Fit a look to a crop, either way up."""
    share = float(free.sum()) / float(inner(free.shape[::-1]).sum())  # type: ignore[arg-type]
    up, down = compare(crop, free, look), compare(crop, free, turned)
    best, way = (up, False) if up[0] >= down[0] else (down, True)
    return Fit(best[0], share, way, best[1])


def _cost(crop: Floats, free: Mask, look: Look) -> float:
    """Give the cost of `compare` from every other millimetre."""
    mask = (free & look.known)[::2, ::2]
    area = int(mask.sum())
    if area < 0.08 * mask.size:
        return 1e9
    error, _ = _errors(crop, mask, look)
    return float(np.minimum(error, 3 * _TOLERANCE).sum()) / area


def settle(ground: Ground, pose: Pose, look: Look, free: Mask, steps: Sequence[tuple[float, float]] = _STEPS) -> Pose:
    """Move a pose by a few mm and degrees to where a look (as it lies there) fits best.

    Parameters
    ----------
    free
        What of the card shows, (length, width) bool; it moves along.
    """
    best, cost = pose, _cost(ground.crop(pose), free, look)
    for step_mm, step_deg in steps:
        for _ in range(3):
            before = best
            for dx, dy, turn in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
                for sign in (1, -1):
                    tried = Pose(
                        best.x_mm + sign * dx * step_mm,
                        best.y_mm + sign * dy * step_mm,
                        best.angle_deg + sign * turn * step_deg,
                    )
                    now = _cost(ground.crop(tried), free, look)
                    if now < cost:
                        best, cost = tried, now
                        break
            if best is before:
                break
    return best
