import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from referee.vision.detector import YoloDetector
from referee.vision.identifier import CardReader
from referee.vision.inference import ModelError, Network, find_models


def copy_model(name: str, folder: Path) -> Path:
    for suffix in (".onnx", ".json"):
        shutil.copy(find_models() / f"{name}{suffix}", folder / f"{name}{suffix}")
    return folder / f"{name}.onnx"


def sign(path: Path, **changes: object) -> None:
    card = json.loads(path.with_suffix(".json").read_text())
    card |= {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), **changes}
    path.with_suffix(".json").write_text(json.dumps(card))


def test_a_model_cut_short_is_refused(tmp_path: Path) -> None:
    path = copy_model("detector", tmp_path)
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(ModelError, match="damaged or another file"):
        YoloDetector(path)


def test_a_cut_model_with_a_matching_card_is_refused_too(tmp_path: Path) -> None:
    path = copy_model("detector", tmp_path)
    path.write_bytes(path.read_bytes()[:5000])
    sign(path)
    with pytest.raises(ModelError, match="no usable ONNX network"):
        YoloDetector(path)


def test_a_missing_model_or_card_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="install referee again"):
        YoloDetector(tmp_path / "detector.onnx")
    path = copy_model("detector", tmp_path)
    path.with_suffix(".json").write_text("{")
    with pytest.raises(ModelError, match="not a JSON card"):
        YoloDetector(path)


def test_another_network_is_refused(tmp_path: Path) -> None:
    path = copy_model("detector", tmp_path)
    with pytest.raises(ModelError, match="no output kind"):
        CardReader(path)
    sign(path, classes=["cat", "dog"])
    with pytest.raises(ModelError, match="its classes are"):
        YoloDetector(path)


def test_folder_of_models_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_MODELS", str(tmp_path))
    with pytest.raises(ModelError, match="REFEREE_MODELS"):
        find_models()


def test_onnx_runtime_gives_what_openvino_gives() -> None:
    network = Network(find_models() / "identifier.onnx", precision="f32")
    other = Network(find_models() / "identifier.onnx", runtime="onnxruntime", precision="f32")
    batch = np.random.default_rng(0).integers(0, 255, (2, 144, 96, 3)).astype(np.uint8)
    first, second = network(batch), other(batch)
    assert network.runtime != other.runtime
    for name, values in first.items():
        assert values == pytest.approx(second[name], abs=2e-3)


def test_a_wrong_shape_is_refused() -> None:
    network = Network(find_models() / "identifier.onnx")
    with pytest.raises(ModelError, match="doesn't take pictures"):
        network(np.zeros((1, 64, 64, 3), np.uint8))


def test_ever_new_shapes_do_not_fill_the_memory() -> None:
    network = Network(find_models() / "identifier.onnx", runtime="onnxruntime")
    for count in range(1, 13):
        assert len(network(np.zeros((count, 144, 96, 3), np.uint8))["kind"]) == count
    assert len(network._runners) <= 8


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("referee.vision.inference._cache_dir", lambda: str(tmp_path / "file" / "openvino"))
    batch = np.zeros((2, 144, 96, 3), np.uint8)
    assert Network(find_models() / "identifier.onnx")(batch)["kind"].shape == (2, 3)
