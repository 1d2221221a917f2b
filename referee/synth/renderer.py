"""Draws the frames of a played round: what lies still is kept, only what moves is drawn anew.

The canvas is as bright as under even light; light, flicker and noise are laid over the whole frame at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ..game.moves import PileId, PileKind
from ..vision.frames import Image
from .look import Look
from .people import placement
from .play import Now, Script, Span, Stroke
from .sight import ARM, Ids, card_px, shoulder_mm
from .sprites import Sprites, noise_tiles

SHUTTER_S = 1 / 70
_DEEPEST = 7
_BEYOND_PX = 36

Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 px."""


@dataclass(slots=True)
class _Group:
    """An arm with what it holds, drawn: BGRA with premultiplied colours, its own coverage and its shadow."""

    box: Box
    picture: Image
    arm: npt.NDArray[np.uint8]


class Renderer:
    """Draws one script.

    Parameters
    ----------
    script
        The round.
    look
        What the table looks like.
    sprites
        Ready-made pictures; None makes them (they can be shared by rounds of one stage).
    """

    def __init__(self, script: Script, look: Look, sprites: Sprites | None = None):
        self.script = script
        self.look = look
        self.sprites = sprites or Sprites(script.seating, look)
        self._camera = script.seating.camera
        self._size = self._camera.size_px
        self._camera_mm = abs(self._camera.height_mm())
        self._still = self.sprites.table.copy()
        self._resting: dict[int, Span] = {}
        self._cast_mm: dict[int, float] = {}
        self._boxes: dict[int, Box] = {}
        self._groups: dict[tuple[int, bool], tuple[tuple[object, ...], _Group | None]] = {}
        self._rng = np.random.default_rng(look.seed + 1)
        self._plus, self._minus = noise_tiles(look.noise, self._size, self._rng)
        self._drawn: list[_Group] = []

    def frame(self, now: Now) -> Image:
        """Draw one frame; frames must be asked for in order of time."""
        held = self._settle(now)
        canvas = self._still.copy()
        carried: dict[tuple[int, bool], list[Span]] = {}
        for span in now.moving:
            if span.lift_mm > 0 and span.seat is not None:
                carried.setdefault((span.seat, span.left), []).append(span)
            else:
                self._draw_card(canvas, span, now.time_s)
        self._drawn = []
        strokes = sorted(now.strokes, key=lambda stroke: (not stroke.left, stroke.at(now.time_s)[1]))
        for stroke in strokes:
            cards = carried.pop((stroke.seat, stroke.left), [])
            if stroke.left:
                cards = held.get(stroke.seat, []) + cards
            group = self._find_group(stroke, cards, now.time_s)
            if group is not None:
                self._shade(canvas, group, stroke, now.time_s)
                _compose(canvas, group.picture, group.box)
                self._drawn.append(group)
        for spans in carried.values():
            for span in spans:
                self._draw_card(canvas, span, now.time_s)
        return self._expose(canvas, now.time_s)

    def paint_arms(self, ids: Ids, now: Now) -> None:
        """Write the arms of the frame drawn last into a small picture of card numbers (see `sight`)."""
        shrink = round(self._size[0] / ids.shape[1])
        for group in self._drawn:
            x0, y0, _, _ = group.box
            down, right = max(0, -y0), max(0, -x0)
            x0, y0 = x0 + right, y0 + down
            mask = group.arm[down + (-y0) % shrink :: shrink, right + (-x0) % shrink :: shrink]
            top, left = -(-y0 // shrink), -(-x0 // shrink)
            spot = ids[top : top + mask.shape[0], left : left + mask.shape[1]]
            spot[mask[: spot.shape[0], : spot.shape[1]] > 127] = ARM

    def _expose(self, canvas: Image, time_s: float) -> Image:
        swing = 1 + self.look.flicker * np.sin(2 * np.pi * 3.1 * time_s)
        lit = cv2.multiply(canvas, self.sprites.gain, scale=float(swing / 128))
        lit = cv2.GaussianBlur(lit, (3, 3), self.look.soft_px)
        x, y = self._rng.integers(64, size=2)
        width, height = self._size
        lit = cv2.add(lit, self._plus[y : y + height, x : x + width])
        return np.asarray(cv2.subtract(lit, self._minus[y : y + height, x : x + width]), np.uint8)

    def _settle(self, now: Now) -> dict[int, list[Span]]:
        """Bring the still picture up to date; gives the cards that left hands hold, by seat."""
        held: dict[int, list[Span]] = {}
        lying: dict[int, Span] = {}
        piles: dict[PileId | None, list[Span]] = {}
        for span in now.resting:
            if span.pile is not None and span.pile.kind is PileKind.HAND and span.end_mm > 20:
                held.setdefault(span.pile.seat, []).append(span)
            else:
                piles.setdefault(span.pile, []).append(span)
        # A pile casts one shadow, from its lowest card; the others only press a seam into the card below.
        self._cast_mm = {spans[-_DEEPEST:][0].card: spans[-1].end_mm for spans in piles.values()}
        for spans in piles.values():
            for span in spans[-_DEEPEST:]:
                lying[span.card] = span
        for seat, spans in held.items():
            held[seat] = spans[-3:]
        changed = [card for card, span in self._resting.items() if lying.get(card) is not span]
        gone = [self._boxes.pop(card) for card in changed]
        fresh = [span for card, span in lying.items() if self._resting.get(card) is not span]
        self._resting = lying
        for span in fresh:
            self._boxes[span.card] = self._card_box(span, now.time_s)
        ordered = sorted(lying.values(), key=lambda span: span.order)
        for box in _merged(gone + [self._boxes[span.card] for span in fresh]):
            x0, y0, x1, y1 = box
            part = self.sprites.table[y0:y1, x0:x1].copy()
            for span in ordered:
                if _overlap(self._boxes[span.card], box):
                    self._draw_card(part, span, now.time_s, (x0, y0))
            self._still[y0:y1, x0:x1] = part
        return held

    def _card_box(self, span: Span, time_s: float) -> Box:
        px, _ = card_px(self.script.seating, span, time_s)
        _, height_mm, _ = span.at(time_s)
        shift, soft, _ = self._shadow(max(height_mm, self._cast_mm.get(span.card, 0.0)))
        margin = int(np.abs(shift).max() + 2.5 * soft) + 4
        width, height = self._size
        low = np.floor(px.min(axis=0)).astype(int) - margin
        high = np.ceil(px.max(axis=0)).astype(int) + margin
        x0, x1 = (int(np.clip(value, 0, width)) for value in (low[0], high[0]))
        y0, y1 = (int(np.clip(value, 0, height)) for value in (low[1], high[1]))
        return x0, y0, x1, y1

    def _draw_card(self, canvas: Image, span: Span, time_s: float, origin: tuple[int, int] = (0, 0)) -> None:
        """Draw a card and its shadow onto a BGR canvas whose corner lies at `origin`."""
        px, turned = card_px(self.script.seating, span, time_s)
        px = px - np.array(origin, np.float32)
        _, height_mm, _ = span.at(time_s)
        cast_mm = height_mm if span.moves else self._cast_mm.get(span.card, 0.0)
        shift, soft, depth = self._shadow(cast_mm)
        _darken(canvas, px + shift, soft, depth)
        warped, box = self._warp_card(span, px, turned, (canvas.shape[1], canvas.shape[0]), origin)
        if warped is not None:
            _compose(canvas, warped, box)

    def _warp_card(
        self, span: Span, px: npt.NDArray[np.float32], turned: float, size: tuple[int, int], origin: tuple[int, int]
    ) -> tuple[Image | None, Box]:
        """Give a card's picture in its place, BGRA premultiplied, and the box that it fills; px count from `origin`."""
        box = _box_of(px, size)
        x0, y0, x1, y1 = box
        if x1 <= x0 or y1 <= y0:
            return None, box
        card = self.script.cards[span.card]
        flat = self.sprites.card_premultiplied(card.face if turned > 0 else card.deck)
        height, width = flat.shape[:2]
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
        matrix = cv2.getPerspectiveTransform(corners, px - np.array([x0, y0], np.float32))
        warped = cv2.warpPerspective(flat, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        if self.look.gloss > 0:
            self._shine(warped, (x0 + origin[0], y0 + origin[1]), span)
        return warped, box

    def _shine(self, warped: Image, corner: tuple[int, int], span: Span) -> None:
        """Mirror the lamp in a card: no two cards lie equally flat, so it stands elsewhere on each."""
        light, scale = self.look.light, self.sprites.px_per_mm
        assert light.glint_mm is not None
        lean = np.random.default_rng([self.look.seed, span.card, span.order]).normal(0, 0.5 * light.glint_size_mm, 2)
        at = self._camera.project([np.add(light.glint_mm, lean)])[0] - corner
        spread = light.glint_size_mm * scale
        height, width = warped.shape[:2]
        if np.hypot(*(np.clip(at, 0, (width, height)) - at)) > 2.5 * spread:
            return
        y, x = np.ogrid[:height, :width]
        light_px = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * spread**2)) * (190 * self.look.gloss)
        added = warped[..., :3] + light_px[..., None] * (warped[..., 3:] / 255.0)
        warped[..., :3] = np.minimum(added, warped[..., 3:]).astype(np.uint8)

    def _shadow(self, height_mm: float) -> tuple[npt.NDArray[np.float32], float, float]:
        """Give where a card's shadow falls (px from it), how soft its edge is (px) and how dark it is."""
        light = self.look.light
        scale = self.sprites.px_per_mm
        lift = min(height_mm, 90.0)
        shift = np.array(light.shadow_mm(lift + 0.8), np.float32) * np.float32(scale)
        soft = min((0.9 + light.softness * lift) * scale, 14 * scale)
        return shift, soft, light.depth * max(0.5, 1 - lift / 150)

    def _find_group(self, stroke: Stroke, cards: list[Span], time_s: float) -> _Group | None:
        tip, height_mm = stroke.at(time_s)
        still = stroke.begin_mm == stroke.end_mm and not any(span.moves for span in cards)
        key = (tip, height_mm, stroke.holds > 0, tuple(id(span) for span in cards))
        known = self._groups.get((stroke.seat, stroke.left))
        if still and known is not None and known[0] == key:
            return known[1]
        group = self._draw_group(stroke, cards, time_s, still)
        self._groups[stroke.seat, stroke.left] = (key if still else (), group)
        return group

    def _draw_group(self, stroke: Stroke, cards: list[Span], time_s: float, still: bool) -> _Group | None:
        tip, height_mm = stroke.at(time_s)
        place = self.script.seating.places[stroke.seat - 1]
        root = shoulder_mm(place, stroke.left)
        ends = self._camera.project([tip, root], height_mm)
        angle = float(np.arctan2(ends[0, 1] - ends[1, 1], ends[0, 0] - ends[1, 0]) + np.pi / 2)
        busy = bool(cards) or stroke.holds > 0 or (not stroke.left and min(stroke.low_mm) < 15)
        # Light comes from the side opposite to the shadows, seen from an arm that reaches straight ahead.
        light = round((self.look.light.toward_deg + 180 - place.turn_deg) / 30) * 30 % 360
        if stroke.left:
            light = (180 - light) % 360
        hand, thumb = self.sprites.arm(stroke.seat, stroke.left, "pinch" if busy else "relaxed", int(light))
        scale = self.sprites.px_per_mm * self._camera_mm / (self._camera_mm - height_mm)
        at = (float(ends[0, 0]), float(ends[0, 1]))
        matrix = placement(hand, at, angle, scale)
        corners = _placed_corners(hand.under, matrix)
        placed = [card_px(self.script.seating, span, time_s) for span in cards]
        before, _ = stroke.at(time_s - SHUTTER_S)
        was = self._camera.project([before], height_mm)[0]
        dx, dy = (0.0, 0.0) if still else (float(at[0] - was[0]), float(at[1] - was[1]))
        # Drawn a little beyond the frame, so that blur and shadow have something to draw on there.
        beyond = int(max(abs(dx), abs(dy))) + _BEYOND_PX
        x0, y0, x1, y1 = _box_of(np.concatenate([corners, *(px for px, _ in placed)]), self._size, 24, beyond)
        if x1 - x0 < 3 or y1 - y0 < 3:
            return None
        local = matrix.copy()
        local[:, 2] -= (x0, y0)
        size = (x1 - x0, y1 - y0)
        picture = cv2.warpAffine(hand.under, local, size, flags=cv2.INTER_LINEAR)
        arm = np.ascontiguousarray(picture[..., 3])
        origin = np.array([x0, y0], np.float32)
        for span, (px, turned) in zip(cards, placed, strict=True):
            warped, inner = self._warp_card(span, px - origin, turned, size, (x0, y0))
            if warped is not None:
                _compose(picture, warped, inner)
        if thumb.under.size > 4:
            over = placement(thumb, at, angle, scale)
            over[:, 2] -= (x0, y0)
            inner = _box_of(_placed_corners(thumb.under, over), size)
            if inner[2] > inner[0] and inner[3] > inner[1]:
                over[:, 2] -= inner[:2]
                part = cv2.warpAffine(
                    thumb.under, over, (inner[2] - inner[0], inner[3] - inner[1]), flags=cv2.INTER_LINEAR
                )
                _compose(picture, part, inner)
                spot = arm[inner[1] : inner[3], inner[0] : inner[2]]
                np.maximum(spot, part[..., 3], out=spot)
        return _Group((x0, y0, x1, y1), _smear(picture, dx, dy), arm)

    def _shade(self, canvas: Image, group: _Group, stroke: Stroke, time_s: float) -> None:
        """Lay the shadow of an arm (and what it holds) on the table."""
        light = self.look.light
        lift = stroke.at(time_s)[1] + 13.0
        dx, dy = np.array(light.shadow_mm(lift)) * self.sprites.px_per_mm
        small = cv2.resize(group.picture[..., 3], None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        soft = max(1.0, min(light.softness * lift, 26.0) * self.sprites.px_per_mm / 4)
        pad = int(2 * soft) + 1
        small = cv2.copyMakeBorder(small, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
        # Where the arm leaves the picture its shadow goes on: no light edge there.
        small = cv2.GaussianBlur(small, (0, 0), soft)
        mask = cv2.resize(small, None, fx=4, fy=4, interpolation=cv2.INTER_LINEAR)
        x0, y0 = round(group.box[0] + dx - 4 * pad), round(group.box[1] + dy - 4 * pad)
        _multiply(canvas, mask, (x0, y0), light.depth * 0.8)


def _placed_corners(picture: Image, matrix: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Give the (4, 2) px where a (2, 3) affine puts a picture's corners."""
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    return np.asarray(corners @ matrix[:, :2].T + matrix[:, 2])


def _box_of(px: npt.ArrayLike, size_px: tuple[int, int], margin: int = 1, beyond: int = 0) -> Box:
    """Give the box around points, cut at the picture's edges or so far beyond them."""
    points = np.asarray(px)
    low, high = np.floor(points.min(axis=0)) - margin, np.ceil(points.max(axis=0)) + margin + 1
    x0, x1 = (int(value) for value in np.clip((low[0], high[0]), -beyond, size_px[0] + beyond))
    y0, y1 = (int(value) for value in np.clip((low[1], high[1]), -beyond, size_px[1] + beyond))
    return x0, y0, x1, y1


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _merged(boxes: Iterable[Box]) -> list[Box]:
    """Join boxes that overlap, so that nothing is drawn twice."""
    result: list[Box] = []
    for box in boxes:
        joined = box
        while True:
            touching = [other for other in result if _overlap(other, joined)]
            if not touching:
                break
            result = [other for other in result if not _overlap(other, joined)]
            for other in touching:
                joined = (
                    min(joined[0], other[0]),
                    min(joined[1], other[1]),
                    max(joined[2], other[2]),
                    max(joined[3], other[3]),
                )
        result.append(joined)
    return [box for box in result if box[2] > box[0] and box[3] > box[1]]


def _compose(canvas: Image, picture: Image, box: Box) -> None:
    """Lay a BGRA picture with premultiplied colours over a BGR or such a BGRA canvas, in place."""
    height, width, channels = canvas.shape
    x0, y0, x1, y1 = max(0, box[0]), max(0, box[1]), min(width, box[2]), min(height, box[3])
    if x1 <= x0 or y1 <= y0:
        return
    picture = picture[y0 - box[1] : y1 - box[1], x0 - box[0] : x1 - box[0]]
    spot = canvas[y0:y1, x0:x1]
    through = cv2.cvtColor(255 - picture[..., 3], cv2.COLOR_GRAY2BGRA if channels == 4 else cv2.COLOR_GRAY2BGR)
    if channels == 4:
        through[..., 3] = through[..., 0]
        over = picture
    else:
        over = cv2.cvtColor(picture, cv2.COLOR_BGRA2BGR)
    spot[:] = cv2.add(cv2.multiply(spot, through, scale=1 / 255), over)


def _multiply(canvas: Image, mask: npt.NDArray[np.uint8], at: tuple[int, int], depth: float) -> None:
    """Darken a canvas where a mask laid at a px is white."""
    x0, y0 = at
    height, width = canvas.shape[:2]
    left, top = max(0, x0), max(0, y0)
    right, bottom = min(width, x0 + mask.shape[1]), min(height, y0 + mask.shape[0])
    if right <= left or bottom <= top:
        return
    part = mask[top - y0 : bottom - y0, left - x0 : right - x0]
    table = (255 - np.arange(256) * depth).astype(np.uint8)
    gain = cv2.cvtColor(cv2.LUT(part, table), cv2.COLOR_GRAY2BGR)
    spot = canvas[top:bottom, left:right]
    spot[:] = cv2.multiply(spot, gain, scale=1 / 255)


def _darken(canvas: Image, px: npt.NDArray[np.float32], soft_px: float, depth: float) -> None:
    """Darken a canvas under a polygon with a soft edge."""
    shrink = 4 if soft_px > 6 else 1
    pad = int(2.5 * soft_px) + 2
    low = np.floor(px.min(axis=0)).astype(int) - pad
    extent = np.ceil(px.max(axis=0)).astype(int) + pad + 1 - low
    mask = np.zeros((int(extent[1]) // shrink + 1, int(extent[0]) // shrink + 1), np.uint8)
    cv2.fillConvexPoly(mask, np.round((px - low) / shrink * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.6, soft_px / shrink))
    if shrink > 1:
        mask = cv2.resize(mask, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_LINEAR)
    _multiply(canvas, mask, (int(low[0]), int(low[1])), depth)


def _smear(picture: Image, dx: float, dy: float) -> Image:
    """Blur a picture along a way of (dx, dy) px: halving averages make a box of any length."""
    length = max(abs(dx), abs(dy))
    share = 0.5
    while length * share >= 0.75:
        x, y = round(dx * share), round(dy * share)
        height, width = picture.shape[:2]
        moved = np.zeros_like(picture)
        if abs(x) < width and abs(y) < height:
            moved[max(0, -y) : height - max(0, y), max(0, -x) : width - max(0, x)] = picture[
                max(0, y) : height - max(0, -y), max(0, x) : width - max(0, -x)
            ]
        picture = cv2.addWeighted(picture, 0.5, moved, 0.5, 0)
        share /= 2
    return picture
