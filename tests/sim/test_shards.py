"""Cutting runs into shards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.shards import Shard, cut, missing, parts


@given(n=st.integers(1, 5_000), size=st.integers(1, 700))
def test_shards_cover_a_run_once_and_keep_pairs_together(n: int, size: int) -> None:
    shards = list(cut([Shard(0, n)], size))
    assert [number for shard in shards for number in range(shard.first, shard.end)] == list(
        range(n)
    )
    assert all(shard.first % 2 == 0 for shard in shards)
    assert all(shard.count % 2 == 0 for shard in shards[:-1])
    assert all(shard.count <= max(2, size) for shard in shards)


@given(
    n=st.integers(1, 300), size=st.integers(2, 50), kept=st.sets(st.integers(0, 150), max_size=60)
)
def test_missing_is_what_is_not_finished(n: int, size: int, kept: set[int]) -> None:
    shards = list(cut([Shard(0, n)], size))
    finished = [shard for number, shard in enumerate(shards) if number in kept]
    gaps = missing(n, reversed(finished))
    numbers = [i for shard in [*finished, *gaps] for i in range(shard.first, shard.end)]
    assert sorted(numbers) == list(range(n))


def test_what_a_run_takes_of_a_longer_one() -> None:
    finished = [Shard(0, 10), Shard(10, 10), Shard(20, 5)]
    assert [part for _, part in parts(15, finished)] == [Shard(0, 10), Shard(10, 5)]
    assert missing(15, finished) == []
    # The longer run's last duel had no other half yet.
    assert missing(40, finished) == [Shard(24, 16)]
    again = [*finished, Shard(24, 16)]
    for n in (24, 25, 26, 40):
        taken = [i for _, part in parts(n, again) for i in range(part.first, part.end)]
        assert taken == list(range(n))


def test_duels_that_are_there_twice_are_noticed() -> None:
    with pytest.raises(ValueError, match="duels 2 to 3 are there more than once"):
        missing(10, [Shard(0, 4), Shard(2, 4)])
