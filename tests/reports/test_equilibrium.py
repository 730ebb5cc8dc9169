"""The equilibrium against known games and a search through all supports."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
import pytest

from reports.equilibrium import equilibrium

Floats = npt.NDArray[np.float64]


def random_rates(rng: np.random.Generator, n: int) -> Floats:
    """A random matrix of win rates with rates[j, i] = 1 - rates[i, j]."""
    drawn = rng.uniform(0.2, 0.8, (n, n))
    return 0.5 + (drawn - drawn.T) / 2


def by_supports(rates: Floats) -> Floats:
    """The equilibrium by trying which decks are played: all others do no better than even."""
    payoffs = rates - 0.5
    n = len(payoffs)
    for size in range(1, n + 1):
        for support in itertools.combinations(range(n), size):
            inner = payoffs[np.ix_(support, support)]
            # xᵀ M = 0 on the support and Σ x = 1
            system = np.vstack([inner.T, np.ones(size)])
            found = np.linalg.lstsq(system, np.append(np.zeros(size), 1.0), rcond=None)[0]
            mix = np.zeros(n)
            mix[list(support)] = found
            if np.allclose(system @ found, np.append(np.zeros(size), 1.0), atol=1e-10) and (
                (found > -1e-12).all() and (payoffs @ mix < 1e-10).all()
            ):
                return mix
    raise AssertionError("every game has an equilibrium")


def test_rock_paper_scissors_is_played_evenly() -> None:
    rates = np.array([[0.5, 1.0, 0.0], [0.0, 0.5, 1.0], [1.0, 0.0, 0.5]])
    assert equilibrium(rates) == pytest.approx([1 / 3] * 3)


def test_unequal_wins_shift_the_mix() -> None:
    # Payoffs a, b, c round the cycle are played in the shares of the opposite edges.
    rates = np.full((3, 3), 0.5)
    for i, j, edge in ((0, 1, 0.1), (1, 2, 0.2), (2, 0, 0.3)):
        rates[i, j], rates[j, i] = 0.5 + edge, 0.5 - edge
    assert equilibrium(rates) == pytest.approx([0.2 / 0.6, 0.3 / 0.6, 0.1 / 0.6])


def test_a_deck_that_beats_all_is_played_alone() -> None:
    rates = np.array([[0.5, 0.6, 0.51], [0.4, 0.5, 0.9], [0.49, 0.1, 0.5]])
    assert equilibrium(rates) == pytest.approx([1, 0, 0])


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_it_agrees_with_a_search_through_all_supports(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(20):
        rates = random_rates(rng, n)
        mix = equilibrium(rates)
        assert mix == pytest.approx(by_supports(rates), abs=1e-8)
        assert (rates @ mix).max() <= 0.5 + 1e-9


def test_a_mirror_is_even_whatever_was_observed() -> None:
    rates = np.array([[0.53, 1.0, 0.0], [0.0, 0.45, 1.0], [1.0, 0.0, 0.5]])
    assert equilibrium(rates) == pytest.approx([1 / 3] * 3)
