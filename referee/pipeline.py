"""Capture, referee and board side by side: frames in, events out, commands answered between two frames.

One thread reads the source, the caller's thread is the referee: the only owner of mutable state and the only writer.
All parts are injected; it knows no pixels, no SQL and no pages.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from .audit import reconcile
from .game.event_types import CardMoved, Event, MatchStarted, Revised, RoundPaused, RoundScored, RoundStarted
from .game.follow import find_due_rulings
from .game.match import Match, MatchError, Phase, replay
from .game.moves import PileKind
from .game.round import Round
from .game.variant import VariantError
from .journal import Journal
from .ports import EventSink, Eye, FrameSource
from .store import StoreError
from .tracking.tracker import Tracker
from .vision.frames import Frame, Observation

STALE_S = 2.0
"""A live camera gives ten frames a second at least: two seconds without one is a fault."""
IDLE_S = 0.2


@dataclass(frozen=True, slots=True)
class Health:
    """How the referee itself is doing.

    Parameters
    ----------
    state
        `live`, `film`, `paused`, `lost` or `ended`.
    time_s
        The newest frame's time.
    frame_age_s
        Seconds since that frame came; None before the first.
    fps
        Frames worked through in the last second.
    warnings
        What a person should mend.
    """

    state: str
    time_s: float = 0.0
    frame_age_s: float | None = None
    fps: float | None = None
    warnings: tuple[str, ...] = ()


class Wish(Protocol):
    """A person's command that waits for its answer."""

    events: Sequence[Event]

    def answer(self, done: bool, reason: str = "") -> None:
        """Tell the sender what became of it."""


class Board(Protocol):
    """Where the match is published and commands come from."""

    def match(self) -> Match:
        """Give the match as of the last event."""

    def append(self, event: Event) -> None:
        """Fold one event and show it; raises ValueError if it cannot be."""

    def report(self, health: Health) -> None:
        """Show how the referee is doing."""

    def next_wish(self, timeout_s: float) -> Wish | None:
        """Take the oldest command, or None."""


class Capture:
    """Reads a source in a thread of its own: a film frame by frame, of a live source only what is newest.

    Parameters
    ----------
    source
        What is read.
    ahead
        How many frames of a film may wait.
    """

    def __init__(self, source: FrameSource, ahead: int = 2) -> None:
        self._source = source
        self._frames: queue.Queue[Frame | BaseException | None] = queue.Queue(1 if source.live else ahead)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._read, name="capture", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            for frame in self._source.frames():
                if self._source.live:
                    self._push_newest(frame)
                else:
                    self._push(frame)
                if self._stop.is_set():
                    return
            self._push(None)
        except BaseException as error:  # noqa: BLE001 - whatever ends the source ends the run, in the other thread
            self._push(error)

    def _push(self, item: Frame | BaseException | None) -> None:
        while not self._stop.is_set():
            try:
                self._frames.put(item, timeout=IDLE_S)
                return
            except queue.Full:
                continue

    def _push_newest(self, frame: Frame) -> None:
        while not self._stop.is_set():
            try:
                self._frames.put_nowait(frame)
                return
            except queue.Full:
                try:
                    self._frames.get_nowait()
                except queue.Empty:
                    continue

    def take(self, timeout_s: float) -> Frame | BaseException | None:
        """Give the next frame, what ended the source, or None at its end.

        Raises
        ------
        queue.Empty
            If nothing came in time.
        """
        return self._frames.get(timeout=timeout_s)

    def close(self) -> None:
        """Stop reading and wait for the thread."""
        self._stop.set()
        self._source.close()
        self._thread.join(timeout=5)


def fit_owners(events: Sequence[Event], match: Match) -> Sequence[Event]:
    """Put before a count by backs what it says about who played what: the backs know better than the camera."""
    scored = [event for event in events if isinstance(event, RoundScored) and event.by in ("counted", "corrected")]
    if not any(event.by == "counted" for event in scored):
        return events
    # What a person wrote beside the count is what holds.
    said = scored[-1]
    number = len(match.rounds) if said.round is None else said.round
    round_ = next((other for other in match.rounds if other.number == number), None)
    if round_ is None or {row.seat for row in said.seats} - set(round_.seats):
        return events
    found = reconcile(round_, {row.seat: row.dutch for row in said.seats})
    return [*found.revisions(round_, said.seen_s), *events]


FrameListener = Callable[[Frame, Observation, Sequence[Event]], None]


