"""A matchup of Ancient Duel as a job for workers: decks, rules, seed and how both sides play."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cards.ancient_duel.pack import Packed
from cards.errors import InputError
from sim.ancient_duel import play
from sim.ancient_duel.record import new_duels, new_options
from sim.batch import ROW_WIDTH, batch_loop
from sim.compiled import ready
from sim.workers import Rows

SIDES = ("a", "b")


@dataclass(frozen=True)
class MatchupJob:
    """What every duel of a run has in common; a duel's number does the rest.

    Attributes
    ----------
    deck_a, deck_b
        Card numbers, shape (40,), int16.
    tables
        Cards and rules as `cards.ancient_duel.pack.pack` makes them.
    seed
        The run's seed, 0 to 2**64 - 1.
    paired
        Whether duels 2p and 2p + 1 have the same shuffles and the other side begins.
    strategy_a, strategy_b
        Names, with parameters. Names travel to other processes, compiled code does not.
    find_strategy
        What makes of a name a strategy (`strategies.registry.find_strategy`).
    """

    deck_a: npt.NDArray[np.int16]
    deck_b: npt.NDArray[np.int16]
    tables: Packed
    seed: int
    paired: bool
    strategy_a: str
    strategy_b: str
    find_strategy: Callable[[str], Any]

    def entries(self) -> list[tuple[str, Any]]:
        """Everything that must be compiled before a duel, each with what to call it."""
        rules = [play.start, play.advance, play.choose, play.report, play.refresh]
        strategies = dict.fromkeys((self.strategy_a, self.strategy_b))
        return [
            *(("the rules", function) for function in rules),
            *((f"the strategy {name}", self.find_strategy(name).choose) for name in strategies),
            ("the loop over duels", _loop()),
        ]

    def play(self, first: int, count: int) -> Rows:
        """Play duels first, first + 1, …; shape (count, ROW_WIDTH), `sim.batch.ROW_COLUMNS`.

        Raises
        ------
        InputError
            A strategy answered with a number that no option has.
        """
        for _, function in self.entries():
            ready(function)
        side_a, side_b = (self.find_strategy(s) for s in (self.strategy_a, self.strategy_b))
        duel = new_duels(1)[0]
        rows = np.zeros((count, ROW_WIDTH), dtype=np.int32)
        done = _loop()(
            duel,
            self.tables.view(np.recarray)[0],
            new_options()[0],
            self.deck_a,
            self.deck_b,
            np.uint64(self.seed),
            first,
            int(self.paired),
            play.start,
            play.advance,
            play.choose,
            play.report,
            side_a.choose,
            side_b.choose,
            side_a.parameters,
            side_b.parameters,
            rows,
        )
        if done < count:
            strategy = (side_a, side_b)[int(duel["asked_side"])]
            raise InputError(
                f"strategy {strategy.name!r} chose an option that there is not",
                where=f"duel {first + done}, decision {int(duel['decisions'])}",
            )
        return rows


@functools.cache
def _loop() -> Any:
    return batch_loop(play.DUEL, play.TABLES, play.OPTIONS)
