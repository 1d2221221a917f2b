"""Runs a network on the CPU: OpenVINO, or ONNX Runtime where OpenVINO can't be had.

A network is an .onnx file with a JSON card beside it. The card's checksum is verified before anything runs,
so that a file cut short or exchanged is refused with the reason instead of giving nonsense.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import json
import os
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from .frames import Image

Outputs = dict[str, npt.NDArray[np.float32]]
Shape = tuple[int, int, int, int]

_MOST_SHAPES = 8
"""A compiled network of the detector's size takes 20 to 40 MB."""

DEFAULT_THREADS = max(1, min(4, os.cpu_count() or 1))


class ModelError(RuntimeError):
    """A model that can't be used; the message says which file, why, and what to do."""


class _Runner(Protocol):
    """A network compiled for one shape of batch."""

    def __call__(self, batch: npt.NDArray[np.uint8]) -> Outputs: ...


def find_models() -> Path:
    """Give the folder of the shipped models: `REFEREE_MODELS`, beside the package, or where pip puts data.

    Raises
    ------
    ModelError
        If there is none.
    """
    package = Path(str(importlib.resources.files("referee")))
    named = os.environ.get("REFEREE_MODELS")
    installed = Path(sys.prefix) / "share" / "referee" / "models"
    places = [Path(named)] if named else [package.parent / "models", installed]
    for place in places:
        if (place / "detector.json").is_file():
            return place
    raise ModelError(f"{places[-1]}: no models here: install referee again or set REFEREE_MODELS to their folder")


def read_card(path: Path) -> dict[str, Any]:
    """Read and check the JSON card that stands beside a model file.

    Raises
    ------
    ModelError
        If the model or its card is missing, or the file isn't the one that the card describes.
    """
    card_path = path.with_suffix(".json")
    again = "install referee again or copy the model and its .json once more"
    try:
        card = json.loads(card_path.read_text(encoding="utf-8"))
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{error.filename}: {error.strerror or error}: {again}") from error
    except ValueError as error:
        raise ModelError(f"{card_path}: not a JSON card ({error}): {again}") from error
    if not isinstance(card, dict) or not isinstance(card.get("sha256"), str) or "classes" not in card:
        raise ModelError(f"{card_path}: the card has no sha256 or no classes: {again}")
    if hashlib.sha256(data).hexdigest() != card["sha256"]:
        raise ModelError(f"{path}: damaged or another file than its card says ({len(data)} bytes): {again}")
    return card


def read_int8(path: Path, card: Mapping[str, Any]) -> Path | None:
    """Find and check the 8-bit copy of a model that its card names; None where it names none.

    Raises
    ------
    ModelError
        If the copy is missing or isn't the one that the card describes.
    """
    named = card.get("int8")
    if not isinstance(named, dict):
        return None
    copy = path.with_name(Path(str(named.get("file"))).name)
    again = "install referee again or copy the model and its .json once more"
    try:
        data = copy.read_bytes()
    except OSError as error:
        raise ModelError(f"{copy}: {error.strerror or error}: {again}") from error
    if hashlib.sha256(data).hexdigest() != named.get("sha256"):
        raise ModelError(f"{copy}: damaged or another file than {path.name}'s card says ({len(data)} bytes): {again}")
    return copy


def _cache_dir() -> str | None:
    import platformdirs

    path = Path(platformdirs.user_cache_dir("referee")) / "openvino"
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return str(path) if os.access(path, os.W_OK) else None


def _choose_runtime() -> str:
    try:
        import openvino  # noqa: F401
    except ImportError:
        return "onnxruntime"
    return "openvino"


