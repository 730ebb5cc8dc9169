"""How duels run: LP by turn, what a lead is worth, comebacks, energy by what it was spent on.

Turns of both sides are counted together, from 1; a "turn" of energy is a side's own. Intervals are
at 95 %. Duels 2p and 2p + 1 hang together; where only counts are known the interval takes them as
if they always agreed (it is then too wide rather than too narrow).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from reports.bounded_mean import normal_quantile
from reports.intervals import Interval, quantile, wilson

LEVEL: Final = 0.95
#: What energy became, in the order in which it is shown; together they are all there was.
SPENT: Final = ("attack", "deploy", "activate", "tactic_own", "tactic_enemy", "lost", "unused")
KIND_NAMES: Final = {
    "attack": "attacks",
    "deploy": "deploying",
    "activate": "activating doctrines",
    "tactic_own": "tactics, own turn",
    "tactic_enemy": "tactics, enemy's turn",
    "lost": "lost at the refill",
    "unused": "left when the duel ended",
}


@dataclass(frozen=True)
class TempoCounts:
    """How the duels of one matchup ran, added up; side 0 is deck a, side 1 deck b.

    Attributes
    ----------
    a, b
        The decks' names.
    duels, clusters
        How many duels, and how many pairs (or single duels) that are independent.
    lp
        Columns first (side that began), side, turn, lp, duels: how many duels had so many LP at the
        end of a turn, their last one included.
    leads
        Columns first, winner, turn, lead (of side 0), duels: of those that went on after it.
    energy
        Columns side, own_turn, kind, turns (how many were begun), amount, squares (of the amounts).
    behind
        Columns side, won (0 or 1), behind (LP at most at the end of a turn), duels.
    decided
        Columns not_ahead (the last turn at whose end the winner was not ahead, or 0), turns, duels.
    columns, totals, products
        Names of the columns of a duel's row, their sums, and the sums over clusters of the products
        of two columns' sums in a cluster.
    kept
        Rows of single duels: the first ones, the longest, the shortest, the biggest comeback.
    """

    a: str
    b: str
    duels: int
    clusters: int
    lp: pl.DataFrame
    leads: pl.DataFrame
    energy: pl.DataFrame
    behind: pl.DataFrame
    decided: pl.DataFrame
    columns: tuple[str, ...]
    totals: npt.NDArray[np.int64]
    products: npt.NDArray[np.int64]
    kept: pl.DataFrame


def share_interval(count: int, of: int, together: int = 2) -> Interval:
    """Wilson's interval for a share of duels of which `together` at most hang together."""
    return wilson(count / together, of / together, LEVEL) if of >= together else Interval(0.0, 1.0)


def lp_curve(
    matchups: Sequence[tuple[TempoCounts, int]], least_share: float = 0.02
) -> pl.DataFrame:
    """LP at the end of each turn, over the given (matchup, side)s together.

    Columns turn, n (duels that reached it), share (of all), mean, low, high (of the mean), p10,
    p25, p50, p75, p90. Turns that less than `least_share` of the duels reach are left out.
    """
    frames = [counts.lp.filter(pl.col("side") == side) for counts, side in matchups]
    total = sum(counts.duels for counts, _ in matchups)
    by_turn = pl.concat(frames).group_by("turn", "lp").agg(pl.col("duels").sum()).sort("turn", "lp")
    rows = []
    for (turn,), part in by_turn.group_by("turn", maintain_order=True):
        values, duels = part["lp"].to_list(), part["duels"].to_list()
        n = sum(duels)
        if n < max(2.0, least_share * total):
            continue
        mean, half = _mean_of_counts(values, duels)
        points = [quantile(values, duels, q) for q in (0.1, 0.25, 0.5, 0.75, 0.9)]
        rows.append((turn, n, n / total, mean, mean - half, mean + half, *points))
    names = ("turn", "n", "share", "mean", "low", "high", "p10", "p25", "p50", "p75", "p90")
    return pl.DataFrame(rows, schema=names, orient="row")


