"""The table's zones as people move them: each is a line of numbers in a form, drawn and dragged on the page."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ..game.moves import PileId, PileKind
from ..layout import Point, Pose, SeatLayout, TableLayout
from .desk_commands import Form, FormError
from .language import Language
from .words import deck_parts

FARTHEST_MM = 3000.0
MOST_CORNERS = 12
MARGIN_MM = 60.0


@dataclass(frozen=True, slots=True)
class ZoneView:
    """One zone: a pile's place, or an area.

    Parameters
    ----------
    key
        Its name in the form.
    label, short
        Its name in words, and the few letters that fit on it.
    color
        Of its seat's deck; empty where unknown.
    value
        As it stands in the form: `x y angle` of a pile, `x y, x y, ...` of an area.
    pose
        Of a pile; None for an area.
    corners
        Of an area; empty for a pile.
    """

    key: str
    label: str
    short: str
    color: str
    value: str
    pose: Pose | None = None
    corners: tuple[Point, ...] = ()


def write_pose(pose: Pose) -> str:
    """Write a pile's place as it stands in the form."""
    return " ".join(f"{value:.1f}" for value in pose)


def write_area(corners: tuple[Point, ...]) -> str:
    """Write an area as it stands in the form."""
    return ", ".join(f"{x:.1f} {y:.1f}" for x, y in corners)


def _key(pile: PileId) -> str:
    return f"{pile.kind.value}-{pile.seat}-{pile.slot}"


def build_zones(layout: TableLayout, language: Language) -> tuple[ZoneView, ...]:
    """Give all zones of a layout: areas first, so that piles are drawn above them."""
    t = language.t
    zones = [ZoneView("dutch", t("Dutch area"), t("Dutch"), "", write_area(layout.dutch_mm), None, layout.dutch_mm)]
    for number, seat in enumerate(layout.seats, 1):
        color = deck_parts(seat.deck)[0]
        name = t("Seat {number}", number=number)
        label = t("Area of seat {number}", number=number)
        zones.append(ZoneView(f"area-{number}", label, name, color, write_area(seat.area_mm), None, seat.area_mm))
    for pile, pose in layout.poses().items():
        assert pile.seat is not None
        words, short = {
            PileKind.POST: (t("Seat {number}, Post Pile {slot}", number=pile.seat, slot=pile.slot), str(pile.slot)),
            PileKind.BLITZ: (t("Seat {number}, Blitz Pile", number=pile.seat), "B"),
            PileKind.WOOD: (t("Seat {number}, Wood Pile", number=pile.seat), "W"),
        }[pile.kind]
        color = deck_parts(layout.seats[pile.seat - 1].deck)[0]
        zones.append(ZoneView(_key(pile), words, short, color, write_pose(pose), pose))
    return tuple(zones)


def find_bounds(layout: TableLayout) -> tuple[float, float, float, float]:
    """Give left, top, width and height in mm of the part of the table that holds all zones."""
    points = [*layout.dutch_mm]
    for seat in layout.seats:
        points += seat.area_mm
    points += [(pose.x_mm, pose.y_mm) for pose in layout.poses().values()]
    left, top = (min(point[k] for point in points) - MARGIN_MM for k in (0, 1))
    right, bottom = (max(point[k] for point in points) + MARGIN_MM for k in (0, 1))
    return left, top, right - left, bottom - top


def _numbers(text: str, count: int, language: Language) -> tuple[float, ...]:
    try:
        values = tuple(float(part) for part in text.split())
    except ValueError:
        values = ()
    if len(values) != count or not all(math.isfinite(v) and abs(v) <= FARTHEST_MM for v in values):
        raise FormError(language.t("Write {count} numbers, in millimetres and degrees.", count=count))
    return values


def _read_pose(form: Form, key: str, old: Pose, language: Language) -> Pose:
    text = form.get(key, write_pose(old)).strip()
    return old if text == write_pose(old) else Pose(*_numbers(text, 3, language))


def _read_area(form: Form, key: str, old: tuple[Point, ...], language: Language) -> tuple[Point, ...]:
    text = form.get(key, write_area(old)).strip()
    if text == write_area(old):
        return old
    parts = text.split(",")
    if not 3 <= len(parts) <= MOST_CORNERS:
        raise FormError(language.t("An area has {low} to {high} corners.", low=3, high=MOST_CORNERS))
    corners = [_numbers(part, 2, language) for part in parts]
    return tuple((x, y) for x, y in corners)


def read_zones(form: Form, layout: TableLayout, language: Language) -> TableLayout:
    """Give the layout with the zones as a form has them; what the form leaves out or alone stays exactly as it was.

    Raises
    ------
    FormError
        If a zone can't be so, or nothing was moved.
    """
    seats = []
    for number, seat in enumerate(layout.seats, 1):
        posts = tuple(
            _read_pose(form, _key(PileId(PileKind.POST, number, slot)), pose, language)
            for slot, pose in enumerate(seat.post_mm, 1)
        )
        changed: SeatLayout = replace(
            seat,
            area_mm=_read_area(form, f"area-{number}", seat.area_mm, language),
            post_mm=posts,
            blitz_mm=_read_pose(form, _key(PileId(PileKind.BLITZ, number)), seat.blitz_mm, language),
            wood_mm=_read_pose(form, _key(PileId(PileKind.WOOD, number)), seat.wood_mm, language),
        )
        seats.append(changed)
    dutch = _read_area(form, "dutch", layout.dutch_mm, language)
    result = replace(layout, dutch_mm=dutch, seats=tuple(seats))
    if result == layout:
        raise FormError(language.t("Nothing was changed."))
    return result
