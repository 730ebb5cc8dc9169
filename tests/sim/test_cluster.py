"""A run on a Dask cluster: a real scheduler, and real workers, some of which are killed."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from test_worker_processes import Counting

import sim
from cards.errors import InputError
from sim import cluster
from sim.cli import main
from sim.shards import Shard, cut
from sim.workers import WorkerLost
from strategies.finder import Finder

TOP = Path(sim.__file__).resolve().parents[1]
N = 20_001
#: Nothing here takes so long, seconds: a test fails rather than hangs.
PATIENCE = 60.0
FIRST = "def choose(view):\n    return view.options[0]\n"


class Machines:
    """A scheduler and workers, started by the stock commands."""

    def __init__(self, stack: ExitStack, folder: Path, failures: int = 3) -> None:
        self._stack = stack
        self._folder = folder
        file = folder / "scheduler.json"
        arguments = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        setting = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(failures)}
        self.scheduler = self._start("scheduler", *arguments, environment=setting)
        self.address = str(json.loads(_awaited(lambda: file.read_text()))["address"])
        self.workers: list[subprocess.Popen[bytes]] = []

    def add_workers(self, *threads: int, top: Path = TOP) -> None:
        """Start workers of so many threads each, in another folder."""
        for count in threads:
            arguments = (self.address, "--nthreads", str(count), "--no-nanny")
            self.workers.append(self._start("worker", *arguments, top=top))

    def _start(
        self,
        what: str,
        *arguments: str,
        top: Path = TOP,
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> subprocess.Popen[bytes]:
        path = f"{top}{os.pathsep}{Path(__file__).parent}"
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", what, *arguments, "--no-dashboard"],
            env={**os.environ, "PYTHONPATH": path, **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
        )
        self._stack.callback(_end, process)
        return process


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _awaited(look: Callable[[], Any]) -> Any:
    """What `look` returns as soon as it is something."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            found = look()
        except FileNotFoundError:
            found = None
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError("waited in vain")


@contextmanager
def _machines(folder: Path, failures: int = 3) -> Iterator[Machines]:
    with ExitStack() as stack:
        try:
            yield Machines(stack, folder, failures)
        finally:
            cluster.close()


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """A cluster that nobody harms, of a worker with one thread and one with two."""
    with _machines(tmp_path_factory.mktemp("steady")) as machines:
        machines.add_workers(1, 2)
        _both_there(machines)
        yield machines


def _both_there(machines: Machines) -> cluster.Cluster:
    """The cluster, when it has all its workers."""
    found = cluster.connected(machines.address)
    found.client.wait_for_workers(len(machines.workers), timeout=PATIENCE)
    return found


def _play(**settings: Any) -> sim.Matchup:
    return sim.matchup("rome", "sparta", N, seed=3, keep_duels=True, **settings)


def _digest(result: sim.Matchup) -> str:
    """Hash of the frame of all duels, and of what is told of them."""
    assert result.duels is not None
    told = result.to_json()
    del told["duels_per_second"]
    text = result.duels.sort("duel").write_csv() + json.dumps(told)
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture(scope="module")
def wanted() -> str:
    """The digest of the run in this process."""
    return _digest(_play(workers=1))


