"""The zero-sum equilibrium of a matchup matrix: how much each deck is played if all play for wins.

Two players choose a deck each, and what one wins (its win rate less 50 %) the other loses. In the
equilibrium each plays every deck with some probability, such that no deck does better than even
against the mix (von Neumann J. (1928), Zur Theorie der Gesellschaftsspiele, Mathematische Annalen
100:295-320). It is the solution of a linear program, found exactly by `scipy.optimize.linprog`
(HiGHS). A deck against itself is even.

Where several mixes are equilibria (two decks that do alike against all others) one of them is
given; with rates from real duels that has probability 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

Floats = npt.NDArray[np.float64]


def equilibrium(rates: Floats) -> Floats:
    """The probability of each deck, shape (n,), adding up to 1.

    Parameters
    ----------
    rates
        Shape (n, n): the win rate of row against column; rates[j, i] = 1 - rates[i, j].
    """
    payoffs = np.asarray(rates, dtype=np.float64) - 0.5
    payoffs = (payoffs - payoffs.T) / 2  # exactly antisymmetric, with a diagonal of 0
    n = len(payoffs)
    # Greatest v such that the mix x wins at least v against every deck: xᵀ M ≥ v, Σ x = 1, x ≥ 0.
    found: Any = linprog(
        c=np.append(np.zeros(n), -1.0),
        A_ub=np.column_stack([-payoffs.T, np.ones(n)]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(n), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0.0, 1.0)] * n + [(None, None)],
        method="highs",
    )
    mix = np.clip(np.asarray(found.x[:n], dtype=np.float64), 0.0, None)
    total: Floats = mix / mix.sum()
    return total
