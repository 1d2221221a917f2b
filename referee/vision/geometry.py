"""Homographies, quads, lens and the fixed-scale bird's-eye view. numpy only.

Points are (N, 2); quads are (4, 2), clockwise as seen, from the card's own top left.
It knows neither networks nor OpenCV, so that tracking may use it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..layout import Pose, TableLayout
from .frames import Quad

Points: TypeAlias = npt.NDArray[np.floating]
Matrix3: TypeAlias = npt.NDArray[np.float64]

VIEW_PX_PER_MM = 0.53
"""Scale of the bird's-eye view: a card of 57 x 89 mm is 30 x 47 px, 1.2 x 0.9 m are 640 x 480 px."""

_STRIDE_PX = 32
"""The detector's coarsest grid: a view whose sides are multiples of it needs no padding."""

_MAX_VIEW_PX = 960
"""Longest side of a view; a larger table gets a smaller scale, so that one pass stays affordable."""


def project(matrix: Matrix3, points: Points) -> npt.NDArray[np.float64]:
    """Map points (..., 2) through a homography."""
    xy = np.asarray(points, dtype=np.float64)
    flat = xy.reshape(-1, 2)
    mapped = flat @ matrix[:, :2].T + matrix[:, 2]
    return (mapped[:, :2] / mapped[:, 2:]).reshape(xy.shape)


def _normaliser(points: Points) -> Matrix3:
    center = points.mean(axis=0)
    spread = max(float(np.sqrt(((points - center) ** 2).sum(axis=1).mean())), 1e-9)
    scale = np.sqrt(2.0) / spread
    return np.array([[scale, 0, -scale * center[0]], [0, scale, -scale * center[1]], [0, 0, 1.0]])


def fit_homography(source: Points, target: Points, weights: Points | None = None) -> Matrix3:
    """Fit the homography that maps `source` (N, 2) to `target` (N, 2), least squares, N >= 4.

    Direct linear transform on normalised points (Hartley 1997).

    Raises
    ------
    ValueError
        If there are fewer than four points or they are degenerate (three on a line).
    """
    src = np.asarray(source, dtype=np.float64).reshape(-1, 2)
    dst = np.asarray(target, dtype=np.float64).reshape(-1, 2)
    if len(src) < 4 or len(src) != len(dst):
        raise ValueError("a homography needs at least four pairs of points")
    from_src, from_dst = _normaliser(src), _normaliser(dst)
    x, y = project(from_src, src).T
    u, v = project(from_dst, dst).T
    zero, one = np.zeros_like(x), np.ones_like(x)
    rows = np.concatenate(
        [
            np.stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u], axis=1),
            np.stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v], axis=1),
        ]
    )
    if weights is not None:
        rows *= np.tile(np.asarray(weights, dtype=np.float64), 2)[:, None]
    _, singular, rotation = np.linalg.svd(rows, full_matrices=True)
    if len(singular) >= 8 and singular[7] < 1e-9 * max(singular[0], 1e-12):
        raise ValueError("these points lie on a line: no homography fits")
    matrix = np.linalg.inv(from_dst) @ rotation[8].reshape(3, 3) @ from_src
    if abs(matrix[2, 2]) < 1e-12:
        raise ValueError("these points give no usable homography")
    scaled: Matrix3 = matrix / matrix[2, 2]
    return scaled


def quads_from_boxes(boxes: Points) -> npt.NDArray[np.float32]:
    """Turn oriented boxes (N, 5: cx, cy, w, h, radians clockwise as seen) into quads (N, 4, 2).

    The first edge of each quad is a short one: the card's own top.
    """
    cx, cy, width, height, angle = np.asarray(boxes, dtype=np.float64).reshape(-1, 5).T
    lying = width > height
    short, long = np.minimum(width, height), np.maximum(width, height)
    angle = np.where(lying, angle + np.pi / 2, angle)
    right = np.stack([np.cos(angle), np.sin(angle)], axis=1) * (short / 2)[:, None]
    down = np.stack([-np.sin(angle), np.cos(angle)], axis=1) * (long / 2)[:, None]
    center = np.stack([cx, cy], axis=1)
    corners = (center - right - down, center + right - down, center + right + down, center - right + down)
    return np.stack(corners, axis=1).astype(np.float32)


