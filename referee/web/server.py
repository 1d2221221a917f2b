"""The web server: waitress in a thread of its own, set up so that many viewers with open streams don't stall it."""

from __future__ import annotations

import errno
import logging
import threading

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
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._server.run()
        except OSError as error:
            # close() takes the sockets away under the loop; anything else must be heard of.
            if error.errno != errno.EBADF or not self._stopping.is_set():
                raise

    @property
    def url(self) -> str:
        """Give the address that other devices should open."""
        return board_url(self.host, self.port)

    def close(self) -> None:
        """End all streams, stop listening and wait for the thread; safe to call twice."""
        self._stopping.set()
        self._server.close()
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=3)
        self._thread.join(timeout=5)


def serve(app: Flask, host: str = "0.0.0.0", port: int = 8000) -> BoardServer:  # noqa: S104
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
    try:
        server = waitress.create_server(
            app,
            host=host,
            port=port,
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
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(
                error.errno, f"port {port} is in use: choose another with --port {port + 1}, or stop the other program"
            ) from error
        if error.errno == errno.EACCES:
            raise ServeError(error.errno, f"port {port} is not open to ordinary users: choose --port 8000") from error
        raise ServeError(
            error.errno, f"can't listen on {host}:{port}: {error.strerror}; choose --host 0.0.0.0"
        ) from error
    except (OverflowError, ValueError) as error:
        raise ServeError(errno.EINVAL, f"can't listen on {host}:{port}: choose a port from 1 to 65535") from error
    return BoardServer(server, host, server.effective_port, app.config["WEB_STOPPING"])
