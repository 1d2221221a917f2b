from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import pytest

from referee.web import BoardServer, LiveGame, PortInUse, ServeError, WebSettings, create_app, serve


@contextmanager
def running(game: LiveGame, port: int = 0, **settings: object) -> Iterator[BoardServer]:
    server = serve(create_app(game, WebSettings(**settings)), "127.0.0.1", port)  # type: ignore[arg-type]
    try:
        yield server
    finally:
        server.close()


class Stream:
    """One viewer: a real connection that reads messages one by one."""

    opened: ClassVar[list[Stream]] = []

    def __init__(self, port: int, last_id: str = "") -> None:
        Stream.opened.append(self)
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        self._connection.request("GET", "/events", headers={"Last-Event-ID": last_id} if last_id else {})
        self.response = self._connection.getresponse()

    def read(self, kind: str) -> dict[str, object]:
        """Give the data of the next message of this kind."""
        event = ""
        while True:
            line = self.response.readline().decode().rstrip("\n")
            if line.startswith("event: "):
                event = line.removeprefix("event: ")
            elif line.startswith("data: ") and event == kind:
                data: dict[str, object] = json.loads(line.removeprefix("data: "))
                return data

    def close(self) -> None:
        self.response.close()
        self._connection.close()


@pytest.fixture(autouse=True)
def close_streams() -> Iterator[None]:
    yield
    while Stream.opened:
        Stream.opened.pop().close()


