"""Effects: choose and pay, choose targets, the opponent's window, resolve (rulebook, section 7).

One frame runs one effect; its steps are carried out in `steps`.
"""

from __future__ import annotations

from cards.ancient_duel.vocabulary import (
    TAG_CONTINUOUS,
    TAG_EQUIP,
    TAG_TERRAIN,
    WHEN_ACTIVATE,
    WHEN_DESTROYED,
    WHEN_RESPOND,
    WINDOW_TARGETED,
    ZONE_NONE,
)
from sim.ancient_duel.conditions import (
    can_do,
    conditions_hold,
    step_conditions_hold,
    target_exists,
)
from sim.ancient_duel.options import (
    add_word,
    ask,
    list_payments,
    list_targets,
)
from sim.ancient_duel.record import (
    ASK_CHOOSE,
    ASK_DISCARD,
    ASK_MAY,
    CHOOSE,
    E_ARRIVED,
    E_ARRIVED_UID,
    E_CANCELLED,
    E_CARD,
    E_EFFECT,
    E_LEFT,
    E_LOSS_FROM,
    E_PLACE,
    E_SIDE,
    E_STEP,
    E_TARGET,
    E_TARGET_UID,
    E_TARGET_ZONE,
    NO,
    OP,
    OP_EFFECT,
    PC,
    YES,
)
from sim.ancient_duel.stack import (
    has_answer,
    inside_targeted,
    inside_window,
    pop,
    push_aftermath_of_each,
    push_deployed,
    push_trigger,
    push_window,
    set_target,
    source_of,
)
from sim.ancient_duel.steps import run_step
from sim.ancient_duel.zones import (
    add_to_graveyard,
    discard,
    place_support,
    support_zone_free,
    unit_is,
)
from sim.compiled import compiled

# Where an effect's frame stands
EFFECT_BEGINS = 0  # a trigger: may it, can it?
EFFECT_ASKED = 1
EFFECT_COST = 2  # an activation starts here, its target chosen
EFFECT_TARGET = 3
EFFECT_ANSWERED = 4
EFFECT_STEPS = 5
EFFECT_ENDS = 6


# --- before the effect resolves -------------------------------------------------------------------
@compiled
def _begin(duel, t, options, f):  # type: ignore[no-untyped-def]
    """A trigger: carried out if it can be; with a cost, or a "may", its side can decline."""
    frame = duel.frame
    e = frame[f, E_EFFECT]
    side = frame[f, E_SIDE]
    if frame[f, PC] == EFFECT_BEGINS:
        card = frame[f, E_CARD]
        source = source_of(duel, f)
        if t.may[e] == 0 and t.cost[e] == 0:
            able = conditions_hold(duel, t, e, side, source, f - 1) and (
                t.target_zone[e] == ZONE_NONE or target_exists(duel, t, e, card, side, source)
            )
            frame[f, PC] = EFFECT_TARGET if able else EFFECT_ENDS
            return False
        if not can_do(duel, t, e, card, side, source, f - 1, -1):
            frame[f, PC] = EFFECT_ENDS
            return False
        options.n = 0
        add_word(options, YES)
        add_word(options, NO)
        frame[f, PC] = EFFECT_ASKED
        return ask(duel, options, side, ASK_MAY)
    duel.answered = 0
    frame[f, PC] = EFFECT_COST if duel.verb == YES else EFFECT_ENDS
    return False


@compiled
def _pay(duel, t, options, f):  # type: ignore[no-untyped-def]
    """The discards that an effect costs, one by one."""
    frame = duel.frame
    side = frame[f, E_SIDE]
    if duel.answered != 0:
        duel.answered = 0
        discard(duel, side, duel.slot)
        frame[f, E_LEFT] -= 1
    if frame[f, E_LEFT] == 0:
        frame[f, PC] = EFFECT_TARGET
        return False
    options.n = 0
    e = frame[f, E_EFFECT]
    list_payments(duel, t, options, e, frame[f, E_CARD], side, source_of(duel, f), f - 1)
    if options.n == 0:
        frame[f, PC] = EFFECT_TARGET
        return False
    return ask(duel, options, side, ASK_DISCARD)


