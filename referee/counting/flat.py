"""The heap seen from straight above in millimetres: every card is then one rectangle of one size.

The plane comes from the cards themselves (`vision.plane`); with too few of them the picture is taken as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ..layout import Pose
from ..vision.detector import refine_quad
from ..vision.frames import Image, Quad
from ..vision.geometry import card_quad, distort_points, project, quad_angle_deg, quad_size
from ..vision.plane import CalibrationError, Plane, fit_plane

Floats = npt.NDArray[np.float32]

CARD_SIZES_MM = ((57.0, 89.0), (63.5, 88.9))
"""Dutch Blitz, and ordinary poker cards."""

_MOST_PX_PER_MM = 2.0
_MOST_SIDE_PX = 3200
_WHOLE_MM = 3.0
"""An edge that differs by more belongs to a card that is partly covered, or isn't seen well."""
_TRIES = 24


@dataclass(frozen=True, slots=True, eq=False)
class FlatView:
    """A picture made flat.

    Parameters
    ----------
    image
        BGR uint8 (H, W, 3) at `px_per_mm`; black where the camera saw nothing.
    seen
        uint8 (H, W): 255 where the camera saw something.
    px_per_mm
        Its scale.
    left_mm, top_mm
        Where its first pixel lies.
    card_mm
        Width and length of the cards.
    error_mm
        How well the cards agree on the plane; 0 when it wasn't fitted.
    """

    image: Image
    seen: npt.NDArray[np.uint8]
    px_per_mm: float
    left_mm: float
    top_mm: float
    card_mm: tuple[float, float]
    error_mm: float
    _plane: Plane | None
    _scale: float

    def to_mm(self, points_px: npt.ArrayLike) -> Floats:
        """Map px of the picture to mm."""
        points = np.asarray(points_px, np.float64)
        if self._plane is None:
            return (points / self._scale).astype(np.float32)
        return self._plane.to_mm(points).astype(np.float32)

    def to_picture(self, points_mm: npt.ArrayLike) -> Floats:
        """Map mm to px of the picture."""
        return _to_picture(self._plane, self._scale, np.asarray(points_mm, np.float64)).astype(np.float32)

    def to_flat(self, points_mm: npt.ArrayLike) -> Floats:
        """Map mm to px of the flat view."""
        origin = np.array([self.left_mm, self.top_mm])
        return ((np.asarray(points_mm, np.float64) - origin) * self.px_per_mm).astype(np.float32)

    def pose(self, quad_px: Quad) -> Pose:
        """Give the pose in mm of a card found in the picture."""
        quad = self.to_mm(quad_px)
        x, y = quad.mean(axis=0)
        return Pose(float(x), float(y), quad_angle_deg(quad))

    def quad_px(self, pose: Pose) -> Quad:
        """Give the corners in the picture of a card that lies at a pose."""
        quad: Quad = self.to_picture(card_quad(pose, self.card_mm))
        return quad


