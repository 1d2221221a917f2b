"""Photographs of single tables by the other renderer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from ...game.cards import Back, Face
from ...vision.frames import Image
from ..art import ArtStyle
from .bodies import Bodies, Shapes, draw_print
from .develop import Development
from .laid import COLUMNS, ROWS, SORTS, LaidCard, Points, Rng, lay

_FILL = 0.985
"""Share of a card's rectangle that its round corners leave."""
_RANDOM = 99


@dataclass(frozen=True, slots=True, eq=False)
class Eye:
    """A camera above the table: its pose as Mitsuba's transform, field of view, and size of the picture."""

    pose: Any
    fov_deg: float
    size_px: tuple[int, int]

    @staticmethod
    def above(mi: Any, sort: str, size_px: tuple[int, int], rng: Rng) -> tuple[Eye, float]:
        """Hang a camera up, nearly level over a game and any way over single cards; give its distance too."""
        tilt = min(0.75, np.radians(abs(rng.normal(0, 11 if sort == "game" else 16))))
        around, away = rng.uniform(0, 2 * np.pi), rng.uniform(*((900, 1800) if sort == "game" else (500, 1500)))
        middle = np.array([*rng.uniform(-40, 40, 2), 0.0])
        from_middle = np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
        width = rng.uniform(*((1050, 1500) if sort == "game" else (500, 1200)))
        fov = min(95.0, float(np.degrees(2 * np.arctan(width / 2 / away))))
        up = around + np.pi + (rng.uniform(-0.2, 0.2) if rng.random() < 0.7 else rng.uniform(0, 2 * np.pi))
        pose = mi.ScalarTransform4f().look_at(
            origin=list(middle + from_middle * away), target=list(middle), up=[np.cos(up), np.sin(up), 0.001]
        )
        return Eye(pose, fov, size_px), away

    def project(self, points: Points) -> Points:
        """Give where points (N, 3) mm are seen, (N, 2) px from the first pixel's outer corner (see `truth`)."""
        width, height = self.size_px
        focal = width / 2 / np.tan(np.radians(self.fov_deg / 2))
        seen = np.c_[points, np.ones(len(points))] @ np.linalg.inv(np.array(self.pose.matrix).reshape(4, 4)).T
        x, y = seen[:, 0] / seen[:, 2], seen[:, 1] / seen[:, 2]
        return np.stack([width / 2 - focal * x, height / 2 - focal * y], 1)

    def sensor(self, kind: str, samples: int, seed: int, **lens: float) -> Shapes:
        """Describe it to Mitsuba."""
        film = {"type": "hdrfilm", "width": self.size_px[0], "height": self.size_px[1], "pixel_format": "rgb"}
        # Of the picture whose values are numbers of shapes nothing may be mixed.
        film["rfilter"] = {"type": "gaussian" if lens else "box"}
        sampler = {"type": "independent", "sample_count": samples, "seed": seed}
        return {"type": kind, "fov": self.fov_deg, "to_world": self.pose, "film": film, "sampler": sampler, **lens}


def _visible(numbers: npt.NDArray[np.int64], quads: list[Points]) -> list[float]:
    """Give the share of each card that shows, from the number of the shape that each pixel shows.

    Cards are numbered in a row; with which number the row starts is what agrees with where they lie.
    """
    masks = []
    for quad in quads:
        mask = np.zeros(numbers.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.rint(quad).astype(np.int32), 1)
        masks.append(mask > 0)
    starts = range(int(numbers.min()) - len(quads), int(numbers.max()) + 1)
    first = max(starts, key=lambda start: sum(int((numbers[mask] == start + n).sum()) for n, mask in enumerate(masks)))
    shares = []
    for n, quad in enumerate(quads):
        area = abs(cv2.contourArea(quad.astype(np.float32))) * _FILL
        shares.append(min(1.0, float((numbers == first + n).sum()) / max(area, 1.0)))
    return shares


def _add_cards(bodies: Bodies, cards: list[LaidCard], style: ArtStyle) -> None:
    """Add all cards, their prints drawn, cut with round corners."""
    u, v = np.meshgrid(np.linspace(0, 1, COLUMNS), np.linspace(0, 1, ROWS))
    uv, roughness = np.stack([u, v], -1).reshape(-1, 2), bodies.rng.uniform(0.22, 0.6)
    materials: dict[Face | Back, Shapes] = {}
    for n, card in enumerate(cards):
        if card.side not in materials:
            materials[card.side] = bodies.print_material(draw_print(card.side, style), roughness)
        bodies.mesh(f"card{n:03}", card.points(style.size_mm), (ROWS, COLUMNS), materials[card.side], uv)


def photograph(
    seed: int, size_px: tuple[int, int] = (1280, 720), samples: int = 48, variant: str = "llvm_ad_rgb"
) -> tuple[Image, list[dict[str, Any]]]:
    """Render one table.

    Returns
    -------
    The picture (H, W, 3) uint8 BGR, and of each card `quad` px, `label` and `visible` (see `evaluation.truth`).

    Raises
    ------
    ModuleNotFoundError
        Without Mitsuba.
    """
    import mitsuba as mi

    mi.set_variant(variant)
    rng = np.random.default_rng([_RANDOM, seed])
    style, sort = ArtStyle.sample(rng, heldout=True), str(rng.choice(SORTS))
    cards, bodies = lay(sort, rng), Bodies(mi, rng)
    _add_cards(bodies, cards, style)
    bodies.add_table()
    bodies.add_things()
    for n in range(int(rng.integers(0, 2 if sort == "heap" else 4))):
        bodies.add_arm(f"arm{n}")
    bodies.add_light()
    camera, away = Eye.above(mi, sort, size_px, rng)
    lens = {"aperture_radius": rng.uniform(0.3, 2.0), "focus_distance": away * rng.uniform(0.93, 1.05)}
    sensor = camera.sensor("thinlens", samples, seed, **lens)
    scene = mi.load_dict(
        {"type": "scene", "integrator": {"type": "path", "max_depth": 6}, **bodies.shapes, "eye": sensor}
    )
    radiance = np.array(mi.render(scene, spp=samples, seed=seed))
    which = mi.load_dict({"type": "aov", "aovs": "shape:shape_index"})
    pinhole = mi.load_dict(camera.sensor("perspective", 1, 1))
    numbers = np.rint(np.array(mi.render(scene, sensor=pinhole, integrator=which, spp=1, seed=1))[..., -1]).astype(int)
    corners = [0, COLUMNS - 1, ROWS * COLUMNS - 1, (ROWS - 1) * COLUMNS]
    quads = [camera.project(card.points(style.size_mm)[corners]) for card in cards]
    records = [
        {"quad": quad.round(1).tolist(), "label": str(card.side), "visible": round(share, 3)}
        for card, quad, share in zip(cards, quads, _visible(numbers, quads), strict=True)
    ]
    return Development.sample(radiance, rng).picture(radiance), records
