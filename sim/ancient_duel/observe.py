"""What cards did in many duels: an observer beside the engine, which knows nothing of it.

The observer's book is an int64 array, shape (2, COLUMNS, MAX_CARDS + 1): side, column, card number
(the last place is for choices that name no card). Books of shards add up.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import int16, int64, void

from cards.ancient_duel.tables import MAX_CARDS
from sim.ancient_duel.play import DUEL, OPTIONS, TABLES
from sim.ancient_duel.record import ACTIVATE, DEPLOY, RESPOND, SET, SPECIAL, USE, VERBS
from sim.compiled import entry

#: Decisions in which a choice of this verb and card was offered, and those in which it was made.
OFFERED: Final = 0
CHOSEN: Final = OFFERED + len(VERBS)
#: Duels with the card in the side's deck list, and how many of them its side won; the same for
#: duels in which a copy left the deck (drawn, searched or deployed from it), was played (deployed,
#: special-deployed, activated, used as a response), was set, or none of its copies left the deck.
IN_DECK: Final = CHOSEN + len(VERBS)
IN_DECK_WON: Final = IN_DECK + 1
DRAWN: Final = IN_DECK + 2
DRAWN_WON: Final = IN_DECK + 3
PLAYED: Final = IN_DECK + 4
PLAYED_WON: Final = IN_DECK + 5
WAS_SET: Final = IN_DECK + 6
WAS_SET_WON: Final = IN_DECK + 7
_MARKS: Final = IN_DECK + 8  # scratch: what this duel has seen so far
COLUMNS: Final = IN_DECK + 9

NO_CARD: Final = MAX_CARDS

_PLAYED_MARK = 1
_SET_MARK = 2

BOOK: Any = int64[:, :, ::1]
_DECK: Any = int16[::1]


def new_book() -> np.ndarray[Any, np.dtype[np.int64]]:
    """An empty book."""
    return np.zeros((2, COLUMNS, MAX_CARDS + 1), dtype=np.int64)


@entry(void(DUEL, TABLES, OPTIONS, int64, BOOK))
def watch_nothing(duel, tables, options, pick, book):  # type: ignore[no-untyped-def]
    """The observer of a run that asks for nothing but results."""


@entry(void(DUEL, TABLES, _DECK, _DECK, BOOK))
def close_nothing(duel, tables, deck_a, deck_b, book):  # type: ignore[no-untyped-def]
    """The end of a duel that nobody observes."""


@entry(void(DUEL, TABLES, OPTIONS, int64, BOOK))
def watch(duel, tables, options, pick, book):  # type: ignore[no-untyped-def]
    """Note one decision and the option that was picked."""
    side = duel.asked_side
    for i in range(options.n):
        # options of one source stand together; its targets count as one offer
        same = i > 0 and options.verb[i] == options.verb[i - 1]
        if same and options.card[i] == options.card[i - 1]:
            continue
        card = options.card[i] if options.card[i] >= 0 else NO_CARD
        book[side, OFFERED + options.verb[i], card] += 1
    verb = options.verb[pick]
    card = options.card[pick] if options.card[pick] >= 0 else NO_CARD
    book[side, CHOSEN + verb, card] += 1
    if verb == DEPLOY or verb == ACTIVATE or verb == RESPOND or verb == SPECIAL or verb == USE:
        book[side, _MARKS, card] |= _PLAYED_MARK
    elif verb == SET:
        book[side, _MARKS, card] |= _SET_MARK


@entry(void(DUEL, TABLES, _DECK, _DECK, BOOK))
def close(duel, tables, deck_a, deck_b, book):  # type: ignore[no-untyped-def]
    """Note how a duel ended for every card of both decks."""
    for side in range(2):
        deck = deck_a if side == 0 else deck_b
        won = 1 if duel.winner == side else 0
        for i in range(deck.shape[0]):
            card = deck[i]
            first = True
            copies = 0
            for j in range(deck.shape[0]):
                if deck[j] == card:
                    copies += 1
                    if j < i:
                        first = False
            if not first:
                continue
            left = 0
            for j in range(duel.deck_size[side]):
                if duel.deck[side, j] == card:
                    left += 1
            marks = book[side, _MARKS, card]
            book[side, IN_DECK, card] += 1
            book[side, IN_DECK_WON, card] += won
            if left < copies:
                book[side, DRAWN, card] += 1
                book[side, DRAWN_WON, card] += won
            if marks & _PLAYED_MARK != 0:
                book[side, PLAYED, card] += 1
                book[side, PLAYED_WON, card] += won
            if marks & _SET_MARK != 0:
                book[side, WAS_SET, card] += 1
                book[side, WAS_SET_WON, card] += won
        for card in range(NO_CARD + 1):
            book[side, _MARKS, card] = 0
