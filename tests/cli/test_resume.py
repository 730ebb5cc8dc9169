"""Runs that are killed, stopped or refused room on disk, and go on as if nothing had been."""

from __future__ import annotations

import contextlib
import json
import random
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sim
from cards.errors import InputError
from sim.replay import replay_command

proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")

#: A command in a process of its own, with shards that are small whatever the speed.
DRIVER = """
import sys
import sim.workers
sim.workers.LARGEST_SHARD = 200
sim.workers.WORTH_A_PROCESS = 0.0
from sim.cli import main
sys.exit(main(sys.argv[1:]))
"""

COMMANDS = {
    "matchup": ("matchup", "rome", "sparta", "-n", 6_000),
    "until": ("matchup", "rome", "sparta", "--until", 1.5),
    "patched": ("matchup", "rome", "sparta", "--set", "rule.starting_lp=15", "-n", 2_000),
    "matrix": ("matrix", "--decks", "rome,sparta", "-n", 2_000),
    "compare": ("compare", "rome", "rome-testudo-wall", "--against", "sparta,egypt", "-n", 3_000),
    "rulings": ("rulings", "--decks", "rome,sparta", "--alternative", "unit_zones=3", "-n", 3_000),
    "sensitivity": ("sensitivity", "rome", "--against", "sparta", "-n", 200),
}