def _mean_of_counts(values: Sequence[int], counts: Sequence[int]) -> tuple[float, float]:
    """A mean and half the width of its interval, duels of a pair taken as alike."""
    n = sum(counts)
    mean = math.fsum(v * c for v, c in zip(values, counts, strict=True)) / n
    squares = math.fsum(c * (v - mean) ** 2 for v, c in zip(values, counts, strict=True))
    return mean, normal_quantile(LEVEL) * math.sqrt(2 * squares / (n - 1) / n)


def lead_values(matchups: Sequence[TempoCounts]) -> pl.DataFrame:
    """How often who is ahead wins: columns turn, lead (1, 2, …), n, wins, rate, low, high.

    Over all matchups together; sorted by turn and lead.
    """
    leads = pl.concat([counts.leads for counts in matchups])
    ahead = pl.when(pl.col("lead") > 0).then(0).otherwise(1)
    rows = (
        leads.filter(pl.col("lead") != 0)
        .with_columns(
            pl.col("lead").abs(),
            pl.when(pl.col("winner") == ahead).then("duels").otherwise(0).alias("wins"),
        )
        .group_by("turn", "lead")
        .agg(pl.col("duels").sum().alias("n"), pl.col("wins").sum())
        .sort("turn", "lead")
    )
    return with_rates(rows)


def with_rates(rows: pl.DataFrame, wins: str = "wins", n: str = "n") -> pl.DataFrame:
    """The rows with columns rate, low and high: the share `wins` of `n` and its interval."""
    ends = [share_interval(won, of) for won, of in rows.select(wins, n).iter_rows()]
    return rows.with_columns(
        (pl.col(wins) / pl.col(n)).alias("rate"),
        pl.Series("low", [end.low for end in ends], dtype=pl.Float64),
        pl.Series("high", [end.high for end in ends], dtype=pl.Float64),
    )


def leads_at(values: pl.DataFrame, turns: Sequence[int], steps: Sequence[int]) -> pl.DataFrame:
    """`lead_values` at the ends of some turns, in classes of leads that begin at the steps.

    Columns as there; `lead` is the least of its class. A class ends before the next step.
    """
    step = pl.max_horizontal(
        pl.when(pl.col("lead") >= step).then(step).otherwise(0) for step in steps
    )
    rows = (
        values.filter(pl.col("turn").is_in(list(turns)) & (pl.col("lead") >= min(steps)))
        .with_columns(step.cast(pl.Int64).alias("lead"))
        .group_by("turn", "lead")
        .agg(pl.col("n").sum(), pl.col("wins").sum())
    )
    return with_rates(rows.sort("turn", "lead"))


def comebacks(matchups: Sequence[TempoCounts], steps: Sequence[int]) -> pl.DataFrame:
    """Who wins after having been behind by k LP or more at the end of some turn, for each step k.

    Columns behind, n (duel sides that were), wins, rate, low, high; and share, share_low,
    share_high: of all duels, those whose winner had been behind so far.
    """
    behind = pl.concat([counts.behind for counts in matchups])
    duels = sum(counts.duels for counts in matchups)
    rows = []
    for step in steps:
        far = behind.filter(pl.col("behind") >= step)
        n = int(far["duels"].sum())
        wins = int(far.filter(pl.col("won") == 1)["duels"].sum())
        if n:
            rows.append((step, n, wins, duels, wins / duels, *share_interval(wins, duels)))
    names = ("behind", "n", "wins", "duels", "share", "share_low", "share_high")
    return with_rates(pl.DataFrame(rows, schema=names, orient="row"))


def decided_by(matchups: Sequence[TempoCounts]) -> pl.DataFrame:
    """By which turn the winner is ahead for good: columns turn, n, wins, rate, low, high.

    `wins` of `n` duels (all of them) had a winner who was ahead at the end of this turn and of all
    that followed, or were over by then.
    """
    decided = pl.concat([counts.decided for counts in matchups])
    n = int(decided["duels"].sum())
    rows = []
    for turn in range(1, int(decided["turns"].max() or 0) + 1):  # type: ignore[arg-type]
        settled = (pl.col("not_ahead") < turn) | (pl.col("turns") <= turn)
        rows.append((turn, n, int(decided.filter(settled)["duels"].sum())))
    return with_rates(pl.DataFrame(rows, schema=("turn", "n", "wins"), orient="row"))


