"""All decks against all others and themselves, in one run: `sim.matrix.matrix("all", 2_000)`."""

from __future__ import annotations

import bisect
import dataclasses
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from sim.ancient_duel import observe
from sim.ancient_duel.matchup import MatchupJob
from sim.ancient_duel.record import VERBS
from sim.api import DeckLike, Rules, Setup, seed_of
from sim.batch import ROW_WIDTH
from sim.field import ALL, Field, check_run, decks_of, field_of
from sim.first_run import make_ready
from sim.job_queue import play_jobs
from sim.output import PICTURES, check_file
from sim.replay import lost_workers_named
from sim.run import Progress
from sim.run_folder import RunFolder, run_folder
from sim.run_identity import field_identity, folder_name, identity
from sim.shard_files import MOST_FILES, AnswerFiles, DuelFiles
from sim.shards import Shard
from sim.table_files import write_tables
from sim.tally import Tally, duel_frame
from sim.workers import Job, Rows, Workers
from strategies.finder import StrategyLike
from strategies.registry import DEFAULT

if TYPE_CHECKING:
    from reports.cards import CardsSeen
    from reports.matrix import MatrixSummary

#: Duels of each matchup.
DUELS: Final = 2_000
#: Parts in which an observed matchup is counted, so that it is seen how much counts spread.
BATCHES: Final = 10

Book = npt.NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class Cell:
    """One matchup of a matrix.

    Attributes
    ----------
    a, b
        The places of its decks in the field.
    job
        What plays its duels again.
    counts, pairs
        The frames that `reports.matchup` documents.
    book
        What the cards did (`sim.ancient_duel.observe`), if that was asked for.
    chosen
        If so, its part of the choices made in each of `batches_of` the duels, one after another:
        shape (batches, 2, verbs, cards + 1), int32.
    """

    a: int
    b: int
    job: MatchupJob
    counts: pl.DataFrame
    pairs: pl.DataFrame
    book: Book | None = None
    chosen: npt.NDArray[np.int32] | None = None


@dataclass(frozen=True, repr=False)
class Matrix:
    """The result of a matrix.

    Attributes
    ----------
    summary
        The numbers with their intervals (`reports.matrix.MatrixSummary`).
    field
        The decks, cards and rules.
    cells
        The matchups' frames, in the order of `summary.cells`.
    """

    summary: MatrixSummary
    field: Field
    cells: tuple[Cell, ...]

    def cards(self) -> CardsSeen:
        """What the cards did, of a run with `observed=True` (`reports.cards`)."""
        from sim.ancient_duel.card_counts import cards_seen

        return cards_seen(self)

    def to_json(self) -> dict[str, Any]:
        """The result as a dict that `json.dumps` takes; what `--json` prints."""
        return {**self.summary.to_json(), "rules": self.field.rules.model_dump()}

    def tables(self) -> dict[str, pl.DataFrame]:
        """The tables by the names of their files (`reports/README.md`)."""
        found = {"matchups": self.summary.table()}
        factions = self.summary.factions
        if factions is not None:
            found |= {"factions": factions.table(), "cycles": factions.cycles_table()}
        return found

    def write(self, folder: str | Path) -> Path:
        """Write the tables as CSV and Parquet, and matrix.json; the folder.

        Raises
        ------
        InputError
            The folder cannot be written.
        """
        return write_tables(folder, self.tables(), "matrix", self.to_json())

    def chart(self, path: str | Path) -> Path:
        """Write the heatmap as PNG or SVG, by the suffix; the path (errors: `Matchup.chart`)."""
        from reports.matrix_chart import matrix_chart

        return matrix_chart(self.summary, check_file(Path(path), PICTURES))

    def __repr__(self) -> str:
        return f"<Matrix, seed {self.summary.seed}: {self.summary.finding}>"


@dataclass(frozen=True)
class ObservedMatchup:
    """A matchup whose answer for a shard is its rows and then its book, laid out flat."""

    job: MatchupJob

    def play(self, first: int, count: int) -> Rows:
        """The rows of duels first, first + 1, … and the book of what the cards did, int64."""
        rows, book = self.job.play_observed(first, count)
        # workers pass on whatever array a job returns
        return cast(Rows, np.concatenate([rows.ravel().astype(np.int64), book.ravel()]))


def matrix(
    decks: str | Sequence[DeckLike] = ALL,
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
    observed: bool = False,
    progress: Progress | None = None,
) -> Matrix:
    """Play every deck against every other one and against itself.

    Parameters
    ----------
    decks
        "all" for the standard decks, a text with commas, or decks.
    n
        Duels of each matchup.
    strategy, seed, workers, cluster, rules, rules_file, cards, progress
        As in `sim.matchup`. Each matchup has shuffles of its own; its seed is in the summary, and
        `sim.matchup` plays the same duels with it.
    out
        A folder for one row a duel as Parquet, in a folder for each matchup.
    resume
        Whether a run that is in the folder already is gone on with (see `sim.matchup`).
    observed
        Whether the book of what the cards did is wanted; such a run leaves no duels in a folder.

    Raises
    ------
    InputError
        Something that was asked for cannot be; the text says what and where in one line.
    """
    players = check_run(n, workers, cluster)
    if out is not None and observed:
        raise ValueError("a run that observes the cards keeps no duels")
    with run_folder(out, resume=resume) as kept:
        field = field_of(
            decks,
            strategy=strategy,
            seed=seed_of(seed, kept),
            rules=rules,
            rules_file=rules_file,
            cards=cards,
        )
        folders = None if kept is None else _folders(field, kept, n)
        return play_field(field, n, players, folders=folders, observed=observed, progress=progress)


