"""Where things lie on the table, in millimetres: seats, Post, Blitz and Wood Piles, the Dutch area.

Origin in the middle of the playing area, x to the right and y down as the camera sees it.
A leaf: vision, tracking, synth and web share it; it knows no pixels but the homography's.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from .game.moves import PileId, PileKind

Point = tuple[float, float]
Matrix = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]


class LayoutError(ValueError):
    """A layout file that can't be used; the message says where and what to change."""


class Pose(NamedTuple):
    """A card's place: its centre in mm; `angle_deg` 0 is long side along y, growing clockwise in the picture."""

    x_mm: float
    y_mm: float
    angle_deg: float


@dataclass(frozen=True, slots=True)
class SeatLayout:
    """One player's part of the table; cards fan toward the player."""

    name: str
    deck: str
    area_mm: tuple[Point, ...]
    post_mm: tuple[Pose, ...]
    blitz_mm: Pose
    wood_mm: Pose


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The whole table as one camera sees it.

    Parameters
    ----------
    card_mm
        Width and length of a card.
    image_size_px
        Width and height of the picture that `px_from_mm` speaks of.
    px_from_mm
        Homography from table mm to (undistorted) picture px.
    dutch_mm
        Polygon of the area for Dutch Piles.
    seats
        Counter-clockwise as seen from above, seat 1 nearest to the picture's lower edge.
    lens
        k1, k2, p1, p2 (OpenCV's order) with `camera_matrix`; None for a picture without distortion.
    """

    card_mm: tuple[float, float]
    image_size_px: tuple[int, int]
    px_from_mm: Matrix
    dutch_mm: tuple[Point, ...]
    seats: tuple[SeatLayout, ...]
    lens: tuple[float, float, float, float] | None = None
    camera_matrix: Matrix | None = None

    def poses(self) -> dict[PileId, Pose]:
        """Give the place of every player's pile that has one (all but the hands)."""
        places: dict[PileId, Pose] = {}
        for number, seat in enumerate(self.seats, 1):
            for slot, pose in enumerate(seat.post_mm, 1):
                places[PileId(PileKind.POST, number, slot)] = pose
            places[PileId(PileKind.BLITZ, number)] = seat.blitz_mm
            places[PileId(PileKind.WOOD, number)] = seat.wood_mm
        return places


_TOP_KEYS = {"card_mm", "image_size_px", "px_from_mm", "dutch_mm", "seat", "lens", "camera_matrix"}
_SEAT_KEYS = {"name", "deck", "area_mm", "post_mm", "blitz_mm", "wood_mm"}


def _numbers(value: Any, count: int, where: str) -> tuple[float, ...]:
    if not isinstance(value, list) or len(value) != count:
        raise LayoutError(f"{where}: write {count} numbers in brackets")
    if not all(isinstance(item, int | float) and not isinstance(item, bool) and abs(item) < 1e9 for item in value):
        raise LayoutError(f"{where}: only finite numbers are allowed")
    return tuple(float(item) for item in value)


def _polygon(value: Any, where: str) -> tuple[Point, ...]:
    if not isinstance(value, list) or len(value) < 3:
        raise LayoutError(f"{where}: write at least three points [x, y]")
    return tuple((x, y) for x, y in (_numbers(item, 2, where) for item in value))


def _matrix(value: Any, where: str) -> Matrix:
    if not isinstance(value, list) or len(value) != 3:
        raise LayoutError(f"{where}: write three rows of three numbers")
    first, second, third = (_numbers(row, 3, where) for row in value)
    return (
        (first[0], first[1], first[2]),
        (second[0], second[1], second[2]),
        (third[0], third[1], third[2]),
    )


def _check_keys(record: Any, known: set[str], required: set[str], where: str) -> None:
    if not isinstance(record, dict):
        raise LayoutError(f"{where}: a table of keys is expected")
    for key in record:
        if key not in known:
            raise LayoutError(f"{where}: unknown key '{key}': use {', '.join(sorted(known))}")
    for key in sorted(required - record.keys()):
        raise LayoutError(f"{where}: the key '{key}' is missing")


def _seat(record: Any, number: int) -> SeatLayout:
    where = f"seat {number}"
    _check_keys(record, _SEAT_KEYS, _SEAT_KEYS - {"name", "deck"}, where)
    if not isinstance(record["post_mm"], list) or not record["post_mm"]:
        raise LayoutError(f"{where}: post_mm: write at least one pose [x, y, angle_deg]")
    return SeatLayout(
        name=str(record.get("name", f"Seat {number}")),
        deck=str(record.get("deck", "")),
        area_mm=_polygon(record["area_mm"], f"{where}: area_mm"),
        post_mm=tuple(Pose(*_numbers(item, 3, f"{where}: post_mm")) for item in record["post_mm"]),
        blitz_mm=Pose(*_numbers(record["blitz_mm"], 3, f"{where}: blitz_mm")),
        wood_mm=Pose(*_numbers(record["wood_mm"], 3, f"{where}: wood_mm")),
    )


def parse_layout(text: str) -> TableLayout:
    """Read a layout from TOML.

    Raises
    ------
    LayoutError
        If it is no TOML, a key is unknown or missing, or a value is impossible.
    """
    try:
        record = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LayoutError(f"no valid TOML: {error}") from error
    required = {"card_mm", "image_size_px", "px_from_mm", "dutch_mm", "seat"}
    _check_keys(record, _TOP_KEYS, required, "layout")
    seats = record["seat"]
    if not isinstance(seats, list) or not 2 <= len(seats) <= 8:
        raise LayoutError("layout: write 2 to 8 [[seat]] tables")
    width, length = _numbers(record["card_mm"], 2, "card_mm")
    if not 20 <= width <= length <= 200:
        raise LayoutError("card_mm: width and length in mm, the shorter first, between 20 and 200")
    size = _numbers(record["image_size_px"], 2, "image_size_px")
    if not all(16 <= side <= 20000 and side == int(side) for side in size):
        raise LayoutError("image_size_px: width and height in whole pixels, at least 16")
    lens = record.get("lens")
    if (lens is None) != ("camera_matrix" not in record):
        raise LayoutError("layout: lens and camera_matrix belong together: write both or none")
    k = None if lens is None else _numbers(lens, 4, "lens")
    return TableLayout(
        card_mm=(width, length),
        image_size_px=(int(size[0]), int(size[1])),
        px_from_mm=_matrix(record["px_from_mm"], "px_from_mm"),
        dutch_mm=_polygon(record["dutch_mm"], "dutch_mm"),
        seats=tuple(_seat(item, number) for number, item in enumerate(seats, 1)),
        lens=None if k is None else (k[0], k[1], k[2], k[3]),
        camera_matrix=None if k is None else _matrix(record["camera_matrix"], "camera_matrix"),
    )


def load_layout(path: Path) -> TableLayout:
    """Read a layout file.

    Raises
    ------
    LayoutError
        If the file can't be read or `parse_layout` refuses it; the message begins with the path.
    """
    try:
        return parse_layout(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LayoutError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise LayoutError(f"{path}: not a UTF-8 text file") from error
    except LayoutError as error:
        raise LayoutError(f"{path}: {error}") from error


def _list(values: Sequence[Any]) -> str:
    return "[" + ", ".join(_list(v) if isinstance(v, tuple) else format_number(v) for v in values) + "]"


def format_number(value: float) -> str:
    """Write a number with up to 9 significant digits, so that a homography survives the file."""
    return str(value) if isinstance(value, int) else f"{value:.9g}"


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08X}" for c in escaped) + '"'


def format_layout(layout: TableLayout) -> str:
    """Write a layout as TOML; the inverse of `parse_layout`."""
    lines = [
        f"card_mm = {_list(layout.card_mm)}",
        f"image_size_px = {_list(layout.image_size_px)}",
        f"px_from_mm = {_list(layout.px_from_mm)}",
        f"dutch_mm = {_list(layout.dutch_mm)}",
    ]
    if layout.lens is not None and layout.camera_matrix is not None:
        lines += [f"lens = {_list(layout.lens)}", f"camera_matrix = {_list(layout.camera_matrix)}"]
    for seat in layout.seats:
        lines += [
            "",
            "[[seat]]",
            f"name = {_text(seat.name)}",
            f"deck = {_text(seat.deck)}",
            f"area_mm = {_list(seat.area_mm)}",
            f"post_mm = {_list(seat.post_mm)}",
            f"blitz_mm = {_list(seat.blitz_mm)}",
            f"wood_mm = {_list(seat.wood_mm)}",
        ]
    return "\n".join(lines) + "\n"
