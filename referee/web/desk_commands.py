"""What the desk's forms mean: each becomes events for the log, or a sentence that says why not.

Pure functions of the match that the person was looking at and of what the form says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..game.cards import Face
from ..game.event_types import (
    BlitzCalled,
    BlitzSeen,
    Certainty,
    DutchCalled,
    Event,
    MatchStarted,
    Player,
    Revised,
    RoundEnded,
    RoundPaused,
    RoundResumed,
    RoundScored,
    RoundStarted,
    Ruled,
    SeatJoined,
    SeatScore,
)
from ..game.house_rules import find_differences, make_variant, parse_rule
from ..game.match import Match
from ..game.round import MoveRecord, Round
from ..game.scoring import score
from ..game.variant import VariantError, get_presets, get_variant
from .board import clean_name
from .language import Language
from .ports import Command
from .sentences import translate
from .words import deck_parts

LONGEST_NAME = 200
Form = Mapping[str, str]


class FormError(ValueError):
    """A form that can't be carried out; the message says why, in the language of the person."""


def read_command(action: str, form: Form, match: Match, language: Language) -> Command:
    """Turn a form of the desk into a command.

    Parameters
    ----------
    action
        One of `ACTIONS`.
    form
        Its fields.
    match
        What it refers to.
    language
        Of the sentences in `FormError`.

    Raises
    ------
    FormError
        If there is no such action, a field is missing or impossible, or the match has no such thing.
    """
    try:
        make = ACTIONS[action]
    except KeyError:
        raise FormError(language.t("The desk has no such button.")) from None
    events = make(form, match, language)
    if not events:
        raise FormError(language.t("Nothing was changed."))
    return Command(tuple(events))


def _now(match: Match) -> dict[str, Any]:
    return {"time_s": match.time_s, "seen_s": match.time_s}


def _number(form: Form, name: str, low: int, high: int, language: Language) -> int:
    text = form.get(name, "").strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and low <= int(text) <= high):
        raise FormError(language.t("Write a number from {low} to {high}.", low=low, high=high))
    return int(text)


def _round(match: Match, language: Language) -> Round:
    if match.round is None:
        raise FormError(language.t("There is no round yet."))
    return match.round


def _seat(form: Form, round_: Round, language: Language) -> int:
    seat = _number(form, "seat", 1, 99, language)
    if seat not in round_.seats:
        raise FormError(language.t("Seat {number} does not play in this round.", number=seat))
    return seat


def _move(form: Form, match: Match, language: Language) -> tuple[int, MoveRecord, Round]:
    id_ = _number(form, "move", 1, 10**9, language)
    for round_ in reversed(match.rounds):
        if id_ in round_.records:
            return id_, round_.records[id_], round_
    raise FormError(language.t("That play is no longer known."))


def go(form: Form, match: Match, language: Language) -> list[Event]:
    """Start the next round for all who sit at the table."""
    playing = tuple(seat.number for seat in match.seats if seat.playing)
    if match.round is not None and not match.round.is_over:
        raise FormError(language.t("A round is being played."))
    if len(playing) < 2:
        raise FormError(language.t("Two players at least: write their names first."))
    return [RoundStarted(seats=len(playing), playing=playing, variant=match.variant.name, **_now(match))]


def pause(form: Form, match: Match, language: Language) -> list[Event]:
    """Let play stand still."""
    _round(match, language)
    return [RoundPaused(**_now(match))]


def resume(form: Form, match: Match, language: Language) -> list[Event]:
    """Let play go on; also after a Blitz that was none."""
    _round(match, language)
    return [RoundResumed(**_now(match))]


def dutch(form: Form, match: Match, language: Language) -> list[Event]:
    """Stop play because somebody called "Dutch!"."""
    _round(match, language)
    return [DutchCalled(**_now(match))]


def blitz(form: Form, match: Match, language: Language) -> list[Event]:
    """End the round: this seat has emptied its Blitz Pile and called it."""
    seat = _seat(form, _round(match, language), language)
    return [BlitzCalled(seat=seat, **_now(match)), BlitzSeen(seat=seat, **_now(match))]


def abandon(form: Form, match: Match, language: Language) -> list[Event]:
    """Break the round off: it doesn't count."""
    _round(match, language)
    return [RoundEnded(reason="abandoned", **_now(match))]


def stuck(form: Form, match: Match, language: Language) -> list[Event]:
    """End the round because nobody can play any more; it is scored as it stands."""
    _round(match, language)
    return [RoundEnded(reason="stuck", **_now(match))]


def confirm(form: Form, match: Match, language: Language) -> list[Event]:
    """Say that a ruling is right: from now on it is certain."""
    id_, record, _ = _move(form, match, language)
    if record.blame is None:
        raise FormError(language.t("Nothing was said of that play."))
    said = record.blame
    return [
        Ruled(
            move=id_,
            violations=said.violations,
            certainty=Certainty.CERTAIN,
            remedy=said.remedy,
            by="person",
            **_now(match),
        )
    ]


def overrule(form: Form, match: Match, language: Language) -> list[Event]:
    """Say that a play was right."""
    id_, _, _ = _move(form, match, language)
    return [Ruled(move=id_, violations=(), by="person", **_now(match))]


def owner(form: Form, match: Match, language: Language) -> list[Event]:
    """Say who made a play."""
    id_, record, round_ = _move(form, match, language)
    seat = _seat(form, round_, language)
    if record.event.seat == seat:
        return []
    return [Revised(move=id_, reason="said at the desk", changes={"seat": seat}, **_now(match))]


