"""How the duels of a matchup ran, played by workers and added up; memory does not grow with n."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from reports.tempo import TempoCounts
from sim.ancient_duel import tempo
from sim.ancient_duel.matchup import MatchupJob
from sim.batch import ROW_COLUMNS
from sim.run import Progress
from sim.shards import Shard
from sim.workers import Rows, Workers, play_spans

Numbers = npt.NDArray[np.int64]

#: Columns of a duel's row here: its result (`sim.batch.ROW_COLUMNS`), then how it ran.
COLUMNS: Final = (*ROW_COLUMNS, *tempo.DUEL_COLUMNS)
#: How many of the first duels are kept one by one, for examples of what is typical.
KEPT: Final = 2_000
#: The most LP behind, and the most turns, that are told apart.
MOST_BEHIND: Final = 99
_SUMS_SIZE: Final = tempo.SUMS * tempo.TURNS * tempo.BINS
_AT: Final = {name: number for number, name in enumerate(COLUMNS)}


@dataclass(frozen=True)
class TempoJob:
    """A job whose answer is the sums and the rows of its duels, in one flat array."""

    job: MatchupJob

    def play(self, first: int, count: int) -> Rows:
        """The planes of sums of `sim.ancient_duel.tempo`, flat; then a row (`COLUMNS`) a duel."""
        rows, book = self.job.play_timed(first, count)
        wide = np.concatenate([rows, tempo.rows_of(book, count)], axis=1)
        flat = np.concatenate([book[: tempo.SUMS].ravel(), wide.ravel()])
        # workers pass on whatever array a job returns
        return cast(Rows, flat)


class TempoTally:
    """The sums over shards, and a few single duels.

    Parameters
    ----------
    paired
        Whether duels 2p and 2p + 1 are a pair.
    """

    def __init__(self, *, paired: bool) -> None:
        self._together = 2 if paired else 1
        self._sums = np.zeros((tempo.SUMS, tempo.TURNS, tempo.BINS), dtype=np.int64)
        self._behind = np.zeros((2, 2, MOST_BEHIND + 1), dtype=np.int64)
        self._decided = np.zeros((MOST_BEHIND + 1, MOST_BEHIND + 1), dtype=np.int64)
        self._duels = 0
        self._clusters = 0
        self._totals = np.zeros(len(COLUMNS), dtype=np.int64)
        self._products = np.zeros((len(COLUMNS), len(COLUMNS)), dtype=np.int64)
        self._kept: list[Numbers] = []

    def add(self, first: int, answer: npt.NDArray[Any]) -> None:
        """Add the answer of a `TempoJob` about duels first, first + 1, …, in any order."""
        flat = answer.astype(np.int64, copy=False)
        self._sums += flat[:_SUMS_SIZE].reshape(self._sums.shape)
        rows = flat[_SUMS_SIZE:].reshape(-1, len(COLUMNS))
        self._duels += len(rows)
        self._add_moments(rows)
        self._add_leads(rows)
        numbered = np.column_stack([np.arange(first, first + len(rows)), rows])
        self._keep(numbered)

    def _add_moments(self, rows: Numbers) -> None:
        """Sums over the pairs, which are what is independent, and sums of products of those."""
        whole = len(rows) - len(rows) % self._together
        pairs = rows[:whole].reshape(-1, self._together, len(COLUMNS)).sum(axis=1)
        pairs = np.concatenate([pairs, rows[whole:]])
        self._clusters += len(pairs)
        self._totals += pairs.sum(axis=0)
        self._products += pairs.T @ pairs

    def _add_leads(self, rows: Numbers) -> None:
        winner = rows[:, _AT["winner"]]
        for side in range(2):
            behind = np.minimum(rows[:, _AT[f"behind_{'ab'[side]}"]], MOST_BEHIND)
            np.add.at(self._behind[side], ((winner == side).astype(np.int64), behind), 1)
        not_ahead = np.where(winner == 0, rows[:, _AT["not_ahead_a"]], rows[:, _AT["not_ahead_b"]])
        turns = rows[:, _AT["turns_a"]] + rows[:, _AT["turns_b"]]
        np.add.at(
            self._decided,
            (np.minimum(not_ahead, MOST_BEHIND), np.minimum(turns, MOST_BEHIND)),
            1,
        )

    def _keep(self, numbered: Numbers) -> None:
        """Keep the first duels, and those that stand out, by number."""
        everything = np.concatenate([*self._kept, numbered])
        everything = everything[np.argsort(everything[:, 0])]
        turns = everything[:, 1 + _AT["turns_a"]] + everything[:, 1 + _AT["turns_b"]]
        winner = everything[:, 1 + _AT["winner"]]
        behind = np.where(
            winner == 0,
            everything[:, 1 + _AT["behind_a"]],
            everything[:, 1 + _AT["behind_b"]],
        )
        wanted = everything[:, 0] < KEPT
        # the first of several that are alike, whatever the order of the shards
        for place in (np.argmax(turns), np.argmin(turns), np.argmax(behind)):
            wanted[place] = True
        self._kept = [everything[wanted]]

    def counts(self, a: str, b: str) -> TempoCounts:
        """What `reports.tempo` takes, for decks of these names."""
        kept = np.concatenate([np.zeros((0, 1 + len(COLUMNS)), np.int64), *self._kept])
        return TempoCounts(
            a=a,
            b=b,
            duels=self._duels,
            clusters=self._clusters,
            lp=_lp_frame(self._sums),
            leads=_lead_frame(self._sums),
            energy=_energy_frame(self._sums),
            behind=_frame(self._behind, ("side", "won", "behind"), "duels"),
            decided=_frame(self._decided, ("not_ahead", "turns"), "duels"),
            columns=COLUMNS,
            totals=self._totals.copy(),
            products=self._products.copy(),
            kept=pl.DataFrame(kept, schema=("duel", *COLUMNS), orient="row"),
        )


def count_tempo(
    job: MatchupJob,
    n: int,
    *,
    a: str,
    b: str,
    workers: Workers,
    progress: Progress | None = None,
) -> TempoCounts:
    """Play duels 0 … n - 1 of a matchup, and count how they ran.

    `a` and `b` are the decks' names. The same duels as `sim.run.run` plays; the result does not
    depend on the number of workers.
    """
    tally = TempoTally(paired=job.paired)
    done = 0
    for shard, answer in play_spans(TempoJob(job), [Shard(0, n)], workers):
        tally.add(shard.first, answer)
        done += shard.count
        if progress is not None:
            progress(done)
    return tally.counts(a, b)


def _frame(counts: Numbers, axes: tuple[str, ...], what: str) -> pl.DataFrame:
    """The places of an array that are not 0 as rows, sorted: a column for each axis."""
    places = np.nonzero(counts)
    columns = {name: place.astype(np.int64) for name, place in zip(axes, places, strict=True)}
    return pl.DataFrame({**columns, what: counts[places]})


def _lp_frame(sums: Numbers) -> pl.DataFrame:
    planes = sums[tempo.LP : tempo.LP + 4].reshape(2, 2, tempo.TURNS, tempo.BINS)
    frame = _frame(planes, ("first", "side", "turn", "lp"), "duels")
    return frame.with_columns(pl.col("turn") + 1, pl.col("lp") + tempo.LEAST_LP)


def _lead_frame(sums: Numbers) -> pl.DataFrame:
    planes = sums[tempo.LEADS : tempo.LEADS + 4].reshape(2, 2, tempo.TURNS, tempo.BINS)
    frame = _frame(planes, ("first", "winner", "turn", "lead"), "duels")
    return frame.with_columns(pl.col("turn") + 1, pl.col("lead") + tempo.LEAST_LEAD)


def _energy_frame(sums: Numbers) -> pl.DataFrame:
    rows = []
    for side in range(2):
        amounts, squares = sums[tempo.ENERGY + side], sums[tempo.SQUARES + side]
        for turn in np.flatnonzero(amounts[:, tempo.BEGUN]).tolist():
            begun = int(amounts[turn, tempo.BEGUN])
            for number, kind in enumerate(tempo.ENERGY_KINDS):
                amount, squared = int(amounts[turn, number]), int(squares[turn, number])
                rows.append((side, turn + 1, kind, begun, amount, squared))
    names = ("side", "own_turn", "kind", "turns", "amount", "squares")
    return pl.DataFrame(rows, schema=names, orient="row")
