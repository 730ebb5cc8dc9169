"""What a change does: the same seeds played with it and without it (common random numbers).

Knows no game. A matchup is played as it is and in any number of variants; of each pair of duels on
one seed it is counted how often side a won it before and how often after.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from sim.batch import ROW_COLUMNS
from sim.first_run import make_ready
from sim.job_queue import play_jobs
from sim.run import Progress
from sim.shard_files import AnswerFiles
from sim.shards import Shard
from sim.workers import Job, Rows, Workers

#: A duel's result in one number: whether side a won it, whether side a began it.
WON: Final = 1
BEGAN: Final = 2

_WINNER: Final = ROW_COLUMNS.index("winner")
_FIRST: Final = ROW_COLUMNS.index("first")

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class VariantsJob:
    """A matchup as it is, and in variants."""

    base: Job
    variants: tuple[Job, ...]

    def play(self, first: int, count: int) -> Rows:
        """Play duels first, first + 1, … in all ways.

        Returns
        -------
        numpy.ndarray
            Shape (count, 1 + len(variants)), int8: WON, BEGAN or both added up, the base first.
        """
        found = np.empty((count, 1 + len(self.variants)), dtype=np.int8)
        for place, job in enumerate((self.base, *self.variants)):
            rows = job.play(first, count)
            found[:, place] = (rows[:, _WINNER] == 0) * WON + (rows[:, _FIRST] == 0) * BEGAN
        # workers pass on whatever array a job returns
        return cast(Rows, found)


@dataclass(frozen=True)
class Played:
    """The counts of a run.

    Attributes
    ----------
    joint
        For each matchup an array of shape (variants, 3, 3): pairs of duels on one seed by the duels
        that side a won of them in the variant, and as it is. Where duels do not come in pairs each
        is a unit of its own, of which 0 or 1 is won.
    begun
        Shape (matchups, 2, 3, 3), the same for two more variants that need no playing: side a (b)
        begins both duels of each pair, on the same shuffles. Empty where the rules fix who begins.
    paired
        Whether duels come in pairs.
    duels_per_second
        All variants counted; None where nothing had to be played.
    """

    joint: tuple[Counts, ...]
    begun: Counts
    paired: bool
    duels_per_second: float | None


def play_variants(
    jobs: Sequence[VariantsJob],
    n: int,
    *,
    paired: bool,
    workers: Workers,
    entries: Sequence[tuple[str, Any]],
    kept: Sequence[AnswerFiles] | None = None,
    progress: Progress | None = None,
) -> Played:
    """Play `n` duels (made even where they are paired) of each matchup in all variants.

    Parameters
    ----------
    jobs
        Matchups, each with any number of variants.
    entries
        What must be compiled before, each with what to call it.
    kept
        Where the results of each matchup are kept, and found by a run that goes on.
    progress
        Called with the number of duels that are done, all variants counted.
    """
    make_ready(entries)
    size = 2 if paired else 1
    joint = [np.zeros((len(job.variants), 3, 3), dtype=np.int64) for job in jobs]
    begun = np.zeros((len(jobs), 2, 3, 3), dtype=np.int64)
    done, played, started = 0, 0, time.perf_counter()
    spans = [(number, Shard(0, n - n % size)) for number in range(len(jobs))]
    for number, _, results, is_new in play_jobs(jobs, spans, workers, kept=kept):
        joint[number] += joint_counts(results, size)
        if paired:
            begun[number] += begun_counts(results[:, 0])
        done += results.size
        played += results.size * is_new
        if progress is not None:
            progress(done)
    speed = played / (time.perf_counter() - started) if played else None
    return Played(tuple(joint), begun, paired, speed)


def joint_counts(results: npt.NDArray[Any], size: int) -> Counts:
    """Shape (variants, 3, 3), as `Played.joint`, of results as `VariantsJob.play` returns them.

    `size` is how many duels make a unit: 2, or 1 where they do not come in pairs.
    """
    wins = (results & WON).astype(np.int64)
    scores = wins.reshape(-1, size, wins.shape[1]).sum(axis=1)
    found = np.zeros((wins.shape[1] - 1, 3, 3), dtype=np.int64)
    for place in range(1, wins.shape[1]):
        found[place - 1] = _crossed(scores[:, place], scores[:, 0])
    return found


def begun_counts(results: npt.NDArray[Any]) -> Counts:
    """Shape (2, 3, 3), as `Played.begun`, of the results as it is, shape (count,), paired."""
    pairs = results.reshape(-1, 2)
    won = (pairs & WON).astype(np.int64)
    began = (pairs & BEGAN) > 0
    scores = won.sum(axis=1)
    # The one duel of a pair that the side began stands for both: its result counts twice.
    return np.stack(
        [
            _crossed(2 * (won * began).sum(axis=1), scores),
            _crossed(2 * (won * ~began).sum(axis=1), scores),
        ]
    )


def _crossed(after: Counts, before: Counts) -> Counts:
    return np.bincount(3 * after + before, minlength=9).reshape(3, 3)
