"""What `referee count` and `referee enroll` do; the command line only parses and prints."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ..audit import Count, add_counts, find_impossible
from ..decks import DeckError, LearntBack, format_decks, load_decks
from ..game.cards import FACES, ORDINARY_FACES
from ..layout import LayoutError, TableLayout, load_layout
from ..vision.commands import VisionProblem, expand, problems, save_picture
from ..vision.frames import Image
from ..vision.setup_commands import sample_frames
from ..vision.sources import SourceError, open_source, read_image
from .counter import CardCounter
from .drawing import draw_tally
from .enrolling import EnrollError, Hands, learn_hands, learn_one
from .flat import CARD_SIZES_MM
from .naming import check_distinct
from .tally import Tally


def to_record(name: str, tally: Tally, impossible: Sequence[str] = ()) -> dict[str, object]:
    """Give the JSON object of one picture, as `count --json` writes it; `impossible` says what can't be about it."""
    count = tally.count
    return {
        "image": name,
        "decks": dict(sorted(count.cards.items())),
        "unread": count.unread,
        "faces": count.faces,
        "sure": tally.sure and not impossible,
        "problems": list(impossible),
        "cards": [
            {
                "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in card.quad_px],
                "deck": card.deck,
                "face": card.face,
                "sure": card.sure,
            }
            for card in tally.cards
        ],
        "doubts": [
            {"outline": [[round(float(x), 1), round(float(y), 1)] for x, y in doubt.outline_px], "reason": doubt.reason}
            for doubt in tally.doubts
        ],
    }


def _decks_in_words(count: Count) -> str:
    names = [f"{deck} {number}" for deck, number in sorted(count.cards.items())]
    return ", ".join(names) if names else "no backs"


def _advice(tally: Tally) -> list[str]:
    """Say what a person should do so that it can be told."""
    count = tally.count
    said = []
    if count.faces:
        said.append(f"{count.faces} face up: turn over")
    if count.unread:
        said.append(f"{count.unread} of a back that no deck here has: look whose, or learn it with referee enroll")
    unsure = sum(not card.sure and card.deck is not None for card in tally.cards)
    if unsure:
        said.append(f"{unsure} not sure: move them apart")
    for doubt in tally.doubts:
        x, y = doubt.outline_px.mean(axis=0)
        said.append(f"at {x:.0f}, {y:.0f}: {doubt.reason}")
    return said


def count_pictures(paths: Sequence[Path], deck_files: Sequence[Path], as_json: bool, out: Path | None) -> Iterator[str]:
    """Count the cards of pictures, each of another heap, and give the lines to print.

    Raises
    ------
    VisionProblem
        If a picture, a deck file or a model can't be used, or no picture shows a card.
    """
    try:
        learnt = load_decks(deck_files)
        check_distinct(learnt)
    except DeckError as error:
        raise VisionProblem(str(error)) from error
    with problems():
        places = expand(paths)
        counter = CardCounter(learnt)
    most = _deck_size(learnt)
    counts: list[Count] = []
    sure = True
    empty: list[str] = []
    with problems():
        images = [read_image(place) for place in places]
        tallies = counter.count_heaps(images)
    for place, image, tally in zip(places, images, tallies, strict=True):
        if out is not None:
            with problems():
                save_picture(draw_tally(image, tally), out / place.name)
        if not tally.cards and not tally.doubts:
            empty.append(str(place))
        counts.append(tally.count)
        impossible = find_impossible(tally.count, most)
        sure = sure and tally.sure and not impossible
        if as_json:
            yield json.dumps(to_record(str(place), tally, impossible))
            continue
        yield f"{place}: {_decks_in_words(tally.count)}" + ("" if tally.sure and not impossible else "  (not sure)")
        yield from (f"  {line}" for line in (*_advice(tally), *impossible))
    if empty:
        raise VisionProblem(f"{', '.join(empty)}: no cards found: take the picture from above, so that they fill it")
    if len(places) == 1:
        return
    total = add_counts(counts)
    impossible = find_impossible(total, most)
    sure = sure and not impossible
    if as_json:
        yield json.dumps({"total": dict(sorted(total.cards.items())), "sure": sure, "problems": list(impossible)})
        return
    yield f"all {len(places)} heaps: {_decks_in_words(total)}" + ("" if sure else "  (not sure)")
    yield from (f"  {line}" for line in impossible)


