"""The whole of tracking behind one door: observations in, events out.

It ties together what lies on the table, the players' piles, the Dutch Piles and the owners, and asks the rules.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from ..game.cards import Face
from ..game.events import (
    BlitzSeen,
    CardMoved,
    Certainty,
    Event,
    PileSeen,
    Revised,
    RoundScored,
    RoundStarted,
    Ruled,
    SeatScore,
)
from ..game.moves import Move, PileId, PileKind
from ..game.rules import Context, judge
from ..game.table import Pile, Table
from ..game.variant import Variant
from ..layout import TableLayout
from ..vision.frames import Observation
from .cover import Cover, card_points, points_in_polygon
from .dutch import DutchPiles, Landing, LandingKind
from .infer import Whence, fits_post
from .owner import Reaches
from .piles import LyingCard, LyingCards
from .plays import Play, Plays
from .spots import Change, Spot, find_spot, make_spots

FLIP_WAIT_S = 1.5
"""A Wood Pile's top that is gone was either played or turned under: wait this long for it to land somewhere."""
POST_PROOF_S = 0.8
LATE_PLAY_S = 2.0
SCORE_WAIT_S = 3.0
CLEAR_S = 2.0
BARE_BLITZ_S = 1.5
COVERS_S = 3.0
TOUCH_SHARE = 0.35
"""A card that is hidden this much isn't found by the detector."""
FEW_LEFT = 2


@dataclass(slots=True)
class _Pending:
    due_s: float
    spot: Spot
    change: Change


