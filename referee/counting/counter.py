"""Counts the cards of a heap by their backs, and says where it can't tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..decks import LearntBack
from ..game.cards import BACKS
from ..layout import Pose
from ..vision.detector import Found, YoloDetector
from ..vision.frames import Image, Quad
from ..vision.geometry import iou_matrix
from ..vision.identifier import CardReader
from ..vision.selftest import load_networks
from .flat import FlatView
from .heap import SURE_NAME, Heap, NamedDesign, explain, lend_designs, look_at
from .likeness import Mask, inner
from .naming import FACE, UNKNOWN, Name, is_face, name_by_scores
from .patches import find_patches
from .peel import LEAST_FREE, Taken
from .propose import find_cards
from .reading import BackReader
from .tally import CountedCard, Doubt, Tally
from .templates import Unnamed, borrow_clear, cut_around, name_by_templates

_SURE_SCORE, _SURE_MARGIN, _SURE_FREE = 0.6, 0.15, 0.4
_SAME_PLACE = 0.3
_EIGHT = frozenset(back.deck for back in BACKS)
_DOUBTFUL_CARD = 0.3
"""Confidence from which a proposal that nothing explains is a doubt."""
_SAME_CARD, _LEAST_SEEN = 0.5, 0.12
"""Overlap (IoU) with a card that explains a proposal; share of one that is surely read that must be unexplained."""
_LIKELY_CARD, _LIKELY_BACK, _LIKE_ITS_DECK = 0.75, 0.35, 0.4
"""What the detector and the reader say, and correlation with its deck, from which on such a proposal is counted."""

Belongs = Callable[[Quad], bool]


@dataclass(frozen=True, slots=True, eq=False)
class _Explained:
    """A heap of which all cards are taken off that a design explains.

    Parameters
    ----------
    cards
        What was taken off.
    poses, masks
        Where these lie, then where the proposals do that are left; and what shows of each.
    left, faces
        Indices of the proposals that no card explains: backs or what may be one, and fronts.
    free
        uint8 (H, W): 255 where nothing was taken.
    """

    heap: Heap
    cards: Sequence[CountedCard]
    poses: Sequence[Pose]
    masks: Sequence[Mask]
    left: Sequence[int]
    faces: Sequence[int]
    free: npt.NDArray[np.uint8]


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
        self._detector = detector
        self._backs = BackReader(reader, learnt)

    def find(self, image: Image) -> list[Found]:
        """Find cards without counting them, best first."""
        return find_cards(self._detector, image)

    def read(self, image: Image, quads: Sequence[Quad]) -> Name:
        """Say which of the eight decks cards of one design are of."""
        return name_by_scores(self._backs.read(image, quads))

    def rate_backs(self, image: Image, quads: Sequence[Quad]) -> list[float]:
        """Say how surely each place shows the back of a card, 0..1: the reader tells the sides better than `find`."""
        return [float(sure) for sure in self._backs.read(image, quads).kind[:, 1]]

    def count(self, image: Image, belongs: Belongs = lambda _: True) -> Tally:
        """Count the cards of a picture.

        Parameters
        ----------
        belongs
            Says of a quad (px) whether it lies where cards are to be counted; by default everywhere.
        """
        return self._count_found([(image, self.find(image))], belongs)[0]

    def count_heaps(self, images: Sequence[Image]) -> list[Tally]:
        """Count the cards of several pictures, each of another heap of the same table.

        A deck's clear cards in one picture help to find and to name those in another.
        """
        return self._count_found([(image, self.find(image)) for image in images])

    def _count_found(
        self, pictures: Sequence[tuple[Image, Sequence[Found]]], belongs: Belongs = lambda _: True
    ) -> list[Tally]:
        pictures = [(image, [item for item in found if belongs(item[0])]) for image, found in pictures]
        heaps = [look_at(image, found, self._backs) for image, found in pictures if found]
        explained = [self._explain(*pair) for pair in zip(heaps, lend_designs(heaps), strict=True)]
        unnamed = [self._unnamed(item) for item in explained]
        tallies = iter(
            [
                self._tally(item, name_by_templates(_look_around(item, own), borrow_clear(own, unnamed)), belongs)
                for item, own in zip(explained, unnamed, strict=True)
            ]
        )
        return [next(tallies) if found else Tally((), ()) for _, found in pictures]

    def _explain(self, heap: Heap, designs: Sequence[NamedDesign]) -> _Explained:
        """Take off what the designs explain, and see what is left."""
        taken, free = explain(heap, designs)
        cards = [_card(heap.view, item, designs[item.design].name) for item in taken]
        left, faces = _left_over(heap, free, cards)
        poses = [heap.view.pose(heap.found[n][0]) for n in left]
        return _Explained(
            heap,
            cards,
            [item.pose for item in taken] + poses,
            [item.mask for item in taken] + [heap.ground.is_free(pose, free) for pose in poses],
            left,
            faces,
            free,
        )

    def _unnamed(self, explained: _Explained) -> list[Unnamed]:
        """Give what is known of each card of a heap and of each proposal that is left."""
        heap, cards = explained.heap, explained.cards
        beliefs = self._backs.rate_decks(heap.image, [heap.view.quad_px(pose) for pose in explained.poses], cards)
        return [
            Unnamed(
                heap.ground.crop(pose),
                mask,
                belief,
                cards[n].deck if n < len(cards) else None,
            )
            for n, (pose, mask, belief) in enumerate(zip(explained.poses, explained.masks, beliefs, strict=True))
        ]

    def _tally(self, explained: _Explained, called: Sequence[tuple[str | None, float]], belongs: Belongs) -> Tally:
        """Put together what was made of a picture.

        Parameters
        ----------
        called
            Of each card and each proposal that is left its deck, and how like that deck's other cards it is.
        """
        heap, ground = explained.heap, explained.heap.ground
        cards = [
            card if card.face else replace(card, deck=deck, sure=card.sure and deck == card.deck)
            for card, (deck, _) in zip(explained.cards, called, strict=False)
        ]
        cards = _confirm(cards, heap.found, heap.labels, _EIGHT | self._backs.learnt_decks)
        extra = [CountedCard(heap.found[n][0], None, True, False) for n in explained.faces]
        doubts = []
        for n, (deck, alike) in zip(explained.left, called[len(explained.cards) :], strict=True):
            back = heap.scores.kind[n, 1] > _LIKELY_BACK
            if deck is not None and back and (alike >= _LIKE_ITS_DECK or heap.labels[n] == f"back:{deck}"):
                # Most likely it is that; nobody is sure before it lies free.
                extra.append(CountedCard(heap.found[n][0], deck, False, False))
            else:
                doubts.append(Doubt(heap.found[n][0], "it can't be told what lies here: move these apart"))
        untold = explained.free.copy()
        for quad in [card.quad_px for card in extra] + [doubt.outline_px for doubt in doubts]:
            ground.paint(heap.view.pose(quad), untold, 0)
        reason = "this looks like a part of a card: move these apart"
        patches = find_patches(ground, explained.free, untold)
        doubts += [Doubt(heap.view.to_picture(outline), reason) for outline in patches]
        cards = [card for card in (*cards, *extra) if belongs(card.quad_px)]
        return Tally(tuple(cards), tuple(doubts + _cut_off(heap.image, cards)))


def _look_around(explained: _Explained, unnamed: Sequence[Unnamed]) -> list[Unnamed]:
    """Add the other poses that the proposals which are left may have; many, so only while their picture is named."""
    ground, first = explained.heap.ground, len(explained.cards)
    around = [
        replace(card, elsewhere=cut_around(ground, pose, explained.free))
        for card, pose in zip(unnamed[first:], explained.poses[first:], strict=True)
    ]
    return [*unnamed[:first], *around]


def _left_over(heap: Heap, free: npt.NDArray[np.uint8], cards: Sequence[CountedCard]) -> tuple[list[int], list[int]]:
    """Give the proposals that none of the cards explains, and those of them that lie face up apart."""
    whole = float(inner(heap.ground.card_px).sum())
    quads = np.array([quad for quad, _, _ in heap.found])
    own = np.array([card.quad_px for card in cards]).reshape(-1, 4, 2)
    known = iou_matrix(quads, own).max(axis=1, initial=0.0) > _SAME_CARD
    left, faces = [], []
    for n, (quad, _, confidence) in enumerate(heap.found):
        share = float(heap.ground.is_free(heap.view.pose(quad), free).sum()) / whole
        # A card above it may have been taken for more than it is: what is clearly seen counts all the same.
        clear = confidence >= _LIKELY_CARD and heap.labels[n] is not None and not known[n]
        if share < (_LEAST_SEEN if clear else LEAST_FREE) or confidence < _DOUBTFUL_CARD:
            continue
        (faces if is_face(heap.scores, n) and share > 0.6 else left).append(n)
    return left, faces


def _card(view: FlatView, item: Taken, name: Name) -> CountedCard:
    face = name.deck == FACE
    deck = None if name.deck in (FACE, UNKNOWN) else name.deck
    clear = item.fit.score >= _SURE_SCORE and item.margin >= _SURE_MARGIN and item.fit.free >= _SURE_FREE
    sure = clear and deck is not None and name.confidence >= SURE_NAME
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
