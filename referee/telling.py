"""What a run prints: each ruling as it is made, and the score at the end; and the annotated film."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .game.event_types import BlitzSeen, Event, Ruled
from .game.match import Match
from .layout import TableLayout
from .pile_names import PileNames
from .vision.frames import Frame, Image, Observation
from .vision.overlay import Overlay
from .web.board import build_badge
from .web.language import get_language
from .web.live import LiveGame
from .web.rulings import build_rulings

_LINES = 5
_LONG_SIDE_PX = 1280


class Telling:
    """Turns events into sentences; a listener of the pipeline.

    Parameters
    ----------
    game
        The match that the events belong to.
    console
        Where they are printed; None prints nothing.
    """

    def __init__(self, game: LiveGame, console: Console | None) -> None:
        self._game = game
        self._console = console
        self.lines: list[tuple[str, str]] = []
        """The last sentences with their tone, for the annotated film."""

    def __call__(self, frame: Frame, observation: Observation, events: Sequence[Event]) -> None:
        """Tell what a frame brought."""
        for event in events:
            said = self._sentence(event)
            if said is None:
                continue
            text, tone = said
            self.lines = [*self.lines[1 - _LINES :], said]
            if self._console is not None:
                style = {"bad": "bold red", "doubt": "yellow", "good": "green"}[tone]
                self._console.print(f"[dim]{event.time_s:7.2f} s[/]  [{style}]{escape(text)}[/]", highlight=False)

    def _sentence(self, event: Event) -> tuple[str, str] | None:
        match = self._game.match()
        if isinstance(event, BlitzSeen):
            return f"Blitz! {_name(match, event.seat)} has emptied the Blitz Pile", "good"
        if not isinstance(event, Ruled) or match.round is None:
            return None
        language = get_language("en")
        badges = {seat.number: build_badge(seat, language) for seat in match.seats}
        view = next((item for item in build_rulings(match.round, badges, language) if item.move == event.move), None)
        if view is None:
            return None
        who = f"{view.seat_words}" + (f" ({view.who.name})" if view.who is not None else "")
        if not event.violations:
            return f"{who}: {view.what}: settled", "good"
        remedy = f": {view.remedy}" if view.remedy else ""
        doubt = "" if view.state == "open" else " (doubtful)"
        return f"{who}: {view.what}{remedy}{doubt}", "bad" if view.state == "open" else "doubt"


def _name(match: Match, seat: int) -> str:
    return next((item.name for item in match.seats if item.number == seat), f"Seat {seat}")


def print_scores(match: Match, console: Console) -> None:
    """Print the score of the last round, and the totals."""
    round_ = match.round
    if round_ is None:
        console.print("No play was seen: no round, no score.")
        return
    table = Table(title=f"Round {round_.number}" + ("" if round_.is_over else ", in the middle of play"))
    for title in ("Seat", "Name", "Deck", "Dutch", "Blitz left", "Points", "Total", "Sure"):
        table.add_column(title, justify="left" if title in ("Name", "Deck") else "right")
    seats = {seat.number: seat for seat in match.seats}
    for row in round_.score():
        seat = seats[row.seat]
        table.add_row(
            str(row.seat), escape(seat.name), seat.deck, str(row.dutch), str(row.blitz), f"{row.score:+d}",
            f"{seat.total:+d}", "yes" if row.sure else "no",
        )  # fmt: skip
    console.print(table)


class Annotator:
    """Writes the film again with everything drawn on it that was seen and said; a listener of the pipeline.

    Parameters
    ----------
    path
        An .mp4 file; H.264, at most 1280 px wide.
    telling
        Has the sentences; it must be called before.
    """

    def __init__(self, path: Path, layout: TableLayout, size_px: tuple[int, int], telling: Telling) -> None:
        import av

        ratio = min(1.0, _LONG_SIDE_PX / max(size_px))
        self._size = (int(size_px[0] * ratio) // 2 * 2, int(size_px[1] * ratio) // 2 * 2)
        self._overlay = Overlay(layout, self._size)
        self._telling = telling
        self._piles = PileNames()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._container = av.open(str(path), "w", options={"movflags": "faststart"})
        stream: Any = self._container.add_stream("libx264", rate=30, options={"preset": "veryfast", "crf": "25"})
        stream.width, stream.height = self._size
        stream.pix_fmt = "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, 90_000)
        self._stream = stream
        self._last_pts = -1
        self._banner = ""

    def __call__(self, frame: Frame, observation: Observation, events: Sequence[Event]) -> None:
        """Draw and write one frame."""
        import av

        self._piles.note(events)
        for event in events:
            if isinstance(event, BlitzSeen):
                self._banner = f"Blitz: seat {event.seat}"
        marks, lines = self._piles.marks, self._telling.lines
        picture: Image = self._overlay.draw(frame.image, observation, marks, lines, self._banner)
        written = av.VideoFrame.from_ndarray(picture, format="bgr24")
        written.pts = self._last_pts = max(self._last_pts + 1, round(frame.time_s * 90_000))
        written.time_base = Fraction(1, 90_000)
        self._container.mux(self._stream.encode(written))

    def close(self) -> None:
        """Finish the file."""
        with contextlib.suppress(Exception):
            self._container.mux(self._stream.encode(None))
        self._container.close()
