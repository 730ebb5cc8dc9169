"""The most likely distribution with a given mean, and the score interval that rests on it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from reports.bounded_mean import Sample, weighted_interval
from reports.intervals import Interval, wilson

VALUES = (-1.0, -0.5, 0.0, 0.5, 1.0)
COUNTS = st.lists(st.integers(0, 10**6), min_size=5, max_size=5).filter(any)
MEANS = st.floats(-0.999, 0.999)


def five(*counts: float) -> Sample:
    return Sample(VALUES, counts)


def tango_variance(none: int, one: int, both: int, mean: float) -> float:
    """The variance in Tango (1998), for values -1, 0, 1: the closed form of `intervals`."""
    pairs = none + one + both
    uneven, slope = (none + both) / pairs, (both - none) / pairs
    root = (uneven - slope * mean) ** 2 + 4 * (1 - uneven) * mean * (mean - slope)
    d = (uneven + slope * mean + math.sqrt(max(0.0, root))) / 2
    return min(1.0, max(abs(mean), d)) - mean * mean


@given(counts=st.tuples(*[st.integers(0, 500)] * 3).filter(any), mean=MEANS)
def test_with_three_values_it_is_tangos_variance(counts: tuple[int, int, int], mean: float) -> None:
    sample = Sample((-1.0, 0.0, 1.0), counts)
    assert sample.given(mean).variance == pytest.approx(tango_variance(*counts, mean), abs=1e-6)


@given(wins=st.integers(0, 300), losses=st.integers(0, 300))
def test_with_two_values_it_is_wilsons_interval(wins: int, losses: int) -> None:
    if wins + losses == 0:
        return
    found = Sample((0.0, 1.0), (losses, wins), 0.0, 1.0).score_interval()
    assert found == pytest.approx(tuple(wilson(wins, wins + losses)), abs=1e-7)


@settings(max_examples=60, deadline=None)
@given(counts=st.lists(st.integers(1, 1000), min_size=5, max_size=5), mean=MEANS)
def test_the_likelihood_is_the_largest(counts: list[int], mean: float) -> None:
    """Where all values were seen: Owen's equation, solved by scipy in its own way."""
    shares = np.array(counts) / sum(counts)
    gaps = np.array(VALUES) - mean
    low, high = -1 / gaps.max(), -1 / gaps.min()
    room = 1e-13 * (high - low)
    tilt = brentq(
        lambda u: float((shares * gaps / (1 + u * gaps)).sum()), low + room, high - room, xtol=1e-15
    )
    weights = shares / (1 + tilt * gaps)
    found = five(*counts).given(mean)
    assert found.fit == pytest.approx(-(shares * np.log1p(tilt * gaps)).sum(), rel=1e-6, abs=1e-9)
    assert found.variance == pytest.approx((weights * gaps**2).sum(), rel=1e-5, abs=1e-9)


@settings(max_examples=300, deadline=None)
@given(counts=COUNTS, mean=MEANS)
def test_every_result_has_an_answer(counts: list[int], mean: float) -> None:
    """All won, all lost, all alike and any other: finite, and no better than what was seen."""
    sample = five(*counts)
    found = sample.given(mean)
    assert math.isfinite(found.fit) and found.fit <= 0
    assert 0 <= found.variance <= 1 - mean * mean + 1e-9
    low, high = sample.score_interval()
    assert -1 <= low <= sample.mean <= high <= 1
    mirrored = five(*reversed(counts))
    assert mirrored.given(-mean).fit == pytest.approx(found.fit, rel=1e-6, abs=1e-9)
    assert mirrored.score_interval() == pytest.approx((-high, -low), abs=1e-7)


@pytest.mark.parametrize(
    "counts",
    [
        (144, 3, 1, 0, 0),  # Disservin/fastchess issue 879, where the ratio is no number
        (10, 0, 0, 0, 0),  # and issue 877, which hangs
        (0, 0, 0, 0, 10),
        (0, 0, 10, 0, 0),
        (0, 0, 1, 0, 0),
        (10**9, 0, 0, 0, 1),
    ],
)
def test_known_hard_results(counts: tuple[int, ...]) -> None:
    for mean in (-0.999, -0.02, 0.0, 0.02, 0.999):
        assert math.isfinite(five(*counts).given(mean).fit)


def test_an_unseen_bound_takes_the_missing_weight() -> None:
    """All pairs alike: a mean of 0.02 is most likely with 2 % of the pairs won outright."""
    found = five(0, 0, 100, 0, 0).given(0.02)
    assert found.fit == pytest.approx(math.log(0.98))
    assert found.variance == pytest.approx(0.02 - 0.02**2)


def test_a_weighted_interval() -> None:
    one = Interval(0.1, 0.4)
    assert weighted_interval([1.0], [0.3], [one]) == pytest.approx((0.1, 0.4))
    low, high = weighted_interval([0.5, 0.5], [0.3, 0.3], [one, one])
    assert (low, high) == pytest.approx((0.3 - 0.2 / math.sqrt(2), 0.3 + 0.1 / math.sqrt(2)))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: five(0, 0, 0, 0, 0),
        lambda: five(1, 0, 0, -1, 1),
        lambda: five(1),
        lambda: Sample((2.0,), (1.0,)),
        lambda: Sample((0.0,), (1.0,), 1.0, -1.0),
        lambda: five(1, 1, 1, 1, 1).given(1.0),
        lambda: five(1, 1, 1, 1, 1).score_interval(1.0),
    ],
)
def test_wrong_arguments(wrong: object) -> None:
    assert callable(wrong)
    with pytest.raises(ValueError):
        wrong()
