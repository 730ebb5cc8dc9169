"""From a position to many duels: every legal choice in the same samples of what is unknown."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from cards.ancient_duel.load import CardSet
from cards.ancient_duel.pack import Packed
from cards.ancient_duel.vocabulary import IS_UNIT
from cards.errors import InputError
from sim.ancient_duel import play
from sim.ancient_duel.game import Game
from sim.ancient_duel.notation import SIDES, Line, Option, option_texts, read_options
from sim.ancient_duel.record import DUEL_DTYPE, new_duels, new_options
from sim.ancient_duel.scenario import Script
from sim.ancient_duel.unknown_cards import Unknown
from sim.compiled import JIT_DISABLED, ready
from sim.playout import play_on, playout_loop
from sim.workers import Rows

#: Columns of a row: the sample; 1 where the strategy chose for itself, 0 where the choice was made
#: for it; the choice (a key, see `OddsJob.key`); and 1 where the side to move won.
SAMPLE: Final = 0
OWN_CHOICE: Final = 1
KEY_FROM: Final = 2
KEY_WIDTH: Final = 7
WON: Final = KEY_FROM + KEY_WIDTH
WIDTH: Final = WON + 1

#: Samples whose duels are played in one call.
_TOGETHER: Final = 64
_NOT_PLAYED: Final = -1

Key = tuple[int, ...]
#: The key of a duel that is over before anything can be chosen.
NO_CHOICE: Final[Key] = (-1,) * KEY_WIDTH


@dataclass(frozen=True)
class OddsJob:
    """What every sample of a position has in common; a sample's number does the rest.

    Attributes
    ----------
    base
        The duel record of the position, with stand-ins for unknown cards.
    unknown
        What is drawn in each sample, for a and b.
    lines
        The choices of the file, made before anything is asked.
    tables, cards
        The packed cards and rules, and the card set.
    seed
        The run's seed.
    strategy_a, strategy_b, find_strategy
        As of `matchup.MatchupJob`.
    mover
        The side to move, 0 or 1.
    key
        What an option is, whatever the order of piles (`strategies.ancient_duel.sight.public_key`).
    where
        What errors call the file.
    """

    base: npt.NDArray[Any]
    unknown: tuple[Unknown, Unknown]
    lines: tuple[tuple[bool, Line], ...]
    tables: Packed
    cards: CardSet
    seed: int
    strategy_a: str
    strategy_b: str
    find_strategy: Callable[[str], Any]
    mover: int
    key: Callable[[Option], Key]
    where: str

    def entries(self) -> list[tuple[str, Any]]:
        """Everything that must be compiled before a sample, each with what to call it."""
        rules = [play.advance, play.choose, play.refresh]
        return [
            *(("the rules", function) for function in rules),
            *(needed for strategy in self.strategies() for needed in strategy.entries()),
            *([] if self._is_plain() else [("playing on", _loop())]),
        ]

    def strategies(self) -> tuple[Any, Any]:
        """The strategies of a and b (`strategies.registry.Strategy`)."""
        return self.find_strategy(self.strategy_a), self.find_strategy(self.strategy_b)

    def _is_plain(self) -> bool:
        return any(strategy.is_plain for strategy in self.strategies())

    def sample(self, number: int) -> tuple[Any, Any]:
        """The duel of a sample and its options; it waits for a choice, or is over.

        Raises
        ------
        InputError
            A line of the file is no legal choice in this sample.
        """
        duels = new_duels(1)
        duels[0] = self.base
        duel = duels[0]
        rng = np.random.default_rng([self.seed, number])
        is_unit = self.tables["kind"][0] == IS_UNIT
        for unknown in self.unknown:
            unknown.deal(duel, is_unit, rng)
        duel["seed"][0] = self.seed
        duel["pair"][0] = number
        options = new_options()[0]
        if self.lines:
            duel["ask_always"] = 1
            script = Script(Game(duel, self.tables, self.cards), self.lines, self.where)
            script.play()
            duel["ask_always"] = 0
            return duel, script.game.options
        play.advance(duel, self.tables.view(np.recarray)[0], options)
        return duel, options

    def play(self, first: int, count: int) -> Rows:
        """Play samples first, first + 1, …: each choice, and as the strategy chooses.

        Returns
        -------
        numpy.ndarray
            Shape (rows, WIDTH), int32; the rows of a sample stand together.

        Raises
        ------
        InputError
            A strategy raised something, or answered with what is no option.
        """
        for _, function in self.entries():
            ready(function)
        player = _Player(self)
        rows: list[list[int]] = []
        for start in range(first, first + count, _TOGETHER):
            rows += player.rows(range(start, min(start + _TOGETHER, first + count)))
        return np.array(rows, dtype=np.int32).reshape(-1, WIDTH)

    def texts(self, samples: Mapping[Key, int]) -> dict[Key, str]:
        """The texts of choices, each with a sample that offers it."""
        found: dict[Key, str] = {}
        for key, number in samples.items():
            if key in found:
                continue
            duel, options = self.sample(number)
            keys = [self.key(option) for option in read_options(options)]
            for other, text in zip(keys, option_texts(duel, options, self.cards), strict=True):
                found.setdefault(other, text)
        return {key: found[key] for key in samples}


class _Player:
    """Plays samples of a job: its strategies, found once, and scratch records."""

    def __init__(self, job: OddsJob) -> None:
        self._job = job
        self._strategies = job.strategies()
        self._tables = job.tables.view(np.recarray)[0]
        self._scratch = new_duels(1)
        self._options = new_options()[0]

    def rows(self, numbers: range) -> list[list[int]]:
        """The rows of samples: as the strategy chooses, then each choice."""
        rows: list[list[int]] = []
        waiting: list[Any] = []
        for number in numbers:
            duel, options = self._job.sample(number)
            if duel["over"]:
                own = int(duel["winner"] == self._job.mover)
                rows.append([number, 1, *NO_CHOICE, own])
                continue
            self._check_mover(duel)
            keys = [self._job.key(option) for option in read_options(options)]
            own = self._choose(duel, options, number) if len(keys) > 1 else 0
            for place, is_own in [(own, 1), *((place, 0) for place in range(len(keys)))]:
                self._scratch[0] = duel
                play.choose(self._scratch[0], options, place)
                waiting.append(self._scratch[0].copy())
                rows.append([number, is_own, *keys[place], _NOT_PLAYED])
        played = [row for row in rows if row[WON] == _NOT_PLAYED]
        duels = self._play_on(waiting, [row[SAMPLE] for row in played])
        for row, winner in zip(played, duels["winner"].tolist(), strict=True):
            row[WON] = int(winner == self._job.mover)
        return rows

    def _check_mover(self, duel: Any) -> None:
        mover = self._job.mover
        if duel["asked_side"] != mover:
            raise InputError(
                f"the lines of do lead to a choice of {SIDES[mover]} with some hidden cards, "
                f"and of {SIDES[1 - mover]} with others",
                where=self._job.where,
                right="name the cards that answer",
            )

    def _choose(self, duel: Any, options: Any, number: int) -> int:
        """What the strategy of the side to move chooses."""
        self._scratch[0] = duel
        asked = self._scratch[0]
        asked["decisions"] += 1
        strategy = self._strategies[int(duel["asked_side"])]
        try:
            pick = int(strategy.choose(asked, self._tables, options.copy(), strategy.parameters))
        except Exception as fault:
            raise self._failed(asked, number, fault) from None
        if not 0 <= pick < int(options["n"]):
            raise self._failed(asked, number, None)
        return pick

    def _play_on(self, waiting: list[Any], numbers: list[int]) -> Any:
        """Play duels to their ends; their records. numbers: the sample of each."""
        duels = np.zeros(len(waiting), dtype=DUEL_DTYPE)
        for place, duel in enumerate(waiting):
            duels[place] = duel
        side_a, side_b = self._strategies
        plain = side_a.is_plain or side_b.is_plain
        loop = play_on if plain else _loop()
        records = duels.view(np.recarray) if plain or JIT_DISABLED else duels
        fault = None
        try:
            done = loop(
                records,
                self._tables,
                self._options,
                play.advance,
                play.choose,
                side_a.choose,
                side_b.choose,
                side_a.parameters,
                side_b.parameters,
            )
        except Exception as raised:
            done, fault = int(np.argmin(duels["over"])), raised
        if done < len(duels):
            raise self._failed(duels[done], numbers[done], fault)
        return duels

    def _failed(self, duel: Any, number: int, fault: Exception | None) -> InputError:
        """The error that a strategy raised something, or answered with no option (None)."""
        where = f"sample {number}, decision {int(duel['decisions'])}"
        name = self._strategies[int(duel["asked_side"])].name
        if fault is None:
            return InputError(f"strategy {name!r} chose an option that there is not", where=where)
        if isinstance(fault, InputError):  # a plain strategy's own
            return InputError(fault.what, where=where, right=fault.right)
        words = " ".join(f"{type(fault).__name__}: {fault}".split())
        return InputError(f"strategy {name!r} raised {words}", where=where)


@functools.cache
def _loop() -> Any:
    return playout_loop(play.DUEL, play.TABLES, play.OPTIONS)
