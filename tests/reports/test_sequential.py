"""Stopping early: the error rates and the coverage that are claimed, and that every run ends."""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np
import pytest
from five_outcomes import SPREADS, VALUES, chances
from hypothesis import given
from hypothesis import strategies as st

from reports.bounded_mean import Sample
from reports.intervals import PairCounts, Rate
from reports.sequential import (
    FIRST_LOOK,
    Decision,
    Sprt,
    Stopping,
    any_time_interval,
    close_enough,
    guarded_error,
    looks,
    stopped_rate,
)

COUNTS = st.lists(st.integers(0, 10**7), min_size=5, max_size=5).filter(any)


def run(test: Sprt, state: np.ndarray, rng: np.random.Generator) -> tuple[Decision, int]:
    """The answer of one test, and how many pairs it took."""
    counts = np.zeros(5, dtype=int)
    for pairs in looks():
        counts += rng.multinomial(pairs - counts.sum(), state)
        answer = test.decide(Sample(VALUES, tuple(counts.tolist())))
        if answer != "undecided" or pairs > 10**6:
            return answer, pairs
    raise AssertionError("looks have no end")


@pytest.mark.parametrize("spread", SPREADS.values(), ids=SPREADS)
def test_error_rates_of_the_test(spread: tuple[int, ...]) -> None:
    """0 or 2 points with errors of 5 %: 600 runs each, at most 0.05 + 3 errors (0.027).

    And no less than 0.01, or the test would take longer than it has to; in the middle between the
    hypotheses both answers come up as often, within 0.5 ± 4 errors (0.08).
    """
    rng = np.random.default_rng(7)
    test = Sprt(0.0, 0.02)
    share = {}
    for mean in (0.0, 0.01, 0.02):
        state = chances(spread, mean)
        answers = [run(test, state, rng)[0] for _ in range(600)]
        assert "undecided" not in answers
        share[mean] = answers.count("better") / 600
    assert 0.01 <= share[0.0] <= 0.077
    assert 0.01 <= 1 - share[0.02] <= 0.077
    assert share[0.01] == pytest.approx(0.5, abs=0.08)


@pytest.mark.parametrize(("worse", "better"), [(-0.01, 0.01), (0.0, 0.1), (0.1, 0.13)])
def test_error_rates_of_other_hypotheses(worse: float, better: float) -> None:
    """Unequal errors, 1 and 10 %: 800 runs each, at most 3 errors (0.011, 0.032) above them."""
    rng = np.random.default_rng(8)
    test = Sprt(worse, better, alpha=0.01, beta=0.1)
    for mean, wrong, most in ((worse, "better", 0.021), (better, "no better", 0.132)):
        state = chances(SPREADS["different"], mean)
        answers = [run(test, state, rng)[0] == wrong for _ in range(800)]
        assert sum(answers) / 800 <= most


def test_beyond_the_hypotheses_errors_are_rarer_and_runs_shorter() -> None:
    rng = np.random.default_rng(9)
    test = Sprt(0.0, 0.02)
    took = {}
    for mean, right in ((-0.02, "no better"), (0.0, "no better"), (0.04, "better")):
        played = [run(test, chances(SPREADS["much alike"], mean), rng) for _ in range(300)]
        took[mean] = np.mean([pairs for _, pairs in played])
        if mean != 0.0:
            assert sum(answer == right for answer, _ in played) >= 299
    assert max(took[-0.02], took[0.04]) < 0.5 * took[0.0]


def test_a_test_is_shorter_than_a_run_of_fixed_length() -> None:
    """For the same errors a fixed run takes (2 z / gap)² variances: 8,388 pairs here.

    300 runs: 0.61 of that on average, with an error of 0.02.
    """
    rng = np.random.default_rng(10)
    state = chances(SPREADS["different"], 0.0)
    variance = float(np.square(VALUES) @ state)
    fixed = (2 * 1.6449 / 0.02) ** 2 * variance
    took = [run(Sprt(0.0, 0.02), state, rng)[1] for _ in range(300)]
    assert 0.5 * fixed < np.mean(took) < 0.67 * fixed


