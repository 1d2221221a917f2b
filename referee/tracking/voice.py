"""How tracking speaks: every event gets its id and the time at which it is said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from ..game.events import Event

E = TypeVar("E", bound=Event)


class Voice:
    """Collects what is said in one frame.

    Parameters
    ----------
    ids
        Gives the ids of events.
    """

    def __init__(self, ids: Iterator[int]) -> None:
        self._ids = ids
        self.now = 0.0
        self._said: list[Event] = []

    def new_id(self) -> int:
        """Take the next id, for an event that others must name before it is said."""
        return next(self._ids)

    def say(self, kind: type[E], *, id: int | None = None, **fields: Any) -> E:
        """Say an event now; its `time_s` is now unless given."""
        fields.setdefault("time_s", self.now)
        event = kind(id=self.new_id() if id is None else id, seen_s=self.now, **fields)
        self._said.append(event)
        return event

    def take(self) -> list[Event]:
        """Give what was said since the last time, in order."""
        said, self._said = self._said, []
        return said
