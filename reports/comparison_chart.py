"""The chart of a comparison, for a slide: both lists' win rates, and what they differ by."""

from __future__ import annotations

from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports import comparison_wording as words
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
from reports.comparison import Against, ComparisonSummary, Difference, Share
from reports.intervals import Rate

#: More rows than this would be too small to read: opponents of the least weight are left out.
_MOST_ROWS = 22
_NAME_WIDTH = 24
_LEFT, _RIGHT = 0.24, 0.965  # where the rates begin, and the differences end
_MIDDLE, _GAP = 0.60, 0.045
_TOP, _BOTTOM = 0.76, 0.185
_CARD_HEIGHT, _CARD_ROOM = 0.036, 0.12

Row = tuple[str, Rate | Share, Rate | Share, Difference]


def comparison_chart(summary: ComparisonSummary, path: str | Path) -> Path:
    """Write the chart as PNG or SVG, by the suffix of `path` (errors: `canvas.save`)."""
    return save(comparison_figure(summary), path)


def comparison_figure(summary: ComparisonSummary) -> Figure:
    """The chart as a figure: the finding, both win rates by opponent, the differences."""
    rows = _rows(summary)
    with matplotlib.rc_context(STYLE):
        figure = new_figure()
        _title(figure, summary)
        fit(write(figure, 0.04, 0.868, _subtitle(summary), size=14, color=SOFT), 0.92)
        # A few rows stand close together at the top, and not lost over the whole height.
        height = min(_TOP - _BOTTOM, 0.085 * len(rows))
        foot = _TOP - height
        rates = figure.add_axes((_LEFT, foot, _MIDDLE - _GAP - _LEFT, height))
        rate_axes(rates, summary)
        gaps = figure.add_axes((_MIDDLE, foot, _RIGHT - _MIDDLE, height))
        difference_axes(gaps, summary)
        room = foot - 0.14 - _BOTTOM
        if room > _CARD_ROOM and any(card.worth is not None for card in summary.cards):
            card_axes(figure.add_axes((_LEFT, _BOTTOM, _RIGHT - _LEFT, room)), summary)
        for y, line in zip((0.058, 0.03), _small_print(summary, len(rows)), strict=True):
            fit(write(figure, 0.04, y, line, size=9.5, color=SOFT), 0.92)
    return figure


def rate_axes(axes: Axes, summary: ComparisonSummary) -> Axes:
    """Draw both lists' win rates by opponent, with their intervals; returns `axes`.

    The opponents' names stand left of it, in a free margin of two thirds of its width.
    """
    rows = _rows(summary)
    for y, (name, rate_a, rate_b, _) in _placed(rows):
        strong = name == rows[0][0] and len(rows) > 1
        axes.plot(
            [100 * rate_a.estimate, 100 * rate_b.estimate],
            [y, y],
            color=FAINT,
            linewidth=5,
            zorder=1,
        )
        for rate, colour, lift in ((rate_a, COLOUR_A, 0.13), (rate_b, COLOUR_B, -0.13)):
            ends = [100 * end for end in rate.interval]
            axes.plot(ends, [y + lift, y + lift], color=colour, linewidth=2, zorder=2)
            axes.plot(
                100 * rate.estimate,
                y,
                marker="o",
                markersize=10 if strong else 8,
                color=colour,
                zorder=3,
            )
        label = write(
            axes,
            -0.03,
            y,
            name,
            transform=axes.get_yaxis_transform(),
            ha="right",
            size=14 if strong else 12.5,
            weight="bold" if strong else "normal",
        )
        fit(label, _LEFT - 0.055)
    axes.axvline(50, color=INK, linewidth=1.1, dashes=(4, 3), zorder=0)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}%"))
    _finish(axes, rows, "Win rate")
    a, b = words.names(summary, _NAME_WIDTH)
    for x, align, name, colour in ((0, "left", a, COLOUR_A), (1, "right", b, COLOUR_B)):
        heading = write(
            axes,
            x,
            1.02,
            f"● {name}",
            transform=axes.transAxes,
            ha=align,
            va="bottom",
            color=colour,
            size=13,
            weight="bold",
        )
        fit(heading, 0.48 * axes.get_position().width)
    return axes


