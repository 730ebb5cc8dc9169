"""Open rulings for the terminal, readable at 80 columns and without colour."""

from __future__ import annotations

from functools import partial

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table

from reports import wording
from reports.plain_text import Make, plain_text
from reports.rulings import BEGINS, RuledMatchup, Ruling, RulingsSummary
from reports.significance import CORRECTION

_NAME_WIDTH = 9


def print_rulings(summary: RulingsSummary, console: Console | None = None) -> None:
    """Print the rulings to `console` (stdout by default), ending with what holds under all."""
    console = console or Console(highlight=False, markup=False, emoji=False)
    encoding = console.encoding
    make = partial(plain_text, None if encoding.lower().startswith("utf") else encoding)
    console.print(rulings_table(summary, make))


def rulings_table(summary: RulingsSummary, make: Make) -> RenderableType:
    """The rulings as a rich renderable."""
    matchups = len(summary.rulings[0].matchups)
    duels = summary.rulings[0].matchups[0].change.before.duels
    parts: list[RenderableType] = [
        make("Which conclusions depend on a ruling", "bold"),
        make(
            f"{wording.number(duels)} duels of each of {matchups} matchups and each ruling, on the "
            f"same seeds, seed {summary.seed}, {summary.strategy} on both sides",
            "dim",
        ),
        "",
        _overview(summary, make),
        "",
        make(
            f"Moved: matchups whose win rate is shown to change ({CORRECTION}, over all rulings).",
            "dim",
        ),
        "",
        _orders(summary, make),
        "",
    ]
    parts += [make(line) for ruling in summary.rulings for line in _dependent(ruling)]
    return Group(*parts, make(_firm(summary)))


def _overview(summary: RulingsSummary, make: Make) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 0))
    table.add_column("ruling", no_wrap=True)
    for heading in ("moved", "turned", "lost", "new"):
        table.add_column(heading, justify="right")
    table.add_column("most")
    table.add_column("points", justify="right")
    for ruling in summary.rulings:
        biggest = ruling.biggest
        low, high = biggest.change.difference.interval
        table.add_row(
            make(ruling.ruling),
            str(len(ruling.moved)),
            *(str(len(ruling.having(verdict))) for verdict in ("reversed", "lost", "new")),
            make(" ".join(wording.shorten(each, _NAME_WIDTH) for each in (biggest.a, biggest.b))),
            make(f"{100 * low:+.1f} to {100 * high:+.1f}"),
        )
    return table


def _orders(summary: RulingsSummary, make: Make) -> Table:
    """The decks by their average under each ruling."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("order by average")
    table.add_column("")
    now = tuple(name for name, _ in summary.averages)
    table.add_row("as it is", make(" ".join(wording.shorten(each, _NAME_WIDTH) for each in now)))
    for ruling in summary.rulings:
        names = " ".join(wording.shorten(each, _NAME_WIDTH) for each in ruling.order)
        label = {BEGINS[0]: "decks begin", BEGINS[1]: "decks come second"}.get(
            ruling.ruling, ruling.ruling
        )
        table.add_row(make(label), "the same" if ruling.order == now else make(names))
    return table


def _dependent(ruling: Ruling) -> list[str]:
    """The conclusions that depend on a ruling, a sentence each."""
    lines = [
        _told(ruling.ruling, each)
        for verdict in ("reversed", "lost", "new")
        for each in ruling.having(verdict)
    ]
    lines += [
        f"{ruling.ruling}: {weak} is above {strong}, and below as it is."
        for strong, weak in ruling.turned
    ]
    return lines


def _told(ruling: str, each: RuledMatchup) -> str:
    before, after = each.change.before, each.change.after
    names = {"a": each.a, None: "neither side"}
    now = each.favoured_after or names[None]
    was = each.favoured_before or names[None]
    return (
        f"{ruling}: {each.a} against {each.b} favours {now}, not {was} "
        f"({100 * before.estimate:.1f}% before, {100 * after.estimate:.1f}% after)."
    )


def _firm(summary: RulingsSummary) -> str:
    firm = summary.firm()
    favoured = sum(each.favoured_before is not None for each in summary.rulings[0].matchups)
    if not favoured:
        return "No matchup is shown to favour a side as it is."
    listed = ", ".join(f"{strong} over {weak}" for strong, weak in firm)
    return f"Of {favoured} matchups that favour a side, {len(firm)} do under every ruling" + (
        f": {listed}." if firm else "."
    )
