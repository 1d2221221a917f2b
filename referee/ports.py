"""The seams of the program: what a part must offer to be plugged into the pipeline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from .game.events import Event
from .vision.frames import Frame, Image, Observation, Quad, Reach, Reading


class FrameSource(Protocol):
    """A camera, a film, a folder of pictures or a rendered table."""

    name: str
    live: bool
    """A live source drops frames that come too fast; a film never does."""
    size_px: tuple[int, int]
    """Width and height of its frames."""

    def frames(self) -> Iterator[Frame]:
        """Give frames in order of time until the source ends or is closed."""

    def close(self) -> None:
        """Release the device or file; safe to call twice, from another thread too."""


class CardDetector(Protocol):
    """Finds cards in a picture."""

    def detect(self, image: Image) -> list[tuple[Quad, str, float]]:
        """Give (quad px, `face` or `back`, confidence 0..1) of each card in the picture, best first."""


class CardIdentifier(Protocol):
    """Reads cards."""

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        """Read each upright card crop, BGR uint8 (144, 96, 3)."""


class ReachDetector(Protocol):
    """Finds arms over the table."""

    def detect(self, frame: Frame) -> list[Reach]:
        """Give everything that moves or covers the table in this frame."""


class Eye(Protocol):
    """Everything that turns a frame into an observation."""

    def observe(self, frame: Frame) -> Observation:
        """See one frame."""


class EventSink(Protocol):
    """Anything that takes events: the store, a file, the web."""

    def append(self, event: Event) -> None:
        """Take one event; it is durable (if the sink is) when this returns."""
