"""What the command line says about the board, and the manual scoring behind `referee score`."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from ..game.event_types import Player
from ..store import Store
from .address import board_url, is_reachable, qr_terminal
from .app import create_app
from .scorekeeper import Scorekeeper
from .server import serve
from .settings import WebSettings, new_pin


def welcome(url: str, pin: str, port: int, qr: bool | None = None) -> str:
    """Say where the board is: the address for this machine and for others, its QR code, and the PIN.

    Parameters
    ----------
    url
        What `board_url` gave.
    pin
        Opens the desk.
    port
        Of the server.
    qr
        Whether to draw the code; None: when a person looks at the terminal.
    """
    lines = [f"Scoreboard: http://localhost:{port}"]
    if is_reachable(url):
        lines.append(f"On other devices in the house: {url}")
        if sys.stdout.isatty() if qr is None else qr:
            lines.append(qr_terminal(url).rstrip("\n"))
    lines.append(f"Referee's desk: http://localhost:{port}/desk  PIN {pin}")
    return "\n".join(lines)


def keep_score(
    players: Sequence[str],
    variant: str,
    data: Path,
    host: str,
    port: int,
    pin: str,
    fresh: bool,
    say: Callable[[str], None],
) -> None:
    """Keep the score by hand until Ctrl-C; the game goes on at the next start.

    Raises
    ------
    StoreError
        If the log can't be read or written.
    MatchError
        If so many can't play by these rules.
    ServeError
        If the board can't be served.
    """
    store = Store(data)
    try:
        seats = [Player(number, name.strip()) for number, name in enumerate(players, 1)]
        keeper = Scorekeeper(store, seats, variant, fresh)
        settings = WebSettings(board_url=board_url(host, port), pin=pin or new_pin(), data=data)
        server = serve(create_app(keeper.game, settings), host, port)
        try:
            keeper.start()
            if store.warning:
                say(store.warning)
            if keeper.resumed:
                say(f"Going on with the game of {len(keeper.game.match().seats)} players; --new begins another.")
            say(welcome(settings.board_url, settings.pin, server.port))
            say("Ctrl-C ends the program; the game is kept.")
            _wait_for_end()
        finally:
            server.close()
            keeper.close()
    finally:
        store.close()


def _wait_for_end() -> None:
    """Wait until the terminal or the system asks to stop."""
    over = threading.Event()
    old = {number: signal.signal(number, lambda *_: over.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        while not over.wait(0.5):
            pass
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)
