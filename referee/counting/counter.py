"""Counts the cards of one picture by their backs, and says where it can't tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from ..audit import Count
from ..decks import LearntBack
from ..game.cards import BACKS
from ..layout import Pose
from ..vision.detector import Found, YoloDetector
from ..vision.frames import Image, Quad
from ..vision.geometry import card_quad, iou_matrix, quad_size
from ..vision.identifier import CardReader, Scores, cut_crop
from ..vision.plane import CalibrationError
from ..vision.selftest import load_networks
from .flat import FlatView, flatten, refine_card
from .learn import Design, details_of_design, find_designs, relearn
from .likeness import Ground, inner
from .naming import (
    FACE,
    UNKNOWN,
    Name,
    choose_name,
    is_face,
    know_backs,
    name_by_likeness,
    name_by_reader,
    name_by_scores,
    name_each,
    pool,
    rate_eight,
    rate_learnt,
)
from .patches import find_patches
from .peel import LEAST_FREE, Taken, peel
from .propose import Details, details_of, drop_doubles, find_cards, vote
from .shading import correct_shading
from .templates import cut_around, name_by_templates

_SURE_SCORE, _SURE_MARGIN, _SURE_FREE = 0.6, 0.15, 0.4
_SURE_NAME, _SURE_LABEL, _SURE_LEARNT = 0.75, 0.75, 0.9
_CLEAR_VOTES = 12
_SAME_PLACE = 0.3
_MOST_SAY = 0.8
_EIGHT = frozenset(back.deck for back in BACKS)
_DOUBTFUL_CARD = 0.3
"""Confidence from which a proposal that nothing explains is a doubt."""
_SAME_CARD, _LEAST_SEEN = 0.5, 0.12
"""Overlap (IoU) with a card that explains a proposal; share of one that is surely read that must be unexplained."""
_LIKELY_CARD, _LIKELY_BACK, _LIKE_ITS_DECK = 0.75, 0.35, 0.4
"""What the detector and the reader say, and correlation with its deck, from which on such a proposal is counted."""


@dataclass(frozen=True, slots=True, eq=False)
class CountedCard:
    """One card that was counted.

    Parameters
    ----------
    quad_px
        (4, 2) float32 px of the picture.
    deck
        Whose it is; None for a card that lies face up, or a back that no deck here has.
    face
        Whether it lies face up.
    sure
        Whether there is no doubt about it.
    """

    quad_px: Quad
    deck: str | None
    face: bool
    sure: bool


@dataclass(frozen=True, slots=True, eq=False)
class Doubt:
    """A place where it can't be told what lies there: a polygon (N, 2) px, and why."""

    outline_px: npt.NDArray[np.float32]
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """All that was made of one picture."""

    cards: tuple[CountedCard, ...]
    doubts: tuple[Doubt, ...]

    @property
    def count(self) -> Count:
        """Give the numbers."""
        decks = Counter(card.deck for card in self.cards if card.deck is not None)
        faces = sum(card.face for card in self.cards)
        unread = sum(card.deck is None and not card.face for card in self.cards)
        unsure = sum(not card.sure and card.deck is not None for card in self.cards)
        return Count(dict(decks), unread, faces, len(self.doubts) + unsure)

    @property
    def sure(self) -> bool:
        """Tell whether nothing about the count is doubtful."""
        return self.count.sure


