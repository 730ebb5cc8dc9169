"""One attack, step by step (rulebook, section 5), and the wounds that it leaves (section 6)."""

from __future__ import annotations

from cards.ancient_duel.vocabulary import (
    FACE_DOWN,
    GRANT_SILENCE,
    IN_ATTACK,
    IN_DEFENCE,
    ON_ATTACKS,
    WHEN_AFTER_ATTACK,
    WHEN_DEALS_BATTLE_DAMAGE,
    WHEN_DESTROYED,
    WHEN_DESTROYED_IN_BATTLE,
    WHEN_DESTROYS_IN_BATTLE,
    WHEN_WINS_AS_ATTACKER,
    WINDOW_COMBAT,
    WINDOW_DECLARED,
    WINDOW_WOULD_BE_DESTROYED,
)
from sim.ancient_duel.conditions import attacked_stands, attacker_stands
from sim.ancient_duel.options import add_word, ask
from sim.ancient_duel.record import (
    ASK_MAY,
    NO,
    OP_ATTACK,
    PC,
    W_UNIT,
    W_UNIT_SIDE,
    W_UNIT_UID,
    YES,
)
from sim.ancient_duel.stack import (
    either_has_answer,
    has_answer,
    pop,
    push,
    push_aftermath,
    push_round,
    push_trigger,
    push_window,
)
from sim.ancient_duel.stats import combat_atk, combat_defence, pierces, refresh_unit
from sim.ancient_duel.steps import destroy_unit
from sim.ancient_duel.zones import lose_lp, put_into, turn_unit
from sim.compiled import compiled

# Where an attack's frame stands
ATTACK_DECLARED = 0
ATTACK_COMBAT = 1
ATTACK_DAMAGE = 2
ATTACK_FIRST_DOOMED = 3
ATTACK_SECOND_DOOMED = 4
ATTACK_BURIAL = 5
ATTACK_OTHER_TRIGGERS = 6
ATTACK_AFTERMATH = 7
ATTACK_AFTER = 8
ATTACK_MAY_DEFEND = 9
ATTACK_OVER = 10

_A_LOSS_FROM = 2  # where this battle's losses begin in the list


@compiled
def _note_attack(duel, t):  # type: ignore[no-untyped-def]
    """An attack begins or ends: changes "while it attacks" begin or end with it."""
    if duel.depends & ON_ATTACKS != 0 and duel.attacker >= 0:
        refresh_unit(duel, t, duel.active, duel.attacker)


@compiled
def declare(duel, t, u, target):  # type: ignore[no-untyped-def]
    """Step 1: pay, and note who attacks whom (target -1: the enemy directly)."""
    side = duel.active
    card = duel.unit_card[side, u]
    duel.energy[side] -= t.energy[card]
    duel.unit_attacked[side, u] = 1
    duel.attacks += 1
    if target < 0:
        duel.direct_attacks += 1
    duel.attacking = 1
    duel.attacker = u
    duel.attacker_uid = duel.unit_uid[side, u]
    duel.attacker_card = card
    duel.attacked = target
    duel.attacked_uid = duel.unit_uid[1 - side, target] if target >= 0 else 0
    duel.attacked_card = duel.unit_card[1 - side, target] if target >= 0 else -1
    duel.attack_cancelled = 0
    duel.silenced = 1 if t.grants[card] & (1 << GRANT_SILENCE) != 0 else 0
    duel.attacker_doomed = 0
    duel.attacked_doomed = 0
    duel.attacker_fell = 0
    duel.attacked_fell = 0
    duel.attacker_won = 0
    duel.damage_dealt[0] = 0
    duel.damage_dealt[1] = 0
    _note_attack(duel, t)
    push(duel, OP_ATTACK, ATTACK_DECLARED)


@compiled
def _goes_on(duel):  # type: ignore[no-untyped-def]
    """Whether the attack reaches the combat window."""
    if duel.attack_cancelled != 0 or not attacker_stands(duel):
        return False
    if duel.unit_position[duel.active, duel.attacker] != IN_ATTACK:
        return False
    return duel.attacked < 0 or attacked_stands(duel)


@compiled
def _deal(duel, side, amount):  # type: ignore[no-untyped-def]
    """Battle damage to `side`."""
    if amount > 0:
        duel.damage_dealt[1 - side] += amount
        lose_lp(duel, side, amount)


