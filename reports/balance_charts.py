"""Charts of who beats whom: matchups, factions, who begins, a patch before and after.

A function `…_axes` draws one table on axes and returns them; one `…_figure` frames them in a shape
(`reports.chart_frame`). Tables are those that `reports/README.md` documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports import wording
from reports.canvas import COLOUR_A, COLOUR_B, FAINT, INK, SOFT, write
from reports.chart_frame import (
    CELL_PAPER,
    FIXED_BLUE,
    FIXED_ORANGE,
    Shape,
    frame,
    ink_on,
    interval_mark,
    names_width,
    plain,
    rows_of_names,
    short,
)

#: The colours of win rates end here, whatever the data: two reports can be laid side by side.
SPREAD: Final = (0.25, 0.75)
_WIN_RATES: Final = LinearSegmentedColormap.from_list(
    "win rate", [FIXED_ORANGE, "#F1B48C", "#F6F5F2", "#93C3E4", FIXED_BLUE]
)


def points(value: float, _: object = None) -> str:
    """A share as per cent, for an axis."""
    return f"{100 * value:g}%"


def signed_points(value: float, _: object = None) -> str:
    """A difference of shares in points of a per cent, with its sign."""
    return f"{100 * value:+.3g}".replace("-", "\N{MINUS SIGN}") if abs(value) > 1e-9 else "0"


# --- matchups -------------------------------------------------------------------------------------
def matchup_axes(
    axes: Axes, matrix: pl.DataFrame, decks: Sequence[str], *, shape: Shape, size: float
) -> Axes:
    """Win rates of rows against columns; returns `axes`.

    A cell has the win rate and half the width of its interval; where it is not shown to be uneven
    the rate is thin and in brackets. `size`: a cell's height in inches.
    """
    n = len(decks)
    rates = np.full((n, n), np.nan)
    for row in matrix.iter_rows(named=True):
        i, j = decks.index(row["a"]), decks.index(row["b"])
        rates[i, j] = row["win_rate_a"]
        if i != j:
            rates[j, i] = 1 - row["win_rate_a"]
    axes.pcolormesh(
        np.arange(n + 1) - 0.5,
        np.arange(n + 1) - 0.5,
        np.ma.masked_invalid(rates),
        cmap=_WIN_RATES,
        vmin=SPREAD[0],
        vmax=SPREAD[1],
        edgecolor=CELL_PAPER,
        linewidth=1.2,
    )
    for row in matrix.iter_rows(named=True):
        _matchup_cell(axes, row, decks, shape, size)
    names = [short(deck) for deck in decks]
    axes.xaxis.tick_top()
    axes.set_xticks(range(n), names, parse_math=False)
    if shape.is_narrow:
        for label in axes.get_xticklabels():
            label.set(rotation=40, ha="left", rotation_mode="anchor")
    axes.set_yticks(range(n), names, parse_math=False)
    axes.set(xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5))
    axes.tick_params(length=0, labelsize=shape.text, labelcolor=INK)
    axes.spines[:].set_visible(False)
    return axes


def _matchup_cell(
    axes: Axes, row: dict[str, Any], decks: Sequence[str], shape: Shape, size: float
) -> None:
    i, j = decks.index(row["a"]), decks.index(row["b"])
    half = (row["win_rate_a_high"] - row["win_rate_a_low"]) / 2
    big = min(shape.text + 2, 21 * size)
    for x, y, rate in {(j, i, row["win_rate_a"]), (i, j, 1 - row["win_rate_a"])}:
        if i == j and rate != row["win_rate_a"]:
            continue
        ink = ink_on(_WIN_RATES((rate - SPREAD[0]) / (SPREAD[1] - SPREAD[0])))
        sure = bool(row["flagged"])
        words = f"{100 * rate:.0f}" if shape.is_narrow else f"{100 * rate:.1f}"
        style: dict[str, Any] = {"ha": "center", "color": ink}
        label = words if sure else f"({words})"
        weight = "bold" if sure else "normal"
        write(axes, x, y - 0.13, label, size=big, weight=weight, **style)
        write(axes, x, y + 0.26, f"±{100 * half:.1f}", size=0.66 * big, **style)


def colour_axes(axes: Axes, *, shape: Shape) -> Axes:
    """The scale of the matchups' colours; returns `axes`."""
    ramp = np.linspace(*SPREAD, 100)[None, :]
    edges = np.linspace(*SPREAD, 101)
    axes.pcolormesh(
        edges, [0, 1], ramp, cmap=_WIN_RATES, vmin=SPREAD[0], vmax=SPREAD[1], edgecolor="face"
    )
    labels = {0.25: "25% or less", 0.4: "40%", 0.5: "50%", 0.6: "60%", 0.75: "75% or more"}
    if shape.is_narrow:
        labels = {at: label for at, label in labels.items() if at in (*SPREAD, 0.5)}
    axes.set_xticks(list(labels), list(labels.values()), size=shape.small)
    axes.set_yticks([])
    axes.get_xticklabels()[0].set_horizontalalignment("left")
    axes.get_xticklabels()[-1].set_horizontalalignment("right")
    return plain(axes, grid=None)


