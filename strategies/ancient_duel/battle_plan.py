"""The attacks of a whole turn, planned together: their order, wounds, removals, and the lethal blow.

Every order of attacks is followed on paper, up to a number of steps: a lost attack wounds its
target for the next attacker, a fallen unit opens the way to others, the last one that falls opens
it to the enemy directly, and each attack costs energy that set tactics may need. Only what the side
can see is used; the enemy's answers are not foreseen.
"""

from __future__ import annotations

import numpy as np

from cards.ancient_duel.vocabulary import GRANT_ONE_ATTACK, IN_ATTACK
from sim.ancient_duel.options import has_grant
from sim.ancient_duel.record import ATTACK
from sim.ancient_duel.stats import atk
from sim.compiled import compiled
from strategies.ancient_duel.exchanges import WIN, unit_worth
from strategies.ancient_duel.knowledge import (
    attack_numbers,
    direct_damage,
    is_hidden,
    set_cards,
    set_tactics,
)

_UNITS = 8  # attackers and targets that are looked at
_STEPS = 4  # attacks in a row
_NODES = 600  # sequences that are followed for one decision

# Columns of a state on paper
_ENERGY, _THEIR_LP, _MY_LP, _STANDING, _USED, _DIRECT, _ATTACKS = range(7)
_STATE = 7


@compiled
def _slots(duel, side, who):  # type: ignore[no-untyped-def]
    """Slots of the first units of a side, into `who`; how many."""
    n = min(duel.units[side], _UNITS)
    for i in range(n):
        who[i] = duel.unit_at[side, i]
    return n


@compiled
def _numbers(duel, t, w, side, mine, m, theirs, n, table):  # type: ignore[no-untyped-def]
    """Fill table[i, j] = (a, d, through) for attacker i on target j; j = n is the enemy himself."""
    for i in range(m):
        for j in range(n):
            a, d, through = attack_numbers(
                duel, t, side, side, mine[i], theirs[j], 0, 0, w.hidden_defence
            )
            table[i, j, 0] = a
            table[i, j, 1] = d
            table[i, j, 2] = 1.0 if through else 0.0
        table[i, n, 0] = direct_damage(duel, t, side, mine[i], 0)


@compiled
def _lp_worth(w, lp_me, lp_them, mine, amount):  # type: ignore[no-untyped-def]
    """Worth of LP lost, as in `exchanges.damage_worth`, for LP on paper."""
    left = lp_me if mine else lp_them
    if amount >= left:
        return WIN
    scarce = max(0.0, 1.0 - (left - amount) / 20.0)
    if mine:
        return amount * (w.my_lp + w.fear * scarce)
    return amount * (w.their_lp + w.hunger * scarce)


@compiled
def _follow(w, states, wounds, depth, i, j, n, table, cost, worth_mine, worth_theirs, low):  # type: ignore[no-untyped-def]
    """Write the state after attacker i attacks j (n: directly) one level deeper; its worth.

    Returns -WIN * 10 where the attack is not possible.
    """
    now = states[depth]
    then = states[depth + 1]
    bit = 1 << i
    impossible = -10.0 * WIN
    if int(now[_USED]) & bit != 0 or now[_ENERGY] < cost[i] or now[_ATTACKS] <= 0:
        return impossible
    standing = int(now[_STANDING])
    if j == n:
        if standing != 0 or now[_DIRECT] <= 0:
            return impossible
    elif standing & (1 << j) == 0:
        return impossible
    for k in range(_STATE):
        then[k] = now[k]
    for k in range(n):
        wounds[depth + 1, k] = wounds[depth, k]
    then[_ENERGY] -= cost[i]
    then[_USED] = int(now[_USED]) | bit
    then[_ATTACKS] -= 1
    a = table[i, j, 0]
    if j == n:
        then[_DIRECT] -= 1
        worth = _lp_worth(w, now[_MY_LP], now[_THEIR_LP], False, a)
        then[_THEIR_LP] -= a
        return worth
    d = max(table[i, j, 1] - wounds[depth, j], low)
    if a < d:
        then[_MY_LP] -= d - a
        wounds[depth + 1, j] += a
        return -worth_mine[i] - _lp_worth(w, now[_MY_LP], now[_THEIR_LP], True, d - a)
    then[_STANDING] = standing & ~(1 << j)
    worth = worth_theirs[j]
    if a == d:
        return worth - worth_mine[i]
    if table[i, j, 2] != 0.0:
        worth += _lp_worth(w, now[_MY_LP], now[_THEIR_LP], False, a - d)
        then[_THEIR_LP] -= a - d
    else:
        worth -= w.overkill * (a - d)
    return worth


@compiled
def _aftermath(w, state, m, n, strength, danger, reserve):  # type: ignore[no-untyped-def]
    """What the state at the end of the attacks costs: open flanks, energy that tactics miss."""
    worst = 0.0
    for j in range(n):
        if int(state[_STANDING]) & (1 << j) != 0:
            worst = max(worst, danger[j])
    open_flank = 0.0
    for i in range(m):
        if int(state[_USED]) & (1 << i) != 0:
            open_flank += max(0.0, worst - strength[i])
    short = max(0.0, reserve - state[_ENERGY])
    return w.exposure * open_flank + w.keep_energy * min(short, 2.0)


