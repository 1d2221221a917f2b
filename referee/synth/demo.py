"""A rendered table that is played on in real time: the camera of `referee demo`.

Rounds follow one another without end; when rendering or the reader is slow, frames are left out, as a camera does.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ..game.events import CardMoved, Event, Ruled
from ..layout import TableLayout
from ..vision.frames import Frame
from .look import Look
from .play import Clock, Script
from .renderer import Renderer
from .rounds import play_round
from .seating import Seating, seat_people
from .sprites import Sprites
from .truth import true_events


class RenderedTable:
    """A `FrameSource` without a camera.

    Parameters
    ----------
    seats
        How many play.
    seed
        Same seed, same rounds, same look.
    illegal
        Illegal plays on Dutch Piles in each round.
    size_px
        Width and height; below 1700 px the numerals are hard to read.
    fps
        Frames a second at most.
    pace
        Multiplies everybody's durations.
    rounds
        How many rounds are played; None for no end.
    """

    live = True

    def __init__(
        self, seats: int = 4, seed: int = 1, illegal: int = 3, *, size_px: tuple[int, int] = (1920, 1080),
        fps: float = 30.0, pace: float = 1.0, rounds: int | None = None, look: Look | None = None,
    ):  # fmt: skip
        self.name = f"rendered table, {seats} seats"
        self.size_px = size_px
        self._seed, self._seats, self._illegal, self._pace = seed, seats, illegal, pace
        self._step_s, self._rounds = 1.0 / fps, rounds
        rng = np.random.default_rng([seed, 99])
        self.seating: Seating = seat_people(rng, seats, 5 if seats == 2 else 3, size_px)
        self._look = look or Look.sample(rng, surface="wood", family="classic")
        self._sprites: Sprites | None = None
        self._closed = threading.Event()
        self._scripts: list[tuple[float, Script]] = []

    @property
    def layout(self) -> TableLayout:
        """Give where everything lies: the demo needs no calibration."""
        return self.seating.layout()

    @property
    def names(self) -> tuple[str, ...]:
        """Give the players' names, by seat."""
        return self.seating.names

    @property
    def decks(self) -> tuple[str, ...]:
        """Give the players' decks, by seat."""
        return self.seating.decks

    def truth(self) -> list[Event]:
        """Give what really happened in the rounds begun so far, on the clock of the frames."""
        events: list[Event] = []
        for start_s, script in self._scripts:
            first = len(events)
            for event in true_events(script):
                changes: dict[str, Any] = {
                    "time_s": event.time_s + start_s, "seen_s": event.seen_s + start_s, "id": event.id + first,
                }  # fmt: skip
                if isinstance(event, Ruled):
                    changes["move"] = event.move + first
                elif isinstance(event, CardMoved):
                    changes["undoes"] = None if event.undoes is None else event.undoes + first
                    changes["rest_s"] = None if event.rest_s is None else event.rest_s + start_s
                events.append(replace(event, **changes))
        return events

    def frames(self) -> Iterator[Frame]:
        """Give the newest picture of the table, again and again, no faster than `fps`."""
        if self._sprites is None:
            self._sprites = Sprites(self.seating, self._look)
        began = time.monotonic()
        start_s, played, index = 0.0, 0, 0
        while not self._closed.is_set() and (self._rounds is None or played < self._rounds):
            script = play_round(
                self._seed * 1000 + played, self._seats, self._illegal, pace=self._pace, seating=self.seating
            )
            self._scripts.append((start_s, script))
            look = replace(self._look, seed=self._look.seed + played)
            renderer, clock = Renderer(script, look, self._sprites), Clock(script)
            due_s = start_s
            while not self._closed.is_set():
                now_s = time.monotonic() - began
                if now_s < due_s:
                    self._closed.wait(due_s - now_s)
                    now_s = time.monotonic() - began
                if now_s - start_s >= script.end_s:
                    break
                yield Frame(renderer.frame(clock.at(now_s - start_s)), now_s, index)
                index += 1
                due_s = max(due_s + self._step_s, now_s)
            start_s = max(start_s + script.end_s, time.monotonic() - began)
            played += 1

    def close(self) -> None:
        """End `frames` after its current picture."""
        self._closed.set()
