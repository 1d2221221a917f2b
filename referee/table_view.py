"""The table's picture for the desk: drawn only while somebody looks, twice a second at most."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import cv2

from .game.event_types import Event
from .layout import TableLayout
from .pile_names import PileNames
from .vision.frames import Frame, Observation
from .vision.overlay import Overlay
from .web.live import LiveGame

_LONG_SIDE_PX = 960
_EVERY_S = 0.5
_QUALITY = 75


class TableView:
    """Draws what is seen on the newest frame; a listener of the pipeline.

    Parameters
    ----------
    layout
        Of the table.
    size_px
        Of the source's frames.
    game
        Who asks for pictures, and takes them.
    clock
        The wall's, not the film's: it is about who looks, not about what happened.
    """

    def __init__(
        self,
        layout: TableLayout,
        size_px: tuple[int, int],
        game: LiveGame,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        ratio = min(1.0, _LONG_SIDE_PX / max(size_px))
        self._overlay = Overlay(layout, (round(size_px[0] * ratio), round(size_px[1] * ratio)))
        self._game = game
        self._clock = clock
        self._piles = PileNames()
        self._drawn_at = float("-inf")

    def __call__(self, frame: Frame, observation: Observation, events: Sequence[Event]) -> None:
        """Take one frame and what was said of it."""
        self._piles.note(events)
        now = self._clock()
        if now - self._drawn_at < _EVERY_S or not self._game.wants_picture():
            return
        self._drawn_at = now
        picture = self._overlay.draw(frame.image, observation, self._piles.marks)
        done, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        if done:
            self._game.show_picture(jpeg.tobytes())