def difference_axes(axes: Axes, summary: ComparisonSummary) -> Axes:
    """Draw list A's win rate less list B's by opponent, with its interval; returns `axes`."""
    rows = _rows(summary)
    ends = [100 * end for *_, each in rows for end in each.interval]
    reach = max(*map(abs, ends), 0.1)
    for y, (name, _, _, difference) in _placed(rows):
        strong = name == rows[0][0] and len(rows) > 1
        side = words.better(difference)
        colour = {"a": COLOUR_A, "b": COLOUR_B, None: SOFT}[side]
        low, high = (100 * end for end in difference.interval)
        width = 5 if strong else 3
        axes.plot([low, high], [y, y], color=colour, linewidth=width, solid_capstyle="butt")
        axes.plot(
            100 * difference.estimate,
            y,
            marker="D",
            markersize=9 if strong else 7,
            color="white",
            markeredgecolor=colour,
            markeredgewidth=2,
        )
        text = words.points(difference.estimate, words.decimals(difference))
        write(
            axes,
            0.99,
            y,
            text,
            transform=axes.get_yaxis_transform(),
            ha="right",
            size=13,
            color=colour,
            weight="bold" if strong else "normal",
        )
    axes.axvline(0, color=INK, linewidth=1.1, zorder=0)
    # Some of the other side always shows; the numbers stand on the right.
    axes.set_xlim(
        min(-0.4 * reach, 1.15 * min(ends)), max(0.4 * reach, 1.15 * max(ends)) + 0.4 * reach
    )
    axes.xaxis.set_major_formatter(FuncFormatter(_points_tick))
    a, b = words.names(summary, _NAME_WIDTH)
    _finish(axes, rows, "Difference in points, with its 95% interval")
    for x, align, text, colour in (
        (0, "left", f"← {b} better", COLOUR_B),
        (1, "right", f"{a} better →", COLOUR_A),
    ):
        heading = write(
            axes,
            x,
            1.02,
            text,
            transform=axes.transAxes,
            ha=align,
            va="bottom",
            size=12,
            color=colour,
        )
        fit(heading, 0.48 * axes.get_position().width)
    return axes


def card_axes(axes: Axes, summary: ComparisonSummary) -> Axes:
    """Draw what went along with drawing the cards that the lists do not share; returns `axes`.

    Win rate if drawn less if not; as many cards as there is room for, the most telling ones.
    """
    height = axes.get_position().height
    found = [(card, card.worth) for card in summary.cards if card.worth is not None]
    found.sort(key=lambda each: -abs(each[1][0]) if each[1] else 0.0)
    found = found[: int(height / _CARD_HEIGHT)]
    found.sort(key=lambda each: -each[1][0] if each[1] else 0.0)
    for y, (card, worth) in enumerate(found):
        assert worth is not None
        middle, half = (100 * number for number in worth)
        colour = COLOUR_A if card.in_list == "a" else COLOUR_B
        axes.plot([middle - half, middle + half], [-y, -y], color=colour, linewidth=3)
        axes.plot(
            middle, -y, marker="D", markersize=6, color="white", markeredgecolor=colour, mew=2
        )
        label = write(
            axes,
            -0.012,
            -y,
            f"{card.copies} {card.name}",
            transform=axes.get_yaxis_transform(),
            ha="right",
            size=11.5,
            color=colour,
        )
        fit(label, _LEFT - 0.055)
    axes.axvline(0, color=INK, linewidth=1.1, zorder=0)
    axes.xaxis.set_major_formatter(FuncFormatter(_points_tick))
    axes.set_ylim(-len(found) + 0.5, 0.5)
    _frame(
        axes, "Win rate if the card was drawn less if it was not, in points, with its 95% interval"
    )
    write(
        axes,
        0,
        1.03,
        "Cards that the lists do not share",
        transform=axes.transAxes,
        va="bottom",
        size=13,
        weight="bold",
    )
    return axes