@compiled
def _wound(duel, side, v, in_attack, amount):  # type: ignore[no-untyped-def]
    """The target loses the attacker's ATK from the stat that it fought with."""
    if in_attack:
        duel.unit_wound_atk[side, v] += amount
        duel.unit_atk[side, v] -= amount
    else:
        duel.unit_wound_def[side, v] += amount
        duel.unit_def[side, v] -= amount


@compiled
def _damage(duel, t):  # type: ignore[no-untyped-def]
    """Steps 4 and 5: turn the target up, compare, take LP off, mark who is to be destroyed."""
    side = duel.active
    enemy = 1 - side
    u = duel.attacker
    v = duel.attacked
    if v < 0:
        _deal(duel, enemy, combat_atk(duel, t, side, u, -1, True))
        return
    if duel.unit_position[enemy, v] == FACE_DOWN:
        turn_unit(duel, t, enemy, v, IN_DEFENCE)
    in_attack = duel.unit_position[enemy, v] == IN_ATTACK
    a = combat_atk(duel, t, side, u, v, True)
    if in_attack:
        d = combat_atk(duel, t, enemy, v, u, False)
    else:
        d = combat_defence(duel, t, enemy, v, u, False)
    if a > d:
        duel.attacker_won = 1
        duel.attacked_doomed = 1
        if in_attack or pierces(duel, t, side, u, v):
            _deal(duel, enemy, a - d)
    elif a == d:
        duel.attacker_doomed = 1
        duel.attacked_doomed = 1
    else:
        duel.attacker_doomed = 1
        _deal(duel, side, d - a)
        if duel.over == 0:
            _wound(duel, enemy, v, in_attack, a)


@compiled
def _open_doom(duel, t, f, attackers):  # type: ignore[no-untyped-def]
    """The window in which a side may save its unit from destruction in battle."""
    doomed = duel.attacker_doomed if attackers else duel.attacked_doomed
    side = duel.active if attackers else 1 - duel.active
    if doomed == 0 or not has_answer(duel, t, side, WINDOW_WOULD_BE_DESTROYED):
        return
    g = push_window(duel, WINDOW_WOULD_BE_DESTROYED, side)
    duel.frame[g, W_UNIT_SIDE] = side
    duel.frame[g, W_UNIT] = duel.attacker if attackers else duel.attacked
    duel.frame[g, W_UNIT_UID] = duel.attacker_uid if attackers else duel.attacked_uid


@compiled
def _end_combat(duel):  # type: ignore[no-untyped-def]
    """What held for this combat ends."""
    side = duel.active
    duel.silenced = 0
    if attacker_stands(duel):
        duel.unit_combat_atk[side, duel.attacker] = 0
        duel.unit_combat_def[side, duel.attacker] = 0
    if attacked_stands(duel):
        duel.unit_combat_atk[1 - side, duel.attacked] = 0
        duel.unit_combat_def[1 - side, duel.attacked] = 0


@compiled
def _bury(duel, t, f):  # type: ignore[no-untyped-def]
    """End of step 5, begin of step 6: the doomed units go to their graveyards together."""
    side = duel.active
    _end_combat(duel)
    duel.frame[f, _A_LOSS_FROM] = duel.losses
    if duel.attacker_doomed != 0 and attacker_stands(duel):
        duel.attacker_fell = 1
        destroy_unit(duel, t, side, duel.attacker)
    if duel.attacked_doomed != 0 and attacked_stands(duel):
        duel.attacked_fell = 1
        destroy_unit(duel, t, 1 - side, duel.attacked)


@compiled
def _push_fighter(duel, t, f, attackers):  # type: ignore[no-untyped-def]
    """Step 6: what the battle sets off for one of the two units, then for its side's doctrines."""
    side = duel.active if attackers else 1 - duel.active
    card = duel.attacker_card if attackers else duel.attacked_card
    if card < 0:
        return
    fell = duel.attacker_fell if attackers else duel.attacked_fell
    enemy_fell = duel.attacked_fell if attackers else duel.attacker_fell
    whens = 0
    if fell != 0:
        whens |= (1 << WHEN_DESTROYED) | (1 << WHEN_DESTROYED_IN_BATTLE)
    if enemy_fell != 0:
        whens |= 1 << WHEN_DESTROYS_IN_BATTLE
    if attackers and duel.attacker_won != 0:
        whens |= 1 << WHEN_WINS_AS_ATTACKER
    if duel.damage_dealt[side] > 0:
        whens |= 1 << WHEN_DEALS_BATTLE_DAMAGE
    u = -1
    uid = 0
    if fell == 0:
        u = duel.attacker if attackers else duel.attacked
        uid = duel.attacker_uid if attackers else duel.attacked_uid
    push_trigger(duel, t, side, card, u, uid, whens, fell, duel.frame[f, _A_LOSS_FROM], duel.losses)


