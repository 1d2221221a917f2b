"""A camera, read in a process of its own that can be killed: a driver that hangs never hangs the referee.

The process writes into a small ring of shared memory and the newest frame wins. The reader watches the age of frames
and whether they still change, and starts the process again, with growing pauses, when the camera is lost.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import Any

import numpy as np

from .frames import Frame, Image
from .sources import SourceError

_SLOTS = 3
_HEAD_BYTES = 64
_BLACK_MEAN = 8.0
_BLACK_S = 3.0
_STALE_S = 2.0
_FROZEN_S = 4.0
"""A sensor's noise changes every frame: so long without any change is a driver that repeats its last picture."""

_PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0)
_OPENING_S = 75.0
_SLOW_RATE = 20.0

Device = int | str


@dataclass(frozen=True, slots=True)
class Opened:
    """What the capture process says once frames come."""

    size_px: tuple[int, int]
    rate: float
    fourcc: str


def find_cameras() -> dict[int, str]:
    """Give the cameras of this machine by index, as far as the system tells without opening them (Linux)."""
    names: dict[int, str] = {}
    for entry in sorted(Path("/sys/class/video4linux").glob("video*")):
        with contextlib.suppress(OSError, ValueError):
            index = int(entry.name.removeprefix("video"))
            # Of a camera's several nodes only the first one gives pictures.
            if (entry / "index").read_text().strip() == "0":
                names[index] = (entry / "name").read_text().strip()
    return names


def get_device(text: str) -> tuple[Device, str]:
    """Give the device and the name of the camera that a text means: an index or a part of its name.

    Raises
    ------
    SourceError
        If no such camera is connected.
    """
    known = find_cameras()
    listed = ", ".join(f"{index} ({name})" for index, name in known.items()) or "none"
    advice = f"connected cameras: {listed}. Plug one in, or give a film: referee run film.mp4"
    if text.isdecimal():
        index = int(text)
        if sys.platform.startswith("linux") and not Path(f"/dev/video{index}").exists():
            raise SourceError(f"no camera {index}: {advice}")
        return index, known.get(index, f"camera {index}")
    for index, name in known.items():
        if text.lower() in name.lower():
            return index, name
    raise SourceError(f"no camera, film or folder '{text}': {advice}")


def open_capture(device: Device, size_px: tuple[int, int], rate: float) -> Any:
    """Open a camera with OpenCV: compressed pictures asked for, a short queue; None when it can't be opened."""
    import cv2

    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    capture = cv2.VideoCapture(device)
    if not capture.isOpened():
        return None
    if isinstance(device, int):
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size_px[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size_px[1])
        capture.set(cv2.CAP_PROP_FPS, rate)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _fourcc(capture: Any) -> str:
    import cv2

    code = int(capture.get(cv2.CAP_PROP_FOURCC))
    text = "".join(chr(code >> shift & 255) for shift in (0, 8, 16, 24))
    return text if text.isprintable() else "?"


def _first_frame(capture: Any) -> tuple[Image | None, int]:
    """Skip the black frames of a camera that still sets its exposure; give the first good one."""
    from .sources import normalise

    begin = time.monotonic()
    skipped = 0
    while True:
        done, raw = capture.read()
        if not done or raw is None:
            return None, skipped
        image = normalise(raw)
        if image[::16, ::16].mean() >= _BLACK_MEAN or time.monotonic() - begin > _BLACK_S:
            return image, skipped
        skipped += 1


def _measure(capture: Any) -> float:
    """Measure how many frames a second really come, over half a second or ten frames."""
    begin = time.monotonic()
    count = 0
    while count < 10 and time.monotonic() - begin < 1.5:
        if not capture.read()[0]:
            break
        count += 1
    return count / max(1e-6, time.monotonic() - begin)


