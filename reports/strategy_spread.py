"""Does the answer depend on the player? One matchup under several strategies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from reports import wording
from reports.intervals import Interval
from reports.matchup import MatchupSummary

_NAME_WIDTH = 24


@dataclass(frozen=True, slots=True)
class StrategySpread:
    """The same matchup, both sides played by one strategy after another."""

    summaries: tuple[MatchupSummary, ...]

    @property
    def lowest(self) -> MatchupSummary:
        """Where deck A won least."""
        return min(self.summaries, key=lambda each: each.win_rate_a.estimate)

    @property
    def highest(self) -> MatchupSummary:
        """Where deck A won most."""
        return max(self.summaries, key=lambda each: each.win_rate_a.estimate)

    @property
    def spread(self) -> float:
        """How far the win rate of deck A moves, as a share."""
        return self.highest.win_rate_a.estimate - self.lowest.win_rate_a.estimate

    @property
    def interval(self) -> Interval:
        """The interval of the difference of the two extremes, from their own intervals.

        Source: Zou G. Y. and Donner A. (2008), Construction of confidence limits about effect
        measures, Statistics in Medicine 27:1693-1702. It takes the runs as independent, which is
        on the safe side, and is about these two strategies: that they are the extremes of several
        is not allowed for.
        """
        high, low = self.highest.win_rate_a, self.lowest.win_rate_a
        gap = high.estimate - low.estimate
        below = math.hypot(high.estimate - high.interval.low, low.interval.high - low.estimate)
        above = math.hypot(high.interval.high - high.estimate, low.estimate - low.interval.low)
        return Interval(gap - below, gap + above)

    @property
    def finding(self) -> str:
        """How far the win rate moves, in one sentence."""
        a = self.summaries[0].a
        low, high = self.lowest, self.highest
        points = f"{100 * self.spread:.1f} points"
        ends = (
            f"{wording.percent(low.win_rate_a.estimate)} with {low.strategy_a} to "
            f"{wording.percent(high.win_rate_a.estimate)} with {high.strategy_a}"
        )
        sides = {wording.favoured(each.win_rate_a) for each in self.summaries}
        if len(sides) == 1 and sides != {None}:
            verdict = "the same side is favoured under each"
        elif {"a", "b"} <= sides:
            verdict = "which side is favoured depends on the player"
        else:
            verdict = "whether a side is favoured depends on the player"
        if sides == {None}:
            verdict = "no side is shown to be favoured under any"
        return f"The win rate of {a} moves by {points}, from {ends}: {verdict}."

    def to_json(self) -> dict[str, Any]:
        """The spread as a dict that `json.dumps` takes; rates are shares in [0, 1]."""
        first = self.summaries[0]
        return {
            "a": first.a,
            "b": first.b,
            "duels": first.duels,
            "seed": first.seed,
            "strategies": [
                {
                    "strategy": each.strategy_a,
                    "wins_a": each.win_rate_a.wins,
                    "win_rate_a": each.win_rate_a.estimate,
                    "ci95": list(each.win_rate_a.interval),
                    "first_player_win_rate": each.first_player.estimate,
                    "first_player_ci95": list(each.first_player.interval),
                    "mean_turns": each.turns.mean.value,
                }
                for each in self.summaries
            ],
            "lowest": self.lowest.strategy_a,
            "highest": self.highest.strategy_a,
            "spread": self.spread,
            "spread_ci95": list(self.interval),
            "finding": self.finding,
        }


def spread_of(summaries: Sequence[MatchupSummary]) -> StrategySpread:
    """The spread of one matchup's summaries under several strategies.

    Raises ValueError if there is none.
    """
    if not summaries:
        raise ValueError("a spread needs at least one strategy")
    return StrategySpread(tuple(summaries))


def print_spread(spread: StrategySpread, console: Console | None = None) -> None:
    """Print the spread to `console` (stdout by default)."""
    console = console or Console(highlight=False, markup=False, emoji=False)
    console.print(spread_table(spread))


def spread_table(spread: StrategySpread) -> RenderableType:
    """A line for each strategy, then how far the win rate moves, as a rich renderable."""
    first = spread.summaries[0]
    a, b = wording.side_names(first.a, first.b, 16)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("both sides play")
    for heading in (f"{a} wins", "95% interval", "first player", "turns"):
        table.add_column(Text(heading), justify="right")
    for each in spread.summaries:
        places = wording.decimals(each.win_rate_a)
        table.add_row(
            Text(wording.shorten(each.strategy_a, _NAME_WIDTH)),
            wording.percent(each.win_rate_a.estimate, places),
            wording.percent_range(each.win_rate_a, places),
            wording.percent(each.first_player.estimate),
            f"{each.turns.mean.value:.1f}",
        )
    low, high = (100 * end for end in spread.interval)
    return Group(
        Text(f"{a} against {b}, under each strategy", "bold"),
        Text(f"{wording.sample(first.win_rate_a)} each, seed {first.seed}", "dim"),
        "",
        table,
        "",
        Text(spread.finding),
        Text(f"95% interval of the difference: {low:+.1f} to {high:+.1f} points.", "dim"),
    )
