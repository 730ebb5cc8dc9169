"""The chart of the cards: what seeing a card suggests, and what it brings."""

from __future__ import annotations

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports import wording
from reports.balance_charts import signed_points
from reports.canvas import COLOUR_A, COLOUR_B, INK, SOFT
from reports.chart_frame import Shape, frame, plain

#: How many cards are shown: those that bring most and least, and those that seem most.
MOST_CARDS = 24


def card_axes(axes: Axes, cards: pl.DataFrame, *, shape: Shape) -> Axes:
    """Two dots a card with intervals: seen (hollow) and brought (full); returns `axes`.

    `cards`: columns deck, name_en, seen, seen_low, seen_high, brings, brings_low, brings_high.
    """
    names = []
    for y, row in enumerate(cards.iter_rows(named=True)):
        for name, colour, shift, face in (
            ("seen", COLOUR_B, -0.17, "none"),
            ("brings", COLOUR_A, 0.17, COLOUR_A),
        ):
            if row[name] is None:
                continue
            ends = row[f"{name}_low"], row[f"{name}_high"]
            axes.plot(ends, [y + shift] * 2, color=colour, linewidth=1.6, zorder=2)
            axes.plot(row[name], y + shift, "o", color=colour, mfc=face, markersize=5, zorder=3)
        card = wording.shorten(row["name_en"], 25 if shape.is_narrow else 34)
        names.append(card if shape.is_narrow else f"{card}  ({row['deck']})")
    axes.axvline(0, color=SOFT, linewidth=1, dashes=(4, 3), zorder=0)
    axes.set_yticks(range(len(names)), names, size=shape.small, color=INK, parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.xaxis.set_major_formatter(FuncFormatter(signed_points))
    axes.xaxis.set_major_locator(MaxNLocator(nbins=5 if shape.is_narrow else 8))
    axes.set_xlabel("points of win rate", size=shape.small)
    axes.margins(x=0.04)
    return plain(axes)


def shown_cards(cards: pl.DataFrame, most: int = MOST_CARDS) -> pl.DataFrame:
    """The cards of the chart, what brings most on top: the extremes of both measures."""
    known = cards.filter(pl.col("brings").is_not_null()).sort("brings", "deck", "card")
    if len(known) <= most:
        return known.reverse()
    third = most // 3
    chosen = [known.head(third), known.tail(third)]
    rest = known.slice(third, len(known) - 2 * third)
    misleading = rest.sort(
        (pl.col("seen") - pl.col("brings")).abs(), descending=True, nulls_last=True
    )
    chosen.append(misleading.head(most - 2 * third))
    return pl.concat(chosen).sort("brings", "deck", "card", descending=[True, False, False])


def card_figure(shape: Shape, cards: pl.DataFrame, title: str) -> Figure:
    """The cards that stand out, seen beside brought."""
    shown = shown_cards(cards)
    letters = 25 if shape.is_narrow else 46
    names = [len(f"{n}  ({d})") for n, d in shown.select("name_en", "deck").iter_rows()]
    left = min(letters, max(names)) * shape.small * 0.56 / 72 + 0.15
    n = ""
    if "swap_duels" in shown.columns and len(shown):
        n = f", {wording.number(int(shown['swap_duels'].min()))} duels each"  # type: ignore[arg-type]
    subtitle = (
        "Blue, full: what the card brings: win rate with it minus with a plain card of its level "
        f"in its place, on the same seeds{n}. Orange, hollow: what seeing suggests: win rate when "
        "it was drawn minus when it was not. 95% intervals. Shown are the cards that bring most "
        "and least, and those about which seeing misleads most."
    )
    with frame(shape, 0.27 * len(shown) + 0.5, title, subtitle) as made:
        card_axes(made.axes(left, made.top, 0.15, 0.45), shown, shape=shape)
        return made.figure
