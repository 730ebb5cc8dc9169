"""Playing the shards of a run: in this process, or in worker processes beside it.

Knows no game: a `Job` plays duels by their numbers and returns rows. Which process plays which
shard, and how large shards are, never changes a row.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
import threading
import time
import types
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from sim.shards import Shard, cut, cut_tapering

Rows = npt.NDArray[np.int32]

#: Duels that are played first, to see how fast they are; the very first ones are slower.
PILOTS: Final = (16, 64)
#: What a worker process takes to start, seconds: a run that is not much longer goes without.
WORTH_A_PROCESS: Final = 1.5
#: How long a shard should take, seconds: short enough for progress, and to lose little.
SHARD_SECONDS: Final = 0.5
LARGEST_SHARD: Final = 20_000
#: This process takes some 10 ms to count and write a shard: for more players shards are larger.
PLAYERS_FED: Final = 32
#: A shard on which so many workers have died is given up.
MOST_DEATHS: Final = 3
#: A worker that has not answered after so many seconds, and so many times what its shard should
#: take, hangs.
PATIENCE: Final = 600.0
PATIENCE_TIMES: Final = 100
#: How often it is looked whether one does, seconds.
_LOOK: Final = 5.0
#: The exit code of a worker for which memory ran out.
_NO_MEMORY: Final = 77


class Job(Protocol):
    """A run's duels: picklable, and the same rows in every process."""

    def play(self, first: int, count: int) -> Rows:
        """Play duels first, first + 1, …; shape (count, ROW_WIDTH), `sim.batch.ROW_COLUMNS`."""


class Pool(Protocol):
    """Processes that play a job's shards, here or elsewhere."""

    @property
    def players(self) -> int:
        """How many shards are played at once."""

    def play(self, shards: Iterable[Shard]) -> Iterator[tuple[Shard, Rows]]:
        """Play shards, which come in any order."""

    def stop(self) -> None:
        """Let the processes go."""


class Cluster(Protocol):
    """Other machines that play (`sim.cluster.Cluster`)."""

    def pool(self, job: Job) -> Pool:
        """What plays a job there."""


#: Who plays a run: so many processes of this machine, or a cluster.
Workers = int | Cluster


class PlayersLost(RuntimeError):
    """Nobody is left who could play on; what is finished is finished."""


class WorkerLost(PlayersLost):
    """Worker processes died again and again on the same shard.

    Attributes
    ----------
    shard
        The duels.
    epitaph
        How the last one ended.
    job
        The number of the job whose duels they are, where several are played as one.
    deaths
        How many died.
    """

    def __init__(
        self,
        shard: Shard,
        epitaph: str,
        job: int = 0,
        of: str = "",
        replay: str = "",
        deaths: int = MOST_DEATHS,
    ) -> None:
        self.shard = shard
        self.epitaph = epitaph
        self.job = job
        self.deaths = deaths
        super().__init__(
            f"{deaths} worker processes died at duels {shard.first} to {shard.end - 1}"
            f"{of and f' of {of}'} ({epitaph}){replay and f'; {replay}'}"
        )

    def of_job(self, job: int, shard: Shard) -> WorkerLost:
        """The same, with the duels as the job number `job` numbers them."""
        return WorkerLost(shard, self.epitaph, job, deaths=self.deaths)

    def named(self, of: str, replay: str) -> WorkerLost:
        """The same, with what the duels are duels of, and how they are played again."""
        return WorkerLost(self.shard, self.epitaph, self.job, of, replay, self.deaths)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_spans(
    job: Job, spans: Sequence[Shard], workers: Workers, least: int = 2
) -> Iterator[tuple[Shard, Rows]]:
    """Play all duels of `spans`, in shards that come in any order (see `Player`)."""
    with Player(job, workers) as player:
        yield from player.play(spans, least)


