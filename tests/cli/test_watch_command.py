"""`duel-sim watch`: the duel that a matchup plays, told."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import sim


def _watch(duel_sim: Callable[..., Any], *arguments: object) -> dict[str, Any]:
    outcome = duel_sim("watch", *arguments, "--json")
    assert outcome.code == 0, outcome.err
    found = json.loads(outcome.out)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("strategies", [("greedy", "greedy"), ("random", "greedy")])
@pytest.mark.parametrize("rules", [(), ("first_player=b",)])
def test_the_same_duel_as_in_a_matchup(
    duel_sim: Callable[..., Any], strategies: Sequence[str], rules: Sequence[str]
) -> None:
    a, b = strategies
    rows = sim.matchup(
        "rome",
        "persia",
        12,
        seed=9,
        strategy_a=a,
        strategy_b=b,
        rules=rules,
        keep_duels=True,
    ).duels
    assert rows is not None
    options = [option for rule in rules for option in ("--rule", rule)]
    for row in rows.iter_rows(named=True):
        told = _watch(
            duel_sim,
            *("rome", "persia", "--seed", 9, "--duel", row["duel"]),
            *("--strategy-a", a, "--strategy-b", b),
            *options,
        )
        assert told["seed"] == 9
        found = {key: told[key] for key in ("first", "winner", "reason", "decisions")}
        assert found == {key: row[key] for key in found}
        for side in "ab":
            assert told["end"][side]["lp"] == row[f"lp_{side}"]
            # A side that must draw from an empty deck loses in a turn without a choice.
            own = [turn["own_number"] for turn in told["turns"] if turn["side"] == side]
            assert max(own, default=0) in (row[f"turns_{side}"], row[f"turns_{side}"] - 1)


def test_the_log_can_be_followed(duel_sim: Callable[..., Any]) -> None:
    shown = duel_sim("watch", "Rome", "Sparta", "--seed", 1)
    assert shown.code == 0
    told = _watch(duel_sim, "Rome", "Sparta", "--seed", 1)
    lines = shown.out.splitlines()
    assert lines[0] == "Rome (a, tactician) against Sparta (b, tactician): seed 1, duel 0"
    heads = [line for line in lines if line.startswith("── Turn ")]
    assert len(heads) == len(told["turns"])
    choices = [choice for turn in told["turns"] for choice in turn["choices"]]
    assert any(choice["text"].startswith("attack ") for choice in choices)
    for choice in choices:
        assert any(line[8:] == f"{choice['side']}  {choice['text']}" for line in lines)
    for words in ("LP 20", "energy", "hand", "units", "wins in turn"):
        assert words in shown.out
    assert max(len(line) for line in lines) <= 120


def test_a_drawn_seed_is_told(duel_sim: Callable[..., Any]) -> None:
    first = _watch(duel_sim, "rome", "sparta")
    again = _watch(duel_sim, "rome", "sparta", "--seed", first["seed"])
    assert first == again
