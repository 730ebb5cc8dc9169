"""The attacks of a whole turn, planned together: order, wounds, removals, and the lethal blow.

Every order of attacks is followed on paper, up to a number of steps: a lost attack wounds its
target for the next attacker, a fallen unit opens the way to others, the last one that falls opens
it to the enemy directly, and each attack costs energy that set tactics may need. Only what the side
can see is used; the enemy's answers are not foreseen.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from cards.ancient_duel.vocabulary import GRANT_ONE_ATTACK, IN_ATTACK
from sim.ancient_duel.options import has_grant
from sim.ancient_duel.record import ATTACK
from sim.ancient_duel.stats import atk
from sim.compiled import compiled, compiled_or
from strategies.ancient_duel.exchanges import WIN, unit_worth
from strategies.ancient_duel.knowledge import (
    attack_numbers,
    direct_damage,
    is_hidden,
    set_cards,
    set_tactics,
)

UNITS: Final = 8  # attackers and targets that are looked at
STEPS: Final = 4  # attacks in a row
NODES: Final = 600  # attacks that are followed for one decision
IMPOSSIBLE: Final = -10.0 * WIN

_F = np.float64
_I = np.int64

#: The paper: facts about the field, then one state for each attack made (the first is the present).
PAPER_DTYPE: Final = np.dtype(
    [
        ("attackers", _I),
        ("targets", _I),
        ("attacker", _I, (UNITS,)),  # slots
        ("target", _I, (UNITS,)),
        ("a", _F, (UNITS, UNITS)),
        ("d", _F, (UNITS, UNITS)),
        ("through", _I, (UNITS, UNITS)),  # whether a win takes LP off
        ("direct", _F, (UNITS,)),  # LP that a direct attack takes off
        ("cost", _F, (UNITS,)),
        ("mine", _F, (UNITS,)),  # worth of each attacker
        ("theirs", _F, (UNITS,)),
        ("strength", _F, (UNITS,)),  # ATK of each attacker outside combat
        ("danger", _F, (UNITS,)),  # the same of each target; 0 where unknown
        ("each_attack", _F, (UNITS,)),  # what an attack of each attacker costs in any case
        ("reserve", _F),  # energy that the set tactics want
        ("low", _F),  # least that a stat can be
        # states
        ("energy", _F, (STEPS + 1,)),
        ("their_lp", _F, (STEPS + 1,)),
        ("my_lp", _F, (STEPS + 1,)),
        ("standing", _I, (STEPS + 1,)),  # bits of the targets
        ("used", _I, (STEPS + 1,)),  # bits of the attackers
        ("directs", _I, (STEPS + 1,)),  # direct attacks left
        ("attacks", _I, (STEPS + 1,)),  # attacks left
        ("wounds", _F, (STEPS + 1, UNITS)),
        ("total", _F, (STEPS + 1,)),
        ("path", _I, (STEPS + 1,)),
    ]
)
_NUMBERS: Final = PAPER_DTYPE.itemsize // 8


@compiled_or(lambda scratch: scratch[:_NUMBERS].view(PAPER_DTYPE).view(np.recarray)[0])
def used_paper(scratch):  # type: ignore[no-untyped-def]
    """The paper that the options' scratch numbers make; it has been written on."""
    return scratch[:_NUMBERS].view(PAPER_DTYPE)[0]


# --- writing down what is so ----------------------------------------------------------------------
@compiled
def _write_units(duel, t, w, p):  # type: ignore[no-untyped-def]
    side = duel.active
    enemy = 1 - side
    p.attackers = min(duel.units[side], UNITS)
    p.targets = min(duel.units[enemy], UNITS - 1)
    fear = w.fear_of_sets * set_cards(duel, enemy)
    for i in range(p.attackers):
        u = duel.unit_at[side, i]
        p.attacker[i] = u
        p.cost[i] = t.energy[duel.unit_card[side, u]]
        p.mine[i] = unit_worth(duel, t, w, side, side, u)
        p.strength[i] = atk(duel, t, side, u)
        p.each_attack[i] = fear * p.mine[i] + w.attack_energy * p.cost[i]
        p.direct[i] = direct_damage(duel, t, side, u, 0)
    for j in range(p.targets):
        v = duel.unit_at[enemy, j]
        p.target[j] = v
        p.theirs[j] = unit_worth(duel, t, w, side, enemy, v)
        p.danger[j] = 0.0 if is_hidden(duel, side, enemy, v) else atk(duel, t, enemy, v)


