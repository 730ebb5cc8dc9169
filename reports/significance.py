"""Whether a deviation is more than chance, and the correction for looking at many at once.

**One win rate against 50 %.** The exact conditional test: of the pairs of duels that one side took
whole, as many as not should be its own (McNemar Q. (1947), Note on the sampling error of the
difference between correlated proportions or percentages, Psychometrika 12:153-157, in its binomial
form, by `scipy.stats.binomtest`). Without pairs, the binomial test of the duels.

**A mean difference against 0.** The score test that belongs to the intervals of
`reports.bounded_mean`: the weighted mean over its standard deviation *given* that every mean is 0.

**Many at once.** Benjamini Y. and Hochberg Y. (1995), Controlling the false discovery rate, Journal
of the Royal Statistical Society B 57:289-300 (`scipy.stats.false_discovery_control`): of what is
flagged at 5 %, at most 5 % are expected to be false. That asks for independence, which matchups
have, or for positive dependence, which differences from one common baseline have (Benjamini Y. and
Yekutieli D. (2001), Annals of Statistics 29:1165-1188).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from scipy.stats import binomtest, false_discovery_control, norm

from reports.bounded_mean import Sample
from reports.intervals import PairCounts

#: The share of false ones among what is flagged.
LEVEL: Final = 0.05
CORRECTION: Final = "Benjamini-Hochberg, false discovery rate 5%"


def even_p(pairs: PairCounts, lone_wins: int = 0, lone_duels: int = 0) -> float:
    """The p-value of a win rate of 50 %, two-sided; 1 where nothing speaks against it.

    Duels without a partner count only where there are no pairs.
    """
    wins, trials = pairs.both, pairs.none + pairs.both
    if not pairs.pairs:
        wins, trials = lone_wins, lone_duels
    return float(binomtest(wins, trials).pvalue) if trials else 1.0


def zero_p(weights: Sequence[float], samples: Sequence[Sample]) -> float:
    """The p-value of a weighted mean difference of 0, two-sided."""
    total = math.fsum(w * sample.mean for w, sample in zip(weights, samples, strict=True))
    variance = math.fsum(
        w * w * sample.given(0.0).variance / sample.size
        for w, sample in zip(weights, samples, strict=True)
    )
    return float(2 * norm.sf(abs(total) / math.sqrt(variance))) if variance > 0 else 1.0


def adjusted(values: Sequence[float]) -> list[float]:
    """The p-values after the correction of Benjamini and Hochberg, in the same order."""
    if not values:
        return []
    return [float(value) for value in false_discovery_control(list(values), method="bh")]
