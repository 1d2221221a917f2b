"""From a frame to an observation: bird's-eye view, cards, readings, arms.

Work is done only where something changed: the detector runs when the view did, a card is read when its own place
did. What it can't see it doesn't keep: a card that left is gone in the next pass.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from ..layout import TableLayout
from .change import ChangeMap
from .complete import CORRECTIONS, PART_CONFIDENCE, card_sized, is_covered, is_part, is_whole, lead_to_cards
from .detector import Found, YoloDetector
from .frames import Detection, Frame, Image, Observation, Quad, Reading
from .geometry import BirdView, mm_from_picture, picture_from_mm, project, quad_size, quads_from_boxes, signed_area
from .identifier import CardReader, Scores, cut_crop, move_quad
from .reach import ArmFinder
from .seen import SeenCard, align, leave_out_doubles, turned
from .selftest import load_networks

_BLACK = 8.0
_PASS_EVERY_S = 0.5
_LEAST_REST_S = 0.045
"""Between two passes: every other frame of 30 a second, which halves the work of the busiest stage."""

_READS_A_FRAME = 10
_SURE = 0.9
_ENOUGH_READS = 6
_SCALES = (1.0, 1.05, 0.96, 1.08, 0.93, 1.02)
"""A card that isn't read surely is read again a little larger or smaller: the same crop would say the same."""
_MISSES = 3
_PART_MISSES = 20
"""Boxes of parts come and go, the reader has seen the whole card."""
_TRIED_A_FRAME = 48
_STILL_S = 0.1
"""A moving hand gives boxes of parts in every frame."""


class EyeError(RuntimeError):
    """Frames that don't fit the layout; the message says what to do."""