def _to_picture(plane: Plane | None, scale: float, points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    if plane is None:
        return points * scale
    flat = project(np.asarray(np.linalg.inv(plane.mm_from_px)), points)
    if not plane.k1:
        return flat
    return distort_points(flat.reshape(-1, 2), plane.camera_matrix, (plane.k1, 0.0, 0.0, 0.0)).reshape(flat.shape)


def _agree(
    quads: npt.NDArray[np.float64], plane: Plane, card_mm: tuple[float, float], within_mm: float
) -> npt.NDArray[np.bool_]:
    """Say which quads are cards of this size in a plane."""
    corners = plane.to_mm(quads.reshape(-1, 2)).reshape(-1, 4, 2)
    edges = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    wanted = np.array([card_mm[0], card_mm[1], card_mm[0], card_mm[1]])
    return np.asarray((np.abs(edges - wanted) < within_mm).all(axis=1))


def _search_plane(
    quads: Sequence[Quad], size_px: tuple[int, int], card_mm: tuple[float, float], within_mm: float = _WHOLE_MM
) -> Plane | None:
    """Find the plane on which most quads are whole cards; boxes of half-covered cards are too small (RANSAC)."""
    table = np.asarray(quads, np.float64)
    rng = np.random.default_rng(len(quads))
    best: Plane | None = None
    most = np.zeros(len(quads), bool)
    chosen = [np.arange(len(quads))] + [
        rng.choice(len(quads), min(4, len(quads)), replace=False) for _ in range(_TRIES)
    ]
    for pick in chosen:
        try:
            plane = fit_plane([quads[i] for i in pick], size_px, card_mm)
            agree = _agree(table, plane, card_mm, within_mm)
            if agree.sum() > max(3, most.sum()):
                plane = fit_plane([quads[i] for i in np.flatnonzero(agree)], size_px, card_mm)
                agree = _agree(table, plane, card_mm, within_mm)
        except (CalibrationError, np.linalg.LinAlgError):
            continue
        if agree.sum() > most.sum():
            best, most = plane, agree
    return best if most.sum() >= 3 else None


def _find_plane(quads: Sequence[Quad], size_px: tuple[int, int]) -> tuple[Plane | None, tuple[float, float]]:
    """Fit the plane for each known card size; the size whose cards agree better is theirs."""
    found: list[tuple[float, Plane, tuple[float, float]]] = []
    for card_mm in CARD_SIZES_MM:
        plane = _search_plane(quads, size_px, card_mm) if len(quads) >= 3 else None
        if plane is not None:
            # Cards that all lie one way fit either size: then the game's own is taken.
            found.append((plane.cards - 2 * plane.error_mm + (2 if card_mm == CARD_SIZES_MM[0] else 0), plane, card_mm))
    if found:
        _, plane, card_mm = max(found, key=lambda item: item[0])
        return plane, card_mm
    ratios = [quad_size(quad)[1] / max(quad_size(quad)[0], 1e-6) for quad in quads]
    ratio = float(np.median(ratios)) if ratios else 1.56
    return None, min(CARD_SIZES_MM, key=lambda size: abs(size[1] / size[0] - ratio))


def _sharpen(image: Image, quads: Sequence[Quad], plane: Plane, card_mm: tuple[float, float]) -> Plane:
    """Fit again by the edges of the whole cards as they are seen, where that agrees better."""
    agree = _agree(np.asarray(quads, np.float64), plane, card_mm, 1.5 * _WHOLE_MM)
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    refined = [refine_card(gray, quads[i]) for i in np.flatnonzero(agree)]
    better = _search_plane(refined, (image.shape[1], image.shape[0]), card_mm, _WHOLE_MM / 2)
    return plane if better is None or better.cards < 4 or better.error_mm > plane.error_mm else better


def refine_card(gray: npt.NDArray[np.uint8], quad: Quad) -> Quad:
    """Refine a quad in the part of the picture where it lies: blurring all of it for each card takes too long."""
    reach = quad_size(quad)[0] / 4
    low = np.maximum(np.floor(quad.min(axis=0) - reach).astype(int), 0)
    high = np.ceil(quad.max(axis=0) + reach).astype(int) + 1
    part = gray[low[1] : high[1], low[0] : high[0]]
    shift = low.astype(np.float32)
    return refine_quad(part, quad - shift) + shift if min(part.shape) > 8 else quad


def flatten(
    image: Image, quads: Sequence[Quad], around: Sequence[Quad] = (), whole: tuple[float, float] | None = None
) -> FlatView:
    """Make a picture flat by the cards found in it.

    Parameters
    ----------
    quads
        Cards that are surely there, px; at least one.
    around
        Further places that the view must show, px.
    whole
        Size of the cards in mm when every quad is known to be a whole card; else both are found out.
    """
    size_px = (image.shape[1], image.shape[0])
    if whole is not None:
        plane, card_mm = fit_plane(quads, size_px, whole), whole
    else:
        plane, card_mm = _find_plane(quads, size_px)
        plane = None if plane is None else _sharpen(image, quads, plane, card_mm)
    scale = float(np.median([quad_size(quad)[0] for quad in quads])) / card_mm[0]
    every = np.concatenate([*quads, *around]).astype(np.float64)
    every = np.clip(every, 0, np.array(size_px))
    points = every / scale if plane is None else plane.to_mm(every)
    low, high = points.min(axis=0) - card_mm[1], points.max(axis=0) + card_mm[1]
    native = scale
    px_per_mm = float(np.clip(native, 1.0, _MOST_PX_PER_MM))
    px_per_mm = min(px_per_mm, _MOST_SIDE_PX / float((high - low).max()))
    width, height = (int(side) for side in np.ceil((high - low) * px_per_mm))
    # The way back is smooth: every 8th pixel is computed, the rest interpolated.
    columns, rows = width // 8 + 2, height // 8 + 2
    grid = np.stack(np.meshgrid(np.arange(columns) * 8.0, np.arange(rows) * 8.0), axis=-1) / px_per_mm + low
    source = _to_picture(plane, scale, grid.reshape(-1, 2)).reshape(grid.shape).astype(np.float32)
    x, y = (
        cv2.resize(np.ascontiguousarray(source[..., i]), (columns * 8, rows * 8), interpolation=cv2.INTER_LINEAR)
        for i in (0, 1)
    )
    # `resize` puts the first sample in the middle of its block of eight.
    shift = np.array([[1, 0, 3.5], [0, 1, 3.5]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    x, y = (
        cv2.warpAffine(part, shift, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE) for part in (x, y)
    )
    if native > 1.6 * px_per_mm:
        image = cv2.GaussianBlur(image, (0, 0), 0.45 * native / px_per_mm)
    flat = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    inside = (x >= 0) & (y >= 0) & (x <= size_px[0] - 1) & (y <= size_px[1] - 1)
    return FlatView(
        flat, inside.astype(np.uint8) * 255, px_per_mm, float(low[0]), float(low[1]), card_mm,
        0.0 if plane is None else plane.error_mm, plane, scale,
    )  # fmt: skip
