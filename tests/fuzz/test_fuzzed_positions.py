"""Scenario files and positions: played to their end, or refused by a line."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from bad_input import JUNK, TOP, as_bytes, documents, fuzzed, mutated, taken
from hypothesis import given
from hypothesis import strategies as st

from cards.ancient_duel.load import card_set
from cards.files import read_toml
from sim.ancient_duel import position
from sim.ancient_duel.notation import parse_line
from sim.ancient_duel.scenario import run_scenario
from sim.ancient_duel.unknown_cards import separate

CARDS = card_set()
FILES = [
    file.read_text(encoding="utf-8")
    for file in sorted((TOP / "tests/scenarios").rglob("*.toml"))[::9]
] + [
    'do = ["end"]\n[a]\nhand = ["?", "testudo", "?"]\nunits = ["? face-down", "hastati_line"]\n'
    '[b]\nhand = 3\ndeck = 12\nsupport = ["? face-down"]\nunits = ["falxmen"]\n'
]
KEYS = [
    *("game", "about", "do", "duel", "a", "b", "expect", "rules", "hand_limit", "winner"),
    *position.DUEL_KEYS,
    *position.SIDE_KEYS,
]
WORDS = [
    *('"?"', '"? face-down"', '"hastati_line#2 defence"', '"testudo on 1"', '"legion_eagle on 9"'),
    *('"attack hastati_line -> a:falxmen#1"', '"! end"', '"choose"', '"->"', '"take deck:testudo"'),
]
LINES = ["attack a:hastati_line#2 -> b:falxmen", "respond testudo", "choose defence", "! end"]


def write(folder: str, data: bytes) -> Path:
    path = Path(folder) / "position.toml"
    path.write_bytes(data)
    return path


def try_both(data: bytes) -> None:
    """Play the file as a scenario, and take it as a position of which not all is known."""
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, data)
        outcome = taken(lambda: run_scenario(path), str(path))
        assert outcome is None or outcome.result["over"] in (True, False)

        def deal() -> None:
            scenario = read_toml(path)
            rules = position.rules_of(scenario, str(path))
            tables, unknown = separate(scenario, [None, None], CARDS, str(path))
            duel = position.build(tables, rules, CARDS, str(path))
            is_unit = np.array([card.is_unit for card in CARDS.cards])
            for side in unknown:
                side.deal(duel, is_unit, np.random.default_rng(1))

        taken(deal, str(path))


@fuzzed(80)
@given(st.binary(max_size=200) | as_bytes(documents(KEYS)))
def test_any_document(data: bytes) -> None:
    try_both(data)


@fuzzed(150)
@given(as_bytes(mutated(FILES, WORDS)))
def test_changed_files(data: bytes) -> None:
    try_both(data)


@fuzzed(150)
@given(
    st.text(max_size=60)
    | mutated(LINES, ["#", "->", "a:", "deck:", "-", "?"])
    | st.sampled_from(JUNK)
)
def test_any_choice(text: str) -> None:
    taken(lambda: parse_line(text, CARDS))
