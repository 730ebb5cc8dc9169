"""What an attack or an effect would be worth, in LP, to the side that makes it.

These are estimates for strategies that look one move ahead; nothing is played out.
"""

from __future__ import annotations

from cards.ancient_duel.vocabulary import (
    DO_ADD,
    DO_CHANGE,
    DO_CHANGE_ALL,
    DO_CHOOSE,
    DO_DAMAGE,
    DO_DESTROY,
    DO_DESTROY_SUPPORT,
    DO_DISCARD,
    DO_DRAW,
    DO_GAIN_LP,
    DO_MAY_DEFEND_AFTER_ATTACK,
    DO_MOVE,
    DO_RECOVER,
    DO_SACRIFICE,
    DO_SPECIAL_DEPLOY,
    FACE_DOWN,
    IN_ATTACK,
    MOVE_ATTACK,
    MOVE_DEFENCE,
    REACH_UNITS,
    UNTIL_TURN,
    WHO_SECOND,
    WHO_SELF,
    WHO_TARGET,
)
from sim.ancient_duel.conditions import step_amount, step_conditions_hold
from sim.ancient_duel.stats import atk, defence, unit_passes
from sim.compiled import compiled
from strategies.ancient_duel.knowledge import (
    attack_numbers,
    battle_ahead,
    best_attacker,
    can_attack,
    direct_damage,
    is_hidden,
    stat_against,
    threat,
    unit_worth,
)

WIN = 1000.0  # worth of ending the duel


@compiled
def comparison_worth(duel, t, side, attacker_side, u, v, a, d, through):  # type: ignore[no-untyped-def]
    """Worth to the attacking side of comparing a with d; `through`: a win takes LP off."""
    enemy = 1 - attacker_side
    if a > d:
        worth = unit_worth(duel, t, side, enemy, v)
        if through:
            worth += a - d
            if a - d >= duel.lp[enemy]:
                worth += WIN
        return worth
    mine = unit_worth(duel, t, side, attacker_side, u)
    if a == d:
        return unit_worth(duel, t, side, enemy, v) - mine
    worth = -mine - (d - a)
    if d - a >= duel.lp[attacker_side]:
        worth -= WIN
    return worth


@compiled
def exchange(duel, t, side, attacker_side, u, v, attack_change, target_change):  # type: ignore[no-untyped-def]
    """Worth of an attack to the attacking side, from its comparison alone.

    v is -1 for a direct attack. `side` is who looks.
    """
    if v < 0:
        damage = direct_damage(duel, t, attacker_side, u, attack_change)
        return damage + (WIN if damage >= duel.lp[1 - attacker_side] else 0.0)
    a, d, through = attack_numbers(
        duel, t, side, attacker_side, u, v, attack_change, target_change
    )
    return comparison_worth(duel, t, side, attacker_side, u, v, a, d, through)


@compiled
def attack_worth(duel, t, side, u, v):  # type: ignore[no-untyped-def]
    """Worth of an attack of unit u of the active side now, with what it opens for the next ones.

    A lost attack that wounds its target so that another unit can bring it down is counted in part,
    and so is the way that the fall of the last enemy unit opens for a direct attack.
    """
    if v < 0:
        return exchange(duel, t, side, side, u, v, 0, 0)
    enemy = 1 - side
    a, d, through = attack_numbers(duel, t, side, side, u, v, 0, 0)
    worth = comparison_worth(duel, t, side, side, u, v, a, d, through)
    energy = duel.energy[side] - t.energy[duel.unit_card[side, u]]
    if a > d:
        if duel.units[enemy] == 1 and duel.direct_attacks == 0:
            worth += 0.7 * _follower(duel, t, side, u, energy)
    elif a < d and d - a < duel.lp[side]:
        left = max(d - a, t.stat_min)
        heir = _follower(duel, t, side, u, energy)
        if heir > left and best_attacker(duel, t, side, u) <= d:
            worth += 0.9 * unit_worth(duel, t, side, enemy, v)
            if duel.unit_position[enemy, v] == IN_ATTACK:
                worth += heir - left
    return worth


@compiled
def _follower(duel, t, side, but, energy):  # type: ignore[no-untyped-def]
    """ATK of the best other unit that could attack with this energy; 0 where there is none."""
    most = 0
    for i in range(duel.units[side]):
        u = duel.unit_at[side, i]
        if (
            u != but
            and can_attack(duel, t, side, u)
            and t.energy[duel.unit_card[side, u]] <= energy
        ):
            most = max(most, atk(duel, t, side, u))
    return most


# --- effects --------------------------------------------------------------------------------------
@compiled
def _change_worth(duel, t, side, x, s, u):  # type: ignore[no-untyped-def]
    """Worth of a change of ATK and DEF to one unit."""
    da = t.step_atk[x]
    dd = t.step_def[x]
    if s == side:
        worth = 0.25 * (da + dd)
        if da > 0 and battle_ahead(duel) and side == duel.active and can_attack(duel, t, s, u):
            worth += 0.5 * da
        elif dd > 0 and duel.unit_position[s, u] != IN_ATTACK:
            worth += 0.3 * dd
        return worth
    if not battle_ahead(duel) or side != duel.active or is_hidden(duel, side, s, u):
        return 0.02
    # a weaker enemy matters where it lets somebody win
    d = stat_against(duel, t, side, s, u)
    fall = -da if duel.unit_position[s, u] == IN_ATTACK else -dd
    a = best_attacker(duel, t, side, -1)
    if fall <= 0 or a == 0:
        return 0.02
    after = max(d - fall, t.stat_min)
    if a > after and a <= d:
        return unit_worth(duel, t, side, s, u)
    if a > d and duel.unit_position[s, u] == IN_ATTACK:
        return 0.8 * (d - after)
    return 0.1