# --- energy ---------------------------------------------------------------------------------------
def energy_shares(matchups: Sequence[tuple[TempoCounts, int]]) -> pl.DataFrame:
    """What a side's energy became, over the given (matchup, side)s: one row for each of `SPENT`.

    Columns kind, per_duel (energy), share (of all it had), low, high (of the share), n (duels).
    The interval is that of a ratio of two sums over independent clusters (Cochran W. G. (1977),
    Sampling Techniques, section 6.3), each matchup a stratum.
    """
    duels = sum(counts.duels for counts, _ in matchups)
    refills = _weights(matchups, "refill")
    refill = math.fsum(_total(counts, weights) for counts, weights in refills)
    rows = []
    for kind in SPENT:
        spent = _weights(matchups, kind)
        amount = math.fsum(_total(counts, weights) for counts, weights in spent)
        share = amount / refill
        residuals = [
            (counts, weights - share * whole)
            for (counts, weights), (_, whole) in zip(spent, refills, strict=True)
        ]
        half = _half_width(residuals) / refill
        rows.append((kind, amount / duels, share, share - half, share + half, duels))
    names = ("kind", "per_duel", "share", "low", "high", "n")
    return pl.DataFrame(rows, schema=names, orient="row")


def mean_of(
    matchups: Sequence[tuple[TempoCounts, int]], column: str
) -> tuple[float, Interval, int]:
    """The mean of a column a duel (`left`: units lost), its interval and the number of duels."""
    duels = sum(counts.duels for counts, _ in matchups)
    weighted = _weights(matchups, column)
    mean = math.fsum(_total(counts, weights) for counts, weights in weighted) / duels
    half = _half_width(weighted) / duels
    return mean, Interval(mean - half, mean + half), duels


def energy_by_turn(
    matchups: Sequence[tuple[TempoCounts, int]], least_share: float = 0.05
) -> pl.DataFrame:
    """Energy by a side's own turn and kind: columns own_turn, kind, n (turns), mean, low, high."""
    frames = [counts.energy.filter(pl.col("side") == side) for counts, side in matchups]
    sums = (
        pl.concat(frames)
        .group_by("own_turn", "kind")
        .agg(pl.col("turns", "amount", "squares").sum())
        .filter(pl.col("turns") >= max(2.0, least_share * sum(c.duels for c, _ in matchups)))
        .sort("own_turn", "kind")
    )
    n, mean = pl.col("turns"), pl.col("amount") / pl.col("turns")
    variance = (pl.col("squares") - pl.col("amount") * mean) / (n - 1)
    half = normal_quantile(LEVEL) * (2 * variance.clip(lower_bound=0.0) / n).sqrt()
    return sums.select(
        "own_turn",
        "kind",
        n.alias("n"),
        mean.alias("mean"),
        (mean - half).alias("low"),
        (mean + half).alias("high"),
    )


Weighted = list[tuple[TempoCounts, npt.NDArray[np.float64]]]


def _weights(matchups: Sequence[tuple[TempoCounts, int]], kind: str) -> Weighted:
    """How a kind is added up from the columns of a row; each matchup once, with all its sides."""
    found: dict[int, tuple[TempoCounts, npt.NDArray[np.float64]]] = {}
    for counts, side in matchups:
        _, weights = found.setdefault(id(counts), (counts, np.zeros(len(counts.columns))))
        if kind == "unused":
            # what there was, less all that has another name
            for name in SPENT[:-1]:
                weights[counts.columns.index(f"{name}_{'ab'[side]}")] -= 1
        column = "refill" if kind == "unused" else kind
        weights[counts.columns.index(f"{column}_{'ab'[side]}")] += 1
    return list(found.values())


def _total(counts: TempoCounts, weights: npt.NDArray[np.float64]) -> float:
    return float(weights @ counts.totals)


def _half_width(weighted: Weighted) -> float:
    """Half the width of the interval of a weighted total: the matchups are independent strata."""
    variance = 0.0
    for counts, weights in weighted:
        m = counts.clusters
        if m > 1:
            total = _total(counts, weights)
            squares = float(weights @ counts.products @ weights)
            variance += max(0.0, m / (m - 1) * (squares - total * total / m))
    return normal_quantile(LEVEL) * math.sqrt(variance)
