import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import openvino
import pytest
import torch

from referee.game.cards import Color
from referee.synth.crops import Crop
from referee.training.average import mix_weights
from referee.training.export import export_identifier, sha256
from referee.training.identifier import (
    CORNERS_WEIGHT,
    IGNORED,
    Crops,
    accuracy,
    begin,
    corner_errors,
    fit_temperature,
    likeness_loss,
    loss_of,
    nearest_design,
    offsets,
    predict,
    targets,
    to_tensor,
    train_identifier,
)
from referee.training.net import CLASSES, HEADS, ReaderNet
from referee.training.recipe import IdentifierRecipe, RecipeError
from referee.vision.identifier import CARD_PX, CORNERS_PX, OFFSET_PX

BLANK = np.zeros((144, 96, 3), np.uint8)


@pytest.mark.parametrize(
    ("crop", "wanted"),
    [
        (Crop(BLANK, "face", Color.BLUE, 6), [0, 1, 5, IGNORED, IGNORED]),
        (Crop(BLANK, "face", Color.GREEN, "unreadable"), [0, 3, 10, IGNORED, IGNORED]),
        (Crop(BLANK, "face", Color.RED), [0, 0, IGNORED, IGNORED, IGNORED]),
        (Crop(BLANK, "back", symbol="plow", back_color="red"), [1, IGNORED, IGNORED, 2, 0]),
        (Crop(BLANK, "back", symbol="other", back_color="other"), [1, IGNORED, IGNORED, 4, 4]),
        (Crop(BLANK, "none"), [2, IGNORED, IGNORED, IGNORED, IGNORED]),
    ],
)
def test_targets_name_what_each_head_must_say(crop, wanted):
    assert targets(crop) == wanted


def test_every_head_has_a_name_for_each_class():
    assert {name: len(classes) for name, classes in CLASSES.items()} == HEADS


def test_a_crop_becomes_rgb_between_0_and_1():
    image = BLANK.copy()
    image[..., 0] = 255
    tensor = to_tensor(image)
    assert tensor.shape == (3, 144, 96)
    assert tensor[2].min() == 1.0
    assert tensor[0].max() == 0.0


def test_heads_that_nobody_speaks_of_add_no_loss():
    outputs = {name: torch.zeros(2, size) for name, size in (HEADS | {"corners": 8, "embedding": 64}).items()}
    nothing = torch.full((2, len(CLASSES)), IGNORED)
    unknown, no_design = torch.full((2, 8), torch.nan), torch.tensor([-1, -1])
    assert loss_of(outputs, nothing, unknown, no_design).item() == 0.0
    assert loss_of(outputs, nothing, torch.ones(2, 8), no_design).item() == pytest.approx(CORNERS_WEIGHT * 0.975)


def test_a_turned_crop_has_its_corners_turned():
    away = np.float32([[1, 2], [3, 4], [5, 6], [7, 8]])
    crop = Crop(BLANK, "face", Color.RED, 1, corners_px=CORNERS_PX + away)
    assert offsets(crop).reshape(4, 2) == pytest.approx(away / OFFSET_PX)
    # The card's third corner is the first of the turned crop, and right of it is left.
    assert offsets(crop, turned=True).reshape(4, 2) == pytest.approx(-np.roll(away, 2, axis=0) / OFFSET_PX)
    assert offsets(Crop(BLANK, "none")).isnan().all()


def test_likeness_is_best_where_one_design_lies_together():
    designs = torch.tensor([4, 4, 6, 6, -1])
    together = torch.eye(5)[[0, 0, 1, 1, 0]]
    apart = torch.eye(5)[[0, 1, 0, 1, 2]]
    assert likeness_loss(together, designs) < 0.01
    assert likeness_loss(apart, designs) > 5
    assert likeness_loss(apart, torch.tensor([1, 2, 3, 4, -1])) == 0


def test_the_nearest_back_is_of_the_same_design():
    designs = torch.tensor([4, 4, 6, 6, 8, -1])
    assert nearest_design(torch.eye(6)[[0, 0, 1, 2, 2, 0]], designs) == 0.5


def test_corners_are_measured_in_millimetres():
    true = torch.zeros(2, 8)
    true[1] = torch.nan
    found = torch.zeros(2, 8)
    found[0, 0] = CARD_PX[0] / 57 / OFFSET_PX * 3
    errors = corner_errors(found, true)
    assert errors["corners_p50_mm"] == 0
    assert errors["corners_p95_mm"] == pytest.approx(0.85 * 3, abs=0.01)


