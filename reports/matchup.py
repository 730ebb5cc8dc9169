"""The summary of one matchup: deck A against deck B.

Two Polars frames go in, as the parent process of a run aggregates them:

- `counts`: `first` ("a" or "b", the side that began), `winner` ("a" or "b"), `reason` ("lp" or
  "deck"), `turns` (both sides' turns together), `lp_left` (the winner's LP at the end), `lp_loser`
  (the loser's, may be negative), `duels` (how many duels were like this);
- `pairs`: `wins_a` (duels of the pair that deck A won: 0, 1, 2), `first_wins` (duels of the pair
  won by the side that began: 0, 1, 2), `pairs` (how many). Empty where every duel stands alone.

The order of rows does not matter, and rows that are alike may come more than once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from reports import wording
from reports.intervals import (
    Mean,
    PairCounts,
    Rate,
    independent_rate,
    mean_with_error,
    quantile,
    win_rate,
)

LEVEL = 0.95

COUNTS_COLUMNS = ("first", "winner", "reason", "turns", "lp_left", "lp_loser", "duels")
PAIRS_COLUMNS = ("wins_a", "first_wins", "pairs")
_CHOICES = {"first": ("a", "b"), "winner": ("a", "b"), "reason": ("lp", "deck")}


@dataclass(frozen=True, slots=True)
class Spread:
    """A distribution in a few whole numbers: its mean, 5, 50 and 95 % quantiles and its ends."""

    mean: Mean
    p5: int
    p50: int
    p95: int
    least: int
    most: int

    def to_json(self) -> dict[str, Any]:
        """The numbers by name; `mean_error` is the standard error of `mean`, None for one duel."""
        return {
            "mean": self.mean.value,
            "mean_error": self.mean.error,
            "p5": self.p5,
            "p50": self.p50,
            "p95": self.p95,
            "min": self.least,
            "max": self.most,
        }


@dataclass(frozen=True, slots=True)
class MatchupSummary:
    """What a matchup showed. All but `duels_per_second` is a function of the duels alone.

    `win_rate_a` and `first_player` (the win rate of whichever side began) take pairs as their unit;
    `when_a_began` and `when_b_began` are deck A's win rates in the duels that A or B began, None if
    there was no such duel. `turns` counts both sides' turns together; `lp_left` is the winner's LP.
    Standard errors of means allow for the pairs (`mean_with_error`). `duels_per_second` is None
    where it was not measured (a finished run read again).
    """

    a: str
    b: str
    strategy_a: str
    strategy_b: str
    seed: int
    win_rate_a: Rate
    first_player: Rate
    when_a_began: Rate | None
    when_b_began: Rate | None
    turns: Spread
    lp_left: Spread
    ended_lp: int
    ended_deck: int
    duels_per_second: float | None

    @property
    def duels(self) -> int:
        """The number of duels."""
        return self.win_rate_a.duels

    @property
    def pairs(self) -> int:
        """The number of whole pairs among the duels."""
        return self.win_rate_a.pairs

    @property
    def always_first(self) -> Literal["a", "b"] | None:
        """The side that began every duel, if one did."""
        if self.when_b_began is None:
            return "a"
        return "b" if self.when_a_began is None else None

    @property
    def finding(self) -> str:
        """The result in one sentence, with what it rests on."""
        # A sentence wraps, so names stay whole up to a length that no deck's name needs.
        a, b = wording.side_names(self.a, self.b, 60)
        return wording.finding(a, b, self.play(a, b), self.win_rate_a)

    def play(self, a: str, b: str) -> str:
        """How both sides played, in words, with the names that the decks shall have in them."""
        # A side that always begins has an advantage that is not its deck's: that must be said.
        first = {"a": a, "b": b, None: None}[self.always_first]
        return wording.play(a, b, self.strategy_a, self.strategy_b, first)

    def to_json(self) -> dict[str, Any]:
        """The summary as a dict that `json.dumps` takes; rates are shares in [0, 1]."""
        return {
            "a": self.a,
            "b": self.b,
            "duels": self.duels,
            "pairs": self.pairs,
            "seed": self.seed,
            "strategy_a": self.strategy_a,
            "strategy_b": self.strategy_b,
            "wins_a": self.win_rate_a.wins,
            "wins_b": self.duels - self.win_rate_a.wins,
            "win_rate_a": self.win_rate_a.estimate,
            "ci95": list(self.win_rate_a.interval),
            "by_first": {
                "a": _rate_json(self.when_a_began),
                "b": _rate_json(self.when_b_began),
            },
            "first_player_wins": self.first_player.wins,
            "first_player_win_rate": self.first_player.estimate,
            "first_player_ci95": list(self.first_player.interval),
            "turns": self.turns.to_json(),
            "lp_left": self.lp_left.to_json(),
            "ended": {"lp": self.ended_lp, "deck": self.ended_deck},
            "interval_methods": {
                "win_rate_a": self.win_rate_a.method,
                "first_player": self.first_player.method,
                "by_first": (self.when_a_began or self.when_b_began or self.win_rate_a).method,
            },
            "finding": self.finding,
            "duels_per_second": self.duels_per_second,
        }


def summarise(
    counts: pl.DataFrame,
    pairs: pl.DataFrame,
    *,
    a: str,
    b: str,
    seed: int,
    strategy_a: str,
    strategy_b: str,
    duels_per_second: float | None = None,
) -> MatchupSummary:
    """Summarise a matchup from its aggregated duels (frames: see the module).

    `a` and `b` are the decks' names as they are to be shown. Intervals are at 95 %.

    Raises ValueError if a column is missing, a value is none of those it may be, there is no duel,
    or `pairs` does not fit `counts`.
    """
    counts = _checked(counts, COUNTS_COLUMNS, "duels")
    pairs = _checked(pairs, PAIRS_COLUMNS, "pairs")
    for column, choices in _CHOICES.items():
        _reject(counts, column, ~pl.col(column).is_in(choices), " or ".join(choices))
    for column in ("wins_a", "first_wins"):
        _reject(pairs, column, ~pl.col(column).is_between(0, 2), "0, 1 or 2")
    # A pair that one deck took whole was won once by the side that began and once by the other, and
    # a split pair was won by the beginner twice or never.
    _reject(
        pairs,
        "first_wins",
        (pl.col("wins_a") == 1) == (pl.col("first_wins") == 1),
        "1 where wins_a is 0 or 2, else 0 or 2",
    )
    duels = _sum(counts, "duels")
    if duels == 0:
        raise ValueError("a matchup needs at least one duel")
    when_a, when_b = pl.col("first") == "a", pl.col("first") == "b"
    won_a = pl.col("winner") == "a"
    whole = _sum(pairs, "pairs")
    if whole > min(_sum(counts, "duels", when_a), _sum(counts, "duels", when_b)):
        raise ValueError(f"{whole} pairs, but not so many duels begun by each side")

    # Two duels of a pair may well be of like length.
    together = 2 if whole else 1
    return MatchupSummary(
        a=a,
        b=b,
        strategy_a=strategy_a,
        strategy_b=strategy_b,
        seed=seed,
        win_rate_a=_paired_rate(pairs, "wins_a", _sum(counts, "duels", won_a), duels),
        first_player=_paired_rate(
            pairs,
            "first_wins",
            _sum(counts, "duels", pl.col("first") == pl.col("winner")),
            duels,
        ),
        when_a_began=_split_rate(counts, when_a, won_a),
        when_b_began=_split_rate(counts, when_b, won_a),
        turns=_spread(counts, "turns", together),
        lp_left=_spread(counts, "lp_left", together),
        ended_lp=_sum(counts, "duels", pl.col("reason") == "lp"),
        ended_deck=_sum(counts, "duels", pl.col("reason") == "deck"),
        duels_per_second=duels_per_second,
    )


def _checked(frame: pl.DataFrame, columns: tuple[str, ...], weight: str) -> pl.DataFrame:
    """The columns that count, with weights wide enough to be summed."""
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise ValueError(f"the frame of {weight} has no column {', '.join(missing)}")
    whole = [column for column in columns if column not in _CHOICES]
    typed = frame.select(columns).with_columns(
        *(pl.col(column).cast(pl.Int64) for column in whole),
        *(pl.col(column).cast(pl.String) for column in columns if column in _CHOICES),
    )
    if typed.null_count().sum_horizontal().sum():
        raise ValueError(f"the frame of {weight} has empty cells")
    _reject(typed, weight, pl.col(weight) < 0, "0 or more")
    return typed


def _reject(frame: pl.DataFrame, column: str, wrong: pl.Expr, right: str) -> None:
    """Raise ValueError with the least wrong value of `column`, if there is one."""
    values = frame.filter(wrong)[column].sort()
    if len(values):
        raise ValueError(f"column {column} holds {values[0]!r}; it must be {right}")


def _sum(frame: pl.DataFrame, column: str, where: pl.Expr | None = None) -> int:
    chosen = frame if where is None else frame.filter(where)
    return int(chosen[column].sum())


def wins_of(counts: pl.DataFrame, pairs: pl.DataFrame) -> tuple[PairCounts, int, int]:
    """How deck A did: its whole pairs by wins, its wins in duels without a partner, their number.

    Frames: see the module.
    """
    whole = PairCounts(*(_sum(pairs, "pairs", pl.col("wins_a") == score) for score in range(3)))
    wins = _sum(counts, "duels", pl.col("winner").cast(pl.String) == "a")
    duels = _sum(counts, "duels")
    return whole, wins - whole.one - 2 * whole.both, duels - 2 * whole.pairs


def _paired_rate(pairs: pl.DataFrame, column: str, wins: int, duels: int) -> Rate:
    """The rate of `wins` in `duels`, of which `pairs` tells how they fell in whole pairs."""
    counts = PairCounts(*(_sum(pairs, "pairs", pl.col(column) == score) for score in range(3)))
    lone_wins = wins - counts.one - 2 * counts.both
    lone_duels = duels - 2 * counts.pairs
    if not 0 <= lone_wins <= lone_duels:
        raise ValueError(f"the pairs' {column} do not fit the {wins} wins in {duels} duels")
    return win_rate(counts, lone_wins, lone_duels, LEVEL)


def _split_rate(counts: pl.DataFrame, where: pl.Expr, won: pl.Expr) -> Rate | None:
    """The win rate in the duels `where` holds: independent, being one of a pair at most."""
    duels = _sum(counts, "duels", where)
    return independent_rate(_sum(counts, "duels", where & won), duels, LEVEL) if duels else None


def _spread(counts: pl.DataFrame, column: str, cluster_size: int) -> Spread:
    by_value = (
        counts.filter(pl.col("duels") > 0).group_by(column).agg(pl.col("duels").sum()).sort(column)
    )
    values, duels = by_value[column].to_list(), by_value["duels"].to_list()
    return Spread(
        mean=mean_with_error(values, duels, cluster_size),
        p5=quantile(values, duels, 0.05),
        p50=quantile(values, duels, 0.5),
        p95=quantile(values, duels, 0.95),
        least=values[0],
        most=values[-1],
    )


def _rate_json(rate: Rate | None) -> dict[str, Any] | None:
    if rate is None:
        return None
    return {
        "duels": rate.duels,
        "wins_a": rate.wins,
        "win_rate_a": rate.estimate,
        "ci95": list(rate.interval),
    }
