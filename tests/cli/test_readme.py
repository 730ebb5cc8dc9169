"""README.md: every command on the page works, and the result that it shows is a real one."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from docs import refresh
from sim import cluster

README = Path(__file__).resolve().parents[2] / "README.md"
#: Set-up from the network; `test_wheel` and the build server do the like.
SET_UP = {
    "uv run duel-sim matchup Rome Sparta -n 100000",
    "uv run --extra dev pytest",
    "python3 -m venv .venv",
    ".venv/bin/pip install -e '.[dev]'",
    ".venv/bin/pytest",
}
#: Takes a compilation from nothing; `test_other_commands` runs it.
ELSEWHERE = {"duel-sim bench"}
FEW = "40"


def _blocks(language: str) -> Iterator[str]:
    page = README.read_text(encoding="utf-8")
    yield from re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def _lines() -> list[str]:
    lines = [
        line.partition("  #")[0].strip() for block in _blocks("sh") for line in block.splitlines()
    ]
    return [line for line in dict.fromkeys(lines) if line]


def _commands() -> list[str]:
    return [line for line in _lines() if line.removeprefix(".venv/bin/").startswith("duel-sim ")]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the page shows."""
    page = README.read_text(encoding="utf-8")
    for name, text in re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", page, re.DOTALL):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("line", [line for line in _commands() if line not in ELSEWHERE])
def test_command(duel_sim: Callable[..., Any], folder: Path, line: str) -> None:
    arguments = shlex.split(line)[1:]
    if "-n" in arguments:
        arguments[arguments.index("-n") + 1] = FEW
    try:
        outcome = duel_sim(*arguments)
    finally:
        cluster.close()
    assert outcome.code == 0, outcome.err
    assert outcome.out
    if "check" in arguments:
        assert outcome.out.endswith("1 passed, 0 failed\n")


def test_no_line_is_left_out() -> None:
    make = {line for line in _lines() if line.startswith("make ")}
    assert set(_lines()) == {*_commands(), *make, *SET_UP}
    assert set(_commands()) > ELSEWHERE


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here")
def test_make_targets(top: Path) -> None:
    for line in (line for line in _lines() if line.startswith("make ")):
        done = subprocess.run(
            [*line.split(), "--dry-run"], cwd=top, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


def test_library_example(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = _blocks("python")
    exec(compile(code.replace("2_000", FEW), "README.md", "exec"), {})
    assert "Rate(" in capsys.readouterr().out
    assert (folder / "matchup.png").exists()


def test_the_result_is_real() -> None:
    def lines(text: str) -> list[str]:
        return [line for line in text.splitlines() if not line.startswith(("Speed", "$"))]

    shown = refresh.shown_text(README.read_text(encoding="utf-8"))
    assert lines(refresh.as_text(refresh.result())) == lines(shown), "run `make docs`"
    assert 10_000 < refresh.PICTURE.stat().st_size < 200_000


def test_the_tables_are_complete(duel_sim: Callable[..., Any]) -> None:
    from cards.ancient_duel.rules import RuleSet
    from sim.cli import app
    from sim.tally import DUEL_SCHEMA

    page = README.read_text(encoding="utf-8")
    for name in (*RuleSet.model_fields, *DUEL_SCHEMA.names()):
        assert f"`{name}`" in page
    names = [command.name for command in app.registered_commands]
    groups = [group.name for group in app.registered_groups]
    for command in (*names, *groups):
        assert re.search(rf"^\| `{command}\b", page, re.MULTILINE), f"no row about {command}"