def _points_tick(value: float, _: object) -> str:
    return f"{value:+g}".replace("-", "\N{MINUS SIGN}") if value else "0"


def _rows(summary: ComparisonSummary) -> list[Row]:
    """All opponents together first, if there are several, then each, those of most weight first."""
    rows: list[Row] = []
    if len(summary.against) > 1:
        rows.append(("All opponents", summary.total_a, summary.total_b, summary.difference))
    by_weight = sorted(summary.against, key=lambda each: -each.weight)[: _MOST_ROWS - len(rows)]
    order = {id(each): number for number, each in enumerate(summary.against)}
    kept: list[Against] = sorted(by_weight, key=lambda each: order[id(each)])
    rows += [
        (wording.shorten(each.name, _NAME_WIDTH), each.rate_a, each.rate_b, each.difference)
        for each in kept
    ]
    return rows


def _placed(rows: list[Row]) -> list[tuple[float, Row]]:
    """The rows with their heights, downward from 0."""
    return [(-float(number), row) for number, row in enumerate(rows)]


def _finish(axes: Axes, rows: list[Row], label: str) -> None:
    """The frame of both panels of rows, with a line under the total."""
    axes.set_ylim(-len(rows) + 0.5, 0.5)
    if len(rows) > 1:
        axes.axhline(-0.5, color=FAINT, linewidth=1.2)
    _frame(axes, label)


def _frame(axes: Axes, label: str) -> None:
    """What all panels have in common: a grid along x, no frame, no ticks along y."""
    axes.set_yticks([])
    axes.set_xlabel(label, size=11.5, labelpad=6)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=7, steps=[1, 2, 5, 10]))
    axes.tick_params(length=0, labelsize=11)
    axes.grid(axis="x", color=FAINT, linewidth=0.8)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _title(figure: Figure, summary: ComparisonSummary) -> None:
    """The finding, large: long names make it smaller first, and are cut only then."""
    widths = (60, 44, 34, 26, 20, 14)
    for width in widths:
        text = write(figure, 0.04, 0.93, words.headline(summary, width), size=25, weight="bold")
        if width == widths[-1] or width_of(text) * 0.7 <= 0.92:
            fit(text, 0.92)
            return
        text.remove()


def _subtitle(summary: ComparisonSummary) -> str:
    """The interval behind the title, and what the test said, if there was one."""
    places = words.decimals(summary.difference)
    parts = [
        f"difference {words.points(summary.difference.estimate, places)} points, 95% interval "
        f"{words.points_range(summary.difference.interval, places)}"
    ]
    if summary.tested is not None:
        test = summary.tested.test
        asked = f"{100 * test.worse:g} or {100 * test.better:g} points"
        parts.append(f"sequential test, {asked}: {summary.tested.answer}")
    gain = summary.difference.gain
    if gain is not None and gain > 1:
        parts.append(f"same seeds: error {gain:.1f} times smaller")
    return "   |   ".join(parts)


def _small_print(summary: ComparisonSummary, rows: int) -> tuple[str, str]:
    """How the duels were played, and what the lines are."""
    unit = f" in {wording.number(summary.pairs)} pairs" if summary.paired else ""
    shown = rows - (len(summary.against) > 1)
    left_out = len(summary.against) - shown
    more = f"; {left_out} opponents of less weight are not shown" if left_out else ""
    return (
        f"duel-sim: {wording.number(summary.duels)} duels with each list{unit} on the same seeds, "
        f"seed {summary.seed}, {summary.strategy} on all sides{more}.",
        f"Lines: 95% intervals (win rates: {summary.against[0].rate_a.method}; "
        f"difference: {summary.method}).",
    )