class CardCounter:
    """Counts cards.

    Parameters
    ----------
    learnt
        Backs of this table; without any, the eight designs are read.
    detector, reader
        The networks; None takes the shipped ones.
    """

    def __init__(
        self, learnt: Sequence[LearntBack] = (), detector: YoloDetector | None = None, reader: CardReader | None = None
    ) -> None:
        if detector is None or reader is None:
            shipped = load_networks()
            detector, reader = detector or shipped[0], reader or shipped[1]
        self._detector, self._reader = detector, reader
        self._learnt = know_backs(reader, learnt)
        self._learnt_decks = frozenset(deck.name for deck in learnt)

    def find(self, image: Image) -> list[Found]:
        """Find cards without counting them, best first."""
        return find_cards(self._detector, image)

    def read(self, image: Image, quads: Sequence[Quad]) -> Name:
        """Say which of the eight decks cards of one design are of."""
        return name_by_reader(self._reader, [cut_crop(image, quad) for quad in quads])

    def rate_backs(self, image: Image, quads: Sequence[Quad]) -> list[float]:
        """Say how surely each place shows the back of a card, 0..1: the reader tells the sides better than `find`."""
        scores = self._reader.scores([cut_crop(image, quad) for quad in quads])
        return [float(sure) for sure in scores.kind[:, 1]]

    def count(self, image: Image, belongs: Callable[[Quad], bool] | None = None) -> Tally:
        """Count the cards of a picture.

        Parameters
        ----------
        belongs
            Says of a quad (px) whether it lies where cards are to be counted; None counts everywhere.
        """
        found = self.find(image)
        if belongs is not None:
            found = [item for item in found if belongs(item[0])]
        if not found:
            return Tally((), ())
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        found = [(refine_card(gray, quad), kind, score) for quad, kind, score in found]
        scores = self._reader.scores([cut_crop(image, quad) for quad, _, _ in found])
        labels = self._labels(scores)
        view, designs = _level(image, found, labels)
        ground = Ground.of(view)
        places = _places(view, found)
        details = details_of(view, places)
        taken, _ = peel(ground, _propose(view, designs, details, places), [design.look for design in designs])
        designs = relearn(ground, designs, taken)
        names = [self._name(image, view, ground, design, _labels_of(design, places, labels)) for design in designs]
        decks = [f"{name.deck}-{n}" if name.deck == UNKNOWN else name.deck for n, name in enumerate(names)]
        poses = _propose(view, designs, details, places)
        taken, free = peel(ground, poses, [design.look for design in designs], decks)
        cards = [_card(view, item, names[item.design]) for item in taken]
        left, faces = self._left_over(view, ground, found, scores, free, cards, labels)
        poses = [item.pose for item in taken] + [view.pose(found[n][0]) for n in left]
        masks = [item.mask for item in taken] + [ground.is_free(pose, free) for pose in poses[len(taken) :]]
        called = name_by_templates(
            [ground.crop(pose) for pose in poses],
            masks,
            self._beliefs(image, [view.quad_px(pose) for pose in poses], cards),
            [card.deck for card in cards] + [None] * len(left),
            {n: cut_around(ground, poses[n], free) for n in range(len(taken), len(poses))},
        )
        cards = [
            card if card.face else replace(card, deck=deck, sure=card.sure and deck == card.deck)
            for card, (deck, _) in zip(cards, called, strict=False)
        ]
        cards = _confirm(cards, found, labels, _EIGHT | self._learnt_decks)
        extra = [CountedCard(found[n][0], None, True, False) for n in faces]
        doubts = []
        for n, (deck, alike) in zip(left, called[len(taken) :], strict=True):
            back = scores.kind[n, 1] > _LIKELY_BACK
            if deck is not None and back and (alike >= _LIKE_ITS_DECK or labels[n] == f"back:{deck}"):
                # Most likely it is that; nobody is sure before it lies free.
                extra.append(CountedCard(found[n][0], deck, False, False))
            else:
                doubts.append(Doubt(found[n][0], "it can't be told what lies here: move these apart"))
        untold = free.copy()
        for quad in [card.quad_px for card in extra] + [doubt.outline_px for doubt in doubts]:
            ground.paint(view.pose(quad), untold, 0)
        reason = "this looks like a part of a card: move these apart"
        doubts += [Doubt(view.to_picture(outline), reason) for outline in find_patches(ground, free, untold)]
        cards += extra
        if belongs is not None:
            cards = [card for card in cards if belongs(card.quad_px)]
        return Tally(tuple(cards), tuple(doubts + _cut_off(image, cards)))

    def _labels(self, scores: Scores) -> list[str | None]:
        """Give what each proposal was read as: a face's label, or `back:` and the deck; None where that isn't sure."""
        readings = self._reader.decide(scores)
        labels = [item.label if item.confidence >= _SURE_LABEL else None for item in readings]
        for n, name in enumerate(name_each(scores.embedding, self._learnt)):
            if name is not None and not is_face(scores, n) and not self._is_spare(labels[n]):
                labels[n] = f"back:{name}"
        return labels

    def _name(self, image: Image, view: FlatView, ground: Ground, design: Design, labels: Sequence[str]) -> Name:
        best = sorted(design.members, key=lambda member: -int(member[1].sum()))[:6]
        whole = float(inner(ground.card_px).sum())
        shown = [member for member in best if member[1].sum() > 0.75 * whole] or best[:2]
        scores = self._reader.scores([cut_crop(image, view.quad_px(pose)) for pose, _ in shown])
        read = name_by_scores(scores)
        said = Counter(labels).most_common(1)
        if read.deck == UNKNOWN and said and said[0][1] >= max(2, _MOST_SAY * len(labels)):
            read = Name(said[0][0].removeprefix("back:"), said[0][1] / len(labels))
        if not self._learnt or read.deck == FACE:
            return read
        alike = name_by_likeness(design.look, pool(scores.embedding), self._learnt)
        return choose_name(read, alike, self._learnt_decks)

    def _beliefs(self, image: Image, quads: Sequence[Quad], cards: Sequence[CountedCard]) -> list[dict[str, float]]:
        """Give for each quad the probability of each deck, the eight and the learnt ones, that its back lies there.

        Parameters
        ----------
        cards
            What designs explain the first of the quads. A learnt deck's drawing, which its whole design shows, tells
            more than the reader, which never saw it.
        """
        scores = self._reader.scores([cut_crop(image, quad) for quad in quads])
        beliefs = []
        for eight, learnt in zip(rate_eight(scores), rate_learnt(scores, self._learnt), strict=True):
            spare = max((p for deck, p in eight.items() if deck not in self._learnt_decks), default=0.0)
            own = {deck: max(eight.get(deck, 0.0), likely * (1 - spare)) for deck, likely in learnt.items()}
            beliefs.append({**eight, **own})
        for n, card in enumerate(cards):
            if card.face:
                beliefs[n] = {}
            elif card.deck in self._learnt_decks:
                beliefs[n] = {card.deck: _SURE_LEARNT}
        return beliefs

    def _is_spare(self, label: str | None) -> bool:
        """Tell whether the reader names a back that isn't among the learnt ones."""
        return label is not None and label.startswith("back:") and label[5:] not in self._learnt_decks

    def _left_over(
        self, view: FlatView, ground: Ground, found: Sequence[Found], scores: Scores, free: npt.NDArray[np.uint8],
        cards: Sequence[CountedCard], labels: Sequence[str | None],
    ) -> tuple[list[int], list[int]]:  # fmt: skip
        """Give the proposals that none of the cards explains, and those of them that lie face up apart."""
        whole = float(inner(ground.card_px).sum())
        quads = np.array([quad for quad, _, _ in found])
        own = np.array([card.quad_px for card in cards]).reshape(-1, 4, 2)
        known = iou_matrix(quads, own).max(axis=1, initial=0.0) > _SAME_CARD
        left, faces = [], []
        for n, (quad, _, confidence) in enumerate(found):
            share = float(ground.is_free(view.pose(quad), free).sum()) / whole
            # A card above it may have been taken for more than it is: what is clearly seen counts all the same.
            least = _LEAST_SEEN if confidence >= _LIKELY_CARD and labels[n] is not None and not known[n] else LEAST_FREE
            if share < least or confidence < _DOUBTFUL_CARD:
                continue
            (faces if is_face(scores, n) and share > 0.6 else left).append(n)
        return left, faces


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


