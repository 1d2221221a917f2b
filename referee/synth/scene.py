"""One training picture of a table with its exact truth: `make_scene(spec, seed)`.

A scene is a table of players seen from above, a phone's photograph of a few cards, or clutter without any card.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from ..vision.frames import Image, Quad
from .arrange import Arranger
from .camera import look
from .compose import Composer
from .degrade import Degradation, degrade, metered
from .effects import strip_faults, strip_light, strip_spec
from .light import Light
from .stock import SEEDS_PER_BLOCK, stock_for

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SceneSpec:
    """What may be drawn; every pair is a lowest and a highest value.

    Parameters
    ----------
    width_px, height_px
        Of the picture; multiples of 32 are drawn.
    table, photo, count, empty
        Shares of the four sorts of scene: a game, a photograph of a few cards, decks spread to be counted, no card at
        all. They need not sum to 1.
    seats
        Players at a table.
    table_card_px, photo_card_px, count_card_px
        Width of a card in the middle of the picture.
    table_tilt_deg, photo_tilt_deg
        0 looks straight down.
    photo_cards
        Cards in a photograph.
    dutch_piles, pile_cards
        In the middle of a table.
    arms
        Arms over a table.
    clutter
        Kinds of things that lie about.
    ordinary
        Share of scenes with an ordinary deck.
    degrade
        Strength of the camera's faults: 0 is a perfect camera.
    lens
        Largest |k1| of the lens.
    heldout
        Only art and tables that training never sees, and in half of the scenes light that it never sees.
    without
        Which of `effects.EFFECTS` are left out.
    """

    width_px: tuple[int, int] = (640, 640)
    height_px: tuple[int, int] = (480, 640)
    table: float = 0.5
    photo: float = 0.4
    count: float = 0.0
    empty: float = 0.1
    seats: tuple[int, int] = (2, 8)
    table_card_px: Range = (18.0, 60.0)
    photo_card_px: Range = (25.0, 320.0)
    count_card_px: Range = (22.0, 110.0)
    table_tilt_deg: Range = (0.0, 45.0)
    photo_tilt_deg: Range = (0.0, 55.0)
    photo_cards: tuple[int, int] = (1, 12)
    dutch_piles: tuple[int, int] = (0, 14)
    pile_cards: tuple[int, int] = (1, 16)
    arms: tuple[int, int] = (0, 5)
    clutter: tuple[int, int] = (0, 9)
    ordinary: float = 0.4
    degrade: float = 1.0
    lens: float = 0.12
    heldout: bool = False
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class CardTruth:
    """One card as it really lies.

    Parameters
    ----------
    quad_px
        (4, 2) float32 px, clockwise from the card's own top left; corners as if they were not rounded.
    label
        `R7`, `10H`, `back:green-pump`; None for a design without a name.
    kind
        `face` or `back`.
    visible
        Share of the card that shows in this picture, 0..1.
    pile
        `d3`, `s2.post1`; None for a loose card.
    on_top
        No other card lies on any part of it.
    """

    quad_px: Quad
    label: str | None
    kind: str
    visible: float
    pile: str | None
    on_top: bool


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture and its truth.

    Parameters
    ----------
    image
        BGR uint8 (H, W, 3).
    cards
        Every card that was laid, from the bottom up, hidden ones too.
    px_from_mm
        (3, 3) float64, table mm to undistorted px.
    lens
        k1, k2 of the lens and, with `focal_px`, all that is needed to distort.
    ids
        (H, W) int16: 1 + index into `cards` of the card seen there, 0 table, -1 something else.
    """

    image: Image
    cards: tuple[CardTruth, ...]
    px_from_mm: npt.NDArray[np.float64]
    sort: str
    lens: tuple[float, float] = (0.0, 0.0)
    focal_px: float = 1.0
    ids: npt.NDArray[np.int16] = field(default_factory=lambda: np.zeros((1, 1), np.int16), repr=False)


