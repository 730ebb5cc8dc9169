"""Sentences and numbers: never more than the interval says."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports import wording
from reports.intervals import Interval, PairCounts, Rate, independent_rate, win_rate


def rate(low: float, estimate: float, high: float, duels: int = 1000) -> Rate:
    return Rate(round(estimate * duels), duels, 0, Interval(low, high), 0.95, "a test's interval")


FAVOURS_A = rate(0.52, 0.55, 0.58)
FAVOURS_B = rate(0.40, 0.45, 0.499)
UNDECIDED = rate(0.49, 0.55, 0.61)


def test_numbers() -> None:
    assert wording.number(1234567) == "1,234,567"
    assert wording.percent(0.5471) == "54.7%"
    assert wording.percent(0.5471, 2) == "54.71%"
    assert wording.percent(0) == "0%"
    assert wording.percent(1) == "100%"
    assert wording.percent_range(FAVOURS_A) == "52.0\N{EN DASH}58.0%"
    assert wording.percent_range(rate(0, 0, 0.2)) == "0\N{EN DASH}20.0%"


@pytest.mark.parametrize(
    ("low", "estimate", "high", "decimals"),
    [
        (0.52, 0.55, 0.58, 1),
        (0.5002, 0.51, 0.52, 2),  # 50.0 % would look like no advantage
        (0.48, 0.49, 0.49998, 3),
        (0.98, 0.99, 0.9999, 2),  # 100.0 % would look like no loss at all
        (0.5471, 0.5472, 0.5473, 2),
        (0.5, 0.5, 0.5, 4),
    ],
)
def test_decimals_leave_no_false_impression(
    low: float, estimate: float, high: float, decimals: int
) -> None:
    assert wording.decimals(rate(low, estimate, high, 10**6)) == decimals


def test_finding_says_which_side_and_how_sure() -> None:
    assert wording.finding("Rome", "Sparta", "greedy on both sides", FAVOURS_A) == (
        "With greedy on both sides, the result favours Rome over Sparta: Rome won 55.0% of 1,000 "
        "duels, 95% interval 52.0\N{EN DASH}58.0% (a test's interval)."
    )
    # The favoured side's own rate and interval, whichever side that is.
    assert "favours Sparta over Rome: Sparta won 55.0% of 1,000 duels, 95% interval" in (
        wording.finding("Rome", "Sparta", "greedy on both sides", FAVOURS_B)
    )
    assert wording.finding("Rome", "Sparta", "greedy on both sides", UNDECIDED) == (
        "With greedy on both sides, neither side is shown to be favoured: Rome won 55.0% of 1,000 "
        "duels against Sparta, and the 95% interval 49.0\N{EN DASH}61.0% contains 50% (a test's "
        "interval)."
    )


def test_headline() -> None:
    assert wording.headline("Rome", "Sparta", FAVOURS_A) == "Rome won 55.0% of duels against Sparta"
    assert wording.headline("Rome", "Sparta", FAVOURS_B) == "Sparta won 55.0% of duels against Rome"
    assert wording.headline("Rome", "Sparta", UNDECIDED) == (
        "Rome against Sparta: no side shown to be favoured"
    )


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300))
def test_no_side_is_favoured_while_even_odds_are_in_the_interval(n0: int, n1: int, n2: int) -> None:
    if n0 + n1 + n2 == 0:
        return
    result = win_rate(PairCounts(n0, n1, n2))
    low, high = result.interval
    side = wording.favoured(result)
    sentence = wording.finding("A", "B", "play", result)
    if low <= 0.5 <= high:
        assert side is None
        assert "neither side" in sentence and "favours" not in sentence
    else:
        assert side == ("a" if low > 0.5 else "b")
        assert "favours" in sentence
        shown = re.search("interval ([0-9.]+)", sentence)
        assert shown is not None and float(shown[1]) > 50
    assert wording.favoured(result.mirrored()) == {"a": "b", "b": "a", None: None}[side]


def test_sample() -> None:
    assert wording.sample(independent_rate(1, 1)) == "1 duel"
    assert wording.sample(win_rate(PairCounts(1, 0, 0))) == "2 duels in 1 pair"
    assert wording.sample(win_rate(PairCounts(1000, 0, 500), 1, 1)) == (
        "3,001 duels in 1,500 pairs and 1 unpaired"
    )


def test_play() -> None:
    assert wording.play("Rome", "Sparta", "greedy", "greedy") == "greedy on both sides"
    assert wording.play("Rome", "Sparta", "greedy", "random") == (
        "greedy for Rome and random for Sparta"
    )
    assert wording.play("Rome", "Sparta", "greedy", "greedy", "Rome") == (
        "greedy on both sides, Rome always first"
    )


def test_side_names_can_be_told_apart() -> None:
    assert wording.side_names("Rome", "Sparta", 12) == ("Rome", "Sparta")
    assert wording.side_names("Rome", "Rome", 12) == ("Rome (A)", "Rome (B)")
    assert wording.side_names("rome", "Rome", 12) == ("rome (A)", "Rome (B)")
    assert wording.side_names("My Roman deck, v1", "My Roman deck, v2", 12) == (
        "My Ro…ck, v1",
        "My Ro…ck, v2",
    )
    assert wording.side_names("a\nb  c", "d", 12) == ("a b c", "d")


@given(st.text(max_size=60), st.text(max_size=60), st.integers(8, 40))
def test_side_names_fit_and_differ(a: str, b: str, width: int) -> None:
    short_a, short_b = wording.side_names(a, b, width)
    assert short_a != short_b
    assert len(short_a) <= width and len(short_b) <= width
    assert "\n" not in short_a + short_b