def matchup_figure(shape: Shape, matrix: pl.DataFrame, decks: Sequence[str], title: str) -> Figure:
    """The matrix of matchups, `decks` in the order of the rows."""
    left = names_width(decks, shape.text)
    right = 0.5 if shape.is_narrow else 0.2
    cell = (shape.width - left - right) / len(decks)
    height = min(cell, 0.62)
    head = 0.62 if shape.is_narrow else 0.3
    n = matrix["duels"]
    duels = wording.number(int(n.min()))  # type: ignore[arg-type]
    subtitle = (
        f"Per cent of duels that the row's deck won against the column's, {duels} duels a matchup; "
        "± is half the 95% interval. Bold: shown to be uneven, corrected for many comparisons; "
        "in brackets: not shown (mirrors are even by symmetry)."
    )
    with frame(shape, head + height * len(decks) + 0.6, title, subtitle) as made:
        body = made.axes(left, made.top + head, right, 0.6)
        matchup_axes(body, matrix, decks, shape=shape, size=height)
        scale = made.axes(left, made.height - 0.42, right, 0.28)
        colour_axes(scale, shape=shape)
        return made.figure


# --- factions -------------------------------------------------------------------------------------
def average_axes(axes: Axes, factions: pl.DataFrame, *, shape: Shape) -> Axes:
    """Averages against the field with intervals, from the worst to the best matchup; `axes`."""
    names = factions["deck"].to_list()
    for y, row in enumerate(factions.iter_rows(named=True)):
        ends = row["worst_win_rate"], row["best_win_rate"]
        axes.plot(ends, [y, y], color=FAINT, linewidth=6, solid_capstyle="round", zorder=1)
        for end, other, side in zip(
            ends, (row["worst"], row["best"]), ("right", "left"), strict=True
        ):
            away = -6 if side == "right" else 6
            axes.annotate(
                short(other),
                (end, y),
                xytext=(away, 0),
                textcoords="offset points",
                ha=side,
                va="center",
                size=shape.small,
                color=SOFT,
                parse_math=False,
            )
        colour = _side_colour(row["average_low"], row["average_high"])
        interval_mark(axes, y, row["average_low"], row["average_high"], colour)
        axes.plot(row["average"], y, "o", color=colour, markersize=6, zorder=4)
        label = f"{100 * row['average']:.1f}%"
        write(axes, row["average"], y - 0.33, label, ha="center", size=shape.small, color=INK)
    axes.axvline(0.5, color=SOFT, linewidth=1, dashes=(4, 3), zorder=0)
    rows_of_names(axes, names)
    low, high = factions["worst_win_rate"].min(), factions["best_win_rate"].max()
    assert isinstance(low, float)
    assert isinstance(high, float)
    gap = max(high - low, 0.05) * (0.34 if shape.is_narrow else 0.16)
    axes.set_xlim(min(low, 0.5) - gap, max(high, 0.5) + gap)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=4 if shape.is_narrow else 6, prune="both"))
    axes.xaxis.set_major_formatter(FuncFormatter(points))
    return plain(axes)


def _side_colour(low: float, high: float, middle: float = 0.5) -> str:
    """Blue above the middle, vermilion below, grey where that is not shown."""
    return COLOUR_A if low > middle else COLOUR_B if high < middle else SOFT


