"""How duels run: LP by turn, leads, energy by what it was spent on; an observer beside the engine.

Its book is an int64 array of planes, shape (planes, TURNS, BINS). The first SUMS planes are sums
over duels, in which shards add up; then comes scratch of the duel that is played, and then
a row for every duel, BINS columns wide, of which the first ones are `DUEL_COLUMNS`.

Turns of both sides are counted together, from 0 here; what comes after turn TURNS is left out of
the sums by turn. LP and leads beyond the bins are counted in the outermost ones.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numba import int16, int64, void

from cards.ancient_duel.vocabulary import IS_UNIT
from sim.ancient_duel.play import DUEL, OPTIONS, TABLES
from sim.ancient_duel.record import ACTIVATE, ATTACK, DEPLOY, DRAW, GO_END, RESPOND, SET
from sim.ancient_duel.turn import energy_maximum
from sim.batch import BOOK
from sim.compiled import compiled, entry

TURNS: Final = 80
BINS: Final = 61
#: The lead of side a, or LP, that bin 0 stands for.
LEAST_LEAD: Final = -30
LEAST_LP: Final = 0

#: What a side's energy of a turn becomes: spent in its own turn on attacks, deployments and sets
#: of units, activations, tactics; spent on tactics in the enemy's turn; kept at the end of its own
#: turn (what the enemy's turn leaves of it is lost at the refill); lost there; and all there was.
ENERGY_KINDS: Final = (
    "attack",
    "deploy",
    "activate",
    "tactic_own",
    "tactic_enemy",
    "kept",
    "lost",
    "refill",
)
_ATTACK, _DEPLOY, _ACTIVATE, _OWN, _ENEMY, _KEPT, _LOST, _REFILL = range(8)
#: In the planes of energy: how many turns were begun, after the kinds.
BEGUN: Final = len(ENERGY_KINDS)

#: What a row says of each side, a's columns first: energy by kind; units that came to the field and
#: that left it (destroyed, sacrificed or taken back); by how many LP the side was behind at most at
#: the end of a turn; the last turn, counted from 1, at whose end it was not ahead, 0 if none.
SIDE_COLUMNS: Final = (*ENERGY_KINDS, "arrived", "left", "behind", "not_ahead")
DUEL_COLUMNS: Final = tuple(f"{name}_{side}" for side in "ab" for name in SIDE_COLUMNS)
_WIDTH: Final = len(SIDE_COLUMNS)
_ARRIVED, _LEFT, _BEHIND, _NOT_AHEAD = range(len(ENERGY_KINDS), _WIDTH)

# --- planes ---------------------------------------------------------------------------------------
#: By who began and side: how many duels had so many LP at the end of a turn. Plane LP + 2 first +
#: side, row turn, column LP.
LP: Final = 0
#: By who began and who won: how many duels that went on had such a lead of side a at the end of a
#: turn. Plane LEADS + 2 first + winner, row turn, column lead.
LEADS: Final = 4
#: By side: energy by own turn (row) and kind (column), then the same squared.
ENERGY: Final = 8
SQUARES: Final = 10
SUMS: Final = 12
_LEAD_NOW: Final = 12  # row turn, column 0: the lead of side a at its end, from LEAST_LEAD
_ENERGY_NOW: Final = 13  # and the next: energy of this duel by side, own turn and kind
_NOTES: Final = 15  # row 0: the duels that are over, turn ends of this duel, uids that were seen
_ROWS: Final = 16

_OVER, _ENDS, _SEEN = range(3)
_DECK: Any = int16[::1]


def new_book(duels: int) -> npt.NDArray[np.int64]:
    """An empty book for so many duels."""
    return np.zeros((_ROWS - -duels // TURNS, TURNS, BINS), dtype=np.int64)


def rows_of(book: npt.NDArray[np.int64], duels: int) -> npt.NDArray[np.int64]:
    """The rows of duels, shape (duels, len(DUEL_COLUMNS))."""
    rows = book[_ROWS:].reshape(-1, BINS)
    return rows[:duels, : len(DUEL_COLUMNS)]


@compiled
def _place(duel, book):  # type: ignore[no-untyped-def]
    """The plane and the row of the duel that is played."""
    over = book[_NOTES, 0, _OVER]
    return _ROWS + over // TURNS, over % TURNS


@compiled
def _spend(duel, book, side, kind, amount):  # type: ignore[no-untyped-def]
    """Note energy of a side's newest own turn."""
    turn = duel.turn[side] - 1
    if turn < 0:
        return
    plane, row = _place(duel, book)
    book[plane, row, side * _WIDTH + kind] += amount
    if turn < TURNS:
        book[_ENERGY_NOW + side, turn, kind] += amount


