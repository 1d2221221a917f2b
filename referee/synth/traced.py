"""Photographs of tables by another renderer: path-traced with Mitsuba 3, with exact truth. For measuring, not training.

What our own renderer gets wrong the networks learn as well, and its held-out scenes don't show it. Here light, shadows,
gloss, depth of field, bent cards, things and hands are solid bodies in another program's hands; only the prints (those
that training never sees) and the tables' patterns are drawn by us.

    pip install -e '.[traced]'
    python -m referee.synth.traced runs/traced --count 40     # writes pictures and cards.json
    referee evaluate cards runs/traced

It takes half a minute a picture with LLVM 16 or newer (`--variant llvm_ad_rgb`; Debian: libllvm19; `DRJIT_LIBLLVM_PATH`
where it isn't found), many minutes without (`scalar_rgb`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import numpy.typing as npt

from ..game.cards import BACKS, FACES, Back, Face
from ..vision.frames import Image
from .art import ArtStyle, draw_back, draw_face
from .surfaces import KINDS, surface

Rng = np.random.Generator
Points = npt.NDArray[np.float64]
Shapes = dict[str, Any]

SORTS = ("game", "game", "heap", "few")
_DETAIL = 5.0
"""Scale of the prints in px/mm."""
_COLUMNS, _ROWS = 7, 9
_THICK_MM = 0.32
_FILL = 0.985
"""Share of a card's rectangle that its round corners leave."""
_RANDOM = 99


@dataclass(frozen=True, slots=True, eq=False)
class LaidCard:
    """A card on the table.

    Parameters
    ----------
    side
        What lies up.
    x_mm, y_mm, z_mm
        Where; y grows away from the camera's lower edge, z upward.
    turn
        Radians.
    bend_mm
        How far its short ends, its long edges and two of its corners stand up.
    """

    side: Face | Back
    x_mm: float
    y_mm: float
    z_mm: float
    turn: float
    bend_mm: tuple[float, float, float]

    def points(self, size_mm: tuple[float, float]) -> Points:
        """Give the grid of its surface, (ROWS * COLUMNS, 3) mm, from its own top left."""
        u, v = np.meshgrid(np.linspace(-0.5, 0.5, _COLUMNS), np.linspace(0.5, -0.5, _ROWS))
        x, y = u * size_mm[0], v * size_mm[1]
        ends, edges, corners = self.bend_mm
        z = 4 * (ends * v**2 + edges * u**2 + corners * u * v)
        c, s = np.cos(self.turn), np.sin(self.turn)
        return np.stack(
            [self.x_mm + c * x - s * y, self.y_mm + s * x + c * y, self.z_mm + z - min(0.0, z.min())], -1
        ).reshape(-1, 3)


def lay(sort: str, rng: Rng) -> list[LaidCard]:
    """Lay cards as in a game, in a heap of backs, or a few anywhere."""
    bent = rng.uniform(0, 1)
    decks = rng.permutation(len(BACKS))[: rng.integers(2, 7)]
    cards: list[LaidCard] = []

    def face() -> Face:
        return FACES[rng.integers(len(FACES))]

    def back() -> Back:
        return BACKS[rng.choice(decks)]

    def put(side: Face | Back, x: float, y: float, z: float, turn: float) -> None:
        ends, edges, corners = np.abs(rng.normal(0, bent, 2)).tolist() + [rng.normal(0, bent / 3)]
        cards.append(LaidCard(side, x, y, z, turn, (ends, edges, corners)))

    def pile(sides: list[Face | Back], x: float, y: float, turn: float, slip: float = 2.0, twist: float = 0.05) -> None:
        for n, side in enumerate(sides):
            z = _THICK_MM * (n + 1)
            put(side, x + rng.normal(0, slip), y + rng.normal(0, slip), z, turn + rng.normal(0, twist))

    if sort == "heap":
        for n in range(int(rng.integers(15, 60))):
            side = back() if rng.random() < 0.9 else face()
            put(side, rng.normal(0, 170), rng.normal(0, 120), 0.3 + 0.25 * n, rng.uniform(0, 2 * np.pi))
    elif sort == "few":
        for n in range(int(rng.integers(4, 25))):
            side = back() if rng.random() < 0.4 else face()
            put(side, rng.uniform(-420, 420), rng.uniform(-260, 260), 0.3 + 0.05 * n, rng.uniform(0, 2 * np.pi))
    else:
        seats, reach = int(rng.integers(2, 7)), (rng.uniform(380, 520), rng.uniform(280, 360))
        for seat in range(seats):
            around = 2 * np.pi * seat / seats + rng.uniform(-0.1, 0.1)
            middle = np.array([reach[0] * np.cos(around), reach[1] * np.sin(around)])
            turn = float(np.arctan2(-middle[1], -middle[0]) - np.pi / 2)
            along, posts = np.array([np.cos(turn), np.sin(turn)]), int(rng.integers(3, 6))
            step = rng.uniform(66, 80)
            for n in range(posts):
                at = middle + along * (n - (posts - 1) / 2) * step
                pile([face() for _ in range(rng.integers(1, 4))], *at, turn + rng.normal(0, 0.05))
            at = middle + along * (posts + 1) / 2 * 74
            pile([face() for _ in range(rng.integers(1, 9))], *at, turn + rng.normal(0, 0.06))
            if rng.random() < 0.7:
                at = middle - along * (posts + 1) / 2 * 74
                pile([BACKS[decks[seat % len(decks)]]] * 4, *at, turn + rng.normal(0, 0.1))
        for _ in range(int(rng.integers(2, 10))):
            x, y = rng.uniform(-230, 230), rng.uniform(-150, 150)
            if all(np.hypot(x - card.x_mm, y - card.y_mm) > 105 for card in cards):
                slip, twist = rng.uniform(1, 6), rng.uniform(0.03, 0.25)
                pile([face() for _ in range(rng.integers(1, 6))], x, y, rng.uniform(0, 2 * np.pi), slip, twist)
    return cards


