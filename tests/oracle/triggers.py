"""Effects that a battle or a destruction sets off: of units, then of doctrines, turn player's side first."""

from __future__ import annotations

from .choices import choose_on_field
from .effects import add_to_hand, change, draw_then_discard, special_deploy


def after_destruction(duel, event):
    """The effects one after another, each as a generator that gives back its outcome (arrivals only)."""
    for side in duel.in_turn_order():
        for unit in _involved(event, side):
            yield _unit_effect(duel, side, unit, event)
        for dead in event.dead_of(side):
            if dead.card.faction != "carthage":
                continue
            for card in duel.face_up_support(side):
                if card.id == "punic_supply" and not card.used:
                    yield _punic_supply(duel, side, card)


def _involved(event, side):
    if event.battle is not None:
        unit = event.battle.fighter(side)
        return [] if unit is None else [unit]
    return event.dead_of(side)


def _punic_supply(duel, side, card):
    card.used = True
    duel.gain_lp(side, 1)
    return (yield from draw_then_discard(duel, side, 1))


def _unit_effect(duel, side, unit, event):
    dead = unit in event.dead
    in_battle = event.battle is not None
    match unit.id:
        case "iberian_mercenaries" if dead and in_battle:
            return (yield from draw_then_discard(duel, side, 1))
        case "comati_raiders" if any(killer is unit for killer, _ in event.kills):
            return (yield from draw_then_discard(duel, side, 1))
        case "tarabostes_nobles" if dead:
            return (
                yield from add_to_hand(
                    duel, side, "deck", lambda card: card.is_doctrine and card.faction == "dacia"
                )
            )
        case "somatophylakes_royal_guard" if dead:
            duel.gain_lp(side, 1)
        case "immortals_guard" if dead:
            return (
                yield from special_deploy(
                    duel, side, ["deck"], lambda card: card.id == "persian_levy_archers"
                )
            )
        case "persian_levy_archers" if event.damage_by is unit:
            duel.lose_lp(duel.other(side), 1)
        case "perioikoi_spearmen" if (
            in_battle and event.won_by_attacker and event.battle.attacker is unit
        ):
            infantry = duel.own(side, "sparta", "infantry")
            if infantry:
                chosen = yield from choose_on_field(duel, side, infantry)
                change(chosen, "atk", 1)
                change(chosen, "def", 1)
    return []
