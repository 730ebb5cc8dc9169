"""A tournament of strategies: who beats whom how often, and how strong that makes them.

Every pair of strategies plays the mirror match of every deck, so decks cancel out and only the play
is compared. Win rates over several decks pool the pairs of duels of all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from reports import wording
from reports.intervals import PairCounts, Rate, win_rate
from reports.matchup import MatchupSummary
from reports.ratings import METHOD, Pairing, Rating, fit_ratings

_NAME_WIDTH = 22
# With more columns than this a win-rate matrix does not fit into 80 characters.
_MATRIX = 5


@dataclass(frozen=True, slots=True)
class Result:
    """One pairing on one deck: strategy number `first` against number `second`."""

    first: int
    second: int
    deck: str
    pairs: PairCounts
    summary: MatchupSummary

    @property
    def lone(self) -> tuple[int, int]:
        """Duels that were not played in pairs: how many `first` won, and how many there were."""
        rate = self.summary.win_rate_a
        paired = self.pairs.one + 2 * self.pairs.both
        return rate.wins - paired, rate.duels - 2 * self.pairs.pairs


@dataclass(frozen=True, slots=True)
class Standing:
    """A strategy's place: its rating, and its win rate against all others together."""

    strategy: str
    rating: Rating
    rate: Rate

    def to_json(self) -> dict[str, Any]:
        """The standing as a dict that `json.dumps` takes."""
        return {
            "strategy": self.strategy,
            "rating": self.rating.points,
            "rating_ci95": list(self.rating.interval),
            "duels": self.rate.duels,
            "win_rate": self.rate.estimate,
            "ci95": list(self.rate.interval),
        }


@dataclass(frozen=True, slots=True)
class TournamentSummary:
    """What a tournament showed.

    Attributes
    ----------
    strategies, decks
        Their names, in the order asked for.
    seed
        The tournament's seed.
    n
        Duels of each pairing on each deck.
    results
        One for each pairing and deck.
    standings
        The strategies, the highest rating first.
    """

    strategies: tuple[str, ...]
    decks: tuple[str, ...]
    seed: int
    n: int
    results: tuple[Result, ...]
    standings: tuple[Standing, ...]

    def rate(self, first: int, second: int) -> Rate:
        """The win rate of one strategy against another over all decks."""
        if first > second:
            return self.rate(second, first).mirrored()
        return _pooled(r for r in self.results if (r.first, r.second) == (first, second))

    @property
    def finding(self) -> str:
        """Who is strongest, in no more words than the intervals carry."""
        order = _by_strength(self)
        best = wording.shorten(self.strategies[order[0]], _NAME_WIDTH)
        rates = [(other, self.rate(order[0], other)) for other in order[1:]]
        close = [other for other, rate in rates if rate.interval.low <= 0.5]
        if not close:
            return f"{best} beats " + ("every other strategy" if rates[1:] else self._loser(order))
        others = " or ".join(wording.shorten(self.strategies[each], _NAME_WIDTH) for each in close)
        return f"{best} is rated highest, not shown to beat {others}"

    def _loser(self, order: Sequence[int]) -> str:
        return wording.shorten(self.strategies[order[1]], _NAME_WIDTH)

    def to_json(self) -> dict[str, Any]:
        """The tournament as a dict that `json.dumps` takes; rates are shares in [0, 1]."""
        return {
            "strategies": [standing.to_json() for standing in self.standings],
            "pairings": [self._pairing_json(*pair) for pair in self._pairings()],
            "decks": list(self.decks),
            "n": self.n,
            "duels": sum(result.summary.duels for result in self.results),
            "seed": self.seed,
            "rating_method": METHOD,
            "finding": self.finding,
        }

    def _pairings(self) -> list[tuple[int, int]]:
        return list(dict.fromkeys((result.first, result.second) for result in self.results))

    def _pairing_json(self, first: int, second: int) -> dict[str, Any]:
        rate = self.rate(first, second)
        own = [each for each in self.results if (each.first, each.second) == (first, second)]
        return {
            "a": self.strategies[first],
            "b": self.strategies[second],
            "duels": rate.duels,
            "wins_a": rate.wins,
            "win_rate_a": rate.estimate,
            "ci95": list(rate.interval),
            "interval_method": rate.method,
            "mean_turns": sum(each.summary.turns.mean.value for each in own) / len(own),
            "by_deck": {each.deck: each.summary.win_rate_a.estimate for each in own},
        }


