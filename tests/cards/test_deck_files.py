"""Deck files: both forms, both languages, everything that can be wrong with one."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cards.ancient_duel.deck_files import (
    deck_as_text,
    parse_deck,
    read_deck,
    write_deck,
)
from cards.ancient_duel.decks import Deck, random_deck, standard_deck
from cards.ancient_duel.load import card_set
from cards.ancient_duel.shipped_decks import find_deck
from cards.errors import InputError
from cards.names import unprintable

CARDS = card_set()
ROME = standard_deck(CARDS, "rome")


def save(tmp_path: Path, text: str | bytes, name: str = "deck.txt") -> Path:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("name", ["deck.toml", "deck.txt", "deck"])
@pytest.mark.parametrize("faction", ["rome", "dacia"])
def test_write_and_read_back(tmp_path: Path, name: str, faction: str) -> None:
    deck = standard_deck(CARDS, faction)
    write_deck(deck, tmp_path / name, CARDS)
    assert read_deck(tmp_path / name, CARDS) == deck


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    kind=st.sampled_from(["pure", "allied", "coalition"]),
    name=st.text(st.characters(codec="utf-8"), min_size=1, max_size=60).filter(
        lambda name: not unprintable(" ".join(name.split()))
    ),
    form=st.sampled_from(["toml", "txt"]),
)
def test_any_deck_with_any_name_survives(seed: int, kind: str, name: str, form: str) -> None:
    made = random_deck(CARDS, np.random.default_rng(seed), kind)
    deck = Deck(" ".join(name.split()) or "deck", made.faction, made.cards)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"deck.{form}"
        write_deck(deck, path, CARDS)
        assert read_deck(path, CARDS) == deck


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_deck(ROME, tmp_path / "no" / "deck.txt", CARDS)


@pytest.mark.parametrize(
    ("line", "card", "count"),
    [
        ("2 Hastati Line", "hastati_line", 2),
        ("2x Линия гастатов", "hastati_line", 2),
        ("2х Линия гастатов", "hastati_line", 2),  # a Cyrillic х
        ("2 × Hastati Line", "hastati_line", 2),
        ("Hastati Line ×2", "hastati_line", 2),
        ("Hastati Line×2", "hastati_line", 2),
        ("Hastati Line x2", "hastati_line", 2),
        ("Hastati Line x 3", "hastati_line", 3),
        ("Hastati Line (2)", "hastati_line", 2),
        ("Hastati Line", "hastati_line", 1),
        ("hastati_line", "hastati_line", 1),
        ("  ЛИНИЯ  ГАСТАТОВ  # a comment", "hastati_line", 1),
        ("- 3 hastati line", "hastati_line", 3),
        ("* Hastati Line", "hastati_line", 1),
        ("2 Храмовая стража", "temple_guard", 2),  # its own name begins with an х
        ("2 х Храмовая стража", "temple_guard", 2),
        ("1 Ramesses, Lord of the Two Lands", "ramesses_lord_of_the_two_lands", 1),
        ("3 Shield Bearer Youths", "shield_bearer_youths", 3),
        ("2 Pharaoh’s General", "pharaohs_general", 2),
    ],
)
def test_a_line(tmp_path: Path, line: str, card: str, count: int) -> None:
    deck = parse_deck(save(tmp_path, f"# pasted\n\n{line}\n"), CARDS)
    assert deck.cards == ((card, count),)
    assert deck.faction == CARDS.by_id[card].faction


def test_every_card_can_be_listed_in_both_languages(tmp_path: Path) -> None:
    for card in CARDS.cards:
        for line in (f"2 {card.name_en}", f"{card.name_ru} ×2", f"2x {card.id}"):
            assert parse_deck(save(tmp_path, line), CARDS).cards == ((card.id, 2),)


def test_lines_of_one_card_add_up(tmp_path: Path) -> None:
    deck = parse_deck(save(tmp_path, "Testudo\n2 testudo\nТестудо"), CARDS)
    assert deck.cards == (("testudo", 4),)


def test_heads(tmp_path: Path) -> None:
    deck = parse_deck(save(tmp_path, "name: My #1\nfaction: Рим # main\n2 Falxmen"), CARDS)
    assert (deck.name, deck.faction) == ("My #1", "rome")
    deck = parse_deck(save(tmp_path, "name: My #1   # of two\n2 Falxmen"), CARDS)
    assert deck.name == "My #1"
    deck = parse_deck(save(tmp_path, "Название: Щиты\nФракция = sparta\n2 Falxmen"), CARDS)
    assert (deck.name, deck.faction) == ("Щиты", "sparta")
    assert parse_deck(save(tmp_path, "2 Falxmen", "wolves.txt"), CARDS).name == "wolves"


def test_the_main_faction_is_found(tmp_path: Path) -> None:
    most = parse_deck(save(tmp_path, "3 Falxmen\n2 Testudo"), CARDS)
    assert most.faction == "dacia"
    commanders = parse_deck(save(tmp_path, "3 Falxmen\nTrajan, Imperial Vanguard"), CARDS)
    assert commanders.faction == "rome"
    both = "3 Falxmen\nTrajan, Imperial Vanguard\nDecebalus, King of Dacia"
    assert parse_deck(save(tmp_path, both), CARDS).faction == "dacia"
    assert parse_deck(save(tmp_path, "Falxmen\nTestudo"), CARDS).faction == "rome"


def test_a_toml_deck_under_any_name(tmp_path: Path) -> None:
    text = deck_as_text(ROME, CARDS, "toml")
    assert read_deck(save(tmp_path, text, "deck.txt"), CARDS) == ROME
    assert read_deck(save(tmp_path, b"\xef\xbb\xbf" + text.encode(), "d.toml"), CARDS) == ROME
    without = text.replace('faction = "Rome"', "").replace('name = "Rome"', "")
    assert read_deck(save(tmp_path, without, "rome.toml"), CARDS).faction == "rome"


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("deck.txt", b"", "has no cards; write one card a line"),
        ("deck.txt", b"# only a comment\n\n", "has no cards"),
        ("deck.toml", b"", "has no cards"),
        ("deck.toml", b"[cards]\n", "has no cards"),
        ("deck.txt", "2 Тестудо".encode("cp1251"), "is not UTF-8 text (byte"),
        ("deck.txt", "2 Testudo".encode("utf-16"), "is not UTF-8 text"),
        ("deck.txt", b"\x00\x01", "line 1: no card is called"),
        ("deck.txt", b"2 Testudo\n2 Testodo", "line 2: no card is called 'Testodo'; did you mean"),
        ("deck.txt", b"0 Testudo", "line 1: '0' is no number of copies"),
        ("deck.txt", b"99999999 Testudo", "is no number of copies"),
        ("deck.txt", b"2", "line 1: no card is called '2'"),
        ("deck.txt", b"faction: Roma\n2 Testudo", "no faction is called 'Roma'; did you mean"),
        ("deck.txt", b"2 Testudo", "not legal: Size: 2 cards"),
        ("deck.toml", b"[cards", "is not TOML"),
        ("deck.toml", b"cards = 3", "cards: is no table"),
        ("deck.toml", b"card = {}", "no key 'card' in a deck; did you mean 'cards'?"),
        ("deck.toml", b"[cards]\nTestudo = 0", "cards, Testudo: is '0', not a number of copies"),
        ("deck.toml", b"[cards]\nTestudo = true", "not a number of copies"),
        ("deck.toml", b"[cards]\nTestudo = '2'", "not a number of copies"),
        ("deck.toml", b"[cards]\nTestodo = 2", "cards: no card is called 'Testodo'; did you mean"),
        ("deck.toml", b"name = 3\n[cards]\nTestudo = 2", "name: is '3', not a text"),
        ("deck.toml", b"faction = 3\n[cards]\nTestudo = 2", "faction: is '3', not a text"),
        ("deck.toml", b"faction = 'x'\n[cards]\nTestudo = 2", "no faction is called 'x'; known"),
    ],
)
def test_a_wrong_file(tmp_path: Path, name: str, data: bytes, told: str) -> None:
    path = save(tmp_path, data, name)
    with pytest.raises(InputError) as caught:
        read_deck(path, CARDS)
    line = str(caught.value)
    assert told in line
    assert line.startswith(str(path))
    assert "\n" not in line


def test_all_violations_are_in_the_one_line(tmp_path: Path) -> None:
    path = save(tmp_path, "4 Testudo\n1 Narrow Pass")
    with pytest.raises(InputError) as caught:
        read_deck(path, CARDS)
    for rule in ("Size: 5", "Copies: 4 of Testudo", "Commanders: 0", "Terrain: 0 of 1", "4 + 1"):
        assert rule in str(caught.value)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read_deck(tmp_path / "none.txt", CARDS)
    with pytest.raises(InputError, match="is a folder"):
        read_deck(tmp_path, CARDS)


def test_a_huge_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is too large"):
        read_deck(save(tmp_path, b"# \n" * 2_000_000), CARDS)


def test_find_deck(tmp_path: Path) -> None:
    assert find_deck("Rome", CARDS) == find_deck("рим", CARDS) == ROME
    path = tmp_path / "mine.txt"
    write_deck(ROME, path, CARDS)
    assert find_deck(str(path), CARDS) == ROME


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Romme", "'Romme' is no faction, no shipped deck and no deck file; did you mean 'Rome'?"),
        ("xyz", "factions: rome, sparta, macedon"),
        ("", "'' is no faction, no shipped deck and no deck file"),
        ("nowhere/deck.txt", "nowhere/deck.txt: there is no such file"),
        ("a\x00b", "is no faction, no shipped deck and no deck file"),
        ("a\x00b.txt", "cannot be read"),
        ("x" * 10_000, "is no faction, no shipped deck and no deck file"),
    ],
)
def test_find_deck_finds_nothing(text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        find_deck(text, CARDS)
    assert told in str(caught.value)


# --- whatever is in the file, it is a deck or one clear line --------------------------------------

NAMES = st.sampled_from([n for card in CARDS.cards for n in (card.id, card.name_en, card.name_ru)])
COUNTS = st.one_of(st.integers(-5, 50), st.integers()).map(str)
LINES = st.one_of(
    NAMES,
    st.text(max_size=30),
    st.builds("{} {}".format, COUNTS, NAMES),
    st.builds("{} x{}".format, NAMES, COUNTS),
    st.builds("{}×{}".format, NAMES, COUNTS),
    st.builds('"{}" = {}'.format, NAMES, COUNTS),
    st.builds("faction: {}".format, st.text(max_size=10)),
    st.sampled_from(["[cards]", "[[cards]]", "cards = [", 'name = "x"', "# c", "name:", "cards=1"]),
)


def deck_or_line(data: bytes, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        for read in (parse_deck, read_deck):
            try:
                assert isinstance(read(path, CARDS), Deck)
            except InputError as error:
                assert "\n" not in str(error)
                assert str(error).startswith(str(path))


FILE_NAMES = st.sampled_from(["deck.txt", "deck.toml", "deck"])


@settings(max_examples=300, deadline=None)
@given(data=st.binary(max_size=300), name=FILE_NAMES)
@example(data=b"\xff\xfe", name="deck.txt")
@example(data=b"a = " + b"[" * 3000, name="deck.toml")
@example(data=b"[cards]\na = " + b"[" * 3000, name="deck.txt")
@example(data=b"9" * 5000 + b" Testudo", name="deck.txt")
@example(data=b"[cards]\nTestudo = " + b"9" * 5000, name="deck.toml")
@example(data="٣ Testudo".encode(), name="deck.txt")
@example(data=b"x " * 20_000, name="deck.txt")
def test_any_bytes(data: bytes, name: str) -> None:
    deck_or_line(data, name)


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=300), name=FILE_NAMES)
def test_any_text(text: str, name: str) -> None:
    deck_or_line(text.encode("utf-8", "surrogatepass"), name)


@settings(max_examples=300, deadline=None)
@given(lines=st.lists(LINES, max_size=12), name=FILE_NAMES)
def test_nearly_right_decks(lines: list[str], name: str) -> None:
    deck_or_line("\n".join(lines).encode("utf-8", "surrogatepass"), name)
