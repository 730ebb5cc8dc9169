"""Cutting runs into shards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.shards import Shard, cut, cut_tapering, missing, overlaps, parts


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
    counts=st.lists(st.integers(1, 3_000), max_size=5),
    size=st.integers(2, 700),
    least=st.integers(2, 40),
    players=st.integers(1, 9),
)
def test_shards_taper_and_cover_all_the_same(
    counts: list[int], size: int, least: int, players: int
) -> None:
    spans = [Shard(10_000 * number, count) for number, count in enumerate(counts)]
    shards = list(cut_tapering(spans, max(size, least), least, players))
    assert [number for shard in shards for number in range(shard.first, shard.end)] == [
        number for span in spans for number in range(span.first, span.end)
    ]
    ends = {span.end for span in spans}
    assert all(shard.first % 2 == 0 for shard in shards)
    assert all(shard.count % 2 == 0 for shard in shards if shard.end not in ends)
    assert all(shard.count <= max(size, least) for shard in shards)
    whole = [shard for shard in shards if shard.end not in ends]
    assert all(shard.count >= least - least % 2 for shard in whole)
    # whoever takes the last one is not long behind the others
    left = sum(counts)
    for shard in shards:
        assert shard.count <= max(left // (2 * players), size // 16, least)
        left -= shard.count


def test_what_overlaps() -> None:
    assert overlaps(Shard(0, 4), Shard(2, 9)) and overlaps(Shard(3, 1), Shard(0, 9))
    assert not overlaps(Shard(0, 4), Shard(4, 2)) and not overlaps(Shard(4, 2), Shard(0, 4))


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
