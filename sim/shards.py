"""Cutting a run into shards: ranges of duel numbers, from 0.

Duels 2p and 2p + 1 are a pair, so a shard begins at an even number and holds an even count, but for
the last one of a run with an odd number of duels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Shard:
    """Duels number first, first + 1, …, first + count - 1."""

    first: int
    count: int

    @property
    def end(self) -> int:
        """The number after its last duel."""
        return self.first + self.count


def cut(spans: Iterable[Shard], size: int) -> Iterator[Shard]:
    """Cut spans into shards of at most `size` duels (taken as even, 2 at least)."""
    step = max(2, size - size % 2)
    for span in spans:
        for first in range(span.first, span.end, step):
            yield Shard(first, min(step, span.end - first))


def missing(n: int, finished: Iterable[Shard]) -> list[Shard]:
    """The spans of a run of `n` duels that no finished shard holds.

    Raises
    ------
    ValueError
        Finished shards overlap, or one reaches beyond the run.
    """
    gaps = []
    at = 0
    for shard in sorted(finished):
        if shard.first < at or shard.end > n:
            raise ValueError(f"duels {shard.first} to {shard.end - 1} do not fit the run")
        if shard.first > at:
            gaps.append(Shard(at, shard.first - at))
        at = shard.end
    if at < n:
        gaps.append(Shard(at, n - at))
    return gaps
