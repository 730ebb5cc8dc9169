"""The course of a duel: phases, the actions of a main phase, the end of a turn."""

from __future__ import annotations

from . import doctrines, units
from .battle import battle_phase
from .cards import CARDS
from .choices import MAIN, Decision, field_names, option, zone_names
from .duel import ATTACK, DEFENCE, FACE_DOWN, DuelOver, Support, Unit
from .effects import Arrival, discard, draw, face_up_support
from .windows import deployed, group_name, settle, targeted


def play(duel):
    """The whole duel from where it stands: a generator of decisions that ends with the duel."""
    try:
        while True:
            yield from rest_of_turn(duel)
            yield from end_phase(duel)
            next_turn(duel)
    except DuelOver:
        return


def rest_of_turn(duel):
    if duel.phase == "main1":
        duel.phase = yield from main_phase(duel, first_of_duel=is_first_turn(duel))
    if duel.phase == "battle":
        duel.phase = yield from battle_phase(duel)
    if duel.phase == "main2":
        duel.phase = yield from main_phase(duel)


def is_first_turn(duel):
    return duel.sides[duel.active].turn == 1 and duel.sides[duel.other(duel.active)].turn == 0


def end_phase(duel):
    duel.phase = "end"
    me = duel.sides[duel.active]
    while len(me.hand) > duel.rules["hand_limit"]:
        yield from discard(duel, duel.active)
    for unit in duel.units():
        unit.changes.clear()
        unit.withdraw = 0
        unit.wounds = [
            wound for wound in unit.wounds if not (wound[2] == duel.active and wound[3] <= me.turn)
        ]
        unit.new = unit.attacked = unit.repositioned = unit.used = False
    for side in duel.sides.values():
        side.deployments = side.attacks = side.directs = side.lost = 0
        for card in side.support:
            card.new = card.used = False


def next_turn(duel):
    duel.active = duel.other(duel.active)
    me, rules = duel.sides[duel.active], duel.rules
    me.turn += 1
    duel.phase = "draw"
    duel.note(f"turn {me.turn} of {duel.active}")
    if not me.deck:
        duel.lose(duel.active, "deck")
    draw(duel, duel.active, 1)
    duel.phase = "standby"
    growth = max(0, me.turn - rules["energy_growth_turn"] + 1)
    me.energy = min(rules["energy_cap"], rules["energy_start"] + growth)
    for card in duel.face_up_support(duel.active):
        if card.id == "nile_floodplain":
            duel.gain_lp(duel.active, 1)
    duel.phase = "main1"


# -- main phases -----------------------------------------------------------------------------------
def main_phase(duel, first_of_duel=False):
    """Gives back the phase that comes next ("end" for none)."""
    side, first = duel.active, duel.phase == "main1"
    while True:
        options = (
            hand_options(duel, side)
            + activate_options(duel, side)
            + use_options(duel, side)
            + reposition_options(duel, side)
            + [option("end", ("go", "end"))]
        )
        if first and not first_of_duel:
            options.append(option("battle", ("go", "battle")))
        action, *what = yield Decision(side, MAIN, options)
        if action == "go":
            return what[0]
        yield from ACTIONS[action](duel, side, *what)


def deployment_cost(duel, card):
    return card.energy if card.level > duel.rules["free_level"] else 0


def hand_options(duel, side):
    """Deploy and set."""
    me, options = duel.sides[side], []
    for card_id in dict.fromkeys(me.hand):
        card, name = CARDS[card_id], zone_names(duel, side, "hand", [card_id])[0]
        if card.is_unit:
            if (
                me.deployments < duel.rules["deployments_per_turn"]
                and duel.unit_zone_free(side)
                and me.energy >= deployment_cost(duel, card)
            ):
                options += [
                    option("deploy", ("deploy", card_id), name),
                    option("set", ("set unit", card_id), name),
                ]
        elif duel.support_zone_free(side):
            options.append(option("set", ("set support", card_id), name))
    return options


def activate_options(duel, side):
    me, options = duel.sides[side], []
    if me.energy < duel.rules["activation_cost"]:
        return options
    hidden = [card for card in me.support if card.card.is_doctrine and not card.face_up]
    ids = [card_id for card_id in me.hand if CARDS[card_id].is_doctrine] + [
        card.id for card in hidden
    ]
    for card_id in dict.fromkeys(ids):
        copies = [card for card in hidden if card.id == card_id]
        source, targets = _first_copy(duel, side, card_id, copies)
        if not targets:
            continue
        name = zone_names(duel, side, "hand", [card_id])[0]
        if copies:
            group = group_name(duel, side, copies)
            name = type(name)(name.text, name.aliases | group.aliases)
        if targets == [None]:
            options.append(option("activate", ("activate", card_id, source, None), name))
            continue
        for target, target_name in zip(targets, field_names(duel, side, targets)):
            options.append(
                option("activate", ("activate", card_id, source, target), name, target_name)
            )
    return options


