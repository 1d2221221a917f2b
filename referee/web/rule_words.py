"""House rules in words: what each is called at the desk, and what its choices mean, in the viewer's language.

A rules file has its own names (`docs/rules.md`); whole sentences about the rules in force are `referee rules`'.
"""

from __future__ import annotations

from .language import Language


def _(message: str) -> str:
    """Mark a message for the catalogues; it is translated where it is used."""
    return message


RULES = {
    "min_seats": _("Players at least"),
    "max_seats": _("Players at most"),
    "posts": _("Post Piles of each player"),
    "posts_two": _("Post Piles when two play"),
    "blitz_cards": _("Cards in a Blitz Pile at the start"),
    "turn": _("Cards turned at a time onto the Wood Pile"),
    "empty_post": _("An empty Post Pile is filled"),
    "post_building": _("May cards be built on Post Piles?"),
    "post_to_post": _("From one Post Pile to another"),
    "short_hand": _("When fewer cards are left in the hand than are turned"),
    "stuck": _("When all are stuck"),
    "illegal_play": _("After an illegal play"),
    "two_hands": _("Both hands at once"),
    "round_end": _("The round ends"),
    "tie": _("When several have the highest total"),
    "target": _("Points to win"),
    "rounds": _("Rounds of a game"),
    "dutch_points": _("Points for a card on a Dutch Pile"),
    "blitz_points": _("Points for a card left in the Blitz Pile"),
    "penalty_points": _("Points taken off for an illegal play"),
    "too_close_s": _("Too close to call: two cards within so many seconds"),
    "race_s": _("A card is late, not wrong, for so many seconds"),
    "two_hands_s": _("Both hands at once: two moves within so many seconds"),
}
CHOICES = {
    ("empty_post", "blitz-at-once"): _("from the Blitz Pile, at once"),
    ("empty_post", "blitz-may-wait"): _("from the Blitz Pile, it may wait"),
    ("empty_post", "blitz-or-wood"): _("from the Blitz or Wood Pile, it may wait"),
    ("empty_post", "any-source"): _("with any card, it may wait"),
    ("post_building", "true"): _("yes"),
    ("post_building", "false"): _("no"),
    ("post_to_post", "one-card"): _("one card at a time"),
    ("post_to_post", "not-allowed"): _("no card"),
    ("post_to_post", "column"): _("one card or several that lie on one another"),
    ("short_hand", "turn-rest"): _("turn what is left"),
    ("short_hand", "fill-from-wood"): _("fill it up from the bottom of the Wood Pile"),
    ("stuck", "hand-top-under"): _("each hand’s top card goes under it"),
    ("stuck", "wood-top-under"): _("each Wood Pile’s top card goes under it"),
    ("stuck", "stop-and-score"): _("the round stops and is scored"),
    ("illegal_play", "stop"): _("play stops, the card goes back"),
    ("illegal_play", "notice"): _("it is noticed, play goes on"),
    ("illegal_play", "card-penalty"): _("a card from the hand goes under the Blitz Pile"),
    ("illegal_play", "points-penalty"): _("points are taken off"),
    ("two_hands", "illegal"): _("not allowed"),
    ("two_hands", "notice"): _("noticed, no more"),
    ("two_hands", "allowed"): _("allowed"),
    ("round_end", "emptied"): _("once a Blitz Pile is empty"),
    ("round_end", "called"): _("once somebody calls “Blitz!” over an empty Blitz Pile"),
    ("tie", "further-round"): _("all play a further round"),
    ("tie", "shared"): _("they share the win"),
    ("tie", "blitzed-wins"): _("who blitzed last wins"),
    ("rounds", "none"): _("no limit"),
}


def rule_words(name: str, language: Language) -> str:
    """Say what a house rule is called."""
    return language.t(RULES[name])


def value_words(name: str, value: str, language: Language) -> str:
    """Say what a rule's value means; a number stays as it is."""
    return language.t(CHOICES[name, value]) if (name, value) in CHOICES else value
