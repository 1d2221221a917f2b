"""Writes a played round into a folder: film or detections, truth, layout and notation; all of it or nothing."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..game.events import to_json
from ..layout import format_layout
from .noise import Noise, format_observation, observe
from .play import Script
from .sight import first_visible
from .truth import true_events, true_moves

FILES = frozenset({"film.mp4", "frames.jsonl", "detections.jsonl", "events.jsonl", "layout.toml", "moves.blitz"})
Progress = Callable[[float], None]
"""Is told the share that is done, 0..1."""


class OutputError(OSError):
    """A folder that can't be written; the message says why and what to do."""


@contextmanager
def whole_folder(out: Path, force: bool) -> Iterator[Path]:
    """Give an empty folder that takes the place of `out` once everything in it is written.

    Raises
    ------
    OutputError
        If `out` holds files of somebody else and `force` isn't given, or it can't be written.
    """
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out} is a file: choose a folder")
    try:
        strangers = sorted({item.name for item in out.iterdir()} - FILES) if out.exists() else []
        if strangers and not force:
            raise OutputError(f"{out} holds other files ({strangers[0]}): choose another folder or add --force")
        out.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{out.name}-", suffix=".unfinished", dir=out.parent))
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(f"{out}: {error.strerror or error}: choose a folder that can be written") from error
    try:
        yield work
        out.mkdir(exist_ok=True)
        for name in FILES:
            (out / name).unlink(missing_ok=True)
        # The log of events comes last: a folder without it isn't whole.
        for item in sorted(work.iterdir(), key=lambda path: path.name == "events.jsonl"):
            os.replace(item, out / item.name)
    except OutputError:
        raise
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "free some space or choose another disk" if full else "choose a folder that can be written"
        raise OutputError(f"{out}: {error.strerror or error}: {advice}") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def write_detections(
    script: Script, out: Path, seed: int, fps: float, *, force: bool = False, noise: Noise | None = None,
    progress: Progress = lambda share: None,
) -> None:  # fmt: skip
    """Write a round without a film: `detections.jsonl` from the noise model, and the truth.

    Raises
    ------
    OutputError
        As `whole_folder`.
    """
    with whole_folder(out, force) as work:
        with (work / "detections.jsonl").open("w", encoding="utf-8") as lines:
            for seen in observe(script, seed, fps, noise):
                lines.write(format_observation(seen) + "\n")
                progress(seen.time_s / script.end_s * 0.7)
        write_truth(script, work, first_visible(script, fps))
        progress(1.0)


def write_truth(script: Script, folder: Path, visible_s: dict[int, float]) -> None:
    """Write `events.jsonl`, `layout.toml` and `moves.blitz` into a folder."""
    events = true_events(script, visible_s)
    (folder / "events.jsonl").write_text("".join(to_json(event) + "\n" for event in events), encoding="utf-8")
    (folder / "layout.toml").write_text(format_layout(script.seating.layout()), encoding="utf-8")
    (folder / "moves.blitz").write_text(true_moves(script), encoding="utf-8")


def parse_size(text: str) -> tuple[int, int]:
    """Read a picture size such as `1920x1080`.

    Raises
    ------
    ValueError
        If it is none, or not even numbers from 160 to 7680.
    """
    width, cross, height = text.lower().partition("x")
    if not cross or not (width.isascii() and width.isdigit() and height.isascii() and height.isdigit()):
        raise ValueError(f"size '{text}': write width x height in pixels, such as 1920x1080")
    size = int(width), int(height)
    if any(side % 2 or not 160 <= side <= 7680 for side in size):
        raise ValueError(f"size '{text}': both sides must be even and between 160 and 7680")
    return size
