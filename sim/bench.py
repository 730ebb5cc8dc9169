"""How fast duels are played: the measurements of `duel-sim bench`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from cards.ancient_duel.load import card_set
from sim import api
from sim.batch import ROW_COLUMNS
from sim.first_run import make_ready
from sim.shards import Shard
from sim.workers import Job, Rows, play_beside
from strategies.registry import DEFAULT

_SEED: Final = 0
_TURNS: Final = (ROW_COLUMNS.index("turns_a"), ROW_COLUMNS.index("turns_b"))
_DECISIONS: Final = ROW_COLUMNS.index("decisions")
#: How many shards each worker gets while all cores are measured: the more, the less it matters that
#: they do not end together.
_SHARDS_A_WORKER: Final = 20
#: What a first and a warm run are measured with.
_PROBE_DUELS: Final = 1_000


@dataclass(frozen=True)
class Standard:
    """The standard decks against one another as one job: each deck against the next one.

    Shards of one size go through the matchups in turn.
    """

    jobs: tuple[Job, ...]

    def play(self, first: int, count: int) -> Rows:
        """Play one shard, of the matchup that is its turn."""
        return self.jobs[first // count % len(self.jobs)].play(first, count)


@dataclass(frozen=True)
class Speed:
    """What was played in how many seconds."""

    duels: int
    turns: int
    decisions: int
    seconds: float

    def rates(self, where: str) -> dict[str, float]:
        """Duels, turns and decisions per second, by name."""
        return {
            f"duels_per_second_{where}": self.duels / self.seconds,
            f"turns_per_second_{where}": self.turns / self.seconds,
            f"decisions_per_second_{where}": self.decisions / self.seconds,
        }


def bench(
    strategies: Sequence[str], seconds: float, workers: int, say: Callable[[str], None]
) -> dict[str, Any]:
    """Measure everything; a dict that `json.dumps` takes.

    Parameters
    ----------
    strategies
        Names; both sides play alike.
    seconds
        How long each measurement of a strategy shall take.
    workers
        How many processes "all cores" are.
    say
        Is told what is being measured.

    Raises
    ------
    InputError
        A strategy is unknown.
    """
    jobs = {name: _standard(name) for name in strategies}
    rows = []
    for name, job in jobs.items():
        say(f"{name}: one core")
        one = measure_core(job, seconds)
        say(f"{name}: {workers} cores")
        every = measure_cores(job, one, seconds, workers)
        rows.append(
            {
                "strategy": name,
                **one.rates("core"),
                "ns_per_turn": 1e9 * one.seconds / one.turns,
                "ns_per_decision": 1e9 * one.seconds / one.decisions,
                "turns_per_duel": one.turns / one.duels,
                "decisions_per_duel": one.decisions / one.duels,
                **every.rates("all"),
            }
        )
    say("a first run, with nothing compiled, and a warm one")
    return {"strategies": rows, "workers": workers, **measure_start(DEFAULT)}


def measure_core(job: Job, seconds: float) -> Speed:
    """Play in this process for about so many seconds."""
    job.play(0, 16)  # the first duels of a process are slower
    size, first, played = 16, 0, 0.0
    total = np.zeros(3, dtype=np.int64)
    while played < seconds:
        begun = time.perf_counter()
        rows = job.play(first, size)
        took = time.perf_counter() - begun
        total += _sums(rows)
        played += took
        first += size
        # Seven matchups at least, and none long enough to miss the end by much.
        if took < seconds / 50 and first % (7 * size) == 0:
            size, first = 2 * size, 0
    return _speed(total, played)


def measure_cores(job: Job, one: Speed, seconds: float, workers: int) -> Speed:
    """Play in worker processes for about so many seconds, from the first result to the last."""
    count = workers * _SHARDS_A_WORKER
    size = max(2, int(seconds * workers * one.duels / one.seconds / count) // 2 * 2)
    shards = (Shard(number * size, size) for number in range(count + workers))
    total = np.zeros(3, dtype=np.int64)
    begun = ended = 0.0
    for number, (_, rows) in enumerate(play_beside(job, shards, workers)):
        ended = time.perf_counter()
        # Each worker's first shard waits for its start; the clock runs from there.
        if number < workers:
            begun = ended
        else:
            total += _sums(rows)
    return _speed(total, ended - begun)


def measure_start(strategy: str) -> dict[str, float | None]:
    """A run in a fresh process, first with an empty cache folder, then with a full one.

    Returns
    -------
    dict
        `compile_seconds`; `warm_start_seconds`, until the first duel could be played, and
        `warm_1000_seconds`, a whole run; `peak_memory_mb` of that warm run, None where the system
        does not tell.
    """
    with tempfile.TemporaryDirectory(prefix="duel-sim-bench-") as cache:
        first, _ = _probe(strategy, cache)
        warm, whole = _probe(strategy, cache)
    return {
        "compile_seconds": first["ready_seconds"],
        "warm_start_seconds": warm["start_seconds"],
        f"warm_{_PROBE_DUELS}_seconds": whole,
        "peak_memory_mb": warm["peak_memory_mb"],
        "peak_memory_compiling_mb": first["peak_memory_mb"],
    }


def probe(strategy: str, began: float) -> None:
    """What a process does that is measured: play a short run and print about itself.

    began: when the process was started, seconds as `time.time` counts them.
    """
    setup = _setup(strategy, "rome", "sparta")
    ready_seconds = make_ready(setup.job.entries())
    start_seconds = time.time() - began
    result = api.matchup("rome", "sparta", _PROBE_DUELS, strategy=strategy, seed=_SEED, workers=1)
    result.to_json()
    about = {
        "ready_seconds": ready_seconds,
        "start_seconds": start_seconds,
        "peak_memory_mb": peak_memory_mb(),
    }
    print(json.dumps(about))


def peak_memory_mb() -> float | None:
    """The most memory that this process has had at once, MB; None where nobody tells."""
    status = Path("/proc/self/status")
    if status.exists():
        # Linux: what `getrusage` tells can be the parent's, from before the program was started.
        found = re.search(r"^VmHWM:\s+(\d+) kB", status.read_text(encoding="utf-8"), re.MULTILINE)
        if found is not None:
            return int(found[1]) * 1024 / 1e6
    try:
        import resource
    except ImportError:  # Windows
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def _probe(strategy: str, cache: str) -> tuple[dict[str, Any], float]:
    """What a probe prints, and how long its process took, seconds."""
    top = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, (top, os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "DUEL_SIM_CACHE": cache, "PYTHONPATH": path}
    began = time.time()
    code = f"from sim.bench import probe; probe({strategy!r}, {began!r})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    whole = time.time() - began
    if done.returncode:
        raise RuntimeError(f"a measured run failed:\n{done.stderr}")
    return json.loads(done.stdout), whole


def _setup(strategy: str, a: str, b: str) -> api.Setup:
    return api.prepare(a, b, strategy_a=strategy, strategy_b=strategy, seed=_SEED)


def _standard(strategy: str) -> Standard:
    """The job of the standard decks, compiled."""
    decks = [faction.id for faction in card_set().factions]
    setups = [_setup(strategy, a, b) for a, b in _neighbours(decks)]
    make_ready(setups[0].job.entries())
    return Standard(tuple(setup.job for setup in setups))


def _neighbours(decks: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield from zip(decks, [*decks[1:], decks[0]], strict=True)


def _sums(rows: Rows) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Duels, turns of both sides, decisions."""
    turns = int(rows[:, _TURNS].sum())
    return np.array([len(rows), turns, int(rows[:, _DECISIONS].sum())], dtype=np.int64)


def _speed(total: np.ndarray[Any, np.dtype[np.int64]], seconds: float) -> Speed:
    duels, turns, decisions = (int(number) for number in total)
    return Speed(duels, turns, decisions, seconds)
