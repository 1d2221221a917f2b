"""What lies where: every pile of every seat and the Dutch Piles, unseen cards as None.

A `Table` is immutable and cheap to change (piles are shared). `apply` never refuses: the move has
happened already. It knows what was seen and follows those cards; whose card lies on a Dutch Pile is
inferred, and so stands in `match`, not here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from .cards import Face
from .moves import Move, PileId, PileKind
from .variant import MOST_POSTS, Variant

Faces = tuple[Face | None, ...]


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards on one another, bottom to top; None is a card that is there and was not seen.

    The hand lies face down: its top is the next card to be turned.
    """

    faces: Faces = ()

    @property
    def top(self) -> Face | None:
        """Give the uppermost card; None when the pile is empty or that card was not seen."""
        return self.faces[-1] if self.faces else None

    def __len__(self) -> int:
        return len(self.faces)


NO_CARDS = Pile()


@cache
def _post_names(seat: int) -> tuple[PileId, ...]:
    return tuple(PileId.of(PileKind.POST, seat, slot) for slot in range(1, MOST_POSTS + 1))


def find_taken(pile: Pile, faces: Faces) -> tuple[int, int]:
    """Find which cards of a pile a move took: `faces[start:stop]`.

    They are the uppermost ones, unless the card named lies deeper or, with another card on top, may be one
    of the unseen cards below it.
    """
    count = len(pile.faces)
    face = faces[-1]
    if len(faces) == 1 and face is not None and count:
        top = pile.faces[-1]
        if top is not None and top != face:
            for wanted in (face, None):
                for index in range(count - 1, -1, -1):
                    if pile.faces[index] == wanted:
                        return index, index + 1
    return max(0, count - len(faces)), count


@dataclass(frozen=True, slots=True)
class Table:
    """All piles; those never touched by a card need not be there.

    Parameters
    ----------
    piles
        By name. Never change it: a table is shared between all that look at it.
    seats
        The numbers of the seats that play, in order.
    """

    piles: dict[PileId, Pile]
    seats: tuple[int, ...]

    @staticmethod
    def start(variant: Variant, seats: int | Iterable[int]) -> Table:
        """Lay out a round of which no card was seen yet.

        Parameters
        ----------
        variant
            Says how many cards lie where.
        seats
            How many play (then they are 1, 2, ...) or the numbers of those who do.

        Raises
        ------
        VariantError
            If so many can't play.
        """
        return Table.deal(variant, seats, ())

    @staticmethod
    def deal(variant: Variant, seats: int | Iterable[int], decks: Sequence[Sequence[Face]]) -> Table:
        """Lay out a round from decks whose order is known: Post Piles, Blitz Pile, hand.

        Parameters
        ----------
        variant
            Says how many cards lie where.
        seats
            How many play or the numbers of those who do.
        decks
            One shuffled deck a seat, first card dealt first; a seat without one has unseen cards.

        Raises
        ------
        VariantError
            If so many can't play.
        """
        numbers = tuple(range(1, seats + 1)) if isinstance(seats, int) else tuple(seats)
        posts = variant.posts_for(len(numbers))
        piles: dict[PileId, Pile] = {}
        for index, seat in enumerate(numbers):
            deck: Faces = tuple(decks[index]) if index < len(decks) else (None,) * len(variant.faces)
            for slot in range(1, posts + 1):
                piles[PileId.of(PileKind.POST, seat, slot)] = Pile(deck[slot - 1 : slot])
            laid = posts + variant.blitz_cards
            piles[PileId.of(PileKind.BLITZ, seat)] = Pile(deck[posts:laid])
            piles[PileId.of(PileKind.WOOD, seat)] = NO_CARDS
            piles[PileId.of(PileKind.HAND, seat)] = Pile(deck[laid:][::-1])
        return Table(piles, numbers)

    def pile(self, name: PileId) -> Pile:
        """Give a pile; one that was never there is empty."""
        return self.piles.get(name, NO_CARDS)

    def dutch_piles(self) -> tuple[tuple[PileId, Pile], ...]:
        """Give the Dutch Piles with their names, in the order of their creation."""
        return tuple((name, pile) for name, pile in self.piles.items() if name.kind is PileKind.DUTCH)

    def next_dutch(self) -> PileId:
        """Give the name of the next Dutch Pile that is started; names are never reused."""
        slots = [name.slot for name in self.piles if name.kind is PileKind.DUTCH]
        return PileId.dutch(max(slots, default=0) + 1)

    def post_piles(self, seat: int) -> tuple[tuple[PileId, Pile], ...]:
        """Give a seat's Post Piles with their names."""
        piles = []
        for name in _post_names(seat):
            pile = self.piles.get(name)
            if pile is None:
                break
            piles.append((name, pile))
        return tuple(piles)

    def count(self) -> int:
        """Give the number of all cards: more or fewer than were dealt once a move had no known source."""
        return sum(len(pile.faces) for pile in self.piles.values())

    def apply(self, move: Move) -> Table:
        """Give the table after a move, legal or not.

        A card that the move calls unseen keeps the face that it had in its source. A flip lays the hand's top
        card lowest; the Wood Pile turned over becomes the hand, its lowest card on top. Any wood to hand move
        of unseen cards onto an empty hand is the whole Wood Pile, however many cards the observer counted.
        """
        piles = self.piles.copy()
        source, target, faces = move.source, move.target, move.faces
        if source is None:
            piles[target] = Pile(piles.get(target, NO_CARDS).faces + faces)
            return Table(piles, self.seats)
        pile = piles.get(source, NO_CARDS)
        if source.kind is PileKind.HAND or target.kind is PileKind.HAND:
            _turn(piles, source, target, faces)
            return Table(piles, self.seats)
        start, stop = find_taken(pile, faces)
        taken = pile.faces[start:stop]
        piles[source] = Pile(pile.faces[:start] + pile.faces[stop:])
        if None in faces:
            faces = _name(faces, taken)
        rest = piles.get(target, NO_CARDS).faces
        piles[target] = Pile(faces + rest if source == target else rest + faces)
        return Table(piles, self.seats)

    def see(self, name: PileId, top: Face | None, empty: bool = False) -> Table:
        """Give the table after a look at the top of a pile: what is seen now replaces what was believed.

        A card that was believed deeper in the pile has come to light: those above it have gone.
        """
        faces = self.pile(name).faces
        if empty:
            faces = ()
        elif top is None:
            faces = faces or (None,)
        elif top in faces:
            faces = faces[: len(faces) - faces[::-1].index(top)]
        else:
            faces = (*faces[:-1], top)
        return Table({**self.piles, name: Pile(faces)}, self.seats)


