"""`duel-sim matchup`: every option, and what is printed where."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim.tally import DUEL_SCHEMA

N = 60


def _json(outcome: Any) -> dict[str, Any]:
    assert outcome.code == 0, outcome.err
    found = json.loads(outcome.out)
    assert isinstance(found, dict)
    return found


def test_table(duel_sim: Callable[..., Any]) -> None:
    shown = duel_sim("matchup", "Rome", "Sparta", "-n", N, "--seed", 5)
    assert shown.code == 0
    assert "Rome against Sparta" in shown.out
    assert f"{N} duels in {N // 2} pairs, seed 5, tactician on both sides" in shown.out
    for words in ("win rate", "First player", "Length in turns", "Ended by", "duels per second"):
        assert words in shown.out


def test_json_has_what_is_documented(duel_sim: Callable[..., Any]) -> None:
    found = _json(duel_sim("matchup", "Rome", "Sparta", "-n", N, "--seed", 5, "--json"))
    assert (found["a"], found["b"], found["duels"], found["seed"]) == ("Rome", "Sparta", N, 5)
    assert found["strategy_a"] == found["strategy_b"] == "tactician"
    assert found["wins_a"] + found["wins_b"] == N
    assert found["win_rate_a"] == found["wins_a"] / N
    assert found["ci95"][0] < found["win_rate_a"] < found["ci95"][1]
    assert found["first_player_ci95"][0] < found["first_player_win_rate"]
    assert set(found["turns"]) >= {"mean", "p5", "p50", "p95"}
    assert found["ended"]["lp"] + found["ended"]["deck"] == N
    assert found["duels_per_second"] > 0


@pytest.mark.parametrize("names", [("рим", "СПАРТА"), ("ROME", "sparta"), ("Рим", "Sparta")])
def test_factions_in_either_language_and_any_case(
    duel_sim: Callable[..., Any], names: tuple[str, str]
) -> None:
    found = _json(duel_sim("matchup", *names, "-n", 4, "--seed", 1, "--json"))
    assert (found["a"], found["b"]) == ("Rome", "Sparta")


def test_deck_file(duel_sim: Callable[..., Any], tmp_path: Path) -> None:
    from cards.ancient_duel.deck_files import write_deck
    from cards.ancient_duel.decks import standard_deck
    from cards.ancient_duel.load import card_set

    path = tmp_path / "my rome.txt"
    write_deck(standard_deck(card_set(), "rome"), path, card_set())
    arguments = ("-n", 20, "--seed", 3, "--json")
    of_file = _json(duel_sim("matchup", path, "sparta", *arguments))
    of_faction = _json(duel_sim("matchup", "rome", "sparta", *arguments))
    assert of_file["wins_a"] == of_faction["wins_a"]
    assert of_file["turns"] == of_faction["turns"]


def test_strategies(duel_sim: Callable[..., Any]) -> None:
    same = _json(duel_sim("matchup", "rome", "rome", "-n", 4, "--strategy", "random", "--json"))
    assert (same["strategy_a"], same["strategy_b"]) == ("random", "random")
    mixed = _json(
        duel_sim(
            *("matchup", "rome", "rome", "-n", 100, "--seed", 1, "--json"),
            *("--strategy-a", "greedy", "--strategy-b", "random"),
        )
    )
    assert (mixed["strategy_a"], mixed["strategy_b"]) == ("greedy", "random")
    assert mixed["win_rate_a"] > 0.9


def test_drawn_seed_is_told_and_repeats_the_run(duel_sim: Callable[..., Any]) -> None:
    drawn = _json(duel_sim("matchup", "rome", "sparta", "-n", N, "--json"))
    again = _json(duel_sim("matchup", "rome", "sparta", "-n", N, "--json", "--seed", drawn["seed"]))
    del drawn["duels_per_second"], again["duels_per_second"]
    assert drawn == again
    other = _json(duel_sim("matchup", "rome", "sparta", "-n", N, "--json"))
    assert other["seed"] != drawn["seed"]


def test_equal_for_any_number_of_workers(process: Callable[..., Any]) -> None:
    found = []
    for workers in (1, 2):
        # Enough duels for workers to be worth their start.
        one = _json(
            process(
                *("matchup", "Rome", "Sparta", "-n", 60_001, "--seed", 11, "--json"),
                *("--strategy", "random", "--workers", workers),
            )
        )
        del one["duels_per_second"]
        found.append(one)
    assert found[0] == found[1]


def test_rule_options(duel_sim: Callable[..., Any], tmp_path: Path) -> None:
    run = ("matchup", "rome", "sparta", "-n", N, "--seed", 2, "--json")
    short = _json(duel_sim(*run, "--rule", "starting_lp=1", "--rule", "opening_hand=6"))
    assert short["rules"]["starting_lp"] == 1
    assert short["rules"]["opening_hand"] == 6
    assert short["turns"]["mean"] < _json(duel_sim(*run))["turns"]["mean"]

    file = tmp_path / "rules.toml"
    file.write_text('starting_lp = 1\nfirst_player = "b"\n')
    of_file = _json(duel_sim(*run, "--rules", file, "--rule", "starting_lp=2"))
    assert of_file["rules"]["starting_lp"] == 2
    assert of_file["by_first"]["a"] is None
    assert of_file["pairs"] == 0


def test_card_file_takes_the_place_of_the_game_s_own(
    duel_sim: Callable[..., Any], tmp_path: Path, top: Path
) -> None:
    text = (top / "cards/ancient_duel/rome.toml").read_text(encoding="utf-8")
    file = tmp_path / "rome.toml"
    file.write_text(text.replace("atk = 5", "atk = 9"), encoding="utf-8")
    run = ("matchup", "rome", "sparta", "-n", 400, "--seed", 2, "--json")
    changed = _json(duel_sim(*run, "--cards", file))
    assert changed["win_rate_a"] > _json(duel_sim(*run))["win_rate_a"] + 0.05


def test_out_writes_one_row_a_duel(duel_sim: Callable[..., Any], tmp_path: Path) -> None:
    folder = tmp_path / "new" / "run"
    found = _json(
        duel_sim("matchup", "rome", "sparta", "-n", N, "--seed", 4, "--out", folder, "--json")
    )
    duels = pl.read_parquet(folder / "*.parquet").sort("duel")
    assert duels.schema == DUEL_SCHEMA
    assert duels["duel"].to_list() == list(range(N))
    assert (duels["winner"] == "a").sum() == found["wins_a"]
    assert duels["turns"].mean() == pytest.approx(found["turns"]["mean"])
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["a"], manifest["seed"], manifest["duels"]) == ("Rome", 4, N)


@pytest.mark.parametrize(
    ("suffix", "magic"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".SVG", b"<?xml")]
)
def test_chart(duel_sim: Callable[..., Any], tmp_path: Path, suffix: str, magic: bytes) -> None:
    path = tmp_path / f"chart{suffix}"
    assert duel_sim("matchup", "rome", "sparta", "-n", N, "--chart", path).code == 0
    assert path.read_bytes().startswith(magic)


def test_duels_of_one_seed_differ(duel_sim: Callable[..., Any], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    duel_sim("matchup", "rome", "sparta", "-n", 200, "--seed", 1, "--out", folder)
    duels = pl.read_parquet(folder / "*.parquet").drop("duel")
    assert duels.n_unique() > 190


def test_nothing_but_results_in_a_pipe(process: Callable[..., Any]) -> None:
    shown = process("matchup", "Rome", "Sparta", "-n", 30, "--seed", 1)
    assert shown.code == 0
    assert shown.err == ""
    assert "\x1b" not in shown.out


def test_help_names_the_default_strategy(duel_sim: Callable[..., Any]) -> None:
    from strategies.registry import DEFAULT

    assert f"[default: {DEFAULT}]" in " ".join(duel_sim("matchup", "--help").out.split())
