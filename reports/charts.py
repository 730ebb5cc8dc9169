"""The chart of one matchup, for a slide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports import wording
from reports.canvas import (
    COLOUR_A,
    COLOUR_B,
    FAINT,
    INK,
    SOFT,
    STYLE,
    fit,
    new_figure,
    save,
    width_of,
    write,
)
from reports.intervals import UNPAIRED_METHOD, Rate, quantile
from reports.lengths import Histogram, by_winner, histogram
from reports.matchup import MatchupSummary

_BAR_HEIGHT = 0.085  # of the figure, with the gap to the next bar
_BINS = 36
_NAME_WIDTH = 18
# Where the rows' labels begin and how wide they may be, in widths of the bars.
_LABELS, _LABEL_ROOM = -0.547, 0.36
_NARROW = 1.5  # points of a per cent


def matchup_chart(summary: MatchupSummary, counts: pl.DataFrame, path: str | Path) -> Path:
    """Write the chart of a matchup as PNG or SVG, by the suffix of `path`; returns the path.

    `counts` is the frame that was summarised. Raises ValueError for another suffix, OSError if the
    file cannot be written.
    """
    return save(matchup_figure(summary, counts), path)


def matchup_figure(summary: MatchupSummary, counts: pl.DataFrame) -> Figure:
    """The chart as a figure: the finding, the win rates with intervals, the lengths of duels."""
    with matplotlib.rc_context(STYLE):
        figure = new_figure()
        _title(figure, summary)
        fit(write(figure, 0.04, 0.868, _subtitle(summary), size=14, color=SOFT), 0.92)
        bars = len(_entries(summary))
        # What the bars of a one-sided run leave free goes to the lengths.
        foot = 0.785 - _BAR_HEIGHT * bars
        win_rate_axes(figure.add_axes((0.33, foot, 0.53, _BAR_HEIGHT * bars)), summary)
        length_axes(figure.add_axes((0.095, 0.175, 0.865, foot - 0.22)), summary, counts)
        for y, line in zip((0.058, 0.03), _small_print(summary), strict=True):
            fit(write(figure, 0.04, y, line, size=9.5, color=SOFT), 0.92)
    return figure


def win_rate_axes(axes: Axes, summary: MatchupSummary) -> Axes:
    """Draw both sides' win rates with their intervals against the 50 % line; returns `axes`.

    One bar for all duels and one for the duels that each side began: deck A's share from the left,
    deck B's from the right, and over the border between them the interval. The numbers stand
    outside, so `axes` wants a free margin of 55 % of its width on the left and 15 % on the right.
    """
    entries = _entries(summary)
    for row, (label, rate) in enumerate(entries):
        _win_rate_bar(axes, -row, label, rate, strong=row == 0)
    axes.plot([50, 50], [-len(entries) + 0.6, 0.44], color="white", linewidth=3)
    axes.plot([50, 50], [-len(entries) + 0.6, 0.44], color=INK, linewidth=1.3, dashes=(4, 3))
    write(axes, 50, 0.47, "50%", ha="center", va="bottom", size=11, color=SOFT)
    names = wording.side_names(summary.a, summary.b, _NAME_WIDTH)
    for x, align, name, colour in zip(
        (0, 100), ("left", "right"), names, (COLOUR_A, COLOUR_B), strict=True
    ):
        heading = write(axes, x, 0.47, f"{name} won", ha=align, va="bottom", color=colour)
        heading.set(size=13, weight="bold")
        fit(heading, 0.45 * axes.get_position().width)
    axes.set(xlim=(0, 100), ylim=(-len(entries) + 0.5, 0.5))
    axes.axis("off")
    return axes


def length_axes(axes: Axes, summary: MatchupSummary, counts: pl.DataFrame) -> Axes:
    """Draw how long duels last, deck A's wins upward and deck B's downward; returns `axes`.

    Both in per cent of all duels, so the two areas compare as the wins do. A small triangle marks
    the median. `counts` is the frame that was summarised.
    """
    shown = histogram(counts, _BINS)
    width = shown.bins[0].last - shown.bins[0].first + 1
    centres = [(each.first + each.last) / 2 for each in shown.bins]
    up = [100 * each.wins_a / summary.duels for each in shown.bins]
    down = [100 * each.wins_b / summary.duels for each in shown.bins]
    axes.bar(centres, up, width=0.88 * width, color=COLOUR_A, zorder=2)
    axes.bar(centres, [-share for share in down], width=0.88 * width, color=COLOUR_B, zorder=2)
    axes.axhline(0, color=INK, linewidth=1, zorder=3)
    # A band above and below all bars is kept for the words.
    band = 0.2 * (max(up) + max(down))
    top, bottom = max(up) + band, max(down) + band
    # At least a dozen turns, or one duel would be as wide as the chart.
    middle = (centres[0] + centres[-1]) / 2
    reach = max(centres[-1] - centres[0] + 1.2 * width, 12) / 2
    axes.set(xlim=(middle - reach, middle + reach), ylim=(-bottom, top))

    lengths = by_winner(counts)
    names = wording.side_names(summary.a, summary.b, _NAME_WIDTH)
    for side, name, colour, sign, shares in zip(
        ("a", "b"), names, (COLOUR_A, COLOUR_B), (1, -1), (up, down), strict=True
    ):
        words = f"{name} never won"
        if lengths[side].sum():
            median = quantile(lengths["turns"].to_list(), lengths[side].to_list(), 0.5)
            words = f"{name} won, median {median} turns"
            index = min((median - shown.bins[0].first) // width, len(shares) - 1)
            axes.plot(
                centres[index],
                sign * (shares[index] + 0.025 * (top + bottom)),
                marker="v" if sign > 0 else "^",
                markersize=8,
                color=INK,
            )
        # White behind the words keeps the grid out of them; they stay behind the bars.
        heading = write(
            axes,
            0.995,
            0.97 if sign > 0 else 0.03,
            words,
            transform=axes.transAxes,
            ha="right",
            va="top" if sign > 0 else "bottom",
            size=13,
            weight="bold",
            color=colour,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
            zorder=1.5,
        )
        fit(heading, 0.9 * axes.get_position().width)

    axes.set_xlabel(_length_label(summary, shown), size=11.5, labelpad=6)
    axes.set_ylabel("Share of duels", size=11.5)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{abs(value):g}%"))
    axes.tick_params(length=0, labelsize=11)
    axes.grid(axis="y", color=FAINT, linewidth=0.8)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return axes


def _entries(summary: MatchupSummary) -> list[tuple[str, Rate]]:
    """The rows of the win rates: deck A's rate over all duels and by who began."""
    a, b = wording.side_names(summary.a, summary.b, _NAME_WIDTH)
    rows = [
        ("All duels", summary.win_rate_a),
        (f"{a} first", summary.when_a_began),
        (f"{b} first", summary.when_b_began),
    ]
    return [(label, rate) for label, rate in rows if rate is not None]


