"""From the books of a matrix to the counts of each card, as `reports.cards` takes them.

The duels are those against the other decks of the field; a deck that is alone has its mirror.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from sim.ancient_duel import observe
from sim.ancient_duel.record import ACTIVATE, ATTACK, DEPLOY, RESPOND, SET, SPECIAL, USE

if TYPE_CHECKING:
    from reports.cards import CardsSeen
    from sim.matrix import Book, Cell, Matrix

#: What a card did, by the verb of the choice.
DOINGS: Final = {
    "deployed": DEPLOY,
    "special-deployed": SPECIAL,
    "set": SET,
    "activated": ACTIVATE,
    "used": USE,
    "answered": RESPOND,
    "attacked": ATTACK,
}


def cards_seen(matrix: Matrix) -> CardsSeen:
    """What the cards did in an observed matrix.

    Raises ValueError if it was not observed.
    """
    from reports.cards import CardCounts, CardsSeen, Doing, Happened

    field = matrix.field
    found = []
    for own, deck in enumerate(field.decks):
        sides = list(_sides(matrix, own))
        book = functools.reduce(np.add, (_book(cell)[side] for cell, side in sides))
        batches = np.stack([_rates(cell, side) for cell, side in sides])
        together = _together(matrix, own)
        for card_id, copies in deck.cards:
            card = field.cards.by_id[card_id]
            page = book[:, field.cards.number(card_id)]
            pairs = {
                name: Happened(int(page[column]), int(page[column + 1]))
                for name, column in (
                    ("in_deck", observe.IN_DECK),
                    ("drawn", observe.DRAWN),
                    ("played", observe.PLAYED),
                    ("was_set", observe.WAS_SET),
                )
            }
            number = field.cards.number(card_id)
            doings = {
                doing: Doing(
                    offered=int(page[observe.OFFERED + verb]),
                    times=int(page[observe.CHOSEN + verb]),
                    batches=batches[:, :, verb, number],
                )
                for doing, verb in DOINGS.items()
            }
            found.append(
                CardCounts(
                    deck=field.names[own],
                    card=card_id,
                    name=card.name_en,
                    kind=card.kind,
                    copies=copies,
                    together=together,
                    doings={doing: counts for doing, counts in doings.items() if counts.offered},
                    **pairs,
                )
            )
    return CardsSeen(tuple(found))


def _sides(matrix: Matrix, own: int) -> Iterator[tuple[Cell, int]]:
    """The matchups in which a deck counts, and which side it is there (0 a, 1 b)."""
    alone = len(matrix.field.decks) == 1
    for cell in matrix.cells:
        if cell.a == cell.b and not alone:
            continue
        if cell.a == own:
            yield cell, 0
        if cell.b == own:
            yield cell, 1


def _book(cell: Cell) -> Book:
    if cell.book is None:
        raise ValueError("the matrix was not observed")
    return cell.book


def _rates(cell: Cell, side: int) -> npt.NDArray[np.float64]:
    """How often a side made each choice in a duel, by batch: shape (batches, verbs, cards + 1)."""
    if cell.chosen is None:
        raise ValueError("the matrix was not observed")
    from sim.matrix import batches_of

    duels = np.array([batch.count for batch in batches_of(int(cell.counts["duels"].sum()))])
    rates: npt.NDArray[np.float64] = cell.chosen[:, side] / duels[:, None, None]
    return rates


def _together(matrix: Matrix, own: int) -> float:
    """How many duels there are for each independent one: 1, or up to 2 where they come in pairs.

    1 + the correlation of a deck's wins in the two duels of a pair, within matchups. In a mirror
    both sides count, and one wins what the other loses: nothing is independent but the pair.
    """
    covariance = variance = 0.0
    for cell in matrix.summary.cells:
        if own not in (cell.a, cell.b) or not cell.pairs.pairs:
            continue
        if cell.is_mirror:
            if len(matrix.field.decks) == 1:
                return 2.0
            continue
        none, one, both = cell.pairs
        pairs = cell.pairs.pairs
        mean = (one / 2 + both) / pairs
        variance += pairs * mean * (1 - mean)
        covariance += none * mean**2 + both * (1 - mean) ** 2 - one * mean * (1 - mean)
    return 1.0 + max(0.0, covariance / variance) if variance > 0 else 1.0
