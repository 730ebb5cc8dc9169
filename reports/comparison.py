"""The summary of a comparison: list A and list B against the same opponents on the same seeds.

Two Polars frames go in, as the parent process of a run aggregates them:

- `pairs`: `opponent` (its number), `wins_a` and `wins_b` (duels of the pair that each list won
  against it: 0, 1, 2; of a single duel 0, 1), `pairs` (how many were like this);
- `cards`, of the cards that the lists do not share: `list` ("a" or "b"), `card` (identifier),
  `duels` and `won` (with this list), then for `drawn`, `played` and `was_set` in how many of them
  that happened, and with `_won` how many of those the list won.

**The difference.** The unit is the pair of duels on one seed: list A's score in it less list B's,
one of -1, -1/2, 0, 1/2, 1. Against one opponent the interval of the mean difference is a score
interval (`reports.bounded_mean`); over all opponents it is put together from theirs, weighted.
Its standard error is compared with that of two runs that share no random numbers, whose variances
add up: var(A - B) = var(A) + var(B) - 2 cov(A, B), of which common random numbers make the last
term positive (Law A. M. (2015), Simulation Modeling and Analysis, 5th ed., section 11.2).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from reports import sequential
from reports.bounded_mean import Sample, normal_quantile, weighted_interval
from reports.intervals import Interval, PairCounts, Rate, independent_rate, win_rate
from reports.sequential import Sprt

LEVEL: Final = 0.95
PAIR_COLUMNS: Final = ("opponent", "wins_a", "wins_b", "pairs")
CARD_COLUMNS: Final = (
    "list",
    "card",
    "duels",
    "won",
    "drawn",
    "drawn_won",
    "played",
    "played_won",
    "was_set",
    "was_set_won",
)
FIXED_METHOD: Final = "paired score interval of the difference"
ANY_TIME_METHOD: Final = "confidence sequence, which allows for the early stop"


@dataclass(frozen=True, slots=True)
class Difference:
    """List A's win rate less list B's, as a share.

    `error` is its standard error, `error_apart` that of two runs of the same length that share no
    random numbers.
    """

    estimate: float
    interval: Interval
    error: float
    error_apart: float

    @property
    def gain(self) -> float | None:
        """How many times smaller common random numbers make the error; None where it is 0."""
        return self.error_apart / self.error if self.error > 0 else None

    def to_json(self) -> dict[str, Any]:
        """The numbers by name, as shares."""
        return {
            "difference": self.estimate,
            "difference_ci95": list(self.interval),
            "standard_error": self.error,
            "standard_error_separate_runs": self.error_apart,
            "error_times_smaller": self.gain,
        }


@dataclass(frozen=True, slots=True)
class Against:
    """Both lists against one opponent, whose share of the total is `weight`."""

    name: str
    weight: float
    pairs: int
    rate_a: Rate
    rate_b: Rate
    difference: Difference


@dataclass(frozen=True, slots=True)
class Share:
    """A weighted win rate with its interval."""

    estimate: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class CardDoings:
    """What a card that the lists do not share did in one of them, over all opponents.

    `copies` of it are in the list, `others` in the other list; the rest counts duels.
    """

    id: str
    name: str
    in_list: str
    copies: int
    others: int
    duels: int
    won: int
    drawn: int
    drawn_won: int
    played: int
    played_won: int
    was_set: int
    was_set_won: int

    @property
    def worth(self) -> tuple[float, float] | None:
        """The win rate if it was drawn less if it was not, and half of its 95 % interval.

        None where it was always or never drawn. Normal approximation; the two duels of a pair may
        hang together, so that the variance is taken twice (Kish's design effect at its largest, as
        in `intervals.mean_with_error`). It says what went along with drawing the card, not what
        came of it: who lives longer draws more.
        """
        rest, rest_won = self.duels - self.drawn, self.won - self.drawn_won
        if not self.drawn or not rest:
            return None
        with_it, without = self.drawn_won / self.drawn, rest_won / rest
        variance = with_it * (1 - with_it) / self.drawn + without * (1 - without) / rest
        return with_it - without, normal_quantile(LEVEL) * math.sqrt(2 * variance)

    def to_json(self) -> dict[str, Any]:
        """The numbers by name."""
        return {
            "id": self.id,
            "name_en": self.name,
            "list": self.in_list,
            "copies": self.copies,
            "copies_in_other_list": self.others,
            **{key: getattr(self, key) for key in CARD_COLUMNS[2:]},
            "drawn_share": self.drawn / self.duels,
            "played_when_drawn": _share(self.played, self.drawn),
            "win_rate_when_drawn": _share(self.drawn_won, self.drawn),
            "win_rate_when_not_drawn": _share(self.won - self.drawn_won, self.duels - self.drawn),
            "win_rate_when_played": _share(self.played_won, self.played),
        }


@dataclass(frozen=True, slots=True)
class Tested:
    """What a sequential test said: its answer, its log likelihood ratio, after how many pairs."""

    test: Sprt
    answer: sequential.Decision
    ratio: float
    pairs: int

    def to_json(self) -> dict[str, Any]:
        """The test and its answer; hypotheses as shares."""
        return {
            "no_better": self.test.worse,
            "better": self.test.better,
            "alpha": self.test.alpha,
            "beta": self.test.beta,
            "answer": self.answer,
            "log_likelihood_ratio": self.ratio,
            "bounds": list(self.test.bounds),
            "pairs": self.pairs,
        }


@dataclass(frozen=True, slots=True)
class ComparisonSummary:
    """What a comparison showed. All but `duels_per_second` is a function of the duels alone.

    `duels` is how many each list played. `same` says that the lists have the same cards. `tested`
    is None where no sequential test was asked for; where one was, the intervals of differences
    allow for it.
    """

    a: str
    b: str
    strategy: str
    seed: int
    duels: int
    paired: bool
    same: bool
    shared_cards: int
    against: tuple[Against, ...]
    total_a: Share
    total_b: Share
    difference: Difference
    cards: tuple[CardDoings, ...]
    tested: Tested | None
    duels_per_second: float | None

    @property
    def pairs(self) -> int:
        """Pairs of duels that each list played; single duels where the rules fix who begins."""
        return sum(each.pairs for each in self.against)

    @property
    def method(self) -> str:
        """The name of the difference's interval."""
        return FIXED_METHOD if self.tested is None else ANY_TIME_METHOD

    def to_json(self) -> dict[str, Any]:
        """The summary as a dict that `json.dumps` takes; rates and differences are shares."""
        return {
            "a": self.a,
            "b": self.b,
            "duels": self.duels,
            "pairs": self.pairs,
            "seed": self.seed,
            "strategy": self.strategy,
            "shared_cards": self.shared_cards,
            "win_rate_a": self.total_a.estimate,
            "win_rate_a_ci95": list(self.total_a.interval),
            "win_rate_b": self.total_b.estimate,
            "win_rate_b_ci95": list(self.total_b.interval),
            **self.difference.to_json(),
            "against": [
                {
                    "name": each.name,
                    "weight": each.weight,
                    "duels": each.rate_a.duels,
                    "wins_a": each.rate_a.wins,
                    "win_rate_a": each.rate_a.estimate,
                    "win_rate_a_ci95": list(each.rate_a.interval),
                    "wins_b": each.rate_b.wins,
                    "win_rate_b": each.rate_b.estimate,
                    "win_rate_b_ci95": list(each.rate_b.interval),
                    **each.difference.to_json(),
                }
                for each in self.against
            ],
            "cards": [card.to_json() for card in self.cards],
            "sprt": None if self.tested is None else self.tested.to_json(),
            "interval_method": self.method,
            "duels_per_second": self.duels_per_second,
        }


