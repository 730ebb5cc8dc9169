"""Runs that stop early: when enough is known, by rules that allow for having looked before.

**Is one list better (`Sprt`).** Wald's sequential probability ratio test between two values of the
mean difference, with what else is not known about the differences set to its most likely given
each value: the generalised test of Li X., Liu J. and Ying Z. (2014), Generalized sequential
probability ratio test for separate families of hypotheses, Sequential Analysis 33:539-563, as
chess engines are tested (Van den Bergh M., the notes on Fishtest's mathematics: the unit is the
pair of games, of five possible scores). Bounds: Wald A. (1945), Sequential tests of statistical
hypotheses, Annals of Mathematical Statistics 16:117-186.

Known trouble, and what is done here: at extreme results (all pairs won, all lost, all equal) the
likelihood given a mean has no maximum over the scores that were seen, and a program that searches
for one hangs or gets no number (Disservin/fastchess issues 877 and 879). `reports.bounded_mean`
has an answer for every result, so that such a run ends: with hypotheses 0 and 2 points and errors
of 5 %, after about 150 pairs.

The errors are Wald's for a test after every pair; looks further apart only make them smaller.
Too early a look, at which the spread is not known yet, would make them larger: the first one comes
after `FIRST_LOOK` pairs. Simulated (tests/reports), with 5 % asked for: 2.8 to 4.2 % for 0 and 2
points, whatever the spread, and less where the hypotheses lie so far apart that the first look
nearly always decides.

**An interval after stopping (`any_time_interval`).** The fixed-n interval of a run that was stopped
because of its result is too narrow. A confidence sequence holds at all times at once: Robbins H.
(1970), Statistical methods related to the law of the iterated logarithm, Annals of Mathematical
Statistics 41:1397-1409; its form for an estimated variance: Waudby-Smith I., Arbour D., Sinha R.,
Kennedy E. H. and Ramdas A. (2024), Time-uniform central limit theory and asymptotic confidence
sequences, Annals of Statistics 52:2613-2640.

**How often does one side win, to within ± d (`close_enough`).** A fixed-width interval: Chow Y. S.
and Robbins H. (1965), On the asymptotic theory of fixed-width sequential confidence intervals for
the mean, Annals of Mathematical Statistics 36:457-462. The run stops at the first of a fixed list
of looks (`looks`) at which the interval is narrow enough. That rule asks how much the pairs spread
and not who wins, so that the coverage at the stop tends to the nominal one; near 0 and 100 % the
spread tells of the mean, a run of luck ends the run, and coverage falls to 0.935. A nominal level
of 96 % in place of 95 % makes up for that, at the price of a tenth more duels. Simulated coverage
(tests/reports) for d from 1 to 5 points and win rates from 0.35 to 0.998: 0.945 and more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from reports.bounded_mean import Sample
from reports.intervals import Interval, PairCounts, Rate, win_rate

#: Pairs before the first look.
FIRST_LOOK: Final = 100
#: A look after so many times the pairs of the one before: what is played too much is half of the
#: difference, on average.
STRIDE: Final = 1.1
LEVEL: Final = 0.95
#: Where the interval of a test is narrowest, pairs. To have it so early costs 6 % of width at 4,000
#: pairs, and saves a third at 200.
TUNED: Final = 500
STOPPED_LEVEL: Final = 0.96

Decision = Literal["better", "no better", "undecided"]


def looks(first: int = FIRST_LOOK, stride: float = STRIDE) -> Iterator[int]:
    """How many pairs to play until each look, without an end; each is more than the one before."""
    at = first
    while True:
        yield at
        at = max(at + 1, math.ceil(at * stride))


@dataclass(frozen=True)
class Sprt:
    """A sequential test of a mean difference in [-1, 1].

    Attributes
    ----------
    worse, better
        The two values of the difference, as shares: "no better" means `worse` or less, "better"
        means `better` or more.
    alpha, beta
        The chance of the answer "better" at `worse`, and of "no better" at `better`.

    Raises
    ------
    ValueError
        Not -1 < worse < better < 1, or an error not between 0 and 1/2.
    """

    worse: float
    better: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Check the numbers."""
        if not -1 < self.worse < self.better < 1:
            raise ValueError(f"need -1 < worse < better < 1, got {self.worse} and {self.better}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"errors lie between 0 and 0.5, got {self.alpha} and {self.beta}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Of the log likelihood ratio: "no better" at the lower one, "better" at the upper one."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def ratio(self, differences: Sample) -> float:
        """The log of the likelihood ratio, "better" over "no better"; always a finite number."""
        gain = differences.given(self.better).fit - differences.given(self.worse).fit
        return differences.size * gain

    def decide(self, differences: Sample) -> Decision:
        """What the pairs that were played until a look say."""
        lower, upper = self.bounds
        ratio = self.ratio(differences)
        if ratio >= upper:
            return "better"
        return "no better" if ratio <= lower else "undecided"


def any_time_interval(
    estimate: float, error: float, pairs: float, tuned: float = TUNED, level: float = LEVEL
) -> Interval:
    """An interval for a mean in [-1, 1] that holds at all looks at once.

    Parameters
    ----------
    estimate, error
        The mean and its standard error, in the same unit.
    pairs
        How many pairs they come from.
    tuned
        The number of pairs at which the interval shall be narrowest.
    """
    alpha = 1 - level
    # Waudby-Smith et al., their equation for the best rho at a time.
    rho2 = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / tuned
    scale = pairs * rho2 + 1
    z = math.sqrt(2 * scale / (pairs * rho2) * math.log(math.sqrt(scale) / alpha))
    return Interval(max(-1.0, estimate - z * error), min(1.0, estimate + z * error))


def guarded_error(sample: Sample) -> float:
    """The standard error of a mean, with half an observation more imagined at each bound.

    A few pairs that happen to be alike would say that there is no spread at all.
    """
    mean, size = sample.mean, sample.size
    imagined = ((sample.high - mean) ** 2 + (mean - sample.low) ** 2) / 2
    return math.sqrt((size * sample.variance + imagined) / (size + 1) / size)


def stopped_rate(counts: PairCounts, lone_wins: int = 0, lone_duels: int = 0) -> Rate:
    """The win rate of a run that looks how sure it is: arguments as `intervals.win_rate`.

    The interval is one of nominal 96 % (`STOPPED_LEVEL`) and is called one of 95 %: that is what it
    covers at the stop (see the module).
    """
    plain = win_rate(counts, lone_wins, lone_duels, STOPPED_LEVEL)
    method = f"{plain.method}, widened for stopping when narrow enough"
    return replace(plain, level=LEVEL, method=method)


def close_enough(rate: Rate, within: float) -> bool:
    """Whether both ends of a rate's interval lie at most `within` (a share) from the estimate."""
    low, high = rate.interval
    return max(rate.estimate - low, high - rate.estimate) <= within


@dataclass(frozen=True)
class Stopping:
    """How a run ended that was to go on until its interval is narrow enough.

    `within` is the share that both ends of the interval of `rate` were to be within.
    """

    within: float
    rate: Rate

    @property
    def reached(self) -> bool:
        """Whether the interval is so narrow; otherwise the run was at its limit."""
        return close_enough(self.rate, self.within)

    @property
    def sentence(self) -> str:
        """How it ended, in words."""
        goal = f"within {100 * self.within:g} points of the win rate"
        if self.reached:
            return f"Stopped at the first look at which both ends of the interval lay {goal}."
        return f"At its limit: the interval does not end {goal} yet."

    def to_json(self) -> dict[str, object]:
        """What was asked for, as a share, and whether it came about."""
        return {"until": self.within, "reached": self.reached}
