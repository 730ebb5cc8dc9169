"""Effective stats (rulebook, section 6), and the filters and counts that they rest on.

effective = clamp(printed + all changes): everything is added up first and clamped once. The sums
are kept in the record. A change of one unit is added to its sum where it happens; what may touch
the changes that face-up cards make to others (`depends` says which events can) marks the sums as
`stale`, and they are added up anew before anybody looks at them.
"""

from __future__ import annotations

from cards.ancient_duel.vocabulary import (
    ANY,
    DURING_ATTACK,
    DURING_COMBAT,
    FACE_DOWN,
    GRANT_IMMUNITY,
    GRANT_PIERCING,
    GRANT_STATS,
    IF_CONTROLS,
    IF_FACE_UP,
    IN_ATTACK,
    OWN,
    REACH_EQUIPPED,
    REACH_OPPONENT,
    REACH_SELF,
    ROLE_ANY,
    ROLE_ATTACKER,
    ROLE_ATTACKER_AGAINST_DEFENCE,
    ROLE_TARGET_IN_DEFENCE,
    SELECT_ITSELF,
    SELECT_OTHER,
)
from sim.ancient_duel.record import FIELD
from sim.compiled import compiled


@compiled
def card_passes(t, f, card):  # type: ignore[no-untyped-def]
    """Whether a card, by what is printed on it (all but ATK), passes filter f."""
    return t.fits[f, card] != 0


@compiled
def unit_passes(duel, t, f, own, source, side, u):  # type: ignore[no-untyped-def]
    """Whether unit u of `side` passes filter f, current ATK left aside.

    `own` is the side of the filter's card; `source` its unit slot, or -1.
    """
    reach = t.filter_side[f]
    if reach != ANY and (side == own) != (reach == OWN):
        return False
    if duel.unit_position[side, u] & t.filter_positions[f] == 0:
        return False
    flags = t.filter_flags[f]
    if flags & (SELECT_OTHER | SELECT_ITSELF) != 0:
        itself = side == own and u == source
        if itself == (flags & SELECT_OTHER != 0):
            return False
    return card_passes(t, f, duel.unit_card[side, u])


@compiled
def count_units(duel, t, f, own, source):  # type: ignore[no-untyped-def]
    """How many units on the field pass filter f."""
    n = 0
    for side in range(2):
        for i in range(duel.units[side]):
            if unit_passes(duel, t, f, own, source, side, duel.unit_at[side, i]):
                n += 1
    return n


@compiled
def lies_face_up(duel, t, f, own):  # type: ignore[no-untyped-def]
    """Whether a support card that passes filter f lies face-up on the sides that it names."""
    reach = t.filter_side[f]
    for side in range(2):
        if reach != ANY and (side == own) != (reach == OWN):
            continue
        for i in range(duel.supports[side]):
            k = duel.support_at[side, i]
            if duel.support_up[side, k] != 0 and card_passes(t, f, duel.support_card[side, k]):
                return True
    return False


@compiled
def board_holds(duel, t, c, own, source):  # type: ignore[no-untyped-def]
    """Condition c, of the kinds that look only at the board."""
    f = t.condition_filter[c]
    if t.condition[c] == IF_CONTROLS:
        return count_units(duel, t, f, own, source) > 0
    if t.condition[c] == IF_FACE_UP:
        return lies_face_up(duel, t, f, own)
    return False


@compiled
def _static_holds(duel, t, x, own, source):  # type: ignore[no-untyped-def]
    for c in range(t.static_if_from[x], t.static_if_from[x + 1]):
        if not board_holds(duel, t, c, own, source):
            return False
    return True


@compiled
def _times(duel, t, x, own, source):  # type: ignore[no-untyped-def]
    """How many times static x counts: once, or once for each unit that it counts."""
    f = t.static_per_filter[x]
    if f < 0:
        return 1
    return min(count_units(duel, t, f, own, source), t.static_at_most[x])


@compiled
def _add(duel, t, x, times, side, u):  # type: ignore[no-untyped-def]
    if t.grant[x] == GRANT_STATS:
        duel.unit_atk[side, u] += times * t.static_atk[x]
        duel.unit_def[side, u] += times * t.static_def[x]
    elif t.grant[x] == GRANT_IMMUNITY:
        duel.unit_immune[side, u] = 1


@compiled
def _apply_static(duel, t, x, own, source, on):  # type: ignore[no-untyped-def]
    """Add what static x gives to the sums; `source` its unit slot or -1, `on` the equipped unit."""
    if not _static_holds(duel, t, x, own, source):
        return
    times = _times(duel, t, x, own, source)
    reach = t.reach[x]
    only_attacker = t.during[x] == DURING_ATTACK
    if only_attacker and duel.attacking == 0:
        return
    if reach in (REACH_SELF, REACH_EQUIPPED):
        u = source if reach == REACH_SELF else on
        if u >= 0 and not (only_attacker and (own != duel.active or u != duel.attacker)):
            _add(duel, t, x, times, own, u)
        return
    f = t.static_filter[x]
    for side in range(2):
        for i in range(duel.units[side]):
            u = duel.unit_at[side, i]
            if only_attacker and (side != duel.active or u != duel.attacker):
                continue
            if unit_passes(duel, t, f, own, source, side, u):
                _add(duel, t, x, times, side, u)