@pytest.mark.parametrize(
    ("cell", "answer"),
    [(0, "no better"), (1, "no better"), (2, "no better"), (3, "better"), (4, "better")],
    ids=["all lost", "all half lost", "all alike", "all half won", "all won"],
)
def test_extreme_results_end(cell: int, answer: str) -> None:
    """Nothing but one result: decided after some 150 pairs at most."""
    test = Sprt(0.0, 0.02)
    for pairs in looks():
        counts = [0] * 5
        counts[cell] = pairs
        found = test.decide(Sample(VALUES, tuple(counts)))
        if found != "undecided":
            break
    assert found == answer
    assert pairs <= 162


@given(counts=COUNTS, worse=st.floats(-0.9, 0.8), gap=st.floats(0.001, 0.09))
def test_the_ratio_is_always_a_number(counts: list[int], worse: float, gap: float) -> None:
    test = Sprt(worse, worse + gap)
    sample = Sample(VALUES, tuple(counts))
    ratio = test.ratio(sample)
    assert math.isfinite(ratio)
    # Swapping the lists swaps the hypotheses.
    mirrored = Sprt(-worse - gap, -worse).ratio(Sample(VALUES, tuple(reversed(counts))))
    assert mirrored == pytest.approx(-ratio, rel=1e-6, abs=1e-6 * sum(counts))


def test_the_ratio_of_a_known_sample() -> None:
    """Close to the normal case: n (m1 - m0) (2 mean - m0 - m1) / (2 variance)."""
    sample = Sample(VALUES, (900, 2000, 4000, 2200, 1000))
    plain = sample.size * 0.02 * (2 * sample.mean - 0.02) / (2 * sample.variance)
    assert Sprt(0.0, 0.02).ratio(sample) == pytest.approx(plain, rel=0.01)