class Player:
    """Plays a job's duels, as often as more of them are wanted; to be used in a `with`.

    Parameters
    ----------
    workers
        How many processes may play; 1: this one alone. What would be over before workers had
        started is played in this process, too; once started, they stay for what comes next.
        Or a cluster, which plays all but the very first duels.
    """

    def __init__(self, job: Job, workers: Workers) -> None:
        self._job = job
        self._workers = workers
        self._pilots = deque(PILOTS)
        self._seconds = 0.0  # a duel
        self._pool: Pool | None = None

    def __enter__(self) -> Player:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the worker processes."""
        if self._pool is not None:
            self._pool.stop()

    def play(self, spans: Sequence[Shard], least: int = 2) -> Iterator[tuple[Shard, Rows]]:
        """Play all duels of `spans`, in shards that come in any order.

        `least` is the least size of a shard, for a run that keeps each as a file.
        """
        todo = deque(spans)
        while self._pilots and todo:
            span = todo.popleft()
            pilot = Shard(span.first, min(self._pilots.popleft(), span.count))
            if span.end > pilot.end:
                todo.appendleft(Shard(pilot.end, span.end - pilot.end))
            begun = time.perf_counter()
            rows = self._job.play(pilot.first, pilot.count)
            self._seconds = (time.perf_counter() - begun) / pilot.count
            yield pilot, rows
        left = sum(span.count for span in todo)
        if not left:
            return
        size = min(int(SHARD_SECONDS / self._seconds), LARGEST_SHARD)
        if self._pool is None:
            if isinstance(self._workers, int):
                short = left * self._seconds < WORTH_A_PROCESS
                if self._workers == 1 or short:
                    yield from play_here(self._job, cut(todo, max(size, least)))
                    return
                self._pool = _Pool(self._job, self._workers, self._seconds)
            else:
                self._pool = self._workers.pool(self._job)
        players = self._pool.players
        size *= max(1, players // PLAYERS_FED)
        # Every worker gets a few shards, so that none waits long for the last one.
        size = max(min(size, left // (4 * players)), least)
        yield from self._pool.play(cut_tapering(todo, size, least, players))


def play_here(job: Job, shards: Iterable[Shard]) -> Iterator[tuple[Shard, Rows]]:
    """Play shards one by one in this process."""
    for shard in shards:
        yield shard, job.play(shard.first, shard.count)


def play_beside(job: Job, shards: Iterable[Shard], workers: int) -> Iterator[tuple[Shard, Rows]]:
    """Play shards in worker processes; a worker that dies is replaced and its shard played again.

    Raises
    ------
    WorkerLost
        Several workers died on one shard.
    """
    pool = _Pool(job, workers)
    try:
        yield from pool.play(shards)
    finally:
        pool.stop()


class _Pool:
    """Worker processes, started when there is something to play and kept until they are stopped.

    `seconds` is what a duel should take.
    """

    def __init__(self, job: Job, workers: int, seconds: float = 0.0) -> None:
        self._job = job
        self.players = workers
        self._seconds = seconds
        self._idle: list[_Worker] = []

    def stop(self) -> None:
        """End the processes."""
        for worker in self._idle:
            worker.stop()
        self._idle = []

    def play(self, shards: Iterable[Shard]) -> Iterator[tuple[Shard, Rows]]:
        """See `play_beside`."""
        from multiprocess.connection import wait

        fresh = iter(shards)
        waiting: deque[Shard] = deque()
        deaths: Counter[Shard] = Counter()
        idle = self._idle
        busy: dict[Any, _Worker] = {}
        try:
            while True:
                free = max(0, self.players - len(busy) - len(waiting))
                waiting.extend(itertools.islice(fresh, free))
                if not waiting and not busy:
                    return
                # All are started before the first is given anything: they start side by side.
                while len(idle) < len(waiting) and len(idle) + len(busy) < self.players:
                    try:
                        idle.append(_Worker(self._job))
                    except OSError as fault:
                        if not idle and not busy:
                            raise OSError(
                                f"no worker process can be started ({fault.strerror or fault}); "
                                "--workers 1 needs none"
                            ) from None
                        self.players = len(idle) + len(busy)
                while waiting and idle:
                    worker = idle.pop()
                    busy[worker.connection] = worker
                    worker.give(waiting.popleft())
                for connection in wait(list(busy), _LOOK) or self._hung(busy):
                    worker = busy[connection]
                    rows = worker.answer()
                    del busy[connection]
                    if rows is not None:
                        idle.append(worker)
                        yield worker.shard, rows
                        continue
                    worker.stop()
                    _note_death(deaths, worker)
                    waiting.appendleft(worker.shard)
        finally:
            # Whoever still plays is not waited for.
            for worker in busy.values():
                worker.stop()

    def _hung(self, busy: dict[Any, _Worker]) -> list[Any]:
        """End the workers that hang; their connections."""
        found = []
        for connection, worker in busy.items():
            expected = PATIENCE_TIMES * self._seconds * worker.shard.count
            if time.monotonic() - worker.since > PATIENCE + expected:
                worker.give_up()
                found.append(connection)
        return found


def _note_death(deaths: Counter[Shard], worker: _Worker) -> None:
    """Count a death against its shard; one too many is a `WorkerLost`."""
    shard = worker.shard
    deaths[shard] += 1
    if deaths[shard] == MOST_DEATHS:
        raise WorkerLost(shard, worker.epitaph)


@dataclass(frozen=True)
class _Failed:
    """What a worker sends back where the job raised an error."""

    error: Exception


class _Worker:
    """One worker process and the shard that it has, since when (`time.monotonic`)."""

    shard: Shard
    since: float

    def __init__(self, job: Job) -> None:
        import multiprocess

        # Spawned, never forked: Polars and its threads do not survive a fork.
        context = multiprocess.get_context("spawn")
        self.connection, other_end = context.Pipe()
        self._process = context.Process(target=_serve, args=(other_end,), daemon=True)
        with nothing_of_main(), deaf_to_interrupt():
            self._process.start()
        other_end.close()
        self._job: Job | None = job
        self._hangs = False

    def give(self, shard: Shard) -> None:
        """Send a shard to be played; the job goes with the first one."""
        self.shard = shard
        self.since = time.monotonic()
        with suppress(OSError):  # if it has died `answer` finds that out
            self.connection.send((self._job, shard))
        self._job = None

    def answer(self) -> Rows | None:
        """The rows of its shard; None if the process has died. Raises what the job raised."""
        try:
            answer = self.connection.recv()
        except (EOFError, OSError):
            return None
        if isinstance(answer, _Failed):
            raise answer.error
        return np.asarray(answer)

    def stop(self) -> None:
        """End the process."""
        self.connection.close()
        self._process.kill()
        self._process.join()

    def give_up(self) -> None:
        """End a process that does not answer."""
        self._hangs = True
        self._process.kill()

    @property
    def epitaph(self) -> str:
        """How the process ended."""
        code = self._process.exitcode
        if self._hangs:
            return f"no answer in {time.monotonic() - self.since:.0f} s"
        if code == _NO_MEMORY:
            return "out of memory"
        if code is not None and code < 0:
            return f"signal {-code}{', as when memory runs out' if code == -9 else ''}"
        return f"exit code {code}"


def _serve(connection: Any) -> None:
    """What a worker process does: play shards until the parent hangs up."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    job: Any = None
    while True:
        try:
            sent, shard = connection.recv()
        except (EOFError, OSError):
            return
        job = sent or job
        try:
            answer: Any = job.play(shard.first, shard.count)
        except MemoryError:
            os._exit(_NO_MEMORY)  # the next one may have more
        except Exception as error:
            answer = _Failed(error)
        try:
            connection.send(answer)
        except OSError:
            return


def _end_with_parent() -> None:
    """End this worker when the parent is gone, in the middle of a shard, too."""
    import multiprocess
    from multiprocess.connection import wait

    wait([multiprocess.parent_process().sentinel])
    os._exit(1)


@contextmanager
def nothing_of_main() -> Iterator[None]:
    """Keep a new process from running the user's script again.

    `spawn` imports the parent's main module in the child, so that a script without a main guard
    would start its own run over and over. Workers need nothing from it.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def deaf_to_interrupt() -> Iterator[None]:
    """Let a new process not hear Ctrl-C: the parent hears it, and stops its workers."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    import multiprocessing.resource_tracker

    import multiprocess.resource_tracker

    # Whoever starts one, which the first worker would do, unblocks the signal.
    multiprocess.resource_tracker.ensure_running()
    multiprocessing.resource_tracker.ensure_running()  # Dask's workers
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
