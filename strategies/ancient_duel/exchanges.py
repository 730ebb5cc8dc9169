"""What an attack or an effect would be worth, in LP, to the side that makes it.

These are estimates for strategies that look one move ahead; nothing is played out. `w` is the
weights (see `weights`), as a parameter array.
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
    IN_ATTACK,
    IS_TACTIC,
    IS_UNIT,
    MOVE_ATTACK,
    MOVE_DEFENCE,
    REACH_UNITS,
    TAG_COMMANDER,
    WHO_SECOND,
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
    set_cards,
    stat_against,
    threat,
)

WIN = 1000.0  # worth of ending the duel


@compiled
def card_worth(t, w, card):  # type: ignore[no-untyped-def]
    """What a card is worth, from its printed numbers."""
    if t.kind[card] == IS_UNIT:
        worth = w.card + w.card_atk * t.atk[card] + w.card_def * t.def_[card]
        if t.tags[card] & TAG_COMMANDER != 0:
            worth += 1.5 * w.commander
        return worth
    if t.kind[card] == IS_TACTIC:
        return w.card_tactic
    return w.card_doctrine


@compiled
def unit_worth(duel, t, w, side, owner, u):  # type: ignore[no-untyped-def]
    """What a unit on the field is worth to its owner, as `side` sees it."""
    if is_hidden(duel, side, owner, u):
        return w.hidden
    worth = w.unit + w.unit_atk * atk(duel, t, owner, u)
    worth += w.unit_def * defence(duel, t, owner, u)
    if t.tags[duel.unit_card[owner, u]] & TAG_COMMANDER != 0:
        worth += w.commander
    return worth


@compiled
def damage_worth(duel, w, side, loser, amount):  # type: ignore[no-untyped-def]
    """Worth, without its sign, of `amount` LP lost by `loser`, as `side` weighs it."""
    left = duel.lp[loser]
    if amount >= left:
        return WIN
    scarce = max(0.0, 1.0 - (left - amount) / 20.0)
    if loser == side:
        return amount * (w.my_lp + w.fear * scarce)
    return amount * (w.their_lp + w.hunger * scarce)


@compiled
def comparison_worth(duel, t, w, side, attacker_side, u, v, a, d, through):  # type: ignore[no-untyped-def]
    """Worth to the attacking side of comparing a with d; `through`: a win takes LP off."""
    enemy = 1 - attacker_side
    if a > d:
        worth = unit_worth(duel, t, w, side, enemy, v)
        if through:
            worth += damage_worth(duel, w, side, enemy, a - d)
        return worth
    mine = unit_worth(duel, t, w, side, attacker_side, u)
    if a == d:
        return unit_worth(duel, t, w, side, enemy, v) - mine
    return -mine - damage_worth(duel, w, side, attacker_side, d - a)


@compiled
def exchange(duel, t, w, side, attacker_side, u, v, attack_change, target_change):  # type: ignore[no-untyped-def]
    """Worth of an attack to the attacking side, from its comparison alone.

    v is -1 for a direct attack. `side` is who looks; the changes are added to either number.
    """
    if v < 0:
        damage = direct_damage(duel, t, attacker_side, u, attack_change)
        return damage_worth(duel, w, side, 1 - attacker_side, damage)
    a, d, through = attack_numbers(
        duel, t, side, attacker_side, u, v, attack_change, target_change, w.hidden_defence
    )
    return comparison_worth(duel, t, w, side, attacker_side, u, v, a, d, through)


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


@compiled
def _other_threat(duel, t, side, but):  # type: ignore[no-untyped-def]
    """Highest ATK of the enemy's face-up units, one left out."""
    enemy = 1 - side
    most = 0
    for i in range(duel.units[enemy]):
        v = duel.unit_at[enemy, i]
        if v != but and not is_hidden(duel, side, enemy, v):
            most = max(most, atk(duel, t, enemy, v))
    return most


@compiled
def attack_worth(duel, t, w, side, u, v):  # type: ignore[no-untyped-def]
    """Worth of an attack of unit u of the active side now, with what it opens for the next ones.

    A lost attack that wounds its target so that another unit can bring it down is counted in part,
    and so is the way that the fall of the last enemy unit opens for a direct attack.
    """
    enemy = 1 - side
    cost = t.energy[duel.unit_card[side, u]]
    worth = -w.attack_energy * cost
    if w.fear_of_sets != 0.0:
        worth -= w.fear_of_sets * set_cards(duel, enemy) * unit_worth(duel, t, w, side, side, u)
    if w.exposure != 0.0:
        left = _other_threat(duel, t, side, v) - atk(duel, t, side, u)
        worth -= w.exposure * max(0, left)
    if v < 0:
        return worth + exchange(duel, t, w, side, side, u, v, 0, 0)
    a, d, through = attack_numbers(duel, t, side, side, u, v, 0, 0, w.hidden_defence)
    worth += comparison_worth(duel, t, w, side, side, u, v, a, d, through)
    energy = duel.energy[side] - cost
    if is_hidden(duel, side, enemy, v):
        worth -= w.fear_of_hidden
    if a > d:
        if not through:
            worth -= w.overkill * (a - d)
        if duel.units[enemy] == 1 and duel.direct_attacks == 0:
            worth += w.open_way * _follower(duel, t, side, u, energy)
    elif a < d and d - a < duel.lp[side]:
        left = max(d - a, t.stat_min)
        heir = _follower(duel, t, side, u, energy)
        if heir > left and best_attacker(duel, t, side, u) <= d:
            worth += w.wound * unit_worth(duel, t, w, side, enemy, v)
            if duel.unit_position[enemy, v] == IN_ATTACK:
                worth += heir - left
    return worth


