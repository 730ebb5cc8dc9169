"""The odds from a position: the win rate as the strategy plays on, and that of each legal choice.

Every choice is tried in the same samples of the unknown cards and with the same random numbers, so
two choices are compared sample by sample: the interval of a difference is the paired score interval
of Tango (`intervals.paired_score`), the interval of a win rate alone Wilson's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from reports import wording
from reports.intervals import Interval, PairCounts, Rate, independent_rate, paired_score

#: Results of a choice by sample: 1 won, 0 lost, -1 not offered; shape (samples,), int8.
Results = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class ChoiceOdds:
    """One legal choice.

    Attributes
    ----------
    text
        As scenario files write it.
    rate
        Win rate of the side to move after it, over the samples that offer it.
    difference
        Its win rate less that of the best choice, over the samples that offer both, at most 0 but
        for choices that are not offered in every sample.
    interval
        The interval of the difference; None for the best choice.
    chosen
        In how many samples the strategy chooses it itself.
    """

    text: str
    rate: Rate
    difference: float
    interval: Interval | None
    chosen: int

    def to_json(self) -> dict[str, Any]:
        """The choice as a dict that `json.dumps` takes; rates are shares in [0, 1]."""
        return {
            "choice": self.text,
            "samples": self.rate.duels,
            "wins": self.rate.wins,
            "win_rate": self.rate.estimate,
            "ci95": list(self.rate.interval),
            "difference": self.difference,
            "difference_ci95": None if self.interval is None else list(self.interval),
            "chosen": self.chosen,
        }


@dataclass(frozen=True, slots=True)
class OddsSummary:
    """What a position is worth.

    Attributes
    ----------
    file
        Where the position comes from.
    side
        The side to move, "a" or "b".
    rate
        Its win rate where both sides play on by their strategies.
    choices
        The legal choices, the best first.
    n, seed
        Samples, and the run's seed.
    strategy_a, strategy_b
        Who plays on.
    decks
        The deck lists that unknown cards were drawn from; empty where none was needed.
    beside
        By side, cards of the file that its deck list has not.
    """

    file: str
    side: str
    rate: Rate
    choices: tuple[ChoiceOdds, ...]
    n: int
    seed: int
    strategy_a: str
    strategy_b: str
    decks: tuple[str, str]
    beside: tuple[tuple[str, ...], tuple[str, ...]]

    @property
    def finding(self) -> str:
        """Which choice is best, in no more words than the intervals carry."""
        if len(self.choices) < 2:
            return "There is nothing to choose."
        best = self.choices[0].text
        close = [
            choice.text
            for choice in self.choices[1:]
            if choice.interval is not None and choice.interval.high >= 0
        ]
        if not close:
            return f"Best: {best}. Every other choice is shown to be worse."
        if len(close) > 3:
            return f"{best} has the highest win rate; {len(close)} others are not shown worse."
        return f"{best} has the highest win rate; not shown worse: {', '.join(close)}."

    def to_json(self) -> dict[str, Any]:
        """The odds as a dict that `json.dumps` takes."""
        return {
            "file": self.file,
            "side": self.side,
            "n": self.n,
            "seed": self.seed,
            "strategy_a": self.strategy_a,
            "strategy_b": self.strategy_b,
            "deck_a": self.decks[0] or None,
            "deck_b": self.decks[1] or None,
            "beside_deck_a": list(self.beside[0]),
            "beside_deck_b": list(self.beside[1]),
            "wins": self.rate.wins,
            "win_rate": self.rate.estimate,
            "ci95": list(self.rate.interval),
            "choices": [choice.to_json() for choice in self.choices],
            "finding": self.finding,
        }


def choice_odds(
    results: Mapping[str, Results], chosen: Mapping[str, int]
) -> tuple[ChoiceOdds, ...]:
    """Compare choices with the best one, sample by sample; the best first.

    Parameters
    ----------
    results
        The results of each choice in the same samples, in the same order.
    chosen
        In how many samples the strategy chooses it itself.
    """
    rates = {
        text: independent_rate(int((won == 1).sum()), int((won >= 0).sum()))
        for text, won in results.items()
    }
    order = sorted(rates, key=lambda text: (-rates[text].estimate, text))
    found = []
    for place, text in enumerate(order):
        difference, interval = 0.0, None
        if place:
            difference, interval = _difference(results[text], results[order[0]])
        found.append(ChoiceOdds(text, rates[text], difference, interval, chosen.get(text, 0)))
    return tuple(found)


def _difference(own: Results, best: Results) -> tuple[float, Interval | None]:
    """Own win rate less that of the best, where both were offered, and its interval."""
    both = (own >= 0) & (best >= 0)
    gaps = own[both].astype(np.int64) - best[both]
    if not len(gaps):
        return 0.0, None
    counts = PairCounts(*(int((gaps == gap).sum()) for gap in (-1, 0, 1)))
    low, high = paired_score(counts)
    # the score interval is one for (1 + difference) / 2
    return float(gaps.mean()), Interval(2 * low - 1, 2 * high - 1)


def print_odds(summary: OddsSummary, console: Console | None = None) -> None:
    """Print the odds to `console` (stdout by default)."""
    console = console or Console(highlight=False, markup=False, emoji=False)
    console.print(odds_table(summary))


def odds_table(summary: OddsSummary) -> RenderableType:
    """The win rate from the position and the choices, the best first, as a rich renderable."""
    places = wording.decimals(summary.rate)
    head = (
        f"{summary.side} to move wins {wording.percent(summary.rate.estimate, places)} "
        f"({wording.percent_range(summary.rate, places)})"
    )
    basis = (
        f"{wording.number(summary.n)} samples, seed {summary.seed}, played on by "
        f"{wording.play('a', 'b', summary.strategy_a, summary.strategy_b)}"
    )
    lines = [Text(head, "bold"), Text(basis, "dim")]
    for side, deck, beside in zip("ab", summary.decks, summary.beside, strict=True):
        if deck:
            words = f"{side}: unknown cards from the deck {deck}"
            if beside:
                words += f"; beside it {', '.join(beside)}"
            lines.append(Text(words, "dim"))
    return Group(*lines, "", _choices(summary), "", Text(summary.finding))


def _choices(summary: OddsSummary) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("choice")
    for heading in ("win rate", "to the best (95%)", "chosen"):
        table.add_column(heading, justify="right")
    for choice in summary.choices:
        text = choice.text
        if choice.rate.duels < summary.n:
            text += f" ({choice.rate.duels} samples)"
        gap = ""
        if choice.interval is not None:
            low, high = (100 * end for end in choice.interval)
            gap = f"{100 * choice.difference:+.1f} ({low:+.1f} to {high:+.1f})"
        share = wording.percent(choice.chosen / summary.n, 0) if choice.chosen else ""
        rate = wording.percent(choice.rate.estimate, 1)
        table.add_row(Text(text), rate, gap, share)
    return table
