"""Charts of how duels run: lengths, leads, LP and energy; made as `reports.balance_charts`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports import tempo, wording
from reports.balance_charts import points
from reports.canvas import COLOUR_A, COLOUR_B, FAINT, INK, SOFT, write
from reports.chart_frame import (
    CELL_PAPER,
    FIXED_BLUE,
    Frame,
    Shape,
    frame,
    ink_on,
    names_width,
    plain,
    rows_of_names,
)
from reports.intervals import quantile

#: Classes of leads, by the least of each.
LEADS: Final = (1, 3, 6, 10, 15)
_FEWEST: Final = 40  # duels that a cell needs to be shown
_SAFE: Final = LinearSegmentedColormap.from_list("ahead", ["#F6F5F2", "#93C3E4", FIXED_BLUE])
Sides = Sequence[tuple[tempo.TempoCounts, int]]


def sides_of(counts: Sequence[tempo.TempoCounts], deck: str | None = None) -> Sides:
    """Every matchup and side that a deck has in it (None: every deck)."""
    return [
        (each, side)
        for each in counts
        for side, name in enumerate((each.a, each.b))
        if deck is None or name == deck
    ]


def enemies_of(counts: Sequence[tempo.TempoCounts], deck: str) -> Sides:
    """Every matchup of a deck and the side of its opponent, mirrors left out."""
    return [(each, 1 - side) for each, side in sides_of(counts, deck) if each.a != each.b]


# --- length ---------------------------------------------------------------------------------------
def length_axes(axes: Axes, lengths: pl.DataFrame, *, shape: Shape) -> Axes:
    """How many turns duels take, those that ended by an empty deck apart; returns `axes`.

    `lengths`: columns turns, reason, duels.
    """
    total = int(lengths["duels"].sum())
    by_turn = lengths.group_by("turns").agg(
        pl.col("duels").sum(),
        pl.col("duels").filter(pl.col("reason").cast(pl.String) == "deck").sum().alias("deck"),
    )
    by_turn = by_turn.sort("turns")
    turns = by_turn["turns"].to_numpy()
    shares = 100 * by_turn["duels"].to_numpy() / total
    by_deck = 100 * by_turn["deck"].to_numpy() / total
    axes.bar(turns, shares, width=0.86, color=COLOUR_A, zorder=2)
    axes.bar(turns, by_deck, width=0.86, color=COLOUR_B, zorder=3)
    middle = quantile(turns.tolist(), by_turn["duels"].to_list(), 0.5)
    axes.axvline(middle, color=INK, linewidth=1.2, dashes=(4, 3), zorder=4)
    label = f" half are over\n by turn {middle}"
    top = 1.28 * float(shares.max())
    write(axes, middle, 0.98 * top, label, ha="left", va="top", size=shape.small, color=INK)
    end = quantile(turns.tolist(), by_turn["duels"].to_list(), 0.999)
    axes.set(xlim=(0.3, max(end + 1.5, middle + 6)), ylim=(0, top))
    axes.set_xlabel("turns, both sides' counted together", size=shape.small)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}%"))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=4))
    axes.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=True))
    return plain(axes, grid="y")


def length_rows_axes(axes: Axes, lengths: pl.DataFrame, *, shape: Shape) -> Axes:
    """The lengths of each deck's duels, 5 to 95 % and the quartiles; returns `axes`.

    `lengths`: columns a, b, turns, duels.
    """
    decks = dict.fromkeys([*lengths["a"].to_list(), *lengths["b"].to_list()])
    rows = []
    for deck in decks:
        own = lengths.filter((pl.col("a") == deck) | (pl.col("b") == deck))
        turns, duels = own["turns"].to_list(), own["duels"].to_list()
        rows.append((deck, *(quantile(turns, duels, q) for q in (0.05, 0.25, 0.5, 0.75, 0.95))))
    rows.sort(key=lambda row: (row[3], row[4], row[0]))
    for y, (_, p5, p25, p50, p75, p95) in enumerate(rows):
        axes.plot([p5, p95], [y, y], color=FAINT, linewidth=4, solid_capstyle="round", zorder=1)
        axes.plot([p25, p75], [y, y], color=COLOUR_A, linewidth=7, solid_capstyle="butt", zorder=2)
        axes.plot(p50, y, "o", color=CELL_PAPER, mec=INK, markersize=6, zorder=3)
        write(axes, p95 + 0.7, y, f"{p50}", ha="left", size=shape.small, color=INK)
    rows_of_names(axes, [row[0] for row in rows])
    axes.set_xlim(0, max(row[5] for row in rows) + 3)
    axes.set_xlabel("turns: middle (number), half and 90% of duels", size=shape.small)
    return plain(axes)


def length_figure(shape: Shape, lengths: pl.DataFrame, title: str) -> Figure:
    """How long duels last, altogether and by deck; columns a, b, turns, reason, duels."""
    n = int(lengths["duels"].sum())
    deck = int(lengths.filter(pl.col("reason").cast(pl.String) == "deck")["duels"].sum())
    low, high = tempo.share_interval(deck, n)
    subtitle = (
        f"Share of {wording.number(n)} duels by length, all matchups together. Orange: ended by an "
        f"empty deck, {100 * deck / n:.2f}% (95% interval {100 * low:.2f} to {100 * high:.2f}%)."
    )
    names = list(dict.fromkeys([*lengths["a"].to_list(), *lengths["b"].to_list()]))
    left = names_width(names, shape.text)
    below = 0.3 * len(names) + 0.1
    with frame(shape, 2.4 + below + 0.85, title, subtitle) as made:
        top = made.axes(left, made.top, 0.15, made.height - made.top - 2.2)
        length_axes(top, lengths, shape=shape)
        foot = made.axes(left, made.height - below - 0.48, 0.15, 0.48)
        length_rows_axes(foot, lengths, shape=shape)
        return made.figure


# --- leads ----------------------------------------------------------------------------------------
def lead_axes(
    axes: Axes, values: pl.DataFrame, turns: Sequence[int], *, shape: Shape, size: float
) -> Axes:
    """How often the side that is ahead wins, by turn and lead (`tempo.leads_at`); returns `axes`.

    A cell has the win rate and half the width of its interval; `size` is its height in inches.
    """
    cells = np.full((len(LEADS), len(turns)), np.nan)
    for row in values.filter(pl.col("n") >= _FEWEST).iter_rows(named=True):
        i, j = LEADS.index(row["lead"]), turns.index(row["turn"])
        cells[i, j] = row["rate"]
        half = (row["high"] - row["low"]) / 2
        style: dict[str, Any] = {"ha": "center", "color": ink_on(_SAFE(2 * row["rate"] - 1))}
        big = min(shape.text + 1, 21 * size)
        write(axes, j, i + 0.13, f"{100 * row['rate']:.0f}", size=big, weight="bold", **style)
        write(axes, j, i - 0.26, f"±{100 * half:.1f}", size=0.66 * big, **style)
    axes.pcolormesh(
        np.arange(len(turns) + 1) - 0.5,
        np.arange(len(LEADS) + 1) - 0.5,
        np.ma.masked_invalid(cells),
        cmap=_SAFE,
        vmin=0.5,
        vmax=1.0,
        edgecolor=CELL_PAPER,
        linewidth=1.2,
    )
    axes.set_xticks(range(len(turns)), [str(turn) for turn in turns])
    axes.set_yticks(range(len(LEADS)), lead_names())
    axes.set_ylim(-0.5, len(LEADS) - 0.5)
    axes.set_xlabel("at the end of turn", size=shape.small)
    axes.tick_params(length=0, labelcolor=INK)
    axes.spines[:].set_visible(False)
    return axes


def lead_names() -> list[str]:
    """The classes of leads in words."""
    ends = [f"{low}\N{EN DASH}{high - 1}" for low, high in itertools.pairwise(LEADS)]
    return [f"{words} LP" for words in (*ends, f"{LEADS[-1]}+")]


def lead_turns(counts: Sequence[tempo.TempoCounts], most: int) -> list[int]:
    """Turns at whose ends leads are shown: even ones, so that both sides have had as many."""
    reached = tempo.lp_curve(sides_of(counts), least_share=0.05)["turn"].to_list()
    even = [turn for turn in reached if turn % 2 == 0 and turn > 1]
    step = -(-len(even) // most) if even else 1
    return even[::step]


def lead_figure(shape: Shape, counts: Sequence[tempo.TempoCounts], title: str) -> Figure:
    """What a lead is worth."""
    turns = lead_turns(counts, 6 if shape.is_narrow else 12)
    values = tempo.leads_at(tempo.lead_values(counts), turns, LEADS)
    n = wording.number(sum(each.duels for each in counts))
    subtitle = (
        f"Per cent of duels won by the side that is ahead in LP, by its lead and the turn, over "
        f"{n} duels of all matchups; ± is half the 95% interval. Empty: fewer than {_FEWEST} duels."
    )
    left = 0.75 if shape.is_narrow else 0.9
    height = 0.46
    with frame(shape, height * len(LEADS) + 0.5, title, subtitle) as made:
        axes = made.axes(left, made.top, 0.12, 0.48)
        lead_axes(axes, values, turns, shape=shape, size=height)
        return made.figure


def decided_axes(axes: Axes, counts: Sequence[tempo.TempoCounts], *, shape: Shape) -> Axes:
    """Shares of duels that are decided, and over, by turn; returns `axes`."""
    table = tempo.decided_by(counts)
    decided = pl.concat([each.decided for each in counts])
    total = int(decided["duels"].sum())
    turns = table["turn"].to_list()
    over = [int(decided.filter(pl.col("turns") <= turn)["duels"].sum()) / total for turn in turns]
    axes.fill_between(turns, over, table["rate"], color=COLOUR_A, alpha=0.16, linewidth=0)
    axes.fill_between(turns, table["low"], table["high"], color=COLOUR_A, alpha=0.45, linewidth=0)
    axes.plot(turns, table["rate"], color=COLOUR_A, linewidth=2)
    axes.plot(turns, over, color=SOFT, linewidth=2, dashes=(4, 2))
    for values, words, colour, height in (
        (table["rate"].to_list(), "winner ahead for good", COLOUR_A, 0.2),
        (over, "duel over", SOFT, 0.08),
    ):
        at = next(n for n, value in enumerate(values) if value >= 0.5)
        axes.plot(turns[at], values[at], "o", color=colour, markersize=5)
        label = words if shape.is_narrow else f"{words}: half by turn {turns[at]}"
        style: dict[str, Any] = {"size": shape.small, "weight": "bold"}
        style["transform"] = axes.transAxes
        write(axes, 0.98, height, label, ha="right", color=colour, **style)
    last = next((n for n, value in enumerate(over) if value >= 0.995), len(turns) - 1)
    axes.set(xlim=(0, turns[last]), ylim=(0, 1.02))
    axes.yaxis.set_major_formatter(FuncFormatter(points))
    axes.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=True))
    axes.set_xlabel("turn", size=shape.small)
    return plain(axes, grid="y")


def decided_figure(shape: Shape, counts: Sequence[tempo.TempoCounts], title: str) -> Figure:
    """How early the winner is ahead for good."""
    n = wording.number(sum(each.duels for each in counts))
    subtitle = (
        f"Share of {n} duels whose later winner is ahead at the end of this turn and of all that "
        "follow, with its 95% interval (often narrower than the line), and share that is over."
    )
    with frame(shape, 2.9, title, subtitle) as made:
        axes = made.axes(0.65, made.top + 0.05, 0.15, 0.45)
        decided_axes(axes, counts, shape=shape)
        return made.figure


# --- LP -------------------------------------------------------------------------------------------
def lp_axes(axes: Axes, own: pl.DataFrame, enemy: pl.DataFrame, *, shape: Shape) -> Axes:
    """Mean LP by turn of a deck and of its opponents, with the middle half of duels; `axes`.

    `own`, `enemy`: tables of `tempo.lp_curve`.
    """
    for table, colour, style in ((enemy, COLOUR_B, (4, 2)), (own, COLOUR_A, None)):
        turns = table["turn"].to_list()
        axes.fill_between(turns, table["p25"], table["p75"], color=colour, alpha=0.14, linewidth=0)
        axes.fill_between(turns, table["low"], table["high"], color=colour, alpha=0.5, linewidth=0)
        line = axes.plot(turns, table["mean"], color=colour, linewidth=1.8)[0]
        if style is not None:
            line.set_dashes(style)
    axes.set_ylim(0, None)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    axes.tick_params(labelsize=shape.small)
    return plain(axes, grid="both")


def lp_figure(
    shape: Shape, counts: Sequence[tempo.TempoCounts], decks: Sequence[str], title: str
) -> Figure:
    """LP by turn, a small chart for each deck."""
    columns = 2 if shape.is_narrow else 4
    rows = -(-len(decks) // columns)
    subtitle = (
        "Mean LP at the end of each turn: blue the deck named, orange (dashed) its opponents; the "
        "band is the middle half of the duels that got so far (5% of them or more), the narrow one "
        "in it the mean's 95% interval. Turns of both sides counted together."
    )
    height = 1.55
    with frame(shape, height * rows + 0.15, title, subtitle) as made:
        limits = []
        for number, deck in enumerate(decks):
            axes = _small_axes(made, number, columns, height)
            own = tempo.lp_curve(sides_of(counts, deck), least_share=0.05)
            others = enemies_of(counts, deck) or sides_of(counts, deck)
            lp_axes(axes, own, tempo.lp_curve(others, least_share=0.05), shape=shape)
            duels = wording.number(sum(each.duels for each, _ in enemies_of(counts, deck)))
            axes.set_title(
                f"{deck}, n = {duels}", loc="left", size=shape.small, color=INK, parse_math=False
            )
            limits.append((axes, axes.get_xlim()[1], axes.get_ylim()[1]))
        for axes, _, _ in limits:
            axes.set_xlim(0, max(limit[1] for limit in limits))
            axes.set_ylim(0, max(limit[2] for limit in limits))
        return made.figure


def _small_axes(made: Frame, number: int, columns: int, height: float) -> Axes:
    row, column = divmod(number, columns)
    cell = (made.width - 0.24) / columns
    left = 0.12 + column * cell + 0.28
    top = made.top + row * height + 0.22
    return made.axes(left, top, made.width - left - cell + 0.36, made.height - top - height + 0.5)
