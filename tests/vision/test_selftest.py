import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.vision.detector import YoloDetector
from referee.vision.identifier import CardReader
from referee.vision.inference import ModelError, find_models
from referee.vision.selftest import run_selftest


@pytest.fixture
def models(tmp_path: Path) -> Path:
    for path in find_models().iterdir():
        if path.suffix in {".onnx", ".json", ".jpg"}:
            shutil.copy(path, tmp_path / path.name)
    return tmp_path


def load(folder: Path) -> tuple[YoloDetector, CardReader]:
    return YoloDetector(folder / "detector.onnx"), CardReader(folder / "identifier.onnx")


def test_the_shipped_models_pass() -> None:
    assert (find_models() / "selftest.json").is_file()
    assert run_selftest(*load(find_models())).startswith("self-test: ")


def test_ones_own_models_have_no_selftest(models: Path) -> None:
    (models / "selftest.json").unlink()
    assert "not tested" in run_selftest(*load(models))


def test_models_that_give_something_else_are_refused(models: Path) -> None:
    record = json.loads((models / "selftest.json").read_text())
    names = record["crops"]["labels"]
    (models / "selftest.json").write_text(json.dumps({**record, "crops": {**record["crops"], "labels": names[::-1]}}))
    with pytest.raises(ModelError, match=r"fails its self-test .* crops right"):
        run_selftest(*load(models))
    cv2.imwrite(str(models / record["scene"]["image"]), np.full((480, 640, 3), 90, np.uint8))
    with pytest.raises(ModelError, match=r"fails its self-test .* cards"):
        run_selftest(*load(models))


@pytest.mark.parametrize("text", ["{", "{}", '{"scene": {"image": "none.jpg", "cards": []}}'])
def test_a_damaged_selftest_is_refused(models: Path, text: str) -> None:
    (models / "selftest.json").write_text(text)
    with pytest.raises(ModelError, match="self-test is damaged"):
        run_selftest(*load(models))
