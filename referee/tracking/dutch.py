"""Dutch Piles: found by position in the Dutch area, followed when nudged, counted when gathered.

It says what landed on which pile and what left it; it judges nothing, but a reading that continues a pile needs less
proof than one that doesn't, because reading a 6 as an 8 is more common than playing an 8 on a 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import hypot

from ..game.cards import Back, Face
from ..game.moves import PileId
from .dutch_record import BARE_S, SHORT_THROW_MM, DutchRecord
from .landing import FRESH_S, DutchPile, Landing, LandingKind, successor
from .piles import LyingCard, angle_between

FIT_READS, FIT_SHARE = 2, 0.6
ODD_READS, ODD_SHARE, ODD_S = 5, 0.8, 0.45
"""Proof that a card shows something that doesn't continue its pile: readings, their share, and for how long."""
TURNED_READS, TURNED_SHARE = 3, 0.7
OVERLOOKED_ODD_READS, OVERLOOKED_ODD_S = 15, 2.0
"""The same for a card that no arm was seen to bring: a lasting misreading of the one below is far more common."""
ODD_SURE = 0.72
"""Less sure readings of something illegal count as none (measured: a film's false readings have 0.61 to 0.66)."""
UNREAD_S = 0.9
STILL_MM, STILL_DEG = 4.0, 5.0
START_ODD_S = 0.7
SUSPECT_S = 1.2
STICKS_OUT_S = 1.0
HELD_S, HELD_READ_S, HELD_SURE = 1.5, 1.0, 0.9
"""How long a hand at a card is taken to hold it: less long if the card can be read so surely (by films)."""
REMOVED_S = 0.3
FIT_REMOVED_S = 0.8
SAME_POSE_MM, SAME_POSE_DEG = 7.0, 7.0
"""A card that is uncovered lies where it lay; a new one lands within about 6 mm and 8 degrees of the pile's middle."""
WAIT_HIDDEN_S = 1.0
ASKEW_S = 1.2
"""A wrong card that leaves the one below it in sight is believed this late: it may be one card found twice."""
SHORT_THROW_S = 0.9
DOUBT_S = 1.3
"""How long a card is watched whose readings are divided between what would continue the pile and something else."""


