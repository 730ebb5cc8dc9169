"""Worker processes: the same rows whoever plays them, and no harm in a death."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim import api, workers
from sim.first_run import make_ready
from sim.shards import Shard, cut
from sim.workers import Rows, WorkerLost, play_beside, play_here, play_spans


@dataclass(frozen=True)
class Counting:
    """A job without a game: its rows say which duels they are.

    The first process to play one of the `deadly` duels dies of it; the file remembers that it did.
    """

    deadly: tuple[int, ...] = ()
    memory: Path | None = None
    often: bool = False
    wrong: int = -1
    hungry: int = -1
    seconds: float = 0.0

    def play(self, first: int, count: int) -> Rows:
        """Rows that hold the number of their duel."""
        time.sleep(self.seconds * count)
        numbers = np.arange(first, first + count, dtype=np.int32)
        if self.wrong in numbers:
            raise ValueError(f"duel {self.wrong} cannot be played")
        if self.hungry in numbers:
            raise MemoryError
        for number in self.deadly:
            if number in numbers and self._must_die(number):
                os.kill(os.getpid(), signal.SIGKILL)
        return np.repeat(numbers[:, None], 8, axis=1)

    def _must_die(self, number: int) -> bool:
        assert self.memory is not None
        file = self.memory / str(number)
        if file.exists() and not self.often:
            return False
        file.touch()
        return True


def _numbers(played: Iterator[tuple[Shard, Rows]]) -> list[int]:
    found: list[int] = []
    for shard, rows in played:
        assert len(rows) == shard.count
        found += rows[:, 0].tolist()
    return sorted(found)


@pytest.mark.parametrize("n", [1, 2, 15, 16, 17, 80, 81, 1001])
@pytest.mark.parametrize("count", [1, 2])
def test_every_duel_once(n: int, count: int) -> None:
    assert _numbers(play_spans(Counting(), [Shard(0, n)], count)) == list(range(n))


def test_spans_with_gaps() -> None:
    spans = [Shard(4, 2), Shard(10, 300), Shard(1000, 7)]
    wanted = [i for span in spans for i in range(span.first, span.end)]
    assert _numbers(play_spans(Counting(), spans, 1)) == wanted


def test_slow_jobs_get_workers_and_small_shards() -> None:
    played = list(play_spans(Counting(seconds=0.004), [Shard(0, 800)], 2))
    assert _numbers(iter(played)) == list(range(800))
    assert max(shard.count for shard, _ in played) <= 130


def test_a_killed_worker_costs_its_shard_only(tmp_path: Path) -> None:
    job = Counting(deadly=(33, 170), memory=tmp_path)
    assert _numbers(play_beside(job, cut([Shard(0, 200)], 20), 2)) == list(range(200))
    assert {file.name for file in tmp_path.iterdir()} == {"33", "170"}


def test_a_shard_that_kills_every_worker_is_given_up(tmp_path: Path) -> None:
    job = Counting(deadly=(33,), memory=tmp_path, often=True)
    with pytest.raises(
        WorkerLost, match=r"3 worker processes died at duels 20 to 39 \(signal 9, as"
    ):
        list(play_beside(job, cut([Shard(0, 200)], 20), 2))


def test_a_worker_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 0.2)
    monkeypatch.setattr(workers, "_LOOK", 0.05)
    with pytest.raises(WorkerLost, match=r"died at duels 0 to 1 \(no answer in \d+ s\)"):
        list(play_beside(Counting(seconds=1e6), [Shard(0, 2)], 1))


def test_a_worker_without_memory_counts_as_dead() -> None:
    with pytest.raises(WorkerLost, match=r"died at duels 20 to 39 \(out of memory\)"):
        list(play_beside(Counting(hungry=33), cut([Shard(0, 60)], 20), 2))


def test_a_worker_whose_python_does_not_start(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    import multiprocess.spawn

    monkeypatch.setattr(multiprocess.spawn, "_python_exe", b"/bin/false")
    with pytest.raises(WorkerLost, match=r"died at duels \d+ to \d+ \(exit code 1\)"):
        list(play_beside(Counting(), cut([Shard(0, 60)], 20), 2))


@pytest.mark.parametrize(("room", "enough"), [(0, False), (1, True)])
def test_processes_that_cannot_be_started(
    monkeypatch: pytest.MonkeyPatch, room: int, enough: bool
) -> None:
    """With fewer than asked for the run goes on; with none it ends with a line."""
    started: list[Any] = []
    begin = workers._Worker.__init__

    def start(worker: Any, job: Any) -> None:
        if len(started) >= room:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        started.append(worker)
        begin(worker, job)

    monkeypatch.setattr(workers._Worker, "__init__", start)
    played = play_beside(Counting(), cut([Shard(0, 200)], 20), 3)
    if enough:
        assert _numbers(played) == list(range(200))
    else:
        with pytest.raises(OSError, match=r"no worker .*temporarily.*; --workers 1 needs none"):
            list(played)


def test_an_error_in_a_worker_is_raised_here() -> None:
    with pytest.raises(ValueError, match="duel 33 cannot be played"):
        list(play_beside(Counting(wrong=33), cut([Shard(0, 200)], 20), 2))


def test_workers_end_with_the_run() -> None:
    import multiprocess

    played = play_beside(Counting(), cut([Shard(0, 200)], 20), 2)
    next(played)
    assert len(multiprocess.active_children()) == 2
    del played
    assert multiprocess.active_children() == []


def test_workers_play_the_same_duels() -> None:
    setup = api.prepare("rome", "egypt", strategy_a="greedy", strategy_b="random", seed=12)
    make_ready(setup.job.entries())
    here = _rows(play_here(setup.job, cut([Shard(0, 301)], 64)))
    beside = _rows(play_beside(setup.job, cut([Shard(0, 301)], 30), 2))
    assert (here == beside).all()
    assert (here == setup.job.play(0, 301)).all()


def _rows(played: Iterator[tuple[Shard, Rows]]) -> Rows:
    return np.concatenate([rows for _, rows in sorted(played, key=lambda one: one[0])])


def test_cores_are_those_this_process_may_use() -> None:
    assert 1 <= workers.cores() <= (os.cpu_count() or 1)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
def test_no_worker_hears_ctrl_c_the_first_one_neither() -> None:
    """In a fresh process: the first worker is started together with multiprocess's own helper."""
    code = """
import multiprocess
from sim.shards import Shard, cut
from sim.workers import play_beside
import sys
sys.path.insert(0, sys.argv[1])
from test_worker_processes import Counting
played = play_beside(Counting(), cut([Shard(0, 200)], 20), 2)
next(played)
for child in multiprocess.active_children():
    status = open(f"/proc/{child.pid}/status").read()
    blocked = int(status.split("SigBlk:")[1].split()[0], 16)
    print(blocked >> (2 - 1) & 1)
played.close()
"""
    top = Path(workers.__file__).resolve().parents[1]
    done = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parent)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(top)},
    )
    assert done.stdout.split() == ["1", "1"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals to block")
def test_workers_do_not_hear_ctrl_c() -> None:
    with workers.deaf_to_interrupt():
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
