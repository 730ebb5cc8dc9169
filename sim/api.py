"""duel-sim as a Python library: `import sim; sim.matchup("rome", "sparta", n=100_000)`.

The command line uses these functions, too. They are also safe in a notebook and in a script without
a main guard: worker processes never run the caller's own code.
"""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cards.ancient_duel.decks import Deck, check_deck, deck_numbers
from cards.ancient_duel.load import CardSet, amended_card_set, card_set
from cards.ancient_duel.pack import pack
from cards.ancient_duel.rules import RuleSet, rule_set
from cards.ancient_duel.shipped_decks import find_deck
from cards.errors import InputError
from cards.names import quote, shorten
from sim.ancient_duel.matchup import MatchupJob
from sim.first_run import make_ready
from sim.output import PICTURES, check_file
from sim.replay import replay_command, replay_text
from sim.run import Progress, run
from sim.run_folder import RunFolder, run_folder
from sim.run_identity import identity
from sim.workers import WorkerLost, Workers, cores
from strategies.finder import Finder, StrategyLike
from strategies.registry import DEFAULT

if TYPE_CHECKING:
    import polars as pl

    from reports.intervals import Rate
    from reports.matchup import MatchupSummary
    from reports.sequential import Stopping
    from sim.tally import Tally

DUELS: Final = 10_000
MOST_DUELS: Final = 10**12
MOST_WORKERS: Final = 1_024
LARGEST_SEED: Final = 2**63 - 1
#: Points. So narrow an interval takes some 4 * 10**9 duels; narrower ones nobody waits for.
LEAST_UNTIL: Final = 0.001
#: A seed that nobody chose is short enough to be typed again.
_DRAWN_SEEDS: Final = 10**9

DeckLike = str | Path | Deck
Rules = Mapping[str, Any] | Sequence[str] | RuleSet


@dataclass(frozen=True, repr=False)
class Setup:
    """Decks, rules and strategies of a matchup, found and checked.

    Attributes
    ----------
    cards
        The card set in use.
    rules
        The rule set.
    decks
        The decks of sides a and b.
    job
        What plays the duels.
    """

    cards: CardSet
    rules: RuleSet
    decks: tuple[Deck, Deck]
    job: MatchupJob

    @property
    def names(self) -> tuple[str, str]:
        """The decks' names."""
        return self.decks[0].name, self.decks[1].name


@dataclass(frozen=True, repr=False)
class Matchup:
    """The result of a matchup.

    Attributes
    ----------
    summary
        The numbers with their intervals (`reports.matchup.MatchupSummary`).
    counts, pairs
        Polars frames of like duels and like pairs, as `reports.matchup` documents them.
    duels
        A Polars frame of one row a duel (`sim.tally.DUEL_SCHEMA`), with `keep_duels=True`;
        otherwise None.
    rules
        The rule set that was played under.
    stopping
        With `until`: whether the interval became as narrow as that (`reports.sequential`).
    """

    summary: MatchupSummary
    counts: pl.DataFrame
    pairs: pl.DataFrame
    rules: RuleSet
    duels: pl.DataFrame | None = None
    stopping: Stopping | None = None

    def to_json(self) -> dict[str, Any]:
        """The result as a dict that `json.dumps` takes; what `--json` prints."""
        stopping = {} if self.stopping is None else {"stopping": self.stopping.to_json()}
        return {**self.summary.to_json(), **stopping, "rules": self.rules.model_dump()}

    def chart(self, path: str | Path) -> Path:
        """Write the chart as PNG or SVG, by the suffix; the path.

        Raises
        ------
        InputError
            Another suffix, or a place that cannot be written.
        """
        from reports.charts import matchup_chart

        return matchup_chart(self.summary, self.counts, check_file(Path(path), PICTURES))

    def __repr__(self) -> str:
        return f"<Matchup, seed {self.summary.seed}: {self.summary.finding}>"


