"""A comparison as a table for the terminal, readable at 80 columns and without colour."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from functools import partial

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from reports import comparison_wording as words
from reports import wording
from reports.comparison import CardDoings, ComparisonSummary, Difference, Share
from reports.intervals import Rate

_STYLE_A, _STYLE_B = "cyan", "magenta"
#: For output that cannot hold them: dashes, minus signs, the ends of names that were cut.
_TO_ASCII = str.maketrans({"\N{EN DASH}": "-", "\N{MINUS SIGN}": "-", "…": "~"})
_HEADING_WIDTH = 14
_NAME_WIDTH = 24

Make = Callable[..., Text]


def print_comparison(summary: ComparisonSummary, console: Console | None = None) -> None:
    """Print a comparison to `console` (stdout by default), ending with the verdict in words."""
    console = console or Console(highlight=False, markup=False, emoji=False)
    console.print(comparison_table(summary, encoding=console.encoding))


def comparison_table(summary: ComparisonSummary, *, encoding: str = "utf-8") -> RenderableType:
    """The table as a rich renderable, in characters that `encoding` has.

    What a deck's name has beyond them is shown as question marks.
    """
    make = partial(_text, None if encoding.lower().startswith("utf") else encoding)
    title_a, title_b = words.names(summary)
    parts: list[RenderableType] = [
        Text.assemble(
            make(title_a, f"bold {_STYLE_A}"), " or ", make(title_b, f"bold {_STYLE_B}"), "?"
        ),
        make(_basis(summary), "dim"),
        "",
        _rates(summary, make),
        "",
    ]
    if not summary.same:
        parts.append(
            make(f"Standard error of the difference: {words.error_line(summary.difference)}.")
        )
    if summary.tested is not None:
        low, high = summary.tested.test.bounds
        ratio = f"Log likelihood ratio of the test: {summary.tested.ratio:+.2f}"
        parts.append(make(f"{ratio}, decided at {low:+.2f} and at {high:+.2f}."))
    if summary.duels_per_second is not None:
        parts.append(make(f"Speed: {summary.duels_per_second:,.0f} duels per second."))
    if summary.cards:
        heading = "The cards that the lists do not share, over all opponents"
        parts += ["", make(heading, "bold"), _cards(summary, make)]
    return Group(*parts, "", make(words.verdict(summary)))


def _text(encoding: str | None, line: str, style: str = "") -> Text:
    if encoding is not None:
        line = line.translate(_TO_ASCII).encode(encoding, "replace").decode(encoding)
    return Text(line, style=style)


def _basis(summary: ComparisonSummary) -> str:
    unit = f" in {wording.number(summary.pairs)} pairs" if summary.paired else ""
    return (
        f"{wording.number(summary.duels)} duels with each list{unit} on the same seeds, "
        f"seed {summary.seed}, {summary.strategy} on all sides; "
        f"the lists share {summary.shared_cards} cards"
    )


def _rates(summary: ComparisonSummary, make: Make) -> Table:
    weighted = len({each.weight for each in summary.against}) > 1
    a, b = (_heading(name) for name in words.names(summary, _HEADING_WIDTH + 6))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("against", overflow="fold", vertical="bottom")
    if weighted:
        table.add_column("weight", justify="right", vertical="bottom")
    for heading, style in (
        (f"{a}\nwin rate", _STYLE_A),
        (f"{b}\nwin rate", _STYLE_B),
        ("difference\nin points", ""),
        ("95%\ninterval", ""),
    ):
        table.add_column(make(heading, style), justify="right", vertical="bottom")
    for each in summary.against:
        cells = [wording.shorten(each.name, _NAME_WIDTH)]
        cells += [f"{100 * each.weight:.0f}%"] if weighted else []
        cells += _cells(each.rate_a, each.rate_b, each.difference)
        table.add_row(*map(make, cells))
    if len(summary.against) > 1:
        table.add_section()
        cells = ["All by weight", ""] if weighted else ["All together"]
        cells += _cells(summary.total_a, summary.total_b, summary.difference)
        table.add_row(*map(make, cells), style="bold")
    return table


def _cells(a: Rate | Share, b: Rate | Share, difference: Difference) -> list[str]:
    places = words.decimals(difference)
    return [
        wording.percent(a.estimate),
        wording.percent(b.estimate),
        words.points(difference.estimate, places),
        words.points_range(difference.interval, places),
    ]


def _cards(summary: ComparisonSummary, make: Make) -> Table:
    heads = [wording.shorten(name, _HEADING_WIDTH) for name in words.names(summary, _HEADING_WIDTH)]
    names = dict(zip("ab", heads, strict=True))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("card", overflow="fold", vertical="bottom")
    table.add_column("list", overflow="fold", vertical="bottom")
    for heading in ("copies", "drawn", "played\nif drawn", "won\nif drawn", "won\nif not"):
        table.add_column(heading, justify="right", vertical="bottom")
    for card in summary.cards:
        style = _STYLE_A if card.in_list == "a" else _STYLE_B
        table.add_row(make(card.name), make(names[card.in_list], style), *map(make, _doings(card)))
    return table


def _doings(card: CardDoings) -> list[str]:
    shares = (
        (card.drawn, card.duels),
        (card.played, card.drawn),
        (card.drawn_won, card.drawn),
        (card.won - card.drawn_won, card.duels - card.drawn),
    )
    return [str(card.copies), *(wording.percent(x / n) if n else "-" for x, n in shares)]


def _heading(name: str) -> str:
    """A name over a narrow column, in two lines at most."""
    return "\n".join(textwrap.wrap(name, _HEADING_WIDTH, max_lines=2, placeholder="…"))
