"""Names that would be markup, formulas or paths somewhere: everywhere they are names."""

from __future__ import annotations

import xml.dom.minidom
from pathlib import Path

import pytest
from bad_input import CARD_FILES

from cards.ancient_duel.deck_files import deck_as_text
from cards.ancient_duel.decks import standard_deck
from cards.ancient_duel.load import amended_card_set
from sim.cli import main

NAME = r"../<script>x</script>$\frac$[/red]:smile:&"
RUN = ("--strategy", "random", "--workers", "1", "--seed", "1")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """A faction file and a deck file that are full of such names."""
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")
    text = (CARD_FILES / "rome.toml").read_text(encoding="utf-8")
    for name in ("Rome", "Hastati Line", "Testudo"):
        assert f'name_en = "{name}"' in text
        text = text.replace(f'name_en = "{name}"', f"name_en = '{name} {NAME}'")
    cards = tmp_path / "in" / "rome.toml"
    cards.write_text(text, encoding="utf-8")
    known = amended_card_set([cards])
    deck = deck_as_text(standard_deck(known, "rome"), known, "text").splitlines()
    path = tmp_path / "in" / "deck.txt"
    path.write_text("\n".join([f"name: {NAME}", *deck[1:]]), encoding="utf-8")
    return str(cards), str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main(list(arguments)) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_on_the_terminal(capsys: pytest.CaptureFixture[str], files: tuple[str, str]) -> None:
    cards, deck = files
    decks = (deck, "sparta")
    one = "[/red]"  # what is left of a name in a narrow column
    assert NAME in run(capsys, "cards", "--cards", cards, "--faction", "rome")
    assert NAME in run(capsys, "deck", "show", deck, "--cards", cards)
    assert NAME in run(capsys, "deck", "diff", deck, "sparta", "--cards", cards)
    assert NAME in run(capsys, "watch", *decks, "--cards", cards, *RUN[:2], *RUN[4:])
    assert NAME in run(capsys, "matchup", *decks, "-n", "4", "--cards", cards, *RUN)
    changed = ("--set", "rule.hand_limit=6", "--json")
    assert one in run(capsys, "matchup", *decks, "-n", "4", "--cards", cards, *RUN, *changed)
    lists = ("--decks", f"{deck},rome,sparta")
    assert "<script>" in run(capsys, "matrix", *lists, "-n", "2", "--cards", cards, *RUN)


def test_in_charts_and_on_the_page(
    capsys: pytest.CaptureFixture[str], files: tuple[str, str], tmp_path: Path
) -> None:
    cards, deck = files
    lists = ("--decks", f"{deck},rome", "-n", "2", "--cards", cards, *RUN)
    run(capsys, "matchup", deck, "sparta", *lists[2:], "--chart", "matchup.svg")
    run(capsys, "matrix", *lists, "--chart", "matrix.svg", "--out", "tables")
    run(capsys, "report", *lists, "-o", "report")
    for chart in [*Path().glob("*.svg"), *Path("report").rglob("*.svg")]:
        xml.dom.minidom.parse(str(chart))
    page = Path("report/index.html").read_text(encoding="utf-8")
    assert "<script>x" not in page
    assert "&lt;script&gt;x" in page
    # nothing was written beside the folder in which it belongs
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]
    assert sorted(path.name for path in (tmp_path / "in").iterdir()) == ["deck.txt", "rome.toml"]
