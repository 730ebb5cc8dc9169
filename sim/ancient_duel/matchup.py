"""A matchup of Ancient Duel as a job for workers: decks, rules, seed and how both sides play."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cards.ancient_duel.pack import Packed
from cards.errors import InputError
from sim.ancient_duel import card_marks, observe, play, tempo
from sim.ancient_duel.record import new_duels, new_options
from sim.batch import ROW_WIDTH, batch_loop, play_duels
from sim.compiled import ready
from sim.workers import Rows


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
        What makes of a name a strategy, in every process (`strategies.finder.Finder`).
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
        loops = [observe.watch_nothing, observe.close_nothing]
        if not self._is_plain():
            loops.append(_loop())
        return [
            *(("the rules", function) for function in rules),
            *(needed for strategy in self.strategies() for needed in strategy.entries()),
            *(("the loop over duels", function) for function in loops),
        ]

    def strategies(self) -> tuple[Any, Any]:
        """The strategies of sides a and b (`strategies.registry.Strategy`)."""
        return self.find_strategy(self.strategy_a), self.find_strategy(self.strategy_b)

    def _is_plain(self) -> bool:
        """Whether a side plays by plain Python, which the compiled loop cannot call."""
        return any(strategy.is_plain for strategy in self.strategies())

    def play(self, first: int, count: int) -> Rows:
        """Play duels first, first + 1, …; shape (count, ROW_WIDTH), `sim.batch.ROW_COLUMNS`.

        Raises
        ------
        InputError
            A strategy raised something, or answered with what is no option.
        """
        return self._play(
            first, count, observe.watch_nothing, observe.close_nothing, 0, observe.new_book()
        )

    def play_observed(self, first: int, count: int) -> tuple[Rows, npt.NDArray[np.int64]]:
        """The same duels, and the book of what the cards did (`sim.ancient_duel.observe`)."""
        book = observe.new_book()
        return self._play(first, count, observe.watch, observe.close, 1, book), book

    def play_marked(
        self, first: int, count: int, watched: Sequence[int]
    ) -> tuple[Rows, npt.NDArray[np.int64]]:
        """The same duels, and what became of some of side a's cards in each of them.

        `watched` are card numbers. The second array has shape (count, len(watched)); its values are
        the marks of `sim.ancient_duel.card_marks`.
        """
        book = card_marks.new_marks(self.deck_a, watched, count)
        rows = self._play(first, count, card_marks.watch, card_marks.close, 1, book)
        return rows, book[1:, 0, list(watched)]

    def play_timed(self, first: int, count: int) -> tuple[Rows, npt.NDArray[np.int64]]:
        """The same duels, and the book of how they ran (`sim.ancient_duel.tempo`)."""
        book = tempo.new_book(count)
        return self._play(first, count, tempo.watch, tempo.close, 1, book), book

    def _play(
        self,
        first: int,
        count: int,
        watch: Any,
        close: Any,
        ask_always: int,
        book: npt.NDArray[np.int64],
    ) -> Rows:
        for _, function in self.entries():
            ready(function)
        rows = np.zeros((count, ROW_WIDTH), dtype=np.int32)
        ready(watch)
        ready(close)
        played = self._play_plain if self._is_plain() else self._play_compiled
        played(first, rows, (watch, close, ask_always, book))
        return rows

    def _play_compiled(self, first: int, rows: Rows, watched: tuple[Any, ...]) -> None:
        duel = new_duels(1)[0]
        try:
            done = self._run(_loop(), duel, first, rows, watched)
        except Exception as fault:
            # the rules raise nothing: it is the strategy that was asked last
            done = int(np.count_nonzero(rows.any(axis=1)))
            raise self._raised(duel, first + done, fault) from None
        if done < len(rows):
            name = self.strategies()[int(duel["asked_side"])].name
            raise no_such_option(name, duel, first + done)

    def _play_plain(self, first: int, rows: Rows, watched: tuple[Any, ...]) -> None:
        """The same loop as Python runs it, one duel at a time."""
        duel = new_duels(1)[0]
        for i in range(len(rows)):
            number = first + i
            try:
                done = self._run(play_duels, duel, number, rows[i : i + 1], watched)
            except InputError as error:
                # a plain strategy's own, which does not know the number of the duel
                place = f"duel {number}, {error.where}"
                raise InputError(error.what, where=place, right=error.right) from None
            except Exception as fault:
                raise self._raised(duel, number, fault) from None
            if done == 0:
                raise no_such_option(self.strategies()[int(duel["asked_side"])].name, duel, number)

    def _run(self, loop: Any, duel: Any, first: int, rows: Rows, watched: tuple[Any, ...]) -> int:
        side_a, side_b = self.strategies()
        watch, close, ask_always, book = watched
        return int(
            loop(
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
                ask_always,
                watch,
                close,
                book,
                rows,
            )
        )

    def _raised(self, duel: Any, number: int, fault: Exception) -> InputError:
        """The error that a compiled strategy raised something."""
        name = self.strategies()[int(duel["asked_side"])].name
        words = " ".join(f"{type(fault).__name__}: {fault}".split())
        return InputError(
            f"strategy {name!r} raised {words}",
            where=f"duel {number}, decision {int(duel['decisions'])}",
        )


def no_such_option(strategy: str, duel: Any, number: int) -> InputError:
    """The error that a strategy answered with a number that no option of its decision has."""
    return InputError(
        f"strategy {strategy!r} chose an option that there is not",
        where=f"duel {number}, decision {int(duel['decisions'])}",
    )


@functools.cache
def _loop() -> Any:
    return batch_loop(play.DUEL, play.TABLES, play.OPTIONS)