def _name(faces: Faces, believed: Faces) -> Faces:
    """Give names to unseen cards from what was believed, unless that contradicts a card that was seen."""
    if believed == faces:
        return faces
    if len(believed) != len(faces) or any(
        seen is not None and known is not None and seen != known for seen, known in zip(faces, believed, strict=True)
    ):
        return faces
    return tuple(known if seen is None else seen for seen, known in zip(faces, believed, strict=True))


def _turn(piles: dict[PileId, Pile], source: PileId, target: PileId, faces: Faces) -> None:
    """Move cards out of or into a hand, which lies face down and so is read from the other end."""
    from_hand = source.kind is PileKind.HAND
    old = piles.get(source, NO_CARDS).faces
    rest = piles.get(target, NO_CARDS).faces
    if from_hand:
        count = min(len(faces), len(old))
        believed = old[len(old) - count :][::-1]
        named = _name(faces, believed)
        left = old[: len(old) - count]
        if named != believed and any(
            a is not None and b is not None and a != b for a, b in zip(named, believed, strict=False)
        ):
            # The order of the hand is not what it was thought to be: nothing remembered of it can be trusted.
            left = (None,) * len(left)
        piles[source] = Pile(left)
        if source == target:
            piles[target] = Pile(named[::-1] + left)
        elif target.kind is PileKind.BLITZ:
            piles[target] = Pile(named + rest)
        else:
            piles[target] = Pile(rest + named)
        return
    if source.kind is PileKind.WOOD:
        whole = not rest and all(face is None for face in faces)
        count = len(old) if whole else min(len(faces), len(old))
        named = old if whole else _name(faces, old[:count])
        piles[source] = Pile(old[count:])
        piles[target] = Pile(named[::-1] + rest)
        return
    start, stop = find_taken(Pile(old), faces)
    piles[source] = Pile(old[:start] + old[stop:])
    piles[target] = Pile(rest + _name(faces, old[start:stop]))
