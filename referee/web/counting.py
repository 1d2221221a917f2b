"""The count at the desk: ask the camera for it, show what differs, settle it with one tap or put it off.

What was counted waits here until somebody settles it; only then it goes into the log. Numbers can always be written
by hand instead.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

from flask import Blueprint, flash, redirect, request
from werkzeug.wrappers import Response

from ..game.event_types import Event, RoundScored, SeatScore
from ..game.match import Match
from ..game.round import Phase, Round
from ..game.scoring import score
from . import guard
from .desk_commands import Form, FormError, read_command
from .kept_count import KeptCount, Waiting
from .language import Language
from .ports import BlitzCount, Command, CountResult, CountTaker, Game, SeatCount
from .sentences import translate
from .undo import Done
from .view import Badge
from .viewer import choose_language

DESK = "/desk#counts"


@dataclass(frozen=True, slots=True)
class CountRow:
    """One seat's cards in the form that settles a round.

    Parameters
    ----------
    badge
        Who it is.
    dutch, blitz
        What the form proposes.
    count
        What the backs said; None before they were counted.
    left
        What was seen of the Blitz Pile; None before anybody looked.
    """

    badge: Badge
    dutch: int
    blitz: int
    count: SeatCount | None = None
    left: BlitzCount | None = None


@dataclass(frozen=True, slots=True)
class CountForm:
    """The form that settles a round's score; `notes` say what the count by the backs has brought."""

    number: int
    by: str
    words: str
    rows: tuple[CountRow, ...]
    notes: tuple[str, ...] = ()
    counted: bool = False
    settled: bool = False


def build_form(round_: Round, badges: dict[int, Badge], found: CountResult | None, language: Language) -> CountForm:
    """Give the form of a round, filled in with what is known best.

    Parameters
    ----------
    round_
        Which.
    badges
        Who sits where.
    found
        What a count by the backs brought that waits to be settled; None without one.
    language
        Of the words in it.
    """
    words = {
        "corrected": language.t("corrected by hand"),
        "counted": language.t("counted by the backs"),
        "followed": language.t("as followed by the camera"),
    }
    said = next((words[by] for by in words if by in round_.scores), language.t("not scored yet"))
    settled = bool({"counted", "corrected"} & round_.scores.keys())
    counts = {row.seat: row for row in found.seats} if found is not None else {}
    lefts = {row.seat: row for row in found.blitz} if found is not None else {}
    rows = []
    for row in round_.score():
        count, left = counts.get(row.seat), lefts.get(row.seat)
        # What can't stand without a look isn't proposed.
        dutch = count.counted if count is not None and count.sure else row.dutch
        blitz = left.counted if left is not None and left.sure and left.counted is not None else row.blitz
        if count is not None:
            count = replace(count, cause=translate(count.cause, language))
        if left is not None:
            left = replace(left, problem=translate(left.problem, language))
        rows.append(CountRow(badges[row.seat], dutch, blitz, count, left))
    notes = () if found is None else tell_count(found, language)
    by = "corrected" if settled else "counted"
    return CountForm(round_.number, by, said, tuple(rows), notes, bool(counts), settled)


def tell_count(found: CountResult, language: Language) -> tuple[str, ...]:
    """Say what a count has brought, one sentence each."""
    if found.problem:
        return (translate(found.problem, language),)
    notes = []
    if found.faces:
        notes.append(
            language.tn(
                "{count} card lies face up: turn it over and count again.",
                "{count} cards lie face up: turn them over and count again.",
                found.faces,
            )
        )
    if found.unread:
        notes.append(
            language.tn(
                "{count} back could not be read: look whose it is.",
                "{count} backs could not be read: look whose they are.",
                found.unread,
            )
        )
    uncounted = sum(row.counted is None for row in found.blitz)
    if uncounted:
        notes.append(
            language.tn(
                "{count} Blitz Pile is not counted yet: look at its seat.",
                "{count} Blitz Piles are not counted yet: look at their seats.",
                uncounted,
            )
        )
    if not found.seats or found.faces:
        return tuple(notes)
    blitz = {row.seat: row.counted not in (None, row.followed) for row in found.blitz}
    differing = sum(row.counted != row.followed or blitz.get(row.seat, False) for row in found.seats)
    if differing:
        notes.append(
            language.tn(
                "{count} seat was counted otherwise than followed.",
                "{count} seats were counted otherwise than followed.",
                differing,
            )
        )
    elif found.sure:
        notes.append(language.t("The backs agree with what was followed."))
    return tuple(notes)


def read_settlement(form: Form, match: Match, found: CountResult | None, language: Language) -> Command:
    """Turn the form that settles a round into a command.

    What the camera counted goes into the log as `counted`; where a person wrote something else, that goes on top of it
    as `corrected`.

    Raises
    ------
    FormError
        If a number is missing or impossible.
    """
    command = read_command("count", form, match, language)
    said = command.events[0]
    assert isinstance(said, RoundScored)
    if found is None or found.round != said.round or not (found.seats or found.blitz):
        return command
    round_ = next(other for other in match.rounds if other.number == said.round)
    counts = {row.seat: row for row in found.seats}
    lefts = {row.seat: row for row in found.blitz}
    rows = [_as_counted(round_, row, counts.get(row.seat), lefts.get(row.seat)) for row in said.seats]
    when = {"time_s": said.time_s, "seen_s": said.seen_s}
    events: list[Event] = [RoundScored(by="counted", round=said.round, seats=tuple(rows), **when)]
    differs = any(
        (row.dutch, row.blitz) != (mine.dutch, mine.blitz) for row, mine in zip(rows, said.seats, strict=True)
    )
    if differs or "corrected" in round_.scores:
        events.append(RoundScored(by="corrected", round=said.round, seats=said.seats, **when))
    return Command(tuple(events))


