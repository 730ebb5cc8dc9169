"""Charts of what energy is spent on; made as `reports.balance_charts`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports import tempo, wording
from reports.balance_charts import points
from reports.canvas import INK, write
from reports.chart_frame import (
    CELL_PAPER,
    FIXED_BLUE,
    FIXED_ORANGE,
    Frame,
    Shape,
    frame,
    ink_on,
    names_width,
    plain,
    rows_of_names,
)
from reports.tempo_charts import sides_of

#: Okabe and Ito's colours, greys for what is not spent.
KIND_COLOURS: Final = {
    "attack": FIXED_ORANGE,
    "deploy": "#E69F00",
    "activate": FIXED_BLUE,
    "tactic_own": "#56B4E9",
    "tactic_enemy": "#009E73",
    "lost": "#A9B1BA",
    "unused": "#DFE3E8",
}


def energy_axes(axes: Axes, shares: dict[str, pl.DataFrame], *, shape: Shape) -> Axes:
    """What became of each deck's energy (`tempo.energy_shares`), stacked; returns `axes`."""
    for y, table in enumerate(shares.values()):
        left = 0.0
        for row in table.iter_rows(named=True):
            colour = KIND_COLOURS[row["kind"]]
            axes.barh(
                y,
                row["share"],
                left=left,
                height=0.66,
                color=colour,
                edgecolor=CELL_PAPER,
                linewidth=0.8,
            )
            if row["share"] > (0.06 if shape.is_narrow else 0.025):
                words = f"{100 * row['share']:.0f}"
                place = left + row["share"] / 2
                write(axes, place, y, words, ha="center", size=shape.small, color=ink_on(colour))
            left += row["share"]
    rows_of_names(axes, list(shares))
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(FuncFormatter(points))
    axes.get_xaxis().set_ticks([0, 0.25, 0.5, 0.75, 1.0])
    return plain(axes, grid=None)


def legend(made: Frame, top: float, kinds: Sequence[str]) -> float:
    """Names of the kinds of energy with their colours, in lines; how high they are, inches."""
    x, y = 0.12, top
    size = made.shape.small
    line = size * 1.7 / 72
    for kind in kinds:
        words = tempo.KIND_NAMES[kind]
        width = (0.58 * len(words) + 3.4) * size / 72
        if x + width > made.width:
            x, y = 0.12, y + line
        made.text(x, y, "\N{BLACK SQUARE}", size=1.5 * size, color=KIND_COLOURS[kind], va="center")
        made.text(x + 1.9 * size / 72, y, words, size=size, color=INK, va="center")
        x += width
    return y + line - top


def energy_figure(
    shape: Shape, counts: Sequence[tempo.TempoCounts], decks: Sequence[str], title: str
) -> Figure:
    """What each deck's energy becomes."""
    shares = {deck: tempo.energy_shares(sides_of(counts, deck)) for deck in decks}
    widest = max(
        float((table["high"] - table["low"]).max()) / 2  # type: ignore[arg-type]
        for table in shares.values()
    )
    n = wording.number(min(int(table["n"][0]) for table in shares.values()))
    subtitle = (
        f"Per cent of all the energy that a deck had, {n} duels or more a deck; every share is "
        f"known to ±{100 * widest:.1f} points or better (95% intervals)."
    )
    lines = 0.75 if shape.is_narrow else 0.45
    left = names_width(decks, shape.text)
    with frame(shape, lines + 0.36 * len(decks) + 0.4, title, subtitle) as made:
        legend(made, made.top + 0.08, tempo.SPENT)
        energy_axes(made.axes(left, made.top + lines, 0.28, 0.3), shares, shape=shape)
        return made.figure


def energy_turn_axes(axes: Axes, table: pl.DataFrame, *, shape: Shape) -> Axes:
    """Energy by own turn and kind (`tempo.energy_by_turn`), stacked; returns `axes`."""
    turns = table["own_turn"].unique().sort().to_list()
    kinds = [kind for kind in tempo.SPENT if kind != "unused"]
    layers = []
    for kind in kinds:
        by_turn = dict(table.filter(pl.col("kind") == kind).select("own_turn", "mean").iter_rows())
        layers.append([by_turn.get(turn, 0.0) for turn in turns])
    bottom = np.zeros(len(turns))
    for kind, layer in zip(kinds, layers, strict=True):
        axes.bar(
            turns,
            layer,
            bottom=bottom,
            width=0.82,
            color=KIND_COLOURS[kind],
            edgecolor=CELL_PAPER,
            linewidth=0.5,
        )
        bottom += np.array(layer)
    refill = table.filter(pl.col("kind") == "refill").sort("own_turn")
    axes.plot(refill["own_turn"], refill["mean"], "_", color=INK, markersize=13, mew=1.6)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True))
    axes.set_xlabel("a side's own turn; the black mark is what it had", size=shape.small)
    return plain(axes, grid="y")


def energy_turn_figure(shape: Shape, counts: Sequence[tempo.TempoCounts], title: str) -> Figure:
    """What energy becomes, turn by turn, over all decks."""
    table = tempo.energy_by_turn(sides_of(counts))
    widest = float((table["high"] - table["low"]).max()) / 2  # type: ignore[arg-type]
    n = wording.number(int(table["n"].max()))  # type: ignore[arg-type]
    subtitle = (
        f"Mean energy a turn by what became of it, all decks together, {n} first turns; every mean "
        f"is known to ±{widest:.2f} or better (95% intervals). What is missing to the mark was "
        "left when the duel ended."
    )
    lines = 0.75 if shape.is_narrow else 0.45
    with frame(shape, lines + 2.6, title, subtitle) as made:
        legend(made, made.top + 0.08, tempo.SPENT[:-1])
        axes = made.axes(0.4, made.top + lines, 0.12, 0.45)
        energy_turn_axes(axes, table, shape=shape)
        return made.figure
