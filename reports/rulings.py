"""Which conclusions depend on a ruling: the matrix under alternatives, on the same seeds.

Two kinds of conclusion are looked at. **Who is favoured** in a matchup: shown where the win rate
deviates from 50 % after the correction over the matchups of one matrix (`reports.significance`).
**The order of the decks** by their average against the others: two decks' order is shown where the
intervals of their averages do not overlap, which asks for more than a test of their difference.

A matchup is said to have moved where the paired difference is shown after the correction over all
matchups and rulings. Only then does a conclusion depend on the ruling: that something is shown here
and not there may be chance (Gelman A. and Stern H. (2006), The difference between "significant" and
"not significant" is not itself statistically significant, The American Statistician 60:328-331).

Under `first_player=a` the deck that is named first begins every duel of a matchup; in the order
each deck's average is that of the duels that it began. Under `first_player=b` it is the other way
round. Both rest on half of the duels.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl

from reports.changes import CellChange, Change, Counts, cell_change, deck_change, flipped
from reports.comparison import Share
from reports.intervals import Interval, PairCounts
from reports.significance import CORRECTION, LEVEL, adjusted, even_p

#: What becomes of who is favoured: it stays; turns round; is not shown any more; is shown only now;
#: or it is shown only here or only there, but the win rate is not shown to move.
VERDICTS: Final = ("same", "reversed", "lost", "new", "unclear")
BEGINS: Final = ("first_player=a", "first_player=b")


@dataclass(frozen=True, slots=True)
class RuledMatchup:
    """One matchup under a ruling.

    Attributes
    ----------
    a, b
        The decks' names; win rates are a's.
    change
        Before and after.
    favoured_before, favoured_after
        The deck that is shown to be favoured, None if none is.
    """

    a: str
    b: str
    change: CellChange
    favoured_before: str | None
    favoured_after: str | None

    @property
    def verdict(self) -> str:
        """What became of the conclusion who is favoured: one of `VERDICTS`."""
        if self.favoured_before == self.favoured_after:
            return "same"
        if not self.change.flagged:
            return "unclear"
        if self.favoured_before is None:
            return "new"
        return "lost" if self.favoured_after is None else "reversed"

    def duels(self, ruling: str) -> int:
        """How many duels the win rate under the ruling rests on."""
        duels = self.change.after.duels
        return duels // 2 if ruling in BEGINS else duels

    def row(self, ruling: str) -> dict[str, Any]:
        """The matchup as a row of the table (`reports/README.md`)."""
        found = self.change.row()
        del found["against"]
        return {
            "ruling": ruling,
            "a": self.a,
            "b": self.b,
            **found,
            "duels": self.duels(ruling),
            "favoured_before": self.favoured_before,
            "favoured_after": self.favoured_after,
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True)
class Ruling:
    """The matrix under one ruling.

    Attributes
    ----------
    ruling
        What is read otherwise: `reposition=false`.
    matchups
        All matchups of different decks.
    averages
        The decks' names and averages under the ruling, the strongest first.
    turned
        Pairs of decks (first, second) of which the first is shown to be stronger as it is, and the
        second under the ruling.
    """

    ruling: str
    matchups: tuple[RuledMatchup, ...]
    averages: tuple[tuple[str, Share], ...]
    turned: tuple[tuple[str, str], ...]

    def having(self, verdict: str) -> list[RuledMatchup]:
        """The matchups with a verdict."""
        return [each for each in self.matchups if each.verdict == verdict]

    @property
    def moved(self) -> list[RuledMatchup]:
        """The matchups whose win rate is shown to move."""
        return [each for each in self.matchups if each.change.flagged]

    @property
    def biggest(self) -> RuledMatchup:
        """The matchup that moves most."""
        return max(self.matchups, key=lambda each: abs(each.change.difference.estimate))

    @property
    def order(self) -> tuple[str, ...]:
        """The decks by their average."""
        return tuple(name for name, _ in self.averages)

    def row(self) -> dict[str, Any]:
        """The ruling as a row of the table (`reports/README.md`)."""
        biggest = self.biggest
        difference = biggest.change.difference
        return {
            "ruling": self.ruling,
            "duels": sum(each.duels(self.ruling) for each in self.matchups),
            "matchups": len(self.matchups),
            "changed": len(self.moved),
            "biggest_matchup": f"{biggest.a} against {biggest.b}",
            "biggest_difference": difference.estimate,
            "biggest_difference_low": difference.interval.low,
            "biggest_difference_high": difference.interval.high,
            **{verdict: len(self.having(verdict)) for verdict in VERDICTS},
            "order": ", ".join(self.order),
            "order_shown_changed": len(self.turned),
        }


@dataclass(frozen=True)
class RulingsSummary:
    """What the rulings showed. All but `duels_per_second` follows from the duels alone.

    `averages` are the decks as it is played now, the strongest first.
    """

    decks: tuple[str, ...]
    averages: tuple[tuple[str, Share], ...]
    rulings: tuple[Ruling, ...]
    strategy: str
    seed: int
    duels_per_second: float | None

    def table(self) -> pl.DataFrame:
        """One row for each ruling (`reports/README.md`)."""
        return pl.DataFrame([ruling.row() for ruling in self.rulings])

    def matchups_table(self) -> pl.DataFrame:
        """One row for each ruling and matchup (`reports/README.md`)."""
        return pl.DataFrame(
            [each.row(ruling.ruling) for ruling in self.rulings for each in ruling.matchups],
            infer_schema_length=None,
        )

    def order_table(self) -> pl.DataFrame:
        """One row for each ruling and deck (`reports/README.md`); as it is: `as it is`."""
        orders = [("as it is", self.averages)]
        orders += [(ruling.ruling, ruling.averages) for ruling in self.rulings]
        return pl.DataFrame(
            [
                {
                    "ruling": label,
                    "place": place,
                    "deck": deck,
                    "average": share.estimate,
                    "average_low": share.interval.low,
                    "average_high": share.interval.high,
                }
                for label, averages in orders
                for place, (deck, share) in enumerate(averages, 1)
            ]
        )

    def firm(self) -> list[tuple[str, str]]:
        """Matchups (favoured, other) whose favourite is the same under every ruling."""
        found = []
        for first in self.rulings[0].matchups if self.rulings else ():
            same = [
                each
                for ruling in self.rulings
                for each in ruling.matchups
                if (each.a, each.b) == (first.a, first.b)
            ]
            favoured = first.favoured_before
            if favoured is not None and all(each.favoured_after == favoured for each in same):
                found.append((favoured, first.b if favoured == first.a else first.a))
        return found

    def to_json(self) -> dict[str, Any]:
        """The summary as a dict that `json.dumps` takes; rates and differences are shares."""
        return {
            "decks": list(self.decks),
            "strategy": self.strategy,
            "seed": self.seed,
            "rulings": self.table().to_dicts(),
            "matchups": self.matchups_table().to_dicts(),
            "order": self.order_table().to_dicts(),
            "favoured_under_all": [list(pair) for pair in self.firm()],
            "order_turned": {
                ruling.ruling: [list(pair) for pair in ruling.turned] for ruling in self.rulings
            },
            "correction": CORRECTION,
            "duels_per_second": self.duels_per_second,
        }


def summarise_rulings(
    decks: Sequence[str],
    places: Sequence[tuple[int, int]],
    labels: Sequence[str],
    joint: Sequence[Sequence[Counts]],
    *,
    paired: bool,
    strategy: str,
    seed: int,
    duels_per_second: float | None,
) -> RulingsSummary:
    """Summarise matchups before and after each ruling.

    Parameters
    ----------
    places
        The decks of each matchup, a before b; every pair of decks is there.
    labels
        The rulings. The last two may be `BEGINS`.
    joint
        For each matchup the counts of every ruling, as in `reports.changes`.
    """
    names = [(decks[a], decks[b]) for a, b in places]
    table = [
        [cell_change(other, counts, paired=paired)[0] for counts in row]
        for (_, other), row in zip(names, joint, strict=True)
    ]
    table = _corrected(table)
    before = _favoured(names, [row[0].sum(axis=0) for row in joint])
    found = []
    averages = tuple[tuple[str, Share], ...]()
    for number, label in enumerate(labels):
        after = _favoured(names, [row[number].sum(axis=1) for row in joint])
        matchups = tuple(
            RuledMatchup(a, b, row[number], one, other)
            for (a, b), row, one, other in zip(names, table, before, after, strict=True)
        )
        changes = _by_deck(decks, places, label, number, joint, paired)
        averages = _sorted((change.deck, change.before) for change in changes)
        ruled = _sorted((change.deck, change.after) for change in changes)
        found.append(Ruling(label, matchups, ruled, _turned(averages, ruled)))
    return RulingsSummary(tuple(decks), averages, tuple(found), strategy, seed, duels_per_second)


def _corrected(table: list[list[CellChange]]) -> list[list[CellChange]]:
    """The differences corrected over all matchups and rulings."""
    p_adjusted = iter(adjusted([cell.p for row in table for cell in row]))
    return [[replace(cell, p_adjusted=next(p_adjusted)) for cell in row] for row in table]


def _favoured(names: Sequence[tuple[str, str]], counts: Sequence[Any]) -> list[str | None]:
    """Which deck is shown to be favoured in each matchup of one matrix."""
    pairs = [PairCounts(*(int(count) for count in row)) for row in counts]
    p_adjusted = adjusted([even_p(each) for each in pairs])
    return [
        (a if each.both > each.none else b) if p <= LEVEL else None
        for (a, b), each, p in zip(names, pairs, p_adjusted, strict=True)
    ]


def _by_deck(
    decks: Sequence[str],
    places: Sequence[tuple[int, int]],
    label: str,
    number: int,
    joint: Sequence[Sequence[Counts]],
    paired: bool,
) -> list[Change]:
    """Each deck's average before and after a ruling."""
    size = 2 if paired else 1
    found = []
    for own, name in enumerate(decks):
        against, seen = [], []
        for (a, b), row in zip(places, joint, strict=True):
            if own == a:
                against.append(decks[b])
                seen.append(row[number])
            elif own == b:
                # Who begins is told from a deck's own place: for b the other one of the two.
                place = _other_begins(label, number)
                against.append(decks[a])
                seen.append(flipped(row[place], size))
        found.append(deck_change(label, name, against, seen, paired=paired))
    return found


def _other_begins(label: str, number: int) -> int:
    if label == BEGINS[0]:
        return number + 1
    return number - 1 if label == BEGINS[1] else number


def _sorted(averages: Any) -> tuple[tuple[str, Share], ...]:
    return tuple(sorted(averages, key=lambda pair: -pair[1].estimate))


def _turned(
    before: Sequence[tuple[str, Share]], after: Sequence[tuple[str, Share]]
) -> tuple[tuple[str, str], ...]:
    """Pairs of decks whose order is shown before, and shown to be the other one after."""
    now = dict(after)

    def above(one: Interval, other: Interval) -> bool:
        return one.low > other.high

    return tuple(
        (strong, weak)
        for (strong, one), (weak, other) in itertools.combinations(before, 2)
        if above(one.interval, other.interval) and above(now[weak].interval, now[strong].interval)
    )