def card(form: Form, match: Match, language: Language) -> list[Event]:
    """Say which card a play was; with several cards, the uppermost."""
    id_, record, round_ = _move(form, match, language)
    try:
        face = Face.parse(form.get("card", "").strip().upper())
    except ValueError:
        raise FormError(language.t("No such card: write R7, B10, Y1 or G3.")) from None
    if face not in round_.variant.faces:
        raise FormError(language.t("No such card: write R7, B10, Y1 or G3."))
    cards = (*record.event.cards[:-1], face)
    if cards == record.event.cards:
        return []
    return [Revised(move=id_, reason="said at the desk", changes={"cards": cards}, **_now(match))]


def retract(form: Form, match: Match, language: Language) -> list[Event]:
    """Say that a play never happened."""
    id_, _, _ = _move(form, match, language)
    return [Revised(move=id_, reason="said at the desk", retracted=True, **_now(match))]


def count(form: Form, match: Match, language: Language) -> list[Event]:
    """Settle a round's score from the cards of each seat; `by` is `counted` or `corrected`."""
    number = _number(form, "round", 1, 10**6, language)
    found = [round_ for round_ in match.rounds if round_.number == number]
    if not found:
        raise FormError(language.t("There is no round {number}.", number=number))
    by = form.get("by", "counted")
    if by not in ("counted", "corrected"):
        raise FormError(language.t("Nothing was changed."))
    rows = _read_counts(form, found[0], language)
    # The uppermost word holds, so a correction must not hide under an older one.
    if "corrected" in found[0].scores:
        by = "corrected"
    return [RoundScored(by=by, round=number, seats=rows, **_now(match))]


def _read_counts(form: Form, round_: Round, language: Language) -> tuple[SeatScore, ...]:
    most = len(round_.variant.faces)
    rows = []
    for seat in round_.seats:
        dutch_cards = _number(form, f"dutch-{seat}", 0, most, language)
        blitz_cards = _number(form, f"blitz-{seat}", 0, most, language)
        if dutch_cards + blitz_cards > most:
            raise FormError(language.t("Seat {number}: a deck has only {count} cards.", number=seat, count=most))
        points = score(round_.variant, dutch_cards, blitz_cards, round_.count_illegal(seat))
        rows.append(SeatScore(seat, dutch_cards, blitz_cards, points, True))
    return tuple(rows)


def by_hand(form: Form, match: Match, language: Language) -> list[Event]:
    """Play and score a whole round at once, where no camera watches."""
    started = go(form, match, language)
    begun = started[0]
    assert isinstance(begun, RoundStarted)
    number = len(match.rounds) + 1
    most = len(match.variant.faces)
    rows = []
    for seat in begun.playing:
        dutch_cards = _number(form, f"dutch-{seat}", 0, most, language)
        blitz_cards = _number(form, f"blitz-{seat}", 0, most, language)
        rows.append(SeatScore(seat, dutch_cards, blitz_cards, score(match.variant, dutch_cards, blitz_cards), True))
    ended = [BlitzSeen(seat=row.seat, **_now(match)) for row in rows if row.blitz == 0][:1]
    return [*started, *ended, RoundScored(by="counted", round=number, seats=tuple(rows), **_now(match))]


def seats(form: Form, match: Match, language: Language) -> list[Event]:
    """Rename seats and give them decks; an unknown number with a name is somebody new."""
    known = {seat.number: seat for seat in match.seats}
    changed: list[Event] = []
    for number in range(1, match.variant.max_seats + 1):
        if f"name-{number}" not in form:
            continue
        name = clean_name(form[f"name-{number}"])
        deck = form.get(f"deck-{number}", "")
        if len(name) > LONGEST_NAME:
            raise FormError(language.t("A name has {count} letters at most.", count=LONGEST_NAME))
        if deck and not all(deck_parts(deck)):
            raise FormError(language.t("There is no such deck."))
        old = known.get(number)
        if not name or (old is not None and (name, deck or old.deck) == (old.name, old.deck)):
            continue
        changed.append(SeatJoined(seat=number, name=name, deck=deck, **_now(match)))
    return changed


def new_game(form: Form, match: Match, language: Language) -> list[Event]:
    """Begin a new match between the same players, by the rules of the old one or of another preset."""
    if match.round is not None and not match.round.is_over:
        raise FormError(language.t("A round is being played."))
    variant = form.get("variant") or match.variant.name
    if variant not in get_presets():
        raise FormError(language.t("There are no such rules."))
    players = tuple(Player(seat.number, seat.name, seat.deck) for seat in match.seats if seat.playing)
    if not players:
        raise FormError(language.t("Two players at least: write their names first."))
    # House rules stay in force with the preset that they belong to, unless the form speaks of them.
    rules = find_differences(match.variant, get_variant(variant)) if variant == match.variant.name else {}
    written = {
        key.removeprefix("rule-").replace("-", "_"): form[key].strip() for key in form if key.startswith("rule-")
    }
    try:
        if written:
            kept = {"target": rules["target"]} if "target" in rules else {}
            rules = kept | {name: parse_rule(name, text) for name, text in written.items() if text}
        if form.get("target", "").strip():
            rules["target"] = _number(form, "target", 1, 1000, language)
        make_variant(get_variant(variant), rules)
    except VariantError as error:
        reason = translate(str(error), language)
        raise FormError(language.t("These rules can't be played: {reason}", reason=reason)) from error
    return [MatchStarted(players=players, variant=variant, rules=rules, **_now(match))]


ACTIONS: dict[str, Callable[[Form, Match, Language], list[Event]]] = {
    "go": go,
    "pause": pause,
    "resume": resume,
    "dutch": dutch,
    "blitz": blitz,
    "abandon": abandon,
    "stuck": stuck,
    "confirm": confirm,
    "overrule": overrule,
    "owner": owner,
    "card": card,
    "retract": retract,
    "count": count,
    "by-hand": by_hand,
    "seats": seats,
    "new-game": new_game,
}
