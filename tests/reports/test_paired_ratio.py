"""The ratio of paired measurements, against numbers worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reports.paired_ratio import paired_ratio


def test_by_hand() -> None:
    # Logs of the ratios: -log 2, -log 2, log 2, log 2. Mean 0, deviation log 2 * sqrt(4/3).
    # Student's 97.5 % point with 3 degrees of freedom is 3.18245 (tables).
    # Half the interval: 3.18245 * log 2 * sqrt(4/3) / sqrt(4).
    ratio = paired_ratio([1, 2, 4, 6], [2, 4, 2, 3])
    half = 3.18245 * math.log(2) / math.sqrt(3)
    assert ratio.estimate == pytest.approx(1)
    assert ratio.high == pytest.approx(math.exp(half), rel=1e-5)
    assert ratio.low == pytest.approx(math.exp(-half), rel=1e-5)
    assert ratio.n == 4


def test_what_changes_a_whole_pair_drops_out() -> None:
    busy = np.array([1.0, 7.0, 0.2, 30.0])
    old = np.array([3.0, 3.1, 2.9, 3.0])
    new = np.array([3.3, 3.3, 3.2, 3.2])
    quiet = paired_ratio(list(new), list(old))
    loud = paired_ratio(list(new * busy), list(old * busy))
    assert loud.estimate == pytest.approx(quiet.estimate)
    assert loud.low == pytest.approx(quiet.low)
    assert loud.high == pytest.approx(quiet.high)


def test_the_other_way_round_is_the_inverse() -> None:
    new, old = [1.0, 1.3, 0.9], [2.0, 2.1, 2.4]
    there, back = paired_ratio(new, old), paired_ratio(old, new)
    assert there.estimate == pytest.approx(1 / back.estimate)
    assert there.low == pytest.approx(1 / back.high)


def test_one_pair_says_nothing_about_certainty() -> None:
    ratio = paired_ratio([3.0], [2.0])
    assert ratio.estimate == pytest.approx(1.5)
    assert (ratio.low, ratio.high) == (0, math.inf)
    assert ratio.to_json() == {"ratio": ratio.estimate, "low": None, "high": None, "pairs": 1}


def test_coverage() -> None:
    rng = np.random.default_rng(1)
    true, runs = 0.9, 2_000
    held = 0
    for _ in range(runs):
        pair = rng.lognormal(0, 0.5, 6)
        new, old = true * pair * rng.lognormal(0, 0.03, 6), pair * rng.lognormal(0, 0.03, 6)
        ratio = paired_ratio(list(new), list(old))
        held += ratio.low <= true <= ratio.high
    # four standard deviations of a share of 0.95
    assert held / runs == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / runs))
