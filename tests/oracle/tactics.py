"""Tactics: in which window, when they can be activated, and what they do.

`can(duel, side, event)` says whether the tactic of this side answers the event and would do something; `targets` (only for a
tactic that targets) lists legal targets; `resolve(duel, side, event, target)` is a generator that gives back an outcome."""

from __future__ import annotations

from .cards import CARDS
from .choices import choose_on_field
from .duel import ATTACK, FACE_DOWN
from .effects import (
    add_to_hand,
    can_special,
    change,
    change_position,
    destroy,
    draw_then_discard,
    find,
    put,
    put_into_defence,
    special_deploy,
)


class Tactic:
    def __init__(self, window, can, resolve, targets=None):
        self.window, self.can, self.resolve, self.targets = window, can, resolve, targets


TACTICS = {}


def tactic(card_id, window, can, targets=None):
    def register(resolve):
        assert CARDS[card_id].is_tactic
        TACTICS[card_id] = Tactic(window, can, resolve, targets)
        return resolve

    return register


def nothing():
    """Makes a function with this in it a generator although nobody chooses."""
    return
    yield


# -- declared: the event is the Battle -------------------------------------------------------------
def touchable(duel, battle) -> bool:
    """An enemy tactic can do something to the attacker."""
    return duel.on_field(battle.attacker) and not duel.immune(battle.attacker)


def cancellable(duel, battle) -> bool:
    return not battle.cancelled and touchable(duel, battle)


def cancel(duel, battle):
    if cancellable(duel, battle):
        battle.cancelled = True
        duel.note("the attack is cancelled")


def attacked(duel, battle, faction, *types) -> bool:
    """The target is on the field and of this kind."""
    return (
        battle.target is not None
        and duel.on_field(battle.target)
        and battle.target.is_a(faction, *types)
    )


def weaken_attacker(card_id, amount, also_def=0, when=lambda duel, battle: True):
    @tactic(
        card_id,
        "declared",
        lambda duel, side, battle: touchable(duel, battle) and when(duel, battle),
    )
    def resolve(duel, side, battle, target):
        yield from nothing()
        if touchable(duel, battle):
            change(battle.attacker, "atk", -amount)
            if also_def:
                change(battle.attacker, "def", -also_def)
        return []


weaken_attacker("forest_ambush", 1)
weaken_attacker("sandstorm_veil", 2)
weaken_attacker("arrow_screen", 3)
weaken_attacker(
    "pilum_volley", 2, also_def=2, when=lambda duel, battle: attacked(duel, battle, "rome")
)
weaken_attacker(
    "punic_ambush",
    2,
    when=lambda duel, battle: (
        attacked(duel, battle, "carthage", "infantry", "mercenary")
        and battle.target.position == FACE_DOWN
    ),
)


def cancel_attack(card_id, when):
    @tactic(
        card_id,
        "declared",
        lambda duel, side, battle: cancellable(duel, battle) and when(duel, battle),
    )
    def resolve(duel, side, battle, target):
        yield from nothing()
        cancel(duel, battle)
        return []


cancel_attack(
    "shield_wall_repulse", lambda duel, battle: attacked(duel, battle, "rome", "infantry")
)
cancel_attack("hold_the_line", lambda duel, battle: attacked(duel, battle, "sparta", "infantry"))
cancel_attack("hidden_gorge", lambda duel, battle: duel.shown("forest_trails"))


def _retreat_unit(card):
    return (
        card.is_unit
        and card.faction == "carthage"
        and card.level < 5
        and (card.mercenary or card.type == "cavalry")
    )


@tactic(
    "feigned_retreat",
    "declared",
    lambda duel, side, battle: (
        cancellable(duel, battle) or can_special(duel, side, ["hand"], _retreat_unit)
    ),
)
def feigned_retreat(duel, side, battle, target):
    cancel(duel, battle)
    return (yield from special_deploy(duel, side, ["hand"], _retreat_unit))


@tactic(
    "sudden_wheel",
    "declared",
    lambda duel, side, battle: (
        attacked(duel, battle, "macedon", "cavalry") and touchable(duel, battle)
    ),
)
def sudden_wheel(duel, side, battle, target):
    yield from nothing()
    if touchable(duel, battle):
        put_into_defence(duel, battle.attacker)
        cancel(duel, battle)
    return []


@tactic(
    "orderly_withdrawal",
    "declared",
    lambda duel, side, battle: (
        attacked(duel, battle, "persia", "infantry", "ranged_infantry")
        and (battle.target.position == ATTACK or cancellable(duel, battle))
    ),
)
def orderly_withdrawal(duel, side, battle, target):
    yield from nothing()
    put_into_defence(duel, battle.target)
    cancel(duel, battle)
    return []


