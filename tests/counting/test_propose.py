from dataclasses import replace

import numpy as np
import pytest

from referee.counting.propose import Details, vote
from referee.layout import Pose

DETAILS = 30


def _random(count: int, span_mm: float, seed: int) -> Details:
    rng = np.random.default_rng(seed)
    descriptors = np.abs(rng.normal(size=(count, 128))).astype(np.float32) ** 3
    descriptors /= np.linalg.norm(descriptors, axis=1, keepdims=True)
    points = rng.uniform(-span_mm, span_mm, (count, 2)).astype(np.float32)
    return Details(points, rng.uniform(0, 360, count).astype(np.float32), np.full(count, 3, np.float32), descriptors)


def _laid(design: Details, pose: Pose, shown: int) -> Details:
    c, s = np.cos(np.radians(pose.angle_deg)), np.sin(np.radians(pose.angle_deg))
    points = design.points[:shown] @ np.array([[c, s], [-s, c]], np.float32) + np.float32([pose.x_mm, pose.y_mm])
    angles = (design.angle_deg[:shown] + pose.angle_deg) % 360
    return Details(points.astype(np.float32), angles, design.size_mm[:shown], design.descriptors[:shown])


def _together(parts: list[Details]) -> Details:
    names = ("points", "angle_deg", "size_mm", "descriptors")
    return Details(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def test_every_card_of_a_design_is_voted_for_once_the_clearest_first():
    design = _random(DETAILS, 28, 1)
    poses = [Pose(100, 100, 10), Pose(130, 100, 355), Pose(300, 220, 180), Pose(40, 250, 92)]
    shown = [30, 20, 14, 9]
    table = _together([_laid(design, pose, n) for pose, n in zip(poses, shown, strict=True)] + [_random(400, 400, 2)])
    votes = vote(table, design)
    assert [item.details for item in votes] == shown
    for item, pose in zip(votes, poses, strict=True):
        assert (item.pose.x_mm, item.pose.y_mm) == pytest.approx((pose.x_mm, pose.y_mm), abs=0.1)
        assert (item.pose.angle_deg - pose.angle_deg + 180) % 360 == pytest.approx(180, abs=0.1)


def test_a_few_details_speak_for_no_card():
    design = _random(DETAILS, 28, 1)
    assert vote(_together([_laid(design, Pose(50, 50, 0), 7), _random(400, 400, 2)]), design) == []


def test_a_card_that_lies_a_hair_before_the_full_turn_is_voted_for():
    design = _random(DETAILS, 28, 1)
    table = _laid(design, Pose(50, 50, 0), 20)
    design = replace(design, angle_deg=np.zeros(DETAILS, np.float32))
    table = replace(table, angle_deg=np.full(20, -1e-6, np.float32))
    assert (table.angle_deg % 360 == 360).all(), "float32 rounds it up to the full turn"
    (item,) = vote(table, design)
    assert item.details == 20
