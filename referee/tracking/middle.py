"""What happens on the Dutch Piles, said: plays with their owners and rulings, takings back, misreadings, revisions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from ..game.cards import Face
from ..game.events import CardMoved, Certainty, Revised, Ruled, Violation
from ..game.moves import Move, PileId, PileKind
from ..game.rules import Context, judge
from ..game.table import Pile, Table
from ..game.variant import Variant
from ..layout import TableLayout
from .cover import Cover, card_points
from .dutch import DutchPiles
from .infer import Whence
from .landing import Landing, LandingKind
from .owner import Reaches
from .piles import LyingCard
from .plays import Play, Plays
from .voice import Voice

COVERS_S = 3.0
TOUCH_SHARE = 0.35
"""A card that is hidden this much isn't found by the detector."""
GAP_S = 1.0
"""A card that comes so soon after another may have hidden one between them."""
AGAIN_S = 1.5
SLAPPED_MM, SLAPPED_S, CARRIED_S = 30.0, 1.5, 2.0
"""So near comes the hand that lays a card on its like (in two films 13 and 16 mm, in 13 other cases 66 and more).

It is believed so long after, when a card that the hand only held there has come to light elsewhere; and no card is
carried longer than the last.
"""
SLAPPED_OWNER = 0.1
"""A seat that is likelier than this to have played the card that is seen has laid none on it (in three films 0 and
0.001 where there were two cards, 0.27 where there was one).
"""
BLITZ_S = 0.5
"""Cards that landed within this of Blitz were under way: touch-downs are only known that well."""
UNSEEN_CONFIDENCE = 0.5
UNREAD_CONFIDENCE = 0.4
TURNED_CONFIDENCE = 0.9


