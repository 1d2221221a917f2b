"""Cards that lie on the table, followed from frame to frame, with hysteresis in seconds.

A card is known by its pose; what it shows is voted on. It is hidden while an arm, a held card or a newer card
covers it, and gone only when the place where it lay is in view without it. Knows no rules and no piles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import atan2, degrees, exp

import numpy as np

from ..vision.frames import Detection, Observation, Quad
from .cover import HELD_SCALE, ON_CARD, Array, Cover, card_points

SAME_PLACE_MM = 14.0
SAME_ANGLE_DEG = 14.0
"""A detection this near to a card is that card (noise of the detector: about 2 mm and 2 degrees)."""
BELOW_MM, BELOW_DEG = 6.0, 7.0
"""A card that others lie on is only that card again if it lies just as it lay."""
SLIDE_MM = 45.0
SLIDE_S = 0.2
MOVED_MM = 9.0
MOVED_DEG = 9.0
REPOSED_MM = 5.0
REPOSED_DEG = 5.0
REST_S = 0.09
AWAY_S = 0.3
GONE_S = 0.5
FLICKER_S = 0.25
FORGET_UNDER_S = 8.0
FORGET_HIDDEN_S = 15.0
OVERLOOKED_READS, OVERLOOKED_S = 6, 0.3
"""Readings of a card, and then of another in the same pose, that make two cards of them though no arm was seen."""
UNREAD_S = 1.0
"""Of a card that is hidden in part the reader says nothing for so long, and not because a hand holds it."""
VOTE_S = 2.0
"""Time constant with which old readings lose weight."""
IN_VIEW_SHARE = 0.25
"""A place counts as in view when less than this share of it is hidden."""


def angle_between(first_deg: float, second_deg: float) -> float:
    """Give how far two cards are turned against each other, 0..90 degrees: a card looks the same turned by 180."""
    return abs((first_deg - second_deg + 90.0) % 180.0 - 90.0)


def quad_angle_deg(quad: Quad) -> float:
    """Give a quad's angle as in layout files: 0 is long side along y, growing clockwise in the picture."""
    dx, dy = (quad[3] + quad[2] - quad[0] - quad[1]) / 2.0
    return degrees(atan2(-float(dx), float(dy)))


@dataclass(slots=True, eq=False)
class Pending:
    """Readings of another label since the last one that agreed."""

    first_s: float
    count: int = 0
    weight: float = 0.0


