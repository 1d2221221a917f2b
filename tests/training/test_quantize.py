import json
from pathlib import Path

import numpy as np
import pytest

from referee.training.export import add_stages, export_identifier, write_card
from referee.training.net import CLASSES, ReaderNet
from referee.training.quantize import add_int8
from referee.vision.inference import ModelError, Network

BATCHES = [np.random.default_rng(n).integers(0, 255, (4, 144, 96, 3)).astype(np.uint8) for n in range(2)]


@pytest.fixture
def onnx(tmp_path: Path) -> Path:
    path = tmp_path / "identifier.onnx"
    export_identifier(ReaderNet(), path)
    write_card(path, {"task": "identifier", "classes": CLASSES, "threshold": 0.5})
    return path


def test_a_copy_as_good_is_kept_and_used(onnx: Path) -> None:
    assert add_int8(onnx, "crops", BATCHES, lambda network: 0.9) == {"score_f32": 0.9, "score_int8": 0.9}
    card = json.loads(onnx.with_suffix(".json").read_text())
    assert card["threshold"] == 0.5
    assert card["int8"]["file"] == "identifier-int8.onnx"
    copy = onnx.with_name("identifier-int8.onnx")
    assert copy.stat().st_size < 0.4 * onnx.stat().st_size
    small, full = Network(onnx)(BATCHES[0]), Network(onnx, precision="f32")(BATCHES[0])
    assert np.abs(small["embedding"] - full["embedding"]).max() > 0
    assert small["embedding"] == pytest.approx(full["embedding"], abs=0.1)

    copy.write_bytes(copy.read_bytes()[:-9])
    with pytest.raises(ModelError, match=r"int8.onnx: damaged or another file"):
        Network(onnx)
    copy.unlink()
    with pytest.raises(ModelError, match="No such file"):
        Network(onnx)
    assert Network(onnx, precision="f32")


def test_a_copy_that_is_worse_is_refused(onnx: Path) -> None:
    scores = iter((0.95, 0.947))
    assert add_int8(onnx, "crops", BATCHES, lambda network: next(scores)) == {"score_f32": 0.95, "score_int8": 0.947}
    card = json.loads(onnx.with_suffix(".json").read_text())
    assert "int8" not in card
    assert card["int8_refused"] == {"score_f32": 0.95, "score_int8": 0.947}
    assert not onnx.with_name("identifier-int8.onnx").exists()
    assert Network(onnx).card == card


def test_a_card_tells_all_stages_of_a_training(tmp_path):
    first = {"task": "identifier", "seed": 1, "steps": 10, "origin": "from scratch"}
    start = tmp_path / "start.onnx"
    start.write_bytes(b"onnx")
    assert add_stages(first, tmp_path)["stages"] == [{"seed": 1, "steps": 10, "origin": "from scratch"}]
    write_card(start, first)
    second = add_stages({"seed": 2, "steps": 5, "scores": {}}, start)
    assert second["stages"] == [{"seed": 1, "steps": 10, "origin": "from scratch"}, {"seed": 2, "steps": 5}]
    write_card(start, second)
    third = add_stages({"seed": 3, "recipe_sha256": "c"}, start)
    assert [stage["seed"] for stage in third["stages"]] == [1, 2, 3]
    write_card(start, third)
    assert [stage["seed"] for stage in add_stages({"seed": 3, "recipe_sha256": "c"}, start)["stages"]] == [1, 2, 3]
    start.with_suffix(".json").write_text("{")
    assert [stage["seed"] for stage in add_stages({"seed": 4}, start)["stages"]] == [4]