def equilibrium_axes(axes: Axes, factions: pl.DataFrame, *, shape: Shape) -> Axes:
    """Shares in the equilibrium, and how far they move in resampled matrices; returns `axes`."""
    for y, row in enumerate(factions.iter_rows(named=True)):
        axes.barh(y, row["equilibrium"], height=0.5, color=COLOUR_A, alpha=0.55, zorder=2)
        if row["equilibrium_high"] > 0:
            interval_mark(axes, y, row["equilibrium_low"], row["equilibrium_high"], INK)
        end = max(row["equilibrium"], row["equilibrium_high"])
        label = f"{100 * row['equilibrium']:.0f}%"
        if row["equilibrium_high"] > row["equilibrium_low"]:
            ends = [f"{100 * row[f'equilibrium_{end}']:.0f}" for end in ("low", "high")]
            label += "  (" + "\N{EN DASH}".join(ends) + ")"
        ink = INK if end > 0 else SOFT
        write(axes, end + 0.02, y, label, ha="left", size=shape.small, color=ink)
    rows_of_names(axes, factions["deck"].to_list())
    axes.set_xlim(0, 1.28)
    axes.set_xticks([0, 0.5, 1])
    axes.xaxis.set_major_formatter(FuncFormatter(points))
    return plain(axes)


def faction_figure(shape: Shape, factions: pl.DataFrame, title: str) -> Figure:
    """Averages of the decks, and their shares in the equilibrium."""
    n = len(factions)
    left = names_width(factions["deck"].to_list(), shape.text)
    height = 0.42 * n + 0.3
    duels = wording.number(int(factions["duels"].min()))  # type: ignore[arg-type]
    subtitle = (
        f"Dot: average win rate against the others, {duels} duels or more a deck, with its 95% "
        "interval; grey bar: from its worst to its best matchup. Equilibrium: how often each deck "
        "is chosen by players who pick so that nobody can gain by picking otherwise; black: where "
        "95% of resampled matrices put it."
    )
    if shape.is_narrow:
        with frame(shape, 2 * height + 0.95, title, subtitle) as made:
            made.text(0.12, made.top, "Average win rate", weight="bold")
            first = made.axes(left, made.top + 0.2, 0.1, height + 0.75)
            average_axes(first, factions, shape=shape)
            made.text(0.12, made.height - height - 0.4, "Share in the equilibrium", weight="bold")
            second = made.axes(left, made.height - height - 0.15, 0.1, 0.3)
            equilibrium_axes(second, factions, shape=shape)
            return made.figure
    with frame(shape, height + 0.6, title, subtitle) as made:
        made.text(left, made.top, "Average win rate", weight="bold")
        first = made.axes(left, made.top + 0.25, 3.9, 0.35)
        average_axes(first, factions, shape=shape)
        made.text(made.width - 3.6 + left, made.top, "Share in the equilibrium", weight="bold")
        second = made.axes(made.width - 3.6 + left, made.top + 0.25, 0.1, 0.35)
        equilibrium_axes(second, factions, shape=shape)
        return made.figure


