"""Truth of scenes against an independent count, repeatability, and what each sort of scene contains."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.game.cards import Back, Face
from referee.synth.camera import look
from referee.synth.compose import Composer
from referee.synth.light import Light
from referee.synth.scene import SceneSpec, make_scene
from referee.synth.shapes import Placed, card_points, corners_mm
from referee.synth.stock import stock_for

BARE = {"arms": (0, 0), "clutter": (0, 0), "degrade": 0.0}


def outline_px(picture, at, camera):
    """Give the rounded outline of a card in the final picture, by formula: (N, 2) px."""
    width, length = picture.size_mm
    # The share that the corners take, (4 - pi) r^2, tells their radius.
    radius = np.sqrt((1 - picture.fill) * width * length / (4 - np.pi))
    angle = np.linspace(0, np.pi / 2, 7)
    points = []
    for sx, sy, turn in ((1, 1, 0), (-1, 1, 1), (-1, -1, 2), (1, -1, 3)):
        a = angle + turn * np.pi / 2
        x = sx * (width / 2 - radius) + radius * np.cos(a)
        y = sy * (length / 2 - radius) + radius * np.sin(a)
        points.append(np.stack([x / width + 0.5, y / length + 0.5], 1))
    ring = np.concatenate(points)
    dense = np.concatenate([ring + (np.roll(ring, -1, 0) - ring) * t for t in np.arange(8)[:, None, None] / 8], 1)
    u, v = dense.reshape(-1, 2).T
    order = np.argsort(np.arctan2(v - 0.5, u - 0.5))
    flat = corners_mm(picture.size_mm, at.x_mm, at.y_mm, at.angle_deg)
    heights = at.height_mm + np.asarray(at.lift_mm)
    spots = card_points(flat, heights, at.bend_mm, u[order], v[order])
    return camera.project(spots[:, :2], spots[:, 2])


@pytest.mark.parametrize("tilt_deg", [0.0, 35.0])
@pytest.mark.parametrize("k1", [0.0, -0.12])
def test_visible_share_agrees_with_an_independent_count(tilt_deg, k1):
    camera = look((640, 480), 1.2, 60, tilt_deg, 20.0, lens=(k1, -0.2 * k1))
    rng = np.random.default_rng(5)
    composer = Composer(camera, Light.sample(rng, 500.0), rng)
    stock = stock_for(3)
    for number in range(14):
        x, y = rng.uniform(-230, 230, 2)
        at = Placed(x, y, rng.uniform(0, 360), number * 0.3, bend_mm=4.0 if number % 5 == 0 else 0.0)
        composer.card(stock.face(0, Face.parse("R7")), at)
    _, ids = composer.finish()
    # Paint the outlines, four times finer, in the same order, on a field wider than the picture.
    zoom, border = 4, 400
    fine = np.zeros(((480 + 2 * border) * zoom, (640 + 2 * border) * zoom), np.uint8)
    totals = []
    for number, (picture, at) in enumerate(composer.cards, 1):
        points = (outline_px(picture, at, camera) + 0.5 + border) * zoom - 0.5
        alone = np.zeros_like(fine)
        cv2.fillPoly(alone, [np.round(points).astype(np.int32)], 1)
        totals.append(int(alone.sum()))
        fine[alone > 0] = number
    seen = fine[border * zoom : (border + 480) * zoom, border * zoom : (border + 640) * zoom]
    count = np.bincount(ids.ravel(), minlength=15)
    for number in range(1, 15):
        wanted = (seen == number).sum() / totals[number - 1]
        assert count[number] / composer.area_px(number) == pytest.approx(wanted, abs=0.02)


@pytest.mark.parametrize("k1", [0.0, -0.12, 0.06])
def test_quad_agrees_with_what_is_drawn_within_half_a_pixel(k1):
    """Fits lines to the drawn edges of a lone card and compares their crossings with the truth."""
    camera = look((960, 960), 2.0, 65, 30.0, 33.0, lens=(k1, -0.2 * k1))
    rng = np.random.default_rng(1)
    for x, y in ((0.0, 0.0), (90.0, 60.0), (-80.0, 70.0)):
        composer = Composer(camera, Light.sample(rng, 300.0), rng)
        ident = composer.card(stock_for(3).face(0, Face.parse("B10")), Placed(x, y, 25.0, 0.3))
        _, ids = composer.finish()
        quad = composer.quad_px(ident).astype(float)
        rows, columns = np.nonzero(ids == ident)
        center = quad.mean(0)
        for first, second in zip(quad, np.roll(quad, -1, 0), strict=True):
            along = (second - first) / np.linalg.norm(second - first)
            normal = np.array([along[1], -along[0]])
            if normal @ (center - first) > 0:
                normal = -normal
            offset = np.stack([columns, rows], 1) - first
            place = offset @ along / np.linalg.norm(second - first)
            distance = offset @ normal
            # The outermost pixel centre of each piece of the edge lies about 0.1 px inside it.
            edges = np.linspace(0.2, 0.8, 13)
            outer = [distance[(place >= a) & (place < b)].max() for a, b in zip(edges, edges[1:], strict=False)]
            bulge = camera.project(*_edge_middle(x, y, composer, ident, first, second))[0] - first
            assert abs(float(np.mean(outer)) - 0.85 * float(bulge @ normal) + 0.1) < 0.5
        assert cv2.contourArea(quad.astype(np.float32)) == pytest.approx(composer.area_px(ident), rel=0.03)


def _edge_middle(x, y, composer, ident, first, second):
    picture, at = composer.cards[ident - 1]
    flat = corners_mm(picture.size_mm, at.x_mm, at.y_mm, at.angle_deg)
    quad = composer.quad_px(ident)
    a, b = (int(np.argmin(np.linalg.norm(quad - p, axis=1))) for p in (first, second))
    return ((flat[a] + flat[b]) / 2)[None], at.height_mm


def test_quad_follows_from_pose_and_homography():
    spec = SceneSpec(table=0, photo=1, empty=0, lens=0.0, **BARE)
    for seed in range(3):
        scene = make_scene(spec, seed)
        for card in scene.cards:
            mm = cv2.perspectiveTransform(card.quad_px[None].astype(float), np.linalg.inv(scene.px_from_mm))[0]
            sides = np.linalg.norm(mm - np.roll(mm, -1, 0), axis=1)
            if card.visible > 0.9 and sides.max() < 100:
                assert sides[0] == pytest.approx(sides[2], rel=0.12)
                assert sides[1] / sides[0] == pytest.approx(89 / 57, rel=0.2)


def test_same_seed_same_bytes_whatever_was_drawn_before():
    spec = SceneSpec(width_px=(320, 320), height_px=(256, 320))
    stock_for.cache_clear()
    first = make_scene(spec, 1003)
    stock_for.cache_clear()
    for seed in (1000, 5, 1001):
        make_scene(spec, seed)
    again = make_scene(spec, 1003)
    assert first.image.tobytes() == again.image.tobytes()
    assert [c.quad_px.tobytes() for c in first.cards] == [c.quad_px.tobytes() for c in again.cards]
    assert first.image.tobytes() != make_scene(spec, 1004).image.tobytes()


def test_sorts_hold_what_they_promise():
    empty = make_scene(SceneSpec(table=0, photo=0, empty=1), 3)
    assert empty.sort == "empty"
    table = make_scene(SceneSpec(table=1, photo=0, empty=0, seats=(4, 4), ordinary=0.0), 8)
    piles = {card.pile for card in table.cards if card.pile}
    assert {pile.split(".")[0] for pile in piles if pile.startswith("s")} == {"s1", "s2", "s3", "s4"}
    for card in table.cards:
        assert 0.0 <= card.visible <= 1.0
        if card.label is not None:
            parsed = Back.parse(card.label) if card.kind == "back" else Face.parse(card.label)
            assert str(parsed) == card.label
    buried = [c for c in table.cards if not c.on_top]
    assert buried
    assert min(c.visible for c in buried) < 0.3


def test_heldout_scenes_use_other_art_and_tables():
    from referee.synth.art import HELD_OUT
    from referee.synth.surfaces import HELDOUT_KINDS

    stock = stock_for(4, True)
    assert any(style.family in HELD_OUT for style in stock.styles)
    assert all(style.heldout for style in stock.styles)
    assert set(stock._kinds) <= set(HELDOUT_KINDS)
    assert not set(stock_for(4)._kinds) & set(HELDOUT_KINDS)


def test_clutter_and_arms_change_nothing_else():
    spec = SceneSpec(table=0, photo=1, empty=0, degrade=0.0, width_px=(320, 320), height_px=(320, 320))
    seeds = range(1000, 1005)
    full = [make_scene(spec, seed) for seed in seeds]
    bare = [make_scene(replace(spec, clutter=(0, 0), arms=(0, 0)), seed) for seed in seeds]
    for one, other in zip(full, bare, strict=True):
        loose = [card.quad_px for card in other.cards]
        kept = [card.quad_px for card in one.cards[: len(loose)]]
        assert all(np.array_equal(a, b) for a, b in zip(loose, kept, strict=True))
    assert sum((scene.ids == -1).mean() for scene in full) > sum((scene.ids == -1).mean() for scene in bare) == 0
