"""From the rows of a comparison to the frames that it is summarised from, in Polars.

As `sim.tally`: the size does not grow with the number of duels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import polars as pl

from reports.comparison import CARD_COLUMNS, PAIR_COLUMNS
from sim.ancient_duel.card_marks import DRAWN, PLAYED, WAS_SET
from sim.batch import ROW_COLUMNS, ROW_WIDTH
from sim.workers import Rows

LISTS: Final = ("a", "b")
_FIRST: Final = pl.Enum(("list", "opponent"))
_REASON: Final = pl.Enum(("lp", "deck"))
_MARKS: Final = {"drawn": DRAWN, "played": PLAYED, "was_set": WAS_SET}
_UNADDED: Final = 32


def schema(cards: Sequence[str]) -> pl.Schema:
    """The columns of the frames, and of the files that a comparison leaves.

    `duel`, who began (`first`: the list or the opponent), and for each list (a, b) whether it won,
    how its duel ended, both sides' turns together, LP of the list and of the opponent at the end,
    and for each of the `cards` (identifiers) that the lists do not share what became of it: 1 a
    copy left the deck, 2 one was played, 4 one was set, added up.
    """
    columns: list[tuple[str, pl.DataType]] = [("duel", pl.Int64()), ("first", _FIRST)]
    for each in LISTS:
        columns += [
            (f"{each}_won", pl.Boolean()),
            (f"{each}_reason", _REASON),
            (f"{each}_turns", pl.Int32()),
            (f"{each}_lp", pl.Int32()),
            (f"{each}_opponent_lp", pl.Int32()),
            *((f"{each}_{card}", pl.UInt8()) for card in cards),
        ]
    return pl.Schema(columns)


def comparison_frame(first_duel: int, rows: Rows, cards: Sequence[str]) -> pl.DataFrame:
    """The rows of a shard (`sim.ancient_duel.comparison`) as a frame (`schema`)."""
    width = ROW_WIDTH + len(cards)
    place = {name: i for i, name in enumerate(ROW_COLUMNS)}
    columns: dict[str, pl.Series | np.ndarray[tuple[int], np.dtype[np.int32]]] = {}
    for number, each in enumerate(LISTS):
        own = np.ascontiguousarray(rows[:, number * width : (number + 1) * width].T)
        columns["first"] = own[place["first"]]
        columns[f"{each}_won"] = own[place["winner"]] == 0
        columns[f"{each}_reason"] = own[place["by_deck"]]
        columns[f"{each}_turns"] = own[place["turns_a"]] + own[place["turns_b"]]
        columns[f"{each}_lp"] = own[place["lp_a"]]
        columns[f"{each}_opponent_lp"] = own[place["lp_b"]]
        columns.update({f"{each}_{card}": own[ROW_WIDTH + i] for i, card in enumerate(cards)})
    raw = pl.DataFrame(columns).select(
        pl.int_range(first_duel, first_duel + len(rows), dtype=pl.Int64).alias("duel"),
        pl.all(),
    )
    wanted = schema(cards)
    return raw.select(_typed(name, dtype) for name, dtype in wanted.items())


class ComparisonTally:
    """A comparison's duels, counted by what they were like.

    Parameters
    ----------
    cards
        Identifiers of the cards that the lists do not share.
    paired
        Whether duels 2p and 2p + 1 are a pair; otherwise each stands alone.
    """

    def __init__(self, cards: Sequence[str], *, paired: bool) -> None:
        self._cards = cards
        self._size = 2 if paired else 1
        self._pairs: list[pl.DataFrame] = []
        self._marks: list[pl.DataFrame] = []

    def add(self, opponent: int, duels: pl.DataFrame) -> None:
        """Count the duels of a shard against an opponent; it begins and ends with a whole pair."""
        self._pairs.append(
            duels.group_by(pl.col("duel") // self._size)
            .agg(pl.col(f"{each}_won").sum().cast(pl.Int64).alias(f"wins_{each}") for each in LISTS)
            .group_by("wins_a", "wins_b")
            .agg(pl.len().cast(pl.Int64).alias("pairs"))
            .select(pl.lit(opponent, pl.Int64).alias("opponent"), pl.all())
        )
        self._marks.append(_marks(duels, self._cards))
        if len(self._pairs) >= _UNADDED:
            self._pairs, self._marks = [self.pairs], [self.cards]

    @property
    def pairs(self) -> pl.DataFrame:
        """The frame of like pairs that `reports.comparison` documents, sorted."""
        keys = PAIR_COLUMNS[:-1]
        empty = pl.DataFrame(schema=dict.fromkeys(PAIR_COLUMNS, pl.Int64))
        return pl.concat([empty, *self._pairs]).group_by(keys).agg(pl.col("pairs").sum()).sort(keys)

    @property
    def cards(self) -> pl.DataFrame:
        """The frame of what the cards did that `reports.comparison` documents, sorted."""
        keys = CARD_COLUMNS[:2]
        types = {name: pl.String if name in keys else pl.Int64 for name in CARD_COLUMNS}
        found = pl.concat([pl.DataFrame(schema=types), *self._marks])
        return found.group_by(keys).agg(pl.all().sum()).sort(keys)


def _marks(duels: pl.DataFrame, cards: Sequence[str]) -> pl.DataFrame:
    rows = []
    for each in LISTS:
        won = pl.col(f"{each}_won")
        for card in cards:
            marks = pl.col(f"{each}_{card}")
            sums = [pl.len().alias("duels"), won.sum().alias("won")]
            for name, bit in _MARKS.items():
                has = (marks & pl.lit(bit, pl.UInt8)) > 0
                sums += [has.sum().alias(name), (has & won).sum().alias(f"{name}_won")]
            rows.append(
                duels.select(sums).select(
                    pl.lit(each).alias("list"), pl.lit(card).alias("card"), pl.all().cast(pl.Int64)
                )
            )
    types = {name: pl.String if name in CARD_COLUMNS[:2] else pl.Int64 for name in CARD_COLUMNS}
    return pl.concat([pl.DataFrame(schema=types), *rows])


def _typed(name: str, dtype: pl.DataType) -> pl.Expr:
    """A column of numbers as its type; 0 and 1 as the words of an Enum."""
    if isinstance(dtype, pl.Enum):
        zero, one = (pl.lit(word, dtype) for word in dtype.categories)
        return pl.when(pl.col(name) == 0).then(zero).otherwise(one).alias(name)
    return pl.col(name).cast(dtype)
