"""docs/decks.md: every command on the page works, and so does its library example."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cards.ancient_duel.load import card_set
from cards.ancient_duel.shipped_decks import shipped_decks

PAGE = Path(__file__).resolve().parents[2] / "docs" / "decks.md"
#: Smaller runs of the same kind.
FEW = {"-n": "28", "--until": "20"}


def _blocks(language: str) -> Iterator[str]:
    page = PAGE.read_text(encoding="utf-8")
    yield from re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def _lines() -> list[str]:
    return [line for block in _blocks("sh") for line in block.splitlines() if line]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the page shows."""
    page = PAGE.read_text(encoding="utf-8")
    for name, text in re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", page, re.DOTALL):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("line", _lines())
def test_command(duel_sim: Callable[..., Any], folder: Path, line: str) -> None:
    arguments = shlex.split(line)[1:]
    for option, value in FEW.items():
        if option in arguments:
            arguments[arguments.index(option) + 1] = value
    if "--sprt" in arguments:
        arguments += ["--max-n", "400"]
    elif arguments[0] == "compare" and "-n" not in arguments:
        arguments += ["-n", FEW["-n"]]
    outcome = duel_sim(*arguments)
    assert outcome.code == 0, outcome.err
    assert outcome.out or "wrote" in outcome.err


def test_library_example(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = _blocks("python")
    exec(compile(code.replace("2_000", "40"), "decks.md", "exec"), {})
    assert "Difference(" in capsys.readouterr().out
    assert (folder / "compare.png").exists()


def test_every_shipped_deck_is_in_the_table() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for each in shipped_decks(card_set()):
        if not each.id.endswith("-standard"):
            assert re.search(rf"^\| `{each.id}` \|", page, re.MULTILINE), each.id
