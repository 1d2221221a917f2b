"""A table with cards, things, arms and lamps as solid bodies of Mitsuba's."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...game.cards import Back, Face
from ...vision.frames import Image
from ..art import ArtStyle, draw_back, draw_face
from ..surfaces import KINDS, surface
from .arm import ALONG, AROUND, Capsule, Person
from .laid import Points, Rng

Shapes = dict[str, Any]

_DETAIL = 5.0
"""Scale of the prints in px/mm."""


def draw_print(side: Face | Back, style: ArtStyle) -> Image:
    """Draw one side of a card, (H, W, 4) BGRA."""
    return draw_face(side, style, _DETAIL) if isinstance(side, Face) else draw_back(side, style, _DETAIL)


def rgb(value: Any) -> Shapes:
    """Describe a colour, linear RGB 0..1, to Mitsuba."""
    return {"type": "rgb", "value": [float(part) for part in value]}


def two_sided(nested: Shapes) -> Shapes:
    """Give a material both sides."""
    return {"type": "twosided", "nested": nested}


def skin(who: Person) -> Shapes:
    """Give somebody's skin as a material."""
    return two_sided({"type": "principled", "base_color": rgb(who.skin), "roughness": 0.5})


def cloth(who: Person) -> Shapes:
    """Give somebody's sleeve as a material."""
    return two_sided({"type": "diffuse", "reflectance": rgb(who.sleeve)})


def grid_faces(count: int, rows: int, columns: int) -> npt.NDArray[np.int64]:
    """Give the triangles (N, 3) of so many grids of points, one after the other."""
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    below = corner + columns
    one = np.concatenate([np.stack([corner, below, corner + 1], 1), np.stack([corner + 1, below, below + 1], 1)])
    return np.concatenate([one + n * rows * columns for n in range(count)])


def smooth_normals(points: Points, faces: npt.NDArray[np.int64]) -> Points:
    """Give each point (N, 3) the mean direction of its triangles."""
    normals = np.zeros_like(points)
    first, second, third = points[faces[:, 0]], points[faces[:, 1]], points[faces[:, 2]]
    sides = np.cross(second - first, third - first)
    for k in range(3):
        np.add.at(normals, faces[:, k], sides)
    return normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)


def mesh_values(points: Points, faces: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[np.float32]]:
    """Give what Mitsuba wants to know of a mesh that was moved."""
    return {
        "vertex_positions": points.astype(np.float32).ravel(),
        "vertex_normals": smooth_normals(points, faces).astype(np.float32).ravel(),
    }


