"""What the machines of a Dask cluster run: they say which duel-sim they have, and play shards.

A worker may have several threads. Compiled code runs in all of them at once; whatever comes before,
from a job's arrival to its first duels, is done by one thread while the others wait.
"""

from __future__ import annotations

import functools
import hashlib
import io
import pickle
import sys
import threading
import zlib
from collections import OrderedDict
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import sim
from cards.errors import InputError
from sim.workers import Job, Rows

#: What the duels and the answers of workers depend on.
_ROOMS: Final = ("cards", "sim", "strategies")
_TOP: Final = Path(__file__).resolve().parent.parent
#: A command may play many jobs one after another; later ones seldom come back.
_KEPT_JOBS: Final = 4
#: Duels in which everything is compiled.
_FIRST_DUELS: Final = 2

_one_at_a_time = threading.RLock()
_jobs: OrderedDict[str, Job] = OrderedDict()


@functools.cache
def versions() -> dict[str, str]:
    """What must be the same on all machines of a cluster, by what to call it."""
    digest = hashlib.sha256()
    files = (file for room in _ROOMS for file in (_TOP / room).rglob("*"))
    for file in sorted(file for file in files if file.suffix in (".py", ".toml")):
        digest.update(file.relative_to(_TOP).as_posix().encode())
        digest.update(file.read_bytes())
    return {
        "duel-sim": sim.__version__,
        "duel-sim's source": digest.hexdigest()[:8],
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        **{name: version(name) for name in ("numba", "numpy", "distributed")},
    }


def check_versions(there: Mapping[str, str], here: Mapping[str, str], machine: str) -> None:
    """Raise an `InputError` unless a machine of the cluster has the same versions as the caller."""
    for name, wanted in here.items():
        if there.get(name) != wanted:
            raise InputError(
                f"has {name} {there.get(name)}, but here it is {wanted}",
                where=machine,
                right="install the same version on all machines of the cluster",
            )


def pack_job(job: Job) -> tuple[bytes, bool]:
    """A job as bytes, and whether it must be played by one thread at a time.

    Plain Python strategies keep things between two choices; compiled ones do not.
    """
    file = io.BytesIO()
    pickler = _Pickler(file, protocol=pickle.HIGHEST_PROTOCOL)
    pickler.dump(job)
    return zlib.compress(file.getvalue(), level=1), pickler.plain


class _Pickler(pickle.Pickler):
    """Pickles a job, and sees whether a strategy in it is plain Python (`Finder.is_plain`)."""

    plain = False

    def persistent_id(self, part: Any) -> None:
        """Called with each part of the job; None: pickle it as usual."""
        self.plain = self.plain or getattr(part, "is_plain", False) is True


def hold(packed: bytes) -> bytes:
    """A job's bytes as the result of a task, which Dask brings to whoever plays its shards."""
    return packed


def play(
    packed: bytes, name: str, alone: bool, shard: tuple[int, int], asker: Mapping[str, str]
) -> Rows:
    """Play a shard (first, count) of a job.

    Parameters
    ----------
    packed, alone
        The job, as `pack_job` returns it.
    name
        Tells it from all other jobs.
    asker
        The `versions` of the process that asks; a worker may have come after it had looked.

    Raises
    ------
    InputError
        This machine has other versions.
    """
    from distributed import get_worker

    check_versions(versions(), asker, f"worker {get_worker().address}")
    with _one_at_a_time:
        job = _unpacked(packed, name, shard)
        if alone:
            return job.play(*shard)
    return job.play(*shard)


def _unpacked(packed: bytes, name: str, shard: tuple[int, int]) -> Job:
    """The job, with everything compiled that it needs."""
    job = _jobs.get(name)
    if job is None:
        job = pickle.loads(zlib.decompress(packed))
        first, count = shard
        job.play(first, min(count, _FIRST_DUELS))
        _jobs[name] = job
        while len(_jobs) > _KEPT_JOBS:
            _jobs.popitem(last=False)
    return job
