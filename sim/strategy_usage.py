"""What a strategy does with its options, observed in mirror matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from sim import api
from sim.ancient_duel import observe
from sim.ancient_duel.matchup import MatchupJob
from sim.ancient_duel.record import VERBS
from sim.first_run import make_ready
from sim.run import Progress
from sim.shards import Shard
from sim.workers import Rows, play_spans
from strategies.finder import StrategyLike

if TYPE_CHECKING:
    import polars as pl

    from reports.usage import Usage

#: Duels of each deck's mirror match.
DUELS: Final = 1_000


@dataclass(frozen=True)
class ObservedJob:
    """A job whose rows are the book of what the cards did."""

    job: MatchupJob

    def play(self, first: int, count: int) -> Rows:
        """The book of duels first, first + 1, …; books of shards add up."""
        # workers pass on whatever array a job returns
        return cast(Rows, self.job.play_observed(first, count)[1])


def usage(
    strategy: StrategyLike,
    n: int = DUELS,
    *,
    seed: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    cards: Sequence[str | Path] = (),
    progress: Progress | None = None,
) -> Usage:
    """How often a strategy is offered, and uses, each kind of option and each card.

    Parameters
    ----------
    strategy
        It plays both sides.
    n
        Duels of each standard deck against itself.
    seed, workers, cluster, cards, progress
        As of `sim.matchup`.

    Raises
    ------
    InputError
        Something that was asked for cannot be.
    """
    import polars as pl

    from reports.usage import COLUMNS, Usage

    players = api.who_plays(workers, cluster)
    seed = api.seed_of(seed)
    known = api.prepare(
        "rome", "rome", strategy_a=strategy, strategy_b=strategy, seed=seed, cards=cards
    ).cards
    rows: list[dict[str, Any]] = []
    decks: dict[str, str] = {}
    done = 0
    for faction in known.factions:
        setup = api.prepare(
            faction.id,
            faction.id,
            strategy_a=strategy,
            strategy_b=strategy,
            seed=seed,
            cards=cards,
        )
        make_ready([*setup.job.entries(), *_observers()])
        book = observe.new_book()
        job = ObservedJob(setup.job)
        for shard, found in play_spans(job, [Shard(0, n)], players):
            book += found
            done += shard.count
            if progress is not None:
                progress(done)
        rows += _rows(book, setup.names[0], known)
        decks.update((card, known.by_id[card].kind) for card, _ in setup.decks[0].cards)
    frame: pl.DataFrame = pl.DataFrame(rows, schema=_schema(COLUMNS))
    name = setup.job.strategy_a
    return Usage(name, done, seed, frame, tuple(decks.items()))


def _observers() -> list[tuple[str, Any]]:
    return [("the observer", function) for function in (observe.watch, observe.close)]


def _schema(columns: Sequence[str]) -> dict[str, Any]:
    import polars as pl

    numbers = ("offered", "chosen")
    return {name: pl.Int64 if name in numbers else pl.String for name in columns}


def _rows(book: np.ndarray[Any, Any], deck: str, known: Any) -> list[dict[str, Any]]:
    """The rows of a book: both sides together, what was never offered left out."""
    both = book.sum(axis=0)
    rows = []
    for number, verb in enumerate(VERBS):
        offered, chosen = both[observe.OFFERED + number], both[observe.CHOSEN + number]
        for card in np.flatnonzero(offered).tolist():
            named = card != observe.NO_CARD
            facts = known.cards[card] if named else None
            rows.append(
                {
                    "deck": deck,
                    "verb": verb,
                    "card": facts.id if facts is not None else "",
                    "kind": facts.kind if facts is not None else "",
                    "offered": int(offered[card]),
                    "chosen": int(chosen[card]),
                }
            )
    return rows
