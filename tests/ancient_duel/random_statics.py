"""Card sets whose cards change stats in ways that no card of the game's own does."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from cards.ancient_duel import vocabulary
from cards.ancient_duel.consistency import check_card
from cards.ancient_duel.load import CardSet
from cards.ancient_duel.model import Card

FROM: Final = 0.5  # of the cards that may have statics get other ones


def with_random_statics(rng: np.random.Generator, own: CardSet) -> CardSet:
    """The game's own cards, many of them with one to three statics at random instead."""
    return CardSet(own.factions, tuple(_changed(rng, card) for card in own.cards))


def _changed(rng: np.random.Generator, card: Card) -> Card:
    if card.kind == "tactic" or card.type == "one-shot" or rng.random() > FROM:
        return card
    table = card.model_dump(by_alias=True, exclude_unset=True)
    table["static"] = [_static(rng, card) for _ in range(int(rng.integers(1, 4)))]
    changed = Card.model_validate(table)
    check_card(changed)
    return changed


def _static(rng: np.random.Generator, card: Card) -> dict[str, Any]:
    static: dict[str, Any] = {"during": _pick(rng, ("always", "always", "attack", "combat"))}
    if card.type == "equip":
        static["to"] = "equipped"
    elif not card.is_unit or rng.random() < 0.6:
        static["to"] = _filter(rng, vocabulary.UNIT_TYPES)
    if card.type != "equip" and static["during"] == "always" and rng.random() < 0.25:
        static["grants"] = "immunity"
    else:
        static["atk"] = int(rng.integers(1, 4)) * _pick(rng, (1, -1))
        static["def"] = int(rng.integers(-2, 3))
    if rng.random() < 0.4:
        static["if"] = [_condition(rng) for _ in range(int(rng.integers(1, 3)))]
    if rng.random() < 0.25:
        static["per"] = _filter(rng, vocabulary.UNIT_TYPES)
        static["at_most"] = int(rng.integers(1, 5))
    return static


def _condition(rng: np.random.Generator) -> dict[str, Any]:
    if rng.random() < 0.5:
        return {"controls": _filter(rng, vocabulary.UNIT_TYPES)}
    return {"face_up": _filter(rng, vocabulary.DOCTRINE_TYPES)}


def _filter(rng: np.random.Generator, types: Any) -> dict[str, Any]:
    """A filter that about half of what it may be for passes."""
    found: dict[str, Any] = {"side": _pick(rng, tuple(vocabulary.SIDES)), "faction": "any"}
    if rng.random() < 0.3:
        found["type"] = [_pick(rng, tuple(types))]
    if types is vocabulary.UNIT_TYPES:
        if rng.random() < 0.6:
            found["position"] = _pick(rng, tuple(vocabulary.POSITIONS))
        if rng.random() < 0.2:
            found[_pick(rng, ("other", "itself"))] = True
    return found


def _pick(rng: np.random.Generator, values: Any) -> Any:
    return values[int(rng.integers(len(values)))]
