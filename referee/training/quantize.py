"""Make an 8-bit copy of a network for the run-time: half the time, if it says the same.

Scales come from real inputs (static quantisation, one scale for each channel of the weights). The copy is kept only
when its score is within `TOLERANCE` of the original's, both measured with the run-time itself.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from ..vision.inference import Network
from .export import sha256, write_card

TOLERANCE = 0.002
"""A share right that is lower by more than this is too dear for speed."""

Pictures = npt.NDArray[np.uint8]


class _Inputs(CalibrationDataReader):
    """Feeds batches, uint8 (N, H, W, 3) BGR, as the network wants them."""

    def __init__(self, name: str, batches: Sequence[Pictures]) -> None:
        self._rest: Iterator[Pictures] = iter(batches)
        self._name = name

    def get_next(self) -> dict[str, npt.NDArray[np.float32]] | None:
        """Give the next batch, float32 (N, 3, H, W) RGB 0..1; None after the last."""
        batch = next(self._rest, None)
        if batch is None:
            return None
        return {self._name: np.ascontiguousarray(batch[..., ::-1].transpose(0, 3, 1, 2), dtype=np.float32) / 255.0}


def quantize(onnx: Path, out: Path, input_name: str, batches: Sequence[Pictures], keep: Sequence[str] = ()) -> None:
    """Write the 8-bit copy of a network.

    Parameters
    ----------
    batches
        Real inputs from which the ranges of all layers are taken.
    keep
        Names of nodes that stay in single precision.
    """
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        logging.getLogger().setLevel(logging.ERROR)  # it warns of each batch norm that can't be folded
        quant_pre_process(str(onnx), str(plain), skip_symbolic_shape=True)
        quantize_static(
            str(plain), str(out), _Inputs(input_name, batches), quant_format=QuantFormat.QDQ, per_channel=True,
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, nodes_to_exclude=list(keep),
        )  # fmt: skip


def add_int8(
    onnx: Path, input_name: str, batches: Sequence[Pictures], score: Callable[[Network], float],
    keep: Sequence[str] = (),
) -> dict[str, Any]:  # fmt: skip
    """Put an 8-bit copy beside a model and name it in the model's card, if it is as good; give what was measured.

    Parameters
    ----------
    score
        Gives the share, 0..1, that a network gets right.
    """
    copy = onnx.with_name(f"{onnx.stem}-int8.onnx")
    part = copy.with_suffix(".onnx.part")
    quantize(onnx, part, input_name, batches, keep)
    card = json.loads(onnx.with_suffix(".json").read_text(encoding="utf-8"))
    plain = {key: value for key, value in card.items() if key not in ("file", "sha256", "int8", "int8_refused")}
    write_card(onnx, plain)
    os.replace(part, copy)
    named = {"file": copy.name, "sha256": sha256(copy)}
    write_card(onnx, {**plain, "int8": named})
    full, small = score(Network(onnx, precision="f32")), score(Network(onnx))
    measured = {"score_f32": round(full, 4), "score_int8": round(small, 4)}
    if small < full - TOLERANCE:
        copy.unlink()
        write_card(onnx, {**plain, "int8_refused": measured})
    else:
        write_card(onnx, {**plain, "int8": {**named, **measured}})
    return measured
