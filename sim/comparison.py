"""Which of two lists is better: `sim.compare("rome", "my-rome.txt", against="all", n=20_000)`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cards.ancient_duel.rules import RuleSet
from cards.errors import InputError
from sim.ancient_duel.comparison import STRIDE, shared
from sim.api import (
    DUELS,
    MOST_DUELS,
    DeckLike,
    Rules,
    check_number,
    prepare,
    seed_of,
    who_plays,
)
from sim.comparison_plan import ALL, Against, Plan, opponents_of, plan_of
from sim.comparison_tally import ComparisonTally, comparison_frame
from sim.first_run import make_ready
from sim.job_queue import own_shard
from sim.output import PICTURES, check_file
from sim.replay import SAME_COMMAND
from sim.run import Progress
from sim.run_folder import run_folder
from sim.shard_files import MOST_FILES, DuelFiles
from sim.shards import Shard
from sim.workers import Player, WorkerLost, Workers
from strategies.finder import StrategyLike
from strategies.registry import DEFAULT

if TYPE_CHECKING:
    from reports.comparison import ComparisonSummary
    from reports.sequential import Sprt

#: Duels a list after which a sequential test gives up, unless it is told otherwise.
MOST_TESTED: Final = 1_000_000


@dataclass(frozen=True, repr=False)
class Comparison:
    """The result of a comparison.

    Attributes
    ----------
    summary
        The numbers with their intervals (`reports.comparison.ComparisonSummary`).
    rules
        The rule set that was played under.
    """

    summary: ComparisonSummary
    rules: RuleSet

    @property
    def verdict(self) -> str:
        """Which list is better and how certain that is, in words."""
        from reports.comparison_wording import verdict

        return verdict(self.summary)

    def to_json(self) -> dict[str, Any]:
        """The result as a dict that `json.dumps` takes; what `--json` prints."""
        return {
            **self.summary.to_json(),
            "verdict": self.verdict,
            "rules": self.rules.model_dump(),
        }

    def chart(self, path: str | Path) -> Path:
        """Write the chart as PNG or SVG, by the suffix; the path (errors: `Matchup.chart`)."""
        from reports.comparison_chart import comparison_chart

        return comparison_chart(self.summary, check_file(Path(path), PICTURES))

    def __repr__(self) -> str:
        return f"<Comparison, seed {self.summary.seed}: {self.verdict}>"


def compare(
    a: DeckLike,
    b: DeckLike,
    against: Against = ALL,
    n: int = DUELS,
    *,
    strategy: StrategyLike = DEFAULT,
    seed: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    rules: Rules = (),
    rules_file: str | Path | None = None,
    cards: Sequence[str | Path] = (),
    out: str | Path | None = None,
    resume: bool = False,
    sprt: tuple[float, float] | None = None,
    alpha: float = 0.05,
    beta: float = 0.05,
    max_n: int = MOST_TESTED,
    progress: Progress | None = None,
) -> Comparison:
    """Play two lists against the same opponents on the same seeds.

    Parameters
    ----------
    a, b
        The lists: as in `sim.matchup`.
    against
        The opponents: "all" for the standard decks, a text "DECK[:WEIGHT],…", or decks, with their
        weights as values if it is a mapping.
    n
        How many duels each list plays, over all opponents: at most so many, in whole pairs, shared
        out by the weights.
    strategy, seed, workers, cluster, rules, rules_file, cards, progress
        As in `sim.matchup`; both lists and all opponents play by the same strategy.
    out
        A folder for one row a duel and opponent as Parquet.
    resume
        Whether a run that is in the folder already is gone on with, for more duels too.
    sprt
        (no better, better) in points: play until a sequential test decides whether a is better than
        b by as much as the second or no more than the first; `n` does not count then.
    alpha, beta
        Its chances to say "better" where the first holds, "no better" where the second does.
    max_n
        Duels a list after which the test ends undecided.

    Raises
    ------
    InputError
        Something that was asked for cannot be; the text says what and where in one line.
    """
    players = who_plays(workers, cluster)
    test = None if sprt is None else _test(sprt, alpha, beta)
    most, what = (n, "the number of duels (n)") if test is None else (max_n, "max_n")
    check_number(most, what, 1, MOST_DUELS)
    asked = opponents_of(against)
    with run_folder(out, resume=resume) as kept:
        setup = prepare(
            a,
            asked[0][0],
            strategy_a=strategy,
            strategy_b=strategy,
            seed=seed_of(seed, kept),
            rules=rules,
            rules_file=rules_file,
            cards=cards,
        )
        plan = plan_of(setup, b, asked)
        if most < plan.least:
            raise InputError(
                f"{what} is {most}", right=f"at least {plan.least}, a pair for each opponent"
            )
        folders = None if kept is None else plan.folders(kept, most)
        make_ready(plan.job.entries())
        try:
            played = _play(plan, most, players, test, folders, progress)
        except WorkerLost as lost:
            raise _named(lost, plan) from None
        return _summary(plan, played, test)


def _named(lost: WorkerLost, plan: Plan) -> WorkerLost:
    """Lost workers with the names of the duels, which both lists play."""
    k, own = own_shard(lost.shard, STRIDE)
    of = f"{plan.list_a.name} and {plan.list_b.name} against {plan.names[k]}"
    return lost.of_job(k, own).named(of, SAME_COMMAND)


@dataclass(frozen=True)
class _Played:
    """A finished run: its tally, the pairs of a sequential test's last look, its speed."""

    tally: ComparisonTally
    duels_per_second: float | None


