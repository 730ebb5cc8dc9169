"""Running the command line, in this process or as users do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from sim.cli import main

TOP = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Outcome:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


Command = Callable[..., Outcome]


@pytest.fixture
def duel_sim(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command in this process: `duel_sim("matchup", "rome", "sparta", "-n", 10)`."""

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return run


@pytest.fixture
def process() -> Command:
    """Run a command as a process of its own, in a pipe."""

    def run(*arguments: object, **options: object) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-m", "sim", *map(str, arguments)],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
            check=False,
            env=environment(),
            **options,  # type: ignore[call-overload]
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run


def environment(**changes: str) -> dict[str, str]:
    """The environment in which a process finds this source tree."""
    return {**os.environ, "PYTHONPATH": str(TOP), "PYTHONIOENCODING": "utf-8", **changes}


@pytest.fixture(name="environment")
def environment_maker() -> Callable[..., dict[str, str]]:
    """The function that makes the environment of a process, with changes."""
    return environment


@pytest.fixture(scope="session")
def top() -> Path:
    """The folder of the project."""
    return TOP
