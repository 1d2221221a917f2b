"""Joining and licence: the address of the board in large, and the source of exactly what runs here."""

from __future__ import annotations

import io
import zipfile
from functools import cache
from pathlib import Path

from flask import Blueprint, Response, abort, render_template

from .address import qr_svg
from .settings import WebSettings

_PACKAGE = Path(__file__).parent.parent
_LEFT_OUT = {"__pycache__"}
_BESIDE = ("pyproject.toml", "README.md", "LICENSE")


@cache
def source_zip() -> bytes:
    """Pack the program as it lies on this machine, as its licence (AGPL) promises to whoever uses it."""
    out = io.BytesIO()
    files = [path for path in sorted(_PACKAGE.rglob("*")) if path.is_file() and not _LEFT_OUT & set(path.parts)]
    files += [path for path in (_PACKAGE.parent / name for name in _BESIDE) if path.is_file()]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            archive.write(path, path.relative_to(_PACKAGE.parent).as_posix())
    return out.getvalue()


def short_url(url: str) -> str:
    """Write an address as people type it."""
    return url.removeprefix("http://").rstrip("/")


def blueprint(settings: WebSettings) -> Blueprint:
    """Build the routes."""
    pages = Blueprint("about", __name__)

    @pages.get("/qr.svg")
    def qr() -> Response:
        if not settings.board_url:
            abort(404, "This board has no address for other devices.")
        response = Response(qr_svg(settings.board_url), mimetype="image/svg+xml")
        response.headers["Cache-Control"] = "max-age=60"
        return response

    @pages.get("/join")
    def join() -> str:
        if not settings.board_url:
            abort(404, "This board has no address for other devices.")
        return render_template("join.html", short_url=short_url(settings.board_url))

    @pages.get("/source")
    def source() -> str:
        return render_template("source.html")

    @pages.get("/source.zip")
    def source_archive() -> Response:
        response = Response(source_zip(), mimetype="application/zip")
        response.headers["Content-Disposition"] = "attachment; filename=referee-source.zip"
        return response

    return pages
