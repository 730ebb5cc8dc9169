"""Many jobs as one: their shards stand in one queue, so that no worker waits between them.

Knows no game. Duel d of job number k is number k * STRIDE + d of all together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from sim.shard_files import MOST_FILES, AnswerFiles
from sim.shards import Shard
from sim.workers import Job, Rows, WorkerLost, Workers, play_spans

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


class Answer(NamedTuple):
    """What a job answered for some of its duels.

    Attributes
    ----------
    job
        The job's number.
    shard
        The duels, as the job numbers them.
    rows
        What it returned.
    is_new
        Whether they were played now.
    """

    job: int
    shard: Shard
    rows: Rows
    is_new: bool


def play_jobs(
    jobs: Sequence[Job],
    spans: Sequence[tuple[int, Shard]],
    workers: Workers,
    least: int = 2,
    kept: Sequence[AnswerFiles] | None = None,
) -> Iterator[Answer]:
    """Play spans of duels of several jobs over worker processes, in shards that come in any order.

    Parameters
    ----------
    spans
        Pairs of a job's number and duels of it.
    workers, least
        As in `sim.workers.Player`.
    kept
        For each job where its answers are kept: what is there already comes first, unplayed.

    Raises
    ------
    WorkerLost
        As `sim.workers.play_beside`, with the job's number and its own duels.
    """
    if kept is not None:
        gaps = []
        for number, span in spans:
            for shard, answer in kept[number].answers(span):
                yield Answer(number, shard, answer, False)
            gaps += [(number, gap) for gap in kept[number].missing_in(span)]
        spans = gaps
        least = max(least, sum(span.count for _, span in spans) // (MOST_FILES * len(jobs)))
    queued = [Shard(number * STRIDE + span.first, span.count) for number, span in spans]
    try:
        for shard, answer in play_spans(JobQueue(tuple(jobs)), queued, workers, least):
            number, own = own_shard(shard, STRIDE)
            if kept is not None:
                kept[number].keep(own, answer)
            yield Answer(number, own, answer, True)
    except WorkerLost as lost:
        raise lost.of_job(*own_shard(lost.shard, STRIDE)) from None


def own_shard(shard: Shard, stride: int) -> tuple[int, Shard]:
    """The number of the job that a queue's shard belongs to, and the job's own duels."""
    number, first = divmod(shard.first, stride)
    return number, Shard(first, shard.count)
