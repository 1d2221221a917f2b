"""A small table for tests of tracking: cards are laid, taken and covered by hand, and seen without errors."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from referee.game.events import Event
from referee.game.variant import get_variant
from referee.layout import Pose, SeatLayout, TableLayout
from referee.tracking.tracker import Tracker
from referee.vision.frames import Detection, Observation, Reach, Reading
from referee.vision.geometry import card_quad

CARD_MM = (57.0, 89.0)
STEP_S = 1 / 15


def make_layout() -> TableLayout:
    """Give a table for two on a wide side each, with two Post Piles."""
    near, far = 300.0, -300.0

    def seat(y: float, turn: float, side: float, deck: str) -> SeatLayout:
        def pose(x: float) -> Pose:
            return Pose(x * side, y, turn)

        area = ((-400.0, y - 80), (400.0, y - 80), (400.0, y + 80), (-400.0, y + 80))
        return SeatLayout(deck, deck, area, (pose(-70), pose(0)), pose(70), pose(-140))

    return TableLayout(
        card_mm=CARD_MM,
        image_size_px=(1280, 720),
        px_from_mm=((1.0, 0.0, 640.0), (0.0, 1.0, 360.0), (0.0, 0.0, 1.0)),
        dutch_mm=((-400.0, -200.0), (400.0, -200.0), (400.0, 200.0), (-400.0, 200.0)),
        seats=(seat(near, 0.0, 1.0, "green-pump"), seat(far, 180.0, -1.0, "yellow-pail")),
    )


@dataclass
class Script:
    """The table as it lies, and the tracker that watches it."""

    layout: TableLayout = field(default_factory=make_layout)
    tracker: Tracker | None = None
    now_s: float = 0.0
    cards: dict[str, tuple[str, Pose, str]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    sharp: bool = True
    scale: dict[str, float] = field(default_factory=dict)
    below: dict[str, str] = field(default_factory=lambda: {"s1b": "Y4", "s2b": "G5"})
    """What comes to light when a card is taken, once."""

    def __post_init__(self) -> None:
        self.tracker = self.tracker or Tracker(self.layout, get_variant("official"))

    def lay(self, name: str, label: str, x: float, y: float, angle: float = 0.0) -> None:
        """Lay a card (or move it); `name` tells cards of one face apart."""
        self.cards.pop(name, None)
        kind = "back" if label.startswith("back:") else "face"
        self.cards[name] = (label, Pose(x, y, angle), kind)

    def take(self, name: str) -> None:
        """Take a card away."""
        del self.cards[name]

    def deal(self) -> None:
        """Lay out both seats: Post Piles R9, G9 and B7, Y7, Blitz tops R1 and B1."""
        for seat, labels in ((1, ("R9", "G9", "R1")), (2, ("B7", "Y7", "B1"))):
            place = self.layout.seats[seat - 1]
            for slot, pose in enumerate(place.post_mm):
                self.lay(f"s{seat}p{slot + 1}", labels[slot], *pose)
            self.lay(f"s{seat}b", labels[2], *place.blitz_mm)

    def wait(self, seconds: float, arms: tuple[tuple[int, float, float], ...] = ()) -> list[Event]:
        """Let time pass; `arms` are (seat, x, y) of finger tips. Gives the events of that time."""
        said: list[Event] = []
        assert self.tracker is not None
        for _ in range(max(1, round(seconds / STEP_S))):
            self.now_s += STEP_S
            reaches = tuple(_arm(*arm) for arm in arms)
            seen = []
            for name, (label, pose, kind) in self.cards.items():
                if any(_covers(reach, pose) for reach in reaches) or self._is_below(name):
                    continue
                reading = Reading(None if label == "?" else label, 0.97)
                seen.append(Detection(card_quad(pose, CARD_MM), kind, 0.95, reading, self.scale.get(name, 1.0)))
            said += self.tracker.update(Observation(self.now_s, tuple(seen), reaches, self.sharp))
        self.events += said
        return said

    def _is_below(self, name: str) -> bool:
        names = list(self.cards)
        pose = self.cards[name][1]
        later = [self.cards[other][1] for other in names[names.index(name) + 1 :] if other not in self.scale]
        return any(abs(pose.x_mm - other.x_mm) < 22 and abs(pose.y_mm - other.y_mm) < 30 for other in later)

    def play(self, seat: int, taken: str, x: float, y: float, angle: float = 4.0) -> list[Event]:
        """Let a seat carry a card from where it lies to a place; gives the events until a second later.

        There it is called by its old name with a prime.
        """
        label, pose, _ = self.cards[taken]
        said = self.wait(0.3, ((seat, pose.x_mm, pose.y_mm),))
        self.take(taken)
        if taken in self.below:
            self.lay(taken, self.below.pop(taken), *pose)
        said += self.wait(0.3, ((seat, (pose.x_mm + x) / 2, (pose.y_mm + y) / 2),))
        self.lay(taken + "'", label, x, y, angle)
        said += self.wait(0.2, ((seat, x, y),))
        return said + self.wait(1.2)


def _arm(seat: int, x: float, y: float) -> Reach:
    root = 420.0 if seat == 1 else -420.0
    outline = np.array([[x - 40, y], [x + 40, y], [x + 40, root], [x - 40, root]], dtype=np.float32)
    return Reach(outline, (x, root), (x, y), seat)


def _covers(reach: Reach, pose: Pose) -> bool:
    left, right = reach.outline_mm[:, 0].min(), reach.outline_mm[:, 0].max()
    top, bottom = reach.outline_mm[:, 1].min(), reach.outline_mm[:, 1].max()
    return bool(left - 20 < pose.x_mm < right + 20 and top - 20 < pose.y_mm < bottom + 20)


@pytest.fixture
def table() -> Script:
    """Give a table that has just been dealt, and watched for a second."""
    script = Script()
    script.deal()
    script.wait(1.0)
    return script


@pytest.fixture
def start_at_ten() -> Script:
    """Give a table whose signal comes at ten seconds."""
    layout = make_layout()
    script = Script(layout, Tracker(layout, get_variant("official"), start_at_s=10.0))
    script.deal()
    script.wait(1.0)
    return script