def summarise_tournament(
    strategies: Sequence[str], decks: Sequence[str], seed: int, n: int, results: Sequence[Result]
) -> TournamentSummary:
    """Rate the strategies by their results.

    Raises ValueError if the results do not connect all strategies.
    """
    pairings = [Pairing(r.first, r.second, r.pairs, *r.lone) for r in results]
    ratings = fit_ratings(len(strategies), pairings)
    standings = []
    for number, name in enumerate(strategies):
        own = [_seen_by(number, r) for r in results if number in (r.first, r.second)]
        standings.append(Standing(name, ratings[number], _rate_of(own)))
    standings.sort(key=lambda standing: -standing.rating.points)
    return TournamentSummary(
        tuple(strategies), tuple(decks), seed, n, tuple(results), tuple(standings)
    )


def _seen_by(number: int, result: Result) -> tuple[PairCounts, int, int]:
    """A result as strategy `number` sees it: its pairs, lone wins and lone duels."""
    wins, duels = result.lone
    if number == result.first:
        return result.pairs, wins, duels
    return PairCounts(*reversed(result.pairs)), duels - wins, duels


def _pooled(results: Iterable[Result]) -> Rate:
    return _rate_of([(result.pairs, *result.lone) for result in results])


def _rate_of(parts: Sequence[tuple[PairCounts, int, int]]) -> Rate:
    pairs = PairCounts(*(sum(column) for column in zip(*(each[0] for each in parts), strict=True)))
    return win_rate(pairs, sum(each[1] for each in parts), sum(each[2] for each in parts))


# --- for the terminal -----------------------------------------------------------------------------
def print_tournament(summary: TournamentSummary, console: Console | None = None) -> None:
    """Print standings and win rates to `console` (stdout by default)."""
    console = console or Console(highlight=False, markup=False, emoji=False)
    console.print(tournament_table(summary))


def tournament_table(summary: TournamentSummary) -> RenderableType:
    """Standings, then who beat whom, as a rich renderable."""
    total = sum(result.summary.duels for result in summary.results)
    basis = (
        f"{wording.number(total)} duels: {wording.number(summary.n)} of each pairing on each of "
        f"{_decks(summary)}, seed {summary.seed}"
    )
    few = len(summary.strategies) <= _MATRIX
    return Group(
        Text("Tournament of strategies", "bold"),
        Text(basis, "dim"),
        "",
        _standings(summary),
        "",
        _matrix(summary) if few else _list(summary),
        "",
        Text(f"{summary.finding}."),
        Text(
            f"Ratings: {METHOD}; 400 points are odds of 10 to 1, the mean of the field is 0.", "dim"
        ),
    )


def _decks(summary: TournamentSummary) -> str:
    if len(summary.decks) == 1:
        return f"{summary.decks[0]} against itself"
    return f"{len(summary.decks)} decks against themselves"


def _standings(summary: TournamentSummary) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading, side in (("", "left"), ("rating", "right"), ("95% interval", "right")):
        table.add_column(heading, justify="left" if side == "left" else "right")
    table.add_column("win rate", justify="right")
    table.add_column("95% interval", justify="right")
    for standing in summary.standings:
        low, high = standing.rating.interval
        places = wording.decimals(standing.rate)
        table.add_row(
            Text(wording.shorten(standing.strategy, _NAME_WIDTH)),
            f"{standing.rating.points:+.0f}",
            f"{low:+.0f} to {high:+.0f}",
            wording.percent(standing.rate.estimate, places),
            wording.percent_range(standing.rate, places),
        )
    return table


def _by_strength(summary: TournamentSummary) -> list[int]:
    return [summary.strategies.index(standing.strategy) for standing in summary.standings]


def _matrix(summary: TournamentSummary) -> Table:
    """Win rates of the rows against the columns, with intervals."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, title_justify="left")
    order = _by_strength(summary)
    width = 48 // len(order)
    table.add_column(Text("won against"))
    for other in order:
        name = wording.shorten(summary.strategies[other], max(width, 8))
        table.add_column(Text(name), justify="right")
    for own in order:
        cells = ["" if own == other else _cell(summary.rate(own, other)) for other in order]
        table.add_row(Text(wording.shorten(summary.strategies[own], _NAME_WIDTH)), *cells)
    return table


def _cell(rate: Rate) -> str:
    places = wording.decimals(rate)
    return f"{wording.percent(rate.estimate, places)}\n{wording.percent_range(rate, places)}"


def _list(summary: TournamentSummary) -> Table:
    """The same, a line for each pairing."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in ("", "won against"):
        table.add_column(Text(heading))
    for heading in ("win rate", "95% interval"):
        table.add_column(heading, justify="right")
    order = _by_strength(summary)
    for place, own in enumerate(order):
        for other in order[place + 1 :]:
            rate = summary.rate(own, other)
            places = wording.decimals(rate)
            table.add_row(
                Text(wording.shorten(summary.strategies[own], _NAME_WIDTH)),
                Text(wording.shorten(summary.strategies[other], _NAME_WIDTH)),
                wording.percent(rate.estimate, places),
                wording.percent_range(rate, places),
            )
    return table
