"""Generators of the domain: random rules, positions, decks and choices, for several test files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from cards.ancient_duel.decks import deck_numbers, random_deck, standard_deck
from cards.ancient_duel.load import CardSet
from cards.ancient_duel.model import Card
from cards.ancient_duel.rules import RuleSet

SIDES: Final = ("a", "b")
#: Other values for the rule options, the default left out.
RULE_VALUES: Final[Mapping[str, tuple[Any, ...]]] = {
    "starting_lp": (5, 30),
    "hand_limit": (0, 3, 7),
    "energy_start": (2, 4, 9),
    "energy_growth_turn": (1, 2, 5),
    "energy_cap": (9, 10, 20),
    "activation_cost": (0, 2),
    "stat_min": (0, 2),
    "stat_max": (6, 8, 15),
    "deployments_per_turn": (0, 2, 3),
    "direct_attacks_per_turn": (0, 2),
    "free_level": (0, 3, 6),
    "unit_zones": (1, 3, 5),
    "support_zones": (1, 3, 5),
    "reposition": (False,),
    "set_cards_wait": (True,),
    "effect_draw_loses": (False,),
}
#: How much likelier than the rest a choice is that sets something off.
WEIGHTS: Final = {
    "respond": 6.0,
    "activate": 4.0,
    "use": 3.0,
    "attack": 4.0,
    "battle": 3.0,
    "deploy": 2.0,
    "yes": 2.0,
    "end": 0.7,
    "pass": 0.7,
}


def random_rules(rng: np.random.Generator) -> dict[str, Any]:
    """Rule options: none changed as often as not, else a few."""
    if rng.random() < 0.5:
        return {}
    changed = rng.choice(list(RULE_VALUES), size=int(rng.integers(1, 5)), replace=False)
    return {str(key): _pick(rng, RULE_VALUES[str(key)]) for key in changed}


def random_choice(rng: np.random.Generator, texts: Sequence[str]) -> str:
    """One of the options, with a bias to what sets something off."""
    weights = np.array([WEIGHTS.get(text.split(" ", 1)[0], 1.0) for text in texts])
    return texts[int(rng.choice(len(texts), p=weights / weights.sum()))]


def random_deck_numbers(
    rng: np.random.Generator, cards: CardSet, kind: str
) -> npt.NDArray[np.int16]:
    """Card numbers of a deck: `standard`, or a random legal `pure`, `allied` or `coalition`."""
    if kind == "standard":
        faction = cards.factions[int(rng.integers(len(cards.factions)))].id
        return deck_numbers(standard_deck(cards, faction), cards)
    return deck_numbers(random_deck(cards, rng, kind), cards)


# --- positions ------------------------------------------------------------------------------------
def random_position(rng: np.random.Generator, cards: CardSet) -> dict[str, Any]:
    """The tables of a scenario: cards of one to three factions a side in all zones, any phase."""
    rules = random_rules(rng)
    return {
        "duel": {
            "active": _pick(rng, SIDES),
            "phase": _pick(rng, ("main1", "main1", "battle", "battle", "main2")),
            "turn": int(rng.integers(1, 10)),
            "seed": int(rng.integers(1000)),
            "rules": rules,
        },
        "a": _random_side(rng, cards),
        "b": _random_side(rng, cards),
    }


def _pick(rng: np.random.Generator, values: Sequence[Any]) -> Any:
    return values[int(rng.integers(len(values)))]


def _random_side(rng: np.random.Generator, cards: CardSet) -> dict[str, Any]:
    factions = rng.choice(
        [faction.id for faction in cards.factions], size=_pick(rng, (1, 1, 2, 3)), replace=False
    )
    pool = [card for card in cards.cards if card.faction in factions]
    units = _favoured(rng, [card for card in pool if card.kind in ("unit", "commander")])
    fielded = [(_pick(rng, units), _position(rng)) for _ in range(int(rng.integers(0, 6)))]
    sizes = {"hand": 7, "deck": 8, "graveyard": 7}
    side: dict[str, Any] = {
        zone: [_pick(rng, pool).id for _ in range(int(rng.integers(0, most)))]
        for zone, most in sizes.items()
    }
    side["lp"] = int(rng.integers(1, 25))
    side["energy"] = int(rng.integers(0, 16))
    side["units"] = [f"{card.id} {position}" for card, position in fielded]
    tactics = _favoured(rng, [card for card in pool if card.kind == "tactic"])
    doctrines = [card for card in pool if card.kind == "doctrine"]
    side["support"] = [
        _random_support(rng, tactics if rng.random() < 0.65 else doctrines, fielded)
        for _ in range(int(rng.integers(0, 8)))
    ]
    return side


def _favoured(rng: np.random.Generator, cards: list[Card]) -> list[Card]:
    """The cards, a few of them many times over, so that copies are common."""
    return cards + [_pick(rng, cards) for _ in range(3)] * (len(cards) // 3)


def _position(rng: np.random.Generator) -> str:
    return str(_pick(rng, ("attack", "attack", "attack", "defence", "face-down")))


def _random_support(
    rng: np.random.Generator, support: Sequence[Card], fielded: Sequence[tuple[Card, str]]
) -> str:
    """Set tactics; doctrines face-up or face-down; equips on units that can bear them."""
    card: Card = _pick(rng, support)
    if card.kind == "tactic" or card.type == "one-shot" or rng.random() < 0.3:
        return f"{card.id} face-down"
    if card.type != "equip":
        return card.id
    types = () if card.equips is None or card.equips.type is None else card.equips.type
    bearers = [
        number
        for number, (unit, position) in enumerate(fielded, 1)
        if position != "face-down"
        and unit.faction == card.faction
        and (not types or unit.type in types)
    ]
    return f"{card.id} on {_pick(rng, bearers)}" if bearers else f"{card.id} face-down"


# --- the same position for somebody else ----------------------------------------------------------
def position_of(result: Mapping[str, Any], rules: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of a scenario for a duel's result at its very first decision."""
    tables: dict[str, Any] = {
        "duel": {
            "active": result["active"],
            "phase": result["phase"],
            "turn": result["turn"],
            "rules": dict(rules),
        }
    }
    for side in SIDES:
        zones = ("lp", "energy", "hand", "deck", "graveyard")
        tables[side] = {key: result[side][key] for key in zones}
    return tables


def as_toml(tables: Mapping[str, Any], lines: Sequence[str]) -> str:
    """A scenario file of a position and the choices made in it, for a failure's message."""

    def value(entry: Any) -> str:
        if isinstance(entry, bool):
            return str(entry).lower()
        if isinstance(entry, Mapping):
            return "{ " + ", ".join(f"{key} = {value(item)}" for key, item in entry.items()) + " }"
        if isinstance(entry, list):
            return "[" + ", ".join(value(item) for item in entry) + "]"
        return f'"{entry}"' if isinstance(entry, str) else str(entry)

    written = ["do = ["] + [f'  "{line}",' for line in lines] + ["]"]
    for name, table in tables.items():
        written.append(f"[{name}]")
        written += [f"{key} = {value(entry)}" for key, entry in table.items()]
    return "\n".join(written)


def rule_set(options: Mapping[str, Any]) -> RuleSet:
    """The rule set of some options."""
    return RuleSet.from_table(options)
