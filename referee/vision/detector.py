"""Finds cards: a YOLO network with oriented boxes on a fixed-scale view, or at several scales on any photograph.

Its letterbox is the one that the network was trained with (grey 114, centred, bilinear): another one shifts boxes.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from .frames import Image, Quad
from .geometry import iou_matrix, overlap_area, quad_size, quads_from_boxes, signed_area, suppress
from .inference import DEFAULT_THREADS, ModelError, Network, find_models, number_from

Found = tuple[Quad, str, float]
Boxes = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32]]
"""Quads (N, 4, 2), scores (N,) and classes (N,)."""

_GREY = 114
_STRIDE_PX = 32
_CLASSES = ["face", "back"]

PHOTO_SIDES_PX = (384, 640, 800, 1024)
"""Sizes to which a photograph's longer side is brought, so that cards of 15 to 600 px look alike."""
_FIRST_SIDES = 2
_LARGEST_CARD_PX = 80.0
"""The larger sizes are for small cards: of large ones they find pips and halves."""
_MOST_ENLARGED = 2.5
"""At 1.5 cards of 15 px in a picture of 500 px were mostly missed."""


def letterbox(image: Image, size_px: tuple[int, int]) -> tuple[Image, float, int, int]:
    """Fit a picture into (width, height) as ultralytics does: (picture, scale, left border, upper border)."""
    height, width = image.shape[:2]
    scale = min(size_px[1] / height, size_px[0] / width)
    inner = max(round(width * scale), 1), max(round(height * scale), 1)
    if inner != (width, height):
        # Shrinking by more than half skips rows with bilinear interpolation; averaging keeps thin edges.
        method = cv2.INTER_AREA if scale < 0.5 else cv2.INTER_LINEAR
        image = cv2.resize(image, inner, interpolation=method)
    if inner == size_px:
        return image, scale, 0, 0
    free_x, free_y = (size_px[0] - inner[0]) / 2, (size_px[1] - inner[1]) / 2
    left, right = round(free_x - 0.1), round(free_x + 0.1)
    top, bottom = round(free_y - 0.1), round(free_y + 0.1)
    grey = (_GREY, _GREY, _GREY)
    return cv2.copyMakeBorder(image, top, bottom, left, right, cv2.BORDER_CONSTANT, value=grey), scale, left, top


def decode(output: npt.NDArray[np.float32], confidence: float) -> tuple[npt.NDArray[np.float32], ...]:
    """Read a network's output: boxes (N, 5: cx, cy, w, h, radians), scores (N,), classes (N,) over `confidence`.

    Takes both forms that ultralytics exports: (1, 4 + classes + 1, anchors) and, end to end, (1, N, 7).
    """
    table = output[0]
    if table.shape[0] == 4 + len(_CLASSES) + 1 and table.shape[1] > table.shape[0]:
        scores = table[4 : 4 + len(_CLASSES)]
        keep = np.flatnonzero(scores.max(axis=0) >= confidence)
        picked = table[:, keep]
        best = picked[4 : 4 + len(_CLASSES)].argmax(axis=0)
        boxes = np.concatenate([picked[:4], picked[-1:]]).T
        return boxes, picked[4 : 4 + len(_CLASSES)].max(axis=0), best.astype(np.float32)
    picked = table[table[:, 4] >= confidence]
    return np.concatenate([picked[:, :4], picked[:, 6:7]], axis=1), picked[:, 4], picked[:, 5]


