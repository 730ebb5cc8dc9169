"""The matchup matrix for the terminal, readable at 80 columns and without colour."""

from __future__ import annotations

from functools import partial

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table

from reports import wording
from reports.factions import Cycle, FactionsSummary, FactionSummary
from reports.intervals import Rate
from reports.matrix import MatrixCell, MatrixSummary
from reports.plain_text import Make, plain_text
from reports.significance import CORRECTION

#: More decks than this do not fit side by side: their matchups are listed.
_MOST_COLUMNS = 7
_NAME_WIDTH, _LONG_NAME = 9, 24
#: Of the cycles that are not sure the likeliest ones are enough.
_UNSURE_CYCLES = 3


def print_matrix(summary: MatrixSummary, console: Console | None = None) -> None:
    """Print a matrix to `console` (stdout by default), ending with the finding in words."""
    console = console or Console(highlight=False, markup=False, emoji=False)
    console.print(matrix_table(summary, encoding=console.encoding))


def matrix_table(summary: MatrixSummary, *, encoding: str = "utf-8") -> RenderableType:
    """The matrix as a rich renderable, in characters that `encoding` has."""
    make = partial(plain_text, None if encoding.lower().startswith("utf") else encoding)
    few = len(summary.decks) <= _MOST_COLUMNS
    duels = summary.cells[0].summary.duels
    basis = (
        f"{wording.number(summary.duels)} duels, {wording.number(duels)} a matchup, "
        f"seed {summary.seed}, {summary.strategy} on both sides"
    )
    parts: list[RenderableType] = [
        make("Win rates of the rows against the columns", "bold"),
        make(basis, "dim"),
        "",
        _square(summary, make) if few else _list(summary, make),
        make(f"95% intervals; * deviates from 50% ({CORRECTION}).", "dim"),
        "",
    ]
    if summary.factions is not None:
        parts += [_factions(summary.factions, make), "", *_cycles(summary.factions, make), ""]
    if summary.duels_per_second is not None:
        parts.append(make(f"Speed: {summary.duels_per_second:,.0f} duels per second."))
    return Group(*parts, make(summary.finding))


def _square(summary: MatrixSummary, make: Make) -> Table:
    """Rows against columns, the strongest first, each cell with its interval below."""
    # The box parts columns with a space already: seven decks fit into 80 columns.
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 0))
    order = _order(summary)
    table.add_column("")
    for place in order:
        name = wording.shorten(summary.decks[place], _NAME_WIDTH)
        table.add_column(make(name), justify="right", no_wrap=True)
    for own in order:
        cells = [
            make(f"{_percent(summary.rate(own, other), summary.cell(own, other))}\n")
            + make(_range(summary.rate(own, other)), "dim")
            for other in order
        ]
        table.add_row(make(wording.shorten(summary.decks[own], _NAME_WIDTH)), *cells)
    return table


def _list(summary: MatrixSummary, make: Make) -> Table:
    """A line for each matchup, the most uneven first; mirrors last."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in ("", "against"):
        table.add_column(heading)
    for heading in ("win rate", "95% interval"):
        table.add_column(heading, justify="right")
    rows = []
    for cell in summary.cells:
        rate = cell.summary.win_rate_a
        turned = rate.estimate < 0.5 and not cell.is_mirror
        own, other = (cell.b, cell.a) if turned else (cell.a, cell.b)
        rows.append((cell.is_mirror, -abs(rate.estimate - 0.5), cell, own, other))
    for _, _, cell, own, other in sorted(rows, key=lambda row: row[:2]):
        rate = summary.rate(own, other)
        names = (wording.shorten(summary.decks[each], _LONG_NAME) for each in (own, other))
        table.add_row(*(make(name) for name in names), _percent(rate, cell), make(_range(rate, 1)))
    return table


def _factions(factions: FactionsSummary, make: Make) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 0, 0, 1))
    headings = ("", "average", "rating", "best", "worst", "equilibrium")
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if 0 < number < 3 or number == 5 else "left")
    for deck in factions.decks:
        table.add_row(*(make(cell) for cell in _faction_cells(deck)))
    return table


def _faction_cells(deck: FactionSummary) -> tuple[str, ...]:
    average, rating, share = deck.average, deck.rating, deck.share
    return (
        wording.shorten(deck.deck, _NAME_WIDTH),
        f"{100 * average.estimate:.1f}%\n{_span(average.interval, 1)}",
        f"{rating.points:+.0f}\n{rating.interval.low:+.0f} to {rating.interval.high:+.0f}",
        *(
            f"{100 * rate.estimate:.1f}%\n{wording.shorten(name, 14)}"
            for name, rate in (deck.best, deck.worst)
        ),
        f"{100 * share.estimate:.0f}%\n{_span(share.interval, 0)}",
    )


def _cycles(factions: FactionsSummary, make: Make) -> list[RenderableType]:
    sure = [cycle for cycle in factions.cycles if cycle.sure]
    unsure = [cycle for cycle in factions.cycles if not cycle.sure]
    lines = [make(f"Cycle: {_cycle(cycle)}.") for cycle in sure]
    if not sure:
        lines.append(make("No cycle of decks that beat each other is shown."))
    lines += [make(f"Perhaps: {_cycle(cycle)}.", "dim") for cycle in unsure[:_UNSURE_CYCLES]]
    return [*lines]


def _cycle(cycle: Cycle) -> str:
    steps = ", ".join(
        f"{name} beats {cycle.decks[(place + 1) % 3]} ({_range(rate, 1)}%)"
        for place, (name, rate) in enumerate(zip(cycle.decks, cycle.rates, strict=True))
    )
    return f"{steps}; holds in {100 * cycle.resampled:.0f}% of resampled matrices"


def _order(summary: MatrixSummary) -> list[int]:
    """The decks by their average, the strongest first."""
    if summary.factions is None:
        return list(range(len(summary.decks)))
    return [summary.decks.index(deck.deck) for deck in summary.factions.decks]


def _percent(rate: Rate, cell: MatrixCell) -> str:
    return f"{100 * rate.estimate:.1f}%{'*' if cell.flagged else ''}"


def _range(rate: Rate, places: int = 1) -> str:
    return _span(rate.interval, places)


def _span(interval: tuple[float, float], places: int) -> str:
    low, high = interval
    return f"{100 * low:.{places}f}\N{EN DASH}{100 * high:.{places}f}"
