"""When a card may do something: its conditions, its targets, and whether it would do anything
(rulebook, section 7).

`side` is the card's side, `source` its unit slot or -1. `w` is the frame of the window or trigger
that the effect answers, `f` the effect's own frame, or -1 before it has one.
"""

from __future__ import annotations

from cards.ancient_duel.vocabulary import (
    BY_ABILITY,
    BY_DOCTRINE,
    BY_DOCTRINE_ABILITY,
    BY_TACTIC,
    DO_ADD,
    DO_CANCEL_ATTACK,
    DO_CANCEL_EFFECT,
    DO_CHANGE,
    DO_CHANGE_ALL,
    DO_CHOOSE,
    DO_DAMAGE,
    DO_DESTROY,
    DO_DRAW,
    DO_GAIN_LP,
    DO_MOVE,
    DO_SAVE,
    DO_SPECIAL_DEPLOY,
    FACE_DOWN,
    IF_ANSWERS,
    IF_ATTACKED,
    IF_ATTACKING,
    IF_BATTLES,
    IF_DESTROYED_ENEMY,
    IF_DOOMED,
    IF_FACE_UP,
    IF_LOST,
    IF_LOST_IN_BATTLE,
    IF_SPECIAL_DEPLOYED,
    IF_SURVIVED,
    IF_TARGET_IS,
    IN_ATTACK,
    IN_DEFENCE,
    IS_DOCTRINE,
    IS_TACTIC,
    MOVE_ATTACK,
    MOVE_DEFENCE,
    NO_LIMIT,
    SELECT_HAS_WEAKER_ENEMY,
    SELECT_WEAKER_THAN_CHOSEN,
    SELECT_WEAKER_THAN_SOURCE,
    WHEN_ACTIVATE,
    WHO_ANSWERED,
    WHO_ARRIVED,
    WHO_ATTACKED,
    WHO_ATTACKER,
    WHO_DOOMED,
    WHO_FIGHTER,
    WHO_OPPONENT,
    WHO_SECOND,
    WHO_SELF,
    WHO_TARGET,
    ZONE_DECK,
    ZONE_GRAVEYARD,
    ZONE_HAND,
    ZONE_SUPPORT,
    ZONE_UNITS,
)
from sim.ancient_duel.record import (
    E_CANCELLED,
    E_CARD,
    E_EFFECT,
    E_SECOND,
    E_SECOND_SIDE,
    E_SECOND_UID,
    E_SLOT,
    E_TARGET,
    E_TARGET_SIDE,
    E_TARGET_UID,
    E_TARGET_ZONE,
    E_UID,
    E_ZONE,
    W_IN_BATTLE,
    W_LOSS_FROM,
    W_LOSS_TO,
    W_SPECIAL,
    W_UNIT,
    W_UNIT_SIDE,
    W_UNIT_UID,
)
from sim.ancient_duel.stats import (
    atk,
    battle_stat,
    board_holds,
    card_passes,
    count_units,
    refresh,
    unit_passes,
)
from sim.ancient_duel.zones import unit_is, unit_zone_free
from sim.compiled import compiled

NOBODY = -1


@compiled
def attacker_stands(duel):  # type: ignore[no-untyped-def]
    """Whether an attack is in progress and its attacker is still on the field."""
    return duel.attacking != 0 and unit_is(duel, duel.active, duel.attacker, duel.attacker_uid)


@compiled
def attacked_stands(duel):  # type: ignore[no-untyped-def]
    """Whether the attack in progress has a unit as its target that is still on the field."""
    return duel.attacking != 0 and unit_is(duel, 1 - duel.active, duel.attacked, duel.attacked_uid)


@compiled
def immune(duel, t, card, by_side, side, u):  # type: ignore[no-untyped-def]
    """Whether unit u of `side` shrugs off `card` of `by_side`: immune to an enemy tactic."""
    if t.kind[card] != IS_TACTIC or side == by_side:
        return False
    refresh(duel, t)
    return duel.unit_immune[side, u] != 0


@compiled
def effect_kind(t, e, card):  # type: ignore[no-untyped-def]
    """Which of the BY_… kinds effect e of `card` is (an equip's activation has no effect: -1)."""
    if t.kind[card] == IS_TACTIC:
        return BY_TACTIC
    if t.kind[card] == IS_DOCTRINE:
        return BY_DOCTRINE if t.when[e] == WHEN_ACTIVATE else BY_DOCTRINE_ABILITY
    return BY_ABILITY


