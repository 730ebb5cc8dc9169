"""The chart of a tournament: ratings with their intervals, and who beats whom, for a slide."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from cards.files import write_whole
from reports import wording
from reports.canvas import COLOUR_A, COLOUR_B, SUFFIXES
from reports.tournament import TournamentSummary

_INK, _SOFT, _FAINT = "#1A1F26", "#5B6570", "#D5DAE0"
_SIZE, _DPI = (12.8, 7.2), 150
_NAME_WIDTH = 20
_STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 12,
    "text.color": _INK,
    "axes.edgecolor": _FAINT,
    "axes.labelcolor": _SOFT,
    "xtick.color": _SOFT,
    "ytick.color": _INK,
    "svg.hashsalt": "duel-sim",
    # A deck or card may have dollars in its name, which are no formula.
    "text.parse_math": False,
}
#: White at 50 %, and never another range: two charts can be laid side by side.
_COLOURS = LinearSegmentedColormap.from_list("win rate", [COLOUR_B, "white", COLOUR_A])


def tournament_chart(summary: TournamentSummary, path: str | Path) -> Path:
    """Write the chart as PNG or SVG, by the suffix of `path`; returns the path.

    Raises ValueError for another suffix, OSError if the file cannot be written.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{path}: a chart is written as {' or '.join(SUFFIXES)}")
    picture = io.BytesIO()
    with matplotlib.rc_context(_STYLE):
        figure = tournament_figure(summary)
        nothing = {"Date": None} if suffix == ".svg" else {"Software": None}
        figure.savefig(picture, format=suffix[1:], dpi=_DPI, metadata=nothing, facecolor="white")
    write_whole(path, picture.getvalue())
    return path


def tournament_figure(summary: TournamentSummary) -> Figure:
    """The chart as a figure."""
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=_SIZE, dpi=_DPI)
        FigureCanvasAgg(figure)
        size = 22 if len(summary.finding) < 60 else 15
        figure.text(0.04, 0.93, summary.finding, size=size, weight="bold")
        duels = wording.number(sum(result.summary.duels for result in summary.results))
        decks = ", ".join(summary.decks)
        about = f"{duels} duels, mirror matches of {wording.shorten(decks, 90)}"
        figure.text(0.04, 0.885, about, size=12, color=_SOFT)
        rating_axes(figure.add_axes((0.2, 0.16, 0.3, 0.62)), summary)
        win_rate_axes(figure.add_axes((0.6, 0.16, 0.36, 0.62)), summary)
        note = f"95% intervals. Seed {summary.seed}. 400 points are odds of 10 to 1."
        figure.text(0.04, 0.03, note, size=9.5, color=_SOFT)
    return figure


def rating_axes(axes: Axes, summary: TournamentSummary) -> Axes:
    """Draw the ratings with their intervals, the highest on top; returns `axes`."""
    for row, standing in enumerate(summary.standings):
        low, high = standing.rating.interval
        axes.plot([low, high], [row, row], color=COLOUR_A, linewidth=3, solid_capstyle="butt")
        axes.plot(standing.rating.points, row, "o", color=COLOUR_A, markersize=8)
        axes.annotate(
            f"{standing.rating.points:+.0f}",
            (standing.rating.points, row),
            xytext=(0, 9),
            textcoords="offset points",
            ha="center",
            size=11,
        )
    axes.axvline(0, color=_FAINT, linewidth=1, zorder=0)
    axes.set_yticks(range(len(summary.standings)), _names(summary))
    axes.set(ylim=(len(summary.standings) - 0.4, -0.6), xlabel="rating, points")
    axes.margins(x=0.12)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0)
    return axes


def win_rate_axes(axes: Axes, summary: TournamentSummary) -> Axes:
    """Draw who won how much of the duels against whom, rows against columns; returns `axes`."""
    order = [summary.strategies.index(standing.strategy) for standing in summary.standings]
    n = len(order)
    rates = [
        [0.5 if own == other else summary.rate(own, other).estimate for other in order]
        for own in order
    ]
    axes.imshow(rates, cmap=_COLOURS, vmin=0.0, vmax=1.0)
    for row in range(n):
        for column in range(n):
            if row != column:
                share = rates[row][column]
                ink = "white" if abs(share - 0.5) > 0.35 else _INK
                label = f"{100 * share:.0f}%"
                axes.text(column, row, label, ha="center", va="center", color=ink, size=11)
    axes.set_xticks(range(n), _names(summary), rotation=30, ha="left", rotation_mode="anchor")
    axes.set_yticks(range(n), _names(summary))
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("rows' share of wins against columns")
    return axes


def _names(summary: TournamentSummary) -> list[str]:
    return [wording.shorten(each.strategy, _NAME_WIDTH) for each in summary.standings]
