"""Every effect can be left out and changes only itself; held-out light, spreads to count and look-alikes are there."""

from dataclasses import replace

import numpy as np
import pytest

from referee.synth import clutter
from referee.synth.degrade import film
from referee.synth.effects import EFFECTS
from referee.synth.light import HELDOUT_PATTERNS, Light
from referee.synth.scene import SceneSpec, make_scene
from referee.synth.stock import stock_for

PHOTO = SceneSpec(
    table=0, photo=1, empty=0, width_px=(256, 256), height_px=(256, 256), photo_card_px=(40, 60), ordinary=0.0,
    photo_tilt_deg=(40.0, 40.0), clutter=(5, 5),
)  # fmt: skip
SEEDS = range(2000, 2006)


def quads(scene):
    return [card.quad_px.round(3).tolist() for card in scene.cards]


@pytest.mark.parametrize("effect", ["shadows", "clutter", "light", "faults", "printings", "tables"])
def test_a_scene_without_an_effect_is_the_same_scene_otherwise(effect):
    changed = 0
    for seed in (2000, 2001, 2200, 2400, 2600):  # of four blocks, so of four sets of tables
        whole, less = make_scene(PHOTO, seed), make_scene(replace(PHOTO, without=(effect,)), seed)
        assert quads(whole)[: len(quads(less))] == quads(less)
        changed += not np.array_equal(whole.image, less.image)
    assert changed >= 3


def test_what_is_left_out_is_not_there():
    assert set(EFFECTS) >= {"hands", "shadows", "light", "clutter", "faults", "photos", "tables", "printings"}
    spec = replace(PHOTO, arms=(0, 5), degrade=0.0)
    for seed in SEEDS:
        bare = make_scene(replace(spec, without=("hands", "clutter")), seed)
        assert not (bare.ids == -1).any()
    mixed = SceneSpec(width_px=(128, 128), height_px=(128, 128), count=0.3)
    sorts = {make_scene(replace(mixed, without=("photos", "negatives")), seed).sort for seed in range(30)}
    assert sorts == {"table", "count"}
    kinds = {style.family for style in stock_for(3, False, ("printings",)).styles}
    assert kinds == {"classic"}


def test_no_shadow_means_no_darker_table():
    spec = replace(PHOTO, degrade=0.0, clutter=(0, 0), arms=(0, 0))
    with_shadow = sum(float(make_scene(spec, seed).image.mean()) for seed in SEEDS)
    without = sum(float(make_scene(replace(spec, without=("shadows",)), seed).image.mean()) for seed in SEEDS)
    assert without > with_shadow


def test_only_held_out_scenes_have_held_out_light():
    rng = np.random.default_rng(0)
    assert all(Light.sample(rng, 500.0).pattern is None for _ in range(200))
    held = [Light.sample(rng, 500.0).held_out(np.random.default_rng(i)).pattern for i in range(200)]
    assert set(held) == {None, *HELDOUT_PATTERNS}
    assert 70 < held.count(None) < 130


@pytest.mark.parametrize("pattern", HELDOUT_PATTERNS)
def test_held_out_light_is_uneven_and_repeatable(pattern):
    light = replace(Light.sample(np.random.default_rng(1), 500.0), pattern=pattern)
    field = light.field((160, 120), np.random.default_rng(2))
    assert field.shape == (120, 160, 3)
    assert field.min() > 0
    assert field.max() > 1.25 * field.min()
    assert np.array_equal(field, light.field((160, 120), np.random.default_rng(2)))


def test_decks_spread_to_be_counted_show_every_card():
    spec = SceneSpec(
        table=0, photo=0, empty=0, count=1, arms=(0, 0), clutter=(0, 0), seats=(2, 8), table_tilt_deg=(0.0, 0.0),
        width_px=(640, 640), height_px=(640, 640), count_card_px=(24.0, 30.0), degrade=0.0, lens=0.0,
    )  # fmt: skip
    cards = 0
    backs = 0
    for seed in range(4000, 4006):
        scene = make_scene(spec, seed)
        inside = [c for c in scene.cards if (c.quad_px > 4).all() and (c.quad_px < 636).all()]
        cards += len(inside)
        backs += sum(card.kind == "back" for card in inside)
        # Neighbouring heaps may run into each other; within one every card shows.
        assert np.mean([card.visible > 0.4 for card in inside]) > 0.9
    assert cards > 150
    assert backs > cards / 4


@pytest.mark.parametrize("kind", clutter.LIKE_CARDS)
def test_look_alikes_are_oblong_and_repeatable(kind):
    first, again = (clutter.thing(kind, 1.0, np.random.default_rng(4)).picture for _ in range(2))
    assert np.array_equal(first, again)
    assert (first[..., 3] > 127).mean() > 0.6


def test_negatives_hold_look_alikes_and_no_laid_card():
    spec = SceneSpec(table=0, photo=0, empty=1, arms=(0, 0), width_px=(192, 192), height_px=(192, 192))
    covered = []
    for seed in range(5000, 5012):
        scene = make_scene(spec, seed)
        assert scene.cards == ()
        covered.append((scene.ids == -1).mean())
    assert np.mean(covered) > 0.1


def test_close_pictures_get_finer_art():
    near = SceneSpec(
        table=0, photo=1, empty=0, width_px=(1280, 1280), height_px=(960, 960), photo_card_px=(600.0, 600.0),
        arms=(0, 0), clutter=(0, 0), photo_cards=(1, 1), degrade=0.0, photo_tilt_deg=(0.0, 0.0),
    )  # fmt: skip
    scene = make_scene(near, 77)
    edge = np.abs(np.diff(scene.image.astype(int).mean(2), axis=1))
    # A print enlarged two and a half times has no step this sharp inside a card.
    assert edge[scene.ids[:, 1:] > 0].max() > 90


def test_h264_costs_detail_and_gives_the_same_bytes():
    image = np.random.default_rng(0).integers(0, 255, (64, 96, 3), dtype=np.uint8)
    poor, good = film(image, 40), film(image, 20)
    assert poor.shape == image.shape
    assert np.array_equal(poor, film(image, 40))
    assert np.abs(poor.astype(int) - image).mean() > np.abs(good.astype(int) - image).mean()
