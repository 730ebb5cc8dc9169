"""The Battle phase: which attacks are possible, and one attack step by step."""

from __future__ import annotations

from .choices import BATTLE, Decision, ask, field_names, option
from .duel import ATTACK, DEFENCE, FACE_DOWN, Battle
from .effects import Destruction, put_into_defence, to_graveyard
from .windows import aftermath, destroyed, window


class Doom:
    """A unit that would be destroyed in battle."""

    def __init__(self, unit):
        self.unit, self.saved = unit, False


def battle_phase(duel):
    """Gives back "main2" or "end"."""
    side = duel.active
    while True:
        options = attack_options(duel, side) + [option("main2", "main2"), option("end", "end")]
        chosen = yield Decision(side, BATTLE, options)
        if isinstance(chosen, str):
            return chosen
        yield from attack(duel, *chosen)


# -- declarations ----------------------------------------------------------------------------------
def may_attack(duel, unit):
    return (
        unit.position == ATTACK
        and not unit.attacked
        and duel.sides[unit.side].energy >= unit.card.energy
    )


def attack_targets(duel, side):
    """What a unit of this side may attack now; [None]: only directly."""
    me, enemy = duel.sides[side], duel.other(side)
    if me.attacks >= 1 and duel.shown("narrow_pass", enemy):
        return []
    targets = duel.units(enemy)
    if targets:
        guards = [
            unit for unit in targets if unit.id == "medjay_guard" and unit.position == DEFENCE
        ]
        return guards or targets
    camp_holds = duel.shown("fortified_camp", enemy) and duel.sides[enemy].lost > 0
    return [] if camp_holds or me.directs >= duel.rules["direct_attacks_per_turn"] else [None]


def attack_options(duel, side):
    options = []
    own = [unit for unit in duel.units(side) if may_attack(duel, unit)]
    targets = attack_targets(duel, side)
    for unit, name in zip(own, field_names(duel, side, own)):
        if targets == [None]:
            options.append(option("attack", (unit, None), name))
            continue
        for target, target_name in zip(targets, field_names(duel, side, targets)):
            options.append(option("attack", (unit, target), name, target_name))
    return options


# -- one attack ------------------------------------------------------------------------------------
def attack(duel, attacker, target):
    side, enemy = attacker.side, duel.other(attacker.side)
    me = duel.sides[side]
    me.energy -= attacker.card.energy  # 1
    attacker.attacked = True
    me.attacks += 1
    if target is None:
        me.directs += 1
    battle = duel.battle = Battle(attacker, target)
    duel.note(f"{side}:{attacker.id} attacks {target.id if target else 'directly'}")

    yield from window(duel, enemy, "declared", battle, closed=lambda: battle.cancelled)  # 2
    goes_on = (
        not battle.cancelled
        and duel.on_field(attacker)
        and attacker.position == ATTACK
        and (target is None or duel.on_field(target))
    )
    if goes_on:
        for name in (side, enemy):  # 3
            yield from window(duel, name, "combat", battle)
        if target is not None and target.position == FACE_DOWN:  # 4
            target.position = DEFENCE
        event = yield from damage(duel, battle)  # 5
        battle.before_damage_ends = False
        to_graveyard(duel, event.dead)  # 6
        yield from destroyed(duel, event)
        yield from aftermath(duel, event)
    battle.before_damage_ends = False
    yield from after_attack(duel, attacker)  # 7
    duel.battle = None


def damage(duel, battle):
    """Step 5; gives back what was destroyed, still on the field."""
    attacker, target = battle.attacker, battle.target
    side, enemy = attacker.side, duel.other(attacker.side)
    strength = duel.atk(attacker, combat=True)
    if target is None:
        duel.lose_lp(enemy, strength)
        # a rule set with stat_min = 0: who costs the enemy no LP has dealt no battle damage
        return Destruction([], battle, damage_by=attacker if strength > 0 else None)

    resistance = duel.battle_stat(target, combat=True)
    duel.note(f"{strength} against {resistance}")
    damage_by, beaten = None, []
    if strength > resistance:
        beaten = [target]
        if target.position == ATTACK or attacker.id == "scythed_chariot":
            duel.lose_lp(enemy, strength - resistance)
            damage_by = attacker
    elif strength == resistance:
        beaten = [attacker, target]
    else:
        beaten = [attacker]
        duel.lose_lp(side, resistance - strength)
        damage_by = target
        stat = "def" if target.in_defence else "atk"
        target.wounds.append((stat, strength, side, duel.sides[side].turn + 1))

    dead = []
    for name in duel.in_turn_order():
        for unit in beaten:
            if unit.side == name:
                doom = Doom(unit)
                yield from window(duel, name, "would_be_destroyed", doom, closed=lambda: doom.saved)
                if not doom.saved:
                    dead.append(unit)
    kills = [(attacker if victim is target else target, victim) for victim in dead]
    event = Destruction(dead, battle, kills, damage_by)
    event.won_by_attacker = strength > resistance
    return event


def after_attack(duel, attacker):
    """What is to happen after this unit's attack, a cancelled one included."""
    if duel.on_field(attacker) and attacker.id == "numidian_cavalry":
        put_into_defence(duel, attacker)
    for _ in range(attacker.withdraw):
        if (
            duel.on_field(attacker)
            and attacker.position == ATTACK
            and (yield from ask(attacker.side))
        ):
            put_into_defence(duel, attacker)