@compiled
def _write_comparisons(duel, t, w, p):  # type: ignore[no-untyped-def]
    side = duel.active
    for i in range(p.attackers):
        for j in range(p.targets):
            a, d, through = attack_numbers(
                duel, t, side, side, p.attacker[i], p.target[j], 0, 0, w.hidden_defence
            )
            p.a[i, j] = a
            p.d[i, j] = d
            p.through[i, j] = 1 if through else 0


@compiled
def _write_present(duel, t, p):  # type: ignore[no-untyped-def]
    """The state before the first attack."""
    side = duel.active
    enemy = 1 - side
    p.energy[0] = duel.energy[side]
    p.their_lp[0] = duel.lp[enemy]
    p.my_lp[0] = duel.lp[side]
    # one bit more stands for the units that are not looked at: then the way is never open
    seen_all = duel.units[enemy] == p.targets
    p.standing[0] = (1 << (p.targets if seen_all else p.targets + 1)) - 1
    p.used[0] = 0
    p.total[0] = 0.0
    for j in range(p.targets):
        p.wounds[0, j] = 0.0
    for i in range(p.attackers):
        u = p.attacker[i]
        if duel.unit_attacked[side, u] != 0 or duel.unit_position[side, u] != IN_ATTACK:
            p.used[0] |= 1 << i
    p.directs[0] = t.direct_attacks_per_turn - duel.direct_attacks
    limited = has_grant(duel, t, enemy, GRANT_ONE_ATTACK)
    p.attacks[0] = 1 - duel.attacks if limited else UNITS
    p.reserve = set_tactics(duel, t, side) * t.activation_cost
    p.low = t.stat_min


# --- following attacks on paper -------------------------------------------------------------------
@compiled
def _lp_worth(w, left, mine, amount):  # type: ignore[no-untyped-def]
    """Worth of LP lost by one side with `left` LP, as `exchanges.damage_worth` sees it."""
    if amount >= left:
        return WIN
    scarce = max(0.0, 1.0 - (left - amount) / 20.0)
    if mine:
        return amount * (w.my_lp + w.fear * scarce)
    return amount * (w.their_lp + w.hunger * scarce)


@compiled
def _is_possible(p, k, i, j):  # type: ignore[no-untyped-def]
    """Whether attacker i can attack target j (the number of targets: directly) in state k."""
    if p.used[k] & (1 << i) != 0 or p.energy[k] < p.cost[i] or p.attacks[k] <= 0:
        return False
    if j == p.targets:
        return p.standing[k] == 0 and p.directs[k] > 0
    return p.standing[k] & (1 << j) != 0


@compiled
def _copy_state(p, k):  # type: ignore[no-untyped-def]
    """State k + 1 begins as state k."""
    p.energy[k + 1] = p.energy[k]
    p.their_lp[k + 1] = p.their_lp[k]
    p.my_lp[k + 1] = p.my_lp[k]
    p.standing[k + 1] = p.standing[k]
    p.used[k + 1] = p.used[k]
    p.directs[k + 1] = p.directs[k]
    p.attacks[k + 1] = p.attacks[k]
    for j in range(p.targets):
        p.wounds[k + 1, j] = p.wounds[k, j]


