"""A referee without a camera: it only carries out what people write down at the desk, and keeps the log."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace

from ..game.event_types import Event, MatchStarted, Player
from ..game.match import Match, MatchError, evolve, replay
from ..store import Store, StoreError
from .live import LiveGame
from .ports import Outcome

SOURCE = "by hand"
"""What the store calls games that no camera watched."""


class Scorekeeper:
    """Owns a game that is scored by hand; its own thread is the only writer.

    Parameters
    ----------
    store
        Where the log is kept. An open game in it goes on.
    players
        Who plays, where a new game must be begun.
    variant
        By which rules.
    fresh
        Begin a new game even if one is open.

    Raises
    ------
    StoreError
        If the log can't be read or written.
    MatchError
        If so many can't play by these rules.
    """

    def __init__(
        self, store: Store, players: Sequence[Player] = (), variant: str = "official", fresh: bool = False
    ) -> None:
        self._store = store
        found = None if fresh else store.find_open_game(SOURCE)
        events = store.events(found) if found is not None else []
        self.resumed = bool(events)
        match = replay(events)
        self._began = time.monotonic() - match.time_s
        self._number = store.begin_game(SOURCE) if found is None else found
        self.game = LiveGame(match, events, number=lambda: self._number)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scorekeeper", daemon=True)
        if not events and players:
            outcome = self._carry_out([MatchStarted(time_s=0.0, seen_s=0.0, players=tuple(players), variant=variant)])
            if not outcome.done:
                raise MatchError(outcome.reason)

    def start(self) -> None:
        """Begin to carry out commands."""
        self._thread.start()

    def close(self) -> None:
        """Stop; the game stays open in the log and goes on at the next start."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        while not self._stopping.is_set():
            request = self.game.next_request(0.2)
            if request is not None:
                request.answer(self._carry_out(request.command.events))

    def _carry_out(self, events: Sequence[Event]) -> Outcome:
        """Append events, all or none: first see whether they can follow, then write, then show."""
        now_s = round(time.monotonic() - self._began, 3)
        match = self.game.match()
        stamped = [
            replace(event, id=match.last_id + 1 + k, time_s=now_s, seen_s=now_s) for k, event in enumerate(events)
        ]
        begins = bool(stamped) and isinstance(stamped[0], MatchStarted)
        try:
            trial = Match.new() if begins else match
            for event in stamped:
                trial = evolve(trial, event)
        except MatchError as error:
            return Outcome(False, str(error))
        try:
            if begins and match.last_id:
                self._number = self._store.begin_game(SOURCE)
            self._store.append(self._number, stamped)
        except StoreError as error:
            return Outcome(False, str(error))
        for event in stamped:
            self.game.append(event)
        return Outcome(True)
