"""Effects that can be left out of scenes one by one, to find out what each is worth: `without: [hands]` in a recipe.

A scene without an effect is the same scene otherwise: the same table, cards and camera.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .degrade import Degradation
from .light import Light

if TYPE_CHECKING:
    from .scene import SceneSpec

EFFECTS = {
    "shadows": "no shadow of any card, thing or arm",
    "hands": "no arms and hands",
    "clutter": "nothing lies about",
    "light": "even neutral light: no fall-off, no patches of sun, no colour, no gloss on cards",
    "faults": "a perfect camera: no blur, noise, wrong exposure, compression",
    "printings": "Dutch Blitz faces of the classic family only",
    "backs": "backs of the eight decks only",
    "ordinary": "no ordinary 52-card decks",
    "photos": "no photographs of a few cards, games seen from above only",
    "counts": "no decks spread out to be counted",
    "negatives": "no pictures without cards",
    "tables": "plain wooden tables only",
    "tilt": "the camera looks straight down",
}
"""What is missing without each."""


def strip_spec(spec: SceneSpec) -> SceneSpec:
    """Give a spec whose numbers say what its `without` leaves out."""
    gone = set(spec.without)
    if "hands" in gone:
        spec = replace(spec, arms=(0, 0))
    if "clutter" in gone:
        spec = replace(spec, clutter=(0, 0))
    if "ordinary" in gone:
        spec = replace(spec, ordinary=0.0)
    if "photos" in gone:
        spec = replace(spec, photo=0.0)
    if "counts" in gone:
        spec = replace(spec, count=0.0)
    if "negatives" in gone:
        spec = replace(spec, empty=0.0)
    if "tilt" in gone:
        spec = replace(spec, table_tilt_deg=(0.0, 0.0), photo_tilt_deg=(0.0, 0.0))
    return spec


def strip_light(light: Light, gone: tuple[str, ...]) -> Light:
    """Give a light without what is left out."""
    if "shadows" in gone:
        light = replace(light, depth=0.0)
    if "light" in gone:
        light = replace(light, glint_mm=None)
    return light


def strip_faults(faults: Degradation, gone: tuple[str, ...]) -> Degradation:
    """Give a camera without the faults that are left out."""
    return Degradation(exposure=faults.exposure) if "faults" in gone else faults