@pytest.mark.parametrize(
    "wrong", [(0.02, 0.0), (0.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (math.nan, 0.1)]
)
def test_hypotheses_that_make_no_test(wrong: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="need -1 < worse"):
        Sprt(*wrong)


@pytest.mark.parametrize("error", [0.0, 0.5, -1.0, math.nan])
def test_errors_that_make_no_test(error: float) -> None:
    with pytest.raises(ValueError, match="errors lie between"):
        Sprt(0.0, 0.02, alpha=error)
    with pytest.raises(ValueError, match="errors lie between"):
        Sprt(0.0, 0.02, beta=error)


def test_looks_are_fixed_rising_and_never_end() -> None:
    found = list(itertools.islice(looks(), 200))
    assert found[:4] == [FIRST_LOOK, 111, 123, 136]
    assert all(1 < b / a <= 1.13 for a, b in itertools.pairwise(found))
    assert list(itertools.islice(looks(1), 4)) == [1, 2, 3, 4]


# --- intervals that were looked at before ---------------------------------------------------------


@pytest.mark.parametrize("spread", SPREADS.values(), ids=SPREADS)
def test_the_any_time_interval_holds_at_all_looks_at_once(spread: tuple[int, ...]) -> None:
    """300 runs of 45 looks to 6,500 pairs: all 45 intervals right in at least 0.95 - 3 errors.

    A fixed-n interval at every look would be right all the time in fewer than 0.8.
    """
    rng = np.random.default_rng(12)
    state = chances(spread, 0.01)
    always = naive = 0
    for _ in range(300):
        counts = np.zeros(5, dtype=int)
        right = right_naive = True
        for pairs in itertools.islice(looks(), 45):
            counts += rng.multinomial(pairs - counts.sum(), state)
            sample = Sample(VALUES, tuple(counts.tolist()))
            error = guarded_error(sample)
            low, high = any_time_interval(sample.mean, error, pairs)
            right = right and low <= 0.01 <= high
            right_naive = right_naive and abs(sample.mean - 0.01) <= 1.96 * error
        always += right
        naive += right_naive
    assert always / 300 >= 0.912
    assert naive / 300 < 0.8


def test_a_guarded_error_is_never_zero() -> None:
    for cell in range(5):
        counts = [0] * 5
        counts[cell] = 50
        assert guarded_error(Sample(VALUES, tuple(counts))) > 0.01
    large = Sample(VALUES, (1000, 2000, 4000, 2000, 1000))
    plain = math.sqrt(large.variance / large.size)
    assert guarded_error(large) == pytest.approx(plain, rel=0.001)


# --- until the interval is narrow enough ----------------------------------------------------------


@cache
def rate(none: int, one: int, both: int) -> Rate:
    return stopped_rate(PairCounts(none, one, both))


def pair_chances(win: float, alike: float) -> list[float]:
    """The chances of 0, 1 and 2 wins in a pair whose duels correlate by `alike`."""
    split = 2 * win * (1 - win) * (1 - alike)
    return [1 - win - split / 2, split, win - split / 2]


def stopped(win: float, alike: float, within: float, rng: np.random.Generator) -> Rate:
    counts = np.zeros(3, dtype=int)
    for pairs in looks():
        counts += rng.multinomial(pairs - counts.sum(), pair_chances(win, alike))
        found = rate(*counts.tolist())
        if close_enough(found, within):
            return found
    raise AssertionError("looks have no end")


@pytest.mark.parametrize("within", [0.02, 0.05])
@pytest.mark.parametrize("alike", [-0.002, 0.0, 0.8])
def test_coverage_at_the_stop(within: float, alike: float) -> None:
    """400 runs a state: at least 0.945 - 3 errors (0.034) in each, 0.95 on average (- 0.01)."""
    rng = np.random.default_rng(15)
    found = []
    for win in (0.5, 0.35, 0.8, 0.95, 0.99, 0.998):
        rates = [stopped(win, alike, within, rng) for _ in range(400)]
        hits = [low <= win <= high for low, high in (each.interval for each in rates)]
        found.append(np.mean(hits))
        assert all(close_enough(each, within) for each in rates)
    assert min(found) >= 0.911
    assert np.mean(found) >= 0.94


def test_coverage_near_the_edge_is_what_the_docstring_says() -> None:
    """The hardest states that were found: 3000 runs each, 0.945 and more, less 3 errors (0.012)."""
    rng = np.random.default_rng(16)
    for win, alike, within in ((0.95, 0.8, 0.03), (0.92, 0.0, 0.03), (0.98, 0.8, 0.01)):
        hits = 0
        for _ in range(3000):
            low, high = stopped(win, alike, within, rng).interval
            hits += low <= win <= high
        assert hits / 3000 >= 0.933


def test_stopping_takes_little_more_than_a_run_of_the_right_length() -> None:
    """Independent duels at 50 %: 2.054² / 4 d² duels would do, and the next look is 10 % away."""
    rng = np.random.default_rng(17)
    took = np.mean([stopped(0.5, 0.0, 0.02, rng).duels for _ in range(100)])
    right = 2.0537**2 / (4 * 0.02**2)
    assert right <= took <= 1.12 * right


@pytest.mark.parametrize("counts", [(0, 0, 1), (1, 0, 0), (0, 1, 0)])
@pytest.mark.parametrize("within", [0.005, 0.5])
def test_extreme_results_stop(counts: tuple[int, int, int], within: float) -> None:
    """All won, all lost, all pairs split: the run ends, and no sooner than is right."""
    for pairs in looks():
        found = rate(*(pairs * count for count in counts))
        if close_enough(found, within):
            break
    assert found.interval.high - found.interval.low > 0
    # Of 0.005 around 0 or 1: at least as many pairs as it takes to see one in 200 with 95 %.
    assert pairs >= (598 if within == 0.005 and counts != (0, 1, 0) else FIRST_LOOK)


def test_what_is_said_of_a_stop() -> None:
    found = rate(1000, 2000, 1000)
    assert found.level == 0.95
    assert "widened" in found.method
    assert Stopping(0.02, found).reached
    assert "first look" in Stopping(0.02, found).sentence
    assert not Stopping(0.001, found).reached
    assert "At its limit" in Stopping(0.001, found).sentence
    assert Stopping(0.02, found).to_json() == {"until": 0.02, "reached": True}
