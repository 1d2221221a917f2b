"""The desk: behind the PIN, everything that changes the game. Each button is a form; each form becomes events."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from flask import Blueprint, Response, flash, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from ..game.cards import BACKS
from ..game.house_rules import OPTIONS, find_differences, plain_rule, rule_choices
from ..game.match import Match
from ..game.round import Phase as RoundPhase
from ..game.variant import Variant, get_presets, get_variant
from . import counting, guard, table_pages
from .board import build_badge
from .counting import CountDesk, CountForm, build_form
from .desk_commands import LONGEST_NAME, FormError, read_command
from .kept_count import KeptCount
from .language import Language
from .pin import PinGate
from .ports import CameraState, Command, CountResult, CountTaker, Game, TableKeeper
from .rule_words import rule_words, value_words
from .rulings import build_rulings
from .sentences import translate
from .undo import Done
from .view import Badge, RulingView
from .viewer import choose_language
from .words import action_words, deck_words


@dataclass(frozen=True, slots=True)
class SeatForm:
    """One line of the form with names and decks."""

    number: int
    name: str
    deck: str


@dataclass(frozen=True, slots=True)
class DeskView:
    """What the desk offers now."""

    phase: str
    number: int
    by_hand: bool
    badges: tuple[Badge, ...]
    rulings: tuple[RulingView, ...]
    counts: tuple[CountForm, ...]
    can_count: bool
    seats: tuple[SeatForm, ...]
    decks: tuple[tuple[str, str], ...]
    presets: tuple[str, ...]
    variant: str
    target: int | None
    rules: tuple[RuleField, ...]
    most_cards: int


@dataclass(frozen=True, slots=True)
class RuleField:
    """One house rule as the form of a new game asks for it.

    Parameters
    ----------
    name
        As it stands in a rules file.
    words
        What it is called.
    choices
        Values to choose from and what each means; none where a number is written.
    value
        What differs from the preset now; empty where nothing does.
    preset
        What the preset says, in words.
    """

    name: str
    words: str
    choices: tuple[tuple[str, str], ...]
    value: str
    preset: str


def rule_fields(variant: Variant, language: Language) -> tuple[RuleField, ...]:
    """Give every house rule but the target, which the form asks for by itself."""
    base = get_variant(variant.name) if variant.name in get_presets() else get_variant("official")
    differences = find_differences(variant, base)
    return tuple(
        RuleField(
            name,
            rule_words(name, language),
            tuple((choice, value_words(name, choice, language)) for choice in rule_choices(name)),
            plain_rule(differences[name]) if name in differences else "",
            value_words(name, plain_rule(getattr(base, name)), language),
        )
        for name in OPTIONS
        if name != "target"
    )


def build_desk(
    match: Match, by_hand: bool, language: Language, found: CountResult | None = None, can_count: bool = False
) -> DeskView:
    """Give what the desk offers for this match.

    Parameters
    ----------
    match
        The newest one.
    by_hand
        Whether no camera watches, so that rounds are written down whole.
    language
        Of the words in it.
    found
        A count of the last round by the backs that waits to be settled.
    can_count
        Whether a camera can be asked to count.
    """
    badges = {seat.number: build_badge(seat, language) for seat in match.seats}
    known = {seat.number: seat for seat in match.seats}
    round_ = match.round
    open_rounds = [other for other in match.rounds if other.phase is not RoundPhase.ABANDONED]
    seats = tuple(
        SeatForm(number, known[number].name if number in known else "", known[number].deck if number in known else "")
        for number in range(1, match.variant.max_seats + 1)
    )
    playing = round_.seats if round_ else tuple(seat.number for seat in match.seats if seat.playing)
    return DeskView(
        phase=round_.phase.value if round_ else "none",
        number=round_.number if round_ else 0,
        by_hand=by_hand,
        badges=tuple(badges[number] for number in playing),
        rulings=build_rulings(round_, badges, language) if round_ else (),
        counts=tuple(
            build_form(other, badges, found if other is round_ else None, language) for other in reversed(open_rounds)
        ),
        can_count=can_count and round_ is not None and round_.phase in (RoundPhase.ENDED, RoundPhase.SCORED),
        seats=seats,
        decks=tuple((back.deck, deck_words(back.deck, language)) for back in BACKS),
        presets=tuple(get_presets()),
        variant=match.variant.name,
        target=match.variant.target,
        rules=rule_fields(match.variant, language),
        most_cards=len(match.variant.faces),
    )


def blueprint(
    game: Game,
    gate: PinGate,
    counter: CountTaker | None = None,
    keeper: TableKeeper | None = None,
    data: Path | None = None,
) -> Blueprint:
    """Build the routes of the desk; `data` is the folder of the event log."""
    pages = Blueprint("desk", __name__)
    counts = CountDesk(game, counter, KeptCount(game, data))
    done = Done()
    counting.add_routes(pages, game, counts, done)
    table_pages.add_routes(pages, game, keeper)

    def address() -> str:
        return request.remote_addr or ""

    @pages.get("/desk")
    def desk() -> str | Response:
        token = guard.form_token()
        if not guard.desk_is_open():
            return render_template("login.html", token=token, wait_s=round(gate.wait_s(address())))
        language = choose_language()
        by_hand = game.status().camera is CameraState.NONE
        view = build_desk(game.match(), by_hand, language, counts.found(), counts.can_count)
        last = done.last()
        undo = action_words(last[0], language) if last else ""
        return render_template("desk.html", view=view, token=token, longest_name=LONGEST_NAME, undo=undo)

    @pages.post("/desk/open")
    def open_desk() -> AnyResponse | tuple[str, int]:
        guard.check_form()
        if gate.try_pin(address(), request.form.get("pin", "").strip()):
            guard.open_desk()
            return redirect("/desk", 303)
        wait_s = round(gate.wait_s(address()))
        status = 429 if wait_s else 403
        return render_template("login.html", token=guard.form_token(), wait_s=wait_s, wrong=True), status

    @pages.post("/desk/close")
    def close_desk() -> AnyResponse:
        guard.check_change()
        guard.close_desk()
        return redirect("/", 303)

    @pages.post("/desk/do/<action>")
    def act(action: str) -> AnyResponse:
        guard.check_change()
        language = choose_language()
        before = game.match()
        try:
            command = read_command(action, request.form, before, language)
        except FormError as error:
            flash(str(error), "error")
        else:
            outcome = game.submit(command)
            if outcome.done:
                done.note(action, before, command.events)
            flash(
                language.t("Done.") if outcome.done else translate(outcome.reason, language),
                "done" if outcome.done else "error",
            )
        return redirect("/desk", 303)

    @pages.post("/desk/undo")
    def undo() -> AnyResponse:
        guard.check_change()
        language = choose_language()
        last = done.last()
        if last is None:
            flash(language.t("There is nothing to undo."), "error")
            return redirect("/desk", 303)
        outcome = game.submit(Command(last[1]))
        done.forget()
        words = language.t("Undone.") if outcome.done else translate(outcome.reason, language)
        flash(words, "done" if outcome.done else "error")
        return redirect("/desk", 303)

    return pages