@dataclass(slots=True, eq=False)
class LyingCard:
    """One card that lies (or seems to lie) on the table.

    Parameters
    ----------
    number
        Grows with each new card: of two cards at one place the higher number came later.
    since_s
        First frame in which it lay where it lies now.
    born_s
        First frame in which it was seen at all.
    shown_s
        First frame in which it was seen after it had been out of sight, or was carried from another place.
    last_s
        Last frame in which it was found.
    """

    number: int
    x_mm: float
    y_mm: float
    angle_deg: float
    since_s: float
    born_s: float
    shown_s: float
    last_s: float
    agreed_s: float = -1.0
    """Last frame that showed this very card: read so, or unread but untouched since it was read so."""
    hits: int = 0
    faces: int = 0
    votes: dict[str, float] = field(default_factory=dict)
    reads: dict[str, int] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    """Sum of the confidences of all readings, by label."""
    read_s: dict[str, float] = field(default_factory=dict)
    """When it was last read so, by label."""
    voted_s: float = 0.0
    pending: dict[str, Pending] = field(default_factory=dict)
    missed_s: float = 0.0
    hidden: bool = False
    hidden_s: float = -1.0
    """Last frame in which it was hidden by something other than cards that lie on it."""
    touched_s: float = -1.0
    """Last frame in which an arm was at it, even if it hid little of it."""
    reached_s: float = -1.0
    """First frame in which an arm was at it since it was last known to be itself."""
    under_s: float = -1.0
    """Last frame in which a newer card lay on it."""
    below: bool = False
    """A newer card was seen to lie on it, and it wasn't seen since."""
    overlooked: bool = False
    """No arm was seen that could have laid it down: it may be the card that was there before, read otherwise."""
    gone: bool = False
    reposed_s: float | None = None
    """When it came back from a cover in a slightly different pose."""
    anchor: tuple[float, float, float] = (0.0, 0.0, 0.0)
    shown_mm: tuple[float, float] = (0.0, 0.0)
    """Where it was then."""

    @property
    def at_mm(self) -> tuple[float, float]:
        """Give its middle."""
        return self.x_mm, self.y_mm

    @property
    def is_back(self) -> bool:
        """Tell whether it lies face down."""
        return self.faces * 2 < self.hits

    @property
    def settled(self) -> bool:
        """Tell whether it was found at rest in at least two sharp frames over long enough."""
        return self.hits >= 2 and self.last_s - self.since_s >= REST_S

    @property
    def label(self) -> str | None:
        """Give what it most likely shows, as the side that lies up has it; None while nothing was read."""
        back = self.is_back
        labels = [label for label in self.votes if label.startswith("back:") == back]
        return max(labels, key=self.votes.__getitem__) if labels else None

    @property
    def share(self) -> float:
        """Give the share, 0..1, of its readings' weight that speaks for `label`."""
        label = self.label
        return 0.0 if label is None else self.share_of(label)

    def is_read(self, label: str, times: int, share: float) -> bool:
        """Tell whether it was read so often as showing a label, with at least that share of all its readings."""
        return self.reads.get(label, 0) >= times and self.share_of(label) >= share

    def renew(self, now: float, since_s: float) -> None:
        """Begin anew: it has turned out to be another card than the one that lay in this pose before."""
        for known in (self.votes, self.reads, self.weights, self.read_s, self.pending):
            known.clear()
        self.agreed_s, self.shown_s, self.shown_mm = now, since_s, self.at_mm

    def sureness_of(self, label: str) -> float:
        """Give how sure it is, 0..1, that it shows a label: by the share and the confidence of the readings."""
        reads = self.reads.get(label, 0)
        return self.share_of(label) * self.weights.get(label, 0.0) / reads if reads else 0.0

    def share_of(self, label: str) -> float:
        """Give the share, 0..1, of its readings' weight that speaks for one label."""
        total = sum(self.votes.values())
        return self.votes.get(label, 0.0) / total if total else 0.0

    def distance_mm(self, x_mm: float, y_mm: float) -> float:
        """Give the distance of its middle to a point."""
        return float(np.hypot(self.x_mm - x_mm, self.y_mm - y_mm))


