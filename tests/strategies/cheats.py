"""Strategies that break the contract, one part each, and two that keep it."""

from __future__ import annotations

import random
from typing import Any

from sim.ancient_duel.record import ASK_TAKE
from sim.ancient_duel.strategy import strategy
from sim.random_numbers import STREAM_SHUFFLE_A


@strategy
def last_option(duel, tables, options, parameters):  # type: ignore[no-untyped-def]
    return options.n - 1


@strategy
def enemy_hand(duel, tables, options, parameters):  # type: ignore[no-untyped-def]
    return duel.hand[1 - duel.asked_side, 0] % options.n


@strategy
def enemy_set_cards(duel, tables, options, parameters):  # type: ignore[no-untyped-def]
    enemy = 1 - duel.asked_side
    for i in range(duel.supports[enemy]):
        k = duel.support_at[enemy, i]
        if duel.support_up[enemy, k] == 0:
            return duel.support_card[enemy, k] % options.n
    return 0


@strategy
def own_next_card(duel, tables, options, parameters):  # type: ignore[no-untyped-def]
    side = duel.asked_side
    return abs(duel.deck[side, duel.deck_size[side] - 1]) % options.n


@strategy
def place_in_deck(duel, tables, options, parameters):  # type: ignore[no-untyped-def]
    return 0 if duel.asked_kind != ASK_TAKE else options.slot[0] % options.n


@strategy
def coming_shuffle(duel, tables, options, parameters):  # type: ignore[no-untyped-def]
    return int(duel.draws[STREAM_SHUFFLE_A + duel.asked_side]) % options.n


@strategy
def last_choice(duel, tables, options, parameters):  # type: ignore[no-untyped-def]
    return abs(duel.card) % options.n


@strategy
def rewriter(duel, tables, options, parameters):  # type: ignore[no-untyped-def]
    duel.lp[duel.asked_side] += 1
    return 0


@strategy
def raiser(duel, tables, options, parameters):  # type: ignore[no-untyped-def]
    if duel.decisions > 5:
        raise ValueError("lost the plot")
    return 0


@strategy
def beyond(duel, tables, options, parameters):  # type: ignore[no-untyped-def]
    return options.n


def plain_fair(view: Any) -> Any:
    return view.random.choice(view.options)


def plain_moody(view: Any) -> Any:
    return random.choice(view.options)


def plain_raiser(view: Any) -> Any:
    return view.options[0] if view.decision < 4 else 1 / 0


def plain_nonsense(view: Any) -> Any:
    return view.options[0].text


def plain_keeper(view: Any, kept: list[Any] = []) -> Any:  # noqa: B006
    kept.append(view)
    return kept[0].options[0]