def _win_rate_bar(axes: Axes, y: float, label: str, rate: Rate, *, strong: bool) -> None:
    """One row: its label and n, the two shares as a bar, their numbers, the interval."""
    share = 100 * rate.estimate
    low, high = (100 * end for end in rate.interval)
    opacity = 1.0 if strong else 0.72
    axes.barh(y, share, height=0.62, color=COLOUR_A, alpha=opacity, linewidth=0)
    axes.barh(y, 100 - share, left=share, height=0.62, color=COLOUR_B, alpha=opacity, linewidth=0)
    _interval_mark(axes, y, low, high)

    places = wording.decimals(rate)
    weight = "bold" if strong else "normal"
    for x, align, side, colour in (
        (-1.8, "right", rate, COLOUR_A),
        (101.8, "left", rate.mirrored(), COLOUR_B),
    ):
        won = wording.percent(side.estimate, places)
        span = wording.percent_range(side, places)
        write(axes, x, y + 0.11, won, ha=align, size=17, weight=weight, color=colour)
        write(axes, x, y - 0.25, span, ha=align, size=10, color=SOFT)
    duels = f"{wording.number(rate.duels)} {'duel' if rate.duels == 1 else 'duels'}"
    place = {"transform": axes.get_yaxis_transform()}
    for words, lift, style in (
        (label, 0.11, {"size": 14, "weight": weight}),
        (duels, -0.25, {"size": 10, "color": SOFT}),
    ):
        text = write(axes, _LABELS, y + lift, words, **place, **style)
        fit(text, _LABEL_ROOM * axes.get_position().width)


