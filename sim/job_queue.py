"""Many jobs as one: their shards stand in one queue, so that no worker waits between them.

Knows no game. Duel d of job number k is number k * STRIDE + d of all together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sim.shards import Shard
from sim.workers import Job, Rows, Workers, play_spans

#: More than a run's largest number of duels, and even, so that pairs stay pairs.
STRIDE: Final = 2**41


@dataclass(frozen=True)
class JobQueue:
    """Jobs that are played as one."""

    jobs: tuple[Job, ...]

    def play(self, first: int, count: int) -> Rows:
        """What the job that these duels belong to returns for them."""
        number, first = divmod(first, STRIDE)
        return self.jobs[number].play(first, count)


def play_jobs(
    jobs: Sequence[Job], spans: Sequence[tuple[int, Shard]], workers: Workers, least: int = 2
) -> Iterator[tuple[int, Shard, Rows]]:
    """Play spans of duels of several jobs over worker processes, in shards that come in any order.

    Parameters
    ----------
    spans
        Pairs of a job's number and duels of it.
    workers, least
        As in `sim.workers.Player`.

    Yields
    ------
    The job's number, the shard with the job's own duel numbers, and what the job returned for it.
    """
    queued = [Shard(number * STRIDE + span.first, span.count) for number, span in spans]
    for shard, rows in play_spans(JobQueue(tuple(jobs)), queued, workers, least):
        number, first = divmod(shard.first, STRIDE)
        yield number, Shard(first, shard.count), rows
