"""Where people sit and pile their cards, and the camera above them: the stage on which bots play.

Everything is in table millimetres as `referee.layout` defines them; it knows no pictures and no time.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ..game.cards import BACKS
from ..layout import Point, Pose, SeatLayout, TableLayout

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hal")
SEAT_DEPTH_MM = 168.0
_SIDES = {2: "SN", 3: "SEW", 4: "SENW", 5: "SSENW", 6: "SSENNW", 7: "SSSENNW", 8: "SSSENNNW"}
_TURN_DEG = {"S": 0.0, "E": -90.0, "N": 180.0, "W": 90.0}
_WIDTH_MM = 1280.0
_LEAST_HEIGHT_MM = 700.0


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera with slight lens distortion.

    Parameters
    ----------
    matrix
        (3, 3) float64, focal lengths and principal point in px.
    lens
        k1, k2, p1, p2.
    rotation, shift_mm
        (3, 3) and (3,) float64: table mm (x right, y down, z up from the table) to camera axes.
    size_px
        Width and height of the picture.
    """

    matrix: npt.NDArray[np.float64]
    lens: tuple[float, float, float, float]
    rotation: npt.NDArray[np.float64]
    shift_mm: npt.NDArray[np.float64]
    size_px: tuple[int, int]

    def project(self, points_mm: npt.ArrayLike, height_mm: npt.ArrayLike = 0.0) -> npt.NDArray[np.float32]:
        """Give the (N, 2) float32 px, lens included, of (N, 2) points at a height, or heights, above the table."""
        flat = np.asarray(points_mm, np.float64).reshape(-1, 2)
        depth = -np.broadcast_to(np.asarray(height_mm, np.float64), len(flat))
        at = np.column_stack([flat, depth]) @ self.rotation.T + self.shift_mm
        x, y = at[:, 0] / at[:, 2], at[:, 1] / at[:, 2]
        k1, k2, p1, p2 = self.lens
        r2 = x * x + y * y
        radial = 1 + k1 * r2 + k2 * r2 * r2
        bent_x = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
        bent_y = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
        m = self.matrix
        return np.column_stack([m[0, 0] * bent_x + m[0, 2], m[1, 1] * bent_y + m[1, 2]]).astype(np.float32)

    def px_from_mm(self) -> npt.NDArray[np.float64]:
        """Give the (3, 3) homography from table mm to undistorted px."""
        plane = self.matrix @ np.column_stack([self.rotation[:, 0], self.rotation[:, 1], self.shift_mm])
        return plane / plane[2, 2]

    def height_mm(self) -> float:
        """Give the camera's height above the table."""
        return float((self.rotation.T @ self.shift_mm)[2])


@dataclass(frozen=True, slots=True)
class Place:
    """One seat: `turn_deg` turns the near player's view of the table, clockwise in the picture."""

    turn_deg: float
    edge_mm: Point
    width_mm: float
    post_mm: tuple[Pose, ...]
    blitz_mm: Pose
    wood_mm: Pose
    hand_mm: Pose
    hand_lies: bool
    fan_mm: float
    grip_mm: float
    """How far behind a card's middle this player's finger tips hold it."""

    def at(self, right_mm: float, forward_mm: float) -> Point:
        """Give the table point so far to the player's right and forward from the middle of their edge."""
        angle = np.radians(self.turn_deg)
        x = right_mm * np.cos(angle) + forward_mm * np.sin(angle)
        y = right_mm * np.sin(angle) - forward_mm * np.cos(angle)
        return float(self.edge_mm[0] + x), float(self.edge_mm[1] + y)

    def pose(self, right_mm: float, forward_mm: float, angle_deg: float = 0.0) -> Pose:
        """Give a pose in the player's own directions."""
        return Pose(*self.at(right_mm, forward_mm), self.turn_deg + angle_deg)


@dataclass(frozen=True, slots=True)
class Seating:
    """The stage: the seats, the middle, the camera."""

    places: tuple[Place, ...]
    names: tuple[str, ...]
    decks: tuple[str, ...]
    area_mm: tuple[float, float]
    dutch_mm: tuple[Point, ...]
    camera: Camera
    card_mm: tuple[float, float] = (57.0, 89.0)

    def layout(self) -> TableLayout:
        """Give the layout file's content."""
        px = self.camera.px_from_mm()
        return TableLayout(
            card_mm=self.card_mm,
            image_size_px=self.camera.size_px,
            px_from_mm=_rows(px),
            dutch_mm=self.dutch_mm,
            seats=tuple(
                SeatLayout(
                    name=name,
                    deck=deck,
                    area_mm=_rectangle(place),
                    post_mm=place.post_mm,
                    blitz_mm=place.blitz_mm,
                    wood_mm=place.wood_mm,
                )
                for name, deck, place in zip(self.names, self.decks, self.places, strict=True)
            ),
            lens=self.camera.lens,
            camera_matrix=_rows(self.camera.matrix),
        )


def _rows(
    matrix: npt.NDArray[np.float64],
) -> tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]:
    first, second, third = ((float(a), float(b), float(c)) for a, b, c in matrix)
    return first, second, third


def _rectangle(place: Place) -> tuple[Point, ...]:
    half = place.width_mm / 2
    return (
        place.at(-half, 0),
        place.at(-half, SEAT_DEPTH_MM),
        place.at(half, SEAT_DEPTH_MM),
        place.at(half, 0),
    )


