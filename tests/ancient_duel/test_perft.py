"""The number of decision paths from fixed positions, by the engine and by the oracle."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from random_duels import rule_set

from cards.ancient_duel.load import card_set
from cards.ancient_duel.pack import pack
from sim.ancient_duel.game import Game
from sim.ancient_duel.position import build
from tests.oracle.scenario import Oracle

POSITIONS = tomllib.loads(Path(__file__).with_name("perft.toml").read_text("utf-8"))["position"]
by_position = pytest.mark.parametrize("position", POSITIONS, ids=lambda each: each["about"])


def tables_of(position: Mapping[str, Any]) -> dict[str, Any]:
    """The scenario tables of an entry of the data file."""
    return {key: position[key] for key in ("duel", "a", "b") if key in position}


def by_engine(game: Game, depth: int) -> int:
    """Paths of a length, by copying the duel record at every decision."""
    if not game.waits:
        return 0
    n = int(game.options["n"])
    if depth == 1:
        return n
    total = 0
    for place in range(n):
        twin = game.copy()
        twin.choose(place)
        total += by_engine(twin, depth - 1)
    return total


def by_oracle(oracle: Oracle, depth: int) -> int:
    """The same by the oracle, which replays the duel from its start for every copy."""
    pending = oracle.pending()  # type: ignore[no-untyped-call]
    if pending is None:
        return 0
    if depth == 1:
        return len(pending[1])
    total = 0
    for text in pending[1]:
        twin = oracle.copy()
        twin.choose(text)
        total += by_oracle(twin, depth - 1)
    return total


@by_position
def test_engine(position: Mapping[str, Any]) -> None:
    tables, cards = tables_of(position), card_set()
    rules = rule_set(tables.get("duel", {}).get("rules", {}))
    game = Game(build(tables, rules, cards, "position"), pack(cards, rules), cards)
    for depth, count in enumerate(position["counts"], 1):
        assert by_engine(game, depth) == count, f"depth {depth}; first choices: {game.texts}"


@by_position
def test_oracle(position: Mapping[str, Any]) -> None:
    oracle = Oracle.from_position(tables_of(position))
    found = [by_oracle(oracle, depth) for depth in range(1, len(position["counts"]) + 1)]
    assert found == position["counts"]