def _places(view: FlatView, found: Sequence[Found]) -> list[tuple[Pose, tuple[float, float]]]:
    return [(view.pose(quad), quad_size(view.to_mm(quad))) for quad, _, _ in found]


def _labels_of(
    design: Design, places: Sequence[tuple[Pose, tuple[float, float]]], labels: Sequence[str | None]
) -> list[str]:
    """Give what the reader says of a design's cards, one by one, where it is sure that they are backs."""
    found = []
    for pose, _ in design.members:
        apart = [np.hypot(pose.x_mm - place.x_mm, pose.y_mm - place.y_mm) for place, _ in places]
        label = labels[int(np.argmin(apart))]
        if min(apart) < 12 and label is not None and label.startswith("back:"):
            found.append(label)
    return found


def _propose(
    view: FlatView, designs: Sequence[Design], details: Details, places: Sequence[tuple[Pose, tuple[float, float]]]
) -> list[Pose]:
    """Give every pose at which a card may lie, those that most details speak for first.

    A box that is too small may show one end or side of a card: then each way in which it could go on is proposed.
    """
    votes = [item for design in designs for item in vote(details, details_of_design(view, design))]
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


def _card(view: FlatView, item: Taken, name: Name) -> CountedCard:
    face = name.deck == FACE
    deck = None if name.deck in (FACE, UNKNOWN) else name.deck
    clear = item.fit.score >= _SURE_SCORE and item.margin >= _SURE_MARGIN and item.fit.free >= _SURE_FREE
    sure = clear and deck is not None and name.confidence >= _SURE_NAME
    return CountedCard(view.quad_px(item.pose), deck, face, sure)


def _confirm(
    cards: Sequence[CountedCard], found: Sequence[Found], labels: Sequence[str | None], decks: AbstractSet[str]
) -> list[CountedCard]:
    """Compare with what the detector and the reader say on their own: where they differ, nothing is sure.

    A card that the detector saw nothing of is left out.

    Parameters
    ----------
    decks
        Those that labels can name.
    """
    if not cards:
        return []
    overlap = iou_matrix(np.array([card.quad_px for card in cards]), np.array([quad for quad, _, _ in found]))
    confirmed = []
    for n, card in enumerate(cards):
        best = int(overlap[n].argmax())
        if overlap[n, best] < _SAME_PLACE:
            continue
        own = int(overlap[:, best].argmax()) == n
        label = labels[best]
        agrees = card.deck not in decks or label == f"back:{card.deck}"
        known = found[best][2] >= _DOUBTFUL_CARD
        confirmed.append(replace(card, sure=card.sure and own and agrees and known))
    return confirmed


def _cut_off(image: Image, cards: Sequence[CountedCard]) -> list[Doubt]:
    """Find cards that reach beyond the picture: another may lie there unseen."""
    height, width = image.shape[:2]
    slack = 0.01 * max(width, height)
    return [
        Doubt(card.quad_px, "this card reaches beyond the picture: take it from farther away")
        for card in cards
        if card.quad_px.min() < -slack or (card.quad_px > (width + slack, height + slack)).any()
    ]