def _deck_size(learnt: Sequence[LearntBack]) -> int:
    """Give how many cards a deck has: an ordinary one, which is broader, has more."""
    ordinary = any(deck.card_mm != CARD_SIZES_MM[0] for deck in learnt)
    return len(ORDINARY_FACES if ordinary else FACES)


def enroll_decks(source: str, out: Path, layout_file: Path | None, names: Sequence[str], at_s: float) -> Iterator[str]:
    """Learn backs: from the hands that lie before their owners when a layout is given, else from one card.

    Raises
    ------
    VisionProblem
        If the source or the layout can't be used, no back is seen, or two decks have the same back.
    """
    with problems():
        frames = _look(source, at_s)
        counter = CardCounter()
    missing: list[str] = []
    try:
        if layout_file is not None:
            layout = load_layout(layout_file)
            hands = learn_hands(counter, frames, layout)
            missing = list(_missing(hands, layout))
            if not hands.decks:
                raise EnrollError("no hand can be learnt:\n  " + "\n  ".join(missing))
            found = [replace(deck, name=name) for deck, name in _with_names(hands.decks, names, layout)]
        else:
            name = names[0] if names else out.stem
            found = [learn_one(counter, frames, name)]
        known = [deck for deck in _known(out) if not _replaces(found, deck)]
        check_distinct([*known, *found])
    except (EnrollError, DeckError, LayoutError) as error:
        raise VisionProblem(f"{source}: {error}") from error
    with problems():
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(format_decks([*known, *found]), encoding="utf-8")
    for deck in found:
        yield f"{deck.name}" + ("" if deck.seat is None else f": seat {deck.seat}")
    yield from missing
    total = len(known) + len(found)
    yield f"{out}: {total} deck" + ("" if total == 1 else "s")


def _replaces(found: Sequence[LearntBack], old: LearntBack) -> bool:
    """Tell whether an older deck is one of those that were learnt now: by its name, or as that seat's."""
    return any(new.name == old.name or (new.seat is not None and new.seat == old.seat) for new in found)


def _with_names(
    decks: Sequence[LearntBack], names: Sequence[str], layout: TableLayout
) -> Iterator[tuple[LearntBack, str]]:
    """Give each seat's deck with the name that was given for the seat, whatever other seats lack."""
    if len(names) > len(layout.seats):
        raise EnrollError(f"{len(names)} names for {len(layout.seats)} seats: give one --name for each seat")
    for deck in decks:
        number = deck.seat or 0
        yield deck, names[number - 1] if 0 < number <= len(names) else deck.name


def _missing(hands: Hands, layout: TableLayout) -> Iterator[str]:
    """Say of each seat whose back wasn't learnt what to do."""
    seen = {deck.seat for deck in hands.decks}
    for number, seat in enumerate(layout.seats, 1):
        if number in hands.cut_off:
            yield f"seat {number} ({seat.name}): the hand isn't wholly in sight: lay it in the picture and let go of it"
        elif number not in seen:
            yield f"seat {number} ({seat.name}): no back lies there: lay the hand face down before its owner"


def _known(path: Path) -> tuple[LearntBack, ...]:
    return load_decks([path]) if path.exists() else ()


def _look(source: str, at_s: float) -> list[Image]:
    """Give a picture, or a few frames of a film or camera."""
    path = Path(source)
    if path.is_file() and path.suffix.lower() in (".jpg", ".jpeg", ".png", ".bmp", ".webp"):
        return [read_image(path)]
    frames = sample_frames(open_source(source), at_s)
    if not frames:
        raise SourceError(f"{source}: it ends before {at_s:g} s: choose an earlier moment with --at")
    return frames
