"""The rules in force, told in sentences; every option has its words for every value."""

from __future__ import annotations

from .variant import (
    EmptyPost,
    IllegalPlay,
    PostToPost,
    RoundEnd,
    ShortHand,
    StuckRule,
    Tie,
    TwoHands,
    Variant,
)

_EMPTY_POST = {
    EmptyPost.AT_ONCE: "An empty Post Pile is filled from the Blitz Pile at once, before you build or turn on.",
    EmptyPost.BLITZ: "An empty Post Pile is filled from the Blitz Pile, and may wait.",
    EmptyPost.BLITZ_OR_WOOD: "An empty Post Pile is filled from the Blitz Pile or the Wood Pile, and may wait.",
    EmptyPost.ANY: "An empty Post Pile is filled with any card that you may play, and may wait.",
}
_POST_TO_POST = {
    PostToPost.ONE_CARD: "One card at a time may go from Post Pile to Post Pile.",
    PostToPost.NOT_ALLOWED: "No card goes from Post Pile to Post Pile.",
    PostToPost.COLUMN: "From Post Pile to Post Pile one card may go, or several that lie on one another, up to all.",
}
_SHORT_HAND = {
    ShortHand.TURN_REST: "When fewer are left in the hand, turn what is left.",
    ShortHand.FILL_FROM_WOOD: "When fewer are left in the hand, fill it up from the bottom of the Wood Pile first.",
}
_STUCK = {
    StuckRule.HAND_UNDER: "When everybody is stuck, each puts the top card of the hand under the hand.",
    StuckRule.WOOD_UNDER: "When everybody is stuck, each puts the top card of the Wood Pile under the Wood Pile.",
    StuckRule.STOP: "When everybody is stuck, the round stops and is scored as it lies.",
}
_TWO_HANDS = {
    TwoHands.ILLEGAL: "Play with one hand only.",
    TwoHands.NOTICE: "Play with one hand only; both at once are noticed, no more.",
    TwoHands.ALLOWED: "Both hands may play at once.",
}
_ROUND_END = {
    RoundEnd.EMPTIED: "The round ends when somebody's Blitz Pile is empty, wherever its last card went.",
    RoundEnd.CALLED: 'The round ends when somebody calls "Blitz!" over an empty Blitz Pile.',
}
_TIE = {
    Tie.FURTHER_ROUND: "Who ties for the highest total plays a further round, and all others too.",
    Tie.SHARED: "Who ties for the highest total shares the win.",
    Tie.BLITZED_WINS: "Of those who tie for the highest total who blitzed last wins; if none did, play on.",
}


def _illegal_play(variant: Variant) -> str:
    return {
        IllegalPlay.STOP: 'An illegal play: somebody calls "Dutch!", play stops, the card goes back, play goes on.',
        IllegalPlay.NOTICE: "An illegal play is noticed; play goes on.",
        IllegalPlay.CARD: 'An illegal play: "Dutch!", the card goes back, and a card from the hand goes under the '
        "Blitz Pile.",
        IllegalPlay.POINTS: f'An illegal play: "Dutch!", the card goes back, and {variant.penalty_points} points are '
        "taken off.",
    }[variant.illegal_play]


def _end(variant: Variant) -> str:
    ends = []
    if variant.target is not None:
        ends.append(f"when somebody has {variant.target} points or more after a round")
    if variant.rounds is not None:
        ends.append(f"after {_count(variant.rounds, 'round')}")
    return f"The match ends {' or '.join(ends)}; the highest total wins."


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _points(number: int) -> str:
    return f"{'+' if number > 0 else ''}{number}"


def _set_up(variant: Variant) -> list[str]:
    posts = _count(variant.posts, "Post Pile")
    if variant.posts_two != variant.posts:
        posts += f" ({variant.posts_two} when two play)"
    return [
        f"{variant.min_seats} to {variant.max_seats} play, each with a deck of {_count(len(variant.faces), 'card')}.",
        f"Lay out {posts} and a Blitz Pile of {_count(variant.blitz_cards, 'card')}; the rest is the hand.",
    ]


def _play(variant: Variant) -> list[str]:
    last = variant.highest
    build = "built downward by one, boy on girl and girl on boy"
    return [
        "All play at once, from the signal on. Playable are the top cards of your Blitz, Post and Wood Piles.",
        f"Dutch Piles belong to nobody: a 1 starts one, then the same colour, one higher, up to {last}.",
        f"Post Piles are {build}." if variant.post_building else "Nothing is built on Post Piles.",
        _POST_TO_POST[variant.post_to_post],
        _EMPTY_POST[variant.empty_post],
        f"Turn the hand {_count(variant.turn, 'card')} at a time onto the Wood Pile; once used up, turn that over.",
        _SHORT_HAND[variant.short_hand],
        _STUCK[variant.stuck],
        _TWO_HANDS[variant.two_hands],
        f"Of two cards for one place the first stays; closer than {variant.too_close_s * 1000:.0f} ms the scorekeeper "
        f"decides, and after {variant.race_s:g} s a card is no longer late but wrong.",
        _illegal_play(variant),
    ]


def _scores(variant: Variant) -> list[str]:
    return [
        _ROUND_END[variant.round_end],
        f"Score {_points(variant.dutch_points)} for each own card on Dutch Piles, "
        f"{_points(variant.blitz_points)} for each card left in the Blitz Pile.",
        _end(variant),
        _TIE[variant.tie],
    ]


def describe(variant: Variant) -> list[str]:
    """Tell the rules in force, one sentence or two a line."""
    lines = [*_set_up(variant), *_play(variant), *_scores(variant)]
    for printed, own in variant.terms:
        lines = [line.replace(printed, own) for line in lines]
    return lines
