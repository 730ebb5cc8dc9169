"""What changes do: win rates before and after on the same seeds, and the paired difference.

The unit is the pair of duels on one seed: a side's share of it after the change less before, one of
-1, -1/2, 0, 1/2, 1. Against one opponent the interval of the mean difference is a score interval
(`reports.bounded_mean`), over all opponents it is put together from theirs, and its p-value is that
of the score test (`reports.significance`). Common random numbers make the error smaller as far as
the two shares of a pair hang together (their correlation is reported): var(A - B) = var(A) + var(B)
- 2 cov(A, B) (Law A. M. (2015), Simulation Modeling and Analysis, 5th ed., section 11.2).

Counts come as `sim.variants.Played.joint` has them: shape (3, 3), pairs by the duels won after the
change and before it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from reports.bounded_mean import Sample, weighted_interval
from reports.comparison import Difference, Share, total_rate
from reports.intervals import Interval, PairCounts, Rate, independent_rate, win_rate
from reports.significance import CORRECTION, LEVEL, adjusted, zero_p

METHOD: Final = "paired score interval of the difference, same seeds before and after"

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CellChange:
    """One matchup before and after: rates of the deck that is looked at."""

    against: str
    before: Rate
    after: Rate
    difference: Difference
    correlation: float | None
    p: float
    p_adjusted: float = 1.0

    @property
    def flagged(self) -> bool:
        """Whether the difference is shown, corrected for how many were looked at."""
        return self.p_adjusted <= LEVEL

    def row(self) -> dict[str, Any]:
        """The matchup as a part of a row of the table (`reports/README.md`)."""
        return {"against": self.against, "duels": self.before.duels, **_row(self)}


@dataclass(frozen=True, slots=True)
class Change:
    """What one change does to one deck, over all its opponents, of which each counts the same.

    Attributes
    ----------
    change
        What is changed.
    deck
        The deck whose win rates these are.
    before, after
        Its average win rate.
    difference
        After less before.
    correlation
        Of the deck's shares of a pair before and after, within matchups; None where one of them is
        always the same.
    p, p_adjusted
        Against no difference, before and after the correction.
    cells
        The matchups.
    """

    change: str
    deck: str
    before: Share
    after: Share
    difference: Difference
    correlation: float | None
    p: float
    p_adjusted: float
    cells: tuple[CellChange, ...]

    @property
    def flagged(self) -> bool:
        """Whether the difference is shown, corrected for how many were looked at."""
        return self.p_adjusted <= LEVEL

    @property
    def duels(self) -> int:
        """How many duels each of before and after rests on."""
        return sum(cell.before.duels for cell in self.cells)

    def row(self) -> dict[str, Any]:
        """The change as a row of the table (`reports/README.md`)."""
        return {
            "change": self.change,
            "deck": self.deck,
            "opponents": len(self.cells),
            "duels": self.duels,
            **_row(self),
        }


@dataclass(frozen=True)
class ChangesSummary:
    """What a run of changes showed. All but `duels_per_second` follows from the duels alone."""

    changes: tuple[Change, ...]
    strategy: str
    seed: int
    duels_per_second: float | None

    def ranked(self) -> tuple[Change, ...]:
        """The changes, the largest difference first."""
        return tuple(sorted(self.changes, key=lambda each: -abs(each.difference.estimate)))

    def table(self) -> pl.DataFrame:
        """One row for each change and deck (`reports/README.md`)."""
        return pl.DataFrame([change.row() for change in self.changes])

    def cells_table(self) -> pl.DataFrame:
        """One row for each change, deck and opponent (`reports/README.md`)."""
        return pl.DataFrame(
            [
                {"change": change.change, "deck": change.deck, **cell.row()}
                for change in self.changes
                for cell in change.cells
            ]
        )

    def to_json(self) -> dict[str, Any]:
        """The summary as a dict that `json.dumps` takes; rates and differences are shares."""
        return {
            "strategy": self.strategy,
            "seed": self.seed,
            "changes": self.table().to_dicts(),
            "by_opponent": self.cells_table().to_dicts(),
            "interval_method": METHOD,
            "correction": CORRECTION,
            "duels_per_second": self.duels_per_second,
        }


def cell_change(against: str, joint: Counts, *, paired: bool) -> tuple[CellChange, Sample]:
    """One matchup from its counts, and the sample of its differences."""
    size = 2 if paired else 1
    sample = difference_sample(joint, size)
    after, before = joint.sum(axis=1), joint.sum(axis=0)
    spread = [_variance(counts, size) for counts in (after, before)]
    error = math.sqrt(sample.variance / sample.size)
    apart = math.sqrt(sum(spread) / sample.size)
    difference = Difference(sample.mean, sample.score_interval(), error, apart)
    change = CellChange(
        against=against,
        before=_rate(before, paired),
        after=_rate(after, paired),
        difference=difference,
        correlation=_correlation([(sum(spread) - sample.variance) / 2], [spread]),
        p=zero_p([1.0], [sample]),
    )
    return change, sample


def deck_change(
    change: str, deck: str, against: Sequence[str], joint: Sequence[Counts], *, paired: bool
) -> Change:
    """One change of one deck from the counts against each opponent; `p_adjusted` is still p."""
    found = [
        cell_change(name, counts, paired=paired)
        for name, counts in zip(against, joint, strict=True)
    ]
    cells = [cell for cell, _ in found]
    weights = [1 / len(cells)] * len(cells)
    p = zero_p(weights, [sample for _, sample in found])
    size = 2 if paired else 1
    spreads = [[_variance(c.sum(axis=1), size), _variance(c.sum(axis=0), size)] for c in joint]
    shared = [
        (sum(spread) - sample.variance) / 2
        for spread, (_, sample) in zip(spreads, found, strict=True)
    ]
    return Change(
        change=change,
        deck=deck,
        before=total_rate([cell.before for cell in cells], weights),
        after=total_rate([cell.after for cell in cells], weights),
        difference=_total(cells, weights),
        correlation=_correlation(shared, spreads),
        p=p,
        p_adjusted=p,
        cells=tuple(cells),
    )


def summarise_changes(
    changes: Sequence[Change], *, strategy: str, seed: int, duels_per_second: float | None
) -> ChangesSummary:
    """Correct for the number of changes, and apart from that for the number of matchups."""
    p_adjusted = adjusted([change.p for change in changes])
    of_cells = iter(adjusted([cell.p for change in changes for cell in change.cells]))
    corrected = tuple(
        replace(
            change,
            p_adjusted=p,
            cells=tuple(replace(cell, p_adjusted=next(of_cells)) for cell in change.cells),
        )
        for change, p in zip(changes, p_adjusted, strict=True)
    )
    return ChangesSummary(corrected, strategy, seed, duels_per_second)


def difference_sample(joint: Counts, size: int) -> Sample:
    """The differences of a unit of `size` duels, in [-1, 1], each with how often it was seen."""
    steps = range(-size, size + 1)
    # after - before = step is the diagonal `step` below the main one
    counts = tuple(float(np.trace(joint, offset=-step)) for step in steps)
    return Sample(tuple(step / size for step in steps), counts)


def flipped(joint: Counts, size: int) -> Counts:
    """The counts as the other side sees them."""
    turned = np.zeros_like(joint)
    turned[: size + 1, : size + 1] = joint[size::-1, size::-1]
    return turned


def _total(cells: Sequence[CellChange], weights: Sequence[float]) -> Difference:
    parts = [cell.difference for cell in cells]
    estimates = [part.estimate for part in parts]
    interval = weighted_interval(weights, estimates, [part.interval for part in parts])
    error, apart = (
        math.sqrt(math.fsum((w * e) ** 2 for w, e in zip(weights, errors, strict=True)))
        for errors in ([part.error for part in parts], [part.error_apart for part in parts])
    )
    return Difference(
        math.fsum(w * e for w, e in zip(weights, estimates, strict=True)),
        Interval(max(-1.0, interval.low), min(1.0, interval.high)),
        error,
        apart,
    )


def _rate(counts: Counts, paired: bool) -> Rate:
    """A win rate from units by the duels won of them."""
    none, one, both = (int(count) for count in counts)
    if paired:
        return win_rate(PairCounts(none, one, both))
    return independent_rate(one, none + one)


def _variance(counts: Counts, size: int) -> float:
    """The variance of a side's share of a unit."""
    shares = np.arange(len(counts)) / size
    mean = float(counts @ shares / counts.sum())
    return float(counts @ (shares - mean) ** 2 / counts.sum())


def _correlation(shared: Sequence[float], spreads: Sequence[Sequence[float]]) -> float | None:
    """The correlation within strata: covariances added up over variances added up."""
    one, other = (math.fsum(spread[i] for spread in spreads) for i in range(2))
    product = one * other
    return math.fsum(shared) / math.sqrt(product) if product > 0 else None


def _row(change: CellChange | Change) -> dict[str, Any]:
    difference = change.difference
    found: dict[str, Any] = {}
    for name, part in (
        ("before", change.before),
        ("after", change.after),
        ("difference", difference),
    ):
        found |= {
            name: part.estimate,
            f"{name}_low": part.interval.low,
            f"{name}_high": part.interval.high,
        }
    return found | {
        "p": change.p,
        "p_adjusted": change.p_adjusted,
        "flagged": change.flagged,
        "correlation": change.correlation,
        "error_times_smaller": difference.gain,
    }
