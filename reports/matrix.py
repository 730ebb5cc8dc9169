"""The matchup matrix: every deck against every other one and against itself.

What the cells are made of is in `reports.matchup`. Deviations from 50 % are flagged after a
correction for their number (`reports.significance`); mirrors, which are even by symmetry, are no
part of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from reports.factions import FactionsSummary, Meeting, summarise_factions
from reports.intervals import PairCounts, Rate
from reports.matchup import MatchupSummary
from reports.significance import CORRECTION, LEVEL, adjusted, even_p


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One matchup of the matrix.

    Attributes
    ----------
    a, b
        Which decks, by their places in the list of decks; a is not after b.
    pairs, lone_wins, lone_duels
        The whole pairs by deck A's wins, and the duels without a partner.
    summary
        The matchup's numbers.
    p, p_adjusted
        Against 50 %, before and after the correction; None for a mirror.
    """

    a: int
    b: int
    pairs: PairCounts
    lone_wins: int
    lone_duels: int
    summary: MatchupSummary
    p: float | None
    p_adjusted: float | None

    @property
    def is_mirror(self) -> bool:
        """Whether a deck plays against itself."""
        return self.a == self.b

    @property
    def flagged(self) -> bool | None:
        """Whether it is shown to deviate from 50 %; None for a mirror."""
        return None if self.p_adjusted is None else self.p_adjusted <= LEVEL

    def row(self, decks: Sequence[str]) -> dict[str, Any]:
        """The cell as a row of the table (`reports/README.md`)."""
        summary = self.summary
        rate, first = summary.win_rate_a, summary.first_player
        favoured = None
        if self.flagged:
            favoured = decks[self.a if rate.estimate > 0.5 else self.b]
        return {
            "a": decks[self.a],
            "b": decks[self.b],
            "mirror": self.is_mirror,
            "duels": summary.duels,
            "pairs": summary.pairs,
            "seed": summary.seed,
            "wins_a": rate.wins,
            "win_rate_a": rate.estimate,
            "win_rate_a_low": rate.interval.low,
            "win_rate_a_high": rate.interval.high,
            "method": rate.method,
            "p": self.p,
            "p_adjusted": self.p_adjusted,
            "flagged": self.flagged,
            "favoured": favoured,
            "first_player_win_rate": first.estimate,
            "first_player_win_rate_low": first.interval.low,
            "first_player_win_rate_high": first.interval.high,
            "mean_turns": summary.turns.mean.value,
            "p5_turns": summary.turns.p5,
            "p50_turns": summary.turns.p50,
            "p95_turns": summary.turns.p95,
            "ended_by_deck": summary.ended_deck / summary.duels,
        }


@dataclass(frozen=True)
class MatrixSummary:
    """What a matrix showed. All but `duels_per_second` is a function of the duels alone.

    `cells` are all matchups, a not after b, in the order of the decks.
    """

    decks: tuple[str, ...]
    strategy: str
    seed: int
    cells: tuple[MatrixCell, ...]
    duels_per_second: float | None

    @property
    def duels(self) -> int:
        """All duels together."""
        return sum(cell.summary.duels for cell in self.cells)

    def cell(self, i: int, j: int) -> MatrixCell:
        """The matchup of decks number i and j, in whichever order."""
        return self._places[min(i, j), max(i, j)]

    def rate(self, i: int, j: int) -> Rate:
        """The win rate of deck number i against deck number j."""
        rate = self.cell(i, j).summary.win_rate_a
        return rate if i <= j else rate.mirrored()

    @cached_property
    def _places(self) -> dict[tuple[int, int], MatrixCell]:
        return {(cell.a, cell.b): cell for cell in self.cells}

    @cached_property
    def factions(self) -> FactionsSummary | None:
        """Averages, ratings, equilibrium and cycles; None for a single deck."""
        if len(self.decks) < 2:
            return None
        meetings = [
            Meeting(c.a, c.b, c.pairs, c.lone_wins, c.lone_duels)
            for c in self.cells
            if not c.is_mirror
        ]
        return summarise_factions(self.decks, meetings, self.seed)

    def table(self) -> pl.DataFrame:
        """One row for each matchup (`reports/README.md`)."""
        return pl.DataFrame([cell.row(self.decks) for cell in self.cells])

    @property
    def finding(self) -> str:
        """How many matchups are shown to be uneven, in a sentence."""
        met = [cell for cell in self.cells if not cell.is_mirror]
        if not met:
            return "One deck meets no other one."
        flagged = [cell for cell in met if cell.flagged]
        text = f"{len(flagged)} of {len(met)} matchups are shown to deviate from 50%"
        if not flagged:
            return f"{text} ({CORRECTION})."
        worst = max(flagged, key=lambda cell: abs(cell.summary.win_rate_a.estimate - 0.5))
        rate = worst.summary.win_rate_a
        one, other = self.decks[worst.a], self.decks[worst.b]
        if rate.estimate < 0.5:
            rate, one, other = rate.mirrored(), other, one
        return (
            f"{text} ({CORRECTION}), most of all {one} over {other} "
            f"with {100 * rate.estimate:.1f}% of {rate.duels:,} duels."
        )

    def to_json(self) -> dict[str, Any]:
        """The summary as a dict that `json.dumps` takes; rates are shares in [0, 1]."""
        return {
            "decks": list(self.decks),
            "strategy": self.strategy,
            "seed": self.seed,
            "duels": self.duels,
            "matchups": self.table().to_dicts(),
            "factions": None if self.factions is None else self.factions.to_json(),
            "correction": CORRECTION,
            "finding": self.finding,
            "duels_per_second": self.duels_per_second,
        }


@dataclass(frozen=True, slots=True)
class Counted:
    """A matchup as it was counted: decks, summary, and `reports.matchup.wins_of` its frames."""

    a: int
    b: int
    summary: MatchupSummary
    wins: tuple[PairCounts, int, int]


def summarise_matrix(
    decks: Sequence[str],
    counted: Sequence[Counted],
    *,
    strategy: str,
    seed: int,
    duels_per_second: float | None,
) -> MatrixSummary:
    """Put matchups together and correct for their number."""
    met = [cell for cell in counted if cell.a != cell.b]
    p = {(cell.a, cell.b): even_p(*cell.wins) for cell in met}
    p_adjusted = dict(zip(p, adjusted(list(p.values())), strict=True))
    cells = tuple(
        MatrixCell(
            cell.a,
            cell.b,
            *cell.wins,
            summary=cell.summary,
            p=p.get((cell.a, cell.b)),
            p_adjusted=p_adjusted.get((cell.a, cell.b)),
        )
        for cell in sorted(counted, key=lambda cell: (cell.a, cell.b))
    )
    return MatrixSummary(tuple(decks), strategy, seed, cells, duels_per_second)
