from pathlib import Path

import pytest

from referee.training.recipe import DetectorRecipe, IdentifierRecipe, RecipeError, load_recipe

DATASETS = Path(__file__).parents[2] / "datasets"


def write(folder: Path, text: str) -> Path:
    path = folder / "recipe.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_shipped_recipes_are_read():
    reader, digest = load_recipe(DATASETS / "identifier.yaml", IdentifierRecipe)
    assert reader.steps > 1000
    assert len(digest) == 64
    finder, _ = load_recipe(DATASETS / "detector.yaml", DetectorRecipe)
    assert (DATASETS / finder.data).exists()


def test_what_is_not_written_has_its_default(tmp_path):
    recipe, _ = load_recipe(write(tmp_path, "steps: 10\n"), IdentifierRecipe)
    assert recipe == IdentifierRecipe(steps=10)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("steps: 10\nstep: 3\n", "unknown key 'step'"),
        ("batch: 10\n", "'steps' is missing"),
        ("steps: many\n", "steps: a value of type int"),
        ("steps: true\n", "steps: a value of type int"),
        ("steps: -1\n", "below zero"),
        ("- 1\n", "a table of keys"),
        ("steps: [1\n", "no valid YAML"),
    ],
)
def test_a_bad_recipe_says_what_is_wrong(tmp_path, text, said):
    with pytest.raises(RecipeError, match=said):
        load_recipe(write(tmp_path, text), IdentifierRecipe)


def test_a_missing_recipe_names_its_path(tmp_path):
    with pytest.raises(RecipeError, match="nowhere.yaml"):
        load_recipe(tmp_path / "nowhere.yaml", IdentifierRecipe)