def get(port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, body


def wait_for(condition: object, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.1)


def test_port_in_use_is_an_error_of_its_own(game) -> None:
    with running(game) as server, pytest.raises(PortInUse, match="choose another with --port"):
        serve(create_app(game), "127.0.0.1", server.port)


@pytest.mark.parametrize(("host", "port"), [("192.0.2.77", 8000), ("127.0.0.1", 70000), ("not a host", 8000)])
def test_what_cannot_be_served_is_said(game, host: str, port: int) -> None:
    with pytest.raises(ServeError, match="can't listen on"):
        serve(create_app(game), host, port)


def test_an_event_reaches_a_viewer_at_once(game, log) -> None:
    with running(game) as server:
        viewer = Stream(server.port)
        assert viewer.response.getheader("Content-Type") == "text/event-stream; charset=utf-8"
        first = viewer.read("board")
        delays = []
        for card in ("B2", "B3", "B4", "B5", "B6"):
            viewer.read("beat")
            log.play(1, card, "s1.wood", "d2")
            sent = time.monotonic()
            game.append(log.events[-1])
            board = viewer.read("board")
            delays.append(time.monotonic() - sent)
        assert board["id"] != first["id"]
        assert '<b class="n" data-tick>8</b>' in board["html"]
        assert sorted(delays)[2] < 0.3
        viewer.close()


def test_a_viewer_that_comes_back_is_told_everything_first(game, log) -> None:
    with running(game) as server:
        viewer = Stream(server.port)
        known = viewer.read("board")["id"]
        viewer.close()
        log.end_round()
        for event in log.events[-2:]:
            game.append(event)
        assert "Blitz!" in Stream(server.port, str(known)).read("board")["html"]


def test_a_server_started_again_goes_on_for_the_same_viewers(game, log) -> None:
    with running(game) as server:
        port = server.port
        viewer = Stream(port)
        known = viewer.read("board")["id"]
    with pytest.raises((OSError, http.client.HTTPException)):
        get(port, "/state")
    with running(log.game(), port):
        board = Stream(port, str(known)).read("board")
        assert board["id"] != known
        assert "take it back" in board["html"]


def test_fifty_viewers_see_the_same_while_others_are_still_served(game, log) -> None:
    with running(game) as server:
        viewers = [Stream(server.port) for _ in range(50)]
        for viewer in viewers:
            viewer.read("board")
        began = time.monotonic()
        assert get(server.port, "/state")[0] == 200
        assert time.monotonic() - began < 1.0
        seen: list[tuple[float, object]] = []

        def watch(viewer: Stream) -> None:
            board = viewer.read("board")
            seen.append((time.monotonic(), board["id"]))

        threads = [threading.Thread(target=watch, args=(viewer,)) for viewer in viewers]
        for thread in threads:
            thread.start()
        time.sleep(0.2)
        log.play(1, "B2", "s1.wood", "d2")
        sent = time.monotonic()
        game.append(log.events[-1])
        for thread in threads:
            thread.join()
        assert len({name for _, name in seen}) == 1
        delays = sorted(at - sent for at, _ in seen)
        assert delays[47] < 1.0
        for viewer in viewers:
            viewer.close()


def test_places_of_viewers_that_vanish_are_free_again(game) -> None:
    def fill() -> None:
        viewers: list[Stream] = []

        def take() -> bool:
            # A place that was got is held: giving it back would take another beat of the server each time.
            viewer = Stream(server.port)
            if viewer.response.status == 200:
                viewers.append(viewer)
            else:
                viewer.close()
            return len(viewers) == 3

        wait_for(take, 30.0)
        assert get(server.port, "/events")[0] == 503
        assert get(server.port, "/state?after=x")[0] == 200, "those without a stream poll"
        for viewer in viewers:
            viewer.close()

    with running(game, max_streams=3) as server:
        for _ in range(3):
            fill()


def test_nonsense_on_the_wire_does_no_harm(game) -> None:
    with running(game) as server:
        for junk in (
            b"\x00\xff\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: \r\n\r\n",
            b"GET /state?after=%00%ff HTTP/1.0\r\n\r\n",
        ):
            with socket.create_connection(("127.0.0.1", server.port), timeout=5) as raw:
                raw.sendall(junk)
                answer = raw.recv(4096)
            assert b" 500 " not in answer
        assert get(server.port, "/")[0] == 200


def test_closing_ends_open_streams_and_threads(game) -> None:
    before = threading.active_count()
    with running(game) as server:
        viewers = [Stream(server.port) for _ in range(5)]
        for viewer in viewers:
            viewer.read("board")
    wait_for(lambda: threading.active_count() <= before)


def test_closing_survives_wake_ups_from_other_threads(game) -> None:
    """A thread that has answered a request wakes the server, also in the moment in which it is closed."""
    failed: list[OSError] = []
    for _ in range(15):
        server = serve(create_app(game, WebSettings(max_streams=1)), "127.0.0.1", 0)
        trigger = server._server.trigger
        write, over = trigger._physical_pull, threading.Event()

        def late(write=write, over=over, trigger=trigger) -> None:
            # The write of whoever has something to be done comes late: what is to be done is found before it.
            if trigger.thunks and not over.is_set():
                over.set()
                write()
                time.sleep(0.05)
            try:
                write()
            except OSError as error:
                failed.append(error)

        trigger._physical_pull = late
        server.close()
        assert over.is_set()
        assert not server._thread.is_alive()
    assert failed == []


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_five_hundred_viewers_come_and_go_and_leave_nothing_behind(game) -> None:
    with running(game) as server:
        get(server.port, "/")
        wait_for(lambda: threading.active_count() > 90)
        threads, files = threading.active_count(), open_files()
        came = 0
        while came < 500:
            viewers = []
            while len(viewers) < 50:
                viewer = Stream(server.port)
                if viewer.response.status == 200:
                    viewer.read("board")
                    viewers.append(viewer)
                else:
                    viewer.close()
                    time.sleep(0.2)
            came += len(viewers)
            for viewer in viewers:
                viewer.close()
        wait_for(lambda: open_files() <= files, 30.0)
        assert threading.active_count() == threads

        def every_place_is_free() -> bool:
            viewers = [Stream(server.port) for _ in range(64)]
            free = all(viewer.response.status == 200 for viewer in viewers)
            for viewer in viewers:
                viewer.close()
            # Those of the last try are given back within two beats.
            time.sleep(0.0 if free else 2.5)
            return free

        wait_for(every_place_is_free, 40.0)
        assert get(server.port, "/state")[0] == 200
    wait_for(lambda: threading.active_count() < threads)
