"""Faults of the engine that comparing it with the oracle and reading it have brought to light."""

from __future__ import annotations

from typing import Any

import pytest

from cards.ancient_duel.load import card_set
from cards.ancient_duel.pack import pack
from cards.ancient_duel.rules import RuleSet
from sim.ancient_duel.game import Game
from sim.ancient_duel.position import build
from sim.ancient_duel.scenario import run_scenario


def test_who_cannot_draw_loses_in_the_draw_phase() -> None:
    """When a duel ends everything stands as it is at that instant, the phase too."""
    outcome = run_scenario(
        {
            "do": ["end"],
            "expect": {"over": True, "reason": "deck", "phase": "draw", "active": "b", "turn": 3},
        }
    )
    assert outcome.differences == ()


@pytest.mark.parametrize("hand", [["testudo"], ["testudo", "hastati_line"]])
def test_a_set_copy_is_activated_where_the_one_in_hand_has_no_zone(hand: list[str]) -> None:
    outcome = run_scenario(
        {
            "do": ["activate testudo", "! activate testudo"],
            "duel": {"rules": {"support_zones": 1}},
            "a": {"hand": hand, "support": ["testudo face-down"]},
            "expect": {"a.hand": hand, "a.support": [{"card": "testudo", "face_up": True}]},
        }
    )
    assert outcome.differences == ()


def test_a_set_copy_is_paid_with_the_one_in_hand() -> None:
    """The only card in hand cannot pay for itself, but for the copy that lies face-down."""
    outcome = run_scenario(
        {
            "do": ["activate roman_road"],
            "a": {
                "hand": ["roman_road"],
                "deck": ["hastati_line"],
                "support": ["roman_road face-down"],
            },
            "expect": {
                "a.hand": ["hastati_line"],
                "a.support": [],
                "a.graveyard": ["roman_road", "roman_road"],
            },
        }
    )
    assert outcome.differences == ()


def test_a_unit_that_comes_for_a_dead_attacker_is_not_attacking() -> None:
    """Oasis Camp weakens the attacker alone, not who comes into its place in the record."""
    tables: dict[str, Any] = {
        "duel": {"phase": "battle"},
        "a": {"units": ["immortals_guard"], "deck": ["persian_levy_archers"]},
        "b": {
            "units": ["legionary_cohort"],
            "support": ["oasis_camp", "decisive_order face-down"],
        },
    }
    cards, rules = card_set(), RuleSet()
    game = Game(build(tables, rules, cards, "position"), pack(cards, rules), cards)
    game.take("attack immortals_guard -> legionary_cohort")
    assert sorted(game.texts) == ["pass", "respond decisive_order"]
    assert game.result()["a"]["units"] == [
        {
            "card": "persian_levy_archers",
            "position": "face-down",
            "atk": 2,
            "def": 1,
            "attacked": False,
        }
    ]


def test_who_costs_no_lp_has_dealt_no_battle_damage() -> None:
    """With stat_min = 0 a direct attack can cost 0 LP; nothing is added to that."""
    outcome = run_scenario(
        {
            "do": ["attack persian_levy_archers", "respond arrow_screen"],
            "duel": {"phase": "battle", "rules": {"stat_min": 0}},
            "a": {"units": ["persian_levy_archers"]},
            "b": {"support": ["arrow_screen face-down"]},
            "expect": {"a.units": [{"atk": 0}], "b.lp": 20},
        }
    )
    assert outcome.differences == ()


@pytest.mark.parametrize("unit", ["agrianian_javelins", "dacian_archers"])
def test_the_stack_does_not_tell_what_the_enemy_has_set(unit: str) -> None:
    """The windows for a unit that arrives wait while its own effect asks for a target.

    Whether they can be answered is the other side's secret, and the record is open to a strategy.
    """
    cards, rules = card_set(), RuleSet()
    seen = []
    for tactic in ("kings_signal", "coordinated_attack"):  # the first answers arrivals
        position = {
            "a": {"hand": [unit], "units": ["pezhetairoi_phalanx"], "energy": 9},
            "b": {"units": ["hastati_line"], "support": [f"{tactic} face-down"]},
        }
        game = Game(build(position, rules, cards, "position"), pack(cards, rules), cards)
        game.take(f"deploy {unit}")
        depth = int(game.duel["depth"])
        frames = game.duel["frame"][:depth].tolist()
        seen.append((game.kind, int(game.options["n"]), depth, frames))
    assert seen[0][2] > 1, "nothing waits"
    assert seen[0] == seen[1]
