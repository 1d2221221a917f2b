"""A game in progress, shared between the referee's thread, which alone writes, and the web's threads, which read.

The referee appends events; the match is their fold, swapped in as one reference. Commands from the
web wait in a queue until the referee takes and answers them between two frames.
"""

from __future__ import annotations

import queue
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ..game.events import Event, MatchStarted
from ..game.match import Match, evolve
from .ports import Command, Outcome, Status

LOOKING_S = 3.0
"""So long after the last request somebody still counts as looking at the table's picture."""


class Request:
    """A command that waits for its answer."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self._state = threading.Condition()
        self._taken = False
        self._withdrawn = False
        self._outcome: Outcome | None = None

    def take(self) -> bool:
        """Claim the command before carrying it out; False when its sender no longer waits."""
        with self._state:
            self._taken = not self._withdrawn
            return self._taken

    def answer(self, outcome: Outcome) -> None:
        """Tell the sender what became of it."""
        with self._state:
            self._outcome = outcome
            self._state.notify_all()

    def wait(self, timeout_s: float) -> Outcome | None:
        """Give the answer; None when nobody took the command in time: it will then never be carried out."""
        with self._state:
            self._state.wait_for(lambda: self._outcome is not None or self._taken, timeout_s)
            if not self._taken and self._outcome is None:
                self._withdrawn = True
                return None
            self._state.wait_for(lambda: self._outcome is not None, timeout_s)
            return self._outcome


class LiveGame:
    """The one game that is being played: an `EventSink` for the referee and a `Game` for the web.

    Parameters
    ----------
    match
        The match so far, for example replayed from the store.
    events
        The events that made it; viewers that come back ask for those they missed.
    answer_within_s
        How long a command waits for the referee before it is withdrawn.
    number
        Says which game of the log is played now; 0 when nothing is kept.
    """

    def __init__(
        self,
        match: Match,
        events: Iterable[Event] = (),
        answer_within_s: float = 5.0,
        number: Callable[[], int] = int,
    ) -> None:
        self._match = match
        self._events = list(events)
        self._changed = threading.Condition()
        self._status = Status()
        self._frame_at: float | None = None
        self._requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self._answer_within_s = answer_within_s
        self._picture: bytes | None = None
        self._asked_at = float("-inf")
        self._advice: tuple[str, ...] = ()
        self._number = number

    def append(self, event: Event) -> None:
        """Take one event that is already in the log: fold it into the match and wake whoever waits.

        `match_started` begins a new match; its id goes on from the old one's, so that no viewer mistakes it.

        Raises
        ------
        ValueError
            If its id isn't greater than the last one's, or it can't follow on what happened (`MatchError`).
        """
        with self._changed:
            if event.id <= self._match.last_id:
                raise ValueError(f"event {event.id} comes after event {self._match.last_id}: ids only grow")
            begins = isinstance(event, MatchStarted)
            self._match = evolve(Match.new() if begins else self._match, event)
            if begins:
                self._events.clear()
            self._events.append(event)
            self._changed.notify_all()

    def advise(self, advice: Sequence[str]) -> None:
        """Say what else people should mend, until other advice comes: it is shown with the status's warnings."""
        self._advice = tuple(advice)

    def report(self, status: Status) -> None:
        """Say how the referee is doing, after a frame or when something changed."""
        with self._changed:
            self._status = status
            self._frame_at = None if status.frame_age_s is None else time.monotonic() - status.frame_age_s

    def next_request(self, timeout_s: float = 0.0) -> Request | None:
        """Take the oldest command whose sender still waits, or None; only for the referee's thread."""
        try:
            request = self._requests.get(timeout=timeout_s) if timeout_s > 0 else self._requests.get_nowait()
            while not request.take():
                request = self._requests.get_nowait()
            return request
        except queue.Empty:
            return None

    def match(self) -> Match:
        """Give the newest snapshot."""
        return self._match

    def version(self) -> int:
        """Give the id of the last event that the snapshot holds."""
        return self._match.last_id

    def number(self) -> int:
        """Give the number of this game in the log."""
        return self._number()

    def events_after(self, version: int) -> Sequence[Event]:
        """Give the events with greater ids, in order."""
        with self._changed:
            return self._events[bisect_right(self._events, version, key=lambda event: event.id) :]

    def wait(self, version: int, timeout_s: float) -> int:
        """Wait until the version differs from this one or time is up; give the version then."""
        with self._changed:
            self._changed.wait_for(lambda: self._match.last_id != version, timeout_s)
            return self._match.last_id

    def status(self) -> Status:
        """Say how the referee is doing, with the frame's age as of now."""
        with self._changed:
            status = replace(self._status, warnings=(*self._status.warnings, *self._advice))
            if self._frame_at is None:
                return status
            return replace(status, frame_age_s=max(0.0, time.monotonic() - self._frame_at))

    def picture(self) -> bytes | None:
        """Give the newest picture of the table, and let the referee know that somebody looks."""
        self._asked_at = time.monotonic()
        return self._picture

    def wants_picture(self) -> bool:
        """Tell the referee whether somebody looks at pictures of the table now; else drawing them is wasted."""
        return time.monotonic() - self._asked_at < LOOKING_S

    def show_picture(self, jpeg: bytes) -> None:
        """Take a new picture of the table."""
        self._picture = jpeg

    def submit(self, command: Command) -> Outcome:
        """Hand a command to the referee and wait for its answer."""
        request = Request(command)
        self._requests.put(request)
        outcome = request.wait(self._answer_within_s)
        return outcome or Outcome(False, "the referee does not answer: look at the board before you try again")