class Referee:
    """The referee's thread: sees, follows, judges, writes, publishes.

    Parameters
    ----------
    source, eye, tracker
        Where frames come from, what sees them, what follows them.
    board
        What shows the match.
    ids
        The same counter that the tracker takes its ids from.
    journal
        The log on the disk.
    sinks
        More takers of events, such as the `--events` file.
    listeners
        Called after every frame with the frame, what was seen, and what was said.
    resume_s
        Time of the last event of a game that goes on: a film is wound forward to it, a camera's clock continues it.
    """

    def __init__(
        self,
        source: FrameSource,
        eye: Eye,
        tracker: Tracker,
        board: Board,
        ids: Iterator[int],
        *,
        journal: Journal | None = None,
        sinks: Sequence[EventSink] = (),
        listeners: Sequence[FrameListener] = (),
        resume_s: float | None = None,
    ) -> None:
        self._source = source
        self._eye = eye
        self._tracker = tracker
        self._board = board
        self._ids = ids
        self._journal = journal or Journal()
        self._sinks = sinks
        self._listeners = listeners
        self._skip_to_s = -1.0 if resume_s is None or source.live else resume_s
        self._shift_s = 0.0 if resume_s is None or not source.live else resume_s + 1.0
        self._now_s = max(0.0, resume_s or 0.0)
        self._came_at: float | None = None
        self._done_at: deque[float] = deque(maxlen=120)
        self._refused: list[str] = []
        self._corrected = False
        self.frames = 0

    def run(self, stop: threading.Event, stay: bool = False) -> None:
        """Work until the source ends or `stop` is set.

        Parameters
        ----------
        stop
            Ends the run between two frames.
        stay
            Go on answering commands when the source has ended, until `stop`.

        Raises
        ------
        Exception
            Whatever the source or the eye raised; all events up to then are committed.
        """
        capture = Capture(self._source)
        try:
            ended = self._watch(capture, stop)
            self._commit(self._tracker.finish())
            if ended and not self._source.live:
                self._journal.end()
            self._report("ended")
        finally:
            capture.close()
            self._journal.append(())
        while stay and not stop.is_set():
            self._answer(IDLE_S)
            self._report("ended")

    def _watch(self, capture: Capture, stop: threading.Event) -> bool:
        """Work through the source; tells whether it came to its end."""
        while not stop.is_set():
            self._answer(0.0)
            try:
                item = capture.take(IDLE_S)
            except queue.Empty:
                self._journal.append(())
                self._report(self._state())
                continue
            if isinstance(item, BaseException):
                raise item
            if item is None:
                return True
            self._came_at = time.monotonic()
            if item.time_s > self._skip_to_s:
                self._look(replace(item, time_s=item.time_s + self._shift_s) if self._shift_s else item)
        return False

    def _look(self, frame: Frame) -> None:
        self._now_s = frame.time_s
        observation = self._eye.observe(frame)
        paused = self._is_paused()
        events = [] if paused else self._commit(self._tracker.update(observation))
        for listener in self._listeners:
            listener(frame, observation, events)
        self.frames += 1
        self._done_at.append(time.monotonic())
        self._report("paused" if paused else self._state())

    def _is_paused(self) -> bool:
        round_ = self._board.match().round
        return round_ is not None and round_.phase is Phase.PAUSED

    def _commit(self, events: Sequence[Event]) -> list[Event]:
        """Fold, write and show events; one that cannot be is left out and told as a warning, never half-applied."""
        done: list[Event] = []
        for event in events:
            if isinstance(event, RoundScored) and self._corrected:
                # What people have corrected the tracker didn't see: the match has it all.
                round_ = self._board.match().round
                event = event if round_ is None else replace(event, seats=round_.tally())
            try:
                self._board.append(event)
            except ValueError as error:
                self._refuse(str(error))
                continue
            done.append(event)
        self._journal.append(done)
        for sink in self._sinks:
            for event in done:
                sink.append(event)
        return done

    def _refuse(self, reason: str) -> None:
        if reason not in self._refused:
            self._refused = [*self._refused[-2:], reason]

    def _answer(self, timeout_s: float) -> None:
        """Carry out the commands that wait; each is answered after its events are on the disk."""
        while (wish := self._board.next_wish(timeout_s)) is not None:
            timeout_s = 0.0
            events = [self._stamp(event) for event in fit_owners(wish.events, self._board.match())]
            begins = isinstance(next(iter(events), None), MatchStarted)
            try:
                # All or none: what can't be is found before anything is published.
                replay(events, None if begins else self._board.match())
                if begins:
                    self._journal.begin(self._source.name)
            except (MatchError, VariantError, StoreError) as error:
                wish.answer(False, str(error))
                continue
            before = self._board.match().round
            for event in events:
                self._board.append(event)
            self._journal.append(events)
            for event in events:
                self._corrected = isinstance(event, Revised | CardMoved) or (
                    self._corrected and not isinstance(event, RoundStarted)
                )
                if not self._is_past(event):
                    self._tracker.heed(event)
                for sink in self._sinks:
                    sink.append(event)
            self._rule_again(events, before)
            wish.answer(True)

    def _is_past(self, event: Event) -> bool:
        """Tell whether an event settles a round that was played before, not the one that is watched."""
        round_ = self._board.match().round
        return isinstance(event, RoundScored) and round_ is not None and event.round not in (None, round_.number)

    def _stamp(self, event: Event) -> Event:
        """Give a person's event its id and the referee's clock."""
        seen_s = max(event.seen_s, self._now_s, self._board.match().time_s)
        time_s = seen_s if isinstance(event, RoundStarted | RoundPaused) else min(event.time_s, seen_s)
        return replace(event, id=next(self._ids), seen_s=seen_s, time_s=time_s)

    def _rule_again(self, events: Sequence[Event], before: Round | None) -> None:
        """Say what the rules make of Dutch Piles that a person's correction has changed, and only that."""
        round_ = self._board.match().round
        corrected = [event for event in events if isinstance(event, Revised | CardMoved)]
        if round_ is None or not corrected:
            return
        moves = {event.id if isinstance(event, CardMoved) else event.move for event in corrected}
        piles = {round_.records[number].event.target for number in moves if number in round_.records}
        due: list[Event] = []
        for ruled in find_due_rulings(round_, self._now_s, camera=True, before=before):
            target = round_.records[ruled.move].event.target
            if target in piles and target.kind is PileKind.DUTCH:
                due.append(self._stamp(ruled))
        self._commit(due)

    def _state(self) -> str:
        if not self._source.live:
            return "film"
        age_s = None if self._came_at is None else time.monotonic() - self._came_at
        return "lost" if age_s is not None and age_s > STALE_S else "live"

    def _report(self, state: str) -> None:
        now = time.monotonic()
        lately = sum(now - done <= 1.0 for done in self._done_at)
        age_s = None if self._came_at is None else now - self._came_at
        warnings = [
            text for text in (self._journal.warning, getattr(self._source, "message", ""), *self._refused) if text
        ]
        self._board.report(Health(state, self._now_s, age_s, float(lately), tuple(warnings)))
