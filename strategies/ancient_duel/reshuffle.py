"""The same duel as its side sees it, with everything that the side cannot see put elsewhere.

Hidden from a side are the enemy's hand, deck and face-down cards, the order of its own deck, and
all random numbers but those of its own strategy. A strategy that decides by any of these answers
differently in a reshuffled duel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from cards.ancient_duel.vocabulary import FACE_DOWN, IS_UNIT
from sim.ancient_duel import play
from sim.ancient_duel.record import ASK_MAY, CAPACITY, new_duels
from sim.compiled import ready
from sim.random_numbers import STREAM_CHOICE_A, STREAMS

#: What the choice made before this one has left; the enemy's may name a hidden card.
_LAST_CHOICE: Final = ("verb", "card", "zone", "slot", "target_zone", "target_side", "target")


#: What can be put elsewhere, each by itself.
HIDDEN: Final = (
    "the enemy's hidden cards",
    "the order of its own deck",
    "random numbers that are not its own",
    "what earlier choices have left in the record",
)


def reshuffled(
    duel: Any,
    options: Any,
    tables: Any,
    rng: np.random.Generator,
    what: Sequence[str] = HIDDEN,
) -> tuple[Any, Any] | None:
    """A copy of the duel and of its options with the hidden cards dealt anew.

    Parameters
    ----------
    duel
        A record that waits for a choice; it is not changed.
    options
        The options that `advance` left.
    tables
        The packed cards and rules, one record.
    rng
        Where the new places come from. Every way to deal the hidden cards that puts units where
        units are, and doctrines and tactics where these are, is equally likely.
    what
        Which parts of `HIDDEN`.

    Returns
    -------
    tuple or None
        The copy, its effective stats up to date, and its options; None where the cards cannot lie
        so, since other choices would then be legal. Whether the side sees the same is for the
        caller to look at: the type of a face-down unit may show in another unit's stats.
    """
    viewer = int(duel["asked_side"])
    twin = _copy(duel)
    if HIDDEN[0] in what:
        _deal_enemy(twin, 1 - viewer, tables, rng)
    if HIDDEN[1] in what:
        size = int(twin["deck_size"][viewer])
        twin["deck"][viewer, :size] = rng.permutation(twin["deck"][viewer, :size])
    if HIDDEN[2] in what:
        for stream in range(STREAMS):
            if stream != STREAM_CHOICE_A + viewer:
                twin["draws"][stream] = rng.integers(1 << 40)
    if HIDDEN[3] in what:
        _scramble_remains(twin, int(tables["cards"]), rng)
    twin["stale"] = 1
    choices = options.copy()
    if int(duel["asked_kind"]) != ASK_MAY:  # yes or no, whatever the cards are
        same = (int(duel["asked_side"]), int(duel["asked_kind"]), int(options["n"]))
        if not ready(play.advance)(twin, tables, choices):
            return None
        if same != (int(twin["asked_side"]), int(twin["asked_kind"]), int(choices["n"])):
            return None
    ready(play.refresh)(twin, tables)
    return twin, choices


def _copy(duel: Any) -> Any:
    copies = new_duels(1)
    copies[0] = duel
    return copies[0]


def _deal_enemy(twin: Any, enemy: int, tables: Any, rng: np.random.Generator) -> None:
    """Deal the enemy's hand, deck and face-down cards anew among themselves."""
    hand, deck = int(twin["hand_size"][enemy]), int(twin["deck_size"][enemy])
    units = [
        u
        for u in twin["unit_at"][enemy, : int(twin["units"][enemy])].tolist()
        if twin["unit_position"][enemy, u] == FACE_DOWN
    ]
    supports = [
        k
        for k in twin["support_at"][enemy, : int(twin["supports"][enemy])].tolist()
        if not twin["support_up"][enemy, k]
    ]
    pool = np.concatenate(
        [
            twin["hand"][enemy, :hand],
            twin["deck"][enemy, :deck],
            twin["unit_card"][enemy, units],
            twin["support_card"][enemy, supports],
        ]
    )
    pool = rng.permutation(pool)
    is_unit = tables["kind"][pool] == IS_UNIT
    on_field = np.flatnonzero(is_unit)[: len(units)]
    set_down = np.flatnonzero(~is_unit)[: len(supports)]
    twin["unit_card"][enemy, units] = pool[on_field]
    twin["support_card"][enemy, supports] = pool[set_down]
    # anew: the first cards that fit were taken, so what is left is in no random order
    rest = rng.permutation(np.delete(pool, np.concatenate([on_field, set_down])))
    twin["hand"][enemy, :hand] = rest[:hand]
    twin["deck"][enemy, :deck] = rest[hand:]
    # the record of an attack holds its target's card, also while that lies face-down
    attacked = int(twin["attacked"])
    if twin["attacking"] and enemy != int(twin["active"]) and attacked in units:
        twin["attacked_card"] = twin["unit_card"][enemy, attacked]


def _scramble_remains(twin: Any, cards: int, rng: np.random.Generator) -> None:
    """Put anything into what the rules read no more: what has left a pile, the last choice."""
    for zone in ("deck", "hand", "graveyard"):
        for side in range(2):
            size = int(twin[f"{zone}_size"][side])
            remains: npt.NDArray[np.int64] = rng.integers(cards, size=CAPACITY - size)
            twin[zone][side, size:] = remains
    for field in _LAST_CHOICE:
        twin[field] = rng.integers(2)