def _interval_mark(axes: Axes, y: float, low: float, high: float) -> None:
    """The interval over a bar, black on white so that it stands out from both colours."""
    style: dict[str, Any] = {"clip_on": False, "zorder": 4}
    if high - low < _NARROW:
        # Caps would hide so narrow an interval: a block as wide as it shows it to scale.
        axes.barh(
            y,
            high - low,
            left=low,
            height=0.4,
            color=INK,
            edgecolor="white",
            linewidth=1.2,
            **style,
        )
        return
    for colour, extra in (("white", 2.8), (INK, 0.0)):
        line = {"color": colour, "solid_capstyle": "butt", "linewidth": 2.2 + extra, **style}
        axes.plot([low, high], [y, y], **line)
        for end in (low, high):
            axes.plot([end, end], [y - 0.18, y + 0.18], **line)


def _title(figure: Figure, summary: MatchupSummary) -> None:
    """The finding, large: long names make it smaller first, and are cut only then."""
    widths = (60, 44, 34, 26, 20, 14, 10)
    for width in widths:
        a, b = wording.side_names(summary.a, summary.b, width)
        words = wording.headline(a, b, summary.win_rate_a)
        text = write(figure, 0.04, 0.93, words, size=25, weight="bold")
        if width == widths[-1] or width_of(text) * 0.7 <= 0.92:
            fit(text, 0.92)
            return
        text.remove()


def _subtitle(summary: MatchupSummary) -> str:
    """What the title rests on, and the first player's advantage."""
    a, b = wording.side_names(summary.a, summary.b, _NAME_WIDTH)
    rate = summary.win_rate_a
    if wording.favoured(rate) == "b":
        rate = rate.mirrored()
    interval = f"95% interval {wording.percent_range(rate, wording.decimals(rate))}"
    if wording.favoured(rate) is None:
        won = wording.percent(rate.estimate, wording.decimals(rate))
        interval = f"{a} won {won}, {interval}"
    if summary.always_first is not None:
        return f"{interval}   |   {(a, b)[summary.always_first == 'b']} was always first"
    first = summary.first_player
    places = wording.decimals(first)
    return (
        f"{interval}   |   the first player won {wording.percent(first.estimate, places)} "
        f"({wording.percent_range(first, places)})"
    )


def _small_print(summary: MatchupSummary) -> tuple[str, str]:
    """How the duels were played, and what the black marks are."""
    a, b = wording.side_names(summary.a, summary.b, _NAME_WIDTH)
    paired = " (same seed and shuffles, the other side first)" if summary.pairs else ""
    methods = summary.win_rate_a.method
    if summary.pairs:
        methods += f"; by who was first: {UNPAIRED_METHOD}"
    return (
        f"duel-sim: {wording.sample(summary.win_rate_a)}{paired}, seed {summary.seed}, "
        f"{summary.play(a, b)}.",
        f"Black: 95% intervals ({methods}).",
    )


def _length_label(summary: MatchupSummary, shown: Histogram) -> str:
    label = "Length in turns, both sides' turns counted together"
    width = shown.bins[0].last - shown.bins[0].first + 1
    if width > 1:
        label += f", {width} a bar"
    if shown.beyond:
        longer = "duel is" if shown.beyond == 1 else "duels are"
        label += (
            f"  ({wording.number(shown.beyond)} {longer} longer, up to {summary.turns.most} turns)"
        )
    return label
