"""Which choices are legal (rulebook, sections 4, 5 and 7). Carrying them out is elsewhere."""

from __future__ import annotations

from cards.ancient_duel.vocabulary import (
    FACE_DOWN,
    GRANT_NO_DIRECT_AFTER_LOSS,
    GRANT_ONE_ATTACK,
    GRANT_SHIELD,
    IN_ATTACK,
    IN_DEFENCE,
    IS_DOCTRINE,
    IS_TACTIC,
    IS_UNIT,
    TAG_ONE_SHOT,
    WHEN_ACTIVATE,
    WHEN_RESPOND,
    WHEN_USE,
    ZONE_DECK,
    ZONE_GRAVEYARD,
    ZONE_HAND,
    ZONE_NONE,
    ZONE_SUPPORT,
    ZONE_UNITS,
)
from sim.ancient_duel.conditions import (
    can_choose,
    can_do,
    can_pay_with,
    support_passes,
    zone_card_passes,
)
from sim.ancient_duel.record import (
    ACTIVATE,
    ASK_BATTLE,
    ASK_MAIN,
    ATTACK,
    BATTLE,
    CHOOSE,
    DEPLOY,
    DISCARD,
    GO_BATTLE,
    GO_END,
    GO_MAIN2,
    MAIN1,
    MAX_OPTIONS,
    MOST_EFFECTS,
    REPOSITION,
    RESPOND,
    SET,
    SPECIAL,
    TAKE,
    USE,
    W_WINDOW,
    ZONE_POSITION,
)
from sim.ancient_duel.zones import support_zone_free, unit_zone_free
from sim.compiled import compiled


@compiled
def add(options, verb, card, zone, slot, target_zone, target_side, target):  # type: ignore[no-untyped-def]
    """Append one option."""
    n = options.n
    if n < MAX_OPTIONS:
        options.verb[n] = verb
        options.card[n] = card
        options.zone[n] = zone
        options.slot[n] = slot
        options.target_zone[n] = target_zone
        options.target_side[n] = target_side
        options.target[n] = target
        options.n = n + 1


@compiled
def add_word(options, verb):  # type: ignore[no-untyped-def]
    """Append an option that is a word alone."""
    add(options, verb, -1, ZONE_NONE, -1, ZONE_NONE, -1, -1)


@compiled
def choose(duel, options, i):  # type: ignore[no-untyped-def]
    """Make choice number i: it is carried out when the duel advances."""
    duel.answered = 1
    duel.verb = options.verb[i]
    duel.card = options.card[i]
    duel.zone = options.zone[i]
    duel.slot = options.slot[i]
    duel.target_zone = options.target_zone[i]
    duel.target_side = options.target_side[i]
    duel.target = options.target[i]


@compiled
def ask(duel, options, side, kind):  # type: ignore[no-untyped-def]
    """Put the options to a side; whether the duel must wait.

    A single mandatory option is taken at once, except in a main phase and in Battle, or where the
    duel is told to ask always (a script may repeat such a choice, a log shows it).
    """
    if options.n == 1 and kind != ASK_MAIN and kind != ASK_BATTLE and duel.ask_always == 0:
        choose(duel, options, 0)
        return False
    duel.asked_side = side
    duel.asked_kind = kind
    return True


# --- lists of units and cards ---------------------------------------------------------------------
@compiled
def list_units(duel, t, options, verb, card, zone, slot, own, source, filt, chosen_atk):  # type: ignore[no-untyped-def]
    """One option for every unit that `card` may target or choose."""
    for side in range(2):
        for i in range(duel.units[side]):
            u = duel.unit_at[side, i]
            if can_choose(duel, t, filt, card, own, source, chosen_atk, side, u):
                add(options, verb, card, zone, slot, ZONE_UNITS, side, u)


@compiled
def list_targets(duel, t, options, verb, card, zone, slot, own, source, e):  # type: ignore[no-untyped-def]
    """One option for every legal target of effect e."""
    filt = t.target_filter[e]
    if t.target_zone[e] == ZONE_UNITS:
        list_units(duel, t, options, verb, card, zone, slot, own, source, filt, 0)
    elif t.target_zone[e] == ZONE_SUPPORT:
        for side in range(2):
            for i in range(duel.supports[side]):
                k = duel.support_at[side, i]
                if support_passes(duel, t, filt, own, side, k):
                    add(options, verb, card, zone, slot, ZONE_SUPPORT, side, k)
    else:
        for i in range(duel.graveyard_size[own]):
            target = duel.graveyard[own, i]
            if _is_first(duel.graveyard, own, i) and zone_card_passes(t, filt, target):
                add(options, verb, card, zone, slot, ZONE_GRAVEYARD, own, i)