class YoloDetector:
    """Finds cards with the shipped network, or with any other that has its form.

    Parameters
    ----------
    path
        The .onnx file; None takes the shipped one.
    confidence
        Least score of a card; None takes the one in the model's card.
    precision
        As `Network` takes it.

    Raises
    ------
    ModelError
        If the model can't be used.
    """

    def __init__(
        self, path: Path | None = None, confidence: float | None = None, threads: int = DEFAULT_THREADS,
        precision: str | None = None,
    ) -> None:  # fmt: skip
        self.network = Network(path or find_models() / "detector.onnx", threads=threads, precision=precision)
        card = self.network.card
        if card["classes"] != _CLASSES:
            raise ModelError(f"{self.network.path}: a wrong model: its classes are {card['classes']}, not {_CLASSES}")
        self.confidence = number_from(card, "confidence", 0.4) if confidence is None else confidence
        self.photo_confidence = max(self.confidence, number_from(card, "photo_confidence", self.confidence))
        self._overlap = number_from(card, "nms_iou", 0.5)

    def detect(self, image: Image, confidence: float | None = None) -> list[Found]:
        """Find the cards in a view of fixed scale, best first; its quads are px of that picture.

        Parameters
        ----------
        confidence
            Least score of a card; None takes the model's own.
        """
        least = self.confidence if confidence is None else confidence
        height, width = image.shape[:2]
        size = -(-width // _STRIDE_PX) * _STRIDE_PX, -(-height // _STRIDE_PX) * _STRIDE_PX
        quads, scores, classes = self._run(image, size, least)
        kept = suppress(quads, scores, self._overlap)
        return [(quads[i], _CLASSES[int(classes[i])], float(scores[i])) for i in kept]

    def detect_photo(
        self, image: Image, sides_px: tuple[int, ...] | None = None, confidence: float | None = None
    ) -> list[Found]:
        """Find the cards in any photograph, at several scales; best first, px of that picture.

        Parameters
        ----------
        sides_px
            Lengths to which the longer side is brought; by default those that suit the cards.
        confidence
            Least score of a card; None takes the model's own for photographs.
        """
        least = self.photo_confidence if confidence is None else confidence
        longest = max(image.shape[:2])
        every = PHOTO_SIDES_PX if sides_px is None else sides_px
        worthwhile = [side for side in every if side <= _MOST_ENLARGED * longest or side == min(every)]
        begun = len(worthwhile) if sides_px is not None else _FIRST_SIDES
        parts = [self._run_at(image, side, least) for side in worthwhile[:begun]]
        widths_px = [quad_size(quad)[0] for quads, _, _ in parts for quad in quads]
        largest = longest * _LARGEST_CARD_PX / float(np.median(widths_px)) if widths_px else np.inf
        parts += [self._run_at(image, side, least) for side in worthwhile[begun:] if side <= largest]
        quads, scores, classes = (np.concatenate(column) for column in zip(*parts, strict=True))
        kept = _merge(quads, scores, self._overlap)
        return [(quads[i], _CLASSES[int(classes[i])], float(scores[i])) for i in kept]

    def _run_at(self, image: Image, side_px: int, confidence: float) -> Boxes:
        """Look at a picture whose longer side is brought to a length."""
        scale = side_px / max(image.shape[:2])
        # Steps of two strides: each new shape has to be compiled, and photographs have many.
        step = 2 * _STRIDE_PX
        width, height = (max(step, -(-round(n * scale) // step) * step) for n in image.shape[1::-1])
        return self._run(image, (width, height), confidence)

    def _run(self, image: Image, size_px: tuple[int, int], confidence: float) -> Boxes:
        picture, scale, left, top = letterbox(image, size_px)
        output = next(iter(self.network(picture[None]).values()))
        if output.ndim != 3 or 7 not in output.shape[1:]:
            raise ModelError(f"{self.network.path}: a wrong model: its output is {output.shape}, not (1, 7, N)")
        boxes, scores, classes = decode(output, confidence)
        quads = (quads_from_boxes(boxes) - np.array([left, top], dtype=np.float32)) / np.float32(scale)
        return quads, scores, classes


def _merge(quads: npt.NDArray[np.float32], scores: npt.NDArray[np.float32], limit: float) -> list[int]:
    """Keep the best of overlapping quads; drop what lies wholly inside a better one (pips, a half of a card)."""
    kept = suppress(quads, scores, limit)
    if len(kept) < 2:
        return kept
    overlap = iou_matrix(quads[kept], quads[kept])
    areas = np.abs([signed_area(quads[i]) for i in kept])
    result: list[int] = []
    for n, i in enumerate(kept):
        swallowed = any(
            overlap[n, m] > 0 and overlap_area(quads[i], quads[j]) > 0.85 * areas[n] and areas[n] < 0.6 * areas[m]
            for m, j in enumerate(kept)
            if j in result
        )
        if not swallowed:
            result.append(i)
    return result


def refine_quad(gray: Image, quad: Quad, reach_px: float | None = None) -> Quad:
    """Move a quad's edges to the strongest straight gradient near them; unchanged where there is none.

    Along each edge 15 profiles are read across it, the step of each found to a fraction of a pixel, and a line fitted
    through them with outliers dropped twice. An edge without a clear step (a card of the table's colour, an arm over
    it) keeps its place.

    Parameters
    ----------
    gray
        uint8 (H, W).
    reach_px
        How far from the edge to look; by default a twelfth of the card's width.
    """
    edges = np.roll(quad, -1, axis=0) - quad
    lengths = np.linalg.norm(edges, axis=1)
    reach = float(np.clip(lengths.min() / 12 if reach_px is None else reach_px, 1.5, 40.0))
    offsets = np.arange(-reach, reach + 0.01, 0.5)
    along = np.linspace(0.15, 0.85, 15)
    starts = quad[:, None, :] + along[None, :, None] * edges[:, None, :]
    outward = np.stack([edges[:, 1], -edges[:, 0]], axis=1) / np.maximum(lengths, 1e-6)[:, None]
    samples = starts[:, :, None, :] + offsets[None, None, :, None] * outward[:, None, None, :]
    # A quad counts from the first pixel's outer corner, OpenCV's sampling from its middle.
    flat = samples.reshape(4 * len(along), len(offsets), 2).astype(np.float32) - np.float32(0.5)
    blurred = cv2.GaussianBlur(gray, (0, 0), 0.8) if gray.size < 4_000_000 else gray
    profiles = cv2.remap(blurred, flat, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    steps = np.abs(np.diff(profiles.reshape(4, len(along), len(offsets)).astype(np.float32), axis=2))
    # Beyond the edge other cards may begin: the nearer step is the likelier one.
    middles = (offsets[1:] + offsets[:-1]) / 2
    weighted = steps * np.exp(-0.5 * (middles / (0.6 * reach)) ** 2)
    best = weighted.argmax(axis=2)
    peak = np.take_along_axis(steps, best[:, :, None], axis=2)[:, :, 0]
    # An edge is spread over two or three samples: its middle is their centre of mass.
    around = np.clip(best[:, :, None] + np.arange(-2, 3), 0, len(middles) - 1)
    mass = np.take_along_axis(steps, around, axis=2)
    place = (mass * middles[around]).sum(axis=2) / np.maximum(mass.sum(axis=2), 1e-6)
    lines = []
    for side in range(4):
        point, direction = quad[side].astype(np.float64), edges[side] / max(lengths[side], 1e-6)
        strong = peak[side] > 6.0
        if strong.sum() >= 7:
            shift = place[side]
            keep = strong.copy()
            fit = np.zeros(2)
            for _ in range(3):
                fit = np.polyfit(along[keep], shift[keep], 1)
                error = np.abs(np.polyval(fit, along) - shift)
                keep = strong & (error < max(1.0, 2.0 * float(np.median(error[strong]))))
                if keep.sum() < 6:
                    break
            if keep.sum() >= 6 and np.abs(np.polyval(fit, [0.0, 1.0])).max() <= reach:
                begin = quad[side] + outward[side] * np.polyval(fit, 0.0)
                end = quad[side] + edges[side] + outward[side] * np.polyval(fit, 1.0)
                point, direction = begin.astype(np.float64), (end - begin) / max(lengths[side], 1e-6)
        lines.append((point, np.asarray(direction, dtype=np.float64)))
    corners = []
    for side in range(4):
        (p, u), (q, v) = lines[side - 1], lines[side]
        cross = u[0] * v[1] - u[1] * v[0]
        if abs(cross) < 0.2:
            return quad
        corners.append(p + u * ((q - p)[0] * v[1] - (q - p)[1] * v[0]) / cross)
    refined = np.array(corners, dtype=np.float32)
    moved = np.linalg.norm(refined - quad, axis=1).max()
    return refined if moved <= 2.5 * reach else quad
