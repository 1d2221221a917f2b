"""Train the reader: crops on the fly, one-cycle AdamW, temperatures from held-out art, ONNX and card at the end."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.progress import Progress
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from ..synth.crops import Crop, CropMaker
from .export import export_identifier, write_card
from .machine import bfloat16_helps, thread_count
from .net import CLASSES, ReaderNet
from .recipe import IdentifierRecipe

IGNORED = -100
LATER = 600
VALIDATION_SEED = 900_000_000
WEIGHTS = {"kind": 0.5, "color": 1.0, "number": 1.5, "symbol": 0.7, "back_color": 0.5}
"""Shares of the loss: the number is the hardest and matters most."""


def targets(crop: Crop) -> list[int]:
    """Give the class index of each head in the order of `CLASSES`; `IGNORED` where a head has nothing to say."""
    number = "unreadable" if crop.number is None else str(crop.number)
    wanted = {
        "kind": crop.kind,
        "color": crop.color,
        "number": number if crop.kind == "face" else None,
        "symbol": crop.symbol,
        "back_color": crop.back_color,
    }
    return [IGNORED if wanted[name] is None else names.index(str(wanted[name])) for name, names in CLASSES.items()]


class Crops(IterableDataset[tuple[torch.Tensor, torch.Tensor]]):
    """Endless crops; each worker and each restart of the training has a seed of its own.

    For training every crop comes twice, the second time later and turned by 180 degrees, which changes no label:
    drawing a crop costs more than learning from it.
    """

    def __init__(self, seed: int, *, heldout: bool = False) -> None:
        self.seed = seed
        self.heldout = heldout

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        worker = get_worker_info()
        seed = self.seed + (worker.id if worker else 0)
        maker = CropMaker(seed, heldout=self.heldout)
        order = np.random.default_rng(seed)
        later: list[Crop] = []
        while True:
            crop = maker.make()
            yield to_tensor(crop.image), torch.tensor(targets(crop))
            if not self.heldout:
                later.append(crop)
                if len(later) > LATER:
                    again = later.pop(int(order.integers(len(later))))
                    yield to_tensor(again.image[::-1, ::-1]), torch.tensor(targets(again))


def to_tensor(image: np.ndarray[Any, np.dtype[np.uint8]]) -> torch.Tensor:
    """Turn BGR uint8 (H, W, 3) into RGB float32 (3, H, W), 0..1."""
    return torch.from_numpy(np.ascontiguousarray(image[:, :, ::-1].transpose(2, 0, 1))).float() / 255.0


def loss_of(outputs: dict[str, torch.Tensor], wanted: torch.Tensor) -> torch.Tensor:
    """Add the cross-entropies of all heads; a head that no crop of the batch speaks of adds nothing."""
    total = torch.zeros((), device=wanted.device)
    for column, name in enumerate(CLASSES):
        if (wanted[:, column] != IGNORED).any():
            part = nn.functional.cross_entropy(
                outputs[name], wanted[:, column], ignore_index=IGNORED, label_smoothing=0.02
            )
            total = total + WEIGHTS[name] * part
    return total


def _held_out(count: int) -> tuple[torch.Tensor, torch.Tensor]:
    source = iter(Crops(VALIDATION_SEED, heldout=True))
    pairs = [next(source) for _ in range(count)]
    return torch.stack([crop for crop, _ in pairs]), torch.stack([wanted for _, wanted in pairs])


@torch.no_grad()
def predict(net: ReaderNet, crops: torch.Tensor) -> dict[str, torch.Tensor]:
    """Run the network over many crops in batches."""
    net.eval()
    device = next(net.parameters()).device
    parts = [net(batch.to(device)) for batch in crops.split(256)]
    return {name: torch.cat([part[name] for part in parts]).cpu() for name in CLASSES}


def fit_temperature(logits: torch.Tensor, wanted: torch.Tensor) -> float:
    """Find the temperature with the least cross-entropy (Guo et al. 2017), by a search from 0.3 to 5."""
    known = wanted != IGNORED
    if not known.any():
        return 1.0
    choices = [math.exp(step / 20) for step in range(-24, 33)]
    losses = [float(nn.functional.cross_entropy(logits[known] / t, wanted[known])) for t in choices]
    return round(choices[int(np.argmin(losses))], 3)


def accuracy(outputs: dict[str, torch.Tensor], wanted: torch.Tensor) -> dict[str, float]:
    """Give the share right of each head, and of whole faces (colour and number, where the number is legible)."""
    scores = {}
    right = {}
    for column, name in enumerate(CLASSES):
        known = wanted[:, column] != IGNORED
        right[name] = outputs[name].argmax(1) == wanted[:, column]
        scores[name] = round(float(right[name][known].float().mean()), 4) if known.any() else math.nan
    columns = list(CLASSES)
    legible = (wanted[:, columns.index("number")] >= 0) & (wanted[:, columns.index("number")] < 10)
    whole = right["kind"] & right["color"] & right["number"]
    scores["face"] = round(float(whole[legible].float().mean()), 4)
    return scores


def train_identifier(
    recipe: IdentifierRecipe, recipe_hash: str, runs: Path, models: Path, command: str
) -> dict[str, Any]:
    """Train the reader, export it to `models/identifier.onnx` and give the scores on held-out art.

    Goes on from `runs/identifier/last.pt` when it is there and belongs to the same recipe.
    """
    torch.manual_seed(recipe.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_num_threads(thread_count())
    net = ReaderNet().to(device, memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=recipe.learning_rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, recipe.learning_rate, recipe.steps, pct_start=0.1)
    folder = runs / "identifier"
    folder.mkdir(parents=True, exist_ok=True)
    last = folder / "last.pt"
    step, spent_s = 0, 0.0
    if last.exists():
        saved = torch.load(last, weights_only=False, map_location=device)
        if saved["recipe"] == recipe_hash:
            net.load_state_dict(saved["net"])
            optimizer.load_state_dict(saved["optimizer"])
            schedule.load_state_dict(saved["schedule"])
            step, spent_s = saved["step"], saved["spent_s"]
    workers = max(1, min(16, os.cpu_count() or 1))
    half = device == "cuda" or bfloat16_helps()
    loader = DataLoader(
        Crops(recipe.seed * 1000 + step), batch_size=recipe.batch, num_workers=workers, prefetch_factor=4
    )
    began = time.monotonic() - spent_s
    average = 0.0
    with Progress() as progress:
        task = progress.add_task("reader", total=recipe.steps, completed=step)
        for crops, wanted in loader:
            if step >= recipe.steps:
                break
            net.train()
            with torch.autocast(device, dtype=torch.bfloat16, enabled=half):
                outputs = net(crops.to(device, memory_format=torch.channels_last))
            loss = loss_of({name: part.float() for name, part in outputs.items()}, wanted.to(device))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimizer.step()
            schedule.step()
            step += 1
            average = loss.item() if step == 1 else 0.98 * average + 0.02 * loss.item()
            progress.update(task, completed=step, description=f"reader, loss {average:.3f}")
            if step % recipe.checkpoint_every == 0 or step == recipe.steps:
                state = {
                    "recipe": recipe_hash,
                    "net": net.state_dict(),
                    "optimizer": optimizer.state_dict(),
                    "schedule": schedule.state_dict(),
                    "step": step,
                    "spent_s": time.monotonic() - began,
                }
                torch.save(state, last.with_suffix(".part"))
                os.replace(last.with_suffix(".part"), last)
    crops, wanted = _held_out(recipe.validation_crops)
    outputs = predict(net, crops)
    scores = accuracy(outputs, wanted)
    temperatures = {name: fit_temperature(outputs[name], wanted[:, column]) for column, name in enumerate(CLASSES)}
    onnx = models / "identifier.onnx"
    export_identifier(net.cpu(), onnx)
    write_card(
        onnx,
        {
            "task": "identifier",
            "classes": CLASSES,
            "input": "crops (N, 3, 144, 96) float32 RGB 0..1",
            "temperature": temperatures,
            "threshold": 0.6,
            "scores": {"validation on held-out art": scores},
            "command": command,
            "recipe_sha256": recipe_hash,
            "seed": recipe.seed,
            "steps": recipe.steps,
            "crops": recipe.steps * recipe.batch,
            "seconds": round(time.monotonic() - began),
            "origin": "trained from scratch on crops drawn by referee.synth",
            "licence": "AGPL-3.0-or-later",
        },
    )
    return scores