class DutchPiles(DutchRecord):
    """All Dutch Piles of a round: decides what each card that lies in their area means."""

    def update(self, cards: Sequence[LyingCard], hidden: Sequence[float], now: float, step: float) -> list[Landing]:
        """Take in the cards of the Dutch area in one frame.

        Parameters
        ----------
        cards
            Cards that lie in the Dutch area.
        hidden
            The hidden share of each pile, in order of `piles`.
        """
        landings = self._landings = []
        fresh = [card for card in cards if now - card.last_s <= FRESH_S]
        for pile, share in zip(self.piles, hidden, strict=True):
            self._follow(pile, share, fresh, now, step)
        tops = {pile.card.number: pile for pile in self.piles if pile.card is not None}
        for card in sorted(fresh, key=lambda card: card.number):
            if not card.settled:
                continue
            if card.label is None:
                top = tops.get(card.number)
                landing = self._unread(card, now) if top is None else self._replaced(top, card, now)
                if landing is not None:
                    landings.append(landing)
                continue
            if card.is_back:
                landing = self._turned_over(card)
                if landing is not None:
                    landings.append(landing)
                continue
            if card.number in tops:
                pile = tops[card.number]
                landing = self._reread(pile, card, now) or self._replaced(pile, card, now)
            elif any(card.number in pile.below for pile in self.piles):
                landing = self._uncovered(card, now)
            else:
                landing = self._bind(card, now)
            if landing is not None:
                landings.append(landing)
        for pile in self.piles:
            landing = self._emptied(pile)
            if landing is not None:
                landings.append(landing)
        return landings

    def slap(self, pile: DutchPile, touch_s: float) -> Landing:
        """Take it that another card of its top's own face lies on a pile."""
        assert pile.card is not None
        assert pile.top is not None
        landing = self._play(pile, pile.top, pile.card, fits=False)
        pile.below.discard(pile.card.number)
        return replace(landing, touch_s=touch_s)

    def unslap(self, pile: DutchPile) -> Landing:
        """Take it that a pile's top, which lay on another of its face, was taken back."""
        return Landing(LandingKind.REMOVED, pile.id, self._pop(pile), pile.card, True, pile.top)

    def _turned_over(self, card: LyingCard) -> Landing | None:
        """Understand a back on a pile: its last card has been turned over, whether or not that card was seen."""
        label = card.label
        if label is None or not card.is_read(label, TURNED_READS, TURNED_SHARE):
            return None
        near = self._near(card, 0.5 * self._card_mm[1])
        if not near or near[0].card is card or near[0].visible(card.last_s):
            return None
        pile = near[0]
        deck = Back.parse(label).deck
        if pile.top is not None and successor(pile.top, self._last) is None:
            self._rebind(pile, card, card.last_s)
            return Landing(LandingKind.TURNED, pile.id, pile.top, card, True, pile.under, deck=deck)
        last = successor(pile.top, self._last)
        if last is None or successor(last, self._last) is not None:
            return None
        return replace(self._play(pile, last, card, fits=True), deck=deck)

    def _unread(self, card: LyingCard, now: float) -> Landing | None:
        """Understand a face that came to lie on a pile and can't be read: most likely it continues the pile.

        It is believed sooner when a card like that has just left a player's pile.
        """
        near = self._near(card, 0.5 * self._card_mm[1])
        if not near or card.is_back or self._is_held(card, now):
            return None
        pile = near[0]
        wanted = successor(pile.top, self._last)
        older = card.number in pile.below or (pile.card is not None and pile.card.number >= card.number)
        if wanted is None or older or (pile.card is not None and pile.card.agreed_s >= card.shown_s):
            return None
        x, y, angle = pile.poses[-1]
        if card.distance_mm(x, y) < STILL_MM and angle_between(card.angle_deg, angle) < STILL_DEG:
            self._rebind(pile, card, now)
            return None
        patience_s = ODD_S if self._lost(wanted) else UNREAD_S
        if now - card.shown_s < patience_s or card.hits < ODD_READS:
            return None
        return self._play(pile, wanted, card, fits=True)

    def _bind(self, card: LyingCard, now: float) -> Landing | None:
        near = self._near(card, 0.5 * self._card_mm[1])
        if near:
            return self._land(near[0], card, now)
        return self._start(card, now)

    def _land(self, pile: DutchPile, card: LyingCard, now: float) -> Landing | None:
        label, top = card.label, pile.top
        assert label is not None
        age_s = now - card.shown_s
        wanted = successor(top, self._last)
        reads = card.reads.get(label, 0)
        if label == top:
            return self._same_label(pile, card, now)
        doubted = not pile.fits[-1] and pile.top != pile.under
        if doubted and not pile.visible(now) and label == successor(pile.under, self._last):
            # What was wrong has gone, and below it lies what had been rightly played unseen just before it.
            if reads < FIT_READS or card.share < FIT_SHARE or now - max(card.shown_s, pile.seen_s) < REMOVED_S:
                return None
            self._landings.append(self._remove(pile, card))
            return replace(self._play(pile, label, card, fits=True), beneath=True)
        if label == wanted:
            if reads >= FIT_READS and card.share >= FIT_SHARE:
                return self._play(pile, label, card, fits=True)
            return None
        if label == pile.under and not pile.visible(now):
            taken_back = self._is_taken_back(pile, card, now)
            if taken_back is not False:
                return self._remove(pile, card) if taken_back else None
        if wanted is not None and card.share_of(wanted) >= 0.25:
            # Divided readings: what continues the pile is far more common than what doesn't.
            ready = age_s >= DOUBT_S and card.share_of(wanted) >= 0.4
            return self._play(pile, wanted, card, fits=True) if ready else None
        if label in pile.labels and not self._lost(label):
            # A card of the pile itself that sticks out is far more common than another deck's.
            if pile.card is not None and pile.card.last_s == card.last_s and age_s >= ODD_S:
                pile.below.add(card.number)
            if pile.visible(now) or pile.hidden or age_s < STICKS_OUT_S:
                return None
        if wanted is not None and card.sureness_of(label) < ODD_SURE and (self._lost(wanted) or not self._lost(label)):
            return self._unread(card, now)
        unseen = self._between(pile, label)
        if not unseen and self._is_held(card, now):
            return None
        proof_s = 0.2 if unseen else ODD_S
        covered = pile.card is None or pile.card.last_s < card.shown_s or not pile.visible(now)
        covered = covered or age_s >= ASKEW_S
        wanted_reads = 3 if unseen else ODD_READS
        if card.overlooked:
            proof_s, wanted_reads = OVERLOOKED_ODD_S, OVERLOOKED_ODD_READS
        if not covered or card.share < ODD_SHARE or reads < wanted_reads or age_s < proof_s:
            return None
        return self._play(pile, label, card, fits=bool(unseen), unseen=unseen)

    @staticmethod
    def _is_held(card: LyingCard, now: float) -> bool:
        """Tell whether a hand is still at a card: what isn't legal is only believed once it was let go."""
        label = card.label
        well_read = label is not None and card.sureness_of(label) >= HELD_SURE
        return now - card.touched_s < FRESH_S and now - card.shown_s < (HELD_READ_S if well_read else HELD_S)

    def _same_label(self, pile: DutchPile, card: LyingCard, now: float) -> Landing | None:
        label = card.label
        assert label is not None
        if pile.visible(now):
            # Both are seen: a second card of the same face lies beside or half on the first.
            sure = pile.distance_mm(card) > 12.0 and now - card.shown_s >= START_ODD_S
            if sure and card.reads.get(label, 0) >= ODD_READS and self._lost(label):
                return self._play(pile, label, card, fits=False)
            return None
        if pile.hidden_s >= pile.seen_s and card.number != pile.suspect:
            # The same face in another pose after a cover: another card like it, if one is found to have left a pile.
            pile.suspect, pile.suspect_s = card.number, now
        if now - pile.suspect_s < SUSPECT_S:
            if self._played(label, card.shown_s) and now - card.shown_s >= ODD_S:
                return self._play(pile, label, card, fits=False)
            return None
        self._rebind(pile, card, now)
        return None

    def _start(self, card: LyingCard, now: float) -> Landing | None:
        label = card.label
        assert label is not None
        age_s, reads = now - card.shown_s, card.reads.get(label, 0)
        moved = self._moved_pile(card, label, now)
        if isinstance(moved, DutchPile):
            self._rebind(moved, card, now)
            return None
        if moved and age_s < WAIT_HIDDEN_S:
            return None
        first = Face.parse(label).number == 1
        if first:
            if reads < FIT_READS or card.share < FIT_SHARE:
                return None
            return self._new_pile(label, card)
        short = [pile for pile in self._near(card, SHORT_THROW_MM) if label == successor(pile.top, self._last)]
        if short:
            # A thrown card is straightened: bind it late, and only where it overlaps the pile.
            overlaps = short[0].distance_mm(card) < 0.8 * self._card_mm[1]
            if age_s >= SHORT_THROW_S and overlaps and reads >= FIT_READS and card.share >= FIT_SHARE:
                return self._play(short[0], label, card, fits=True)
            if age_s < 2.0 * SHORT_THROW_S:
                return None
        if (
            self._is_held(card, now)
            or age_s < START_ODD_S
            or now - card.since_s < ODD_S
            or reads < ODD_READS
            or card.share < ODD_SHARE
        ):
            return None
        return self._new_pile(label, card)

    def _moved_pile(self, card: LyingCard, label: str, now: float) -> DutchPile | bool:
        """Find the pile whose top this card is, moved; True when that can't be known yet, False when there is none."""
        maybe = False
        for pile in self.piles:
            if pile.top != label or pile.visible(now):
                continue
            lately = pile.card is not None and not pile.card.gone and now - pile.card.last_s < 0.4
            if pile.hidden or lately:
                maybe = True
            elif pile.bare_s > 0.0 or pile.gathered:
                return pile
        return maybe

    def _new_pile(self, label: str, card: LyingCard) -> Landing:
        self._count += 1
        pile = DutchPile(PileId.dutch(self._count), card.x_mm, card.y_mm, card.angle_deg)
        self.piles.append(pile)
        return self._play(pile, label, card, fits=Face.parse(label).number == 1)

    def _is_taken_back(self, pile: DutchPile, card: LyingCard, now: float) -> bool | None:
        """Tell whether a card is the one below the top, uncovered, or another like it; None while that isn't clear.

        An uncovered card lies as it lay. Beside that it matters whether the top was wrong (then it is expected back),
        whether it came to light on a player's pile, and whether a card like this one has left one.
        """
        label, top = pile.under, pile.top
        assert label is not None
        assert top is not None
        x, y, angle = pile.poses[-2]
        apart_mm = hypot(card.x_mm - x, card.y_mm - y)
        same_pose = apart_mm < SAME_POSE_MM and angle_between(card.angle_deg, angle) < SAME_POSE_DEG
        points = 2.0 if same_pose else -2.0
        points += 0.5 if pile.fits[-1] else 2.0
        points += 2.0 if self._returned(top, pile.seen_s - 0.3) else 0.0
        points -= 2.5 if self._lost(label) else 0.0
        waited_s = now - max(card.shown_s, pile.seen_s)
        if card.reads.get(label, 0) < FIT_READS or waited_s < (REMOVED_S if points > 2.0 else FIT_REMOVED_S):
            return None
        return points > 0.0

    def _uncovered(self, card: LyingCard, now: float) -> Landing | None:
        """Decide on a card known to lie below a pile's top: seen without that top it has been uncovered."""
        pile = next(pile for pile in self.piles if card.number in pile.below)
        if card.label != pile.under or pile.visible(now):
            return None
        taken_back = self._is_taken_back(pile, card, now)
        if taken_back is False:
            pile.below.discard(card.number)
        if not taken_back:
            return None
        return self._remove(pile, card)

    def _emptied(self, pile: DutchPile) -> Landing | None:
        """Find a pile of one card that was taken back: nothing lies there any more."""
        if len(pile.labels) != 1 or pile.bare_s < BARE_S or pile.gathered or Face.parse(pile.labels[0]).number == 1:
            return None
        label, old = self._pop(pile), pile.card
        pile.card = None
        return Landing(LandingKind.REMOVED, pile.id, label, old, True, None)

    def _reread(self, pile: DutchPile, card: LyingCard, now: float) -> Landing | None:
        """Decide on a top whose readings now say something else: another card in its pose, or the same one misread."""
        label, top = card.label, pile.top
        if label is None or label == top or top is None:
            return None
        if card.touched_s > max(card.read_s.get(top, -1.0), pile.bound_s) and card.is_read(label, 3, FIT_SHARE):
            unread = card.reads.get(top, 0) == 0
            missing = self._missing(pile, label)
            if label == successor(top, self._last) or self._between(pile, label) or (missing and unread):
                return self._renewed(pile, card, label, missing, now)
            if unread:
                return None
        under = pile.under
        fits = label == successor(under, self._last) if under else Face.parse(label).number == 1
        needed, share = (3, 0.6) if fits else (10, 0.9)
        if not card.is_read(label, needed, share) or (not fits and card.sureness_of(label) < ODD_SURE):
            return None
        pile.labels[-1], pile.fits[-1] = label, fits
        return Landing(LandingKind.REREAD, pile.id, label, card, fits, under)

    def _renewed(self, pile: DutchPile, card: LyingCard, label: str, missing: tuple[str, ...], now: float) -> Landing:
        """Understand that another card has come in the top's own pose; of those before it only lost ones are told."""
        reads, weights = card.reads[label], card.weights[label]
        first_s = max(card.reached_s, pile.bound_s)
        card.renew(now, first_s)
        card.reads[label], card.weights[label], card.votes[label] = reads, weights, weights
        landing = self._play(pile, label, card, fits=True, unseen=missing)
        return replace(landing, unseen=tuple(one for one in missing if self._lost(one)))

    def _replaced(self, pile: DutchPile, card: LyingCard, now: float) -> Landing | None:
        """Find a top that can't be read any more since a hand was there, when the card that continues it was lost."""
        wanted = successor(pile.top, self._last)
        never_read = not card.reads and pile.bound_s < card.born_s
        known_s = card.read_s.get(pile.top or "", pile.bound_s)
        if card.label in (None, pile.top):
            known_s = card.agreed_s
        if wanted is None or (known_s > card.touched_s and not never_read):
            return None
        unread_s = card.last_s - max(card.shown_s if never_read else known_s, card.touched_s)
        if unread_s < ODD_S or not self._lost(wanted):
            return None
        card.renew(now, card.shown_s if never_read else card.reached_s)
        return self._play(pile, wanted, card, fits=True)
