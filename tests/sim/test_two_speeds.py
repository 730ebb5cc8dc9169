"""One source, two speeds: compiled, interpreted and bounds-checked duels are the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sim import api

TOP = Path(__file__).resolve().parents[2]

#: Decks, strategies, rule options and number of duels.
RUNS: list[tuple[str, str, str, str, list[str], int]] = [
    ("rome", "sparta", "greedy", "greedy", [], 8),
    ("macedon", "persia", "random", "random", [], 6),
    ("carthage", "egypt", "greedy", "random", ["hand_limit=3", "unit_zones=3"], 6),
    ("dacia", "rome", "random", "greedy", ["set_cards_wait=true", "stat_max=8"], 6),
]


def rows_of_all(*, times: int = 1) -> list[Any]:
    """The rows of every run; `times` as many duels."""
    found = []
    for a, b, strategy_a, strategy_b, rules, n in RUNS:
        setup = api.prepare(
            a, b, strategy_a=strategy_a, strategy_b=strategy_b, seed=31, rules=rules
        )
        found.append(setup.job.play(0, n * times).tolist())
    return found


def _in_a_process(code: str, **changes: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": f"{TOP}{os.pathsep}{TOP / 'tests' / 'sim'}", **changes},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_interpreted_duels_are_the_same() -> None:
    code = "import json, test_two_speeds as t; print(json.dumps(t.rows_of_all()))"
    assert _in_a_process(code, NUMBA_DISABLE_JIT="1") == rows_of_all()


@pytest.mark.compiles
def test_nothing_reads_beyond_its_bounds() -> None:
    code = "import json, test_two_speeds as t; print(json.dumps(t.rows_of_all(times=20)))"
    assert _in_a_process(code, NUMBA_BOUNDSCHECK="1") == rows_of_all(times=20)
