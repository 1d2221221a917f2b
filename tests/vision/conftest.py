"""Real parts for the tests of vision: a table drawn with OpenCV, films written with PyAV."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from referee.layout import Pose, SeatLayout, TableLayout
from referee.vision.frames import Image


def make_layout(seats: int = 4, size_px: tuple[int, int] = (960, 540)) -> TableLayout:
    scale = size_px[0] / 1200
    places = []
    for k in range(seats):
        angle = 2 * np.pi * k / seats
        x, y = float(np.sin(angle) * 420), float(np.cos(angle) * 250)
        places.append(
            SeatLayout(
                name=f"Player {k + 1}",
                deck="",
                area_mm=((x - 170, y - 60), (x + 170, y - 60), (x + 170, y + 60), (x - 170, y + 60)),
                post_mm=tuple(Pose(x + dx, y, 0.0) for dx in (-70, 0, 70)),
                blitz_mm=Pose(x + 140, y, 0.0),
                wood_mm=Pose(x - 140, y, 0.0),
            )
        )
    return TableLayout(
        card_mm=(57.0, 89.0),
        image_size_px=size_px,
        px_from_mm=((scale, 0.0, size_px[0] / 2), (0.0, scale, size_px[1] / 2), (0.0, 0.0, 1.0)),
        dutch_mm=((-200.0, -120.0), (200.0, -120.0), (200.0, 120.0), (-200.0, 120.0)),
        seats=tuple(places),
    )


@pytest.fixture(name="make_layout")
def layout_maker() -> Callable[..., TableLayout]:
    return make_layout


@pytest.fixture
def layout() -> TableLayout:
    return make_layout()


@pytest.fixture
def table_picture() -> Image:
    rng = np.random.default_rng(3)
    noise = cv2.GaussianBlur(rng.integers(60, 160, (540, 960, 3)).astype(np.uint8), (0, 0), 1.2)
    return (noise * np.array([0.6, 0.8, 1.0])).astype(np.uint8)


@pytest.fixture
def write_film(tmp_path: Path) -> Callable[..., Path]:
    """Give a function that writes pictures as H.264 with the time stamps in seconds that it is given."""

    def write(images: Sequence[Image], times_s: Sequence[float], name: str = "film.mp4") -> Path:
        path = tmp_path / name
        with av.open(str(path), "w") as container:
            stream = container.add_stream("libx264", rate=1000)
            stream.height, stream.width = images[0].shape[:2]
            stream.pix_fmt = "yuv420p"
            stream.options = {"preset": "ultrafast", "crf": "12"}
            for image, time_s in zip(images, times_s, strict=True):
                frame = av.VideoFrame.from_ndarray(image, format="bgr24")
                frame.pts = round(time_s * 1000)
                frame.time_base = Fraction(1, 1000)
                container.mux(stream.encode(frame))
            container.mux(stream.encode())
        return path

    return write
