"""Cards that feed each other: every duel comes to an end all the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cards.ancient_duel.consistency import check_card
from cards.ancient_duel.decks import deck_numbers, standard_deck
from cards.ancient_duel.load import CardSet, card_set
from cards.ancient_duel.model import Card
from cards.ancient_duel.pack import pack
from cards.ancient_duel.rules import RuleSet
from sim.ancient_duel import play
from sim.ancient_duel.record import ACTIVATE, DEPLOY, USE, new_duels, new_options
from sim.compiled import ready

#: A card of Rome, its only effect, and the rules under which it feeds itself.
CASES: dict[str, tuple[str, dict[str, Any], dict[str, int]]] = {
    "comes back to the hand for nothing": (
        "roman_road",
        {
            "when": "activate",
            "target": {"zone": "graveyard", "card": "roman_road"},
            "do": [{"recover": "target"}, {"gain_lp": 40}],
        },
        {"activation_cost": 0},
    ),
    "comes back to the field unused": (
        "hastati_line",
        {
            "when": "use",
            "do": [
                {"sacrifice": "self"},
                {"special_deploy": {"from": ["graveyard"], "card": "hastati_line"}},
                {"choose": {"card": "hastati_line", "position": "face-down"}},
                {"move": "target", "to": "attack"},
                {"gain_lp": 40},
            ],
        },
        {},
    ),
}


@pytest.mark.parametrize(("name", "effect", "rules"), CASES.values(), ids=CASES.keys())
def test_it_ends(name: str, effect: dict[str, Any], rules: dict[str, int]) -> None:
    own = card_set()
    changed = Card.model_validate(
        {
            **own.by_id[name].model_dump(by_alias=True, exclude_unset=True),
            "effect": [effect],
            "static": [],
        }
    )
    check_card(changed)
    cards = CardSet(own.factions, tuple(changed if c.id == name else c for c in own.cards))
    tables = pack(cards, RuleSet.model_validate(rules)).view(np.recarray)[0]
    deck = deck_numbers(standard_deck(cards, "rome"), cards)
    duel, options = new_duels(1)[0], new_options()[0]
    for function in (play.start, play.advance, play.choose):
        ready(function)
    play.start(duel, tables, deck, deck, np.uint64(3), np.uint64(0), 0)
    number = cards.number(name)
    turns = set()
    for _ in range(50_000):
        if not play.advance(duel, tables, options):
            break
        n = int(options["n"])
        fed = [
            i
            for i in range(n)
            if options["card"][i] == number and options["verb"][i] in (ACTIVATE, USE, DEPLOY)
        ]
        if any(options["verb"][i] != DEPLOY for i in fed):
            turns.add(int(duel["turn"].sum()))
        play.choose(duel, options, fed[0] if fed else n - 1)
    assert duel["over"] == 1, "the duel goes on and on"
    assert len(turns) > 1, "what one turn has had counts in the next one, too"