def _rgb(value: Any) -> Shapes:
    return {"type": "rgb", "value": [float(part) for part in value]}


def _two_sided(nested: Shapes) -> Shapes:
    return {"type": "twosided", "nested": nested}


class _Stage:
    """A scene being built for Mitsuba: shapes by name, cards first."""

    def __init__(self, mi: Any, rng: Rng) -> None:
        self.mi, self.rng = mi, rng
        self.shapes: Shapes = {}

    def mesh(self, name: str, points: Points, rows: int, columns: int, material: Shapes, uv: Points | None) -> None:
        """Add a bent grid of points."""
        mi = self.mi
        corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
        below = corner + columns
        faces = np.concatenate([np.stack([corner, below, corner + 1], 1), np.stack([corner + 1, below, below + 1], 1)])
        normals = np.zeros_like(points)
        sides = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
        for k in range(3):
            np.add.at(normals, faces[:, k], sides)
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
        properties = mi.Properties()
        properties["bsdf"] = mi.load_dict(material)
        mesh = mi.Mesh(
            name,
            len(points),
            len(faces),
            props=properties,
            has_vertex_normals=True,
            has_vertex_texcoords=uv is not None,
        )
        values = mi.traverse(mesh)
        values["vertex_positions"] = points.astype(np.float32).ravel()
        values["vertex_normals"] = normals.astype(np.float32).ravel()
        values["faces"] = faces.astype(np.uint32).ravel()
        if uv is not None:
            values["vertex_texcoords"] = uv.astype(np.float32).ravel()
        values.update()
        self.shapes[name] = mesh

    def picture(self, image: Image) -> Shapes:
        """Make a texture of a BGR picture."""
        return {"type": "bitmap", "bitmap": self.mi.Bitmap(np.ascontiguousarray(image[..., 2::-1]))}

    def add_cards(self, cards: list[LaidCard], style: ArtStyle) -> None:
        """Add all cards, their prints drawn, cut with round corners."""
        u, v = np.meshgrid(np.linspace(0, 1, _COLUMNS), np.linspace(0, 1, _ROWS))
        uv, gloss = np.stack([u, v], -1).reshape(-1, 2), self.rng.uniform(0.22, 0.6)
        materials: dict[Face | Back, Shapes] = {}
        for n, card in enumerate(cards):
            if card.side not in materials:
                if isinstance(card.side, Face):
                    print_ = draw_face(card.side, style, _DETAIL)
                else:
                    print_ = draw_back(card.side, style, _DETAIL)
                paper = {"type": "principled", "base_color": self.picture(print_), "roughness": gloss, "specular": 0.5}
                alpha = np.ascontiguousarray(print_[..., 3:].astype(np.float32) / 255)
                cut = {"type": "bitmap", "bitmap": self.mi.Bitmap(alpha), "raw": True}
                materials[card.side] = {"type": "mask", "opacity": cut, "nested": _two_sided(paper)}
            self.mesh(f"card{n:03}", card.points(style.size_mm), _ROWS, _COLUMNS, materials[card.side], uv)

    def add_table(self) -> None:
        """Add the table top and the floor below it."""
        rng, transform = self.rng, self.mi.ScalarTransform4f()
        half = rng.uniform(700, 1100)
        print_ = surface(str(rng.choice(KINDS)), (2048, 2048), 1.0, rng)
        self.shapes["table"] = {
            "type": "rectangle",
            "to_world": transform.scale([half, half * rng.uniform(0.6, 1), 1]),
            "bsdf": {
                "type": "principled",
                "base_color": self.picture(print_),
                "roughness": rng.uniform(0.25, 0.8),
                "specular": rng.uniform(0.2, 0.6),
            },
        }
        self.shapes["floor"] = {
            "type": "rectangle",
            "to_world": transform.translate([0, 0, -720]).scale([4000, 4000, 1]),
            "bsdf": {"type": "diffuse", "reflectance": _rgb(rng.uniform(0.1, 0.5, 3))},
        }

    def _ball(self, name: str, middle: Any, radii: tuple[float, float, float], turn: float, material: Shapes) -> None:
        u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 33), np.linspace(0, np.pi, 17))
        unit = np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], -1).reshape(-1, 3)
        c, s = np.cos(turn), np.sin(turn)
        points = (unit * radii) @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + np.asarray(middle)
        self.mesh(name, points, 17, 33, _two_sided(material), None)

    def _tube(self, name: str, start: Any, end: Any, radius: float, material: Shapes) -> None:
        ends = {"p0": [float(v) for v in start], "p1": [float(v) for v in end]}
        self.shapes[name] = {"type": "cylinder", **ends, "radius": radius, "bsdf": _two_sided(material)}

    def add_things(self) -> None:
        """Add cups, telephones, sheets of paper, bowls and boxes."""
        rng, transform = self.rng, self.mi.ScalarTransform4f()
        for n in range(int(rng.integers(0, 5))):
            x, y, turn = rng.uniform(-600, 600), rng.uniform(-380, 380), rng.uniform(0, 360)
            material = {"type": "principled", "base_color": _rgb(rng.uniform(0.02, 0.9, 3)), "roughness": 0.3}
            at = transform.translate([x, y, 0.2]).rotate([0, 0, 1], turn)
            kind = int(rng.integers(5))
            if kind == 0:
                radius, high = rng.uniform(32, 45), rng.uniform(70, 110)
                self._tube(f"cup{n}", (x, y, 0), (x, y, high), radius, material)
                inside = transform.translate([x, y, 0.85 * high]).scale(radius)
                coffee = {"type": "diffuse", "reflectance": _rgb((0.12, 0.06, 0.02))}
                self.shapes[f"coffee{n}"] = {"type": "disk", "to_world": inside, "bsdf": coffee}
            elif kind == 1:
                material |= {"base_color": _rgb((0.02, 0.02, 0.02)), "roughness": 0.1}
                self.shapes[f"telephone{n}"] = {"type": "cube", "to_world": at.scale([36, 75, 4]), "bsdf": material}
            elif kind == 2:
                size = [rng.uniform(40, 110), rng.uniform(50, 150), 1]
                paper = {"type": "diffuse", "reflectance": _rgb([rng.uniform(0.7, 0.95)] * 3)}
                self.shapes[f"sheet{n}"] = {"type": "rectangle", "to_world": at.scale(size), "bsdf": paper}
            elif kind == 3:
                radius = rng.uniform(50, 100)
                self._ball(f"bowl{n}", (x, y, 0.3 * radius), (radius, radius, 0.35 * radius), 0.0, material)
            else:
                size = [rng.uniform(20, 60), rng.uniform(20, 90), rng.uniform(5, 20)]
                self.shapes[f"box{n}"] = {"type": "cube", "to_world": at.scale(size), "bsdf": material}

    def add_hand(self, name: str) -> None:
        """Add a hand over the table, with its arm, bare or sleeved, from beyond the rim."""
        rng = self.rng
        around, tip = rng.uniform(0, 2 * np.pi), np.array([rng.uniform(-300, 300), rng.uniform(-200, 200)])
        shoulder = np.array([np.cos(around), np.sin(around)]) * 900
        ahead = (tip - shoulder) / np.linalg.norm(tip - shoulder)
        aside, high = np.array([-ahead[1], ahead[0]]), rng.uniform(18, 60)
        tone = np.clip(np.array([0.75, 0.5, 0.38]) * rng.uniform(0.25, 1.1), 0, 1)
        skin = {"type": "principled", "base_color": _rgb(tone), "roughness": 0.5}
        sleeve = {"type": "diffuse", "reflectance": _rgb(rng.uniform(0.03, 0.8, 3))}
        cuff = 300.0 if rng.random() < 0.4 else 120.0
        self._tube(f"{name}wrist", (*(tip - ahead * 60), high + 4), (*(tip - ahead * 280), high + 60), 27, skin)
        self._tube(
            f"{name}arm", (*(tip - ahead * cuff), high + cuff / 5), (*shoulder, high + 180), rng.uniform(38, 55), sleeve
        )
        turn = float(np.arctan2(ahead[1], ahead[0]))
        self._ball(f"{name}palm", (*(tip - ahead * 38), high), (52, 41, 17), turn, skin)
        for finger in range(4):
            spread = (finger - 1.5) * 0.12
            way = ahead * np.cos(spread) + aside * np.sin(spread)
            joints = [tip + aside * (finger - 1.5) * 19]
            for length in (rng.uniform(30, 42), rng.uniform(24, 34)):
                joints.append(joints[-1] + way * length)
            heights = (high, high - 2, max(9.0, high - 16))
            self._finger(f"{name}finger{finger}", joints, heights, 9.0, skin)
        root = tip - ahead * 55 + aside * 38
        self._finger(
            f"{name}thumb", [root, root + (ahead * 0.8 + aside * 0.6) * 50], (high - 4, max(10.0, high - 14)), 11, skin
        )

    def _finger(self, name: str, joints: list[Points], heights: tuple[float, ...], radius: float, skin: Shapes) -> None:
        for n in range(len(joints) - 1):
            start, end = (*joints[n], heights[n]), (*joints[n + 1], heights[n + 1])
            self._tube(f"{name}{n}", start, end, radius, skin)
            self._ball(f"{name}{n}end", end, (radius, radius, radius), 0.0, skin)

    def add_light(self) -> None:
        """Add the room's light and a lamp, a window, both, ceiling lamps or a spotlight."""
        rng, transform = self.rng, self.mi.ScalarTransform4f()

        def tinted(low: float, high: float) -> Points:
            white = rng.uniform(low, high)
            return np.array([1, 0.78 + 0.22 * white, 0.5 + 0.5 * white])

        def panel(name: str, at: Any, toward: Any, size: tuple[float, float], radiance: Points) -> None:
            place = transform.look_at(origin=list(at), target=list(toward), up=[0.01, 1, 0.02]).scale([*size, 1])
            emitter = {"type": "area", "radiance": _rgb(radiance)}
            self.shapes[name] = {"type": "rectangle", "to_world": place, "emitter": emitter}

        self.shapes["room"] = {"type": "constant", "radiance": _rgb(tinted(0.5, 1.1) * rng.uniform(0.08, 0.45))}
        sort = str(rng.choice(["lamp", "window", "both", "ceiling", "spot"]))
        if sort in ("lamp", "both"):
            x, y, size = rng.uniform(-500, 500), rng.uniform(-400, 400), rng.uniform(60, 200)
            bright = rng.uniform(50, 120) * (100 / size) ** 2
            panel("lamp", (x, y, rng.uniform(1300, 2000)), (x, y, 0), (size, size), tinted(0, 0.6) * bright)
        if sort in ("window", "both"):
            around = rng.uniform(0, 2 * np.pi)
            at = (2200 * np.cos(around), 2200 * np.sin(around), rng.uniform(400, 1100))
            panel("window", at, (0, 0, 0), tuple(rng.uniform(400, 900, 2)), tinted(0.9, 1.25) * rng.uniform(3, 10))
        if sort == "ceiling":
            for n in range(int(rng.integers(2, 5))):
                x, y = rng.uniform(-1500, 1500, 2)
                panel(f"tube{n}", (x, y, 2300), (x, y, 0), (300, 80), tinted(0.5, 1) * rng.uniform(8, 20))
        if sort == "spot":
            at = [*rng.uniform(-900, 900, 2), rng.uniform(900, 1600)]
            place = transform.look_at(origin=at, target=[*rng.uniform(-150, 150, 2), 0], up=[0, 1, 0.01])
            bright = _rgb(tinted(0.1, 0.9) * rng.uniform(2e6, 6e6))
            angle = rng.uniform(25, 45)
            self.shapes["spot"] = {"type": "spot", "to_world": place, "intensity": bright, "cutoff_angle": angle}


