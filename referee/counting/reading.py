"""What the reader says of the backs of a heap, of each by itself and of all cards of a design together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..decks import LearntBack
from ..vision.frames import Image, Quad
from ..vision.identifier import CardReader, Scores, cut_crop
from .flat import FlatView
from .learn import Design
from .likeness import Ground, inner
from .naming import (
    FACE,
    UNKNOWN,
    Name,
    choose_name,
    is_face,
    know_backs,
    name_by_likeness,
    name_by_scores,
    name_each,
    pool,
    rate_eight,
    rate_learnt,
)
from .tally import CountedCard

_SURE_LABEL, _SURE_LEARNT = 0.75, 0.9
_MOST_SAY = 0.8


class BackReader:
    """Reads backs as those of this table.

    Parameters
    ----------
    reader
        The network.
    learnt
        Backs of this table; without any, the eight designs are read.
    """

    def __init__(self, reader: CardReader, learnt: Sequence[LearntBack]) -> None:
        self._reader = reader
        self._learnt = know_backs(reader, learnt)
        self.learnt_decks = frozenset(deck.name for deck in learnt)

    def read(self, image: Image, quads: Sequence[Quad]) -> Scores:
        """Read cards at their quads, px of the picture."""
        return self._reader.scores([cut_crop(image, quad) for quad in quads])

    def label_each(self, scores: Scores) -> list[str | None]:
        """Give what each proposal was read as: a face's label, or `back:` and the deck; None where that isn't sure."""
        readings = self._reader.decide(scores)
        labels = [item.label if item.confidence >= _SURE_LABEL else None for item in readings]
        for n, name in enumerate(name_each(scores.embedding, self._learnt)):
            if name is not None and not is_face(scores, n) and not self._is_spare(labels[n]):
                labels[n] = f"back:{name}"
        return labels

    def name_design(self, image: Image, view: FlatView, ground: Ground, design: Design, labels: Sequence[str]) -> Name:
        """Name a design by its best cards, or by what most of its cards were read as (`labels`)."""
        best = sorted(design.members, key=lambda member: -int(member[1].sum()))[:6]
        whole = float(inner(ground.card_px).sum())
        shown = [member for member in best if member[1].sum() > 0.75 * whole] or best[:2]
        scores = self.read(image, [view.quad_px(pose) for pose, _ in shown])
        read = name_by_scores(scores)
        said = Counter(labels).most_common(1)
        if read.deck == UNKNOWN and said and said[0][1] >= max(2, _MOST_SAY * len(labels)):
            read = Name(said[0][0].removeprefix("back:"), said[0][1] / len(labels))
        if not self._learnt or read.deck == FACE:
            return read
        alike = name_by_likeness(design.look, pool(scores.embedding), self._learnt)
        return choose_name(read, alike, self.learnt_decks)

    def rate_decks(self, image: Image, quads: Sequence[Quad], cards: Sequence[CountedCard]) -> list[dict[str, float]]:
        """Give for each quad the probability of each deck, the eight and the learnt ones, that its back lies there.

        Parameters
        ----------
        cards
            What designs explain the first of the quads. A learnt deck's drawing, which its whole design shows, tells
            more than the reader, which never saw it.
        """
        scores = self.read(image, quads)
        beliefs = []
        for eight, learnt in zip(rate_eight(scores), rate_learnt(scores, self._learnt), strict=True):
            spare = max((p for deck, p in eight.items() if deck not in self.learnt_decks), default=0.0)
            own = {deck: max(eight.get(deck, 0.0), likely * (1 - spare)) for deck, likely in learnt.items()}
            beliefs.append({**eight, **own})
        for n, card in enumerate(cards):
            if card.face:
                beliefs[n] = {}
            elif card.deck in self.learnt_decks:
                beliefs[n] = {card.deck: _SURE_LEARNT}
        return beliefs

    def _is_spare(self, label: str | None) -> bool:
        """Tell whether the reader names a back that isn't among the learnt ones."""
        return label is not None and label.startswith("back:") and label[5:] not in self.learnt_decks
