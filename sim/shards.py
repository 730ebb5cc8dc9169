"""Cutting a run into shards: ranges of duel numbers, from 0.

Duels 2p and 2p + 1 are a pair, so a shard begins at an even number and holds an even count, but for
the last one of a run with an odd number of duels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
    yield from _cut(spans, lambda _: size)


def cut_tapering(spans: Sequence[Shard], size: int, least: int, players: int) -> Iterator[Shard]:
    """Cut spans into shards for so many players, who shall all be done at about the same time.

    As `cut`, but towards the end shards become smaller, down to a sixteenth of `size`, though not
    below `least`.
    """
    floor = max(least, size // 16)
    left = sum(span.count for span in spans)

    def next_size(played: int) -> int:
        return max(floor, min(size, (left - played) // (2 * players)))

    yield from _cut(spans, next_size)


def _cut(spans: Iterable[Shard], next_size: Callable[[int], int]) -> Iterator[Shard]:
    """Cut spans into shards; how large the next one is depends on the duels before it."""
    before = 0
    for span in spans:
        first = span.first
        while first < span.end:
            size = next_size(before)
            count = min(max(2, size - size % 2), span.end - first)
            yield Shard(first, count)
            first += count
            before += count


def parts(n: int, finished: Iterable[Shard]) -> list[tuple[Shard, Shard]]:
    """What a run of `n` duels takes of each finished shard, by number: pairs (shard, its part).

    Nothing beyond the run, if an earlier run was longer. Of a shorter one that ended with half a
    pair that last duel is left out, so that it is played again together with its other half.

    Raises
    ------
    ValueError
        Finished shards overlap by more than such a duel.
    """
    found = []
    at = 0
    for shard in sorted(finished):
        end = min(shard.end, n)
        if end < n:
            end -= end % 2
        if shard.first < at - 1:
            raise ValueError(f"duels {shard.first} to {at - 1} are there more than once")
        first = max(shard.first, at)
        if end > first:
            found.append((shard, Shard(first, end - first)))
            at = end
    return found


def missing(n: int, finished: Iterable[Shard]) -> list[Shard]:
    """The spans of a run of `n` duels that no finished shard holds (errors: `parts`)."""
    gaps = []
    at = 0
    for _, part in parts(n, finished):
        if part.first > at:
            gaps.append(Shard(at, part.first - at))
        at = part.end
    if at < n:
        gaps.append(Shard(at, n - at))
    return gaps


def overlaps(one: Shard, other: Shard) -> bool:
    """Whether two shards have a duel in common."""
    return one.first < other.end and other.first < one.end
