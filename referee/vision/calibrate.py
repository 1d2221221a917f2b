"""Proposes a layout from what the camera sees at the start of a round: the table plane, the seats, their piles.

Each player's Post Piles and Blitz Pile lie in a row before anybody has played; rows are found by how their cards
lie, and their order by where they are. Nothing is decided that a person can't change in the file.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..game.cards import CLASSIC_BACKS, EXPANSION_BACKS
from ..layout import Matrix, Point, Pose, SeatLayout, TableLayout
from .frames import Image, Quad
from .geometry import Points, iou_matrix, order_quad, picture_from_mm
from .photo import PhotoReader
from .plane import CalibrationError, Plane, fit_plane

Floats = npt.NDArray[np.float64]

LEAST_PX_PER_MM = 1.3
"""Below this a numeral of 10 mm has fewer than 13 px and can't be told from another."""

_DEPTH_MM = 170.0
"""A seat's area reaches from the players' edge to a hand's breadth beyond the row."""

_STEP_MM = 70.0


@dataclass(frozen=True, slots=True, eq=False)
class TableCard:
    """A card on the table plane: its middle and the direction of its long side, 0..180 degrees, and its kind."""

    center_mm: Floats
    angle_deg: float
    kind: str


@dataclass(frozen=True, slots=True, eq=False)
class _Row:
    """Cards of one player, from the player's left to right; `forward` points away from the player."""

    cards: tuple[TableCard, ...]
    forward: Floats

    @property
    def center_mm(self) -> Floats:
        return np.asarray(np.mean([card.center_mm for card in self.cards], axis=0))


def collect_quads(images: Sequence[Image], reader: PhotoReader) -> list[tuple[Quad, str]]:
    """Find the cards that lie still through several pictures: (quad px, kind), each the median of what was seen.

    Raises
    ------
    CalibrationError
        If there is no picture.
    """
    if not images:
        raise CalibrationError("there is no picture to look at: choose another source")
    heaps: list[tuple[list[Quad], list[str]]] = []
    for image in images:
        found = reader.find(image)
        if not found:
            continue
        quads = np.array([order_quad(quad) for quad, _, _ in found])
        known = np.array([heap[0][0] for heap in heaps]).reshape(-1, 4, 2)
        overlap = iou_matrix(quads, known)
        for n, quad in enumerate(quads):
            best = int(overlap[n].argmax()) if len(known) else -1
            if best >= 0 and overlap[n, best] > 0.6:
                heaps[best][0].append(quad)
                heaps[best][1].append(found[n][1])
            else:
                heaps.append(([quad], [found[n][1]]))
    least = max(1, math.ceil(len(images) / 3))
    return [
        (np.median(quads, axis=0).astype(np.float32), max(set(kinds), key=kinds.count))
        for quads, kinds in heaps
        if len(quads) >= least
    ]


def place_cards(plane: Plane, quads: Sequence[tuple[Quad, str]], card_mm: tuple[float, float]) -> list[TableCard]:
    """Put the quads on the plane; those that are no card of this size there are left out."""
    cards = []
    for quad, kind in quads:
        on_table = plane.to_mm(quad)
        edges = np.linalg.norm(np.roll(on_table, -1, axis=0) - on_table, axis=1)
        short, long = (edges[0] + edges[2]) / 2, (edges[1] + edges[3]) / 2
        if abs(short / card_mm[0] - 1) < 0.15 and abs(long / card_mm[1] - 1) < 0.15:
            down = on_table[2] + on_table[3] - on_table[0] - on_table[1]
            angle = float(np.degrees(np.arctan2(-down[0], down[1])) % 180.0)
            cards.append(TableCard(on_table.mean(axis=0), angle, kind))
    return cards


def _axis(angle_deg: float) -> Floats:
    """Give the direction of a card's long side."""
    turn = np.radians(angle_deg)
    return np.array([np.sin(turn), -np.cos(turn)])


