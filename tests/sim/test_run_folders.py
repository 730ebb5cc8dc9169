"""Runs that are kept in a folder: going on after an interruption, and what is refused."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
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
    # The seed of the folder's run is taken where none is given.
    again = sim.matchup("rome", "dacia", N, out=stopped, resume=True, strategy="random", workers=1)
    assert _same(whole, again)
    duels = pl.read_parquet(stopped / "*.parquet")
    assert sorted(duels["duel"].to_list()) == list(range(N))

    files = {file.name: file.stat().st_mtime_ns for file in stopped.iterdir()}
    finished = sim.matchup("rome", "dacia", N, out=stopped, resume=True, keep_duels=True, **RUN)
    assert _same(whole, finished)
    assert finished.summary.duels_per_second is None
    assert finished.duels is not None and len(finished.duels) == N
    assert files == {file.name: file.stat().st_mtime_ns for file in stopped.iterdir()}


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
    before = _folder(tmp_path)
    for resume in (False, True):
        with pytest.raises(InputError, match=f"{tmp_path}: holds another run") as raised:
            sim.matchup(**{**run, **change}, resume=resume)
        assert words in str(raised.value)
    assert _folder(tmp_path) == before


def _folder(path: Path) -> dict[str, bytes]:
    """Every file below a folder and what is in it."""
    files = (file for file in sorted(path.rglob("*")) if file.is_file())
    return {str(file.relative_to(path)): file.read_bytes() for file in files}


def _truncated(run: Path) -> None:
    file = max(run.glob("*.parquet"))
    file.write_bytes(file.read_bytes()[:100])


def _empty(run: Path) -> None:
    max(run.glob("*.parquet")).write_bytes(b"")


def _flipped(run: Path) -> None:
    """One bit, in the middle of the data."""
    file = max(run.glob("*.parquet"))
    data = bytearray(file.read_bytes())
    data[len(data) // 3] ^= 4
    file.write_bytes(bytes(data))


def _another_count(run: Path) -> None:
    file = min(run.glob("*.parquet"))
    file.rename(file.with_name(file.name.replace("-16-", "-8-")))


def _another_place(run: Path) -> None:
    file = max(run.glob("*.parquet"))
    first = int(file.name.split("-")[1])
    file.rename(file.with_name(file.name.replace(f"{first:012d}", f"{first + 2:012d}")))


def _copied(run: Path) -> None:
    """A copy as a file manager names it would count its duels twice for who reads the folder."""
    file = max(run.glob("*.parquet"))
    shutil.copy(file, run / f"{file.stem} (1).parquet")


def _overlapping(run: Path) -> None:
    """The same run in two folders, cut in other ways, laid together."""
    other = run.parent / "other"
    sim.matchup("rome", "dacia", 90, out=other, **RUN)
    shutil.copy(max(other.glob("*.parquet")), run)
    shutil.rmtree(other)


def _from_another_run(run: Path) -> None:
    """Of the same shape, but for the seed."""
    other = run.parent / "other"
    sim.matchup("rome", "dacia", 100, out=other, **{**RUN, "seed": 22})
    file = max(run.glob("*.parquet"))
    (twin,) = other.glob(f"{file.name[:22]}*")
    file.unlink()
    shutil.copy(twin, run)
    shutil.rmtree(other)


def _other_rows(run: Path) -> None:
    """A shard that is whole in itself, with a duel that went another way."""
    file = max(run.glob("*.parquet"))
    pl.read_parquet(file).with_columns(lp_a=pl.lit(7, pl.Int32)).write_parquet(file)


def _no_manifest(run: Path) -> None:
    (run / "manifest.json").unlink()


def _no_json(run: Path) -> None:
    (run / "manifest.json").write_text("{")


def _empty_manifest(run: Path) -> None:
    (run / "manifest.json").write_text("")


def _no_table(run: Path) -> None:
    (run / "manifest.json").write_text("[]")


def _edited_manifest(run: Path) -> None:
    text = (run / "manifest.json").read_text()
    assert '"seed": 21' in text
    (run / "manifest.json").write_text(text.replace('"seed": 21', '"seed": 22'))


DAMAGES: list[tuple[Callable[[Path], None], str]] = [
    (_truncated, "is damaged"),
    (_empty, "is damaged"),
    (_flipped, "is damaged"),
    (_another_count, "is damaged"),
    (_another_place, "is damaged"),
    (_copied, "is no shard of this run"),
    (_overlapping, "are there more than once"),
    (_from_another_run, "belongs to another run"),
    (_other_rows, "is damaged"),
    (_no_manifest, "has duels but no manifest.json"),
    (_no_json, "cannot be read"),
    (_empty_manifest, "cannot be read"),
    (_no_table, "is no manifest"),
    (_edited_manifest, "was changed"),
]


@pytest.mark.parametrize(
    ("damage", "words"), DAMAGES, ids=[damage.__name__.strip("_") for damage, _ in DAMAGES]
)
@pytest.mark.parametrize("seed", [21, None])
def test_a_damaged_folder_is_refused_and_left_alone(
    tmp_path: Path, damage: Callable[[Path], None], words: str, seed: int | None
) -> None:
    run = tmp_path / "run"
    settings: dict[str, Any] = {**RUN, "out": run, "seed": seed}
    sim.matchup("rome", "dacia", 100, **{**settings, "seed": 21})
    damage(run)
    before = _folder(run)
    with pytest.raises(InputError, match=re.escape(words)) as raised:
        sim.matchup("rome", "dacia", 200, resume=True, **settings)
    assert "\n" not in str(raised.value)
    assert str(run) in str(raised.value)
    assert _folder(run) == before


def test_what_is_moved_away_is_played_again(tmp_path: Path) -> None:
    whole = sim.matchup("rome", "dacia", 100, out=tmp_path, **RUN)
    duels = pl.read_parquet(tmp_path / "*.parquet").sort("duel")
    _flipped(tmp_path)
    with pytest.raises(InputError, match="move it away, and its duels are played again"):
        sim.matchup("rome", "dacia", 100, out=tmp_path, resume=True, **RUN)
    max(tmp_path.glob("*.parquet")).unlink()
    assert _same(whole, sim.matchup("rome", "dacia", 100, out=tmp_path, resume=True, **RUN))
    assert pl.read_parquet(tmp_path / "*.parquet").sort("duel").equals(duels)


def test_stray_files_do_no_harm(tmp_path: Path) -> None:
    whole = sim.matchup("rome", "dacia", 100, out=tmp_path, **RUN)
    (tmp_path / "notes.txt").write_text("mine")
    # what a killed process had begun to write
    stray = tmp_path / ".duels-000000000100-64-0123456789abcdef.parquet.unfinished"
    stray.write_bytes(b"PAR1")
    more = sim.matchup("rome", "dacia", 200, out=tmp_path, resume=True, **RUN)
    assert _same(more, sim.matchup("rome", "dacia", 200, **RUN))
    assert _same(whole, sim.matchup("rome", "dacia", 100, out=tmp_path, resume=True, **RUN))
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert not stray.exists()


def test_without_resume_a_run_that_is_there_is_left_alone(tmp_path: Path) -> None:
    sim.matchup("rome", "dacia", 100, out=tmp_path, **RUN)
    before = _folder(tmp_path)
    for seed in (21, None):
        with pytest.raises(InputError, match=r"holds this run already \(100 of 100 duels\); add"):
            sim.matchup("rome", "dacia", 100, out=tmp_path, **{**RUN, "seed": seed})
    assert _folder(tmp_path) == before
    with pytest.raises(InputError, match="--resume is for a run that is kept"):
        sim.matchup("rome", "dacia", 100, resume=True, **RUN)


def test_an_unseeded_run_goes_on_with_its_seed(tmp_path: Path) -> None:
    drawn = {**RUN, "seed": None, "out": tmp_path, "resume": True}
    first = sim.matchup("rome", "dacia", 80, **drawn)
    more = sim.matchup("rome", "dacia", 160, **drawn)
    assert more.summary.seed == first.summary.seed
    whole = sim.matchup("rome", "dacia", 160, **{**RUN, "seed": first.summary.seed})
    assert _same(more, whole)


def test_another_program_or_other_cards_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run: dict[str, Any] = {"a": "rome", "b": "dacia", "n": 10, "resume": True, **RUN}
    out = tmp_path / "run"
    sim.matchup(**run, out=out)
    text = Path("cards/ancient_duel/rome.toml")
    cards = Path(sim.__file__).resolve().parents[1] / text
    changed = tmp_path / "rome.toml"
    changed.write_text(cards.read_text(encoding="utf-8").replace("atk = 5", "atk = 6", 1))
    with pytest.raises(InputError, match="other cards"):
        sim.matchup(**run, out=out, cards=[changed])
    with monkeypatch.context() as patch:
        patch.setattr("sim.__version__", "9.9")
        with pytest.raises(InputError, match=r"version 0\.\d+\.\d+ there, 9\.9 here"):
            sim.matchup(**run, out=out)
    monkeypatch.setattr("sim.run_identity.source_hash", lambda _: "another")
    with pytest.raises(InputError, match="another version of the program"):
        sim.matchup(**run, out=out)


def test_a_strategy_that_was_edited_is_another_run(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def choose(view):\n    return view.options[0]\n")
    out = tmp_path / "run"
    run: dict[str, Any] = {
        "strategy": str(file),
        "seed": 1,
        "workers": 1,
        "out": out,
        "resume": True,
    }
    sim.matchup("rome", "dacia", 2, **run)
    file.write_text("def choose(view):\n    return view.options[-1]\n")
    with pytest.raises(InputError, match="of a strategy"):
        sim.matchup("rome", "dacia", 2, **run)


def test_one_process_at_a_time(tmp_path: Path) -> None:
    out = tmp_path / "run"
    refused: list[str] = []

    def second(_: int) -> None:
        with pytest.raises(InputError, match="another process is writing there") as raised:
            sim.matchup("rome", "dacia", 500, out=out, resume=True, **RUN)
        refused.append(str(raised.value))

    whole = sim.matchup("rome", "dacia", 500, out=out, progress=second, **RUN)
    assert refused
    assert _same(whole, sim.matchup("rome", "dacia", 500, out=out, resume=True, **RUN))


def test_the_lock_of_a_killed_process_is_gone(tmp_path: Path) -> None:
    code = f"""