def _weaker_enemies(duel, side, unit):
    return [
        enemy
        for enemy in duel.face_up_units(duel.other(side))
        if duel.atk(enemy) < duel.atk(unit) and not duel.immune(enemy)
    ]


def _heroes(duel, side):
    return [unit for unit in duel.own(side, "sparta") if _weaker_enemies(duel, side, unit)]


@tactic("heroic_sacrifice", "declared", lambda duel, side, battle: bool(_heroes(duel, side)))
def heroic_sacrifice(duel, side, battle, target):
    hero = yield from choose_on_field(duel, side, _heroes(duel, side))
    victim = yield from choose_on_field(duel, side, _weaker_enemies(duel, side, hero))
    duel.remove_unit(hero)
    duel.note(f"{side}:{hero.id} is sacrificed")
    return destroy(duel, victim) if not duel.immune(victim) else []


# -- combat: the event is the Battle ---------------------------------------------------------------
def _own_fighter(duel, side, battle, faction, *types):
    """This side's unit in a battle between two units, if it is of this kind."""
    unit = battle.fighter(side)
    return (
        unit
        if battle.target is not None and unit is not None and unit.is_a(faction, *types)
        else None
    )


def weaken_opponent(card_id, faction, *types):
    @tactic(
        card_id,
        "combat",
        lambda duel, side, battle: (
            _own_fighter(duel, side, battle, faction, *types) is not None
            and not duel.immune(battle.opposing(side))
        ),
    )
    def resolve(duel, side, battle, target):
        yield from nothing()
        battle.changes.append((battle.opposing(side), "atk", -2))
        return []


weaken_opponent("sudden_javelins", "carthage", "cavalry", "ranged_infantry")
weaken_opponent("signal_arrow", "egypt", "ranged_infantry")


def strengthen_attacker(card_id, amount, faction, *types, when=lambda duel, side: True):
    @tactic(
        card_id,
        "combat",
        lambda duel, side, battle: (
            battle.attacker.side == side
            and battle.attacker.is_a(faction, *types)
            and when(duel, side)
        ),
    )
    def resolve(duel, side, battle, target):
        yield from nothing()
        battle.changes.append((battle.attacker, "atk", amount))
        return []


strengthen_attacker("hired_blades", 2, "carthage", "mercenary")
strengthen_attacker("sudden_onslaught", 1, "dacia", "infantry", "cavalry")
strengthen_attacker(
    "coordinated_attack",
    2,
    "macedon",
    "cavalry",
    when=lambda duel, side: duel.controls(side, "infantry"),
)


@tactic(
    "chariot_breakthrough",
    "combat",
    lambda duel, side, battle: _own_fighter(duel, side, battle, "persia", "chariot") is not None,
)
def chariot_breakthrough(duel, side, battle, target):
    yield from nothing()
    battle.changes.append((battle.fighter(side), "atk", 2))
    return []


# -- would_be_destroyed: the event is a Doom (battle.py) -------------------------------------------
@tactic(
    "last_howl_of_the_wolf",
    "would_be_destroyed",
    lambda duel, side, doom: not doom.saved and doom.unit.is_a("dacia"),
)
def last_howl_of_the_wolf(duel, side, doom, target):
    yield from nothing()
    doom.saved = True
    return []


@tactic(
    "not_one_step_back",
    "would_be_destroyed",
    lambda duel, side, doom: not doom.saved and doom.unit.is_a("sparta", "infantry"),
)
def not_one_step_back(duel, side, doom, target):
    yield from nothing()
    doom.saved = True
    change(doom.unit, "def", 1)
    return []


# -- targeted: the event is a Targeting (windows.py) -----------------------------------------------
def _targets_unit_of(duel, side, aim, faction, *types) -> bool:
    unit = aim.unit
    return (
        unit is not None
        and unit.side == side
        and duel.on_field(unit)
        and unit.is_a(faction, *types)
    )


def cancel_effect(card_id, when):
    @tactic(
        card_id, "targeted", lambda duel, side, aim: not aim.cancelled and when(duel, side, aim)
    )
    def resolve(duel, side, aim, target):
        yield from nothing()
        aim.cancelled = True
        duel.note("the effect is cancelled")
        return []


cancel_effect(
    "viziers_order",
    lambda duel, side, aim: aim.source == "doctrine" and aim.activation and bool(duel.units(side)),
)
cancel_effect(
    "dust_shroud",
    lambda duel, side, aim: aim.source in ("doctrine", "tactic") and aim.unit is not None,
)
cancel_effect("iron_will", lambda duel, side, aim: _targets_unit_of(duel, side, aim, "sparta"))


