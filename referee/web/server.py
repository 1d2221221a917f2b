"""The web server: waitress in a thread of its own, set up so that many viewers with open streams don't stall it."""

from __future__ import annotations

import errno
import logging
import socket
import threading
from collections.abc import Callable

import waitress
from flask import Flask

from .address import board_url

# Each open stream keeps a thread. With 4 threads and 4 streams every other request waits, so there are
# far more threads than streams are allowed (`WebSettings.max_streams`); idle threads cost little.
_SPARE_THREADS = 32
# Without poll(), select() kills the process at the 1,024th socket.
_CONNECTION_LIMIT = 900


class ServeError(OSError):
    """The board can't be served; the message says what to do."""


class PortInUse(ServeError):
    """Another program listens on the port."""


class BoardServer:
    """A running server; `close` stops it."""

    def __init__(self, server: waitress.server.BaseWSGIServer, host: str, port: int, stopping: threading.Event) -> None:
        self._server = server
        self._stopping = stopping
        self.host = host
        self.port = port
        self._thread = threading.Thread(target=server.run, name="web", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Give the address that other devices should open."""
        return board_url(self.host, self.port)

    def close(self) -> None:
        """End all streams, stop listening and wait for the threads; safe to call twice."""
        if self._stopping.is_set():
            return
        self._stopping.set()
        dispatcher = self._server.task_dispatcher
        dispatcher.shutdown(cancel_pending=True, timeout=3)
        if dispatcher.threads:
            # Some still write to clients that don't read.
            self._on_own_thread(self._close_channels)
            dispatcher.shutdown(cancel_pending=True, timeout=5)
        self._on_own_thread(self._close_sockets)
        self._thread.join(timeout=5)

    def _on_own_thread(self, act: Callable[[], None]) -> None:
        """Do something on the server's thread, to which its sockets belong."""
        woken = threading.Event()

        def when_woken() -> None:
            # Another wake-up may bring this about before ours is written: the pipe must outlive the write.
            woken.wait(5)
            act()

        self._server.trigger.pull_trigger(when_woken)
        woken.set()

    def _close_channels(self) -> None:
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()

    def _close_sockets(self) -> None:
        self._close_channels()
        # A thread that is late must not write into a pipe that is gone, or into what has its number by then.
        self._server.pull_trigger = lambda: None
        self._server.close()


def _listen(host: str, port: int) -> socket.socket:
    """Take the port; the message of what can go wrong says what to do."""
    if not 0 <= port <= 65535:
        raise ServeError(errno.EINVAL, f"can't listen on {host}:{port}: choose a port from 1 to 65535")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ServeError(errno.EINVAL, f"can't listen on {host}:{port}: {reason}; choose --host 0.0.0.0") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(256)
    except OSError as error:
        listener.close()
        raise _explain(error, host, port) from error
    return listener


def _explain(error: OSError, host: str, port: int) -> ServeError:
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else 8000
        words = f"port {port} is in use: choose another with --port {other}, or stop the other program"
        return PortInUse(error.errno, words)
    if error.errno == errno.EACCES:
        return ServeError(error.errno, f"port {port} is not open to ordinary users: choose --port 8000")
    return ServeError(error.errno, f"can't listen on {host}:{port}: {error.strerror}; choose --host 0.0.0.0")


def serve(app: Flask, host: str = "0.0.0.0", port: int = 8000) -> BoardServer:
    """Serve the app in the background.

    Parameters
    ----------
    app
        What `create_app` gave.
    host
        Interface to listen on; `0.0.0.0` for all, `127.0.0.1` for this machine only.
    port
        Port to listen on; 0 lets the system choose, see `BoardServer.port`.

    Raises
    ------
    PortInUse
        If another program listens there.
    ServeError
        If the port is not ours to use or the address isn't this machine's.
    """
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    listener = _listen(host, port)
    server = waitress.create_server(
        app,
        sockets=[listener],
        threads=app.config["WEB_SETTINGS"].max_streams + _SPARE_THREADS,
        connection_limit=_CONNECTION_LIMIT,
        asyncore_use_poll=True,
        backlog=256,
        channel_timeout=60,
        cleanup_interval=10,
        outbuf_high_watermark=1 << 20,
        max_request_body_size=1 << 20,
        max_request_header_size=1 << 15,
        ident=None,
        expose_tracebacks=False,
    )
    return BoardServer(server, host, listener.getsockname()[1], app.config["WEB_STOPPING"])
