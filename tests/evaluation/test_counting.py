import cv2
import numpy as np
import pytest

from referee.evaluation.counting import CountRecipeError, Outcome, load_backs, load_tasks, summarise


def outcome(true, counted, sure):
    return Outcome("spreads", 1, true, counted, 0, sure, 0)


def test_shipped_recipe_is_what_the_issue_asks(pytestconfig):
    tasks = {task.name: task for task in load_tasks(pytestconfig.rootpath / "datasets" / "spreads.yaml")}
    assert (tasks["spreads"].count, tasks["harder"].count, tasks["others"].count) == (60, 40, 8)
    assert all(task.spec.heldout for task in tasks.values())
    assert tasks["spreads"].spec.cards == (10, 40)
    assert tasks["spreads"].spec.visible == 0.5


def test_exact_sure_and_wrong_are_told_apart():
    right = outcome({"green-pump": 3, "red-plow": 0}, {"green-pump": 3}, True)
    doubtful = outcome({"green-pump": 3}, {"green-pump": 2}, False)
    wrong = outcome({"green-pump": 3}, {"green-pump": 3, "red-plow": 2}, True)
    assert [item.exact for item in (right, doubtful, wrong)] == [True, False, False]
    sums = summarise([right, doubtful, wrong])
    assert (sums["exact"], sums["sure"], sums["sure and wrong"], sums["cards off"]) == (1, 2, 1, 3)


def test_recipe_with_an_unknown_key_is_refused(tmp_path):
    (tmp_path / "a.yaml").write_text("spreads: {count: 1, seed: 1, colour: red}\n")
    with pytest.raises(CountRecipeError, match="unknown key 'colour'"):
        load_tasks(tmp_path / "a.yaml")


def test_backs_are_read_from_a_folder(tmp_path):
    with pytest.raises(CountRecipeError, match="at least two"):
        load_backs(tmp_path)
    for n in range(2):
        cv2.imwrite(str(tmp_path / f"{n}.png"), np.full((90, 64, 3), 60 + n, np.uint8))
    assert [back.size_mm for back in load_backs(tmp_path)] == [(63.5, 88.9)] * 2
