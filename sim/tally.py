"""From the rows of duels to the frames that a matchup is summarised from, in Polars.

A tally's size does not grow with the number of duels: it counts how many were alike.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import polars as pl

from reports.matchup import COUNTS_COLUMNS, PAIRS_COLUMNS
from sim.batch import ROW_COLUMNS
from sim.shards import Shard
from sim.workers import Rows

_SIDE: Final = pl.Enum(("a", "b"))
_REASON: Final = pl.Enum(("lp", "deck"))
_COUNT_KEYS: Final = COUNTS_COLUMNS[:-1]
_PAIR_KEYS: Final = PAIRS_COLUMNS[:-1]
#: Frames of shards that are collected before they are added up.
_UNADDED: Final = 32

#: The columns of a frame of duels, and of the files that a run leaves.
DUEL_SCHEMA: Final = pl.Schema(
    [
        ("duel", pl.Int64()),
        ("first", _SIDE),
        ("winner", _SIDE),
        ("reason", _REASON),
        ("turns", pl.Int32()),
        ("turns_a", pl.Int32()),
        ("turns_b", pl.Int32()),
        ("lp_a", pl.Int32()),
        ("lp_b", pl.Int32()),
        ("decisions", pl.Int32()),
    ]
)


def duel_frame(first_duel: int, rows: Rows) -> pl.DataFrame:
    """The rows of a shard as a frame, one row a duel (`DUEL_SCHEMA`).

    `rows`: shape (duels, ROW_WIDTH), int32; `first_duel`: the number of the first one.
    """
    raw = pl.DataFrame(
        {name: np.ascontiguousarray(rows[:, i]) for i, name in enumerate(ROW_COLUMNS)}
    )
    return raw.select(
        pl.int_range(first_duel, first_duel + len(rows), dtype=pl.Int64).alias("duel"),
        _word("first", _SIDE),
        _word("winner", _SIDE),
        _word("by_deck", _REASON).alias("reason"),
        (pl.col("turns_a") + pl.col("turns_b")).alias("turns"),
        "turns_a",
        "turns_b",
        "lp_a",
        "lp_b",
        "decisions",
    )


class Tally:
    """Duels counted by what they were like.

    Parameters
    ----------
    paired
        Whether duels 2p and 2p + 1 are a pair (both sides begin once).
    keep_duels
        Whether the frames of single duels are kept: memory then does grow with their number.
    """

    def __init__(self, *, paired: bool, keep_duels: bool = False) -> None:
        self._paired = paired
        self._kept: list[pl.DataFrame] | None = [] if keep_duels else None
        self._counts: list[pl.DataFrame] = []
        self._pairs: list[pl.DataFrame] = []

    def add(self, duels: pl.DataFrame) -> None:
        """Count the duels of a shard (`DUEL_SCHEMA`), in any order of shards."""
        self._counts.append(_counted(duels))
        if self._paired:
            self._pairs.append(_paired(duels))
        if self._kept is not None:
            self._kept.append(duels)
        if len(self._counts) >= _UNADDED:
            self._counts = [self.counts]
            self._pairs = [self.pairs]

    @property
    def counts(self) -> pl.DataFrame:
        """The frame of like duels that `reports.matchup` documents, sorted."""
        empty = _counted(pl.DataFrame(schema=DUEL_SCHEMA))
        return _added_up([empty, *self._counts], _COUNT_KEYS, "duels")

    @property
    def pairs(self) -> pl.DataFrame:
        """The frame of like pairs that `reports.matchup` documents, sorted; may be empty."""
        empty = _paired(pl.DataFrame(schema=DUEL_SCHEMA))
        return _added_up([empty, *self._pairs], _PAIR_KEYS, "pairs")

    @property
    def duels(self) -> pl.DataFrame | None:
        """All duels by number, if they were to be kept."""
        if self._kept is None:
            return None
        return pl.concat([pl.DataFrame(schema=DUEL_SCHEMA), *self._kept]).sort("duel")


def shard_of(duels: pl.DataFrame) -> Shard:
    """The shard that a frame of consecutive duels holds."""
    return Shard(int(duels["duel"][0]), len(duels))


def _word(column: str, words: pl.Enum) -> pl.Expr:
    """A column of 0 and 1 as words."""
    zero, one = (pl.lit(word, words) for word in words.categories)
    return pl.when(pl.col(column) == 0).then(zero).otherwise(one).alias(column)


def _counted(duels: pl.DataFrame) -> pl.DataFrame:
    a_won = pl.col("winner") == "a"
    return (
        duels.with_columns(
            pl.when(a_won).then("lp_a").otherwise("lp_b").alias("lp_left"),
            pl.when(a_won).then("lp_b").otherwise("lp_a").alias("lp_loser"),
        )
        .group_by(_COUNT_KEYS)
        .agg(pl.len().cast(pl.Int64).alias("duels"))
    )


def _paired(duels: pl.DataFrame) -> pl.DataFrame:
    """Like pairs; a last duel without its other one is in no pair."""
    return (
        duels.group_by(pl.col("duel") // 2)
        .agg(
            (pl.col("winner") == "a").sum().cast(pl.UInt8).alias("wins_a"),
            (pl.col("winner") == pl.col("first")).sum().cast(pl.UInt8).alias("first_wins"),
            pl.len().alias("size"),
        )
        .filter(pl.col("size") == 2)
        .group_by(_PAIR_KEYS)
        .agg(pl.len().cast(pl.Int64).alias("pairs"))
    )


def _added_up(frames: list[pl.DataFrame], keys: tuple[str, ...], what: str) -> pl.DataFrame:
    return pl.concat(frames).group_by(keys).agg(pl.col(what).sum()).sort(keys)
