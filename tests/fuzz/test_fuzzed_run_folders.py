"""Folders of runs that somebody has changed: gone on with to their end, or refused by a line."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from bad_input import JUNK, check_line, fuzzed, mutated
from hypothesis import given
from hypothesis import strategies as st

import sim
from cards.errors import InputError
from sim.run_folder import read_manifest

N = 6


def play(out: Path, n: int, seed: int | None = None) -> sim.Matchup:
    return sim.matchup(
        "rome", "sparta", n, strategy="random", seed=seed, workers=1, out=out, resume=True
    )


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kept") / "run"
    play(folder, 4, seed=3)
    return folder


def go_on(folder: Path, *, damaged: bool) -> None:
    """Ask for more duels of the folder's run."""
    try:
        result = play(folder, N)
    except InputError as error:
        check_line(str(error))
        assert str(folder) in str(error)
    else:
        assert damaged or sum(result.counts["duels"]) == N


def changed(kept: Path, name: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "run"
        shutil.copytree(kept, folder)
        for file in folder.glob(name):
            file.write_bytes(data)
        go_on(folder, damaged=False)


VALUES = ["null", "[]", "{}", "{'", '"x"', "1e400", "NaN", "-1", "9" * 40, "true", *JUNK[:12]]


@fuzzed(40)
@given(data=st.data())
def test_changed_manifests(kept: Path, data: st.DataObject) -> None:
    text = (kept / "manifest.json").read_text(encoding="utf-8")
    new = data.draw(
        st.one_of(
            mutated([text], VALUES).map(lambda text: text.encode("utf-8", "replace")),
            st.binary(max_size=60),
            st.sampled_from([b"[" * 100_000, b'{"seed": ' * 9_999, b'{"seed": 1' + b"0" * 5_000]),
        )
    )
    changed(kept, "manifest.json", new)


@fuzzed(25)
@given(data=st.data())
def test_damaged_duels(kept: Path, data: st.DataObject) -> None:
    """Files of duels that were cut, or are something else."""
    file = next(kept.glob("duels-*.parquet"))
    whole = file.read_bytes()
    new = data.draw(
        st.one_of(
            st.integers(0, len(whole) - 1).map(lambda end: whole[:end]),
            st.binary(max_size=60).map(lambda junk: b"PAR1" + junk + b"PAR1"),
            st.binary(max_size=60),
        )
    )
    changed(kept, "duels-*.parquet", new)


@fuzzed(20)
@given(
    name=st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=20)
)
def test_strange_files_in_the_folder(kept: Path, name: str) -> None:
    """They belong to somebody else, and neither read nor run."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "run"
        shutil.copytree(kept, folder)
        if not (folder / name).exists():
            (folder / name).write_text("raise SystemExit('this was run')")
        (folder / "duels-x.parquet").mkdir()
        go_on(folder, damaged=False)


def test_a_manifest_is_never_run(kept: Path, tmp_path: Path) -> None:
    """A manifest may name a strategy's file: it is compared, and not looked for."""
    folder = tmp_path / "run"
    shutil.copytree(kept, folder)
    evil = tmp_path / "evil.py"
    evil.write_text(f"open({str(tmp_path / 'it_was_run')!r}, 'w')\ndef choose(view): return 0\n")
    manifest = folder / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    assert '"random"' in text
    manifest.write_text(text.replace('"random"', f'"{evil}"'), encoding="utf-8")
    with pytest.raises(InputError):
        play(folder, N)
    assert not (tmp_path / "it_was_run").exists()


def test_a_pipe_in_the_place_of_a_manifest(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "manifest.json")
    assert read_manifest(tmp_path) is None
