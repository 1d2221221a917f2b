"""Dutch Blitz as values: the official rules and those of many families."""

from __future__ import annotations

from dataclasses import replace

from .variant import EmptyPost, IllegalPlay, Tie, TwoHands, Variant

OFFICIAL = Variant(name="official")
"""The printed rules with the official additional ones: one hand only, "Dutch!" stops play, 75 points."""

FAMILY = replace(
    OFFICIAL,
    name="family",
    empty_post=EmptyPost.BLITZ,
    illegal_play=IllegalPlay.NOTICE,
    two_hands=TwoHands.NOTICE,
    tie=Tie.SHARED,
)
"""A friendlier table: a post slot may wait, an illegal play is only noticed, a tie is a shared win."""