# --- who begins -----------------------------------------------------------------------------------
def first_player_axes(axes: Axes, matrix: pl.DataFrame, *, shape: Shape) -> Axes:
    """The first player's win rate by matchup with intervals, the highest on top; returns `axes`."""
    rows = matrix.sort("first_player_win_rate", descending=True)
    names = [
        f"{short(row['a'])} \N{EN DASH} {short(row['b'])}" for row in rows.iter_rows(named=True)
    ]
    lows = rows["first_player_win_rate_low"]
    highs = rows["first_player_win_rate_high"]
    for y, row in enumerate(rows.iter_rows(named=True)):
        low, high = row["first_player_win_rate_low"], row["first_player_win_rate_high"]
        colour = _side_colour(low, high)
        interval_mark(axes, y, low, high, colour)
        axes.plot(row["first_player_win_rate"], y, "o", color=colour, markersize=5, zorder=4)
        label = f"{100 * row['first_player_win_rate']:.1f}%"
        if not shape.is_narrow:
            label += f"  ({100 * low:.1f}\N{EN DASH}{100 * high:.1f})"
        place = {"transform": axes.get_yaxis_transform(), "ha": "right"}
        write(axes, 1.0, y, label, size=shape.small, color=INK, **place)
    axes.axvline(0.5, color=SOFT, linewidth=1, dashes=(4, 3), zorder=0)
    axes.set_yticks(range(len(names)), names, size=shape.small, color=INK, parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    low, high = min(0.49, float(lows.min())), max(0.51, float(highs.max()))  # type: ignore[arg-type]
    axes.set_xlim(low - 0.01, high + 0.25 * (high - low))
    axes.xaxis.set_major_formatter(FuncFormatter(points))
    return plain(axes)


def first_player_figure(shape: Shape, matrix: pl.DataFrame, title: str) -> Figure:
    """The first player's advantage, matchup by matchup."""
    size = shape.small
    names = [f"{short(a)} \N{EN DASH} {short(b)}" for a, b in matrix.select("a", "b").iter_rows()]
    left = max(len(name) for name in names) * size * 0.6 / 72 + 0.12
    duels = wording.number(int(matrix["duels"].min()))  # type: ignore[arg-type]
    subtitle = (
        f"Per cent of duels won by whoever began, {duels} duels a matchup, with 95% intervals. "
        "Blue: the whole interval lies above 50%; orange: below; grey: 50% is inside."
    )
    row = 0.2 if shape.is_narrow else 0.21
    with frame(shape, row * len(matrix) + 0.35, title, subtitle) as made:
        first_player_axes(made.axes(left, made.top, 0.1, 0.3), matrix, shape=shape)
        return made.figure


# --- a patch --------------------------------------------------------------------------------------
def patch_axes(axes: Axes, changes: pl.DataFrame, *, shape: Shape) -> Axes:
    """Averages before and after, and the paired difference in words; returns `axes`."""
    for y, row in enumerate(changes.iter_rows(named=True)):
        colour = _side_colour(row["difference_low"], row["difference_high"], 0.0)
        arrow = {"arrowstyle": "-|>", "color": colour, "linewidth": 2, "shrinkA": 3, "shrinkB": 0}
        interval_mark(axes, y, row["before_low"], row["before_high"], FAINT)
        axes.plot(row["before"], y, "o", mfc="none", mec=SOFT, markersize=7, zorder=3)
        axes.annotate("", (row["after"], y), xytext=(row["before"], y), arrowprops=arrow, zorder=4)
        keys = ("difference", "difference_low", "difference_high")
        value, low, high = (wording.signed(100 * row[key]) for key in keys)
        label = f"{value}  ({low} to {high})"
        place = {"transform": axes.get_yaxis_transform(), "ha": "right"}
        write(
            axes,
            1.0,
            y - (0.3 if shape.is_narrow else 0),
            label,
            size=shape.small,
            color=INK if row["flagged"] else SOFT,
            **place,
        )
    axes.axvline(0.5, color=SOFT, linewidth=1, dashes=(4, 3), zorder=0)
    rows_of_names(axes, changes["deck"].to_list())
    ends = [*changes["before"].to_list(), *changes["after"].to_list(), 0.5]
    gap = max(ends) - min(ends)
    right = 0.15 if shape.is_narrow else 0.5
    axes.set_xlim(min(ends) - 0.12 * gap, max(ends) + right * gap)
    axes.xaxis.set_major_formatter(FuncFormatter(points))
    return plain(axes)


def patch_figure(shape: Shape, changes: pl.DataFrame, title: str) -> Figure:
    """What a patch does to every deck's average."""
    left = names_width(changes["deck"].to_list(), shape.text)
    duels = wording.number(int(changes["duels"].min()))  # type: ignore[arg-type]
    subtitle = (
        f"Average win rate against the field: circle before, arrow head after; {duels} duels or "
        "more a deck and variant, on the same seeds. Beside it the paired difference in points "
        "with its 95% interval."
    )
    row = 0.46 if shape.is_narrow else 0.38
    with frame(shape, row * len(changes) + 0.4, title, subtitle) as made:
        patch_axes(made.axes(left, made.top, 0.1, 0.3), changes, shape=shape)
        return made.figure