def differences(
    pairs: pl.DataFrame, weights: Sequence[float], *, paired: bool
) -> tuple[list[Sample], Sample]:
    """The differences of scores against each opponent, and over all of them together.

    In the latter every opponent counts by its weight. It serves the sequential test as one sample,
    given that the opponents are played as often as they weigh: what they differ in then makes its
    variance larger than that of the weighted mean, never smaller, which errs on the safe side.
    """
    size = 2 if paired else 1
    steps = range(-size, size + 1)
    values = tuple(step / size for step in steps)
    gap = pl.col("wins_a") - pl.col("wins_b")
    samples = []
    for number in range(len(weights)):
        own = pairs.filter(pl.col("opponent") == number).group_by(gap.alias("gap"))
        counts = dict(own.agg(pl.col("pairs").sum()).iter_rows())
        samples.append(Sample(values, tuple(counts.get(step, 0) for step in steps)))
    total = sum(sample.size for sample in samples)
    scale = [total * w / sample.size for w, sample in zip(weights, samples, strict=True)]
    pooled = tuple(
        math.fsum(k * sample.counts[i] for k, sample in zip(scale, samples, strict=True))
        for i in range(len(values))
    )
    return samples, Sample(values, pooled)


def summarise_against(
    pairs: pl.DataFrame,
    names: Sequence[str],
    weights: Sequence[float],
    *,
    paired: bool,
    test: Sprt | None,
) -> tuple[Against, ...]:
    """Both lists against each opponent (`weights` add up to 1)."""
    found = []
    samples, _ = differences(pairs, weights, paired=paired)
    for number, (name, weight, sample) in enumerate(zip(names, weights, samples, strict=True)):
        own = pairs.filter(pl.col("opponent") == number)
        scores = [_score_counts(own, f"wins_{each}", paired) for each in "ab"]
        rates = [_rate(counts, paired) for counts in scores]
        apart = math.sqrt(sum(_score_variance(counts) for counts in scores) / sample.size)
        error = math.sqrt(sample.variance / sample.size)
        if test is None:
            interval = sample.score_interval(LEVEL)
        else:
            guarded = sequential.guarded_error(sample)
            interval = sequential.any_time_interval(
                sample.mean, guarded, sample.size, sequential.TUNED * weight, LEVEL
            )
        difference = Difference(sample.mean, interval, error, apart)
        found.append(Against(name, weight, int(sample.size), rates[0], rates[1], difference))
    return tuple(found)


