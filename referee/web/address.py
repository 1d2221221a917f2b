"""The address at which other devices reach the board, and its QR code for the page and the terminal."""

from __future__ import annotations

import io
import ipaddress
import socket

import segno

# Reserved for documentation: asking for the way there sends nothing, it only makes the system choose an interface.
_ELSEWHERE = (("192.0.2.1", socket.AF_INET), ("2001:db8::1", socket.AF_INET6))


def find_address() -> str | None:
    """Give this machine's address on its default route; None when it is connected to nothing."""
    for target, family in _ELSEWHERE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((target, 9))
                found = ipaddress.ip_address(probe.getsockname()[0].partition("%")[0])
        except OSError:
            continue
        if not (found.is_loopback or found.is_link_local or found.is_unspecified):
            return str(found)
    return None


def url_of(host: str, port: int) -> str:
    """Write the address of a page; IPv6 in brackets, port 80 left out."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}/" if port == 80 else f"http://{name}:{port}/"


def board_url(host: str, port: int) -> str:
    """Give the address that other devices should open.

    Parameters
    ----------
    host
        What the server listens on. `0.0.0.0` and `::` mean every interface: then the one of the default route is
        named, which is the house's network, not a container's bridge.
    port
        The port it listens on.
    """
    everywhere = host in ("", "0.0.0.0", "::", "*")  # noqa: S104
    return url_of((find_address() or "localhost") if everywhere else host, port)


def is_reachable(url: str) -> bool:
    """Tell whether other devices can reach this address at all."""
    return not url.startswith(("http://localhost", "http://127.", "http://[::1]"))


def qr_svg(text: str) -> str:
    """Draw a QR code as an SVG document, black on white with its quiet zone."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", xmldecl=False, border=3, light="#fff", omitsize=True)
    return out.getvalue().decode("utf-8")


def qr_terminal(text: str) -> str:
    """Draw a QR code with half blocks and terminal colours, two modules high for each line."""
    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue()
