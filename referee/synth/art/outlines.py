"""Takes digits and index letters out of font files: `python -m referee.synth.art.outlines FONT... > numerals.json`.

Only for whoever adds a typeface (needs fonttools, in the `dev` extra); nothing imports this at run time. Add the font's
copyright line to `numerals.OFL.txt`.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from .canvas import Points

CHARACTERS = "0123456789AJQK"
_TOLERANCE = 1.6
"""In thousandths of the em: a thirtieth of a millimetre on a card."""


def _bezier(knots: list[tuple[float, float]], steps: int = 6) -> list[tuple[float, float]]:
    """Sample a Bezier curve of any degree, without its first point (de Casteljau)."""
    sampled = []
    for t in np.linspace(0, 1, steps + 1)[1:]:
        points = np.array(knots, float)
        while len(points) > 1:
            points = points[:-1] + (points[1:] - points[:-1]) * t
        sampled.append((float(points[0][0]), float(points[0][1])))
    return sampled


def flatten(operations: list[tuple[str, tuple[Any, ...]]]) -> list[Points]:
    """Turn a glyph's pen strokes into polygons, (N, 2) in font units, y up."""
    contours: list[Points] = []
    current: list[tuple[float, float]] = []
    for name, args in operations:
        if name == "moveTo":
            current = [args[0]]
        elif name == "lineTo":
            current.append(args[0])
        elif name == "curveTo":
            current += _bezier([current[-1], *args])
        elif name == "qCurveTo":
            current += _quadratic(current, list(args))
        elif name in ("closePath", "endPath"):
            if len(current) > 2:
                contours.append(np.array(current, float))
            current = []
    return contours


def _quadratic(current: list[tuple[float, float]], args: list[Any]) -> list[tuple[float, float]]:
    """Sample TrueType's chain of quadratic curves, whose inner end points are implied."""
    if args[-1] is None:
        first, last = args[0], args[-2]
        start = ((first[0] + last[0]) / 2, (first[1] + last[1]) / 2)
        current.append(start)
        args = [*args[:-1], start]
    sampled: list[tuple[float, float]] = []
    at = current[-1]
    for i, control in enumerate(args[:-1]):
        following = args[i + 1]
        end = following if i == len(args) - 2 else ((control[0] + following[0]) / 2, (control[1] + following[1]) / 2)
        sampled += _bezier([at, control, end])
        at = end
    return sampled


def outlines_of(path: Path) -> dict[str, list[Any]]:
    """Read one font: each character's advance and flat contours in thousandths of the em, y down.

    Raises
    ------
    ValueError
        If the font lacks one of the characters.
    """
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.ttLib import TTFont

    font = TTFont(path)
    names, glyphs, unit = font.getBestCmap(), font.getGlyphSet(), 1000 / font["head"].unitsPerEm
    result: dict[str, list[Any]] = {}
    for char in CHARACTERS:
        if ord(char) not in names:
            raise ValueError(f"{path.name} has no '{char}': take another font")
        pen = DecomposingRecordingPen(glyphs)
        glyphs[names[ord(char)]].draw(pen)
        flat = [np.round(contour * (unit, -unit)).astype(np.int32) for contour in flatten(pen.value)]
        lean = [cv2.approxPolyDP(contour[:, None], _TOLERANCE, True).reshape(-1).tolist() for contour in flat]
        result[char] = [round(glyphs[names[ord(char)]].width * unit), *lean]
    return result


def main(paths: list[str]) -> int:
    """Write the outlines of all fonts as JSON to stdout, keyed by file name less what every web font's name has."""
    if not paths:
        print("usage: python -m referee.synth.art.outlines FONT...", file=sys.stderr)
        return 2
    keys = [re.sub("-(latin|400|normal)", "", Path(path).stem.lower()) for path in paths]
    fonts = {key: outlines_of(Path(path)) for key, path in zip(keys, paths, strict=True)}
    json.dump(fonts, sys.stdout, separators=(",", ":"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
