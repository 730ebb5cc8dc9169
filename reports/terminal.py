"""A matchup as a table for the terminal, readable at 80 columns and without colour."""

from __future__ import annotations

import textwrap

import polars as pl
from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from reports import wording
from reports.intervals import Rate
from reports.lengths import Histogram, histogram
from reports.matchup import MatchupSummary, Spread

_STYLE_A, _STYLE_B = "cyan", "magenta"
_BLOCKS = " ▁▂▃▄▅▆▇█"
_ASCII_BLOCKS = "  ..::##%"
# For output that cannot hold them: a dash in a range and the end of a name that was cut.
_TO_ASCII = str.maketrans({"\N{EN DASH}": "-", "…": "~"})

# Three columns under a name, the rows' labels and the interval must fit into 80 columns together.
_NAME_WIDTH, _HEADING_WIDTH = 16, 12
_BINS = 48
_ROWS = 2


def print_matchup(
    summary: MatchupSummary, counts: pl.DataFrame, console: Console | None = None
) -> None:
    """Print a matchup to `console` (stdout by default), ending with the finding in words.

    `counts` is the frame that was summarised; the distribution of length is drawn from it.
    """
    console = console or Console(highlight=False, markup=False, emoji=False)
    console.print(matchup_table(summary, counts, encoding=console.encoding))


def matchup_table(
    summary: MatchupSummary, counts: pl.DataFrame, *, encoding: str = "utf-8"
) -> RenderableType:
    """The table as a rich renderable, in characters that `encoding` has.

    What a deck's name has beyond them is shown as question marks.
    """
    plain = not encoding.lower().startswith("utf")

    def text(words: str, style: str = "") -> Text:
        if plain:
            words = words.translate(_TO_ASCII).encode(encoding, "replace").decode(encoding)
        return Text(words, style=style)

    a, b = wording.side_names(summary.a, summary.b, _NAME_WIDTH)
    head_a, head_b = _heading(a), _heading(b)
    rates = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    rates.add_column("")
    rates.add_column(text(f"{head_a}\nwins", _STYLE_A), justify="right", vertical="bottom")
    rates.add_column(text(f"{head_b}\nwins", _STYLE_B), justify="right", vertical="bottom")
    rates.add_column(text(f"{head_a}\nwin rate", _STYLE_A), justify="right", vertical="bottom")
    rates.add_column(text("95%\ninterval"), justify="right", vertical="bottom")
    for label, rate, style in (
        ("All duels", summary.win_rate_a, "bold"),
        (f"{a} first", summary.when_a_began, ""),
        (f"{b} first", summary.when_b_began, ""),
    ):
        if rate is not None:
            rates.add_row(*(text(cell) for cell in _rate_cells(label, rate)), style=style)

    facts = Table.grid(padding=(0, 2))
    facts.add_column(no_wrap=True)
    facts.add_column()
    facts.add_row(text("First player"), text(_first_player(summary.first_player)))
    facts.add_row(text("Length in turns"), text(_spread(summary.turns)))
    facts.add_row("", text(_draw(histogram(counts, _BINS), plain)))
    facts.add_row(text("Ended by"), text(_ended(summary)))
    facts.add_row(text("Winner's LP left"), text(_spread(summary.lp_left)))
    if summary.duels_per_second is not None:
        facts.add_row(text("Speed"), text(f"{summary.duels_per_second:,.0f} duels per second"))

    # Whole names here: a title may wrap.
    title_a, title_b = wording.side_names(summary.a, summary.b, 60)
    title = Text.assemble(
        text(title_a, f"bold {_STYLE_A}"), " against ", text(title_b, f"bold {_STYLE_B}")
    )
    basis = text(
        f"{wording.sample(summary.win_rate_a)}, seed {summary.seed}, {summary.play(a, b)}",
        "dim",
    )
    return Group(title, basis, "", rates, "", facts, "", text(summary.finding))


def _heading(name: str) -> str:
    """A name over a narrow column, in two lines at most."""
    return "\n".join(textwrap.wrap(name, _HEADING_WIDTH, max_lines=2, placeholder="…"))


def _rate_cells(label: str, rate: Rate) -> tuple[str, str, str, str, str]:
    places = wording.decimals(rate)
    return (
        label,
        wording.number(rate.wins),
        wording.number(rate.duels - rate.wins),
        wording.percent(rate.estimate, places),
        wording.percent_range(rate, places),
    )


def _first_player(rate: Rate) -> str:
    """The first player's win rate and what its interval says of the advantage."""
    places = wording.decimals(rate)
    side = wording.favoured(rate)
    points = f"{100 * abs(rate.estimate - 0.5):.{places}f} points"
    verdict = {
        "a": f"going first is worth {points}",
        "b": f"going first costs {points}",
        None: "no advantage is shown",
    }[side]
    return (
        f"won {wording.percent(rate.estimate, places)} "
        f"({wording.percent_range(rate, places)}): {verdict}"
    )


def _spread(spread: Spread) -> str:
    return (
        f"mean {spread.mean.value:.1f}, median {spread.p50}, "
        f"90% in {wording.span(spread.p5, spread.p95)}, "
        f"all in {wording.span(spread.least, spread.most)}"
    )


def _ended(summary: MatchupSummary) -> str:
    parts = []
    for words, count in (
        ("LP at zero", summary.ended_lp),
        ("empty deck", summary.ended_deck),
    ):
        share = count / summary.duels
        # A few among many must not read as none, nor almost all as all.
        shown = f"{100 * share:.1f}%"
        if 0 < share < 0.0005:
            shown = "under 0.1%"
        elif 0.9995 <= share < 1:
            shown = "over 99.9%"
        parts.append(f"{words} {wording.number(count)} ({shown})")
    return ", ".join(parts)


def _draw(shown: Histogram, plain: bool) -> str:
    """The histogram as rows of block characters over a line that names its ends."""
    blocks = _ASCII_BLOCKS if plain else _BLOCKS
    most = max(each.duels for each in shown.bins)
    full = len(blocks) - 1
    # Heights in eighths of a row; a bin with any duel at all shows a trace of it.
    heights = [
        max(1, round(each.duels / most * full * _ROWS)) if each.duels else 0 for each in shown.bins
    ]
    rows = [
        "".join(blocks[min(full, max(0, height - full * row))] for height in heights).rstrip()
        for row in reversed(range(_ROWS))
    ]
    first, last = str(shown.bins[0].first), str(shown.bins[-1].last)
    gap = " " * max(1, len(shown.bins) - len(first) - len(last))
    axis = first if len(shown.bins) == 1 else f"{first}{gap}{last}"
    width = shown.bins[0].last - shown.bins[0].first + 1
    if width > 1:
        axis += f"  ({width} turns a bar)"
    if shown.beyond:
        axis += f"  {wording.number(shown.beyond)} longer"
    return "\n".join([*rows, axis])