# --- whom a step acts on --------------------------------------------------------------------------
@compiled
def who_is(duel, who, side, source, f, w):  # type: ignore[no-untyped-def]
    """(side, slot) of the unit that a step acts on; slot NOBODY where there is none (any more)."""
    frame = duel.frame
    if who == WHO_TARGET:
        if f >= 0 and frame[f, E_TARGET_ZONE] == ZONE_UNITS:
            s = frame[f, E_TARGET_SIDE]
            if unit_is(duel, s, frame[f, E_TARGET], frame[f, E_TARGET_UID]):
                return s, frame[f, E_TARGET]
    elif who == WHO_SECOND:
        if f >= 0:
            s = frame[f, E_SECOND_SIDE]
            if unit_is(duel, s, frame[f, E_SECOND], frame[f, E_SECOND_UID]):
                return s, frame[f, E_SECOND]
    elif who == WHO_SELF:
        if f >= 0:
            if frame[f, E_ZONE] == ZONE_UNITS and unit_is(
                duel, side, frame[f, E_SLOT], frame[f, E_UID]
            ):
                return side, frame[f, E_SLOT]
        elif source >= 0:
            return side, source
    elif who in (WHO_ATTACKER, WHO_ATTACKED, WHO_FIGHTER, WHO_OPPONENT):
        attacks = who == WHO_ATTACKER
        if who == WHO_FIGHTER:
            attacks = side == duel.active
        elif who == WHO_OPPONENT:
            attacks = side != duel.active
        if attacks:
            if attacker_stands(duel):
                return duel.active, duel.attacker
        elif attacked_stands(duel):
            return 1 - duel.active, duel.attacked
    elif who == WHO_ANSWERED:
        if w > 0 and frame[w - 1, E_TARGET_ZONE] == ZONE_UNITS:
            s = frame[w - 1, E_TARGET_SIDE]
            if unit_is(duel, s, frame[w - 1, E_TARGET], frame[w - 1, E_TARGET_UID]):
                return s, frame[w - 1, E_TARGET]
    elif who in (WHO_DOOMED, WHO_ARRIVED) and w >= 0:
        s = frame[w, W_UNIT_SIDE]
        if unit_is(duel, s, frame[w, W_UNIT], frame[w, W_UNIT_UID]):
            return s, frame[w, W_UNIT]
    return side, -1


# --- conditions -----------------------------------------------------------------------------------
@compiled
def _attack_condition(duel, t, kind, f, side, source):  # type: ignore[no-untyped-def]
    attacks = side == duel.active
    if kind == IF_ATTACKING:
        return (
            attacks
            and attacker_stands(duel)
            and unit_passes(duel, t, f, side, source, side, duel.attacker)
        )
    if kind == IF_ATTACKED and attacks:
        return False
    if not attacked_stands(duel):
        return False
    if attacks:
        return attacker_stands(duel) and unit_passes(duel, t, f, side, source, side, duel.attacker)
    return unit_passes(duel, t, f, side, source, side, duel.attacked)


@compiled
def _was_lost(duel, t, f, side, w):  # type: ignore[no-untyped-def]
    for i in range(duel.frame[w, W_LOSS_FROM], duel.frame[w, W_LOSS_TO]):
        if duel.loss_side[i] == side and card_passes(t, f, duel.loss_card[i]):
            return True
    return False


@compiled
def _battle_result(duel, t, kind, f, side, source):  # type: ignore[no-untyped-def]
    attacks = side == duel.active
    if duel.attacked < 0:
        return False
    if kind == IF_DESTROYED_ENEMY:
        if attacks:
            return duel.attacked_fell != 0 and card_passes(t, f, duel.attacker_card)
        return duel.attacker_fell != 0 and card_passes(t, f, duel.attacked_card)
    return (
        not attacks
        and attacker_stands(duel)
        and attacked_stands(duel)
        and unit_passes(duel, t, f, side, source, side, duel.attacked)
    )


@compiled
def condition_holds(duel, t, c, side, source, w):  # type: ignore[no-untyped-def]
    """Whether condition c holds for a card of `side` that answers frame w."""
    kind = t.condition[c]
    f = t.condition_filter[c]
    if kind <= IF_FACE_UP:
        return board_holds(duel, t, c, side, source)
    if kind in (IF_ATTACKED, IF_ATTACKING, IF_BATTLES):
        return _attack_condition(duel, t, kind, f, side, source)
    if w < 0:
        return False
    if kind == IF_LOST:
        return _was_lost(duel, t, f, side, w)
    if kind == IF_LOST_IN_BATTLE:
        return duel.frame[w, W_IN_BATTLE] != 0 and _was_lost(duel, t, f, side, w)
    if kind in (IF_DESTROYED_ENEMY, IF_SURVIVED):
        return duel.frame[w, W_IN_BATTLE] != 0 and _battle_result(duel, t, kind, f, side, source)
    if kind == IF_ANSWERS:
        e = duel.frame[w - 1, E_EFFECT]
        return effect_kind(t, e, duel.frame[w - 1, E_CARD]) & t.condition_kinds[c] != 0
    who = WHO_ARRIVED
    if kind == IF_TARGET_IS:
        who = WHO_ANSWERED
    elif kind == IF_DOOMED:
        who = WHO_DOOMED
    s, u = who_is(duel, who, side, source, -1, w)
    if u < 0 or not unit_passes(duel, t, f, side, source, s, u):
        return False
    return kind != IF_SPECIAL_DEPLOYED or duel.frame[w, W_SPECIAL] != 0


