"""From a match to what the board shows: pure functions, one part of the board each."""

from __future__ import annotations

import unicodedata

from ..game.match import Match, Seat
from ..game.round import Phase as RoundPhase
from ..game.round import Round
from .language import Language
from .podium import build_podium
from .rulings import build_rulings
from .view import Badge, BoardView, Chart, Phase, RoundRow, RoundTable, SeatView, Series
from .words import deck_parts, deck_words, isolated

RULINGS_SHOWN = 4


def clean_name(name: str) -> str:
    """Take out of a name what isn't to be seen: control characters, and those that turn the text around it."""
    words = " ".join(name.split())
    return "".join(c for c in words if unicodedata.category(c) not in ("Cc", "Cs", "Co") and c not in _TURNING).strip()


_TURNING = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def build_badge(seat: Seat, language: Language) -> Badge:
    """Give who somebody is at a glance; a seat whose name shows nothing is called by its number."""
    color, symbol = deck_parts(seat.deck)
    name = clean_name(seat.name)
    visible = any(unicodedata.category(c)[0] not in "ZC" for c in name)
    return Badge(seat.number, name if visible else language.t("Seat {number}", number=seat.number), color, symbol)


def build_board(match: Match, language: Language) -> BoardView:
    """Give everything on the board but the state of the connection."""
    badges = {seat.number: build_badge(seat, language) for seat in match.seats}
    round_ = match.round
    rulings = build_rulings(round_, badges, language) if round_ else ()
    headline, who = _headline(match, badges, language)
    return BoardView(
        version=match.last_id,
        phase=_phase(match),
        round_words=language.t("Round {number}", number=round_.number) if round_ else language.t("New game"),
        target_words=_target_words(match, language),
        target=match.variant.target,
        blitz_size=match.variant.blitz_cards,
        headline=headline,
        headline_seat=who,
        seats=_seats(match, badges, language),
        rulings=rulings[:RULINGS_SHOWN],
        more_rulings=max(0, len(rulings) - RULINGS_SHOWN),
        table=_table(match, badges, language),
        chart=_chart(match, badges),
        podium=build_podium(match, badges, language),
    )


def _phase(match: Match) -> Phase:
    if match.round is None or match.round.phase is RoundPhase.ABANDONED:
        return Phase.WAITING
    if match.round.phase is RoundPhase.SCORED:
        return Phase.FINISHED if match.winners else Phase.SCORED
    return Phase.BLITZ if match.round.phase is RoundPhase.ENDED else Phase.PLAYING


def _target_words(match: Match, language: Language) -> str:
    if match.variant.target is not None:
        return language.t("to {target}", target=match.variant.target)
    return language.tn("{count} round", "{count} rounds", match.variant.rounds or 0)


def _headline(match: Match, badges: dict[int, Badge], language: Language) -> tuple[str, Badge | None]:
    """Give the one thing to know now, and whom it is about."""
    t = language.t
    round_ = match.round
    if round_ is None:
        return t("Waiting for the first round"), None
    if match.winners:
        names = t(" and ").join(isolated(badges[seat].name) for seat in match.winners)
        total = match.seat(match.winners[0]).total
        who = badges[match.winners[0]]
        return language.tn(
            "{names} wins with {total}", "{names} win with {total}", len(match.winners), names=names, total=total
        ), who
    match round_.phase:
        case RoundPhase.STOPPED:
            return t("“Dutch!” Play is stopped: put the card right"), None
        case RoundPhase.PAUSED:
            return t("Play is paused"), None
        case RoundPhase.ABANDONED:
            return t("The round was broken off and does not count"), None
        case RoundPhase.ENDED | RoundPhase.SCORED:
            seat = round_.blitz_seat or round_.blitz_called
            if seat is None:
                return t("The round is over without Blitz"), None
            return t("Blitz! {name}", name=isolated(badges[seat].name)), badges[seat]
        case _:
            return "", None


def _percent(points: int, target: int | None) -> int:
    return max(0, min(100, round(100 * points / target))) if target else 0


