"""One picture of a heap taken apart: made flat, its designs found, and the cards that they explain taken off it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ..layout import Pose
from ..vision.detector import Found
from ..vision.frames import Image
from ..vision.geometry import card_quad, quad_size
from ..vision.identifier import Scores
from ..vision.plane import CalibrationError
from .flat import FlatView, flatten, refine_card
from .learn import Design, details_of_design, find_designs, relearn
from .likeness import Ground, Look
from .naming import FACE, UNKNOWN, Name
from .peel import Taken, peel
from .propose import Details, details_of, drop_doubles, vote
from .reading import BackReader
from .shading import correct_shading

Place = tuple[Pose, tuple[float, float]]
"""Where a card was proposed, and width and length of its box in mm."""

SURE_NAME = 0.75
"""From here on a design's name isn't doubted."""
_CLEAR_VOTES = 12


@dataclass(frozen=True, slots=True, eq=False)
class NamedDesign:
    """A design that was found, and whose it is.

    Parameters
    ----------
    look, details
        What its cards look like.
    name
        Whose they are.
    cards
        How many were seen.
    """

    look: Look
    details: Details
    name: Name
    cards: int

    @property
    def lends(self) -> bool:
        """Tell whether cards of it may be looked for in other pictures too."""
        return self.name.deck not in (FACE, UNKNOWN) and self.name.confidence >= SURE_NAME


@dataclass(frozen=True, slots=True, eq=False)
class Heap:
    """One picture of a heap.

    Parameters
    ----------
    image
        BGR uint8 (H, W, 3).
    found
        What the detector proposed, quads refined.
    scores, labels
        What the reader says of each.
    view, ground
        The picture made flat, finely and at 1 px/mm.
    places, details
        The proposals and the details of the flat view, in mm.
    designs
        What lies in it.
    """

    image: Image
    found: Sequence[Found]
    scores: Scores
    labels: Sequence[str | None]
    view: FlatView
    ground: Ground
    places: Sequence[Place]
    details: Details
    designs: Sequence[NamedDesign]


def look_at(image: Image, found: Sequence[Found], reader: BackReader) -> Heap:
    """Make a picture flat and find out which designs lie in it, and whose they are.

    Parameters
    ----------
    found
        What the detector proposes, at least one.
    """
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found = [(refine_card(gray, quad), kind, score) for quad, kind, score in found]
    scores = reader.read(image, [quad for quad, _, _ in found])
    labels = reader.label_each(scores)
    view, designs = _level(image, found, labels)
    ground = Ground.of(view)
    places = _places(view, found)
    details = details_of(view, places)
    poses = _propose(view, [details_of_design(view, design) for design in designs], details, places)
    taken, _ = peel(ground, poses, [design.look for design in designs])
    named = [
        NamedDesign(
            design.look,
            details_of_design(view, design),
            reader.name_design(image, view, ground, design, _labels_of(design, places, labels)),
            len(design.members),
        )
        for design in relearn(ground, designs, taken)
    ]
    return Heap(image, found, scores, labels, view, ground, places, details, named)


def explain(heap: Heap, designs: Sequence[NamedDesign]) -> tuple[list[Taken], npt.NDArray[np.uint8]]:
    """Take the cards of these designs off a heap: as `peel`."""
    decks = [f"{item.name.deck}-{n}" if item.name.deck == UNKNOWN else item.name.deck for n, item in enumerate(designs)]
    poses = _propose(heap.view, [item.details for item in designs], heap.details, heap.places)
    return peel(heap.ground, poses, [item.look for item in designs], decks)


def lend_designs(heaps: Sequence[Heap]) -> list[list[NamedDesign]]:
    """Give for each heap of one table its own designs, and the best of the others for decks that have none there.

    A deck of which no card lies clear in one picture is looked for all the same.
    """
    given = []
    for heap in heaps:
        own = {item.name.deck for item in heap.designs}
        others = [item for other in heaps for item in other.designs if item.lends and item.name.deck not in own]
        best = {item.name.deck: item for item in sorted(others, key=lambda item: item.cards)}
        given.append([*heap.designs, *best.values()])
    return given


def _level(image: Image, found: Sequence[Found], labels: Sequence[str | None]) -> tuple[FlatView, list[Design]]:
    """Make a picture flat: first by the boxes, then by what the cards of each design have in common."""
    quads = [quad for quad, _, _ in found]
    clear = [item for item in found if item[2] > 0.4] or list(found)
    view = flatten(image, [quad for quad, _, _ in clear], quads)
    view = correct_shading(view, _places(view, clear))
    designs = find_designs(Ground.of(view), _places(view, found), labels)
    exact = []
    details = details_of(view, _places(view, found))
    for design in designs:
        for item in vote(details, details_of_design(view, design)):
            if item.affine is not None:
                corners = card_quad(Pose(0.0, 0.0, 0.0), view.card_mm)
                mapped = corners @ item.affine[:, :2].T + item.affine[:, 2]
                exact.append(view.to_picture(mapped).astype(np.float32))
    if len(exact) >= 5:
        try:
            view = flatten(image, exact, quads, view.card_mm)
        except (CalibrationError, np.linalg.LinAlgError):
            return view, designs
        view = correct_shading(view, _places(view, clear))
        designs = find_designs(Ground.of(view), _places(view, found), labels)
    return view, designs


def _places(view: FlatView, found: Sequence[Found]) -> list[Place]:
    return [(view.pose(quad), quad_size(view.to_mm(quad))) for quad, _, _ in found]


def _labels_of(design: Design, places: Sequence[Place], labels: Sequence[str | None]) -> list[str]:
    """Give what the reader says of a design's cards, one by one, where it is sure that they are backs."""
    found = []
    for pose, _ in design.members:
        apart = [np.hypot(pose.x_mm - place.x_mm, pose.y_mm - place.y_mm) for place, _ in places]
        label = labels[int(np.argmin(apart))]
        if min(apart) < 12 and label is not None and label.startswith("back:"):
            found.append(label)
    return found


def _propose(view: FlatView, designs: Sequence[Details], details: Details, places: Sequence[Place]) -> list[Pose]:
    """Give every pose at which a card may lie, those that most details speak for first.

    A box that is too small may show one end or side of a card: then each way in which it could go on is proposed.
    """
    votes = [item for design in designs for item in vote(details, design)]
    votes.sort(key=lambda item: -item.details)
    poses = drop_doubles([item.pose for item in votes])
    clear = [item.pose for item in votes if item.details >= _CLEAR_VOTES]
    for pose, (width, length) in places:
        shifts = [(0.0, 0.0)]
        short, low = view.card_mm[0] - width, view.card_mm[1] - length
        near = [o for o in clear if np.hypot(pose.x_mm - o.x_mm, pose.y_mm - o.y_mm) < 20]
        known = bool(near)
        if any(
            abs((pose.angle_deg - o.angle_deg + 90) % 180 - 90) < 8
            and np.hypot(pose.x_mm - o.x_mm, pose.y_mm - o.y_mm) < 8
            for o in near
        ):
            continue
        if short > 4 and not known:
            shifts += [(short / 2, 0.0), (-short / 2, 0.0)]
        if low > 4 and not known:
            shifts += [(x, y) for x, _ in list(shifts) for y in (low / 2, -low / 2)]
        c, s = np.cos(np.radians(pose.angle_deg)), np.sin(np.radians(pose.angle_deg))
        poses += [
            Pose(float(pose.x_mm + x * c - y * s), float(pose.y_mm + x * s + y * c), pose.angle_deg) for x, y in shifts
        ]
    return drop_doubles(poses, 3.0, 5.0)
