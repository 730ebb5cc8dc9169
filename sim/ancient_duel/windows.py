"""Windows for tactics, and effects that an event sets off (rulebook, section 7)."""

from __future__ import annotations

from cards.ancient_duel.vocabulary import (
    FACE_DOWN,
    WHEN_OWN_UNIT_DESTROYED,
    WHEN_RESPOND,
    WHEN_TURN_START,
    WINDOW_AFTERMATH,
    WINDOW_COMBAT,
    WINDOW_DECLARED,
    WINDOW_WOULD_BE_DESTROYED,
    ZONE_NONE,
    ZONE_SUPPORT,
    ZONE_UNITS,
)
from sim.ancient_duel.conditions import conditions_hold
from sim.ancient_duel.effects import EFFECT_BEGINS, EFFECT_COST
from sim.ancient_duel.options import add_word, ask, list_responses
from sim.ancient_duel.record import (
    ASK_WINDOW,
    E_PLACE,
    PASS,
    PC,
    T_CARD,
    T_DOCTRINES,
    T_NEXT,
    T_NEXT_SUPPORT,
    T_SIDE,
    T_SLOT,
    T_UID,
    T_WHENS,
    T_WHOLE_SIDE,
    W_IN_BATTLE,
    W_LOSS_FROM,
    W_LOSS_TO,
    W_NEW,
    W_NEW_FROM,
    W_NEW_TO,
    W_SIDE,
    W_SPECIAL,
    W_UNIT,
    W_UNIT_SIDE,
    W_UNIT_UID,
    W_WINDOW,
)
from sim.ancient_duel.stack import (
    has_answer,
    pop,
    push_aftermath,
    push_effect,
    push_window,
    set_target,
)
from sim.ancient_duel.zones import lift_support
from sim.compiled import compiled

WINDOW_OPEN = 0
WINDOW_DONE = 1


@compiled
def _is_closed(duel, f):  # type: ignore[no-untyped-def]
    """Whether nothing can be answered in window frame f any more."""
    frame = duel.frame
    window = frame[f, W_WINDOW]
    if duel.silenced != 0 and frame[f, W_SIDE] != duel.active:
        return True
    if window in (WINDOW_DECLARED, WINDOW_COMBAT):
        return duel.attack_cancelled != 0
    if window == WINDOW_WOULD_BE_DESTROYED:
        attackers = frame[f, W_UNIT_SIDE] == duel.active
        return (duel.attacker_doomed if attackers else duel.attacked_doomed) == 0
    return False


@compiled
def _respond(duel, t, f):  # type: ignore[no-untyped-def]
    """A set tactic is turned up and paid; it is in no zone until it has resolved."""
    side = duel.frame[f, W_SIDE]
    duel.energy[side] -= t.activation_cost
    card = lift_support(duel, t, side, duel.slot)
    for e in range(t.effect_from[card], t.effect_from[card + 1]):
        if t.when[e] == WHEN_RESPOND and t.window[e] == duel.frame[f, W_WINDOW]:
            g = push_effect(duel, t, EFFECT_COST, e, side, card, ZONE_NONE, -1, 0)
            set_target(duel, g)
            duel.frame[g, E_PLACE] = -1
            return


@compiled
def step_window(duel, t, options):  # type: ignore[no-untyped-def]
    """One side's window: it may answer as often as it likes, one tactic after another.

    What was destroyed inside gets its own round of aftermath windows when this one is finished.
    """
    f = duel.depth - 1
    frame = duel.frame
    if frame[f, PC] == WINDOW_OPEN:
        if duel.answered != 0:
            duel.answered = 0
            if duel.verb != PASS:
                _respond(duel, t, f)
                return False
        elif not _is_closed(duel, f):
            side = frame[f, W_SIDE]
            options.n = 0
            add_word(options, PASS)
            list_responses(duel, t, options, side, f)
            if options.n > 1:
                return ask(duel, options, side, ASK_WINDOW)
        frame[f, PC] = WINDOW_DONE
        frame[f, W_NEW] = frame[f, W_NEW_FROM]
        frame[f, W_NEW_TO] = duel.losses
    if frame[f, W_NEW] < frame[f, W_NEW_TO]:
        frame[f, W_NEW] += 1
        push_aftermath(duel, t, frame[f, W_NEW] - 1, frame[f, W_NEW], 0)
        return False
    duel.losses = frame[f, W_NEW_FROM]
    pop(duel)
    return False