def _neighbours(first: TableCard, second: TableCard, card_mm: tuple[float, float]) -> bool:
    """Say whether two cards lie side by side in one row."""
    turned = abs((first.angle_deg - second.angle_deg + 90) % 180 - 90)
    between = second.center_mm - first.center_mm
    along = float(between @ _axis(first.angle_deg))
    across = math.sqrt(max(0.0, float(between @ between) - along**2))
    return turned < 14 and abs(along) < 0.3 * card_mm[1] and 0.8 * card_mm[0] < across < 2.1 * card_mm[0]


def find_rows(cards: Sequence[TableCard], card_mm: tuple[float, float], least: int = 4) -> list[_Row]:
    """Find rows of at least `least` face-up cards that lie side by side, the longest first."""
    faces = [card for card in cards if card.kind == "face"]
    group = list(range(len(faces)))
    for i, first in enumerate(faces):
        for j in range(i):
            if group[i] != group[j] and _neighbours(first, faces[j], card_mm):
                old, new = group[i], group[j]
                group = [new if g == old else g for g in group]
    middle = np.mean([card.center_mm for card in cards], axis=0) if cards else np.zeros(2)
    rows = []
    for number in set(group):
        members = [card for card, g in zip(faces, group, strict=True) if g == number]
        if len(members) < least:
            continue
        axis = _mean_axis(members)
        center = np.mean([card.center_mm for card in members], axis=0)
        forward = axis if float(axis @ (middle - center)) > 0 else -axis
        right = np.array([-forward[1], forward[0]])
        ordered = sorted(members, key=lambda card: float(card.center_mm @ right))
        rows.append(_Row(tuple(ordered), forward))
    return sorted(rows, key=lambda row: -len(row.cards))


def _mean_axis(cards: Sequence[TableCard]) -> Floats:
    """Give the mean direction of long sides, which have no sign: doubled angles do."""
    double = np.radians([2 * card.angle_deg for card in cards])
    return _axis(float(np.degrees(np.arctan2(np.sin(double).mean(), np.cos(double).mean())) / 2))


def _seat(row: _Row, posts: int, number: int, origin: Floats, away_mm: float) -> SeatLayout:
    """Lay out one seat: its last cards from the right are the Blitz Pile and the Post Piles, then the Wood Pile."""
    forward = row.forward
    right = np.array([-forward[1], forward[0]])
    turn = float(np.degrees(np.arctan2(forward[0], -forward[1])))

    def pose(card: TableCard) -> Pose:
        lean = (card.angle_deg - turn + 90) % 180 - 90
        x, y = card.center_mm - origin
        return Pose(round(float(x), 1), round(float(y), 1), round(turn + lean, 1))

    chosen = row.cards[-(posts + 1) :]
    steps = [float((b.center_mm - a.center_mm) @ right) for a, b in zip(chosen, chosen[1:], strict=False)]
    step = float(np.median(steps)) if steps else _STEP_MM
    if len(row.cards) > posts + 1:
        wood = pose(row.cards[-(posts + 2)])
    else:
        x, y = chosen[0].center_mm - right * step - origin
        wood = Pose(round(float(x), 1), round(float(y), 1), round(turn, 1))
    center = np.mean([card.center_mm for card in chosen], axis=0) - origin
    half = step * (posts + 2) / 2 + 40
    middle = center - right * step / 2
    near, far = middle - forward * away_mm, middle + forward * (_DEPTH_MM - 100)
    corners = (near - right * half, far - right * half, far + right * half, near + right * half)
    area = tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)
    decks = [back.deck for back in CLASSIC_BACKS + EXPANSION_BACKS]
    return SeatLayout(
        f"Seat {number}", decks[number - 1], area, tuple(pose(card) for card in chosen[:-1]), pose(chosen[-1]), wood
    )


