"""A short clip for every ruling: a ring of small JPEGs, encoded beside once the moment after has passed too.

Four seconds of raw 1080p are 746 MB, of these JPEGs about 3 MB. Knows no rules: a clip belongs to a move's number.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from .game.event_types import Event, Ruled
from .vision.frames import Frame, Observation

CLIP_PX = (960, 540)
CLIP_FPS = 15
BEFORE_S, AFTER_S = 2.0, 1.5
QUALITY = 80
_RING_S = 6.0
_TIME_BASE = Fraction(1, 90_000)


def clips_of(data: Path, game: int) -> Path:
    """Give the folder with the clips of one game of the log in the folder `data`."""
    return data / "clips" / f"game-{game}"


Picture = tuple[float, bytes]
"""Time in seconds and a JPEG."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    name: str
    from_s: float
    until_s: float


class Evidence:
    """Keeps the last seconds and writes a clip for each ruling; a listener of the pipeline.

    Parameters
    ----------
    folder
        Says where the clips of the game that is played now go: `move-17.mp4` for move 17.
    """

    def __init__(self, folder: Callable[[], Path]) -> None:
        self._folder = folder
        self._ring: deque[Picture] = deque()
        self._wanted: list[_Wanted] = []
        self._jobs: queue.Queue[tuple[Path, list[Picture]] | None] = queue.Queue()
        self._next_s = float("-inf")
        self.failed = ""
        self._worker = threading.Thread(target=self._work, name="evidence", daemon=True)
        self._worker.start()

    def __call__(self, frame: Frame, observation: Observation, events: Sequence[Event]) -> None:
        """Take in one frame and what was said of it."""
        if frame.time_s >= self._next_s:
            # A little less than a step, so that 30 frames a second give every second one in spite of rounding.
            self._next_s = frame.time_s + 0.9 / CLIP_FPS
            self._keep(frame)
        for event in events:
            if isinstance(event, Ruled) and event.violations:
                name = f"move-{event.move}.mp4"
                if all(item.name != name for item in self._wanted):
                    self._wanted.append(_Wanted(name, event.time_s - BEFORE_S, event.seen_s + AFTER_S))
        self._cut(frame.time_s)

    def _keep(self, frame: Frame) -> None:
        height, width = frame.image.shape[:2]
        ratio = min(CLIP_PX[0] / width, CLIP_PX[1] / height, 1.0)
        size = max(2, int(width * ratio) // 2 * 2), max(2, int(height * ratio) // 2 * 2)
        small = cv2.resize(frame.image, size, interpolation=cv2.INTER_AREA)
        done, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if done:
            self._ring.append((frame.time_s, data.tobytes()))
        while self._ring and frame.time_s - self._ring[0][0] > _RING_S:
            self._ring.popleft()

    def _cut(self, now_s: float) -> None:
        for item in [item for item in self._wanted if item.until_s <= now_s]:
            self._wanted.remove(item)
            pictures = [picture for picture in self._ring if item.from_s <= picture[0] <= item.until_s]
            if pictures:
                self._jobs.put((self._folder() / item.name, pictures))

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            path, pictures = job
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_clip(path, pictures)
            except Exception as error:  # noqa: BLE001 - a clip that can't be written must never stop the game
                self.failed = f"{path}: no clip could be written: {error}"

    def close(self) -> None:
        """Write the clips that are still wanted and wait for them."""
        self._cut(float("inf"))
        self._jobs.put(None)
        self._worker.join(timeout=30)


def write_clip(path: Path, pictures: Sequence[Picture]) -> None:
    """Write JPEGs as an H.264 film with their own times; the file is there whole or not at all.

    Raises
    ------
    OSError
        If it can't be written.
    """
    import av

    unfinished = path.with_suffix(".part.mp4")
    try:
        with av.open(str(unfinished), "w", options={"movflags": "faststart"}) as container:
            stream: Any = None
            for time_s, data in pictures:
                image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
                if stream is None:
                    options = {"preset": "veryfast", "crf": "26"}
                    stream = container.add_stream("libx264", rate=CLIP_FPS, options=options)
                    stream.height, stream.width = image.shape[:2]
                    stream.pix_fmt = "yuv420p"
                    stream.codec_context.time_base = _TIME_BASE
                    stream.codec_context.thread_count = 1
                frame = av.VideoFrame.from_ndarray(image, format="bgr24")
                frame.pts = round((time_s - pictures[0][0]) * 90_000)
                frame.time_base = _TIME_BASE
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
        unfinished.replace(path)
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
