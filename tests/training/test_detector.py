import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import onnx
import pytest
import torch
from click.testing import CliRunner, Result
from onnx import numpy_helper
from ultralytics import YOLO

from referee.cli import main
from referee.training.detector import decay_each_batch
from referee.vision.detector import YoloDetector

SCENES = """
scene: {width_px: [160, 160], height_px: [160, 160]}
splits:
  train: {count: 16, seed: 0}
  val: {count: 8, seed: 10000000, heldout: true}
"""


def write(folder: Path, recipe: str) -> Path:
    (folder / "scenes.yaml").write_text(SCENES, encoding="utf-8")
    path = folder / "detector.yaml"
    path.write_text(recipe, encoding="utf-8")
    return path


def train(path: Path) -> Result:
    folders = ["--runs", str(path.parent / "runs"), "--models", str(path.parent / "models")]
    return CliRunner().invoke(main, ["train", "detector", "--recipe", str(path), *folders])


def test_bad_recipes_are_told_in_one_line(tmp_path):
    result = train(write(tmp_path, "data: scenes.yaml\nepochs: 1\nepoch: 2\n"))
    assert result.exit_code == 1
    assert "unknown key 'epoch'" in result.output
    result = train(write(tmp_path, "data: other.yaml\nepochs: 1\n"))
    assert result.exit_code == 1
    assert "other.yaml" in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("epoch", [0, 1])
def test_the_learning_rate_falls_with_each_batch_also_after_an_interruption(epoch):
    optimizer = torch.optim.AdamW([torch.nn.Parameter(torch.zeros(1))], lr=0.001)
    optimizer.param_groups[0]["initial_lr"] = 0.001
    trainer = SimpleNamespace(
        train_loader=range(4), epoch=epoch, epochs=2, args=SimpleNamespace(lrf=0.2), optimizer=optimizer
    )
    rates = []
    for _ in range(8 - 4 * epoch):
        decay_each_batch(trainer)
        rates.append(optimizer.param_groups[0]["lr"])
    assert rates == pytest.approx([0.0009, 0.0008, 0.0007, 0.0006, 0.0005, 0.0004, 0.0003, 0.0002][4 * epoch :])


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # ultralytics uses what torch is about to drop
def test_one_command_leads_from_a_recipe_to_a_model_with_its_card(tmp_path):
    start = YOLO("yolo26n-obb.yaml", task="obb")
    for values in start.model.parameters():  # equal weights of a new network would be written once for several layers
        values.data += 1e-3 * torch.randn_like(values)
    start.save(str(tmp_path / "start.pt"))
    recipe = "data: scenes.yaml\nstart: start.pt\nepochs: 1\nbatch: 8\nimage_px: 160\nworkers: 0\n"
    result = train(write(tmp_path, recipe))
    assert result.exit_code == 0, result.output
    card = json.loads((tmp_path / "models" / "detector.json").read_text())
    assert card["classes"] == ["face", "back"]
    assert "mAP50" in card["scores"]["validation on held-out art, tables and light"]
    assert ("int8" in card) != ("int8_refused" in card)

    detector = YoloDetector(tmp_path / "models" / "detector.onnx", confidence=0.9)
    assert detector.detect(np.zeros((160, 160, 3), np.uint8)) == []

    # What is shipped has no checkpoint: a further training starts from the exported file.
    before = onnx.load(tmp_path / "models" / "detector.onnx")
    (tmp_path / "detector.yaml").write_text(recipe.replace("start.pt", "models/detector.onnx") + "keep: 1.0\n")
    result = train(tmp_path / "detector.yaml")
    assert result.exit_code == 0, result.output
    # Of weights that are all kept nothing is changed, but for the normalisations.
    after = onnx.load(tmp_path / "models" / "detector.onnx")
    last = "model.23.cv2.0.2.weight"
    np.testing.assert_allclose(weights(after)[last], weights(before)[last], atol=1e-6)


def weights(network: onnx.ModelProto) -> dict[str, np.ndarray]:
    return {part.name: numpy_helper.to_array(part) for part in network.graph.initializer}


def test_weights_that_were_never_trained_here_cannot_be_kept(tmp_path):
    (tmp_path / "start.pt").write_bytes(b"")
    result = train(write(tmp_path, "data: scenes.yaml\nstart: start.pt\nepochs: 1\nkeep: 0.5\n"))
    assert result.exit_code == 1
    assert "give an .onnx file as 'start'" in result.output
    assert not (tmp_path / "runs").exists(), "it is said before anything is drawn"


def adopt(weights: Path, models: Path) -> Result:
    return CliRunner().invoke(main, ["adopt", str(weights), "--models", str(models)])


def test_weights_that_are_none_are_told_in_one_line(tmp_path):
    (tmp_path / "broken.pt").write_bytes(b"no weights")
    result = adopt(tmp_path / "broken.pt", tmp_path / "mine")
    assert result.exit_code == 1
    assert "give a .pt file" in result.output
    assert not (tmp_path / "mine").exists()


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # ultralytics uses what torch is about to drop
def test_a_detector_of_ones_own_is_ready_to_use(tmp_path):
    model = YOLO("yolo26n-obb.yaml", task="obb")
    model.save(str(tmp_path / "other.pt"))
    result = adopt(tmp_path / "other.pt", tmp_path / "mine")
    assert result.exit_code == 1
    assert "face and back, in this order, are wanted" in result.output

    own = YOLO("yolo26n-obb.yaml", task="obb")
    own.model.names = {0: "face", 1: "back"}
    own.save(str(tmp_path / "own.pt"))
    result = adopt(tmp_path / "own.pt", tmp_path / "mine")
    assert result.exit_code == 0, result.output
    assert YoloDetector(tmp_path / "mine" / "detector.onnx").confidence == 0.4
    assert (tmp_path / "mine" / "identifier.onnx").is_file()
    assert (tmp_path / "own.pt").is_file()