# --- effects --------------------------------------------------------------------------------------
@compiled
def _change_worth(duel, t, w, side, x, s, u):  # type: ignore[no-untyped-def]
    """Worth of a change of ATK and DEF to one unit."""
    da = t.step_atk[x]
    dd = t.step_def[x]
    if s == side:
        worth = w.change * (da + dd)
        if da > 0 and battle_ahead(duel) and side == duel.active and can_attack(duel, t, s, u):
            worth += w.change_attack * da
        elif dd > 0 and duel.unit_position[s, u] != IN_ATTACK:
            worth += w.change_defence * dd
        return worth
    if not battle_ahead(duel) or side != duel.active or is_hidden(duel, side, s, u):
        return 0.02
    # a weaker enemy matters where it lets somebody win
    d = stat_against(duel, t, side, s, u, w.hidden_defence)
    fall = -da if duel.unit_position[s, u] == IN_ATTACK else -dd
    a = best_attacker(duel, t, side, -1)
    if fall <= 0 or a == 0:
        return 0.02
    after = max(d - fall, t.stat_min)
    if a > after and a <= d:
        return unit_worth(duel, t, w, side, s, u)
    if a > d and duel.unit_position[s, u] == IN_ATTACK:
        return 0.8 * (d - after)
    return 0.1


@compiled
def _move_worth(duel, t, w, side, x, s, u):  # type: ignore[no-untyped-def]
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
    now = stat_against(duel, t, side, s, u, w.hidden_defence)
    then = defence(duel, t, s, u) if in_attack else atk(duel, t, s, u)
    if not battle_ahead(duel) or side != duel.active:
        return 0.3 if in_attack else -0.2
    a = best_attacker(duel, t, side, -1)
    if a > then and a <= now:
        return unit_worth(duel, t, w, side, s, u)
    return 0.3 * (now - then)


@compiled
def _sideless_worth(duel, t, w, side, x):  # type: ignore[no-untyped-def]
    """(whether step x acts on no chosen unit, its worth to `side`)."""
    do = t.do[x]
    if do == DO_DRAW:
        if duel.deck_size[side] <= t.amount[x] + 4:
            return True, w.late_draw
        return True, w.draw * t.amount[x]
    if do == DO_DISCARD:
        return True, w.discard * t.amount[x]
    if do == DO_GAIN_LP:
        return True, w.gain * step_amount(duel, t, x, side, -1)
    if do == DO_DAMAGE:
        return True, damage_worth(duel, w, side, 1 - side, t.amount[x])
    if do == DO_ADD or do == DO_RECOVER:
        return True, w.search
    if do == DO_SPECIAL_DEPLOY:
        return True, w.arrival
    if do == DO_DESTROY_SUPPORT:
        return True, w.break_set
    if do == DO_CHANGE_ALL:
        worth = 0.0
        for s in range(2):
            for i in range(duel.units[s]):
                u = duel.unit_at[s, i]
                if unit_passes(duel, t, t.step_filter[x], side, -1, s, u):
                    worth += _change_worth(duel, t, w, side, x, s, u)
        return True, worth
    return False, 0.0


@compiled
def step_worth(duel, t, w, side, x, ts, tu, second):  # type: ignore[no-untyped-def]
    """Worth to `side` of step x with its effect's target, or first choice, at (ts, tu).

    tu is -1 while nothing is chosen. With `second` the unit is the second choice.
    """
    sideless, worth = _sideless_worth(duel, t, w, side, x)
    if sideless:
        return worth
    do = t.do[x]
    who = t.who[x]
    chosen = (who == WHO_SECOND) if second else (who == WHO_TARGET)
    if not chosen or tu < 0:
        return 3.5 if do == DO_DESTROY and tu < 0 else 0.0
    if do == DO_CHANGE:
        return _change_worth(duel, t, w, side, x, ts, tu)
    if do == DO_MOVE:
        return _move_worth(duel, t, w, side, x, ts, tu)
    worth = unit_worth(duel, t, w, side, ts, tu)
    if do == DO_DESTROY:
        return worth if ts != side else -worth
    if do == DO_SACRIFICE:
        return -worth
    if do == DO_MAY_DEFEND_AFTER_ATTACK:
        return 0.5 if can_attack(duel, t, ts, tu) else 0.0
    return 0.0


@compiled
def effect_worth(duel, t, w, side, e, ts, tu, second):  # type: ignore[no-untyped-def]
    """Worth to `side` of effect e with a target, or choice, at (ts, tu); energy is not counted."""
    worth = w.cost * t.cost[e]
    for x in range(t.step_from[e], t.step_from[e + 1]):
        if step_conditions_hold(duel, t, x, side, -1, -1):
            worth += step_worth(duel, t, w, side, x, ts, tu, second)
    return worth


@compiled
def open_effect_worth(duel, t, w, side, source, e):  # type: ignore[no-untyped-def]
    """Worth of an effect whose unit is chosen only while it resolves: with the best choice."""
    for x in range(t.step_from[e], t.step_from[e + 1]):
        if t.do[x] == DO_CHOOSE:
            most = -9.0
            for s in range(2):
                for i in range(duel.units[s]):
                    u = duel.unit_at[s, i]
                    if unit_passes(duel, t, t.step_filter[x], side, source, s, u):
                        most = max(most, effect_worth(duel, t, w, side, e, s, u, False))
            return most
    return effect_worth(duel, t, w, side, e, -1, -1, False)


@compiled
def static_worth(duel, t, w, side, card, on):  # type: ignore[no-untyped-def]
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
                        worth += w.stay_unit * change * (1.0 if s == side else -1.0)
            worth += w.stay_later
        elif on >= 0:
            worth += w.equip * change
        else:
            worth += w.stay
    return worth
