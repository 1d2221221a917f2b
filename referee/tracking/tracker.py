"""The whole of tracking behind one door: observations in, events out.

It ties together the cards that lie, the players' piles and the Dutch Piles, and knows where a round begins and ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count

import numpy as np

from ..game.event_types import MatchStarted, RoundEnded, RoundResumed
from ..game.events import BlitzSeen, CardMoved, Event, Revised, RoundScored, RoundStarted, SeatScore
from ..game.house_rules import make_variant
from ..game.match import Match, Phase
from ..game.moves import PileId, PileKind
from ..game.scoring import score
from ..game.variant import Variant, get_variant
from ..layout import TableLayout
from ..vision.frames import Observation
from .cover import Cover, Polygon, card_points
from .infer import Loss, Whence
from .landing import LandingKind
from .middle import Middle
from .owner import Reaches
from .piles import LyingCard, LyingCards
from .plays import Plays
from .restore import restore_round
from .seats import SeatPiles
from .spots import Spot, find_spot, make_spots
from .voice import Voice

LATE_PLAY_S = 2.0
"""After Blitz cards still land for this long; what moves later is the sweep, which is no play."""
SCORE_WAIT_S = 3.0
CLEAR_S = 2.0
SWEPT_S = 8.0
"""A middle that was clear for this long holds no late play: the round is scored and the next may begin."""
FEW_LEFT = 2
BARE_S_A_CARD = 0.5
"""A bare Blitz Pile is believed at once when few cards were thought to be left in it, else the later the more."""
IN_HAND_S = 1.2
LONGEST_STEP_S = 0.2
STILL_MM = 1.5
MOST_PLACES = 2000
DEALT_S = 3.0


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
        self._seats = tuple(range(1, len(layout.seats) + 1))
        self._voice = Voice(count(1) if ids is None else ids)
        self._lying = LyingCards(layout.card_mm)
        self._reaches = Reaches()
        self._last_s: float | None = None
        self._begin(start_at_s)

    def _begin(self, start_at_s: float | None) -> None:
        """Forget the round; the cards that lie on the table stay known."""
        self._start_at_s = start_at_s
        self._dutch_area = Polygon(self._layout.dutch_mm)
        self._spots = make_spots(self._layout)
        self._points = card_points([spot.pose for spot in self._spots], self._layout.card_mm)
        self._places: dict[int, tuple[float, float, Spot | None]] = {}
        self._whence = Whence(self._spots)
        self._middle = Middle(
            self._layout, self._variant, self._whence, self._reaches, self._voice, start_at_s
        )  # fmt: skip
        self._own = SeatPiles(self._spots, self._whence, self._variant, self._seats, self._voice)
        self._bare_blitz: dict[int, float] = {}
        self._started = False
        self._mute = False
        self._to_show = False
        self._ended_seen_s = 0.0
        self._blitz_seat: int | None = None
        self._scored = False
        self._clear_s = 0.0

    @property
    def plays(self) -> Plays:
        """Give the plays of this round with all that is believed of them."""
        return self._middle.plays

    def update(self, observation: Observation) -> list[Event]:
        """Take in one frame and give what it brings to light; a frame that isn't sharp brings nothing."""
        if not observation.sharp:
            return []
        now = self._voice.now = observation.time_s
        step = 0.0 if self._last_s is None else min(max(now - self._last_s, 0.0), LONGEST_STEP_S)
        self._last_s = now
        cover = Cover(observation)
        self._lying.update(observation, cover)
        self._reaches.update(now, observation.reaches)
        if self._start_at_s is not None and not self._started and now >= self._start_at_s:
            self._start(self._start_at_s)
        on_dutch, on_spots = self._sort_cards()
        ended_s = self._middle.ended_s
        touched: set[str] = set()
        for spot, share in zip(self._spots, cover.shares(self._points).tolist(), strict=True):
            change = spot.look(on_spots.get(spot.pile, ()), share, now)
            if change is not None and ended_s is None:
                touched |= self._own.changed(spot, change, self._started)
        touched |= self._whence.update(now)
        if ended_s is None or now - ended_s < LATE_PLAY_S:
            for landing in self._middle.follow(on_dutch, cover, step):
                if landing.kind is LandingKind.PLAYED and not self._started:
                    self._start(self._middle.touch_s(landing) if self._start_at_s is None else self._start_at_s)
                self._middle.tell(landing)
        if self._started:
            self._show_tops()
            self._own.settle()
            self._middle.reconsider(touched)
            self._watch_blitz()
        self._close(on_dutch, step)
        return self._take()

    def _take(self) -> list[Event]:
        said = self._voice.take()
        return [] if self._mute else said

    def finish(self) -> list[Event]:
        """Say what is left to say when the source has ended."""
        if self._middle.ended_s is not None and not self._scored:
            self._score()
        return self._take()

    def heed(self, event: Event) -> None:
        """Take a person's word into account: a start, an end, a correction; it was said, so nothing is said of it."""
        if isinstance(event, RoundStarted):
            if self._started:
                self._begin(event.time_s)
            self._middle.started_s = event.time_s
            self._started = self._to_show = True
        elif isinstance(event, MatchStarted):
            self._variant = make_variant(get_variant(event.variant), event.rules)
            # What still lies there belongs to a round that the new match knows nothing of.
            if self._started:
                self._mute = True
                self._end(event)
            else:
                self._begin(self._start_at_s)
        elif isinstance(event, Revised):
            self.plays.correct(event)
        elif isinstance(event, CardMoved) and event.undoes is not None:
            self.plays.take_back(event.undoes)
        elif isinstance(event, BlitzSeen | RoundEnded | RoundScored) and not self._started:
            # It speaks of the round before: that one is closed here, and the next hasn't begun.
            return
        elif isinstance(event, BlitzSeen | RoundEnded) and self._middle.ended_s is None:
            self._middle.ended_s, self._ended_seen_s = event.time_s, event.seen_s
            self._scored = isinstance(event, RoundEnded) and event.reason == "abandoned"
            self._blitz_seat = event.seat if isinstance(event, BlitzSeen) else None
        elif isinstance(event, RoundResumed):
            self._go_on()
        elif isinstance(event, RoundScored):
            self._end(event)

    def _go_on(self) -> None:
        """Take it that the round wasn't over, though its end was said, or that a pause is."""
        if not self._started:
            # Nothing lay in the middle, so that the next round was awaited.
            self._started = self._to_show = True
        self._middle.ended_s, self._scored = None, False
        if self._blitz_seat is not None:
            # This pile isn't empty, whatever was seen: it is watched again once a card was seen there.
            self._bare_blitz[self._blitz_seat] = math.inf
            self._blitz_seat = None

    def _end(self, event: Event) -> None:
        """Take it that the round is over and scored, whatever was seen."""
        self._scored = True
        if self._middle.ended_s is None:
            self._middle.ended_s, self._ended_seen_s = event.time_s, event.seen_s

    def lay_out(self, layout: TableLayout) -> None:
        """Take it that things lie elsewhere: at once, or once the round that is played and its cards are gone."""
        self._layout = layout
        if not self._started:
            self._begin(self._start_at_s)

    def resume(self, match: Match) -> None:
        """Take up the round that a log left unfinished, before the first frame."""
        round_ = match.round
        if round_ is None or round_.phase in (Phase.SCORED, Phase.ABANDONED):
            return
        restore_round(round_, self._middle.dutch, self.plays, self._whence)
        self._middle.started_s, self._middle.ended_s = round_.started_s, round_.ended_s
        self._ended_seen_s = round_.ended_s or 0.0
        self._blitz_seat = round_.blitz_seat
        self._started = self._to_show = True

    def _sort_cards(self) -> tuple[list[LyingCard], dict[PileId, list[LyingCard]]]:
        """Give the cards that lie in the Dutch area, and those on each player's pile."""
        cards = self._lying.cards
        on_dutch: list[LyingCard] = []
        on_spots: dict[PileId, list[LyingCard]] = {}
        if not cards:
            return on_dutch, on_spots
        inside = self._dutch_area.contains(np.array([card.at_mm for card in cards])).tolist()
        for card, is_dutch in zip(cards, inside, strict=True):
            if is_dutch:
                on_dutch.append(card)
                continue
            spot = self._find_spot(card)
            if spot is not None:
                on_spots.setdefault(spot.pile, []).append(card)
        return on_dutch, on_spots

    def _find_spot(self, card: LyingCard) -> Spot | None:
        """Find a card's pile; asked anew only when it moved."""
        if len(self._places) > MOST_PLACES:
            self._places.clear()
        x, y, spot = self._places.get(card.number, (1e9, 1e9, None))
        if abs(card.x_mm - x) + abs(card.y_mm - y) > STILL_MM:
            spot = find_spot(self._spots, card.at_mm, self._layout.card_mm)
            self._places[card.number] = (*card.at_mm, spot)
        return spot

    def _start(self, time_s: float) -> None:
        self._started = self._to_show = True
        # The log's format calls the official rules by the game's name.
        name = "dutch-blitz" if self._variant.name == "official" else self._variant.name
        # What changed while cards were dealt is no play; the first play's own card has only just left its pile.
        self._whence.forget_before(time_s - DEALT_S)
        self._voice.say(RoundStarted, time_s=time_s, seats=len(self._seats), variant=name)
        self._show_tops()

    def _show_tops(self) -> None:
        if self._to_show:
            self._to_show = False
            for spot in self._spots:
                if spot.top is not None:
                    self._own.show(spot)

    def _watch_blitz(self) -> None:
        """Notice a Blitz Pile that is empty: bare after its last card left, or bare for long."""
        if self._middle.ended_s is not None:
            return
        for spot in self._spots:
            if spot.pile.kind is not PileKind.BLITZ:
                continue
            seat = spot.pile.seat
            if not spot.bare:
                self._bare_blitz.pop(seat, None)
                continue
            since_s = self._bare_blitz.setdefault(seat, self._voice.now)
            last = next((loss for loss in reversed(self._whence.losses) if loss.pile == spot.pile), None)
            left = self._whence.blitz_left(seat, self._variant.blitz_cards)
            patience_s = BARE_S_A_CARD * left if left > FEW_LEFT else 0.0
            if last is None or last.landed_s is None:
                # The last card is still in somebody's hand: it may yet be put back.
                patience_s = max(patience_s, IN_HAND_S)
            if self._voice.now - since_s >= patience_s:
                self._blitz(seat, last)
                return

    def _blitz(self, seat: int, last: Loss | None) -> None:
        ended_s = self._voice.now if last is None else last.gone_s
        if last is not None and last.landed_s is not None:
            ended_s = max(ended_s, last.landed_s)
        self._middle.ended_s, self._ended_seen_s = ended_s, self._voice.now
        self._blitz_seat = seat
        self._voice.say(BlitzSeen, time_s=ended_s, seat=seat)

    def _close(self, on_dutch: list[LyingCard], step: float) -> None:
        """End the round: say its score a little after Blitz, and be ready for the next once the middle is clear."""
        clear = not any(self._voice.now - card.last_s < 0.5 and not card.is_back for card in on_dutch)
        # Measured while the round is played, too: its end may be said at the desk when all is swept already.
        self._clear_s = self._clear_s + step if clear else 0.0
        if self._middle.ended_s is None:
            return
        # After Blitz for late plays; those who are stuck may yet find a move, until they sweep the table.
        waited = self._blitz_seat is not None and self._voice.now - self._ended_seen_s >= SCORE_WAIT_S
        if not self._scored and (waited or self._clear_s > SWEPT_S):
            self._score()
        if self._scored and self._clear_s > CLEAR_S:
            self._begin(None)

    def _score(self) -> None:
        self._scored = True
        scores = []
        for seat, (dutch, sure) in self.plays.counts().items():
            # Only one pile was empty; that the others are gone by now is the sweep.
            left = 0 if seat == self._blitz_seat else max(self._whence.blitz_left(seat, self._variant.blitz_cards), 1)
            scores.append(SeatScore(seat, dutch, left, score(self._variant, dutch, left), sure))
        self._voice.say(RoundScored, time_s=self._middle.ended_s, by="followed", seats=tuple(scores))
