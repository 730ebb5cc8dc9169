"""Run a duel from one decision to the next.

`start` sets a duel up, `advance` runs the rules until somebody must choose and leaves the legal
options in the buffer, `choose` (in `options`) makes a choice. A duel is a pure function of the
decks, the rules, the seed and the choices.
"""

from __future__ import annotations

from sim.ancient_duel.battle import step_attack
from sim.ancient_duel.effects import step_effect
from sim.ancient_duel.record import (
    DRAW,
    FIELD,
    OP,
    OP_ATTACK,
    OP_EFFECT,
    OP_ROUND,
    OP_TRIGGER,
    OP_TURN,
    OP_WINDOW,
)
from sim.ancient_duel.stack import push
from sim.ancient_duel.turn import step_turn
from sim.ancient_duel.windows import step_round, step_trigger, step_window
from sim.ancient_duel.zones import draw, opening_shuffle
from sim.compiled import compiled
from sim.random_numbers import STREAM_FIRST, STREAMS, random_below


@compiled
def clear(duel, seed, pair):  # type: ignore[no-untyped-def]
    """An empty duel with its random numbers at the start. seed, pair: uint64."""
    duel.seed[0] = seed
    duel.pair[0] = pair
    for stream in range(STREAMS):
        duel.draws[stream] = 0
    duel.decisions = 0
    duel.over = 0
    duel.winner = -1
    duel.reason = 0
    duel.answered = 0
    duel.ask_always = 0
    duel.asked_side = 0
    duel.asked_kind = 0
    duel.deployments = 0
    duel.attacks = 0
    duel.direct_attacks = 0
    duel.effects = 0
    duel.attacking = 0
    duel.silenced = 0
    duel.losses = 0
    duel.uids = 0
    duel.stale = 1
    duel.depth = 0
    for side in range(2):
        duel.lost_unit[side] = 0
        duel.turn[side] = 0
        duel.energy[side] = 0
        duel.deck_size[side] = 0
        duel.hand_size[side] = 0
        duel.graveyard_size[side] = 0
        duel.units[side] = 0
        duel.supports[side] = 0
        for i in range(FIELD):
            duel.unit_card[side, i] = -1
            duel.unit_uid[side, i] = 0
            duel.support_card[side, i] = -1
    push(duel, OP_TURN, 0)


@compiled
def start(duel, t, deck_a, deck_b, seed, pair, second_of_pair):  # type: ignore[no-untyped-def]
    """Set up a duel: shuffle, draw, and who begins.

    deck_a, deck_b: card numbers, any order, int16. Both duels of a pair have the same shuffles; the
    second one (`second_of_pair` 1) is begun by the other side, unless the rules fix who begins.
    """
    clear(duel, seed, pair)
    for side in range(2):
        deck = deck_a if side == 0 else deck_b
        for i in range(deck.shape[0]):
            duel.deck[side, i] = deck[i]
        duel.deck_size[side] = deck.shape[0]
        duel.lp[side] = t.starting_lp
        opening_shuffle(duel, side)
        for _ in range(t.opening_hand):
            draw(duel, side)
    if t.first_player == 2:
        duel.first = (random_below(duel, STREAM_FIRST, 2) + second_of_pair) % 2
    else:
        duel.first = t.first_player
    duel.active = duel.first
    duel.phase = DRAW


@compiled
def advance(duel, t, options):  # type: ignore[no-untyped-def]
    """Run until a choice is waited for (True) or the duel is over (False)."""
    while duel.over == 0:
        op = duel.frame[duel.depth - 1, OP]
        if op == OP_TURN:
            if step_turn(duel, t, options):
                return True
        elif op == OP_EFFECT:
            if step_effect(duel, t, options):
                return True
        elif op == OP_WINDOW:
            if step_window(duel, t, options):
                return True
        elif op == OP_ROUND:
            step_round(duel, t)
        elif op == OP_TRIGGER:
            step_trigger(duel, t)
        elif op == OP_ATTACK and step_attack(duel, t, options):
            return True
    return False
