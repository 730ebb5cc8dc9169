"""The table for the terminal: complete, 80 columns wide at most, plain where it must be."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from rich.cells import cell_len
from rich.console import Console

from reports.matchup import MatchupSummary
from reports.terminal import print_matchup

Matchup = Callable[..., tuple[MatchupSummary, pl.DataFrame]]

LONG = "The grand coalition of Carthage, Numidia and the Gallic mercenaries"
CASES: dict[str, dict[str, Any]] = {
    "even": {"n": 4000},
    "one-sided": {"n": 4000, "strength": -4.0, "b": "Germanic tribes", "strategy_b": "random"},
    "all won": {"n": 40, "strength": 9.0},
    "one duel": {"n": 1, "duels_per_second": None},
    "half a pair": {"n": 7},
    "long names": {"n": 100, "a": f"{LONG} v1", "b": f"{LONG} v2", "strategy_b": "x" * 30},
    "one long word": {"n": 100, "a": "x" * 200, "b": "y" * 200},
    "Cyrillic": {"n": 100, "a": "Рим", "b": "Германские племена"},
    "markup": {"n": 100, "a": "[red]Rome[/red]", "b": "[/]"},
    "mirror": {"n": 100, "b": "Rome"},
    "always first": {"n": 100, "only_a_first": True},
}


def printed(summary: MatchupSummary, counts: pl.DataFrame, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors="strict", newline="\n")
    print_matchup(summary, counts, Console(file=stream, width=80))
    stream.flush()
    return raw.getvalue().decode(encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1251"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_table_fits_and_is_plain_text(
    case: dict[str, Any], encoding: str, matchup: Matchup
) -> None:
    text = printed(*matchup(**case), encoding=encoding)
    assert max(cell_len(line) for line in text.splitlines()) <= 80
    assert "\x1b" not in text
    assert "nan" not in text


def test_table_shows_every_part(matchup: Matchup) -> None:
    summary, counts = matchup(n=4001, strength=0.2)
    text = printed(summary, counts)
    words = " ".join(text.split())
    assert text.startswith("Rome against Sparta\n4,001 duels in 2,000 pairs and 1 unpaired, seed 7")
    for part in (
        "win rate interval",
        "All duels",
        "Rome first",
        "Sparta first",
        "First player won",
        "going first is worth",
        "Length in turns mean",
        "Ended by LP at zero",
        "empty deck",
        "Winner's LP left mean",
        "Speed 16,000 duels per second",
    ):
        assert part in words, part
    assert f"{summary.win_rate_a.wins:,}" in words
    assert "█" in text
    # Last comes the finding, in words.
    assert words.endswith(summary.finding)


def test_speed_is_left_out_where_it_was_not_measured(matchup: Matchup) -> None:
    assert "Speed" not in printed(*matchup(n=10, duels_per_second=None))


def test_names_are_no_markup(matchup: Matchup) -> None:
    assert "[red]Rome[/red] against [/]" in printed(*matchup(**CASES["markup"]))


def test_rare_endings_do_not_read_as_none(matchup: Matchup) -> None:
    summary, counts = matchup(n=4000)
    assert summary.ended_deck > 0
    rare = replace(summary, ended_deck=1, ended_lp=summary.duels - 1)
    text = printed(rare, counts)
    assert "empty deck 1 (under 0.1%)" in text
    assert "(over 99.9%)" in text


def test_colour_only_adds(matchup: Matchup) -> None:
    summary, counts = matchup(n=400)
    console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="standard")
    with console.capture() as capture:
        print_matchup(summary, counts, console)
    coloured = capture.get()
    assert "\x1b[" in coloured
    plain = "".join(
        part.split("m", 1)[1] if i else part for i, part in enumerate(coloured.split("\x1b["))
    )
    assert plain == printed(summary, counts)
