"""Everything that happens is an event: appended once, never edited; the match is a fold over them.

Each event has `time_s` (when it happened) and `seen_s` (when it was said), both on the film's clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from .cards import Face
from .moves import Move, PileId


class Violation(StrEnum):
    """What can be wrong with a move; each value is explained by the rule of the same name in `rules`."""

    WRONG_COLOR = "wrong_color"
    WRONG_NUMBER = "wrong_number"
    START_NOT_ONE = "start_not_one"
    PILE_COMPLETE = "pile_complete"
    SEVERAL_CARDS = "several_cards"
    TWO_HANDS = "two_hands"
    BEFORE_START = "before_start"
    AFTER_BLITZ = "after_blitz"
    LATE_TO_PILE = "late_to_pile"
    POST_ORDER = "post_order"
    POST_FIGURE = "post_figure"
    TAKEN_FROM_DUTCH = "taken_from_dutch"
    NOT_ON_TOP = "not_on_top"
    WOOD_COUNT = "wood_count"
    SHUFFLED = "shuffled"


class Certainty(StrEnum):
    """How sure a ruling is."""

    CERTAIN = "certain"
    DOUBTFUL = "doubtful"
    TOO_CLOSE = "too_close"


LOG_VERSION = 1
"""Version of the log's format that this program reads and writes."""


class EventError(ValueError):
    """A line of an event log that can't be understood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What every event has; `id` is unique in a log and never reused (0: not yet in a log)."""

    type: ClassVar[str]
    time_s: float
    seen_s: float
    id: int = 0


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits where, and with which deck; `seat` counts from 1, counter-clockwise."""

    seat: int
    name: str
    deck: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted(Event):
    """A match begins: who plays, by which rules.

    `rules` holds the house rules that differ from the preset `variant`, as in a rules file; `version` is that
    of the log's format.
    """

    type: ClassVar[str] = "match_started"
    players: tuple[Player, ...]
    variant: str = "dutch-blitz"
    rules: dict[str, Any] = field(default_factory=dict)
    version: int = LOG_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatJoined(Event):
    """Somebody sits down between rounds, or a seat gets another name or deck."""

    type: ClassVar[str] = "seat_joined"
    seat: int
    name: str
    deck: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLeft(Event):
    """Somebody leaves between rounds; the total stays on the board."""

    type: ClassVar[str] = "seat_left"
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStarted(Event):
    """A round begins: the signal was given, or (in a film) the first play was seen.

    `playing` names the seats that play, where they are not all of 1..`seats`.
    """

    type: ClassVar[str] = "round_started"
    seats: int
    variant: str = "dutch-blitz"
    playing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPaused(Event):
    """Play stands still: the door bell, a camera that was moved."""

    type: ClassVar[str] = "round_paused"
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundResumed(Event):
    """Play goes on after a pause or after "Dutch!"."""

    type: ClassVar[str] = "round_resumed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DutchCalled(Event):
    """Somebody called "Dutch!" about an illegal play; whether that stops play is a house rule."""

    type: ClassVar[str] = "dutch_called"
    seat: int | None = None
    move: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BlitzCalled(Event):
    """Somebody called "Blitz!"; logged beside `blitz_seen`, for either may end the round."""

    type: ClassVar[str] = "blitz_called"
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StuckAgreed(Event):
    """The table agrees that nobody can play; what follows is a house rule."""

    type: ClassVar[str] = "stuck_agreed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded(Event):
    """A round ends otherwise than by Blitz: everybody is stuck, or it is broken off.

    `reason` is `stuck`, or `abandoned`: then the round doesn't count.
    """

    type: ClassVar[str] = "round_ended"
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PileSeen(Event):
    """The top of a player's pile as it is now known; `top` None: a card that can't be read."""

    type: ClassVar[str] = "pile_seen"
    pile: PileId
    top: Face | None
    empty: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CardMoved(Event):
    """Cards went from one pile to another; `cards` is bottom to top, None for one not seen.

    `undoes` names the move that this one takes back. `after` names the move behind which one that was missed
    belongs (0: before all others), when it is added later.
    """

    type: ClassVar[str] = "card_moved"
    seat: int | None
    cards: tuple[Face | None, ...]
    source: PileId | None
    target: PileId
    at_mm: tuple[float, float] | None = None
    confidence: float = 1.0
    undoes: int | None = None
    after: int | None = None
    rest_s: float | None = None
    visible_s: float | None = None

    @property
    def move(self) -> Move:
        """Give what happened, without when it was said."""
        return Move(self.time_s, self.seat, self.cards, self.source, self.target, self.confidence)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled(Event):
    """What is said of a move; no violations: an earlier ruling is resolved.

    `by` is `referee` or `person`; a person's word stands until a person changes it.
    """

    type: ClassVar[str] = "ruled"
    move: int
    violations: tuple[Violation, ...]
    certainty: Certainty = Certainty.CERTAIN
    remedy: str = ""
    by: str = "referee"


@dataclass(frozen=True, slots=True, kw_only=True)
class Revised(Event):
    """An earlier move is now understood otherwise; only fields named in `changes` change."""

    type: ClassVar[str] = "revised"
    move: int
    reason: str
    retracted: bool = False
    changes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlitzSeen(Event):
    """A seat's Blitz Pile is empty."""

    type: ClassVar[str] = "blitz_seen"
    seat: int


@dataclass(frozen=True, slots=True)
class SeatScore:
    """One seat's result of a round; `sure` is False while anything about it is doubtful."""

    seat: int
    dutch: int
    blitz: int
    score: int
    sure: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundScored(Event):
    """The score of a round; `by` is `followed`, `counted` or `corrected`.

    `round` is the number of the round, counting from 1; None is the one that was played last.
    """

    type: ClassVar[str] = "round_scored"
    by: str
    seats: tuple[SeatScore, ...]
    round: int | None = None
