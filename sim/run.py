"""A run from its job to its frames: played, counted, kept on disk if asked for."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from sim.run_folder import MOST_FILES, RunFolder
from sim.shards import Shard
from sim.tally import Tally, duel_frame
from sim.workers import Job, play_spans

#: Called with the number of duels that are done, of all.
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Run:
    """A finished run.

    Attributes
    ----------
    counts, pairs
        The frames that `reports.matchup` documents.
    duels
        One row a duel (`sim.tally.DUEL_SCHEMA`), if they were to be kept in memory.
    duels_per_second
        Of the duels that were played now; None where all were on disk already.
    """

    counts: pl.DataFrame
    pairs: pl.DataFrame
    duels: pl.DataFrame | None
    duels_per_second: float | None


def run(
    job: Job,
    n: int,
    *,
    paired: bool,
    workers: int,
    folder: RunFolder | None = None,
    keep_duels: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Play `n` duels, or those of them that the folder has not yet.

    The result depends on the job and `n` alone. An interruption leaves the shards that are done in
    the folder.
    """
    tally = Tally(paired=paired, keep_duels=keep_duels)
    done = 0

    def count(duels: pl.DataFrame) -> None:
        nonlocal done
        tally.add(duels)
        done += len(duels)
        if progress is not None:
            progress(done)

    spans = [Shard(0, n)]
    least = 2
    if folder is not None:
        spans = folder.missing()
        least = max(2, n // MOST_FILES)
        for duels in folder.finished():
            count(duels)
    found = done
    begun = time.perf_counter()
    for shard, rows in play_spans(job, spans, workers, least):
        duels = duel_frame(shard.first, rows)
        if folder is not None:
            folder.write(duels)
        count(duels)
    seconds = time.perf_counter() - begun
    speed = (done - found) / seconds if done > found else None
    return Run(tally.counts, tally.pairs, tally.duels, speed)
