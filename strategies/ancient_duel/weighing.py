"""Weighing: every legal option gets a worth in LP, the best one is played.

This is the body of the strategies `greedy`, `rush`, `fortress` and `tactician`, which differ in
their weights `w` (see `weights`). It plays every kind of decision: it deploys and sets, equips,
activates, uses abilities, attacks where the exchange is good (kamikaze wounds on a boss included),
answers in windows, and keeps energy for its set tactics when an attack is hardly worth it.
"""

from __future__ import annotations

from cards.ancient_duel.vocabulary import (
    DO_CANCEL_ATTACK,
    DO_CANCEL_EFFECT,
    DO_CHANGE,
    DO_CHOOSE,
    DO_MOVE,
    DO_SPECIAL_DEPLOY,
    IN_ATTACK,
    IS_DOCTRINE,
    IS_TACTIC,
    IS_UNIT,
    TAG_EQUIP,
    TAG_ONE_SHOT,
    WHEN_ACTIVATE,
    WHEN_DEPLOY,
    WHEN_NORMAL_DEPLOY,
    WHEN_RESPOND,
    WHEN_USE,
    WHO_ANSWERED,
    WHO_ARRIVED,
    WHO_ATTACKED,
    WHO_ATTACKER,
    WHO_FIGHTER,
    WHO_OPPONENT,
    WINDOW_COMBAT,
    WINDOW_DECLARED,
    WINDOW_WOULD_BE_DESTROYED,
    ZONE_NONE,
    ZONE_UNITS,
)
from sim.ancient_duel.conditions import (
    attacked_stands,
    attacker_stands,
    conditions_hold,
    immune,
    would_move,
)
from sim.ancient_duel.options import deploy_cost
from sim.ancient_duel.record import (
    ACTIVATE,
    ASK_BATTLE,
    ASK_CHOOSE,
    ASK_DISCARD,
    ASK_MAIN,
    ASK_MAY,
    ASK_SPECIAL,
    ASK_TAKE,
    ATTACK,
    DEPLOY,
    E_EFFECT,
    E_STEP,
    E_TARGET,
    E_TARGET_SIDE,
    E_TARGET_ZONE,
    GO_BATTLE,
    GO_MAIN2,
    MAIN1,
    MAIN2,
    NO,
    OP,
    OP_EFFECT,
    PASS,
    REPOSITION,
    SET,
    USE,
    W_WINDOW,
    ZONE_POSITION,
)
from sim.ancient_duel.stats import atk, defence, unit_passes
from sim.ancient_duel.strategy import strategy
from sim.compiled import compiled
from strategies.ancient_duel.exchanges import (
    WIN,
    attack_worth,
    card_worth,
    effect_worth,
    exchange,
    open_effect_worth,
    static_worth,
    unit_worth,
)
from strategies.ancient_duel.knowledge import (
    battle_ahead,
    best_attacker,
    is_hidden,
    set_tactics,
    stat_against,
    threat,
)
from strategies.ancient_duel.weights import as_weights


# --- main phases ----------------------------------------------------------------------------------
@compiled
def _new_unit_attack(duel, t, w, side, card, ready):  # type: ignore[no-untyped-def]
    """Best worth of an attack that a unit could make in the turn in which it is deployed."""
    enemy = 1 - side
    cost = t.energy[card] + deploy_cost(t, card)
    if not battle_ahead(duel) or cost > duel.energy[side]:
        return 0.0
    a = t.atk[card]
    if duel.units[enemy] == 0:
        return a * (0.9 if ready < a else 0.2)
    most = 0.0
    for i in range(duel.units[enemy]):
        v = duel.unit_at[enemy, i]
        d = stat_against(duel, t, side, enemy, v, w.hidden_defence)
        if a > d:
            worth = unit_worth(duel, t, w, side, enemy, v)
            if duel.unit_position[enemy, v] == IN_ATTACK:
                worth += a - d
            most = max(most, worth)
    return most


