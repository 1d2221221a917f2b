"""The four objects on the backs, each in several drawings."""

from .carriages import CARRIAGES
from .pails import PAILS
from .parts import Drawing, Part
from .plows import PLOWS
from .pumps import PUMPS

DRAWINGS: dict[str, tuple[Drawing, ...]] = {"pump": PUMPS, "pail": PAILS, "plow": PLOWS, "carriage": CARRIAGES}
"""Drawings of each symbol; training never sees the last one of each."""

__all__ = ["DRAWINGS", "Drawing", "Part"]