@compiled
def conditions_hold(duel, t, e, side, source, w):  # type: ignore[no-untyped-def]
    """Whether all conditions of effect e hold."""
    for c in range(t.effect_if_from[e], t.effect_if_from[e + 1]):
        if not condition_holds(duel, t, c, side, source, w):
            return False
    return True


@compiled
def step_conditions_hold(duel, t, x, side, source, w):  # type: ignore[no-untyped-def]
    """Whether all conditions of step x hold."""
    for c in range(t.step_if_from[x], t.step_if_from[x + 1]):
        if not condition_holds(duel, t, c, side, source, w):
            return False
    return True


# --- choosing units -------------------------------------------------------------------------------
@compiled
def can_choose(duel, t, filt, card, own, source, chosen_atk, side, u):  # type: ignore[no-untyped-def]
    """Whether `card` of side `own` may target or choose unit u of `side`.

    `chosen_atk`: current ATK of the unit chosen first, for filters that compare with it.
    """
    if not unit_passes(duel, t, filt, own, source, side, u):
        return False
    if t.filter_atk_below[filt] < NO_LIMIT and atk(duel, t, side, u) >= t.filter_atk_below[filt]:
        return False
    flags = t.filter_flags[filt]
    if flags & SELECT_WEAKER_THAN_SOURCE != 0 and (
        source < 0 or battle_stat(duel, t, side, u) >= atk(duel, t, own, source)
    ):
        return False
    if flags & SELECT_WEAKER_THAN_CHOSEN != 0 and atk(duel, t, side, u) >= chosen_atk:
        return False
    if flags & SELECT_HAS_WEAKER_ENEMY != 0:
        mine = atk(duel, t, side, u)
        found = False
        for i in range(duel.units[1 - own]):
            v = duel.unit_at[1 - own, i]
            if (
                duel.unit_position[1 - own, v] != FACE_DOWN
                and atk(duel, t, 1 - own, v) < mine
                and not immune(duel, t, card, own, 1 - own, v)
            ):
                found = True
        if not found:
            return False
    return not immune(duel, t, card, own, side, u)


@compiled
def unit_choice_exists(duel, t, filt, card, own, source, chosen_atk):  # type: ignore[no-untyped-def]
    """Whether any unit can be chosen."""
    for side in range(2):
        for i in range(duel.units[side]):
            u = duel.unit_at[side, i]
            if can_choose(duel, t, filt, card, own, source, chosen_atk, side, u):
                return True
    return False


@compiled
def support_passes(duel, t, filt, own, side, k):  # type: ignore[no-untyped-def]
    """Whether the support card in slot k of `side` passes a filter."""
    reach = t.filter_side[filt]
    if reach != 2 and (side == own) != (reach == 0):
        return False
    position = IN_ATTACK | IN_DEFENCE if duel.support_up[side, k] != 0 else FACE_DOWN
    if position & t.filter_positions[filt] == 0:
        return False
    return card_passes(t, filt, duel.support_card[side, k])


@compiled
def zone_card_passes(t, filt, card):  # type: ignore[no-untyped-def]
    """Whether a card in a hand, deck or graveyard passes a filter, printed ATK included."""
    if not card_passes(t, filt, card):
        return False
    return t.filter_atk_below[filt] >= NO_LIMIT or t.atk[card] < t.filter_atk_below[filt]


@compiled
def target_exists(duel, t, e, card, side, source):  # type: ignore[no-untyped-def]
    """Whether effect e has a legal target."""
    filt = t.target_filter[e]
    zone = t.target_zone[e]
    if zone == ZONE_UNITS:
        return unit_choice_exists(duel, t, filt, card, side, source, 0)
    if zone == ZONE_SUPPORT:
        for s in range(2):
            for i in range(duel.supports[s]):
                if support_passes(duel, t, filt, side, s, duel.support_at[s, i]):
                    return True
        return False
    for i in range(duel.graveyard_size[side]):
        if zone_card_passes(t, filt, duel.graveyard[side, i]):
            return True
    return False