@compiled
def _deploy_worth(duel, t, w, side, card, face_up, danger, ready):  # type: ignore[no-untyped-def]
    """Worth of deploying (or setting) a unit now.

    danger: the highest enemy ATK; ready: the highest own ATK that can still attack.
    """
    worth = card_worth(t, w, card) + w.deploy
    late = not battle_ahead(duel) or ready == 0
    energy = w.deploy_energy_late if late else w.deploy_energy
    worth -= energy * deploy_cost(t, card)
    worth += w.tempo * t.level[card]
    if duel.units[side] == 0:
        worth += w.first_unit
    if face_up:
        worth += w.deploy_attack * _new_unit_attack(duel, t, w, side, card, ready)
        if t.effect_whens[card] & ((1 << WHEN_DEPLOY) | (1 << WHEN_NORMAL_DEPLOY)) != 0:
            worth += w.deploy_effect
        if t.atk[card] <= danger:
            worth -= w.danger_share * card_worth(t, w, card)
            worth -= w.danger * (danger - t.atk[card])
        return worth
    if t.def_[card] < danger:
        worth -= w.set_danger_share * card_worth(t, w, card)
    else:
        worth += w.set_safe
    return worth + w.set_unit


@compiled
def _activate_worth(duel, t, w, side, card, ts, tu):  # type: ignore[no-untyped-def]
    """Worth of activating a doctrine, its energy taken off."""
    energy = w.activate_energy if battle_ahead(duel) else w.activate_energy_late
    worth = -energy * t.activation_cost
    if t.tags[card] & TAG_EQUIP != 0:
        worth += static_worth(duel, t, w, side, card, tu)
        worth += w.equip_unit * unit_worth(duel, t, w, side, ts, tu)
        if duel.unit_position[ts, tu] == IN_ATTACK:
            worth += w.equip_attack
        return worth
    if t.tags[card] & TAG_ONE_SHOT == 0:
        return worth + static_worth(duel, t, w, side, card, -1) + w.stay
    for e in range(t.effect_from[card], t.effect_from[card + 1]):
        if t.when[e] == WHEN_ACTIVATE:
            worth += _activated_worth(duel, t, w, side, -1, e, ts, tu)
    return worth


@compiled
def _activated_worth(duel, t, w, side, source, e, ts, tu):  # type: ignore[no-untyped-def]
    """Worth of an effect with its target, or with the best choice where it does not target."""
    if tu >= 0 or t.target_zone[e] != ZONE_NONE:
        return effect_worth(duel, t, w, side, e, ts, tu, False)
    return open_effect_worth(duel, t, w, side, source, e)


@compiled
def _use_worth(duel, t, w, side, card, source, ts, tu):  # type: ignore[no-untyped-def]
    worth = 0.0
    for e in range(t.effect_from[card], t.effect_from[card + 1]):
        if t.when[e] == WHEN_USE:
            worth += _activated_worth(duel, t, w, side, source, e, ts, tu)
            if t.cost[e] > 0 and duel.hand_size[side] < 3:
                worth -= 2.0
    return worth


@compiled
def _best_attack(duel, t, w, side, u):  # type: ignore[no-untyped-def]
    """Best worth of an attack of unit u, as if it were in attack position already."""
    enemy = 1 - side
    if duel.units[enemy] == 0:
        return 1.0 * atk(duel, t, side, u) if duel.direct_attacks == 0 else 0.0
    most = -100.0
    for i in range(duel.units[enemy]):
        most = max(most, exchange(duel, t, w, side, side, u, duel.unit_at[enemy, i], 0, 0))
    return most


@compiled
def _reposition_worth(duel, t, w, side, u, danger):  # type: ignore[no-untyped-def]
    strength = atk(duel, t, side, u)
    if duel.unit_position[side, u] == IN_ATTACK:
        if battle_ahead(duel) and duel.phase == MAIN1:
            # Battle comes first; afterwards there is a second main phase
            return -1.0
        if strength >= danger:
            return -0.2 - w.keep_guard
        # in defence no LP are lost
        worth = w.defend + w.defend_danger * (danger - strength)
        if defence(duel, t, side, u) >= danger:
            worth += w.defend_safe
        return worth
    if not battle_ahead(duel):
        return -1.0
    energy = t.energy[duel.unit_card[side, u]]
    if energy > duel.energy[side]:
        return -0.5
    most = _best_attack(duel, t, w, side, u)
    if most > w.stand_up_from and (strength >= danger or most > 2.5):
        return w.stand_up * most
    return -0.5


