"""Tournaments, the use of options, and one matchup under every strategy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

import sim
from cards.errors import InputError
from reports.intervals import PairCounts, win_rate
from reports.strategy_spread import StrategySpread
from sim.ancient_duel.record import VERBS
from sim.cli import main

FIRST = "def choose(view):\n    return view.options[0]\n"


@pytest.fixture(scope="module")
def small() -> sim.Tournament:
    """A tournament of three strategies on two decks."""
    return sim.tournament(["random", "greedy", "rush"], ["rome", "persia"], 30, seed=1)


def test_the_numbers_fit_together(small: sim.Tournament) -> None:
    found = small.to_json()
    assert found["duels"] == 3 * 2 * 30
    assert [each["a"] + " " + each["b"] for each in found["pairings"]] == [
        "random greedy",
        "random rush",
        "greedy rush",
    ]
    for pairing in found["pairings"]:
        assert pairing["duels"] == 60
        assert set(pairing["by_deck"]) == {"Rome", "Persia"}
        assert pairing["win_rate_a"] == pytest.approx(sum(pairing["by_deck"].values()) / 2)
        assert pairing["ci95"][0] <= pairing["win_rate_a"] <= pairing["ci95"][1]
    ratings = [each["rating"] for each in found["strategies"]]
    assert ratings == sorted(ratings, reverse=True)
    assert sum(ratings) == pytest.approx(0, abs=1e-6)
    assert found["strategies"][-1]["strategy"] == "random"
    total = sum(each["win_rate"] * each["duels"] for each in found["strategies"])
    assert total == pytest.approx(found["duels"])


def test_a_pairing_pools_its_pairs(small: sim.Tournament) -> None:
    own = [each for each in small.summary.results if (each.first, each.second) == (0, 1)]
    pairs = PairCounts(*(sum(column) for column in zip(*(each.pairs for each in own), strict=True)))
    assert small.summary.rate(0, 1) == win_rate(pairs)
    assert small.summary.rate(1, 0) == win_rate(pairs).mirrored()


def test_the_same_seed_gives_the_same_tournament(small: sim.Tournament, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = (["random", "greedy", "rush"], ["rome", "persia"], 30)
    again = sim.tournament(*arguments, seed=1, workers=1, out=out)
    assert again.to_json() == small.to_json()
    assert json.loads((out / "tournament.json").read_text("utf-8")) == small.to_json()
    assert len(list(out.glob("*/duels-*.parquet"))) >= 6
    # it goes on from there, and takes its seed from there
    (out / "tournament.json").unlink()
    assert sim.tournament(*arguments, out=out, resume=True).to_json() == small.to_json()
    with pytest.raises(InputError, match="holds another run"):
        sim.tournament(["random", "greedy"], ["rome"], 30, seed=1, out=out)


def test_pairings_have_shuffles_of_their_own(small: sim.Tournament) -> None:
    seeds = {each.summary.seed for each in small.summary.results}
    assert len(seeds) == len(small.summary.results)


def test_chart(small: sim.Tournament, tmp_path: Path) -> None:
    file = small.chart(tmp_path / "chart.png")
    with Image.open(file) as picture:
        assert picture.size == (1920, 1080)
    svg = small.chart(tmp_path / "chart.svg").read_bytes()
    assert small.chart(tmp_path / "again.svg").read_bytes() == svg


@pytest.mark.parametrize(
    ("strategies", "told"),
    [
        (["greedy"], "a tournament of one strategy; name two or more"),
        (["greedy", "random", "greedy"], "strategy 'greedy' is there twice"),
        (["greedy", "randum"], "did you mean 'random'?"),
    ],
)
def test_what_cannot_be(strategies: list[str], told: str) -> None:
    with pytest.raises(InputError) as fault:
        sim.tournament(strategies, ["rome"], 2)
    assert told in str(fault.value)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FIRST)
    arguments = ["tournament", "random", str(file), "--decks", "rome, egypt", "-n", "4"]
    assert main([*arguments, "--seed", "1"]) == 0
    printed = capsys.readouterr()
    assert "Tournament of strategies" in printed.out
    assert max(map(len, printed.out.splitlines())) <= 80
    assert main([*arguments, "--json", "--chart", str(tmp_path / "x.svg")]) == 0
    assert {each["strategy"] for each in json.loads(capsys.readouterr().out)["strategies"]} == {
        "random",
        str(file),
    }
    assert (tmp_path / "x.svg").exists()
    assert main([*arguments, "--chart", "x.bmp"]) == 2
    assert main([*arguments, "--decks", "rom"]) == 2
    assert "did you mean" in capsys.readouterr().err


# --- the use of options ---------------------------------------------------------------------------
def test_usage_counts_every_option() -> None:
    found = sim.usage("greedy", 20, seed=1, workers=1)
    assert found.duels == 140
    by_verb = {row["verb"]: row for row in found.by_verb()}
    assert list(by_verb) == [verb for verb in VERBS if verb in by_verb]
    for row in by_verb.values():
        assert 0 <= row["chosen"] <= row["offered"]
    # every duel has as many turns begun as ended, but for the last one
    assert by_verb["end"]["chosen"] > 5 * found.duels
    assert len(found.by_card()) == 141
    assert any("verbs" in row and row["verbs"] for row in found.by_card())


def test_usage_names_what_is_never_used(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def choose(view):\n    return view.first('end', 'pass') or view.options[0]\n")
    lines = sim.usage(str(file), 1, seed=1).never()
    assert lines[0].startswith("Offered and never chosen: deploy, set, activate")
    assert any(line.startswith("Could be played and never were (") for line in lines)
    assert any(line.startswith("Tactics never set (") for line in lines)


def test_list_and_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategy", "list", "--json"]) == 0
    rows = {row["strategy"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["greedy"]["compiled"] and rows["greedy"]["parameters"]
    assert rows["random"]["parameters"] == {}
    assert main(["strategy", "list"]) == 0
    assert "(default)" in capsys.readouterr().out
    assert main(["strategy", "show", "greedy", "-n", "2", "--seed", "1"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("greedy (compiled)")
    assert "hastati_line" in printed and "reposition" in printed
    assert max(map(len, printed.splitlines())) <= 80
    assert main(["strategy", "show", "greedy", "-n", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["strategy"] == "greedy"
    assert main(["strategy", "show", "gredy"]) == 2


def test_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text("import random\ndef choose(view):\n    return random.choice(view.options)\n")
    assert main(["strategy", "check", "random", "--seconds", "0.1"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "random keeps to the contract"
    assert main(["strategy", "check", str(file), "--seconds", "0.1", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert not found["passed"]
    assert [part["part"] for part in found["parts"] if not part["passed"]] == [
        "same seed, same choices",
        "no peeking",
    ]
    assert main(["strategy", "check", "random", "--seconds", "0"]) == 2


# --- one matchup under every strategy -------------------------------------------------------------
def test_matchup_under_several(tmp_path: Path) -> None:
    both = ("random", "greedy")
    spread = sim.matchup_under("rome", "egypt", 60, strategies=both, seed=1, out=tmp_path)
    assert isinstance(spread, StrategySpread)
    for strategy, summary in zip(both, spread.summaries, strict=True):
        alone = sim.matchup("rome", "egypt", 60, strategy=strategy, seed=1)
        assert summary.win_rate_a == alone.summary.win_rate_a
        assert (tmp_path / strategy / "manifest.json").exists()
    found = spread.to_json()
    rates = [each["win_rate_a"] for each in found["strategies"]]
    assert found["spread"] == pytest.approx(max(rates) - min(rates))
    low, high = found["spread_ci95"]
    assert low < found["spread"] < high
    # the folders give their seed to the same command
    assert (
        sim.matchup_under("rome", "egypt", 60, strategies=both, out=tmp_path, resume=True).to_json()
        == found
    )


def test_strategy_all(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    two = {name: f"strategies.ancient_duel.{name}" for name in ("greedy", "rush")}
    monkeypatch.setattr("sim.strategy_spread.BUILT_IN", two)
    arguments = ["matchup", "rome", "egypt", "--strategy", "all", "-n", "50", "--seed", "1"]
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["strategy"] for each in found["strategies"]] == ["greedy", "rush"]
    assert {found["lowest"], found["highest"]} == {"greedy", "rush"}
    assert main(arguments) == 0
    assert "The win rate of Rome moves by" in " ".join(capsys.readouterr().out.split())
    assert main([*arguments, "--strategy-a", "greedy"]) == 2
    assert "--strategy-a does not go with --strategy all" in capsys.readouterr().err
    assert main(["matchup", "rome", "egypt", "--strategy-a", "all", "-n", "2"]) == 2
