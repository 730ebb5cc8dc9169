"""Runs that are kept in a folder: going on after an interruption, and what is refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sim
from cards.errors import InputError

N = 1_001
RUN: dict[str, Any] = {"seed": 21, "strategy": "random", "workers": 1}


def _same(one: sim.Matchup, other: sim.Matchup) -> bool:
    same = one.to_json()
    twin = other.to_json()
    del same["duels_per_second"], twin["duels_per_second"]
    return same == twin and one.counts.equals(other.counts) and one.pairs.equals(other.pairs)


def test_a_run_goes_on_to_the_same_result(tmp_path: Path) -> None:
    whole = sim.matchup("rome", "dacia", N, **RUN)
    stopped = tmp_path / "run"

    def stop(done: int) -> None:
        if done > 70:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sim.matchup("rome", "dacia", N, out=stopped, progress=stop, **RUN)
    kept = len(pl.read_parquet(stopped / "*.parquet"))
    assert 0 < kept < N
    # The seed of the folder's run is taken where none is given: it is the same command.
    again = sim.matchup("rome", "dacia", N, out=stopped, strategy="random", workers=1)
    assert _same(whole, again)
    duels = pl.read_parquet(stopped / "*.parquet")
    assert sorted(duels["duel"].to_list()) == list(range(N))

    files = {file.name: file.stat().st_mtime_ns for file in stopped.iterdir()}
    finished = sim.matchup("rome", "dacia", N, out=stopped, keep_duels=True, **RUN)
    assert _same(whole, finished)
    assert finished.summary.duels_per_second is None
    assert finished.duels is not None and len(finished.duels) == N
    assert files == {file.name: file.stat().st_mtime_ns for file in stopped.iterdir()}


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    top = Path(sim.__file__).resolve().parents[1]
    n = 400_000
    arguments = ["matchup", "rome", "sparta", "-n", str(n), "--seed", "5", "--out", str(folder)]
    command = [sys.executable, "-m", "sim", *arguments, "--strategy", "random"]
    with subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": str(top)}, stderr=subprocess.DEVNULL
    ) as program:
        end = time.monotonic() + 120
        while len(list(folder.glob("*.parquet"))) < 4 and time.monotonic() < end:
            time.sleep(0.05)
        program.kill()
    assert program.returncode == -signal.SIGKILL
    kept = len(pl.read_parquet(folder / "*.parquet"))
    assert 0 < kept < n
    # What is left would take a while: a smaller run of the same folder's files shows the same.
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "duels": 3_000}))
    for file in folder.glob("*.parquet"):
        first, count = (int(part) for part in file.stem.split("-")[1:])
        if first + count > 3_000:
            file.unlink()
    run: dict[str, Any] = {**RUN, "seed": 5}
    again = sim.matchup("rome", "sparta", 3_000, out=folder, **run)
    assert _same(again, sim.matchup("rome", "sparta", 3_000, **run))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 22}, "seed 21 there, 22 here"),
        ({"strategy": "greedy"}, "strategy"),
        ({"rules": ["hand_limit=6"]}, "rules.hand_limit 5 there, 6 here"),
        ({"b": "egypt"}, "b Dacia there, Egypt here"),
    ],
)
def test_another_run_in_the_same_folder_is_refused(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    run: dict[str, Any] = {"a": "rome", "b": "dacia", "n": 10, "out": tmp_path, **RUN}
    sim.matchup(**run)
    with pytest.raises(InputError, match=f"{tmp_path}: holds another run") as raised:
        sim.matchup(**{**run, **change})
    assert words in str(raised.value)


def test_damaged_folders(tmp_path: Path) -> None:
    def play() -> sim.Matchup:
        return sim.matchup("rome", "dacia", 100, out=tmp_path, **RUN)

    whole = play()
    file = min(tmp_path.glob("*.parquet"))
    good = file.read_bytes()
    file.write_bytes(good[:100])
    with pytest.raises(InputError, match="delete it"):
        play()
    file.write_bytes(good)
    file.rename(file.with_name("duels-000000000000-8.parquet"))
    with pytest.raises(InputError, match="does not hold the duels"):
        play()
    file.with_name("duels-000000000000-8.parquet").unlink()
    assert _same(whole, play())

    manifest = tmp_path / "manifest.json"
    text = manifest.read_text()
    manifest.write_text("{")
    with pytest.raises(InputError, match=r"manifest\.json: cannot be read"):
        play()
    manifest.write_text("[]")
    with pytest.raises(InputError, match="is no manifest"):
        play()
    manifest.unlink()
    with pytest.raises(InputError, match=r"has duels but no manifest\.json"):
        play()
    manifest.write_text(text)
    assert _same(whole, play())


@pytest.mark.parametrize(("first", "more"), [(100, 400), (101, 400), (101, 103), (1, 2)])
def test_more_duels_are_added_to_a_finished_run(tmp_path: Path, first: int, more: int) -> None:
    """Half a pair at the end of the shorter run is played again with its other half."""
    sim.matchup("rome", "dacia", first, out=tmp_path, **RUN)
    kept = {file: file.stat().st_mtime_ns for file in tmp_path.glob("*.parquet")}
    longer = sim.matchup("rome", "dacia", more, out=tmp_path, **RUN)
    assert _same(longer, sim.matchup("rome", "dacia", more, **RUN))
    assert json.loads((tmp_path / "manifest.json").read_text())["duels"] == more
    assert kept == {file: file.stat().st_mtime_ns for file in kept}
    # And the shorter run is still there: nothing is played for it.
    shorter = sim.matchup("rome", "dacia", first, out=tmp_path, **RUN)
    assert _same(shorter, sim.matchup("rome", "dacia", first, **RUN))
    assert shorter.summary.duels_per_second is None