def order_quad(quad: Points) -> Quad:
    """Put four corners into this project's order: clockwise as seen, a short edge first, upper end first."""
    points = np.asarray(quad, dtype=np.float32).reshape(4, 2)
    if signed_area(points) < 0:
        points = points[::-1]
    edges = np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)
    if edges[0] + edges[2] > edges[1] + edges[3]:
        points = np.roll(points, -1, axis=0)
    top, bottom = points[:2].sum(axis=0), points[2:].sum(axis=0)
    if (top[1], top[0]) > (bottom[1], bottom[0]):
        points = np.roll(points, -2, axis=0)
    return np.ascontiguousarray(points)


def card_quad(pose: Pose, card_mm: tuple[float, float]) -> Quad:
    """Give the corners in mm of a card that lies at a pose."""
    box = (pose.x_mm, pose.y_mm, card_mm[0], card_mm[1], np.deg2rad(pose.angle_deg))
    quad: Quad = quads_from_boxes(np.array([box]))[0]
    return quad


def quad_size(quad: Points) -> tuple[float, float]:
    """Give the mean length of the two short edges and of the two long ones."""
    edges = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    first, second = float(edges[0] + edges[2]) / 2, float(edges[1] + edges[3]) / 2
    return min(first, second), max(first, second)


def quad_angle_deg(quad: Points) -> float:
    """Give a quad's angle, 0..180: 0 is long side along y, growing clockwise as seen."""
    down = (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    return float(np.degrees(np.arctan2(-down[0], down[1])) % 180.0)


def signed_area(polygon: Points) -> float:
    """Give a polygon's area; positive when it goes clockwise as seen (y grows downward)."""
    x, y = np.asarray(polygon, dtype=np.float64).T
    return float(x[:-1] @ y[1:] - y[:-1] @ x[1:] + x[-1] * y[0] - y[-1] * x[0]) / 2


def clip_convex(polygon: Points, window: Points) -> npt.NDArray[np.float64]:
    """Cut a convex polygon with a convex window, both clockwise (Sutherland and Hodgman 1974)."""
    kept = [tuple(point) for point in np.asarray(polygon, dtype=np.float64)]
    corners = np.asarray(window, dtype=np.float64)
    for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if not kept:
            break
        sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in kept]
        clipped = []
        for i, (x, y) in enumerate(kept):
            px, py = kept[i - 1]
            side, before = sides[i], sides[i - 1]
            if (side >= 0) != (before >= 0):
                t = before / (before - side)
                clipped.append((px + t * (x - px), py + t * (y - py)))
            if side >= 0:
                clipped.append((x, y))
        kept = clipped
    return np.array(kept, dtype=np.float64).reshape(-1, 2)


def overlap_area(first: Points, second: Points) -> float:
    """Give the area that two convex polygons, both clockwise, share."""
    shared = clip_convex(first, second)
    return abs(signed_area(shared)) if len(shared) >= 3 else 0.0


def quad_iou(first: Points, second: Points) -> float:
    """Give intersection over union of two convex quads."""
    shared = overlap_area(first, second)
    union = abs(signed_area(first)) + abs(signed_area(second)) - shared
    return shared / union if union > 0 else 0.0


def box_iou(first: Points, second: Points) -> npt.NDArray[np.float64]:
    """Give (N, M) intersection over union of upright boxes (N, 4) and (M, 4): left, top, right, bottom."""
    a, b = np.asarray(first, dtype=np.float64).reshape(-1, 4), np.asarray(second, dtype=np.float64).reshape(-1, 4)
    top_left = np.maximum(a[:, None, :2], b[None, :, :2])
    low_right = np.minimum(a[:, None, 2:], b[None, :, 2:])
    shared = np.clip(low_right - top_left, 0, None).prod(axis=2)
    area_a, area_b = (a[:, 2:] - a[:, :2]).prod(axis=1), (b[:, 2:] - b[:, :2]).prod(axis=1)
    union = area_a[:, None] + area_b[None, :] - shared
    return np.where(union > 0, shared / np.maximum(union, 1e-12), 0.0)