@compiled
def _is_first(pile, side, place):  # type: ignore[no-untyped-def]
    """Whether no earlier card of the pile is the same: identical cards are one choice."""
    for i in range(place):  # noqa: SIM110 - compiled code has no any()
        if pile[side, i] == pile[side, place]:
            return False
    return True


@compiled
def _is_next(duel, side, place):  # type: ignore[no-untyped-def]
    """The same for the deck, whose first card is the one drawn next."""
    for i in range(place + 1, duel.deck_size[side]):
        if duel.deck[side, i] == duel.deck[side, place]:
            return False
    return True


@compiled
def _order_by_card(options, first):  # type: ignore[no-untyped-def]
    """Sort the cards of a deck that were listed from place `first` on by their numbers.

    In deck order they would tell a strategy what it is going to draw.
    """
    for i in range(first + 1, options.n):
        card = options.card[i]
        slot = options.slot[i]
        j = i
        while j > first and options.card[j - 1] > card:
            options.card[j] = options.card[j - 1]
            options.slot[j] = options.slot[j - 1]
            j -= 1
        options.card[j] = card
        options.slot[j] = slot


@compiled
def list_cards(duel, t, options, verb, side, filt, zones):  # type: ignore[no-untyped-def]
    """One option for every different card that passes, in the zones of a mask of 1 << ZONE_…."""
    if zones & (1 << ZONE_HAND) != 0:
        for i in range(duel.hand_size[side]):
            card = duel.hand[side, i]
            if zone_card_passes(t, filt, card) and _is_first(duel.hand, side, i):
                add(options, verb, card, ZONE_HAND, i, ZONE_NONE, -1, -1)
    if zones & (1 << ZONE_DECK) != 0:
        first = options.n
        for i in range(duel.deck_size[side] - 1, -1, -1):
            card = duel.deck[side, i]
            if zone_card_passes(t, filt, card) and _is_next(duel, side, i):
                add(options, verb, card, ZONE_DECK, i, ZONE_NONE, -1, -1)
        _order_by_card(options, first)
    if zones & (1 << ZONE_GRAVEYARD) != 0:
        for i in range(duel.graveyard_size[side]):
            card = duel.graveyard[side, i]
            if zone_card_passes(t, filt, card) and _is_first(duel.graveyard, side, i):
                add(options, verb, card, ZONE_GRAVEYARD, i, ZONE_NONE, -1, -1)


@compiled
def list_discards(duel, options, side):  # type: ignore[no-untyped-def]
    """Every different card of the hand."""
    for i in range(duel.hand_size[side]):
        if _is_first(duel.hand, side, i):
            add(options, DISCARD, duel.hand[side, i], ZONE_HAND, i, ZONE_NONE, -1, -1)


@compiled
def list_payments(duel, t, options, e, card, side, source, w):  # type: ignore[no-untyped-def]
    """Every different card of the hand whose discard leaves effect e something to do."""
    for i in range(duel.hand_size[side]):
        if _is_first(duel.hand, side, i) and can_pay_with(duel, t, e, card, side, source, w, i):
            add(options, DISCARD, duel.hand[side, i], ZONE_HAND, i, ZONE_NONE, -1, -1)


@compiled
def list_positions(options, card):  # type: ignore[no-untyped-def]
    """Attack or defence."""
    add(options, CHOOSE, card, ZONE_NONE, -1, ZONE_POSITION, -1, IN_ATTACK)
    add(options, CHOOSE, card, ZONE_NONE, -1, ZONE_POSITION, -1, IN_DEFENCE)


# --- main phases (section 4) ----------------------------------------------------------------------
@compiled
def deploy_cost(t, card):  # type: ignore[no-untyped-def]
    """Energy to deploy or set a unit: nothing up to the free level."""
    return 0 if t.level[card] <= t.free_level else t.energy[card]