def matchup(
    a: DeckLike,
    b: DeckLike,
    n: int | None = None,
    *,
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
    keep_duels: bool = False,
    until: float | None = None,
    progress: Progress | None = None,
) -> Matchup:
    """Play deck A against deck B.

    The result is a function of everything but `workers`, `cluster`, `out`, `resume`, `keep_duels`
    and `progress`.

    Parameters
    ----------
    a, b
        A faction (English or Russian name, any case), a deck file, or a `Deck`.
    n
        The number of duels (10,000 if not given). Duels 2p and 2p + 1 are a pair: same shuffles,
        the other side begins. With `until`, the most duels (without a limit if not given).
    strategy, strategy_a, strategy_b
        How both sides play, or one of them: a name, a file, or a function of a view
        (`strategies.ancient_duel.view`), a notebook's own too.
    seed
        0 to 2**63 - 1; None: drawn, and told in the summary.
    workers
        Processes that play; None: one for each core. A short run is played in this process.
    cluster
        A Dask cluster that plays instead: the address of its scheduler, `tcp://HOST:PORT`, or
        "local" for one of `workers` processes here. The connection stays for the next run.
    rules
        Rule options that differ from the rulebook's: a table, `key=value` strings, or a `RuleSet`.
    rules_file
        A TOML file of rule options; `rules` come on top.
    cards
        Faction files that take the place of the game's own.
    out
        A folder for one row a duel as Parquet.
    resume
        Whether a run that is in the folder already is gone on with, for more duels too. None there:
        the run just begins. Without it such a folder is an error.
    first
        The number of the first duel, even, to play a part of a run again; `out` and `until` are for
        a whole run.
    keep_duels
        Whether `.duels` is wanted; it takes some 50 bytes of memory a duel.
    until
        Points: play until both ends of the win rate's 95 % interval lie within so many of it, by a
        rule that allows for looking more than once (`reports.sequential`).
    progress
        Called with the number of duels that are done.

    Raises
    ------
    InputError
        Something that was asked for cannot be; the text says what and where in one line.
    OutputError
        The disk is full. What is in the folder by then can be gone on with.
    """
    if until is not None and not LEAST_UNTIL <= until <= 50:
        raise InputError(f"until is {until:g} points", right=f"from {LEAST_UNTIL:g} to 50")
    if n is None:
        n = DUELS if until is None else MOST_DUELS
    check_number(n, "the number of duels (n)", 1, MOST_DUELS)
    check_first(first, out, until)
    players = who_plays(workers, cluster)
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
        most = None if until is not None and n == MOST_DUELS else n
        folder = None if kept is None else kept.duels(identity(setup, most))
        make_ready(setup.job.entries())
        with lost_workers_named_in(
            setup, (a, b), (strategy_a or strategy, strategy_b or strategy), cards
        ):
            played = run(
                setup.job,
                n,
                paired=setup.job.paired,
                workers=players,
                folder=folder,
                first=first,
                keep_duels=keep_duels,
                progress=progress,
                looks=() if until is None else _looks(),
                enough=None if until is None else _narrow_enough(until),
            )
    from reports.matchup import summarise

    summary = summarise(
        played.counts,
        played.pairs,
        a=setup.names[0],
        b=setup.names[1],
        seed=setup.job.seed,
        strategy_a=setup.job.strategy_a,
        strategy_b=setup.job.strategy_b,
        duels_per_second=played.duels_per_second,
    )
    stopping = None
    if until is not None:
        from reports.sequential import Stopping

        rate = _stopped_rate(played.counts, played.pairs)
        summary = dataclasses.replace(summary, win_rate_a=rate)
        stopping = Stopping(until / 100, rate)
    return Matchup(summary, played.counts, played.pairs, setup.rules, played.duels, stopping)


def check_first(first: int, out: str | Path | None, until: float | None = None) -> None:
    """Raise an `InputError` unless a run may begin with duel number `first`."""
    check_number(first, "the number of the first duel", 0, 2**60)
    if first % 2:
        raise InputError(
            f"the first duel is number {first}",
            right=f"begin with {first - 1}: duels come in pairs",
        )
    if first and (out is not None or until is not None):
        raise InputError("some duels of a run are no run", right="leave --out and --until out")


