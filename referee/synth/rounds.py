"""A whole round from the deal to the sweep: seats the bots, lets time pass, gathers the cards.

The same seed gives the same round. A round that gets stuck, or that isn't as long as asked for, is dealt again.
"""

from __future__ import annotations

import heapq
from dataclasses import replace

import numpy as np

from ..game.events import Violation
from ..game.moves import PileId, PileKind
from ..game.variant import get_variant
from ..layout import Pose
from .bots import Bot, Life
from .hands import Hands
from .manners import Temper
from .mischief import MEANT_KINDS, Mischief
from .play import Script, distance_mm
from .seating import Seating, seat_people
from .stage import Stage

BLITZ_CARDS = 10
_LONGEST_S = 600.0
_STUCK_S = 25.0


class NoRoundError(ValueError):
    """No round of the wanted kind came about; the message says what to change."""


def play_round(
    seed: int,
    seats: int,
    illegal: int = 0,
    *,
    size_px: tuple[int, int] = (1920, 1080),
    pace: float = 1.0,
    length_s: tuple[float, float] = (0.0, _LONGEST_S),
    seating: Seating | None = None,
    kinds: tuple[Violation, ...] = MEANT_KINDS,
    aside: float = 0.0,
) -> Script:
    """Let bots play one round.

    Parameters
    ----------
    seed
        Same seed, same round.
    seats
        2 to 8.
    illegal
        How many illegal plays are wanted.
    size_px
        Of the picture that the camera takes.
    pace
        Multiplies everybody's durations: 0.7 is a table of experts.
    length_s
        Shortest and longest film; rounds outside are dealt again.
    seating
        The stage; None sets a new one.
    kinds
        Of which kinds the illegal plays are, each as often as the others.
    aside
        How often a finished Dutch Pile is moved aside, 0..1.

    Raises
    ------
    ValueError
        If there are not 2 to 8 seats or fewer than 0 illegal plays.
    NoRoundError
        If 200 deals brought no such round.
    """
    if illegal < 0 or illegal > 40:
        raise ValueError(f"{illegal} illegal plays: choose 0 to 40")
    rng = np.random.default_rng([seed, seats])
    posts = get_variant("official").posts_for(seats)
    if seating is None:
        seating = seat_people(rng, seats, posts, size_px)
    low, high = length_s
    lengths = []
    for _ in range(200):
        script = _Round(seating, np.random.default_rng(rng.integers(2**63)), illegal, pace, kinds, aside).run()
        if script is None:
            continue
        lengths.append(script.end_s)
        if low <= script.end_s <= high:
            return script
    seen = f"they took {min(lengths):.0f} to {max(lengths):.0f} s" if lengths else "none came to an end"
    raise NoRoundError(
        f"no round of {seats} seats with {illegal} illegal plays between {low:.0f} and {high:.0f} s in 200 deals "
        f"({seen}): ask for fewer illegal plays, another length or another pace"
    )


