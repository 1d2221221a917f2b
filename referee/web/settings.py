"""How the web side is set up: everything that `create_app` may not decide by itself."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import Path

SOURCE_URL = "/source"


def new_pin() -> str:
    """Draw a PIN of six digits for the desk."""
    return f"{secrets.randbelow(10**6):06d}"


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Settings of the web side.

    Parameters
    ----------
    board_url
        Address at which other devices in the house reach the board; empty when there is none.
    pin
        Digits that open the desk; drawn anew for each start unless given.
    secret_key
        Signs the sessions; drawn anew unless given, and then desks must log in again after a restart.
    allowed_hosts
        Names, besides addresses and this machine's own names, under which the board may be asked for.
    max_streams
        Viewers with an open stream; more than that poll instead.
    clips
        Folder with the clips of the rulings of all games, `game-3/move-17.mp4`; None where there are none.
    data
        Folder of the event log, for the history; None where nothing is kept.
    """

    board_url: str = ""
    pin: str = field(default_factory=new_pin)
    secret_key: str = field(default_factory=lambda: secrets.token_hex(32))
    allowed_hosts: frozenset[str] = frozenset()
    max_streams: int = 64
    clips: Path | None = None
    data: Path | None = None
