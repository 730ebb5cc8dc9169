"""The code of `strategies/README.md`, run as a reader would run it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import strategies
from sim.cli import main

GUIDE = Path(strategies.__file__).with_name("README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (\w+\.py)\n")


def test_the_guide_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = 0
    for language, code in BLOCKS:
        if language == "python":
            named = FILE.match(code)
            if named is not None:
                (tmp_path / named[1]).write_text(code, "utf-8")
            else:
                exec(compile(code, "README.md", "exec"), {"__name__": "notebook"})
        elif language == "bash":
            for line in code.splitlines():
                program, *arguments = shlex.split(line)
                assert program == "duel-sim"
                assert main(arguments) == 0, (line, capsys.readouterr())
                commands += 1
    printed = capsys.readouterr().out
    assert commands >= 7
    assert "my_rush.py keeps to the contract" in printed
    assert "<Matchup, seed 1: With patient for Rome and random for Sparta" in printed


def test_its_strategies_are_short() -> None:
    for language, code in BLOCKS:
        if language == "python":
            lines = [line for line in code.splitlines() if line.strip()]
            assert len(lines) <= 30
