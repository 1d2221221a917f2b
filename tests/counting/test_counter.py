import cv2
import numpy as np

from referee.counting.counter import _patches
from referee.counting.flat import FlatView
from referee.counting.likeness import Fit, Ground
from referee.counting.peel import Taken
from referee.layout import Pose

CARD_MM = (57.0, 89.0)


def lay(*middles):
    """Give a flat view of yellow cards on grey with their ground."""
    image = np.full((300, 400, 3), 90, np.uint8)
    for x, y in middles:
        cv2.rectangle(image, (x - 28, y - 44), (x + 28, y + 44), (40, 200, 220), -1)
    view = FlatView(image, np.full(image.shape[:2], 255, np.uint8), 1.0, 0.0, 0.0, CARD_MM, 0.0, None, 1.0)
    return view, Ground.of(view)


def test_a_card_that_nobody_found_is_doubted_once():
    view, ground = lay((80, 100), (200, 100), (320, 100))
    taken = Taken(Pose(80.0, 100.0, 0.0), 0, Fit(1.0, 1.0, False, 1.0), 1.0, np.ones((89, 57), bool))
    free = ground.free.copy()
    ground.paint(taken.pose, free, 0)
    untold = free.copy()
    ground.paint(Pose(200.0, 100.0, 0.0), untold, 0)
    (doubt,) = _patches(view, ground, [taken], free, untold)
    assert np.abs(doubt.outline_px.mean(axis=0) - (320, 100)).max() < 8
    assert len(_patches(view, ground, [taken], free, free)) == 2
    assert _patches(view, ground, [], free, free) == []
