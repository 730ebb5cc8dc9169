"""The engine's entry points: what Python calls, and what the batch loop gets as pointers.

Each checks nothing and calls the compiled rules. Compile or load one with `sim.compiled.ready`.
"""

from __future__ import annotations

from typing import Any

import numba
from numba import boolean, int16, int32, int64, uint64, void

from cards.ancient_duel.tables import TABLES_DTYPE
from sim.ancient_duel import engine, options, stats
from sim.ancient_duel.record import BY_DECK, DUEL_DTYPE, OPTIONS_DTYPE
from sim.compiled import entry

DUEL: Any = numba.from_dtype(DUEL_DTYPE)
TABLES: Any = numba.from_dtype(TABLES_DTYPE)
OPTIONS: Any = numba.from_dtype(OPTIONS_DTYPE)

_DECK: Any = int16[::1]


@entry(void(DUEL, uint64, uint64))
def clear(duel, seed, pair):  # type: ignore[no-untyped-def]
    """Empty a duel record; see `engine.clear`."""
    engine.clear(duel, seed, pair)


@entry(void(DUEL, TABLES, _DECK, _DECK, uint64, uint64, int64))
def start(duel, tables, deck_a, deck_b, seed, pair, second_of_pair):  # type: ignore[no-untyped-def]
    """Set up a duel; see `engine.start`."""
    engine.start(duel, tables, deck_a, deck_b, seed, pair, second_of_pair)


@entry(boolean(DUEL, TABLES, OPTIONS))
def advance(duel, tables, buffer):  # type: ignore[no-untyped-def]
    """Run until a choice is waited for (True) or the duel is over (False)."""
    return engine.advance(duel, tables, buffer)


@entry(void(DUEL, OPTIONS, int64))
def choose(duel, buffer, i):  # type: ignore[no-untyped-def]
    """Make choice number i of the buffer."""
    options.choose(duel, buffer, i)


@entry(void(DUEL, TABLES))
def refresh(duel, tables):  # type: ignore[no-untyped-def]
    """Bring effective stats up to date, so that they can be read."""
    stats.refresh(duel, tables)


@entry(void(DUEL, int32[::1]))
def report(duel, row):  # type: ignore[no-untyped-def]
    """Write a finished duel into its row; the columns are `sim.batch.ROW_COLUMNS`."""
    row[0] = duel.first
    row[1] = duel.winner
    row[2] = 1 if duel.reason == BY_DECK else 0
    row[3] = duel.turn[0]
    row[4] = duel.turn[1]
    row[5] = duel.lp[0]
    row[6] = duel.lp[1]
    row[7] = duel.decisions