@compiled
def _set_worth(duel, t, w, side, card):  # type: ignore[no-untyped-def]
    """Worth of setting a doctrine or tactic face-down."""
    if t.kind[card] == IS_TACTIC:
        return w.set_tactic + w.set_more * set_tactics(duel, t, side)
    # a doctrine waits in the hand, unless the hand would overflow
    if duel.phase == MAIN2 and duel.hand_size[side] > t.hand_limit:
        return 0.4
    return -1.0


@compiled
def _main_worth(duel, t, w, options, i, danger, ready):  # type: ignore[no-untyped-def]
    """Worth of option i of a main phase; going on is worth a little."""
    side = duel.active
    verb = options.verb[i]
    card = options.card[i]
    ts = options.target_side[i]
    tu = options.target[i] if options.target_zone[i] == ZONE_UNITS else -1
    if verb == DEPLOY:
        return _deploy_worth(duel, t, w, side, card, True, danger, ready)
    if verb == SET:
        if t.kind[card] == IS_UNIT:
            return _deploy_worth(duel, t, w, side, card, False, danger, ready)
        return _set_worth(duel, t, w, side, card)
    if verb == ACTIVATE:
        return _activate_worth(duel, t, w, side, card, ts, tu)
    if verb == USE:
        source = options.slot[i] if options.zone[i] == ZONE_UNITS else -1
        return _use_worth(duel, t, w, side, card, source, ts, tu)
    if verb == REPOSITION:
        return _reposition_worth(duel, t, w, side, options.slot[i], danger)
    if verb == GO_BATTLE:
        return w.go_on
    return 0.5 * w.go_on


@compiled
def _battle_worth(duel, t, w, options, i):  # type: ignore[no-untyped-def]
    """Worth of option i of the Battle phase."""
    verb = options.verb[i]
    if verb == GO_MAIN2:
        return w.peace
    if verb != ATTACK:
        return 0.0
    side = duel.active
    v = options.target[i] if options.target_zone[i] == ZONE_UNITS else -1
    u = options.slot[i]
    worth = attack_worth(duel, t, w, side, u, v) * w.attack
    left = duel.energy[side] - t.energy[duel.unit_card[side, u]]
    short = set_tactics(duel, t, side) * t.activation_cost - left
    if short > 0 and worth < WIN / 2:
        worth -= w.keep_energy * min(short, 2)
    return worth


# --- windows --------------------------------------------------------------------------------------
@compiled
def _attack_change(duel, t, side, x):  # type: ignore[no-untyped-def]
    """What step x does to the attacker's and to the target's number in the comparison."""
    if t.do[x] != DO_CHANGE:
        return 0, 0
    who = t.who[x]
    attacks = who == WHO_ATTACKER
    if who == WHO_FIGHTER:
        attacks = side == duel.active
    elif who == WHO_OPPONENT:
        attacks = side != duel.active
    elif who != WHO_ATTACKER and who != WHO_ATTACKED:
        return 0, 0
    if attacks:
        return t.step_atk[x], 0
    return 0, t.step_atk[x]