@tactic(
    "orderly_relief",
    "targeted",
    lambda duel, side, aim: _targets_unit_of(duel, side, aim, "rome", "infantry"),
)
def orderly_relief(duel, side, aim, target):
    yield from nothing()
    put_into_defence(duel, aim.unit)
    change(aim.unit, "def", 2)
    return []


# -- deployed: the event is an Arrival -------------------------------------------------------------
def signal_targets(duel, side, arrival):
    return [unit for unit in duel.face_up_units() if unit.side == side or not duel.immune(unit)]


@tactic(
    "kings_signal",
    "deployed",
    lambda duel, side, arrival: arrival.side == side and arrival.unit.is_a("macedon"),
    targets=signal_targets,
)
def kings_signal(duel, side, arrival, target):
    yield from nothing()
    if duel.on_field(target) and (target.side == side or not duel.immune(target)):
        change_position(duel, target)
    return []


@tactic(
    "open_order",
    "deployed",
    lambda duel, side, arrival: (
        arrival.side != side
        and arrival.special
        and duel.on_field(arrival.unit)
        and arrival.unit.in_defence
        and not duel.immune(arrival.unit)
    ),
)
def open_order(duel, side, arrival, target):
    yield from nothing()
    put(duel, arrival.unit, ATTACK)
    return []


# -- aftermath: the event is a Destruction ---------------------------------------------------------
def _lost(side, event, faction, *types, in_battle=False) -> bool:
    if in_battle and event.battle is None:
        return False
    return any(unit.is_a(faction, *types) for unit in event.dead_of(side))


@tactic(
    "ruthless_bargain",
    "aftermath",
    lambda duel, side, event: (
        _lost(side, event, "carthage", "mercenary", "cavalry") and bool(duel.sides[side].deck)
    ),
)
def ruthless_bargain(duel, side, event, target):
    return (yield from draw_then_discard(duel, side, 2))


def _wagon_victims(duel, side):
    return [
        unit
        for unit in duel.face_up_units(duel.other(side))
        if duel.atk(unit) < 5 and not duel.immune(unit)
    ]


@tactic(
    "burning_wagons",
    "aftermath",
    lambda duel, side, event: (
        _lost(side, event, "dacia", in_battle=True) and bool(_wagon_victims(duel, side))
    ),
)
def burning_wagons(duel, side, event, target):
    victim = yield from choose_on_field(duel, side, _wagon_victims(duel, side))
    return destroy(duel, victim)


@tactic(
    "funerary_rites",
    "aftermath",
    lambda duel, side, event: (
        _lost(side, event, "egypt")
        and bool(find(duel, side, "graveyard", lambda card: card.faction == "egypt"))
    ),
)
def funerary_rites(duel, side, event, target):
    return (yield from add_to_hand(duel, side, "graveyard", lambda card: card.faction == "egypt"))


def reserve(card_id, lost_faction, lost_types, zones, types, below):
    """Special-deploy a unit of the card's faction after a loss in battle."""

    def wanted(card):
        return (
            card.is_unit
            and card.faction == lost_faction
            and card.type in types
            and card.level < below
        )

    @tactic(
        card_id,
        "aftermath",
        lambda duel, side, event: (
            _lost(side, event, lost_faction, *lost_types, in_battle=True)
            and can_special(duel, side, zones, wanted)
        ),
    )
    def resolve(duel, side, event, target):
        return (yield from special_deploy(duel, side, zones, wanted))


reserve("hidden_channel", "egypt", [], ["hand"], ["infantry", "ranged_infantry", "chariot"], 5)
reserve("sarissa_reserve_line", "macedon", ["infantry"], ["hand", "graveyard"], ["infantry"], 99)
reserve("rotation_of_reserves", "rome", ["infantry"], ["hand"], ["infantry", "ranged_infantry"], 5)


@tactic(
    "decisive_order",
    "aftermath",
    lambda duel, side, event: any(
        killer.side == side and killer.is_a("rome", "infantry", "commander")
        for killer, _ in event.kills
    ),
)
def decisive_order(duel, side, event, target):
    yield from nothing()
    duel.lose_lp(duel.other(side), 1)
    return []


def _counterstroke(duel, side, event):
    battle = event.battle
    return (
        battle is not None
        and battle.target is not None
        and battle.target.side == side
        and battle.target.is_a("sparta", "infantry")
        and battle.target not in event.dead
        and duel.on_field(battle.attacker)
        and not duel.immune(battle.attacker)
    )


@tactic("counterstroke", "aftermath", _counterstroke)
def counterstroke(duel, side, event, target):
    yield from nothing()
    return destroy(duel, event.battle.attacker)
