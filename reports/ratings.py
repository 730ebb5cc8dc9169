"""Ratings from a round robin: the Bradley-Terry model.

Player i beats player j with probability 1 / (1 + 10 ** ((r_j - r_i) / 400)), r being the ratings in
points as chess has them: 400 points are odds of 10 to 1. They are fitted by maximum likelihood
(Bradley R. A. and Terry M. E. (1952), Rank analysis of incomplete block designs, Biometrika
39:324-345) with `scipy.optimize.minimize`, and their mean is 0: only differences mean something.

Each pairing has one pair of duels added that both sides win whole by half. Without it a player who
won everything would have no finite rating; a hundred pairs hardly feel it.

**Intervals.** Duels come in pairs that share their shuffles, so the pair is the unit here, too: the
covariance is the sandwich H⁺ M H⁺ of the information matrix H and the sum M of the squared scores
of pairs (Huber P. J. (1967), The behavior of maximum likelihood estimates under nonstandard
conditions, Proc. 5th Berkeley Symp. 1:221-233; White H. (1982), Econometrica 50:1-25). A rating's
interval is about its distance from the mean of the field.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from reports.intervals import Interval, PairCounts

METHOD: Final = "Bradley-Terry, maximum likelihood; intervals from the sandwich of pairs"
#: Points of a rating for each unit of the log odds.
POINTS: Final = 400 / math.log(10)
_HALF: Final = 0.5  # of a pair, added to the pairs that either side won whole

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pairing:
    """What two players did against each other.

    Attributes
    ----------
    first, second
        Which players, by their places in the list of players.
    pairs
        Pairs of duels by how many of them `first` won.
    lone_wins, lone_duels
        Duels that were not played in pairs.
    """

    first: int
    second: int
    pairs: PairCounts
    lone_wins: int = 0
    lone_duels: int = 0

    @property
    def duels(self) -> float:
        """How many duels there were, the added pair counted."""
        return 2 * self.pairs.pairs + self.lone_duels + 4 * _HALF

    @property
    def wins(self) -> float:
        """How many of them `first` won."""
        return self.pairs.one + 2 * self.pairs.both + self.lone_wins + 2 * _HALF

    def squared_scores(self, p: float) -> float:
        """Sum over the pairs of (wins - expected wins)², where a duel is won with chance p."""
        none, one, both = self.pairs
        squares = (none + _HALF) * (2 * p) ** 2 + one * (1 - 2 * p) ** 2
        squares += (both + _HALF) * (2 - 2 * p) ** 2
        lost = self.lone_duels - self.lone_wins
        return squares + self.lone_wins * (1 - p) ** 2 + lost * p**2


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in points with its interval; the mean of all players is 0."""

    points: float
    interval: Interval


def fit_ratings(players: int, pairings: Sequence[Pairing], level: float = 0.95) -> list[Rating]:
    """The ratings of players 0 … players - 1, in that order.

    Raises ValueError if a player met nobody, so that the players cannot be compared.
    """
    _check(players, pairings)
    firsts = np.array([pairing.first for pairing in pairings])
    seconds = np.array([pairing.second for pairing in pairings])
    wins = np.array([pairing.wins for pairing in pairings])
    duels = np.array([float(pairing.duels) for pairing in pairings])
    design = np.zeros((len(pairings), players))
    design[np.arange(len(pairings)), firsts] = 1.0
    design[np.arange(len(pairings)), seconds] = -1.0
    strengths = _most_likely(design, wins, duels)
    chances = expit(design @ strengths)
    information = _weighted(design, duels * chances * (1 - chances))
    squares = np.array(
        [pairing.squared_scores(p) for pairing, p in zip(pairings, chances, strict=True)]
    )
    # ratings are known up to a constant: the inverse is taken among those with mean 0
    inverse = np.linalg.pinv(information, hermitian=True)
    covariance = inverse @ _weighted(design, squares) @ inverse
    z = NormalDist().inv_cdf((1 + level) / 2)
    half = z * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return [
        Rating(float(POINTS * at), Interval(float(POINTS * (at - by)), float(POINTS * (at + by))))
        for at, by in zip(strengths, half, strict=True)
    ]


def _most_likely(design: Floats, wins: Floats, duels: Floats) -> Floats:
    """The strengths of highest likelihood, in log odds, with mean 0."""

    def cost(strengths: Floats) -> tuple[float, Floats]:
        odds = design @ strengths
        value = -(wins * log_expit(odds) + (duels - wins) * log_expit(-odds)).sum()
        return float(value), -design.T @ (wins - duels * expit(odds))

    def curvature(strengths: Floats) -> Floats:
        p = expit(design @ strengths)
        # a bowl in the direction in which the likelihood is flat
        return _weighted(design, duels * p * (1 - p)) + np.ones((design.shape[1],) * 2)

    found: Any = minimize(
        cost,
        np.zeros(design.shape[1]),
        jac=True,
        hess=curvature,
        method="trust-exact",
        options={"gtol": 1e-8 * float(duels.sum())},
    )
    strengths: Floats = np.asarray(found.x) - np.mean(found.x)
    return strengths


def _weighted(design: Floats, weights: Floats) -> Floats:
    """The sum over pairings of weight times (e_first - e_second)(e_first - e_second)ᵀ."""
    weighted: Floats = design.T @ (weights[:, None] * design)
    return weighted


def _check(players: int, pairings: Sequence[Pairing]) -> None:
    """Every player must be reached from the first one over pairings."""
    reached = {0}
    while True:
        more = {
            other
            for pairing in pairings
            for one, other in (
                (pairing.first, pairing.second),
                (pairing.second, pairing.first),
            )
            if one in reached and other not in reached
        }
        if not more:
            break
        reached |= more
    if len(reached) < players:
        raise ValueError("the pairings do not connect all players")
