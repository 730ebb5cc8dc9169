"""The steps of which effects are made: one function for each kind (rulebook, section 7)."""

from __future__ import annotations

from cards.ancient_duel.vocabulary import (
    DO_ADD,
    DO_CANCEL_ATTACK,
    DO_CANCEL_EFFECT,
    DO_CHANGE,
    DO_CHANGE_ALL,
    DO_CHOOSE,
    DO_CHOOSE_POSITION,
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
    DO_SAVE,
    DO_SPECIAL_DEPLOY,
    FACE_DOWN,
    GRANT_PROTECTS_TERRAIN,
    IN_ATTACK,
    IN_DEFENCE,
    MOVE_ATTACK,
    MOVE_CHOSEN,
    MOVE_DEFENCE,
    TAG_TERRAIN,
    UNTIL_COMBAT,
    UNTIL_TURN,
    ZONE_DECK,
    ZONE_GRAVEYARD,
    ZONE_HAND,
    ZONE_NONE,
    ZONE_SUPPORT,
)
from sim.ancient_duel.conditions import (
    attacker_stands,
    can_choose,
    immune,
    step_amount,
    who_is,
)
from sim.ancient_duel.options import (
    ask,
    list_arrivals,
    list_discards,
    list_finds,
    list_positions,
    list_units,
)
from sim.ancient_duel.record import (
    ASK_CHOOSE,
    ASK_DISCARD,
    ASK_SPECIAL,
    ASK_TAKE,
    BY_DECK,
    CHOOSE,
    E_ARRIVED,
    E_ARRIVED_UID,
    E_CANCELLED,
    E_CARD,
    E_LEFT,
    E_MOVED,
    E_POSITION,
    E_SECOND,
    E_SECOND_SIDE,
    E_SECOND_UID,
    E_SIDE,
    E_TARGET,
    E_TARGET_SIDE,
    E_TARGET_UID,
    E_TARGET_ZONE,
    W_UNIT_SIDE,
)
from sim.ancient_duel.stack import (
    set_target,
    source_of,
)
from sim.ancient_duel.stats import atk
from sim.ancient_duel.zones import (
    add_to_hand,
    bury_support,
    bury_unit,
    discard,
    draw,
    lose,
    lose_lp,
    note_loss,
    place_unit,
    put_into,
    shuffle_again,
    take_from_deck,
    take_from_graveyard,
    take_from_hand,
    unit_zone_free,
)
from sim.compiled import compiled


# --- steps that ask -------------------------------------------------------------------------------
@compiled
def _step_discard(duel, t, options, f, x):  # type: ignore[no-untyped-def]
    """Discard so many, or as many as there are."""
    frame = duel.frame
    side = frame[f, E_SIDE]
    if duel.answered != 0:
        duel.answered = 0
        discard(duel, side, duel.slot)
        frame[f, E_LEFT] += 1
    while frame[f, E_LEFT] < t.amount[x] and duel.hand_size[side] > 0:
        options.n = 0
        list_discards(duel, options, side)
        if ask(duel, options, side, ASK_DISCARD):
            return True
        duel.answered = 0
        discard(duel, side, duel.slot)
        frame[f, E_LEFT] += 1
    frame[f, E_LEFT] = 0
    return False


@compiled
def _take_chosen(duel, side):  # type: ignore[no-untyped-def]
    """Remove the card of the choice just made from its zone; a searched deck is shuffled."""
    if duel.zone == ZONE_HAND:
        return take_from_hand(duel, side, duel.slot)
    if duel.zone == ZONE_DECK:
        card = take_from_deck(duel, side, duel.slot)
        shuffle_again(duel, side)
        return card
    return take_from_graveyard(duel, side, duel.slot)


@compiled
def _step_add(duel, t, options, f, x):  # type: ignore[no-untyped-def]
    side = duel.frame[f, E_SIDE]
    if duel.answered == 0:
        options.n = 0
        list_finds(duel, t, options, side, t.step_filter[x], t.from_zones[x])
        if options.n == 0:
            return False
        if ask(duel, options, side, ASK_TAKE):
            return True
    duel.answered = 0
    add_to_hand(duel, side, _take_chosen(duel, side))
    return False


@compiled
def _step_special_deploy(duel, t, options, f, x):  # type: ignore[no-untyped-def]
    frame = duel.frame
    side = frame[f, E_SIDE]
    if duel.answered == 0:
        options.n = 0
        if unit_zone_free(duel, t, side):
            list_arrivals(duel, t, options, side, t.step_filter[x], t.from_zones[x])
        if options.n == 0:
            return False
        if ask(duel, options, side, ASK_SPECIAL):
            return True
    duel.answered = 0
    u = place_unit(duel, t, side, _take_chosen(duel, side), FACE_DOWN)
    frame[f, E_ARRIVED] = u
    frame[f, E_ARRIVED_UID] = duel.unit_uid[side, u]
    return False