def _camera(rng: np.random.Generator, area_mm: tuple[float, float], size_px: tuple[int, int]) -> Camera:
    width, height = area_mm
    field = np.radians(rng.uniform(56, 72))
    away = width / 2 / np.tan(field / 2)
    tilt, roll = np.radians(rng.uniform(-1, 7)), np.radians(rng.uniform(-1.5, 1.5))
    yaw = np.radians(rng.uniform(-2, 2))
    rotation = _turn((1, 0, 0), tilt) @ _turn((0, 1, 0), yaw) @ _turn((0, 0, 1), roll)
    eye = np.array([away * np.tan(yaw), away * np.tan(tilt), -away])
    shift = -rotation @ eye
    k1 = float(rng.uniform(-0.09, 0.01))
    lens = (k1, float(rng.uniform(0, 0.02)), 0.0, 0.0)
    unit = Camera(np.eye(3), lens, rotation, shift, size_px)
    half_x, half_y = width / 2, height / 2
    border = np.linspace(-1, 1, 9)
    ring = np.concatenate(
        [
            np.column_stack([border * half_x, np.full(9, -half_y)]),
            np.column_stack([border * half_x, np.full(9, half_y)]),
            np.column_stack([np.full(9, -half_x), border * half_y]),
            np.column_stack([np.full(9, half_x), border * half_y]),
        ]
    )
    seen = unit.project(ring)
    low, high = seen.min(axis=0), seen.max(axis=0)
    margin = rng.uniform(1.005, 1.03)
    focal = min(size_px[0] / (high[0] - low[0]), size_px[1] / (high[1] - low[1])) / margin
    middle = (low + high) / 2 * focal
    cx, cy = size_px[0] / 2 - middle[0], size_px[1] / 2 - middle[1]
    matrix = np.array([[focal, 0, cx], [0, focal, cy], [0, 0, 1]], np.float64)
    return Camera(matrix, lens, rotation, shift, size_px)


def _turn(axis: tuple[float, float, float], angle: float) -> npt.NDArray[np.float64]:
    return np.asarray(cv2.Rodrigues(np.array(axis, np.float64) * angle)[0], np.float64)


def seat_people(rng: np.random.Generator, seats: int, posts: int, size_px: tuple[int, int]) -> Seating:
    """Set the table: who sits where, how they spread their piles, where the camera hangs.

    Raises
    ------
    ValueError
        If there are not 2 to 8 seats.
    """
    if seats not in _SIDES:
        raise ValueError(f"{seats} seats: choose 2 to 8")
    aspect = size_px[0] / size_px[1]
    width = _WIDTH_MM
    height = max(width / aspect, _LEAST_HEIGHT_MM)
    width = max(width, height * aspect)
    sides = _SIDES[seats]
    places = []
    for number, side in enumerate(sides):
        row = [i for i, other in enumerate(sides) if other == side]
        share = (row.index(number) + 0.5) / len(row) - 0.5
        if side in "SN":
            length = width if len(row) > 1 else width - 2 * SEAT_DEPTH_MM
            along = share * length * (1 if side == "S" else -1)
            edge = (along, height / 2 if side == "S" else -height / 2)
        else:
            length = height - 2 * SEAT_DEPTH_MM if len(sides) > 4 else height
            edge = (width / 2 if side == "E" else -width / 2, 0.0)
        places.append(_place(rng, _TURN_DEG[side], edge, length / len(row), posts))
    side_inset = SEAT_DEPTH_MM + 6 if "E" in sides else 45.0
    west_inset = SEAT_DEPTH_MM + 6 if "W" in sides else 45.0
    far_inset = SEAT_DEPTH_MM + 6 if "N" in sides else 45.0
    left, right = -width / 2 + west_inset, width / 2 - side_inset
    top, bottom = -height / 2 + far_inset, height / 2 - SEAT_DEPTH_MM - 6
    decks = tuple(back.deck for back in BACKS[:seats])
    return Seating(
        places=tuple(places),
        names=NAMES[:seats],
        decks=decks,
        area_mm=(width, height),
        dutch_mm=((left, top), (right, top), (right, bottom), (left, bottom)),
        camera=_camera(rng, (width, height), size_px),
    )


def _place(rng: np.random.Generator, turn_deg: float, edge: Point, width_mm: float, posts: int) -> Place:
    columns = posts + 2
    lies = bool(width_mm > (columns + 1) * 68 and rng.random() < 0.5)
    step = min(float(rng.uniform(66, 76)), (width_mm - 8) / (columns + lies))
    forward = float(rng.uniform(96, 104))
    bare = Place(turn_deg, edge, width_mm, (), Pose(0, 0, 0), Pose(0, 0, 0), Pose(0, 0, 0), lies, 0.0, 0.0)

    def spot(column: float, back_mm: float = 0.0) -> Pose:
        right = (column - (columns - 1) / 2 + lies / 2) * step
        return bare.pose(right + rng.normal(0, 1.5), forward - back_mm + rng.normal(0, 2), float(rng.normal(0, 2.0)))

    return Place(
        turn_deg=turn_deg,
        edge_mm=edge,
        width_mm=width_mm,
        post_mm=tuple(spot(1 + slot) for slot in range(posts)),
        blitz_mm=spot(posts + 1),
        wood_mm=spot(0),
        hand_mm=spot(-1, 10) if lies else spot(-0.35, forward - 18),
        hand_lies=lies,
        fan_mm=float(rng.choice([3.0, 14.0, 18.0])),
        grip_mm=float(rng.uniform(8, 32)),
    )