import os, signal
from pathlib import Path
from sim.run_folder import RunFolder
folder = RunFolder(Path({str(tmp_path)!r}), True)
print("there", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    top = Path(sim.__file__).resolve().parents[1]
    environment = {**os.environ, "PYTHONPATH": str(top)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, b"there\n")
    assert (tmp_path / ".lock").exists()
    sim.matchup("rome", "dacia", 10, out=tmp_path, **RUN)
    assert not (tmp_path / ".lock").exists()


def test_places_that_cannot_be_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    for place, words in ((file, "is a file"), (file / "below", "cannot be written")):
        with pytest.raises(InputError, match=words):
            sim.matchup("rome", "dacia", 10, out=place, **RUN)
    assert file.read_text() == "mine"


@pytest.mark.parametrize(("first", "more"), [(100, 400), (101, 400), (101, 103), (1, 2)])
def test_more_duels_are_added_to_a_finished_run(tmp_path: Path, first: int, more: int) -> None:
    """Half a pair at the end of the shorter run is played again with its other half."""
    sim.matchup("rome", "dacia", first, out=tmp_path, **RUN)
    kept = {file: file.stat().st_mtime_ns for file in tmp_path.glob("*.parquet")}
    longer = sim.matchup("rome", "dacia", more, out=tmp_path, resume=True, **RUN)
    assert _same(longer, sim.matchup("rome", "dacia", more, **RUN))
    assert json.loads((tmp_path / "manifest.json").read_text())["duels"] == more
    assert kept == {file: file.stat().st_mtime_ns for file in kept}
    # And the shorter run is still there: nothing is played for it.
    shorter = sim.matchup("rome", "dacia", first, out=tmp_path, resume=True, **RUN)
    assert _same(shorter, sim.matchup("rome", "dacia", first, **RUN))
    assert shorter.summary.duels_per_second is None