@compiled
def _list_activation(duel, t, options, card, zone, slot, hand_place):  # type: ignore[no-untyped-def]
    side = duel.active
    if duel.energy[side] < t.activation_cost or duel.effects >= MOST_EFFECTS:
        return
    # a card that stays needs a place; one that lies face-down on the field has it
    if (
        zone == ZONE_HAND
        and t.tags[card] & TAG_ONE_SHOT == 0
        and not support_zone_free(duel, t, side)
    ):
        return
    for e in range(t.effect_from[card], t.effect_from[card + 1]):
        if t.when[e] == WHEN_ACTIVATE:
            if can_do(duel, t, e, card, side, -1, -1, hand_place):
                if t.target_zone[e] != ZONE_NONE:
                    list_targets(duel, t, options, ACTIVATE, card, zone, slot, side, -1, e)
                else:
                    add(options, ACTIVATE, card, zone, slot, ZONE_NONE, -1, -1)
            return
    add(options, ACTIVATE, card, zone, slot, ZONE_NONE, -1, -1)


@compiled
def _list_hand(duel, t, options):  # type: ignore[no-untyped-def]
    side = duel.active
    may_deploy = duel.deployments < t.deployments_per_turn and unit_zone_free(duel, t, side)
    may_set = support_zone_free(duel, t, side)
    for i in range(duel.hand_size[side]):
        if not _is_first(duel.hand, side, i):
            continue
        card = duel.hand[side, i]
        if t.kind[card] == IS_UNIT:
            if may_deploy and deploy_cost(t, card) <= duel.energy[side]:
                add(options, DEPLOY, card, ZONE_HAND, i, ZONE_NONE, -1, -1)
                add(options, SET, card, ZONE_HAND, i, ZONE_NONE, -1, -1)
            continue
        if t.kind[card] == IS_DOCTRINE:
            _list_activation(duel, t, options, card, ZONE_HAND, i, i)
        if may_set:
            add(options, SET, card, ZONE_HAND, i, ZONE_NONE, -1, -1)


@compiled
def _is_offered(options, verb, card):  # type: ignore[no-untyped-def]
    """Whether a copy of the card is among the options already: identical copies are one choice."""
    for i in range(options.n):  # noqa: SIM110
        if options.verb[i] == verb and options.card[i] == card:
            return True
    return False


@compiled
def _list_use(duel, t, options, card, zone, slot, source):  # type: ignore[no-untyped-def]
    side = duel.active
    if duel.effects >= MOST_EFFECTS:
        return
    for e in range(t.effect_from[card], t.effect_from[card + 1]):
        if t.when[e] == WHEN_USE and can_do(duel, t, e, card, side, source, -1, -1):
            if t.target_zone[e] != ZONE_NONE:
                list_targets(duel, t, options, USE, card, zone, slot, side, source, e)
            else:
                add(options, USE, card, zone, slot, ZONE_NONE, -1, -1)


@compiled
def _list_field(duel, t, options):  # type: ignore[no-untyped-def]
    side = duel.active
    for i in range(duel.units[side]):
        u = duel.unit_at[side, i]
        card = duel.unit_card[side, u]
        if (
            duel.unit_used[side, u] == 0
            and duel.unit_position[side, u] != FACE_DOWN
            and t.effect_whens[card] & (1 << WHEN_USE) != 0
        ):
            _list_use(duel, t, options, card, ZONE_UNITS, u, u)
        if (
            t.reposition != 0
            and duel.unit_came[side, u] == 0
            and duel.unit_attacked[side, u] == 0
            and duel.unit_repositioned[side, u] == 0
        ):
            add(options, REPOSITION, card, ZONE_UNITS, u, ZONE_NONE, -1, -1)
    for i in range(duel.supports[side]):
        k = duel.support_at[side, i]
        card = duel.support_card[side, k]
        if t.kind[card] != IS_DOCTRINE:
            continue
        if duel.support_up[side, k] == 0:
            # the copy in hand goes first, where it can be activated
            if not _is_offered(options, ACTIVATE, card):
                _list_activation(duel, t, options, card, ZONE_SUPPORT, k, -1)
        elif duel.support_used[side, k] == 0 and t.effect_whens[card] & (1 << WHEN_USE) != 0:
            _list_use(duel, t, options, card, ZONE_SUPPORT, k, -1)


@compiled
def list_main(duel, t, options):  # type: ignore[no-untyped-def]
    """All choices of a main phase."""
    options.n = 0
    _list_hand(duel, t, options)
    _list_field(duel, t, options)
    if duel.phase == MAIN1 and duel.turn[0] + duel.turn[1] > 1:
        add_word(options, GO_BATTLE)
    add_word(options, GO_END)


# --- Battle (section 5) ---------------------------------------------------------------------------
@compiled
def has_grant(duel, t, side, grant):  # type: ignore[no-untyped-def]
    """Whether a face-up support card of the side grants this."""
    for i in range(duel.supports[side]):
        k = duel.support_at[side, i]
        if duel.support_up[side, k] != 0 and t.grants[duel.support_card[side, k]] & (1 << grant):
            return True
    return False