@compiled
def _answer_worth(duel, t, w, side, card, e):  # type: ignore[no-untyped-def]
    """Worth to `side` of answering the attack in progress with effect e of a tactic."""
    u = duel.attacker
    v = duel.attacked
    if not attacker_stands(duel) or (v >= 0 and not attacked_stands(duel)):
        return 0.0  # an answer before this one has taken one of the two: nobody fights any more
    sign = 1.0 if side == duel.active else -1.0
    before = sign * exchange(duel, t, w, side, duel.active, u, v, 0, 0)
    attack_change = 0
    target_change = 0
    cancelled = False
    more = 0.0
    for x in range(t.step_from[e], t.step_from[e + 1]):
        if t.do[x] == DO_CANCEL_ATTACK:
            cancelled = cancelled or not immune(duel, t, card, side, duel.active, u)
        elif t.do[x] == DO_SPECIAL_DEPLOY:
            more += 0.6 * w.arrival
        elif t.do[x] == DO_CHOOSE:
            more += 1.2
        elif t.do[x] == DO_MOVE and t.who[x] == WHO_ATTACKED:
            if v >= 0 and would_move(duel, 1 - duel.active, v, t.to[x]):
                d = defence(duel, t, 1 - duel.active, v)
                target_change += d - atk(duel, t, 1 - duel.active, v)
        else:
            da, dd = _attack_change(duel, t, side, x)
            attack_change += da
            target_change += dd
    if cancelled:
        return more - before
    after = sign * exchange(duel, t, w, side, duel.active, u, v, attack_change, target_change)
    return more + after - before


@compiled
def _response_worth(duel, t, w, options, i, f):  # type: ignore[no-untyped-def]
    """Worth of option i of window frame f; to pass is worth nothing."""
    if options.verb[i] == PASS:
        return 0.0
    side = duel.asked_side
    card = options.card[i]
    window = duel.frame[f, W_WINDOW]
    ts = options.target_side[i]
    tu = options.target[i] if options.target_zone[i] == ZONE_UNITS else -1
    for e in range(t.effect_from[card], t.effect_from[card + 1]):
        if t.when[e] != WHEN_RESPOND or t.window[e] != window:
            continue
        if window == WINDOW_DECLARED or window == WINDOW_COMBAT:
            return _answer_worth(duel, t, w, side, card, e) + w.response
        if window == WINDOW_WOULD_BE_DESTROYED:
            return 2.0
        worth = _activated_worth(duel, t, w, side, -1, e, ts, tu)
        for x in range(t.step_from[e], t.step_from[e + 1]):
            if t.do[x] == DO_CANCEL_EFFECT:
                worth += w.cancel
            elif t.do[x] == DO_MOVE and t.who[x] == WHO_ARRIVED:
                # a unit that must stand in attack on our turn can be fought for LP
                worth += 1.2 if side == duel.active else 0.0
            elif t.who[x] == WHO_ANSWERED:
                worth += w.relief
        return worth + w.response
    return 0.0


# --- choices inside an effect ---------------------------------------------------------------------
@compiled
def _hand_worth(duel, t, w, side, card):  # type: ignore[no-untyped-def]
    """What a doctrine is worth in the hand: what it would do now, and half of what it is worth.

    One whose conditions do not hold may have to wait for long.
    """
    worth = 0.5 * card_worth(t, w, card)
    if t.tags[card] & TAG_EQUIP != 0:
        for i in range(duel.units[side]):
            u = duel.unit_at[side, i]
            if unit_passes(duel, t, t.equip_filter[card], side, -1, side, u):
                return 2.0 * worth
        return worth
    if t.tags[card] & TAG_ONE_SHOT == 0:
        return worth + 0.5 * static_worth(duel, t, w, side, card, -1)
    for e in range(t.effect_from[card], t.effect_from[card + 1]):
        if t.when[e] == WHEN_ACTIVATE and conditions_hold(duel, t, e, side, -1, -1):
            return 2.0 * worth
    return worth


@compiled
def _keep_worth(duel, t, w, side, card):  # type: ignore[no-untyped-def]
    """What a card in the hand is worth keeping for."""
    worth = card_worth(t, w, card)
    if t.kind[card] == IS_DOCTRINE:
        worth = _hand_worth(duel, t, w, side, card)
    same = 0
    units = 0
    for i in range(duel.hand_size[side]):
        if duel.hand[side, i] == card:
            same += 1
        if t.kind[duel.hand[side, i]] == IS_UNIT:
            units += 1
    if same > 1:
        worth -= 0.8
    if t.kind[card] == IS_UNIT:
        if units == 1:
            worth += 2.0
        elif units > 3:
            worth -= 0.6
    return worth


