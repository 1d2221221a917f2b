"""Who could have: what fits where, every legal play of a seat, and whether everybody is stuck.

Used by bots, by hints and by the rules themselves; it only speaks of cards that were seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from .cards import Face
from .moves import Move, PileId, PileKind
from .table import Pile, Table
from .variant import EmptyPost, PostToPost, ShortHand, StuckRule, Variant

_FILLERS = {
    EmptyPost.AT_ONCE: (PileKind.BLITZ,),
    EmptyPost.BLITZ: (PileKind.BLITZ,),
    EmptyPost.BLITZ_OR_WOOD: (PileKind.BLITZ, PileKind.WOOD),
    EmptyPost.ANY: (PileKind.BLITZ, PileKind.WOOD, PileKind.POST),
}


def find_last_seen(pile: Pile) -> tuple[Face | None, int]:
    """Find the uppermost card of a pile that was seen (None: none was), and how many unseen cards lie on it."""
    for unseen, face in enumerate(reversed(pile.faces)):
        if face is not None:
            return face, unseen
    return None, len(pile.faces)


def is_complete(variant: Variant, pile: Pile) -> bool:
    """Say whether a Dutch Pile has its last card; unseen cards are counted on from the last seen one."""
    face, unseen = find_last_seen(pile)
    return (face.number if face is not None else 0) + unseen >= variant.highest


def fits_dutch(variant: Variant, pile: Pile, face: Face) -> bool:
    """Say whether a card may go on a Dutch Pile whose top was seen, or start one."""
    top = pile.top
    if top is None:
        return not pile.faces and face.number == 1
    return face.color is top.color and face.number == top.number + 1 and face.number <= variant.highest


def fits_post(variant: Variant, pile: Pile, face: Face) -> bool:
    """Say whether a card may be built on a Post Pile whose top was seen."""
    top = pile.top
    return variant.post_building and top is not None and face.number == top.number - 1 and face.tone != top.tone


def may_fill_post(variant: Variant, source: PileKind) -> bool:
    """Say whether an empty post slot may be filled from there."""
    return source in _FILLERS[variant.empty_post]


def right_turn(variant: Variant, hand: Pile, wood: Pile) -> int:
    """Give how many cards are turned next from the hand; 0 when it is filled from the Wood Pile first."""
    if may_fill_hand(variant, hand) and wood.faces:
        return 0
    return min(variant.turn, len(hand.faces))


def may_fill_hand(variant: Variant, hand: Pile) -> bool:
    """Say whether a short hand takes cards from the bottom of the Wood Pile."""
    return variant.short_hand is ShortHand.FILL_FROM_WOOD and 0 < len(hand.faces) < variant.turn


def must_fill_first(variant: Variant, table: Table, move: Move) -> bool:
    """Say whether a move leaves its seat's post slot empty though the rules want it filled at once.

    Plays on Dutch Piles are let through: a card from a Post Pile and the one that fills its slot are one
    movement of the hand, and nobody can say which comes first.
    """
    target = move.target
    if variant.empty_post is not EmptyPost.AT_ONCE or target.kind not in (PileKind.POST, PileKind.WOOD):
        return False
    source = move.source
    if source is None or source.kind in (PileKind.DUTCH, PileKind.BLITZ):
        return False
    if all(pile.faces for _, pile in table.post_piles(target.seat)):
        return False
    return bool(table.pile(PileId.of(PileKind.BLITZ, target.seat)).faces)


def _sources(table: Table, seat: int) -> Iterator[tuple[PileId, Face]]:
    """Give the cards that a seat may play from where they lie: the seen tops."""
    for name in (PileId.of(PileKind.BLITZ, seat), PileId.of(PileKind.WOOD, seat)):
        top = table.pile(name).top
        if top is not None:
            yield name, top
    for name, pile in table.post_piles(seat):
        if pile.top is not None:
            yield name, pile.top


def _dutch_plays(variant: Variant, table: Table, seat: int, time_s: float) -> Iterator[Move]:
    piles = table.dutch_piles()
    for source, face in _sources(table, seat):
        if face.number == 1:
            yield Move(time_s, seat, (face,), source, table.next_dutch())
        for target, pile in piles:
            if pile.faces and fits_dutch(variant, pile, face):
                yield Move(time_s, seat, (face,), source, target)


def _post_plays(variant: Variant, table: Table, seat: int, time_s: float) -> Iterator[Move]:
    posts = table.post_piles(seat)
    for source, face in _sources(table, seat):
        for target, pile in posts:
            if source == target:
                continue
            fits = fits_post(variant, pile, face) if pile.faces else may_fill_post(variant, source.kind)
            if source.kind is PileKind.POST:
                if variant.post_to_post is PostToPost.NOT_ALLOWED:
                    continue
                yield from _column_plays(variant, table, seat, source, target, time_s)
                if not pile.faces and len(table.pile(source)) == 1:
                    continue  # it would only swap the names of two slots
            if fits:
                yield Move(time_s, seat, (face,), source, target)


def _column_plays(
    variant: Variant, table: Table, seat: int, source: PileId, target: PileId, time_s: float
) -> Iterator[Move]:
    if variant.post_to_post is not PostToPost.COLUMN:
        return
    faces = table.pile(source).faces
    pile = table.pile(target)
    for start in range(len(faces) - 2, -1, -1):
        lowest, above = faces[start : start + 2]
        if lowest is None or above is None or not fits_post(variant, Pile((lowest,)), above):
            return
        fits = fits_post(variant, pile, lowest) if pile.faces else may_fill_post(variant, source.kind) and start > 0
        if fits:
            yield Move(time_s, seat, faces[start:], source, target)


def _turns(variant: Variant, table: Table, seat: int, time_s: float) -> Iterator[Move]:
    hand_name, wood_name = PileId.of(PileKind.HAND, seat), PileId.of(PileKind.WOOD, seat)
    hand, wood = table.pile(hand_name), table.pile(wood_name)
    if not hand.faces:
        if wood.faces:
            yield Move(time_s, seat, wood.faces, wood_name, hand_name)
        return
    count = right_turn(variant, hand, wood)
    if count:
        yield Move(time_s, seat, hand.faces[-count:][::-1], hand_name, wood_name)
    else:
        missing = min(variant.turn - len(hand.faces), len(wood.faces))
        yield Move(time_s, seat, wood.faces[:missing], wood_name, hand_name)


def legal_plays(variant: Variant, table: Table, seat: int, time_s: float = 0.0) -> tuple[Move, ...]:
    """Give every legal move of a seat: Dutch plays first, then Post Piles, then turning cards.

    Moves that only swap two slots are left out. The move of those who are stuck is among them when
    `is_stuck` says so. Cards that were not seen are not offered.

    Parameters
    ----------
    variant, table
        The rules and the table as it lies.
    seat
        Whose moves.
    time_s
        The time that the moves bear.
    """
    dutch = tuple(_dutch_plays(variant, table, seat, time_s))
    others = [*_post_plays(variant, table, seat, time_s), *_turns(variant, table, seat, time_s)]
    others = [move for move in others if not must_fill_first(variant, table, move)]
    if not dutch and is_stuck(variant, table):
        others += _stuck_moves(variant, table, seat, time_s)
    return dutch + tuple(others)


def _stuck_moves(variant: Variant, table: Table, seat: int, time_s: float) -> Iterator[Move]:
    kind = {StuckRule.HAND_UNDER: PileKind.HAND, StuckRule.WOOD_UNDER: PileKind.WOOD}.get(variant.stuck)
    if kind is not None:
        name = PileId.of(kind, seat)
        faces = table.pile(name).faces
        if len(faces) > 1:
            yield Move(time_s, seat, faces[-1:], name, name)


def is_stuck(variant: Variant, table: Table) -> bool:
    """Say whether nobody can play any more, however often the hands are turned.

    Only what was seen proves it: while any card that could still come up is unknown, nobody is stuck.
    Cards that wander between Post Piles and bring nothing up count as stuck too.
    """
    return not any(_can_go_on(variant, table, seat, unseen_may=True) for seat in table.seats)


def may_be_stuck(variant: Variant, table: Table) -> bool:
    """Say whether no play is in sight for anybody, though a card that was not seen may bring one."""
    return not any(_can_go_on(variant, table, seat, unseen_may=False) for seat in table.seats)


def _can_go_on(variant: Variant, table: Table, seat: int, unseen_may: bool) -> bool:
    coming = _coming_up(variant, table, seat)
    blitz = table.pile(PileId.of(PileKind.BLITZ, seat))
    if unseen_may and (None in coming or (blitz.faces and blitz.top is None)):
        return True
    wanted = {face for face in coming if face is not None}
    if blitz.top is not None:
        wanted.add(blitz.top)
    seen: set[tuple[tuple[Face | None, ...], ...]] = set()
    waiting = [table]
    while waiting:
        now = waiting.pop()
        posts = now.post_piles(seat)
        key = tuple(pile.faces for _, pile in posts)
        if key in seen:
            continue
        seen.add(key)
        if unseen_may and any(pile.faces and pile.top is None for _, pile in posts):
            return True
        if _brings_on(variant, now, seat, wanted):
            return True
        waiting += [now.apply(move) for move in _post_plays(variant, now, seat, 0.0) if _between_posts(move)]
    return False


def _between_posts(move: Move) -> bool:
    return move.source is not None and move.source.kind is PileKind.POST


def _brings_on(variant: Variant, table: Table, seat: int, wanted: set[Face]) -> bool:
    """Say whether a card from Blitz, Wood or Post Pile can go where it stays, or an empty slot be filled."""
    posts = [pile for _, pile in table.post_piles(seat)]
    empty = any(not pile.faces for pile in posts)
    if empty:
        blitz = bool(table.pile(PileId.of(PileKind.BLITZ, seat)).faces)
        if blitz or (wanted and may_fill_post(variant, PileKind.WOOD)):
            return True
    if any(fits_post(variant, pile, face) for pile in posts for face in wanted):
        return True
    tops = wanted | {pile.top for pile in posts if pile.top is not None}
    if any(face.number == 1 for face in tops):
        return True
    return any(fits_dutch(variant, pile, face) for _, pile in table.dutch_piles() if pile.faces for face in tops)


def _coming_up(variant: Variant, table: Table, seat: int) -> set[Face | None]:
    """Give the cards that come to lie on top of the Wood Pile in this pass through the hand and in later ones."""
    hand = table.pile(PileId.of(PileKind.HAND, seat)).faces[::-1]
    wood = table.pile(PileId.of(PileKind.WOOD, seat)).faces
    shown = set(wood[-1:])
    if variant.short_hand is ShortHand.FILL_FROM_WOOD:
        cards = hand + wood
        return shown | {cards[(turned * variant.turn - 1) % len(cards)] for turned in range(1, len(cards) + 1)}
    # Later passes begin with all cards in the hand; in this one the count begins at the hand's top.
    for cards in (hand, wood + hand):
        shown |= {
            cards[min(end, len(cards)) - 1] for end in range(variant.turn, len(cards) + variant.turn, variant.turn)
        }
    return shown
