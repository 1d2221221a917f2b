"""What the web needs from the rest of the program: a game to show, and a queue for what people want changed.

The web never touches the camera or the tracker: it reads an immutable `Match` and submits commands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from ..game.events import Event

if TYPE_CHECKING:
    from ..game.match import Match


class CameraState(StrEnum):
    """What the source of pictures is doing."""

    NONE = "none"
    """No camera belongs to this game: it is scored by hand."""
    LIVE = "live"
    FILM = "film"
    PAUSED = "paused"
    LOST = "lost"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Status:
    """How the referee itself is doing, apart from the game.

    Parameters
    ----------
    camera
        What the source of pictures is doing.
    time_s
        The source's own clock at its newest frame; the clock of every event.
    frame_age_s
        Seconds since the newest frame; None when there is no camera or no frame yet.
    fps
        Frames that the referee worked through in the last second; None when unknown.
    warnings
        What a person should mend, one short sentence each.
    """

    camera: CameraState = CameraState.NONE
    time_s: float = 0.0
    frame_age_s: float | None = None
    fps: float | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """What a person at the desk wants: append these events to the log, all or none.

    Every command is events: Go is `round_started`, overruling is `ruled` by a person, a counted score is
    `round_scored`. They carry no ids, and the times of the match that the person was looking at: whoever appends them
    gives each its id and raises `seen_s` (and for what happens now, such as Go, `time_s`) to its own clock.
    """

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a command, given once its events are committed; `reason` says in words why not."""

    done: bool
    reason: str = ""


class Game(Protocol):
    """One game in progress, as the web sees it; every method may be called from any thread."""

    def match(self) -> Match:
        """Give the newest snapshot."""

    def version(self) -> int:
        """Give the id of the last event that the snapshot holds; 0 before the first."""

    def events_after(self, version: int) -> Sequence[Event]:
        """Give the events with greater ids, in order; empty also when they are no longer at hand."""

    def wait(self, version: int, timeout_s: float) -> int:
        """Wait until the version differs from this one or time is up; give the version then."""

    def status(self) -> Status:
        """Say how the referee is doing."""

    def picture(self) -> bytes | None:
        """Give the newest picture of the table as a JPEG, with what is seen drawn on it; None when there is none."""

    def submit(self, command: Command) -> Outcome:
        """Hand a command to the referee and wait for its answer; a referee that doesn't answer is an Outcome too."""
