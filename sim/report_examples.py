"""Duels worth watching: what stands out in a report, each with the command that replays it."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from cards.ancient_duel.blanks import with_blanks
from reports.finding import rate_words
from reports.findings import lopsided
from reports.intervals import quantile
from reports.report_data import Example, ReportData
from sim.ancient_duel import card_marks
from sim.batch import ROW_COLUMNS
from sim.field import Field
from sim.first_run import make_ready

if TYPE_CHECKING:
    from reports.changes import ChangesSummary

#: Duels among which one is looked for that a card decided.
_LOOKED_AT: Final = 1_000
_AT: Final = {name: number for number, name in enumerate(ROW_COLUMNS)}
Row = dict[str, Any]


def examples(
    field: Field,
    asked: Sequence[str],
    data: ReportData,
    swaps: ChangesSummary | None,
    options: Sequence[str],
) -> list[Example]:
    """The examples of a report.

    Parameters
    ----------
    asked
        How each deck of the field is named on the command line.
    data
        The report, with its matrix and how its duels ran.
    swaps
        What the cards bring, if that is known.
    options
        What the command must have besides decks, seed and number.
    """
    show = _Commands(field, asked, tuple(options))
    found = [*_extremes(show, data), *_typical(show, data)]
    if swaps is not None:
        found += _decided_by_card(show, data, swaps)
    return found


@dataclasses.dataclass(frozen=True)
class _Commands:
    """Commands that replay duels of a field."""

    field: Field
    asked: tuple[str, ...] | Sequence[str]
    options: tuple[str, ...]

    def watch(self, a: int, b: int, duel: int) -> str:
        """The command that replays a duel of decks number a and b."""
        words = ["duel-sim", "watch", self.asked[a], self.asked[b]]
        words += ["--seed", str(self.field.seed_of(a, b)), "--duel", str(duel), *self.options]
        return shlex.join(words)

    def places(self, a: str, b: str) -> tuple[int, int]:
        """The places of two decks by their names."""
        return self.field.names.index(a), self.field.names.index(b)


def _kept(data: ReportData) -> pl.DataFrame:
    """The single duels of all matchups that were kept: with a, b, turns, behind, lp, lp_loser."""
    frames = [
        counts.kept.select(pl.lit(counts.a).alias("a"), pl.lit(counts.b).alias("b"), pl.all())
        for counts in data.tempo
    ]

    def of_winner(name: str) -> pl.Expr:
        return pl.when(pl.col("winner") == 0).then(f"{name}_a").otherwise(f"{name}_b")

    return pl.concat(frames).with_columns(
        (pl.col("turns_a") + pl.col("turns_b")).alias("turns"),
        of_winner("behind").alias("behind"),
        of_winner("lp").alias("lp"),
        pl.when(pl.col("winner") == 0).then("lp_b").otherwise("lp_a").alias("lp_loser"),
        pl.when(pl.col("winner") == 0).then("a").otherwise("b").alias("won_by"),
    )


def _extremes(show: _Commands, data: ReportData) -> Iterator[Example]:
    kept = _kept(data)
    for title, column, down in (
        ("The longest duel", "turns", True),
        ("The shortest duel", "turns", False),
        ("The biggest comeback", "behind", True),
    ):
        # of several that are alike the first one, whatever the order in which they were played
        order = kept.with_row_index("row").sort(column, "row", descending=[down, False])
        row = order.row(0, named=True)
        story = _story(row)
        if column == "behind":
            story += f" The winner had been behind by {row['behind']} LP at the end of a turn."
        yield Example(title, story, _command(show, row))


def _command(show: _Commands, row: Row) -> str:
    return show.watch(*show.places(row["a"], row["b"]), row["duel"])


def _story(row: Row) -> str:
    """A duel in a sentence; in a mirror match the sides are told apart."""
    a, b = row["a"], row["b"]
    winner = row["won_by"]
    if a == b:
        winner += " (side a)" if row["winner"] == 0 else " (side b)"
    ending = "the other deck was empty" if row["by_deck"] else f"with {row['lp']} LP left"
    return f"{a} against {b}, {row['turns']} turns: {winner} won, {ending}."


def _typical(show: _Commands, data: ReportData) -> Iterator[Example]:
    """A duel of the most lopsided matchup that is as long, and as clear, as half of them."""
    assert data.matrix is not None
    row = lopsided(data.matrix)
    if row is None:
        return
    own = _kept(data).filter(
        (pl.col("a") == row["a"]) & (pl.col("b") == row["b"]) & (pl.col("won_by") == row["winner"])
    )
    if not len(own):
        return
    turns, lp = (quantile(own[name].to_list(), [1] * len(own), 0.5) for name in ("turns", "lp"))
    nearest = own.sort((pl.col("turns") - turns).abs(), (pl.col("lp") - lp).abs(), "duel")
    duel = nearest.row(0, named=True)
    yield Example(
        f"A typical duel of the most lopsided matchup: {row['winner']} beats {row['loser']}",
        f"{_story(duel)} {row['winner']} wins {rate_words(row, 'rate')} of them.",
        _command(show, duel),
    )


def _decided_by_card(show: _Commands, data: ReportData, swaps: ChangesSummary) -> Iterator[Example]:
    """A duel that the card which brings most won: with a plain card in its place it is lost."""
    assert data.cards is not None
    known = data.cards.filter(pl.col("flagged").fill_null(False) & (pl.col("brings") > 0))
    if not len(known):
        return
    suspect = known.sort("brings", "card", descending=[True, False]).row(0, named=True)
    cells = swaps.cells_table().filter(
        (pl.col("deck") == suspect["deck"]) & (pl.col("change") == suspect["card"])
    )
    # the difference is that of the plain card: the opponent against whom it costs most
    against = cells.sort("difference", "against").row(0, named=True)["against"]
    own, other = show.places(suspect["deck"], against)
    duel = _first_decided(show.field, own, other, suspect["card"])
    if duel is None:
        return
    number, turns, won_without = duel
    yield Example(
        f"{suspect['name_en']} decided it",
        f"{suspect['deck']} against {against}: {suspect['deck']} won in turn {turns}, having "
        f"played {suspect['name_en']}. With a plain card in its place the same shuffles are lost "
        f"in turn {won_without}.",
        show.watch(own, other, number),
    )


def _first_decided(field: Field, own: int, other: int, card: str) -> tuple[int, int, int] | None:
    """The duel nearest to the middle length that is won with a card and lost without it.

    Its number, its turns, and its turns with the plain card; None if there is none.
    """
    known, stands_for = with_blanks(field.cards, [card])
    field = field.under(known, field.rules)
    job = field.job(own, other)
    number, plain = known.number(card), known.number(stands_for[card])
    deck = np.where(job.deck_a == number, np.int16(plain), job.deck_a).astype(np.int16)
    make_ready([("the observer", card_marks.watch), ("the observer", card_marks.close)])
    rows, marks = job.play_marked(0, _LOOKED_AT, [number])
    without = dataclasses.replace(job, deck_a=deck).play(0, _LOOKED_AT)
    decided = np.flatnonzero(
        (rows[:, _AT["winner"]] == 0)
        & (without[:, _AT["winner"]] == 1)
        & (marks[:, 0] & card_marks.PLAYED != 0)
    )
    if not len(decided):
        return None
    turns = rows[:, _AT["turns_a"]] + rows[:, _AT["turns_b"]]
    far = np.abs(turns[decided] - np.median(turns))
    duel = int(decided[np.argmin(far)])
    lost = without[duel]
    return duel, int(turns[duel]), int(lost[_AT["turns_a"]] + lost[_AT["turns_b"]])