class Middle:
    """The Dutch area during one round: follows its piles and says what happens there.

    Parameters
    ----------
    started_s
        When the signal was given; None where the first play starts the round.
    """

    def __init__(
        self, layout: TableLayout, variant: Variant, whence: Whence, reaches: Reaches, voice: Voice,
        started_s: float | None,
    ) -> None:  # fmt: skip
        self._layout = layout
        self._variant = variant
        self._seats = tuple(range(1, len(layout.seats) + 1))
        self._whence = whence
        self._reaches = reaches
        self._voice = voice
        self._covers: deque[tuple[float, Cover]] = deque()
        self.started_s = started_s
        self.ended_s: float | None = None
        self.plays = Plays(self._seats, whence, self._lies_until)
        self._again: list[tuple[float, str]] = []
        self.dutch = DutchPiles(
            layout.card_mm, variant.highest, lambda label: whence.is_lost(label, voice.now),
            lambda label, by_s: whence.was_played(label, by_s, voice.now), whence.has_returned,
        )  # fmt: skip

    def follow(self, cards: Sequence[LyingCard], cover: Cover, step: float) -> list[Landing]:
        """Take in one frame and give what happened; `tell` says it."""
        self._covers.append((self._voice.now, cover))
        while self._voice.now - self._covers[0][0] > COVERS_S:
            self._covers.popleft()
        hidden = cover.shares(self.dutch.points()).tolist()
        landings = self.dutch.update(cards, hidden, self._voice.now, step)
        landings = [*landings, *self._slapped(), *self._taken_back()]
        return [landing for landing in landings if self._counts(landing)]

    def _slapped(self) -> list[Landing]:
        """Find cards that lie unseen on another of their own face, as when two go for the same pile.

        A seat's Blitz or Post Pile lost the card, the seat's arm came to a pile on which another seat's card of that
        face lay by then, and a while later the card hasn't come to light anywhere else.
        """
        now, landings = self._voice.now, []
        for loss in self._whence.strays(now):
            label, seat = loss.label, loss.pile.seat
            if any(play.label == label and play.seat == seat for play in self.plays.standing()):
                continue
            for pile in self.dutch.piles:
                if pile.top != label or not pile.visible(now):
                    continue
                last = self.plays.last_on(pile.id)
                if last is None or last.label != label or last.likely.get(seat, 0.0) > SLAPPED_OWNER:
                    continue
                came_s = self._reaches.visit_s(seat, (pile.x_mm, pile.y_mm), loss.gone_s, SLAPPED_MM)
                if came_s is None or not max(loss.gone_s, last.touch_s) < came_s < now - SLAPPED_S:
                    continue
                if came_s < min(loss.gone_s + CARRIED_S, self._over_s):
                    landings.append(self.dutch.slap(pile, came_s))
                    break
        return landings

    def _taken_back(self) -> list[Landing]:
        """Find cards on another of their face that were taken back: their seats' piles show them again."""
        landings = []
        for pile in self.dutch.piles:
            if pile.top is None or pile.top != pile.under:
                continue
            last = self.plays.last_on(pile.id)
            if last is None or last.label != pile.top or last.fits or last.seat is None:
                continue
            if self._whence.was_sighted(last.seat, last.label, last.touch_s):
                landings.append(self.dutch.unslap(pile))
        return landings

    @property
    def _over_s(self) -> float:
        """Until when a card that touches down is play."""
        return float("inf") if self.ended_s is None else self.ended_s + BLITZ_S

    def _counts(self, landing: Landing) -> bool:
        """Tell whether a landing can be play: after Blitz only what continues a pile can, the rest is sweeping up."""
        if landing.kind is not LandingKind.PLAYED or self.touch_s(landing) <= self._over_s:
            return True
        return landing.under is not None and landing.fits

    def touch_s(self, landing: Landing) -> float:
        """Estimate a touch-down: when the card was first seen, unless its place was out of view until then."""
        card = landing.card
        assert card is not None
        if landing.touch_s is not None:
            return landing.touch_s
        if landing.beneath:
            return next(play.touch_s for play in reversed(self.plays.all) if play.pile == landing.pile)
        points = card_points((card.x_mm, card.y_mm, card.angle_deg), self._layout.card_mm)
        since_s = card.shown_s
        for time_s, cover in reversed(self._covers):
            if time_s >= card.shown_s:
                continue
            if cover.shares(points)[0] < TOUCH_SHARE:
                break
            since_s = time_s
        arrived_s = self._reaches.touch_s(card.at_mm, since_s, card.shown_s)
        return card.shown_s if arrived_s is None else arrived_s

    def tell(self, landing: Landing) -> None:
        """Say what happened on a pile."""
        if landing.kind is LandingKind.PLAYED:
            self._played(landing)
        elif landing.kind is LandingKind.REMOVED:
            self._removed(landing)
        elif landing.kind is LandingKind.TURNED:
            self._turned(landing)
        else:
            self._reread(landing)

    def reconsider(self, labels: Iterable[str]) -> None:
        """Weigh anew who played the cards with these labels, now and a little later, and say what changed."""
        now = self._voice.now
        due = {label for due_s, label in self._again if due_s <= now}
        self._again = [item for item in self._again if item[0] > now] + [(now + AGAIN_S, label) for label in labels]
        for label in sorted(due.union(labels)):
            self.revise(self.plays.reconsider(label, now))

    def _lies_until(self, play: Play) -> float:
        pile = next((pile for pile in self.dutch.piles if pile.id == play.pile), None)
        return float("inf") if pile is None or self.plays.last_on(play.pile) is not play else pile.seen_s

    def revise(self, plays: Sequence[Play]) -> None:
        """Say that plays have another seat or source than was said."""
        for play in plays:
            reason = "weighed anew" if play.source is None else f"it left {play.source}"
            changes = {"seat": play.seat, "source": play.source}
            self._voice.say(Revised, time_s=play.touch_s, move=play.id, reason=reason, changes=changes)

    def _played(self, landing: Landing) -> None:
        card = landing.card
        assert card is not None
        touch_s = self.touch_s(landing)
        labels = self.dutch.get(landing.pile).labels
        below = labels[: len(labels) - 1 - len(landing.unseen)]
        for label in landing.unseen:
            self._play(landing, label, touch_s, below, UNSEEN_CONFIDENCE)
            below = [*below, label]
        confidence = TURNED_CONFIDENCE if card.is_back else _confidence(card, landing.label)
        if landing.touch_s is not None:
            confidence = UNSEEN_CONFIDENCE
        self._play(landing, landing.label, touch_s, below, confidence)

    def _play(self, landing: Landing, label: str, touch_s: float, below: Sequence[str], confidence: float) -> None:
        card = landing.card
        assert card is not None
        last = self.plays.last_on(landing.pile)
        first_s = card.shown_s if landing.touch_s is None else landing.touch_s
        play = Play(
            self._voice.new_id(), landing.pile, label, card.at_mm, touch_s, self._reaches.scores(card.at_mm, first_s),
            landing.fits, confidence, self._seat_of(landing.deck),
        )  # fmt: skip
        others = self.plays.add(play, self._voice.now)
        self._voice.say(
            CardMoved, id=play.id, time_s=play.touch_s, seat=play.seat, cards=(Face.parse(label),), source=play.source,
            target=play.pile, at_mm=(round(play.at_mm[0], 1), round(play.at_mm[1], 1)), confidence=round(confidence, 3),
        )  # fmt: skip
        self.revise(others)
        self._judge(play, below, last)

    def _judge(self, play: Play, below: Sequence[str], last: Play | None) -> None:
        move = _move(play)
        piles = {play.pile: Pile(tuple(Face.parse(label) for label in below))}
        if play.source is not None:
            piles[play.source] = Pile(move.faces)
        context = Context(
            started_s=float("-inf") if self.started_s is None else self.started_s,
            ended_s=self._over_s,
            last_on_pile=None if last is None else _move(last),
            order_seen=True,
            gap=last is not None and play.touch_s - last.touch_s < GAP_S,
            camera=True,
        )
        ruling = judge(self._variant, Table(piles, self._seats), move, context)
        if ruling.violations != play.violations:
            self._rule(play, ruling.violations, ruling.certainty, ruling.remedy)

    def _rule(
        self, play: Play, violations: tuple[Violation, ...], certainty: Certainty = Certainty.CERTAIN, remedy: str = ""
    ) -> None:
        play.violations = violations
        self._voice.say(
            Ruled, time_s=play.touch_s, move=play.id, violations=violations, certainty=certainty, remedy=remedy
        )

    def _removed(self, landing: Landing) -> None:
        """Say that the uppermost play of a pile was taken back."""
        play = self.plays.last_on(landing.pile)
        if play is None or play.label != landing.label:
            return
        play.undone = True
        target = play.source
        if play.loss is not None:
            self._whence.give_back(play.loss.pile, play.label)
        if target is None and play.seat is not None:
            target = PileId(PileKind.WOOD, play.seat)
        if target is None:
            self._voice.say(Revised, time_s=play.touch_s, move=play.id, reason="taken back", retracted=True)
        else:
            gone_s = self._voice.now if landing.card is None else landing.card.agreed_s
            self._voice.say(
                CardMoved, time_s=gone_s, undoes=play.id, seat=play.seat, cards=(Face.parse(play.label),),
                source=play.pile, target=target, confidence=0.9,
            )  # fmt: skip
        if play.violations:
            self._rule(play, ())

    def _turned(self, landing: Landing) -> None:
        """Take the owner of a pile's last card from its back."""
        play = self.plays.last_on(landing.pile)
        if play is not None and play.deck_seat is None:
            play.deck_seat = self._seat_of(landing.deck)
            self.reconsider([play.label])

    def _seat_of(self, deck: str | None) -> int | None:
        decks = [seat.deck for seat in self._layout.seats]
        return decks.index(deck) + 1 if deck is not None and deck in decks else None

    def _reread(self, landing: Landing) -> None:
        """Say that a card was misread."""
        play = self.plays.last_on(landing.pile)
        if play is None or landing.card is None:
            return
        old, now = play.label, self._voice.now
        play.label, play.fits = landing.label, landing.fits
        play.confidence = _confidence(landing.card, landing.label)
        if play.loss is not None:
            play.loss.move = None
            play.loss = None
        others = self.plays.reconsider(old, now) + self.plays.reconsider(landing.label, now)
        changes = {"cards": (Face.parse(play.label),), "seat": play.seat, "source": play.source}
        self._voice.say(
            Revised, time_s=play.touch_s, move=play.id, reason=f"it is no {old}: that was misread", changes=changes
        )
        self.revise([other for other in others if other is not play])
        earlier = [other for other in self.plays.standing() if other.pile == play.pile and other is not play]
        self._judge(play, self.dutch.get(play.pile).labels[:-1], earlier[-1] if earlier else None)


def _move(play: Play) -> Move:
    return Move(play.touch_s, play.seat, (Face.parse(play.label),), play.source, play.pile, play.confidence)


def _confidence(card: LyingCard, label: str) -> float:
    """Give how sure a reading is: less while there are few."""
    if card.reads.get(label, 0) == 0:
        return UNREAD_CONFIDENCE
    return card.sureness_of(label) * (1.0 - 0.2 / max(card.reads.get(label, 0), 1))
