"""What the web needs from the rest of the program: a game to show, and a queue for what people want changed.

Where a camera watches there are two tools more: the count by the backs, and the zones of the table. The web never
touches the camera or the tracker: it reads an immutable `Match` and submits commands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from ..game.events import Event
from ..layout import TableLayout

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

    def number(self) -> int:
        """Give the number of this game in the log; 0 when nothing is kept."""

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


@dataclass(frozen=True, slots=True)
class SeatCount:
    """One seat's Dutch cards: as they were followed, and as its backs were counted.

    Parameters
    ----------
    seat
        Whose deck.
    followed, counted
        Cards on Dutch Piles by the log, and cards of this deck that now lie with the back up.
    sure
        Whether `counted` can stand without a look: nothing that could be this seat's was left uncounted.
    cause
        The likeliest cause of a difference in one short sentence; empty where the two agree or nobody knows.
    """

    seat: int
    followed: int
    counted: int
    sure: bool = True
    cause: str = ""


@dataclass(frozen=True, slots=True)
class BlitzCount:
    """One seat's Blitz cards left: as they were followed, and as the camera counted them.

    Parameters
    ----------
    seat
        Whose Blitz Pile.
    followed, counted
        Cards left by the log, and those that were seen; None where they can't be counted, as in a squared pile.
    sure
        Whether `counted` can stand without a look.
    problem
        Why they can't be counted or aren't sure, in one sentence that says what to do; empty where there is nothing
        to do.
    """

    seat: int
    followed: int
    counted: int | None
    sure: bool = True
    problem: str = ""


@dataclass(frozen=True, slots=True)
class CountResult:
    """What a count by the backs has brought; nothing of it is in the log until somebody settles it.

    Parameters
    ----------
    round
        Number of the round that was counted; 0 when none could be.
    seats
        One row for each seat that played it, in the seats' order; empty when nothing could be counted.
    unread
        Backs that no deck could be told from.
    faces
        Cards that still lie face up: they must be turned over.
    sure
        Whether every card on the table was counted.
    problem
        Why no backs could be counted, in one sentence that says what to do; empty when they could.
    blitz
        One row for each seat that played it: what is left in its Blitz Pile. Empty where nobody looked.
    """

    round: int
    seats: tuple[SeatCount, ...] = ()
    unread: int = 0
    faces: int = 0
    sure: bool = False
    problem: str = ""
    blitz: tuple[BlitzCount, ...] = ()


class CountTaker(Protocol):
    """Counts the cards of each deck by their backs, when the desk asks for it.

    Settling is a command like any other: the desk submits `round_scored` by `counted` (and by `corrected` where a
    person knows better), and nothing where the count is put off.
    """

    def take_count(self, more: bool = False) -> CountResult:
        """Count the backs that lie on the table now, for the round that was played last.

        Called from any of the web's threads; it may take some seconds, and never raises.

        Parameters
        ----------
        more
            Add to the last count of this round: all cards didn't fit on the table at once.
        """

    def take_blitz(self, seat: int) -> CountResult:
        """Count what lies face up as this seat's Blitz cards, because the players say that it is; else as `take_count`.

        It adds to what was counted of this round: a card that was seen before isn't counted again, so a pile may be
        shown card by card.
        """

    def take_up(self, found: CountResult) -> None:
        """Go on from a count of the last round that was taken before the program was started again."""


@dataclass(frozen=True, slots=True)
class Sight:
    """How well the camera sees the table.

    Parameters
    ----------
    px_per_mm
        Pixels of a millimetre at each part of the table, by its name.
    light
        Mean brightness, 0 (black) to 1; None before the first picture.
    sharpness
        Contrast of fine lines beside that of lines twice as coarse: a picture in focus has 0.5 or more. None before
        the first picture.
    problems
        What a person should mend, one short sentence each.
    """

    px_per_mm: Mapping[str, float]
    light: float | None = None
    sharpness: float | None = None
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Above:
    """The table from straight above, as a JPEG, and which part of the table plane it shows."""

    jpeg: bytes
    left_mm: float
    top_mm: float
    width_mm: float
    height_mm: float


class TableKeeper(Protocol):
    """The table as the camera sees it, and where its zones lie; every method may be called from any thread."""

    def layout(self) -> TableLayout:
        """Give the layout by which the table is watched."""

    def sight(self) -> Sight:
        """Say how well the camera sees the table."""

    def above(self) -> Above | None:
        """Give the newest picture from above; None before the first."""

    def change_layout(self, layout: TableLayout) -> Outcome:
        """Watch the table by another layout from now on and keep it; refused in the middle of a round."""

    def restore_layout(self) -> Outcome:
        """Go back to the layout from before the last change; doing it again goes forward."""
