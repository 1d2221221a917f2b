"""Films a played round as a camera above the table would, and measures when each card could first be seen."""

from __future__ import annotations

from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import Protocol

import av
import cv2
import numpy as np

from ..vision.frames import Image
from .look import Look
from .play import Clock, Now, Script
from .sight import Ids, Sight, Watch
from .simulate import OutputError, Progress, whole_folder, write_truth
from .truth import true_frame

CRF = 29
"""x264's quality of a film: smaller is better and larger. 60 to 75 s at 1920x1080 take some 7 MB with `SMALL`."""
QUICK, SMALL = "veryfast", "medium"
"""x264's presets: the second takes three times as long for a quarter less."""


class FilmWriter:
    """Writes H.264 that browsers play.

    Parameters
    ----------
    path
        The file.
    size_px
        Width and height, both even.
    fps
        Frames a second.
    crf, preset
        x264's quality and effort.
    """

    def __init__(self, path: Path, size_px: tuple[int, int], fps: float, crf: float = CRF, preset: str = QUICK):
        rate = Fraction(fps).limit_denominator(1001)
        self._container = av.open(str(path), "w", options={"movflags": "+faststart"})
        self._stream = self._container.add_stream("libx264", rate=rate)
        self._stream.width, self._stream.height = size_px
        self._stream.pix_fmt = "yuv420p"
        # OpenCV converts with the matrix of BT.601; without the tag players take another one for HD.
        self._stream.options = {
            "crf": str(crf), "preset": preset, "g": str(max(1, round(fps * 10))),
            "x264-params": "colormatrix=smpte170m:colorprim=bt709:transfer=bt709",
        }  # fmt: skip
        self._stream.thread_count = 2
        self._time_base = 1 / rate
        self._stream.codec_context.time_base = self._time_base
        self._index = 0

    def write(self, image: Image) -> None:
        """Add one frame."""
        frame = av.VideoFrame.from_ndarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420), format="yuv420p")
        frame.pts = self._index
        frame.time_base = self._time_base
        self._index += 1
        for packet in self._stream.encode(frame):
            self._container.mux(packet)

    def close(self) -> None:
        """Write what is left and close the file."""
        for packet in self._stream.encode(None):
            self._container.mux(packet)
        self._container.close()


class FrameRenderer(Protocol):
    """Whoever draws the frames of one script, asked for in order of time."""

    def frame(self, now: Now) -> Image:
        """Draw a frame, BGR uint8."""
        ...

    def paint_arms(self, ids: Ids, now: Now) -> None:
        """Write the arms of the frame drawn last into a small picture of card numbers (see `sight`)."""
        ...


def write_film(
    script: Script, out: Path, renderer: FrameRenderer, fps: float = 30.0, *, crf: float = CRF, preset: str = QUICK,
    force: bool = False, frames: bool = False, progress: Progress = lambda share: None,
) -> None:  # fmt: skip
    """Write a round: `film.mp4`, `events.jsonl` (with exact `visible_s`), `layout.toml`, `moves.blitz`.

    With `frames` also `frames.jsonl`, where every card of every frame lies (see `truth.true_frame`).

    Raises
    ------
    OutputError
        If the folder can't be written, is somebody else's, or the disk is full.
    """
    clock = Clock(script)
    sight, watch = Sight(script, 4, renderer.paint_arms), Watch(script)
    with whole_folder(out, force) as work, ExitStack() as stack:
        lines = stack.enter_context((work / "frames.jsonl").open("w", encoding="utf-8")) if frames else None
        try:
            writer = FilmWriter(work / "film.mp4", script.seating.camera.size_px, fps, crf, preset)
            count = int(script.end_s * fps)
            for index in range(count):
                now = clock.at(index / fps)
                writer.write(renderer.frame(now))
                state, shares = sight.at(now.time_s)
                watch.see(state, shares)
                if lines is not None:
                    lines.write(true_frame(script, state, shares) + "\n")
                progress(index / count)
            writer.close()
        except av.error.FFmpegError as error:
            raise OutputError(f"{out}: the film can't be written ({error.strerror}): is the disk full?") from error
        write_truth(script, work, watch.visible_s)
    progress(1.0)


def sample_look(seed: int, *, heldout: bool = False, surface: str | None = None, family: str | None = None) -> Look:
    """Give the look of the film with this seed; see `Look.sample`."""
    rng = np.random.default_rng([seed, 4711])
    return Look.sample(rng, heldout=heldout, surface=surface, family=family)
