"""A comparison as a table for the terminal, readable at 80 columns and without colour."""

from __future__ import annotations

import textwrap

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from reports import comparison_wording as words
from reports import wording
from reports.comparison import CardDoings, ComparisonSummary, Difference, Share
from reports.intervals import Interval, Rate

_STYLE_A, _STYLE_B = "cyan", "magenta"
#: For output that cannot hold them: a dash in a range, a minus sign, the end of a name that was cut.
_TO_ASCII = str.maketrans({"\N{EN DASH}": "-", "\N{MINUS SIGN}": "-", "…": "~"})
_HEADING_WIDTH = 14
_NAME_WIDTH = 26


def print_comparison(summary: ComparisonSummary, console: Console | None = None) -> None:
    """Print a comparison to `console` (stdout by default), ending with the verdict in words."""
    console = console or Console(highlight=False)
    console.print(comparison_table(summary, encoding=console.encoding))


def comparison_table(summary: ComparisonSummary, *, encoding: str = "utf-8") -> RenderableType:
    """The table as a rich renderable, in characters that `encoding` has."""
    plain = not encoding.lower().startswith("utf")

    def text(line: str, style: str = "") -> Text:
        if plain:
            line = line.translate(_TO_ASCII).encode(encoding, "replace").decode(encoding)
        return Text(line, style=style)

    title_a, title_b = words.names(summary)
    parts: list[RenderableType] = [
        Text.assemble(
            text(title_a, f"bold {_STYLE_A}"), " or ", text(title_b, f"bold {_STYLE_B}"), "?"
        ),
        text(_basis(summary), "dim"),
        "",
        _rates(summary, text),
    ]
    if not summary.same:
        parts += ["", text(f"Standard error of the difference: {words.error_line(summary.difference)}.")]
    if summary.tested is not None:
        low, high = summary.tested.test.bounds
        parts.append(
            text(
                f"Log likelihood ratio {summary.tested.ratio:+.2f}, decided at {low:.2f} "
                f"or {high:+.2f}."
            )
        )
    if summary.cards:
        parts += ["", text("Cards that the lists do not share, over all opponents", "bold")]
        parts.append(_cards(summary, text))
    if summary.duels_per_second is not None:
        parts.append(text(f"Speed {summary.duels_per_second:,.0f} duels per second"))
    return Group(*parts, "", text(words.verdict(summary)))


def _basis(summary: ComparisonSummary) -> str:
    unit = f" in {wording.number(summary.pairs)} pairs" if summary.paired else ""
    return (
        f"{wording.number(summary.duels)} duels with each list{unit} on the same seeds, "
        f"seed {summary.seed}, {summary.strategy} on all sides; "
        f"the lists share {summary.shared_cards} cards"
    )


def _rates(summary: ComparisonSummary, text: type[Text] | object) -> Table:
    make = text if callable(text) else Text
    a, b = (_heading(name) for name in words.names(summary, _HEADING_WIDTH + 6))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("against", vertical="bottom")
    weighted = len({each.weight for each in summary.against}) > 1
    if weighted:
        table.add_column("weight", justify="right", vertical="bottom")
    table.add_column(make(f"{a}\nwin rate", _STYLE_A), justify="right", vertical="bottom")
    table.add_column(make(f"{b}\nwin rate", _STYLE_B), justify="right", vertical="bottom")
    table.add_column("difference\nin points", justify="right", vertical="bottom")
    table.add_column("95%\ninterval", justify="right", vertical="bottom")
    rows = [
        (each.name, each.weight, each.rate_a, each.rate_b, each.difference)
        for each in summary.against
    ]
    for name, weight, rate_a, rate_b, difference in rows:
        cells = [wording.shorten(name, _NAME_WIDTH)]
        cells += [f"{100 * weight:.0f}%"] if weighted else []
        table.add_row(*(make(cell) for cell in [*cells, *_cells(rate_a, rate_b, difference)]))
    if len(rows) > 1:
        table.add_section()
        cells = ["All, by weight" if weighted else "All together"] + [""] * weighted
        cells += _cells(summary.total_a, summary.total_b, summary.difference)
        table.add_row(*(make(cell) for cell in cells), style="bold")
    return table
