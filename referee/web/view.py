"""What the board shows, as plain values: numbers, and sentences already in the viewer's language.

The pages draw these and know no rules; `board` builds them from a match and knows no pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Phase(StrEnum):
    """What the people at the table are doing."""

    WAITING = "waiting"
    PLAYING = "playing"
    BLITZ = "blitz"
    SCORED = "scored"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class CardView:
    """A small drawn card; `color` is empty for a card that nobody saw."""

    color: str
    text: str
    words: str


@dataclass(frozen=True, slots=True)
class Badge:
    """Who somebody is at a glance: seat number, name, and the deck's colour and symbol (empty when unknown)."""

    number: int
    name: str
    color: str
    symbol: str


@dataclass(frozen=True, slots=True)
class SeatView:
    """One player on the board.

    Parameters
    ----------
    badge
        Who it is.
    deck
        The deck in words; empty when unknown.
    total
        Points of the rounds that are over.
    dutch, blitz
        Own cards on Dutch Piles, and cards left in the Blitz Pile.
    round_points, projected
        What this round would bring, and the total with it, if it ended now.
    doubt
        Why the numbers of this round are not sure; empty when they are.
    leads
        Whether nobody has more, this round included.
    reached_percent, projected_percent
        The two totals on the way to the target, 0..100.
    """

    badge: Badge
    deck: str
    total: int
    dutch: int
    blitz: int
    round_points: int
    projected: int
    doubt: str
    leads: bool
    blitzed: bool
    reached_percent: int
    projected_percent: int


@dataclass(frozen=True, slots=True)
class RulingView:
    """One ruling in words: who, what is wrong with it, and what to do."""

    move: int
    who: Badge | None
    seat_words: str
    card: CardView
    under: CardView | None
    what: str
    remedy: str
    certainty: str
    state: str
    """`open`, `doubtful` or `resolved`."""
    clock: str
    say: str
    """What is spoken when it is made; empty once it is resolved."""


@dataclass(frozen=True, slots=True)
class RoundRow:
    """One line of a finished round's table."""

    badge: Badge
    dutch: int
    blitz: int
    blitz_points: int
    points: int
    total: int
    sure: bool
    difference: int
    """Dutch cards counted by the backs less those that were followed."""


@dataclass(frozen=True, slots=True)
class RoundTable:
    """The score of a finished round, and in words where it comes from."""

    title: str
    source: str
    rows: tuple[RoundRow, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """One seat's totals after each round, as a line in the chart's own units (0..100 both ways, y down)."""

    badge: Badge
    points: tuple[tuple[float, float], ...]
    total: int


@dataclass(frozen=True, slots=True)
class Chart:
    """Totals over the rounds: one line a seat, the target and zero as heights."""

    series: tuple[Series, ...]
    zero_y: float
    target_y: float | None
    rounds: int


@dataclass(frozen=True, slots=True)
class Place:
    """One player's place at the end of a match; `words` say it, and whether it is shared."""

    place: int
    badge: Badge
    total: int
    words: str


@dataclass(frozen=True, slots=True)
class Podium:
    """The end of a match: those on the steps, those after them, and what is not final about it."""

    steps: tuple[Place, ...]
    rest: tuple[Place, ...]
    note: str


@dataclass(frozen=True, slots=True)
class BoardView:
    """Everything on the board but the state of the connection."""

    version: int
    phase: Phase
    round_words: str
    target_words: str
    target: int | None
    blitz_size: int
    headline: str
    """The one thing to know now: who blitzed, who won, or what is awaited; empty during play."""
    headline_seat: Badge | None
    seats: tuple[SeatView, ...]
    rulings: tuple[RulingView, ...]
    more_rulings: int
    table: RoundTable | None
    chart: Chart | None
    podium: Podium | None
