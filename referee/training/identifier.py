"""Train the reader: crops on the fly, one-cycle AdamW, temperatures from held-out art, ONNX and card at the end."""

from __future__ import annotations

import copy
import math
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from google.protobuf.message import DecodeError
from rich.progress import Progress
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from ..synth.crops import Crop, CropMaker
from ..synth.dataset import DatasetError, ensure_dataset
from ..synth.scene_crops import scene_crops
from ..vision.frames import Quad
from ..vision.identifier import CARD_PX, CORNERS_PX, OFFSET_PX
from ..vision.inference import Network
from .average import mix_weights
from .export import add_stages, export_identifier, write_card
from .machine import bfloat16_helps, thread_count
from .mining import mine_apart
from .net import CLASSES, ReaderNet
from .quantize import Pictures, add_int8
from .recipe import IdentifierRecipe, RecipeError
from .thaw import thaw_identifier

IGNORED = -100
LATER = 600
CROPS_TO_THAW = 2000
VALIDATION_SEED = 900_000_000
CALIBRATION_SEED = 800_000_000
WEIGHTS = {"kind": 0.5, "color": 1.0, "number": 1.5, "symbol": 0.7, "back_color": 0.5}
"""Shares of the loss: the number is the hardest and matters most."""
CORNERS_WEIGHT = 4.0
LIKENESS_WEIGHT, LIKENESS_TEMPERATURE = 0.25, 0.1


def targets(crop: Crop) -> list[int]:
    """Give the class index of each head in the order of `CLASSES`; `IGNORED` where a head has nothing to say."""
    wanted = {
        "kind": crop.kind,
        "color": crop.color,
        "number": crop.number,
        "symbol": crop.symbol,
        "back_color": crop.back_color,
    }
    return [IGNORED if wanted[name] is None else names.index(str(wanted[name])) for name, names in CLASSES.items()]


def offsets(crop: Crop, turned: bool = False) -> torch.Tensor:
    """Give the card's own corners from the quad's as the network says them, (8,) float32; NaN without a card."""
    if crop.corners_px is None:
        return torch.full((8,), math.nan)
    away = (crop.corners_px - CORNERS_PX) / OFFSET_PX
    return torch.from_numpy(np.ascontiguousarray(-np.roll(away, 2, axis=0) if turned else away)).float().flatten()


Example = tuple[torch.Tensor, torch.Tensor, torch.Tensor, int]
"""A crop, the class index of each head, the corners, and the number of a back's design (-1 for all else)."""


