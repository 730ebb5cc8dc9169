"""What a patch would do: one matchup, or the whole matrix, before and after on the same seeds."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
import polars as pl

from cards.ancient_duel.decks import deck_numbers
from cards.ancient_duel.pack import pack
from cards.ancient_duel.patch import Patched, patched
from cards.errors import InputError
from sim.alternatives import play_alternatives
from sim.ancient_duel.comparison import aligned
from sim.ancient_duel.matchup import MatchupJob
from sim.api import (
    DeckLike,
    Rules,
    Setup,
    check_first,
    legal_deck,
    lost_workers_named_in,
    prepare,
    seed_of,
)
from sim.batch import ROW_WIDTH
from sim.field import ALL, check_run, field_of
from sim.first_run import make_ready
from sim.run import Progress
from sim.run_folder import RunFolder, run_folder
from sim.run_identity import identity, jobs_digest
from sim.shard_files import MOST_FILES, DuelFiles
from sim.shards import Shard
from sim.tally import DUEL_SCHEMA, Tally, duel_frame
from sim.variants import joint_counts
from sim.workers import Rows, Workers, play_spans
from strategies.finder import Finder, StrategyLike
from strategies.registry import DEFAULT

if TYPE_CHECKING:
    from reports.changes import ChangesSummary
    from reports.matchup import MatchupSummary

#: Duels of one matchup, and of each matchup of a matrix, before and after.
DUELS: Final = 10_000
MATRIX_DUELS: Final = 2_000
#: How the columns of a patched duel begin.
PATCHED: Final = "patched_"
_HALVES: Final = (slice(None, ROW_WIDTH), slice(ROW_WIDTH, None))


@dataclass(frozen=True, repr=False)
class PatchedMatchup:
    """A matchup before and after a patch.

    Attributes
    ----------
    patch
        What was changed.
    before, after
        The summaries of both runs.
    changes
        The paired difference of deck A's win rate (`reports.changes.ChangesSummary`, one change).
    """

    patch: Patched
    before: MatchupSummary
    after: MatchupSummary
    changes: ChangesSummary

    def to_json(self) -> dict[str, Any]:
        """The result as a dict that `json.dumps` takes; what `--json` prints."""
        change = self.changes.changes[0]
        row = change.row()
        kept = ("difference", "difference_low", "difference_high", "p", "correlation")
        return {
            "patch": [dataclasses.asdict(edit) for edit in self.patch.edits],
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "difference": {
                **{key: row[key] for key in (*kept, "error_times_smaller")},
                "ci95": list(change.difference.interval),
                "duels": change.duels,
                "shown": change.p <= 0.05,
            },
            "duels_per_second": self.changes.duels_per_second,
        }


@dataclass(frozen=True)
class BothWays:
    """A matchup and its patched form: their rows side by side, before first."""

    before: MatchupJob
    after: MatchupJob

    def play(self, first: int, count: int) -> Rows:
        """Play duels first, first + 1, … both ways; shape (count, 2 * ROW_WIDTH)."""
        rows = [self.before.play(first, count), self.after.play(first, count)]
        return cast(Rows, np.concatenate(rows, axis=1))


#: The columns of a duel both ways: those of `sim.tally.DUEL_SCHEMA`, then the patched duel's.
BOTH_SCHEMA: Final = pl.Schema(
    [
        *DUEL_SCHEMA.items(),
        *((f"{PATCHED}{name}", dtype) for name, dtype in DUEL_SCHEMA.items() if name != "duel"),
    ]
)


def both_frame(first_duel: int, rows: Rows) -> pl.DataFrame:
    """The rows of `BothWays` as a frame (`BOTH_SCHEMA`)."""
    halves = [duel_frame(first_duel, rows[:, half]) for half in _HALVES]
    after = halves[1].drop("duel")
    return halves[0].hstack(after.rename({name: f"{PATCHED}{name}" for name in after.columns}))


def before_of(both: pl.DataFrame) -> pl.DataFrame:
    """The duels as they are, of a frame with both."""
    return both.select(DUEL_SCHEMA.names())


def after_of(both: pl.DataFrame) -> pl.DataFrame:
    """The patched duels, of a frame with both."""
    after = [pl.col(f"{PATCHED}{name}").alias(name) for name in DUEL_SCHEMA.names()[1:]]
    return both.select("duel", *after)


def patched_matchup(
    a: DeckLike,
    b: DeckLike,
    n: int = DUELS,
    *,
    patch: str | Path | None = None,
    changes: Sequence[str] = (),
    strategy: StrategyLike = DEFAULT,
    strategy_a: StrategyLike | None = None,
    strategy_b: StrategyLike | None = None,
    seed: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    rules: Rules = (),
    rules_file: str | Path | None = None,
    cards: Sequence[str | Path] = (),
    out: str | Path | None = None,
    resume: bool = False,
    first: int = 0,
    progress: Progress | None = None,
) -> PatchedMatchup:
    """Play a matchup as it is and patched, on the same seeds.

    Parameters
    ----------
    n
        Duels of each, made even.
    patch, changes
        A TOML file of changes, and single ones, `path=value` (`cards.ancient_duel.patch`).
    a, b, strategy, strategy_a, strategy_b, seed, workers, cluster, rules, rules_file, cards
        As in `sim.matchup`. A faction's name means the patched standard deck in the patched run.
    out, resume, first
        As in `sim.matchup`; a duel's row has both its results.
    progress
        Called with the number of duels that are done, of both runs.

    Raises
    ------
    InputError
        Something that was asked for cannot be; the text says what and where in one line.
    """
    players = check_run(n, workers, cluster, least=2)
    check_first(first, out)
    with run_folder(out, resume=resume) as kept:
        setup = prepare(
            a,
            b,
            strategy_a=strategy_a or strategy,
            strategy_b=strategy_b or strategy,
            seed=seed_of(seed, kept),
            rules=rules,
            rules_file=rules_file,
            cards=cards,
        )
        done = patched(setup.cards, setup.rules, changes, None if patch is None else Path(patch))
        job = _patched_job(setup, done, (a, b), (strategy_a or strategy, strategy_b or strategy))
        n -= n % 2 if setup.job.paired else 0
        folder = None
        if kept is not None:
            about = {"patch": str(done), "patched": jobs_digest([job])}
            folder = kept.duels({**identity(setup, n), **about}, BOTH_SCHEMA)
        make_ready(setup.job.entries())
        with lost_workers_named_in(
            setup,
            (a, b),
            (strategy_a or strategy, strategy_b or strategy),
            cards,
            patch=patch,
            changes=changes,
        ):
            return _play(setup, job, done, Shard(first, n), players, folder, progress)


def patched_matrix(
    decks: str | Sequence[DeckLike] = ALL,
    n: int = MATRIX_DUELS,
    *,
    patch: str | Path | None = None,
    changes: Sequence[str] = (),
    strategy: StrategyLike = DEFAULT,
    seed: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    rules: Rules = (),
    rules_file: str | Path | None = None,
    cards: Sequence[str | Path] = (),
    folder: RunFolder | None = None,
    part: str = "",
    progress: Progress | None = None,
) -> ChangesSummary:
    """Play all matchups of different decks as they are and patched, on the same seeds.

    The result has one change for each deck: its average win rate against the others.

    Parameters
    ----------
    n
        Duels of each matchup before, and as many after; made even.
    patch, changes
        As in `patched_matchup`.
    decks, strategy, seed, workers, cluster, rules, rules_file, cards, progress
        As in `sim.matrix.matrix`.
    folder, part
        Where results are kept, of a run of which this is a part.

    Raises
    ------
    InputError
        Something that was asked for cannot be; the text says what and where in one line.
    """
    from reports.changes import deck_change, flipped, summarise_changes

    players = check_run(n, workers, cluster, least=2)
    field = field_of(
        decks, strategy=strategy, seed=seed, rules=rules, rules_file=rules_file, cards=cards
    )
    done = patched(field.cards, field.rules, changes, None if patch is None else Path(patch))
    places = list(field.pairs(mirrors=False))
    if not places:
        raise InputError("one deck meets no other one", right="name two decks or more")
    other = field.under(done.cards, done.rules)
    played = play_alternatives(
        field, [other], places, n, players, progress, folder=folder, part=part
    )
    size = 2 if played.paired else 1
    found = []
    for own, name in enumerate(field.names):
        met = [(place, joint[0]) for place, joint in zip(places, played.joint, strict=True)]
        seen = [
            (field.names[b if own == a else a], joint if own == a else flipped(joint, size))
            for (a, b), joint in met
            if own in (a, b)
        ]
        against, joints = zip(*seen, strict=True)
        found.append(deck_change(str(done), name, against, joints, paired=played.paired))
    return summarise_changes(
        found,
        strategy=field.strategy,
        seed=field.seed,
        duels_per_second=played.duels_per_second,
    )


def _patched_job(
    setup: Setup,
    done: Patched,
    asked: tuple[DeckLike, DeckLike],
    strategies: tuple[StrategyLike, StrategyLike],
) -> MatchupJob:
    """The patched matchup, with the decks laid out as they are in the other one."""
    finder = Finder(done.cards)
    names = [finder.add(strategy) for strategy in strategies]
    numbers = [
        aligned(old, deck_numbers(legal_deck(deck, done.cards), done.cards))
        for old, deck in zip((setup.job.deck_a, setup.job.deck_b), asked, strict=True)
    ]
    return dataclasses.replace(
        setup.job,
        deck_a=numbers[0],
        deck_b=numbers[1],
        tables=pack(done.cards, done.rules),
        strategy_a=names[0],
        strategy_b=names[1],
        find_strategy=finder,
    )


def _play(
    setup: Setup,
    after: MatchupJob,
    done: Patched,
    span: Shard,
    workers: Workers,
    folder: DuelFiles | None,
    progress: Progress | None,
) -> PatchedMatchup:
    from reports.changes import deck_change, summarise_changes
    from reports.matchup import summarise

    paired = setup.job.paired
    # Where the patch fixes who begins, both duels of a pair are one and the same.
    doubled = paired and done.rules.first_player != "random"
    tallies = [Tally(paired=paired), Tally(paired=paired and not doubled)]
    joint = np.zeros((3, 3), dtype=np.int64)
    done_duels = played = 0

    def count(duels: pl.DataFrame) -> None:
        nonlocal done_duels, joint
        halves = before_of(duels), after_of(duels)
        tallies[0].add(halves[0])
        tallies[1].add(halves[1].gather_every(2) if doubled else halves[1])
        won = np.stack([(rows["winner"] == "a").to_numpy() for rows in halves], axis=1)
        joint += joint_counts(won.astype(np.int8), 2 if paired else 1)[0]
        done_duels += 2 * len(duels)
        if progress is not None:
            progress(done_duels)

    spans = [span]
    if folder is not None:
        spans = folder.missing(span.end)
        for duels in folder.finished(span.end):
            count(duels)
    least = 2 if folder is None else max(2, span.end // MOST_FILES)
    begun = time.perf_counter()
    for shard, rows in play_spans(BothWays(setup.job, after), spans, workers, least):
        duels = both_frame(shard.first, rows)
        if folder is not None:
            folder.write(duels)
        count(duels)
        played += 2 * shard.count
    speed = played / (time.perf_counter() - begun) if played else None
    summaries = [
        summarise(
            tally.counts,
            tally.pairs,
            a=setup.names[0],
            b=setup.names[1],
            seed=setup.job.seed,
            strategy_a=setup.job.strategy_a,
            strategy_b=setup.job.strategy_b,
        )
        for tally in tallies
    ]
    change = deck_change(str(done), setup.names[0], [setup.names[1]], [joint], paired=paired)
    strategy = summaries[0].play(*setup.names)
    changes = summarise_changes(
        [change], strategy=strategy, seed=setup.job.seed, duels_per_second=speed
    )
    return PatchedMatchup(done, summaries[0], summaries[1], changes)