@dataclass(slots=True)
class Timings:
    """Milliseconds spent in each stage, summed over frames."""

    total_ms: dict[str, float] = field(default_factory=dict)
    frames: int = 0
    passes: int = 0
    crops: int = 0

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of a block to a stage."""
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.total_ms[name] = self.total_ms.get(name, 0.0) + (time.perf_counter() - begin) * 1e3

    def per_frame_ms(self) -> dict[str, float]:
        """Give the mean of each stage over all frames."""
        return {name: total / max(1, self.frames) for name, total in self.total_ms.items()}


class TableEye:
    """Sees cards and arms on a table whose layout is known.

    Parameters
    ----------
    layout
        Where the table lies in the picture. A picture of another size but the same shape is fine.
    detector, reader
        The networks; None takes the shipped ones.

    Attributes
    ----------
    view
        The bird's-eye view that `picture` shows.
    picture
        The last frame's bird's-eye view; None before the first.
    timings
        Milliseconds of each stage.
    """

    def __init__(
        self, layout: TableLayout, detector: YoloDetector | None = None, reader: CardReader | None = None
    ) -> None:
        self.layout = layout
        self.view = BirdView.of(layout)
        self.timings = Timings()
        self.picture: Image | None = None
        if detector is None or reader is None:
            shipped = load_networks()
            detector, reader = detector or shipped[0], reader or shipped[1]
        self._detector, self._reader = detector, reader
        self._size_px: tuple[int, int] | None = None
        self._seen: list[SeenCard] = []
        self._sharpness: deque[float] = deque(maxlen=150)
        self._last_pass_s: float | None = None
        self._last_s = 0.0

    def lay_out(self, layout: TableLayout) -> None:
        """Look at the table by another layout from the next frame on."""
        self.layout = layout
        self.view = BirdView.of(layout)
        self._size_px = None

    def observe(self, frame: Frame) -> Observation:
        """See one frame.

        Raises
        ------
        EyeError
            If the frame has another shape than the layout's picture.
        """
        if self._size_px != frame.image.shape[1::-1]:
            self._begin((frame.image.shape[1], frame.image.shape[0]))
        if self._last_pass_s is not None and frame.time_s < self._last_s:
            self._begin((frame.image.shape[1], frame.image.shape[0]))
        self._last_s = frame.time_s
        self.timings.frames += 1
        with self.timings.stage("warp"):
            picture = self.picture = self._warp(frame.image)
        with self.timings.stage("change"):
            sharp = self._is_sharp(picture)
            changed = self._changes.note(picture, frame.time_s)
        self._changed = self._changed or changed
        rest_s = np.inf if self._last_pass_s is None else frame.time_s - self._last_pass_s
        look = sharp and rest_s >= (_LEAST_REST_S if self._changed else _PASS_EVERY_S)
        if look:
            with self.timings.stage("detect"):
                self._look(picture)
            self._last_pass_s, self._changed = frame.time_s, False
            self.timings.passes += 1
        with self.timings.stage("read"):
            if sharp:
                self._read(frame.image, frame.time_s, look)
        with self.timings.stage("reach"):
            reaches = self._arms.find(picture, frame.time_s, [seen.quad for seen in self._seen])
        cards = tuple(self._detection(seen) for seen in leave_out_doubles(self._seen, self._short_px))
        return Observation(frame.time_s, cards, tuple(reaches), sharp)

    def _begin(self, size_px: tuple[int, int]) -> None:
        """Prepare for pictures of this size."""
        width, height = self.layout.image_size_px
        fits = abs(size_px[0] * height - size_px[1] * width) <= 0.01 * size_px[0] * height
        if not fits:
            raise EyeError(
                f"the picture has {size_px[0]}x{size_px[1]} px, the layout was made for {width}x{height}: "
                "choose that resolution or run `referee calibrate` again"
            )
        self._size_px = size_px
        self._per_layout_px = np.array([size_px[0] / width, size_px[1] / height])
        view_w, view_h = self.view.size_px
        xs, ys = np.meshgrid(np.arange(view_w) + 0.5, np.arange(view_h) + 0.5)
        grid = np.stack([xs, ys], axis=-1).reshape(-1, 2)
        spots = self._to_picture(grid).reshape(view_h, view_w, 2)
        middle = spots[view_h // 2 - 1 : view_h // 2 + 1, view_w // 2 - 1 : view_w // 2 + 1]
        step_px = float(np.linalg.norm(middle[1, 1] - middle[0, 0])) / np.sqrt(2)
        # Halve the picture until the warp skips less than 1.8 px: averaging keeps thin lines and is cheap.
        self._halvings = max(0, int(np.floor(np.log2(step_px / 0.9))) if step_px > 1.8 else 0)
        scaled = (spots / 2**self._halvings - 0.5).astype(np.float32)
        self._map = cv2.convertMaps(scaled, None, cv2.CV_16SC2)
        outside = (spots < 0).any(axis=2) | (spots > np.array(size_px)).any(axis=2)
        valid = np.where(outside, 0, 255).astype(np.uint8)
        self._arms = ArmFinder(self.layout, self.view, valid)
        self._inner = np.ascontiguousarray(cv2.erode(valid, np.ones((9, 9), np.uint8), borderValue=0)[::2])
        self._changes = ChangeMap(self.view.size_px)
        self._seen = []
        self._changed = False
        self._sharpness.clear()
        self._last_pass_s = None

    def _to_view(self, picture_px: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
        """Map px of the frame to px of the view; the inverse of `_to_picture`."""
        return self.view.to_view(mm_from_picture(self.layout, picture_px / self._per_layout_px - 0.5))

    def _to_picture(self, view_px: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
        """Map px of the view to px of the frame; in both the first pixel's outer corner is (0, 0).

        The layout counts from the middle of the first pixel, as OpenCV's homographies do.
        """
        mm = project(self.view.mm_from_view, view_px)
        return (picture_from_mm(self.layout, mm) + 0.5) * self._per_layout_px

    def _warp(self, image: Image) -> Image:
        for _ in range(self._halvings):
            image = cv2.resize(image, (image.shape[1] // 2, image.shape[0] // 2), interpolation=cv2.INTER_AREA)
        grey = (114, 114, 114)
        return cv2.remap(image, *self._map, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=grey)

    def _is_sharp(self, picture: Image) -> bool:
        """Say whether the view is neither black nor blurred compared with the last seconds."""
        gray = cv2.cvtColor(picture[::2], cv2.COLOR_BGR2GRAY)
        light = float(cv2.mean(gray, mask=self._inner)[0])
        if light < _BLACK:
            return False
        _, spread = cv2.meanStdDev(cv2.Laplacian(gray, cv2.CV_16S), mask=self._inner)
        sharpness = float(spread[0][0]) / (light + 10)
        usual = float(np.median(self._sharpness)) if len(self._sharpness) >= 5 else sharpness
        self._sharpness.append(sharpness)
        return sharpness >= 0.45 * usual

    def _look(self, picture: Image) -> None:
        """Run the detector and match what it finds with what was seen before."""
        found, parts = self._detect(picture)
        before = self._seen
        since = self._last_pass_s if self._last_pass_s is not None else -np.inf
        changed_s = self._changes.last_s([seen.quad for seen in before])
        middles = np.array([seen.quad.mean(axis=0) for seen in before]).reshape(-1, 2)
        free = set(range(len(before)))
        kept: list[SeenCard] = []
        for quad, kind, confidence in found:
            away = np.hypot(*(middles - quad.mean(axis=0)).T)
            near = [
                (float(away[i]), int(i))
                for i in np.flatnonzero(away <= 0.3 * self._short_px)
                if i in free and turned(before[i].quad, quad) < 0.35
            ]
            distance, best = min(near, default=(np.inf, -1))
            if best < 0:
                kept.append(SeenCard(quad, kind, confidence))
                continue
            free.discard(best)
            seen = before[best]
            aligned = align(quad, seen.quad)
            # A card that lies still is measured again and again: its corners get steadier than one pass gives.
            near_by = distance < 0.08 * self._short_px
            still = changed_s[best] < since and near_by
            if not near_by or turned(seen.quad, quad) > 0.1:
                seen.fine = None
            seen.quad = (0.7 * seen.quad + 0.3 * aligned).astype(np.float32) if still else aligned
            seen.kind, seen.confidence, seen.misses, seen.part = kind, confidence, 0, False
            kept.append(seen)
        for i in free:
            seen = before[i]
            seen.misses += 1
            if changed_s[i] < since and seen.misses <= (_PART_MISSES if seen.part else _MISSES):
                kept.append(seen)
        self._seen = kept + self._new_parts(parts, kept)

    def _detect(self, picture: Image) -> tuple[list[Found], list[Found]]:
        """Find boxes of a card's size and, less sure, boxes of what may be a part of a card."""
        found = self._detector.detect(picture, min(PART_CONFIDENCE, self._detector.confidence))
        whole = [item for item in found if item[2] >= self._detector.confidence and is_whole(item[0], self._card_px)]
        return whole, [item for item in found if is_part(item[0], self._card_px)]

    def _new_parts(self, parts: list[Found], known: list[SeenCard]) -> list[SeenCard]:
        """Give the boxes of parts that lie on no known card; those that do show that it is still there."""
        new = []
        for quad, kind, confidence in parts:
            covering = [seen for seen in known if is_covered(quad, seen.place)]
            for seen in covering:
                seen.misses = 0
            if not covering:
                new.append(SeenCard(quad, kind, confidence, part=True))
        return new

    @property
    def _card_px(self) -> tuple[float, float]:
        width, length = self.layout.card_mm
        return width * self.view.px_per_mm, length * self.view.px_per_mm

    @property
    def _short_px(self) -> float:
        return self._card_px[0]

    def _read(self, image: Image, time_s: float, looked: bool) -> None:
        """Read the cards that are new, changed or not yet sure, the most urgent first.

        What has changed since the detector last looked lies elsewhere now: it waits for the next pass.
        """
        self._complete(image, time_s)
        if not self._seen:
            return
        changed_s = self._changes.last_s([seen.quad for seen in self._seen])
        wanted: list[tuple[float, int]] = []
        for i, seen in enumerate(self._seen):
            if seen.part and seen.fine is None:
                continue
            if seen.scores is None or changed_s[i] > seen.read_s:
                seen.scores, seen.reads = None, 0
                seen.reading = Reading(None, 0.0)
                if looked:
                    wanted.append((0.0 if changed_s[i] < time_s else 1.0, i))
            elif seen.reads < 2:
                wanted.append((2.0, i))
            elif seen.reading.confidence < _SURE:
                wait = 0.1 * 2 ** min(seen.reads, _ENOUGH_READS) / 4
                if time_s - seen.read_s >= wait:
                    wanted.append((3.0, i))
        wanted.sort()
        chosen = [i for _, i in wanted[:_READS_A_FRAME]]
        if not chosen:
            return
        self._correct(image, [self._seen[i] for i in chosen if self._seen[i].fine is None])
        quads = [self._to_picture(_scaled(self._seen[i])) for i in chosen]
        scores = self._reader.scores([cut_crop(image, quad) for quad in quads])
        self.timings.crops += len(quads)
        for n, i in enumerate(chosen):
            seen, row = self._seen[i], scores.row(n)
            share = 1.0 / (min(seen.reads, _ENOUGH_READS) + 1)
            seen.scores = row if seen.scores is None else seen.scores.mean(row, share)
            self._refine(seen, move_quad(quads[n], row.corners_px[0]), row, share)
            seen.reads += 1
            seen.read_s = time_s
            seen.reading = self._reader.decide(seen.scores)[0]

    def _complete(self, image: Image, time_s: float) -> None:
        """Let the reader find the cards of which the detector found parts, where nothing moves."""
        pending = [seen for seen in self._seen if seen.part and not seen.tried]
        changed_s = self._changes.last_s([seen.quad for seen in pending])
        tried: list[tuple[SeenCard, Quad]] = []
        for seen, at_s in zip(pending, changed_s, strict=True):
            if time_s - at_s >= _STILL_S and len(tried) < _TRIED_A_FRAME:
                quads = [self._to_picture(quad) for quad in card_sized(seen.quad, self._card_px)]
                tried += [(seen, quad) for quad in quads if self._shows(quad)]
                seen.tried = True
        cards = lead_to_cards(self._reader, image, [quad for _, quad in tried], self._settle)
        self.timings.crops += CORRECTIONS * len(tried)
        least: dict[int, float] = {}
        for (seen, _), card in zip(tried, cards, strict=True):
            if card is not None and card[1] < least.get(id(seen), 1.0):
                least[id(seen)] = card[1]
                seen.quad = seen.fine = self._to_view(card[0])

    def _shows(self, picture_px: Quad) -> bool:
        """Tell whether the frame shows a quad (px of it) wholly; what is cut off can't be told from a part."""
        assert self._size_px is not None
        return bool((picture_px > 0).all() and (picture_px < np.array(self._size_px)).all())

    def _settle(self, picture_px: Quad) -> Quad:
        """Give a quad (px of the frame) the size that a card has on the table."""
        return self._to_picture(self._true_size(self._to_view(picture_px))).astype(np.float32)

    def _correct(self, image: Image, cards: list[SeenCard]) -> None:
        """Find where cards really lie: a box is often off by some millimetres, and around a messy pile by more."""
        quads = [self._to_picture(self._true_size(seen.quad)) for seen in cards]
        if not quads:
            return
        scores = self._reader.scores([cut_crop(image, quad) for quad in quads], both_ways=False)
        for n, seen in enumerate(cards):
            seen.fine = self._true_size(seen.quad)
            self._refine(seen, move_quad(quads[n], scores.corners_px[n]), scores.row(n), 1.0)

    def _refine(self, seen: SeenCard, picture_px: Quad, scores: Scores, share: float) -> None:
        """Take where the reader saw a card's corners (px of the frame) for a share of what is known of its place."""
        assert seen.fine is not None
        quad = self._to_view(picture_px)
        far = np.linalg.norm(quad.mean(axis=0) - seen.fine.mean(axis=0)) > 0.3 * self._short_px
        if not far and scores.kind[0, 2] < 0.5:
            seen.fine = self._true_size((1 - share) * seen.fine + share * quad)

    def _true_size(self, quad: Quad) -> Quad:
        """Give a card's quad (px of the view) its true size, which is known, unless it is a part of a card only."""
        width, length = self._card_px
        short, long = quad_size(quad)
        if abs(short / width - 1) > 0.3 or abs(long / length - 1) > 0.3:
            return quad
        down = quad[2] + quad[3] - quad[0] - quad[1]
        angle = float(np.arctan2(-down[0], down[1]))
        center = quad.mean(axis=0)
        return align(quads_from_boxes(np.array([[center[0], center[1], width, length, angle]]))[0], quad)

    def _detection(self, seen: SeenCard) -> Detection:
        quad_mm = self.view.to_mm(seen.place)
        scale = float(np.sqrt(abs(signed_area(seen.quad)) / float(np.prod(self._card_px))))
        return Detection(quad_mm, seen.side, seen.confidence, seen.reading, scale)


def _scaled(seen: SeenCard) -> npt.NDArray[np.floating]:
    """Give the quad (px of the view) by which a card is cut out for its next reading."""
    assert seen.fine is not None
    middle = seen.fine.mean(axis=0)
    return np.asarray(middle + (seen.fine - middle) * _SCALES[seen.reads % len(_SCALES)])
