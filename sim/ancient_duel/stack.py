"""The stack of steps still to do: pushing and popping its frames."""

from __future__ import annotations

from cards.ancient_duel.vocabulary import (
    WINDOW_AFTERMATH,
    WINDOW_DEPLOYED,
    ZONE_GRAVEYARD,
    ZONE_NONE,
    ZONE_UNITS,
)
from sim.ancient_duel.record import (
    DEEPEST,
    E_ARRIVED,
    E_CARD,
    E_EFFECT,
    E_LEFT,
    E_LOSS_FROM,
    E_PLACE,
    E_SIDE,
    E_SLOT,
    E_STEP,
    E_TARGET,
    E_TARGET_SIDE,
    E_TARGET_UID,
    E_TARGET_ZONE,
    E_UID,
    E_ZONE,
    MOST_EFFECTS,
    OP,
    OP_EFFECT,
    OP_ROUND,
    OP_TRIGGER,
    OP_WINDOW,
    PC,
    T_CARD,
    T_DOCTRINES,
    T_NEXT,
    T_SIDE,
    T_SLOT,
    T_UID,
    T_WHENS,
    T_WHOLE_SIDE,
    W_IN_BATTLE,
    W_LOSS_FROM,
    W_LOSS_TO,
    W_NEW_FROM,
    W_SIDE,
    W_SPECIAL,
    W_UNIT,
    W_UNIT_SIDE,
    W_UNIT_UID,
    W_WINDOW,
    WIDTH,
)
from sim.compiled import compiled


@compiled
def push(duel, op, pc):  # type: ignore[no-untyped-def]
    """Put a blank frame on the stack; its index."""
    f = duel.depth
    for i in range(WIDTH):
        duel.frame[f, i] = 0
    duel.frame[f, OP] = op
    duel.frame[f, PC] = pc
    duel.depth = f + 1
    return f


@compiled
def pop(duel):  # type: ignore[no-untyped-def]
    """Take the top frame off."""
    duel.depth -= 1


@compiled
def push_effect(duel, t, pc, e, side, card, zone, slot, uid):  # type: ignore[no-untyped-def]
    """An effect of `card` of `side`, whose source stands in a slot of `zone`; its frame.

    e is -1 for a doctrine that only stays on the field.
    """
    f = push(duel, OP_EFFECT, pc)
    if duel.effects < MOST_EFFECTS:
        duel.effects += 1
    frame = duel.frame
    frame[f, E_EFFECT] = e
    frame[f, E_SIDE] = side
    frame[f, E_CARD] = card
    frame[f, E_ZONE] = zone
    frame[f, E_SLOT] = slot
    frame[f, E_UID] = uid
    frame[f, E_ARRIVED] = -1
    frame[f, E_PLACE] = -1
    frame[f, E_LOSS_FROM] = duel.losses
    if e >= 0:
        frame[f, E_STEP] = t.step_from[e]
        frame[f, E_LEFT] = t.cost[e]
    return f


@compiled
def set_target(duel, f):  # type: ignore[no-untyped-def]
    """Note the target of the choice just made in an effect's frame."""
    frame = duel.frame
    frame[f, E_TARGET_ZONE] = duel.target_zone
    frame[f, E_TARGET_SIDE] = duel.target_side
    frame[f, E_TARGET] = duel.target
    if duel.target_zone == ZONE_UNITS:
        frame[f, E_TARGET_UID] = duel.unit_uid[duel.target_side, duel.target]
    elif duel.target_zone == ZONE_GRAVEYARD:
        frame[f, E_TARGET_UID] = duel.graveyard[duel.target_side, duel.target]


@compiled
def has_answer(duel, t, side, window):  # type: ignore[no-untyped-def]
    """Whether the side has set a tactic for such a window: without one it need not be opened."""
    for i in range(duel.supports[side]):
        k = duel.support_at[side, i]
        if (
            duel.support_up[side, k] == 0
            and (t.windows[duel.support_card[side, k]] >> window) & 1 != 0
        ):
            return True
    return False


@compiled
def push_window(duel, window, side):  # type: ignore[no-untyped-def]
    """A window for one side; its frame."""
    f = push(duel, OP_WINDOW, 0)
    duel.frame[f, W_WINDOW] = window
    duel.frame[f, W_SIDE] = side
    duel.frame[f, W_NEW_FROM] = duel.losses
    return f


@compiled
def any_set_card(duel):  # type: ignore[no-untyped-def]
    """Whether a support card lies face-down on any side: what both sides can see."""
    for side in range(2):
        for i in range(duel.supports[side]):
            if duel.support_up[side, duel.support_at[side, i]] == 0:
                return True
    return False


@compiled
def either_has_answer(duel, t, window):  # type: ignore[no-untyped-def]
    """Whether any side has set a tactic for such a window."""
    return has_answer(duel, t, 0, window) or has_answer(duel, t, 1, window)


