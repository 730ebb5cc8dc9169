"""Sampling what a side cannot see, for look-ahead on copies of a duel.

A side knows both deck lists (as at a tournament with open lists) and everything that lies open, so
it knows which cards are hidden, but not where: in the enemy's hand, among its face-down cards, or
in which order in either deck. A sample deals those cards out anew. It depends on the hidden cards
as a set only, never on where they really are.
"""

from __future__ import annotations

from cards.ancient_duel.tables import MAX_CARDS
from cards.ancient_duel.vocabulary import FACE_DOWN, IS_TACTIC, IS_UNIT
from sim.ancient_duel.record import CAPACITY, FIELD
from sim.compiled import compiled
from sim.random_numbers import STREAM_CHOICE_A, random_below

#: Numbers in the scratch array that `deal` needs.
POOL = 2 * CAPACITY + FIELD + MAX_CARDS


@compiled
def _draw_kind(duel, t, pool, n, kinds, stream):  # type: ignore[no-untyped-def]
    """Move a random card of these kinds to the pool's end; False where there is none."""
    fitting = 0
    for i in range(n):
        if t.kind[pool[i]] & kinds != 0:
            fitting += 1
    if fitting == 0:
        return False
    pick = random_below(duel, stream, fitting)
    for i in range(n):
        if t.kind[pool[i]] & kinds != 0:
            if pick == 0:
                card = pool[i]
                pool[i] = pool[n - 1]
                pool[n - 1] = card
                return True
            pick -= 1
    return False


@compiled
def _sort(pool, n):  # type: ignore[no-untyped-def]
    """Put the pool in the order of card numbers (counting sort in the array's far end)."""
    base = pool.shape[0] - MAX_CARDS
    for c in range(MAX_CARDS):
        pool[base + c] = 0
    for i in range(n):
        pool[base + pool[i]] += 1
    i = 0
    for c in range(MAX_CARDS):
        for _ in range(pool[base + c]):
            pool[i] = c
            i += 1


@compiled
def _shuffle(duel, pool, n, stream):  # type: ignore[no-untyped-def]
    for i in range(n - 1, 0, -1):
        j = random_below(duel, stream, i + 1)
        card = pool[i]
        pool[i] = pool[j]
        pool[j] = card


@compiled
def _gather(duel, enemy, pool):  # type: ignore[no-untyped-def]
    """Put every hidden card of the enemy into the pool; how many there are."""
    n = 0
    for i in range(duel.hand_size[enemy]):
        pool[n] = duel.hand[enemy, i]
        n += 1
    for i in range(duel.deck_size[enemy]):
        pool[n] = duel.deck[enemy, i]
        n += 1
    for i in range(duel.units[enemy]):
        u = duel.unit_at[enemy, i]
        if duel.unit_position[enemy, u] == FACE_DOWN:
            pool[n] = duel.unit_card[enemy, u]
            n += 1
    for i in range(duel.supports[enemy]):
        k = duel.support_at[enemy, i]
        if duel.support_up[enemy, k] == 0:
            pool[n] = duel.support_card[enemy, k]
            n += 1
    return n


@compiled
def _deal_field(duel, t, enemy, pool, n, stream):  # type: ignore[no-untyped-def]
    """Deal the face-down cards on the field; how many are left in the pool.

    A face-down unit is some unit; a set card is taken to be a tactic as long as there are any, for
    that is what players set.
    """
    for i in range(duel.units[enemy]):
        u = duel.unit_at[enemy, i]
        if duel.unit_position[enemy, u] == FACE_DOWN and _draw_kind(
            duel, t, pool, n, IS_UNIT, stream
        ):
            n -= 1
            duel.unit_card[enemy, u] = pool[n]
            if duel.attacking != 0 and enemy != duel.active and u == duel.attacked:
                duel.attacked_card = pool[n]
    for i in range(duel.supports[enemy]):
        k = duel.support_at[enemy, i]
        if duel.support_up[enemy, k] == 0 and (
            _draw_kind(duel, t, pool, n, IS_TACTIC, stream)
            or _draw_kind(duel, t, pool, n, ~IS_UNIT, stream)
        ):
            n -= 1
            duel.support_card[enemy, k] = pool[n]
    return n


@compiled
def deal(duel, t, side, pool):  # type: ignore[no-untyped-def]
    """Deal out anew, in place, all that `side` cannot see of a duel.

    pool: scratch, int16, shape (POOL,). The random numbers are those of the side's own choices.
    Where the side chooses among the cards of its deck, these now have other places
    (`place_in_deck`).
    """
    stream = STREAM_CHOICE_A + side
    enemy = 1 - side
    n = _gather(duel, enemy, pool)
    _sort(pool, n)
    n = _deal_field(duel, t, enemy, pool, n, stream)
    _shuffle(duel, pool, n, stream)
    for i in range(duel.hand_size[enemy]):
        n -= 1
        duel.hand[enemy, i] = pool[n]
    for i in range(duel.deck_size[enemy]):
        n -= 1
        duel.deck[enemy, i] = pool[n]
    duel.stale = 1
    n = duel.deck_size[side]
    for i in range(n):
        pool[i] = duel.deck[side, i]
    _sort(pool, n)
    _shuffle(duel, pool, n, stream)
    for i in range(n):
        duel.deck[side, i] = pool[i]


@compiled
def place_in_deck(duel, side, card):  # type: ignore[no-untyped-def]
    """Where the next copy of a card lies in the side's deck; -1 where there is none."""
    for i in range(duel.deck_size[side] - 1, -1, -1):
        if duel.deck[side, i] == card:
            return i
    return -1
