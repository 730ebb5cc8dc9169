"""The odds from a position, as a library: `sim.odds("position.toml", deck_b="sparta")`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from cards.ancient_duel.decks import Deck
from cards.ancient_duel.load import CardSet, card_set
from cards.ancient_duel.pack import pack
from cards.errors import InputError
from cards.files import read_toml
from sim import api
from sim.ancient_duel import position
from sim.ancient_duel.notation import SIDES
from sim.ancient_duel.odds import KEY_FROM, NO_CHOICE, OWN_CHOICE, SAMPLE, WON, Key, OddsJob
from sim.ancient_duel.scenario import check_shape, expectations, script_lines
from sim.ancient_duel.unknown_cards import separate
from sim.first_run import make_ready
from sim.run import Progress
from sim.shards import Shard
from sim.workers import Rows, play_spans
from strategies.ancient_duel.sight import public_key
from strategies.finder import Finder, StrategyLike
from strategies.registry import DEFAULT

if TYPE_CHECKING:
    from reports.odds import OddsSummary

SAMPLES: Final = 1_000
MOST_SAMPLES: Final = 10_000_000


@dataclass(frozen=True, repr=False)
class Odds:
    """The odds from a position; `summary` has the numbers (`reports.odds`)."""

    summary: OddsSummary

    def to_json(self) -> dict[str, Any]:
        """The odds as a dict that `json.dumps` takes; what `--json` prints."""
        return self.summary.to_json()

    def __repr__(self) -> str:
        rate = 100 * self.summary.rate.estimate
        return f"<Odds: {self.summary.side} to move wins {rate:.1f}%. {self.summary.finding}>"


def odds(
    file: str | Path | Mapping[str, Any],
    n: int = SAMPLES,
    *,
    deck_a: api.DeckLike | None = None,
    deck_b: api.DeckLike | None = None,
    strategy: StrategyLike = DEFAULT,
    strategy_a: StrategyLike | None = None,
    strategy_b: StrategyLike | None = None,
    seed: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> Odds:
    """How often the side to move wins from a position, and after each of its legal choices.

    Parameters
    ----------
    file
        A scenario file, or the tables of one. What it does not give is drawn anew in each sample
        by the rule of `sim.ancient_duel.unknown_cards`; its `do` is played first.
    n
        The number of samples. Every choice is tried in each of them.
    deck_a, deck_b
        The deck lists that unknown cards come from; None: the standard deck of the faction that
        all of the side's cards are of.
    strategy, strategy_a, strategy_b
        How both sides play on, or one of them.
    seed, workers, cluster, progress
        As of `sim.matchup`; progress counts samples.

    Raises
    ------
    InputError
        Something that was asked for cannot be; the text says what and where in one line.
    """
    api.check_number(n, "the number of samples (n)", 1, MOST_SAMPLES)
    players = api.who_plays(workers, cluster)
    seed = api.seed_of(seed)
    cards = card_set()
    decks = [None if deck is None else api.legal_deck(deck, cards) for deck in (deck_a, deck_b)]
    job = _job(file, decks, cards, (strategy_a or strategy, strategy_b or strategy), seed)
    make_ready(job.entries())
    job = _with_mover(job)
    parts = []
    done = 0
    for shard, rows in play_spans(job, [Shard(0, n)], players):
        parts.append(rows)
        done += shard.count
        if progress is not None:
            progress(done)
    rows = np.concatenate(parts)
    return Odds(_summary(job, rows[np.argsort(rows[:, SAMPLE], kind="stable")], n))


def _job(
    file: str | Path | Mapping[str, Any],
    decks: list[Deck | None],
    cards: CardSet,
    strategies: tuple[StrategyLike, StrategyLike],
    seed: int,
) -> OddsJob:
    if isinstance(file, Mapping):
        scenario, where = file, "scenario"
    else:
        scenario, where = read_toml(Path(file)), str(file)
    check_shape(scenario, where)
    expectations(scenario, where)
    rules = position.rules_of(scenario, where)
    tables, unknown = separate(scenario, decks, cards, where)
    base = position.build(tables, rules, cards, where)
    finder = Finder(cards)
    return OddsJob(
        base=base,
        unknown=unknown,
        lines=tuple(script_lines(scenario, cards, where)),
        tables=pack(cards, rules),
        cards=cards,
        seed=seed,
        strategy_a=finder.add(strategies[0]),
        strategy_b=finder.add(strategies[1]),
        find_strategy=finder,
        mover=int(base["active"]),
        key=public_key,
        where=where,
    )


def _with_mover(job: OddsJob) -> OddsJob:
    """The job with the side that chooses in the first sample as the side to move."""
    duel, _ = job.sample(0)
    if duel["over"]:
        raise InputError("the duel is over in this position", where=job.where)
    return replace(job, mover=int(duel["asked_side"]))


def _summary(job: OddsJob, rows: Rows, n: int) -> OddsSummary:
    from reports.intervals import independent_rate
    from reports.odds import OddsSummary, choice_odds

    own = rows[rows[:, OWN_CHOICE] == 1]
    tried = rows[rows[:, OWN_CHOICE] == 0]
    first_samples: dict[Key, int] = {}
    for row in tried.tolist():
        first_samples.setdefault(tuple(row[KEY_FROM:WON]), row[SAMPLE])
    texts = job.texts(first_samples)
    results = {text: np.full(n, -1, dtype=np.int8) for text in texts.values()}
    for row in tried.tolist():
        results[texts[tuple(row[KEY_FROM:WON])]][row[SAMPLE]] = row[WON]
    chosen: dict[str, int] = {}
    for row in own.tolist():
        key = tuple(row[KEY_FROM:WON])
        if key != NO_CHOICE:
            chosen[texts[key]] = chosen.get(texts[key], 0) + 1
    return OddsSummary(
        file=job.where,
        side=SIDES[job.mover],
        rate=independent_rate(int(own[:, WON].sum()), n),
        choices=choice_odds(results, chosen),
        n=n,
        seed=job.seed,
        strategy_a=job.strategy_a,
        strategy_b=job.strategy_b,
        decks=(job.unknown[0].deck_name, job.unknown[1].deck_name),
        beside=(job.unknown[0].beside, job.unknown[1].beside),
    )
