"""Arms over the table: regions that differ from a slowly learnt table and come in over its edge.

Compared are chromaticity and brightness relative to the whole picture, so that a lamp or a shadow is no arm.
Two tables are remembered: the bare one, and the one with the cards that lie on it now.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ..layout import TableLayout
from .frames import Image, Quad, Reach
from .geometry import BirdView, distance_to_polygon

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]

_CHROMA = 0.055
"""Least summed difference of chromaticity (r, g, b of sum 1); measured: sensor noise stays under 0.03."""

_BRIGHTER, _DARKER = 1.35, 0.5
"""Brightness relative to the table: soft shadows darken to 0.55; a hand changes more than that, or the chroma."""

_CARD_CALM_S = 0.25
_OBJECT_CALM_S = 1.0
_ARM_CALM_S = 4.0
_LEARN_S = 2.0
_SMALLEST_MM2 = 1500.0
_SHALLOWEST_MM = 45.0
_LOST_SLEEVE_MM = 120.0


@dataclass(slots=True)
class _Table:
    """What the table looks like without arms: chromaticity (h, w, 3) and brightness (h, w)."""

    chroma: Floats
    light: Floats

    def take(self, where: npt.NDArray[np.bool_], chroma: Floats, light: Floats) -> None:
        self.chroma[where] = chroma[where]
        self.light[where] = light[where]


def _sum(planes: Floats) -> Floats:
    """Add the three channels; numpy's sum over the last axis takes ten times as long."""
    return cv2.transform(planes, np.ones((1, 3), dtype=np.float32))


