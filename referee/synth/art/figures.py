"""The small boy and girl in the corners of a face, in several drawings.

A figure stands in a frame one unit tall: the hat's top at y = -1, the feet at y = 0, x = 0 in the middle.
"""

from __future__ import annotations

import numpy as np

from ...game.cards import Figure
from .canvas import Bgr, Canvas, Points, chain, ellipse, place, rectangle, smooth

DRAWINGS = 4


def draw_figure(
    canvas: Canvas, figure: Figure, drawing: int, shape_seed: int, inks: tuple[Bgr, Bgr], matrix: Points
) -> None:
    """Draw a figure with its head toward the matrix's upper side.

    Parameters
    ----------
    drawing
        0 .. DRAWINGS - 1.
    shape_seed
        Varies the proportions.
    inks
        Dark and white.
    matrix
        From the unit frame to mm.
    """
    rng = np.random.default_rng([shape_seed, 11])
    (_girl if figure is Figure.GIRL else _boy)(canvas, drawing, rng, inks, matrix)


def _girl(canvas: Canvas, drawing: int, rng: np.random.Generator, inks: tuple[Bgr, Bgr], m: Points) -> None:
    dark, white = inks
    flare, waist = rng.uniform(0.2, 0.3), rng.uniform(0.06, 0.1)
    hip = rng.uniform(-0.5, -0.42)
    hem = [(flare, -0.08), (flare * 0.5, -0.03), (0, -0.06), (-flare * 0.5, -0.02), (-flare, -0.07)]
    skirt = smooth([(-waist, hip), (waist, hip), (flare * 0.75, hip / 2), *hem, (-flare * 0.75, hip / 2)])
    if drawing == 0:
        canvas.fill(skirt, dark, m)
        canvas.fill(
            smooth([(-0.07, -1), (0.06, -0.98), (0.07, -0.62), (0.1, hip - 0.02), (-0.06, hip - 0.04)]), dark, m
        )
        lean = rng.uniform(0.04, 0.12)
        canvas.fill(
            smooth([(lean - 0.1, hip - 0.12), (lean + 0.1, hip - 0.1), (lean + 0.06, hip + 0.03), (lean - 0.09, hip)]),
            white,
            m,
        )
        canvas.fill(rectangle(0.05, 0.07, 0, -0.07, -0.03), dark, m)
        canvas.fill(rectangle(0.05, 0.07, 0, 0.07, -0.03), dark, m)
        return
    canvas.fill(skirt, dark, m)
    for side in (-1, 1):
        elbow = (side * rng.uniform(0.18, 0.28), hip - rng.uniform(0.02, 0.16))
        arm = smooth(
            [(side * 0.06, -0.68), elbow, (side * rng.uniform(0.08, 0.3), hip + rng.uniform(-0.06, 0.12))], False
        )
        canvas.stroke(arm, 0.07 * _scale(m), dark, m)
        canvas.fill(ellipse(side * 0.07, -0.02, 0.06, 0.03), dark, m)
    canvas.fill(smooth([(-0.1, -0.72), (0.1, -0.72), (waist + 0.02, hip), (-waist - 0.02, hip)]), dark, m)
    canvas.fill(ellipse(0, -0.85, 0.1, 0.13), dark, m)
    if drawing == 1:
        apron = [(-0.05, hip - 0.02), (0.05, hip - 0.02), (flare * 0.5, -0.16), (-flare * 0.5, -0.16)]
        canvas.fill(smooth(apron), white, m)
    elif drawing == 2:
        canvas.fill(smooth([(-0.1, -0.74), (0.1, -0.74), (0.0, -0.55)]), white, m)
        canvas.fill(ellipse(0, -0.83, 0.06, 0.07), white, m)
        canvas.fill(ellipse(0.3, hip + 0.1, 0.08, 0.06), dark, m)
    else:
        canvas.fill(ellipse(0.02, -0.83, 0.055, 0.075), white, m)
        canvas.fill(smooth([(-0.09, -0.72), (0.09, -0.72), (0.05, hip), (-0.05, hip)]), white, m)
        canvas.stroke(np.array([[-flare * 0.6, -0.14], [flare * 0.6, -0.14]]), 0.03 * _scale(m), white, m)


def _boy(canvas: Canvas, drawing: int, rng: np.random.Generator, inks: tuple[Bgr, Bgr], m: Points) -> None:
    dark, white = inks
    spread = rng.uniform(0.12, 0.26)
    hip = rng.uniform(-0.5, -0.42)
    leg = rng.uniform(0.08, 0.12)
    for side in (-1, 1):
        foot = side * spread
        canvas.fill(
            np.array([[side * 0.0, hip], [side * 0.12, hip], [foot + side * leg / 2, 0], [foot - side * leg / 2, 0]]),
            dark,
            m,
        )
        canvas.fill(ellipse(foot + side * 0.05, -0.015, 0.08, 0.035), dark, m)
    canvas.fill(np.array([[-0.11, hip - 0.04], [0.11, hip - 0.04], [0.09, hip + 0.12], [-0.09, hip + 0.12]]), dark, m)
    for side in (-1, 1):
        reach = rng.uniform(0.18, 0.34)
        hand = (side * reach, rng.uniform(-0.72, -0.44))
        arm = smooth([(side * 0.08, -0.7), (side * reach * 0.8, rng.uniform(-0.68, -0.54)), hand], False)
        canvas.stroke(arm, 0.09 * _scale(m), white if drawing != 3 else dark, m)
        canvas.fill(ellipse(*hand, 0.045, 0.045), dark if drawing == 1 else white, m)
    shirt = smooth([(-0.13, -0.72), (0.13, -0.72), (0.11, hip), (-0.11, hip)])
    canvas.fill(shirt, white, m)
    canvas.fill(ellipse(0, -0.83, 0.085, 0.1), white, m)
    if drawing in (0, 1):
        tilt = chain(m, place(0, -0.9, 1, rng.uniform(-12, 12)))
        canvas.fill(rectangle(rng.uniform(0.26, 0.36), 0.035, 0.015), dark, tilt)
        canvas.fill(rectangle(0.15, 0.09, 0.03, 0, -0.05), dark, tilt)
    elif drawing == 2:
        canvas.fill(ellipse(0, -0.88, 0.1, 0.09, 180, 360), dark, m)
    else:
        canvas.fill(smooth([(-0.13, -0.9), (0.0, -1), (0.13, -0.9), (0.2, -0.88), (-0.2, -0.88)]), dark, m)
    if drawing in (1, 2):
        for side in (-1, 1):
            canvas.stroke(np.array([[side * 0.06, -0.71], [side * 0.05, hip]]), 0.03 * _scale(m), dark, m)


def _scale(matrix: Points) -> float:
    return float(np.hypot(*matrix[:, 0]))
