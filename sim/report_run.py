"""The runs of a balance report, one part after another: `duel-sim report`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from cards.ancient_duel.decks import Deck
from cards.ancient_duel.patch import Patched, patched
from cards.ancient_duel.rules import RuleSet
from cards.errors import InputError
from reports.report_data import About, ReportData, with_seen
from sim.ancient_duel import tempo
from sim.api import DeckLike, Rules
from sim.field import ALL, Field, check_run, decks_of, field_of
from sim.first_run import make_ready
from sim.job_queue import play_jobs
from sim.kept_matchups import answers_of
from sim.matrix import Matrix, play_field
from sim.replay import lost_workers_named
from sim.report_examples import examples
from sim.run import Progress
from sim.run_folder import RunFolder
from sim.run_identity import field_identity
from sim.shards import Shard
from sim.swaps import duels_of as swap_duels_of
from sim.swaps import swap_field
from sim.tempo_tally import TempoJob, TempoTally
from sim.what_if import patched_matrix
from sim.workers import Workers
from strategies.finder import StrategyLike
from strategies.registry import DEFAULT

if TYPE_CHECKING:
    from reports.changes import ChangesSummary
    from reports.tempo import TempoCounts

#: Duels of each matchup: the standard decks' report is done within three minutes on two cores.
DUELS: Final = 20_000
#: So many times fewer are played with each card replaced, against each opponent.
SWAP_SHARE: Final = 10


@dataclass(frozen=True, repr=False)
class Plan:
    """A report that can be played: everything is found and checked.

    Attributes
    ----------
    field
        The decks.
    asked
        How each deck is named on the command line.
    n, swap_n
        Duels of each matchup; of each card's variant against each opponent.
    patch
        What is changed, if anything.
    workers
        Who plays.
    """

    field: Field
    asked: tuple[str, ...]
    n: int
    swap_n: int
    patch: Patched | None
    workers: Workers
    _again: dict[str, Any]

    @property
    def matchups(self) -> list[tuple[int, int]]:
        """The places of the decks of every matchup, mirrors included."""
        return list(self.field.pairs())

    @property
    def duels(self) -> int:
        """How many duels all parts have together."""
        patch = 2 * self.n * len(list(self.field.pairs(mirrors=False))) if self.patch else 0
        return 2 * self.n * len(self.matchups) + swap_duels_of(self.field, self.swap_n) + patch


def plan(
    decks: str | Sequence[DeckLike] = ALL,
    n: int = DUELS,
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
) -> Plan:
    """Find and check everything that a report needs (parameters: `sim.matrix.matrix`).

    Parameters
    ----------
    n
        Duels of each matchup, made even.
    patch, changes
        A TOML file of changes, and single ones (`cards.ancient_duel.patch`).

    Raises
    ------
    InputError
        Something that was asked for cannot be; the text says what and where in one line.
    """
    players = check_run(n, workers, cluster, least=2)
    field = field_of(
        decks, strategy=strategy, seed=seed, rules=rules, rules_file=rules_file, cards=cards
    )
    done = None
    if patch is not None or changes:
        done = patched(field.cards, field.rules, changes, None if patch is None else Path(patch))
        field.under(done.cards, done.rules)
        if len(field.decks) == 1:
            raise InputError("one deck meets no other one", right="name two decks or more")
    asked = tuple(
        name if isinstance(each, Deck) or field.cards.is_faction(str(each)) else str(each)
        for each, name in zip(decks_of(decks, field.cards), field.names, strict=True)
    )
    again = {
        "decks": decks,
        "patch": patch,
        "changes": changes,
        "strategy": strategy,
        "workers": workers,
        "cluster": cluster,
        "rules": rules,
        "rules_file": rules_file,
        "cards": cards,
    }
    n -= n % 2
    return Plan(field, asked, n, max(2, n // SWAP_SHARE), done, players, again)


def about(plan: Plan, command: str, version: str) -> About:
    """How the duels of a plan are played, for the page."""
    usual = RuleSet().model_dump()
    rules = plan.field.rules.model_dump()
    return About(
        decks=plan.field.names,
        strategy=plan.field.strategy,
        seed=plan.field.seed,
        duels=plan.n,
        swap_duels=plan.swap_n,
        rules=tuple(
            f"{key}={_plain(value)}" for key, value in rules.items() if value != usual[key]
        ),
        command=command,
        version=version,
    )


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def claim(plan: Plan, folder: RunFolder | None) -> None:
    """Say in a folder that it is that of this report (errors: `RunFolder.claim`)."""
    if folder is not None:
        # parts are not made longer later, as the shards of some hold sums over many duels
        about = {"n": plan.n, "patch": None if plan.patch is None else str(plan.patch)}
        # nor do shards tell how much is done: some parts play several duels as one
        folder.claim({**field_identity("report", plan.field, None), **about})


def play(
    plan: Plan,
    data: ReportData,
    options: Sequence[str] = (),
    folder: RunFolder | None = None,
    progress: Progress | None = None,
) -> None:
    """Play a report part by part; what is finished is in `data`, whatever happens then.

    Parameters
    ----------
    options
        What the command that replays a duel must have besides decks, seed and number.
    folder
        Where the results of finished shards are kept, and found by a run that goes on; one that
        the plan has a claim to.
    progress
        Called with the number of duels that are done, of `Plan.duels`.
    """
    done = 0

    def part_of(n: int) -> Progress:
        """Progress of the next part, which has `n` duels."""
        nonlocal done
        before, done = done, done + n

        def show(duels: int) -> None:
            if progress is not None:
                progress(before + duels)

        return show

    size = plan.n * len(plan.matchups)
    matrix = play_field(
        plan.field,
        plan.n,
        plan.workers,
        observed=True,
        kept=answers_of(folder, plan.field, plan.matchups, "matrix"),
        progress=part_of(size),
    )
    _take_matrix(matrix, data)
    data.tempo = _play_tempo(plan, folder, part_of(size))
    data.examples = examples(plan.field, plan.asked, data, None, options)
    if plan.patch is not None:
        size = 2 * plan.n * len(list(plan.field.pairs(mirrors=False)))
        _play_patch(plan, data, folder, part_of(size))
    swaps = swap_field(
        plan.field,
        plan.swap_n,
        plan.workers,
        folder=folder,
        part="swaps",
        progress=part_of(swap_duels_of(plan.field, plan.swap_n)),
    )
    _take_swaps(matrix, swaps, data)
    data.examples = examples(plan.field, plan.asked, data, swaps, options)


def _take_matrix(matrix: Matrix, data: ReportData) -> None:
    names = matrix.field.names
    data.matrix = matrix.summary.table()
    if matrix.summary.factions is not None:
        data.factions = matrix.summary.factions.table()
        data.cycles = matrix.summary.factions.cycles_table()
    data.lengths = pl.concat(
        cell.counts.group_by("turns", "reason")
        .agg(pl.col("duels").sum())
        .sort("turns", "reason")
        .select(pl.lit(names[cell.a]).alias("a"), pl.lit(names[cell.b]).alias("b"), pl.all())
        for cell in matrix.cells
    )
    seen = matrix.cards()
    data.cards, data.doings = with_seen(seen.table()), seen.doings_table()


def _take_swaps(matrix: Matrix, swaps: ChangesSummary, data: ReportData) -> None:
    from reports.cards import card_table

    data.cards = with_seen(card_table(matrix.cards(), swaps)).sort(
        "brings", "deck", "card", descending=[True, False, False], nulls_last=True
    )


def _play_tempo(plan: Plan, folder: RunFolder | None, progress: Progress) -> list[TempoCounts]:
    """How the duels of the matrix run: the same ones, watched by another observer."""
    field = plan.field
    make_ready([("the observer", tempo.watch), ("the observer", tempo.close)])
    jobs = [TempoJob(field.job(a, b)) for a, b in plan.matchups]
    tallies = [TempoTally(paired=field.paired) for _ in jobs]
    done = 0
    spans = [(number, Shard(0, plan.n)) for number in range(len(jobs))]
    kept = answers_of(folder, field, plan.matchups, "tempo")
    with lost_workers_named(field, plan.matchups):
        for number, shard, answer, _ in play_jobs(jobs, spans, plan.workers, kept=kept):
            tallies[number].add(shard.first, answer)
            done += shard.count
            progress(done)
    return [
        tally.counts(field.names[a], field.names[b])
        for (a, b), tally in zip(plan.matchups, tallies, strict=True)
    ]


def _play_patch(
    plan: Plan, data: ReportData, folder: RunFolder | None, progress: Callable[[int], None]
) -> None:
    changes = patched_matrix(
        n=plan.n,
        seed=plan.field.seed,
        folder=folder,
        part="patch",
        progress=progress,
        **plan._again,
    )
    data.patch, data.patch_cells = changes.table(), changes.cells_table()
    data.patch_label = str(plan.patch)
