"""How plays are scored: a followed round compared with the truth, as the design's "How plays are scored" defines.

It compares two lists of events and knows neither pictures nor tracking.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from math import hypot, sqrt
from typing import Any

import numpy as np

from ..game.cards import Face
from ..game.events import BlitzSeen, CardMoved, Event, Revised, RoundScored, Ruled, Violation
from ..game.moves import PileId, PileKind

TIME_S = 1.0
"""A play's time is right within this."""
AT_ONCE_S = 2.0
"""A ruling counts as given at once when it is said this soon after the card could be seen."""


@dataclass(slots=True)
class SeenPlay:
    """A play on a Dutch Pile, from either side, with everything that was said of it."""

    time_s: float
    seen_s: float
    card: Face | None
    seat_at_once: int | None
    seat: int | None
    target: PileId
    at_mm: tuple[float, float] | None
    visible_s: float | None = None
    retracted: bool = False
    undone: bool = False
    ruled: list[tuple[float, tuple[Violation, ...]]] = field(default_factory=list)

    @property
    def ever_ruled(self) -> frozenset[Violation]:
        """Give every violation that was ever said of it."""
        return frozenset(violation for _, violations in self.ruled for violation in violations)

    def ruled_by(self, time_s: float) -> frozenset[Violation]:
        """Give the violations said up to a time."""
        return frozenset(violation for seen_s, violations in self.ruled if seen_s <= time_s for violation in violations)

    @property
    def standing(self) -> frozenset[Violation]:
        """Give the violations that stand at the end; a play that was taken back keeps what was said of it."""
        if self.undone:
            return self.ever_ruled
        return frozenset(self.ruled[-1][1]) if self.ruled else frozenset()


def collect_plays(events: Iterable[Event]) -> list[SeenPlay]:
    """Give the plays on Dutch Piles that a log speaks of, with revisions, rulings and takings back applied."""
    plays: dict[int, SeenPlay] = {}
    for event in events:
        if isinstance(event, CardMoved):
            if event.undoes is not None and event.undoes in plays:
                plays[event.undoes].undone = True
            elif event.undoes is None and event.target.kind is PileKind.DUTCH:
                plays[event.id] = SeenPlay(
                    event.time_s, event.seen_s, event.cards[-1], event.seat, event.seat, event.target, event.at_mm,
                    event.visible_s,
                )  # fmt: skip
        elif isinstance(event, Revised) and event.move in plays:
            _revise(plays[event.move], event)
        elif isinstance(event, Ruled) and event.move in plays:
            plays[event.move].ruled.append((event.seen_s, event.violations))
    return [play for play in plays.values() if not play.retracted]


def _revise(play: SeenPlay, event: Revised) -> None:
    changes = event.changes
    play.retracted = play.retracted or event.retracted
    if "seat" in changes:
        play.seat = changes["seat"]
    if changes.get("cards"):
        card = changes["cards"][-1]
        play.card = Face.parse(card) if isinstance(card, str) else card
    if "time_s" in changes:
        play.time_s = float(changes["time_s"])


@dataclass(slots=True)
class RoundFigures:
    """The raw counts of one round, or of several added up."""

    rounds: int = 1
    true_plays: int = 0
    seen_plays: int = 0
    right_plays: int = 0
    owner_right: int = 0
    owner_right_at_once: int = 0
    true_rulings: int = 0
    ruled_at_once: int = 0
    ruled_at_end: int = 0
    false_at_once: int = 0
    false_at_end: int = 0
    blitz_right: int = 0
    blitz_delay_s: list[float] = field(default_factory=list)
    dutch_errors: list[int] = field(default_factory=list)
    dutch_sure: list[bool] = field(default_factory=list)
    counted_errors: list[int] = field(default_factory=list)
    latency_s: list[float] = field(default_factory=list)
    time_errors_s: list[float] = field(default_factory=list)

    def __add__(self, other: RoundFigures) -> RoundFigures:
        return RoundFigures(
            **{item.name: getattr(self, item.name) + getattr(other, item.name) for item in fields(self)}
        )

    @property
    def precision(self) -> float:
        """Give the share of seen plays that are right."""
        return _ratio(self.right_plays, self.seen_plays)

    @property
    def recall(self) -> float:
        """Give the share of true plays that were seen right."""
        return _ratio(self.right_plays, self.true_plays)

    @property
    def f1(self) -> float:
        """Give the harmonic mean of precision and recall."""
        return _ratio(2 * self.right_plays, self.true_plays + self.seen_plays)

    @property
    def owner(self) -> float:
        """Give the share of right plays with the right seat, revisions included."""
        return _ratio(self.owner_right, self.right_plays)

    def as_json(self) -> dict[str, Any]:
        """Give all figures by name, as plain values."""
        low, high = wilson(self.ruled_at_end, self.true_rulings)
        exact = [error == 0 for error in self.dutch_errors]
        sure = [good for good, certain in zip(exact, self.dutch_sure, strict=True) if certain]
        record = {
            "rounds": self.rounds,
            "plays": self.true_plays,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "owner": self.owner,
            "owner_at_once": _ratio(self.owner_right_at_once, self.right_plays),
            "rulings": self.true_rulings,
            "ruling_recall_at_once": _ratio(self.ruled_at_once, self.true_rulings),
            "ruling_recall": _ratio(self.ruled_at_end, self.true_rulings),
            "ruling_recall_95": [low, high],
            "false_alarms_at_once": _ratio(self.false_at_once, self.rounds),
            "false_alarms": _ratio(self.false_at_end, self.rounds),
            "blitz_right": self.blitz_right,
            "blitz_delay_s": _mean(self.blitz_delay_s),
            "dutch_mae": _mean([abs(error) for error in self.dutch_errors]),
            "dutch_exact": _mean(exact),
            "dutch_exact_when_sure": _mean(sure),
            "dutch_sure": _mean(self.dutch_sure),
            "counted_mae": _mean([abs(error) for error in self.counted_errors]),
            "latency_p50_s": _quantile(self.latency_s, 0.5),
            "latency_p95_s": _quantile(self.latency_s, 0.95),
            "time_error_p50_s": _quantile([abs(error) for error in self.time_errors_s], 0.5),
        }
        # A share of nothing is unknown; JSON has no word for "not a number".
        return {key: None if value != value else value for key, value in record.items()}


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _quantile(values: Sequence[float], share: float) -> float | None:
    return float(np.quantile(values, share)) if values else None


