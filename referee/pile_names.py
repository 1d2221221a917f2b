"""Where the Dutch Piles lie, from what happened: their names are drawn on the table's pictures."""

from __future__ import annotations

from collections.abc import Iterable

from .game.event_types import CardMoved, Event, Revised, RoundScored, RoundStarted
from .game.moves import PileKind
from .vision.overlay import Mark


class PileNames:
    """Keeps a pile's name at its newest card; a pile whose cards were all taken back has none."""

    def __init__(self) -> None:
        self._plays: dict[int, Mark] = {}

    def note(self, events: Iterable[Event]) -> None:
        """Take in what happened."""
        for event in events:
            if isinstance(event, RoundStarted | RoundScored):
                self._plays.clear()
            elif isinstance(event, Revised) and event.retracted:
                self._plays.pop(event.move, None)
            elif isinstance(event, CardMoved) and event.undoes is not None:
                self._plays.pop(event.undoes, None)
            elif isinstance(event, CardMoved) and event.target.kind is PileKind.DUTCH and event.at_mm is not None:
                self._plays[event.id] = Mark(str(event.target), event.at_mm)

    @property
    def marks(self) -> list[Mark]:
        """Give each pile's name and where it lies."""
        return list({mark.text: mark for mark in self._plays.values()}.values())
