"""Renders tables and rounds with Mitsuba.

    pip install -e '.[traced]'
    python -m referee.synth.traced tables runs/traced --count 12      # pictures and cards.json
    referee evaluate cards runs/traced
    python -m referee.synth.traced film runs/traced-film --seats 2    # film.mp4 and its truth
    referee evaluate plays runs/traced-film

It wants LLVM 16 or newer (Debian: libllvm19; `DRJIT_LIBLLVM_PATH` where it isn't found): a table takes half a minute on
two cores then; without (`--variant scalar_rgb`) many minutes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import cv2
from rich.progress import Progress

from ..film import sample_look, write_film
from ..rounds import play_round
from ..simulate import parse_size
from .film import TracedRenderer, straight_lens
from .tables import photograph


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        raise click.ClickException("Mitsuba is missing: pip install -e '.[traced]'") from error
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from error


@click.group()
def main() -> None:
    """Render what the networks and the following of moves are measured on."""


@main.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--count", default=40, show_default=True, type=click.IntRange(min=1))
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of the first picture.")
@click.option("--samples", default=48, show_default=True, type=click.IntRange(min=1), help="Paths a pixel.")
@click.option("--variant", default="llvm_ad_rgb", show_default=True, help="Of Mitsuba.")
def tables(out: Path, count: int, seed: int, samples: int, variant: str) -> None:
    """Render COUNT tables to OUT, with cards.json."""
    truth = []
    with _told():
        out.mkdir(parents=True, exist_ok=True)
        for number in range(seed, seed + count):
            picture, cards = photograph(number, samples=samples, variant=variant)
            name = f"traced-{number:03}.jpg"
            cv2.imwrite(str(out / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
            truth.append({"image": name, "cards": cards})
            (out / "cards.json").write_text(json.dumps(truth), encoding="utf-8")
            click.echo(f"{name}: {len(cards)} cards")


@main.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--seats", type=click.IntRange(2, 8), default=2, show_default=True, help="How many play.")
@click.option("--seed", type=click.IntRange(0), default=951, show_default=True, help="Same seed, same round.")
@click.option("--illegal", type=click.IntRange(0, 40), default=3, show_default=True, help="Illegal plays.")
@click.option("--longest", type=click.FloatRange(20), default=600.0, help="Deal again until it takes no more seconds.")
@click.option("--size", default="1280x720", show_default=True, metavar="WxH", help="Pixels of the film.")
@click.option("--fps", type=click.FloatRange(5, 60), default=10.0, show_default=True, help="Frames a second.")
@click.option("--samples", default=8, show_default=True, type=click.IntRange(min=1), help="Paths a pixel.")
@click.option("--variant", default="llvm_ad_rgb", show_default=True, help="Of Mitsuba.")
def film(
    out: Path, seats: int, seed: int, illegal: int, longest: float, size: str, fps: float, samples: int, variant: str
) -> None:
    """Film a round that bots play into the folder OUT, with its truth, as `referee simulate` does."""
    with _told(), Progress(transient=True) as bar:
        script = play_round(seed, seats, illegal, size_px=parse_size(size), length_s=(0.0, longest))
        look = sample_look(seed, heldout=True)
        script = straight_lens(script)
        task = bar.add_task(f"round of {script.end_s:.0f} s", total=1.0)
        renderer = TracedRenderer(script, look, samples, variant)
        write_film(script, out, renderer, fps, progress=lambda share: bar.update(task, completed=share))
    click.echo(f"{out}: {script.end_s:.0f} s, {len(script.played)} moves, Blitz by seat {script.winner}")


if __name__ == "__main__":
    main()
