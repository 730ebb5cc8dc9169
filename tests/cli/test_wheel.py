"""The built wheel, installed into an environment of its own, away from the source tree."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import cards


@pytest.fixture(scope="module")
def wheel(top: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this source tree."""
    folder = tmp_path_factory.mktemp("dist")
    _run(
        *(sys.executable, "-m", "build", "--wheel", "--no-isolation"),
        *("--outdir", str(folder), str(top)),
    )
    (path,) = folder.glob("duel_sim-*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `duel-sim` of an environment that has the wheel, and its dependencies from here."""
    folder = tmp_path_factory.mktemp("clean") / "env"
    _run(sys.executable, "-m", "venv", str(folder))
    python = folder / "bin" / "python"
    _run(
        *(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
        *("--no-index", "--no-deps", str(wheel)),
    )
    # The dependencies come from the environment of the tests, so that no network is needed. A
    # source tree that is installed there in place stays out: its .pth file is not followed.
    (site,) = folder.glob("lib/python*/site-packages")
    here = [path for path in sys.path if Path(path).name == "site-packages"]
    (site / "dependencies.pth").write_text("\n".join(here) + "\n", encoding="utf-8")
    return folder / "bin" / "duel-sim"


def _run(*command: str, cwd: Path | None = None) -> str:
    apart = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    # A few duels are played sooner than compiled in this new place.
    apart["NUMBA_DISABLE_JIT"] = "1"
    done = subprocess.run(
        command, cwd=cwd, env=apart, capture_output=True, text=True, timeout=400, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_data_file_is_in_the_wheel(wheel: Path, top: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for room in ("cards", "reports", "sim", "strategies"):
        for path in (top / room).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert path.relative_to(top).as_posix() in names
    assert not any(name.startswith(("tests/", "docs/")) for name in names)


def test_a_matchup_from_another_folder(installed: Path, tmp_path: Path) -> None:
    where = "import cards; print(cards.__file__)"
    found = _run(str(installed.parent / "python"), "-c", where, cwd=tmp_path).strip()
    assert Path(found).is_relative_to(installed.parents[1])
    assert found != cards.__file__
    out = _run(
        *(str(installed), "matchup", "Rome", "Sparta", "-n", "20", "--seed", "1", "--json"),
        cwd=tmp_path,
    )
    assert json.loads(out)["duels"] == 20
    assert len(json.loads(_run(str(installed), "cards", "--json", cwd=tmp_path))) == 141
    assert _run(str(installed), "version", cwd=tmp_path).startswith("duel-sim ")
