from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.game.event_types import CardMoved, RoundStarted
from referee.game.match import Match
from referee.game.moves import PileId
from referee.layout import load_layout
from referee.table_view import TableView
from referee.vision.frames import Frame, Observation
from referee.web import LiveGame, WebSettings, create_app

LAYOUT = Path(__file__).parents[1] / "datasets" / "samples" / "round-4p" / "layout.toml"
pytestmark = pytest.mark.skipif(not LAYOUT.is_file(), reason="the sample round is not here")


def frame(number: int) -> Frame:
    return Frame(np.full((1080, 1920, 3), 90, np.uint8), number / 30, number)


def test_nothing_is_drawn_until_somebody_looks() -> None:
    game = LiveGame(Match.new())
    now_s = 0.0
    view = TableView(load_layout(LAYOUT), (1920, 1080), game, lambda: now_s)
    view(frame(0), Observation(0.0, ()), ())
    assert game.picture() is None
    view(frame(1), Observation(0.03, ()), ())
    jpeg = game.picture()
    assert jpeg is not None
    assert cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).shape == (540, 960, 3)
    view(frame(2), Observation(0.07, ()), ())
    assert game.picture() is jpeg, "twice a second at most"
    now_s = 0.6
    view(frame(3), Observation(0.1, ()), ())
    assert game.picture() is not jpeg


def test_dutch_piles_are_named_until_the_next_round() -> None:
    game = LiveGame(Match.new())
    start = RoundStarted(time_s=0.0, seen_s=0.0, seats=4)
    play = CardMoved(
        time_s=0.0, seen_s=0.0, seat=1, cards=(None,), source=None, target=PileId.dutch(1), at_mm=(0.0, 0.0)
    )
    pictures = []
    for events in ([start], [start, play], [start, play, start]):
        view = TableView(load_layout(LAYOUT), (1920, 1080), game)
        game.picture()
        view(frame(0), Observation(0.0, ()), events)
        pictures.append(game.picture())
    assert pictures[0] != pictures[1]
    assert pictures[0] == pictures[2]


def test_only_the_desk_sees_the_table() -> None:
    game = LiveGame(Match.new())
    game.show_picture(b"jpeg")
    client = create_app(game, WebSettings(pin="424242")).test_client()
    assert client.get("/desk/table.jpg").status_code == 403
    assert client.get("/desk/table").status_code == 303
    with client.session_transaction() as session:
        session["desk"] = True
    assert client.get("/desk/table.jpg").data == b"jpeg"
    assert "The table" in client.get("/desk/table").text