@compiled
def step_round(duel, t):  # type: ignore[no-untyped-def]
    """A window for the first side, then for the other."""
    f = duel.depth - 1
    frame = duel.frame
    turn = frame[f, PC]
    if turn == 2:
        if frame[f, W_WINDOW] == WINDOW_AFTERMATH and frame[f, W_LOSS_TO] == duel.losses:
            duel.losses = frame[f, W_LOSS_FROM]  # answered; the list is a stack, too
        pop(duel)
        return False
    frame[f, PC] = turn + 1
    side = frame[f, W_SIDE] if turn == 0 else 1 - frame[f, W_SIDE]
    if not has_answer(duel, t, side, frame[f, W_WINDOW]):
        return False
    g = push_window(duel, frame[f, W_WINDOW], side)
    frame[g, W_LOSS_FROM] = frame[f, W_LOSS_FROM]
    frame[g, W_LOSS_TO] = frame[f, W_LOSS_TO]
    frame[g, W_IN_BATTLE] = frame[f, W_IN_BATTLE]
    frame[g, W_UNIT_SIDE] = frame[f, W_UNIT_SIDE]
    frame[g, W_UNIT] = frame[f, W_UNIT]
    frame[g, W_UNIT_UID] = frame[f, W_UNIT_UID]
    frame[g, W_SPECIAL] = frame[f, W_SPECIAL]
    return False


@compiled
def _next_effect(duel, t, f, card, whens, zone, slot, uid):  # type: ignore[no-untyped-def]
    """Start the card's next effect of these kinds; False where there is none left."""
    frame = duel.frame
    for e in range(frame[f, T_NEXT], t.effect_from[card + 1]):
        if whens & (1 << t.when[e]) != 0:
            frame[f, T_NEXT] = e + 1
            push_effect(duel, t, EFFECT_BEGINS, e, frame[f, T_SIDE], card, zone, slot, uid)
            return True
    return False


@compiled
def _next_doctrine(duel, t, f):  # type: ignore[no-untyped-def]
    """Start the next doctrine that looks at the losses of its side; False where none is left."""
    frame = duel.frame
    side = frame[f, T_SIDE]
    while frame[f, T_NEXT_SUPPORT] < duel.supports[side]:
        k = duel.support_at[side, frame[f, T_NEXT_SUPPORT]]
        frame[f, T_NEXT_SUPPORT] += 1
        card = duel.support_card[side, k]
        if duel.support_up[side, k] == 0:
            continue
        for e in range(t.effect_from[card], t.effect_from[card + 1]):
            if (
                t.when[e] == WHEN_OWN_UNIT_DESTROYED
                and (t.once[e] == 0 or duel.support_used[side, k] == 0)
                and conditions_hold(duel, t, e, side, -1, f)
            ):
                duel.support_used[side, k] = 1
                push_effect(duel, t, EFFECT_BEGINS, e, side, card, ZONE_SUPPORT, k, 0)
                return True
    return False


@compiled
def _next_of_side(duel, t, f):  # type: ignore[no-untyped-def]
    """Start the next turn-start effect of the side, units first; False where none is left."""
    frame = duel.frame
    side = frame[f, T_SIDE]
    while frame[f, T_NEXT] < duel.units[side] + duel.supports[side]:
        i = frame[f, T_NEXT]
        frame[f, T_NEXT] += 1
        zone = ZONE_UNITS
        uid = 0
        if i < duel.units[side]:
            slot = duel.unit_at[side, i]
            card = duel.unit_card[side, slot]
            uid = duel.unit_uid[side, slot]
            up = duel.unit_position[side, slot] != FACE_DOWN
        else:
            zone = ZONE_SUPPORT
            slot = duel.support_at[side, i - duel.units[side]]
            card = duel.support_card[side, slot]
            up = duel.support_up[side, slot] != 0
        if up and t.effect_whens[card] & (1 << WHEN_TURN_START) != 0:
            for e in range(t.effect_from[card], t.effect_from[card + 1]):
                if t.when[e] == WHEN_TURN_START:
                    push_effect(duel, t, EFFECT_BEGINS, e, side, card, zone, slot, uid)
                    return True
    return False


@compiled
def step_trigger(duel, t):  # type: ignore[no-untyped-def]
    """Start the next effect that the event sets off, or finish."""
    f = duel.depth - 1
    frame = duel.frame
    if frame[f, T_WHOLE_SIDE] != 0:
        if not _next_of_side(duel, t, f):
            pop(duel)
        return False
    u = frame[f, T_SLOT]
    zone = ZONE_UNITS if u >= 0 else ZONE_NONE
    if _next_effect(duel, t, f, frame[f, T_CARD], frame[f, T_WHENS], zone, u, frame[f, T_UID]):
        return False
    if frame[f, T_DOCTRINES] != 0 and _next_doctrine(duel, t, f):
        return False
    pop(duel)
    return False
