"""The desk's view of the table: what the camera sees, how well, what is wrong, and the zones, which can be moved."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, abort, flash, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from . import guard
from .beat import build_beat
from .desk_commands import FormError
from .language import Language
from .ports import Game, Outcome, Sight, TableKeeper
from .sentences import translate
from .viewer import choose_language
from .zones import ZoneView, build_zones, find_bounds, read_zones

TABLE = "/desk/table"
ENOUGH_PX_PER_MM = 1.3
ENOUGH_FOCUS = 0.45


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of how well the camera sees, in words; `good` is False where it should be better."""

    name: str
    value: str
    good: bool


@dataclass(frozen=True, slots=True)
class ZonesView:
    """The zones to be drawn, the part of the table that they lie in, and the size of a card, all in mm."""

    zones: tuple[ZoneView, ...]
    bounds: tuple[float, float, float, float]
    card_mm: tuple[float, float]


def build_figures(sight: Sight, language: Language) -> tuple[Figure, ...]:
    """Say how well the camera sees: light, focus, and the scale at each part of the table."""
    t = language.t
    figures = []
    if sight.light is not None:
        figures.append(Figure(t("Light"), f"{sight.light:.0%}", 0.18 <= sight.light <= 0.85))
    if sight.sharpness is not None:
        words = t("sharp") if sight.sharpness >= ENOUGH_FOCUS else t("not sharp")
        figures.append(Figure(t("Focus"), words, sight.sharpness >= ENOUGH_FOCUS))
    for part, scale in sight.px_per_mm.items():
        number = part.removeprefix("seat ")
        name = t("Seat {number}", number=number) if number != part else t("Middle")
        figures.append(Figure(name, f"{scale:.2f} px/mm", scale >= ENOUGH_PX_PER_MM))
    return tuple(figures)


def add_routes(pages: Blueprint, game: Game, keeper: TableKeeper | None) -> None:
    """Add the routes of the table to the desk's."""

    @pages.get(TABLE)
    def table() -> str | AnyResponse:
        if not guard.desk_is_open():
            return redirect("/desk", 303)
        language = choose_language()
        game.picture()
        status = game.status()
        zones, figures = None, ()
        if keeper is not None:
            keeper.above()
            layout = keeper.layout()
            zones = ZonesView(build_zones(layout, language), find_bounds(layout), layout.card_mm)
            figures = build_figures(keeper.sight(), language)
        return render_template(
            "table.html",
            status=status,
            beat=build_beat(game.match(), status, language),
            figures=figures,
            zones=zones,
            token=guard.form_token(),
        )

    @pages.get("/desk/table.jpg")
    def table_picture() -> Response:
        if not guard.desk_is_open():
            abort(403, "The desk is closed: enter the PIN first.")
        jpeg = game.picture()
        if jpeg is None:
            return Response(status=204)
        return Response(jpeg, mimetype="image/jpeg")

    @pages.get("/desk/table/above.jpg")
    def above() -> Response:
        if not guard.desk_is_open():
            abort(403, "The desk is closed: enter the PIN first.")
        found = None if keeper is None else keeper.above()
        if found is None:
            return Response(status=204)
        response = Response(found.jpeg, mimetype="image/jpeg")
        area = (found.left_mm, found.top_mm, found.width_mm, found.height_mm)
        response.headers["Table-Mm"] = " ".join(f"{value:.1f}" for value in area)
        return response

    def answer(outcome: Outcome, language: Language) -> AnyResponse:
        flash(
            language.t("Done.") if outcome.done else translate(outcome.reason, language),
            "done" if outcome.done else "error",
        )
        return redirect(TABLE, 303)

    @pages.post("/desk/table/zones")
    def move_zones() -> AnyResponse:
        guard.check_change()
        language = choose_language()
        if keeper is None:
            return answer(Outcome(False, language.t("No camera watches a table here.")), language)
        try:
            layout = read_zones(request.form, keeper.layout(), language)
        except FormError as error:
            return answer(Outcome(False, str(error)), language)
        return answer(keeper.change_layout(layout), language)

    @pages.post("/desk/table/before")
    def restore_zones() -> AnyResponse:
        guard.check_change()
        language = choose_language()
        if keeper is None:
            return answer(Outcome(False, language.t("No camera watches a table here.")), language)
        return answer(keeper.restore_layout(), language)
