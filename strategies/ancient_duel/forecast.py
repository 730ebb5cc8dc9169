"""What an attack would do, counted out: the comparison with every change that would hold in it.

`exchanges` says what that is worth. Nothing here knows what the enemy's face-down cards are, or
which tactics it would answer with.
"""

from __future__ import annotations

from typing import Final

from numba import int32, int64, void

from cards.ancient_duel.vocabulary import FACE_DOWN, IN_ATTACK, ZONE_UNITS
from sim.ancient_duel.conditions import attacked_stands, attacker_stands
from sim.ancient_duel.play import DUEL, OPTIONS, TABLES
from sim.ancient_duel.record import ATTACK
from sim.ancient_duel.stats import combat_atk, combat_defence, pierces, refresh
from sim.compiled import compiled, entry

#: Columns of `attack_table`: ATK of the attacker in combat; what it is compared with, or UNKNOWN;
#: whether winning takes off LP (1) or not (0).
ATTACK_COLUMNS: Final = 3
UNKNOWN: Final = -1


@compiled
def attack_comparison(duel, t, side, attacker_side, u, v):  # type: ignore[no-untyped-def]
    """(a, d, damage): what an attack of unit u on unit v of the other side compares, as it stands.

    v is -1 for a direct attack. `side` is who looks: d is UNKNOWN for a unit that it cannot see,
    and in a direct attack. damage: 1 where a win takes off LP.
    """
    enemy = 1 - attacker_side
    a = combat_atk(duel, t, attacker_side, u, v, True)
    if v < 0:
        return a, UNKNOWN, 1
    position = duel.unit_position[enemy, v]
    if enemy != side and position == FACE_DOWN:
        return a, UNKNOWN, 0
    if position == IN_ATTACK:
        return a, combat_atk(duel, t, enemy, v, u, False), 1
    d = combat_defence(duel, t, enemy, v, u, False)
    return a, d, 1 if pierces(duel, t, attacker_side, u, v) else 0


@compiled
def attack_outcome(duel, t, side, u, v):  # type: ignore[no-untyped-def]
    """(destroys, falls, damage, loss) of an attack of the side's unit u, if nobody answers.

    v is a unit of the other side, or -1 for a direct attack. destroys, falls: whether the target,
    and u, would be destroyed; damage, loss: LP that the enemy, and the side, would lose. All are 0
    for a target that the side cannot see. Changes that hold only while a unit attacks (two terrain
    cards have such) are counted once the attack is declared.
    """
    a, d, through = attack_comparison(duel, t, side, side, u, v)
    if v < 0:
        return False, False, a, 0
    if d == UNKNOWN:
        return False, False, 0, 0
    return a >= d, a <= d, a - d if a > d and through == 1 else 0, max(d - a, 0)


@compiled
def copies_unseen(duel, side, card):  # type: ignore[no-untyped-def]
    """How many copies of a card the enemy of `side` may hold: in hand, deck or face-down.

    Both deck lists are known to both sides; where each card is is not.
    """
    enemy = 1 - side
    n = 0
    for i in range(duel.hand_size[enemy]):
        n += duel.hand[enemy, i] == card
    for i in range(duel.deck_size[enemy]):
        n += duel.deck[enemy, i] == card
    for i in range(duel.units[enemy]):
        u = duel.unit_at[enemy, i]
        n += duel.unit_position[enemy, u] == FACE_DOWN and duel.unit_card[enemy, u] == card
    for i in range(duel.supports[enemy]):
        k = duel.support_at[enemy, i]
        n += duel.support_up[enemy, k] == 0 and duel.support_card[enemy, k] == card
    return n


@entry(void(DUEL, TABLES, OPTIONS, int64, int32[:, ::1]))
def attack_table(duel, t, options, side, table):  # type: ignore[no-untyped-def]
    """What every attack among the options would compare, and the attack in progress.

    duel: a copy that may be written to (an attack that is not declared yet is put into it). table:
    shape (options.n + 1, ATTACK_COLUMNS), int32; the last row is for the attack in progress, rows
    of other options are left alone.
    """
    if duel.attacking != 0:
        if attacker_stands(duel):
            # a target that has left in the meantime is as good as none
            v = duel.attacked if attacked_stands(duel) else -1
            a, d, damage = attack_comparison(duel, t, side, duel.active, duel.attacker, v)
            table[options.n, 0] = a
            table[options.n, 1] = d
            table[options.n, 2] = damage
        return
    for i in range(options.n):
        if options.verb[i] != ATTACK:
            continue
        # changes that hold while a unit attacks hold in its combat
        duel.attacking = 1
        duel.attacker = options.slot[i]
        duel.stale = 1
        refresh(duel, t)
        v = options.target[i] if options.target_zone[i] == ZONE_UNITS else -1
        a, d, damage = attack_comparison(duel, t, side, side, options.slot[i], v)
        table[i, 0] = a
        table[i, 1] = d
        table[i, 2] = damage