@compiled
def push_round(duel, window, first_side):  # type: ignore[no-untyped-def]
    """A window for one side, then for the other; its frame."""
    f = push(duel, OP_ROUND, 0)
    duel.frame[f, W_WINDOW] = window
    duel.frame[f, W_SIDE] = first_side
    duel.frame[f, W_LOSS_FROM] = duel.losses
    duel.frame[f, W_LOSS_TO] = duel.losses
    return f


@compiled
def push_aftermath(duel, t, loss_from, loss_to, in_battle):  # type: ignore[no-untyped-def]
    """Both sides' aftermath windows for a range of losses, which open at once."""
    if either_has_answer(duel, t, WINDOW_AFTERMATH):
        _push_aftermath(duel, loss_from, loss_to, in_battle)


@compiled
def _push_aftermath(duel, loss_from, loss_to, in_battle):  # type: ignore[no-untyped-def]
    """First the side that lost a unit; the turn player where both or neither did."""
    if duel.depth >= DEEPEST:
        return
    first_side = duel.active
    if loss_to > loss_from:
        mine = False
        for i in range(loss_from, loss_to):
            if duel.loss_side[i] == duel.active:
                mine = True
        if not mine:
            first_side = 1 - duel.active
    f = push_round(duel, WINDOW_AFTERMATH, first_side)
    duel.frame[f, W_LOSS_FROM] = loss_from
    duel.frame[f, W_LOSS_TO] = loss_to
    duel.frame[f, W_IN_BATTLE] = in_battle


@compiled
def push_aftermath_of_each(duel, loss_from, loss_to):  # type: ignore[no-untyped-def]
    """A round of aftermath windows for each destruction by an effect, the first one on top.

    They wait for what else the effect sets off. Meanwhile either side may be asked, and who looks
    at the stack must not see in it what the other one has set.
    """
    if not any_set_card(duel):
        return
    for i in range(loss_to - 1, loss_from - 1, -1):
        _push_aftermath(duel, i, i + 1, 0)


@compiled
def push_deployed(duel, side, u, uid, special):  # type: ignore[no-untyped-def]
    """Both sides' windows for a unit that has just arrived, its own side first; they wait, too."""
    if duel.depth >= DEEPEST or not any_set_card(duel):
        return
    f = push_round(duel, WINDOW_DEPLOYED, side)
    duel.frame[f, W_UNIT_SIDE] = side
    duel.frame[f, W_UNIT] = u
    duel.frame[f, W_UNIT_UID] = uid
    duel.frame[f, W_SPECIAL] = special


@compiled
def push_trigger(duel, t, side, card, u, uid, whens, doctrines, loss_from, loss_to):  # type: ignore[no-untyped-def]
    """The effects of one card that an event sets off: `whens` is a mask of 1 << WHEN_….

    u is the card's unit slot, -1 where it has left the field. With `doctrines` the side's doctrines
    look at the losses afterwards.
    """
    if duel.effects >= MOST_EFFECTS:
        return
    if duel.depth >= DEEPEST or (doctrines == 0 and t.effect_whens[card] & whens == 0):
        return
    f = push(duel, OP_TRIGGER, 0)
    frame = duel.frame
    frame[f, T_SIDE] = side
    frame[f, T_CARD] = card
    frame[f, T_SLOT] = u
    frame[f, T_UID] = uid
    frame[f, T_WHENS] = whens
    frame[f, T_NEXT] = t.effect_from[card]
    frame[f, T_DOCTRINES] = doctrines
    frame[f, W_LOSS_FROM] = loss_from
    frame[f, W_LOSS_TO] = loss_to


@compiled
def push_turn_start(duel, side):  # type: ignore[no-untyped-def]
    """The "at the start of your turn" effects of a whole side."""
    f = push(duel, OP_TRIGGER, 0)
    duel.frame[f, T_SIDE] = side
    duel.frame[f, T_SLOT] = -1
    duel.frame[f, T_WHOLE_SIDE] = 1


@compiled
def inside_window(duel):  # type: ignore[no-untyped-def]
    """Whether any frame on the stack is a window: new losses wait until it is finished."""
    for f in range(duel.depth):  # noqa: SIM110 - compiled code has no any()
        if duel.frame[f, OP] == OP_WINDOW:
            return True
    return False


@compiled
def inside_targeted(duel, f, targeted):  # type: ignore[no-untyped-def]
    """Whether frame f stands in a `targeted` window: nothing nests deeper."""
    for g in range(f):
        if duel.frame[g, OP] == OP_WINDOW and duel.frame[g, W_WINDOW] == targeted:
            return True
    return False


@compiled
def source_of(duel, f):  # type: ignore[no-untyped-def]
    """Unit slot of an effect's source, or -1 where it is no unit on the field (any more)."""
    frame = duel.frame
    side = frame[f, E_SIDE]
    u = frame[f, E_SLOT]
    if frame[f, E_ZONE] == ZONE_NONE or u < 0:
        return -1
    if frame[f, E_UID] == 0 or duel.unit_uid[side, u] != frame[f, E_UID]:
        return -1
    return u
