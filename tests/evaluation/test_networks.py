import numpy as np
import pytest

from referee.evaluation.networks import bench_networks, draw_tables, median_ms
from referee.vision.detector import YoloDetector
from referee.vision.identifier import CardReader


def test_tables_are_drawn_at_the_scale_of_a_table_of_1_2_m() -> None:
    [table] = draw_tables(1)
    assert table.image.shape == (704, 960, 3)
    widths = [np.linalg.norm(card.quad_px[1] - card.quad_px[0]) for card in table.cards]
    assert np.median(widths) == pytest.approx(57 * 960 / 1200, rel=0.12)


def test_the_first_time_does_not_count() -> None:
    calls = []
    assert median_ms(lambda: calls.append(1), 5) < 5
    assert len(calls) == 6


def test_both_networks_are_measured_on_the_same_cards() -> None:
    result = bench_networks(YoloDetector(), CardReader(), scenes=2)
    assert result.cards > 10
    # Half of these cards are of a family, and in light, that no training has seen.
    assert result.found > 0.35
    assert result.baseline_found > 0.35
    assert result.view_px == (636, 466)
    figures = result.as_json()
    assert figures["times_faster"] == pytest.approx(result.baseline_ms / result.detect_ms, abs=0.01)
    assert figures["crops_ms"] > 0
