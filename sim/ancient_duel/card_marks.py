"""What became of some of side a's cards in each single duel: an observer beside the engine.

Its book is an int64 array of shape (1 + duels, 1, MAX_CARDS + 1). Plane 0 says what is asked for:
at a card's number how many copies the deck has of a card that is watched, else 0; its last place
counts the duels that are over. Plane 1 + i holds the marks of duel i by card number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numba import int16, int64, void

from cards.ancient_duel.tables import MAX_CARDS
from sim.ancient_duel.play import DUEL, OPTIONS, TABLES
from sim.ancient_duel.record import ACTIVATE, DEPLOY, RESPOND, SET, SPECIAL, USE
from sim.batch import BOOK
from sim.compiled import entry

#: Marks, added up: a copy left the deck; one was played (deployed or special-deployed, activated,
#: its ability used); one was set.
DRAWN: Final = 1
PLAYED: Final = 2
WAS_SET: Final = 4

_COUNTER: Final = MAX_CARDS
_DECK: Any = int16[::1]


def new_marks(deck: npt.NDArray[np.int16], watched: Sequence[int], duels: int) -> npt.NDArray[Any]:
    """An empty book for side a's deck and the numbers of the cards that are watched."""
    book = np.zeros((1 + duels, 1, MAX_CARDS + 1), dtype=np.int64)
    for card in watched:
        book[0, 0, card] = np.count_nonzero(deck == card)
    return book


@entry(void(DUEL, TABLES, OPTIONS, int64, BOOK))
def watch(duel, tables, options, pick, book):  # type: ignore[no-untyped-def]
    """Mark the card of a choice of side a."""
    if duel.asked_side != 0:
        return
    card = options.card[pick]
    if card < 0 or book[0, 0, card] == 0:
        return
    verb = options.verb[pick]
    place = 1 + book[0, 0, _COUNTER]
    if verb == DEPLOY or verb == ACTIVATE or verb == RESPOND or verb == SPECIAL or verb == USE:
        book[place, 0, card] |= PLAYED
    elif verb == SET:
        book[place, 0, card] |= WAS_SET


@entry(void(DUEL, TABLES, _DECK, _DECK, BOOK))
def close(duel, tables, deck_a, deck_b, book):  # type: ignore[no-untyped-def]
    """Mark the cards of which a copy has left the deck, and count the duel."""
    place = 1 + book[0, 0, _COUNTER]
    for card in range(_COUNTER):
        if book[0, 0, card] == 0:
            continue
        left = 0
        for i in range(duel.deck_size[0]):
            if duel.deck[0, i] == card:
                left += 1
        if left < book[0, 0, card]:
            book[place, 0, card] |= DRAWN
    book[0, 0, _COUNTER] += 1