def make_scene(spec: SceneSpec, seed: int) -> Scene:
    """Draw one scene: the same spec and seed give the same bytes.

    Art and surfaces are shared by the scenes of a block of seeds (see `stock`), so neighbouring seeds in one
    process are fast and seeds far apart have nothing in common.
    """
    rng = np.random.default_rng([seed, 77])
    spec = strip_spec(spec)
    stock = stock_for(seed // SEEDS_PER_BLOCK, spec.heldout, spec.without)
    shares = np.array([spec.table, spec.photo, spec.count, spec.empty], float)
    sort = str(rng.choice(["table", "photo", "count", "empty"], p=shares / shares.sum()))
    size = tuple(int(rng.integers(low // 32, high // 32 + 1)) * 32 for low, high in (spec.width_px, spec.height_px))
    flat = sort in ("table", "count")
    low, high = {"table": spec.table_card_px, "count": spec.count_card_px}.get(sort, spec.photo_card_px)
    card_px = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    scale = card_px / 60.0
    # Every value is drawn whether it is used or not, so that a changed spec changes nothing else.
    leans, bent = rng.random() < (0.55 if flat else 0.85), rng.random() < 0.4
    tilt = float(rng.uniform(*(spec.table_tilt_deg if flat else spec.photo_tilt_deg)))
    k1 = float(rng.uniform(-1, 0.5)) * spec.lens if bent else 0.0
    aim = (size[0] * float(rng.uniform(0.4, 0.6)), size[1] * float(rng.uniform(0.4, 0.6)))
    tilt = tilt if leans else 0.0
    camera = look(
        (size[0], size[1]),
        scale,
        # Webcams and telephones have 60 to 90 degrees; cut-outs and zooms less. The horizon stays out of the picture.
        fov_deg=min(float(rng.uniform(38, 90)), 2 * (80.0 - tilt)),
        tilt_deg=tilt,
        azimuth_deg=float(rng.uniform(0, 360)) if not flat or rng.random() < 0.3 else float(rng.normal(0, 3)),
        aim_px=aim,
        lens=(k1, -0.2 * k1),
        rectified=flat and rng.random() < 0.75,
    )
    light = Light.sample(rng, max(size) / scale)
    if spec.heldout:
        light = light.held_out(np.random.default_rng([seed, 79]))
    light = strip_light(light, spec.without)
    composer = Composer(camera, light, np.random.default_rng([seed, 78]))
    piles = Arranger(composer, stock, spec, seed).arrange(sort)
    image, ids = composer.finish()
    lit = spec.degrade > 0 and "light" not in spec.without
    gain = light.field((size[0], size[1]), rng) if lit else None
    faults = Degradation.sample(rng, card_px, spec.degrade) if spec.degrade > 0 else Degradation()
    faults = strip_faults(faults, spec.without)
    if spec.degrade > 0:
        faults = replace(faults, exposure=faults.exposure * metered(image, gain))
    image = degrade(image, faults, rng, gain)
    return Scene(image, read_truth(composer, ids, piles), camera.plane(), sort, camera.lens, camera.focal_px, ids)


def read_truth(composer: Composer, ids: npt.NDArray[np.int16], piles: dict[int, str]) -> tuple[CardTruth, ...]:
    """Give every card that was laid, from the bottom up, with its share that shows in the finished map of cards."""
    count = np.bincount(np.maximum(ids, 0).ravel(), minlength=len(composer.cards) + 1)
    return tuple(
        CardTruth(
            quad_px=composer.quad_px(ident),
            label=picture.label,
            kind=picture.kind,
            visible=min(1.0, float(count[ident]) / max(composer.area_px(ident), 1e-6)) if count[ident] else 0.0,
            pile=piles.get(ident),
            on_top=ident not in composer.covered,
        )
        for ident, (picture, _) in enumerate(composer.cards, 1)
    )