class Tracker:
    """Follows a table: give it every observation in order of time.

    Parameters
    ----------
    layout
        Where things lie.
    variant
        The rules in force.
    ids
        Gives the ids of events; a resumed game goes on counting.
    start_at_s
        When the signal is given; None: the first play starts the round.
    """

    def __init__(
        self, layout: TableLayout, variant: Variant, ids: Iterator[int] | None = None, start_at_s: float | None = None
    ) -> None:
        self._layout = layout
        self._variant = variant
        self._ids = count(1) if ids is None else ids
        self._start_at_s = start_at_s
        self._seats = tuple(range(1, len(layout.seats) + 1))
        self._lying = LyingCards(layout.card_mm)
        self._reaches = Reaches()
        self._covers: deque[tuple[float, Cover]] = deque()
        self._events: list[Event] = []
        self._now = 0.0
        self._last_s: float | None = None
        self._begin()

    def _begin(self) -> None:
        """Forget the round; the cards that lie on the table stay known."""
        self._spots = make_spots(self._layout)
        self._points = [spot.points for spot in self._spots]
        self._whence = Whence(self._spots)
        self._plays = Plays(self._seats, self._whence)
        self._dutch = DutchPiles(
            self._layout.card_mm, self._variant.highest, self._is_lost, self._whence.has_returned
        )
        self._flips: list[_Pending] = []
        self._posts: list[tuple[float, int, Spot, Move, Table]] = []
        self._bare_blitz: dict[int, float] = {}
        self._started = False
        self._ended_s: float | None = None
        self._ended_seen_s = 0.0
        self._scored = False
        self._clear_s = 0.0

    @property
    def plays(self) -> Plays:
        """Give the plays of this round with all that is believed of them."""
        return self._plays

    def _is_lost(self, label: str) -> bool:
        return self._whence.is_lost(label, self._now)

    def _say(self, event: Event) -> None:
        self._events.append(event)

    def _id(self) -> int:
        return next(self._ids)

    def update(self, observation: Observation) -> list[Event]:
        """Take in one frame and give what it brings to light; a frame that isn't sharp brings nothing."""
        self._events = []
        if not observation.sharp:
            return []
        now = self._now = observation.time_s
        step = 0.0 if self._last_s is None else min(max(now - self._last_s, 0.0), 0.2)
        self._last_s = now
        cover = Cover(observation)
        self._lying.update(observation, cover)
        self._reaches.update(now, observation.reaches)
        self._covers.append((now, cover))
        while now - self._covers[0][0] > COVERS_S:
            self._covers.popleft()
        if self._start_at_s is not None and not self._started and now >= self._start_at_s:
            self._start(self._start_at_s)
        on_dutch, on_spots = self._sort_cards()
        touched: set[str] = set()
        for spot, share in zip(self._spots, cover.shares(self._points), strict=True):
            change = spot.look(on_spots.get(id(spot), ()), share, now)
            if change is not None and self._ended_s is None:
                touched |= self._changed(spot, change)
        self._whence.update(now)
        if self._ended_s is None or now - self._ended_s < LATE_PLAY_S:
            hidden = cover.shares(self._dutch.points())
            for landing in self._dutch.update(on_dutch, hidden, now, step):
                self._landed(landing)
        self._settle_flips()
        self._prove_posts()
        for label in sorted(touched):
            self._revise(self._plays.reconsider(label, now))
        self._watch_blitz()
        self._close(on_dutch, step)
        return self._events

    def finish(self) -> list[Event]:
        """Say what is left to say when the source has ended."""
        self._events = []
        if self._ended_s is not None and not self._scored:
            self._score()
        return self._events

    def _sort_cards(self) -> tuple[list[LyingCard], dict[int, list[LyingCard]]]:
        import numpy as np

        cards = self._lying.cards
        on_dutch: list[LyingCard] = []
        on_spots: dict[int, list[LyingCard]] = {}
        if not cards:
            return on_dutch, on_spots
        inside = points_in_polygon(np.array([card.at_mm for card in cards]), self._layout.dutch_mm)
        for card, is_dutch in zip(cards, inside, strict=True):
            if is_dutch:
                on_dutch.append(card)
                continue
            spot = find_spot(self._spots, card.at_mm, self._layout.card_mm)
            if spot is not None:
                on_spots.setdefault(id(spot), []).append(card)
        return on_dutch, on_spots

    def _start(self, time_s: float) -> None:
        self._started = True
        self._say(
            RoundStarted(
                id=self._id(), time_s=time_s, seen_s=self._now, seats=len(self._seats), variant=self._variant.name
            )
        )
        for spot in self._spots:
            if spot.known and spot.top is not None:
                self._show(spot)

    def _show(self, spot: Spot) -> None:
        top = None if spot.top is None else Face.parse(spot.top)
        if spot.top is None and spot.pile.kind is PileKind.BLITZ:
            # That a Blitz Pile is empty is said by `blitz_seen`, once it is sure.
            return
        self._say(
            PileSeen(
                id=self._id(), time_s=self._now, seen_s=self._now, pile=spot.pile, top=top, empty=spot.top is None
            )
        )

    def _changed(self, spot: Spot, change: Change) -> set[str]:
        """Understand a change of a player's pile; gives the labels whose owners must be weighed anew."""
        touched: set[str] = set()
        kind = spot.pile.kind
        if change.after is not None:
            touched.add(change.after)
        if change.corrected:
            if self._started:
                self._show(spot)
            return touched
        if change.before is not None and not change.on_top:
            if kind is PileKind.POST and not change.revealed and change.after is not None and self._built(change):
                spot.faces = [*spot.faces[:-1], change.before, change.after]
                self._arrived(spot, change)
                return touched
            self._whence.lose(spot.pile, change.before, change.gone_s, change.seen_s)
            touched.add(change.before)
        if not self._started:
            return touched
        if kind is PileKind.WOOD:
            if change.before is None and change.after is not None:
                self._flip(spot, change)
            else:
                self._flips.append(_Pending(self._now + FLIP_WAIT_S, spot, change))
        elif kind is PileKind.POST and change.after is not None and not change.revealed:
            self._arrived(spot, change)
        else:
            self._show(spot)
        return touched

    def _built(self, change: Change) -> bool:
        """Tell whether a new post top lies on the old one rather than in its place."""
        assert change.before is not None and change.after is not None
        taken = any(loss.early and loss.pile == change.pile for loss in self._whence.losses)
        return not taken and fits_post(change.after, change.before)

    def _arrived(self, spot: Spot, change: Change) -> None:
        """Say that a card came to a Post Pile."""
        if not self._started or change.after is None or change.card is None:
            return
        seat = spot.pile.seat
        touch_s = change.card.born_s
        loss = self._whence.find_source(change.after, touch_s, self._now, seat, spot.pile)
        face = Face.parse(change.after)
        source = None if loss is None else loss.pile
        event = CardMoved(
            id=self._id(), time_s=touch_s, seen_s=self._now, seat=seat, cards=(face,), source=source,
            target=spot.pile, at_mm=_round(change.card.at_mm), confidence=0.6 if source is None else 0.9,
        )  # fmt: skip
        self._say(event)
        if loss is None or source is None:
            return
        loss.move = event.id
        move = Move(touch_s, seat, (face,), source, spot.pile, 0.9)
        below = tuple(Face.parse(label) for label in spot.faces[:-1])
        table = Table({spot.pile: Pile(below), source: Pile((face,))}, self._seats)
        self._posts.append((self._now + POST_PROOF_S, event.id, spot, move, table))

    def _prove_posts(self) -> None:
        """Judge what came to Post Piles once it has lain there long enough to be read for certain."""
        due = [item for item in self._posts if item[0] <= self._now]
        self._posts = [item for item in self._posts if item[0] > self._now]
        for _, number, spot, move, table in due:
            face, card = move.faces[0], spot.card
            if card is None or spot.top != str(face) or card.share < 0.85 or card.reads.get(str(face), 0) < 8:
                continue
            ruling = judge(self._variant, table, move, Context(camera=True))
            if ruling.violations:
                self._rule(number, move.time_s, ruling.violations, Certainty.DOUBTFUL, ruling.remedy)

    def _flip(self, spot: Spot, change: Change) -> None:
        """Say that cards were turned from the hand onto the Wood Pile."""
        assert change.after is not None
        seat = spot.pile.seat
        faces = (*(None,) * (self._variant.turn - 1), Face.parse(change.after))
        self._say(
            CardMoved(
                id=self._id(), time_s=change.card.born_s if change.card else self._now, seen_s=self._now, seat=seat,
                cards=faces, source=PileId(PileKind.HAND, seat), target=spot.pile, confidence=0.8,
            )
        )  # fmt: skip

    def _settle_flips(self) -> None:
        """Decide on Wood Piles whose top changed: what hasn't landed anywhere was turned under."""
        due = [item for item in self._flips if item.due_s <= self._now]
        self._flips = [item for item in self._flips if item.due_s > self._now]
        for item in due:
            change, spot = item.change, item.spot
            loss = next(
                (
                    loss
                    for loss in self._whence.losses
                    if loss.pile == spot.pile and loss.label == change.before and loss.gone_s == change.gone_s
                ),
                None,
            )
            if loss is not None and loss.move is None:
                self._whence.losses.remove(loss)
                if change.after is not None:
                    self._flip(spot, change)
                else:
                    hand = PileId(PileKind.HAND, spot.pile.seat)
                    self._say(
                        CardMoved(
                            id=self._id(), time_s=change.gone_s, seen_s=self._now, seat=spot.pile.seat, cards=(None,),
                            source=spot.pile, target=hand, confidence=0.7,
                        )
                    )  # fmt: skip
            elif spot.top == change.after:
                self._show(spot)

    def _landed(self, landing: Landing) -> None:
        if landing.kind is LandingKind.PLAYED:
            self._played(landing)
        elif landing.kind is LandingKind.REMOVED:
            self._removed(landing)
        elif landing.kind is LandingKind.TURNED:
            self._turned(landing)
        else:
            self._reread(landing)

    def _played(self, landing: Landing) -> None:
        card = landing.card
        assert card is not None
        touch_s = self._touch_s(card)
        if landing.beneath:
            touch_s = next(play.touch_s for play in reversed(self._plays.all) if play.pile == landing.pile)
        if self._ended_s is not None and touch_s > self._ended_s and (landing.under is None or not landing.fits):
            return
        if not self._started:
            self._start(touch_s if self._start_at_s is None else self._start_at_s)
        below: tuple[Face, ...] = tuple(Face.parse(label) for label in self._labels_below(landing))
        last = self._plays.last_on(landing.pile)
        for label in landing.unseen:
            last = self._play(landing, label, touch_s, below, last, confidence=0.5)
            below = (*below, Face.parse(label))
        self._play(landing, landing.label, touch_s, below, last, confidence=0.9 if card.is_back else _confidence(card, landing.label))

    def _labels_below(self, landing: Landing) -> list[str]:
        pile = next(pile for pile in self._dutch.piles if pile.id == landing.pile)
        return pile.labels[: len(pile.labels) - 1 - len(landing.unseen)]

    def _touch_s(self, card: LyingCard) -> float:
        """Estimate the touch-down of a card: when it was first seen, unless its place was out of view until then."""
        points = card_points(card.x_mm, card.y_mm, card.angle_deg, self._layout.card_mm)
        since_s = card.born_s
        for time_s, cover in reversed(self._covers):
            if time_s >= card.born_s:
                continue
            if cover.hidden(points).mean() < TOUCH_SHARE:
                break
            since_s = time_s
        arrived_s = self._reaches.touch_s(card.at_mm, since_s, card.born_s)
        return card.born_s if arrived_s is None else arrived_s

    def _play(
        self, landing: Landing, label: str, touch_s: float, below: tuple[Face, ...], last: Play | None,
        confidence: float,
    ) -> Play:  # fmt: skip
        card = landing.card
        assert card is not None
        play = Play(
            self._id(), landing.pile, label, card.at_mm, touch_s, self._reaches.scores(card.at_mm, card.born_s),
            landing.fits, confidence, self._seat_of(landing.deck),
        )  # fmt: skip
        others = self._plays.add(play, self._now)
        source = None if play.loss is None else play.loss.pile
        face = Face.parse(label)
        self._say(
            CardMoved(
                id=play.id, time_s=play.touch_s, seen_s=self._now, seat=play.seat, cards=(face,), source=source,
                target=play.pile, at_mm=_round(play.at_mm), confidence=round(confidence, 3),
            )
        )  # fmt: skip
        self._revise(others)
        self._judge(play, below, last)
        return play

    def _judge(self, play: Play, below: tuple[Face, ...], last: Play | None) -> None:
        source = None if play.loss is None else play.loss.pile
        move = self._move(play)
        piles = {play.pile: Pile(below)}
        if source is not None:
            piles[source] = Pile(move.faces)
        context = Context(
            started_s=float("-inf") if self._start_at_s is None else self._start_at_s,
            ended_s=float("inf") if self._ended_s is None else self._ended_s,
            last_on_pile=None if last is None else self._move(last),
            order_seen=True,
            gap=last is not None and play.touch_s - last.touch_s < 1.0 and not play.fits,
            camera=True,
        )
        ruling = judge(self._variant, Table(piles, self._seats), move, context)
        if ruling.violations != play.violations:
            play.violations = ruling.violations
            self._rule(play.id, play.touch_s, ruling.violations, ruling.certainty, ruling.remedy)

    def _move(self, play: Play) -> Move:
        source = None if play.loss is None else play.loss.pile
        return Move(play.touch_s, play.seat, (Face.parse(play.label),), source, play.pile, play.confidence)

    def _rule(
        self, number: int, time_s: float, violations: tuple[object, ...], certainty: Certainty, remedy: str
    ) -> None:
        from ..game.events import Violation

        broken = tuple(item for item in violations if isinstance(item, Violation))
        self._say(
            Ruled(
                id=self._id(), time_s=time_s, seen_s=self._now, move=number, violations=broken, certainty=certainty,
                remedy=remedy,
            )
        )  # fmt: skip

    def _removed(self, landing: Landing) -> None:
        """Say that the uppermost play of a pile was taken back."""
        play = self._plays.last_on(landing.pile)
        if play is None or play.label != landing.label:
            return
        play.undone = True
        gone_s = self._now if landing.card is None else landing.card.last_s
        target = play.loss.pile if play.loss is not None else None
        if play.loss is not None:
            self._whence.give_back(play.loss.pile, play.label)
        if target is None and play.seat is not None:
            target = PileId(PileKind.WOOD, play.seat)
        if target is None:
            self._say(
                Revised(
                    id=self._id(), time_s=play.touch_s, seen_s=self._now, move=play.id, reason="taken back",
                    retracted=True,
                )
            )  # fmt: skip
        else:
            self._say(
                CardMoved(
                    id=self._id(), time_s=gone_s, seen_s=self._now, undoes=play.id, seat=play.seat,
                    cards=(Face.parse(play.label),), source=play.pile, target=target, confidence=0.9,
                )
            )  # fmt: skip
        if play.violations:
            play.violations = ()
            self._rule(play.id, play.touch_s, (), Certainty.CERTAIN, "")

    def _turned(self, landing: Landing) -> None:
        """Take the owner of a pile's last card from its back."""
        play = self._plays.last_on(landing.pile)
        if play is None or play.deck_seat is not None:
            return
        play.deck_seat = self._seat_of(landing.deck)
        self._revise(self._plays.reconsider(play.label, self._now))

    def _seat_of(self, deck: str | None) -> int | None:
        decks = [seat.deck for seat in self._layout.seats]
        return decks.index(deck) + 1 if deck is not None and deck in decks else None

    def _reread(self, landing: Landing) -> None:
        """Say that a card was misread."""
        play = self._plays.last_on(landing.pile)
        if play is None or landing.card is None:
            return
        old = play.label
        play.label, play.fits = landing.label, landing.fits
        play.confidence = _confidence(landing.card, landing.label)
        if play.loss is not None:
            play.loss.move = None
            play.loss = None
        changed = self._plays.reconsider(old, self._now) + self._plays.reconsider(landing.label, self._now)
        source = None if play.loss is None else play.loss.pile
        self._say(
            Revised(
                id=self._id(), time_s=play.touch_s, seen_s=self._now, move=play.id, reason=f"{old} was misread",
                changes={"cards": (Face.parse(play.label),), "seat": play.seat, "source": source},
            )
        )  # fmt: skip
        self._revise([other for other in changed if other is not play])
        pile = next(pile for pile in self._dutch.piles if pile.id == landing.pile)
        below = tuple(Face.parse(label) for label in pile.labels[:-1])
        earlier = [other for other in self._plays.standing() if other.pile == play.pile and other is not play]
        self._judge(play, below, earlier[-1] if earlier else None)

    def _revise(self, plays: list[Play]) -> None:
        for play in plays:
            source = None if play.loss is None else play.loss.pile
            self._say(
                Revised(
                    id=self._id(), time_s=play.touch_s, seen_s=self._now, move=play.id,
                    reason="seen from where it came" if source is not None else "weighed anew",
                    changes={"seat": play.seat, "source": source},
                )
            )  # fmt: skip

    def _watch_blitz(self) -> None:
        """Notice a Blitz Pile that is empty: bare after its last card left, or bare for long."""
        if not self._started or self._ended_s is not None:
            return
        for spot in self._spots:
            if spot.pile.kind is not PileKind.BLITZ:
                continue
            seat = spot.pile.seat
            if not spot.bare:
                self._bare_blitz.pop(seat, None)
                continue
            since_s = self._bare_blitz.setdefault(seat, self._now)
            if self._whence.blitz_left(seat, self._variant.blitz_cards) <= FEW_LEFT or self._now - since_s > BARE_BLITZ_S:
                self._blitz(seat, spot.pile)
                return

    def _blitz(self, seat: int, pile: PileId) -> None:
        last = [loss for loss in self._whence.losses if loss.pile == pile]
        ended_s = last[-1].gone_s if last else self._now
        play = next((play for play in reversed(self._plays.all) if last and play.loss is last[-1]), None)
        self._ended_s = ended_s = max(ended_s, play.touch_s) if play is not None else ended_s
        self._ended_seen_s = self._now
        self._say(BlitzSeen(id=self._id(), time_s=ended_s, seen_s=self._now, seat=seat))

    def _close(self, on_dutch: list[LyingCard], step: float) -> None:
        """End the round: say its score a little after Blitz, and be ready for the next once the middle is clear."""
        if self._ended_s is None:
            return
        if not self._scored and self._now - self._ended_seen_s >= SCORE_WAIT_S:
            self._score()
        clear = not any(self._now - card.last_s < 0.5 and not card.is_back for card in on_dutch)
        self._clear_s = self._clear_s + step if clear else 0.0
        if self._scored and self._clear_s > CLEAR_S:
            self._start_at_s = None
            self._begin()

    def _score(self) -> None:
        self._scored = True
        scores = []
        for seat, (dutch, sure) in self._plays.counts().items():
            left = self._whence.blitz_left(seat, self._variant.blitz_cards)
            spot = next(spot for spot in self._spots if spot.pile == PileId(PileKind.BLITZ, seat))
            left = 0 if spot.bare else max(left, 1)
            points = dutch * self._variant.dutch_points + left * self._variant.blitz_points
            scores.append(SeatScore(seat, dutch, left, points, sure))
        assert self._ended_s is not None
        self._say(
            RoundScored(id=self._id(), time_s=self._ended_s, seen_s=self._now, by="followed", seats=tuple(scores))
        )


def _round(at_mm: tuple[float, float]) -> tuple[float, float]:
    return round(at_mm[0], 1), round(at_mm[1], 1)


def _confidence(card: LyingCard, label: str) -> float:
    """Give how sure a reading is: the share of votes for it, less while there are few."""
    reads = card.reads.get(label, 0)
    return card.share_of(label) * (1.0 - 0.3 / max(reads, 1))
