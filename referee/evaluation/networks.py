"""How fast the shipped networks are, and what speed costs: the detector on its view, beside a plain one at 960 px.

The baseline is the same nano network in single precision, trained by the same recipe. Both are given the same drawn
tables, of art, tables and light that training never saw.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from ..synth.scene import Scene, SceneSpec, make_scene
from ..vision.detector import Found, YoloDetector
from ..vision.frames import Image
from ..vision.geometry import VIEW_PX_PER_MM
from ..vision.identifier import CardReader, cut_crop
from .cards import match_cards
from .truth import TrueCard

BASELINE_PX = 960
CROPS = 40
_TABLE_MM = (1200, 900)
_PASSES = 30
_SCENES = 40
_SEED = 40_000_000
_LEAST_VISIBLE = 0.75
_CARD_MM = 57.0


@dataclass(frozen=True, slots=True)
class NetworkResult:
    """What was measured: milliseconds (medians) and shares of the true cards at least 75% visible.

    Parameters
    ----------
    detect_ms, baseline_ms
        One pass with its pre- and post-processing, on the view and at 960 px.
    found, baseline_found
        Share of the cards that were found.
    false, baseline_false
        Boxes without a card, as a share of the cards.
    crops_ms
        Forty crops read, one way up.
    """

    view_px: tuple[int, int]
    baseline_px: tuple[int, int]
    cards: int
    detect_ms: float
    found: float
    false: float
    baseline_ms: float
    baseline_found: float
    baseline_false: float
    crops_ms: float

    def as_json(self) -> dict[str, Any]:
        """Give every figure, rounded, in a form that JSON takes."""
        return {
            "view_px": list(self.view_px),
            "baseline_px": list(self.baseline_px),
            "cards": self.cards,
            "detect_ms": round(self.detect_ms, 2),
            "baseline_ms": round(self.baseline_ms, 2),
            "times_faster": round(self.baseline_ms / self.detect_ms, 2),
            "found": round(self.found, 4),
            "baseline_found": round(self.baseline_found, 4),
            "false": round(self.false, 4),
            "baseline_false": round(self.baseline_false, 4),
            "crops": CROPS,
            "crops_ms": round(self.crops_ms, 2),
        }


def draw_tables(count: int) -> list[Scene]:
    """Draw tables of 1.2 x 0.9 m as a camera of 960 px sees them, all held out from training."""
    width = BASELINE_PX
    height = round(width * _TABLE_MM[1] / _TABLE_MM[0] / 32) * 32
    card_px = _CARD_MM * width / _TABLE_MM[0]
    spec = SceneSpec(
        width_px=(width, width),
        height_px=(height, height),
        table=1.0,
        photo=0.0,
        empty=0.0,
        table_card_px=(card_px, card_px),
        table_tilt_deg=(0.0, 0.0),
        lens=0.0,
        ordinary=0.0,
        heldout=True,
    )
    return [make_scene(spec, _SEED + number) for number in range(count)]


def median_ms(work: Callable[[], object], times: int = _PASSES) -> float:
    """Time some work; the first time, which compiles networks, doesn't count."""
    work()
    spent = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        spent.append((time.perf_counter() - begin) * 1e3)
    return float(np.median(spent))


def _count(found: Sequence[Found], scene: Scene, scale: float) -> tuple[int, int, int]:
    """Count the true cards of a scene that is `scale` times as large, those of them found, and the false ones."""
    quads = [quad for quad, _, _ in found]
    true = [TrueCard((card.quad_px + 0.5) * scale, True, None, None, card.visible) for card in scene.cards]
    clear = [card for card in true if card.visible >= _LEAST_VISIBLE]
    pairs = match_cards(quads, [*clear, *(card for card in true if card.visible < _LEAST_VISIBLE)])
    hits = sum(i < len(clear) for i in pairs)
    return len(clear), hits, len(quads) - len(pairs)


def bench_networks(detector: YoloDetector, reader: CardReader, scenes: int = _SCENES) -> NetworkResult:
    """Run both networks on drawn tables and time them."""
    tables = draw_tables(scenes)
    plain = YoloDetector(detector.network.path, detector.confidence, precision="f32")
    scale = VIEW_PX_PER_MM * _TABLE_MM[0] / BASELINE_PX
    height, width = tables[0].image.shape[:2]
    size = round(width * scale), round(height * scale)

    def shrink(image: Image) -> Image:
        return cv2.resize(image, size, interpolation=cv2.INTER_AREA)

    small = np.sum([_count(detector.detect(shrink(table.image)), table, scale) for table in tables], axis=0)
    large = np.sum([_count(plain.detect(table.image), table, 1.0) for table in tables], axis=0)
    table = tables[0]
    view = shrink(table.image)
    quads = [card.quad_px + 0.5 for card in table.cards]
    crops = [cut_crop(table.image, quads[n % len(quads)]) for n in range(CROPS)]
    return NetworkResult(
        view_px=size,
        baseline_px=(width, height),
        cards=int(small[0]),
        detect_ms=median_ms(lambda: detector.detect(view)),
        found=float(small[1] / small[0]),
        false=float(small[2] / small[0]),
        baseline_ms=median_ms(lambda: plain.detect(table.image)),
        baseline_found=float(large[1] / large[0]),
        baseline_false=float(large[2] / large[0]),
        crops_ms=median_ms(lambda: reader.scores(crops, both_ways=False)),
    )