def _play(
    plan: Plan,
    most: int,
    workers: Workers,
    test: Sprt | None,
    folders: list[DuelFiles] | None,
    progress: Progress | None,
) -> _Played:
    """Play, in one go or from look to look, what the folders do not have yet."""
    tally = ComparisonTally(plan.watched, paired=plan.paired)
    done = [0] * len(plan.opponents)
    counted = played = 0
    seconds = 0.0

    def count(opponent: int, duels: Any) -> None:
        nonlocal counted
        tally.add(opponent, duels)
        counted += len(duels)
        if progress is not None:
            progress(2 * counted)

    with Player(plan.job, workers) as player:
        for duels in _looks(plan, most, test):
            ends = [plan.size * pairs for pairs in plan.pairs(duels)]
            spans = []
            for k, (begin, end) in enumerate(zip(done, ends, strict=True)):
                gaps = [Shard(begin, end - begin)] if end > begin else []
                if folders is not None:
                    gaps = folders[k].missing(end)
                    for frame in folders[k].finished(end, since=begin):
                        count(k, frame)
                spans += [Shard(k * STRIDE + gap.first, gap.count) for gap in gaps]
            begun = time.perf_counter()
            for shard, rows in player.play(spans, 2 if folders is None else duels // MOST_FILES):
                k, first = divmod(shard.first, STRIDE)
                frame = comparison_frame(first, rows, plan.watched)
                if folders is not None:
                    folders[k].write(frame)
                count(k, frame)
                played += 2 * shard.count
            seconds += time.perf_counter() - begun
            done = ends
            if test is not None and _answer(plan, tally, test) != "undecided":
                break
    return _Played(tally, played / seconds if played else None)


def _looks(plan: Plan, most: int, test: Sprt | None) -> Iterator[int]:
    """Duels a list at which a test looks, and the most that are played."""
    if test is not None:
        from reports.sequential import looks

        for pairs in looks(max(100, len(plan.opponents))):
            if pairs * plan.size >= most:
                break
            yield pairs * plan.size
    yield most


def _answer(plan: Plan, tally: ComparisonTally, test: Sprt) -> str:
    from reports.comparison import differences

    weights = [float(weight) for weight in plan.weights]
    return test.decide(differences(tally.pairs, weights, paired=plan.paired)[1])


def _summary(plan: Plan, played: _Played, test: Sprt | None) -> Comparison:
    from reports import comparison as report

    weights = [float(weight) for weight in plan.weights]
    pairs = played.tally.pairs
    against = report.summarise_against(pairs, plan.names, weights, paired=plan.paired, test=test)
    _, pooled = report.differences(pairs, weights, paired=plan.paired)
    total_pairs = sum(each.pairs for each in against)
    tested = None
    if test is not None:
        tested = report.Tested(test, test.decide(pooled), test.ratio(pooled), total_pairs)
    job = plan.job.against[0]
    summary = report.ComparisonSummary(
        a=plan.list_a.name,
        b=plan.list_b.name,
        strategy=job[0].strategy_a,
        seed=job[0].seed,
        duels=total_pairs * plan.size,
        paired=plan.paired,
        same=not plan.job.watched,
        shared_cards=shared(job[0].deck_a, job[1].deck_a),
        against=against,
        total_a=report.total_rate([each.rate_a for each in against], weights),
        total_b=report.total_rate([each.rate_b for each in against], weights),
        difference=report.total_difference(against, test, pooled),
        cards=_doings(plan, played.tally),
        tested=tested,
        duels_per_second=played.duels_per_second,
    )
    return Comparison(summary, plan.setups[0].rules)


def _doings(plan: Plan, tally: ComparisonTally) -> tuple[Any, ...]:
    """What the cards that the lists do not share did, by card, list a's first."""
    from reports.comparison import CardDoings

    counts = {"a": dict(plan.list_a.cards), "b": dict(plan.list_b.cards)}
    other = {"a": "b", "b": "a"}
    found = []
    for row in tally.cards.iter_rows(named=True):
        card, side = row.pop("card"), row.pop("list")
        copies = counts[side].get(card, 0)
        if copies:
            name = plan.cards.by_id[card].name_en
            others = counts[other[side]].get(card, 0)
            found.append(CardDoings(card, name, side, copies, others, **row))
    return tuple(sorted(found, key=lambda each: (plan.cards.number(each.id), each.in_list)))


def _test(sprt: tuple[float, float], alpha: float, beta: float) -> Sprt:
    from reports.sequential import Sprt

    worse, better = sprt
    if not -100 < worse < better < 100:  # not a number is caught here, too
        raise InputError(
            f"the hypotheses of the test are {worse:g} and {better:g}",
            right="two rising numbers of points, such as 0,2",
        )
    for name, error in (("alpha", alpha), ("beta", beta)):
        if not 0 < error < 0.5:
            raise InputError(f"{name} is {error:g}", right="a share between 0 and 0.5")
    return Sprt(worse / 100, better / 100, alpha, beta)