class ArmFinder:
    """Finds arms in bird's-eye views, at half the view's size.

    Parameters
    ----------
    layout
        For the seats that arms come from.
    view
        The bird's-eye view that the pictures show.
    valid
        uint8 (H, W) of the view: 255 where the camera sees the table; None when it sees all of it.
    """

    def __init__(self, layout: TableLayout, view: BirdView, valid: Mask | None = None) -> None:
        self._view = view
        self._areas = [np.array(seat.area_mm) for seat in layout.seats]
        width, height = view.size_px[0] // 2, view.size_px[1] // 2
        self._size = (width, height)
        self._mm_per_px = 2.0 / view.px_per_mm
        seen = np.full((height, width), 255, dtype=np.uint8)
        if valid is not None:
            seen = cv2.resize(valid, self._size, interpolation=cv2.INTER_NEAREST)
        self._seen = cv2.erode(seen, np.ones((3, 3), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
        inner = cv2.erode(self._seen, np.ones((7, 7), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
        self._edge = self._seen & ~inner
        self._depth_px = cv2.distanceTransform(self._seen, cv2.DIST_L2, 3)
        self._bare: _Table | None = None
        self._laid: _Table | None = None
        self._calm_since = np.zeros((height, width), dtype=np.float32)
        self._near_calm_since = np.zeros((height, width), dtype=np.float32)
        self._recent: deque[tuple[float, Floats, Floats]] = deque(maxlen=8)
        self._last: list[tuple[float, Reach, Mask]] = []
        self._last_s = 0.0

    def find(self, picture: Image, time_s: float, cards: Sequence[Quad] = ()) -> list[Reach]:
        """Find the arms in one view.

        Parameters
        ----------
        picture
            The bird's-eye view.
        cards
            Quads in px of the view of the cards seen in it: they are no arms and become part of the table.
        """
        small = cv2.resize(picture, self._size, interpolation=cv2.INTER_AREA)
        small = cv2.blur(small, (3, 3)).astype(np.float32)
        light = _sum(small) + np.float32(45.0)
        chroma = small / light[:, :, None]
        if self._bare is None or self._laid is None or time_s < self._last_s or time_s > self._last_s + 20:
            self._bare = _Table(chroma.copy(), light.copy())
            self._laid = _Table(chroma.copy(), light.copy())
            self._calm_since[:] = self._near_calm_since[:] = time_s
            self._recent.clear()
        step_s = float(np.clip(time_s - self._last_s, 0.0, 0.2)) if self._recent else 0.0
        self._last_s = time_s
        moving = self._moving(chroma, light, time_s)
        unlike = self._unlike(self._laid, chroma, light)
        foreign = unlike & self._unlike(self._bare, chroma, light)
        back = unlike & ~foreign
        self._laid.take(back, self._bare.chroma, self._bare.light)
        card_mask = np.zeros(light.shape, dtype=np.uint8)
        for quad in cards:
            cv2.fillConvexPoly(card_mask, np.round(quad / 2).astype(np.int32), 255)
        on_card = card_mask > 0
        calm = time_s - self._calm_since
        laid_down = foreign & on_card & (calm >= _CARD_CALM_S)
        self._laid.take(laid_down, chroma, light)
        new_card = foreign & on_card & ~moving
        mask = ((foreign & ~new_card) | (moving & unlike & ~on_card)).astype(np.uint8) * 255
        mask &= self._seen
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        reaches, arm_mask = self._reaches(mask, moving, time_s)
        self._learn(foreign, on_card, arm_mask > 0, chroma, light, time_s, step_s)
        return reaches

    def _unlike(self, table: _Table, chroma: Floats, light: Floats) -> npt.NDArray[np.bool_]:
        """Say where the picture differs from a table, the whole picture's change of light and tint taken out."""
        shift = np.median((chroma - table.chroma)[::5, ::5].reshape(-1, 3), axis=0)
        gain = float(np.median((light / table.light)[::5, ::5]))
        ratio = light / (table.light * gain)
        # Dark pixels have noisy chromaticity: what counts is the difference of light that makes it.
        trust = light / (light + np.float32(60.0))
        tint = _sum(np.abs(chroma - table.chroma - shift)) * trust
        result: npt.NDArray[np.bool_] = (tint > _CHROMA) | (ratio > _BRIGHTER) | (ratio < _DARKER)
        return result

    def _moving(self, chroma: Floats, light: Floats, time_s: float) -> npt.NDArray[np.bool_]:
        """Say where something moved within the last tenth of a second, and keep the clocks of calm."""
        before = next((entry for entry in self._recent if time_s - entry[0] <= 0.12), None)
        if before is None and self._recent:
            before = self._recent[-1]
        self._recent.append((time_s, chroma, light))
        if before is None:
            return np.zeros(light.shape, dtype=bool)
        gain = float(np.median((light / before[2])[::5, ::5]))
        trust = light / (light + np.float32(60.0))
        tint = _sum(np.abs(chroma - before[1])) * trust
        moving: npt.NDArray[np.bool_] = (tint > 0.04) | (np.abs(light - before[2] * gain) > 0.12 * light + 12.0)
        self._calm_since[moving] = time_s
        coarse = cv2.resize(
            moving.astype(np.uint8), (self._size[0] // 4, self._size[1] // 4), interpolation=cv2.INTER_AREA
        )
        radius = max(1, round(60.0 / self._mm_per_px / 4))
        around = cv2.dilate(coarse, np.ones((2 * radius + 1, 2 * radius + 1), np.uint8))
        near = cv2.resize(around, self._size, interpolation=cv2.INTER_NEAREST) > 0
        self._near_calm_since[near] = time_s
        return moving

    def _learn(
        self,
        foreign: npt.NDArray[np.bool_],
        on_card: npt.NDArray[np.bool_],
        arm: npt.NDArray[np.bool_],
        chroma: Floats,
        light: Floats,
        time_s: float,
        step_s: float,
    ) -> None:
        assert self._laid is not None
        assert self._bare is not None
        calm = time_s - self._near_calm_since
        gone = foreign & np.where(arm, calm >= _ARM_CALM_S, calm >= _OBJECT_CALM_S)
        self._laid.take(gone, chroma, light)
        self._bare.take(gone & ~on_card, chroma, light)
        if step_s > 0:
            rate = np.float32(1 - np.exp(-step_s / _LEARN_S))
            weight = np.where(foreign | arm, np.float32(0), rate)
            self._laid.light += weight * (light - self._laid.light)
            self._laid.chroma += weight[:, :, None] * (chroma - self._laid.chroma)

    def _reaches(self, mask: Mask, moving: npt.NDArray[np.bool_], time_s: float) -> tuple[list[Reach], Mask]:
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        contacts, touch = cv2.connectedComponents(mask & self._edge, connectivity=8)
        found: list[tuple[float, Reach, Mask]] = []
        arms = np.zeros_like(mask)
        owners: dict[int, list[int]] = {}
        if contacts > 1:
            ys, xs = np.nonzero(touch)
            sizes = np.bincount(touch[ys, xs], minlength=contacts)
            firsts = {int(touch[y, x]): int(labels[y, x]) for y, x in zip(ys, xs, strict=True)}
            for contact in range(1, contacts):
                if sizes[contact] * self._mm_per_px**2 >= 120.0:
                    owners.setdefault(firsts[contact], []).append(contact)
        for label in range(1, count):
            area_mm2 = stats[label, cv2.CC_STAT_AREA] * self._mm_per_px**2
            if area_mm2 < _SMALLEST_MM2:
                continue
            ys, xs = np.nonzero(labels == label)
            points = np.stack([xs, ys], axis=1).astype(np.float32)
            entries = [self._middle(touch, contact) for contact in owners.get(label, [])]
            if not entries and (end := self._end_near_edge(points)) is not None:
                entries = [end]
            if not entries:
                if moving[ys, xs].mean() > 0.05:
                    self._add(found, points, None, time_s)
                continue
            nearest = np.zeros(len(points), dtype=int)
            if len(entries) > 1:
                away = np.stack([np.linalg.norm(points - entry, axis=1) for entry in entries])
                nearest = away.argmin(axis=0)
            for number, entry in enumerate(entries):
                part = points[nearest == number]
                if not len(part):
                    continue
                part_depth = self._depth_px[part[:, 1].astype(int), part[:, 0].astype(int)]
                deep = part_depth.max() * self._mm_per_px >= _SHALLOWEST_MM
                if deep and len(part) * self._mm_per_px**2 >= _SMALLEST_MM2:
                    self._add(found, part, entry, time_s)
                    arms[part[:, 1].astype(int), part[:, 0].astype(int)] = 255
        self._last = found
        return [reach for _, reach, _ in found], arms

    @staticmethod
    def _middle(touch: npt.NDArray[np.int32], contact: int) -> Floats:
        ys, xs = np.nonzero(touch == contact)
        return np.array([xs.mean(), ys.mean()], dtype=np.float32)

    def _end_near_edge(self, points: Floats) -> Floats | None:
        """Give the end of an arm whose sleeve is lost before the edge (it looks like the table); None if it is none."""
        depth = self._depth_px[points[:, 1].astype(int), points[:, 0].astype(int)]
        near = int(depth.argmin())
        long = float(np.linalg.norm(points - points[near], axis=1).max()) * self._mm_per_px
        if depth[near] * self._mm_per_px > _LOST_SLEEVE_MM or long < 2 * _LOST_SLEEVE_MM:
            return None
        end: Floats = points[depth < depth[near] + 3].mean(axis=0)
        return end

    def _add(self, found: list[tuple[float, Reach, Mask]], points: Floats, entry: Floats | None, time_s: float) -> None:
        low = points.min(axis=0).astype(int)
        high = points.max(axis=0).astype(int)
        patch = np.zeros((high[1] - low[1] + 1, high[0] - low[0] + 1), dtype=np.uint8)
        patch[points[:, 1].astype(int) - low[1], points[:, 0].astype(int) - low[0]] = 255
        outlines, _ = cv2.findContours(patch, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        outline = cv2.approxPolyDP(max(outlines, key=cv2.contourArea), 1.0, True).reshape(-1, 2)
        if len(outline) < 3:
            return
        whole = np.zeros(self._edge.shape, dtype=np.uint8)
        whole[points[:, 1].astype(int), points[:, 0].astype(int)] = 255
        entry_mm, seat = None, None
        if entry is not None:
            entry_mm = self._to_mm(entry[None])[0]
            seat = self._seat_at(entry_mm)
        else:
            # A hand whose sleeve looks like the table is still the hand that came in a moment ago.
            shared = [
                (cv2.countNonZero(mask & whole), n)
                for n, (before_s, reach, mask) in enumerate(self._last)
                if reach.entry_mm is not None and time_s - before_s < 0.3
            ]
            pixels, best = max(shared, default=(0, -1))
            if pixels * 4 > len(points):
                reach = self._last[best][1]
                entry_mm, seat = np.array(reach.entry_mm, dtype=np.float32), reach.seat
        outline_mm = self._to_mm(outline.astype(np.float32) + low.astype(np.float32))
        start = outline_mm.mean(axis=0) if entry_mm is None else entry_mm
        tip = outline_mm[np.linalg.norm(outline_mm - start, axis=1).argmax()]
        place = None if entry_mm is None else (float(entry_mm[0]), float(entry_mm[1]))
        found.append((time_s, Reach(outline_mm, place, (float(tip[0]), float(tip[1])), seat), whole))

    def _to_mm(self, points: Floats) -> Floats:
        return self._view.to_mm(points * 2 + 1)

    def _seat_at(self, entry_mm: Floats) -> int | None:
        """Give the seat whose area is nearest; None when two are about as near and neither holds the point."""
        away = np.array([distance_to_polygon(area, entry_mm) for area in self._areas])
        order = np.argsort(away, kind="stable")
        if len(order) > 1 and away[order[0]] > 0 and away[order[1]] - away[order[0]] < 30.0:
            return None
        return int(order[0]) + 1