def test_accuracy_counts_faces_whose_number_is_legible():
    outputs = {name: torch.zeros(2, size) for name, size in HEADS.items()}
    outputs["number"][:, 6] = 1.0
    wanted = torch.tensor([[0, 0, 6, IGNORED, IGNORED], [0, 0, 10, IGNORED, IGNORED]])
    scores = accuracy(outputs, wanted)
    assert scores["face"] == 1.0
    assert scores["number"] == 0.5


def test_temperature_cools_a_boaster():
    logits = torch.tensor([[8.0, 0.0]] * 10)
    wanted = torch.tensor([0] * 7 + [1] * 3)
    assert fit_temperature(logits, wanted) > 3


def test_onnx_says_what_torch_says(tmp_path):
    net = ReaderNet().eval()
    export_identifier(net, tmp_path / "identifier.onnx")
    crops = torch.rand(3, 3, 144, 96)
    compiled = openvino.Core().compile_model(
        str(tmp_path / "identifier.onnx"), "CPU", {"INFERENCE_PRECISION_HINT": "f32"}
    )
    found = compiled(crops.numpy())
    with torch.no_grad():
        wanted = net(crops)
    for name in [*CLASSES, "embedding", "corners"]:
        assert np.abs(found[name] - wanted[name].numpy()).max() < 1e-3


@pytest.mark.slow
def test_training_writes_a_model_with_its_card_and_resumes(tmp_path):
    recipe = IdentifierRecipe(steps=3, batch=8, validation_crops=40, checkpoint_every=2)
    train_identifier(
        recipe, "hash", tmp_path / "recipe.yaml", tmp_path / "runs", tmp_path / "models", "referee train identifier"
    )
    card = json.loads((tmp_path / "models" / "identifier.json").read_text())
    assert card["sha256"] == sha256(tmp_path / "models" / "identifier.onnx")
    assert card["recipe_sha256"] == "hash"
    assert set(card["temperature"]) == set(CLASSES)
    assert torch.load(tmp_path / "runs" / "identifier" / "last.pt", weights_only=False)["step"] == 3
    scores = train_identifier(recipe, "hash", tmp_path / "recipe.yaml", tmp_path / "runs", tmp_path / "models", "again")
    assert scores == card["scores"]["validation on held-out art"]


@pytest.mark.slow
def test_training_on_scenes_mines_them_for_what_looks_like_cards(tmp_path):
    scene = "scene: {width_px: [160, 160], height_px: [160, 160]}\n"
    splits = "splits:\n  train: {count: 12, seed: 0}\n  val: {count: 8, seed: 10000000, heldout: true}\n"
    (tmp_path / "scenes.yaml").write_text(scene + splits, encoding="utf-8")
    recipe = IdentifierRecipe(
        steps=2, batch=8, validation_crops=40, scenes="scenes.yaml", scene_share=0.9, mined_scenes=12
    )
    places = tmp_path / "recipe.yaml", tmp_path / "runs", tmp_path / "models"
    train_identifier(recipe, "hash", *places, "referee train identifier")
    (kept,) = (tmp_path / "runs" / "scenes").rglob("hard_train.json")
    assert json.loads(kept.read_text())["made_by"]["scenes"] == 12
    with pytest.raises(RecipeError, match="mined_scenes: there is nothing to look at"):
        train_identifier(replace(recipe, scenes=""), "hash", *places, "referee train identifier")


def test_the_mean_of_two_networks_is_kept_and_its_normalisations_fit_the_crops():
    torch.manual_seed(3)
    first, second = ReaderNet().eval(), ReaderNet().eval()
    crops = torch.rand(125, 3, 144, 96)
    mixed = mix_weights(first, second, 0.25, [crops])
    wanted = 0.25 * first.embed.weight + 0.75 * second.embed.weight
    torch.testing.assert_close(mixed.embed.weight, wanted)
    with torch.no_grad():
        brought = mixed.features[0].conv(crops - 0.5)
    torch.testing.assert_close(mixed.features[0].bn.running_mean, brought.mean((0, 2, 3)), rtol=1e-3, atol=1e-4)
    assert not mixed.training


def test_training_goes_on_from_an_exported_reader():
    models = Path(__file__).parents[2] / "models"
    recipe = IdentifierRecipe(steps=1, start="identifier.onnx")
    source = iter(Crops(5, heldout=True))
    crops, wanted, _, _ = zip(*(next(source) for _ in range(100)), strict=True)
    scores = accuracy(predict(begin(recipe, models, torch.stack(crops)), torch.stack(crops)), torch.stack(wanted))
    assert scores["color"] > 0.95
    with pytest.raises(RecipeError, match="can't be trained on"):
        begin(replace(recipe, start="detector.onnx"), models, torch.stack(crops))
    with pytest.raises(RecipeError, match="keep: there are no weights"):
        begin(replace(recipe, start="", keep=0.5), models, torch.stack(crops))
