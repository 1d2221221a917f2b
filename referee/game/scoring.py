"""Points, totals and winners: plain arithmetic over counts."""

from __future__ import annotations

from collections.abc import Mapping

from .variant import IllegalPlay, Tie, Variant


def score(variant: Variant, dutch: int, blitz: int, illegal: int = 0) -> int:
    """Score one seat's round: 19 Dutch cards and 3 Blitz cards left make 13; less than nothing is normal.

    Parameters
    ----------
    variant
        Says what a card counts, and whether illegal plays cost points.
    dutch
        Own cards on Dutch Piles.
    blitz
        Cards left in the own Blitz Pile. Post, Wood and hand cards count nothing.
    illegal
        Illegal plays that were called and stand as such.

    Raises
    ------
    ValueError
        If a count is negative.
    """
    if min(dutch, blitz, illegal) < 0:
        raise ValueError(f"no seat can have {min(dutch, blitz, illegal)} cards: counts begin at 0")
    points = variant.dutch_points * dutch + variant.blitz_points * blitz
    if variant.illegal_play is IllegalPlay.POINTS:
        points -= variant.penalty_points * illegal
    return points


def is_over(variant: Variant, totals: Mapping[int, int], rounds: int) -> bool:
    """Say whether the last round has been played, ties apart.

    Parameters
    ----------
    variant
        Says up to which total or for how many rounds.
    totals
        Of each seat, after a whole number of rounds.
    rounds
        How many were played.
    """
    if not totals or not rounds:
        return False
    if variant.rounds is not None and rounds >= variant.rounds:
        return True
    return variant.target is not None and max(totals.values()) >= variant.target


def find_winners(variant: Variant, totals: Mapping[int, int], rounds: int, blitz_seat: int | None) -> tuple[int, ...]:
    """Find who has won; nobody while the match goes on.

    The highest total wins, also when several have reached the target.

    Parameters
    ----------
    variant
        Says what a tie means: a further round between all, a shared win, or that who blitzed wins.
    totals
        Of each seat.
    rounds
        How many were played.
    blitz_seat
        Who ended the last round with Blitz; None if nobody did.
    """
    if not is_over(variant, totals, rounds):
        return ()
    highest = max(totals.values())
    best = tuple(sorted(seat for seat, total in totals.items() if total == highest))
    if len(best) == 1 or variant.tie is Tie.SHARED:
        return best
    if variant.tie is Tie.BLITZED_WINS and blitz_seat in best:
        return (blitz_seat,) if blitz_seat is not None else ()
    return ()
