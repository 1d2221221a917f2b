"""What `calibrate` and `doctor` do: lay out a table from a source, say whether this installation is sound."""

from __future__ import annotations

import os
import platform
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import numpy as np

from ..layout import TableLayout, format_layout
from .calibrate import LEAST_PX_PER_MM, collect_quads, propose_layout, px_per_mm
from .commands import VisionProblem, problems, save_picture
from .frames import Image, Reading
from .geometry import card_quad, picture_from_mm
from .inference import ModelError
from .overlay import Mark, Overlay, draw_card
from .photo import PhotoReader
from .plane import CalibrationError
from .sources import Film, ImageFolder, open_source
from .webcam import Webcam, find_cameras

_LOOK_S, _EVERY_S = 3.0, 0.5


def sample_frames(source: Film | ImageFolder | Webcam, at_s: float) -> list[Image]:
    """Give a few frames from `at_s` on, half a second apart over three seconds."""
    images: list[Image] = []
    next_s = at_s
    try:
        for frame in source.frames():
            if frame.time_s >= next_s:
                images.append(frame.image)
                next_s = frame.time_s + _EVERY_S
            if frame.time_s >= at_s + _LOOK_S:
                break
    finally:
        source.close()
    return images


def draw_layout(image: Image, layout: TableLayout) -> Image:
    """Draw every area and pile of a layout on a picture."""
    import cv2

    picture = image.copy()
    areas = [layout.dutch_mm, *(seat.area_mm for seat in layout.seats)]
    for n, area in enumerate(areas):
        points = np.round(picture_from_mm(layout, np.array(area))).astype(np.int32)
        color = (90, 200, 90) if n == 0 else (230, 170, 90)
        cv2.polylines(picture, [points], True, color, 3, cv2.LINE_AA)
    marks = [Mark("Dutch Piles", (0.0, 0.0), "good")]
    for pile, pose in layout.poses().items():
        quad = picture_from_mm(layout, card_quad(pose, layout.card_mm)).astype(np.float32)
        draw_card(picture, quad, "face", Reading(None, 0.0), faint=True)
        marks.append(Mark(str(pile), (pose.x_mm, pose.y_mm)))
    return Overlay(layout).draw(picture, None, marks)


def calibrate_source(text: str, out: Path, seats: int, card_mm: tuple[float, float], at_s: float) -> Iterator[str]:
    """Propose a layout from a source, write it with a picture beside it, and give the lines to print.

    Raises
    ------
    VisionProblem
        If the source, the models or the cards in view can't be used.
    """
    with problems():
        images = sample_frames(open_source(text), at_s)
        if not images:
            raise VisionProblem(f"{text}: it ends before {at_s:g} s: choose an earlier moment with --at")
        quads = collect_quads(images, PhotoReader())
        size = (images[0].shape[1], images[0].shape[0])
        try:
            layout, plane = propose_layout(quads, size, seats, card_mm)
        except CalibrationError as error:
            raise VisionProblem(f"{text}: {error}") from error
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(format_layout(layout), encoding="utf-8")
        picture = out.with_suffix(".jpg")
        save_picture(draw_layout(images[0], layout), picture)
    yield f"{out}: {seats} seats from {plane.cards} cards, edges fit within {plane.error_mm:.1f} mm; look at {picture}"
    for name, scale in px_per_mm(layout).items():
        advice = (
            "" if scale >= LEAST_PX_PER_MM else ": too little for numerals; move closer or choose a higher resolution"
        )
        yield f"  {name}: {scale:.2f} px/mm{advice}"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: `level` is `ok`, `warn` (works with limits) or `bad`."""

    name: str
    level: str
    says: str


def _versions() -> Check:
    names = ("openvino", "opencv-python", "av", "numpy", "flask", "waitress")
    found = []
    for name in names:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            found.append(f"{name} -")
    return Check("packages", "ok", f"Python {platform.python_version()}, {', '.join(found)}")


def _models() -> Iterator[Check]:
    from .detector import YoloDetector
    from .identifier import CardReader
    from .selftest import run_selftest

    try:
        detector, reader = YoloDetector(), CardReader()
        said = run_selftest(detector, reader)
    except ModelError as error:
        yield Check("models", "bad", str(error))
        return
    yield Check("models", "ok", f"{said}; {detector.network.runtime}")
    view = np.full((480, 640, 3), 114, dtype=np.uint8)
    crops = [view[:144, :96]] * 8
    times_ms = []
    for work in (lambda: detector.detect(view), lambda: reader.scores(crops, both_ways=False)):
        work()
        spent = []
        for _ in range(7):
            begin = time.perf_counter()
            work()
            spent.append((time.perf_counter() - begin) * 1e3)
        times_ms.append(float(np.median(spent)))
    slow = times_ms[0] > 30
    advice = ": live play needs 30 ms; close other programs" if slow else ""
    says = f"a pass over the table {times_ms[0]:.0f} ms, 8 cards {times_ms[1]:.1f} ms on {os.cpu_count()} cores{advice}"
    yield Check("speed", "warn" if slow else "ok", says)


def _cameras() -> Check:
    if not sys.platform.startswith("linux"):
        return Check("cameras", "ok", "listed only on Linux: try `referee run 0`")
    known = find_cameras()
    if not known:
        return Check("cameras", "warn", "none connected: plug one in, or referee films")
    return Check("cameras", "ok", ", ".join(f"{index} ({name})" for index, name in known.items()))


def _port(port: int) -> Check:
    with socket.socket() as probe:
        try:
            probe.bind(("", port))
        except OSError as error:
            return Check("port", "warn", f"{port}: {error.strerror}: another program has it; use --port")
    return Check("port", "ok", f"{port} is free")


def _data(folder: Path) -> Check:
    place = folder
    while not place.exists():
        place = place.parent
    free_gb = shutil.disk_usage(place).free / 1e9
    if not os.access(place, os.W_OK):
        return Check("data", "bad", f"{folder} can't be written: choose another one with --data")
    if free_gb < 1:
        return Check("data", "warn", f"{folder}: only {free_gb:.1f} GB free: a game with its clips needs up to 1 GB")
    return Check("data", "ok", f"{folder}: {free_gb:.0f} GB free")


def examine(port: int = 8000) -> Iterator[Check]:
    """Look at everything that a game needs, one check after the other; nothing is changed."""
    import platformdirs

    yield _versions()
    yield from _models()
    yield _cameras()
    yield _port(port)
    yield _data(Path(platformdirs.user_data_dir("referee")))
