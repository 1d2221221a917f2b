"""The table plane from the cards that lie on it: every card has the same known size.

The picture's homography (and the lens, when there are cards enough) is found by making every quad a rectangle of
that size; where the cards lie and how they are turned doesn't matter. numpy only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .frames import Quad
from .geometry import Matrix3, project, quad_size, undistort_points

Floats = npt.NDArray[np.float64]

_LENS_CARDS = 14
"""With fewer cards a lens can't be told from perspective."""

_WORST_MM = 6.0


class CalibrationError(RuntimeError):
    """A table that can't be laid out from this picture; the message says what to change."""


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """The table plane in a picture.

    Parameters
    ----------
    mm_from_px
        Homography from undistorted px to mm; turned so that x goes right in the middle of the picture.
    k1
        Radial distortion of the lens; 0 when it wasn't fitted.
    camera_matrix
        The camera that `k1` belongs to.
    error_mm
        Median of the difference between an edge or diagonal of a card and what it should be.
    cards
        How many quads agree with the plane.
    """

    mm_from_px: Matrix3
    k1: float
    camera_matrix: Matrix3
    error_mm: float
    cards: int

    def to_mm(self, points_px: npt.NDArray[np.floating]) -> Floats:
        """Map px of the picture to mm."""
        points = np.asarray(points_px, dtype=np.float64)
        if self.k1:
            points = undistort_points(points, self.camera_matrix, (self.k1, 0.0, 0.0, 0.0))
        return project(self.mm_from_px, points)


def _matrix(parameters: Floats) -> Matrix3:
    return np.array([[*parameters[:2], 0.0], [*parameters[2:4], 0.0], [*parameters[4:6], 1.0]])


def _lengths(quads_mm: Floats) -> Floats:
    """Give the four edges and two diagonals of each quad, (N, 6)."""
    edges = np.linalg.norm(np.roll(quads_mm, -1, axis=1) - quads_mm, axis=2)
    diagonals = np.linalg.norm(quads_mm[:, 2:] - quads_mm[:, :2], axis=2)
    return np.concatenate([edges, diagonals], axis=1)


def fit_plane(quads: Sequence[Quad], image_size_px: tuple[int, int], card_mm: tuple[float, float]) -> Plane:
    """Find the plane in which all quads are cards of this size.

    Gauss and Newton with damping over the homography's six free parameters (place and turn of the table don't matter)
    and k1; quads that don't fit (held cards, false ones) lose their weight (Huber).

    Raises
    ------
    CalibrationError
        If there are fewer than three cards or they don't agree.
    """
    if len(quads) < 3:
        raise CalibrationError(
            f"{len(quads)} cards in view: lay at least three, better all Post Piles, flat on the table"
        )
    width, height = image_size_px
    unit = float(max(width, height)) / 2
    center = np.array([width / 2, height / 2])
    # Px around 0 and of size 1: perspective and scale are then of one order, which the steps need.
    normal = (np.asarray(quads, dtype=np.float64) - center) / unit
    wanted = np.array([card_mm[0], card_mm[1], card_mm[0], card_mm[1], np.hypot(*card_mm), np.hypot(*card_mm)])
    scale = float(np.median([card_mm[0] / max(quad_size(quad)[0], 1e-9) for quad in normal]))
    parameters = np.array([scale, 0.0, 0.0, scale, 0.0, 0.0, 0.0])
    free = 7 if len(quads) >= _LENS_CARDS else 6

    def residuals(values: Floats) -> Floats:
        r2 = (normal**2).sum(axis=2, keepdims=True)
        flat = normal * (1 + values[6] * r2)
        return (_lengths(project(_matrix(values), flat)) - wanted).ravel()

    error = residuals(parameters)
    damping = 1e-2
    for _ in range(60):
        spread = 1.4826 * float(np.median(np.abs(error))) + 0.05
        weight = np.minimum(1.0, 1.5 * spread / np.maximum(np.abs(error), 1e-9))
        jacobian = np.empty((len(error), free))
        for n in range(free):
            step = 1e-6 * max(1.0, abs(parameters[n]))
            moved = parameters.copy()
            moved[n] += step
            jacobian[:, n] = (residuals(moved) - error) / step
        normal_matrix = jacobian.T @ (weight[:, None] * jacobian)
        slope = jacobian.T @ (weight * error)
        cost = float((weight * error**2).sum())
        for _ in range(8):
            change = np.linalg.solve(normal_matrix + damping * np.diag(np.diag(normal_matrix) + 1e-9), -slope)
            tried = parameters.copy()
            tried[:free] += change
            new_error = residuals(tried)
            if np.isfinite(new_error).all() and float((weight * new_error**2).sum()) < cost:
                parameters, error, damping = tried, new_error, max(damping / 5, 1e-9)
                break
            damping *= 6
        else:
            break
    per_card = np.abs(error.reshape(-1, 6)).mean(axis=1)
    agree = per_card < max(3.0 * float(np.median(per_card)), 2.5)
    median = float(np.median(np.abs(error.reshape(-1, 6)[agree])))
    if median > _WORST_MM or agree.sum() < 3:
        raise CalibrationError(
            f"the cards in view don't agree on one plane (they differ by {median:.0f} mm): "
            "lay them flat, give the right card size, or move the camera more above the table"
        )
    return _upright(parameters, center, unit, (width, height), median, int(agree.sum()))


def _upright(
    parameters: Floats, center: Floats, unit: float, size_px: tuple[int, int], error_mm: float, cards: int
) -> Plane:
    """Turn the plane so that x goes right and y down in the middle of the picture, and put px back to px."""
    to_normal = np.array([[1 / unit, 0, -center[0] / unit], [0, 1 / unit, -center[1] / unit], [0, 0, 1.0]])
    matrix = _matrix(parameters) @ to_normal
    around = center + np.array([[0, 0], [1, 0], [0, 1]])
    middle, right, down = project(matrix, around)
    if (right - middle)[0] * (down - middle)[1] - (right - middle)[1] * (down - middle)[0] < 0:
        raise CalibrationError("the picture is mirrored: switch the camera's mirror off")
    angle = -np.arctan2((right - middle)[1], (right - middle)[0])
    cosine, sine = np.cos(angle), np.sin(angle)
    turned = np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1.0]]) @ matrix
    # x * (1 + k r2) undoes a lens with about -k: with focal length `unit` this is OpenCV's k1.
    k1 = -float(parameters[6])
    camera = np.array([[unit, 0, center[0]], [0, unit, center[1]], [0, 0, 1.0]])
    return Plane(turned / turned[2, 2], k1 if abs(k1) > 2e-3 else 0.0, camera, error_mm, cards)
