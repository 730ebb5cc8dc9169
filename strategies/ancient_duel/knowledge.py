"""What a strategy wants to know of a duel: only what its side may see.

`duel` and `t` are the duel record and the card tables; `side` is the side that looks. Units are
named by (side, slot), cards by number. Enemy face-down units have unknown stats: functions that
need a number are given one (`HIDDEN_DEFENCE` is a fair guess).
"""

from __future__ import annotations

from cards.ancient_duel.vocabulary import (
    FACE_DOWN,
    GRANT_PIERCING,
    IN_ATTACK,
    IS_TACTIC,
)
from sim.ancient_duel.record import BATTLE, MAIN1
from sim.ancient_duel.stats import atk, clamp, combat_change, defence, pierces, refresh
from sim.compiled import compiled

#: DEF that an unknown face-down unit is taken to have: the cards that people set have 3 to 4.
HIDDEN_DEFENCE = 3


@compiled
def is_hidden(duel, side, owner, u):  # type: ignore[no-untyped-def]
    """Whether `side` cannot see what unit u of `owner` is."""
    return owner != side and duel.unit_position[owner, u] == FACE_DOWN


@compiled
def stat_against(duel, t, side, owner, u, unknown):  # type: ignore[no-untyped-def]
    """What an attack of `side` on unit u is compared with, in-combat changes left aside.

    unknown: what to take for the DEF of an unknown face-down unit.
    """
    if is_hidden(duel, side, owner, u):
        return unknown
    if duel.unit_position[owner, u] == IN_ATTACK:
        return atk(duel, t, owner, u)
    return defence(duel, t, owner, u)


@compiled
def threat(duel, t, side):  # type: ignore[no-untyped-def]
    """Highest ATK among the face-up units of the other side; 0 where there is none."""
    enemy = 1 - side
    most = 0
    for i in range(duel.units[enemy]):
        u = duel.unit_at[enemy, i]
        if duel.unit_position[enemy, u] != FACE_DOWN:
            most = max(most, atk(duel, t, enemy, u))
    return most


@compiled
def battle_ahead(duel):  # type: ignore[no-untyped-def]
    """Whether the active side can still attack this turn."""
    return duel.phase == BATTLE or (duel.phase == MAIN1 and duel.turn[0] + duel.turn[1] > 1)


@compiled
def can_attack(duel, t, side, u):  # type: ignore[no-untyped-def]
    """Whether unit u of the active side could still declare an attack this turn."""
    return (
        duel.unit_position[side, u] == IN_ATTACK
        and duel.unit_attacked[side, u] == 0
        and t.energy[duel.unit_card[side, u]] <= duel.energy[side]
    )


@compiled
def best_attacker(duel, t, side, but):  # type: ignore[no-untyped-def]
    """Highest ATK among the units of `side` that can still attack, unit `but` left out."""
    most = 0
    for i in range(duel.units[side]):
        u = duel.unit_at[side, i]
        if u != but and can_attack(duel, t, side, u):
            most = max(most, atk(duel, t, side, u))
    return most


@compiled
def set_tactics(duel, t, side):  # type: ignore[no-untyped-def]
    """How many tactics the side itself has set."""
    n = 0
    for i in range(duel.supports[side]):
        k = duel.support_at[side, i]
        if duel.support_up[side, k] == 0 and t.kind[duel.support_card[side, k]] == IS_TACTIC:
            n += 1
    return n


@compiled
def set_cards(duel, side):  # type: ignore[no-untyped-def]
    """How many support cards a side has face-down: all that the other side knows of them."""
    n = 0
    for i in range(duel.supports[side]):
        if duel.support_up[side, duel.support_at[side, i]] == 0:
            n += 1
    return n


@compiled
def attack_numbers(duel, t, side, attacker_side, u, v, attack_change, target_change, unknown):  # type: ignore[no-untyped-def]
    """(a, d, damage_possible): the comparison if unit u attacks unit v of the other side now.

    `side` is who looks. Every in-combat change that stands on the field is counted;
    `attack_change` and `target_change` are added to either number before the clamp. For an unknown
    face-down target d is `unknown`. damage_possible: a win takes LP off.
    """
    refresh(duel, t)
    enemy = 1 - attacker_side
    a = duel.unit_atk[attacker_side, u] + combat_change(duel, t, attacker_side, u, v, True, 0)
    a = clamp(t, a + attack_change)
    in_attack = duel.unit_position[enemy, v] == IN_ATTACK
    if is_hidden(duel, side, enemy, v):
        return a, unknown, False
    if in_attack:
        d = duel.unit_atk[enemy, v] + combat_change(duel, t, enemy, v, u, False, 0)
        return a, clamp(t, d + target_change), True
    d = duel.unit_def[enemy, v] + combat_change(duel, t, enemy, v, u, False, 1)
    through = False
    if t.grants[duel.unit_card[attacker_side, u]] & (1 << GRANT_PIERCING) != 0:
        through = pierces(duel, t, attacker_side, u, v)
    return a, clamp(t, d), through


@compiled
def direct_damage(duel, t, attacker_side, u, attack_change):  # type: ignore[no-untyped-def]
    """LP that a direct attack of unit u would take off now."""
    refresh(duel, t)
    a = duel.unit_atk[attacker_side, u] + combat_change(duel, t, attacker_side, u, -1, True, 0)
    return clamp(t, a + attack_change)