@contextmanager
def lost_workers_named_in(
    setup: Setup,
    decks: Sequence[DeckLike],
    strategies: Sequence[StrategyLike],
    cards: Sequence[str | Path],
    patch: str | Path | None = None,
    changes: Sequence[str] = (),
) -> Iterator[None]:
    """Say of lost workers how to play their duels of a matchup again."""
    try:
        yield
    except WorkerLost as lost:
        command = replay_command(
            decks,
            lost.shard,
            seed=setup.job.seed,
            strategies=strategies,
            rules=setup.rules,
            cards=cards,
            patch=patch,
            changes=changes,
        )
        raise lost.named(" against ".join(setup.names), replay_text(command)) from None


def _looks() -> Iterator[int]:
    """Numbers of duels at which a run with `until` looks how sure it is."""
    from reports.sequential import looks

    return (2 * pairs for pairs in looks())


def _narrow_enough(until: float) -> Callable[[Tally], bool]:
    from reports.sequential import close_enough

    return lambda tally: close_enough(_stopped_rate(tally.counts, tally.pairs), until / 100)


def _stopped_rate(counts: pl.DataFrame, pairs: pl.DataFrame) -> Rate:
    from reports.matchup import wins_of
    from reports.sequential import stopped_rate

    return stopped_rate(*wins_of(counts, pairs))


def prepare(
    a: DeckLike,
    b: DeckLike,
    *,
    strategy_a: StrategyLike,
    strategy_b: StrategyLike,
    seed: int,
    rules: Rules = (),
    rules_file: str | Path | None = None,
    cards: Sequence[str | Path] = (),
) -> Setup:
    """Find and check everything that a duel needs (see `matchup`).

    Raises
    ------
    InputError
        As `matchup`.
    """
    known = amended_card_set([Path(path) for path in cards]) if cards else card_set()
    chosen = _rules(rules, rules_file)
    decks = (legal_deck(a, known), legal_deck(b, known))
    finder = Finder(known)
    job = MatchupJob(
        deck_a=deck_numbers(decks[0], known),
        deck_b=deck_numbers(decks[1], known),
        tables=pack(known, chosen),
        seed=seed,
        paired=chosen.first_player == "random",
        strategy_a=finder.add(strategy_a),
        strategy_b=finder.add(strategy_b),
        find_strategy=finder,
    )
    return Setup(known, chosen, decks, job)


def seed_of(seed: int | None, folder: RunFolder | None = None) -> int:
    """The seed asked for; else that of the run that the folder holds; else a new one.

    Raises
    ------
    InputError
        It is out of range.
    """
    if seed is not None:
        check_number(seed, "the seed", 0, LARGEST_SEED)
        return seed
    kept = None if folder is None else folder.seed
    return secrets.randbelow(_DRAWN_SEEDS) if kept is None else kept


def check_number(value: Any, what: str, least: int, most: int) -> None:
    """Raise an `InputError` unless a value is a whole number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InputError(
            f"{what} is {quote(value) if isinstance(value, str) else shorten(str(value))}",
            right=f"a whole number from {least} to {most}",
        )


def who_plays(workers: int | None, cluster: str | None) -> Workers:
    """Who plays a run (`workers` and `cluster` as in `matchup`).

    Raises
    ------
    InputError
        The number is out of range, or the cluster cannot be used.
    """
    if workers is not None:
        check_number(workers, "the number of workers", 1, MOST_WORKERS)
    if cluster is None:
        return cores() if workers is None else workers
    from sim.cluster import connected

    return connected(cluster, workers)


def _rules(rules: Rules, file: str | Path | None) -> RuleSet:
    path = None if file is None else Path(file)
    if isinstance(rules, RuleSet):
        return rules
    if not isinstance(rules, Mapping):
        return rule_set(path, tuple(rules))
    table = rule_set(path).model_dump() if path is not None else {}
    return RuleSet.from_table({**table, **rules}, "rules")


def legal_deck(deck: DeckLike, cards: CardSet) -> Deck:
    """The deck that is meant (`shipped_decks.find_deck`), or an `InputError` if it is not legal."""
    if isinstance(deck, Deck):
        return check_deck(deck, cards, where=deck.name)
    return find_deck(str(deck), cards)