def capture_main(pipe: Connection, device: Device, size_px: tuple[int, int], rate: float) -> None:
    """Run the capture process: open, measure, then write frames until the pipe closes."""
    from .sources import normalise

    capture = open_capture(device, size_px, rate)
    if capture is None:
        pipe.send("it can't be opened: another program may be using it")
        return
    try:
        image, _ = _first_frame(capture)
        if image is None:
            pipe.send("it opens but gives no picture: unplug it and plug it in again")
            return
        measured = _measure(capture) if isinstance(device, int) else rate
        height, width = image.shape[:2]
        pipe.send(Opened((width, height), measured, _fourcc(capture)))
        memory = SharedMemory(name=pipe.recv())
        try:
            ring = _Ring(memory, (width, height))
            while not pipe.poll():
                begin = time.monotonic()
                done, raw = capture.read()
                if not done or raw is None:
                    pipe.send("it stopped giving pictures")
                    break
                image = normalise(raw)
                if image.shape[:2] != (height, width):
                    pipe.send("it changed the size of its pictures")
                    break
                ring.write(image, time.monotonic())
                if not isinstance(device, int):
                    # A file standing in for a camera has no clock of its own.
                    time.sleep(max(0.0, begin + 1.0 / rate - time.monotonic()))
            ring.close()
        finally:
            memory.close()
    except (EOFError, BrokenPipeError, OSError, SourceError) as error:
        with contextlib.suppress(OSError):
            pipe.send(str(error))
    finally:
        capture.release()


class _Ring:
    """Frames in shared memory: a head with the number of the newest, and slots of (number, time, picture)."""

    def __init__(self, memory: SharedMemory, size_px: tuple[int, int]) -> None:
        width, height = size_px
        stride = _slot_bytes(size_px)
        self._newest = np.ndarray(1, dtype=np.int64, buffer=memory.buf)
        self._numbers, self._times, self._pictures = [], [], []
        for slot in range(_SLOTS):
            start = _HEAD_BYTES + slot * stride
            self._numbers.append(np.ndarray(2, dtype=np.int64, buffer=memory.buf, offset=start))
            self._times.append(np.ndarray(1, dtype=np.float64, buffer=memory.buf, offset=start + 16))
            shape = (height, width, 3)
            picture = np.ndarray(shape, dtype=np.uint8, buffer=memory.buf, offset=start + _HEAD_BYTES)
            self._pictures.append(picture)

    def write(self, image: Image, time_s: float) -> None:
        number = int(self._newest[0]) + 1
        slot = number % _SLOTS
        # The two numbers differ while the slot is being written: a reader that sees that looks again.
        self._numbers[slot][0] = number
        self._pictures[slot][:] = image
        self._times[slot][0] = time_s
        self._numbers[slot][1] = number
        self._newest[0] = number

    @property
    def newest(self) -> int:
        return int(self._newest[0])

    def read(self) -> tuple[int, float, Image] | None:
        """Copy the newest frame; None when it was overwritten meanwhile."""
        number = int(self._newest[0])
        slot = number % _SLOTS
        if number == 0 or int(self._numbers[slot][1]) != number:
            return None
        image = self._pictures[slot].copy()
        time_s = float(self._times[slot][0])
        whole = int(self._numbers[slot][0]) == number == int(self._numbers[slot][1])
        return (number, time_s, image) if whole else None

    def close(self) -> None:
        """Let go of the memory, which can't be closed while arrays look into it."""
        del self._newest
        self._numbers, self._times, self._pictures = [], [], []


