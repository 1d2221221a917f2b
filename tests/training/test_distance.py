"""The distance between scenes and photographs: told in one line what is wrong; resumed; and measured for real."""

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from ultralytics import YOLO

from referee.cli import main
from referee.synth.effects import EFFECTS
from referee.synth.scene import SceneSpec, make_scene
from referee.training.distance import BARE, DistanceRun, variants


@pytest.fixture
def photos(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    scene = make_scene(SceneSpec(table=0, photo=1, empty=0, width_px=(160, 160), height_px=(160, 160)), 1)
    cv2.imwrite(str(folder / "a.jpg"), scene.image)
    cards = [{"quad": (card.quad_px + 0.5).tolist(), "visible": card.visible} for card in scene.cards]
    (folder / "cards.json").write_text(json.dumps([{"image": "a.jpg", "cards": cards}]))
    return folder


def run(photos, out, *more):
    return CliRunner().invoke(main, ["evaluate", "distance", "--photos", str(photos), "--out", str(out), *more])


def test_what_is_trained_has_a_name_and_leaves_out_what_it_says():
    names = variants(("hands", "light"))
    assert names == {"everything": (), "bare": BARE, "without hands": ("hands",), "without light": ("light",)}
    assert set(BARE) < set(EFFECTS)
    spec = DistanceRun(image_px=320).spec(("hands",))
    assert spec.width_px == (320, 320)
    assert spec.without == ("hands",)
    assert spec.photo_card_px == (12.5, 160.0)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--effects", "rain"], "no effect 'rain': choose from shadows, hands"),
        (["--size", "333"], "a multiple of 32"),
        (["--data", "nowhere.yaml"], "nowhere.yaml: give the data.yaml"),
    ],
)
def test_impossible_wishes_are_told_in_one_line(photos, tmp_path, more, said):
    done = run(photos, tmp_path / "out", *more)
    assert done.exit_code == 1
    assert said in done.output
    assert "Traceback" not in done.output


def test_a_folder_without_truth_and_results_of_other_settings_are_refused(photos, tmp_path):
    done = run(tmp_path, tmp_path / "out")
    assert done.exit_code == 1
    assert "give a folder that has one" in done.output
    (tmp_path / "out" / "results.json").write_text(json.dumps({"settings": {"scenes": 1}, "scores": {}}))
    done = run(photos, tmp_path / "out")
    assert done.exit_code == 1
    assert "other settings: choose another folder" in done.output
    (tmp_path / "out" / "results.json").write_text("{")
    assert "remove it or choose another folder" in run(photos, tmp_path / "out").output


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # ultralytics uses what torch is about to drop
def test_small_detectors_are_trained_tested_and_kept(photos, tmp_path):
    YOLO("yolo26n-obb.yaml", task="obb").save(str(tmp_path / "start.pt"))
    small = ["--scenes", "16", "--epochs", "1", "--size", "128", "--start", str(tmp_path / "start.pt")]
    done = run(photos, tmp_path / "out", *small, "--effects", "hands")
    assert done.exit_code == 0, done.output
    record = json.loads((tmp_path / "out" / "results.json").read_text())
    assert list(record["scores"]) == ["everything", "bare", "without hands"]
    assert [item.name for item in (tmp_path / "out").iterdir()] == ["results.json"], "no data set is left"
    again = run(photos, tmp_path / "out", *small, "--effects", "hands")
    assert again.exit_code == 0
    assert "drawing" not in again.output, "what is known isn't measured again"
    assert np.isfinite([score["average_precision"] for score in record["scores"].values()]).all()
