"""`duel-sim report`: its files, its examples, bad input, and being stopped."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim import report_run
from sim.cli import main

ARGUMENTS = ("--decks", "rome,dacia", "-n", "60", "--seed", "11", "--strategy", "greedy")


def run(folder: Path, *more: str) -> int:
    return main(["report", "-o", str(folder), *ARGUMENTS, *more])


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report") / "balance"
    assert run(folder, "--set", "rome.legionary_cohort.atk=3", "--rule", "hand_limit=6") == 0
    return folder


@pytest.fixture(scope="module")
def result(report: Path) -> Any:
    return json.loads((report / "report.json").read_text(encoding="utf-8"))


def test_all_files_are_there(report: Path, result: Any) -> None:
    page = (report / "index.html").read_text(encoding="utf-8")
    charts = sorted(path.name for path in (report / "charts").iterdir())
    assert {"matchups.svg", "factions.svg", "first_player.svg", "lengths.svg"} <= set(charts)
    assert {"leads.svg", "decided.svg", "energy.svg", "cards.svg", "patch.svg"} <= set(charts)
    for name, rows in result["tables"].items():
        frame = pl.read_parquet(report / "tables" / f"{name}.parquet")
        assert len(frame) == len(rows)
        assert (report / "tables" / f"{name}.csv").read_text(encoding="utf-8").count("\n") > 0
    for link in re.findall(r'href="(tables/[^"]+)"', page):
        assert (report / link).is_file(), link
    assert "Not finished" not in page
    assert re.findall(r'(?:src|href)="https?:', page) == []


def test_the_numbers_are_those_of_the_matrix(report: Path, result: Any) -> None:
    from sim.matrix import matrix

    rows = result["tables"]["matchups"]
    other = matrix("rome,dacia", 60, seed=11, strategy="greedy", rules=["hand_limit=6"])
    assert [row["wins_a"] for row in rows] == other.summary.table()["wins_a"].to_list()
    assert result["duels"] == 60
    assert result["swap_duels"] == 6
    assert result["rules"] == ["hand_limit=6"]


def test_how_duels_ran_is_told_of_the_same_duels(result: Any) -> None:
    lengths = result["tables"]["lengths"]
    decided = result["tables"]["decided"]
    assert sum(row["duels"] for row in lengths) == decided[0]["n"] == 180
    assert max(row["turns"] for row in lengths) == decided[-1]["turn"]


def test_every_example_is_the_duel_that_it_is_said_to_be(
    result: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(result["examples"]) >= 3
    for example in result["examples"]:
        words = shlex.split(example["command"])
        assert words[:2] == ["duel-sim", "watch"]
        assert words[-4:] == ["--strategy", "greedy", "--rule", "hand_limit=6"]
        capsys.readouterr()
        assert main([*words[1:], "--json"]) == 0
        duel = json.loads(capsys.readouterr().out)
        turns = re.search(r"(\d+) turns|in turn (\d+)", example["story"])
        assert turns is not None, example
        assert int(turns[1] or turns[2]) == len(duel["turns"])
        winner = duel[duel["winner"]]
        assert re.search(rf"{winner}( \(side {duel['winner']}\))? won", example["story"]), example


def test_the_page_says_how_to_make_it_again(report: Path) -> None:
    page = unescape((report / "index.html").read_text(encoding="utf-8"))
    assert "--seed 11 --decks rome,dacia --set rome.legionary_cohort.atk=3" in page
    assert "late draws come in long duels" in page


def test_the_same_report_whatever_the_workers(report: Path, tmp_path: Path) -> None:
    more = ("--set", "rome.legionary_cohort.atk=3", "--rule", "hand_limit=6", "--workers", "1")
    assert run(tmp_path / "again", *more) == 0
    first = json.loads((report / "report.json").read_text(encoding="utf-8"))
    second = json.loads((tmp_path / "again" / "report.json").read_text(encoding="utf-8"))
    assert first.pop("command") != second.pop("command")
    assert first == second
    for chart in (report / "charts").iterdir():
        assert chart.read_bytes() == (tmp_path / "again" / "charts" / chart.name).read_bytes()


def test_a_stopped_run_leaves_what_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(report_run, "swap_field", interrupted)
    assert run(tmp_path) == 130
    assert "has what is finished, the same command with --resume" in capsys.readouterr().err
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "Not finished" in page
    assert "what cards bring" in page
    assert (tmp_path / "tables" / "matchups.csv").is_file()
    monkeypatch.undo()
    assert run(tmp_path) == 2
    assert "holds this run already" in capsys.readouterr().err
    assert run(tmp_path, "--resume", "--workers", "1") == 0
    whole = tmp_path / "whole"
    assert run(whole) == 0
    for name in ("report.json", "index.html"):
        here, there = ((folder / name).read_text("utf-8") for folder in (tmp_path, whole))
        assert here == there.replace(str(whole), str(tmp_path))


def test_a_run_that_is_stopped_at_once_leaves_no_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(report_run, "play_field", interrupted)
    assert run(tmp_path / "nothing") == 130
    assert "duel-sim: error: stopped; " in capsys.readouterr().err
    assert not (tmp_path / "nothing" / "index.html").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-o", "{file}"), "is a file"),
        (("-o", "{new}", "--decks", "rome,spatra"), "Sparta"),
        (("-o", "{new}", "-n", "0"), "the number of duels"),
        (("-o", "{new}", "--pictures", "gif"), "svg or png"),
        (("-o", "{new}", "--set", "rome.legionary_cohort.akt=4"), "akt"),
        (("-o", "{new}", "--decks", "rome", "--set", "rule.hand_limit=6"), "two decks"),
        (("-o", "{new}", "--strategy", "gready"), "greedy"),
        ((), "--out"),
    ],
)
def test_bad_input_is_a_line_before_any_duel(
    arguments: tuple[str, ...],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delattr(report_run, "play")
    (tmp_path / "file").write_text("", encoding="utf-8")
    places = {"{file}": str(tmp_path / "file"), "{new}": str(tmp_path / "new")}
    code = main(["report", *(places.get(each, each) for each in arguments)])
    printed = capsys.readouterr()
    assert code == 2
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert not (tmp_path / "new").exists()
    assert words in printed.err


def test_one_deck_alone(tmp_path: Path) -> None:
    arguments = ["-n", "40", "--seed", "3", "--strategy", "greedy", "--pictures", "png"]
    assert main(["report", "-o", str(tmp_path), "--decks", "egypt", *arguments]) == 0
    charts = {path.name for path in (tmp_path / "charts").iterdir()}
    assert "matchups.png" in charts
    assert "factions.png" not in charts
