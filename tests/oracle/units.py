"""What units do when they are deployed face-up, and their once-per-turn abilities."""

from __future__ import annotations

from .cards import CARDS
from .choices import ask, choose_on_field, choose_word
from .duel import ATTACK, DEFENCE
from .effects import (
    add_to_hand,
    change,
    change_position,
    destroy,
    discard,
    draw_then_discard,
    find,
    put,
    put_into_defence,
    special_deploy,
)
from .windows import targeted


def doctrine_of(faction):
    return lambda card: card.is_doctrine and card.faction == faction


def tactic_of(faction):
    return lambda card: card.is_tactic and card.faction == faction


def low_unit_of(faction, *types):
    return lambda card: (
        card.is_unit
        and card.faction == faction
        and card.level < 5
        and (not types or card.type in types or ("mercenary" in types and card.mercenary))
    )


# -- deploy ----------------------------------------------------------------------------------------
SEARCH_ON_DEPLOY = {
    "hannibal_master_of_encirclement": tactic_of("carthage"),
    "decebalus_keeper_of_mountain_forts": doctrine_of("dacia"),
    "pharaohs_general": doctrine_of("egypt"),
    "ramesses_keeper_of_the_nile": doctrine_of("egypt"),
    "alexander_lord_of_combined_arms": doctrine_of("macedon"),
    "darius_lord_of_satrapies": doctrine_of("persia"),
    "trajan_imperial_vanguard": doctrine_of("rome"),
    "leonidas_voice_of_defiance": lambda card: (
        card.faction == "sparta" and (card.is_doctrine or card.is_tactic)
    ),
}
WEAKEN_ON_DEPLOY = {  # (only enemies, ATK, DEF)
    "dacian_archers": (False, -1, -1),
    "agrianian_javelins": (False, 0, -1),
    "hypaspist_guard": (True, -2, 0),
}


def deploy_effect(duel, unit):
    """The effect of a unit that has just been deployed face-up; gives back its outcome."""
    side, enemy, me = unit.side, duel.other(unit.side), duel.sides[unit.side]
    if unit.id in SEARCH_ON_DEPLOY:
        return (yield from add_to_hand(duel, side, "deck", SEARCH_ON_DEPLOY[unit.id]))
    if unit.id in WEAKEN_ON_DEPLOY:
        only_enemies, atk, dfn = WEAKEN_ON_DEPLOY[unit.id]
        possible = duel.face_up_units(enemy if only_enemies else None)
        if possible:
            target = yield from choose_on_field(duel, side, possible)
            if (yield from targeted(duel, side, "unit", target)):
                boost(target, atk, dfn)
        return []
    match unit.id:
        case "african_war_elephant":
            prey = [u for u in duel.face_up_units(enemy) if duel.battle_stat(u) < duel.atk(unit)]
            if prey:
                return destroy(duel, (yield from choose_on_field(duel, side, prey)))
        case "hannibal_lord_of_manoeuvre":
            possible = [u for u in duel.face_up_units(enemy) if u.position == ATTACK]
            if possible:
                put_into_defence(duel, (yield from choose_on_field(duel, side, possible)))
        case "desert_scouts" | "torsion_engine_crew":
            hidden = [card for card in duel.sides[enemy].support if not card.face_up]
            if hidden:
                target = yield from choose_on_field(duel, side, hidden)
                if (yield from targeted(duel, side, "unit", None)) and not duel.protected_terrain(
                    target
                ):
                    duel.remove_support(target)
        case "egyptian_chariot_corps":
            return (yield from draw_then_discard(duel, side, 1))
        case "alexander_king_of_macedon":
            return (
                yield from special_deploy(
                    duel, side, ["graveyard"], low_unit_of("macedon", "infantry", "cavalry")
                )
            )
        case "trajan_builder_of_provinces":
            return (
                yield from special_deploy(
                    duel, side, ["graveyard"], low_unit_of("rome", "infantry")
                )
            )
        case "royal_courier":
            if (
                me.hand
                and find(duel, side, "deck", doctrine_of("persia"))
                and (yield from ask(side))
            ):
                yield from discard(duel, side)
                return (yield from add_to_hand(duel, side, "deck", doctrine_of("persia")))
        case "hastati_line":
            boost(
                (yield from choose_on_field(duel, side, duel.own(side, "rome", "infantry"))), 1, 0
            )
        case "shield_bearer_youths":
            boost(
                (yield from choose_on_field(duel, side, duel.own(side, "sparta", "infantry"))), 0, 1
            )
        case "centurion_commander":
            for infantry in duel.own(side, "rome", "infantry"):
                boost(infantry, 1, 0)
        case "hippeis_royal_guard":
            boost(unit, 1, 0)
    return []


