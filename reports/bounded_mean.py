"""The mean of something that is seen many times and lies between two known bounds.

For the difference of two decks' scores on the same seed, which takes five values from -1 to 1.
Plain numbers in, plain numbers out.

**Likelihood of a mean.** What is not known about the distribution (all but its mean) is set to what
makes the data most likely *given* that mean. With shares f of the values v seen,

    p_j = f_j / (1 + u (v_j - m)),   u such that the p_j have mean m,

which is the empirical likelihood of Owen A. B. (1988), Empirical likelihood ratio confidence
intervals for a single functional, Biometrika 75:237-249; as maximum likelihood of a multinomial
with a prescribed mean it stands in Van den Bergh M., "MLE for the multinomial distribution" (the
notes on Fishtest's mathematics, 2019). Neither has an answer where the mean lies outside of what
was seen (all won, all lost, all equal): tools that search for u there do not come back. Here the
bounds are values that could have been seen, so that the most likely distribution may put weight on
one of them, unseen or not; a solution then exists for every mean between the bounds.

**Score interval.** The residual of the mean over its standard deviation *given* the mean, as in
`reports.intervals`, of whose plain statistic (Tango 1998) this is the form for five values: with
the three values -1, 0, 1 it is the same to the last digit.

**Several strata.** Ends of a weighted sum of independent estimates are put together from the ends
of each: Zou G. Y., Huang W. and Zhang X. (2009), A note on confidence interval estimation for a
linear function of binomial proportions, Computational Statistics & Data Analysis 53:1080-1085.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

from reports.intervals import Interval

_STEPS = 200  # more halvings than a double has digits


class Likeliest(NamedTuple):
    """The most likely distribution that has a given mean.

    `fit` is the log of its likelihood over that of the shares themselves, for one observation: 0
    if the mean is the one that was seen, else below. `variance` is its variance.
    """

    fit: float
    variance: float


@dataclass(frozen=True)
class Sample:
    """Values that were seen, each with how often (or with any weight of 0 or more).

    Attributes
    ----------
    values, counts
        The values, all different, in [low, high], and how often each was seen.
    low, high
        What a value can be at least and at most.

    Raises
    ------
    ValueError
        Nothing was seen, a count is negative, or a value lies outside the bounds.
    """

    values: tuple[float, ...]
    counts: tuple[float, ...]
    low: float = -1.0
    high: float = 1.0

    def __post_init__(self) -> None:
        """Check the numbers."""
        if len(self.values) != len(self.counts) or min(self.counts, default=-1) < 0:
            raise ValueError(f"values need a count each, not negative: {self.counts}")
        if not self.low < self.high or any(not self.low <= v <= self.high for v in self.values):
            raise ValueError(f"values lie outside {self.low} ... {self.high}")
        if not self.size > 0:
            raise ValueError("nothing was seen")

    @property
    def size(self) -> float:
        """How many were seen."""
        return math.fsum(self.counts)

    @property
    def mean(self) -> float:
        """Their mean."""
        total = math.fsum(v * n for v, n in zip(self.values, self.counts, strict=True))
        return min(self.high, max(self.low, total / self.size))

    @property
    def variance(self) -> float:
        """Their variance, with divisor n."""
        mean = self.mean
        squares = (n * (v - mean) ** 2 for v, n in zip(self.values, self.counts, strict=True))
        return math.fsum(squares) / self.size

    def given(self, mean: float) -> Likeliest:
        """The most likely distribution with this mean, which lies strictly between the bounds."""
        if not self.low < mean < self.high:
            raise ValueError(f"a mean lies between {self.low} and {self.high}, got {mean}")
        size = self.size
        seen = [(n / size, v - mean) for v, n in zip(self.values, self.counts, strict=True) if n]
        drift = math.fsum(share * gap for share, gap in seen)
        if drift == 0.0:
            return Likeliest(0.0, math.fsum(share * gap * gap for share, gap in seen))
        # Towards the bound on the other side of what was seen, where weight must go.
        bound = (self.low if drift > 0 else self.high) - mean
        tilt = _tilt(seen, -1.0 / bound)
        scaled = [(share / (1.0 + tilt * gap), gap) for share, gap in seen]
        # What is missing to 1 lies on the bound; it is 0 but where the tilt went all the way.
        rest = max(0.0, 1.0 - math.fsum(p for p, _ in scaled)) if tilt == -1.0 / bound else 0.0
        variance = math.fsum(p * gap * gap for p, gap in scaled) + rest * bound * bound
        fit = -math.fsum(share * math.log1p(tilt * gap) for share, gap in seen)
        return Likeliest(min(0.0, fit), variance)

    def score_interval(self, level: float = 0.95) -> Interval:
        """The score interval of the mean; it contains the mean that was seen."""
        z = normal_quantile(level)
        return Interval(self._end(self.low, z), self._end(self.high, z))

    def _end(self, bound: float, z: float) -> float:
        """Where between the mean and a bound the score statistic reaches z."""
        mean, size = self.mean, self.size

        def outside(at: float) -> bool:
            gap = at - mean
            return gap * gap * size > z * z * self.given(at).variance

        inside, out = mean, bound
        for _ in range(_STEPS):
            middle = (inside + out) / 2
            # Closer than a billionth there is nothing to tell apart.
            if abs(out - inside) < 1e-9 or middle in (inside, out):
                break
            if outside(middle):
                out = middle
            else:
                inside = middle
        return bound if abs(bound - inside) < 2e-9 else inside


def weighted_interval(
    weights: Sequence[float], means: Sequence[float], intervals: Sequence[Interval]
) -> Interval:
    """The interval of a sum of independent means with weights of 0 or more (source: the module)."""
    total = math.fsum(w * m for w, m in zip(weights, means, strict=True))
    parts = list(zip(weights, means, intervals, strict=True))
    below = math.sqrt(math.fsum((w * (m - ends.low)) ** 2 for w, m, ends in parts))
    above = math.sqrt(math.fsum((w * (ends.high - m)) ** 2 for w, m, ends in parts))
    return Interval(total - below, total + above)


def normal_quantile(level: float) -> float:
    """The z that a standard normal stays within, on both sides, with probability `level`."""
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, got {level}")
    return NormalDist().inv_cdf((1 + level) / 2)


def _tilt(seen: Sequence[tuple[float, float]], furthest: float) -> float:
    """The u of the module's formula, between 0 and `furthest`.

    `seen`: shares, and values less the mean. The sum below falls as u rises; its root may lie
    beyond `furthest`, which then is the answer. Newton's steps, but halvings where they would leave
    what is known to hold the root: this ends for every input.
    """

    def slope(u: float) -> tuple[float, float]:
        parts = [(share * gap / (1.0 + u * gap), gap / (1.0 + u * gap)) for share, gap in seen]
        return math.fsum(p for p, _ in parts), -math.fsum(p * q for p, q in parts)

    sign = 1.0 if furthest > 0 else -1.0
    if all(1.0 + furthest * gap > 1e-15 for _, gap in seen) and sign * slope(furthest)[0] >= 0:
        return furthest
    near, far = 0.0, furthest
    u = 0.0
    for _ in range(_STEPS):
        value, steepness = slope(u)
        if sign * value > 0:
            near = u
        else:
            far = u
        step = u - value / steepness
        if not min(near, far) < step < max(near, far):
            step = (near + far) / 2
        if abs(step - u) <= 1e-14 * abs(furthest) or step in (near, far):
            return step
        u = step
    return u