class Network:
    """One network, compiled once for each shape of batch that it is given.

    Batches are uint8 (N, H, W, 3) BGR; scaling to 0..1 and the order RGB belong to the compiled graph.

    Parameters
    ----------
    outputs
        Names of outputs that it must have.
    runtime
        `openvino` or `onnxruntime`; None takes the first that is installed.
    precision
        `f32` for the original; None takes the 8-bit copy that the card names, if it names one.

    Raises
    ------
    ModelError
        If the file is missing, damaged, no network, or has other outputs than `outputs` names.
    """

    def __init__(
        self, path: Path, outputs: tuple[str, ...] = (), threads: int = DEFAULT_THREADS, runtime: str | None = None,
        precision: str | None = None,
    ) -> None:  # fmt: skip
        self.path = path
        self.card = read_card(path)
        self._file = path if precision == "f32" else read_int8(path, self.card) or path
        self._threads = threads
        self._runners: dict[Shape, _Runner] = {}
        self._lock = threading.Lock()
        self.runtime = runtime or _choose_runtime()
        self._session: Any = self._load()
        names = self._output_names()
        if missing := [name for name in outputs if name not in names]:
            raise ModelError(f"{path}: a wrong model: it has no output {', '.join(missing)}: use the shipped one")

    def _load(self) -> Any:
        try:
            if self.runtime == "onnxruntime":
                import onnxruntime

                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = self._threads
                return onnxruntime.InferenceSession(self._file, options, providers=["CPUExecutionProvider"])
            import openvino

            return openvino.Core().read_model(self._file)
        except ImportError as error:
            raise ModelError("no runtime for the networks: pip install openvino (or onnxruntime)") from error
        except Exception as error:
            reason = str(error).strip().splitlines()[-1] if str(error).strip() else type(error).__name__
            raise ModelError(f"{self.path}: no usable ONNX network ({reason}): install referee again") from error

    def _output_names(self) -> set[str]:
        if self.runtime == "onnxruntime":
            return {node.name for node in self._session.get_outputs()}
        return {name for port in self._session.outputs for name in port.get_names()}

    def _compile(self, shape: Shape) -> _Runner:
        if self.runtime == "onnxruntime":
            return self._onnx_runner()
        import openvino
        from openvino.preprocess import ColorFormat, PrePostProcessor

        model = self._session.clone()
        count, height, width, _ = shape
        model.reshape([count, 3, height, width])
        steps = PrePostProcessor(model)
        steps.input().tensor().set_element_type(openvino.Type.u8).set_layout(openvino.Layout("NHWC"))
        steps.input().tensor().set_color_format(ColorFormat.BGR)
        steps.input().model().set_layout(openvino.Layout("NCHW"))
        steps.input().preprocess().convert_element_type(openvino.Type.f32).convert_color(ColorFormat.RGB).scale(255.0)
        config: dict[str, Any] = {
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_NUM_THREADS": self._threads,
            "NUM_STREAMS": 1,
            "INFERENCE_PRECISION_HINT": "f32",
        }
        if (cache := _cache_dir()) is not None:
            config["CACHE_DIR"] = cache
        built = steps.build()
        try:
            compiled = openvino.Core().compile_model(built, "CPU", config)
        except RuntimeError:
            # Another process may be writing the same file of the cache.
            if config.pop("CACHE_DIR", None) is None:
                raise
            compiled = openvino.Core().compile_model(built, "CPU", config)
        request = compiled.create_infer_request()
        names = [port.get_any_name() for port in compiled.outputs]

        def run(batch: npt.NDArray[np.uint8]) -> Outputs:
            request.infer({0: batch}, share_inputs=True)
            return {name: request.get_output_tensor(i).data.copy() for i, name in enumerate(names)}

        return run

    def _onnx_runner(self) -> _Runner:
        name = self._session.get_inputs()[0].name
        names = [node.name for node in self._session.get_outputs()]

        def run(batch: npt.NDArray[np.uint8]) -> Outputs:
            planes = np.ascontiguousarray(batch[..., ::-1].transpose(0, 3, 1, 2)).astype(np.float32)
            planes /= 255.0
            return dict(zip(names, self._session.run(None, {name: planes}), strict=True))

        return run

    def __call__(self, batch: npt.NDArray[np.uint8]) -> Outputs:
        """Run a batch, uint8 (N, H, W, 3) BGR, and give each output by its name.

        Raises
        ------
        ModelError
            If the network doesn't take this shape.
        """
        shape: Shape = batch.shape  # type: ignore[assignment]
        with self._lock:
            runner = self._runners.pop(shape, None)
            if runner is None:
                try:
                    runner = self._compile(shape)
                except Exception as error:
                    reason = str(error).strip().splitlines()[-1]
                    raise ModelError(f"{self.path}: doesn't take pictures of {shape}: {reason}") from error
            # The last one used stands last; pictures of ever new sizes must not fill the memory.
            self._runners[shape] = runner
            if len(self._runners) > _MOST_SHAPES:
                del self._runners[next(iter(self._runners))]
            return runner(np.ascontiguousarray(batch))


def stack(images: list[Image], count: int) -> npt.NDArray[np.uint8]:
    """Put pictures of one size into a batch of `count`, the rest black."""
    batch = np.zeros((count, *images[0].shape), dtype=np.uint8)
    batch[: len(images)] = images
    return batch


def number_from(card: Mapping[str, Any], key: str, default: float) -> float:
    """Give a number from a model's card, or the default where it has none."""
    value = card.get(key, default)
    return float(value) if isinstance(value, int | float) else default