def _hull(points: Floats) -> list[Point]:
    """Give the convex hull, clockwise as seen (Andrew 1979)."""
    ordered = sorted((float(x), float(y)) for x, y in points)

    def half(sequence: Sequence[Point]) -> list[Point]:
        line: list[Point] = []
        for p in sequence:
            while len(line) >= 2:
                (ax, ay), (bx, by) = line[-2:]
                if (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > 0:
                    break
                line.pop()
            line.append(p)
        return line

    return half(ordered)[:-1] + half(ordered[::-1])[:-1]


def propose_layout(
    quads: Sequence[tuple[Quad, str]],
    image_size_px: tuple[int, int],
    seats: int,
    card_mm: tuple[float, float] = (57.0, 89.0),
) -> tuple[TableLayout, Plane]:
    """Lay out the table from the cards seen before the first play.

    Raises
    ------
    CalibrationError
        If the cards give no plane, or there are fewer rows of Post Piles and Blitz Pile than seats.
    """
    plane = fit_plane([quad for quad, _ in quads], image_size_px, card_mm)
    cards = place_cards(plane, quads, card_mm)
    posts = 5 if seats == 2 else 3
    rows = find_rows(cards, card_mm, posts + 1)[:seats]
    if len(rows) < seats:
        raise CalibrationError(
            f"{len(rows)} rows of {posts} Post Piles and a Blitz Pile in view, {seats} are wanted: lay them in a row "
            "before every player, keep hands away, and try again (or give another moment with --at)"
        )
    centers = np.array([row.center_mm for row in rows])
    origin = (centers.min(axis=0) + centers.max(axis=0)) / 2
    # Seat 1 is the lowest; counter-clockwise as seen from above goes on to the right.
    around = np.arctan2(centers[:, 0] - origin[0], centers[:, 1] - origin[1])
    first = int(centers[:, 1].argmax())
    order = np.argsort((around - around[first] + 1e-6) % (2 * np.pi))
    layouts = tuple(_seat(rows[i], posts, n, origin, 100.0) for n, i in enumerate(order, 1))
    inner = np.array([corner for seat in layouts for corner in seat.area_mm[1:3]])
    shift = np.array([[1.0, 0, -origin[0]], [0, 1.0, -origin[1]], [0, 0, 1.0]])
    px_from_mm = np.linalg.inv(shift @ plane.mm_from_px)
    lens, camera = None, None
    if plane.k1:
        lens, camera = (round(plane.k1, 6), 0.0, 0.0, 0.0), _rows(plane.camera_matrix)
    layout = TableLayout(
        card_mm=card_mm,
        image_size_px=image_size_px,
        px_from_mm=_rows(px_from_mm / px_from_mm[2, 2]),
        dutch_mm=tuple((round(x, 1), round(y, 1)) for x, y in _middle(inner, layouts)),
        seats=layouts,
        lens=lens,
        camera_matrix=camera,
    )
    return layout, plane


def _middle(inner: Floats, seats: Sequence[SeatLayout]) -> list[Point]:
    """Give the area for Dutch Piles: the hull of the seats' inner edges; with two seats a band between them."""
    hull = _hull(inner)
    if len(hull) >= 3:
        return hull
    raise CalibrationError(f"{len(seats)} seats on one line: move the camera or the rows")


def _rows(matrix: Points) -> Matrix:
    first, second, third = ((float(a), float(b), float(c)) for a, b, c in matrix)
    return (first, second, third)


def px_per_mm(layout: TableLayout) -> dict[str, float]:
    """Give the picture's scale at each seat's Blitz Pile and in the middle: numerals need 1.3 px/mm."""
    spots = {"middle": (0.0, 0.0)}
    spots |= {f"seat {n}": (seat.blitz_mm.x_mm, seat.blitz_mm.y_mm) for n, seat in enumerate(layout.seats, 1)}
    scales = {}
    for name, (x, y) in spots.items():
        corners = np.array([[x, y], [x + 1, y], [x, y + 1]])
        at = picture_from_mm(layout, corners)
        area = abs(float(np.linalg.det(np.stack([at[1] - at[0], at[2] - at[0]]))))
        scales[name] = math.sqrt(area)
    return scales
