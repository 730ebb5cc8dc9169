"""Whatever is wrong with what the user wrote: one line, exit code 2, nothing on stdout."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

MATCHUP = ("matchup", "rome", "sparta", "-n", "2")

CASES: dict[str, tuple[tuple[str, ...], str]] = {
    "faction": (("matchup", "roma", "sparta"), "did you mean 'Rome'?"),
    "deck file": (("matchup", "rome", "no-such.txt"), "there is no such file"),
    "n of zero": (("matchup", "rome", "sparta", "-n", "0"), "(n) is 0"),
    "n below zero": (("matchup", "rome", "sparta", "-n", "-5"), "(n) is -5"),
    "n no number": (("matchup", "rome", "sparta", "-n", "many"), "'many' is no whole number"),
    "n not whole": (("matchup", "rome", "sparta", "-n", "1.5"), "'1.5' is no whole number"),
    "n too large": (("matchup", "rome", "sparta", "-n", "9" * 30), "1000000000000"),
    "no n": (("matchup", "rome", "sparta", "-n"), "'-n' requires an argument"),
    "one deck": (("matchup", "rome"), "Missing argument 'B'"),
    "three decks": (("matchup", "rome", "sparta", "dacia"), "unexpected extra argument"),
    "seed": ((*MATCHUP, "--seed", "x"), "'--seed': 'x' is no whole number"),
    "seed below zero": ((*MATCHUP, "--seed", "-1"), "the seed is -1"),
    "workers": ((*MATCHUP, "--workers", "0"), "the number of workers is 0"),
    "strategy": ((*MATCHUP, "--strategy", "gredy"), "did you mean 'greedy'?"),
    "one side's strategy": ((*MATCHUP, "--strategy-b", "nobody"), "no strategy is called"),
    "parameter": ((*MATCHUP, "--strategy", "random:x=1"), "has no parameter 'x'"),
    "rule": ((*MATCHUP, "--rule", "hand_limt=3"), "did you mean 'hand_limit'?"),
    "rule without value": ((*MATCHUP, "--rule", "hand_limit"), "write key=value"),
    "rule value": ((*MATCHUP, "--rule", "hand_limit=many"), "hand_limit"),
    "rule range": ((*MATCHUP, "--rule", "starting_lp=0"), "starting_lp"),
    "rules file": ((*MATCHUP, "--rules", "no.toml"), "no.toml: there is no such file"),
    "cards file": ((*MATCHUP, "--cards", "no.toml"), "no.toml: there is no such file"),
    "chart suffix": ((*MATCHUP, "--chart", "x.pdf"), ".png or .svg"),
    "chart without suffix": ((*MATCHUP, "--chart", "x"), ".png or .svg"),
    "chart place": ((*MATCHUP, "--chart", "no/x.png"), "no/x.png: cannot be written"),
    "option": ((*MATCHUP, "--sed", "1"), "--seed"),
    "command": (("matchp",), "matchup"),
    "card": (("cards", "hastatti line"), "did you mean 'Hastati Line'?"),
    "faction of cards": (("cards", "--faction", "sprta"), "did you mean 'Sparta'?"),
    "type of cards": (("cards", "--type", "terain"), "did you mean 'terrain'?"),
    "duel number": (("watch", "rome", "sparta", "--duel", "-1"), "numbered from 0"),
    "scenario": (("scenario", "run", "no.toml"), "no.toml"),
    "bench strategy": (("bench", "--strategies", "gredy"), "did you mean 'greedy'?"),
    "bench seconds": (("bench", "--seconds", "0"), "--seconds is 0"),
    "bench revision": (("bench", "--against", "no such one"), "checkout"),
    "bench pairs": (("bench", "--against", "HEAD", "--pairs", "1"), "from 2 to 1000"),
    "bench pairs of what": (("bench", "--pairs", "4"), "add --against REV"),
    "bench limit of what": (("bench", "--fail-above", "4"), "add --against REV"),
    "bench limit": (("bench", "--against", "HEAD", "--fail-above", "-1"), "from 0 to 1000"),
    "bench profile": (("bench", "--profile", "--against", "HEAD"), "do not go together"),
}


@pytest.mark.parametrize(("arguments", "words"), CASES.values(), ids=CASES.keys())
def test_one_line(
    duel_sim: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = duel_sim(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert words in outcome.err
    assert outcome.err.count("\n") == 1
    assert outcome.err.startswith(("duel-sim: error: ", "error: "))
    assert "Traceback" not in outcome.err


FILES: dict[str, tuple[str, bytes, str]] = {
    "empty deck": ("deck.txt", b"", "has no cards"),
    "deck not in UTF-8": ("deck.txt", b"2 \xff\xfe", "is not UTF-8"),
    "illegal deck": ("deck.txt", b"2 Hastati Line\n", "the deck is not legal"),
    "deck with an unknown card": ("deck.txt", b"2 Hastati Lime\n", "did you mean 'Hastati Line'?"),
    "deck that is no TOML": ("deck.toml", b"[cards", "is not TOML"),
}


@pytest.mark.parametrize(("name", "data", "words"), FILES.values(), ids=FILES.keys())
def test_deck_files(
    duel_sim: Callable[..., Any], tmp_path: Path, name: str, data: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    outcome = duel_sim("matchup", path, "sparta", "-n", 2)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert words in outcome.err
    assert str(path) in outcome.err


CARD_FILES: dict[str, tuple[str, str, str]] = {
    "unknown key": ("level = 2", "levl = 2", "levl"),
    "unknown condition": ('when = "use"', 'when = "use"\nif = [{ sees = {} }]', "sees"),
    "unknown step": ("{ choose =", "{ chose =", "chose"),
    "missing stat": ("energy = 2\n", "", "energy"),
    "duplicate id": ('id = "consular_cavalry"', 'id = "hastati_line"', "hastati_line"),
}


@pytest.mark.parametrize(("old", "new", "words"), CARD_FILES.values(), ids=CARD_FILES.keys())
def test_card_files(
    duel_sim: Callable[..., Any], tmp_path: Path, top: Path, old: str, new: str, words: str
) -> None:
    text = (top / "cards/ancient_duel/rome.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "rome.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    outcome = duel_sim(*MATCHUP, "--cards", path)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert words in outcome.err
    assert str(path) in outcome.err


def test_places_are_tried_before_the_run(duel_sim: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    huge = ("matchup", "rome", "sparta", "-n", 10**11)
    for option, place in (
        ("--out", file),
        ("--out", file / "below"),
        ("--chart", file / "x.png"),
        ("--chart", tmp_path / "none" / "x.svg"),
    ):
        outcome = duel_sim(*huge, option, place)
        assert (outcome.code, outcome.err.count("\n")) == (2, 1)
        assert str(place) in outcome.err
    folder = tmp_path / "x.png"
    folder.mkdir()
    assert "is a folder" in duel_sim(*huge, "--chart", folder).err


def test_a_closed_pipe_is_quiet(environment: Callable[..., dict[str, str]]) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "sim", "cards", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as program:
        assert program.stdout is not None and program.stderr is not None
        os.read(program.stdout.fileno(), 10)
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait() in (0, 1)


def test_help_is_no_error(duel_sim: Callable[..., Any]) -> None:
    for arguments in ((), ("--help",), ("scenario",), ("matchup", "--help")):
        outcome = duel_sim(*arguments)
        assert (outcome.code, outcome.err) == (0, "")
        assert "Usage: duel-sim" in outcome.out
