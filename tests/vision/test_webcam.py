"""The capture process with a film standing in for the camera: it ends, and so does a camera that is unplugged."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from referee.vision.frames import Frame
from referee.vision.sources import SourceError
from referee.vision.webcam import Webcam, get_device

RNG = np.random.default_rng(2)


@pytest.fixture
def film(write_film: Callable[..., Path]) -> Path:
    images = [RNG.integers(0, 255, (96, 160, 3)).astype(np.uint8) for _ in range(20)]
    return write_film(images, [i / 30 for i in range(20)], name="camera.avi")


@pytest.fixture
def camera(film: Path) -> Iterator[Webcam]:
    webcam = Webcam("stand-in", device=str(film), rate=60.0)
    yield webcam
    webcam.close()
    for _ in webcam.frames():
        pass


def take(frames: Iterator[Frame], count: int) -> list[Frame]:
    return [next(frames) for _ in range(count)]


def test_frames_come_with_growing_times(camera: Webcam) -> None:
    assert camera.live
    assert camera.size_px == (160, 96)
    taken = take(camera.frames(), 10)
    times = [frame.time_s for frame in taken]
    assert times == sorted(set(times))
    assert all(frame.image.shape == (96, 160, 3) and frame.image.std() > 20 for frame in taken)


def test_an_unplugged_camera_is_started_again(camera: Webcam) -> None:
    frames = camera.frames()
    times = [frame.time_s for frame in take(frames, 40)]
    assert camera.restarts >= 1
    assert camera.state == "live"
    assert times == sorted(times)


def test_a_killed_capture_process_is_started_again(camera: Webcam) -> None:
    frames = camera.frames()
    take(frames, 3)
    os.kill(camera._process.pid, signal.SIGKILL)
    take(frames, 20)
    assert camera.restarts >= 1


def test_closing_ends_the_process(film: Path) -> None:
    camera = Webcam("stand-in", device=str(film), rate=60.0)
    process = camera._process
    frames = camera.frames()
    take(frames, 2)
    camera.close()
    camera.close()
    assert list(frames) == []
    assert not process.is_alive()
    assert camera.state == "closed"


def test_what_is_no_camera_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="can't be opened"):
        Webcam("broken", device=str(tmp_path / "none.avi"))
    with pytest.raises(SourceError, match="connected cameras"):
        get_device("surely no camera has this name")
