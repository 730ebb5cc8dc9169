"""One duel of a matchup, told: every choice, and what came of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cards.ancient_duel.load import CardSet
from sim.ancient_duel import play
from sim.ancient_duel.chronicle import changes
from sim.ancient_duel.game import Game
from sim.ancient_duel.matchup import MatchupJob, no_such_option
from sim.ancient_duel.notation import SIDES
from sim.ancient_duel.record import new_duels
from sim.ancient_duel.result import REASONS, result_of
from sim.compiled import ready


@dataclass(frozen=True)
class Choice:
    """A choice and what happened until the next one.

    Attributes
    ----------
    side
        Who chose, "a" or "b".
    text
        The choice, as scenario files write it.
    options
        How many there were; a choice of one was made by itself.
    phase
        The phase in which it was made.
    changes
        What happened, in lines for people.
    """

    side: str
    text: str
    options: int
    phase: str
    changes: tuple[str, ...]


@dataclass(frozen=True)
class Turn:
    """A turn of one side.

    Attributes
    ----------
    number
        Among both sides' turns, from 1.
    side
        Whose turn it is.
    own_number
        Among that side's turns, from 1.
    changes
        What happened before the first choice: the draw, the energy, effects at the start.
    field
        How both sides stand at the first choice: a table for "a" and one for "b".
    choices
        All choices of the turn, the other side's answers among them.
    """

    number: int
    side: str
    own_number: int
    changes: tuple[str, ...]
    field: Mapping[str, Any]
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Story:
    """A whole duel; `end` is how both sides stand then, `decisions` as in a matchup's rows."""

    first: str
    winner: str
    reason: str
    decisions: int
    turns: tuple[Turn, ...]
    end: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The story as a dict that `json.dumps` takes."""
        return asdict(self)


def watch(job: MatchupJob, cards: CardSet, number: int) -> Story:
    """Play duel `number` (from 0) of a matchup; the same duel as a batch plays."""
    for _, function in job.entries():
        ready(function)
    duel = new_duels(1)[0]
    tables = job.tables.view(np.recarray)[0]
    pair, second = divmod(number, 2) if job.paired else (number, 0)
    play.start(duel, tables, job.deck_a, job.deck_b, np.uint64(job.seed), np.uint64(pair), second)
    opening = result_of(duel, job.tables, cards, (), ())
    game = Game(duel, job.tables, cards)
    turns = tuple(_turns(game, job, number, opening))
    return Story(
        first=SIDES[int(duel["first"])],
        winner=SIDES[int(duel["winner"])],
        reason=REASONS[int(duel["reason"])],
        decisions=int(duel["decisions"]),
        turns=turns,
        end=_both_sides(game.result()),
    )


def _turns(
    game: Game, job: MatchupJob, duel_number: int, opening: Mapping[str, Any]
) -> Iterator[Turn]:
    """The turns of a duel, played as they are asked for."""
    now = game.result()
    lines = changes(opening, now)
    for number in itertools.count(1):
        start, choices = now, []
        while game.waits and _turn_of(now) == _turn_of(start):
            asked = (game.side, int(game.options["n"]), now["phase"])
            text = _choose(game, job, duel_number)
            before, now = now, game.result()
            told = changes(before, now)
            # What begins the next turn is told there.
            last = game.waits and _turn_of(now) != _turn_of(start)
            choices.append(Choice(asked[0], text, asked[1], asked[2], () if last else tuple(told)))
        side, own_number = _turn_of(start)
        yield Turn(number, side, own_number, tuple(lines), _both_sides(start), tuple(choices))
        if not game.waits:
            return
        lines = told


def _choose(game: Game, job: MatchupJob, number: int) -> str:
    """Make the choice that the side's strategy makes, as `sim.batch.play_duels` does; its text."""
    pick = 0
    if game.options["n"] > 1:
        game.duel["decisions"] += 1
        name = job.strategy_a if game.side == "a" else job.strategy_b
        strategy = job.find_strategy(name)
        tables = job.tables.view(np.recarray)[0]
        pick = int(strategy.choose(game.duel, tables, game.options, strategy.parameters))
        if not 0 <= pick < int(game.options["n"]):
            raise no_such_option(strategy.name, game.duel, number)
    text = game.texts[pick]
    game.choose(pick)
    return text


def _turn_of(result: Mapping[str, Any]) -> tuple[str, int]:
    """Whose turn it is, and which of that side's."""
    return result["active"], result["turn"]


def _both_sides(result: Mapping[str, Any]) -> dict[str, Any]:
    return {side: result[side] for side in SIDES}
