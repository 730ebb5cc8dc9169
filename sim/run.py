"""A run from its job to its frames: played, counted, kept on disk if asked for."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import polars as pl

from sim.shard_files import MOST_FILES, DuelFiles
from sim.shards import Shard
from sim.tally import Tally, duel_frame
from sim.workers import Job, Player, Workers

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
    workers: Workers,
    folder: DuelFiles | None = None,
    first: int = 0,
    keep_duels: bool = False,
    progress: Progress | None = None,
    looks: Iterable[int] = (),
    enough: Callable[[Tally], bool] | None = None,
) -> Run:
    """Play `n` duels, or those of them that the folder has not yet.

    The result depends on the job, `n` and the rule for stopping alone. An interruption leaves the
    shards that are done in the folder.

    Parameters
    ----------
    first
        The number of the first duel; not 0 only for a run that no folder keeps.
    looks, enough
        For a run that may end sooner: numbers of duels, even and rising, and what says of the tally
        of so many whether that is enough.
    """
    tally = Tally(paired=paired, keep_duels=keep_duels)
    done = found = 0
    seconds = 0.0

    def count(duels: pl.DataFrame) -> None:
        nonlocal done
        tally.add(duels)
        done += len(duels)
        if progress is not None:
            progress(done)

    with Player(job, workers) as player:
        for end in _ends(n, looks):
            spans = [Shard(first + done, end - done)]
            if folder is not None:
                spans = folder.missing(end)
                before = done
                for duels in folder.finished(end, since=done):
                    count(duels)
                found += done - before
            begun = time.perf_counter()
            least = 2 if folder is None else max(2, end // MOST_FILES)
            for shard, rows in player.play(spans, least):
                duels = duel_frame(shard.first, rows)
                if folder is not None:
                    folder.write(duels)
                count(duels)
            seconds += time.perf_counter() - begun
            if enough is not None and enough(tally):
                break
    speed = (done - found) / seconds if done > found else None
    return Run(tally.counts, tally.pairs, tally.duels, speed)


def _ends(n: int, looks: Iterable[int]) -> Iterator[int]:
    """The looks before the n-th duel, and n."""
    yield from itertools.takewhile(lambda look: look < n, looks)
    yield n
