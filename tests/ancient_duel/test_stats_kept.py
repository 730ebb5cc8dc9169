"""Effective stats are kept, not added up at every look: kept ones equal those added up anew."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import numpy as np
import pytest
from random_duels import random_deck_numbers, random_rules, rule_set
from random_statics import with_random_statics

from cards.ancient_duel.load import card_set
from cards.ancient_duel.pack import pack
from cards.ancient_duel.vocabulary import (
    ON_ATTACKS,
    ON_FACES,
    ON_POSITIONS,
    ON_SUPPORT,
    ON_UNITS,
)
from sim.ancient_duel import play
from sim.ancient_duel.record import new_duels, new_options
from sim.compiled import ready

DUELS: Final = 120
SAME_CARDS: Final = 10  # duels played with the same random statics
KINDS: Final = ("standard", "pure", "allied", "coalition")
KEPT: Final = ("unit_atk", "unit_def", "unit_immune")


def stats_of(duel: Any) -> dict[str, Any]:
    """What is kept of the units on the field, and of the cards that change them."""
    found: dict[str, Any] = {"depends": int(duel["depends"])}
    for side in range(2):
        slots = duel["unit_at"][side, : int(duel["units"][side])]
        for name in KEPT:
            found[f"{name} of side {side}"] = duel[name][side, slots].tolist()
    for count, places in (("changers", "changer"), ("fighters", "fighter")):
        found[places] = sorted(duel[places][: int(duel[count])].tolist())
    return found


@pytest.mark.parametrize("statics", ["own", "random"])
def test_kept_stats_are_what_adding_up_gives(statics: str) -> None:
    for entry in (play.start, play.advance, play.choose, play.refresh):
        ready(entry)
    cards = card_set()
    duel, anew = new_duels(1)[0], new_duels(1)[0]
    options = new_options()[0]
    fresh: Counter[bool] = Counter()
    for seed in range(DUELS):
        rng = np.random.default_rng([31, seed])
        if statics == "random" and seed % SAME_CARDS == 0:
            cards = with_random_statics(rng, card_set())
        rules = rule_set(random_rules(rng) if seed % 3 else {})
        tables = pack(cards, rules).view(np.recarray)[0]
        decks = [random_deck_numbers(rng, cards, str(kind)) for kind in rng.choice(KINDS, size=2)]
        play.start(duel, tables, decks[0], decks[1], np.uint64(5), np.uint64(seed), 0)
        while play.advance(duel, tables, options):
            fresh[int(duel["stale"]) == 0] += 1
            for name in duel.dtype.names:
                anew[name] = duel[name]
            anew["stale"] = 1
            play.refresh(anew, tables)
            play.refresh(duel, tables)
            assert stats_of(duel) == stats_of(anew), f"duel {seed}"
            play.choose(duel, options, int(rng.integers(int(options["n"]))))
    # had they all been added up anew just now, nothing would have been compared
    assert fresh[True] > (10_000 if statics == "own" else 2_000)


#: On what the stat changes of a card depend, as its text has it.
DEPENDS: Final = {
    "desert_paths": 0,  # all own units, all enemy units
    "legion_eagle": 0,  # the equipped unit
    "spartan_hoplites": ON_UNITS,  # while another unit stands beside it
    "libyan_spearmen": ON_UNITS,
    "hippeis_royal_guard": ON_UNITS,  # for each other unit
    "wolf_standard_guard": ON_UNITS,
    "mountain_spearmen": ON_SUPPORT,  # while a terrain lies face-up
    "legionary_cohort": ON_SUPPORT,
    "testudo": ON_POSITIONS | ON_FACES,  # infantry in defence, which a face-down unit is, too
    "leonidas_king_of_sparta": ON_POSITIONS | ON_FACES,
    "oasis_camp": ON_ATTACKS,  # an enemy unit while it attacks
    "falxmen": 0,  # in combat only
}


@pytest.mark.parametrize("name", DEPENDS)
def test_on_what_a_card_depends(name: str) -> None:
    cards = card_set()
    table = pack(cards, rule_set({}))[0]
    assert int(table["changes_stats"][cards.number(name)]) == 1
    assert int(table["depends"][cards.number(name)]) == DEPENDS[name]


def test_a_card_that_changes_no_stats_depends_on_nothing() -> None:
    cards = card_set()
    table = pack(cards, rule_set({}))[0]
    for card in cards.cards:
        number = cards.number(card.id)
        changes = any(
            static.atk or static.def_ or static.grants == "immunity" for static in card.static
        )
        assert bool(table["changes_stats"][number]) == changes, card.id
        if not changes:
            assert int(table["depends"][number]) == 0, card.id
