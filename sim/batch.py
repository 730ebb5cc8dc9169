"""The batch loop: many duels of two strategies, one after another. It knows no game.

A game is four function pointers (start, advance, choose, report) over its own record types; a
strategy is one more, and an observer of what happens is two. One compiled loop serves every pair of
strategies of a game.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import boolean, float64, int32, int64, types, uint64, void

from sim.compiled import entry

#: Columns of a result row, int32: who began (0 a, 1 b), who won, how it ended (0 LP, 1 empty deck),
#: own turns begun by each side, LP of each side at the end, decisions among two or more options.
ROW_COLUMNS: Final = (
    "first",
    "winner",
    "by_deck",
    "turns_a",
    "turns_b",
    "lp_a",
    "lp_b",
    "decisions",
)
ROW_WIDTH: Final = len(ROW_COLUMNS)

PARAMETERS: Any = float64[::1]
#: Numbers in a strategy's parameter array.
MAX_PARAMETERS: Final = 96
BOOK: Any = int64[:, :, ::1]


def strategy_signature(duel: Any, tables: Any, options: Any) -> Any:
    """The Numba signature of a strategy: (duel, tables, options, parameters) -> option number."""
    return int64(duel, tables, options, PARAMETERS)


def batch_signature(duel: Any, tables: Any, options: Any) -> Any:
    """The Numba signature of the batch loop for a game's record types."""
    deck = types.Array(types.int16, 1, "C")
    strategy = types.FunctionType(strategy_signature(duel, tables, options))
    return int64(
        duel,
        tables,
        options,
        deck,
        deck,
        uint64,
        int64,
        int64,
        types.FunctionType(void(duel, tables, deck, deck, uint64, uint64, int64)),
        types.FunctionType(boolean(duel, tables, options)),
        types.FunctionType(void(duel, options, int64)),
        types.FunctionType(void(duel, int32[::1])),
        strategy,
        strategy,
        PARAMETERS,
        PARAMETERS,
        int64,
        types.FunctionType(void(duel, tables, options, int64, BOOK)),
        types.FunctionType(void(duel, tables, deck, deck, BOOK)),
        BOOK,
        int32[:, ::1],
    )


def play_duels(  # type: ignore[no-untyped-def]
    duel,
    tables,
    options,
    deck_a,
    deck_b,
    seed,
    first_duel,
    paired,
    start,
    advance,
    choose,
    report,
    strategy_a,
    strategy_b,
    parameters_a,
    parameters_b,
    ask_always,
    watch,
    close,
    book,
    rows,
):
    """Play duels number first_duel, first_duel + 1, … into `rows`, shape (duels, ROW_WIDTH).

    Duels 2p and 2p + 1 are a pair where `paired` is 1: the same shuffles, the other side begins.
    An observer is told of every decision (`watch`) and of the end of every duel (`close`), and
    writes into `book`; with `ask_always` 1 decisions with a single option are put to it, too.

    Returns how many were played: fewer than asked for where a strategy answered with no option's
    number; the duel record then stands at that decision.
    """
    for i in range(rows.shape[0]):
        number = first_duel + i
        pair = number // 2 if paired == 1 else number
        second = number % 2 if paired == 1 else 0
        start(duel, tables, deck_a, deck_b, seed, np.uint64(pair), second)
        duel.ask_always = ask_always
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
            watch(duel, tables, options, pick, book)
            choose(duel, options, pick)
        close(duel, tables, deck_a, deck_b, book)
        report(duel, rows[i])
    return rows.shape[0]


def batch_loop(duel: Any, tables: Any, options: Any) -> Any:
    """The batch loop of a game, compiled for its record types when `ready` is asked for it."""
    return entry(batch_signature(duel, tables, options))(play_duels)
