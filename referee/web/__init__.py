"""The live scoreboard and the referee's desk, in any browser of the house.

`create_app` builds the pages around a `Game` (`LiveGame` is the one that a referee's thread feeds), `serve` runs
them beside everything else. Nothing here knows the camera or the tracker.
"""

from .address import board_url, qr_terminal
from .app import create_app
from .live import LiveGame
from .ports import (
    Above,
    BlitzCount,
    CameraState,
    Command,
    CountResult,
    CountTaker,
    Game,
    Outcome,
    SeatCount,
    Sight,
    Status,
    TableKeeper,
)
from .server import BoardServer, PortInUse, ServeError, serve
from .settings import WebSettings, new_pin

__all__ = [
    "Above",
    "BlitzCount",
    "BoardServer",
    "CameraState",
    "Command",
    "CountResult",
    "CountTaker",
    "Game",
    "LiveGame",
    "Outcome",
    "PortInUse",
    "SeatCount",
    "ServeError",
    "Sight",
    "Status",
    "TableKeeper",
    "WebSettings",
    "board_url",
    "create_app",
    "new_pin",
    "qr_terminal",
    "serve",
]