@compiled
def _attack(w, p, k, i, j):  # type: ignore[no-untyped-def]
    """Write state k + 1, after attacker i has attacked target j in state k."""
    _copy_state(p, k)
    p.energy[k + 1] -= p.cost[i]
    p.used[k + 1] |= 1 << i
    p.attacks[k + 1] -= 1
    if j == p.targets:
        p.directs[k + 1] -= 1
        p.their_lp[k + 1] -= p.direct[i]
        worth = _lp_worth(w, p.their_lp[k], False, p.direct[i])
        p.total[k + 1] = p.total[k] + worth - p.each_attack[i]
        return
    a = p.a[i, j]
    d = max(p.d[i, j] - p.wounds[k, j], p.low)
    if a < d:
        worth = -p.mine[i] - _lp_worth(w, p.my_lp[k], True, d - a)
        p.my_lp[k + 1] -= d - a
        p.wounds[k + 1, j] += a
    else:
        p.standing[k + 1] &= ~(1 << j)
        worth = p.theirs[j]
        if a == d:
            worth -= p.mine[i]
        elif p.through[i, j] != 0:
            worth += _lp_worth(w, p.their_lp[k], False, a - d)
            p.their_lp[k + 1] -= a - d
        else:
            worth -= w.overkill * (a - d)
    p.total[k + 1] = p.total[k] + worth - p.each_attack[i]


@compiled
def _left_open(w, p, k):  # type: ignore[no-untyped-def]
    """What it costs to stop in state k: flanks open to a counter-attack, energy that is short."""
    worst = 0.0
    for j in range(p.targets):
        if p.standing[k] & (1 << j) != 0:
            worst = max(worst, p.danger[j])
    flank = 0.0
    for i in range(p.attackers):
        if p.used[k] & (1 << i) != 0 and p.used[0] & (1 << i) == 0:
            flank += max(0.0, worst - p.strength[i])
    short = max(0.0, p.reserve - p.energy[k])
    return w.exposure * flank + w.keep_energy * min(short, 2.0)


@compiled
def _best_row(w, p, i, j, nodes):  # type: ignore[no-untyped-def]
    """Worth of the best row of attacks that begins with attacker i on target j.

    At most `nodes` attacks are followed: all continuations, counted through level by level.
    """
    if not _is_possible(p, 0, i, j):
        return IMPOSSIBLE
    _attack(w, p, 0, i, j)
    best = p.total[1] - _left_open(w, p, 1)
    k = 1
    p.path[1] = -1
    while k > 0 and nodes > 0:
        p.path[k] += 1
        if p.path[k] >= p.attackers * (p.targets + 1):
            k -= 1
            continue
        i = p.path[k] // (p.targets + 1)
        j = p.path[k] % (p.targets + 1)
        if not _is_possible(p, k, i, j):
            continue
        nodes -= 1
        _attack(w, p, k, i, j)
        best = max(best, p.total[k + 1] - _left_open(w, p, k + 1))
        if k + 1 < STEPS:
            k += 1
            p.path[k] = -1
    return best


# --- the choice -----------------------------------------------------------------------------------
@compiled
def _place(slots, n, slot):  # type: ignore[no-untyped-def]
    """Where a slot stands among the first n of a list, or -1."""
    for i in range(n):
        if slots[i] == slot:
            return i
    return -1


@compiled
def best_attack(duel, t, options, w):  # type: ignore[no-untyped-def]
    """The option that begins the best row of attacks; or the one that leaves the Battle phase."""
    if options.verb[0] != ATTACK:
        return 0  # attacks are listed first; then Main 2, then the turn's end
    p = used_paper(options.scratch)
    _write_units(duel, t, w, p)
    _write_comparisons(duel, t, w, p)
    _write_present(duel, t, p)
    best = options.n - 2
    most = w.peace - _left_open(w, p, 0)
    for k in range(options.n - 2):
        i = _place(p.attacker, p.attackers, options.slot[k])
        j = p.targets
        if options.target_zone[k] != 0:
            j = _place(p.target, p.targets, options.target[k])
        if i < 0 or j < 0:
            continue
        worth = w.attack * _best_row(w, p, i, j, NODES // options.n)
        if worth > most:
            most = worth
            best = k
    return best
