"""A turn: its phases and the actions of a main phase (rulebook, sections 1, 3 and 4)."""

from __future__ import annotations

from cards.ancient_duel.vocabulary import (
    FACE_DOWN,
    IN_ATTACK,
    IN_DEFENCE,
    IS_UNIT,
    TAG_EQUIP,
    TAG_ONE_SHOT,
    WHEN_ACTIVATE,
    WHEN_DEPLOY,
    WHEN_NORMAL_DEPLOY,
    WHEN_USE,
    ZONE_HAND,
    ZONE_NONE,
    ZONE_UNITS,
)
from sim.ancient_duel.battle import declare
from sim.ancient_duel.effects import EFFECT_COST
from sim.ancient_duel.options import ask, deploy_cost, list_discards, list_phase
from sim.ancient_duel.record import (
    ACTIVATE,
    ASK_DISCARD,
    ATTACK,
    BATTLE,
    DEPLOY,
    DRAW,
    E_PLACE,
    END,
    GO_BATTLE,
    GO_END,
    GO_MAIN2,
    MAIN1,
    MAIN2,
    REPOSITION,
    SET,
    STANDBY,
    USE,
)
from sim.ancient_duel.stack import (
    push_deployed,
    push_effect,
    push_trigger,
    push_turn_start,
    set_target,
)
from sim.ancient_duel.zones import (
    discard,
    draw_or_lose,
    lift_support,
    place_support,
    place_unit,
    put_into,
    support_place,
    take_from_hand,
    turn_up_support,
)
from sim.compiled import compiled


@compiled
def energy_maximum(t, turn):  # type: ignore[no-untyped-def]
    """Energy that a side has at the start of its own turn number `turn`, from 1."""
    growth = max(0, turn - t.energy_growth_turn + 1)
    return min(t.energy_start + growth, t.energy_cap)


# --- the actions of section 4 ---------------------------------------------------------------------
@compiled
def _deploy(duel, t, side, position):  # type: ignore[no-untyped-def]
    """Deploy (face-up in attack) or set (face-down in defence) a unit from the hand."""
    card = take_from_hand(duel, side, duel.slot)
    duel.energy[side] -= deploy_cost(t, card)
    duel.deployments += 1
    u = place_unit(duel, t, side, card, position)
    if position == FACE_DOWN:
        return
    uid = duel.unit_uid[side, u]
    push_deployed(duel, side, u, uid, 0)
    whens = (1 << WHEN_DEPLOY) | (1 << WHEN_NORMAL_DEPLOY)
    push_trigger(duel, t, side, card, u, uid, whens, 0, duel.losses, duel.losses)


@compiled
def _activate(duel, t, side):  # type: ignore[no-untyped-def]
    """Activate a doctrine, from the hand or from its face-down place."""
    card = duel.card
    duel.energy[side] -= t.activation_cost
    stays = t.tags[card] & (TAG_ONE_SHOT | TAG_EQUIP) == 0
    place = -1
    if duel.zone == ZONE_HAND:
        take_from_hand(duel, side, duel.slot)
        if stays:
            place_support(duel, t, side, card, 1, -1, 0, -1)
    elif stays:
        turn_up_support(duel, t, side, duel.slot)
    else:
        place = support_place(duel, side, duel.slot)
        lift_support(duel, t, side, duel.slot)
    for e in range(t.effect_from[card], t.effect_from[card + 1]):
        if t.when[e] == WHEN_ACTIVATE:
            f = push_effect(duel, t, EFFECT_COST, e, side, card, ZONE_NONE, -1, 0)
            set_target(duel, f)
            duel.frame[f, E_PLACE] = place
            return


@compiled
def _use(duel, t, side):  # type: ignore[no-untyped-def]
    """Use the once-a-turn ability of a face-up unit or doctrine."""
    card = duel.card
    uid = 0
    if duel.zone == ZONE_UNITS:
        duel.unit_used[side, duel.slot] = 1
        uid = duel.unit_uid[side, duel.slot]
    else:
        duel.support_used[side, duel.slot] = 1
    for e in range(t.effect_from[card], t.effect_from[card + 1]):
        if t.when[e] == WHEN_USE:
            f = push_effect(duel, t, EFFECT_COST, e, side, card, duel.zone, duel.slot, uid)
            set_target(duel, f)
            return


@compiled
def _reposition(duel, t, side, u):  # type: ignore[no-untyped-def]
    """Attack to face-up defence; defence, or face-down, to face-up attack."""
    duel.unit_repositioned[side, u] = 1
    in_attack = duel.unit_position[side, u] == IN_ATTACK
    put_into(duel, t, side, u, IN_DEFENCE if in_attack else IN_ATTACK)


