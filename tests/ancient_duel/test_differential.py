"""The engine against the oracle, an independent and simpler program of the same rules.

At every decision of random positions and random duels both must ask the same side, offer the same
options and give the same result. `DUEL_SIM_DIFFERENTIAL=20000` runs that many of each.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pytest
from random_duels import (
    as_toml,
    position_of,
    random_choice,
    random_deck_numbers,
    random_position,
    random_rules,
    rule_set,
)

from cards.ancient_duel.load import card_set
from cards.ancient_duel.model import Card
from cards.ancient_duel.pack import pack
from sim.ancient_duel import play
from sim.ancient_duel.game import Game
from sim.ancient_duel.position import build
from sim.ancient_duel.record import new_duels
from sim.compiled import ready
from tests.oracle.scenario import Oracle

#: How many positions and duels; a long run asks for more.
LONG: Final = int(os.environ.get("DUEL_SIM_DIFFERENTIAL", "0"))
POSITIONS: Final = LONG or 240
DUELS: Final = LONG // 10 or 20
BATCH: Final = 20
#: A position is played for so many decisions at most.
MOST_DECISIONS: Final = 60
DECKS: Final = ("standard", "pure", "allied", "coalition")

#: The choices made so far, as verb and card: what a long run has exercised.
exercised: Counter[str] = Counter()


def without_log(result: Mapping[str, Any]) -> dict[str, Any]:
    """A result without what is for people."""
    return {key: value for key, value in result.items() if key != "log"}


def differences(engine: Any, oracle: Any, where: str = "") -> list[str]:
    """Where two results differ, as lines."""
    if isinstance(engine, dict) and isinstance(oracle, dict):
        keys = [*engine, *(key for key in oracle if key not in engine)]
        found = [differences(engine.get(k), oracle.get(k), f"{where}.{k}") for k in keys]
        return [line for lines in found for line in lines]
    return [] if engine == oracle else [f"{where}: engine {engine}, oracle {oracle}"]


class Pair:
    """The same duel twice, played side by side."""

    def __init__(self, game: Game, tables: Mapping[str, Any]) -> None:
        self.game = game
        self.tables = tables
        self.lines: list[str] = []
        self.oracle = Oracle.from_position(dict(tables))
        self.compare()

    def compare(self) -> None:
        """Compare everything; then the oracle gets the engine's deck order."""
        try:
            self._follow_decks()
            found = differences(without_log(self.game.result()), without_log(self.oracle.result()))
        except Exception as fault:
            fault.add_note(as_toml(self.tables, self.lines))
            raise
        if found:
            pytest.fail("\n".join([*found, as_toml(self.tables, self.lines)]), pytrace=False)

    def _follow_decks(self) -> None:
        result = self.game.result()
        for side in ("a", "b"):
            if self.oracle.deck(side) != result[side]["deck"]:
                self.oracle.set_deck_order(side, result[side]["deck"])

    def play(self, rng: np.random.Generator, most: int) -> None:
        """Play at random until the duel is over, or for so many decisions."""
        for _ in range(most):
            if not self.game.waits:
                return
            self.step(random_choice(rng, self.game.texts))

    def step(self, text: str) -> None:
        """Make one choice in both."""
        self.lines.append(text)
        exercised[text.replace(" -> ", "#").split("#")[0]] += 1
        try:
            self.game.choose(self.game.texts.index(text))
            self.oracle.choose(text)
        except Exception as fault:
            fault.add_note(as_toml(self.tables, self.lines))
            raise
        self.compare()


def play_position(seed: int) -> None:
    """One random position."""
    rng = np.random.default_rng([1, seed])
    cards = card_set()
    tables = random_position(rng, cards)
    rules = rule_set(tables["duel"]["rules"])
    duel = build(tables, rules, cards, "position")
    Pair(Game(duel, pack(cards, rules), cards), tables).play(rng, MOST_DECISIONS)


def play_duel(seed: int) -> None:
    """One whole duel."""
    rng = np.random.default_rng([2, seed])
    cards = card_set()
    options = random_rules(rng)
    packed = pack(cards, rule_set(options))
    kinds = rng.choice(DECKS, size=2)
    decks = [random_deck_numbers(rng, cards, str(kind)) for kind in kinds]
    duel = new_duels(1)[0]
    tables = packed.view(np.recarray)[0]
    ready(play.start)(duel, tables, decks[0], decks[1], np.uint64(5), np.uint64(seed), 0)
    game = Game(duel, packed, cards)
    Pair(game, position_of(game.result(), options)).play(rng, 5000)


@pytest.mark.parametrize("first", range(0, POSITIONS, BATCH))
def test_positions(first: int) -> None:
    for seed in range(first, min(first + BATCH, POSITIONS)):
        play_position(seed)


@pytest.mark.parametrize("seed", range(DUELS))
def test_duels(seed: int) -> None:
    play_duel(seed)


@pytest.mark.skipif(LONG < 5000, reason="only a long run gets to everything")
def test_a_long_run_exercises_everything() -> None:
    missing = [
        f"{verb} {card.id}"
        for card in card_set().cards
        for verb in verbs_of(card)
        if not exercised[f"{verb} {card.id}"]
    ]
    assert missing == []


def verbs_of(card: Card) -> list[str]:
    """The choices that name a card."""
    verbs = {"tactic": ["set", "respond"], "doctrine": ["set", "activate"]}.get(
        card.kind, ["deploy", "set", "attack", "reposition"]
    )
    return [*verbs, "use"] if any(effect.when == "use" for effect in card.effect) else verbs
