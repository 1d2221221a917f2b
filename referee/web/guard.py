"""What keeps a home network's mischief out: hosts that may ask, headers, and what a change must bring along.

Reading is open to everybody on the network; changing needs a session opened with the PIN, its token, and
a page of our own as the origin.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket

from flask import Flask, Response, abort, request, session
from werkzeug.exceptions import HTTPException

from .settings import WebSettings

# No inline scripts or styles, nothing from elsewhere: text that slips through as markup still can't act.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; media-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def host_name(host: str) -> str:
    """Take the name out of a Host header: no port, no brackets, no final dot, lower case."""
    name = host.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.partition(":")[0].rstrip(".")


def own_names() -> frozenset[str]:
    """Give the names that this machine goes by on a home network."""
    name = socket.gethostname().lower().rstrip(".")
    short = name.partition(".")[0]
    return frozenset({"localhost", name, short, f"{short}.local", f"{short}.lan", f"{short}.home"} - {""})


def is_host_allowed(host: str, names: frozenset[str]) -> bool:
    """Tell whether a request with this Host header is meant for us.

    A foreign page that rebinds its own name to our address sends that name; an address can't be rebound.
    """
    name = host_name(host)
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in names
    return True


def is_own_origin() -> bool:
    """Tell whether the request was sent by a page of ours; a request that doesn't say so was not."""
    return request.headers.get("Origin") == f"{request.scheme}://{request.host}"


def desk_is_open() -> bool:
    """Tell whether this browser has entered the PIN."""
    return session.get("desk") is True


def open_desk() -> None:
    """Remember that this browser has entered the PIN, in a session that is new."""
    session.clear()
    session["desk"] = True
    session["token"] = secrets.token_urlsafe(24)


def close_desk() -> None:
    """Forget it."""
    session.clear()


def form_token() -> str:
    """Give the token that each form must bring along; drawn anew for each session."""
    if "token" not in session:
        session["token"] = secrets.token_urlsafe(24)
    token: str = session["token"]
    return token


def check_form() -> None:
    """Refuse a form that was not sent by a page of ours, made for this very session."""
    if not is_own_origin():
        abort(403, "This was not sent by the board's own page: open the desk and try again.")
    sent = request.form.get("token", "")
    if not hmac.compare_digest(sent.encode("utf-8", "replace"), session.get("token", "").encode()) or not sent:
        abort(403, "This page is out of date: open the desk again.")


def check_change() -> None:
    """Refuse whatever would change the game without the PIN, a page of ours and its token."""
    if not desk_is_open():
        abort(403, "The desk is closed: enter the PIN first.")
    check_form()


def install(app: Flask, settings: WebSettings) -> None:
    """Check the host of every request, put the headers on every response, answer errors in plain text."""
    names = own_names() | {name.lower() for name in settings.allowed_hosts}

    @app.before_request
    def check_host() -> None:
        if not is_host_allowed(request.headers.get("Host", ""), names):
            abort(421, "This board does not answer to that name: open it by its address.")

    @app.after_request
    def add_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        return response

    @app.errorhandler(HTTPException)
    def say_error(error: HTTPException) -> Response | HTTPException:
        if error.response is not None:
            return error
        text = f"{error.code} {error.name}\n{error.description or ''}\n"
        response = Response(text, status=error.code, mimetype="text/plain")
        for name, value in error.get_headers():
            if name.lower() not in ("content-type", "content-length"):
                response.headers[name] = value
        return response
