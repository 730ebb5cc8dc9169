"""Counting duels: against plain Python, in any order of shards."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.batch import ROW_COLUMNS, ROW_WIDTH
from sim.shards import Shard, cut
from sim.tally import DUEL_SCHEMA, Tally, duel_frame, shard_of
from sim.workers import Rows


def _random_rows(n: int, seed: int) -> Rows:
    rng = np.random.default_rng(seed)
    rows = np.zeros((n, ROW_WIDTH), dtype=np.int32)
    for column, name in enumerate(ROW_COLUMNS):
        if name in ("first", "winner", "by_deck"):
            rows[:, column] = rng.integers(0, 2, n)
        else:
            rows[:, column] = rng.integers(-2, 4, n)
    return rows


def _by_hand(
    rows: Rows, *, paired: bool
) -> tuple[Counter[tuple[object, ...]], Counter[tuple[int, int]]]:
    counts: Counter[tuple[object, ...]] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    table = [dict(zip(ROW_COLUMNS, row, strict=True)) for row in rows.tolist()]
    for row in table:
        lp = (row["lp_a"], row["lp_b"])
        key = ("ab"[row["first"]], "ab"[row["winner"]], ("lp", "deck")[row["by_deck"]])
        turns = row["turns_a"] + row["turns_b"]
        counts[*key, turns, lp[row["winner"]], lp[1 - row["winner"]]] += 1
    for one, two in zip(table[0::2], table[1::2], strict=False):
        if paired:
            wins_a = (one["winner"] == 0) + (two["winner"] == 0)
            first_wins = (one["winner"] == one["first"]) + (two["winner"] == two["first"])
            pairs[wins_a, first_wins] += 1
    return counts, pairs


def _as_counter(frame: pl.DataFrame) -> Counter[tuple[object, ...]]:
    return Counter({row[:-1]: row[-1] for row in frame.rows()})


@given(
    n=st.integers(1, 300),
    size=st.integers(2, 40),
    seed=st.integers(0, 10**6),
    paired=st.booleans(),
)
def test_against_plain_python(n: int, size: int, seed: int, paired: bool) -> None:
    rows = _random_rows(n, seed)
    tally = Tally(paired=paired, keep_duels=True)
    shards = list(cut([Shard(0, n)], size))
    np.random.default_rng(seed).shuffle(shards)
    for shard in shards:
        tally.add(duel_frame(shard.first, rows[shard.first : shard.end]))
    counts, pairs = _by_hand(rows, paired=paired)
    assert _as_counter(tally.counts) == counts
    assert _as_counter(tally.pairs) == pairs
    assert tally.duels is not None
    assert tally.duels["duel"].to_list() == list(range(n))


def test_order_of_shards_changes_nothing() -> None:
    rows = _random_rows(400, 3)
    frames = []
    for step in (1, -1):
        tally = Tally(paired=True)
        for shard in list(cut([Shard(0, 400)], 6))[::step]:
            tally.add(duel_frame(shard.first, rows[shard.first : shard.end]))
        frames.append((tally.counts, tally.pairs))
    assert frames[0][0].equals(frames[1][0])
    assert frames[0][1].equals(frames[1][1])


def test_frame_of_duels() -> None:
    frame = duel_frame(10, np.array([[1, 0, 1, 5, 4, 7, -2, 99]], dtype=np.int32))
    assert frame.schema == DUEL_SCHEMA
    assert frame.rows() == [(10, "b", "a", "deck", 9, 5, 4, 7, -2, 99)]
    assert shard_of(frame) == Shard(10, 1)


def test_duels_are_kept_only_if_asked_for() -> None:
    tally = Tally(paired=True)
    tally.add(duel_frame(0, _random_rows(4, 1)))
    assert tally.duels is None


@pytest.mark.parametrize("paired", [True, False])
def test_no_duels(paired: bool) -> None:
    tally = Tally(paired=paired)
    assert len(tally.counts) == len(tally.pairs) == 0