class _Round:
    def __init__(
        self, seating: Seating, rng: np.random.Generator, illegal: int, pace: float, kinds: tuple[Violation, ...],
        aside: float,
    ) -> None:  # fmt: skip
        self.stage = Stage(seating, rng, aside)
        self.seats = len(seating.places)
        self.illegal = illegal
        self.mischief = Mischief(rng, illegal, self.seats, kinds)
        self.tempers = [Temper.sample(rng, pace) for _ in range(self.seats)]

    def run(self) -> Script | None:
        """Play; None when it got stuck or brought too few illegal plays."""
        stage = self.stage
        go_s = self._deal()
        dealt = [
            (pile, cards[-1])
            for pile, cards in stage.piles.items()
            if cards and pile.kind in (PileKind.POST, PileKind.BLITZ)
        ]
        hasty = self.mischief.left.count(Violation.BEFORE_START)
        early = frozenset(stage.rng.permutation(self.seats)[:hasty] + 1) if hasty else frozenset()
        go_s += 1.2 if hasty else 0.0
        bots = [
            Bot(stage, seat, self.tempers[seat - 1], self.mischief, go_s, seat in early)
            for seat in range(1, self.seats + 1)
        ]
        players: list[Hands] = [*bots]
        for bot in bots:
            bot.meet(players)
        queue: list[tuple[float, int, Life]] = []
        for bot in bots:
            life = bot.live()
            heapq.heappush(queue, (next(life), bot.seat, life))
        last_play_s, plays = go_s, 0
        while queue:
            time_s, seat, life = heapq.heappop(queue)
            if stage.dutch_plays > plays:
                last_play_s, plays = time_s, stage.dutch_plays
            if time_s - last_play_s > _STUCK_S or time_s > _LONGEST_S:
                return None
            wake = next(life, None)
            if wake is not None:
                heapq.heappush(queue, (max(wake, time_s + 1e-4), seat, life))
        over_s, winner = bots[0].over_s, stage.winner
        if over_s is None or winner is None or sum(item.meant is not None for item in stage.played) < self.illegal:
            return None
        played = sorted(stage.played, key=lambda item: item.move.time_s)
        place_of = {id(item): index for index, item in enumerate(played)}
        played = [
            item if item.undoes is None else replace(item, undoes=place_of[id(stage.played[item.undoes])])
            for item in played
        ]
        decks = stage.seating.decks
        on_dutch = [stage.cards[card].deck for pile in stage.dutch() for card in stage.faces(pile)]
        blitz = tuple(len(stage.faces(PileId(PileKind.BLITZ, seat))) for seat in range(1, self.seats + 1))
        end_s = self._sweep(over_s, winner)
        stage.close(end_s)
        return Script(
            seating=stage.seating, variant="dutch-blitz", cards=stage.cards,
            spans=tuple(sorted(stage.spans, key=lambda span: span.start_s)),
            strokes=tuple(sorted(stage.strokes, key=lambda stroke: stroke.start_s)),
            played=tuple(played), dealt=tuple(dealt), go_s=go_s, over_s=over_s, end_s=end_s, winner=winner,
            dutch=tuple(on_dutch.count(deck) for deck in decks), blitz=blitz, wanted=tuple(self.mischief.done),
        )  # fmt: skip

    def _deal(self) -> float:
        """Lay out Post and Blitz Piles, everybody their own; gives the time of the signal."""
        stage, rng = self.stage, self.stage.rng
        ready = 0.0
        for seat, place in enumerate(stage.seating.places, 1):
            order = [int(card) + 40 * (seat - 1) for card in rng.permutation(40)]
            hand, blitz = PileId(PileKind.HAND, seat), PileId(PileKind.BLITZ, seat)
            piles: list[tuple[PileId, list[int]]] = [(blitz, order[:BLITZ_CARDS])]
            for slot in range(1, len(place.post_mm) + 1):
                piles.append((PileId(PileKind.POST, seat, slot), [order[BLITZ_CARDS + slot - 1]]))
            packet = order[BLITZ_CARDS + len(place.post_mm) :]
            for card in packet:
                stage.lay(card, hand, stage.landing(hand, seat), 0.0, False, stage.height_on(hand))
            start = place.hand_mm
            stage.place_hand(seat, False, stage.grip(start, seat), 0.0)
            left = place.at(-130, -150) if place.hand_lies else place.at(*self._left_grip(seat))
            stage.place_hand(seat, True, left, 0.0, 25.0 if place.hand_lies else 70.0)
            now = 0.3 + float(rng.uniform(0, 0.5))
            pace = self.tempers[seat - 1].pace
            for pile, cards in piles:
                goal = stage.landing(pile, seat)
                home = stage.grip(start, seat)
                reach = pace * 0.2
                stage.move_hand(seat, now, now + reach, home, stage.height_on(hand) + 4)
                leave = now + reach + 0.04
                touch = leave + pace * float(rng.uniform(0.22, 0.34))
                for card in cards:
                    pose = goal if card == cards[-1] else stage.landing(pile, seat)
                    height = stage.height_on(pile)
                    begin = (start, stage.height_on(hand), False)
                    stage.carry(card, seat, leave, touch, begin, (pose, height, True), 40)
                    stage.lay(card, pile, pose, touch, True, height)
                stage.move_hand(seat, leave, touch, stage.grip(goal, seat), 4, 35, len(cards))
                now = touch + pace * float(rng.uniform(0.06, 0.2))
            stage.move_hand(seat, now, now + 0.5, place.at(110, -70), 25)
            ready = max(ready, now + 0.5)
        return ready + float(rng.uniform(0.6, 1.1))

    def _left_grip(self, seat: int) -> tuple[float, float]:
        place = self.stage.seating.places[seat - 1]
        turn = np.radians(place.turn_deg)
        dx, dy = place.hand_mm.x_mm - place.edge_mm[0], place.hand_mm.y_mm - place.edge_mm[1]
        right = dx * np.cos(turn) + dy * np.sin(turn)
        forward = dx * np.sin(turn) - dy * np.cos(turn)
        return float(right - 20), float(forward + 8)

    def _sweep(self, over_s: float, winner: int) -> float:
        """Gather everything: each seat its own piles, then the Dutch Piles to one heap; gives the film's end."""
        stage, rng = self.stage, self.stage.rng
        free: dict[int, float] = {}
        for seat, place in enumerate(stage.seating.places, 1):
            now = max(over_s, stage.late_s - 1.2) + float(rng.uniform(1.6, 2.4))
            off = place.at(0, -170)
            mine = [pile for pile, cards in stage.piles.items() if pile.seat == seat and cards]
            for pile in sorted(mine, key=str):
                if pile.kind is PileKind.HAND and not place.hand_lies:
                    continue
                cards = list(stage.faces(pile))
                grip = stage.grip(stage.pose_of(cards[-1]), seat)
                reach = 0.15 + 0.0005 * distance_mm(stage.hand_at(seat), grip)
                stage.move_hand(seat, now, now + reach, grip, 5)
                leave = now + reach + 0.08
                gone = leave + 0.16 + 0.0006 * distance_mm(grip, off)
                for card in cards:
                    stage.remove(card, seat, leave, gone, Pose(*off, stage.pose_of(card).angle_deg), 30)
                stage.take(pile, cards)
                stage.move_hand(seat, leave, gone, stage.grip(Pose(*off, 0), seat), 20, 30, len(cards))
                now = gone + 0.1
            free[seat] = now
        heap = (float(rng.normal(0, 40)), float(rng.normal(0, 20)))
        for pile in sorted(stage.dutch(), key=lambda name: distance_mm(stage.base[name], heap)):
            pose = stage.base[pile]
            seat = min(
                free, key=lambda s: 0.0025 * distance_mm(pose, stage.seating.places[s - 1].edge_mm) + free[s] - over_s
            )
            now = free[seat]
            grip = stage.grip(pose, seat)
            reach = 0.14 + 0.0004 * distance_mm(stage.hand_at(seat), grip)
            stage.move_hand(seat, now, now + reach, grip, 5)
            done = now + reach + 0.12 + 0.0009 * distance_mm(pose, heap)
            goal = Pose(heap[0], heap[1], pose.angle_deg)
            for card in stage.faces(pile):
                stage.slide(card, seat, now + reach, done, stage.scatter(goal, 34, 30))
            stage.move_hand(seat, now + reach, done, stage.grip(goal, seat), 6, 0)
            free[seat] = done + 0.06
        for seat, place in enumerate(stage.seating.places, 1):
            stage.move_hand(seat, free[seat] + 0.1, free[seat] + 0.6, place.at(100, -140), 25)
        return max(free.values()) + 1.4
