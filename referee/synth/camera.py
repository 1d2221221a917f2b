"""A pinhole camera with lens distortion over a table: where a point of the table falls in the picture.

Table points are mm, x right, y down as seen, height in mm above the table. Pixel centres are whole numbers
(OpenCV's convention). It knows nothing of light or of what lies on the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A camera that is set up.

    Parameters
    ----------
    size_px
        Width and height of its pictures.
    projection
        (3, 4) float64, homogeneous (x, y, height, 1) mm to undistorted px.
    focal_px, center_px
        Of the lens model.
    lens
        k1, k2 (OpenCV's radial terms); (0, 0) for a straight lens.
    """

    size_px: tuple[int, int]
    projection: Floats
    focal_px: float
    center_px: tuple[float, float]
    lens: tuple[float, float] = (0.0, 0.0)
    _maps: dict[int, tuple[npt.NDArray[np.float32], ...]] = field(default_factory=dict, repr=False)

    def plane(self, height_mm: float = 0.0) -> Floats:
        """Give the (3, 3) homography from mm at this height to undistorted px."""
        p = self.projection
        return np.stack([p[:, 0], p[:, 1], p[:, 3] + height_mm * p[:, 2]], axis=1)

    def straight(self, points_mm: npt.ArrayLike, height_mm: float | Floats = 0.0) -> Floats:
        """Project (N, 2) mm at a height (one, or one a point) to (N, 2) undistorted px."""
        points = np.asarray(points_mm, np.float64)
        height = np.broadcast_to(np.asarray(height_mm, np.float64), points.shape[:1])
        full = np.column_stack([points, height, np.ones(len(points))]) @ self.projection.T
        return full[:, :2] / full[:, 2:]

    def project(self, points_mm: npt.ArrayLike, height_mm: float | Floats = 0.0) -> Floats:
        """Project (N, 2) mm to (N, 2) px of the final picture, lens included."""
        return self.distort(self.straight(points_mm, height_mm))

    def distort(self, points_px: Floats) -> Floats:
        """Move undistorted px to where the lens shows them."""
        k1, k2 = self.lens
        center = np.asarray(self.center_px)
        offset = (points_px - center) / self.focal_px
        r2 = (offset * offset).sum(-1, keepdims=True)
        return center + offset * (1 + k1 * r2 + k2 * r2 * r2) * self.focal_px

    def undistort(self, points_px: Floats) -> Floats:
        """Give the inverse of `distort` (Newton steps along the radius; exact to 1e-6 px in the picture)."""
        k1, k2 = self.lens
        center = np.asarray(self.center_px)
        offset = (points_px - center) / self.focal_px
        wanted = np.sqrt((offset * offset).sum(-1, keepdims=True))
        r = wanted.copy()
        for _ in range(8):
            slope = 1 + 3 * k1 * r**2 + 5 * k2 * r**4
            r -= (r * (1 + k1 * r**2 + k2 * r**4) - wanted) / np.maximum(slope, 0.2)
        return center + offset * np.where(wanted > 1e-9, r / np.maximum(wanted, 1e-9), 1.0) * self.focal_px

    def table_from_px(self, points_px: npt.ArrayLike) -> Floats:
        """Give where on the table (height 0) the final picture's px look: (N, 2) mm."""
        points = self.undistort(np.asarray(points_px, np.float64))
        full = np.column_stack([points, np.ones(len(points))]) @ np.linalg.inv(self.plane()).T
        return full[:, :2] / full[:, 2:]

    def px_per_mm(self, point_mm: npt.ArrayLike, height_mm: float = 0.0) -> float:
        """Give the picture's scale at a point of the table: the square root of the area's growth."""
        x, y = np.asarray(point_mm, np.float64)
        a, b, c = self.straight([[x, y], [x + 1, y], [x, y + 1]], height_mm)
        u, v = b - a, c - a
        return float(np.sqrt(abs(u[0] * v[1] - u[1] * v[0])))

    def bend(self, image: npt.NDArray[np.generic], margin_px: int, nearest: bool = False) -> npt.NDArray[np.generic]:
        """Apply the lens to an undistorted picture that was drawn with a margin; cut the margin off."""
        width, height = self.size_px
        if self.lens == (0.0, 0.0):
            return np.ascontiguousarray(image[margin_px : margin_px + height, margin_px : margin_px + width])
        if margin_px not in self._maps:
            # The map is smooth: 8 px apart it is known exactly, between by cubic interpolation (error under 0.01 px).
            columns, rows = width // 8 + 5, height // 8 + 5
            grid = np.stack(np.meshgrid((np.arange(columns) - 2) * 8.0, (np.arange(rows) - 2) * 8.0), -1)
            source = self.undistort(grid.reshape(-1, 2)).reshape(grid.shape) + margin_px
            step = np.array([[0.125, 0, 2.0], [0, 0.125, 2.0]])
            flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
            x, y = (
                cv2.warpAffine(np.ascontiguousarray(source[..., i], np.float32), step, (width, height), flags=flags)
                for i in (0, 1)
            )
            self._maps[margin_px] = (x, y)
        x, y = self._maps[margin_px]
        flag = cv2.INTER_NEAREST if nearest else cv2.INTER_LINEAR
        return cv2.remap(image, x, y, flag, borderMode=cv2.BORDER_REPLICATE)


def look(
    size_px: tuple[int, int],
    px_per_mm: float,
    fov_deg: float = 60.0,
    tilt_deg: float = 0.0,
    azimuth_deg: float = 0.0,
    aim_px: tuple[float, float] | None = None,
    lens: tuple[float, float] = (0.0, 0.0),
    rectified: bool = False,
) -> Camera:
    """Set up a camera that looks at the origin of the table.

    Parameters
    ----------
    size_px
        Width and height of the picture.
    px_per_mm
        Scale at the origin.
    fov_deg
        Field of view across the picture's longer side.
    tilt_deg
        0 looks straight down; the far side of the table is at the picture's top.
    azimuth_deg
        Turns the table under the camera.
    aim_px
        Where the origin appears; None is the picture's middle.
    lens
        k1, k2.
    rectified
        Give the bird's-eye view that is made from this camera's picture: the table is true to scale, and what
        stands above it leans away from the camera.
    """
    width, height = size_px
    focal = max(width, height) / 2 / np.tan(np.radians(fov_deg) / 2)
    distance = focal / px_per_mm
    t, a = np.radians([tilt_deg, azimuth_deg])
    turn = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1.0]])
    tip = np.array([[1.0, 0, 0], [0, np.cos(t), np.sin(t)], [0, -np.sin(t), np.cos(t)]])
    rotation = tip @ turn
    aim = aim_px or ((width - 1) / 2, (height - 1) / 2)
    inner = np.array([[focal, 0, aim[0]], [0, focal, aim[1]], [0, 0, 1.0]])
    # The table's z axis points away from the camera (x right, y down), so heights count against it.
    outer = np.column_stack([rotation[:, 0], rotation[:, 1], -rotation[:, 2], [0, 0, distance]])
    projection = inner @ outer
    center = ((width - 1) / 2, (height - 1) / 2)
    if rectified:
        c, s = np.cos(a) * px_per_mm, np.sin(a) * px_per_mm
        true = np.array([[c, -s, aim[0]], [s, c, aim[1]], [0, 0, 1.0]])
        projection = true @ np.linalg.inv(projection[:, [0, 1, 3]]) @ projection
    return Camera(size_px, projection, float(focal), center, lens)
