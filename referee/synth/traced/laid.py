"""Where cards lie on tables that are photographed by the other renderer: as in a game, in a heap, or a few anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...game.cards import BACKS, FACES, Back, Face

Rng = np.random.Generator
Points = npt.NDArray[np.float64]

SORTS = ("game", "game", "heap", "few")
COLUMNS, ROWS = 7, 9
"""Of the grid of points by which a card is bent."""
_THICK_MM = 0.32


def bent_card(
    size_mm: tuple[float, float], bend_mm: Sequence[float], at_mm: Sequence[float], turn: float, turned: float = 1.0
) -> Points:
    """Give the grid of a card's surface, (ROWS * COLUMNS, 3) mm, from its top left; its lowest point is at `at_mm`.

    Parameters
    ----------
    size_mm, bend_mm, turn
        As a `LaidCard` has them.
    turned
        Cosine of its turn about its long axis: 0 while it stands on its edge.
    """
    u, v = np.meshgrid(np.linspace(-0.5, 0.5, COLUMNS), np.linspace(0.5, -0.5, ROWS))
    ends, edges, corners = bend_mm
    x, y = u * size_mm[0] * abs(turned), v * size_mm[1]
    z = 4 * (ends * v**2 + edges * u**2 + corners * u * v) + u * size_mm[0] * np.sqrt(max(0.0, 1 - turned**2))
    c, s = np.cos(turn), np.sin(turn)
    grid = [at_mm[0] + c * x - s * y, at_mm[1] + s * x + c * y, at_mm[2] + z - min(0.0, z.min())]
    return np.stack(grid, -1).reshape(-1, 3)


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
        return bent_card(size_mm, self.bend_mm, (self.x_mm, self.y_mm, self.z_mm), self.turn)


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
