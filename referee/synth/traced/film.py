"""A played round as the other renderer films it: `film.Renderer` with solid hands, real shadows and bent cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from ...game.cards import BACKS, FACES, Back, Face
from ...game.moves import PileId
from ...vision.frames import Image
from ..look import Look
from ..play import CARD_THICKNESS_MM, Now, Script, Span
from ..seating import Camera
from ..sight import ARM, Ids, shoulder_mm
from .arm import ALONG, AROUND, PARTS, Capsule, Person
from .bodies import Bodies, Shapes, cloth, draw_print, grid_faces, mesh_values, skin
from .develop import Development
from .laid import COLUMNS, ROWS, Points, bent_card

_DEEPEST = 7
"""Cards of a pile that are drawn, from its top."""
_BELOW_MM = -500.0
_GAP_PX = 6
_ATLAS_COLUMNS = 8
_RANDOM = 98


class TracedRenderer:
    """Renders one script with Mitsuba.

    Parameters
    ----------
    script
        The round; its camera must have a straight lens.
    look
        Its prints and its table are used.
    samples
        Paths a pixel.
    variant
        Of Mitsuba.

    Raises
    ------
    ModuleNotFoundError
        Without Mitsuba.
    """

    def __init__(self, script: Script, look: Look, samples: int = 8, variant: str = "llvm_ad_rgb"):
        import mitsuba as mi

        mi.set_variant(variant)
        self.script, self.samples = script, samples
        self._render = mi.render
        rng = self._rng = np.random.default_rng([_RANDOM, look.seed])
        self._bends = np.abs(rng.normal(0, rng.uniform(0, 0.8), (len(script.cards), 3))) * (1, 1, 0.3)
        self._people = [Person.sample(rng) for _ in script.seating.places]
        self._atlas = _Atlas(script, look)
        self._cards = _Grids("cards", len(script.cards), (ROWS, COLUMNS))
        # Two arms each: one capsule is the sleeve, the others are skin.
        self._skins = [_Grids(f"skin{n}", 2 * (PARTS - 1), (ALONG, AROUND)) for n in range(len(self._people))]
        self._sleeves = [_Grids(f"sleeve{n}", 2, (ALONG, AROUND)) for n in range(len(self._people))]
        bodies = Bodies(mi, rng)
        bodies.add_table(look.surface)
        bodies.add_light()
        paper = bodies.print_material(self._atlas.picture, float(rng.uniform(0.4, 0.65)))
        self._cards.add_to(bodies, paper, self._uv({}, 0.0))
        for person, skins, sleeves in zip(self._people, self._skins, self._sleeves, strict=True):
            skins.add_to(bodies, skin(person))
            sleeves.add_to(bodies, cloth(person))
        eye, path = _sensor(mi, script.seating.camera), {"type": "path", "max_depth": 2}
        self._scene = mi.load_dict({"type": "scene", "integrator": path, **bodies.shapes, "eye": eye})
        self._values = mi.traverse(self._scene)
        self._development: Development | None = None
        self._arms: list[Capsule] = []
        self._frame = 0

    def frame(self, now: Now) -> Image:
        """Render one frame."""
        shown = _shown(now)
        self._cards.move(self._values, self._card_points(now, shown))
        self._values["cards.vertex_texcoords"] = self._uv(shown, now.time_s).astype(np.float32).ravel()
        self._move_arms(now)
        self._values.update()
        self._frame += 1
        radiance = np.array(self._render(self._scene, spp=self.samples, seed=self._frame))
        if self._development is None:
            self._development = Development.sample(radiance, self._rng, (96.0, 99.0))
        return self._development.picture(radiance)

    def paint_arms(self, ids: Ids, now: Now) -> None:
        """Write the arms of the frame rendered last into a small picture of card numbers (see `sight`)."""
        camera = self.script.seating.camera
        shrink = round(camera.size_px[0] / ids.shape[1])
        for part in self._arms:
            points = part.points() * (1, -1, 1)
            outline = cv2.convexHull(camera.project(points[:, :2], points[:, 2]))
            cv2.fillConvexPoly(ids, np.rint(outline / shrink).astype(np.int32), ARM)

    def _card_points(self, now: Now, shown: dict[int, Span]) -> Points:
        points = self._cards.hidden()
        # What lies on a card presses it flat.
        free = {span.pile: span.card for span in now.resting}.values()
        for card, span in shown.items():
            pose, height, turned = span.at(now.time_s)
            bend = self._bends[card] if span.moves or card in free else np.zeros(3)
            at = pose.x_mm, -pose.y_mm, height + CARD_THICKNESS_MM
            points[card] = bent_card(self.script.seating.card_mm, bend, at, -np.radians(pose.angle_deg), turned)
        return points

    def _uv(self, shown: dict[int, Span], time_s: float) -> Points:
        """Give each card the print of the side that is up."""
        back = {card for card, span in shown.items() if span.at(time_s)[2] < 0}
        sides = (card.deck if n in back else card.face for n, card in enumerate(self.script.cards))
        return np.concatenate([self._atlas.cell(side) for side in sides])

    def _move_arms(self, now: Now) -> None:
        places = self.script.seating.places
        self._arms = []
        for seat, person in enumerate(self._people):
            skins, sleeves = self._skins[seat].hidden(), self._sleeves[seat].hidden()
            for stroke in now.strokes:
                if stroke.seat == seat + 1:
                    (x, y), low_mm = stroke.at(now.time_s)
                    root_x, root_y = shoulder_mm(places[seat], stroke.left)
                    sleeve, *bare = person.arm((x, -y), low_mm, (root_x, -root_y), stroke.left)
                    sleeves[int(stroke.left)] = sleeve.points()
                    skins[int(stroke.left) :: 2] = [part.points() for part in bare]
                    self._arms += [sleeve, *bare]
            self._skins[seat].move(self._values, skins)
            self._sleeves[seat].move(self._values, sleeves)


class _Grids:
    """Bent grids of points that move and are one body: what isn't seen is kept below the table."""

    def __init__(self, name: str, count: int, size: tuple[int, int]):
        self.name, self.count, self.size = name, count, size
        self._faces = grid_faces(count, *size)

    def hidden(self) -> Points:
        """Give the points (count, rows * columns, 3) mm of grids none of which is seen."""
        below = np.linspace(_BELOW_MM, _BELOW_MM - 1, self.count * self.size[0] * self.size[1])
        return (below[:, None] * (0, 0, 1)).reshape(self.count, -1, 3)

    def add_to(self, bodies: Bodies, material: Shapes, uv: Points | None = None) -> None:
        """Make them a body."""
        bodies.mesh(self.name, self.hidden().reshape(-1, 3), self.size, material, uv)

    def move(self, values: Any, points: Points) -> None:
        """Tell a scene's values where they are now."""
        for key, value in mesh_values(points.reshape(-1, 3), self._faces).items():
            values[f"{self.name}.{key}"] = value