@compiled
def plan(duel, t, w, options, worths):  # type: ignore[no-untyped-def]
    """worths[k]: worth of the best row of attacks that begins with option k of the Battle phase.

    Options that are no attack, or beyond what is looked at, are left at -10 WIN.
    """
    side = duel.active
    enemy = 1 - side
    mine = np.empty(_UNITS, np.int64)
    theirs = np.empty(_UNITS, np.int64)
    m = _slots(duel, side, mine)
    n = _slots(duel, enemy, theirs)
    table = np.zeros((_UNITS, _UNITS + 1, 3))
    _numbers(duel, t, w, side, mine, m, theirs, n, table)
    facts = np.zeros((5, _UNITS))
    cost, worth_mine, worth_theirs, strength, danger = (
        facts[0],
        facts[1],
        facts[2],
        facts[3],
        facts[4],
    )
    for i in range(m):
        cost[i] = t.energy[duel.unit_card[side, mine[i]]]
        worth_mine[i] = unit_worth(duel, t, w, side, side, mine[i])
        strength[i] = atk(duel, t, side, mine[i])
    for j in range(n):
        worth_theirs[j] = unit_worth(duel, t, w, side, enemy, theirs[j])
        danger[j] = (
            0.0 if is_hidden(duel, side, enemy, theirs[j]) else atk(duel, t, enemy, theirs[j])
        )
    states = np.zeros((_STEPS + 1, _STATE))
    wounds = np.zeros((_STEPS + 1, _UNITS))
    used = 0
    for i in range(m):
        if duel.unit_attacked[side, mine[i]] != 0 or duel.unit_position[side, mine[i]] != IN_ATTACK:
            used |= 1 << i
    first = states[0]
    first[_ENERGY] = duel.energy[side]
    first[_THEIR_LP] = duel.lp[enemy]
    first[_MY_LP] = duel.lp[side]
    first[_STANDING] = (1 << n) - 1
    if duel.units[enemy] > n:
        first[_STANDING] = (1 << (n + 1)) - 1  # more than are looked at: the way is never open
    first[_USED] = used
    first[_DIRECT] = t.direct_attacks_per_turn - duel.direct_attacks
    first[_ATTACKS] = 1 if has_grant(duel, t, enemy, GRANT_ONE_ATTACK) else _UNITS
    reserve = float(set_tactics(duel, t, side) * t.activation_cost)
    fear = w.fear_of_sets * set_cards(duel, enemy)
    low = float(t.stat_min)
    nodes = 0
    path = np.zeros(_STEPS, np.int64)
    totals = np.zeros(_STEPS + 1)
    for k in range(options.n):
        worths[k] = -10.0 * WIN
        if options.verb[k] != ATTACK:
            continue
        i = _place(mine, m, options.slot[k])
        j = n if options.target_zone[k] == 0 else _place(theirs, n, options.target[k])
        if i < 0 or j < 0:
            continue
        worth = _follow(w, states, wounds, 0, i, j, n, table, cost, worth_mine, worth_theirs, low)
        if worth <= -5.0 * WIN:
            continue
        totals[1] = worth - fear * worth_mine[i] - w.attack_energy * cost[i]
        best = totals[1] - _aftermath(w, states[1], m, n, strength, danger, reserve)
        # every way to go on, by counting through the numbers of attacks level by level
        depth = 1
        path[1] = -1
        while depth > 0 and nodes < _NODES * (k + 1) // options.n:
            path[depth] += 1
            if path[depth] >= m * (n + 1):
                depth -= 1
                continue
            i = path[depth] // (n + 1)
            j = path[depth] % (n + 1)
            worth = _follow(
                w, states, wounds, depth, i, j, n, table, cost, worth_mine, worth_theirs, low
            )
            if worth <= -5.0 * WIN:
                continue
            nodes += 1
            totals[depth + 1] = (
                totals[depth] + worth - fear * worth_mine[i] - w.attack_energy * cost[i]
            )
            end = totals[depth + 1] - _aftermath(
                w, states[depth + 1], m, n, strength, danger, reserve
            )
            best = max(best, end)
            if depth + 1 < _STEPS:
                depth += 1
                path[depth] = -1
        worths[k] = best


@compiled
def _place(slots, n, slot):  # type: ignore[no-untyped-def]
    """Where a slot stands in a list, or -1."""
    for i in range(n):
        if slots[i] == slot:
            return i
    return -1


@compiled
def best_attack(duel, t, w, options):  # type: ignore[no-untyped-def]
    """The option of the Battle phase that begins the best row of attacks, or that ends it."""
    worths = np.empty(options.n)
    plan(duel, t, w, options, worths)
    base = _aftermath_of_peace(duel, t, w)
    best = 0
    most = -100.0 * WIN
    for k in range(options.n):
        worth = worths[k] * w.attack
        if options.verb[k] != ATTACK:
            # going on to Main 2 comes before ending the turn
            worth = base + (w.peace if options.card[k] < 0 and k == options.n - 2 else 0.0)
        if worth > most:
            most = worth
            best = k
    return best


@compiled
def _aftermath_of_peace(duel, t, w):  # type: ignore[no-untyped-def]
    """What it costs to stop attacking now: nothing but energy that is short anyway."""
    side = duel.active
    short = set_tactics(duel, t, side) * t.activation_cost - duel.energy[side]
    return -w.keep_energy * min(max(short, 0), 2)