# --- the same result ------------------------------------------------------------------------------
def test_two_workers(wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.workers.WORTH_A_PROCESS", 0.0)
    assert _digest(_play(workers=2)) == wanted


def test_on_the_cluster(wanted: str, steady: Machines) -> None:
    assert _digest(_play(cluster=steady.address)) == wanted


def test_stopped_and_resumed_on_the_cluster(wanted: str, steady: Machines, tmp_path: Path) -> None:
    def stop(done: int) -> None:
        if done > 4_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _play(cluster=steady.address, out=tmp_path, progress=stop)
    kept = set(tmp_path.glob("*.parquet"))
    assert kept
    seen: list[int] = []
    assert (
        _digest(_play(cluster=steady.address, out=tmp_path, resume=True, progress=seen.append))
        == wanted
    )
    assert kept < set(tmp_path.glob("*.parquet"))
    assert _digest(_play(workers=1, out=tmp_path, resume=True)) == wanted
    client = cluster.connected(steady.address).client
    _awaited(lambda: not client.run_on_scheduler(_tasks))


def _tasks(dask_scheduler: Any) -> int:
    return len(dask_scheduler.tasks)


def test_a_killed_worker_changes_nothing(wanted: str, tmp_path: Path) -> None:
    with _machines(tmp_path) as machines:
        machines.add_workers(1, 1)
        client = _both_there(machines).client
        victim = machines.workers[0]
        pids = client.run(os.getpid)
        (address,) = [each for each, pid in pids.items() if pid == victim.pid]
        lost: list[Any] = []

        def kill(done: int) -> None:
            if lost or done < 1_000:
                return
            victim.send_signal(signal.SIGSTOP)  # so that it still has what it is seen to have
            tasks = [key for key in client.processing([address])[address] if key[0] != "job"]
            if tasks:
                lost.extend([done, tasks])
                victim.kill()
            else:
                victim.send_signal(signal.SIGCONT)

        assert _digest(_play(cluster=machines.address, progress=kill)) == wanted
        assert lost and lost[0] < N
        assert victim.wait(PATIENCE) == -signal.SIGKILL
        assert address not in client.nthreads()


def test_the_source_of_a_strategy_goes_along(
    steady: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers live in another folder, where there is no such file."""
    (tmp_path / "mine.py").write_text(FIRST)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sim.workers.PILOTS", (2,))
    run: dict[str, Any] = {"n": 12, "seed": 1, "strategy": "mine.py", "keep_duels": True}
    one = sim.matchup("rome", "egypt", workers=1, **run)
    other = sim.matchup("rome", "egypt", cluster=steady.address, **run)
    assert one.duels is not None and other.duels is not None
    assert one.duels.equals(other.duels.sort("duel"))


def test_a_strategy_without_its_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FIRST)
    finder = Finder()
    name = finder.add(str(file))
    packed = pickle.dumps(finder)
    file.unlink()
    there = pickle.loads(packed)
    assert there(name).choose.function.__code__.co_filename == str(file)
    assert there.is_plain and not Finder().is_plain


@pytest.mark.parametrize(
    "arguments",
    [
        ("matrix", "--decks", "rome,egypt", "-n", 300),
        ("sensitivity", "rome", "--against", "egypt", "-n", 40),
        ("rulings", "--decks", "rome,egypt", "-n", 100),
        ("compare", "rome", "sparta", "-n", 1400),
        ("tournament", "random", "greedy", "--decks", "rome", "-n", 300),
        ("matchup", "rome", "egypt", "-n", 300, "--set", "rule.hand_limit=6"),
    ],
)
def test_every_command(
    steady: Machines, capsys: pytest.CaptureFixture[str], arguments: Sequence[object]
) -> None:
    def printed(*who: object) -> str:
        assert main([str(each) for each in (*arguments, "--seed", 7, "--json", *who)]) == 0
        lines = capsys.readouterr().out.splitlines()
        return "\n".join(line for line in lines if "duels_per_second" not in line)

    assert printed("--cluster", steady.address) == printed("--workers", 1)


def test_one_started_here(tmp_path: Path) -> None:
    """As users do; by way of a script without a main guard, too."""
    script = tmp_path / "script.py"
    script.write_text(
        "import sim\n"
        "print('begun')\n"
        "found = sim.matchup('rome', 'sparta', 20_001, seed=3, cluster='local', workers=2)\n"
        "print(found.summary.win_rate_a.wins)\n"
    )
    command = ("matchup", "rome", "sparta", "-n", "20_001", "--seed", "3", "--json")
    one = _process("-m", "sim", *command, "--cluster", "local", "--workers", "2")
    assert _notes(one) == []
    told = json.loads(one.stdout)
    assert told["duels"] == N
    other = json.loads(_process("-m", "sim", *command, "--workers", "1").stdout)
    del told["duels_per_second"], other["duels_per_second"]
    assert told == other
    scripted = _process(str(script))
    assert _notes(scripted) == []
    assert scripted.stdout.split() == ["begun", str(round(told["win_rate_a"] * N))]


def _notes(done: subprocess.CompletedProcess[str]) -> list[str]:
    """What was said on stderr, but for waiting: this machine may be slow."""
    waiting = "duel-sim: waiting for the cluster"
    return [line for line in done.stderr.splitlines() if not line.startswith(waiting)]


def _process(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": str(TOP)},
    )


# --- what goes wrong ------------------------------------------------------------------------------
def test_a_shard_that_kills_every_worker(tmp_path: Path) -> None:
    with _machines(tmp_path, failures=1) as machines:
        machines.add_workers(1, 1, 1)
        job = Counting(deadly=(33,), memory=tmp_path, often=True)
        pool = _both_there(machines).pool(job)
        with pytest.raises(
            WorkerLost, match=r"2 worker processes died at duels 20 to 39 \(of the cluster"
        ):
            list(pool.play(cut([Shard(0, 200)], 20)))


def test_all_workers_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "WORKERLESS", 1.0)
    with _machines(tmp_path) as machines:
        machines.add_workers(1)
        played = _both_there(machines).pool(Counting(seconds=0.01)).play(cut([Shard(0, 400)], 20))
        next(played)
        machines.workers[0].kill()
        with pytest.raises(cluster.ClusterLost, match="has lost all workers"):
            list(played)


def test_the_scheduler_gone(wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    with _machines(tmp_path) as machines:
        machines.add_workers(1)

        def kill(done: int) -> None:
            if done > 1_000:
                machines.scheduler.kill()

        with pytest.raises(cluster.ClusterLost, match="lost the scheduler"):
            _play(cluster=machines.address, out=out, progress=kill)
        monkeypatch.setattr(cluster, "PATIENCE", 1.0)
        with pytest.raises(InputError, match="cannot be reached"):  # not the old connection
            _play(cluster=machines.address, out=out, resume=True)
    assert list(out.glob("*.parquet"))
    assert _digest(_play(workers=1, out=out, resume=True)) == wanted


def test_an_error_of_a_job(steady: Machines) -> None:
    pool = cluster.connected(steady.address).pool(Counting(wrong=33))
    with pytest.raises(ValueError, match="duel 33 cannot be played"):
        list(pool.play(cut([Shard(0, 200)], 20)))


def test_another_version(tmp_path: Path) -> None:
    """The same sources, but for one line."""
    other = tmp_path / "other"
    for room in ("cards", "sim", "strategies", "reports"):
        shutil.copytree(TOP / room, other / room, ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "sim" / "shards.py").open("a") as file:
        file.write("\n# changed\n")
    with _machines(tmp_path) as machines:
        machines.add_workers(1, top=other)
        with pytest.raises(InputError) as raised:
            _play(cluster=machines.address)
    assert str(raised.value).startswith("worker tcp://127.0.0.1:")
    assert "has duel-sim's source" in str(raised.value)


def test_a_machine_without_duel_sim() -> None:
    """What Dask brings back from there in the place of an answer."""
    with pytest.raises(InputError, match="worker tcp://a:1: has no duel-sim"):
        cluster.check_machine("worker tcp://a:1", ModuleNotFoundError("No module named 'sim'"))


def test_a_worker_of_another_version_that_comes_later(
    steady: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = cluster.connected(steady.address)
    monkeypatch.setattr(cluster, "versions", lambda: {"numba": "0.1"})
    with pytest.raises(InputError, match=r"worker tcp://.* has numba .* but here it is 0\.1"):
        list(found.pool(Counting()).play([Shard(0, 20)]))


def test_no_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1.0)
    with _machines(tmp_path) as machines, pytest.raises(InputError, match="has no workers"):
        _play(cluster=machines.address)


def _no_scheduler() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{free.getsockname()[1]}"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--cluster", _no_scheduler()), "cannot be reached"),
        (("--cluster", "somewhere"), "'somewhere' is no address of a cluster; tcp://HOST:8786"),
        (("--cluster", "tcp://somewhere"), "no address of a cluster"),
        (("--cluster", "tcp://a:8786", "--workers", "2"), "--workers does not go with"),
        (("--cluster", "local", "--workers", "0"), "the number of workers is 0"),
    ],
)
def test_no_such_cluster(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: Sequence[str],
    words: str,
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1.0)
    assert main(["matchup", "rome", "sparta", "-n", "10", *arguments]) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1 and words in line


def test_something_else_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1.0)
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        with pytest.raises(InputError, match="no answer"):
            cluster.connected(f"tcp://127.0.0.1:{mute.getsockname()[1]}")


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"pip install 'duel-sim\[cluster\]'"):
        cluster.connected("tcp://127.0.0.1:1")
