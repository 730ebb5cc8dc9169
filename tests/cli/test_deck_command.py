"""`duel-sim deck`: check, show, diff, list, random, convert."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cards.ancient_duel.deck_files import read_deck
from cards.ancient_duel.decks import deck_kind, standard_deck, violations
from cards.ancient_duel.load import card_set
from cards.ancient_duel.shipped_decks import find_deck, shipped_decks

CARDS = card_set()
Command = Callable[..., Any]


def _json(outcome: Any, code: int = 0) -> Any:
    assert outcome.code == code, outcome.err
    return json.loads(outcome.out)


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.txt"
    path.write_text("4 Testudo\n1 Narrow Pass\n2 Decebalus, King of Dacia\n")
    return path


def test_check_lists_every_violation_with_its_rule_and_number(duel_sim: Command, bad: Path) -> None:
    shown = duel_sim("deck", "check", bad, "rome", "--matches-played", 2)
    assert shown.code == 1
    for line in (
        f"{bad}: not legal (coalition deck of Dacia with Rome and Sparta, 2 + 4 + 1 cards)",
        "  Size: 7 cards, exactly 40 needed",
        "  Copies: 4 of Testudo, at most 3 allowed",
        "  Commanders: 2 copies of Decebalus, King of Dacia, 1 allowed",
        "  Terrain: 0 of 1 are of the main faction Dacia, at least 1 needed",
        "  Factions: 2 + 4 + 1 cards, coalition means exactly 26 + 8 + 6",
        "  Open factions: Dacia opens after 15 matches, 2 played",
        "  Open factions: 2, a coalition deck needs 3",
        "rome: legal (pure deck of Rome, 40 cards)",
    ):
        assert line in shown.out.splitlines()
    found = _json(duel_sim("deck", "check", bad, "rome", "--json"), code=1)
    assert [each["legal"] for each in found] == [False, True]
    assert len(found[0]["violations"]) == 5 and found[1]["violations"] == []


def test_check_of_what_is_legal_ends_well(duel_sim: Command) -> None:
    assert duel_sim("deck", "check", *(each.id for each in shipped_decks(CARDS))).code == 0
    assert duel_sim("deck", "check", "dacia", "--matches-played", 15).code == 0
    assert duel_sim("deck", "check", "dacia", "--matches-played", 14).code == 1


def test_show_has_the_list_and_the_curves(duel_sim: Command) -> None:
    shown = duel_sim("deck", "show", "dacia-deserters").out
    for part in ("Deserters from the Legions", "legal", "Commanders", "Doctrines", "Falxmen"):
        assert part in shown
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert lines[-6:] == [
        "1 1",
        "2 ██ 2 2 ██ 2",
        "3 █████ 5 3 ███████████████ 15",
        "4 ██████████ 10 4 ███ 3",
        "5 ███ 3 5 ██ 2",
        "6 ██ 2",
    ]
    found = _json(duel_sim("deck", "show", "dacia-deserters", "--json"))
    assert found["curves"]["level"] == {"1": 0, "2": 2, "3": 5, "4": 10, "5": 3, "6": 2}
    assert sum(found["curves"]["energy"].values()) == 22
    assert sum(card["count"] for card in found["cards"]) == found["size"] == 40
    assert found["factions"] == {"dacia": 30, "rome": 10}
    assert "Воины с фальксами" in duel_sim("deck", "show", "dacia", "--russian").out


def test_show_of_an_illegal_list_says_so(duel_sim: Command, bad: Path) -> None:
    shown = duel_sim("deck", "show", bad)
    assert shown.code == 0
    assert "not legal: Size: 7 cards, exactly 40 needed" in shown.out


def test_diff(duel_sim: Command) -> None:
    lines = duel_sim("deck", "diff", "rome", "rome-testudo-wall").out.splitlines()
    assert lines[0] == "from Rome to Testudo Wall"
    assert "  +1 Hastati Line (2 to 3)" in lines
    assert "  -2 Orderly Relief" in lines
    assert lines[-1] == "8 out, 8 in, 32 kept"
    found = _json(duel_sim("deck", "diff", "rome", "rome-testudo-wall", "--json"))
    assert {"id": "orderly_relief", "a": 2, "b": 0}.items() <= next(
        each for each in found["changed"] if each["id"] == "orderly_relief"
    ).items()
    assert "same cards" in duel_sim("deck", "diff", "rome", "rome-standard").out


def test_list(duel_sim: Command) -> None:
    shown = duel_sim("deck", "list").out
    found = _json(duel_sim("deck", "list", "--json"))
    assert [each["id"] for each in found] == [each.id for each in shipped_decks(CARDS)]
    assert all(each["id"] in shown and each["name"] in shown for each in found)
    assert max(map(len, shown.splitlines())) <= 100
    only = _json(duel_sim("deck", "list", "--faction", "дакия", "--json"))
    assert {each["faction"] for each in only} == {"dacia"}


@pytest.mark.parametrize("kind", ["pure", "allied", "coalition"])
def test_random(duel_sim: Command, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "drawn.txt"
    printed = duel_sim("deck", "random", "--kind", kind, "--seed", 5).out
    path.write_text(printed, encoding="utf-8")
    deck = read_deck(path, CARDS)
    assert deck_kind(deck, CARDS) == kind
    assert "seed 5" in deck.name
    assert duel_sim("deck", "random", "--kind", kind, "--seed", 5).out == printed
    assert duel_sim("deck", "random", "--kind", kind, "--seed", 6).out != printed


def test_random_of_factions(duel_sim: Command, tmp_path: Path) -> None:
    path = tmp_path / "drawn.toml"
    written = duel_sim("deck", "random", "--factions", "Дакия, rome", "--out", path)
    assert (written.code, written.out) == (0, "")
    deck = read_deck(path, CARDS)
    assert (deck.faction, deck_kind(deck, CARDS)) == ("dacia", "allied")
    assert violations(deck, CARDS) == []


def test_convert_goes_to_and_fro(duel_sim: Command, tmp_path: Path) -> None:
    text, toml = tmp_path / "a.txt", tmp_path / "b.toml"
    assert duel_sim("deck", "convert", "dacia-deserters", text).code == 0
    assert "name: Deserters" in text.read_text(encoding="utf-8")
    printed = duel_sim("deck", "convert", text).out
    assert printed.startswith("name = ")
    toml.write_text(printed, encoding="utf-8")
    assert duel_sim("deck", "convert", toml).out == text.read_text(encoding="utf-8")
    assert read_deck(text, CARDS) == read_deck(toml, CARDS) == find_deck("dacia-deserters", CARDS)
    russian = duel_sim("deck", "convert", toml, "--russian", "--form", "toml").out
    assert '"Воины с фальксами" = 3' in russian
    toml.write_text(russian, encoding="utf-8")
    assert read_deck(toml, CARDS) == find_deck("dacia-deserters", CARDS)


def test_a_list_that_is_not_legal_can_be_converted(duel_sim: Command, bad: Path) -> None:
    assert '"Testudo" = 4' in duel_sim("deck", "convert", bad).out


def test_a_shipped_deck_is_named_like_a_faction(duel_sim: Command) -> None:
    found = _json(duel_sim("matchup", "rome-testudo-wall", "rome", "-n", 4, "--seed", 1, "--json"))
    assert (found["a"], found["b"]) == ("Testudo Wall", standard_deck(CARDS, "rome").name)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("check", "rome-testudo-wal"), "did you mean 'rome-testudo-wall'?"),
        (("check", "no.txt"), "no.txt: there is no such file"),
        (("check",), "Missing argument"),
        (("check", "rome", "--matches-played", "-1"), "--matches-played is -1"),
        (("check", "rome", "--matches-played", "x"), "'x' is no whole number"),
        (("show", "romee"), "did you mean"),
        (("diff", "rome"), "Missing argument 'B'"),
        (("list", "--faction", "roma"), "did you mean 'Rome'?"),
        (("random", "--kind", "pur"), "did you mean 'pure'?"),
        (("random", "--factions", "roma"), "did you mean 'Rome'?"),
        (("random", "--factions", "rome,rome"), "name 2 different ones"),
        (("random", "--kind", "pure", "--factions", "rome,dacia"), "name 1 different ones"),
        (("random", "--factions", ","), "no faction"),
        (("random", "--seed", "-1"), "the seed is -1"),
        (("random", "--out", "no/x.txt"), "cannot be written"),
        (("convert", "rome", "no/x.txt"), "cannot be written"),
        (("convert", "rome", "--form", "tml"), "did you mean 'toml'?"),
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
    outcome = duel_sim("deck", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert words in outcome.err
    assert outcome.err.count("\n") == 1
