"""Finds out which designs lie in a picture and what each looks like, from cards that show well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from ..layout import Pose
from .flat import FlatView
from .likeness import Floats, Ground, Look, Mask, compare, inner, settle
from .peel import Taken
from .propose import Details, find_details

_SAME = 0.55
"""Score at which a card is one of a design that few cards of it have shown."""


def _covered(ground: Ground, places: Sequence[tuple[Pose, tuple[float, float]]]) -> list[Mask]:
    """Give for each card where no other proposal lies on or under it."""
    count = np.zeros(ground.free.shape, np.uint8)
    for pose, size in places:
        ground.add(pose, size, count)
    single = np.where((count <= 1) & (ground.free > 0), 255, 0).astype(np.uint8)
    return [ground.is_free(pose, single) for pose, _ in places]


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """A back (or another side) of which at least one card lies in the picture.

    Parameters
    ----------
    look
        What its cards look like.
    members
        Cards of it, all laid the same way: pose, and what of it shows (length, width) bool.
    """

    look: Look
    members: tuple[tuple[Pose, Mask], ...]


class _Group:
    """Cards that look alike, all laid the same way."""

    def __init__(self, crop: Floats, mask: Mask, pose: Pose, label: str | None) -> None:
        self.label = label
        self.crops, self.masks, self.poses = [crop], [mask], [pose]
        self.look = Look.of(crop, mask, 5)

    def add(self, ground: Ground, pose: Pose, mask: Mask, turned: bool) -> None:
        """Take one more card, laid as this group lies."""
        if turned:
            pose, mask = Pose(pose.x_mm, pose.y_mm, pose.angle_deg + 180), np.ascontiguousarray(mask[::-1, ::-1])
        self.crops.append(ground.crop(pose))
        self.masks.append(mask)
        self.poses.append(pose)
        if len(self.crops) in (2, 4, 8):
            self.look = self.blend()

    def blend(self) -> Look:
        """Give the look that most of its cards have."""
        return blend(self.crops, self.masks)


def blend(crops: Sequence[Floats], masks: Sequence[Mask]) -> Look:
    """Give the look that most crops have where they show; all lie the same way."""
    table = np.stack(crops[:24])
    masked = np.stack(masks[:24])
    gains = np.array(
        [np.median(crop[mask][:, 0]) if mask.any() else 1.0 for crop, mask in zip(table, masked, strict=True)]
    )
    table = table * (np.median(gains) / np.maximum(gains, 1.0))[:, None, None, None].astype(np.float32)
    middle = _median(table, masked)
    known = masked.any(axis=0)
    lab = np.where(known[..., None], middle, table[0]).astype(np.float32)
    return Look.of(lab, known, 3 if len(crops) > 2 else 5)


def _median(table: Floats, masked: Mask) -> Floats:
    """Give the median over the first axis of what is masked; 0 where nothing is."""
    order = np.sort(np.where(masked[..., None], table, np.inf), axis=0)
    count = masked.sum(axis=0)
    low, high = np.maximum((count - 1) // 2, 0), np.maximum(count // 2, 0)
    picked = [np.take_along_axis(order, n[None, ..., None], axis=0)[0] for n in (low, np.minimum(high, len(table) - 1))]
    middle = np.where(count[..., None] > 0, (picked[0] + picked[1]) / 2, 0)
    return np.asarray(np.nan_to_num(middle, posinf=0.0), np.float32)


def find_designs(
    ground: Ground, places: Sequence[tuple[Pose, tuple[float, float]]], labels: Sequence[str | None]
) -> list[Design]:
    """Group the proposed cards by what they look like; give a look for each group, the largest first.

    Only cards whose box is a whole card are compared, those that show best first: a box that is too small says
    neither where the card lies nor what it looks like.

    Parameters
    ----------
    places
        Pose of each proposal, and width and length of its box in mm.
    labels
        What the reader says of each, where it is sure: cards that it calls differently are never of one design.
    """
    card = np.array(ground.card_px, float)
    masks = _covered(ground, places)
    whole = float(inner(ground.card_px).sum())
    shares = np.array([mask.sum() / whole for mask in masks])
    sizes = np.array([size for _, size in places])
    off = np.abs(sizes - card).max(axis=1)
    groups: list[_Group] = []
    for n in np.argsort(-shares, kind="stable"):
        label = labels[n]
        near = 9.0 if label is not None and label not in {group.label for group in groups} else 5.0
        if shares[n] < 0.35 or off[n] > near:
            continue
        mask = masks[n]
        joined = _join(ground, places[n][0], mask, label, groups, whole)
        if not joined and (shares[n] >= 0.6 or not groups):
            groups.append(_Group(ground.crop(places[n][0]), mask, places[n][0], label))
    groups.sort(key=lambda group: -len(group.crops))
    return [Design(group.blend(), tuple(zip(group.poses, group.masks, strict=True))) for group in groups]


def _join(ground: Ground, pose: Pose, mask: Mask, label: str | None, groups: Sequence[_Group], whole: float) -> bool:
    """Add a card to the group that it looks like, if there is one."""
    crop = ground.crop(pose)
    rated = []
    for group in groups:
        if label is not None and group.label is not None and label != group.label:
            continue
        for way, look in enumerate((group.look, group.look.turned())):
            if (mask & look.known).sum() >= 0.25 * whole:
                rated.append((compare(crop, mask, look)[0], group, way, look))
    rated.sort(key=lambda item: -item[0])
    best = None
    for _, group, way, look in rated[:3]:
        moved = settle(ground, pose, look, mask)
        score = compare(ground.crop(moved), mask, look)[0]
        if best is None or score > best[0]:
            best = (score, group, bool(way), moved)
    if best is None or best[0] < _SAME:
        return False
    _, group, turned, moved = best
    group.add(ground, moved, mask, turned)
    return True


def details_of_design(view: FlatView, design: Design, most: int = 3) -> Details:
    """Give the details of a design's best cards, in mm from a card's middle as it lies at angle 0."""
    order = sorted(design.members, key=lambda member: -int(member[1].sum()))[:most]
    parts = []
    for pose, mask in order:
        c, s = np.cos(np.radians(pose.angle_deg)), np.sin(np.radians(pose.angle_deg))
        k = view.px_per_mm
        size = (round(view.card_mm[0] * k), round(view.card_mm[1] * k))
        turn = np.array([[c, -s], [s, c]])
        middle = (np.array([pose.x_mm - view.left_mm, pose.y_mm - view.top_mm])) * k - 0.5
        matrix = np.column_stack([turn, middle - (np.array(size) / 2 - 0.5) @ turn.T])
        card = cv2.warpAffine(view.image, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        found = find_details(card, k, (-size[0] / 2 / k, -size[1] / 2 / k))
        if not len(found.points):
            continue
        at = np.floor(found.points + np.array(mask.shape[::-1]) / 2).astype(int)
        at = np.clip(at, 0, np.array(mask.shape[::-1]) - 1)
        keep = mask[at[:, 1], at[:, 0]]
        parts.append(Details(found.points[keep], found.angle_deg[keep], found.size_mm[keep], found.descriptors[keep]))
    if not parts:
        return find_details(np.zeros((8, 8, 3), np.uint8), 1.0, (0.0, 0.0))
    return Details(
        *(np.concatenate([getattr(p, n) for p in parts]) for n in ("points", "angle_deg", "size_mm", "descriptors"))
    )


def relearn(ground: Ground, designs: Sequence[Design], taken: Sequence[Taken]) -> list[Design]:
    """Give the designs as all cards of them that were taken show them; those without any are dropped."""
    better = []
    for n in range(len(designs)):
        members = []
        for item in taken:
            if item.design != n or item.fit.score < _SAME:
                continue
            pose, mask = item.pose, item.mask
            if item.fit.turned:
                pose = Pose(pose.x_mm, pose.y_mm, pose.angle_deg + 180)
                mask = np.ascontiguousarray(mask[::-1, ::-1])
            members.append((pose, mask))
        if members:
            members.sort(key=lambda member: -int(member[1].sum()))
            look = blend([ground.crop(pose) for pose, _ in members], [mask for _, mask in members])
            better.append(Design(look, tuple(members)))
    return better
