"""How often the intervals contain the true win rate: what the docstring of `intervals` claims."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.special import gammaln

from reports.intervals import Interval, PairCounts, paired_score, wilson

RATES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 0.98)
# Correlation of the two duels of a pair; -1 stands for the most negative that the rate allows.
CORRELATIONS = (-1.0, -0.3, 0.0, 0.3, 0.8, 1.0)


@cache
def interval(none: int, one: int, both: int) -> Interval:
    return paired_score(PairCounts(none, one, both))


def pair_probabilities(rate: float, correlation: float) -> np.ndarray:
    """The chances of 0, 1 and 2 wins in a pair."""
    least = -min(rate / (1 - rate), (1 - rate) / rate)
    split = 2 * rate * (1 - rate) * (1 - max(correlation, least))
    return np.clip([1 - rate - split / 2, split, rate - split / 2], 0, 1)


def covered(ends: np.ndarray, rate: float) -> np.ndarray:
    # Bisection may leave an end a rounding error beside the rate.
    return (ends[:, 0] <= rate + 1e-12) & (rate <= ends[:, 1] + 1e-12)


@pytest.mark.parametrize(
    ("pairs", "least", "mean"),
    [
        (1, 0.95, 0.99),
        (2, 0.95, 0.99),
        (3, 0.93, 0.98),
        (5, 0.92, 0.98),
        (10, 0.93, 0.97),
        (20, 0.94, 0.97),
        (50, 0.93, 0.96),
        (80, 0.93, 0.955),
    ],
)
def test_exact_coverage_of_few_pairs(pairs: int, least: float, mean: float) -> None:
    """Every possible result, weighted by its chance: no tolerance but 0.007 in the mean."""
    none, both = (axis.ravel() for axis in np.mgrid[: pairs + 1, : pairs + 1])
    none, both = none[none + both <= pairs], both[none + both <= pairs]
    results = np.stack([none, pairs - none - both, both], axis=1)
    ends = np.array([interval(*result) for result in results.tolist()])
    ways = gammaln(pairs + 1) - gammaln(results + 1).sum(axis=1)
    found = []
    for rate in RATES:
        for correlation in CORRELATIONS:
            chances = np.log(np.maximum(pair_probabilities(rate, correlation), 1e-300))
            weights = np.exp(ways + results @ chances)
            assert weights.sum() == pytest.approx(1)
            found.append(weights[covered(ends, rate)].sum())
    assert min(found) >= least
    assert np.mean(found) == pytest.approx(mean, abs=0.007)


@pytest.mark.parametrize("pairs", [300, 2000])
def test_simulated_coverage_of_many_pairs(pairs: int) -> None:
    """Seeded simulation, 500 runs a state: within 0.95 ± 0.035 each and ± 0.01 in the mean.

    (3.6 standard errors of one state; 4.8 of the mean.)
    """
    rng = np.random.default_rng(20_240)
    found = []
    for rate in (0.02, 0.1, 0.35, 0.5, 0.9):
        for correlation in (-0.9, 0.0, 0.8):
            chances = pair_probabilities(rate, correlation)
            results = rng.multinomial(pairs, chances / chances.sum(), size=500)
            ends = np.array([interval(*result) for result in results.tolist()])
            found.append(covered(ends, rate).mean())
    assert min(found) >= 0.915
    assert max(found) <= 0.985
    assert np.mean(found) == pytest.approx(0.95, abs=0.01)


def test_ignoring_the_pairs_would_not_cover() -> None:
    """The reason for all this: duels of a pair that are alike make Wilson's interval too narrow."""
    rng = np.random.default_rng(5)
    chances = pair_probabilities(0.5, 0.9)
    results = rng.multinomial(200, chances, size=1000).tolist()
    naive = np.array([wilson(one + 2 * both, 400) for _, one, both in results])
    honest = np.array([interval(*result) for result in results])
    assert covered(naive, 0.5).mean() < 0.88
    assert covered(honest, 0.5).mean() == pytest.approx(0.95, abs=0.025)


def test_coverage_with_a_lone_duel() -> None:
    """Runs of an odd number of duels, where the beginner is favoured: the last duel is begun by A.

    Seeded simulation of 2000 runs: at least 0.93 (expected 0.95 to 0.97).
    """
    rng = np.random.default_rng(11)
    as_first, as_second = 0.7, 0.5
    hits = 0
    for _ in range(2000):
        wins = (rng.random(20) < as_first).astype(int) + (rng.random(20) < as_second)
        counts = PairCounts(*np.bincount(wins, minlength=3).tolist())
        low, high = paired_score(counts, int(rng.random() < as_first), 1)
        hits += low <= (as_first + as_second) / 2 <= high
    assert 0.93 <= hits / 2000 <= 0.985
