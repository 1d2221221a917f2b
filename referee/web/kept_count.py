"""The count that waits to be settled, on the disk beside the log: whoever restarts the program needn't count again.

It is no event: nothing of it is in the game before a person settles it.
"""

from __future__ import annotations

import json
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from ..store import Store, StoreError
from .ports import BlitzCount, CountResult, Game, SeatCount


class Waiting(NamedTuple):
    """A count that waits, and the game's time when it was taken."""

    found: CountResult
    at_s: float


class KeptCount:
    """One count at most, of the game that is played now.

    Parameters
    ----------
    game
        Which.
    data
        Folder of the event log; None where nothing is kept.
    """

    def __init__(self, game: Game, data: Path | None) -> None:
        self._game, self._data = game, data

    def write(self, waiting: Waiting | None) -> None:
        """Keep a count instead of the one before; None forgets it."""
        number = self._game.number()
        if self._data is None or not number:
            return
        body = "" if waiting is None else json.dumps({"at_s": waiting.at_s, "found": asdict(waiting.found)})
        # A disk that fails is told by the log itself; the count is then kept in memory only.
        with suppress(StoreError), closing(Store(self._data, read_only=True)) as store:
            store.keep_count(number, body)

    def read(self) -> Waiting | None:
        """Give what was kept; None where there is nothing, or nothing that can be read."""
        body = ""
        if self._data is not None:
            with suppress(StoreError), closing(Store(self._data, read_only=True)) as store:
                body = store.find_count(self._game.number())
        if not body:
            return None
        try:
            kept = json.loads(body)
            found = kept["found"]
            found["seats"] = tuple(SeatCount(**row) for row in found["seats"])
            found["blitz"] = tuple(BlitzCount(**row) for row in found["blitz"])
            return Waiting(CountResult(**found), float(kept["at_s"]))
        except (ValueError, KeyError, TypeError):
            # Another version wrote it.
            return None
