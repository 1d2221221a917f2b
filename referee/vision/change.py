"""Where and when the bird's-eye view last changed, on a quarter of its size."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from .frames import Image, Quad

_CHANGE = 14
"""Least change of a pixel of the quarter-size view (0..255) that counts; averaged noise of webcams stays under 8."""
_GRID = np.stack(np.meshgrid(np.linspace(0.1, 0.9, 5), np.linspace(0.08, 0.92, 7)), axis=-1).reshape(-1, 2)


class ChangeMap:
    """Remembers when each place of a view last changed.

    Parameters
    ----------
    size_px
        Width and height of the view.
    """

    def __init__(self, size_px: tuple[int, int]) -> None:
        self._size = size_px[0] // 4, size_px[1] // 4
        self._reference = np.zeros((self._size[1], self._size[0], 3), dtype=np.float32)
        self._changed_s = np.full((self._size[1], self._size[0]), -np.inf)

    def note(self, picture: Image, time_s: float) -> bool:
        """Remember what a new picture of the view changed; say whether anything did."""
        small = cv2.resize(picture, self._size, interpolation=cv2.INTER_AREA).astype(np.float32)
        moved = np.maximum.reduce(cv2.split(cv2.absdiff(small, self._reference))) > _CHANGE
        self._reference += np.where(moved[:, :, None], np.float32(1.0), np.float32(0.05)) * (small - self._reference)
        self._changed_s[moved] = time_s
        return int(np.count_nonzero(moved)) >= 2

    def last_s(self, quads: Sequence[Quad]) -> npt.NDArray[np.float64]:
        """Give, for each quad (4, 2) px of the view, when its place last changed."""
        if not quads:
            return np.zeros(0)
        u, v = _GRID[:, 0], _GRID[:, 1]
        weights = np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=1)
        spots = np.floor(np.einsum("pc,ncd->npd", weights, np.array(quads)) / 4).astype(int)
        x = np.clip(spots[:, :, 0], 0, self._size[0] - 1)
        y = np.clip(spots[:, :, 1], 0, self._size[1] - 1)
        result: npt.NDArray[np.float64] = self._changed_s[y, x].max(axis=1)
        return result
