"""Where cards may lie: the detector at the scale that suits it, and the details that cards of one design share.

A detail (SIFT) of a known design, seen anywhere in the flat view, says where its card would lie: the scale is known,
so one detail gives a whole pose. Poses on which several details agree are proposed. Proposals may be wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ..layout import Pose
from ..vision.detector import Found, YoloDetector
from ..vision.frames import Image
from ..vision.geometry import card_quad, quad_size, suppress
from .flat import FlatView

LEAST_CONFIDENCE = 0.15
"""Partly covered backs get low scores; what is no card is found out later, by what it looks like."""

_CARD_PX = (36.0, 50.0, 72.0)
"""Widths of a card in the network's picture; measured: 50 finds most in loose heaps, 100 more in rows."""

_LEAST_VOTES = 8
_AROUND_MM = 12.0
_ALIKE = 0.75
"""Cosine of two details that may be the same."""


def find_cards(detector: YoloDetector, image: Image) -> list[Found]:
    """Find cards, first at any scale, then at the scales that suit their size; best first, px of the picture."""
    rough = [found for found in detector.detect_photo(image) if found[2] >= 0.3]
    if not rough:
        return []
    width = float(np.median([quad_size(quad)[0] for quad, _, _ in rough]))
    longest = max(image.shape[:2])
    sides = tuple(int(min(longest * card / width, 2048)) for card in _CARD_PX)
    found = detector.detect_photo(image, tuple(dict.fromkeys(sides)), LEAST_CONFIDENCE)
    every = [*found, *rough]
    kept = suppress(np.array([quad for quad, _, _ in every]), np.array([score for _, _, score in every]), 0.5)
    sizes = np.array([quad_size(every[i][0]) for i in kept])
    middle = np.median(sizes, axis=0)
    fits = (np.abs(np.log(sizes / middle)) < np.log(1.6)).all(axis=1)
    return [every[i] for i, fit in zip(kept, fits, strict=True) if fit]


@dataclass(frozen=True, slots=True, eq=False)
class Details:
    """The details of a picture or a design.

    Parameters
    ----------
    points
        (N, 2) float32 mm.
    angle_deg
        (N,) float32 direction of each, growing clockwise.
    size_mm
        (N,) float32.
    descriptors
        (N, 128) float32.
    """

    points: npt.NDArray[np.float32]
    angle_deg: npt.NDArray[np.float32]
    size_mm: npt.NDArray[np.float32]
    descriptors: npt.NDArray[np.float32]


