"""How long duels last: their lengths in turns, by winner, and the bins that a histogram shows.

`counts` is the frame of duels that `reports.matchup` describes.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from reports.intervals import quantile

# A few very long duels would squeeze all others into a corner: a histogram ends at this quantile.
_SHOWN = 0.995


@dataclass(frozen=True, slots=True)
class Bin:
    """Duels of `first` to `last` turns, both included: how many deck A and deck B won."""

    first: int
    last: int
    wins_a: int
    wins_b: int

    @property
    def duels(self) -> int:
        """All duels of these lengths."""
        return self.wins_a + self.wins_b


@dataclass(frozen=True, slots=True)
class Histogram:
    """Bins of equal width, in order and without a gap, and how many duels are longer than them."""

    bins: tuple[Bin, ...]
    beyond: int


def by_winner(counts: pl.DataFrame) -> pl.DataFrame:
    """Duels by length and winner, shortest first: columns `turns`, `a`, `b`.

    `a` and `b` are how many duels of this length deck A and deck B won. Lengths that no duel had
    are left out.
    """
    duels = pl.col("duels").cast(pl.Int64)
    winner = pl.col("winner").cast(pl.String)
    return (
        counts.group_by(pl.col("turns").cast(pl.Int64))
        .agg(duels.filter(winner == side).sum().alias(side) for side in ("a", "b"))
        .filter(pl.col("a") + pl.col("b") > 0)
        .sort("turns")
    )


def histogram(counts: pl.DataFrame, most_bins: int) -> Histogram:
    """The lengths of all duels in at most `most_bins` bins.

    A bin is one turn wide, or an even number of turns: who wins is often a matter of whose turn it
    is, and bins that hold now more of one side's turns, now of the other's, would show teeth that
    are not there. Raises ValueError if there is no duel or no bin.
    """
    if most_bins < 1:
        raise ValueError(f"a histogram needs a bin, got {most_bins}")
    rows = by_winner(counts).rows()
    turns = [row[0] for row in rows]
    end = quantile(turns, [row[1] + row[2] for row in rows], _SHOWN)
    start = turns[0]
    width = -(-(end - start + 1) // most_bins)
    if width > 1 and most_bins > 1:
        width += width % 2
    edges = range(start, end + 1, width)
    won_a, won_b = [0] * len(edges), [0] * len(edges)
    beyond = 0
    for length, a, b in rows:
        index = (length - start) // width
        if index < len(edges):
            won_a[index] += a
            won_b[index] += b
        else:
            beyond += a + b
    return Histogram(
        tuple(
            Bin(edge, edge + width - 1, a, b)
            for edge, a, b in zip(edges, won_a, won_b, strict=True)
        ),
        beyond,
    )
