"""Data sets: format, truth, repeatability, and recipes that can't be."""

import json
from collections import namedtuple
from contextlib import contextmanager

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.synth import dataset, viewer
from referee.synth.dataset import (
    LABEL_VISIBLE,
    DatasetError,
    Split,
    ensure_dataset,
    load_recipe,
    obb_lines,
    parse_spec,
    write_dataset,
    write_splits,
)
from referee.synth.scene import SceneSpec, make_scene

SMALL = SceneSpec(width_px=(160, 192), height_px=(128, 160), table_card_px=(12, 20), photo_card_px=(20, 50))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "set"
    write_splits((Split("train", 5, 126, SMALL), Split("test", 3, 9000, SMALL, 8)), path, workers=2, progress=False)
    return path


def test_every_picture_has_its_labels_and_its_truth(folder):
    for split, count in (("train", 5), ("test", 3)):
        scenes = json.loads((folder / f"truth_{split}.json").read_text())["scenes"]
        assert len(scenes) == count
        for scene in scenes:
            image = cv2.imread(str(folder / scene["image"]))
            assert list(image.shape[1::-1]) == scene["size_px"]
            labels = (
                (folder / scene["image"].replace("images", "labels").replace(".jpg", ".txt")).read_text().split("\n")
            )
            wanted = [card for card in scene["cards"] if card["visible"] >= LABEL_VISIBLE]
            assert len(labels) - 1 == len(wanted)
            for line, card in zip(labels, wanted, strict=False):
                kind, *numbers = line.split()
                assert ("face", "back")[int(kind)] == card["kind"]
                points = np.array(numbers, float).reshape(-1, 2)
                assert points.min() >= 0
                assert points.max() <= 1
                quad = (np.array(card["quad"]) + 0.5) / scene["size_px"]
                if quad.min() >= 0 and quad.max() <= 1:
                    assert points == pytest.approx(quad, abs=2e-5)
    text = (folder / "data.yaml").read_text()
    assert "0: face" in text
    assert "test: images/test" in text


def test_splits_in_several_processes_hold_the_scenes_of_their_seeds(folder):
    for split, seed in (("train", 128), ("test", 9008)):
        scene = make_scene(SMALL, seed)
        text = (folder / "labels" / split / f"{seed:08d}.txt").read_text()
        assert text.splitlines() == obb_lines(scene)
        assert list((folder / "images" / split).glob(f"{seed:08d}.jpg"))


def test_a_taken_folder_is_left_alone_and_nothing_stays_behind(folder, tmp_path):
    with pytest.raises(DatasetError, match="exists already"):
        write_dataset(SMALL, folder, 1, 0, workers=1)
    (tmp_path / "file").write_text("x")
    with pytest.raises(DatasetError, match="exists already"):
        write_dataset(SMALL, tmp_path / "file", 1, 0, workers=1)
    with pytest.raises(DatasetError, match="can't be written"):
        write_dataset(SMALL, tmp_path / "file" / "below", 1, 0, workers=1)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file"]


def test_a_full_disk_leaves_no_data_set(monkeypatch, tmp_path):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(dataset.shutil, "disk_usage", lambda path: usage(10**9, 10**9, 1000))
    with pytest.raises(DatasetError, match="GB are needed and 0.0 GB are free"):
        write_dataset(SMALL, tmp_path / "set", 40, 0, workers=1)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_while_drawing_leaves_no_data_set(tmp_path):
    with no_file_over(3_000), pytest.raises(DatasetError, match="can't be written: File too large"):
        write_dataset(SMALL, tmp_path / "set", 4, 0, workers=1)
    assert list(tmp_path.iterdir()) == []


