"""Two lists against the same opponents as a job for workers: common random numbers.

Both lists play every duel with the same seed, against the same opponent, whose deck is shuffled
alike. For the same to hold of their own decks a shuffle must put the cards that the lists share in
the same places, so that list b is laid out for it card by card beside list a (`aligned`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from sim.ancient_duel.card_marks import close, watch
from sim.ancient_duel.matchup import MatchupJob
from sim.workers import Rows

#: Duel d against opponent number k is number k * STRIDE + d of the job: no two opponents share
#: random numbers, and against the first one the duels are those of a matchup with the same seed.
STRIDE: Final = 2**41

Numbers = npt.NDArray[np.int16]


@dataclass(frozen=True)
class ComparisonJob:
    """What every duel of a comparison has in common.

    Attributes
    ----------
    against
        For each opponent the matchups of list a and of list b with it; the lists are side a.
    watched
        Numbers of the cards whose doings are wanted.
    """

    against: tuple[tuple[MatchupJob, MatchupJob], ...]
    watched: tuple[int, ...]

    def entries(self) -> list[tuple[str, Any]]:
        """Everything that must be compiled before a duel, each with what to call it."""
        found = [("the loop over duels", watch), ("the loop over duels", close)]
        for job in {job.strategy_b: job for pair in self.against for job in pair}.values():
            found += job.entries()
        return found

    def play(self, first: int, count: int) -> Rows:
        """Play duels first, first + 1, … with both lists, against one opponent.

        Returns
        -------
        numpy.ndarray
            Shape (count, 2 * (ROW_WIDTH + len(watched))), int32: list a's rows
            (`sim.batch.ROW_COLUMNS`) and its marks (`sim.ancient_duel.card_marks`), then list b's.
        """
        parts = []
        for job in self.against[first // STRIDE]:
            rows, marks = job.play_marked(first, count, self.watched)
            parts += [rows, marks.astype(np.int32)]
        return np.concatenate(parts, axis=1)


def aligned(a: Numbers, b: Numbers) -> Numbers:
    """List b with every card that list a has, too, in the place that it has there.

    a, b: card numbers, shape (n,), int16. Returns b in another order.
    """
    left = Counter(b.tolist())
    laid = np.full(len(b), -1, dtype=np.int16)
    for place, card in enumerate(a.tolist()):
        if left[card]:
            left[card] -= 1
            laid[place] = card
    laid[laid < 0] = sorted(left.elements())
    return laid


def differing(a: Numbers, b: Numbers) -> tuple[int, ...]:
    """The cards of which the lists have different numbers."""
    counts = Counter(a.tolist()), Counter(b.tolist())
    return tuple(
        sorted(card for card in {*a.tolist(), *b.tolist()} if counts[0][card] != counts[1][card])
    )


def shared(a: Numbers, b: Numbers) -> int:
    """How many cards the lists share, copies counted."""
    return (Counter(a.tolist()) & Counter(b.tolist())).total()
