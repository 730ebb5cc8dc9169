"""The command line with any arguments and any files: what it prints, and its exit code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bad_input import CARD_FILES, JUNK, TOP, as_bytes, check_line, documents, fuzzed, mutated
from hypothesis import given
from hypothesis import strategies as st

from sim.cli import main

RUN = ("-n", "2", "--strategy", "random", "--workers", "1", "--seed", "1")
MATCHUP = ("matchup", "rome", "sparta", *RUN)
#: Commands with a place for an argument.
WITH_TEXT = (
    ("matchup", "{}", "sparta", *RUN),
    (*MATCHUP, "--rule", "{}"),
    (*MATCHUP, "--rule", "hand_limit={}"),
    (*MATCHUP, "--set", "{}"),
    (*MATCHUP, "--set", "rome.hastati_line.atk={}"),
    (*MATCHUP, "--strategy-b", "{}"),
    (*MATCHUP, "--strategy-b", "random:{}"),
    (*MATCHUP, "--seed", "{}"),
    (*MATCHUP, "--workers", "{}"),
    (*MATCHUP, "--chart", "{}"),
    (*MATCHUP, "--no-such-option", "{}"),
    ("matrix", "--decks", "{},nobody", *RUN),
    ("sensitivity", "{}", "--against", "nobody", *RUN),
    ("compare", "{}", "nobody", "--against", "rome"),
    ("tournament", "{}", "nobody"),
    ("odds", "{}", "-n", "2"),
    ("watch", "{}", "sparta", "--seed", "1"),
    ("watch", "rome", "nobody", "--duel", "{}"),
    ("scenario", "run", "{}"),
    ("cards", "{}"),
    ("cards", "--faction", "{}"),
    ("cards", "--type", "{}"),
    ("deck", "show", "{}"),
    ("deck", "check", "{}", "--matches-played", "{}"),
    ("deck", "diff", "rome", "{}"),
    ("deck", "random", "--kind", "{}"),
    ("deck", "random", "--factions", "{}", "--seed", "{}"),
    ("deck", "convert", "rome", "--form", "{}"),
    ("bench", "--seconds", "{}", "--strategies", "nobody"),
    ("strategy", "{}"),
    ("{}",),
)
CARDS = [(CARD_FILES / "sparta.toml").read_text(encoding="utf-8")]
DECKS = [file.read_text(encoding="utf-8") for file in sorted((CARD_FILES / "decks").iterdir())[:2]]
SCENARIOS = [
    file.read_text(encoding="utf-8")
    for file in sorted((TOP / "tests/scenarios").rglob("*.toml"))[::40]
]
#: Commands with a place for a file, and files that are right but for the changes.
WITH_FILE = (
    ((*MATCHUP, "--cards", "{}"), CARDS),
    (("cards", "--cards", "{}"), CARDS),
    (("deck", "check", "sparta", "--cards", "{}"), CARDS),
    ((*MATCHUP, "--rules", "{}"), ["hand_limit = 6\nstarting_lp = 30\nreposition = false\n"]),
    ((*MATCHUP, "--patch", "{}"), ["[rome.testudo]\nstatic.def = 2\n[rule]\nhand_limit = 6\n"]),
    (("matchup", "{}", "rome", *RUN), DECKS),
    (("deck", "show", "{}"), DECKS),
    (("deck", "check", "{}"), DECKS),
    (("deck", "convert", "{}"), DECKS),
    (("scenario", "run", "{}"), SCENARIOS),
    (("scenario", "check", "{}"), SCENARIOS),
    (("odds", "{}", "-n", "2", "--strategy", "random", "--seed", "1"), SCENARIOS),
)
#: What is said once, in good time: that something is compiled.
FIRST_RUN = ("duel-sim: first run", "duel-sim: compiled in")
KEYS = ["faction", "card", "cards", "name", "id", "a", "b", "duel", "do", "rule", "hand_limit"]


@pytest.fixture(autouse=True)
def _somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    """One command: it does what was asked for, or says in one line why it does not."""
    capsys.readouterr()
    code = main(arguments)
    printed = capsys.readouterr()
    lines = printed.err.splitlines(keepends=True)
    notes = [line for line in lines if not line.startswith(FIRST_RUN)]
    told = (arguments, code, printed.err)
    if code == 2 and arguments[:2] != ["scenario", "check"]:
        assert printed.out == "", told
        assert len(notes) == 1 and notes[0].endswith("\n"), told
        assert notes[0].startswith("duel-sim: error: "), told
        check_line(notes[0][:-1])
        return
    assert code in (0, 1, 2), told
    assert code == 0 or arguments[:2] in (["deck", "check"], ["scenario", "check"]), told
    assert not any(letter in printed.out for letter in "\x1b\x07\u202e"), told


#: What an argument can be: no number that would ask for a run of a week.
TEXTS = st.one_of(
    st.sampled_from([text for text in JUNK if "\x00" not in text]),
    st.text(st.characters(exclude_characters="\x00", codec="utf-8"), max_size=30),
    st.sampled_from(["", "rome", "no/such.toml", "/dev/null", "-", "--", "\udcff", "nan", "1e999"]),
).filter(lambda text: not text.startswith(("-h", "--h")))


@fuzzed(100)
@given(template=st.sampled_from(WITH_TEXT), text=TEXTS)
def test_any_argument(
    capsys: pytest.CaptureFixture[str], template: tuple[str, ...], text: str
) -> None:
    check(capsys, [part.replace("{}", text) for part in template])


@fuzzed(100)
@given(data=st.data(), command=st.sampled_from(WITH_FILE))
def test_any_file(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    data: st.DataObject,
    command: tuple[tuple[str, ...], list[str]],
) -> None:
    template, texts = command
    path = tmp_path / data.draw(st.sampled_from(["x.toml", "x.txt", "ä [b] $x$.toml"]))
    path.write_bytes(
        data.draw(
            st.one_of(
                as_bytes(mutated(texts)),
                as_bytes(mutated(texts)),
                as_bytes(documents(KEYS)),
                st.binary(max_size=60),
            )
        )
    )
    check(capsys, [part.replace("{}", str(path)) for part in template])


@pytest.mark.parametrize(
    ("arguments", "data"),
    [
        (("matchup", "rome", "{}", "-n", "2"), b"2 Hastati Line\n\x1b[31m3 Red\n"),
        (("cards", "--cards", "{}"), b'[faction]\nid = "\\u001b[2J"\n'),
        (("scenario", "run", "{}"), b"do = [" + b"[" * 100_000),
        (("deck", "check", "{}"), b"name: \xff\xfe\n"),
    ],
)
def test_as_a_process(tmp_path: Path, arguments: tuple[str, ...], data: bytes) -> None:
    path = tmp_path / "bad input.toml"
    path.write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-m", "sim", *(part.replace("{}", str(path)) for part in arguments)],
        capture_output=True,
        cwd=TOP,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    line = done.stderr.decode()
    assert line.count("\n") == 1 and line.endswith("\n")
    check_line(line[:-1], f"duel-sim: error: {path}")
