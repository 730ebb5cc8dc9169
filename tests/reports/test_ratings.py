"""Bradley-Terry ratings against straight calculations and simulated tournaments."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from reports.intervals import PairCounts
from reports.ratings import POINTS, Pairing, fit_ratings


def test_two_players_are_apart_by_their_log_odds() -> None:
    a, b = fit_ratings(2, [Pairing(0, 1, PairCounts(1000, 1000, 7000))])
    wins, losses = 1000 + 14000 + 1, 2000 + 1000 + 1  # the added pair is one win for each
    assert a.points - b.points == pytest.approx(POINTS * math.log(wins / losses), rel=1e-6)
    assert a.points == pytest.approx(-b.points)


def test_400_points_are_odds_of_ten_to_one() -> None:
    a, b = fit_ratings(2, [Pairing(0, 1, PairCounts(10**6, 0, 10**7))])
    assert a.points - b.points == pytest.approx(400, abs=0.01)


def by_minorisation(players: int, pairings: list[Pairing]) -> list[float]:
    """Hunter D. R. (2004), MM algorithms for generalized Bradley-Terry models: the slow oracle."""
    worth = np.ones(players)
    for _ in range(5000):
        wins, weight = np.zeros(players), np.zeros(players)
        for pairing in pairings:
            i, j = pairing.first, pairing.second
            wins[i] += pairing.wins
            wins[j] += pairing.duels - pairing.wins
            weight[[i, j]] += pairing.duels / (worth[i] + worth[j])
        worth = wins / weight
        worth /= np.exp(np.log(worth).mean())
    return [POINTS * math.log(each) for each in worth]


def test_the_fit_agrees_with_a_slow_one() -> None:
    rng = np.random.default_rng(5)
    pairings = [
        Pairing(i, j, PairCounts(*map(int, rng.multinomial(200, rng.dirichlet((2, 2, 2))))))
        for i, j in itertools.combinations(range(4), 2)
    ]
    found = [rating.points for rating in fit_ratings(4, pairings)]
    assert found == pytest.approx(by_minorisation(4, pairings), abs=1e-3)
    assert sum(found) == pytest.approx(0, abs=1e-9)


def test_a_player_who_won_everything_has_a_finite_rating() -> None:
    pairings = [
        Pairing(0, 1, PairCounts(0, 0, 100)),
        Pairing(0, 2, PairCounts(0, 0, 100)),
        Pairing(1, 2, PairCounts(20, 60, 20)),
    ]
    best, *rest = fit_ratings(3, pairings)
    assert 400 < best.points < 2000
    assert best.interval.low > max(other.interval.high for other in rest)
    assert rest[0].points == pytest.approx(rest[1].points)


def test_players_that_never_met_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="connect"):
        fit_ratings(3, [Pairing(0, 1, PairCounts(1, 1, 1))])


@pytest.mark.parametrize("together", [-0.5, 0.0, 0.9])
def test_intervals_cover_the_true_ratings(together: float) -> None:
    """Coverage over simulated tournaments whose duels of a pair hang together, for or against."""
    rng = np.random.default_rng(7)
    truth = np.array([0.5, 0.1, -0.6])
    inside = total = 0
    for _ in range(300):
        pairings = []
        for i, j in itertools.combinations(range(3), 2):
            p = 1 / (1 + math.exp(truth[j] - truth[i]))
            covariance = together * min(p, 1 - p) ** 2 if together < 0 else together * p * (1 - p)
            both = p * p + covariance
            counts = rng.multinomial(150, (1 - 2 * p + both, 2 * (p - both), both))
            pairings.append(Pairing(i, j, PairCounts(*map(int, counts))))
        for rating, true in zip(fit_ratings(3, pairings), truth - truth.mean(), strict=True):
            inside += rating.interval.low <= POINTS * true <= rating.interval.high
            total += 1
    assert 0.92 <= inside / total <= 0.98
