import time

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.evaluation.viewers import ViewersResult, _Viewers, find_delays, weigh_page
from referee.game.event_types import MatchStarted, Player, RoundStarted
from referee.game.match import Match
from referee.web import LiveGame, WebSettings, create_app, serve


def test_delay_is_from_the_saying_to_the_first_picture_that_shows_it():
    stamps = [(2, 10.0), (3, 10.05), (4, 11.0)]
    notes = [[(1, 9.0), (3, 10.1), (4, 11.02)], [(2, 10.01), (4, 11.3)]]
    assert find_delays(stamps, notes) == pytest.approx([100, 50, 20, 10, 1250, 300])


def test_viewer_who_was_never_told_is_an_error():
    with pytest.raises(ValueError, match="event 4"):
        find_delays([(4, 1.0)], [[(3, 1.1)]])


def test_real_viewers_note_every_version():
    game = LiveGame(Match.new())
    now = {"time_s": 0.0, "seen_s": 0.0}
    game.append(MatchStarted(id=1, players=(Player(1, "Ann"), Player(2, "Ben")), **now))
    server = serve(create_app(game, WebSettings()), "127.0.0.1", 0)
    try:
        assert 30 < weigh_page(server.url) < 150, "kilobytes of the board with all it loads"
        viewers = _Viewers(server.port, 3)
        game.append(RoundStarted(id=2, seats=2, **now))
        time.sleep(1.0)
        share, notes = viewers.end()
    finally:
        server.close()
    assert 0 < share < 1
    assert [[version for version, _ in seen] for seen in notes] == [[1, 2]] * 3


def test_figures_have_percentiles_and_the_share_of_the_frame_rate():
    result = ViewersResult(
        "film.mp4", 2, (20.0, 22.0), (19.0, 21.0), 30.0, 31.0, tuple(range(101)), 50, 66.5, 0.1
    ).as_json()
    assert result["event_to_picture_ms"] == {"p50": 50, "p95": 95, "worst": 100}
    assert result["fps_ratio"] == pytest.approx(40 / 42, abs=0.001)


def test_film_that_is_missing_is_said_in_one_line(tmp_path):
    result = CliRunner().invoke(main, ["bench", str(tmp_path / "no.mp4"), "--viewers", "2"])
    assert result.exit_code == 1
    assert "no such film" in result.output