def bounds(quads: Points) -> npt.NDArray[np.float64]:
    """Give the upright boxes (N, 4: left, top, right, bottom) of quads (N, 4, 2)."""
    points = np.asarray(quads, dtype=np.float64).reshape(-1, 4, 2)
    return np.concatenate([points.min(axis=1), points.max(axis=1)], axis=1)


def iou_matrix(first: Points, second: Points) -> npt.NDArray[np.float64]:
    """Give (N, M) intersection over union of quads; pairs whose upright boxes are apart cost nothing."""
    a, b = np.asarray(first).reshape(-1, 4, 2), np.asarray(second).reshape(-1, 4, 2)
    result = box_iou(bounds(a), bounds(b))
    for i, j in zip(*np.nonzero(result), strict=True):
        result[i, j] = quad_iou(a[i], b[j])
    return result


def likeness(quads: Points) -> npt.NDArray[np.float64]:
    """Give (N, N) how alike quads lie, 0..1, each taken as a normal distribution (ProbIoU, Llerena et al. 2021).

    Over 0.75 the intersection over union is over 0.6, and it costs no clipping.
    """
    points = np.asarray(quads, dtype=np.float64).reshape(-1, 4, 2)
    across, down = points[:, 1] - points[:, 0], points[:, 3] - points[:, 0]
    spread = (across[:, :, None] * across[:, None] + down[:, :, None] * down[:, None]) / 12 + np.eye(2) * 1e-6
    apart = points.mean(axis=1)[:, None] - points.mean(axis=1)[None]
    both = (spread[:, None] + spread[None]) / 2
    area = both[..., 0, 0] * both[..., 1, 1] - both[..., 0, 1] ** 2
    mahalanobis = (
        apart[..., 0] ** 2 * both[..., 1, 1]
        + apart[..., 1] ** 2 * both[..., 0, 0]
        - 2 * apart[..., 0] * apart[..., 1] * both[..., 0, 1]
    ) / area
    own = spread[:, 0, 0] * spread[:, 1, 1] - spread[:, 0, 1] ** 2
    distance = mahalanobis / 8 + np.log(area / np.sqrt(own[:, None] * own[None])) / 2
    return 1 - np.sqrt(np.clip(1 - np.exp(-distance), 0, 1))


def suppress(quads: Points, scores: Points, limit: float) -> list[int]:
    """Keep the best of quads that overlap by more than `limit` (rotated non-maximum suppression).

    A dense network gives each card a dozen times: those that all but coincide are dropped first, by `likeness`.
    """
    order = np.argsort(-np.asarray(scores), kind="stable")
    corners = np.asarray(quads, dtype=np.float64).reshape(-1, 4, 2)[order]
    alike = likeness(corners) > 0.75
    single: list[int] = []
    dropped = np.zeros(len(order), dtype=bool)
    for i in range(len(order)):
        if not dropped[i]:
            single.append(i)
            dropped |= alike[i]
    overlap = iou_matrix(corners[single], corners[single])
    kept: list[int] = []
    for i in range(len(single)):
        if all(overlap[i, j] <= limit for j in kept):
            kept.append(i)
    return [int(order[single[i]]) for i in kept]


def inside(polygon: Points, points: Points) -> npt.NDArray[np.bool_]:
    """Say for each point (N, 2) whether it lies in a polygon (even-odd rule)."""
    corners = np.asarray(polygon, dtype=np.float64)
    x, y = np.asarray(points, dtype=np.float64).reshape(-1, 2).T
    hit = np.zeros(len(x), dtype=bool)
    for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        crosses = (ay > y) != (by > y)
        if ay != by:
            hit ^= crosses & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return hit


def distance_to_polygon(polygon: Points, point: Points) -> float:
    """Give the distance from a point to a polygon; 0 inside."""
    corners = np.asarray(polygon, dtype=np.float64)
    spot = np.asarray(point, dtype=np.float64)
    if inside(corners, spot)[0]:
        return 0.0
    edge = np.roll(corners, -1, axis=0) - corners
    length2 = np.maximum((edge**2).sum(axis=1), 1e-12)
    t = np.clip(((spot - corners) * edge).sum(axis=1) / length2, 0.0, 1.0)
    return float(np.linalg.norm(corners + t[:, None] * edge - spot, axis=1).min())