class _Atlas:
    """All prints of a round in one picture, so that all cards are one body whose points move."""

    def __init__(self, script: Script, look: Look):
        decks = {card.deck for card in script.cards}
        sides: list[Face | Back] = [*FACES, *(back for back in BACKS if back.deck in decks)]
        prints = [draw_print(side, look.style) for side in sides]
        self._names = {side if isinstance(side, Face) else side.deck: n for n, side in enumerate(sides)}
        self._size = prints[0].shape[1] + _GAP_PX, prints[0].shape[0] + _GAP_PX
        rows = -(-len(sides) // _ATLAS_COLUMNS)
        self.picture = np.zeros((rows * self._size[1], _ATLAS_COLUMNS * self._size[0], 4), np.uint8)
        for n, print_ in enumerate(prints):
            y, x = (n // _ATLAS_COLUMNS) * self._size[1], (n % _ATLAS_COLUMNS) * self._size[0]
            self.picture[y : y + print_.shape[0], x : x + print_.shape[1]] = print_

    def cell(self, what: Face | str) -> Points:
        """Give where each point of a card's grid lies in the picture, (ROWS * COLUMNS, 2), 0..1."""
        number = self._names[what]
        width, height = self._size
        u = np.linspace(0, width - _GAP_PX, COLUMNS) + (number % _ATLAS_COLUMNS) * width
        v = np.linspace(0, height - _GAP_PX, ROWS) + (number // _ATLAS_COLUMNS) * height
        grid = np.meshgrid(u / self.picture.shape[1], v / self.picture.shape[0])
        return np.stack(grid, -1).reshape(-1, 2)


def _shown(now: Now) -> dict[int, Span]:
    """Give the cards that can be seen: the tops of all piles, and what moves."""
    piles: dict[PileId | None, list[Span]] = {}
    for span in now.resting:
        piles.setdefault(span.pile, []).append(span)
    top = [span for spans in piles.values() for span in spans[-_DEEPEST:]]
    return {span.card: span for span in (*top, *now.moving)}


def _sensor(mi: Any, camera: Camera) -> Shapes:
    """Describe a camera with a straight lens to Mitsuba, whose y grows away from the picture's lower edge."""
    width, height = camera.size_px
    focal, (x, y) = camera.matrix[0, 0], camera.matrix[:2, 2]
    flip = np.diag([1.0, -1.0, -1.0])  # table mm, height against z, to the renderer's axes and back
    pose = np.eye(4)
    # Its cameras look along z with x to the left and y up.
    pose[:3, :3] = np.diag([-1.0, -1.0, 1.0]) @ camera.rotation @ flip
    pose[:3, 3] = np.diag([-1.0, -1.0, 1.0]) @ camera.shift_mm
    film = {"type": "hdrfilm", "width": width, "height": height, "pixel_format": "rgb"}
    return {
        "type": "perspective",
        "fov": float(np.degrees(2 * np.arctan(width / 2 / focal))),
        "to_world": mi.ScalarTransform4f(np.linalg.inv(pose)),
        "principal_point_offset_x": 0.5 - float(x + 0.5) / width,
        "principal_point_offset_y": 0.5 - float(y + 0.5) / height,
        "film": film,
        "sampler": {"type": "independent"},
    }


def straight_lens(script: Script) -> Script:
    """Give the same round under a lens without distortion."""
    seating = script.seating
    return replace(script, seating=replace(seating, camera=replace(seating.camera, lens=(0.0, 0.0, 0.0, 0.0))))
