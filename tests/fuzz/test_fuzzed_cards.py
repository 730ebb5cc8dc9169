"""Faction files: any of them plays, or is refused by a line."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from bad_input import CARD_FILES, JUNK, as_bytes, documents, ends, fuzzed, mutated, taken
from hypothesis import given
from hypothesis import strategies as st

from cards.ancient_duel import vocabulary
from cards.ancient_duel.decks import random_deck
from cards.ancient_duel.load import CardSet, amended_card_set
from cards.ancient_duel.model import Card, Effect, Filter, Static, Step
from cards.ancient_duel.pack import pack
from cards.ancient_duel.rules import RuleSet
from cards.errors import InputError

FILES = [
    (CARD_FILES / f"{name}.toml").read_text(encoding="utf-8")
    for name in ("rome", "sparta", "persia", "egypt")
]
WORDS = [
    f'"{word}"'
    for words in (
        *(vocabulary.WHENS, vocabulary.WINDOWS, vocabulary.WHOS, vocabulary.STEPS),
        *(vocabulary.CONDITIONS, vocabulary.TAGS, vocabulary.GRANTS, vocabulary.ZONES),
        *(vocabulary.POSITIONS, vocabulary.SIDES, vocabulary.MOVES, vocabulary.UNTILS),
    )
    for word in words
]
KEYS = [
    field.alias or name
    for model in (Card, Effect, Static, Step, Filter)
    for name, field in model.model_fields.items()
] + ["faction", "card"]


def load(data: bytes) -> CardSet | None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "changed.toml"
        path.write_bytes(data)

        def read() -> CardSet:
            found = amended_card_set([path])
            pack(found, RuleSet())
            return found

        return taken(read, str(path))


def play(cards: CardSet, seed: int) -> None:
    """A duel of a random deck of the changed faction against another one."""
    changed = next((f.id for f in cards.factions if f.id not in ("carthage", "dacia")), "")
    rng = np.random.default_rng(seed)
    try:
        decks = [random_deck(cards, rng, "pure", [name]) for name in (changed, "dacia")]
    except InputError:  # too few cards, or no commander left
        return
    ends(cards, RuleSet(), decks, seed)


@fuzzed(60)
@given(st.binary(max_size=200) | as_bytes(documents(KEYS)))
def test_any_document(data: bytes) -> None:
    load(data)


@fuzzed(120)
@given(as_bytes(mutated(FILES, WORDS)), st.integers(0, 2**32))
def test_changed_files(data: bytes, seed: int) -> None:
    cards = load(data)
    if cards is not None:
        play(cards, seed)


@fuzzed(10)
@given(st.sampled_from(JUNK), st.sampled_from(["id", "name_en", "text", "level", "copies"]))
def test_any_value_of_a_key(value: str, key: str) -> None:
    lines = [
        f"{key} = {value}" if line.startswith(f"{key} =") else line for line in FILES[0].split("\n")
    ]
    load("\n".join(lines).encode())
