"""A variant is a value: the deck, the piles and every house rule of a game.

Presets stand in `dutch_blitz` and `nertz`; `house_rules` reads a table's own rules from TOML.
Nothing here moves or judges a card.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from .cards import FACES, Face


class VariantError(ValueError):
    """Rules that nobody can play by; the message says which and what to write instead."""


class EmptyPost(StrEnum):
    """From where an empty post slot is filled."""

    AT_ONCE = "blitz-at-once"
    BLITZ = "blitz-may-wait"
    BLITZ_OR_WOOD = "blitz-or-wood"
    ANY = "any-source"


class PostToPost(StrEnum):
    """What may go from one Post Pile to another."""

    ONE_CARD = "one-card"
    NOT_ALLOWED = "not-allowed"
    COLUMN = "column"


class ShortHand(StrEnum):
    """What is done when fewer cards are left in the hand than are turned at a time."""

    TURN_REST = "turn-rest"
    FILL_FROM_WOOD = "fill-from-wood"


class StuckRule(StrEnum):
    """What is done when nobody can play."""

    HAND_UNDER = "hand-top-under"
    WOOD_UNDER = "wood-top-under"
    STOP = "stop-and-score"


class IllegalPlay(StrEnum):
    """What follows an illegal play."""

    STOP = "stop"
    NOTICE = "notice"
    CARD = "card-penalty"
    POINTS = "points-penalty"


class TwoHands(StrEnum):
    """Whether a player may use both hands at once."""

    ILLEGAL = "illegal"
    NOTICE = "notice"
    ALLOWED = "allowed"


class RoundEnd(StrEnum):
    """What ends a round: the empty Blitz Pile or the spoken call."""

    EMPTIED = "emptied"
    CALLED = "called"


class Tie(StrEnum):
    """What happens when several have the highest total at the end."""

    FURTHER_ROUND = "further-round"
    SHARED = "shared"
    BLITZED_WINS = "blitzed-wins"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """All the rules of one game; two variants differ in values only, never in code.

    Parameters
    ----------
    name
        What the rules are called in files and on the screen.
    terms
        Words of Dutch Blitz and what this game says instead, in the order in which they are replaced.
    faces
        The faces of one deck, once each.
    min_seats, max_seats
        How many can play: as many as there are backs that can be told apart.
    posts, posts_two
        Post Piles of a seat, and when only two play.
    blitz_cards
        Cards in the Blitz Pile after the deal.
    turn
        Cards that are turned at a time from the hand onto the Wood Pile.
    post_building
        Whether cards may be built on Post Piles at all.
    target, rounds
        The game ends at this total, or after so many rounds; None: not so. At least one is given.
    dutch_points, blitz_points
        For each card on Dutch Piles, and for each card left in the Blitz Pile.
    penalty_points
        Taken off for an illegal play, where points are the penalty.
    too_close_s
        Two cards that land within this time of each other are too close to call.
    race_s
        A card that comes this long after the one that took its place lost a race; later it is just wrong.
    two_hands_s
        Two moves of one seat within this time took two hands.
    """

    name: str
    terms: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    faces: tuple[Face, ...] = field(default=FACES, repr=False)
    min_seats: int = 2
    max_seats: int = 8
    posts: int = 3
    posts_two: int = 5
    blitz_cards: int = 10
    turn: int = 3
    empty_post: EmptyPost = EmptyPost.AT_ONCE
    post_building: bool = True
    post_to_post: PostToPost = PostToPost.ONE_CARD
    short_hand: ShortHand = ShortHand.TURN_REST
    stuck: StuckRule = StuckRule.HAND_UNDER
    illegal_play: IllegalPlay = IllegalPlay.STOP
    two_hands: TwoHands = TwoHands.ILLEGAL
    round_end: RoundEnd = RoundEnd.EMPTIED
    tie: Tie = Tie.FURTHER_ROUND
    target: int | None = 75
    rounds: int | None = None
    dutch_points: int = 1
    blitz_points: int = -2
    penalty_points: int = 2
    too_close_s: float = 0.1
    race_s: float = 1.0
    two_hands_s: float = 0.05
    highest: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        if not self.faces or len(set(self.faces)) != len(self.faces):
            raise VariantError("faces: a deck has at least one face, and each once")
        object.__setattr__(self, "highest", max(face.number for face in self.faces))
        _check_ranges(self)
        laid = max(self.posts, self.posts_two) + self.blitz_cards
        if laid >= len(self.faces):
            raise VariantError(f"posts and blitz_cards: {laid} of {len(self.faces)} cards are laid out, none is left")
        if self.min_seats > self.max_seats:
            raise VariantError(f"min_seats {self.min_seats} is more than max_seats {self.max_seats}")
        if self.target is None and self.rounds is None:
            raise VariantError("target and rounds: give at least one, or the game never ends")

    def posts_for(self, seats: int) -> int:
        """Give the number of Post Piles of each seat when `seats` play.

        Raises
        ------
        VariantError
            If so many can't play.
        """
        if not self.min_seats <= seats <= self.max_seats:
            raise VariantError(f"{seats} seats: {self.name} is for {self.min_seats} to {self.max_seats}")
        return self.posts_two if seats == 2 else self.posts


MOST_POSTS = 10

_RANGES: dict[str, tuple[float, float]] = {
    "min_seats": (2, 8),
    "max_seats": (2, 8),
    "posts": (1, MOST_POSTS),
    "posts_two": (1, MOST_POSTS),
    "blitz_cards": (1, 40),
    "turn": (1, 10),
    "target": (1, 10_000),
    "rounds": (1, 1000),
    "dutch_points": (1, 100),
    "blitz_points": (-100, 0),
    "penalty_points": (0, 100),
    "too_close_s": (0.1, 1.0),
    "race_s": (0.1, 10.0),
    "two_hands_s": (0.0, 1.0),
}


def _check_ranges(variant: Variant) -> None:
    for name, (low, high) in _RANGES.items():
        value = getattr(variant, name)
        if value is not None and not low <= value <= high:
            raise VariantError(f"{name}: {value} is impossible: use {low} to {high}")


def get_presets() -> dict[str, Variant]:
    """Give every variant that ships, by its name; `dutch-blitz` is another name of `official`."""
    # The presets are made of `Variant`, so they can only be imported once it exists.
    from . import dutch_blitz, nertz

    return {
        "official": dutch_blitz.OFFICIAL,
        "dutch-blitz": dutch_blitz.OFFICIAL,
        "family": dutch_blitz.FAMILY,
        "nertz": nertz.NERTZ,
        "nertz-simple": nertz.NERTZ_SIMPLE,
    }


def get_variant(name: str) -> Variant:
    """Give the variant of that name.

    Raises
    ------
    VariantError
        If there is none; the message lists those that are.
    """
    presets = get_presets()
    if name not in presets:
        raise VariantError(f"no rules are called '{name}': use {', '.join(presets)}")
    return presets[name]
