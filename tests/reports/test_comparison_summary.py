"""The numbers of a comparison, against plain Python on the single pairs."""

from __future__ import annotations

import dataclasses
import json
import math
import statistics

import polars as pl
import pytest
from made_comparisons import CASES, made, pair_frame

from reports.bounded_mean import Sample
from reports.comparison import differences, summarise_against, total_difference, total_rate
from reports.comparison_wording import better, decimals, headline, points, verdict
from reports.sequential import Sprt

WEIGHTS = (0.5, 0.3, 0.2)
NAMES = ("Rome", "Sparta", "Persia")


def scores(frame: pl.DataFrame, opponent: int) -> tuple[list[float], list[float]]:
    """Both lists' scores in the single pairs against an opponent."""
    a: list[float] = []
    b: list[float] = []
    for row in frame.filter(pl.col("opponent") == opponent).iter_rows(named=True):
        a += [row["wins_a"] / 2] * row["pairs"]
        b += [row["wins_b"] / 2] * row["pairs"]
    return a, b


def test_the_numbers_are_those_of_the_single_pairs() -> None:
    sizes = [round(1500 * weight) for weight in WEIGHTS]
    frame = pair_frame(sizes, 0.2, seed=3)
    against = summarise_against(frame, NAMES, WEIGHTS, paired=True, test=None)
    _, pooled = differences(frame, WEIGHTS, paired=True)
    total = total_difference(against, None, pooled)
    estimate = variance = apart = 0.0
    for number, (each, weight, size) in enumerate(zip(against, WEIGHTS, sizes, strict=True)):
        a, b = scores(frame, number)
        gaps = [x - y for x, y in zip(a, b, strict=True)]
        assert each.rate_a.estimate == pytest.approx(statistics.fmean(a))
        assert each.rate_b.estimate == pytest.approx(statistics.fmean(b))
        assert each.difference.estimate == pytest.approx(statistics.fmean(gaps))
        assert each.difference.error == pytest.approx(statistics.pstdev(gaps) / math.sqrt(size))
        own = (statistics.pvariance(a) + statistics.pvariance(b)) / size
        assert each.difference.error_apart == pytest.approx(math.sqrt(own))
        estimate += weight * statistics.fmean(gaps)
        variance += weight**2 * statistics.pvariance(gaps) / size
        apart += weight**2 * own
    assert total.estimate == pytest.approx(estimate)
    assert total.error == pytest.approx(math.sqrt(variance))
    assert total.gain == pytest.approx(math.sqrt(apart / variance))
    half = (total.interval.high - total.interval.low) / 2
    assert half == pytest.approx(1.96 * total.error, rel=0.02)
    share = total_rate([each.rate_a for each in against], WEIGHTS)
    assert share.estimate - total_rate([e.rate_b for e in against], WEIGHTS).estimate == (
        pytest.approx(total.estimate)
    )
    assert pooled.mean == pytest.approx(total.estimate)
    # What the opponents differ in can only add to it.
    assert pooled.variance / pooled.size >= 0.999 * variance


def test_single_duels_are_a_unit_too() -> None:
    """Where the rules fix who begins there are no pairs: scores of 0 and 1."""
    frame = pl.DataFrame(
        {"opponent": [0, 0, 0], "wins_a": [1, 1, 0], "wins_b": [1, 0, 1], "pairs": [30, 20, 10]}
    )
    (only,) = summarise_against(frame, ["Rome"], [1.0], paired=False, test=None)
    assert only.rate_a.wins == 50 and only.rate_a.duels == 60
    assert only.difference.estimate == pytest.approx(10 / 60)
    tango = Sample((-1.0, 0.0, 1.0), (10, 30, 20)).score_interval()
    assert only.difference.interval == pytest.approx(tuple(tango))


def test_after_a_test_the_intervals_are_wider() -> None:
    plain, tested = made(), made(test=Sprt(0.0, 0.02))
    for one, other in [
        (plain.difference, tested.difference),
        *((x.difference, y.difference) for x, y in zip(plain.against, tested.against, strict=True)),
    ]:
        assert one.estimate == other.estimate
        assert other.interval.low < one.interval.low < one.interval.high < other.interval.high


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_json_is_plain_and_complete(case: dict[str, object]) -> None:
    summary = made(**case)  # type: ignore[arg-type]
    found = json.loads(json.dumps(summary.to_json(), allow_nan=False))
    assert found["difference"] == pytest.approx(found["win_rate_a"] - found["win_rate_b"])
    low, high = found["difference_ci95"]
    assert -1 <= low <= found["difference"] <= high <= 1
    assert len(found["against"]) == len(summary.against)
    assert sum(each["weight"] for each in found["against"]) == pytest.approx(1)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_words_say_no_more_than_the_interval(case: dict[str, object]) -> None:
    summary = made(**case)  # type: ignore[arg-type]
    low, high = summary.difference.interval
    side = better(summary.difference)
    said, title = verdict(summary), headline(summary)
    if summary.same:
        assert "same cards" in said and "same list" in title
    elif summary.tested is not None:
        answer = summary.tested.answer
        assert ("undecided" in said) == (answer == "undecided")
        assert title.endswith(f'the test says "{answer}"')
        assert "is shown" not in said and "holds whenever one stops" in said
    elif low <= 0 <= high:
        assert side is None
        assert "Neither list is shown to be better" in said
        assert "neither shown to be better" in title
    else:
        assert side == ("a" if low > 0 else "b")
        assert "Neither" not in said and " better than " in title
        # No end of the interval looks like 0.
        places = decimals(summary.difference)
        assert float(f"{100 * low:.{places}f}") != 0 and float(f"{100 * high:.{places}f}") != 0
    assert "nan" not in said


def test_points_have_a_sign() -> None:
    assert points(0.0132) == "+1.3"
    assert points(-0.0132) == "\N{MINUS SIGN}1.3"
    assert points(0.0) == "0"


def test_a_card_that_was_always_drawn_has_no_worth() -> None:
    card = made().cards[0]
    assert card.worth is not None
    middle, half = card.worth
    rate, other = (
        card.drawn_won / card.drawn,
        (card.won - card.drawn_won) / (card.duels - card.drawn),
    )
    assert middle == pytest.approx(rate - other)
    assert half > 0
    assert dataclasses.replace(card, drawn=card.duels).worth is None
    assert dataclasses.replace(card, drawn=0, drawn_won=0).worth is None
