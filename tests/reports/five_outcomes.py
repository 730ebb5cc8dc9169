"""Made-up differences of two lists' scores on one seed: -1, -1/2, 0, 1/2 or 1."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

VALUES: Final = (-1.0, -0.5, 0.0, 0.5, 1.0)
#: How the differences spread, before they are tilted to a mean: lists that are nearly the same,
#: lists that share most cards, lists that share few, and duels of a pair that always agree.
SPREADS: Final = {
    "nearly the same": (1, 4, 60, 4, 1),
    "much alike": (5, 20, 50, 20, 5),
    "different": (10, 22, 36, 22, 10),
    "whole pairs": (25, 0, 50, 0, 25),
}


def chances(spread: tuple[int, ...], mean: float) -> npt.NDArray[np.float64]:
    """The chances of the five values: the spread, tilted exponentially to a mean."""
    base = np.array(spread, dtype=float)
    values = np.array(VALUES)
    low, high = -50.0, 50.0
    for _ in range(100):
        tilt = (low + high) / 2
        found = base * np.exp(tilt * values)
        found /= found.sum()
        low, high = (tilt, high) if found @ values < mean else (low, tilt)
    return found
