"""Rounds whose log has errors put in on purpose: what the count by backs makes of them.

The errors are those that a referee makes: plays that are given to another seat, plays of nobody, plays missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..audit import reconcile
from ..game.event_types import CardMoved, Event, RoundScored
from ..game.match import replay
from ..game.moves import PileKind
from ..synth.rounds import play_round
from ..synth.truth import true_events

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class SpoiledRound:
    """A round's log with errors.

    Parameters
    ----------
    events
        Without a score.
    owners
        True seat of every play on a Dutch Pile that is still in the log, by the move's id.
    wrong
        Moves that name another seat than the true one, or nobody.
    missed
        How many plays were taken out.
    counted
        True Dutch cards of each seat, and Blitz cards left.
    """

    events: tuple[Event, ...]
    owners: dict[int, int]
    wrong: tuple[int, ...]
    missed: int
    counted: dict[int, tuple[int, int]]


def spoil(
    events: Sequence[Event], rng: Rng, wrong: tuple[int, int] = (3, 6), missed: tuple[int, int] = (0, 2)
) -> SpoiledRound:
    """Put errors into a true log.

    A wrong owner is mostly a doubtful one, as the referee's own are: its confidence is 0.5 to 0.85, that of one in
    five 0.9 and more; where the card came from is then not known. One in seven of the right ones is as doubtful.
    """
    plays = [
        event
        for event in events
        if isinstance(event, CardMoved)
        and event.target.kind is PileKind.DUTCH
        and len(event.cards) == 1
        and event.undoes is None
        and (event.source is None or event.source.kind is not PileKind.DUTCH)
    ]
    undone = {event.undoes for event in events if isinstance(event, CardMoved)}
    scored = next(event for event in events if isinstance(event, RoundScored))
    seats = [row.seat for row in scored.seats]
    good = [event.id for event in plays if event.id not in undone]
    order = rng.permutation(good).tolist()
    lost = set(order[: int(rng.integers(missed[0], missed[1] + 1))])
    count = int(rng.integers(wrong[0], wrong[1] + 1))
    false = set(order[len(lost) : len(lost) + count])
    owners, said = {}, []
    for event in events:
        if isinstance(event, RoundScored) or event.id in lost:
            continue
        if isinstance(event, CardMoved) and event.id in good:
            assert event.seat is not None
            owners[event.id] = event.seat
            doubtful = float(rng.uniform(0.5, 0.85))
            clear = float(rng.uniform(0.9, 0.995))
            if event.id in false:
                other = None if rng.random() < 0.15 else int(rng.choice([s for s in seats if s != event.seat]))
                confidence = clear if rng.random() < 0.2 and other is not None else doubtful
                event = replace(event, seat=other, source=None, confidence=confidence)
            else:
                event = replace(event, confidence=doubtful if rng.random() < 1 / 7 else clear)
        said.append(event)
    counted = {row.seat: (row.dutch, row.blitz) for row in scored.seats}
    kept = {event.id for event in said if isinstance(event, CardMoved)}
    said = [event for event in said if getattr(event, "move", None) not in lost or event.id in kept]
    return SpoiledRound(tuple(said), owners, tuple(sorted(false)), len(lost), counted)


@dataclass(frozen=True, slots=True)
class ReconcilingScores:
    """What came of many spoiled rounds.

    Parameters
    ----------
    rounds, right
        How many, and in how many every seat's score is the true one.
    wrong, repaired
        Owners that were wrong, and of them those that are right after the count.
    spoiled
        Right owners that the count changed to wrong ones.
    missed, told
        Plays taken out, and cards that the reconciliation says no play accounts for.
    """

    rounds: int
    right: int
    wrong: int
    repaired: int
    spoiled: int
    missed: int
    told: int


def evaluate_reconciling(rounds: int = 20, seed: int = 501) -> ReconcilingScores:
    """Spoil and reconcile rounds that bots have played, 2 to 8 seats by turns."""
    sums = np.zeros(6, int)
    for number in range(rounds):
        script = play_round(seed + number, (2, 3, 4, 6, 8)[number % 5], 2)
        case = spoil(true_events(script), np.random.default_rng([seed, number]))
        match = replay(case.events)
        assert match.round is not None
        found = reconcile(
            match.round,
            {seat: dutch for seat, (dutch, _) in case.counted.items()},
            {seat: blitz for seat, (_, blitz) in case.counted.items()},
        )
        after = replay(found.events(match.round, match.time_s), match).round
        assert after is not None
        right = all((row.dutch, row.blitz) == case.counted[row.seat] for row in after.score())
        now = {id_: after.records[id_].event.seat for id_ in case.owners}
        repaired = sum(now[id_] == case.owners[id_] for id_ in case.wrong)
        spoiled = sum(now[id_] != owner for id_, owner in case.owners.items() if id_ not in case.wrong)
        sums += (right, len(case.wrong), repaired, spoiled, case.missed, found.missed)
    return ReconcilingScores(rounds, *(int(value) for value in sums))
