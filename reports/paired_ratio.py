"""The ratio of two positive quantities that were measured in pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Ratio:
    """A ratio with its 95 % interval.

    Attributes
    ----------
    n
        How many pairs it is from. Of one alone there is no interval: it is from 0 to infinity.
    """

    estimate: float
    low: float
    high: float
    n: int

    def to_json(self) -> dict[str, Any]:
        """As a dict that `json.dumps` takes; without an interval its ends are None."""
        known = self.n > 1
        return {
            "ratio": self.estimate,
            "low": self.low if known else None,
            "high": self.high if known else None,
            "pairs": self.n,
        }


def paired_ratio(new: Sequence[float], old: Sequence[float]) -> Ratio:
    """The ratio new/old: the geometric mean of the pairs' ratios, with Student's interval on logs.

    What changes a whole pair (a machine that is busy for a while) drops out of its ratio. The
    interval holds where the logarithms of the pairs' ratios are about normal.

    Parameters
    ----------
    new, old
        Positive, shape (n,); new[i] and old[i] are a pair.
    """
    from scipy import stats

    logs = np.log(np.asarray(new, dtype=float)) - np.log(np.asarray(old, dtype=float))
    n = len(logs)
    mean = float(logs.mean())
    if n == 1:
        return Ratio(float(np.exp(mean)), 0.0, float("inf"), 1)
    half = float(stats.t.ppf(0.975, n - 1) * logs.std(ddof=1) / np.sqrt(n))
    low, estimate, high = (float(np.exp(mean + shift)) for shift in (-half, 0.0, half))
    return Ratio(estimate, low, high, n)