@compiled
def _move_worth(duel, t, side, x, s, u):  # type: ignore[no-untyped-def]
    """Worth of moving a unit to another position."""
    in_attack = duel.unit_position[s, u] == IN_ATTACK
    if t.to[x] == MOVE_ATTACK and in_attack:
        return 0.0
    if t.to[x] == MOVE_DEFENCE and not in_attack:
        return 0.0
    if s == side:
        strength = atk(duel, t, s, u)
        danger = threat(duel, t, side)
        if in_attack:
            if battle_ahead(duel) and can_attack(duel, t, s, u):
                return -0.5
            return 0.6 * (danger - strength) if danger > strength else -0.3
        if battle_ahead(duel) and duel.unit_attacked[s, u] == 0:
            return 1.0 if strength > danger or duel.units[1 - side] == 0 else 0.1
        return 0.4 if strength > danger else -0.5
    if is_hidden(duel, side, s, u):
        return 0.2
    now = stat_against(duel, t, side, s, u)
    then = defence(duel, t, s, u) if in_attack else atk(duel, t, s, u)
    if not battle_ahead(duel) or side != duel.active:
        return 0.3 if in_attack else -0.2
    a = best_attacker(duel, t, side, -1)
    if a > then and a <= now:
        return unit_worth(duel, t, side, s, u)
    return 0.3 * (now - then)


@compiled
def step_worth(duel, t, side, e, x, ts, tu, second):  # type: ignore[no-untyped-def]
    """Worth to `side` of step x of effect e with its target, or first choice, at (ts, tu).

    tu is -1 while nothing is chosen. With `second` the unit is the second choice.
    """
    do = t.do[x]
    if do == DO_DRAW:
        return 1.4 * t.amount[x] if duel.deck_size[side] > t.amount[x] + 4 else -4.0
    if do == DO_DISCARD:
        return -0.9 * t.amount[x]
    if do == DO_GAIN_LP:
        return 0.8 * step_amount(duel, t, x, side, -1)
    if do == DO_DAMAGE:
        return t.amount[x] + (WIN if duel.lp[1 - side] <= t.amount[x] else 0.0)
    if do == DO_ADD or do == DO_RECOVER:
        return 2.4
    if do == DO_SPECIAL_DEPLOY:
        return 3.2
    if do == DO_DESTROY_SUPPORT:
        return 2.4
    if do == DO_CHANGE_ALL:
        worth = 0.0
        for s in range(2):
            for i in range(duel.units[s]):
                u = duel.unit_at[s, i]
                if unit_passes(duel, t, t.step_filter[x], side, -1, s, u):
                    worth += _change_worth(duel, t, side, x, s, u)
        return worth
    who = t.who[x]
    chosen = (who == WHO_SECOND) if second else (who == WHO_TARGET)
    if not chosen or tu < 0:
        if do == DO_DESTROY and tu < 0:
            return 3.5
        return 0.0
    if do == DO_CHANGE:
        return _change_worth(duel, t, side, x, ts, tu)
    if do == DO_MOVE:
        return _move_worth(duel, t, side, x, ts, tu)
    worth = unit_worth(duel, t, side, ts, tu)
    if do == DO_DESTROY:
        return worth if ts != side else -worth
    if do == DO_SACRIFICE:
        return -worth
    if do == DO_MAY_DEFEND_AFTER_ATTACK:
        return 0.5 if can_attack(duel, t, ts, tu) else 0.0
    return 0.0


@compiled
def effect_worth(duel, t, side, e, ts, tu, second):  # type: ignore[no-untyped-def]
    """Worth to `side` of effect e with a target, or choice, at (ts, tu); energy is not counted."""
    worth = -1.1 * t.cost[e]
    for x in range(t.step_from[e], t.step_from[e + 1]):
        if step_conditions_hold(duel, t, x, side, -1, -1):
            worth += step_worth(duel, t, side, e, x, ts, tu, second)
    return worth


@compiled
def open_effect_worth(duel, t, side, source, e):  # type: ignore[no-untyped-def]
    """Worth of an effect whose unit is chosen only while it resolves: with the best choice."""
    for x in range(t.step_from[e], t.step_from[e + 1]):
        if t.do[x] == DO_CHOOSE:
            most = -9.0
            for s in range(2):
                for i in range(duel.units[s]):
                    u = duel.unit_at[s, i]
                    if unit_passes(duel, t, t.step_filter[x], side, source, s, u):
                        most = max(most, effect_worth(duel, t, side, e, s, u, False))
            return most
    return effect_worth(duel, t, side, e, -1, -1, False)


@compiled
def static_worth(duel, t, side, card, on):  # type: ignore[no-untyped-def]
    """Worth to `side` of a doctrine's lasting changes, with the units that stand now.

    `on` is the unit to be equipped, or -1.
    """
    worth = 0.0
    for x in range(t.static_from[card], t.static_from[card + 1]):
        change = t.static_atk[x] + t.static_def[x]
        if t.reach[x] == REACH_UNITS:
            for s in range(2):
                for i in range(duel.units[s]):
                    u = duel.unit_at[s, i]
                    if unit_passes(duel, t, t.static_filter[x], side, -1, s, u):
                        worth += 0.45 * change * (1.0 if s == side else -1.0)
            worth += 0.4
        elif on >= 0:
            worth += 0.6 * change
        else:
            worth += 0.8
    return worth
