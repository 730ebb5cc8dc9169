"""`duel-sim compare`, and `duel-sim matchup --until`: what is printed where."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
PLAY = ("compare", "rome-testudo-wall", "rome", "--seed", 5, "--strategy", "random")


def _json(outcome: Any) -> dict[str, Any]:
    assert outcome.code == 0, outcome.err
    found = json.loads(outcome.out)
    assert isinstance(found, dict)
    return found


def test_table(duel_sim: Command) -> None:
    warm = duel_sim(*PLAY, "-n", 28)  # the first run of a version may compile, and says so
    assert warm.code == 0
    shown = duel_sim(*PLAY, "-n", 280)
    assert (shown.code, shown.err) == (0, "")
    words = " ".join(shown.out.split())
    for part in (
        "Testudo Wall or Rome?",
        "280 duels with each list in 140 pairs on the same seeds, seed 5, random on all sides",
        "All together",
        "Standard error of the difference:",
        "The cards that the lists do not share",
        "duels per second",
    ):
        assert part in words


def test_json(duel_sim: Command) -> None:
    found = _json(duel_sim(*PLAY, "-n", 280, "--against", "sparta:2,egypt", "--json"))
    assert (found["a"], found["b"], found["duels"]) == ("Testudo Wall", "Rome", 280)
    assert [each["name"] for each in found["against"]] == ["Sparta", "Egypt"]
    assert found["against"][0]["duels"] == 186
    assert found["difference_ci95"][0] < found["difference"] < found["difference_ci95"][1]
    assert found["standard_error"] > 0 and found["error_times_smaller"] > 0
    assert found["verdict"] and found["sprt"] is None
    assert {card["id"] for card in found["cards"]} >= {"orderly_relief", "testudo"}
    same = _json(duel_sim(*PLAY, "-n", 280, "--against", "sparta:2,egypt", "--json"))
    del found["duels_per_second"], same["duels_per_second"]
    assert found == same


def test_a_test(duel_sim: Command) -> None:
    play = ("compare", "rome", "rome-standard", "--against", "dacia", "--seed", 1)
    shown = duel_sim(*play, "--sprt", "0,2", "--alpha", "0.1", "--beta", "0.01")
    assert shown.code == 0
    assert "the same list" in shown.out or "have the same cards" in shown.out
    found = _json(duel_sim(*PLAY, "--sprt", "0,2", "--max-n", 400, "--json"))
    assert found["duels"] <= 400
    assert found["sprt"]["bounds"] == pytest.approx([-2.944, 2.944], abs=0.001)
    assert found["sprt"]["answer"] in ("better", "no better", "undecided")
    assert "confidence sequence" in found["interval_method"]


def test_out_and_chart(duel_sim: Command, tmp_path: Path) -> None:
    chart = tmp_path / "c.svg"
    out = tmp_path / "run"
    arguments = ("-n", 40, "--against", "sparta", "--out", out, "--chart", chart)
    assert duel_sim(*PLAY, *arguments).code == 0
    assert chart.read_text(encoding="utf-8").startswith("<?xml")
    assert list(out.glob("01-sparta/duels-*.parquet"))
    longer = ("-n", 80, "--against", "sparta", "--out", out, "--json")
    assert "add --resume" in duel_sim(*PLAY, *longer).err
    more = _json(duel_sim(*PLAY, *longer, "--resume"))
    assert more["duels"] == 80


def test_until(duel_sim: Command) -> None:
    play = ("matchup", "rome", "sparta", "--seed", 1, "--strategy", "random", "--until", 4)
    shown = duel_sim(*play)
    assert shown.code == 0
    assert "Stopped at the first look" in shown.out
    assert "widened for stopping" in " ".join(shown.out.split())
    found = _json(duel_sim(*play, "--json"))
    assert found["stopping"] == {"until": 0.04, "reached": True}
    assert found["ci95"][1] - found["ci95"][0] <= 0.08
    limited = duel_sim(*play, "-n", 50).out
    assert "At its limit" in limited


def test_progress_goes_to_stderr(environment: Callable[..., dict[str, str]]) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    arguments = [*map(str, PLAY), "-n", "4000", "--against", "sparta", "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "sim", *arguments],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment(TERM="xterm", COLUMNS="80"),
    ) as program:
        os.close(theirs)
        shown = b""
        while True:
            try:
                data = os.read(ours, 4096)
            except OSError:  # Linux says so that the other end is closed
                break
            if not data:
                break
            shown += data
        assert program.stdout is not None
        out = program.stdout.read()
    os.close(ours)
    assert json.loads(out)["duels"] == 4000
    assert b"/8000" in shown


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("compare", "rome"), "Missing argument 'B'"),
        (("compare", "rome", "roma"), "did you mean 'Rome'?"),
        (("compare", "rome", "sparta", "--against", "rome:x"), "the weight of the opponent 'rome'"),
        (("compare", "rome", "sparta", "-n", "0"), "(n) is 0"),
        (("compare", "rome", "sparta", "-n", "x"), "'x' is no whole number"),
        (("compare", "rome", "sparta", "--sprt", "2"), "--sprt is '2'; two rising numbers"),
        (("compare", "rome", "sparta", "--sprt", "a,b"), "two rising numbers"),
        (("compare", "rome", "sparta", "--sprt", "2,0"), "two rising numbers"),
        (("compare", "rome", "sparta", "--sprt", "0,2", "-n", "100"), "exclude each other"),
        (("compare", "rome", "sparta", "--sprt", "0,2", "--alpha", "2"), "alpha is 2"),
        (("compare", "rome", "sparta", "--sprt", "0,2", "--alpha", "x"), "--alpha"),
        (("compare", "rome", "sparta", "--max-n", "100"), "--max-n is for a test"),
        (("compare", "rome", "sparta", "--chart", "x.pdf"), ".png or .svg"),
        (("compare", "rome", "sparta", "--strategy", "gredy"), "did you mean 'greedy'?"),
        (("matchup", "rome", "sparta", "--until", "0"), "until is 0 points"),
        (("matchup", "rome", "sparta", "--until", "x"), "--until"),
        (("matchup", "rome", "sparta", "--until", "1", "-n", "0"), "(n) is 0"),
    ],
)
def test_bad_input_is_one_line(
    duel_sim: Command,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = duel_sim(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert words in outcome.err
    assert outcome.err.count("\n") == 1


def test_an_unwritable_folder(duel_sim: Command, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    outcome = duel_sim(*PLAY, "-n", 14, "--out", file)
    assert (outcome.code, outcome.out) == (2, "")
    assert "is a file; name a folder" in outcome.err
