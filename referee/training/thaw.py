"""Make a shipped network trainable again: its ONNX file has all weights, but no batch normalisation any more."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from ultralytics.nn.modules.conv import Conv
from ultralytics.nn.tasks import OBBModel, yaml_model_load

from ..vision.frames import Image
from ..vision.sources import read_image
from .net import ReaderNet

ARCHITECTURE = "yolo26n-obb.yaml"
_CLASSES = {0: "face", 1: "back"}
_BATCH = 16


def _blank() -> OBBModel:
    """Build the network as a fine-tuned YOLO26n has it: COCO's width, and the last layer for our classes."""
    net = OBBModel({**yaml_model_load(ARCHITECTURE), "end2end": False}, verbose=False).eval()
    head = net.model[-1]
    for branch in head.cv3:
        branch[-1] = nn.Conv2d(branch[-1].in_channels, len(_CLASSES), 1)
    head.nc, head.no = len(_CLASSES), head.no - head.nc + len(_CLASSES)
    net.names = dict(_CLASSES)
    net.yaml["nc"] = len(_CLASSES)
    net.task = "obb"  # without it ultralytics takes the network for one of upright boxes
    return net


def _weights(path: Path) -> dict[str, torch.Tensor]:
    return {
        part.name: torch.from_numpy(numpy_helper.to_array(part).copy()) for part in onnx.load(path).graph.initializer
    }


def picture_tensor(images: list[Image]) -> torch.Tensor:
    """Turn BGR uint8 pictures (H, W, 3) of one size into RGB float32 (N, 3, H, W), 0..1."""
    return torch.from_numpy(np.stack([image[..., ::-1] for image in images]).transpose(0, 3, 1, 2) / np.float32(255))


def _normalise_like(net: nn.Module, images: torch.Tensor) -> None:
    """Give each normalisation the statistics of these pictures, and the scale and shift that undo them."""
    sums: dict[nn.Conv2d, list[torch.Tensor]] = {}

    def note(conv: nn.Conv2d, _inputs: tuple[torch.Tensor, ...], out: torch.Tensor) -> None:
        sums.setdefault(conv, []).append(torch.stack([out.mean((0, 2, 3)), (out**2).mean((0, 2, 3))]))

    blocks = [block for block in net.modules() if isinstance(block, Conv)]
    hooks = [block.conv.register_forward_hook(note) for block in blocks]
    with torch.no_grad():
        for batch in images.split(_BATCH):
            net(batch)
    for hook in hooks:
        hook.remove()
    for block in blocks:
        mean, square = torch.stack(sums[block.conv]).mean(0)
        variance = (square - mean**2).clamp_min(1e-6)
        block.bn.bias.data += mean
        block.bn.weight.data = (variance + block.bn.eps).sqrt()
        block.bn.running_mean.copy_(mean)
        block.bn.running_var.copy_(variance)


def thaw_detector(path: Path, pictures: Iterable[Image]) -> OBBModel:
    """Make a network that can be trained on from an exported detector; before training it gives what the file gives.

    Parameters
    ----------
    path
        An ONNX file that `export_detector` wrote.
    pictures
        BGR uint8, all (H, W, 3) of one size, H and W multiples of 32: like those that it will be trained on.

    Raises
    ------
    ValueError
        If the file lacks weights of a YOLO26n with oriented boxes.
    """
    found = _weights(path)
    if "model.0.conv.weight" not in found:
        raise ValueError("no YOLO26n with oriented boxes")
    net = _blank()
    for name, part in net.named_modules():
        if isinstance(part, Conv):
            part.bn.bias.data = _take(found, f"{name}.conv.bias", part.bn.bias)
            part.bn.running_var.fill_(1 - part.bn.eps)
        if isinstance(part, nn.Conv2d):
            part.weight.data = _take(found, f"{name}.weight", part.weight)
            if part.bias is not None:
                part.bias.data = _take(found, f"{name}.bias", part.bias)
    _normalise_like(net, picture_tensor(list(pictures)))
    return net


def thaw_identifier(path: Path, crops: torch.Tensor) -> ReaderNet:
    """Make a reader that can be trained on from an exported one; before training it gives what the file gives.

    Parameters
    ----------
    path
        An ONNX file that `export_identifier` wrote.
    crops
        (N, 3, 144, 96) float32 RGB 0..1, like those that it will be trained on.

    Raises
    ------
    ValueError
        If the file lacks weights of a reader.
    """
    found = _weights(path)
    net = ReaderNet().eval()
    blocks = {name: part for name, part in net.named_modules() if isinstance(part, Conv)}
    # The exporter gives folded convolutions numbers for names; they stand in the order of the network.
    convs = [node.input[1:3] for node in onnx.load(path).graph.node if node.op_type == "Conv"]
    if len(convs) != len(blocks):
        raise ValueError(f"{len(convs)} convolutions, a reader has {len(blocks)}")
    for block, (weight, bias) in zip(blocks.values(), convs, strict=True):
        block.conv.weight.data = _take(found, weight, block.conv.weight)
        block.bn.bias.data = _take(found, bias, block.bn.bias)
        block.bn.running_var.fill_(1 - block.bn.eps)
    state = net.state_dict()
    for name, value in state.items():
        if not name.startswith(tuple(f"{block}." for block in blocks)) and not name.endswith("num_batches_tracked"):
            state[name] = _take(found, f"net.{name}", value)
    net.load_state_dict(state)
    _normalise_like(net, crops)
    return net


def _take(found: dict[str, torch.Tensor], name: str, like: torch.Tensor) -> torch.Tensor:
    value = found.get(name)
    if value is None or value.shape != like.shape:
        raise ValueError(f"'{name}' is missing or of another shape")
    return value.to(like.dtype)


def pad_picture(image: Image, size_px: int) -> Image:
    """Give a picture (H, W, 3) as a square of this size, filled with grey or cut to the right and below."""
    square = np.full((size_px, size_px, 3), 114, np.uint8)
    part = image[:size_px, :size_px]
    square[: part.shape[0], : part.shape[1]] = part
    return square


def read_pictures(folder: Path, count: int, size_px: int) -> list[Image]:
    """Read the first pictures of a folder as squares."""
    return [pad_picture(read_image(path), size_px) for path in sorted(folder.glob("*.jpg"))[:count]]
