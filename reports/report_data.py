"""What a balance report is made of: the tables of its parts, as far as they are there.

A report that was stopped has fewer of them; every reader of this looks what is there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Final

import polars as pl

from reports import tempo
from reports.tempo_charts import LEADS, enemies_of, lead_turns, sides_of

#: The steps of LP behind that the table of comebacks has.
COMEBACKS: Final = (1, 3, 5, 8, 10, 12, 15, 18)


@dataclass(frozen=True)
class Example:
    """A duel worth watching: what it shows, in words, and the command that replays it."""

    title: str
    story: str
    command: str


@dataclass(frozen=True)
class About:
    """How the duels were played.

    Attributes
    ----------
    decks
        Their names, in the order asked for.
    strategy, seed, duels
        Of all sides; of the run; a matchup.
    swap_duels
        Of each card's variant against each opponent; 0 where no card was replaced.
    rules
        The rule options that differ from the rulebook's, as `key=value`.
    command
        What was typed, to be typed again.
    version
        Of the program.
    """

    decks: tuple[str, ...]
    strategy: str
    seed: int
    duels: int
    swap_duels: int
    rules: tuple[str, ...]
    command: str
    version: str


@dataclass
class ReportData:
    """The parts of a report; tables as `reports/README.md` has them, None or empty: not there.

    Attributes
    ----------
    lengths
        Columns a, b, turns, reason, duels.
    cards
        `reports.cards.card_table`, or `CardsSeen.table` where no card was replaced.
    patch, patch_cells, patch_label
        What a patch does to each deck, to each matchup, and the patch in words.
    tempo
        How the duels of each matchup ran.
    """

    about: About
    matrix: pl.DataFrame | None = None
    factions: pl.DataFrame | None = None
    cycles: pl.DataFrame | None = None
    lengths: pl.DataFrame | None = None
    cards: pl.DataFrame | None = None
    doings: pl.DataFrame | None = None
    patch: pl.DataFrame | None = None
    patch_cells: pl.DataFrame | None = None
    patch_label: str = ""
    tempo: list[tempo.TempoCounts] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)

    @property
    def has_swaps(self) -> bool:
        """Whether it is known what cards bring."""
        return self.cards is not None and "brings" in self.cards.columns

    @property
    def order(self) -> list[str]:
        """The decks, the strongest first where that is known."""
        if self.factions is not None and len(self.factions):
            return [str(deck) for deck in self.factions["deck"]]
        return list(self.about.decks)

    def tables(self) -> dict[str, pl.DataFrame]:
        """All tables by the names of their files."""
        whole = {
            "matchups": self.matrix,
            "factions": self.factions,
            "cycles": self.cycles,
            "lengths": self.lengths,
            "cards": self.cards,
            "doings": self.doings,
            "patch": self.patch,
            "patch_matchups": self.patch_cells,
        }
        found = {name: table for name, table in whole.items() if table is not None}
        if self.tempo:
            found |= self._tempo_tables()
        return found

    def _tempo_tables(self) -> dict[str, pl.DataFrame]:
        counts, decks = self.tempo, self.order
        values = tempo.lead_values(counts)
        by_deck = {
            "energy": [tempo.energy_shares(sides_of(counts, deck)) for deck in decks],
            "energy_by_turn": [tempo.energy_by_turn(sides_of(counts, deck)) for deck in decks],
            "lp_by_turn": [tempo.lp_curve(sides_of(counts, deck)) for deck in decks],
        }
        return {
            "leads": values,
            "leads_shown": tempo.leads_at(values, lead_turns(counts, 12), LEADS),
            "comebacks": tempo.comebacks(counts, COMEBACKS),
            "decided": tempo.decided_by(counts),
            "units_lost": units_lost(counts, decks),
            **{
                name: pl.concat(
                    table.select(pl.lit(deck).alias("deck"), pl.all())
                    for deck, table in zip(decks, tables, strict=True)
                )
                for name, tables in by_deck.items()
            },
        }

    def to_json(self) -> dict[str, Any]:
        """The report as a dict that `json.dumps` takes; tables are lists of rows."""
        about = self.about
        return {
            "decks": list(about.decks),
            "strategy": about.strategy,
            "seed": about.seed,
            "duels": about.duels,
            "swap_duels": about.swap_duels,
            "rules": list(about.rules),
            "command": about.command,
            "version": about.version,
            "patch": self.patch_label or None,
            "examples": [vars(example) for example in self.examples],
            "tables": {name: _rows(table) for name, table in self.tables().items()},
        }


def _rows(table: pl.DataFrame) -> list[dict[str, Any]]:
    """Rows in which what is no number is null, as JSON wants it."""
    return [
        {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in row.items()
        }
        for row in table.iter_rows(named=True)
    ]


def units_lost(counts: list[tempo.TempoCounts], decks: list[str]) -> pl.DataFrame:
    """Units a duel: columns deck, n (duels), and for came, lost and enemy_lost the mean, low, high.

    Lost are those that left the field: destroyed, sacrificed or taken back.
    """
    rows: list[dict[str, Any]] = []
    for deck in decks:
        row: dict[str, Any] = {"deck": deck}
        own = sides_of(counts, deck)
        for name, column, sides in (
            ("came", "arrived", own),
            ("lost", "left", own),
            ("enemy_lost", "left", enemies_of(counts, deck) or own),
        ):
            mean, interval, n = tempo.mean_of(sides, column)
            row["n"] = n if name != "enemy_lost" else row["n"]
            row |= {name: mean, f"{name}_low": interval.low, f"{name}_high": interval.high}
        rows.append(row)
    return pl.DataFrame(rows)


def with_seen(cards: pl.DataFrame) -> pl.DataFrame:
    """The table of cards with seen, seen_low, seen_high: win rate when drawn less when not.

    The ends are put together from those of the two rates (Zou, Huang and Zhang 2009; the source in
    `reports.bounded_mean`); the two kinds of duels are different ones.
    """
    drawn, rest = pl.col("drawn_win_rate"), pl.col("not_drawn_win_rate")
    below = (drawn - pl.col("drawn_low")) ** 2 + (pl.col("not_drawn_high") - rest) ** 2
    above = (pl.col("drawn_high") - drawn) ** 2 + (rest - pl.col("not_drawn_low")) ** 2
    seen = drawn - rest
    return cards.with_columns(
        seen.alias("seen"),
        (seen - below.sqrt()).alias("seen_low"),
        (seen + above.sqrt()).alias("seen_high"),
    )
