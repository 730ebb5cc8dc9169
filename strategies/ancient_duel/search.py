"""`search`: look-ahead on copies of the duel, with what cannot be seen dealt out at random.

For each decision the most promising options (by the weights of `tactician`) are tried on copies of
the duel. In every round the hidden cards are dealt out anew, the same deal for all options (common
random numbers); each option is played, then both sides go on as `tactician` up to a horizon, where
the position is judged. Half-way the weaker half of the options is dropped (sequential halving:
Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013).
"""

from __future__ import annotations

import math

import numpy as np

from cards.ancient_duel.vocabulary import ZONE_DECK
from sim.ancient_duel.engine import advance
from sim.ancient_duel.options import choose as make_choice
from sim.ancient_duel.scratch import scratch_duel, scratch_options
from sim.ancient_duel.strategy import strategy_with_arrays
from sim.batch import MAX_PARAMETERS
from sim.compiled import compiled
from sim.random_numbers import STREAM_CHOICE_A, STREAMS, random_below
from strategies.ancient_duel.determinise import POOL, deal, place_in_deck
from strategies.ancient_duel.exchanges import card_worth, unit_worth
from strategies.ancient_duel.tactician import PARAMETERS as WEIGHTS
from strategies.ancient_duel.tactician import tactical_option
from strategies.ancient_duel.weighing import option_worth, outlook
from strategies.ancient_duel.weights import as_weights

#: budget: look-aheads for a decision; horizon: turns that one lasts (the present one counts);
#: width: options that are tried; trust: how much of an option's worth by the weights counts beside
#: the look-ahead, in win probability for each LP.
PARAMETERS = {"budget": 60.0, "horizon": 3.0, "width": 6.0, "trust": 0.01}
LIMITS = {"budget": (1.0, 10_000.0), "horizon": (1.0, 100.0), "width": (2.0, 16.0)}
_BUDGET, _HORIZON, _WIDTH, _TRUST = range(4)

_WEIGHTS = np.zeros(MAX_PARAMETERS)
_WEIGHTS[: len(WEIGHTS)] = list(WEIGHTS.values())
_MAX_WIDTH = 16


@compiled
def judge(duel, t, w, side):  # type: ignore[no-untyped-def]
    """Estimated probability that `side` wins, from LP, units and cards: a logistic curve."""
    if duel.over != 0:
        return 1.0 if duel.winner == side else 0.0
    lead = 0.0
    for s in range(2):
        sign = 1.0 if s == side else -1.0
        lead += sign * 0.9 * duel.lp[s]
        for i in range(duel.units[s]):
            lead += sign * unit_worth(duel, t, w, s, s, duel.unit_at[s, i])
        for i in range(duel.hand_size[s]):
            lead += sign * 0.5 * card_worth(t, w, duel.hand[s, i])
        for i in range(duel.supports[s]):
            card = duel.support_card[s, duel.support_at[s, i]]
            lead += sign * 0.7 * card_worth(t, w, card)
    return 1.0 / (1.0 + math.exp(-lead / 6.0))


@compiled
def _look_ahead(duel, t, w, options, side, last_turn):  # type: ignore[no-untyped-def]
    """Play on until the turns are over; the side's estimated probability to win."""
    while advance(duel, t, options):
        if duel.turn[0] + duel.turn[1] > last_turn:
            break
        pick = 0
        if options.n > 1:
            pick = tactical_option(duel, t, options, w)
        make_choice(duel, options, pick)
    return judge(duel, t, w, side)


@compiled
def _shortlist(duel, t, w, options, width, picks, worths):  # type: ignore[no-untyped-def]
    """The `width` best options by the weights, best first; how many there are."""
    danger, ready = outlook(duel, t)
    n = 0
    for i in range(options.n):
        worth = option_worth(duel, t, w, options, i, danger, ready)
        place = n
        while place > 0 and worths[place - 1] < worth:
            place -= 1
        if place >= width:
            continue
        last = min(n, width - 1)
        for j in range(last, place, -1):
            worths[j] = worths[j - 1]
            picks[j] = picks[j - 1]
        worths[place] = worth
        picks[place] = i
        n = min(n + 1, width)
    return n


@compiled
def _drop_half(picks, totals, n):  # type: ignore[no-untyped-def]
    """Put the better half of the options first; how many stay."""
    for i in range(n):
        best = i
        for j in range(i + 1, n):
            if totals[j] > totals[best]:
                best = j
        total = totals[i]
        totals[i] = totals[best]
        totals[best] = total
        pick = picks[i]
        picks[i] = picks[best]
        picks[best] = pick
    return (n + 1) // 2


@strategy_with_arrays
def choose(duel, tables, options, parameters):  # type: ignore[no-untyped-def]
    """The option with the best look-aheads."""
    w = as_weights(_WEIGHTS)
    picks = np.zeros(_MAX_WIDTH, np.int64)
    totals = np.zeros(_MAX_WIDTH)
    width = min(max(int(parameters[_WIDTH]), 2), _MAX_WIDTH)
    n = _shortlist(duel, tables, w, options, width, picks, totals)
    # one look-ahead alone says little: it starts from what the weights say
    rounds = max(1, int(parameters[_BUDGET]) // n)
    best = totals[0]
    for i in range(n):
        totals[i] = parameters[_TRUST] * max(totals[i] - best, -10.0) * rounds
    side = duel.asked_side
    last_turn = duel.turn[0] + duel.turn[1] + int(parameters[_HORIZON]) - 1
    dealt = scratch_duel()
    copy = scratch_duel()
    buffer = scratch_options()
    pool = np.zeros(POOL, np.int16)
    left = int(parameters[_BUDGET])
    halved = 0
    while left >= n and n > 1:
        dealt[0] = duel
        # a seed of its own: the real duel's shuffles to come are hidden, too
        dealt[0].seed[0] = np.uint64(random_below(duel, STREAM_CHOICE_A + side, 1 << 30))
        for stream in range(STREAMS):
            dealt[0].draws[stream] = 0
        deal(dealt[0], tables, side, pool)
        for i in range(n):
            copy[0] = dealt[0]
            make_choice(copy[0], options, picks[i])
            if copy[0].zone == ZONE_DECK:
                copy[0].slot = place_in_deck(copy[0], side, copy[0].card)
            totals[i] += _look_ahead(copy[0], tables, w, buffer[0], side, last_turn)
        left -= n
        if halved < 2 and n > 2 and left < parameters[_BUDGET] * (0.5 - 0.25 * halved):
            n = _drop_half(picks, totals, n)
            halved += 1
    best_pick = 0
    for i in range(1, n):
        if totals[i] > totals[best_pick]:
            best_pick = i
    return picks[best_pick]
