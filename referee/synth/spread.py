"""Cards spread out to be counted, with their exact number: `make_spread(spec, seed)`.

The Dutch cards of a round are turned over and pushed apart by hand: rows, loose heaps, all askew, each card at least
half in sight. Large ones come as several pictures, each of another heap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..game.cards import FACES, Back
from .camera import look
from .compose import Composer
from .degrade import Degradation, degrade, metered
from .heap import choose_poses
from .light import Light
from .scene import Scene, read_truth
from .shapes import CARD_MM, Placed, corners_mm
from .stock import SEEDS_PER_BLOCK, CardPicture, Stock, card_picture, stock_for

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class SpreadSpec:
    """What may be drawn; every pair is a lowest and a highest value.

    Parameters
    ----------
    decks
        Decks on the table.
    cards
        Cards of each deck.
    most_cards
        In one picture; more are photographed as further heaps.
    width_px, height_px
        Of a picture.
    visible
        Least share of each card that stays in sight.
    room
        Area of the heap's place for each area of a card: 0.75 is as dense as half-covered cards get, 2 is loose.
    rows, aligned
        Shares of heaps in rows and of heaps whose cards all lie one way; the others are loose.
    tilt_deg
        0 looks straight down.
    faces
        Share of the cards that lie face up: they can't be counted and must be turned over.
    clutter
        Things that lie about.
    degrade
        Strength of the camera's faults.
    heldout
        Only art and tables that training never sees.
    """

    decks: tuple[int, int] = (2, 8)
    cards: tuple[int, int] = (10, 40)
    most_cards: int = 80
    width_px: int = 2048
    height_px: int = 1536
    visible: float = 0.5
    room: tuple[float, float] = (0.8, 1.6)
    rows: float = 0.25
    aligned: float = 0.25
    tilt_deg: tuple[float, float] = (0.0, 20.0)
    faces: float = 0.0
    clutter: tuple[int, int] = (0, 2)
    degrade: float = 0.6
    heldout: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Pictures of one count and what lies in them.

    Parameters
    ----------
    scenes
        Each shows other cards.
    counts
        Cards of each design that lie face down: by label, or `other-N` for a design without a name.
    faces
        Cards that lie face up.
    samples
        One picture of a single card of each design, by the same names: what `enroll` looks at.
    """

    scenes: tuple[Scene, ...]
    counts: Mapping[str, int]
    faces: int
    samples: Mapping[str, Scene]


def make_spread(spec: SpreadSpec, seed: int, backs: tuple[CardPicture, ...] | None = None) -> Spread:
    """Draw one spread: the same spec, seed and backs give the same bytes.

    Parameters
    ----------
    backs
        Designs to take instead of the ones of this seed's printing.
    """
    rng = np.random.default_rng([seed, 91])
    stock = stock_for(seed // SEEDS_PER_BLOCK, spec.heldout)
    count = int(rng.integers(spec.decks[0], spec.decks[1] + 1))
    style = int(rng.integers(len(stock.styles)))
    designs = list(backs[:count]) if backs else stock.backs(style, count, rng)
    cards: list[tuple[CardPicture, str | None]] = []
    counts: Counter[str] = Counter()
    for n, design in enumerate(designs):
        name = Back.parse(design.label).deck if design.label else f"other-{n + 1}"
        for _ in range(int(rng.integers(spec.cards[0], spec.cards[1] + 1))):
            if rng.random() < spec.faces:
                cards.append((stock.face(style, FACES[rng.integers(len(FACES))]), None))
            else:
                cards.append((design, name))
                counts[name] += 1
    order = rng.permutation(len(cards))
    parts = -(-len(cards) // spec.most_cards)
    heaps = [[cards[i] for i in order[part::parts]] for part in range(parts)]
    scenes = tuple(_photograph(spec, stock, [picture for picture, _ in heap], rng) for heap in heaps)
    single = replace(spec, room=(2.0, 2.0), clutter=(0, 0), width_px=960, height_px=736, tilt_deg=(0, 10))
    samples = {}
    for n, design in enumerate(designs):
        name = Back.parse(design.label).deck if design.label else f"other-{n + 1}"
        samples[name] = _photograph(single, stock, [design], rng)
    return Spread(scenes, dict(counts), len(cards) - sum(counts.values()), samples)


def _photograph(spec: SpreadSpec, stock: Stock, pictures: list[CardPicture], rng: Rng) -> Scene:
    """Lay one heap and take its picture."""
    size = pictures[0].size_mm
    shares = {"loose": 1 - spec.rows - spec.aligned, "aligned": spec.aligned, "rows": spec.rows}
    laid = choose_poses(
        rng, len(pictures), size, spec.visible, float(rng.uniform(*spec.room)), spec.width_px / spec.height_px, shares
    )
    points = np.concatenate([corners_mm(size, *pose) for pose in laid])
    low, high = points.min(0), points.max(0)
    wide, tall = (high - low) + 2 * rng.uniform(25, 90)
    scale = float(min(spec.width_px / wide, spec.height_px / tall, 5.0))
    tilt = float(rng.uniform(*spec.tilt_deg))
    scale *= 1 - tilt / 120
    camera = look(
        (spec.width_px, spec.height_px),
        scale,
        fov_deg=float(rng.uniform(45, 70)),
        tilt_deg=tilt,
        azimuth_deg=float(rng.normal(0, 4)),
        lens=(float(rng.uniform(-0.05, 0.02)), 0.0),
    )
    light = Light.sample(rng, spec.width_px / scale)
    composer = Composer(camera, light, rng)
    composer.ground(stock.surface(int(rng.integers(1000)), scale), float(rng.uniform(0, 360)))
    middle = (low + high) / 2
    _strew(spec, composer, rng, (high - low) / 2)
    for level, (picture, (x, y, angle)) in enumerate(zip(pictures, laid, strict=True)):
        bend = float(rng.normal(0, 2)) if rng.random() < 0.1 else 0.0
        # In a spread heap a card lies on two or three others at most.
        height = CARD_MM * (1 + level % 4)
        composer.card(picture, Placed(x - middle[0], y - middle[1], angle, height, bend_mm=bend))
    image, ids = composer.finish()
    gain = light.field((spec.width_px, spec.height_px), rng) if spec.degrade > 0 else None
    if spec.degrade > 0:
        faults = Degradation.sample(rng, scale * size[0] * 0.6, spec.degrade)
        faults = replace(faults, exposure=faults.exposure * metered(image, gain))
        image = degrade(image, faults, rng, gain)
    truth = read_truth(composer, ids, {})
    return Scene(image, truth, camera.plane(), "spread", camera.lens, camera.focal_px, ids)


def _strew(spec: SpreadSpec, composer: Composer, rng: Rng, reach: npt.NDArray[np.float64]) -> None:
    """Lay a few things beside the heap."""
    from . import clutter

    for _ in range(int(rng.integers(spec.clutter[0], spec.clutter[1] + 1))):
        side = rng.choice([-1.0, 1.0], 2)
        x, y = side * reach * rng.uniform(0.9, 1.2, 2)
        item = clutter.thing(
            str(rng.choice(clutter.KINDS)), float(np.clip(composer.camera.px_per_mm((0.0, 0.0)) * 1.3, 0.3, 5.0)), rng
        )
        composer.thing(item, float(x), float(y), float(rng.uniform(0, 360)))


def other_backs(pictures: list[npt.NDArray[np.uint8]], size_mm: tuple[float, float]) -> tuple[CardPicture, ...]:
    """Make card pictures of other people's backs, BGRA uint8."""
    return tuple(card_picture(picture, size_mm, None, "back") for picture in pictures)