def _seats(match: Match, badges: dict[int, Badge], language: Language) -> tuple[SeatView, ...]:
    round_ = match.round
    counts = round_ is not None and round_.phase is not RoundPhase.ABANDONED
    scored = round_ is not None and round_.phase is RoundPhase.SCORED
    rows = {row.seat: row for row in round_.score()} if round_ and counts else {}
    projected = {
        seat.number: seat.total + (0 if scored or seat.number not in rows else rows[seat.number].score)
        for seat in match.seats
    }
    best = max(projected.values(), default=0)
    worst = min(projected.values(), default=0)
    target = match.variant.target or (max(best, 1) if match.variant.rounds else None)
    views = []
    for seat in match.seats:
        row = rows.get(seat.number)
        if not seat.playing and row is None and not seat.total:
            continue
        points = row.score if row else 0
        before = projected[seat.number] - points
        views.append(
            SeatView(
                badge=badges[seat.number],
                deck=deck_words(seat.deck, language),
                total=before,
                dutch=row.dutch if row else 0,
                blitz=row.blitz if row else match.variant.blitz_cards,
                round_points=points,
                projected=projected[seat.number],
                doubt=_doubt(round_, seat.number, language) if round_ and row and not row.sure else "",
                leads=best > worst and projected[seat.number] == best,
                blitzed=bool(round_ and counts and round_.blitz_seat == seat.number),
                reached_percent=_percent(before, target),
                projected_percent=_percent(projected[seat.number], target),
            )
        )
    return tuple(views)


def _doubt(round_: Round, seat: int, language: Language) -> str:
    """Say why a seat's count is not sure: the plainest reason that holds."""
    nobody = sum(owners.count(None) for owners in round_.owners.values())
    mine = [record for record in round_.records.values() if record.stands and record.event.seat == seat]
    if any(record.open for record in mine):
        return language.t("a ruling is open")
    if nobody:
        return language.tn("nobody knows who played {count} card", "nobody knows who played {count} cards", nobody)
    return language.t("not everything was seen clearly")


def _table(match: Match, badges: dict[int, Badge], language: Language) -> RoundTable | None:
    round_ = match.round
    if round_ is None or round_.phase is not RoundPhase.SCORED:
        return None
    # In the order in which one outdoes the other.
    sources = {
        "corrected": language.t("Corrected by hand"),
        "counted": language.t("Counted by the backs"),
        "followed": language.t("As followed by the camera, not counted yet"),
    }
    source = next(words for by, words in sources.items() if by in round_.scores)
    totals = match.totals()
    # Where nobody followed there is nothing to differ from.
    differences = round_.find_differences() if round_.records or "followed" in round_.scores else {}
    rows = [
        RoundRow(
            badge=badges[row.seat],
            dutch=row.dutch,
            blitz=row.blitz,
            blitz_points=match.variant.blitz_points * row.blitz,
            points=row.score,
            total=totals[row.seat],
            sure=row.sure,
            difference=differences.get(row.seat, 0),
        )
        for row in round_.score()
    ]
    rows.sort(key=lambda row: (-row.total, row.badge.number))
    return RoundTable(language.t("Round {number}", number=round_.number), source, tuple(rows))


def _chart(match: Match, badges: dict[int, Badge]) -> Chart | None:
    """Draw the totals after each round; nothing until there are two."""
    scored = [round_ for round_ in match.rounds if round_.phase is RoundPhase.SCORED]
    if match.round is None or match.round.phase is not RoundPhase.SCORED or len(scored) < 2:
        return None
    totals = {seat.number: [0] for seat in match.seats}
    for round_ in scored:
        points = {row.seat: row.score for row in round_.score()}
        for seat, line in totals.items():
            line.append(line[-1] + points.get(seat, 0))
    every = [total for line in totals.values() for total in line]
    high, low = max([match.variant.target or 0, *every, 1]), min(0, *every)

    def y(total: int) -> float:
        return round(100 * (high - total) / (high - low), 1)

    step = 100 / len(scored)
    series = tuple(
        Series(badges[seat], tuple((round(k * step, 1), y(total)) for k, total in enumerate(line)), line[-1])
        for seat, line in totals.items()
    )
    return Chart(series, y(0), y(match.variant.target) if match.variant.target else None, len(scored))
