"""Factions (or any decks) in their field: averages, ratings, the equilibrium, cycles.

**How sure.** The equilibrium and the cycles depend on all matchups at once. They are worked out
again for matrices resampled from this one: the pairs of duels of each matchup are drawn anew, as
many as there were, with the shares in which deck A won none, one or both (a parametric bootstrap:
Efron B. and Tibshirani R. (1993), An introduction to the bootstrap, chapter 6.5). Half a pair is
added to those that either side won whole, so that a share of 0 is not taken for certain. Intervals
are the 2.5 and 97.5 % quantiles.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from reports.comparison import Share, total_rate
from reports.equilibrium import equilibrium
from reports.intervals import Interval, PairCounts, Rate, win_rate
from reports.ratings import METHOD, Pairing, Rating, fit_ratings

Floats = npt.NDArray[np.float64]

RESAMPLES: Final = 1_000
#: A share below this is that of a deck that is not played: what the solver leaves of a 0.
_NOTHING: Final = 1e-9
_HALF: Final = 0.5


@dataclass(frozen=True, slots=True)
class Meeting:
    """What decks number a and b did against each other (as `reports.ratings.Pairing`)."""

    a: int
    b: int
    pairs: PairCounts
    lone_wins: int = 0
    lone_duels: int = 0

    @property
    def rate(self) -> Rate:
        """Deck a's win rate."""
        return win_rate(self.pairs, self.lone_wins, self.lone_duels)


@dataclass(frozen=True, slots=True)
class FactionSummary:
    """One deck in its field.

    Attributes
    ----------
    deck
        Its name.
    average
        Its win rate against the others, of which each counts the same.
    duels
        How many duels that rests on.
    rating
        Bradley-Terry, in points; the mean of the field is 0.
    best, worst
        The opponent against which it does best and worst, and how it does.
    share
        Its share of the equilibrium mix, with its interval over resampled matrices.
    played
        The share of resampled matrices in whose equilibrium it is played at all.
    against_mix
        Its win rate against the equilibrium mix: 50 % if it is in it, else less.
    """

    deck: str
    average: Share
    duels: int
    rating: Rating
    best: tuple[str, Rate]
    worst: tuple[str, Rate]
    share: Share
    played: float
    against_mix: float

    def row(self, opponents: int) -> dict[str, Any]:
        """The deck as a row of the table (`reports/README.md`)."""
        found: dict[str, Any] = {"deck": self.deck, "opponents": opponents, "duels": self.duels}
        found |= _spread("average", self.average.estimate, self.average.interval)
        found |= _spread("rating", self.rating.points, self.rating.interval)
        for name, (other, rate) in (("best", self.best), ("worst", self.worst)):
            found |= {name: other, **_spread(f"{name}_win_rate", rate.estimate, rate.interval)}
        found |= _spread("equilibrium", self.share.estimate, self.share.interval)
        return found | {"in_equilibrium": self.played, "against_equilibrium": self.against_mix}


@dataclass(frozen=True, slots=True)
class Cycle:
    """Three decks of which each beats the next one, the last one the first.

    `rates` are the win rates of each against the next; `resampled` is the share of resampled
    matrices in which all three are above 50 %.
    """

    decks: tuple[str, str, str]
    rates: tuple[Rate, Rate, Rate]
    resampled: float

    @property
    def sure(self) -> bool:
        """Whether all three intervals lie above 50 %."""
        return all(rate.interval.low > 0.5 for rate in self.rates)

    def row(self) -> dict[str, Any]:
        """The cycle as a row of the table (`reports/README.md`)."""
        places = ("first", "second", "third")
        found: dict[str, Any] = dict(zip(places, self.decks, strict=True))
        for number, rate in enumerate(self.rates):
            name = f"{places[number]}_{places[(number + 1) % 3]}"
            found |= _spread(name, rate.estimate, rate.interval)
        return found | {"sure": self.sure, "resampled": self.resampled}


@dataclass(frozen=True)
class FactionsSummary:
    """The decks by their average, and the cycles, the surest first."""

    decks: tuple[FactionSummary, ...]
    cycles: tuple[Cycle, ...]
    resamples: int

    def table(self) -> pl.DataFrame:
        """One row for each deck (`reports/README.md`)."""
        return pl.DataFrame([deck.row(len(self.decks) - 1) for deck in self.decks])

    def cycles_table(self) -> pl.DataFrame:
        """One row for each cycle (`reports/README.md`); it has columns even if it has no row."""
        nothing = Rate(0, 1, 0, Interval(0.0, 0.0), 0.95, "")
        empty = Cycle(("", "", ""), (nothing, nothing, nothing), 0.0).row()
        schema = pl.DataFrame([empty]).schema
        return pl.DataFrame([cycle.row() for cycle in self.cycles], schema=schema)

    def to_json(self) -> dict[str, Any]:
        """The summary as a dict that `json.dumps` takes; rates and shares in [0, 1]."""
        return {
            "decks": self.table().to_dicts(),
            "cycles": self.cycles_table().to_dicts(),
            "rating_method": METHOD,
            "equilibrium_method": (
                f"linear program; intervals from {self.resamples} matrices resampled by pairs"
            ),
        }