class Crops(IterableDataset[Example]):
    """Endless crops; each worker and each restart of the training has a seed of its own.

    For training every crop comes twice, the second time later and turned by 180 degrees, which changes no label:
    drawing a crop costs more than learning from it. A share is cut from drawn scenes (`scenes`, a data set's folder,
    with the `hard` places that look like cards).
    """

    def __init__(
        self, seed: int, *, heldout: bool = False, scenes: Path | None = None, share: float = 0.0,
        hard: Mapping[int, list[Quad]] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self.seed = seed
        self.heldout = heldout
        self.scenes, self.share, self.hard = scenes, share, dict(hard)

    def __iter__(self) -> Iterator[Example]:
        worker = get_worker_info()
        seed = self.seed + (worker.id if worker else 0)
        maker = CropMaker(seed, heldout=self.heldout)
        scenes = None if self.scenes is None else scene_crops(self.scenes, seed, self.hard)
        order = np.random.default_rng(seed)
        later: list[Crop] = []
        while True:
            crop = next(scenes) if scenes is not None and order.random() < self.share else maker.make()
            yield example(crop)
            if not self.heldout:
                later.append(crop)
                if len(later) > LATER:
                    again = later.pop(int(order.integers(len(later))))
                    yield example(again, turned=True)


def example(crop: Crop, turned: bool = False) -> Example:
    """Turn a crop into tensors, upright or by 180 degrees."""
    image = crop.image[::-1, ::-1] if turned else crop.image
    design = -1 if crop.design is None else crop.design
    return to_tensor(image), torch.tensor(targets(crop)), offsets(crop, turned), design


def to_tensor(image: np.ndarray[Any, np.dtype[np.uint8]]) -> torch.Tensor:
    """Turn BGR uint8 (H, W, 3) into RGB float32 (3, H, W), 0..1."""
    return torch.from_numpy(np.ascontiguousarray(image[:, :, ::-1].transpose(2, 0, 1))).float() / 255.0


def likeness_loss(embedding: torch.Tensor, designs: torch.Tensor) -> torch.Tensor:
    """Draw embeddings (N, 64) of one design together and push the others away (Khosla et al. 2020).

    Only designs that are there twice or more teach something.
    """
    same = (designs[:, None] == designs[None]) & (designs[:, None] >= 0)
    same.fill_diagonal_(False)
    rows = same.any(dim=1)
    if not rows.any():
        return embedding.new_zeros(())
    others = (designs[None] >= 0) & ~torch.eye(len(designs), dtype=torch.bool, device=designs.device)
    alike = (embedding @ embedding.T / LIKENESS_TEMPERATURE).masked_fill(~others, -1e4)
    log_share = alike - alike.logsumexp(dim=1, keepdim=True)
    return -((log_share * same).sum(dim=1)[rows] / same.sum(dim=1)[rows]).mean()


def loss_of(
    outputs: dict[str, torch.Tensor], wanted: torch.Tensor, corners: torch.Tensor, designs: torch.Tensor
) -> torch.Tensor:
    """Add the losses of all heads; a head that no crop of the batch speaks of adds nothing."""
    total = torch.zeros((), device=wanted.device)
    for column, name in enumerate(CLASSES):
        if (wanted[:, column] != IGNORED).any():
            part = nn.functional.cross_entropy(
                outputs[name], wanted[:, column], ignore_index=IGNORED, label_smoothing=0.02
            )
            total = total + WEIGHTS[name] * part
    known = ~corners.isnan().any(dim=1)
    if known.any():
        apart = nn.functional.smooth_l1_loss(outputs["corners"][known], corners[known], beta=0.05)
        total = total + CORNERS_WEIGHT * apart
    return total + LIKENESS_WEIGHT * likeness_loss(outputs["embedding"], designs)


def _held_out(count: int) -> tuple[torch.Tensor, ...]:
    source = iter(Crops(VALIDATION_SEED, heldout=True))
    crops, wanted, corners, designs = zip(*(next(source) for _ in range(count)), strict=True)
    return torch.stack(crops), torch.stack(wanted), torch.stack(corners), torch.tensor(designs)


@torch.no_grad()
def predict(net: ReaderNet, crops: torch.Tensor) -> dict[str, torch.Tensor]:
    """Run the network over many crops in batches."""
    net.eval()
    device = next(net.parameters()).device
    parts = [net(batch.to(device)) for batch in crops.split(256)]
    return {name: torch.cat([part[name] for part in parts]).cpu() for name in (*CLASSES, "corners", "embedding")}


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


def corner_errors(found: torch.Tensor, true: torch.Tensor) -> dict[str, float]:
    """Give how far found corners lie from true ones, mm on a card 57 mm wide: median and 95th percentile."""
    known = ~true.isnan().any(dim=1)
    px = (found[known] - true[known]).reshape(-1, 4, 2).norm(dim=2).flatten() * OFFSET_PX
    mm = px * 57 / CARD_PX[0]
    return {name: round(float(mm.quantile(q)), 3) for name, q in (("corners_p50_mm", 0.5), ("corners_p95_mm", 0.95))}


def nearest_design(embedding: torch.Tensor, designs: torch.Tensor) -> float:
    """Give how often the nearest of all other backs is one of the same design, where there is another of it."""
    backs = designs >= 0
    near = embedding[backs] @ embedding[backs].T
    near.fill_diagonal_(-2)
    same = designs[backs][:, None] == designs[backs][None]
    same.fill_diagonal_(False)
    known = same.any(dim=1)
    right = same.gather(1, near.argmax(dim=1, keepdim=True))[:, 0]
    return round(float(right[known].float().mean()), 4)


def calibration(seed: int, batches: int = 64) -> list[Pictures]:
    """Draw crops as in training, from which the 8-bit copy takes its ranges: uint8 (16, 144, 96, 3) BGR each."""
    maker = CropMaker(CALIBRATION_SEED + seed)
    return [np.stack([maker.make().image for _ in range(16)]) for _ in range(batches)]


def share_right(network: Network, crops: torch.Tensor, wanted: torch.Tensor) -> float:
    """Give the share of whole faces and backs that the run-time's network reads right, of crops as in `example`."""
    pictures = (crops * 255).round().to(torch.uint8).numpy()[:, ::-1].transpose(0, 2, 3, 1)
    rows: dict[str, list[np.ndarray[Any, Any]]] = {name: [] for name in CLASSES}
    for start in range(0, len(pictures), 16):
        batch = np.zeros((16, *pictures.shape[1:]), np.uint8)
        part = pictures[start : start + 16]
        batch[: len(part)] = part
        outputs = network(batch)
        for name in CLASSES:
            rows[name].append(outputs[name][: len(part)].argmax(axis=1))
    found = np.stack([np.concatenate(rows[name]) for name in CLASSES], axis=1)
    true = wanted.numpy()
    cards = true[:, 0] < 2
    return float(((found == true) | (true == IGNORED)).all(axis=1)[cards].mean())


def begin(recipe: IdentifierRecipe, beside: Path, crops: torch.Tensor) -> ReaderNet:
    """Begin with random weights, or go on from an exported reader."""
    if not recipe.start:
        if recipe.keep:
            raise RecipeError("keep: there are no weights to keep: give 'start' too")
        return ReaderNet()
    try:
        return thaw_identifier(beside / recipe.start, crops)
    except (OSError, DecodeError, ValueError) as error:
        raise RecipeError(f"start: '{recipe.start}' can't be trained on: {error}") from error


def train_identifier(
    recipe: IdentifierRecipe, recipe_hash: str, recipe_path: Path, runs: Path, models: Path, command: str
) -> dict[str, Any]:
    """Train the reader, export it to `models/identifier.onnx` and give the scores on held-out art.

    Goes on from `runs/identifier/last.pt` when it is there and belongs to the same recipe.

    Raises
    ------
    RecipeError
        If the scenes' recipe or the start weights can't be used.
    """
    torch.manual_seed(recipe.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_num_threads(thread_count())
    if recipe.mined_scenes and not recipe.scenes:
        raise RecipeError("mined_scenes: there is nothing to look at: give 'scenes' too")
    try:
        scenes = ensure_dataset(recipe_path.parent / recipe.scenes, runs / "scenes").parent if recipe.scenes else None
    except DatasetError as error:
        raise RecipeError(str(error)) from error
    hard = mine_apart(scenes, recipe.mined_scenes) if scenes and recipe.mined_scenes else {}
    source = iter(Crops(recipe.seed, scenes=scenes, share=recipe.scene_share, hard=hard))
    typical = torch.stack([next(source)[0] for _ in range(CROPS_TO_THAW)]) if recipe.start else torch.empty(0)
    start = begin(recipe, recipe_path.parent, typical)
    net = copy.deepcopy(start).to(device, memory_format=torch.channels_last)
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
    endless = Crops(recipe.seed * 1000 + step, scenes=scenes, share=recipe.scene_share, hard=hard)
    loader = DataLoader(endless, batch_size=recipe.batch, num_workers=workers, prefetch_factor=4)
    began = time.monotonic() - spent_s
    average = 0.0
    with Progress() as progress:
        task = progress.add_task("reader", total=recipe.steps, completed=step)
        for crops, wanted, corners, designs in loader:
            if step >= recipe.steps:
                break
            net.train()
            with torch.autocast(device, dtype=torch.bfloat16, enabled=half):
                outputs = net(crops.to(device, memory_format=torch.channels_last))
            outputs = {name: part.float() for name, part in outputs.items()}
            loss = loss_of(outputs, wanted.to(device), corners.to(device), designs.to(device))
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
    if recipe.keep:
        net = mix_weights(start, net.cpu(), recipe.keep, typical.split(125))
    crops, wanted, corners, designs = _held_out(recipe.validation_crops)
    outputs = predict(net, crops)
    scores = accuracy(outputs, wanted) | corner_errors(outputs["corners"], corners)
    scores["design"] = nearest_design(outputs["embedding"], designs)
    temperatures = {name: fit_temperature(outputs[name], wanted[:, column]) for column, name in enumerate(CLASSES)}
    onnx = models / "identifier.onnx"
    export_identifier(net.cpu(), onnx)
    card = {
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
        "origin": f"trained from {Path(recipe.start).name or 'scratch'} on crops drawn by referee.synth",
        "licence": "AGPL-3.0-or-later",
    }
    write_card(onnx, add_stages(card, recipe_path.parent / recipe.start))
    add_int8(onnx, "crops", calibration(recipe.seed), lambda network: share_right(network, crops, wanted))
    return scores
