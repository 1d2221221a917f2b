"""The PIN that opens the desk: compared in constant time, and slow for whoever guesses."""

from __future__ import annotations

import hmac
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

FREE_TRIES = 5
FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = 900.0
# A million PINs, at most this many wrong tries an hour from the whole house together: centuries of guessing.
TRIES_AN_HOUR = 60
_FORGET_S = 3600.0


@dataclass(slots=True)
class _Record:
    fails: int = 0
    free_at: float = 0.0
    last: float = 0.0


class PinGate:
    """Checks PINs and counts the wrong ones, by address and in all.

    Parameters
    ----------
    pin
        The right one.
    clock
        Gives seconds that only grow.
    """

    def __init__(self, pin: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._pin = pin.encode()
        self._clock = clock
        self._lock = threading.Lock()
        self._records: dict[str, _Record] = {}
        self._wrong: list[float] = []

    def wait_s(self, address: str) -> float:
        """Give the seconds until this address may try again; 0 when it may now."""
        with self._lock:
            return self._wait_s(address, self._clock())

    def _wait_s(self, address: str, now: float) -> float:
        self._wrong = [at for at in self._wrong if now - at < _FORGET_S]
        self._records = {name: r for name, r in self._records.items() if now - r.last < _FORGET_S}
        wait = self._records[address].free_at - now if address in self._records else 0.0
        if len(self._wrong) >= TRIES_AN_HOUR:
            wait = max(wait, self._wrong[0] + _FORGET_S - now)
        return max(0.0, wait)

    def try_pin(self, address: str, pin: str) -> bool:
        """Tell whether this is the PIN; always False while the address must wait."""
        with self._lock:
            now = self._clock()
            if self._wait_s(address, now) > 0:
                return False
            if hmac.compare_digest(pin.encode("utf-8", "replace"), self._pin):
                self._records.pop(address, None)
                return True
            record = self._records.setdefault(address, _Record())
            record.fails += 1
            record.last = now
            self._wrong.append(now)
            if record.fails >= FREE_TRIES:
                record.free_at = now + min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** (record.fails - FREE_TRIES))
            return False
