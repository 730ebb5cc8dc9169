"""`duel-sim scenario`, `version` and `bench`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sim

SCENARIO = """
do = ["battle", "attack hastati_line"]

[a]
units = ["hastati_line"]

[expect]
"b.lp" = 17
"""


def test_version(duel_sim: Callable[..., Any]) -> None:
    outcome = duel_sim("version")
    assert (outcome.code, outcome.out) == (0, f"duel-sim {sim.__version__}\n")


def test_scenario_run(duel_sim: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "direct.toml"
    file.write_text(SCENARIO)
    outcome = duel_sim("scenario", "run", file, "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out)["b"]["lp"] == 17
    assert "b: LP 17" in duel_sim("scenario", "run", file).out


def test_scenario_check(duel_sim: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text(SCENARIO)
    outcome = duel_sim("scenario", "check", tmp_path)
    assert (outcome.code, outcome.out.splitlines()[-1]) == (0, "1 passed, 0 failed")
    (tmp_path / "wrong.toml").write_text(SCENARIO.replace("17", "16"))
    outcome = duel_sim("scenario", "check", tmp_path)
    assert (outcome.code, outcome.out.splitlines()[-1]) == (1, "1 passed, 1 failed")
    assert "b.lp" in outcome.out


@pytest.mark.compiles
def test_bench(process: Callable[..., Any]) -> None:
    outcome = process("bench", "--json", "--seconds", "0.2", "--strategies", "random greedy")
    assert outcome.code == 0, outcome.err
    found = json.loads(outcome.out)
    assert [row["strategy"] for row in found["strategies"]] == ["random", "greedy"]
    for row in found["strategies"]:
        for what in ("duels", "turns", "decisions"):
            assert row[f"{what}_per_second_core"] > 0
            assert row[f"{what}_per_second_all"] > 0
        assert row["ns_per_turn"] == pytest.approx(1e9 / row["turns_per_second_core"])
        assert row["ns_per_decision"] == pytest.approx(1e9 / row["decisions_per_second_core"])
    assert found["compile_seconds"] > found["warm_start_seconds"] > 0
    assert "measuring" in outcome.err