def wilson(hits: int, count: int) -> tuple[float, float]:
    """Give the 95% interval of a share (Wilson 1927)."""
    if count == 0:
        return 0.0, 1.0
    z, share = 1.96, hits / count
    middle = share + z * z / (2 * count)
    spread = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def match_plays(
    true: Sequence[SeenPlay], seen: Sequence[SeenPlay], half_card_mm: float
) -> list[tuple[SeenPlay, SeenPlay]]:
    """Pair true and seen plays that are right: same card, time within `TIME_S`, place within half a card."""
    pairs = []
    for i, wanted in enumerate(true):
        for j, found in enumerate(seen):
            apart_s = abs(found.time_s - wanted.time_s)
            if found.card != wanted.card or apart_s > TIME_S or found.at_mm is None or wanted.at_mm is None:
                continue
            if hypot(found.at_mm[0] - wanted.at_mm[0], found.at_mm[1] - wanted.at_mm[1]) <= half_card_mm:
                pairs.append((apart_s, i, j))
    used_true: set[int] = set()
    used_seen: set[int] = set()
    matched = []
    for _, i, j in sorted(pairs):
        if i not in used_true and j not in used_seen:
            used_true.add(i)
            used_seen.add(j)
            matched.append((true[i], seen[j]))
    return matched


def score_round(truth: Sequence[Event], seen: Sequence[Event], card_mm: tuple[float, float]) -> RoundFigures:
    """Compare what was followed with the truth of one round.

    Parameters
    ----------
    truth, seen
        Both logs, in order.
    card_mm
        Width and length of a card; half a card is half its length.
    """
    true_plays, seen_plays = collect_plays(truth), collect_plays(seen)
    pairs = match_plays(true_plays, seen_plays, card_mm[1] / 2)
    figures = RoundFigures(true_plays=len(true_plays), seen_plays=len(seen_plays), right_plays=len(pairs))
    for wanted, found in pairs:
        figures.owner_right += wanted.seat == found.seat
        figures.owner_right_at_once += wanted.seat == found.seat_at_once
        figures.time_errors_s.append(found.time_s - wanted.time_s)
        if wanted.visible_s is not None:
            figures.latency_s.append(found.seen_s - wanted.visible_s)
    _score_rulings(figures, true_plays, seen_plays, pairs)
    _score_blitz(figures, truth, seen)
    _score_counts(figures, truth, seen)
    return figures


def _score_rulings(
    figures: RoundFigures,
    true_plays: Sequence[SeenPlay],
    seen_plays: Sequence[SeenPlay],
    pairs: Sequence[tuple[SeenPlay, SeenPlay]],
) -> None:
    partner = {id(found): wanted for wanted, found in pairs}
    for wanted, found in pairs:
        if not wanted.ever_ruled:
            continue
        deadline_s = (wanted.visible_s if wanted.visible_s is not None else wanted.time_s) + AT_ONCE_S
        figures.ruled_at_once += bool(found.ruled_by(deadline_s) & wanted.ever_ruled)
        figures.ruled_at_end += bool(found.standing & wanted.ever_ruled)
    figures.true_rulings = sum(bool(play.ever_ruled) for play in true_plays)
    for found in seen_plays:
        match = partner.get(id(found))
        right = match is not None and bool(match.ever_ruled)
        figures.false_at_once += bool(found.ever_ruled) and not right
        figures.false_at_end += bool(found.standing) and not right


def _score_blitz(figures: RoundFigures, truth: Sequence[Event], seen: Sequence[Event]) -> None:
    true = next((event for event in truth if isinstance(event, BlitzSeen)), None)
    found = next((event for event in seen if isinstance(event, BlitzSeen)), None)
    if true is None:
        figures.blitz_right += found is None
    elif found is not None and found.seat == true.seat:
        figures.blitz_right += 1
        figures.blitz_delay_s.append(found.seen_s - true.time_s)


def _score_counts(figures: RoundFigures, truth: Sequence[Event], seen: Sequence[Event]) -> None:
    true = [event for event in truth if isinstance(event, RoundScored)]
    if not true:
        return
    wanted = {score.seat: score.dutch for score in true[-1].seats}
    followed = [event for event in seen if isinstance(event, RoundScored) and event.by == "followed"]
    counted = [event for event in seen if isinstance(event, RoundScored) and event.by == "counted"]
    found = {score.seat: score for score in followed[-1].seats} if followed else {}
    for seat, dutch in wanted.items():
        score = found.get(seat)
        figures.dutch_errors.append((score.dutch if score is not None else 0) - dutch)
        figures.dutch_sure.append(score is not None and score.sure)
    if counted:
        figures.counted_errors += [score.dutch - wanted.get(score.seat, 0) for score in counted[-1].seats]
