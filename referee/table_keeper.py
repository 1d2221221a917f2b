"""The table for the desk: the picture from above, how well the camera sees, and zones that people may move.

A listener of the pipeline: what it changes, it changes on the referee's thread between two frames, and never in the
middle of a round. The layout's file is kept, and beside it the one from before the last change.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from .game.event_types import Event
from .layout import LayoutError, TableLayout, format_layout, load_layout
from .sight import find_layout_problems, find_picture_problems, measure_focus, measure_light, measure_scale
from .vision.frames import Frame, Image, Observation
from .vision.geometry import BirdView, picture_from_mm
from .web.live import LOOKING_S, LiveGame
from .web.ports import Above, Outcome, Sight

MARGIN_MM = 130.0
"""So far beyond the zones the picture from above shows the table: a zone can be dragged there."""
_LONG_SIDE_PX = 1100
_MEASURE_EVERY_S = 2.0
_DRAW_EVERY_S = 0.9
_QUALITY = 72
_LASTING = 3
"""A fault of light or focus is told once it was seen so often in a row: an arm before the lens is none."""


class TableKeeper:
    """Shows the table from above and keeps its zones.

    Parameters
    ----------
    layout
        By which the table is watched.
    path
        Its file; None where there is none: changes hold until the program ends.
    size_px
        Of the source's frames.
    game
        Whose rounds must not be disturbed; it is told what is wrong.
    lay_out
        Called with a layout on the referee's thread: whoever watches by it.
    clock
        The wall's: it is about who looks, not about what happened.
    """

    def __init__(
        self,
        layout: TableLayout,
        path: Path | None,
        size_px: tuple[int, int],
        game: LiveGame,
        lay_out: Sequence[Callable[[TableLayout], None]] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lock = threading.Lock()
        self._layout = layout
        self._path = path
        self._size_px = size_px
        self._game = game
        self._lay_out = tuple(lay_out)
        self._clock = clock
        self._before: TableLayout | None = None
        self._wanted: TableLayout | None = None
        self._asked_at = self._measured_at = self._drawn_at = float("-inf")
        self._above: Above | None = None
        self._faults: dict[str, int] = {}
        self._prepare(layout)
        self._sight = Sight(measure_scale(layout, size_px[0]), problems=self._lasting)
        game.advise(self._lasting)

    def _prepare(self, layout: TableLayout) -> None:
        """Prepare the view from above and what is wrong with the zones."""
        view = BirdView.of(layout, margin_mm=MARGIN_MM)
        scale = min(1.0, _LONG_SIDE_PX / max(view.size_px))
        size = (round(view.size_px[0] * scale), round(view.size_px[1] * scale))
        xs, ys = np.meshgrid(np.arange(size[0]) + 0.5, np.arange(size[1]) + 0.5)
        mm = view.to_mm(np.stack([xs, ys], axis=-1).reshape(-1, 2) / scale)
        ratio = self._size_px[0] / layout.image_size_px[0]
        spots = ((picture_from_mm(layout, mm) + 0.5) * ratio - 0.5).reshape(size[1], size[0], 2).astype(np.float32)
        self._map = cv2.convertMaps(spots, None, cv2.CV_16SC2)
        side = view.size_px[0] / view.px_per_mm, view.size_px[1] / view.px_per_mm
        self._area = (view.left_mm, view.top_mm, *side)
        self._lasting = tuple(find_layout_problems(layout, self._size_px[0]))

    def __call__(self, frame: Frame, observation: Observation, events: Sequence[Event]) -> None:
        """Take one frame: carry out a change that waits, measure and draw now and then."""
        with self._lock:
            wanted = None if self._in_round() else self._wanted
            if wanted is not None:
                self._wanted = None
                self._prepare(wanted)
        if wanted is not None:
            for lay_out in self._lay_out:
                lay_out(wanted)
            self._measured_at = self._drawn_at = float("-inf")
        now = self._clock()
        if now - self._measured_at >= _MEASURE_EVERY_S:
            self._measured_at = now
            self._measure(frame.image)
        if now - self._asked_at < LOOKING_S and now - self._drawn_at >= _DRAW_EVERY_S:
            self._drawn_at = now
            self._draw(frame.image)

    def _in_round(self) -> bool:
        round_ = self._game.match().round
        return round_ is not None and not round_.is_over

    def _measure(self, image: Image) -> None:
        light, burnt = measure_light(image)
        focus = measure_focus(image)
        found = tuple(find_picture_problems(light, burnt, focus))
        self._faults = {fault: self._faults.get(fault, 0) + 1 for fault in found}
        problems = (*self._lasting, *(fault for fault, times in self._faults.items() if times >= _LASTING))
        self._sight = Sight(measure_scale(self._layout, image.shape[1]), light, focus, problems)
        self._game.advise(problems)

    def _draw(self, image: Image) -> None:
        picture = cv2.remap(
            image, *self._map, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(40, 40, 40)
        )
        done, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        if done:
            self._above = Above(jpeg.tobytes(), *self._area)

    def layout(self) -> TableLayout:
        """Give the layout by which the table is watched, or will be once the round is over."""
        return self._layout

    def sight(self) -> Sight:
        """Say how well the camera sees the table."""
        return self._sight

    def above(self) -> Above | None:
        """Give the newest picture from above, and let the referee know that somebody looks."""
        self._asked_at = self._clock()
        return self._above

    def change_layout(self, layout: TableLayout) -> Outcome:
        """Keep another layout and watch by it from the next frame on; refused in the middle of a round."""
        with self._lock:
            if self._in_round():
                return Outcome(False, "a round is being played: move the zones once it is over")
            before = self._layout
            try:
                self._write(before, layout)
            except OSError as error:
                return Outcome(False, f"{self._path}: {error.strerror or error}: the zones were not changed")
            self._before, self._layout, self._wanted = before, layout, layout
        return Outcome(True)

    def restore_layout(self) -> Outcome:
        """Go back to the layout from before the last change."""
        try:
            before = self._before or (load_layout(_beside(self._path)) if self._path is not None else None)
        except LayoutError:
            before = None
        if before is None or len(before.seats) != len(self._layout.seats):
            return Outcome(False, "there is no earlier layout to go back to")
        return self.change_layout(before)

    def _write(self, before: TableLayout, layout: TableLayout) -> None:
        """Put the new layout in its file, whole or not at all, and the old one beside it."""
        if self._path is None:
            return
        _beside(self._path).write_text(format_layout(before), encoding="utf-8")
        fresh = self._path.with_suffix(".new.toml")
        fresh.write_text(format_layout(layout), encoding="utf-8")
        fresh.replace(self._path)


def _beside(path: Path) -> Path:
    return path.with_suffix(".before.toml")
