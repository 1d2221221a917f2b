"""The store with a memory: a disk that fails in the middle of a game stops nobody."""

from __future__ import annotations

import time
from collections.abc import Sequence

from .game.event_types import Event
from .store import Store, StoreError

RETRY_S = 3.0
"""So long after a failed commit the disk is tried again."""


class Journal:
    """The store with a memory: when the disk fails in the middle of a game, events wait until it works again.

    Parameters
    ----------
    store, game
        Where events go; None for neither: nothing is kept.

    Attributes
    ----------
    game
        Number of the game that is written now; 0 when nothing is kept.
    warning
        Why events wait in memory; empty when all is well.
    """

    def __init__(self, store: Store | None = None, game: int = 0) -> None:
        self._store = store
        self.game = game
        self._waiting: list[Event] = []
        self._retry_at = 0.0
        self.warning = store.warning if store is not None else ""

    def append(self, events: Sequence[Event]) -> None:
        """Commit events; if that fails they wait here, and `warning` says so."""
        if self._store is None or not (events or self._waiting):
            return
        self._waiting += events
        if self._retry_at and time.monotonic() < self._retry_at:
            return
        try:
            self._store.append(self.game, self._waiting)
        except StoreError as error:
            self._retry_at = time.monotonic() + RETRY_S
            self.warning = f"the game goes on in memory only: {error}"
            return
        if self._retry_at:
            self._retry_at, self.warning = 0.0, ""
        self._waiting.clear()

    def end(self) -> None:
        """Say that the game is over."""
        self.append(())
        if self._store is not None and not self._waiting:
            self._store.close_game(self.game)

    def begin(self, source: str) -> None:
        """Begin the source's next game; the old one is over.

        Raises
        ------
        StoreError
            If it can't be written, or events of the old game still wait for the disk.
        """
        self.append(())
        if self._store is None:
            return
        if self._waiting:
            raise StoreError(self.warning)
        self.game = self._store.begin_game(source)
