"""The final podium: who came first, second and third, ties included, and who came after them."""

from __future__ import annotations

from ..game.match import Match
from ..game.round import Phase
from .language import Language
from .view import Badge, Place, Podium

MOST_STEPS = 4
"""More than four steps side by side are too narrow for a name on a phone."""


def rank(match: Match) -> list[tuple[int, int]]:
    """Give (place, seat) of everybody who has played, the best first.

    Equal totals share a place and the next one is left out, as everywhere in sport; where a house rule has broken a
    tie, whoever won is alone in front.
    """
    totals = match.totals()
    played = {seat for round_ in match.rounds if round_.phase is Phase.SCORED for seat in round_.seats}
    keys = {seat: (seat in match.winners, total) for seat, total in totals.items() if seat in played}
    order = sorted(keys, key=lambda seat: (keys[seat], -seat), reverse=True)
    return [(1 + sum(keys[other] > keys[seat] for other in keys), seat) for seat in order]


def build_podium(match: Match, badges: dict[int, Badge], language: Language) -> Podium | None:
    """Give the podium of a match that is won; None while it goes on."""
    if not match.winners or match.round is None or match.round.phase is not Phase.SCORED:
        return None
    ranks = rank(match)
    last = 3
    while last > 1 and sum(place <= last for place, _ in ranks) > MOST_STEPS:
        last -= 1
    totals = match.totals()
    places = tuple(
        Place(
            place=place,
            badge=badges[seat],
            total=totals[seat],
            words=language.t("Place {place}, shared", place=place)
            if sum(other == place for other, _ in ranks) > 1
            else language.t("Place {place}", place=place),
        )
        for place, seat in ranks
    )
    settled = {"counted", "corrected"} & match.round.scores.keys()
    return Podium(
        steps=tuple(item for item in places if item.place <= last),
        rest=tuple(item for item in places if item.place > last),
        note="" if settled else language.t("Not final yet: the last round's cards have not been counted."),
    )