@compiled
def _choice_worth(duel, t, w, options, i):  # type: ignore[no-untyped-def]
    """Worth of choosing a unit, a set card or a position for the effect on top of the stack."""
    side = duel.asked_side
    f = duel.depth - 1
    if duel.frame[f, OP] != OP_EFFECT:
        return 0.0
    zone = options.target_zone[i]
    ts = options.target_side[i]
    tu = options.target[i]
    if zone == ZONE_POSITION:
        if duel.frame[f, E_TARGET_ZONE] != ZONE_UNITS:
            return 0.0
        s = duel.frame[f, E_TARGET_SIDE]
        u = duel.frame[f, E_TARGET]
        if is_hidden(duel, side, s, u):
            return 0.0
        a = atk(duel, t, s, u)
        d = defence(duel, t, s, u)
        better = float(a - d) if tu == IN_ATTACK else float(d - a)
        if s == side:
            if battle_ahead(duel) and duel.unit_attacked[s, u] == 0:
                return 5.0 if tu == IN_ATTACK else 0.0
            return better
        return -better
    if zone != ZONE_UNITS:
        return 0.0
    e = duel.frame[f, E_EFFECT]
    second = duel.frame[f, E_TARGET_ZONE] != 0 and t.do[duel.frame[f, E_STEP]] == DO_CHOOSE
    worth = effect_worth(duel, t, w, side, e, ts, tu, second)
    return worth + 0.001 * unit_worth(duel, t, w, side, ts, tu)


@compiled
def _may_worth(duel, t, w, options, i):  # type: ignore[no-untyped-def]
    """Worth of yes or no."""
    if options.verb[i] == NO:
        return 0.0
    side = duel.asked_side
    f = duel.depth - 1
    if duel.frame[f, OP] == OP_EFFECT:
        return effect_worth(duel, t, w, side, duel.frame[f, E_EFFECT], -1, -1, False)
    u = duel.attacker
    return threat(duel, t, side) - atk(duel, t, side, u) + 0.1


@compiled
def _other_worth(duel, t, w, options, i):  # type: ignore[no-untyped-def]
    """Worth in LP of option i of any decision but a main phase's."""
    kind = duel.asked_kind
    if kind == ASK_BATTLE:
        return _battle_worth(duel, t, w, options, i)
    if kind == ASK_MAY:
        return _may_worth(duel, t, w, options, i)
    if kind == ASK_DISCARD:
        return -_keep_worth(duel, t, w, duel.asked_side, options.card[i])
    if kind == ASK_TAKE:
        return _keep_worth(duel, t, w, duel.asked_side, options.card[i])
    if kind == ASK_SPECIAL:
        return card_worth(t, w, options.card[i]) + 0.5 * t.def_[options.card[i]]
    if kind == ASK_CHOOSE:
        return _choice_worth(duel, t, w, options, i)
    return _response_worth(duel, t, w, options, i, duel.depth - 1)


@compiled
def option_worth(duel, t, w, options, i, danger, ready):  # type: ignore[no-untyped-def]
    """Worth in LP of option i of any decision; `danger` and `ready` as `outlook` gives them."""
    if duel.asked_kind == ASK_MAIN:
        return _main_worth(duel, t, w, options, i, danger, ready)
    return _other_worth(duel, t, w, options, i)


@compiled
def outlook(duel, t):  # type: ignore[no-untyped-def]
    """(danger, ready) of a main phase: the highest enemy ATK, the highest own one yet to attack."""
    if duel.asked_kind != ASK_MAIN:
        return 0, 0
    return threat(duel, t, duel.active), best_attacker(duel, t, duel.active, -1)


@compiled
def best_option(duel, t, options, w):  # type: ignore[no-untyped-def]
    """The option of the highest worth; the first of equals."""
    danger, ready = outlook(duel, t)
    best = 0
    most = -1.0e9
    for i in range(options.n):
        worth = option_worth(duel, t, w, options, i, danger, ready)
        if worth > most:
            most = worth
            best = i
    return best


@strategy
def choose(duel, tables, options, parameters):  # type: ignore[no-untyped-def]
    """The option of the highest worth."""
    return best_option(duel, tables, options, as_weights(parameters))
