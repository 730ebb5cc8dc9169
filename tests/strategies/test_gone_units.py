"""A unit that has left: what its slot still holds says nothing to a strategy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from some_duels import CARDS, copy_of

from cards.ancient_duel.pack import pack
from cards.ancient_duel.rules import RuleSet
from sim.ancient_duel import play
from sim.ancient_duel.position import build
from sim.ancient_duel.record import ASK_WINDOW, ATTACK, RESPOND, new_options
from sim.compiled import ready
from strategies.ancient_duel.forecast import ATTACK_COLUMNS, attack_table
from strategies.finder import Finder

#: Two copies of a tactic that sacrifices one's own unit and destroys one of the enemy's: after the
#: first one the attack stands without its attacker, or without its target, or without both.
POSITION = {
    "duel": {"phase": "battle"},
    "a": {"units": ["hastati_line attack"] * 3},
    "b": {
        "units": ["hippeis_royal_guard attack", "hippeis_royal_guard attack"],
        "support": ["heroic_sacrifice face-down", "heroic_sacrifice face-down"],
    },
}


def answered_once(sacrificed: int, destroyed: int) -> tuple[Any, Any, Any]:
    """Duel, options and tables: a's first unit attacks b's first, b has answered and may again."""
    for function in (play.advance, play.choose):
        ready(function)
    tables = pack(CARDS, RuleSet()).view(np.recarray)[0]
    duel = build(POSITION, RuleSet(), CARDS, "here")
    options = new_options()[0]
    chosen = [sacrificed, destroyed]
    while play.advance(duel, tables, options):
        pick = 0
        if int(options["verb"][0]) != ATTACK:
            n = int(options["n"])
            if int(duel["asked_kind"]) == ASK_WINDOW:
                if not chosen:
                    return duel, options, tables
                pick = options["verb"][:n].tolist().index(RESPOND)
            else:
                pick = options["target"][:n].tolist().index(chosen.pop(0))
        play.choose(duel, options, pick)
    raise AssertionError("b was not asked again")


@pytest.mark.parametrize(("sacrificed", "destroyed"), [(0, 1), (1, 0), (0, 0)])
def test_what_its_slot_holds_does_not_matter(sacrificed: int, destroyed: int) -> None:
    duel, options, tables = answered_once(sacrificed, destroyed)
    finder = Finder(CARDS)
    found = finder(finder.add("tactician"))
    choose = ready(found.choose)
    found_with = set()
    for junk in (-900, 0, 900):
        copy = copy_of(duel)
        for side in range(2):
            gone = copy["unit_card"][side] < 0
            for stat in ("unit_atk", "unit_def"):
                copy[stat][side, gone] = junk
        table = np.zeros((int(options["n"]) + 1, ATTACK_COLUMNS), dtype=np.int32)
        pick = int(choose(copy, tables, options, found.parameters))
        ready(attack_table)(copy, tables, options, 1, table)
        found_with.add((pick, *table[-1].tolist()))
    assert len(found_with) == 1
