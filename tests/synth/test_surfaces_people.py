"""Surfaces, things and arms: every kind can be drawn, is repeatable, has texture, and refuses what it doesn't know."""

import numpy as np
import pytest

from referee.synth import clutter, surfaces
from referee.synth.degrade import Degradation, degrade, disc, streak
from referee.synth.light import Light, tint
from referee.synth.people import POSES, Arm
from referee.synth.surfaces import surface


@pytest.mark.parametrize("kind", surfaces.KINDS)
def test_surface(kind):
    image = surface(kind, (96, 64), 1.0, np.random.default_rng(3))
    assert (image.shape, image.dtype) == ((64, 96, 3), np.uint8)
    assert np.array_equal(image, surface(kind, (96, 64), 1.0, np.random.default_rng(3)))
    others = [surface(kind, (96, 64), 1.0, np.random.default_rng(seed)) for seed in (4, 5)]
    assert any(np.abs(image.mean((0, 1)) - other.mean((0, 1))).max() > 2 for other in others)


@pytest.mark.parametrize("kind", clutter.KINDS)
def test_thing(kind):
    item = clutter.thing(kind, 1.0, np.random.default_rng(8))
    assert item.picture.dtype == np.uint8
    assert item.picture.shape[2] == 4
    assert (item.picture[..., 3] > 20).any()
    assert item.height_mm > 0
    assert item.copies >= 1


def test_unknown_kinds_are_named():
    with pytest.raises(ValueError, match="no surface 'lava': use wood"):
        surface("lava", (8, 8), 1.0, np.random.default_rng(0))
    with pytest.raises(ValueError, match="no thing 'cat': use chip"):
        clutter.thing("cat", 1.0, np.random.default_rng(0))
    with pytest.raises(ValueError, match="no pose 'wave': use flat"):
        Arm(np.random.default_rng(0)).sprite("wave")


@pytest.mark.parametrize("pose", POSES)
def test_arm_covers_the_way_from_its_owner_to_its_tip(pose):
    canvas = np.full((240, 240, 3), 90, np.uint8)
    before = canvas.copy()
    covered = Arm(np.random.default_rng(2)).draw(canvas, (120, 400), (120, 60), 1.0, pose)
    assert covered[235].any()
    assert not covered[:20].any()
    rows = np.flatnonzero(covered.any(1))
    assert abs(rows[0] - 60) < 45
    assert np.array_equal(canvas[covered == 0], before[covered == 0])
    skin = canvas[covered == 255].astype(int)
    assert skin.std(0).min() > 4


def test_only_a_pinch_has_a_thumb_over_the_card():
    arm = Arm(np.random.default_rng(5))
    assert arm.sprite("pinch", 1.0).over[..., 3].any()
    assert not arm.sprite("flat", 1.0).over[..., 3].any()


def test_people_differ_in_skin():
    tones = [Arm(np.random.default_rng(seed)).skin.mean() for seed in range(40)]
    assert max(tones) > 4 * min(tones)


def test_warm_light_is_redder_than_daylight():
    warm, cold = tint(2700), tint(6500)
    assert warm[2] / warm[0] > 2
    assert cold[2] / cold[0] < 1


def test_a_higher_thing_throws_a_longer_shadow():
    light = Light.sample(np.random.default_rng(1), 500.0)
    assert np.hypot(*light.shadow_mm(40)) == pytest.approx(4 * np.hypot(*light.shadow_mm(10)))


@pytest.mark.parametrize("kernel", [disc(2.5), streak(9.0, 30.0)])
def test_blur_kernels_are_centred(kernel):
    y, x = np.indices(kernel.shape) - kernel.shape[0] // 2
    assert kernel.sum() == pytest.approx(1, abs=1e-5)
    assert float((kernel * x).sum()) == pytest.approx(0, abs=1e-4)
    assert float((kernel * y).sum()) == pytest.approx(0, abs=1e-4)


def test_exposure_noise_and_jpeg_do_what_they_say():
    grey = np.full((64, 64, 3), 128, np.uint8)
    rng = np.random.default_rng(0)
    assert degrade(grey, Degradation(exposure=0.3), rng).mean() < 90
    assert degrade(grey, Degradation(exposure=2.0), rng).mean() > 160
    assert degrade(grey, Degradation(noise=10), rng).std() > 4
    assert degrade(grey, Degradation(), rng).std() == 0
    edges = np.zeros((64, 64, 3), np.uint8)
    edges[:, 29:] = 255
    assert np.abs(degrade(edges, Degradation(jpeg=10), rng).astype(int) - edges).max() > 10