@compiled
def _step_choose(duel, t, options, f, x):  # type: ignore[no-untyped-def]
    """Choose a unit: the first fills the target, the next one the second place."""
    frame = duel.frame
    side = frame[f, E_SIDE]
    if duel.answered == 0:
        options.n = 0
        chosen = 0
        s, u = who_is(duel, 0, side, -1, f, f - 1)
        if u >= 0:
            chosen = atk(duel, t, s, u)
        list_units(
            duel,
            t,
            options,
            CHOOSE,
            frame[f, E_CARD],
            ZONE_NONE,
            -1,
            side,
            source_of(duel, f),
            t.step_filter[x],
            chosen,
        )
        if options.n == 0:
            return False
        if ask(duel, options, side, ASK_CHOOSE):
            return True
    duel.answered = 0
    if frame[f, E_TARGET_ZONE] == ZONE_NONE:
        set_target(duel, f)
    else:
        frame[f, E_SECOND_SIDE] = duel.target_side
        frame[f, E_SECOND] = duel.target
        frame[f, E_SECOND_UID] = duel.unit_uid[duel.target_side, duel.target]
    return False


@compiled
def _step_choose_position(duel, options, f):  # type: ignore[no-untyped-def]
    if duel.answered == 0:
        options.n = 0
        list_positions(options, duel.frame[f, E_CARD])
        if ask(duel, options, duel.frame[f, E_SIDE], ASK_CHOOSE):
            return True
    duel.answered = 0
    duel.frame[f, E_POSITION] = duel.target
    return False


# --- steps that act on units ----------------------------------------------------------------------
@compiled
def _change(duel, t, x, side, u):  # type: ignore[no-untyped-def]
    until = t.until[x]
    if until == UNTIL_TURN:
        duel.unit_turn_atk[side, u] += t.step_atk[x]
        duel.unit_turn_def[side, u] += t.step_def[x]
        duel.unit_atk[side, u] += t.step_atk[x]
        duel.unit_def[side, u] += t.step_def[x]
    elif until == UNTIL_COMBAT:
        duel.unit_combat_atk[side, u] += t.step_atk[x]
        duel.unit_combat_def[side, u] += t.step_def[x]
    else:
        duel.unit_combats_atk[side, u] += t.step_atk[x]
        duel.unit_combats_def[side, u] += t.step_def[x]


@compiled
def _change_all(duel, t, f, x):  # type: ignore[no-untyped-def]
    """Change every unit that passes now; a unit that comes later gets nothing."""
    own = duel.frame[f, E_SIDE]
    card = duel.frame[f, E_CARD]
    source = source_of(duel, f)
    for side in range(2):
        for i in range(duel.units[side]):
            u = duel.unit_at[side, i]
            if can_choose(duel, t, t.step_filter[x], card, own, source, 0, side, u):
                _change(duel, t, x, side, u)


@compiled
def destroy_unit(duel, t, side, u):  # type: ignore[no-untyped-def]
    """A unit is destroyed: it goes to the graveyard, and the loss is noted for what answers it."""
    note_loss(duel, side, duel.unit_card[side, u])
    bury_unit(duel, t, side, u)


@compiled
def _move(duel, t, f, x, side, u):  # type: ignore[no-untyped-def]
    """Put the unit into the position that step x names; whether it moved."""
    to = t.to[x]
    now = duel.unit_position[side, u]
    if to == MOVE_ATTACK:
        return put_into(duel, t, side, u, IN_ATTACK)
    if to == MOVE_DEFENCE:
        return put_into(duel, t, side, u, IN_DEFENCE)
    if to == MOVE_CHOSEN:
        return put_into(duel, t, side, u, duel.frame[f, E_POSITION])
    return put_into(duel, t, side, u, IN_DEFENCE if now == IN_ATTACK else IN_ATTACK)


@compiled
def _act_on_unit(duel, t, f, x):  # type: ignore[no-untyped-def]
    """Steps that do something to one unit, unless it is gone or immune."""
    frame = duel.frame
    own = frame[f, E_SIDE]
    do = t.do[x]
    side, u = who_is(duel, t.who[x], own, -1, f, f - 1)
    moved = False
    if u >= 0 and not immune(duel, t, frame[f, E_CARD], own, side, u):
        if do == DO_CHANGE:
            if t.if_moved[x] == 0 or frame[f, E_MOVED] != 0:
                _change(duel, t, x, side, u)
        elif do == DO_DESTROY:
            destroy_unit(duel, t, side, u)
        elif do == DO_SACRIFICE:
            bury_unit(duel, t, side, u)
        elif do == DO_MAY_DEFEND_AFTER_ATTACK:
            duel.unit_may_defend[side, u] += 1
        elif do == DO_MOVE:
            moved = _move(duel, t, f, x, side, u)
    if do == DO_MOVE:
        frame[f, E_MOVED] = 1 if moved else 0


