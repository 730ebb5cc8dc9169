"""Deck files in all their forms, and the names of decks."""

from __future__ import annotations

import tempfile
from pathlib import Path

from bad_input import CARD_FILES, JUNK, as_bytes, documents, ends, fuzzed, mutated, taken
from hypothesis import given
from hypothesis import strategies as st

from cards.ancient_duel.deck_files import deck_as_text, parse_deck
from cards.ancient_duel.decks import Deck, standard_deck, violations
from cards.ancient_duel.load import card_set
from cards.ancient_duel.rules import RuleSet
from cards.ancient_duel.shipped_decks import look_up
from sim.field import decks_of

CARDS = card_set()
ROME = standard_deck(CARDS, "rome")
FILES = [
    *(file.read_text(encoding="utf-8") for file in sorted((CARD_FILES / "decks").iterdir())[::6]),
    deck_as_text(ROME, CARDS, "text"),
    deck_as_text(ROME, CARDS, "text", russian=True),
    deck_as_text(ROME, CARDS, "toml"),
    "- 2x Hastati Line\n* Testudo ×2 # two\n3 × legion_eagle\nHastati (2)\nФракция = Рим\n",
]
WORDS = [
    "name:",
    "faction:",
    "×",
    "x",
    "х",
    "(2)",
    "9999",
    "99999",
    "-3",
    "2",
    "[cards]",
    "Рим",
    "#",
]
NAMES = ["deck.toml", "deck.txt", "deck", "☃ $x$ [red].txt", "a\nb.toml", "\udcff\x1b.txt"]


def load(data: bytes, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        told = str(path) if name.isprintable() else folder
        deck = taken(lambda: parse_deck(path, CARDS), told if name.isprintable() else "")
    if deck is not None:
        use(deck)


def use(deck: Deck) -> None:
    """A deck that was taken can be told, written and read again, and played where it is legal."""
    assert deck.name.isprintable() and deck.name.strip()
    broken = violations(deck, CARDS)
    assert all(line.isprintable() for line in broken)
    with tempfile.TemporaryDirectory() as folder:
        for form in ("toml", "text"):
            path = Path(folder) / f"again.{form}"
            path.write_text(deck_as_text(deck, CARDS, form), encoding="utf-8")
            assert parse_deck(path, CARDS) == deck
    if not broken:
        ends(CARDS, RuleSet(), [deck, ROME], 1)


@fuzzed(100)
@given(
    st.one_of(
        st.binary(max_size=200),
        as_bytes(documents(["name", "faction", "cards", "hastati_line", '"Hastati Line"'])),
        as_bytes(st.text(max_size=200)),
    ),
    st.sampled_from(NAMES),
)
def test_any_document(data: bytes, name: str) -> None:
    load(data, name)


@fuzzed(150)
@given(as_bytes(mutated(FILES, WORDS)), st.sampled_from(NAMES))
def test_changed_files(data: bytes, name: str) -> None:
    load(data, name)


@fuzzed(100)
@given(st.text(max_size=100) | st.sampled_from(JUNK) | st.sampled_from(FILES))
def test_any_name_of_a_deck(text: str) -> None:
    deck = taken(lambda: look_up(text, CARDS))
    assert deck is None or deck.size == 40


@fuzzed(60)
@given(st.lists(st.sampled_from([*JUNK, "rome", "all", "", " ", ","]), max_size=30))
def test_any_list_of_decks(parts: list[str]) -> None:
    found = taken(lambda: decks_of(",".join(parts), CARDS))
    assert found is None or 1 <= len(found) <= 100