@compiled
def _shields(duel, t, side, u):  # type: ignore[no-untyped-def]
    return (
        duel.unit_position[side, u] == IN_DEFENCE
        and t.grants[duel.unit_card[side, u]] & (1 << GRANT_SHIELD) != 0
    )


@compiled
def list_battle(duel, t, options):  # type: ignore[no-untyped-def]
    """All choices of the Battle phase."""
    options.n = 0
    side = duel.active
    enemy = 1 - side
    limited = duel.attacks >= MOST_EFFECTS or (
        duel.attacks > 0 and has_grant(duel, t, enemy, GRANT_ONE_ATTACK)
    )
    direct = (
        duel.units[enemy] == 0
        and duel.direct_attacks < t.direct_attacks_per_turn
        and not (
            duel.lost_unit[enemy] != 0 and has_grant(duel, t, enemy, GRANT_NO_DIRECT_AFTER_LOSS)
        )
    )
    shielded = False
    for i in range(duel.units[enemy]):
        if _shields(duel, t, enemy, duel.unit_at[enemy, i]):
            shielded = True
    if not limited and (direct or duel.units[enemy] > 0):
        for i in range(duel.units[side]):
            u = duel.unit_at[side, i]
            card = duel.unit_card[side, u]
            if (
                duel.unit_position[side, u] != IN_ATTACK
                or duel.unit_attacked[side, u] != 0
                or t.energy[card] > duel.energy[side]
            ):
                continue
            if direct:
                add(options, ATTACK, card, ZONE_UNITS, u, ZONE_NONE, -1, -1)
            for j in range(duel.units[enemy]):
                v = duel.unit_at[enemy, j]
                if not shielded or _shields(duel, t, enemy, v):
                    add(options, ATTACK, card, ZONE_UNITS, u, ZONE_UNITS, enemy, v)
    add_word(options, GO_MAIN2)
    add_word(options, GO_END)


@compiled
def list_phase(duel, t, options):  # type: ignore[no-untyped-def]
    """The choices of the phase that the duel is in, and the kind of decision that it is."""
    if duel.phase == BATTLE:
        list_battle(duel, t, options)
        return ASK_BATTLE
    list_main(duel, t, options)
    return ASK_MAIN


# --- windows (section 7) --------------------------------------------------------------------------
@compiled
def list_responses(duel, t, options, side, w):  # type: ignore[no-untyped-def]
    """The set tactics of a side that may answer in window frame w."""
    if duel.energy[side] < t.activation_cost or duel.effects >= MOST_EFFECTS:
        return
    window = duel.frame[w, W_WINDOW]
    for i in range(duel.supports[side]):
        k = duel.support_at[side, i]
        card = duel.support_card[side, k]
        if duel.support_up[side, k] != 0 or t.kind[card] != IS_TACTIC:
            continue
        if t.set_cards_wait != 0 and duel.support_came[side, k] != 0:
            continue
        for e in range(t.effect_from[card], t.effect_from[card + 1]):
            if t.when[e] != WHEN_RESPOND or t.window[e] != window:
                continue
            if _answered_before(duel, t, side, i) or not can_do(duel, t, e, card, side, -1, w, -1):
                continue
            if t.target_zone[e] != ZONE_NONE:
                list_targets(duel, t, options, RESPOND, card, ZONE_SUPPORT, k, side, -1, e)
            else:
                add(options, RESPOND, card, ZONE_SUPPORT, k, ZONE_NONE, -1, -1)


@compiled
def _answered_before(duel, t, side, place):  # type: ignore[no-untyped-def]
    """Whether an earlier copy of the tactic may answer as well: it is the one that leaves."""
    card = duel.support_card[side, duel.support_at[side, place]]
    for i in range(place):
        k = duel.support_at[side, i]
        if (
            duel.support_up[side, k] == 0
            and duel.support_card[side, k] == card
            and (t.set_cards_wait == 0 or duel.support_came[side, k] == 0)
        ):
            return True
    return False


@compiled
def list_finds(duel, t, options, side, filt, zones):  # type: ignore[no-untyped-def]
    """Cards to add to the hand."""
    list_cards(duel, t, options, TAKE, side, filt, zones)


@compiled
def list_arrivals(duel, t, options, side, filt, zones):  # type: ignore[no-untyped-def]
    """Units to special-deploy."""
    list_cards(duel, t, options, SPECIAL, side, filt, zones)