class LyingCards:
    """All cards that lie on the table.

    Parameters
    ----------
    card_mm
        Width and length of a card.
    """

    def __init__(self, card_mm: tuple[float, float]) -> None:
        self._card_mm = card_mm
        self._number = 0
        self._last_s: float | None = None
        self.cards: list[LyingCard] = []

    def update(self, observation: Observation, cover: Cover) -> None:
        """Take in one sharp frame."""
        now = observation.time_s
        step = 0.0 if self._last_s is None else min(now - self._last_s, 0.2)
        self._last_s = now
        found = [card for card in observation.cards if card.scale <= HELD_SCALE]
        poses = np.array(
            [(*detection.center_mm, quad_angle_deg(detection.quad_mm)) for detection in found], dtype=np.float64
        ).reshape(-1, 3)
        matches = self._match(found, poses, now)
        if self.cards:
            where = [(card.x_mm, card.y_mm, card.angle_deg) for card in self.cards]
            flags = cover.hidden(card_points(where, self._card_mm))
            shares = np.mean(flags[:, :ON_CARD], axis=1)
            touched = np.any(flags, axis=1)
            for card, share, touch in zip(self.cards, shares.tolist(), np.atleast_1d(touched).tolist(), strict=True):
                card.hidden = share >= IN_VIEW_SHARE
                if card.hidden:
                    card.hidden_s = now
                if touch:
                    if card.touched_s <= card.agreed_s:
                        card.reached_s = now
                    card.touched_s = now
        seen: list[LyingCard] = []
        for index, detection in enumerate(found):
            card = matches.get(index) or self._born(poses[index], now)
            seen.append(self._see(card, detection, poses[index], now))
        self._miss(seen, now, step)

    def _born(self, pose: Array, now: float) -> LyingCard:
        self._number += 1
        x, y, angle = (float(value) for value in pose)
        card = LyingCard(self._number, x, y, angle, now, now, now, now, voted_s=now, anchor=(x, y, angle))
        card.shown_mm = x, y
        self.cards.append(card)
        return card

    def _match(self, found: Sequence[Detection], poses: Array, now: float) -> dict[int, LyingCard]:
        if not found or not self.cards:
            return {}
        known = np.array([(card.x_mm, card.y_mm, card.angle_deg) for card in self.cards])
        distance = np.hypot(poses[:, None, 0] - known[None, :, 0], poses[:, None, 1] - known[None, :, 1])
        turn = np.abs((poses[:, None, 2] - known[None, :, 2] + 90.0) % 180.0 - 90.0)
        cost = distance + 0.5 * turn
        possible = (distance < SLIDE_MM) & (turn < 60.0)
        pairs: list[tuple[float, int, int]] = []
        for index, place in np.argwhere(possible):
            detection, card = found[index], self.cards[place]
            same = detection.reading.label is not None and detection.reading.label == card.label
            near = distance[index, place] < SAME_PLACE_MM and turn[index, place] < SAME_ANGLE_DEG
            if card.below:
                near = near and same and distance[index, place] < BELOW_MM and turn[index, place] < BELOW_DEG
            if near or (same and now - card.last_s < SLIDE_S):
                # Of two cards in almost the same pose the upper one is the one that can be seen.
                bonus = (12.0 if same else 0.0) + 1e-6 * card.number
                pairs.append((cost[index, place] - bonus, int(index), int(place)))
        matches: dict[int, LyingCard] = {}
        taken: set[int] = set()
        for _, index, place in sorted(pairs):
            if index not in matches and place not in taken:
                matches[index] = self.cards[place]
                taken.add(place)
        return matches

    def _see(self, card: LyingCard, detection: Detection, pose: Array, now: float) -> LyingCard:
        x, y, angle = (float(value) for value in pose)
        label = detection.reading.label
        covered = card.touched_s >= card.last_s or now - card.last_s > 0.4
        if (
            label is None
            and card.label is not None
            and card.touched_s > card.agreed_s
            and self._jumped(card, x, y, angle)
        ):
            # Touched, in another pose and no longer read: most likely another card, which can't be read.
            card = self._born(pose, now)
        if label is not None and not card.reads and now - card.born_s >= UNREAD_S and now - card.hidden_s <= 0.5:
            # Never read in all that time, and read now that it was hidden: another card.
            card = self._born(pose, now)
        if label is not None and card.hits >= 2 and label != card.label:
            pending = card.pending.setdefault(label, Pending(now))
            pending.count += 1
            pending.weight += detection.reading.confidence
            # Another card in the same pose has come while the place was out of view, or the arm was overlooked.
            if pending.count >= 2 and now - pending.first_s >= REST_S and self._hidden_before(card, pending.first_s):
                return self._split(card, label, pending, pose, now)
            known = card.reads.get(card.label or "", 0) >= OVERLOOKED_READS
            if known and pending.count >= OVERLOOKED_READS and now - pending.first_s >= OVERLOOKED_S:
                fresh = self._split(card, label, pending, pose, now)
                fresh.overlooked = True
                return fresh
        elif label is not None:
            card.pending.clear()
        moved = np.hypot(x - card.anchor[0], y - card.anchor[1])
        turned = angle_between(angle, card.anchor[2])
        if moved > MOVED_MM or turned > MOVED_DEG:
            card.since_s, card.anchor = now, (x, y, angle)
            card.x_mm, card.y_mm, card.angle_deg = x, y, angle
            if covered and card.hits >= 2:
                card.reposed_s = now
        else:
            if covered and card.hits >= 2 and (moved > REPOSED_MM or turned > REPOSED_DEG):
                card.reposed_s = now
                card.anchor = (x, y, angle)
            gain = max(0.2, 1.0 / (card.hits + 1))
            card.x_mm += gain * (x - card.x_mm)
            card.y_mm += gain * (y - card.y_mm)
            card.angle_deg += gain * ((angle - card.angle_deg + 90.0) % 180.0 - 90.0)
        if now - card.last_s > AWAY_S or card.distance_mm(*card.shown_mm) > SLIDE_MM:
            card.shown_s, card.shown_mm = now, card.at_mm
        card.hits += 1
        card.faces += detection.kind == "face"
        card.last_s, card.missed_s, card.below = now, 0.0, False
        if label is not None:
            self._vote(card, label, detection.reading.confidence, now)
        if label == card.label or (label is None and card.touched_s < card.agreed_s):
            card.agreed_s = now
        return card

    @staticmethod
    def _jumped(card: LyingCard, x: float, y: float, angle: float) -> bool:
        return card.distance_mm(x, y) > REPOSED_MM or angle_between(angle, card.angle_deg) > REPOSED_DEG

    @staticmethod
    def _vote(card: LyingCard, label: str, confidence: float, now: float) -> None:
        fade = exp(-(now - card.voted_s) / VOTE_S)
        card.votes = {key: weight * fade for key, weight in card.votes.items() if weight * fade > 0.01}
        card.votes[label] = card.votes.get(label, 0.0) + confidence
        card.reads[label] = card.reads.get(label, 0) + 1
        card.weights[label] = card.weights.get(label, 0.0) + confidence
        card.read_s[label] = now
        card.voted_s = now

    @staticmethod
    def _hidden_before(card: LyingCard, first_s: float) -> bool:
        return max(card.touched_s, card.under_s) >= first_s - 0.5

    def _split(self, card: LyingCard, label: str, pending: Pending, pose: Array, now: float) -> LyingCard:
        card.pending.clear()
        card.votes.pop(label, None)
        fresh = self._born(pose, now)
        fresh.since_s = fresh.born_s = fresh.shown_s = pending.first_s
        fresh.hits = fresh.faces = pending.count
        fresh.agreed_s = now
        fresh.votes, fresh.reads = {label: pending.weight}, {label: pending.count}
        fresh.weights = dict(fresh.votes)
        return fresh

    def _miss(self, seen: Sequence[LyingCard], now: float, step: float) -> None:
        found = {card.number for card in seen}
        numbers = np.array([card.number for card in seen])
        places = np.array([card.at_mm for card in seen]).reshape(-1, 2)
        reach_mm = 0.5 * self._card_mm[1]
        kept: list[LyingCard] = []
        for card in self.cards:
            if card.number not in found:
                over = (numbers > card.number) & (
                    np.hypot(places[:, 0] - card.x_mm, places[:, 1] - card.y_mm) < reach_mm
                )
                if over.any():
                    card.under_s, card.below = now, True
                elif not card.hidden:
                    card.missed_s += step
                unseen_s = now - card.last_s
                if not card.settled and card.hits < 2:
                    card.gone = unseen_s > FLICKER_S
                elif over.any():
                    card.gone = unseen_s > FORGET_UNDER_S
                else:
                    card.gone = card.missed_s > GONE_S or unseen_s > FORGET_HIDDEN_S
            if not card.gone:
                kept.append(card)
        self.cards = kept