def boost(unit, atk, dfn):
    if atk:
        change(unit, "atk", atk)
    if dfn:
        change(unit, "def", dfn)


# -- abilities -------------------------------------------------------------------------------------
def defenders(duel, side) -> int:
    return sum(unit.in_defence for unit in duel.units(side))


def ability_targets(duel, unit):
    """The legal targets of the ability as it is now; [None] for one that can be used and does not target."""
    side, enemy, me = unit.side, duel.other(unit.side), duel.sides[unit.side]

    def can(yes):
        return [None] if yes else []

    match unit.id:
        case (
            "balearic_slingers"
            | "roman_auxiliary_archers"
            | "spartan_archers"
            | "satrap_warlord"
            | "alexander_king_of_macedon"
        ):
            return duel.face_up_units()
        case "hannibal_lord_of_manoeuvre":
            return duel.face_up_units(enemy) if duel.controls(side, besides=unit) else []
        case (
            "hannibal_master_of_encirclement"
            | "ramesses_lord_of_the_two_lands"
            | "darius_great_king"
        ):
            return duel.own(side, unit.card.faction)
        case "decebalus_king_of_dacia" | "decebalus_keeper_of_mountain_forts":
            return duel.own(side, "dacia") if duel.terrain_shown() else []
        case "ramesses_keeper_of_the_nile":
            return can(defenders(duel, side) > 0)
        case "alexander_lord_of_combined_arms":
            return can(
                duel.controls(side, "infantry") and duel.controls(side, "cavalry") and bool(me.deck)
            )
        case "darius_lord_of_satrapies":
            return find(duel, side, "graveyard", low_unit_of("persia"))
        case "trajan_imperial_vanguard":
            return can(any(u.position == ATTACK for u in duel.own(side, "rome", "infantry")))
        case "trajan_builder_of_provinces":
            return can(bool(me.hand) and bool(find(duel, side, "deck", _small_roman)))
        case "leonidas_king_of_sparta":
            return [u for u in duel.own(side, "sparta", "infantry") if u.position == ATTACK]
        case "leonidas_voice_of_defiance":
            return can(any(_pays_for_tactic(duel, side)(card_id) for card_id in me.hand))
    return []


def _small_roman(card):
    return card.is_unit and card.faction == "rome" and card.atk < 5


def pays_for(duel, side, wanted):
    """Which cards may be discarded for "discard 1; add 1 … from your graveyard": something must be there afterwards."""
    found = bool(find(duel, side, "graveyard", wanted))
    return lambda card_id: found or wanted(CARDS[card_id])


def _pays_for_tactic(duel, side):
    return pays_for(duel, side, tactic_of("sparta"))


def resolve_ability(duel, unit, target):
    """Carry the ability out (the target's window is over); gives back its outcome."""
    side = unit.side
    match unit.id:
        case "balearic_slingers":
            boost(target, -2 if duel.controls(side, "mercenary", besides=unit) else -1, 0)
        case "roman_auxiliary_archers":
            boost(target, -2, 0)
        case "spartan_archers" | "hannibal_lord_of_manoeuvre":
            boost(target, -1, 0)
        case "satrap_warlord":
            change_position(duel, target)
        case "alexander_king_of_macedon":
            put(duel, target, (yield from choose_word(side, [ATTACK, DEFENCE])))
        case "hannibal_master_of_encirclement":
            target.withdraw += 1
        case "ramesses_lord_of_the_two_lands" | "darius_great_king":
            boost(target, 1, 1)
        case "decebalus_king_of_dacia":
            change(target, "atk", 1, only_in_combat=True)
        case "decebalus_keeper_of_mountain_forts":
            boost(target, 0, 1)
        case "ramesses_keeper_of_the_nile":
            duel.gain_lp(side, min(3, defenders(duel, side)))
        case "alexander_lord_of_combined_arms":
            return (yield from draw_then_discard(duel, side, 1))
        case "darius_lord_of_satrapies":
            duel.sides[side].graveyard.remove(target)
            duel.sides[side].hand.append(target)
        case "trajan_imperial_vanguard":
            infantry = [u for u in duel.own(side, "rome", "infantry") if u.position == ATTACK]
            chosen = yield from choose_on_field(duel, side, infantry)
            put_into_defence(duel, chosen)
            boost(chosen, 0, 1)
        case "trajan_builder_of_provinces":
            yield from discard(duel, side)
            return (yield from add_to_hand(duel, side, "deck", _small_roman))
        case "leonidas_king_of_sparta":
            put_into_defence(duel, target)
            boost(target, 0, 1)
        case "leonidas_voice_of_defiance":
            yield from discard(duel, side, _pays_for_tactic(duel, side))
            return (yield from add_to_hand(duel, side, "graveyard", tactic_of("sparta")))
    return []