@dataclass(frozen=True, slots=True, eq=False)
class _Camera:
    """A camera above the table: its pose as Mitsuba's transform, field of view, and size of the picture."""

    pose: Any
    fov_deg: float
    size_px: tuple[int, int]

    @staticmethod
    def above(mi: Any, sort: str, size_px: tuple[int, int], rng: Rng) -> tuple[_Camera, float]:
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
        return _Camera(pose, fov, size_px), away

    def project(self, points: Points) -> Points:
        """Give where points (N, 3) mm are seen, (N, 2) px."""
        width, height = self.size_px
        focal = width / 2 / np.tan(np.radians(self.fov_deg / 2))
        seen = np.c_[points, np.ones(len(points))] @ np.linalg.inv(np.array(self.pose.matrix).reshape(4, 4)).T
        return np.stack([width / 2 - focal * seen[:, 0] / seen[:, 2], height / 2 - focal * seen[:, 1] / seen[:, 2]], 1)

    def sensor(self, kind: str, samples: int, seed: int, **lens: float) -> Shapes:
        """Describe it to Mitsuba."""
        film = {"type": "hdrfilm", "width": self.size_px[0], "height": self.size_px[1], "pixel_format": "rgb"}
        # Of the picture whose values are numbers of shapes nothing may be mixed.
        film["rfilter"] = {"type": "gaussian" if lens else "box"}
        sampler = {"type": "independent", "sample_count": samples, "seed": seed}
        return {"type": kind, "fov": self.fov_deg, "to_world": self.pose, "film": film, "sampler": sampler, **lens}