def _as_counted(round_: Round, said: SeatScore, count: SeatCount | None, left: BlitzCount | None) -> SeatScore:
    """Give a seat's row as the camera counted it; what it couldn't count is as the person says."""
    dutch = said.dutch if count is None else count.counted
    blitz = said.blitz if left is None or left.counted is None else left.counted
    sure = count is None or count.sure or dutch == said.dutch
    sure = sure and (left is None or left.sure or blitz == said.blitz)
    return SeatScore(
        said.seat, dutch, blitz, score(round_.variant, dutch, blitz, round_.count_illegal(said.seat)), sure
    )


def read_putting_off(match: Match) -> Command | None:
    """Score the last round as it was followed, where nothing was said yet; None where that isn't needed."""
    round_ = match.round
    if round_ is None or round_.phase is not Phase.ENDED:
        return None
    when = {"time_s": match.time_s, "seen_s": match.time_s}
    return Command((RoundScored(by="followed", round=round_.number, seats=round_.tally(), **when),))


class CountDesk:
    """Keeps what was counted until it is settled; safe for all of the web's threads.

    Parameters
    ----------
    game
        Whose rounds are counted.
    counter
        Who counts; None where no camera does.
    kept
        Keeps the count over a restart; None: it is kept in memory only.
    """

    def __init__(self, game: Game, counter: CountTaker | None, kept: KeptCount | None = None) -> None:
        self._game = game
        self._counter = counter
        self._kept = kept
        self._counting = threading.Lock()
        self._waiting = kept.read() if kept is not None and counter is not None else None
        found = self.found()
        if found is not None and counter is not None:
            counter.take_up(found)

    @property
    def can_count(self) -> bool:
        """Tell whether there is anybody to count."""
        return self._counter is not None

    def found(self) -> CountResult | None:
        """Give the count that waits to be settled; None when there is none for the last round."""
        waiting, round_ = self._waiting, self._game.match().round
        if waiting is None or round_ is None or waiting.found.round not in (0, round_.number):
            return None
        # Rounds of another game have the same numbers, and one that was played on is another one, too.
        if round_.phase not in (Phase.ENDED, Phase.SCORED) or waiting.at_s < (round_.ended_s or round_.started_s):
            return None
        return waiting.found

    def take(self, more: bool, blitz: int | None = None) -> None:
        """Count now; a second desk that asks meanwhile gets the same count.

        Parameters
        ----------
        more
            Add to the last count.
        blitz
            The seat whose Blitz cards are to be counted, and nothing else; None counts the table.
        """
        if self._counter is None:
            return
        if not self._counting.acquire(blocking=False):
            with self._counting:
                return
        try:
            at_s, before = self._game.match().time_s, self.found()
            found = self._counter.take_count(more) if blitz is None else self._counter.take_blitz(blitz)
            if before is not None and (more or blitz is not None) and not (found.seats or found.blitz):
                # What couldn't be added to a count doesn't undo it.
                found = replace(before, problem=found.problem)
            self._keep(Waiting(found, at_s))
        finally:
            self._counting.release()

    def drop(self) -> None:
        """Forget what was counted."""
        self._keep(None)

    def _keep(self, waiting: Waiting | None) -> None:
        self._waiting = waiting
        if self._kept is not None:
            self._kept.write(waiting if waiting is not None and (waiting.found.seats or waiting.found.blitz) else None)


def add_routes(pages: Blueprint, game: Game, desk: CountDesk, done: Done) -> None:
    """Add the routes of the count to the desk's; what is settled can be undone."""

    def submit(command: Command | None, words: str, language: Language) -> Response:
        before = game.match()
        if command is not None:
            outcome = game.submit(command)
            if not outcome.done:
                flash(translate(outcome.reason, language), "error")
                return redirect(DESK, 303)
            done.note("count", before, command.events)
        desk.drop()
        flash(words, "done")
        return redirect(DESK, 303)

    @pages.post("/desk/count/take")
    def take_count() -> Response:
        guard.check_change()
        language = choose_language()
        round_ = game.match().round
        if not desk.can_count:
            flash(language.t("No camera counts here: write the numbers down."), "error")
        elif round_ is None or round_.phase not in (Phase.ENDED, Phase.SCORED):
            flash(language.t("The cards are counted once the round is over."), "error")
        else:
            desk.take(request.form.get("more") == "1")
        return redirect(DESK, 303)

    @pages.post("/desk/count/blitz")
    def take_blitz() -> Response:
        guard.check_change()
        language = choose_language()
        match = game.match()
        seats = {str(seat): seat for seat in (match.round.seats if match.round is not None else ())}
        seat = seats.get(request.form.get("seat", ""))
        if not desk.can_count:
            flash(language.t("No camera counts here: write the numbers down."), "error")
        elif match.round is None or match.round.phase not in (Phase.ENDED, Phase.SCORED):
            flash(language.t("The cards are counted once the round is over."), "error")
        elif seat is None:
            flash(language.t("Nothing was changed."), "error")
        else:
            desk.take(False, seat)
        return redirect(DESK, 303)

    @pages.post("/desk/count/settle")
    def settle() -> Response:
        guard.check_change()
        language = choose_language()
        try:
            command = read_settlement(request.form, game.match(), desk.found(), language)
        except FormError as error:
            flash(str(error), "error")
            return redirect(DESK, 303)
        return submit(command, language.t("Done."), language)

    @pages.post("/desk/count/later")
    def put_off() -> Response:
        guard.check_change()
        language = choose_language()
        words = language.t("The score stays as it was followed. It can still be counted or corrected below.")
        return submit(read_putting_off(game.match()), words, language)
