"""What a comparison showed in words, none of which says more than the interval."""

from __future__ import annotations

from typing import Final

from reports import wording
from reports.comparison import ComparisonSummary, Difference
from reports.intervals import Interval

_TO: Final = "\N{EN DASH}"
_MOST_DECIMALS: Final = 4


def points(share: float, decimals: int = 1) -> str:
    """A difference in points, with its sign: +1.3; an exact zero has none."""
    if share == 0:
        return "0"
    return f"{100 * share:+.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def points_range(interval: Interval, decimals: int = 1) -> str:
    """The interval of a difference: +0.4 to +2.2."""
    return f"{points(interval.low, decimals)} to {points(interval.high, decimals)}"


def decimals(difference: Difference) -> int:
    """How many decimals of a point show a difference and its interval without a false impression.

    One, or more where the interval is narrower than a tenth of a point or where an end would look
    like 0 that is not.
    """
    low, high = difference.interval
    shown = (difference.estimate, low, high)
    for places in range(1, _MOST_DECIMALS):
        step = 0.01 * 10.0**-places
        if high - low >= step and not any(x != 0 and abs(x) < step / 2 for x in shown):
            return places
    return _MOST_DECIMALS


def names(summary: ComparisonSummary, width: int = 60) -> tuple[str, str]:
    """Names of the two lists that can be told apart."""
    return wording.side_names(summary.a, summary.b, width)


def better(difference: Difference) -> str | None:
    """Which list the interval shows to be better: "a", "b", or None if it contains 0."""
    if difference.interval.low > 0:
        return "a"
    return "b" if difference.interval.high < 0 else None


def headline(summary: ComparisonSummary, width: int = 40) -> str:
    """The finding as a title."""
    a, b = names(summary, width)
    if summary.same:
        return f"{a} and {b} are the same list"
    if summary.tested is not None:
        # What the test says is its own: the interval may well contain 0 yet.
        return f'{a} or {b}: the test says "{summary.tested.answer}"'
    side = better(summary.difference)
    if side is None:
        return f"{a} or {b}: neither shown to be better"
    first, other = (a, b) if side == "a" else (b, a)
    gap = f"{abs(100 * summary.difference.estimate):.{decimals(summary.difference)}f}"
    return f"{first} better than {other} by {gap} points"


def verdict(summary: ComparisonSummary) -> str:
    """Which list is better, and how certain that is, in a sentence or two."""
    a, b = names(summary)
    if summary.same:
        return f"{a} and {b} have the same cards: there is nothing to tell apart."
    return _of_interval(summary, a, b) if summary.tested is None else _of_test(summary, a, b)


def error_line(difference: Difference) -> str:
    """How much common random numbers have helped."""
    places = max(2, decimals(difference))
    error, apart = (f"{100 * e:.{places}f}" for e in (difference.error, difference.error_apart))
    gain = difference.gain
    if gain is None:
        return "no pair of duels came out differently for the two lists"
    shown = f"{error} points; two separate runs of this length would have {apart}"
    if gain > 1:
        return f"{shown}, {gain:.2f} times as much (as with {gain**2:.1f} times the duels)"
    return f"{shown}: the same seeds have not helped here"


def _of_interval(summary: ComparisonSummary, a: str, b: str) -> str:
    difference = summary.difference
    places = decimals(difference)
    field = _field(summary)
    side = better(difference)
    if side is None:
        low, high = (f"{abs(100 * end):.{places}f}" for end in difference.interval)
        return (
            f"Neither list is shown to be better against {field}: {a} less {b} is "
            f"{points(difference.estimate, places)} points, 95% interval "
            f"{points_range(difference.interval, places)} {_basis(summary)}. {a} may be better by "
            f"as much as {high} points or worse by as much as {low}."
        )
    first, other = (a, b) if side == "a" else (b, a)
    low, high = (f"{end:.{places}f}" for end in sorted(abs(100 * e) for e in difference.interval))
    gap = f"{abs(100 * difference.estimate):.{places}f}"
    return (
        f"{first} is better than {other} against {field}, by {gap} points, 95% interval "
        f"{low}{_TO}{high} {_basis(summary)}."
    )


def _of_test(summary: ComparisonSummary, a: str, b: str) -> str:
    tested = summary.tested
    assert tested is not None
    low, high = (f"{100 * end:g}" for end in (tested.test.worse, tested.test.better))
    question = f'between "{a} is better than {b} by {high} points" and "by {low} or less"'
    pairs = f"after {wording.number(tested.pairs)} pairs of duels each"
    if tested.answer == "undecided":
        answer = f"The test is undecided {question} {pairs}, the most that it was given."
    else:
        said, error = f"by {high} points", tested.test.alpha
        if tested.answer == "no better":
            said, error = f"by {low} or less", tested.test.beta
        answer = (
            f'{pairs[0].upper()}{pairs[1:]} the test decides {question} for "{said}"; where the '
            f"other is true it does so in at most {100 * error:g}% of cases."
        )
    places = decimals(summary.difference)
    return (
        f"{answer} Against {_field(summary)} {a} less {b} is "
        f"{points(summary.difference.estimate, places)} points; the 95% interval "
        f"{points_range(summary.difference.interval, places)}, which holds whenever one stops, is "
        f"wider than that of a run of fixed length {_basis(summary)}."
    )


def _field(summary: ComparisonSummary) -> str:
    return "this opponent" if len(summary.against) == 1 else "these opponents"


def _basis(summary: ComparisonSummary) -> str:
    return f"({wording.number(summary.duels)} duels each, {summary.strategy} on both sides)"
