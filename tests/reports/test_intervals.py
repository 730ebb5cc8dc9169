"""The statistics against scipy, published numbers and slow straight calculation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from reports.intervals import (
    PAIRED_METHOD,
    UNPAIRED_METHOD,
    Interval,
    PairCounts,
    independent_rate,
    mean_with_error,
    paired_score,
    quantile,
    wilson,
    win_rate,
)

# Wilson's interval


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(
    ("wins", "duels"), [(0, 1), (1, 1), (0, 20), (15, 148), (500, 1000), (999_999, 1_000_000)]
)
def test_wilson_equals_scipy(wins: int, duels: int, level: float) -> None:
    expected = stats.binomtest(wins, duels).proportion_ci(level, method="wilson")
    assert wilson(wins, duels, level) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_equals_published_examples() -> None:
    # Newcombe R. G. (1998), Two-sided confidence intervals for the single proportion, Table I.
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0, 0.1611), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


@pytest.mark.parametrize(("wins", "duels"), [(0, 0), (-1, 5), (6, 5)])
def test_wilson_rejects_what_is_no_rate(wins: int, duels: int) -> None:
    with pytest.raises(ValueError, match="wins"):
        wilson(wins, duels)


@pytest.mark.parametrize("level", [0, 1, -0.5, 95])
def test_level_must_be_a_probability(level: float) -> None:
    with pytest.raises(ValueError, match="level"):
        wilson(1, 2, level)
    with pytest.raises(ValueError, match="level"):
        paired_score(PairCounts(1, 1, 1), level=level)


# The paired interval against a slow calculation that shares no formula with it: the likelihood is
# maximised numerically, the moments are summed over the outcomes, and roots are searched by scipy.


def slow_statistic(
    counts: PairCounts, lone_wins: int, lone_duels: int, p: float, skewness: bool = True
) -> float:
    """The score statistic at a hypothetical win rate `p`."""

    def probabilities(split: float) -> list[float]:
        return [1 - p - split / 2, split, p - split / 2]

    def minus_log_likelihood(split: float) -> float:
        return -sum(
            n * math.log(max(q, 1e-300))
            for n, q in zip(counts, probabilities(split), strict=True)
            if n
        )

    moments = np.zeros(2)
    if counts.pairs:
        most = 2 * min(p, 1 - p)
        best = optimize.minimize_scalar(
            minus_log_likelihood, bounds=(0, most), method="bounded", options={"xatol": 1e-13}
        )
        split = min((best.x, 0, most), key=minus_log_likelihood)
        centred = np.arange(3) - 2 * p
        moments += counts.pairs * np.array(
            [np.dot(probabilities(split), centred**k) for k in (2, 3)]
        )
    centred = np.arange(2) - p
    moments += lone_duels * np.array([np.dot([1 - p, p], centred**k) for k in (2, 3)])
    wins = counts.one + 2 * counts.both + lone_wins
    plain = (wins - (2 * counts.pairs + lone_duels) * p) / math.sqrt(moments[0])
    if not skewness:
        return plain
    a = moments[1] / moments[0] ** 1.5 / 6
    roots = np.roots([a, 1, -a - plain]) if abs(a) > 1e-9 else np.array([plain])
    return float(min(roots.real, key=lambda root: abs(root - plain)))


def slow_interval(
    counts: PairCounts, lone_wins: int, lone_duels: int, level: float, skewness: bool = True
) -> Interval:
    z = stats.norm.ppf((1 + level) / 2)
    wins = counts.one + 2 * counts.both + lone_wins
    duels = 2 * counts.pairs + lone_duels
    estimate = wins / duels

    def statistic(p: float) -> float:
        return slow_statistic(counts, lone_wins, lone_duels, p, skewness)

    tiny = 1e-9
    low = high = estimate
    if wins > 0:
        low = optimize.brentq(lambda p: statistic(p) - z, tiny, max(estimate - tiny, 2 * tiny))
    if wins < duels:
        high = optimize.brentq(lambda p: statistic(p) + z, estimate + tiny, 1 - tiny)
    return Interval(low, high)


@pytest.mark.parametrize(
    ("more", "less", "subjects", "low", "high", "level"),
    [
        (9, 3, 32, -0.027, 0.390, 0.95),  # Tango 1998
        (0, 1, 44, -0.096, 0.037, 0.90),  # Tango 1998
        (16, 8, 86, -0.020, 0.207, 0.95),  # Agresti and Min 2005
        (1, 7, 21, -0.517, -0.026, 0.95),  # Fagerland, Lydersen and Laake 2014
        (25, 2, 102, 0.139, 0.321, 0.95),  # Chang and others 2024
    ],
)
def test_slow_calculation_without_skewness_is_tango_s_interval(
    more: int, less: int, subjects: int, low: float, high: float, level: float
) -> None:
    # Published for a difference of proportions, which is 2 p - 1.
    counts = PairCounts(less, subjects - more - less, more)
    interval = slow_interval(counts, 0, 0, level, skewness=False)
    assert [2 * end - 1 for end in interval] == pytest.approx([low, high], abs=6e-4)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize(
    ("counts", "lone_wins", "lone_duels"),
    [
        (PairCounts(1, 7, 12), 0, 0),
        (PairCounts(3, 20, 9), 0, 1),
        (PairCounts(3, 20, 9), 1, 1),
        (PairCounts(0, 4, 1), 0, 0),
        (PairCounts(2, 0, 5), 0, 0),
        (PairCounts(300, 20, 680), 1, 1),
        (PairCounts(5, 1, 0), 4, 9),
        (PairCounts(0, 0, 0), 6, 20),
        (PairCounts(0, 0, 8), 0, 0),
    ],
)
def test_paired_score_equals_slow_calculation(
    counts: PairCounts, lone_wins: int, lone_duels: int, level: float
) -> None:
    fast = paired_score(counts, lone_wins, lone_duels, level)
    assert fast == pytest.approx(slow_interval(counts, lone_wins, lone_duels, level), abs=2e-6)


def test_paired_score_nears_the_normal_interval_for_many_pairs() -> None:
    counts = PairCounts(210_000, 420_000, 370_000)
    scores = np.repeat([0.0, 0.5, 1.0], counts)
    half = 1.959964 * scores.std() / math.sqrt(len(scores))
    assert paired_score(counts) == pytest.approx(
        (scores.mean() - half, scores.mean() + half), abs=1e-6
    )


@pytest.mark.parametrize("pairs", [1, 2, 10, 1000, 10**6, 10**8])
def test_extreme_results_have_honest_intervals(pairs: int) -> None:
    low, high = paired_score(PairCounts(0, 0, pairs))
    assert high == 1
    # A pair may be no more news than a duel, so two duels of a pair do not count as two.
    assert 0 < low < wilson(2 * pairs, 2 * pairs).low
    if pairs >= 10**6:
        # No loss in n pairs: with L = n (1 - p) the statistic nears - sqrt L, its skewness
        # 1 / sqrt L, and L - z sqrt L + (z² - 1) / 6 = 0 at the limit.
        z = stats.norm.ppf(0.975)
        limit = ((z + math.sqrt(z * z - 4 * (z * z - 1) / 6)) / 2) ** 2
        assert (1 - low) * pairs == pytest.approx(limit, rel=1e-4)
    assert paired_score(PairCounts(pairs, 0, 0)) == pytest.approx((0, 1 - low), abs=1e-12)
    low, high = paired_score(PairCounts(0, pairs, 0))
    assert low < 0.5 < high
    assert low + high == pytest.approx(1)


def test_pairs_of_one_kind_count_as_they_should() -> None:
    # Duels of a pair always alike: as wide as one duel a pair. Always split: narrower than two.
    alike = paired_score(PairCounts(500, 0, 500))
    independent = paired_score(PairCounts(250, 500, 250))
    split = paired_score(PairCounts(10, 980, 10))
    width = [interval.high - interval.low for interval in (alike, independent, split)]
    assert width[0] == pytest.approx(2 * 1.96 * 0.5 / math.sqrt(1000), rel=0.01)
    assert width[1] == pytest.approx(2 * 1.96 * 0.5 / math.sqrt(2000), rel=0.01)
    assert width[2] < width[1] / 3


@pytest.mark.parametrize(
    ("counts", "lone_wins", "lone_duels"),
    [
        (PairCounts(0, 0, 0), 0, 0),
        (PairCounts(-1, 3, 3), 0, 0),
        (PairCounts(1, 1, 1), 2, 1),
        (PairCounts(1, 1, 1), -1, 1),
    ],
)
def test_paired_score_rejects_what_is_no_result(
    counts: PairCounts, lone_wins: int, lone_duels: int
) -> None:
    with pytest.raises(ValueError, match=r"negative|at least one duel"):
        paired_score(counts, lone_wins, lone_duels)


# Properties of every interval

cells = st.integers(0, 400) | st.integers(0, 3)
pair_counts = st.builds(PairCounts, cells, cells, cells)
lone_duels = st.lists(st.booleans(), max_size=3)
levels = st.sampled_from([0.5, 0.8, 0.95, 0.99, 0.9999])


@given(pair_counts, lone_duels, levels)
def test_interval_contains_the_estimate_and_is_mirrored(
    counts: PairCounts, lone: list[bool], level: float
) -> None:
    if counts.pairs + len(lone) == 0:
        return
    rate = win_rate(counts, sum(lone), len(lone), level)
    low, high = rate.interval
    assert 0 <= low <= rate.estimate <= high <= 1
    assert low < high or level < 0.7
    swapped = win_rate(PairCounts(*reversed(counts)), len(lone) - sum(lone), len(lone), level)
    assert swapped.interval == pytest.approx((1 - high, 1 - low), abs=1e-12)
    assert swapped.estimate == pytest.approx(rate.mirrored().estimate)
    assert swapped.interval == pytest.approx(rate.mirrored().interval, abs=1e-12)


@given(pair_counts, st.integers(2, 50))
def test_interval_is_narrower_with_more_of_the_same(counts: PairCounts, times: int) -> None:
    if counts.pairs == 0:
        return
    few = paired_score(counts)
    many = paired_score(PairCounts(*(times * n for n in counts)))
    assert many.high - many.low < few.high - few.low


@given(pair_counts, st.sampled_from([(0.5, 0.8), (0.8, 0.95), (0.95, 0.99), (0.99, 0.9999)]))
def test_interval_is_wider_at_a_higher_level(
    counts: PairCounts, two_levels: tuple[float, float]
) -> None:
    if counts.pairs == 0:
        return
    inner, outer = (paired_score(counts, level=level) for level in two_levels)
    assert outer.low <= inner.low <= inner.high <= outer.high


@given(st.integers(1, 10**9), st.data(), levels)
def test_wilson_contains_the_estimate_and_is_mirrored(
    duels: int, data: st.DataObject, level: float
) -> None:
    wins = data.draw(st.integers(0, duels))
    low, high = wilson(wins, duels, level)
    assert 0 <= low <= wins / duels <= high <= 1
    assert wilson(duels - wins, duels, level) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_rate_names_its_method_and_unit() -> None:
    paired = win_rate(PairCounts(1, 2, 3), 1, 1)
    assert (paired.wins, paired.duels, paired.pairs) == (9, 13, 6)
    assert paired.method == PAIRED_METHOD
    assert paired.interval == paired_score(PairCounts(1, 2, 3), 1, 1)
    for single in (win_rate(PairCounts(0, 0, 0), 3, 7), independent_rate(3, 7)):
        assert (single.wins, single.duels, single.pairs) == (3, 7, 0)
        assert single.method == UNPAIRED_METHOD
        assert single.interval == wilson(3, 7)


# Quantiles and means

samples = st.lists(st.integers(-20, 300), min_size=1, max_size=60)


@given(samples, st.sampled_from([0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.95, 1]))
def test_quantile_equals_numpy(sample: list[int], q: float) -> None:
    values, counts = np.unique(sample, return_counts=True)
    order = np.random.default_rng(0).permutation(len(values))
    shuffled = values[order].tolist(), counts[order].tolist()
    # On sorted ranks the least value that at least a share q does not exceed.
    rank = max(1, math.ceil(round(q * len(sample), 9)))
    assert quantile(*shuffled, q) == sorted(sample)[rank - 1]
    if len(sample) != 20 * round(len(sample) / 20):  # numpy rounds 0.05 * 20 k its own way
        assert quantile(*shuffled, q) == np.quantile(sample, q, method="inverted_cdf")


def test_quantile_counts_ranks_exactly() -> None:
    values = list(range(1, 101))
    assert [quantile(values, [1] * 100, q) for q in (0.05, 0.07, 0.5, 0.95)] == [5, 7, 50, 95]
    assert quantile([3, 1, 2], [10**12, 10**12, 10**12], 1 / 3) in (1, 2)


@given(samples)
def test_mean_with_error_equals_numpy(sample: list[int]) -> None:
    values, counts = np.unique(sample, return_counts=True)
    mean, error = mean_with_error(values.tolist(), counts.tolist())
    assert mean == pytest.approx(np.mean(sample))
    if len(sample) == 1:
        assert error is None
    else:
        assert error == pytest.approx(stats.sem(sample), abs=1e-12)


def test_mean_error_bounds_that_of_pairs_alike() -> None:
    # Two equal duels a pair say no more than one: the error is that of half as many.
    values = [8, 9, 14, 20]
    clustered = mean_with_error(values, [2 * 50] * 4, cluster_size=2)
    single = mean_with_error(values, [50] * 4)
    assert clustered.error is not None and single.error is not None
    assert clustered.value == single.value
    assert clustered.error == pytest.approx(single.error, rel=0.01)


@pytest.mark.parametrize(
    ("values", "counts"), [([], []), ([1], [0]), ([1, 2], [1]), ([1, 2], [3, -1])]
)
def test_samples_must_be_samples(values: list[int], counts: list[int]) -> None:
    with pytest.raises(ValueError, match=r"observed|counts"):
        quantile(values, counts, 0.5)
    with pytest.raises(ValueError, match=r"observed|counts"):
        mean_with_error(values, counts)


@pytest.mark.parametrize("q", [-0.1, 1.1])
def test_quantile_must_be_a_share(q: float) -> None:
    with pytest.raises(ValueError, match="quantile"):
        quantile([1], [1], q)
