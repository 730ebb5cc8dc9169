"""Playing the shards of a run on a Dask cluster: its workers play, this process counts and writes.

A connection stays open for the next run of the process, and ends with it.
"""

from __future__ import annotations

import asyncio
import atexit
import itertools
import logging
import queue
import re
import sys
import time
import uuid
import warnings
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, Final

from cards.errors import InputError
from cards.names import quote
from sim.cluster_worker import check_versions, hold, pack_job, play, versions
from sim.shards import Shard
from sim.workers import (
    Job,
    PlayersLost,
    Rows,
    WorkerLost,
    cores,
    deaf_to_interrupt,
    nothing_of_main,
)

#: The address that means a cluster on this machine, started for the run.
LOCAL: Final = "local"
_ADDRESS: Final = re.compile(r"(tcp|tls)://(\[[^\]]+\]|[^:/\s\[\]]+):\d+")
#: How long a scheduler may take to answer, and a first worker to come to it, seconds.
PATIENCE: Final = 10.0
#: How long a run waits for a worker after all have gone, seconds.
WORKERLESS: Final = 60.0
#: After so long without a result it is said that workers may be compiling, seconds.
SLOW_START: Final = 5.0
#: Shards under way for each thread of the cluster: while one is played the next ones wait there.
LOOK_AHEAD: Final = 3
#: How many shards' rows this process fetches, and so holds, at once.
BATCH: Final = 16

_open: dict[tuple[str, int | None], Cluster] = {}


class ClusterLost(PlayersLost):
    """The scheduler, or all workers of a cluster, have gone while they were playing."""


def connected(address: str, workers: int | None = None) -> Cluster:
    """The cluster at an address, all of whose machines have this very duel-sim.

    Parameters
    ----------
    address
        A scheduler's, `tcp://HOST:PORT` or `tls://HOST:PORT`; or "local": one on this machine.
    workers
        Processes of a local one; None: one for each core. Another one has the workers that it has.

    Raises
    ------
    InputError
        There is no such cluster, it has no workers, one of its machines has another version, or
        Dask is not installed here.
    """
    if address == LOCAL:
        workers = workers or cores()
    elif not _ADDRESS.fullmatch(address):
        raise InputError(
            f"{quote(address)} is no address of a cluster", right=f"tcp://HOST:8786, or {LOCAL}"
        )
    elif workers is not None:
        raise InputError(
            "--workers does not go with the address of a cluster",
            right="leave it out: the cluster's own workers play",
        )
    known = _open.get((address, workers))
    if known is not None and known.is_alive():
        return known
    close(address)
    client = _started(workers) if workers is not None else _reached(address)
    cluster = Cluster(client, address)
    try:
        cluster.check()
    except BaseException:
        cluster.close()
        raise
    _open[address, workers] = cluster
    return cluster


def close(address: str | None = None) -> None:
    """End the connections to an address, or all; a local cluster ends with its connection."""
    for key in [key for key in _open if address in (None, key[0])]:
        _open.pop(key).close()


atexit.register(close)


class Cluster:
    """A Dask cluster, as those who play a run know it (`sim.workers.Cluster`).

    Parameters
    ----------
    client
        A `distributed.Client`.
    address
        What the user calls it.
    """

    def __init__(self, client: Any, address: str) -> None:
        self.client = client
        self.address = address
        self._is_lost = False

    def is_alive(self) -> bool:
        """Whether its scheduler still answers."""
        return not self._is_lost and bool(self.client.status == "running")

    def close(self) -> None:
        """End the connection, and a local cluster with it."""
        local = self.client.cluster
        with suppress(Exception):  # whatever is wrong with it: it is not wanted any more
            self.client.close(timeout=2)
        if local is not None:
            with suppress(Exception):
                local.close(timeout=5)

    def threads(self) -> int:
        """How many shards its workers play at once; 0 if there are no workers now.

        Raises
        ------
        ClusterLost
            Its scheduler does not answer.
        """
        try:
            return sum(self.client.nthreads().values())
        except (OSError, ValueError, CancelledError):  # ValueError: the client has been closed
            raise self.lost() from None

    def lost(self) -> ClusterLost:
        """The error that its scheduler has gone; the next run needs a new connection."""
        self._is_lost = True
        return ClusterLost(f"lost the scheduler of the cluster {self.address}")

    def check(self) -> None:
        """Look whether it has workers, and whether all its machines have this duel-sim.

        Raises
        ------
        InputError
            They have not.
        """
        try:
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise InputError(
                f"has no workers (waited {PATIENCE:.0f} s)",
                where=f"cluster {self.address}",
                right=f"start some with: dask worker {self.address}",
            ) from None
        found = dict(self.client.run(versions, on_error="return"))
        try:
            found["scheduler"] = self.client.run_on_scheduler(versions)
        except Exception as fault:
            found["scheduler"] = fault
        for machine, there in found.items():
            check_machine(machine if machine == "scheduler" else f"worker {machine}", there)

    def pool(self, job: Job) -> ClusterPool:
        """What plays a job's shards on the cluster."""
        return ClusterPool(self, job)


def check_machine(name: str, there: Mapping[str, str] | Exception) -> None:
    """Raise an `InputError` unless a machine told the same versions as here, or anything at all."""
    if isinstance(there, Exception):
        raise InputError(
            f"has no duel-sim, or another version of it ({' '.join(str(there).split())})",
            where=name,
            right=f"install duel-sim {versions()['duel-sim']} there, too",
        )
    check_versions(there, versions(), name)