@compiled
def _see_units(duel, book):  # type: ignore[no-untyped-def]
    """Count the units that have come to the field since the last look."""
    seen = book[_NOTES, 0, _SEEN]
    if duel.uids == seen:
        return
    plane, row = _place(duel, book)
    for side in range(2):
        for i in range(duel.units[side]):
            if duel.unit_uid[side, duel.unit_at[side, i]] > seen:
                book[plane, row, side * _WIDTH + _ARRIVED] += 1
    book[_NOTES, 0, _SEEN] = duel.uids


@compiled
def _end_turn(duel, book):  # type: ignore[no-untyped-def]
    """Note the LP at the end of a turn, and what is left of both sides' energy."""
    _spend(duel, book, duel.active, _KEPT, duel.energy[duel.active])
    _spend(duel, book, 1 - duel.active, _LOST, duel.energy[1 - duel.active])
    plane, row = _place(duel, book)
    lead = duel.lp[0] - duel.lp[1]
    turn = duel.turn[0] + duel.turn[1] - 1
    for side in range(2):
        ahead = lead if side == 0 else -lead
        behind = side * _WIDTH + _BEHIND
        book[plane, row, behind] = max(book[plane, row, behind], -ahead)
        if ahead <= 0:
            book[plane, row, side * _WIDTH + _NOT_AHEAD] = turn + 1
    if turn < TURNS:
        _note_lp(duel, book, turn)
        book[_LEAD_NOW, turn, 0] = min(max(lead - LEAST_LEAD, 0), BINS - 1)
        book[_NOTES, 0, _ENDS] = turn + 1


@compiled
def _note_lp(duel, book, turn):  # type: ignore[no-untyped-def]
    for side in range(2):
        lp = min(max(duel.lp[side] - LEAST_LP, 0), BINS - 1)
        book[LP + 2 * duel.first + side, turn, lp] += 1


@entry(void(DUEL, TABLES, OPTIONS, int64, BOOK))
def watch(duel, tables, options, pick, book):  # type: ignore[no-untyped-def]
    """Note what the option that was picked costs, and the end of a turn."""
    _see_units(duel, book)
    side = duel.asked_side
    verb = options.verb[pick]
    if verb == ATTACK:
        _spend(duel, book, side, _ATTACK, tables.energy[options.card[pick]])
    elif verb == DEPLOY or verb == SET:
        card = options.card[pick]
        # a support card is set free, and so is a small unit
        if tables.kind[card] == IS_UNIT and tables.level[card] > tables.free_level:
            _spend(duel, book, side, _DEPLOY, tables.energy[card])
    elif verb == ACTIVATE:
        _spend(duel, book, side, _ACTIVATE, tables.activation_cost)
    elif verb == RESPOND:
        kind = _OWN if side == duel.active else _ENEMY
        _spend(duel, book, side, kind, tables.activation_cost)
    elif verb == GO_END:
        _end_turn(duel, book)


@compiled
def _fold_leads(duel, book):  # type: ignore[no-untyped-def]
    """Add the leads at the ends of this duel's turns to the sums, now that its winner is known."""
    plane = LEADS + 2 * duel.first + duel.winner
    for turn in range(book[_NOTES, 0, _ENDS]):
        book[plane, turn, book[_LEAD_NOW, turn, 0]] += 1


@compiled
def _fold_energy(duel, tables, book):  # type: ignore[no-untyped-def]
    """Add this duel's energy to the sums, and clear it."""
    plane, row = _place(duel, book)
    for side in range(2):
        for turn in range(min(duel.turn[side], TURNS)):
            # who lost by the draw of a turn was not refilled any more
            refilled = duel.phase != DRAW or side != duel.active or turn + 1 < duel.turn[side]
            refill = energy_maximum(tables, turn + 1) if refilled else 0
            book[plane, row, side * _WIDTH + _REFILL] += refill
            book[_ENERGY_NOW + side, turn, _REFILL] = refill
            book[ENERGY + side, turn, BEGUN] += 1
            for kind in range(BEGUN):
                amount = book[_ENERGY_NOW + side, turn, kind]
                book[ENERGY + side, turn, kind] += amount
                book[SQUARES + side, turn, kind] += amount * amount
                book[_ENERGY_NOW + side, turn, kind] = 0


@entry(void(DUEL, TABLES, _DECK, _DECK, BOOK))
def close(duel, tables, deck_a, deck_b, book):  # type: ignore[no-untyped-def]
    """Note the end of a duel."""
    _see_units(duel, book)
    plane, row = _place(duel, book)
    for side in range(2):
        arrived = book[plane, row, side * _WIDTH + _ARRIVED]
        book[plane, row, side * _WIDTH + _LEFT] = arrived - duel.units[side]
    turn = duel.turn[0] + duel.turn[1] - 1
    if turn < TURNS:
        _note_lp(duel, book, turn)
    _fold_leads(duel, book)
    _fold_energy(duel, tables, book)
    book[_NOTES, 0, _OVER] += 1
    book[_NOTES, 0, _ENDS] = 0
    book[_NOTES, 0, _SEEN] = 0