@compiled
def _protected(duel, t, side, k):  # type: ignore[no-untyped-def]
    """Whether it is the side's first terrain of a faction that has a protector on the field."""
    card = duel.support_card[side, k]
    if t.tags[card] & TAG_TERRAIN == 0:
        return False
    for i in range(duel.supports[side]):
        other = duel.support_at[side, i]
        if other == k:
            break
        earlier = duel.support_card[side, other]
        if t.tags[earlier] & TAG_TERRAIN != 0 and t.faction[earlier] == t.faction[card]:
            return False
    for i in range(duel.units[side]):
        u = duel.unit_at[side, i]
        protector = duel.unit_card[side, u]
        if (
            t.grants[protector] & (1 << GRANT_PROTECTS_TERRAIN) != 0
            and duel.unit_position[side, u] != FACE_DOWN
            and t.faction[protector] == t.faction[card]
        ):
            return True
    return False


@compiled
def _destroy_support(duel, t, f):  # type: ignore[no-untyped-def]
    frame = duel.frame
    side = frame[f, E_TARGET_SIDE]
    k = frame[f, E_TARGET]
    if frame[f, E_TARGET_ZONE] != ZONE_SUPPORT or duel.support_card[side, k] < 0:
        return
    if side == frame[f, E_SIDE] or not _protected(duel, t, side, k):
        bury_support(duel, t, side, k)


@compiled
def _recover(duel, f):  # type: ignore[no-untyped-def]
    frame = duel.frame
    side = frame[f, E_TARGET_SIDE]
    # the pile may have changed since: what was targeted must still lie there
    place = frame[f, E_TARGET]
    if (
        frame[f, E_TARGET_ZONE] == ZONE_GRAVEYARD
        and place < duel.graveyard_size[side]
        and duel.graveyard[side, place] == frame[f, E_TARGET_UID]
    ):
        add_to_hand(duel, side, take_from_graveyard(duel, side, frame[f, E_TARGET]))


@compiled
def _draw(duel, t, side, n):  # type: ignore[no-untyped-def]
    for _ in range(n):
        if not draw(duel, side):
            if t.effect_draw_loses != 0:
                lose(duel, side, BY_DECK)
            return


@compiled
def _cancel_attack(duel, t, f):  # type: ignore[no-untyped-def]
    frame = duel.frame
    if attacker_stands(duel) and not immune(
        duel, t, frame[f, E_CARD], frame[f, E_SIDE], duel.active, duel.attacker
    ):
        duel.attack_cancelled = 1


@compiled
def _save(duel, side):  # type: ignore[no-untyped-def]
    """The unit of `side` that would be destroyed in the battle is not destroyed."""
    if side == duel.active:
        duel.attacker_doomed = 0
    else:
        duel.attacked_doomed = 0


@compiled
def run_step(duel, t, options, f, x):  # type: ignore[no-untyped-def]
    """Carry out step x; whether the duel must wait for a choice."""
    frame = duel.frame
    side = frame[f, E_SIDE]
    do = t.do[x]
    if do == DO_DISCARD:
        return _step_discard(duel, t, options, f, x)
    if do == DO_ADD:
        return _step_add(duel, t, options, f, x)
    if do == DO_SPECIAL_DEPLOY:
        return _step_special_deploy(duel, t, options, f, x)
    if do == DO_CHOOSE:
        return _step_choose(duel, t, options, f, x)
    if do == DO_CHOOSE_POSITION:
        return _step_choose_position(duel, options, f)
    if do == DO_DRAW:
        _draw(duel, t, side, t.amount[x])
    elif do == DO_GAIN_LP:
        duel.lp[side] += step_amount(duel, t, x, side, source_of(duel, f))
    elif do == DO_DAMAGE:
        lose_lp(duel, 1 - side, t.amount[x])
    elif do == DO_CHANGE_ALL:
        _change_all(duel, t, f, x)
    elif do == DO_DESTROY_SUPPORT:
        _destroy_support(duel, t, f)
    elif do == DO_RECOVER:
        _recover(duel, f)
    elif do == DO_CANCEL_ATTACK:
        _cancel_attack(duel, t, f)
    elif do == DO_CANCEL_EFFECT:
        frame[f - 2, E_CANCELLED] = 1
    elif do == DO_SAVE:
        _save(duel, frame[f - 1, W_UNIT_SIDE])
    else:
        _act_on_unit(duel, t, f, x)
    return False