def develop(radiance: npt.NDArray[np.float32], rng: Rng) -> Image:
    """Make a camera's BGR picture of radiance (H, W, 3) RGB: exposure, white balance, tone, noise, blur."""
    image = radiance / max(float(np.percentile(radiance.mean(-1), rng.uniform(75, 96))), 1e-6) * rng.uniform(0.5, 0.95)
    image = image * np.clip(rng.normal(1, 0.07, 3), 0.8, 1.25)
    if rng.random() < 0.7:
        image = image * (1 + image / 2.2) / (1 + image)
    image = np.clip(image, 0, 1) ** (1 / 2.2) + rng.normal(0, rng.uniform(0.003, 0.02), image.shape)
    picture = np.ascontiguousarray((np.clip(image, 0, 1) * 255).astype(np.uint8)[..., ::-1])
    return cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.1)) if rng.random() < 0.3 else picture


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
    cards, stage = lay(sort, rng), _Stage(mi, rng)
    stage.add_cards(cards, style)
    stage.add_table()
    stage.add_things()
    for n in range(int(rng.integers(0, 2 if sort == "heap" else 4))):
        stage.add_hand(f"hand{n}")
    stage.add_light()
    camera, away = _Camera.above(mi, sort, size_px, rng)
    lens = {"aperture_radius": rng.uniform(0.3, 2.0), "focus_distance": away * rng.uniform(0.93, 1.05)}
    sensor = camera.sensor("thinlens", samples, seed, **lens)
    scene = mi.load_dict(
        {"type": "scene", "integrator": {"type": "path", "max_depth": 6}, **stage.shapes, "eye": sensor}
    )
    radiance = np.array(mi.render(scene, spp=samples, seed=seed))
    which = mi.load_dict({"type": "aov", "aovs": "shape:shape_index"})
    pinhole = mi.load_dict(camera.sensor("perspective", 1, 1))
    numbers = np.rint(np.array(mi.render(scene, sensor=pinhole, integrator=which, spp=1, seed=1))[..., -1]).astype(int)
    corners = [0, _COLUMNS - 1, _ROWS * _COLUMNS - 1, (_ROWS - 1) * _COLUMNS]
    quads = [camera.project(card.points(style.size_mm)[corners]) for card in cards]
    records = [
        {"quad": quad.round(1).tolist(), "label": str(card.side), "visible": round(share, 3)}
        for card, quad, share in zip(cards, quads, _visible(numbers, quads), strict=True)
    ]
    return develop(radiance, rng), records


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--count", default=40, show_default=True, type=click.IntRange(min=1))
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of the first picture.")
@click.option("--samples", default=48, show_default=True, type=click.IntRange(min=1), help="Paths a pixel.")
@click.option("--variant", default="llvm_ad_rgb", show_default=True, help="Of Mitsuba.")
def main(out: Path, count: int, seed: int, samples: int, variant: str) -> None:
    """Render COUNT tables to OUT, with cards.json."""
    out.mkdir(parents=True, exist_ok=True)
    truth = []
    for number in range(seed, seed + count):
        try:
            picture, cards = photograph(number, samples=samples, variant=variant)
        except ModuleNotFoundError as error:
            raise click.ClickException("Mitsuba is missing: pip install -e '.[traced]'") from error
        name = f"traced-{number:03}.jpg"
        cv2.imwrite(str(out / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
        truth.append({"image": name, "cards": cards})
        (out / "cards.json").write_text(json.dumps(truth), encoding="utf-8")
        click.echo(f"{name}: {len(cards)} cards")


if __name__ == "__main__":
    main()
