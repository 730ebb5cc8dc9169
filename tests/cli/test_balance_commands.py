"""`duel-sim matrix`, `sensitivity`, `rulings` and `matchup --set` as users call them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

Command = Callable[..., Any]


def test_matrix_prints_rates_with_intervals(duel_sim: Command) -> None:
    found = duel_sim("matrix", "--decks", "rome,sparta,egypt", "-n", 40, "--seed", 1)
    assert found.code == 0
    assert "Rome" in found.out and "equilibrium" in found.out
    assert "Benjamini-Hochberg" in found.out
    assert max(map(len, found.out.splitlines())) <= 80


def test_matrix_of_many_decks_is_a_list(duel_sim: Command) -> None:
    decks = "rome,sparta,egypt,persia,dacia,carthage,macedon,rome-testudo-wall"
    found = duel_sim("matrix", "--decks", decks, "-n", 4, "--seed", 1)
    assert found.code == 0
    assert "against" in found.out


def test_matrix_gives_everything_as_json_and_files(duel_sim: Command, tmp_path: Path) -> None:
    out, chart = tmp_path / "out", tmp_path / "matrix.png"
    asked = ("matrix", "--decks", "rome,sparta", "-n", 20, "--seed", 1)
    found = duel_sim(*asked, "--json", "--out", out, "--chart", chart)
    result = json.loads(found.out)
    assert result["duels"] == 60
    assert [row["a"] + row["b"] for row in result["matchups"]] == [
        "RomeRome",
        "RomeSparta",
        "SpartaSparta",
    ]
    for row in result["matchups"]:
        assert row["win_rate_a_low"] <= row["win_rate_a"] <= row["win_rate_a_high"]
    assert sum(row["equilibrium"] for row in result["factions"]["decks"]) == pytest.approx(1)
    assert chart.stat().st_size > 10_000
    assert pl.read_csv(out / "matchups.csv").height == 3
    assert len(list(out.glob("*/duels-*.parquet"))) >= 3
    again = json.loads(duel_sim(*asked, "--json").out)
    for each in (result, again):
        del each["duels_per_second"]
    assert again == result


def test_a_patched_matchup_shows_before_after_and_the_difference(duel_sim: Command) -> None:
    asked = ("matchup", "rome", "sparta", "-n", 60, "--seed", 1)
    shown = duel_sim(*asked, "--set", "rome.legionary_cohort.atk=1")
    assert shown.code == 0
    assert "legionary_cohort.atk 5 → 1" in shown.out
    assert "before" in shown.out and "difference" in shown.out
    result = json.loads(duel_sim(*asked, "--set", "rome.legionary_cohort.atk=1", "--json").out)
    plain = json.loads(duel_sim(*asked, "--json").out)
    assert result["before"]["win_rate_a"] == plain["win_rate_a"]
    gap = result["after"]["win_rate_a"] - result["before"]["win_rate_a"]
    assert result["difference"]["difference"] == pytest.approx(gap)
    low, high = result["difference"]["ci95"]
    assert low <= gap <= high


def test_a_patch_file_serves_too(duel_sim: Command, tmp_path: Path) -> None:
    patch = tmp_path / "patch.toml"
    patch.write_text("[rule]\nstarting_lp = 10\n", encoding="utf-8")
    found = duel_sim("matchup", "rome", "sparta", "-n", 20, "--patch", patch, "--json")
    assert json.loads(found.out)["patch"] == [
        {"path": "rule.starting_lp", "card": None, "before": 20, "after": 10}
    ]


def test_sensitivity_ranks_changes(duel_sim: Command, tmp_path: Path) -> None:
    asked = ("sensitivity", "rome", "-n", 10, "--against", "sparta", "--seed", 1)
    shown = duel_sim(*asked, "--top", 5, "--out", tmp_path)
    assert shown.code == 0
    assert "55 smaller ones left out" in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80
    assert pl.read_parquet(tmp_path / "sensitivity.parquet").height == 60
    result = json.loads(duel_sim(*asked, "--json").out)
    assert len(result["changes"]) == 60


def test_rulings_say_what_depends_on_them(duel_sim: Command, tmp_path: Path) -> None:
    asked = ("rulings", "--decks", "rome,sparta", "-n", 20, "--seed", 1)
    shown = duel_sim(*asked, "--out", tmp_path)
    assert shown.code == 0
    assert "reposition=false" in shown.out and "decks begin" in shown.out
    assert (tmp_path / "order.csv").exists()
    single = duel_sim(*asked, "--alternative", "hand_limit=7", "--json")
    rows = json.loads(single.out)["rulings"]
    assert [row["ruling"] for row in rows] == [
        "hand_limit=7",
        "first_player=a",
        "first_player=b",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("matrix", "-n", "0"), "the number of duels (n) is 0"),
        (("matrix", "-n", "many"), "no whole number"),
        (("matrix", "--decks", "rome,sprata"), "did you mean"),
        (("matrix", "--decks", ","), "there are 0 decks"),
        (("matrix", "--decks", "rome,Рим"), "twice"),
        (("matrix", "--strategy", "gredy"), "did you mean 'greedy'"),
        (("matrix", "--rule", "hand_limt=3"), "did you mean 'hand_limit'"),
        (("matrix", "--chart", "x.gif"), ".png or .svg"),
        (("matrix", "--out", "/dev/null/x"), "/dev/null/x"),
        (("matrix", "--seed", "-1"), "the seed is -1"),
        (("matrix", "--workers", "0"), "the number of workers is 0"),
        (("sensitivity", "rom"), "did you mean 'Rome'"),
        (("sensitivity", "rome", "-n", "1"), "the number of duels (n) is 1"),
        (("sensitivity", "rome", "--against", "rome"), "its own opponents"),
        (("sensitivity", "rome", "--top", "-1"), "--top is -1"),
        (("sensitivity", "rome", "--out", "/dev/null/x"), "/dev/null/x"),
        (("rulings", "--decks", "rome"), "name two decks or more"),
        (("rulings", "--alternative", "reposition=true"), "played anyway"),
        (("rulings", "--alternative", "reposition"), "has no value"),
        (("matchup", "rome", "sparta", "--set", "rome.testudo.copis=1"), "copies"),
        (("matchup", "rome", "sparta", "--patch", "none.toml"), "no such file"),
        (("matchup", "rome", "sparta", "--set", "rule.hand_limit=6", "--until", "1"), "--until"),
        (("matchup", "rome", "sparta", "--set", "rule.hand_limit=6", "-n", "1"), "is 1"),
    ],
)
def test_bad_input_is_one_line(
    duel_sim: Command, arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    found = duel_sim(*arguments)
    assert found.code == 2
    assert found.out == ""
    assert words in found.err
    assert len(found.err.strip().splitlines()) == 1