@compiled
def _end_attack(duel, t):  # type: ignore[no-untyped-def]
    duel.attacking = 0
    _note_attack(duel, t)
    pop(duel)


@compiled
def _ask_defend(duel, t, options):  # type: ignore[no-untyped-def]
    """A unit that was given leave to go into defence after its attack: now, if its side likes.

    Returns whether the duel must wait.
    """
    side = duel.active
    u = duel.attacker
    if duel.answered != 0:
        duel.answered = 0
        duel.unit_may_defend[side, u] -= 1
        if duel.verb == YES:
            put_into(duel, t, side, u, IN_DEFENCE)
    if (
        attacker_stands(duel)
        and duel.unit_may_defend[side, u] > 0
        and duel.unit_position[side, u] == IN_ATTACK
    ):
        options.n = 0
        add_word(options, YES)
        add_word(options, NO)
        return ask(duel, options, side, ASK_MAY)
    _end_attack(duel, t)
    return False


@compiled
def _after_damage(duel, t, f, pc):  # type: ignore[no-untyped-def]
    """Steps 6 and 7, one frame at a time."""
    frame = duel.frame
    if pc == ATTACK_BURIAL:
        _bury(duel, t, f)
        frame[f, PC] = ATTACK_OTHER_TRIGGERS
        _push_fighter(duel, t, f, True)
    elif pc == ATTACK_OTHER_TRIGGERS:
        frame[f, PC] = ATTACK_AFTERMATH
        _push_fighter(duel, t, f, False)
    elif pc == ATTACK_AFTERMATH:
        frame[f, PC] = ATTACK_AFTER
        if duel.attacked >= 0:
            push_aftermath(duel, t, frame[f, _A_LOSS_FROM], duel.losses, 1)
    else:
        frame[f, PC] = ATTACK_MAY_DEFEND
        _end_combat(duel)
        if attacker_stands(duel):
            push_trigger(
                duel,
                t,
                duel.active,
                duel.attacker_card,
                duel.attacker,
                duel.attacker_uid,
                1 << WHEN_AFTER_ATTACK,
                0,
                duel.losses,
                duel.losses,
            )


@compiled
def _attack_stage(duel, t, options, f):  # type: ignore[no-untyped-def]
    """Run an attack a stage further; whether the duel must wait."""
    frame = duel.frame
    pc = frame[f, PC]
    if pc == ATTACK_DECLARED:
        frame[f, PC] = ATTACK_COMBAT
        if has_answer(duel, t, 1 - duel.active, WINDOW_DECLARED):
            push_window(duel, WINDOW_DECLARED, 1 - duel.active)
    elif pc == ATTACK_COMBAT:
        if _goes_on(duel):
            frame[f, PC] = ATTACK_DAMAGE
            if either_has_answer(duel, t, WINDOW_COMBAT):
                push_round(duel, WINDOW_COMBAT, duel.active)
        else:
            frame[f, PC] = ATTACK_AFTER
    elif pc == ATTACK_DAMAGE:
        if _goes_on(duel):
            _damage(duel, t)
            frame[f, PC] = ATTACK_FIRST_DOOMED
        else:  # no card of the game's own does this in the combat window
            frame[f, PC] = ATTACK_AFTER
    elif pc == ATTACK_FIRST_DOOMED:
        frame[f, PC] = ATTACK_SECOND_DOOMED
        _open_doom(duel, t, f, True)
    elif pc == ATTACK_SECOND_DOOMED:
        frame[f, PC] = ATTACK_BURIAL
        _open_doom(duel, t, f, False)
    elif pc == ATTACK_MAY_DEFEND:
        return _ask_defend(duel, t, options)
    else:
        _after_damage(duel, t, f, pc)
    return False


@compiled
def step_attack(duel, t, options):  # type: ignore[no-untyped-def]
    """Run the attack on top of the stack while it stays there; whether the duel must wait."""
    f = duel.depth - 1
    while duel.depth == f + 1 and duel.over == 0:
        if _attack_stage(duel, t, options, f):
            return True
    return False
