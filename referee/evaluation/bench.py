"""How long each stage of `referee run` takes on a film, beside the detector network alone in the same run.

The real parts are timed while the real pipeline runs; only the decoder, which works in a thread beside, is timed alone.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..game.events import Event
from ..game.match import Match, evolve
from ..game.variant import get_variant
from ..journal import Journal
from ..layout import TableLayout
from ..pipeline import Health, Referee, Wish
from ..store import Store
from ..tracking.tracker import Tracker
from ..vision.detector import YoloDetector
from ..vision.eye import TableEye, Timings
from ..vision.frames import Frame, Observation
from ..vision.identifier import CardReader
from ..vision.sources import Film
from .engine import bench_engine

_DECODED_FRAMES = 150
_BASELINE_PASSES = 40


class FirstPart:
    """The first seconds of a film."""

    live = False

    def __init__(self, film: Film, seconds: float | None) -> None:
        self._film, self._seconds = film, seconds
        self.name, self.size_px = film.name, film.size_px

    def frames(self) -> Iterable[Frame]:
        """Give its frames."""
        for frame in self._film.frames():
            if self._seconds is not None and frame.time_s > self._seconds:
                return
            yield frame

    def close(self) -> None:
        """Close the film."""
        self._film.close()


class _TimedTracker(Tracker):
    """A tracker whose time counts as the stage `track`; judging is part of it."""

    timings: Timings

    def update(self, observation: Observation) -> list[Event]:
        with self.timings.stage("track"):
            return super().update(observation)


class _TimedJournal(Journal):
    """A journal whose time counts as the stage `store`."""

    timings: Timings

    def append(self, events: Sequence[Event]) -> None:
        with self.timings.stage("store"):
            super().append(events)


class _QuietBoard:
    """A board that nobody looks at: it only folds the match, the stage `match`."""

    def __init__(self, timings: Timings) -> None:
        self._match = Match.new()
        self._timings = timings

    def match(self) -> Match:
        return self._match

    def append(self, event: Event) -> None:
        with self._timings.stage("match"):
            self._match = evolve(self._match, event)

    def report(self, health: Health) -> None:
        """Nobody asks."""

    def next_wish(self, timeout_s: float) -> Wish | None:
        return None


@dataclass(frozen=True, slots=True)
class BenchResult:
    """What was measured, all times in milliseconds.

    Parameters
    ----------
    stages_ms
        Mean of each stage over all frames; `decode` alone, the others while the pipeline ran.
    fps
        Frames a second of the whole, decoding beside.
    detect_pass_ms
        A detector pass with its pre- and post-processing, mean of those that were run.
    passes_share
        Share of frames in which the detector had to run.
    crops_per_frame
        Cards read, per frame.
    baseline_ms
        The detector network alone on the same view, median, after the run.
    baseline
        What the baseline is.
    """

    film: str
    frames: int
    stages_ms: dict[str, float]
    fps: float
    detect_pass_ms: float
    passes_share: float
    crops_per_frame: float
    baseline: str
    baseline_ms: float
    judge_us: float
    memory_mb: float

    def as_json(self) -> dict[str, Any]:
        """Give every figure, rounded, in a form that JSON takes."""
        return {
            "film": self.film,
            "frames": self.frames,
            "fps": round(self.fps, 1),
            "stages_ms": {name: round(value, 3) for name, value in self.stages_ms.items()},
            "detect_pass_ms": round(self.detect_pass_ms, 2),
            "passes_share": round(self.passes_share, 3),
            "crops_per_frame": round(self.crops_per_frame, 2),
            "baseline": {"name": self.baseline, "ms": round(self.baseline_ms, 2)},
            "judge_us_per_move": round(self.judge_us, 2),
            "memory_mb": round(self.memory_mb),
        }


def peak_memory_mb() -> float:
    """Give the most memory that this process has held; 0 where the system doesn't tell (Windows)."""
    try:
        import resource
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1024


def _decode_ms(path: Path) -> float:
    """Time decoding alone, conversion to BGR included."""
    film = Film(path)
    begin = time.perf_counter()
    count = sum(1 for _ in itertools.islice(film.frames(), _DECODED_FRAMES))
    return (time.perf_counter() - begin) * 1e3 / max(1, count)


def _baseline_ms(detector: YoloDetector, picture: np.ndarray[Any, Any]) -> float:
    """Time the detector network alone, without letterbox or decoding of its output."""
    times = []
    for _ in range(_BASELINE_PASSES):
        begin = time.perf_counter()
        detector.network(picture[None])
        times.append((time.perf_counter() - begin) * 1e3)
    return float(np.median(times))


def bench_film(path: Path, layout: TableLayout, seconds: float | None = None) -> BenchResult:
    """Run the whole pipeline on a film, with a store on the disk, and time its stages.

    Parameters
    ----------
    seconds
        Only the film's first seconds; None runs all of it.

    Raises
    ------
    SourceError, ModelError, EyeError
        If the film or the models can't be used, or the film doesn't fit the layout.
    """
    decode_ms = _decode_ms(path)
    detector = YoloDetector()
    eye = TableEye(layout, detector, CardReader())
    ids = itertools.count(1)
    tracker = _TimedTracker(layout, get_variant("official"), ids)
    source = FirstPart(Film(path), seconds)
    first = next(iter(Film(path).frames()))
    # Compiling the networks for their shapes is start-up, not part of a frame.
    TableEye(layout, detector, CardReader()).observe(first)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        journal = _TimedJournal(store, store.begin_game(path.name))
        tracker.timings = journal.timings = eye.timings
        referee = Referee(source, eye, tracker, _QuietBoard(eye.timings), ids, journal=journal)
        begin = time.perf_counter()
        referee.run(threading.Event())
        elapsed_s = time.perf_counter() - begin
        store.close()
    assert eye.picture is not None
    view = eye.picture
    timings = eye.timings
    stages = {"decode": decode_ms, **timings.per_frame_ms()}
    return BenchResult(
        film=path.name,
        frames=referee.frames,
        stages_ms=stages,
        fps=referee.frames / elapsed_s,
        detect_pass_ms=timings.total_ms.get("detect", 0.0) / max(1, timings.passes),
        passes_share=timings.passes / max(1, timings.frames),
        crops_per_frame=timings.crops / max(1, timings.frames),
        baseline=f"detector network alone, {view.shape[1]}x{view.shape[0]} px, {detector.network.runtime}",
        baseline_ms=_baseline_ms(detector, view),
        judge_us=bench_engine(20_000)["us_per_move"],
        memory_mb=peak_memory_mb(),
    )