@compiled
def _choose_target(duel, t, options, f):  # type: ignore[no-untyped-def]
    """A trigger's target is chosen here; then the other side's `targeted` window."""
    frame = duel.frame
    e = frame[f, E_EFFECT]
    side = frame[f, E_SIDE]
    if t.target_zone[e] == ZONE_NONE:
        frame[f, PC] = EFFECT_STEPS
        return False
    if duel.answered != 0:
        duel.answered = 0
        set_target(duel, f)
    if frame[f, E_TARGET_ZONE] == ZONE_NONE:
        options.n = 0
        card = frame[f, E_CARD]
        source = source_of(duel, f)
        list_targets(duel, t, options, CHOOSE, card, ZONE_NONE, -1, side, source, e)
        if options.n == 0:
            frame[f, PC] = EFFECT_ENDS
            return False
        return ask(duel, options, side, ASK_CHOOSE)
    frame[f, PC] = EFFECT_STEPS
    enemy = 1 - side
    if has_answer(duel, t, enemy, WINDOW_TARGETED) and not inside_targeted(
        duel, f, WINDOW_TARGETED
    ):
        push_window(duel, WINDOW_TARGETED, enemy)
    return False


# --- resolving ------------------------------------------------------------------------------------
@compiled
def _run_steps(duel, t, options, f):  # type: ignore[no-untyped-def]
    frame = duel.frame
    e = frame[f, E_EFFECT]
    side = frame[f, E_SIDE]
    end = t.step_from[e + 1]
    while frame[f, E_CANCELLED] == 0 and frame[f, E_STEP] < end:
        x = frame[f, E_STEP]
        if duel.answered != 0 or step_conditions_hold(duel, t, x, side, source_of(duel, f), f - 1):
            if run_step(duel, t, options, f, x):
                return True
            if duel.over != 0:
                return False
        frame[f, E_STEP] = x + 1
    frame[f, PC] = EFFECT_ENDS
    return False


# --- afterwards -----------------------------------------------------------------------------------
@compiled
def _lay_down(duel, t, f):  # type: ignore[no-untyped-def]
    """An activated card goes where it belongs: an equip onto its unit, others to the graveyard."""
    frame = duel.frame
    e = frame[f, E_EFFECT]
    if t.when[e] != WHEN_ACTIVATE and t.when[e] != WHEN_RESPOND:
        return
    side = frame[f, E_SIDE]
    card = frame[f, E_CARD]
    if t.tags[card] & (TAG_CONTINUOUS | TAG_TERRAIN) != 0:
        return  # it lies on the field already
    if t.tags[card] & TAG_EQUIP != 0 and frame[f, E_CANCELLED] == 0:
        u = frame[f, E_TARGET]
        if unit_is(duel, side, u, frame[f, E_TARGET_UID]) and (
            frame[f, E_PLACE] >= 0 or support_zone_free(duel, t, side)
        ):
            place_support(duel, t, side, card, 1, u, 0, frame[f, E_PLACE])
            return
    add_to_graveyard(duel, side, card)


@compiled
def _end(duel, t, f):  # type: ignore[no-untyped-def]
    """The card leaves; then what the effect did is answered.

    First the "destroyed" effects, then the aftermath windows (or, inside a window, when that one is
    finished), then the windows for a unit that arrived.
    """
    frame = duel.frame
    _lay_down(duel, t, f)
    loss_from = frame[f, E_LOSS_FROM]
    loss_to = duel.losses
    side = frame[f, E_SIDE]
    arrived = frame[f, E_ARRIVED]
    uid = frame[f, E_ARRIVED_UID]
    pop(duel)
    if arrived >= 0:
        push_deployed(duel, side, arrived, uid, 1)
    if loss_to == loss_from:
        return
    if not inside_window(duel):
        push_aftermath_of_each(duel, loss_from, loss_to)
    # the turn player's come first, so they are pushed last
    for turn in range(2):
        s = 1 - duel.active if turn == 0 else duel.active
        for i in range(loss_to - 1, loss_from - 1, -1):
            if duel.loss_side[i] == s:
                card = duel.loss_card[i]
                push_trigger(duel, t, s, card, -1, 0, 1 << WHEN_DESTROYED, 1, i, i + 1)


@compiled
def _effect_stage(duel, t, options, f):  # type: ignore[no-untyped-def]
    """Run an effect a stage further; whether the duel must wait."""
    pc = duel.frame[f, PC]
    if pc <= EFFECT_ASKED:
        return _begin(duel, t, options, f)
    if pc == EFFECT_COST:
        return _pay(duel, t, options, f)
    if pc == EFFECT_TARGET:
        return _choose_target(duel, t, options, f)
    if pc == EFFECT_STEPS:
        return _run_steps(duel, t, options, f)
    _end(duel, t, f)
    return False


@compiled
def step_effect(duel, t, options):  # type: ignore[no-untyped-def]
    """Run the effect on top of the stack while it stays there; whether the duel must wait."""
    f = duel.depth - 1
    # what an effect sets off may stand in its place when it is finished
    while duel.depth == f + 1 and duel.frame[f, OP] == OP_EFFECT and duel.over == 0:
        if _effect_stage(duel, t, options, f):
            return True
    return False