def find_details(
    image: Image, px_per_mm: float, origin_mm: tuple[float, float], where: npt.NDArray[np.uint8] | None = None
) -> Details:
    """Find the details of a flat picture, in all of it or `where` a mask isn't 0."""
    sift = cv2.SIFT_create(contrastThreshold=0.025)
    keys, descriptors = sift.detectAndCompute(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), where)
    if not keys or descriptors is None:
        empty = np.zeros(0, np.float32)
        return Details(np.zeros((0, 2), np.float32), empty, empty, np.zeros((0, 128), np.float32))
    points = np.array([key.pt for key in keys], np.float32) / px_per_mm + np.array(origin_mm, np.float32)
    # RootSIFT (Arandjelovic and Zisserman 2012).
    unit = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6)).astype(np.float32)
    return Details(
        points.astype(np.float32),
        np.array([key.angle for key in keys], np.float32),
        np.array([key.size for key in keys], np.float32) / px_per_mm,
        unit,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Vote:
    """A card that several details speak for.

    Parameters
    ----------
    pose
        Where it would lie.
    details
        How many agree.
    affine
        (2, 3) from mm of the design to mm of the view, freer than the pose; None where too few details show.
    """

    pose: Pose
    details: int
    affine: npt.NDArray[np.float64] | None


def vote(view: Details, design: Details, nearest: int = 4) -> list[Vote]:
    """Give the poses at which cards of a design would explain several details of the view.

    Parameters
    ----------
    design
        Its points are mm from the card's middle, as it lies at angle 0.
    """
    if len(design.points) < 3 or len(view.points) == 0:
        return []
    alike = view.descriptors @ design.descriptors.T
    count = min(nearest, alike.shape[1])
    best = np.argpartition(-alike, count - 1, axis=1)[:, :count]
    i = np.repeat(np.arange(len(alike)), count)
    j = best.ravel()
    near = alike[i, j] > _ALIKE
    i, j = i[near], j[near]
    ratio = view.size_mm[i] / np.maximum(design.size_mm[j], 1e-6)
    good = np.abs(np.log2(ratio)) < 0.6
    i, j = i[good], j[good]
    if len(i) < _LEAST_VOTES:
        return []
    turn = view.angle_deg[i] - design.angle_deg[j]
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    offset = design.points[j]
    center = view.points[i] - np.stack([offset[:, 0] * c - offset[:, 1] * s, offset[:, 0] * s + offset[:, 1] * c], 1)
    return _gather(center, turn, view.points[i], offset, i)


def _gather(
    center: npt.NDArray[np.float32], turn: npt.NDArray[np.float32], seen: npt.NDArray[np.float32],
    offset: npt.NDArray[np.float32], detail: npt.NDArray[np.int64],
) -> list[Vote]:  # fmt: skip
    """Gather single votes into poses, those of most details first: within 5 mm and 12 degrees they mean the same card.

    Votes are sorted into cells as large as a pose may be off; a pose lies in a cell and its neighbours (Hough).
    """
    table = np.column_stack([center, 20 * np.cos(np.radians(turn)), 20 * np.sin(np.radians(turn))])
    # A turn just below 0 modulo 360 is rounded to 360 itself.
    turns = turn % 360 // 18.0 % 20
    cell = np.column_stack([(center - center.min(axis=0)) // 5.0 + 1, turns]).astype(np.int64)
    shape = (*(cell[:, :2].max(axis=0) + 2), 20)
    key = np.ravel_multi_index(tuple(cell.T), shape)
    order = np.argsort(key, kind="stable")
    ends = np.concatenate([[0], np.cumsum(np.bincount(key, minlength=int(np.prod(shape))))])
    crowd = _around(np.diff(ends).reshape(shape), np.add)
    peak = ((crowd >= _LEAST_VOTES) & (crowd == _around(crowd, np.maximum))).ravel()
    full = np.unique(key[peak[key]])
    free = np.ones(len(table), bool)
    votes = []
    for middle in full[np.argsort(-crowd.ravel()[full], kind="stable")]:
        near = [order[ends[k] : ends[k + 1]] for k in _neighbours(int(middle), shape)]
        group = np.concatenate(near)
        group = group[free[group]]
        if len(group) < _LEAST_VOTES:
            continue
        apart = np.abs(table[group] - np.median(table[group], axis=0))
        group = group[(apart < (5, 5, 4.2, 4.2)).all(axis=1)]
        count = len(np.unique(detail[group]))
        if count < _LEAST_VOTES:
            continue
        free[group] = False
        votes.append(Vote(_rigid(offset[group], seen[group]), count, _affine(offset[group], seen[group])))
    return votes


def _around(table: npt.NDArray[np.int64], join: np.ufunc) -> npt.NDArray[np.int64]:
    """Join each cell of (x, y, angle) with its 26 neighbours; the border cells in x and y are empty."""
    for axis in range(3):
        table = join(join(table, np.roll(table, 1, axis)), np.roll(table, -1, axis))
    return table


def _neighbours(cell: int, shape: tuple[int, ...]) -> list[int]:
    """Give the keys of an inner cell of (x, y, angle) and of its neighbours; the angle goes round."""
    rows, turns = cell // shape[2], cell % shape[2]
    steps = (-1, 0, 1)
    return [
        (rows + x * shape[1] + y) * shape[2] + (turns + turn) % shape[2] for x in steps for y in steps for turn in steps
    ]


def _affine(source: npt.NDArray[np.float32], target: npt.NDArray[np.float32]) -> npt.NDArray[np.float64] | None:
    """Fit an affine map where enough of a card shows to know it to a millimetre at its corners."""
    if len(source) < 14:
        return None
    matrix, keep = cv2.estimateAffine2D(source, target, method=cv2.RANSAC, ransacReprojThreshold=0.8)
    if matrix is None or keep.sum() < 12:
        return None
    spread = np.ptp(source[keep.ravel() > 0], axis=0)
    return matrix if spread[0] > 24 and spread[1] > 40 else None


def _rigid(source: npt.NDArray[np.float32], target: npt.NDArray[np.float32]) -> Pose:
    """Fit the pose that moves points of a design to where they are seen (Umeyama 1991, without scale)."""
    keep = np.ones(len(source), bool)
    turn, shift = np.eye(2), np.zeros(2)
    for _ in range(3):
        a, b = source[keep].astype(np.float64), target[keep].astype(np.float64)
        am, bm = a.mean(axis=0), b.mean(axis=0)
        h = (a - am).T @ (b - bm)
        angle = np.arctan2(h[0, 1] - h[1, 0], h[0, 0] + h[1, 1])
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        shift = bm - turn @ am
        error = np.linalg.norm(source @ turn.T + shift - target, axis=1)
        keep = error < max(1.5, 2 * float(np.median(error)))
        if keep.sum() < 3:
            break
    return Pose(float(shift[0]), float(shift[1]), float(np.degrees(np.arctan2(turn[1, 0], turn[0, 0]))) % 360)


def drop_doubles(poses: Sequence[Pose], near_mm: float = 7.0, near_deg: float = 10.0) -> list[Pose]:
    """Keep the first of poses that mean the same rectangle (a card turned by 180 degrees is the same)."""
    kept: list[Pose] = []
    for pose in poses:
        for other in kept:
            apart = abs((pose.angle_deg - other.angle_deg + 90) % 180 - 90)
            if apart < near_deg and np.hypot(pose.x_mm - other.x_mm, pose.y_mm - other.y_mm) < near_mm:
                break
        else:
            kept.append(pose)
    return kept


def details_of(view: FlatView, places: Sequence[tuple[Pose, tuple[float, float]]]) -> Details:
    """Find the details of a flat view where cards were proposed and around, in mm: tables have details too."""
    where = np.zeros(view.image.shape[:2], np.uint8)
    for pose, (width, length) in places:
        corners = view.to_flat(card_quad(pose, (width + 2 * _AROUND_MM, length + 2 * _AROUND_MM)))
        cv2.fillConvexPoly(where, np.round(corners).astype(np.int32), 255)
    return find_details(view.image, view.px_per_mm, (view.left_mm, view.top_mm), where)