@contextmanager
def no_file_over(most_bytes):
    """Let the system refuse to write more into any file: what a full disk does, only with another number."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_an_interrupted_drawing_leaves_no_data_set(monkeypatch, tmp_path):
    def stop(spec, seed):
        if seed == 2:
            raise KeyboardInterrupt
        return make_scene(spec, seed)

    monkeypatch.setattr(dataset, "make_scene", stop)
    with pytest.raises(KeyboardInterrupt):
        write_splits((Split("train", 4, 0, SMALL),), tmp_path / "set", 1, False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"cloutter": [0, 1]}, "unknown key 'cloutter'"),
        ({"arms": [3, 1]}, "swap them"),
        ({"arms": [0, 1.5]}, "two whole numbers"),
        ({"arms": 3}, "lowest, highest"),
        ({"photo_tilt_deg": [0, 89]}, "only 0 to 70"),
        ({"photo_card_px": [float("nan"), 10]}, "lowest, highest"),
        ({"ordinary": 1.5}, "only 0 to 1"),
        ({"heldout": 1}, "true or false"),
        ({"table": "much"}, "write a number"),
        ({"table": 0, "photo": 0, "empty": 0}, "nothing would be drawn"),
        ({"without": ["hands", "feet"]}, "write a list of shadows, hands"),
        ({"without": "hands"}, "write a list of shadows"),
        ({"table": 0, "empty": 0, "without": ["photos"]}, "nothing would be drawn"),
    ],
)
def test_impossible_specs_are_refused_with_the_reason(record, said):
    with pytest.raises(DatasetError, match=said):
        parse_spec(record)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("splits: [", "no valid YAML"),
        ("splits: {}", "with train, val or test"),
        ("scene: {}\nsplits: {train: {count: 1, seed: 0}}\nmore: 1", "unknown key 'more'"),
        ("splits: {drain: {count: 1, seed: 0}}", "call it train"),
        ("splits: {train: {count: 0, seed: 0}}", "count"),
        ("splits: {train: {count: 1, seed: -1}}", "seed"),
        ("splits: {train: {count: 1, seed: 0, step: 0}}", "step"),
        ("splits: {train: {count: 1, seed: 0, tables: 1}}", "unknown key 'tables'"),
        ("splits: {train: {count: 10, seed: 0}, val: {count: 1, seed: 12}}", "share scenes"),
    ],
)
def test_impossible_recipes_are_refused_with_the_place(tmp_path, text, said):
    path = tmp_path / "recipe.yaml"
    path.write_text(text)
    with pytest.raises(DatasetError, match=said) as error:
        load_recipe(path)
    assert str(path) in str(error.value)


def test_a_missing_recipe_is_an_error_of_one_line(tmp_path):
    with pytest.raises(DatasetError, match="No such file"):
        load_recipe(tmp_path / "none.yaml")


def test_the_shipped_recipe_holds_out_art_and_tables(pytestconfig):
    splits = {split.name: split for split in load_recipe(pytestconfig.rootpath / "datasets" / "scenes.yaml")}
    assert set(splits) == {"train", "val", "test"}
    assert not splits["train"].spec.heldout
    assert splits["val"].spec.heldout
    assert splits["test"].spec.heldout
    assert splits["test"].count >= 500


def test_a_recipe_is_drawn_once(tmp_path):
    recipe = tmp_path / "few.yaml"
    recipe.write_text("scene: {width_px: [128, 128], height_px: [128, 128]}\nsplits: {train: {count: 2, seed: 5}}")
    data = ensure_dataset(recipe, tmp_path / "runs", workers=1)
    before = data.stat().st_mtime_ns
    assert ensure_dataset(recipe, tmp_path / "runs", workers=1) == data
    assert data.stat().st_mtime_ns == before
    recipe.write_text("scene: {width_px: [128, 128], height_px: [128, 128]}\nsplits: {train: {count: 2, seed: 6}}")
    assert ensure_dataset(recipe, tmp_path / "runs", workers=1) != data


def test_the_viewer_draws_truth_and_says_what_is_wrong(folder, tmp_path):
    result = CliRunner().invoke(viewer.main, ["truth", str(folder), "train", "--out", str(tmp_path / "seen")])
    assert result.exit_code == 0, result.output
    drawn = sorted((tmp_path / "seen").glob("*.jpg"))
    assert len(drawn) == 5
    changed = [
        np.abs(cv2.imread(str(p)).astype(int) - cv2.imread(str(folder / "images" / "train" / p.name))).max() > 60
        for p in drawn
    ]
    assert any(changed)
    result = CliRunner().invoke(viewer.main, ["truth", str(tmp_path), "train", "--out", str(tmp_path)])
    assert result.exit_code == 1
    assert "give the folder of a data set" in result.output
    (tmp_path / "truth_train.json").write_text('{"scenes": [{}]}')
    result = CliRunner().invoke(viewer.main, ["truth", str(tmp_path), "train", "--out", str(tmp_path)])
    assert result.exit_code == 1
    assert "damaged" in result.output


def test_a_contact_sheet_stays_below_its_size(tmp_path):
    image = np.random.default_rng(0).integers(0, 255, (300, 300, 3), np.uint8)
    viewer.save_jpeg(image, tmp_path / "a.jpg", 90_000)
    assert (tmp_path / "a.jpg").stat().st_size < 90_000
    with pytest.raises(ValueError, match="too few"):
        viewer.save_jpeg(image, tmp_path / "b.jpg", 5000)