class ClusterPool:
    """The workers of a cluster at a job."""

    def __init__(self, cluster: Cluster, job: Job) -> None:
        self._cluster = cluster
        self._client = cluster.client
        self._name = uuid.uuid4().hex
        self._numbers = itertools.count()
        self._has_answered = False
        self._under_way: dict[Any, Shard] = {}
        packed, self._alone = pack_job(job)
        with _no_word_of_size():
            # A task, not data sent ahead: if the worker that has it dies Dask makes it anew.
            self._job = self._client.submit(hold, packed, key=f"job-{self._name}", pure=False)

    @property
    def players(self) -> int:
        """How many shards are played at once."""
        return max(1, self._cluster.threads())

    def stop(self) -> None:
        """Let the workers forget the job; nobody waits for what they still play."""
        with suppress(Exception):  # the scheduler may have gone
            self._client.cancel(list(self._under_way), force=True)
        self._under_way.clear()
        self._job.release()

    def play(self, shards: Iterable[Shard]) -> Iterator[tuple[Shard, Rows]]:
        """Play shards in any order; a shard whose worker dies is played by another one.

        Raises
        ------
        WorkerLost
            Several workers died on one shard, or all of them or the scheduler have gone.
        """
        fresh = iter(shards)
        under_way = self._under_way
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        room = LOOK_AHEAD * self.players
        while True:
            for shard in itertools.islice(fresh, max(0, room - len(under_way))):
                future = self._submit(shard)
                under_way[future] = shard
                future.add_done_callback(done.put)
            if not under_way:
                return
            batch = self._wait(done)
            for future, rows in zip(batch, self._rows(batch), strict=True):
                yield under_way.pop(future), rows
            room = LOOK_AHEAD * self.players

    def _submit(self, shard: Shard) -> Any:
        number = next(self._numbers)
        return self._client.submit(
            play,
            self._job,
            self._name,
            self._alone,
            (shard.first, shard.count),
            versions(),
            key=(f"duels-{self._name}", number),
            pure=False,
        )

    def _wait(self, done: queue.SimpleQueue[Any]) -> list[Any]:
        """Some futures that are done, one at least."""
        begun = seen = time.monotonic()
        told = self._has_answered
        while True:
            with suppress(queue.Empty):
                batch = [done.get(timeout=1)]
                break
            now = time.monotonic()
            if not told and now - begun > SLOW_START:
                told = True
                _say("waiting for the cluster: its workers compile first, for a minute or so")
            if self._cluster.threads():
                seen = now
            elif now - seen > WORKERLESS:
                raise ClusterLost(
                    f"the cluster {self._cluster.address} has lost all workers, and none has come "
                    f"for {WORKERLESS:.0f} s"
                )
        self._has_answered = True
        with suppress(queue.Empty):
            while len(batch) < BATCH:
                batch.append(done.get_nowait())
        return batch

    def _rows(self, batch: list[Any]) -> list[Rows]:
        """The answers of futures that are done. Raises what the job raised."""
        from distributed import KilledWorker

        try:
            return list(self._client.gather(batch))
        except KilledWorker as fault:
            under_way = {future.key: shard for future, shard in self._under_way.items()}
            shard = under_way.get(fault.task)
            if shard is None:
                raise ClusterLost("the workers of the cluster die of the job") from None
            epitaph = f"of the cluster, the last one at {fault.last_worker.address}"
            raise WorkerLost(shard, epitaph, deaths=fault.allowed_failures + 1) from None
        except (CancelledError, OSError):
            raise self._cluster.lost() from None


def _reached(address: str) -> Any:
    """A client of the scheduler at an address."""
    distributed = _dask()
    try:
        with ThreadPoolExecutor(1) as thread:  # a notebook's own thread has a loop already
            thread.submit(asyncio.run, _greeted(address)).result()
        with _no_word_of_versions():  # `Cluster.check` says more
            return distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception as fault:
        words = " ".join(str(fault).split()) or f"no answer in {PATIENCE:.0f} s"
        raise InputError(
            f"cannot be reached ({words})",
            where=f"cluster {address}",
            right="start its scheduler with: dask scheduler",
        ) from None


async def _greeted(address: str) -> None:
    """Raise something unless a scheduler, not just anything, answers in time."""
    from distributed import Security
    from distributed.comm import connect

    known = Security().get_connection_args("client")
    comm = await asyncio.wait_for(connect(address, timeout=PATIENCE, **known), PATIENCE)
    await comm.close()


def _started(workers: int) -> Any:
    """A client of a new cluster on this machine, of one thread a worker."""
    distributed = _dask()
    try:
        with nothing_of_main(), deaf_to_interrupt():
            cluster = distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address=None,
                # Without a dashboard, too, there is a server, and its usual port may be taken.
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
                silence_logs=logging.CRITICAL,
            )
    except Exception as fault:
        raise ClusterLost(
            f"no cluster can be started here ({' '.join(str(fault).split())})"
        ) from None
    for nanny in cluster.workers.values():
        # A new worker in the place of one that died would run the caller's own script first.
        nanny.auto_restart = False
    return distributed.Client(cluster, set_as_default=False)


def _dask() -> Any:
    """The package `distributed`, which is to say nothing on stderr unless the caller had it first.

    Raises
    ------
    InputError
        It is not installed.
    """
    quiet = "distributed" not in sys.modules
    try:
        import distributed
    except ImportError:
        raise InputError(
            "--cluster needs Dask, which is not installed", right="pip install 'duel-sim[cluster]'"
        ) from None
    if quiet:
        for name in ("distributed", "distributed.client", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return distributed


@contextmanager
def _no_word_of_versions() -> Iterator[None]:
    from distributed.versions import VersionMismatchWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VersionMismatchWarning)
        yield


@contextmanager
def _no_word_of_size() -> Iterator[None]:
    """A job of many alternatives is large, and is sent once."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
        yield


def _say(line: str) -> None:
    print(f"duel-sim: {line}", file=sys.stderr, flush=True)