@pytest.fixture
def started(
    environment: Callable[..., dict[str, str]],
) -> Callable[..., contextlib.AbstractContextManager[subprocess.Popen[str]]]:
    """Start a command with small shards; it is killed at the end, if it is still there."""

    @contextlib.contextmanager
    def start(*arguments: object, **options: Any) -> Iterator[subprocess.Popen[str]]:
        with subprocess.Popen(
            [sys.executable, "-c", DRIVER, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            **options,
        ) as program:
            try:
                yield program
            finally:
                program.kill()

    return start


def _shards(folder: Path) -> int:
    return sum(1 for file in folder.rglob("*.parquet") if file.stem.count("-") >= 3)


def _wait_for(condition: Callable[[], bool], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited for too long"
        time.sleep(0.01)


def _children(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(stat.parent.name))
    return found


def _kill_after(
    program: subprocess.Popen[str], folder: Path, more_shards: int, seconds: float
) -> None:
    """Kill a run so many shards and seconds later; its workers end by themselves."""
    enough = _shards(folder) + more_shards
    _wait_for(lambda: _shards(folder) >= enough or program.poll() is not None)
    assert program.poll() is None, program.communicate()
    time.sleep(seconds)
    workers = _children(program.pid)
    program.kill()
    _wait_for(lambda: not any(map(_is_running, workers)), 20)


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _without_speed(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_speed(v) for k, v in value.items() if k != "duels_per_second"}
    return [_without_speed(each) for each in value] if isinstance(value, list) else value


def _result(outcome: Any) -> Any:
    assert outcome.code == 0, outcome.err
    return _without_speed(json.loads(outcome.out))


@proc
@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_run_goes_on_to_the_same_result(
    duel_sim: Callable[..., Any],
    started: Callable[..., Any],
    tmp_path: Path,
    name: str,
) -> None:
    """Killed at any moment, the first time without a seed of its own."""
    folder = tmp_path / "run"
    kept = ("--strategy", "random", "--out", folder, "--resume", "--json")
    moments = random.Random(name)
    for _ in range(3 if name == "matchup" else 1):
        with started(*COMMANDS[name], *kept, "--workers", 2) as program:
            _kill_after(program, folder, moments.randint(2, 6), moments.random() / 20)
    found = _result(duel_sim(*COMMANDS[name], *kept, "--workers", 1))
    seed = json.loads((folder / "manifest.json").read_text())["seed"]
    assert found["seed"] == seed if "seed" in found else True
    whole = duel_sim(
        *COMMANDS[name], "--strategy", "random", "--seed", seed, "--workers", 1, "--json"
    )
    assert found == _result(whole)
    assert not list(folder.rglob(".*"))


def test_a_tournament_and_every_strategy_go_on(
    duel_sim: Callable[..., Any], tmp_path: Path
) -> None:
    both = {
        "tournament": ("tournament", "random", "greedy", "--decks", "rome,dacia"),
        "all": ("matchup", "rome", "dacia", "--strategy", "all"),
    }
    for name, command in both.items():
        kept = ("--out", tmp_path / name, "--json")
        first = _result(duel_sim(*command, "-n", 6, *kept))
        refused = duel_sim(*command, "-n", 6, *kept)
        assert refused.code == 2 and "add --resume" in refused.err
        assert _result(duel_sim(*command, "-n", 6, *kept, "--resume")) == first
        more = _result(duel_sim(*command, "-n", 12, *kept, "--resume"))
        seed = json.loads((tmp_path / name / "manifest.json").read_text())["seed"]
        assert more == _result(duel_sim(*command, "-n", 12, "--seed", seed, "--json"))


def test_tables_are_refused_over_another_run(duel_sim: Callable[..., Any], tmp_path: Path) -> None:
    rulings = ("rulings", "--decks", "rome,sparta", "--alternative", "unit_zones=3")
    kept = ("--out", tmp_path, "--strategy", "random")
    assert duel_sim(*rulings, "-n", 20, *kept).code == 0
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    for command, words in (
        ((*rulings, "-n", 20), "holds this run already (20 of 20 duels); add --resume"),
        ((*rulings, "-n", 20, "--resume", "--seed", 1), "holds another run (seed "),
        (("matrix", "--resume"), "holds another run (command rulings there, matrix here)"),
        (("sensitivity", "rome", "--resume"), "holds another run"),
        (("matchup", "rome", "sparta", "--resume"), "holds another run"),
    ):
        outcome = duel_sim(*command, *kept)
        assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert words in outcome.err
    damaged = max(tmp_path.rglob("answers-*.parquet"))
    damaged.write_bytes(before[damaged][:-1])
    assert "is damaged" in duel_sim(*rulings, "-n", 20, *kept, "--resume").err
    damaged.write_bytes(before[damaged])
    assert before == {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}


def test_resume_needs_a_folder(duel_sim: Callable[..., Any]) -> None:
    for command in COMMANDS.values():
        outcome = duel_sim(*command, "--resume")
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err == (
            "duel-sim: error: --resume is for a run that is kept; add --out DIR\n"
        )


@proc
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_signals_end_a_run_in_order(
    started: Callable[..., Any], tmp_path: Path, number: int, code: int
) -> None:
    kept = ("-n", 10**6, "--strategy", "random", "--out", tmp_path / "run", "--workers", 2)
    with started("matchup", "rome", "sparta", *kept) as program:
        _wait_for(lambda: _shards(tmp_path) > 4)
        workers = _children(program.pid)
        program.send_signal(number)
        out, err = program.communicate(timeout=60)
    assert (program.returncode, out) == (code, "")
    assert err == (
        f"duel-sim: error: stopped; {tmp_path / 'run'} has what is finished, "
        "the same command with --resume goes on from there\n"
    )
    assert len(workers) >= 2
    _wait_for(lambda: not any(map(_is_running, workers)), 20)
    assert not list((tmp_path / "run").glob(".*"))


@proc
def test_workers_end_with_a_killed_parent_in_the_middle_of_a_shard(
    environment: Callable[..., dict[str, str]],
) -> None:
    code = """
import sys
sys.path.insert(0, sys.argv[1])
from test_worker_processes import Counting
from sim.shards import Shard, cut
from sim.workers import play_beside
for _ in play_beside(Counting(seconds=100.0), [Shard(0, 2), Shard(2, 2)], 2):
    pass
"""
    folder = Path(__file__).resolve().parents[1] / "sim"
    with subprocess.Popen([sys.executable, "-c", code, str(folder)], env=environment()) as program:
        _wait_for(lambda: len(_children(program.pid)) >= 3)  # with multiprocess's own helper
        time.sleep(1.0)  # they have begun
        workers = _children(program.pid)
        program.kill()
    _wait_for(lambda: not any(map(_is_running, workers)), 20)


def _limited(size: int) -> Callable[[], None]:
    """No file may become larger: what is written is cut short there, as on a full disk."""
    resource = pytest.importorskip("resource")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@pytest.mark.parametrize(
    ("option", "place", "rest"),
    [
        ("--out", "run/duels-", "has what is finished"),
        ("--chart", "chart.svg", ""),
    ],
)
def test_a_full_disk_is_told(
    duel_sim: Callable[..., Any],
    started: Callable[..., Any],
    tmp_path: Path,
    option: str,
    place: str,
    rest: str,
) -> None:
    command = ("matchup", "rome", "sparta", "-n", 4_000, "--strategy", "random", "--seed", 3)
    target = tmp_path / ("chart.svg" if option == "--chart" else "run")
    kept = (option, target)
    assert duel_sim(*command, "--workers", 1).code == 0  # nothing is to be compiled later
    # the first duels' shard is small, the ones that follow are not
    limit = _limited(4_000)
    with started(*command, *kept, "--workers", 1, preexec_fn=limit) as program:
        out, err = program.communicate(timeout=120)
    assert program.returncode == 1
    assert err.startswith(f"duel-sim: error: {tmp_path / place}")
    assert ": cannot be written (File too large)" in err
    assert rest in err
    assert err.count("\n") == 1
    whole = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert all(file.name == "manifest.json" or file.suffix == ".parquet" for file in whole)
    if option == "--chart":
        assert not whole and "Rome against Sparta" in out  # the result is told all the same
        return
    assert out == "" and 1 <= _shards(target) < 20
    found = _result(duel_sim(*command, *kept, "--resume", "--json"))
    assert found == _result(duel_sim(*command, "--json"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_results_that_cannot_be_printed(
    environment: Callable[..., dict[str, str]], form: tuple[str, ...]
) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "sim", "matchup", "rome", "sparta", "-n", "20", *form],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            check=False,
        )
    assert (done.returncode, done.stderr) == (
        1,
        "duel-sim: error: the results cannot be written (No space left on device)\n",
    )


DEADLY = """
import os
import signal
import multiprocess


def choose(view):
    if multiprocess.parent_process() is not None and view.enemy.lp < 12:
        os.kill(os.getpid(), signal.SIGKILL)
    return view.options[0]
"""


def test_lost_workers_are_told_with_a_command_that_replays(
    duel_sim: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sim.workers.WORTH_A_PROCESS", 0.0)
    monkeypatch.setattr("sim.workers.LARGEST_SHARD", 10)
    Path("deadly.py").write_text(DEADLY)
    settings = ("--strategy-a", "deadly.py", "--strategy-b", "random", "--rule", "hand_limit=6")
    command = ("matchup", "rome", "sparta", "-n", 200, "--seed", 9, *settings, "--workers", 2)
    outcome = duel_sim(*command, "--out", "run")
    assert (outcome.code, outcome.out) == (1, "")
    assert "3 worker processes died at duels " in outcome.err
    assert "of Rome against Sparta (signal 9" in outcome.err
    assert "; run has what is finished, the same command with --resume" in outcome.err
    line = outcome.err.partition("to play just these here: ")[2].partition(";")[0]
    words = shlex.split(line)
    assert words[:4] == ["duel-sim", "matchup", "rome", "sparta"]
    first, last = map(int, words[words.index("--duels") + 1].split("-"))
    assert f"died at duels {first} to {last} " in outcome.err
    replayed = _result(duel_sim(*words[1:], "--json"))
    assert (replayed["duels"], replayed["seed"]) == (last - first + 1, 9)
    # what was finished is there
    assert _shards(Path("run")) >= 2
    queued = duel_sim("matrix", "--decks", "rome,sparta", "--strategy", "deadly.py", "-n", 200)
    assert queued.code == 1 and "of Rome against Rome (signal 9" in queued.err
    numbers = queued.err.partition("died at duels ")[2].partition(" of ")[0].split(" to ")
    assert all(0 <= int(number) < 200 for number in numbers)


def test_some_duels_of_a_run_are_those_very_duels(duel_sim: Callable[..., Any]) -> None:
    run: dict[str, Any] = {"strategy": "random", "seed": 8, "rules": ["hand_limit=6"]}
    whole = sim.matchup("rome", "dacia", 300, keep_duels=True, **run).duels
    some = sim.matchup("rome", "dacia", 41, first=120, keep_duels=True, workers=1, **run).duels
    assert whole is not None and some is not None
    assert some.equals(whole.slice(120, 41))
    from sim.api import prepare
    from sim.shards import Shard

    setup = prepare("rome", "dacia", strategy_a="random", strategy_b="random", seed=8)
    command = replay_command(
        ("rome", "dacia"),
        Shard(120, 41),
        seed=8,
        strategies=("random", "random"),
        rules=setup.rules.model_copy(update={"hand_limit": 6}),
    )
    assert command == (
        "duel-sim matchup rome dacia --duels 120-160 --seed 8 --workers 1 "
        "--strategy random --rule hand_limit=6"
    )
    found = _result(duel_sim(*shlex.split(command)[1:], "--json"))
    assert (found["duels"], found["wins_a"]) == (41, int((some["winner"] == "a").sum()))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--duels", "3-4"), "begin with 2"),
        (("--duels", "4-3"), "the smaller number first"),
        (("--duels", "4"), "two numbers"),
        (("--duels", "4-9", "-n", "6"), "-n does not go with --duels"),
        (("--duels", "4-9", "--out", "x"), "--out does not go with --duels"),
        (("--duels", "4-9", "--until", "1"), "--until does not go with --duels"),
        (("--duels", "4-9", "--strategy", "all"), "--duels does not go with --strategy all"),
    ],
)
def test_duels_that_cannot_be_picked(
    duel_sim: Callable[..., Any], arguments: tuple[str, ...], words: str
) -> None:
    outcome = duel_sim("matchup", "rome", "sparta", *arguments)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert words in outcome.err


def test_a_part_of_a_run_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no run"):
        sim.matchup("rome", "sparta", 10, first=2, out=tmp_path)