def total_rate(rates: Sequence[Rate], weights: Sequence[float]) -> Share:
    """The weighted win rate over all opponents."""
    estimates = [rate.estimate for rate in rates]
    interval = weighted_interval(weights, estimates, [rate.interval for rate in rates])
    total = math.fsum(w * e for w, e in zip(weights, estimates, strict=True))
    return Share(total, Interval(max(0.0, interval.low), min(1.0, interval.high)))


def total_difference(against: Sequence[Against], test: Sprt | None, pooled: Sample) -> Difference:
    """The weighted difference over all opponents; `pooled` as `differences` gives it."""
    weights = [each.weight for each in against]
    parts = [each.difference for each in against]
    estimate = math.fsum(w * part.estimate for w, part in zip(weights, parts, strict=True))
    error, apart = (
        math.sqrt(math.fsum((w * e) ** 2 for w, e in zip(weights, errors, strict=True)))
        for errors in ([part.error for part in parts], [part.error_apart for part in parts])
    )
    if test is None:
        estimates = [part.estimate for part in parts]
        interval = weighted_interval(weights, estimates, [part.interval for part in parts])
        interval = Interval(max(-1.0, interval.low), min(1.0, interval.high))
    else:
        guarded = sequential.guarded_error(pooled)
        interval = sequential.any_time_interval(
            estimate, guarded, pooled.size, sequential.TUNED, LEVEL
        )
    return Difference(estimate, interval, error, apart)


def _score_counts(pairs: pl.DataFrame, column: str, paired: bool) -> list[int]:
    """How many pairs a list won 0, 1 (and 2) duels of."""
    counts = dict(pairs.group_by(column).agg(pl.col("pairs").sum()).iter_rows())
    return [counts.get(wins, 0) for wins in range(3 if paired else 2)]


def _rate(counts: Sequence[int], paired: bool) -> Rate:
    if paired:
        return win_rate(PairCounts(*counts), level=LEVEL)
    return independent_rate(counts[1], sum(counts), LEVEL)


def _score_variance(counts: Sequence[int]) -> float:
    """The variance of a list's score in a pair, which is between 0 and 1."""
    most = len(counts) - 1
    return Sample(tuple(i / most for i in range(most + 1)), tuple(counts), 0.0, 1.0).variance


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
