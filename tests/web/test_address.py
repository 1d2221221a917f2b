import ipaddress
import xml.etree.ElementTree as ET

import pytest

from referee.web.address import board_url, find_address, is_reachable, qr_svg, qr_terminal, url_of


def test_address_of_the_default_route_is_one_that_others_can_use() -> None:
    found = find_address()
    if found is None:
        assert board_url("0.0.0.0", 8000) == "http://localhost:8000/"
        return
    address = ipaddress.ip_address(found)
    assert not address.is_loopback
    assert not address.is_link_local
    assert board_url("0.0.0.0", 8000) == url_of(found, 8000)


def test_chosen_host_is_named_as_it_is() -> None:
    assert board_url("192.168.1.20", 8000) == "http://192.168.1.20:8000/"
    assert board_url("127.0.0.1", 80) == "http://127.0.0.1/"
    assert board_url("fd00::1", 8000) == "http://[fd00::1]:8000/"


@pytest.mark.parametrize(
    ("url", "reachable"),
    [
        ("http://localhost:8000/", False),
        ("http://127.0.0.1:8000/", False),
        ("http://[::1]:8000/", False),
        ("http://192.168.1.20:8000/", True),
    ],
)
def test_loopback_is_of_no_use_to_others(url: str, reachable: bool) -> None:
    assert is_reachable(url) is reachable


def test_qr_code_is_an_svg_document() -> None:
    root = ET.fromstring(qr_svg("http://192.168.1.20:8000/"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.findall(".//{http://www.w3.org/2000/svg}path")
    assert root.get("viewBox"), "without it a browser can't draw it larger"


def test_qr_code_for_the_terminal_is_square_and_quiet_around() -> None:
    lines = qr_terminal("http://192.168.1.20:8000/").splitlines()
    assert len(lines) > 10
