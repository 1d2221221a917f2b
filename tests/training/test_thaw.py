from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch
from ultralytics import YOLO

from referee.synth.crops import CropMaker
from referee.training.identifier import to_tensor
from referee.training.thaw import thaw_detector, thaw_identifier

MODELS = Path(__file__).parents[2] / "models"


def pictures(count: int) -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    return [np.kron(rng.integers(0, 255, (20, 20, 3)), np.ones((8, 8, 1))).astype(np.uint8) for _ in range(count)]


def tensor(images: list[np.ndarray]) -> torch.Tensor:
    return torch.from_numpy(np.stack([image[..., ::-1] for image in images]).transpose(0, 3, 1, 2) / np.float32(255))


def test_a_thawed_detector_gives_what_the_file_gives():
    net = thaw_detector(MODELS / "detector.onnx", pictures(20))
    batch = tensor(pictures(2))
    (told,) = onnxruntime.InferenceSession(MODELS / "detector.onnx").run(None, {"images": batch.numpy()})
    with torch.no_grad():
        found = net(batch)
    np.testing.assert_allclose((found[0] if isinstance(found, tuple) else found).numpy(), told, atol=5e-3)


def test_its_normalisations_expect_what_the_pictures_bring():
    images = pictures(16)
    net = thaw_detector(MODELS / "detector.onnx", images)
    first = net.model[0]
    with torch.no_grad():
        brought = first.conv(tensor(images))
        calm = first(tensor(images))
        trained = first.train()(tensor(images))
    torch.testing.assert_close(first.bn.weight.data**2 - first.bn.eps, brought.var((0, 2, 3)), rtol=1e-2, atol=1e-4)
    torch.testing.assert_close(trained, calm, rtol=1e-2, atol=1e-2)


def test_what_is_thawed_is_trained_on_oriented_boxes(tmp_path):
    net = thaw_detector(MODELS / "detector.onnx", pictures(4))
    torch.save({"model": net}, tmp_path / "start.pt")
    model = YOLO(str(tmp_path / "start.pt"))
    assert model.task == "obb"
    assert list(model.names.values()) == ["face", "back"]


def test_another_network_is_refused():
    with pytest.raises(ValueError, match="YOLO26n"):
        thaw_detector(MODELS / "identifier.onnx", pictures(1))


def crops(count: int) -> torch.Tensor:
    maker = CropMaker(7)
    return torch.stack([to_tensor(maker.make().image) for _ in range(count)])


def test_a_thawed_reader_gives_what_the_file_gives():
    net = thaw_identifier(MODELS / "identifier.onnx", crops(24))
    batch = crops(4)
    session = onnxruntime.InferenceSession(MODELS / "identifier.onnx")
    told = session.run(None, {"crops": batch.numpy()})
    with torch.no_grad():
        found = net(batch)
    for output, wanted in zip(session.get_outputs(), told, strict=True):
        np.testing.assert_allclose(found[output.name].numpy(), wanted, atol=1e-3)


def test_another_network_is_no_reader():
    with pytest.raises(ValueError, match="convolutions"):
        thaw_identifier(MODELS / "detector.onnx", crops(1))
