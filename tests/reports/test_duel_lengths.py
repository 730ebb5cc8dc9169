"""Lengths of duels and the bins of their histogram."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.lengths import by_winner, histogram


def counts_of(rows: list[tuple[int, str, int]]) -> pl.DataFrame:
    return pl.DataFrame(
        rows, {"turns": pl.UInt16, "winner": pl.String, "duels": pl.UInt32}, orient="row"
    )


def test_by_winner_is_sorted_and_adds_up() -> None:
    counts = counts_of([(9, "a", 2), (7, "b", 1), (9, "b", 4), (9, "a", 3), (8, "a", 0)])
    assert by_winner(counts).rows() == [(7, 0, 1), (9, 5, 4)]
    assert by_winner(counts).columns == ["turns", "a", "b"]


def test_one_turn_a_bin_where_there_is_room() -> None:
    shown = histogram(counts_of([(5, "a", 2), (8, "b", 3)]), 10)
    assert [(each.first, each.last, each.wins_a, each.wins_b) for each in shown.bins] == [
        (5, 5, 2, 0),
        (6, 6, 0, 0),
        (7, 7, 0, 0),
        (8, 8, 0, 3),
    ]
    assert shown.beyond == 0


def test_very_long_duels_are_counted_but_not_shown() -> None:
    shown = histogram(counts_of([(10, "a", 500), (11, "b", 497), (400, "a", 3)]), 10)
    assert [each.duels for each in shown.bins] == [500, 497]
    assert shown.beyond == 3


turns = st.lists(
    st.tuples(st.integers(1, 500), st.sampled_from("ab"), st.integers(1, 50)), min_size=1
)


@given(turns, st.integers(1, 60))
def test_bins_hold_every_duel_once(rows: list[tuple[int, str, int]], most: int) -> None:
    shown = histogram(counts_of(rows), most)
    assert len(shown.bins) <= most
    assert shown.bins[0].first == min(row[0] for row in rows)
    total = sum(row[2] for row in rows)
    assert sum(each.duels for each in shown.bins) + shown.beyond == total
    assert sum(each.wins_a for each in shown.bins) <= sum(n for _, side, n in rows if side == "a")
    assert shown.beyond <= 0.005 * total
    for one, two in zip(shown.bins, shown.bins[1:], strict=False):
        assert two.first == one.last + 1
        assert two.last - two.first == one.last - one.first
    width = shown.bins[0].last - shown.bins[0].first + 1
    # Every bin holds as many turns of either side.
    assert width == 1 or width % 2 == 0 or most == 1


def test_a_histogram_needs_duels_and_bins() -> None:
    with pytest.raises(ValueError, match="bin"):
        histogram(counts_of([(1, "a", 1)]), 0)
    with pytest.raises((ValueError, IndexError)):
        histogram(counts_of([]), 5)
