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
from .cards import CardReport, Tally, evaluate_cards, reliability
from .confusion import draw_confusion
from .reliability import draw_reliability
from .truth import TrueCard, TruthError


def cards_report(
    paths: Sequence[Path], as_json: bool, limit: int | None, draw: Path | None, confusion: Path | None = None,
    reliable: Path | None = None,
) -> None:  # fmt: skip
    """Evaluate the cards of folders and print the figures.

    Raises
    ------
    VisionProblem
        If a truth file, a picture or a model can't be used.
    """

    def show(place: Path, image: Image, cards: list[PhotoCard], false: list[PhotoCard], missed: list[TrueCard]) -> None:
        if draw is None:
            return
        import cv2

        picture = draw_cards(image, [(card.quad_px, card.kind, card.reading) for card in cards])
        for card in false:
            center = np.round(card.quad_px.mean(axis=0)).astype(int)
            cv2.circle(picture, (int(center[0]), int(center[1])), 26, TONES["bad"], 4, cv2.LINE_AA)
        for absent in missed:
            outline = np.round(absent.quad_px).astype(np.int32)
            cv2.polylines(picture, [outline], True, TONES["bad"], 4, cv2.LINE_AA)
        save_picture(picture, draw / place.name)

    with problems():
        try:
            report = evaluate_cards(paths, PhotoReader(), limit, show)
        except TruthError as error:
            raise VisionProblem(str(error)) from error
        if confusion is not None:
            save_picture(draw_confusion(report.confusion), confusion)
        if reliable is not None:
            save_picture(draw_reliability(reliability(report.said)), reliable)
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
    for low, high, count, mean, share in reliability(report.said):
        console.print(f"said {low:.0%} to {high:.0%} sure: {count} labels, {mean:.1%} on average, {share:.1%} right")


def find_layout(film: Path, layout: Path | None) -> Path:
    """Give the layout of a film: the one that is named, or `layout.toml` beside the film.

    Raises
    ------
    VisionProblem
        If there is none.
    """
    place = layout or film.parent / "layout.toml"
    if not place.is_file():
        raise VisionProblem(f"{place}: no layout for this film: give one with --layout, or run `referee calibrate`")
    return place


def bench_report(film: Path, layout: Path | None, seconds: float | None, as_json: bool) -> None:
    """Time the pipeline on a film and print the figures.

    Raises
    ------
    VisionProblem
        If the film, the layout or a model can't be used.
    """
    from ..layout import LayoutError, load_layout
    from .bench import bench_film

    with problems():
        if not film.is_file():
            raise VisionProblem(f"{film}: no such film: give another one, or make one with `referee simulate`")
        try:
            table = load_layout(find_layout(film, layout))
        except LayoutError as error:
            raise VisionProblem(str(error)) from error
        result = bench_film(film, table, seconds)
    if as_json:
        click.echo(json.dumps(result.as_json()))
        return
    console = Console(width=None if Console().is_terminal else 110)
    table_ = Table(title=f"{result.film}: {result.frames} frames, {result.fps:.1f} frames a second")
    table_.add_column("stage")
    table_.add_column("ms a frame", justify="right")
    for name, value in result.stages_ms.items():
        beside = " (in a thread beside)" if name == "decode" else " (judging included)" if name == "track" else ""
        table_.add_row(name + beside, f"{value:.2f}")
    console.print(table_)
    console.print(
        f"the detector ran on {result.passes_share:.0%} of the frames, {result.detect_pass_ms:.1f} ms each; "
        f"{result.crops_per_frame:.1f} cards read a frame"
    )
    console.print(f"baseline: {result.baseline}: {result.baseline_ms:.1f} ms a pass")
    console.print(f"judging a move: {result.judge_us:.1f} us; memory at most {result.memory_mb:.0f} MB")


def engine_report(as_json: bool) -> None:
    """Time the rules engine on random games and print the figures."""
    from .engine import bench_engine

    figures = bench_engine()
    if as_json:
        click.echo(json.dumps(figures))
    else:
        click.echo(f"{figures['moves']:.0f} moves judged and applied: {figures['us_per_move']:.1f} us each on one core")


def networks_report(as_json: bool) -> None:
    """Time the networks on drawn tables and print the figures.

    Raises
    ------
    VisionProblem
        If a model can't be used.
    """
    from ..vision.detector import YoloDetector
    from ..vision.identifier import CardReader
    from .networks import CROPS, bench_networks

    with problems():
        result = bench_networks(YoloDetector(), CardReader())
    if as_json:
        click.echo(json.dumps(result.as_json()))
        return
    console = Console(width=None if Console().is_terminal else 110)
    table = Table(title=f"a table of 1.2 x 0.9 m, {result.cards} drawn cards at least 75% visible")
    for title in ("detector", "ms a pass", "found", "false"):
        table.add_column(title, justify="left" if title == "detector" else "right")
    view, large = ("x".join(map(str, size)) for size in (result.view_px, result.baseline_px))
    table.add_row(f"at {view} px", f"{result.detect_ms:.1f}", f"{result.found:.1%}", f"{result.false:.1%}")
    table.add_row(
        f"at {large} px (baseline)", f"{result.baseline_ms:.1f}", f"{result.baseline_found:.1%}",
        f"{result.baseline_false:.1%}",
    )  # fmt: skip
    console.print(table)
    console.print(
        f"{result.baseline_ms / result.detect_ms:.1f} times as fast; {CROPS} crops in {result.crops_ms:.1f} ms"
    )