class Bodies:
    """A scene being built for Mitsuba: shapes by name, cards first."""

    def __init__(self, mi: Any, rng: Rng) -> None:
        self.mi, self.rng = mi, rng
        self.shapes: Shapes = {}

    def mesh(
        self, name: str, points: Points, size: tuple[int, int], material: Shapes, uv: Points | None = None
    ) -> None:
        """Add bent grids of points, (N, 3) mm, each of `size` rows and columns, as one body; `uv` is (N, 2)."""
        mi, faces = self.mi, grid_faces(len(points) // (size[0] * size[1]), *size)
        properties = mi.Properties()
        properties["bsdf"] = mi.load_dict(material)
        counts = {"vertex_count": len(points), "face_count": len(faces)}
        mesh = mi.Mesh(name, **counts, props=properties, has_vertex_normals=True, has_vertex_texcoords=uv is not None)
        values = mi.traverse(mesh)
        for key, value in mesh_values(points, faces).items():
            values[key] = value
        values["faces"] = faces.astype(np.uint32).ravel()
        if uv is not None:
            values["vertex_texcoords"] = uv.astype(np.float32).ravel()
        values.update()
        self.shapes[name] = mesh

    def picture(self, image: Image) -> Shapes:
        """Make a texture of a BGR picture."""
        return {"type": "bitmap", "bitmap": self.mi.Bitmap(np.ascontiguousarray(image[..., 2::-1]))}

    def print_material(self, print_: Image, roughness: float) -> Shapes:
        """Make a card's material of its print (H, W, 4) BGRA, cut where alpha is 0."""
        paper = {"type": "principled", "base_color": self.picture(print_), "roughness": roughness, "specular": 0.5}
        alpha = np.ascontiguousarray(print_[..., 3:].astype(np.float32) / 255)
        cut = {"type": "bitmap", "bitmap": self.mi.Bitmap(alpha), "raw": True}
        return {"type": "mask", "opacity": cut, "nested": two_sided(paper)}

    def add_table(self, kind: str = "") -> None:
        """Add the table top, of a kind of `surfaces` or of any, and the floor below it."""
        rng, transform = self.rng, self.mi.ScalarTransform4f()
        half = rng.uniform(700, 1100)
        print_ = surface(kind or str(rng.choice(KINDS)), (2048, 2048), 1.0, rng)
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
            "bsdf": {"type": "diffuse", "reflectance": rgb(rng.uniform(0.1, 0.5, 3))},
        }

    def add_things(self) -> None:
        """Add cups, telephones, sheets of paper, bowls and boxes."""
        rng, transform = self.rng, self.mi.ScalarTransform4f()
        for n in range(int(rng.integers(0, 5))):
            x, y, turn = rng.uniform(-600, 600), rng.uniform(-380, 380), rng.uniform(0, 360)
            material = {"type": "principled", "base_color": rgb(rng.uniform(0.02, 0.9, 3)), "roughness": 0.3}
            at = transform.translate([x, y, 0.2]).rotate([0, 0, 1], turn)
            kind = int(rng.integers(5))
            if kind == 0:
                radius, high = float(rng.uniform(32, 45)), float(rng.uniform(70, 110))
                cup = {"type": "cylinder", "p0": [x, y, 0.0], "p1": [x, y, high], "radius": radius}
                self.shapes[f"cup{n}"] = cup | {"bsdf": two_sided(material)}
                inside = transform.translate([x, y, 0.85 * high]).scale(radius)
                coffee = {"type": "diffuse", "reflectance": rgb((0.12, 0.06, 0.02))}
                self.shapes[f"coffee{n}"] = {"type": "disk", "to_world": inside, "bsdf": coffee}
            elif kind == 1:
                material |= {"base_color": rgb((0.02, 0.02, 0.02)), "roughness": 0.1}
                self.shapes[f"telephone{n}"] = {"type": "cube", "to_world": at.scale([36, 75, 4]), "bsdf": material}
            elif kind == 2:
                size = [rng.uniform(40, 110), rng.uniform(50, 150), 1]
                paper = {"type": "diffuse", "reflectance": rgb([rng.uniform(0.7, 0.95)] * 3)}
                self.shapes[f"sheet{n}"] = {"type": "rectangle", "to_world": at.scale(size), "bsdf": paper}
            elif kind == 3:
                radius = rng.uniform(50, 100)
                middle = np.array([x, y, 0.3 * radius])
                bowl = Capsule(middle, middle + (0.01, 0, 0), radius, flat=0.35)
                self.mesh(f"bowl{n}", bowl.points(), (ALONG, AROUND), two_sided(material))
            else:
                size = [rng.uniform(20, 60), rng.uniform(20, 90), rng.uniform(5, 20)]
                self.shapes[f"box{n}"] = {"type": "cube", "to_world": at.scale(size), "bsdf": material}

    def add_arm(self, name: str) -> None:
        """Add somebody's arm that reaches over the table from beyond the rim."""
        rng, who = self.rng, Person.sample(self.rng)
        around, tip = rng.uniform(0, 2 * np.pi), np.array([rng.uniform(-300, 300), rng.uniform(-200, 200)])
        shoulder = np.array([np.cos(around), np.sin(around)]) * 900
        for n, part in enumerate(who.arm(tip, rng.uniform(2, 40), shoulder, bool(rng.random() < 0.5))):
            self.mesh(f"{name}part{n}", part.points(), (ALONG, AROUND), cloth(who) if part.sleeve else skin(who))

    def add_light(self) -> None:
        """Add the room's light and a lamp, a window, both, ceiling lamps or a spotlight."""
        rng, transform = self.rng, self.mi.ScalarTransform4f()

        def tinted(low: float, high: float) -> Points:
            white = rng.uniform(low, high)
            return np.array([1, 0.78 + 0.22 * white, 0.5 + 0.5 * white])

        def panel(name: str, at: Any, toward: Any, size: tuple[float, float], radiance: Points) -> None:
            place = transform.look_at(origin=list(at), target=list(toward), up=[0.01, 1, 0.02]).scale([*size, 1])
            emitter = {"type": "area", "radiance": rgb(radiance)}
            self.shapes[name] = {"type": "rectangle", "to_world": place, "emitter": emitter}

        self.shapes["room"] = {"type": "constant", "radiance": rgb(tinted(0.5, 1.1) * rng.uniform(0.08, 0.45))}
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
            bright = rgb(tinted(0.1, 0.9) * rng.uniform(2e6, 6e6))
            angle = rng.uniform(25, 45)
            self.shapes["spot"] = {"type": "spot", "to_world": place, "intensity": bright, "cutoff_angle": angle}