def play_field(
    field: Field,
    n: int,
    workers: Workers,
    *,
    folders: Sequence[DuelFiles] | None = None,
    observed: bool = False,
    kept: Sequence[AnswerFiles] | None = None,
    progress: Progress | None = None,
) -> Matrix:
    """Play the matrix of a field (see `matrix`).

    For each matchup `folders` are where its duels are kept, or `kept` what was observed.
    """
    places = list(field.pairs())
    jobs = [field.job(a, b) for a, b in places]
    make_ready([*field.entries(), *(_observers() if observed else [])])
    tallies = [Tally(paired=field.paired) for _ in jobs]
    books = [_Pages(n) for _ in jobs] if observed else []
    done = 0

    def count(number: int, duels: pl.DataFrame) -> None:
        nonlocal done
        tallies[number].add(duels)
        done += len(duels)
        if progress is not None:
            progress(done)

    whole = batches_of(n) if observed else [Shard(0, n)]
    spans = [(number, span) for number in range(len(jobs)) for span in whole]
    if folders is not None:
        spans = []
        for number, folder in enumerate(folders):
            spans += [(number, gap) for gap in folder.missing(n)]
            for duels in folder.finished(n):
                count(number, duels)
    new, begun = 0, time.perf_counter()
    played: list[Job] = [ObservedMatchup(job) for job in jobs] if observed else [*jobs]
    least = 2 if folders is None else max(2, n // MOST_FILES)
    with lost_workers_named(field, places):
        for number, shard, answer, is_new in play_jobs(played, spans, workers, least, kept):
            rows, book = _parted(answer, shard.count) if observed else (answer, None)
            duels = duel_frame(shard.first, rows)
            if folders is not None:
                folders[number].write(duels)
            if book is not None:
                books[number].add(shard, book)
            count(number, duels)
            new += shard.count * is_new
    seconds = time.perf_counter() - begun
    cells = [
        Cell(a, b, job, tally.counts, tally.pairs)
        for (a, b), job, tally in zip(places, jobs, tallies, strict=True)
    ]
    if observed:
        cells = [
            dataclasses.replace(cell, book=pages.book, chosen=pages.chosen)
            for cell, pages in zip(cells, books, strict=True)
        ]
    return _summary(field, cells, new / seconds if new else None)


def duels_of(decks: str | Sequence[DeckLike], n: int, cards: Sequence[str | Path] = ()) -> int:
    """How many duels a matrix with these arguments has."""
    from cards.ancient_duel.load import amended_card_set, card_set

    known = amended_card_set([Path(path) for path in cards]) if cards else card_set()
    count = len(decks_of(decks, known))
    return count * (count + 1) // 2 * n


def batches_of(n: int) -> list[Shard]:
    """The parts in which the duels of an observed matchup are counted, of whole pairs."""
    parts = max(1, min(BATCHES, n // 2))
    ends = [n * part // parts // 2 * 2 for part in range(parts)] + [n]
    return [Shard(first, end - first) for first, end in itertools.pairwise(ends)]


class _Pages:
    """The book of a matchup, and its choices by batch."""

    def __init__(self, n: int) -> None:
        self.book = observe.new_book()
        self._batches = batches_of(n)
        width = (2, len(VERBS), self.book.shape[2])
        self.chosen = np.zeros((len(self._batches), *width), dtype=np.int32)

    def add(self, shard: Shard, book: Book) -> None:
        """Add the book of a shard, which lies in one batch."""
        self.book += book
        place = bisect.bisect_right([batch.first for batch in self._batches], shard.first) - 1
        made = book[:, observe.CHOSEN : observe.CHOSEN + len(VERBS)]
        self.chosen[place] += made.astype(np.int32)


def _observers() -> list[tuple[str, Any]]:
    return [("the observer", function) for function in (observe.watch, observe.close)]


def _parted(answer: npt.NDArray[Any], count: int) -> tuple[Rows, Book]:
    """The rows and the book of an observed shard."""
    rows, book = np.split(answer, [count * ROW_WIDTH])
    shape = observe.new_book().shape
    return rows.reshape(count, ROW_WIDTH).astype(np.int32), book.reshape(shape)


def _folders(field: Field, kept: RunFolder, n: int) -> list[DuelFiles]:
    """A folder for each matchup, with a manifest of its own; errors as `sim.run_folder`."""
    places = list(field.pairs())
    kept.claim(field_identity("matrix", field, n * len(places)))
    found = []
    for number, (a, b) in enumerate(places, 1):
        setup = Setup(field.cards, field.rules, (field.decks[a], field.decks[b]), field.job(a, b))
        name = folder_name(number, field.names[a], field.names[b])
        found.append(kept.duels_in(name, identity(setup, n)))
    return found


def _summary(field: Field, cells: Sequence[Cell], speed: float | None) -> Matrix:
    from reports.matchup import summarise, wins_of
    from reports.matrix import Counted, summarise_matrix

    counted = [
        Counted(
            cell.a,
            cell.b,
            summarise(
                cell.counts,
                cell.pairs,
                a=field.names[cell.a],
                b=field.names[cell.b],
                seed=cell.job.seed,
                strategy_a=cell.job.strategy_a,
                strategy_b=cell.job.strategy_b,
            ),
            wins_of(cell.counts, cell.pairs),
        )
        for cell in cells
    ]
    summary = summarise_matrix(
        field.names, counted, strategy=field.strategy, seed=field.seed, duels_per_second=speed
    )
    return Matrix(summary, field, tuple(cells))