def summarise_factions(
    decks: Sequence[str], meetings: Sequence[Meeting], seed: int, resamples: int = RESAMPLES
) -> FactionsSummary:
    """Summarise two or more decks of which each met each other one; mirrors are not wanted.

    Parameters
    ----------
    seed
        For the resampling: the same seed gives the same intervals.
    """
    n = len(decks)
    rates = {(m.a, m.b): m.rate for m in meetings}
    rates |= {(b, a): rate.mirrored() for (a, b), rate in list(rates.items())}
    matrix = _matrix(n, [(m.a, m.b) for m in meetings], [m.rate.estimate for m in meetings])
    drawn = resampled(n, meetings, resamples, seed)
    mix = equilibrium(matrix)
    mixes = np.array([equilibrium(each) for each in drawn])
    ratings = fit_ratings(
        n, [Pairing(m.a, m.b, m.pairs, m.lone_wins, m.lone_duels) for m in meetings]
    )
    found = []
    for own in range(n):
        others = [other for other in range(n) if other != own]
        best = max(others, key=lambda other: rates[own, other].estimate)
        worst = min(others, key=lambda other: rates[own, other].estimate)
        low, high = np.quantile(mixes[:, own], (0.025, 0.975))
        found.append(
            FactionSummary(
                deck=decks[own],
                average=total_rate([rates[own, o] for o in others], [1 / (n - 1)] * (n - 1)),
                duels=sum(rates[own, o].duels for o in others),
                rating=ratings[own],
                best=(decks[best], rates[own, best]),
                worst=(decks[worst], rates[own, worst]),
                share=Share(float(mix[own]), Interval(float(low), float(high))),
                played=float((mixes[:, own] > _NOTHING).mean()),
                against_mix=float(matrix[own] @ mix),
            )
        )
    found.sort(key=lambda deck: -deck.average.estimate)
    return FactionsSummary(tuple(found), _cycles(decks, rates, drawn), resamples)


def resampled(n: int, meetings: Sequence[Meeting], times: int, seed: int) -> Floats:
    """Matrices of win rates drawn anew, shape (times, n, n) (see the module)."""
    rng = np.random.default_rng(np.random.SeedSequence([seed, n, len(meetings)]))
    draws = np.empty((len(meetings), times))
    for number, m in enumerate(meetings):
        none, one, both = m.pairs
        if m.pairs.pairs:
            shares = np.array([none + _HALF, one, both + _HALF]) / (m.pairs.pairs + 2 * _HALF)
            counts = rng.multinomial(m.pairs.pairs, shares, size=times)
            draws[number] = (counts[:, 1] / 2 + counts[:, 2]) / m.pairs.pairs
        else:
            chance = (m.lone_wins + _HALF) / (m.lone_duels + 2 * _HALF)
            draws[number] = rng.binomial(m.lone_duels, chance, size=times) / m.lone_duels
    places = [(m.a, m.b) for m in meetings]
    return np.stack([_matrix(n, places, draws[:, k]) for k in range(times)])


def _matrix(n: int, places: Sequence[tuple[int, int]], rates: Sequence[float] | Floats) -> Floats:
    matrix = np.full((n, n), 0.5)
    for (a, b), rate in zip(places, rates, strict=True):
        matrix[a, b], matrix[b, a] = rate, 1 - rate
    return matrix


def _cycles(
    decks: Sequence[str], rates: dict[tuple[int, int], Rate], drawn: Floats
) -> tuple[Cycle, ...]:
    """All cycles of three, the surest first.

    A longer cycle needs no search: where there is one, there is one of three decks in it.
    """
    found = []
    for a, b, c in itertools.combinations(range(len(decks)), 3):
        for x, y, z in ((a, b, c), (a, c, b)):
            edges = ((x, y), (y, z), (z, x))
            if all(rates[edge].estimate > 0.5 for edge in edges):
                holds = np.all([drawn[:, one, other] > 0.5 for one, other in edges], axis=0)
                first, second, third = (rates[edge] for edge in edges)
                names = (decks[x], decks[y], decks[z])
                found.append(Cycle(names, (first, second, third), float(holds.mean())))
    return tuple(sorted(found, key=lambda cycle: (not cycle.sure, -cycle.resampled)))


def _spread(name: str, value: float, interval: Interval) -> dict[str, float]:
    return {name: value, f"{name}_low": interval.low, f"{name}_high": interval.high}
