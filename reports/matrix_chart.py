"""The matchup matrix as a heatmap, for a slide.

The colours are centred at 50 % and always cover the same range, so that two charts can be laid side
by side.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import matplotlib
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from reports import wording
from reports.canvas import COLOUR_A, COLOUR_B, INK, SOFT, STYLE, fit, new_figure, save, write
from reports.matrix import MatrixSummary

#: Win rates at which the colours are full; few matchups of real decks go beyond.
LOW, HIGH = 0.2, 0.8
COLOURS: Final = LinearSegmentedColormap.from_list("win rate", [COLOUR_B, "white", COLOUR_A])
_NAME_WIDTH = 16
#: With more decks the intervals would be too small to read.
_MOST_INTERVALS = 12


def matrix_chart(summary: MatrixSummary, path: str | Path) -> Path:
    """Write the heatmap as PNG or SVG, by the suffix of `path`; returns the path.

    Raises ValueError for another suffix, OSError if the file cannot be written.
    """
    return save(matrix_figure(summary), path)


def matrix_figure(summary: MatrixSummary) -> Figure:
    """The heatmap as a figure with its finding."""
    with matplotlib.rc_context(STYLE):
        figure = new_figure()
        fit(write(figure, 0.04, 0.945, _title(summary), size=22, weight="bold"), 0.92)
        each = summary.cells[0].summary.duels
        basis = (
            f"{wording.number(summary.duels)} duels, {wording.number(each)} a matchup, "
            f"{summary.strategy} on both sides; rows against columns"
        )
        fit(write(figure, 0.04, 0.895, basis, size=13, color=SOFT), 0.92)
        heatmap_axes(figure.add_axes((0.17, 0.075, 0.79, 0.73)), summary)
        note = (
            f"95% intervals below the rates. Bold with a star: deviates from 50% (corrected for "
            f"{sum(not cell.is_mirror for cell in summary.cells)} matchups). Seed {summary.seed}."
        )
        fit(write(figure, 0.04, 0.03, note, size=9.5, color=SOFT), 0.92)
    return figure


def heatmap_axes(axes: Axes, summary: MatrixSummary) -> Axes:
    """Draw the win rates of rows against columns, the strongest deck on top; returns `axes`."""
    order = list(range(len(summary.decks)))
    if summary.factions is not None:
        order = [summary.decks.index(deck.deck) for deck in summary.factions.decks]
    n = len(order)
    rates = [[summary.rate(own, other).estimate for other in order] for own in order]
    axes.imshow(rates, cmap=COLOURS, vmin=LOW, vmax=HIGH, aspect="auto")
    size = min(15.0, 110.0 / n)
    for row, own in enumerate(order):
        for column, other in enumerate(order):
            _cell(axes, summary, (row, own), (column, other), size)
    names = [wording.shorten(summary.decks[place], _NAME_WIDTH) for place in order]
    axes.set_xticks(
        range(n), names, rotation=0 if n <= 8 else 35, ha="center" if n <= 8 else "left"
    )
    axes.set_yticks(range(n), names)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=min(13.0, 130.0 / n), labelcolor=INK)
    axes.set_xticks([place - 0.5 for place in range(1, n)], minor=True)
    axes.set_yticks([place - 0.5 for place in range(1, n)], minor=True)
    axes.grid(which="minor", color="white", linewidth=2)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_visible(False)
    return axes


def _cell(
    axes: Axes,
    summary: MatrixSummary,
    row: tuple[int, int],
    column: tuple[int, int],
    size: float,
) -> None:
    """The numbers of a cell: its place and its deck, along both axes."""
    (y, own), (x, other) = row, column
    rate, cell = summary.rate(own, other), summary.cell(own, other)
    ink = "white" if abs(rate.estimate - 0.5) > 0.24 else INK
    shown = len(summary.decks) <= _MOST_INTERVALS
    text = f"{100 * rate.estimate:.1f}%{'*' if cell.flagged else ''}"
    weight = "bold" if cell.flagged else "normal"
    at = y - 0.12 if shown else y
    write(axes, x, at, text, ha="center", color=ink, size=size, weight=weight)
    if shown:
        interval = wording.percent_range(rate, 1)
        write(axes, x, y + 0.24, interval, ha="center", color=ink, size=0.62 * size)


def _title(summary: MatrixSummary) -> str:
    met = [cell for cell in summary.cells if not cell.is_mirror]
    flagged = sum(bool(cell.flagged) for cell in met)
    if not met:
        return f"{summary.decks[0]} against itself"
    return f"{flagged} of {len(met)} matchups deviate from 50%"
