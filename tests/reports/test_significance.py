"""p-values against direct sums and simulation; the correction against its definition."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reports.bounded_mean import Sample
from reports.intervals import PairCounts
from reports.significance import adjusted, even_p, zero_p


def direct_p(wins: int, trials: int) -> float:
    """The two-sided p-value of a fair coin, summed up."""
    chances = [math.comb(trials, k) / 2**trials for k in range(trials + 1)]
    return math.fsum(chance for chance in chances if chance <= chances[wins] * (1 + 1e-9))


@pytest.mark.parametrize(("none", "one", "both"), [(3, 10, 9), (0, 5, 0), (20, 3, 20), (0, 0, 8)])
def test_a_win_rate_against_even_is_the_coin_of_whole_pairs(none: int, one: int, both: int) -> None:
    found = even_p(PairCounts(none, one, both))
    assert found == pytest.approx(direct_p(both, none + both))


def test_duels_without_pairs_are_coins_themselves() -> None:
    assert even_p(PairCounts(0, 0, 0), 9, 10) == pytest.approx(direct_p(9, 10))
    assert even_p(PairCounts(0, 0, 0)) == 1.0
    assert even_p(PairCounts(2, 0, 2), 1, 1) == 1.0


def test_a_difference_against_zero_has_the_p_of_random_signs() -> None:
    rng = np.random.default_rng(4)
    values = (-1.0, -0.5, 0.0, 0.5, 1.0)
    samples = [Sample(values, (4, 12, 60, 20, 9)), Sample(values, (2, 20, 70, 25, 3))]
    weights = [0.5, 0.5]
    seen = sum(w * each.mean for w, each in zip(weights, samples, strict=True))
    flipped = np.zeros(20_000)
    for weight, each in zip(weights, samples, strict=True):
        drawn = np.repeat(values, np.array(each.counts, dtype=int))
        signs = rng.choice([-1.0, 1.0], size=(20_000, len(drawn)))
        flipped += weight * (signs * drawn).mean(axis=1)
    simulated = float((np.abs(flipped) >= abs(seen) - 1e-12).mean())
    assert zero_p(weights, samples) == pytest.approx(simulated, abs=0.015)


def test_no_difference_at_all_is_no_evidence() -> None:
    assert zero_p([1.0], [Sample((-1.0, 0.0, 1.0), (0, 50, 0))]) == 1.0


def test_the_correction_is_that_of_benjamini_and_hochberg() -> None:
    values = [0.001, 0.2, 0.03, 0.9, 0.008, 0.03]
    ordered = sorted(values)
    n = len(values)
    by_hand = {
        p: min(min(1.0, q * n / (place + 1)) for place, q in enumerate(ordered) if q >= p)
        for p in values
    }
    assert adjusted(values) == pytest.approx([by_hand[p] for p in values])
    assert adjusted([]) == []


def test_few_of_many_even_matchups_are_flagged() -> None:
    rng = np.random.default_rng(1)
    false = 0
    for _ in range(200):
        counts = rng.multinomial(200, (0.3, 0.4, 0.3), size=21)
        pairs = [PairCounts(*(int(count) for count in row)) for row in counts]
        false += any(p <= 0.05 for p in adjusted([even_p(each) for each in pairs]))
    assert false / 200 <= 0.09  # 0.05, and three standard errors