def _first_copy(duel, side, card_id, copies):
    """The first copy that can be activated (None: the one in hand) and its targets."""
    me = duel.sides[side]
    if card_id in me.hand and (CARDS[card_id].type == "one-shot" or duel.support_zone_free(side)):
        rest = list(me.hand)
        rest.remove(card_id)
        targets = doctrines.activation_targets(duel, side, card_id, rest)
        if targets:
            return None, targets
    if copies:
        return copies[0], doctrines.activation_targets(duel, side, card_id, list(me.hand))
    return None, []


def use_options(duel, side):
    options = []
    for module, things in (
        (units, duel.face_up_units(side)),
        (doctrines, duel.face_up_support(side)),
    ):
        for thing, name in zip(things, field_names(duel, side, things)):
            if thing.used:
                continue
            targets = module.ability_targets(duel, thing)
            if targets == [None]:
                options.append(option("use", ("use", module, thing, None), name))
                continue
            if targets and isinstance(targets[0], str):
                target_names = zone_names(duel, side, "graveyard", targets)
            else:
                target_names = field_names(duel, side, targets)
            for target, target_name in zip(targets, target_names):
                options.append(option("use", ("use", module, thing, target), name, target_name))
    return options


def reposition_options(duel, side):
    if not duel.rules["reposition"]:
        return []
    able = [
        unit for unit in duel.units(side) if not (unit.new or unit.attacked or unit.repositioned)
    ]
    return [
        option("reposition", ("reposition", unit), name)
        for unit, name in zip(able, field_names(duel, side, able))
    ]


# -- the actions -----------------------------------------------------------------------------------
def _unit_from_hand(duel, side, card_id, position):
    me = duel.sides[side]
    me.energy -= deployment_cost(duel, CARDS[card_id])
    me.deployments += 1
    me.hand.remove(card_id)
    unit = Unit(card_id, side, position, new=True)
    me.units.append(unit)
    return unit


def deploy(duel, side, card_id):
    unit = _unit_from_hand(duel, side, card_id, ATTACK)
    duel.note(f"{side} deploys {card_id}")
    outcome = yield from units.deploy_effect(duel, unit)
    yield from settle(duel, outcome)
    yield from deployed(duel, Arrival(unit, special=False))


def set_unit(duel, side, card_id):
    _unit_from_hand(duel, side, card_id, FACE_DOWN)
    duel.note(f"{side} sets a unit")
    yield from ()


def set_support(duel, side, card_id):
    duel.sides[side].hand.remove(card_id)
    duel.sides[side].support.append(Support(card_id, side, face_up=False, new=True))
    duel.note(f"{side} sets a card")
    yield from ()


def activate(duel, side, card_id, source, target):
    me, card, place = duel.sides[side], CARDS[card_id], None
    me.energy -= duel.rules["activation_cost"]
    if source is None:
        me.hand.remove(card_id)
    else:
        place = next(n for n, other in enumerate(me.support) if other is source)
        del me.support[place]
    duel.resolving.append((side, card_id))
    duel.note(f"{side} activates {card_id}")
    goes_on = target is None or (
        yield from targeted(duel, side, "doctrine", target, activation=True)
    )
    outcome = []
    if goes_on and card.type == "one-shot":
        outcome = yield from doctrines.resolve_one_shot(duel, side, card_id, target)
    duel.resolving.remove((side, card_id))
    if goes_on and card.type != "one-shot":
        face_up_support(duel, side, card_id, target, place)
    else:
        me.graveyard.append(card_id)
    yield from settle(duel, outcome)


def use(duel, side, module, thing, target):
    thing.used = True
    duel.note(f"{side} uses {thing.id}")
    source = "unit" if module is units else "doctrine"
    if target is not None:
        aimed_at = None if isinstance(target, str) else target
        if not (yield from targeted(duel, side, source, aimed_at)):
            return
    outcome = yield from module.resolve_ability(duel, thing, target)
    yield from settle(duel, outcome)


def reposition(duel, side, unit):
    unit.position = DEFENCE if unit.position == ATTACK else ATTACK
    unit.repositioned = True
    duel.note(f"{side} repositions {unit.id}: {unit.position}")
    yield from ()


ACTIONS = {
    "deploy": deploy,
    "set unit": set_unit,
    "set support": set_support,
    "activate": activate,
    "use": use,
    "reposition": reposition,
}
