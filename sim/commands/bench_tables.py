"""What `duel-sim bench` prints of comparisons, counts and profiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.table import Table

from reports.paired_ratio import Ratio
from sim.speed.against import Comparison
from sim.speed.profile import Profile

_SAME: Final = "same duels"
_OTHER: Final = "other duels"
#: Rows of a profile's tables.
_FUNCTIONS, _LINES = 40, 25


def _table(*columns: str) -> Table:
    """A table whose first column is text and whose others are numbers."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left", no_wrap=True)
    return table


def _interval(ratio: Ratio) -> str:
    if ratio.n == 1:
        return f"{ratio.estimate:.3f}"
    return f"{ratio.estimate:.3f} ({ratio.low:.3f}–{ratio.high:.3f})"


def show_comparisons(against: str, compared: Sequence[Comparison]) -> None:
    """The comparison of two versions by time."""
    console = Console(highlight=False)
    times = _table("", "µs a duel", "ratio of a duel", "ratio of a decision")
    for each in compared:
        old, new = (f"{ns / 1e3:,.1f}" for ns in each.ns)
        times.add_row(
            each.strategy,
            f"{old} → {new}",
            _interval(each.per_duel),
            _interval(each.per_decision),
        )
    console.print(f"old: {against}", markup=False, soft_wrap=True)
    console.print("new: this version, with what is not committed\n")
    console.print(times)
    console.print()
    for each in compared:
        console.print(f"{each.strategy}: {each.finding}; {_duels(each)}")
    console.print(
        f"\nRatios are new/old: below 1 is faster. {compared[0].per_duel.n} pairs, in turn, of "
        "processor time; geometric mean, with Student's 95 % interval on logs. The same source "
        "compiled twice can differ by some percent for good: less than that is for --instructions."
    )


def _duels(each: Comparison) -> str:
    """Whether both versions played the same duels."""
    if each.same_duels:
        return f"{_SAME} ({each.duels:,})"
    old, new = (number / each.duels for number in each.decisions)
    return (
        f"{_OTHER}: the rules or the strategy changed (decisions a duel {old:.1f}, now {new:.1f}), "
        "so a decision's ratio is the fair one"
    )


def show_counts(commit: str | None, rows: Sequence[dict[str, Any]]) -> None:
    """Instructions of one version or of two."""
    console = Console(highlight=False)
    if commit is None:
        table = _table("instructions of", "a duel", "a decision", "duels counted")
        for row in rows:
            table.add_row(
                row["strategy"],
                f"{row['instructions_per_duel']:,.0f}",
                f"{row['instructions_per_decision']:,.0f}",
                f"{row['duels']:,}",
            )
        console.print(table)
        return
    table = _table(
        "instructions of", "a duel,\nold", "a duel,\nnew", "ratio", "a decision,\nratio", "duels"
    )
    for row in rows:
        table.add_row(
            row["strategy"],
            f"{row['instructions_per_duel_old']:,.0f}",
            f"{row['instructions_per_duel_new']:,.0f}",
            f"{row['instructions_per_duel_ratio']:.4f}",
            f"{row['instructions_per_decision_ratio']:.4f}",
            f"{row['duels']:,} {'same' if row['same_duels'] else 'other'}",
        )
    console.print(f"old: {commit[:10]}; new: this version, with what is not committed\n")
    console.print(table)
    console.print("\nRatios are new/old: below 1 is less work.")
    if not all(row["same_duels"] for row in rows):
        console.print(
            f"{_OTHER.capitalize()}: the rules or the strategy changed, so a decision's ratio is "
            "the fair one."
        )


def show_profile(profile: Profile) -> None:
    """The functions and the lines that most of the time goes to."""
    console = Console(highlight=False)
    console.print(
        f"{profile.strategy}: {profile.total:,} {profile.unit} in the compiled engine, "
        f"{profile.duels:,} duels\n"
    )
    functions = _table("function", "own", "with inlined", "file")
    functions.columns[-1].justify = "left"
    for file, function, share in profile.functions()[:_FUNCTIONS]:
        within = profile.within[file, function]
        functions.add_row(function, f"{share:.1%}", f"{within:.1%}", file)
    console.print(functions)
    console.print()
    lines = _table("line", "own", "function")
    lines.columns[-1].justify = "left"
    known = (item for item in profile.own.items() if item[0].line)
    for place, share in sorted(known, key=lambda item: -item[1])[:_LINES]:
        lines.add_row(f"{place.file}:{place.line}", f"{share:.1%}", place.function)
    console.print(lines)
    console.print()
