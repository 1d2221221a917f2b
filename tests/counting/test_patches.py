import cv2
import numpy as np

from referee.counting.flat import FlatView
from referee.counting.likeness import Ground
from referee.counting.patches import find_patches
from referee.layout import Pose

CARD_MM = (57.0, 89.0)


def lay(*middles):
    """Give the ground of yellow cards on grey."""
    image = np.full((300, 400, 3), 90, np.uint8)
    for x, y in middles:
        cv2.rectangle(image, (x - 28, y - 44), (x + 28, y + 44), (40, 200, 220), -1)
    seen = np.full(image.shape[:2], 255, np.uint8)
    return Ground.of(FlatView(image, seen, 1.0, 0.0, 0.0, CARD_MM, 0.0, None, 1.0))


def test_a_card_that_nobody_found_is_doubted_once():
    ground = lay((80, 100), (200, 100), (320, 100))
    free = ground.free.copy()
    assert find_patches(ground, free, free) == []
    ground.paint(Pose(80.0, 100.0, 0.0), free, 0)
    assert len(find_patches(ground, free, free)) == 2
    untold = free.copy()
    ground.paint(Pose(200.0, 100.0, 0.0), untold, 0)
    (outline,) = find_patches(ground, free, untold)
    assert np.abs(outline.mean(axis=0) - (320, 100)).max() < 8