def distort_points(
    points: Points, camera_matrix: Matrix3, lens: tuple[float, float, float, float]
) -> npt.NDArray[np.float64]:
    """Map undistorted picture points (N, 2) to where a lens puts them (OpenCV's k1, k2, p1, p2)."""
    k1, k2, p1, p2 = lens
    x, y = project(np.asarray(np.linalg.inv(camera_matrix)), points).reshape(-1, 2).T
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * k2)
    bent = np.stack(
        [
            x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
            y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
        ],
        axis=1,
    )
    return project(camera_matrix, bent).reshape(np.shape(points))


def undistort_points(
    points: Points, camera_matrix: Matrix3, lens: tuple[float, float, float, float]
) -> npt.NDArray[np.float64]:
    """Map picture points (N, 2) to where they would be without the lens; the inverse of `distort_points`.

    Fixed-point iteration as OpenCV does it; 20 steps are below 0.01 px for lenses of webcams.
    """
    bent = np.asarray(points, dtype=np.float64)
    guess = bent.copy()
    for _ in range(20):
        guess = guess + bent - distort_points(guess, camera_matrix, lens)
    return guess


@dataclass(frozen=True, slots=True, eq=False)
class BirdView:
    """A picture of the playing area at one fixed scale, seen from straight above.

    Parameters
    ----------
    size_px
        Width and height of the view.
    px_per_mm
        Its scale.
    left_mm
        Table x of the view's left edge.
    top_mm
        Table y of its upper edge.
    """

    size_px: tuple[int, int]
    px_per_mm: float
    left_mm: float
    top_mm: float

    @staticmethod
    def of(layout: TableLayout, px_per_mm: float = VIEW_PX_PER_MM, margin_mm: float = 25.0) -> BirdView:
        """Choose the view that shows every area and pile of a layout with a margin."""
        corners = [np.array(layout.dutch_mm)]
        for seat in layout.seats:
            corners.append(np.array(seat.area_mm))
            poses = (*seat.post_mm, seat.blitz_mm, seat.wood_mm)
            corners += [card_quad(pose, layout.card_mm) for pose in poses]
        points = np.concatenate(corners)
        low, high = points.min(axis=0) - margin_mm, points.max(axis=0) + margin_mm
        scale = min(px_per_mm, _MAX_VIEW_PX / float((high - low).max()))
        sides = [max(_STRIDE_PX, int(np.ceil(side * scale / _STRIDE_PX)) * _STRIDE_PX) for side in high - low]
        middle = (low + high) / 2
        left, top = middle - np.array(sides) / scale / 2
        return BirdView((sides[0], sides[1]), scale, float(left), float(top))

    @property
    def view_from_mm(self) -> Matrix3:
        """Give the homography from table mm to pixels of this view."""
        s = self.px_per_mm
        return np.array([[s, 0, -s * self.left_mm], [0, s, -s * self.top_mm], [0, 0, 1.0]])

    @property
    def mm_from_view(self) -> Matrix3:
        """Give the homography from pixels of this view to table mm."""
        return np.asarray(np.linalg.inv(self.view_from_mm))

    def to_mm(self, points: Points) -> npt.NDArray[np.float32]:
        """Map pixels of this view to table mm."""
        return project(self.mm_from_view, points).astype(np.float32)

    def to_view(self, points: Points) -> npt.NDArray[np.float32]:
        """Map table mm to pixels of this view."""
        return project(self.view_from_mm, points).astype(np.float32)


def picture_from_mm(layout: TableLayout, points: Points) -> npt.NDArray[np.float64]:
    """Map table mm to pixels of the picture as the camera gives it, lens included."""
    flat = project(np.array(layout.px_from_mm), points)
    if layout.lens is None or layout.camera_matrix is None:
        return flat
    return distort_points(flat, np.array(layout.camera_matrix), layout.lens)


def mm_from_picture(layout: TableLayout, points: Points) -> npt.NDArray[np.float64]:
    """Map pixels of the picture as the camera gives it to table mm; the inverse of `picture_from_mm`."""
    flat = np.asarray(points, dtype=np.float64)
    if layout.lens is not None and layout.camera_matrix is not None:
        flat = undistort_points(flat, np.array(layout.camera_matrix), layout.lens)
    return project(np.asarray(np.linalg.inv(np.array(layout.px_from_mm))), flat)