# --- would it do anything? ------------------------------------------------------------------------
@compiled
def found_in(duel, t, filt, side, zones, without, plus):  # type: ignore[no-untyped-def]
    """Whether a card that passes lies in one of the zones (mask of 1 << ZONE_…).

    `without`: a place in the hand that does not count, `plus`: a card that counts as lying in the
    graveyard already (a discard that is being weighed); -1 for neither.
    """
    if zones & (1 << ZONE_DECK) != 0:
        for i in range(duel.deck_size[side]):
            if zone_card_passes(t, filt, duel.deck[side, i]):
                return True
    if zones & (1 << ZONE_HAND) != 0:
        for i in range(duel.hand_size[side]):
            if i != without and zone_card_passes(t, filt, duel.hand[side, i]):
                return True
    if zones & (1 << ZONE_GRAVEYARD) != 0:
        if plus >= 0 and zone_card_passes(t, filt, plus):
            return True
        for i in range(duel.graveyard_size[side]):
            if zone_card_passes(t, filt, duel.graveyard[side, i]):
                return True
    return False


@compiled
def step_amount(duel, t, x, side, source):  # type: ignore[no-untyped-def]
    """Amount of step x: fixed, or so much for each unit that it counts, up to its limit."""
    f = t.per_filter[x]
    if f < 0:
        return t.amount[x]
    return min(t.amount[x] * count_units(duel, t, f, side, source), t.at_most[x])


@compiled
def would_move(duel, side, u, to):  # type: ignore[no-untyped-def]
    """Whether `move` to a position would move the unit."""
    position = duel.unit_position[side, u]
    if to == MOVE_ATTACK:
        return position != IN_ATTACK
    if to == MOVE_DEFENCE:
        return position == IN_ATTACK
    return position != FACE_DOWN


@compiled
def _can_step(duel, t, x, card, side, source, w, without, plus):  # type: ignore[no-untyped-def]
    """Whether step x would do something, before anything is chosen."""
    do = t.do[x]
    if do == DO_DRAW:
        return duel.deck_size[side] > 0
    if do == DO_GAIN_LP:
        return step_amount(duel, t, x, side, source) > 0
    if do == DO_DAMAGE:
        return True
    if do == DO_ADD:
        return found_in(duel, t, t.step_filter[x], side, t.from_zones[x], without, plus)
    if do == DO_SPECIAL_DEPLOY:
        return unit_zone_free(duel, t, side) and found_in(
            duel, t, t.step_filter[x], side, t.from_zones[x], without, plus
        )
    if do in (DO_CHOOSE, DO_CHANGE_ALL):
        return unit_choice_exists(duel, t, t.step_filter[x], card, side, source, 0)
    if do == DO_CANCEL_ATTACK:
        return (
            duel.attack_cancelled == 0
            and attacker_stands(duel)
            and not immune(duel, t, card, side, duel.active, duel.attacker)
        )
    if do == DO_CANCEL_EFFECT:
        return w > 0 and duel.frame[w - 1, E_CANCELLED] == 0
    if do == DO_SAVE:
        return True
    if do in (DO_CHANGE, DO_DESTROY, DO_MOVE):
        s, u = who_is(duel, t.who[x], side, source, -1, w)
        if u < 0 or immune(duel, t, card, side, s, u):
            return False
        return do != DO_MOVE or would_move(duel, s, u, t.to[x])
    return False


@compiled
def something_to_do(duel, t, e, card, side, source, w, without, plus):  # type: ignore[no-untyped-def]
    """Whether effect e, whose conditions hold, can do at least one thing."""
    if t.target_zone[e] != 0:
        return target_exists(duel, t, e, card, side, source)
    for x in range(t.step_from[e], t.step_from[e + 1]):
        if _can_step(duel, t, x, card, side, source, w, without, plus) and step_conditions_hold(
            duel, t, x, side, source, w
        ):
            return True
    return False


@compiled
def can_pay_with(duel, t, e, card, side, source, w, place):  # type: ignore[no-untyped-def]
    """Whether discarding the card at a place in the hand leaves effect e something to do."""
    plus = duel.hand[side, place]
    return something_to_do(duel, t, e, card, side, source, w, place, plus)


@compiled
def can_do(duel, t, e, card, side, source, w, hand_place):  # type: ignore[no-untyped-def]
    """Whether effect e can be used: conditions, cost, and something to do.

    `hand_place`: where the card itself lies in the hand, or -1.
    """
    if not conditions_hold(duel, t, e, side, source, w):
        return False
    if t.cost[e] == 0:
        return something_to_do(duel, t, e, card, side, source, w, -1, -1)
    payable = 0
    for i in range(duel.hand_size[side]):
        if i != hand_place and can_pay_with(duel, t, e, card, side, source, w, i):
            payable += 1
    return payable >= t.cost[e]
