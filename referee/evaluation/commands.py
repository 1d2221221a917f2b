"""Prints the figures of evaluations: tables for people, JSON for scripts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from ..vision.commands import VisionProblem, problems, save_picture
from ..vision.frames import Image
from ..vision.overlay import TONES, draw_cards
from ..vision.photo import PhotoCard, PhotoReader
from .cards import CardReport, Tally, TruthError, evaluate_cards


def cards_report(paths: Sequence[Path], as_json: bool, limit: int | None, draw: Path | None) -> None:
    """Evaluate the cards of folders and print the figures.

    Raises
    ------
    VisionProblem
        If a truth file, a picture or a model can't be used.
    """

    def show(place: Path, image: Image, cards: list[PhotoCard], false: list[int]) -> None:
        if draw is None:
            return
        import cv2

        picture = draw_cards(image, [(card.quad_px, card.kind, card.reading) for card in cards])
        for j in false:
            center = np.round(cards[j].quad_px.mean(axis=0)).astype(int)
            cv2.circle(picture, (int(center[0]), int(center[1])), 26, TONES["bad"], 4, cv2.LINE_AA)
        save_picture(picture, draw / place.name)

    with problems():
        try:
            report = evaluate_cards(paths, PhotoReader(), limit, show)
        except TruthError as error:
            raise VisionProblem(str(error)) from error
    if as_json:
        click.echo(json.dumps(report.as_json()))
    else:
        _print_cards(report)


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def _print_cards(report: CardReport) -> None:
    console = Console(width=None if Console().is_terminal else 110)
    table = Table(title=f"{report.pictures} pictures, cards at least 60% visible, IoU 0.5")
    for title in ("cards", "true", "found", "found %", "label right", "label wrong", "not read", "color", "number"):
        table.add_column(title, justify="left" if title == "cards" else "right")

    def row(name: str, tally: Tally) -> None:
        table.add_row(
            name,
            str(tally.true),
            str(tally.found),
            _percent(tally.found, tally.true),
            _percent(tally.right, tally.read),
            _percent(tally.wrong, tally.read),
            _percent(tally.read - tally.right - tally.wrong, tally.read),
            _percent(tally.right_color, tally.read),
            _percent(tally.right_number, tally.read),
        )

    row("all", report.total)
    for name in sorted(report.groups):
        row(name, report.groups[name])
    console.print(table)
    console.print(f"false cards: {report.false} ({_percent(report.false, report.total.true)} of the true ones)")
    if report.corner_errors_px:
        median, p95 = np.percentile(report.corner_errors_px, [50, 95])
        console.print(f"corners: {median:.1f} px median, {p95:.1f} px p95")