@compiled
def _act(duel, t):  # type: ignore[no-untyped-def]
    """Carry out the choice made in a main phase or in Battle."""
    side = duel.active
    verb = duel.verb
    if verb == DEPLOY:
        _deploy(duel, t, side, IN_ATTACK)
    elif verb == SET:
        if t.kind[duel.card] == IS_UNIT:
            _deploy(duel, t, side, FACE_DOWN)
        else:
            place_support(duel, t, side, take_from_hand(duel, side, duel.slot), 0, -1, 1, -1)
    elif verb == ACTIVATE:
        _activate(duel, t, side)
    elif verb == USE:
        _use(duel, t, side)
    elif verb == REPOSITION:
        _reposition(duel, t, side, duel.slot)
    elif verb == ATTACK:
        declare(duel, t, duel.slot, duel.target if duel.target_zone == ZONE_UNITS else -1)
    elif verb == GO_BATTLE:
        duel.phase = BATTLE
    elif verb == GO_MAIN2:
        duel.phase = MAIN2
    elif verb == GO_END:
        duel.phase = END


# --- phases (section 3) ---------------------------------------------------------------------------
@compiled
def _begin_turn(duel, t):  # type: ignore[no-untyped-def]
    """Draw phase: the duel's first player does not draw on the first turn."""
    side = duel.active
    duel.turn[side] += 1
    duel.deployments = 0
    duel.attacks = 0
    duel.direct_attacks = 0
    duel.effects = 0
    duel.lost_unit[0] = 0
    duel.lost_unit[1] = 0
    if duel.turn[0] + duel.turn[1] > 1:
        draw_or_lose(duel, side)
    if duel.over == 0:  # a duel that was lost here stands as it is at that instant
        duel.phase = STANDBY


@compiled
def _standby(duel, t):  # type: ignore[no-untyped-def]
    """Standby phase: energy is refilled, never added; then the start-of-turn effects."""
    side = duel.active
    duel.energy[side] = energy_maximum(t, duel.turn[side])
    duel.phase = MAIN1
    push_turn_start(duel, side)


@compiled
def _end_changes(duel):  # type: ignore[no-untyped-def]
    """What lasts "this turn" ends; then the wounds that are due.

    A wound dealt in a turn of the active side ends with that side's next own turn, so every unit of
    the other side carries wounds of at most two turns.
    """
    for side in range(2):
        for i in range(duel.units[side]):
            u = duel.unit_at[side, i]
            duel.unit_attacked[side, u] = 0
            duel.unit_came[side, u] = 0
            duel.unit_repositioned[side, u] = 0
            duel.unit_used[side, u] = 0
            duel.unit_may_defend[side, u] = 0
            duel.unit_atk[side, u] -= duel.unit_turn_atk[side, u]
            duel.unit_def[side, u] -= duel.unit_turn_def[side, u]
            duel.unit_turn_atk[side, u] = 0
            duel.unit_turn_def[side, u] = 0
            duel.unit_combats_atk[side, u] = 0
            duel.unit_combats_def[side, u] = 0
            if side != duel.active:
                duel.unit_atk[side, u] += duel.unit_old_wound_atk[side, u]
                duel.unit_def[side, u] += duel.unit_old_wound_def[side, u]
                duel.unit_old_wound_atk[side, u] = duel.unit_wound_atk[side, u]
                duel.unit_old_wound_def[side, u] = duel.unit_wound_def[side, u]
                duel.unit_wound_atk[side, u] = 0
                duel.unit_wound_def[side, u] = 0
        for i in range(duel.supports[side]):
            k = duel.support_at[side, i]
            duel.support_used[side, k] = 0
            duel.support_came[side, k] = 0


@compiled
def _end_turn(duel, t, options):  # type: ignore[no-untyped-def]
    """End phase: discard down to the hand limit, then the turn passes; whether to wait."""
    side = duel.active
    if duel.answered != 0:
        duel.answered = 0
        discard(duel, side, duel.slot)
    while duel.hand_size[side] > t.hand_limit:
        options.n = 0
        list_discards(duel, options, side)
        if ask(duel, options, side, ASK_DISCARD):
            return True
        duel.answered = 0
        discard(duel, side, duel.slot)
    _end_changes(duel)
    duel.active = 1 - side
    duel.phase = DRAW
    return False


@compiled
def _turn_stage(duel, t, options):  # type: ignore[no-untyped-def]
    """Run the turn a phase further, or by one choice; whether the duel must wait."""
    phase = duel.phase
    duel.losses = 0  # nothing is left to be answered
    if phase == DRAW:
        _begin_turn(duel, t)
    elif phase == STANDBY:
        _standby(duel, t)
    elif phase == END:
        return _end_turn(duel, t, options)
    elif duel.answered != 0:
        duel.answered = 0
        _act(duel, t)
    else:
        kind = list_phase(duel, t, options)
        return ask(duel, options, duel.active, kind)
    return False


@compiled
def step_turn(duel, t, options):  # type: ignore[no-untyped-def]
    """Run turns while nothing else stands on the stack; whether the duel must wait."""
    while duel.depth == 1 and duel.over == 0:
        if _turn_stage(duel, t, options):
            return True
    return False
