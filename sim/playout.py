"""Playing duels on from where they stand to their ends. It knows no game."""

from __future__ import annotations

from typing import Any

from numba import boolean, int64, types, void

from sim.batch import PARAMETERS, strategy_signature
from sim.compiled import entry


def playout_signature(duel: Any, tables: Any, options: Any) -> Any:
    """The Numba signature of `play_on` for a game's record types."""
    strategy = types.FunctionType(strategy_signature(duel, tables, options))
    return int64(
        types.Array(duel, 1, "C"),
        tables,
        options,
        types.FunctionType(boolean(duel, tables, options)),
        types.FunctionType(void(duel, options, int64)),
        strategy,
        strategy,
        PARAMETERS,
        PARAMETERS,
    )


def play_on(  # type: ignore[no-untyped-def]
    duels, tables, options, advance, choose, strategy_a, strategy_b, parameters_a, parameters_b
):
    """Play duels to their ends, one after another. duels: records, shape (n,).

    Returns how many were played: fewer than n where a strategy answered with no option's number;
    the record of the next one then stands at that decision.
    """
    for i in range(duels.shape[0]):
        duel = duels[i]
        while advance(duel, tables, options):
            pick = 0
            if options.n > 1:
                duel.decisions += 1
                if duel.asked_side == 0:
                    pick = strategy_a(duel, tables, options, parameters_a)
                else:
                    pick = strategy_b(duel, tables, options, parameters_b)
                if pick < 0 or pick >= options.n:
                    return i
            choose(duel, options, pick)
    return duels.shape[0]


def playout_loop(duel: Any, tables: Any, options: Any) -> Any:
    """`play_on` for a game's record types, compiled when `ready` is asked for it."""
    return entry(playout_signature(duel, tables, options))(play_on)