@compiled
def printed_sums(duel, t, side, u):  # type: ignore[no-untyped-def]
    """Begin the sums of a unit: what is printed, and its own changes and wounds."""
    card = duel.unit_card[side, u]
    duel.unit_immune[side, u] = 0
    duel.unit_atk[side, u] = (
        t.atk[card]
        + duel.unit_turn_atk[side, u]
        - duel.unit_wound_atk[side, u]
        - duel.unit_old_wound_atk[side, u]
    )
    duel.unit_def[side, u] = (
        t.def_[card]
        + duel.unit_turn_def[side, u]
        - duel.unit_wound_def[side, u]
        - duel.unit_old_wound_def[side, u]
    )


@compiled
def _count_in(duel, t, card, own, source, support):  # type: ignore[no-untyped-def]
    """Add what a face-up card gives to the sums, and note what it depends on.

    Its slot is `source` or `support`; the other one is -1.
    """
    place = own * 2 * FIELD + (source if source >= 0 else FIELD + support)
    duel.changer[duel.changers] = place
    duel.changers += 1
    if t.fights[card] != 0:
        duel.fighter[duel.fighters] = place
        duel.fighters += 1
    duel.depends |= t.depends[card]
    on = duel.support_on[own, support] if support >= 0 else -1
    for x in range(t.static_from[card], t.static_from[card + 1]):
        if t.grant[x] <= GRANT_IMMUNITY and t.during[x] != DURING_COMBAT:
            _apply_static(duel, t, x, own, source, on)


@compiled
def _add_up(duel, t):  # type: ignore[no-untyped-def]
    duel.stale = 0
    duel.depends = 0
    duel.changers = 0
    duel.fighters = 0
    for side in range(2):
        for i in range(duel.units[side]):
            printed_sums(duel, t, side, duel.unit_at[side, i])
    for side in range(2):
        for i in range(duel.units[side]):
            u = duel.unit_at[side, i]
            card = duel.unit_card[side, u]
            if t.changes_stats[card] != 0 and duel.unit_position[side, u] != FACE_DOWN:
                _count_in(duel, t, card, side, u, -1)
        for i in range(duel.supports[side]):
            k = duel.support_at[side, i]
            card = duel.support_card[side, k]
            if t.changes_stats[card] != 0 and duel.support_up[side, k] != 0:
                _count_in(duel, t, card, side, -1, k)


@compiled
def refresh(duel, t):  # type: ignore[no-untyped-def]
    """Bring the sums of ATK and DEF, and the immunities, up to date."""
    if duel.stale != 0:
        _add_up(duel, t)


@compiled
def _place_of(duel, place):  # type: ignore[no-untyped-def]
    """(side, card, unit slot or -1, slot of the equipped unit or -1) of a listed face-up card."""
    own = 0
    if place >= 2 * FIELD:
        place -= 2 * FIELD
        own = 1
    if place < FIELD:
        return own, duel.unit_card[own, place], place, -1
    k = place - FIELD
    return own, duel.support_card[own, k], -1, duel.support_on[own, k]


@compiled
def _reaches(duel, t, x, own, source, on, side, u):  # type: ignore[no-untyped-def]
    """Whether what static x gives is for unit u of `side`."""
    if t.during[x] == DURING_ATTACK and (
        duel.attacking == 0 or side != duel.active or u != duel.attacker
    ):
        return False
    if t.reach[x] == REACH_SELF:
        return side == own and u == source
    if t.reach[x] == REACH_EQUIPPED:
        return side == own and u == on
    return unit_passes(duel, t, t.static_filter[x], own, source, side, u)


@compiled
def refresh_unit(duel, t, side, u):  # type: ignore[no-untyped-def]
    """Add up one unit anew, after something happened to it that touches no other unit's stats."""
    if duel.stale != 0:
        return
    printed_sums(duel, t, side, u)
    for i in range(duel.changers):
        own, card, source, on = _place_of(duel, duel.changer[i])
        for x in range(t.static_from[card], t.static_from[card + 1]):
            if (
                t.grant[x] <= GRANT_IMMUNITY
                and t.during[x] != DURING_COMBAT
                and _reaches(duel, t, x, own, source, on, side, u)
                and _static_holds(duel, t, x, own, source)
            ):
                _add(duel, t, x, _times(duel, t, x, own, source), side, u)


