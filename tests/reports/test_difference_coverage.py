"""How often the interval of a paired difference contains the truth."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from five_outcomes import SPREADS, VALUES, chances
from scipy.special import gammaln

from reports.bounded_mean import Sample, weighted_interval
from reports.intervals import Interval

MEANS = (-0.3, -0.05, 0.0, 0.02, 0.15, 0.6)


@cache
def interval(*counts: int) -> Interval:
    return Sample(VALUES, counts).score_interval()


def covers(ends: Interval, mean: float) -> bool:
    return ends.low - 1e-8 <= mean <= ends.high + 1e-8


@pytest.mark.parametrize(("pairs", "least", "average"), [(2, 0.972, 0.998), (6, 0.964, 0.988)])
def test_exact_coverage_of_few_pairs(pairs: int, least: float, average: float) -> None:
    """Every possible result, weighted by its chance: no tolerance but 0.005 in the average.

    So few results cannot be exact: the interval errs on the safe side.
    """
    results = np.array(
        [c for c in itertools.product(range(pairs + 1), repeat=5) if sum(c) == pairs]
    )
    ends = [interval(*result) for result in results.tolist()]
    ways = gammaln(pairs + 1) - gammaln(results + 1).sum(axis=1)
    found = []
    for spread in SPREADS.values():
        for mean in MEANS:
            weights = np.exp(ways + results @ np.log(np.maximum(chances(spread, mean), 1e-300)))
            hits = [covers(each, mean) for each in ends]
            found.append(float(weights[hits].sum()))
    assert min(found) >= least
    assert np.mean(found) == pytest.approx(average, abs=0.005)


def test_simulated_coverage_of_many_pairs() -> None:
    """Seeded simulation, 600 runs a state: 0.95 ± 0.035 each (3.9 errors), ± 0.01 on average."""
    rng = np.random.default_rng(41)
    found = []
    for spread in SPREADS.values():
        for mean in (-0.3, 0.0, 0.05):
            results = rng.multinomial(300, chances(spread, mean), size=600).tolist()
            found.append(np.mean([covers(interval(*result), mean) for result in results]))
    assert min(found) >= 0.915
    assert max(found) <= 0.985
    assert np.mean(found) == pytest.approx(0.95, abs=0.01)


def test_simulated_coverage_over_opponents_of_different_weight() -> None:
    """Three opponents, 60, 30 and 10 % of the weight and of 100 pairs: 2000 runs, ± 0.02.

    (4 errors.) What the opponents differ in by much must not widen the interval.
    """
    rng = np.random.default_rng(43)
    weights, means = (0.6, 0.3, 0.1), (0.4, -0.5, 0.1)
    truth = sum(w * m for w, m in zip(weights, means, strict=True))
    states = [chances(SPREADS["different"], mean) for mean in means]
    hits = 0
    widths = []
    for _ in range(2000):
        samples = [
            Sample(VALUES, tuple(rng.multinomial(round(100 * w), p).tolist()))
            for w, p in zip(weights, states, strict=True)
        ]
        ends = weighted_interval(
            weights,
            [sample.mean for sample in samples],
            [interval(*map(int, sample.counts)) for sample in samples],
        )
        hits += covers(ends, truth)
        widths.append(ends.high - ends.low)
    assert hits / 2000 == pytest.approx(0.95, abs=0.02)
    variance = sum(
        w * w * (np.square(VALUES) @ p - m * m) / (100 * w)
        for w, m, p in zip(weights, means, states, strict=True)
    )
    assert np.mean(widths) == pytest.approx(2 * 1.96 * np.sqrt(variance), rel=0.06)


def test_ignoring_the_pairing_would_be_far_too_wide() -> None:
    """The reason for all this: scores of the same seed that hang together."""
    rng = np.random.default_rng(44)
    a = rng.integers(0, 3, size=4000) / 2
    b = np.where(rng.random(4000) < 0.8, a, rng.integers(0, 3, size=4000) / 2)
    gaps = (a - b).tolist()
    sample = Sample(VALUES, tuple(gaps.count(value) for value in VALUES))
    low, high = sample.score_interval()
    apart = 2 * 1.96 * np.sqrt((a.var() + b.var()) / 4000)
    assert high - low < 0.55 * apart