def _slot_bytes(size_px: tuple[int, int]) -> int:
    return _HEAD_BYTES + -(-size_px[0] * size_px[1] * 3 // _HEAD_BYTES) * _HEAD_BYTES


class Webcam:
    """A live camera: gives the newest frame each time, goes on by itself after a loss.

    Parameters
    ----------
    text
        Index or a part of the camera's name.
    size_px
        Size to ask for; the camera may give another one.
    rate
        Frames a second to ask for.
    device
        What OpenCV opens; None looks it up from `text`. A film's path stands in for a camera in tests.

    Attributes
    ----------
    state
        `live`, `lost` (being started again) or `closed`.
    message
        What a person should know now, such as a slow rate; empty when all is well.
    restarts
        How often the camera was started again.

    Raises
    ------
    SourceError
        If there is no such camera or it gives no picture.
    """

    live = True

    def __init__(
        self, text: str, size_px: tuple[int, int] = (1920, 1080), rate: float = 30.0, device: Device | None = None
    ) -> None:
        self._device, self.name = get_device(text) if device is None else (device, text)
        self._ask = (size_px, rate)
        self._closed = threading.Event()
        self._process: Any = None
        self._pipe: Connection | None = None
        self._memory: SharedMemory | None = None
        self._ring: _Ring | None = None
        self.restarts = 0
        self.state = "lost"
        self.message = ""
        self._start_s = time.monotonic()
        self._open()

    def _open(self) -> None:
        """Start the capture process and wait for its first picture."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=capture_main, args=(theirs, self._device, *self._ask), daemon=True, name="capture"
        )
        process.start()
        theirs.close()
        self._process, self._pipe = process, ours
        reason = f"it gave no picture within {_OPENING_S:.0f} s"
        answer: object = None
        deadline = time.monotonic() + _OPENING_S
        try:
            while time.monotonic() < deadline and not self._closed.is_set():
                if ours.poll(0.1):
                    answer = ours.recv()
                    break
                if not process.is_alive():
                    reason = "the capture process ended"
                    break
        except (EOFError, OSError):
            reason = "the capture process ended"
        if not isinstance(answer, Opened):
            self._kill()
            raise SourceError(f"camera '{self.name}': {answer or reason}")
        self.size_px, self.rate, self.fourcc = answer.size_px, answer.rate, answer.fourcc
        self._memory = SharedMemory(create=True, size=_HEAD_BYTES + _SLOTS * _slot_bytes(self.size_px))
        self._memory.buf[:_HEAD_BYTES] = bytes(_HEAD_BYTES)
        self._ring = _Ring(self._memory, self.size_px)
        ours.send(self._memory.name)
        self.state = "live"
        width, height = self.size_px
        self.message = ""
        if self.rate < _SLOW_RATE:
            self.message = (
                f"camera '{self.name}' gives {self.rate:.0f} fps at {width}x{height} ({self.fourcc}): "
                "choose MJPG or 1280x720"
            )

    def _kill(self) -> None:
        if self._pipe is not None:
            with contextlib.suppress(OSError):
                self._pipe.close()
        if self._process is not None:
            self._process.terminate()
            self._process.join(0.5)
            if self._process.is_alive():
                self._process.kill()
                self._process.join(2)
        if self._ring is not None:
            self._ring.close()
        if self._memory is not None:
            with contextlib.suppress(BufferError, OSError):
                self._memory.close()
            with contextlib.suppress(FileNotFoundError):
                self._memory.unlink()
        self._process, self._pipe, self._memory, self._ring = None, None, None, None

    def _complaint(self) -> str | None:
        """Give what the capture process says is wrong, if it says anything or has ended."""
        try:
            if self._pipe is not None and self._pipe.poll():
                return str(self._pipe.recv())
        except (EOFError, OSError):
            return "the capture process ended"
        return None if self._process is not None and self._process.is_alive() else "the capture process ended"

    def frames(self) -> Iterator[Frame]:
        """Give the newest frame each time until the camera is closed; no frames while it is lost."""
        index, last = 0, 0
        fresh_s = changed_s = time.monotonic()
        mark = -1
        tries = 0
        while not self._closed.is_set():
            now_s = time.monotonic()
            ring = self._ring
            got = ring.read() if ring is not None and ring.newest != last else None
            if got is not None:
                last, taken_s, image = got
                fresh_s = now_s
                # Sums of a sparse grid: equal only when the driver repeats a picture.
                sum_now = int(image[::7, ::11].sum(dtype=np.int64))
                if sum_now != mark:
                    mark, changed_s = sum_now, now_s
                    tries = 0
                if now_s - changed_s < _FROZEN_S:
                    yield Frame(image, taken_s - self._start_s, index)
                    index += 1
                    continue
            reason = self._complaint()
            if reason is None and now_s - fresh_s > _STALE_S:
                reason = "no new picture for two seconds"
            if reason is None and now_s - changed_s > _FROZEN_S:
                reason = "the same picture again and again"
            if reason is None:
                self._closed.wait(0.003)
                continue
            self.state = "lost"
            self.message = f"camera '{self.name}' is lost: {reason}. Check its cable; it is started again by itself"
            self._kill()
            self._closed.wait(_PAUSES_S[min(tries, len(_PAUSES_S) - 1)])
            tries += 1
            if self._closed.is_set():
                break
            self.restarts += 1
            with contextlib.suppress(SourceError):
                self._open()
            last, mark = 0, -1
            fresh_s = changed_s = time.monotonic()
        self._kill()
        self.state = "closed"

    def close(self) -> None:
        """Stop the camera; its process is gone when this returns and nobody reads frames any more."""
        self._closed.set()
        if self.state != "closed" and self._process is not None:
            self._process.terminate()