@compiled
def clamp(t, value):  # type: ignore[no-untyped-def]
    """A stat within the rule set's bounds."""
    return min(max(value, t.stat_min), t.stat_max)


@compiled
def atk(duel, t, side, u):  # type: ignore[no-untyped-def]
    """Effective ATK of a unit, outside combat."""
    refresh(duel, t)
    return clamp(t, duel.unit_atk[side, u])


@compiled
def defence(duel, t, side, u):  # type: ignore[no-untyped-def]
    """Effective DEF of a unit, outside combat."""
    refresh(duel, t)
    return clamp(t, duel.unit_def[side, u])


@compiled
def battle_stat(duel, t, side, u):  # type: ignore[no-untyped-def]
    """What an attack on the unit is compared with: ATK in attack, DEF in defence."""
    if duel.unit_position[side, u] == IN_ATTACK:
        return atk(duel, t, side, u)
    return defence(duel, t, side, u)


@compiled
def plays_role(duel, role, attacks, enemy_side, enemy, position):  # type: ignore[no-untyped-def]
    """Whether a fighter plays a role: it attacks or not, against unit `enemy` (-1: nobody)."""
    if role == ROLE_ANY:
        return True
    if role == ROLE_ATTACKER:
        return attacks
    if role == ROLE_ATTACKER_AGAINST_DEFENCE:
        return attacks and enemy >= 0 and duel.unit_position[enemy_side, enemy] != IN_ATTACK
    if role == ROLE_TARGET_IN_DEFENCE:
        return not attacks and position != IN_ATTACK
    return False


@compiled
def _combat_of_static(duel, t, x, own, source, on, side, u, enemy, attacks, stat):  # type: ignore[no-untyped-def]
    """What an in-combat static gives to fighter u of `side`, in ATK (stat 0) or DEF (stat 1)."""
    if t.during[x] != DURING_COMBAT or t.grant[x] != GRANT_STATS:
        return 0
    reach = t.reach[x]
    enemy_side = 1 - side
    if reach == REACH_OPPONENT:
        # the role is the source's own: it fights against u
        if own != enemy_side or source != enemy or enemy < 0:
            return 0
        position = duel.unit_position[own, source]
        if not plays_role(duel, t.role[x], not attacks, side, u, position):
            return 0
    else:
        if not plays_role(duel, t.role[x], attacks, enemy_side, enemy, duel.unit_position[side, u]):
            return 0
        if reach == REACH_SELF:
            if own != side or source != u:
                return 0
        elif reach == REACH_EQUIPPED:
            if own != side or on != u:
                return 0
        elif not unit_passes(duel, t, t.static_filter[x], own, source, side, u):
            return 0
    if not _static_holds(duel, t, x, own, source):
        return 0
    each = t.static_atk[x] if stat == 0 else t.static_def[x]
    return each * _times(duel, t, x, own, source)


@compiled
def combat_change(duel, t, side, u, enemy, attacks, stat):  # type: ignore[no-untyped-def]
    """All in-combat changes of fighter u of `side` against unit `enemy` (-1: a direct attack).

    `attacks`: u is the attacker. `stat`: 0 for ATK, 1 for DEF. The sums must be up to date.
    """
    if stat == 0:
        total = duel.unit_combat_atk[side, u] + duel.unit_combats_atk[side, u]
    else:
        total = duel.unit_combat_def[side, u] + duel.unit_combats_def[side, u]
    for i in range(duel.fighters):
        own, card, source, on = _place_of(duel, duel.fighter[i])
        for x in range(t.static_from[card], t.static_from[card + 1]):
            total += _combat_of_static(duel, t, x, own, source, on, side, u, enemy, attacks, stat)
    return total


@compiled
def combat_atk(duel, t, side, u, enemy, attacks):  # type: ignore[no-untyped-def]
    """Effective ATK of a fighter in the damage comparison."""
    refresh(duel, t)
    change = combat_change(duel, t, side, u, enemy, attacks, 0)
    return clamp(t, duel.unit_atk[side, u] + change)


@compiled
def combat_defence(duel, t, side, u, enemy, attacks):  # type: ignore[no-untyped-def]
    """Effective DEF of a fighter in the damage comparison."""
    refresh(duel, t)
    change = combat_change(duel, t, side, u, enemy, attacks, 1)
    return clamp(t, duel.unit_def[side, u] + change)


@compiled
def pierces(duel, t, side, u, enemy):  # type: ignore[no-untyped-def]
    """Whether attacker u pierces the defence of `enemy`."""
    card = duel.unit_card[side, u]
    for x in range(t.static_from[card], t.static_from[card + 1]):
        if t.grant[x] == GRANT_PIERCING and plays_role(
            duel, t.role[x], True, 1 - side, enemy, duel.unit_position[side, u]
        ):
            return _static_holds(duel, t, x, side, u)
    return False
