"""Nertz (Nerts) as values: the same engine with ordinary decks; the only module that knows this game by name."""

from __future__ import annotations

from dataclasses import replace

from .cards import ORDINARY_FACES
from .variant import EmptyPost, PostToPost, Variant

_TERMS = (
    ("your Blitz, Post and Wood Piles", "your Nertz pile, columns and waste"),
    ("Dutch Piles belong", "Foundations belong"),
    ("boy on girl and girl on boy", "red on black and black on red"),
    ("the same colour, one higher, up to 13", "the same suit, one higher, up to the king"),
    ("a 1 starts", "an ace starts"),
    ("An empty Post Pile", "An empty column"),
    ("Post Piles are", "Columns are"),
    ("Post Pile", "column"),
    ("Blitz Pile", "Nertz pile"),
    ("Wood Pile", "waste"),
    ("Dutch Pile", "foundation"),
    ("Blitz!", "Nertz!"),
)

NERTZ = Variant(
    name="nertz",
    terms=_TERMS,
    faces=ORDINARY_FACES,
    posts=4,
    posts_two=4,
    blitz_cards=13,
    empty_post=EmptyPost.ANY,
    post_to_post=PostToPost.COLUMN,
    target=100,
)
"""Four columns in alternating red and black that may move whole, a Nertz pile of 13, to 100 points."""

NERTZ_SIMPLE = replace(NERTZ, name="nertz-simple", posts=3, posts_two=3, blitz_cards=10)
"""Three columns and a Nertz pile of 10, as simple homes play it."""
