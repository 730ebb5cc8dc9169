"""Doctrines: when each can be activated, what the one-shots do, and the abilities of those that stay."""

from __future__ import annotations

from .cards import CARDS
from .choices import choose_on_field
from .duel import ATTACK
from .effects import (
    add_to_hand,
    can_special,
    change,
    destroy,
    discard,
    draw_then_discard,
    find,
    put,
    special_deploy,
)
from .units import boost, defenders, doctrine_of, low_unit_of, pays_for

FROM_HAND = {  # special-deploy 1 of these from the hand
    "mercenary_contracts": low_unit_of("carthage", "mercenary", "infantry"),
    "call_of_the_tribes": low_unit_of("dacia", "infantry", "ranged_infantry"),
    "forced_march": low_unit_of("macedon", "infantry", "cavalry"),
}
DISCARD_AND_SEARCH = {  # discard 1; add 1 of these from the deck
    "silver_for_spears": lambda card: (
        card.is_unit and card.faction == "carthage" and card.mercenary
    ),
    "oath_of_the_sacred_grove": lambda card: card.is_unit and card.faction == "dacia",
    "hellenic_war_council": doctrine_of("macedon"),
    "roman_road": low_unit_of("rome", "infantry"),
    "rite_of_the_two_kings": lambda card: (
        card.is_unit and card.faction == "sparta" and card.atk < 6
    ),
}
EQUIPS = {  # the types that can be equipped; none: any
    "elephant_armour": ("war_elephant",),
    "wolf_standard": (),
    "bronze_khopesh": (),
    "legion_eagle": (),
    "bronze_shield_of_discipline": (),
    "royal_wedge": ("cavalry",),
    "standard_of_the_immortals": ("infantry", "commander"),
}


def egyptian_unit(card):
    return card.is_unit and card.faction == "egypt"


def activation_targets(duel, side, card_id, hand):
    """The legal targets of an activation; [None] for one that is possible and does not target. `hand`: without the card."""
    card, enemy = CARDS[card_id], duel.other(side)

    def can(yes):
        return [None] if yes else []

    if card.type in ("continuous", "terrain"):
        return [None]
    if card.type == "equip":
        return [unit for unit in duel.own(side, card.faction, *EQUIPS[card_id]) if unit.face_up]
    if card_id in FROM_HAND:
        wanted = FROM_HAND[card_id]
        return can(can_special(duel, side, ["hand"], wanted))
    if card_id in DISCARD_AND_SEARCH:
        return can(bool(hand) and bool(find(duel, side, "deck", DISCARD_AND_SEARCH[card_id])))
    match card_id:
        case "double_envelopment":
            return duel.face_up_units(enemy) if _both_arms(duel, side) else []
        case "hammer_and_anvil":
            return can(_both_arms(duel, side) and bool(_anvil_victims(duel, side)))
        case "harbour_supply":
            pays = pays_for(duel, side, doctrine_of("carthage"))
            return can(any(pays(other) for other in hand))
        case "temple_blessing":
            return can(bool(find(duel, side, "graveyard", egyptian_unit)))
        case "royal_census" | "tribute_of_the_satrapies":
            return can(bool(duel.sides[side].deck))
        case "rain_of_arrows":
            return can(bool(duel.face_up_units(enemy)))
    raise AssertionError(card_id)


def _both_arms(duel, side):
    return duel.controls(side, "infantry") and duel.controls(side, "cavalry")


def _anvil_victims(duel, side):
    return [unit for unit in duel.face_up_units(duel.other(side)) if duel.atk(unit) < 6]


def resolve_one_shot(duel, side, card_id, target):
    """Gives back the outcome."""
    if card_id in FROM_HAND:
        return (yield from special_deploy(duel, side, ["hand"], FROM_HAND[card_id]))
    if card_id in DISCARD_AND_SEARCH:
        yield from discard(duel, side)
        return (yield from add_to_hand(duel, side, "deck", DISCARD_AND_SEARCH[card_id]))
    match card_id:
        case "double_envelopment":
            boost(target, -2, 0)
        case "hammer_and_anvil":
            return destroy(
                duel, (yield from choose_on_field(duel, side, _anvil_victims(duel, side)))
            )
        case "harbour_supply":
            yield from discard(duel, side, pays_for(duel, side, doctrine_of("carthage")))
            return (yield from add_to_hand(duel, side, "graveyard", doctrine_of("carthage")))
        case "temple_blessing":
            return (yield from add_to_hand(duel, side, "graveyard", egyptian_unit))
        case "royal_census" | "tribute_of_the_satrapies":
            return (yield from draw_then_discard(duel, side, 2))
        case "rain_of_arrows":
            for unit in duel.face_up_units(duel.other(side)):
                boost(unit, -2, 0)
    return []


# -- abilities of face-up doctrines ----------------------------------------------------------------
def ability_targets(duel, card):
    side = card.side
    match card.id:
        case "granary_stores":
            return [None] if defenders(duel, side) else []
        case "royal_road":
            return [None] if find(duel, side, "graveyard", low_unit_of("persia")) else []
        case "disciplined_advance":
            return [unit for unit in duel.own(side, "rome", "infantry") if unit.in_defence]
    return []


def resolve_ability(duel, card, target):
    side = card.side
    match card.id:
        case "granary_stores":
            duel.gain_lp(side, min(2, defenders(duel, side)))
        case "royal_road":
            return (yield from add_to_hand(duel, side, "graveyard", low_unit_of("persia")))
        case "disciplined_advance":
            put(duel, target, ATTACK)
            change(target, "atk", 1)
    return []
