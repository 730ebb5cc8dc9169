"""Changes for the terminal: a sensitivity ranked, and a matchup before and after a patch.

Readable at 80 columns and without colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table

from reports import wording
from reports.changes import METHOD, Change, ChangesSummary
from reports.intervals import Interval
from reports.matchup import MatchupSummary, Spread
from reports.plain_text import Make, plain_text
from reports.significance import CORRECTION

_NAME_WIDTH, _CHANGE_WIDTH = 24, 42


def print_sensitivity(summary: ChangesSummary, top: int, console: Console | None = None) -> None:
    """Print the `top` largest differences to `console` (stdout by default)."""
    console = console or Console(highlight=False, markup=False, emoji=False)
    make = _maker(console.encoding)
    console.print(sensitivity_table(summary, top, make))


def sensitivity_table(summary: ChangesSummary, top: int, make: Make) -> RenderableType:
    """The largest differences first, as a rich renderable."""
    first = summary.changes[0]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("change")
    for heading in ("win rate", "difference", "95% interval"):
        table.add_column(heading, justify="right")
    ranked = summary.ranked()
    for change in ranked[:top]:
        table.add_row(*(make(cell) for cell in _cells(change)))
    shown = sum(change.flagged for change in ranked)
    others = ", ".join(cell.against for cell in first.cells)
    gains = [change.difference.gain for change in ranked if change.difference.gain is not None]
    usual = sorted(gains)[len(gains) // 2] if gains else 1.0
    return Group(
        make(f"What one point more or less does to {first.deck}", "bold"),
        make(
            f"{wording.number(first.duels)} duels of each change against {others}, "
            f"seed {summary.seed}, {summary.strategy} on both sides",
            "dim",
        ),
        make(f"As it is, {first.deck} wins {_percent(first.before)}.", "dim"),
        "",
        table,
        make(f"* shown ({CORRECTION}).", "dim"),
        "",
        *(
            [make(f"{len(ranked) - top} smaller ones left out (--top).")]
            if top < len(ranked)
            else []
        ),
        make(f"Same seeds make the errors {usual:.1f} times smaller (median)."),
        make(f"{shown} of {len(ranked)} changes are shown to move the win rate."),
    )


def print_patched(
    patch: str,
    before: MatchupSummary,
    after: MatchupSummary,
    summary: ChangesSummary,
    console: Console | None = None,
) -> None:
    """Print a matchup before and after a patch to `console` (stdout by default)."""
    console = console or Console(highlight=False, markup=False, emoji=False)
    console.print(patched_table(patch, before, after, summary, _maker(console.encoding)))


def patched_table(
    patch: str,
    before: MatchupSummary,
    after: MatchupSummary,
    summary: ChangesSummary,
    make: Make,
) -> RenderableType:
    """Before beside after, and the paired difference, as a rich renderable."""
    change = summary.changes[0]
    a, b = wording.side_names(before.a, before.b, _NAME_WIDTH)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("")
    for heading in ("before", "after", "difference"):
        table.add_column(heading, justify="right")
    table.add_row(
        make(f"{a} wins", "bold"),
        make(_percent(change.before)),
        make(_percent(change.after)),
        make(f"{_points(change)}\n{_point_range(change.difference.interval)}", "bold"),
    )
    first = [_percent(each.first_player) for each in (before, after)]
    table.add_row("First player wins", *(make(cell) for cell in first), "")
    for label, spreads in (
        ("Length in turns", [before.turns, after.turns]),
        ("Winner's LP left", [before.lp_left, after.lp_left]),
    ):
        table.add_row(label, *(make(_mean(spread)) for spread in spreads), "")
    return Group(
        make(f"{a} against {b}: {patch}", "bold"),
        make(
            f"{wording.sample(before.win_rate_a)} before and after, seed {before.seed}, "
            f"{before.play(a, b)}",
            "dim",
        ),
        "",
        table,
        make(f"95% intervals: {METHOD}.", "dim"),
        "",
        *_same_seeds(change, make),
        make(_verdict(a, change)),
    )


def _same_seeds(change: Change, make: Make) -> list[RenderableType]:
    if change.difference.gain is None or change.correlation is None:
        return []
    return [
        make(
            f"Same seeds make the error {change.difference.gain:.1f} times smaller "
            f"(correlation {change.correlation:.2f})."
        )
    ]


def _verdict(a: str, change: Change) -> str:
    low, high = change.difference.interval
    if low <= 0 <= high:
        return f"The patch is not shown to change how often {a} wins."
    word = "more" if low > 0 else "less"
    points = f"{100 * abs(change.difference.estimate):.1f} points"
    return f"With the patch {a} wins {word} often, by {points}."


def _cells(change: Change) -> Sequence[str]:
    star = "*" if change.flagged else ""
    return (
        wording.shorten(change.change, _CHANGE_WIDTH),
        f"{100 * change.after.estimate:.1f}%",
        f"{_points(change)}{star}",
        _point_range(change.difference.interval),
    )


def _points(change: Change) -> str:
    return f"{100 * change.difference.estimate:+.1f}"


def _point_range(interval: Interval) -> str:
    low, high = interval
    return f"{100 * low:+.1f} to {100 * high:+.1f}"


def _percent(share: object) -> str:
    """A rate with its interval."""
    estimate = getattr(share, "estimate", 0.0)
    low, high = getattr(share, "interval", Interval(0.0, 0.0))
    return f"{100 * estimate:.1f}% ({100 * low:.1f}\N{EN DASH}{100 * high:.1f})"


def _mean(spread: Spread) -> str:
    mean = spread.mean
    error = "" if mean.error is None else f" \N{PLUS-MINUS SIGN}{1.96 * mean.error:.1f}"
    return f"{mean.value:.1f}{error}"


def _maker(encoding: str) -> Make:
    return partial(plain_text, None if encoding.lower().startswith("utf") else encoding)
