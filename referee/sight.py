"""How well the camera sees the table, in figures and in words: scale, light, focus, what lies outside the picture.

Looks at pictures and layouts, knows no game. Every sentence says what to do.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from .game.moves import PileId, PileKind
from .layout import TableLayout
from .vision.calibrate import LEAST_PX_PER_MM, px_per_mm
from .vision.frames import Image
from .vision.geometry import card_quad, inside, picture_from_mm

LEAST_FOCUS = 0.45
"""Of 30 photographs and films in focus none had less than 0.50; blurred by 1 to 5 px (sigma) all had 0.42 or less."""
DARK, BRIGHT = 0.18, 0.85
GLARE_SHARE = 0.04
"""So much of the picture may be burnt out: white paper edges and a window's strip stay below it."""

_PILES = {PileKind.POST: "Post Pile", PileKind.BLITZ: "Blitz Pile", PileKind.WOOD: "Wood Pile"}


def pile_words(pile: PileId) -> str:
    """Say which pile: `seat 3's Post Pile 2`."""
    slot = f" {pile.slot}" if pile.kind is PileKind.POST else ""
    return f"seat {pile.seat}'s {_PILES[pile.kind]}{slot}"


def measure_scale(layout: TableLayout, width_px: int) -> dict[str, float]:
    """Give pixels of a millimetre at each part of the table, in pictures of this width."""
    ratio = width_px / layout.image_size_px[0]
    return {name: scale * ratio for name, scale in px_per_mm(layout).items()}


def measure_light(image: Image) -> tuple[float, float]:
    """Give the mean brightness of a picture, 0..1, and the share of it that is burnt out."""
    gray = cv2.cvtColor(image[::4, ::4], cv2.COLOR_BGR2GRAY)
    return float(gray.mean()) / 255, float((gray >= 252).mean())


def measure_focus(image: Image) -> float:
    """Compare the contrast of fine lines with that of lines twice as coarse, at two scales: the worse of the two.

    A lens out of focus takes the fine lines away first. 4 ms for 1080p.
    """
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    spreads = []
    for _ in range(3):
        spreads.append(float(cv2.meanStdDev(cv2.Laplacian(gray, cv2.CV_16S))[1][0][0]))
        gray = cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    fine, middle, coarse = spreads
    if coarse < 1.0:
        # An empty table without grain has no lines to judge by.
        return 1.0
    return min(fine / max(middle, 1e-6), middle / coarse)


def find_layout_problems(layout: TableLayout, width_px: int) -> Iterator[str]:
    """Give what is wrong with where things lie in pictures of this width."""
    width, height = layout.image_size_px
    dutch = np.array(layout.dutch_mm)
    for pile, pose in layout.poses().items():
        corners = picture_from_mm(layout, card_quad(pose, layout.card_mm))
        if (corners < 0).any() or (corners > (width, height)).any():
            yield f"{pile_words(pile)} is outside the picture: aim the camera again, or move its zone"
        elif inside(dutch, np.array([[pose.x_mm, pose.y_mm]]))[0]:
            yield f"{pile_words(pile)} lies among the Dutch Piles: draw the two zones apart"
    corners = picture_from_mm(layout, dutch)
    if (corners < 0).any() or (corners > (width, height)).any():
        yield "a part of the Dutch area is outside the picture: aim the camera again, or make the area smaller"
    scales = measure_scale(layout, width_px)
    name = min(scales, key=scales.__getitem__)
    if scales[name] < LEAST_PX_PER_MM:
        yield (
            f"numerals are too small at {'the ' if name == 'middle' else ''}{name}: {scales[name]:.1f} px/mm, "
            f"{LEAST_PX_PER_MM} are needed: bring the camera closer or choose a higher resolution"
        )


def find_picture_problems(light: float, burnt: float, focus: float) -> Iterator[str]:
    """Give what is wrong with a picture's light and focus."""
    if light < DARK:
        yield "the picture is dark: switch on a lamp"
    elif light > BRIGHT:
        yield "the picture is too bright: dim the light, or lower the camera's exposure"
    elif burnt > GLARE_SHARE:
        yield "a lamp or window mirrors in the table: move it, or draw a curtain"
    if light >= DARK and focus < LEAST_FOCUS:
        yield "the picture is not sharp: focus the camera, or wipe its lens"
