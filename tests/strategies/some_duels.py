"""Decisions of duels of random play, for several test files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cards.ancient_duel.decks import deck_numbers, standard_deck
from cards.ancient_duel.load import card_set
from cards.ancient_duel.pack import pack
from cards.ancient_duel.rules import RuleSet
from sim.ancient_duel import play
from sim.ancient_duel.record import new_duels, new_options
from sim.compiled import ready

CARDS = card_set()
PACKED = pack(CARDS, RuleSet())
TABLES = PACKED.view(np.recarray)[0]


def decisions(duels: int, seed: int = 1) -> Iterator[tuple[Any, Any]]:
    """The record and the options of every decision of some duels, stats up to date."""
    for entry in (play.start, play.advance, play.choose, play.refresh):
        ready(entry)
    rng = np.random.default_rng(seed)
    for number in range(duels):
        pair = rng.choice([faction.id for faction in CARDS.factions], size=2)
        decks = [deck_numbers(standard_deck(CARDS, str(name)), CARDS) for name in pair]
        duel, options = new_duels(1)[0], new_options()[0]
        deck_a, deck_b = decks
        play.start(duel, TABLES, deck_a, deck_b, np.uint64(seed), np.uint64(number), 0)
        while play.advance(duel, TABLES, options):
            pick = 0
            if options["n"] > 1:
                duel["decisions"] += 1
                play.refresh(duel, TABLES)
                yield duel, options
                pick = int(rng.integers(int(options["n"])))
            play.choose(duel, options, pick)


def copy_of(duel: Any) -> Any:
    """A copy of a duel record."""
    copies = new_duels(1)
    copies[0] = duel
    return copies[0]
